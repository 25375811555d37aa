/* over_time: percentiles of latencies over time, each from the histogram of its window. */
#ifndef MODEL_OVER_TIME_H
#define MODEL_OVER_TIME_H

#include "model/run.h"

enum { OVER_TIME_STATS = 3, OVER_TIME_PARAMS = 4 };

/* p50, p99 and p99.9, and how many I/Os each takes at least: as many that one lies beyond it. */
struct over_time_stat {
	double percent;
	const char *stat;
	uint64_t ios;
};
extern const struct over_time_stat over_time_stats[OVER_TIME_STATS];

/* A latency in the metric's unit, of one as the histogram counts it; the unit must be known. */
double spread_value(const struct spread *s, double value);
/* Of one window, in the metric's unit, within 1/128 of the latency; NAN when the window has too few I/Os, the
 * percentile lies in the bucket without upper end, or nothing tells the unit. */
double over_time_value(const struct spread *s, size_t window, size_t stat);
/* The same as a result of the spread's run, with from=S and to=S (seconds since the log began) beside op, and merged=N
 * where several logs are joined; false when there is none. `params` belongs to the caller, texts are put in the arena. */
bool over_time_result(struct arena *a, const struct run *run, const struct spread *s, size_t window, size_t stat,
	struct param params[OVER_TIME_PARAMS], struct result *out);
/* A percentile over time, of the log `run`, as samples of `job` (NULL: of none); windows that have none are left out.
 * Texts and points are in the arena. */
struct series over_time_series(struct arena *a, const struct run *run, const struct job *job, const struct spread *s,
	size_t stat);

#endif
