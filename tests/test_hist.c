#include "base/hist.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static void test_layout(void **state)
{
	(void)state;
	/* Worked out by hand from the formula in the header. */
	static const struct { uint64_t value; size_t index; double middle; } rows[] = {
		{ 0, 0, 0 }, { 63, 63, 63 }, { 64, 64, 64 }, { 127, 127, 127 },
		{ 128, 128, 129 }, { 129, 128, 129 }, { 130, 129, 131 }, { 255, 191, 255 }, { 256, 192, 258 },
		{ 259, 192, 258 }, { 260, 193, 262 }, { 12779, 547, 12736 },
		{ (UINT64_C(1) << 34) - 1, 1855, 17112760320.0 }, { UINT64_C(1) << 33, 1792, 8657043456.0 },
		{ UINT64_C(1) << 34, 1855, 17112760320.0 }, { UINT64_MAX, 1855, 17112760320.0 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_int_equal(hist_index(rows[i].value), rows[i].index);
		assert_true(hist_value(rows[i].index) == rows[i].middle);
	}
}

static void test_every_bucket_is_its_own(void **state)
{
	(void)state;
	for (size_t i = 0; i < HIST_BUCKETS; i++) {
		assert_int_equal(hist_index((uint64_t)hist_value(i)), i);
		if (i)
			assert_true(hist_value(i) > hist_value(i - 1));
	}
	for (uint64_t v = 1; v < HIST_VALUE_LIMIT; v += v / 50 + 1)
		assert_true(fabs(hist_value(hist_index(v)) - (double)v) <= (double)v / 128);
}

static int order(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

static void test_percentiles_against_sorting(void **state)
{
	(void)state;
	enum { N = 5000 };
	static uint64_t values[N];
	static struct hist h;
	h = (struct hist){ 0 };
	uint64_t seed = 7;
	long double sum = 0;
	for (size_t i = 0; i < N; i++) {
		seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
		values[i] = (seed >> 33) >> (seed >> 8 & 15);
		sum += (long double)values[i];
		assert_true(hist_add(&h, values[i], 1));
	}
	qsort(values, N, sizeof *values, order);
	static const double p[] = { 0, 0.01, 1, 5, 25, 50, 75, 90, 99, 99.9, 99.99, 100 };
	for (size_t i = 0; i < sizeof p / sizeof *p; i++) {
		size_t rank = (size_t)ceil(p[i] / 100 * N - 1e-9);
		assert_true(hist_percentile(&h, p[i]) == hist_value(hist_index(values[rank ? rank - 1 : 0])));
	}
	assert_int_equal(h.n, N);
	assert_int_equal(h.min, values[0]);
	assert_int_equal(h.max, values[N - 1]);
	assert_true(hist_mean(&h) == (double)(sum / N));
	assert_int_equal(h.beyond, 0);
}

static void test_first_bucket_that_reaches(void **state)
{
	(void)state;
	static struct hist h;
	h = (struct hist){ 0 };
	hist_add(&h, 10, 50);
	hist_add(&h, 20, 49);
	hist_add(&h, 30, 1);
	assert_true(hist_percentile(&h, 50) == 10);
	assert_true(hist_percentile(&h, 50.01) == 20);
	assert_true(hist_percentile(&h, 99) == 20);
	assert_true(hist_percentile(&h, 99.001) == 30);
	assert_true(hist_percentile(&h, 100) == 30);
	assert_true(hist_percentile(&h, 0) == 10);
	assert_true(isnan(hist_percentile(&h, -1)));
	assert_true(isnan(hist_percentile(&h, 100.1)));
	assert_true(isnan(hist_percentile(&h, NAN)));
}

static void test_empty(void **state)
{
	(void)state;
	static struct hist h, other;
	h = other = (struct hist){ 0 };
	assert_true(isnan(hist_percentile(&h, 50)));
	assert_true(isnan(hist_mean(&h)));
	assert_true(hist_add(&h, 5, 0));
	assert_int_equal(h.n, 0);
	hist_add(&other, 5, 1);
	assert_true(hist_merge(&h, &other) && h.min == 5 && h.max == 5);
	assert_true(hist_merge(&h, &(struct hist){ 0 }) && h.n == 1 && h.min == 5);
}

static void test_merge_is_adding(void **state)
{
	(void)state;
	static struct hist a, b, both;
	a = b = both = (struct hist){ 0 };
	for (uint64_t v = 3; v < UINT64_C(1) << 36; v = v * 3 / 2 + 1) {
		hist_add(v % 2 ? &a : &b, v, v % 1000 + 1);
		hist_add(&both, v, v % 1000 + 1);
	}
	assert_true(both.beyond > 0);
	static struct hist unpacked;
	struct arena arena = ARENA_EMPTY;
	struct hist_packed parts[] = { hist_pack(&arena, &a), hist_pack(&arena, &b) };
	for (int i = 0; i < 2; i++)
		assert_true(hist_merge_packed(&unpacked, &parts[i]));
	assert_memory_equal(&unpacked, &both, sizeof both);
	assert_true(hist_merge(&a, &b));
	assert_memory_equal(&a, &both, sizeof a);
	parts[0].n = UINT64_MAX;
	assert_false(hist_merge_packed(&unpacked, &parts[0]));
	assert_memory_equal(&unpacked, &both, sizeof both);
	arena_free(&arena);
}

static void test_limits(void **state)
{
	(void)state;
	static struct hist h;
	h = (struct hist){ 0 };
	assert_false(hist_add(&h, 1, HIST_COUNT_LIMIT));
	assert_false(hist_add(&h, 1, UINT64_C(9223372036854775807)));
	assert_int_equal(h.n, 0);
	assert_true(hist_add(&h, 1, HIST_COUNT_LIMIT - 1));
	assert_true(hist_add(&h, HIST_VALUE_LIMIT, 2));
	assert_int_equal(h.beyond, 2);
	assert_int_equal(h.bucket[HIST_BUCKETS - 1], 2);
	static struct hist full;
	full = (struct hist){ .n = UINT64_MAX - 5 };
	assert_false(hist_merge(&full, &h));
	assert_false(hist_add(&full, 1, 6));
	assert_int_equal(full.bucket[1], 0);
	assert_int_equal(full.n, UINT64_MAX - 5);
}

static void test_sum_is_exact(void **state)
{
	(void)state;
	static struct hist h;
	h = (struct hist){ 0 };
	uint64_t value = UINT64_C(0xfedcba9876543210), count = UINT64_C(0xfedcba9876);
	hist_add(&h, value, count);
	/* 0xfedcba9876543210 * 0xfedcba9876, by a calculator of arbitrary precision. */
	assert_int_equal(h.sum_high, UINT64_C(0xfdbac097c8));
	assert_int_equal(h.sum_low, UINT64_C(0x8888889aa8289360));
	assert_true(hist_mean(&h) == (double)value);
	hist_add(&h, 1, HIST_COUNT_LIMIT - 1);
	assert_int_equal(h.n, count + HIST_COUNT_LIMIT - 1);
}

static void test_add_all_is_add(void **state)
{
	static struct hist one, all;
	uint64_t values[1000], x = 88172645463325252u;
	(void)state;
	one = all = (struct hist){ { 0 }, 0, 0, 0, 0, 0, 0 };
	for (int round = 0; round < 3; round++) {
		for (size_t i = 0; i < 1000; i++) {
			x ^= x << 13, x ^= x >> 7, x ^= x << 17;
			values[i] = x >> (i % 64);
			assert_true(hist_add(&one, values[i], 1));
		}
		hist_add_all(&all, values, 1000);
		hist_add_all(&all, values, 0);
		assert_memory_equal(&one, &all, sizeof one);
		struct arena arena = ARENA_EMPTY;
		struct hist_packed packed = hist_pack(&arena, &one);
		for (double p = 0; p <= 100; p += 0.5)
			assert_true(hist_packed_percentile(&packed, p) == hist_percentile(&one, p));
		arena_free(&arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_layout),
		cmocka_unit_test(test_every_bucket_is_its_own),
		cmocka_unit_test(test_percentiles_against_sorting),
		cmocka_unit_test(test_first_bucket_that_reaches),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_merge_is_adding),
		cmocka_unit_test(test_add_all_is_add),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_sum_is_exact),
	};
	return cmocka_run_group_tests_name("hist", tests, NULL, NULL);
}
