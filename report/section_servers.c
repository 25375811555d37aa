/* The servers' statistics: the extremes of all samples, and over time beside the jobs. */
#include "report/servers.h"

#include "model/columns.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

enum { ROWS = 64, CURVES = 64 };

/* What is drawn together, and how each line is called; chart NULL: not drawn. */
static const struct {
	const char *chart, *line;
} drawn[SERVER_STATISTICS] = {
	[SERVER_SYSTEM_CPU] = { "CPU", "system" },
	[SERVER_IOWAIT] = { "CPU", "iowait" },
	[SERVER_FREE_MEMORY] = { "Memory", "free" },
	[SERVER_DISK_READ] = { "All disks", "read" },
	[SERVER_DISK_WRITE] = { "All disks", "written" },
	[SERVER_RECEIVE] = { "Network", "received" },
	[SERVER_TRANSMIT] = { "Network", "sent" },
};

/* "NFS subnet (ens300f0np0)" */
static const char *interface_name(struct document *d, struct slice subject, struct slice iface)
{
	const struct study_interface *i = study_interface(study_subject(d->report->study, subject), iface);
	return i && i->title.n ? arena_printf(d->arena, "%.*s (%.*s)", SLICE_ARG(i->title), SLICE_ARG(iface)) :
		arena_string(d->arena, iface);
}

/* ---- extremes ---- */

static void server_row(struct document *d, const struct server_statistic *s, const struct server_extreme *x)
{
	struct slice subject = d->n_subjects > 1 ? x->subject : SLICE("");
	table_row(d);
	cell(d, NULL, arena_printf(d->arena, "%.*s%s%s%s%s", SLICE_ARG(subject), subject.n ? ": " : "", s->title,
		x->each.n ? ", " : "", x->each.n ? interface_name(d, x->subject, x->each) : ""));
	trend_result_cell(d, x->result);
	cell(d, NULL, trend_when(d, result_time(x->run, x->result)));
	cell(d, NULL, trend_log(d, x->run, x->result));
	row_end(d);
}

static void write_extremes(struct document *d)
{
	table_begin(d, "Server statistics: extremes of all samples");
	table_column(d, "text", "Figure", NULL);
	table_column(d, "number", "Value", NULL);
	table_column(d, "text", "When", NULL);
	table_column(d, "text", "Log", NULL);
	for (enum server_statistic_id id = 0; id < SERVER_STATISTICS; id++) {
		size_t n;
		struct server_extreme *x = server_extremes(d->arena, d->report->data, id, SLICE(""), &n);
		for (size_t k = 0; k < n && k < ROWS; k++)
			server_row(d, server_statistic(id), &x[k]);
	}
	table_end(d, "Of all disks: the largest sum over the disks at one time stamp.");
}

static bool any_extreme(struct document *d)
{
	size_t n = 0;
	for (enum server_statistic_id id = 0; id < SERVER_STATISTICS && n == 0; id++)
		server_extremes(d->arena, d->report->data, id, SLICE(""), &n);
	return n > 0;
}

/* ---- curves ---- */

struct curves {
	struct curve v[CURVES];
	size_t n;
	size_t unzoned;    /* files left out: of a host that others tell the zone of */
	bool assumed, full;
};

static bool is_timed(const struct run *run)
{
	if (!server_run(run, SLICE("")) || !isfinite(run->started))
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

static struct curve *curve_of(struct curves *c, enum server_statistic_id id, const struct run *run, struct slice each)
{
	const struct server_statistic *s = server_statistic(id);
	struct slice host = server_host(run);
	for (size_t i = 0; i < c->n; i++) {
		struct curve *k = &c->v[i];
		if (k->id == id && slice_eq(k->subject, run->subject) && slice_eq(k->host, host) && slice_eq(k->each, each))
			return k;
	}
	if (c->n == CURVES) {
		c->full = true;
		return NULL;
	}
	c->v[c->n] = (struct curve){ .id = id, .least = s->least, .metric = s->metric, .chart = drawn[id].chart,
		.line = drawn[id].line, .subject = run->subject, .host = host, .each = each };
	return &c->v[c->n++];
}

static void take_series(struct document *d, struct curves *c, const struct run *run, const struct series *s)
{
	for (enum server_statistic_id id = 0; id < SERVER_STATISTICS; id++) {
		const struct server_statistic *k = server_statistic(id);
		if (!drawn[id].chart || !server_is(k, s->metric, s->test, s->params))
			continue;
		struct curve *curve = curve_of(c, id, run, k->each ? params_find(s->params, k->each)->value : SLICE(""));
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
	bool least = c->least;
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
		if (least ? c->v[i].value < c->v[c->worst].value : c->v[i].value > c->v[c->worst].value)
			c->worst = i;
}

static int by_host(const void *a, const void *b)
{
	const struct curve *x = a, *y = b;
	int c = slice_cmp(x->subject, y->subject);
	c = c ? c : slice_cmp(x->host, y->host);
	c = c ? c : (int)x->id - (int)y->id;
	return c ? c : slice_cmp(x->each, y->each);
}

static void gather(struct document *d, struct curves *c)
{
	const struct dataset *data = d->report->data;
	for (size_t i = 0; i < data->n_runs; i++) {
		const struct run *run = data->runs[i];
		if (!is_timed(run))
			continue;
		if (server_told_better(data, run)) {
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
	return !c->least && c->v[c->worst].value == 0;
}

static bool same_panel(const struct curve *x, const struct curve *y)
{
	return strcmp(x->chart, y->chart) == 0 && slice_eq(x->subject, y->subject) &&
		slice_eq(x->host, y->host) && slice_eq(x->each, y->each);
}

static bool several_hosts(const struct curves *c)
{
	for (size_t i = 1; i < c->n; i++)
		if (!slice_eq(c->v[i].host, c->v[0].host) || !slice_eq(c->v[i].subject, c->v[0].subject))
			return true;
	return false;
}

/* As the study's evaluation takes it: one without an interface is for all but the loopback. */
static bool is_limit_of(const struct study_limit *l, const struct curve *c)
{
	if (l->statistic != c->id || !c->each.n)
		return l->statistic == c->id;
	return l->iface.n ? slice_glob(c->each, l->iface) : !slice_is(c->each, "lo");
}

static void find_limit(struct panel *p)
{
	const struct study *study = p->d->report->study;
	for (size_t k = 0; study && k < p->n && !p->limit; k++)
		for (size_t i = 0; i < study->evaluation.n_limits; i++)
			if (is_limit_of(&study->evaluation.limits[i], p->curve[k])) {
				p->limit = &study->evaluation.limits[i];
				p->limited = p->curve[k]->line;
			}
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
	p.name = arena_printf(d->arena, "%.*s%s%s%s%s", SLICE_ARG(host), host.n ? ": " : "", k->chart, k->each.n ? ", " : "",
		k->each.n ? interface_name(d, k->subject, k->each) : "");
	find_limit(&p);
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
				c->v[i].line);
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
		bool done = false;
		for (size_t k = 0; k < i && !done; k++)
			done = same_panel(&c->v[k], &c->v[i]);
		if (done)
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
	if (alone ? !any_timed(d->report->data) : !any_extreme(d))
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
