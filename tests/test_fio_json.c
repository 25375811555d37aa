#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/buf.h"
#include "ingest/collect.h"
#include "parsers/fio.h"

#include <math.h>
#include <stdlib.h>

extern const struct parser parser_fio_json, parser_fio_text;

#define COUNT(array) (sizeof(array) / sizeof *(array))

struct reading {
	struct arena arena, scratch;
	struct dataset dataset;
	struct source source;
	struct collect collect;
	enum status status;
};

static void reading_by(struct reading *r, const struct parser *parser, struct slice data)
{
	*r = (struct reading){ .source = source_of("test.json", data) };
	dataset_init(&r->dataset, &r->arena);
	r->collect = (struct collect){ .dataset = &r->dataset, .source = &r->source };
	struct parse p = { .source = &r->source, .arena = &r->scratch, .sink = &collect_sink, .ctx = &r->collect };
	r->status = parser_run(parser, &p);
}

static void reading_of(struct reading *r, struct slice data)
{
	reading_by(r, &parser_fio_json, data);
}

static void reading_free(struct reading *r)
{
	arena_free(&r->arena);
	arena_free(&r->scratch);
}

static const struct job *only_job(const struct reading *r)
{
	assert_int_equal(r->dataset.n_runs, 1);
	assert_int_equal(r->dataset.runs[0]->n_jobs, 1);
	return r->dataset.runs[0]->jobs[0];
}

static void assert_param(struct params p, const char *key, const char *value)
{
	const struct param *found = params_find(p, key);
	if (!value) {
		assert_null(found);
		return;
	}
	if (!found || !slice_is(found->value, value))
		fail_msg("%s is '%.*s', not '%s'", key, SLICE_ARG(found ? found->value : SLICE("absent")), value);
}

#define FIGURES "\"read\":{\"io_bytes\":0,\"runtime\":0},\"write\":{\"io_bytes\":8192000,\"io_kbytes\":8000," \
	"\"bw_bytes\":4096000,\"bw\":4000,\"iops\":1000.000000,\"runtime\":2000,\"total_ios\":2000,\"short_ios\":3," \
	"\"drop_ios\":0,\"clat_ns\":{\"min\":1000,\"max\":9000,\"mean\":2000.500000,\"stddev\":10.0,\"N\":2000," \
	"\"percentile\":{\"50.000000\":2008,\"99.900000\":9024}}}"

/* Every result of a document cut at any byte is a result of the whole one: no number is shortened, none is made up. */
static void no_cut_invents_a_figure(void **state)
{
	static const char text[] = "noise\n{\"fio version\":\"fio-3.33\",\"timestamp\":1796038020,\n\"jobs\":["
		"{\"jobname\":\"one\",\"error\":0,\"elapsed\":3," FIGURES ",\n\"usr_cpu\":1.5,\"sys_cpu\":2.25},\n"
		"{\"jobname\":\"two\",\"error\":28,\"elapsed\":3," FIGURES ",\n\"usr_cpu\":3.5,\"sys_cpu\":4.25,"
		"\"steadystate\":{\"ss\":\"iops:5%\",\"duration\":3,\"attained\":1,\"data\":{\"bw_mean\":4096000,"
		"\"iops_mean\":1000,\"iops\":[990,1000,1010],\"bw\":[1,2,3]}}}],\n"
		"\"disk_util\":[{\"name\":\"vda\",\"util\":12.345}]}";
	struct reading whole, part;
	(void)state;
	reading_of(&whole, (struct slice){ text, sizeof text - 1 });
	assert_int_equal(whole.status, STATUS_OK);
	const struct run *all = whole.dataset.runs[0];
	assert_int_equal(all->n_results, 28);
	for (size_t cut = 0; cut < sizeof text - 1; cut++) {
		reading_of(&part, (struct slice){ text, cut });
		for (size_t i = 0; part.dataset.n_runs && i < part.dataset.runs[0]->n_results; i++) {
			const struct result *r = &part.dataset.runs[0]->results[i];
			bool known = false;
			for (size_t k = 0; k < all->n_results && !known; k++)
				known = all->results[k].q.pos.offset == r->q.pos.offset && slice_eq(all->results[k].q.text, r->q.text);
			if (!known)
				fail_msg("cut at %zu: '%.*s' is no figure of the whole", cut, SLICE_ARG(r->q.text));
		}
		if (part.status != STATUS_REJECT)
			assert_true(part.collect.errors > 0);
		reading_free(&part);
	}
	reading_free(&whole);
}

