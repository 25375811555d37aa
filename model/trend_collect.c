/* Series out of results: which belong together, and in which order. */
#include "model/trend.h"

#include "base/num.h"
#include "model/columns.h"

#include <math.h>
#include <stdlib.h>

/* What tells the runs of a series apart. */
static const char *const of_one_run[] = { "job", "run", "iteration", "rank", "attempt", "time", NULL };

/* Series by key: open addressing, at most half full. */
struct index {
	struct slice *keys; /* of each series */
	size_t *slots;      /* place of a series + 1; 0: free */
	size_t n_slots, key_cap;
};

struct collector {
	struct arena *a;
	struct trend_set set;
	struct index index;
	struct arena scratch; /* of one result */
	struct buf key;
	size_t read;
};

static size_t hash_of(struct slice bytes)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
	for (size_t i = 0; i < bytes.n; i++)
		h = (h ^ (unsigned char)bytes.p[i]) * UINT64_C(0x100000001b3);
	return (size_t)(h ^ (h >> 32));
}

static size_t *slot_of(const struct index *x, struct slice key)
{
	size_t at = hash_of(key) & (x->n_slots - 1);
	while (x->slots[at] && !slice_eq(x->keys[x->slots[at] - 1], key))
		at = (at + 1) & (x->n_slots - 1);
	return &x->slots[at];
}

static void make_room(struct collector *c)
{
	struct index *x = &c->index;
	if (2 * (c->set.n + 1) <= x->n_slots)
		return;
	x->n_slots = x->n_slots ? 2 * x->n_slots : 64;
	x->slots = ARENA_ARRAY(c->a, x->n_slots, size_t);
	for (size_t i = 0; i < c->set.n; i++)
		*slot_of(x, x->keys[i]) = i + 1;
}

/* The series that a result belongs to. */
static struct trend_series *series_of(struct collector *c, const struct run *run, const struct result *r)
{
	struct slice params = result_params(&c->scratch, r, of_one_run);
	const struct slice parts[] = { run->subject, run->tool, run->version, result_test(r), r->stat, params };
	buf_clear(&c->key);
	buf_printf(&c->key, "%d %d", (int)r->metric, (int)r->q.unit);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		buf_printf(&c->key, " %zu ", parts[i].n);
		buf_slice(&c->key, parts[i]);
	}
	make_room(c);
	size_t *slot = slot_of(&c->index, buf_view(&c->key));
	if (*slot)
		return &c->set.series[*slot - 1];
	size_t n_keys = c->set.n;
	*ARENA_PUSH(c->a, c->index.keys, n_keys, c->index.key_cap) = arena_copy(c->a, buf_view(&c->key));
	struct trend_series *s = ARENA_PUSH(c->a, c->set.series, c->set.n, c->set.cap);
	*slot = c->set.n;
	*s = (struct trend_series){ .subject = parts[0], .tool = parts[1], .version = parts[2], .test = parts[3],
		.stat = parts[4], .params = arena_copy(c->a, params), .metric = r->metric, .unit = r->q.unit };
	return s;
}

static const struct param *attribute(const struct run *run, const char *key)
{
	return params_find(run->attrs, key);
}

static bool complete(const struct run *run)
{
	const struct param *state = attribute(run, "state");
	return !state || slice_is(state->value, "complete");
}

static uint64_t job_of(const struct run *run, const struct result *r)
{
	const struct param *p = result_param(r, "job");
	uint64_t number = 0;
	p = p ? p : attribute(run, "job");
	if (p)
		num_u64(p->value, &number);
	return number;
}

static void take(struct collector *c, const struct run *run, const struct result *r, bool baseline)
{
	struct trend_series *s = series_of(c, run, r);
	if (r->q.missing || !isfinite(r->q.value) || !complete(run)) {
		s->left_out++;
		return;
	}
	struct trend_point *p = baseline ? ARENA_PUSH(c->a, s->baseline, s->n_baseline, s->baseline_cap)
		: ARENA_PUSH(c->a, s->points, s->n, s->cap);
	*p = (struct trend_point){ .value = r->q.value, .half = r->q.half_digit, .time = result_time(run, r),
		.job = job_of(run, r), .run = run, .result = r, .order = c->read++ };
}

/* ---- order ---- */

