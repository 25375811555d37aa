/* The tables of IOR's text: rows of iterations, and the summary. */
#include "parsers/ior.h"

#include "base/num.h"

#include <math.h>

static const struct ior_column {
	const char *name;
	enum metric_id metric;
	const char *stat;          /* NULL: no figure */
	enum ior_param param;      /* IOR_PARAMS: none */
	double factor;
	const char *unit;
} columns[] = {
	{ "bw(MiB/s)", METRIC_BANDWIDTH, "value", IOR_PARAMS, 0x1p20, " MiB/s" },
	{ "IOPS", METRIC_IOPS, "value", IOR_PARAMS, 1, NULL },
	{ "total(s)", METRIC_RUNTIME, "value", IOR_PARAMS, 1, " s" },
	{ "Max(MiB)", METRIC_BANDWIDTH, "max", IOR_PARAMS, 0x1p20, " MiB/s" },
	{ "Min(MiB)", METRIC_BANDWIDTH, "min", IOR_PARAMS, 0x1p20, " MiB/s" },
	{ "Mean(MiB)", METRIC_BANDWIDTH, "mean", IOR_PARAMS, 0x1p20, " MiB/s" },
	{ "StdDev", METRIC_BANDWIDTH, "sd", IOR_PARAMS, 0x1p20, " MiB/s" },
	{ "Max(OPs)", METRIC_IOPS, "max", IOR_PARAMS, 1, NULL },
	{ "Min(OPs)", METRIC_IOPS, "min", IOR_PARAMS, 1, NULL },
	{ "Mean(OPs)", METRIC_IOPS, "mean", IOR_PARAMS, 1, NULL },
	{ "StdDev", METRIC_IOPS, "sd", IOR_PARAMS, 1, NULL }, /* the one behind Mean(OPs) */
	{ "Mean(s)", METRIC_RUNTIME, "mean", IOR_PARAMS, 1, " s" },
	{ "#Tasks", METRICS, NULL, IOR_TASKS, 0, NULL },
	{ "blksiz", METRICS, NULL, IOR_BLOCK, 0, NULL },
	{ "xsize", METRICS, NULL, IOR_TRANSFER, 0, NULL },
	{ "API", METRICS, NULL, IOR_API, 0, NULL },
	{ "Test#", METRICS, NULL, IOR_TEST, 0, NULL },
};
enum { KNOWN = sizeof columns / sizeof *columns };

/* ---- headings ---- */

/* Which statistic is which, for those who compare. */
static void define(struct rules *r)
{
	rules_option(r, "StdDev", SLICE("over iterations, divided by n"), rules_here(r));
	rules_option(r, "OPs", SLICE("transfers / total(s); IOPS of a row: transfers / wr/rd(s)"), rules_here(r));
}

static const struct ior_column *column_of(struct slice name, const struct ior_column *before)
{
	for (const struct ior_column *c = columns; c < columns + KNOWN; c++)
		if (slice_is(name, c->name) && (!slice_is(name, "StdDev") || (before && before->metric == c->metric)))
			return c;
	return NULL;
}

/* "Max (MiB)" of 2.10 is one heading, and so is "Std Dev"; the two of "Op grep" stand above no column. */
static bool next_heading(struct rules *r, struct slice *rest, struct slice *name)
{
	struct slice more, after = *rest;
	do {
		if (!slice_word(rest, name))
			return false;
		after = *rest;
	} while (slice_is(*name, "Op") || slice_is(*name, "grep"));
	if (!slice_word(&after, &more))
		return true;
	if (more.p[0] != '(' && !(slice_is(*name, "Std") && slice_is(more, "Dev")))
		return true;
	*name = slice_of(arena_printf(r->parse->arena, "%.*s%.*s", SLICE_ARG(*name), SLICE_ARG(more)));
	*rest = after;
	return true;
}

bool ior_on_heading(struct rules *r)
{
	struct ior *s = r->state;
	struct slice rest = r->text->line, name;
	ior_need_block(r);
	s->iter = -1;
	for (s->n_layout = 0; s->n_layout < IOR_COLUMNS && next_heading(r, &rest, &name); s->n_layout++) {
		const struct ior_column *before = s->n_layout ? s->layout[s->n_layout - 1] : NULL;
		s->layout[s->n_layout] = column_of(name, before);
		if (slice_is(name, "iter"))
			s->iter = (int)s->n_layout;
	}
	define(r);
	return true;
}

/* ---- rows ---- */

