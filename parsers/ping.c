/* ping: iputils, busybox, BSD and macOS, Windows; and what their translations keep of it: the order of the numbers. */
#include "base/num.h"
#include "parsers/rate_check.h"

#include <math.h>

#define MS_RU "\xd0\xbc\xd1\x81"

static const struct unit_scale dialect[] = {
	{ "ms", UNIT_S, 1e-3 }, { MS_RU, UNIT_S, 1e-3 },
	/* behind the last of several numbers, for all of them */
	{ " ms", UNIT_S, 1e-3 }, { " " MS_RU, UNIT_S, 1e-3 }, { " us", UNIT_S, 1e-6 }, { " s", UNIT_S, 1 },
	{ "%", UNIT_PERCENT, 1 }, { "bytes", UNIT_B, 1 },
	{ NULL, UNIT_ONE, 0 }
};

struct ping {
	struct slice target;
	bool statistics;       /* of the open block */
	/* Replies seen one by one. */
	uint64_t replies, timed;
	double sum, squares, min, max, half_digit;
};

static bool on_header(struct rules *r)
{
	struct ping *s = r->state;
	rules_begin(r);
	*s = (struct ping){ .target = arena_copy(r->parse->arena, rules_group(r, 0)) };
	rules_name(r, s->target);
	return true;
}

enum { REPLY_TIME };

static bool on_reply(struct rules *r)
{
	struct ping *s = r->state;
	struct quantity time;
	s->replies++;
	if (!rules_number(r, REPLY_TIME, &time))
		return false;
	s->min = s->timed && s->min < time.value ? s->min : time.value;
	s->max = s->timed && s->max > time.value ? s->max : time.value;
	s->timed++;
	s->sum += time.value;
	s->squares += time.value * time.value;
	s->half_digit = fmax(s->half_digit, time.half_digit);
	return false;
}

/* Without its first line the output still says whom it is about. */
static bool on_statistics(struct rules *r)
{
	struct ping *s = r->state;
	if (r->open && !s->statistics) {
		s->statistics = true;
		return false;
	}
	on_header(r);
	s->statistics = true;
	return false;
}

static bool on_counts(struct rules *r)
{
	struct ping *s = r->state;
	if (!r->open)
		rules_begin(r);
	s->statistics = true;
	return true;
}

static bool on_error(struct rules *r)
{
	struct slice text = rules_group(r, 0);
	rules_diag(r, DIAG_WARNING, rules_here(r), "ping says: %.*s", SLICE_ARG(slice_head(text, 120)));
	return false;
}

static void check_loss(struct rules *r)
{
	struct result *sent = rules_find(r, METRIC_SENT, "count"), *received = rules_find(r, METRIC_RECEIVED, "count"),
		*loss = rules_find(r, METRIC_LOSS, "value");
	if (!sent || !received || !loss || sent->q.value <= 0)
		return;
	double lost = sent->q.value > received->q.value ? 100 * (sent->q.value - received->q.value) / sent->q.value : 0;
	rules_agree(r, loss, lost, 0, "what is missing of the sent ones");
}

/* What the replies themselves say. Those that were filtered out of a log, or duplicates, are no contradiction. */
static void check_replies(struct rules *r)
{
	struct ping *s = r->state;
	struct result *received = rules_find(r, METRIC_RECEIVED, "count"), *min = rules_find(r, METRIC_LATENCY, "min"),
		*mean = rules_find(r, METRIC_LATENCY, "mean"), *max = rules_find(r, METRIC_LATENCY, "max");
	if (!s->timed || !min || !mean || !max || !received)
		return;
	if (s->min < min->q.value)
		rules_agree(r, min, s->min, s->half_digit, "the fastest reply");
	if (s->max > max->q.value)
		rules_agree(r, max, s->max, s->half_digit, "the slowest reply");
	if (s->replies != s->timed || received->q.value != (double)s->timed)
		return;
	double average = s->sum / (double)s->timed, variance = s->squares / (double)s->timed - average * average;
	rules_agree(r, mean, average, 2 * s->half_digit, "the mean of the replies");
	if (!rules_find(r, METRIC_LATENCY, "sd") && s->timed > 1)
		rules_derive(r, METRIC_LATENCY, "sd", sqrt(fmax(variance, 0)), mean->q.pos)->n = s->timed;
}

