/* What a series shows: small series computed by hand, and simulated ones that show nothing.
 * `test_trend 2000` measures the shares of false alarms more exactly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/num.h"
#include "model/trend.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { VALUES_MAX = 400, SEED = 20177 };

struct lab {
	gsl_rng *random;
	struct arena arena;
	size_t repeats;
	double y[VALUES_MAX];
};

static void assert_near(double a, double b, double tolerance)
{
	if (!(fabs(a - b) <= tolerance))
		fail_msg("%.12g is not %.12g ± %g", a, b, tolerance);
}

static void assert_places(struct trend_places p, const size_t *want, size_t n)
{
	assert_int_equal(p.n, n);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(p.v[i], want[i]);
}

/* ---- by hand ---- */

static void spread(void **state)
{
	struct lab *lab = *state;
	/* mean 10, squares 4 + 1 + 0 + 1 + 4 = 10, sd √2.5; median 10, distances 0 1 1 2 2: mad 1 */
	static const double y[] = { 8, 9, 10, 11, 12 };
	struct trend_spread s = trend_spread(&lab->arena, y, 5, 0.1, BETTER_HIGHER);
	assert_near(s.mean, 10, 0);
	assert_near(s.sd, sqrt(2.5), 1e-15);
	assert_near(s.cv, sqrt(2.5) / 10, 1e-15);
	assert_near(s.median, 10, 0);
	assert_near(s.mad, 1, 0);
	assert_near(s.robust_cv, 0.14826, 1e-15);
	assert_near(s.min_mean, 0.8, 1e-15);
	assert_near(s.max_mean, 1.2, 1e-15);
	assert_near(s.lowest, -0.2, 1e-15);
	assert_near(s.highest, 0.2, 1e-15);
	assert_near(s.capability, 0.1 / (3 * 0.14826), 1e-12);
	/* 9 and 11 are off by exactly the tolerance. */
	assert_places(s.beyond, (size_t[]){ 0, 4 }, 2);
	assert_int_equal(s.outliers.n, 0);
	assert_near(s.bound, 8, 0);
	assert_near(trend_spread(&lab->arena, y, 5, 0.1, BETTER_LOWER).bound, 12, 0);
	/* 1 - 0.95^5, 1 - 0.99^5 */
	assert_near(s.confidence_95, 0.2262190625, 1e-12);
	assert_near(s.confidence_99, 0.0490099501, 1e-12);
	s = trend_spread(&lab->arena, y, 0, 0.1, BETTER_HIGHER);
	assert_true(isnan(s.mean) && isnan(s.min) && isnan(s.cv) && s.beyond.n == 0);
}

static void what_runs_prove(void **state)
{
	struct lab *lab = *state;
	/* Neighbours that avoid each other count as independent. 168 runs: 1 - 0.95^168 = 0.99982, 1 - 0.99^168 = 0.8152;
	 * 0.05^(1/168) = 0.98233 */
	for (size_t i = 0; i < 168; i++)
		lab->y[i] = i % 2 ? 1 : 2;
	struct trend_spread s = trend_spread(&lab->arena, lab->y, 168, NAN, BETTER_HIGHER);
	assert_near(s.confidence_95, 0.99982, 5e-6);
	assert_near(s.confidence_99, 0.8152, 5e-5);
	assert_near(s.proven_share, 0.98233, 5e-6);
}

static void outliers(void **state)
{
	struct lab *lab = *state;
	/* median 10, mad 1: 0.6745 · 5.2 = 3.507 > 3.5, 0.6745 · 5.1 = 3.44 */
	static const double y[] = { 8, 9, 9, 10, 10, 10, 11, 11, 12, 15.2 }, less[] = { 8, 9, 9, 10, 10, 10, 11, 11, 12, 15.1 };
	assert_places(trend_spread(&lab->arena, y, 10, NAN, BETTER_HIGHER).outliers, (size_t[]){ 9 }, 1);
	assert_int_equal(trend_spread(&lab->arena, less, 10, NAN, BETTER_HIGHER).outliers.n, 0);
	/* Half of them equal: mad 0, mean distance 1/10: the 8 lies 1 / 0.1253 = 7.98 off. */
	static const double equal[] = { 7, 7, 7, 7, 7, 8, 7, 7, 7, 7 };
	assert_places(trend_spread(&lab->arena, equal, 10, NAN, BETTER_HIGHER).outliers, (size_t[]){ 5 }, 1);
	static const double constant[] = { 7, 7, 7, 7 };
	assert_int_equal(trend_spread(&lab->arena, constant, 4, NAN, BETTER_HIGHER).outliers.n, 0);
}

