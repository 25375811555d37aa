/* Tests of the load generator on small files, with every engine that is allowed here. */
#define _GNU_SOURCE /* mkdtemp and the rest */
#include "loadgen/block.h"
#include "loadgen/engine.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <zlib.h>

enum { BLOCK = 4096, BLOCKS = 512, SIZE = BLOCKS * BLOCK, TARGETS = 2 };

static const enum load_engine engines[] = { ENGINE_AUTO, ENGINE_IO_URING, ENGINE_LIBAIO, ENGINE_SYNC };

struct fixture {
	struct arena arena;
	char dir[200], path[TARGETS][220];
	struct target target[TARGETS];
	size_t n;
	bool stop_soon; /* when the first I/O was reported */
	volatile sig_atomic_t stop;
	/* What was reported. */
	struct tally op[TARGETS][LOAD_OPS];
	double next[TARGETS]; /* where the next interval must begin */
	double cpu;
	size_t intervals, events;
	char event[400];
};

static void on_interval(void *ctx, const struct interval *v)
{
	struct fixture *f = ctx;
	assert_true(v->target < f->n);
	assert_true(fabs(v->start - f->next[v->target]) < 1e-6);
	assert_true(v->seconds >= 0 && v->cpu_user >= 0 && v->cpu_system >= 0);
	f->next[v->target] = v->start + v->seconds;
	f->cpu += v->cpu_user + v->cpu_system;
	f->intervals++;
	for (size_t op = 0; op < LOAD_OPS; op++) {
		struct tally *t = &f->op[v->target][op];
		t->ios += v->op[op].ios;
		t->bytes += v->op[op].bytes;
		t->errors += v->op[op].errors;
		t->corrupt += v->op[op].corrupt;
		assert_true(hist_merge(&t->latency, &v->op[op].latency));
		f->stop = f->stop || (f->stop_soon && t->ios > 0);
	}
}

static void on_event(void *ctx, enum severity severity, const char *message)
{
	struct fixture *f = ctx;
	(void)severity;
	if (f->events++ == 0)
		snprintf(f->event, sizeof f->event, "%s", message);
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);
	const char *tmp = getenv("TMPDIR");
	if (!f)
		return -1;
	snprintf(f->dir, sizeof f->dir, "%s/assay-load-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	if (!mkdtemp(f->dir))
		return -1;
	for (size_t i = 0; i < TARGETS; i++) {
		snprintf(f->path[i], sizeof f->path[i], "%s/%zu", f->dir, i);
		f->target[i].fd = -1;
	}
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	for (size_t i = 0; i < TARGETS; i++) {
		target_close(&f->target[i]);
		unlink(f->path[i]);
	}
	rmdir(f->dir);
	arena_free(&f->arena);
	free(f);
	return 0;
}

static void open_targets(struct fixture *f, size_t n, bool direct)
{
	const char *error = "";
	for (size_t i = 0; i < n; i++) {
		target_close(&f->target[i]);
		if (!target_open(&f->arena, &f->target[i], f->path[i], SIZE, direct, true, &error))
			fail_msg("%s", error);
	}
	f->n = n;
}

static enum work_end run(struct fixture *f, struct work w)
{
	const struct work_events events = { f, on_interval, on_event };
	memset(f->op, 0, sizeof f->op);
	memset(f->next, 0, sizeof f->next);
	f->intervals = f->events = 0;
	f->cpu = 0;
	f->stop = 0;
	f->event[0] = '\0';
	w.name = "test";
	w.block = w.block ? w.block : BLOCK;
	w.iodepth = w.iodepth ? w.iodepth : 4;
	w.threads = w.threads ? w.threads : 1;
	w.interval = w.interval > 0 ? w.interval : 0.02;
	return work_run(&w, f->target, f->n, &f->stop, &events);
}

/* A kernel or container may forbid an engine. Then a test that asks for it must say so: none is replaced in silence. */
static bool refused(const struct fixture *f, enum work_end end, enum load_engine engine)
{
	if (engine == ENGINE_AUTO || engine == ENGINE_SYNC || end != WORK_FAILED)
		return false;
	assert_non_null(strstr(f->event, " can't be used here: "));
	printf("    not allowed here: %s\n", f->event);
	return true;
}

