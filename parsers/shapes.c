#include "parsers/shapes.h"

#include "base/arena.h"

#include <stdlib.h>

_Static_assert((int)SHAPE_MOST < (int)SHAPE_UNSET && SHAPE_MOST % 8 == 0, "places in a line are kept in bytes");

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

/* Eight bytes with a '0' for each digit. */
static uint64_t without_digits(uint64_t v)
{
	const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f), zeros = UINT64_C(0x3030303030303030);
	uint64_t t = v ^ zeros; /* 0 to 9 for digits only */
	uint64_t others = (((t & low) + UINT64_C(0x7676767676767676)) | t) & ~low;
	uint64_t digits = (~others & ~low) >> 7; /* 1 in each byte that is one */
	digits *= 0xff;
	return (v & ~digits) | (zeros & digits);
}

/* Mixed by multiplication, so that the upper bits depend on all that went in. */
static uint64_t mix(uint64_t hash, uint64_t v)
{
	return ((hash << 23 | hash >> 41) ^ v) * UINT64_C(0x9e3779b97f4a7c15);
}

void shape_of(struct shape *shape, struct slice line)
{
	uint64_t hash = line.n, v;
	shape->n = line.n <= SHAPE_MOST ? line.n : 0;
	size_t whole = shape->n / 8 * 8;
	for (size_t i = 0; i < whole; i += 8) {
		memcpy(&v, line.p + i, 8);
		v = without_digits(v);
		memcpy(shape->text + i, &v, 8);
		hash = mix(hash, v);
	}
	if (whole < shape->n) {
		v = 0;
		memcpy(&v, line.p + whole, shape->n - whole);
		v = without_digits(v);
		memcpy(shape->text + whole, &v, 8);
		hash = mix(hash, v);
	}
	shape->hash = hash;
}

static bool same_text(const struct shape *a, const struct shape *b)
{
	const uint64_t *x = (const uint64_t *)(const void *)a->text, *y = (const uint64_t *)(const void *)b->text;
	size_t words = (a->n + 7) / 8, i = 0;
	while (i < words && x[i] == y[i])
		i++;
	return i == words;
}

struct finding *shapes_find(struct shapes *s, const struct shape *shape, unsigned key)
{
	struct finding *f = &s->places[mix(shape->hash, key) >> (64 - PLACES_LOG2)];
	if (f->known && f->key == key && f->shape.n == shape->n && same_text(&f->shape, shape))
		return f;
	f->key = key;
	f->known = false;
	f->shape.n = shape->n;
	memcpy(f->shape.text, shape->text, (shape->n + 7) / 8 * 8);
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
