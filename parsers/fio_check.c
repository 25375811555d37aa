#include "parsers/fio_check.h"

#include "base/num.h"

#include <math.h>

static double number(struct slice text)
{
	double value = NAN;
	num_double(text, &value);
	return value;
}

/* False only when both are known and differ by more than 1 % and `rounding`. */
static bool agree(double printed, double expected, double rounding)
{
	double allowed = 0.01 * fabs(expected) + rounding;
	return !(fabs(printed - expected) > allowed);
}

static unsigned check_bandwidth(struct parse *p, const struct direction *d, double runtime)
{
	bool kib = !d->v[D_IO_KB].n;
	double io = number(d->v[D_IO]) * (kib ? 1024 : 1), rounding = kib ? 1024 * 1000 / runtime : 0;
	double bytes = number(d->v[D_BW_BYTES]), bw = number(d->v[D_BW]) * 1024;
	unsigned suspect = 0;
	if (!agree(bytes, 1000 * io / runtime, rounding + 1)) {
		parse_diag(p, DIAG_WARNING, d->v[D_BW_BYTES].p, "bw_bytes is %.*s, but io_bytes over runtime is %.0f",
			SLICE_ARG(d->v[D_BW_BYTES]), 1000 * io / runtime);
		suspect |= 1U << D_BW_BYTES;
	}
	if (isnan(bytes) && !agree(bw, 1000 * io / runtime, rounding + 1024)) {
		parse_diag(p, DIAG_WARNING, d->v[D_BW].p, "bw is %.*s KiB/s, but io_bytes over runtime is %.0f KiB/s",
			SLICE_ARG(d->v[D_BW]), 1000 * io / runtime / 1024);
		suspect |= 1U << D_BW;
	}
	if (!agree(bw, bytes, 1024)) {
		parse_diag(p, DIAG_WARNING, d->v[D_BW].p, "bw is %.*s KiB/s, but bw_bytes is %.*s B/s",
			SLICE_ARG(d->v[D_BW]), SLICE_ARG(d->v[D_BW_BYTES]));
		suspect |= 1U << D_BW_BYTES;
	}
	return suspect;
}

unsigned fio_check_direction(struct parse *p, const struct direction *d)
{
	double runtime = number(d->v[D_RUNTIME]);
	if (!(runtime > 0))
		return 0;
	unsigned suspect = check_bandwidth(p, d, runtime);
	double total = number(d->v[D_TOTAL]), iops = number(d->v[D_IOPS]);
	double cut = fio_is_zero(d->v[D_SHORT]) ? 0 : number(d->v[D_SHORT]);
	/* Integers in old versions; short I/Os are counted or not, by version. */
	if (agree(iops, 1000 * total / runtime, 1) || agree(iops, 1000 * (total - cut) / runtime, 1))
		return suspect;
	parse_diag(p, DIAG_WARNING, d->v[D_IOPS].p, "iops is %.*s, but total_ios over runtime is %.1f",
		SLICE_ARG(d->v[D_IOPS]), 1000 * total / runtime);
	return suspect | 1U << D_IOPS;
}

void fio_check_sum(struct parse *p, const struct document *d)
{
	static const struct { enum direction_field field; const char *what; } sums[] = { { D_TOTAL, "I/Os" },
		{ D_IO, "bytes" } };
	for (size_t op = 0; op < OPS; op++) {
		const struct direction *all = d->all_clients->directions[op];
		for (size_t k = 0; all && k < sizeof sums / sizeof *sums; k++) {
			double sum = 0, said = number(all->v[sums[k].field]);
			for (size_t i = 0; i < d->n_records; i++) {
				const struct direction *own = d->records[i].directions[op];
				sum += own && own->v[sums[k].field].n ? number(own->v[sums[k].field]) : 0;
			}
			if (!agree(sum, said, (double)d->n_records))
				parse_diag(p, DIAG_WARNING, all->v[sums[k].field].p, "\"All clients\" says %.*s %s of op=%s, the hosts say %.0f "
					"together", SLICE_ARG(all->v[sums[k].field]), sums[k].what, op_names[op], sum);
		}
	}
}