static void test_every_engine_does_what_was_asked(void **state)
{
	struct fixture *f = *state;
	for (int direct = 0; direct < 2; direct++) {
		open_targets(f, 2, direct);
		for (size_t e = 0; e < sizeof engines / sizeof *engines; e++) {
			struct work w = { .passes = 2, .threads = 2, .engine = engines[e] };
			enum work_end end = run(f, w);
			if (refused(f, end, engines[e]))
				continue;
			assert_int_equal(end, WORK_DONE);
			assert_int_equal(f->events, 0);
			for (size_t i = 0; i < 2; i++) {
				assert_true(engines[e] == ENGINE_AUTO ? f->target[i].engine != ENGINE_AUTO : f->target[i].engine == engines[e]);
				assert_true(f->target[i].engine_note[0] != '\0');
				assert_int_equal(f->op[i][LOAD_WRITE].ios, 2 * BLOCKS);
				assert_int_equal(f->op[i][LOAD_WRITE].latency.n, 2 * BLOCKS);
				assert_int_equal(f->op[i][LOAD_WRITE].bytes, 2 * SIZE);
				assert_int_equal(f->op[i][LOAD_WRITE].errors, 0);
				assert_int_equal(f->op[i][LOAD_READ].ios, 0);
			}
			w = (struct work){ .read_percent = 50, .random = true, .random_map = true, .passes = 1.5, .engine = engines[e] };
			assert_int_equal(run(f, w), WORK_DONE);
			for (size_t i = 0; i < 2; i++)
				assert_int_equal(f->op[i][LOAD_READ].ios + f->op[i][LOAD_WRITE].ios, BLOCKS * 3 / 2);
			assert_true(f->op[0][LOAD_READ].ios > BLOCKS / 2 && f->op[0][LOAD_WRITE].ios > BLOCKS / 2);
		}
	}
}

static void read_file(const struct fixture *f, unsigned char data[static SIZE])
{
	int fd = open(f->path[0], O_RDONLY);
	assert_true(fd >= 0);
	assert_int_equal(read(fd, data, SIZE), SIZE);
	close(fd);
}

/* All of the file has been written, with what no other block holds and what does not compress: even one I/O at a time,
 * which has the least memory to write from. */
static void test_the_file_is_covered(void **state)
{
	struct fixture *f = *state;
	static unsigned char data[SIZE], zero[STAMP_STEP], small[SIZE + SIZE / 8];
	for (int map = 0; map < 2; map++) {
		unlink(f->path[0]);
		open_targets(f, 1, true);
		struct work w = { .passes = 1, .random = map, .random_map = map, .threads = map ? 3 : 1, .iodepth = 1 };
		assert_int_equal(run(f, w), WORK_DONE);
		read_file(f, data);
		for (size_t i = 0; i < SIZE; i += STAMP_STEP) {
			assert_memory_not_equal(data + i, zero, STAMP_STEP);
			assert_memory_not_equal(data + i, data + (i + SIZE / 2) % SIZE, STAMP_STEP);
		}
		uLongf size = sizeof small;
		assert_int_equal(compress2(small, &size, data, SIZE, 1), Z_OK);
		assert_true(size >= SIZE);
	}
}

/* Nothing outside the active range is touched, and a sequential pass has the end of it too. */
static void test_active_range(void **state)
{
	struct fixture *f = *state;
	static unsigned char data[SIZE];
	open_targets(f, 1, true);
	f->target[0].first = 16 * BLOCK;
	f->target[0].length = 33 * BLOCK;
	assert_int_equal(run(f, (struct work){ .passes = 1, .block = 8 * BLOCK }), WORK_DONE);
	assert_int_equal(f->op[0][LOAD_WRITE].ios, 5);
	assert_int_equal(f->op[0][LOAD_WRITE].bytes, 33 * BLOCK);
	read_file(f, data);
	for (size_t i = 0; i < SIZE; i += STAMP_STEP) {
		bool written = false;
		for (size_t k = 0; k < STAMP_STEP; k++)
			written = written || data[i + k];
		assert_int_equal(written, i >= 16 * BLOCK && i < 49 * BLOCK);
	}
}

