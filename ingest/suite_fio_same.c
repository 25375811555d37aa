/* One run of fio in several files of a directory: its JSON, terse output, normal text and logs. The most precise one
 * stands for all; the others keep their rows, but are not judged beside it. Logs lend it their samples over time. */
#include "ingest/suite_fio.h"

#include "base/num.h"
#include "ingest/suite.h"
#include "model/over_time.h"

#include <math.h>
#include <stdlib.h>

/* No run has to wait for others before its rows are handed on: what is found here is for those who keep all of them. */
static bool wants(const struct run *r)
{
	(void)r;
	return false;
}

/* A run and what tells it apart at a glance: equal in all forms of its output. */
struct output {
	struct run *run;
	struct slice name;  /* of its first job */
	double runtime;     /* s, its first, exact in all forms */
	const size_t *first; /* of each job: its first result; n_jobs + 1 of them. NULL until it is looked for */
	unsigned rank;      /* how much it says */
};

/* Where each job's results begin; they stand in the order of the jobs. */
static const size_t *places(struct arena *a, const struct run *r)
{
	size_t *first = ARENA_ARRAY(a, r->n_jobs + 1, size_t);
	size_t next = 0;
	for (size_t i = 0; i < r->n_results; i++) {
		const struct job *job = r->results[i].job;
		while (job && job->run == r && next <= job->ordinal)
			first[next++] = i;
	}
	while (next <= r->n_jobs)
		first[next++] = r->n_results;
	return first;
}

static bool is_result(const struct result *r, enum metric_id metric, const char *stat)
{
	return r->metric == metric && slice_is(r->stat, stat) && !r->q.missing;
}

/* JSON says how many I/Os there were, terse output does not, normal text is rounded. */
static unsigned rank_of(const struct run *r)
{
	for (size_t i = 0; i < r->n_results; i++)
		if (is_result(&r->results[i], METRIC_IOPS, "value"))
			return r->results[i].flags & RESULT_LOW_PRECISION ? 0 : r->results[i].n ? 2 : 1;
	return 0;
}

static bool is_output(struct run *r, struct output *out)
{
	if (!slice_is(r->tool, "fio") || r->suite || r->n_jobs == 0 || fio_log_kind(r))
		return false;
	const struct result *time = run_find(r, NULL, METRIC_RUNTIME, "value", NULL);
	if (!time)
		return false;
	*out = (struct output){ .run = r, .name = r->jobs[0]->name, .runtime = time->q.value, .rank = rank_of(r) };
	return true;
}

static int by_sight(const void *a, const void *b)
{
	const struct output *x = a, *y = b;
	if (x->runtime != y->runtime)
		return x->runtime < y->runtime ? -1 : 1;
	return x->run->n_jobs != y->run->n_jobs ? (x->run->n_jobs < y->run->n_jobs ? -1 : 1) : slice_cmp(x->name, y->name);
}

/* Of those that look alike the most precise one first. */
static int by_rank(const void *a, const void *b)
{
	const struct output *x = a, *y = b;
	int c = by_sight(a, b);
	if (c || x->rank != y->rank)
		return c ? c : x->rank > y->rank ? -1 : 1;
	return strcmp(x->run->source->name, y->run->source->name);
}

static bool same_op(const struct result *a, const struct result *b)
{
	const struct param *p = params_find(a->params, "op"), *q = params_find(b->params, "op");
	return p && q ? slice_eq(p->value, q->value) : p == q;
}

/* Whether two printed numbers can be one; some forms round, some cut off. */
static bool agree(const struct quantity *a, const struct quantity *b)
{
	return fabs(a->value - b->value) <= 2 * (a->half_digit + b->half_digit) + 1e-9 * fabs(a->value);
}

/* Compares one job's run times and latencies: what is there in both must agree. Counts the mean latencies that do. */
static bool same_job(const struct output *x, const struct output *y, size_t job, size_t *agreeing)
{
	for (size_t i = x->first[job]; i < x->first[job + 1]; i++) {
		const struct result *a = &x->run->results[i];
		bool runtime = is_result(a, METRIC_RUNTIME, "value"), mean = false;
		if (a->metric == METRIC_COMPLETION_LATENCY || a->metric == METRIC_LATENCY)
			mean = is_result(a, a->metric, "mean");
		if (!runtime && !mean)
			continue;
		for (size_t k = y->first[job]; k < y->first[job + 1]; k++) {
			const struct result *b = &y->run->results[k];
			if (!is_result(b, a->metric, runtime ? "value" : "mean") || !same_op(a, b))
				continue;
			if (!agree(&a->q, &b->q))
				return false;
			*agreeing += mean;
			break;
		}
	}
	return true;
}

