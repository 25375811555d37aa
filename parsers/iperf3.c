/* iperf 3: its text. Only lines marked sender or receiver are results; the rest are intervals. */
#include "parsers/iperf_units.h"
#include "parsers/rate_check.h"

/* The streams of one direction, for comparing them with their printed sum. */
struct direction {
	unsigned n;
	double rate, slack;
};

struct iperf3 {
	bool udp;
	struct slice version;
	unsigned headers;        /* of tables: the second one is that of the totals */
	struct direction directions[2][2]; /* [sender, receiver][reverse] */
};

static bool on_begin(struct rules *r)
{
	struct iperf3 *s = r->state;
	struct slice version = s->version;
	rules_begin(r);
	*s = (struct iperf3){ .version = version };
	if (version.n)
		rules_version(r, version);
	return true;
}

static bool on_version(struct rules *r)
{
	struct iperf3 *s = r->state;
	rules_end(r);
	s->version = arena_copy(r->parse->arena, rules_group(r, 0));
	return false;
}

static bool on_table(struct rules *r)
{
	struct iperf3 *s = r->state;
	s->udp |= slice_is(rules_group(r, 0), "Datagrams");
	s->headers++;
	return false;
}

static bool on_error(struct rules *r)
{
	struct slice text = rules_group(r, 0);
	rules_diag(r, DIAG_WARNING, rules_here(r), "iperf3 says: %.*s", SLICE_ARG(slice_head(text, 120)));
	return false;
}

/* ---- totals ---- */

enum { LINE_ID, LINE_ROLE, LINE_LABEL, LINE_RATE, LINE_RETRANSMITS, LINE_JITTER, LINE_LOSS };

static void tag_line(struct rules *r, bool receiver, bool reverse, unsigned streams)
{
	struct slice id = rules_group(r, LINE_ID), label = rules_group(r, LINE_LABEL);
	bool sum = slice_is(id, "SUM");
	if (label.p)
		rules_tag(r, "direction", receiver ? SLICE("receiver") : SLICE("sender"), rules_pos(r, label.p));
	if (reverse)
		rules_tag(r, "reverse", SLICE("1"), rules_here(r));
	rules_tag(r, "stream", sum ? SLICE("sum") : id, rules_here(r));
	if (sum)
		rules_tag(r, "streams", arena_u64(r->parse->arena, streams), rules_here(r));
}

static void give_rate(struct rules *r, struct direction *d)
{
	struct quantity rate;
	if (!rules_number(r, LINE_RATE, &rate))
		return;
	struct result *k = rules_result(r, METRIC_BANDWIDTH, "value", &rate);
	if (!slice_is(rules_group(r, LINE_ID), "SUM")) {
		d->n++;
		d->rate += rate.value;
		d->slack += rate.half_digit;
	} else if (d->n) {
		/* A sum is over its own time, which differs a little from the streams'. */
		rules_agree(r, k, d->rate, d->slack + 0.01 * d->rate, "the sum of the streams");
	}
}

static bool on_total(struct rules *r)
{
	struct iperf3 *s = r->state;
	struct slice role = rules_group(r, LINE_ROLE), label = rules_group(r, LINE_LABEL);
	bool receiver = label.p ? slice_is(label, "receiver") : true;
	bool reverse = slice_is(role, "TX-S") || slice_is(role, "RX-C");
	struct direction *d = &s->directions[receiver][reverse];
	struct quantity q;
	if (!r->open)
		on_begin(r);
	tag_line(r, receiver, reverse, d->n);
	give_rate(r, d);
	s->udp |= rules_group(r, LINE_JITTER).p != NULL;
	if (!receiver && rules_number(r, LINE_RETRANSMITS, &q))
		rules_result(r, METRIC_RETRANSMITS, "count", &q);
	if (receiver && rules_number(r, LINE_JITTER, &q))
		rules_result(r, METRIC_JITTER, "value", &q);
	if (receiver && rules_number(r, LINE_LOSS, &q))
		rules_result(r, METRIC_LOSS, "value", &q);
	return false;
}

/* Up to 3.1, totals of UDP have no mark: they stand below the second heading. */
static bool on_unmarked(struct rules *r)
{
	const struct iperf3 *s = r->state;
	return s->headers == 2 && on_total(r);
}

static void finish(struct rules *r)
{
	struct iperf3 *s = r->state;
	const struct direction *d = s->directions[0];
	rules_name(r, s->udp ? SLICE("udp") : SLICE("tcp"));
	if (s->headers && d[0].n + d[1].n + d[2].n + d[3].n == 0)
		rules_diag(r, DIAG_WARNING, rules_here(r), "iperf3's output ends before its totals: intervals are no results");
}

/* ---- the table ---- */