/* A file need not end where direct I/O, or a block that can be checked, has to. */
static void test_odd_end(void **state)
{
	struct fixture *f = *state;
	open_targets(f, 1, true);
	const uint64_t align = f->target[0].align, odd = 9 * BLOCK + 1000;
	f->target[0].length = odd;
	assert_int_equal(run(f, (struct work){ .passes = 1, .block = 2 * BLOCK }), WORK_DONE);
	assert_int_equal(f->op[0][LOAD_WRITE].errors, 0);
	assert_int_equal(f->op[0][LOAD_WRITE].bytes, odd - odd % align);
	assert_int_equal(run(f, (struct work){ .passes = 1, .block = 2 * BLOCK, .verify = true }), WORK_DONE);
	assert_int_equal(f->op[0][LOAD_WRITE].bytes, 9 * BLOCK);
}

static void test_intervals_add_up(void **state)
{
	struct fixture *f = *state;
	open_targets(f, 2, false);
	struct work w = { .passes = 60, .random = true, .read_percent = 70, .interval = 0.001, .threads = 2 };
	assert_int_equal(run(f, w), WORK_DONE);
	assert_true(f->intervals >= 2);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(f->op[i][LOAD_READ].ios + f->op[i][LOAD_WRITE].ios, 60 * BLOCKS);
	assert_true(f->cpu > 0);
}

static void test_time_is_the_limit(void **state)
{
	struct fixture *f = *state;
	open_targets(f, 1, false);
	assert_int_equal(run(f, (struct work){ .seconds = 0.1, .random = true, .read_percent = 100 }), WORK_DONE);
	assert_true(f->next[0] >= 0.1);
	assert_true(f->op[0][LOAD_READ].ios > 0);
	/* The time is up long before the passes are done. */
	assert_int_equal(run(f, (struct work){ .seconds = 0.02, .passes = 1e9, .read_percent = 100 }), WORK_DONE);
}

static void test_stop(void **state)
{
	struct fixture *f = *state;
	open_targets(f, 1, false);
	for (size_t e = 0; e < sizeof engines / sizeof *engines; e++) {
		f->stop_soon = true;
		enum work_end end = run(f, (struct work){ .seconds = 1000, .interval = 0.01, .threads = 2, .engine = engines[e] });
		f->stop_soon = false;
		if (refused(f, end, engines[e]))
			continue;
		assert_int_equal(end, WORK_STOPPED);
		assert_true(f->op[0][LOAD_WRITE].ios > 0);
		assert_int_equal(f->op[0][LOAD_WRITE].errors, 0);
	}
}

static void test_same_seed_same_file(void **state)
{
	struct fixture *f = *state;
	static unsigned char was_written[3][BLOCKS];
	static unsigned char data[SIZE];
	for (size_t k = 0; k < 3; k++) {
		unlink(f->path[0]);
		open_targets(f, 1, false);
		assert_int_equal(run(f, (struct work){ .passes = 0.3, .random = true, .seed = k < 2 ? 5 : 6 }), WORK_DONE);
		read_file(f, data);
		for (size_t i = 0; i < SIZE; i++)
			was_written[k][i / BLOCK] |= data[i] != 0;
	}
	assert_memory_equal(was_written[0], was_written[1], BLOCKS);
	assert_memory_not_equal(was_written[0], was_written[2], BLOCKS);
}

/* ---- verification ---- */

static void change_file(const struct fixture *f, uint64_t from, uint64_t to, bool flip)
{
	unsigned char block[BLOCK];
	int fd = open(f->path[0], O_RDWR);
	assert_int_equal(pread(fd, block, BLOCK, (off_t)from), BLOCK);
	block[1000] ^= flip;
	assert_int_equal(pwrite(fd, block, BLOCK, (off_t)to), BLOCK);
	close(fd);
}

static void expect_corrupt(struct fixture *f, uint64_t n, const char *what)
{
	const struct work w = { .passes = 1, .block = 2 * BLOCK, .read_percent = 100, .verify = true };
	assert_int_equal(run(f, w), WORK_DONE);
	assert_int_equal(f->op[0][LOAD_READ].ios, BLOCKS / 2);
	assert_int_equal(f->op[0][LOAD_READ].corrupt, n);
	assert_int_equal(f->events, n);
	if (n)
		assert_non_null(strstr(f->event, what));
}

