/* assay results: normalized results, one row per value. */
#include "cli/cli.h"
#include "model/over_time.h"
#include "model/publish.h"

#include "report/output.h"

#include <stdlib.h>
#include <unistd.h>

struct results {
	struct options *o;
	const struct cell_format *format; /* NULL: table */
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
	*new_cell(x) = printable(&x->o->arena, text);
}

static void table_row(struct results *x, const struct result *r, const struct slice columns[RESULT_COLUMNS])
{
	char value[48] = "—";
	if (!r->q.missing)
		quantity_show(value, sizeof value, r->q.value, r->q.unit, 4);
	const char *mark = r->q.missing ? "" : publish_mark(r);
	printable_cell(x, columns[0]);
	printable_cell(x, columns[3].n ? columns[3] : columns[1]);
	printable_cell(x, columns[5]);
	printable_cell(x, columns[6]);
	printable_cell(x, slice_of(arena_printf(&x->o->arena, "%s%s", value, mark)));
	printable_cell(x, columns[4]);
	printable_cell(x, slice_of(r->q.pos.line ? arena_printf(&x->o->arena, "%.*s:%.*s", SLICE_ARG(columns[11]),
		SLICE_ARG(columns[12])) : arena_printf(&x->o->arena, "%.*s", SLICE_ARG(columns[11]))));
	x->n_rows++;
}

static void print_result(struct results *x, struct columns *c, const struct run *run, const struct result *r,
	struct arena *scratch)
{
	struct result_view view = { run, r, scratch };
	if (!selector_match(x->where, result_view_lookup, &view))
		return;
	columns_row(c, run, r);
	if (x->format)
		cells_row(x->format, &x->out, result_column_names, c->v, RESULT_COLUMNS, !x->any);
	else
		table_row(x, r, c->v);
	x->any = true;
}

/* A log's percentiles over time; a log that is all in one window has none. */
static void print_over_time(struct results *x, struct columns *c, const struct run *run, const struct spread *s,
	struct arena *kept, struct arena *scratch)
{
	for (size_t i = 0; i < s->n_windows && s->n_windows > 1; i++)
		for (size_t k = 0; k < OVER_TIME_STATS; k++) {
			struct param *params = ARENA_ARRAY(kept, OVER_TIME_PARAMS, struct param);
			struct result r;
			if (over_time_result(kept, run, s, i, k, params, &r))
				print_result(x, c, run, &r, scratch);
			arena_reset(scratch);
		}
}

static void print_run(struct results *x, struct columns *c, const struct run *run)
{
	struct arena scratch = ARENA_EMPTY, kept = ARENA_EMPTY;
	for (size_t i = 0; i < run->n_results; i++) {
		print_result(x, c, run, &run->results[i], &scratch);
		arena_reset(&scratch);
	}
	for (size_t i = 0; i < run->n_spreads; i++)
		print_over_time(x, c, run, &run->spreads[i], &kept, &scratch);
	arena_free(&scratch);
	arena_free(&kept);
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
	struct columns c = COLUMNS_NONE;
	for (size_t i = 0; i < d->n_runs; i++)
		print_run(x, &c, d->runs[i]);
	columns_free(&c);
	flush(x);
	print_diags(x->o, &d->diags);
	x->warned |= d->diags.count[DIAG_WARNING] > 0;
	struct arena *a = d->arena;
	arena_reset(a);
	dataset_init(d, a);
	d->diags.least = diags_shown(x->o);
}

static int choose_format(struct results *x)
{
	const char *name = x->o->format;
	if (!name)
		name = isatty(STDOUT_FILENO) && !x->o->output ? "table" : "csv";
	x->format = cell_format_named(name);
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
	if ((status = open_study(o)) >= 0)
		return status;
	dataset_init(&d, &arena);
	d.diags.least = diags_shown(o);
	if (x.format)
		cells_begin(x.format, &x.out, result_column_names, RESULT_COLUMNS);
	if (!load_all(o, &load, on_batch, &x)) {
		status = EXIT_USAGE;
		goto out;
	}
	on_batch(&x);
	if (!x.format)
		print_table(&x.out, table_heads, x.cells, x.n_rows, TABLE_COLUMNS, table_right, terminal_width(stdout));
	else
		cells_end(x.format, &x.out, x.any);
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
	.usage = "[--study FILE] [--where SELECTOR] [--format FORMAT] [NAME=]PATH…",
	.help =
		"Prints every value that the inputs hold: what was measured (subject, tool, version, test, params), the value in its\n"
		"base unit, and its evidence (source, line, the text as printed). Derived values have an empty text.\n"
		"Formats: table (the default on a terminal), csv (elsewhere), tsv, json, ndjson.\n\n"
		"examples:\n"
		"  assay results runs/ --format csv > results.csv\n"
		"  assay results --where 'metric=iops op=write bs=4k' VM.DenseIO2.8=runs/d8\n"
		"  ioping -c 20 . | assay results -",
	.accepts = ACCEPTS_FORMAT | ACCEPTS_WHERE | ACCEPTS_OUTPUT | ACCEPTS_SUBJECT | ACCEPTS_STUDY,
	.run = run,
};
