/* elbencho's results as text. Of its two columns the second is given: what was reached when the last thread had finished.
 * The first one is the state when the first thread had. */
#include "parsers/rules.h"

#include "base/num.h"
#include "parsers/date.h"

#include <math.h>

enum { START = 1, TABLE = 2 };

static const struct unit_scale durations[] = {
	{ "ms", UNIT_S, 1e-3 }, { "us", UNIT_S, 1e-6 }, { "ns", UNIT_S, 1e-9 }, { "s", UNIT_S, 1 }, { "m", UNIT_S, 60 },
	{ "h", UNIT_S, 3600 }, { "d", UNIT_S, 86400 }, { NULL, UNIT_ONE, 0 }
};

struct elbencho {
	struct slice command;
	struct pos command_pos;
	double started;
};

/* "2m3.241s": each number up to its unit, largest first. */
static bool duration(struct rules *r, struct slice text, struct quantity *q)
{
	struct slice rest = text;
	*q = (struct quantity){ .unit = UNIT_S, .text = text, .pos = rules_pos(r, text.p) };
	while (rest.n) {
		size_t digits = num_span(rest), letters = digits;
		double part, half;
		while (letters < rest.n && rest.p[letters] >= 'a' && rest.p[letters] <= 'z')
			letters++;
		const struct unit_scale *scale = unit_find(durations, (struct slice){ rest.p + digits, letters - digits });
		if (!digits || !scale || num_printed(slice_head(rest, digits), scale->factor, &part, &half) != NUM_OK) {
			rules_diag(r, DIAG_WARNING, rules_pos(r, text.p), "'%.*s' is no duration: no value is reported",
				SLICE_ARG(slice_head(text, 40)));
			return false;
		}
		q->value += part;
		q->half_digit = half;
		rest = slice_from(rest, letters);
	}
	return text.n > 0;
}

static bool cut(const struct rules *r)
{
	return r->text->cut;
}

/* ---- an operation ---- */

static bool on_operation(struct rules *r)
{
	enum { OPERATION, LAST };
	struct elbencho *s = r->state;
	struct slice name = rules_group(r, OPERATION);
	struct quantity q;
	rules_begin(r);
	rules_name(r, name);
	if (slice_is(name, "WRITE") || slice_is(name, "READ"))
		rules_param(r, "op", slice_is(name, "READ") ? SLICE("read") : SLICE("write"), rules_here(r));
	if (s->command.n)
		rules_option(r, "command", s->command, s->command_pos);
	rules_times(r, s->started > 0 ? s->started : NAN, NAN);
	if (!cut(r) && duration(r, rules_group(r, LAST), &q))
		rules_result(r, METRIC_RUNTIME, "value", &q);
	return false;
}

static const struct figure {
	const char *kind;
	enum metric_id metric;
	const char *stat;
	double factor;
	const char *unit;
} figures[] = {
	{ "IOPS", METRIC_IOPS, "value", 1, NULL },
	{ "Throughput MiB/s", METRIC_BANDWIDTH, "value", 0x1p20, " MiB/s" },
	{ "Total MiB", METRIC_IO, "value", 0x1p20, " MiB" },
	{ "CPU util %", METRIC_CPU_UTIL, "value", 1, " %" },
};

/* Files, dirs, objects and buckets are entries. */
static bool on_figure(struct rules *r)
{
	enum { KIND, LAST };
	struct slice kind = rules_group(r, KIND);
	struct figure f = { NULL, METRIC_RATE, "value", 1, NULL };
	struct quantity q;
	if (cut(r))
		return false;
	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
		if (slice_is(kind, figures[i].kind))
			f = figures[i];
	if (slice_ends(kind, " total"))
		f = (struct figure){ NULL, METRIC_REQUESTS, "count", 1, NULL };
	if (!f.kind)
		rules_tag(r, "of", slice_head(kind, slice_find_char(kind, slice_ends(kind, "/s") ? '/' : ' ')), rules_here(r));
	if (rules_read(r, rules_group(r, LAST), SLICE_NONE, (struct unit_scale){ f.unit, metric_get(f.metric)->unit, f.factor }, &q))
		rules_result(r, f.metric, f.stat, &q);
	return false;
}

