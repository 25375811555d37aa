/* Published figures that have no raw log, as their reader typed them from a paper or a page: a CSV file whose columns are
 * subject, tool, test, params, metric, stat, value and source, in any order. */
#include "parsers/csv_table.h"

#include <math.h>
#include <stdlib.h>

enum { ROWS_MAX = 10000, PARAMS_MAX = 32 };

enum column { SUBJECT, TOOL, TEST, PARAMS, METRIC, STAT, VALUE, SOURCE, COLUMNS };

static const struct {
	const char *name;
	bool required;
} columns[COLUMNS] = {
	[SUBJECT] = { "subject", true }, [TOOL] = { "tool", true }, [TEST] = { "test", true }, [PARAMS] = { "params", false },
	[METRIC] = { "metric", true }, [STAT] = { "stat", false }, [VALUE] = { "value", true }, [SOURCE] = { "source", false },
};

struct published {
	struct csv_cell cell[COLUMNS]; /* trimmed; at NULL: the table has no such column */
	struct param *params;
	size_t n_params, number, first; /* number: its place in the file; first: that of the first one of its run */
	struct result result;
};

struct table {
	struct csv_table csv;
	size_t place[COLUMNS]; /* of each column, from 1; 0: there is none */
	bool usable;
	struct published *v;
	size_t n, cap;
};

static enum column column_named(struct slice name)
{
	enum column c = SUBJECT;
	while (c < COLUMNS && !slice_is(name, columns[c].name))
		c++;
	return c;
}

/* `assay results` writes these columns, too, and those of a number's place. */
static int probe(const struct peek *peek)
{
	struct slice rest = peek->head, head, cell;
	bool seen[COLUMNS] = { false };
	int bits = 0;
	if (!slice_cut(&rest, '\n', &head))
		return 0;
	for (rest = slice_trim(head); slice_cut(&rest, ',', &cell);) {
		cell = slice_trim(cell);
		if (slice_is(cell, "line"))
			return 0;
		enum column c = column_named(cell);
		if (c == COLUMNS || seen[c])
			continue;
		seen[c] = true;
		bits += 8 * (int)cell.n;
	}
	for (enum column c = SUBJECT; c < COLUMNS; c++)
		if (columns[c].required && !seen[c])
			return 0;
	return bits;
}

static void wrong(struct table *t, const char *at, const char *what)
{
	t->csv.status = STATUS_WARN;
	parse_diag(t->csv.parse, DIAG_ERROR, at, "%s: the row is left out", what);
}

/* ---- the head ---- */

static bool refuse(struct table *t, const char *at, const char *what)
{
	t->csv.status = STATUS_WARN;
	parse_diag(t->csv.parse, DIAG_ERROR, at, "%s: nothing of this file is used", what);
	return false;
}

static bool take_head(struct table *t)
{
	struct arena *a = t->csv.parse->arena;
	for (size_t i = 0; i < t->csv.columns; i++) {
		struct slice name = slice_trim(t->csv.head[i]);
		enum column c = column_named(name);
		if (c == COLUMNS)
			return refuse(t, t->csv.head[i].p, arena_printf(a, "published figures have no column '%.*s', only subject, "
				"tool, test, params, metric, stat, value and source", SLICE_ARG(slice_head(name, 40))));
		if (t->place[c])
			return refuse(t, t->csv.head[i].p, arena_printf(a, "there is a second column '%s'", columns[c].name));
		t->place[c] = i + 1;
	}
	for (enum column c = SUBJECT; c < COLUMNS; c++)
		if (columns[c].required && !t->place[c])
			return refuse(t, t->csv.parse->source->data.p, arena_printf(a, "there is no column '%s'", columns[c].name));
	return true;
}

/* ---- a row ---- */

static struct csv_cell trimmed(const struct csv_cell *cell)
{
	struct slice text = slice_trim(cell->text);
	size_t before = text.n ? (size_t)(text.p - cell->text.p) : 0;
	return (struct csv_cell){ text, cell->at + before };
}

