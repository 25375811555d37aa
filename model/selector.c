#include "model/selector.h"

#include "base/num.h"
#include "model/columns.h"

#include <math.h>

enum relation { EQUAL, NOT_EQUAL, BELOW, AT_MOST, ABOVE, AT_LEAST };

/* What a key's values are, which decides how they compare. */
enum kind { KIND_ANY, KIND_TEXT, KIND_NUMBER, KIND_VALUE, KIND_SIZE, KIND_TIME };

struct number {
	double value;
	enum unit unit;
	bool is_number;
	bool plain; /* digits only, no unit and no prefix */
};

struct choice {
	struct slice text; /* a glob, when asked for */
	struct number number;
};

struct term {
	struct slice key;
	enum kind kind;
	enum relation relation;
	struct choice *choices;
	size_t n, cap;
	bool numeric; /* some choice is a number */
};

struct selector {
	struct term *terms;
	size_t n, cap;
};

static const double SLACK = 1e-12;

static enum kind kind_of(struct slice key)
{
	static const struct {
		const char *key;
		enum kind kind;
	} known[] = {
		{ "subject", KIND_TEXT }, { "tool", KIND_TEXT }, { "version", KIND_TEXT }, { "test", KIND_TEXT },
		{ "params", KIND_TEXT }, { "metric", KIND_TEXT }, { "stat", KIND_TEXT }, { "unit", KIND_TEXT },
		{ "source", KIND_TEXT }, { "text", KIND_TEXT }, { "time", KIND_TIME }, { "value", KIND_VALUE },
		{ "n", KIND_NUMBER }, { "line", KIND_NUMBER }, { "bs", KIND_SIZE }, { "size", KIND_SIZE },
		{ "block_size", KIND_SIZE }, { "transfer_size", KIND_SIZE }, { "element_size", KIND_SIZE },
	};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (slice_is(key, known[i].key))
			return known[i].kind;
	return KIND_ANY;
}

static struct number number_of(struct slice text, enum kind kind)
{
	struct number n = { .plain = text.n && num_span(text) == text.n };
	struct quantity q;
	const char *error;
	if (kind == KIND_TEXT || kind == KIND_TIME)
		return n;
	/* A size may also be given with its unit spelled out, which wins over what its key expects. */
	n.is_number = (kind == KIND_SIZE && quantity_parse(text, UNIT_B, &q, NULL, &error)) ||
		quantity_parse(text, UNITS, &q, NULL, &error);
	if (n.is_number) {
		n.value = q.value;
		n.unit = n.plain ? UNIT_ONE : q.unit;
	}
	return n;
}

/* Parsing. `rest` always begins where the next byte is to be read. */

struct scanner {
	struct arena *arena;
	struct slice rest;
	const char **error;
};

static bool blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool operator_byte(char c)
{
	return c == '=' || c == '!' || c == '<' || c == '>';
}

/* The text of the term at hand, made printable, for a message. */
static const char *shown(struct scanner *s, const char *start)
{
	struct slice term = { start, (size_t)(s->rest.p + s->rest.n - start) };
	size_t n = 0;
	while (n < term.n && !blank(term.p[n]))
		n++;
	struct buf b = BUF_EMPTY;
	buf_printable(&b, slice_head(term, n < 60 ? n : 60));
	const char *text = arena_string(s->arena, buf_view(&b));
	buf_free(&b);
	return text;
}

static bool take_relation(struct scanner *s, enum relation *relation)
{
	static const struct {
		const char *spelling;
		enum relation relation;
	} known[] = { { "!=", NOT_EQUAL }, { "<=", AT_MOST }, { ">=", AT_LEAST }, { "=", EQUAL }, { "<", BELOW },
		{ ">", ABOVE } };
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (slice_starts(s->rest, known[i].spelling)) {
			s->rest = slice_from(s->rest, strlen(known[i].spelling));
			*relation = known[i].relation;
			return !s->rest.n || !operator_byte(s->rest.p[0]);
		}
	return false;
}

