/* dd: GNU's (2004 and later, its translations), BSD's and macOS's, busybox's, toybox's; and the rates that bench
 * scripts repeat from it. */
#include "base/num.h"
#include "parsers/rate_check.h"

#include <math.h>

#define RATES(per) \
	{ "B/" per, UNIT_B_PER_S, 1 }, { "kB/" per, UNIT_B_PER_S, 1e3 }, { "KB/" per, UNIT_B_PER_S, 1e3 }, \
	{ "MB/" per, UNIT_B_PER_S, 1e6 }, { "GB/" per, UNIT_B_PER_S, 1e9 }, { "TB/" per, UNIT_B_PER_S, 1e12 }

#define SECOND_ZH "\xe7\xa7\x92"
#define SECOND_RU "\xd1\x81"
#define SECOND_KO "\xec\xb4\x88"
#define SECOND_ANY "s|c|" SECOND_ZH "|" SECOND_RU "|" SECOND_KO

static const struct unit_scale dialect[] = {
	RATES("s"), RATES("sec"), RATES("c"), RATES(SECOND_ZH), RATES(SECOND_RU), RATES(SECOND_KO),
	{ "bytes/sec", UNIT_B_PER_S, 1 },
	/* toybox's */
	{ "K/s", UNIT_B_PER_S, 0x1p10 }, { "M/s", UNIT_B_PER_S, 0x1p20 }, { "G/s", UNIT_B_PER_S, 0x1p30 },
	{ "KiB/s", UNIT_B_PER_S, 0x1p10 }, { "MiB/s", UNIT_B_PER_S, 0x1p20 }, { "GiB/s", UNIT_B_PER_S, 0x1p30 },
	{ " bytes", UNIT_B, 1 },
	{ " s", UNIT_S, 1 },
	{ NULL, UNIT_ONE, 0 }
};

/* A report that stands before: the same dd may go on to report more, asked by a signal. */
struct report {
	double io, time;
	uint64_t unmatched; /* stretches of text that no rule took, up to it */
	bool uneven;        /* it (or one before it of the same dd) came between a record's reading and its writing */
	unsigned process;   /* dd's, counted */
};

/* Rates that a script repeats, since its last average. */
struct repeated {
	unsigned n;
	double sum, slack;
};

struct dd {
	/* A command line, for the block that follows it directly. */
	struct slice args;
	struct pos args_pos;
	uint64_t args_unmatched;
	/* Of the open block. */
	unsigned records;    /* lines of records seen */
	uint64_t counted[2]; /* what they count: in, out */
	bool reported, interim, script;
	struct report last;
	struct repeated runs;
};

/* ---- the command line ---- */

/* "1M", "64k", "1024", "512kB", "2x1024": false when it is something else, as a shell expression. */
static bool read_size(struct slice text, double *size)
{
	static const struct unit_scale suffixes[] = {
		{ "c", UNIT_B, 1 }, { "w", UNIT_B, 2 }, { "b", UNIT_B, 512 },
		{ "kB", UNIT_B, 1e3 }, { "KB", UNIT_B, 1e3 }, { "MB", UNIT_B, 1e6 }, { "GB", UNIT_B, 1e9 }, { "TB", UNIT_B, 1e12 },
		{ "k", UNIT_B, 0x1p10 }, { "K", UNIT_B, 0x1p10 }, { "KiB", UNIT_B, 0x1p10 },
		{ "m", UNIT_B, 0x1p20 }, { "M", UNIT_B, 0x1p20 }, { "MiB", UNIT_B, 0x1p20 }, { "xM", UNIT_B, 0x1p20 },
		{ "g", UNIT_B, 0x1p30 }, { "G", UNIT_B, 0x1p30 }, { "GiB", UNIT_B, 0x1p30 },
		{ "T", UNIT_B, 0x1p40 }, { "TiB", UNIT_B, 0x1p40 }, { NULL, UNIT_ONE, 0 }
	};
	struct slice part;
	*size = 1;
	while (slice_cut(&text, 'x', &part)) {
		size_t digits = 0;
		uint64_t n;
		while (digits < part.n && part.p[digits] >= '0' && part.p[digits] <= '9')
			digits++;
		const struct unit_scale *suffix = digits < part.n ? unit_find(suffixes, slice_from(part, digits)) : NULL;
		if (num_u64(slice_head(part, digits), &n) != NUM_OK || (digits < part.n && !suffix))
			return false;
		*size *= (double)n * (suffix ? suffix->factor : 1);
	}
	return true;
}

