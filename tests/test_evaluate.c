/* The evaluation metrics of a study: halts, jobs, deviations, server statistics with their limits. */
#include "model/evaluate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

enum { JOBS = 12, EVERY = 3600, SAMPLES = 12 };
#define BEGIN 1.8e9

struct fixture {
	struct arena arena;
	struct dataset data;
	struct study study;
	struct study_subject subjects[2];
	struct study_limit limits[4];
	struct study_planned planned;
	struct evaluation result;
};

static struct param named(const char *key, const char *value)
{
	return (struct param){ .key = slice_of(key), .value = slice_of(value) };
}

static struct quantity told(double value, enum unit unit, const char *text)
{
	return (struct quantity){ .value = value, .unit = unit, .text = slice_of(text) };
}

static void open_study(struct fixture *f)
{
	const struct quantity untold = { .missing = true };
	*f = (struct fixture){ .arena = ARENA_EMPTY };
	dataset_init(&f->data, &f->arena);
	f->study.subjects = f->subjects;
	f->study.evaluation = (struct study_evaluation){ .wanted = true, .tolerance = untold, .longest_gap = untold,
		.limits = f->limits, .planned = &f->planned };
}

static void close_study(struct fixture *f)
{
	arena_free(&f->arena);
}

static struct run *add_run(struct fixture *f, const char *subject, const char *tool, double started)
{
	struct source *s = ARENA_NEW(&f->arena, struct source);
	*s = source_of(arena_printf(&f->arena, "%s.%zu", tool, f->data.n_runs), SLICE_NONE);
	struct run *run = dataset_add_run(&f->data, s, slice_of(tool));
	run->subject = slice_of(subject);
	run->started = started;
	return run;
}

static void add(struct fixture *f, struct run *run, const char *test, enum metric_id metric, const char *stat,
	double value, struct params params)
{
	struct result r = { .metric = metric, .stat = slice_of(stat), .test = slice_of(test), .params = params, .time = NAN,
		.q = { .value = value, .unit = metric_get(metric)->unit, .pos = { run->source, 0, 7, 1 } } };
	run_add_result(&f->arena, run, &r);
}

static void add_job(struct fixture *f, const char *subject, double started, double value)
{
	struct run *run = add_run(f, subject, "ior", started);
	run_add_attr(&f->arena, run, named("state", "complete"));
	add(f, run, "write", METRIC_BANDWIDTH, "value", value, (struct params){ NULL, 0 });
}

static void add_jobs(struct fixture *f, const char *subject)
{
	for (size_t i = 0; i < JOBS; i++)
		add_job(f, subject, BEGIN + EVERY * (double)i, 1e9 + 1e7 * (double)(i % 2));
}

/* One file of an interface's statistics: a sample every 20 minutes, all of the same value. */
static struct run *add_statistics(struct fixture *f, const char *host, const char *iface, double value, double from,
	size_t n)
{
	struct run *run = add_run(f, "S", "sysstat", from);
	struct param params[] = { named("iface", iface), named("direction", "receive") };
	struct point *points = ARENA_ARRAY(&f->arena, n + 1, struct point);
	run_add_attr(&f->arena, run, named("host", host));
	for (size_t i = 0; i < n; i++)
		points[i] = (struct point){ .t = 1200 * (double)i, .value = value };
	struct series series = { .kind = SERIES_SAMPLES, .metric = METRIC_BANDWIDTH, .test = SLICE("network"),
		.params = { params, 2 }, .points = points, .n = n };
	run_add_series(&f->arena, run, &series);
	add(f, run, "network", METRIC_BANDWIDTH, "max", value, (struct params){ params, 2 });
	return run;
}

static void add_faults(struct fixture *f, struct run *run, const char *iface, double n)
{
	struct param params[] = { named("iface", iface), named("direction", "receive") };
	add(f, run, "network", METRIC_ERRORS, "count", n, (struct params){ params, 2 });
}

static void limit_receive(struct fixture *f, const char *iface, double value)
{
	f->limits[f->study.evaluation.n_limits++] = (struct study_limit){ .statistic = SERVER_RECEIVE,
		.iface = slice_of(iface), .op = OP_LE, .limit = told(value, UNIT_B_PER_S, "") };
}

static const struct evaluation_row *judged(struct fixture *f, size_t row)
{
	f->result = evaluate(&f->arena, &f->data, &f->study);
	assert_true(f->result.n > row);
	return &f->result.rows[row];
}

#define assert_verdict(row, expected) assert_string_equal(verdict_name((row)->verdict), verdict_name(expected))
#define assert_says(row, part) assert_non_null(strstr((row)->sentence, part))

/* ---- halts and jobs ---- */

static void no_jobs_no_verdict(void **state)
{
	struct fixture f;
	(void)state;
	open_study(&f);
	assert_verdict(judged(&f, 0), VERDICT_NO_DATA);
	assert_int_equal(evaluation_exit(&f.result), 3);
	add_job(&f, "S", BEGIN, 1e9);
	assert_verdict(judged(&f, 0), VERDICT_INCONCLUSIVE);
	close_study(&f);
}

