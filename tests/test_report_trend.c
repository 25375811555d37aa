/* The report of repeated jobs: the series, their deviations, the jobs' states, the servers' extremes. */
#include "tests/document.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

enum { JOBS = 12, ODD = 7, EVERY = 3600 };

struct fixture {
	struct arena arena;
	struct dataset data;
	struct diags diags;
	struct source logs[JOBS], server, folder;
};

static struct param named(const char *key, const char *value)
{
	return (struct param){ .key = slice_of(key), .value = slice_of(value) };
}

static struct run *add_run(struct fixture *f, struct source *s, const char *name, const char *tool)
{
	*s = source_of(name, SLICE_NONE);
	struct input *in = ARENA_PUSH(&f->arena, f->data.inputs, f->data.n_inputs, f->data.input_cap);
	*in = (struct input){ .source = s, .format = tool };
	return dataset_add_run(&f->data, s, slice_of(tool));
}

static void add(struct fixture *f, struct run *run, const char *test, enum metric_id metric, const char *stat,
	double value, double time, struct params params)
{
	struct result r = { .metric = metric, .stat = slice_of(stat), .test = slice_of(test), .params = params, .time = time,
		.q = { .value = value, .unit = metric_get(metric)->unit,
			.pos = { run->source, 0, (uint32_t)run->n_results + 41, 1 } } };
	run_add_result(&f->arena, run, &r);
}

/* `n` jobs, one an hour, each 100 MB/s or 101 MB/s, but for one; one file of statistics; the states of 14 jobs. */
static void open_jobs(struct fixture *f, size_t n, double odd)
{
	*f = (struct fixture){ .arena = ARENA_EMPTY };
	dataset_init(&f->data, &f->arena);
	diags_init(&f->diags, &f->arena);
	for (size_t i = 0; i < n; i++) {
		struct run *run = add_run(f, &f->logs[i], arena_printf(&f->arena, "logs/ior.o%zu", 101 + i), "ior");
		run_add_attr(&f->arena, run, named("state", "complete"));
		run->started = 1.8e9 + EVERY * (double)i;
		add(f, run, "write", METRIC_BANDWIDTH, "value", i == ODD ? odd : 1e8 + 1e6 * (double)(i % 2), NAN,
			(struct params){ NULL, 0 });
	}
	struct run *server = add_run(f, &f->server, "logs/sa.csv", "sysstat");
	struct param sum[] = { named("device", "sum"), named("op", "write") }, sys[] = { named("cpu", "all"),
		named("mode", "sys") };
	add(f, server, "disk", METRIC_BANDWIDTH, "max", 5e8, 1.8e9, (struct params){ sum, 2 });
	add(f, server, "cpu", METRIC_CPU_UTIL, "max", 61.5, 1.8e9, (struct params){ sys, 2 });
	add(f, server, "cpu", METRIC_CPU_UTIL, "max", 62.5, 1.8e9 + 60, (struct params){ sys, 2 });
	add(f, server, "memory", METRIC_MEMORY_FREE, "min", 2048, 1.8e9, (struct params){ NULL, 0 });
	add(f, server, "memory", METRIC_MEMORY_FREE, "min", 4096, 1.8e9 + 120, (struct params){ NULL, 0 });
	struct run *jobs = add_run(f, &f->folder, "logs/jobs", "ior");
	static const struct { const char *state; double n; } counts[] = { { "complete", 12 }, { "failed", 2 },
		{ "absent", 3 }, { "duplicate", 9 } };
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		struct param state = named("state", counts[i].state);
		add(f, jobs, "", METRIC_JOBS, "count", counts[i].n, NAN, (struct params){ &state, 1 });
	}
}

/* From one text up to another. */
static struct slice between(struct slice text, const char *from, const char *to)
{
	size_t at = slice_find(text, slice_of(from));
	assert_true(at != (size_t)-1);
	text = slice_from(text, at);
	return slice_head(text, slice_find(text, slice_of(to)));
}

/* The section of a valid document; empty when there is none. */
static struct slice section(struct fixture *f)
{
	struct report r = { .data = &f->data };
	struct slice text = valid_document(&r, &f->arena, &f->diags);
	size_t at = slice_find(text, SLICE("kind=\"trend\""));
	if (at == (size_t)-1)
		return SLICE("");
	text = slice_from(text, at);
	return slice_head(text, slice_find(text, SLICE("</section>")));
}

static void one_deviates(void **state)
{
	struct fixture f;
	(void)state;
	open_jobs(&f, JOBS, 5e7);
	struct slice s = section(&f);
	assert_int_equal(count(s, "0 stay within 10 % of their mean, 1 do not, 0 are open."), 1);
	assert_int_equal(count(s, "<cell mark=\"bad\">FAIL</cell>"), 1);
	assert_int_equal(count(s, "1 of 12 values are beyond the tolerance"), 1);
	/* The outlier with its log, without the folder that all are in. */
	assert_int_equal(count(s, "<cell>outlier</cell>"), 1);
	assert_int_equal(count(s, "<cell>ior.o108:41</cell>"), 1);
	assert_int_equal(count(s, "logs/"), 0);
	/* (6 · 100 + 5 · 101 + 50) / 12 = 96.25; 50 is 48.05 % below. */
	assert_int_equal(count(s, "value=\"96250000\" unit=\"B/s\" basis=\"recomputed\""), 1);
	assert_int_equal(count(s, "\xe2\x88\x92" "48.1 %"), 3); /* sentence, overview, list */
	/* The distribution: 50, then nothing up to 100 and 101, in the 24 stretches that there are at most. */
	struct slice bins = between(s, "How many values lie where", "</table>");
	assert_int_equal(count(bins, "<cell>1</cell>"), 1);
	assert_int_equal(count(bins, "<cell>0</cell>"), 22);
	assert_int_equal(count(bins, "<cell>11</cell>"), 1);
	assert_int_equal(count(s, "1 lie beyond the tolerance, 1 are outliers, the level changes 0 times. Most values, 11, "
		"lie between 94.29 MiB/s and 96.32 MiB/s."), 1);
	arena_free(&f.arena);
}