static void options_of_a_job_override_global_ones(void **state)
{
	static const char text[] = "{\"fio version\":\"fio-3.33\",\n"
		"\"global options\":{\"bs\":\"64k\",\"direct\":\"1\",\"size\":\"10g\",\"runtime\":\"2m\",\"directory\":\"/data\"},\n"
		"\"jobs\":[{\"jobname\":\"j\",\n\"job options\":{\"bs\":\"4k\",\"readwrite\":\"randwrite\",\"time_based\":\"\","
		"\"filename\":\"a:b\\\\:c\"},\n" FIGURES ",\"job_runtime\":2001}]}";
	struct reading r;
	(void)state;
	reading_of(&r, (struct slice){ text, sizeof text - 1 });
	const struct job *job = only_job(&r);
	assert_param(job->params, "bs", "4096");
	assert_param(job->params, "rw", "randwrite");
	assert_param(job->params, "direct", "1");
	assert_param(job->params, "iodepth", NULL);
	assert_param(job->options, "size", "10737418240");
	assert_param(job->options, "runtime", "120");
	assert_param(job->options, "time_based", "1");
	assert_param(job->options, "job_runtime", "2.001");
	assert_param(job->options, "short_ios", "3");
	assert_param(job->options, "drop_ios", NULL);
	assert_param(job->options, "target", "/data/a");
	assert_int_equal(params_find(job->options, "direct")->pos.line, 2);
	assert_int_equal(params_find(job->options, "bs")->pos.line, 4);
	assert_true(slice_is(params_find(job->options, "bs")->text, "4k"));
	size_t targets = 0;
	for (size_t i = 0; i < job->options.n; i++)
		if (slice_is(job->options.v[i].key, "target") && targets++ == 1)
			assert_true(slice_is(job->options.v[i].value, "/data/b:c"));
	assert_int_equal(targets, 2);
	reading_free(&r);
}

/* Two clients' global options in one object (3.33): what differs is not known for either. */
/* Options that several jobs share are read once; what differs, and where they stand, is each job's own. */
static void equal_options_have_places_of_their_own(void **state)
{
	static const char same[] = "\"job options\":{\n\"bs\":\"4k\",\n\"rw\":\"randwrite\"}";
	(void)state;
	struct buf b = BUF_EMPTY;
	buf_str(&b, "{\"fio version\":\"fio-3.33\",\n\"global options\":{\"size\":\"10g\",\"bs\":\"64k\"},\n\"jobs\":[");
	for (int i = 0; i < 4; i++)
		buf_printf(&b, "%s{\"jobname\":\"j\",\n%s,\n" FIGURES "}", i ? ",\n" : "",
			i == 2 ? "\"job options\":{\n\"bs\":\"8k\",\n\"rw\":\"randwrite\"}" : same);
	buf_str(&b, "]}");
	struct reading r;
	reading_of(&r, buf_view(&b));
	const struct run *run = r.dataset.runs[0];
	assert_int_equal(run->n_jobs, 4);
	for (size_t i = 0; i < 4; i++) {
		const struct job *job = run->jobs[i];
		const struct param *bs = params_find(job->params, "bs"), *size = params_find(job->options, "size");
		assert_param(job->params, "bs", i == 2 ? "8192" : "4096");
		assert_param(job->options, "rw", "randwrite");
		assert_int_equal(bs->pos.line, 5 + 5 * i);
		assert_int_equal(bs->pos.column, 7);
		assert_true(slice_starts(slice_from(buf_view(&b), bs->pos.offset), i == 2 ? "8k\"" : "4k\""));
		assert_param(job->options, "size", "10737418240");
		assert_int_equal(size->pos.line, 2);
	}
	reading_free(&r);
	buf_free(&b);
}

