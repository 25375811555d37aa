/* iperf_units: the units that iperf 2 and 3 print. */
#ifndef PARSERS_IPERF_UNITS_H
#define PARSERS_IPERF_UNITS_H

#include "model/unit.h"

/* Bits are counted in powers of ten, bytes in powers of two. */
extern const struct unit_scale iperf_dialect[];

#define IPERF_BYTES(name) "(?<" name ">[\\d.]+) +(?<" name "_unit>[KMGT]?Bytes)"
#define IPERF_RATE "(?<rate>[\\d.]+) +(?<rate_unit>[KMGT]?(?:bits|Bytes)/sec)"

#endif
