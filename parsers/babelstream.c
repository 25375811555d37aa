/* BabelStream, up to 1.0 called GPU-STREAM: its table as text. */
#include "parsers/rules.h"

#include "base/num.h"

#include <math.h>

#define MB 1e6

struct babel {
	bool tabled;
	struct slice version;
	struct slice unit; /* "MBytes/sec", "MiBytes/sec" */
	struct pos pos;
};

static const struct unit_scale dialect[] = {
	{ "MBytes/sec", UNIT_B_PER_S, MB },
	{ "MiBytes/sec", UNIT_B_PER_S, 0x1p20 },
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
	b->unit = slice_of(unit_find(dialect, rules_group(r, 0))->spelling);
	return true;
}

static bool on_row(struct rules *r)
{
	static const struct unit_scale seconds = { NULL, UNIT_S, 1 };
	static const char *const stats[] = { "min", "max", "mean" };
	const struct babel *b = r->state;
	struct slice test = rules_group(r, 0);
	struct quantity q;
	if (r->text->copied)
		test = arena_copy(r->parse->arena, test);
	if (!b->tabled)
		return false;
	struct unit_scale rate = *unit_find(dialect, b->unit);
	rate.spelling = slice_is(b->unit, "MBytes/sec") ? " MBytes/sec" : " MiBytes/sec";
	if (rules_read(r, rules_group(r, 1), SLICE_NONE, rate, &q))
		rules_result(r, METRIC_BANDWIDTH, "max", &q)->test = test;
	for (unsigned i = 0; i < 3; i++)
		if (rules_read(r, rules_group(r, 2 + i), SLICE_NONE, seconds, &q))
			rules_result(r, METRIC_RUNTIME, stats[i], &q)->test = test;
	return false;
}

static bool on_failed(struct rules *r)
{
	struct quantity q = { .unit = UNIT_ONE, .text = rules_group(r, 0), .pos = rules_here(r) };
	if (!r->open)
		return false;
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

enum { START = 1, TABLE = 2 };

static const struct rule rules[] = {
	{
		.id = "row", .in = TABLE, .action = on_row,
		.pattern = "(?<test>Copy|Mul|Add|Triad|Dot|Nstream) +(?<rate>[\\d.]+) +(?<min>[\\d.]+) +(?<max>[\\d.]+) +"
			"(?<mean>[\\d.]+)(?=\\s|$)",
		.sample = "Copy        96934.200   0.00825     0.00911     0.00887",
		.fields = FIELDS(KEEP("test"), KEEP("rate"), KEEP("min"), KEEP("max"), KEEP("mean")),
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
		.id = "precision", .in = START, .pattern = "Precision: (?<text>double|float|single)\\b",
		.sample = "Precision: double",
		.fields = FIELDS({ .as = FIELD_PARAM, .group = "text", .key = "element_size",
			.words = WORDS({ "double", "8" }, { "float", "4" }, { "single", "4" }) }),
	}, {
		.id = "table", .to = TABLE, .flags = RULE_START | RULE_INSIDE, .action = on_table,
		.pattern = "Function +(?<unit>MBytes/sec|MiBytes/sec) +Min \\(sec\\) +Max +Average\\b",
		.sample = "Function    MBytes/sec  Min (sec)   Max         Average", .fields = FIELDS(KEEP("unit")),
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
