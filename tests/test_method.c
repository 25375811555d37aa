/* The rules of method over what fio shows of itself: each with a run that it concerns, and a sound one without a
 * word. */
#include "model/method.h"
#include "model/steady.h"

#include "base/num.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h wants the headers above. */
#include <cmocka.h>

/* A run of one job, as `changes` differ from a sound one. */
struct lab {
	struct arena arena;
	struct source source;
	struct dataset d;
};

struct changes {
	const char *options;      /* "key=value key=value"; "key=" takes the option away */
	double bytes, reads, runtime, latencies, tail, cpu, error, errors, disk; /* 0: as in the sound run */
	const char *attribute;
	const double *steady;     /* five samples of fio's steady state, a minute each */
	double clone_iops, clone_runtime; /* of a second, equal job */
	bool partial, alone;      /* alone: without the job that fills the drive */
};

static const char sound[] = "rw=randwrite bs=4096 iodepth=32 ioengine=libaio direct=1 size=1099511627776 runtime=60 "
	"time_based=1 ramp_time=10 refill_buffers=1 iodepth_32=100";
enum { IOPS = 10000, SECONDS = 60 };

static int set_up(void **state)
{
	struct lab *l = test_calloc(1, sizeof *l);
	dataset_init(&l->d, &l->arena);
	l->source = source_of("fio.json", SLICE_NONE);
	*state = l;
	return 0;
}

static int tear_down(void **state)
{
	struct lab *l = *state;
	arena_free(&l->arena);
	test_free(l);
	return 0;
}

static size_t merge(struct lab *l, const char *text, struct param *v, size_t n)
{
	struct slice rest = slice_of(text), word;
	while (slice_cut(&rest, ' ', &word)) {
		struct slice key = word, value = SLICE_NONE;
		size_t at = slice_find_char(word, '=');
		key = slice_head(word, at);
		value = slice_from(word, at + 1);
		size_t k = 0;
		while (k < n && !slice_eq(v[k].key, key))
			k++;
		v[k] = (struct param){ .key = key, .value = value, .pos = { &l->source, 0, 3, 1 } };
		n += k == n;
	}
	return n;
}

static struct params options_of(struct lab *l, const char *changes)
{
	struct param *v = ARENA_ARRAY(&l->arena, 64, struct param);
	size_t n = merge(l, sound, v, 0), kept = 0;
	n = merge(l, changes ? changes : "", v, n);
	for (size_t i = 0; i < n; i++)
		if (v[i].value.n)
			v[kept++] = v[i];
	return (struct params){ v, kept };
}

static void figure(struct lab *l, struct run *r, const struct job *job, enum metric_id metric, const char *stat,
	const char *key, const char *is, double value, double n)
{
	struct param p = { .key = slice_of(key), .value = slice_of(is) };
	struct result result = { .metric = metric, .stat = slice_of(stat), .job = job, .n = (uint64_t)n, .time = NAN,
		.q = { .value = value, .unit = metric_get(metric)->unit, .pos = { &l->source, 0, 7, 3 } },
		.params = { &p, *key ? 1 : 0 } };
	run_add_result(&l->arena, r, &result);
}

static double or(double given, double otherwise)
{
	return given != 0 ? given : otherwise;
}

static const struct job *add_job(struct lab *l, struct run *r, const char *name, struct params options, bool partial)
{
	struct param group = { .key = SLICE("group"), .value = SLICE("0") };
	struct job job = { .name = slice_of(name), .params = { &group, 1 }, .options = options, .partial = partial,
		.pos = { &l->source, 0, 2, 1 }, .started = NAN, .stopped = NAN };
	return run_add_job(&l->arena, r, &job);
}

static void add_figures(struct lab *l, struct run *r, const struct job *job, const struct changes *c, double iops,
	double runtime)
{
	double ios = iops * runtime;
	figure(l, r, job, METRIC_IOPS, "value", "op", "write", iops, ios);
	figure(l, r, job, METRIC_IO, "value", "op", "write", or(c->bytes, ios * 4096), 0);
	figure(l, r, job, METRIC_RUNTIME, "value", "op", "write", runtime, 0);
	figure(l, r, job, METRIC_COMPLETION_LATENCY, "mean", "op", "write", 1e-3, or(c->latencies, ios));
	figure(l, r, job, METRIC_COMPLETION_LATENCY, "p99.99", "op", "write", 2e-3, or(c->tail, ios));
	figure(l, r, job, METRIC_CPU_UTIL, "value", "mode", "usr", or(c->cpu, 30) / 3, 0);
	figure(l, r, job, METRIC_CPU_UTIL, "value", "mode", "sys", or(c->cpu, 30) * 2 / 3, 0);
	if (c->reads > 0) {
		figure(l, r, job, METRIC_IOPS, "value", "op", "read", c->reads, c->reads * runtime);
		figure(l, r, job, METRIC_IO, "value", "op", "read", c->reads * runtime * 4096, 0);
	}
	if (c->error > 0)
		figure(l, r, job, METRIC_ERROR, "value", "", "", c->error, 0);
	if (c->errors > 0)
		figure(l, r, job, METRIC_ERRORS, "count", "", "", c->errors, 0);
}

