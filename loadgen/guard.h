/* guard: whether load may be put on a target. Finding facts and judging them are two steps, so that the judgement can
 * be tested with every fact. What can't be found out counts against the target. */
#ifndef LOADGEN_GUARD_H
#define LOADGEN_GUARD_H

#include "base/arena.h"

#include <stdint.h>
#include <sys/types.h>

enum guard_kind { GUARD_MISSING, GUARD_FILE, GUARD_BLOCK, GUARD_OTHER };

struct guard_facts {
	enum guard_kind kind;
	const char *path;    /* as given */
	const char *real;    /* links resolved; of a missing file those of its directory */
	const char *other;   /* of GUARD_OTHER: "is a directory" */
	uint64_t size;       /* B */
	dev_t device;        /* of a block device its number, of a file that of the file system it lies on */
	ino_t inode;
	/* Sentence parts, NULL when there is nothing to say. */
	const char *use;     /* "is mounted on /data", "its partition sda1 is used as swap" */
	const char *content; /* "holds an ext4 file system" */
	const char *doubt;   /* "can't be looked into: Permission denied" */
};

/* What whoever calls has agreed to. */
struct guard_consent {
	bool use_existing;           /* files that exist already may be overwritten */
	bool sized;                  /* a size is known for files to be made */
	const char *const *destroy;  /* block devices whose data may be destroyed, by their real names */
	size_t n_destroy;
};

struct guard_facts guard_look(struct arena *a, const char *path);
/* NULL when the target may be used, else why not and what to do: "PATH: …" (in the arena). */
const char *guard_verdict(struct arena *a, const struct guard_facts *f, const struct guard_consent *c);
/* Whether an open file is what was looked at. */
bool guard_same(const struct guard_facts *f, int fd);

/* For guard_look, and tests. Each text is that of the file in /proc; NULL when the device or file is not in it. */
/* Where a device is mounted: by its number, or by the device that the line names as source (file systems over several
 * devices have a number of their own). */
const char *guard_mount_point(struct arena *a, struct slice mountinfo, dev_t device);
/* The swap area that is this device, or the file with this device and inode. */
bool guard_is_swap(struct arena *a, struct slice swaps, bool block, dev_t device, ino_t inode);
/* "holds an ext4 file system", by libblkid; NULL when nothing is recognised. False, with errno, when it can't look. */
bool guard_content(struct arena *a, int fd, const char **content);

#endif
