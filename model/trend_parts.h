/* trend_parts: what the files of trend share. Private to them. */
#ifndef MODEL_TREND_PARTS_H
#define MODEL_TREND_PARTS_H

#include "model/trend.h"

/* Sorts y. NAN for none. */
double trend_median(double *y, size_t n);
/* Median |y - median|, and the median. */
double trend_mad(struct arena *a, const double *y, size_t n, double *median);
/* Points more than `distance` off the center. */
struct trend_places trend_beyond(struct arena *a, const double *y, size_t n, double center, double distance);
/* r of neighbours in a series with a step after tau values and maybe more, as trend_change takes it. */
double trend_likeness_of_steps(const double *y, size_t n, size_t tau);
/* Verdict and sentence of what has been computed. */
void trend_say(struct arena *a, const struct trend_rule *rule, struct trend *t);

#endif
