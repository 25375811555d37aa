#include "model/sla.h"

#include "base/num.h"
#include "model/method.h"
#include "model/sla_figures.h"

#include <math.h>
#include <stdlib.h>

enum { RUNS_FOR_INTERVAL = 3 }; /* from so many runs on, they are judged together by the spread of their means */

const char *verdict_name(enum verdict v)
{
	static const char *const name[VERDICTS] = {
		[VERDICT_PASS] = "PASS", [VERDICT_FAIL] = "FAIL", [VERDICT_INCONCLUSIVE] = "INCONCLUSIVE",
		[VERDICT_NOT_COMPARABLE] = "NOT-COMPARABLE", [VERDICT_NO_DATA] = "NO-DATA",
	};
	return name[v];
}

/* "VM.DenseIO.E4.Flex with 8 OCPUs": the name and the number. */
static bool split_flexible(struct slice shape, struct slice *name, struct slice *ocpus)
{
	size_t at = slice_find(shape, SLICE(" with "));
	if (at == (size_t)-1)
		return false;
	*name = slice_trim(slice_head(shape, at));
	struct slice rest = slice_trim(slice_from(shape, at + 6));
	size_t digits = 0;
	while (digits < rest.n && rest.p[digits] >= '0' && rest.p[digits] <= '9')
		digits++;
	*ocpus = slice_head(rest, digits);
	return digits > 0 && slice_starts(slice_trim(slice_from(rest, digits)), "OCPU");
}

bool sla_shape_matches(struct slice shape, struct slice subject, const struct run *run)
{
	struct slice name, ocpus;
	if (slice_eq_nocase(shape, subject))
		return true;
	if (!split_flexible(shape, &name, &ocpus))
		return false;
	struct slice head = slice_head(subject, name.n), tail = slice_from(subject, name.n);
	if (!slice_eq_nocase(head, name))
		return false;
	if (tail.n)
		return (tail.p[0] == '.' || tail.p[0] == '-' || tail.p[0] == ':') && slice_eq(slice_from(tail, 1), ocpus);
	const struct param *p = run ? params_find(run->attrs, "ocpus") : NULL;
	return p && slice_eq(p->value, ocpus);
}

static const char *show(struct arena *a, double v, enum unit u)
{
	char text[48];
	quantity_show(text, sizeof text, v, u, 4);
	return arena_printf(a, "%s%s", text, u == UNIT_PER_S ? " IOPS" : "");
}

/* Rounds judged together must have been measured: their values. */
static double *values_of(struct arena *a, const struct series *s)
{
	double *y = ARENA_ARRAY(a, s->n + 1, double);
	for (size_t i = 0; i < s->n; i++)
		y[i] = s->points[i].value;
	return y;
}

static bool meets(double value, const struct sla_row *row)
{
	switch (row->op) {
	case OP_LT: return value < row->limit.value;
	case OP_LE: return value <= row->limit.value;
	case OP_GT: return value > row->limit.value;
	default: return value >= row->limit.value;
	}
}

static bool is_maximum(const struct sla_row *row)
{
	return row->op == OP_LT || row->op == OP_LE;
}

/* PASS or FAIL only where the whole interval lies on one side of the limit. */
static enum verdict judge_bound(const struct bound *b, const struct sla_row *row)
{
	double near = is_maximum(row) ? b->upper : b->lower, far = is_maximum(row) ? b->lower : b->upper;
	if (isnan(near) || isnan(far))
		return VERDICT_INCONCLUSIVE;
	return meets(near, row) ? VERDICT_PASS : !meets(far, row) ? VERDICT_FAIL : VERDICT_INCONCLUSIVE;
}

