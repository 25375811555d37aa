/* Every format assay reads. The order is of no meaning: bids decide. */
#include "parsers/parser.h"

extern const struct parser parser_cloudharmony_csv, parser_cloudharmony_fio_csv, parser_cloudharmony_json,
	parser_cloudharmony_options;

const struct parser *const parsers[] = {
	&parser_cloudharmony_csv,
	&parser_cloudharmony_fio_csv,
	&parser_cloudharmony_json,
	&parser_cloudharmony_options,
	NULL,
};
