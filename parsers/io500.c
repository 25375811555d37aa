/* IO500: result_summary.txt (of the scripts and of the app) and result.txt.
 *
 * BW and MD are geometric means of the phases of the list below, TOTAL is the root of their product. Scores of phases and
 * BW are in GiB/s whatever some versions call them. */
#include "parsers/rules.h"

#include "base/num.h"

#include <math.h>

static const struct unit_scale dialect[] = {
	{ "GiB/s", UNIT_B_PER_S, 0x1p30 },
	{ "MiB/s", UNIT_B_PER_S, 0x1p20 },
	{ "kIOPS", UNIT_PER_S, 1e3 },
	{ "kiops", UNIT_PER_S, 1e3 },
	{ NULL, UNIT_ONE, 0 }
};

enum { START = 1, PHASE = 2, SCORES = 4 };
enum { BW, MD, KINDS };

/* What counts into the two means, and how many phases of each there are. */
static const struct { const char *name; unsigned kind; } scored[] = {
	{ "ior-easy-write", BW }, { "ior-hard-write", BW }, { "ior-easy-read", BW }, { "ior-hard-read", BW },
	{ "mdtest-easy-write", MD }, { "mdtest-hard-write", MD }, { "find", MD }, { "mdtest-easy-stat", MD },
	{ "mdtest-hard-stat", MD }, { "mdtest-easy-delete", MD }, { "mdtest-hard-read", MD }, { "mdtest-hard-delete", MD },
};
enum { SCORED = sizeof scored / sizeof *scored };

struct io500 {
	struct slice phase;     /* of result.txt */
	bool extended;
	double value[SCORED], half_digit[SCORED];
	bool seen[SCORED];
};

/* ---- phases ---- */

/* The scripts wrote ior_easy_write. */
static struct slice phase_name(struct rules *r, struct slice printed)
{
	char *name = arena_alloc(r->parse->arena, printed.n + 1);
	for (size_t i = 0; i < printed.n; i++)
		name[i] = printed.p[i] == '_' ? '-' : printed.p[i];
	return (struct slice){ name, printed.n };
}

static void see(struct io500 *s, struct slice phase, const struct quantity *q)
{
	for (size_t i = 0; i < SCORED; i++)
		if (slice_is(phase, scored[i].name)) {
			double unit = scored[i].kind == BW ? 0x1p30 : 1e3;
			s->value[i] = q->value / unit;
			s->half_digit[i] = q->half_digit / unit;
			s->seen[i] = q->value > 0;
		}
}

static void give(struct rules *r, struct slice phase, enum metric_id metric, const struct quantity *q, bool valid)
{
	rules_untag(r);
	rules_tag(r, "valid", valid ? SLICE("yes") : SLICE("no"), rules_here(r));
	rules_result(r, metric, "value", q)->test = phase;
}

static bool says_invalid(const struct rules *r)
{
	struct slice line = r->text->line;
	return slice_find(line, SLICE("[INVALID]")) != (size_t)-1 || slice_find(line, SLICE("-invalid]")) != (size_t)-1;
}

enum { LINE_PHASE, LINE_VALUE, LINE_UNIT, LINE_TIME };

static bool on_line(struct rules *r)
{
	struct slice phase = phase_name(r, rules_group(r, LINE_PHASE)), unit = rules_group(r, LINE_UNIT);
	const struct unit_scale *scale = unit_find(dialect, unit);
	struct quantity q;
	if (scale && rules_read(r, rules_group(r, LINE_VALUE), unit, *scale, &q)) {
		see(r->state, phase, &q);
		give(r, phase, scale->unit == UNIT_PER_S ? METRIC_RATE : METRIC_BANDWIDTH, &q, !says_invalid(r));
	}
	if (rules_read(r, rules_group(r, LINE_TIME), SLICE_NONE, (struct unit_scale){ " seconds", UNIT_S, 1 }, &q))
		give(r, phase, METRIC_RUNTIME, &q, !says_invalid(r));
	return false;
}

/* ---- result.txt ---- */

static bool on_section(struct rules *r)
{
	struct io500 *s = r->state;
	struct slice name = rules_group(r, 0);
	bool scores = slice_starts(name, "SCORE");
	s->phase = arena_copy(r->parse->arena, name);
	s->extended = slice_is(name, "SCOREX");
	r->section = scores ? SCORES : PHASE;
	return true;
}

static bool on_score(struct rules *r)
{
	struct io500 *s = r->state;
	bool ior = slice_starts(s->phase, "ior-");
	struct unit_scale scale = ior ? (struct unit_scale){ " GiB/s", UNIT_B_PER_S, 0x1p30 } :
		(struct unit_scale){ " kIOPS", UNIT_PER_S, 1e3 };
	struct quantity q;
	if (!rules_read(r, rules_group(r, 0), SLICE_NONE, scale, &q))
		return false;
	see(s, s->phase, &q);
	give(r, s->phase, ior ? METRIC_BANDWIDTH : METRIC_RATE, &q, !says_invalid(r));
	return false;
}