/* Of an object in which something was wrong, each is told of. */
static void flaws_in_equal_options_are_all_counted(void **state)
{
	static const char text[] = "{\"fio version\":\"fio-3.33\",\n\"jobs\":["
		"{\"jobname\":\"a\",\"job options\":{\"bs\":\"4k\" \"rw\":\"read\"}," FIGURES "},"
		"{\"jobname\":\"b\",\"job options\":{\"bs\":\"4k\" \"rw\":\"read\"}," FIGURES "}]}";
	struct reading r;
	(void)state;
	reading_of(&r, (struct slice){ text, sizeof text - 1 });
	assert_int_equal(r.dataset.diags.count[DIAG_WARNING], 1);
	assert_string_equal(r.dataset.diags.first->message, "comma missing or too many, here first");
	assert_param(r.dataset.runs[0]->jobs[1]->params, "rw", "read");
	reading_free(&r);
}

static void options_of_several_hosts_are_not_mixed(void **state)
{
	static const char text[] = "{\"fio version\":\"fio-3.33\",\"global options\":{\"bs\":\"4k\",\"iodepth\":\"2\","
		"\"bs\":\"4k\",\"iodepth\":\"32\"},\"client_stats\":["
		"{\"jobname\":\"a\"," FIGURES ",\"hostname\":\"h1\",\"port\":8765},"
		"{\"jobname\":\"a\"," FIGURES ",\"hostname\":\"h2\",\"port\":8765},"
		"{\"jobname\":\"All clients\"," FIGURES ",\"hostname\":\"h2\",\"port\":8765}]}";
	struct reading r;
	(void)state;
	reading_of(&r, (struct slice){ text, sizeof text - 1 });
	assert_int_equal(r.dataset.runs[0]->n_jobs, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct job *job = r.dataset.runs[0]->jobs[i];
		assert_param(job->params, "bs", "4096");
		assert_param(job->params, "iodepth", NULL);
		assert_param(job->params, "host", i ? "h2" : "h1");
		assert_param(job->params, "port", "8765");
	}
	assert_int_equal(r.dataset.diags.count[DIAG_NOTE], 2);
	reading_free(&r);
}

/* The sum over hosts gives no rows, but must be theirs. */
static void all_clients_is_held_against_the_hosts(void **state)
{
	static const char *const sums[] = { "300", "301", "310", "100" };
	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct reading r;
		struct buf b = BUF_EMPTY;
		buf_printf(&b, "{\"fio version\":\"fio-3.33\",\"client_stats\":["
			"{\"jobname\":\"a\",\"read\":{\"io_bytes\":409600,\"io_kbytes\":400,\"total_ios\":100},\"hostname\":\"h1\"},"
			"{\"jobname\":\"a\",\"read\":{\"io_bytes\":819200,\"io_kbytes\":800,\"total_ios\":200},\"hostname\":\"h2\"},"
			"{\"jobname\":\"All clients\",\"read\":{\"io_bytes\":1228800,\"io_kbytes\":1200,\"total_ios\":%s}}]}",
			sums[i]);
		reading_of(&r, buf_view(&b));
		assert_int_equal(r.dataset.runs[0]->n_jobs, 2);
		assert_int_equal(r.dataset.diags.count[DIAG_WARNING], i > 1);
		if (i > 1)
			assert_non_null(strstr(r.dataset.diags.first->next->message, "the hosts say 300 together"));
		reading_free(&r);
		buf_free(&b);
	}
}

static struct fio_command command_of(struct arena *a, const char *text, const char *job)
{
	struct fio_command c;
	assert_true(fio_command_read(a, slice_of(text), slice_of(job), POS_NONE, &c));
	return c;
}

static struct params params_in(struct arena *a, const struct fio_command *c)
{
	struct fio_options params = { 0 };
	fio_options_params(a, &c->agreed, &params);
	return (struct params){ params.v, params.n };
}

