#include "base/buf.h"

#include "base/arena.h"
#include "base/num.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void reserve(struct buf *b, size_t more)
{
	if (b->cap - b->n > more)
		return;
	size_t cap = b->cap ? b->cap : 256;
	while (cap - b->n <= more)
		cap *= 2;
	b->p = mem_resize(b->p, cap);
	b->cap = cap;
}

void buf_put(struct buf *b, const void *bytes, size_t n)
{
	reserve(b, n);
	if (n)
		memcpy(b->p + b->n, bytes, n);
	b->n += n;
	b->p[b->n] = '\0';
}

void buf_str(struct buf *b, const char *text)
{
	buf_put(b, text, strlen(text));
}

void buf_slice(struct buf *b, struct slice s)
{
	buf_put(b, s.p, s.n);
}

void buf_printf(struct buf *b, const char *format, ...)
{
	va_list args, again;
	va_start(args, format);
	va_copy(again, args);
	int n = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (n > 0) {
		reserve(b, (size_t)n);
		vsnprintf(b->p + b->n, (size_t)n + 1, format, again);
		b->n += (size_t)n;
	}
	va_end(again);
}

void buf_double(struct buf *b, double value)
{
	char text[NUM_FORMAT_SIZE];
	buf_put(b, text, num_format(text, value));
}

/* RFC 3629: no overlong forms, no surrogates. */
size_t utf8_length(struct slice s)
{
	const unsigned char *p = (const unsigned char *)s.p;
	size_t n = p[0] < 0x80 ? 1 : p[0] >= 0xf0 && p[0] <= 0xf4 ? 4 : p[0] >= 0xe0 ? 3 : p[0] >= 0xc2 ? 2 : 0;
	if (n == 0 || p[0] > 0xf4 || s.n < n)
		return 0;
	for (size_t i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) || (p[0] == 0xf0 && p[1] < 0x90) ||
	    (p[0] == 0xf4 && p[1] > 0x8f))
		return 0;
	return n;
}

void buf_json_string(struct buf *b, struct slice text)
{
	buf_char(b, '"');
	while (text.n) {
		unsigned char c = (unsigned char)text.p[0];
		size_t n = utf8_length(text);
		if (c == '"' || c == '\\')
			buf_printf(b, "\\%c", c);
		else if (c < 0x20 || c == 0x7f)
			buf_printf(b, "\\u%04x", c);
		else if (n == 0)
			buf_str(b, "\xef\xbf\xbd");
		else
			buf_put(b, text.p, n);
		text = slice_from(text, n ? n : 1);
	}
	buf_char(b, '"');
}

struct slice buf_view(const struct buf *b)
{
	return (struct slice){ b->p ? b->p : "", b->n };
}

void buf_clear(struct buf *b)
{
	b->n = 0;
	if (b->p)
		b->p[0] = '\0';
}

void buf_free(struct buf *b)
{
	free(b->p);
	*b = BUF_EMPTY;
}
