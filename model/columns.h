/* columns: a normalized result as the contract's columns of text. */
#ifndef MODEL_COLUMNS_H
#define MODEL_COLUMNS_H

#include "base/num.h"
#include "model/run.h"

enum result_column {
	COLUMN_SUBJECT, COLUMN_TOOL, COLUMN_VERSION, COLUMN_TEST, COLUMN_PARAMS, COLUMN_METRIC, COLUMN_STAT, COLUMN_VALUE,
	COLUMN_UNIT, COLUMN_N, COLUMN_TIME, COLUMN_SOURCE, COLUMN_LINE, COLUMN_TEXT, RESULT_COLUMNS
};

extern const char *const result_column_names[RESULT_COLUMNS];

/* The text of one column; it lives in the arena or in the result. Empty: not known, or a missing value. */
struct slice result_column(struct arena *a, const struct run *run, const struct result *r, enum result_column column);

/* The params column without the params of these keys (NULL behind the last; NULL: all params). */
struct slice result_params(struct arena *a, const struct result *r, const char *const *without);
/* When it was measured: the result's time, else its job's, else its run's; NAN when not known. */
double result_time(const struct run *run, const struct result *r);

/* All columns of one result after the other. What neighbours share is made once. */
struct columns {
	struct slice v[RESULT_COLUMNS]; /* live until the next row */
	/* Private. */
	struct arena shared;
	const struct run *run;
	const struct job *job;
	struct params params;
	double time;
	char value[NUM_FORMAT_SIZE], n[NUM_FORMAT_SIZE], line[NUM_FORMAT_SIZE];
	struct buf text;
};
#define COLUMNS_NONE ((struct columns){ .shared = ARENA_EMPTY, .text = BUF_EMPTY })
/* The dataset must stay as it is between the first row and columns_free. */
void columns_row(struct columns *c, const struct run *run, const struct result *r);
void columns_free(struct columns *c);

#endif
