/* Result files of assay-load: what is kept of a run of days, and numbers that no run has. */
#include "ingest/collect.h"
#include "ingest/detect.h"
#include "parsers/rules.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

struct reading {
	struct arena arena, scratch;
	struct dataset dataset;
	enum status status;
};

static void read_feed(struct reading *r, struct source *source, struct feed *feed)
{
	*r = (struct reading){ .arena = ARENA_EMPTY, .scratch = ARENA_EMPTY };
	dataset_init(&r->dataset, &r->arena);
	struct collect c = { .dataset = &r->dataset, .source = source };
	struct parse p = { .source = source, .arena = &r->scratch, .sink = &collect_sink, .ctx = &c, .feed = feed };
	r->status = parser_run(parser_named("assay-load"), &p);
}

static void forget(struct reading *r)
{
	arena_free(&r->arena);
	arena_free(&r->scratch);
}

/* ---- a long run, made as it is read ---- */

enum { INTERVALS = 20000, TARGETS = 2, SLOTS = 4096 };
static const char start_line[] = "{\"type\":\"start\",\"format\":\"assay-load\",\"format_version\":1,\"version\":\"1\",\"kind\":\"storage\"}\n";

struct long_run {
	struct feed feed;
	struct buf rest;   /* what was made and not yet read */
	size_t at, line;
};

static void make_line(struct long_run *g)
{
	size_t i = g->line++;
	if (i == 0)
		buf_str(&g->rest, start_line);
	else if (i <= TARGETS)
		buf_printf(&g->rest, "{\"type\":\"target\",\"target\":%zu,\"path\":\"%c\"}\n", i - 1, (char)('a' + i - 1));
	else if (i == TARGETS + 1)
		buf_str(&g->rest, "{\"type\":\"test\",\"test\":0,\"name\":\"4k\",\"t\":0,\"bs\":4096,\"rw\":\"randwrite\",\"read_percent\":0}\n");
	else if ((i -= TARGETS + 2) < (size_t)INTERVALS * TARGETS)
		/* 2 I/Os of 100 and 120 ns in each second, and every other time three times the bytes. */
		buf_printf(&g->rest, "{\"type\":\"interval\",\"test\":0,\"target\":%zu,\"t\":%zu,\"seconds\":1,\"write\":{\"ios\":2,"
			"\"bytes\":%d,\"latency_ns\":{\"n\":2,\"min\":100,\"max\":120,\"sum\":220,\"buckets\":[[100,1],[120,1]]}}}\n",
			i % TARGETS, i / TARGETS, i / TARGETS % 2 ? 12288 : 4096);
	else if (i == (size_t)INTERVALS * TARGETS)
		buf_printf(&g->rest, "{\"type\":\"total\",\"test\":0,\"target\":\"all\",\"seconds\":%d,\"write\":{\"ios\":%d,\"bytes\":%d,"
			"\"iops\":4,\"bandwidth\":16384,\"latency_ns\":{\"n\":%d,\"min\":100,\"max\":120,\"sum\":%d,\"mean\":110,\"p50\":100,"
			"\"p99\":120}}}\n", INTERVALS, 4 * INTERVALS, 16384 * INTERVALS, 4 * INTERVALS, 440 * INTERVALS);
	else if (i == (size_t)INTERVALS * TARGETS + 1)
		buf_str(&g->rest, "{\"type\":\"end\",\"status\":\"complete\"}\n");
}

static size_t read_long(struct feed *feed, char *into, size_t size)
{
	struct long_run *g = (struct long_run *)feed;
	if (g->at == g->rest.n) {
		buf_clear(&g->rest);
		g->at = 0;
		for (int i = 0; i < 100; i++)
			make_line(g);
	}
	size_t n = g->rest.n - g->at < size ? g->rest.n - g->at : size;
	memcpy(into, g->rest.p + g->at, n);
	g->at += n;
	return n;
}

