/* libaio: the kernel's older interface, for where io_uring is not allowed. Asynchronous only with direct I/O. */
#include "loadgen/engine.h"

#include <errno.h>
#include <libaio.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct aio {
	io_context_t context;
	int fd;
	unsigned depth, queued;
	struct iocb **queue;     /* the first `queued` are to be sent */
	struct iocb *io;         /* by slot */
	struct io_event *events;
};

static void *aio_open(const struct engine_setup *s, char note[static ENGINE_NOTE], int *error)
{
	struct aio *e = mem_alloc(sizeof *e);
	*e = (struct aio){ .fd = s->fd, .depth = s->depth };
	*error = -io_setup((int)s->depth, &e->context);
	if (*error) {
		free(e);
		return NULL;
	}
	e->queue = mem_alloc(s->depth * sizeof *e->queue);
	e->io = mem_alloc(s->depth * sizeof *e->io);
	e->events = mem_alloc(s->depth * sizeof *e->events);
	snprintf(note, ENGINE_NOTE, "nothing registered");
	return e;
}

static void aio_queue(void *engine, const struct engine_io *io)
{
	struct aio *e = engine;
	struct iocb *cb = &e->io[io->slot];
	if (io->op == LOAD_READ)
		io_prep_pread(cb, e->fd, io->data, io->size, (long long)io->offset);
	else
		io_prep_pwrite(cb, e->fd, io->data, io->size, (long long)io->offset);
	e->queue[e->queued++] = cb;
}

/* Sends what the kernel takes. An I/O that it refuses outright is done, with that error. */
static unsigned send_queued(struct aio *e, struct engine_done *done, unsigned max, int *error)
{
	unsigned refused = 0, first = 0;
	*error = 0;
	while (first < e->queued && refused < max) {
		int n = io_submit(e->context, (long)(e->queued - first), e->queue + first);
		if (n > 0) {
			first += (unsigned)n;
		} else if (n == -EAGAIN || n == -EINTR || n == 0) {
			break;
		} else if (n == -ENOSYS || n == -EPERM) {
			*error = n;
			break;
		} else {
			done[refused++] = (struct engine_done){ (unsigned)(e->queue[first++] - e->io), n };
		}
	}
	e->queued -= first;
	memmove(e->queue, e->queue + first, e->queued * sizeof *e->queue);
	return refused;
}

static int aio_turn(void *engine, uint64_t timeout, struct engine_done *done, unsigned max)
{
	struct aio *e = engine;
	int error;
	unsigned n = send_queued(e, done, max, &error);
	if (error)
		return error;
	struct timespec t = { (time_t)(timeout / 1000000000), (long)(timeout % 1000000000) };
	if (n > 0)
		t = (struct timespec){ 0, 0 };
	unsigned room = max - n < e->depth ? max - n : e->depth;
	int got = io_getevents(e->context, t.tv_sec || t.tv_nsec ? 1 : 0, room, e->events, &t);
	if (got < 0 && got != -EINTR)
		return got;
	for (int i = 0; i < got; i++)
		done[n++] = (struct engine_done){ (unsigned)(e->events[i].obj - e->io), (int)(long)e->events[i].res };
	return (int)n;
}

/* io_destroy would wait for what never comes back. */
static void aio_close(void *engine, bool hung)
{
	struct aio *e = engine;
	if (hung)
		return;
	io_destroy(e->context);
	free(e->queue);
	free(e->io);
	free(e->events);
	free(e);
}

const struct engine engine_aio = { .kind = ENGINE_LIBAIO, .name = "libaio", .open = aio_open, .queue = aio_queue,
	.turn = aio_turn, .close = aio_close };
