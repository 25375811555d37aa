/* What the rows of a log mean. */
#include "parsers/fio_logs.h"

#include "base/num.h"

#include <math.h>
#include <stdlib.h>

static const enum metric_id metric_of[LOG_KINDS] = {
	[LOG_BW] = METRIC_BANDWIDTH, [LOG_IOPS] = METRIC_IOPS, [LOG_LAT] = METRIC_LATENCY,
	[LOG_SLAT] = METRIC_SUBMISSION_LATENCY, [LOG_CLAT] = METRIC_COMPLETION_LATENCY,
	[LOG_CLAT_HIST] = METRIC_COMPLETION_LATENCY,
};

/* ---- results ---- */

/* Times from this one on are Unix times: a day in 1973, or three years of a log. */
#define UNIX_TIME_MS UINT64_C(100000000000)

static void tell_origin(struct parse *p, uint64_t origin)
{
	char text[NUM_FORMAT_SIZE];
	if (origin == 0)
		return;
	if (origin >= UNIX_TIME_MS)
		parse_meta(p, "started", (struct slice){ text, num_format(text, (double)origin / 1000) }, NULL);
	fio_log_say(p, DIAG_NOTE, 0, "its clock did not begin with the job (%s): times count from its first row",
		origin >= UNIX_TIME_MS ? "log_unix_epoch" : "log_alternate_epoch, or a late start");
}

void fio_log_begin(struct fio_log_out *out, struct parse *p, const struct fio_log_name *name, uint64_t origin)
{
	*out = (struct fio_log_out){ .p = p, .kind = name->kind };
	struct param params[2] = {
		{ .key = SLICE("log"), .value = slice_of(fio_log_kind_name(name->kind)) },
		{ .key = SLICE("host"), .value = name->host },
	};
	struct job job = { .name = name->test, .params = { params, name->host.n ? 2 : 1 }, .started = NAN, .stopped = NAN,
		.pos = { .source = p->source } };
	parse_run(p, SLICE("fio"), SLICE(""));
	tell_origin(p, origin);
	out->job = p->sink->job(p->ctx, &job);
}

void fio_log_put(const struct fio_log_out *out, int op, enum metric_id metric, const char *stat, double value, double half,
	uint64_t n)
{
	struct param own = { .key = SLICE("op"), .value = slice_of(fio_log_op_name[op]) };
	struct result r = { .metric = metric, .stat = slice_of(stat), .job = out->job, .params = { &own, 1 }, .n = n,
		.time = NAN, .flags = RESULT_DERIVED | (out->open && metric != METRIC_SAMPLES ? RESULT_OPEN : 0),
		.q = { .value = value, .unit = metric_get(metric)->unit, .half_digit = half, .pos = { .source = out->p->source } } };
	if (isfinite(value))
		out->p->sink->result(out->p->ctx, &r);
}

void fio_log_keep(const struct fio_log_out *out, int op, const struct spread *spread, unsigned unit_ns,
	const struct hist *hist)
{
	struct spread s = *spread;
	s.metric = metric_of[out->kind];
	s.op = slice_of(fio_log_op_name[op]);
	s.unit = unit_ns * 1e-9;
	if (out->p->sink->spread)
		out->p->sink->spread(out->p->ctx, &s, hist);
}

/* ---- the unit of latencies ---- */

enum fifth { FIFTH_NONE, FIFTH_OFFSET, FIFTH_PRIO, FIFTH_UNKNOWN };

/* What the column behind the block size of five is. */
static enum fifth fifth_of(const struct fio_log *log)
{
	if (log->layout->columns != 5)
		return FIFTH_NONE;
	if (log->prio_hex)
		return FIFTH_PRIO;
	if (log->offset_bits > 1)
		return log->offset_bits % 512 ? FIFTH_UNKNOWN : FIFTH_OFFSET;
	/* One I/O at offset 0 looks like one without priority. */
	return log->windows || log->rows > 1 ? FIFTH_PRIO : FIFTH_UNKNOWN;
}

static bool has_prio(const struct fio_log *log)
{
	return log->layout->prio >= 0 || fifth_of(log) == FIFTH_PRIO;
}