static void finish(struct rules *r)
{
	struct ping *s = r->state;
	struct result *received = rules_find(r, METRIC_RECEIVED, "count");
	static const char *const stats[] = { "min", "mean", "max", "sd" };
	for (size_t i = 0; received && i < 4; i++) {
		struct result *latency = rules_find(r, METRIC_LATENCY, stats[i]);
		if (latency)
			latency->n = (uint64_t)received->q.value;
	}
	if (!received)
		rules_diag(r, DIAG_WARNING, rules_here(r), "ping's output ends before its statistics: of %llu replies there is no summary",
			(unsigned long long)s->replies);
	check_loss(r);
	check_replies(r);
}

/* ---- the table ---- */

#define OTHER(least, most) "[^\\d,%\\r]{" #least "," #most "}"
#define NUMBER(name) "(?<" name ">\\d[\\d.,]*)"
#define MS "(?<ms>ms|" MS_RU ")"
#define COMMA "(?:,|\\xef\\xbc\\x8c) ?"
#define FLOOD "(?:^[.E\\x08 ]*+)?" /* its dots may stand before the statistics */
#define EQUALS "[^\\d,=]{1,60} = "

#define COUNT(name, id) { .as = FIELD_RESULT, .group = name, .metric = id, .stat = "count" }
#define LATENCY(name) { .as = FIELD_RESULT, .group = name, .metric = METRIC_LATENCY, .stat = name, .unit_group = "ms" }
#define LOSS { .as = FIELD_RESULT, .group = "loss", .metric = METRIC_LOSS, .stat = "value", .unit_group = "percent" }
#define PERCENT "(?<loss>[\\d.,]+) ?(?<percent>%)"
#define SIZE { .as = FIELD_PARAM, .group = "size", .key = "size", .unit = "bytes" }

enum { START = 1, PING = 2, STATISTICS = 4 };

