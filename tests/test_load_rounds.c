/* The method, on targets that do nothing: each test takes what the script below says. */
#define _GNU_SOURCE
#include "loadgen/rounds.h"

#include "base/json.h"
#include "base/num.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

enum { TARGETS = 2 };

/* What the stand-in for work_run does, and what it saw. */
static struct script {
	const double *iops;         /* of all targets, test by test in the rounds */
	size_t n, at;
	size_t errors_at, stop_at, fail_at; /* number of the test, from 1; 0: never */
	size_t tests, preconditions, purges;
	double written;             /* passes of the last preconditioning */
	volatile sig_atomic_t stop;
} script;

static void one_interval(const struct work *w, const struct work_events *e, size_t target, double start, uint64_t ios)
{
	struct interval v = { .target = target, .start = start, .seconds = 1, .cpu_user = 0.25, .cpu_system = 0.5 };
	uint64_t reads = ios * w->read_percent / 100;
	v.op[LOAD_READ].ios = reads;
	v.op[LOAD_WRITE].ios = ios - reads;
	for (size_t op = 0; op < LOAD_OPS; op++) {
		struct tally *t = &v.op[op];
		t->bytes = t->ios * w->block;
		assert_true(hist_add(&t->latency, 1000 * (op + 1), t->ios));
	}
	if (script.errors_at == script.tests)
		v.op[LOAD_WRITE].errors = 1, v.op[LOAD_WRITE].corrupt = 2;
	e->interval(e->ctx, &v);
}

static enum work_end fake_work(const struct work *w, struct target *targets, size_t n, const volatile sig_atomic_t *stop,
	const struct work_events *e)
{
	(void)stop;
	assert_int_equal(n, TARGETS);
	script.tests++;
	for (size_t i = 0; i < n; i++)
		targets[i].engine = ENGINE_SYNC;
	if (script.fail_at == script.tests) {
		e->event(e->ctx, DIAG_ERROR, "there is nothing to be done");
		return WORK_FAILED;
	}
	double iops = 100;
	if (w->passes > 0) {
		script.preconditions++;
		script.written = w->passes;
		assert_false(w->random);
	} else {
		assert_true(script.at < script.n);
		iops = script.iops[script.at++];
	}
	if (script.stop_at == script.tests)
		script.stop = 1;
	/* Two seconds; the second target ends after the first. */
	one_interval(w, e, 0, 0, (uint64_t)(iops * 0.5));
	one_interval(w, e, 1, 0, (uint64_t)(iops * 0.5));
	one_interval(w, e, 0, 1, (uint64_t)(iops * 0.5));
	if (w->passes == 0)
		one_interval(w, e, 1, 1, (uint64_t)(iops * 0.5));
	/* An empty end is none. */
	e->interval(e->ctx, &(struct interval){ .target = 0, .start = 2 });
	return script.stop ? WORK_STOPPED : WORK_DONE;
}

static bool fake_purge(struct arena *a, const struct target *t, const char **error)
{
	*error = arena_printf(a, "%s can't be discarded: so it is written", t->path);
	return ++script.purges == 1;
}

struct seen {
	struct outcome outcome;
	struct slice text;          /* the result file */
	struct arena arena;
};

static struct stage one_cell(unsigned rounds)
{
	struct stage s = stage_default("stage");
	s.bs = "4k";
	s.mix = "0/100";
	s.rounds = rounds;
	s.runtime = 2;
	return s;
}

