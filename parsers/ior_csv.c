/* IOR's comma-separated rows: summaryFormat=CSV from 4.0 on, and saveRankPerformanceDetailsCSV. The CSV of 3.2 and 3.3 has
 * no separators. */
#include "parsers/batch.h"
#include "parsers/csv_table.h"
#include "parsers/ior_check.h"

#include "base/num.h"
#include "parsers/rules.h"

#include <math.h>

enum { MAX_ROWS = 4 << 20 };

static const struct cell {
	const char *heading, *openclose;
	enum metric_id metric;
	double factor;
	const char *unit;
} cells[] = {
	{ "bw(MiB/s)", NULL, METRIC_BANDWIDTH, 0x1p20, " MiB/s" },
	{ "IOPS", NULL, METRIC_IOPS, 1, NULL },
	{ "total(s)", NULL, METRIC_RUNTIME, 1, " s" },
	{ "throughput", "no", METRIC_BANDWIDTH, 1, " B/s" },
	{ "runtime", "no", METRIC_RUNTIME, 1, " s" },
	{ "throughput-withopenclose", "yes", METRIC_BANDWIDTH, 1, " B/s" },
	{ "runtime-with-openclose", "yes", METRIC_RUNTIME, 1, " s" },
};
enum { CELLS = sizeof cells / sizeof *cells };

struct ior_csv {
	const struct job *job;
	struct slice tasks, block, transfer;   /* of the job */
	struct slice first_rank[IOR_OPS];      /* the one whose return begins another iteration */
	unsigned iteration[IOR_OPS];
	bool begun;
};

/* KiB with four decimals: exact where these are zeros. */
static struct slice bytes_of(struct parse *p, struct slice kib)
{
	double value;
	char text[NUM_FORMAT_SIZE];
	if (!slice_ends(kib, ".0000") || num_scaled(kib, 0x1p10, &value) != NUM_OK)
		return SLICE_NONE;
	return arena_copy(p->arena, (struct slice){ text, num_format(text, value) });
}

static void begin(struct csv_table *t, const struct csv_row *row)
{
	struct ior_csv *s = t->ctx;
	struct slice number = batch_job_of(slice_of(t->parse->source->name));
	struct param params[4];
	size_t n = 0;
	struct pos pos = parse_pos(t->parse, row->cells[0].at);
	s->tasks = csv_table_text(t, row, "numTasks");
	s->block = csv_table_text(t, row, "block(KiB)");
	s->transfer = csv_table_text(t, row, "xfer(KiB)");
	const struct { const char *key; struct slice value; } known[] = {
		{ "job", number }, { "tasks", s->tasks }, { "block_size", bytes_of(t->parse, s->block) },
		{ "transfer_size", bytes_of(t->parse, s->transfer) },
	};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (known[i].value.n)
			params[n++] = (struct param){ .key = slice_of(known[i].key), .value = known[i].value, .pos = pos };
	struct job job = { .params = { params, n }, .partial = true, .pos = pos, .started = NAN, .stopped = NAN };
	s->job = t->parse->sink->job(t->parse->ctx, &job);
	s->begun = true;
}

static bool another(struct csv_table *t, const struct csv_row *row)
{
	const struct ior_csv *s = t->ctx;
	return !s->begun || !slice_eq(s->tasks, csv_table_text(t, row, "numTasks")) ||
		!slice_eq(s->block, csv_table_text(t, row, "block(KiB)")) ||
		!slice_eq(s->transfer, csv_table_text(t, row, "xfer(KiB)"));
}

/* Rows of ranks do not say which iteration they are of: the first rank's return begins the next. */
static struct slice iteration_of(struct csv_table *t, const struct csv_row *row, enum ior_op op, struct slice rank)
{
	struct ior_csv *s = t->ctx;
	struct slice printed = csv_table_text(t, row, "iter");
	if (printed.n)
		return printed;
	if (!s->first_rank[op].n)
		s->first_rank[op] = arena_copy(t->parse->arena, rank);
	else if (slice_eq(s->first_rank[op], rank))
		s->iteration[op]++;
	return arena_u64(t->parse->arena, s->iteration[op]);
}

