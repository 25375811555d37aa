/* assay results: normalized results, one row per value. */
#include "cli/cli.h"

#include "report/output.h"

#include <stdlib.h>
#include <unistd.h>

struct output_format {
	const char *name;
	void (*begin)(struct buf *out);
	void (*row)(struct buf *out, const struct slice columns[RESULT_COLUMNS], bool first);
	void (*end)(struct buf *out, bool any);
};

static void csv_cell(struct buf *out, struct slice s)
{
	bool quote = false;
	for (size_t i = 0; i < s.n && !quote; i++)
		quote = strchr("\",\r\n", s.p[i]) != NULL;
	if (!quote) {
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

static void csv_begin(struct buf *out)
{
	for (size_t i = 0; i < RESULT_COLUMNS; i++)
		buf_printf(out, "%s%s", i ? "," : "", result_column_names[i]);
	buf_char(out, '\n');
}

static void csv_row(struct buf *out, const struct slice columns[RESULT_COLUMNS], bool first)
{
	(void)first;
	for (size_t i = 0; i < RESULT_COLUMNS; i++) {
		if (i)
			buf_char(out, ',');
		csv_cell(out, columns[i]);
	}
	buf_char(out, '\n');
}

static void tsv_begin(struct buf *out)
{
	for (size_t i = 0; i < RESULT_COLUMNS; i++)
		buf_printf(out, "%s%s", i ? "\t" : "", result_column_names[i]);
	buf_char(out, '\n');
}

/* Tabs, line ends and backslashes inside a cell are written \t, \n, \r, \\ (the usual TSV convention). */
static void tsv_row(struct buf *out, const struct slice columns[RESULT_COLUMNS], bool first)
{
	(void)first;
	for (size_t i = 0; i < RESULT_COLUMNS; i++) {
		if (i)
			buf_char(out, '\t');
		for (size_t k = 0; k < columns[i].n; k++) {
			char c = columns[i].p[k];
			const char *escape = c == '\t' ? "\\t" : c == '\n' ? "\\n" : c == '\r' ? "\\r" : c == '\\' ? "\\\\" : NULL;
			if (escape)
				buf_str(out, escape);
			else
				buf_char(out, c);
		}
	}
	buf_char(out, '\n');
}

static bool is_number_column(size_t i)
{
	return i == 7 || i == 9 || i == 12;
}

static void json_object(struct buf *out, const struct slice columns[RESULT_COLUMNS])
{
	buf_char(out, '{');
	for (size_t i = 0; i < RESULT_COLUMNS; i++) {
		buf_printf(out, "%s\"%s\":", i ? "," : "", result_column_names[i]);
		if (!is_number_column(i))
			buf_json_string(out, columns[i]);
		else if (columns[i].n)
			buf_slice(out, columns[i]);
		else
			buf_str(out, "null");
	}
	buf_char(out, '}');
}

static void json_begin(struct buf *out)
{
	buf_char(out, '[');
}

static void json_row(struct buf *out, const struct slice columns[RESULT_COLUMNS], bool first)
{
	buf_str(out, first ? "\n" : ",\n");
	json_object(out, columns);
}

static void json_end(struct buf *out, bool any)
{
	buf_str(out, any ? "\n]\n" : "]\n");
}

static void ndjson_row(struct buf *out, const struct slice columns[RESULT_COLUMNS], bool first)
{
	(void)first;
	json_object(out, columns);
	buf_char(out, '\n');
}

static const struct output_format formats[] = {
	{ "csv", csv_begin, csv_row, NULL },
	{ "tsv", tsv_begin, tsv_row, NULL },
	{ "json", json_begin, json_row, json_end },
	{ "ndjson", NULL, ndjson_row, NULL },
};
enum { FORMATS = sizeof formats / sizeof *formats };

struct results {
	struct options *o;
	const struct output_format *format; /* NULL: table */
	const struct selector *where;
	struct dataset *dataset;
	struct buf out;
	bool any;
	struct slice *cells; /* for the table */
	size_t n_rows, n_cells, cell_cap;
	bool warned;
};

/* For people: what identifies a value, the value with a readable unit, and where it stands. */
enum { TABLE_COLUMNS = 7 };
static const char *const table_heads[TABLE_COLUMNS] = { "subject", "test", "metric", "stat", "value", "params", "source" };
static const bool table_right[TABLE_COLUMNS] = { false, false, false, false, true, false, false };

static struct slice *new_cell(struct results *x)
{
	return ARENA_PUSH(&x->o->arena, x->cells, x->n_cells, x->cell_cap);
}

static void printable_cell(struct results *x, struct slice text)
{
	struct buf b = BUF_EMPTY;
	buf_printable(&b, text);
	*new_cell(x) = arena_copy(&x->o->arena, buf_view(&b));
	buf_free(&b);
}

static void table_row(struct results *x, const struct result *r, const struct slice columns[RESULT_COLUMNS])
{
	char value[48] = "—";
	if (!r->q.missing)
		quantity_show(value, sizeof value, r->q.value, r->q.unit, 4);
	printable_cell(x, columns[0]);
	printable_cell(x, columns[3].n ? columns[3] : columns[1]);
	printable_cell(x, columns[5]);
	printable_cell(x, columns[6]);
	printable_cell(x, slice_of(value));
	printable_cell(x, columns[4]);
	printable_cell(x, slice_of(r->q.pos.line ? arena_printf(&x->o->arena, "%.*s:%.*s", SLICE_ARG(columns[11]),
		SLICE_ARG(columns[12])) : arena_printf(&x->o->arena, "%.*s", SLICE_ARG(columns[11]))));
	x->n_rows++;
}

static void print_run(struct results *x, const struct run *run)
{
	for (size_t i = 0; i < run->n_results; i++) {
		struct result_view view = { run, &run->results[i] };
		struct slice columns[RESULT_COLUMNS];
		struct arena scratch = ARENA_EMPTY;
		if (selector_match(x->where, result_view_lookup, &view)) {
			result_columns(&scratch, run, view.result, columns);
			if (x->format)
				x->format->row(&x->out, columns, !x->any);
			else
				table_row(x, view.result, columns);
			x->any = true;
		}
		arena_free(&scratch);
	}
}

static void flush(struct results *x)
{
	/* Written to a file, the output must be whole: it is kept until the end. */
	if (x->o->output && strcmp(x->o->output, "-") != 0)
		return;
	fwrite(buf_view(&x->out).p, 1, x->out.n, stdout);
	buf_clear(&x->out);
}

static void on_batch(void *ctx)
{
	struct results *x = ctx;
	struct dataset *d = x->dataset;
	for (size_t i = 0; i < d->n_runs; i++)
		print_run(x, d->runs[i]);
	flush(x);
	print_diags(x->o, &d->diags);
	x->warned |= d->diags.count[DIAG_WARNING] > 0;
	struct arena *a = d->arena;
	arena_reset(a);
	dataset_init(d, a);
}

static int choose_format(struct results *x)
{
	const char *name = x->o->format;
	if (!name)
		name = isatty(STDOUT_FILENO) && !x->o->output ? "table" : "csv";
	for (size_t i = 0; i < FORMATS; i++)
		if (strcmp(formats[i].name, name) == 0)
			x->format = &formats[i];
	if (!x->format && strcmp(name, "table") != 0)
		return usage_error("--format %s: results are written as csv, tsv, json, ndjson or table", name);
	return -1;
}

static int run(struct options *o)
{
	struct arena arena = ARENA_EMPTY;
	struct dataset d;
	struct results x = { .o = o, .dataset = &d };
	struct load load = { .dataset = &d };
	const char *error;
	int status = choose_format(&x);
	if (status >= 0)
		return status;
	if (!(x.where = selector_parse(&o->arena, slice_of(o->where ? o->where : ""), &error)))
		return usage_error("--where: %s", error);
	dataset_init(&d, &arena);
	if (x.format && x.format->begin)
		x.format->begin(&x.out);
	if (!load_all(o, &load, on_batch, &x)) {
		status = EXIT_USAGE;
		goto out;
	}
	on_batch(&x);
	if (!x.format)
		print_table(&x.out, table_heads, x.cells, x.n_rows, TABLE_COLUMNS, table_right, terminal_width(stdout));
	else if (x.format->end)
		x.format->end(&x.out, x.any);
	status = write_output(o, &x.out);
	if (status == EXIT_ALL_PASS && (load.damaged || (o->strict && x.warned)))
		status = EXIT_DAMAGED;
out:
	buf_free(&x.out);
	arena_free(&arena);
	return status;
}

const struct command command_results = {
	.name = "results",
	.summary = "print normalized results, one row per value, each with file and line",
	.usage = "[--where SELECTOR] [--format FORMAT] [NAME=]PATH…",
	.help =
		"Prints every value that the inputs hold: what was measured (subject, tool, version, test, params), the value in its\n"
		"base unit, and its evidence (source, line, the text as printed). Derived values have an empty text.\n"
		"Formats: table (the default on a terminal), csv (elsewhere), tsv, json, ndjson.\n\n"
		"examples:\n"
		"  assay results runs/ --format csv > results.csv\n"
		"  assay results --where 'metric=iops op=write bs=4k' VM.DenseIO2.8=runs/d8\n"
		"  ioping -c 20 . | assay results -",
	.accepts = ACCEPTS_FORMAT | ACCEPTS_WHERE | ACCEPTS_OUTPUT | ACCEPTS_SUBJECT,
	.run = run,
};
