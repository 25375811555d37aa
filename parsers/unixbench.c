/* UnixBench 3.11, 4 and 5 to 6: its report as text, alone, within the output of a run, or quoted. */
#include "parsers/rules.h"
#include "parsers/unixbench_check.h"

#include "base/num.h"

#include <math.h>

enum { TESTS = 64, CATEGORIES = 8 };

struct test {
	struct slice name;
	bool run, listed;            /* has a row of its own; stands in an index table */
	double raw, raw_half;        /* as printed in its row */
	double baseline, result;     /* as printed in the table */
	unsigned category;
};

struct category {
	struct slice name;           /* "System"; of old versions "" */
	bool scored;
	struct pos pos;              /* of its score, else of its table */
};

struct unixbench {
	struct slice version;        /* of the report */
	/* Of the open block. */
	bool begun, counted;         /* its run line, its line of copies were there */
	bool broken;                 /* a table was not readable, and that was said */
	struct test tests[TESTS];
	unsigned n_tests;
	struct category categories[CATEGORIES];
	unsigned n_categories;
	struct pos pos;
	uint64_t odd_samples;        /* a number of samples that a standard run doesn't have; 0: none */
	struct pos odd_pos;
};

static struct slice kept(struct rules *r, struct slice s)
{
	return r->text.copied ? arena_copy(r->parse->arena, s) : s;
}

static bool is_old(const struct unixbench *u)
{
	return slice_starts(u->version, "3.") || slice_starts(u->version, "4.");
}

static void begin(struct rules *r)
{
	struct unixbench *u = r->state;
	rules_begin(r);
	*u = (struct unixbench){ .version = u->version, .pos = rules_here(r) };
	if (u->version.n)
		rules_version(r, u->version);
}

static void open(struct rules *r)
{
	if (!r->open)
		begin(r);
}

static struct test *test_of(struct rules *r, struct slice name)
{
	struct unixbench *u = r->state;
	for (unsigned i = 0; i < u->n_tests; i++)
		if (slice_eq(u->tests[i].name, name))
			return &u->tests[i];
	if (u->n_tests == TESTS)
		return NULL;
	u->tests[u->n_tests] = (struct test){ .name = kept(r, name) };
	return &u->tests[u->n_tests++];
}

static struct category *category_of(struct rules *r, struct slice name)
{
	struct unixbench *u = r->state;
	for (unsigned i = 0; i < u->n_categories; i++)
		if (slice_eq(u->categories[i].name, name))
			return &u->categories[i];
	if (u->n_categories == CATEGORIES)
		return NULL;
	u->categories[u->n_categories] = (struct category){ .name = kept(r, name), .pos = rules_here(r) };
	return &u->categories[u->n_categories++];
}

/* ---- what begins a run ---- */

static bool on_header(struct rules *r)
{
	struct unixbench *u = r->state;
	rules_next_run(r);
	u->version = kept(r, rules_group(r, 0));
	begin(r);
	return true;
}

static bool on_run(struct rules *r)
{
	struct unixbench *u = r->state;
	if (!r->open || u->begun || u->n_tests)
		begin(r);
	u->begun = true;
	return true;
}

static bool on_copies(struct rules *r)
{
	struct unixbench *u = r->state;
	if (!r->open || u->counted || u->n_tests)
		begin(r);
	u->counted = true;
	return true;
}

/* ---- rows ---- */

static void check_samples(struct rules *r, struct slice token)
{
	struct unixbench *u = r->state;
	uint64_t n;
	if (num_u64(token, &n) != NUM_OK || is_old(u) || n == 7 || n == 2 || u->odd_samples)
		return;
	u->odd_samples = n;
	u->odd_pos = rules_pos(r, token.p);
}

static struct result *add(struct rules *r, struct slice test, enum metric_id metric, const char *stat,
	const struct quantity *q)
{
	struct result *k = rules_result(r, metric, stat, q);
	k->test = test;
	return k;
}

