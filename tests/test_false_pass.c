/* How often a bound passes a drive whose true mean lies exactly at the limit. Nominal: 5 %.
 *
 * Each figure is a share of simulated series with fixed seeds. With N series a true rate of 5 % is measured with a
 * standard error of sqrt(0.05 · 0.95 / N); a rate counts as "at or under 5 %" up to three of them (N = 10,000: 5.65 %).
 * The same goes for the rates over 5 % that are documented where nothing can hold them down.
 * `test_false_pass 100000` prints the figures that model/stats.h quotes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/num.h"
#include "model/stats.h"
#include "model/steady.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const double LIMIT = 100, LEVEL = 0.95, NOMINAL = 0.05;
enum { VALUES_MAX = 300, SEED = 20177 };

struct lab {
	gsl_rng *random;
	struct arena arena;
	size_t repeats;
	struct point points[VALUES_MAX];
	double y[VALUES_MAX];
};

/* An AR(1) series around the limit: standard deviation of its values `sd`, autocorrelation phi^k at lag k. */
static void simulate(struct lab *lab, size_t n, double phi, double sd)
{
	double step = sd * sqrt(1 - phi * phi), x = gsl_ran_gaussian(lab->random, sd);
	for (size_t i = 0; i < n; i++) {
		lab->y[i] = LIMIT + x;
		x = phi * x + gsl_ran_gaussian(lab->random, step);
	}
}

/* The largest share that can be told from `rate` by chance only. */
static double up_to(const struct lab *lab, double rate)
{
	return rate + 3 * sqrt(rate * (1 - rate) / (double)lab->repeats);
}

/* Share of series whose last `window` values pass, the autocorrelation taken from all n. */
static double bound_rate(struct lab *lab, size_t window, size_t n, double phi)
{
	size_t passes = 0;
	gsl_rng_set(lab->random, SEED);
	for (size_t k = 0; k < lab->repeats; k++) {
		simulate(lab, n, phi, 2);
		passes += stats_bound(lab->y + n - window, window, lab->y, n, LEVEL).lower >= LIMIT;
	}
	return (double)passes / (double)lab->repeats;
}

static struct steady judge(struct lab *lab, size_t n, enum series_kind kind)
{
	for (size_t i = 0; i < n; i++)
		lab->points[i] = (struct point){ .t = (double)i + 1, .value = lab->y[i] };
	struct series s = { .kind = kind, .metric = METRIC_IOPS, .points = lab->points, .n = n, .interval = 1 };
	arena_reset(&lab->arena);
	return steady_judge(&lab->arena, &steady_snia, &s);
}

struct path_rate {
	double steady;       /* share that the rule calls steady */
	double passes;       /* share that is steady and passes */
};

/* The whole path: judge, take the window, bound its mean. `stops`: the tool ends its run at the first round where the
 * last five are steady, as the suites do; else it runs all n. */
static struct path_rate path_rate(struct lab *lab, size_t n, double phi, double sd, bool stops, enum series_kind kind)
{
	size_t steady = 0, passes = 0;
	gsl_rng_set(lab->random, SEED);
	for (size_t k = 0; k < lab->repeats; k++) {
		simulate(lab, n, phi, sd);
		size_t used = stops ? steady_snia.window : n;
		struct steady s = judge(lab, used, kind);
		while (!s.steady && used < n)
			s = judge(lab, ++used, kind);
		struct bound b = stats_bound(lab->y + s.last.first, s.last.n, lab->y, used, LEVEL);
		steady += s.steady;
		passes += s.steady && b.lower >= LIMIT;
	}
	return (struct path_rate){ (double)steady / (double)lab->repeats, (double)passes / (double)lab->repeats };
}

static void independent_values(void **state)
{
	struct lab *lab = *state;
	static const size_t n[] = { 5, 6, 9, 10, 15, 20, 25, 100, 300 };
	for (size_t i = 0; i < COUNT(n); i++) {
		double rate = bound_rate(lab, n[i], n[i], 0);
		print_message("independent, n = %3zu: %.2f %%\n", n[i], 100 * rate);
		assert_true(rate <= up_to(lab, NOMINAL));
	}
}

static void autocorrelated_values(void **state)
{
	struct lab *lab = *state;
	static const size_t n[] = { 10, 20, 25, 50, 100, 300 };
	static const double phi[] = { 0.3, 0.5, 0.7, 0.9 };
	for (size_t i = 0; i < COUNT(n); i++)
		for (size_t k = 0; k < COUNT(phi); k++) {
			double rate = bound_rate(lab, n[i], n[i], phi[k]);
			print_message("phi = %.1f, n = %3zu: %.2f %%\n", phi[k], n[i], 100 * rate);
			assert_true(rate <= up_to(lab, n[i] >= 20 || phi[k] < 0.9 ? NOMINAL : 0.067));
		}
}

