/* What save.sh of CloudHarmony's SPEC CPU2017 suite makes of its runs: one row each, with columns for every benchmark and
 * metric of the four suites. */
#include "base/num.h"
#include "parsers/cloudharmony_key.h"
#include "parsers/csv_table.h"
#include "parsers/spec_tables.h"

#include <math.h>

enum benchmark_column { RATIO, RATIO_MIN, RATIO_MAX, RATIO_SD, RUNTIME, REFTIME, BENCHMARK_COLUMNS };

static const struct { const char *suffix, *stat; enum metric_id metric; } columns[BENCHMARK_COLUMNS] = {
	[RATIO] = { "", "value", METRIC_RATIO },
	[RATIO_MIN] = { "_min", "min", METRIC_RATIO },
	[RATIO_MAX] = { "_max", "max", METRIC_RATIO },
	[RATIO_SD] = { "_stdev", "sd", METRIC_RATIO },
	[RUNTIME] = { "_runtime", "value", METRIC_RUNTIME },
	[REFTIME] = { "_reftime", NULL, METRIC_RUNTIME },
};

/* What a row says of one benchmark. */
struct measured {
	const struct spec_suite *suite;
	const struct spec_benchmark *benchmark;
	bool has[BENCHMARK_COLUMNS], suspect;
	struct quantity q[BENCHMARK_COLUMNS];
};

enum { MAX_MEASURED = 64, MAX_PARAMS = 5 };

struct spec_row {
	struct csv_table *table;
	const struct csv_row *row;
	struct measured v[MAX_MEASURED];
	size_t n;
	double copies; /* NAN: not known */
};

/* "benchmark_523_xalancbmk_r_max": the benchmark, its suite, and which of its columns. */
static const struct spec_benchmark *benchmark_column(struct parse *p, struct slice key, const struct spec_suite **suite,
	enum benchmark_column *which)
{
	if (!slice_starts(key, "benchmark_") || key.n < 16 || key.p[13] != '_')
		return NULL;
	struct slice name = slice_from(key, 10);
	for (int i = BENCHMARK_COLUMNS - 1; i >= 0; i--) {
		if (!slice_ends(name, columns[i].suffix) || name.n < strlen(columns[i].suffix) + 6)
			continue;
		size_t n = name.n - strlen(columns[i].suffix) - 4;
		struct slice dotted = slice_of(arena_printf(p->arena, "%.3s.%.*s", name.p, (int)n, name.p + 4));
		*suite = spec_suite_by_benchmark(dotted, slice_ends(dotted, "_r"));
		*which = (enum benchmark_column)i;
		if (*suite)
			return spec_benchmark_find(*suite, dotted);
	}
	return NULL;
}

/* "specrate2017_int_base" */
static const struct spec_suite *metric_column(struct slice key, enum spec_tune *tune)
{
	static const char *const names[] = { "intrate", "fprate", "intspeed", "fpspeed" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const struct spec_suite *suite = spec_suite_by_name("spec-cpu2017", slice_of(names[i]), i < 2);
		for (int t = 0; suite && t < SPEC_TUNES; t++)
			if (slice_eq_nocase(key, slice_of(suite->metric[t]))) {
				*tune = (enum spec_tune)t;
				return suite;
			}
	}
	return NULL;
}

static const char *tune_name(enum spec_tune tune)
{
	return tune == SPEC_BASE ? "base" : "peak";
}

static int probe(const struct peek *peek)
{
	static const char *const own[] = { "specrate2017_int_base", "specrate2017_fp_base", "specspeed2017_int_base",
		"benchmark_500_perlbench_r", "num_benchmarks", "validate_disk_space" };
	struct slice rest = peek->head, head, column;
	bool benchmark = false, version = false;
	int bits = 0;
	if (!slice_cut(&rest, '\n', &head))
		return 0;
	for (rest = slice_trim(head); slice_cut(&rest, ',', &column);) {
		benchmark |= slice_starts(column, "benchmark_5") || slice_starts(column, "benchmark_6");
		version |= slice_is(column, "benchmark_version");
		for (size_t i = 0; i < sizeof own / sizeof *own; i++)
			bits += slice_is(column, own[i]) ? 8 * (int)column.n : 0;
	}
	return benchmark && version ? bits : 0;
}

