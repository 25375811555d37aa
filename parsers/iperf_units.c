#include "parsers/iperf_units.h"

#include <stddef.h>

const struct unit_scale iperf_dialect[] = {
	{ "Gbits/sec", UNIT_B_PER_S, 1e9 / 8 }, { "Mbits/sec", UNIT_B_PER_S, 1e6 / 8 }, { "Kbits/sec", UNIT_B_PER_S, 1e3 / 8 },
	{ "bits/sec", UNIT_B_PER_S, 1. / 8 }, { "Tbits/sec", UNIT_B_PER_S, 1e12 / 8 },
	{ "GBytes/sec", UNIT_B_PER_S, 0x1p30 }, { "MBytes/sec", UNIT_B_PER_S, 0x1p20 }, { "KBytes/sec", UNIT_B_PER_S, 0x1p10 },
	{ "Bytes/sec", UNIT_B_PER_S, 1 }, { "TBytes/sec", UNIT_B_PER_S, 0x1p40 },
	{ "MBytes", UNIT_B, 0x1p20 }, { "GBytes", UNIT_B, 0x1p30 }, { "KBytes", UNIT_B, 0x1p10 }, { "Bytes", UNIT_B, 1 },
	{ "TBytes", UNIT_B, 0x1p40 },
	{ "ms", UNIT_S, 1e-3 }, { "us", UNIT_S, 1e-6 }, { "%", UNIT_PERCENT, 1 }, { "bit/s", UNIT_B_PER_S, 1. / 8 },
	{ NULL, UNIT_ONE, 0 }
};
