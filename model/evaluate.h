/* evaluate: the evaluation metrics of a study, judged: no halt, no job missing, no significant deviation, no abnormal
 * server statistic. Each is judged for each subject that has jobs or statistics, or should have them. */
#ifndef MODEL_EVALUATE_H
#define MODEL_EVALUATE_H

#include "model/sla.h"
#include "model/study.h"

enum evaluation_kind { EVALUATION_HALT, EVALUATION_JOBS, EVALUATION_DEVIATION, EVALUATION_STATISTIC };

/* One metric of one subject.
 *
 * Halt: the longest time from the start of one complete job to that of the next, against the longest gap of the study;
 *     without one, against 1.5 of the median interval, which must be regular then (model/trend.h).
 * Jobs: complete ones against the planned number.
 * Deviation: of each value of a series from the mean of all, against the tolerance (model/trend.h).
 * Statistic: the extreme of all samples against the limit. INCONCLUSIVE where that holds, but samples are missing for
 *     more than 2.5 intervals at a time while jobs ran, or where samples above the line rate, which are counter faults,
 *     leave open whether it held.
 * NO-DATA: nothing in the input tells. */
struct evaluation_row {
	enum evaluation_kind kind;
	struct slice subject;
	const char *name;            /* "No halt", "Deviation of write bandwidth", "Most received, NFS subnet (ens3)" */
	enum metric_id metric;       /* that value and limit are of; METRICS: none of the registry (jobs, halt) */
	double value;                /* in the limit's unit; NAN: none */
	enum unit unit;
	const char *how;             /* of a computed value; NULL: as printed */
	struct quantity evidence;    /* the printed value, or the place only */
	double time;                 /* when, NAN */
	enum quantity_op op;
	double limit;                /* NAN: none */
	struct quantity limit_text;  /* as the study writes it; no text: a default, or from the command line */
	enum verdict verdict;
	const char *sentence;        /* with the numbers behind the verdict */
	const char *advice;          /* what would settle it; empty when nothing is open */
};

struct evaluation {
	struct evaluation_row *rows;
	size_t n, cap;
	size_t count[VERDICTS];
	size_t subjects;             /* different ones */
};

struct evaluation evaluate(struct arena *a, struct dataset *d, const struct study *s);

/* For people: "5 d 6 h 51 min", "2 h 6 min 53 s", "37.5 s"; a value; the limit as the study writes it, without its
 * operator. */
const char *evaluation_span(struct arena *a, double seconds);
const char *evaluation_value(struct arena *a, double value, enum unit unit);
const char *evaluation_limit(struct arena *a, const struct evaluation_row *r);

/* The exit status of the contract: 1 with a FAIL, 3 with anything else but PASS, or without a row; 0. */
int evaluation_exit(const struct evaluation *e);

#endif
