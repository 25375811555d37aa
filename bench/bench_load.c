/* bench_load: what the load generator's own engine takes, to be set against fio. FILE is made 64 MiB long, and filled
 * when it was not there.
 *   bench_load cached FILE PASSES   reads 4 KiB blocks at random from the page cache, 32 at a time; the process's CPU
 *                                   time counts
 *   bench_load record FILE PASSES   the same with ten intervals a second; prints the CPU seconds of the thread that
 *                                   collects and hands out the intervals
 *   bench_load disk FILE SECONDS    the same past the page cache; prints I/Os per second */
#include "base/num.h"
#include "loadgen/work.h"

#include <stdio.h>
#include <time.h>

enum { SIZE = 64 << 20 };

struct sum {
	uint64_t ios;
	double seconds;
};

static void on_interval(void *ctx, const struct interval *v)
{
	struct sum *s = ctx;
	s->ios += v->op[LOAD_READ].ios;
	s->seconds += v->seconds;
}

static void on_event(void *ctx, enum severity severity, const char *message)
{
	(void)ctx;
	fprintf(stderr, "%s: %s\n", severity_name(severity), message);
}

static double own_cpu(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static bool run(struct target *t, const struct work *w, struct sum *sum)
{
	static const volatile sig_atomic_t never = 0;
	const struct work_events events = { sum, on_interval, on_event };
	return work_run(w, t, 1, &never, &events) == WORK_DONE;
}

int main(int argc, char **argv)
{
	struct arena a = ARENA_EMPTY;
	struct target t;
	struct sum sum = { 0 };
	double amount;
	const char *error;
	if (argc != 4 || num_double(slice_of(argv[3]), &amount) != NUM_OK) {
		fputs("usage: bench_load cached|record|disk FILE AMOUNT\n", stderr);
		return 2;
	}
	const bool disk = strcmp(argv[1], "disk") == 0, record = strcmp(argv[1], "record") == 0;
	FILE *there = fopen(argv[2], "r");
	if (there)
		fclose(there);
	if (!target_open(&a, &t, argv[2], SIZE, disk, true, &error)) {
		fprintf(stderr, "%s\n", error);
		return 1;
	}
	const struct work fill = { .name = "fill", .block = 1 << 20, .passes = 1, .iodepth = 1, .threads = 1,
		.interval = 100 };
	struct work read = { .name = "read", .block = 4096, .read_percent = 100, .random = true, .iodepth = 32, .threads = 1,
		.interval = record ? 0.1 : 1, .seed = 1 };
	*(disk ? &read.seconds : &read.passes) = amount;
	bool good = there || run(&t, &fill, &sum);
	double before = own_cpu();
	good = good && run(&t, &read, &sum);
	if (record)
		printf("%.6f\n", own_cpu() - before);
	if (disk)
		printf("%.1f\n", (double)sum.ios / sum.seconds);
	target_close(&t);
	arena_free(&a);
	return !good;
}
