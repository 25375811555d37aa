/* What the columns of sysstat's reports mean, from 10 to 12.7. */
#include "parsers/sysstat.h"

#define CPU(mode_) { SYSSTAT_CPU, METRIC_CPU_UTIL, { "mode" }, { mode_ }, false }
#define CPU_SYSTEM(column_) { SYSSTAT_CPU, METRIC_CPU_UTIL, { "mode", "column" }, { "sys", column_ }, false }
#define PLAIN(activity_, metric_) { activity_, metric_, { NULL }, { NULL }, false }
#define OP(activity_, metric_, op_) { activity_, metric_, { "op" }, { op_ }, false }
#define WAY(direction_) { SYSSTAT_NETWORK, METRIC_BANDWIDTH, { "direction" }, { direction_ }, false }

static const struct sysstat_quantity quantities[SYSSTAT_QUANTITIES] = {
	[SYSSTAT_USR] = CPU("usr"),
	[SYSSTAT_NICE] = CPU("nice"),
	[SYSSTAT_SYSTEM] = CPU_SYSTEM("system"), /* with interrupts */
	[SYSSTAT_SYS] = CPU_SYSTEM("sys"),       /* without them */
	[SYSSTAT_IOWAIT] = CPU("iowait"),
	[SYSSTAT_STEAL] = CPU("steal"),
	[SYSSTAT_IRQ] = CPU("irq"),
	[SYSSTAT_SOFT] = CPU("soft"),
	[SYSSTAT_GUEST] = CPU("guest"),
	[SYSSTAT_GNICE] = CPU("gnice"),
	[SYSSTAT_IDLE] = CPU("idle"),
	[SYSSTAT_TPS] = PLAIN(SYSSTAT_DISK, METRIC_IOPS),
	[SYSSTAT_READS] = OP(SYSSTAT_DISK, METRIC_IOPS, "read"),
	[SYSSTAT_WRITES] = OP(SYSSTAT_DISK, METRIC_IOPS, "write"),
	[SYSSTAT_READ] = OP(SYSSTAT_DISK, METRIC_BANDWIDTH, "read"),
	[SYSSTAT_WRITE] = OP(SYSSTAT_DISK, METRIC_BANDWIDTH, "write"),
	[SYSSTAT_AWAIT] = { SYSSTAT_DISK, METRIC_LATENCY, { NULL }, { NULL }, true },
	[SYSSTAT_READ_AWAIT] = { SYSSTAT_DISK, METRIC_LATENCY, { "op" }, { "read" }, true },
	[SYSSTAT_WRITE_AWAIT] = { SYSSTAT_DISK, METRIC_LATENCY, { "op" }, { "write" }, true },
	[SYSSTAT_UTIL] = PLAIN(SYSSTAT_DISK, METRIC_DISK_UTIL),
	[SYSSTAT_RECEIVE] = WAY("receive"),
	[SYSSTAT_TRANSMIT] = WAY("transmit"),
	[SYSSTAT_IFUTIL] = PLAIN(SYSSTAT_NETWORK, METRICS),
	[SYSSTAT_FREE] = PLAIN(SYSSTAT_MEMORY, METRIC_MEMORY_FREE),
	[SYSSTAT_AVAILABLE] = PLAIN(SYSSTAT_MEMORY, METRIC_MEMORY_AVAILABLE),
	[SYSSTAT_IO_TPS] = PLAIN(SYSSTAT_IO, METRIC_IOPS),
	[SYSSTAT_IO_READS] = OP(SYSSTAT_IO, METRIC_IOPS, "read"),
	[SYSSTAT_IO_WRITES] = OP(SYSSTAT_IO, METRIC_IOPS, "write"),
	[SYSSTAT_IO_READ] = OP(SYSSTAT_IO, METRIC_BANDWIDTH, "read"),
	[SYSSTAT_IO_WRITE] = OP(SYSSTAT_IO, METRIC_BANDWIDTH, "write"),
};

