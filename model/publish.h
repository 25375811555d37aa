/* publish: what the owner of a benchmark asks of those who publish its figures. Today: SPEC's rules of fair use for
 * CPU2006, CPU2017 and CPU2026 (https://www.spec.org/fairuse.html). */
#ifndef MODEL_PUBLISH_H
#define MODEL_PUBLISH_H

#include "model/run.h"

/* What stands behind a figure wherever it is shown, by the RESULT_MARKS among its flags: " est.", " published", both or
 * nothing. */
const char *publish_marks(unsigned flags);
const char *publish_mark(const struct result *r);
/* Whether figures of this run are under such rules. */
bool publish_ruled(const struct run *run);
/* Of a run under rules: whether a figure counts. Of the runs of one benchmark only the selected one does. */
bool publish_counts(const struct result *r);
/* Of a run under rules: the params in which compared figures may differ, NULL-ended. */
extern const char *const publish_free_params[];
/* A metric's suite, without what tells base from peak: "SPECrate2017_int", "SPECint_rate2006". In the arena. */
const char *publish_suite(struct arena *a, const struct result *r);
/* Why two metrics must not be set against each other (NOT-COMPARABLE): other versions of the benchmark, other suites,
 * base and peak, sizes, an incomplete suite. A sentence part in the arena; NULL: they may. */
const char *publish_obstacle(struct arena *a, const struct run *run, const struct result *r, const struct run *other,
	const struct result *s);

#endif
