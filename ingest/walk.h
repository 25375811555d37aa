/* walk: every input behind the paths that a user gave, in a fixed order. */
#ifndef INGEST_WALK_H
#define INGEST_WALK_H

#include "base/diag.h"

/* One input. name is how diagnostics and the source column call it: the path as the user would write it. */
struct walk_item {
	const char *name;
	const char *directory; /* the directory it was found in while walking; NULL for a path given as such */
	bool is_stdin;
};

struct walk {
	/* Called for each file, sorted bytewise by name within a directory, files before sub-directories. */
	void (*file)(void *ctx, const struct walk_item *item);
	/* Called when the files directly in a directory are done. */
	void (*directory_done)(void *ctx, const char *directory);
	void *ctx;
	struct diags *diags;
	size_t unreadable; /* directories and special files that could not be read; each has a diagnostic */
};

/* A file, a directory, or "-". Directories are walked to WALK_DEPTH; symbolic links to directories found inside are
 * not followed (a note says so), nor are FIFOs, sockets and devices opened. */
enum { WALK_DEPTH = 64 };
void walk_path(struct walk *w, const char *path);

#endif
