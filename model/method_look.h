/* method_look: what the files of method share: looks at what an SLA asks for, and rules over what a job shows of
 * itself. Used by method*.c only. */
#ifndef MODEL_METHOD_LOOK_H
#define MODEL_METHOD_LOOK_H

#include "model/method.h"

/* What one look at the source says. */
struct finding {
	enum holds holds;
	const char *found;
	struct pos pos;
	const char *note;
};

/* ---- looks: conditions that a table can name ---- */

struct look {
	struct arena *arena;
	const struct judgement *j;
	const struct job **jobs;
	size_t n_jobs;
	/* What is asked; key empty when the table asks nothing here. */
	struct sla_require ask;
};

struct check {
	const char *key;     /* in `require` */
	const char *name;    /* for people */
	const char *wanted;  /* when the table does not say; empty: then it is a remark */
	bool always;         /* required whether the table asks or not */
	struct finding (*look)(struct look *l);
};

enum { CHECKS = 18 };
extern const struct check method_checks[]; /* in the order of the report */

/* The value of an option over all jobs: the first that breaks what is asked, else the first job's. `fallback`, the
 * tool's documented default or NULL, stands in where the options are there and the key is not. */
struct finding look_option(struct look *l, const char *key, const char *fallback);

/* ---- facts: a job's figures, found in one pass over its run ---- */

enum direction { DIR_READ, DIR_WRITE, DIR_TRIM, DIR_MIXED, DIRECTIONS };
extern const char *const direction_names[DIRECTIONS];

struct facts {
	const struct run *run;
	const struct job *job;
	bool told;                       /* its options are known, so that a missing one stands at the tool's default */
	const struct result *iops[DIRECTIONS], *io[DIRECTIONS], *runtime[DIRECTIONS];
	const struct result *latency[DIRECTIONS]; /* mean completion latency, else mean latency */
	const struct result *tail;       /* the percentile that rests on the fewest I/Os, of p99 and above */
	double tail_ios;                 /* so many are beyond it */
	const struct result *cpu[2];     /* usr, sys */
	const struct result *error, *errors, *corrupt;
};

struct run_facts {
	struct arena *arena;
	const struct run *run;
	struct facts *jobs;              /* by ordinal */
	size_t n;
	const struct result *disk;       /* use of a disk */
	size_t disks;
};
struct run_facts facts_of(struct arena *a, const struct run *run);

/* A param of the job, else an option; NULL. Rules ask each job for dozens of keys, most of which it has not: in line,
 * with a key that the compiler sees, that takes no more than a bit. */
static inline const struct param *job_says(const struct job *job, const char *key)
{
	struct slice wanted = slice_of(key);
	if (job->keys && !(job->keys & param_bit(wanted)))
		return NULL;
	const struct param *p = params_find_slice(job->params, wanted);
	return p ? p : params_find_slice(job->options, wanted);
}
/* An attribute of the run, its suite, or its members; NULL. */
const struct param *run_says(const struct run *run, const char *key);
double param_number(const struct param *p);            /* NAN: none, or no number */
static inline bool job_switched_on(const struct job *job, const char *key) /* there and not 0 */
{
	const struct param *p = job_says(job, key);
	return p && !slice_is(p->value, "0");
}
double facts_ios(const struct facts *f, enum direction d);    /* 0 when it did none; estimated where not printed */
double facts_seconds(const struct facts *f, struct pos *pos); /* the longest direction's run time; NAN */

/* ---- rules: what a job shows against itself ---- */

enum rule_audit {
	AUDIT_REFUSES, /* such a measurement does not count */
	AUDIT_REMARKS,
	AUDIT_LOOKS    /* a look says it */
};
enum rule_said { SAID_NOT, SAID_NOTE, SAID_WARNING }; /* as a diagnostic; SAID_NOT: the parser said it */

enum rule_concerns { ALL_FIGURES, LATENCIES, SINGLE_FIGURES /* not rounds, whose steady state is judged */ };

struct rule {
	const char *name;   /* for people */
	const char *wanted; /* AUDIT_REFUSES: what should be there */
	enum rule_audit audit;
	enum rule_said said;
	enum rule_concerns concerns;
	bool of_several;    /* speaks of jobs together, at the first of them */
	/* False when there is nothing to say of this job; else found, pos and note are set. `out` NULL: only whether. */
	bool (*look)(struct run_facts *r, const struct facts *f, struct finding *out);
};

enum { RULES = 28 };
extern const struct rule method_rules[];

/* Fills a finding, if it is wanted; true. */
bool rule_say(struct run_facts *r, struct finding *out, struct pos pos, const char *note, const char *format, ...)
	__attribute__((format(printf, 5, 6)));
bool rule_loose_steady(struct run_facts *r, const struct facts *f, struct finding *out); /* method_steady.c */
/* Seconds that the job was told to run where it stopped before 90 % of them; else 0. */
double rule_stopped_early(const struct facts *f);
/* An earlier job that filled the drive: sequential writes in large blocks, or one that is named so. NULL: none. */
const struct job *rule_filling(const struct run *run);
extern const char rule_buffered_note[];

#endif
