#include "base/feed.h"

size_t feed_fill(struct feed *f, char *into, size_t size)
{
	size_t n = 0, got = 1;
	while (n < size && got > 0) {
		got = f->read(f, into + n, size - n);
		n += got;
	}
	return n;
}

static size_t read_bytes(struct feed *f, char *into, size_t size)
{
	struct feed_bytes *b = (struct feed_bytes *)f;
	if (b->bytes.n) {
		size_t n = size < b->bytes.n ? size : b->bytes.n;
		memcpy(into, b->bytes.p, n);
		b->bytes = slice_from(b->bytes, n);
		return n;
	}
	size_t n = b->rest ? b->rest->read(b->rest, into, size) : 0;
	f->failed = b->rest && b->rest->failed;
	return n;
}

struct feed_bytes feed_of(struct slice bytes, struct feed *rest)
{
	return (struct feed_bytes){ .feed = { .read = read_bytes }, .bytes = bytes, .rest = rest };
}
