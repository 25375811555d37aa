/* rules_table: a rule set compiled; only for rules*.c, rejoin.c and starts.c. */
#ifndef PARSERS_RULES_TABLE_H
#define PARSERS_RULES_TABLE_H

#include "parsers/rules.h"
#include "parsers/shapes.h"

struct compiled {
	struct compiled *next;
	const struct ruleset *set;
	unsigned n;
	const struct rule *rule[RULES_MAX]; /* in the order in which they are tried, as all that follows */
	struct regex *regex[RULES_MAX];
	struct shapes *shapes; /* NULL: some pattern tells digits apart */
	uint8_t fields[RULES_MAX]; /* how many; 0 also where all are for the action alone */
	uint8_t group[RULES_MAX][RULES_FIELDS], unit_group[RULES_MAX][RULES_FIELDS]; /* numbers in the pattern, 0: none */
	const struct unit_scale *scale[RULES_MAX][RULES_FIELDS]; /* of the last number of each field: mostly of the next, too */
	/* Sets of rules, a bit each: by first byte of the text, by section, and those with RULE_INSIDE. */
	uint64_t first[256], live[RULES_SECTIONS], inside;
};

struct starts;

struct rule_cache {
	bool reversed;
	struct compiled *list;
	struct starts *starts; /* or NULL: not asked for so far */
};

void starts_free(struct starts *s);

/* From the cache, or compiled into it; NULL and what is wrong with the table. */
struct compiled *rules_compiled(struct rule_cache *c, const struct ruleset *set, char *error, size_t size);
/* The table that is at work. */
const struct compiled *rules_table_of(const struct rules *r);
/* A spelling of the set's dialect, or NULL. */
const struct unit_scale *rules_scale(const struct ruleset *set, struct slice spelling);
/* What stands before a word: a blank, or Markdown's marks of code and of table cells. */
static inline bool rules_edge(char c)
{
	return c == ' ' || c == '\t' || c == '`' || c == '|';
}
static inline bool rules_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Whether a word begins here; something stands before it. */
static inline bool rules_word(const char *p)
{
	return rules_edge(p[-1]) && !rules_blank(p[0]);
}

/* Place of a section's bit. */
unsigned rules_section(unsigned section);

#endif
