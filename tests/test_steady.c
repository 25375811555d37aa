#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/steady.h"

#include <math.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define ROUNDS(...) (const double[]){ __VA_ARGS__ }, COUNT(((const double[]){ __VA_ARGS__ }))

/* A near-equality that is false for NAN. */
static void assert_near(double a, double b, double tolerance)
{
	if (!(fabs(a - b) <= tolerance))
		fail_msg("%.12g is not %.12g ± %g", a, b, tolerance);
}

static struct series series_of(struct arena *a, enum series_kind kind, double interval, const double *y, size_t n)
{
	struct point *points = ARENA_ARRAY(a, n, struct point);
	for (size_t i = 0; i < n; i++) {
		double t = kind == SERIES_ROUNDS ? (double)i + 1 : ((double)i + 1) * interval;
		points[i] = (struct point){ .t = t, .value = y[i] };
	}
	return (struct series){ .kind = kind, .metric = METRIC_IOPS, .points = points, .n = n, .interval = interval };
}

static struct steady judge(struct arena *a, const struct steady_rule *rule, const double *y, size_t n)
{
	struct series s = series_of(a, SERIES_ROUNDS, 0, y, n);
	return steady_judge(a, rule, &s);
}

static void steady_cell_of_a_real_run(void **state)
{
	(void)state;
	struct arena a = ARENA_EMPTY;
	/* 4k 0/100, IOPS of five rounds as fio printed them; the suite rounds each to four decimals. */
	struct steady s = judge(&a, &steady_snia, ROUNDS(798.8006, 798.202696, 798.84139, 799.4003, 799.580168));
	assert_true(s.steady);
	assert_int_equal(s.doubts, 0);
	assert_string_equal(s.doubt_text, "");
	assert_int_equal(s.n_passing, 1);
	assert_near(s.last.mean, 798.9650308, 1e-9);
	assert_near(s.last.data_excursion, 1.377472, 1e-9);
	assert_near(s.last.data_allowed, 159.79300616, 1e-8);
	assert_near(s.last.slope, 0.275674, 1e-6);
	assert_near(s.last.slope_excursion, 1.102696, 1e-6);
	assert_near(s.last.intercept, 798.138, 5e-4);

	/* .options of that run: ss_average 798.965, largest data excursion 1.3775, slope 0.276, y intercept 798.138,
	 * largest slope excursion 1.1, allowed 159.793 and 79.8965. */
	s = judge(&a, &steady_cloudharmony, ROUNDS(798.8006, 798.2027, 798.8414, 799.4003, 799.5802));
	assert_true(s.steady);
	assert_near(s.last.mean, 798.965, 1e-9);
	assert_near(s.last.data_excursion, 1.3775, 1e-9);
	assert_near(s.last.slope, 0.276, 1e-12);
	assert_near(s.last.intercept, 798.138, 1e-9);
	assert_near(s.last.slope_excursion, 1.1, 1e-12);
	assert_near(s.last.data_allowed, 159.793, 1e-9);
	assert_near(s.last.slope_allowed, 79.8965, 1e-9);
	arena_free(&a);
}

static void unsteady_cells_of_real_runs(void **state)
{
	(void)state;
	struct arena a = ARENA_EMPTY;
	/* 128k 0/100 of the same run. */
	struct steady s = judge(&a, &steady_snia, ROUNDS(799.840032, 397.602398, 725.014961, 783.616384, 797.742709));
	assert_false(s.steady);
	assert_near(s.last.data_excursion / s.last.mean, 0.57, 0.005);
	assert_near(s.last.slope_excursion / s.last.mean, 0.218, 0.0005);
	/* A run that never became steady. */
	s = judge(&a, &steady_snia, ROUNDS(27354.929014, 28573.755747, 25474.057783, 32692.830717, 23151.783935));
	assert_false(s.steady);
	assert_near(s.last.mean, 27449.471, 5e-4);
	assert_near(s.last.data_excursion, 9541.047, 5e-4);
	/* Latency in ms. */
	s = judge(&a, &steady_snia, ROUNDS(1.437419, 2.616342, 1.808255, 1.641097, 2.498808));
	assert_false(s.steady);
	/* Throughput 1024k in MiB/s: slope excursion 37.4 of 38.7 allowed. */
	s = judge(&a, &steady_snia, ROUNDS(358.043274, 390.331244, 389.218595, 399.880036, 399.960004));
	assert_true(s.steady);
	assert_near(s.last.mean, 387.486, 1e-3);
	assert_near(s.last.slope_excursion, 37.4, 0.05);
	assert_near(s.last.slope_allowed, 38.7486, 1e-3);
	arena_free(&a);
}

