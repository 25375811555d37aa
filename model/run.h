/* run: normalized results with their evidence.
 *
 * dataset → inputs (files), runs → jobs, results, series. Everything lives in the dataset's arena; the bytes of the
 * inputs do not: whatever is kept is copied. */
#ifndef MODEL_RUN_H
#define MODEL_RUN_H

#include "base/diag.h"
#include "base/hist.h"
#include "model/metric.h"

/* key=value with its evidence: a column of the params, an option that the tool was given, an attribute of the subject. */
struct param {
	struct slice key;
	struct slice value; /* normalized: sizes in bytes, times in seconds */
	struct slice text;  /* as printed; empty when it is the same as value */
	struct pos pos;
};

struct params {
	const struct param *v;
	size_t n;
};

/* The first param of that key, or NULL. */
const struct param *params_find(struct params p, const char *key);
const struct param *params_find_slice(struct params p, struct slice key);

/* A bit that a set of keys can have for this one: where it has not, the key is not in the set. */
static inline uint64_t param_bit(struct slice key)
{
	return UINT64_C(1) << (key.n * 7 + (key.n ? (unsigned char)key.p[0] : 0)) % 64;
}

/* A unit of measured work as the tool delimits it: a fio job, a run of ioping, a test of IOR. */
struct job {
	struct slice name;     /* the tool's own name of the test */
	struct params params;  /* for the params column, any order */
	struct params options; /* everything the tool was told or says of the job, for method checks; keys as the tool's */
	bool partial;          /* options are only what the output happens to show: a missing key says nothing */
	struct pos pos;        /* where the job begins */
	double started, stopped; /* Unix time in s; NAN when not known */
	uint64_t keys;         /* param_bit of every param and option; 0: not known. Set by run_add_job, as are: */
	unsigned ordinal;      /* from 0 in its run */
	const struct run *run;
};

enum result_flag {
	RESULT_LOW_PRECISION = 1, /* rounded for people: never preferred to a precise figure of the same run */
	RESULT_REPAIRED = 2,      /* read from text that had to be mended; said in a note */
	RESULT_DERIVED = 4,       /* computed here, not printed by the tool */
	RESULT_SUSPECT = 8,       /* contradicts another figure of the same source; said in a diagnostic */
	RESULT_OPEN = 16,         /* q.value is in the source's own unit, which the source doesn't tell: goes to run.open, not
	                           * to run.results, until what stands beside the source settles it */
	RESULT_ESTIMATED = 32,    /* no compliant result by its benchmark's rules: "est." stands beside it wherever it is shown */
	RESULT_PUBLISHED = 64,    /* somebody's word without a raw log: "published" stands beside it wherever it is shown; neither
	                           * judged nor pooled with measurements */
	RESULT_MARKS = RESULT_ESTIMATED | RESULT_PUBLISHED /* what publish_marks says in words */
};

struct result {
	enum metric_id metric;
	uint16_t flags;          /* enum result_flag */
	bool no_test;            /* the test column stays empty though there is a job */
	struct slice stat;       /* "value", "mean", "p99.9", "steady_mean" … */
	struct quantity q;
	const struct job *job;   /* NULL: belongs to no job */
	struct slice test;       /* empty: the job's name */
	struct params params;    /* beside the job's: op=read, mode=usr … */
	uint64_t n;              /* samples behind it; 0: not known */
	double time;             /* Unix time in s; NAN: not known */
	/* A field more is a line more in run_add_result. */
};

/* Values in order: rounds of a test, or samples over time. */
enum series_kind { SERIES_ROUNDS, SERIES_SAMPLES };
enum claim { CLAIM_NONE, CLAIM_STEADY, CLAIM_NOT_STEADY };

struct point {
	double t;              /* rounds: 1-based round; samples: s since the start, or untimed their number from 1 */
	double value;          /* in the metric's unit */
	const struct job *job; /* the job that measured it, or NULL */
	struct pos pos;        /* of the number */
};

struct series {
	enum series_kind kind;
	enum metric_id metric;
	struct slice test;
	struct params params;
	const struct point *points;
	size_t n;
	double interval;         /* samples: seconds per sample; rounds: 0 */
	struct slice stat;       /* of each value: "p99" …; empty: the tool's figure for it, or the mean */
	bool untimed;            /* samples: in order, but when they were taken is not known */
	enum claim claimed;      /* what the tool itself says of steady state */
	struct pos claim_pos;
	struct slice claim_text; /* as printed: "iops:0.0001% attained=0" */
};