static void likeness(void **state)
{
	(void)state;
	/* About the mean 3: (2·1 + 1·0 + 0·1 + 1·2) / 10 = 0.4; 5 · 0.6 / 1.4 */
	static const double y[] = { 1, 2, 3, 4, 5 };
	struct trend_likeness l = trend_likeness(y, 5);
	assert_near(l.lag1, 0.4, 1e-12);
	assert_near(l.n_effective, 5 * 0.6 / 1.4, 1e-12);
	assert_false(l.evident); /* 1.96 / √5 = 0.88 */
	/* 0.4 + 2 · 1.8/5 = 1.12, kept at 0.98 */
	assert_near(trend_likeness_bound(y, 5, 2), 0.98, 0);
	static const double zigzag[] = { 1, 3, 1, 3, 1, 3, 1, 3, 1, 3 };
	l = trend_likeness(zigzag, 10);
	assert_near(l.lag1, -0.9, 1e-12);
	assert_near(l.n_effective, 10, 0);
	/* -0.9 is kept at 0: one standard error, √(1/10) */
	assert_near(trend_likeness_bound(zigzag, 10, 1), sqrt(0.1), 1e-12);
	static const double constant[] = { 7, 7, 7, 7 };
	assert_true(isnan(trend_likeness(constant, 4).lag1) && isnan(trend_likeness(y, 3).lag1));
}

static void control(void **state)
{
	struct lab *lab = *state;
	/* moving ranges 1 1 1 9 9: mean 4.2, sigma 4.2 / 1.128379 = 3.7222 */
	static const double y[] = { 10, 11, 10, 11, 20, 11 };
	struct trend_control c = trend_control(&lab->arena, y, 6, NULL, 0);
	assert_true(c.own);
	assert_near(c.center, 73.0 / 6, 1e-12);
	assert_near(c.sigma, 3.72216, 1e-5);
	/* Against a baseline: center 10.5, ranges 1: sigma 0.886227, three of it 2.6587 */
	static const double base[] = { 10, 11, 10, 11 };
	c = trend_control(&lab->arena, y, 6, base, 4);
	assert_false(c.own);
	assert_near(c.center, 10.5, 1e-12);
	assert_near(c.sigma, 0.886227, 1e-6);
	assert_places(c.out_3s, (size_t[]){ 4 }, 1);
	/* (20 - 10.5)/0.886227 = 10.72 at once brings both over. EWMA ahead of it: z = 10.4 (limit 0.53), …; at 4:
	 * 0.2 · 9.5 = 1.9 and more, the limit 3 · 0.886 · √(1/9 · (1 - 0.8^10)) = 0.837; at 5 still 1.6 > 0.855 */
	assert_int_equal(c.ewma_first, 4);
	assert_int_equal(c.ewma_count, 2);
	assert_int_equal(c.cusum_first, 4);
	assert_false(c.cusum_down);
	/* Φ(x) = 1 - (1 - 0.95^(1/168))/2 at x = 3.61; for a single point 1.96. */
	for (size_t i = 0; i < 168; i++)
		lab->y[i] = (double)(i % 7);
	assert_near(trend_control(&lab->arena, lab->y, 168, NULL, 0).factor, 3.61, 0.005);
	assert_near(trend_control(&lab->arena, y, 1, base, 4).factor, 1.96, 0.0005);
}

static void creeping_cusum(void **state)
{
	struct lab *lab = *state;
	/* One sigma below the center adds 0.5 each: over 5 at the eleventh. */
	double sigma = 2 / M_2_SQRTPI, y[12];
	static const double base[] = { 1, -1, 1, -1, 1, -1 };
	for (size_t i = 0; i < 12; i++)
		y[i] = -1.0001 * sigma;
	struct trend_control c = trend_control(&lab->arena, y, 12, base, 6);
	assert_near(c.sigma, sigma, 1e-12);
	assert_int_equal(c.cusum_first, 9);
	assert_true(c.cusum_down);
	for (size_t i = 0; i < 12; i++)
		y[i] = -0.9999 * sigma;
	assert_int_equal(trend_control(&lab->arena, y, 12, base, 6).cusum_first, 10);
	for (size_t i = 0; i < 12; i++)
		y[i] = -0.5 * sigma;
	assert_int_equal(trend_control(&lab->arena, y, 12, base, 6).cusum_first, TREND_NEVER);
}