/* The smallest value that is not 0 and has a bucket of its own, over all directions; 0: none. */
static uint64_t smallest(const struct fio_log *log)
{
	for (size_t value = 1; value < 2 * HIST_GROUP_BUCKETS; value++)
		for (int i = 0; i < LOG_OPS; i++)
			if (log->op[i].hist.bucket[value])
				return value;
	return 0;
}

/* ns in a unit of the log; 0: nothing tells. Says why. */
static unsigned unit_of(const struct fio_log *log, unsigned set)
{
	uint64_t least = log->kind == LOG_SLAT ? 0 : smallest(log);
	if (set) {
		fio_log_say(log->p, DIAG_NOTE, 0, "latencies are read as %s, as the user says", set == 1 ? "ns" : "µs");
		return set;
	}
	if (has_prio(log)) {
		fio_log_say(log->p, DIAG_NOTE, 0, "latencies are read as ns: logs with a priority are of fio 3.18 or later");
		return 1;
	}
	if (log->beyond) {
		fio_log_say(log->p, DIAG_NOTE, log->beyond, "latencies are read as ns: in µs this I/O would have begun long before the log");
		return 1;
	}
	if (least && least < LEAST_NS) {
		fio_log_say(log->p, DIAG_NOTE, 0, "latencies are read as µs: %llu ns would be too short for an I/O",
			(unsigned long long)least);
		return 1000;
	}
	return 0; /* what stands beside the log may tell: whoever knows that says so when it does not */
}

/* ---- series ---- */

static void put_series(const struct fio_log_out *out, int op, enum metric_id metric, double interval,
	const struct point *points, size_t n)
{
	struct param own[2] = {
		{ .key = SLICE("op"), .value = slice_of(fio_log_op_name[op]) },
		{ .key = SLICE("log"), .value = slice_of(fio_log_kind_name(out->kind)) },
	};
	struct series s = { .kind = SERIES_SAMPLES, .metric = metric, .test = out->job ? out->job->name : SLICE(""),
		.params = { own, 2 }, .points = points, .n = n, .interval = interval };
	if (n >= 2)
		out->p->sink->series(out->p->ctx, &s);
}

static struct point point_of(const struct fio_log_out *out, const struct fio_log_slot *slot, double t, double value)
{
	return (struct point){ .t = t, .value = value, .job = out->job,
		.pos = { .source = out->p->source, .line = slot->line, .column = slot->line ? 1 : 0 } };
}

/* Windows give their own metric; the interval is that of the rows on average. */
static void windows_series(const struct fio_log *log, const struct fio_log_out *out, int op, double divisor)
{
	const struct fio_log_op *o = &log->op[op];
	struct point *points = ARENA_ARRAY(log->p->arena, o->n_slots, struct point);
	for (size_t i = 0; i < o->n_slots; i++)
		points[i] = point_of(out, &o->slots[i], (double)o->slots[i].end * 1e-3,
			(double)o->slots[i].sum / (double)o->slots[i].n / divisor);
	double interval = o->n_slots > 1 ? (points[o->n_slots - 1].t - points[0].t) / (double)(o->n_slots - 1) : 0;
	put_series(out, op, metric_of[log->kind], interval, points, o->n_slots);
}

/* I/Os give their rate and their bytes' in each slot; the last slot is not full. */
static void rate_series(const struct fio_log *log, const struct fio_log_out *out, int op)
{
	const struct fio_log_op *o = &log->op[op];
	size_t n = (size_t)((log->last_time - log->origin) / log->slot_ms);
	double interval = (double)log->slot_ms * 1e-3;
	struct point *points = ARENA_ARRAY(log->p->arena, n, struct point);
	for (size_t i = 0; i < n; i++)
		points[i] = point_of(out, &o->slots[i], (double)(i + 1) * interval, (double)o->slots[i].n / interval);
	put_series(out, op, METRIC_IOPS, interval, points, n);
	for (size_t i = 0; i < n; i++)
		points[i].value = (double)o->slots[i].bytes / interval;
	put_series(out, op, METRIC_BANDWIDTH, interval, points, n);
}

/* ---- figures ---- */

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