static bool on_time(struct rules *r)
{
	struct io500 *s = r->state;
	struct quantity q;
	if (slice_is(s->phase, "timestamp") || slice_is(s->phase, "run"))
		return false;
	if (rules_read(r, rules_group(r, 0), SLICE_NONE, (struct unit_scale){ " s", UNIT_S, 1 }, &q))
		give(r, s->phase, METRIC_RUNTIME, &q, true);
	return false;
}

/* ---- scores ---- */

static const char *const kinds[] = { [BW] = "BW", [MD] = "MD" };

/* Geometric mean of the phases; false when one is missing. */
static bool mean_of(const struct io500 *s, unsigned kind, double *mean, double *slack)
{
	double sum = 0;
	unsigned n = 0;
	*slack = 0;
	for (size_t i = 0; i < SCORED; i++) {
		if (scored[i].kind != kind)
			continue;
		if (!s->seen[i])
			return false;
		sum += log(s->value[i]);
		*slack += s->half_digit[i] / s->value[i];
		n++;
	}
	*mean = exp(sum / n);
	*slack *= *mean / n;
	return true;
}

static void compare(struct rules *r, const char *what, const struct quantity *printed, double recomputed, double slack)
{
	struct quantity q = { .value = recomputed, .unit = UNIT_ONE, .pos = printed->pos };
	struct result *k = rules_result(r, METRIC_INDEX, "recomputed", &q);
	k->test = slice_of(what);
	k->flags = RESULT_DERIVED;
	if (fabs(recomputed - printed->value) > slack + printed->half_digit + 1e-6 * recomputed)
		rules_diag(r, DIAG_WARNING, printed->pos, "%.*s was printed as %s, but the phases give %.6f", SLICE_ARG(printed->text),
			what, recomputed);
}

static void score(struct rules *r, const char *what, struct slice text, struct slice unit)
{
	const struct io500 *s = r->state;
	struct quantity q;
	double bw, md, slack, other;
	if (!rules_read(r, text, unit, (struct unit_scale){ NULL, UNIT_ONE, 1 }, &q))
		return;
	rules_untag(r);
	rules_tag(r, "valid", says_invalid(r) ? SLICE("no") : SLICE("yes"), rules_here(r));
	if (s->extended)
		rules_tag(r, "extended", SLICE("yes"), rules_here(r));
	rules_result(r, METRIC_INDEX, "value", &q)->test = slice_of(what);
	for (unsigned kind = 0; kind < KINDS && !s->extended; kind++)
		if (strcmp(what, kinds[kind]) == 0 && mean_of(s, kind, &bw, &slack))
			compare(r, what, &q, bw, slack);
	if (strcmp(what, "TOTAL") == 0 && !s->extended && mean_of(s, BW, &bw, &slack) && mean_of(s, MD, &md, &other))
		compare(r, what, &q, sqrt(bw * md), sqrt(bw * md) * 0.5 * (slack / bw + other / md));
}

static bool on_scores(struct rules *r)
{
	enum { KIND, BANDWIDTH, BANDWIDTH_UNIT, IOPS, IOPS_UNIT, TOTAL };
	struct io500 *s = r->state;
	s->extended = slice_is(rules_group(r, KIND), "X");
	score(r, "BW", rules_group(r, BANDWIDTH), rules_group(r, BANDWIDTH_UNIT));
	score(r, "MD", rules_group(r, IOPS), rules_group(r, IOPS_UNIT));
	score(r, "TOTAL", rules_group(r, TOTAL), SLICE_NONE);
	return false;
}

static bool on_score_line(struct rules *r)
{
	struct slice kind = rules_group(r, 0);
	score(r, slice_is(kind, "BW") ? "BW" : slice_is(kind, "MD") ? "MD" : "TOTAL", rules_group(r, 1), SLICE_NONE);
	return false;
}

/* ---- the table ---- */

