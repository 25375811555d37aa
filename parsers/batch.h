/* batch: what a batch system (PBS, Slurm) and an MPI launcher write around a tool's output: the job's number, its nodes,
 * when it began and ended, and how.
 *
 * A rule set that uses BATCH_RULES has a struct batch as the first member of its state. A run of the tool is over when
 * its finish() finds `over` or r->ended; then it says how it ended with batch_give. */
#ifndef PARSERS_BATCH_H
#define PARSERS_BATCH_H

#include "parsers/rules.h"

/* What became of a job, the worst last. */
enum job_state { JOB_COMPLETE, JOB_INCOMPLETE, JOB_FAILED, JOB_UNVERIFIED };

struct batch {
	struct slice job;         /* number, as the output or the name of its file tells it; empty: none */
	struct pos job_pos;
	struct slice name, nodes, resources;
	double started, stopped;  /* Unix time; 0: not told */
	bool zoned;               /* started tells its zone */
	double tool_started, tool_stopped; /* the tool's own; 0: not told */
	/* These are of a clock whose zone is not printed, and taken as UTC, unless they then lie outside of a job whose
	 * times tell their zone: the zone is that which puts them into it. */
	bool clock_assumed;
	unsigned attempt;         /* prologues of this job so far */
	bool over;
	/* What speaks against a complete job. */
	bool killed, failed;
	struct slice why;
	struct pos why_pos;
	bool why_vague;           /* only that something went wrong: any other reason is better */
};

/* Gives the open block the job's number. */
void batch_params(struct rules *r);
/* The tool says when it began or ended. */
void batch_tool_time(struct rules *r, struct slice date, bool end);
/* The tool says what went wrong: the first such line stays. */
void batch_fails(struct rules *r, struct slice why, struct pos at);
/* Before another run of the tool, in the same job: ends the open one. */
void batch_next_run(struct rules *r);
/* Says of the run that is over what became of it: `state` and `why` (which may be empty) as the tool's own output has
 * it; the batch system may know worse. Attributes of the run: job, job_name, nodes, attempt, state, state_reason,
 * started, stopped. */
void batch_give(struct rules *r, enum job_state state, const char *why);

/* Number of a batch job in the name of its output: "name.o123", "slurm-123.out"; empty when it has none. */
struct slice batch_job_of(struct slice file_name);

/* Actions. */
bool batch_on_prologue(struct rules *r);
bool batch_on_epilogue(struct rules *r);
bool batch_on_job(struct rules *r);
bool batch_on_nodes(struct rules *r);
bool batch_on_name(struct rules *r);
bool batch_on_resources(struct rules *r);
bool batch_on_exit(struct rules *r);
bool batch_on_times(struct rules *r);
bool batch_on_limit(struct rules *r);
bool batch_on_abort(struct rules *r);

#define BATCH_RULES \
	{ \
		.id = "prologue", .action = batch_on_prologue, \
		.pattern = "Begin (?:PBS|Slurm|SLURM|[Jj]ob) Prologue (?<date>.*)$", \
		.sample = "Begin PBS Prologue Mon Nov  2 09:00:00 UTC 2026 1793610000", .fields = FIELDS(KEEP("date")), \
	}, { \
		.id = "epilogue", .action = batch_on_epilogue, \
		.pattern = "Begin (?:PBS|Slurm|SLURM|[Jj]ob) Epilogue (?<date>.*)$", \
		.sample = "Begin PBS Epilogue Mon Nov  2 09:00:03 UTC 2026 1793610003", .fields = FIELDS(KEEP("date")), \
	}, { \
		.id = "job", .action = batch_on_job, \
		.pattern = "(?:Job I[Dd] *:\\s*|(?:SLURM_JOB_?ID|PBS_JOBID) *[=:] *|JobI[Dd]=|TACC: +Starting up job )(?<job>\\d+)", \
		.sample = "Job ID:\t\t1001.pbs01", .fields = FIELDS(KEEP("job")), \
	}, { \
		.id = "nodes", .action = batch_on_nodes, \
		.pattern = "(?:Nodes|Node ?[Ll]ist|SLURM_(?:JOB_)?NODELIST)\\s*[=:]\\s*(?<nodes>\\S+)", \
		.sample = "Nodes:\t\tnode1/0*2+node2/0*2", .fields = FIELDS(KEEP("nodes")), \
	}, { \
		.id = "job name", .action = batch_on_name, \
		.pattern = "(?:Job [Nn]ame *: *|SLURM_JOB_NAME=|JobName=)(?<name>\\S+)", \
		.sample = "SLURM_JOB_NAME=ior", .fields = FIELDS(KEEP("name")), \
	}, { \
		.id = "resources", .action = batch_on_resources, \
		.pattern = "(?:Rsrc|Resources) [Uu]sed *:\\s*(?<used>\\S.*)$", \
		.sample = "Rsrc Used:\tcput=00:00:02,walltime=00:00:03", .fields = FIELDS(KEEP("used")), \
	}, { \
		.id = "exit", .action = batch_on_exit, \
		.pattern = "(?:Exit [Ss]tatus *:\\s*|JobState=\\w+ .*ExitCode=|ExitCode=)(?<code>-?\\d+)(?::(?<signal>\\d+))?", \
		.sample = "Exit status:\t0", .fields = FIELDS(KEEP("code"), KEEP("signal")), \
	}, { \
		.id = "times", .action = batch_on_times, \
		.pattern = "StartTime=(?<start>\\S+)(?:\\s+EndTime=(?<end>\\S+))?", \
		.sample = "StartTime=2026-11-02T09:00:00 EndTime=2026-11-02T09:30:00 Deadline=N/A", \
		.fields = FIELDS(KEEP("start"), KEEP("end")), \
	}, { \
		.id = "limit", .action = batch_on_limit, \
		.pattern = "(?<why>=>> PBS: job killed: .*|slurmstepd: error: \\*\\*\\* (?:JOB|STEP) \\S+ ON \\S+ CANCELLED AT .*)$", \
		.sample = "=>> PBS: job killed: walltime 1807 exceeded limit 1800", .fields = FIELDS(KEEP("why")), \
	}, { \
		.id = "abort", .action = batch_on_abort, \
		.pattern = "(?<why>MPI_ABORT was invoked on rank .*|mpirun (?:detected|noticed) that .*|srun: error: .*|" \
			"Primary job +terminated normally, but .*|=+ +BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES.*)$", \
		.sample = "MPI_ABORT was invoked on rank 0 in communicator MPI_COMM_WORLD", .fields = FIELDS(KEEP("why")), \
	}, { \
		.id = "signal", .action = batch_on_abort, \
		.pattern = "\\[[^\\]]+:\\d+\\] (?<why>Signal: .*)$", \
		.sample = "[node1:25312] Signal: Segmentation fault (11)", .fields = FIELDS(KEEP("why")), \
	}

#endif