/* The headings of tables, then the attributes of XML and keys of JSON. kB are 1024 bytes throughout. */
static const struct sysstat_column columns[] = {
	{ SYSSTAT_CPU, "%user", SYSSTAT_USR, "%", 1, 0 },
	{ SYSSTAT_CPU, "%usr", SYSSTAT_USR, "%", 1, 0 },
	{ SYSSTAT_CPU, "%nice", SYSSTAT_NICE, "%", 1, 0 },
	{ SYSSTAT_CPU, "%system", SYSSTAT_SYSTEM, "%", 1, 0 },
	{ SYSSTAT_CPU, "%sys", SYSSTAT_SYS, "%", 1, 0 },
	{ SYSSTAT_CPU, "%iowait", SYSSTAT_IOWAIT, "%", 1, 0 },
	{ SYSSTAT_CPU, "%steal", SYSSTAT_STEAL, "%", 1, 0 },
	{ SYSSTAT_CPU, "%irq", SYSSTAT_IRQ, "%", 1, 0 },
	{ SYSSTAT_CPU, "%soft", SYSSTAT_SOFT, "%", 1, 0 },
	{ SYSSTAT_CPU, "%guest", SYSSTAT_GUEST, "%", 1, 0 },
	{ SYSSTAT_CPU, "%gnice", SYSSTAT_GNICE, "%", 1, 0 },
	{ SYSSTAT_CPU, "%idle", SYSSTAT_IDLE, "%", 1, 0 },
	{ SYSSTAT_CPU, "user", SYSSTAT_USR, "%", 1, 0 },
	{ SYSSTAT_CPU, "usr", SYSSTAT_USR, "%", 1, 0 },
	{ SYSSTAT_CPU, "nice", SYSSTAT_NICE, "%", 1, 0 },
	{ SYSSTAT_CPU, "system", SYSSTAT_SYSTEM, "%", 1, 0 },
	{ SYSSTAT_CPU, "sys", SYSSTAT_SYS, "%", 1, 0 },
	{ SYSSTAT_CPU, "iowait", SYSSTAT_IOWAIT, "%", 1, 0 },
	{ SYSSTAT_CPU, "steal", SYSSTAT_STEAL, "%", 1, 0 },
	{ SYSSTAT_CPU, "irq", SYSSTAT_IRQ, "%", 1, 0 },
	{ SYSSTAT_CPU, "soft", SYSSTAT_SOFT, "%", 1, 0 },
	{ SYSSTAT_CPU, "guest", SYSSTAT_GUEST, "%", 1, 0 },
	{ SYSSTAT_CPU, "gnice", SYSSTAT_GNICE, "%", 1, 0 },
	{ SYSSTAT_CPU, "idle", SYSSTAT_IDLE, "%", 1, 0 },
	{ SYSSTAT_DISK, "tps", SYSSTAT_TPS, "/s", 1, 0 },
	{ SYSSTAT_DISK, "r/s", SYSSTAT_READS, "/s", 1, 0 },
	{ SYSSTAT_DISK, "w/s", SYSSTAT_WRITES, "/s", 1, 0 },
	{ SYSSTAT_DISK, "rkB/s", SYSSTAT_READ, " kB/s", 0x1p10, 2 },
	{ SYSSTAT_DISK, "wkB/s", SYSSTAT_WRITE, " kB/s", 0x1p10, 2 },
	{ SYSSTAT_DISK, "kB_read/s", SYSSTAT_READ, " kB/s", 0x1p10, 2 },
	{ SYSSTAT_DISK, "kB_wrtn/s", SYSSTAT_WRITE, " kB/s", 0x1p10, 2 },
	{ SYSSTAT_DISK, "rMB/s", SYSSTAT_READ, " MB/s", 0x1p20, 0 },
	{ SYSSTAT_DISK, "wMB/s", SYSSTAT_WRITE, " MB/s", 0x1p20, 0 },
	{ SYSSTAT_DISK, "MB_read/s", SYSSTAT_READ, " MB/s", 0x1p20, 0 },
	{ SYSSTAT_DISK, "MB_wrtn/s", SYSSTAT_WRITE, " MB/s", 0x1p20, 0 },
	{ SYSSTAT_DISK, "rd_sec/s", SYSSTAT_READ, " sectors/s", 512, 1 },
	{ SYSSTAT_DISK, "wr_sec/s", SYSSTAT_WRITE, " sectors/s", 512, 1 },
	{ SYSSTAT_DISK, "rsec/s", SYSSTAT_READ, " sectors/s", 512, 1 },
	{ SYSSTAT_DISK, "wsec/s", SYSSTAT_WRITE, " sectors/s", 512, 1 },
	{ SYSSTAT_DISK, "Blk_read/s", SYSSTAT_READ, " blocks/s", 512, 1 },
	{ SYSSTAT_DISK, "Blk_wrtn/s", SYSSTAT_WRITE, " blocks/s", 512, 1 },
	{ SYSSTAT_DISK, "await", SYSSTAT_AWAIT, " ms", 1e-3, 0 },
	{ SYSSTAT_DISK, "r_await", SYSSTAT_READ_AWAIT, " ms", 1e-3, 0 },
	{ SYSSTAT_DISK, "w_await", SYSSTAT_WRITE_AWAIT, " ms", 1e-3, 0 },
	{ SYSSTAT_DISK, "%util", SYSSTAT_UTIL, "%", 1, 0 },
	{ SYSSTAT_DISK, "rkB", SYSSTAT_READ, " kB/s", 0x1p10, 2 },
	{ SYSSTAT_DISK, "wkB", SYSSTAT_WRITE, " kB/s", 0x1p10, 2 },
	{ SYSSTAT_DISK, "rd_sec", SYSSTAT_READ, " sectors/s", 512, 1 },
	{ SYSSTAT_DISK, "wr_sec", SYSSTAT_WRITE, " sectors/s", 512, 1 },
	{ SYSSTAT_DISK, "util-percent", SYSSTAT_UTIL, "%", 1, 0 },
	{ SYSSTAT_DISK, "util", SYSSTAT_UTIL, "%", 1, 0 },
	{ SYSSTAT_NETWORK, "rxkB/s", SYSSTAT_RECEIVE, " kB/s", 0x1p10, 1 },
	{ SYSSTAT_NETWORK, "txkB/s", SYSSTAT_TRANSMIT, " kB/s", 0x1p10, 1 },
	{ SYSSTAT_NETWORK, "rxbyt/s", SYSSTAT_RECEIVE, " B/s", 1, 0 },
	{ SYSSTAT_NETWORK, "txbyt/s", SYSSTAT_TRANSMIT, " B/s", 1, 0 },
	{ SYSSTAT_NETWORK, "%ifutil", SYSSTAT_IFUTIL, "%", 1, 0 },
	{ SYSSTAT_NETWORK, "rxkB", SYSSTAT_RECEIVE, " kB/s", 0x1p10, 1 },
	{ SYSSTAT_NETWORK, "txkB", SYSSTAT_TRANSMIT, " kB/s", 0x1p10, 1 },
	{ SYSSTAT_NETWORK, "ifutil-percent", SYSSTAT_IFUTIL, "%", 1, 0 },
	{ SYSSTAT_MEMORY, "kbmemfree", SYSSTAT_FREE, " kB", 0x1p10, 0 },
	{ SYSSTAT_MEMORY, "kbavail", SYSSTAT_AVAILABLE, " kB", 0x1p10, 0 },
	{ SYSSTAT_MEMORY, "memfree", SYSSTAT_FREE, " kB", 0x1p10, 0 },
	{ SYSSTAT_MEMORY, "avail", SYSSTAT_AVAILABLE, " kB", 0x1p10, 0 },
	{ SYSSTAT_IO, "tps", SYSSTAT_IO_TPS, "/s", 1, 0 },
	{ SYSSTAT_IO, "rtps", SYSSTAT_IO_READS, "/s", 1, 0 },
	{ SYSSTAT_IO, "wtps", SYSSTAT_IO_WRITES, "/s", 1, 0 },
	{ SYSSTAT_IO, "bread/s", SYSSTAT_IO_READ, " blocks/s", 512, 0 },
	{ SYSSTAT_IO, "bwrtn/s", SYSSTAT_IO_WRITE, " blocks/s", 512, 0 },
	{ SYSSTAT_IO, "bread", SYSSTAT_IO_READ, " blocks/s", 512, 0 },
	{ SYSSTAT_IO, "bwrtn", SYSSTAT_IO_WRITE, " blocks/s", 512, 0 },
};

