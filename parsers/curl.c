/* curl: its progress meter, and `-w` output whose values have their names before them. Bare numbers say nothing. */
#include "base/num.h"
#include "parsers/rules.h"

/* The meter's k, M and G are powers of two. */
static const struct unit_scale dialect[] = {
	{ " bytes", UNIT_B, 1 }, { "k", UNIT_B, 0x1p10 }, { "M", UNIT_B, 0x1p20 }, { "G", UNIT_B, 0x1p30 }, { "T", UNIT_B, 0x1p40 },
	{ "s", UNIT_S, 1 }, { "bytes/s", UNIT_B_PER_S, 1 },
	{ NULL, UNIT_ONE, 0 }
};

struct curl {
	unsigned meters;
	bool coded, failed; /* the open block's transfer has a code; it is 000 */
	bool valued;        /* it has a value */
	bool done, metered;
	struct pos last;
};

/* ---- the meter ---- */

enum { METER_PERCENT, METER_RECEIVED, METER_RATE, METER_SPENT, METER_SENT, METER_SENT_RATE };

static bool on_heading(struct rules *r)
{
	struct curl *s = r->state;
	rules_end(r);
	*s = (struct curl){ .meters = s->meters + 1 };
	return false;
}

/* "0:01:23", or dashes while it is not known. */
static bool read_clock(struct slice text, double *seconds)
{
	struct slice part;
	double all = 0;
	uint64_t n;
	while (slice_cut(&text, ':', &part)) {
		if (num_u64(part, &n) != NUM_OK)
			return false;
		all = all * 60 + (double)n;
	}
	*seconds = all;
	return true;
}

static void give_meter(struct rules *r)
{
	struct quantity q;
	double seconds;
	bool sent = slice_is(rules_group(r, METER_RECEIVED), "0") && !slice_is(rules_group(r, METER_SENT), "0");
	if (sent)
		rules_param(r, "direction", SLICE("sender"), rules_here(r));
	if (rules_number(r, sent ? METER_SENT : METER_RECEIVED, &q))
		rules_result(r, METRIC_IO, "value", &q);
	if (rules_number(r, sent ? METER_SENT_RATE : METER_RATE, &q)) {
		q.unit = UNIT_B_PER_S;
		rules_result(r, METRIC_BANDWIDTH, "value", &q);
	}
	struct slice spent = rules_group(r, METER_SPENT);
	if (read_clock(spent, &seconds)) {
		q = (struct quantity){ .value = seconds, .unit = UNIT_S, .text = spent, .half_digit = 0.5, .pos = rules_pos(r, spent.p) };
		rules_result(r, METRIC_RUNTIME, "value", &q);
	}
}

/* The meter rewrites its line: the last one, when all is there, counts. */
static bool on_meter(struct rules *r)
{
	struct curl *s = r->state;
	rules_begin(r);
	s->metered = true;
	s->done = slice_is(rules_group(r, METER_PERCENT), "100");
	s->last = rules_here(r);
	rules_identity(r, arena_u64(r->parse->arena, s->meters));
	if (s->done)
		give_meter(r);
	return false;
}

/* ---- named values ---- */

static void begin(struct rules *r)
{
	struct curl *s = r->state;
	rules_begin(r);
	*s = (struct curl){ .meters = s->meters };
}

static bool on_named(struct rules *r)
{
	struct curl *s = r->state;
	struct slice name = rules_group(r, 0);
	if (!r->open || s->metered || (s->valued && slice_is(name, "time_namelookup")))
		begin(r);
	s->valued = true;
	return true;
}

/* A value that the open block has is the next one's first. */
static bool on_value(struct rules *r)
{
	struct curl *s = r->state;
	if (r->open && s->metered)
		return false;
	if (!r->open || rules_find(r, r->rule->fields[0].metric, "value"))
		begin(r);
	s->valued = true;
	return !s->failed;
}

static bool on_url(struct rules *r)
{
	const struct curl *s = r->state;
	return r->open && !s->metered && !s->failed;
}

static bool on_code(struct rules *r)
{
	struct curl *s = r->state;
	struct slice code = rules_group(r, 0);
	if (r->open && s->metered)
		return false;
	if (!r->open || s->coded)
		begin(r); /* where a code stands first it is the next one's first */
	rules_param(r, "code", code, rules_here(r));
	s->coded = true;
	s->failed = slice_is(code, "000") || slice_is(code, "0");
	return false;
}

