/* Which I/Os a test does, and in which order. */
#include "loadgen/offsets.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { BLOCK = 4096 };

static struct sequence sequence_of(struct work w, uint64_t first, uint64_t length, uint64_t seed)
{
	struct sequence s;
	const char *error = "";
	w.block = w.block ? w.block : BLOCK;
	if (!sequence_init(&s, &w, first, length, seed, &error))
		fail_msg("%s", error);
	return s;
}

static void test_sequential(void **state)
{
	(void)state;
	struct sequence s = sequence_of((struct work){ .read_percent = 100 }, 8192, 3 * BLOCK + 512, 1);
	static const uint64_t offsets[] = { 8192, 12288, 16384, 20480, 8192, 12288 };
	for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
		struct place p = sequence_at(&s, i);
		assert_int_equal(p.offset, offsets[i]);
		assert_int_equal(p.size, i == 3 ? 512 : BLOCK);
		assert_int_equal(p.op, LOAD_READ);
	}
	assert_int_equal(s.blocks, 4);
}

/* Counts how often each of n blocks comes among `count` I/Os from number `from` on; all must lie in the range. */
static unsigned *counted(const struct sequence *s, uint64_t from, size_t count, size_t n)
{
	unsigned *times = calloc(n, sizeof *times);
	assert_non_null(times);
	for (size_t i = 0; i < count; i++) {
		struct place p = sequence_at(s, from + i);
		assert_true(p.offset >= s->first && (p.offset - s->first) % s->block == 0);
		assert_int_equal(p.size, s->block);
		size_t block = (size_t)((p.offset - s->first) / s->block);
		assert_true(block < n);
		times[block]++;
	}
	return times;
}

static void test_map_has_every_block_once(void **state)
{
	(void)state;
	static const size_t sizes[] = { 1, 2, 3, 5, 64, 65, 1000, 4095, 4096, 4097, 100003 };
	for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
		size_t n = sizes[k];
		struct sequence s = sequence_of((struct work){ .random = true, .random_map = true }, 1 << 20, n * BLOCK + 100, 7);
		for (uint64_t pass = 0; pass < 3; pass++) {
			unsigned *times = counted(&s, pass * n, n, n);
			for (size_t i = 0; i < n; i++)
				assert_int_equal(times[i], 1);
			free(times);
		}
		size_t same = 0;
		for (uint64_t i = 0; i < n; i++)
			same += sequence_at(&s, i).offset == sequence_at(&s, n + i).offset;
		assert_true(n < 64 || same < 10);
	}
}

/* sum of (observed - expected)^2 / expected, as a distance from its mean in standard deviations. */
static double chi_square(const unsigned *times, size_t n, double expected)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += (times[i] - expected) * (times[i] - expected) / expected;
	return (sum - (double)(n - 1)) / sqrt(2 * (double)(n - 1));
}

/* Where the first part of a pass goes, and how far it is from one block to the next, is as chance would have it. */
static void test_map_looks_random(void **state)
{
	(void)state;
	enum { N = 60000, PART = 6000, CELLS = 100, FAR = 10 };
	for (uint64_t seed = 0; seed < 20; seed++) {
		struct sequence s = sequence_of((struct work){ .random = true, .random_map = true }, 0, (uint64_t)N * BLOCK, seed);
		unsigned where[CELLS] = { 0 }, how_far[FAR] = { 0 };
		uint64_t before = sequence_at(&s, N - 1).offset / BLOCK;
		for (uint64_t i = 0; i < PART; i++) {
			uint64_t block = sequence_at(&s, i).offset / BLOCK;
			where[block * CELLS / N]++;
			how_far[(block + N - before) % N * FAR / N]++;
			before = block;
		}
		/* Without replacement the cells vary a little less. */
		assert_true(fabs(chi_square(where, CELLS, (double)PART / CELLS)) < 5);
		assert_true(fabs(chi_square(how_far, FAR, (double)PART / FAR)) < 5);
	}
}

static void test_random_is_uniform(void **state)
{
	(void)state;
	enum { N = 1000 };
	for (uint64_t seed = 0; seed < 20; seed++) {
		struct sequence s = sequence_of((struct work){ .random = true }, 512, (uint64_t)N * BLOCK, seed);
		unsigned *times = counted(&s, 0, 100 * N, N);
		assert_true(fabs(chi_square(times, N, 100)) < 5);
		free(times);
	}
}

