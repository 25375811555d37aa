/* cli: commands, options, what is printed, and the exit status. Only this room prints and exits. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "ingest/load.h"
#include "model/columns.h"
#include "model/evaluate.h"
#include "model/sla.h"

#include <stdio.h>

enum exit_status {
	EXIT_ALL_PASS = 0,
	EXIT_SOME_FAIL = 1,
	EXIT_USAGE = 2,
	EXIT_NOT_SHOWN = 3,
	EXIT_DAMAGED = 4,
	EXIT_UNFINISHED = 5
};

enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* Which options a command takes. */
enum accepts {
	ACCEPTS_FORMAT = 1 << 0,
	ACCEPTS_WHERE = 1 << 1,
	ACCEPTS_OUTPUT = 1 << 2,
	ACCEPTS_SLA = 1 << 3,
	ACCEPTS_LEVEL = 1 << 4,
	ACCEPTS_EXPLAIN = 1 << 5,
	ACCEPTS_TITLE = 1 << 6,
	ACCEPTS_VALIDATE = 1 << 7,
	ACCEPTS_SUBJECT = 1 << 8,
	ACCEPTS_TOLERANCE = 1 << 9,
	ACCEPTS_BASELINE = 1 << 10,
	ACCEPTS_STUDY = 1 << 11
};

/* A path argument, perhaps NAME=PATH. */
struct path_arg {
	const char *path;
	struct slice subject;
};

struct options {
	const struct command *command;
	const char *format, *as, *output, *where, *title, *baseline, *study_file;
	const char **sla;
	size_t n_sla, sla_cap;
	struct param *set; /* attributes of all paths */
	size_t n_set, set_cap;
	double level;
	double tolerance; /* a share; NAN: none */
	unsigned jobs;    /* files read at a time, from 1 */
	enum color color;
	bool quiet, verbose, strict, explain, validate, no_charts;
	struct path_arg *paths;
	size_t n_paths, path_cap;
	size_t n_given;   /* paths on the command line; those of the study stand behind them */
	size_t n_sla_given;
	const struct study *study; /* set by open_study; NULL: none */
	struct arena arena;
};

struct command {
	const char *name;
	const char *summary;  /* one line */
	const char *usage;    /* "[options] PATH…" */
	const char *help;     /* paragraphs and examples */
	unsigned accepts;
	int (*run)(struct options *o);
	int (*run_raw)(int argc, char **argv); /* instead of it: takes its arguments as they stand, from its own name on */
};

extern const struct command command_identify, command_results, command_audit, command_trend, command_report,
	command_load;

/* Fills *o from the arguments behind the command's name. Returns -1 to go on, or the exit status (help was printed, or a
 * usage error). */
int options_parse(struct options *o, const struct command *command, int argc, char **argv);
void command_help(FILE *out, const struct command *command);

/* Prints "assay: error: …" with what to do, returns EXIT_USAGE. */
int usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

bool use_color(const struct options *o, FILE *out);
/* Columns of the terminal behind a stream; 0 when it is none. */
unsigned terminal_width(FILE *out);

/* The least severity that is shown: errors and warnings, notes too with --verbose, errors only with --quiet. */
enum severity diags_shown(const struct options *o);
/* Prints diagnostics to standard error. */
void print_diags(const struct options *o, const struct diags *d);

/* Everything a command reads, with the progress line. `batch` as in struct load. Returns false when --as or --where is
 * wrong, or a file that users write can't be used (said on standard error). */
bool load_all(struct options *o, struct load *l, void (*batch)(void *ctx), void *ctx);

/* Rows of cells for programs: csv, tsv, json, ndjson; NULL for another name. Cells of columns called value, n, line,
 * limit, lower, upper, level, normalized, margin and runs are JSON numbers. */
struct cell_format;
const struct cell_format *cell_format_named(const char *name);
void cells_begin(const struct cell_format *f, struct buf *out, const char *const *heads, size_t n);
void cells_row(const struct cell_format *f, struct buf *out, const char *const *heads, const struct slice *cells, size_t n,
	bool first);
/* The same where the caller tells which columns are numbers. */
void cells_row_numbers(const struct cell_format *f, struct buf *out, const char *const *heads, const bool *numbers,
	const struct slice *cells, size_t n, bool first);
void cells_end(const struct cell_format *f, struct buf *out, bool any);

/* A table for people: cells of a rectangular array, right-aligned where `right[c]`; columns are dropped from the right
 * when width (0: unlimited) is too small, and a last line says which. */
void print_table(struct buf *out, const char *const *heads, struct slice *cells, size_t rows, size_t columns,
	const bool *right, unsigned width);

/* Text as lines of at most `width` columns (0: one line), broken at blanks, those behind the first indented by `indent`
 * blanks; `at` columns of the first line are taken already. Ends without a line end. */
void print_wrapped(struct buf *out, struct slice text, unsigned at, unsigned indent, unsigned width);

/* A copy with what a terminal must not get made visible (buf_printable). */
struct slice printable(struct arena *a, struct slice text);

/* Display columns that a UTF-8 text takes. */
unsigned text_width(struct slice s);

/* Reads the study file, if one is named: its SLA files join those of the command line; where that names no paths, its
 * inputs are read. Returns -1 to go on, or the exit status (said). */
int open_study(struct options *o);

/* Reads the study and the SLA files, then the inputs, and judges. Returns -1 to go on, or the exit status (said). */
int judge_inputs(struct options *o, struct load *l, struct audit *audit);
/* Judges what the study, or --tolerance without one, wants evaluated; NULL: nothing. */
const struct evaluation *evaluate_inputs(struct options *o, struct load *l);
/* The columns of `assay audit` for programs, and a row of an evaluation in them. */
enum { AUDIT_COLUMNS = 20 };
void evaluation_cells(struct arena *a, const struct evaluation_row *r, struct slice cells[AUDIT_COLUMNS]);
/* A table and a sentence for each metric. */
void print_evaluation(struct options *o, struct buf *out, const struct evaluation *e);
/* The exit status of the contract: a FAIL beats damage, damage beats an open verdict. audit and evaluation may
 * be NULL. */
int exit_for(const struct options *o, const struct load *l, const struct audit *audit, const struct evaluation *e);

/* Writes to -o FILE whole or not at all, or to standard output. EXIT_UNFINISHED (said) when that fails. */
int write_output(const struct options *o, const struct buf *b);

#endif
