/* detect: which parser reads an input. Every parser bids, the highest bid wins, a tie is no answer. */
#ifndef INGEST_DETECT_H
#define INGEST_DETECT_H

#include "parsers/parser.h"

struct detection {
	const struct parser *parser; /* NULL: unknown */
	const struct parser *rival;  /* bids as high: the input is ambiguous; NULL normally */
	int bid;
};

struct detection detect(const struct peek *peek);
/* By its name; NULL when there is none. */
const struct parser *parser_named(const char *name);

#endif
