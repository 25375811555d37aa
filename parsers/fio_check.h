/* fio_check: figures of fio that must agree with one another. What does not is said with both numbers. */
#ifndef PARSERS_FIO_CHECK_H
#define PARSERS_FIO_CHECK_H

#include "parsers/fio_document.h"

/* The identities of fio's stat.c, within 1 % and the rounding of what is printed:
 * bandwidth = 1000 · io / runtime; bw = bw_bytes / 1024; iops = 1000 · total_ios / runtime (runtime in ms).
 * Returns the suspect fields as bits 1 << enum direction_field. */
unsigned fio_check_direction(struct parse *p, const struct direction *d);

/* Whether the hosts' I/Os and bytes are what "All clients" says that they are together. */
void fio_check_sum(struct parse *p, const struct document *d);

/* Recomputes each percentile from the histogram of JSON+: the first bin where the cumulative count reaches p/100 of all.
 * False when a printed one, or the printed count, disagrees. Histograms whose keys are indexes, not values (before
 * 2.20), are not judged. */
bool fio_check_bins(struct parse *p, const struct latency *l);

#endif