static void run_stages(struct seen *seen, struct stage *stages, size_t n)
{
	char path[] = "/tmp/assay-rounds-XXXXXX";
	struct arena *a = &seen->arena;
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	unlink(path);
	struct target targets[TARGETS] = {
		{ .path = "a", .fd = fd, .length = 1 << 20 }, { .path = "b", .fd = fd, .length = 1 << 20 },
	};
	struct profile p = { .name = "test", .stages = stages, .n_stages = n };
	struct record r = { .path = "-", .fd = fd, .started = load_now(), .flushed = load_now() };
	const char *const argv[] = { "assay-load" };
	struct load_options o = { .kind = &load_storage, .quiet = true, .argc = 1, .argv = argv };
	struct view v = view_open(&o, &p, targets, TARGETS);
	struct rounds rounds = { .arena = a, .profile = &p, .interval = 1, .targets = targets, .n_targets = TARGETS,
		.stop = &script.stop, .work = fake_work, .purge = fake_purge, .record = &r, .view = &v };
	for (size_t i = 0; i < n; i++)
		assert_null(stage_finish(a, &stages[i]));
	record_start(&r, a, &o);
	lines_start(&r, &p, 1, 1);
	seen->outcome = rounds_run(&rounds);
	record_finish(&r, a, "complete", seen->outcome.asked ? seen->outcome.steady : -1);
	off_t size = lseek(fd, 0, SEEK_END);
	char *bytes = arena_alloc(a, (size_t)size + 1);
	assert_int_equal(pread(fd, bytes, (size_t)size, 0), size);
	seen->text = (struct slice){ bytes, (size_t)size };
	const char *error;
	assert_true(record_close(&r, a, &error));
}

/* Lines of a type that hold a text. */
static size_t count(const struct seen *seen, const char *type, const char *with)
{
	struct slice rest = seen->text, line;
	struct buf b = BUF_EMPTY;
	size_t n = 0;
	buf_printf(&b, "{\"type\":\"%s\"", type);
	while (slice_cut(&rest, '\n', &line))
		n += slice_starts(line, b.p) && slice_find(line, slice_of(with)) != (size_t)-1;
	buf_free(&b);
	return n;
}

static int setup(void **state)
{
	script = (struct script){ 0 };
	*state = calloc(1, sizeof(struct seen));
	return *state ? 0 : -1;
}

static int teardown(void **state)
{
	struct seen *seen = *state;
	arena_free(&seen->arena);
	free(seen);
	return 0;
}

static void test_ends_when_steady(void **state)
{
	struct seen *seen = *state;
	/* The fall ends with the third value: 4 to 8 is the first window within both limits. */
	static const double iops[] = { 2000, 1500, 1200, 1000, 1010, 990, 1000, 1000, 1, 1, 1 };
	struct stage s = one_cell(11);
	script.iops = iops;
	script.n = 11;
	run_stages(seen, &s, 1);
	assert_int_equal(seen->outcome.end, WORK_DONE);
	assert_true(seen->outcome.asked && seen->outcome.steady);
	/* 1500 1200 1000 1010 990: range 45 %; 1200 … 1000: 20.2 %; 1000 1010 990 1000 1000: steady after the eighth. */
	assert_int_equal(script.tests, 8);
	assert_int_equal(count(seen, "steady", "\"steady\":false"), 7);
	assert_int_equal(count(seen, "steady", "\"round\":8,\"first\":4,\"last\":8,\"mean\":1000,"), 1);
	assert_int_equal(count(seen, "end", "\"steady\":true"), 1);
	assert_int_equal(count(seen, "test", ""), 8);
	assert_int_equal(count(seen, "interval", ""), 8 * 4);
	assert_int_equal(count(seen, "total", ""), 8 * 3);
	assert_int_equal(count(seen, "target", "\"engine\":\"sync\""), TARGETS);
	assert_int_equal(count(seen, "phase", "\"rounds\""), 1);
}

static void test_limit_of_rounds(void **state)
{
	struct seen *seen = *state;
	static const double iops[] = { 1000, 1300, 1600, 1900, 2200, 2500 };
	struct stage s = one_cell(6);
	script.iops = iops;
	script.n = 6;
	run_stages(seen, &s, 1);
	assert_int_equal(seen->outcome.end, WORK_DONE);
	assert_true(seen->outcome.asked && !seen->outcome.steady);
	assert_int_equal(script.tests, 6);
	assert_int_equal(count(seen, "end", "\"steady\":false"), 1);
}