static void equality_passes(void **state)
{
	(void)state;
	struct arena a = ARENA_EMPTY;
	/* Range exactly 20 %, with values that no double holds exactly. */
	assert_true(judge(&a, &steady_snia, ROUNDS(0.9, 1.1, 1, 1.1, 0.9)).steady);
	assert_true(judge(&a, &steady_snia, ROUNDS(63e-5, 77e-5, 70e-5, 77e-5, 63e-5)).steady);
	assert_false(judge(&a, &steady_snia, ROUNDS(0.9, 1.1000001, 1, 1.1, 0.9)).steady);
	/* Rise exactly 10 %: slope 0.025 per round. */
	assert_true(judge(&a, &steady_snia, ROUNDS(0.95, 0.975, 1, 1.025, 1.05)).steady);
	assert_true(judge(&a, &steady_snia, ROUNDS(1.05e-3, 1.025e-3, 1e-3, 0.975e-3, 0.95e-3)).steady);
	assert_false(judge(&a, &steady_snia, ROUNDS(0.95, 0.975, 1, 1.025, 1.0500001)).steady);
	/* A strict rule takes neither. */
	struct steady_rule strict = steady_snia;
	strict.strict = true;
	assert_false(judge(&a, &strict, ROUNDS(63e-5, 77e-5, 70e-5, 77e-5, 63e-5)).steady);
	assert_false(judge(&a, &strict, ROUNDS(0.95, 0.975, 1, 1.025, 1.05)).steady);
	assert_true(judge(&a, &strict, ROUNDS(0.96, 0.975, 1, 1.025, 1.04)).steady);
	arena_free(&a);
}

static void rounding_that_blinds(void **state)
{
	(void)state;
	struct arena a = ARENA_EMPTY;
	struct steady s = judge(&a, &steady_cloudharmony, ROUNDS(.091, .096, .099, .104, .109));
	assert_true(s.steady);
	assert_int_equal(s.doubts, STEADY_ROUNDING);
	assert_non_null(strstr(s.doubt_text, "17.6 %"));
	assert_non_null(strstr(s.doubt_text, "not steady"));
	s = judge(&a, &steady_snia, ROUNDS(.091, .096, .099, .104, .109));
	assert_false(s.steady);
	assert_near(s.last.slope_excursion / s.last.mean, 0.176, 0.0005);
	arena_free(&a);
}

/* 79 k until a collapse begins at round 16 that looks calm for seven rounds. */
static const double collapse[] = {
	79.0e3, 78.8e3, 79.3e3, 79.1e3, 78.9e3, 79.2e3, 79.0e3, 78.7e3, 79.1e3,
	79.2e3, 78.9e3, 79.0e3, 79.1e3, 78.8e3, 79.0e3, 66.0e3, 64.8e3, 63.4e3,
	62.1e3, 60.7e3, 59.9e3, 58.6e3, 48.0e3, 41.0e3, 60.0e3, 39.0e3,
};

static void window_inside_a_collapse(void **state)
{
	(void)state;
	struct arena a = ARENA_EMPTY;
	struct steady s = judge(&a, &steady_snia, collapse, COUNT(collapse));
	static const size_t passing[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 16, 17 };
	assert_int_equal(s.n_passing, COUNT(passing));
	for (size_t i = 0; i < COUNT(passing); i++)
		assert_int_equal(s.passing[i], passing[i]);
	assert_false(s.steady);
	assert_int_equal(s.doubts, STEADY_LEFT);
	assert_string_equal(s.doubt_text,
		"Rounds 18–22 passed the rule, but rounds 22–26 do not: steady state was left.");

	/* A tool that stops at its first passing window inside the collapse. */
	for (size_t n = 20; n <= 22; n++) {
		s = judge(&a, &steady_snia, collapse, n);
		assert_true(s.steady);
		assert_int_equal(s.doubts, STEADY_COLLAPSE);
	}
	s = judge(&a, &steady_snia, collapse, 20);
	assert_string_equal(s.doubt_text,
		"Rounds 16–20 pass the rule while the whole series falls from 79.0 k to 60.7 k: a window inside a collapse.");
	/* Before it: nothing to doubt. */
	s = judge(&a, &steady_snia, collapse, 15);
	assert_true(s.steady);
	assert_int_equal(s.doubts, 0);
	arena_free(&a);
}

