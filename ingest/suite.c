/* Every suite assay assembles. */
#include "ingest/suite.h"

suite_assemble *const suites[] = {
	suite_cloudharmony_assemble,
	suite_cloudharmony_net_assemble,
	NULL,
};
