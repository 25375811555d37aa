/* fio_command: a fio command line as text, taken apart into what a job was told. */
#ifndef PARSERS_FIO_COMMAND_H
#define PARSERS_FIO_COMMAND_H

#include "model/run.h"

struct fio_command {
	struct params params;  /* rw bs iodepth numjobs direct ioengine, where given */
	struct params options; /* every option: keys as fio's main spelling, "target" once per --filename */
};

/* Options of the first section or before any --name hold for all; a later one never overrides an earlier. bs and size
 * are given in bytes, a flag as 1. Keys and values live in the arena or in `text`; positions are in `source` when text
 * lies in its bytes. */
struct fio_command fio_command_parse(struct arena *a, struct source *source, struct slice text);

#endif