static const struct {
	const char *name;
	const char *items[7]; /* headings, attributes and keys; NULL-ended */
} activities[SYSSTAT_ACTIVITIES] = {
	[SYSSTAT_CPU] = { "cpu", { "CPU", "cpu", "number" } },
	[SYSSTAT_DISK] = { "disk", { "DEV", "Device", "Device:", "dev", "disk-device", "disk_device" } },
	[SYSSTAT_NETWORK] = { "network", { "IFACE", "iface" } },
	[SYSSTAT_MEMORY] = { "memory", { NULL } },
	[SYSSTAT_IO] = { "io", { NULL } },
};

const struct sysstat_quantity *sysstat_quantity(enum sysstat_quantity_id id)
{
	return &quantities[id];
}

const struct sysstat_column *sysstat_column(enum sysstat_activity activity, struct slice spelling)
{
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		if (columns[i].activity == activity && slice_is(spelling, columns[i].spelling))
			return &columns[i];
	return NULL;
}

bool sysstat_is_heading(struct slice word)
{
	static const char *const others[] = { "%rrqm", "%wrqm", "%drqm", "rrqm/s", "wrqm/s", "drqm/s", "rqm/s", "%rqm", "rareq-sz",
		"wareq-sz", "dareq-sz", "areq-sz", "avgrq-sz", "avgqu-sz", "aqu-sz", "svctm", "d/s", "dkB/s", "dMB/s", "d_await", "f/s",
		"f_await", "kB_dscd/s", "MB_dscd/s", "kB_read", "kB_wrtn", "kB_dscd", "MB_read", "MB_wrtn", "MB_dscd", "Blk_read",
		"Blk_wrtn", "kB/s", "MB/s", "rxpck/s", "txpck/s", "rxcmp/s", "txcmp/s", "rxmcst/s", "dtps", "bdscd/s", "kbmemused",
		"%memused", "kbbuffers", "kbcached", "kbcommit", "%commit", "kbactive", "kbinact", "kbdirty", NULL };
	for (size_t i = 0; others[i]; i++)
		if (slice_is(word, others[i]))
			return true;
	for (int a = 0; a < SYSSTAT_ACTIVITIES; a++)
		if (sysstat_names_item((enum sysstat_activity)a, word) || sysstat_column((enum sysstat_activity)a, word))
			return true;
	return false;
}

bool sysstat_names_item(enum sysstat_activity activity, struct slice spelling)
{
	for (size_t i = 0; activities[activity].items[i]; i++)
		if (slice_is(spelling, activities[activity].items[i]))
			return true;
	return false;
}

const char *sysstat_activity_name(enum sysstat_activity activity)
{
	return activities[activity].name;
}

enum sysstat_activity sysstat_activity_of(const struct slice *headings, size_t n, size_t *item)
{
	for (int a = SYSSTAT_CPU; a < SYSSTAT_ACTIVITIES; a++) {
		enum sysstat_activity activity = (enum sysstat_activity)a;
		bool wanted = false;
		*item = n;
		for (size_t i = 0; i < n; i++) {
			if (*item == n && sysstat_names_item(activity, headings[i]))
				*item = i;
			wanted |= sysstat_column(activity, headings[i]) != NULL;
		}
		bool itemless = n > 0 && activity >= SYSSTAT_MEMORY && sysstat_column(activity, headings[0]);
		if (wanted && (*item < n || itemless))
			return activity;
	}
	return SYSSTAT_ACTIVITIES;
}
