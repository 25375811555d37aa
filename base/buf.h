/* buf: a byte string that grows, for output that must be whole before it is written. */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include "base/slice.h"

struct buf {
	char *p;   /* NUL-terminated whenever it is not NULL */
	size_t n;
	size_t cap;
};

#define BUF_EMPTY ((struct buf){ NULL, 0, 0 })

/* Length of the valid UTF-8 sequence that s begins with, 0 when it is none; s must not be empty. */
size_t utf8_length(struct slice s);

void buf_put(struct buf *b, const void *bytes, size_t n);
static inline void buf_char(struct buf *b, char c)
{
	if (b->cap - b->n < 2) {
		buf_put(b, &c, 1);
		return;
	}
	b->p[b->n++] = c;
	b->p[b->n] = '\0';
}
void buf_str(struct buf *b, const char *text);
void buf_slice(struct buf *b, struct slice s);
void buf_printf(struct buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The shortest decimal that reads back to the same double (num_format). */
void buf_double(struct buf *b, double value);
/* A JSON string with its quotes; invalid UTF-8 becomes U+FFFD. */
void buf_json_string(struct buf *b, struct slice text);
struct slice buf_view(const struct buf *b);
void buf_clear(struct buf *b);
void buf_free(struct buf *b);

#endif
