/* Threads on their CPUs, three arrays, and the time that each kernel takes. */
#define _GNU_SOURCE
#include "loadgen/memory.h"

#include "base/num.h"
#include "loadgen/host.h"
#include "loadgen/record.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { LEVELS = 10, ARRAYS = 3 };

/* ---- caches ---- */

/* "32768K" */
static uint64_t size_of(const char *text)
{
	struct slice s = slice_of(text);
	uint64_t n, unit = 1;
	if (slice_ends(s, "K"))
		unit = 1 << 10;
	else if (slice_ends(s, "M"))
		unit = 1 << 20;
	else if (slice_ends(s, "G"))
		unit = 1 << 30;
	return num_u64(slice_head(s, s.n - (unit > 1)), &n) == NUM_OK && n < UINT64_C(1) << 32 ? n * unit : 0;
}

/* The highest level that this CPU has: its size, and which CPUs share it. */
static uint64_t last_level(struct arena *a, const char *root, int cpu, const char **shared)
{
	uint64_t size = 0, highest = 0, level;
	for (int i = 0; i < LEVELS; i++) {
		const char *folder = arena_printf(a, "%s/cpu%d/cache/index%d", root, cpu, i);
		const char *text = host_line(a, arena_printf(a, "%s/level", folder));
		const char *type = host_line(a, arena_printf(a, "%s/type", folder));
		if (!text || num_u64(slice_of(text), &level) != NUM_OK || level < highest || (type && strcmp(type, "Instruction") == 0))
			continue;
		const char *bytes = host_line(a, arena_printf(a, "%s/size", folder));
		highest = level;
		size = bytes ? size_of(bytes) : 0;
		*shared = host_line(a, arena_printf(a, "%s/shared_cpu_list", folder));
	}
	return size;
}

uint64_t memory_caches(struct arena *a, const char *root, const cpu_set_t *cpus)
{
	const char *seen[CPU_SETSIZE];
	size_t n = 0;
	uint64_t sum = 0;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		const char *shared = NULL;
		if (!CPU_ISSET(cpu, cpus))
			continue;
		uint64_t size = last_level(a, root, cpu, &shared);
		bool known = false;
		for (size_t i = 0; i < n && shared; i++)
			known |= strcmp(seen[i], shared) == 0;
		if (size == 0)
			return 0;
		if (!known)
			sum += size;
		if (!known && shared)
			seen[n++] = shared;
	}
	return sum;
}

/* ---- the measurement ---- */

struct shared {
	const struct memory_plan *plan;
	const volatile sig_atomic_t *stop;
	double *array[ARRAYS];
	pthread_mutex_t lock;                    /* of start */
	pthread_cond_t changed;
	enum { WAIT, GO, GIVE_UP } start;
	pthread_barrier_t barrier;
	bool done;                               /* written by the first thread only, between barriers */
	unsigned repetition;
	struct memory_times times[MEMORY_KERNELS];
};

struct worker {
	struct shared *s;
	pthread_t thread;
	int cpu;
	size_t first, n;
	bool pinned;
	double error[ARRAYS];                    /* sums of relative errors */
};

static const struct { unsigned to, x, y; } operands[MEMORY_KERNELS] = {
	[MEMORY_COPY] = { 2, 0, 0 }, [MEMORY_SCALE] = { 1, 2, 2 }, [MEMORY_ADD] = { 2, 0, 1 }, [MEMORY_TRIAD] = { 0, 1, 2 },
};

static void take_time(struct memory_times *t, double seconds, unsigned repetition)
{
	if (repetition == 0)
		return;
	t->min = fmin(t->min, seconds);
	t->max = fmax(t->max, seconds);
	t->mean += (seconds - t->mean) / repetition;
}

/* What every element of the three arrays must be after so many repetitions. */
static void expect(unsigned repetitions, double v[static ARRAYS])
{
	v[0] = 1;
	v[1] = 2;
	v[2] = 0;
	for (unsigned i = 0; i < repetitions; i++) {
		v[2] = v[0];
		v[1] = 3 * v[2];
		v[2] = v[0] + v[1];
		v[0] = v[1] + 3 * v[2];
	}
}

static void check(struct worker *w)
{
	double v[ARRAYS];
	expect(w->s->repetition, v);
	for (int k = 0; k < ARRAYS; k++)
		for (size_t i = 0; i < w->n; i++)
			w->error[k] += fabs(w->s->array[k][w->first + i] / v[k] - 1);
}

static void run_kernel(struct worker *w, bool leads, enum memory_kernel k)
{
	struct shared *s = w->s;
	double start = leads ? load_now() : 0;
	pthread_barrier_wait(&s->barrier);
	s->plan->code->run[k](s->array[operands[k].to] + w->first, s->array[operands[k].x] + w->first,
		s->array[operands[k].y] + w->first, w->n);
	pthread_barrier_wait(&s->barrier);
	if (leads)
		take_time(&s->times[k], round((load_now() - start) * 1e9) / 1e9, s->repetition);
}

