#include "base/json_scan.h"

#include <stdint.h>

#ifdef __SSE2__
static __m128i load(const char *p)
{
	return _mm_loadu_si128((const __m128i *)(const void *)p);
}
#endif

const unsigned char json_bytes[256] = {
	[' '] = BLANK, ['\t'] = BLANK, ['\n'] = BLANK, ['\r'] = BLANK,
	['0' ... '9'] = WORD | NUMBER, ['+'] = WORD | NUMBER, ['-'] = WORD | NUMBER, ['.'] = WORD | NUMBER,
	['E'] = WORD | NUMBER, ['e'] = WORD | NUMBER,
	['A' ... 'D'] = WORD, ['F' ... 'Z'] = WORD, ['a' ... 'd'] = WORD, ['f' ... 'z'] = WORD, ['_'] = WORD,
	[','] = STOP, ['"'] = STOP, ['{'] = STOP, ['}'] = STOP, ['['] = STOP, [']'] = STOP,
};

const char *scan_indent(const char *p, const char *end)
{
#ifdef __SSE2__
	for (; end - p >= 16; p += 16) {
		__m128i v = load(p);
		__m128i b = _mm_or_si128(
			_mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8(' ')), _mm_cmpeq_epi8(v, _mm_set1_epi8('\n'))),
			_mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('\r')), _mm_cmpeq_epi8(v, _mm_set1_epi8('\t'))));
		unsigned other = (unsigned)_mm_movemask_epi8(b) ^ 0xffff;
		if (other)
			return p + __builtin_ctz(other);
	}
#endif
	while (p < end && is(*p, BLANK))
		p++;
	return p;
}

/* The next quote, backslash or control byte. */
static const char *string_event(const char *p, const char *end)
{
#ifdef __SSE2__
	for (; end - p >= 16; p += 16) {
		__m128i v = load(p), top = _mm_set1_epi8(0x1f);
		__m128i e = _mm_or_si128(_mm_cmpeq_epi8(_mm_min_epu8(v, top), v),
			_mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('"')), _mm_cmpeq_epi8(v, _mm_set1_epi8('\\'))));
		unsigned event = (unsigned)_mm_movemask_epi8(e);
		if (event)
			return p + __builtin_ctz(event);
	}
#endif
	while (p < end && *p != '"' && *p != '\\' && (unsigned char)*p >= 0x20)
		p++;
	return p;
}

const char *scan_string(const char *p, const char *end, const char **control)
{
	while ((p = string_event(p, end)) < end) {
		if (*p == '"')
			return p;
		if (*p != '\\') {
			if (!*control)
				*control = p;
			p++;
		} else if (end - p < 2) {
			break;
		} else {
			p += 2;
		}
	}
	return NULL;
}

const char *scan_word(const char *p, const char *end, unsigned *all)
{
#ifdef __SSE2__
	if (end - p >= 16) {
		/* Without a branch for each digit: from + to 9, but for comma and slash. */
		__m128i v = load(p), above = _mm_sub_epi8(v, _mm_set1_epi8('+'));
		__m128i in = _mm_cmpeq_epi8(_mm_min_epu8(above, _mm_set1_epi8('9' - '+')), above);
		__m128i out = _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8(',')), _mm_cmpeq_epi8(v, _mm_set1_epi8('/')));
		p += __builtin_ctz(((unsigned)_mm_movemask_epi8(_mm_andnot_si128(out, in)) ^ 0xffff) | 0x10000);
	}
#endif
	for (; p < end && is(*p, WORD); p++)
		*all &= json_bytes[(unsigned char)*p];
	return p;
}

/* Behind the bracket that brings the depth to 0, or NULL with the state of `end`. */
static const char *nest_plain(struct nest *n, const char *p, const char *end)
{
	for (; p < end; p++) {
		if (n->escaped) {
			n->escaped = false;
		} else if (n->string) {
			if (*p == '"')
				n->string = false;
			else if (*p == '\\')
				n->escaped = true;
		} else if (*p == '"') {
			n->string = true;
		} else if (*p == '{' || *p == '[') {
			n->depth++;
		} else if ((*p == '}' || *p == ']') && --n->depth == 0) {
			return p + 1;
		}
	}
	return NULL;
}

#ifdef __SSE2__
/* 16 bytes with brackets (and bars), but no backslash. Brackets behind an odd number of quotes stand in a string. */
static const char *nest_block(struct nest *n, const char *p, unsigned brackets)
{
	unsigned quotes = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(load(p), _mm_set1_epi8('"')));
	for (; brackets; brackets &= brackets - 1) {
		unsigned before = (brackets & -brackets) - 1;
		const char *at = p + __builtin_ctz(brackets);
		if (n->string ^ __builtin_parity(quotes & before))
			continue;
		if (*at == '{' || *at == '[')
			n->depth++;
		else if (*at != '|' && --n->depth == 0)
			return at + 1;
	}
	n->string ^= __builtin_parity(quotes);
	return NULL;
}

/* The same as nest_plain. With bit 5 set, brackets and backslash are { | }, three neighbours; most blocks hold none
 * of them, and of those no more is wanted than the parity of their quotes. */
const char *scan_nest(struct nest *n, const char *p, const char *end)
{
	const __m128i quote = _mm_set1_epi8('"'), fold = _mm_set1_epi8(0x20), first = _mm_set1_epi8('{');
	const __m128i two = _mm_set1_epi8(2);
	__m128i quotes = _mm_setzero_si128();
	for (; end - p >= 16; p += 16) {
		__m128i v = load(p), above = _mm_sub_epi8(_mm_or_si128(v, fold), first);
		unsigned special = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(above, two), above));
		if (!special && !n->escaped) {
			quotes = _mm_xor_si128(quotes, _mm_cmpeq_epi8(v, quote));
			continue;
		}
		n->string ^= __builtin_parity((unsigned)_mm_movemask_epi8(quotes));
		quotes = _mm_setzero_si128();
		bool escapes = n->escaped || _mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8('\\')));
		const char *found = escapes ? nest_plain(n, p, p + 16) : nest_block(n, p, special);
		if (found)
			return found;
	}
	n->string ^= __builtin_parity((unsigned)_mm_movemask_epi8(quotes));
	return nest_plain(n, p, end);
}
#else
const char *scan_nest(struct nest *n, const char *p, const char *end)
{
	return nest_plain(n, p, end);
}
#endif