static void command_lines_are_split_and_merged(void **state)
{
	struct arena a = ARENA_EMPTY;
	struct params p;
	(void)state;
	struct fio_command c = command_of(&a, "sudo fio --name=global --blocksize=4k --direct 1 --norandommap --rw=randrw"
		" --description='a \"b\" --bs=1m' --group_reporting --name=x-1 --filename=/dev/nvme0n1:/dev/nvme1n1"
		" --name=x-2 --filename=\"/dev/nvme2n1\" --iodepth=8 > /tmp/out; rm --bs=9k", "x-1");
	p = params_in(&a, &c);
	assert_int_equal(c.definitions, 2);
	assert_int_equal(c.targets.n, 3);
	assert_true(slice_is(c.targets.v[2].value, "/dev/nvme2n1"));
	assert_param(p, "bs", "4096");
	assert_param(p, "direct", "1");
	assert_param(p, "rw", "randrw");
	assert_param(p, "iodepth", NULL);
	assert_true(slice_is(c.disputed, "iodepth"));
	/* Without a group each job has a definition of its own. */
	c = command_of(&a, "fio --bs=4k --name=x-1 --filename=/a --name=x-2 --bs=8k --filename=/b", "x-2");
	p = params_in(&a, &c);
	assert_int_equal(c.definitions, 1);
	assert_param(p, "bs", "8192");
	assert_true(slice_is(c.targets.v[0].value, "/b"));
	assert_false(fio_command_read(&a, SLICE("fio --bs=4k job.fio"), SLICE("x"), POS_NONE, &c));
	arena_free(&a);
}

static void sizes_and_times_follow_fio(void **state)
{
	static const struct { const char *base, *key, *text, *value; } cases[] = {
		{ "1024", "bs", "4k", "4096" }, { "1024", "bs", "4KB", "4096" }, { "1024", "bs", "4Ki", "4000" },
		{ "1000", "bs", "4k", "4000" }, { "1000", "bs", "4KiB", "4096" }, { "1024", "bs", "512", "512" },
		{ "1024", "bs", "4k,8k", "4k,8k" }, { "1024", "size", "100%", "100%" }, { "1024", "size", "1t", "1099511627776" },
		{ "1024", "runtime", "60", "60" }, { "1024", "runtime", "1h", "3600" }, { "1024", "latency_target", "500", "0.0005" },
		{ "1024", "latency_target", "10ms", "0.01" }, { "1024", "ramp_time", "1:30", "1:30" },
		{ "1024", "numjobs", "08x", "08x" }, { "1024", "rw", "randrw", "randrw" },
	};
	struct arena a = ARENA_EMPTY;
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct fio_options outer = { 0 }, inner = { 0 };
		fio_options_add(&a, &outer, SLICE("kb_base"), slice_of(cases[i].base), POS_NONE);
		fio_options_add(&a, &inner, slice_of(cases[i].key), slice_of(cases[i].text), POS_NONE);
		struct fio_options force = fio_options_merge(&a, &outer, &inner);
		assert_param((struct params){ force.v, force.n }, cases[i].key, cases[i].value);
	}
	arena_free(&a);
}

/* A suite's document: the header is the first run's, each job has its own command, local times are brought to UTC. */
static void jobs_of_a_suite_have_their_own_options(void **state)
{
	static const char text[] = "{\"fio version\":\"fio-3.33\",\"timestamp\":1796038544,\"timestamp_ms\":1796038544428,"
		"\"global options\":{\"bs\":\"128k\",\"rw\":\"write\"},\"jobs\":["
		"{\"jobname\":\"wipc-1-1\",\"job options\":{\"name\":\"wipc-1-2\"}," FIGURES ",\"fio_command\":\"fio --bs=128k "
		"--rw=write --group_reporting --name=wipc-1-1 --filename=\\/dev\\/a --name=wipc-1-2 --filename=\\/dev\\/b\","
		"\"started\":\"2026-11-30 13:35:41\",\"stopped\":\"2026-11-30 13:35:44\"},\n"
		"{\"jobname\":\"x1-0_100-4k-rand-1\",\"job options\":{\"name\":\"x1-0_100-4k-rand-2\"}," FIGURES ","
		"\"fio_command\":\"fio --bs=4k --rw=randwrite --group_reporting --name=x1-0_100-4k-rand-1 --filename=\\/dev\\/a "
		"--name=x1-0_100-4k-rand-2 --filename=\\/dev\\/b\","
		"\"started\":\"2026-11-30 13:35:50\",\"stopped\":\"2026-11-30 13:36:00\"}],"
		"\"disk_util\":[{\"name\":\"vda\",\"util\":50.5}]}";
	struct reading r;
	(void)state;
	reading_of(&r, (struct slice){ text, sizeof text - 1 });
	assert_int_equal(r.status, STATUS_OK);
	const struct run *run = r.dataset.runs[0];
	assert_int_equal(run->n_jobs, 2);
	assert_param(run->jobs[0]->params, "bs", "131072");
	assert_param(run->jobs[1]->params, "bs", "4096");
	assert_param(run->jobs[1]->params, "rw", "randwrite");
	assert_param(run->jobs[1]->options, "target", "/dev/a");
	assert_param(run->jobs[1]->options, "definitions", "2");
	assert_int_equal(params_find(run->jobs[1]->options, "fio_command")->pos.line, 2);
	assert_true(fabs(run->jobs[1]->started - 1796038550) < 1e-6);
	assert_true(fabs(run->jobs[1]->stopped - 1796038560) < 1e-6);
	assert_true(fabs(run->started - 1796038541) < 1e-6);
	const struct result *disk = &run->results[run->n_results - 1];
	assert_int_equal(disk->metric, METRIC_DISK_UTIL);
	assert_ptr_equal(disk->job, run->jobs[0]);
	assert_int_equal(result_test(disk).n, 0);
	reading_free(&r);
}

