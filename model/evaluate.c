#include "model/evaluate_parts.h"

#include "model/columns.h"

#include <math.h>
#include <stdlib.h>

/* What a stress test is judged by, unless the study says otherwise. */
static const struct {
	const char *where, *name;
} usual[] = {
	{ "tool=ior test=write metric=bandwidth", "write bandwidth of IOR" },
	{ "tool=ior test=read metric=bandwidth", "read bandwidth of IOR" },
	{ "tool=mdtest test=\"File creation\" metric=rate", "File creation rate of mdtest" },
	{ "tool=mdtest test=\"File stat\" metric=rate", "File stat rate of mdtest" },
	{ "tool=mdtest test=\"File removal\" metric=rate", "File removal rate of mdtest" },
};
enum { USUAL = sizeof usual / sizeof *usual };

/* ---- texts ---- */

const char *evaluation_span(struct arena *a, double seconds)
{
	double s = round(seconds), days = floor(s / 86400), hours = floor(fmod(s, 86400) / 3600),
		minutes = floor(fmod(s, 3600) / 60);
	if (seconds < 60)
		return arena_printf(a, "%.3g s", seconds);
	if (s < 3600)
		return arena_printf(a, "%.0f min %.0f s", minutes, fmod(s, 60));
	if (s < 86400)
		return arena_printf(a, "%.0f h %.0f min %.0f s", hours, minutes, fmod(s, 60));
	return arena_printf(a, "%.0f d %.0f h %.0f min", days, hours, minutes);
}

const char *evaluation_when(struct arena *a, double time)
{
	const struct run run = { .started = NAN };
	struct result r = { .time = time, .q.pos = POS_NONE };
	return arena_string(a, result_column(a, &run, &r, COLUMN_TIME));
}

const char *evaluation_value(struct arena *a, double value, enum unit unit)
{
	char text[48];
	if (unit == UNIT_S)
		return evaluation_span(a, value);
	quantity_show(text, sizeof text, value, unit, 4);
	return arena_printf(a, "%s%s", text, unit == UNIT_PER_S ? "/s" : "");
}

/* An operator is said by the words around it. */
const char *evaluation_limit(struct arena *a, const struct evaluation_row *r)
{
	struct slice text = r->limit_text.text;
	while (text.n && (strchr("<>= ", text.p[0]) || (unsigned char)text.p[0] >= 0x80))
		text = slice_from(text, 1);
	return text.n ? arena_string(a, text) : evaluation_value(a, r->limit, r->unit);
}

static const char *share(struct arena *a, double share)
{
	return arena_printf(a, "%s%.1f %%", share < 0 ? "\xe2\x88\x92" : "+", fabs(100 * share));
}

/* "nfs.o1181:41" */
static const char *place(struct arena *a, const struct trend_point *p)
{
	struct slice source = result_column(a, p->run, p->result, COLUMN_SOURCE);
	for (size_t i = source.n; i > 0; i--)
		if (source.p[i - 1] == '/' || source.p[i - 1] == '!') {
			source = slice_from(source, i);
			break;
		}
	return arena_printf(a, p->result->q.pos.line ? "%.*s:%u" : "%.*s", SLICE_ARG(source), p->result->q.pos.line);
}

struct evaluation_row *evaluation_row(struct evaluator *e, enum evaluation_kind kind, const char *name)
{
	struct evaluation_row *r = ARENA_PUSH(e->a, e->out.rows, e->out.n, e->out.cap);
	*r = (struct evaluation_row){ .kind = kind, .subject = e->subject, .name = name, .metric = METRICS, .value = NAN,
		.time = NAN, .limit = NAN, .op = OP_LE, .verdict = VERDICT_NO_DATA, .sentence = "", .advice = "" };
	return r;
}

/* ---- no halt ---- */

struct longest {
	double length, at; /* NAN: fewer than two jobs */
	size_t beyond;     /* gaps longer than the limit */
};

static struct longest longest_gap(const struct trend_jobs *jobs, double limit)
{
	struct longest g = { .length = NAN, .at = NAN };
	for (size_t i = 1; i < jobs->n; i++) {
		double length = jobs->started[i] - jobs->started[i - 1];
		if (!(length <= g.length)) {
			g.length = length;
			g.at = jobs->started[i - 1];
		}
		g.beyond += length > limit;
	}
	return g;
}