/* The mean latency is what no two runs share, to all its digits; run times and rates can be those of any run that
 * was held to them. */
static bool same_run(struct arena *a, struct output *x, struct output *y)
{
	size_t agreeing = 0;
	if (x->run->version.n && y->run->version.n && !slice_eq(x->run->version, y->run->version))
		return false;
	x->first = x->first ? x->first : places(a, x->run);
	y->first = y->first ? y->first : places(a, y->run);
	for (size_t i = 0; i < x->run->n_jobs; i++)
		if (!slice_eq(x->run->jobs[i]->name, y->run->jobs[i]->name) || !same_job(x, y, i, &agreeing))
			return false;
	return agreeing > 0;
}

static void join(struct dataset *d, struct output *lesser, const struct output *better)
{
	lesser->run->same_as = better->run;
	diag_add(&d->diags, DIAG_NOTE, (struct pos){ .source = lesser->run->source }, "shows the same run as %s: that one is "
		"judged", better->run->source->name);
}

/* ---- logs ---- */

static bool same_shape(const struct series *a, const struct series *b)
{
	return a->metric == b->metric && a->n == b->n && fabs(a->interval - b->interval) <= 0.01 * a->interval;
}

/* A job's samples: those of its log, or where several threads of it wrote one each, their sum. False when they can't be
 * added. */
static bool lend(struct dataset *d, struct run *r, const struct job *job, const struct series *const *parts, size_t n)
{
	const struct series *s = parts[0];
	bool adds = s->metric == METRIC_IOPS || s->metric == METRIC_BANDWIDTH;
	struct point *points = ARENA_ARRAY(d->arena, s->n, struct point);
	for (size_t i = 1; i < n; i++)
		if (!adds || !same_shape(s, parts[i]))
			return false;
	for (size_t i = 0; i < s->n; i++) {
		points[i] = s->points[i];
		points[i].job = job;
		for (size_t k = 1; k < n; k++)
			points[i].value += parts[k]->points[i].value;
	}
	struct series sum = *s;
	sum.points = points;
	run_add_series(d->arena, r, &sum);
	return true;
}

/* A run's series of this metric, statistic and direction; of this job, where one is given. */
static const struct series *series_like(const struct run *r, const struct series *s, const struct job *job)
{
	const struct param *op = params_find(s->params, "op");
	for (size_t i = 0; i < r->n_series; i++) {
		const struct series *k = &r->series[i];
		const struct param *other = params_find(k->params, "op");
		if (k->metric == s->metric && slice_eq(k->stat, s->stat) && op && other && slice_eq(op->value, other->value) &&
		    (!job || k->points[0].job == job))
			return k;
	}
	return NULL;
}

static struct slice host_of(const struct job *log)
{
	const struct param *host = params_find(log->params, "host");
	return host ? host->value : SLICE("");
}

/* Every series of the first log, with those of its fellows of the same direction; of what several logs of a job
 * tell, one. False when one was left. */
static bool lend_all(struct dataset *d, struct run *r, const struct job *job, struct run *const *logs, size_t n)
{
	const struct series **parts = ARENA_ARRAY(d->arena, n, const struct series *);
	bool all = true;
	for (size_t i = 0; i < logs[0]->n_series; i++) {
		const struct series *s = &logs[0]->series[i];
		bool found = true;
		if (series_like(r, s, job))
			continue;
		for (size_t k = 0; k < n; k++)
			found &= (parts[k] = series_like(logs[k], s, NULL)) != NULL;
		all &= found && lend(d, r, job, parts, n);
	}
	return all;
}

