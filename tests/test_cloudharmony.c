#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "ingest/collect.h"
#include "ingest/suite.h"
#include "ingest/suite_cloudharmony.h"
#include "parsers/csv_rows.h"
#include "parsers/php_serialize.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

extern const struct parser parser_cloudharmony_csv, parser_cloudharmony_fio_csv, parser_cloudharmony_json,
	parser_cloudharmony_options;

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void assert_slice(struct slice s, const char *text)
{
	if (!slice_is(s, text))
		fail_msg("'%.*s' is not '%s'", SLICE_ARG(s), text);
}

/* PHP's serialize() */

static struct slice walk(const char *text, char *out, size_t size, struct php *p)
{
	struct slice key, value;
	size_t n = 0;
	*p = php_of(slice_of(text));
	unsigned open = php_enter(p);
	while (open > 0) {
		if (!php_member(p, &key)) {
			open--;
			continue;
		}
		n += (size_t)snprintf(out + n, size - n, "%.*s", SLICE_ARG(key));
		if (php_type(p) == PHP_ARRAY && php_enter(p)) {
			open++;
			n += (size_t)snprintf(out + n, size - n, ">");
		} else if (php_scalar(p, &value)) {
			n += (size_t)snprintf(out + n, size - n, "=%.*s ", SLICE_ARG(value));
		} else {
			n += (size_t)snprintf(out + n, size - n, "! ");
		}
	}
	return (struct slice){ out, n };
}

static void php_reads_every_type(void **state)
{
	(void)state;
	static const struct { const char *text, *found; int flaw; } all[] = {
		{ "a:3:{s:1:\"a\";i:-5;i:7;d:1.0E+25;s:1:\"c\";s:0:\"\";}", "a=-5 7=1.0E+25 c= ", -1 },
		{ "a:2:{s:1:\"n\";N;s:1:\"b\";b:1;}", "n= b=1 ", -1 },
		{ "a:1:{s:1:\"l\";a:2:{i:0;s:1:\"x\";i:1;s:1:\"y\";}}", "l>0=x 1=y ", -1 },
		/* Byte lengths, so that quotes and ends inside a string end nothing. */
		{ "a:1:{s:1:\"q\";s:6:\"a\";}\";\";}", "q=a\";}\"; ", -1 },
		{ "a:2:{s:1:\"u\";s:3:\"\xe2\x80\x93\";s:1:\"v\";i:1;}", "u=\xe2\x80\x93 v=1 ", -1 },
		/* Objects, references, enums and classes with a serializer of their own are skipped whole. */
		{ "a:5:{i:0;O:1:\"A\":1:{s:1:\"x\";a:1:{i:0;i:1;}}i:1;R:2;i:2;C:1:\"C\":2:{};}i:3;E:3:\"S:H\";i:4;i:9;}",
			"0! 1! 2! 3! 4=9 ", -1 },
		{ "a:1:{s:2:\"abc\";i:1;}", "abc=1 ", PHP_BAD_LENGTH },
		{ "a:1:{s:1:\"a\";s:99999999999:\"short\";}", "a=short ", PHP_BAD_LENGTH },
		{ "a:1:{s:1:\"a\";s:18446744073709551615:\"x\";}", "a=x ", PHP_BAD_LENGTH },
		{ "a:9:{s:1:\"a\";i:1;}", "a=1 ", PHP_BAD_COUNT },
		{ "a:1:{s:1:\"a\";i:1;s:1:\"b\";i:2;}", "a=1 b=2 ", PHP_BAD_COUNT },
		{ "a:1:{s:1:\"a\";?}", "a! ", PHP_DAMAGED },
		/* A number that the data end in is not given, nor is a string. */
		{ "a:2:{s:1:\"a\";i:1;s:1:\"b\";d:999.8", "a=1 b! ", PHP_TRUNCATED },
		{ "a:2:{s:1:\"a\";i:1;s:1:\"b\";s:9:\"99", "a=1 b! ", PHP_TRUNCATED },
	};
	for (size_t i = 0; i < COUNT(all); i++) {
		char out[200];
		struct php p;
		assert_slice(walk(all[i].text, out, sizeof out, &p), all[i].found);
		for (int f = 0; f < PHP_FLAWS; f++)
			if ((p.flaw_count[f] > 0) != (f == all[i].flaw))
				fail_msg("%s: flaw %d", all[i].text, f);
	}
}

