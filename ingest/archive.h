/* archive: the members of tar, zip, 7z and cpio files, through gzip, xz, bzip2 and zstd, as a stream. Nothing is written
 * to disk, so a member's name can't lead anywhere. */
#ifndef INGEST_ARCHIVE_H
#define INGEST_ARCHIVE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/feed.h"

/* What a decompression bomb may cost: an archive is read up to a thousand times its own size and ARCHIVE_FLOOR. */
enum { ARCHIVE_RATIO = 1000 };
#define ARCHIVE_FLOOR (UINT64_C(1) << 30)

/* Whether the first bytes of a file are those of an archive or a compressed file. */
bool archive_is(struct slice head);

/* A member's path inside (a single compressed file has one member, named like the archive without its ending), and its
 * bytes, to be read during the call; what is not read is skipped. */
typedef void archive_member(void *ctx, const char *name, struct feed *feed);

/* Calls `member` for each regular file, in the archive's order. The archive is the file at `path`, or `whole` where that
 * has bytes. False, after what is intact was handed out, when it is damaged or refused: *problem says why. */
bool archive_each(const char *path, struct slice whole, archive_member *member, void *ctx, struct buf *problem);

#endif
