/* fio.csv: what CloudHarmony's save.sh makes of all fio jobs of a run: one row per job. fio's own columns keep fio's
 * units; with fio 3 the latency columns stay empty, since the table knows fio 2's names only. */
#include "base/num.h"
#include "parsers/csv_table.h"
#include "parsers/fio.h"

#include <math.h>
#include <stdio.h>

#define KIB 1024.0

/* Columns of one direction, without "read_" or "write_". */
static const struct figure {
	const char *column;
	enum metric_id metric;
	const char *stat;
	double factor;
} figures[] = {
	{ "iops", METRIC_IOPS, "value", 1 },
	{ "bw", METRIC_BANDWIDTH, "value", KIB },
	{ "bw_min", METRIC_BANDWIDTH, "min", KIB },
	{ "bw_max", METRIC_BANDWIDTH, "max", KIB },
	{ "bw_mean", METRIC_BANDWIDTH, "mean", KIB },
	{ "bw_dev", METRIC_BANDWIDTH, "sd", KIB },
	{ "runtime", METRIC_RUNTIME, "value", 1e-3 },
};

/* fio 2 printed these in µs. */
static const struct { const char *prefix; enum metric_id metric; } latencies[] = {
	{ "lat_", METRIC_LATENCY },
	{ "clat_", METRIC_COMPLETION_LATENCY },
	{ "slat_", METRIC_SUBMISSION_LATENCY },
};

static int probe(const struct peek *peek)
{
	static const char *const own[] = { "fio_command", "jobname", "read_iops", "write_iops", "iodepth_level_gte64" };
	struct slice rest = peek->head, head, column;
	int bits = 0;
	slice_cut(&rest, '\n', &head);
	for (rest = slice_trim(head); slice_cut(&rest, ',', &column);)
		for (size_t i = 0; i < sizeof own / sizeof *own; i++)
			bits += slice_is(column, own[i]) ? 8 * (int)column.n : 0;
	return bits >= 8 * (11 + 7 + 9) ? bits : 0;
}

static struct slice directed(const struct csv_table *t, const struct csv_row *row, const char *op, const char *column)
{
	char name[64];
	snprintf(name, sizeof name, "%s_%s", op, column);
	return csv_table_text(t, row, name);
}

static double number(struct slice text)
{
	double v;
	return num_double(text, &v) == NUM_OK ? v : NAN;
}

static void emit(struct csv_table *t, const struct job *job, const char *op, enum metric_id metric, const char *stat,
	double factor, struct slice text)
{
	struct param param = { .key = SLICE("op"), .value = slice_of(op) };
	struct result r = { .metric = metric, .stat = slice_of(stat), .job = job, .time = NAN };
	if (op)
		r.params = (struct params){ &param, 1 };
	if (text.n && parse_quantity(t->parse, text, metric_get(metric)->unit, factor, NULL, &r.q))
		t->parse->sink->result(t->parse->ctx, &r);
}

/* Bytes from fio 2.21 on, KiB before: bandwidth × run time says which. */
static void emit_io(struct csv_table *t, const struct csv_row *row, const struct job *job, const char *op)
{
	struct slice text = directed(t, row, op, "io_bytes");
	double moved = number(directed(t, row, op, "bw")) * KIB * number(directed(t, row, op, "runtime")) * 1e-3;
	double n = number(text);
	if (fabs(n - moved) <= 0.05 * moved)
		emit(t, job, op, METRIC_IO, "value", 1, text);
	else if (fabs(n * KIB - moved) <= 0.05 * moved)
		emit(t, job, op, METRIC_IO, "value", KIB, text);
}

/* "percentile_99_95" is p99.95. */
static const char *latency_stat(struct parse *p, struct slice name)
{
	static const char *const plain[][2] = { { "min", "min" }, { "max", "max" }, { "mean", "mean" }, { "stddev", "sd" } };
	struct slice whole, rest = slice_from(name, strlen("percentile_"));
	for (size_t i = 0; i < 4; i++)
		if (slice_is(name, plain[i][0]))
			return plain[i][1];
	if (!slice_starts(name, "percentile_") || !slice_cut(&rest, '_', &whole))
		return NULL;
	return arena_printf(p->arena, "p%.*s%s%.*s", SLICE_ARG(whole), rest.n ? "." : "", SLICE_ARG(rest));
}

