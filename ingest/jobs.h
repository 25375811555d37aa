/* jobs: the batch jobs behind the inputs, and what became of them.
 *
 * A job is known by its number (in the output, or in the name of the output: "name.o123", "slurm-123.out") and counts once
 * for each subject and tool, however often it was queued; of several attempts the last counts. States: those that a
 * parser gives to its run (complete, incomplete, failed, verification-failed), and
 *   duplicate    a copy of another file: counted beside the job itself
 *   empty        the job's output has no bytes
 *   unsupported  the job's output is of no format that is known
 *   absent       there is no output, though the numbers of this series of jobs go up by a constant and leave one out */
#ifndef INGEST_JOBS_H
#define INGEST_JOBS_H

#include "model/run.h"

struct job_record;

enum { JOBS_BUCKETS = 1024 };

struct jobs {
	struct arena arena;
	struct job_record *v;
	size_t n, cap;
	uint32_t bucket[JOBS_BUCKETS]; /* by content: place of the last record + 1; 0: none */
};

/* Whether jobs_take would look at the bytes: they are to be kept until then. */
bool jobs_wants(const struct input *in, struct run *const *runs, size_t n);
/* Takes note of one input and the runs that were read from it. Runs of a copy get the attribute `duplicate_of`. */
void jobs_take(struct jobs *j, struct dataset *d, const struct input *in, struct slice bytes, struct run *const *runs,
	size_t n);
/* Adds a run for each subject and tool: rows `jobs count` with `state=…`. What is missing or double is said in notes. */
void jobs_give(struct jobs *j, struct dataset *d);
void jobs_free(struct jobs *j);

#endif
