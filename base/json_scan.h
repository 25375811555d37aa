/* json_scan: the loops of the JSON reader, 16 bytes at a time where the machine has SSE2. For base/json.c only. */
#ifndef BASE_JSON_SCAN_H
#define BASE_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum json_byte {
	BLANK = 1,  /* between tokens */
	WORD = 2,   /* of a number or a bare word */
	NUMBER = 4, /* of a finite number */
	STOP = 8    /* ends what can't be read: the next token may be sound again */
};

extern const unsigned char json_bytes[256];

static inline bool is(char c, unsigned classes)
{
	return json_bytes[(unsigned char)c] & classes;
}

/* The first byte from p on that is no blank, or `end`. */
const char *scan_indent(const char *p, const char *end);

/* The same. Mostly there is none, or one, or an indentation. */
static inline const char *scan_blanks(const char *p, const char *end)
{
	if (p == end || !is(*p, BLANK))
		return p;
	if (++p == end || !is(*p, BLANK))
		return p;
	return scan_indent(p, end);
}

/* The same where there is mostly a line end and an indentation. */
static inline const char *scan_gap(const char *p, const char *end)
{
#ifdef __SSE2__
	if (end - p >= 16) {
		__m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
		unsigned blank = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8(' '))) | (*p == '\n');
		const char *next = p + __builtin_ctz(~blank);
		if (next < p + 16 && !is(*next, BLANK))
			return next;
	}
#endif
	return scan_blanks(p, end);
}

/* p stands behind an opening quote; the closing one, or NULL when there is none. *control is set to the first raw
 * control byte, if there is one and *control is NULL. */
const char *scan_string(const char *p, const char *end, const char **control);
/* Behind the digits and points at p. */
static inline const char *scan_digits(const char *p, const char *end)
{
#ifdef __SSE2__
	if (end - p >= 16) {
		/* From the point to 9, but for the slash between them. */
		__m128i v = _mm_loadu_si128((const __m128i *)(const void *)p), above = _mm_sub_epi8(v, _mm_set1_epi8('.'));
		__m128i in = _mm_cmpeq_epi8(_mm_min_epu8(above, _mm_set1_epi8('9' - '.')), above);
		unsigned found = (unsigned)_mm_movemask_epi8(_mm_andnot_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('/')), in));
		p += __builtin_ctz(~found);
	}
#endif
	while (p < end && (*p == '.' || (*p >= '0' && *p <= '9')))
		p++;
	return p;
}

/* Behind the word at p. *all loses NUMBER when a byte is none of a finite number. */
const char *scan_word(const char *p, const char *end, unsigned *all);

/* Where a skip stands between two calls. */
struct nest {
	size_t depth; /* open brackets */
	bool string;  /* within quotes */
	bool escaped; /* the last byte was a backslash that takes the next one */
};

/* Behind the bracket that brings the depth to 0, or NULL with the state at `end`. Brackets' kinds are not looked at. */
const char *scan_nest(struct nest *n, const char *p, const char *end);

#endif
