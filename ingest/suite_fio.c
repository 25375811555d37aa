/* What stands beside a log of fio: a result of the run that wrote it says its version, and so the unit of its latencies,
 * and how many I/Os it should hold. No run of its own is made of them: each file keeps its figures. */
#include "ingest/suite_fio.h"

#include "base/num.h"
#include "ingest/suite.h"

#include <math.h>

const struct param *fio_log_kind(const struct run *r)
{
	return slice_is(r->tool, "fio") && r->n_jobs ? params_find(r->jobs[0]->params, "log") : NULL;
}

static struct slice base_name(struct slice path)
{
	struct slice part, last = path;
	while (slice_cut(&path, '/', &part))
		last = part;
	return last;
}

static bool is_log_option(struct slice key)
{
	return slice_starts(key, "write_") && slice_ends(key, "_log");
}

/* Of that name, where one is given. */
static bool writes(const struct job *job, const struct slice *name)
{
	for (size_t i = 0; i < job->options.n; i++)
		if (is_log_option(job->options.v[i].key) &&
		    (!name || slice_eq(base_name(job->options.v[i].text.n ? job->options.v[i].text : job->options.v[i].value), *name)))
			return true;
	return false;
}

bool fio_wrote_log(const struct job *job, const struct run *log)
{
	const struct param *own = params_find(job->params, "host"), *host = params_find(log->jobs[0]->params, "host");
	return writes(job, &log->jobs[0]->name) && !(own && host && !slice_eq(own->value, host->value));
}

size_t fio_log_writers(const struct run *result, const struct run *log)
{
	size_t n = 0;
	for (size_t i = 0; i < result->n_jobs; i++)
		n += fio_wrote_log(result->jobs[i], log);
	return n;
}

void fio_log_apart(struct dataset *d, const struct run *log, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	diag_vadd(&d->diags, DIAG_NOTE, (struct pos){ .source = log->source }, format, args);
	va_end(args);
}

static bool run_writes(const struct run *r, const struct slice *name)
{
	for (size_t i = 0; i < r->n_jobs; i++)
		if (writes(r->jobs[i], name))
			return true;
	return false;
}

static bool wants(const struct run *r)
{
	return slice_is(r->tool, "fio") && (fio_log_kind(r) || run_writes(r, NULL));
}

/* The result whose job wrote this log; else, with `any`, one of the version that all results here have. NULL: there is
 * none, or they are of several versions. */
static const struct run *beside(struct run *const *members, size_t n, const struct run *log, bool any)
{
	const struct run *found = NULL;
	for (size_t i = 0; i < n; i++) {
		const struct run *r = members[i];
		if (!slice_is(r->tool, "fio") || fio_log_kind(r) || r->version.n == 0 || !(any || run_writes(r, &log->jobs[0]->name)))
			continue;
		if (found && !slice_eq(found->version, r->version))
			return NULL;
		found = r;
	}
	return found;
}

/* ns that a latency in a log of this version counts; 0: not known. "fio-3.33", and 2.0.8 writes "2.0.8". */
static double unit_of(struct slice version)
{
	struct slice rest = slice_starts(version, "fio-") ? slice_from(version, 4) : version;
	double number;
	size_t n = 0, points = 0;
	while (n < rest.n && ((rest.p[n] >= '0' && rest.p[n] <= '9') || (rest.p[n] == '.' && points++ == 0)))
		n++;
	if (num_double(slice_head(rest, n), &number) != NUM_OK)
		return 0;
	return number >= 2.99 ? 1 : 1000;
}

/* The figures that only lacked their unit. Without it they are none. */
static void settle(struct dataset *d, struct run *log, const struct run *result)
{
	double unit = result ? unit_of(result->version) : 0;
	if (log->n_open == 0)
		return;
	if (!result || unit == 0) {
		diag_add(&d->diags, DIAG_WARNING, (struct pos){ .source = log->source }, "nothing in it or beside it tells "
			"whether the latencies are in µs (fio up to 2.21) or ns (from 2.99): they give no figures; --as fio-log-us or fio-log-ns says "
			"which");
		return;
	}
	for (size_t i = 0; i < log->n_open; i++) {
		struct result r = log->open[i];
		r.flags &= ~(unsigned)RESULT_OPEN;
		r.q.value /= 1e9 / unit;
		r.q.half_digit /= 1e9 / unit;
		run_add_result(d->arena, log, &r);
	}
	log->n_open = 0;
	for (size_t i = 0; i < log->n_spreads; i++)
		log->spreads[i].unit = unit * 1e-9;
	diag_add(&d->diags, DIAG_NOTE, (struct pos){ .source = log->source }, "latencies are in %s: %s beside it is of %.*s",
		unit == 1 ? "ns" : "µs", result->source->name, SLICE_ARG(result->version));
}