static void steady_state_comes_as_series(void **state)
{
	static const char text[] = "{\"fio version\":\"fio-3.42\",\"jobs\":[{\"jobname\":\"s\",\"job options\":{"
		"\"steadystate_check_interval\":\"2\"}," FIGURES ",\n\"steadystate\":{\"ss\":\"iops_slope:50.000000%\","
		"\"duration\":6,\"attained\":0,\"criterion\":\"82.9%\",\"data\":{\"bw_mean\":2000,\"iops_mean\":1000,\"iops\":"
		"[990,\n1000,1010],\"bw\":[]}}}]}";
	struct reading r;
	(void)state;
	reading_of(&r, (struct slice){ text, sizeof text - 1 });
	const struct run *run = r.dataset.runs[0];
	assert_int_equal(run->n_series, 1);
	const struct series *s = &run->series[0];
	assert_int_equal(s->kind, SERIES_SAMPLES);
	assert_int_equal(s->metric, METRIC_IOPS);
	assert_int_equal(s->n, 3);
	assert_true(s->interval == 2 && s->points[0].t == 2 && s->points[2].t == 6 && s->points[2].value == 1010);
	assert_int_equal(s->points[1].pos.line, 3);
	assert_int_equal(s->claimed, CLAIM_NOT_STEADY);
	assert_true(slice_is(s->claim_text, "iops_slope:50.000000% attained=0"));
	assert_int_equal(s->claim_pos.line, 2);
	assert_param(only_job(&r)->options, "steadystate.criterion", "82.9%");
	const struct result *mean = run_find(run, run->jobs[0], METRIC_IOPS, "steady_mean", NULL);
	assert_non_null(mean);
	assert_true(mean->q.value == 1000);
	reading_free(&r);
}

static void figures_that_contradict_each_other_are_marked(void **state)
{
	static const char text[] = "{\"fio version\":\"fio-3.33\",\"jobs\":[{\"jobname\":\"s\",\"read\":{\"io_bytes\":8192000,"
		"\"io_kbytes\":8000,\"bw_bytes\":4096000,\"bw\":4000,\"iops\":1011,\"runtime\":2000,\"total_ios\":2000},"
		"\"write\":{\"io_bytes\":8192000,\"io_kbytes\":8000,\"bw_bytes\":5096000,\"bw\":4976,\"iops\":1012,"
		"\"runtime\":2000,\"total_ios\":2000}}]}";
	static const struct { enum metric_id metric; const char *op; bool suspect; } cases[] = {
		{ METRIC_IOPS, "read", false }, { METRIC_BANDWIDTH, "read", false }, { METRIC_IOPS, "write", true },
		{ METRIC_BANDWIDTH, "write", true }, { METRIC_IO, "write", false },
	};
	struct reading r;
	(void)state;
	reading_of(&r, (struct slice){ text, sizeof text - 1 });
	assert_int_equal(r.status, STATUS_WARN);
	assert_int_equal(r.dataset.diags.count[DIAG_WARNING], 2);
	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct result *k = run_find(r.dataset.runs[0], NULL, cases[i].metric, "value", cases[i].op);
		assert_non_null(k);
		assert_int_equal((k->flags & RESULT_SUSPECT) != 0, cases[i].suspect);
	}
	reading_free(&r);
}

