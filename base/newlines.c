#include "base/newlines.h"

#ifdef __SSE2__
#include <emmintrin.h>

static __m128i load(const char *p)
{
	return _mm_loadu_si128((const __m128i *)(const void *)p);
}

/* Whole blocks from *p on, *p moves behind them. Each byte of `sum` counts what it saw, up to 255 blocks. */
static uint32_t count_blocks(const char **p, const char *end)
{
	const __m128i zero = _mm_setzero_si128(), lf = _mm_set1_epi8('\n');
	uint32_t n = 0;
	while (end - *p >= 16) {
		__m128i sum = zero;
		for (int i = 0; i < 255 && end - *p >= 16; i++, *p += 16)
			sum = _mm_sub_epi8(sum, _mm_cmpeq_epi8(load(*p), lf));
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
