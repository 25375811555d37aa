/* UnixBench 5 and 6: its report as a web page, where a test's rate and index stand in one row. */
#include "parsers/unixbench_report.h"

static bool on_table(struct rules *r)
{
	ub_open(r);
	ub_category_of(r, rules_group(r, 0));
	return true;
}

static bool on_row(struct rules *r)
{
	enum { TEST, VALUE, UNIT, SAMPLES, BASELINE, INDEX };
	struct slice unit = rules_group(r, UNIT), baseline = rules_group(r, BASELINE);
	ub_open(r);
	struct ub_row *row = ub_row_of(r, rules_group(r, TEST));
	if (!row || row->run)
		return false;
	struct result *k = ub_add_rate(r, row, rules_group(r, VALUE), unit, *unit_find(ub_dialect, unit));
	if (k)
		ub_samples(r, k, rules_group(r, SAMPLES));
	if (k && baseline.p)
		ub_index_row(r, row, baseline, rules_group(r, VALUE), INDEX);
	return false;
}

#define CATEGORY "(?<category>[A-Z0-9][\\w -]{1,30}?) Benchmarks"

static const struct rule rules[] = {
	{
		.id = "row", .action = on_row,
		.pattern = "^(?<test>[A-Z0-9][^|<>]{1,60}?) +(?<value>[\\d.]+) +(?<unit>lps|lpm|fps|KBps|MWIPS|score) +[\\d.]+"
			" s "
			"+(?<samples>\\d+)(?: +(?<baseline>[\\d.]+) +(?<index>[\\d.]+))? *$",
		.sample = "Double-Precision Whetstone     4434.1     MWIPS     10.0 s     7     55.0     806.2",
		.fields = FIELDS(KEEP("test"), KEEP("value"), KEEP("unit"), KEEP("samples"), KEEP("baseline"), KEEP("index")),
	}, {
		.id = "header", .action = ub_on_header,
		.pattern = "BYTE UNIX Benchmarks \\(Version (?<version>\\d[\\w.]{0,20})\\)",
		.sample = "BYTE UNIX Benchmarks (Version 6.0.0)", .fields = FIELDS(KEEP("version")),
	},
	{ .id = "system", .action = ub_in_report, .pattern = "^System: +(?<text>\\S.{0,200}?) *$",
	  .sample = "System:     vm: GNU/Linux", .fields = FIELDS({ .as = FIELD_META, .group = "text", .key = "system" }) },
	{ .id = "kernel", .action = ub_in_report, .pattern = "^OS: +(?<text>\\S.{0,200}?) *$",
	  .sample = "OS:     GNU/Linux -- 6.1.0 -- #1 SMP", 
	  .fields = FIELDS({ .as = FIELD_META, .group = "text", .key = "kernel" }) },
	{ .id = "machine", .action = ub_in_report, .pattern = "^Machine: +(?<text>\\S.{0,200}?) *$",
	  .sample = "Machine:     x86_64: unknown", 
	  .fields = FIELDS({ .as = FIELD_META, .group = "text", .key = "machine" }) },
	{ .id = "cpu", .action = ub_in_report,
	  .pattern = "^CPUs: +\\d+: +(?<text>\\S.{0,200}?)(?: \\([\\d.]+ bogomips\\))? *$",
	  .sample = "CPUs:     0:     AMD EPYC (5192.3 bogomips)",
	  .fields = FIELDS({ .as = FIELD_META, .group = "text", .key = "cpu_model" }) },
	{
		.id = "run", .action = ub_on_run,
		.pattern = "^Benchmark Run: (?<cpus>\\d+) CPUs?; (?<copies>\\d+) parallel process(?:es)? *$",
		.sample = "Benchmark Run: 2 CPUs; 1 parallel process",
		.fields = FIELDS({ .as = FIELD_OPTION, .group = "cpus", .key = "cpus" },
			{ .as = FIELD_PARAM, .group = "copies", .key = "copies" }),
	}, {
		.id = "time", .pattern = "^Time: (?<when>\\d\\d:\\d\\d:\\d\\d - \\d\\d:\\d\\d:\\d\\d);",
		.sample = "Time: 11:40:06 - 11:41:17; 1m 11s",
		.fields = FIELDS({ .as = FIELD_OPTION, .group = "when", .key = "when" }),
	}, {
		.id = "table", .action = on_table,
		.pattern = "^" CATEGORY "(?: (?:---|\xe2\x80\x94) not all index tests were run; only a partial index score is "
			"available)? *$",
		.sample = "System Benchmarks", .fields = FIELDS(KEEP("category")),
	}, {
		.id = "score", .action = ub_on_score,
		.pattern = "^" CATEGORY " Index Score(?<partial> \\(Partial Only\\))?: +(?<score>[\\d.]+) *$",
		.sample = "Non-Index Benchmarks Index Score (Partial Only):     85.8",
		.fields = FIELDS(KEEP("category"), KEEP("partial"), KEEP("score")),
	},
	{ .id = NULL }
};

static const struct ruleset set = {
	.tool = "unixbench", .rules = rules, .dialect = ub_dialect, .flat = true,
	.state_size = sizeof(struct ub_report), .finish = ub_finish,
};

static int probe(const struct peek *peek)
{
	static const char *const own[] = { "<b>BYTE UNIX Benchmarks (Version ", "<h3>Benchmark Run: " };
	if (!slice_starts(slice_trim(peek->head), "<"))
		return 0;
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (slice_find(peek->head, slice_of(own[i])) != (size_t)-1)
			return 8 * (int)strlen(own[i]);
	return 0;
}

const struct parser parser_unixbench_html = {
	.name = "unixbench-html", .title = "UnixBench HTML report", .tool = "unixbench", .probe = probe, .rules = &set,
};
