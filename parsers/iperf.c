/* iperf 2: its text and its CSV (-y C). A total looks like an interval: it is a stream's last line, and begins at 0. */
#include "base/num.h"
#include "parsers/iperf_units.h"
#include "parsers/rules.h"

/* What is printed in one line of a stream, by its fields' places. */
enum { LINE_ID, LINE_FROM, LINE_TO, LINE_RATE, LINE_RETRANSMITS, LINE_JITTER, LINE_LOSS, LINE_WHO,
	LINE_UDP, LINE_VALUES };

static const struct figure {
	enum metric_id metric;
	const char *stat;
} figures[LINE_VALUES] = {
	[LINE_RATE] = { METRIC_BANDWIDTH, "value" },
	[LINE_RETRANSMITS] = { METRIC_RETRANSMITS, "count" },
	[LINE_JITTER] = { METRIC_JITTER, "value" },
	[LINE_LOSS] = { METRIC_LOSS, "value" },
};

/* A stream and its last line so far. */
struct stream {
	struct slice id, who;
	unsigned lines;
	bool from_start, whole; /* the line begins at 0; ends at a whole second, to four digits */
	struct pos pos;
	struct quantity values[LINE_VALUES];
	bool has[LINE_VALUES];
};

struct iperf {
	struct stream *streams;
	size_t n, cap;
	bool udp;
};

static struct stream *stream_of(struct rules *r, struct slice id, struct slice who)
{
	struct iperf *s = r->state;
	for (size_t i = 0; i < s->n; i++)
		if (slice_eq(s->streams[i].id, id) && slice_eq(s->streams[i].who, who))
			return &s->streams[i];
	struct stream *stream = ARENA_PUSH(r->parse->arena, s->streams, s->n, s->cap);
	stream->id = arena_copy(r->parse->arena, id);
	stream->who = arena_copy(r->parse->arena, who);
	return stream;
}

static bool is_sum(struct slice id)
{
	return slice_is(id, "SUM") || slice_is(id, "-1");
}

static void give_stream(struct rules *r, const struct stream *stream, unsigned streams)
{
	struct arena *a = r->parse->arena;
	bool reverse = slice_starts(stream->id, "*"); /* it is received where others are sent */
	struct slice id = slice_from(stream->id, reverse);
	rules_untag(r);
	if (reverse)
		rules_tag(r, "reverse", SLICE("1"), stream->pos);
	rules_tag(r, "stream", is_sum(id) ? SLICE("sum") : id, stream->pos);
	if (is_sum(stream->id))
		rules_tag(r, "streams", arena_u64(a, streams), stream->pos);
	for (size_t i = 0; i < LINE_VALUES; i++)
		if (stream->has[i])
			rules_result(r, figures[i].metric, figures[i].stat, &stream->values[i]);
}

static void finish(struct rules *r)
{
	struct iperf *s = r->state;
	const struct stream *open = NULL;
	unsigned streams = 0;
	for (size_t i = 0; i < s->n; i++)
		streams += !is_sum(s->streams[i].id) && s->streams[i].lines; /* reversed ones are announced by another name */
	for (size_t i = 0; i < s->n; i++) {
		const struct stream *stream = &s->streams[i];
		if (stream->from_start && !(stream->lines == 1 && stream->whole))
			give_stream(r, stream, streams);
		else if (stream->lines)
			open = stream;
	}
	if (open)
		rules_diag(r, DIAG_WARNING, open->pos, "iperf's output ends before the total of stream %.*s: intervals are no results",
			SLICE_ARG(open->id));
	rules_name(r, s->udp ? SLICE("udp") : SLICE("tcp"));
	*s = (struct iperf){ NULL, 0, 0, false };
}

static bool has_lines(const struct iperf *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->streams[i].lines)
			return true;
	return false;
}

/* Clients and servers announce themselves before or between their streams. */
static bool on_header(struct rules *r)
{
	struct iperf *s = r->state;
	if (!r->open || has_lines(s))
		rules_begin(r);
	s->udp |= slice_is(rules_group(r, 0), "UDP");
	return true;
}

static bool on_stream(struct rules *r)
{
	struct iperf *s = r->state;
	if (!r->open || has_lines(s))
		rules_begin(r);
	stream_of(r, rules_group(r, 0), SLICE_NONE);
	return true;
}

