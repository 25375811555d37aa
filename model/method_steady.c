/* Steady state as fio says it: what its word is worth. */
#include "model/method_look.h"

#include "base/num.h"

#include <math.h>

static const struct series *own_series(const struct run *run, const struct job *job, enum metric_id metric)
{
	for (size_t i = 0; i < run->n_series; i++) {
		const struct series *s = &run->series[i];
		if (s->metric == metric && s->claimed != CLAIM_NONE && s->n && s->points[0].job == job)
			return s;
	}
	return NULL;
}

/* "iops_slope:0.3%": the metric, whether its slope or its largest deviation counts, and the limit in %. */
static bool criterion_of(struct slice text, enum metric_id *metric, bool *slope, double *limit)
{
	size_t colon = slice_find_char(text, ':');
	struct slice number = slice_from(text, colon + 1);
	if (colon == (size_t)-1)
		return false;
	*metric = slice_starts(text, "iops") ? METRIC_IOPS : slice_starts(text, "bw") ? METRIC_BANDWIDTH : METRIC_LATENCY;
	*slope = slice_find(slice_head(text, colon), SLICE("slope")) != (size_t)-1;
	return num_double(slice_head(number, num_span(number)), limit) == NUM_OK;
}

static const char *by_fio(struct arena *a, const double *y, size_t n, bool slope, double limit)
{
	struct fio_steady s = steady_fio(y, n, slope, limit);
	if (isnan(s.criterion))
		return "too few samples to recompute it";
	const char *so = s.attained ? "so attained" : "so not attained";
	if (slope)
		return arena_printf(a, "recomputed %.3g %% per sample, %.3g %% over the window, %s", s.criterion, s.drift, so);
	return arena_printf(a, "recomputed %.3g %%, %s", s.criterion, so);
}

/* An independent rule over the same window: five equal parts of it stand for rounds. The last part may be longer. */
static struct steady_window by_fifths(const double *y, size_t n)
{
	enum { PARTS = 5 };
	double mean[PARTS] = { 0 };
	size_t part = n / PARTS;
	for (size_t i = 0; i < PARTS && part; i++) {
		size_t end = i + 1 < PARTS ? (i + 1) * part : n;
		for (size_t k = i * part; k < end; k++)
			mean[i] += y[k] / (double)(end - i * part);
	}
	return steady_window(&steady_snia, mean, 0, part ? PARTS : 0);
}

/* fio's word for it only means that the author's limit was met: fio's criterion again, and an independent rule. */
bool rule_loose_steady(struct run_facts *r, const struct facts *f, struct finding *out)
{
	const struct param *ss = job_says(f->job, "steadystate.ss"), *attained = job_says(f->job, "steadystate.attained");
	enum metric_id metric;
	double limit;
	bool slope;
	if (!ss || !attained || !criterion_of(ss->value, &metric, &slope, &limit))
		return false;
	bool claimed = !slice_is(attained->value, "0");
	const struct series *s = own_series(r->run, f->job, metric);
	if (!s)
		return !claimed && rule_say(r, out, attained->pos, "What is reported is the mean of the whole run.",
			"not attained by fio's %.*s", SLICE_ARG(ss->value));
	double *y = ARENA_ARRAY(r->arena, s->n, double);
	for (size_t i = 0; i < s->n; i++)
		y[i] = s->points[i].value;
	struct fio_steady own = steady_fio(y, s->n, slope, limit);
	struct steady_window snia = by_fifths(y, s->n);
	if (claimed && own.attained && snia.steady)
		return false;
	const char *rule = snia.n < steady_snia.window ? "too short to be judged" : snia.steady ? "steady" : "not steady";
	return rule_say(r, out, attained->pos, claimed ? "That the limit of its author was met does not mean steady state." :
		"What is reported is the mean of the whole run.", "%sattained by fio's %.*s (%s); by %s %s", claimed ? "" : "not ",
		SLICE_ARG(ss->value), by_fio(r->arena, y, s->n, slope, limit), steady_snia.name, rule);
}
