/* suite: formats that spread one run over the files of a directory. */
#ifndef INGEST_SUITE_H
#define INGEST_SUITE_H

#include "model/run.h"

struct suite {
	/* Whether a run may be a member; one that no suite wants need not wait for the rest of its directory. */
	bool (*wants)(const struct run *r);
	/* Called once per directory with the runs parsed from the files directly in it, in sorted order. Does nothing when
	 * they are no run of its kind; else adds the suite's run, with series of rounds and derived results, and makes the
	 * members point to it. Where a file says all that the others say, its run stands for the suite. */
	void (*assemble)(struct dataset *d, struct run *const *members, size_t n, struct source *directory);
};

/* NULL-terminated, in suite.c. */
extern const struct suite *const suites[];

extern const struct suite suite_cloudharmony, suite_cloudharmony_net, suite_fio, suite_fio_merge, suite_fio_same, suite_spec,
	suite_unixbench;

#endif