/* Histograms before 2.20 are indexed by place: 0 … 1215. They say nothing about printed values. */
static void indexed_bins_are_not_judged(void **state)
{
	struct buf b = BUF_EMPTY;
	struct reading r;
	(void)state;
	buf_str(&b, "{\"fio version\":\"fio-2.15\",\"jobs\":[{\"jobname\":\"s\",\"write\":{\"io_bytes\":8000,\"bw\":4000,"
		"\"iops\":1000,\"runtime\":2000,\"clat\":{\"min\":1,\"max\":9000,\"mean\":50.0,\"percentile\":{\"50.00\":5000},"
		"\"bins\":{\"FIO_IO_U_PLAT_NR\":1216");
	for (int i = 0; i < 1216; i++)
		buf_printf(&b, ",\"%d\":%d", i, i == 600);
	buf_str(&b, "}}}}]}");
	reading_of(&r, buf_view(&b));
	assert_int_equal(r.status, STATUS_OK);
	assert_non_null(run_find(r.dataset.runs[0], NULL, METRIC_COMPLETION_LATENCY, "p50", "write"));
	reading_free(&r);
	buf_free(&b);
}

/* Many jobs under many global options: what is handed on stays bounded. */
static void global_options_are_not_multiplied_without_end(void **state)
{
	struct buf b = BUF_EMPTY;
	struct reading r;
	(void)state;
	buf_str(&b, "{\"fio version\":\"fio-3.33\",\"global options\":{\"description\":\"");
	for (int i = 0; i < 1 << 20; i++)
		buf_char(&b, 'x');
	buf_str(&b, "\"},\"jobs\":[");
	for (int i = 0; i < 1000; i++)
		buf_printf(&b, "%s{\"jobname\":\"j\",\"error\":1}", i ? "," : "");
	buf_str(&b, "]}");
	reading_of(&r, buf_view(&b));
	assert_int_equal(r.dataset.runs[0]->n_jobs, 1000);
	assert_true(r.arena.total < 256u << 20);
	assert_int_equal(r.dataset.diags.count[DIAG_WARNING], 1);
	reading_free(&r);
	buf_free(&b);
}

static void what_is_not_fio_is_refused(void **state)
{
	static const char *const texts[] = { "", "{", "[[[[", "{}", "{\"jobs\":[]}", "{\"jobs\":[{\"jobname\":\"x\"}]}",
		"jobs: fio version", "{\"fio version\" ", "printf(\"\\\"fio version\\\" : %s\");" };
	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++) {
		struct reading r;
		reading_of(&r, slice_of(texts[i]));
		if (r.status != STATUS_REJECT || r.dataset.n_runs)
			fail_msg("'%s' was taken for fio's output", texts[i]);
		reading_free(&r);
	}
	static const struct { const char *head; bool mine; } heads[] = {
		{ "fio: terminating on signal 2\n{\n  \"fio version\" : \"fio-3.33\",", true },
		{ "{\"jobs\":[{\"jobname\":\"a\",\"read\":{\"io_bytes\":1", true },
		{ "json_object_add_value_string(root, \"fio version\", fio_version_string);", false },
		{ "{\"jobs\":[{\"name\":\"compile\"}]}", false },
	};
	for (size_t i = 0; i < COUNT(heads); i++) {
		struct peek peek = { .head = slice_of(heads[i].head) };
		assert_int_equal(parser_fio_json.probe(&peek) > 0, heads[i].mine);
	}
}

/* Places are asked for forward and back; each answer is the one that counting from the start gives. */
/* In lines of some length; `n` bytes, looked at `times` times. */
static void check_positions(size_t length, size_t n, size_t times)
{
	char *text = mem_alloc(n);
	for (size_t i = 0; i < n; i++)
		text[i] = i % length == 0 || (i > 300 && i < 320) ? '\n' : 'x';
	struct source s = source_of("x", (struct slice){ text, n });
	for (size_t i = 0, at = 0; i < times; i++, at = (at * 31 + 17) % (n + 1)) {
		uint32_t line = 1, column = 1;
		for (size_t k = 0; k < at; k++) {
			column = text[k] == '\n' ? 1 : column + 1;
			line += text[k] == '\n';
		}
		struct pos pos = source_pos(&s, at);
		assert_int_equal(pos.line, line);
		assert_int_equal(pos.column, column);
	}
	free(text);
}

