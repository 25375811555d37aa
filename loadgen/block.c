#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "loadgen/block.h"

#include "loadgen/offsets.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>

/* The state of a unit in one byte. */
enum { UNIT_NEVER = 0, UNIT_LAST = 126, UNIT_LOST = 127, UNIT_BUSY = 128 };

#define MAGIC UINT64_C(0x6173736179763031) /* "assayv01" */

struct verify {
	uint64_t session, units;
	_Atomic unsigned char unit[];
};

struct stamp {
	uint64_t magic, offset, session, generation, checksum;
};

void block_fill(void *data, size_t size, uint64_t seed)
{
	unsigned char *p = data;
	for (size_t i = 0; i < size / 8; i++) {
		uint64_t word = mix64(seed, i);
		memcpy(p + i * 8, &word, 8);
	}
}

void block_stamp(void *data, size_t size, uint64_t unique)
{
	unsigned char *p = data;
	for (size_t at = 0; at + 8 <= size; at += STAMP_STEP) {
		uint64_t word = mix64(unique, at);
		memcpy(p + at, &word, 8);
	}
}

static size_t verify_memory(uint64_t units)
{
	return sizeof(struct verify) + (size_t)units;
}

struct verify *verify_new(uint64_t size, uint64_t session)
{
	uint64_t units = (size + VERIFY_UNIT - 1) / VERIFY_UNIT;
	struct verify *v = mmap(NULL, verify_memory(units), PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (v == MAP_FAILED)
		return NULL;
	v->session = session;
	v->units = units;
	return v;
}

void verify_free(struct verify *v)
{
	if (v)
		munmap(v, verify_memory(v->units));
}

static void release(struct verify *v, uint64_t unit, uint64_t end)
{
	for (; unit < end; unit++)
		atomic_fetch_and_explicit(&v->unit[unit], (unsigned char)~UNIT_BUSY, memory_order_release);
}

bool verify_begin(struct verify *v, uint64_t offset, size_t size)
{
	uint64_t first = offset / VERIFY_UNIT, end = first + size / VERIFY_UNIT;
	for (uint64_t i = first; i < end; i++)
		if (atomic_fetch_or_explicit(&v->unit[i], UNIT_BUSY, memory_order_acquire) & UNIT_BUSY) {
			release(v, first, i);
			return false;
		}
	return true;
}

static unsigned generation_of(const struct verify *v, uint64_t unit)
{
	return atomic_load_explicit(&v->unit[unit], memory_order_relaxed) & ~(unsigned)UNIT_BUSY;
}

/* 1 … 126, round and round. */
static unsigned next_generation(unsigned g)
{
	return g >= UNIT_LAST ? 1 : g + 1;
}

/* Of all of a unit but the checksum itself: four lanes that each keep every change of a word, since what is done to a
 * lane can be undone. */
static uint64_t checksum_of(const unsigned char *unit)
{
	uint64_t lane[4] = { 1, 2, 3, 4 };
	for (size_t at = 0; at < VERIFY_UNIT; at += 32)
		for (size_t i = 0; i < 4; i++) {
			uint64_t word;
			memcpy(&word, unit + at + i * 8, 8);
			if (at + i * 8 == offsetof(struct stamp, checksum))
				word = 0;
			lane[i] = (lane[i] ^ word) * UINT64_C(0x9fb21c651e98df25);
			lane[i] ^= lane[i] >> 29;
		}
	return mix64(mix64(mix64(lane[0], lane[1]), lane[2]), lane[3]);
}

void verify_stamp(struct verify *v, void *data, uint64_t offset, size_t size)
{
	unsigned char *p = data;
	for (size_t at = 0; at < size; at += VERIFY_UNIT) {
		struct stamp s = { .magic = MAGIC, .offset = offset + at, .session = v->session,
			.generation = next_generation(generation_of(v, (offset + at) / VERIFY_UNIT)) };
		memcpy(p + at, &s, sizeof s);
		s.checksum = checksum_of(p + at);
		memcpy(p + at, &s, sizeof s);
	}
}

void verify_end(struct verify *v, uint64_t offset, size_t size, enum verify_how how)
{
	uint64_t first = offset / VERIFY_UNIT, end = first + size / VERIFY_UNIT;
	for (uint64_t i = first; i < end; i++) {
		unsigned now = generation_of(v, i);
		if (how == VERIFY_WRITTEN)
			now = next_generation(now);
		else if (how == VERIFY_LOST)
			now = UNIT_LOST;
		atomic_store_explicit(&v->unit[i], (unsigned char)now, memory_order_release);
	}
}

static struct verify_flaw check_unit(const struct verify *v, const unsigned char *data, uint64_t offset)
{
	struct stamp s;
	struct verify_flaw f = { .offset = offset };
	unsigned expected = generation_of(v, offset / VERIFY_UNIT);
	memcpy(&s, data, sizeof s);
	if (expected == UNIT_LOST)
		return f;
	if (s.magic != MAGIC)
		f.flaw = FLAW_UNSTAMPED;
	else if (s.checksum != checksum_of(data))
		f.flaw = FLAW_CHECKSUM;
	else if (s.offset != offset) {
		f.flaw = FLAW_MISPLACED;
		f.found = s.offset;
	} else if (expected != UNIT_NEVER && (s.session != v->session || s.generation != expected)) {
		f.flaw = FLAW_STALE;
		f.found = s.session == v->session ? s.generation : 0;
		f.expected = expected;
	}
	return f;
}

unsigned verify_check(const struct verify *v, const void *data, uint64_t offset, size_t size,
	struct verify_flaw first[static FLAWS])
{
	unsigned wrong = 0;
	memset(first, 0, FLAWS * sizeof *first);
	for (size_t at = 0; at < size; at += VERIFY_UNIT) {
		struct verify_flaw f = check_unit(v, (const unsigned char *)data + at, offset + at);
		wrong += f.flaw != FLAW_NONE;
		if (f.flaw && !first[f.flaw].flaw)
			first[f.flaw] = f;
	}
	return wrong;
}

void verify_flaw_text(const struct verify_flaw *f, char *text, size_t size)
{
	switch (f->flaw) {
	case FLAW_UNSTAMPED:
		snprintf(text, size, "the block at offset %" PRIu64 " was not written by a test that verifies, or is lost",
			f->offset);
		break;
	case FLAW_CHECKSUM:
		snprintf(text, size, "the block at offset %" PRIu64 " does not match its checksum", f->offset);
		break;
	case FLAW_MISPLACED:
		snprintf(text, size, "the block at offset %" PRIu64 " holds the one of offset %" PRIu64, f->offset, f->found);
		break;
	case FLAW_STALE:
		if (f->found)
			snprintf(text, size, "the block at offset %" PRIu64 " is stale: generation %" PRIu64 ", %" PRIu64
				" was written last", f->offset, f->found, f->expected);
		else
			snprintf(text, size, "the block at offset %" PRIu64 " is stale: an earlier program's", f->offset);
		break;
	default:
		snprintf(text, size, "the block at offset %" PRIu64 " is sound", f->offset);
	}
}