static void php_depth_is_limited(void **state)
{
	(void)state;
	enum { DEEP = 100000 };
	struct buf b = BUF_EMPTY;
	struct slice key, text;
	for (int i = 0; i < DEEP; i++)
		buf_str(&b, "a:1:{i:0;");
	struct php p = php_of(buf_view(&b));
	for (unsigned i = 0; i < PHP_DEPTH; i++) {
		assert_true(php_enter(&p));
		assert_true(php_member(&p, &key));
	}
	assert_false(php_enter(&p));
	assert_int_equal(p.flaw_count[PHP_TOO_DEEP], 1);
	assert_int_equal(p.flaw_count[PHP_TRUNCATED], 1);
	assert_false(php_member(&p, &key));
	assert_false(php_scalar(&p, &text));
	buf_free(&b);
}

/* CSV */

struct seen {
	struct buf out;
	const char *start;
};

static bool note_row(void *ctx, const struct csv_row *row)
{
	struct seen *s = ctx;
	for (size_t i = 0; i < row->n; i++)
		buf_printf(&s->out, "[%.*s]%td ", SLICE_ARG(row->cells[i].text), row->cells[i].at - s->start);
	buf_str(&s->out, row->ended ? "|" : "~");
	return true;
}

static void csv_cells_keep_their_place(void **state)
{
	(void)state;
	static const struct { const char *text, *rows; } all[] = {
		{ "a,b\n1,,\"3\"\n", "[a]0 [b]2 |[1]4 []6 [3]8 |" },
		{ "a\r\n\r\n\"x, \\\"y\\\", z\",2\r\n", "[a]0 |[x, \"y\", z]5 [2]19 |" },
		{ "\"say \"\"no\"\"\",1\n", "[say \"no\"]0 [1]13 |" },
		{ "a\\b,\\\"c\n", "[a\\b]0 [\\\"c]4 |" },
		{ "1,2", "[1]0 [2]2 ~" },
		{ "\"open, 1\n2", "[open, 1\n2]1 ~" },
		{ "", "" },
	};
	for (size_t i = 0; i < COUNT(all); i++) {
		struct arena a = ARENA_EMPTY;
		struct seen s = { BUF_EMPTY, all[i].text };
		assert_true(csv_rows(slice_of(all[i].text), &a, note_row, &s));
		assert_slice(buf_view(&s.out), all[i].rows);
		buf_free(&s.out);
		arena_free(&a);
	}
}

static void csv_rows_have_a_limit(void **state)
{
	(void)state;
	struct arena a = ARENA_EMPTY;
	char text[CSV_ROW_CELLS + 2];
	memset(text, ',', sizeof text);
	struct seen s = { BUF_EMPTY, text };
	assert_false(csv_rows((struct slice){ text, sizeof text }, &a, note_row, &s));
	buf_free(&s.out);
	arena_free(&a);
}

/* Names */

static void keys_name_cells(void **state)
{
	(void)state;
	struct cloudharmony_key k;
	assert_true(cloudharmony_key_parse(SLICE("iops_512b_65_35"), &k));
	assert_string_equal(k.test, "iops");
	assert_string_equal(k.bs, "512");
	assert_string_equal(k.mix, "65/35");
	assert_true(cloudharmony_key_parse(SLICE("latency_1m_0_100_max"), &k));
	assert_string_equal(k.bs, "1048576");
	assert_string_equal(k.stat, "max");
	assert_true(k.metric == METRIC_LATENCY && k.factor == 1e-3);
	assert_true(cloudharmony_key_parse(SLICE("throughput_1024k_100_0"), &k));
	assert_true(k.metric == METRIC_BANDWIDTH && k.factor == 1048576);
	assert_true(cloudharmony_key_parse(SLICE("hir_ait_50s_iops"), &k));
	assert_string_equal(k.wait, "50");
	static const char *const none[] = { "iops_4k_0", "iops_4k_0_101", "iops_4_0_100", "iops_4k_0_100_1", "latency_4k_0_100",
		"iops", "", "hir_", "hir_s_iops", "hir_wait_s_iops", "wsat_iops_4k_0_100", "xiops_4k_0_100", "iops_0k_0_100" };
	for (size_t i = 0; i < COUNT(none); i++)
		if (cloudharmony_key_parse(slice_of(none[i]), &k))
			fail_msg("%s is taken for a figure", none[i]);
}