static void positions_are_right_in_any_order(void **state)
{
	(void)state;
	check_positions(7, 1000, 4000);
	check_positions(211, 1000, 2000);
	check_positions(1, 40000, 200);
	check_positions(5000, 40000, 200);
}

static void facts_reach_the_job(void **state)
{
	static const char json[] = "fio: terminating on signal 2\n{\"fio version\":\"fio-3.33\",\"jobs\":[{\"jobname\":\"j\","
		"\"job options\":{\"iodepth\":\"32\"},\"iodepth_level\":{\"1\":0.1,\"2\":0.0,\"16\":12.5,\">=64\":87.4}," FIGURES "}]}\n"
		"{\"fio version\":\"fio-3.33\",\"jobs\":[{\"jobname\":\"k\",\"job options\":{\"name\":\"other\"}," FIGURES "}]}";
	static const char normal[] = "fio: terminating on signal 15\n\n"
		"j: (groupid=0, jobs=2): err= 0: pid=7: Mon Nov 30 11:28:57 2026\n"
		"  write: IOPS=1000, BW=4000KiB/s (4096kB/s)(7.8MiB/2000msec)\n"
		"  IO depths    : 1=0.1%, 2=12.5%, 4=87.4%, 8=0.0%, 16=0.0%, 32=0.0%, >=64=0.0%\n"
		"     issued rwts: total=0,2000,0,0 short=0,3,0,0 dropped=0,0,4,0\n"
		"     errors    : total=5, first_error=5/<Input/output error>\n\nRun status group 0 (all jobs):\n";
	struct reading r;
	(void)state;
	reading_of(&r, (struct slice){ json, sizeof json - 1 });
	assert_int_equal(r.dataset.n_runs, 2);
	const struct job *job = r.dataset.runs[0]->jobs[0], *other = r.dataset.runs[1]->jobs[0];
	assert_param(job->options, "iodepth_1", "0.1");
	assert_param(job->options, "iodepth_2", NULL);
	assert_param(job->options, "iodepth_16", "12.5");
	assert_param(job->options, "iodepth_64", "87.4");
	assert_param(job->options, "signal", "2");
	assert_int_equal(params_find(job->options, "signal")->pos.line, 1);
	assert_false(job->partial);
	/* Another run, with another job's options. */
	assert_param(other->options, "signal", NULL);
	assert_true(other->partial);
	reading_free(&r);
	reading_by(&r, &parser_fio_text, (struct slice){ normal, sizeof normal - 1 });
	job = only_job(&r);
	assert_param(job->options, "iodepth_2", "12.5");
	assert_param(job->options, "short_ios", "3");
	assert_param(job->options, "drop_ios", "4");
	assert_param(job->options, "total_err", "5");
	assert_param(job->options, "jobs", "2");
	assert_param(job->options, "signal", "15");
	assert_true(job->partial);
	assert_non_null(run_find(job->run, job, METRIC_ERRORS, "count", NULL));
	reading_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_cut_invents_a_figure),
		cmocka_unit_test(options_of_a_job_override_global_ones),
		cmocka_unit_test(equal_options_have_places_of_their_own),
		cmocka_unit_test(flaws_in_equal_options_are_all_counted),
		cmocka_unit_test(options_of_several_hosts_are_not_mixed),
		cmocka_unit_test(all_clients_is_held_against_the_hosts),
		cmocka_unit_test(command_lines_are_split_and_merged),
		cmocka_unit_test(sizes_and_times_follow_fio),
		cmocka_unit_test(jobs_of_a_suite_have_their_own_options),
		cmocka_unit_test(steady_state_comes_as_series),
		cmocka_unit_test(figures_that_contradict_each_other_are_marked),
		cmocka_unit_test(indexed_bins_are_not_judged),
		cmocka_unit_test(facts_reach_the_job),
		cmocka_unit_test(global_options_are_not_multiplied_without_end),
		cmocka_unit_test(what_is_not_fio_is_refused),
		cmocka_unit_test(positions_are_right_in_any_order),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
