#include "parsers/csv_table.h"

static void take_head(struct csv_table *t, const struct csv_row *row)
{
	t->columns = row->n;
	t->head = ARENA_ARRAY(t->parse->arena, row->n, struct slice);
	for (size_t i = 0; i < row->n; i++)
		t->head[i] = row->cells[i].text;
}

static bool take_row(void *ctx, const struct csv_row *row)
{
	struct csv_table *t = ctx;
	struct csv_row whole = *row;
	if (!t->head) {
		take_head(t, row);
		return true;
	}
	bool wrong = t->short_rows ? row->n > t->columns : row->n != t->columns;
	if (wrong || !row->ended) {
		bool cut = !row->ended && row->n <= t->columns;
		t->status = STATUS_WARN;
		parse_diag(t->parse, DIAG_ERROR, row->cells[row->n - 1].at, cut ? "the data end inside this row" :
			"this row has %zu cells under %zu headings: none of it is used", row->n, t->columns);
		if (!cut)
			return true;
		whole.n--;
	}
	if (whole.n == 0)
		return true;
	if (t->rows == t->max_rows) {
		t->status = STATUS_WARN;
		parse_diag(t->parse, DIAG_ERROR, row->cells[0].at, "more than %zu rows: the rest is not read", t->max_rows);
		return false;
	}
	t->rows++;
	t->row(t, &whole);
	return true;
}

enum status csv_table_read(struct csv_table *t)
{
	t->status = STATUS_OK;
	if (!csv_rows(t->parse->source->data, t->parse->arena, take_row, t)) {
		parse_diag(t->parse, DIAG_ERROR, NULL, "a row has more than %d cells: reading ended there", CSV_ROW_CELLS);
		t->status = STATUS_WARN;
	}
	return t->rows ? t->status : STATUS_REJECT;
}

const struct csv_cell *csv_table_cell(const struct csv_table *t, const struct csv_row *row, const char *heading)
{
	for (size_t i = 0; i < row->n && i < t->columns; i++)
		if (slice_is(t->head[i], heading))
			return &row->cells[i];
	return NULL;
}

struct slice csv_table_text(const struct csv_table *t, const struct csv_row *row, const char *heading)
{
	const struct csv_cell *c = csv_table_cell(t, row, heading);
	return c ? c->text : SLICE("");
}