static void job_names_of_all_years(void **state)
{
	(void)state;
	struct ch_name n;
	assert_true(ch_name_parse(SLICE("x12-65_35-4k-rand-1-ssmw"), &n));
	assert_true(n.round == 12 && n.read == 65 && n.ssmw && !n.sequential && n.n_numbers == 1 && n.size == 4096);
	assert_string_equal(n.mix, "65/35");
	assert_true(ch_name_parse(SLICE("x1-0_100-128k-seq"), &n));
	assert_true(n.sequential && !n.ssmw && n.n_numbers == 0);
	assert_true(ch_name_parse(SLICE("x5-0_100-4k-rand-155-1-ssmw"), &n));
	assert_true(n.n_numbers == 2 && n.numbers[0] == 155);
	assert_true(ch_name_parse(SLICE("x2-0_100-4k-rand-n30-1"), &n));
	assert_true(n.hir && n.numbers[0] == 30);
	static const char *const none[] = { "wipc-1-1", "x1-baseline-0_100-4k-rand-5", "x-0_100-4k-rand", "x1-0_100-4k", "x1-0-4k-rand",
		"x1-0_100-4k-rand-1-ssmw-2", "x1-0_100-4k-rand-1-2-3", "x1-0_100-4k-zone", "y1-0_100-4k-rand", "", "x" };
	for (size_t i = 0; i < COUNT(none); i++)
		if (ch_name_parse(slice_of(none[i]), &n))
			fail_msg("%s is taken for a round's job", none[i]);
}

/* The suite */

struct bench {
	struct arena arena, scratch;
	struct dataset d;
};

static void bench_start(struct bench *b)
{
	*b = (struct bench){ ARENA_EMPTY, ARENA_EMPTY, { 0 } };
	dataset_init(&b->d, &b->arena);
}

static struct run *bench_read(struct bench *b, const struct parser *parser, const char *name, const char *text)
{
	struct source *s = ARENA_NEW(&b->arena, struct source);
	*s = source_of(name, slice_of(text));
	struct collect c = { .dataset = &b->d, .source = s };
	struct parse p = { .source = s, .arena = &b->scratch, .sink = &collect_sink, .ctx = &c };
	assert_true(parser->parse(&p) <= STATUS_WARN);
	s->data = SLICE_NONE;
	c.run->damaged = c.errors > 0;
	return c.run;
}

/* A run of fio with a job x<round>-`name` for each value of `y`, IOPS. */
static struct run *bench_fio(struct bench *b, const char *file, const char *name, const char *op, const double *y, size_t n,
	const char *targets)
{
	struct source *s = ARENA_NEW(&b->arena, struct source);
	*s = source_of(file, SLICE_NONE);
	struct run *r = dataset_add_run(&b->d, s, SLICE("fio"));
	for (size_t i = 0; i < n; i++) {
		struct param options[6] = {
			{ .key = SLICE("fio_command"), .value = SLICE("fio") },
			{ .key = SLICE("iodepth"), .value = SLICE("64") },
			{ .key = SLICE("size"), .value = SLICE("67108864") },
		};
		size_t k = 3;
		struct slice rest = slice_of(targets), part;
		while (slice_cut(&rest, ' ', &part))
			options[k++] = (struct param){ .key = SLICE("target"), .value = part };
		struct job job = { .name = slice_of(arena_printf(&b->scratch, "x%zu-%s", i + 1, name)), .options = { options, k },
			.pos = { s, 0, (uint32_t)i + 1, 1 } };
		const struct job *kept = run_add_job(&b->arena, r, &job);
		struct param param = { .key = SLICE("op"), .value = slice_of(op) };
		struct result iops = { .metric = METRIC_IOPS, .stat = SLICE("value"), .job = kept, .params = { &param, 1 }, .n = 100,
			.time = NAN, .q = { .value = y[i], .unit = UNIT_PER_S, .pos = job.pos } };
		run_add_result(&b->arena, r, &iops);
	}
	return r;
}

static struct run *bench_assemble(struct bench *b)
{
	static struct source directory;
	directory = source_of("run/3", SLICE_NONE);
	size_t n = b->d.n_runs;
	struct run **members = ARENA_ARRAY(&b->arena, n, struct run *);
	memcpy(members, b->d.runs, n * sizeof *members);
	suite_cloudharmony.assemble(&b->d, members, n, &directory);
	return b->d.n_runs > n ? b->d.runs[n] : NULL;
}

