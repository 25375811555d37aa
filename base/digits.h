/* digits: unsigned decimal numbers in bulk text, eight digits at a time. For everything else there is base/num.h. */
#ifndef BASE_DIGITS_H
#define BASE_DIGITS_H

#include <stdint.h>
#include <string.h>

/* Eight bytes, the first of them lowest. */
static inline uint64_t digits_load(const char *p)
{
	uint64_t v;
	memcpy(&v, p, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v = __builtin_bswap64(v);
#endif
	return v;
}

/* The value of eight digits, each a byte 0 to 9, the first one lowest: neighbours are joined to pairs, then these with
 * two multiplications. */
static inline uint64_t digits_join(uint64_t d)
{
	const uint64_t pair = UINT64_C(0x000000ff000000ff);
	d = d * 10 + (d >> 8);
	return ((d & pair) * UINT64_C(0x000f424000000064) + (d >> 16 & pair) * UINT64_C(0x0000271000000001)) >> 32;
}

/* Reads the digits at p, behind which 8 bytes more must be readable than there are digits, and returns the place behind
 * the last one; NULL when there is none or the number doesn't fit. */
static inline const char *digits_read(const char *p, uint64_t *value)
{
	uint64_t v = 0;
	for (int blocks = 0; blocks < 3; blocks++, p += 8) {
		uint64_t t = digits_load(p) ^ UINT64_C(0x3030303030303030);
		uint64_t others = ((t + UINT64_C(0x7676767676767676)) | t) & UINT64_C(0x8080808080808080);
		if (!others) {
			if (__builtin_mul_overflow(v, UINT64_C(100000000), &v) || __builtin_add_overflow(v, digits_join(t), &v))
				return NULL;
			continue;
		}
		static const uint64_t power[8] = { 1, 10, 100, 1000, 10000, 100000, 1000000, 10000000 };
		unsigned n = (unsigned)__builtin_ctzll(others) >> 3;
		if (n == 0) {
			*value = v;
			return blocks ? p : NULL;
		}
		t = digits_join(t << (64 - 8 * n));
		if (blocks && (__builtin_mul_overflow(v, power[n], &v) || __builtin_add_overflow(v, t, &t)))
			return NULL;
		*value = t;
		return p + n;
	}
	return NULL;
}

#endif
