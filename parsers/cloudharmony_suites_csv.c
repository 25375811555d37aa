/* What save.sh of CloudHarmony's stream, unixbench and iperf suites makes of their runs: one row each. The figures are
 * those of the tools, under whose names they are reported. */
#include "base/num.h"
#include "parsers/cloudharmony_key.h"
#include "parsers/csv_table.h"

#include <math.h>

/* What a column stands for. */
struct figure {
	const char *test;      /* NULL: of the protocol */
	enum metric_id metric;
	const char *stat;
	double factor;
	const char *suffix;
	struct slice threads;  /* of stream, as the column's name has it; else empty */
};

struct suite {
	const char *tool;      /* NULL: by the row */
	const char *const *own; /* columns that only this suite has */
	bool (*figure)(struct slice column, struct figure *f);
	/* Params of a row's figure from its other columns. */
	size_t (*params)(const struct csv_table *t, const struct csv_row *row, const struct figure *f, struct param *out);
};

enum { MAX_PARAMS = 6 };

static size_t add_param(const struct csv_table *t, const struct csv_row *row, const char *key, const char *column,
	struct param *out)
{
	const struct csv_cell *c = csv_table_cell(t, row, column);
	if (!c || c->text.n == 0)
		return 0;
	*out = (struct param){ .key = slice_of(key), .value = c->text, .pos = parse_pos(t->parse, c->at) };
	return 1;
}

/* ---- stream: the first run with one thread, then Triad with 2, 3 … ---- */

static bool stream_figure(struct slice column, struct figure *f)
{
	static const struct { const char *name, *test; } kernels[] = { { "stream_copy", "Copy" }, { "stream_scale", "Scale" },
		{ "stream_add", "Add" }, { "stream_triad", "Triad" } };
	static const struct { const char *suffix, *stat; } times[] = { { "_avg_time", "mean" }, { "_min_time", "min" },
		{ "_max_time", "max" } };
	uint64_t threads;
	for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
		if (!slice_starts(column, kernels[i].name))
			continue;
		struct slice rest = slice_from(column, strlen(kernels[i].name));
		*f = (struct figure){ .test = kernels[i].test, .metric = METRIC_BANDWIDTH, .stat = "max", .factor = 1e6,
			.suffix = " MB/s", .threads = SLICE("1") };
		if (rest.n == 0)
			return true;
		if (num_u64(rest, &threads) == NUM_OK && threads > 1) {
			f->threads = rest;
			return true;
		}
		for (size_t k = 0; k < sizeof times / sizeof *times; k++)
			if (slice_is(rest, times[k].suffix)) {
				*f = (struct figure){ .test = kernels[i].test, .metric = METRIC_RUNTIME, .stat = times[k].stat, .factor = 1,
					.suffix = " s", .threads = SLICE("1") };
				return true;
			}
	}
	return false;
}

static size_t stream_params(const struct csv_table *t, const struct csv_row *row, const struct figure *f,
	struct param *out)
{
	size_t n = add_param(t, row, "array_size", "array_size", out);
	out[n++] = (struct param){ .key = SLICE("threads"), .value = f->threads };
	return n;
}

/* ---- unixbench: the score of one copy, and of as many as there are CPUs ---- */

static bool unixbench_figure(struct slice column, struct figure *f)
{
	bool several = slice_is(column, "multicore_score");
	*f = (struct figure){ .test = "System Benchmarks Index Score", .metric = METRIC_INDEX, .stat = "value", .factor = 1,
		.threads = several ? SLICE_NONE : SLICE("1") };
	return several || slice_is(column, "score");
}

static size_t unixbench_params(const struct csv_table *t, const struct csv_row *row, const struct figure *f,
	struct param *out)
{
	if (f->threads.n == 0)
		return add_param(t, row, "copies", "multicore_copies", out);
	*out = (struct param){ .key = SLICE("copies"), .value = f->threads };
	return 1;
}

/* ---- iperf: statistics over the intervals of a run ---- */

static bool iperf_figure(struct slice column, struct figure *f)
{
	static const struct { const char *prefix; enum metric_id metric; double factor; const char *suffix; } kinds[] = {
		{ "bandwidth_", METRIC_BANDWIDTH, 1e6 / 8, " Mb/s" }, { "jitter_", METRIC_JITTER, 1e-3, " ms" },
		{ "loss_", METRIC_LOSS, 1, " %" } };
	static const struct { const char *name, *stat; } stats[] = { { "max", "max" }, { "mean", "mean" },
		{ "median", "median" }, { "min", "min" }, { "p10", "p10" }, { "p25", "p25" }, { "p75", "p75" }, { "p90", "p90" },
		{ "stdev", "sd" } };
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		for (size_t k = 0; slice_starts(column, kinds[i].prefix) && k < sizeof stats / sizeof *stats; k++)
			if (slice_is(slice_from(column, strlen(kinds[i].prefix)), stats[k].name)) {
				*f = (struct figure){ .metric = kinds[i].metric, .stat = stats[k].stat, .factor = kinds[i].factor,
					.suffix = kinds[i].suffix };
				return true;
			}
	return false;
}

