#define _GNU_SOURCE /* pthread_getcpuclockid beside the rest */
#include "loadgen/worker.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE_S = 30, DEPTH_MAX = 4096, BLOCK_MAX = 1 << 30 };
#define INTERVAL_MIN 0.001 /* s */
/* The collecting thread looks at *stop at least so often. */
#define LOOK_NS UINT64_C(50000000)
/* Threads that are not stuck have so long to see that what is in flight is given up. */
#define GRACE_NS UINT64_C(1000000000)

enum phase { RUNNING, ENDING, GIVEN_UP, GONE };

/* The collecting thread's own. Times as of clock_now. */
struct collector {
	struct run *run;
	const struct work_events *events;
	const volatile sig_atomic_t *stop;
	struct interval report;     /* large */
	uint64_t ios, errors;
	bool stopped;
	enum phase phase;
	uint64_t phase_end;         /* when the next one begins, at the latest */
	uint64_t counted;           /* when the ramp is over */
	uint64_t boundary, interval; /* when the present interval ends; how long one is */
};

static void tell(const struct collector *c, enum severity severity, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void tell(const struct collector *c, enum severity severity, const char *format, ...)
{
	char text[NOTICE_SIZE];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	if (c->events->event)
		c->events->event(c->events->ctx, severity, text);
}

static void pass_notices(struct collector *c)
{
	struct run *r = c->run;
	struct notice n;
	for (;;) {
		pthread_mutex_lock(&r->lock);
		bool any = r->n_notices > 0;
		if (any) {
			n = r->notices[0];
			memmove(r->notices, r->notices + 1, --r->n_notices * sizeof *r->notices);
		}
		pthread_mutex_unlock(&r->lock);
		if (!any)
			return;
		tell(c, n.severity, "%s", n.text);
	}
}

/* Takes what the worker has counted, and leaves it an empty shard. The worker holds the shard only while it counts,
 * which takes microseconds. */
static struct shard *take_shard(struct worker *w)
{
	for (;;) {
		struct shard *s = atomic_load_explicit(&w->shard, memory_order_acquire);
		if (s && atomic_compare_exchange_strong_explicit(&w->shard, &s, w->spare, memory_order_acq_rel,
				memory_order_relaxed))
			return s;
		sched_yield();
	}
}

static void add_tally(struct tally *into, const struct tally *from)
{
	into->ios += from->ios;
	into->bytes += from->bytes;
	into->errors += from->errors;
	into->corrupt += from->corrupt;
	hist_merge(&into->latency, &from->latency);
}

/* The thread's CPU time so far is exact at any moment, its parts are as the thread itself saw them last: so the parts
 * add up to the whole, and over a test they are right. */
static void add_cpu(struct worker *w, struct interval *v)
{
	uint64_t user = atomic_load(&w->user), system = atomic_load(&w->system), total = user + system;
	clockid_t clock;
	struct timespec t;
	if (!atomic_load(&w->ended) && pthread_getcpuclockid(w->thread, &clock) == 0 && clock_gettime(clock, &t) == 0)
		total = (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec - w->user_before - w->system_before;
	if (total < w->user_told + w->system_told)
		return;
	double share = user + system > 0 ? (double)user / (double)(user + system) : 0;
	uint64_t now = (uint64_t)((double)total * share);
	now = now < w->user_told ? w->user_told : now;
	now = now > total - w->system_told ? total - w->system_told : now;
	v->cpu_user += (double)(now - w->user_told) / 1e9;
	v->cpu_system += (double)(total - now - w->system_told) / 1e9;
	w->user_told = now;
	w->system_told = total - now;
}

static uint64_t backlog_of(const struct lane *lane, uint64_t now)
{
	const struct run *r = lane->run;
	if (!(r->work.rate > 0) || now < r->begin)
		return 0;
	double due = floor((double)(now - r->begin) / 1e9 * r->work.rate) + 1;
	uint64_t next = atomic_load(&lane->next), wanted = due < (double)lane->limit ? (uint64_t)due : lane->limit;
	return wanted > next ? wanted - next : 0;
}

static uint64_t in_ns(double seconds)
{
	return seconds < 1e9 ? (uint64_t)(seconds * 1e9) : UINT64_C(1000000000000000000);
}

/* I/Os of a thread that is stuck in the kernel. */
static void add_lost(const struct worker *w, struct interval *v)
{
	if (!atomic_load(&w->ended))
		for (size_t op = 0; op < LOAD_OPS; op++)
			v->op[op].errors += atomic_load(&w->in_flight[op]);
}

/* Ends the interval of a target at `now` and reports it, unless it began in the ramp. last: the target has ended. */
static void end_interval(struct collector *c, struct lane *lane, uint64_t now, bool last)
{
	struct interval *v = &c->report;
	memset(v, 0, sizeof *v);
	for (size_t i = 0; i < lane->n_workers; i++) {
		struct worker *w = lane->workers[i];
		struct shard *s = take_shard(w);
		for (size_t op = 0; op < LOAD_OPS; op++)
			add_tally(&v->op[op], &s->op[op]);
		memset(s, 0, sizeof *s);
		w->spare = s;
		add_cpu(w, v);
		if (c->phase == GONE)
			add_lost(w, v);
	}
	v->target = lane->number;
	v->start = (double)(lane->start - c->run->begin) / 1e9;
	v->seconds = now > lane->start ? (double)(now - lane->start) / 1e9 : 0;
	v->backlog = backlog_of(lane, now);
	uint64_t ios = v->op[LOAD_READ].ios + v->op[LOAD_WRITE].ios;
	uint64_t errors = v->op[LOAD_READ].errors + v->op[LOAD_WRITE].errors;
	c->ios += ios;
	c->errors += errors;
	/* A target may end just behind the end of an interval, and has done nothing since. */
	bool remnant = last && ios + errors == 0 && lane->start > c->run->begin && v->seconds < c->run->work.interval / 2;
	if (lane->start >= c->counted && !remnant && c->events->interval)
		c->events->interval(c->events->ctx, v);
	lane->start = now;
}

static bool just_ended(const struct lane *lane)
{
	return !lane->done && atomic_load(&lane->alive) == 0;
}

static bool stop_wanted(const struct collector *c)
{
	return c->phase == RUNNING && *c->stop;
}

/* Sleeps until `until`, until a target has ended, or until *stop is set. */
static void sleep_until(const struct collector *c, uint64_t until)
{
	struct run *r = c->run;
	bool woken = false;
	for (uint64_t now; !woken && !stop_wanted(c) && (now = clock_now()) < until;) {
		uint64_t next = now + LOOK_NS < until ? now + LOOK_NS : until;
		struct timespec t = { (time_t)(next / 1000000000), (long)(next % 1000000000) };
		pthread_mutex_lock(&r->lock);
		for (size_t i = 0; i < r->n_lanes; i++)
			woken = woken || just_ended(&r->lanes[i]);
		if (!woken)
			pthread_cond_timedwait(&r->changed, &r->lock, &t);
		pthread_mutex_unlock(&r->lock);
	}
}

/* Nothing more is begun. */
static void begin_ending(struct collector *c, uint64_t now)
{
	struct run *r = c->run;
	c->stopped = now < c->phase_end;
	for (size_t i = 0; i < r->n_lanes; i++) {
		struct lane *lane = &r->lanes[i];
		uint64_t backlog = lane->done ? 0 : backlog_of(lane, now);
		atomic_store(&lane->over, true);
		if (backlog > (uint64_t)r->work.iodepth * r->work.threads)
			tell(c, DIAG_WARNING, "%s: %" PRIu64 " I/Os of the fixed rate were not begun when the time was over",
				lane->target.path, backlog);
	}
}

/* Says what did not come back. Threads that are not stuck in the kernel themselves will see it and end. */
static void give_up(const struct collector *c)
{
	struct run *r = c->run;
	for (size_t i = 0; i < r->n_lanes; i++) {
		unsigned n = 0;
		for (size_t k = 0; k < r->lanes[i].n_workers; k++) {
			const struct worker *w = r->lanes[i].workers[k];
			for (size_t op = 0; op < LOAD_OPS; op++)
				n += atomic_load(&w->ended) ? 0 : atomic_load(&w->in_flight[op]);
		}
		if (n > 0)
			tell(c, DIAG_ERROR, "%s: %u I/Os have not come back %g s after the end and are given up",
				r->lanes[i].target.path, n, r->work.patience);
	}
	atomic_store(&r->abandon, true);
}

static void next_phase(struct collector *c, uint64_t now)
{
	struct run *r = c->run;
	if (!stop_wanted(c) && now < c->phase_end)
		return;
	switch (c->phase++) {
	case RUNNING:
		begin_ending(c, now);
		c->phase_end = now + in_ns(r->work.patience);
		break;
	case ENDING:
		give_up(c);
		c->phase_end = now + GRACE_NS;
		break;
	default:
		pthread_mutex_lock(&r->lock);
		atomic_store(&r->gone, true);
		pthread_mutex_unlock(&r->lock);
	}
}

/* Within half an interval of the end of the test no interval ends: what is left would be too short to mean anything. */
static void next_boundary(struct collector *c, uint64_t now)
{
	uint64_t end = c->phase == RUNNING ? c->phase_end : 0;
	while (c->boundary <= now || (c->boundary > end - c->interval / 2 && c->boundary < end + c->interval / 2))
		c->boundary += c->interval;
}

/* Reports the targets that have ended; all: the others' intervals too. Returns how many go on. */
static size_t report(struct collector *c, bool all, uint64_t now)
{
	struct run *r = c->run;
	size_t left = 0;
	for (size_t i = 0; i < r->n_lanes; i++) {
		struct lane *lane = &r->lanes[i];
		bool over = just_ended(lane);
		if (over || (all && !lane->done))
			end_interval(c, lane, over ? atomic_load(&lane->ended_at) : now, over);
		lane->done = lane->done || over;
		left += !lane->done;
	}
	pass_notices(c);
	return left;
}

static void collect(struct collector *c)
{
	struct run *r = c->run;
	const struct work *w = &r->work;
	c->interval = in_ns(w->interval);
	c->counted = r->begin + in_ns(w->ramp);
	c->phase_end = w->seconds > 0 ? c->counted + in_ns(w->seconds) : UINT64_MAX / 2;
	c->boundary = c->counted;
	if (w->ramp <= 0)
		next_boundary(c, c->counted);
	for (size_t left = 1; left > 0 && c->phase != GONE;) {
		sleep_until(c, c->boundary < c->phase_end ? c->boundary : c->phase_end);
		uint64_t now = clock_now();
		next_phase(c, now);
		bool due = now >= c->boundary;
		left = report(c, due || c->phase == GONE, now);
		if (due)
			next_boundary(c, now);
	}
}

static bool enough_threads(const struct collector *c, const struct lane *lane)
{
	const struct work *w = &c->run->work;
	uint64_t needed = (uint64_t)w->iodepth * w->threads;
	if (!lane->engine->blocking || needed <= DEPTH_MAX)
		return true;
	tell(c, DIAG_ERROR, "%s: the test %s would need %" PRIu64 " threads with %s", lane->target.path, w->name, needed,
		lane->engine->name);
	return false;
}

/* The first engine that can be used here. */
static bool choose_engine(const struct collector *c, struct lane *lane, const struct engine *const *engines, size_t n)
{
	const struct work *w = &c->run->work;
	int error = 0;
	for (size_t i = 0; i < n; i++) {
		const struct engine *e = engines[i];
		if (w->engine == ENGINE_AUTO ? e->kind == ENGINE_LIBAIO && !lane->target.direct : e->kind != w->engine)
			continue;
		struct engine_setup probe = { .fd = lane->target.fd, .depth = 1 };
		void *opened = e->open(&probe, lane->note, &error);
		if (opened) {
			e->close(opened, false);
			lane->engine = e;
			return enough_threads(c, lane);
		}
		if (!*lane->refused)
			snprintf(lane->refused, ENGINE_NOTE, "%s can't be used here: %s", e->name, strerror(error));
	}
	tell(c, DIAG_ERROR, "%s: %s", lane->target.path, lane->refused);
	return false;
}

static const char *wrong_work(const struct work *w)
{
	if (w->block == 0 || w->block > BLOCK_MAX)
		return "has a block size that is not 1 byte to 1 GiB";
	if (w->iodepth == 0 || w->iodepth > DEPTH_MAX || w->threads == 0 || w->threads > DEPTH_MAX)
		return "has a queue depth or a number of threads that is not 1 to 4096";
	if (!(w->seconds > 0) && !(w->passes > 0))
		return "has neither a duration nor a number of passes";
	if (!(w->interval >= INTERVAL_MIN))
		return "has an interval that is shorter than 1 ms";
	if (w->verify && w->block % VERIFY_UNIT)
		return "verifies, which needs blocks of whole 4096 bytes";
	return NULL;
}

/* All of a lane that needs no thread. */
static bool lane_init(struct collector *c, struct lane *lane, struct target *t)
{
	struct run *r = c->run;
	const struct work *w = &r->work;
	const char *error = wrong_work(w);
	if (!error && (t->first % t->align || w->block % t->align))
		error = "has a block size or range that is no multiple of what direct I/O to the target needs";
	if (!error && (t->first > t->size || t->length > t->size - t->first))
		error = "has a range that goes beyond the end of the target";
	if (!error && w->verify && t->first % VERIFY_UNIT)
		error = "verifies, which needs a range that begins at a multiple of 4096 bytes";
	if (!error && w->verify && !t->verify)
		t->verify = verify_new(t->size, mix64(clock_now(), (uint64_t)getpid()));
	if (!error && w->verify && !t->verify)
		error = "verifies, and there is no memory to remember what was written";
	/* What is left of a file behind its last whole unit can't be done. */
	uint64_t unit = w->verify && t->align < VERIFY_UNIT ? VERIFY_UNIT : t->align, length = t->length - t->length % unit;
	if (!error && sequence_init(&lane->sequence, w, t->first, length, mix64(w->seed, lane->number), &error))
		error = NULL;
	if (error) {
		tell(c, DIAG_ERROR, "%s: the test %s %s", t->path, w->name, error);
		return false;
	}
	lane->target = *t;
	double limit = ceil(w->passes * (double)lane->sequence.blocks);
	lane->limit = w->passes > 0 && limit < 0x1p63 ? (uint64_t)limit : UINT64_MAX;
	return true;
}

static void lane_start(struct lane *lane)
{
	const struct work *w = &lane->run->work;
	lane->n_workers = lane->engine->blocking ? (size_t)w->threads * w->iodepth : w->threads;
	lane->workers = mem_alloc(lane->n_workers * sizeof *lane->workers);
	atomic_store(&lane->alive, (unsigned)lane->n_workers);
	for (size_t i = 0; i < lane->n_workers; i++) {
		struct worker *worker = lane->workers[i] = mem_alloc(sizeof *worker);
		memset(worker, 0, sizeof *worker);
		worker->lane = lane;
		worker->depth = lane->engine->blocking ? 1 : w->iodepth;
		worker->spare = &worker->shards[1];
		atomic_store(&worker->shard, &worker->shards[0]);
	}
}

/* Threads get no signals: those are for the program's own. */
static void threads_start(struct run *r)
{
	sigset_t all, before;
	size_t wanted = 0;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	for (size_t i = 0; i < r->n_lanes; i++)
		for (size_t k = 0; k < r->lanes[i].n_workers; k++) {
			struct worker *w = r->lanes[i].workers[k];
			int error = pthread_create(&w->thread, NULL, worker_main, w);
			w->started = error == 0;
			wanted += w->started;
			if (error) {
				run_notice(r, DIAG_ERROR, "%s: a thread can't be started: %s", r->lanes[i].target.path, strerror(error));
				worker_never_started(w);
			}
		}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_mutex_lock(&r->lock);
	while (r->waiting < wanted)
		pthread_cond_wait(&r->changed, &r->lock);
	r->begin = clock_now();
	for (size_t i = 0; i < r->n_lanes; i++)
		r->lanes[i].start = r->begin;
	r->go = true;
	pthread_cond_broadcast(&r->changed);
	pthread_mutex_unlock(&r->lock);
}

/* A thread that is stuck in the kernel keeps all it might look at when it comes back. */
static void run_free(struct run *r)
{
	bool stuck = false;
	for (size_t i = 0; i < r->n_lanes; i++)
		for (size_t k = 0; k < r->lanes[i].n_workers; k++) {
			struct worker *w = r->lanes[i].workers[k];
			if (w->started && !atomic_load(&w->ended)) {
				pthread_detach(w->thread);
				stuck = true;
			} else if (w->started) {
				pthread_join(w->thread, NULL);
			}
		}
	if (stuck)
		return;
	for (size_t i = 0; i < r->n_lanes; i++) {
		for (size_t k = 0; k < r->lanes[i].n_workers; k++)
			free(r->lanes[i].workers[k]);
		free(r->lanes[i].workers);
	}
	pthread_mutex_destroy(&r->lock);
	pthread_cond_destroy(&r->changed);
	free(r->lanes);
	free(r);
}

static struct run *run_new(const struct work *w, size_t n)
{
	pthread_condattr_t monotonic;
	struct run *r = mem_alloc(sizeof *r);
	memset(r, 0, sizeof *r);
	r->work = *w;
	if (!(w->patience > 0))
		r->work.patience = PATIENCE_S;
	atomic_store(&r->session, mix64(clock_now(), (uint64_t)getpid()));
	r->lanes = mem_alloc(n * sizeof *r->lanes);
	memset(r->lanes, 0, n * sizeof *r->lanes);
	for (size_t i = 0; i < n; i++)
		r->lanes[i].run = r, r->lanes[i].number = i;
	pthread_mutex_init(&r->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&r->changed, &monotonic);
	pthread_condattr_destroy(&monotonic);
	return r;
}

enum work_end work_run_on(const struct engine *const *engines, size_t n_engines, const struct work *w,
	struct target *targets, size_t n, const volatile sig_atomic_t *stop, const struct work_events *events)
{
	struct run *r = run_new(w, n);
	struct collector *c = mem_alloc(sizeof *c);
	memset(c, 0, sizeof *c);
	c->run = r;
	c->events = events;
	c->stop = stop;
	bool good = true;
	for (size_t i = 0; i < n && good; i++)
		good = lane_init(c, &r->lanes[i], &targets[i]) && choose_engine(c, &r->lanes[i], engines, n_engines);
	enum work_end end = WORK_FAILED;
	if (good) {
		r->n_lanes = n;
		for (size_t i = 0; i < n; i++)
			lane_start(&r->lanes[i]);
		threads_start(r);
		for (size_t i = 0; i < n; i++) {
			targets[i].engine = r->lanes[i].engine->kind;
			snprintf(targets[i].engine_note, sizeof targets[i].engine_note, "%s%s%s", r->lanes[i].note,
				*r->lanes[i].refused && *r->lanes[i].note ? "; " : "", r->lanes[i].refused);
		}
		collect(c);
		end = c->stopped ? WORK_STOPPED : c->ios == 0 && c->errors > 0 ? WORK_FAILED : WORK_DONE;
	}
	run_free(r);
	free(c);
	return end;
}

enum work_end work_run(const struct work *w, struct target *targets, size_t n, const volatile sig_atomic_t *stop,
	const struct work_events *events)
{
	static const struct engine *const engines[] = { &engine_uring, &engine_aio, &engine_sync };
	return work_run_on(engines, sizeof engines / sizeof *engines, w, targets, n, stop, events);
}
