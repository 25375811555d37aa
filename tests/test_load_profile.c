#define _GNU_SOURCE
#include "loadgen/profile.h"

#include "loadgen/storage.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static struct profile *read_finished(struct arena *a, const char *name)
{
	struct diags d;
	diags_init(&d, a);
	struct profile *p = profile_read(a, name, &d);
	assert_non_null(p);
	for (size_t i = 0; i < p->n_stages; i++)
		assert_null(stage_finish(a, &p->stages[i]));
	return p;
}

/* The figures of each method, from the documents that it names. */
static void test_built_in(void **state)
{
	static const struct {
		const char *name;
		size_t stages, cells, tracked;
		double passes, iodepth, least, most;
		enum steady_metric metric;
		const char *first, *last;
	} rows[] = {
		{ "oci-nvme", 1, 7, 1, 2, 64, 5 * 7 * 60, 25 * 7 * 60, STEADY_IOPS, "4k-100/0", "4k-0/100" },
		{ "snia-iops", 1, 56, 3, 2, 32, 5 * 56 * 60, 25 * 56 * 60, STEADY_IOPS, "1m-100/0", "512-0/100" },
		{ "snia-throughput", 2, 2, 1, 2, 32, 5 * 2 * 60, 25 * 2 * 60, STEADY_BANDWIDTH, "1m-100/0-seq", "1m-0/100-seq" },
		{ "snia-latency", 1, 9, 1, 2, 1, 5 * 9 * 60, 25 * 9 * 60, STEADY_LATENCY, "8k-100/0", "512-0/100" },
		{ "snia-write-saturation", 1, 1, 1, 0, 32, 1800, 48 * 1800, STEADY_IOPS, "4k-0/100", "4k-0/100" },
	};
	(void)state;
	struct arena a = ARENA_EMPTY;
	size_t n = 0;
	while (profile_files[n].name)
		n++;
	assert_int_equal(n, sizeof rows / sizeof *rows);
	for (size_t i = 0; i < n; i++) {
		struct profile *p = read_finished(&a, rows[i].name);
		const struct stage *s = p->stages;
		assert_string_equal(p->name, rows[i].name);
		assert_non_null(p->title);
		assert_non_null(p->source);
		assert_int_equal(p->n_stages, rows[i].stages);
		assert_int_equal(s->n_list, rows[i].cells);
		assert_int_equal(s->n_tracked, rows[i].tracked);
		assert_true(s->passes == rows[i].passes && s->iodepth == rows[i].iodepth);
		assert_true(stage_least(s) == rows[i].least && stage_most(s) == rows[i].most);
		assert_int_equal(s->judged, rows[i].metric);
		assert_ptr_equal(s->judge, &steady_snia);
		assert_string_equal(s->list[0].name, rows[i].first);
		assert_string_equal(s->list[s->n_list - 1].name, rows[i].last);
	}
	struct profile *p = read_finished(&a, "snia-throughput");
	assert_true(p->stages[0].precondition_bs == 1048576 && p->stages[1].precondition_bs == 131072);
	assert_int_equal(p->stages[1].list[0].block, 131072);
	assert_false(p->stages[1].list[0].random);
	arena_free(&a);
}

