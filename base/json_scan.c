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
/* Bit i: byte p[i], with bit 5 set in both, is c. */
static uint64_t folded_mask(const char *p, char c)
{
	uint64_t mask = 0;
	for (int i = 48; i >= 0; i -= 16) {
		__m128i v = _mm_or_si128(load(p + i), _mm_set1_epi8(0x20));
		mask = mask << 16 | (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8(c)));
	}
	return mask;
}

/* Bit i: byte p[i] is behind an odd number of quotes, or a quote that makes it so. */
static uint64_t quoted_mask(const char *p, bool string)
{
	uint64_t mask = 0;
	for (int i = 48; i >= 0; i -= 16)
		mask = mask << 16 | (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(load(p + i), _mm_set1_epi8('"')));
	for (unsigned shift = 1; shift < 64; shift *= 2)
		mask ^= mask << shift;
	return string ? ~mask : mask;
}

/* 64 bytes without a backslash. With bit 5 set, [ is { and ] is }. */
static const char *nest_block(struct nest *n, const char *p)
{
	uint64_t quoted = quoted_mask(p, n->string);
	uint64_t open = folded_mask(p, '{') & ~quoted, close = folded_mask(p, '}') & ~quoted;
	n->string = quoted >> 63;
	for (uint64_t bits = open | close; bits; bits &= bits - 1) {
		if (open & bits & -bits)
			n->depth++;
		else if (--n->depth == 0)
			return p + __builtin_ctzll(bits) + 1;
	}
	return NULL;
}

/* What 16 bytes add to the search below. */
static void nest_look(const char *p, __m128i *quotes, __m128i *nearest)
{
	__m128i v = load(p);
	*quotes = _mm_xor_si128(*quotes, _mm_cmpeq_epi8(v, _mm_set1_epi8('"')));
	__m128i above = _mm_sub_epi8(_mm_or_si128(v, _mm_set1_epi8(0x20)), _mm_set1_epi8('{'));
	*nearest = _mm_min_epu8(*nearest, above);
}

static bool has_byte(const char *p, char c)
{
	__m128i found = _mm_setzero_si128();
	for (int i = 0; i < 64; i += 16)
		found = _mm_or_si128(found, _mm_cmpeq_epi8(load(p + i), _mm_set1_epi8(c)));
	return _mm_movemask_epi8(found);
}

/* The same as nest_plain, 64 bytes at a time. With bit 5 set, brackets and backslash are { | }, three neighbours; most
 * blocks hold none of them, and of those no more is wanted than the parity of their quotes. */
const char *scan_nest(struct nest *n, const char *p, const char *end)
{
	while (end - p >= 64) {
		__m128i quotes = _mm_setzero_si128(), two = _mm_set1_epi8(2), nearest;
		bool special = n->escaped;
		for (; !special && end - p >= 64; p += 64) {
			__m128i before = quotes;
			nearest = _mm_set1_epi8(-1);
			nest_look(p, &quotes, &nearest);
			nest_look(p + 16, &quotes, &nearest);
			nest_look(p + 32, &quotes, &nearest);
			nest_look(p + 48, &quotes, &nearest);
			special = _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(nearest, two), nearest));
			if (special) {
				quotes = before;
				break;
			}
		}
		n->string ^= __builtin_parity((unsigned)_mm_movemask_epi8(quotes));
		if (!special)
			break;
		const char *found = n->escaped || has_byte(p, '\\') ? nest_plain(n, p, p + 64) : nest_block(n, p);
		if (found)
			return found;
		p += 64;
	}
	return nest_plain(n, p, end);
}
#else
const char *scan_nest(struct nest *n, const char *p, const char *end)
{
	return nest_plain(n, p, end);
}
#endif
