/* evaluate_parts: what the files of evaluate share. Private to them. */
#ifndef MODEL_EVALUATE_PARTS_H
#define MODEL_EVALUATE_PARTS_H

#include "model/evaluate.h"
#include "model/trend.h"

struct evaluator {
	struct arena *a;
	struct dataset *d;
	const struct study *study;
	struct evaluation out;
	struct slice subject;         /* that is judged */
	const struct trend_jobs *jobs; /* its complete jobs; NULL: none */
};

/* A row of the subject without data, verdict or limit. */
struct evaluation_row *evaluation_row(struct evaluator *e, enum evaluation_kind kind, const char *name);
void evaluate_statistics(struct evaluator *e);

/* "2026-11-02T09:00:00Z". */
const char *evaluation_when(struct arena *a, double time);

#endif
