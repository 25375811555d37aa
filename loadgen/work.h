/* work: what one test does to its targets, and what came of it. Sizes in bytes, times as said.
 *
 * A test is one cell of a round (4 KiB, random, 0/100) or one preconditioning pass. It runs on all targets at once,
 * `threads` threads for each, and reports every interval of every target. */
#ifndef LOADGEN_WORK_H
#define LOADGEN_WORK_H

#include "base/diag.h"
#include "base/hist.h"

#include <signal.h>

enum load_op { LOAD_READ, LOAD_WRITE, LOAD_OPS };

/* ENGINE_AUTO: the first of the others that this kernel allows. What is used in the end stands in the target. */
enum load_engine { ENGINE_AUTO, ENGINE_IO_URING, ENGINE_LIBAIO, ENGINE_SYNC };

struct target {
	const char *path;
	int fd;
	bool block_device;
	bool direct;               /* O_DIRECT is in force */
	uint64_t size;             /* of the file or device */
	uint64_t first, length;    /* the active range: all I/O stays inside */
	enum load_engine engine;   /* in use */
	const char *engine_note;   /* what it could and could not use: "registered files and buffers" */
};

struct work {
	const char *name;          /* "4k-0/100" */
	size_t block;
	unsigned read_percent;     /* 0 … 100, of the I/Os */
	bool random;
	bool random_map;           /* random: every block of the range once before any comes again */
	unsigned iodepth, threads; /* per thread; per target */
	double seconds;            /* how long; 0: until `passes` */
	double passes;             /* how often the range is written or read as a whole; 0: until `seconds` */
	double ramp;               /* s at the start whose I/O is done but not counted */
	double rate;               /* I/Os per second and target, at fixed intended times; latency counts from them; 0: none */
	double interval;           /* s between reports */
	bool verify;               /* written blocks carry their place, generation and checksum; reads check them */
	uint64_t seed;             /* of offsets, mix and data */
	enum load_engine engine;   /* wanted */
};

struct tally {
	uint64_t ios, bytes, errors, corrupt; /* corrupt: blocks whose check failed */
	struct hist latency;       /* ns, of the I/Os that succeeded */
};

/* What one target did in one interval. */
struct interval {
	size_t target;
	double start, seconds;     /* since the test began; its length as measured */
	struct tally op[LOAD_OPS];
	double cpu_user, cpu_system; /* s, of the threads that work on this target */
};

/* Called from the thread that called work_run, in the order of time, targets in order. */
struct work_events {
	void *ctx;
	void (*interval)(void *ctx, const struct interval *v);
	void (*event)(void *ctx, enum severity severity, const char *message);
};

enum work_end { WORK_DONE, WORK_STOPPED, WORK_FAILED };

/* Opens path for the work: its size, O_DIRECT where the file system allows it. Files shorter than `size` are made that
 * long. False and a message in `error` (in the arena) when it can't be. Never writes data. */
bool target_open(struct arena *a, struct target *t, const char *path, uint64_t size, bool direct, bool writes,
	const char **error);
void target_close(struct target *t);

/* Runs the test to its end, or until *stop is set (then what was begun is finished and reported: WORK_STOPPED). A target
 * whose I/O fails is reported by an event and goes on; WORK_FAILED: nothing could be done at all. */
enum work_end work_run(const struct work *w, struct target *targets, size_t n, const volatile sig_atomic_t *stop,
	const struct work_events *events);

#endif
