/* The report: schema, determinism, escaping, no outside reference, charts, output files. */
#include "report/chart.h"
#include "report/output.h"
#include "tests/document.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROUNDS = 7, CELLS = 3 };

struct fixture {
	struct arena arena;
	struct dataset data;
	struct diags diags;
	struct source source, table;
};

static void fixture_open(struct fixture *f)
{
	*f = (struct fixture){ .arena = ARENA_EMPTY };
	dataset_init(&f->data, &f->arena);
	diags_init(&f->diags, &f->arena);
	f->source = source_of("runs/one.json", SLICE_NONE);
	f->table = source_of("tables/sla.csv", SLICE_NONE);
	struct input *in = ARENA_PUSH(&f->arena, f->data.inputs, f->data.n_inputs, f->data.input_cap);
	*in = (struct input){ .source = &f->source,
		.format = "fio-json",
		.size = 1234,
		.sha256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" };
}

static void fixture_close(struct fixture *f)
{
	arena_free(&f->arena);
}

static struct pos line(const struct fixture *f, uint32_t n)
{
	return (struct pos){ &f->source, n * 10, n, 3 };
}

static struct param named(const char *key, const char *value)
{
	return (struct param){ .key = slice_of(key), .value = slice_of(value) };
}

/* A run whose name, job and attributes are `name`, with a job's figures and three cells of seven rounds. */
static struct run *add_run(struct fixture *f, const char *subject, const char *name, double base)
{
	static const char *const sizes[CELLS] = { "4096", "65536", "1048576" };
	struct run *r = dataset_add_run(&f->data, &f->source, SLICE("fio"));
	r->subject = slice_of(subject);
	r->version = SLICE("fio-3.33");
	run_add_attr(&f->arena, r, named("provider", name));
	struct param op = named("op", "write");
	struct job job = {
		.name = slice_of(name), .params = { &op, 1 }, .pos = line(f, 2), .started = NAN, .stopped = NAN
	};
	const struct job *j = run_add_job(&f->arena, r, &job);
	static const struct {
		enum metric_id metric;
		const char *stat;
		double value;
	} figures[] = { { METRIC_IOPS, "value", 1 }, { METRIC_COMPLETION_LATENCY, "p50", 1e-7 },
		{ METRIC_COMPLETION_LATENCY, "p99", 3e-7 }, { METRIC_COMPLETION_LATENCY, "p99.9", 9e-7 } };
	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
		struct result k = { .metric = figures[i].metric,
			.stat = slice_of(figures[i].stat),
			.job = j,
			.time = NAN,
			.q = { .value = base * figures[i].value,
				.unit = metric_get(figures[i].metric)->unit,
				.text = slice_of(name),
				.pos = line(f, 3) } };
		run_add_result(&f->arena, r, &k);
	}
	for (size_t c = 0; c < CELLS; c++) {
		struct point points[ROUNDS];
		struct param params[] = { named("bs", sizes[c]), named("mix", "0/100") };
		for (size_t i = 0; i < ROUNDS; i++)
			points[i] = (struct point){ (double)i + 1,
				base / (double)(c + 1) * (1 + 0.01 * (double)(i % 3)), j, line(f, 4) };
		struct series s = { .kind = SERIES_ROUNDS,
			.metric = METRIC_IOPS,
			.test = slice_of(name),
			.params = { params, 2 },
			.points = points,
			.n = ROUNDS,
			.claimed = CLAIM_NOT_STEADY };
		run_add_series(&f->arena, r, &s);
	}
	return r;
}

static struct report report_of(struct fixture *f)
{
	return (struct report){ .data = &f->data, .command = "assay report x -o report.html" };
}

static void nothing_read(void **state)
{
	(void)state;
	struct fixture f;
	fixture_open(&f);
	f.data.n_inputs = 0;
	struct report r = report_of(&f);
	struct buf html = BUF_EMPTY;
	valid_document(&r, &f.arena, &f.diags);
	assert_int_equal(report_html(&r, &html, &f.diags), STATUS_OK);
	assert_int_equal(count(buf_view(&html), "Nothing was measured"), 2); /* title and heading */
	buf_free(&html);
	fixture_close(&f);
}

