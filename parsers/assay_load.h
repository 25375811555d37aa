/* assay_load: assay-load's result file (docs/load-results.md): what the files that read it share. One line is in memory
 * at a time; of the lines that went by there are sums, histograms and a bounded number of points. */
#ifndef PARSERS_ASSAY_LOAD_H
#define PARSERS_ASSAY_LOAD_H

#include "base/hist.h"
#include "base/json.h"
#include "parsers/parser.h"

enum { AL_FORMAT_VERSION = 1, AL_MEMBERS = 64, AL_TARGETS = 256, AL_TESTS = 100000, AL_CELLS = 1024 };

/* ---- lines (assay_load_line.c) ---- */

/* One object's members, in order; what is nested is raw text. */
struct al_object {
	struct { struct slice key, text; enum json_type type; } m[AL_MEMBERS];
	size_t n;
	const char *at;
};

struct al_lines {
	struct feed *feed;
	char *buffer;
	size_t start, end;
	bool ended;
	struct slice line;   /* the present one, without its end */
	bool unended;        /* nothing closes it: it may be cut */
	uint32_t number;     /* from 1 */
	uint64_t offset;     /* of its first byte */
	uint64_t next;
	unsigned overlong;   /* lines that were skipped, the first of which was */
	uint32_t first_overlong;
};

/* Sums of one direction of one target; and the same as a line states it. */
enum al_op { AL_READ, AL_WRITE, AL_RTT, AL_SENT, AL_RECEIVED, AL_QUERY, AL_OPS };
enum al_count { AL_IOS, AL_BYTES, AL_ERRORS, AL_CORRUPT, AL_TRIED, AL_COUNTS };
extern const char *const al_count_keys[AL_COUNTS];

struct al_sum {
	uint64_t v[AL_COUNTS];
	struct hist latency;  /* ns */
	bool inexact;         /* a sum of latencies was beyond 2^64, and is only near */
	bool any;
};

/* What an op is called in the file, and what becomes of it. */
struct al_op_kind {
	const char *key, *param, *value; /* "read": op=read */
	enum metric_id latency, rate;    /* METRICS: has none */
	const char *p50;                 /* what its 50th percentile is called */
};
extern const struct al_op_kind al_ops[AL_OPS];

/* ---- the run ---- */

struct al_target {
	struct slice path;
	struct pos pos;
	uint64_t length;          /* of the active range; 0: not stated */
	struct slice engine;
	bool direct, direct_known;
	/* Of the present test. */
	struct al_sum *op[AL_OPS];
	size_t intervals;
	double seconds;           /* that they cover */
	uint64_t backlog;         /* I/Os that were due and not begun at the end of the last one */
	uint32_t first_line, last_line;
	bool totalled;
};

struct al_test {
	bool open;
	uint64_t number, round;   /* round 0: not one of a series */
	struct slice name, rw, stage; /* stage: of the profile; tells tests of one name apart */
	struct pos pos;
	double t;                 /* since the run began; NAN */
	double started;           /* Unix time; NAN */
	double threads;           /* NAN */
	struct params params, options; /* without targets */
	bool all_totalled;
	size_t cell;              /* its cell + 1; 0: none */
};

enum al_metric { AL_M_IOPS, AL_M_BANDWIDTH, AL_M_LATENCY, AL_METRICS };

/* A round of a cell. */
struct al_round {
	uint64_t round;
	const struct job *job;
	double value[AL_METRICS]; /* NAN: not measured */
	struct pos pos[AL_METRICS];
	struct hist_packed latency[AL_OPS];
};

struct al_slot {
	double t, seconds; /* its end, since the run began; its length */
	double ios, bytes, latency; /* latency: the sum, ns */
	double n;          /* I/Os with a latency */
	const struct job *job;
};

