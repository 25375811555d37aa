/* bench_log_others FILE: a log of fio through libcsv, to count, mean and exact percentiles by counting values up to 10 ms;
 * prints the CPU seconds it took. */
#include <csv.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

enum { COUNTED = 10000000, BLOCK = 256 << 10 };

struct tally {
	unsigned column;
	uint64_t n, sum;
	uint32_t *counts;
};

static double cpu_seconds(void)
{
	struct rusage u;
	getrusage(RUSAGE_SELF, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + 1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static void field(void *text, size_t n, void *ctx)
{
	struct tally *t = ctx;
	if (t->column++ != 1)
		return;
	uint64_t value = 0;
	for (size_t i = 0; i < n; i++)
		value = value * 10 + (uint64_t)(((char *)text)[i] - '0');
	t->n++;
	t->sum += value;
	t->counts[value < COUNTED ? value : COUNTED - 1]++;
}

static void row(int end, void *ctx)
{
	(void)end;
	((struct tally *)ctx)->column = 0;
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	double start = cpu_seconds();
	static char block[BLOCK];
	struct csv_parser parser;
	struct tally t = { .counts = calloc(COUNTED, sizeof *t.counts) };
	int fd = open(argv[1], O_RDONLY | O_CLOEXEC);
	if (fd < 0 || !t.counts || csv_init(&parser, 0) != 0) {
		perror(argv[1]);
		return 1;
	}
	for (ssize_t n; (n = read(fd, block, sizeof block)) > 0;)
		if (csv_parse(&parser, block, (size_t)n, field, row, &t) != (size_t)n)
			return 1;
	csv_fini(&parser, field, row, &t);
	csv_free(&parser);
	close(fd);
	uint64_t seen = 0;
	uint32_t p99 = 0;
	while (seen * 100 < t.n * 99)
		seen += t.counts[p99++];
	fprintf(stderr, "%llu rows, mean %.1f, p99 %u\n", (unsigned long long)t.n, (double)t.sum / (double)t.n, p99 - 1);
	free(t.counts);
	printf("%.6f\n", cpu_seconds() - start);
	return 0;
}