static void none_deviates(void **state)
{
	struct fixture f;
	(void)state;
	open_jobs(&f, JOBS, 1.01e8);
	struct slice s = section(&f);
	assert_int_equal(count(s, "<cell mark=\"good\">PASS</cell>"), 1);
	assert_int_equal(count(s, "All 12 values are within the tolerance"), 1);
	assert_int_equal(count(s, "outlier</cell>"), 0);
	assert_int_equal(count(s, "No halt: 12 complete jobs, one every 3600 s"), 1);
	arena_free(&f.arena);
}

/* Copies are no jobs: 12 + 2 + 3 were planned. */
static void jobs_and_servers(void **state)
{
	struct fixture f;
	(void)state;
	open_jobs(&f, JOBS, 1e8);
	struct slice s = section(&f);
	assert_int_equal(count(s, "<cell>17</cell>"), 1);
	assert_int_equal(count(s, "<cell mark=\"good\">12</cell>"), 1);
	assert_int_equal(count(s, "<cell mark=\"bad\">2</cell>"), 1);
	assert_int_equal(count(s, "<cell mark=\"bad\">3</cell>"), 1);
	assert_int_equal(count(s, "Most written to all disks"), 1);
	assert_int_equal(count(s, "value=\"62.5\""), 1);
	assert_int_equal(count(s, "value=\"61.5\""), 0);
	assert_int_equal(count(s, "value=\"2048\""), 1);
	assert_int_equal(count(s, "value=\"4096\""), 0);
	assert_int_equal(count(s, "<cell>2027-01-15T08:01:00Z</cell>"), 1); /* 1.8e9 + 60 */
	arena_free(&f.arena);
}

/* Ten values make a series; nine are none, whatever else there is. */
static void too_few(void **state)
{
	struct fixture f;
	(void)state;
	open_jobs(&f, 10, 1e8);
	assert_true(section(&f).n > 0);
	arena_free(&f.arena);
	open_jobs(&f, 9, 1e8);
	assert_int_equal(section(&f).n, 0);
	arena_free(&f.arena);
}

/* Values of runs that are no batch jobs need not have been repeated. */
static void no_jobs(void **state)
{
	struct fixture f;
	(void)state;
	open_jobs(&f, JOBS, 1e8);
	for (size_t i = 0; i < f.data.n_runs; i++)
		f.data.runs[i]->attrs.n = 0;
	assert_int_equal(section(&f).n, 0);
	arena_free(&f.arena);
}

/* A level that changes is marked, and listed with its log. */
static void level_changes(void **state)
{
	struct fixture f;
	(void)state;
	open_jobs(&f, JOBS, 1e8);
	for (size_t i = 0; i < f.data.n_runs; i++)
		for (size_t k = 0; slice_is(f.data.runs[i]->tool, "ior") && k < f.data.runs[i]->n_results; k++)
			if (f.data.runs[i]->results[k].metric == METRIC_BANDWIDTH)
				f.data.runs[i]->results[k].q.value += i >= 6 ? 2e7 : 0;
	struct slice s = section(&f);
	assert_int_equal(count(s, "steps up by 19."), 1);
	assert_int_equal(count(s, "changes upright"), 1);
	assert_int_equal(count(s, "<cell>first after a change</cell>"), 1);
	assert_int_equal(count(between(s, "first after a change", "</row>"), "<cell>ior.o107:41</cell>"), 1);
	arena_free(&f.arena);
}

static void hostile_names(void **state)
{
	struct fixture f;
	(void)state;
	open_jobs(&f, JOBS, 5e7);
	for (size_t i = 0; i < f.data.n_runs; i++)
		for (size_t k = 0; k < f.data.runs[i]->n_results; k++)
			f.data.runs[i]->results[k].test = SLICE("<script>\x1b%s'\xff");
	struct report r = { .data = &f.data, .want_charts = true };
	struct buf html = BUF_EMPTY;
	assert_true(section(&f).n > 0);
	report_html(&r, &html, &f.diags);
	assert_int_equal(count(buf_view(&html), "<script"), 0);
	assert_null(memchr(html.p, 0x1b, html.n));
	buf_free(&html);
	arena_free(&f.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_deviates),
		cmocka_unit_test(none_deviates),
		cmocka_unit_test(jobs_and_servers),
		cmocka_unit_test(too_few),
		cmocka_unit_test(no_jobs),
		cmocka_unit_test(level_changes),
		cmocka_unit_test(hostile_names),
	};
	return cmocka_run_group_tests_name("report of repeated jobs", tests, NULL, NULL);
}
