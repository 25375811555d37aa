/* suite: formats that spread one run over the files of a directory. */
#ifndef INGEST_SUITE_H
#define INGEST_SUITE_H

#include "model/run.h"

/* Called once per directory with the runs parsed from the files directly in it, in sorted order. Does nothing when they
 * are no run of its kind; else adds the suite's run, with series of rounds and derived results, and makes the members
 * point to it. Where a file says all that the others say, its run stands for the suite and the others' point to it. */
typedef void suite_assemble(struct dataset *d, struct run *const *members, size_t n, struct source *directory);

/* NULL-terminated, in suite.c. */
extern suite_assemble *const suites[];

suite_assemble suite_cloudharmony_assemble;
suite_assemble suite_cloudharmony_net_assemble;

#endif