static void say_halts(struct evaluator *e, struct evaluation_row *r, const struct longest *g)
{
	const struct trend_jobs *jobs = e->jobs;
	const char *from = evaluation_when(e->a, jobs->started[0]), *longest = evaluation_span(e->a, g->length),
		*limit = evaluation_limit(e->a, r),
		*span = evaluation_span(e->a, jobs->started[jobs->n - 1] - jobs->started[0]);
	if (g->beyond == 0)
		r->sentence = arena_printf(e->a, "%zu complete jobs began within %s from %s, never more than %s apart (allowed: %s).",
			jobs->n, span, from, longest, limit);
	else
		r->sentence = arena_printf(e->a, "%zu time%s no complete job began for more than %s; the longest time is %s, from %s "
			"(%zu complete jobs within %s).", g->beyond, g->beyond == 1 ? "" : "s", limit, longest,
			evaluation_when(e->a, g->at), jobs->n, span);
}

static void judge_halt(struct evaluator *e)
{
	const struct quantity *told = &e->study->evaluation.longest_gap;
	struct evaluation_row *r = evaluation_row(e, EVALUATION_HALT, "No halt");
	r->unit = UNIT_S;
	r->how = "longest time between the starts of two complete jobs";
	if (!e->jobs) {
		r->sentence = "No complete batch job tells when it began.";
		return;
	}
	struct trend_gaps usual_gaps = trend_halts(e->a, e->jobs);
	r->limit = told->missing ? 1.5 * usual_gaps.interval : told->value;
	r->limit_text = *told;
	struct longest g = longest_gap(e->jobs, r->limit);
	r->value = g.length;
	r->time = g.at;
	r->verdict = VERDICT_INCONCLUSIVE;
	if (isnan(g.length)) {
		r->limit = NAN;
		r->sentence = "Only one complete job tells when it began.";
	} else if (told->missing && !usual_gaps.known) {
		r->limit = NAN;
		r->sentence = arena_printf(e->a, "%zu complete jobs began at no regular times, so that nothing says how far apart "
			"they may be; the longest time is %s, from %s.", e->jobs->n, evaluation_span(e->a, g.length),
			evaluation_when(e->a, g.at));
		r->advice = "Set longest_gap in the study.";
	} else {
		r->verdict = g.beyond ? VERDICT_FAIL : VERDICT_PASS;
		say_halts(e, r, &g);
	}
}

/* ---- jobs ---- */

struct counted {
	struct slice state;
	double n;
};
enum { STATES = 16 };

/* Jobs of a tool (or all) by state; copies are no jobs. */
static size_t count_jobs(const struct evaluator *e, struct slice tool, struct counted *v)
{
	size_t n = 0;
	for (size_t i = 0; i < e->d->n_runs; i++) {
		const struct run *run = e->d->runs[i];
		bool wanted = slice_eq(run->subject, e->subject) && (!tool.n || slice_eq(run->tool, tool));
		for (size_t k = 0; wanted && k < run->n_results; k++) {
			const struct param *state = result_param(&run->results[k], "state");
			if (run->results[k].metric != METRIC_JOBS || !state || slice_is(state->value, "duplicate"))
				continue;
			size_t at = 0;
			while (at < n && !slice_eq(v[at].state, state->value))
				at++;
			if (at == STATES)
				continue;
			v[at] = (struct counted){ state->value, (at < n ? v[at].n : 0) + run->results[k].q.value };
			n += at == n;
		}
	}
	return n;
}

static void judge_jobs(struct evaluator *e, const struct study_planned *p)
{
	struct counted states[STATES];
	size_t n = count_jobs(e, p->tool, states);
	double complete = 0;
	struct buf b = BUF_EMPTY;
	struct evaluation_row *r = evaluation_row(e, EVALUATION_JOBS, p->tool.n ?
		arena_printf(e->a, "All planned jobs of %.*s", SLICE_ARG(p->tool)) : "All planned jobs");
	r->op = OP_GE;
	r->limit = p->n;
	r->limit_text = (struct quantity){ .pos = p->pos };
	for (size_t i = 0; i < n; i++) {
		if (slice_is(states[i].state, "complete")) {
			complete = states[i].n;
			continue;
		}
		buf_printf(&b, "%s%.0f %.*s", b.n ? ", " : "", states[i].n, SLICE_ARG(states[i].state));
	}
	const char *rest = b.n ? arena_printf(e->a, " (besides them: %.*s)", SLICE_ARG(buf_view(&b))) : "";
	buf_free(&b);
	if (n == 0) {
		r->sentence = arena_printf(e->a, "There is no output of batch jobs; %.0f were planned.", p->n);
		return;
	}
	r->value = complete;
	r->how = "complete jobs";
	r->verdict = complete < p->n ? VERDICT_FAIL : VERDICT_PASS;
	if (complete < p->n)
		r->sentence = arena_printf(e->a, "%.0f of %.0f planned jobs are complete, %.0f %s not%s.", complete, p->n,
			p->n - complete, p->n - complete == 1 ? "is" : "are", rest);
	else
		r->sentence = arena_printf(e->a, "%.0f jobs are complete, %.0f were planned%s.", complete, p->n, rest);
}

