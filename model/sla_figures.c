#include "model/sla_figures.h"

#include "base/num.h"
#include "model/sla_each.h"

#include <math.h>

/* Selectors see a measurement as its columns, its params and its run's attributes. */
struct measure_view {
	const struct run *run;
	const struct series *series;
};

static bool series_lookup(const void *ctx, struct slice key, struct slice *value)
{
	const struct measure_view *v = ctx;
	if (slice_is(key, "test"))
		*value = v->series->test;
	else if (slice_is(key, "tool"))
		*value = v->run->tool;
	else if (slice_is(key, "subject"))
		*value = v->run->subject;
	else if (slice_is(key, "metric"))
		*value = slice_of(metric_get(v->series->metric)->name);
	else {
		const struct param *p = params_find_slice(v->series->params, key);
		if (!p && v->series->n && v->series->points[0].job)
			p = params_find_slice(v->series->points[0].job->params, key);
		if (!p)
			p = params_find_slice(v->run->attrs, key);
		if (!p)
			return false;
		*value = p->value;
	}
	return true;
}

/* Block size and mix as people say them. */
static const char *series_name(struct arena *a, const struct series *s)
{
	const struct param *bs = params_find(s->params, "bs"), *mix = params_find(s->params, "mix");
	char size[48] = "";
	double bytes;
	if (bs && num_double(bs->value, &bytes) == NUM_OK)
		quantity_show(size, sizeof size, bytes, UNIT_B, 4);
	return arena_printf(a, "%.*s%s%s%s%.*s", SLICE_ARG(s->test), *size ? " " : "", size, mix ? " " : "",
		SLICE_ARG(mix ? mix->value : SLICE("")));
}

bool params_agree(struct params a, struct params b, const char *key)
{
	const struct param *p = params_find(a, key), *q = params_find(b, key);
	return p && q ? slice_eq(p->value, q->value) : p == q;
}

/* The series of samples that belongs to a job's figure, if the tool left one: of a percentile its own over time before
 * the mean's, else the longest. */
static const struct series *samples_of(const struct run *run, const struct result *r)
{
	const struct series *best = NULL;
	for (size_t i = 0; i < run->n_series; i++) {
		const struct series *s = &run->series[i];
		bool own = s->kind == SERIES_SAMPLES && s->metric == r->metric && s->n && s->points[0].job == r->job &&
			(!s->stat.n || slice_eq(s->stat, r->stat)) &&
			(!params_find(s->params, "op") || params_agree(s->params, r->params, "op"));
		if (own && (!best || (s->stat.n && !best->stat.n) || (s->stat.n == best->stat.n &&
			    (double)s->n * s->interval > (double)best->n * best->interval)))
			best = s;
	}
	return best;
}

bool sla_matches(struct arena *a, const struct sla *sla, const struct run *run, const struct series *s, const struct result *r)
{
	if (s) {
		struct measure_view view = { run, s };
		return selector_match(sla->where, series_lookup, &view);
	}
	struct result_view view = { run, r, a };
	return selector_match(sla->where, result_view_lookup, &view);
}

/* Text names no port: jobs of one name and host are told apart by their order in the file. */
bool same_host(const struct job *a, const struct job *b)
{
	return params_agree(a->params, b->params, "host") && params_agree(a->params, b->params, "port") &&
		params_agree(a->params, b->params, "run");
}

/* Whether b's job is one more of a's: of the same name, in the same group, on the same host or, where the limits are of
 * all hosts together, on any, not by a command of its own. */
static bool equal_jobs(const struct sla *sla, const struct job *a, const struct job *b)
{
	bool together = sla->hosts_together && params_find(a->params, "host");
	return slice_eq(a->name, b->name) && params_find(a->params, "group") && params_agree(a->params, b->params, "group") &&
		(together || same_host(a, b)) && !params_find(b->options, "fio_command");
}

