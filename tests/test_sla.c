/* Verdicts: each broken condition for its own reason, each kind of doubt, several runs together. */
#include "model/sla.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h wants the headers above. */
#include <cmocka.h>

/* A run of rounds as a suite leaves them; options override the sound ones. */
struct lab {
	struct arena arena;
	struct dataset d;
	struct source source;
	struct sla sla, *table;
	struct sla_row row;
	struct sla_require require[5];
};

static struct sla_require equal(const char *key, const char *value)
{
	return (struct sla_require){ .key = slice_of(key), .op = OP_EQ, .value = slice_of(value) };
}

static int set_up(void **state)
{
	struct lab *l = test_calloc(1, sizeof *l);
	const char *error;
	dataset_init(&l->d, &l->arena);
	l->source = source_of("rounds.json", SLICE_NONE);
	l->row = (struct sla_row){ .shape = SLICE("VM.Test"), .op = OP_GE, .limit = { .value = 1000, .unit = UNIT_PER_S } };
	l->require[0] = equal("bs", "4096");
	l->require[1] = equal("rw", "randwrite");
	l->require[2] = equal("mix", "0/100");
	l->require[3] = equal("direct", "1");
	l->sla = (struct sla){ .name = SLICE("test"), .metric = METRIC_IOPS, .stat = SLICE("value"), .require = l->require,
		.n_require = 4, .rows = &l->row, .n_rows = 1, .rule = &steady_snia, .level = 0.95,
		.where = selector_parse(&l->arena, SLICE(""), &error) };
	l->table = &l->sla;
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

/* What differs from a sound run. */
struct flaw {
	const char *bs, *rw, *direct;
	double runtime;     /* s; 0: 60 */
	double read_share;  /* of the I/Os */
	double error;       /* of the third round */
	bool suspect, damaged, miss_target, no_options;
};

static struct param option(const char *key, const char *value)
{
	return (struct param){ .key = slice_of(key), .value = slice_of(value) };
}

static void add_figure(struct lab *l, struct run *r, const struct job *job, enum metric_id metric, const char *op, double value,
	uint64_t n, unsigned flags)
{
	struct param p = option("op", op ? op : "");
	struct result result = { .metric = metric, .stat = SLICE("value"), .job = job, .n = n, .time = NAN, .flags = flags,
		.q = { .value = value, .unit = metric_get(metric)->unit, .pos = { &l->source, 0, 7, 3 } },
		.params = { &p, op ? 1 : 0 } };
	run_add_result(&l->arena, r, &result);
}

static void add_direction(struct lab *l, struct run *r, const struct job *job, const char *op, double iops, const struct flaw *f)
{
	double bs = f->bs ? 8192 : 4096;
	add_figure(l, r, job, METRIC_IOPS, op, iops, (uint64_t)(iops * 60), f->suspect ? RESULT_SUSPECT : 0);
	add_figure(l, r, job, METRIC_IO, op, iops * 60 * bs, 0, 0);
	add_figure(l, r, job, METRIC_RUNTIME, op, f->runtime > 0 ? f->runtime : 60, 0, 0);
}

static struct run *add_rounds(struct lab *l, const struct flaw *f, const double *values, size_t n)
{
	struct run *r = dataset_add_run(&l->d, &l->source, SLICE("cloudharmony"));
	struct point points[64];
	struct param target = option("target", "/dev/nvme0n1");
	target.pos = (struct pos){ &l->source, 0, 1, 1 };
	r->subject = SLICE("VM.Test");
	r->damaged = f->damaged;
	run_add_attr(&l->arena, r, target);
	target.value = SLICE("/dev/nvme1n1");
	run_add_attr(&l->arena, r, target);
	for (size_t i = 0; i < n; i++) {
		struct param options[] = { option("bs", f->bs ? f->bs : "4096"), option("rw", f->rw ? f->rw : "randwrite"),
			option("runtime", "60"), option("time_based", "1"), option("target", "/dev/nvme0n1"),
			option("target", "/dev/nvme1n1"), option("direct", f->direct ? f->direct : "1") };
		size_t n_options = sizeof options / sizeof *options;
		if (f->miss_target)
			options[5] = option("ioengine", "libaio");
		if (f->direct && !*f->direct)
			n_options--;
		for (size_t k = 0; k < n_options; k++)
			options[k].pos = (struct pos){ &l->source, 0, 6, 1 };
		struct job job = { .name = SLICE("x1-0_100-4k"), .started = NAN, .stopped = NAN, .pos = { &l->source, 0, 5, 1 },
			.options = { options, f->no_options ? 0 : n_options } };
		const struct job *j = run_add_job(&l->arena, r, &job);
		if (f->read_share > 0)
			add_direction(l, r, j, "read", values[i] * f->read_share, f);
		add_direction(l, r, j, "write", values[i] * (1 - f->read_share), f);
		if (f->error != 0 && i == 2)
			add_figure(l, r, j, METRIC_ERROR, NULL, f->error, 0, 0);
		points[i] = (struct point){ .t = (double)i + 1, .value = values[i], .job = j, .pos = { &l->source, 0, 7, 3 } };
	}
	struct series s = { .kind = SERIES_ROUNDS, .metric = METRIC_IOPS, .test = SLICE("iops"), .points = points, .n = n };
	run_add_series(&l->arena, r, &s);
	return r;
}

/* From a capital letter or a number to a full stop; what is joined by a semicolon has none of its own. */
static void is_sentence(const char *text)
{
	struct slice s = slice_of(text);
	bool begins = s.n && ((s.p[0] >= 'A' && s.p[0] <= 'Z') || (s.p[0] >= '0' && s.p[0] <= '9'));
	if (s.n && (!begins || !slice_ends(s, ".") || strstr(text, "..") || strstr(text, ".;")))
		fail_msg("no sentence: %s", text);
}

static struct sla_verdict judge(struct lab *l)
{
	struct audit a = sla_audit(&l->d, &l->table, 1);
	assert_int_equal(a.n, 1);
	struct sla_verdict v = a.verdicts[0];
	is_sentence(v.sentence);
	is_sentence(v.advice);
	for (size_t i = 0; i < v.n_runs; i++)
		is_sentence(v.runs[i].reason);
	return v;
}

static const double above[] = { 1100, 1102, 1099, 1101, 1100 }, below[] = { 900, 902, 899, 901, 900 };
static const double around[] = { 1040, 970, 1015, 985, 1030 }, wild[] = { 2000, 1000, 3000, 1500, 2500 };

static void passes_above_the_limit(void **state)
{
	struct lab *l = *state;
	add_rounds(l, &(struct flaw){ 0 }, above, 5);
	struct sla_verdict v = judge(l);
	assert_int_equal(v.verdict, VERDICT_PASS);
	assert_true(v.bound.lower > 1098 && v.bound.lower < v.value);
	assert_int_equal(v.worst->n_held, v.worst->n_required);
	assert_string_equal(v.advice, "");
}

static void fails_below_the_limit(void **state)
{
	struct lab *l = *state;
	add_rounds(l, &(struct flaw){ 0 }, below, 5);
	struct sla_verdict v = judge(l);
	assert_int_equal(v.verdict, VERDICT_FAIL);
	assert_true(fabs(v.normalized - 0.9004) < 1e-9);
	assert_true(fabs(v.margin + 99.6) < 1e-9);
}

static void noise_around_the_limit_is_inconclusive(void **state)
{
	struct lab *l = *state;
	add_rounds(l, &(struct flaw){ 0 }, around, 5);
	struct sla_verdict v = judge(l);
	assert_int_equal(v.verdict, VERDICT_INCONCLUSIVE);
	assert_non_null(strstr(v.advice, "more rounds"));
}

static void unsteady_is_inconclusive_however_high(void **state)
{
	struct lab *l = *state;
	add_rounds(l, &(struct flaw){ 0 }, wild, 5);
	struct sla_verdict v = judge(l);
	assert_int_equal(v.verdict, VERDICT_INCONCLUSIVE);
	assert_non_null(strstr(v.sentence, "Steady state was not reached"));
}

static void too_few_rounds_are_inconclusive(void **state)
{
	struct lab *l = *state;
	add_rounds(l, &(struct flaw){ 0 }, above, 3);
	assert_int_equal(judge(l).verdict, VERDICT_INCONCLUSIVE);
}

static void check_not_comparable(struct lab *l, struct flaw f, const char *condition, const char *found)
{
	add_rounds(l, &f, above, 5);
	struct sla_verdict v = judge(l);
	assert_int_equal(v.verdict, VERDICT_NOT_COMPARABLE);
	size_t broken = 0;
	for (size_t i = 0; i < v.worst->n_conditions; i++) {
		const struct condition *c = &v.worst->conditions[i];
		if (!c->required || c->holds != HOLDS_NO)
			continue;
		broken++;
		assert_string_equal(c->name, condition);
		assert_non_null(strstr(c->found, found));
		assert_non_null(c->pos.source);
	}
	assert_int_equal(broken, 1);
	assert_non_null(strstr(v.sentence, condition));
}

static void buffered_is_not_comparable(void **state)
{
	check_not_comparable(*state, (struct flaw){ .direct = "0" }, "direct I/O", "0");
}

static void unset_direct_is_buffered(void **state)
{
	check_not_comparable(*state, (struct flaw){ .direct = "" }, "direct I/O", "default");
}

static void other_block_size_is_not_comparable(void **state)
{
	check_not_comparable(*state, (struct flaw){ .bs = "8192" }, "block size", "8192");
}

static void other_mix_is_not_comparable(void **state)
{
	struct lab *l = *state;
	l->require[1] = equal("rw", "randrw");
	check_not_comparable(l, (struct flaw){ .rw = "randrw", .read_share = 0.5 }, "read/write mix, as done", "50/50");
}

static void other_pattern_is_not_comparable(void **state)
{
	check_not_comparable(*state, (struct flaw){ .rw = "write" }, "access pattern", "write");
}

static void errored_job_is_not_comparable(void **state)
{
	check_not_comparable(*state, (struct flaw){ .error = 5 }, "failed jobs", "1 of 5");
}

static void missing_target_is_not_comparable(void **state)
{
	check_not_comparable(*state, (struct flaw){ .miss_target = true }, "targets measured", "1 of 2");
}

static void contradicting_figures_are_not_comparable(void **state)
{
	check_not_comparable(*state, (struct flaw){ .suspect = true }, "figures agree", "no");
}

static void stopped_early_is_not_comparable(void **state)
{
	check_not_comparable(*state, (struct flaw){ .runtime = 31 }, "run time", "31 s of 60 s");
}

static void damaged_input_is_not_comparable(void **state)
{
	check_not_comparable(*state, (struct flaw){ .damaged = true }, "input", "damaged");
}

static void unknown_method_is_inconclusive(void **state)
{
	struct lab *l = *state;
	add_rounds(l, &(struct flaw){ .no_options = true }, above, 5);
	struct sla_verdict v = judge(l);
	assert_int_equal(v.verdict, VERDICT_INCONCLUSIVE);
	assert_non_null(strstr(v.sentence, "direct I/O"));
}

static void two_runs_go_by_the_worse(void **state)
{
	struct lab *l = *state;
	add_rounds(l, &(struct flaw){ 0 }, above, 5);
	add_rounds(l, &(struct flaw){ 0 }, below, 5);
	struct sla_verdict v = judge(l);
	assert_int_equal(v.n_runs, 2);
	assert_int_equal(v.verdict, VERDICT_FAIL);
}

static void three_runs_go_by_the_interval_of_their_means(void **state)
{
	struct lab *l = *state;
	static const double low[] = { 999, 1001, 998, 1000, 1000 }, high[] = { 1200, 1202, 1199, 1201, 1200 };
	add_rounds(l, &(struct flaw){ 0 }, above, 5);
	add_rounds(l, &(struct flaw){ 0 }, low, 5);
	add_rounds(l, &(struct flaw){ 0 }, high, 5);
	struct sla_verdict v = judge(l);
	/* Means 1100.4, 999.6, 1200.4: t(0.95; 2) = 2.920, sd 100.4, so the lower bound is 1100.1 - 169.3. */
	assert_int_equal(v.bound.n, 3);
	assert_true(fabs(v.bound.lower - 930.87) < 0.5);
	assert_int_equal(v.verdict, VERDICT_INCONCLUSIVE);
	assert_non_null(strstr(v.advice, "run"));
}

static void a_maximum_is_held_from_below(void **state)
{
	struct lab *l = *state;
	l->row.op = OP_LE;
	add_rounds(l, &(struct flaw){ 0 }, below, 5);
	assert_int_equal(judge(l).verdict, VERDICT_PASS);
}

static void rows_without_input_are_no_data(void **state)
{
	struct lab *l = *state;
	struct audit a = sla_audit(&l->d, &l->table, 1);
	assert_int_equal(a.n, 1);
	assert_int_equal(a.verdicts[0].verdict, VERDICT_NO_DATA);
	assert_int_equal(audit_exit(&a), 3);
}

static void exit_status_follows_the_contract(void **state)
{
	(void)state;
	struct sla_verdict v[1] = { { .verdict = VERDICT_PASS } };
	struct audit a = { .verdicts = v, .n = 1 };
	a.count[VERDICT_PASS] = 1;
	assert_int_equal(audit_exit(&a), 0);
	a.count[VERDICT_INCONCLUSIVE] = 1;
	assert_int_equal(audit_exit(&a), 3);
	a.count[VERDICT_FAIL] = 1;
	assert_int_equal(audit_exit(&a), 1);
}

static void flexible_shapes_match_by_ocpus(void **state)
{
	struct lab *l = *state;
	struct slice shape = SLICE("VM.DenseIO.E4.Flex with 16 OCPUs");
	assert_true(sla_shape_matches(shape, SLICE("VM.DenseIO.E4.Flex.16"), NULL));
	assert_true(sla_shape_matches(shape, shape, NULL));
	assert_false(sla_shape_matches(shape, SLICE("VM.DenseIO.E4.Flex.8"), NULL));
	assert_false(sla_shape_matches(shape, SLICE("VM.DenseIO.E4.Flex"), NULL));
	struct run *r = dataset_add_run(&l->d, &l->source, SLICE("fio"));
	run_add_attr(&l->arena, r, option("ocpus", "16"));
	assert_true(sla_shape_matches(shape, SLICE("VM.DenseIO.E4.Flex"), r));
	assert_true(sla_shape_matches(SLICE("BM.HPC2.36"), SLICE("bm.hpc2.36"), NULL));
	assert_false(sla_shape_matches(SLICE("VM.DenseIO1.16"), SLICE("VM.DenseIO1.1"), NULL));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(passes_above_the_limit), TEST(fails_below_the_limit), TEST(noise_around_the_limit_is_inconclusive),
		TEST(unsteady_is_inconclusive_however_high), TEST(too_few_rounds_are_inconclusive),
		TEST(buffered_is_not_comparable), TEST(unset_direct_is_buffered), TEST(other_block_size_is_not_comparable),
		TEST(other_mix_is_not_comparable), TEST(other_pattern_is_not_comparable), TEST(errored_job_is_not_comparable),
		TEST(missing_target_is_not_comparable), TEST(contradicting_figures_are_not_comparable),
		TEST(stopped_early_is_not_comparable), TEST(damaged_input_is_not_comparable),
		TEST(unknown_method_is_inconclusive), TEST(two_runs_go_by_the_worse),
		TEST(three_runs_go_by_the_interval_of_their_means), TEST(a_maximum_is_held_from_below),
		TEST(rows_without_input_are_no_data), TEST(exit_status_follows_the_contract), TEST(flexible_shapes_match_by_ocpus),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
