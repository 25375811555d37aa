/* Spread, outliers, and what so many runs prove. */
#include "model/trend.h"

#include "model/trend_parts.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

static const double OUTLIER = 3.5, NORMAL_MAD = 0.6745, NORMAL_SCALE = 1.4826, NORMAL_MEAN_DEVIATION = 1.253314;
static const double PROVEN = 0.95;
/* A deviation of exactly the tolerance is within it, whatever floating point makes of it. */
static const double SLACK = 1e-12;

double trend_median(double *y, size_t n)
{
	if (n == 0)
		return NAN;
	gsl_sort(y, 1, n);
	return gsl_stats_median_from_sorted_data(y, 1, n);
}

static double mad_of(struct arena *a, const double *y, size_t n, double median)
{
	double *distance = ARENA_ARRAY(a, n, double);
	for (size_t i = 0; i < n; i++)
		distance[i] = fabs(y[i] - median);
	return trend_median(distance, n);
}

double trend_mad(struct arena *a, const double *y, size_t n, double *median)
{
	double *sorted = ARENA_ARRAY(a, n, double);
	for (size_t i = 0; i < n; i++)
		sorted[i] = y[i];
	*median = trend_median(sorted, n);
	return mad_of(a, y, n, *median);
}

struct trend_places trend_beyond(struct arena *a, const double *y, size_t n, double center, double distance)
{
	struct trend_places p = { .v = ARENA_ARRAY(a, n, size_t) };
	for (size_t i = 0; i < n; i++)
		if (fabs(y[i] - center) > distance)
			p.v[p.n++] = i;
	return p;
}

static struct trend_places outliers(struct arena *a, const double *y, size_t n, const struct trend_spread *s)
{
	double mean_distance = 0;
	for (size_t i = 0; i < n; i++)
		mean_distance += fabs(y[i] - s->median) / (double)n;
	double scale = s->mad > 0 ? s->mad / NORMAL_MAD : NORMAL_MEAN_DEVIATION * mean_distance;
	return trend_beyond(a, y, n, s->median, OUTLIER * scale);
}

struct trend_spread trend_spread(struct arena *a, const double *y, size_t n, double tolerance, enum better better)
{
	struct trend_spread s = { .mean = stats_mean(y, n), .sd = stats_sd(y, n), .min = NAN, .max = NAN, .median = NAN,
		.cv = NAN, .mad = NAN, .robust_cv = NAN, .min_mean = NAN, .max_mean = NAN, .lowest = NAN, .highest = NAN,
		.capability = NAN,
		.bound = NAN, .proven_share = NAN, .confidence_95 = NAN, .confidence_99 = NAN };
	size_t lowest = 0, highest = 0;
	if (n == 0)
		return s;
	gsl_stats_minmax_index(&lowest, &highest, y, 1, n);
	s.min = y[lowest];
	s.max = y[highest];
	/* Values that are all 0 deviate from it by nothing. */
	double size = s.mean != 0 ? fabs(s.mean) : s.min == s.max ? 1 : NAN;
	s.mad = trend_mad(a, y, n, &s.median);
	s.cv = s.sd / size;
	s.robust_cv = s.median == 0 ? NAN : NORMAL_SCALE * s.mad / fabs(s.median);
	s.min_mean = s.mean == 0 ? NAN : s.min / s.mean;
	s.max_mean = s.mean == 0 ? NAN : s.max / s.mean;
	s.lowest = (s.min - s.mean) / size;
	s.highest = (s.max - s.mean) / size;
	s.worst = s.highest > -s.lowest ? highest : lowest;
	s.capability = s.robust_cv > 0 ? tolerance / (3 * s.robust_cv) : NAN;
	if (!isnan(tolerance) && !isnan(size))
		s.beyond = trend_beyond(a, y, n, s.mean, (tolerance + SLACK) * size);
	s.outliers = outliers(a, y, n, &s);
	s.bound = better == BETTER_LOWER ? s.max : s.min;
	s.proven_share = pow(1 - PROVEN, 1 / trend_likeness(y, n).n_effective);
	s.confidence_95 = 1 - pow(0.95, (double)n);
	s.confidence_99 = 1 - pow(0.99, (double)n);
	return s;
}
