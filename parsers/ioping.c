/* ioping 0.4 to 1.3: its text, and its raw statistics (-B, -p, -P). */
#include "parsers/ioping_check.h"

#include "base/num.h"
#include "parsers/rules.h"

#include <math.h>

/* kb, mb and gb are powers of two, k, M and G before a count are powers of ten. The frequent ones first. */
static const struct unit_scale dialect[] = {
	{ "us", UNIT_S, 1e-6 },
	{ "ms", UNIT_S, 1e-3 },
	{ " ms", UNIT_S, 1e-3 }, /* behind the last of four numbers, for all of them */
	{ "ns", UNIT_S, 1e-9 },
	{ "s", UNIT_S, 1 },
	{ "min", UNIT_S, 60 },
	{ "hour", UNIT_S, 3600 },
	{ "day", UNIT_S, 86400 },
	{ "KiB", UNIT_B, 0x1p10 },
	{ "kb", UNIT_B, 0x1p10 },
	{ "bytes", UNIT_B, 1 },
	{ "B", UNIT_B, 1 },
	{ "b", UNIT_B, 1 },
	{ "MiB", UNIT_B, 0x1p20 },
	{ "mb", UNIT_B, 0x1p20 },
	{ "GiB", UNIT_B, 0x1p30 },
	{ "gb", UNIT_B, 0x1p30 },
	{ "TiB", UNIT_B, 0x1p40 },
	{ "tb", UNIT_B, 0x1p40 },
	{ "iops", UNIT_PER_S, 1 },
	{ "k iops", UNIT_PER_S, 1e3 },
	{ "M iops", UNIT_PER_S, 1e6 },
	{ "G iops", UNIT_PER_S, 1e9 },
	{ "T iops", UNIT_PER_S, 1e12 },
	{ "MiB/s", UNIT_B_PER_S, 0x1p20 },
	{ "mb/s", UNIT_B_PER_S, 0x1p20 },
	{ "KiB/s", UNIT_B_PER_S, 0x1p10 },
	{ "kb/s", UNIT_B_PER_S, 0x1p10 },
	{ "GiB/s", UNIT_B_PER_S, 0x1p30 },
	{ "gb/s", UNIT_B_PER_S, 0x1p30 },
	{ "TiB/s", UNIT_B_PER_S, 0x1p40 },
	{ "tb/s", UNIT_B_PER_S, 0x1p40 },
	{ "B/s", UNIT_B_PER_S, 1 },
	{ "b/s", UNIT_B_PER_S, 1 },
	{ "requests", UNIT_ONE, 1 },
	{ "k requests", UNIT_ONE, 1e3 },
	{ "M requests", UNIT_ONE, 1e6 },
	{ "G requests", UNIT_ONE, 1e9 },
	{ "T requests", UNIT_ONE, 1e12 },
	{ NULL, UNIT_ONE, 0 }
};


struct ioping {
	/* A command line, for the block that follows it directly. */
	struct slice command;
	struct pos command_pos;
	uint64_t command_unmatched; /* stretches that no rule took before it */
	bool direct, cached;
	/* Of the open block. */
	struct ioping_seen seen;
	struct pos last;   /* line of the block that was read last */
	double size;
	const char *op;    /* as 0.9's request lines tell it; or NULL */
	struct quantity time, amount; /* of all requests, from 1.0 on */
	bool footer, totals, statistics, empty;
	unsigned intervals;
	bool short_lines;  /* raw statistics of four numbers were seen */
};

/* ---- blocks ---- */

static void begin(struct rules *r)
{
	struct ioping *s = r->state;
	rules_begin(r);
	bool own = s->command.p && s->command_unmatched == r->unmatched;
	if (own) {
		rules_option(r, "command", s->command, s->command_pos);
		if (s->cached)
			rules_param(r, "cached", SLICE("1"), s->command_pos);
		if (s->direct)
			rules_param(r, "direct", SLICE("1"), s->command_pos);
	}
	*s = (struct ioping){ .last = rules_here(r) };
}