static void add_steady(struct lab *l, struct run *r, const struct job *job, const double *minutes)
{
	enum { PER_MINUTE = 60, MINUTES = 5 };
	struct point points[PER_MINUTE * MINUTES];
	for (size_t i = 0; i < PER_MINUTE * MINUTES; i++)
		points[i] = (struct point){ .t = (double)i + 1, .value = minutes[i / PER_MINUTE], .job = job };
	struct series s = { .kind = SERIES_SAMPLES, .metric = METRIC_IOPS, .points = points, .n = PER_MINUTE * MINUTES,
		.interval = 1, .claimed = CLAIM_STEADY };
	run_add_series(&l->arena, r, &s);
}

static struct run *run_of(struct lab *l, const struct changes *c)
{
	struct run *r = dataset_add_run(&l->d, &l->source, SLICE("fio"));
	struct params options = options_of(l, c->options);
	struct param attribute;
	if (c->attribute && merge(l, c->attribute, &attribute, 0))
		run_add_attr(&l->arena, r, attribute);
	if (!c->alone)
		add_job(l, r, "precondition", (struct params){ NULL, 0 }, true);
	const struct job *job = add_job(l, r, "job", options, c->partial);
	add_figures(l, r, job, c, IOPS, or(c->runtime, SECONDS));
	if (c->steady)
		add_steady(l, r, job, c->steady);
	if (c->clone_iops > 0)
		add_figures(l, r, add_job(l, r, "job", options, c->partial), c, c->clone_iops, or(c->clone_runtime, SECONDS));
	figure(l, r, NULL, METRIC_DISK_UTIL, "value", "disk", "vda", or(c->disk, 99), 0);
	return r;
}

/* The remarks on such a run, one a line, with the letter of their severity. */
static const char *remarks(struct lab *l, const struct changes *c)
{
	const char *all = "";
	struct diags diags;
	diags_init(&diags, &l->arena);
	method_remarks(&diags, run_of(l, c));
	for (const struct diag *d = diags.first; d; d = d->next) {
		all = arena_printf(&l->arena, "%s%c %s\n", all, severity_name(d->severity)[0], d->message);
		assert_non_null(d->pos.source);
	}
	return all;
}

/* Exactly one remark, which begins like this and has this in it. */
static void expect(struct lab *l, struct changes c, const char *begins, const char *has)
{
	const char *all = remarks(l, &c);
	if (strncmp(all, begins, strlen(begins)) != 0 || !strstr(all, has) || strchr(all, '\n') != strrchr(all, '\n'))
		fail_msg("for %s: expected one remark '%s … %s', got:\n%s", c.options ? c.options : "other figures", begins, has,
			all);
}

static void expect_none(struct lab *l, struct changes c)
{
	assert_string_equal(remarks(l, &c), "");
}

static void a_sound_run_is_not_remarked_on(void **state)
{
	expect_none(*state, (struct changes){ .options = "" });
}

static void failed_jobs(void **state)
{
	expect(*state, (struct changes){ .error = 28 }, "w failed jobs", "error 28");
	expect(*state, (struct changes){ .errors = 7 }, "w failed jobs", "7 I/O errors");
}

static void stopped_before_its_time(void **state)
{
	expect(*state, (struct changes){ .runtime = 80, .options = "runtime=100" }, "w run time", "80 s of 100 s");
	/* Ending early is the purpose of steadystate, and of latency_target. */
	expect(*state, (struct changes){ .runtime = 70, .options = "runtime=600 latency_target=0.0005" }, "n rate limit", "");
	expect_none(*state, (struct changes){ .runtime = 70, .options = "runtime=600 steadystate.attained=1" });
}

static void neither_time_nor_size(void **state)
{
	expect(*state, (struct changes){ .options = "time_based= runtime=600" }, "n end before time and size",
		"60 s of 600 s");
	expect_none(*state, (struct changes){ .options = "time_based= runtime=600 size=2457600000" });
}

