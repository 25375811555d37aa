#include "ingest/detect.h"

#include "parsers/starts.h"
#include "parsers/transcript.h"

static void choose(struct detection *d)
{
	for (size_t i = 0; i < DETECT_PARSERS && parsers[i]; i++) {
		if (d->bids[i] > d->bid) {
			d->parser = parsers[i];
			d->rival = NULL;
			d->bid = d->bids[i];
		} else if (d->bids[i] > 0 && d->bids[i] == d->bid) {
			d->rival = parsers[i];
		}
	}
}

static size_t count_texts(const struct detection *d)
{
	size_t n = 0;
	for (size_t i = 0; i < DETECT_PARSERS && parsers[i]; i++)
		n += d->bids[i] > 0 && transcript_has(parsers[i]);
	return n;
}

struct detection detect(const struct peek *peek, struct rule_cache *rules)
{
	struct detection d = { .parser = NULL };
	for (size_t i = 0; i < DETECT_PARSERS && parsers[i]; i++)
		d.bids[i] = parsers[i]->probe ? parsers[i]->probe(peek) : 0;
	choose(&d);
	if (d.parser && !transcript_has(d.parser))
		return d;
	starts_bids(starts_of(rules), peek->head, d.bids);
	choose(&d);
	if (count_texts(&d) > 1) {
		d.parser = &parser_transcript;
		d.rival = NULL;
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
