/* record: the result file (docs/load-results.md), line by line. */
#ifndef LOADGEN_RECORD_H
#define LOADGEN_RECORD_H

#include "base/buf.h"
#include "base/diag.h"
#include "base/hist.h"
#include "loadgen/load.h"

enum { RECORD_DEPTH = 16 };

struct record {
	const char *path;   /* "-": standard output */
	int fd;
	struct buf line;
	char closer[RECORD_DEPTH];
	unsigned depth;
	double started;     /* load_now() at the start */
	double flushed;
	int error;          /* errno of the first line that could not be written; 0: none */
};

/* Seconds on a clock that never goes back. */
double load_now(void);
/* Now, in ISO 8601 UTC; in the arena. */
const char *load_time(struct arena *a);

/* Opens a new file: `path`, or when it is NULL the first of assay-load-STEM-1.ndjson, -2 … that does not exist. An
 * existing file is never touched. False and a message in *error (in the arena). */
bool record_open(struct record *r, struct arena *a, const char *path, const char *stem, const char **error);
/* False when something could not be written, with the message in *error. */
bool record_close(struct record *r, struct arena *a, const char **error);

/* Closes it, and removes it: nothing came to be written. */
void record_discard(struct record *r);

/* One line: record_begin, its members, record_end, which writes it with one write(), and at times sees to it that what
 * was written is on disk. A NULL text and a number that is not finite are left out. Inside an array the key is NULL. */
void record_begin(struct record *r, const char *type);
void record_text(struct record *r, const char *key, const char *text);
void record_number(struct record *r, const char *key, double value);
void record_count(struct record *r, const char *key, uint64_t value);
void record_flag(struct record *r, const char *key, bool value);
void record_object(struct record *r, const char *key);
void record_array(struct record *r, const char *key);
void record_close_one(struct record *r); /* the innermost object or array */
void record_end(struct record *r);
/* What was written so far is on disk when this returns. */
void record_flush(struct record *r);

/* `key`: { n, min, max, sum, buckets }; with `percentiles` mean, p50 … p99.99 instead of the buckets. Nothing when the
 * histogram is empty. */
void record_histogram(struct record *r, const char *key, const struct hist *h, bool percentiles);

/* Begins the first line: format, version, time, command, kind, subject, host. The kind adds its own, and ends it. */
void record_start(struct record *r, struct arena *a, const struct load_options *o);
void record_event(struct record *r, enum severity severity, const char *message);
/* The last line. steady: 1, 0, or -1 where none was asked for. */
void record_finish(struct record *r, struct arena *a, const char *status, int steady);

#endif