struct bin {
	uint64_t value, count;
};

struct bins {
	struct bin *v;
	size_t n, cap;
	uint64_t total;
	bool indexes; /* keys are places in the table, not values */
	bool absurd;  /* counts that can't be */
};

/* Digits from *p on; false when there are none or too many. */
static bool read_count(const char **p, const char *end, uint64_t *value)
{
	const char *start = *p;
	uint64_t v = 0;
	while (*p < end && **p >= '0' && **p <= '9')
		v = v * 10 + (uint64_t)(*(*p)++ - '0');
	*value = v;
	return *p > start && *p - start < 20;
}

/* Reads `"value" : count` pairs, all there is in a histogram but for what old versions say of its size: it is most of a
 * JSON+ file, so the text is read as it is. */
static struct bins read_bins(struct parse *p, struct slice text)
{
	enum { LINEAR = 128, COUNT_BITS = 40 };
	struct bins b = { .indexes = true };
	const char *at = text.p, *end = text.p + text.n;
	while (at < end && (at = memchr(at, '"', (size_t)(end - at)))) {
		struct bin bin;
		at++;
		if (!read_count(&at, end, &bin.value) || at == end || *at++ != '"')
			continue;
		while (at < end && (*at == ' ' || *at == ':'))
			at++;
		if (!read_count(&at, end, &bin.count))
			continue;
		b.indexes &= bin.value == b.n;
		b.absurd |= bin.count >> COUNT_BITS != 0;
		b.total += bin.count;
		*ARENA_PUSH(p->arena, b.v, b.n, b.cap) = bin;
	}
	b.indexes &= b.n > LINEAR + 1;
	return b;
}

/* The first bin where the cumulative count reaches p per cent. Percentiles are asked for in rising order: *i and *sum stand
 * where the last one was found. */
static uint64_t percentile(const struct bins *b, double p, size_t *i, uint64_t *sum)
{
	double wanted = p / 100 * (double)b->total;
	while (*i < b->n && (*sum == 0 || (double)*sum < wanted))
		*sum += b->v[(*i)++].count;
	return b->v[*i ? *i - 1 : 0].value;
}

bool fio_check_bins(struct parse *p, const struct latency *l)
{
	bool ok = true;
	if (!l->bins.n)
		return true;
	struct bins b = read_bins(p, l->bins);
	if (b.indexes || b.total == 0)
		return true;
	if (b.absurd) {
		parse_diag(p, DIAG_WARNING, l->bins.p, "the histogram of %s holds counts that can't be", l->block->key);
		return false;
	}
	if (l->v[L_N].n && number(l->v[L_N]) != (double)b.total) {
		parse_diag(p, DIAG_WARNING, l->v[L_N].p, "N of %s is %.*s, but its bins add up to %llu", l->block->key,
			SLICE_ARG(l->v[L_N]), (unsigned long long)b.total);
		ok = false;
	}
	double last = 0;
	size_t at = 0;
	uint64_t sum = 0;
	for (size_t i = 0; i < l->n_percentiles; i++) {
		double key = number(l->percentiles[i].key), printed = number(l->percentiles[i].value);
		if (!(key > last && key <= 100) || isnan(printed))
			continue;
		last = key;
		uint64_t computed = percentile(&b, key, &at, &sum);
		if (printed == (double)computed)
			continue;
		parse_diag(p, DIAG_WARNING, l->percentiles[i].value.p, "percentile %.*s of %s is %.*s, by its bins it is %llu",
			SLICE_ARG(l->percentiles[i].key), l->block->key, SLICE_ARG(l->percentiles[i].value),
			(unsigned long long)computed);
		ok = false;
	}
	return ok;
}
