/* clat_hist logs: time ms, direction, block size, then how many I/Os fell into each bin since the row before. */
#include "parsers/fio_logs.h"

#include "base/digits.h"

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

struct hist_log {
	struct parse *p;
	size_t bins;           /* of each row */
	unsigned coarseness, unit_ns;
	struct hist *op[LOG_OPS];
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
	return head[1] < LOG_OPS ? NULL : "has no direction of I/O";
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
	struct hist **into = &log->op[head[1]];
	if (!*into)
		*into = ARENA_NEW(log->p->arena, struct hist);
	hist_merge(*into, row);
}

static void put_op(const struct hist_log *log, const struct fio_log_out *out, int op)
{
	static const struct {
		double p;
		const char *stat;
	} wanted[] = { { 50, "p50" }, { 90, "p90" }, { 99, "p99" }, { 99.9, "p99.9" } };
	const struct hist *h = log->op[op];
	double divisor = 1e9 / log->unit_ns;
	fio_log_put(out, op, METRIC_SAMPLES, "count", (double)h->n, 0, h->n);
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted && log->coarseness == 0 && !log->backwards; i++) {
		double value = hist_percentile(h, wanted[i].p);
		if (hist_index((uint64_t)value) < eras[log->unit_ns == 1].bins - 1) /* the last bin has no upper end */
			fio_log_put(out, op, METRIC_COMPLETION_LATENCY, wanted[i].stat, value / divisor, value / 128 / divisor, h->n);
	}
	struct spread spread = { .open_end = eras[log->unit_ns == 1].bins - 1 };
	if (log->coarseness == 0 && !log->backwards)
		fio_log_keep(out, op, &spread, log->unit_ns, h);
}

static void evaluate(const struct hist_log *log, const struct fio_log_name *name)
{
	struct fio_log_out out;
	fio_log_begin(&out, log->p, name);
	fio_log_say(log->p, DIAG_NOTE, 0, "%llu histograms of %zu bins: %s%s", (unsigned long long)log->rows, log->bins,
		log->unit_ns == 1 ? "ns (fio from 2.99)" : "µs (fio 2.14 to 2.21)",
		log->coarseness ? "; bins are joined (log_hist_coarseness): no percentiles" : "");
	if (log->backwards)
		fio_log_say(log->p, DIAG_WARNING, log->backwards,
			"time goes backwards: several jobs' logs in one file (per_job_logs=0); only their I/Os are counted");
	for (int i = 0; i < LOG_OPS; i++)
		if (log->op[i] && log->op[i]->n)
			put_op(log, &out, i);
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
