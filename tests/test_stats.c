#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/stats.h"

#include <math.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A near-equality that is false for NAN. */
static void assert_near(double a, double b, double tolerance)
{
	if (!(fabs(a - b) <= tolerance))
		fail_msg("%.12g is not %.12g ± %g", a, b, tolerance);
}

static const double five[] = { 1, 2, 3, 4, 5 };

static void moments(void **state)
{
	(void)state;
	assert_near(stats_mean(five, 5), 3, 0);
	assert_near(stats_sd(five, 5), sqrt(2.5), 1e-15);
	assert_true(isnan(stats_mean(five, 0)) && isnan(stats_sd(five, 1)));
	/* Large and close together: no digits lost. */
	static const double close[] = { 1e9 + 1, 1e9 + 2, 1e9 + 3 };
	assert_near(stats_sd(close, 3), 1, 1e-6);
}

static void lines(void **state)
{
	(void)state;
	double slope, at_zero;
	stats_line(five, 5, &slope, &at_zero);
	assert_near(slope, 1, 1e-15);
	assert_near(at_zero, 1, 1e-15);
	static const double y[] = { 2, 1, 4, 3 }; /* slope 0.6: Σ(x - x̄)(y - ȳ) = 3, Σ(x - x̄)² = 5 */
	stats_line(y, 4, &slope, &at_zero);
	assert_near(slope, 0.6, 1e-15);
	assert_near(at_zero, 1.6, 1e-15);
	stats_line(y, 1, &slope, &at_zero);
	assert_true(isnan(slope) && isnan(at_zero));
}

static void autocorrelation(void **state)
{
	(void)state;
	/* About the mean 3: (2·1 + 1·0 + 0·1 + 1·2) / 10 = 0.4; corrected by (1 + 1.2) / 5. */
	assert_near(stats_lag1(five, 5), 0.84, 1e-12);
	static const double zigzag[] = { 1, 3, 1, 3, 1, 3, 1, 3, 1, 3 }; /* -0.9 + (1 - 2.7)/10, kept within -1 */
	assert_near(stats_lag1(zigzag, 10), -1, 1e-12);
	static const double equal[] = { 7, 7, 7, 7, 7 };
	assert_true(isnan(stats_lag1(equal, 5)) && isnan(stats_lag1(five, 3)));
	static const double broken[] = { 1, 2, NAN, 4, 5 };
	assert_true(isnan(stats_lag1(broken, 5)));
}

static void plain_interval(void **state)
{
	(void)state;
	/* From a printed table: t(0.95; 4) = 2.1318, t(0.975; 4) = 2.7764. */
	struct bound b = stats_bound(five, 5, five, 5, 0.95);
	assert_near(b.mean - b.lower, 2.1318 * sqrt(2.5) / sqrt(5), 1e-4);
	assert_near(b.upper - b.mean, 2.1318 * sqrt(2.5) / sqrt(5), 1e-4);
	assert_near(b.n_effective, 5, 0);
	assert_true(!b.widened && isnan(b.lag1));
	b = stats_bound(five, 5, five, 5, 0.975);
	assert_near(b.mean - b.lower, 2.7764 * sqrt(2.5) / sqrt(5), 1e-4);
	b = stats_bound(five, 2, NULL, 0, 0.95); /* t(0.95; 1) = 6.3138 */
	assert_near(b.mean - b.lower, 6.3138 * sqrt(0.5) / sqrt(2), 1e-4);
	/* Nine values in the series: still nothing estimated. */
	static const double nine[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };
	assert_false(stats_bound(nine + 4, 5, nine, 9, 0.95).widened);
}

