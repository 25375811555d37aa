#define _GNU_SOURCE /* O_DIRECT, O_NOATIME, fallocate */
#include "loadgen/block.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

static bool failed(struct arena *a, const char *path, const char *what, const char **error)
{
	*error = arena_printf(a, "%s: %s: %s", path, what, strerror(errno));
	return false;
}

/* Reads are not to be noted in the file, where that may be asked for: only of one's own. */
static int open_quietly(const char *path, int flags)
{
	int fd = open(path, flags | O_NOATIME, 0666);
	return fd < 0 && errno == EPERM ? open(path, flags, 0666) : fd;
}

/* Some file systems say no to O_DIRECT only by refusing to open. */
static int open_either(const char *path, int flags, bool *direct)
{
	int fd = open_quietly(path, flags | (*direct ? O_DIRECT : 0));
	if (fd < 0 && errno == EINVAL && *direct) {
		*direct = false;
		fd = open_quietly(path, flags);
	}
	return fd;
}

/* Reserves the blocks where that can be done without writing: a test must not be about their allocation. */
static bool make_long(struct arena *a, struct target *t, uint64_t size, const char **error)
{
	if (fallocate(t->fd, 0, 0, (off_t)size) != 0) {
		if (errno != EOPNOTSUPP && errno != ENOSYS)
			return failed(a, t->path, "can't be made as long as asked", error);
		if (ftruncate(t->fd, (off_t)size) != 0)
			return failed(a, t->path, "can't be made as long as asked", error);
	}
	t->size = size;
	return true;
}

static bool measure_device(struct arena *a, struct target *t, const char **error)
{
	int logical = 0;
	t->block_device = true;
	if (ioctl(t->fd, BLKGETSIZE64, &t->size) != 0 || ioctl(t->fd, BLKSSZGET, &logical) != 0)
		return failed(a, t->path, "does not tell its size", error);
	t->align = t->direct && logical > 0 ? (uint32_t)logical : 1;
	return true;
}

/* What direct I/O to a file must be aligned to: the file system's word where the kernel passes it on (Linux 6.1), else
 * its block size, which is always enough. */
static uint32_t file_align(int fd, const struct stat *st)
{
#ifdef STATX_DIOALIGN
	struct statx x;
	if (statx(fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &x) == 0 && (x.stx_mask & STATX_DIOALIGN) && x.stx_dio_offset_align)
		return x.stx_dio_offset_align;
#else
	(void)fd;
#endif
	return st->st_blksize > 0 ? (uint32_t)st->st_blksize : 4096;
}

static bool measure(struct arena *a, struct target *t, uint64_t size, const char **error)
{
	struct stat st;
	if (fstat(t->fd, &st) != 0)
		return failed(a, t->path, "can't be looked at", error);
	if (S_ISBLK(st.st_mode))
		return measure_device(a, t, error);
	if (!S_ISREG(st.st_mode)) {
		*error = arena_printf(a, "%s: is neither a file nor a block device", t->path);
		return false;
	}
	t->size = (uint64_t)st.st_size;
	t->align = t->direct ? file_align(t->fd, &st) : 1;
	return t->size >= size || make_long(a, t, size, error);
}

/* A file that is only read may still have to be made longer. */
static int open_target(const char *path, uint64_t size, bool writes, bool *direct)
{
	struct stat st;
	bool there = stat(path, &st) == 0;
	int flags = O_CLOEXEC;
	if (there && S_ISBLK(st.st_mode))
		flags |= writes ? O_RDWR | O_EXCL : O_RDONLY;
	else if (writes || (size > 0 && (!there || (uint64_t)st.st_size < size)))
		flags |= O_RDWR | (size > 0 ? O_CREAT : 0) | O_NONBLOCK; /* a FIFO has nobody at its other end */
	else
		flags |= O_RDONLY | O_NONBLOCK;
	return open_either(path, flags, direct);
}

bool target_open(struct arena *a, struct target *t, const char *path, uint64_t size, bool direct, bool writes,
	const char **error)
{
	*t = (struct target){ .path = path, .direct = direct };
	if (size > INT64_MAX) {
		*error = arena_printf(a, "%s: can't be %" PRIu64 " bytes long", path, size);
		return false;
	}
	t->fd = open_target(path, size, writes, &t->direct);
	if (t->fd < 0)
		return failed(a, path, "can't be opened", error);
	bool good = measure(a, t, size, error);
	if (good && t->size < size) {
		*error = arena_printf(a, "%s: has only %" PRIu64 " of %" PRIu64 " bytes", path, t->size, size);
		good = false;
	}
	if (good && t->size == 0) {
		*error = arena_printf(a, "%s: is empty, and no size was given", path);
		good = false;
	}
	int flags = good ? fcntl(t->fd, F_GETFL) : -1; /* with O_NONBLOCK io_uring might only try */
	if (good && (flags < 0 || fcntl(t->fd, F_SETFL, flags & ~O_NONBLOCK) != 0))
		good = failed(a, path, "can't be set up", error);
	t->length = size ? size : t->size;
	if (!good)
		target_close(t);
	return good;
}

void target_close(struct target *t)
{
	verify_free(t->verify);
	t->verify = NULL;
	if (t->fd >= 0)
		close(t->fd);
	t->fd = -1;
}