static bool take_quoted(struct scanner *s, struct slice *value)
{
	char *out = arena_alloc(s->arena, s->rest.n + 1);
	size_t n = 0, i = 1;
	for (; i < s->rest.n && s->rest.p[i] != '"'; i++) {
		if (s->rest.p[i] == '\\' && i + 1 < s->rest.n && (s->rest.p[i + 1] == '"' || s->rest.p[i + 1] == '\\'))
			i++;
		out[n++] = s->rest.p[i];
	}
	if (i >= s->rest.n)
		return false;
	s->rest = slice_from(s->rest, i + 1);
	*value = (struct slice){ out, n };
	return true;
}

/* One of the values separated by commas. */
static bool take_value(struct scanner *s, const char *start, struct slice *value)
{
	if (s->rest.n && s->rest.p[0] == '"') {
		if (!take_quoted(s, value)) {
			*s->error = arena_printf(s->arena, "'%s' opens a quote that nothing closes: end the value with \".",
				shown(s, start));
			return false;
		}
	} else {
		size_t n = 0;
		while (n < s->rest.n && !blank(s->rest.p[n]) && s->rest.p[n] != ',' && s->rest.p[n] != '"')
			n++;
		*value = arena_copy(s->arena, slice_head(s->rest, n));
		s->rest = slice_from(s->rest, n);
	}
	if (!s->rest.n || blank(s->rest.p[0]) || s->rest.p[0] == ',')
		return true;
	*s->error = arena_printf(s->arena, "'%s' has a quote in the middle: put the whole value in quotes.", shown(s, start));
	return false;
}

static bool take_choices(struct scanner *s, const char *start, struct term *t)
{
	bool more = true;
	while (more) {
		struct choice *c = ARENA_PUSH(s->arena, t->choices, t->n, t->cap);
		bool quoted = s->rest.n && s->rest.p[0] == '"';
		if (!take_value(s, start, &c->text))
			return false;
		more = s->rest.n && s->rest.p[0] == ',';
		if (c->text.n == 0 && !quoted && (more || t->n > 1)) {
			*s->error = arena_printf(s->arena, "'%s' has a comma with no value beside it: remove it, or write \"\" for the "
				"empty text.", shown(s, start));
			return false;
		}
		if (more)
			s->rest = slice_from(s->rest, 1);
		c->number = number_of(c->text, t->kind);
		t->numeric |= c->number.is_number;
	}
	return true;
}

static bool check_order(struct scanner *s, const char *start, const struct term *t)
{
	if (t->relation == EQUAL || t->relation == NOT_EQUAL)
		return true;
	if (t->n > 1)
		*s->error = arena_printf(s->arena, "'%s' compares with several values: a comma goes with = and != only.",
			shown(s, start));
	else if (t->kind == KIND_TEXT)
		*s->error = arena_printf(s->arena, "'%s' puts text in an order: '%.*s' takes = and != only.", shown(s, start),
			SLICE_ARG(t->key));
	else if (t->kind == KIND_TIME ? !t->choices[0].text.n : !t->choices[0].number.is_number)
		*s->error = arena_printf(s->arena, "'%s' compares with '%.*s', which is no %s.", shown(s, start),
			SLICE_ARG(t->choices[0].text), t->kind == KIND_TIME ? "time: write 2026-11-30 or 2026-11-30T12:00:00Z" :
			"quantity: write a number with its unit, as in value>=113k or latency<100us");
	return !*s->error;
}

static bool take_term(struct scanner *s, struct term *t)
{
	const char *start = s->rest.p;
	size_t n = 0;
	while (n < s->rest.n && !blank(s->rest.p[n]) && !operator_byte(s->rest.p[n]) && s->rest.p[n] != '"')
		n++;
	t->key = arena_copy(s->arena, slice_head(s->rest, n));
	t->kind = kind_of(t->key);
	s->rest = slice_from(s->rest, n);
	if (n == 0)
		*s->error = arena_printf(s->arena, "'%s' has no key: write key=value.", shown(s, start));
	else if (!s->rest.n || blank(s->rest.p[0]) || s->rest.p[0] == '"')
		*s->error = arena_printf(s->arena, "'%s' has no operator: write key=value (or !=, <, <=, >, >=) without blanks "
			"around it; a value with blanks goes in quotes.", shown(s, start));
	else if (!take_relation(s, &t->relation))
		*s->error = arena_printf(s->arena, "'%s' has an operator that is not known: use =, !=, <, <=, > or >=.",
			shown(s, start));
	return !*s->error && take_choices(s, start, t) && check_order(s, start, t);
}