#define STREAM "\\[ *(?<id>\\d+|SUM)\\](?:\\[(?<role>[TR]X-[CS])\\])? +" \
	"[\\d.]+- ?[\\d.]+ +sec +[\\d.]+ +[KMGT]?Bytes +" IPERF_RATE
#define DATAGRAMS " +(?<jitter>[^\\s(]{1,16}) (?<jitter_unit>ms) +-?\\d+/-?\\d+ \\((?<loss>[^%)]{1,16})(?<percent>%)\\)"
#define LINE_FIELDS(label, retransmits) FIELDS(KEEP("id"), KEEP("role"), label, KEEP_IN("rate", "rate_unit"), retransmits, \
	KEEP_IN("jitter", "jitter_unit"), KEEP_IN("loss", "percent"))
#define NONE { .as = FIELD_KEEP }

enum { START = 1, IPERF = 2 };

static const struct rule rules[] = {
	{
		.id = "total", .in = IPERF, .action = on_total,
		.pattern = STREAM "(?:" DATAGRAMS ")?(?: +(?<retransmits>\\d+))? +(?<label>sender|receiver)\\b",
		.sample = "[  5]   0.00-3.01   sec   719 MBytes  2.00 Gbits/sec   72             sender",
		.fields = LINE_FIELDS(KEEP("label"), KEEP("retransmits")),
	}, {
		.id = "unmarked", .in = IPERF, .action = on_unmarked,
		.pattern = STREAM DATAGRAMS " *$",
		.sample = "[  4]   0.00-10.00  sec  1.25 MBytes  1.05 Mbits/sec  0.073 ms  0/159 (0%)",
		.fields = LINE_FIELDS(NONE, NONE),
	}, {
		.id = "interval", .in = IPERF, .pattern = "\\[ *(?:\\d+|SUM)\\](?:\\[[TR]X-[CS]\\])? +[\\d.]+- ?[\\d.]+ +sec +",
		.sample = "[  5]   0.00-1.00   sec   235 MBytes  1.96 Gbits/sec   24   1023 KBytes",
	}, {
		.id = "table", .in = IPERF, .action = on_table,
		.pattern = "\\[ ID\\](?:\\[Role\\])? Interval +Transfer +(?:Bitrate|Bandwidth)(?:.*(?<datagrams>Datagrams))?",
		.sample = "[ ID] Interval           Transfer     Bitrate         Jitter    Lost/Total Datagrams",
		.fields = FIELDS(KEEP("datagrams")),
	}, {
		.id = "client", .to = IPERF, .flags = RULE_START | RULE_INSIDE, .action = on_begin,
		.pattern = "Connecting to host (?<host>\\S{1,255}), port \\d+",
		.sample = "Connecting to host 127.0.0.1, port 5301",
		.fields = FIELDS({ .as = FIELD_OPTION, .group = "host", .key = "host" }),
	}, {
		.id = "server", .to = IPERF, .flags = RULE_START | RULE_INSIDE, .action = on_begin,
		.pattern = "Accepted connection from \\S{1,80}, port \\d+",
		.sample = "Accepted connection from 127.0.0.1, port 59392",
	}, {
		.id = "listening", .to = IPERF, .flags = RULE_START | RULE_END,
		.pattern = "Server listening on \\d+\\b", .sample = "Server listening on 5301 (test #6)",
	}, {
		.id = "stream", .to = IPERF, .flags = RULE_START,
		.pattern = "\\[ *\\d+\\] local \\S{1,80} port \\d+ connected to ",
		.sample = "[  5] local 127.0.0.1 port 57978 connected to 127.0.0.1 port 5301",
	}, {
		.id = "reverse", .in = IPERF,
		.pattern = "Reverse mode, remote host", .sample = "Reverse mode, remote host 127.0.0.1 is sending",
		.fields = FIELDS({ .as = FIELD_PARAM, .text = "1", .key = "reverse" }),
	}, {
		.id = "version", .to = IPERF, .flags = RULE_START, .action = on_version,
		.pattern = "iperf (?<version>\\d\\.\\d\\S{0,20})", .sample = "iperf 3.12", .fields = FIELDS(KEEP("version")),
	}, {
		.id = "error", .to = IPERF, .flags = RULE_START, .action = on_error,
		.pattern = "iperf\\d: error - (?<text>.{1,200})",
		.sample = "iperf3: error - unable to connect to server: Connection refused",
		.fields = FIELDS(KEEP("text")),
	},
	{ .id = NULL }
};

static const struct ruleset set = {
	.tool = "iperf3", .rules = rules, .dialect = iperf_dialect, .flat = true, .state_size = sizeof(struct iperf3), .finish = finish,
};

const struct parser parser_iperf3 = { .name = "iperf3", .title = "iperf3 text", .tool = "iperf3", .rules = &set };
