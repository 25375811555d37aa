/* metric: the registry of what can be measured. Names are the contract's. */
#ifndef MODEL_METRIC_H
#define MODEL_METRIC_H

#include "model/unit.h"

enum better { BETTER_NEITHER, BETTER_HIGHER, BETTER_LOWER };

/*      id                  name                  unit          better          title */
#define METRIC_TABLE(X) \
	X(IOPS,               "iops",               UNIT_PER_S,   BETTER_HIGHER,  "I/O operations per second") \
	X(BANDWIDTH,          "bandwidth",          UNIT_B_PER_S, BETTER_HIGHER,  "Bandwidth") \
	X(LATENCY,            "latency",            UNIT_S,       BETTER_LOWER,   "Latency") \
	X(COMPLETION_LATENCY, "completion_latency", UNIT_S,       BETTER_LOWER,   "Completion latency") \
	X(SUBMISSION_LATENCY, "submission_latency", UNIT_S,       BETTER_LOWER,   "Submission latency") \
	X(RTT,                "rtt",                UNIT_S,       BETTER_LOWER,   "Round-trip time") \
	X(TTFB,               "ttfb",               UNIT_S,       BETTER_LOWER,   "Time to first byte") \
	X(QUERY_TIME,         "query_time",         UNIT_S,       BETTER_LOWER,   "Query time") \
	X(JITTER,             "jitter",             UNIT_S,       BETTER_LOWER,   "Jitter") \
	X(RUNTIME,            "runtime",            UNIT_S,       BETTER_NEITHER, "Run time") \
	X(IO,                 "io",                 UNIT_B,       BETTER_NEITHER, "Data transferred") \
	X(REQUESTS,           "requests",           UNIT_ONE,     BETTER_NEITHER, "Requests") \
	X(RATE,               "rate",               UNIT_PER_S,   BETTER_HIGHER,  "Rate") \
	X(RATIO,              "ratio",              UNIT_ONE,     BETTER_HIGHER,  "Ratio to the reference machine") \
	X(SCORE,              "score",              UNIT_ONE,     BETTER_HIGHER,  "Score") \
	X(INDEX,              "index",              UNIT_ONE,     BETTER_HIGHER,  "Index") \
	X(VALUE,              "value",              UNIT_ONE,     BETTER_NEITHER, "Value") \
	X(CPU_UTIL,           "cpu_util",           UNIT_PERCENT, BETTER_LOWER,   "CPU use") \
	X(DISK_UTIL,          "disk_util",          UNIT_PERCENT, BETTER_NEITHER, "Disk use") \
	X(MEMORY_FREE,        "memory_free",        UNIT_B,       BETTER_HIGHER,  "Free memory") \
	X(MEMORY_AVAILABLE,   "memory_available",   UNIT_B,       BETTER_HIGHER,  "Available memory") \
	X(LOSS,               "loss",               UNIT_PERCENT, BETTER_LOWER,   "Loss") \
	X(SENT,               "sent",               UNIT_ONE,     BETTER_NEITHER, "Sent") \
	X(RECEIVED,           "received",           UNIT_ONE,     BETTER_NEITHER, "Received") \
	X(RETRANSMITS,        "retransmits",        UNIT_ONE,     BETTER_LOWER,   "Retransmissions") \
	X(ERROR,              "error",              UNIT_ONE,     BETTER_LOWER,   "Error code") \
	X(ERRORS,             "errors",             UNIT_ONE,     BETTER_LOWER,   "Errors") \
	X(CORRUPT,            "corrupt",            UNIT_ONE,     BETTER_LOWER,   "Blocks that fail their check") \
	X(VALID,              "valid",              UNIT_ONE,     BETTER_HIGHER,  "Valid") \
	X(JOBS,               "jobs",               UNIT_ONE,     BETTER_NEITHER, "Jobs") \
	X(SAMPLES,            "samples",            UNIT_ONE,     BETTER_NEITHER, "Samples") \
	X(ENERGY,             "energy",             UNIT_J,       BETTER_LOWER,   "Energy") \
	X(POWER,              "power",              UNIT_W,       BETTER_LOWER,   "Power") \
	X(PRICE,              "price",              UNIT_USD_H,   BETTER_LOWER,   "Price")

#define METRIC_ENUM(id, name, unit, better, title) METRIC_##id,
enum metric_id { METRIC_TABLE(METRIC_ENUM) METRICS };
#undef METRIC_ENUM

struct metric {
	const char *name;
	enum unit unit;
	enum better better;
	const char *title;
};

const struct metric *metric_get(enum metric_id id);
/* METRICS when there is none of that name. */
enum metric_id metric_find(struct slice name);

#endif
