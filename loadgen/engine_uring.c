/* io_uring: one ring for each thread, that nobody else touches. Whatever the kernel is too old for, or forbids, is left
 * out and said. */
#define _GNU_SOURCE /* liburing.h */
#include "loadgen/engine.h"

#include <liburing.h>
#include <stdio.h>
#include <stdlib.h>

struct uring {
	struct io_uring ring;
	int fd;
	bool files, buffers; /* registered */
};

/* Newest first: Linux 6.1, 6.0, 5.19, 5.1. */
static const struct {
	unsigned flags;
	const char *text;
} modes[] = {
	{ IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN, "single issuer, deferred task work" },
	{ IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_COOP_TASKRUN, "single issuer, cooperative task work" },
	{ IORING_SETUP_COOP_TASKRUN, "cooperative task work" },
	{ 0, "plain ring" },
};

static void *uring_open(const struct engine_setup *s, char note[static ENGINE_NOTE], int *error)
{
	struct uring *e = mem_alloc(sizeof *e);
	size_t mode = 0;
	*e = (struct uring){ .fd = s->fd };
	do
		*error = -io_uring_queue_init(s->depth, &e->ring, modes[mode].flags | IORING_SETUP_CLAMP);
	while (*error == EINVAL && ++mode < sizeof modes / sizeof *modes);
	if (*error) {
		free(e);
		return NULL;
	}
	bool ring = io_uring_register_ring_fd(&e->ring) == 1;
	e->files = io_uring_register_files(&e->ring, &s->fd, 1) == 0;
	struct iovec memory = { s->memory, s->memory_size };
	int refused = s->memory ? -io_uring_register_buffers(&e->ring, &memory, 1) : 0;
	e->buffers = s->memory && !refused;
	snprintf(note, ENGINE_NOTE, "%s; registered:%s%s%s%s%s%s", modes[mode].text, ring ? " ring" : "",
		e->files ? " files" : "", e->buffers ? " buffers" : "", ring || e->files || e->buffers ? "" : " nothing",
		refused ? "; buffers not: " : "", refused ? strerror(refused) : "");
	return e;
}

static void uring_queue(void *engine, const struct engine_io *io)
{
	struct uring *e = engine;
	/* Never NULL: no more than `depth` are queued, and the ring has at least so many entries. */
	struct io_uring_sqe *sqe = io_uring_get_sqe(&e->ring);
	int fd = e->files ? 0 : e->fd;
	if (e->buffers && io->op == LOAD_READ)
		io_uring_prep_read_fixed(sqe, fd, io->data, (unsigned)io->size, io->offset, 0);
	else if (e->buffers)
		io_uring_prep_write_fixed(sqe, fd, io->data, (unsigned)io->size, io->offset, 0);
	else if (io->op == LOAD_READ)
		io_uring_prep_read(sqe, fd, io->data, (unsigned)io->size, io->offset);
	else
		io_uring_prep_write(sqe, fd, io->data, (unsigned)io->size, io->offset);
	if (e->files)
		io_uring_sqe_set_flags(sqe, IOSQE_FIXED_FILE);
	io_uring_sqe_set_data64(sqe, io->slot);
}

/* Not an error of the engine: time is over, a signal came, or the kernel wants completions to be taken first. */
static bool passing(int error)
{
	return error == -ETIME || error == -EINTR || error == -EAGAIN || error == -EBUSY;
}

static int uring_turn(void *engine, uint64_t timeout, struct engine_done *done, unsigned max)
{
	struct uring *e = engine;
	struct __kernel_timespec t = { (int64_t)(timeout / 1000000000), (long long)(timeout % 1000000000) };
	struct io_uring_cqe *cqe;
	int sent = timeout ? io_uring_submit_and_wait_timeout(&e->ring, &cqe, 1, &t, NULL)
		: io_uring_submit_and_get_events(&e->ring);
	if (sent < 0 && !passing(sent))
		return sent;
	unsigned head, n = 0;
	io_uring_for_each_cqe(&e->ring, head, cqe) {
		if (n == max)
			break;
		done[n++] = (struct engine_done){ (unsigned)cqe->user_data, cqe->res };
	}
	io_uring_cq_advance(&e->ring, n);
	return (int)n;
}

/* The kernel finishes what is in flight on its own: it holds the memory until then. Without I/O in flight the files are
 * let go first, as the kernel would do that some time later: a device would be in use for a while behind the program. */
static void uring_close(void *engine, bool hung)
{
	struct uring *e = engine;
	if (!hung)
		io_uring_unregister_files(&e->ring);
	io_uring_queue_exit(&e->ring);
	free(e);
}

const struct engine engine_uring = { .kind = ENGINE_IO_URING, .name = "io_uring", .open = uring_open,
	.queue = uring_queue, .turn = uring_turn, .close = uring_close };
