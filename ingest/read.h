/* read: an input's bytes, with limits. */
#ifndef INGEST_READ_H
#define INGEST_READ_H

#include "base/slice.h"

#include <stdint.h>

/* Documents larger than this are not held in memory. Benchmark documents are far smaller; bulk logs are read by
 * formats that stream. */
#define READ_LIMIT (UINT64_C(256) << 20)

enum read_status {
	READ_OK,
	READ_TOO_LARGE, /* larger than the limit: `bytes` holds the first READ_HEAD bytes, for detection */
	READ_FAILED     /* errno says why */
};
enum { READ_HEAD = 64 << 10 };

/* A growing buffer that one reader uses again for every file. */
struct read_buffer {
	char *p;
	size_t cap;
};

/* Reads a whole regular file, or standard input when path is "-". *bytes points into the buffer. */
enum read_status read_file(struct read_buffer *b, const char *path, uint64_t limit, struct slice *bytes);
void read_buffer_free(struct read_buffer *b);

/* SHA-256 as 64 lower-case hex digits and a NUL. */
void sha256_hex(struct slice bytes, char out[static 65]);

#endif
