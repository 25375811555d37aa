/* BabelStream, up to 1.0 called GPU-STREAM: its table as text, and as CSV. */
#include "base/num.h"
#include "parsers/rate_check.h"

struct babel {
	bool tabled;
	struct unit_scale rate; /* of the table's column */
	double elements, size;  /* of an array; 0: not known */
	struct pos pos;
};

#define UNITS(m, mi) { m, UNIT_B_PER_S, 1e6 }, { mi, UNIT_B_PER_S, 0x1p20 }
#define LARGER_UNITS(g, gi, t, ti) { g, UNIT_B_PER_S, 1e9 }, { gi, UNIT_B_PER_S, 0x1p30 }, \
	{ t, UNIT_B_PER_S, 1e12 }, { ti, UNIT_B_PER_S, 0x1p40 }

static const struct unit_scale dialect[] = {
	UNITS("MBytes/sec", "MiBytes/sec"), UNITS("MB/s", "MiB/s"), UNITS("mbytes", "mibytes"), UNITS("MB", "MiB"),
	LARGER_UNITS("GB/s", "GiB/s", "TB/s", "TiB/s"), LARGER_UNITS("GB", "GiB", "TB", "TiB"),
	{ " s", UNIT_S, 1 },
	{ NULL, UNIT_ONE, 0 }
};

static void begin(struct rules *r)
{
	struct babel *b = r->state;
	rules_begin(r);
	*b = (struct babel){ .pos = rules_here(r) };
}

static bool on_header(struct rules *r)
{
	rules_next_run(r);
	begin(r);
	return true;
}

static bool on_table(struct rules *r)
{
	struct babel *b = r->state;
	if (!r->open || b->tabled)
		begin(r);
	b->tabled = true;
	b->rate = *unit_find(dialect, rules_group(r, 0));
	b->rate.spelling = arena_printf(r->parse->arena, " %s", b->rate.spelling);
	return true;
}

/* The heading names the unit; nothing stands at the numbers. */
static bool on_csv(struct rules *r)
{
	struct babel *b = r->state;
	on_table(r);
	b->rate.spelling = NULL;
	return true;
}

static bool on_elements(struct rules *r)
{
	struct babel *b = r->state;
	num_double(rules_group(r, 0), &b->elements);
	return r->open;
}

static bool on_precision(struct rules *r)
{
	struct babel *b = r->state;
	b->size = slice_is(rules_group(r, 0), "double") ? 8 : 4;
	return true;
}

static double arrays_moved(struct slice test)
{
	return slice_is(test, "Nstream") ? 4 : slice_is(test, "Add") || slice_is(test, "Triad") ? 3 : 2;
}

static void check_rate(struct rules *r, struct result *rate, struct slice test, const struct quantity *min)
{
	const struct babel *b = r->state;
	double moved = arrays_moved(test) * b->elements * b->size, computed = moved / min->value;
	if (moved <= 0 || min->value <= 0)
		return;
	rules_agree(r, rate, computed, computed * min->half_digit / min->value, "bytes / minimum time");
	rules_derive(r, METRIC_BANDWIDTH, "recomputed", computed, min->pos)->test = test;
}

static bool on_row(struct rules *r)
{
	static const struct unit_scale seconds = { NULL, UNIT_S, 1 };
	static const char *const stats[] = { "min", "max", "mean" };
	const struct babel *b = r->state;
	struct slice test = rules_group(r, 0);
	struct quantity q, min = { .value = 0 };
	if (r->text->copied)
		test = arena_copy(r->parse->arena, test);
	if (!b->tabled)
		return false;
	size_t at, n;
	rules_results(r, &at);
	bool has_rate = rules_read(r, rules_group(r, 1), SLICE_NONE, b->rate, &q);
	if (has_rate)
		rules_result(r, METRIC_BANDWIDTH, "max", &q)->test = test;
	for (unsigned i = 0; i < 3; i++) {
		if (!rules_read(r, rules_group(r, 2 + i), SLICE_NONE, seconds, &q))
			continue;
		rules_result(r, METRIC_RUNTIME, stats[i], &q)->test = test;
		if (i == 0)
			min = q;
	}
	if (has_rate)
		check_rate(r, &rules_results(r, &n)[at], test, &min);
	return true;
}

static bool on_csv_row(struct rules *r)
{
	struct babel *b = r->state;
	num_double(rules_group(r, 5), &b->elements);
	num_double(rules_group(r, 6), &b->size);
	return on_row(r);
}

/* A run of one kernel: its time is that of all passes. */
static bool on_total(struct rules *r)
{
	struct babel *b = r->state;
	b->tabled = true;
	return r->open;
}

static bool on_failed(struct rules *r)
{
	struct quantity q = { .unit = UNIT_ONE, .text = rules_group(r, 0), .pos = rules_here(r) };
	if (!r->open)
		begin(r);
	if (!rules_find(r, METRIC_VALID, "value"))
		rules_result(r, METRIC_VALID, "value", &q);
	rules_diag(r, DIAG_WARNING, q.pos, "the results of this run were wrong: its rates prove nothing");
	return false;
}

static void finish(struct rules *r)
{
	const struct babel *b = r->state;
	if (b->tabled)
		return;
	rules_diag(r, DIAG_WARNING, b->pos, "BabelStream's output ends before its table of rates");
	rules_drop(r);
}

enum { START = 1, TABLE = 2, CSV = 4 };

