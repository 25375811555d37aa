/* hist: a log-linear histogram of non-negative integers (latencies in ns or us).
 *
 * The layout is fio's (FIO_IO_U_PLAT_* in its stat.h, plat_idx_to_val in its stat.c; also what its clat_hist logs
 * and json+ bins hold): 29 groups of 64 buckets. Values below 128 have a bucket each; above, every power of two
 * is cut into 64 buckets, so that a bucket's middle is within 1/128 (0.8 %) of every value in it. Bucket i stands for
 *     i < 128: i        else: e = i / 64 - 1, value = 2^(e + 6) + (i % 64 + 0.5) * 2^e
 * Percentiles by fio's rule: the first bucket at which the cumulative count reaches p / 100 * n. So they are the ones
 * that fio prints, not interpolated ones.
 */
#ifndef BASE_HIST_H
#define BASE_HIST_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HIST_GROUPS = 29, HIST_GROUP_BUCKETS = 64, HIST_BUCKETS = HIST_GROUPS * HIST_GROUP_BUCKETS };

/* No bucket of a real run holds this much: damaged logs have counts near 2^63. */
#define HIST_COUNT_LIMIT (UINT64_C(1) << 40)
/* The first value beyond the last bucket. */
#define HIST_VALUE_LIMIT (UINT64_C(1) << 34)

/* 15 KB; start from { 0 }. */
struct hist {
	uint64_t bucket[HIST_BUCKETS];
	uint64_t n;             /* values counted */
	uint64_t beyond;        /* of them: at or over HIST_VALUE_LIMIT, counted in the last bucket */
	uint64_t min, max;      /* exact; meaningful when n > 0 */
	uint64_t sum_low, sum_high; /* the exact sum, 128 bits */
};

/* The bucket of a value (the last one when it is beyond), and the value that a bucket stands for. */
size_t hist_index(uint64_t value);
double hist_value(size_t index);

/* Counts `value` `count` times. False, and nothing counted, when count >= HIST_COUNT_LIMIT or the total would
 * overflow. */
bool hist_add(struct hist *h, uint64_t value, uint64_t count);
/* hist_add of each value once; n < 2^32. */
void hist_add_all(struct hist *h, const uint64_t *values, size_t n);
/* Adds all of `from`; false, and nothing added, when the total would overflow. */
bool hist_merge(struct hist *into, const struct hist *from);

/* The same without its empty buckets, to be kept: what hist_merge_packed makes of it is the histogram again. */
struct hist_bucket {
	size_t index;
	uint64_t count;
};
struct hist_packed {
	const struct hist_bucket *bucket; /* by index */
	size_t n_buckets;
	uint64_t n, beyond, min, max, sum_low, sum_high; /* as in struct hist */
};
struct hist_packed hist_pack(struct arena *a, const struct hist *h);
/* As hist_merge. */
bool hist_merge_packed(struct hist *into, const struct hist_packed *from);
/* The sum of the values as added. */
double hist_total(const struct hist_packed *h);

/* 0 <= p <= 100. NaN when nothing was counted or p is out of range. When the answer is the last bucket and
 * h->beyond > 0, it is only a lower bound. */
double hist_percentile(const struct hist *h, double p);
double hist_packed_percentile(const struct hist_packed *h, double p);
/* The mean of the values as added, not of the buckets; NaN when nothing was counted. */
double hist_mean(const struct hist *h);

#endif