static void io_against_the_pattern(void **state)
{
	expect(*state, (struct changes){ .reads = 50 }, "w I/O against the pattern", "3000 reads of a randwrite job");
	expect_none(*state, (struct changes){ .reads = 50, .options = "verify=crc32c" });
}

static void bytes_against_the_block_size(void **state)
{
	expect(*state, (struct changes){ .options = "bs=8192" }, "w bytes per I/O", "4096");
	expect_none(*state, (struct changes){ .options = "bs=8192 bssplit=4k/50:8k/50" });
}

static void mix_against_the_told_one(void **state)
{
	expect(*state, (struct changes){ .options = "rw=randrw rwmixread=70", .reads = IOPS }, "w reads in the mix",
		"50 % of the I/Os, 70 % told");
	expect_none(*state, (struct changes){ .options = "rw=randrw rwmixread=52", .reads = IOPS });
	expect_none(*state, (struct changes){ .options = "rw=randrw", .reads = IOPS });
}

static void buffered(void **state)
{
	expect(*state, (struct changes){ .options = "direct=0" }, "n direct I/O", "page cache");
	expect(*state, (struct changes){ .options = "direct=" }, "n direct I/O", "default");
	expect_none(*state, (struct changes){ .options = "direct=", .partial = true });
	expect_none(*state, (struct changes){ .options = "direct= ioengine=rbd" });
}

static void range_within_memory(void **state)
{
	const char *all = remarks(*state, &(struct changes){ .options = "direct=0 size=4294967296",
		.attribute = "memory=68719476736" });
	assert_non_null(strstr(all, "n range against memory: 4 GiB, the memory has 64 GiB"));
	all = remarks(*state, &(struct changes){ .options = "direct=0 size=4294967296", .attribute = "meta_memory_gb=2" });
	assert_null(strstr(all, "range against memory"));
	expect_none(*state, (struct changes){ .options = "size=4294967296", .attribute = "memory=68719476736" });
}

static void range_gone_over_often(void **state)
{
	expect(*state, (struct changes){ .options = "size=67108864" }, "n range: 64 MiB, gone over 37 times", "cache");
	expect_none(*state, (struct changes){ .options = "size=1073741824" });
}

static void no_warm_up(void **state)
{
	expect(*state, (struct changes){ .options = "ramp_time=" }, "n warm-up", "no ramp_time");
}

static void short_run(void **state)
{
	expect(*state, (struct changes){ .options = "runtime=30", .runtime = 30 }, "n length of the run", "30 s");
}

static void drive_not_filled(void **state)
{
	expect(*state, (struct changes){ .alone = true }, "n preconditioning", "not shown");
}

static void steady_by_a_loose_limit(void **state)
{
	static const double fall[] = { 1000, 900, 800, 700, 600 }, even[] = { 1000, 1001, 999, 1000, 1000 };
	expect(*state, (struct changes){ .options = "steadystate.ss=iops_slope:1% steadystate.attained=1", .steady = fall },
		"n steady state by fio: attained", "so attained); by SNIA PTS not steady");
	expect(*state, (struct changes){ .options = "steadystate.ss=iops:5% steadystate.attained=1", .steady = fall },
		"n steady state by fio: attained", "so not attained)");
	expect(*state, (struct changes){ .options = "steadystate.ss=iops:0.01% steadystate.attained=0", .steady = even },
		"n steady state by fio: not attained", "by SNIA PTS steady");
	expect_none(*state, (struct changes){ .options = "steadystate.ss=iops:5% steadystate.attained=1", .steady = even });
}

static void depth_that_an_engine_ignores(void **state)
{
	expect(*state, (struct changes){ .options = "ioengine=psync iodepth_32= iodepth_1=100" }, "w queue depth",
		"1, not the 32");
	expect(*state, (struct changes){ .options = "ioengine= iodepth_32= iodepth_1=100" }, "w queue depth",
		"default engine");
	expect_none(*state, (struct changes){ .options = "ioengine=psync iodepth=1 iodepth_32= iodepth_1=100" });
}

static void depth_not_reached(void **state)
{
	expect(*state, (struct changes){ .options = "iodepth_32=10 iodepth_16=90" }, "n queue depth",
		"10 % of the I/Os at the depth of 32");
	expect_none(*state, (struct changes){ .options = "iodepth=20 iodepth_32= iodepth_16=99.9" });
	expect_none(*state, (struct changes){ .options = "iodepth=256 iodepth_32= iodepth_64=99.9" });
	expect_none(*state, (struct changes){ .options = "iodepth_32=" });
}

