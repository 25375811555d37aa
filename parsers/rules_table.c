/* Rule tables made ready for matching. */
#include "parsers/rules_table.h"

#include <stdio.h>
#include <stdlib.h>

struct rule_cache *rule_cache_new(void)
{
	struct rule_cache *c = mem_alloc(sizeof *c);
	*c = (struct rule_cache){ .list = NULL };
	return c;
}

void rule_cache_reverse(struct rule_cache *c)
{
	c->reversed = true;
}

static void compiled_free(struct compiled *t)
{
	for (unsigned k = 0; k < RULES_MAX; k++)
		regex_free(t->regex[k]);
	shapes_free(t->shapes);
	free(t);
}

void rule_cache_free(struct rule_cache *c)
{
	while (c && c->list) {
		struct compiled *t = c->list;
		c->list = t->next;
		compiled_free(t);
	}
	if (c)
		starts_free(c->starts);
	free(c);
}

const struct unit_scale *rules_scale(const struct ruleset *set, struct slice spelling)
{
	return set->dialect ? unit_find(set->dialect, spelling) : NULL;
}

static bool compile_fields(struct compiled *t, unsigned k, char *error, size_t size)
{
	const struct rule *rule = t->rule[k];
	unsigned n = 0;
	bool gives = false;
	for (unsigned i = 0; rule->fields && rule->fields[i].as != FIELD_END; i++, n++) {
		const struct rule_field *f = &rule->fields[i];
		gives |= f->as != FIELD_KEEP;
		const char *wrong = NULL;
		if (i >= RULES_FIELDS)
			wrong = "too many fields";
		else if (f->group && !(t->group[k][i] = (uint8_t)regex_group(t->regex[k], f->group)))
			wrong = "no such group";
		else if (f->unit_group && !(t->unit_group[k][i] = (uint8_t)regex_group(t->regex[k], f->unit_group)))
			wrong = "no such unit group";
		else if (f->unit && !rules_scale(t->set, slice_of(f->unit)))
			wrong = "unit not in the dialect";
		if (wrong) {
			snprintf(error, size, "rule %s, field %u (%s): %s", rule->id, i, f->group ? f->group : "constant", wrong);
			return false;
		}
	}
	t->fields[k] = (uint8_t)(gives ? n : 0);
	return true;
}

static bool compile_rule(struct compiled *t, unsigned k, char *error, size_t size)
{
	const struct rule *rule = t->rule[k];
	char wrong[160];
	t->regex[k] = regex_compile(rule->pattern, wrong, sizeof wrong);
	if (!t->regex[k]) {
		snprintf(error, size, "rule %s: the pattern %s", rule->id, wrong);
		return false;
	}
	bool first[256];
	regex_first_bytes(t->regex[k], first);
	uint64_t bit = UINT64_C(1) << k;
	for (unsigned b = 0; b < 256; b++)
		t->first[b] |= first[b] ? bit : 0;
	for (unsigned s = 0; s < RULES_SECTIONS; s++)
		t->live[s] |= rule->in == 0 || rule->in >> s & 1 ? bit : 0;
	t->inside |= rule->flags & RULE_INSIDE ? bit : 0;
	return compile_fields(t, k, error, size);
}

/* NULL and what is wrong with the table. */
static struct compiled *compile(const struct ruleset *set, bool reversed, char *error, size_t size)
{
	struct compiled *t = mem_alloc(sizeof *t);
	*t = (struct compiled){ .set = set };
	while (set->rules[t->n].id && t->n < RULES_MAX)
		t->n++;
	bool good = !set->rules[t->n].id;
	if (!good)
		snprintf(error, size, "more than %d rules", RULES_MAX);
	for (unsigned k = 0; good && k < t->n; k++) {
		t->rule[k] = &set->rules[reversed ? t->n - 1 - k : k];
		good = compile_rule(t, k, error, size);
	}
	bool fit = true;
	for (unsigned k = 0; good && k < t->n; k++)
		fit &= shapes_fit(t->rule[k]->pattern);
	t->shapes = fit ? shapes_new() : NULL;
	if (good)
		return t;
	compiled_free(t);
	return NULL;
}

struct compiled *rules_compiled(struct rule_cache *c, const struct ruleset *set, char *error, size_t size)
{
	for (struct compiled *t = c->list; t; t = t->next)
		if (t->set == set)
			return t;
	struct compiled *t = compile(set, c->reversed, error, size);
	if (t) {
		t->next = c->list;
		c->list = t;
	}
	return t;
}

bool rules_check(const struct ruleset *set, char *error, size_t size)
{
	struct compiled *t = compile(set, false, error, size);
	if (t)
		compiled_free(t);
	return t != NULL;
}

unsigned rules_section(unsigned section)
{
	return section ? (unsigned)__builtin_ctz(section) % RULES_SECTIONS : 0;
}

int rules_match(const struct ruleset *set, unsigned section, struct slice line)
{
	char error[256];
	struct slice groups[REGEX_GROUPS];
	struct compiled *t = compile(set, false, error, sizeof error);
	int found = -1;
	for (unsigned k = 0; t && k < t->n && found < 0; k++)
		if (t->live[rules_section(section)] >> k & 1 && regex_match(t->regex[k], line, 0, groups))
			found = (int)k;
	if (t)
		compiled_free(t);
	return found;
}
