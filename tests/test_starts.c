/* The lines by which texts are told apart and transcripts are cut. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "base/buf.h"
#include "ingest/detect.h"
#include "parsers/shapes.h"
#include "parsers/starts.h"
#include "parsers/transcript.h"

/* No line of a tool begins another one's output: neither a sample nor, where a rule has one, a start. */
static void check_sample(const struct starts *starts, const struct parser *parser, const struct rule *rule, bool start)
{
	struct slice sample = slice_of(rule->sample);
	size_t at;
	struct start_set others = starts_others(starts, parser);
	const struct parser *found = starts_find(starts, sample, 0, sample.n, false, &others, &at);
	if (found && strcmp(found->tool, parser->tool) != 0)
		fail_msg("%s begins with a line of %s, rule %s: %s", found->name, parser->name, rule->id, rule->sample);
	found = starts_find(starts, sample, 0, sample.n, false, NULL, &at);
	if (start && (!found || at != 0))
		fail_msg("%s, rule %s: its sample starts nothing", parser->name, rule->id);
	if (start && !shapes_fit(rule->pattern))
		fail_msg("%s, rule %s: a start that tells digits apart (parsers/shapes.h)", parser->name, rule->id);
	if (start && rule->in && !(rule->in & 1))
		fail_msg("%s, rule %s: a start, but not live in the first section", parser->name, rule->id);
}

static void test_samples(void **state)
{
	(void)state;
	struct rule_cache *cache = rule_cache_new();
	const struct starts *starts = starts_of(cache);
	for (size_t i = 0; parsers[i]; i++) {
		for (const struct rule *rule = parsers[i]->rules ? parsers[i]->rules->rules : NULL; rule && rule->id; rule++)
			check_sample(starts, parsers[i], rule, rule->flags & RULE_START);
		for (const struct rule *rule = parsers[i]->starts; rule && rule->id; rule++)
			check_sample(starts, parsers[i], rule, true);
	}
	rule_cache_free(cache);
}

static const struct parser *first_of(const struct starts *starts, const char *line, size_t *at)
{
	struct slice text = slice_of(line);
	return starts_find(starts, text, 0, text.n, false, NULL, at);
}

static void test_places(void **state)
{
	(void)state;
	struct rule_cache *cache = rule_cache_new();
	const struct starts *starts = starts_of(cache);
	size_t at = 0;
	assert_string_equal(first_of(starts, "root@host:~# dd if=/dev/zero of=t bs=1M", &at)->name, "dd");
	assert_int_equal(at, 13);
	assert_string_equal(first_of(starts, "| [a] | `512+0 records in`", &at)->name, "dd");
	/* In prose a rule that is not marked for it begins nothing. */
	assert_null(first_of(starts, "we saw dd test", &at));
	assert_null(first_of(starts, "", &at));
	rule_cache_free(cache);
}

/* ---- transcripts, by what comes out ---- */

static void on_run(void *ctx, struct slice tool, struct slice version)
{
	(void)version;
	buf_printf(ctx, "%.*s", SLICE_ARG(tool));
}

static void on_meta(void *ctx, const struct param *attribute)
{
	(void)ctx, (void)attribute;
}

static const struct job *on_job(void *ctx, const struct job *job)
{
	const struct param *run = params_find(job->params, "run");
	buf_printf(ctx, " [%.*s%s%.*s]", SLICE_ARG(job->name), run ? " run=" : "", SLICE_ARG(run ? run->value : SLICE("")));
	return job;
}

static void on_result(void *ctx, const struct result *r)
{
	buf_printf(ctx, " %s=%g%s@%u", metric_get(r->metric)->name, r->q.value, r->flags & RESULT_REPAIRED ? "!" : "", r->q.pos.line);
}

static void on_series(void *ctx, const struct series *series)
{
	(void)ctx, (void)series;
}

static void on_diag(void *ctx, enum severity severity, struct pos pos, const char *message)
{
	(void)ctx, (void)pos, (void)severity, (void)message;
}

static const struct sink sink = { .run = on_run, .meta = on_meta, .job = on_job, .result = on_result, .series = on_series,
	.diag = on_diag };

static void expect(const struct parser *first, const char *text, enum status status, const char *want)
{
	struct arena arena = ARENA_EMPTY;
	struct buf out = BUF_EMPTY;
	struct source source = source_of("t", slice_of(text));
	struct parse p = { .source = &source, .arena = &arena, .sink = &sink, .ctx = &out };
	enum status got = transcript_read(first, &p);
	buf_char(&out, '\0');
	assert_string_equal(out.p, want);
	assert_int_equal(got, status);
	buf_free(&out);
	arena_free(&arena);
}

extern const struct parser parser_dd;

#define QPERF "tcp_lat:\n    latency  =  80 us\n"
#define WRK "Running 1s test @ http://a/\n  20 requests in 1.00s, 4.39MB read\nRequests/sec:   20.00\nTransfer/sec:      1.00MB\n"