static void processor_bound(void **state)
{
	expect(*state, (struct changes){ .cpu = 99 }, "n processor", "99 %");
}

static void disk_not_busy(void **state)
{
	const char *all = remarks(*state, &(struct changes){ .alone = true, .disk = 60 });
	assert_non_null(strstr(all, "n disk use: 60 %"));
	expect_none(*state, (struct changes){ .disk = 60 }); /* two jobs: whose time was it? */
}

static void summed_up_jobs(void **state)
{
	expect(*state, (struct changes){ .options = "numjobs=4 group_reporting=1" }, "n jobs summed up: 4", "can't be seen");
	expect(*state, (struct changes){ .options = "jobs=3" }, "n jobs summed up: 3", "");
	expect(*state, (struct changes){ .options = "definitions=2" }, "n jobs summed up: 2", "");
	expect_none(*state, (struct changes){ .options = "numjobs=4" });
}

static void equal_jobs_served_unequally(void **state)
{
	expect(*state, (struct changes){ .clone_iops = 5000 }, "n slowest of equal jobs: 0.67 of the mean of 2", "writes");
	expect_none(*state, (struct changes){ .clone_iops = 9000 });
}

static void equal_jobs_not_of_one_length(void **state)
{
	expect(*state, (struct changes){ .options = "runtime=", .clone_iops = IOPS, .clone_runtime = 100 },
		"n run times of one group: 60 s to 100 s", "");
	expect_none(*state, (struct changes){ .clone_iops = IOPS, .clone_runtime = 62 });
}

static void no_random_map(void **state)
{
	expect(*state, (struct changes){ .options = "norandommap=1" }, "n random map", "norandommap");
	expect_none(*state, (struct changes){ .options = "norandommap=1 rw=write" });
}

static void easy_data(void **state)
{
	expect(*state, (struct changes){ .options = "zero_buffers=1" }, "n data", "zero_buffers=1");
	expect(*state, (struct changes){ .options = "buffer_compress_percentage=50" }, "n data", "compress");
	expect(*state, (struct changes){ .options = "refill_buffers=" }, "n data", "no refill_buffers");
	expect_none(*state, (struct changes){ .options = "refill_buffers=", .partial = true });
}

static void held_back(void **state)
{
	expect(*state, (struct changes){ .options = "rate_iops=10000" }, "n rate limit", "rate_iops=10000");
	expect(*state, (struct changes){ .options = "latency_target=0.0005" }, "n rate limit", "latency_target");
	expect_none(*state, (struct changes){ .options = "thinktime=0" });
}

static void short_and_dropped(void **state)
{
	expect(*state, (struct changes){ .options = "short_ios=8" }, "n short I/Os", "8");
	expect(*state, (struct changes){ .options = "drop_ios=3" }, "w dropped I/Os", "3");
}

static void latencies_of_a_part(void **state)
{
	expect(*state, (struct changes){ .latencies = 1000 }, "n I/Os with a latency", "1000 of 600000 writes");
	expect_none(*state, (struct changes){ .latencies = 590000 });
}

static void thin_tail(void **state)
{
	expect(*state, (struct changes){ .tail = 99999 }, "n tail", "p99.99 of 99999 I/Os");
	expect_none(*state, (struct changes){ .tail = 100000 });
}

/* ---- the same rules in an audit ---- */

static struct sla_verdict judge(struct lab *l, const char *stat)
{
	const char *error;
	struct sla_row *row = ARENA_NEW(&l->arena, struct sla_row);
	struct sla *sla = ARENA_NEW(&l->arena, struct sla);
	bool iops = strcmp(stat, "value") == 0;
	*row = (struct sla_row){ .shape = SLICE(""), .op = iops ? OP_GE : OP_LE, .limit = { .value = iops ? 100 : 1, .unit =
		iops ? UNIT_PER_S : UNIT_S } };
	*sla = (struct sla){ .name = SLICE("t"), .metric = iops ? METRIC_IOPS : METRIC_COMPLETION_LATENCY,
		.stat = slice_of(stat), .rows = row, .n_rows = 1, .rule = &steady_snia, .level = 0.95,
		.where = selector_parse(&l->arena, SLICE("test=job"), &error) };
	struct audit a = sla_audit(&l->d, &sla, 1);
	assert_int_equal(a.n, 1);
	return a.verdicts[0];
}

static const struct condition *condition(const struct sla_verdict *v, const char *name)
{
	for (size_t i = 0; i < v->worst->n_conditions; i++)
		if (strcmp(v->worst->conditions[i].name, name) == 0)
			return &v->worst->conditions[i];
	return NULL;
}

