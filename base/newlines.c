#define _GNU_SOURCE /* memrchr */
#include "base/newlines.h"

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>

static __m128i load(const char *p)
{
	return _mm_loadu_si128((const __m128i *)(const void *)p);
}

/* Of whole blocks of 64. Each byte of `sum` counts what it saw, up to 255 lines of 16 bytes. */
static uint32_t count_blocks(const char *p, const char *end)
{
	const __m128i zero = _mm_setzero_si128(), lf = _mm_set1_epi8('\n');
	uint32_t n = 0;
	while (p < end) {
		__m128i sum = zero;
		for (int i = 0; i < 63 && p < end; i++, p += 64) {
			__m128i a = _mm_add_epi8(_mm_cmpeq_epi8(load(p), lf), _mm_cmpeq_epi8(load(p + 16), lf));
			__m128i b = _mm_add_epi8(_mm_cmpeq_epi8(load(p + 32), lf), _mm_cmpeq_epi8(load(p + 48), lf));
			sum = _mm_sub_epi8(sum, _mm_add_epi8(a, b));
		}
		sum = _mm_sad_epu8(sum, zero);
		n += (uint32_t)_mm_cvtsi128_si32(sum) + (uint32_t)_mm_extract_epi16(sum, 4);
	}
	return n;
}

/* Bit i: p[i] is one; of 16 bytes. */
static uint64_t newline_bits(const char *p)
{
	return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(load(p), _mm_set1_epi8('\n')));
}

/* In 16 bytes, and the one behind them: where a byte above the blank follows a line feed. */
static __m128i outdented(const char *p)
{
	const __m128i next = load(p + 1), low = _mm_cmpeq_epi8(_mm_min_epu8(next, _mm_set1_epi8(' ')), next);
	return _mm_andnot_si128(low, _mm_cmpeq_epi8(load(p), _mm_set1_epi8('\n')));
}

/* Whole blocks up to the first one with a find. */
static const char *skip_indented(const char *p, const char *end)
{
	for (; end - p > 64; p += 64) {
		__m128i a = _mm_or_si128(outdented(p), outdented(p + 16)), b = _mm_or_si128(outdented(p + 32), outdented(p + 48));
		if (_mm_movemask_epi8(_mm_or_si128(a, b)))
			break;
	}
	return p;
}

/* To the first control character of the whole blocks, or behind them. */
static const char *skip_printed(const char *p, const char *end)
{
	const __m128i last = _mm_set1_epi8(0x1f), tab = _mm_set1_epi8('\t');
	for (; end - p >= 16; p += 16) {
		__m128i bytes = load(p), low = _mm_cmpeq_epi8(_mm_min_epu8(bytes, last), bytes);
		unsigned found = (unsigned)_mm_movemask_epi8(_mm_andnot_si128(_mm_cmpeq_epi8(bytes, tab), low));
		if (found)
			return p + __builtin_ctz(found);
	}
	return p;
}
#else
static uint32_t count_blocks(const char *p, const char *end)
{
	uint32_t n = 0;
	for (; p < end; p++)
		n += *p == '\n';
	return n;
}

static uint64_t newline_bits(const char *p)
{
	uint64_t bits = 0;
	for (int i = 0; i < 16; i++)
		bits |= (uint64_t)(p[i] == '\n') << i;
	return bits;
}

static const char *skip_indented(const char *p, const char *end)
{
	(void)end;
	return p;
}

static const char *skip_printed(const char *p, const char *end)
{
	(void)end;
	return p;
}
#endif

/* Mostly the way is short: then one look at 64 bytes tells all. On a long way they are only counted, and its end
 * alone is looked at for the last. */
uint32_t newlines_count(const char *p, const char *end, const char **last)
{
	enum { SHORT = 64 };
	const char *begin = p;
	uint64_t bits = 0;
	uint32_t n = 0;
	if (end - p > SHORT) {
		p += (end - p - 1) / SHORT * SHORT;
		n = count_blocks(begin, p);
	}
	unsigned left = (unsigned)(end - p), i = 0;
	for (; i + 16 <= left; i += 16)
		bits |= newline_bits(p + i) << i;
	if (i < left && end - begin >= 16)
		bits |= left >= 16 ? newline_bits(end - 16) << (left - 16) : newline_bits(end - 16) >> (16 - left);
	else
		for (; i < left; i++)
			bits |= (uint64_t)(p[i] == '\n') << i;
	if (bits)
		*last = p + 63 - __builtin_clzll(bits);
	else if (n)
		*last = memrchr(begin, '\n', (size_t)(p - begin));
	for (; bits; bits &= bits - 1)
		n++;
	return n;
}

const char *newlines_outdented(const char *p, const char *end)
{
	for (p = skip_indented(p, end); end - p > 1; p++)
		if (p[0] == '\n' && (unsigned char)p[1] > ' ')
			return p + 1;
	return end;
}

const char *newlines_control(const char *p, const char *end)
{
	for (p = skip_printed(p, end); p < end && ((unsigned char)*p > 0x1f || *p == '\t');)
		p++;
	return p;
}
