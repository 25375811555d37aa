/* Texts that are read as they go by give what they give when they are held whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <glob.h>
#include <stdlib.h>

#include "base/small_file.h"
#include "ingest/detect.h"
#include "parsers/transcript.h"

/* ---- everything that a parser says ---- */

static void put_pos(struct buf *out, struct pos p)
{
	if (p.line == 0 && p.offset && p.source && p.source->data.p)
		p = source_pos((struct source *)p.source, p.offset);
	buf_printf(out, "@%llu:%u:%u", (unsigned long long)p.offset, p.line, p.column);
}

static void put_params(struct buf *out, struct params p)
{
	for (size_t i = 0; i < p.n; i++) {
		buf_printf(out, " %.*s=%.*s(%.*s)", SLICE_ARG(p.v[i].key), SLICE_ARG(p.v[i].value), SLICE_ARG(p.v[i].text));
		put_pos(out, p.v[i].pos);
	}
}

static void on_run(void *ctx, struct slice tool, struct slice version)
{
	buf_printf(ctx, "run %.*s %.*s\n", SLICE_ARG(tool), SLICE_ARG(version));
}

static void on_meta(void *ctx, const struct param *attribute)
{
	buf_str(ctx, "meta");
	put_params(ctx, (struct params){ attribute, 1 });
	buf_char(ctx, '\n');
}

static const struct job *on_job(void *ctx, const struct job *job)
{
	buf_printf(ctx, "job %.*s", SLICE_ARG(job->name));
	put_pos(ctx, job->pos);
	put_params(ctx, job->params);
	put_params(ctx, job->options);
	buf_char(ctx, '\n');
	return NULL;
}

static void on_result(void *ctx, const struct result *r)
{
	buf_printf(ctx, "%s %.*s %.*s %.17g '%.*s%s' %llu %x", metric_get(r->metric)->name, SLICE_ARG(r->stat),
		SLICE_ARG(r->test), r->q.value, SLICE_ARG(r->q.text), r->q.suffix ? r->q.suffix : "", (unsigned long long)r->n,
		r->flags);
	put_pos(ctx, r->q.pos);
	put_params(ctx, r->params);
	buf_char(ctx, '\n');
}

static void on_series(void *ctx, const struct series *s)
{
	buf_printf(ctx, "series %zu\n", s->n);
}

static void on_diag(void *ctx, enum severity severity, struct pos pos, const char *message)
{
	buf_printf(ctx, "%s: %s ", severity_name(severity), message);
	put_pos(ctx, pos);
	buf_char(ctx, '\n');
}

static const struct sink recorder = {
	.run = on_run, .meta = on_meta, .job = on_job, .result = on_result, .series = on_series, .diag = on_diag,
};

/* ---- both ways ---- */

/* A feed that gives few bytes at a time, of ever other numbers, so that every line is met at the edge of what is held. */
struct dribble {
	struct feed feed;
	struct slice rest;
	unsigned turn;
};

static size_t read_few(struct feed *f, char *into, size_t size)
{
	struct dribble *d = (struct dribble *)f;
	size_t n = 1 + d->turn++ * 7919 % 1500;
	n = n < size ? n : size;
	n = n < d->rest.n ? n : d->rest.n;
	if (n)
		memcpy(into, d->rest.p, n);
	d->rest = slice_from(d->rest, n);
	return n;
}

static struct buf read_text(const struct parser *parser, struct slice bytes, struct rule_cache *rules, bool stream)
{
	struct buf out = BUF_EMPTY;
	struct arena arena = ARENA_EMPTY;
	struct dribble d = { .feed = { .read = read_few }, .rest = bytes };
	struct source source = source_of("text", stream ? SLICE_NONE : bytes);
	struct parse p = { .source = &source, .arena = &arena, .sink = &recorder, .ctx = &out, .rules = rules,
		.feed = stream ? &d.feed : NULL };
	buf_printf(&out, "status %d\n", transcript_read(parser, &p));
	arena_free(&arena);
	return out;
}

static bool compare(const char *path, const struct parser *parser, struct slice bytes, struct rule_cache *rules)
{
	struct buf whole = read_text(parser, bytes, rules, false), passing = read_text(parser, bytes, rules, true);
	size_t at = 0;
	while (at < whole.n && at < passing.n && whole.p[at] == passing.p[at])
		at++;
	bool same = at == whole.n && at == passing.n;
	if (!same)
		print_error("%s: whole: …%.200s\n, as it goes by: …%.200s\n\n", path, whole.p + (at > 80 ? at - 80 : 0),
			passing.p + (at > 80 ? at - 80 : 0));
	buf_free(&whole);
	buf_free(&passing);
	return same;
}

/* Each case so often that it is more than is held at a time. */
static void test_cases(void **state)
{
	(void)state;
	struct rule_cache *rules = rule_cache_new();
	struct arena arena = ARENA_EMPTY;
	struct diags diags;
	size_t texts = 0, differing = 0;
	glob_t found;
	diags_init(&diags, &arena);
	assert_int_equal(glob("testdata/cases/*/*/input", 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct slice path = slice_of(found.gl_pathv[i]), name = slice_from(path, strlen("testdata/cases/"));
		char parser_name[64] = "";
		name = slice_head(name, slice_find_char(name, '/'));
		assert_true(name.n < sizeof parser_name);
		memcpy(parser_name, name.p, name.n);
		const struct parser *parser = parser_named(parser_name);
		if (!parser || (parser->rules ? parser->rules->whole != NULL : parser != &parser_transcript))
			continue;
		struct buf text = BUF_EMPTY;
		struct source *input = small_file_read(&arena, found.gl_pathv[i], "a case", &diags);
		assert_non_null(input);
		while (text.n < TEXT_WINDOW + (TEXT_WINDOW >> 2)) {
			buf_slice(&text, input->data);
			buf_char(&text, '\n');
		}
		differing += !compare(found.gl_pathv[i], parser, buf_view(&text), rules);
		buf_free(&text);
		texts++;
	}
	assert_true(texts > 100);
	assert_int_equal(differing, 0);
	globfree(&found);
	arena_free(&arena);
	rule_cache_free(rules);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