/* All cells that are judged have to be steady in the same round; others don't matter. */
static void test_several_cells(void **state)
{
	struct seen *seen = *state;
	/* Cells: reads (not judged, wild), 50/50 (steady from rounds 3 to 7 on), writes (steady from 2 to 6 on). */
	static const double iops[] = {
		1, 1000, 5000, 900, 4000, 1000, 3, 1000, 1000, 500, 1000, 1000, 5, 1000, 1000, 600, 1000, 1000, 1, 1000, 1000,
	};
	struct stage s = one_cell(25);
	s.mix = "100/0, 50/50, 0/100";
	s.steady = "4k-50/50, 4k-0/100";
	script.iops = iops;
	script.n = sizeof iops / sizeof *iops;
	run_stages(seen, &s, 1);
	assert_true(seen->outcome.steady);
	assert_int_equal(script.tests, 21);
	assert_int_equal(count(seen, "steady", "\"name\":\"4k-50/50\""), 7);
	assert_int_equal(count(seen, "steady", "\"name\":\"4k-50/50\",\"metric\":\"iops\",\"target\":\"all\",\"round\":5,"), 1);
	assert_int_equal(count(seen, "steady", "\"steady\":true"), 3);
	assert_int_equal(count(seen, "steady", "\"name\":\"4k-100/0\""), 0);
	assert_int_equal(count(seen, "test", "\"round\":7,\"name\":\"4k-0/100\""), 1);
}

static void test_preconditioning_and_purge(void **state)
{
	struct seen *seen = *state;
	static const double iops[] = { 1000 };
	struct stage s = one_cell(1);
	s.passes = 2;
	s.purge = true;
	script.iops = iops;
	script.n = 1;
	run_stages(seen, &s, 1);
	assert_int_equal(script.purges, TARGETS);
	assert_int_equal(script.preconditions, 1);
	assert_true(script.written == 2);
	assert_int_equal(count(seen, "event", "b can't be discarded"), 1);
	assert_int_equal(count(seen, "phase", "\"phase\":\"precondition\""), 1);
	assert_int_equal(count(seen, "test", "\"bs\":131072,\"read_percent\":0,\"rw\":\"write\""), 1);
	/* The second target had ended after one of two seconds: over all, the longer time counts. 50 + 50 + 50 in 2 s. */
	assert_int_equal(count(seen, "total", "\"target\":\"all\",\"seconds\":2,\"write\":{\"ios\":150,\"bytes\":19660800,"
		"\"errors\":0,\"corrupt\":0,\"iops\":75,"), 1);
	assert_false(seen->outcome.asked);
	assert_int_equal(count(seen, "end", "steady"), 0);
}

/* Write saturation ends with so many times the range, steady or not. */
static void test_written_enough(void **state)
{
	struct seen *seen = *state;
	static const double iops[] = { 100, 1000, 100, 1000, 100 };
	struct stage s = one_cell(50);
	s.written = 4;
	script.iops = iops;
	script.n = 5;
	/* Per target 100, 1000, 100 … I/Os of 4 KiB in each round: 4 MiB are 1024. */
	run_stages(seen, &s, 1);
	assert_int_equal(script.tests, 2);
	assert_true(seen->outcome.asked && !seen->outcome.steady);
}

static void test_interruption(void **state)
{
	struct seen *seen = *state;
	static const double iops[] = { 1000, 1000, 1000, 1000, 1000 };
	struct stage s[2] = { one_cell(5), one_cell(5) };
	script.iops = iops;
	script.n = 5;
	script.stop_at = 5;
	run_stages(seen, s, 2);
	assert_int_equal(seen->outcome.end, WORK_STOPPED);
	assert_true(seen->outcome.asked && !seen->outcome.steady);
	assert_int_equal(script.tests, 5);
	assert_int_equal(count(seen, "total", "\"stopped\":true"), 3);
	assert_int_equal(count(seen, "steady", ""), 4);
}

