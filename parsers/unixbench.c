/* UnixBench 3.11, 4 and 5 to 6: its report as text, alone, within the output of a run, or quoted. */
#include "parsers/unixbench_report.h"

#include "base/num.h"

#include <math.h>

/* ---- what begins a run ---- */

static bool on_copies(struct rules *r)
{
	struct ub_report *u = r->state;
	if (!r->open || u->counted || u->n_rows)
		ub_begin(r);
	u->counted = true;
	return true;
}

/* ---- rows ---- */

static bool on_row(struct rules *r)
{
	struct ub_report *u = r->state;
	struct slice name = rules_group(r, 0), value = rules_group(r, 1), unit = rules_group(r, 2),
		samples = rules_group(r, 3);
	ub_open(r);
	struct ub_row *t = ub_row_of(r, name);
	if (u->n_categories || (t && t->run)) {
		ub_begin(r); /* the lines between this run and the one before it are lost */
		t = ub_row_of(r, name);
	}
	struct result *k = t ? ub_add_rate(r, t, value, unit, *unit_find(ub_dialect, unit)) : NULL;
	if (k)
		ub_samples(r, k, samples);
	return false;
}

/* ---- index tables ---- */

static bool on_table(struct rules *r)
{
	struct ub_report *u = r->state;
	struct slice name = rules_group(r, 0);
	ub_open(r);
	for (unsigned i = 0; i < u->n_categories; i++)
		if (slice_eq(u->categories[i].name, name)) {
			ub_begin(r); /* a second table of a kind is another run's */
			break;
		}
	ub_category_of(r, name);
	return true;
}

static bool on_broken_table(struct rules *r)
{
	struct ub_report *u = r->state;
	u->broken = true;
	rules_diag(r, DIAG_WARNING, rules_here(r), "the headings of this index table are cut or wrapped: neither its rows "
		"nor its score are read");
	return true;
}

static bool on_index(struct rules *r)
{
	const struct ub_report *u = r->state;
	struct ub_row *row = r->open && u->n_categories ? ub_row_of(r, rules_group(r, 0)) : NULL;
	if (row)
		ub_index_row(r, row, rules_group(r, 1), rules_group(r, 2), 3);
	return false;
}

/* ---- scores ---- */

