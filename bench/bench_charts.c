/* bench_charts CHARTS POINTS: draws so many charts of so many points each, of which what a picture can show is kept, with
 * one gnuplot; prints the processor's seconds, gnuplot's too, and the bytes of the largest picture. */
#include "base/arena.h"
#include "base/num.h"
#include "report/chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { BUCKETS = 450 };

static double seconds_of(int who)
{
	struct rusage u;
	getrusage(who, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + 1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static double cpu_seconds(void)
{
	return seconds_of(RUSAGE_SELF) + seconds_of(RUSAGE_CHILDREN);
}

/* A wave with a spike that must survive. */
static struct chart *chart_of(struct arena *a, size_t points)
{
	struct chart *c = ARENA_NEW(a, struct chart);
	double *x = ARENA_ARRAY(a, points, double), *y = ARENA_ARRAY(a, points, double);
	for (size_t i = 0; i < points; i++) {
		x[i] = (double)i;
		y[i] = 1000 + 100 * sin(0.001 * (double)i) + (double)(i * 7919 % 101);
	}
	y[points / 3] = 9000;
	size_t n = decimate(x, y, points, BUCKETS);
	*c = (struct chart){ .id = "c", .kind = CHART_LINES, .title = "t", .description = "d", .x_title = "s", .y_factor = 1,
		.y_unit = "IOPS", .series = { { .name = "s", .style = 1, .x = x, .y = y, .n = n, .quiet = true } }, .n_series = 1 };
	return c;
}

static int largest(xmlNodePtr *pictures, size_t n)
{
	int most = 0;
	for (size_t i = 0; i < n; i++) {
		xmlBufferPtr text = xmlBufferCreate();
		int size = pictures[i] ? xmlNodeDump(text, pictures[i]->doc, pictures[i], 0, 0) : 0;
		most = size > most ? size : most;
		xmlBufferFree(text);
		xmlFreeNode(pictures[i]);
	}
	return most;
}

int main(int argc, char **argv)
{
	uint64_t n, points;
	if (argc != 3 || num_u64(slice_of(argv[1]), &n) != NUM_OK || num_u64(slice_of(argv[2]), &points) != NUM_OK || !n || !points)
		return 2;
	struct arena a = ARENA_EMPTY;
	struct diags diags;
	diags_init(&diags, &a);
	xmlDocPtr doc = xmlNewDoc((const xmlChar *)"1.0");
	struct chart **charts = ARENA_ARRAY(&a, n, struct chart *);
	xmlNodePtr *pictures = ARENA_ARRAY(&a, n, xmlNodePtr);
	double before = cpu_seconds();
	for (size_t i = 0; i < n; i++)
		charts[i] = chart_of(&a, points);
	bool drawn = charts_draw("gnuplot", charts, n, doc, pictures, &diags);
	double took = cpu_seconds() - before;
	int size = largest(pictures, n);
	printf("%.6f %d\n", took, size);
	xmlFreeDoc(doc);
	arena_free(&a);
	return drawn && size ? 0 : 1;
}