static void test_seeds(void **state)
{
	(void)state;
	for (int map = 0; map < 2; map++) {
		struct work w = { .random = true, .random_map = map, .read_percent = 50 };
		struct sequence a = sequence_of(w, 0, 1 << 24, 1), b = sequence_of(w, 0, 1 << 24, 1);
		struct sequence c = sequence_of(w, 0, 1 << 24, 2);
		size_t same = 0;
		for (uint64_t i = 0; i < 5000; i++) {
			struct place x = sequence_at(&a, i), y = sequence_at(&b, i), z = sequence_at(&c, i);
			assert_true(x.offset == y.offset && x.op == y.op && x.size == y.size);
			same += x.offset == z.offset;
		}
		assert_true(same < 20);
	}
}

static void test_mix(void **state)
{
	(void)state;
	static const unsigned percents[] = { 0, 5, 35, 50, 65, 95, 100 };
	for (size_t k = 0; k < sizeof percents / sizeof *percents; k++) {
		enum { N = 100000 };
		struct sequence s = sequence_of((struct work){ .random = true, .read_percent = percents[k] }, 0, 1 << 24, 3);
		unsigned reads = 0, low = 0;
		for (uint64_t i = 0; i < N; i++) {
			struct place p = sequence_at(&s, i);
			reads += p.op == LOAD_READ;
			low += p.op == LOAD_READ && p.offset < 1 << 23;
		}
		assert_true(fabs(reads / (double)N - percents[k] / 100.0) < 0.01);
		assert_true(percents[k] % 100 || reads == N * (percents[k] / 100));
		assert_true(abs((int)(reads - 2 * low)) < 2000); /* reads go everywhere */
	}
}

static void test_zones(void **state)
{
	(void)state;
	enum { N = 100000, BLOCKS = 1000 };
	static const struct zone zones[] = { { 50, 5 }, { 30, 15 }, { 0, 10 }, { 20, 70 } };
	struct work w = { .random = true, .zones = zones, .n_zones = 4 };
	struct sequence s = sequence_of(w, BLOCK, (uint64_t)BLOCKS * BLOCK, 5);
	unsigned *times = counted(&s, 0, N, BLOCKS);
	size_t block = 0;
	for (size_t z = 0; z < 4; z++) {
		unsigned sum = 0, blocks = (unsigned)(zones[z].range_percent * BLOCKS / 100);
		const unsigned *zone = times + block;
		for (; block < (size_t)(zone - times) + blocks; block++)
			sum += times[block];
		assert_true(fabs(sum / (double)N - zones[z].io_percent / 100) < 0.01);
		if (sum)
			assert_true(fabs(chi_square(zone, blocks, (double)sum / blocks)) < 5);
	}
	free(times);
}

static void test_refused(void **state)
{
	(void)state;
	static const struct zone short_of[] = { { 50, 50 }, { 40, 50 } }, tiny[] = { { 50, 0.001 }, { 50, 99.999 } },
		negative[] = { { 150, 50 }, { -50, 50 } }, whole[] = { { 100, 100 } };
	const struct {
		struct work work;
		uint64_t length;
	} rows[] = {
		{ { .block = BLOCK, .random = true }, BLOCK - 1 },
		{ { .block = BLOCK }, 0 },
		{ { .block = BLOCK, .random = true, .zones = short_of, .n_zones = 2 }, 1 << 20 },
		{ { .block = BLOCK, .random = true, .zones = tiny, .n_zones = 2 }, 1 << 20 },
		{ { .block = BLOCK, .random = true, .zones = negative, .n_zones = 2 }, 1 << 20 },
		{ { .block = BLOCK, .zones = whole, .n_zones = 1 }, 1 << 20 },
		{ { .block = BLOCK, .random = true, .random_map = true, .zones = whole, .n_zones = 1 }, 1 << 20 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct sequence s;
		const char *error = NULL;
		assert_false(sequence_init(&s, &rows[i].work, 0, rows[i].length, 1, &error));
		assert_non_null(error);
	}
	struct work good = { .block = BLOCK, .random = true, .zones = whole, .n_zones = 1 };
	struct sequence s;
	const char *error = NULL;
	assert_true(sequence_init(&s, &good, 0, 1 << 20, 1, &error));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sequential),
		cmocka_unit_test(test_map_has_every_block_once),
		cmocka_unit_test(test_map_looks_random),
		cmocka_unit_test(test_random_is_uniform),
		cmocka_unit_test(test_seeds),
		cmocka_unit_test(test_mix),
		cmocka_unit_test(test_zones),
		cmocka_unit_test(test_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
