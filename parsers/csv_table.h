/* csv_table: a CSV file whose first row names its columns, read row by row for a parser. */
#ifndef PARSERS_CSV_TABLE_H
#define PARSERS_CSV_TABLE_H

#include "parsers/csv_rows.h"
#include "parsers/parser.h"

struct csv_table {
	struct parse *parse;
	/* Called for each row below the headings. A row with another number of cells than headings is reported and left
	 * out. Where the data end inside a row, that is reported and the row comes without its last cell. */
	void (*row)(struct csv_table *t, const struct csv_row *row);
	bool short_rows;    /* rows with fewer cells than headings are handed out, too */
	void *ctx;          /* the parser's own */
	size_t max_rows;    /* what comes behind is not read, and said */
	struct slice *head;
	size_t columns;
	size_t rows;        /* handed out so far */
	enum status status;
};

/* STATUS_REJECT when it has no row. */
enum status csv_table_read(struct csv_table *t);

/* The row's cell under this heading; NULL and an empty text when there is none. */
const struct csv_cell *csv_table_cell(const struct csv_table *t, const struct csv_row *row, const char *heading);
struct slice csv_table_text(const struct csv_table *t, const struct csv_row *row, const char *heading);

#endif
