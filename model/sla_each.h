/* sla_each: limits of each period of a run ("p99 over each minute"), from the histograms of its logs. Used by sla*.c only. */
#ifndef MODEL_SLA_EACH_H
#define MODEL_SLA_EACH_H

#include "model/sla_figures.h"

/* A candidate for each log, or logs joined, of the table's metric: its series holds the percentile of each whole period of
 * sla->each seconds since the log began, its result the highest of them (missing: there is none), with from=S and to=S.
 * What is left of the log behind the last whole period doesn't count. */
void sla_each_candidates(struct arena *a, const struct sla *sla, const struct run *run, struct candidates *c);
/* The percent of "p99.9"; NAN when it is none from 0 to 100, both excluded. */
double sla_each_percent(struct slice stat);

#endif
