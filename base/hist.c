#include "base/hist.h"

#include <math.h>

enum { GROUP_BITS = 6 };
_Static_assert(HIST_GROUP_BUCKETS == 1 << GROUP_BITS, "a group is a power of two");
_Static_assert(HIST_VALUE_LIMIT == UINT64_C(1) << (HIST_GROUPS - 1 + GROUP_BITS), "the last group's upper end");

size_t hist_index(uint64_t value)
{
	if (value < 2 * HIST_GROUP_BUCKETS)
		return (size_t)value;
	if (value >= HIST_VALUE_LIMIT)
		return HIST_BUCKETS - 1;
	unsigned e = 63 - (unsigned)__builtin_clzll(value) - GROUP_BITS;
	/* value >> e has the leading one and GROUP_BITS bits behind it: 64 to 127. */
	return ((size_t)e << GROUP_BITS) + (size_t)(value >> e);
}

double hist_value(size_t index)
{
	if (index < 2 * HIST_GROUP_BUCKETS)
		return (double)index;
	unsigned e = (unsigned)(index >> GROUP_BITS) - 1;
	return ((double)(index % HIST_GROUP_BUCKETS + HIST_GROUP_BUCKETS) + 0.5) * (double)(UINT64_C(1) << e);
}

static void add_sum(struct hist *h, uint64_t high, uint64_t low)
{
	h->sum_low += low;
	h->sum_high += high + (h->sum_low < low);
}

bool hist_add(struct hist *h, uint64_t value, uint64_t count)
{
	if (count >= HIST_COUNT_LIMIT || h->n > UINT64_MAX - count)
		return false;
	if (count == 0)
		return true;
	if (h->n == 0 || value < h->min)
		h->min = value;
	if (h->n == 0 || value > h->max)
		h->max = value;
	h->n += count;
	h->bucket[hist_index(value)] += count;
	if (value >= HIST_VALUE_LIMIT)
		h->beyond += count;
	/* 64 x 40 bits in two products of at most 32 x 40 = 72 bits, each again in two. */
	uint64_t low = value & UINT32_MAX, high = value >> 32;
	uint64_t few = count & UINT32_MAX, many = count >> 32;
	add_sum(h, 0, low * few);
	add_sum(h, (low * many) >> 32, (low * many) << 32);
	add_sum(h, (high * few) >> 32, (high * few) << 32);
	add_sum(h, high * many, 0);
	return true;
}

void hist_add_all(struct hist *h, const uint64_t *values, size_t n)
{
	if (n == 0)
		return;
	uint64_t min = h->n ? h->min : UINT64_MAX, max = h->n ? h->max : 0, low = 0, high = 0, all = 0;
	for (size_t i = 0; i < n; i++) {
		uint64_t value = values[i];
		h->bucket[hist_index(value)]++;
		min = value < min ? value : min;
		max = value > max ? value : max;
		low += value & UINT32_MAX;
		high += value >> 32;
		all |= value;
	}
	for (size_t i = 0; i < n && all >= HIST_VALUE_LIMIT; i++)
		h->beyond += values[i] >= HIST_VALUE_LIMIT;
	h->n += n;
	h->min = min;
	h->max = max;
	add_sum(h, high >> 32, high << 32);
	add_sum(h, 0, low);
}

static struct hist_packed totals_of(const struct hist *h)
{
	return (struct hist_packed){ .n = h->n, .beyond = h->beyond, .min = h->min, .max = h->max, .sum_low = h->sum_low,
		.sum_high = h->sum_high };
}

/* All but the buckets. */
static bool merge_totals(struct hist *into, const struct hist_packed *from)
{
	if (into->n > UINT64_MAX - from->n)
		return false;
	if (into->n == 0 || (from->n && from->min < into->min))
		into->min = from->min;
	if (into->n == 0 || (from->n && from->max > into->max))
		into->max = from->max;
	into->n += from->n;
	into->beyond += from->beyond;
	add_sum(into, from->sum_high, from->sum_low);
	return true;
}

bool hist_merge(struct hist *into, const struct hist *from)
{
	struct hist_packed totals = totals_of(from);
	if (!merge_totals(into, &totals))
		return false;
	for (size_t i = 0; i < HIST_BUCKETS; i++)
		into->bucket[i] += from->bucket[i];
	return true;
}

struct hist_packed hist_pack(struct arena *a, const struct hist *h)
{
	struct hist_packed packed = totals_of(h);
	for (size_t i = 0; i < HIST_BUCKETS; i++)
		packed.n_buckets += h->bucket[i] > 0;
	struct hist_bucket *bucket = ARENA_ARRAY(a, packed.n_buckets, struct hist_bucket), *next = bucket;
	for (size_t i = 0; i < HIST_BUCKETS; i++)
		if (h->bucket[i])
			*next++ = (struct hist_bucket){ i, h->bucket[i] };
	packed.bucket = bucket;
	return packed;
}

bool hist_merge_packed(struct hist *into, const struct hist_packed *from)
{
	if (!merge_totals(into, from))
		return false;
	for (size_t i = 0; i < from->n_buckets; i++)
		into->bucket[from->bucket[i].index] += from->bucket[i].count;
	return true;
}

static long double rank_of(double p, uint64_t n)
{
	return (long double)p / 100.0L * (long double)n;
}

double hist_percentile(const struct hist *h, double p)
{
	if (h->n == 0 || !(p >= 0 && p <= 100))
		return NAN;
	long double wanted = rank_of(p, h->n);
	uint64_t sum = 0;
	size_t last = 0;
	for (size_t i = 0; i < HIST_BUCKETS; i++) {
		if (h->bucket[i] == 0)
			continue;
		sum += h->bucket[i];
		last = i;
		if ((long double)sum >= wanted)
			break;
	}
	return hist_value(last);
}

double hist_packed_percentile(const struct hist_packed *h, double p)
{
	if (h->n == 0 || !(p >= 0 && p <= 100))
		return NAN;
	long double wanted = rank_of(p, h->n);
	uint64_t sum = 0;
	size_t i = 0;
	while (i + 1 < h->n_buckets && (long double)(sum += h->bucket[i].count) < wanted)
		i++;
	return hist_value(h->bucket[i].index);
}

static long double sum_of(uint64_t high, uint64_t low)
{
	return (long double)high * 18446744073709551616.0L + (long double)low;
}

double hist_total(const struct hist_packed *h)
{
	return (double)sum_of(h->sum_high, h->sum_low);
}

double hist_mean(const struct hist *h)
{
	return h->n ? (double)(sum_of(h->sum_high, h->sum_low) / (long double)h->n) : NAN;
}
