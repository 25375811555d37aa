/* Memory: every kernel's code does what its name says, arrays are checked, caches are counted once. */
#define _GNU_SOURCE
#include "loadgen/memory.h"

#include <ftw.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { ELEMENTS = 64 };

static void expect_kernel(const struct memory_code *code, enum memory_kernel k)
{
	_Alignas(64) double to[ELEMENTS], x[ELEMENTS], y[ELEMENTS];
	for (int i = 0; i < ELEMENTS; i++) {
		to[i] = -1;
		x[i] = i + 0.5;
		y[i] = 1000 - i;
	}
	code->run[k](to, x, y, ELEMENTS - MEMORY_STEP);
	for (int i = 0; i < ELEMENTS; i++) {
		double wanted[MEMORY_KERNELS] = { [MEMORY_COPY] = x[i], [MEMORY_SCALE] = 3 * x[i], [MEMORY_ADD] = x[i] + y[i],
			[MEMORY_TRIAD] = x[i] + 3 * y[i] };
		assert_true(to[i] == (i < ELEMENTS - MEMORY_STEP ? wanted[k] : -1));
	}
}

static void kernels(void **state)
{
	static const char *const vectors[] = { "avx", "sse2", "none", NULL };
	unsigned codes = 0;
	(void)state;
	for (size_t v = 0; v < sizeof vectors / sizeof *vectors; v++)
		for (int streaming = 0; streaming < 2; streaming++) {
			const struct memory_code *code = memory_code(vectors[v], streaming);
			codes += code != NULL;
			for (enum memory_kernel k = 0; code && k < MEMORY_KERNELS; k++)
				expect_kernel(code, k);
		}
	/* Plain C and the best there is, at least. */
	assert_true(codes >= 2);
	assert_null(memory_code("none", true));
	assert_null(memory_code("mmx", false));
	assert_int_equal(memory_kernels[MEMORY_COPY].counted, 16);
	assert_int_equal(memory_kernels[MEMORY_TRIAD].counted, 24);
}

static struct memory_plan plan_of(const struct memory_code *code, unsigned repetitions)
{
	struct memory_plan p = { .code = code, .threads = 1, .elements = 4096 + MEMORY_STEP, .repetitions = repetitions };
	assert_int_equal(sched_getaffinity(0, sizeof p.cpus, &p.cpus), 0);
	if (CPU_COUNT(&p.cpus) > 1)
		p.threads = 2;
	return p;
}

static void measured(void **state)
{
	volatile sig_atomic_t go_on = 0;
	struct memory_outcome out;
	const char *error;
	(void)state;
	for (int streaming = 0; streaming < 2; streaming++) {
		const struct memory_code *code = memory_code(NULL, streaming);
		struct memory_plan p = plan_of(code, 4);
		if (!code)
			continue;
		assert_true(memory_measure(&p, &go_on, &out, &error));
		assert_true(out.valid && out.error <= MEMORY_ERROR_ALLOWED && !out.stopped);
		assert_int_equal(out.counted, 3);
		for (int k = 0; k < MEMORY_KERNELS; k++)
			assert_true(out.kernel[k].min <= out.kernel[k].mean && out.kernel[k].mean <= out.kernel[k].max);
	}
}

static void triad_with_minus(double *to, const double *x, const double *y, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = x[i] - 3 * y[i];
}

static void wrong_arrays_are_seen(void **state)
{
	volatile sig_atomic_t go_on = 0;
	struct memory_code code = *memory_code("none", false);
	struct memory_outcome out;
	const char *error;
	(void)state;
	code.run[MEMORY_TRIAD] = triad_with_minus;
	struct memory_plan p = plan_of(&code, 3);
	assert_true(memory_measure(&p, &go_on, &out, &error));
	assert_false(out.valid);
	assert_true(out.error > 0.1);
}

static void stopped_before_anything_counts(void **state)
{
	volatile sig_atomic_t stop = 1;
	struct memory_plan p = plan_of(memory_code(NULL, false), 5);
	struct memory_outcome out;
	const char *error;
	(void)state;
	assert_true(memory_measure(&p, &stop, &out, &error));
	assert_true(out.stopped && out.valid);
	assert_int_equal(out.counted, 0);
	assert_true(isnan(out.kernel[0].min));
}

static void put(const char *root, int cpu, int index, const char *name, const char *text)
{
	struct arena a = ARENA_EMPTY;
	const char *folders[] = { arena_printf(&a, "%s/cpu%d", root, cpu), arena_printf(&a, "%s/cpu%d/cache", root, cpu),
		arena_printf(&a, "%s/cpu%d/cache/index%d", root, cpu, index) };
	for (int i = 0; i < 3; i++)
		mkdir(folders[i], 0700);
	FILE *f = fopen(arena_printf(&a, "%s/%s", folders[2], name), "w");
	assert_non_null(f);
	fprintf(f, "%s\n", text);
	fclose(f);
	arena_free(&a);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *place)
{
	(void)st, (void)type, (void)place;
	return remove(path);
}

/* Four CPUs: two pairs, each with a third level of its own. */
static void caches(void **state)
{
	char root[] = "/tmp/assay-caches-XXXXXX";
	struct arena a = ARENA_EMPTY;
	cpu_set_t cpus;
	(void)state;
	assert_non_null(mkdtemp(root));
	for (int cpu = 0; cpu < 4; cpu++) {
		put(root, cpu, 0, "level", "1");
		put(root, cpu, 0, "type", "Data");
		put(root, cpu, 0, "size", "32K");
		put(root, cpu, 3, "level", "3");
		put(root, cpu, 3, "type", "Unified");
		put(root, cpu, 3, "size", cpu < 2 ? "16M" : "8192K");
		put(root, cpu, 3, "shared_cpu_list", cpu < 2 ? "0-1" : "2-3");
	}
	CPU_ZERO(&cpus);
	for (int cpu = 0; cpu < 4; cpu++)
		CPU_SET(cpu, &cpus);
	assert_int_equal(memory_caches(&a, root, &cpus), 24 << 20);
	CPU_CLR(2, &cpus);
	CPU_CLR(3, &cpus);
	assert_int_equal(memory_caches(&a, root, &cpus), 16 << 20);
	/* A size that can't be read makes the sum unknown, not smaller. */
	put(root, 1, 3, "size", "much");
	assert_int_equal(memory_caches(&a, root, &cpus), 0);
	assert_int_equal(memory_caches(&a, "/nonexistent", &cpus), 0);
	assert_int_equal(nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernels),
		cmocka_unit_test(measured),
		cmocka_unit_test(wrong_arrays_are_seen),
		cmocka_unit_test(stopped_before_anything_counts),
		cmocka_unit_test(caches),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
