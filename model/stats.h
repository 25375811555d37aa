/* stats: sample statistics and confidence bounds. Distributions come from GSL. */
#ifndef MODEL_STATS_H
#define MODEL_STATS_H

#include <stdbool.h>
#include <stddef.h>

/* Plain moments; NAN where undefined (mean of nothing, sd of fewer than two). sd has divisor n - 1. */
double stats_mean(const double *y, size_t n);
double stats_sd(const double *y, size_t n);
/* Least-squares line over x = 0 … n-1; NAN for fewer than two values. */
void stats_line(const double *y, size_t n, double *slope, double *intercept);
/* Lag-1 autocorrelation r about the mean, corrected for its small-sample bias: r + (1 + 3r)/n (Marriott & Pope,
 * Biometrika 41, 1954, p. 390; Kendall, ibid. p. 403), kept within [-1, 1]. NAN for fewer than four values, for equal
 * ones, and where one is not finite. */
double stats_lag1(const double *y, size_t n);

/* One-sided confidence bounds of a mean: each of [lower, inf) and (-inf, upper] covers the true mean with
 * probability `level`, so that [lower, upper] covers with 2·level - 1. By hand:
 *     lower, upper = mean -/+ t(level; n_effective - 1) · sd / sqrt(n_effective) */
struct bound {
	double mean, sd;
	double lower, upper;   /* NAN when n < 2 or a value is not finite */
	double level;          /* 0.95 */
	size_t n;              /* values behind it */
	double n_effective;    /* n, or less when neighbours resemble each other; at least 2 */
	double lag1;           /* estimated; NAN when the series is too short to estimate it */
	bool widened;          /* n_effective < n */
};

/* The bound of the mean of `window` (n values), Student's t. `series` is the whole series that the window was cut
 * from (n_series ≥ n values; the window itself where there is no more; NULL: none).
 *
 * Fewer than STATS_AUTOCORR_MIN values in the series: n_effective = n, the plain t interval, which assumes that the
 * values do not resemble their neighbours: five to nine values can't show whether they do.
 *
 * Otherwise r = stats_lag1(series) + (n / n_series) · sqrt((1 - lag1²) / n_series), kept within [0, 0.99], and
 *     n_effective = n · (1 - r) / (1 + r), at least 2
 * (Bartlett, J. Royal Stat. Soc. 98, 1935, p. 536; Zwiers & von Storch, J. Climate 8, 1995, p. 336). The second term
 * of r is its standard error: r is itself uncertain, and where the window is most of the series, r and sd come out
 * too small together. A negative r never narrows the interval; a warm-up or drift in the series counts as resemblance
 * and widens it.
 *
 * Measured (tests/test_false_pass.c, 100,000 simulated series per figure): how often, in per cent, the lower bound at
 * level 0.95 lies at or above a limit that is exactly the true mean; 5 is nominal. phi: autocorrelation of an AR(1)
 * series.
 *
 *     values bounded              phi =  0    0.3    0.5    0.7    0.9
 *     all of  5                        5.1   10.1   15.5   23.2   34.6
 *     all of  9                        5.0   10.9   16.9   24.9   36.4
 *     all of 10                        2.0    3.0    3.6    4.4    6.7
 *     all of 20                        2.3    2.8    3.0    3.3    4.4
 *     all of 100                       3.4    3.5    3.4    3.2    3.0
 *     all of 300                       4.1    4.3    4.2    4.0    3.4
 *     the last 5 of 10                 1.7    2.1    2.6    3.7    9.3
 *     the last 5 of 25                 2.7    1.6    1.1    1.4    6.8
 *     steady tail of 300 samples       4.3    4.3    4.3    4.3    4.4
 *
 * The steady-state rule adds nothing to that for a run of given length (rounds with 2 to 8 % noise, 5 to 25 of them:
 * 1.7 to 5.1). A run that ends at its first steady window selects calm rounds: 5.1 with 2 and 3 % noise, 5.7 with 5 %,
 * 8.7 with 8 %, where the rule calls half of all windows unsteady.
 * So five rounds that do resemble each other pass too often, and nothing in five rounds shows it; ten rounds or more
 * do show it. The correction knows neighbours only: cycles longer than the series stay unseen. */
enum { STATS_AUTOCORR_MIN = 10 };
struct bound stats_bound(const double *window, size_t n, const double *series, size_t n_series, double level);

/* How many values of this spread in all would bring the bound off the limit if the mean stays where it is: at least
 * b->n, and b->n when the bound is off already. 0: no number of them (mean on the limit to within rounding, or no
 * bound) or more than 10^6. */
size_t stats_values_needed(const struct bound *b, double limit);

#endif