/* Samples over time of one direction of one target; with too many, neighbours are joined. */
struct al_track {
	size_t target;            /* AL_TARGETS: all together */
	enum al_op op;
	struct al_slot *slots;
	size_t n, cap, joined;    /* intervals in a slot */
	size_t in_last;           /* in the last slot */
	uint64_t test, interval;  /* which was the last one */
	double last_seconds;
};

/* All tests of one name and stage. */
struct al_cell {
	struct slice name, stage;
	struct params params;     /* of its rounds' series */
	bool sequential;
	struct al_round *rounds;
	size_t n_rounds, round_cap;
	struct al_track *tracks;
	size_t n_tracks, track_cap;
	bool judged[AL_METRICS], steady[AL_METRICS]; /* by its own `steady` lines, the last of each metric */
	struct pos claim_pos[AL_METRICS];
};

struct al {
	struct parse *p;
	struct al_lines in;
	enum status status;
	unsigned unread;           /* lines that could not be used */
	bool started, refused;
	struct pos ended;          /* of the `end` line; source NULL: none yet */
	struct slice kind;
	double epoch;              /* Unix time of the start; NAN */
	struct al_target *targets;
	size_t n_targets, target_cap;
	struct al_test test;
	uint64_t n_tests;
	struct al_cell *cells;
	size_t n_cells, cell_cap;
	struct al_sum *scratch[AL_OPS]; /* all targets together */
	struct hist *window;            /* scratch of percentiles over rounds */
};

/* Reading lines; the line lives until the next call. */
struct al_lines al_lines_of(struct parse *p);
bool al_line_next(struct al_lines *l);

/* The members of one object and nothing behind it; false when it is none, cut or damaged. */
bool al_object_read(struct slice raw, struct al_object *o);
/* The raw text of a member; SLICE_NONE when it isn't there. */
struct slice al_raw(const struct al_object *o, const char *key);
/* A string without its quotes, its escapes resolved, in the scratch arena. Empty: not there, or no string. */
struct slice al_text(struct al *r, const struct al_object *o, const char *key);
/* Numbers: false when there is none; a value that is none, negative or too large is said. */
bool al_count(struct al *r, const struct al_object *o, const char *key, uint64_t limit, uint64_t *value);
bool al_number(struct al *r, const struct al_object *o, const char *key, double *value);
/* 1, 0, or -1 when it isn't there. */
int al_flag(const struct al_object *o, const char *key);
bool al_nested(struct al *r, const struct al_object *o, const char *key, struct al_object *inner);

/* The place of a byte of the present line; NULL: its first. */
struct pos al_pos(const struct al *r, const char *at);
void al_say(struct al *r, enum severity severity, struct pos pos, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* A copy in the scratch arena with room for `more`. */
struct param *al_params_copy(struct al *r, struct params p, size_t more);

/* Adds one op of an interval's line to the sums; false, and nothing added, when it can't be (said). */
bool al_sum_add(struct al *r, const struct al_object *op, struct al_sum *sum, struct al_sum *own);

/* ---- totals (assay_load_total.c) ---- */

void al_total(struct al *r, const struct al_object *o);
/* Whatever the file has no total of is given as recomputed. */
void al_test_end(struct al *r);

/* ---- measurements without intervals (assay_load_measure.c) ---- */

void al_measure(struct al *r, const struct al_object *o);
void al_check(struct al *r, const struct al_object *o);

/* ---- cells (assay_load_cell.c) ---- */

/* Its number + 1; 0 when there are too many. Where another stage has a cell of this name, the test's params tell which. */
size_t al_cell_of(struct al *r, struct al_test *t);
void al_track_add(struct al *r, size_t target, uint64_t interval, double t, double seconds, enum al_op op,
	const struct al_sum *sum);
void al_tracks_name(struct al *r, size_t target, const struct job *job);
void al_round_add(struct al *r, const struct job *job, const double value[AL_METRICS], const struct pos pos[AL_METRICS]);
void al_steady(struct al *r, const struct al_object *o);
void al_cells_give(struct al *r);

#endif