/* The samples of all parts added up, as far as all go; NULL when they don't fit each other. */
static const struct series *sum_samples(struct arena *a, const struct judgement *j)
{
	const struct series *first = samples_of(j->run, j->parts[0]);
	size_t n = first ? first->n : 0;
	for (size_t i = 1; i < j->n_parts && n; i++) {
		const struct series *s = samples_of(j->run, j->parts[i]);
		n = !s || fabs(s->interval - first->interval) > 0.01 * first->interval ? 0 : s->n < n ? s->n : n;
	}
	if (n == 0)
		return NULL;
	struct point *points = ARENA_ARRAY(a, n, struct point);
	memcpy(points, first->points, n * sizeof *points);
	for (size_t i = 1; i < j->n_parts; i++)
		for (size_t k = 0; k < n; k++)
			points[k].value += samples_of(j->run, j->parts[i])->points[k].value;
	struct series *sum = memcpy(ARENA_NEW(a, struct series), first, sizeof *first);
	sum->points = points;
	sum->n = n;
	return sum;
}

/* What equal jobs did side by side is one load: their rates add up. The sum stands at the first one's place. */
static void add_up(struct arena *a, const struct sla *sla, struct judgement *j)
{
	const struct result *first = j->result;
	const struct run *run = j->run;
	size_t cap = 0;
	if (!first->job || (first->metric != METRIC_IOPS && first->metric != METRIC_BANDWIDTH))
		return;
	struct result sum = *first;
	for (const struct result *r = first; r < run->results + run->n_results; r++) {
		if (r->metric != first->metric || !r->job || !slice_eq(r->stat, first->stat) || r->q.missing ||
		    !params_agree(r->params, first->params, "op") || !equal_jobs(sla, first->job, r->job))
			continue;
		*ARENA_PUSH(a, j->parts, j->n_parts, cap) = r;
		if (r == first)
			continue;
		sum.q.value += r->q.value;
		sum.n += r->n;
		sum.flags |= r->flags | RESULT_DERIVED;
	}
	if (j->n_parts < 2)
		return;
	sum.q.text = SLICE_NONE;
	j->result = memcpy(ARENA_NEW(a, struct result), &sum, sizeof sum);
	j->series = sum_samples(a, j);
	j->name = arena_printf(a, "%s, %zu jobs added up", j->name, j->n_parts);
}

/* Whether an earlier candidate's sum holds this figure. */
static bool is_part(const struct candidates *c, const struct result *r)
{
	for (size_t i = 0; i < c->n; i++)
		for (size_t k = 1; k < c->v[i].n_parts; k++)
			if (c->v[i].parts[k] == r)
				return true;
	return false;
}

static void add_figures(struct arena *a, const struct sla *sla, const struct run *run, struct candidates *c)
{
	for (size_t i = 0; i < run->n_results; i++) {
		const struct result *r = &run->results[i];
		if (r->metric != sla->metric || !slice_eq(r->stat, sla->stat) || r->flags & RESULT_DERIVED ||
		    !sla_matches(a, sla, run, NULL, r) || is_part(c, r))
			continue;
		if (r->flags & RESULT_PUBLISHED) {
			c->published = c->published ? c->published : r;
			continue;
		}
		struct slice test = result_test(r);
		struct judgement *j = ARENA_PUSH(a, c->v, c->n, c->cap);
		*j = (struct judgement){ .run = run, .result = r, .series = samples_of(run, r),
			.name = arena_printf(a, "%s%.*s", r->job ? "job " : "", SLICE_ARG(test)) };
		add_up(a, sla, j);
	}
}

struct candidates sla_candidates(struct arena *a, const struct sla *sla, const struct run *run)
{
	struct candidates c = { 0 };
	if (sla->each > 0) {
		sla_each_candidates(a, sla, run, &c);
		return c;
	}
	for (size_t i = 0; i < run->n_series; i++) {
		const struct series *s = &run->series[i];
		if (s->kind != SERIES_ROUNDS || s->metric != sla->metric || !sla_matches(a, sla, run, s, NULL))
			continue;
		struct judgement *j = ARENA_PUSH(a, c.v, c.n, c.cap);
		*j = (struct judgement){ .run = run, .series = s, .name = series_name(a, s) };
	}
	if (c.n == 0)
		add_figures(a, sla, run, &c);
	for (size_t i = 0; i < run->n_members && c.n == 0; i++)
		add_figures(a, sla, run->members[i], &c);
	return c;
}
