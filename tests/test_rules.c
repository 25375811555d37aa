/* Rule tables: the engine with a toy table, and the tables of all parsers against their own samples. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "parsers/rules.h"

/* ---- a sink that writes down what it gets ---- */

struct notes {
	struct buf out;
};

static void put_params(struct buf *b, struct params p)
{
	for (size_t i = 0; i < p.n; i++)
		buf_printf(b, " %.*s=%.*s", SLICE_ARG(p.v[i].key), SLICE_ARG(p.v[i].value));
}

static void on_run(void *ctx, struct slice tool, struct slice version)
{
	struct notes *n = ctx;
	buf_printf(&n->out, "run %.*s %.*s\n", SLICE_ARG(tool), SLICE_ARG(version));
}

static void on_meta(void *ctx, const struct param *a)
{
	struct notes *n = ctx;
	buf_printf(&n->out, "meta %.*s=%.*s\n", SLICE_ARG(a->key), SLICE_ARG(a->value));
}

static const struct job *on_job(void *ctx, const struct job *job)
{
	struct notes *n = ctx;
	buf_printf(&n->out, "job %.*s", SLICE_ARG(job->name));
	put_params(&n->out, job->params);
	if (job->options.n) {
		buf_str(&n->out, " |");
		put_params(&n->out, job->options);
	}
	buf_printf(&n->out, " @%u:%u\n", job->pos.line, job->pos.column);
	return job;
}

static void on_result(void *ctx, const struct result *r)
{
	struct notes *n = ctx;
	buf_printf(&n->out, "%.*s %s %.*s ", SLICE_ARG(r->test), metric_get(r->metric)->name, SLICE_ARG(r->stat));
	if (r->q.missing)
		buf_char(&n->out, '?');
	else
		buf_double(&n->out, r->q.value);
	buf_printf(&n->out, " '%.*s%s'", SLICE_ARG(r->q.text), r->q.suffix ? r->q.suffix : "");
	put_params(&n->out, r->params);
	buf_printf(&n->out, " @%u:%u\n", r->q.pos.line, r->q.pos.column);
}

static void on_series(void *ctx, const struct series *s)
{
	(void)ctx, (void)s;
}

static void on_diag(void *ctx, enum severity severity, struct pos pos, const char *message)
{
	struct notes *n = ctx;
	buf_printf(&n->out, "%s @%u:%u %s\n", severity_name(severity), pos.line, pos.column, message);
}

static const struct sink sink = { .run = on_run, .meta = on_meta, .job = on_job, .result = on_result,
	.series = on_series, .diag = on_diag };

static enum status read_text(const struct ruleset *set, struct slice text, struct rule_cache *cache, struct notes *n)
{
	struct arena arena = ARENA_EMPTY;
	struct source source = source_of("toy", text);
	struct parse p = { .source = &source, .arena = &arena, .sink = &sink, .ctx = n, .rules = cache };
	enum status s = rules_parse(set, &p);
	arena_free(&arena);
	return s;
}

static void expect(const struct ruleset *set, struct slice text, enum status status, const char *want)
{
	struct notes n = { BUF_EMPTY };
	enum status got = read_text(set, text, NULL, &n);
	assert_string_equal(n.out.p ? n.out.p : "", want);
	assert_int_equal(got, status);
	buf_free(&n.out);
}

/* ---- a toy tool ---- */

struct toy {
	unsigned rows;
};

static bool on_row(struct rules *r)
{
	struct toy *t = r->state;
	t->rows++;
	return !slice_is(rules_group(r, 0), "skip");
}

static void finish(struct rules *r)
{
	struct toy *t = r->state;
	struct result *count = rules_find(r, METRIC_REQUESTS, "count");
	if (r->ended)
		rules_diag(r, DIAG_NOTE, rules_here(r), "the input ends in a block");
	if (count && count->q.value != t->rows)
		rules_diag(r, DIAG_WARNING, count->q.pos, "%.0f rows are said, %u are there", count->q.value, t->rows);
	if (count && count->q.value == 0)
		rules_drop(r);
	t->rows = 0;
}

enum { START = 1, TABLE = 2 };

static const struct unit_scale dialect[] = {
	{ "mb/s", UNIT_B_PER_S, 0x1p20 },
	{ "kb/s", UNIT_B_PER_S, 0x1p10 },
	{ "ms", UNIT_S, 1e-3 },
	{ "k", UNIT_B, 0x1p10 },
	{ "B", UNIT_B, 1 },
	{ NULL, UNIT_ONE, 0 }
};