/* The latencies of a stretch of time; seconds since the log began. */
struct spread_window {
	double from, to;
	uint32_t line;           /* of its first row; 0: not known */
	struct hist_packed hist;
};

/* How often which latency occurred in one direction. Percentiles of several runs together are made of these, never of
 * the percentiles of each. */
struct spread {
	enum metric_id metric;
	struct slice op;         /* of I/O: "read" … */
	double unit;             /* the metric's unit × this is what 1 counts; 0: the source doesn't tell */
	size_t open_end;         /* the bucket that has no upper end: what falls into it is only known to be as large */
	uint64_t bytes;          /* that these I/Os moved; 0: not known */
	struct hist_packed hist;
	const struct spread_window *windows; /* the same I/Os by time, in order; those without I/O are left out */
	size_t n_windows;        /* 0: not known, or all in one */
	size_t merged;           /* logs that it was made of; 0: it is of one */
	bool part;               /* one with `merged` holds its windows' I/Os, too */
};

struct run {
	struct slice tool, version;
	struct slice subject;    /* empty when unknown */
	struct source *source;   /* the file, or the directory of a suite */
	double started;          /* Unix time, NAN */
	struct params attrs;     /* attributes and facts of the run with evidence */
	struct job **jobs;
	struct result *results;
	struct series *series;
	size_t n_jobs, n_results, n_series;
	struct result *open;     /* with RESULT_OPEN */
	size_t n_open, open_cap;
	struct spread *spreads;
	size_t n_spreads, spread_cap;
	struct run *suite;       /* the suite run that this one is part of; or NULL */
	struct run **members;    /* of a suite: the runs of its files, in order */
	size_t n_members;
	/* A better source of the same measurement: the JSON of a run that this is the normal text of, or whose log this is. Its
	 * rows stand, but it is not judged, so that the measurement counts once. NULL: none. */
	const struct run *same_as;
	const struct run *written_by; /* of a log: the result beside it whose jobs say that they wrote it; or NULL */
	struct slice set;        /* sub-directory or iteration that tells runs of one subject apart, for people */
	bool damaged;            /* its input was cut or partly unreadable */
	size_t attr_cap, job_cap, result_cap, series_cap, member_cap;
};

/* One input as the report lists it. */
struct input {
	struct source *source;
	struct slice subject;    /* given as NAME=PATH, or empty */
	const char *format;      /* parser's name; NULL: unknown */
	bool named;              /* the user gave its path; else it was found in a directory or archive */
	int bid;                 /* that parser's; 0 when it was named by the user */
	uint64_t size;
	char sha256[65];         /* lower-case hex; empty when not computed */
	enum status status;
};

struct dataset {
	struct arena *arena;
	struct run **runs;       /* in the order of the walk; members of suites stand here, too */
	struct input *inputs;
	size_t n_runs, n_inputs, run_cap, input_cap;
	struct diags diags;
};

void dataset_init(struct dataset *d, struct arena *a);
/* Appends what is in `from`, whose arena must live as long. */
void dataset_append(struct dataset *d, const struct dataset *from);
struct run *dataset_add_run(struct dataset *d, struct source *source, struct slice tool);
/* Each copies what it is given into the arena and resolves positions that have only an offset. */
struct params params_copy(struct arena *a, struct params p);
void run_add_attr(struct arena *a, struct run *r, struct param p);
const struct job *run_add_job(struct arena *a, struct run *r, const struct job *job);
/* Room for so many results more, so that few of them are moved again. */
void run_expect(struct arena *a, struct run *r, size_t results);
struct result *run_add_result(struct arena *a, struct run *r, const struct result *result);
struct series *run_add_series(struct arena *a, struct run *r, const struct series *series);
/* The run's own spread of this direction, or that of it and others (merged); or NULL. */
const struct spread *run_spread(const struct run *r, const char *op);
const struct spread *run_merged_spread(const struct run *r, const char *op);
/* `hist` stands for spread->hist, which is not looked at. */
struct spread *run_add_spread(struct arena *a, struct run *r, const struct spread *spread, const struct hist *hist);

/* The result's test column. */
struct slice result_test(const struct result *r);
/* A param of a result: its own, else its job's. */
const struct param *result_param(const struct result *r, const char *key);
/* First result of a run that fits; job NULL: any; op NULL: any. */
const struct result *run_find(const struct run *r, const struct job *job, enum metric_id metric, const char *stat,
	const char *op);

#endif
