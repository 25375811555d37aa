/* Every suite assay assembles. */
#include "ingest/suite.h"

const struct suite *const suites[] = {
	&suite_cloudharmony,
	&suite_cloudharmony_net,
	&suite_fio,
	&suite_fio_merge,
	&suite_fio_same,
	&suite_spec,
	&suite_unixbench,
	NULL,
};
