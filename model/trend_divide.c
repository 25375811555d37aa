/* E-divisive: change points by energy distance and hierarchical bisection. */
#include "model/trend_parts.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

enum {
	SEED = 20261130, SHORTEST = 2, CHANGES_MAX = 32,
	PERMUTATIONS = 999, PERMUTATIONS_MIN = 199, ONE_TEST = 500000, /* values that one test may permute */
	AS_LARGE_MIN = 20, SEARCHED = 8 * TREND_DIVIDED /* values of all stretches that are searched */
};

/* A stretch: its values by size, which of them stands at each place, and room to work. */
struct stretch {
	size_t n;
	double *sorted, *noise;
	size_t *rank, *order;
	double *within;  /* by t: Σ |x_i - x_j| over the first t values */
	/* Values that were added so far: Fenwick trees over ranks (Softw. Pract. Exper. 24, 1994, p. 327); their sum. */
	double *sum, all;
	uint32_t *count, added;
};

static struct stretch stretch_of(struct arena *a, const double *y, size_t n)
{
	struct stretch s = { .n = n, .sorted = ARENA_ARRAY(a, n, double), .noise = ARENA_ARRAY(a, n, double),
		.rank = ARENA_ARRAY(a, n, size_t), .order = ARENA_ARRAY(a, n, size_t), .within = ARENA_ARRAY(a, n, double),
		.sum = ARENA_ARRAY(a, n + 1, double), .count = ARENA_ARRAY(a, n + 1, uint32_t) };
	gsl_sort_index(s.order, y, 1, n);
	double middle = y[s.order[n / 2]]; /* small numbers keep more digits of their sums */
	for (size_t i = 0; i < n; i++) {
		s.rank[s.order[i]] = i;
		s.sorted[i] = y[s.order[i]] - middle;
	}
	return s;
}

static void forget(struct stretch *s)
{
	memset(s->sum, 0, (s->n + 1) * sizeof *s->sum);
	memset(s->count, 0, (s->n + 1) * sizeof *s->count);
	s->all = 0;
	s->added = 0;
}

/* Sum of distances from the value at place i to those added before. */
static double add(struct stretch *s, size_t i)
{
	size_t rank = s->rank[i];
	double x = s->sorted[rank], sum = 0;
	uint32_t n = 0;
	for (size_t k = rank; k > 0; k -= k & -k) {
		sum += s->sum[k];
		n += s->count[k];
	}
	for (size_t k = rank + 1; k <= s->n; k += k & -k) {
		s->sum[k] += x;
		s->count[k]++;
	}
	double distance = x * n - sum + (s->all - sum) - x * (s->added - n);
	s->all += x;
	s->added++;
	return distance;
}

/* The greatest Q over all divisions; *tau: values before it. */
static double energy(struct stretch *s, size_t *tau)
{
	double before = 0, after = 0, most = -INFINITY, n = (double)s->n;
	forget(s);
	for (size_t t = 0; t < s->n; t++) {
		s->within[t] = before;
		before += add(s, t);
	}
	forget(s);
	for (size_t t = s->n; t-- > SHORTEST;) {
		double left = (double)t, right = n - left;
		after += add(s, t);
		if (s->n - t < SHORTEST)
			continue;
		double between = before - s->within[t] - after;
		double q = 2 * between - right * 2 * s->within[t] / (left - 1) - left * 2 * after / (right - 1);
		if (q / n > most) {
			most = q / n;
			*tau = t;
		}
	}
	return most;
}

/* ---- the test ---- */

/* The same values in the order of an AR(1) series. */
static void permute(struct stretch *s, gsl_rng *random, double r)
{
	double x = gsl_ran_gaussian_ziggurat(random, 1), step = sqrt(1 - r * r);
	for (size_t i = 0; i < s->n; i++) {
		s->noise[i] = x;
		x = r * x + step * gsl_ran_gaussian_ziggurat(random, 1);
	}
	gsl_sort_index(s->order, s->noise, 1, s->n);
	for (size_t i = 0; i < s->n; i++)
		s->rank[s->order[i]] = i;
}

/* Share of permutations whose Q is no smaller; the series is one of them. Once there are so many that nothing can be
 * claimed, the rest need not be looked at (Besag & Clifford, Biometrika 78, 1991, p. 301). */
static double share_as_large(struct stretch *s, double q, double r, double alpha)
{
	size_t all = PERMUTATIONS, as_large = 1, drawn = 0, tau;
	while (s->n * all > ONE_TEST && all > PERMUTATIONS_MIN)
		all--;
	double enough = fmax(AS_LARGE_MIN, 2 * alpha * (double)(all + 1));
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	gsl_rng_set(random, SEED);
	while (drawn < all && (double)as_large < enough) {
		permute(s, random, r);
		as_large += energy(s, &tau) >= q * (1 - 1e-12);
		drawn++;
	}
	gsl_rng_free(random);
	return (double)as_large / (double)(drawn + 1);
}

struct trend_division trend_divide(const double *y, size_t n, double level)
{
	struct trend_division d = { .q = NAN, .p = NAN, .p_corrected = NAN, .r = NAN };
	if (n < TREND_MIN || n > TREND_DIVIDED)
		return d;
	struct arena room = ARENA_EMPTY;
	struct stretch s = stretch_of(&room, y, n);
	if (s.sorted[0] < s.sorted[n - 1]) {
		d.q = energy(&s, &d.tau);
		d.r = trend_likeness_of_steps(y, n, d.tau);
		d.p = d.p_corrected = share_as_large(&s, d.q, 0, 1 - level);
		if (d.p <= 1 - level)
			d.p_corrected = share_as_large(&s, d.q, d.r, 1 - level);
	}
	arena_free(&room);
	return d;
}

static int by_place(const void *a, const void *b)
{
	const struct trend_division *x = a, *y = b;
	return (x->tau > y->tau) - (x->tau < y->tau);
}

/* Each level reaches up to the next change. */
static void describe(struct trend_division *d, size_t found, const double *y, size_t n)
{
	for (size_t i = 0; i < found; i++) {
		size_t from = i ? d[i - 1].tau : 0, to = i + 1 < found ? d[i + 1].tau : n;
		d[i].before = stats_mean(y + from, d[i].tau - from);
		d[i].after = stats_mean(y + d[i].tau, to - d[i].tau);
		d[i].sd_before = stats_sd(y + from, d[i].tau - from);
		d[i].sd_after = stats_sd(y + d[i].tau, to - d[i].tau);
	}
}

struct trend_division *trend_changes(struct arena *a, const double *y, size_t n, double level,
	struct trend_division *whole, size_t *found)
{
	struct trend_division *changes = ARENA_ARRAY(a, CHANGES_MAX, struct trend_division);
	struct part { size_t from, to; } open[CHANGES_MAX + 1] = { { 0, n } };
	size_t n_open = 1, searched = 0;
	*found = 0;
	*whole = trend_divide(y, n, level);
	while (n_open > 0 && *found < CHANGES_MAX && searched < SEARCHED) {
		struct part p = open[--n_open];
		struct trend_division d = searched ? trend_divide(y + p.from, p.to - p.from, level) : *whole;
		searched += p.to - p.from;
		if (!(d.p_corrected <= 1 - level))
			continue;
		d.tau += p.from;
		changes[(*found)++] = d;
		open[n_open++] = (struct part){ p.from, d.tau };
		open[n_open++] = (struct part){ d.tau, p.to };
	}
	qsort(changes, *found, sizeof *changes, by_place);
	describe(changes, *found, y, n);
	return changes;
}