static void says(void *ctx, struct pos pos, const char *message)
{
	rules_diag(ctx, DIAG_WARNING, pos, "%s", message);
}

/* How many requests are behind each figure, where their number is exact. */
static void set_samples(const struct ioping_stats *s)
{
	struct result *const all[] = { s->iops, s->bandwidth, s->min, s->mean, s->max, s->sd };
	if (!s->requests || s->requests->q.half_digit > 0.5)
		return;
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (all[i])
			all[i]->n = (uint64_t)s->requests->q.value;
}

static void finish(struct rules *r)
{
	struct ioping *s = r->state;
	struct ioping_stats stats = {
		.requests = rules_find(r, METRIC_REQUESTS, "count"),
		.iops = rules_find(r, METRIC_IOPS, "value"),
		.bandwidth = rules_find(r, METRIC_BANDWIDTH, "value"),
		.min = rules_find(r, METRIC_LATENCY, "min"),
		.mean = rules_find(r, METRIC_LATENCY, "mean"),
		.max = rules_find(r, METRIC_LATENCY, "max"),
		.sd = rules_find(r, METRIC_LATENCY, "sd"),
		.size = s->size, .time = s->time, .amount = s->amount,
	};
	set_samples(&stats);
	if (!s->totals && !s->statistics)
		rules_diag(r, DIAG_WARNING, s->last, "ioping's output ends before its statistics: of %llu requests there is "
			"no summary", (unsigned long long)s->seen.n);
	else if (!s->statistics)
		rules_diag(r, DIAG_WARNING, s->last, "ioping's output ends before the line of minimum, mean and maximum");
	ioping_check(r->parse->arena, &stats, &s->seen, says, r);
}

/* ---- the command line ---- */

/* Options that take a value: the rest of their word, or the next word. */
static bool takes_value(char c)
{
	return strchr("abceiloprsStTwPz", c) != NULL;
}

static void read_option(struct ioping *s, struct slice word)
{
	struct slice name = slice_from(word, slice_starts(word, "--") ? 2 : 1);
	if (slice_is(name, "direct") || slice_is(name, "cached")) {
		s->direct |= name.p[0] == 'd';
		s->cached |= name.p[0] == 'c';
		return;
	}
	for (size_t i = 1; i < word.n && !takes_value(word.p[i]); i++) {
		s->direct |= word.p[i] == 'D';
		s->cached |= word.p[i] == 'C';
	}
}

enum { COMMAND_ARGS };

static bool on_command(struct rules *r)
{
	struct ioping *s = r->state;
	struct slice args = rules_group(r, COMMAND_ARGS), rest = args, word;
	rules_end(r);
	*s = (struct ioping){ .command = arena_copy(r->parse->arena, slice_trim(args)), .command_pos = rules_here(r),
		.command_unmatched = r->unmatched };
	while (slice_cut(&rest, ' ', &word))
		if (slice_starts(word, "-"))
			read_option(s, word);
	return true;
}

/* ---- requests ---- */

enum { REQUEST_SIZE, REQUEST_WAY, REQUEST_NUMBER, REQUEST_TIME, REQUEST_NOTE };

/* Whether only 0.9 prints a size so: "4 KiB", "1.50 MiB"; 0.7 and 0.8 always print one decimal. */
static bool whole_size(struct slice printed)
{
	size_t dot = slice_find_char(printed, '.');
	size_t unit = slice_find_char(printed, ' ');
	return slice_ends(printed, "iB") && (dot == (size_t)-1 || unit - dot == 3);
}

/* 0.9 is the only version that says "to"; before it, "from" stands for writes as well. */
static const char *old_op(struct slice way, struct slice size)
{
	return slice_is(way, "to") ? "write" : slice_is(way, "from") && whole_size(size) ? "read" : NULL;
}