static void emit_latency(struct csv_table *t, const struct csv_row *row, const struct job *job, const char *op,
	const char *kind, enum metric_id metric)
{
	char prefix[32];
	size_t skip = (size_t)snprintf(prefix, sizeof prefix, "%s_%s", op, kind);
	for (size_t i = 0; i < row->n && i < t->columns; i++) {
		if (row->cells[i].text.n == 0 || !slice_starts(t->head[i], prefix))
			continue;
		const char *stat = latency_stat(t->parse, slice_from(t->head[i], skip));
		if (stat)
			emit(t, job, op, metric, stat, 1e-6, row->cells[i].text);
	}
}

static void emit_latencies(struct csv_table *t, const struct csv_row *row, const struct job *job, const char *op)
{
	for (size_t k = 0; k < sizeof latencies / sizeof *latencies; k++) {
		char max[16];
		snprintf(max, sizeof max, "%smax", latencies[k].prefix);
		/* All zero: not measured. */
		if (number(directed(t, row, op, max)) > 0)
			emit_latency(t, row, job, op, latencies[k].prefix, latencies[k].metric);
	}
}

static void emit_direction(struct csv_table *t, const struct csv_row *row, const struct job *job, const char *op)
{
	/* No I/O this way, or not known. */
	if (!(number(directed(t, row, op, "iops")) > 0) && !(number(directed(t, row, op, "io_bytes")) > 0))
		return;
	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
		emit(t, job, op, figures[i].metric, figures[i].stat, figures[i].factor, directed(t, row, op, figures[i].column));
	emit_io(t, row, job, op);
	emit_latencies(t, row, job, op);
}

static void emit_cpu(struct csv_table *t, const struct csv_row *row, const struct job *job)
{
	static const char *const modes[][2] = { { "usr_cpu", "usr" }, { "sys_cpu", "sys" } };
	for (size_t i = 0; i < 2; i++) {
		struct slice text = csv_table_text(t, row, modes[i][0]);
		struct param mode = { .key = SLICE("mode"), .value = slice_of(modes[i][1]) };
		struct result r = { .metric = METRIC_CPU_UTIL, .stat = SLICE("value"), .job = job, .params = { &mode, 1 },
			.time = NAN };
		if (text.n && parse_quantity(t->parse, text, UNIT_PERCENT, 1, NULL, &r.q))
			t->parse->sink->result(t->parse->ctx, &r);
	}
}

static const struct job *emit_job(struct csv_table *t, const struct csv_row *row)
{
	/* What else a row says of its job, beside the command. */
	static const char *const facts[] = { "started", "stopped", "test", "iteration", NULL };
	struct parse *p = t->parse;
	struct slice line = csv_table_text(t, row, "fio_command"), name = csv_table_text(t, row, "jobname");
	struct fio_command command = { 0 };
	struct fio_options options = { 0 }, params = { 0 };
	if (line.n && fio_command_read(p->arena, line, name, parse_pos(p, line.p), &command)) {
		options = command.agreed;
		fio_options_params(p->arena, &command.agreed, &params);
		for (size_t i = 0; i < command.targets.n; i++)
			fio_options_add(p->arena, &options, command.targets.v[i].key, command.targets.v[i].value,
				command.targets.v[i].pos);
		fio_options_add(p->arena, &options, SLICE("fio_command"), line, parse_pos(p, line.p));
	}
	for (size_t i = 0; facts[i]; i++) {
		struct slice text = csv_table_text(t, row, facts[i]);
		if (text.n)
			fio_options_add(p->arena, &options, slice_of(facts[i]), text, parse_pos(p, text.p));
	}
	struct job job = { .name = name, .params = { params.v, params.n }, .options = { options.v, options.n },
		.pos = parse_pos(p, row->cells[0].at), .started = NAN, .stopped = NAN };
	const struct job *kept = p->sink->job(p->ctx, &job);
	return kept;
}

static void take_job(struct csv_table *t, const struct csv_row *row)
{
	struct parse *p = t->parse;
	if (t->rows == 1)
		parse_run(p, SLICE("fio"), csv_table_text(t, row, "fio_version"));
	const struct job *job = emit_job(t, row);
	emit_direction(t, row, job, "read");
	emit_direction(t, row, job, "write");
	emit_cpu(t, row, job);
}

static enum status parse(struct parse *p)
{
	struct csv_table t = { .parse = p, .row = take_job, .max_rows = 50000 };
	return csv_table_read(&t);
}

const struct parser parser_cloudharmony_fio_csv = {
	.name = "cloudharmony-fio-csv",
	.title = "CloudHarmony fio.csv",
	.tool = "fio",
	.probe = probe,
	.parse = parse,
};
