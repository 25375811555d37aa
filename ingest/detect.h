/* detect: which parser reads an input. Every parser bids, the highest bid wins, a tie is no answer. */
#ifndef INGEST_DETECT_H
#define INGEST_DETECT_H

#include "parsers/parser.h"

struct detection {
	const struct parser *parser; /* NULL: unknown */
	const struct parser *rival;  /* bids as high: the input is ambiguous; NULL normally */
	int bid;
};

/* Of the bytes, the first PEEK_SIZE are looked at. */
struct peek peek_of(struct slice name, struct slice bytes, uint64_t size);
/* One parser's bid. */
int detect_bid(const struct parser *parser, const struct peek *peek);
struct detection detect(const struct peek *peek);
/* By its name; NULL when there is none. */
const struct parser *parser_named(const char *name);

#endif
