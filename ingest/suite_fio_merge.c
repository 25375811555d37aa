/* The logs of one run's jobs together: NAME_clat.1.log, NAME_clat.2.log … give percentiles over all of their I/Os, in
 * total and over time, from their joined histograms. The rows stand in the run of the first of them, with merged=N. Their
 * units are settled before: it comes after suite_fio. */
#include "ingest/suite_fio.h"

#include "ingest/suite.h"
#include "model/over_time.h"

#include <math.h>

/* What suite_fio waits for. */
static bool wants(const struct run *r)
{
	(void)r;
	return false;
}

static struct slice host_of(const struct run *log)
{
	const struct param *host = params_find(log->jobs[0]->params, "host");
	return host ? host->value : SLICE("");
}

static bool fellows(const struct run *a, const struct run *b)
{
	const struct param *x = fio_log_kind(a), *y = fio_log_kind(b);
	return x && y && slice_eq(x->value, y->value) && slice_eq(a->jobs[0]->name, b->jobs[0]->name) &&
		slice_eq(host_of(a), host_of(b));
}

static bool is_of_latencies(const struct run *log)
{
	const struct param *kind = fio_log_kind(log);
	return kind && !slice_is(kind->value, "bw") && !slice_is(kind->value, "iops");
}

static const char *unit_name_of(const struct spread *s)
{
	return s->unit == 1e-9 ? "ns" : "µs";
}

/* Why a log's I/Os can't be joined with those of the first one; NULL: they can. */
static const char *obstacle(struct arena *a, const struct run *log, const char *op, const struct spread *first)
{
	const struct spread *s = run_spread(log, op);
	const struct param *alone = params_find(log->attrs, "log_alone");
	if (!s)
		return alone ? arena_string(a, alone->value) : "it has no histogram";
	if (s->unit <= 0)
		return "nothing tells the unit of its latencies";
	if (first && s->unit != first->unit)
		return arena_printf(a, "its latencies are in %s, the others' in %s", unit_name_of(s), unit_name_of(first));
	return NULL;
}

static const char *others(struct arena *a, size_t n)
{
	return n == 1 ? "the other log of its name and kind" : arena_printf(a, "the %zu other logs of its name and kind", n);
}

/* Of all logs, those with I/Os in this direction: none when one of them can't be joined, which is said once. */
static size_t parts_of(struct dataset *d, struct run *const *logs, size_t n, const char *op, struct spread **parts,
	bool *said)
{
	size_t found = 0;
	for (size_t i = 0; i < n; i++) {
		if (!run_find(logs[i], NULL, METRIC_SAMPLES, "count", op))
			continue;
		const char *why = obstacle(d->arena, logs[i], op, found ? parts[0] : NULL);
		if (why && !*said)
			fio_log_apart(d, logs[i], "is not joined with %s: %s", others(d->arena, n - 1), why);
		*said |= why != NULL;
		if (why)
			return 0;
		parts[found++] = (struct spread *)run_spread(logs[i], op);
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
		{ .key = SLICE("merged"), .value = arena_u64(d->arena, merged) } };
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
		row.q.value = spread_value(first, value);
		row.q.half_digit = row.q.value / 128;
		run_add_result(d->arena, r, &row);
	}
}

/* The windows of the log whose windows are longest; what each other log has in one is joined with it. */
static const struct spread *frame_of(struct spread *const *parts, size_t n)
{
	const struct spread *frame = parts[0];
	for (size_t i = 1; i < n; i++)
		if (parts[i]->n_windows && frame->n_windows &&
		    parts[i]->windows[0].to - parts[i]->windows[0].from > frame->windows[0].to - frame->windows[0].from)
			frame = parts[i];
	return frame;
}

/* A window is another's by its middle; behind the last one's end, the last one's. */
static void take_window(struct hist *into, const struct spread *s, double from, double to)
{
	for (size_t i = 0; i < s->n_windows; i++) {
		double middle = (s->windows[i].from + s->windows[i].to) / 2;
		if (middle >= from && middle < to)
			hist_merge_packed(into, &s->windows[i].hist);
	}
}

static size_t join_windows(struct arena *a, struct spread *const *parts, size_t n, struct spread_window **out)
{
	const struct spread *frame = frame_of(parts, n);
	struct spread_window *windows = *out = ARENA_ARRAY(a, frame->n_windows, struct spread_window);
	for (size_t i = 0; i < frame->n_windows; i++) {
		struct hist h = { .n = 0 };
		double from = i ? frame->windows[i].from : -INFINITY;
		double to = i + 1 < frame->n_windows ? frame->windows[i + 1].from : INFINITY;
		for (size_t k = 0; k < n; k++)
			take_window(&h, parts[k], from, to);
		windows[i] = (struct spread_window){ .from = frame->windows[i].from, .to = frame->windows[i].to,
			.hist = hist_pack(a, &h) };
	}
	return frame->n_windows;
}

/* Logs count time from their job's start. Jobs of several groups ran one after the other. */
static bool began_together(const struct run *log)
{
	const struct param *group = NULL;
	for (size_t i = 0; log->written_by && i < log->written_by->n_jobs; i++) {
		const struct job *job = log->written_by->jobs[i];
		const struct param *own = params_find(job->params, "group");
		if (!fio_wrote_log(job, log))
			continue;
		if (params_find(job->options, "startdelay") || (group && own && !slice_eq(own->value, group->value)))
			return false;
		group = own;
	}
	return true;
}

static void merge(struct dataset *d, struct run *const *logs, size_t n)
{
	static const char *const ops[] = { "read", "write", "trim", "sync" };
	struct spread **parts = ARENA_ARRAY(d->arena, n, struct spread *);
	bool together = began_together(logs[0]), said = false;
	if (!together)
		fio_log_apart(d, logs[0], "over time it is not joined with %s: %s says that their jobs did not begin together",
			others(d->arena, n - 1), logs[0]->written_by->source->name);
	for (size_t o = 0; o < sizeof ops / sizeof *ops; o++) {
		size_t found = parts_of(d, logs, n, ops[o], parts, &said);
		struct hist h = { .n = 0 };
		bool all = found > 1;
		for (size_t i = 0; i < found && all; i++)
			all = hist_merge_packed(&h, &parts[i]->hist);
		if (!all)
			continue;
		struct spread_window *windows = NULL;
		struct spread joined = *parts[0];
		joined.merged = found;
		joined.n_windows = together ? join_windows(d->arena, parts, found, &windows) : 0;
		joined.windows = windows;
		for (size_t i = 0; i < found && together; i++)
			parts[i]->part = true;
		put(d, logs[0], parts[0], &h, found);
		run_add_spread(d->arena, logs[0], &joined, &h);
	}
}

static void assemble(struct dataset *d, struct run *const *members, size_t n, struct source *directory)
{
	struct run **logs = ARENA_ARRAY(d->arena, n, struct run *);
	(void)directory;
	for (size_t i = 0; i < n; i++) {
		size_t found = 0;
		bool first = is_of_latencies(members[i]);
		for (size_t k = 0; k < n && first; k++) {
			if (!fellows(members[i], members[k]))
				continue;
			first = k >= i;
			logs[found++] = members[k];
		}
		if (first && found > 1)
			merge(d, logs, found);
	}
}

const struct suite suite_fio_merge = { wants, assemble };
