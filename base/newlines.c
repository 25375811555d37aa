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

/* Of 16 bytes, but for the first `skipped`. */
static uint32_t count_block(const char *p, unsigned skipped, const char **last)
{
	unsigned found = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(load(p), _mm_set1_epi8('\n'))) >> skipped << skipped;
	uint32_t n = 0;
	if (found)
		*last = p + 31 - __builtin_clz(found);
	for (; found; found &= found - 1)
		n++;
	return n;
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

static uint32_t count_block(const char *p, unsigned skipped, const char **last)
{
	uint32_t n = 0;
	for (unsigned i = skipped; i < 16; i++)
		if (p[i] == '\n') {
			n++;
			*last = p + i;
		}
	return n;
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

/* Mostly the way is short: then the last one is seen in passing. On a long way they are only counted, and its end alone is
 * looked at for the last. */
uint32_t newlines_count(const char *p, const char *end, const char **last)
{
	enum { SHORT = 16 };
	const char *begin = p, *at = NULL;
	uint32_t n = 0;
	if (end - p > SHORT) {
		p += (end - p - SHORT) / 64 * 64;
		n = count_blocks(begin, p);
	}
	const char *far = p;
	for (; end - p >= 16; p += 16)
		n += count_block(p, 0, &at);
	if (p < end && p > begin) {
		n += count_block(end - 16, 16 - (unsigned)(end - p), &at);
		p = end;
	}
	for (; p < end; p++)
		if (*p == '\n') {
			n++;
			at = p;
		}
	if (n)
		*last = at ? at : memrchr(begin, '\n', (size_t)(far - begin));
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
