/* hdparm -t and -T: its read timings, since 2003. Its MB is 2^20 bytes, counted whole. */
#include "parsers/rate_check.h"

static const struct unit_scale dialect[] = {
	{ "MB/sec", UNIT_B_PER_S, 0x1p20 }, { "kB/sec", UNIT_B_PER_S, 0x1p10 }, { "GB/sec", UNIT_B_PER_S, 0x1p30 },
	{ "MB", UNIT_B, 0x1p20 }, { "kB", UNIT_B, 0x1p10 }, { "GB", UNIT_B, 0x1p30 },
	{ "seconds", UNIT_S, 1 },
	{ NULL, UNIT_ONE, 0 }
};

struct hdparm {
	struct slice device;
	struct pos device_pos;
	struct slice test;   /* announced, its figures are still to come; empty: none */
	struct pos test_pos;
};

static bool on_device(struct rules *r)
{
	struct hdparm *s = r->state;
	rules_end(r);
	*s = (struct hdparm){ .device = arena_copy(r->parse->arena, rules_group(r, 0)), .device_pos = rules_here(r) };
	return false;
}

static bool on_error(struct rules *r)
{
	on_device(r);
	struct slice text = rules_group(r, 1);
	rules_diag(r, DIAG_WARNING, rules_here(r), "hdparm says: %.*s", SLICE_ARG(slice_head(text, 120)));
	return false;
}

static void no_figures(struct rules *r)
{
	struct hdparm *s = r->state;
	if (s->test.n)
		rules_diag(r, DIAG_WARNING, s->test_pos, "the timing of %.*s has no figures", SLICE_ARG(s->test));
	s->test = SLICE_NONE;
}

static void finish(struct rules *r)
{
	no_figures(r);
	rules_recompute_rate(r, false);
}

/* A test of a device; what was called something else in 2003 has its present name. */
static bool on_announced(struct rules *r)
{
	struct hdparm *s = r->state;
	struct slice name = rules_group(r, 0);
	rules_begin(r);
	if (slice_is(name, "buffer-cache reads"))
		name = SLICE("cached reads");
	rules_name(r, name);
	if (s->device.n)
		rules_param(r, "device", s->device, s->device_pos);
	s->test = arena_copy(r->parse->arena, name);
	s->test_pos = rules_here(r);
	return true;
}

/* Figures of the announced test: messages may have come between. */
static bool on_figures(struct rules *r)
{
	struct hdparm *s = r->state;
	bool expected = r->open && s->test.n;
	s->test = SLICE_NONE;
	return expected;
}

static bool on_test(struct rules *r)
{
	on_announced(r);
	return on_figures(r);
}

#define TIMING "Timing (?<name>(?:O_DIRECT )?(?:cached|buffer-cache|buffered disk|disk) reads)" \
	"(?: \\(offset (?<offset>\\d+) (?<offset_unit>GB)\\))?:"
#define OFFSET { .as = FIELD_PARAM, .group = "offset", .key = "offset", .unit_group = "offset_unit" }
#define FIGURES "(?<io>\\d+) (?<io_unit>[kMG]B) in +(?<time>[\\d.]+) (?<seconds>seconds) ?= ?" \
	"(?<rate>[\\d.]+) ?(?<unit>[kMG]B/sec)"
#define RESULT(name, id, its_unit) { .as = FIELD_RESULT, .group = name, .metric = id, .stat = "value", .unit_group = its_unit }
#define FIGURE_FIELDS RESULT("io", METRIC_IO, "io_unit"), RESULT("time", METRIC_RUNTIME, "seconds"), \
	RESULT("rate", METRIC_BANDWIDTH, "unit")

enum { START = 1, DEVICE = 2, TEST = 4 };

static const struct rule rules[] = {
	{
		.id = "test", .to = DEVICE, .flags = RULE_START | RULE_INSIDE, .action = on_test,
		.pattern = TIMING " +" FIGURES, .sample = "Timing cached reads:   14502 MB in  1.99 seconds = 7289.54 MB/sec",
		.fields = FIELDS(KEEP("name"), OFFSET, FIGURE_FIELDS),
	}, {
		.id = "announced", .to = TEST, .flags = RULE_START | RULE_INSIDE, .action = on_announced,
		.pattern = TIMING, .sample = "Timing cached reads:   BLKFLSBUF failed: Inappropriate ioctl for device",
		.fields = FIELDS(KEEP("name"), OFFSET),
	}, {
		.id = "figures", .in = TEST, .to = DEVICE, .action = on_figures,
		.pattern = FIGURES, .sample = "9942 MB in  2.02 seconds = 4923.05 MB/sec",
		.fields = FIELDS(FIGURE_FIELDS),
	}, {
		.id = "device", .to = DEVICE, .flags = RULE_START | RULE_INSIDE, .action = on_device,
		.pattern = "(?<device>/dev/[^\\s:]{1,200}):(?=$| *Timing )", .sample = "/dev/sda:",
		.fields = FIELDS(KEEP("device")),
	}, {
		.id = "file", .to = DEVICE, .action = on_device,
		.pattern = "^(?<device>/(?!dev/)[^\\s:]{1,200}):$", .sample = "/mnt/disk.img:",
		.fields = FIELDS(KEEP("device")),
	}, {
		.id = "error", .to = DEVICE, .flags = RULE_START, .action = on_error,
		.pattern = "(?<device>/dev/[^\\s:]{1,200}): "
			"(?<text>(?:Operation not permitted|Permission denied|No such file or directory|"
			"No such device|No medium found).*)",
		.sample = "/dev/vda: Operation not permitted",
		.fields = FIELDS(KEEP("device"), KEEP("text")),
	}, {
		.id = "command", .to = DEVICE, .flags = RULE_START | RULE_INSIDE,
		.pattern = "(?:/(?:usr/)?sbin/)?hdparm(?: +-{1,2}[A-Za-z-]{1,20})+(?: +/[^\\s:]{1,200}(?![\\w:/]))*",
		.sample = "hdparm -tT /dev/xvdf",
	},
	{ .id = NULL }
};

static const struct ruleset set = {
	.tool = "hdparm", .rules = rules, .dialect = dialect, .flat = true, .state_size = sizeof(struct hdparm), .finish = finish,
};

const struct parser parser_hdparm = { .name = "hdparm", .title = "hdparm timings", .tool = "hdparm", .rules = &set };
