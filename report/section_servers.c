/* The servers' statistics: the extremes of all samples, and over time beside the jobs. */
#include "report/servers.h"

#include "model/columns.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

enum { ROWS = 64, CURVES = 64 };

static const struct statistic statistics[] = {
	{ "Most system CPU", "cpu", METRIC_CPU_UTIL, false, { { "cpu", "all" }, { "mode", "sys" } }, NULL,
		"CPU", "system" },
	{ "Most iowait", "cpu", METRIC_CPU_UTIL, false, { { "cpu", "all" }, { "mode", "iowait" } }, NULL,
		"CPU", "iowait" },
	{ "Least free memory", "memory", METRIC_MEMORY_FREE, true, { { NULL, NULL } }, NULL, "Memory", "free" },
	{ "Most read from all disks", "disk", METRIC_BANDWIDTH, false, { { "device", "sum" }, { "op", "read" } }, NULL,
		"All disks", "read" },
	{ "Most written to all disks", "disk", METRIC_BANDWIDTH, false, { { "device", "sum" }, { "op", "write" } }, NULL,
		"All disks", "written" },
	{ "Most read and written", "disk", METRIC_BANDWIDTH, false, { { "device", "sum" }, { "op", NULL } }, NULL,
		NULL, NULL },
	{ "Most received", "network", METRIC_BANDWIDTH, false, { { "direction", "receive" } }, "iface",
		"Network", "received" },
	{ "Most sent", "network", METRIC_BANDWIDTH, false, { { "direction", "transmit" } }, "iface",
		"Network", "sent" },
};
enum { STATISTICS = sizeof statistics / sizeof *statistics };

/* ---- extremes ---- */

struct extreme_row {
	struct slice subject, each;
	const struct run *run;
	const struct result *result;
};

static bool is_sysstat(const struct run *run)
{
	return slice_is(run->tool, "sysstat") && !run->same_as && !params_find(run->attrs, "duplicate_of");
}

static bool fits(const struct statistic *s, struct params params)
{
	for (size_t i = 0; i < sizeof s->wanted / sizeof *s->wanted && s->wanted[i].key; i++) {
		const struct param *p = params_find(params, s->wanted[i].key);
		if (s->wanted[i].value ? !p || !slice_is(p->value, s->wanted[i].value) : p != NULL)
			return false;
	}
	return !s->each || params_find(params, s->each);
}

static bool is_wanted(const struct statistic *s, const struct result *r)
{
	return r->metric == s->metric && slice_is(r->stat, s->least ? "min" : "max") && slice_is(result_test(r), s->test) &&
		!r->q.missing && isfinite(r->q.value) && fits(s, r->params);
}

static bool is_beyond(const struct statistic *s, double value, double so_far)
{
	return s->least ? value < so_far : value > so_far;
}

