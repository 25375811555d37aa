#include "ingest/detect.h"

struct detection detect(const struct peek *peek)
{
	struct detection d = { 0 };
	for (size_t i = 0; parsers[i]; i++) {
		int bid = parsers[i]->probe ? parsers[i]->probe(peek) : 0;
		if (bid > d.bid)
			d = (struct detection){ .parser = parsers[i], .bid = bid };
		else if (bid > 0 && bid == d.bid)
			d.rival = parsers[i];
	}
	return d;
}

const struct parser *parser_named(const char *name)
{
	for (size_t i = 0; parsers[i]; i++)
		if (strcmp(parsers[i]->name, name) == 0)
			return parsers[i];
	return NULL;
}