static bool on_latency(struct rules *r)
{
	enum { KIND, MIN };
	static const char *const stats[] = { "min", "mean", "max" };
	struct slice kind = rules_group(r, KIND);
	struct quantity q;
	if (!slice_is(kind, "IO"))
		rules_tag(r, "of", kind, rules_here(r));
	for (unsigned i = 0; i < 3; i++)
		if (duration(r, rules_group(r, MIN + i), &q))
			rules_result(r, METRIC_LATENCY, stats[i], &q);
	return false;
}

/* ---- around it ---- */

static bool on_date(struct rules *r)
{
	struct elbencho *s = r->state;
	bool zoned;
	double started = date_read(rules_group(r, 0), &zoned);
	rules_end(r);
	s->started = zoned && !isnan(started) ? started : 0;
	s->command = SLICE_NONE;
	return true;
}

static bool on_command(struct rules *r)
{
	struct elbencho *s = r->state;
	s->command = arena_copy(r->parse->arena, slice_trim(rules_group(r, 0)));
	s->command_pos = rules_here(r);
	return true;
}

static bool on_end(struct rules *r)
{
	rules_end(r);
	return true;
}

#define TWO " *: +\\S+ +(?<last>\\S+) *$"

static const struct rule rules[] = {
	{
		.id = "operation", .in = TABLE, .action = on_operation,
		.pattern = "(?<operation>[A-Z][A-Z0-9_]+) +Elapsed time" TWO,
		.sample = "WRITE       Elapsed time     :    2m3.241s    2m5.755s",
		.fields = FIELDS(KEEP("operation"), KEEP("last")),
	}, {
		.id = "figure", .in = TABLE, .action = on_figure,
		.pattern = "(?<kind>IOPS|Throughput MiB/s|Total MiB|CPU util %|(?:Files|Dirs|Objects|Buckets|Entries)"
			"(?:/s| total))" TWO,
		.sample = "Throughput MiB/s :       33395       33352", .fields = FIELDS(KEEP("kind"), KEEP("last")),
	}, {
		.id = "latency", .in = TABLE, .action = on_latency,
		.pattern = "(?<kind>IO|Files|Dirs|Objects|Buckets|Entries) latency +: \\[ min=(?<min>\\S+) avg=(?<mean>\\S+)"
			" max=(?<max>\\S+) \\]",
		.sample = "Files latency    : [ min=108us avg=469us max=14.5ms ]",
		.fields = FIELDS(KEEP("kind"), KEEP("min"), KEEP("mean"), KEEP("max")),
	}, {
		.id = "heading", .to = TABLE, .flags = RULE_START,
		.pattern = "OPERATION +RESULT TYPE +FIRST DONE +LAST DONE",
		.sample = "OPERATION   RESULT TYPE         FIRST DONE   LAST DONE",
	}, {
		.id = "end", .in = TABLE, .action = on_end, .pattern = "---$", .sample = "---",
	}, {
		.id = "date", .to = START, .action = on_date,
		.pattern = "ISO DATE(?: start)?: (?<date>\\S+)", .sample = "ISO DATE: 2026-08-12T16:27:22+0100",
		.fields = FIELDS(KEEP("date")),
	}, {
		.id = "command", .in = START, .action = on_command,
		.pattern = "COMMAND LINE: (?<command>.*)$", .sample = "COMMAND LINE: \"elbencho\" \"--write\"",
		.fields = FIELDS(KEEP("command")),
	},
	{ .id = NULL }
};

static const struct ruleset set = { .tool = "elbencho", .rules = rules, .state_size = sizeof(struct elbencho) };

static int probe(const struct peek *peek)
{
	static const char head[] = "OPERATION   RESULT TYPE         FIRST DONE   LAST DONE";
	return slice_find(peek->head, SLICE(head)) != (size_t)-1 ? 8 * (int)strlen(head) : 0;
}

const struct parser parser_elbencho = {
	.name = "elbencho", .title = "elbencho text", .tool = "elbencho", .probe = probe, .rules = &set,
};
