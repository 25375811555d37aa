#include "parsers/repaired.h"

static void on_run(void *ctx, struct slice tool, struct slice version)
{
	const struct repaired *r = ctx;
	r->sink->run(r->ctx, tool, version);
}

static void on_expect(void *ctx, size_t results)
{
	const struct repaired *r = ctx;
	r->sink->expect(r->ctx, results);
}

static void on_meta(void *ctx, const struct param *attribute)
{
	const struct repaired *r = ctx;
	r->sink->meta(r->ctx, attribute);
}

static const struct job *on_job(void *ctx, const struct job *job)
{
	const struct repaired *r = ctx;
	return r->sink->job(r->ctx, job);
}

static void on_result(void *ctx, const struct result *result)
{
	const struct repaired *r = ctx;
	struct result marked = *result;
	marked.flags |= RESULT_REPAIRED;
	r->sink->result(r->ctx, &marked);
}

static void on_series(void *ctx, const struct series *series)
{
	const struct repaired *r = ctx;
	r->sink->series(r->ctx, series);
}

static void on_spread(void *ctx, const struct spread *spread, const struct hist *hist)
{
	const struct repaired *r = ctx;
	r->sink->spread(r->ctx, spread, hist);
}

static void on_diag(void *ctx, enum severity severity, struct pos pos, const char *message)
{
	const struct repaired *r = ctx;
	r->sink->diag(r->ctx, severity, pos, message);
}

void repaired_begin(struct repaired *r, struct parse *p)
{
	*r = (struct repaired){ .sink = p->sink, .ctx = p->ctx, .own = { .run = on_run, .meta = on_meta, .job = on_job,
		.result = on_result, .series = on_series, .diag = on_diag } };
	if (p->sink->expect)
		r->own.expect = on_expect;
	if (p->sink->spread)
		r->own.spread = on_spread;
	p->sink = &r->own;
	p->ctx = r;
}