static void mann_kendall(void **state)
{
	struct lab *lab = *state;
	/* Ten rising values but for one exchange: 45 - 2 = 43; var = 10 · 9 · 25 / 18 = 125; z = 42/√125 */
	static const double y[] = { 1, 2, 3, 5, 4, 6, 7, 8, 9, 10 };
	struct trend_drift d = trend_drift(&lab->arena, y, 10);
	assert_near(d.s, 43, 0);
	assert_near(d.var, 125, 0);
	assert_near(d.z, 42 / sqrt(125), 1e-12);
	assert_near(d.p, 0.000172, 5e-7);
	assert_near(d.slope, 1, 0);
	assert_near(d.rise, 9 / 5.5, 1e-12);
	assert_true(d.inflation > 1 && d.p_corrected > d.p);
	/* A tie of three and one of two: 90 · 25 - 3 · 2 · 11 - 2 · 1 · 9 = 2166 */
	static const double ties[] = { 4, 4, 4, 3, 6, 6, 5, 7, 8, 9 };
	assert_near(trend_drift(&lab->arena, ties, 10).var, 2166 / 18.0, 1e-12);
	static const double constant[] = { 7, 7, 7, 7, 7, 7, 7, 7, 7, 7 };
	d = trend_drift(&lab->arena, constant, 10);
	assert_near(d.p, 1, 0);
	assert_near(d.slope, 0, 0);
	assert_true(isnan(trend_drift(&lab->arena, y, 9).p));
}

static void pettitt(void **state)
{
	struct lab *lab = *state;
	/* Ranks 1 … 5, then 6 … 10: U_5 = 2 · 15 - 5 · 11 = -25; p = 2 exp(-6 · 625 / 1100) = 0.0661 */
	static const double y[] = { 1, 3, 2, 5, 4, 8, 6, 7, 10, 9 };
	struct trend_change c = trend_change(&lab->arena, y, 10, 0.99);
	assert_near(c.k, 25, 0);
	assert_int_equal(c.tau, 5);
	assert_near(c.p, 2 * exp(-3750 / 1100.0), 1e-12);
	assert_near(c.before, 3, 0);
	assert_near(c.after, 8, 0);
	/* Middle ranks: 2 2 2 5 5 5 …: five values of rank 3, five of 8. */
	static const double two[] = { 1, 1, 1, 1, 1, 2, 2, 2, 2, 2 };
	c = trend_change(&lab->arena, two, 10, 0.99);
	assert_near(c.k, 25, 0);
	static const double constant[] = { 7, 7, 7, 7, 7, 7, 7, 7, 7, 7 };
	assert_true(isnan(trend_change(&lab->arena, constant, 10, 0.99).k));
	assert_true(isnan(trend_change(&lab->arena, y, 9, 0.99).k));
}

static void two_steps(void **state)
{
	struct lab *lab = *state;
	size_t found;
	/* 40 values each about 10, 7 and 12, with a rough but fixed noise. */
	for (size_t i = 0; i < 120; i++)
		lab->y[i] = (i < 40 ? 10 : i < 80 ? 7 : 12) + 0.1 * (double)(i * 7 % 11);
	struct trend_division whole, *c = trend_changes(&lab->arena, lab->y, 120, 0.99, &whole, &found);
	assert_int_equal(found, 2);
	assert_int_equal(c[0].tau, 40);
	assert_int_equal(c[1].tau, 80);
	assert_near(c[0].before, 10.5, 0.05);
	assert_near(c[0].after, 7.5, 0.05);
	assert_near(c[1].before, 7.5, 0.05);
	assert_near(c[1].after, 12.5, 0.05);
}

/* By all pairs. */
static double energy_of(const double *y, size_t n, size_t t)
{
	double between = 0, left = 0, right = 0, a = (double)t, b = (double)(n - t);
	for (size_t i = 0; i < n; i++)
		for (size_t k = i + 1; k < n; k++)
			*(k < t ? &left : i >= t ? &right : &between) += fabs(y[i] - y[k]);
	return a * b / (a + b) * (2 * between / (a * b) - left / (a * (a - 1) / 2) - right / (b * (b - 1) / 2));
}