static const char *const missing[] = { "---", NULL };

static const struct rule rules[] = {
	{
		.id = "begin", .to = TABLE, .flags = RULE_BEGIN | RULE_INSIDE,
		.pattern = "toy (?<version>[\\d.]+) (?<name>\\w+)(?: bs=(?<bs>\\d+)(?<k>k)?)?"
			"(?: host=(?<host>\\w+))?(?: -(?<flag>\\w))?",
		.sample = "toy 1.0 disk bs=4k -d",
		.fields = FIELDS({ .as = FIELD_VERSION, .group = "version" }, { .as = FIELD_NAME, .group = "name" },
			{ .as = FIELD_PARAM, .group = "bs", .key = "bs", .unit_group = "k", .unit = "B" },
			{ .as = FIELD_META, .group = "host", .key = "host" },
			{ .as = FIELD_OPTION, .group = "flag", .key = "flag", .words = WORDS({ "d", "direct" }) }),
	}, {
		.id = "row", .in = TABLE, .action = on_row,
		.pattern = "(?<test>\\w+) (?<op>rd|wr|-) (?<rate>[\\d.,-]+) (?<unit>[kmg]b/s)(?: in (?<time>[\\w.]+))?",
		.sample = "copy rd 12.5 mb/s in 3.0",
		.fields = FIELDS({ .as = FIELD_TEST, .group = "test" },
			{ .as = FIELD_TAG, .group = "op", .key = "op", .words = WORDS({ "rd", "read" }, { "wr", "write" }) },
			{ .as = FIELD_TAG, .text = "toy", .key = "by" },
			{ .as = FIELD_RESULT, .group = "rate", .metric = METRIC_BANDWIDTH, .stat = "value", .unit_group = "unit" },
			{ .as = FIELD_RESULT, .group = "time", .metric = METRIC_RUNTIME, .stat = "value", .unit = "ms" }),
	}, {
		.id = "end", .in = TABLE, .to = START, .flags = RULE_END,
		.pattern = "done(?: (?<count>\\d+) rows)?",
		.sample = "done 3 rows",
		.fields = FIELDS({ .as = FIELD_RESULT, .group = "count", .metric = METRIC_REQUESTS, .stat = "count" }),
	}, {
		.id = "note",
		.pattern = "note (?<note>\\w+)",
		.sample = "note this",
		.fields = FIELDS({ .as = FIELD_OPTION, .group = "note", .key = "note" }),
	},
	{ .id = NULL }
};

static const struct ruleset toy = { .tool = "toy", .rules = rules, .dialect = dialect, .missing = missing, .flat = true,
	.state_size = sizeof(struct toy), .finish = finish };

static void test_fields(void **state)
{
	(void)state;
	expect(&toy, SLICE("noise\ntoy 1.0 disk bs=4k host=alpha -d\ncopy rd 12.5 mb/s in 3.0\nadd - --- kb/s\n"
		"skip rd 1 kb/s\ndone 3 rows\ncopy rd 1 mb/s\n"), STATUS_OK,
		"run toy 1.0\nmeta host=alpha\njob disk bs=4096 | flag=direct @2:1\n"
		"copy bandwidth value 13107200 '12.5 mb/s' op=read by=toy @3:9\n"
		"copy runtime value 0.003 '3.0ms' op=read by=toy @3:22\n"
		"add bandwidth value ? '--- kb/s' op=- by=toy @4:7\n"
		" requests count 3 '3' @6:6\n");
}

static void test_blocks(void **state)
{
	(void)state;
	/* Equal blocks are numbered by their place among all; a block of no rows is dropped; a version begins a run. */
	expect(&toy, SLICE("toy 1 a\ncopy rd 1 kb/s\ntoy 1 b\ncopy rd 2 kb/s\ntoy 1 z\ndone 0 rows\ntoy 1 a\n"
		"copy rd 3 kb/s\ndone 2 rows\ntoy 2 a bs=8\n"), STATUS_WARN,
		"warning @9:6 2 rows are said, 1 are there\nnote @10:1 the input ends in a block\n"
		"run toy 1\njob a run=1 @1:1\ncopy bandwidth value 1024 '1 kb/s' op=read by=toy @2:9\n"
		"job b @3:1\ncopy bandwidth value 2048 '2 kb/s' op=read by=toy @4:9\n"
		"job a run=3 @7:1\ncopy bandwidth value 3072 '3 kb/s' op=read by=toy @8:9\n requests count 2 '2' @9:6\n"
		"run toy 2\njob a bs=8 @10:1\n");
}