/* Numbers of two decimals that fill their fields touch: "123456.7898765.43". */
static bool next_cell(struct slice *rest, struct slice *cell)
{
	if (!slice_word(rest, cell))
		return false;
	size_t dot = slice_find_char(*cell, '.');
	if (dot != (size_t)-1 && dot + 3 < cell->n && slice_find_char(slice_from(*cell, dot + 1), '.') != (size_t)-1) {
		struct slice whole = *cell;
		*cell = slice_head(whole, dot + 3);
		rest->n += (size_t)(rest->p - (cell->p + cell->n));
		rest->p = cell->p + cell->n;
	}
	return true;
}

static size_t split(struct slice rest, struct slice cells[IOR_COLUMNS])
{
	size_t n = 0;
	while (n < IOR_COLUMNS && next_cell(&rest, &cells[n]))
		n++;
	return n;
}

static bool is_number(struct slice cell)
{
	double v;
	return slice_is(cell, "-") || num_double(cell, &v) != NUM_JUNK;
}

static void unreadable(struct rules *r)
{
	rules_diag(r, DIAG_WARNING, rules_here(r), "this row does not have the columns of its table: nothing of it is reported");
}

enum { ROW_BEFORE, ROW_ACCESS };

/* The cells of a row, which must be as many as there are headings; what other ranks wrote around it is left out. */
static bool row_cells(struct rules *r, struct slice cells[IOR_COLUMNS])
{
	const struct ior *s = r->state;
	struct slice access = rules_group(r, ROW_ACCESS), line = r->text->line;
	size_t n = split((struct slice){ access.p, (size_t)(line.p + line.n - access.p) }, cells);
	uint64_t iter;
	bool whole = n >= s->n_layout && s->iter > 0 && num_u64(cells[s->iter], &iter) == NUM_OK;
	for (size_t i = 1; whole && i < s->n_layout; i++)
		whole = is_number(cells[i]);
	if (whole && r->text->cut && cells[s->iter].p + cells[s->iter].n == line.p + line.n)
		whole = false;
	if (whole)
		return true;
	unreadable(r);
	if (ior_op_of(access) < IOR_OPS)
		ior_test_now(r)->series[ior_op_of(access)].lost++;
	return false;
}

bool ior_on_row(struct rules *r)
{
	struct ior *s = r->state;
	struct slice cells[IOR_COLUMNS];
	struct quantity q;
	if (!s->n_layout || !row_cells(r, cells))
		return false;
	enum ior_op op = ior_op_of(cells[0]);
	if (rules_group(r, ROW_BEFORE).n)
		rules_diag(r, DIAG_NOTE, rules_here(r), "another rank wrote into this row: its own columns are whole and are used");
	rules_tag(r, "iteration", cells[s->iter], rules_pos(r, cells[s->iter].p));
	for (size_t i = 1; i < s->n_layout; i++) {
		const struct ior_column *c = s->layout[i];
		if (!c || !c->stat || slice_is(cells[i], "-") ||
		    !rules_read(r, cells[i], SLICE_NONE, (struct unit_scale){ c->unit, metric_get(c->metric)->unit, c->factor }, &q))
			continue;
		struct result *k = rules_result(r, c->metric, c->stat, &q);
		k->test = op < IOR_OPS ? slice_of(ior_op_names[op]) : SLICE("remove");
		if (rules_group(r, ROW_BEFORE).n)
			k->flags |= RESULT_REPAIRED;
		if (op < IOR_OPS && c->metric == METRIC_BANDWIDTH && !q.missing)
			ior_see(&ior_test_now(r)->series[op], &q);
	}
	return false;
}

/* ---- the summary ---- */

static struct slice cell_of(const struct ior *s, const struct slice *cells, size_t n, enum ior_param param)
{
	for (size_t i = 0; i < s->n_layout && i < n; i++)
		if (s->layout[i] && !s->layout[i]->stat && s->layout[i]->param == param)
			return cells[i];
	return SLICE_NONE;
}

/* The block of the test that this row sums up. */
static void find_test(struct rules *r, const struct slice *cells, size_t n)
{
	struct ior *s = r->state;
	struct slice id = cell_of(s, cells, n, IOR_TEST);
	size_t found = s->test;
	uint64_t place;
	/* IOR numbers its tests from 0. */
	if (num_u64(id, &place) == NUM_OK && place < s->n_tests && slice_eq(s->tests[place].params[IOR_TEST].value, id))
		found = (size_t)place;
	if (found != s->test || !s->own_block) {
		rules_end(r);
		s->test = found;
		rules_begin(r);
		s->own_block = false;
		rules_name(r, slice_of(ior_op_names[ior_op_of(cells[0])]));
		ior_describe(r, ior_test_now(r));
	}
	for (enum ior_param p = 0; p < IOR_PARAMS; p++) {
		struct slice cell = cell_of(s, cells, n, p);
		uint64_t number;
		if (cell.n && (p == IOR_API || num_u64(cell, &number) == NUM_OK))
			ior_take_param(r, p, cell, cell);
	}
}

