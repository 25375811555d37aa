/* host: facts of this machine, each read from where the kernel tells it, and left out where it can't be read. */
#ifndef LOADGEN_HOST_H
#define LOADGEN_HOST_H

#include "base/arena.h"

#include <stdint.h>
#include <sys/types.h>

struct host {
	const char *cpu;        /* the processor's name */
	unsigned cpus;          /* that this program may run on */
	unsigned numa_nodes;
	uint64_t memory;        /* B; 0: not known */
	const char *kernel, *os;
	const char *name;       /* of the machine; only when asked for */
};

struct host host_facts(struct arena *a, bool name);
/* B that can be had without swapping; 0: not known. */
uint64_t host_memory_available(struct arena *a);

/* The block device that a file lies on, or is. Strings NULL and numbers 0 where they can't be read. */
struct device {
	const char *name;       /* "nvme0n1": the whole device, not its partition; NULL: none is known */
	const char *model, *firmware, *scheduler, *write_cache;
	int rotational;         /* 1, 0; -1 not known */
	uint64_t logical_block, physical_block;
};

struct device device_facts(struct arena *a, dev_t number);

/* The first line of a small file without its end, NULL when it can't be read or is empty. */
const char *host_line(struct arena *a, const char *path);

#endif
