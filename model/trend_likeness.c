/* How much neighbours resemble each other, whatever steps there are. */
#include "model/trend_parts.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>

struct trend_likeness trend_likeness(const double *y, size_t n)
{
	struct trend_likeness l = { .lag1 = NAN, .n_effective = (double)n };
	if (n < 4)
		return l;
	l.lag1 = gsl_stats_lag1_autocorrelation(y, 1, n);
	if (!isfinite(l.lag1)) {
		l.lag1 = NAN;
		return l;
	}
	if (l.lag1 > 0)
		l.n_effective = fmax(1, (double)n * (1 - l.lag1) / (1 + l.lag1));
	l.evident = l.lag1 > 1.96 / sqrt((double)n);
	return l;
}

double trend_likeness_bound(const double *z, size_t n, unsigned fitted)
{
	static const double R_MAX = 0.98;
	double r = n < 4 ? NAN : gsl_stats_lag1_autocorrelation(z, 1, n);
	if (!isfinite(r))
		return 0;
	r += fitted * (1 + 2 * r) / (double)n;
	r = fmin(fmax(r, 0), R_MAX);
	return fmin(r + sqrt((1 - r * r) / (double)n), R_MAX);
}

/* ---- among steps ---- */

enum { STEPS_MAX = 8, LEVEL_MIN = 3, STEP_COST = 3, STEP_FITTED = 3 };

/* Stretches of y that each have a level of their own. */
struct levels {
	size_t end[STEPS_MAX + 1], n;
};

/* The place that takes most squares away from y[from … to): 0 where it is too short. */
static double best_step(const double *y, size_t from, size_t to, size_t *at)
{
	double all = stats_mean(y + from, to - from) * (double)(to - from), left = 0, most = 0;
	for (size_t i = from; i + 1 < to; i++) {
		double n = (double)(i + 1 - from), m = (double)(to - i - 1);
		left += y[i];
		double d = left / n - (all - left) / m, gain = d * d * n * m / (n + m);
		if (n < LEVEL_MIN || m < LEVEL_MIN || gain <= most)
			continue;
		most = gain;
		*at = i + 1;
	}
	return most;
}

/* The next of the greatest steps; false when there is none. */
static bool add_step(const double *y, struct levels *l)
{
	double most = 0;
	size_t at = 0, where = 0;
	for (size_t i = 0; i < l->n; i++) {
		size_t candidate = 0;
		double gain = best_step(y, i ? l->end[i - 1] : 0, l->end[i], &candidate);
		if (gain > most) {
			most = gain;
			at = candidate;
			where = i;
		}
	}
	if (most == 0)
		return false;
	for (size_t i = l->n++; i > where; i--)
		l->end[i] = l->end[i - 1];
	l->end[where] = at;
	return true;
}

/* Without its levels: z. */
static void remove_levels(const double *y, const struct levels *l, double *z)
{
	for (size_t i = 0, from = 0; i < l->n; from = l->end[i++]) {
		double mean = stats_mean(y + from, l->end[i] - from);
		for (size_t k = from; k < l->end[i]; k++)
			z[k] = y[k] - mean;
	}
}

/* Schwarz's criterion of an AR(1) process about those levels. */
static double criterion(const double *z, size_t n, size_t steps)
{
	double r = gsl_stats_lag1_autocorrelation(z, 1, n), sum = 0, m = (double)n;
	for (size_t i = 1; i < n; i++)
		sum += (z[i] - r * z[i - 1]) * (z[i] - r * z[i - 1]);
	return sum > 0 ? m * log(sum / m) + STEP_COST * (double)steps * log(m) : -INFINITY;
}

double trend_likeness_of_steps(const double *y, size_t n, size_t tau)
{
	struct arena room = ARENA_EMPTY;
	double *z = ARENA_ARRAY(&room, n, double), least = INFINITY, r = 0;
	struct levels l = { .end = { n }, .n = 1 }, one = { .end = { tau, n }, .n = 2 };
	do {
		remove_levels(y, &l, z);
		double c = criterion(z, n, l.n - 1);
		if (c < least) {
			least = c;
			r = trend_likeness_bound(z, n, 1 + STEP_FITTED * (unsigned)(l.n - 1));
		}
	} while (l.n <= STEPS_MAX && add_step(y, &l));
	remove_levels(y, &one, z);
	r = fmin(r, trend_likeness_bound(z, n, 1 + STEP_FITTED));
	arena_free(&room);
	return r;
}