static void test_sections(void **state)
{
	(void)state;
	/* Blocks of a tool are counted through the whole text. What stands before the first section is nobody's. */
	expect(&parser_transcript, "Requests/sec:   10.00\n" QPERF WRK "noise\n" QPERF, STATUS_OK,
		"qperf [tcp_lat run=1] latency=8e-05@3 [tcp_lat run=2] latency=8e-05@10"
		"wrk [http://a/] requests=20@5 runtime=1@5 rate=20@6 bandwidth=1.04858e+06@7");
	/* A section ends what is open: wrk's figures after it are nobody's. */
	expect(&parser_transcript, "Running 1s test @ http://a/\n" QPERF "Requests/sec:   20.00\n", STATUS_OK,
		"wrk [http://a/]qperf [tcp_lat] latency=8e-05@3");
	expect(&parser_transcript, "nothing of a tool\n", STATUS_REJECT, "");
	expect(&parser_dd, QPERF, STATUS_OK, "qperf [tcp_lat] latency=8e-05@2");
}

static void test_one_line(void **state)
{
	(void)state;
	expect(&parser_transcript, "a tcp_lat: latency  =  80 us and Running 1s test @ http://a/ 20 requests in 1.00s, 4.39MB read "
		"Requests/sec:   20.00 tcp_lat: latency  =  90 us .", STATUS_OK,
		"qperf [tcp_lat run=1] latency=8e-05!@1 [tcp_lat run=2] latency=9e-05!@1"
		"wrk [http://a/] requests=20!@1 runtime=1!@1 rate=20!@1");
}

static void test_pages(void **state)
{
	(void)state;
	/* Blocks end lines, a paragraph's own line ends do not; nothing of scripts, comments and tags is read. */
	expect(&parser_transcript, "<!DOCTYPE html><body><script>tcp_lat:\n latency = 1 us\n</script>\n<p>tcp_<b>lat</b>:<br>latency\n"
		"  = &nbsp;80 &#117;s</p><!-- latency = 2 us --><pre>tcp_bw:\nbw  =  570 MB/sec\n</pre>", STATUS_OK,
		"qperf [tcp_lat] latency=8e-05@0 [tcp_bw] bandwidth=5.7e+08@0");
	/* Text that only looks like one stays as it is. */
	expect(&parser_transcript, "<<< x\ntcp_lat:\nlatency  =  80 us & <5 us\n", STATUS_OK, "qperf [tcp_lat] latency=8e-05@3");
	expect(&parser_transcript, "<p", STATUS_REJECT, "");
	expect(&parser_transcript, "<html><p>tcp_lat:<br>latency = 80 us &#xZ; &bogus; <", STATUS_OK,
		"qperf [tcp_lat] latency=8e-05@0");
}

/* A mail's lines are joined and marked; where nothing goes on they are not. */
static void test_wrapped(void **state)
{
	(void)state;
	expect(&parser_transcript, "> On the new machine the last line was this: 6553600 bytes (6.6 MB) copied,\n> 0.5 s, 13 MB/s\n"
		"> On the old machine the line before it was: 6553600 bytes (6.6 MB) copied, 1 s, 6.6 MB/s\n> and so on\n", STATUS_OK,
		"dd [ run=1] io=6.5536e+06!@1 runtime=0.5!@2 bandwidth=1.3e+07!@2 bandwidth=1.31072e+07@2"
		" [ run=2] io=6.5536e+06@3 runtime=1@3 bandwidth=6.6e+06@3 bandwidth=6.5536e+06@3");
}

/* A page whose log begins behind what detection looks at first, and a program's source of that size. */
static void test_late(void **state)
{
	(void)state;
	static const char prose[] = "We wrote a lot of words about this machine.\n", code[] = "\tcount += next_of(list);\n",
		output[] = "--- vm1 ping statistics ---\n2 packets transmitted, 2 received, 0% packet loss, time 1001ms\n";
	struct rule_cache *cache = rule_cache_new();
	for (int quoting = 0; quoting < 2; quoting++) {
		struct buf b = BUF_EMPTY;
		while (b.n < 2 * PEEK_SIZE)
			buf_str(&b, quoting ? code : prose);
		buf_str(&b, output);
		struct peek peek = peek_of(SLICE("page.txt"), buf_view(&b), b.n);
		struct detection d = detect(&peek, cache);
		assert_null(d.parser);
		assert_true(detect_beyond_may(&d, peek.head));
		d = detect_beyond(buf_view(&b), cache);
		if (quoting)
			assert_null(d.parser);
		else
			assert_string_equal(d.parser->name, "ping");
		buf_free(&b);
	}
	rule_cache_free(cache);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_sections),
		cmocka_unit_test(test_one_line),
		cmocka_unit_test(test_pages),
		cmocka_unit_test(test_wrapped),
		cmocka_unit_test(test_late),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
