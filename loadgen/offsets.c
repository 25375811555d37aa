#include "loadgen/offsets.h"

#include <math.h>

enum { ROUNDS = 4 };

/* Zones in whole blocks. Those without I/O are only gaps between the others. */
static bool zones_init(struct sequence *s, const struct zone *zones, size_t n, const char **error)
{
	double io = 0, range = 0;
	uint64_t first = 0;
	*error = "has zones that don't add up to 100 percent of the I/O and of the range";
	for (size_t i = 0; i < n && i < ZONES_MAX; i++) {
		if (!(zones[i].io_percent >= 0 && zones[i].range_percent >= 0))
			return false;
		io += zones[i].io_percent;
		range += zones[i].range_percent;
		uint64_t end = i + 1 == n ? s->blocks : (uint64_t)fmin(range / 100 * (double)s->blocks, (double)s->blocks);
		if (zones[i].io_percent > 0 && end == first) {
			*error = "has a zone that is smaller than a block";
			return false;
		}
		if (zones[i].io_percent > 0)
			s->zone[s->n_zones++] = (struct sequence_zone){ (uint64_t)(io / 100 * 0x1p32), first, end - first };
		first = end;
	}
	return n <= ZONES_MAX && fabs(io - 100) <= 1e-6 && fabs(range - 100) <= 1e-6;
}

bool sequence_init(struct sequence *s, const struct work *w, uint64_t first, uint64_t length, uint64_t seed,
	const char **error)
{
	*s = (struct sequence){ .seed = seed, .first = first, .blocks = length / w->block, .block = w->block,
		.last = w->block, .random = w->random, .map = w->random && w->random_map, .read_percent = w->read_percent };
	if (!w->random && length % w->block) {
		s->blocks++;
		s->last = (size_t)(length % w->block);
	}
	if (s->blocks == 0) {
		*error = "has a range that is smaller than a block";
		return false;
	}
	while (s->bits < 63 && UINT64_C(1) << s->bits < s->blocks)
		s->bits++;
	if (w->n_zones == 0)
		return true;
	if (!w->random || w->random_map) {
		*error = "has zones, which need random offsets without a map";
		return false;
	}
	return zones_init(s, w->zones, w->n_zones, error);
}

/* 0 … n-1, from 64 random bits (Lemire 2019, without the rejection: n is far below 2^64). */
static uint64_t scaled(uint64_t random, uint64_t n)
{
	return (uint64_t)((unsigned __int128)random * n >> 64);
}

/* A permutation of the numbers of s->bits bits: additions, odd multiplications and shifts to the right are each
 * one-to-one there. What falls outside the range is sent round again until it is inside (cycle walking), fewer than
 * twice in the mean. The high bits, which a multiplication mixes best, are folded onto the low ones. */
static uint64_t permuted(const struct sequence *s, uint64_t pass, uint64_t x)
{
	const uint64_t mask = (UINT64_C(1) << s->bits) - 1;
	const unsigned shift = s->bits / 2 + 1;
	uint64_t key[ROUNDS];
	for (unsigned r = 0; r < ROUNDS; r++)
		key[r] = mix64(s->seed ^ UINT64_C(0x6d6170), pass * ROUNDS + r);
	do
		for (unsigned r = 0; r < ROUNDS; r++) {
			x = (x + (key[r] >> 32)) & mask;
			x = x * (key[r] << 1 | 1) & mask;
			x ^= x >> shift;
		}
	while (x >= s->blocks);
	return x;
}

static uint64_t zoned(const struct sequence *s, uint64_t random, uint64_t choice)
{
	size_t i = 0;
	while (i + 1 < s->n_zones && (choice & UINT32_MAX) >= s->zone[i].io_end)
		i++;
	return s->zone[i].first + scaled(random, s->zone[i].blocks);
}

struct place sequence_at(const struct sequence *s, uint64_t index)
{
	uint64_t block;
	if (!s->random)
		block = index % s->blocks;
	else if (s->map)
		block = permuted(s, index / s->blocks, index % s->blocks);
	else if (s->n_zones)
		block = zoned(s, mix64(s->seed, index), mix64(s->seed ^ UINT64_C(0x7a6f6e65), index));
	else
		block = scaled(mix64(s->seed, index), s->blocks);
	bool read = s->read_percent >= 100 ||
		(s->read_percent > 0 && scaled(mix64(s->seed ^ UINT64_C(0x6f70), index), 100) < s->read_percent);
	return (struct place){ .op = read ? LOAD_READ : LOAD_WRITE, .offset = s->first + block * s->block,
		.size = block + 1 == s->blocks ? s->last : s->block };
}
