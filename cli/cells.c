/* Rows of cells in the formats that programs read. */
#include "cli/cli.h"

struct cell_format {
	const char *name;
	void (*begin)(struct buf *out, const char *const *heads, size_t n);
	void (*row)(struct buf *out, const char *const *heads, const bool *numbers, const struct slice *cells, size_t n,
		bool first);
	void (*end)(struct buf *out, bool any);
};

static void csv_cell(struct buf *out, struct slice s)
{
	static const bool special[256] = { ['"'] = true, [','] = true, ['\r'] = true, ['\n'] = true };
	size_t plain = 0;
	while (plain < s.n && !special[(unsigned char)s.p[plain]])
		plain++;
	if (plain == s.n) {
		buf_slice(out, s);
		return;
	}
	buf_char(out, '"');
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '"')
			buf_char(out, '"');
		buf_char(out, s.p[i]);
	}
	buf_char(out, '"');
}

/* Tabs, line ends and backslashes are written \t, \n, \r, \\ (the usual TSV convention). */
static void tsv_cell(struct buf *out, struct slice s)
{
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];
		const char *escape = c == '\t' ? "\\t" : c == '\n' ? "\\n" : c == '\r' ? "\\r" : c == '\\' ? "\\\\" : NULL;
		if (escape)
			buf_str(out, escape);
		else
			buf_char(out, c);
	}
}

static void put_cells(struct buf *out, const struct slice *cells, size_t n, char between,
	void (*put)(struct buf *out, struct slice cell))
{
	for (size_t i = 0; i < n; i++) {
		if (i)
			buf_char(out, between);
		put(out, cells[i]);
	}
	buf_char(out, '\n');
}

static void put_heads(struct buf *out, const char *const *heads, size_t n, char between)
{
	for (size_t i = 0; i < n; i++) {
		if (i)
			buf_char(out, between);
		buf_str(out, heads[i]);
	}
	buf_char(out, '\n');
}

static void csv_row(struct buf *out, const char *const *heads, const bool *numbers, const struct slice *cells, size_t n,
	bool first)
{
	(void)heads, (void)numbers, (void)first;
	put_cells(out, cells, n, ',', csv_cell);
}

static void csv_begin(struct buf *out, const char *const *heads, size_t n)
{
	put_heads(out, heads, n, ',');
}

static void tsv_row(struct buf *out, const char *const *heads, const bool *numbers, const struct slice *cells, size_t n,
	bool first)
{
	(void)heads, (void)numbers, (void)first;
	put_cells(out, cells, n, '\t', tsv_cell);
}

static void tsv_begin(struct buf *out, const char *const *heads, size_t n)
{
	put_heads(out, heads, n, '\t');
}

static bool is_number(const char *head)
{
	static const char *const numbers[] = { "value", "n", "line", "limit", "lower", "upper", "level", "normalized", "margin",
		"runs" };
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if (strcmp(head, numbers[i]) == 0)
			return true;
	return false;
}

static void json_object(struct buf *out, const char *const *heads, const bool *numbers, const struct slice *cells,
	size_t n)
{
	buf_char(out, '{');
	for (size_t i = 0; i < n; i++) {
		buf_printf(out, "%s\"%s\":", i ? "," : "", heads[i]);
		if (numbers ? !numbers[i] : !is_number(heads[i]))
			buf_json_string(out, cells[i]);
		else if (cells[i].n)
			buf_slice(out, cells[i]);
		else
			buf_str(out, "null");
	}
	buf_char(out, '}');
}

static void json_begin(struct buf *out, const char *const *heads, size_t n)
{
	(void)heads;
	(void)n;
	buf_char(out, '[');
}

static void json_row(struct buf *out, const char *const *heads, const bool *numbers, const struct slice *cells, size_t n,
	bool first)
{
	buf_str(out, first ? "\n" : ",\n");
	json_object(out, heads, numbers, cells, n);
}

static void json_end(struct buf *out, bool any)
{
	buf_str(out, any ? "\n]\n" : "]\n");
}

static void ndjson_row(struct buf *out, const char *const *heads, const bool *numbers, const struct slice *cells, size_t n,
	bool first)
{
	(void)first;
	json_object(out, heads, numbers, cells, n);
	buf_char(out, '\n');
}

static const struct cell_format formats[] = {
	{ "csv", csv_begin, csv_row, NULL },
	{ "tsv", tsv_begin, tsv_row, NULL },
	{ "json", json_begin, json_row, json_end },
	{ "ndjson", NULL, ndjson_row, NULL },
};

const struct cell_format *cell_format_named(const char *name)
{
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		if (strcmp(formats[i].name, name) == 0)
			return &formats[i];
	return NULL;
}

void cells_begin(const struct cell_format *f, struct buf *out, const char *const *heads, size_t n)
{
	if (f->begin)
		f->begin(out, heads, n);
}

void cells_row(const struct cell_format *f, struct buf *out, const char *const *heads, const struct slice *cells, size_t n,
	bool first)
{
	f->row(out, heads, NULL, cells, n, first);
}

void cells_row_numbers(const struct cell_format *f, struct buf *out, const char *const *heads, const bool *numbers,
	const struct slice *cells, size_t n, bool first)
{
	f->row(out, heads, numbers, cells, n, first);
}

void cells_end(const struct cell_format *f, struct buf *out, bool any)
{
	if (f->end)
		f->end(out, any);
}