/* FINAL SCORE of version 4; SUM and AVERAGE of version 3, where the rows are rounded more than their sum. */
static bool on_old_score(struct rules *r)
{
	struct ub_report *u = r->state;
	struct slice name = rules_group(r, 0);
	struct quantity q;
	size_t n;
	if (!r->open || !u->n_categories || !rules_number(r, 1, &q))
		return false;
	bool final = slice_starts(name, "FINAL"), average = slice_starts(name, "AVERAGE");
	double expected = ub_mean(u, u->n_categories - 1, final, !final, &n);
	expected = average && n ? expected / (double)n : expected;
	bool sound = final ? ub_check_score(r, &q, expected, n, "the geometric mean")
		: fabs(q.value - expected) <= 0.05 * (double)n + 0.001 * expected
		|| ub_check_score(r, &q, expected, n, average ? "the mean" : "the sum");
	u->categories[u->n_categories - 1].scored = true;
	ub_add_index(r, ub_kept(r, name), &q, sound);
	return false;
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
#define NAME "(?<test>Dhrystone \\d (?:using|without) register variables|Double-Precision Whetstone|" \
	"Exec(?:l Throughput| System Call Overhead)(?: Test)?|" \
	"File (?:Copy|Read|Write)(?: +\\d+ bufsize \\d+ maxblocks| +\\(\\d+ seconds\\))|" \
	"Pipe(?: Throughput|-based Context Switching)(?: Test)?|Process Creation(?: Test)?|" \
	"S(?:hell [Ss]cripts \\(\\d+ concurrent\\)|ystem Call Overhead(?: Test)?)|" \
	"\\dD graphics: (?:(?:aa |complex )?polygons|circles|ellipses|images and blits|lines|rectangles|text|windows)|" \
	"\\dD graphics: gears|" \
	"Arithmetic Test \\([a-z =]{1,20}\\)|Arithoh|C Compiler Throughput|Dc: sqrt\\(\\d\\) to \\d+ decimal places|" \
	"Recursion Test ?-- ?Tower of Hanoi|Grep a large file \\(system's grep\\))"
/* At the start of a line of its own, whatever it is called. */
#define ANY_NAME "^(?<test>[A-Z0-9][\\w(][^|<>]{1,40}?)"
#define ROW " +(?<value>[\\d.]+) (?<unit>lps|lpm|fps|KBps|MWIPS|score) +\\([\\d.]+ s(?:ecs)?, (?<samples>\\d+) s"
#define COLUMNS " +(?<baseline>[\\d.]+|---) +(?<result>[\\d.]+) +(?<index>[\\d.]+|---)(?=\\s|$)"
#define CATEGORY "(?<category>System|\\dD Graphics|Graphics|Non-Index|[A-Z][\\w-]{1,20}) Benchmarks "

#define ROW_FIELDS FIELDS(KEEP("test"), KEEP("value"), KEEP("unit"), KEEP("samples"))
#define INDEX_FIELDS FIELDS(KEEP("test"), KEEP("baseline"), KEEP("result"), KEEP("index"))

static const struct rule rules[] = {
	{
		.id = "row", .to = START, .action = on_row, .flags = RULE_START | RULE_INSIDE,
		.pattern = NAME ROW, .fields = ROW_FIELDS,
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
		.id = "header", .to = START, .flags = RULE_START | RULE_INSIDE, .action = ub_on_header,
		.pattern = "BYTE UNIX Benchmarks \\(Version (?<version>\\d[\\w.]{0,20})\\)",
		.sample = "BYTE UNIX Benchmarks (Version 6.0.0)",
		.fields = FIELDS(KEEP("version")),
	},
	{ .id = "system", .in = START, .action = ub_in_report, .pattern = "^System: +(?<text>\\S.{0,200})$",
	  .sample = "System: vm: GNU/Linux", .fields = FIELDS({ .as = FIELD_META, .group = "text", .key = "system" }) },
	{ .id = "kernel", .in = START, .action = ub_in_report, .pattern = "^OS: +(?<text>\\S.{0,200})$",
	  .sample = "OS: GNU/Linux -- 6.1.0 -- #1 SMP", 
	  .fields = FIELDS({ .as = FIELD_META, .group = "text", .key = "kernel" }) },
	{ .id = "machine", .in = START, .action = ub_in_report, .pattern = "^Machine: +(?<text>\\S.{0,200})$",
	  .sample = "Machine: x86_64 (unknown)",
	  .fields = FIELDS({ .as = FIELD_META, .group = "text", .key = "machine" }) },
	{ .id = "cpu", .in = START, .action = ub_in_report,
	  .pattern = "^CPU \\d+: +(?<text>\\S.{0,200}?)(?: \\([\\d.]+ bogomips\\))?$",
	  .sample = "CPU 0: AMD EPYC (5192.3 bogomips)",
	  .fields = FIELDS({ .as = FIELD_META, .group = "text", .key = "cpu_model" }) },
	{
		.id = "run", .to = START, .flags = RULE_START | RULE_INSIDE, .action = ub_on_run,
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
		.id = "old-table", .to = INDEX, .flags = RULE_START, .action = on_table,
		.pattern = "TEST(?<category>) +BASELINE +RESULT +INDEX\\b",
		.sample = "TEST                                        BASELINE     RESULT      INDEX",
		.fields = FIELDS(KEEP("category")),
	}, {
		.id = "score", .in = INDEX, .action = ub_on_score,
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
	.tool = "unixbench", .rules = rules, .dialect = ub_dialect, .flat = true, .state_size = sizeof(struct ub_report),
	.finish = ub_finish,
};

static int probe(const struct peek *peek)
{
	static const char *const own[] = { "BYTE UNIX Benchmarks (Version ", "Benchmarks Index Values ",
		"Benchmarks Partial Index ", "parallel copy of tests", "parallel copies of tests", "Byte Magazine Unix Benchmark" };
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