static bool said(const struct bench *b, const char *part)
{
	for (const struct diag *d = b->d.diags.first; d; d = d->next)
		if (strstr(d->message, part))
			return true;
	return false;
}

static void bench_end(struct bench *b)
{
	arena_free(&b->scratch);
	arena_free(&b->arena);
}

static const double flat[] = { 100, 101, 99, 100, 100.5, 99.5 };
static const double rising[] = { 100, 110, 120, 130, 140 };

static void a_directory_of_fio_alone(void **state)
{
	(void)state;
	struct bench b;
	bench_start(&b);
	bench_fio(&b, "run/3/fio-iops.json", "0_100-4k-rand-1-ssmw", "write", flat, 6, "/dev/a");
	struct run *suite = bench_assemble(&b);
	assert_non_null(suite);
	assert_slice(suite->set, "3");
	assert_int_equal(suite->n_members, 1);
	assert_ptr_equal(b.d.runs[0]->suite, suite);
	assert_int_equal(suite->n_series, 1);
	assert_int_equal(suite->series[0].n, 6);
	assert_true(suite->series[0].claimed == CLAIM_NONE);
	assert_ptr_equal(suite->series[0].points[5].job, b.d.runs[0]->jobs[5]);
	assert_int_equal(suite->series[0].points[5].pos.line, 6);
	/* The last five of six. */
	const struct result *mean = run_find(suite, NULL, METRIC_IOPS, "steady_mean", "write");
	assert_non_null(mean);
	assert_true(fabs(mean->q.value - 100) < 1e-9);
	assert_slice(params_find(mean->params, "steady")->value, "yes");
	assert_int_equal(mean->n, 5);
	assert_int_equal(b.d.diags.count[DIAG_WARNING], 0);
	bench_end(&b);
}

static void no_suite_without_its_jobs(void **state)
{
	(void)state;
	struct bench b;
	bench_start(&b);
	bench_fio(&b, "run/3/fio.json", "randwrite", "write", flat, 6, "/dev/a");
	assert_null(bench_assemble(&b));
	bench_end(&b);
}

static void marks_are_not_believed(void **state)
{
	(void)state;
	struct bench b;
	bench_start(&b);
	bench_fio(&b, "run/3/fio-iops.json", "0_100-4k-rand-1-ssmw", "write", rising, 5, "/dev/a");
	struct run *suite = bench_assemble(&b);
	assert_slice(params_find(suite->results[0].params, "steady")->value, "no");
	assert_true(said(&b, "marked -ssmw, steady state, but are not"));
	bench_end(&b);
}

static void too_few_or_missing_rounds(void **state)
{
	(void)state;
	struct bench b;
	bench_start(&b);
	bench_fio(&b, "run/3/fio-iops.json", "0_100-4k-rand-1", "write", flat, 4, "/dev/a");
	struct run *suite = bench_assemble(&b);
	assert_int_equal(suite->n_series, 1);
	assert_int_equal(suite->n_results, 0);
	assert_true(said(&b, "has 4 rounds, steady state takes 5"));
	bench_end(&b);

	/* A cut file: the rounds that are there need not be the last, unless the suite marked them. */
	bench_start(&b);
	bench_fio(&b, "run/3/fio-iops.json", "0_100-4k-rand-1", "write", flat, 6, "/dev/a")->damaged = true;
	suite = bench_assemble(&b);
	assert_true(suite->damaged);
	assert_int_equal(suite->n_results, 0);
	assert_true(said(&b, "the file is cut"));
	bench_end(&b);
	bench_start(&b);
	bench_fio(&b, "run/3/fio-iops.json", "0_100-4k-rand-1-ssmw", "write", flat, 5, "/dev/a")->damaged = true;
	assert_int_equal(bench_assemble(&b)->n_results, 4);
	bench_end(&b);
}

static void a_round_counts_once(void **state)
{
	(void)state;
	struct bench b;
	bench_start(&b);
	bench_fio(&b, "run/3/fio-iops.json", "0_100-4k-rand-1", "write", flat, 5, "/dev/a");
	bench_fio(&b, "run/3/fio-iops-copy.json", "0_100-4k-rand-1", "write", rising, 5, "/dev/a");
	assert_int_equal(bench_assemble(&b)->series[0].n, 5);
	assert_true(said(&b, "is there more than once"));
	bench_end(&b);
}