static bool on_row(struct rules *r)
{
	struct unixbench *u = r->state;
	struct slice name = rules_group(r, 0), value = rules_group(r, 1), unit = rules_group(r, 2),
		samples = rules_group(r, 3);
	const struct unit_scale *scale = unit_find(ub_dialect, unit);
	struct quantity q;
	open(r);
	struct test *t = test_of(r, name);
	if (u->n_categories || (t && t->run)) {
		begin(r); /* the lines between this run and the one before it are lost */
		t = test_of(r, name);
	}
	if (!t || !rules_read(r, value, unit, *scale, &q))
		return false;
	t->run = num_printed(value, 1, &t->raw, &t->raw_half) == NUM_OK;
	struct result *k = add(r, t->name, ub_is_score(unit) ? METRIC_SCORE : METRIC_RATE, "value", &q);
	num_u64(samples, &k->n);
	check_samples(r, samples);
	return false;
}

/* ---- index tables ---- */

static bool on_table(struct rules *r)
{
	struct unixbench *u = r->state;
	struct slice name = rules_group(r, 0);
	open(r);
	for (unsigned i = 0; i < u->n_categories; i++)
		if (slice_eq(u->categories[i].name, name)) {
			begin(r); /* a second table of a kind is another run's */
			break;
		}
	category_of(r, name);
	return true;
}

static bool on_broken_table(struct rules *r)
{
	struct unixbench *u = r->state;
	u->broken = true;
	rules_diag(r, DIAG_WARNING, rules_here(r), "the headings of this index table are cut or wrapped: neither its rows nor its "
		"score are read");
	return true;
}

/* Whether a printed index follows from its row, and the row from the run. */
static bool check_index(struct rules *r, const struct test *t, struct slice result, double result_half,
	const struct quantity *index)
{
	const struct unixbench *u = r->state;
	const struct ub_test *stock = is_old(u) ? NULL : ub_test_find(t->name);
	bool tenfold = !slice_starts(u->version, "3.");
	if (stock && fabs(stock->baseline - t->baseline) > 0.051)
		rules_diag(r, DIAG_WARNING, rules_pos(r, result.p), "the baseline of %.*s is %.6g here, but %.6g in UnixBench",
			SLICE_ARG(t->name), t->baseline, stock->baseline);
	if (t->run && fabs(t->raw - t->result) > 1.001 * (t->raw_half + result_half)) {
		rules_diag(r, DIAG_WARNING, rules_pos(r, result.p), "%.*s is %.*s in the index table, but %.10g in its own row",
			SLICE_ARG(t->name), SLICE_ARG(result), t->raw);
		return false;
	}
	if (ub_index_agrees(index->value, t->result, t->baseline, tenfold))
		return true;
	rules_diag(r, DIAG_WARNING, index->pos, "the index of %.*s is %.*s, but %.*s by the baseline of %.10g makes it %.1f",
		SLICE_ARG(t->name), SLICE_ARG(index->text), SLICE_ARG(result), t->baseline,
		ub_index(t->result, t->baseline, tenfold));
	return false;
}

static void add_rate(struct rules *r, const struct test *t, struct slice result)
{
	struct unit_scale scale = ub_scale_of(t->name);
	struct quantity q;
	bool score = ub_is_score(slice_of(scale.spelling));
	scale.spelling = NULL; /* the table doesn't print it */
	if (!t->run && rules_read(r, result, SLICE_NONE, scale, &q))
		add(r, t->name, score ? METRIC_SCORE : METRIC_RATE, "value", &q);
}

