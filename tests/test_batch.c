/* Batch jobs: dates, numbers in file names, how a run ended, and the accounts of many files. */
#include "ingest/jobs.h"
#include "parsers/batch.h"
#include "parsers/date.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

static void dates(void **state)
{
	(void)state;
	static const struct { const char *text; double time; bool zoned; } good[] = {
		{ "Mon Nov  2 09:00:02 2026", 1793610002, false },
		{ "Mon Nov  2 09:00:00 UTC 2026 1793610000", 1793610000, true },
		{ "Mon Nov  2 09:00:00 UTC 2026", 1793610000, true },
		{ "Mon Nov  2 10:00:00 CET 2026 1793610000", 1793610000, true },
		{ "11/02/2026 09:00:02", 1793610002, false },
		{ "2026-11-02T09:00:02", 1793610002, false },
		{ "2026-11-02 09:00:02", 1793610002, false },
		{ "2026-11-02T09:00:02Z", 1793610002, true },
		{ "2026-11-02T10:00:02+0100", 1793610002, true },
		{ "2026-11-02T01:30:02-07:30", 1793610002, true },
		{ "Tue Feb 29 23:59:59 2028", 1835481599, false },
		{ "Thu Jan  1 00:00:00 1970", 0, false },
	};
	static const char *const bad[] = { "", "Mon", "Mon Nov 32 09:00:02 2026", "Mon Nox  2 09:00:02 2026", "2026-13-02 09:00:02",
		"2026-11-02", "2026-11-02T09:00", "11/02/2026 24:00:02", "Mon Nov  2 09:00:00 CET 2026", "2026-11-02T10:00:02+9900",
		"Mon Nov  2 09:00:02 1926", "----/--" };
	for (size_t i = 0; i < COUNT(good); i++) {
		bool zoned;
		double time = date_read(slice_of(good[i].text), &zoned);
		if (time != good[i].time || zoned != good[i].zoned)
			fail_msg("%s: %f, %d", good[i].text, time, zoned);
	}
	for (size_t i = 0; i < COUNT(bad); i++) {
		bool zoned;
		if (!isnan(date_read(slice_of(bad[i]), &zoned)))
			fail_msg("%s: is read", bad[i]);
	}
}

static void job_numbers(void **state)
{
	(void)state;
	static const struct { const char *name, *job; } all[] = {
		{ "nfs_ior.o1001", "1001" }, { "a.tar.gz!x/nfs_ior.o1001", "1001" }, { "dir.o5/nfs_ior.e77", "77" },
		{ "slurm-123.out", "123" }, { "slurm-123_4.out", "123" }, { "ior.o12.gz", "12" },
		{ "core.1234", "" }, { "notes.odt", "" }, { "ior.o", "" }, { "o12", "" }, { "x.o12b", "" }, { "", "" },
	};
	for (size_t i = 0; i < COUNT(all); i++) {
		struct slice job = batch_job_of(slice_of(all[i].name));
		if (!slice_is(job, all[i].job))
			fail_msg("%s: '%.*s'", all[i].name, SLICE_ARG(job));
	}
}

struct file {
	const char *name, *tool, *state, *attempt, *bytes;
};

/* A dataset with these files, each a run or none, and their accounts: "ior complete 3, ior absent 1". */
static void account(const struct file *files, size_t n, const char *wanted)
{
	struct arena arena = ARENA_EMPTY;
	struct dataset d;
	struct jobs jobs = { 0 };
	char text[512] = "";
	dataset_init(&d, &arena);
	for (size_t i = 0; i < n; i++) {
		struct source *s = ARENA_NEW(&arena, struct source);
		*s = source_of(files[i].name, SLICE_NONE);
		struct input in = { .source = s };
		size_t first = d.n_runs;
		if (files[i].tool) {
			struct run *run = dataset_add_run(&d, s, slice_of(files[i].tool));
			run_add_attr(&arena, run, (struct param){ .key = SLICE("job"), .value = batch_job_of(slice_of(files[i].name)) });
			run_add_attr(&arena, run, (struct param){ .key = SLICE("state"), .value = slice_of(files[i].state) });
			if (files[i].attempt)
				run_add_attr(&arena, run, (struct param){ .key = SLICE("attempt"), .value = slice_of(files[i].attempt) });
		}
		jobs_take(&jobs, &d, &in, slice_of(files[i].bytes), d.runs + first, d.n_runs - first);
	}
	size_t first = d.n_runs;
	jobs_give(&jobs, &d);
	for (size_t i = first; i < d.n_runs; i++)
		for (size_t k = 0; k < d.runs[i]->n_results; k++) {
			const struct result *r = &d.runs[i]->results[k];
			size_t at = strlen(text);
			assert_int_equal(r->metric, METRIC_JOBS);
			snprintf(text + at, sizeof text - at, "%s%.*s %.*s %.0f", at ? ", " : "", SLICE_ARG(d.runs[i]->tool),
				SLICE_ARG(r->params.v[0].value), r->q.value);
		}
	assert_string_equal(text, wanted);
	jobs_free(&jobs);
	arena_free(&arena);
}

static void accounts(void **state)
{
	(void)state;
	const struct file some[] = {
		{ "a/x.o1", "ior", "complete", NULL, "1" }, { "a/x.o2", "ior", "failed", NULL, "2" },
		{ "a/x.o3", "ior", "verification-failed", NULL, "3" }, { "a/x.o4", NULL, NULL, NULL, "" },
		{ "a/x.o5", NULL, NULL, NULL, "noise" }, { "a/x.e1", NULL, NULL, NULL, "" }, { "b/x.o1", "ior", "complete", NULL, "1" },
		{ "a/y.o9", "mdtest", "incomplete", NULL, "9" }, { "a/core.7", NULL, NULL, NULL, "x" }, { "z.o7", NULL, NULL, NULL, "" },
	};
	account(some, COUNT(some), "ior complete 1, ior verification-failed 1, ior failed 1, ior unsupported 1, ior empty 1, "
		"ior duplicate 1, mdtest incomplete 1");
	/* Queued again into another file: the job counts once, as it ended best. */
	const struct file again[] = { { "a/x.o1", "ior", "incomplete", NULL, "1" }, { "b/x.o1", "ior", "complete", NULL, "2" } };
	account(again, COUNT(again), "ior complete 1");
	account(NULL, 0, "");
}

static void gaps(void **state)
{
	(void)state;
	char names[24][16], bytes[24][4];
	struct file files[24];
	for (unsigned i = 0; i < 24; i++) {
		snprintf(names[i], sizeof names[i], "x.o%u", 101 + 2 * i + (i >= 20 ? 2 : 0));
		snprintf(bytes[i], sizeof bytes[i], "%u", i);
		files[i] = (struct file){ names[i], "ior", "complete", NULL, bytes[i] };
	}
	account(files, 24, "ior complete 24, ior absent 1");
	account(files, 20, "ior complete 20");
	/* Too few to tell what the step is. */
	account(files + 16, 7, "ior complete 7");
	/* Numbers as a busy queue gives them. */
	for (unsigned i = 0; i < 24; i++)
		snprintf(names[i], sizeof names[i], "x.o%u", 101 + i * i + i % 3);
	account(files, 24, "ior complete 24");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dates),
		cmocka_unit_test(job_numbers),
		cmocka_unit_test(accounts),
		cmocka_unit_test(gaps),
	};
	return cmocka_run_group_tests_name("batch", tests, NULL, NULL);
}
