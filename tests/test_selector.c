#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/columns.h"
#include "model/selector.h"

#include <math.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define PARAM(k, v) { .key = { (k), sizeof(k) - 1 }, .value = { (v), sizeof(v) - 1 } }

/* One result of a fio job in a suite's run, with every place that a key can come from. */
static const struct source source = { .name = "runs/a.json" };
static const struct param job_params[] = { PARAM("bs", "4096"), PARAM("rw", "randwrite"), PARAM("op", "mixed"),
	PARAM("runtime", "60"), PARAM("host", "db 1"), PARAM("size", "test") };
static const struct param own_params[] = { PARAM("op", "write") };
static const struct param run_attrs[] = { PARAM("cores", "52"), PARAM("memory", "768 GiB"), PARAM("os", "22.10"),
	PARAM("network", "25Gbe"), PARAM("subject", "hidden by the column") };
static const struct param suite_attrs[] = { PARAM("provider", "oci, Frankfurt"), PARAM("cores", "1") };
static const struct job job = { .name = { "x1-0_100-4k", 11 }, .params = { job_params, COUNT(job_params) },
	.started = 1796042324.5 };
static struct run suite = { .attrs = { suite_attrs, COUNT(suite_attrs) } };

static struct result_view view_of(struct arena *a, struct run *run, struct result *r)
{
	*run = (struct run){ .tool = SLICE("fio"), .version = SLICE("3.10"), .subject = SLICE("BM.DenseIO2.52"),
		.attrs = { run_attrs, COUNT(run_attrs) }, .suite = &suite, .started = NAN };
	*r = (struct result){ .metric = METRIC_LATENCY, .stat = SLICE("p99.9"), .job = &job,
		.params = { own_params, COUNT(own_params) }, .n = 1000, .time = NAN,
		.q = { .value = 100e-6, .unit = UNIT_S, .text = SLICE("100"), .suffix = " us", .pos = { &source, 10, 3, 1 } } };
	return (struct result_view){ run, r, a };
}

static bool matches(const char *text)
{
	struct arena a = ARENA_EMPTY;
	const char *error;
	const struct selector *s = selector_parse(&a, slice_of(text), &error);
	if (!s)
		fail_msg("%s: %s", text, error);
	struct run run;
	struct result r;
	struct result_view view = view_of(&a, &run, &r);
	bool yes = selector_match(s, result_view_lookup, &view);
	arena_free(&a);
	return yes;
}

static void check(const char *const *texts, size_t n, bool expected)
{
	for (size_t i = 0; i < n; i++)
		if (matches(texts[i]) != expected)
			fail_msg("%s: expected %s", texts[i], expected ? "a match" : "no match");
}

static void what_matches(void **state)
{
	(void)state;
	static const char *const yes[] = {
		"", "  ", "tool=fio", "subject=BM.*", "subject=*", "tool=ioping,fio", "tool!=ioping", "tool!=ioping,dd",
		"stat=p??.9", "metric=latency stat=p99.9", " metric=latency\tstat=p99.9\n",
		"bs=4096", "bs=4k", "bs=4K", "bs=4KiB", "bs=\"4 KiB\"", "bs>=4k", "bs<=4k", "bs<8k", "bs>512", "bs!=8k", "bs=8k,4k",
		"runtime=60", "runtime=60s", "runtime=1min", "runtime>=1min", "runtime>59s", "runtime!=61s",
		"host=\"db 1\"", "host=\"db*\"", "host=db*", "host!=\"db 2\"", "size=test", "size=tes?,train",
		"op=write", "op!=mixed", "rw=rand*", "test=x1-*",
		"value=100us", "value=0.0001", "value=1e-4", "value<1ms", "value<\"1 ms\"", "value>99us", "value<=100us",
		"value>=100us", "n=1e3", "n>=1k", "line=3", "unit=s", "text=\"100 us\"", "source=*.json",
		"cores=52", "cores>=8", "memory>512GiB", "memory=768GiB", "network=\"25 Gb/s\"", "network>=25Gbe", "os=22.10",
		"provider=\"oci, Frankfurt\"",
		"params=\"bs=4096 host=\\\"db 1\\\" op=write runtime=60 rw=randwrite size=test\"", "params=*op=write*",
		"time=2026-11-30T*", "time>=2026", "time>2025", "time<=2026-11", "time<2026-12-01",
		"mode=\"\"", "mode=", "mode!=usr", "op!=\"\"", "subject!=",
	};
	check(yes, COUNT(yes), true);
}