/* The next param; *rest moves behind it. False where there is none, or it is none: *rest begins at it then. */
static bool next_param(struct slice *rest, struct param *out)
{
	*rest = slice_trim(*rest);
	size_t equals = slice_find_char(*rest, '='), blank = slice_find_char(*rest, ' ');
	if (equals == 0 || equals == (size_t)-1 || blank < equals)
		return false;
	struct slice value = slice_from(*rest, equals + 1);
	bool quoted = slice_starts(value, "\"");
	value = slice_from(value, quoted);
	size_t end = slice_find_char(value, quoted ? '"' : ' ');
	if (quoted && end == (size_t)-1)
		return false;
	end = end < value.n ? end : value.n;
	*out = (struct param){ .key = slice_head(*rest, equals), .value = slice_head(value, end) };
	*rest = slice_from(value, end + quoted);
	return !rest->n || rest->p[0] == ' ';
}

static int by_key(const void *a, const void *b)
{
	return slice_cmp(((const struct param *)a)->key, ((const struct param *)b)->key);
}

static bool read_params(struct table *t, struct published *f)
{
	struct parse *p = t->csv.parse;
	struct csv_cell cell = f->cell[PARAMS];
	struct slice rest = cell.text;
	struct param *v = ARENA_ARRAY(p->arena, PARAMS_MAX, struct param);
	size_t n = 0;
	v[n++] = (struct param){ .key = SLICE("published"), .value = SLICE("yes"), .pos = parse_pos(p, f->cell[VALUE].at) };
	while (slice_trim(rest).n) {
		const char *at = cell.at + (slice_trim(rest).p - cell.text.p);
		if (n == PARAMS_MAX) {
			wrong(t, at, arena_printf(p->arena, "more than %d params", PARAMS_MAX - 1));
			return false;
		}
		if (!next_param(&rest, &v[n])) {
			wrong(t, at, "params are key=value, separated by blanks, with quotes about a value with blanks");
			return false;
		}
		if (params_find_slice((struct params){ v, n }, v[n].key)) {
			wrong(t, at, arena_printf(p->arena, "'%.*s' is told already", SLICE_ARG(slice_head(v[n].key, 40))));
			return false;
		}
		v[n++].pos = parse_pos(p, at);
	}
	qsort(v, n, sizeof *v, by_key);
	f->params = v;
	f->n_params = n;
	return true;
}

/* What the value says as it stands. A bound is no value. */
static bool read_value(struct table *t, struct published *f, struct quantity *q)
{
	struct parse *p = t->csv.parse;
	const struct csv_cell *cell = &f->cell[VALUE];
	enum unit unit = metric_get(f->result.metric)->unit;
	enum quantity_op op;
	const char *error;
	if (!quantity_parse(cell->text, unit, q, &op, &error)) {
		wrong(t, cell->at, arena_printf(p->arena, "'%.*s' %s; %s is in %s", SLICE_ARG(slice_head(cell->text, 40)),
			error, metric_get(f->result.metric)->name, unit_name(unit)));
		return false;
	}
	q->pos = parse_pos(p, cell->at);
	if (op != OP_NONE && op != OP_EQ) {
		parse_diag(p, DIAG_NOTE, cell->at, "'%.*s' is a bound, not a value: the figure stands without one",
			SLICE_ARG(slice_head(cell->text, 40)));
		q->missing = true;
	}
	return true;
}

static void take_row(struct csv_table *csv, const struct csv_row *row)
{
	struct table *t = csv->ctx;
	struct published f = { .number = csv->rows };
	if (csv->rows == 1)
		t->usable = take_head(t);
	if (!t->usable)
		return;
	/* Which cell of a row that is cut is whole, nobody knows; that it is cut is said. */
	if (!row->ended)
		return;
	for (enum column c = SUBJECT; c < COLUMNS; c++)
		if (t->place[c])
			f.cell[c] = trimmed(&row->cells[t->place[c] - 1]);
	f.result = (struct result){ .metric = metric_find(f.cell[METRIC].text), .flags = RESULT_PUBLISHED,
		.stat = f.cell[STAT].text.n ? f.cell[STAT].text : SLICE("value"), .test = f.cell[TEST].text, .time = NAN };
	if (f.result.metric == METRICS) {
		wrong(t, f.cell[METRIC].at, arena_printf(csv->parse->arena, "there is no metric '%.*s'",
			SLICE_ARG(slice_head(f.cell[METRIC].text, 40))));
		return;
	}
	if (!read_value(t, &f, &f.result.q) || !read_params(t, &f))
		return;
	f.result.params = (struct params){ f.params, f.n_params };
	const struct param *estimated = params_find(f.result.params, "estimated");
	if (estimated && slice_is(estimated->value, "yes"))
		f.result.flags |= RESULT_ESTIMATED;
	*ARENA_PUSH(csv->parse->arena, t->v, t->n, t->cap) = f;
}

