/* clat_hist logs: time ms, direction, block size, then how many I/Os fell into each bin since the row before. */
#include "parsers/fio_logs.h"

#include "base/digits.h"
#include "base/num.h"

#include <math.h>

enum { HEAD = 3, COARSENESS = 7, SHOWN = 10 };

/* Each step of coarseness (log_hist_coarseness, 0 to 6) joins two bins. */
static const struct {
	size_t bins;
	unsigned unit_ns;
} eras[] = {
	{ 19 * HIST_GROUP_BUCKETS, 1000 }, /* 2.14 to 2.21 */
	{ 29 * HIST_GROUP_BUCKETS, 1 },    /* from 2.99 */
};

/* One direction. Neighbouring rows make a stretch of time. */
struct hist_op {
	struct hist *stretch;  /* of LOG_STRETCHES; NULL: no rows */
	uint64_t end[LOG_STRETCHES]; /* ms, of its last row */
	uint32_t line[LOG_STRETCHES]; /* of its first row */
	size_t n, per_stretch, rows_of_last;
	uint64_t first, second; /* ms, of the first two rows; 0: there are not as many */
	uint64_t most;         /* I/Os of the fullest row */
	struct hist hist;      /* in the end: all together */
};

struct hist_log {
	struct parse *p;
	size_t bins;           /* of each row */
	unsigned coarseness, unit_ns;
	struct hist_op *op[LOG_OPS];
	uint64_t rows, bad;
	uint64_t last_time;
	uint64_t backwards;    /* line; 0: never */
};

static bool find_era(struct hist_log *log, size_t bins)
{
	log->bins = bins;
	for (size_t i = 0; i < sizeof eras / sizeof *eras; i++)
		for (log->coarseness = 0; log->coarseness < COARSENESS; log->coarseness++)
			if (eras[i].bins >> log->coarseness == bins) {
				log->unit_ns = eras[i].unit_ns;
				return true;
			}
	return false;
}

static size_t bins_in(struct slice line)
{
	size_t commas = 0;
	for (size_t i = 0; i < line.n; i++) {
		if ((line.p[i] < '0' || line.p[i] > '9') && line.p[i] != ',' && line.p[i] != ' ' && line.p[i] != '\r')
			return 0;
		commas += line.p[i] == ',';
	}
	return commas >= HEAD ? commas + 1 - HEAD : 0;
}

size_t fio_log_bins_of(struct slice head)
{
	struct hist_log log;
	size_t bins = bins_in(slice_head(head, slice_find_char(head, '\n')));
	return find_era(&log, bins) ? bins : 0;
}

/* No run does more than that in a millisecond: what was left in memory that was never set can look so. */
enum { MOST_PER_MS = 1000000, LEAST_MS = 1000, FIRST_MS = 60000 };

static bool too_many(const struct hist_log *log, const uint64_t head[HEAD], const struct hist *row)
{
	const struct hist_op *o = log->op[head[1]];
	uint64_t since = o ? o->end[o->n - 1] : 0, ms = head[0] > since ? head[0] - since : 0;
	if (!o && ms > FIRST_MS)
		ms = FIRST_MS; /* of another clock */
	return row->n / MOST_PER_MS > (ms < LEAST_MS ? LEAST_MS : ms);
}

/* A row's counts go into a histogram of their own first, as one of them may void it. NULL, or why. */
static const char *read_row(const struct hist_log *log, const char *p, const char *end, uint64_t head[HEAD], struct hist *row)
{
	memset(row, 0, sizeof *row);
	for (size_t i = 0; i < HEAD + log->bins; i++) {
		uint64_t count;
		const char *q = digits_read(p, &count);
		if (!q)
			return "is no row of numbers";
		bool last = q == end || *q == '\r';
		if (last != (i == HEAD + log->bins - 1) || (!last && *q != ','))
			return "has another number of columns";
		for (p = q + 1; *p == ' ';)
			p++;
		if (i < HEAD)
			head[i] = count;
		else if (!hist_add(row, (uint64_t)hist_value((i - HEAD) << log->coarseness), count))
			return "has a count that no run reaches, as from memory that was never set";
	}
	if (head[1] >= LOG_OPS)
		return "has no direction of I/O";
	if (too_many(log, head, row))
		return "counts more I/Os than any run does in its time, as from memory that was never set";
	return NULL;
}

