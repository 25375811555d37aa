#include "model/stats.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

static const double LAG1_MAX = 0.99;
static const double N_EFFECTIVE_MIN = 2;
enum { VALUES_NEEDED_MAX = 1000000 };

double stats_mean(const double *y, size_t n)
{
	return n ? gsl_stats_mean(y, 1, n) : NAN;
}

double stats_sd(const double *y, size_t n)
{
	return n >= 2 ? gsl_stats_sd(y, 1, n) : NAN;
}

void stats_line(const double *y, size_t n, double *slope, double *intercept)
{
	*slope = *intercept = NAN;
	if (n < 2)
		return;
	/* x is known, so its sums are: Σ(x - x̄)² = n(n² - 1)/12. */
	double center = (double)(n - 1) / 2, mean = stats_mean(y, n), sxy = 0;
	for (size_t i = 0; i < n; i++)
		sxy += ((double)i - center) * (y[i] - mean);
	*slope = sxy * 12 / ((double)n * ((double)n * (double)n - 1));
	*intercept = mean - *slope * center;
}

double stats_lag1(const double *y, size_t n)
{
	if (n < 4)
		return NAN;
	double r = gsl_stats_lag1_autocorrelation(y, 1, n);
	r += (1 + 3 * r) / (double)n;
	return isnan(r) ? NAN : fmin(fmax(r, -1), 1);
}

/* Student's t quantile; GSL's default handler aborts on a degree of freedom that is not finite. */
static double quantile(double level, double n_effective)
{
	double df = n_effective - 1;
	return level > 0 && level < 1 && df >= 1 && isfinite(df) ? gsl_cdf_tdist_Pinv(level, df) : NAN;
}

static double effective(size_t n, size_t n_series, double lag1)
{
	double share = (double)n / (double)n_series;
	double r = lag1 + share * sqrt((1 - lag1 * lag1) / (double)n_series);
	r = fmin(fmax(r, 0), LAG1_MAX);
	return fmax((double)n * (1 - r) / (1 + r), N_EFFECTIVE_MIN);
}

struct bound stats_bound(const double *window, size_t n, const double *series, size_t n_series, double level)
{
	struct bound b = {
		.mean = stats_mean(window, n), .sd = stats_sd(window, n), .lower = NAN, .upper = NAN,
		.level = level, .n = n, .n_effective = (double)n, .lag1 = NAN,
	};
	if (n < 2 || !isfinite(b.mean) || !isfinite(b.sd))
		return b;
	if (series && n_series >= STATS_AUTOCORR_MIN && n_series >= n)
		b.lag1 = stats_lag1(series, n_series);
	if (!isnan(b.lag1))
		b.n_effective = effective(n, n_series, b.lag1);
	b.widened = b.n_effective < (double)n;
	double half = quantile(level, b.n_effective) * b.sd / sqrt(b.n_effective);
	b.lower = b.mean - half;
	b.upper = b.mean + half;
	return b;
}

/* Whether m values of the bound's spread and resemblance would keep its mean clear of the limit. */
static bool settles(const struct bound *b, size_t m, double distance)
{
	double n_effective = fmax((double)m * b->n_effective / (double)b->n, N_EFFECTIVE_MIN);
	return quantile(b->level, n_effective) * b->sd / sqrt(n_effective) < distance;
}

size_t stats_values_needed(const struct bound *b, double limit)
{
	double distance = fabs(b->mean - limit);
	if (isnan(b->lower) || !(distance > 1e-12 * fabs(limit)))
		return 0;
	if (settles(b, b->n, distance))
		return b->n;
	if (b->n >= VALUES_NEEDED_MAX || !settles(b, VALUES_NEEDED_MAX, distance))
		return 0;
	size_t open = b->n, settled = VALUES_NEEDED_MAX;
	while (settled - open > 1) {
		size_t middle = open + (settled - open) / 2;
		if (settles(b, middle, distance))
			settled = middle;
		else
			open = middle;
	}
	return settled;
}
