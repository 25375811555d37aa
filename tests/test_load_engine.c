/* What a test makes of an engine's completions, with engines whose time and target are made up. */
#include "loadgen/engine.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { BLOCK = 4096, DEPTH = 8 };

/* ---- a target on which every I/O takes as long as `duration` says, in a time of its own ---- */

struct model {
	uint64_t (*duration)(uint64_t number, uint64_t now); /* ns, of the n-th I/O, begun at `now` since the first */
	int (*result)(const struct engine_io *io, uint64_t number);
	uint64_t samples[20000];
	_Atomic size_t n;
};

struct in_flight {
	bool busy;
	uint64_t end;
	int result;
};

struct imaginary {
	struct model *model;
	uint64_t now, first;
	struct in_flight io[DEPTH];
};

/* An engine is opened without any word from its caller: this is what the next one is about. */
static struct model model;

static void *imaginary_open(const struct engine_setup *s, char note[static ENGINE_NOTE], int *error)
{
	struct imaginary *e = calloc(1, sizeof *e);
	assert_true(e && s->depth <= DEPTH);
	*note = '\0';
	*error = 0;
	e->model = &model;
	return e;
}

static uint64_t imaginary_now(void *engine)
{
	struct imaginary *e = engine;
	if (e->now == 0)
		e->now = e->first = clock_now();
	return e->now;
}

static void imaginary_queue(void *engine, const struct engine_io *io)
{
	struct imaginary *e = engine;
	struct model *m = e->model;
	uint64_t now = imaginary_now(e), takes = m->duration(m->n, now - e->first);
	assert_false(e->io[io->slot].busy);
	e->io[io->slot] = (struct in_flight){ true, now + takes, m->result ? m->result(io, m->n) : (int)io->size };
	if (m->n < sizeof m->samples / sizeof *m->samples)
		m->samples[m->n] = takes;
	m->n++;
}

/* Time goes on to the next completion, or to the end of the wait; a call takes no time, or a little. */
static int imaginary_turn(void *engine, uint64_t timeout, struct engine_done *done, unsigned max)
{
	struct imaginary *e = engine;
	uint64_t until = imaginary_now(e) + (timeout ? timeout : 100);
	for (size_t i = 0; i < DEPTH; i++)
		if (e->io[i].busy && e->io[i].end < until)
			until = e->io[i].end > e->now ? e->io[i].end : e->now;
	e->now = until;
	int n = 0;
	for (unsigned i = 0; i < DEPTH && n < (int)max; i++)
		if (e->io[i].busy && e->io[i].end <= e->now) {
			done[n++] = (struct engine_done){ i, e->io[i].result };
			e->io[i].busy = false;
		}
	return n;
}

static void imaginary_close(void *engine, bool hung)
{
	(void)hung;
	free(engine);
}

#define IMAGINARY(turn_) { .kind = ENGINE_IO_URING, .name = "imaginary", .open = imaginary_open, \
	.queue = imaginary_queue, .turn = (turn_), .close = imaginary_close, .now = imaginary_now }
static const struct engine imaginary = IMAGINARY(imaginary_turn);

/* ---- what is reported ---- */

struct report {
	struct tally op[LOAD_OPS];
	size_t intervals, events;
	double end; /* of the last interval */
	uint64_t backlog;
	char event[10][300];
};

static struct report report;
static volatile sig_atomic_t stop_now;
static size_t stop_at; /* I/Os begun; 0: never */

static void on_interval(void *ctx, const struct interval *v)
{
	(void)ctx;
	report.intervals++;
	report.end = v->start + v->seconds;
	report.backlog = v->backlog;
	stop_now = stop_now || (stop_at == 0 && report.intervals == 30) || (stop_at > 0 && model.n >= stop_at);
	for (size_t op = 0; op < LOAD_OPS; op++) {
		report.op[op].ios += v->op[op].ios;
		report.op[op].bytes += v->op[op].bytes;
		report.op[op].errors += v->op[op].errors;
		assert_int_equal(v->op[op].ios, v->op[op].latency.n);
		assert_true(hist_merge(&report.op[op].latency, &v->op[op].latency));
	}
}