static void give_argument(struct rules *r, struct slice key, struct slice value, struct pos pos)
{
	struct arena *a = r->parse->arena;
	char number[NUM_FORMAT_SIZE];
	double size;
	if (slice_is(key, "bs") || slice_is(key, "count")) {
		if (read_size(value, &size))
			rules_param(r, arena_string(a, key), arena_copy(a, (struct slice){ number, num_format(number, size) }), pos);
	} else if (slice_is(key, "oflag") || slice_is(key, "conv") || slice_is(key, "iflag")) {
		rules_param(r, arena_string(a, key), value, pos);
	} else {
		rules_option(r, arena_string(a, key), value, pos);
	}
}

static void give_command(struct rules *r)
{
	struct dd *s = r->state;
	struct slice rest = s->args, word, key;
	rules_option(r, "command", arena_copy(r->parse->arena, s->args), s->args_pos);
	while (slice_cut(&rest, ' ', &word))
		if (slice_cut(&word, '=', &key) && word.p)
			give_argument(r, key, word, s->args_pos);
}

static bool on_command(struct rules *r)
{
	struct dd *s = r->state;
	rules_end(r);
	*s = (struct dd){ .args = arena_copy(r->parse->arena, slice_trim(rules_group(r, 0))), .args_pos = rules_here(r),
		.args_unmatched = r->unmatched, .last.process = s->last.process };
	return true;
}

/* ---- blocks ---- */

static void begin(struct rules *r)
{
	struct dd *s = r->state;
	rules_begin(r);
	if (s->args.p && s->args_unmatched == r->unmatched)
		give_command(r);
	*s = (struct dd){ .last = s->last, .runs = s->runs };
}

/* What dd says while it runs is no result. */
static void finish(struct rules *r)
{
	struct dd *s = r->state;
	if (s->interim && r->ended)
		rules_diag(r, DIAG_WARNING, rules_here(r), "dd's output ends before its last report: what it said on the way is no "
			"result");
	if (s->interim)
		rules_drop(r);
	else if (!s->reported && !s->script)
		rules_diag(r, DIAG_WARNING, rules_here(r), "dd tells neither its time nor its rate here");
	else if (s->last.uneven && r->ended)
		rules_diag(r, DIAG_WARNING, rules_here(r), "dd was interrupted, or said this on its way: its last report counts");
	rules_recompute_rate(r, true);
	s->interim = false;
}

/* First what was read, then what was written. */
static bool on_records(struct rules *r)
{
	struct dd *s = r->state;
	uint64_t full = 0, part = 0;
	if (!r->open || s->reported || s->script || s->records == 2)
		begin(r);
	num_u64(rules_group(r, 0), &full);
	num_u64(rules_group(r, 1), &part);
	s->counted[s->records++] = full + part;
	return true;
}

/* ---- reports ---- */

enum { REPORT_IO, REPORT_TIME, REPORT_RATE, REPORT_UNIT };

/* While it runs, dd rewrites one line, in whole seconds. */
static bool is_progress(const struct rules *r)
{
	uint64_t whole;
	bool rewritten = r->text->after_cr || r->text->ended_cr;
	return rewritten && num_u64(rules_group(r, REPORT_TIME), &whole) == NUM_OK;
}

static bool on_report(struct rules *r)
{
	struct dd *s = r->state;
	struct quantity io, time;
	if (!r->open || s->reported || s->script)
		begin(r);
	s->reported = true;
	s->interim = s->records == 0 && is_progress(r);
	if (!rules_number(r, REPORT_IO, &io) || !rules_number(r, REPORT_TIME, &time))
		return true;
	struct report next = { io.value, time.value, r->unmatched, s->counted[0] != s->counted[1], s->last.process + 1 };
	if (s->last.uneven && s->last.unmatched == r->unmatched && io.value > s->last.io && time.value > s->last.time) {
		next.uneven = true;
		next.process = s->last.process;
	}
	s->last = next;
	rules_identity(r, arena_u64(r->parse->arena, next.process));
	return true;
}