/* ---- no significant deviation ---- */

static void say_deviation(struct evaluator *e, struct evaluation_row *r, const struct trend_series *s,
	const struct trend_spread *p)
{
	const struct trend_point *worst = &s->points[p->worst];
	const char *mean = evaluation_value(e->a, p->mean, s->unit), *runs = s->runs == s->n ? "" :
		arena_printf(e->a, " of %zu runs", s->runs);
	bool rounding = r->verdict == VERDICT_INCONCLUSIVE && s->n >= TREND_MIN;
	if (isnan(p->lowest))
		r->sentence = "The mean is 0, from which no share can deviate.";
	else if (r->verdict == VERDICT_FAIL)
		r->sentence = arena_printf(e->a, "%zu of %zu values%s deviate%s by more than %s from their mean of %s "
			"(%s \xe2\x80\xa6 %s), most of all %s with %s.", p->beyond.n, s->n, runs, p->beyond.n == 1 ? "s" : "", evaluation_limit(e->a, r),
			mean, share(e->a, p->lowest), share(e->a, p->highest), place(e->a, worst),
			evaluation_value(e->a, worst->value, s->unit));
	else
		r->sentence = arena_printf(e->a, "%s %zu values%s lie within %s of their mean of %s: %s \xe2\x80\xa6 %s, "
			"%s \xe2\x80\xa6 %s%s.", rounding ? "The" : "All", s->n, runs, evaluation_limit(e->a, r), mean,
			evaluation_value(e->a, p->min, s->unit), evaluation_value(e->a, p->max, s->unit), share(e->a, p->lowest),
			share(e->a, p->highest), rounding ? ", or not: rounding for print decides" : "");
	if (r->verdict == VERDICT_INCONCLUSIVE && s->n < TREND_MIN && !isnan(p->lowest))
		r->advice = arena_printf(e->a, "Fewer than %d values prove little.", TREND_MIN);
}

static void judge_series(struct evaluator *e, const struct trend_series *s, bool alone)
{
	const struct quantity *told = &e->study->evaluation.tolerance;
	struct trend_rule rule = { .tolerance = told->value / 100, .level = 0.99 };
	struct slice params = alone ? SLICE("") : s->params;
	struct evaluation_row *r = evaluation_row(e, EVALUATION_DEVIATION, arena_printf(e->a, "Deviation of %.*s %s%s%.*s",
		SLICE_ARG((s->test.n ? s->test : s->tool)), metric_get(s->metric)->name, params.n ? ", " : "", SLICE_ARG(params)));
	struct trend_spread spread;
	r->metric = s->metric;
	r->unit = UNIT_PERCENT;
	r->limit = told->value;
	r->limit_text = *told;
	r->verdict = trend_deviation(e->a, &rule, s, &spread);
	if (s->n == 0) {
		r->sentence = arena_printf(e->a, "None of %zu values counts: they are missing, or of jobs that were not completed.",
			s->left_out);
		return;
	}
	if (!isnan(spread.lowest))
		r->value = 100 * fmax(-spread.lowest, spread.highest);
	r->how = arena_printf(e->a, "greatest deviation from the mean of %zu values", s->n);
	r->evidence.pos = s->points[spread.worst].result->q.pos;
	r->time = s->points[spread.worst].time;
	say_deviation(e, r, s, &spread);
}

/* Measured, though not twice under the same conditions. */
static bool is_measured(const struct evaluator *e, const struct selector *where)
{
	struct arena scratch = ARENA_EMPTY;
	bool found = false;
	for (size_t i = 0; i < e->d->n_runs && !found; i++) {
		const struct run *run = e->d->runs[i];
		for (size_t k = 0; k < run->n_results && slice_eq(run->subject, e->subject) && !found; k++) {
			struct result_view view = { run, &run->results[k], &scratch };
			found = selector_match(where, result_view_lookup, &view) && !view.result->q.missing &&
				!(view.result->flags & RESULT_PUBLISHED);
			arena_reset(&scratch);
		}
	}
	arena_free(&scratch);
	return found;
}