/* Nearest rank over all values; of more than LOG_EXACT, the histogram's bucket. */
static void put_percentiles(const struct fio_log *log, const struct fio_log_out *out, int op, double divisor)
{
	static const struct {
		double p;
		const char *stat;
		uint64_t rows; /* that it takes at least */
	} wanted[] = { { 50, "p50", 1 }, { 90, "p90", 1 }, { 99, "p99", 1 }, { 99.9, "p99.9", 1000 } };
	const struct fio_log_op *o = &log->op[op];
	if (o->n_values)
		qsort(o->values, o->n_values, sizeof *o->values, by_value);
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted && o->rows >= wanted[i].rows; i++) {
		double value, half = 0;
		if (o->n_values) {
			size_t rank = (size_t)ceil(wanted[i].p / 100 * (double)o->n_values);
			value = (double)o->values[rank ? rank - 1 : 0];
		} else {
			value = hist_percentile(&o->hist, wanted[i].p);
			half = value / 128;
			if (o->hist.beyond && value >= hist_value(HIST_BUCKETS - 1))
				continue; /* a lower bound only */
		}
		fio_log_put(out, op, metric_of[log->kind], wanted[i].stat, value / divisor, half / divisor, o->rows);
	}
}

static void put_figures(const struct fio_log *log, const struct fio_log_out *out, int op, double divisor)
{
	const struct fio_log_op *o = &log->op[op];
	enum metric_id metric = metric_of[log->kind];
	if (log->windows && !log->restarts && !out->open)
		windows_series(log, out, op, divisor);
	fio_log_put(out, op, metric, "mean", hist_mean(&o->hist) / divisor, 0, o->rows);
	if (log->kind < LOG_LAT)
		return;
	if (log->layout->max >= 0) {
		fio_log_put(out, op, metric, "max", (double)o->max / divisor, 0, o->rows);
	} else if (!log->windows) {
		fio_log_put(out, op, metric, "min", (double)o->hist.min / divisor, 0, o->rows);
		fio_log_put(out, op, metric, "max", (double)o->hist.max / divisor, 0, o->rows);
		put_percentiles(log, out, op, divisor);
	}
}

/* The stretches with I/Os. The last one ends with the log; less than half of one is added to the one before. */
static size_t windows_of(const struct fio_log *log, int op, struct spread_window *windows)
{
	const struct fio_log_op *o = &log->op[op];
	size_t n = 0, per = (size_t)(log->stretch_ms / log->slot_ms);
	uint64_t end = log->last_time - log->origin + 1;
	size_t last = (size_t)((end - 1) / log->stretch_ms);
	if (last > 0 && last < LOG_STRETCHES && end % log->stretch_ms && end % log->stretch_ms < log->stretch_ms / 2) {
		hist_merge(&o->stretch[last - 1], &o->stretch[last]);
		o->stretch[last] = (struct hist){ .n = 0 };
		last--;
	}
	for (size_t i = 0; i < LOG_STRETCHES; i++) {
		uint64_t from = i * log->stretch_ms, to = i == last ? end : from + log->stretch_ms;
		struct spread_window *w = &windows[n];
		if (o->stretch[i].n == 0)
			continue;
		*w = (struct spread_window){ .from = (double)from / 1000, .to = (double)to / 1000,
			.hist = hist_pack(log->p->arena, &o->stretch[i]) };
		for (size_t k = i * per; k < o->n_slots && !w->line; k++)
			w->line = o->slots[k].line;
		n++;
	}
	return n;
}

static void keep_spread(const struct fio_log *log, const struct fio_log_out *out, int op, double divisor)
{
	const struct fio_log_op *o = &log->op[op];
	struct spread_window windows[LOG_STRETCHES];
	struct spread s = { .open_end = HIST_BUCKETS - 1, .windows = windows, .n_windows = windows_of(log, op, windows) };
	for (size_t i = 0; i < o->n_slots; i++)
		s.bytes += o->slots[i].bytes;
	fio_log_keep(out, op, &s, out->open ? 0 : divisor > 1e8 ? 1 : 1000, &o->hist);
}

/* What a row's value is in base units; 0: it gives no figures. */
static double divisor_of(const struct fio_log *log, unsigned unit_ns)
{
	uint64_t ones = 0;
	switch (log->kind) {
	case LOG_BW:
		return log->windows ? 1 / 1024.0 : 0; /* KiB/s */
	case LOG_IOPS:
		for (int i = 0; i < LOG_OPS; i++)
			ones += log->op[i].hist.bucket[1];
		return log->windows || ones < log->rows ? 1 : 0;
	default:
		unit_ns = unit_of(log, unit_ns);
		return unit_ns ? 1e9 / unit_ns : 0;
	}
}

