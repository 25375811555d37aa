/* ior: what the files of the text parser share. */
#ifndef PARSERS_IOR_H
#define PARSERS_IOR_H

#include "parsers/batch.h"
#include "parsers/ior_check.h"

enum { IOR_COLUMNS = 40 };

struct ior_column;

struct ior {
	struct batch batch; /* first: its rules use it */
	bool banner;        /* this run has shown one */
	bool finished, several;
	unsigned run;
	struct slice version, command;
	struct pos command_pos;
	struct ior_test *tests; /* of this run */
	size_t n_tests, cap;
	size_t test;            /* the present one */
	bool own_block;         /* the open block is that test's, not one of a later summary */
	const struct ior_column *layout[IOR_COLUMNS];
	size_t n_layout;
	int iter;               /* place of "iter"; -1: none */
};

/* The present test of the present run. */
struct ior_test *ior_test_now(struct rules *r);
struct slice ior_kept(struct rules *r, struct slice text);
/* Opens a block of the present test where none is open. */
void ior_need_block(struct rules *r);
/* Gives the open block what is known of the run, and of the test (or NULL). */
void ior_describe(struct rules *r, const struct ior_test *t);
/* Of the present test and its block; `text` is on the line, where the value stands. */
void ior_take_param(struct rules *r, enum ior_param param, struct slice value, struct slice text);

/* Actions: the heading of a table, a row of iterations (groups: what stands before it, its access), one of the summary. */
bool ior_on_heading(struct rules *r);
bool ior_on_row(struct rules *r);
bool ior_on_summary(struct rules *r);

#endif
