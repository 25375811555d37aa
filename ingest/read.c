#include "ingest/read.h"

#include "base/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static size_t read_fd(struct feed *f, char *into, size_t size)
{
	struct read_file *file = (struct read_file *)f;
	ssize_t got;
	do
		got = read(file->fd, into, size);
	while (got < 0 && errno == EINTR);
	f->failed = got < 0;
	return got > 0 ? (size_t)got : 0;
}

struct read_file read_open(const char *path)
{
	bool is_stdin = strcmp(path, "-") == 0;
	struct read_file f = { .feed = { .read = read_fd } };
	struct stat st;
	f.fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	f.feed.failed = f.fd < 0;
	if (!is_stdin && f.fd >= 0 && fstat(f.fd, &st) == 0 && S_ISREG(st.st_mode))
		f.size = (uint64_t)st.st_size;
	return f;
}

void read_close(struct read_file *f)
{
	int error = errno;
	if (f->fd > STDIN_FILENO)
		close(f->fd);
	errno = error;
}

static void reserve(struct read_buffer *b, size_t size)
{
	if (b->cap < size) {
		b->cap = size;
		b->p = mem_resize(b->p, size);
	}
}

enum read_status read_head(struct read_buffer *b, struct feed *f)
{
	reserve(b, READ_HEAD);
	b->n = feed_fill(f, b->p, READ_HEAD);
	return f->failed ? READ_FAILED : READ_OK;
}

enum read_status read_rest(struct read_buffer *b, struct feed *f, uint64_t size, uint64_t limit)
{
	/* A huge (perhaps sparse) file is known for one before it is read. */
	if (size > limit)
		return READ_TOO_LARGE;
	if (b->n < READ_HEAD)
		return READ_OK;
	reserve(b, (size_t)size + 1);
	for (size_t got = 1; got > 0; b->n += got) {
		if (b->n > limit)
			return READ_TOO_LARGE;
		if (b->cap == b->n)
			reserve(b, b->cap * 2);
		got = f->read(f, b->p + b->n, b->cap - b->n);
	}
	return f->failed ? READ_FAILED : READ_OK;
}

struct slice read_bytes(const struct read_buffer *b)
{
	return (struct slice){ b->p, b->n };
}

void read_buffer_free(struct read_buffer *b)
{
	free(b->p);
	*b = (struct read_buffer){ 0 };
}

static size_t read_counted(struct feed *f, char *into, size_t size)
{
	struct read_counter *c = (struct read_counter *)f;
	size_t n = c->inner->read(c->inner, into, size);
	f->failed = c->inner->failed;
	c->n += n;
	if (c->hashing)
		sha256_update(&c->hash, n, (const uint8_t *)into);
	return n;
}

struct read_counter read_counter_of(struct feed *inner, bool hashing)
{
	struct read_counter c = { .feed = { .read = read_counted }, .inner = inner, .hashing = hashing };
	sha256_init(&c.hash);
	return c;
}

static void hex_of(struct sha256_ctx *hash, char out[static 65])
{
	uint8_t digest[SHA256_DIGEST_SIZE];
	sha256_digest(hash, sizeof digest, digest);
	for (size_t i = 0; i < sizeof digest; i++)
		snprintf(out + 2 * i, 3, "%02x", digest[i]);
}

void read_counter_hex(struct read_counter *c, char out[static 65])
{
	hex_of(&c->hash, out);
}

void sha256_hex(struct slice bytes, char out[static 65])
{
	struct sha256_ctx hash;
	sha256_init(&hash);
	sha256_update(&hash, bytes.n, (const uint8_t *)bytes.p);
	hex_of(&hash, out);
}