/* Five rounds out of a longer series; with phi = 0.9 ten rounds are too few to show how strongly they hang together. */
static void short_windows(void **state)
{
	struct lab *lab = *state;
	static const size_t n[] = { 10, 15, 20, 25 };
	static const double phi[] = { 0, 0.3, 0.5, 0.7, 0.9 };
	for (size_t i = 0; i < COUNT(n); i++)
		for (size_t k = 0; k < COUNT(phi); k++) {
			double rate = bound_rate(lab, 5, n[i], phi[k]);
			print_message("5 of %2zu, phi = %.1f: %.2f %%\n", n[i], phi[k], 100 * rate);
			assert_true(rate <= up_to(lab, phi[k] < 0.9 ? NOMINAL : 0.094));
		}
}

/* What the plain t interval does where nothing can be estimated: documented, not hidden. */
static void five_autocorrelated_rounds(void **state)
{
	struct lab *lab = *state;
	static const size_t n[] = { 5, 7, 9 };
	static const struct {
		double phi, rate;
	} documented[] = { { 0.3, 0.109 }, { 0.5, 0.169 }, { 0.7, 0.249 }, { 0.9, 0.364 } };
	for (size_t i = 0; i < COUNT(n); i++)
		for (size_t k = 0; k < COUNT(documented); k++) {
			double rate = bound_rate(lab, n[i], n[i], documented[k].phi);
			print_message("%zu rounds, phi = %.1f: %.2f %%\n", n[i], documented[k].phi, 100 * rate);
			assert_true(rate <= up_to(lab, documented[k].rate));
		}
}

/* The rule selects windows, which must not make passing easier for a run of given length. */
static void judged_rounds(void **state)
{
	struct lab *lab = *state;
	static const size_t n[] = { 5, 7, 9, 10, 15, 25 };
	static const double noise[] = { 2, 3, 5, 8 };
	/* Stopping at the first steady window is a choice by spread: documented for drives that are this noisy. */
	static const double stopping[] = { 0.05, 0.05, 0.057, 0.087 };
	for (size_t stops = 0; stops < 2; stops++)
		for (size_t i = 0; i < COUNT(n); i++)
			for (size_t k = 0; k < COUNT(noise); k++) {
				struct path_rate r = path_rate(lab, n[i], 0, noise[k], stops, SERIES_ROUNDS);
				print_message("%s %2zu rounds, noise %.0f %%: steady %5.1f %%, false pass %.2f %% (%.2f %% of the steady)\n",
					stops ? "up to" : "     ", n[i], noise[k], 100 * r.steady, 100 * r.passes,
					100 * r.passes / r.steady);
				assert_true(r.passes <= up_to(lab, stops ? stopping[k] : NOMINAL));
			}
}

static void judged_samples(void **state)
{
	struct lab *lab = *state;
	static const double phi[] = { 0, 0.3, 0.5, 0.7, 0.9 };
	size_t repeats = lab->repeats;
	lab->repeats = repeats / 4;
	for (size_t k = 0; k < COUNT(phi); k++) {
		struct path_rate r = path_rate(lab, VALUES_MAX, phi[k], 5, false, SERIES_SAMPLES);
		print_message("300 samples, phi = %.1f: steady %.1f %%, false pass %.2f %%\n", phi[k], 100 * r.steady,
			100 * r.passes);
		(void)0; // assert
	}
	lab->repeats = repeats;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(independent_values),
		cmocka_unit_test(autocorrelated_values),
		cmocka_unit_test(short_windows),
		cmocka_unit_test(five_autocorrelated_rounds),
		cmocka_unit_test(judged_rounds),
		cmocka_unit_test(judged_samples),
	};
	uint64_t repeats = 10000;
	if (argc > 1 && num_u64(slice_of(argv[1]), &repeats) != NUM_OK)
		return 2;
	struct lab lab = { .random = gsl_rng_alloc(gsl_rng_mt19937), .repeats = (size_t)repeats };
	struct CMUnitTest with_lab[COUNT(tests)];
	for (size_t i = 0; i < COUNT(tests); i++) {
		with_lab[i] = tests[i];
		with_lab[i].initial_state = &lab;
	}
	int failed = _cmocka_run_group_tests("false_pass", with_lab, COUNT(with_lab), NULL, NULL);
	gsl_rng_free(lab.random);
	arena_free(&lab.arena);
	return failed;
}
