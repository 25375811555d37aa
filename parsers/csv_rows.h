/* csv_rows: rows of comma-separated cells through libcsv, each cell with its place in the data.
 *
 * Besides RFC 4180's doubled quote, \" inside a quoted cell is a quote, as CloudHarmony's save.sh writes it. */
#ifndef PARSERS_CSV_ROWS_H
#define PARSERS_CSV_ROWS_H

#include "base/arena.h"

struct csv_cell {
	struct slice text; /* content without the quotes around it; inside the data unless it had quotes within */
	const char *at;    /* its first byte in the data */
};

struct csv_row {
	const struct csv_cell *cells;
	size_t n;
	bool ended;        /* false: the data end here without a line end, so that the last cell may be cut */
};

enum { CSV_ROW_CELLS = 1024 }; /* more in one row: reading stops there */

/* Calls `row` for every row that has cells, until it returns false. False when a row had too many cells. The cells are
 * valid during the call only; texts that had to be unquoted live in the arena. */
bool csv_rows(struct slice data, struct arena *a, bool (*row)(void *ctx, const struct csv_row *row), void *ctx);

#endif