static void steady_after_a_fall(void **state)
{
	(void)state;
	struct arena a = ARENA_EMPTY;
	/* What every fresh drive does: fast, a fall, then level. */
	struct steady s = judge(&a, &steady_snia, ROUNDS(200e3, 200e3, 190e3, 150e3, 110e3, 85e3, 70e3, 63e3, 60.6e3, 60.2e3,
		60.3e3, 60.1e3, 60.2e3));
	assert_true(s.steady);
	assert_int_equal(s.doubts, 0);
	/* The same way up. */
	s = judge(&a, &steady_snia, ROUNDS(50, 53.9, 57.8, 61.8, 65.5, 69.5, 73.4, 77.2, 80.5));
	assert_false(s.steady);
	s = judge(&a, &steady_snia, ROUNDS(80, 81.5, 83, 84.7, 86, 87.6, 89.1, 90.4, 92, 93.5));
	assert_true(s.steady);
	assert_int_equal(s.doubts, STEADY_COLLAPSE);
	assert_non_null(strstr(s.doubt_text, "rises from 83.0 to 93.5: a window inside a rise."));
	/* A fall that has turned: the window goes the other way. */
	s = judge(&a, &steady_snia, ROUNDS(100, 95, 90, 85, 80, 75, 70, 71.5, 73, 74.5, 76));
	assert_true(s.steady);
	assert_int_equal(s.doubts, 0);
	arena_free(&a);
}

static void short_long_and_broken_series(void **state)
{
	(void)state;
	struct arena a = ARENA_EMPTY;
	struct steady s = judge(&a, &steady_snia, ROUNDS(10, 10, 10));
	assert_false(s.steady);
	assert_int_equal(s.doubts, STEADY_TOO_SHORT);
	assert_string_equal(s.doubt_text, "Only 3 of the 5 rounds that the rule needs.");
	assert_int_equal(s.last.n, 3);
	assert_near(s.last.mean, 10, 0);
	s = judge(&a, &steady_snia, NULL, 0);
	assert_false(s.steady);
	assert_true(isnan(s.last.mean));
	s = judge(&a, &steady_snia, ROUNDS(7));
	assert_false(s.steady);
	assert_true(isnan(s.last.slope));

	assert_false(judge(&a, &steady_snia, ROUNDS(10, 10, NAN, 10, 10)).steady);
	assert_false(judge(&a, &steady_snia, ROUNDS(NAN, 10, 10, 10, 10)).steady);
	assert_false(judge(&a, &steady_snia, ROUNDS(10, 10, 10, 10, INFINITY)).steady);
	assert_false(judge(&a, &steady_snia, ROUNDS(0, 0, 0, 0, 0)).steady);

	double many[30];
	for (size_t i = 0; i < COUNT(many); i++)
		many[i] = i % 2 ? 100 : 101;
	s = judge(&a, &steady_snia, many, 25);
	assert_true(s.steady);
	assert_int_equal(s.doubts, 0);
	s = judge(&a, &steady_snia, many, 30);
	assert_true(s.steady);
	assert_int_equal(s.doubts, STEADY_COVERAGE);
	assert_string_equal(s.doubt_text, "Rounds 26–30 are only 17 % of the whole series.");
	arena_free(&a);
}

/* Rounds are named as the series counts them. */
static void rounds_keep_their_numbers(void **state)
{
	(void)state;
	struct arena a = ARENA_EMPTY;
	struct series s = series_of(&a, SERIES_ROUNDS, 0, collapse + 14, 12);
	for (size_t i = 0; i < s.n; i++)
		((struct point *)s.points)[i].t += 14;
	struct steady j = steady_judge(&a, &steady_snia, &s);
	assert_non_null(strstr(j.doubt_text, "Rounds 18–22 passed the rule, but rounds 22–26 do not"));
	arena_free(&a);
}

static struct steady judge_samples(struct arena *a, double interval, const double *y, size_t n)
{
	struct series s = series_of(a, SERIES_SAMPLES, interval, y, n);
	return steady_judge(a, &steady_snia, &s);
}

static void samples(void **state)
{
	(void)state;
	struct arena a = ARENA_EMPTY;
	double y[600];
	/* 100 s of warm-up, then level with a small saw-tooth. */
	for (size_t i = 0; i < COUNT(y); i++)
		y[i] = (i < 100 ? 3000 - 20 * (double)i : 1000) + (double)(i % 7);
	struct steady s = judge_samples(&a, 1, y, 600);
	assert_true(s.steady);
	assert_int_equal(s.doubts, 0);
	assert_true(s.last.first >= 100 && s.last.first < 120);
	assert_int_equal(s.last.first + s.last.n, 600);
	assert_int_equal(s.last.n, 5 * s.last.block);
	assert_near(s.last.mean, 1003, 0.1);
	assert_int_equal(s.passing[s.n_passing - 1], 550);

	/* The level part is a sixth of the whole. */
	s = judge_samples(&a, 1, y, 120);
	assert_false(s.steady);
	s = judge_samples(&a, 1, y, 49);
	assert_int_equal(s.doubts, STEADY_TOO_SHORT);
	assert_string_equal(s.doubt_text, "Only 49 samples; the rule needs 5 blocks of 10.");
	/* Ten samples a second: blocks of 100. */
	s = judge_samples(&a, 0.1, y, 499);
	assert_int_equal(s.doubts, STEADY_TOO_SHORT);
	s = judge_samples(&a, 0.1, y + 100, 500);
	assert_true(s.steady);
	/* An interval that does not divide by binary fractions: 61 samples are ten seconds. */
	s = judge_samples(&a, 10.0 / 61, y + 100, 305);
	assert_true(s.steady);
	/* Windows end with the series, whatever the remainder. */
	s = judge_samples(&a, 1, y + 100, 57);
	assert_int_equal(s.n_passing, 1);
	assert_int_equal(s.passing[0], 7);
	assert_int_equal(s.last.first + s.last.n, 57);
	s = judge_samples(&a, 1, y + 100, 54);
	assert_int_equal(s.last.first + s.last.n, 54);
	/* A sample per minute is a block of its own. */
	s = judge_samples(&a, 60, y + 100, 5);
	assert_true(s.steady);
	assert_int_equal(s.last.block, 1);
	/* No interval and no times: blocks of ten samples. */
	s = judge_samples(&a, 0, y + 100, 49);
	assert_int_equal(s.doubts, STEADY_TOO_SHORT);
	s = judge_samples(&a, 0, y + 100, 50);
	assert_true(s.steady);
	arena_free(&a);
}