/* Steady in one stage is not steady in all. */
static void test_two_stages(void **state)
{
	static const double iops[3][10] = {
		{ 10, 10, 10, 10, 10, 10, 20, 30, 40, 50 }, { 10, 20, 30, 40, 50, 10, 10, 10, 10, 10 },
		{ 10, 10, 10, 10, 10, 20, 20, 20, 20, 20 },
	};
	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct stage s[2] = { one_cell(5), one_cell(5) };
		struct seen seen = { .arena = ARENA_EMPTY };
		script = (struct script){ .iops = iops[i], .n = 10 };
		run_stages(&seen, s, 2);
		assert_int_equal(script.tests, 10);
		assert_true(seen.outcome.asked);
		assert_int_equal(seen.outcome.steady, i == 2);
		arena_free(&seen.arena);
	}
}

static void test_errors_and_failure(void **state)
{
	struct seen *seen = *state;
	static const double iops[] = { 1000, 1000, 1000 };
	struct stage s = one_cell(5);
	script.iops = iops;
	script.n = 3;
	script.errors_at = 2;
	script.fail_at = 3;
	run_stages(seen, &s, 1);
	assert_int_equal(seen->outcome.end, WORK_FAILED);
	assert_int_equal(seen->outcome.errors, 4);
	assert_int_equal(seen->outcome.corrupt, 8);
	assert_int_equal(count(seen, "event", "there is nothing to be done"), 1);
}

/* Each line is JSON; each total is what its intervals add up to. */
static void test_totals(void **state)
{
	struct seen *seen = *state;
	static const double iops[] = { 1000, 2000 };
	struct stage s = one_cell(2);
	double sum[2][TARGETS + 1] = { { 0 } };
	s.mix = "65/35";
	s.rule = "none";
	script.iops = iops;
	script.n = 2;
	run_stages(seen, &s, 1);
	struct json j = json_of(seen->text);
	size_t documents = 0, totals = 0;
	while (json_document(&j)) {
		struct slice key, type = SLICE_NONE, text;
		double test = 0, target = TARGETS, n = 0, value;
		documents++;
		assert_true(json_enter_object(&j));
		while (json_member(&j, &key)) {
			if (slice_is(key, "type"))
				json_string(&j, &type);
			else if ((slice_is(key, "test") || slice_is(key, "target")) && json_type(&j) == JSON_NUMBER &&
				 json_number_text(&j, &text) && num_double(text, &value) == NUM_OK)
				*(slice_is(key, "test") ? &test : &target) = value;
			else if ((slice_is(key, "read") || slice_is(key, "write")) && json_enter_object(&j))
				while (json_member(&j, &key))
					if (slice_is(key, "ios") && json_number_text(&j, &text) && num_double(text, &value) == NUM_OK)
						n += value;
		}
		if (slice_is(type, "interval")) {
			sum[(size_t)test][(size_t)target] += n;
			sum[(size_t)test][TARGETS] += n;
		} else if (slice_is(type, "total")) {
			assert_true(n == sum[(size_t)test][(size_t)target]);
			totals++;
		}
	}
	for (size_t i = 0; i < JSON_FLAWS; i++)
		assert_int_equal(j.flaw_count[i], 0);
	assert_int_equal(totals, 2 * (TARGETS + 1));
	assert_true(sum[0][TARGETS] == 2000 && sum[1][TARGETS] == 4000);
	size_t lines = 0;
	for (size_t i = 0; i < seen->text.n; i++)
		lines += seen->text.p[i] == '\n';
	assert_int_equal(documents, lines);
}

static void expect(struct buf *b, const char *text)
{
	assert_string_equal(buf_view(b).p, text);
	buf_clear(b);
}