/* The percentiles over time of one log, or of all together. */
static void lend_percentiles(struct dataset *d, struct run *r, const struct job *job, const struct run *log,
	bool merged)
{
	for (size_t i = 0; i < log->n_spreads; i++)
		for (size_t k = 0; k < OVER_TIME_STATS && (log->spreads[i].merged > 0) == merged; k++) {
			struct series s = over_time_series(d->arena, log, job, &log->spreads[i], k);
			if (s.n > 1 && !series_like(r, &s, job))
				run_add_series(d->arena, r, &s);
		}
}

/* All logs of the name, kind and host of this one, in order of their number; none when it is not the first of them. */
static size_t fellows(struct run *const *members, size_t n, size_t at, struct run **out)
{
	size_t found = 0;
	for (size_t i = 0; i < n; i++) {
		const struct param *kind = fio_log_kind(members[i]);
		const struct job *job = members[i]->n_jobs ? members[i]->jobs[0] : NULL, *first = members[at]->jobs[0];
		if (!kind || !job || !first || !slice_eq(kind->value, fio_log_kind(members[at])->value) ||
		    !slice_eq(job->name, first->name) || !slice_eq(host_of(job), host_of(first)))
			continue;
		if (i < at)
			return 0;
		out[found++] = members[i];
	}
	return found;
}

/* One job wrote all of them, or as many jobs as there are logs wrote one each. Which of other numbers wrote which
 * can't be told. */
static void give_logs(struct dataset *d, struct run *r, struct run **logs, size_t n)
{
	size_t jobs = fio_log_writers(r, logs[0]), given = 0;
	bool all = true;
	if (jobs != 1 && jobs != n) {
		fio_log_apart(d, logs[0], "is joined with no job: %zu jobs of %s say that they wrote logs of its name, and there "
			"%s %zu: which is whose can't be told", jobs, r->source->name, n == 1 ? "is" : "are", n);
		return;
	}
	for (size_t i = 0; i < r->n_jobs; i++) {
		const struct job *job = r->jobs[i];
		if (!fio_wrote_log(job, logs[0]))
			continue;
		struct run *const *own = logs + (jobs == 1 ? 0 : given++);
		all &= lend_all(d, r, job, own, jobs == 1 ? n : 1);
		lend_percentiles(d, r, job, own[0], jobs == 1 && n > 1);
	}
	if (!all)
		fio_log_apart(d, logs[0], "is not joined with the %zu other logs of its name and kind: they are of one job, and "
			"their samples can't be added up", n - 1);
	for (size_t i = 0; i < n && all; i++)
		logs[i]->same_as = r;
}

/* The run whose jobs say that they wrote this log. */
static struct run *writer_of(struct dataset *d, const struct output *outputs, size_t n, const struct run *log)
{
	struct run *found = NULL;
	for (size_t i = 0; i < n; i++) {
		struct run *r = outputs[i].run;
		if (r->same_as || !fio_log_writers(r, log))
			continue;
		if (found) {
			fio_log_apart(d, log, "is joined with no job: %s and %s both say that they wrote it", found->source->name,
				r->source->name);
			return NULL;
		}
		found = r;
	}
	return found;
}

static void assemble(struct dataset *d, struct run *const *members, size_t n, struct source *directory)
{
	struct output *outputs = ARENA_ARRAY(d->arena, n, struct output);
	size_t n_outputs = 0;
	(void)directory;
	for (size_t i = 0; i < n; i++)
		n_outputs += is_output(members[i], &outputs[n_outputs]);
	if (n_outputs > 1)
		qsort(outputs, n_outputs, sizeof *outputs, by_rank);
	for (size_t i = 0; i < n_outputs; i++)
		for (size_t k = i + 1; k < n_outputs && !outputs[i].run->same_as && by_sight(&outputs[i], &outputs[k]) == 0; k++)
			if (!outputs[k].run->same_as && same_run(d->arena, &outputs[i], &outputs[k]))
				join(d, &outputs[k], &outputs[i]);
	struct run **logs = ARENA_ARRAY(d->arena, n, struct run *);
	for (size_t i = 0; i < n; i++) {
		size_t found = fio_log_kind(members[i]) ? fellows(members, n, i, logs) : 0;
		struct run *writer = found ? writer_of(d, outputs, n_outputs, members[i]) : NULL;
		if (writer)
			give_logs(d, writer, logs, found);
	}
}

const struct suite suite_fio_same = { wants, assemble };
