/* load: paths → inputs → detected parsers → runs, grouped by directory into suites. */
#ifndef INGEST_LOAD_H
#define INGEST_LOAD_H

#include "ingest/detect.h"
#include "ingest/jobs.h"
#include "ingest/read.h"
#include "ingest/study.h"
#include "parsers/parser.h"

struct walk;
struct workers;
struct load_apart;

struct load {
	struct dataset *dataset;
	const struct parser *as;   /* skip detection; or NULL */
	struct params set;         /* attributes of every run; they override what the input says of itself */
	const struct study *study; /* tells whose an input is that was given without a subject, and the attributes of subjects;
	                            * what `set` says goes before them. NULL: none */
	bool sha256;               /* fill input.sha256 */
	bool survey;               /* unknown inputs are an answer, not damage */
	unsigned threads;          /* that read files ahead, up to LOAD_THREADS; 0: none, all is read by the caller's */
	bool reversed;             /* for benches: rules of texts are tried from the last to the first */
	uint64_t limit;            /* bytes of one document; READ_LIMIT. Formats that stream have none */
	/* After each group of files that belong together (a directory's, or paths given side by side from one directory), or
	 * a part of it where no suite waits for the rest: the owner may use up the dataset and start it anew. NULL: everything
	 * is kept. */
	void (*batch)(void *ctx);
	/* After each file; NULL: not wanted. */
	void (*progress)(void *ctx);
	void *ctx;
	/* After each detection; NULL: not wanted. */
	void (*detected)(void *ctx, const struct detection *detection, const struct input *input);
	void *detected_ctx;

	/* What happened so far. */
	size_t files;              /* inputs seen, members of archives too */
	size_t walked;             /* files on disk done */
	uint64_t bytes;            /* read */
	size_t unknown;            /* files that no parser claims */
	size_t damaged;            /* unreadable, truncated, or partly not understood: the exit status is 4 */
	size_t unusable;           /* files that users write, and that can't be used: the exit status is 2 */
	size_t unreadable;         /* of these, the ones whose bytes could not be read at all */

	/* Private. */
	struct read_buffer buffer;
	struct rule_cache *rules;
	struct slice subject, given; /* of the input at hand; of the path that is walked */
	struct load_apart *apart;  /* of a worker's own loader: what it leaves to the main one; else NULL */
	const char *group;         /* directory of the group that is being filled, or NULL */
	size_t group_first;        /* its first run */
	size_t group_seen;         /* behind the last run that was looked at */
	size_t group_inputs;       /* inputs seen before it */
	size_t group_held;         /* how much it holds, in results */
	bool group_waits;          /* a suite wants one of these */
	struct arena scratch;
	struct jobs jobs;          /* of all inputs */
	struct workers *workers;   /* ingest/workers.h; NULL: none */
	struct walk *walk;         /* that is going on */
};

enum { LOAD_THREADS = 64 };

/* Reads a path ("-": standard input; a directory is walked). `subject` overrides what the input says of itself; empty:
 * not given. */
void load_path(struct load *l, const char *path, struct slice subject);
/* Closes the last group, adds the accounts of batch jobs (ingest/jobs.h) and gives back the buffer. */
void load_finish(struct load *l);

#endif
