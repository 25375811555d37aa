/* Change points: Pettitt's test against series whose neighbours resemble each other as these do. */
#include "model/trend_parts.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <math.h>

enum { SURROGATES = 999, SEED = 20261130 };

struct workspace {
	double *y, *rank;
	size_t *order;
};

static struct workspace workspace_of(struct arena *a, size_t n)
{
	return (struct workspace){ ARENA_ARRAY(a, n, double), ARENA_ARRAY(a, n, double), ARENA_ARRAY(a, n, size_t) };
}

/* K, and the values before the change. With middle ranks for ties, U_t = 2 Σ_i≤t rank_i - t (n + 1). */
static double pettitt(struct workspace *w, const double *y, size_t n, size_t *tau)
{
	double k = 0, sum = 0;
	gsl_sort_index(w->order, y, 1, n);
	for (size_t i = 0, j; i < n; i = j) {
		for (j = i + 1; j < n && y[w->order[j]] == y[w->order[i]];)
			j++;
		for (size_t m = i; m < j; m++)
			w->rank[w->order[m]] = (double)(i + j + 1) / 2;
	}
	*tau = 0;
	for (size_t t = 1; t < n; t++) {
		sum += w->rank[t - 1];
		double u = fabs(2 * sum - (double)t * (double)(n + 1));
		if (u > k) {
			k = u;
			*tau = t;
		}
	}
	return k;
}

/* Share of AR(1) series whose K is no smaller; itself one of them. */
static double share_of_surrogates(struct workspace *w, size_t n, double r, double k)
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	double step = sqrt(1 - r * r);
	size_t as_large = 1, tau;
	gsl_rng_set(random, SEED);
	for (size_t b = 0; b < SURROGATES; b++) {
		double x = gsl_ran_ugaussian(random);
		for (size_t i = 0; i < n; i++) {
			w->y[i] = x;
			x = r * x + step * gsl_ran_ugaussian(random);
		}
		as_large += pettitt(w, w->y, n, &tau) >= k;
	}
	gsl_rng_free(random);
	return (double)as_large / (SURROGATES + 1);
}

struct trend_change trend_change(struct arena *a, const double *y, size_t n, double level)
{
	struct trend_change c = { .k = NAN, .p = NAN, .p_corrected = NAN, .r = NAN, .before = NAN, .after = NAN };
	if (n < TREND_MIN || n > TREND_PAIRS)
		return c;
	struct workspace w = workspace_of(a, n);
	double k = pettitt(&w, y, n, &c.tau), m = (double)n;
	if (c.tau == 0)
		return c;
	c.k = k;
	c.p = c.p_corrected = fmin(1, 2 * exp(-6 * k * k / (m * m * m + m * m)));
	c.before = stats_mean(y, c.tau);
	c.after = stats_mean(y + c.tau, n - c.tau);
	c.r = trend_likeness_of_steps(y, n, c.tau);
	if (c.p <= 1 - level)
		c.p_corrected = share_of_surrogates(&w, n, c.r, k);
	return c;
}
