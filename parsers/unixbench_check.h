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

/* What the tests print their rates in; "score" is no rate. */
extern const struct unit_scale ub_dialect[];
/* A unit of the dialect as it is shown behind a number that it does not stand behind. */
const char *ub_suffix(const char *unit);
/* How a test is measured where its unit is not printed; false: no test of that name is known. */
bool ub_scale_unprinted(struct slice test, struct unit_scale *scale);

/* An index row as printed, and the score of n of them. tenfold: an index is 10 times result / baseline (from 4.0 on).
 * How far a printed figure may be from what the rounded ones give was measured on real runs of versions 5 and 6: rows
 * up to 0.067, scores up to 0.057. */
double ub_index(double result, double baseline, bool tenfold);
bool ub_index_agrees(double index, double result, double baseline, bool tenfold);
bool ub_score_agrees(double score, double recomputed);

#endif
