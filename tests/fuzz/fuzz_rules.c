/* Every rule table reads the same bytes; what it gives must lie within them and be a number. */
#include "parsers/rules.h"

#include <math.h>
#include <stdlib.h>

static void on_run(void *ctx, struct slice tool, struct slice version)
{
	(void)ctx, (void)tool, (void)version;
}

static void on_meta(void *ctx, const struct param *attribute)
{
	(void)ctx, (void)attribute;
}

static const struct job *on_job(void *ctx, const struct job *job)
{
	(void)ctx;
	return job;
}

static void on_result(void *ctx, const struct result *result)
{
	const struct source *s = ctx;
	/* A position without a line is located by whoever takes it. */
	if (result->q.pos.source != s || result->q.pos.offset > s->data.n)
		abort();
	if (!result->q.missing && !isfinite(result->q.value))
		abort();
}

static void on_series(void *ctx, const struct series *series)
{
	(void)ctx, (void)series;
}

static void on_diag(void *ctx, enum severity severity, struct pos pos, const char *message)
{
	const struct source *s = ctx;
	(void)severity, (void)message;
	if (pos.offset > s->data.n)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct sink sink = { .run = on_run, .meta = on_meta, .job = on_job, .result = on_result,
		.series = on_series, .diag = on_diag };
	static struct rule_cache *cache;
	if (!cache)
		cache = rule_cache_new();
	for (size_t i = 0; parsers[i]; i++) {
		struct source source = source_of("fuzz", (struct slice){ (const char *)data, size });
		struct arena arena = ARENA_EMPTY;
		struct parse p = { .source = &source, .arena = &arena, .sink = &sink, .ctx = &source, .rules = cache };
		if (parsers[i]->rules)
			parser_run(parsers[i], &p);
		arena_free(&arena);
	}
	return 0;
}
