/* Every format assay reads. The order is of no meaning: bids decide. */
#include "parsers/parser.h"

const struct parser *const parsers[] = {
	NULL,
};
