/* workers: threads that read files ahead of the loader. The loader takes what they made of them in the order of the walk, so
 * that the outcome is the same as without them. For ingest/load.c only. */
#ifndef INGEST_WORKERS_H
#define INGEST_WORKERS_H

#include "ingest/load.h"
#include "ingest/walk.h"

/* Starts l->threads threads; NULL when there can be none. */
struct workers *workers_new(struct load *l);
/* What the walk comes by, in order. Returns where it says what it finds from here on (struct walk.diags). */
struct diags *workers_diags(struct workers *w);
struct diags *workers_file(struct workers *w, const struct walk_item *item, struct slice subject);
struct diags *workers_directory_done(struct workers *w);
/* Waits until everything is taken, and ends the threads. */
void workers_finish(struct workers *w);

/* What a loader that reads a single file apart from the others leaves undone. */
struct load_apart {
	bool left;               /* the file itself: it is an archive */
	struct slice jobs_bytes; /* for jobs_take; or none */
};

/* The steps of the loader for a file of the walk: before it, reading it into l->dataset, or appending what a loader apart
 * has read, and after it. */
void load_begin(struct load *l, const struct walk_item *item, struct slice subject);
void load_file(struct load *l, const struct walk_item *item);
void load_append(struct load *l, struct load *from);
void load_end(struct load *l);
void load_directory_done(struct load *l);

#endif
