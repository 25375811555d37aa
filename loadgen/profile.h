/* profile: what a measurement consists of, from an INI file (templates/jobs/) or from options alone.
 *
 * A profile is a list of stages that follow one another. A stage purges and preconditions its targets, then goes
 * through rounds of cells (block size × mix) until they are steady or a limit is reached. Each setting of a stage has the
 * same name in a [stage NAME] section and as an option, and is read by the same row of one table. */
#ifndef LOADGEN_PROFILE_H
#define LOADGEN_PROFILE_H

#include "base/diag.h"
#include "loadgen/work.h"
#include "model/steady.h"

#include <stdint.h>

enum steady_metric { STEADY_IOPS, STEADY_BANDWIDTH, STEADY_LATENCY };

struct cell {
	const char *name;       /* "4k-65/35", "128k-0/100-seq" */
	uint64_t block;         /* B */
	unsigned read_percent;
	bool random;
	bool tracked;           /* steadiness is judged by it */
};

struct stage {
	const char *name;
	/* Settings, as written. */
	const char *bs, *mix, *pattern, *cells, *steady, *metric, *rule, *zones;
	double precondition_bs;
	double iodepth, threads; /* threads 0: as many as CPUs per target, at most 8 */
	double runtime, ramp;    /* s, per cell */
	double rate;             /* 1/s, per target; 0: none */
	double rounds;           /* at most */
	double passes;           /* how often the range is written before the rounds */
	double written;          /* the rounds end when the range was written so often; 0: they don't */
	bool purge, verify, random_map;
	/* Made of them by stage_finish. */
	struct cell *list;       /* a round, in order */
	size_t n_list, n_tracked;
	const struct steady_rule *judge; /* NULL: no steady state is asked for */
	enum steady_metric judged;
	struct zone *zone;       /* NULL: the range is used alike everywhere */
	size_t n_zones;
};

struct profile {
	const char *name;        /* of the file, without directory and .ini; NULL: made of options */
	const char *title, *source; /* NULL: not said */
	struct stage *stages;
	size_t n_stages, cap;
};

/* A stage with the settings that hold where nothing else is said. */
struct stage stage_default(const char *name);
/* Sets one setting; NULL, or a sentence part about what is wrong ("is not a size"; in the arena). */
const char *stage_set(struct arena *a, struct stage *s, const char *key, struct slice value);
/* Expands the settings to cells and the rule; NULL or what is wrong. */
const char *stage_finish(struct arena *a, struct stage *s);

/* Reads a profile: a file where `name` has a slash or ends in .ini, else one of those that are built in. NULL when it
 * can't be used, with the reasons in diags. Stages are not finished yet: options may come over them. */
struct profile *profile_read(struct arena *a, const char *name, struct diags *diags);

/* s of load in the rounds of a stage: at least and at most, without purge and preconditioning, which take as long as
 * the targets need for them. */
double stage_least(const struct stage *s);
double stage_most(const struct stage *s);

/* The files of templates/jobs as they were when the program was built. Ends with name NULL. */
struct profile_file {
	const char *name;           /* "oci-nvme.ini" */
	const unsigned char *bytes; /* with a NUL behind the last */
	size_t n;
};
extern const struct profile_file profile_files[];

#endif