static void see_size(struct rules *r)
{
	struct ioping *s = r->state;
	struct quantity q;
	if (s->size > 0 || !rules_number(r, REQUEST_SIZE, &q) || q.value <= 0)
		return;
	char text[NUM_FORMAT_SIZE];
	s->size = q.value;
	rules_param(r, "size", arena_copy(r->parse->arena, (struct slice){ text, num_format(text, q.value) }), q.pos);
	s->op = old_op(rules_group(r, REQUEST_WAY), q.text);
}

/* A request that is marked so is not in the statistics; (fast) and (slow) are. */
static bool counts(struct slice note)
{
	return !note.p || slice_is(note, "fast") || slice_is(note, "slow");
}

static bool on_request(struct rules *r)
{
	struct ioping *s = r->state;
	struct quantity time;
	double value;
	uint64_t number = 0;
	num_u64(rules_group(r, REQUEST_NUMBER), &number);
	if (!r->open || s->footer || number <= s->seen.last)
		begin(r);
	see_size(r);
	s->last = rules_here(r);
	bool counted = counts(rules_group(r, REQUEST_NOTE));
	if (rules_value(r, REQUEST_TIME, &value) && ioping_see_between(&s->seen, number, counted, value))
		return false;
	if (rules_number(r, REQUEST_TIME, &time))
		ioping_see(r->parse->arena, &s->seen, number, counted, &time);
	return false;
}

/* ---- the footer ---- */

static bool on_header(struct rules *r)
{
	struct ioping *s = r->state;
	if (!r->open || s->footer)
		begin(r);
	s->footer = true;
	s->last = rules_here(r);
	return true;
}

enum { TOTAL_REQUESTS, TOTAL_OP = 3, TOTAL_TIME, TOTAL_AMOUNT };

static bool on_totals(struct rules *r)
{
	struct ioping *s = r->state;
	struct quantity q;
	if (!r->open || s->totals)
		begin(r);
	s->footer = s->totals = true;
	s->last = rules_here(r);
	if (s->op)
		rules_param(r, "op", slice_of(s->op), rules_here(r));
	if (!rules_number(r, TOTAL_REQUESTS, &q) || q.value > 0)
		return true;
	s->empty = true;
	rules_result(r, METRIC_REQUESTS, "count", &q);
	return false;
}

static void keep_number(struct rules *r, unsigned field, struct quantity *q)
{
	if (rules_number(r, field, q))
		q->text = arena_copy(r->parse->arena, q->text);
}

/* From 1.0 on the words behind the amount say what was done, and the time is that of the requests. */
static bool on_io_totals(struct rules *r)
{
	struct ioping *s = r->state;
	bool more = on_totals(r);
	keep_number(r, TOTAL_TIME, &s->time);
	keep_number(r, TOTAL_AMOUNT, &s->amount);
	struct slice word = rules_group(r, TOTAL_OP);
	const char *op = slice_is(word, "read") ? "read" : slice_is(word, "written") ? "write" : "mixed";
	rules_param(r, "op", slice_of(op), word.p ? rules_pos(r, word.p) : rules_here(r));
	return more;
}

static bool on_statistics(struct rules *r)
{
	struct ioping *s = r->state;
	if (!r->open || s->statistics)
		begin(r);
	s->statistics = true;
	return !s->empty;
}

/* ---- raw statistics ---- */

enum { RAW_MIN, RAW_MEAN, RAW_MAX, RAW_SD, RAW_COUNT, RAW_SUM, RAW_IOPS, RAW_BANDWIDTH };

/* Units per second in which the line gives its times: that of 1e6 and 1e9 with which its iops = count × unit / sum.
 * Versions can't tell: distributions ship a "0.9" that prints 1.0's nanoseconds. 0: neither fits. */
static double time_unit(double count, double sum, double iops)
{
	static const double units[] = { 1e6, 1e9 };
	for (size_t i = 0; i < 2 && sum > 0; i++)
		if (fabs(count * units[i] / sum - iops) <= 1 + 0.01 * iops)
			return units[i];
	return 0;
}