/* Nobody waits at the barrier before it is known that all will come. */
static bool may_start(struct shared *s)
{
	pthread_mutex_lock(&s->lock);
	while (s->start == WAIT)
		pthread_cond_wait(&s->changed, &s->lock);
	bool go = s->start == GO;
	pthread_mutex_unlock(&s->lock);
	return go;
}

static void *work(void *arg)
{
	struct worker *w = arg;
	struct shared *s = w->s;
	bool leads = w->first == 0;
	cpu_set_t own;
	CPU_ZERO(&own);
	CPU_SET(w->cpu, &own);
	if (!may_start(s))
		return NULL;
	w->pinned = pthread_setaffinity_np(pthread_self(), sizeof own, &own) == 0;
	/* The pages come to lie where they are first touched. */
	for (size_t i = w->first; i < w->first + w->n; i++) {
		s->array[0][i] = 1;
		s->array[1][i] = 2;
		s->array[2][i] = 0;
	}
	for (;;) {
		pthread_barrier_wait(&s->barrier);
		if (s->done)
			break;
		for (enum memory_kernel k = 0; k < MEMORY_KERNELS; k++)
			run_kernel(w, leads, k);
		if (leads) {
			s->repetition++;
			s->done = s->repetition == s->plan->repetitions || *s->stop;
		}
	}
	check(w);
	return NULL;
}

static bool map_arrays(struct shared *s, size_t bytes)
{
	for (int k = 0; k < ARRAYS; k++) {
		void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (p == MAP_FAILED)
			return false;
		s->array[k] = p;
	}
	return true;
}

/* Each thread's part, and the CPU that it runs on. */
static void divide(struct shared *s, struct worker *workers)
{
	size_t steps = s->plan->elements / MEMORY_STEP, threads = s->plan->threads;
	int cpu = -1;
	for (size_t i = 0; i < threads; i++) {
		do
			cpu++;
		while (!CPU_ISSET(cpu, &s->plan->cpus));
		size_t first = steps * i / threads, end = steps * (i + 1) / threads;
		workers[i] = (struct worker){ .s = s, .cpu = cpu, .first = first * MEMORY_STEP, .n = (end - first) * MEMORY_STEP };
	}
}

static void collect(const struct shared *s, const struct worker *workers, struct memory_outcome *out)
{
	*out = (struct memory_outcome){ .counted = s->repetition ? s->repetition - 1 : 0,
		.stopped = s->repetition < s->plan->repetitions };
	for (int k = 0; k < MEMORY_KERNELS; k++)
		out->kernel[k] = out->counted ? s->times[k] : (struct memory_times){ NAN, NAN, NAN };
	for (int k = 0; k < ARRAYS; k++) {
		double sum = 0;
		for (size_t i = 0; i < s->plan->threads; i++)
			sum += workers[i].error[k];
		out->error = fmax(out->error, sum / (double)s->plan->elements);
	}
	for (size_t i = 0; i < s->plan->threads; i++)
		out->unpinned += !workers[i].pinned;
	out->valid = out->error <= MEMORY_ERROR_ALLOWED;
}

static bool run_threads(struct shared *s, struct worker *workers)
{
	size_t n = 0;
	while (n < s->plan->threads && pthread_create(&workers[n].thread, NULL, work, &workers[n]) == 0)
		n++;
	pthread_mutex_lock(&s->lock);
	s->start = n == s->plan->threads ? GO : GIVE_UP;
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->lock);
	for (size_t i = 0; i < n; i++)
		pthread_join(workers[i].thread, NULL);
	return n == s->plan->threads;
}

bool memory_measure(const struct memory_plan *plan, const volatile sig_atomic_t *stop, struct memory_outcome *out,
	const char **error)
{
	struct shared s = { .plan = plan, .stop = stop, .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };
	struct worker *workers = mem_alloc(plan->threads * sizeof *workers);
	size_t bytes = plan->elements * sizeof(double);
	bool done = false;
	for (int k = 0; k < MEMORY_KERNELS; k++)
		s.times[k] = (struct memory_times){ INFINITY, 0, 0 };
	*error = "there is not so much memory";
	if (map_arrays(&s, bytes) && pthread_barrier_init(&s.barrier, NULL, plan->threads) == 0) {
		divide(&s, workers);
		done = run_threads(&s, workers);
		*error = "a thread can't be started";
		pthread_barrier_destroy(&s.barrier);
		if (done)
			collect(&s, workers, out);
	}
	for (int k = 0; k < ARRAYS; k++)
		if (s.array[k])
			munmap(s.array[k], bytes);
	free(workers);
	return done;
}
