/* What a rule table found, given to the sink at the end of the input. */
#include "parsers/rules_engine.h"

#include <stdlib.h>

static uint64_t hash(uint64_t h, struct slice s)
{
	for (size_t i = 0; i < s.n; i++)
		h = (h ^ (unsigned char)s.p[i]) * UINT64_C(0x100000001b3);
	return h * UINT64_C(0x100000001b3);
}

static uint64_t block_key(const struct block *b)
{
	const uint64_t basis = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
	uint64_t key = hash(basis, b->job.name);
	for (size_t i = 0; i < b->job.params.n; i++) /* a sum: the order of params is of no meaning */
		key += hash(hash(basis, b->job.params.v[i].key), b->job.params.v[i].value);
	return key;
}

static int by_key(const void *a, const void *b)
{
	const struct block *x = *(struct block *const *)a, *y = *(struct block *const *)b;
	return (x->key > y->key) - (x->key < y->key);
}

/* By identity, equal ones as they stand in the input. */
static int by_identity(const void *a, const void *b)
{
	const struct block *x = *(struct block *const *)a, *y = *(struct block *const *)b;
	int c = slice_cmp(x->identity, y->identity);
	return c ? c : (x->job.pos.offset > y->job.pos.offset) - (x->job.pos.offset < y->job.pos.offset);
}

/* Takes out the blocks in whose place a later one stands. */
static void drop_superseded(struct engine *e)
{
	struct block **all = NULL, **link = &e->first;
	size_t n = 0, cap = 0, dropped = 0;
	const struct block *first = NULL;
	for (struct block *b = e->first; b; b = b->next)
		if (b->identity.n)
			*ARENA_PUSH(e->arena, all, n, cap) = b;
	if (n > 1)
		qsort(all, n, sizeof *all, by_identity);
	for (size_t i = 1; i < n; i++)
		all[i - 1]->superseded = slice_eq(all[i - 1]->identity, all[i]->identity);
	while (*link) {
		struct block *b = *link;
		bool job = b->superseded && !b->loose;
		first = job && !first ? b : first;
		dropped += job;
		if (b->superseded)
			*link = b->next;
		else
			link = &b->next;
	}
	e->end = link;
	if (first)
		rules_diag(&e->r, DIAG_NOTE, first->job.pos, "%zu earlier state%s of the same job%s: only the last counts", dropped,
			dropped == 1 ? "" : "s", dropped == 1 ? "" : "s");
}

static void find_repeated(struct engine *e)
{
	size_t n = 0, i = 0;
	for (struct block *b = e->first; b; b = b->next, n++)
		b->key = block_key(b);
	struct block **all = ARENA_ARRAY(e->arena, n, struct block *);
	for (struct block *b = e->first; b; b = b->next)
		all[i++] = b;
	qsort(all, n, sizeof *all, by_key);
	for (i = 1; i < n; i++)
		if (all[i]->key == all[i - 1]->key)
			all[i]->repeated = all[i - 1]->repeated = true;
}

/* Results of no job carry the block's params themselves. */
static void give_loose(struct engine *e, struct block *b)
{
	struct params of_block = b->job.params;
	for (size_t i = 0; i < b->n_results; i++) {
		struct result *k = &b->results[i];
		struct param *v = ARENA_ARRAY(e->arena, k->params.n + of_block.n, struct param);
		if (k->params.n)
			memcpy(v, k->params.v, k->params.n * sizeof *v);
		if (of_block.n)
			memcpy(v + k->params.n, of_block.v, of_block.n * sizeof *v);
		k->params = (struct params){ v, k->params.n + of_block.n };
		k->no_test = true;
		e->r.parse->sink->result(e->r.parse->ctx, k);
	}
}

/* The param that tells blocks of one name and params apart. */
static void add_ordinal(struct engine *e, struct block *b, unsigned ordinal)
{
	if (params_find(b->job.params, "run"))
		return;
	e->params.n = 0;
	for (size_t i = 0; i < b->job.params.n; i++)
		*ARENA_PUSH(e->arena, e->params.v, e->params.n, e->params.cap) = b->job.params.v[i];
	*ARENA_PUSH(e->arena, e->params.v, e->params.n, e->params.cap) = (struct param){
		.key = SLICE("run"), .value = arena_u64(e->arena, ordinal), .pos = b->job.pos };
	b->job.params = (struct params){ e->params.v, e->params.n };
}

static void give_block(struct engine *e, struct block *b, unsigned ordinal)
{
	const struct sink *sink = e->r.parse->sink;
	void *ctx = e->r.parse->ctx;
	for (size_t i = 0; i < b->metas.n; i++)
		sink->meta(ctx, &b->metas.v[i]);
	if (b->repeated)
		add_ordinal(e, b, ordinal);
	if (b->loose) {
		give_loose(e, b);
		return;
	}
	const struct job *job = sink->job(ctx, &b->job);
	for (size_t i = 0; i < b->n_results; i++) {
		b->results[i].job = job;
		sink->result(ctx, &b->results[i]);
	}
}

static bool same_run(const struct block *a, const struct block *b)
{
	return a->run == b->run && slice_eq(a->version, b->version);
}

static void give_run(struct engine *e, const struct block *first)
{
	const struct parse *p = e->r.parse;
	size_t n = 0;
	for (const struct block *b = first; b && same_run(first, b); b = b->next)
		n += b->n_results;
	p->sink->run(p->ctx, slice_of(e->r.set->tool), first->version);
	if (p->sink->expect)
		p->sink->expect(p->ctx, n);
}

enum status rules_give(struct engine *e)
{
	if (!e->first)
		return e->status == STATUS_OK ? STATUS_REJECT : e->status;
	e->r.text = NULL; /* what blocks hold has been kept */
	drop_superseded(e);
	find_repeated(e);
	unsigned ordinal = 0;
	const struct block *last = NULL;
	for (struct block *b = e->first; b; b = b->next) {
		if (!last || !same_run(last, b))
			give_run(e, b);
		last = b;
		ordinal += !b->loose || !ordinal;
		give_block(e, b, ordinal);
	}
	return e->status;
}
