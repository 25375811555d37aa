/* bench_assay PATH [reversed | THREADS]: detects and parses every file into the model, and prints the seconds it took, of the
 * processors and of the clock. reversed: the rules of texts are tried from the last to the first; THREADS: so many read. */
#include "base/num.h"
#include "ingest/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static double cpu_seconds(void)
{
	struct rusage u;
	getrusage(RUSAGE_SELF, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + 1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static double clock_seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Forgets what was parsed, as the commands do after each directory; counts it, so that the work can be checked. */
struct counted {
	struct dataset *dataset;
	size_t results;
};

static void forget(void *ctx)
{
	struct counted *c = ctx;
	struct arena *a = c->dataset->arena;
	for (size_t i = 0; i < c->dataset->n_runs; i++)
		c->results += c->dataset->runs[i]->n_results;
	arena_reset(a);
	dataset_init(c->dataset, a);
}

static void parse(const char *path, bool reversed, unsigned threads)
{
	struct arena arena = ARENA_EMPTY;
	struct dataset dataset;
	struct counted counted = { .dataset = &dataset };
	dataset_init(&dataset, &arena);
	struct load load = { .dataset = &dataset, .limit = READ_LIMIT, .batch = forget, .ctx = &counted,
		.reversed = reversed, .threads = threads };
	load_path(&load, path, SLICE_NONE);
	load_finish(&load);
	forget(&counted);
	fprintf(stderr, "%zu files, %zu results, %zu damaged\n", load.files, counted.results, load.damaged);
	if (counted.results == 0)
		exit(1);
	arena_free(&arena);
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	uint64_t threads = 0;
	bool reversed = argc > 2 && num_u64(slice_of(argv[2]), &threads) != NUM_OK;
	double cpu = cpu_seconds(), clock = clock_seconds();
	parse(argv[1], reversed, (unsigned)threads);
	printf("%.6f %.6f\n", cpu_seconds() - cpu, clock_seconds() - clock);
	return 0;
}