static int by_time(const void *a, const void *b)
{
	const struct trend_point *x = a, *y = b;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	if (x->job != y->job)
		return x->job < y->job ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

static int by_job(const void *a, const void *b)
{
	const struct trend_point *x = a, *y = b;
	if (x->job != y->job)
		return x->job < y->job ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

static void put_in_order(struct trend_point *p, size_t n)
{
	bool timed = true, numbered = true;
	for (size_t i = 0; i < n; i++) {
		timed &= !isnan(p[i].time);
		numbered &= p[i].job > 0;
	}
	if (n > 1 && (timed || numbered))
		qsort(p, n, sizeof *p, timed ? by_time : by_job);
}

static bool same_run(const struct trend_point *p, const struct trend_point *q)
{
	return p->run == q->run && (p->time == q->time || isnan(p->time)) &&
		(result_param(p->result, "iteration") || result_param(p->result, "rank"));
}

static size_t tell_runs(struct trend_point *p, size_t n)
{
	size_t runs = n > 0;
	for (size_t i = 1; i < n; i++) {
		p[i].same_run = same_run(&p[i], &p[i - 1]);
		runs += !p[i].same_run;
	}
	return runs;
}

/* ---- which of them to show ---- */

static int rank_of(struct slice stat)
{
	return slice_is(stat, "value") ? 0 : slice_is(stat, "mean") ? 1 : 2;
}

static int by_name(const void *a, const void *b)
{
	const struct trend_series *x = a, *y = b;
	int c = slice_cmp(x->subject, y->subject);
	c = c ? c : slice_cmp(x->tool, y->tool);
	c = c ? c : slice_cmp(x->test, y->test);
	c = c ? c : (int)x->metric - (int)y->metric;
	c = c ? c : rank_of(x->stat) - rank_of(y->stat);
	c = c ? c : slice_cmp(x->params, y->params);
	c = c ? c : slice_cmp(x->version, y->version);
	c = c ? c : slice_cmp(x->stat, y->stat);
	return c ? c : (int)x->unit - (int)y->unit;
}

static bool same_figure(const struct trend_series *x, const struct trend_series *y)
{
	return slice_eq(x->subject, y->subject) && slice_eq(x->tool, y->tool) && slice_eq(x->test, y->test) &&
		x->metric == y->metric;
}

static void select_series(struct trend_set *set)
{
	size_t kept = 0, n = set->n;
	struct trend_series *v = set->series;
	if (n > 1)
		qsort(v, n, sizeof *v, by_name);
	for (size_t i = 0; i < n; i++) {
		struct trend_series s = v[i];
		if (s.n + s.n_baseline + s.left_out < 2)
			set->single++;
		else if (kept == 0 || !same_figure(&v[kept - 1], &s) || rank_of(v[kept - 1].stat) == rank_of(s.stat))
			v[kept++] = s;
	}
	set->n = kept;
}

/* ---- the jobs of a subject ---- */

static struct trend_jobs *jobs_of(struct collector *c, struct slice subject)
{
	for (size_t i = 0; i < c->set.n_jobs; i++)
		if (slice_eq(c->set.jobs[i].subject, subject))
			return &c->set.jobs[i];
	struct trend_jobs *j = ARENA_PUSH(c->a, c->set.jobs, c->set.n_jobs, c->set.jobs_cap);
	j->subject = subject;
	return j;
}

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

static void sort_jobs(struct trend_jobs *j)
{
	size_t kept = 0;
	qsort(j->started, j->n, sizeof *j->started, by_value);
	for (size_t i = 0; i < j->n; i++)
		if (kept == 0 || j->started[i] != j->started[kept - 1])
			j->started[kept++] = j->started[i];
	j->n = kept;
}

struct trend_set trend_collect(struct arena *a, const struct dataset *d, const struct selector *where,
	const struct selector *baseline)
{
	struct collector c = { .a = a };
	for (size_t i = 0; i < d->n_runs; i++) {
		const struct run *run = d->runs[i];
		if (run->same_as || attribute(run, "duplicate_of"))
			continue;
		if (attribute(run, "state") && complete(run) && !isnan(run->started)) {
			struct trend_jobs *j = jobs_of(&c, run->subject);
			*ARENA_PUSH(a, j->started, j->n, j->cap) = run->started;
		}
		for (size_t k = 0; k < run->n_results; k++) {
			struct result_view view = { run, &run->results[k], &c.scratch };
			if (!slice_is(view.result->stat, "count") && !(view.result->flags & RESULT_PUBLISHED) &&
				selector_match(where, result_view_lookup, &view))
				take(&c, run, view.result, baseline && selector_match(baseline, result_view_lookup, &view));
			arena_reset(&c.scratch);
		}
	}
	buf_free(&c.key);
	arena_free(&c.scratch);
	select_series(&c.set);
	for (size_t i = 0; i < c.set.n; i++) {
		put_in_order(c.set.series[i].points, c.set.series[i].n);
		c.set.series[i].runs = tell_runs(c.set.series[i].points, c.set.series[i].n);
		put_in_order(c.set.series[i].baseline, c.set.series[i].n_baseline);
	}
	for (size_t i = 0; i < c.set.n_jobs; i++)
		sort_jobs(&c.set.jobs[i]);
	return c.set;
}
