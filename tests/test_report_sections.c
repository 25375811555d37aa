/* Sections by component: what is pooled, marked and left out; SPEC's rules of publication; escaping. */
#include "tests/document.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

struct fixture {
	struct arena arena;
	struct dataset data;
	struct diags diags;
	struct source *source;
	struct run *run;
};

static void fixture_open(struct fixture *f)
{
	*f = (struct fixture){ .arena = ARENA_EMPTY };
	dataset_init(&f->data, &f->arena);
	diags_init(&f->diags, &f->arena);
}

static void fixture_close(struct fixture *f)
{
	arena_free(&f->arena);
}

static struct param named(const char *key, const char *value)
{
	return (struct param){ .key = slice_of(key), .value = slice_of(value) };
}

static void begin(struct fixture *f, const char *file, const char *tool, const char *subject)
{
	f->source = ARENA_NEW(&f->arena, struct source);
	*f->source = source_of(file, SLICE_NONE);
	f->run = dataset_add_run(&f->data, f->source, slice_of(tool));
	f->run->subject = slice_of(subject);
}

/* `params` is "key=value key=value". */
static void add(struct fixture *f, const char *test, const char *params, enum metric_id metric, const char *stat,
	double value)
{
	struct param p[6];
	size_t n = 0;
	for (struct slice rest = slice_of(params); rest.n && n < 6;) {
		size_t end = slice_find_char(rest, ' '), at = slice_find_char(rest, '=');
		end = end == (size_t)-1 ? rest.n : end;
		p[n++] = (struct param){ .key = slice_head(rest, at),
			.value = { rest.p + at + 1, end - at - 1 } };
		rest = slice_from(rest, end < rest.n ? end + 1 : end);
	}
	struct result r = { .metric = metric, .stat = slice_of(stat), .test = slice_of(test), .params = { p, n }, .time = NAN,
		.q = { .value = value, .unit = metric_get(metric)->unit, .missing = isnan(value),
			.pos = { f->source, 0, (uint32_t)f->run->n_results + 1, 1 } } };
	run_add_result(&f->arena, f->run, &r);
}

/* The document, which must be valid and the same when it is written again. */
static struct slice document(struct fixture *f)
{
	struct report r = { .data = &f->data };
	struct slice text = valid_document(&r, &f->arena, &f->diags);
	assert_true(slice_eq(text, valid_document(&r, &f->arena, &f->diags)));
	return text;
}

/* From `id` to the end of its section. */
static struct slice section(struct slice xml, const char *id)
{
	size_t at = slice_find(xml, slice_of(id));
	assert_true(at != (size_t)-1);
	struct slice rest = slice_from(xml, at);
	return slice_head(rest, slice_find(rest, SLICE("</section>")));
}

static void add_stream(struct fixture *f, const char *file, double triad, double valid)
{
	begin(f, file, "stream", "BM.A");
	run_add_attr(&f->arena, f->run, named("compiler", "gcc 4.8.5"));
	add(f, "Triad", "threads=52", METRIC_BANDWIDTH, "max", triad);
	add(f, "Copy", "threads=52", METRIC_BANDWIDTH, "max", triad / 2);
	add(f, "", "threads=52", METRIC_VALID, "value", valid);
}

/* Three sound runs are one mean, 186 GB/s; one that fails its validation is none of them. */
static void stream_runs(void **state)
{
	struct fixture f;
	(void)state;
	fixture_open(&f);
	add_stream(&f, "a", 184e9, 1);
	add_stream(&f, "b", 186e9, 1);
	add_stream(&f, "c", 188e9, 1);
	add_stream(&f, "d", 999e9, 0);
	struct slice s = section(document(&f), "id=\"memory\"");
	assert_int_equal(count(s, "value=\"186000000000\" unit=\"B/s\" basis=\"recomputed\" how=\"mean over 3 runs\""), 1);
	assert_int_equal(count(s, "detail=\"184.0 \xe2\x80\xa6 188.0\""), 1);
	assert_int_equal(count(s, "failed its validation"), 1);
	assert_int_equal(count(s, "mark=\"bad\""), 2);
	assert_int_equal(count(s, "<title>BM.A: Triad bandwidth, 186.0 GB/s</title>"), 1);
	assert_int_equal(count(s, "gcc 4.8.5"), 2);
	/* Kernels in STREAM's order, whatever the file's. */
	assert_true(slice_find(s, SLICE(">Copy<")) < slice_find(s, SLICE(">Triad<")));
	fixture_close(&f);
}

