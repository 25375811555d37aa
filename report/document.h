/* document: the report document while it is written. Private to report/. */
#ifndef REPORT_DOCUMENT_H
#define REPORT_DOCUMENT_H

#include "report/chart.h"
#include "report/report.h"

#include <libxml/xmlwriter.h>

/* An input that the document refers to: of the dataset, or a file that only a position names (an SLA table). */
struct evidence {
	const struct source *source;
	const struct input *input;
};

struct document {
	const struct report *report;
	struct arena *arena;
	xmlTextWriterPtr w;
	bool failed; /* the writer ran into trouble */
	struct evidence *evidence;
	struct slice *subjects;
	struct chart **charts;
	size_t n_evidence, evidence_cap, n_subjects, n_charts, subject_cap, chart_cap;
	unsigned tables, sections; /* for ids */
};

/* Writes the document; `out` gets the XML, doc->charts what is to be drawn. False when out of luck (said in diags). */
bool document_write(
	struct document *d, const struct report *r, struct arena *arena, struct buf *out, struct diags *diags);

/* The sections, in the order of the page. */
void write_evaluation(struct document *d);
void write_verdicts(struct document *d);
void write_doubts(struct document *d);
void write_configuration(struct document *d);
void write_costs(struct document *d);
void write_comparison(struct document *d);
void write_spec(struct document *d);
void write_components(struct document *d);
void write_trends(struct document *d);
void write_suites(struct document *d, struct slice subject);
void write_over_time(struct document *d, struct slice subject);
void write_results(struct document *d, struct slice subject);
void write_runs(struct document *d);
void write_inputs(struct document *d);
void write_diagnostics(struct document *d);

/* Elements and text. Text of foreign origin is made printable: what XML forbids or what deceives the eye is shown as
 * \xNN. */
void elem(struct document *d, const char *name);
void elem_end(struct document *d);
void attr(struct document *d, const char *name, const char *value);
void attr_slice(struct document *d, const char *name, struct slice value);
void attr_number(struct document *d, const char *name, double value);
void attr_id(struct document *d, const char *name, const char *prefix, size_t number);
void text(struct document *d, const char *s);
void text_slice(struct document *d, struct slice s);
void elem_text(struct document *d, const char *name, const char *s);
void elem_slice(struct document *d, const char *name, struct slice s);
/* input= and line= of a position; nothing for POS_NONE. */
void attr_evidence(struct document *d, struct pos pos);

/* The directory that all inputs of the dataset are in, with its slash; empty when there is none. */
struct slice common_directory(const struct document *d);

/* Ordinals for ids, from 1; 0: none. */
size_t evidence_id(struct document *d, const struct source *source);
size_t subject_id(const struct document *d, struct slice name);
size_t run_id(const struct document *d, const struct run *run);

/* A number in the document. */
struct figure {
	double value; /* base unit */
	enum unit unit;
	const char *basis; /* "printed", "recomputed", "published" */
	const char *how;   /* of a recomputed one; or NULL */
	struct pos pos;
	struct slice printed;
	const char *suffix; /* the unit behind `printed` that the source states elsewhere; or NULL */
	unsigned marks;     /* RESULT_MARKS: what stands behind what is shown */
};
void write_figure(struct document *d, const struct figure *f, const char *shown);
struct figure figure_of(const struct result *r);

/* How the numbers of one column are shown: a common unit and as many decimals as its smallest needs. */
struct scale {
	double factor;    /* shown = value / factor */
	const char *unit; /* for the head of the column; "" when each number carries its own */
	int decimals;
	enum unit base;
	bool mixed; /* too wide a range for one unit: each number with its own prefix */
	int digits;
};
struct scale scale_of(struct arena *a, const double *v, size_t n, enum metric_id metric, int digits);
/* The same for the axis of a chart whose largest value is `most`: there is room for seven digits beside it, and counts
 * have no prefixes, so that large ones are in millions. */
struct scale axis_scale(struct arena *a, double most, struct scale scale);
const char *scale_show(struct arena *a, const struct scale *s, double value);
const char *show(struct arena *a, double value, enum unit u, int digits); /* quantity_show */
const char *show_signed(struct arena *a, double value, enum unit u, int digits);
const char *show_share(struct arena *a, double ratio);        /* 0.123 -> "12.3 %" */
const char *show_ratio(struct arena *a, double ratio);        /* three significant digits */
const char *show_size(struct arena *a, struct slice bytes);   /* "4096" -> "4 KiB" */
const char *show_time(struct arena *a, double unix_time);     /* ISO 8601 UTC; NULL when NAN */
/* Cut to so many letters, for a picture; the table has it whole. */
const char *short_label(struct arena *a, const char *label, size_t most);
const char *text_grouped(struct arena *a, const char *plain); /* "27449.5" -> "27,449.5" */
const char *metric_unit(enum metric_id metric);               /* "IOPS", "1/s", "s" … */

/* Value and limit as places on a bar, with an interval or NAN. */
void write_bullet(struct document *d, double value, double limit, double lower, double upper, bool minimum);
/* "≤" by enum quantity_op. */
extern const char *const operator_signs[];

/* Tables: table_begin, columns, then rows of cells; the first cell of a row is its head. `unit` and `mark` may be NULL.
 */
void table_begin(struct document *d, const char *caption);
void table_column(struct document *d, const char *kind, const char *title, const char *unit);
/* Neighbours of one group stand under its name. */
void table_grouped_column(
	struct document *d, const char *kind, const char *group, const char *title, const char *unit);
void table_row(struct document *d);
void cell(struct document *d, const char *mark, const char *s);
void cell_slice(struct document *d, struct slice s);
/* `detail` stands below, smaller. */
void cell_detail(struct document *d, struct slice s, const char *detail);
void cell_figure(struct document *d, const char *mark, const struct figure *f, const char *shown);
void cell_figure_detail(
	struct document *d, const char *mark, const struct figure *f, const char *shown, const char *detail);
void cell_none(struct document *d);
void row_end(struct document *d);
void table_end(struct document *d, const char *note);

/* A new chart with the next id, to be filled and then written with chart_open … its data table … chart_close. */
struct chart *chart_new(struct document *d, const char *title, const char *subtitle, const char *description);
void chart_open(struct document *d, const struct chart *c);
void chart_close(struct document *d);

/* The params of a result, beside those in `without`, as "key=value key=value", sorted by key. */
const char *show_params(struct arena *a, struct params own, struct params inherited, const char *const *without);
/* The same for reading: "read, 4 KiB, threads 2". */
const char *show_words(struct arena *a, struct params own, struct params inherited, const char *const *without);

#endif
