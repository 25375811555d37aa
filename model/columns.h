/* columns: a normalized result as the contract's columns of text. */
#ifndef MODEL_COLUMNS_H
#define MODEL_COLUMNS_H

#include "model/run.h"

enum result_column {
	COLUMN_SUBJECT, COLUMN_TOOL, COLUMN_VERSION, COLUMN_TEST, COLUMN_PARAMS, COLUMN_METRIC, COLUMN_STAT, COLUMN_VALUE,
	COLUMN_UNIT, COLUMN_N, COLUMN_TIME, COLUMN_SOURCE, COLUMN_LINE, COLUMN_TEXT, RESULT_COLUMNS
};

extern const char *const result_column_names[RESULT_COLUMNS];

/* The text of one column, of all; they live in the arena or in the result. Empty: not known, or a missing value. */
struct slice result_column(struct arena *a, const struct run *run, const struct result *r, enum result_column column);
void result_columns(struct arena *a, const struct run *run, const struct result *r,
	struct slice columns[RESULT_COLUMNS]);

#endif
