#include "ingest/collect.h"

#include "base/num.h"

static void on_run(void *ctx, struct slice tool, struct slice version)
{
	struct collect *c = ctx;
	c->run = dataset_add_run(c->dataset, c->source, tool);
	c->run->version = arena_copy(c->dataset->arena, version);
	c->run->subject = c->subject;
	for (size_t i = 0; i < c->set.n; i++)
		run_add_attr(c->dataset->arena, c->run, c->set.v[i]);
}

static void on_expect(void *ctx, size_t results)
{
	struct collect *c = ctx;
	if (c->run)
		run_expect(c->dataset->arena, c->run, results);
}

/* `set` holds them where the subject was told beforehand. */
static void add_study_attributes(struct collect *c)
{
	const struct study_subject *s = study_subject(c->study, c->run->subject);
	for (size_t i = 0; s && i < s->n_attrs; i++)
		run_add_attr(c->dataset->arena, c->run, s->attrs[i]);
}

static void on_meta(void *ctx, const struct param *attribute)
{
	struct collect *c = ctx;
	if (!c->run)
		return;
	if (c->typed && slice_is(attribute->key, "subject")) {
		if (attribute->value.n)
			c->run->subject = arena_copy(c->dataset->arena, attribute->value);
		add_study_attributes(c);
		return;
	}
	run_add_attr(c->dataset->arena, c->run, *attribute);
	/* What the user calls it goes before what it calls itself. */
	if ((slice_is(attribute->key, "instance_id") || slice_is(attribute->key, "subject")) && c->run->subject.n == 0) {
		c->run->subject = c->run->attrs.v[c->run->attrs.n - 1].value;
		add_study_attributes(c);
	}
	double started;
	if (slice_is(attribute->key, "started") && num_double(attribute->value, &started) == NUM_OK)
		c->run->started = started;
}

static const struct job *on_job(void *ctx, const struct job *job)
{
	struct collect *c = ctx;
	return c->run ? run_add_job(c->dataset->arena, c->run, job) : NULL;
}

static void on_result(void *ctx, const struct result *result)
{
	struct collect *c = ctx;
	if (c->run)
		run_add_result(c->dataset->arena, c->run, result);
}

static void on_series(void *ctx, const struct series *series)
{
	struct collect *c = ctx;
	if (c->run)
		run_add_series(c->dataset->arena, c->run, series);
}

static void on_spread(void *ctx, const struct spread *spread, const struct hist *hist)
{
	struct collect *c = ctx;
	if (c->run)
		run_add_spread(c->dataset->arena, c->run, spread, hist);
}

static void on_diag(void *ctx, enum severity severity, struct pos pos, const char *message)
{
	struct collect *c = ctx;
	c->errors += severity == DIAG_ERROR;
	c->warnings += severity == DIAG_WARNING;
	diag_add(&c->dataset->diags, severity, pos, "%s", message);
}

const struct sink collect_sink = {
	.run = on_run,
	.expect = on_expect,
	.meta = on_meta,
	.job = on_job,
	.result = on_result,
	.series = on_series,
	.spread = on_spread,
	.diag = on_diag,
};