static void what_does_not(void **state)
{
	(void)state;
	static const char *const no[] = {
		"tool=FIO", "tool=fi", "tool!=fio", "tool!=dd,fio", "tool=fio tool=dd", "subject=\"hidden by the column\"",
		"bs=4", "bs=8k", "bs!=4k", "bs!=8k,4096", "bs<4k", "bs>4k", "bs>=4.1k", "bs=4kB",
		"runtime=60ms", "runtime<60", "runtime=60GB", "value<1B", "value<1IOPS", "network>1s", "network=25GB/s",
		"version=3.1", "os=22.1", "cores=1", "host>1", "size>1", "op=mixed",
		"value=100", "value>100us", "value<100us", "n=0", "mode=usr", "mode<1", "mode>=0", "nothing>0", "mode!=\"\"",
		"time=2026-11-30", "time>2026", "time<2026-11", "time>=2026-12", "params=op=write",
	};
	check(no, COUNT(no), false);
}

static void missing_values_match_no_number(void **state)
{
	(void)state;
	struct arena a = ARENA_EMPTY;
	static const char *const texts[] = { "value<1", "value>=0", "value=0", "time>=1970" };
	struct run run;
	struct result r;
	struct result_view view = view_of(&a, &run, &r);
	r = (struct result){ .metric = METRIC_SCORE, .q = { .missing = true, .unit = UNIT_ONE }, .time = NAN };
	const char *error;
	for (size_t i = 0; i < COUNT(texts); i++)
		assert_false(selector_match(selector_parse(&a, slice_of(texts[i]), &error), result_view_lookup, &view));
	assert_true(selector_match(selector_parse(&a, SLICE("value=\"\" time= n="), &error), result_view_lookup, &view));
	arena_free(&a);
}

static void errors_say_what_to_do(void **state)
{
	(void)state;
	static const struct {
		const char *text, *error;
	} wrong[] = {
		{ "bs", "'bs' has no operator: write key=value" },
		{ "tool=fio bs", "'bs' has no operator" },
		{ "value<1 ms", "'ms' has no operator: write key=value (or !=, <, <=, >, >=) without blanks around it" },
		{ "bs = 4k", "'bs' has no operator" },
		{ "=4k", "'=4k' has no key: write key=value." },
		{ "\"bs\"=4k", "has no key" },
		{ "bs==4k", "'bs==4k' has an operator that is not known: use =, !=, <, <=, > or >=." },
		{ "bs=>4k", "has an operator that is not known" },
		{ "bs!4k", "has an operator that is not known" },
		{ "tool=a,,b", "'tool=a,,b' has a comma with no value beside it" },
		{ "tool=a,", "has a comma with no value beside it" },
		{ "tool=,a", "has a comma with no value beside it" },
		{ "tool=a, b", "has a comma with no value beside it" },
		{ "test=\"File creation", "'test=\"File' opens a quote that nothing closes" },
		{ "test=\"File\\\"", "opens a quote that nothing closes" },
		{ "test=a\"b\"", "has a quote in the middle" },
		{ "test=\"a\"b", "has a quote in the middle" },
		{ "bs>=4k,8k", "'bs>=4k,8k' compares with several values" },
		{ "tool>fio", "puts text in an order: 'tool' takes = and != only." },
		{ "value>=fast", "compares with 'fast', which is no quantity: write a number with its unit" },
		{ "bs<", "compares with '', which is no quantity" },
		{ "bs<4kX", "compares with '4kX', which is no quantity" },
		{ "time>=", "which is no time" },
		{ "a\033[31m", "'a\\x1b[31m' has no operator" },
	};
	for (size_t i = 0; i < COUNT(wrong); i++) {
		struct arena a = ARENA_EMPTY;
		const char *error;
		if (selector_parse(&a, slice_of(wrong[i].text), &error))
			fail_msg("%s: accepted", wrong[i].text);
		if (!strstr(error, wrong[i].error))
			fail_msg("%s: %s", wrong[i].text, error);
		arena_free(&a);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_matches),
		cmocka_unit_test(what_does_not),
		cmocka_unit_test(missing_values_match_no_number),
		cmocka_unit_test(errors_say_what_to_do),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