static void test_bad_numbers(void **state)
{
	(void)state;
	expect(&toy, SLICE("toy 1 a\ncopy rd 1,5 mb/s in x\ncopy rd 1.5 gb/s\ndone\n"), STATUS_WARN,
		"warning @2:9 '1,5' is not a number: no value is reported\n"
		"warning @2:21 'x' is not a number: no value is reported\n"
		"warning @3:13 'gb/s' is no unit that toy prints here: no value is reported\n"
		"run toy 1\njob a @1:1\n");
}

static void test_cut(void **state)
{
	(void)state;
	expect(&toy, SLICE("toy 1 a\ncopy rd 1 mb/s in 31.5"), STATUS_WARN,
		"warning @2:19 '31.5' may be cut here: no value is reported\nnote @2:1 the input ends in a block\n"
		"run toy 1\njob a @1:1\ncopy bandwidth value 1048576 '1 mb/s' op=read by=toy @2:9\n");
}

static const char flat_text[] = "we ran toy 1 a copy rd 1 mb/s add wr 2 mb/s in 3 done 2 rows and";

static void test_flat(void **state)
{
	(void)state;
	const char *want = "note @1:16 1 line is several that lost line ends: read piece by piece\n"
		"run toy 1\njob a @1:8\ncopy bandwidth value 1048576 '1 mb/s' op=read by=toy @1:24\n"
		"add bandwidth value 2097152 '2 mb/s' op=write by=toy @1:38\nadd runtime value 0.003 '3ms' op=write by=toy @1:48\n"
		" requests count 2 '2' @1:55\n";
	expect(&toy, slice_of(flat_text), STATUS_OK, want);
	/* In the first section only rules marked so begin at a later word, but in a long line, or later, all do. */
	char text[600];
	expect(&toy, SLICE("a note x\n"), STATUS_REJECT, "");
	snprintf(text, sizeof text, "a%250s note x\ndone\n", "");
	expect(&toy, slice_of(text), STATUS_OK, "note @2:1 the input ends in a block\nrun toy \njob  | note=x @1:253\n");
	expect(&toy, SLICE("12:00 toy 1 a\n12:01 note x\n12:02 done\n"), STATUS_OK, "run toy 1\njob a | note=x @1:7\n");
	struct ruleset lines = toy;
	lines.flat = false;
	expect(&lines, slice_of(flat_text), STATUS_REJECT, "");
	expect(&lines, SLICE("toy 1 a copy rd 1 mb/s\ndone\n"), STATUS_OK, "run toy 1\njob a @1:1\n");
}

static void test_front_end(void **state)
{
	(void)state;
	/* Byte order mark, CRLF, quotes and blanks, colours inside a number, NUL bytes, a lone CR, an unfinished escape. */
	expect(&toy, SLICE("\xef\xbb\xbftoy 1 a\r\n> >  copy rd 1\033[31m2.5\033[0m mb/s\r\n"
		"10%\r50%\rco\0py rd 2 kb/s\r\n\033]0;title\aadd wr 3 kb/s\n\033[1"), STATUS_OK,
		"note @5:4 the input ends in a block\nrun toy 1\njob a @1:4\n"
		"copy bandwidth value 13107200 '12.5 mb/s' op=read by=toy @2:14\n"
		"copy bandwidth value 2048 '2 kb/s' op=read by=toy @3:18\n"
		"add bandwidth value 3072 '3 kb/s' op=write by=toy @4:18\n");
}

static void test_end_on_a_copied_line(void **state)
{
	(void)state;
	expect(&toy, SLICE("toy 1 a\n\033[1m?\033[0m"), STATUS_OK,
		"note @2:5 the input ends in a block\nrun toy 1\njob a @1:1\n");
}

static void test_nothing(void **state)
{
	(void)state;
	expect(&toy, SLICE(""), STATUS_REJECT, "");
	expect(&toy, SLICE("\n\n>\n\r\r\n\0\0\0"), STATUS_REJECT, "");
	expect(&toy, SLICE("copy rd 1 mb/s\n"), STATUS_REJECT, "");
}

