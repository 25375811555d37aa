/* dig: its answers' query times, a block each. */
#include "parsers/rules.h"

static const struct unit_scale dialect[] = { { "msec", UNIT_S, 1e-3 }, { "usec", UNIT_S, 1e-6 }, { NULL, UNIT_ONE, 0 } };

struct dig {
	struct slice version;
	bool asked, timed, served; /* the open block has its question, its time, its server */
};

static void begin(struct rules *r)
{
	struct dig *s = r->state;
	rules_begin(r);
	if (s->version.n)
		rules_version(r, s->version);
	s->asked = s->timed = s->served = false;
}

static bool on_command(struct rules *r)
{
	struct dig *s = r->state;
	rules_end(r);
	s->version = arena_copy(r->parse->arena, rules_group(r, 0));
	return false;
}

static bool on_answer(struct rules *r)
{
	begin(r);
	return true;
}

static bool on_question(struct rules *r)
{
	struct dig *s = r->state;
	struct slice name = rules_group(r, 0);
	if (!r->open || s->asked)
		begin(r);
	s->asked = true;
	rules_name(r, name.n > 1 && slice_ends(name, ".") ? slice_head(name, name.n - 1) : name);
	return false;
}

static bool on_time(struct rules *r)
{
	struct dig *s = r->state;
	if (!r->open || s->timed)
		begin(r);
	s->timed = true;
	return true;
}

static bool on_server(struct rules *r)
{
	struct dig *s = r->state;
	s->served = true;
	return r->open;
}

static void finish(struct rules *r)
{
	const struct dig *s = r->state;
	if (s->asked && !s->timed)
		rules_diag(r, DIAG_WARNING, rules_here(r), "dig's answer ends before its query time");
	else if (s->asked && !s->served)
		rules_diag(r, DIAG_WARNING, rules_here(r), "dig's output does not show which server answered");
}

static bool on_failure(struct rules *r)
{
	struct slice text = rules_group(r, 0);
	rules_diag(r, DIAG_WARNING, rules_here(r), "dig says: %.*s", SLICE_ARG(slice_head(text, 120)));
	return false;
}

static const struct rule rules[] = {
	{
		.id = "time", .flags = RULE_START | RULE_INSIDE, .action = on_time,
		.pattern = ";; Query time: (?<time>\\d+) (?<unit>[mu]sec)", .sample = ";; Query time: 3 msec",
		.fields = FIELDS({ .as = FIELD_RESULT, .group = "time", .metric = METRIC_QUERY_TIME, .stat = "value", .unit_group = "unit" }),
	}, {
		.id = "command", .flags = RULE_START | RULE_INSIDE, .action = on_command,
		.pattern = "; <<>> DiG (?<version>\\S+) <<>>", .sample = "; <<>> DiG 9.10.6 <<>> www.example.com",
		.fields = FIELDS(KEEP("version")),
	}, {
		.id = "status", .flags = RULE_START | RULE_INSIDE, .action = on_answer,
		.pattern = ";; ->>HEADER<<- opcode: [A-Z]+, status: (?:NOERROR|(?<status>[A-Z]+)), id: \\d+",
		.sample = ";; ->>HEADER<<- opcode: QUERY, status: NXDOMAIN, id: 1465",
		.fields = FIELDS({ .as = FIELD_PARAM, .group = "status", .key = "status" }),
	}, {
		.id = "question", .action = on_question,
		.pattern = ";(?<name>[^\\s;]{1,255})\\s+(?:IN|CH|HS|ANY)\\s+[A-Z0-9]{1,10}\\b",
		.sample = ";www.example.com.\t\t\tIN\tA",
		.fields = FIELDS(KEEP("name")),
	}, {
		.id = "server", .action = on_server,
		.pattern = ";; SERVER: (?<server>[^\\s#]{1,255})#\\d+", .sample = ";; SERVER: 192.0.2.1#53(192.0.2.1) (UDP)",
		.fields = FIELDS({ .as = FIELD_PARAM, .group = "server", .key = "server" }),
	}, {
		.id = "failure", .flags = RULE_START, .action = on_failure,
		.pattern = ";; (?<text>(?:no servers could be reached|connection timed out|communications error).*)",
		.sample = ";; no servers could be reached",
		.fields = FIELDS(KEEP("text")),
	},
	{ .id = NULL }
};

static const struct ruleset set = {
	.tool = "dig", .rules = rules, .dialect = dialect, .flat = true, .state_size = sizeof(struct dig), .finish = finish,
};

const struct parser parser_dig = { .name = "dig", .title = "dig", .tool = "dig", .rules = &set };