static void take_row(struct csv_table *t, const struct csv_row *row)
{
	struct ior_csv *s = t->ctx;
	struct slice access = csv_table_text(t, row, "access"), rank = csv_table_text(t, row, "rank");
	enum ior_op op = ior_op_of(access);
	if (op == IOR_OPS)
		return;
	if (another(t, row))
		begin(t, row);
	struct slice iteration = iteration_of(t, row, op, rank);
	for (size_t i = 0; i < CELLS; i++) {
		const struct csv_cell *cell = csv_table_cell(t, row, cells[i].heading);
		struct param params[3];
		size_t n = 0;
		struct pos pos = parse_pos(t->parse, row->cells[0].at);
		struct result k = { .metric = cells[i].metric, .stat = SLICE("value"), .job = s->job, .test = access, .time = NAN };
		if (!cell || !parse_quantity(t->parse, cell->text, metric_get(k.metric)->unit, cells[i].factor, cells[i].unit, &k.q))
			continue;
		if (iteration.n)
			params[n++] = (struct param){ .key = SLICE("iteration"), .value = iteration, .pos = pos };
		if (rank.n)
			params[n++] = (struct param){ .key = SLICE("rank"), .value = rank, .pos = pos };
		if (cells[i].openclose)
			params[n++] = (struct param){ .key = SLICE("openclose"), .value = slice_of(cells[i].openclose), .pos = pos };
		k.params = (struct params){ params, n };
		t->parse->sink->result(t->parse->ctx, &k);
	}
}

/* Of the options in 3.2 and 3.3, the word that follows the command line without anything between. */
static bool without_separators(struct slice head)
{
	static const char sign[] = "summaryFormat=CSV";
	size_t at = slice_find(head, SLICE(sign));
	struct slice behind = slice_head(slice_from(head, at == (size_t)-1 ? head.n : at + strlen(sign)), 6);
	return slice_is(behind, "Linux ");
}

static enum status parse(struct parse *p)
{
	struct ior_csv s = { 0 };
	struct csv_table t = { .parse = p, .row = take_row, .ctx = &s, .max_rows = MAX_ROWS };
	if (without_separators(slice_head(p->source->data, PEEK_SIZE))) {
		parse_diag(p, DIAG_ERROR, NULL, "CSV of IOR 3.2 and 3.3 has no separators between its fields, and no results: have IOR "
			"write text or JSON");
		return STATUS_WARN;
	}
	parse_run(p, SLICE("ior"), SLICE_NONE);
	enum status status = csv_table_read(&t);
	return s.begun || status == STATUS_REJECT ? status : STATUS_REJECT;
}

static int probe(const struct peek *peek)
{
	static const char *const heads[] = { "access,bw(MiB/s),IOPS,", "access,rank,runtime-with-openclose,runtime," };
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		if (slice_starts(peek->head, heads[i]))
			return 8 * (int)strlen(heads[i]);
	return without_separators(peek->head) ? 8 * 60 : 0;
}

/* The lines that begin its output between other tools'. */
static const struct rule starts[] = {
	{ .id = "rows", .pattern = "access,bw\\(MiB/s\\),IOPS,",
	  .sample = "access,bw(MiB/s),IOPS,Latency,block(KiB)" },
	{ .id = "ranks", .pattern = "access,rank,runtime-with-openclose,runtime,",
	  .sample = "access,rank,runtime-with-openclose,runtime,throughput" },
	{ .id = NULL }
};

const struct parser parser_ior_csv = {
	.name = "ior-csv", .title = "IOR CSV", .tool = "ior", .probe = probe, .parse = parse,
	.starts = starts,
};