static bool on_line(struct rules *r)
{
	struct iperf *s = r->state;
	struct slice id = rules_group(r, LINE_ID), to = rules_group(r, LINE_TO);
	if (!r->open)
		rules_begin(r);
	struct stream *stream = stream_of(r, id, rules_group(r, LINE_WHO));
	double from = 1;
	num_double(rules_group(r, LINE_FROM), &from);
	stream->lines++;
	stream->from_start = from == 0;
	stream->whole = slice_ends(to, ".0000");
	stream->pos = rules_here(r);
	for (unsigned i = LINE_RATE; i <= LINE_LOSS; i++) {
		stream->has[i] = rules_number(r, i, &stream->values[i]);
		if (r->text->copied && stream->has[i])
			stream->values[i].text = arena_copy(r->parse->arena, stream->values[i].text);
	}
	s->udp |= stream->has[LINE_JITTER] || rules_group(r, LINE_UDP).p;
	return false;
}

#define ADDRESS "[\\da-fA-F.:%]{3,60}"
#define LINE_FIELDS FIELDS(KEEP("id"), KEEP("from"), KEEP("to"), KEEP_IN("rate", "rate_unit"), \
	{ .as = FIELD_KEEP, .group = "retransmits" }, KEEP_IN("jitter", "jitter_unit"), \
	{ .as = FIELD_KEEP, .group = "loss", .unit_group = "percent" }, \
	{ .as = FIELD_KEEP, .text = "" }, { .as = FIELD_KEEP, .text = NULL })
#define SPAN "(?<from>[\\d.]+)- ?(?<to>[\\d.]+) "

enum { START = 1, IPERF = 2 };

static const struct rule rules[] = {
	{
		.id = "line", .in = IPERF, .action = on_line,
		.pattern = "\\[ *(?<id>\\*?\\d+|SUM)(?:-\\d+)?\\] +" SPAN "+sec +[\\d.]+ +[KMGT]?Bytes +" IPERF_RATE
			"(?: +(?:(?<jitter>[\\d.]+) (?<jitter_unit>ms) +)?\\d+/ *\\d+ \\((?<loss>[^%)]{1,12})(?<percent>%)\\)|"
			" +\\d+/\\d+ +(?<retransmits>\\d+)(?: +-?\\d+K/| *$))?",
		.sample = "[  1] 0.0000-2.0214 sec   484 MBytes  2.01 Gbits/sec  3871/0         49     1151K/61(13) us  4114869",
		.fields = LINE_FIELDS,
	}, {
		.id = "stream", .to = IPERF, .flags = RULE_START | RULE_INSIDE, .action = on_stream,
		.pattern = "\\[ *(?<id>\\d+)\\] local \\S{1,80} port \\d+ connected with ",
		.sample = "[  1] local 127.0.0.1 port 58528 connected with 127.0.0.1 port 5302 (icwnd/mss/irtt=319/32741/13)",
		.fields = FIELDS(KEEP("id")),
	}, {
		.id = "client", .to = IPERF, .flags = RULE_START | RULE_INSIDE, .action = on_header,
		.pattern = "Client connecting to (?<host>\\S{1,255}), (?<protocol>TCP|UDP) port \\d+",
		.sample = "Client connecting to 127.0.0.1, TCP port 5302 with pid 14702 (1 flows)",
		.fields = FIELDS(KEEP("protocol"), { .as = FIELD_OPTION, .group = "host", .key = "host" }),
	}, {
		.id = "server", .to = IPERF, .flags = RULE_START | RULE_INSIDE, .action = on_header,
		.pattern = "Server listening on (?<protocol>TCP|UDP) port \\d+", .sample = "Server listening on TCP port 5302",
		.fields = FIELDS(KEEP("protocol")),
	}, {
		.id = "csv", .to = IPERF, .flags = RULE_START, .action = on_line,
		.pattern = "^\\d{14},(?<who>" ADDRESS ",\\d+," ADDRESS ",\\d+),(?<id>-?\\d+),(?<from>[\\d.]+)-(?<to>[\\d.]+)"
			",\\d+,(?<rate>\\d+)"
			"(?:,(?<jitter>[\\d.]+),\\d+,\\d+,(?<loss>[\\d.]+),\\d+|(?<udp>(?:,[\\d.-]+){5}))?$",
		.sample = "20261130113753,127.0.0.1,40796,127.0.0.1,15206,1,0.0-2.0,541851708,2161106127",
		.fields = FIELDS(KEEP("id"), KEEP("from"), KEEP("to"), { .as = FIELD_KEEP, .group = "rate", .unit = "bit/s" },
			{ .as = FIELD_KEEP, .text = NULL }, { .as = FIELD_KEEP, .group = "jitter", .unit = "ms" },
			{ .as = FIELD_KEEP, .group = "loss", .unit = "%" }, KEEP("who"), KEEP("udp")),
	},
	{ .id = NULL }
};

static const struct ruleset set = {
	.tool = "iperf", .rules = rules, .dialect = iperf_dialect, .flat = true, .state_size = sizeof(struct iperf), .finish = finish,
};

const struct parser parser_iperf = { .name = "iperf", .title = "iperf 2", .tool = "iperf", .rules = &set };