static void add_unixbench(struct fixture *f, const char *file)
{
	begin(f, file, "unixbench", "hi1");
	run_add_attr(&f->arena, f->run, named("price", "$3.10/h"));
	add(f, "System Benchmarks Index Score", "copies=1", METRIC_INDEX, "value", 528);
	add(f, "Process Creation", "copies=1", METRIC_INDEX, "value", 176);
	add(f, "System Benchmarks Index Score", "copies=16", METRIC_INDEX, "value", 2652);
	add(f, "Process Creation", "copies=16", METRIC_INDEX, "value", 1190);
}

/* The same run as text and as a table counts once; scores stand last; a month has 730 hours. */
static void unixbench_columns(void **state)
{
	struct fixture f;
	(void)state;
	fixture_open(&f);
	add_unixbench(&f, "ub.txt");
	add_unixbench(&f, "ub.csv");
	struct slice s = section(document(&f), "id=\"unixbench\"");
	assert_int_equal(count(s, ">1 copy</column>"), 1);
	assert_int_equal(count(s, ">16 copies</column>"), 1);
	assert_int_equal(count(s, "mean over"), 0);
	assert_int_equal(count(s, "4 figures of hi1."), 1);
	assert_true(slice_find(s, SLICE("<cell>Process")) < slice_find(s, SLICE("<cell>System")));
	assert_int_equal(count(s, ">$3.10</figure>"), 2);
	assert_int_equal(count(s, ">$2,263</figure>"), 2);
	fixture_close(&f);
}

/* Tests that were not repeated on purpose stand in turn, subject beside subject, and are never averaged. */
static void quick_tests_in_turn(void **state)
{
	struct fixture f;
	(void)state;
	fixture_open(&f);
	for (size_t i = 0; i < 2; i++) {
		begin(&f, i ? "a" : "b", "dd", i ? "one" : "two");
		add(&f, "", "bs=1048576", METRIC_BANDWIDTH, "value", 1e8 + (double)i);
		add(&f, "", "bs=1048576", METRIC_BANDWIDTH, "value", 3e8 + (double)i);
	}
	struct slice s = section(document(&f), "id=\"storage\"");
	assert_int_equal(count(s, "mean over"), 0);
	assert_int_equal(count(s, "detail=\"1 MiB, no. 1\""), 1);
	assert_int_equal(count(s, "detail=\"1 MiB, no. 2\""), 1);
	assert_int_equal(count(s, "<row>"), 2);
	fixture_close(&f);
}

/* A failed test has no value, and none is made of it. */
static void network_rows(void **state)
{
	struct fixture f;
	(void)state;
	fixture_open(&f);
	begin(&f, "net/a.csv", "cloudharmony", "BM.A");
	static const char *const stats[] = { "max", "min", "sd", "mean" };
	for (size_t i = 0; i < 4; i++)
		add(&f, "latency", "endpoint=10.0.0.2", METRIC_LATENCY, stats[i], 42e-6);
	add(&f, "downlink", "endpoint=10.0.0.2", METRIC_BANDWIDTH, "median", NAN);
	struct slice s = section(document(&f), "id=\"network\"");
	assert_int_equal(count(s, "no value"), 1);
	assert_int_equal(count(s, "group=\"Latency, \xc2\xb5s\">Mean<"), 1);
	assert_true(slice_find(s, SLICE(">Mean<")) < slice_find(s, SLICE(">Min<")));
	assert_int_equal(count(s, "mean latency, 42.00 \xc2\xb5s"), 1);
	assert_int_equal(count(s, "Mbit/s, "), 0);
	fixture_close(&f);
}