static void energy(void **state)
{
	struct lab *lab = *state;
	/* Two levels without noise: 5 · 5/10 · 2 · 1 = 5. */
	static const double two[] = { 1, 1, 1, 1, 1, 2, 2, 2, 2, 2 };
	struct trend_division d = trend_divide(two, 10, 0.99);
	assert_near(d.q, 5, 1e-12);
	assert_int_equal(d.tau, 5);
	/* Of 252 orders of it two are as good; the same seed draws the same ones. */
	assert_true(d.p > 0.002 && d.p < 0.03);
	assert_near(trend_divide(two, 10, 0.99).p, d.p, 0);
	gsl_rng_set(lab->random, SEED);
	for (size_t i = 0; i < 60; i++)
		lab->y[i] = 1e6 + (double)gsl_rng_uniform_int(lab->random, 20) + (i >= 37 ? 9 : 0); /* with ties */
	double most = 0;
	size_t at = 0;
	for (size_t t = 2; t <= 58; t++)
		if (energy_of(lab->y, 60, t) > most) {
			most = energy_of(lab->y, 60, t);
			at = t;
		}
	d = trend_divide(lab->y, 60, 0.99);
	assert_near(d.q, most, 1e-9);
	assert_int_equal(d.tau, at);
	assert_near(d.p, 0.001, 0);
	static const double constant[] = { 7, 7, 7, 7, 7, 7, 7, 7, 7, 7 };
	assert_true(isnan(trend_divide(constant, 10, 0.99).q) && isnan(trend_divide(two, 9, 0.99).q));
}

/* Down and up again, to a level that Pettitt's test can't tell from the first; of noise that resembles itself. */
static void dip(void **state)
{
	struct lab *lab = *state;
	struct trend_division whole;
	size_t found;
	double x = 0;
	gsl_rng_set(lab->random, SEED);
	for (size_t i = 0; i < 168; i++) {
		x = 0.3 * x + gsl_ran_gaussian(lab->random, 0.15);
		lab->y[i] = (i >= 50 && i < 110 ? 3.4 : 3.9) + x;
	}
	struct trend_division *c = trend_changes(&lab->arena, lab->y, 168, 0.99, &whole, &found);
	assert_int_equal(found, 2);
	assert_near((double)c[0].tau, 50, 2);
	assert_near((double)c[1].tau, 110, 2);
	assert_near(c[0].after, 3.4, 0.06);
	assert_near(c[1].after, 3.9, 0.06);
}

/* The same level, three times the spread. */
static void wider(void **state)
{
	struct lab *lab = *state;
	gsl_rng_set(lab->random, SEED);
	for (size_t i = 0; i < 200; i++)
		lab->y[i] = 10 + gsl_ran_gaussian(lab->random, i < 100 ? 0.1 : 0.5);
	struct trend_division whole;
	size_t found;
	struct trend_division *c = trend_changes(&lab->arena, lab->y, 200, 0.99, &whole, &found);
	assert_int_equal(found, 1);
	assert_near((double)c[0].tau, 100, 5);
	assert_near(c[0].sd_before, 0.1, 0.02);
	assert_near(c[0].sd_after, 0.5, 0.1);
}

static void gaps(void **state)
{
	struct lab *lab = *state;
	/* Every 10 s; none at 50 and 60, one late by 4. Two values of the run at 20. */
	static const double t[] = { 0, 10, 20, 20, 30, 40, 70, 84, 90, 100, 110 };
	struct trend_gaps g = trend_gaps(&lab->arena, t, COUNT(t));
	assert_true(g.known);
	assert_near(g.interval, 10, 0);
	assert_int_equal(g.n, 1);
	assert_int_equal(g.missing, 2);
	assert_near(g.longest, 30, 0);
	assert_near(g.at, 40, 0);
	static const double irregular[] = { 0, 1, 20, 22, 70, 71, 120, 121 };
	assert_false(trend_gaps(&lab->arena, irregular, COUNT(irregular)).known);
	static const double unknown[] = { NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN };
	assert_false(trend_gaps(&lab->arena, unknown, COUNT(unknown)).known);
}

/* ---- verdicts ---- */

struct made {
	struct trend_series series;
	struct trend_point points[VALUES_MAX];
	struct result results[VALUES_MAX];
	struct run run;
};