/* busybox writes its units as others do, but means powers of two. */
static bool on_report_busybox(struct rules *r)
{
	static const struct unit_scale binary[] = {
		{ "B/s", UNIT_B_PER_S, 1 }, { "KB/s", UNIT_B_PER_S, 0x1p10 }, { "MB/s", UNIT_B_PER_S, 0x1p20 },
		{ "GB/s", UNIT_B_PER_S, 0x1p30 }, { "TB/s", UNIT_B_PER_S, 0x1p40 }, { NULL, UNIT_ONE, 0 }
	};
	struct slice unit = rules_group(r, REPORT_UNIT);
	struct quantity q;
	on_report(r);
	if (rules_number(r, REPORT_IO, &q))
		rules_result(r, METRIC_IO, "value", &q);
	if (rules_number(r, REPORT_TIME, &q))
		rules_result(r, METRIC_RUNTIME, "value", &q);
	if (rules_read(r, rules_group(r, REPORT_RATE), unit, *unit_find(binary, unit), &q))
		rules_result(r, METRIC_BANDWIDTH, "value", &q);
	return false;
}

/* ---- scripts ---- */

static bool on_run(struct rules *r)
{
	struct dd *s = r->state;
	struct quantity rate;
	begin(r);
	s->script = true;
	if (!rules_number(r, 0, &rate))
		return true;
	s->runs.n++;
	s->runs.sum += rate.value;
	s->runs.slack += rate.half_digit;
	return true;
}

/* An average is no run: it stands beside the runs that it is of. */
static bool on_average(struct rules *r)
{
	struct dd *s = r->state;
	struct repeated runs = s->runs;
	struct quantity rate;
	if (runs.n == 0 || !rules_number(r, 0, &rate))
		return false;
	begin(r);
	rules_loose(r);
	s->script = true;
	s->runs = (struct repeated){ 0 };
	rules_param(r, "runs", arena_u64(r->parse->arena, runs.n), rules_here(r));
	struct result *mean = rules_result(r, METRIC_BANDWIDTH, "mean", &rate);
	mean->n = runs.n;
	if (!rules_agree(r, mean, runs.sum / runs.n, runs.slack / runs.n, "the mean of the runs above it"))
		rules_derive(r, METRIC_BANDWIDTH, "recomputed", runs.sum / runs.n, rate.pos)->n = runs.n;
	return false;
}

static bool on_message(struct rules *r)
{
	struct slice text = rules_group(r, 0);
	bool warning = slice_starts(text, "warning: ");
	rules_diag(r, warning ? DIAG_NOTE : DIAG_WARNING, rules_here(r), "dd says: %.*s", SLICE_ARG(slice_head(text, 120)));
	return false;
}

/* ---- the table ---- */

#define SPACE "(?:[ \\xa0]|\\xc2\\xa0)"
#define COMMA "(?:,|\\xef\\xbc\\x8c|\\xe3\\x80\\x81) ?" /* of Latin, Chinese and Japanese text */
#define WORDS_(least, most) "[^\\d(),\\r]{" #least "," #most "}"
/* Settles at once most numbers that no words and no comma follow. */
#define WORDS_AHEAD "(?=[^\\d(),\\r\\x80-\\xff]{0,64}+[(,\\x80-\\xff])"
#define NUMBER(name) "(?<" name ">\\d[\\d.,]*(?:e[-+]\\d+)?)"
#define SIZE "(?<io>\\d+)"
#define GLUED "[\\d.]{1,8}[KMGTPE]?B"
#define IO_FIELD { .as = FIELD_RESULT, .group = "io", .metric = METRIC_IO, .stat = "value", .unit = " bytes" }
#define TIME_FIELD { .as = FIELD_RESULT, .group = "time", .metric = METRIC_RUNTIME, .stat = "value", .unit = " s" }
#define RATE_FIELD { .as = FIELD_RESULT, .group = "rate", .metric = METRIC_BANDWIDTH, .stat = "value", .unit_group = "unit" }
#define ORDINAL "\\d+(?:st|nd|rd|th) run"
#define SCRIPT_RATE " *: +(?<rate>[\\d.]+) ?(?<unit>[kKMG]?i?B/s)"

enum { START = 1, DD = 2, SCRIPT = 4 };