/* Broken conditions, or else what is required but not shown, as a sentence; NULL when all hold. */
static const char *broken_conditions(struct arena *a, const struct judgement *j, bool *broken)
{
	struct buf b = BUF_EMPTY;
	size_t any = 0;
	for (size_t i = 0; i < j->n_conditions; i++)
		any += j->conditions[i].required && j->conditions[i].holds == HOLDS_NO;
	const char *head = any > 1 ? arena_printf(a, "%zu conditions don't hold", any) :
		any ? "One condition doesn't hold" : "The method can't be checked";
	for (size_t i = 0; i < j->n_conditions; i++) {
		const struct condition *c = &j->conditions[i];
		if (!c->required || c->holds != (any ? HOLDS_NO : HOLDS_NOT_SHOWN))
			continue;
		buf_printf(&b, "%s%s: %s", b.n ? "; " : "", c->name, c->found);
		if (c->holds == HOLDS_NO && *c->wanted && !slice_is(slice_of(c->wanted), "yes"))
			buf_printf(&b, " instead of %s", c->wanted);
		if (c->pos.source && c->pos.line)
			buf_printf(&b, " (%s:%u)", c->pos.source->name, c->pos.line);
		struct slice note = slice_of(c->note); /* its full stop would end the sentence */
		if (note.n)
			buf_printf(&b, " – %.*s", (int)(note.n - slice_ends(note, ".")), note.p);
	}
	const char *text = b.n ? arena_printf(a, "%s: %.*s.", head, SLICE_ARG(buf_view(&b))) : NULL;
	buf_free(&b);
	*broken = any > 0;
	return text;
}

static const char *not_steady(struct arena *a, const struct judgement *j)
{
	const struct steady *s = &j->steady;
	const struct steady_window *w = &s->last;
	if (!j->has_steady)
		return "Steady state is not shown: there is one figure, and neither rounds nor samples over time.";
	if (s->doubts & STEADY_TOO_SHORT)
		return arena_printf(a, "Steady state can't be judged: %zu value%s, the rule asks for %zu.", j->series->n,
			j->series->n == 1 ? "" : "s", s->rule->window);
	if (!s->steady)
		return arena_printf(a, "Steady state was not reached: in the last window the values range over %.1f %% of their mean "
			"(allowed %.0f %%) and the fitted line moves by %.1f %% (allowed %.0f %%).",
			100 * w->data_excursion / w->mean, 100 * s->rule->range, 100 * fabs(w->slope_excursion) / w->mean,
			100 * s->rule->rise);
	if (s->doubts & (STEADY_COLLAPSE | STEADY_COVERAGE))
		return s->doubt_text;
	return NULL;
}

static void decide(struct arena *a, struct judgement *j, const struct sla_row *row)
{
	bool broken;
	const char *conditions = broken_conditions(a, j, &broken), *unsteady = not_steady(a, j);
	j->reason = "";
	if (broken) {
		j->verdict = VERDICT_NOT_COMPARABLE;
		j->reason = conditions;
	} else if (conditions) {
		j->verdict = VERDICT_INCONCLUSIVE;
		j->reason = conditions;
	} else if (unsteady) {
		j->verdict = VERDICT_INCONCLUSIVE;
		j->reason = unsteady;
	} else {
		j->verdict = judge_bound(&j->bound, row);
		if (j->verdict == VERDICT_INCONCLUSIVE)
			j->reason = isnan(j->bound.lower) ? "There are too few values for an interval."
							  : "The interval spans the limit.";
	}
}

/* Whether a mean over figures of this statistic means anything: no percentile and no extreme is a mean of others. */
static bool averages(struct slice stat)
{
	return slice_is(stat, "value") || slice_is(stat, "mean") || slice_is(stat, "steady_mean");
}

/* Value, steady state and interval of a measurement; independent of any row. */
static void measure(struct arena *a, const struct sla *sla, struct judgement *j)
{
	const struct series *s = j->series && j->series->n ? j->series : NULL;
	j->sla = sla;
	j->value = NAN;
	j->bound = (struct bound){ .mean = NAN, .sd = NAN, .lower = NAN, .upper = NAN, .level = sla->level, .lag1 = NAN };
	if (s) {
		j->steady = steady_judge(a, sla->rule, s);
		j->has_steady = true;
	}
	/* Samples are means: of a percentile or an extreme they show steady state, not its value. */
	if (s && (!j->result || averages(sla->stat))) {
		double *y = values_of(a, s);
		const struct steady_window *w = &j->steady.last;
		j->bound = stats_bound(y + w->first, w->n, y, s->n, sla->level);
		j->value = w->mean;
	} else if (j->result && !j->result->q.missing) {
		j->value = j->bound.mean = j->result->q.value;
		j->bound.n = 1;
	}
	method_check(a, j);
}

