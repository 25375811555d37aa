/* ab (ApacheBench): its report, and its table of percentiles (-e). */
#include "base/num.h"
#include "parsers/rules.h"

static const struct unit_scale dialect[] = {
	{ " seconds", UNIT_S, 1 }, { " ms", UNIT_S, 1e-3 }, { "[ms]", UNIT_S, 1e-3 },
	{ "[#/sec]", UNIT_PER_S, 1 }, { "[Kbytes/sec]", UNIT_B_PER_S, 0x1p10 }, { "kb/s", UNIT_B_PER_S, 0x1p10 },
	{ NULL, UNIT_ONE, 0 }
};

struct ab {
	struct quantity failed, other; /* requests that failed; those with an answer other than 2xx, which ab does not count */
	bool has_failed, has_other, complete; /* complete: up to its rates */
};

static bool on_begin(struct rules *r)
{
	struct ab *s = r->state;
	rules_begin(r);
	*s = (struct ab){ .complete = false };
	return true;
}

static bool on_csv(struct rules *r)
{
	struct ab *s = r->state;
	rules_begin(r);
	*s = (struct ab){ .complete = true };
	return true;
}

static void remember(struct rules *r, struct quantity *q, bool *has)
{
	*has = r->open && rules_number(r, 0, q);
	if (*has && r->text->copied)
		q->text = arena_copy(r->parse->arena, q->text);
}

static bool on_failed(struct rules *r)
{
	struct ab *s = r->state;
	remember(r, &s->failed, &s->has_failed);
	return false;
}

static bool on_other(struct rules *r)
{
	struct ab *s = r->state;
	remember(r, &s->other, &s->has_other);
	return false;
}

static bool on_rates(struct rules *r)
{
	struct ab *s = r->state;
	s->complete = true;
	return true;
}

static bool on_keepalive(struct rules *r)
{
	rules_param(r, "keepalive", SLICE("1"), rules_here(r));
	return false;
}

static bool on_percentile(struct rules *r)
{
	struct slice percent = rules_group(r, 0);
	struct quantity q;
	double p;
	if (!r->open || num_double(percent, &p) != NUM_OK || p > 100 || !rules_number(r, 1, &q))
		return false;
	const char *stat = p == 0 ? "min" : p == 100 ? "max" : arena_printf(r->parse->arena, "p%g", p);
	rules_result(r, METRIC_LATENCY, stat, &q);
	return false;
}

static void finish(struct rules *r)
{
	struct ab *s = r->state;
	struct quantity *printed = s->has_other && s->other.value > 0 ? &s->other : &s->failed;
	if (!s->complete)
		rules_diag(r, DIAG_WARNING, rules_here(r), "ab's report ends before its rates");
	if (!s->has_failed)
		return;
	struct result *errors = rules_result(r, METRIC_ERRORS, "count", printed);
	if (s->has_other && s->failed.value > 0 && s->other.value > 0) {
		errors->q.value = s->failed.value + s->other.value;
		errors->q.text = SLICE_NONE;
		errors->flags |= RESULT_DERIVED;
	}
}

#define RESULT(name, id, what, its_unit) { .as = FIELD_RESULT, .group = name, .metric = id, .stat = what, .unit = its_unit }
#define REPORT_LINE(label) label ": +(?<value>[\\d.]+)"

enum { START = 1, REPORT = 2, CSV = 4 };