static const char options_head[] = "a:99:{s:6:\"target\";a:3:{i:0;s:12:\"/dev/nvme0n1\";i:1;s:12:\"/dev/nvme1n1\";"
	"i:2;s:12:\"/dev/nvme3n1\";}"
	"s:4:\"test\";a:1:{i:0;s:4:\"iops\";}s:12:\"active_range\";i:100;s:11:\"fio_options\";a:1:{s:4:\"size\";s:3:\"64m\";}"
	"s:16:\"meta_instance_id\";s:4:\"BM.X\";s:14:\"oio_per_thread\";i:32;";

static void options_against_jobs(void **state)
{
	(void)state;
	struct bench b;
	bench_start(&b);
	bench_read(&b, &parser_cloudharmony_options, "run/3/.options", arena_printf(&b.arena, "%s}", options_head));
	bench_fio(&b, "run/3/fio-iops.json", "0_100-4k-rand-1-ssmw", "write", flat, 5, "/dev/nvme0n1 /dev/nvme1n1");
	struct run *suite = bench_assemble(&b);
	assert_slice(suite->subject, "BM.X");
	assert_slice(b.d.runs[1]->subject, "BM.X");
	assert_true(suite->series[0].claimed == CLAIM_NOT_STEADY);
	assert_true(said(&b, "target /dev/nvme3n1 has no part in job x1-0_100-4k-rand-1-ssmw"));
	assert_true(said(&b, "numbered 0 to 3: 1 in between"));
	assert_true(said(&b, "5 jobs, first x1-0_100-4k-rand-1-ssmw, ran with iodepth=64, though run/3/.options:1 says "
		"oio_per_thread=32"));
	assert_true(said(&b, "but fio was limited to size=64m"));
	assert_true(said(&b, "did not reach it"));
	/* 64m is 67108864. */
	assert_false(said(&b, "ran with size"));
	bench_end(&b);
}

static void tests_that_left_no_jobs(void **state)
{
	static const char *const asked[] = { "iops", "latency", "xsr" };
	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct bench b;
		bench_start(&b);
		bench_read(&b, &parser_cloudharmony_options, "run/3/.options", arena_printf(&b.arena, "a:3:{s:4:\"test\";a:1:{i:0;"
			"s:%zu:\"%s\";}s:6:\"target\";a:1:{i:0;s:6:\"/dev/a\";}s:12:\"active_range\";i:90;}", strlen(asked[i]), asked[i]));
		bench_fio(&b, "run/3/fio-iops.json", "0_100-4k-rand-1-ssmw", "write", flat, 5, "/dev/a");
		bench_assemble(&b);
		assert_true(said(&b, "none of its jobs is here") == (i > 0));
		assert_true(said(&b, "the suite only has its name") == (i == 2));
		bench_end(&b);
	}
}

static void a_subject_that_was_given_stays(void **state)
{
	(void)state;
	struct bench b;
	bench_start(&b);
	bench_read(&b, &parser_cloudharmony_options, "run/3/.options", arena_printf(&b.arena, "%s}", options_head))->subject =
		SLICE("given");
	assert_slice(bench_assemble(&b)->subject, "given");
	bench_end(&b);
}

static void claims_are_recomputed(void **state)
{
	(void)state;
	struct bench b;
	bench_start(&b);
	bench_read(&b, &parser_cloudharmony_options, "run/3/.options",
		arena_printf(&b.arena, "%ss:10:\"ss_average\";d:120;s:8:\"ss_slope\";d:10;}", options_head));
	bench_read(&b, &parser_cloudharmony_json, "run/3/iops.json", "{\"iops_4k_0_100\":121,\"iops_8k_0_100\":5}");
	bench_fio(&b, "run/3/fio-iops.json", "0_100-4k-rand-1-ssmw", "write", rising, 5,
		"/dev/nvme0n1 /dev/nvme1n1 /dev/nvme3n1");
	struct run *suite = bench_assemble(&b);
	assert_true(suite->series[0].claimed == CLAIM_STEADY);
	assert_slice(suite->series[0].claim_text, "120");
	assert_true(said(&b, "steady by the suite's account, but not by SNIA PTS"));
	assert_true(said(&b, "121 is printed for iops 4k 0/100, but the mean of its last 5 rounds is 120"));
	assert_true(said(&b, "121 is printed as the result of iops 4k 0/100 though steady state was not reached"));
	assert_true(said(&b, "no fio job behind 1 of the figures"));
	assert_false(said(&b, "is not the mean of the last"));
	bench_end(&b);
}

