/* Repeated jobs: what each long series shows, and the jobs behind it. */
#include "model/columns.h"
#include "report/trends.h"

#include <math.h>

enum { SHOWN = 32, COMPARED = 12000, LISTED = 60 };

struct trends {
	struct trend v[SHOWN];
	struct trend_set set;
	size_t n, further; /* further: not shown */
};

static struct trend_set collect(struct document *d)
{
	const char *error;
	return trend_collect(d->arena, d->report->data, selector_parse(d->arena, SLICE(""), &error), NULL);
}

/* Of batch jobs, which say how they ended; what else there are ten values of need not have been repeated. */
static bool is_of_jobs(const struct trend_series *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (!params_find(s->points[i].run->attrs, "state"))
			return false;
	return true;
}

/* Looking for drift and changes takes most of the time, up to some seconds for a series of thousands. */
static void judge(struct document *d, struct trends *t)
{
	size_t compared = 0;
	struct trend_rule rule = trend_rule_of(d);
	t->set = collect(d);
	for (size_t i = 0; i < t->set.n; i++) {
		size_t n = t->set.series[i].n, cost = n <= TREND_DIVIDED ? n : 0;
		if (n < TREND_MIN || !is_of_jobs(&t->set.series[i]))
			continue;
		if (t->n == SHOWN || compared + cost > COMPARED) {
			t->further++;
			continue;
		}
		compared += cost;
		t->v[t->n++] = trend_judge(d->arena, &rule, &t->set.series[i]);
	}
}

/* ---- names and cells ---- */

static bool named_alike(const struct trend_series *x, const struct trend_series *y)
{
	return x->metric == y->metric && slice_eq(x->test, y->test) && slice_eq(x->tool, y->tool) &&
		slice_eq(x->subject, y->subject);
}

/* "write bandwidth"; with the params where another series is called the same. */
static const char *name_of(struct document *d, const struct trends *t, size_t i)
{
	const struct trend_series *s = t->v[i].series;
	bool alone = !(i > 0 && named_alike(t->v[i - 1].series, s)) && !(i + 1 < t->n && named_alike(t->v[i + 1].series, s));
	struct slice subject = d->n_subjects > 1 ? s->subject : SLICE(""), params = alone ? SLICE("") : s->params;
	return arena_printf(d->arena, "%.*s%s%.*s %s%s%.*s", SLICE_ARG(subject), subject.n ? " " : "",
		SLICE_ARG((s->test.n ? s->test : s->tool)), metric_get(s->metric)->name, params.n ? ", " : "", SLICE_ARG(params));
}

/* The sentence names logs in brackets. */
static const char *shorter(struct document *d, const char *sentence)
{
	struct slice rest = slice_of(sentence), base = common_directory(d);
	struct slice before = slice_of(arena_printf(d->arena, "(%.*s", SLICE_ARG(base)));
	struct buf b = BUF_EMPTY;
	for (size_t at; (at = slice_find(rest, before)) != (size_t)-1; rest = slice_from(rest, at + before.n)) {
		buf_slice(&b, slice_head(rest, at));
		buf_char(&b, '(');
	}
	buf_slice(&b, rest);
	const char *text = arena_string(d->arena, buf_view(&b));
	buf_free(&b);
	return text;
}

static const char *signed_share(struct document *d, double share)
{
	if (!isfinite(share))
		return "\xe2\x80\x93";
	return arena_printf(d->arena, "%s%s", share > 0 ? "+" : "", show_share(d->arena, share));
}

static void computed_cell(struct document *d, double value, enum unit unit, const char *how)
{
	struct figure f = { .value = value, .unit = unit, .basis = "recomputed", .how = how, .pos = POS_NONE };
	cell_figure(d, NULL, &f, show(d->arena, value, unit, 4));
}

static const char *mark_of(enum verdict v)
{
	return v == VERDICT_PASS ? "good" : v == VERDICT_FAIL ? "bad" : "doubt";
}

/* ---- all series at a glance ---- */

static size_t extreme(const struct trend_series *s, bool most)
{
	size_t at = 0;
	for (size_t i = 1; i < s->n; i++)
		at = (most ? s->points[i].value > s->points[at].value : s->points[i].value < s->points[at].value) ? i : at;
	return at;
}

/* With its deviation from the mean. */
static void extreme_cell(struct document *d, const struct trend *t, bool most)
{
	struct figure f = figure_of(t->series->points[extreme(t->series, most)].result);
	double share = most ? t->spread.highest : t->spread.lowest;
	cell_figure_detail(d, fabs(share) > trend_rule_of(d).tolerance ? "bad" : NULL, &f, show(d->arena, f.value, f.unit, 4),
		signed_share(d, share));
}

