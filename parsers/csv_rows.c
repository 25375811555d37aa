#include "parsers/csv_rows.h"

#include <csv.h>

struct reader {
	struct arena *arena;
	struct slice data;
	size_t start, end; /* of the cell now read: from its first byte to the delimiter behind it */
	struct csv_cell *cells;
	size_t n, cap;
	bool ended, stop, too_many;
	bool (*row)(void *ctx, const struct csv_row *row);
	void *ctx;
};

/* libcsv tells what is in a cell, not where it stood: the reader feeds it in pieces that end at each delimiter, so
 * that a cell reported during a piece ends where the piece ends. */
static void take_cell(void *content, size_t n, void *ctx)
{
	struct reader *r = ctx;
	struct slice raw = { r->data.p + r->start, r->end - r->start }, text = { content, n };
	r->start = r->end + 1;
	if (r->n == CSV_ROW_CELLS) {
		r->too_many = r->stop = true;
		return;
	}
	size_t inside = n ? slice_find(raw, text) : (size_t)(raw.n && raw.p[0] == '"');
	struct csv_cell *cell = ARENA_PUSH(r->arena, r->cells, r->n, r->cap);
	if (inside == (size_t)-1)
		*cell = (struct csv_cell){ arena_copy(r->arena, text), raw.p };
	else
		*cell = (struct csv_cell){ { raw.p + inside, n }, raw.p + inside };
}

static void take_row(int c, void *ctx)
{
	(void)c;
	struct reader *r = ctx;
	struct csv_row row = { r->cells, r->n, r->ended };
	if (!r->stop && r->n && !r->row(r->ctx, &row))
		r->stop = true;
	r->n = 0;
}

static void feed(struct reader *r, struct csv_parser *parser, const char *p, size_t n)
{
	if (n)
		csv_parse(parser, p, n, take_cell, take_row, r);
}

/* Length of the piece at p: up to and with the next delimiter, or up to a backslash. */
static size_t piece(const char *p, const char *end)
{
	const char *q = p;
	while (q < end && *q != ',' && *q != '\n' && *q != '\r' && *q != '\\')
		q++;
	return (size_t)(q - p) + (q < end && *q != '\\');
}

bool csv_rows(struct slice data, struct arena *a, bool (*row)(void *ctx, const struct csv_row *row), void *ctx)
{
	struct reader r = { .arena = a, .data = data, .row = row, .ctx = ctx, .ended = true };
	struct csv_parser parser;
	if (csv_init(&parser, 0) != 0)
		return false;
	const char *p = data.p, *end = data.p + data.n;
	while (p < end && !r.stop) {
		size_t n = piece(p, end);
		/* A line end between rows belongs to no cell. */
		bool between = r.n == 0 && (*p == '\n' || *p == '\r') && (size_t)(p - data.p) == r.start;
		r.end = n ? (size_t)(p - data.p) + n - 1 : r.end;
		feed(&r, &parser, p, n);
		p += n;
		if (between)
			r.start = (size_t)(p - data.p);
		if (p == end || *p != '\\')
			continue;
		bool quote = parser.quoted && p + 1 < end && p[1] == '"';
		feed(&r, &parser, quote ? "\"\"" : "\\", quote ? 2 : 1);
		p += quote ? 2 : 1;
	}
	r.ended = data.n == 0 || end[-1] == '\n' || end[-1] == '\r';
	r.end = data.n;
	if (!r.stop)
		csv_fini(&parser, take_cell, take_row, &r);
	csv_free(&parser);
	return !r.too_many;
}
