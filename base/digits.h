/* digits: unsigned decimal numbers in bulk text, eight digits at a time. For everything else there is base/num.h. */
#ifndef BASE_DIGITS_H
#define BASE_DIGITS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* How many bytes behind its end a text must have that digits_read is used on: their values don't matter. */
enum { DIGITS_PAD = 8 };

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

/* digits_read for eight digits and more. */
const char *digits_read_long(const char *p, uint64_t *value);

/* Reads the digits at p and returns the place behind the last one; NULL, and *value as it was, when there is none or the
 * number is over UINT64_MAX. */
static inline const char *digits_read(const char *p, uint64_t *value)
{
	uint64_t t = digits_load(p) ^ UINT64_C(0x3030303030303030);
	/* The high bit of each byte that is no digit, right up to the first such byte. */
	uint64_t others = ((t + UINT64_C(0x7676767676767676)) | t) & UINT64_C(0x8080808080808080);
	if (__builtin_expect(!others, 0)) {
		uint64_t large; /* so that *value can stay in a register */
		p = digits_read_long(p, &large);
		if (p)
			*value = large;
		return p;
	}
	unsigned bits = (unsigned)__builtin_ctzll(others) & 0x38;
	if (__builtin_expect(bits == 0, 0))
		return NULL;
	*value = digits_join(t << (64 - bits));
	return p + bits / 8;
}

#endif
