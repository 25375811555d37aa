#include "parsers/starts.h"

#include "parsers/rejoin.h"
#include "parsers/rules_table.h"

#include <stdlib.h>

enum { STARTS_MAX = 192, WORDS = STARTS_MAX / 64 };

struct set {
	uint64_t bits[WORDS];
};

struct starts {
	unsigned n;
	const struct parser *parser[STARTS_MAX];
	unsigned place[STARTS_MAX]; /* the parser's, in the registry */
	struct regex *regex[STARTS_MAX];
	struct set inside;          /* rules that may begin in the middle of a line */
	struct set first[256];      /* rules by first byte */
	bool word[256];             /* a rule of `inside` has this first byte */
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
	regex_first_bytes(regex, first);
	uint64_t bit = UINT64_C(1) << k % 64;
	bool inside = rule->flags & RULE_INSIDE;
	s->inside.bits[k / 64] |= inside ? bit : 0;
	for (unsigned b = 0; b < 256; b++) {
		s->first[b].bits[k / 64] |= first[b] ? bit : 0;
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

/* The first of these rules that can begin here, from k on; s->n: none. */
static unsigned next_rule(const struct starts *s, unsigned k, struct slice line, size_t from, bool inside)
{
	const struct set *first = &s->first[(unsigned char)line.p[from]];
	for (unsigned w = k / 64; w < WORDS; w++) {
		uint64_t rules = first->bits[w] & (inside ? s->inside.bits[w] : ~UINT64_C(0));
		if (w == k / 64)
			rules &= ~UINT64_C(0) << k % 64;
		if (rules)
			return w * 64 + (unsigned)__builtin_ctzll(rules);
	}
	return s->n;
}

static bool is_other(const struct parser *parser, const struct parser *except)
{
	bool rows = except && !except->rules && !parser->rules; /* both of what stands on rows of its own */
	return !except || (parser != except && (rows || strcmp(parser->tool, except->tool) != 0));
}

/* Number of the next start that matches here, from k on; s->n: none. */
static unsigned next_match(const struct starts *s, unsigned k, struct slice line, size_t from, bool inside,
	const struct parser *except, struct slice groups[REGEX_GROUPS])
{
	for (; (k = next_rule(s, k, line, from, inside)) < s->n; k++)
		if (is_other(s->parser[k], except) && regex_match(s->regex[k], line, from, groups))
			break;
	return k;
}

/* The next place in the line where a word begins that a start could begin with. */
static size_t next_word(const struct starts *s, struct slice line, size_t from, size_t to)
{
	bool every = line.n > RULES_FLAT_LINE;
	for (size_t i = from + 1; i < to; i++)
		if (rules_edge(line.p[i - 1]) && (every || s->word[(unsigned char)line.p[i]]))
			return i;
	return to;
}

const struct parser *starts_find(const struct starts *s, struct slice line, size_t from, size_t to, bool inside,
	const struct parser *except, size_t *at)
{
	struct slice groups[REGEX_GROUPS];
	bool every = line.n > RULES_FLAT_LINE;
	for (size_t i = from; i < to; i = next_word(s, line, i, to)) {
		unsigned k = next_match(s, 0, line, i, inside && !every, except, groups);
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
	for (unsigned w = 0; w < WORDS; w++)
		if (s->first[first].bits[w])
			return true;
	return false;
}

bool starts_begin(const struct starts *s, struct slice line)
{
	struct slice groups[REGEX_GROUPS];
	return line.n && next_match(s, 0, line, 0, false, NULL, groups) < s->n;
}

bool starts_begin_rows(const struct starts *s, struct slice line)
{
	struct slice groups[REGEX_GROUPS];
	unsigned k = line.n ? next_match(s, 0, line, 0, false, NULL, groups) : s->n;
	while (k < s->n && !s->parser[k]->starts)
		k = next_match(s, k + 1, line, 0, false, NULL, groups);
	return k < s->n;
}

bool starts_add(const struct starts *s, struct slice line, size_t joint, bool inside)
{
	bool every = line.n > RULES_FLAT_LINE;
	for (size_t i = 0; i < joint; i = next_word(s, line, i, joint))
		for (unsigned k = 0; (k = next_rule(s, k, line, i, i > 0 && !every)) < s->n; k++)
			if (rejoin_adds(s->regex[k], line, i, joint, inside))
				return true;
	return false;
}

void starts_bids(const struct starts *s, struct slice head, int *bids)
{
	struct slice groups[REGEX_GROUPS];
	struct arena arena = ARENA_EMPTY;
	struct source source = source_of("", head);
	struct rejoin text = rejoin_of(text_of(&source, &arena, true), NULL, s);
	while (rejoin_next(&text, NULL)) {
		struct slice line = text.line->line;
		bool every = line.n > RULES_FLAT_LINE, inside = false;
		for (size_t i = 0; i < line.n; i = next_word(s, line, i, line.n)) {
			for (unsigned k = 0; (k = next_match(s, k, line, i, inside && !every, NULL, groups)) < s->n; k++) {
				int bid = 8 * (int)(groups[0].n < STARTS_BID / 8 ? groups[0].n : STARTS_BID / 8);
				if (bids[s->place[k]] < bid)
					bids[s->place[k]] = bid;
			}
			inside = true;
		}
	}
	arena_free(&arena);
}