/* Mean(s) of a summary without numbers divides by the planned repetitions, not by those that were done. */
static void take_summary(struct rules *r, const struct ior_column *c, struct slice cell, enum ior_op op, bool none)
{
	struct ior_series *series = &ior_test_now(r)->series[op];
	struct quantity q;
	if (!rules_read(r, cell, SLICE_NONE, (struct unit_scale){ c->unit, metric_get(c->metric)->unit, c->factor }, &q))
		return;
	if (q.missing)
		q.suffix = NULL;
	q.missing |= none;
	struct result *k = rules_result(r, c->metric, c->stat, &q);
	k->test = slice_of(ior_op_names[op]);
	k->n = none ? 0 : series->n ? series->n : ior_test_now(r)->repetitions;
	if (c->metric != METRIC_BANDWIDTH || q.missing || ior_agrees(ior_test_now(r), op, c->stat, &q))
		return;
	k->flags |= RESULT_SUSPECT;
	rules_diag(r, DIAG_WARNING, q.pos, "%.*s is the %s in the summary, but the %llu rows give %.2f MiB/s", SLICE_ARG(cell),
		c->stat, (unsigned long long)series->n, ior_recomputed(series, c->stat) / 0x1p20);
}

/* OPs = bandwidth / transfer size. Those of 2.10 leave out that a block may be written several times. */
static void check_ops(struct rules *r, enum ior_op op)
{
	size_t n;
	double transfer;
	struct result *all = rules_results(r, &n);
	if (num_double(ior_test_now(r)->params[IOR_TRANSFER].value, &transfer) != NUM_OK || !(transfer > 0))
		return;
	const struct result *bandwidth = NULL;
	for (size_t i = n; i-- > 0 && (!bandwidth || !slice_is(all[i].stat, "max"));)
		if (all[i].metric == METRIC_BANDWIDTH && slice_is(all[i].stat, "mean") && ior_op_of(all[i].test) == op)
			bandwidth = &all[i];
	bool said = false;
	for (size_t i = bandwidth ? (size_t)(bandwidth - all) : n; i < n; i++) {
		double ops = bandwidth->q.value / transfer, slack = bandwidth->q.half_digit / transfer + all[i].q.half_digit;
		if (all[i].metric != METRIC_IOPS || all[i].q.missing || bandwidth->q.missing)
			continue;
		if (slice_is(all[i].stat, "mean"))
			said = fabs(all[i].q.value - ops) > slack + 1e-6 * ops;
		if (said && slice_is(all[i].stat, "mean"))
			rules_diag(r, DIAG_WARNING, all[i].q.pos, "%.*s operations a second were printed, but the bandwidth is that of "
				"%.2f transfers", SLICE_ARG(all[i].q.text), ops);
	}
	for (size_t i = bandwidth ? (size_t)(bandwidth - all) : n; said && i < n; i++)
		if (all[i].metric == METRIC_IOPS)
			all[i].flags |= RESULT_SUSPECT;
}

bool ior_on_summary(struct rules *r)
{
	struct ior *s = r->state;
	struct slice cells[IOR_COLUMNS];
	size_t n = split(r->text->line, cells), figures = 0;
	for (size_t i = 0; i < s->n_layout; i++)
		if (s->layout[i] && s->layout[i]->stat)
			figures = i + 1;
	enum ior_op op = ior_op_of(cells[0]);
	bool whole = figures && n >= figures && op < IOR_OPS;
	for (size_t i = 1; whole && i < figures; i++)
		whole = is_number(cells[i]) || slice_is(cells[i], "NA");
	if (!whole || (r->text->cut && n == figures)) {
		unreadable(r);
		return false;
	}
	find_test(r, cells, n);
	bool none = slice_find(r->text->line, SLICE("nan")) != (size_t)-1;
	for (size_t i = 1; i < figures; i++)
		if (s->layout[i] && s->layout[i]->stat)
			take_summary(r, s->layout[i], cells[i], op, none);
	ior_test_now(r)->series[op].summed_up = !none;
	check_ops(r, op);
	return false;
}
