/* offsets: which I/O a test does as its first, second, … n-th. A pure function of the seed and the number, so that any
 * thread can take the next one, a test can be repeated, and nothing is kept: a random map needs no memory. */
#ifndef LOADGEN_OFFSETS_H
#define LOADGEN_OFFSETS_H

#include "loadgen/work.h"

struct place {
	enum load_op op;
	uint64_t offset;
	size_t size;
};

struct sequence_zone {
	uint64_t io_end;        /* of 2^32 */
	uint64_t first, blocks;
};

struct sequence {
	uint64_t seed, first;
	uint64_t blocks;        /* of a pass */
	size_t block, last;     /* `last`: of the last block of a sequential pass, that the range may cut */
	bool random, map;
	unsigned read_percent;
	unsigned bits;          /* of the smallest power of two that is not below `blocks` */
	struct sequence_zone zone[ZONES_MAX];
	size_t n_zones;
};

/* False and why in *error (a sentence part) when the range or the zones don't allow it. */
bool sequence_init(struct sequence *s, const struct work *w, uint64_t first, uint64_t length, uint64_t seed,
	const char **error);
struct place sequence_at(const struct sequence *s, uint64_t index);

/* 64 bits that look random, of a seed and a number (the finalizer of splitmix64, Steele, Lea and Flood 2014). */
static inline uint64_t mix64(uint64_t seed, uint64_t number)
{
	uint64_t z = seed + (number + 1) * UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

#endif
