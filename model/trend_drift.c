/* Drift: Mann-Kendall and Sen's slope. */
#include "model/trend_parts.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>

/* S, and the slopes of all pairs. */
static double compare_pairs(const double *y, size_t n, double *slopes)
{
	double s = 0;
	size_t k = 0;
	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++) {
			s += (y[j] > y[i]) - (y[j] < y[i]);
			slopes[k++] = (y[j] - y[i]) / (double)(j - i);
		}
	return s;
}

static double variance(double *sorted, size_t n)
{
	double m = (double)n, sum = m * (m - 1) * (2 * m + 5);
	gsl_sort(sorted, 1, n);
	for (size_t i = 0, k; i < n; i = k) {
		for (k = i + 1; k < n && sorted[k] == sorted[i];)
			k++;
		double t = (double)(k - i);
		sum -= t * (t - 1) * (2 * t + 5);
	}
	return sum / 18;
}

static double inflation(size_t n, double r)
{
	double m = (double)n, power = 1, sum = 0;
	for (size_t k = 1; k + 2 < n && power > 1e-9; k++) {
		double d = m - (double)k;
		power *= r;
		sum += d * (d - 1) * (d - 2) * 6 / M_PI * asin(power / 2);
	}
	return 1 + 2 * sum / (m * (m - 1) * (m - 2));
}

static double two_sided(double z)
{
	return fmin(1, 2 * gsl_cdf_ugaussian_Q(fabs(z)));
}

struct trend_drift trend_drift(struct arena *a, const double *y, size_t n)
{
	struct trend_drift d = { .s = NAN, .var = NAN, .z = NAN, .p = NAN, .slope = NAN, .rise = NAN, .r = NAN,
		.inflation = NAN, .z_corrected = NAN, .p_corrected = NAN };
	if (n < TREND_MIN || n > TREND_PAIRS)
		return d;
	/* The pairs are many: they go back at once. */
	struct arena pairs = ARENA_EMPTY;
	double *slopes = ARENA_ARRAY(&pairs, n * (n - 1) / 2, double), *z = ARENA_ARRAY(a, n, double), median;
	d.s = compare_pairs(y, n, slopes);
	d.slope = trend_median(slopes, n * (n - 1) / 2);
	arena_free(&pairs);
	for (size_t i = 0; i < n; i++)
		z[i] = y[i] - d.slope * (double)i;
	d.r = trend_likeness_bound(z, n, 2);
	d.inflation = inflation(n, d.r);
	for (size_t i = 0; i < n; i++)
		z[i] = y[i];
	d.var = variance(z, n);
	trend_mad(a, y, n, &median);
	d.rise = median == 0 ? NAN : d.slope * (double)(n - 1) / fabs(median);
	double step = (d.s > 0) - (d.s < 0);
	d.z = d.var > 0 ? (d.s - step) / sqrt(d.var) : 0;
	d.z_corrected = d.z / sqrt(d.inflation);
	d.p = two_sided(d.z);
	d.p_corrected = two_sided(d.z_corrected);
	return d;
}