static struct measured *measured_of(struct spec_row *r, const struct spec_suite *suite, const struct spec_benchmark *b)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->v[i].benchmark == b)
			return &r->v[i];
	if (r->n == MAX_MEASURED)
		return NULL;
	r->v[r->n] = (struct measured){ .suite = suite, .benchmark = b };
	return &r->v[r->n++];
}

static void read_benchmarks(struct spec_row *r)
{
	struct csv_table *t = r->table;
	enum benchmark_column which;
	const struct spec_suite *suite;
	for (size_t i = 0; i < r->row->n && i < t->columns; i++) {
		const struct csv_cell *c = &r->row->cells[i];
		const struct spec_benchmark *b = c->text.n ? benchmark_column(t->parse, t->head[i], &suite, &which) : NULL;
		struct measured *m = b ? measured_of(r, suite, b) : NULL;
		if (m && !m->has[which])
			m->has[which] = parse_quantity(t->parse, c->text, metric_get(columns[which].metric)->unit, 1, NULL,
				&m->q[which]);
	}
}

static void emit_attributes(struct spec_row *r)
{
	struct csv_table *t = r->table;
	enum benchmark_column which;
	const struct spec_suite *suite;
	enum spec_tune tune;
	for (size_t i = 0; i < r->row->n && i < t->columns; i++) {
		const struct csv_cell *c = &r->row->cells[i];
		if (c->text.n && !benchmark_column(t->parse, t->head[i], &suite, &which) && !metric_column(t->head[i], &tune))
			cloudharmony_attribute(t->parse, t->head[i], c->text, c->at);
	}
}

static size_t params_of(const struct spec_row *r, const struct spec_suite *suite, const char *tune, bool several,
	struct param out[static MAX_PARAMS])
{
	struct parse *p = r->table->parse;
	const struct csv_cell *copies = csv_table_cell(r->table, r->row, "copies"),
		*tuned = csv_table_cell(r->table, r->row, "tune");
	size_t n = 0;
	if (suite->rate && copies && copies->text.n)
		out[n++] = (struct param){ .key = SLICE("copies"), .value = copies->text, .pos = parse_pos(p, copies->at) };
	if (!tune && tuned && (slice_is(tuned->text, "base") || slice_is(tuned->text, "peak")))
		out[n++] = (struct param){ .key = SLICE("tune"), .value = tuned->text, .pos = parse_pos(p, tuned->at) };
	if (tune)
		out[n++] = (struct param){ .key = SLICE("tune"), .value = slice_of(tune) };
	if (several)
		out[n++] = (struct param){ .key = SLICE("run"), .value = arena_u64(p->arena, r->table->rows) };
	return n;
}

/* Contradictions between the columns of one benchmark. */
static void check_benchmark(const struct spec_row *r, struct measured *m)
{
	struct parse *p = r->table->parse;
	const struct quantity *q = m->q;
	const struct quantity *end = m->has[RATIO_MAX] && q[RATIO].value > q[RATIO_MAX].value + q[RATIO_MAX].half_digit
		? &q[RATIO_MAX] : m->has[RATIO_MIN] && q[RATIO].value < q[RATIO_MIN].value - q[RATIO_MIN].half_digit
		? &q[RATIO_MIN] : NULL;
	if (!m->has[RATIO])
		return;
	if (end) {
		m->suspect = true;
		parse_diag(p, DIAG_WARNING, q[RATIO].text.p, "the ratio of %s, %.*s, is %s than its %s, %.*s", m->benchmark->name,
			SLICE_ARG(q[RATIO].text), end == &q[RATIO_MAX] ? "greater" : "less", end == &q[RATIO_MAX] ? "maximum" : "minimum",
			SLICE_ARG(end->text));
	}
	bool rate = m->suite->rate;
	if (!m->has[RUNTIME] || q[RUNTIME].value <= 0 || (rate && isnan(r->copies)))
		return;
	double reference = m->has[REFTIME] ? q[REFTIME].value : m->benchmark->reference;
	double ratio = reference / q[RUNTIME].value * (rate ? r->copies : 1);
	double slack = q[RATIO].half_digit + ratio * q[RUNTIME].half_digit / q[RUNTIME].value + 1e-4 * ratio;
	if (fabs(ratio - q[RATIO].value) <= slack)
		return;
	m->suspect = true;
	parse_diag(p, DIAG_WARNING, q[RATIO].text.p, "the ratio of %s is %.*s, but its run time of %.*s s makes it %.6g",
		m->benchmark->name, SLICE_ARG(q[RATIO].text), SLICE_ARG(q[RUNTIME].text), ratio);
}