/* I/Os of one direction in the results that wrote this log; 0: they don't say. The first of them, or NULL. */
static uint64_t ios_of(const struct run *result, struct slice name, const char *op, const struct result **first)
{
	uint64_t sum = 0;
	*first = NULL;
	for (size_t i = 0; i < result->n_jobs; i++) {
		const struct result *r = run_find(result, result->jobs[i], METRIC_IOPS, "value", op);
		if (!r || !writes(result->jobs[i], &name))
			continue;
		sum += r->n;
		*first = *first ? *first : r;
	}
	return sum;
}

static double product(const struct result *a, double b)
{
	return a && !a->q.missing ? a->q.value * b : NAN;
}

/* What the jobs that wrote this log say of one direction: the sum of their latencies, in s, and their bytes. NAN: not
 * told by all of them. */
static void sums_of(const struct run *result, struct slice name, const char *op, enum metric_id latency, double *sum,
	double *bytes)
{
	*sum = *bytes = 0;
	for (size_t i = 0; i < result->n_jobs; i++) {
		const struct job *job = result->jobs[i];
		const struct result *ios = run_find(result, job, METRIC_IOPS, "value", op);
		if (!writes(job, &name) || !ios || ios->n == 0)
			continue;
		const struct result *mean = run_find(result, job, latency, "mean", op);
		const struct result *time = run_find(result, job, METRIC_RUNTIME, "value", op);
		*sum += product(mean, mean && mean->n == ios->n ? (double)ios->n : NAN);
		*bytes += product(run_find(result, job, METRIC_BANDWIDTH, "value", op), time ? time->q.value : NAN);
	}
}

static bool differ(double a, double b)
{
	return fabs(a - b) > 0.01 * fmax(fabs(a), fabs(b)); /* never with NAN */
}

/* Where the log has all I/Os of the result, it must have its latencies and bytes, too. */
static void compare_sums(struct dataset *d, const struct run *log, const struct run *result, const char *op,
	enum metric_id latency, double sum, double bytes)
{
	double sum_there, bytes_there;
	sums_of(result, log->jobs[0]->name, op, latency, &sum_there, &bytes_there);
	if (differ(sum, sum_there))
		diag_add(&d->diags, DIAG_WARNING, (struct pos){ .source = log->source }, "the latencies of its I/Os of op=%s are "
			"%.9g s together, mean times count in %s is %.9g s", op, sum, result->source->name, sum_there);
	if (differ(bytes, bytes_there))
		diag_add(&d->diags, DIAG_WARNING, (struct pos){ .source = log->source }, "its I/Os of op=%s moved %.0f bytes, bandwidth "
			"times run time in %s is %.0f", op, bytes, result->source->name, bytes_there);
}

/* What all logs of a kind and name hold of one direction. */
struct logged {
	uint64_t ios;
	double sum, bytes;      /* s; NAN: not known of all */
	enum metric_id latency; /* METRIC_SAMPLES: none */
	size_t n;               /* logs with such I/Os */
	double seconds;         /* of histograms: how far they reach, together */
	double most;            /* of histograms: I/Os of the fullest row of each, together */
	bool left_out;          /* rows that could not be right */
};

/* Whether a log's rows are of single I/Os ("ios") or count them ("histograms"); means over windows can't be counted. */
static bool counts_ios(const struct run *log, const char *rows)
{
	const struct param *p = params_find(log->attrs, "log_rows");
	return p && slice_is(p->value, rows);
}

static double attribute(const struct run *log, const char *key)
{
	const struct param *p = params_find(log->attrs, key);
	double value;
	return p && num_double(p->value, &value) == NUM_OK ? value : 0;
}

static void add_log(struct arena *a, struct logged *l, const struct run *log, const char *op)
{
	const struct result *count = run_find(log, NULL, METRIC_SAMPLES, "count", op);
	const struct spread *s = run_spread(log, op);
	l->left_out |= params_find(log->attrs, "log_left_out") != NULL;
	if (!count)
		return;
	l->n++;
	l->ios += count->n;
	l->latency = s ? s->metric : l->latency;
	l->sum += s && s->unit > 0 ? hist_total(&s->hist) * s->unit : NAN;
	l->bytes += s ? (double)s->bytes : NAN;
	l->seconds += attribute(log, arena_printf(a, "log_seconds_%s", op));
	l->most += attribute(log, arena_printf(a, "log_most_%s", op));
}

static bool fellow(const struct run *a, const struct run *b)
{
	return fio_log_kind(b) && slice_eq(a->jobs[0]->name, b->jobs[0]->name) &&
		slice_eq(fio_log_kind(a)->value, fio_log_kind(b)->value);
}

/* The last histogram is never written, as its time was not up: the logs may lack what the result's rate gives for that
 * time, and half as much again, or as much as the fullest one has. */
