/* measure: what intervals add up to, and the figures that are taken from it. */
#ifndef LOADGEN_MEASURE_H
#define LOADGEN_MEASURE_H

#include "loadgen/profile.h"
#include "loadgen/work.h"

/* A target over a test, or all of them. 30 KB; start from { 0 }. */
struct sum {
	struct tally op[LOAD_OPS];
	double seconds;
	double cpu_user, cpu_system; /* s */
};

void sum_add(struct sum *s, const struct interval *v);
/* Targets side by side: counts are added, the longest time counts. */
void sum_beside(struct sum *s, const struct sum *other);
/* Latencies of reads and writes together. */
void sum_latency(struct hist *into, const struct sum *s);

/* A cell of a round in figures; NAN where there is none. */
struct figures {
	double iops, bandwidth;      /* 1/s, B/s */
	double mean, p99;            /* latency, s */
};
struct figures sum_figures(const struct sum *s);
double figures_of(const struct figures *f, enum steady_metric metric);
const char *metric_name(enum steady_metric metric);

#endif