static void valid_and_same_bytes(void **state)
{
	(void)state;
	struct fixture f;
	fixture_open(&f);
	add_run(&f, "one", "job", 1000);
	add_run(&f, "two", "job", 1500);
	diag_add(&f.data.diags, DIAG_WARNING, line(&f, 7), "something odd");
	struct report r = report_of(&f);
	r.want_charts = true;
	struct buf first = BUF_EMPTY, second = BUF_EMPTY;
	valid_document(&r, &f.arena, &f.diags);
	assert_int_equal(report_html(&r, &first, &f.diags), STATUS_OK);
	assert_int_equal(report_html(&r, &second, &f.diags), STATUS_OK);
	assert_true(slice_eq(buf_view(&first), buf_view(&second)));
	assert_true(count(buf_view(&first), "<svg") > 8);
	assert_true(count(buf_view(&first), "printed; one.json:3\"") > 1);
	assert_true(count(buf_view(&first), "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08") == 1);
	assert_true(count(buf_view(&first), ">1.500</a>") + count(buf_view(&first), ">1.500</span>") >
		    0); /* two is half again as fast as one */
	assert_true(count(buf_view(&first), "something odd") == 1);
	buf_free(&first);
	buf_free(&second);
	fixture_close(&f);
}

static void every_id_once(void **state)
{
	(void)state;
	struct fixture f;
	fixture_open(&f);
	add_run(&f, "one", "job", 1000);
	add_run(&f, "two", "job", 1500);
	struct report r = report_of(&f);
	r.want_charts = true;
	struct buf html = BUF_EMPTY;
	assert_int_equal(report_html(&r, &html, &f.diags), STATUS_OK);
	struct slice rest = buf_view(&html);
	for (size_t at; (at = slice_find(rest, SLICE(" id=\""))) != (size_t)-1;) {
		rest = slice_from(rest, at + 5);
		size_t end = slice_find_char(rest, '"');
		char id[64];
		assert_true(end < 40);
		snprintf(id, sizeof id, " id=\"%.*s\"", (int)end, rest.p);
		if (count(buf_view(&html), id) != 1)
			fail_msg("%s occurs %zu times", id, count(buf_view(&html), id));
	}
	buf_free(&html);
	fixture_close(&f);
}

/* Names that are markup, shell, gnuplot and XSLT to whoever takes them for it. */
static void hostile_names(void **state)
{
	static const char *const names[] = {
		"<script>alert(1)</script>",
		"\"><img src=x onerror=alert(1)>",
		"' onmouseover='alert(1)",
		"$(reboot) `id` | '!touch x'",
		"@{}_^\\n%s%n",
		"&lt;&amp;&#0;&bogus;",
		"]]><!--",
		"{$css}",
		"\x01\x1b[31m\x7f",
		"\xff\xfe\xc3(",
		"\xef\xbf\xbe\xef\xbf\xbf",
		"\xe2\x80\xae"
		"evil",
		"T0",
		"set output 'x'; unset key",
		"javascript:alert(1)",
	};
	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct fixture f;
		fixture_open(&f);
		f.source.name = names[i];
		add_run(&f, names[i], names[i], 1000);
		add_run(&f, "other", names[i], 900);
		diag_add(&f.data.diags, DIAG_ERROR, line(&f, 7), "%s", names[i]);
		struct report r = report_of(&f);
		r.want_charts = true;
		r.title = r.command = names[i];
		struct buf html = BUF_EMPTY;
		valid_document(&r, &f.arena, &f.diags);
		assert_int_equal(report_html(&r, &html, &f.diags), STATUS_OK);
		assert_int_equal(count(buf_view(&html), "<script"), 0);
		assert_int_equal(count(buf_view(&html), "<img"), 0);
		assert_int_equal(count(buf_view(&html), "href=\"javascript"), 0);
		assert_int_equal(count(buf_view(&html), "'alert(1)'"), 0);
		assert_int_equal(count(buf_view(&html), "<h1>"), 1);
		for (unsigned char c = 1; c < 0x20; c++)
			if (c != '\n' && c != '\t')
				assert_null(memchr(html.p, c, html.n));
		assert_int_equal(count(buf_view(&html), "\xe2\x80\xae"), 0);
		assert_int_equal(count(buf_view(&html), "\xff"), 0);
		buf_free(&html);
		fixture_close(&f);
	}
}

