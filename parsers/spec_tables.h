/* spec_tables: the suites of SPEC CPU2006, CPU2017 and CPU2026: their metrics, benchmarks and reference times (those
 * that result files state; the same in all of a version). */
#ifndef PARSERS_SPEC_TABLES_H
#define PARSERS_SPEC_TABLES_H

#include "base/slice.h"

enum spec_tune { SPEC_BASE, SPEC_PEAK, SPEC_TUNES };

struct spec_benchmark {
	const char *name;   /* "500.perlbench_r" */
	unsigned reference; /* s; 0: not known */
};

struct spec_suite {
	const char *tool;               /* "spec-cpu2017" */
	const char *name;               /* as result files call it: "intrate"; "int" in CPU2006 for rate and speed */
	bool rate;                      /* copies, not threads */
	const char *metric[SPEC_TUNES]; /* "SPECrate2017_int_base" */
	const char *energy[SPEC_TUNES]; /* the metric of energy; NULL: none */
	const struct spec_benchmark *benchmarks;
	unsigned n;                     /* 0: not known here */
};

/* Whose metric that is, without "Est." and "(R)", in any case; which tune, and whether it is of energy. NULL: of none. */
const struct spec_suite *spec_suite_by_metric(struct slice metric, enum spec_tune *tune, bool *energy);
const struct spec_suite *spec_suite_by_name(const char *tool, struct slice name, bool rate);
/* The suite that has this benchmark. CPU2006 ran the same ones for speed and for rate: `rate` decides. */
const struct spec_suite *spec_suite_by_benchmark(struct slice benchmark, bool rate);
/* NULL when the suite has none of that name, or its benchmarks are not known. */
const struct spec_benchmark *spec_benchmark_find(const struct spec_suite *suite, struct slice name);
/* "spec-cpu2017" for "2017"; NULL for other years. */
const char *spec_tool(struct slice year);
/* Whether text is written as a benchmark's name: three digits, a dot, a word. */
bool spec_is_benchmark(struct slice text);

#endif