static void a_long_run(void **state)
{
	struct long_run g = { .feed = { .read = read_long } };
	struct source source = source_of("long.ndjson", SLICE_NONE);
	struct reading r;
	(void)state;
	read_feed(&r, &source, &g.feed);
	assert_int_equal(r.status, STATUS_OK);
	assert_null(r.dataset.diags.first);
	assert_int_equal(r.dataset.n_runs, 1);
	const struct run *run = r.dataset.runs[0];
	const struct result *p99 = run_find(run, NULL, METRIC_LATENCY, "p99", "write");
	assert_non_null(p99);
	assert_true(p99->q.value == 120e-9 && p99->n == 4 * INTERVALS && p99->q.pos.line == 2 + TARGETS + INTERVALS * TARGETS + 1);
	/* IOPS, bandwidth and latency of each target and of all: joined eight by eight, nothing is lost of them. */
	assert_int_equal(run->n_series, 3 * (TARGETS + 1));
	for (size_t i = 0; i < run->n_series; i++) {
		const struct series *s = &run->series[i];
		assert_true(s->kind == SERIES_SAMPLES && s->n > SLOTS / 2 && s->n <= SLOTS && s->interval == 8);
		double wanted = s->metric == METRIC_LATENCY ? 110e-9 : (s->metric == METRIC_IOPS ? 2 : 8192) *
			(params_find(s->params, "target") ? 1 : TARGETS);
		for (size_t k = 0; k < s->n; k++)
			assert_true(fabs(s->points[k].value - wanted) < 1e-9 * wanted);
		assert_true(s->points[s->n - 1].t == INTERVALS);
	}
	/* A buffer for a line, sums, slots and points; not the 9 MB that went by. */
	assert_true(r.scratch.total < 12 << 20 && r.arena.total < 6 << 20);
	forget(&r);
	buf_free(&g.rest);
}

/* ---- single lines ---- */

static const char target_line[] = "{\"type\":\"target\",\"target\":0,\"path\":\"a\"}\n";
static const char test_line[] = "{\"type\":\"test\",\"test\":0,\"name\":\"4k\",\"bs\":4096,\"rw\":\"randwrite\",\"read_percent\":0}\n";
static const char end_line[] = "{\"type\":\"end\",\"status\":\"complete\"}\n";

/* The message and place of the first diagnostic that one more line behind test_line leads to; NULL: none. */
static const struct diag *diag_of(struct reading *r, struct arena *a, const char *line, size_t *lines)
{
	const char *text = arena_printf(a, "%s%s%s%s\n%s", start_line, target_line, test_line, line, end_line);
	struct source *source = ARENA_NEW(a, struct source);
	struct feed_bytes bytes = feed_of(slice_of(text), NULL);
	*source = source_of("one.ndjson", SLICE_NONE);
	read_feed(r, source, &bytes.feed);
	*lines = 4;
	return r->dataset.diags.first;
}

#define INTERVAL(write) "{\"type\":\"interval\",\"test\":0,\"target\":0,\"t\":0,\"seconds\":1,\"write\":" write "}"
#define LATENCY(rest) INTERVAL("{\"ios\":9,\"bytes\":9,\"latency_ns\":" rest "}")