/* Returns how many series there are. */
static size_t judge_figure(struct evaluator *e, const struct selector *where, const char *name, bool must)
{
	struct trend_set set = trend_collect(e->a, e->d, where, NULL);
	size_t n = 0;
	for (size_t i = 0; i < set.n; i++)
		n += slice_eq(set.series[i].subject, e->subject);
	for (size_t i = 0; i < set.n; i++)
		if (slice_eq(set.series[i].subject, e->subject))
			judge_series(e, &set.series[i], n == 1);
	if (n || !must)
		return n;
	struct evaluation_row *r = evaluation_row(e, EVALUATION_DEVIATION, arena_printf(e->a, "Deviation of %s", name));
	r->unit = UNIT_PERCENT;
	r->limit = e->study->evaluation.tolerance.value;
	r->limit_text = e->study->evaluation.tolerance;
	if (is_measured(e, where)) {
		r->verdict = VERDICT_INCONCLUSIVE;
		r->sentence = "Measured once only: nothing to deviate from.";
	} else {
		r->sentence = "Nothing in the input measures it.";
	}
	return 0;
}

static void judge_deviations(struct evaluator *e)
{
	const struct study_evaluation *s = &e->study->evaluation;
	const char *error;
	size_t n = 0;
	if (s->tolerance.missing)
		return;
	for (size_t i = 0; i < s->n_figures; i++)
		judge_figure(e, s->figures[i].where, arena_string(e->a, s->figures[i].text), true);
	for (size_t i = 0; i < USUAL && !s->n_figures; i++)
		n += judge_figure(e, selector_parse(e->a, slice_of(usual[i].where), &error), usual[i].name, !s->implied);
	if (!s->n_figures && s->implied && n == 0)
		evaluation_row(e, EVALUATION_DEVIATION, "Deviation from the mean")->sentence =
			"Nothing in the input is a series of IOR or mdtest.";
}

/* ---- subjects ---- */

static void judge_subject(struct evaluator *e, struct slice subject, const struct trend_set *jobs)
{
	const struct study_evaluation *s = &e->study->evaluation;
	e->subject = subject;
	e->jobs = NULL;
	for (size_t i = 0; i < jobs->n_jobs; i++)
		if (slice_eq(jobs->jobs[i].subject, subject) && jobs->jobs[i].n)
			e->jobs = &jobs->jobs[i];
	e->out.subjects++;
	judge_halt(e);
	for (size_t i = 0; i < s->n_planned; i++)
		judge_jobs(e, &s->planned[i]);
	judge_deviations(e);
	evaluate_statistics(e);
}

/* Those that the study gives inputs; else those that have jobs or statistics. */
static struct slice *subjects_of(struct evaluator *e, size_t *n)
{
	struct slice *v = NULL;
	size_t cap = 0;
	*n = 0;
	for (size_t i = 0; i < e->study->n_subjects; i++)
		if (e->study->subjects[i].n_inputs)
			*ARENA_PUSH(e->a, v, *n, cap) = e->study->subjects[i].name;
	for (size_t i = 0, known = *n; known == 0 && i < e->d->n_runs; i++) {
		const struct run *run = e->d->runs[i];
		bool seen = !params_find(run->attrs, "state") && !slice_is(run->tool, "sysstat");
		for (size_t k = 0; k < *n && !seen; k++)
			seen = slice_eq(v[k], run->subject);
		if (!seen)
			*ARENA_PUSH(e->a, v, *n, cap) = run->subject;
	}
	if (*n == 0)
		*ARENA_PUSH(e->a, v, *n, cap) = SLICE("");
	return v;
}

struct evaluation evaluate(struct arena *a, struct dataset *d, const struct study *s)
{
	struct evaluator e = { .a = a, .d = d, .study = s };
	const char *error;
	size_t n = 0;
	struct trend_set jobs = trend_collect(a, d, selector_parse(a, SLICE("metric=jobs"), &error), NULL);
	struct slice *subjects = subjects_of(&e, &n);
	for (size_t i = 0; i < n; i++)
		judge_subject(&e, subjects[i], &jobs);
	for (size_t i = 0; i < e.out.n; i++)
		e.out.count[e.out.rows[i].verdict]++;
	return e.out;
}

int evaluation_exit(const struct evaluation *e)
{
	return e->count[VERDICT_FAIL] ? 1 : e->n == 0 || e->count[VERDICT_PASS] < e->n ? 3 : 0;
}