static void overview_row(struct document *d, const struct trends *t, size_t i)
{
	const struct trend *k = &t->v[i];
	const struct trend_series *s = k->series;
	table_row(d);
	cell(d, NULL, name_of(d, t, i));
	cell(d, mark_of(k->verdict), verdict_name(k->verdict));
	cell(d, NULL, arena_printf(d->arena, "%zu", s->n));
	extreme_cell(d, k, true);
	computed_cell(d, k->spread.mean, s->unit, arena_printf(d->arena, "mean of %zu values", s->n));
	extreme_cell(d, k, false);
	cell(d, NULL, isfinite(k->spread.cv) ? show_share(d->arena, k->spread.cv) : "\xe2\x80\x93");
	cell(d, NULL, arena_printf(d->arena, "%zu", k->spread.beyond.n));
	cell(d, NULL, arena_printf(d->arena, "%zu", k->spread.outliers.n));
	cell(d, NULL, arena_printf(d->arena, "%zu", k->n_changes));
	cell(d, NULL, k->gaps.known ? arena_printf(d->arena, "%zu", k->gaps.n) : "\xe2\x80\x93");
	row_end(d);
}

static void write_overview(struct document *d, const struct trends *t)
{
	static const char *const heads[] = { "Values", "Max", "Mean", "Min", "CV", "Beyond", "Outliers", "Changes", "Gaps" };
	table_begin(d, "Maximum, mean and minimum of each series");
	table_column(d, "text", "Figure", NULL);
	table_column(d, "text", "Verdict", NULL);
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		table_column(d, "number", heads[i], NULL);
	for (size_t i = 0; i < t->n; i++)
		overview_row(d, t, i);
	table_end(d, arena_printf(d->arena, "Below the extremes: their deviation from the mean. Beyond: values that deviate "
		"by more than the tolerance.%s", t->further ?
		arena_printf(d->arena, " %zu further series are left out; assay trend shows all.", t->further) : ""));
}

/* ---- one series ---- */

static void marked_row(struct document *d, const struct trend *t, const char *what, size_t place, double share)
{
	const struct trend_point *p = &t->series->points[place];
	table_row(d);
	cell(d, NULL, what);
	cell(d, NULL, arena_printf(d->arena, "%zu", place + 1));
	cell(d, NULL, trend_when(d, p->time));
	trend_result_cell(d, p->result);
	cell(d, NULL, signed_share(d, share));
	cell(d, NULL, trend_log(d, p->run, p->result));
	row_end(d);
}

/* Outliers, and where the level changes, with the log. */
static void write_marked(struct document *d, const struct trend *t)
{
	const struct trend_places *o = &t->spread.outliers;
	if (o->n + t->n_changes == 0)
		return;
	table_begin(d, "Outliers and changes");
	table_column(d, "text", "What", NULL);
	table_column(d, "number", "No.", NULL);
	table_column(d, "text", "Time", NULL);
	table_column(d, "number", "Value", NULL);
	table_column(d, "number", "Deviation", NULL);
	table_column(d, "text", "Log", NULL);
	for (size_t i = 0; i < o->n && i < LISTED; i++) {
		double value = t->series->points[o->v[i]].value;
		marked_row(d, t, "outlier", o->v[i], (value - t->spread.mean) / fabs(t->spread.mean));
	}
	for (size_t i = 0; i < t->n_changes && i < LISTED; i++) {
		const struct trend_division *c = &t->changes[i];
		marked_row(d, t, "first after a change", c->tau, (c->after - c->before) / fabs(c->before));
	}
	table_end(d, arena_printf(d->arena, "Outliers: modified z-score above 3.5, deviation from the mean. Changes: "
		"E-divisive, claimed at %g %%, deviation of the mean after from the mean before.%s", 100 * trend_rule_of(d).level,
		o->n > LISTED ? arena_printf(d->arena, " %zu further outliers are not listed.", o->n - LISTED) : ""));
}

static void write_series(struct document *d, const struct trends *t, size_t i, const struct timeline *line)
{
	const struct trend *k = &t->v[i];
	const char *name = name_of(d, t, i);
	elem(d, "part");
	attr_id(d, "id", "p", ++d->sections);
	elem_text(d, "title", name);
	elem_text(d, "para", shorter(d, k->sentence));
	if (k->series->params.n)
		elem_text(d, "para", arena_printf(d->arena, "Measured with %.*s.", SLICE_ARG(k->series->params)));
	write_trend_chart(d, k, line, name);
	write_marked(d, k);
	elem_end(d);
}

/* ---- jobs ---- */

/* States that `assay` counts jobs by; those of copies are no jobs. */
static const struct {
	const char *state, *title;
} states[] = {
	{ "complete", "Complete" },
	{ "failed", "Failed" },
	{ "verification-failed", "Verification failed" },
	{ "incomplete", "Incomplete" },
	{ "unsupported", "Not readable" },
	{ "empty", "Empty" },
	{ "absent", "Missing" },
};
enum { STATES = sizeof states / sizeof *states, MISSING = STATES - 1 };

/* False when the run counts no jobs. */
static bool count_jobs(const struct run *run, const struct result **by_state)
{
	bool any = false;
	for (size_t i = 0; i < run->n_results; i++) {
		const struct result *r = &run->results[i];
		const struct param *state = result_param(r, "state");
		for (size_t k = 0; r->metric == METRIC_JOBS && state && k < STATES; k++)
			if (slice_is(state->value, states[k].state)) {
				by_state[k] = r;
				any = true;
			}
	}
	return any;
}