/* Two benchmarks with these ratios. */
static void add_spec(struct fixture *f, const char *subject, double first, double second, bool estimate)
{
	static const char *const names[] = { "500.perlbench_r", "502.gcc_r" };
	const double ratio[] = { first, second };
	begin(f, subject, "spec-cpu2017", subject);
	run_add_attr(&f->arena, f->run, named("hw_enabled", "4 cores, 1 chip, 2 threads/core"));
	add(f, "SPECrate2017_int_base", "tune=base size=ref", METRIC_SCORE, "value", sqrt(first * second));
	for (size_t i = 0; i < 2; i++) {
		add(f, names[i], "tune=base size=ref iteration=1 copies=8 selected=yes", METRIC_RUNTIME, "value", 100);
		add(f, names[i], "tune=base size=ref iteration=1 copies=8 selected=yes", METRIC_RATIO, "value", ratio[i]);
	}
	for (size_t i = 0; i < f->run->n_results && estimate; i++)
		f->run->results[i].flags |= RESULT_ESTIMATED;
}

static void spec_ratios(void **state)
{
	struct fixture f;
	(void)state;
	fixture_open(&f);
	add_spec(&f, "old", 10, 40, false);
	add_spec(&f, "new", 20, 320, true);
	struct slice s = section(document(&f), "id=\"spec-cpu2017\"");
	/* 2 and 8 times: 4 by the geometric mean. */
	assert_int_equal(count(s, "how=\"geometric mean over 2 benchmarks\" estimated=\"yes\">4.000 est.</figure>"), 1);
	assert_int_equal(count(s, ">2.000 est.</figure>"), 1);
	assert_int_equal(count(s, ">8.000 est.</figure>"), 1);
	/* 80 by 4 cores, 8 vCPUs, 8 copies. */
	assert_int_equal(count(s, ">20 est.</figure>"), 3); /* and a printed ratio, in two tables */
	assert_int_equal(count(s, "group=\"SPECrate2017_int\">Base<"), 1);
	assert_int_equal(count(s, "new has the highest SPECrate2017_int base, 80 est."), 1);
	fixture_close(&f);
}

/* A peak alone is shown nowhere. */
static void no_peak_without_base(void **state)
{
	struct fixture f;
	(void)state;
	fixture_open(&f);
	begin(&f, "x", "spec-cpu2017", "x");
	add(&f, "SPECrate2017_int_peak", "tune=peak size=ref", METRIC_SCORE, "value", 197);
	add(&f, "SPECrate2017_int_base", "tune=base size=ref", METRIC_SCORE, "value", NAN);
	assert_int_equal(count(section(document(&f), "id=\"spec-cpu2017\""), "197"), 0);
	fixture_close(&f);
}

static void hostile_names(void **state)
{
	static const char *const names[] = { "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "set output 'x'",
		"]]><!--", "\x1b[31m\x7f", "\xff\xfe\xc3(", "\xe2\x80\xae" "evil", "$(reboot)", "T0", "" };
	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct fixture f;
		fixture_open(&f);
		begin(&f, names[i], "stream", names[i]);
		run_add_attr(&f.arena, f.run, named("compiler", names[i]));
		add(&f, "Triad", "threads=2", METRIC_BANDWIDTH, "max", 1e9);
		begin(&f, names[i], "unixbench", names[i]);
		add(&f, names[i], "copies=1", METRIC_INDEX, "value", 5);
		begin(&f, names[i], "ping", names[i]);
		add(&f, names[i], "", METRIC_LATENCY, "mean", 5);
		begin(&f, names[i], "spec-cpu2017", names[i]);
		add(&f, names[i], "tune=base", METRIC_SCORE, "value", 5);
		document(&f);
		struct report r = { .data = &f.data, .want_charts = true };
		struct buf html = BUF_EMPTY;
		assert_int_equal(report_html(&r, &html, &f.diags), STATUS_OK);
		assert_int_equal(count(buf_view(&html), "<script"), 0);
		assert_int_equal(count(buf_view(&html), "<img"), 0);
		assert_int_equal(count(buf_view(&html), "\xe2\x80\xae"), 0);
		assert_null(memchr(html.p, 0x1b, html.n));
		buf_free(&html);
		fixture_close(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stream_runs),
		cmocka_unit_test(unixbench_columns),
		cmocka_unit_test(quick_tests_in_turn),
		cmocka_unit_test(network_rows),
		cmocka_unit_test(spec_ratios),
		cmocka_unit_test(no_peak_without_base),
		cmocka_unit_test(hostile_names),
	};
	return cmocka_run_group_tests_name("report sections", tests, NULL, NULL);
}
