/* Control charts: individuals, EWMA, CUSUM. */
#include "model/trend_parts.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

static const double LAMBDA = 0.2, EWMA_LIMIT = 3, CUSUM_SLACK = 0.5, CUSUM_LIMIT = 5, FAMILY = 0.05;

/* Mean moving range over its mean for two normal values, 2/√π. */
static double sigma_of(const double *y, size_t n)
{
	double sum = 0;
	for (size_t i = 1; i < n; i++)
		sum += fabs(y[i] - y[i - 1]);
	return n < 2 ? NAN : sum / (double)(n - 1) / M_2_SQRTPI;
}

static void ewma(struct trend_control *c, const double *y, size_t n)
{
	double z = c->center, left = 1;
	c->ewma_first = TREND_NEVER;
	for (size_t i = 0; i < n; i++) {
		z = LAMBDA * y[i] + (1 - LAMBDA) * z;
		left *= (1 - LAMBDA) * (1 - LAMBDA);
		if (!(fabs(z - c->center) > EWMA_LIMIT * c->sigma * sqrt(LAMBDA / (2 - LAMBDA) * (1 - left))))
			continue;
		c->ewma_first = c->ewma_count++ ? c->ewma_first : i;
	}
}

static void cusum(struct trend_control *c, const double *y, size_t n)
{
	double up = 0, down = 0;
	c->cusum_first = TREND_NEVER;
	for (size_t i = 0; i < n && c->sigma > 0; i++) {
		double z = (y[i] - c->center) / c->sigma;
		up = fmax(0, up + z - CUSUM_SLACK);
		down = fmax(0, down - z - CUSUM_SLACK);
		if (up > CUSUM_LIMIT || down > CUSUM_LIMIT) {
			c->cusum_first = i;
			c->cusum_down = down > up;
			return;
		}
	}
}

struct trend_control trend_control(struct arena *a, const double *y, size_t n, const double *base, size_t n_base)
{
	struct trend_control c = { .own = !base };
	const double *from = base ? base : y;
	size_t n_from = base ? n_base : n;
	c.center = stats_mean(from, n_from);
	c.sigma = sigma_of(from, n_from);
	c.wide = c.sigma / sqrt(1 - trend_likeness_bound(from, n_from, 1));
	c.factor = n ? gsl_cdf_ugaussian_Qinv((1 - pow(1 - FAMILY, 1 / (double)n)) / 2) : NAN;
	c.lower = c.center - c.factor * c.wide;
	c.upper = c.center + c.factor * c.wide;
	c.out_3s = trend_beyond(a, y, n, c.center, 3 * c.sigma);
	c.out = trend_beyond(a, y, n, c.center, c.factor * c.wide);
	ewma(&c, y, n);
	cusum(&c, y, n);
	return c;
}
