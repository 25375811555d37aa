/* What is written: that it neither compresses nor repeats, and that what is wrong with it is found when it is read. */
#include "loadgen/block.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>
#include <zlib.h>

enum { BLOCKS = 256, BLOCK = 4096, SIZE = BLOCKS * BLOCK };

static int order(const void *a, const void *b)
{
	return memcmp(a, b, STAMP_STEP);
}

/* One block of memory, written again and again: no two of its 512 byte sectors are ever the same. */
static void test_no_two_are_equal(void **state)
{
	(void)state;
	unsigned char *all = malloc(SIZE), block[BLOCK];
	assert_non_null(all);
	block_fill(block, sizeof block, 1);
	for (size_t i = 0; i < BLOCKS; i++) {
		block_stamp(block, sizeof block, i);
		memcpy(all + i * BLOCK, block, BLOCK);
	}
	qsort(all, SIZE / STAMP_STEP, STAMP_STEP, order);
	for (size_t i = STAMP_STEP; i < SIZE; i += STAMP_STEP)
		assert_memory_not_equal(all + i - STAMP_STEP, all + i, STAMP_STEP);
	free(all);
}

static void test_does_not_compress(void **state)
{
	(void)state;
	unsigned char *data = malloc(SIZE);
	uLongf size = compressBound(SIZE);
	unsigned char *small = malloc(size);
	assert_true(data && small);
	block_fill(data, SIZE, 42);
	assert_int_equal(compress2(small, &size, data, SIZE, 9), Z_OK);
	assert_true(size >= SIZE);
	free(small);
	free(data);
}

/* A target in memory. */
struct disk {
	unsigned char data[SIZE], at_hand[SIZE];
	struct verify *verify;
};

static void disk_write(struct disk *d, uint64_t offset, size_t size)
{
	assert_true(verify_begin(d->verify, offset, size));
	block_stamp(d->at_hand, size, offset);
	verify_stamp(d->verify, d->at_hand, offset, size);
	memcpy(d->data + offset, d->at_hand, size);
	verify_end(d->verify, offset, size, VERIFY_WRITTEN);
}

static unsigned disk_check(struct disk *d, uint64_t offset, size_t size, struct verify_flaw first[static FLAWS])
{
	assert_true(verify_begin(d->verify, offset, size));
	unsigned wrong = verify_check(d->verify, d->data + offset, offset, size, first);
	verify_end(d->verify, offset, size, VERIFY_READ);
	return wrong;
}

static int disk_new(void **state)
{
	struct disk *d = calloc(1, sizeof *d);
	if (!d)
		return -1;
	d->verify = verify_new(SIZE, 1);
	block_fill(d->at_hand, SIZE, 3);
	*state = d;
	disk_write(d, 0, SIZE / 2);
	for (uint64_t at = SIZE / 2; at < SIZE; at += BLOCK)
		disk_write(d, at, BLOCK);
	return 0;
}

static int disk_free(void **state)
{
	struct disk *d = *state;
	verify_free(d->verify);
	free(d);
	return 0;
}

/* The only flaw in all of the target. */
static struct verify_flaw only_flaw(struct disk *d, enum flaw kind)
{
	struct verify_flaw first[FLAWS];
	assert_int_equal(disk_check(d, 0, SIZE, first), 1);
	for (size_t i = 1; i < FLAWS; i++)
		assert_int_equal(first[i].flaw, i == kind ? kind : FLAW_NONE);
	return first[kind];
}

static void test_sound(void **state)
{
	struct disk *d = *state;
	struct verify_flaw first[FLAWS];
	assert_int_equal(disk_check(d, 0, SIZE, first), 0);
	/* Round all generations and further. */
	for (size_t i = 0; i < 300; i++) {
		disk_write(d, 2 * BLOCK, 2 * BLOCK);
		assert_int_equal(disk_check(d, 0, SIZE, first), 0);
	}
}

static void test_every_flipped_bit(void **state)
{
	struct disk *d = *state;
	struct verify_flaw first[FLAWS];
	for (size_t bit = 0; bit < BLOCK * 8; bit += bit < 400 ? 1 : 37) {
		unsigned char *byte = d->data + 7 * BLOCK + bit / 8;
		*byte ^= (unsigned char)(1 << bit % 8);
		assert_int_equal(disk_check(d, 0, SIZE, first), 1);
		enum flaw kind = bit < 64 ? FLAW_UNSTAMPED : FLAW_CHECKSUM;
		assert_int_equal(first[kind].flaw, kind);
		assert_int_equal(first[kind].offset, 7 * BLOCK);
		*byte ^= (unsigned char)(1 << bit % 8);
	}
}

