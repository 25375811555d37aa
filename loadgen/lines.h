/* lines: what load on storage writes to the result file (docs/load-results.md). */
#ifndef LOADGEN_LINES_H
#define LOADGEN_LINES_H

#include "loadgen/measure.h"
#include "loadgen/record.h"

/* Where a test stands in the whole. */
struct test {
	size_t number;            /* from 0 */
	const char *phase;        /* "precondition", "rounds" */
	const struct stage *stage;
	size_t round;             /* from 1; 0 outside of rounds */
	const struct work *work;
	const char *time;         /* when it began, ISO 8601 */
	double t;                 /* s since the start line */
};

/* The start line's members that are about storage, and its end. */
void lines_start(struct record *r, const struct profile *p, uint64_t seed, double interval);
void lines_target(struct record *r, struct arena *a, size_t number, const struct target *t);
void lines_phase(struct record *r, const char *phase, const char *stage, const char *what);
void lines_test(struct record *r, const struct test *t);
void lines_interval(struct record *r, const struct test *t, const struct interval *v);
/* target SIZE_MAX: all of them. stopped: the test did not come to its end. */
void lines_total(struct record *r, const struct test *t, size_t target, const struct sum *s, bool stopped);
void lines_steady(struct record *r, const char *stage, const char *cell, enum steady_metric metric, size_t round,
	const struct steady_window *w);

#endif