static void emit_benchmark(const struct spec_row *r, struct measured *m, bool several)
{
	struct parse *p = r->table->parse;
	struct param params[MAX_PARAMS];
	size_t n = params_of(r, m->suite, NULL, several, params);
	check_benchmark(r, m);
	for (int i = 0; i < BENCHMARK_COLUMNS; i++) {
		struct result k = { .metric = columns[i].metric, .stat = slice_of(columns[i].stat), .q = m->q[i],
			.test = slice_of(m->benchmark->name), .params = { params, n }, .time = NAN,
			.flags = m->suspect ? RESULT_SUSPECT : 0 };
		if (m->has[i] && columns[i].stat)
			p->sink->result(p->ctx, &k);
	}
}

/* Geometric mean of the ratios of a suite, and how many there are. */
static double mean_of(const struct spec_row *r, const struct spec_suite *suite, size_t *n)
{
	double sum = 0;
	*n = 0;
	for (size_t i = 0; i < r->n; i++)
		if (r->v[i].suite == suite && r->v[i].has[RATIO] && r->v[i].q[RATIO].value > 0) {
			sum += log(r->v[i].q[RATIO].value);
			++*n;
		}
	return *n ? exp(sum / (double)*n) : NAN;
}

static void emit_metric(const struct spec_row *r, const struct spec_suite *suite, enum spec_tune tune,
	const struct csv_cell *c, bool several)
{
	struct parse *p = r->table->parse;
	struct param params[MAX_PARAMS + 1];
	struct slice tuned = csv_table_text(r->table, r->row, "tune");
	size_t n = params_of(r, suite, tune_name(tune), several, params), found;
	const char *name = suite->metric[tune];
	struct result k = { .metric = METRIC_SCORE, .stat = SLICE("value"), .test = slice_of(name), .time = NAN };
	double mean = mean_of(r, suite, &found);
	bool known = slice_is(tuned, tune_name(tune));
	if (!parse_quantity(p, c->text, UNIT_ONE, 1, NULL, &k.q))
		return;
	if (known && found < suite->n)
		params[n++] = (struct param){ .key = SLICE("complete"), .value = SLICE("no") };
	k.params = (struct params){ params, n };
	if (known && found && fabs(mean - k.q.value) > k.q.half_digit + 1e-4 * mean) {
		k.flags |= RESULT_SUSPECT;
		parse_diag(p, DIAG_WARNING, c->at, "%s is %.*s, but the geometric mean of the %zu ratio%s in this row is %.6g", name,
			SLICE_ARG(c->text), found, found == 1 ? "" : "s", mean);
	}
	p->sink->result(p->ctx, &k);
	if (!known || found < suite->n)
		return;
	k.q = (struct quantity){ .value = mean, .unit = UNIT_ONE, .pos = parse_pos(p, c->at) };
	k.stat = SLICE("recomputed");
	k.flags = RESULT_DERIVED;
	p->sink->result(p->ctx, &k);
}

static void emit_valid(const struct spec_row *r, bool several)
{
	struct parse *p = r->table->parse;
	const struct csv_cell *c = csv_table_cell(r->table, r->row, "valid");
	struct param run = { .key = SLICE("run"), .value = arena_u64(p->arena, r->table->rows) };
	struct result k = { .metric = METRIC_VALID, .stat = SLICE("value"), .params = { &run, several }, .time = NAN };
	if (c && (slice_is(c->text, "0") || slice_is(c->text, "1")) && parse_quantity(p, c->text, UNIT_ONE, 1, NULL, &k.q))
		p->sink->result(p->ctx, &k);
}

