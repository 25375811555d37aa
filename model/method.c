#include "model/method.h"

#include "base/num.h"
#include "model/method_look.h"

#include <stdlib.h>

enum { MAX_JOBS = 4096 };

static size_t add_job(const struct job **jobs, size_t n, size_t max, const struct job *job)
{
	if (!job || n == max || (n > 0 && jobs[n - 1] == job))
		return n;
	jobs[n] = job;
	return n + 1;
}

size_t method_jobs(const struct judgement *j, const struct job **jobs, size_t max)
{
	size_t n = 0;
	for (size_t i = 0; i < j->n_parts; i++)
		n = add_job(jobs, n, max, j->parts[i]->job);
	if (n == 0 && j->result)
		n = add_job(jobs, n, max, j->result->job);
	for (size_t i = 0; !j->result && j->series && i < j->series->n; i++)
		n = add_job(jobs, n, max, j->series->points[i].job);
	return n;
}

bool method_compare(struct slice found, enum quantity_op op, struct slice wanted)
{
	struct quantity a = { 0 }, b = { 0 };
	const char *error;
	if (op == OP_EQ && slice_glob(found, wanted))
		return true;
	bool plain = quantity_parse(found, UNITS, &a, NULL, &error) && quantity_parse(wanted, UNITS, &b, NULL, &error);
	if (plain && a.unit != b.unit && a.unit != UNIT_ONE && b.unit != UNIT_ONE)
		return false;
	struct quantity size = { 0 };
	switch (op) {
	case OP_EQ:
		return (plain && a.value == b.value) ||
		       (num_double(found, &a.value) == NUM_OK && quantity_parse(wanted, UNIT_B, &size, NULL, &error) &&
			a.value == size.value);
	case OP_LT: return plain && a.value < b.value;
	case OP_LE: return plain && a.value <= b.value;
	case OP_GE: return plain && a.value >= b.value;
	case OP_GT: return plain && a.value > b.value;
	case OP_NONE: return found.n > 0 && !slice_is(found, "0");
	}
	return false;
}

static const char *ask_text(struct arena *a, const struct sla_require *r)
{
	static const char *const sign[] = { [OP_NONE] = "", [OP_LT] = "< ", [OP_LE] = "≤ ", [OP_EQ] = "", [OP_GE] = "≥ ",
		[OP_GT] = "> " };
	if (r->op == OP_NONE)
		return "yes";
	return arena_printf(a, "%s%.*s", sign[r->op], SLICE_ARG(r->value));
}

static void add(struct judgement *j, const char *name, const char *wanted, bool required, struct finding f)
{
	struct condition *c = &j->conditions[j->n_conditions++];
	*c = (struct condition){ .name = name, .wanted = wanted, .found = f.found, .holds = f.holds, .required = required,
		.pos = f.pos, .note = f.note };
	if (!required)
		return;
	/* What must hold but can't be told from this kind of source is said, and is the verdict's business. */
	j->n_required++;
	j->n_held += f.holds == HOLDS_YES;
}

static const struct sla_require *asked(const struct sla *sla, const char *key)
{
	for (size_t i = 0; i < sla->n_require; i++)
		if (slice_is(sla->require[i].key, key))
			return &sla->require[i];
	return NULL;
}

/* A rule over several jobs: what is said of the first that it concerns, and of how many. */
struct applied {
	struct finding first;
	size_t n, of;
};

static void apply(struct run_facts *r, const struct rule *rule, const struct facts *f, struct applied *a)
{
	a->of++;
	a->n += rule->look(r, f, a->n ? NULL : &a->first);
}

