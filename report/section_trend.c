/* Repeated jobs: what each long series shows, the jobs behind it, and the servers' extremes meanwhile. */
#include "report/document.h"

#include "model/columns.h"
#include "model/trend.h"

#include <math.h>

enum { SHOWN = 32, COMPARED = 12000, BUCKETS = 60, LISTED = 60, HOSTS = 64 };

static const struct trend_rule rule = { .tolerance = 0.10, .level = 0.99 };

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

/* Comparing each value with each takes most of the time, up to a second and a half for a series of TREND_PAIRS. */
static void judge(struct document *d, struct trends *t)
{
	size_t compared = 0;
	t->set = collect(d);
	for (size_t i = 0; i < t->set.n; i++) {
		size_t n = t->set.series[i].n, cost = n <= TREND_PAIRS ? n : 0;
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

/* "logs/x.o12:41", without the directory that all inputs are in: the list of inputs names it. */
static const char *log_of(struct document *d, const struct run *run, const struct result *r)
{
	struct slice source = result_column(d->arena, run, r, COLUMN_SOURCE), base = common_directory(d);
	if (base.n < source.n && slice_eq(slice_head(source, base.n), base))
		source = slice_from(source, base.n);
	return r->q.pos.line ? arena_printf(d->arena, "%.*s:%u", SLICE_ARG(source), r->q.pos.line) :
		arena_string(d->arena, source);
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

static const char *when(struct document *d, double time)
{
	const char *s = show_time(d->arena, time);
	return s ? s : "\xe2\x80\x93";
}

static const char *signed_share(struct document *d, double share)
{
	if (!isfinite(share))
		return "\xe2\x80\x93";
	return arena_printf(d->arena, "%s%s", share > 0 ? "+" : "", show_share(d->arena, share));
}

static void result_cell(struct document *d, const struct result *r)
{
	struct figure f = figure_of(r);
	cell_figure(d, NULL, &f, show(d->arena, f.value, f.unit, 4));
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
	cell_figure_detail(d, fabs(share) > rule.tolerance ? "bad" : NULL, &f, show(d->arena, f.value, f.unit, 4),
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

static void chart_table(struct document *d, const struct trend_series *s, const double *places, size_t n)
{
	table_begin(d, n < s->n ? "Values: the least and the greatest of each stretch" : "Values");
	table_column(d, "text", "No.", NULL);
	table_column(d, "text", "Time", NULL);
	table_column(d, "number", "Value", NULL);
	for (size_t i = 0; i < n; i++) {
		const struct trend_point *p = &s->points[(size_t)places[i] - 1];
		table_row(d);
		cell(d, NULL, arena_printf(d->arena, "%.0f", places[i]));
		cell(d, NULL, when(d, p->time));
		result_cell(d, p->result);
		row_end(d);
	}
	table_end(d, NULL);
}

static struct chart_series marked(struct document *d, const struct trend *t)
{
	const struct trend_places *o = &t->spread.outliers;
	double *x = ARENA_ARRAY(d->arena, o->n + 1, double), *y = ARENA_ARRAY(d->arena, o->n + 1, double);
	for (size_t i = 0; i < o->n; i++) {
		x[i] = (double)o->v[i] + 1;
		y[i] = t->series->points[o->v[i]].value;
	}
	return (struct chart_series){ .name = "outliers", .style = 2, .x = x, .y = y, .n = decimate(x, y, o->n, BUCKETS),
		.loose = true };
}

static void write_chart(struct document *d, const struct trend *t, const char *name)
{
	const struct trend_series *s = t->series;
	double *x = ARENA_ARRAY(d->arena, s->n, double), *y = ARENA_ARRAY(d->arena, s->n, double);
	for (size_t i = 0; i < s->n; i++) {
		x[i] = (double)i + 1;
		y[i] = s->points[i].value;
	}
	size_t n = decimate(x, y, s->n, BUCKETS);
	bool outliers = t->spread.outliers.n > 0;
	size_t beyond = t->spread.beyond.n;
	const char *title = beyond ?
		arena_printf(d->arena, "%zu of %zu values are beyond the tolerance", beyond, s->n) :
		arena_printf(d->arena, "All %zu values are within the tolerance", s->n);
	struct chart *c = chart_new(d, title,
		arena_printf(d->arena, "%s in order; mean solid, tolerance of \xc2\xb1%g %% dashed%s", name,
			100 * rule.tolerance, outliers ? ", outliers marked" : ""),
		arena_printf(d->arena, "Line chart of %zu values of %s with their mean and tolerance.", s->n, name));
	c->series[0] = (struct chart_series){ .name = name, .style = 1, .x = x, .y = y, .n = n, .quiet = n > BUCKETS };
	c->series[1] = marked(d, t);
	c->n_series = outliers ? 2 : 1;
	c->x_title = s->runs == s->n ? "run" : "value no.";
	struct scale scale = axis_scale(d->arena, t->spread.max, scale_of(d->arena, &t->spread.max, 1, s->metric, 4));
	c->y_factor = scale.factor;
	c->y_unit = scale.unit;
	c->log = t->spread.min > 0 && t->spread.max / t->spread.min > 12;
	c->zoom = true;
	c->has_band = true;
	c->mean = t->spread.mean;
	c->band = fabs(t->spread.mean) * rule.tolerance;
	c->band_text = arena_printf(d->arena, "%g %%", 100 * rule.tolerance);
	chart_open(d, c);
	chart_table(d, s, x, n);
	chart_close(d);
}

static void marked_row(struct document *d, const struct trend *t, const char *what, size_t place, double share)
{
	const struct trend_point *p = &t->series->points[place];
	table_row(d);
	cell(d, NULL, what);
	cell(d, NULL, arena_printf(d->arena, "%zu", place + 1));
	cell(d, NULL, when(d, p->time));
	result_cell(d, p->result);
	cell(d, NULL, signed_share(d, share));
	cell(d, NULL, log_of(d, p->run, p->result));
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
	table_end(d, arena_printf(d->arena, "Outliers: modified z-score above 3.5, deviation from the mean. Changes: Pettitt, "
		"claimed at %g %%, deviation of the mean after from the mean before.%s", 100 * rule.level,
		o->n > LISTED ? arena_printf(d->arena, " %zu further outliers are not listed.", o->n - LISTED) : ""));
}

static void write_series(struct document *d, const struct trends *t, size_t i)
{
	const struct trend *k = &t->v[i];
	const char *name = name_of(d, t, i);
	elem(d, "part");
	attr_id(d, "id", "p", ++d->sections);
	elem_text(d, "title", name);
	elem_text(d, "para", shorter(d, k->sentence));
	if (k->series->params.n)
		elem_text(d, "para", arena_printf(d->arena, "Measured with %.*s.", SLICE_ARG(k->series->params)));
	write_chart(d, k, name);
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
enum { STATES = sizeof states / sizeof *states };

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

static void jobs_row(struct document *d, const struct run *run, const struct result *const *by_state)
{
	double planned = 0;
	for (size_t k = 0; k < STATES; k++)
		planned += by_state[k] ? by_state[k]->q.value : 0;
	table_row(d);
	cell_slice(d, run->tool);
	cell_slice(d, run->subject.n ? run->subject : SLICE("\xe2\x80\x93"));
	cell(d, NULL, arena_printf(d->arena, "%.0f", planned));
	for (size_t k = 0; k < STATES; k++) {
		double n = by_state[k] ? by_state[k]->q.value : 0;
		cell(d, n == 0 ? NULL : k == 0 ? "good" : "bad", arena_printf(d->arena, "%.0f", n));
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
		table_end(d, "Planned: all jobs that left output, and those whose number is missing in the series. The diagnostics "
			"name each that is not complete.");
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
				found, j->n, g.interval, g.longest, when(d, g.at)));
	}
}

/* ---- servers ---- */

static const struct statistic {
	const char *title, *test;
	enum metric_id metric;
	bool least;
	struct { const char *key, *value; } wanted[2]; /* value NULL: the result has none of that key */
	const char *each; /* one row for each value of this param */
} statistics[] = {
	{ "Most system CPU", "cpu", METRIC_CPU_UTIL, false, { { "cpu", "all" }, { "mode", "sys" } }, NULL },
	{ "Most iowait", "cpu", METRIC_CPU_UTIL, false, { { "cpu", "all" }, { "mode", "iowait" } }, NULL },
	{ "Least free memory", "memory", METRIC_MEMORY_FREE, true, { { NULL, NULL } }, NULL },
	{ "Most read from all disks", "disk", METRIC_BANDWIDTH, false, { { "device", "sum" }, { "op", "read" } }, NULL },
	{ "Most written to all disks", "disk", METRIC_BANDWIDTH, false, { { "device", "sum" }, { "op", "write" } }, NULL },
	{ "Most read and written", "disk", METRIC_BANDWIDTH, false, { { "device", "sum" }, { "op", NULL } }, NULL },
	{ "Most received", "network", METRIC_BANDWIDTH, false, { { "direction", "receive" } }, "iface" },
	{ "Most sent", "network", METRIC_BANDWIDTH, false, { { "direction", "transmit" } }, "iface" },
};

struct extreme_row {
	struct slice subject, each;
	const struct run *run;
	const struct result *result;
};

static bool is_wanted(const struct statistic *s, const struct result *r)
{
	bool fits = r->metric == s->metric && slice_is(r->stat, s->least ? "min" : "max") &&
		slice_is(result_test(r), s->test) && !r->q.missing && isfinite(r->q.value);
	for (size_t i = 0; fits && i < sizeof s->wanted / sizeof *s->wanted && s->wanted[i].key; i++) {
		const struct param *p = result_param(r, s->wanted[i].key);
		fits = s->wanted[i].value ? p && slice_is(p->value, s->wanted[i].value) : !p;
	}
	return fits && (!s->each || result_param(r, s->each));
}

static bool is_beyond(const struct statistic *s, const struct result *r, const struct result *so_far)
{
	return s->least ? r->q.value < so_far->q.value : r->q.value > so_far->q.value;
}

/* The extreme of each subject, of at most `max`. */
static size_t find_extremes(const struct dataset *data, const struct statistic *s, struct extreme_row *rows, size_t max)
{
	size_t n = 0;
	for (size_t i = 0; i < data->n_runs; i++) {
		const struct run *run = data->runs[i];
		for (size_t k = 0; slice_is(run->tool, "sysstat") && !run->same_as && k < run->n_results; k++) {
			const struct result *r = &run->results[k];
			if (!is_wanted(s, r))
				continue;
			struct slice each = s->each ? result_param(r, s->each)->value : SLICE("");
			size_t at = 0;
			while (at < n && !(slice_eq(rows[at].subject, run->subject) && slice_eq(rows[at].each, each)))
				at++;
			if (at == max)
				continue;
			if (at == n || is_beyond(s, r, rows[at].result))
				rows[at] = (struct extreme_row){ run->subject, each, run, r };
			n += at == n;
		}
	}
	return n;
}

static void server_row(struct document *d, const struct statistic *s, const struct extreme_row *row)
{
	struct slice subject = d->n_subjects > 1 ? row->subject : SLICE("");
	table_row(d);
	cell(d, NULL, arena_printf(d->arena, "%.*s%s%s%s%.*s", SLICE_ARG(subject), subject.n ? ": " : "", s->title,
		row->each.n ? ", " : "", SLICE_ARG(row->each)));
	result_cell(d, row->result);
	cell(d, NULL, when(d, result_time(row->run, row->result)));
	cell(d, NULL, log_of(d, row->run, row->result));
	row_end(d);
}

static void write_servers(struct document *d)
{
	struct extreme_row rows[HOSTS];
	bool begun = false;
	for (size_t i = 0; i < sizeof statistics / sizeof *statistics; i++) {
		size_t n = find_extremes(d->report->data, &statistics[i], rows, HOSTS);
		if (n && !begun) {
			table_begin(d, "Server statistics: extremes of all samples");
			table_column(d, "text", "Figure", NULL);
			table_column(d, "number", "Value", NULL);
			table_column(d, "text", "When", NULL);
			table_column(d, "text", "Log", NULL);
			begun = true;
		}
		for (size_t k = 0; k < n; k++)
			server_row(d, &statistics[i], &rows[k]);
	}
	if (begun)
		table_end(d, "Of all disks: the largest sum over the disks at one time stamp.");
}

/* ---- the section ---- */

void write_trends(struct document *d)
{
	struct trends *t = ARENA_NEW(d->arena, struct trends);
	size_t pass = 0, fail = 0;
	*t = (struct trends){ .n = 0 };
	judge(d, t);
	if (t->n == 0)
		return;
	for (size_t i = 0; i < t->n; i++) {
		pass += t->v[i].verdict == VERDICT_PASS;
		fail += t->v[i].verdict == VERDICT_FAIL;
	}
	elem(d, "section");
	attr(d, "id", "trend");
	attr(d, "kind", "trend");
	elem_text(d, "title", "Repeated jobs");
	elem_text(d, "finding", arena_printf(d->arena, "Of %zu figures that were measured at least %d times, %zu stay within "
		"%g %% of their mean, %zu do not, %zu are open.", t->n, TREND_MIN, pass, 100 * rule.tolerance, fail,
		t->n - pass - fail));
	elem_text(d, "para", arena_printf(d->arena, "The verdict: no value may deviate from the mean of its series by more "
		"than %g %%, the default. With another tolerance: assay trend --tolerance.", 100 * rule.tolerance));
	write_jobs(d);
	write_halts(d, &t->set);
	write_overview(d, t);
	write_servers(d);
	for (size_t i = 0; i < t->n; i++)
		write_series(d, t, i);
	elem_end(d);
}