static void nothing_from_outside(void **state)
{
	static const char *const refs[] = { "src=", "href=\"http", "url(", "@import", "<link", "<script", "<iframe",
		"<object", "xlink:", "xml-stylesheet", "<!ENTITY", "xmlns:r" };
	(void)state;
	struct fixture f;
	fixture_open(&f);
	add_run(&f, "one", "job", 1000);
	struct report r = report_of(&f);
	r.want_charts = true;
	struct buf html = BUF_EMPTY;
	assert_int_equal(report_html(&r, &html, &f.diags), STATUS_OK);
	for (size_t i = 0; i < sizeof refs / sizeof *refs; i++)
		if (count(buf_view(&html), refs[i]))
			fail_msg("the page holds %s", refs[i]);
	/* Every address but the names of namespaces. */
	assert_int_equal(count(buf_view(&html), "http://"), count(buf_view(&html), "xmlns=\"http://www.w3.org/2000/svg\""));
	assert_true(slice_starts(buf_view(&html), "<!DOCTYPE html>\n<html"));
	assert_int_equal(count(buf_view(&html), "charset"), 1);
	buf_free(&html);
	fixture_close(&f);
}

static void no_gnuplot(void **state)
{
	(void)state;
	struct fixture f;
	fixture_open(&f);
	add_run(&f, "one", "job", 1000);
	struct report r = report_of(&f);
	r.want_charts = true;
	r.gnuplot = "/nonexistent/gnuplot";
	struct buf html = BUF_EMPTY;
	assert_int_equal(report_html(&r, &html, &f.diags), STATUS_WARN);
	assert_true(f.diags.count[DIAG_WARNING] >= 1);
	assert_true(count(buf_view(&html), "This chart was not drawn") > 0);
	buf_clear(&html);
	r.gnuplot = "/bin/true"; /* ends without reading */
	assert_int_equal(report_html(&r, &html, &f.diags), STATUS_WARN);
	buf_free(&html);
	fixture_close(&f);
}