static void test_view(void **state)
{
	struct seen *seen = *state;
	struct buf b = BUF_EMPTY;
	static const double y[] = { 2000, 1500, 790, 1000, 1199, 1210, 1000 };
	struct steady_window w = { .first = 2, .n = 5, .mean = 1000, .data_excursion = 420, .slope_excursion = 300 };
	view_plot(&b, y, 7, &w, 20);
	expect(&b, "▇▇[▁▄▇▇▄]");
	view_plot(&b, y, 7, &w, 6);
	expect(&b, "▇[▁▄▇▇▄]");
	view_duration(&b, 0.3);
	expect(&b, "0.3 s");
	view_duration(&b, 59);
	expect(&b, "59 s");
	view_duration(&b, 112);
	expect(&b, "1:52 min");
	view_duration(&b, 7800);
	expect(&b, "2:10 h");

	struct stage s[2] = { one_cell(25), one_cell(1) };
	for (size_t i = 0; i < 2; i++)
		assert_null(stage_finish(&seen->arena, &s[i]));
	struct profile p = { .name = "mine", .stages = s, .n_stages = 2 };
	struct history h = { .judged = (double *)y, .n = 7, .window = w };
	struct work work = { .name = "4k-0/100" };
	struct test t = { .stage = s, .round = 3, .work = &work };
	struct view v = { .profile = &p, .stage = s, .cells = &h, .test = &t, .width = 79, .into = 0.5, .n_targets = 1,
		.now = { .iops = 231400, .bandwidth = 947814400, .mean = 276e-6, .p99 = 1.02e-3 } };
	double least, most;
	/* 1.5 s of this round, two or 22 more rounds of 2 s, and the second stage's 2 s. */
	view_left(&v, &least, &most);
	assert_true(least == 1.5 + 4 + 2 && most == 1.5 + 44 + 2);
	view_lines(&b, &v);
	expect(&b, "mine, stage  round 3 of at most 25  4k-0/100\n"
		   "now  231.4 kIOPS  903.9 MiB/s  mean 276 µs  p99 1.02 ms\n"
		   "4k-0/100  ▇▇[▁▄▇▇▄]  range 42.0 of 20 %  rise 30.0 of 10 %  not yet\n"
		   "left  8 s to 48 s\n");
	v.width = 30;
	v.color = true;
	view_lines(&b, &v);
	expect(&b, "mine, stage  round 3 of at mos\n"
		   "now  231.4 kIOPS  903.9 MiB/s \n"
		   "4k-0/100  ▇▇[▁▄▇▇▄]  range 42.\033[33m\033[0m\n"
		   "left  8 s to 48 s\n");
	/* A quarter of 2 passes over 1 MiB in 3 s: 9 s more, then the stages' 5 or 25 rounds, and one, of 2 s. */
	struct work wipc = { .name = "precondition", .passes = 2 };
	struct test first = { .stage = s, .work = &wipc };
	v = (struct view){ .profile = &p, .stage = s, .test = &first, .width = 79, .into = 3, .n_targets = 1, .range = 1 << 20,
		.written = 1 << 19, .now = { .iops = NAN } };
	view_lines(&b, &v);
	expect(&b, "mine, stage  preconditioning 25 %\nnow  starting\nleft  21 s to 1:01 min\n");
	buf_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_ends_when_steady, setup, teardown),
		cmocka_unit_test_setup_teardown(test_limit_of_rounds, setup, teardown),
		cmocka_unit_test_setup_teardown(test_several_cells, setup, teardown),
		cmocka_unit_test_setup_teardown(test_preconditioning_and_purge, setup, teardown),
		cmocka_unit_test_setup_teardown(test_written_enough, setup, teardown),
		cmocka_unit_test_setup_teardown(test_interruption, setup, teardown),
		cmocka_unit_test_setup_teardown(test_two_stages, setup, teardown),
		cmocka_unit_test_setup_teardown(test_errors_and_failure, setup, teardown),
		cmocka_unit_test_setup_teardown(test_totals, setup, teardown),
		cmocka_unit_test_setup_teardown(test_view, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
