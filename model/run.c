#include "model/run.h"

#include <math.h>

const struct param *params_find_slice(struct params p, struct slice key)
{
	for (size_t i = 0; i < p.n; i++)
		if (p.v[i].key.n == key.n && (key.n == 0 || (p.v[i].key.p[0] == key.p[0] && slice_eq(p.v[i].key, key))))
			return &p.v[i];
	return NULL;
}

const struct param *params_find(struct params p, const char *key)
{
	return params_find_slice(p, slice_of(key));
}

void dataset_init(struct dataset *d, struct arena *a)
{
	*d = (struct dataset){ .arena = a };
	diags_init(&d->diags, a);
}

void dataset_append(struct dataset *d, const struct dataset *from)
{
	for (size_t i = 0; i < from->n_runs; i++)
		*ARENA_PUSH(d->arena, d->runs, d->n_runs, d->run_cap) = from->runs[i];
	for (size_t i = 0; i < from->n_inputs; i++)
		*ARENA_PUSH(d->arena, d->inputs, d->n_inputs, d->input_cap) = from->inputs[i];
	diags_append(&d->diags, &from->diags);
}

struct run *dataset_add_run(struct dataset *d, struct source *source, struct slice tool)
{
	struct run *r = ARENA_NEW(d->arena, struct run);
	*r = (struct run){ .tool = arena_copy(d->arena, tool), .source = source, .started = NAN };
	*ARENA_PUSH(d->arena, d->runs, d->n_runs, d->run_cap) = r;
	return r;
}

/* Lines are found while the source still has its bytes. */
static void settle(struct pos *p)
{
	if (p->line == 0 && p->source && p->source->data.p)
		*p = source_pos((struct source *)p->source, p->offset);
}

/* Structs that were just written are copied part by part, and filled in place: to load as a whole what still stands
 * in the processor's store buffer in parts makes it wait. */
static void param_copy(struct arena *a, const struct param *from, struct param *to)
{
	to->key = arena_copy(a, from->key);
	to->value = arena_copy(a, from->value);
	bool same = from->text.p == from->value.p && from->text.n == from->value.n;
	to->text = same ? to->value : arena_copy(a, from->text);
	to->pos.source = from->pos.source;
	to->pos.offset = from->pos.offset;
	to->pos.line = from->pos.line;
	to->pos.column = from->pos.column;
	settle(&to->pos);
}

struct params params_copy(struct arena *a, struct params p)
{
	struct param *v = ARENA_ROOM(a, p.n, struct param);
	for (size_t i = 0; i < p.n; i++)
		param_copy(a, &p.v[i], &v[i]);
	return (struct params){ v, p.n };
}

void run_add_attr(struct arena *a, struct run *r, struct param p)
{
	struct param *v = (struct param *)r->attrs.v;
	param_copy(a, &p, ARENA_PUSH(a, v, r->attrs.n, r->attr_cap));
	r->attrs.v = v;
}

const struct job *run_add_job(struct arena *a, struct run *r, const struct job *job)
{
	struct job *j = ARENA_NEW(a, struct job);
	*j = *job;
	settle(&j->pos);
	j->name = arena_copy(a, job->name);
	j->params = params_copy(a, job->params);
	j->options = params_copy(a, job->options);
	for (size_t i = 0; i < j->params.n; i++)
		j->keys |= param_bit(j->params.v[i].key);
	for (size_t i = 0; i < j->options.n; i++)
		j->keys |= param_bit(j->options.v[i].key);
	j->ordinal = (unsigned)r->n_jobs;
	j->run = r;
	*ARENA_PUSH(a, r->jobs, r->n_jobs, r->job_cap) = j;
	return j;
}

static bool same_params(struct params kept, struct params given)
{
	if (kept.n != given.n)
		return false;
	for (size_t i = 0; i < given.n; i++) {
		const struct param *p = &kept.v[i], *q = &given.v[i];
		if (p->pos.source != q->pos.source || p->pos.offset != q->pos.offset || !slice_eq(p->key, q->key) ||
			!slice_eq(p->value, q->value) || !slice_eq(p->text, q->text))
			return false;
	}
	return true;
}

void run_expect(struct arena *a, struct run *r, size_t results)
{
	if (r->result_cap - r->n_results >= results)
		return;
	struct result *v = ARENA_ROOM(a, r->n_results + results, struct result);
	for (size_t i = 0; i < r->n_results; i++)
		v[i] = r->results[i];
	r->results = v;
	r->result_cap = r->n_results + results;
}

/* The unit as a parser tells it is a constant, or its own. */
static const char *suffix_copy(struct arena *a, const char *given, const struct result *before)
{
	const char *kept = before ? before->q.suffix : NULL;
	if (!given)
		return NULL;
	for (size_t i = 0; kept && kept[i] == given[i]; i++) /* units are short */
		if (!given[i])
			return kept;
	return arena_string(a, slice_of(given));
}