static void raw_latency(struct rules *r, double unit, double count)
{
	static const char *const stat[] = { [RAW_MIN] = "min", [RAW_MEAN] = "mean", [RAW_MAX] = "max", [RAW_SD] = "sd" };
	struct quantity q;
	for (unsigned i = RAW_MIN; i <= RAW_SD; i++)
		if (rules_number_as(r, i, UNIT_S, 1 / unit, &q))
			rules_result(r, METRIC_LATENCY, stat[i], &q)->n = (uint64_t)count;
}

static bool only_blanks_follow(struct rules *r)
{
	size_t n = 1;
	while (!text_hold(r->text, n) && !slice_trim(source_from(r->text->source, r->text->next)).n)
		n *= 2;
	return !slice_trim(source_from(r->text->source, r->text->next)).n;
}

/* The only line of a dump is a batch total, not the first of several intervals. */
static void tag_interval(struct rules *r)
{
	struct ioping *s = r->state;
	if (!r->open)
		begin(r);
	s->intervals++;
	if (s->intervals > 1 || s->seen.n || !only_blanks_follow(r))
		rules_tag(r, "interval", arena_u64(r->parse->arena, s->intervals), rules_here(r));
	else
		rules_diag(r, DIAG_WARNING, rules_here(r), "a single line: taken for the total of a batch run, not for an interval");
}

/* A cut line of four numbers may be the beginning of one of eight. */
static bool on_raw_short(struct rules *r)
{
	struct ioping *s = r->state;
	if (r->text->cut && !s->short_lines) {
		rules_diag(r, DIAG_WARNING, rules_here(r), "the line may be cut: nothing of it is reported");
		return false;
	}
	tag_interval(r);
	s->short_lines = true;
	raw_latency(r, 1e6, 0);
	return false;
}

static bool on_raw(struct rules *r)
{
	struct quantity count, sum, iops, bandwidth;
	tag_interval(r);
	if (!rules_number(r, RAW_COUNT, &count) || !rules_number(r, RAW_SUM, &sum))
		return false;
	rules_result(r, METRIC_REQUESTS, "count", &count);
	if (count.value <= 0 || !rules_number_as(r, RAW_IOPS, UNIT_PER_S, 1, &iops) ||
	    !rules_number_as(r, RAW_BANDWIDTH, UNIT_B_PER_S, 1, &bandwidth))
		return false;
	rules_result(r, METRIC_IOPS, "value", &iops)->n = (uint64_t)count.value;
	rules_result(r, METRIC_BANDWIDTH, "value", &bandwidth)->n = (uint64_t)count.value;
	double unit = time_unit(count.value, sum.value, iops.value);
	if (unit > 0)
		raw_latency(r, unit, count.value);
	else
		rules_diag(r, DIAG_WARNING, sum.pos, "%.0f requests in %.0f at %.0f per second fit neither microseconds nor "
			"nanoseconds: no latency is reported", count.value, sum.value, iops.value);
	return false;
}

static void finish_raw(struct rules *r)
{
	if (r->unmatched)
		rules_diag(r, DIAG_WARNING, (struct pos){ .source = r->parse->source },
			"%llu lines are no raw statistics of ioping: nothing of them is reported", (unsigned long long)r->unmatched);
}

/* ---- the tables ---- */

#define ARROW "<<<|>>>|&lt;&lt;&lt;|&gt;&gt;&gt;"
#define TIME_UNIT "(?:ns|us|ms|s|min|hour|day)"
#define SIZE_UNIT "(?:bytes|[KMGT]iB|[kmgt]b|[bB])"
#define COUNT(name, unit) "(?<" name ">[\\d.]+) (?<" name "_unit>(?:[kMGT] )?" unit ")"
#define RATES COUNT("iops", "iops") ",? (?<rate>[\\d.]+) (?<rate_unit>(?:[KMGT]iB|[kmgt]b|[bB])/s)"
#define COMPLETED COUNT("requests", "requests") " completed in (?<time>[\\d.]+) (?<time_unit>" TIME_UNIT ")"
#define LATENCY(name) "(?<" name ">[\\d.]+) (?<" name "_unit>" TIME_UNIT ")"

