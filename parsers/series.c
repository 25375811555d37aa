/* A table of repeated runs: the first column counts them (run, i, job, time …), each other one is a figure by its
 * heading, with its unit in brackets where it has one: "write (MiB/s)". Cells are separated by tabs, or by commas. */
#include "parsers/parser.h"

#include "base/num.h"
#include "parsers/date.h"

#include <math.h>

enum { COLUMNS_MAX = 256, ROWS_MAX = 1000000, PROBED_LINES = 5 };

/* What the first column is called, and what it becomes. */
static const struct key {
	const char *heading, *param; /* param NULL: it is a time */
} keys[] = {
	{ "i", "run" }, { "n", "run" }, { "run", "run" }, { "index", "run" }, { "job", "job" },
	{ "time", NULL }, { "date", NULL },
};

static const struct key *key_of(struct slice heading)
{
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (slice_eq_nocase(heading, slice_of(keys[i].heading)))
			return &keys[i];
	return NULL;
}

struct column {
	struct slice test;
	enum metric_id metric;
	enum unit unit;
	double factor;
	const char *suffix;
};

struct table {
	struct parse *parse;
	char separator;
	const struct key *key;
	struct column columns[COLUMNS_MAX];
	size_t n, rows;
	enum status status;
};

static bool next_line(struct slice *rest, struct slice *line)
{
	if (!slice_cut(rest, '\n', line))
		return false;
	if (line->n && line->p[line->n - 1] == '\r')
		line->n--;
	return true;
}

static char separator_of(struct slice head)
{
	return slice_find_char(head, '\t') != (size_t)-1 ? '\t' : ',';
}

static size_t count_cells(struct slice line, char separator)
{
	size_t n = 0;
	for (struct slice cell; slice_cut(&line, separator, &cell);)
		n++;
	return n;
}

static bool is_number(struct slice cell)
{
	double value;
	return num_double(slice_trim(cell), &value) == NUM_OK;
}

/* Headings are words, the rows below them numbers only. */
static int probe(const struct peek *peek)
{
	struct slice rest = peek->head, line, cell;
	if (!next_line(&rest, &line))
		return 0;
	char separator = separator_of(line);
	size_t n = count_cells(line, separator), rows = 0;
	struct slice head = line;
	if (n < 2 || n > COLUMNS_MAX || !slice_cut(&head, separator, &cell) || !key_of(slice_trim(cell)))
		return 0;
	int bits = 8 * (int)(cell.n + 1);
	while (slice_cut(&head, separator, &cell))
		if (slice_trim(cell).n == 0 || is_number(cell))
			return 0;
	while (rows < PROBED_LINES && next_line(&rest, &line) && line.n && rest.p) {
		if (count_cells(line, separator) != n)
			return 0;
		slice_cut(&line, separator, &cell);
		while (slice_cut(&line, separator, &cell))
			if (!is_number(cell))
				return 0;
		rows++;
	}
	return rows ? bits : 0;
}

static enum metric_id metric_for(enum unit unit)
{
	return unit == UNIT_B_PER_S ? METRIC_BANDWIDTH : unit == UNIT_PER_S ? METRIC_RATE : METRIC_VALUE;
}

static struct column column_of(struct table *t, struct slice heading)
{
	struct column c = { .test = heading, .metric = METRIC_VALUE, .unit = UNIT_ONE, .factor = 1 };
	size_t open = slice_find_char(heading, '(');
	if (open == (size_t)-1 || open == 0 || !slice_ends(heading, ")"))
		return c;
	struct slice unit = { heading.p + open + 1, heading.n - open - 2 };
	struct quantity one;
	const char *error;
	const char *text = arena_printf(t->parse->arena, "1 %.*s", SLICE_ARG(unit));
	if (!quantity_parse(slice_of(text), UNITS, &one, NULL, &error)) {
		parse_diag(t->parse, DIAG_WARNING, unit.p, "the unit '%.*s' is not known: its column has no unit", SLICE_ARG(unit));
		return c;
	}
	return (struct column){ .test = slice_trim(slice_head(heading, open)), .metric = metric_for(one.unit), .unit = one.unit,
		.factor = one.value, .suffix = text + 1 };
}

static void read_head(struct table *t, struct slice line)
{
	struct slice cell;
	t->separator = separator_of(line);
	slice_cut(&line, t->separator, &cell);
	t->key = key_of(slice_trim(cell));
	while (t->n < COLUMNS_MAX && slice_cut(&line, t->separator, &cell))
		t->columns[t->n++] = column_of(t, slice_trim(cell));
}

/* A cell that holds no number is a missing value. */
static void give_cell(struct table *t, const struct column *c, struct slice cell, struct slice key, double time)
{
	struct param param = { .key = slice_of(t->key->param ? t->key->param : ""), .value = key,
		.pos = parse_pos(t->parse, key.p) };
	struct result r = { .metric = c->metric, .stat = SLICE("value"), .test = c->test, .time = time,
		.params = { &param, t->key->param ? 1 : 0 } };
	if (!parse_quantity(t->parse, cell, c->unit, c->factor, c->suffix, &r.q)) {
		t->status = STATUS_WARN;
		r.q = (struct quantity){ .unit = c->unit, .missing = true, .text = cell, .pos = parse_pos(t->parse, cell.p) };
	}
	t->parse->sink->result(t->parse->ctx, &r);
}

static void read_row(struct table *t, struct slice line)
{
	struct slice key, cell;
	bool zoned;
	double time = NAN;
	if (count_cells(line, t->separator) != t->n + 1) {
		t->status = STATUS_WARN;
		parse_diag(t->parse, DIAG_ERROR, line.p, "this row has %zu cells under %zu headings: none of it is used",
			count_cells(line, t->separator), t->n + 1);
		return;
	}
	slice_cut(&line, t->separator, &key);
	key = slice_trim(key);
	if (!t->key->param && num_double(key, &time) != NUM_OK) {
		time = date_read(key, &zoned);
		if (isnan(time))
			parse_diag(t->parse, DIAG_WARNING, key.p, "'%.*s' is no time that can be read", SLICE_ARG(slice_head(key, 40)));
	}
	for (size_t i = 0; slice_cut(&line, t->separator, &cell); i++)
		give_cell(t, &t->columns[i], slice_trim(cell), key, time);
	t->rows++;
}

static enum status parse(struct parse *p)
{
	struct table *t = ARENA_NEW(p->arena, struct table);
	struct slice rest = p->source->data, line;
	t->parse = p;
	if (!next_line(&rest, &line))
		return STATUS_REJECT;
	read_head(t, line);
	if (!t->key || t->n == 0)
		return STATUS_REJECT;
	parse_run(p, SLICE("series"), SLICE_NONE);
	while (t->rows < ROWS_MAX && next_line(&rest, &line)) {
		if (!rest.p && line.n) {
			t->status = STATUS_WARN;
			parse_diag(p, DIAG_ERROR, line.p, "the data end inside this row: it is not used");
		} else if (line.n) {
			read_row(t, line);
		}
	}
	if (t->rows == ROWS_MAX)
		parse_diag(p, DIAG_ERROR, line.p, "more than %d rows: the rest is not read", ROWS_MAX);
	return t->rows ? t->status : STATUS_REJECT;
}

const struct parser parser_series = {
	.name = "series", .title = "table of repeated runs", .tool = "series", .probe = probe, .parse = parse,
};
