#include "parsers/shapes.h"

#include "base/arena.h"

#include <stdlib.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

_Static_assert((int)SHAPE_MOST < (int)SHAPE_UNSET && SHAPE_MOST % 16 == 0, "places in a line are kept in bytes");

enum { PLACES_LOG2 = 9, PLACES = 1 << PLACES_LOG2 };

struct shapes {
	struct finding places[PLACES];
};

struct shapes *shapes_new(void)
{
	return mem_zeroed(sizeof(struct shapes));
}

void shapes_free(struct shapes *s)
{
	free(s);
}

/* Mixed by multiplication, so that the upper bits depend on all that went in. */
static uint64_t mix(uint64_t hash, uint64_t v)
{
	return ((hash << 23 | hash >> 41) ^ v) * UINT64_C(0x9e3779b97f4a7c15);
}

#ifdef __SSE2__
enum { BLOCK = 16 };

static void put_without_digits(char out[BLOCK], const char in[BLOCK])
{
	const __m128i zero = _mm_set1_epi8('0'), nine = _mm_set1_epi8(9);
	__m128i v = _mm_loadu_si128((const __m128i *)(const void *)in), from_zero = _mm_sub_epi8(v, zero);
	__m128i digits = _mm_cmpeq_epi8(_mm_min_epu8(from_zero, nine), from_zero);
	v = _mm_or_si128(_mm_andnot_si128(digits, v), _mm_and_si128(digits, zero));
	_mm_store_si128((__m128i *)(void *)out, v);
}
#else
enum { BLOCK = 8 };

static void put_without_digits(char out[BLOCK], const char in[BLOCK])
{
	const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f), zeros = UINT64_C(0x3030303030303030);
	uint64_t v;
	memcpy(&v, in, sizeof v);
	uint64_t t = v ^ zeros; /* 0 to 9 for digits only */
	uint64_t others = (((t & low) + UINT64_C(0x7676767676767676)) | t) & ~low;
	uint64_t digits = ((~others & ~low) >> 7) * 0xff;
	v = (v & ~digits) | (zeros & digits);
	memcpy(out, &v, sizeof v);
}
#endif

/* Words of eight bytes, in whole blocks. */
static size_t words(size_t n)
{
	return (n + BLOCK - 1) / BLOCK * (BLOCK / 8);
}

void shape_of(struct shape *shape, struct slice line)
{
	shape->n = line.n <= SHAPE_MOST ? line.n : 0;
	size_t whole = shape->n / BLOCK * BLOCK;
	for (size_t i = 0; i < whole; i += BLOCK)
		put_without_digits(shape->text + i, line.p + i);
	if (whole < shape->n) {
		char rest[BLOCK] = { 0 };
		memcpy(rest, line.p + whole, shape->n - whole);
		put_without_digits(shape->text + whole, rest);
	}
	uint64_t hash = line.n;
	for (size_t i = 0, n = words(shape->n); i < n; i++) {
		uint64_t v;
		memcpy(&v, shape->text + 8 * i, sizeof v);
		hash = mix(hash, v);
	}
	shape->hash = hash;
}

static bool is_that(const struct finding *f, const struct shape *shape, unsigned key)
{
	return f->known && f->key == key && f->shape.n == shape->n && memcmp(f->shape.text, shape->text, shape->n) == 0;
}

/* Each has two places, so that two that meet don't drive each other out again and again. */
struct finding *shapes_find(struct shapes *s, const struct shape *shape, unsigned key)
{
	uint64_t hash = mix(shape->hash, key);
	struct finding *f = &s->places[hash >> (64 - PLACES_LOG2)], *other = &s->places[hash >> (64 - PLACES_LOG2) ^ 1];
	if (is_that(f, shape, key))
		return f;
	if (is_that(other, shape, key))
		return other;
	if (f->known && (!other->known || hash & 1))
		f = other;
	f->key = key;
	f->known = false;
	f->shape.n = shape->n;
	memcpy(f->shape.text, shape->text, shape->n);
	return f;
}

/* ---- patterns ---- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Behind an escape; NULL: it is a digit, or refers to another group. */
static const char *after_escape(const char *p)
{
	if (p[1] == 'x')
		return p[2] == '3' || !p[2] || !p[3] ? NULL : p + 4; /* two hexadecimal digits, as the tables have them */
	return !p[1] || is_digit(p[1]) || p[1] == 'g' || p[1] == 'k' ? NULL : p + 2;
}

/* Behind a class in brackets, which must have all digits or none. */
static const char *after_class(const char *p)
{
	p += p[1] == '^' ? 2 : 1;
	for (bool first = true; p && *p && (*p != ']' || first); first = false) {
		if (*p == '\\')
			p = after_escape(p);
		else if (p[1] == '-' && p[2] && p[2] != ']' && p[2] != '\\')
			p = (p[0] > '0' && p[0] <= '9') || (p[0] <= '0' && p[2] >= '0' && p[2] < '9') ? NULL : p + 3;
		else
			p = is_digit(*p) ? NULL : p + 1;
	}
	return p && *p ? p + 1 : NULL;
}

/* Behind "{3}", "{3,}", "{3,7}"; NULL where it is none of these. */
static const char *after_count(const char *p)
{
	size_t n = 1 + strspn(p + 1, "0123456789,");
	return n > 1 && is_digit(p[1]) && p[n] == '}' ? p + n + 1 : NULL;
}

bool shapes_fit(const char *p)
{
	while (p && *p) {
		if (*p == '\\')
			p = after_escape(p);
		else if (*p == '[')
			p = after_class(p);
		else if (*p == '{')
			p = after_count(p);
		else if (strncmp(p, "(?<", 3) == 0 && p[3] != '=' && p[3] != '!')
			p = strchr(p, '>'); /* a group's name */
		else
			p = is_digit(*p) ? NULL : p + 1;
	}
	return p != NULL;
}