#define RESULT(name, id, what, its_unit) \
	{ .as = FIELD_RESULT, .group = name, .metric = id, .stat = what, .unit_group = its_unit }
#define REQUESTS_FIELD RESULT("requests", METRIC_REQUESTS, "count", "requests_unit")
#define IOPS_FIELD RESULT("iops", METRIC_IOPS, "value", "iops_unit")
#define RATE_FIELD RESULT("rate", METRIC_BANDWIDTH, "value", "rate_unit")
#define LATENCY_FIELD(name, its_unit) RESULT(name, METRIC_LATENCY, name, its_unit)

#define RAW_RULES(sections) \
	{ \
		.id = "raw-0.4", .in = sections, .action = on_raw_short, \
		.pattern = "^(?<min>\\d+) (?<mean>\\d+) (?<max>\\d+) (?<sd>\\d+)$", \
		.sample = "1764 2970 5225 1596", \
		.fields = FIELDS(KEEP("min"), KEEP("mean"), KEEP("max"), KEEP("sd")), \
	}, { \
		.id = "raw", .in = sections, .action = on_raw, \
		.pattern = "^(?<count>\\d+) (?<sum>\\d+) (?<iops>\\d+) (?<rate>\\d+) " \
			"(?<min>\\d+) (?<mean>\\d+) (?<max>\\d+) (?<sd>\\d+)(?: \\d+ \\d+)?$", \
		.sample = "3 11425 263 1075536 230 3808 7109 2815", \
		.fields = FIELDS(KEEP("min"), KEEP("mean"), KEEP("max"), KEEP("sd"), KEEP("count"), KEEP("sum"), KEEP("iops"), \
			KEEP("rate")), \
	}

enum { START = 1, REQUESTS = 2, FOOTER = 4, TOTALS = 8 };

