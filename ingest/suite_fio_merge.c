/* The logs of one run's jobs together: NAME_clat.1.log, NAME_clat.2.log … give percentiles over all of their I/Os, from
 * their joined histograms. The rows stand in the run of the first of them, with merged=N. Their units are settled before:
 * it comes after suite_fio. */
#include "ingest/suite.h"

#include <math.h>

/* What suite_fio waits for. */
static bool wants(const struct run *r)
{
	(void)r;
	return false;
}

static const struct param *log_kind(const struct run *r)
{
	return slice_is(r->tool, "fio") && r->n_jobs ? params_find(r->jobs[0]->params, "log") : NULL;
}

static struct slice host_of(const struct run *log)
{
	const struct param *host = params_find(log->jobs[0]->params, "host");
	return host ? host->value : SLICE("");
}

static bool fellows(const struct run *a, const struct run *b)
{
	const struct param *x = log_kind(a), *y = log_kind(b);
	return x && y && slice_eq(x->value, y->value) && slice_eq(a->jobs[0]->name, b->jobs[0]->name) &&
		slice_eq(host_of(a), host_of(b));
}

/* Of all logs, those with I/Os in this direction. None when one of them has I/Os whose latencies can't be joined with the
 * others': of windows, of several jobs, in another unit, or in one that nothing tells. */
static size_t parts_of(struct run *const *logs, size_t n, const char *op, const struct spread **parts)
{
	size_t found = 0;
	for (size_t i = 0; i < n; i++) {
		const struct spread *s = run_spread(logs[i], op);
		if (!s && run_find(logs[i], NULL, METRIC_SAMPLES, "count", op))
			return 0;
		if (s && (s->unit <= 0 || (found && s->unit != parts[0]->unit)))
			return 0;
		if (s)
			parts[found++] = s;
	}
	return found;
}

static void put(struct dataset *d, struct run *r, const struct spread *first, const struct hist *h, size_t merged)
{
	static const struct {
		double p;
		const char *stat;
		uint64_t n; /* that it takes at least */
	} wanted[] = { { 50, "p50", 1 }, { 90, "p90", 1 }, { 99, "p99", 1 }, { 99.9, "p99.9", 1000 } };
	struct param own[] = { { .key = SLICE("op"), .value = first->op },
		{ .key = SLICE("merged"), .value = slice_of(arena_printf(d->arena, "%zu", merged)) } };
	struct result row = { .metric = METRIC_SAMPLES, .stat = SLICE("count"), .job = r->jobs[0], .params = { own, 2 },
		.n = h->n, .time = NAN, .flags = RESULT_DERIVED,
		.q = { .value = (double)h->n, .unit = metric_get(METRIC_SAMPLES)->unit, .pos = { .source = r->source } } };
	run_add_result(d->arena, r, &row);
	row.metric = first->metric;
	row.q.unit = metric_get(first->metric)->unit;
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
		double value = hist_percentile(h, wanted[i].p);
		if (h->n < wanted[i].n || hist_index((uint64_t)value) >= first->open_end)
			continue;
		row.stat = slice_of(wanted[i].stat);
		row.q.value = value * first->unit;
		row.q.half_digit = row.q.value / 128;
		run_add_result(d->arena, r, &row);
	}
}

static void merge(struct dataset *d, struct run *const *logs, size_t n)
{
	static const char *const ops[] = { "read", "write", "trim", "sync" };
	const struct spread **parts = ARENA_ARRAY(d->arena, n, const struct spread *);
	for (size_t o = 0; o < sizeof ops / sizeof *ops; o++) {
		size_t found = parts_of(logs, n, ops[o], parts);
		struct hist h = { .n = 0 };
		bool all = found > 1;
		for (size_t i = 0; i < found && all; i++)
			all = hist_merge_packed(&h, &parts[i]->hist);
		if (all)
			put(d, logs[0], parts[0], &h, found);
	}
}

static void assemble(struct dataset *d, struct run *const *members, size_t n, struct source *directory)
{
	struct run **logs = ARENA_ARRAY(d->arena, n, struct run *);
	(void)directory;
	for (size_t i = 0; i < n; i++) {
		size_t found = 0;
		bool first = members[i]->n_spreads > 0;
		for (size_t k = 0; k < n && first; k++) {
			if (!fellows(members[i], members[k]))
				continue;
			first = k >= i || members[k]->n_spreads == 0;
			logs[found++] = members[k];
		}
		if (first && found > 1)
			merge(d, logs, found);
	}
}

const struct suite suite_fio_merge = { wants, assemble };
