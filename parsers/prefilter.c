#include "parsers/prefilter.h"

#include "base/arena.h"

#include <stdlib.h>

enum { PLACES_LOG2 = 10, PLACES = 1 << PLACES_LOG2 };

/* Where a pattern is tried: at the start of a line, at the start of what is read like a line of its own, at a word. */
enum where { LINE, REST, WORD, WHERES };

struct remembered {
	uint64_t bytes; /* 0: nothing */
	struct pattern_set set;
};

struct prefilter {
	unsigned n;
	const struct regex *pattern[PREFILTER_MAX];
	struct pattern_set inside;
	struct pattern_set first[256];
	struct remembered places[WHERES][PLACES];
};

struct prefilter *prefilter_new(void)
{
	return mem_zeroed(sizeof(struct prefilter));
}

void prefilter_free(struct prefilter *f)
{
	free(f);
}

void prefilter_add(struct prefilter *f, const struct regex *pattern, bool inside)
{
	bool first[256];
	unsigned k = f->n++;
	f->pattern[k] = pattern;
	regex_first_bytes(pattern, first);
	for (unsigned b = 0; b < 256; b++)
		f->first[b].bits[k / 64] |= (uint64_t)first[b] << k % 64;
	f->inside.bits[k / 64] |= (uint64_t)inside << k % 64;
}

const struct pattern_set *prefilter_first(const struct prefilter *f, unsigned char byte)
{
	return &f->first[byte];
}

/* Whether the pattern can match a text that begins with these bytes, or that they are the whole rest of. */
static bool may_match(const struct regex *pattern, struct slice text, size_t from)
{
	return text.n < from + PREFILTER_BYTES ? regex_find(pattern, text, from) != NULL : regex_may_match(pattern, text, from);
}

static bool may_match_at(const struct regex *pattern, struct slice bytes, enum where where)
{
	char text[1 + PREFILTER_BYTES];
	struct slice whole = { text, 1 + bytes.n };
	if (where == LINE)
		return may_match(pattern, bytes, 0);
	/* It may ask whether a word begins (\b): what stood before is not remembered. */
	memcpy(text + 1, bytes.p, bytes.n);
	text[0] = ' ';
	if (may_match(pattern, whole, 1))
		return true;
	text[0] = 'a';
	return may_match(pattern, whole, 1);
}

static void find(const struct prefilter *f, struct slice bytes, enum where where, struct pattern_set *set)
{
	*set = f->first[(unsigned char)bytes.p[0]];
	for (unsigned w = 0; w < PREFILTER_WORDS; w++) {
		if (where == WORD)
			set->bits[w] &= f->inside.bits[w];
		for (uint64_t left = set->bits[w]; left; left &= left - 1)
			if (!may_match_at(f->pattern[w * 64 + (unsigned)__builtin_ctzll(left)], bytes, where))
				set->bits[w] &= ~(left & -left);
	}
}

const struct pattern_set *prefilter_at(struct prefilter *f, struct slice line, size_t from, bool inside)
{
	struct slice bytes = slice_head(slice_from(line, from), PREFILTER_BYTES);
	uint64_t key = 0;
	memcpy(&key, bytes.p, bytes.n);
	/* Fibonacci hashing: the upper bits of a product depend on all bits of the number. */
	size_t place = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - PLACES_LOG2));
	enum where where = inside ? WORD : from ? REST : LINE;
	struct remembered *r = &f->places[where][place];
	if (r->bytes != key) {
		r->bytes = key;
		find(f, bytes, where, &r->set);
	}
	return &r->set;
}
