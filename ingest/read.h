/* read: an input's bytes, with limits. */
#ifndef INGEST_READ_H
#define INGEST_READ_H

#include "base/feed.h"

#include <nettle/sha2.h>

/* Documents larger than this are not held in memory. Benchmark documents are far smaller; bulk logs are read by
 * formats that stream. */
#define READ_LIMIT (UINT64_C(256) << 20)

enum read_status {
	READ_OK,
	READ_TOO_LARGE, /* larger than the limit: the buffer holds its first bytes */
	READ_FAILED     /* the feed has failed; of a file, errno says why */
};
/* The first bytes of an input, for detection. */
enum { READ_HEAD = 64 << 10 };

/* A growing buffer that one reader uses again for every file. */
struct read_buffer {
	char *p;
	size_t cap;
	size_t n; /* bytes of the present input */
};

/* A regular file, or standard input when path is "-". */
struct read_file {
	struct feed feed;
	int fd;        /* -1: can't be opened, errno says why */
	uint64_t size; /* of a regular file; else 0 */
};
struct read_file read_open(const char *path);
void read_close(struct read_file *f);

/* The first READ_HEAD bytes, or fewer when there are no more, into an emptied buffer. */
enum read_status read_head(struct read_buffer *b, struct feed *f);
/* What comes behind them. `size`: how long the whole is said to be; 0: not known. */
enum read_status read_rest(struct read_buffer *b, struct feed *f, uint64_t size, uint64_t limit);
struct slice read_bytes(const struct read_buffer *b);

void read_buffer_free(struct read_buffer *b);

/* What is read through it is counted and, if wanted, hashed. */
struct read_counter {
	struct feed feed;
	struct feed *inner;
	uint64_t n;
	bool hashing;
	struct sha256_ctx hash;
};
struct read_counter read_counter_of(struct feed *inner, bool hashing);
/* SHA-256 as 64 lower-case hex digits and a NUL; of what was read so far, once. */
void read_counter_hex(struct read_counter *c, char out[static 65]);
void sha256_hex(struct slice bytes, char out[static 65]);

#endif
