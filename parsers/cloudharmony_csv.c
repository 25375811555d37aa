/* <test>.csv: what CloudHarmony's save.sh makes of a block-storage test: one row per iteration, a column for every
 * figure, option and description. */
#include "base/num.h"
#include "parsers/cloudharmony_key.h"
#include "parsers/csv_table.h"

#include <math.h>

/* Columns that hold a list. */
static const char *const lists[] = { "purge_methods", "skip_blocksize", "skip_workload", "target", "target_sizes",
	NULL };

static bool among(struct slice text, const char *const *names)
{
	for (; *names; names++)
		if (slice_is(text, *names))
			return true;
	return false;
}

static int probe(const struct peek *peek)
{
	static const char *const own[] = { "active_range", "oio_per_thread", "threads_total", "wd_test_duration" };
	struct slice rest = peek->head, head, column;
	struct cloudharmony_key ignored;
	bool figures = false;
	int bits = 0;
	if (!slice_cut(&rest, '\n', &head) || slice_find(head, SLICE("fio_command")) != (size_t)-1)
		return 0;
	for (rest = slice_trim(head); slice_cut(&rest, ',', &column);) {
		figures |= cloudharmony_key_parse(column, &ignored);
		for (size_t i = 0; i < sizeof own / sizeof *own; i++)
			bits += slice_is(column, own[i]) ? 8 * (int)column.n : 0;
	}
	return figures ? bits : 0;
}

/* "/dev/a,/dev/b"; newer versions write | for the comma. */
static void attribute_list(struct parse *p, struct slice key, const struct csv_cell *c)
{
	struct slice rest = c->text;
	while (rest.n) {
		size_t n = 0;
		while (n < rest.n && rest.p[n] != ',' && rest.p[n] != '|')
			n++;
		cloudharmony_attribute(p, key, slice_trim(slice_head(rest, n)), c->at + (rest.p - c->text.p));
		rest = slice_from(rest, n + 1);
	}
}

static void emit_attributes(struct csv_table *t, const struct csv_row *row)
{
	struct parse *p = t->parse;
	struct cloudharmony_key ignored;
	for (size_t i = 0; i < row->n && i < t->columns; i++) {
		struct slice key = t->head[i];
		const struct csv_cell *c = &row->cells[i];
		if (c->text.n == 0 || cloudharmony_key_parse(key, &ignored))
			continue;
		if (among(key, lists))
			attribute_list(p, key, c);
		else
			cloudharmony_attribute(p, key, c->text, c->at);
	}
}

static void emit(struct csv_table *t, const struct cloudharmony_key *key, const char *stat, double factor,
	bool by_suite, const struct csv_cell *c)
{
	struct parse *p = t->parse;
	struct param params[5];
	size_t n = cloudharmony_key_params(key, parse_pos(p, c->at), params);
	bool several = *(const bool *)t->ctx;
	if (by_suite)
		params[n++] = (struct param){ .key = SLICE("by"), .value = SLICE("suite") };
	if (several)
		params[n++] = (struct param){ .key = SLICE("run"), .value = arena_u64(p->arena, t->rows) };
	struct result r = { .metric = key->metric, .stat = slice_of(stat), .test = slice_of(key->test),
		.params = { params, n }, .time = NAN };
	if (parse_quantity(p, c->text, metric_get(key->metric)->unit, factor, NULL, &r.q))
		p->sink->result(p->ctx, &r);
}

static void emit_figures(struct csv_table *t, const struct csv_row *row)
{
	struct cloudharmony_key key;
	for (size_t i = 0; i < row->n && i < t->columns; i++) {
		const struct csv_cell *c = &row->cells[i];
		if (c->text.n && cloudharmony_key_parse(t->head[i], &key))
			emit(t, &key, key.stat, key.factor, false, c);
	}
}

/* Whether a mean over the window, printed with its own rounding, is this figure of the tracked cell. */
static bool same_mean(struct slice average, struct slice figure)
{
	double a, b;
	double slack = num_half_digit(average) + num_half_digit(figure);
	return num_double(average, &a) == NUM_OK && num_double(figure, &b) == NUM_OK && fabs(a - b) <= slack * 1.001;
}

/* A figure that is a mean over the window of a cell on which this test judges steady state. */
static bool is_tracked(const struct cloudharmony_key *key, const struct cloudharmony_test *test)
{
	return strcmp(key->test, test->name) == 0 && strcmp(key->mix, "0/100") == 0
		&& (!test->bs || strcmp(key->bs, test->bs) == 0)
		&& (strcmp(key->stat, "mean") == 0 || strcmp(key->stat, "value") == 0);
}

/* How many tracked cells of this row have the mean of the suite's steady-state window as their figure; the last of them
 * in *found. */
static size_t steady_cells(struct csv_table *t, const struct csv_row *row, const struct cloudharmony_test *test,
	struct slice average, struct cloudharmony_key *found)
{
	struct cloudharmony_key key;
	size_t fitting = 0;
	for (size_t i = 0; i < row->n && i < t->columns; i++) {
		if (!cloudharmony_key_parse(t->head[i], &key) || !is_tracked(&key, test)
			|| !same_mean(average, row->cells[i].text))
			continue;
		*found = key;
		fitting++;
	}
	return fitting;
}

/* save.sh takes the steady-state figures from .options, where the last test left them, and writes them into the row of
 * every test. */
static void emit_steady(struct csv_table *t, const struct csv_row *row)
{
	const struct csv_cell *average = csv_table_cell(t, row, cloudharmony_ss[0].key);
	const struct cloudharmony_test *test = cloudharmony_test_find(csv_table_text(t, row, "test"));
	struct cloudharmony_key key;
	if (!average || average->text.n == 0)
		return;
	size_t fitting = test ? steady_cells(t, row, test, average->text, &key) : 0;
	if (fitting != 1) {
		parse_diag(t->parse, DIAG_WARNING, average->at, fitting ? "ss_average %.*s fits %zu figures of this row: it can't "
			"be told which of them it is of" : "ss_average %.*s is the mean of no figure of this row: it and its companions "
			"are left from another test", SLICE_ARG(average->text), fitting);
		t->status = STATUS_WARN;
		return;
	}
	for (size_t i = 0; i < CLOUDHARMONY_SS; i++) {
		const struct csv_cell *c = csv_table_cell(t, row, cloudharmony_ss[i].key);
		if (c && c->text.n)
			emit(t, &key, cloudharmony_ss[i].stat, test->factor, true, c);
	}
}

static void take_row(struct csv_table *t, const struct csv_row *row)
{
	parse_run(t->parse, SLICE("cloudharmony"), csv_table_text(t, row, "benchmark_version"));
	emit_attributes(t, row);
	emit_figures(t, row);
	emit_steady(t, row);
}

static enum status parse(struct parse *p)
{
	bool several = cloudharmony_csv_several(p);
	struct csv_table t = { .parse = p, .row = take_row, .ctx = &several, .max_rows = 1000 };
	return csv_table_read(&t);
}

const struct parser parser_cloudharmony_csv = {
	.name = "cloudharmony-csv",
	.title = "CloudHarmony block-storage CSV",
	.tool = "cloudharmony",
	.probe = probe,
	.parse = parse,
};