static void test_verify_finds_what_is_wrong(void **state)
{
	struct fixture *f = *state;
	open_targets(f, 1, false);
	const struct work fill = { .passes = 1, .block = 4 * BLOCK, .verify = true };
	assert_int_equal(run(f, fill), WORK_DONE);
	expect_corrupt(f, 0, "");
	change_file(f, 77 * BLOCK, 77 * BLOCK, true);
	expect_corrupt(f, 1, "the block at offset 315392 does not match its checksum");
	change_file(f, 77 * BLOCK, 77 * BLOCK, true);
	expect_corrupt(f, 0, "");
	change_file(f, 10 * BLOCK, 20 * BLOCK, false);
	expect_corrupt(f, 1, "the block at offset 81920 holds the one of offset 40960");
	unsigned char old[BLOCK];
	int fd = open(f->path[0], O_RDWR);
	assert_int_equal(pread(fd, old, BLOCK, 0), BLOCK);
	assert_int_equal(run(f, fill), WORK_DONE);
	assert_int_equal(pwrite(fd, old, BLOCK, 0), BLOCK);
	close(fd);
	expect_corrupt(f, 1, "the block at offset 0 is stale: generation 1, 2 was written last");
	/* A new program knows nothing of generations, but of the rest. */
	open_targets(f, 1, false);
	expect_corrupt(f, 0, "");
	assert_int_equal(truncate(f->path[0], SIZE / 2), 0);
	open_targets(f, 1, false);
	assert_int_equal(run(f, (struct work){ .passes = 1, .read_percent = 100, .verify = true }), WORK_DONE);
	assert_int_equal(f->op[0][LOAD_READ].corrupt, BLOCKS / 2);
	assert_int_equal(f->events, 1);
	assert_non_null(strstr(f->event, "was not written by a test that verifies, or is lost"));
}

/* Few blocks and many I/Os at once, so that they often want the same block: none may be taken for corrupt. */
static void test_verify_has_no_false_alarm(void **state)
{
	struct fixture *f = *state;
	open_targets(f, 1, true);
	f->target[0].length = 32 * BLOCK;
	for (size_t e = 0; e < sizeof engines / sizeof *engines; e++) {
		struct work w = { .passes = 1, .verify = true, .engine = engines[e] };
		enum work_end end = run(f, w);
		if (refused(f, end, engines[e]))
			continue;
		w = (struct work){ .passes = 40, .random = true, .read_percent = 50, .verify = true, .iodepth = 8, .threads = 2,
			.block = 2 * BLOCK, .engine = engines[e] };
		assert_int_equal(run(f, w), WORK_DONE);
		assert_int_equal(f->op[0][LOAD_READ].ios + f->op[0][LOAD_WRITE].ios, 40 * 16);
		assert_int_equal(f->op[0][LOAD_READ].corrupt, 0);
		assert_int_equal(f->events, 0);
	}
}

/* ---- errors ---- */

static void test_file_that_got_shorter(void **state)
{
	struct fixture *f = *state;
	for (size_t e = 0; e < sizeof engines / sizeof *engines; e++) {
		open_targets(f, 1, false);
		assert_int_equal(truncate(f->path[0], SIZE / 2 + 100), 0);
		enum work_end end = run(f, (struct work){ .passes = 1, .read_percent = 100, .engine = engines[e], .iodepth = 1 });
		if (refused(f, end, engines[e]))
			continue;
		assert_int_equal(end, WORK_DONE);
		assert_int_equal(f->op[0][LOAD_READ].ios, BLOCKS / 2);
		assert_int_equal(f->op[0][LOAD_READ].errors, BLOCKS / 2);
		assert_int_equal(f->events, 1);
		assert_non_null(strstr(f->event, ": read at offset 1048576: ended after 100 of 4096 bytes"));
	}
}

static void test_file_too_large(void **state)
{
	struct fixture *f = *state;
	struct rlimit before, low;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	signal(SIGXFSZ, SIG_IGN);
	for (size_t e = 0; e < sizeof engines / sizeof *engines; e++) {
		unlink(f->path[0]);
		open_targets(f, 1, false);
		assert_int_equal(truncate(f->path[0], 0), 0);
		low = before;
		low.rlim_cur = SIZE / 4;
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &low), 0);
		enum work_end end = run(f, (struct work){ .passes = 1, .engine = engines[e], .iodepth = 1 });
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
		if (refused(f, end, engines[e]))
			continue;
		assert_int_equal(end, WORK_DONE);
		assert_int_equal(f->op[0][LOAD_WRITE].ios, BLOCKS / 4);
		assert_int_equal(f->op[0][LOAD_WRITE].errors, BLOCKS * 3 / 4);
		assert_int_equal(f->events, 1);
		assert_non_null(strstr(f->event, ": write at offset 524288: File too large"));
	}
	signal(SIGXFSZ, SIG_DFL);
}