static struct trend judge(struct lab *lab, const double *y, size_t n, double tolerance, double half)
{
	static const struct trend_series plain = { .metric = METRIC_BANDWIDTH, .unit = UNIT_B_PER_S };
	struct made *m = ARENA_NEW(&lab->arena, struct made);
	struct trend_rule rule = { .tolerance = tolerance, .level = 0.99 };
	for (size_t i = 0; i < n; i++)
		m->points[i] = (struct trend_point){ .value = y[i], .half = half, .time = NAN, .run = &m->run,
			.result = &m->results[i] };
	m->series = plain;
	m->series.points = m->points;
	m->series.n = m->series.runs = n;
	return trend_judge(&lab->arena, &rule, &m->series);
}

static void verdicts(void **state)
{
	struct lab *lab = *state;
	static const double y[] = { 9, 10, 11, 10, 10, 10, 10, 10, 10, 10 };
	assert_int_equal(judge(lab, y, 10, 0.1, 0).verdict, VERDICT_PASS); /* 9 is off by exactly 10 % */
	assert_int_equal(judge(lab, y, 10, 0.099, 0).verdict, VERDICT_FAIL);
	assert_int_equal(judge(lab, y, 9, 0.2, 0).verdict, VERDICT_INCONCLUSIVE);
	assert_int_equal(judge(lab, y, 3, 0.05, 0).verdict, VERDICT_FAIL);
	assert_int_equal(judge(lab, y, 1, 0.05, 0).verdict, VERDICT_INCONCLUSIVE);
	assert_int_equal(judge(lab, y, 0, 0.05, 0).verdict, VERDICT_NO_DATA);
	assert_false(judge(lab, y, 10, NAN, 0).judged);
	/* Printed without decimals, 9 can be 9.4: a deviation of 5 to 15 %. */
	assert_int_equal(judge(lab, y, 10, 0.12, 0.5).verdict, VERDICT_INCONCLUSIVE);
	assert_int_equal(judge(lab, y, 10, 0.16, 0.5).verdict, VERDICT_PASS);
	static const double zero[] = { -1, 1, -1, 1, -1, 1, -1, 1, -1, 1 };
	assert_int_equal(judge(lab, zero, 10, 0.1, 0).verdict, VERDICT_INCONCLUSIVE);
	static const double nothing[10];
	assert_int_equal(judge(lab, nothing, 10, 0.1, 0).verdict, VERDICT_PASS);
}

/* A step is no drift, a drift no step: only the better description is claimed. */
static void step_or_drift(void **state)
{
	struct lab *lab = *state;
	gsl_rng_set(lab->random, SEED);
	for (size_t i = 0; i < 100; i++)
		lab->y[i] = (i < 60 ? 10 : 9) + gsl_ran_gaussian(lab->random, 0.3);
	struct trend t = judge(lab, lab->y, 100, 0.5, 0);
	assert_false(t.drift.shown);
	assert_int_equal(t.n_changes, 1);
	assert_true(t.changes[0].tau > 56 && t.changes[0].tau < 64);
	for (size_t i = 0; i < 100; i++)
		lab->y[i] = 10 - 0.02 * (double)i + gsl_ran_gaussian(lab->random, 0.3);
	t = judge(lab, lab->y, 100, 0.5, 0);
	assert_true(t.drift.shown);
	assert_int_equal(t.n_changes, 0);
	assert_near(t.drift.slope, -0.02, 0.004);
	assert_near(t.drift.rise, -0.22, 0.05);
}

/* Three values of each run: one odd run is no level, whatever its values; two levels of runs are. */
static void values_of_runs(void **state)
{
	struct lab *lab = *state;
	static const struct trend_rule rule = { .tolerance = NAN, .level = 0.99 };
	gsl_rng_set(lab->random, SEED);
	for (int two = 0; two < 2; two++) {
		struct made *m = ARENA_NEW(&lab->arena, struct made);
		for (size_t i = 0; i < 90; i++)
			m->points[i] = (struct trend_point){ .time = NAN, .run = &m->run, .result = &m->results[i],
				.same_run = i % 3 > 0, .value = (two ? i < 42 ? 100 : 80 : i < 3 ? 500 : 100) + gsl_ran_gaussian(lab->random, 5) };
		m->series = (struct trend_series){ .metric = METRIC_BANDWIDTH, .unit = UNIT_B_PER_S, .points = m->points,
			.n = 90, .runs = 30 };
		struct trend t = trend_judge(&lab->arena, &rule, &m->series);
		assert_int_equal(t.n_changes, two);
		assert_int_equal(t.divided.tau, two ? 42 : 6);
		if (two)
			assert_int_equal(t.changes[0].tau, 42);
	}
}

