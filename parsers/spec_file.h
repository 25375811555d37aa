/* spec_file: what one result of SPEC CPU says, whatever the form of its file. The parsers of the forms fill it; then it
 * is read (numbers), checked (spec_check.c) and given to the sink (spec_emit.c). */
#ifndef PARSERS_SPEC_FILE_H
#define PARSERS_SPEC_FILE_H

#include "parsers/parser.h"
#include "parsers/spec_tables.h"

enum spec_form {
	SPEC_RSF, SPEC_CSV,     /* six decimals */
	SPEC_TEXT, SPEC_HTML,   /* three significant digits, times from 1000 s on in whole seconds */
	SPEC_LOG                /* of the run itself: no metric */
};

/* What a row can hold. */
enum spec_figure { SPEC_TIME, SPEC_RATIO, SPEC_ENERGY, SPEC_POWER, SPEC_POWER_MAX, SPEC_ENERGY_RATIO, SPEC_FIGURES };

struct spec_cell {
	struct slice text;  /* as printed; empty: nothing there */
	struct pos pos;
	double factor;      /* printed value × factor = base unit; 0 means 1 */
	struct quantity q;  /* set by spec_file_finish where `known` */
	bool known;         /* a usable number */
	bool suspect;       /* contradicts another figure */
};

/* One run of one benchmark. */
struct spec_row {
	struct slice benchmark;
	enum spec_tune tune;
	unsigned iteration;     /* from 1; 0: not told, found by order */
	bool selected;
	bool summary;           /* stands in the table of selected runs */
	struct slice parallel;  /* copies or threads as printed; empty: not told */
	bool threads;
	struct slice status;    /* "S", "NR", "CE", "RE", "VE"; "*" in texts; empty: not told */
	struct slice size;      /* where it differs from row to row (logs); else empty */
	struct slice reason;    /* of a failure, as the file has it beside the row */
	struct slice reference; /* s, as the file states it; empty or "--": not told */
	struct spec_cell cell[SPEC_FIGURES];
	struct pos pos;
};

struct spec_metric {
	struct slice name;      /* without "Est." and "(R)" */
	bool estimated;         /* marked so in this place */
	struct spec_cell cell;
	struct pos pos;
	/* Set by spec_file_finish. */
	const struct spec_suite *suite;
	enum spec_tune tune;
	bool energy;
	unsigned ratios;        /* how many benchmarks have a selected ratio */
	bool complete;          /* all of the suite */
	double mean;            /* geometric mean of these; NAN when there are none */
	double recomputed;      /* the same; NAN when not complete */
};

struct spec_note {
	struct slice text;
	struct pos pos;
};

/* What is beyond is left out. */
enum { SPEC_ROWS = 2000, SPEC_METRICS = 16, SPEC_NOTES = 200, SPEC_ATTRIBUTES = 300 };

struct spec_file {
	struct parse *parse;
	enum spec_form form;
	const char *tool;        /* NULL until known */
	struct slice version, size, suite_name;
	bool rate;               /* as the file says of itself; for CPU2006, which names both suites alike */
	int valid;               /* -1: not told */
	struct spec_cell valid_cell;
	bool estimated;          /* marked anywhere */
	bool unmarked;           /* nothing shows that it was ever submitted, though no mark says "estimated" */
	struct spec_row *rows;
	struct spec_metric *metrics;
	struct spec_note *reasons;
	struct param *attrs;
	size_t n_rows, n_metrics, n_reasons, n_attrs, row_cap, metric_cap, reason_cap, attr_cap;
	bool warned;             /* something was said */
	unsigned ordinal;        /* of several results in one source, from 1; 0: the only one */
	const struct spec_suite *suite; /* set by spec_file_finish; NULL: not known */
};

struct spec_file *spec_file_new(struct parse *p, enum spec_form form);
/* A new row, or NULL where there are too many (said once). */
struct spec_row *spec_file_row(struct spec_file *f, struct pos pos);
/* "Est. SPECrate(R)2017_int_base"; NULL when that is no metric of SPEC CPU. */
struct spec_metric *spec_file_metric(struct spec_file *f, struct slice printed, struct pos pos);
/* Placeholders ("--", blank, "-1 cores") are left out; an attribute that is there already gets the text as a further
 * line. Keys are those of raw files: hw_cpu_name, sw_os … */
void spec_file_attr(struct spec_file *f, const char *key, struct slice value, struct pos pos);
/* The attribute of a label in CSV and text files ("CPU Name", "Max MHz."), NULL for others. `hardware`: in that
 * section, else software; `others`: how many labels "Other" came before in the section. */
const char *spec_label_key(struct slice label, bool hardware, unsigned others);
/* A line of the banner that says why a result is invalid, with or without its frame of #. */
void spec_file_banner(struct spec_file *f, struct slice line, struct pos pos);
/* "2021-03-11 02:12:56-0500": when it was measured. Nothing is kept where the zone is not told. */
void spec_file_started(struct spec_file *f, struct slice text, struct pos pos);
void spec_file_diag(struct spec_file *f, enum severity severity, struct pos pos, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Reads the numbers, checks and gives everything to the sink. STATUS_REJECT: there was nothing. */
enum status spec_file_finish(struct spec_file *f);

/* What a heading of a table of results stands for: "Est. Base Run Time", "Peak # Copies". */
enum spec_role {
	SPEC_NO_ROLE,
	SPEC_OF_FIGURE,
	SPEC_OF_BENCHMARK,
	SPEC_OF_PARALLEL,
	SPEC_OF_REFERENCE,
	SPEC_OF_SELECTED,
	SPEC_OF_STATUS,
	SPEC_OF_DESCRIPTION
};
struct spec_column {
	enum spec_role role;
	enum spec_figure figure;
	enum spec_tune tune;
	bool threads, estimated;
	double factor;
};
struct spec_column spec_column_of(struct slice heading);

/* Between spec_file.c and its halves. */
bool spec_row_usable(const struct spec_file *f, const struct spec_row *r);
bool spec_row_failed(const struct spec_row *r);
/* The status as the tools write it, without a text's mark of selection: "S" for "*". */
struct slice spec_row_status(const struct spec_row *r);
void spec_check(struct spec_file *f);
void spec_emit(struct spec_file *f);
const char *spec_tune_name(enum spec_tune t);
/* Copies, or 1 for threads; NAN when a rate's copies are not told. */
double spec_row_copies(const struct spec_row *r);

#endif
