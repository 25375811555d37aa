/* fio: what its output formats share: how job options are written, merged and normalized.
 *
 * Beside fio's own options a job carries facts that a method check needs, as options under these keys:
 *   target                   one entry per file or device of the job (filename split at ':', joined to directory)
 *   definitions              number of job definitions behind a job that reports a group (from its command line)
 *   job_runtime              s, how long the job ran
 *   total_err, first_error   of continue_on_error, when not 0
 *   short_ios, drop_ios      one entry per direction, when not 0
 *   iodepth_1, _2, _4, _8, _16, _32, _64   %, the I/Os that began at this depth or above, up to the next; JSON: when not 0
 *   signal                   number of the signal that ended fio, as it says beside its results
 *   jobs                     number of jobs that this one sums up, where the output says it (normal text)
 *   steadystate.ss, .attained, .criterion, .duration, .slope, .max_deviation   as the steadystate object prints them
 *   fio_command, started, stopped   what a suite wrote beside fio's own figures
 */
#ifndef PARSERS_FIO_H
#define PARSERS_FIO_H

#include "parsers/parser.h"

enum { FIO_OPTIONS_MAX = 512 };

/* Options, each key once, except filename and target. value is normalized once fio_options_normalize has run, text is as printed. */
struct fio_options {
	struct param *v;
	size_t n, cap;
	bool over; /* more than FIO_OPTIONS_MAX were given: the rest was left out */
};

/* Adds an option under its canonical name ("bs" for blocksize); an empty value (a flag) becomes "1". Of a key given twice
 * the last counts, except filename, which adds a file each time. */
void fio_options_add(struct arena *a, struct fio_options *o, struct slice key, struct slice value, struct pos pos);
/* Adds one of the facts above, which are no options of fio's own and come but once, or once for each entry. */
void fio_options_fact(struct arena *a, struct fio_options *o, const char *key, struct slice value, struct pos pos);
/* The options in force where `inner` (a job's) override `outer` (global ones), normalized. */
struct fio_options fio_options_merge(struct arena *a, const struct fio_options *outer, const struct fio_options *inner);
/* Appends the params of the params column: rw bs iodepth numjobs direct ioengine, as far as they were given. */
void fio_options_params(struct arena *a, const struct fio_options *in_force, struct fio_options *params);
/* Appends a `target` per file or device. */
void fio_options_targets(struct arena *a, const struct fio_options *in_force, struct fio_options *out);

/* Options of a job from the command line that ran it, split as a shell would; nothing is expanded or executed. Where a
 * group of several job definitions was reported as one, only options on which all of them agree are in `agreed`; the
 * params among the others are named in `disputed`. Targets are those of all definitions. */
struct fio_command {
	struct fio_options agreed, targets;
	struct slice disputed; /* "bs rw", or empty */
	size_t definitions;
};
/* `job` is the name it is reported under; without group_reporting its own definition counts alone. `pos` is the place of
 * the whole command, given to each option. False when it holds no job definition. */
bool fio_command_read(struct arena *a, struct slice command, struct slice job, struct pos pos, struct fio_command *c);

#endif
