/* What stands beside a log of fio: a result of the run that wrote it says its version, and so the unit of its latencies,
 * and how many I/Os it should hold. No run of its own is made of them: each file keeps its figures. */
#include "ingest/suite.h"

#include "base/num.h"

#include <math.h>

static bool is_log(const struct run *r)
{
	return slice_is(r->tool, "fio") && r->n_jobs && params_find(r->jobs[0]->params, "log");
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

/* Whether a job was told to write logs; of that name, where one is given. */
static bool writes(const struct job *job, const struct slice *name)
{
	for (size_t i = 0; i < job->options.n; i++)
		if (is_log_option(job->options.v[i].key) &&
		    (!name || slice_eq(base_name(job->options.v[i].text.n ? job->options.v[i].text : job->options.v[i].value), *name)))
			return true;
	return false;
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
	return slice_is(r->tool, "fio") && (is_log(r) || run_writes(r, NULL));
}

/* The result whose job wrote this log; else, with `any`, one of the version that all results here have. NULL: there is
 * none, or they are of several versions. */
static const struct run *beside(struct run *const *members, size_t n, const struct run *log, bool any)
{
	const struct run *found = NULL;
	for (size_t i = 0; i < n; i++) {
		const struct run *r = members[i];
		if (!slice_is(r->tool, "fio") || is_log(r) || r->version.n == 0 || !(any || run_writes(r, &log->jobs[0]->name)))
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

/* The figures that only lacked their unit. */
static void settle(struct dataset *d, struct run *log, const struct run *result)
{
	double unit = unit_of(result->version);
	if (log->n_open == 0 || unit == 0)
		return;
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

/* I/Os of one direction in the results that wrote this log; 0: they don't say. */
static uint64_t ios_of(const struct run *result, struct slice name, const char *op)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < result->n_jobs; i++) {
		const struct result *r = run_find(result, result->jobs[i], METRIC_IOPS, "value", op);
		if (r && writes(result->jobs[i], &name))
			sum += r->n;
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

/* The first log of a kind and name, for all of its jobs' logs: as many I/Os as the result says, in the same directions. */
static void compare(struct dataset *d, struct run *const *members, size_t n, size_t first, const struct run *result)
{
	static const char *const ops[] = { "read", "write", "trim" };
	const struct job *job = members[first]->jobs[0];
	struct slice kind = params_find(job->params, "log")->value;
	for (size_t o = 0; o < sizeof ops / sizeof *ops; o++) {
		uint64_t logged = 0;
		double sum = 0, bytes = 0;
		enum metric_id latency = METRIC_SAMPLES;
		for (size_t i = 0; i < n; i++) {
			const struct run *r = members[i];
			const struct param *rows = params_find(r->attrs, "log_rows");
			if (!is_log(r) || !slice_eq(r->jobs[0]->name, job->name) ||
			    !slice_eq(params_find(r->jobs[0]->params, "log")->value, kind))
				continue;
			if (i < first || !rows || !slice_is(rows->value, "ios"))
				return;
			const struct result *count = run_find(r, NULL, METRIC_SAMPLES, "count", ops[o]);
			logged += count ? count->n : 0;
			const struct spread *s = run_spread(r, ops[o]);
			if (!count)
				continue;
			latency = s ? s->metric : latency;
			sum += s && s->unit > 0 ? hist_total(&s->hist) * s->unit : NAN;
			bytes += s ? (double)s->bytes : NAN;
		}
		uint64_t ios = ios_of(result, job->name, ops[o]);
		if (logged && !ios)
			diag_add(&d->diags, DIAG_WARNING, (struct pos){ .source = members[first]->source },
				"holds %llu I/Os of op=%s, of which %s has none: it may be of another run", (unsigned long long)logged,
				ops[o], result->source->name);
		else if (logged != ios)
			diag_add(&d->diags, DIAG_WARNING, (struct pos){ .source = members[first]->source },
				"the logs of this name hold %llu I/Os of op=%s, %s says %llu", (unsigned long long)logged, ops[o],
				result->source->name, (unsigned long long)ios);
		else if (logged)
			compare_sums(d, members[first], result, ops[o], latency, sum, bytes);
	}
}

static void assemble(struct dataset *d, struct run *const *members, size_t n, struct source *directory)
{
	(void)directory;
	for (size_t i = 0; i < n; i++) {
		struct run *log = members[i];
		if (!is_log(log))
			continue;
		const struct run *writer = beside(members, n, log, false), *any = writer ? writer : beside(members, n, log, true);
		if (!any)
			continue;
		settle(d, log, any);
		if (writer) {
			log->version = writer->version;
			compare(d, members, n, i, writer);
		}
	}
}

const struct suite suite_fio = { wants, assemble };
