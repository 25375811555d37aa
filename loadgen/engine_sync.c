/* pread and pwrite: what works everywhere. One I/O at a time. */
#include "loadgen/engine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct sync {
	int fd;
	bool queued;
	struct engine_io io;
};

static void *sync_open(const struct engine_setup *s, char note[static ENGINE_NOTE], int *error)
{
	struct sync *e = mem_alloc(sizeof *e);
	*e = (struct sync){ .fd = s->fd };
	*error = 0;
	snprintf(note, ENGINE_NOTE, "pread and pwrite, a thread for each I/O in flight");
	return e;
}

static void sync_queue(void *engine, const struct engine_io *io)
{
	struct sync *e = engine;
	e->io = *io;
	e->queued = true;
}

static int sync_turn(void *engine, uint64_t timeout, struct engine_done *done, unsigned max)
{
	struct sync *e = engine;
	if (!e->queued || max == 0) {
		struct timespec t = { (time_t)(timeout / 1000000000), (long)(timeout % 1000000000) };
		if (timeout > 0)
			nanosleep(&t, NULL);
		return 0;
	}
	e->queued = false;
	ssize_t n;
	do
		n = e->io.op == LOAD_READ ? pread(e->fd, e->io.data, e->io.size, (off_t)e->io.offset)
			: pwrite(e->fd, e->io.data, e->io.size, (off_t)e->io.offset);
	while (n < 0 && errno == EINTR);
	done[0] = (struct engine_done){ e->io.slot, n < 0 ? -errno : (int)n };
	return 1;
}

static void sync_close(void *engine, bool hung)
{
	(void)hung;
	free(engine);
}

const struct engine engine_sync = { .kind = ENGINE_SYNC, .name = "sync", .blocking = true, .open = sync_open,
	.queue = sync_queue, .turn = sync_turn, .close = sync_close };