static bool on_index(struct rules *r)
{
	struct unixbench *u = r->state;
	struct slice baseline = rules_group(r, 1), result = rules_group(r, 2), index = rules_group(r, 3);
	struct test *t = r->open && u->n_categories ? test_of(r, rules_group(r, 0)) : NULL;
	struct quantity q;
	double half = 0;
	if (!t || t->listed)
		return false;
	add_rate(r, t, result);
	if (slice_is(index, "---") || num_double(baseline, &t->baseline) != NUM_OK || t->baseline <= 0
		|| num_printed(result, 1, &t->result, &half) != NUM_OK || !rules_number(r, 3, &q))
		return false;
	t->listed = true;
	t->category = u->n_categories - 1;
	bool sound = check_index(r, t, result, half, &q);
	struct result *k = add(r, t->name, METRIC_INDEX, "value", &q);
	k->flags |= sound ? 0 : RESULT_SUSPECT;
	return false;
}

/* ---- scores ---- */

/* Geometric mean of the indexes of a table, or their sum. */
static double mean_of(const struct unixbench *u, unsigned category, bool tenfold, bool sum, size_t *n)
{
	double total = 0;
	*n = 0;
	for (unsigned i = 0; i < u->n_tests; i++) {
		const struct test *t = &u->tests[i];
		double result = t->run ? t->raw : t->result;
		if (!t->listed || t->category != category || result <= 0)
			continue;
		double index = ub_index(result, t->baseline, tenfold);
		total += sum ? index : log(index);
		++*n;
	}
	return sum || !*n ? total : exp(total / (double)*n);
}

static bool check_score(struct rules *r, const struct quantity *q, double expected, size_t n, const char *what)
{
	if (n == 0 || ub_score_agrees(q->value, expected))
		return true;
	rules_diag(r, DIAG_WARNING, q->pos, "the score is %.*s, but %s of the %zu rows above makes it %.1f", SLICE_ARG(q->text),
		what, n, expected);
	return false;
}

static bool on_score(struct rules *r)
{
	struct unixbench *u = r->state;
	struct slice name = rules_group(r, 0);
	struct category *c = NULL;
	struct quantity q;
	size_t n;
	for (unsigned i = 0; i < u->n_categories && r->open; i++)
		if (slice_eq(u->categories[i].name, name))
			c = &u->categories[i];
	if (!c || c->scored || !rules_number(r, 2, &q))
		return false;
	c->scored = true;
	c->pos = q.pos;
	double expected = mean_of(u, (unsigned)(c - u->categories), true, false, &n);
	bool sound = check_score(r, &q, expected, n, "the geometric mean");
	struct slice partial = rules_group(r, 1);
	if (partial.p)
		rules_tag(r, "partial", SLICE("yes"), rules_pos(r, partial.p));
	struct result *k = add(r, slice_of(arena_printf(r->parse->arena, "%.*s Benchmarks Index Score", SLICE_ARG(name))),
		METRIC_INDEX, "value", &q);
	k->flags |= sound ? 0 : RESULT_SUSPECT;
	return false;
}

/* FINAL SCORE of version 4; SUM and AVERAGE of version 3, where the rows are rounded more than their sum. */
static bool on_old_score(struct rules *r)
{
	struct unixbench *u = r->state;
	struct slice name = rules_group(r, 0);
	struct quantity q;
	size_t n;
	if (!r->open || !u->n_categories || !rules_number(r, 1, &q))
		return false;
	bool final = slice_starts(name, "FINAL"), average = slice_starts(name, "AVERAGE");
	double expected = mean_of(u, u->n_categories - 1, final, !final, &n);
	expected = average && n ? expected / (double)n : expected;
	bool sound = final ? check_score(r, &q, expected, n, "the geometric mean")
		: fabs(q.value - expected) <= 0.05 * (double)n + 0.001 * expected
		|| check_score(r, &q, expected, n, average ? "the mean" : "the sum");
	u->categories[u->n_categories - 1].scored = true;
	struct result *k = add(r, kept(r, name), METRIC_INDEX, "value", &q);
	k->flags |= sound ? 0 : RESULT_SUSPECT;
	return false;
}

/* ---- what follows from a whole run ---- */