/* Two neighbouring stretches become one, so that there is room. */
static void join_stretches(struct hist_op *o)
{
	for (size_t k = 0; k < LOG_STRETCHES / 2; k++) {
		o->stretch[k] = o->stretch[2 * k];
		hist_merge(&o->stretch[k], &o->stretch[2 * k + 1]);
		o->end[k] = o->end[2 * k + 1];
		o->line[k] = o->line[2 * k];
	}
	memset(o->stretch + LOG_STRETCHES / 2, 0, LOG_STRETCHES / 2 * sizeof *o->stretch);
	o->n = LOG_STRETCHES / 2;
	o->per_stretch *= 2;
}

static void take_hist(struct arena *a, struct hist_op *o, uint64_t time, uint64_t line, const struct hist *row)
{
	if (!o->stretch) {
		o->stretch = ARENA_ARRAY(a, LOG_STRETCHES, struct hist);
		o->per_stretch = 1;
		o->first = time;
	} else if (!o->second) {
		o->second = time;
	}
	if (o->n == 0 || o->rows_of_last == o->per_stretch) {
		if (o->n == LOG_STRETCHES)
			join_stretches(o);
		o->rows_of_last = 0;
		o->line[o->n++] = (uint32_t)line;
	}
	o->rows_of_last++;
	o->end[o->n - 1] = time;
	if (row->n > o->most)
		o->most = row->n;
	hist_merge(&o->stretch[o->n - 1], row);
}

static void take_row(struct hist_log *log, const char *p, const char *end, uint64_t line, struct hist *row)
{
	uint64_t head[HEAD];
	const char *wrong = read_row(log, p, end, head, row);
	if (wrong) {
		if (log->bad++ < SHOWN)
			fio_log_say(log->p, DIAG_WARNING, line, "the row %s: it is left out", wrong);
		return;
	}
	if (head[0] < log->last_time && !log->backwards)
		log->backwards = line;
	log->last_time = head[0];
	log->rows++;
	struct hist_op **into = &log->op[head[1]];
	if (!*into)
		*into = ARENA_NEW(log->p->arena, struct hist_op);
	take_hist(log->p->arena, *into, head[0], line, row);
}

/* Each row is of the time since the one before; the first one's is as long as the next one's, if the clock allows. */
static uint64_t begin_of(const struct hist_op *o)
{
	uint64_t interval = o->second > o->first ? o->second - o->first : 0;
	return interval && interval < o->first ? o->first - interval : 0;
}

static void tell(const struct hist_log *log, const char *what, int op, double value)
{
	char text[NUM_FORMAT_SIZE];
	parse_meta(log->p, arena_printf(log->p->arena, "log_%s_%s", what, fio_log_op_name[op]),
		(struct slice){ text, num_format(text, value) }, NULL);
}

/* Tells how far the rows of each direction reach, by another clock than the job's from where the first one began; and how
 * many I/Os the fullest has. */
static void tell_reach(const struct hist_log *log, uint64_t begin)
{
	uint64_t from = fio_log_origin(begin) ? begin : 0;
	for (int i = 0; i < LOG_OPS; i++) {
		const struct hist_op *o = log->op[i];
		if (!o || o->end[o->n - 1] < from)
			continue;
		tell(log, "seconds", i, (double)(o->end[o->n - 1] - from) / 1000);
		tell(log, "most", i, (double)o->most);
	}
}

static size_t windows_of(const struct hist_log *log, const struct hist_op *o, uint64_t origin,
	struct spread_window *windows)
{
	size_t n = 0;
	for (size_t i = 0; i < o->n; i++) {
		uint64_t from = i ? o->end[i - 1] : begin_of(o) > origin ? begin_of(o) : origin;
		if (o->stretch[i].n == 0)
			continue;
		windows[n++] = (struct spread_window){ .from = (double)(from - origin) / 1000,
			.to = (double)(o->end[i] - origin) / 1000, .line = o->line[i],
			.hist = hist_pack(log->p->arena, &o->stretch[i]) };
	}
	return n;
}