static bool only_lacks_its_end(const struct logged *l, const struct result *iops, const struct run *result,
	const char *op, uint64_t ios)
{
	enum { FEW = 10 };
	const struct result *time = run_find(result, iops->job, METRIC_RUNTIME, "value", op);
	if (!time || time->q.missing || time->q.value <= 0 || l->ios > ios || l->left_out)
		return false;
	double open = fmax(0, time->q.value - l->seconds / (double)l->n), rate = (double)ios / time->q.value;
	return (double)(ios - l->ios) <= fmax(1.5 * open * rate, open > 0 ? l->most : 0) + fmax(FEW, 0.01 * (double)ios);
}

static const char *place_of(struct arena *a, const struct run *result, const struct result *r)
{
	return r ? arena_printf(a, "%s:%u", result->source->name, r->q.pos.line) : result->source->name;
}

static void compare_op(struct dataset *d, const struct run *log, const struct run *result, const char *op,
	const struct logged *l)
{
	const struct result *iops;
	uint64_t ios = ios_of(result, log->jobs[0]->name, op, &iops);
	const char *place = place_of(d->arena, result, iops);
	struct pos pos = { .source = log->source };
	if (l->ios == ios && ios && counts_ios(log, "ios")) {
		compare_sums(d, log, result, op, l->latency, l->sum, l->bytes);
	} else if (l->ios && !ios) {
		diag_add(&d->diags, DIAG_WARNING, pos, "holds %llu I/Os of op=%s, of which %s has none: it may be of another run",
			(unsigned long long)l->ios, op, place);
	} else if (l->ios && l->ios != ios && counts_ios(log, "histograms") && only_lacks_its_end(l, iops, result, op, ios)) {
		diag_add(&d->diags, DIAG_NOTE, pos, "the logs of this name hold %llu I/Os of op=%s, %s says %llu: the last histogram "
			"of a job is never written", (unsigned long long)l->ios, op, place, (unsigned long long)ios);
	} else if (l->ios != ios) {
		diag_add(&d->diags, DIAG_WARNING, pos, "the logs of this name hold %llu I/Os of op=%s, %s says %llu",
			(unsigned long long)l->ios, op, place, (unsigned long long)ios);
	}
}

/* The first log of a kind and name, for all of its jobs' logs: as many I/Os as the result says, in the same directions. */
static void compare(struct dataset *d, struct run *const *members, size_t n, size_t first, const struct run *result)
{
	static const char *const ops[] = { "read", "write", "trim" };
	const struct run *log = members[first];
	for (size_t i = 0; i < n; i++)
		if ((i < first || !(counts_ios(members[i], "ios") || counts_ios(members[i], "histograms"))) &&
		    fellow(log, members[i]))
			return;
	for (size_t o = 0; o < sizeof ops / sizeof *ops; o++) {
		struct logged l = { .latency = METRIC_SAMPLES };
		for (size_t i = first; i < n; i++)
			if (fellow(log, members[i]))
				add_log(d->arena, &l, members[i], ops[o]);
		compare_op(d, log, result, ops[o], &l);
	}
}

/* Why a log that stands beside results of fio is joined with none of them: once for all logs of its name. */
static void say_apart(struct dataset *d, struct run *const *members, size_t n, const struct run *log)
{
	const struct run *result = NULL, *first = NULL;
	size_t writers = 0, more = 0;
	for (size_t i = 0; i < n; i++) {
		if (!slice_is(members[i]->tool, "fio") || members[i]->n_jobs == 0)
			continue;
		if (fio_log_kind(members[i])) {
			bool named_so = slice_eq(members[i]->jobs[0]->name, log->jobs[0]->name);
			more += named_so && first;
			first = named_so && !first ? members[i] : first;
			continue;
		}
		bool wrote = run_writes(members[i], &log->jobs[0]->name);
		result = wrote || !result ? members[i] : result;
		writers += wrote;
	}
	if (!result || first != log)
		return;
	const char *others = more ? arena_printf(d->arena, ", like %zu more of its name", more) : "";
	if (writers > 1)
		fio_log_apart(d, log, "is joined with no job%s: %s and %zu more results beside it, of other versions, say that they "
			"wrote it", others, result->source->name, writers - 1);
	else
		fio_log_apart(d, log, "is joined with no job%s: no result beside it says that it wrote a log of this name", others);
}

static void assemble(struct dataset *d, struct run *const *members, size_t n, struct source *directory)
{
	(void)directory;
	for (size_t i = 0; i < n; i++) {
		struct run *log = members[i];
		if (!fio_log_kind(log))
			continue;
		const struct run *writer = beside(members, n, log, false), *any = writer ? writer : beside(members, n, log, true);
		settle(d, log, any);
		if (!writer) {
			say_apart(d, members, n, log);
			continue;
		}
		log->version = writer->version;
		log->written_by = writer;
		compare(d, members, n, i, writer);
	}
}

const struct suite suite_fio = { wants, assemble };