/* Bounds that a reader can check by eye: 206000 is the limit of 231402 that passes, 89 % of it. */
static void verdicts(void **state)
{
	(void)state;
	struct fixture f;
	fixture_open(&f);
	struct run *run = add_run(&f, "VM.A", "job", 231402);
	struct sla_row row = { .shape = SLICE("VM.A"),
		.op = OP_GE,
		.limit = { .value = 206000, .unit = UNIT_PER_S, .text = SLICE("206k"), .pos = { &f.table, 0, 2, 6 } } };
	struct sla_row idle = row;
	idle.shape = SLICE("VM.Z");
	struct sla sla = { .name = SLICE("t"),
		.title = SLICE("A table"),
		.metric = METRIC_IOPS,
		.rule = &steady_snia,
		.level = 0.95 };
	struct condition conditions[] = {
		{ .name = "direct I/O",
			.wanted = "1",
			.found = "0",
			.holds = HOLDS_NO,
			.required = true,
			.pos = line(&f, 5) },
		{ .name = "purge", .wanted = "", .found = "skipped", .holds = HOLDS_WARN },
	};
	struct judgement j = { .run = run,
		.series = &run->series[0],
		.has_steady = true,
		.conditions = conditions,
		.n_conditions = 2,
		.n_required = 1,
		.value = 231402,
		.verdict = VERDICT_NOT_COMPARABLE,
		.reason = "direct I/O: 0",
		.name = "iops 4 KiB 0/100" };
	j.steady = steady_judge(&f.arena, &steady_snia, j.series);
	j.bound = (struct bound){ .mean = 231402, .lower = 230000, .upper = 233000, .level = 0.95, .n = 5 };
	struct bound none = { .lower = NAN, .upper = NAN };
	struct sla_verdict v[] = {
		{ .sla = &sla,
			.row = &row,
			.subject = SLICE("VM.A"),
			.runs = &j,
			.n_runs = 1,
			.value = 231402,
			.bound = j.bound,
			.normalized = 231402.0 / 206000,
			.margin = 25402,
			.verdict = VERDICT_NOT_COMPARABLE,
			.sentence = "Measured 231.4 k IOPS.",
			.advice = "",
			.worst = &j },
		{ .sla = &sla,
			.row = &idle,
			.value = NAN,
			.bound = none,
			.normalized = NAN,
			.margin = NAN,
			.verdict = VERDICT_NO_DATA,
			.sentence = "Nothing in the input concerns this row.",
			.advice = "" },
	};
	struct audit audit = { .verdicts = v, .n = 2 };
	struct report r = report_of(&f);
	r.audit = &audit;
	struct buf html = BUF_EMPTY, xml = BUF_EMPTY;
	valid_document(&r, &f.arena, &f.diags);
	assert_int_equal(report_xml(&r, &xml, &f.diags), STATUS_OK);
	assert_int_equal(count(buf_view(&xml), "bar=\"749\" limit=\"667\" good=\"above\" low=\"744\" high=\"754\""), 1);
	assert_int_equal(count(buf_view(&xml), "<ratio>"), 1);
	assert_true(count(buf_view(&xml), ">1.123</figure>") >= 1);
	assert_int_equal(report_html(&r, &html, &f.diags), STATUS_OK);
	assert_true(count(buf_view(&html), "NOT-COMPARABLE") > 2);
	assert_int_equal(count(buf_view(&html), "No input concerns VM.Z"), 1);
	assert_true(count(buf_view(&html), "runs/one.json:5") + count(buf_view(&html), "one.json:5") > 0);
	assert_true(count(buf_view(&html), "\xe2\x80\x9c"
				 "206k\xe2\x80\x9d, published; tables/sla.csv:2") > 0);
	buf_free(&html);
	buf_free(&xml);
	fixture_close(&f);
}

static void rejects_other_documents(void **state)
{
	static const char *const bad[] = { "", "<report", "<report xmlns=\"urn:assay:report:1\" generator=\"x\"/>",
		"<x/>", "<!DOCTYPE x [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><x>&a;</x>" };
	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct arena a = ARENA_EMPTY;
		struct diags d;
		diags_init(&d, &a);
		assert_int_equal(report_validate(slice_of(bad[i]), &d), STATUS_REJECT);
		assert_true(d.count[DIAG_ERROR] > 0);
		arena_free(&a);
	}
}

/* A series keeps its colour beside empty ones and ones with gaps. */
static void series_keep_their_colours(void **state)
{
	static const double x[] = { 0, 1, 2 }, gap[] = { 1, NAN, 3 }, none[] = { NAN, NAN, NAN }, full[] = { 2, 3, 4 };
	(void)state;
	for (int kind = CHART_LINES; kind <= CHART_BARS; kind++) {
		const char *places[] = { "a", "b", "c" };
		struct chart c = { .id = "c1",
			.kind = (enum chart_kind)kind,
			.title = "",
			.n_series = 3,
			.places = places,
			.n_places = 3,
			.x_title = "",
			.y_factor = 1,
			.y_unit = "",
			.series = { { "gap", 1, x, gap, 3, false }, { "none", 2, x, none, 3, false },
				{ "full", 3, x, full, 3, false } } };
		struct chart *charts[] = { &c };
		struct arena a = ARENA_EMPTY;
		struct diags d;
		diags_init(&d, &a);
		xmlDocPtr doc = xmlNewDoc(BAD_CAST "1.0");
		xmlNodePtr picture = NULL;
		assert_true(charts_draw("gnuplot", charts, 1, doc, &picture, &d));
		assert_non_null(picture);
		size_t drawn[4] = { 0 };
		for (xmlNodePtr e = picture->children; e; e = e->next) {
			xmlChar *class = xmlGetNoNsProp(e, BAD_CAST "class");
			const char *at = class ? strstr((const char *)class, "k-s") : NULL;
			const char *mark = kind == CHART_BARS ? "bar" : "mark";
			if (at && at[3] >= '1' && at[3] <= '3' && strncmp((const char *)class, mark, strlen(mark)) == 0)
				drawn[at[3] - '0']++;
			xmlFree(class);
		}
		/* Lines have a marker more, beside their name. */
		size_t name = kind == CHART_LINES;
		assert_int_equal(drawn[1], 2 + name);
		assert_int_equal(drawn[2], 0);
		assert_int_equal(drawn[3], 3 + name);
		xmlFreeNode(picture);
		xmlFreeDoc(doc);
		arena_free(&a);
	}
}