static void halts_by_usual_interval(void **state)
{
	struct fixture f;
	(void)state;
	open_study(&f);
	add_jobs(&f, "S");
	const struct evaluation_row *r = judged(&f, 0);
	assert_verdict(r, VERDICT_PASS);
	assert_true(r->value == EVERY && r->limit == 1.5 * EVERY);
	assert_int_equal(evaluation_exit(&f.result), 0);
	/* Two jobs are missing behind the last. */
	add_job(&f, "S", BEGIN + EVERY * (JOBS + 2), 1e9);
	r = judged(&f, 0);
	assert_verdict(r, VERDICT_FAIL);
	assert_true(r->value == 3 * EVERY && r->time == BEGIN + EVERY * (JOBS - 1));
	assert_int_equal(evaluation_exit(&f.result), 1);
	/* Unless the study allows it; exactly as long as allowed is allowed. */
	f.study.evaluation.longest_gap = told(3 * EVERY, UNIT_S, "3 h");
	assert_verdict(judged(&f, 0), VERDICT_PASS);
	f.study.evaluation.longest_gap = told(3 * EVERY - 1, UNIT_S, "2.9 h");
	assert_verdict(judged(&f, 0), VERDICT_FAIL);
	close_study(&f);
}

static void irregular_jobs_need_a_gap(void **state)
{
	struct fixture f;
	(void)state;
	open_study(&f);
	for (size_t i = 0; i < JOBS; i++)
		add_job(&f, "S", BEGIN + 60 * pow(2, (double)i), 1e9);
	assert_verdict(judged(&f, 0), VERDICT_INCONCLUSIVE);
	assert_says(&f.result.rows[0], "no regular times");
	f.study.evaluation.longest_gap = told(1e6, UNIT_S, "");
	assert_verdict(judged(&f, 0), VERDICT_PASS);
	close_study(&f);
}

static void planned_jobs(void **state)
{
	struct fixture f;
	struct param complete = named("state", "complete"), failed = named("state", "failed"),
		copies = named("state", "duplicate");
	(void)state;
	open_study(&f);
	f.planned.n = 12;
	f.study.evaluation.n_planned = 1;
	add_jobs(&f, "S");
	assert_verdict(judged(&f, 1), VERDICT_NO_DATA);
	struct run *account = add_run(&f, "S", "ior", NAN);
	add(&f, account, "", METRIC_JOBS, "count", 11, (struct params){ &complete, 1 });
	add(&f, account, "", METRIC_JOBS, "count", 1, (struct params){ &failed, 1 });
	add(&f, account, "", METRIC_JOBS, "count", 5, (struct params){ &copies, 1 });
	assert_verdict(judged(&f, 1), VERDICT_FAIL);
	assert_string_equal(f.result.rows[1].sentence,
		"11 of 12 planned jobs are complete, 1 is not (besides them: 1 failed).");
	add(&f, add_run(&f, "S", "mdtest", NAN), "", METRIC_JOBS, "count", 1, (struct params){ &complete, 1 });
	assert_verdict(judged(&f, 1), VERDICT_PASS);
	f.planned.tool = SLICE("ior");
	assert_verdict(judged(&f, 1), VERDICT_FAIL);
	close_study(&f);
}

/* ---- deviations ---- */

static void deviations(void **state)
{
	struct fixture f;
	(void)state;
	open_study(&f);
	add_jobs(&f, "S");
	f.study.evaluation.tolerance = told(1, UNIT_PERCENT, "1 %");
	const struct evaluation_row *r = judged(&f, 1);
	assert_string_equal(r->name, "Deviation of write bandwidth");
	assert_verdict(r, VERDICT_PASS);
	/* 5e6 of 1.005e9. */
	assert_float_equal(r->value, 100 * 5e6 / 1.005e9, 1e-9);
	assert_verdict(&f.result.rows[2], VERDICT_NO_DATA); /* read */
	assert_int_equal(f.result.n, 6);
	assert_int_equal(evaluation_exit(&f.result), 3);
	f.study.evaluation.implied = true; /* what was not measured was not asked for */
	judged(&f, 1);
	assert_int_equal(f.result.n, 2);
	assert_int_equal(evaluation_exit(&f.result), 0);
	f.study.evaluation.tolerance = told(0.4, UNIT_PERCENT, "0.4 %");
	r = judged(&f, 1);
	assert_verdict(r, VERDICT_FAIL);
	assert_says(r, "12 of 12 values deviate by more than 0.4 % from their mean of");
	close_study(&f);
}

/* ---- statistics ---- */