/* The extreme of each subject, of at most `max`. */
static size_t find_extremes(const struct dataset *data, const struct statistic *s, struct extreme_row *rows, size_t max)
{
	size_t n = 0;
	for (size_t i = 0; i < data->n_runs; i++) {
		const struct run *run = data->runs[i];
		for (size_t k = 0; is_sysstat(run) && k < run->n_results; k++) {
			const struct result *r = &run->results[k];
			if (!is_wanted(s, r))
				continue;
			struct slice each = s->each ? result_param(r, s->each)->value : SLICE("");
			size_t at = 0;
			while (at < n && !(slice_eq(rows[at].subject, run->subject) && slice_eq(rows[at].each, each)))
				at++;
			if (at == max)
				continue;
			if (at == n || is_beyond(s, r->q.value, rows[at].result->q.value))
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
	trend_result_cell(d, row->result);
	cell(d, NULL, trend_when(d, result_time(row->run, row->result)));
	cell(d, NULL, trend_log(d, row->run, row->result));
	row_end(d);
}

static bool any_extreme(const struct dataset *data)
{
	struct extreme_row row;
	for (size_t i = 0; i < STATISTICS; i++)
		if (find_extremes(data, &statistics[i], &row, 1))
			return true;
	return false;
}

static void write_extremes(struct document *d)
{
	struct extreme_row rows[ROWS];
	table_begin(d, "Server statistics: extremes of all samples");
	table_column(d, "text", "Figure", NULL);
	table_column(d, "number", "Value", NULL);
	table_column(d, "text", "When", NULL);
	table_column(d, "text", "Log", NULL);
	for (size_t i = 0; i < STATISTICS; i++) {
		size_t n = find_extremes(d->report->data, &statistics[i], rows, ROWS);
		for (size_t k = 0; k < n; k++)
			server_row(d, &statistics[i], &rows[k]);
	}
	table_end(d, "Of all disks: the largest sum over the disks at one time stamp.");
}

/* ---- curves ---- */

struct curves {
	struct curve v[CURVES];
	size_t n;
	size_t unzoned;    /* files left out: of a host that others tell the zone of */
	bool assumed, full;
};

static struct slice host_of(const struct run *run)
{
	const struct param *host = params_find(run->attrs, "host");
	return host ? host->value : SLICE("");
}

static bool is_timed(const struct run *run)
{
	if (!is_sysstat(run) || !isfinite(run->started))
		return false;
	for (size_t i = 0; i < run->n_series; i++)
		if (run->series[i].kind == SERIES_SAMPLES && !run->series[i].untimed)
			return true;
	return false;
}

bool servers_take(const struct run *run)
{
	return is_timed(run);
}

static bool is_zoned(const struct run *run)
{
	return !params_find(run->attrs, "clock");
}

/* Two outputs of the same samples: that which tells its zone is the one to go by. */
static bool told_better(const struct dataset *data, const struct run *run)
{
	if (is_zoned(run))
		return false;
	for (size_t i = 0; i < data->n_runs; i++) {
		const struct run *other = data->runs[i];
		if (is_timed(other) && is_zoned(other) && slice_eq(other->subject, run->subject) &&
			slice_eq(host_of(other), host_of(run)))
			return true;
	}
	return false;
}

static struct curve *curve_of(struct curves *c, const struct statistic *s, const struct run *run, struct slice each)
{
	struct slice host = host_of(run);
	for (size_t i = 0; i < c->n; i++) {
		struct curve *k = &c->v[i];
		if (k->statistic == s && slice_eq(k->subject, run->subject) && slice_eq(k->host, host) &&
			slice_eq(k->each, each))
			return k;
	}
	if (c->n == CURVES) {
		c->full = true;
		return NULL;
	}
	c->v[c->n] = (struct curve){ .statistic = s, .subject = run->subject, .host = host, .each = each };
	return &c->v[c->n++];
}

static void take_series(struct document *d, struct curves *c, const struct run *run, const struct series *s)
{
	for (size_t i = 0; i < STATISTICS; i++) {
		const struct statistic *k = &statistics[i];
		if (!k->chart || s->metric != k->metric || !slice_is(s->test, k->test) || !fits(k, s->params))
			continue;
		struct curve *curve = curve_of(c, k, run, k->each ? params_find(s->params, k->each)->value : SLICE(""));
		if (curve)
			curve->interval = curve->n ? fmin(curve->interval, s->interval) : s->interval;
		for (size_t n = 0; curve && n < s->n; n++)
			*ARENA_PUSH(d->arena, curve->v, curve->n, curve->cap) =
				(struct sample){ run->started + s->points[n].t, s->points[n].value, s->points[n].pos };
	}
}

static int by_time(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;
	return x->t != y->t ? (x->t > y->t) - (x->t < y->t) : (x->value > y->value) - (x->value < y->value);
}

/* In order of time, of several at one time the worst only. */
static void settle(struct document *d, struct curve *c)
{
	bool least = c->statistic->least;
	size_t kept = 0;
	qsort(c->v, c->n, sizeof *c->v, by_time);
	for (size_t i = 0; i < c->n; i++) {
		if (kept == 0 || c->v[i].t != c->v[kept - 1].t)
			c->v[kept++] = c->v[i];
		else if (!least)
			c->v[kept - 1] = c->v[i];
	}
	c->n = kept;
	double *between = ARENA_ARRAY(d->arena, c->n, double);
	for (size_t i = 1; i < c->n; i++)
		between[i - 1] = c->v[i].t - c->v[i - 1].t;
	if (c->n > 1)
		gsl_sort(between, 1, c->n - 1);
	c->apart = c->n > 1 ? between[(c->n - 1) / 2] : 0;
	for (size_t i = 1; i < c->n; i++)
		if (is_beyond(c->statistic, c->v[i].value, c->v[c->worst].value))
			c->worst = i;
}

static int by_host(const void *a, const void *b)
{
	const struct curve *x = a, *y = b;
	int c = slice_cmp(x->subject, y->subject);
	c = c ? c : slice_cmp(x->host, y->host);
	c = c ? c : (x->statistic > y->statistic) - (x->statistic < y->statistic);
	return c ? c : slice_cmp(x->each, y->each);
}

static void gather(struct document *d, struct curves *c)
{
	const struct dataset *data = d->report->data;
	for (size_t i = 0; i < data->n_runs; i++) {
		const struct run *run = data->runs[i];
		if (!is_timed(run))
			continue;
		if (told_better(data, run)) {
			c->unzoned++;
			continue;
		}
		c->assumed |= !is_zoned(run);
		for (size_t k = 0; k < run->n_series; k++)
			if (run->series[k].kind == SERIES_SAMPLES && !run->series[k].untimed)
				take_series(d, c, run, &run->series[k]);
	}
	qsort(c->v, c->n, sizeof *c->v, by_host);
	for (size_t i = 0; i < c->n; i++)
		settle(d, &c->v[i]);
}

/* ---- all charts ---- */

static bool is_quiet(const struct curve *c)
{
	return !c->statistic->least && c->v[c->worst].value == 0;
}

static bool same_panel(const struct curve *x, const struct curve *y)
{
	return strcmp(x->statistic->chart, y->statistic->chart) == 0 && slice_eq(x->subject, y->subject) &&
		slice_eq(x->host, y->host) && slice_eq(x->each, y->each);
}

static bool several_hosts(const struct curves *c)
{
	for (size_t i = 1; i < c->n; i++)
		if (!slice_eq(c->v[i].host, c->v[0].host) || !slice_eq(c->v[i].subject, c->v[0].subject))
			return true;
	return false;
}

/* The curves that share a chart with the one at `first`. */
static struct panel panel_of(struct document *d, const struct curves *c, size_t first, const struct timeline *line)
{
	const struct curve *k = &c->v[first];
	struct panel p = { .d = d, .line = line, .lo = INFINITY, .hi = -INFINITY };
	struct slice host = several_hosts(c) ? k->host.n ? k->host : k->subject : SLICE("");
	for (size_t i = first; i < c->n && p.n < CHART_SERIES; i++)
		if (same_panel(&c->v[i], k)) {
			p.curve[p.n++] = &c->v[i];
			p.lo = fmin(p.lo, c->v[i].v[0].t);
			p.hi = fmax(p.hi, c->v[i].v[c->v[i].n - 1].t);
		}
	p.name = arena_printf(d->arena, "%.*s%s%s%s%.*s", SLICE_ARG(host), host.n ? ": " : "", k->statistic->chart,
		k->each.n ? ", " : "", SLICE_ARG(k->each));
	p.aligned = line->known && p.lo <= line->last && p.hi >= line->first;
	if (p.aligned) {
		p.lo = line->lo;
		p.hi = line->hi;
	} else if (p.hi <= p.lo) {
		p.hi = p.lo + 1;
	}
	return p;
}

/* What the alignment rests on, or why there is none. */
static void say_alignment(struct document *d, const struct curves *c, const struct panel *p)
{
	struct buf b = BUF_EMPTY;
	if (!p->line->known && p->line->untimed == 0)
		; /* there are no jobs */
	else if (!p->line->known)
		buf_str(&b, "Not aligned with the jobs: none of them tells when it ran.");
	else if (!p->aligned)
		buf_printf(&b, "Not aligned with the jobs: the samples are from %s to %s, the jobs ran from %s to %s.",
			trend_when(d, p->lo), trend_when(d, p->hi), trend_when(d, p->line->first), trend_when(d, p->line->last));
	else
		buf_str(&b, "On the time axis of the jobs.");
	if (c->assumed && p->line->assumed && p->aligned)
		buf_str(&b, " Neither the jobs nor the statistics print the zone of their clocks: all are taken as one.");
	else if (c->assumed)
		buf_str(&b, " The statistics print no zone of their clock, which is taken as UTC: if it is another, all of them are "
			"off by the difference.");
	else if (p->line->assumed && p->aligned)
		buf_str(&b, " The jobs print no zone of their clock, which is taken as UTC: if it is another, they are off by "
			"the difference.");
	if (c->unzoned)
		buf_printf(&b, " %zu file%s in the server's local time %s not drawn: others of the same host tell the zone.",
			c->unzoned, c->unzoned == 1 ? "" : "s", c->unzoned == 1 ? "is" : "are");
	if (c->full)
		buf_printf(&b, " Only the first %d statistics are drawn.", CURVES);
	if (b.n)
		elem_slice(d, "para", slice_trim(buf_view(&b)));
	buf_free(&b);
}

static void say_quiet(struct document *d, const struct curves *c)
{
	struct buf b = BUF_EMPTY;
	for (size_t i = 0; i < c->n; i++)
		if (is_quiet(&c->v[i]))
			buf_printf(&b, "%s%.*s%s%s", b.n ? ", " : "", SLICE_ARG(c->v[i].each), c->v[i].each.n ? " " : "",
				c->v[i].statistic->line);
	if (b.n)
		elem_text(d, "para", arena_printf(d->arena, "Always 0, and not drawn: %.*s.", SLICE_ARG(buf_view(&b))));
	buf_free(&b);
}

static bool all_quiet(const struct panel *p)
{
	for (size_t k = 0; k < p->n; k++)
		if (!is_quiet(p->curve[k]))
			return false;
	return true;
}

static void write_curves(struct document *d)
{
	struct curves *c = ARENA_NEW(d->arena, struct curves);
	struct timeline line = { .known = false };
	bool said = false;
	gather(d, c);
	for (size_t i = 0; i < c->n; i++) {
		bool drawn = false;
		for (size_t k = 0; k < i && !drawn; k++)
			drawn = same_panel(&c->v[k], &c->v[i]);
		if (drawn)
			continue;
		if (i == 0 || !slice_eq(c->v[i].subject, c->v[i - 1].subject))
			line = timeline_of(d, c->v[i].subject);
		struct panel p = panel_of(d, c, i, &line);
		if (!said)
			say_alignment(d, c, &p);
		said = true;
		if (!all_quiet(&p))
			write_panel(&p);
	}
	say_quiet(d, c);
}

static bool any_timed(const struct dataset *data)
{
	for (size_t i = 0; i < data->n_runs; i++)
		if (is_timed(data->runs[i]))
			return true;
	return false;
}

void write_servers(struct document *d, bool alone)
{
	if (alone ? !any_timed(d->report->data) : !any_extreme(d->report->data))
		return;
	elem(d, alone ? "section" : "part");
	attr_id(d, "id", "p", ++d->sections);
	if (alone)
		attr(d, "kind", "trend");
	elem_text(d, "title", "Server statistics");
	write_extremes(d);
	write_curves(d);
	elem_end(d);
}
