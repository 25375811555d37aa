#include "report/output.h"

#include "base/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static bool write_all(int fd, struct slice bytes)
{
	while (bytes.n) {
		ssize_t n = write(fd, bytes.p, bytes.n);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		bytes = slice_from(bytes, (size_t)n);
	}
	return fsync(fd) == 0 || errno == EINVAL || errno == EROFS;
}

/* Devices and pipes (/dev/stdout, /dev/null) can't be renamed over: they are written as they are. */
static bool write_in_place(const char *path, struct slice bytes)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return false;
	bool ok = write_all(fd, bytes);
	int why = errno;
	if (close(fd) != 0 && ok)
		return false;
	errno = why;
	return ok;
}

static mode_t new_file_mode(const char *path)
{
	struct stat st;
	if (stat(path, &st) == 0)
		return st.st_mode & 0777;
	mode_t mask = umask(0);
	umask(mask);
	return 0666 & ~mask;
}

bool output_write(const char *path, struct slice bytes, const char **error)
{
	struct arena a = ARENA_EMPTY;
	struct stat st;
	bool ok = false;
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)) {
		ok = write_in_place(path, bytes);
		*error = strerror(errno);
		return ok;
	}
	char *temp = (char *)arena_printf(&a, "%s.XXXXXX", path);
	int fd = mkstemp(temp);
	if (fd >= 0) {
		ok = write_all(fd, bytes) && fchmod(fd, new_file_mode(path)) == 0;
		int why = errno;
		ok = (close(fd) == 0) && ok;
		if (ok && rename(temp, path) != 0) {
			why = errno;
			ok = false;
		}
		if (!ok)
			unlink(temp);
		errno = why;
	}
	*error = strerror(errno);
	arena_free(&a);
	return ok;
}
