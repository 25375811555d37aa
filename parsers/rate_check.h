/* rate_check: whether an amount, a time and a rate that a tool printed together can all be true. */
#ifndef PARSERS_RATE_CHECK_H
#define PARSERS_RATE_CHECK_H

#include "parsers/rules.h"

/* A result that is computed here: nothing of it is printed; `at` is the place of the figure that it is to be compared
 * with. */
struct result *rules_derive(struct rules *r, enum metric_id metric, const char *stat, double value, struct pos at);

/* Whether a printed figure is what it is computed to be, give or take a unit of its last printed digit and `slack` (in
 * the base unit: what the rounding of the inputs may do). Where it is not, it is marked RESULT_SUSPECT and both numbers
 * are said; `how` is what was computed: "bytes / seconds". */
bool rules_agree(struct rules *r, struct result *printed, double computed, double slack, const char *how);

/* Of the open block: bandwidth `recomputed` = io / runtime, beside the printed bandwidth and compared with it. Does
 * nothing where one of the three is not printed or the time is 0. */
void rules_recompute_rate(struct rules *r, bool give);

#endif