/* Whether a figure counts the direction that the asked mix has nothing of: the reads of a run where writes were asked. */
static bool other_direction(const struct judgement *j)
{
	const struct param *op = j->series ? params_find(j->series->params, "op") : result_param(j->result, "op");
	struct slice mix = SLICE_NONE;
	for (size_t i = 0; i < j->sla->n_require; i++)
		if (slice_is(j->sla->require[i].key, "mix"))
			mix = j->sla->require[i].value;
	return op && ((slice_is(mix, "0/100") && slice_is(op->value, "read")) ||
		      (slice_is(mix, "100/0") && slice_is(op->value, "write")));
}

/* Required conditions that don't hold, of the worst kind first: what makes one candidate fit worse than another. */
static size_t misfit(const struct judgement *j)
{
	size_t broken = 0, open = other_direction(j);
	for (size_t i = 0; i < j->n_conditions; i++) {
		broken += j->conditions[i].required && j->conditions[i].holds == HOLDS_NO;
		open += j->conditions[i].required && j->conditions[i].holds == HOLDS_NOT_SHOWN;
	}
	return broken * 1000 + open;
}

/* How bad a verdict is for the provider, when the worst of few runs counts. */
static int badness(enum verdict v)
{
	static const int order[VERDICTS] = { [VERDICT_PASS] = 0, [VERDICT_INCONCLUSIVE] = 1, [VERDICT_FAIL] = 2 };
	return order[v];
}

static const struct judgement *worst_run(const struct sla_verdict *v)
{
	const struct judgement *worst = NULL;
	for (size_t i = 0; i < v->n_runs; i++) {
		const struct judgement *j = &v->runs[i];
		if (j->verdict == VERDICT_NOT_COMPARABLE || j->verdict == VERDICT_NO_DATA)
			continue;
		if (!worst || badness(j->verdict) > badness(worst->verdict) ||
		    (j->verdict == worst->verdict && (is_maximum(v->row) ? j->value > worst->value : j->value < worst->value)))
			worst = j;
	}
	if (worst)
		return worst;
	/* Nothing comparable: the run that comes closest to the method. */
	for (size_t i = 0; i < v->n_runs; i++)
		if (!worst || misfit(&v->runs[i]) < misfit(worst))
			worst = &v->runs[i];
	return worst;
}

/* Three runs and more: the interval over their means. */
static bool judge_together(struct arena *a, struct sla_verdict *v)
{
	double *means = ARENA_ARRAY(a, v->n_runs, double);
	size_t n = 0;
	if (!averages(v->sla->stat))
		return false;
	for (size_t i = 0; i < v->n_runs; i++) {
		const struct judgement *j = &v->runs[i];
		if (j->verdict == VERDICT_NOT_COMPARABLE)
			continue;
		/* A run that could not be judged leaves the whole open. */
		if (j->verdict == VERDICT_INCONCLUSIVE && isnan(j->bound.lower))
			return false;
		bool broken;
		if (broken_conditions(a, j, &broken) || not_steady(a, j))
			return false;
		means[n++] = j->value;
	}
	if (n < RUNS_FOR_INTERVAL)
		return false;
	v->bound = stats_bound(means, n, means, n, v->sla->level);
	v->value = v->bound.mean;
	v->verdict = judge_bound(&v->bound, v->row);
	return true;
}

