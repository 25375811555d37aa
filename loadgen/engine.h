/* engine: how I/Os reach the kernel and come back. One table of functions for each way; each belongs to one thread. */
#ifndef LOADGEN_ENGINE_H
#define LOADGEN_ENGINE_H

#include "loadgen/work.h"

struct engine_setup {
	int fd;
	unsigned depth;     /* I/Os in flight at most */
	void *memory;       /* that all data lie in; NULL: only to find out whether the engine can be used */
	size_t memory_size;
};

struct engine_io {
	enum load_op op;
	unsigned slot;      /* below depth, and free */
	void *data;
	size_t size;
	uint64_t offset;
};

struct engine_done {
	unsigned slot;
	int result;         /* bytes done, or -errno */
};

struct engine {
	enum load_engine kind;
	const char *name;   /* as the result file has it */
	bool blocking;      /* one I/O at a time: what makes a queue is threads */
	/* NULL and errno in *error when it can't be used here. `note` says what it could and could not use. */
	void *(*open)(const struct engine_setup *s, char note[static ENGINE_NOTE], int *error);
	/* Keeps it for the next turn. */
	void (*queue)(void *engine, const struct engine_io *io);
	/* Sends what is queued; waits up to `timeout` ns until something is done; returns how much of it is in `done`, or
	 * -errno when the engine itself fails. May return early with 0. */
	int (*turn)(void *engine, uint64_t timeout, struct engine_done *done, unsigned max);
	/* The time by which latencies are measured; NULL: clock_now. For tests. */
	uint64_t (*now)(void *engine);
	/* hung: I/Os are still in flight and won't be waited for. */
	void (*close)(void *engine, bool hung);
};

extern const struct engine engine_uring, engine_aio, engine_sync;

/* As work_run, which chooses among those three in this order: with these n engines. */
enum work_end work_run_on(const struct engine *const *engines, size_t n_engines, const struct work *w,
	struct target *targets, size_t n, const volatile sig_atomic_t *stop, const struct work_events *events);

/* ns, from some moment before the program began. */
uint64_t clock_now(void);

#endif