/* Each mistake is said with file, line and column, and nothing is done. */
static void test_mistakes(void **state)
{
	static const struct {
		const char *text, *says;
		uint32_t line;
	} rows[] = {
		{ "[stage a]\nbs = 4k\nbss = 4k\n", "bss is no setting of [stage a]; did you mean bs?", 3 },
		{ "[stage a]\nbs = 4k\n[stage b]\nrounds = 0\n", "rounds is too little", 4 },
		{ "[profile]\nname = x\n[stage a]\n", "name is no setting of [profile]; there are title and source", 2 },
		{ "[other]\nbs = 4k\n", "[other] is no section of a profile; there are [profile] and [stage NAME]", 1 },
		{ "[stages a]\nbs = 4k\n", "did you mean [stage NAME]?", 1 },
		{ "[stage]\nbs = 4k\n", "[stage] needs a name: [stage NAME]", 1 },
		{ "bs = 4k\n", "stands in no section", 1 },
		{ "[stage a]\nbs = 4k\n[stage  a]\n", "there is a section [stage  a] before", 3 },
		{ "[stage a]\nbs = 4k\nbs = 8k\n", "bs is set in line 2", 3 },
		{ "[stage a]\nruntime = 5 parsecs\n", "runtime has a unit that is not known", 2 },
		{ "[stage a]\niodepth = 1.5\n", "iodepth is not a whole number", 2 },
		{ "[stage a]\npurge = maybe\n", "purge is neither yes nor no", 2 },
		{ "[stage a]\nbs\n", "is neither [section] nor key = value", 2 },
		{ "; nothing\n\n", "has no [stage NAME]", 0 },
		{ "[stage a]\n[stage b]\nbs = 1000\n", "bs: '1000' is no multiple of 512", 2 },
		{ "[stage a]\nmix = 60/60\n", "mix: '60/60'", 1 },
		{ "[stage a]\nmix = 60\n", "mix: '60'", 1 },
		{ "[stage a]\nrounds = 5\nsteady = 8k-0/100\n", "judged by 8k-0/100, which is not among the cells", 1 },
		{ "[stage a]\npattern = wild\n", "pattern: say", 1 },
		{ "[stage a]\nrule = mine\n", "rule: say", 1 },
		{ "[stage a]\nmetric = joy\n", "metric: say", 1 },
		{ "[stage a]\nzones = 50/50\n", "both shares have to add up to 100", 1 },
		{ "[stage a]\nzones = 50:50\n", "zones: '50:50'", 1 },
		{ "[stage a]\nbs = 512\nverify = yes\n", "no multiples of 4096", 1 },
		{ "[stage a]\nbs = ,\n", "there are no cells", 1 },
	};
	(void)state;
	char path[] = "/tmp/assay-profile-XXXXXX.ini";
	int fd = mkstemps(path, 4);
	assert_true(fd >= 0);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena a = ARENA_EMPTY;
		struct diags d;
		diags_init(&d, &a);
		assert_true(ftruncate(fd, 0) == 0 && pwrite(fd, rows[i].text, strlen(rows[i].text), 0) > 0);
		if (profile_read(&a, path, &d) || !d.first)
			fail_msg("row %zu was taken", i);
		assert_string_equal(d.first->pos.source->name, path);
		if (!strstr(d.first->message, rows[i].says) || d.first->pos.line != rows[i].line)
			fail_msg("row %zu: line %u: %s", i, d.first->pos.line, d.first->message);
		arena_free(&a);
	}
	close(fd);
	unlink(path);
	struct arena a = ARENA_EMPTY;
	struct diags d;
	diags_init(&d, &a);
	assert_null(profile_read(&a, "no-such-profile", &d));
	assert_non_null(strstr(d.first->message, "there are oci-nvme, snia-iops"));
	assert_null(profile_read(&a, "/no/such/file.ini", &d));
	assert_non_null(strstr(d.first->next->message, "can't be read"));
	arena_free(&a);
}

static void test_options_over_a_profile(void **state)
{
	(void)state;
	struct arena a = ARENA_EMPTY;
	struct profile *p = read_finished(&a, "snia-iops");
	struct stage *s = p->stages;
	assert_null(stage_set(&a, s, "cells", SLICE("4k-*, 64k-65/35")));
	assert_null(stage_set(&a, s, "runtime", SLICE("500ms")));
	assert_null(stage_set(&a, s, "threads", SLICE("auto")));
	assert_null(stage_finish(&a, s));
	assert_int_equal(s->n_list, 8);
	assert_int_equal(s->n_tracked, 2);
	assert_true(s->threads == 0 && s->runtime == 0.5);
	/* What is judged has to be left. */
	assert_null(stage_set(&a, s, "cells", SLICE("8k-*")));
	assert_non_null(stage_finish(&a, s));
	/* One round shows nothing. */
	assert_null(stage_set(&a, s, "rounds", SLICE("1")));
	assert_null(stage_finish(&a, s));
	assert_null(s->judge);
	/* What is not done need not be verifiable. */
	assert_null(stage_set(&a, s, "verify", SLICE("yes")));
	assert_null(stage_finish(&a, s));
	assert_null(stage_set(&a, s, "verify", SLICE("no")));
	/* 60m would be milliseconds. */
	assert_non_null(stage_set(&a, s, "runtime", SLICE("60m")));
	assert_null(stage_set(&a, s, "zones", SLICE("80/20, 20/80")));
	assert_null(stage_finish(&a, s));
	assert_int_equal(s->n_zones, 2);
	assert_true(s->zone[0].io_percent == 80 && s->zone[1].range_percent == 80);
	arena_free(&a);
}

static void test_range(void **state)
{
	static const struct {
		const char *text;
		uint64_t size, align, first, length;
		bool good;
	} rows[] = {
		{ "0%-100%", 1 << 20, 4096, 0, 1 << 20, true },
		{ "25%-75%", 1 << 20, 4096, 1 << 18, 1 << 19, true },
		{ "64k-1m", 1 << 20, 4096, 65536, (1 << 20) - 65536, true },
		{ "1k-1m", 1 << 20, 4096, 4096, (1 << 20) - 4096, true }, /* moved up to the alignment */
		{ "0-2m", 1 << 20, 4096, 0, 0, false },
		{ "50%-50%", 1 << 20, 4096, 0, 0, false },
		{ "75%-25%", 1 << 20, 4096, 0, 0, false },
		{ "50%", 1 << 20, 4096, 0, 0, false },
		{ "-50%", 1 << 20, 4096, 0, 0, false },
		{ "a-b", 1 << 20, 4096, 0, 0, false },
	};
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		uint64_t first = 0, length = 0;
		assert_int_equal(range_parse(rows[i].text, rows[i].size, rows[i].align, &first, &length), rows[i].good);
		assert_int_equal(first, rows[i].first);
		assert_int_equal(length, rows[i].length);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_built_in),
		cmocka_unit_test(test_mistakes),
		cmocka_unit_test(test_options_over_a_profile),
		cmocka_unit_test(test_range),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
