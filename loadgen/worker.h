/* worker: one thread that does I/O to one target. For work.c and worker.c only.
 *
 * What a worker counts goes into a shard. A shard belongs to whoever has taken its pointer out of `shard`: the worker
 * while it counts, between two turns of its engine; else the collecting thread may put the other, empty one there.
 * So the worker never waits for anybody, and nothing is counted twice or not at all. */
#ifndef LOADGEN_WORKER_H
#define LOADGEN_WORKER_H

#include "loadgen/block.h"
#include "loadgen/engine.h"
#include "loadgen/offsets.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

enum {
	BATCH = 8,            /* I/Os that are begun at most before the engine is called */
	REAP = 64,            /* completions taken at most in one turn */
	WAIT_NS = 100000000,  /* how long a worker sleeps at most before it looks whether the test is over */
	NOTICES = 32, NOTICE_SIZE = 256,
	ERRNO_MAX = 256,      /* kinds of errors that are told apart */
};

struct shard {
	struct tally op[LOAD_OPS];
};

struct notice {
	enum severity severity;
	char text[NOTICE_SIZE];
};

struct run;

/* A target in this test, and those who work on it. */
struct lane {
	struct run *run;
	size_t number;
	struct target target;            /* as the caller had it: a stuck thread may outlive the caller's */
	const struct engine *engine;
	struct sequence sequence;
	uint64_t limit;                  /* I/Os of the test; UINT64_MAX: as many as there is time for */
	struct worker **workers;
	size_t n_workers;
	char note[ENGINE_NOTE];          /* the first worker's */
	char refused[ENGINE_NOTE];       /* why not a better engine; empty: it is the best */
	_Atomic uint64_t next;           /* the number of the next I/O that nobody has taken yet */
	atomic_bool over;                /* nothing more is begun */
	_Atomic unsigned alive;          /* workers that have not ended */
	_Atomic uint64_t ended_at;       /* when the last one did; valid when none is alive */
	atomic_bool seen[LOAD_OPS][ERRNO_MAX], seen_flaw[FLAWS]; /* kinds that an event has told of */
	/* The collecting thread's: */
	uint64_t start;                  /* of the interval */
	bool done;
};

struct slot {
	struct place place;
	uint64_t start;  /* what its latency counts from */
	char *data;
	size_t done;     /* bytes */
	bool in_flight;
	unsigned window; /* the part of the slot's memory that the last write came from */
};

struct worker {
	struct lane *lane;
	pthread_t thread;
	bool started;
	unsigned depth, batch;
	void *engine;
	struct slot *slots;
	unsigned *free, n_free;          /* slots that are not in flight */
	char *memory;
	size_t memory_size, stride;      /* of one window */
	unsigned windows, first_window;  /* of a slot; the first one that writes come from */
	uint64_t unique;                 /* of what was written last */
	uint64_t claimed, claimed_end;   /* numbers taken, not yet begun */
	bool exhausted;                  /* there are no more */
	uint64_t latency[LOAD_OPS][REAP]; /* of this turn, in ns */
	unsigned n_latency[LOAD_OPS];
	uint64_t sampled;                /* when `user` and `system` were taken */
	struct shard shards[2];
	_Atomic(struct shard *) shard;
	uint64_t user_before, system_before; /* what was used before the test began */
	_Atomic uint64_t user, system;   /* ns since then, the thread's own word, a moment ago */
	unsigned begun[LOAD_OPS];        /* in flight */
	_Atomic unsigned in_flight[LOAD_OPS]; /* the same for others to see */
	atomic_bool ended;
	/* The collecting thread's: */
	struct shard *spare;
	uint64_t user_told, system_told;
};

struct run {
	struct work work;
	struct lane *lanes;
	size_t n_lanes;
	uint64_t begin;                  /* when the test began */
	pthread_mutex_t lock;            /* of what follows */
	pthread_cond_t changed;
	size_t waiting;                  /* workers that are ready, or failed to become so */
	bool go;
	struct notice notices[NOTICES];
	size_t n_notices;
	/* Of these every thread takes note by itself. */
	atomic_bool abandon;             /* what is in flight is given up */
	atomic_bool gone;                /* set with the lock: nobody waits any more, and the targets may not be there */
	_Atomic uint64_t session;        /* for what is written to be unlike anything else */
};

/* The thread's function; arg is the worker, with lane, depth and shard set. */
void *worker_main(void *arg);
/* For a worker whose thread does not exist. */
void worker_never_started(struct worker *w);
/* An event for the collecting thread to pass on; any thread. */
void run_notice(struct run *r, enum severity severity, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
