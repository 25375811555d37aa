/* Percentiles of latencies over time: what fio's logs of single I/Os and of histograms show, one chart for each log, or
 * for all logs of a run's jobs together, and direction. */
#include "report/document.h"

#include "model/over_time.h"
#include "model/steady.h"

#include <math.h>
#include <stdlib.h>

enum { SHOWN = 24, HIGH = 2 /* times the middle value: a peak */ };

struct shown {
	const struct run *run;
	const struct spread *spread;
};

static bool is_shown(const struct spread *s)
{
	return s->n_windows > 1 && !s->part && s->unit > 0;
}

static struct slice param_of(const struct run *run, const char *key)
{
	const struct param *p = run->n_jobs ? params_find(run->jobs[0]->params, key) : NULL;
	return p ? p->value : SLICE("");
}

static const char *const what[METRICS] = { [METRIC_LATENCY] = "latency",
	[METRIC_COMPLETION_LATENCY] = "completion latency", [METRIC_SUBMISSION_LATENCY] = "submission latency" };

/* "randread: completion latency of reads (clat log of 127.0.0.1)" */
static const char *name_of(struct document *d, const struct shown *s)
{
	struct slice test = s->run->n_jobs ? s->run->jobs[0]->name : SLICE(""), host = param_of(s->run, "host"),
		kind = param_of(s->run, "log");
	const char *logs = s->spread->merged ? arena_printf(d->arena, "%zu %.*s logs", s->spread->merged, SLICE_ARG(kind)) :
		arena_printf(d->arena, "%.*s log", SLICE_ARG(kind));
	return arena_printf(d->arena, "%.*s%s%s of %.*ss (%s%s%.*s)", SLICE_ARG(test), test.n ? ": " : "",
		what[s->spread->metric], SLICE_ARG(s->spread->op), logs, host.n ? " of " : "", SLICE_ARG(host));
}