static void samples_that_leave_or_fall(void **state)
{
	(void)state;
	struct arena a = ARENA_EMPTY;
	double y[300];
	for (size_t i = 0; i < COUNT(y); i++)
		y[i] = i < 280 ? 1000 : 100;
	struct steady s = judge_samples(&a, 1, y, 300);
	assert_false(s.steady);
	assert_int_equal(s.doubts, STEADY_LEFT);
	assert_string_equal(s.doubt_text,
		"Seconds 231–280 passed the rule, but seconds 251–300 do not: steady state was left.");
	/* Falls a quarter of a per cent a second from 1000 to 473: a tail passes, but inside the fall. */
	for (size_t i = 0; i < COUNT(y); i++)
		y[i] = 1000 * pow(0.9975, (double)i);
	s = judge_samples(&a, 1, y, 300);
	assert_false(s.steady);
	for (size_t i = 0; i < COUNT(y); i++)
		y[i] = 1000 - (double)i;
	s = judge_samples(&a, 1, y, 300);
	assert_true(s.steady);
	assert_int_equal(s.doubts & STEADY_COLLAPSE, STEADY_COLLAPSE);
	arena_free(&a);
}

static void fio_criterion(void **state)
{
	(void)state;
	static const struct {
		double y[4];
		size_t n;
		bool slope;
		double limit, printed;
		bool attained;
	} real[] = {
		{ { 9241, 2314, 5110, 3393 }, 4, true, 50, -29.413641, true },
		{ { 12334, 10822, 10503, 4613 }, 4, true, 50, -24.542225, true },
		{ { 2961, 3867, 3680 }, 3, false, 0.0001, 15.464408, false },
		{ { 12296, 2235, 5633 }, 3, false, 0.0001, 82.939896, false },
		{ { 755576, 413559, 672587 }, 3, false, 90, 32.634949, true },
	};
	for (size_t i = 0; i < COUNT(real); i++) {
		struct fio_steady f = steady_fio(real[i].y, real[i].n, real[i].slope, real[i].limit);
		double mean = (real[i].y[0] + real[i].y[1] + real[i].y[2] + real[i].y[3]) / (double)real[i].n;
		/* fio divides a slope by the whole part of the mean. */
		double printed = real[i].slope ? real[i].printed * floor(mean) / mean : real[i].printed;
		assert_near(f.criterion, printed, 1e-5);
		assert_int_equal(f.attained, real[i].attained);
	}
	struct fio_steady f = steady_fio(real[0].y, 4, true, 50);
	assert_near(f.drift, 3 * f.criterion, 1e-9);
	/* Strict: a deviation of exactly 10 % is not below 10 %. */
	static const double y[] = { 90, 110 };
	assert_false(steady_fio(y, 2, false, 10).attained);
	assert_true(steady_fio(y, 2, false, 10.001).attained);
	assert_false(steady_fio(y, 1, false, 10).attained);
	assert_true(isnan(steady_fio(y, 1, false, 10).criterion));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steady_cell_of_a_real_run),
		cmocka_unit_test(unsteady_cells_of_real_runs),
		cmocka_unit_test(equality_passes),
		cmocka_unit_test(rounding_that_blinds),
		cmocka_unit_test(window_inside_a_collapse),
		cmocka_unit_test(steady_after_a_fall),
		cmocka_unit_test(short_long_and_broken_series),
		cmocka_unit_test(rounds_keep_their_numbers),
		cmocka_unit_test(samples),
		cmocka_unit_test(samples_that_leave_or_fall),
		cmocka_unit_test(fio_criterion),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
