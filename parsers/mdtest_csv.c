/* mdtest's --saveRankPerformanceDetails: a row of all ranks for each iteration, and one for each rank. */
#include "parsers/batch.h"
#include "parsers/csv_table.h"

#include "base/num.h"
#include "parsers/rules.h"

#include <math.h>

enum { MAX_ROWS = 4 << 20 };

struct mdtest_csv {
	const struct job *job;
	unsigned iteration;
	struct slice first;  /* the first rank that has a row of its own */
	bool began;          /* a row of all ranks stands before those of this iteration */
};

/* An iteration begins with a row of all ranks, or, as some have none, with the return of the first rank. */
static void count_iteration(struct csv_table *t, struct slice rank)
{
	struct mdtest_csv *s = t->ctx;
	bool all = slice_is(rank, "all");
	if (all || (slice_eq(rank, s->first) && !s->began))
		s->iteration += t->rows > 1;
	if (!all && !s->first.n)
		s->first = arena_copy(t->parse->arena, rank);
	s->began = all;
}

static bool is_zero(struct slice text)
{
	double v;
	return num_double(text, &v) == NUM_OK && v == 0;
}

static void take_cell(struct csv_table *t, size_t i, const struct csv_cell *cell, struct params params)
{
	const struct mdtest_csv *s = t->ctx;
	struct slice head = t->head[i];
	bool rate = slice_starts(head, "rate-"), time = slice_starts(head, "time-");
	struct result k = { .metric = rate ? METRIC_RATE : METRIC_RUNTIME, .stat = SLICE("value"), .job = s->job,
		.test = slice_from(head, 5), .params = params, .time = NAN };
	if (!(rate || time) || !cell->text.n)
		return;
	if (parse_quantity(t->parse, cell->text, metric_get(k.metric)->unit, 1, rate ? " ops/sec" : " s", &k.q)) {
		k.q.missing = is_zero(cell->text);
		t->parse->sink->result(t->parse->ctx, &k);
	} else {
		t->status = STATUS_WARN;
	}
}

static void take_row(struct csv_table *t, const struct csv_row *row)
{
	struct mdtest_csv *s = t->ctx;
	struct slice rank = csv_table_text(t, row, "rank");
	struct pos pos = parse_pos(t->parse, row->cells[0].at);
	count_iteration(t, rank);
	struct param params[] = {
		{ .key = SLICE("iteration"), .value = arena_u64(t->parse->arena, s->iteration), .pos = pos },
		{ .key = SLICE("rank"), .value = rank, .pos = pos },
	};
	for (size_t i = 0; i < row->n && i < t->columns; i++)
		take_cell(t, i, &row->cells[i], (struct params){ params, 2 });
}

static enum status parse(struct parse *p)
{
	struct mdtest_csv s = { 0 };
	struct csv_table t = { .parse = p, .row = take_row, .ctx = &s, .short_rows = true, .max_rows = MAX_ROWS };
	struct slice number = batch_job_of(slice_of(p->source->name));
	struct param of_batch = { .key = SLICE("job"), .value = number, .pos = { .source = p->source } };
	struct job job = { .params = { &of_batch, number.n ? 1 : 0 }, .partial = true, .pos = { .source = p->source },
		.started = NAN, .stopped = NAN };
	parse_run(p, SLICE("mdtest"), SLICE_NONE);
	s.job = p->sink->job(p->ctx, &job);
	return csv_table_read(&t);
}

static int probe(const struct peek *peek)
{
	static const char head[] = "rank,items,rate-Directory creation,";
	return slice_starts(peek->head, head) ? 8 * (int)strlen(head) : 0;
}

/* The lines that begin its output between other tools'. */
static const struct rule starts[] = {
	{ .id = "head", .pattern = "rank,items,rate-Directory creation,",
	  .sample = "rank,items,rate-Directory creation,rate-Directory stat" },
	{ .id = NULL }
};

const struct parser parser_mdtest_csv = {
	.name = "mdtest-csv", .title = "mdtest's rank CSV", .tool = "mdtest", .probe = probe, .parse = parse,
	.starts = starts,
};
