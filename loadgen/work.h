/* work: what one test does to its targets, and what came of it. Sizes in bytes, times as said.
 *
 * A test is one cell of a round (4 KiB, random, 0/100) or one preconditioning pass. It runs on all targets at once,
 * `threads` threads for each, and reports every interval of every target. The threads of a target share one sequence of
 * I/Os: so a sequential test is one stream, and a pass is a pass, however many they are. */
#ifndef LOADGEN_WORK_H
#define LOADGEN_WORK_H

#include "base/diag.h"
#include "base/hist.h"

#include <signal.h>

enum load_op { LOAD_READ, LOAD_WRITE, LOAD_OPS };

/* ENGINE_AUTO: the first of the others that this kernel allows (libaio only where the I/O is direct: else it waits for
 * every I/O). What is used in the end stands in the target. */
enum load_engine { ENGINE_AUTO, ENGINE_IO_URING, ENGINE_LIBAIO, ENGINE_SYNC };

/* What written blocks held last, for targets whose tests verify: one byte for every 4096 of the target. */
struct verify;

enum { ENGINE_NOTE = 160 }; /* bytes that an engine has to say what it uses */

struct target {
	const char *path;
	int fd;
	bool block_device;
	bool direct;               /* O_DIRECT is in force */
	uint64_t size;             /* of the file or device */
	/* The active range: all I/O stays inside. What `length` has beyond a multiple of `align` (to verify, of 4096) is left
	 * out, and for random I/O beyond a multiple of the block; `first` must be a multiple of `align` (4096). */
	uint64_t first, length;
	uint32_t align;            /* offsets and sizes must be multiples of it; 1: anything goes */
	struct verify *verify;     /* NULL until a test verifies */
	/* Set by work_run: */
	enum load_engine engine;   /* in use */
	char engine_note[2 * ENGINE_NOTE + 2]; /* what it uses and could not use, and why not a better engine */
};

/* A share of the I/O goes to a share of the range. The zones lie one behind the other; both shares add up to 100. */
struct zone {
	double io_percent, range_percent;
};
enum { ZONES_MAX = 64 };

struct work {
	const char *name;          /* "4k-0/100" */
	size_t block;              /* verify: a multiple of 4096 */
	unsigned read_percent;     /* 0 … 100, of the I/Os */
	bool random;
	bool random_map;           /* random: every block of the range once before any comes again */
	const struct zone *zones;  /* random without map: n_zones of them, at most ZONES_MAX; 0: the whole range alike */
	size_t n_zones;
	unsigned iodepth, threads; /* per thread; per target */
	double seconds;            /* how long, after the ramp; 0: until `passes` */
	double passes;             /* how often the range is written or read as a whole; 0: until `seconds` */
	double ramp;               /* s at the start whose I/O is done but not counted */
	double rate;               /* I/Os per second and target, at fixed intended times; latency counts from them; 0: none */
	double interval;           /* s between reports, ≥ 0.001; the last one may be half as long again, or shorter */
	double patience;           /* s that I/Os in flight at the end are waited for, before they are given up; 0: 30 */
	bool verify;               /* written blocks carry their place, generation and checksum; reads check them */
	uint64_t seed;             /* of offsets and mix: the same seed gives the same I/Os in the same order */
	enum load_engine engine;   /* wanted: no other is used then, unless it is ENGINE_AUTO */
};

struct tally {
	uint64_t ios, bytes;       /* of the I/Os that succeeded, as a whole */
	uint64_t errors;           /* I/Os that failed, were cut short or never came back */
	uint64_t corrupt;          /* blocks of 4096 whose check failed; the I/O counts among the others all the same */
	struct hist latency;       /* ns, of the I/Os that succeeded */
};

/* What one target did in one interval. */
struct interval {
	size_t target;
	double start, seconds;     /* since the test began; its length as measured */
	struct tally op[LOAD_OPS];
	/* s, of the threads that work on this target; what the kernel does in threads of its own (io-wq, writeback) can't be
	 * told. With a rate, a thread stays awake for up to 50 us before each I/O, so as not to be late. */
	double cpu_user, cpu_system;
	uint64_t backlog;          /* with a rate: I/Os whose time has come but that could not be begun yet, at its end */
};

/* Called from the thread that called work_run, in the order of time, targets in order. */
struct work_events {
	void *ctx;
	void (*interval)(void *ctx, const struct interval *v);
	void (*event)(void *ctx, enum severity severity, const char *message);
};

enum work_end { WORK_DONE, WORK_STOPPED, WORK_FAILED };

/* Opens path for the work: its size, O_DIRECT where `direct` asks for it and the file system allows it. A file that is
 * missing or shorter than `size` is made that long (0: it is taken as long as it is); the active range is the first
 * `size` bytes, or all of it. A block device that is in use is refused when it would be written to. False and a message
 * in `error` (in the arena) when it can't be. Never writes data. */
bool target_open(struct arena *a, struct target *t, const char *path, uint64_t size, bool direct, bool writes,
	const char **error);
void target_close(struct target *t);

/* Runs the test to its end, or until *stop is set (then what was begun is finished and reported: WORK_STOPPED). A
 * target whose I/O fails is reported by an event and goes on; one without space left ends. WORK_FAILED: nothing could
 * be done at all, and an event has said why. A target that ends before the others has no further intervals. */
enum work_end work_run(const struct work *w, struct target *targets, size_t n, const volatile sig_atomic_t *stop,
	const struct work_events *events);

#endif