static const struct rule rules[] = {
	{
		.id = "begin", .to = REPORT, .flags = RULE_START | RULE_INSIDE, .action = on_begin,
		.pattern = "This is ApacheBench, Version (?<version>[\\d.]+\\S{0,20})",
		.sample = "This is ApacheBench, Version 2.3 <$Revision$>",
		.fields = FIELDS({ .as = FIELD_VERSION, .group = "version" }),
	}, {
		.id = "path", .in = REPORT,
		.pattern = "Document Path: +(?<path>\\S{1,1000})", .sample = "Document Path:          /index.html",
		.fields = FIELDS({ .as = FIELD_NAME, .group = "path" }),
	}, {
		.id = "concurrency", .in = REPORT,
		.pattern = REPORT_LINE("Concurrency Level"), .sample = "Concurrency Level:      5",
		.fields = FIELDS({ .as = FIELD_PARAM, .group = "value", .key = "concurrency" }),
	}, {
		.id = "time", .in = REPORT,
		.pattern = REPORT_LINE("Time taken for tests") " seconds", .sample = "Time taken for tests:   0.077 seconds",
		.fields = FIELDS(RESULT("value", METRIC_RUNTIME, "value", " seconds")),
	}, {
		.id = "complete", .in = REPORT,
		.pattern = REPORT_LINE("Complete requests"), .sample = "Complete requests:      500",
		.fields = FIELDS({ .as = FIELD_RESULT, .group = "value", .metric = METRIC_REQUESTS, .stat = "count" }),
	}, {
		.id = "failed", .in = REPORT, .action = on_failed,
		.pattern = REPORT_LINE("Failed requests"), .sample = "Failed requests:        0",
		.fields = FIELDS(KEEP("value")),
	}, {
		.id = "other", .in = REPORT, .action = on_other,
		.pattern = REPORT_LINE("Non-\\dxx responses"), .sample = "Non-2xx responses:      500",
		.fields = FIELDS(KEEP("value")),
	}, {
		.id = "keep-alive", .in = REPORT, .action = on_keepalive,
		.pattern = "Keep-Alive requests: +\\d", .sample = "Keep-Alive requests:    500",
	}, {
		.id = "rate", .in = REPORT,
		.pattern = REPORT_LINE("Requests per second") "(?: (?<unit>\\[#/sec\\]))?",
		.sample = "Requests per second:    6469.48 [#/sec] (mean)",
		.fields = FIELDS({ .as = FIELD_RESULT, .group = "value", .metric = METRIC_RATE, .stat = "value", .unit_group = "unit" }),
	}, {
		.id = "mean", .in = REPORT,
		.pattern = REPORT_LINE("Time per request") " (?<unit>\\[ms\\]) \\(mean\\)",
		.sample = "Time per request:       0.773 [ms] (mean)",
		.fields = FIELDS({ .as = FIELD_RESULT, .group = "value", .metric = METRIC_LATENCY, .stat = "mean", .unit_group = "unit" }),
	}, {
		.id = "transfer", .in = REPORT, .action = on_rates,
		.pattern = REPORT_LINE("Transfer rate") " (?<unit>\\[Kbytes/sec\\]|kb/s) received",
		.sample = "Transfer rate:          1516.28 [Kbytes/sec] received",
		.fields = FIELDS({ .as = FIELD_RESULT, .group = "value", .metric = METRIC_BANDWIDTH, .stat = "value", .unit_group = "unit" }),
	}, {
		.id = "percentile", .in = REPORT, .action = on_percentile,
		.pattern = "(?<p>\\d{1,3})% +(?<time>\\d+)(?:$| )", .sample = "99%     10",
		.fields = FIELDS(KEEP("p"), { .as = FIELD_KEEP, .group = "time", .unit = " ms" }),
	}, {
		.id = "csv", .to = CSV, .flags = RULE_START, .action = on_csv,
		.pattern = "Percentage served,Time in ms$", .sample = "Percentage served,Time in ms",
	}, {
		.id = "csv-row", .in = CSV, .action = on_percentile,
		.pattern = "^(?<p>\\d{1,3}),(?<time>[\\d.]+)$", .sample = "99,10.075",
		.fields = FIELDS(KEEP("p"), { .as = FIELD_KEEP, .group = "time", .unit = " ms" }),
	},
	{ .id = NULL }
};

static const struct ruleset set = {
	.tool = "ab", .rules = rules, .dialect = dialect, .flat = true, .state_size = sizeof(struct ab), .finish = finish,
};

const struct parser parser_ab = { .name = "ab", .title = "ApacheBench", .tool = "ab", .rules = &set };