static void on_event(void *ctx, enum severity severity, const char *message)
{
	(void)ctx;
	(void)severity;
	if (report.events < 10)
		strncpy(report.event[report.events], message, 299);
	report.events++;
}

static const struct work_events events = { .interval = on_interval, .event = on_event };

static enum work_end run(const struct engine *engine, struct work w, const volatile sig_atomic_t *stop)
{
	static const volatile sig_atomic_t never = 0;
	struct target t = { .path = "target", .size = 1 << 30, .length = 1 << 30, .align = 1 };
	memset(&report, 0, sizeof report);
	model.n = 0;
	stop_now = 0;
	w.name = "test";
	w.block = BLOCK;
	w.threads = 1;
	w.interval = w.interval > 0 ? w.interval : 0.01;
	enum work_end end = work_run_on(&engine, 1, &w, &t, 1, stop ? stop : &never, &events);
	assert_int_equal(t.engine, engine->kind);
	return end;
}

static int up(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

/* Latencies over four orders of magnitude. */
static uint64_t wide(uint64_t number, uint64_t now)
{
	(void)now;
	uint64_t random = (number + 1) * UINT64_C(0x9e3779b97f4a7c15) >> 33;
	return 1000 + (random >> random % 24);
}

static void test_percentiles_are_those_of_the_samples(void **state)
{
	(void)state;
	static const double percentiles[] = { 1, 10, 50, 90, 95, 99, 99.9, 99.99, 100 };
	enum { N = 20000 };
	static uint64_t sorted[N];
	model = (struct model){ .duration = wide };
	struct work w = { .read_percent = 100, .random = true, .iodepth = DEPTH, .passes = N / (double)(1 << 18) };
	assert_int_equal(run(&imaginary, w, NULL), WORK_DONE);
	const struct hist *h = &report.op[LOAD_READ].latency;
	assert_int_equal(model.n, N);
	assert_int_equal(h->n, N);
	memcpy(sorted, model.samples, sizeof sorted);
	qsort(sorted, N, sizeof *sorted, up);
	assert_int_equal(h->min, sorted[0]);
	assert_int_equal(h->max, sorted[N - 1]);
	double sum = 0;
	for (size_t i = 0; i < N; i++)
		sum += (double)sorted[i];
	assert_true(fabs(hist_mean(h) / (sum / N) - 1) < 1e-9);
	for (size_t i = 0; i < sizeof percentiles / sizeof *percentiles; i++) {
		double exact = (double)sorted[(size_t)ceil(percentiles[i] / 100 * N) - 1];
		assert_true(fabs(hist_percentile(h, percentiles[i]) / exact - 1) < 0.01);
	}
}

/* 10 µs each, but whoever comes within the second half of the first second has to wait until it is over. */
static uint64_t stalls(uint64_t number, uint64_t now)
{
	(void)number;
	return now >= 500000000 && now < 1000000000 ? 1000000000 - now : 10000;
}

/* A rate of 1000/s for two seconds, half a second of which is a stall: a quarter of all I/Os should have been sent in that
 * time, and have waited for half of it in the mean. A tester that waits with the target would see a single slow I/O. */
static void test_no_coordinated_omission(void **state)
{
	(void)state;
	model = (struct model){ .duration = stalls };
	struct work w = { .read_percent = 100, .random = true, .iodepth = 1, .passes = 2000 / (double)(1 << 18),
		.rate = 1000 };
	assert_int_equal(run(&imaginary, w, NULL), WORK_DONE);
	const struct hist *h = &report.op[LOAD_READ].latency;
	assert_int_equal(h->n, 2000);
	uint64_t slow = 0;
	for (size_t i = 0; i < HIST_BUCKETS; i++)
		slow += hist_value(i) > 250e6 ? h->bucket[i] : 0;
	assert_in_range(slow, 245, 255);
	assert_in_range(h->max, 495000000, 505000000);
	assert_in_range((uint64_t)hist_percentile(h, 87.5), 240000000, 260000000);
	assert_true(hist_percentile(h, 50) < 1e6);
	/* Without the rate, the same target shows next to nothing of it. */
	w.rate = 0;
	w.passes = 60000 / (double)(1 << 18);
	assert_int_equal(run(&imaginary, w, NULL), WORK_DONE);
	assert_true(hist_percentile(&report.op[LOAD_READ].latency, 99.99) < 20000);
}

/* ---- errors ---- */

static uint64_t microsecond(uint64_t number, uint64_t now)
{
	(void)number;
	(void)now;
	return 1000;
}

static int fails_sometimes(const struct engine_io *io, uint64_t number)
{
	return number % 100 == 7 ? -EIO : number % 100 == 9 ? -ETIMEDOUT : (int)io->size;
}

static void test_errors_are_counted(void **state)
{
	(void)state;
	model = (struct model){ .duration = microsecond, .result = fails_sometimes };
	struct work w = { .iodepth = 4, .passes = 1000 / (double)(1 << 18) };
	assert_int_equal(run(&imaginary, w, NULL), WORK_DONE);
	assert_int_equal(report.op[LOAD_WRITE].ios, 980);
	assert_int_equal(report.op[LOAD_WRITE].errors, 20);
	assert_int_equal(report.op[LOAD_WRITE].bytes, 980 * BLOCK);
	assert_int_equal(report.events, 2);
	assert_string_equal(report.event[0], "target: write at offset 28672: Input/output error");
	assert_string_equal(report.event[1], "target: write at offset 36864: Connection timed out");
}

static int all_fail(const struct engine_io *io, uint64_t number)
{
	(void)io;
	(void)number;
	return -EIO;
}

static void test_nothing_succeeds(void **state)
{
	(void)state;
	model = (struct model){ .duration = microsecond, .result = all_fail };
	struct work w = { .iodepth = 4, .passes = 100 / (double)(1 << 18) };
	assert_int_equal(run(&imaginary, w, NULL), WORK_FAILED);
	assert_int_equal(report.op[LOAD_WRITE].errors, 100);
	assert_int_equal(report.events, 1);
}

static int full_after_50(const struct engine_io *io, uint64_t number)
{
	return number < 50 ? (int)io->size : -ENOSPC;
}

static void test_no_space_ends_the_target(void **state)
{
	(void)state;
	model = (struct model){ .duration = microsecond, .result = full_after_50 };
	struct work w = { .iodepth = 4, .seconds = 1000 };
	assert_int_equal(run(&imaginary, w, NULL), WORK_DONE);
	assert_int_equal(report.op[LOAD_WRITE].ios, 50);
	assert_in_range(report.op[LOAD_WRITE].errors, 1, 4);
	assert_int_equal(report.events, 1);
	assert_non_null(strstr(report.event[0], ": No space left on device; no more is done to this target"));
}

/* Every third one comes in pieces; every tenth ends early. */
static int in_pieces(const struct engine_io *io, uint64_t number)
{
	(void)number;
	uint64_t block = io->offset / BLOCK;
	if (block % 10 == 5)
		return io->offset % BLOCK ? 0 : 512;
	return block % 3 == 0 && io->offset % BLOCK == 0 ? 1024 : (int)io->size;
}

static void test_short_ones_are_finished(void **state)
{
	(void)state;
	model = (struct model){ .duration = microsecond, .result = in_pieces };
	struct work w = { .read_percent = 100, .iodepth = 4, .passes = 30 / (double)(1 << 18) };
	assert_int_equal(run(&imaginary, w, NULL), WORK_DONE);
	assert_int_equal(report.op[LOAD_READ].ios, 27);
	assert_int_equal(report.op[LOAD_READ].errors, 3);
	assert_int_equal(report.op[LOAD_READ].bytes, 27 * BLOCK);
	assert_int_equal(report.events, 1);
	assert_string_equal(report.event[0], "target: read at offset 20480: ended after 512 of 4096 bytes");
}

/* ---- data ---- */

static int zeros(const struct engine_io *io, uint64_t number)
{
	static const char zero[64];
	(void)number;
	if (io->op == LOAD_READ)
		memset(io->data, 0, io->size);
	else if (memcmp((const char *)io->data + sizeof zero, zero, sizeof zero) == 0)
		return -EILSEQ;
	return (int)io->size;
}

/* What was read, here zeros, never gets into what is written. */
static void test_reads_do_not_spoil_writes(void **state)
{
	(void)state;
	model = (struct model){ .duration = microsecond, .result = zeros };
	struct work w = { .read_percent = 50, .iodepth = DEPTH, .passes = 20000 / (double)(1 << 18) };
	assert_int_equal(run(&imaginary, w, NULL), WORK_DONE);
	assert_int_equal(report.op[LOAD_WRITE].errors, 0);
	assert_int_equal(report.op[LOAD_READ].ios + report.op[LOAD_WRITE].ios, 20000);
}

/* ---- the end ---- */


/* After thirty intervals, at whose edges nothing got lost. */
static void test_stopped(void **state)
{
	(void)state;
	model = (struct model){ .duration = microsecond };
	struct work w = { .read_percent = 30, .random = true, .iodepth = DEPTH, .seconds = 1000, .interval = 0.001 };
	assert_int_equal(run(&imaginary, w, &stop_now), WORK_STOPPED);
	assert_true(report.intervals >= 30);
	assert_int_equal(report.op[LOAD_READ].ios + report.op[LOAD_WRITE].ios, model.n);
}

/* The 100th never comes back. */
static uint64_t one_hangs(uint64_t number, uint64_t now)
{
	(void)now;
	return number == 100 ? UINT64_C(1) << 60 : 1000;
}

static void test_one_io_hangs(void **state)
{
	(void)state;
	model = (struct model){ .duration = one_hangs };
	struct work w = { .read_percent = 100, .iodepth = 4, .passes = 200 / (double)(1 << 18), .patience = 0.02 };
	stop_at = 200;
	assert_int_equal(run(&imaginary, w, &stop_now), WORK_STOPPED);
	stop_at = 0;
	assert_int_equal(report.op[LOAD_READ].ios, 199);
	assert_int_equal(report.op[LOAD_READ].errors, 1);
	assert_int_equal(report.events, 1);
	assert_string_equal(report.event[0], "target: 1 I/Os have not come back 0.02 s after the end and are given up");
}

/* An engine whose call never returns, as pread on a dead device: the thread can't be had back either. */
static int stuck_turn(void *engine, uint64_t timeout, struct engine_done *done, unsigned max)
{
	if (model.n < 100)
		return imaginary_turn(engine, timeout, done, max);
	for (;;)
		pause();
}

static void test_thread_is_stuck(void **state)
{
	(void)state;
	static const struct engine stuck = IMAGINARY(stuck_turn);
	model = (struct model){ .duration = microsecond };
	struct work w = { .read_percent = 100, .iodepth = 4, .seconds = 1000, .patience = 0.02 };
	stop_at = 100;
	assert_int_equal(run(&stuck, w, &stop_now), WORK_STOPPED);
	stop_at = 0;
	assert_true(report.op[LOAD_READ].errors > 0);
	assert_int_equal(report.op[LOAD_READ].ios + report.op[LOAD_READ].errors, model.n);
	assert_int_equal(report.events, 1);
}

static int broken_turn(void *engine, uint64_t timeout, struct engine_done *done, unsigned max)
{
	return model.n < 100 ? imaginary_turn(engine, timeout, done, max) : -EBADF;
}

static void test_engine_breaks(void **state)
{
	(void)state;
	static const struct engine broken = IMAGINARY(broken_turn);
	model = (struct model){ .duration = microsecond };
	struct work w = { .read_percent = 100, .iodepth = 4, .seconds = 1000 };
	assert_int_equal(run(&broken, w, NULL), WORK_DONE);
	assert_true(report.op[LOAD_READ].errors > 0);
	assert_int_equal(report.op[LOAD_READ].ios + report.op[LOAD_READ].errors, model.n);
	assert_string_equal(report.event[0], "target: imaginary fails: Bad file descriptor");
}

/* What the ramp does is in no interval. */
static void test_ramp(void **state)
{
	(void)state;
	model = (struct model){ .duration = microsecond };
	struct work w = { .read_percent = 100, .iodepth = 1, .ramp = 0.05, .seconds = 0.2, .interval = 0.02 };
	assert_int_equal(run(&imaginary, w, NULL), WORK_DONE);
	assert_true(report.op[LOAD_READ].ios > 0 && report.op[LOAD_READ].ios < model.n);
	assert_true(report.end >= 0.25);
}

/* The target does one I/O in 10 ms of its time, and is asked for a million in a second. */
static uint64_t slow(uint64_t number, uint64_t now)
{
	(void)number;
	(void)now;
	nanosleep(&(struct timespec){ .tv_nsec = 2000000 }, NULL);
	return 10000000;
}

static void test_backlog_is_told(void **state)
{
	(void)state;
	model = (struct model){ .duration = slow };
	struct work w = { .read_percent = 100, .iodepth = 1, .seconds = 0.05, .rate = 1e6 };
	assert_int_equal(run(&imaginary, w, NULL), WORK_DONE);
	assert_in_range(report.backlog, 40000, UINT64_MAX);
	assert_int_equal(report.events, 1);
	assert_non_null(strstr(report.event[0], "I/Os of the fixed rate were not begun when the time was over"));
}

/* ---- which engine ---- */

static void *forbidden_open(const struct engine_setup *s, char note[static ENGINE_NOTE], int *error)
{
	(void)s;
	*note = '\0';
	*error = EPERM;
	return NULL;
}

static void test_forbidden_engine(void **state)
{
	(void)state;
	static const struct engine forbidden = { .kind = ENGINE_LIBAIO, .name = "forbidden", .open = forbidden_open };
	static const struct engine *const engines[] = { &forbidden, &imaginary };
	static const volatile sig_atomic_t never = 0;
	struct target t = { .path = "target", .size = 1 << 20, .length = 1 << 20, .align = 1, .direct = true };
	struct work w = { .name = "test", .block = BLOCK, .iodepth = 1, .threads = 1, .passes = 1, .interval = 1 };
	model = (struct model){ .duration = microsecond };
	memset(&report, 0, sizeof report);
	assert_int_equal(work_run_on(engines, 2, &w, &t, 1, &never, &events), WORK_DONE);
	assert_int_equal(t.engine, imaginary.kind);
	assert_string_equal(t.engine_note, "forbidden can't be used here: Operation not permitted");
	assert_int_equal(report.events, 0);
	w.engine = ENGINE_LIBAIO;
	assert_int_equal(work_run_on(engines, 2, &w, &t, 1, &never, &events), WORK_FAILED);
	assert_string_equal(report.event[0], "target: forbidden can't be used here: Operation not permitted");
}

/* Where a queue is made of threads, there can't be any number of them. */
static void test_too_many_threads(void **state)
{
	(void)state;
	struct engine blocking = imaginary;
	blocking.blocking = true;
	const struct engine *engine = &blocking;
	static const volatile sig_atomic_t never = 0;
	struct target t = { .path = "target", .size = 1 << 20, .length = 1 << 20, .align = 1 };
	struct work w = { .name = "test", .block = BLOCK, .iodepth = 4096, .threads = 2, .passes = 1, .interval = 1 };
	memset(&report, 0, sizeof report);
	assert_int_equal(work_run_on(&engine, 1, &w, &t, 1, &never, &events), WORK_FAILED);
	assert_string_equal(report.event[0], "target: the test test would need 8192 threads with imaginary");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_percentiles_are_those_of_the_samples),
		cmocka_unit_test(test_no_coordinated_omission),
		cmocka_unit_test(test_errors_are_counted),
		cmocka_unit_test(test_nothing_succeeds),
		cmocka_unit_test(test_no_space_ends_the_target),
		cmocka_unit_test(test_short_ones_are_finished),
		cmocka_unit_test(test_reads_do_not_spoil_writes),
		cmocka_unit_test(test_stopped),
		cmocka_unit_test(test_one_io_hangs),
		cmocka_unit_test(test_engine_breaks),
		cmocka_unit_test(test_ramp),
		cmocka_unit_test(test_backlog_is_told),
		cmocka_unit_test(test_forbidden_engine),
		cmocka_unit_test(test_too_many_threads),
		cmocka_unit_test(test_thread_is_stuck), /* last: its thread is there for ever */
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