static void test_long_line(void **state)
{
	(void)state;
	size_t n = (2 << 20) + 40;
	char *text = malloc(n);
	assert_non_null(text);
	memset(text, ' ', n);
	memcpy(text, "toy 1 a\n", 8);
	memcpy(text + 8, "copy rd 1 mb/s", 14);
	memcpy(text + n - 20, "copy rd 2 mb/s\ndone\n", 20);
	expect(&toy, (struct slice){ text, n }, STATUS_WARN,
		"warning @2:1 the line is longer than 1048576 bytes: the rest of it is not read\n"
		"run toy 1\njob a @1:1\ncopy bandwidth value 1048576 '1 mb/s' op=read by=toy @2:9\n");
	free(text);
}

static void test_cache(void **state)
{
	(void)state;
	struct rule_cache *cache = rule_cache_new();
	struct notes first = { BUF_EMPTY }, second = { BUF_EMPTY };
	read_text(&toy, slice_of(flat_text), cache, &first);
	read_text(&toy, slice_of(flat_text), cache, &second);
	assert_string_equal(first.out.p, second.out.p);
	buf_free(&first.out);
	buf_free(&second.out);
	rule_cache_free(cache);
}

static const struct rule bad_pattern[] = { { .id = "a", .pattern = "(" }, { .id = NULL } };
static const struct rule bad_group[] = { { .id = "a", .pattern = "b",
	.fields = FIELDS({ .as = FIELD_NAME, .group = "c" }) }, { .id = NULL } };
static const struct rule bad_unit[] = { { .id = "a", .pattern = "(?<b>c)",
	.fields = FIELDS({ .as = FIELD_RESULT, .group = "b", .metric = METRIC_IO, .stat = "value", .unit = "x" }) },
	{ .id = NULL } };

static void test_wrong_tables(void **state)
{
	(void)state;
	static const struct rule *const tables[] = { bad_pattern, bad_group, bad_unit };
	static const char *const says[] = { "rule a: the pattern ", "no such group", "unit not in the dialect" };
	for (size_t i = 0; i < 3; i++) {
		struct ruleset set = { .tool = "toy", .rules = tables[i], .dialect = dialect };
		char error[256];
		assert_false(rules_check(&set, error, sizeof error));
		assert_true(slice_find(slice_of(error), slice_of(says[i])) != (size_t)-1);
		struct notes n = { BUF_EMPTY };
		assert_int_equal(read_text(&set, SLICE("b"), NULL, &n), STATUS_FATAL);
		buf_free(&n.out);
	}
}

/* ---- the tables of all parsers ---- */

static void check_sample(const struct parser *parser, unsigned k)
{
	const struct rule *rule = &parser->rules->rules[k];
	for (unsigned s = 0; s < RULES_SECTIONS; s++) {
		if (rule->in && !(rule->in >> s & 1))
			continue;
		int found = rules_match(parser->rules, 1u << s, slice_of(rule->sample));
		if (found != (int)k)
			fail_msg("%s: the sample of rule %s is taken by %s", parser->name, rule->id,
				found < 0 ? "no rule" : parser->rules->rules[found].id);
	}
}

static void test_samples(void **state)
{
	(void)state;
	unsigned tables = 0;
	for (size_t i = 0; parsers[i]; i++) {
		char error[256];
		if (!parsers[i]->rules)
			continue;
		tables++;
		if (!rules_check(parsers[i]->rules, error, sizeof error))
			fail_msg("%s: %s", parsers[i]->name, error);
		for (unsigned k = 0; parsers[i]->rules->rules[k].id; k++)
			check_sample(parsers[i], k);
	}
	assert_true(tables > 0);
}

static void every_parser_stands_once(void **state)
{
	(void)state;
	for (size_t i = 0; parsers[i]; i++)
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(parsers[i]->name, parsers[k]->name);
}

/* Pure JSON is shown to parsers of JSON only. */
static void json_parsers_say_so(void **state)
{
	(void)state;
	for (size_t i = 0; parsers[i]; i++)
		if (slice_ends(slice_of(parsers[i]->name), "-json"))
			assert_true(parsers[i]->json);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_bad_numbers),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_flat),
		cmocka_unit_test(test_front_end),
		cmocka_unit_test(test_end_on_a_copied_line),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_long_line),
		cmocka_unit_test(test_cache),
		cmocka_unit_test(test_wrong_tables),
		cmocka_unit_test(test_samples),
		cmocka_unit_test(every_parser_stands_once),
		cmocka_unit_test(json_parsers_say_so),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
