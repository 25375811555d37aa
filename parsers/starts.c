#include "parsers/starts.h"

#include "parsers/rejoin.h"
#include "parsers/rules_table.h"

#include <stdlib.h>

enum { WORDS = STARTS_MAX / 64 };

struct starts {
	unsigned n;
	const struct parser *parser[STARTS_MAX];
	unsigned place[STARTS_MAX]; /* the parser's, in the registry */
	struct regex *regex[STARTS_MAX];
	struct start_set inside;     /* those that may begin in the middle of a line */
	struct start_set first[256]; /* by first byte */
	bool word[256]; /* a rule that may begin in the middle of a line has this first byte */
};

static void add(struct starts *s, unsigned place, const struct rule *rule)
{
	char error[160];
	bool first[256];
	struct regex *regex = s->n < STARTS_MAX ? regex_compile(rule->pattern, error, sizeof error) : NULL;
	if (!regex)
		return;
	unsigned k = s->n++;
	s->parser[k] = parsers[place];
	s->place[k] = place;
	s->regex[k] = regex;
	bool inside = rule->flags & RULE_INSIDE;
	s->inside.bits[k / 64] |= (uint64_t)inside << k % 64;
	regex_first_bytes(regex, first);
	for (unsigned b = 0; b < 256; b++) {
		s->first[b].bits[k / 64] |= (uint64_t)first[b] << k % 64;
		s->word[b] |= first[b] && inside;
	}
}

const struct starts *starts_of(struct rule_cache *cache)
{
	if (cache->starts)
		return cache->starts;
	struct starts *s = mem_alloc(sizeof *s);
	*s = (struct starts){ .n = 0 };
	for (unsigned i = 0; parsers[i]; i++) {
		for (const struct rule *rule = parsers[i]->rules ? parsers[i]->rules->rules : NULL; rule && rule->id; rule++)
			if (rule->flags & RULE_START)
				add(s, i, rule);
		for (const struct rule *rule = parsers[i]->starts; rule && rule->id; rule++)
			add(s, i, rule);
	}
	return cache->starts = s;
}

void starts_free(struct starts *s)
{
	for (unsigned k = 0; s && k < s->n; k++)
		regex_free(s->regex[k]);
	free(s);
}

static bool is_other(const struct parser *parser, const struct parser *except)
{
	bool rows = !except->rules && !parser->rules; /* both of what stands on rows of its own */
	rows |= parser->rules && parser->starts && !except->starts;
	return parser != except && (rows || strcmp(parser->tool, except->tool) != 0);
}

struct start_set starts_others(const struct starts *s, const struct parser *except)
{
	struct start_set others = { { 0 } };
	for (unsigned k = 0; k < s->n; k++)
		if (!except || is_other(s->parser[k], except))
			others.bits[k / 64] |= UINT64_C(1) << k % 64;
	return others;
}

/* Those of `among` (NULL: all) that may match here. */
static struct start_set candidates(const struct starts *s, struct slice line, size_t from, bool inside,
	const struct start_set *among)
{
	struct start_set set = s->first[(unsigned char)line.p[from]];
	for (unsigned w = 0; w < WORDS; w++)
		set.bits[w] &= (inside ? s->inside.bits[w] : ~UINT64_C(0)) & (among ? among->bits[w] : ~UINT64_C(0));
	return set;
}

/* Takes the first out of the set and returns it; s->n: the set was empty. */
static unsigned take_first(const struct starts *s, struct start_set *set)
{
	for (unsigned w = 0; w < WORDS; w++) {
		if (set->bits[w]) {
			unsigned k = w * 64 + (unsigned)__builtin_ctzll(set->bits[w]);
			set->bits[w] &= set->bits[w] - 1;
			return k;
		}
	}
	return s->n;
}

/* Takes the first start out of the set that matches here, and those before it; s->n: none. */
static unsigned next_match(const struct starts *s, struct start_set *set, struct slice line, size_t from, size_t *end)
{
	unsigned k;
	const size_t *at = NULL;
	while (!at && (k = take_first(s, set)) < s->n)
		at = regex_find(s->regex[k], line, from);
	*end = at ? at[1] : from;
	return at ? k : s->n;
}

/* The next place in the line where a word begins that a start could begin with. */
static size_t next_word(const struct starts *s, struct slice line, size_t from, size_t to)
{
	bool every = line.n > RULES_FLAT_LINE;
	for (size_t i = from + 1; i < to; i++)
		if (rules_word(line.p + i) && (every || s->word[(unsigned char)line.p[i]]))
			return i;
	return to;
}

const struct parser *starts_find(const struct starts *s, struct slice line, size_t from, size_t to, bool inside,
	const struct start_set *among, size_t *at)
{
	size_t end;
	bool every = line.n > RULES_FLAT_LINE;
	for (size_t i = from; i < to; i = next_word(s, line, i, to)) {
		struct start_set set = candidates(s, line, i, inside && !every, among);
		unsigned k = next_match(s, &set, line, i, &end);
		if (k < s->n) {
			*at = i;
			return s->parser[k];
		}
		inside = true;
	}
	return NULL;
}

bool starts_may_begin(const struct starts *s, unsigned char first)
{
	const struct start_set *set = &s->first[first];
	for (unsigned w = 0; w < WORDS; w++)
		if (set->bits[w])
			return true;
	return false;
}

bool starts_begin(const struct starts *s, struct slice line)
{
	size_t end;
	if (!line.n)
		return false;
	struct start_set set = candidates(s, line, 0, false, NULL);
	return next_match(s, &set, line, 0, &end) < s->n;
}

bool starts_begin_rows(const struct starts *s, struct slice line)
{
	size_t end;
	if (!line.n)
		return false;
	struct start_set set = candidates(s, line, 0, false, NULL);
	for (unsigned k; (k = next_match(s, &set, line, 0, &end)) < s->n;)
		if (s->parser[k]->starts)
			return true;
	return false;
}

bool starts_add(const struct starts *s, struct slice line, size_t joint, bool inside)
{
	bool every = line.n > RULES_FLAT_LINE;
	for (size_t i = 0; i < joint; i = next_word(s, line, i, joint)) {
		struct start_set set = candidates(s, line, i, i > 0 && !every, NULL);
		for (unsigned k; (k = take_first(s, &set)) < s->n;)
			if (rejoin_adds(s->regex[k], line, i, joint, inside))
				return true;
	}
	return false;
}

void starts_bids(const struct starts *s, struct slice head, int *bids)
{
	struct arena arena = ARENA_EMPTY;
	struct source source = source_of("", head);
	struct rejoin text = rejoin_of(text_of(&source, &arena, true), s);
	while (rejoin_next(&text, NULL)) {
		struct slice line = text.line->line;
		bool every = line.n > RULES_FLAT_LINE, inside = false;
		for (size_t i = 0; i < line.n; i = next_word(s, line, i, line.n)) {
			struct start_set set = candidates(s, line, i, inside && !every, NULL);
			size_t end;
			for (unsigned k; (k = next_match(s, &set, line, i, &end)) < s->n;) {
				int bid = 8 * (int)(end - i < STARTS_BID / 8 ? end - i : STARTS_BID / 8);
				if (bids[s->place[k]] < bid)
					bids[s->place[k]] = bid;
			}
			inside = true;
		}
	}
	arena_free(&arena);
}