/* One line for each rule that concerns a job; for failed jobs also when there are none. */
static void check_rules(struct look *l, struct judgement *j)
{
	struct applied applied[RULES] = { { .n = 0 } };
	struct run_facts facts = { .run = NULL };
	bool concerns[] = { [ALL_FIGURES] = true, [SINGLE_FIGURES] = !j->series || j->series->kind != SERIES_ROUNDS,
		[LATENCIES] = j->sla->metric == METRIC_LATENCY || j->sla->metric == METRIC_COMPLETION_LATENCY };
	for (size_t i = 0; i < l->n_jobs; i++) {
		if (l->jobs[i]->run != facts.run)
			facts = facts_of(l->arena, l->jobs[i]->run);
		for (size_t k = 0; k < RULES; k++)
			if (method_rules[k].audit != AUDIT_LOOKS && concerns[method_rules[k].concerns])
				apply(&facts, &method_rules[k], &facts.jobs[l->jobs[i]->ordinal], &applied[k]);
	}
	for (size_t k = 0; k < RULES; k++) {
		const struct rule *rule = &method_rules[k];
		struct applied *a = &applied[k];
		bool refuses = rule->audit == AUDIT_REFUSES;
		if (a->n == 0 && k == 0 && a->of)
			a->first = (struct finding){ HOLDS_YES, arena_printf(l->arena, "0 of %zu", a->of), l->jobs[0]->pos, NULL };
		else if (a->n == 0)
			continue;
		if (a->n && !rule->of_several && (a->n < a->of || (refuses && a->of > 1)))
			a->first.found = arena_printf(l->arena, "%s, in %zu of %zu jobs", a->first.found, a->n, a->of);
		if (a->n && refuses)
			a->first.holds = HOLDS_NO;
		add(j, rule->name, rule->wanted, refuses, a->first);
	}
}

void method_check(struct arena *a, struct judgement *j)
{
	const struct sla *sla = j->sla;
	struct look l = { .arena = a, .j = j, .jobs = ARENA_ARRAY(a, MAX_JOBS, const struct job *) };
	l.n_jobs = method_jobs(j, l.jobs, MAX_JOBS);
	j->conditions = ARENA_ARRAY(a, CHECKS + RULES + sla->n_require, struct condition);
	j->n_conditions = j->n_required = j->n_held = 0;
	for (size_t i = 0; i < CHECKS; i++) {
		const struct check *c = &method_checks[i];
		const struct sla_require *r = asked(sla, c->key);
		l.ask = r && r->op != OP_NONE ? *r : (struct sla_require){ .op = OP_NONE };
		struct finding f = c->look(&l);
		/* Nobody asked and nothing is known: no line for it. */
		if (!r && !*c->wanted && f.holds == HOLDS_NOT_SHOWN && !f.note)
			continue;
		bool required = r || (c->always && f.holds != HOLDS_NOT_SHOWN);
		add(j, c->name, r && r->op != OP_NONE ? ask_text(a, r) : c->wanted, required, f);
	}
	for (size_t i = 0; i < sla->n_require; i++) {
		const struct sla_require *r = &sla->require[i];
		bool known = slice_is(r->key, "steady");
		for (size_t k = 0; k < CHECKS; k++)
			known |= slice_is(r->key, method_checks[k].key);
		if (known)
			continue;
		l.ask = *r;
		add(j, arena_string(a, r->key), ask_text(a, r), true, look_option(&l, arena_string(a, r->key), NULL));
	}
	check_rules(&l, j);
}

void method_remarks(struct diags *diags, const struct run *run)
{
	static const enum severity severity[] = { [SAID_NOTE] = DIAG_NOTE, [SAID_WARNING] = DIAG_WARNING };
	struct arena scratch = ARENA_EMPTY;
	struct applied applied[RULES] = { { .n = 0 } };
	if ((!slice_is(run->tool, "fio") && !slice_is(run->tool, "assay-load")) || run->n_jobs == 0)
		return;
	struct run_facts facts = facts_of(&scratch, run);
	for (size_t i = 0; i < facts.n; i++)
		for (size_t k = 0; k < RULES; k++)
			if (method_rules[k].said == SAID_WARNING || (method_rules[k].said == SAID_NOTE && diags->least == DIAG_NOTE))
				apply(&facts, &method_rules[k], &facts.jobs[i], &applied[k]);
	for (size_t k = 0; k < RULES; k++) {
		const struct finding *f = &applied[k].first;
		if (applied[k].n == 0)
			continue;
		const char *more = applied[k].n > 1 ? arena_printf(&scratch, " (so in %zu of %zu jobs, here first)", applied[k].n,
			applied[k].of) : "";
		diag_add(diags, severity[method_rules[k].said], f->pos, "%s: %s%s. %s", method_rules[k].name, f->found, more,
			f->note ? f->note : "");
	}
	arena_free(&scratch);
}