static void test_misplaced(void **state)
{
	struct disk *d = *state;
	char text[200];
	memcpy(d->data + 9 * BLOCK, d->data + 200 * BLOCK, BLOCK);
	struct verify_flaw f = only_flaw(d, FLAW_MISPLACED);
	verify_flaw_text(&f, text, sizeof text);
	assert_string_equal(text, "the block at offset 36864 holds the one of offset 819200");
}

/* A write that was said to be done and never came to the medium. */
static void test_stale(void **state)
{
	struct disk *d = *state;
	char text[200];
	unsigned char old[BLOCK];
	memcpy(old, d->data + 5 * BLOCK, BLOCK);
	disk_write(d, 5 * BLOCK, BLOCK);
	disk_write(d, 5 * BLOCK, BLOCK);
	memcpy(d->data + 5 * BLOCK, old, BLOCK);
	struct verify_flaw f = only_flaw(d, FLAW_STALE);
	verify_flaw_text(&f, text, sizeof text);
	assert_string_equal(text, "the block at offset 20480 is stale: generation 1, 3 was written last");
}

static void test_unstamped(void **state)
{
	struct disk *d = *state;
	memset(d->data + 3 * BLOCK, 0, BLOCK);
	assert_int_equal(only_flaw(d, FLAW_UNSTAMPED).offset, 3 * BLOCK);
}

/* Another program wrote it, and this one reads; then this one writes, and the other's block must not be there again. */
static void test_another_session(void **state)
{
	struct disk *d = *state;
	struct verify_flaw first[FLAWS];
	unsigned char old[BLOCK];
	verify_free(d->verify);
	d->verify = verify_new(SIZE, 2);
	assert_int_equal(disk_check(d, 0, SIZE, first), 0);
	memcpy(old, d->data, BLOCK);
	disk_write(d, 0, BLOCK);
	assert_int_equal(disk_check(d, 0, SIZE, first), 0);
	memcpy(d->data, old, BLOCK); /* its generation is right */
	char text[200];
	struct verify_flaw f = only_flaw(d, FLAW_STALE);
	verify_flaw_text(&f, text, sizeof text);
	assert_string_equal(text, "the block at offset 0 is stale: an earlier program's");
}

/* After a failed write anything may be there; after the next good one it is known again. */
static void test_lost_write(void **state)
{
	struct disk *d = *state;
	struct verify_flaw first[FLAWS];
	assert_true(verify_begin(d->verify, 0, BLOCK));
	memset(d->data, 1, BLOCK);
	verify_end(d->verify, 0, BLOCK, VERIFY_LOST);
	assert_int_equal(disk_check(d, 0, SIZE, first), 0);
	disk_write(d, 0, BLOCK);
	assert_int_equal(disk_check(d, 0, SIZE, first), 0);
	memset(d->data, 1, BLOCK);
	only_flaw(d, FLAW_UNSTAMPED);
}

static void test_one_at_a_time(void **state)
{
	struct disk *d = *state;
	assert_true(verify_begin(d->verify, 4 * BLOCK, 4 * BLOCK));
	assert_false(verify_begin(d->verify, 7 * BLOCK, BLOCK));
	assert_false(verify_begin(d->verify, 2 * BLOCK, 4 * BLOCK)); /* and gives back what it had of it */
	assert_true(verify_begin(d->verify, 2 * BLOCK, 2 * BLOCK));
	verify_end(d->verify, 4 * BLOCK, 4 * BLOCK, VERIFY_READ);
	assert_true(verify_begin(d->verify, 7 * BLOCK, BLOCK));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_two_are_equal),
		cmocka_unit_test(test_does_not_compress),
		cmocka_unit_test_setup_teardown(test_sound, disk_new, disk_free),
		cmocka_unit_test_setup_teardown(test_every_flipped_bit, disk_new, disk_free),
		cmocka_unit_test_setup_teardown(test_misplaced, disk_new, disk_free),
		cmocka_unit_test_setup_teardown(test_stale, disk_new, disk_free),
		cmocka_unit_test_setup_teardown(test_unstamped, disk_new, disk_free),
		cmocka_unit_test_setup_teardown(test_another_session, disk_new, disk_free),
		cmocka_unit_test_setup_teardown(test_lost_write, disk_new, disk_free),
		cmocka_unit_test_setup_teardown(test_one_at_a_time, disk_new, disk_free),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
