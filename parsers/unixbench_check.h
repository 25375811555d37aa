/* unixbench_check: what UnixBench's indexes follow from, in any of its output forms. */
#ifndef PARSERS_UNIXBENCH_CHECK_H
#define PARSERS_UNIXBENCH_CHECK_H

#include "base/slice.h"
#include "model/unit.h"

/* A test of versions 5 and 6: its category, and its result on the machine whose index is 10. */
struct ub_test {
	const char *name, *category; /* "System": the score is "System Benchmarks Index Score" */
	double baseline;             /* of UnixBench's own index.base */
};

/* NULL: none of that name has a baseline. */
const struct ub_test *ub_test_find(struct slice name);
/* How many tests make up a category's score; 0: any number may. */
size_t ub_category_tests(struct slice category);

/* What the tests print their rates in, and how a test without a printed unit is measured. */
extern const struct unit_scale ub_dialect[];
struct unit_scale ub_scale_of(struct slice test);
/* "score" is no rate. */
bool ub_is_score(struct slice unit);

/* An index row as printed, and the score of n of them. tenfold: an index is 10 times result / baseline (from 4.0 on).
 * How far a printed figure may be from what the rounded ones give was measured on real runs of versions 5 and 6: rows
 * up to 0.067, scores up to 0.057. */
double ub_index(double result, double baseline, bool tenfold);
bool ub_index_agrees(double index, double result, double baseline, bool tenfold);
bool ub_score_agrees(double score, double recomputed);

#endif
