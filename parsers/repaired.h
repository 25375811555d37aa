/* repaired: a sink that hands on what it is given, every result marked as read from what had to be
 * mended. */
#ifndef PARSERS_REPAIRED_H
#define PARSERS_REPAIRED_H

#include "parsers/parser.h"

struct repaired {
	const struct sink *sink;
	void *ctx;
	struct sink own; /* without what the other one has not */
};

/* Makes `p` give to it, and it to where `p` gave; it must live as long as `p` is used. */
void repaired_begin(struct repaired *r, struct parse *p);

#endif
