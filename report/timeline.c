/* The batch jobs on a time axis. */
#include "base/num.h"
#include "report/trends.h"

#include <math.h>
#include <stdlib.h>

static const double MARGIN = 0.02;
enum { TOOLS = CHART_STRIPS - 1, STYLE_BROKEN = 2, NAMED = 2 };
static const unsigned tool_style[TOOLS] = { 3, 5, 6 };

static bool is_job(const struct run *run)
{
	return params_find(run->attrs, "state") && !params_find(run->attrs, "duplicate_of") && !run->same_as;
}

static double end_of(const struct run *run)
{
	const struct param *stopped = params_find(run->attrs, "stopped");
	double end;
	return stopped && num_double(stopped->value, &end) == NUM_OK && end > run->started ? end : run->started;
}

static bool clock_assumed(const struct run *run)
{
	for (size_t i = 0; i < run->n_jobs; i++)
		if (params_find(run->jobs[i]->options, "clock"))
			return true;
	return false;
}

static int by_begin(const void *a, const void *b)
{
	const struct job_span *x = a, *y = b;
	return x->from != y->from ? (x->from > y->from) - (x->from < y->from) : (x->to > y->to) - (x->to < y->to);
}

static void gather(struct document *d, struct timeline *t, const struct slice *subject)
{
	const struct dataset *data = d->report->data;
	size_t cap = 0;
	for (size_t i = 0; i < data->n_runs; i++) {
		const struct run *run = data->runs[i];
		if (!is_job(run) || (subject && !slice_eq(run->subject, *subject)))
			continue;
		if (!isfinite(run->started)) {
			t->untimed++;
			continue;
		}
		*ARENA_PUSH(d->arena, t->jobs, t->n_jobs, cap) = (struct job_span){ run->started, end_of(run), run,
			slice_is(params_find(run->attrs, "state")->value, "complete") };
		t->assumed |= clock_assumed(run);
	}
}

/* The place of a tool's bars: tools in the order in which they first ran; what was not completed, behind all. */
static size_t strip_of(struct document *d, struct timeline *t, struct slice *tools, size_t *n_tools,
	const struct job_span *job)
{
	size_t k = 0;
	if (!job->complete)
		return TOOLS;
	while (k < *n_tools && !slice_eq(tools[k], job->run->tool))
		k++;
	if (k == *n_tools && k < TOOLS) {
		tools[(*n_tools)++] = job->run->tool;
		t->strips[k].name = arena_printf(d->arena, "%.*s jobs", SLICE_ARG(job->run->tool));
		t->strips[k].style = tool_style[k];
	}
	return k < TOOLS ? k : TOOLS - 1;
}

static void lay_strips(struct document *d, struct timeline *t)
{
	struct slice tools[TOOLS];
	size_t n_tools = 0, kept = 0, n[CHART_STRIPS] = { 0 };
	double *from[CHART_STRIPS], *to[CHART_STRIPS];
	for (size_t k = 0; k < CHART_STRIPS; k++) {
		from[k] = ARENA_ARRAY(d->arena, t->n_jobs, double);
		to[k] = ARENA_ARRAY(d->arena, t->n_jobs, double);
	}
	t->strips[TOOLS] = (struct chart_strip){ .name = "jobs that were not completed", .style = STYLE_BROKEN };
	for (size_t i = 0; i < t->n_jobs; i++) {
		size_t k = strip_of(d, t, tools, &n_tools, &t->jobs[i]);
		from[k][n[k]] = t->jobs[i].from;
		to[k][n[k]++] = t->jobs[i].to;
	}
	for (size_t k = 0; k < CHART_STRIPS; k++) {
		struct chart_strip strip = { t->strips[k].name, t->strips[k].style, from[k], to[k], n[k] };
		if (n[k])
			t->strips[kept++] = strip;
	}
	t->n_strips = kept;
}

struct timeline timeline_of(struct document *d, struct slice subject)
{
	struct timeline t = { .known = false };
	gather(d, &t, &subject);
	if (t.n_jobs == 0) {
		t.untimed = 0;
		gather(d, &t, NULL);
	}
	if (t.n_jobs == 0)
		return t;
	qsort(t.jobs, t.n_jobs, sizeof *t.jobs, by_begin);
	t.known = true;
	t.first = t.jobs[0].from;
	t.last = t.jobs[0].to;
	for (size_t i = 0; i < t.n_jobs; i++)
		t.last = fmax(t.last, t.jobs[i].to);
	double pad = fmax((t.last - t.first) * MARGIN, 1);
	t.lo = t.first - pad;
	t.hi = t.last + pad;
	lay_strips(d, &t);
	return t;
}

static const char *name_of(struct document *d, const struct run *run)
{
	const struct param *job = params_find(run->attrs, "job");
	return job ? arena_printf(d->arena, "%.*s (%.*s)", SLICE_ARG(job->value), SLICE_ARG(run->tool)) :
		arena_string(d->arena, run->tool);
}

static const char *show_while(struct document *d, double seconds)
{
	return seconds < 120 ? arena_printf(d->arena, "%.0f s", seconds) :
		seconds < 7200 ? arena_printf(d->arena, "%.0f min", seconds / 60) :
		arena_printf(d->arena, "%.1f h", seconds / 3600);
}

const char *timeline_during(struct document *d, const struct timeline *t, double from, double to)
{
	const char *names = "";
	const struct job_span *before = NULL;
	size_t n = 0;
	for (size_t i = 0; i < t->n_jobs && t->jobs[i].from <= to; i++) {
		const struct job_span *job = &t->jobs[i];
		if (job->to >= from && n++ < NAMED)
			names = arena_printf(d->arena, "%s%s%s", names, n > 1 ? ", " : "", name_of(d, job->run));
		if (job->to < from && (!before || job->to > before->to))
			before = job;
	}
	if (n)
		return arena_printf(d->arena, "during job%s %s%s", n > 1 ? "s" : "", names,
			n > NAMED ? arena_printf(d->arena, " and %zu more", n - NAMED) : "");
	if (before)
		return arena_printf(d->arena, "%s after job %s", show_while(d, to - before->to), name_of(d, before->run));
	return t->known ? "before the first job" : NULL;
}

void timeline_put(const struct timeline *t, struct chart *c)
{
	c->x_time = true;
	c->x_lo = t->lo;
	c->x_hi = t->hi;
	c->x_title = t->assumed ? "clock of the jobs, taken as UTC" : "UTC";
	c->n_strips = t->n_strips;
	for (size_t i = 0; i < t->n_strips; i++)
		c->strips[i] = t->strips[i];
}
