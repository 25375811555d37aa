/* ping: iputils, busybox, BSD and macOS, Windows; and what their translations keep of it: the order of the numbers. */
#include "base/num.h"
#include "parsers/rate_check.h"

#include <math.h>

#define MS_RU "\xd0\xbc\xd1\x81"
#define MS_JA "\xe3\x83\x9f\xe3\x83\xaa\xe7\xa7\x92"
#define MS_KA "\xe1\x83\x9b\xe1\x83\xac\xe1\x83\x9b"
#define MS_ZH "\xe6\xaf\xab\xe7\xa7\x92"
#define MSEC_RU MS_RU "\xd0\xb5\xd0\xba"
#define PING_UK "\xd0\x9f\xd0\x86\xd0\x9d\xd0\x93"
#define MS_ANY MSEC_RU "|" MS_RU "|" MS_JA "|" MS_KA "|" MS_ZH

static const struct unit_scale dialect[] = {
	{ "ms", UNIT_S, 1e-3 }, { MS_RU, UNIT_S, 1e-3 }, { MSEC_RU, UNIT_S, 1e-3 },
	{ MS_JA, UNIT_S, 1e-3 }, { MS_KA, UNIT_S, 1e-3 }, { MS_ZH, UNIT_S, 1e-3 },
	/* behind the last of several numbers, for all of them */
	{ " ms", UNIT_S, 1e-3 }, { " " MS_RU, UNIT_S, 1e-3 }, { " " MS_KA, UNIT_S, 1e-3 },
	{ " us", UNIT_S, 1e-6 }, { " s", UNIT_S, 1 },
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

enum { HEADER_TARGET, HEADER_ADDRESS };

static bool begin(struct rules *r, struct slice target)
{
	struct ping *s = r->state;
	rules_begin(r);
	*s = (struct ping){ .target = arena_copy(r->parse->arena, target) };
	rules_name(r, s->target);
	return true;
}

static bool on_header(struct rules *r)
{
	return begin(r, rules_group(r, HEADER_TARGET));
}

/* The name may be missing before the address. */
static bool on_header_unix(struct rules *r)
{
	struct slice target = rules_group(r, HEADER_TARGET);
	return begin(r, target.n ? target : rules_group(r, HEADER_ADDRESS));
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
	if (received->q.value > sent->q.value) {
		received->flags |= RESULT_SUSPECT;
		rules_diag(r, DIAG_WARNING, received->q.pos, "%.*s are received, but only %.*s were sent",
			SLICE_ARG(received->q.text), SLICE_ARG(sent->q.text));
	}
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
	bool all = s->replies == s->timed && received->q.value == (double)s->timed;
	if (all || s->min < min->q.value)
		rules_agree(r, min, s->min, 2 * s->half_digit, "the fastest reply");
	if (all || s->max > max->q.value)
		rules_agree(r, max, s->max, 2 * s->half_digit, "the slowest reply");
	if (!all)
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
#define MS "(?<ms>ms|" MS_ANY ")"
#define COMMA "(?:,|\\xef\\xbc\\x8c|\\xe3\\x80\\x81) ?"
#define FLOOD "(?:^[.E\\x08 ]*+)?" /* its dots may stand before the statistics */
#define EQUALS "[^\\d,=]{1,60} = "

#define COUNT(name, id) { .as = FIELD_RESULT, .group = name, .metric = id, .stat = "count" }
#define LATENCY(name) { .as = FIELD_RESULT, .group = name, .metric = METRIC_LATENCY, .stat = name, .unit_group = "ms" }
#define LOSS { .as = FIELD_RESULT, .group = "loss", .metric = METRIC_LOSS, .stat = "value", .unit_group = "percent", \
	.unit = "%" }
#define PERCENT "(?<before>%)?(?<loss>[\\d.,]+)(?(<before>)| ?(?<percent>%))"
#define SIZE { .as = FIELD_PARAM, .group = "size", .key = "size", .unit = "bytes" }

/* What Windows says before and behind the target's name. */
#define IN_BRACKETS "\\[[^\\]\\s]{2,60}\\]"
#define WINDOWS_HEADS "Pinging|Ping wird ausgef\\S{1,4}hrt f\\S{1,3}r|Envoi d\\S{1,4}une requ\\S{1,3}te '[Pp]ing'" \
	"(?: sur)?|" \
	"Haciendo ping a|Esecuzione di Ping|Disparando|Ping|Badanie|Pinger|Pingen naar|Skickar ping-signal till|" \
	"\xd0\x9e\xd0\xb1\xd0\xbc(?:\xd0\xb5|\xd1\x96)\xd0\xbd " \
	"\xd0\xbf\xd0\xb0\xd0\xba\xd0\xb5\xd1\x82\xd0\xb0\xd0\xbc\xd0\xb8 (?:\xd1\x81|\xd0\xb7)|" \
	"\xe6\xad\xa3\xe5\x9c\xa8 Ping"
#define WINDOWS_TAILS "\xe3\x81\xab ping" \
	" \xe3\x82\x92\xe9\x80\x81\xe4\xbf\xa1\xe3\x81\x97\xe3\x81\xa6\xe3\x81\x84\xe3\x81\xbe\xe3\x81\x99|adresine"
#define WINDOWS_STATISTICS "Ping statistics for|Ping-Statistik f\\S{1,3}r|Statistiques Ping pour|" \
	"Estad\\S{1,3}sticas de ping para|" \
	"Statistiche Ping per|Estat\\S{1,3}sticas do Ping para|Statystyka badania ping dla|Ping-statistik f\\S{1,3}r|" \
	"\xd0\xa1\xd1\x82\xd0\xb0\xd1\x82\xd0\xb8\xd1\x81\xd1\x82\xd0\xb8\xd0\xba\xd0\xb0 Ping \xd0\xb4\xd0\xbb\xd1\x8f"

enum { START = 1, PING = 2, STATISTICS = 4 };

static const struct rule rules[] = {
	{
		.id = "reply", .in = PING | STATISTICS, .action = on_reply,
		.pattern = "(?:\\[\\d+\\.\\d+\\] )?\\d+ [^\\d\\s]{2,20} .{1,220}?: "
			"(?:(?:icmp_)?[sr]eq|[^\\d\\s=:]{3,16}) ?=\\d+(?: ident=\\d+)?"
			" [^\\d\\s=]{2,9} ?=\\d+(?: [^\\d\\s=<]{2,16}[=<](?<time>[\\d.,]+) ?" MS ")?",
		.sample = "64 bytes from 127.0.0.1: icmp_seq=1 ttl=64 time=0.029 ms",
		.fields = FIELDS(KEEP_IN("time", "ms")),
	}, {
		.id = "header", .to = PING, .flags = RULE_START | RULE_INSIDE, .action = on_header_unix,
		.pattern = "(?:PING|" PING_UK "|Ping(?=.{1,400}\\(\\d+\\) bytes)) (?<target>[^\\s(]{0,255}) ?\\((?<address>(?:[^()]|\\([^()]*\\)){0,300})\\)"
			"(?: from [^ ]{1,80}(?: [^ ]{1,40})?)?:? "
			"(?:[^\\d\\s]{1,20} )?(?<size>\\d+)(?: ?\\(\\d+\\))? [^\\d\\s]{3,}",
		.sample = "PING 192.0.2.1 (192.0.2.1) from 192.0.2.2 lo: 56(84) bytes of data.",
		.fields = FIELDS(KEEP("target"), KEEP("address"), SIZE),
	}, {
		.id = "header-bsd-6", .to = PING, .flags = RULE_START, .action = on_header,
		.pattern = "PING\\d\\((?:\\d+=\\d+\\+\\d+\\+)?(?<size>\\d+) bytes\\) \\S+ --> (?<target>\\S+)",
		.sample = "PING6(56=40+8+8 bytes) ::1 --> ::1",
		.fields = FIELDS({ .as = FIELD_NAME, .group = "target" }, SIZE),
	}, {
		.id = "header-windows", .to = PING, .flags = RULE_START, .action = on_header,
		.pattern = "(?:" WINDOWS_HEADS ") (?<target>[^\\s\\[\\]]{1,255})(?: " IN_BRACKETS ")?"
			"(?: [^\\d\\s]{2,6} [\\da-fA-F:.%]{2,60})?"
			"(?: (?:\\(?[^\\d\\s()]{2,12}(?: \xd1\x81)?|z) | (?=\\d+[\\x80-\\xff]))(?<size>\\d+) ?[^\\d\\s]{3,}",
		.sample = "Pinging www.example.com [192.0.2.1] with 32 bytes of data:",
		.fields = FIELDS(KEEP("target"), SIZE),
	}, {
		/* Where the name stands before the words. */
		.id = "header-windows-first", .in = START, .to = PING, .action = on_header,
		.pattern = "(?<target>[^\\s\\[\\]]{1,255}?) ?(?:" IN_BRACKETS ")? ?(?:" WINDOWS_TAILS ")"
			" ?(?<size>\\d+) [^\\d\\s]{3,}",
		.sample = "www.example.com [192.0.2.1] adresine 32 bayt veri ile ping at\xc4\xb1l\xc4\xb1yor:",
		.fields = FIELDS(KEEP("target"), SIZE),
	}, {
		.id = "statistics-windows", .to = STATISTICS, .flags = RULE_START, .action = on_statistics,
		.pattern = "(?:" WINDOWS_STATISTICS ") (?<target>[^\\s]{1,255}?) ?:(?=\\s|$)",
		.sample = "Ping statistics for 192.0.2.1:",
		.fields = FIELDS(KEEP("target")),
	}, {
		.id = "statistics", .to = STATISTICS, .flags = RULE_START | RULE_INSIDE, .action = on_statistics,
		.pattern = FLOOD "--- (?<target>\\S{1,255}) ping\\d? statistics ---", .sample = "--- 127.0.0.1 ping statistics ---",
		.fields = FIELDS(KEEP("target")),
	}, {
		.id = "statistics-translated", .in = PING, .to = STATISTICS, .action = on_statistics,
		.pattern = FLOOD "-{2,3} .{1,300}? -{2,4}$", .sample = "--- 127.0.0.1 ping-Statistik ---",
	}, {
		.id = "counts", .in = STATISTICS, .action = on_counts,
		.pattern = "(?:" OTHER(1, 40) " )?(?<sent>\\d+)" OTHER(0, 40) COMMA
			"(?:" OTHER(1, 40) " )?(?<received>\\d+)" OTHER(0, 40)
			"(?:, (?:-- )?\\+?\\d+ " OTHER(3, 40) "){0,4}, (?:" OTHER(1, 30) " )?" PERCENT,
		.sample = "3 packets transmitted, 0 received, +3 errors, 100% packet loss, time 2049ms",
		.fields = FIELDS(COUNT("sent", METRIC_SENT), COUNT("received", METRIC_RECEIVED), LOSS),
	}, {
		.id = "round trip", .in = STATISTICS, .to = START, .flags = RULE_END,
		.pattern = "(?:rtt|round-trip) [^\\d=]{7,90} = " NUMBER("min") "/" NUMBER("mean") "/" NUMBER("max")
			"(?:/(?<sd>\\d[\\d.,]*|-?nan))?(?<ms> (?:ms|us|s|" MS_RU "|" MS_KA "))",
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
		.pattern = EQUALS "(?<min>\\d+) ?" MS COMMA EQUALS "(?<max>\\d+) ?(?:ms|" MS_ANY ")" COMMA
			EQUALS "(?<mean>\\d+) ?(?:ms|" MS_ANY ")",
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

static const char *const missing[] = { "nan", "-nan", NULL };

static const struct ruleset set = {
	.tool = "ping", .rules = rules, .missing = missing, .dialect = dialect, .flat = true, .decimal_comma = true,
	.state_size = sizeof(struct ping),
	.finish = finish,
};

const struct parser parser_ping = { .name = "ping", .title = "ping", .tool = "ping", .rules = &set };