static void limits_of_interfaces(void **state)
{
	struct fixture f;
	(void)state;
	open_study(&f);
	add_jobs(&f, "S");
	add_statistics(&f, "h", "eth0", 5e8, BEGIN, 3 * JOBS);
	add_statistics(&f, "h", "eth1", 9e8, BEGIN, 3 * JOBS);
	add_statistics(&f, "h", "lo", 9e9, BEGIN, 3 * JOBS);
	add_statistics(&f, "h", "idle", 0, BEGIN, 3 * JOBS);
	limit_receive(&f, "", 6e8);
	limit_receive(&f, "eth1", 1e9);
	limit_receive(&f, "ens*", 1e9);
	judged(&f, 3);
	assert_int_equal(f.result.n, 4);
	assert_string_equal(f.result.rows[1].name, "Most received, eth0");
	assert_verdict(&f.result.rows[1], VERDICT_PASS);
	assert_string_equal(f.result.rows[2].name, "Most received, eth1");
	assert_verdict(&f.result.rows[2], VERDICT_PASS); /* by its own limit, not by that for all */
	assert_verdict(&f.result.rows[3], VERDICT_NO_DATA);
	close_study(&f);
}

static void only_the_server(void **state)
{
	struct fixture f;
	struct study_input input = { .glob = SLICE("*") };
	(void)state;
	open_study(&f);
	add_statistics(&f, "nfs1", "eth0", 5e8, BEGIN, SAMPLES);
	add_statistics(&f, "client1", "eth0", 9e8, BEGIN, SAMPLES);
	limit_receive(&f, "", 6e8);
	assert_verdict(judged(&f, 1), VERDICT_FAIL);
	assert_says(&f.result.rows[1], "on client1 (of 2 hosts)");
	f.subjects[0] = (struct study_subject){ .name = SLICE("S"), .server = SLICE("nfs*"), .inputs = &input, .n_inputs = 1 };
	f.study.n_subjects = 1;
	assert_verdict(judged(&f, 1), VERDICT_PASS);
	close_study(&f);
}

static void samples_must_cover_the_jobs(void **state)
{
	struct fixture f;
	(void)state;
	open_study(&f);
	add_jobs(&f, "S");
	add_statistics(&f, "h", "eth0", 5e8, BEGIN, 3 * 5);
	limit_receive(&f, "", 6e8);
	/* The last sample is at 14 · 1200 s, the last job at 11 · 3600 s. */
	assert_verdict(judged(&f, 1), VERDICT_INCONCLUSIVE);
	assert_says(&f.result.rows[1], "6 h 20 min 0 s");
	/* The rest, in another file; one sample is lost between them. */
	add_statistics(&f, "h", "eth0", 5e8, BEGIN + 1200 * 16, 3 * 7);
	assert_verdict(judged(&f, 1), VERDICT_PASS);
	close_study(&f);
}

static void counter_faults(void **state)
{
	struct fixture f;
	struct study_interface line = { .line_rate = told(1e9, UNIT_B_PER_S, "8 Gb/s") };
	(void)state;
	open_study(&f);
	add_jobs(&f, "S");
	/* The same samples as sadf and as sar print them. */
	add_faults(&f, add_statistics(&f, "h", "eth0", 5e8, BEGIN, 3 * JOBS), "eth0", 2);
	add_faults(&f, add_statistics(&f, "h", "eth0", 5e8, BEGIN + 1200, 3 * JOBS - 1), "eth0", 2);
	f.subjects[0] = (struct study_subject){ .name = SLICE("S"), .interfaces = &line, .n_interfaces = 1 };
	f.study.n_subjects = 1;
	limit_receive(&f, "", 6e8);
	assert_verdict(judged(&f, 1), VERDICT_INCONCLUSIVE);
	assert_says(&f.result.rows[1], "50 % of the line rate of 8 Gb/s; 2 samples above the line rate are left out");
	f.limits[0].limit.value = 1e9; /* it can't have been more than the line rate */
	assert_verdict(judged(&f, 1), VERDICT_PASS);
	f.limits[0].limit.value = 4e8;
	assert_verdict(judged(&f, 1), VERDICT_FAIL);
	close_study(&f);
}

static void each_subject(void **state)
{
	struct fixture f;
	(void)state;
	open_study(&f);
	add_jobs(&f, "S");
	add_jobs(&f, "T");
	judged(&f, 1);
	assert_int_equal(f.result.subjects, 2);
	assert_string_equal(f.result.rows[1].subject.p, "T");
	assert_verdict(&f.result.rows[1], VERDICT_PASS);
	close_study(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_jobs_no_verdict), cmocka_unit_test(halts_by_usual_interval),
		cmocka_unit_test(irregular_jobs_need_a_gap), cmocka_unit_test(planned_jobs), cmocka_unit_test(deviations),
		cmocka_unit_test(limits_of_interfaces), cmocka_unit_test(only_the_server),
		cmocka_unit_test(samples_must_cover_the_jobs), cmocka_unit_test(counter_faults), cmocka_unit_test(each_subject),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