const struct selector *selector_parse(struct arena *a, struct slice text, const char **error)
{
	struct selector *sel = ARENA_NEW(a, struct selector);
	struct scanner s = { .arena = a, .rest = slice_trim(text), .error = error };
	*error = NULL;
	while (s.rest.n) {
		struct term *t = ARENA_PUSH(a, sel->terms, sel->n, sel->cap);
		if (!take_term(&s, t))
			return NULL;
		s.rest = slice_trim(s.rest);
	}
	return sel;
}

/* Matching. */

/* -1, 0, 1; 2 when the two can't be compared. */
static int compare(struct number a, struct number b)
{
	if (!a.is_number || !b.is_number || (a.unit != b.unit && a.unit != UNIT_ONE && b.unit != UNIT_ONE))
		return 2;
	double slack = SLACK * fmax(fabs(a.value), fabs(b.value));
	return fabs(a.value - b.value) <= slack ? 0 : a.value < b.value ? -1 : 1;
}

static bool equals_any(const struct term *t, const struct choice *found)
{
	bool number = t->kind == KIND_NUMBER || t->kind == KIND_VALUE;
	for (size_t i = 0; i < t->n; i++) {
		const struct choice *c = &t->choices[i];
		if (slice_glob(found->text, c->text))
			return true;
		if ((number || !found->number.plain || !c->number.plain) && compare(found->number, c->number) == 0)
			return true;
	}
	return false;
}

static bool in_order(const struct term *t, const struct choice *found)
{
	const struct choice *c = &t->choices[0];
	int order = 2;
	if (t->kind != KIND_TIME) {
		order = compare(found->number, c->number);
	} else if (found->text.n) {
		/* 2026-11 stands for all of that month: what is longer is cut to it. */
		int d = slice_cmp(slice_head(found->text, c->text.n), c->text);
		order = (d > 0) - (d < 0);
	}
	switch (t->relation) {
	case BELOW: return order == -1;
	case AT_MOST: return order <= 0;
	case ABOVE: return order == 1;
	case AT_LEAST: return order == 0 || order == 1;
	default: return false;
	}
}

/* A measured value's unit stands in a column of its own. */
static enum unit unit_of(selector_lookup *lookup, const void *ctx)
{
	struct slice name;
	if (lookup(ctx, SLICE("unit"), &name))
		for (size_t u = 0; u < UNITS; u++)
			if (slice_is(name, unit_name((enum unit)u)))
				return (enum unit)u;
	return UNIT_ONE;
}

static bool term_holds(const struct term *t, selector_lookup *lookup, const void *ctx)
{
	struct choice found = { .text = SLICE("") };
	if (!lookup(ctx, t->key, &found.text))
		found.text = SLICE("");
	if (t->numeric)
		found.number = number_of(found.text, t->kind);
	if (t->kind == KIND_VALUE)
		found.number.unit = unit_of(lookup, ctx);
	if (t->relation == EQUAL)
		return equals_any(t, &found);
	if (t->relation == NOT_EQUAL)
		return !equals_any(t, &found);
	return in_order(t, &found);
}

bool selector_match(const struct selector *s, selector_lookup *lookup, const void *ctx)
{
	for (size_t i = 0; i < s->n; i++)
		if (!term_holds(&s->terms[i], lookup, ctx))
			return false;
	return true;
}

bool result_view_lookup(const void *ctx, struct slice key, struct slice *value)
{
	const struct result_view *v = ctx;
	for (size_t i = 0; i < RESULT_COLUMNS; i++)
		if (slice_is(key, result_column_names[i])) {
			*value = result_column(v->scratch, v->run, v->result, (enum result_column)i);
			return true;
		}
	const struct params places[] = { v->result->params, v->result->job ? v->result->job->params : (struct params){ 0 },
		v->run->attrs, v->run->suite ? v->run->suite->attrs : (struct params){ 0 } };
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		const struct param *p = params_find_slice(places[i], key);
		if (p) {
			*value = p->value;
			return true;
		}
	}
	return false;
}