/* The percentile that a sentence speaks of: p99, or where it is nowhere, p50. */
static size_t spoken(const struct spread *s)
{
	size_t n = 0;
	for (size_t i = 0; i < s->n_windows; i++)
		n += isfinite(over_time_value(s, i, 1));
	return n > 1 ? 1 : 0;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

struct extremes {
	size_t stat, n, at; /* n: windows that have it; at: the highest one's */
	double least, middle, most;
};

static struct extremes extremes_of(struct document *d, const struct spread *s)
{
	struct extremes e = { .stat = spoken(s) };
	double *v = ARENA_ARRAY(d->arena, s->n_windows, double);
	e.most = -INFINITY;
	for (size_t i = 0; i < s->n_windows; i++) {
		double value = over_time_value(s, i, e.stat);
		if (isnan(value))
			continue;
		v[e.n++] = value;
		e.at = value > e.most ? i : e.at;
		e.most = fmax(e.most, value);
	}
	qsort(v, e.n, sizeof *v, by_value);
	e.least = e.n ? v[0] : NAN;
	e.middle = e.n ? v[e.n / 2] : NAN;
	return e;
}

static const char *seconds(struct document *d, double from, double to)
{
	return arena_printf(d->arena, "%.6g\xe2\x80\x93%.6g s", from, to);
}

static const char *finding_of(struct document *d, const struct spread *s, const struct extremes *e)
{
	const char *stat = over_time_stats[e->stat].stat;
	const struct spread_window *w = &s->windows[e->at];
	if (e->most > HIGH * e->middle)
		return arena_printf(d->arena, "%s peaks at %s in %s, %s times its middle value, %s", stat,
			show(d->arena, e->most, UNIT_S, 3), seconds(d, w->from, w->to), show_ratio(d->arena, e->most / e->middle),
			show(d->arena, e->middle, UNIT_S, 3));
	return arena_printf(d->arena, "%s stays between %s and %s", stat, show(d->arena, e->least, UNIT_S, 3),
		show(d->arena, e->most, UNIT_S, 3));
}

static const char *steady_text(struct document *d, const struct shown *s, const struct extremes *e)
{
	const struct steady_rule *rule = d->report->rule ? d->report->rule : &steady_snia;
	struct series series = over_time_series(d->arena, s->run, NULL, s->spread, e->stat);
	struct steady judged = steady_judge(d->arena, rule, &series);
	const char *stat = over_time_stats[e->stat].stat;
	if (judged.doubts & STEADY_TOO_SHORT)
		return arena_printf(d->arena, "Too short for %s to say whether %s is steady.", rule->name, stat);
	return arena_printf(d->arena, "By %s, put to the windows' %s, it %s.", rule->name, stat,
		judged.steady ? "ends steady" : "does not end steady");
}

static void fill(struct document *d, struct chart *c, const struct spread *s)
{
	double lo = INFINITY, hi = 0;
	for (size_t k = 0; k < OVER_TIME_STATS; k++) {
		double *x = ARENA_ARRAY(d->arena, s->n_windows, double), *y = ARENA_ARRAY(d->arena, s->n_windows, double);
		size_t there = 0;
		for (size_t i = 0; i < s->n_windows; i++) {
			x[i] = (s->windows[i].from + s->windows[i].to) / 2;
			y[i] = over_time_value(s, i, k);
			if (isnan(y[i]))
				continue;
			lo = fmin(lo, y[i]);
			hi = fmax(hi, y[i]);
			there++;
		}
		if (there)
			c->series[c->n_series++] = (struct chart_series){ .name = over_time_stats[k].stat, .style = (unsigned)k + 1,
				.x = x, .y = y, .n = s->n_windows };
	}
	struct scale scale = scale_of(d->arena, &hi, 1, s->metric, 4);
	c->y_factor = scale.factor;
	c->y_unit = scale.unit;
	c->log = lo > 0 && hi / lo > 12;
	c->x_title = "s";
}

static void data_table(struct document *d, const struct shown *s)
{
	const struct spread *sp = s->spread;
	table_begin(d, "Percentiles, window by window");
	table_column(d, "text", "Window", NULL);
	table_column(d, "number", "I/Os", NULL);
	for (size_t k = 0; k < OVER_TIME_STATS; k++)
		table_column(d, "number", over_time_stats[k].stat, NULL);
	for (size_t i = 0; i < sp->n_windows; i++) {
		const struct spread_window *w = &sp->windows[i];
		table_row(d);
		cell(d, NULL, seconds(d, w->from, w->to));
		cell(d, NULL, text_grouped(d->arena, arena_printf(d->arena, "%llu", (unsigned long long)w->hist.n)));
		for (size_t k = 0; k < OVER_TIME_STATS; k++) {
			struct figure f = { .value = over_time_value(sp, i, k), .unit = UNIT_S, .basis = "recomputed",
				.how = arena_printf(d->arena, "from the histogram of this window's %llu I/Os", (unsigned long long)w->hist.n),
				.pos = { .source = s->run->source, .line = w->line, .column = w->line ? 1 : 0 } };
			if (isnan(f.value))
				cell_none(d);
			else
				cell_figure(d, NULL, &f, show(d->arena, f.value, UNIT_S, 4));
		}
		row_end(d);
	}
	table_end(d, "Each from the histogram of the window's own I/Os, within 0.8 % of the latency; p99 takes 100 I/Os, p99.9 "
		"takes 1,000. Nothing is averaged.");
}

static void write_one(struct document *d, const struct shown *s)
{
	struct extremes e = extremes_of(d, s->spread);
	const char *name = name_of(d, s), *finding = e.n ? finding_of(d, s->spread, &e) : "No window has enough I/Os";
	const struct spread_window *w = &s->spread->windows[0];
	elem(d, "part");
	attr_id(d, "id", "p", ++d->sections);
	elem_text(d, "title", name);
	elem_text(d, "para", arena_printf(d->arena, "%s. %zu windows of %.4g s. %s", finding, s->spread->n_windows,
		w->to - w->from, e.n > 1 ? steady_text(d, s, &e) : ""));
	struct chart *c = chart_new(d, finding, arena_printf(d->arena, "%s over time: median, p99 and p99.9 of each window",
		metric_get(s->spread->metric)->title),
		arena_printf(d->arena, "Line chart of the median, the 99th and the 99.9th percentile of %s, %zu windows. %s.", name,
			s->spread->n_windows, finding));
	fill(d, c, s->spread);
	chart_open(d, c);
	data_table(d, s);
	chart_close(d);
	elem_end(d);
}

void write_over_time(struct document *d, struct slice subject)
{
	const struct dataset *data = d->report->data;
	struct shown *v = NULL;
	size_t n = 0, cap = 0, peaks = 0;
	for (size_t i = 0; i < data->n_runs; i++)
		for (size_t k = 0; slice_eq(data->runs[i]->subject, subject) && k < data->runs[i]->n_spreads; k++)
			if (is_shown(&data->runs[i]->spreads[k]))
				*ARENA_PUSH(d->arena, v, n, cap) = (struct shown){ .run = data->runs[i],
					.spread = &data->runs[i]->spreads[k] };
	if (n == 0)
		return;
	for (size_t i = 0; i < n; i++) {
		struct extremes e = extremes_of(d, v[i].spread);
		peaks += e.n && e.most > HIGH * e.middle;
	}
	elem(d, "section");
	attr_id(d, "id", "p", ++d->sections);
	attr(d, "kind", "suite");
	attr_id(d, "subject", "s", subject_id(d, subject));
	elem_text(d, "title", "Latency over time");
	elem_text(d, "finding", peaks ?
		arena_printf(d->arena, "In %zu of %zu logs and directions some window's p99 is more than %d times the middle one.",
			peaks, n, HIGH) :
		"No window's p99 is more than twice the middle one.");
	for (size_t i = 0; i < n && i < SHOWN; i++)
		write_one(d, &v[i]);
	if (n > SHOWN)
		elem_text(d, "para", arena_printf(d->arena, "%zu further ones are not drawn; assay results lists all.", n - SHOWN));
	elem_end(d);
}
