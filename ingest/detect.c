#include "ingest/detect.h"

#include "base/newlines.h"

/* Far from a check of the syntax: a text, or a text behind JSON, has lines that begin with a letter or a digit. */
static bool only_json(struct slice head)
{
	const char *end = head.p + head.n;
	struct slice start = slice_trim(slice_starts(head, "\xef\xbb\xbf") ? slice_from(head, 3) : head);
	if (slice_starts(start, "["))
		start = slice_trim(slice_from(start, 1));
	if (!slice_starts(start, "{") || !slice_starts(slice_trim(slice_from(start, 1)), "\""))
		return false;
	for (const char *p = start.p; (p = newlines_outdented(p, end)) < end;)
		if (!strchr("{}],\"", *p))
			return false;
	return true;
}

struct peek peek_of(struct slice name, struct slice head, uint64_t size)
{
	head = slice_head(head, PEEK_SIZE);
	return (struct peek){ .name = name, .head = head, .size = size, .json = only_json(head) };
}

int detect_bid(const struct parser *parser, const struct peek *peek)
{
	return !parser->probe || (peek->json && !parser->json) ? 0 : parser->probe(peek);
}

struct detection detect(const struct peek *peek)
{
	struct detection d = { 0 };
	for (size_t i = 0; parsers[i]; i++) {
		int bid = detect_bid(parsers[i], peek);
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
