/* fio_text_units: what the units of fio's normal output stand for. Used by fio_text.c only. */
#ifndef PARSERS_FIO_TEXT_UNITS_H
#define PARSERS_FIO_TEXT_UNITS_H

#include "model/unit.h"

/* From 2.17 on; and up to 2.16, where the same names stand for powers of two. */
extern const struct unit_scale fio_units[], fio_old_units[];
/* As they stand in a heading, apart from the number: "clat (usec): min=711". */
extern const struct unit_scale fio_latency_headings[], fio_bandwidth_headings[], fio_old_bandwidth_headings[];

#endif