static void finish(struct rules *r)
{
	struct curl *s = r->state;
	if (s->metered && !s->done && r->ended)
		rules_diag(r, DIAG_WARNING, s->last, "curl's meter ends before the transfer is complete: no value is reported");
	if (!s->metered && !s->coded)
		rules_diag(r, DIAG_WARNING, rules_here(r), "curl's output does not show whether the transfer succeeded");
	if (s->failed) {
		rules_diag(r, DIAG_WARNING, rules_here(r), "curl's transfer failed (code 000): no value is reported");
		rules_drop(r);
	}
}

/* ---- the table ---- */

#define SIZE(name) "(?<" name ">[\\d.]+)(?<" name "_unit>[kMGT])?"
#define METER_FIELD(name) { .as = FIELD_KEEP, .group = name, .unit_group = name "_unit", .unit = " bytes" }
#define CLOCK "(?:\\d+:\\d\\d:\\d\\d|--:--:--)"
#define SEPARATOR "(?: *[:=] *| +)"
#define VALUE(name) name SEPARATOR "(?<value>[\\d.]+)"
#define CODE "(?:http|response)_code" SEPARATOR "(?<code>\\d{1,3})\\b"
#define NAMED(what, seen, its_metric, its_unit) { \
		.id = what, .to = NAMED_VALUES, .flags = RULE_START, .action = on_value, \
		.pattern = VALUE(what) "(?:s\\b|(?![\\d.]))", .sample = seen, \
		.fields = FIELDS({ .as = FIELD_RESULT, .group = "value", .metric = its_metric, .stat = "value", .unit = its_unit }) }

enum { START = 1, METER = 2, NAMED_VALUES = 4 };

static const struct rule rules[] = {
	{
		.id = "meter", .in = METER, .action = on_meter,
		.pattern = "(?<percent>\\d+) +[\\d.]+[kMGT]? +\\d+ +" SIZE("received") " +\\d+ +" SIZE("sent") " +"
			SIZE("rate") " +" SIZE("sent_rate") " +" CLOCK " +(?<spent>" CLOCK ") +" CLOCK " +[\\d.]+[kMGT]?",
		.sample = "100 10.0M  100 10.0M    0     0   105M      0 --:--:-- --:--:-- --:--:--  106M",
		.fields = FIELDS(KEEP("percent"), METER_FIELD("received"), METER_FIELD("rate"), KEEP("spent"),
			METER_FIELD("sent"), METER_FIELD("sent_rate")),
	}, {
		.id = "heading", .to = METER, .flags = RULE_START, .action = on_heading,
		.pattern = "% Total +% Received % Xferd +Average Speed",
		.sample = "% Total    % Received % Xferd  Average Speed   Time    Time     Time  Current",
	}, {
		.id = "named", .to = NAMED_VALUES, .flags = RULE_START, .action = on_named,
		.pattern = "(?<name>time_namelookup|time_connect|time_appconnect|time_pretransfer|time_redirect)"
			SEPARATOR "[\\d.]+s?\\b",
		.sample = "time_namelookup:  0.004", .fields = FIELDS(KEEP("name")),
	},
	NAMED("time_starttransfer", "time_starttransfer:  0.113", METRIC_TTFB, "s"),
	NAMED("time_total", "time_total:  0.224", METRIC_RUNTIME, "s"),
	NAMED("speed_download", "speed_download:  143461712", METRIC_BANDWIDTH, "bytes/s"),
	NAMED("size_download", "size_download:  10485760", METRIC_IO, " bytes"),
	{
		.id = "code-first", .to = NAMED_VALUES, .flags = RULE_START, .action = on_code,
		.pattern = CODE "(?=.{1,80}\\b(?:time|speed|size)_[a-z]{4,16}" SEPARATOR "\\d)",
		.sample = "http_code=200 time_total=0.010485 speed_download=286123032", .fields = FIELDS(KEEP("code")),
	}, {
		.id = "code", .in = START | NAMED_VALUES, .to = NAMED_VALUES, .action = on_code,
		.pattern = CODE, .sample = "http_code: 200", .fields = FIELDS(KEEP("code")),
	}, {
		.id = "url", .in = NAMED_VALUES, .action = on_url,
		.pattern = "url_effective" SEPARATOR "(?<url>\\S{1,1000})",
		.sample = "url_effective: http://192.0.2.1/10m.bin",
		.fields = FIELDS({ .as = FIELD_NAME, .group = "url" }),
	},
	{ .id = NULL }
};

static const struct ruleset set = {
	.tool = "curl", .rules = rules, .dialect = dialect, .flat = true, .state_size = sizeof(struct curl), .finish = finish,
};

const struct parser parser_curl = { .name = "curl", .title = "curl meter and named values", .tool = "curl", .rules = &set };