static const struct rule rules[] = {
	{
		.id = "report", .to = DD, .flags = RULE_START | RULE_INSIDE, .action = on_report,
		.pattern = SIZE WORDS_AHEAD SPACE "*" WORDS_(2, 24) "(?:\\((?!" GLUED "\\))[^()]{1,40}\\))?" WORDS_(0, 40) COMMA
			NUMBER("time") SPACE "*(?:sec|secs|seconds|" SECOND_ANY ")" COMMA NUMBER("rate") SPACE "*"
			"(?<unit>[kKMGT]?B/(?:" SECOND_ANY ")|[KMG]/s)",
		.sample = "1073741824 bytes (1.1 GB, 1.0 GiB) copied, 1.70473 s, 630 MB/s",
		.fields = FIELDS(IO_FIELD, TIME_FIELD, RATE_FIELD),
	}, {
		.id = "report-busybox", .to = DD, .flags = RULE_START | RULE_INSIDE, .action = on_report_busybox,
		.pattern = SIZE " bytes \\(" GLUED "\\) copied, " NUMBER("time") " seconds, "
			"(?<rate>[\\d.]+)(?<unit>[KMGT]?B/s)",
		.sample = "2097152 bytes (2.0MB) copied, 6.449022 seconds, 317.6KB/s",
		.fields = FIELDS(IO_FIELD, TIME_FIELD, KEEP("rate"), KEEP("unit")),
	}, {
		.id = "report-bsd", .to = DD, .flags = RULE_START | RULE_INSIDE, .action = on_report,
		.pattern = SIZE " bytes transferred in " NUMBER("time") " sec(?:ond)?s? \\(" NUMBER("rate")
			" (?<unit>bytes/sec)\\)",
		.sample = "1021592274 bytes transferred in 480.752682 secs (2124985 bytes/sec)",
		.fields = FIELDS(IO_FIELD, TIME_FIELD, RATE_FIELD),
	}, {
		.id = "records", .to = DD, .flags = RULE_START | RULE_INSIDE, .action = on_records,
		.pattern = "(?<full>\\d+)\\+(?<part>\\d+) records (?:in|out)\\b", .sample = "16384+0 records in",
		.fields = FIELDS(KEEP("full"), KEEP("part")),
	}, {
		.id = "records-translated", .to = DD, .action = on_records,
		.pattern = "^(?:[^\\d\\s+]{1,30} ?)?(?<full>\\d+)\\+(?<part>\\d+)" SPACE "+(?!records)[^\\d+]{3,60}$",
		.sample = "40+0 Datens\xc3\xa4tze ein",
		.fields = FIELDS(KEEP("full"), KEEP("part")),
	}, {
		.id = "command", .to = DD, .flags = RULE_START | RULE_INSIDE, .action = on_command,
		.pattern = "[`(]?(?:/usr|/bin)*/?dd"
			"(?<args>(?: +(?:[io]f|[io]?bs|cbs|count|seek|skip|[io]seek|conv|[io]flag|status)="
			"[^\\s`]{1,255})+)",
		.sample = "dd if=/dev/zero of=test bs=1M count=1k oflag=dsync",
		.fields = FIELDS(KEEP("args")),
	}, {
		.id = "message", .action = on_message,
		.pattern = "dd: (?<text>[^\\d\\s].{3,200})",
		.sample = "dd: warning: partial read (143360 bytes); suggest iflag=fullblock",
		.fields = FIELDS(KEEP("text")),
	}, {
		.id = "script", .to = SCRIPT, .flags = RULE_START, .pattern = "dd test$", .sample = "dd test",
	}, {
		.id = "script-run", .to = SCRIPT, .flags = RULE_START, .action = on_run,
		.pattern = "I/O(?: [Ss]peed)? ?\\(" ORDINAL "\\)" SCRIPT_RATE, .sample = "I/O (1st run)   : 1.1 GB/s",
		.fields = FIELDS(RATE_FIELD),
	}, {
		.id = "script-run-plain", .in = SCRIPT, .action = on_run,
		.pattern = ORDINAL SCRIPT_RATE, .sample = "1st run:    339.51 MiB/s",
		.fields = FIELDS(RATE_FIELD),
	}, {
		.id = "script-average", .in = SCRIPT, .action = on_average,
		.pattern = "(?:Average I/O(?: [Ss]peed)?|I/O [Ss]peed ?\\(average\\)|average)" SCRIPT_RATE,
		.sample = "Average I/O     : 328.5 MB/s",
		.fields = FIELDS({ .as = FIELD_KEEP, .group = "rate", .unit_group = "unit" }),
	},
	{ .id = NULL }
};

static const struct ruleset set = {
	.tool = "dd", .rules = rules, .dialect = dialect, .flat = true, .decimal_comma = true, .state_size = sizeof(struct dd),
	.finish = finish,
};

const struct parser parser_dd = { .name = "dd", .title = "dd", .tool = "dd", .rules = &set };