/* ---- false alarms ---- */

static void simulate(struct lab *lab, size_t n, double phi)
{
	double step = sqrt(1 - phi * phi), x = gsl_ran_ugaussian(lab->random);
	for (size_t i = 0; i < n; i++) {
		lab->y[i] = 100 + 4 * x;
		x = phi * x + step * gsl_ran_ugaussian(lab->random);
	}
}

/* The largest share that can be told from `rate` by chance only. */
static double up_to(const struct lab *lab, double rate)
{
	return rate + 3 * sqrt(rate * (1 - rate) / (double)lab->repeats);
}

/* Shares of series without any that are claimed to have a drift, and a change, each at its level of 5 %. Where fewer
 * than 50 values resemble each other very much, they can't show how much: documented. */
static void false_alarms(void **state)
{
	struct lab *lab = *state;
	static const size_t n[] = { 10, 20, 50, 168 };
	static const double phi[] = { 0, 0.3, 0.6, 0.8 };
	for (size_t i = 0; i < COUNT(n); i++)
		for (size_t k = 0; k < COUNT(phi); k++) {
			size_t drifts = 0, changes = 0, divisions = 0, plain = 0, plain_divisions = 0;
			gsl_rng_set(lab->random, SEED);
			for (size_t m = 0; m < lab->repeats; m++) {
				simulate(lab, n[i], phi[k]);
				struct trend_drift d = trend_drift(&lab->arena, lab->y, n[i]);
				drifts += d.p_corrected <= 0.05;
				plain += d.p <= 0.05;
				changes += trend_change(&lab->arena, lab->y, n[i], 0.95).p_corrected <= 0.05;
				struct trend_division e = trend_divide(lab->y, n[i], 0.95);
				divisions += e.p_corrected <= 0.05;
				plain_divisions += e.p <= 0.05;
				arena_reset(&lab->arena);
			}
			double share = 1 / (double)lab->repeats, drift = share * (double)drifts, change = share * (double)changes,
				division = share * (double)divisions;
			print_message("phi = %.1f, n = %3zu: drift %.1f %% (uncorrected %.1f), Pettitt %.1f %%, E-divisive %.1f %% "
				"(uncorrected %.1f)\n", phi[k], n[i], 100 * drift, 100 * share * (double)plain, 100 * change,
				100 * division, 100 * share * (double)plain_divisions);
			assert_true(drift <= up_to(lab, n[i] < 50 && phi[k] > 0.7 ? 0.085 : 0.05));
			assert_true(change <= up_to(lab, n[i] < 50 && phi[k] > 0.5 ? 0.12 : 0.055));
			assert_true(division <= up_to(lab, n[i] < 50 && phi[k] > 0.5 ? 0.18 : phi[k] > 0.7 ? 0.09 : 0.055));
		}
}

static size_t repeats_asked = 60;

static int set_up(void **state)
{
	static struct lab lab;
	lab.repeats = repeats_asked;
	lab.random = gsl_rng_alloc(gsl_rng_mt19937);
	*state = &lab;
	return lab.random ? 0 : -1;
}

static int tear_down(void **state)
{
	struct lab *lab = *state;
	gsl_rng_free(lab->random);
	arena_free(&lab->arena);
	return 0;
}

int main(int argc, char **argv)
{
	uint64_t asked;
	if (argc > 1 && num_u64(slice_of(argv[1]), &asked) == NUM_OK)
		repeats_asked = (size_t)asked;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(spread),
		cmocka_unit_test(what_runs_prove),
		cmocka_unit_test(outliers),
		cmocka_unit_test(likeness),
		cmocka_unit_test(control),
		cmocka_unit_test(creeping_cusum),
		cmocka_unit_test(mann_kendall),
		cmocka_unit_test(pettitt),
		cmocka_unit_test(two_steps),
		cmocka_unit_test(energy),
		cmocka_unit_test(dip),
		cmocka_unit_test(wider),
		cmocka_unit_test(gaps),
		cmocka_unit_test(verdicts),
		cmocka_unit_test(step_or_drift),
		cmocka_unit_test(values_of_runs),
		cmocka_unit_test(false_alarms),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
