/* memory: what the files of `assay-load memory` share: STREAM's four kernels and how large their arrays must be. */
#ifndef LOADGEN_MEMORY_H
#define LOADGEN_MEMORY_H

#include "base/arena.h"

#include <sched.h>
#include <signal.h>
#include <stdint.h>

/* copy c = a, scale b = s c, add c = a + b, triad a = b + s c: s is 3 (McCalpin's stream.c). */
enum memory_kernel { MEMORY_COPY, MEMORY_SCALE, MEMORY_ADD, MEMORY_TRIAD, MEMORY_KERNELS };

struct memory_kernel_name {
	const char *name;
	unsigned counted; /* B for each element: what is read and written by the program, as STREAM counts */
};
extern const struct memory_kernel_name memory_kernels[MEMORY_KERNELS];

/* to[i] from x[i] and y[i] (where it needs it), n a multiple of MEMORY_STEP, all aligned to 64 B. */
typedef void memory_run(double *to, const double *x, const double *y, size_t n);
enum { MEMORY_STEP = 8 };

struct memory_code {
	const char *vector;  /* "avx", "sse2", "none" */
	bool streaming;      /* stores pass the caches by */
	memory_run *run[MEMORY_KERNELS];
};
/* The widest that this processor has, or the one of that name; NULL: there is none. */
const struct memory_code *memory_code(const char *vector, bool streaming);

/* The last-level caches of these CPUs together, B: of each its highest level, shared ones once. `root`:
 * /sys/devices/system/cpu. 0: not known. */
uint64_t memory_caches(struct arena *a, const char *root, const cpu_set_t *cpus);

struct memory_plan {
	const struct memory_code *code;
	cpu_set_t cpus;          /* thread i runs on the i-th of them */
	unsigned threads;
	size_t elements;         /* of each of the three arrays; a multiple of MEMORY_STEP */
	unsigned repetitions;    /* the first one is not counted, as by STREAM */
};

struct memory_times {
	double min, mean, max;   /* s; NAN: none counted */
};

struct memory_outcome {
	struct memory_times kernel[MEMORY_KERNELS];
	unsigned counted;        /* repetitions behind them */
	double error;            /* the mean relative error of the array where it is largest */
	bool valid;              /* it is at most MEMORY_ERROR_ALLOWED */
	unsigned unpinned;       /* threads that could not be tied to their CPU */
	bool stopped;
};
#define MEMORY_ERROR_ALLOWED 1e-13

/* False and a message in *error (static) when there is no memory or no thread for it. */
bool memory_measure(const struct memory_plan *plan, const volatile sig_atomic_t *stop, struct memory_outcome *out,
	const char **error);

#endif