/* Whether a list of benchmark numbers has this one; true for lists of anything else ("all", "int"). */
static bool listed(struct slice list, const char *number)
{
	for (size_t i = 0; i < list.n; i++)
		if ((list.p[i] < '0' || list.p[i] > '9') && !strchr(" ,|", list.p[i]))
			return true;
	return slice_find(list, (struct slice){ number, 3 }) != (size_t)-1;
}

/* What the suite was told to run, against what has figures. */
static void check_counts(const struct spec_row *r)
{
	struct parse *p = r->table->parse;
	const struct csv_cell *list = csv_table_cell(r->table, r->row, "benchmarks"),
		*count = csv_table_cell(r->table, r->row, "num_benchmarks");
	uint64_t told;
	size_t measured = 0;
	for (size_t i = 0; i < r->n; i++) {
		const struct measured *m = &r->v[i];
		measured += m->has[RATIO];
		if (list && list->text.n && m->has[RATIO] && !listed(list->text, m->benchmark->name))
			parse_diag(p, DIAG_WARNING, list->at, "benchmarks=%.*s was to be run, but the figures are of %s",
				SLICE_ARG(list->text), m->benchmark->name);
	}
	if (count && num_u64(count->text, &told) == NUM_OK && told != measured)
		parse_diag(p, DIAG_WARNING, count->at, "num_benchmarks=%.*s, but %zu have a ratio", SLICE_ARG(count->text), measured);
}

/* The clock against the run times that it must hold. */
static void check_times(const struct spec_row *r)
{
	struct parse *p = r->table->parse;
	const struct csv_cell *start = csv_table_cell(r->table, r->row, "test_started"),
		*stop = csv_table_cell(r->table, r->row, "test_stopped");
	double from, to, sum = 0;
	if (!start || !stop || !cloudharmony_time(start->text, &from) || !cloudharmony_time(stop->text, &to))
		return;
	for (size_t i = 0; i < r->n; i++)
		sum += r->v[i].has[RUNTIME] ? r->v[i].q[RUNTIME].value : 0;
	if (to < from)
		parse_diag(p, DIAG_WARNING, stop->at, "the test ended at %.*s, before it began at %.*s", SLICE_ARG(stop->text),
			SLICE_ARG(start->text));
	else if (sum > to - from + 1)
		parse_diag(p, DIAG_WARNING, stop->at, "run times of %.6g s in all don't fit between %.*s and %.*s, %.6g s", sum,
			SLICE_ARG(start->text), SLICE_ARG(stop->text), to - from);
}

static void take_row(struct csv_table *t, const struct csv_row *row)
{
	struct spec_row *r = ARENA_NEW(t->parse->arena, struct spec_row);
	bool several = *(const bool *)t->ctx;
	const struct spec_suite *suite;
	enum spec_tune tune;
	*r = (struct spec_row){ .table = t, .row = row, .copies = NAN };
	num_double(csv_table_text(t, row, "copies"), &r->copies);
	parse_run(t->parse, SLICE("spec-cpu2017"), SLICE(""));
	emit_attributes(r);
	read_benchmarks(r);
	for (size_t i = 0; i < r->n; i++)
		emit_benchmark(r, &r->v[i], several);
	for (size_t i = 0; i < row->n && i < t->columns; i++)
		if (row->cells[i].text.n && (suite = metric_column(t->head[i], &tune)))
			emit_metric(r, suite, tune, &row->cells[i], several);
	emit_valid(r, several);
	check_counts(r);
	check_times(r);
}

static enum status parse(struct parse *p)
{
	bool several = cloudharmony_csv_several(p);
	struct csv_table t = { .parse = p, .row = take_row, .ctx = &several, .max_rows = 1000 };
	return csv_table_read(&t);
}

const struct parser parser_cloudharmony_spec_csv = {
	.name = "cloudharmony-spec-csv",
	.title = "CloudHarmony SPEC CPU2017 CSV",
	.tool = "spec-cpu2017",
	.probe = probe,
	.parse = parse,
};