/* ---- runs: the figures that one source tells of one subject and tool ---- */

static int by_run(const struct published *f, const struct published *g)
{
	static const enum column order[] = { SUBJECT, TOOL, SOURCE };
	int c = 0;
	for (size_t i = 0; i < sizeof order / sizeof *order && !c; i++)
		c = slice_cmp(f->cell[order[i]].text, g->cell[order[i]].text);
	return c;
}

static int by_figure(const struct published *f, const struct published *g)
{
	int c = by_run(f, g);
	c = c ? c : slice_cmp(f->result.test, g->result.test);
	c = c ? c : slice_cmp(f->result.stat, g->result.stat);
	c = c ? c : (int)f->result.metric - (int)g->result.metric;
	for (size_t i = 0; !c && i < f->n_params && i < g->n_params; i++) {
		c = slice_cmp(f->params[i].key, g->params[i].key);
		c = c ? c : slice_cmp(f->params[i].value, g->params[i].value);
	}
	return c ? c : (f->n_params > g->n_params) - (f->n_params < g->n_params);
}

static int by_figure_and_place(const void *a, const void *b)
{
	const struct published *f = a, *g = b;
	int c = by_figure(f, g);
	return c ? c : (f->number > g->number) - (f->number < g->number);
}

static int by_place(const void *a, const void *b)
{
	const struct published *f = a, *g = b;
	int c = (f->first > g->first) - (f->first < g->first);
	return c ? c : (f->number > g->number) - (f->number < g->number);
}

static void told_twice(struct table *t, const struct published *first, const struct published *again)
{
	struct parse *p = t->csv.parse;
	struct pos pos = source_pos(p->source, first->result.q.pos.offset);
	wrong(t, again->cell[VALUE].at, arena_printf(p->arena, "line %u tells this figure already", pos.line));
}

/* Leaves out what is told twice, and puts the rest in the file's order, run by run. */
static void put_in_order(struct table *t)
{
	size_t kept = 0;
	if (t->n < 2)
		return;
	qsort(t->v, t->n, sizeof *t->v, by_figure_and_place);
	for (size_t i = 0; i < t->n; i++) {
		if (kept && by_figure(&t->v[kept - 1], &t->v[i]) == 0)
			told_twice(t, &t->v[kept - 1], &t->v[i]);
		else
			t->v[kept++] = t->v[i];
	}
	t->n = kept;
	for (size_t i = 0, behind; i < t->n; i = behind) {
		size_t first = t->v[i].number;
		for (behind = i; behind < t->n && by_run(&t->v[i], &t->v[behind]) == 0; behind++)
			first = t->v[behind].number < first ? t->v[behind].number : first;
		for (size_t k = i; k < behind; k++)
			t->v[k].first = first;
	}
	qsort(t->v, t->n, sizeof *t->v, by_place);
}

static void emit(struct table *t)
{
	struct parse *p = t->csv.parse;
	for (size_t i = 0; i < t->n; i++) {
		const struct published *f = &t->v[i];
		if (i == 0 || by_run(f, f - 1) != 0) {
			struct slice tool = f->cell[TOOL].text;
			parse_run(p, tool.n ? tool : SLICE("figures"), SLICE(""));
			parse_meta(p, "subject", f->cell[SUBJECT].text, f->cell[SUBJECT].at);
			if (f->cell[SOURCE].text.n)
				parse_meta(p, "published_in", f->cell[SOURCE].text, f->cell[SOURCE].at);
		}
		p->sink->result(p->ctx, &f->result);
	}
}

static enum status parse(struct parse *p)
{
	struct table t = { .csv = { .parse = p, .row = take_row, .max_rows = ROWS_MAX } };
	t.csv.ctx = &t;
	enum status status = csv_table_read(&t.csv);
	if (status == STATUS_REJECT)
		return status;
	if (!t.usable)
		return STATUS_FATAL;
	put_in_order(&t);
	emit(&t);
	return t.csv.status;
}

const struct parser parser_figures = {
	.name = "figures",
	.title = "published figures",
	.tool = "figures",
	.probe = probe,
	.typed = true,
	.parse = parse,
};
