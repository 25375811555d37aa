/* Gaps in the times of runs. */
#include "model/trend_parts.h"

#include <math.h>

static const double GAP = 1.5, REGULAR = 0.25;
enum { INTERVALS_MIN = 5 };

struct trend_gaps trend_gaps(struct arena *a, const double *times, size_t n)
{
	struct trend_gaps g = { .interval = NAN, .longest = NAN, .at = NAN };
	double *between = ARENA_ARRAY(a, n, double), *from = ARENA_ARRAY(a, n, double);
	size_t k = 0;
	for (size_t i = 1; i < n; i++) {
		if (!(times[i] > times[i - 1])) /* several values of one run */
			continue;
		from[k] = times[i - 1];
		between[k++] = times[i] - times[i - 1];
	}
	if (k < INTERVALS_MIN)
		return g;
	double mad = trend_mad(a, between, k, &g.interval);
	g.known = mad <= REGULAR * g.interval;
	for (size_t i = 0; i < k; i++) {
		if (!(between[i] <= g.longest)) {
			g.longest = between[i];
			g.at = from[i];
		}
		if (!g.known || between[i] <= GAP * g.interval)
			continue;
		g.n++;
		g.missing += (size_t)(round(between[i] / g.interval) - 1);
	}
	return g;
}

struct trend_gaps trend_halts(struct arena *a, const struct trend_jobs *jobs)
{
	return trend_gaps(a, jobs->started, jobs->n);
}