static const char *advice(struct arena *a, const struct sla_verdict *v, bool together)
{
	const struct judgement *w = v->worst;
	const char *what = together ? "run" : w && w->series && w->series->kind == SERIES_SAMPLES ? "sample" : "round";
	bool broken;
	if (v->verdict != VERDICT_INCONCLUSIVE || !w)
		return "";
	if (!together && broken_conditions(a, w, &broken))
		return "A run whose output shows these conditions would settle it.";
	if (!together && !w->has_steady)
		return "Rounds of the same test, at least 5, or a log of samples over time would settle it.";
	if (!together && not_steady(a, w))
		return "A longer run, until the last 5 rounds are steady, would settle it.";
	size_t needed = stats_values_needed(&v->bound, v->row->limit.value);
	if (!needed || needed <= v->bound.n)
		return "The mean lies too close to the limit: no number of rounds at this spread would settle it soon.";
	size_t more = needed - v->bound.n;
	return arena_printf(a, "The interval spans the limit; about %zu more %s%s at this spread would settle it.", more, what,
		more == 1 ? "" : "s");
}

static const char *sentence(struct arena *a, const struct sla_verdict *v)
{
	const char *kind = is_maximum(v->row) ? "maximum" : "minimum";
	if (isnan(v->value) && v->worst)
		return v->worst->reason;
	if (isnan(v->value) && v->published) {
		struct pos pos = v->published->q.pos;
		return arena_printf(a, "Published, not measured: %s says %.*s in line %u, which proves nothing.",
			pos.source ? pos.source->name : "the input", SLICE_ARG(v->published->q.text), pos.line);
	}
	if (isnan(v->value))
		return "Nothing in the input concerns this row.";
	/* Near the limit, and far below it, a whole per cent says too little. */
	double percent = 100 * v->normalized;
	int places = percent < 1 || fabs(percent - 100) < 1 ? 2 : percent < 10 || fabs(percent - 100) < 10 ? 1 : 0;
	const char *measured = arena_printf(a, "Measured %s, %.*f %% of the %s.", show(a, v->value, v->row->limit.unit),
		places, percent, kind);
	const char *why = v->worst ? v->worst->reason : "";
	if (v->verdict == VERDICT_PASS || v->verdict == VERDICT_FAIL || !*why)
		return measured;
	return arena_printf(a, "%s %s", measured, why);
}

static void conclude(struct arena *a, struct sla_verdict *v)
{
	v->worst = worst_run(v);
	v->value = v->normalized = v->margin = NAN;
	v->bound = (struct bound){ .mean = NAN, .lower = NAN, .upper = NAN, .level = v->sla->level };
	v->verdict = VERDICT_NO_DATA;
	v->advice = "";
	bool together = v->n_runs >= RUNS_FOR_INTERVAL && judge_together(a, v);
	if (!together && v->worst) {
		v->verdict = v->worst->verdict;
		v->value = v->worst->value;
		v->bound = v->worst->bound;
	}
	if (!isnan(v->value)) {
		v->normalized = v->value / v->row->limit.value;
		v->margin = is_maximum(v->row) ? v->row->limit.value - v->value : v->value - v->row->limit.value;
	}
	v->sentence = sentence(a, v);
	v->advice = advice(a, v, together);
}

/* The same job on another host of a client's run, or in another of the runs in one file (terse output names no
 * hosts). */
static bool other_host(const struct judgement *a, const struct judgement *b)
{
	const struct result *x = a->result, *y = b->result;
	return x && y && x->job && y->job && slice_eq(x->job->name, y->job->name) && params_agree(x->params, y->params, "op") &&
		(params_find(x->job->params, "host") || params_find(x->job->params, "run")) && !same_host(x->job, y->job);
}

static bool worse(double a, double b, const struct sla_row *row)
{
	return is_maximum(row) ? a > b : a < b;
}

static void judge_row(struct dataset *d, struct sla_verdict *v, struct run *const *runs, size_t n)
{
	struct arena *a = d->arena;
	v->runs = ARENA_ARRAY(a, n, struct judgement);
	for (size_t i = 0; i < n; i++) {
		struct candidates c = sla_candidates(a, v->sla, runs[i]);
		v->published = v->published ? v->published : c.published;
		for (size_t k = 0; k < c.n; k++)
			measure(a, v->sla, &c.v[k]);
		struct judgement *best = NULL;
		for (size_t k = 0; k < c.n; k++)
			if (!best || misfit(&c.v[k]) < misfit(best) ||
			    (misfit(&c.v[k]) == misfit(best) && other_host(&c.v[k], best) && worse(c.v[k].value, best->value, v->row)))
				best = &c.v[k];
		if (!best)
			continue;
		decide(a, best, v->row);
		v->runs[v->n_runs++] = *best;
	}
	conclude(a, v);
}