/* The score of a category from the runs' own rows, else from the table's; NAN unless all its tests are there. */
static double recompute(const struct unixbench *u, const char *category)
{
	size_t n = 0;
	double sum = 0;
	for (unsigned i = 0; i < u->n_tests; i++) {
		const struct test *t = &u->tests[i];
		const struct ub_test *stock = ub_test_find(t->name);
		double result = t->run ? t->raw : t->listed ? t->result : 0;
		if (!stock || strcmp(stock->category, category) != 0 || result <= 0)
			continue;
		sum += log(ub_index(result, t->listed ? t->baseline : stock->baseline, true));
		n++;
	}
	return n == ub_category_tests(slice_of(category)) ? exp(sum / (double)n) : NAN;
}

static void add_recomputed(struct rules *r, const char *category)
{
	struct unixbench *u = r->state;
	struct quantity q = { .value = recompute(u, category), .unit = UNIT_ONE, .pos = u->pos };
	const struct category *printed = NULL;
	if (isnan(q.value))
		return;
	for (unsigned i = 0; i < u->n_categories; i++)
		if (slice_is(u->categories[i].name, category))
			printed = &u->categories[i];
	if (printed)
		q.pos = printed->pos;
	else if (!u->broken)
		rules_diag(r, DIAG_WARNING, u->pos, "all %zu test%s of %s Benchmarks ran, but their index table is missing: the score is "
			"recomputed", ub_category_tests(slice_of(category)), ub_category_tests(slice_of(category)) == 1 ? "" : "s", category);
	struct result *k = add(r, slice_of(arena_printf(r->parse->arena, "%s Benchmarks Index Score", category)), METRIC_INDEX,
		"recomputed", &q);
	k->flags = RESULT_DERIVED;
}

static void finish(struct rules *r)
{
	static const char *const categories[] = { "System", "2D Graphics", "3D Graphics" };
	struct unixbench *u = r->state;
	rules_untag(r);
	if (u->n_tests == 0) {
		rules_diag(r, DIAG_WARNING, u->pos, "UnixBench's report ends without a result: the run was aborted, or is cut here");
		rules_drop(r);
		return;
	}
	if (u->odd_samples)
		rules_diag(r, DIAG_NOTE, u->odd_pos, "a figure is of %llu sample%s: a standard run keeps 7 of 10 for short tests and 2 of "
			"3 for long ones", (unsigned long long)u->odd_samples, u->odd_samples == 1 ? "" : "s");
	for (unsigned i = 0; i < u->n_categories; i++)
		if (!u->categories[i].scored)
			rules_diag(r, DIAG_WARNING, u->categories[i].pos, "this index table ends without its score");
	for (size_t i = 0; i < sizeof categories / sizeof *categories && !is_old(u); i++)
		add_recomputed(r, categories[i]);
}

static bool on_abort(struct rules *r)
{
	struct slice test = rules_group(r, 0);
	rules_diag(r, DIAG_WARNING, rules_here(r), "UnixBench aborted the run%s%.*s", test.n ? " at " : "", SLICE_ARG(test));
	return true;
}

/* ---- the table ---- */

enum { START = 1, INDEX = 2 };

/* Names as all versions print them: what else stands in a line of a flattened text is told from them by this. */
#define NAME "(?<test>Dhrystone 2 (?:using|without) register variables|Double-Precision Whetstone|" \
	"Exec(?:l Throughput| System Call Overhead)(?: Test)?|" \
	"File (?:Copy|Read|Write)(?: +\\d+ bufsize \\d+ maxblocks| +\\(\\d+ seconds\\))|" \
	"Pipe(?: Throughput|-based Context Switching)(?: Test)?|Process Creation(?: Test)?|" \
	"S(?:hell [Ss]cripts \\(\\d+ concurrent\\)|ystem Call Overhead(?: Test)?)|" \
	"2D graphics: (?:aa polygons|ellipses|images and blits|rectangles|text|windows)|3D graphics: gears|" \
	"Arithmetic Test \\([a-z =]{1,20}\\)|Arithoh|C Compiler Throughput|Dc: sqrt\\(2\\) to 99 decimal places|" \
	"Recursion Test ?-- ?Tower of Hanoi|Grep a large file \\(system's grep\\))"
