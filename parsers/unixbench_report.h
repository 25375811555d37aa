/* unixbench_report: a run of UnixBench as its output's forms tell it: rows, index tables, scores, and whether they
 * follow from each other. A block of the rules is one run with one number of copies. */
#ifndef PARSERS_UNIXBENCH_REPORT_H
#define PARSERS_UNIXBENCH_REPORT_H

#include "parsers/rules.h"
#include "parsers/unixbench_check.h"

enum { UB_ROWS = 64, UB_CATEGORIES = 8 };

struct ub_row {
	struct slice name;
	bool run, listed;            /* has a rate of its own; has an index */
	double raw, raw_half;        /* its rate as printed */
	double baseline, result;     /* as printed in the index table */
	unsigned category;
};

struct ub_category {
	struct slice name;           /* "System"; of old versions "" */
	bool scored;
	struct pos pos;              /* of its score, else of its table */
};

/* The state of a rule table for UnixBench. */
struct ub_report {
	struct slice version;        /* of the report */
	bool rates_only;             /* this form has no indexes */
	/* Of the open block. */
	bool begun, counted;         /* its run line, its line of copies were there */
	bool broken;                 /* a table was not readable, and that was said */
	struct ub_row rows[UB_ROWS];
	unsigned n_rows;
	struct ub_category categories[UB_CATEGORIES];
	unsigned n_categories;
	struct pos pos;
	uint64_t odd_samples;        /* a number of samples that a standard run doesn't have; 0: none */
	struct pos odd_pos;
};

/* A slice of the present line that is to outlive it. */
struct slice ub_kept(struct rules *r, struct slice s);

/* A new block, or one where none is open. */
void ub_begin(struct rules *r);
void ub_open(struct rules *r);

/* Actions: the version of a report that begins here is the rule's first field; a run begins here; a line that is of a
 * report only where one has begun. */
bool ub_on_header(struct rules *r);
bool ub_on_run(struct rules *r);
bool ub_in_report(struct rules *r);

/* A test of the open block, added when it is new; NULL: too many. */
struct ub_row *ub_row_of(struct rules *r, struct slice name);
struct ub_category *ub_category_of(struct rules *r, struct slice name);

/* The test's rate, and what rules_read needs of it: NULL where the number was not readable, which is said. */
struct result *ub_add_rate(struct rules *r, struct ub_row *row, struct slice value, struct slice unit,
	struct unit_scale scale);
/* The number of samples behind it. */
void ub_samples(struct rules *r, struct result *k, struct slice samples);
/* An index or score; sound: it is what it should be. */
void ub_add_index(struct rules *r, struct slice test, const struct quantity *q, bool sound);

/* A line of an index table, that of the last category: tokens of the line, the index by its field of the rule. Gives
 * the rate too, where the test has none yet. */
void ub_index_row(struct rules *r, struct ub_row *row, struct slice baseline, struct slice result, unsigned index);

/* Geometric mean of the indexes of a category's rows, or their sum, of n rows. */
double ub_mean(const struct ub_report *u, unsigned category, bool tenfold, bool sum, size_t *n);
/* Whether the score is what it should be; says so where it is not. `what`: "the geometric mean" of n rows. */
bool ub_check_score(struct rules *r, const struct quantity *q, double expected, size_t n, const char *what);
/* An action for a score's line; the rule's fields are the category, the words of a partial score, and the score. */
bool ub_on_score(struct rules *r);

/* For ruleset.finish: what follows from a whole run. */
void ub_finish(struct rules *r);

#endif
