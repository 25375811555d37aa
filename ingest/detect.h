/* detect: which parser reads an input. Every parser bids, the highest bid wins, a tie is no answer. Formats of whole files
 * bid by their probes; where none does, the lines of the text tools are looked for (parsers/starts.h), and a text with
 * those of several is a transcript. */
#ifndef INGEST_DETECT_H
#define INGEST_DETECT_H

#include "parsers/rules.h"

enum { DETECT_PARSERS = 128 };

struct detection {
	const struct parser *parser; /* NULL: unknown */
	const struct parser *rival;  /* bids as high: the input is ambiguous; NULL normally */
	int bid;
	int bids[DETECT_PARSERS];    /* of each parser, in the registry's order */
};

/* Of the bytes, the first PEEK_SIZE are looked at. */
struct peek peek_of(struct slice name, struct slice bytes, uint64_t size);
struct detection detect(const struct peek *peek, struct rule_cache *rules);
/* Whether a detection that found nothing may find something behind the first PEEK_SIZE bytes, as in a page whose log begins
 * late; then what begins there, in memory that does not grow with the bytes. */
bool detect_beyond_may(const struct detection *d, struct slice head);
struct detection detect_beyond(struct slice bytes, struct rule_cache *rules);
/* By its name; NULL when there is none. */
const struct parser *parser_named(const char *name);

#endif
