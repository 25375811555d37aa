#include "base/newlines.h"

#ifdef __SSE2__
#include <emmintrin.h>

static __m128i load(const char *p)
{
	return _mm_loadu_si128((const __m128i *)(const void *)p);
}

/* All of them, or none when there are fewer than 16 bytes. What is left of a block is counted in the 16 bytes that end
 * there. Each byte of `sum` counts what it saw, up to 255 blocks. */
static uint32_t count_blocks(const char **from, const char *end)
{
	static const char late[32] = { [16 ... 31] = -1 };
	const __m128i zero = _mm_setzero_si128(), lf = _mm_set1_epi8('\n');
	const char *p = *from;
	uint32_t n = 0;
	if (end - p < 16)
		return 0;
	*from = end;
	while (p < end) {
		__m128i sum = zero;
		for (int i = 0; i < 254 && end - p >= 16; i++, p += 16)
			sum = _mm_sub_epi8(sum, _mm_cmpeq_epi8(load(p), lf));
		if (end - p < 16) {
			sum = _mm_sub_epi8(sum, _mm_and_si128(_mm_cmpeq_epi8(load(end - 16), lf), load(late + (end - p))));
			p = end;
		}
		sum = _mm_sad_epu8(sum, zero);
		n += (uint32_t)_mm_cvtsi128_si32(sum) + (uint32_t)_mm_extract_epi16(sum, 4);
	}
	return n;
}

/* Whole blocks up to the first one with a find. */
static const char *skip_indented(const char *p, const char *end)
{
	const __m128i blank = _mm_set1_epi8(' '), lf = _mm_set1_epi8('\n');
	for (; end - p > 16; p += 16) {
		__m128i next = load(p + 1), low = _mm_cmpeq_epi8(_mm_min_epu8(next, blank), next);
		if (_mm_movemask_epi8(_mm_andnot_si128(low, _mm_cmpeq_epi8(load(p), lf))))
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
static uint32_t count_blocks(const char **p, const char *end)
{
	(void)p;
	(void)end;
	return 0;
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

uint32_t newlines_count(const char *p, const char *end)
{
	uint32_t n = count_blocks(&p, end);
	for (; p < end; p++)
		n += *p == '\n';
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