static const struct rule rules[] = {
	{
		.id = "line", .action = on_line,
		.pattern = "\\[RESULT(?:-invalid)?\\] +(?:(?:BW|IOPS) +phase +\\d+ +)?(?<phase>[A-Za-z][-\\w]*) +"
			"(?<value>[\\d.]+) "
			"(?<unit>[GM]iB/s|k(?:IOPS|iops)) *: time +(?<time>[\\d.]+) seconds",
		.sample = "[RESULT] BW   phase 1            ior_easy_write               90.976 GiB/s : time 370.78 seconds",
		.fields = FIELDS(KEEP("phase"), KEEP("value"), KEEP("unit"), KEEP("time")),
	}, {
		.id = "scores", .action = on_scores,
		.pattern = "\\[SCORE(?<x>X)? ?(?:-invalid)?\\] +Bandwidth (?<bw>[\\d.]+) (?<bw_unit>G(?:i?B)/s) : IOPS "
			"(?<md>[\\d.]+) "
			"(?<md_unit>k(?:iops|IOPS)) : TOTAL (?<total>[\\d.]+)",
		.sample = "[SCORE ] Bandwidth 38.946132 GiB/s : IOPS 3948.473577 kiops : TOTAL 392.145093",
		.fields = FIELDS(KEEP("x"), KEEP("bw"), KEEP("bw_unit"), KEEP("md"), KEEP("md_unit"), KEEP("total")),
	}, {
		.id = "version", .in = START,
		.pattern = "IO\\d{3} version (?<version>\\S+)", .sample = "IO500 version io500-isc23 (standard)",
		.fields = FIELDS({ .as = FIELD_VERSION, .group = "version" }),
	}, {
		.id = "section", .action = on_section,
		.pattern = "\\[(?<name>[A-Za-z][-\\w]*)\\]$", .sample = "[ior-easy-write]", .fields = FIELDS(KEEP("name")),
	}, {
		.id = "version of result.txt", .in = START | PHASE,
		.pattern = "version +=[ \\t]*(?<version>\\S+)", .sample = "version         = io500-isc24_v3",
		.fields = FIELDS({ .as = FIELD_VERSION, .group = "version" }),
	}, {
		.id = "processes", .in = START | PHASE,
		.pattern = "procs +=[ \\t]*(?<procs>\\d+)", .sample = "procs           = 640",
		.fields = FIELDS({ .as = FIELD_OPTION, .group = "procs", .key = "procs" }),
	}, {
		.id = "score", .in = PHASE, .action = on_score,
		.pattern = "score +=[ \\t]*(?<score>[-\\d.]+)", .sample = "score           = 352.803032",
		.fields = FIELDS(KEEP("score")),
	}, {
		.id = "time", .in = PHASE, .action = on_time,
		.pattern = "t_delta +=[ \\t]*(?<time>[\\d.]+)", .sample = "t_delta         = 386.6981",
		.fields = FIELDS(KEEP("time")),
	}, {
		.id = "score line", .in = SCORES, .action = on_score_line,
		.pattern = "(?<kind>MD|BW|SCORE) +=[ \\t]*(?<value>[\\d.]+)", .sample = "SCORE           = 153.386640",
		.fields = FIELDS(KEEP("kind"), KEEP("value")),
	},
	{ .id = NULL }
};

static const struct ruleset set = {
	.tool = "io500", .rules = rules, .dialect = dialect, .state_size = sizeof(struct io500),
};

static bool holds(struct slice text, const char *word)
{
	return slice_find(text, slice_of(word)) != (size_t)-1;
}

static int probe(const struct peek *peek)
{
	if (holds(peek->head, "IO500 version ") || holds(peek->head, "[SCORE] Bandwidth ") || holds(peek->head, "[SCORE ] Bandwidth "))
		return 8 * 14;
	if (holds(peek->head, "[RESULT]") && holds(peek->head, " seconds") && holds(peek->head, " GiB/s"))
		return 8 * 12;
	return holds(peek->head, "[ior-easy-write]") && holds(peek->head, "\nt_start ") ? 8 * 24 : 0;
}

/* The lines that begin its output between other tools'. */
static const struct rule starts[] = {
	{ .id = "version", .pattern = "IO\\d{3} version \\S",
	  .sample = "IO500 version io500-isc23 (standard)" },
	{ .id = "phase", .pattern = "\\[ior-(?:easy|hard)-write\\]$", .sample = "[ior-easy-write]" },
	{ .id = "result",
	  .pattern = "\\[RESULT(?:-invalid)?\\] +(?:(?:BW|IOPS) +phase +\\d+ +)?[a-z]\\S* +[\\d.]+ "
	    "(?:[GM]iB/s|k(?:IOPS|iops)) *: time ",
	  .sample = "[RESULT]       ior-easy-write       90.976 GiB/s : time 370.78 seconds" },
	{ .id = "scores", .pattern = "\\[SCOREX? ?(?:-invalid)?\\] +Bandwidth [\\d.]",
	  .sample = "[SCORE ] Bandwidth 38.946132 GiB/s : IOPS 3948.473577 kiops : TOTAL 392.145093" },
	{ .id = NULL }
};

const struct parser parser_io500 = {
	.name = "io500", .title = "IO500 results", .tool = "io500", .probe = probe, .rules = &set,
	.starts = starts,
};
