/* component: what the tools of one component of a machine measured, as one table. Private to report/.
 *
 * Every component is a row of a table (section_component.c): which figures it takes, what tells its rows and columns
 * apart, how it is drawn. */
#ifndef REPORT_COMPONENT_H
#define REPORT_COMPONENT_H

#include "report/document.h"

enum { COMPONENT_PICKS = 8, COMPONENT_FIELDS = 6, COMPONENT_COLUMNS = 12, COMPONENT_ROWS = 300 };

enum field_kind { FIELD_NONE, FIELD_SUBJECT, FIELD_TOOL, FIELD_VERSION, FIELD_TEST, FIELD_STAT, FIELD_FIGURE, FIELD_PARAM,
	FIELD_ATTR };

/* Something that tells figures apart. */
struct field {
	enum field_kind kind;
	const char *key;        /* of a param or an attribute */
	const char *title;      /* of its column */
	const char *one, *many; /* of a number, behind it in a name: "1 copy", "8 copies"; or NULL */
	const char *prefix;     /* left out of names; or NULL */
};

/* Figures that are taken. */
struct pick {
	const char *tool;
	const char *test; /* what it holds; NULL: any */
	enum metric_id metric;
	const char *stat; /* NULL: those of `order` */
	unsigned rank;    /* rows of a lower rank stand first */
};

enum component_drawing {
	DRAW_COLUMNS, /* a place per column, a bar per row; with many rows as DRAW_LEAD */
	DRAW_ROWS,    /* a place per row, a bar per column */
	DRAW_LEAD     /* a place per row, a bar for the leading column */
};

/* What becomes of several measurements of the same thing. */
enum component_repeats {
	REPEATS_ROWS,   /* each its row, and what was measured together stands together */
	REPEATS_POOLED, /* their mean */
	REPEATS_IN_TURN /* each its row; the first of one subject beside the first of another */
};

struct component {
	const char *section; /* title; neighbours of the same one share it */
	const char *id;      /* of the section */
	const char *title;   /* of the table */
	struct pick picks[COMPONENT_PICKS];
	struct field rows[COMPONENT_FIELDS], columns[COMPONENT_FIELDS];
	const char *const *order;   /* columns by their first field, NULL-ended: these only; NULL: as they come */
	const char *const *free;    /* params that don't tell measurements apart; or NULL */
	const char *const *without; /* a figure with such a param is none of these; or NULL */
	enum component_repeats repeats;
	double factor;     /* with `unit`: how figures are shown; 0: as they need */
	const char *unit;
	bool each;         /* figures of several units: each number carries its own */
	const char *group; /* what stands above the columns, before the unit */
	bool last_row;     /* DRAW_ROWS: the sentence goes by the last row, not the first */
	const char *noun;  /* what the sentence is about; NULL: the row's name */
	bool range;        /* DRAW_LEAD: a line at each bar, from the column min to the column max */
	const char *lead;  /* value of the columns' first field that the sentence goes by; NULL: the first */
	enum component_drawing drawing;
	enum metric_id drawn; /* rows of this metric only; METRICS: all */
	bool prices;          /* the subjects' prices below their columns */
	const char *subtitle; /* of the chart */
	const char *note;
};

struct component_cell {
	size_t n; /* measurements; 0 with `one`: the source says that there is no value */
	double sum, least, most;
	const struct result *one; /* the first */
	unsigned marks; /* RESULT_MARKS of them all */
	bool doubt;
};

struct component_row {
	struct slice head[COMPONENT_FIELDS];
	const char *rest;  /* params that are in no field */
	const char *words; /* the same for reading */
	const void *group; /* REPEATS_ROWS: what was measured together; else NULL */
	const char *place; /* name of its file or directory */
	unsigned turn;     /* REPEATS_IN_TURN: from 1; else 0 */
	bool failed;       /* the tool's own check says that the results are wrong */
	unsigned rank;
	enum metric_id metric;
	struct component_cell cell[COMPONENT_COLUMNS];
};

struct component_column {
	struct slice head[COMPONENT_FIELDS];
};

struct component_table {
	const struct component *what;
	struct component_row *rows;
	struct component_column column[COMPONENT_COLUMNS];
	size_t n_rows, row_cap, n_columns, left_out;
};

/* Whether a component takes figures of that tool. */
bool component_takes(struct slice tool);
/* False when there is nothing of that component. */
bool component_collect(struct document *d, const struct component *what, struct component_table *t);
double component_value(const struct component_cell *c); /* NAN: none */
/* As a reader names them: what all rows (columns) have in common is left out. */
const char *component_row_name(struct document *d, const struct component_table *t, size_t row);
const char *component_column_name(struct document *d, const struct component_table *t, size_t column);
/* Another row has the same in every field. */
bool component_twin(const struct component_table *t, size_t row, bool and_rest);
/* What tells a row from its twins. */
const char *component_turn(struct document *d, const struct component_row *r);
/* Whether rows have something in that field. */
bool component_field_used(const struct component_table *t, size_t field);
const char *component_head(struct document *d, const struct component_table *t, size_t row, size_t field);

/* The table's chart and the table in it; false, and nothing written, when there is nothing to draw. */
struct chart *component_chart(struct document *d, const struct component_table *t, const char *finding);
/* Which column the sentence goes by. */
size_t component_lead(const struct component_table *t);

#endif