struct subjects {
	struct slice *v;
	bool *named; /* by a row of some table */
	size_t n, cap;
};

static struct subjects subjects_of(struct dataset *d)
{
	struct subjects s = { 0 };
	for (size_t i = 0; i < d->n_runs; i++) {
		bool known = d->runs[i]->suite != NULL;
		for (size_t k = 0; k < s.n && !known; k++)
			known = slice_eq(s.v[k], d->runs[i]->subject);
		if (!known)
			*ARENA_PUSH(d->arena, s.v, s.n, s.cap) = d->runs[i]->subject;
	}
	s.named = ARENA_ARRAY(d->arena, s.n + 1, bool);
	return s;
}

/* The runs of a subject that are judged: suites for their members, the best source for others of the same run. */
static size_t runs_of(const struct dataset *d, struct slice subject, struct run **out)
{
	size_t n = 0;
	for (size_t i = 0; i < d->n_runs; i++)
		if (!d->runs[i]->suite && !d->runs[i]->same_as && slice_eq(d->runs[i]->subject, subject))
			out[n++] = d->runs[i];
	return n;
}

static void warn_unnamed(struct dataset *d, const struct subjects *s, bool tables, struct run **scratch)
{
	for (size_t i = 0; i < s->n; i++) {
		if (s->named[i])
			continue;
		size_t n = runs_of(d, s->v[i], scratch);
		struct pos pos = { .source = n ? scratch[0]->source : NULL };
		if (s->v[i].n && tables)
			diag_add(&d->diags, DIAG_WARNING, pos, "no row of the SLA names '%.*s'; say what was measured with --subject NAME "
				"or NAME=PATH", SLICE_ARG(s->v[i]));
		else if (s->v[i].n == 0)
			diag_add(&d->diags, DIAG_WARNING, pos, "nothing says what was measured here; use --subject NAME or NAME=PATH");
	}
}

struct audit sla_audit(struct dataset *d, struct sla *const *tables, size_t n_tables)
{
	struct arena *a = d->arena;
	struct audit audit = { 0 };
	size_t cap = 0;
	struct subjects s = subjects_of(d);
	struct run **runs = ARENA_ARRAY(a, d->n_runs + 1, struct run *);
	for (size_t t = 0; t < n_tables; t++)
		for (size_t r = 0; r < tables[t]->n_rows; r++) {
			const struct sla_row *row = &tables[t]->rows[r];
			size_t before = audit.n;
			for (size_t i = 0; i < s.n; i++) {
				size_t n = runs_of(d, s.v[i], runs);
				if (!sla_shape_matches(row->shape, s.v[i], n ? runs[0] : NULL))
					continue;
				s.named[i] = true;
				struct sla_verdict *v = ARENA_PUSH(a, audit.verdicts, audit.n, cap);
				*v = (struct sla_verdict){ .sla = tables[t], .row = row, .subject = s.v[i] };
				judge_row(d, v, runs, n);
			}
			if (audit.n == before) {
				struct sla_verdict *v = ARENA_PUSH(a, audit.verdicts, audit.n, cap);
				*v = (struct sla_verdict){ .sla = tables[t], .row = row };
				judge_row(d, v, runs, 0);
			}
		}
	for (size_t i = 0; i < audit.n; i++)
		audit.count[audit.verdicts[i].verdict]++;
	warn_unnamed(d, &s, n_tables > 0, runs);
	return audit;
}

int audit_exit(const struct audit *a)
{
	size_t open = a->count[VERDICT_INCONCLUSIVE] + a->count[VERDICT_NOT_COMPARABLE];
	for (size_t i = 0; i < a->n; i++)
		open += a->verdicts[i].verdict == VERDICT_NO_DATA && a->verdicts[i].subject.n;
	if (a->count[VERDICT_FAIL])
		return 1;
	return open || a->count[VERDICT_NO_DATA] == a->n ? 3 : 0;
}