/* At the start of a line of its own, whatever it is called. */
#define ANY_NAME "^(?<test>[A-Z0-9][\\w(][^|<>]{1,40}?)"
#define ROW " +(?<value>[\\d.]+) (?<unit>lps|lpm|fps|KBps|MWIPS|score) +\\([\\d.]+ s(?:ecs)?, (?<samples>\\d+) s"
#define COLUMNS " +(?<baseline>[\\d.]+|---) +(?<result>[\\d.]+) +(?<index>[\\d.]+|---)(?=\\s|$)"
#define CATEGORY "(?<category>System|[23]D Graphics|Graphics|Non-Index|[A-Z][\\w-]{1,20}) Benchmarks "

#define ROW_FIELDS FIELDS(KEEP("test"), KEEP("value"), KEEP("unit"), KEEP("samples"))
#define INDEX_FIELDS FIELDS(KEEP("test"), KEEP("baseline"), KEEP("result"), KEEP("index"))

static bool in_report(struct rules *r)
{
	return r->open;
}

static const struct rule rules[] = {
	{
		.id = "row", .to = START, .action = on_row, .flags = RULE_START | RULE_INSIDE, .pattern = NAME ROW, .fields = ROW_FIELDS,
		.sample = "Dhrystone 2 using register variables       25865770.2 lps   (10.0 s, 7 samples)",
	}, {
		.id = "index", .in = INDEX, .action = on_index, .pattern = NAME COLUMNS, .fields = INDEX_FIELDS,
		.sample = "Double-Precision Whetstone                       55.0       4434.1    806.2",
	}, {
		.id = "other-row", .to = START, .action = on_row, .pattern = ANY_NAME ROW, .fields = ROW_FIELDS,
		.sample = "Some new test                                 4434.1 lps   (10.0 s, 2 samples)",
	}, {
		.id = "other-index", .in = INDEX, .action = on_index, .pattern = ANY_NAME " " COLUMNS, .fields = INDEX_FIELDS,
		.sample = "Some new test                                    55.0       4434.1    806.2",
	}, {
		.id = "header", .to = START, .flags = RULE_START | RULE_INSIDE, .action = on_header,
		.pattern = "BYTE UNIX Benchmarks \\(Version (?<version>\\d[\\w.]{0,20})\\)",
		.sample = "BYTE UNIX Benchmarks (Version 6.0.0)",
		.fields = FIELDS(KEEP("version")),
	},
	{ .id = "system", .in = START, .action = in_report, .pattern = "^System: +(?<text>\\S.{0,200})$",
	  .sample = "System: vm: GNU/Linux", .fields = FIELDS({ .as = FIELD_META, .group = "text", .key = "system" }) },
	{ .id = "kernel", .in = START, .action = in_report, .pattern = "^OS: +(?<text>\\S.{0,200})$",
	  .sample = "OS: GNU/Linux -- 6.1.0 -- #1 SMP", .fields = FIELDS({ .as = FIELD_META, .group = "text", .key = "kernel" }) },
	{ .id = "machine", .in = START, .action = in_report, .pattern = "^Machine: +(?<text>\\S.{0,200})$",
	  .sample = "Machine: x86_64 (unknown)", .fields = FIELDS({ .as = FIELD_META, .group = "text", .key = "machine" }) },
	{ .id = "cpu", .in = START, .action = in_report, .pattern = "^CPU 0: +(?<text>\\S.{0,200}?)(?: \\([\\d.]+ bogomips\\))?$",
	  .sample = "CPU 0: AMD EPYC (5192.3 bogomips)",
	  .fields = FIELDS({ .as = FIELD_META, .group = "text", .key = "cpu_model" }) },
	{
		.id = "run", .to = START, .flags = RULE_START | RULE_INSIDE, .action = on_run,
		.pattern = "(?:Start )?Benchmark Run: (?<when>\\S.{0,60}?\\d\\d:\\d\\d:\\d\\d(?: - \\d\\d:\\d\\d:\\d\\d)?)",
		.sample = "Benchmark Run: Mon Nov 30 2026 11:24:07 - 11:30:54",
		.fields = FIELDS({ .as = FIELD_OPTION, .group = "when", .key = "when" }),
	}, {
		.id = "copies", .to = START, .flags = RULE_START | RULE_INSIDE, .action = on_copies,
		.pattern = "(?<cpus>\\d+) CPUs? in system; running (?<copies>\\d+) parallel cop(?:y|ies) of tests",
		.sample = "16 CPUs in system; running 1 parallel copy of tests",
		.fields = FIELDS({ .as = FIELD_OPTION, .group = "cpus", .key = "cpus" },
			{ .as = FIELD_PARAM, .group = "copies", .key = "copies" }),
	}, {
		.id = "table", .to = INDEX, .flags = RULE_START | RULE_INSIDE, .action = on_table,
		.pattern = CATEGORY "(?:Index Values|Partial Index) +BASELINE +RESULT +INDEX\\b",
		.sample = "System Benchmarks Index Values               BASELINE       RESULT    INDEX",
		.fields = FIELDS(KEEP("category")),
	}, {
		.id = "broken-table", .to = START, .action = on_broken_table,
		.pattern = CATEGORY "(?:Index Values|Partial Index) +BASELINE +RESULT\\b(?! +INDEX\\b)",
		.sample = "System Benchmarks Index Values               BASELINE       RESULT    IN",
	}, {
		.id = "old-table", .to = INDEX, .flags = RULE_START, .action = on_table, .pattern = "TEST(?<category>) +BASELINE +RESULT +INDEX\\b",
		.sample = "TEST                                        BASELINE     RESULT      INDEX",
		.fields = FIELDS(KEEP("category")),
	}, {
		.id = "score", .in = INDEX, .action = on_score,
		.pattern = CATEGORY "Index Score(?<partial> \\(Partial Only\\)?)? +(?<score>[\\d.]+)(?=\\s|$)",
		.sample = "System Benchmarks Index Score (Partial Only)                          183.5",
		.fields = FIELDS(KEEP("category"), KEEP("partial"), KEEP("score")),
	}, {
		.id = "old-score", .in = INDEX, .action = on_old_score,
		.pattern = "(?<name>FINAL SCORE|SUM of +\\d+ items|AVERAGE) +(?<score>[\\d.]+)(?=\\s|$)",
		.sample = "FINAL SCORE                                                       9.9",
		.fields = FIELDS(KEEP("name"), KEEP("score")),
	}, {
		.id = "abort", .action = on_abort, .pattern = "^Run: (?:\"(?<test>[^\"]{1,60})\": )?.{0,100}aborting$",
		.sample = "Run: \"Dc: sqrt(2) to 99 decimal places\": Command \"dc\" didn't exec; aborting",
		.fields = FIELDS(KEEP("test")),
	},
	{ .id = NULL }
};

static const struct ruleset set = {
	.tool = "unixbench", .rules = rules, .dialect = ub_dialect, .flat = true, .state_size = sizeof(struct unixbench),
	.finish = finish,
};

static int probe(const struct peek *peek)
{
	static const char *const own[] = { "BYTE UNIX Benchmarks (Version ", "Benchmarks Index Values ", "Benchmarks Partial Index ",
		"parallel copy of tests", "parallel copies of tests", "Byte Magazine Unix Benchmark" };
	struct slice start = slice_trim(peek->head);
	if (slice_starts(start, "<"))
		return 0;
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (slice_find(peek->head, slice_of(own[i])) != (size_t)-1)
			return 8 * (int)strlen(own[i]);
	return 0;
}

const struct parser parser_unixbench = {
	.name = "unixbench", .title = "UnixBench text", .tool = "unixbench", .probe = probe, .rules = &set,
};
