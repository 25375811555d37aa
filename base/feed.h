/* feed: an input's bytes in order, as they are asked for: a file, an archive's member, bytes in memory. */
#ifndef BASE_FEED_H
#define BASE_FEED_H

#include "base/slice.h"

#include <stdint.h>

struct feed {
	/* Up to `size` bytes to `into`; 0 at the end, and when it can't be read on: then failed is set, and the feed's
	 * owner says why. */
	size_t (*read)(struct feed *f, char *into, size_t size);
	bool failed;
};

/* As many of `size` bytes as there are. */
size_t feed_fill(struct feed *f, char *into, size_t size);

/* Bytes that are in memory, then those of `rest` (NULL: no more). */
struct feed_bytes {
	struct feed feed;
	struct slice bytes;
	struct feed *rest;
};
struct feed_bytes feed_of(struct slice bytes, struct feed *rest);

#endif
