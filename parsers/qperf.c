/* qperf: bandwidths and latencies below the name of each test. Its units are powers of ten. */
#include "parsers/rules.h"

static const struct unit_scale dialect[] = {
	{ "bytes/sec", UNIT_B_PER_S, 1 }, { "KB/sec", UNIT_B_PER_S, 1e3 }, { "MB/sec", UNIT_B_PER_S, 1e6 },
	{ "GB/sec", UNIT_B_PER_S, 1e9 }, { "TB/sec", UNIT_B_PER_S, 1e12 },
	{ "bits/sec", UNIT_B_PER_S, 1. / 8 }, { "Kb/sec", UNIT_B_PER_S, 1e3 / 8 }, { "Mb/sec", UNIT_B_PER_S, 1e6 / 8 },
	{ "Gb/sec", UNIT_B_PER_S, 1e9 / 8 },
	{ "bytes", UNIT_B, 1 }, { "KiB", UNIT_B, 0x1p10 }, { "MiB", UNIT_B, 0x1p20 },
	{ "ns", UNIT_S, 1e-9 }, { "us", UNIT_S, 1e-6 }, { "ms", UNIT_S, 1e-3 }, { "sec", UNIT_S, 1 },
	{ NULL, UNIT_ONE, 0 }
};

#define RATE "bw +=  *(?<rate>[\\d.]+) (?<unit>(?:bytes|[KMGT]B|bits|[KMG]b)/sec)"
#define RATE_FIELD { .as = FIELD_RESULT, .group = "rate", .metric = METRIC_BANDWIDTH, .stat = "value", .unit_group = "unit" }

enum { START = 1, TEST = 2 };

static const struct rule rules[] = {
	{
		.id = "test", .to = TEST, .flags = RULE_START | RULE_INSIDE | RULE_BEGIN,
		.pattern = "(?<test>(?:tcp|udp|sctp|sdp|rds|rc|uc|ud|xrc|ver_rc|ver_uc|rc_rdma|uc_rdma)_[a-z_]{0,24}"
			"(?:bw|lat|mr)):(?=$| )",
		.sample = "tcp_bw:", .fields = FIELDS({ .as = FIELD_NAME, .group = "test" }),
	}, {
		.id = "bandwidth", .in = TEST, .pattern = RATE, .sample = "bw  =  570 MB/sec", .fields = FIELDS(RATE_FIELD),
	}, {
		.id = "bandwidth of a side", .in = TEST,
		.pattern = "(?<side>send|recv)_" RATE, .sample = "send_bw  =  1.11 GB/sec",
		.fields = FIELDS({ .as = FIELD_TAG, .group = "side", .key = "direction",
			.words = WORDS({ "send", "sender" }, { "recv", "receiver" }) }, RATE_FIELD),
	}, {
		.id = "latency", .in = TEST,
		.pattern = "latency +=  *(?<time>[\\d.]+) (?<unit>ns|us|ms|sec)\\b", .sample = "latency  =  90.2 us",
		.fields = FIELDS({ .as = FIELD_RESULT, .group = "time", .metric = METRIC_LATENCY, .stat = "mean", .unit_group = "unit" }),
	}, {
		.id = "message size", .in = TEST,
		.pattern = "msg_size +=  *(?<size>\\d+) (?<unit>bytes|[KM]iB)\\b",
		.sample = "msg_size  =     4 KiB (4,096)",
		.fields = FIELDS({ .as = FIELD_OPTION, .group = "size", .key = "msg_size", .unit_group = "unit" }),
	},
	{ .id = NULL }
};

static const struct ruleset set = { .tool = "qperf", .rules = rules, .dialect = dialect, .flat = true };

const struct parser parser_qperf = { .name = "qperf", .title = "qperf", .tool = "qperf", .rules = &set };