static void absurd_lines(void **state)
{
	static const struct { const char *line, *says; } rows[] = {
		{ "[1]", "damaged" }, { "{\"type\":\"interval\"", "damaged" }, { "nonsense", "damaged" },
		{ "{\"type\":\"end\",\"status\":\"complete\"} x", "damaged" },
		{ INTERVAL("{\"ios\":-1}"), "no count" }, { INTERVAL("{\"ios\":1e3}"), "no count" },
		{ INTERVAL("{\"ios\":1099511627776}"), "absurd" }, { INTERVAL("{\"bytes\":72057594037927936}"), "absurd" },
		{ INTERVAL("3"), "no object" },
		{ LATENCY("{\"n\":1,\"min\":1,\"max\":1,\"sum\":1,\"buckets\":[[1856,1]]}"), "no bucket" },
		{ LATENCY("{\"n\":1,\"min\":1,\"max\":1,\"sum\":1,\"buckets\":[[1,1099511627776]]}"), "absurd" },
		{ LATENCY("{\"n\":1,\"min\":1,\"max\":1,\"sum\":1,\"buckets\":[[1]]}"), "pair" },
		{ LATENCY("{\"n\":1,\"min\":1,\"max\":1,\"sum\":1,\"buckets\":[[1,-1]]}"), "pair" },
		{ LATENCY("{\"n\":1,\"min\":1,\"max\":1,\"sum\":1,\"buckets\":[1,1]}"), "pair" },
		{ LATENCY("{\"n\":2,\"min\":1,\"max\":1,\"sum\":1,\"buckets\":[[1,1]]}"), "another number" },
		{ LATENCY("{\"n\":1,\"min\":2,\"max\":1,\"sum\":1,\"buckets\":[[1,1]]}"), "can't be those" },
		{ LATENCY("{\"n\":1,\"min\":1,\"max\":1,\"sum\":5,\"buckets\":[[1,1]]}"), "can't be those" },
		{ LATENCY("{\"n\":1,\"min\":1,\"max\":1,\"sum\":1}"), "not whole" },
		{ INTERVAL("{\"ios\":0,\"latency_ns\":{\"n\":1,\"min\":1,\"max\":1,\"sum\":1,\"buckets\":[[1,1]]}}"), "more latencies" },
		{ "{\"type\":\"interval\",\"test\":1,\"target\":0,\"t\":0,\"seconds\":1}", "test 0 should" },
		{ "{\"type\":\"interval\",\"test\":0,\"target\":1,\"t\":0,\"seconds\":1}", "no target 1" },
		{ "{\"type\":\"interval\",\"test\":0,\"target\":0,\"t\":0,\"seconds\":0}", "how long" },
		{ "{\"type\":\"interval\",\"test\":0,\"target\":0,\"t\":0,\"seconds\":-1}", "below 0" },
		{ "{\"type\":\"test\",\"test\":5,\"name\":\"x\"}", "test 1 should" },
		{ "{\"type\":\"target\",\"target\":7,\"path\":\"x\"}", "target 1 should" },
		{ "{\"type\":\"total\",\"test\":3,\"target\":0}", "no test that is going on" },
		{ "{\"type\":\"total\",\"test\":0,\"target\":9}", "no target 9" },
		{ "{\"type\":\"total\",\"test\":0,\"target\":\"all\",\"seconds\":1,\"write\":{\"ios\":5}}", "there are no intervals" },
		{ "{\"type\":\"steady\",\"name\":\"4k\",\"metric\":\"iops\",\"first\":1,\"last\":4000000000}", "not all here" },
		{ "{\"type\":\"steady\",\"name\":\"other\",\"metric\":\"iops\",\"first\":1,\"last\":1}", "no rounds" },
		{ "{\"type\":\"measure\",\"test\":2}", "no test" },
		{ "{\"type\":\"event\",\"severity\":\"error\",\"message\":\"gone\"}", "an error of the run: gone" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena a = ARENA_EMPTY;
		struct reading r;
		size_t lines;
		const struct diag *d = diag_of(&r, &a, rows[i].line, &lines);
		if (!d || !strstr(d->message, rows[i].says))
			fail_msg("%s: %s", rows[i].line, d ? d->message : "nothing is said");
		assert_int_equal(d->pos.line, lines);
		assert_true(d->pos.column >= 1);
		forget(&r);
		arena_free(&a);
	}
}

static void what_is_not_known_is_left(void **state)
{
	static const char *const lines[] = { "{\"type\":\"later\"}", "{\"x\":1}", "{}", "", LATENCY("{\"n\":0,\"min\":0,\"max\":0,\"sum\":0,"
		"\"buckets\":[]}") };
	(void)state;
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		struct arena a = ARENA_EMPTY;
		struct reading r;
		size_t n;
		const struct diag *d = diag_of(&r, &a, lines[i], &n);
		/* An interval without its total is said; nothing else is. */
		if (d && !strstr(d->message, "has no total"))
			fail_msg("%s: %s", lines[i], d->message);
		forget(&r);
		arena_free(&a);
	}
}

/* A line that is longer than any of this format is skipped in bounded memory. */
static void an_endless_line(void **state)
{
	enum { LENGTH = 3 << 20 };
	struct arena a = ARENA_EMPTY;
	struct reading r;
	size_t n;
	char *line = arena_alloc(&a, LENGTH + 1);
	(void)state;
	memset(line, 'x', LENGTH);
	const struct diag *d = diag_of(&r, &a, line, &n);
	assert_non_null(d);
	assert_non_null(strstr(d->message, "too long"));
	assert_int_equal(d->pos.line, n);
	assert_null(d->next);
	forget(&r);
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_long_run),
		cmocka_unit_test(absurd_lines),
		cmocka_unit_test(what_is_not_known_is_left),
		cmocka_unit_test(an_endless_line),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
