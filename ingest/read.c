#include "ingest/read.h"

#include "base/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static bool read_some(int fd, char *p, size_t n, size_t *got)
{
	ssize_t r;
	do
		r = read(fd, p, n);
	while (r < 0 && errno == EINTR);
	*got = r > 0 ? (size_t)r : 0;
	return r >= 0;
}

static void reserve(struct read_buffer *b, size_t size)
{
	if (b->cap < size) {
		b->cap = size;
		b->p = mem_resize(b->p, size);
	}
}

enum read_status read_file(struct read_buffer *b, const char *path, uint64_t limit, struct slice *bytes)
{
	bool is_stdin = strcmp(path, "-") == 0;
	int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return READ_FAILED;
	enum read_status status = READ_OK;
	struct stat st;
	if (!is_stdin && fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
		/* A huge (perhaps sparse) file is known for one before it is read: its head is enough to name it. */
		if ((uint64_t)st.st_size > limit)
			limit = 0;
		else
			reserve(b, (size_t)st.st_size + READ_HEAD + 1);
	}
	size_t n = 0, got = 1;
	while (got > 0) {
		if (b->cap - n < READ_HEAD)
			reserve(b, b->cap ? b->cap * 2 : 4 * READ_HEAD);
		if (!read_some(fd, b->p + n, b->cap - n, &got)) {
			status = READ_FAILED;
			break;
		}
		n += got;
		if (n > limit) {
			status = READ_TOO_LARGE;
			break;
		}
	}
	int error = errno;
	if (!is_stdin)
		close(fd);
	errno = error;
	*bytes = (struct slice){ b->p, status == READ_TOO_LARGE && n > READ_HEAD ? READ_HEAD : n };
	return status;
}

void read_buffer_free(struct read_buffer *b)
{
	free(b->p);
	*b = (struct read_buffer){ 0 };
}

void sha256_hex(struct slice bytes, char out[static 65])
{
	struct sha256_ctx ctx;
	uint8_t digest[SHA256_DIGEST_SIZE];
	sha256_init(&ctx);
	sha256_update(&ctx, bytes.n, (const uint8_t *)bytes.p);
	sha256_digest(&ctx, sizeof digest, digest);
	for (size_t i = 0; i < sizeof digest; i++)
		snprintf(out + 2 * i, 3, "%02x", digest[i]);
}