/* What save.sh says of a machine is of the one that it ran on. */
static void the_machine_of_save_is_not_the_subject(void **state)
{
	(void)state;
	struct bench b;
	bench_start(&b);
	struct run *r = bench_read(&b, &parser_cloudharmony_csv, "iops.csv", "iteration,meta_hostname,meta_memory_gb,"
		"meta_os_info,meta_cpu_cores,meta_instance_id,iops_4k_0_100\n1,laptop,16,Debian,4,BM.A,5000\n");
	assert_slice(r->subject, "BM.A");
	assert_null(params_find(r->attrs, "hostname"));
	assert_null(params_find(r->attrs, "memory_gb"));
	assert_slice(params_find(r->attrs, "save_machine.memory_gb")->value, "16");
	assert_slice(params_find(r->attrs, "save_machine.os_info")->value, "Debian");
	bench_end(&b);
}

static void kept_figures_find_their_cell(void **state)
{
	(void)state;
	struct bench b;
	bench_start(&b);
	const char *two = "a:5:{s:6:\"target\";a:0:{}s:4:\"test\";a:2:{i:0;s:4:\"iops\";i:1;s:4:\"wsat\";}s:12:\"active_range\";i:90;"
		"s:10:\"ss_average\";d:100;s:8:\"ss_slope\";d:0.5;}";
	struct run *options = bench_read(&b, &parser_cloudharmony_options, "run/3/.options", two);
	assert_int_equal(options->n_results, 0);
	bench_fio(&b, "run/3/fio-iops.json", "0_100-4k-rand-1-ssmw", "write", flat, 6, "/dev/a");
	bench_fio(&b, "run/3/fio-wsat.json", "0_100-4k-rand-31-1-ssmw", "write", rising, 5, "/dev/a");
	struct run *suite = bench_assemble(&b);
	assert_int_equal(options->n_results, 2);
	assert_slice(options->results[0].test, "iops");
	assert_true(suite->series[0].claimed == CLAIM_STEADY && suite->series[1].claimed == CLAIM_NONE);
	assert_true(said(&b, "are of iops 4k 0/100; those of wsat 4k 0/100 were overwritten"));
	bench_end(&b);
}

static void ten_targets_are_all_a_pattern_finds(void **state)
{
	(void)state;
	struct bench b;
	struct buf text = BUF_EMPTY;
	bench_start(&b);
	buf_str(&text, "a:2:{s:12:\"active_range\";i:90;s:6:\"target\";a:10:{");
	for (int i = 0; i < 10; i++)
		buf_printf(&text, "i:%d;s:12:\"/dev/nvme%dn1\";", i, i);
	buf_str(&text, "}}");
	bench_read(&b, &parser_cloudharmony_options, "run/3/.options", text.p);
	bench_assemble(&b);
	assert_true(said(&b, "all that the pattern [0-9] finds"));
	buf_free(&text);
	bench_end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(php_reads_every_type),
		cmocka_unit_test(php_depth_is_limited),
		cmocka_unit_test(csv_cells_keep_their_place),
		cmocka_unit_test(csv_rows_have_a_limit),
		cmocka_unit_test(keys_name_cells),
		cmocka_unit_test(job_names_of_all_years),
		cmocka_unit_test(a_directory_of_fio_alone),
		cmocka_unit_test(no_suite_without_its_jobs),
		cmocka_unit_test(marks_are_not_believed),
		cmocka_unit_test(too_few_or_missing_rounds),
		cmocka_unit_test(a_round_counts_once),
		cmocka_unit_test(options_against_jobs),
		cmocka_unit_test(tests_that_left_no_jobs),
		cmocka_unit_test(a_subject_that_was_given_stays),
		cmocka_unit_test(claims_are_recomputed),
		cmocka_unit_test(the_machine_of_save_is_not_the_subject),
		cmocka_unit_test(kept_figures_find_their_cell),
		cmocka_unit_test(ten_targets_are_all_a_pattern_finds),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
