#define _XOPEN_SOURCE 700 /* realpath */
#include "report/output.h"

#include "base/buf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES = 100 };

bool output_put(int fd, struct slice bytes)
{
	while (bytes.n) {
		ssize_t n = write(fd, bytes.p, bytes.n);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		bytes = slice_from(bytes, (size_t)n);
	}
	return true;
}

static bool write_directly(const char *path, struct slice bytes)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	bool ok = output_put(fd, bytes);
	int error = errno;
	if (close(fd) != 0 && ok)
		return false;
	errno = error;
	return ok;
}

/* The name is safe only when it is on the disk, too. A file system that can't sync a directory has done what it can. */
static void sync_directory(const char *path)
{
	struct buf dir = BUF_EMPTY;
	const char *slash = strrchr(path, '/');
	buf_put(&dir, path, slash ? (size_t)(slash - path) : 0);
	int fd = open(slash ? (dir.n ? dir.p : "/") : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
	buf_free(&dir);
}

/* A new file beside `path`; the name goes to *temp. */
static int open_beside(const char *path, struct buf *temp)
{
	for (unsigned i = 0; i < TRIES; i++) {
		buf_clear(temp);
		buf_printf(temp, "%s.%ld.%u", path, (long)getpid(), i);
		int fd = open(temp->p, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
	return -1;
}

/* `like`: whose permissions it takes; NULL: those of any new file. */
static bool replace(const char *path, struct slice bytes, const struct stat *like)
{
	struct buf temp = BUF_EMPTY;
	int fd = open_beside(path, &temp);
	bool ok =
		fd >= 0 && output_put(fd, bytes) && (!like || fchmod(fd, like->st_mode & 07777) == 0) && fsync(fd) == 0;
	int error = errno;
	if (fd >= 0 && close(fd) != 0 && ok) {
		error = errno;
		ok = false;
	}
	if (ok && rename(temp.p, path) != 0) {
		error = errno;
		ok = false;
	}
	if (fd >= 0 && !ok)
		unlink(temp.p);
	if (ok)
		sync_directory(path);
	buf_free(&temp);
	errno = error;
	return ok;
}

bool output_write(const char *path, struct slice bytes)
{
	if (strcmp(path, "-") == 0)
		return output_put(STDOUT_FILENO, bytes);
	struct stat st;
	if (stat(path, &st) == 0) {
		if (!S_ISREG(st.st_mode))
			return write_directly(path, bytes);
		/* A link keeps pointing where it points: its target is what is replaced. */
		char *target = realpath(path, NULL);
		if (!target)
			return false;
		bool ok = replace(target, bytes, &st);
		int error = errno;
		free(target);
		errno = error;
		return ok;
	}
	return errno == ENOENT && replace(path, bytes, NULL);
}
