#define _GNU_SOURCE /* RUSAGE_THREAD */
#include "loadgen/worker.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>

/* Written data repeat after this many bytes of a target's writes, but for their stamps: more than a device looks back
 * when it compresses. */
enum { POOL = 4 << 20 };
/* How soon to look again at a block that another I/O is at work on. */
enum { BUSY_NS = 100000 };
/* How old the thread's word of its CPU time may be: so often it costs nothing. */
enum { SAMPLE_NS = 10000000 };
/* A thread wakes up that much too late at most, mostly: so long before its time it stays awake. */
enum { WAKE_NS = 50000 };

static const char *const op_text[LOAD_OPS] = { [LOAD_READ] = "read", [LOAD_WRITE] = "write" };

uint64_t clock_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

void run_notice(struct run *r, enum severity severity, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	pthread_mutex_lock(&r->lock);
	if (r->n_notices < NOTICES) {
		struct notice *n = &r->notices[r->n_notices++];
		n->severity = severity;
		vsnprintf(n->text, sizeof n->text, format, args);
	}
	pthread_mutex_unlock(&r->lock);
	va_end(args);
}

static uint64_t in_ns(struct timeval t)
{
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_usec * 1000;
}

static void sample_cpu(struct worker *w)
{
	struct rusage u;
	getrusage(RUSAGE_THREAD, &u);
	atomic_store_explicit(&w->user, in_ns(u.ru_utime) - w->user_before, memory_order_relaxed);
	atomic_store_explicit(&w->system, in_ns(u.ru_stime) - w->system_before, memory_order_relaxed);
}

/* The memory of all slots: page by page, since the kernel may go on using it for a while after an I/O was given up, and
 * one behind the other, since it is registered as a whole. A read has the first window of its slot, writes go round the
 * others. */