static size_t iperf_params(const struct csv_table *t, const struct csv_row *row, const struct figure *f,
	struct param *out)
{
	(void)f;
	struct slice direction = csv_table_text(t, row, "bandwidth_direction");
	size_t n = add_param(t, row, "streams", "iperf_parallel", out);
	n += add_param(t, row, "server", "iperf_server", out + n);
	if (slice_is(csv_table_text(t, row, "iperf_reverse"), "1"))
		out[n++] = (struct param){ .key = SLICE("reverse"), .value = SLICE("1") };
	if (slice_is(direction, "up") || slice_is(direction, "down"))
		out[n++] = (struct param){ .key = SLICE("direction"),
			.value = slice_is(direction, "up") ? SLICE("sender") : SLICE("receiver") };
	return n;
}

/* ---- rows ---- */

static const char *const stream_own[] = { "stream_max_triad", "stream_triad", "memory_per_array", NULL };
static const char *const unixbench_own[] = { "multicore_score", "multicore_copies", "nosinglethread", NULL };
static const char *const iperf_own[] = { "iperf_server", "bandwidth_direction", "iperf_parallel", NULL };

static const struct suite suites[] = {
	{ "stream", stream_own, stream_figure, stream_params },
	{ "unixbench", unixbench_own, unixbench_figure, unixbench_params },
	{ NULL, iperf_own, iperf_figure, iperf_params },
};

static int bits_of(const struct suite *s, struct slice head)
{
	int bits = 0;
	size_t found = 0, wanted = 0;
	for (; s->own[wanted]; wanted++) {
		struct slice rest = head, column;
		bool has = false;
		while (!has && slice_cut(&rest, ',', &column))
			has = slice_is(column, s->own[wanted]);
		found += has;
		bits += has ? 8 * (int)strlen(s->own[wanted]) : 0;
	}
	return found == wanted ? bits : 0;
}

static const struct suite *suite_of(struct slice data, int *bits)
{
	struct slice head;
	if (!slice_cut(&data, '\n', &head))
		return NULL;
	for (size_t i = 0; i < sizeof suites / sizeof *suites; i++)
		if ((*bits = bits_of(&suites[i], slice_trim(head))) > 0)
			return &suites[i];
	return NULL;
}

static int probe(const struct peek *peek)
{
	int bits;
	return suite_of(peek->head, &bits) ? bits : 0;
}

struct reading {
	const struct suite *suite;
	bool several;
};

static void emit(struct csv_table *t, const struct csv_row *row, const struct figure *f, const struct csv_cell *c)
{
	const struct reading *reading = t->ctx;
	struct parse *p = t->parse;
	struct param params[MAX_PARAMS];
	size_t n = reading->suite->params(t, row, f, params);
	const char *protocol = slice_is(csv_table_text(t, row, "iperf_udp"), "1") ? "udp" : "tcp";
	if (reading->several)
		params[n++] = (struct param){ .key = SLICE("run"), .value = arena_u64(p->arena, t->rows) };
	struct result r = { .metric = f->metric, .stat = slice_of(f->stat), .test = slice_of(f->test ? f->test : protocol),
		.params = { params, n }, .time = NAN };
	if (parse_quantity(p, c->text, metric_get(f->metric)->unit, f->factor, f->suffix, &r.q))
		p->sink->result(p->ctx, &r);
}

static void take_row(struct csv_table *t, const struct csv_row *row)
{
	const struct reading *reading = t->ctx;
	struct slice version = csv_table_text(t, row, "iperf_version");
	const char *tool = reading->suite->tool ? reading->suite->tool : slice_starts(version, "2") ? "iperf" : "iperf3";
	struct figure f;
	parse_run(t->parse, slice_of(tool), version);
	for (size_t i = 0; i < row->n && i < t->columns; i++)
		if (row->cells[i].text.n && !reading->suite->figure(t->head[i], &f))
			cloudharmony_attribute(t->parse, t->head[i], row->cells[i].text, row->cells[i].at);
	for (size_t i = 0; i < row->n && i < t->columns; i++)
		if (row->cells[i].text.n && reading->suite->figure(t->head[i], &f))
			emit(t, row, &f, &row->cells[i]);
}

static enum status parse(struct parse *p)
{
	int bits;
	struct reading reading = { suite_of(p->source->data, &bits), cloudharmony_csv_several(p) };
	struct csv_table t = { .parse = p, .row = take_row, .ctx = &reading, .max_rows = 1000 };
	return reading.suite ? csv_table_read(&t) : STATUS_REJECT;
}

const struct parser parser_cloudharmony_suites_csv = {
	.name = "cloudharmony-suites-csv",
	.title = "CloudHarmony stream, unixbench or iperf CSV",
	.tool = "cloudharmony",
	.probe = probe,
	.parse = parse,
};
