#include "base/digits.h"

const char *digits_read_long(const char *p, uint64_t *value)
{
	uint64_t v = 0;
	const char *start = p;
	for (; *p >= '0' && *p <= '9'; p++)
		if (__builtin_mul_overflow(v, UINT64_C(10), &v) || __builtin_add_overflow(v, (uint64_t)(*p - '0'), &v))
			return NULL;
	if (p == start)
		return NULL;
	*value = v;
	return p;
}
