#include "base/json.h"

/* The code unit of \uXXXX at p; -1 when it is none. */
static long unit_at(const char *p, const char *end)
{
	long v = 0;
	if (end - p < 6 || p[0] != '\\' || p[1] != 'u')
		return -1;
	for (int i = 2; i < 6; i++) {
		char c = p[i];
		if (c >= '0' && c <= '9')
			v = v * 16 + (c - '0');
		else if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))
			v = v * 16 + ((c | 0x20) - 'a' + 10);
		else
			return -1;
	}
	return v;
}

static char *put_utf8(char *out, long code)
{
	if (code < 0x80) {
		*out++ = (char)code;
	} else if (code < 0x800) {
		*out++ = (char)(0xc0 | code >> 6);
		*out++ = (char)(0x80 | (code & 0x3f));
	} else if (code < 0x10000) {
		*out++ = (char)(0xe0 | code >> 12);
		*out++ = (char)(0x80 | (code >> 6 & 0x3f));
		*out++ = (char)(0x80 | (code & 0x3f));
	} else {
		*out++ = (char)(0xf0 | code >> 18);
		*out++ = (char)(0x80 | (code >> 12 & 0x3f));
		*out++ = (char)(0x80 | (code >> 6 & 0x3f));
		*out++ = (char)(0x80 | (code & 0x3f));
	}
	return out;
}

/* Resolves the escape at *p (a backslash with a byte behind it) and moves behind it. */
static char *put_escape(char *out, const char **p, const char *end)
{
	static const char plain[256] = {
		['"'] = '"', ['\\'] = '\\', ['/'] = '/', ['b'] = '\b', ['f'] = '\f', ['n'] = '\n', ['r'] = '\r', ['t'] = '\t',
	};
	long unit = unit_at(*p, end);
	if (unit >= 0) {
		*p += 6;
		if (unit < 0xd800 || unit > 0xdfff)
			return put_utf8(out, unit);
		long low = unit < 0xdc00 ? unit_at(*p, end) : -1;
		if (low < 0xdc00 || low > 0xdfff)
			return put_utf8(out, 0xfffd);
		*p += 6;
		return put_utf8(out, 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00));
	}
	char c = plain[(unsigned char)(*p)[1]];
	if (c) {
		*out++ = c;
	} else {
		*out++ = (*p)[0];
		*out++ = (*p)[1];
	}
	*p += 2;
	return out;
}

struct slice json_unescape(struct arena *a, struct slice raw)
{
	if (slice_find_char(raw, '\\') == (size_t)-1)
		return raw;
	/* No escape is shorter than what it stands for. */
	char *text = arena_alloc(a, raw.n + 1), *out = text;
	for (const char *p = raw.p, *end = raw.p + raw.n; p < end;) {
		if (*p == '\\' && end - p >= 2)
			out = put_escape(out, &p, end);
		else
			*out++ = *p++;
	}
	return (struct slice){ text, (size_t)(out - text) };
}