static void decimation_keeps_extremes(void **state)
{
	enum { N = 10000 };
	(void)state;
	double *x = mem_alloc(N * sizeof *x), *y = mem_alloc(N * sizeof *y);
	for (size_t i = 0; i < N; i++) {
		x[i] = (double)i;
		y[i] = sin((double)i / 50);
	}
	y[1234] = 99;
	y[7777] = -99;
	size_t n = decimate(x, y, N, 100);
	assert_true(n <= 200);
	bool high = false, low = false;
	for (size_t i = 0; i < n; i++) {
		high |= x[i] == 1234 && y[i] == 99;
		low |= x[i] == 7777 && y[i] == -99;
		assert_true(i == 0 || x[i] > x[i - 1]);
	}
	assert_true(high && low);
	free(x);
	free(y);
}

static struct slice contents(const char *path, char *buffer, size_t size)
{
	int fd = open(path, O_RDONLY);
	ssize_t n = fd < 0 ? -1 : read(fd, buffer, size);
	if (fd >= 0)
		close(fd);
	return (struct slice){ buffer, n > 0 ? (size_t)n : 0 };
}

/* The hand-written example of a document, which holds what the sample archive does not. */
static void example_is_valid(void **state)
{
	enum { SIZE = 64 << 10 };
	(void)state;
	struct arena a = ARENA_EMPTY;
	struct diags d;
	diags_init(&d, &a);
	struct slice xml = contents("testdata/report/sample.xml", arena_alloc(&a, SIZE), SIZE);
	assert_true(xml.n > 1000);
	assert_int_equal(report_validate(xml, &d), STATUS_OK);
	arena_free(&a);
}

static void output_files(void **state)
{
	char dir[] = "/tmp/assay-test-XXXXXX", path[64], link_path[64], buffer[64];
	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof path, "%s/out", dir);
	snprintf(link_path, sizeof link_path, "%s/link", dir);
	assert_true(output_write(path, SLICE("one")));
	assert_int_equal(chmod(path, 0640), 0);
	assert_int_equal(symlink("out", link_path), 0);
	assert_true(output_write(link_path, SLICE("two")));
	assert_true(slice_is(contents(path, buffer, sizeof buffer), "two"));
	struct stat st;
	assert_int_equal(lstat(link_path, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
	assert_true(output_write("/dev/null", SLICE("three")));
	assert_false(output_write("/nonexistent/dir/out", SLICE("x")));
	assert_int_equal(errno, ENOENT);
	assert_int_equal(unlink(link_path), 0);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(dir), 0); /* nothing was left behind */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_read),
		cmocka_unit_test(valid_and_same_bytes),
		cmocka_unit_test(every_id_once),
		cmocka_unit_test(hostile_names),
		cmocka_unit_test(nothing_from_outside),
		cmocka_unit_test(no_gnuplot),
		cmocka_unit_test(verdicts),
		cmocka_unit_test(rejects_other_documents),
		cmocka_unit_test(series_keep_their_colours),
		cmocka_unit_test(decimation_keeps_extremes),
		cmocka_unit_test(example_is_valid),
		cmocka_unit_test(output_files),
	};
	return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
