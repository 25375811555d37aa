/* sla: published limits, and the verdict on each with its evidence. */
#ifndef MODEL_SLA_H
#define MODEL_SLA_H

#include "model/selector.h"
#include "model/stats.h"
#include "model/steady.h"

/* A row of a published table: "BM.DenseIO2.52,1.67MM". */
struct sla_row {
	struct slice shape;      /* as the table writes it */
	enum quantity_op op;     /* OP_GE: a minimum */
	struct quantity limit;   /* with the text as printed and its line in the table */
};

/* What a measurement must have been to count: `bs=4096`, `direct=1`, `runtime>=60`, `steady`. */
struct sla_require {
	struct slice text;       /* as written */
	struct slice key;
	enum quantity_op op;     /* OP_EQ for key=value, OP_NONE for a bare word */
	struct slice value;
	double number;           /* of value, NAN when it is no number */
	struct pos pos;
};

struct sla {
	struct slice name, source_text, title;
	struct source *source;
	enum metric_id metric;
	struct slice stat;
	const struct selector *where;  /* which measurements concern this table at all */
	struct sla_require *require;
	struct sla_row *rows;
	size_t n_require, n_rows;
	const struct steady_rule *rule;
	double level;                  /* confidence, 0.95 */
	/* Of a client's run with several hosts: the limits are of all of them together, as of a storage that they share. Else
	 * each host is one of what the row names, and the one that does worst is judged. */
	bool hosts_together;
};

enum verdict { VERDICT_PASS, VERDICT_FAIL, VERDICT_INCONCLUSIVE, VERDICT_NOT_COMPARABLE, VERDICT_NO_DATA, VERDICTS };
const char *verdict_name(enum verdict v);

enum holds {
	HOLDS_YES,
	HOLDS_NO,        /* broken: the measurement is not comparable */
	HOLDS_NOT_SHOWN, /* the source does not tell: said, counts as a doubt */
	HOLDS_WARN       /* not required by the table, but an auditor wants to know */
};

struct condition {
	const char *name;      /* "block size" */
	const char *wanted;    /* "4096"; empty for a remark */
	const char *found;     /* "8192 B" ; "not shown" */
	enum holds holds;
	bool required;         /* by the table, or by what makes any measurement count */
	struct pos pos;        /* evidence */
	const char *note;      /* a sentence, or NULL */
};

/* One measurement (a cell of a suite's run, a job of fio) against one row. */
struct judgement {
	const struct sla *sla;
	const struct run *run;
	const struct series *series;   /* NULL: a single figure */
	const struct result *result;   /* the single figure; NULL when there are rounds */
	const struct result **parts;   /* the figures that result is the sum of: of equal jobs side by side */
	size_t n_parts;
	struct steady steady;          /* of series */
	bool has_steady;
	struct condition *conditions;
	size_t n_conditions, n_required, n_held; /* required ones, and those of them that hold */
	double value;                  /* the value that is judged, base unit; NAN */
	struct bound bound;
	enum verdict verdict;
	const char *reason;            /* a sentence: why it is not PASS; empty for PASS */
	const char *name;              /* which measurement, for people: "iops 4 KiB 0/100", "job randwrite" */
};

/* One row for one subject. */
struct sla_verdict {
	const struct sla *sla;
	const struct sla_row *row;
	struct slice subject;
	struct judgement *runs;        /* the best-fitting measurement of each run, in order */
	size_t n_runs;
	double value;                  /* judged value over all runs; NAN without data */
	struct bound bound;            /* over run means from three runs on; else the worst run's */
	double normalized;             /* value / limit */
	double margin;                 /* value - limit, base unit, positive is better */
	enum verdict verdict;
	const char *sentence;          /* "Measured 1.408 M IOPS, 84 % of the minimum." */
	const char *advice;            /* what would settle it; empty when nothing is open */
	const struct judgement *worst; /* the run that decides; NULL without data */
	const struct result *published; /* a published figure that concerns the row: it is not judged; or NULL */
};

struct audit {
	struct sla_verdict *verdicts;  /* in table order, then subject order */
	size_t n;
	size_t count[VERDICTS];
};

/* A verdict for every row of every table: one per subject that the row's shape names, or one without subject
 * (VERDICT_NO_DATA) where no input concerns it. A subject that no row names is a warning in d->diags. */
struct audit sla_audit(struct dataset *d, struct sla *const *tables, size_t n_tables);

/* Whether a table's shape names this subject: equal, or a flexible shape: "VM.DenseIO.E4.Flex with 8 OCPUs" is
 * "VM.DenseIO.E4.Flex.8", or the subject VM.DenseIO.E4.Flex with the attribute ocpus=8. */
bool sla_shape_matches(struct slice shape, struct slice subject, const struct run *run);

/* Exit status of the contract for these verdicts: 1 with a FAIL, 3 with any INCONCLUSIVE or NOT-COMPARABLE, with a
 * NO-DATA that names a subject, or when nothing at all was judged; else 0. */
int audit_exit(const struct audit *a);

#endif
