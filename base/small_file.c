#include "base/small_file.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum { SIZE_LIMIT = 1 << 20, PIECE = 1 << 14 };

/* Up to one byte more than the limit. False, with errno, when it can't be read. */
static bool read_into(struct buf *b, int fd)
{
	char piece[PIECE];
	ssize_t got = 1;
	while (got != 0 && b->n <= SIZE_LIMIT) {
		got = read(fd, piece, sizeof piece);
		if (got < 0 && errno != EINTR)
			return false;
		if (got > 0)
			buf_put(b, piece, (size_t)got);
	}
	return true;
}

struct source *small_file_read(struct arena *a, const char *path, const char *what, struct diags *diags)
{
	struct source *s = ARENA_NEW(a, struct source);
	struct pos pos = { .source = s };
	struct buf b = BUF_EMPTY;
	bool is_stdin = strcmp(path, "-") == 0;
	int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	*s = source_of(arena_string(a, slice_of(path)), SLICE_NONE);
	if (fd < 0 || !read_into(&b, fd))
		diag_add(diags, DIAG_ERROR, pos, "can't be read: %s", strerror(errno));
	else if (b.n > SIZE_LIMIT)
		diag_add(diags, DIAG_ERROR, pos, "is larger than 1 MiB: this is not %s", what);
	else
		s->data = arena_copy(a, buf_view(&b));
	if (fd >= 0 && !is_stdin)
		close(fd);
	buf_free(&b);
	return s->data.p ? s : NULL;
}