static void put_op(const struct hist_log *log, const struct fio_log_out *out, int op, uint64_t origin)
{
	static const struct {
		double p;
		const char *stat;
	} wanted[] = { { 50, "p50" }, { 90, "p90" }, { 99, "p99" }, { 99.9, "p99.9" } };
	const struct hist_op *o = log->op[op];
	const struct hist *h = &o->hist;
	struct spread_window windows[LOG_STRETCHES];
	double divisor = 1e9 / log->unit_ns;
	fio_log_put(out, op, METRIC_SAMPLES, "count", (double)h->n, 0, h->n);
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted && log->coarseness == 0 && !log->backwards; i++) {
		double value = hist_percentile(h, wanted[i].p);
		if (hist_index((uint64_t)value) < eras[log->unit_ns == 1].bins - 1) /* the last bin has no upper end */
			fio_log_put(out, op, METRIC_COMPLETION_LATENCY, wanted[i].stat, value / divisor, value / 128 / divisor, h->n);
	}
	if (log->coarseness == 0 && !log->backwards) {
		struct spread spread = { .open_end = eras[log->unit_ns == 1].bins - 1, .windows = windows,
			.n_windows = windows_of(log, o, origin, windows) };
		fio_log_keep(out, op, &spread, log->unit_ns, h);
	}
}

static void evaluate(const struct hist_log *log, const struct fio_log_name *name)
{
	struct fio_log_out out;
	uint64_t begin = UINT64_MAX;
	for (int i = 0; i < LOG_OPS; i++)
		if (log->op[i] && begin_of(log->op[i]) < begin)
			begin = begin_of(log->op[i]);
	uint64_t origin = begin == UINT64_MAX ? 0 : fio_log_origin(begin);
	fio_log_begin(&out, log->p, name, origin);
	parse_meta(log->p, "log_rows", SLICE("histograms"), NULL);
	if (log->coarseness || log->backwards)
		parse_meta(log->p, "log_alone", log->coarseness ? SLICE("its bins are joined (log_hist_coarseness)") :
			SLICE("it holds several jobs' I/Os without telling them apart"), NULL);
	tell_reach(log, begin);
	if (log->bad)
		parse_meta(log->p, "log_left_out", arena_u64(log->p->arena, log->bad), NULL);
	fio_log_say(log->p, DIAG_NOTE, 0, "%llu histograms of %zu bins: %s%s", (unsigned long long)log->rows, log->bins,
		log->unit_ns == 1 ? "ns (fio from 2.99)" : "µs (fio 2.14 to 2.21)",
		log->coarseness ? "; bins are joined (log_hist_coarseness): no percentiles" : "");
	if (log->backwards)
		fio_log_say(log->p, DIAG_WARNING, log->backwards,
			"time goes backwards: several jobs' logs in one file (per_job_logs=0); only their I/Os are counted");
	for (int i = 0; i < LOG_OPS; i++) {
		for (size_t k = 0; log->op[i] && k < log->op[i]->n; k++)
			hist_merge(&log->op[i]->hist, &log->op[i]->stretch[k]);
		if (log->op[i] && log->op[i]->hist.n)
			put_op(log, &out, i, origin);
	}
}

enum status fio_log_hist(struct parse *p, const struct fio_log_name *name)
{
	struct hist_log log = { .p = p };
	struct fio_log_lines lines = fio_log_lines_of(p);
	struct hist *row = ARENA_NEW(p->arena, struct hist);
	struct slice block, line;
	bool unended, empty = true;
	while (fio_log_more(&lines, &block, &unended)) {
		empty = false;
		if (unended) {
			fio_log_say(p, DIAG_WARNING, lines.line, "the last line has no end: it may be cut, and is left out");
			break;
		}
		block.n--; /* without the last line end */
		for (; slice_cut(&block, '\n', &line); lines.line++) {
			if (log.bins == 0 && !find_era(&log, bins_in(line)))
				return STATUS_REJECT;
			take_row(&log, line.p, line.p + line.n, lines.line, row);
		}
	}
	log.bad += lines.long_lines;
	if (log.bad > SHOWN || lines.long_lines)
		fio_log_say(p, DIAG_WARNING, 0, "%llu lines are left out", (unsigned long long)log.bad);
	if (empty) {
		fio_log_say(p, DIAG_NOTE, 0, "is empty: nothing was logged");
		return STATUS_OK;
	}
	if (log.bins == 0)
		return STATUS_REJECT;
	evaluate(&log, name);
	return log.bad ? STATUS_WARN : STATUS_OK;
}
