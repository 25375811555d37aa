/* IOR 2.10 to 4.1: its text. What a column holds is told by the heading above it, not by the version, as versions of one
 * name print different tables. */
#include "parsers/batch.h"
#include "parsers/ior_check.h"

#include "base/num.h"

#include <math.h>

enum { START = 1, OPTIONS = 2, TABLE = 4, SUMMARY = 8 };
enum { COLUMNS = 40 };

static const struct column {
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

struct ior {
	struct batch batch; /* first: its rules use it */
	bool banner;        /* this run has shown one */
	bool finished, several;
	unsigned run;
	struct slice version, command;
	struct pos command_pos;
	struct ior_test *tests; /* of this run */
	size_t n_tests, cap;
	size_t test;            /* the present one */
	bool own_block;         /* the open block is that test's, not one of a later summary */
	const struct column *layout[COLUMNS];
	size_t n_layout;
	int iter;               /* place of "iter"; -1: none */
};

static struct ior_test *the_test(struct rules *r)
{
	struct ior *s = r->state;
	if (s->n_tests == 0)
		ARENA_PUSH(r->parse->arena, s->tests, s->n_tests, s->cap);
	return &s->tests[s->test];
}

static struct slice kept(struct rules *r, struct slice text)
{
	return arena_copy(r->parse->arena, text);
}

static struct slice number_text(struct rules *r, double value)
{
	char text[NUM_FORMAT_SIZE];
	return kept(r, (struct slice){ text, num_format(text, value) });
}

/* ---- blocks ---- */

static void describe(struct rules *r, const struct ior_test *t)
{
	const struct ior *s = r->state;
	batch_params(r);
	rules_version(r, s->version);
	if (s->several)
		rules_param(r, "run", slice_of(arena_printf(r->parse->arena, "%u", s->run)), rules_here(r));
	for (enum ior_param p = 0; t && p < IOR_PARAMS; p++)
		if (t->params[p].key.n)
			rules_param(r, ior_param_names[p], t->params[p].value, t->params[p].pos);
	if (s->command.n)
		rules_option(r, "command", s->command, s->command_pos);
}

/* Which statistic is which, for those who compare. */
static void define(struct rules *r)
{
	rules_option(r, "StdDev", SLICE("over iterations, divided by n"), rules_here(r));
	rules_option(r, "OPs", SLICE("transfers / total(s); IOPS of a row: transfers / wr/rd(s)"), rules_here(r));
}

static void begin_block(struct rules *r, const struct ior_test *t)
{
	struct ior *s = r->state;
	rules_begin(r);
	s->own_block = true;
	describe(r, t);
}

static void need_block(struct rules *r)
{
	if (!r->open)
		begin_block(r, the_test(r));
}

static void begin_test(struct rules *r)
{
	struct ior *s = r->state;
	rules_end(r);
	ARENA_PUSH(r->parse->arena, s->tests, s->n_tests, s->cap);
	s->test = s->n_tests - 1;
	begin_block(r, the_test(r));
}

/* ---- the end of a run ---- */

static void void_wrong(struct rules *r, const struct ior_test *t)
{
	size_t n;
	struct result *all = rules_results(r, &n);
	for (size_t i = 0; i < n; i++) {
		enum ior_op op = ior_op_of(all[i].test);
		if (op < IOR_OPS && t->series[op].wrong && all[i].metric != METRIC_RUNTIME)
			all[i].q.missing = true;
	}
}

static void give_recomputed(struct rules *r, const struct ior_test *t, enum ior_op op)
{
	static const char *const stats[] = { "max", "min", "mean", "sd" };
	const struct ior_series *series = &t->series[op];
	if (series->n < 2 || series->summed_up || series->wrong)
		return;
	for (size_t i = 0; i < sizeof stats / sizeof *stats; i++) {
		struct quantity q = { .value = ior_recomputed(series, stats[i]), .unit = UNIT_B_PER_S, .pos = rules_here(r) };
		struct result *k = rules_result(r, METRIC_BANDWIDTH, arena_printf(r->parse->arena, "recomputed_%s", stats[i]), &q);
		k->test = slice_of(ior_op_names[op]);
		k->n = series->n;
		k->flags = RESULT_DERIVED;
	}
}

static enum job_state state_of(struct rules *r, const char **why)
{
	const struct ior *s = r->state;
	bool rows = false;
	for (size_t i = 0; i < s->n_tests; i++)
		for (enum ior_op op = 0; op < IOR_OPS; op++) {
			const struct ior_series *series = &s->tests[i].series[op];
			rows |= series->n > 0 || series->summed_up;
			if (series->wrong)
				return JOB_UNVERIFIED;
			if (series->n > 0 && series->n < s->tests[i].repetitions && s->finished) {
				*why = arena_printf(r->parse->arena, "%s was done %llu times instead of %llu", ior_op_names[op],
					(unsigned long long)series->n, (unsigned long long)s->tests[i].repetitions);
				return JOB_INCOMPLETE;
			}
		}
	*why = s->finished ? "there is no result" : "IOR's output ends before the line that says it has finished";
	if (s->finished && rows)
		*why = "";
	return s->finished && rows ? JOB_COMPLETE : JOB_INCOMPLETE;
}

static void finish(struct rules *r)
{
	struct ior *s = r->state;
	const struct ior_test *t = the_test(r);
	const char *why = "";
	void_wrong(r, t);
	for (enum ior_op op = 0; op < IOR_OPS && s->own_block; op++)
		give_recomputed(r, t, op);
	if (!r->ended && !s->batch.over)
		return;
	enum job_state state = state_of(r, &why);
	batch_give(r, state, why);
	s->n_tests = s->test = s->cap = 0;
	s->tests = NULL;
	s->banner = s->finished = false;
	s->command = SLICE_NONE;
}

/* ---- what is said of the run ---- */

static bool more_banners(const struct rules *r)
{
	struct slice rest = slice_from(r->text.source->data, r->text.next);
	return slice_find(rest, SLICE(": MPI Coordinated Test of Parallel I/O")) != (size_t)-1;
}

/* What stood before the first one (errors of other ranks, which write past it) belongs to its run. */
static bool on_banner(struct rules *r)
{
	struct ior *s = r->state;
	if (s->banner)
		batch_next_run(r);
	s->banner = true;
	s->several |= more_banners(r);
	s->run++;
	s->version = kept(r, rules_group(r, 0));
	if (r->open) {
		describe(r, NULL);
	} else {
		s->n_tests = 0;
		begin_test(r);
	}
	return true;
}

static bool on_command(struct rules *r)
{
	struct ior *s = r->state;
	s->command = kept(r, slice_trim(rules_group(r, 0)));
	s->command_pos = rules_here(r);
	rules_option(r, "command", s->command, s->command_pos);
	return true;
}

static bool on_began(struct rules *r)
{
	batch_tool_time(r, rules_group(r, 0), false);
	return true;
}

static bool on_finished(struct rules *r)
{
	struct ior *s = r->state;
	s->finished = true;
	batch_tool_time(r, rules_group(r, 0), true);
	return true;
}

/* ---- tests ---- */

static bool on_test(struct rules *r)
{
	struct ior *s = r->state;
	struct slice id = kept(r, rules_group(r, 0));
	if (s->n_tests == 0 || the_test(r)->params[IOR_TEST].key.n)
		begin_test(r);
	need_block(r);
	ior_set(the_test(r), IOR_TEST, id, SLICE_NONE, rules_here(r));
	rules_param(r, ior_param_names[IOR_TEST], id, rules_here(r));
	return true;
}

/* 2.10 does not number its tests: a second list of options begins the second test. */
static bool on_options(struct rules *r)
{
	struct ior_test *t = the_test(r);
	if (t->params[IOR_API].key.n && t->params[IOR_TASKS].key.n && !t->params[IOR_TEST].key.n)
		begin_test(r);
	need_block(r);
	return true;
}

static void take_param(struct rules *r, enum ior_param param, struct slice value, struct slice text)
{
	value = kept(r, value);
	ior_set(the_test(r), param, value, kept(r, text), rules_pos(r, text.p));
	rules_param(r, ior_param_names[param], value, rules_pos(r, text.p));
}

enum { OPTION_KEY, OPTION_VALUE };

static bool on_option(struct rules *r)
{
	static const struct { const char *key; enum ior_param param; } known[] = {
		{ "api", IOR_API }, { "clients", IOR_TASKS }, { "tasks", IOR_TASKS }, { "nodes", IOR_NODES },
		{ "blocksize", IOR_BLOCK }, { "xfersize", IOR_TRANSFER },
	};
	struct slice key = rules_group(r, OPTION_KEY), value = rules_group(r, OPTION_VALUE), rest = value, word;
	enum ior_param param = IOR_PARAMS;
	double bytes;
	uint64_t n;
	if (!value.n || (r->text.cut && value.p + value.n == r->text.line.p + r->text.line.n))
		return true;
	rules_option(r, arena_string(r->parse->arena, key), value, rules_pos(r, value.p));
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (slice_is(key, known[i].key))
			param = known[i].param;
	if (param == IOR_BLOCK || param == IOR_TRANSFER) {
		if (ior_exact_size(value, &bytes))
			take_param(r, param, number_text(r, bytes), value);
	} else if (param != IOR_PARAMS && slice_word(&rest, &word)) {
		if (param == IOR_API)
			take_param(r, param, ior_bare_api(word), word);
		else if (num_u64(word, &n) == NUM_OK)
			take_param(r, param, word, word);
	} else if (slice_is(key, "repetitions")) {
		num_u64(value, &the_test(r)->repetitions);
	}
	return true;
}

/* ---- tables ---- */

static const struct column *column_of(struct slice name, const struct column *before)
{
	for (const struct column *c = columns; c < columns + KNOWN; c++)
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

static bool on_heading(struct rules *r)
{
	struct ior *s = r->state;
	struct slice rest = r->text.line, name;
	need_block(r);
	s->iter = -1;
	for (s->n_layout = 0; s->n_layout < COLUMNS && next_heading(r, &rest, &name); s->n_layout++) {
		const struct column *before = s->n_layout ? s->layout[s->n_layout - 1] : NULL;
		s->layout[s->n_layout] = column_of(name, before);
		if (slice_is(name, "iter"))
			s->iter = (int)s->n_layout;
	}
	define(r);
	return true;
}

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

static size_t split(struct slice rest, struct slice cells[COLUMNS])
{
	size_t n = 0;
	while (n < COLUMNS && next_cell(&rest, &cells[n]))
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
static bool row_cells(struct rules *r, struct slice cells[COLUMNS])
{
	const struct ior *s = r->state;
	struct slice access = rules_group(r, ROW_ACCESS), line = r->text.line;
	size_t n = split((struct slice){ access.p, (size_t)(line.p + line.n - access.p) }, cells);
	uint64_t iter;
	bool whole = n >= s->n_layout && s->iter > 0 && num_u64(cells[s->iter], &iter) == NUM_OK;
	for (size_t i = 1; whole && i < s->n_layout; i++)
		whole = is_number(cells[i]);
	if (whole && r->text.cut && cells[s->iter].p + cells[s->iter].n == line.p + line.n)
		whole = false;
	if (!whole)
		unreadable(r);
	return whole;
}

static bool on_row(struct rules *r)
{
	struct ior *s = r->state;
	struct slice cells[COLUMNS];
	struct quantity q;
	if (!s->n_layout || !row_cells(r, cells))
		return false;
	enum ior_op op = ior_op_of(cells[0]);
	if (rules_group(r, ROW_BEFORE).n)
		rules_diag(r, DIAG_NOTE, rules_here(r), "another rank wrote into this row: its own columns are whole and are used");
	rules_tag(r, "iteration", cells[s->iter], rules_pos(r, cells[s->iter].p));
	for (size_t i = 1; i < s->n_layout; i++) {
		const struct column *c = s->layout[i];
		if (!c || !c->stat || slice_is(cells[i], "-") ||
		    !rules_read(r, cells[i], SLICE_NONE, (struct unit_scale){ c->unit, metric_get(c->metric)->unit, c->factor }, &q))
			continue;
		struct result *k = rules_result(r, c->metric, c->stat, &q);
		k->test = op < IOR_OPS ? slice_of(ior_op_names[op]) : SLICE("remove");
		if (rules_group(r, ROW_BEFORE).n)
			k->flags |= RESULT_REPAIRED;
		if (op < IOR_OPS && c->metric == METRIC_BANDWIDTH && !q.missing)
			ior_see(&the_test(r)->series[op], &q);
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
	for (size_t i = 0; id.n && i < s->n_tests; i++)
		if (slice_eq(s->tests[i].params[IOR_TEST].value, id))
			found = i;
	if (found != s->test || !s->own_block) {
		rules_end(r);
		s->test = found;
		rules_begin(r);
		s->own_block = false;
		rules_name(r, slice_of(ior_op_names[ior_op_of(cells[0])]));
		describe(r, the_test(r));
	}
	for (enum ior_param p = 0; p < IOR_PARAMS; p++) {
		struct slice cell = cell_of(s, cells, n, p);
		uint64_t number;
		if (cell.n && (p == IOR_API || num_u64(cell, &number) == NUM_OK))
			take_param(r, p, cell, cell);
	}
}

/* Mean(s) of a summary without numbers divides by the planned repetitions, not by those that were done. */
static void take_summary(struct rules *r, const struct column *c, struct slice cell, enum ior_op op, bool none)
{
	struct ior_series *series = &the_test(r)->series[op];
	struct quantity q;
	if (!rules_read(r, cell, SLICE_NONE, (struct unit_scale){ c->unit, metric_get(c->metric)->unit, c->factor }, &q))
		return;
	if (q.missing)
		q.suffix = NULL;
	q.missing |= none;
	struct result *k = rules_result(r, c->metric, c->stat, &q);
	k->test = slice_of(ior_op_names[op]);
	k->n = none ? 0 : series->n ? series->n : the_test(r)->repetitions;
	if (c->metric != METRIC_BANDWIDTH || q.missing || series->n == 0 || ior_agrees(series, c->stat, &q))
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
	if (num_double(the_test(r)->params[IOR_TRANSFER].value, &transfer) != NUM_OK || !(transfer > 0))
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

static bool on_summary(struct rules *r)
{
	struct ior *s = r->state;
	struct slice cells[COLUMNS];
	size_t n = split(r->text.line, cells), figures = 0;
	for (size_t i = 0; i < s->n_layout; i++)
		if (s->layout[i] && s->layout[i]->stat)
			figures = i + 1;
	enum ior_op op = ior_op_of(cells[0]);
	bool whole = figures && n >= figures && op < IOR_OPS;
	for (size_t i = 1; whole && i < figures; i++)
		whole = is_number(cells[i]) || slice_is(cells[i], "NA");
	if (!whole || (r->text.cut && n == figures)) {
		unreadable(r);
		return false;
	}
	find_test(r, cells, n);
	bool none = slice_find(r->text.line, SLICE("nan")) != (size_t)-1;
	for (size_t i = 1; i < figures; i++)
		if (s->layout[i] && s->layout[i]->stat)
			take_summary(r, s->layout[i], cells[i], op, none);
	the_test(r)->series[op].summed_up = !none;
	check_ops(r, op);
	return false;
}

/* ---- failures ---- */

static bool on_wrong_data(struct rules *r)
{
	need_block(r);
	the_test(r)->series[slice_is(rules_group(r, 0), "write") ? IOR_WRITE : IOR_READ].wrong = true;
	batch_fails(r, r->text.line, rules_here(r));
	return true;
}

static bool on_error(struct rules *r)
{
	need_block(r);
	batch_fails(r, r->text.line, rules_here(r));
	return true;
}

/* ---- the table ---- */

#define OPTION_KEYS "api|test filename|access|pattern|type|segments|ordering in a file|ordering inter ?file|task offset|" \
	"reorder random seed|clients|nodes|tasks|clients per node|memoryBuffer|dataAccess|GPUDirect|repetitions|xfersize|" \
	"blocksize|aggregate filesize|stonewallingTime|stoneWallingWearOut|Using stonewalling|Lustre stripe [a-z]+|fsync"

static const struct rule rules[] = {
	{
		.id = "row", .in = TABLE, .action = on_row,
		.pattern = "(?<before>)(?<access>write|read|remove) +[-\\d.]",
		.sample = "write     897.86     3608       0.000554    4096       256.00     0.000139   0.017738   0.004691   0.017820   0",
		.fields = FIELDS(KEEP("before"), KEEP("access")),
	}, {
		.id = "summary row", .in = SUMMARY, .action = on_summary,
		.pattern = "(?:write|read) +(?:[\\d.]|-?nan)",
		.sample = "write        1250.74     952.16     1100.04    121.91    2501.48    1904.31     2200.08    243.83   0.01473   EXCEL",
	}, {
		.id = "option", .in = OPTIONS, .action = on_option,
		.pattern = "(?<key>" OPTION_KEYS ") *[:=] *(?<value>\\S(?:.*\\S)?)?\\s*$",
		.sample = "ordering inter file= no tasks offsets",
		.fields = FIELDS(KEEP("key"), KEEP("value")),
	}, {
		.id = "banner", .to = START, .action = on_banner,
		.pattern = "IOR-(?<version>\\S+): MPI Coordinated Test of Parallel I/O",
		.sample = "IOR-4.1.0+dev: MPI Coordinated Test of Parallel I/O", .fields = FIELDS(KEEP("version")),
	}, {
		.id = "options", .to = OPTIONS, .action = on_options,
		.pattern = "(?:Options|Summary): *$", .sample = "Summary:",
	}, {
		.id = "heading", .to = TABLE, .action = on_heading,
		.pattern = "access +bw\\(MiB/s\\) +", .sample = "access    bw(MiB/s)  block(KiB) xfer(KiB)  open(s)    wr/rd(s)   iter",
	}, {
		.id = "summary", .to = SUMMARY, .action = on_heading,
		.pattern = "Operation +Max ?\\(MiB\\) +", .sample = "Operation  Max (MiB)  Min (MiB)  Mean (MiB)   Std Dev",
	}, {
		.id = "test", .to = START, .action = on_test,
		.pattern = "(?:TestID *: *|Test )(?<id>\\d+)(?: started: .*)?$", .sample = "Test 1 started: Mon Nov 30 11:27:53 2026",
		.fields = FIELDS(KEEP("id")),
	}, {
		.id = "command", .action = on_command,
		.pattern = "Command line(?: used)? *: *(?<command>.*\\bior\\S* .*)$",
		.sample = "Command line        : bin/ior-400 -a POSIX -w", .fields = FIELDS(KEEP("command")),
	}, {
		.id = "began", .action = on_began,
		.pattern = "(?:Run began|Began) *: (?<date>\\w{3} \\w{3} .*)$", .sample = "Run began: Mon Nov 30 11:26:57 2026",
		.fields = FIELDS(KEEP("date")),
	}, {
		.id = "finished", .action = on_finished,
		.pattern = "(?:Run finished|Finished) *: (?<date>\\w{3} \\w{3} .*)$", .sample = "Finished: Mon Nov 30 11:27:53 2026",
		.fields = FIELDS(KEEP("date")),
	}, {
		.id = "wrong data", .action = on_wrong_data,
		.pattern = "WARNING: [Ii]ncorrect data on (?<op>read|write)|\\[\\d+\\] FAILED comparison of buffer",
		.sample = "WARNING: incorrect data on read (262136 errors found).", .fields = FIELDS(KEEP("op")),
	}, {
		.id = "error", .action = on_error,
		.pattern = "(?:ior ERROR: |ERROR: .*\\((?:ior|aiori)[^()]*\\.c:\\d+\\)|ERROR in (?:aiori-|IOR)|\\*\\* error \\*\\*)",
		.sample = "ior ERROR: open64() failed, errno 2, No such file or directory (aiori-POSIX.c:158)",
	},
	BATCH_RULES,
	{
		/* Behind what another rank wrote without a line end. */
		.id = "row behind", .in = TABLE, .action = on_row,
		.pattern = "(?<before>.{1,400}?)(?<access>write|read|remove) +[-\\d.]+ +[-\\d.]+ +[-\\d.]+ +[-\\d.]+ +[-\\d.]+ +[-\\d.]+ +",
		.sample = "task 1 reading fwrite     3709       1024.00    64.00      0.000159   0.002055   0.000779   0.002157   0",
		.fields = FIELDS(KEEP("before"), KEEP("access")),
	},
	{ .id = NULL }
};

static const char *const missing[] = { "-nan", "nan", "NA", "inf", "-inf", NULL };

static const struct ruleset set = {
	.tool = "ior", .rules = rules, .missing = missing, .state_size = sizeof(struct ior), .finish = finish,
};

/* ---- detection ---- */

static bool holds(struct slice text, const char *word)
{
	return slice_find(text, slice_of(word)) != (size_t)-1;
}

/* An error of IOR's own sources is enough: of a run that was refused there is nothing else. */
static int probe(const struct peek *peek)
{
	if (holds(peek->head, ": MPI Coordinated Test of Parallel I/O"))
		return peek->json ? 0 : 8 * 38;
	if (holds(peek->head, "access    bw(MiB/s)"))
		return 8 * 19;
	return holds(peek->head, "ior ERROR: ") || holds(peek->head, ", (ior.c:") ? 8 * 9 : 0;
}

const struct parser parser_ior = {
	.name = "ior", .title = "IOR text", .tool = "ior", .probe = probe, .rules = &set,
};
