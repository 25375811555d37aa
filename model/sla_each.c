#include "model/sla_each.h"

#include "base/num.h"
#include "model/over_time.h"

#include <math.h>

/* What is looked at: the windows of a log, and the job that wrote it. */
struct look {
	struct arena *a;
	const struct sla *sla;
	const struct run *run;
	const struct job *job;
	const struct spread *spread;
	const struct source *source;
	struct point *points;   /* a value per whole period */
	size_t n_points, worst; /* worst: of the points */
	uint64_t worst_ios;
	const char *open;       /* why not every period has one */
};

double sla_each_percent(struct slice stat)
{
	double percent;
	if (!slice_starts(stat, "p") || num_double(slice_from(stat, 1), &percent) != NUM_OK || !(percent > 0 && percent < 100))
		return NAN;
	return percent;
}

/* Of the windows but the last one, which ends with the log. */
static double window_length(const struct spread *s)
{
	double longest = s->n_windows == 1 ? s->windows[0].to - s->windows[0].from : 0;
	for (size_t i = 0; i + 1 < s->n_windows; i++)
		longest = fmax(longest, s->windows[i].to - s->windows[i].from);
	return longest;
}

/* Whole periods that windows of this length make up; 0, and why. */
static size_t count_periods(struct look *l, double length)
{
	const struct spread *s = l->spread;
	const double slack = 0.02, each = l->sla->each;
	double parts = each / length, end = s->n_windows ? s->windows[s->n_windows - 1].to : 0;
	if (s->unit <= 0)
		l->open = "Nothing tells the unit of the log's latencies.";
	else if (s->n_windows == 0)
		l->open = "The log does not tell when its I/Os were.";
	else if (end + length / 2 < each)
		l->open = arena_printf(l->a, "The log ends after %.4g s, before the first %g s are over.", end, each);
	else if (parts < 1 - slack || fabs(parts - round(parts)) > slack * parts)
		l->open = arena_printf(l->a, "The log is kept in windows of %.4g s: %g s can't be made of them.", length, each);
	else
		return (size_t)floor((end + length / 2) / each);
	return 0;
}

static void take_period(struct look *l, size_t period, const struct hist *h, uint32_t line)
{
	const struct sla *sla = l->sla;
	double percent = sla_each_percent(sla->stat), from = (double)period * sla->each, to = from + sla->each;
	double value = hist_percentile(h, percent);
	if ((double)h->n * (100 - percent) < 100 * (1 - 1e-9)) {
		l->open = l->open ? l->open : arena_printf(l->a, "From %g to %g s %llu I/Os ended: too few for %.*s.", from, to,
			(unsigned long long)h->n, SLICE_ARG(sla->stat));
		return;
	}
	/* Of the last bin only its beginning is known: that the value is as high. */
	if (hist_index((uint64_t)value) >= l->spread->open_end)
		l->open = l->open ? l->open : arena_printf(l->a, "From %g to %g s the value lies beyond the log's last bin.", from, to);
	struct point *p = &l->points[l->n_points];
	*p = (struct point){ .t = to, .value = spread_value(l->spread, value), .job = l->job,
		.pos = { .source = l->source, .line = line, .column = line ? 1 : 0 } };
	if (l->n_points == 0 || p->value > l->points[l->worst].value) {
		l->worst = l->n_points;
		l->worst_ios = h->n;
	}
	l->n_points++;
}

/* A window is a period's by its middle. */
static void take_periods(struct look *l)
{
	const struct spread *s = l->spread;
	size_t n = count_periods(l, window_length(s)), i = 0;
	l->points = ARENA_ARRAY(l->a, n + 1, struct point);
	for (size_t k = 0; k < n; k++) {
		struct hist h = { .n = 0 };
		uint32_t line = 0;
		for (; i < s->n_windows && (s->windows[i].from + s->windows[i].to) / 2 < (double)(k + 1) * l->sla->each; i++) {
			line = line ? line : s->windows[i].line;
			hist_merge_packed(&h, &s->windows[i].hist);
		}
		take_period(l, k, &h, line);
	}
}

static struct slice seconds(struct arena *a, double s)
{
	char text[NUM_FORMAT_SIZE] = "";
	return arena_copy(a, (struct slice){ text, num_format(text, s) });
}

static const struct result *worst_of(const struct look *l)
{
	struct arena *a = l->a;
	struct result *r = ARENA_NEW(a, struct result);
	struct param *own = ARENA_ARRAY(a, 3, struct param);
	const struct point *p = l->n_points ? &l->points[l->worst] : NULL;
	own[0] = (struct param){ .key = SLICE("op"), .value = l->spread->op };
	if (p) {
		own[1] = (struct param){ .key = SLICE("from"), .value = seconds(a, p->t - l->sla->each) };
		own[2] = (struct param){ .key = SLICE("to"), .value = seconds(a, p->t) };
	}
	*r = (struct result){ .metric = l->spread->metric, .stat = l->sla->stat, .flags = RESULT_DERIVED, .job = l->job,
		.params = { own, p ? 3 : 1 }, .n = l->worst_ios, .time = NAN,
		.q = { .value = p ? p->value : NAN, .unit = metric_get(l->spread->metric)->unit, .missing = !p,
			.half_digit = p ? p->value / 128 : 0, .pos = p ? p->pos : (struct pos){ .source = l->source } } };
	return r;
}

static void add_candidate(struct look *l, struct candidates *c)
{
	struct param *op = ARENA_NEW(l->a, struct param);
	struct series *s = ARENA_NEW(l->a, struct series);
	*op = (struct param){ .key = SLICE("op"), .value = l->spread->op };
	*s = (struct series){ .kind = SERIES_SAMPLES, .metric = l->spread->metric, .test = l->job ? l->job->name : SLICE(""),
		.params = { op, 1 }, .stat = l->sla->stat, .interval = l->sla->each };
	take_periods(l);
	s->points = l->points;
	s->n = l->n_points;
	const struct result *worst = worst_of(l);
	if (!sla_matches(l->a, l->sla, l->run, NULL, worst))
		return;
	*ARENA_PUSH(l->a, c->v, c->n, c->cap) = (struct judgement){ .run = l->run, .series = s, .result = worst, .open = l->open,
		.name = arena_printf(l->a, "job %.*s, %.*s", SLICE_ARG(s->test), SLICE_ARG(l->spread->op)) };
}

void sla_each_candidates(struct arena *a, const struct sla *sla, const struct run *run, struct candidates *c)
{
	const struct spread *last = NULL;
	const struct job *job = NULL;
	for (size_t i = 0; i < run->n_series; i++) {
		const struct series *s = &run->series[i];
		if (!s->spread || s->metric != sla->metric || !s->n || (s->spread == last && s->points[0].job == job))
			continue;
		last = s->spread;
		job = s->points[0].job;
		struct look l = { .a = a, .sla = sla, .run = run, .job = job, .spread = last,
			.source = s->points[0].pos.source };
		add_candidate(&l, c);
	}
	for (size_t i = 0; i < run->n_spreads && !last; i++) {
		const struct spread *s = &run->spreads[i];
		struct look l = { .a = a, .sla = sla, .run = run, .job = run->n_jobs ? run->jobs[0] : NULL, .spread = s,
			.source = run->source };
		if (s->metric == sla->metric && !s->part)
			add_candidate(&l, c);
	}
}
