/* block: what is written. Data that neither compress nor repeat; and, where a test verifies, data that tell their place
 * and generation, so that what is read can be checked. */
#ifndef LOADGEN_BLOCK_H
#define LOADGEN_BLOCK_H

#include "loadgen/work.h"

enum {
	STAMP_STEP = 512,   /* every so many bytes of a block there is something that no other block has */
	VERIFY_UNIT = 4096, /* what carries a place, a generation and a checksum */
};

/* Random bytes of a seed. `size`: a multiple of 8. */
void block_fill(void *data, size_t size, uint64_t seed);
/* Makes data filled once unlike all that had another `unique`. */
void block_stamp(void *data, size_t size, uint64_t unique);

enum flaw {
	FLAW_NONE,
	FLAW_UNSTAMPED,  /* no stamp: never written by a test that verifies, or overwritten by something else */
	FLAW_CHECKSUM,
	FLAW_MISPLACED,  /* a whole block, of another place */
	FLAW_STALE,      /* a whole block of this place, but not the one written last */
	FLAWS
};

/* What is wrong with a unit; found: the place or generation that it tells, for FLAW_MISPLACED and FLAW_STALE. */
struct verify_flaw {
	enum flaw flaw;
	uint64_t offset, found, expected;
};

/* For a target of this size: memory for a byte of every unit, zero pages until they are used. NULL: there isn't that
 * much. `session` must differ from that of any other program that wrote the same target before. */
struct verify *verify_new(uint64_t size, uint64_t session);
void verify_free(struct verify *v);

/* An I/O begins: false when another one on any of its units has not ended yet. Any thread may ask. */
bool verify_begin(struct verify *v, uint64_t offset, size_t size);
/* Stamps data, filled before, as the next generation of their units, between begin and end. */
void verify_stamp(struct verify *v, void *data, uint64_t offset, size_t size);
/* The I/O has ended; written: it was a write that succeeded; lost: one of which nobody knows what it has done. */
enum verify_how { VERIFY_READ, VERIFY_WRITTEN, VERIFY_LOST };
void verify_end(struct verify *v, uint64_t offset, size_t size, enum verify_how how);
/* Checks what was read, between begin and end. Returns how many units are wrong and, of each kind, the first one in
 * first[kind] (.flaw FLAW_NONE where there is none). Units that this program has not written may be of any
 * generation. */
unsigned verify_check(const struct verify *v, const void *data, uint64_t offset, size_t size,
	struct verify_flaw first[static FLAWS]);
/* "the block at offset 8192 holds that of 4096". */
void verify_flaw_text(const struct verify_flaw *f, char *text, size_t size);

#endif