static void test_wrong_work(void **state)
{
	struct fixture *f = *state;
	static const struct {
		struct work work;
		const char *event;
	} rows[] = {
		{ { .passes = 0 }, "the test test has neither a duration nor a number of passes" },
		{ { .passes = 1, .iodepth = 5000 }, "has a queue depth or a number of threads that is not 1 to 4096" },
		{ { .passes = 1, .interval = 1e-4 }, "has an interval that is shorter than 1 ms" },
		{ { .passes = 1, .block = 512, .verify = true }, "verifies, which needs blocks of whole 4096 bytes" },
		{ { .passes = 1, .block = 2 * SIZE, .random = true }, "has a range that is smaller than a block" },
	};
	open_targets(f, 1, false);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_int_equal(run(f, rows[i].work), WORK_FAILED);
		assert_int_equal(f->events, 1);
		assert_int_equal(f->intervals, 0);
		assert_non_null(strstr(f->event, rows[i].event));
	}
	f->target[0].first = SIZE - BLOCK;
	assert_int_equal(run(f, (struct work){ .passes = 1 }), WORK_FAILED);
	assert_non_null(strstr(f->event, "has a range that goes beyond the end of the target"));
	open_targets(f, 1, true);
	if (f->target[0].direct) {
		assert_int_equal(run(f, (struct work){ .passes = 1, .block = 100 }), WORK_FAILED);
		assert_non_null(strstr(f->event, "is no multiple of what direct I/O to the target needs"));
	}
}

/* ---- targets ---- */

static void test_target_open(void **state)
{
	struct fixture *f = *state;
	struct target *t = &f->target[0];
	const char *error = NULL, *path = f->path[0];
	struct stat st;
	assert_false(target_open(&f->arena, t, path, 0, false, true, &error));
	assert_non_null(strstr(error, "No such file or directory"));
	assert_true(target_open(&f->arena, t, path, 100000, false, false, &error));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, 100000);
	assert_int_equal(t->size, 100000);
	assert_int_equal(t->length, 100000);
	assert_false(t->block_device || t->direct);
	target_close(t);
	assert_true(target_open(&f->arena, t, path, 50000, false, true, &error));
	assert_int_equal(t->size, 100000);
	assert_int_equal(t->length, 50000);
	target_close(t);
	assert_true(target_open(&f->arena, t, path, 0, true, true, &error));
	assert_int_equal(t->length, 100000);
	assert_true(t->direct ? t->align >= 512 : t->align == 1);
	target_close(t);
	assert_false(target_open(&f->arena, t, f->dir, 0, false, false, &error));
	assert_non_null(strstr(error, ": is neither a file nor a block device"));
	assert_false(target_open(&f->arena, t, "/dev/null", 0, false, true, &error));
	assert_non_null(strstr(error, ": is neither a file nor a block device"));
	assert_int_equal(truncate(path, 0), 0);
	assert_false(target_open(&f->arena, t, path, 0, false, false, &error));
	assert_non_null(strstr(error, ": is empty, and no size was given"));
	assert_int_equal(t->fd, -1);
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_false(target_open(&f->arena, t, path, 0, false, false, &error));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_every_engine_does_what_was_asked, setup, teardown),
		cmocka_unit_test_setup_teardown(test_the_file_is_covered, setup, teardown),
		cmocka_unit_test_setup_teardown(test_active_range, setup, teardown),
		cmocka_unit_test_setup_teardown(test_odd_end, setup, teardown),
		cmocka_unit_test_setup_teardown(test_intervals_add_up, setup, teardown),
		cmocka_unit_test_setup_teardown(test_time_is_the_limit, setup, teardown),
		cmocka_unit_test_setup_teardown(test_stop, setup, teardown),
		cmocka_unit_test_setup_teardown(test_same_seed_same_file, setup, teardown),
		cmocka_unit_test_setup_teardown(test_verify_finds_what_is_wrong, setup, teardown),
		cmocka_unit_test_setup_teardown(test_verify_has_no_false_alarm, setup, teardown),
		cmocka_unit_test_setup_teardown(test_file_that_got_shorter, setup, teardown),
		cmocka_unit_test_setup_teardown(test_file_too_large, setup, teardown),
		cmocka_unit_test_setup_teardown(test_wrong_work, setup, teardown),
		cmocka_unit_test_setup_teardown(test_target_open, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
