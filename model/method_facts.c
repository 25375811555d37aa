#include "model/method_look.h"

#include "base/num.h"

#include <math.h>
#include <stdarg.h>

const char *const direction_names[DIRECTIONS] = { "read", "write", "trim", "mixed" };

const struct param *run_says(const struct run *run, const char *key)
{
	const struct param *p = params_find(run->attrs, key);
	if (!p && run->suite)
		p = params_find(run->suite->attrs, key);
	for (size_t i = 0; !p && i < run->n_members; i++)
		p = params_find(run->members[i]->attrs, key);
	return p;
}

double param_number(const struct param *p)
{
	double value;
	return p && num_double(p->value, &value) == NUM_OK ? value : NAN;
}

static enum direction direction_of(struct params params)
{
	const struct param *op = params_find(params, "op");
	for (enum direction d = 0; op && d < DIRECTIONS; d++)
		if (slice_is(op->value, direction_names[d]))
			return d;
	return DIRECTIONS;
}

/* So many I/Os lie beyond a percentile of theirs; NAN: it is none of p99 and above, or their number is not known. */
static double beyond(const struct result *r)
{
	double percent;
	if (!r->n || !slice_starts(r->stat, "p99") || num_double(slice_from(r->stat, 1), &percent) != NUM_OK || percent < 99 ||
	    percent >= 100)
		return NAN;
	return (double)r->n * (100 - percent) / 100;
}

static void take_latency(struct facts *f, enum direction d, const struct result *r)
{
	double ios = beyond(r);
	if (slice_is(r->stat, "mean") && (r->metric == METRIC_COMPLETION_LATENCY || !f->latency[d]))
		f->latency[d] = r;
	if (ios < f->tail_ios) {
		f->tail = r;
		f->tail_ios = ios;
	}
}

static void take(struct facts *f, enum direction d, const struct result *r)
{
	const struct param *mode;
	switch (r->metric) {
	case METRIC_COMPLETION_LATENCY:
	case METRIC_LATENCY:
		if (d < DIRECTIONS)
			take_latency(f, d, r);
		break;
	case METRIC_IOPS:
		if (d < DIRECTIONS && slice_is(r->stat, "value"))
			f->iops[d] = r;
		break;
	case METRIC_IO:
		if (d < DIRECTIONS && slice_is(r->stat, "value"))
			f->io[d] = r;
		break;
	case METRIC_RUNTIME:
		if (d < DIRECTIONS && slice_is(r->stat, "value"))
			f->runtime[d] = r;
		break;
	case METRIC_CPU_UTIL:
		mode = params_find(r->params, "mode");
		if (mode)
			f->cpu[slice_is(mode->value, "sys")] = r;
		break;
	case METRIC_ERROR:
		f->error = r;
		break;
	case METRIC_ERRORS:
		f->errors = r;
		break;
	case METRIC_CORRUPT:
		f->corrupt = r;
		break;
	default:
		break;
	}
}

struct run_facts facts_of(struct arena *a, const struct run *run)
{
	struct run_facts r = { .arena = a, .run = run, .n = run->n_jobs };
	r.jobs = ARENA_ARRAY(a, run->n_jobs + 1, struct facts);
	for (size_t i = 0; i < run->n_jobs; i++)
		r.jobs[i] = (struct facts){ .run = run, .job = run->jobs[i], .tail_ios = INFINITY,
			.told = run->jobs[i]->options.n > 0 && !run->jobs[i]->partial };
	struct params params = { NULL, 0 };
	enum direction d = DIRECTIONS;
	for (size_t i = 0; i < run->n_results; i++) {
		const struct result *k = &run->results[i];
		/* Neighbours mostly share their params. */
		if (k->params.v != params.v || k->params.n != params.n)
			d = direction_of(params = k->params);
		if (k->metric == METRIC_DISK_UTIL && r.disks++ == 0)
			r.disk = k;
		else if (k->job && k->job->run == run && !k->q.missing && !(k->flags & RESULT_DERIVED))
			take(&r.jobs[k->job->ordinal], d, k);
	}
	return r;
}

double facts_ios(const struct facts *f, enum direction d)
{
	if (!f->iops[d])
		return 0;
	if (f->iops[d]->n)
		return (double)f->iops[d]->n;
	return f->runtime[d] ? f->iops[d]->q.value * f->runtime[d]->q.value : f->iops[d]->q.value;
}

double facts_seconds(const struct facts *f, struct pos *pos)
{
	double longest = NAN;
	for (enum direction d = 0; d < DIRECTIONS; d++)
		if (f->runtime[d] && !(f->runtime[d]->q.value <= longest)) {
			longest = f->runtime[d]->q.value;
			*pos = f->runtime[d]->q.pos;
		}
	return longest;
}

bool rule_say(struct run_facts *r, struct finding *out, struct pos pos, const char *note, const char *format, ...)
{
	va_list args;
	if (!out)
		return true;
	va_start(args, format);
	*out = (struct finding){ HOLDS_WARN, arena_vprintf(r->arena, format, args), pos, note };
	va_end(args);
	return true;
}