static void refusals_make_it_not_comparable(void **state)
{
	static const struct { struct changes c; const char *name; } refused[] = {
		{ { .error = 28 }, "failed jobs" }, { { .errors = 3 }, "failed jobs" },
		{ { .options = "signal=2" }, "end of the run" }, { { .reads = 50 }, "I/O against the pattern" },
		{ { .runtime = 31 }, "run time" }, { { .options = "bs=8192" }, "bytes per I/O" },
	};
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		struct lab *l = *state;
		dataset_init(&l->d, &l->arena);
		run_of(l, &refused[i].c);
		struct sla_verdict v = judge(l, "value");
		const struct condition *k = condition(&v, refused[i].name);
		assert_int_equal(v.verdict, VERDICT_NOT_COMPARABLE);
		assert_non_null(k);
		assert_int_equal(k->holds, HOLDS_NO);
		assert_true(k->required);
		assert_int_not_equal(k->pos.line, 0);
	}
}

static void doubts_are_remarks(void **state)
{
	struct lab *l = *state;
	run_of(l, &(struct changes){ .options = "norandommap=1 direct=0", .tail = 100 });
	struct sla_verdict v = judge(l, "value");
	assert_int_equal(condition(&v, "random map")->holds, HOLDS_WARN);
	assert_int_equal(condition(&v, "direct I/O")->holds, HOLDS_WARN);
	assert_false(condition(&v, "random map")->required);
	assert_null(condition(&v, "tail")); /* concerns latencies */
	v = judge(l, "p99.99");
	assert_int_equal(condition(&v, "tail")->holds, HOLDS_WARN);
}

/* A part of a drive can stay in its spare area: the share is said where the capacity is known. */
static void range_against_the_capacity(void **state)
{
	struct lab *l = *state;
	run_of(l, &(struct changes){ .options = "size=10000000000", .attribute = "capacity=6800000000000" });
	struct sla_verdict v = judge(l, "value");
	assert_int_equal(condition(&v, "active range")->holds, HOLDS_WARN);
	assert_string_equal(condition(&v, "active range")->found, "9.31 GiB, 0.15 % of the capacity");
}

static void equal_jobs_add_up(void **state)
{
	struct lab *l = *state;
	run_of(l, &(struct changes){ .clone_iops = 9000 });
	struct sla_verdict v = judge(l, "value");
	assert_true(v.value == 19000);
	assert_non_null(strstr(condition(&v, "jobs added up")->found, "2, together 19 k; the slowest 9 k"));
}

static void another_source_of_a_run_is_not_judged(void **state)
{
	struct lab *l = *state;
	struct run *json = run_of(l, &(struct changes){ .options = "" }), *text = run_of(l, &(struct changes){ .error = 5 });
	text->same_as = json;
	struct sla_verdict v = judge(l, "value");
	assert_int_equal(v.n_runs, 1);
	assert_ptr_equal(v.runs[0].run, json);
}

static void percentiles_are_never_averaged(void **state)
{
	struct lab *l = *state;
	for (int i = 0; i < 3; i++)
		run_of(l, &(struct changes){ .options = "" });
	struct sla_verdict v = judge(l, "p99.99");
	assert_int_equal(v.n_runs, 3);
	assert_true(v.value == 2e-3);
	assert_true(isnan(v.bound.lower));
	v = judge(l, "value"); /* rates are: but these have no steady state */
	assert_int_equal(v.verdict, VERDICT_INCONCLUSIVE);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_sound_run_is_not_remarked_on), TEST(failed_jobs), TEST(stopped_before_its_time), TEST(neither_time_nor_size),
		TEST(io_against_the_pattern), TEST(bytes_against_the_block_size), TEST(mix_against_the_told_one), TEST(buffered),
		TEST(range_within_memory), TEST(range_gone_over_often), TEST(no_warm_up), TEST(short_run), TEST(drive_not_filled),
		TEST(steady_by_a_loose_limit), TEST(depth_that_an_engine_ignores), TEST(depth_not_reached), TEST(processor_bound),
		TEST(disk_not_busy), TEST(summed_up_jobs), TEST(equal_jobs_served_unequally), TEST(equal_jobs_not_of_one_length),
		TEST(no_random_map), TEST(easy_data), TEST(held_back), TEST(short_and_dropped), TEST(latencies_of_a_part),
		TEST(thin_tail), TEST(refusals_make_it_not_comparable), TEST(doubts_are_remarks), TEST(range_against_the_capacity),
		TEST(equal_jobs_add_up),
		TEST(another_source_of_a_run_is_not_judged), TEST(percentiles_are_never_averaged),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
