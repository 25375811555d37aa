/* spec2017: the benchmarks of SPEC CPU2017. */
#ifndef PARSERS_SPEC2017_H
#define PARSERS_SPEC2017_H

#include "base/slice.h"

enum spec2017_suite { SPEC2017_INTRATE, SPEC2017_FPRATE, SPEC2017_INTSPEED, SPEC2017_FPSPEED, SPEC2017_SUITES };

struct spec2017_benchmark {
	const char *name; /* "500.perlbench_r" */
	enum spec2017_suite suite;
	double reference; /* s on the reference machine, as in every published result of the suite */
};

/* NULL when there is none of that name. */
const struct spec2017_benchmark *spec2017_find(struct slice name);
/* How many benchmarks make up a suite's metric. */
size_t spec2017_count(enum spec2017_suite suite);
/* "SPECrate2017_int" */
const char *spec2017_metric(enum spec2017_suite suite);

#endif