#define TEST "(?<test>Copy|Mul|Add|Triad|Dot|Nstream)"
#define NUMBER(name) "(?<" name ">[\\d.]+(?:e[-+]?\\d+)?)"
#define ROW_KEEPS KEEP("test"), KEEP("rate"), KEEP("min"), KEEP("max"), KEEP("mean")
#define TRIAD_FIELD { .as = FIELD_TEST, .text = "Triad" }

static const struct rule rules[] = {
	{
		.id = "row", .in = TABLE, .action = on_row,
		.pattern = TEST " +" NUMBER("rate") " +" NUMBER("min") " +" NUMBER("max") " +" NUMBER("mean")
			"(?=\\s|$)",
		.sample = "Copy        96934.200   0.00825     0.00911     0.00887",
		.fields = FIELDS(ROW_KEEPS),
	}, {
		.id = "csv-row", .in = CSV, .action = on_csv_row,
		.pattern = "^" TEST ",\\d+,(?<elements>\\d+),(?<size>\\d+)," NUMBER("rate")
			"," NUMBER("min") "," NUMBER("max") "," NUMBER("mean") "$",
		.sample = "Copy,5,1048576,8,26674.8,0.000628954,0.0233108,0.00910031",
		.fields = FIELDS(ROW_KEEPS, { .as = FIELD_PARAM, .group = "elements", .key = "array_size" },
			{ .as = FIELD_PARAM, .group = "size", .key = "element_size" }),
	}, {
		/* Prose names it, too: a page's section begins only where it stands alone. */
		.id = "header-line", .to = START, .flags = RULE_START, .action = on_header,
		.pattern = "^(?:BabelStream|GPU-STREAM)$",
		.sample = "BabelStream",
	}, {
		.id = "header", .to = START, .flags = RULE_INSIDE, .action = on_header,
		.pattern = "(?:BabelStream|GPU-STREAM)(?=\\s|$)",
		.sample = "BabelStream and more",
	}, {
		.id = "version", .in = START, .pattern = "Version: (?<version>\\d[\\d.]{0,12})", .sample = "Version: 4.0",
		.fields = FIELDS({ .as = FIELD_VERSION, .group = "version" }),
	}, {
		.id = "implementation", .in = START, .pattern = "Implementation: (?<text>\\S.{0,60}?)(?= Running| Precision|$)",
		.sample = "Implementation: OpenMP",
		.fields = FIELDS({ .as = FIELD_OPTION, .group = "text", .key = "implementation" }),
	}, {
		.id = "elements", .in = START, .action = on_elements, .pattern = "Number of elements: (?<n>\\d+)",
		.sample = "Number of elements: 1048576",
		.fields = FIELDS({ .as = FIELD_PARAM, .group = "n", .key = "array_size" }),
	}, {
		.id = "precision", .in = START, .action = on_precision,
		.pattern = "Precision: (?<text>double|float|single)\\b", .sample = "Precision: double",
		.fields = FIELDS({ .as = FIELD_PARAM, .group = "text", .key = "element_size",
			.words = WORDS({ "double", "8" }, { "float", "4" }, { "single", "4" }) }),
	}, {
		.id = "table", .to = TABLE, .flags = RULE_START | RULE_INSIDE, .action = on_table,
		.pattern = "Function +(?<unit>Mi?Bytes/sec|[MGT]i?B/s) +Min \\(sec\\) +Max +Average\\b",
		.sample = "Function    MBytes/sec  Min (sec)   Max         Average", .fields = FIELDS(KEEP("unit")),
	}, {
		.id = "csv", .to = CSV, .flags = RULE_START, .action = on_csv,
		.pattern = "function,num_times,n_elements,sizeof,max_(?<unit>mi?bytes|[MGT]i?B)_per_sec,"
			"min_runtime,max_runtime,avg_runtime$",
		.sample = "function,num_times,n_elements,sizeof,max_mbytes_per_sec,min_runtime,max_runtime,avg_runtime",
		.fields = FIELDS(KEEP("unit")),
	}, {
		.id = "triad-time", .action = on_total,
		.pattern = "Runtime \\(seconds\\): +" NUMBER("time"), .sample = "Runtime (seconds): 0.03275",
		.fields = FIELDS(TRIAD_FIELD,
			{ .as = FIELD_RESULT, .group = "time", .metric = METRIC_RUNTIME, .stat = "value", .unit = " s" }),
	}, {
		.id = "triad-rate", .action = on_total,
		.pattern = "Bandwidth \\((?<unit>Gi?B/s)\\): +" NUMBER("rate"), .sample = "Bandwidth (GB/s):  3.842",
		.fields = FIELDS(TRIAD_FIELD,
			{ .as = FIELD_RESULT, .group = "rate", .metric = METRIC_BANDWIDTH, .stat = "mean", .unit_group = "unit" }),
	}, {
		.id = "failed", .action = on_failed, .pattern = "(?<text>Validation failed on [\\w\\[\\]]{1,12})",
		.sample = "Validation failed on a[]. Average error 0.1", .fields = FIELDS(KEEP("text")),
	},
	{ .id = NULL }
};

static const struct ruleset set = {
	.tool = "babelstream", .rules = rules, .dialect = dialect, .flat = true, .state_size = sizeof(struct babel),
	.finish = finish,
};

static int probe(const struct peek *peek)
{
	static const char *const own[] = { "MBytes/sec  Min (sec)", "MiBytes/sec  Min (sec)", "MBytes/sec Min (sec)" };
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (slice_find(peek->head, slice_of(own[i])) != (size_t)-1)
			return 8 * (int)strlen(own[i]);
	return 0;
}

const struct parser parser_babelstream = {
	.name = "babelstream", .title = "BabelStream text", .tool = "babelstream", .probe = probe, .rules = &set,
};