/* ---- what is odd ---- */

/* Whether a word of the name stands for itself: "read" does in "randread", not in "thread". */
static bool names(struct slice name, const char *word)
{
	static const char *const before[] = { "rand", "random", "seq", "sequential" };
	size_t n = strlen(word);
	for (size_t i = 0; i + n <= name.n; i++) {
		if (!slice_eq_nocase(slice_head(slice_from(name, i), n), slice_of(word)))
			continue;
		struct slice left = slice_head(name, i);
		char c = i ? left.p[i - 1] : '-';
		bool found = !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'));
		for (size_t k = 0; k < sizeof before / sizeof *before; k++)
			found |= left.n >= strlen(before[k]) &&
				slice_eq_nocase(slice_from(left, left.n - strlen(before[k])), slice_of(before[k]));
		if (found)
			return true;
	}
	return false;
}

static void check(const struct fio_log *log, const struct fio_log_name *name)
{
	bool read = names(name->test, "read"), write = names(name->test, "write");
	uint64_t repeats = 0;
	for (int i = 0; i < LOG_OPS; i++)
		repeats += log->op[i].repeats;
	if (read != write && log->op[read ? 0 : 1].rows == 0)
		fio_log_say(log->p, DIAG_WARNING, 1, "is named for %s, but holds none: another run may have written over it",
			read ? "reads" : "writes");
	if (log->restarts)
		fio_log_say(log->p, DIAG_WARNING, log->restarts,
			"time begins again at 0: whole logs stand one after the other; means are over all of them");
	if (repeats && !log->backwards)
		fio_log_say(log->p, DIAG_NOTE, 0, "windows with the time of the one before: %llu", (unsigned long long)repeats);
	if (log->backwards)
		fio_log_say(log->p, DIAG_WARNING, log->backwards,
			"time goes backwards: several jobs' logs in one file (per_job_logs=0); only their rows are counted");
}

static void say_how_read(const struct fio_log *log)
{
	static const char *const fifth[] = { [FIFTH_NONE] = "", [FIFTH_OFFSET] = "; the fifth varies in whole blocks: offsets",
		[FIFTH_PRIO] = "; the fifth is never more than a priority can be",
		[FIFTH_UNKNOWN] = "; the fifth may be an offset or a priority" };
	const char *what = log->by_time ? "means over windows, as their distance shows" :
		log->windows ? "means over windows, as their block size 0 shows" : "an I/O each";
	fio_log_say(log->p, DIAG_NOTE, 0, "%llu rows, %s; columns: %s%s", (unsigned long long)log->rows, what, log->layout->title,
		fifth[fifth_of(log)]);
}

void fio_log_evaluate(struct fio_log *log, const struct fio_log_name *name, unsigned unit_ns)
{
	struct fio_log_out out;
	fio_log_begin(&out, log->p, name, log->origin);
	say_how_read(log);
	check(log, name);
	parse_meta(log->p, "log_rows", log->windows ? SLICE("windows") : SLICE("ios"), NULL);
	if (log->windows || log->backwards)
		parse_meta(log->p, "log_alone", log->windows ? SLICE("its rows are means over windows, which give no percentiles") :
			SLICE("it holds several jobs' I/Os without telling them apart"), NULL);
	double divisor = log->backwards ? 0 : divisor_of(log, unit_ns);
	out.open = divisor == 0 && log->kind >= LOG_LAT && !log->backwards;
	if (out.open)
		divisor = 1; /* as printed */
	for (int i = 0; i < LOG_OPS; i++) {
		if (log->op[i].rows == 0)
			continue;
		fio_log_put(&out, i, METRIC_SAMPLES, "count", (double)log->op[i].rows, 0, log->op[i].rows);
		if (divisor > 0)
			put_figures(log, &out, i, divisor);
		if (!log->windows && !log->backwards)
			rate_series(log, &out, i);
		if (!log->windows && !log->backwards && log->kind >= LOG_LAT)
			keep_spread(log, &out, i, divisor);
	}
}