/* As the study says; 0: it doesn't. */
static double planned_of(const struct document *d, struct slice tool)
{
	const struct study *s = d->report->study;
	for (size_t i = 0; s && i < s->evaluation.n_planned; i++)
		if (slice_eq(s->evaluation.planned[i].tool, tool))
			return s->evaluation.planned[i].n;
	return 0;
}

static void jobs_row(struct document *d, const struct run *run, const struct result *const *by_state)
{
	double count[STATES], seen = 0, planned = planned_of(d, run->tool);
	for (size_t k = 0; k < STATES; k++) {
		count[k] = by_state[k] ? by_state[k]->q.value : 0;
		seen += k == MISSING ? 0 : count[k];
	}
	count[MISSING] = fmax(count[MISSING], planned - seen);
	planned = planned > 0 ? planned : seen + count[MISSING];
	table_row(d);
	cell_slice(d, run->tool);
	cell_slice(d, run->subject.n ? run->subject : SLICE("\xe2\x80\x93"));
	cell(d, NULL, arena_printf(d->arena, "%.0f", planned));
	for (size_t k = 0; k < STATES; k++) {
		cell(d, count[k] == 0 ? NULL : k == 0 ? "good" : "bad", arena_printf(d->arena, "%.0f", count[k]));
	}
	row_end(d);
}

static void write_jobs(struct document *d)
{
	const struct dataset *data = d->report->data;
	bool begun = false;
	for (size_t i = 0; i < data->n_runs; i++) {
		const struct result *by_state[STATES] = { NULL };
		if (!count_jobs(data->runs[i], by_state))
			continue;
		if (!begun) {
			table_begin(d, "Jobs");
			table_column(d, "text", "Tool", NULL);
			table_column(d, "text", "Subject", NULL);
			table_column(d, "number", "Planned", NULL);
			for (size_t k = 0; k < STATES; k++)
				table_column(d, "number", states[k].title, NULL);
			begun = true;
		}
		jobs_row(d, data->runs[i], by_state);
	}
	if (begun)
		table_end(d, "Planned: as a study says, else all jobs that left output and those whose number is missing in the "
			"series. The diagnostics name each that is not complete.");
}

static void write_halts(struct document *d, const struct trend_set *set)
{
	for (size_t i = 0; i < set->n_jobs; i++) {
		const struct trend_jobs *j = &set->jobs[i];
		struct trend_gaps g = trend_halts(d->arena, j);
		if (isnan(g.interval))
			continue;
		const char *found = g.n == 0 ? "No halt" : arena_printf(d->arena, "%zu halt%s", g.n, g.n == 1 ? "" : "s");
		elem_text(d, "para", !g.known ?
			arena_printf(d->arena, "%.*s%s%zu complete jobs, at no regular times: whether there was a halt can't be told.",
				SLICE_ARG(j->subject), j->subject.n ? ": " : "", j->n) :
			arena_printf(d->arena, "%.*s%s%s: %zu complete jobs, one every %.0f s; the longest interval is %.0f s, from %s. "
				"A halt is more than 1.5 intervals without a complete job.", SLICE_ARG(j->subject), j->subject.n ? ": " : "",
				found, j->n, g.interval, g.longest, trend_when(d, g.at)));
	}
}

/* ---- the section ---- */

void write_trends(struct document *d)
{
	struct trends *t = ARENA_NEW(d->arena, struct trends);
	size_t pass = 0, fail = 0;
	*t = (struct trends){ .n = 0 };
	judge(d, t);
	if (t->n == 0) {
		write_servers(d, true);
		return;
	}
	for (size_t i = 0; i < t->n; i++) {
		pass += t->v[i].verdict == VERDICT_PASS;
		fail += t->v[i].verdict == VERDICT_FAIL;
	}
	elem(d, "section");
	attr(d, "id", "trend");
	attr(d, "kind", "trend");
	elem_text(d, "title", "Repeated jobs");
	elem_text(d, "finding", arena_printf(d->arena, "Of %zu figures that were measured at least %d times, %zu stay within "
		"%g %% of their mean, %zu do not, %zu are open.", t->n, TREND_MIN, pass, 100 * trend_rule_of(d).tolerance, fail,
		t->n - pass - fail));
	elem_text(d, "para", arena_printf(d->arena, "The verdict: no value may deviate from the mean of its series by more "
		"than %g %%%s", 100 * trend_rule_of(d).tolerance, d->report->tolerance > 0 ? ", as was declared." :
		", as none is declared: --tolerance, or a study, declares one."));
	write_jobs(d);
	if (!d->report->evaluation) /* which tells of halts by the gap that is allowed */
		write_halts(d, &t->set);
	write_overview(d, t);
	write_servers(d, false);
	struct timeline line = { .known = false };
	for (size_t i = 0; i < t->n; i++) {
		struct slice subject = t->v[i].series->subject;
		if (i == 0 || !slice_eq(subject, t->v[i - 1].series->subject))
			line = timeline_of(d, subject);
		write_series(d, t, i, &line);
	}
	elem_end(d);
}
