/* stats: sample statistics and confidence bounds. Distributions come from GSL. */
#ifndef MODEL_STATS_H
#define MODEL_STATS_H

#include <stdbool.h>
#include <stddef.h>

/* Plain moments; NAN where undefined (mean of nothing, sd of fewer than two). sd has divisor n - 1. */
double stats_mean(const double *y, size_t n);
double stats_sd(const double *y, size_t n);
/* Least-squares line over x = 0 … n-1. */
void stats_line(const double *y, size_t n, double *slope, double *intercept);
/* Lag-1 autocorrelation about the mean, corrected for its small-sample bias; NAN for fewer than four values. */
double stats_lag1(const double *y, size_t n);

/* One-sided confidence bounds of a mean: each of [lower, inf) and (-inf, upper] covers the true mean with
 * probability `level`, so that [lower, upper] covers with 2·level - 1. */
struct bound {
	double mean, sd;
	double lower, upper;   /* NAN when n < 2 */
	double level;          /* 0.95 */
	size_t n;              /* values behind it */
	double n_effective;    /* n, or less when neighbours resemble each other */
	double lag1;           /* estimated; NAN when the series is too short to estimate it */
	bool widened;          /* n_effective < n */
};

/* The bound of the mean of `window` (n values), Student's t. When the whole series it was cut from is long enough
 * (`series`, n_series ≥ STATS_AUTOCORR_MIN), its autocorrelation widens the interval by the effective sample size. */
enum { STATS_AUTOCORR_MIN = 10 };
struct bound stats_bound(const double *window, size_t n, const double *series, size_t n_series, double level);

/* How many values of this spread in all would bring the bound off the limit; 0: no number of them (mean on the
 * limit to within rounding) or more than 10^6. */
size_t stats_values_needed(const struct bound *b, double limit);

#endif
