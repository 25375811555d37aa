/* wrk and wrk2. Sizes are powers of two, counts powers of ten. */
#include "base/num.h"
#include "parsers/rules.h"

static const struct unit_scale dialect[] = {
	{ "us", UNIT_S, 1e-6 }, { "ms", UNIT_S, 1e-3 }, { "s", UNIT_S, 1 }, { "m", UNIT_S, 60 }, { "h", UNIT_S, 3600 },
	{ "B", UNIT_B_PER_S, 1 }, { "KB", UNIT_B_PER_S, 0x1p10 }, { "MB", UNIT_B_PER_S, 0x1p20 }, { "GB", UNIT_B_PER_S, 0x1p30 },
	{ "TB", UNIT_B_PER_S, 0x1p40 },
	{ NULL, UNIT_ONE, 0 }
};

struct wrk {
	struct quantity errors; /* of all kinds that are printed */
	unsigned kinds;
};

static bool on_begin(struct rules *r)
{
	struct wrk *s = r->state;
	rules_begin(r);
	*s = (struct wrk){ .kinds = 0 };
	return true;
}

enum { ERROR_KINDS = 4 };

static bool on_errors(struct rules *r)
{
	struct wrk *s = r->state;
	struct quantity q;
	for (unsigned i = 0; i < ERROR_KINDS && r->rule->fields[i].as != FIELD_END; i++) {
		if (!rules_number(r, i, &q))
			continue;
		double all = s->kinds ? s->errors.value + q.value : q.value;
		if (r->text->copied)
			q.text = arena_copy(r->parse->arena, q.text);
		if (!s->kinds++)
			s->errors = q;
		s->errors.value = all;
	}
	return false;
}

static bool on_percentile(struct rules *r)
{
	struct quantity q;
	double p;
	if (num_double(rules_group(r, 0), &p) == NUM_OK && rules_number(r, 1, &q))
		rules_result(r, METRIC_LATENCY, p == 100 ? "max" : arena_printf(r->parse->arena, "p%.10g", p), &q);
	return false;
}

static void finish(struct rules *r)
{
	struct wrk *s = r->state;
	if (!s->kinds)
		return;
	struct result *errors = rules_result(r, METRIC_ERRORS, "count", &s->errors);
	if (s->kinds > 1) {
		errors->q.text = SLICE_NONE;
		errors->flags |= RESULT_DERIVED;
	}
}

#define TIME(name) "(?<" name ">[\\d.]+)(?<" name "_unit>us|ms|s|m|h)"
#define LATENCY(name) { .as = FIELD_RESULT, .group = name, .metric = METRIC_LATENCY, .stat = name, .unit_group = name "_unit" }

enum { START = 1, WRK = 2 };

static const struct rule rules[] = {
	{
		.id = "begin", .to = WRK, .flags = RULE_START | RULE_INSIDE, .action = on_begin,
		.pattern = "Running [\\d.]+[smh] test @ (?<url>\\S{1,1000})",
		.sample = "Running 2s test @ http://127.0.0.1:5380/index.html",
		.fields = FIELDS({ .as = FIELD_NAME, .group = "url" }),
	}, {
		.id = "threads", .in = WRK,
		.pattern = "(?<threads>\\d+) threads and (?<connections>\\d+) connections",
		.sample = "2 threads and 20 connections",
		.fields = FIELDS({ .as = FIELD_PARAM, .group = "threads", .key = "threads" },
			{ .as = FIELD_PARAM, .group = "connections", .key = "connections" }),
	}, {
		.id = "latency", .in = WRK,
		.pattern = "Latency +" TIME("mean") " +" TIME("sd") " +" TIME("max") " +[\\d.]+%",
		.sample = "Latency     5.26ms    8.45ms  61.61ms   88.88%",
		.fields = FIELDS(LATENCY("mean"), LATENCY("sd"), LATENCY("max")),
	}, {
		.id = "percentile", .in = WRK, .action = on_percentile,
		.pattern = "(?<p>[\\d.]+)% +" TIME("time") "$", .sample = "50%    1.05ms",
		.fields = FIELDS(KEEP("p"), KEEP_IN("time", "time_unit")),
	}, {
		.id = "requests", .in = WRK,
		.pattern = "(?<requests>\\d+) requests in " TIME("time") ", [\\d.]+[KMGT]?B read",
		.sample = "19184 requests in 2.06s, 4.39MB read",
		.fields = FIELDS({ .as = FIELD_RESULT, .group = "requests", .metric = METRIC_REQUESTS, .stat = "count" },
			{ .as = FIELD_RESULT, .group = "time", .metric = METRIC_RUNTIME, .stat = "value", .unit_group = "time_unit" }),
	}, {
		.id = "socket errors", .in = WRK, .action = on_errors,
		.pattern = "Socket errors: connect (?<connect>\\d+), read (?<read>\\d+), write (?<write>\\d+), timeout "
			"(?<timeout>\\d+)(?= |$)",
		.sample = "Socket errors: connect 0, read 12, write 0, timeout 3",
		.fields = FIELDS(KEEP("connect"), KEEP("read"), KEEP("write"), KEEP("timeout")),
	}, {
		.id = "other answers", .in = WRK, .action = on_errors,
		.pattern = "Non-\\dxx or \\dxx responses: (?<n>\\d+)", .sample = "Non-2xx or 3xx responses: 4611",
		.fields = FIELDS(KEEP("n")),
	}, {
		.id = "rate", .in = WRK,
		.pattern = "Requests/sec: +(?<rate>[\\d.]+)", .sample = "Requests/sec:   9329.46",
		.fields = FIELDS({ .as = FIELD_RESULT, .group = "rate", .metric = METRIC_RATE, .stat = "value" }),
	}, {
		.id = "transfer", .in = WRK, .to = START, .flags = RULE_END,
		.pattern = "Transfer/sec: +(?<rate>[\\d.]+)(?<unit>[KMGT]?B)", .sample = "Transfer/sec:      2.14MB",
		.fields = FIELDS({ .as = FIELD_RESULT, .group = "rate", .metric = METRIC_BANDWIDTH, .stat = "value", .unit_group = "unit" }),
	},
	{ .id = NULL }
};

static const struct ruleset set = {
	.tool = "wrk", .rules = rules, .dialect = dialect, .flat = true, .state_size = sizeof(struct wrk), .finish = finish,
};

const struct parser parser_wrk = { .name = "wrk", .title = "wrk", .tool = "wrk", .rules = &set };