/* Results mostly come with the test, the params and the unit of the one before: then they share its copies. */
struct result *run_add_result(struct arena *a, struct run *r, const struct result *result)
{
	if (result->flags & RESULT_OPEN) {
		struct result *open = ARENA_PUSH(a, r->open, r->n_open, r->open_cap);
		*open = *result;
		open->stat = arena_copy(a, result->stat);
		open->params = params_copy(a, result->params);
		open->q.text = arena_copy(a, result->q.text);
		open->q.suffix = suffix_copy(a, result->q.suffix, NULL);
		return open;
	}
	r->results = arena_grow(a, r->results, r->n_results, &r->result_cap, sizeof *r->results);
	struct result *k = &r->results[r->n_results], *before = r->n_results++ ? k - 1 : NULL;
	k->metric = result->metric;
	k->flags = result->flags;
	k->no_test = result->no_test;
	k->job = result->job;
	k->n = result->n;
	k->time = result->time;
	k->stat = arena_copy(a, result->stat);
	k->test = before && slice_eq(before->test, result->test) ? before->test : arena_copy(a, result->test);
	k->params = before && same_params(before->params, result->params) ? before->params : params_copy(a, result->params);
	k->q.value = result->q.value;
	k->q.unit = result->q.unit;
	k->q.missing = result->q.missing;
	k->q.half_digit = result->q.half_digit;
	k->q.text = arena_copy(a, result->q.text);
	k->q.suffix = suffix_copy(a, result->q.suffix, before);
	k->q.pos.source = result->q.pos.source;
	k->q.pos.offset = result->q.pos.offset;
	k->q.pos.line = result->q.pos.line;
	k->q.pos.column = result->q.pos.column;
	settle(&k->q.pos);
	return k;
}

struct series *run_add_series(struct arena *a, struct run *r, const struct series *series)
{
	struct series *s = ARENA_PUSH(a, r->series, r->n_series, r->series_cap);
	*s = *series;
	s->test = arena_copy(a, series->test);
	s->stat = arena_copy(a, series->stat);
	s->params = params_copy(a, series->params);
	s->claim_text = arena_copy(a, series->claim_text);
	settle(&s->claim_pos);
	struct point *points = ARENA_ARRAY(a, series->n, struct point);
	for (size_t i = 0; i < series->n; i++) {
		points[i] = series->points[i];
		settle(&points[i].pos);
	}
	s->points = points;
	return s;
}

struct spread *run_add_spread(struct arena *a, struct run *r, const struct spread *spread, const struct hist *hist)
{
	struct spread *s = ARENA_PUSH(a, r->spreads, r->n_spreads, r->spread_cap);
	*s = *spread;
	s->op = arena_copy(a, spread->op);
	s->hist = hist_pack(a, hist);
	struct spread_window *windows = ARENA_ARRAY(a, s->n_windows, struct spread_window);
	for (size_t i = 0; i < s->n_windows; i++) {
		const struct hist_packed *from = &spread->windows[i].hist;
		struct hist_bucket *bucket = ARENA_ARRAY(a, from->n_buckets, struct hist_bucket);
		for (size_t k = 0; k < from->n_buckets; k++)
			bucket[k] = from->bucket[k];
		windows[i] = spread->windows[i];
		windows[i].hist.bucket = bucket;
	}
	s->windows = windows;
	return s;
}

static const struct spread *find_spread(const struct run *r, const char *op, bool merged)
{
	for (size_t i = 0; i < r->n_spreads; i++)
		if (slice_is(r->spreads[i].op, op) && (r->spreads[i].merged > 0) == merged)
			return &r->spreads[i];
	return NULL;
}

const struct spread *run_spread(const struct run *r, const char *op)
{
	return find_spread(r, op, false);
}

const struct spread *run_merged_spread(const struct run *r, const char *op)
{
	return find_spread(r, op, true);
}

struct slice result_test(const struct result *r)
{
	if (r->no_test)
		return SLICE("");
	return r->test.n || !r->job ? r->test : r->job->name;
}

const struct param *result_param(const struct result *r, const char *key)
{
	const struct param *p = params_find(r->params, key);
	return p || !r->job ? p : params_find(r->job->params, key);
}

const struct result *run_find(const struct run *r, const struct job *job, enum metric_id metric, const char *stat,
	const char *op)
{
	for (size_t i = 0; i < r->n_results; i++) {
		const struct result *k = &r->results[i];
		if (k->metric != metric || (job && k->job != job) || !slice_is(k->stat, stat))
			continue;
		const struct param *p = op ? result_param(k, "op") : NULL;
		if (!op || (p && slice_is(p->value, op)))
			return k;
	}
	return NULL;
}
