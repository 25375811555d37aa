#include "parsers/fio_text_units.h"

/* From 2.17 on. */
const struct unit_scale fio_units[] = {
	{ "msec", UNIT_S, 1e-3 },
	{ "usec", UNIT_S, 1e-6 },
	{ "nsec", UNIT_S, 1e-9 },
	{ "sec", UNIT_S, 1 },
	{ "k", UNIT_PER_S, 1e3 },
	{ "K", UNIT_PER_S, 1e3 },
	{ "M", UNIT_PER_S, 1e6 },
	{ "G", UNIT_PER_S, 1e9 },
	{ "B/s", UNIT_B_PER_S, 1 },
	{ "KiB/s", UNIT_B_PER_S, 0x1p10 },
	{ "MiB/s", UNIT_B_PER_S, 0x1p20 },
	{ "GiB/s", UNIT_B_PER_S, 0x1p30 },
	{ "TiB/s", UNIT_B_PER_S, 0x1p40 },
	{ "kB/s", UNIT_B_PER_S, 1e3 },
	{ "MB/s", UNIT_B_PER_S, 1e6 },
	{ "GB/s", UNIT_B_PER_S, 1e9 },
	{ "TB/s", UNIT_B_PER_S, 1e12 },
	/* What newer versions print without its unit, of the mixed I/O beside reads and writes. */
	{ "Ki", UNIT_B_PER_S, 0x1p10 },
	{ "Mi", UNIT_B_PER_S, 0x1p20 },
	{ "Gi", UNIT_B_PER_S, 0x1p30 },
	{ "Ti", UNIT_B_PER_S, 0x1p40 },
	{ "Pi", UNIT_B_PER_S, 0x1p50 },
	{ "bit/s", UNIT_B_PER_S, 0.125 },
	{ "Kibit/s", UNIT_B_PER_S, 0x1p7 },
	{ "Mibit/s", UNIT_B_PER_S, 0x1p17 },
	{ "Gibit/s", UNIT_B_PER_S, 0x1p27 },
	{ "Tibit/s", UNIT_B_PER_S, 0x1p37 },
	{ "kbit/s", UNIT_B_PER_S, 125 },
	{ "Mbit/s", UNIT_B_PER_S, 125e3 },
	{ "Gbit/s", UNIT_B_PER_S, 125e6 },
	{ "Tbit/s", UNIT_B_PER_S, 125e9 },
	{ "B", UNIT_B, 1 },
	{ "KiB", UNIT_B, 0x1p10 },
	{ "MiB", UNIT_B, 0x1p20 },
	{ "GiB", UNIT_B, 0x1p30 },
	{ "TiB", UNIT_B, 0x1p40 },
	{ "PiB", UNIT_B, 0x1p50 },
	{ "kB", UNIT_B, 1e3 },
	{ "MB", UNIT_B, 1e6 },
	{ "GB", UNIT_B, 1e9 },
	{ "TB", UNIT_B, 1e12 },
	{ "PB", UNIT_B, 1e15 },
	{ "%", UNIT_PERCENT, 1 },
	{ NULL, UNIT_ONE, 0 }
};

/* Up to 2.16: the same names stand for powers of two. */
const struct unit_scale fio_old_units[] = {
	{ "KB/s", UNIT_B_PER_S, 0x1p10 },
	{ "MB/s", UNIT_B_PER_S, 0x1p20 },
	{ "GB/s", UNIT_B_PER_S, 0x1p30 },
	{ "TB/s", UNIT_B_PER_S, 0x1p40 },
	{ "B/s", UNIT_B_PER_S, 1 },
	{ "Kbit/s", UNIT_B_PER_S, 0x1p7 },
	{ "Mbit/s", UNIT_B_PER_S, 0x1p17 },
	{ "Gbit/s", UNIT_B_PER_S, 0x1p27 },
	{ "KB", UNIT_B, 0x1p10 },
	{ "MB", UNIT_B, 0x1p20 },
	{ "GB", UNIT_B, 0x1p30 },
	{ "TB", UNIT_B, 0x1p40 },
	{ "B", UNIT_B, 1 },
	{ NULL, UNIT_ONE, 0 }
};

const struct unit_scale fio_latency_headings[] = {
	{ " usec", UNIT_S, 1e-6 },
	{ " nsec", UNIT_S, 1e-9 },
	{ " msec", UNIT_S, 1e-3 },
	{ " sec", UNIT_S, 1 },
	{ NULL, UNIT_ONE, 0 }
};

const struct unit_scale fio_bandwidth_headings[] = {
	{ " KiB/s", UNIT_B_PER_S, 0x1p10 },
	{ " MiB/s", UNIT_B_PER_S, 0x1p20 },
	{ " GiB/s", UNIT_B_PER_S, 0x1p30 },
	{ " B/s", UNIT_B_PER_S, 1 },
	{ " kB/s", UNIT_B_PER_S, 1e3 },
	{ " MB/s", UNIT_B_PER_S, 1e6 },
	{ " GB/s", UNIT_B_PER_S, 1e9 },
	{ " Kibit/s", UNIT_B_PER_S, 0x1p7 },
	{ " Mibit/s", UNIT_B_PER_S, 0x1p17 },
	{ " kbit/s", UNIT_B_PER_S, 125 },
	{ " Mbit/s", UNIT_B_PER_S, 125e3 },
	{ NULL, UNIT_ONE, 0 }
};

const struct unit_scale fio_old_bandwidth_headings[] = {
	{ " KB/s", UNIT_B_PER_S, 0x1p10 },
	{ " MB/s", UNIT_B_PER_S, 0x1p20 },
	{ " GB/s", UNIT_B_PER_S, 0x1p30 },
	{ " B/s", UNIT_B_PER_S, 1 },
	{ " Kbit/s", UNIT_B_PER_S, 0x1p7 },
	{ " Mbit/s", UNIT_B_PER_S, 0x1p17 },
	{ NULL, UNIT_ONE, 0 }
};