static bool memory_init(struct worker *w, const struct work *work)
{
	bool reads = work->read_percent > 0, writes = work->read_percent < 100;
	w->stride = (work->block + 4095) / 4096 * 4096;
	w->first_window = reads;
	w->windows = reads;
	if (writes) {
		size_t n = POOL / (w->lane->n_workers * w->depth * w->stride);
		w->windows += n > 0 ? (unsigned)n : 1;
	}
	w->memory_size = w->stride * w->windows * w->depth;
	w->memory = mmap(NULL, w->memory_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (w->memory == MAP_FAILED)
		return false;
	w->unique = mix64(atomic_fetch_add(&w->lane->run->session, 1), (uint64_t)(uintptr_t)w);
	if (writes)
		block_fill(w->memory, w->memory_size, w->unique);
	return true;
}

static bool worker_init(struct worker *w)
{
	struct lane *lane = w->lane;
	char note[ENGINE_NOTE] = "";
	w->batch = w->depth < BATCH ? w->depth : BATCH;
	w->slots = mem_alloc(w->depth * sizeof *w->slots);
	w->free = mem_alloc(w->depth * sizeof *w->free);
	int error = memory_init(w, &lane->run->work) ? 0 : errno;
	const struct engine_setup setup = { lane->target.fd, w->depth, w->memory, w->memory_size };
	if (!error)
		w->engine = lane->engine->open(&setup, note, &error);
	if (!w->engine) {
		run_notice(lane->run, DIAG_ERROR, "%s: a thread can't be prepared for %s: %s", lane->target.path,
			lane->engine->name, strerror(error));
		return false;
	}
	if (w == lane->workers[0])
		memcpy(lane->note, note, sizeof note);
	memset(w->slots, 0, w->depth * sizeof *w->slots);
	for (unsigned i = 0; i < w->depth; i++) {
		w->slots[i].window = w->first_window;
		w->free[w->n_free++] = w->depth - 1 - i;
	}
	return true;
}

/* What the kernel may still write to, or read from, is never given back. */
static void worker_free(struct worker *w)
{
	bool hung = w->n_free < w->depth;
	if (w->engine)
		w->lane->engine->close(w->engine, hung);
	if (w->memory && w->memory != MAP_FAILED && !(w->engine && hung))
		munmap(w->memory, w->memory_size);
	free(w->slots);
	free(w->free);
}

static uint64_t now_of(const struct worker *w)
{
	return w->lane->engine->now ? w->lane->engine->now(w->engine) : clock_now();
}

static void publish(struct worker *w)
{
	for (size_t op = 0; op < LOAD_OPS; op++)
		atomic_store_explicit(&w->in_flight[op], w->begun[op], memory_order_relaxed);
}

/* Takes the numbers of the next I/Os. With a rate or checks one may have to wait, and nobody else could begin it. */
static bool claim(struct worker *w, unsigned room)
{
	struct lane *lane = w->lane;
	const struct work *work = &lane->run->work;
	unsigned n = work->rate > 0 || work->verify ? 1 : room;
	w->claimed = atomic_fetch_add_explicit(&lane->next, n, memory_order_relaxed);
	w->claimed_end = w->claimed + n < lane->limit ? w->claimed + n : lane->limit;
	w->exhausted = w->claimed >= lane->limit;
	return !w->exhausted;
}

static uint64_t intended(const struct run *r, uint64_t index)
{
	return r->begin + (uint64_t)((double)index * (1e9 / r->work.rate));
}

/* The next I/O that may begin at `now`. False when there is none: *again is when there may be one. */
static bool next_io(struct worker *w, unsigned room, uint64_t now, struct place *place, uint64_t *start,
	uint64_t *again)
{
	struct lane *lane = w->lane;
	const struct work *work = &lane->run->work;
	if (w->claimed == w->claimed_end && !claim(w, room))
		return false;
	if (work->rate > 0) {
		*start = intended(lane->run, w->claimed);
		*again = *start;
		if (*start > now)
			return false;
	}
	*place = sequence_at(&lane->sequence, w->claimed);
	if (work->verify && !verify_begin(lane->target.verify, place->offset, place->size)) {
		*again = now + BUSY_NS;
		return false;
	}
	w->claimed++;
	return true;
}

static void queue_rest(struct worker *w, unsigned slot)
{
	struct slot *s = &w->slots[slot];
	struct engine_io io = { s->place.op, slot, s->data + s->done, s->place.size - s->done, s->place.offset + s->done };
	w->lane->engine->queue(w->engine, &io);
}

static void prepare(struct worker *w, unsigned slot, const struct place *place)
{
	struct slot *s = &w->slots[slot];
	unsigned window = 0;
	if (place->op == LOAD_WRITE) {
		s->window = s->window + 1 < w->windows ? s->window + 1 : w->first_window;
		window = s->window;
	}
	s->place = *place;
	s->done = 0;
	s->in_flight = true;
	w->begun[place->op]++;
	s->data = w->memory + ((size_t)slot * w->windows + window) * w->stride;
	if (place->op == LOAD_WRITE) {
		block_stamp(s->data, place->size, ++w->unique);
		if (w->lane->run->work.verify)
			verify_stamp(w->lane->target.verify, s->data, place->offset, place->size);
	}
	queue_rest(w, slot);
}

/* Begins what can begin. Returns how long the engine may wait for completions. */
static uint64_t begin_some(struct worker *w)
{
	struct lane *lane = w->lane;
	unsigned begun[BATCH], n = 0, room = w->n_free < w->batch ? w->n_free : w->batch;
	const bool paced = lane->run->work.rate > 0;
	bool closed = w->exhausted || atomic_load_explicit(&lane->over, memory_order_relaxed);
	uint64_t now = paced || lane->run->work.verify ? now_of(w) : 0, again = 0, start = 0;
	struct place place;
	while (!closed && n < room && next_io(w, room - n, now, &place, &start, &again)) {
		begun[n] = w->free[--w->n_free];
		prepare(w, begun[n], &place);
		w->slots[begun[n++]].start = start;
	}
	publish(w);
	if (n > 0 && !paced) {
		now = now_of(w);
		for (unsigned i = 0; i < n; i++)
			w->slots[begun[i]].start = now;
	}
	if (again > now + WAKE_NS)
		return again - WAKE_NS - now < WAIT_NS ? again - WAKE_NS - now : WAIT_NS;
	if (again > now)
		return 0;
	return n > 0 && n == room && w->n_free > 0 ? 0 : WAIT_NS;
}

static void failed(struct worker *w, struct shard *shard, const struct slot *s, int result)
{
	struct lane *lane = w->lane;
	enum load_op op = s->place.op;
	int error = -result > 0 && -result < ERRNO_MAX ? -result : 0;
	shard->op[op].errors++;
	if (error == ENOSPC)
		atomic_store(&lane->over, true);
	if (atomic_exchange(&lane->seen[op][error], true))
		return;
	if (result >= 0)
		run_notice(lane->run, DIAG_ERROR, "%s: %s at offset %" PRIu64 ": ended after %zu of %zu bytes", lane->target.path,
			op_text[op], s->place.offset, s->done, s->place.size);
	else
		run_notice(lane->run, DIAG_ERROR, "%s: %s at offset %" PRIu64 ": %s%s", lane->target.path, op_text[op],
			s->place.offset, strerror(-result), error == ENOSPC ? "; no more is done to this target" : "");
}

static void check(struct worker *w, struct shard *shard, const struct slot *s)
{
	struct lane *lane = w->lane;
	struct verify_flaw first[FLAWS];
	unsigned wrong = verify_check(lane->target.verify, s->data, s->place.offset, s->place.size, first);
	shard->op[s->place.op].corrupt += wrong;
	for (size_t i = 0; wrong && i < FLAWS; i++)
		if (first[i].flaw && !atomic_exchange(&lane->seen_flaw[i], true)) {
			char text[NOTICE_SIZE];
			verify_flaw_text(&first[i], text, sizeof text);
			run_notice(lane->run, DIAG_ERROR, "%s: %s", lane->target.path, text);
		}
}

/* One completion. A short one is finished first; when nothing more comes it has failed. */
static void finish(struct worker *w, struct shard *shard, const struct engine_done *d, uint64_t now)
{
	struct slot *s = &w->slots[d->slot];
	enum load_op op = s->place.op;
	if (d->result > 0) {
		s->done += (size_t)d->result;
		if (s->done < s->place.size) {
			queue_rest(w, d->slot);
			return;
		}
	}
	bool good = s->done == s->place.size;
	if (good) {
		w->latency[op][w->n_latency[op]++] = now - s->start;
		shard->op[op].bytes += s->place.size;
	} else {
		failed(w, shard, s, d->result);
	}
	if (w->lane->run->work.verify) {
		if (good && op == LOAD_READ)
			check(w, shard, s);
		verify_end(w->lane->target.verify, s->place.offset, s->place.size,
			op == LOAD_READ ? VERIFY_READ : good ? VERIFY_WRITTEN : VERIFY_LOST);
	}
	s->in_flight = false;
	w->begun[op]--;
	w->free[w->n_free++] = d->slot;
}

static void count(struct worker *w, const struct engine_done *done, unsigned n, uint64_t now)
{
	struct shard *shard = atomic_exchange_explicit(&w->shard, NULL, memory_order_acquire);
	if (now - w->sampled > SAMPLE_NS) {
		sample_cpu(w);
		w->sampled = now;
	}
	for (unsigned i = 0; i < n; i++)
		finish(w, shard, &done[i], now);
	for (size_t op = 0; op < LOAD_OPS; op++) {
		hist_add_all(&shard->op[op].latency, w->latency[op], w->n_latency[op]);
		shard->op[op].ios += w->n_latency[op];
		w->n_latency[op] = 0;
	}
	atomic_store_explicit(&w->shard, shard, memory_order_release);
}

/* What is in flight and won't be waited for any more. */
static void give_up(struct worker *w)
{
	struct shard *shard = atomic_exchange_explicit(&w->shard, NULL, memory_order_acquire);
	for (unsigned i = 0; i < w->depth; i++) {
		const struct slot *s = &w->slots[i];
		if (!s->in_flight)
			continue;
		shard->op[s->place.op].errors++;
		if (w->lane->run->work.verify)
			verify_end(w->lane->target.verify, s->place.offset, s->place.size, VERIFY_LOST);
	}
	atomic_store_explicit(&w->shard, shard, memory_order_release);
}

/* False when nobody waits for this thread any more: then it must not touch anything. */
static bool work_on(struct worker *w)
{
	struct lane *lane = w->lane;
	struct run *r = lane->run;
	struct engine_done done[REAP];
	for (;;) {
		uint64_t timeout = begin_some(w);
		bool closed = w->exhausted || atomic_load_explicit(&lane->over, memory_order_relaxed);
		if (closed && w->n_free == w->depth)
			return true;
		int n = lane->engine->turn(w->engine, timeout, done, REAP);
		if (atomic_load_explicit(&r->abandon, memory_order_relaxed)) {
			pthread_mutex_lock(&r->lock);
			bool gone = atomic_load(&r->gone);
			if (!gone)
				give_up(w);
			pthread_mutex_unlock(&r->lock);
			return !gone;
		}
		if (n < 0) {
			run_notice(r, DIAG_ERROR, "%s: %s fails: %s", lane->target.path, lane->engine->name, strerror(-n));
			atomic_store(&lane->over, true);
			give_up(w);
			return true;
		}
		if (n > 0)
			count(w, done, (unsigned)n, now_of(w));
	}
}

/* Says that it is ready, or can't become so, and waits for the others. */
static void wait_for_go(struct run *r)
{
	pthread_mutex_lock(&r->lock);
	r->waiting++;
	pthread_cond_broadcast(&r->changed);
	while (!r->go)
		pthread_cond_wait(&r->changed, &r->lock);
	pthread_mutex_unlock(&r->lock);
}

static void ended(struct worker *w, uint64_t when)
{
	struct lane *lane = w->lane;
	struct run *r = lane->run;
	pthread_mutex_lock(&r->lock);
	if (when > lane->ended_at)
		lane->ended_at = when;
	atomic_store(&w->ended, true);
	atomic_fetch_sub(&lane->alive, 1);
	pthread_cond_broadcast(&r->changed);
	pthread_mutex_unlock(&r->lock);
}

void worker_never_started(struct worker *w)
{
	atomic_store(&w->lane->over, true);
	ended(w, clock_now());
}

/* What it takes to prepare the thread and to clean up behind it belongs to no interval. */
void *worker_main(void *arg)
{
	struct worker *w = arg;
	prctl(PR_SET_TIMERSLACK, 1); /* a fixed rate is kept by sleeping */
	bool ready = worker_init(w);
	if (!ready)
		atomic_store(&w->lane->over, true);
	sample_cpu(w);
	w->user_before = atomic_exchange(&w->user, 0);
	w->system_before = atomic_exchange(&w->system, 0);
	wait_for_go(w->lane->run);
	if (ready && !work_on(w))
		return NULL;
	uint64_t now = clock_now();
	sample_cpu(w);
	worker_free(w);
	ended(w, now);
	return NULL;
}