static const struct rule rules[] = {
	{
		.id = "reply", .in = PING | STATISTICS, .action = on_reply,
		.pattern = "(?:\\[\\d+\\.\\d+\\] )?\\d+ [^\\d\\s]{2,20} [^\\s]{2,12} .{1,200}?: (?:icmp_)?[sr]eq=\\d+ [^\\d\\s=]{2,9}=\\d+"
			"(?: [^\\d\\s=<]{2,16}[=<](?<time>[\\d.,]+) ?" MS ")?",
		.sample = "64 bytes from 127.0.0.1: icmp_seq=1 ttl=64 time=0.029 ms",
		.fields = FIELDS(KEEP_IN("time", "ms")),
	}, {
		.id = "header", .to = PING, .flags = RULE_START | RULE_INSIDE, .action = on_header,
		.pattern = "PING (?<target>[^\\s(]{1,255}) ?\\((?:[^()]|\\([^()]*\\)){0,300}\\)(?: from [^ ]{1,80}(?: [^ ]{1,40})?)?:? "
			"(?<size>\\d+)(?:\\(\\d+\\))? [^\\d\\s]{3,}",
		.sample = "PING 192.0.2.1 (192.0.2.1) from 192.0.2.2 lo: 56(84) bytes of data.",
		.fields = FIELDS(KEEP("target"), SIZE),
	}, {
		.id = "header-bsd-6", .to = PING, .flags = RULE_START, .action = on_header,
		.pattern = "PING\\d\\((?:\\d+=\\d+\\+\\d+\\+)?(?<size>\\d+) bytes\\) \\S+ --> (?<target>\\S+)",
		.sample = "PING6(56=40+8+8 bytes) ::1 --> ::1",
		.fields = FIELDS({ .as = FIELD_NAME, .group = "target" }, SIZE),
	}, {
		.id = "header-windows", .to = PING, .flags = RULE_START, .action = on_header,
		.pattern = "(?:Pinging|Ping wird ausgef\\S{1,4}hrt f\\S{1,3}r|Envoi d\\S{1,4}une requ\\S{1,3}te 'Ping'|Haciendo ping a|"
			"Esecuzione di Ping|Disparando|Ping) (?<target>[^\\s\\[\\]]{1,255})(?: \\[[^\\]\\s]{2,60}\\])?"
			"(?: [^\\d\\s]{2,6} [\\da-fA-F:.%]{2,60})? \\(?[^\\d\\s]{2,12} (?<size>\\d+) [^\\d\\s]{3,}",
		.sample = "Pinging www.example.com [192.0.2.1] with 32 bytes of data:",
		.fields = FIELDS(KEEP("target"), SIZE),
	}, {
		.id = "statistics", .to = STATISTICS, .flags = RULE_START | RULE_INSIDE, .action = on_statistics,
		.pattern = FLOOD "--- (?<target>\\S{1,255}) ping\\d? statistics ---", .sample = "--- 127.0.0.1 ping statistics ---",
		.fields = FIELDS(KEEP("target")),
	}, {
		.id = "statistics-translated", .in = PING, .to = STATISTICS, .action = on_statistics,
		.pattern = FLOOD "--- .{1,300}? ---$", .sample = "--- 127.0.0.1 ping-Statistik ---",
	}, {
		.id = "counts", .in = STATISTICS, .action = on_counts,
		.pattern = "(?:" OTHER(1, 40) " )?(?<sent>\\d+)" OTHER(0, 40) ", (?:" OTHER(1, 40) " )?(?<received>\\d+)" OTHER(0, 40)
			"(?:, (?:-- )?\\+?\\d+ " OTHER(3, 40) "){0,4}, (?:" OTHER(1, 30) " )?" PERCENT,
		.sample = "3 packets transmitted, 0 received, +3 errors, 100% packet loss, time 2049ms",
		.fields = FIELDS(COUNT("sent", METRIC_SENT), COUNT("received", METRIC_RECEIVED), LOSS),
	}, {
		.id = "round trip", .in = STATISTICS, .to = START, .flags = RULE_END,
		.pattern = "(?:rtt|round-trip) min/avg/max(?:/(?:mdev|stddev|std-dev))? = " NUMBER("min") "/" NUMBER("mean") "/" NUMBER("max")
			"(?:/" NUMBER("sd") ")?(?<ms> (?:ms|us|s|" MS_RU "))",
		.sample = "rtt min/avg/max/mdev = 0.043/0.093/0.160/0.025 ms, pipe 2",
		.fields = FIELDS(LATENCY("min"), LATENCY("mean"), LATENCY("max"), LATENCY("sd")),
	}, {
		.id = "counts-windows", .to = STATISTICS, .flags = RULE_START, .action = on_counts,
		.pattern = "[^\\d:]{3,40}: ?" EQUALS "(?<sent>\\d+)" COMMA EQUALS "(?<received>\\d+)" COMMA EQUALS "\\d+"
			"(?: ?\\((?:[^\\d)]{0,40} )?" PERCENT "[^)]{0,60}\\))?",
		.sample = "Packets: Sent = 4, Received = 4, Lost = 0 (0% loss)",
		.fields = FIELDS(COUNT("sent", METRIC_SENT), COUNT("received", METRIC_RECEIVED), LOSS),
	}, {
		.id = "loss-windows", .in = STATISTICS,
		.pattern = "\\(" PERCENT " [^)]{3,40}\\)", .sample = "(0% Verlust),", .fields = FIELDS(LOSS),
	}, {
		.id = "round trip-windows", .in = STATISTICS, .to = START, .flags = RULE_END,
		.pattern = EQUALS "(?<min>\\d+) ?" MS COMMA EQUALS "(?<max>\\d+) ?(?:ms|" MS_RU ")" COMMA EQUALS "(?<mean>\\d+) ?(?:ms|" MS_RU ")",
		.sample = "Minimum = 11ms, Maximum = 18ms, Mittelwert = 12ms",
		.fields = FIELDS(LATENCY("min"), LATENCY("mean"), LATENCY("max")),
	}, {
		.id = "error", .to = START, .flags = RULE_START, .action = on_error,
		.pattern = "ping\\d?: (?<text>(?:unknown host|cannot resolve|[^\\s:]{1,255}: (?:Name or service not known|"
			"Temporary failure in name resolution|No address associated with hostname)).*)",
		.sample = "ping: no-such-host.invalid: Name or service not known",
		.fields = FIELDS(KEEP("text")),
	},
	{ .id = NULL }
};

static const struct ruleset set = {
	.tool = "ping", .rules = rules, .dialect = dialect, .flat = true, .decimal_comma = true, .state_size = sizeof(struct ping),
	.finish = finish,
};

const struct parser parser_ping = { .name = "ping", .title = "ping", .tool = "ping", .rules = &set };