static void no_interval(void **state)
{
	(void)state;
	struct bound b = stats_bound(five, 1, five, 1, 0.95);
	assert_true(isnan(b.lower) && isnan(b.upper) && b.mean == 1);
	b = stats_bound(five, 0, NULL, 0, 0.95);
	assert_true(isnan(b.lower) && isnan(b.mean));
	static const double broken[] = { 1, 2, NAN, 4, 5 };
	assert_true(isnan(stats_bound(broken, 5, NULL, 0, 0.95).lower));
	static const double levels[] = { 0, 1, -1, 2, NAN };
	for (size_t i = 0; i < COUNT(levels); i++)
		assert_true(isnan(stats_bound(five, 5, NULL, 0, levels[i]).lower));
	static const double equal[] = { 7, 7, 7, 7, 7, 7, 7, 7, 7, 7 };
	b = stats_bound(equal, 10, equal, 10, 0.95);
	assert_true(b.lower == 7 && b.upper == 7 && !b.widened);
}

static void widened_interval(void **state)
{
	(void)state;
	/* lag 1 about the mean of 1 … 10 is 0.7; corrected: 0.7 + 3.1/10 = 1.01, kept at 1: no error added, r = 0.99, and
	 * n_effective at its floor of 2. */
	double y[20];
	for (size_t i = 0; i < 20; i++)
		y[i] = (double)i;
	struct bound b = stats_bound(y, 10, y, 10, 0.95);
	assert_true(b.widened);
	assert_near(b.lag1, 1, 1e-12);
	assert_near(b.n_effective, 2, 0);
	assert_near(b.mean - b.lower, 6.3138 * b.sd / sqrt(2), 1e-3);

	/* Five of twenty: a quarter of the standard error is added. */
	double pairs[20], products = 0;
	for (size_t i = 0; i < 20; i++)
		pairs[i] = i / 2 % 2 ? 1 : -1;
	for (size_t i = 1; i < 20; i++)
		products += pairs[i] * pairs[i - 1];
	double r = products / 20;
	r += (1 + 3 * r) / 20;
	b = stats_bound(pairs + 15, 5, pairs, 20, 0.95);
	assert_near(b.lag1, r, 1e-12);
	double with_error = r + 0.25 * sqrt((1 - r * r) / 20);
	assert_near(b.n_effective, 5 * (1 - with_error) / (1 + with_error), 1e-12);

	/* Neighbours that avoid each other never narrow it. */
	for (size_t i = 0; i < 20; i++)
		y[i] = i % 2 ? 1 : -1;
	b = stats_bound(y, 20, y, 20, 0.95);
	assert_near(b.n_effective, 20, 0);
	assert_false(b.widened);
}

static void values_needed(void **state)
{
	(void)state;
	struct bound b = stats_bound(five, 5, five, 5, 0.95); /* 3 ± 1.507 */
	assert_int_equal(stats_values_needed(&b, 1), 5);
	assert_int_equal(stats_values_needed(&b, 5), 5);
	/* t(0.95; n - 1) · 1.5811 / √n < 1: n = 9 gives 0.980, n = 8 gives 1.059. */
	assert_int_equal(stats_values_needed(&b, 2), 9);
	assert_int_equal(stats_values_needed(&b, 4), 9);
	/* 1.64485² · 2.5 / 0.01² = 67,638 */
	size_t n = stats_values_needed(&b, 3.01);
	assert_true(n > 67600 && n < 67700);
	assert_int_equal(stats_values_needed(&b, 3), 0);
	assert_int_equal(stats_values_needed(&b, 3 + 1e-6), 0);
	b = stats_bound(five, 1, NULL, 0, 0.95);
	assert_int_equal(stats_values_needed(&b, 7), 0);
	/* No spread, and off the limit by rounding only. */
	static const double equal[] = { 0.1 + 0.2, 0.1 + 0.2, 0.1 + 0.2 };
	b = stats_bound(equal, 3, NULL, 0, 0.95);
	assert_int_equal(stats_values_needed(&b, 0.3), 0);
	assert_int_equal(stats_values_needed(&b, 0.2), 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(moments),
		cmocka_unit_test(lines),
		cmocka_unit_test(autocorrelation),
		cmocka_unit_test(plain_interval),
		cmocka_unit_test(no_interval),
		cmocka_unit_test(widened_interval),
		cmocka_unit_test(values_needed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
