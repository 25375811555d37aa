/* The parts together: a series judged. */
#include "model/trend_parts.h"

#include <math.h>

static double *values_of(struct arena *a, const struct trend_point *p, size_t n)
{
	double *y = ARENA_ARRAY(a, n, double);
	for (size_t i = 0; i < n; i++)
		y[i] = p[i].value;
	return y;
}

static double squares(const double *y, size_t n)
{
	double mean = stats_mean(y, n), sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += (y[i] - mean) * (y[i] - mean);
	return sum;
}

/* Schwarz's criterion, by which the better of two descriptions is told: n ln(squares/n) + parameters · ln n. */
static double criterion(double sum, size_t n, size_t parameters)
{
	double m = (double)n;
	return sum > 0 ? m * log(sum / m) + (double)parameters * log(m) : -INFINITY;
}

static bool line_fits_better(const double *y, size_t n, const struct trend_division *changes, size_t n_changes)
{
	double slope, at_zero, line = 0, steps = 0;
	stats_line(y, n, &slope, &at_zero);
	for (size_t i = 0; i < n; i++)
		line += pow(y[i] - at_zero - slope * (double)i, 2);
	for (size_t i = 0; i <= n_changes; i++) {
		size_t from = i ? changes[i - 1].tau : 0, to = i < n_changes ? changes[i].tau : n;
		steps += squares(y + from, to - from);
	}
	return criterion(line, n, 2) < criterion(steps, n, 2 * n_changes + 1);
}

/* Changes between runs, each of which is the mean of its values. */
static void look_for_changes(struct arena *a, double level, struct trend *t)
{
	const struct trend_series *s = t->series;
	double *y = ARENA_ARRAY(a, s->n, double);
	size_t *first = ARENA_ARRAY(a, s->n + 1, size_t), n = 0;
	for (size_t i = 0; i < s->n; i++) {
		if (!s->points[i].same_run)
			first[n++] = i;
		y[n - 1] += (s->points[i].value - y[n - 1]) / (double)(i + 1 - first[n - 1]);
	}
	t->changes = trend_changes(a, y, n, level, &t->divided, &t->n_changes);
	t->divided.tau = first[t->divided.tau];
	for (size_t i = 0; i < t->n_changes; i++)
		t->changes[i].tau = first[t->changes[i].tau];
}

/* A drift looks like steps to the one test, a step like a drift to the other: what fits better is claimed. */
static void look_for_movement(struct arena *a, const struct trend_rule *rule, struct trend *t, const double *y, size_t n)
{
	t->drift = trend_drift(a, y, n);
	t->whole = trend_change(a, y, n, rule->level);
	look_for_changes(a, rule->level, t);
	t->drift.shown = t->drift.p_corrected <= 1 - rule->level;
	if (!t->drift.shown || t->n_changes == 0)
		return;
	if (line_fits_better(y, n, t->changes, t->n_changes))
		t->n_changes = 0;
	else
		t->drift.shown = false;
}

/* Rounding for print moves a value by up to half a digit: does that decide? */
static bool rounding_decides(const struct trend_series *series, const struct trend_spread *s, double tolerance)
{
	double deviation = fmax(-s->lowest, s->highest), open = series->points[s->worst].half / fabs(s->mean);
	return open > 0 && fabs(deviation - tolerance) < open && deviation != tolerance;
}

static enum verdict verdict_of(const struct trend_rule *rule, const struct trend_series *s,
	const struct trend_spread *spread)
{
	if (s->n == 0)
		return VERDICT_NO_DATA;
	if (s->n < 2 || isnan(spread->lowest) || rounding_decides(s, spread, rule->tolerance))
		return VERDICT_INCONCLUSIVE;
	if (spread->beyond.n > 0)
		return VERDICT_FAIL;
	return s->n < TREND_MIN ? VERDICT_INCONCLUSIVE : VERDICT_PASS;
}

enum verdict trend_deviation(struct arena *a, const struct trend_rule *rule, const struct trend_series *s,
	struct trend_spread *spread)
{
	*spread = trend_spread(a, values_of(a, s->points, s->n), s->n, rule->tolerance, metric_get(s->metric)->better);
	return verdict_of(rule, s, spread);
}

static void look_at_times(struct arena *a, struct trend *t)
{
	const struct trend_series *s = t->series;
	double *times = ARENA_ARRAY(a, s->n, double);
	t->first = t->last = NAN;
	for (size_t i = 0; i < s->n; i++)
		times[i] = s->points[i].time;
	if (s->n) {
		t->first = times[0];
		t->last = times[s->n - 1];
	}
	t->gaps = trend_gaps(a, times, s->n);
}

struct trend trend_judge(struct arena *a, const struct trend_rule *rule, const struct trend_series *s)
{
	struct trend t = { .series = s, .judged = !isnan(rule->tolerance) };
	const double *y = values_of(a, s->points, s->n);
	const double *base = s->n_baseline ? values_of(a, s->baseline, s->n_baseline) : NULL;
	look_at_times(a, &t);
	t.spread = trend_spread(a, y, s->n, rule->tolerance, metric_get(s->metric)->better);
	t.likeness = trend_likeness(y, s->n);
	t.control = trend_control(a, y, s->n, base, s->n_baseline);
	look_for_movement(a, rule, &t, y, s->n);
	if (t.judged)
		t.verdict = verdict_of(rule, s, &t.spread);
	trend_say(a, rule, &t);
	return t;
}