static const struct rule text_rules[] = {
	{
		.id = "request", .to = REQUESTS, .flags = RULE_START | RULE_INSIDE, .action = on_request,
		.pattern = "(?<size>[\\d.]+) (?<size_unit>" SIZE_UNIT ") (?<way>from|to|" ARROW ") "
			"(?:[^:]{1,100}+|:(?! request=)){1,8}+: request=(?<number>\\d+) time=(?<time>[\\d.]+) "
			"(?<time_unit>" TIME_UNIT ")\\b(?: \\((?<note>[^)]{1,40})\\))?",
		.sample = "4 KiB <<< f.bin (ext4 /dev/vda): request=1 time=229.4 us (warmup)",
		.fields = FIELDS(KEEP_IN("size", "size_unit"), KEEP("way"), KEEP("number"), KEEP_IN("time", "time_unit"),
			KEEP("note")),
	}, {
		.id = "header", .to = FOOTER, .flags = RULE_START | RULE_INSIDE, .action = on_header,
		.pattern = "--- (?<target>.{1,512}?) ioping statistics ---",
		.sample = "--- f.bin (ext4 /dev/vda) ioping statistics ---",
		.fields = FIELDS({ .as = FIELD_OPTION, .group = "target", .key = "target" }),
	}, {
		.id = "totals-1.0", .to = TOTALS, .flags = RULE_START, .action = on_io_totals,
		.pattern = COMPLETED ", (?<amount>[\\d.]+) (?<amount_unit>" SIZE_UNIT ")"
			"(?: (?<op>read|written))?, " RATES,
		.sample = "4 requests completed in 22.2 us, 16 KiB read, 180.3 k iops, 704.4 MiB/s",
		.fields = FIELDS(REQUESTS_FIELD, IOPS_FIELD, RATE_FIELD, KEEP("op"), KEEP_IN("time", "time_unit"),
			KEEP_IN("amount", "amount_unit")),
	}, {
		.id = "totals-0.5", .to = TOTALS, .flags = RULE_START, .action = on_totals,
		.pattern = COMPLETED ", " RATES,
		.sample = "5 requests completed in 404.5 ms, 156250 iops 610.4 mb/s",
		.fields = FIELDS(REQUESTS_FIELD, IOPS_FIELD, RATE_FIELD),
	}, {
		.id = "totals-0.4", .in = FOOTER, .to = TOTALS, .action = on_totals,
		.pattern = COMPLETED "(?!,)\\b",
		.sample = "5 requests completed in 804.2 ms",
		.fields = FIELDS(REQUESTS_FIELD),
	}, {
		.id = "generated", .in = TOTALS,
		.pattern = "(?:\\d+ too fast, )?(?:\\d+ too slow, )?generated " COUNT("requests", "requests")
			" in [\\d.]+ " TIME_UNIT ", [\\d.]+ " SIZE_UNIT ", " RATES,
		.sample = "3 too fast, generated 4 requests in 303.4 ms, 16 KiB, 13 iops, 52.7 KiB/s",
	}, {
		.id = "statistics", .to = START, .flags = RULE_START | RULE_END, .action = on_statistics,
		.pattern = "min/avg/max/mdev = " LATENCY("min") " / " LATENCY("mean") " / " LATENCY("max") " / "
			LATENCY("sd") "\\b",
		.sample = "min/avg/max/mdev = 4.43 us / 5.54 us / 6.63 us / 990 ns",
		.fields = FIELDS(LATENCY_FIELD("min", "min_unit"), LATENCY_FIELD("mean", "mean_unit"),
			LATENCY_FIELD("max", "max_unit"), LATENCY_FIELD("sd", "sd_unit")),
	}, {
		/* ping's line has the same words: only where ioping's own stand before it. */
		.id = "statistics-0.4", .in = TOTALS, .to = START, .flags = RULE_END, .action = on_statistics,
		.pattern = "min/avg/max/mdev = (?<min>[\\d.]+)/(?<mean>[\\d.]+)/(?<max>[\\d.]+)/(?<sd>[\\d.]+)(?<unit> ms)\\b",
		.sample = "min/avg/max/mdev = 0.2/5.8/24.6/9.4 ms",
		.fields = FIELDS(LATENCY_FIELD("min", "unit"), LATENCY_FIELD("mean", "unit"),
			LATENCY_FIELD("max", "unit"), LATENCY_FIELD("sd", "unit")),
	}, {
		.id = "command", .to = START, .flags = RULE_START | RULE_INSIDE, .action = on_command,
		.pattern = "(?:\\.{0,2}/(?:[^\\s/]{1,60}/){0,10})?ioping"
			"(?<args>(?: +(?![\\d.]+ " SIZE_UNIT " (?:from|to|" ARROW ") |--- |statistics ---)\\S+){1,40})",
		.sample = "ioping . -c 10 -D",
		.fields = FIELDS(KEEP("args")),
	},
	RAW_RULES(REQUESTS),
	{ .id = NULL }
};

static const struct ruleset text_set = {
	.tool = "ioping", .rules = text_rules, .dialect = dialect, .flat = true, .state_size = sizeof(struct ioping),
	.finish = finish,
};

static const struct rule raw_rules[] = { RAW_RULES(0), { .id = NULL } };

static const struct ruleset raw_set = {
	.tool = "ioping", .rules = raw_rules, .dialect = dialect, .state_size = sizeof(struct ioping), .finish = finish_raw,
};

const struct parser parser_ioping = { .name = "ioping", .title = "ioping text", .tool = "ioping", .rules = &text_set };

const struct parser parser_ioping_raw = {
	.name = "ioping-raw", .title = "ioping raw statistics", .tool = "ioping", .rules = &raw_set,
};
