/* The client: a thread for each stream; the caller's thread takes what they counted, interval by interval. */
#define _GNU_SOURCE
#include "loadgen/network.h"

#include "loadgen/record.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { FLIGHTS = 4096, BATCH = 64, CHUNK = 256 << 10 };
static const double ANSWER_S = 1;    /* a datagram that is not back by then is lost */
static const double REACH_S = 10;    /* for a connection, an answer, a report */
static const double PLACE_S = 1;     /* how long a place is waited for */
static const double TICK_S = 0.1;    /* how often a stream that waits looks whether it should end */

/* A message on its way. */
struct flight {
	double due;                  /* when it was sent, or should have been */
	bool open;
};

struct stream {
	const struct network_test *t;
	const volatile sig_atomic_t *stop;
	pthread_t thread;
	int fd, udp;                 /* -1: none */
	unsigned char token[NETWORK_TOKEN];
	unsigned char *buffer;
	double start, end;
	struct flight *flights;      /* message i in place i % FLIGHTS */
	uint64_t first, next;        /* those in between may be on their way */
	size_t partial_out, partial_in; /* bytes of the message that is being sent, received */
	struct network_report report;
	bool reported;
	const char *failed;          /* why it ended before its time */
	pthread_mutex_t lock;        /* of now */
	struct network_sum now;
};

static bool over(const struct stream *s)
{
	return *s->stop || load_now() >= s->end;
}

static void count(struct stream *s, uint64_t tried, uint64_t done, uint64_t bytes)
{
	pthread_mutex_lock(&s->lock);
	s->now.tried += tried;
	s->now.done += done;
	s->now.bytes += bytes;
	pthread_mutex_unlock(&s->lock);
}

static void answered(struct stream *s, double since)
{
	double ns = (load_now() - since) * 1e9;
	pthread_mutex_lock(&s->lock);
	s->now.done++;
	s->now.bytes += s->t->size;
	hist_add(&s->now.latency, ns > 0 ? (uint64_t)ns : 0, 1);
	pthread_mutex_unlock(&s->lock);
}

/* ---- one message at a time ---- */

static void echo_tcp(struct stream *s)
{
	size_t n = s->t->size;
	while (!over(s) && !s->failed) {
		double sent = load_now();
		count(s, 1, 0, 0);
		if (network_send(s->fd, s->buffer, n) && network_receive(s->fd, s->buffer, n))
			answered(s, sent);
		else
			s->failed = "the connection broke off";
	}
}

/* False: not back in time. Late answers to earlier datagrams, and what is none, are left aside. */
static bool own_answer(struct stream *s, uint64_t number, double until)
{
	size_t n = s->t->size;
	for (;;) {
		struct pollfd p = { .fd = s->udp, .events = POLLIN };
		double left = until - load_now();
		struct timespec wait = { .tv_sec = (time_t)fmax(left, 0), .tv_nsec = (long)(fmod(fmax(left, 0), 1) * 1e9) };
		if (ppoll(&p, 1, &wait, NULL) <= 0 && load_now() >= until)
			return false;
		ssize_t got = recv(s->udp, s->buffer, n, MSG_DONTWAIT | MSG_TRUNC);
		if (got == (ssize_t)n && memcmp(s->buffer, s->token, NETWORK_TOKEN) == 0 && network_number(s->buffer) == number)
			return true;
	}
}

static void echo_udp(struct stream *s)
{
	for (uint64_t number = 0; !over(s); number++) {
		double sent = load_now();
		network_put_head(s->buffer, s->token, number);
		count(s, 1, 0, 0);
		if (send(s->udp, s->buffer, s->t->size, MSG_NOSIGNAL) == (ssize_t)s->t->size && own_answer(s, number, sent + ANSWER_S))
			answered(s, sent);
	}
}

/* ---- at fixed times, whatever is still on its way ---- */

static void back(struct stream *s, uint64_t number)
{
	struct flight *f = &s->flights[number % FLIGHTS];
	if (number < s->first || number >= s->next || !f->open)
		return;
	f->open = false;
	answered(s, f->due);
}

/* Of datagrams, what is not back in time is given up. */
static void close_flights(struct stream *s, double now)
{
	while (s->first < s->next) {
		struct flight *f = &s->flights[s->first % FLIGHTS];
		if (f->open && (s->udp < 0 || now < f->due + ANSWER_S))
			return;
		f->open = false;
		s->first++;
	}
}

/* False when the socket takes no more at present. */
static bool send_one(struct stream *s)
{
	bool udp = s->udp >= 0;
	size_t n = s->t->size;
	if (udp)
		network_put_head(s->buffer, s->token, s->next);
	ssize_t done = send(udp ? s->udp : s->fd, s->buffer + (udp ? 0 : s->partial_out), n - (udp ? 0 : s->partial_out),
		MSG_DONTWAIT | MSG_NOSIGNAL);
	if (done < 0 && (errno == EAGAIN || errno == EINTR || errno == ENOBUFS))
		return false;
	if (done < 0 && !udp)
		s->failed = "the connection broke off";
	if (udp || done < 0)
		return true;
	s->partial_out += (size_t)done;
	if (s->partial_out < n)
		return false;
	s->partial_out = 0;
	return true;
}

static void send_due(struct stream *s, double now)
{
	for (;;) {
		double due = s->start + (double)s->next / s->t->rate;
		bool begun = s->partial_out > 0;
		if (!begun && (due > now || due >= s->end || s->next - s->first == FLIGHTS))
			return;
		if (!send_one(s) || s->failed)
			return;
		s->flights[s->next++ % FLIGHTS] = (struct flight){ due, true };
		count(s, 1, 0, 0);
	}
}

static void receive_answers(struct stream *s)
{
	size_t n = s->t->size;
	for (int i = 0; i < BATCH; i++) {
		bool udp = s->udp >= 0;
		unsigned char *in = s->buffer + n; /* the second half: the first one may be half sent */
		ssize_t got = recv(udp ? s->udp : s->fd, in, udp ? n : n - s->partial_in, MSG_DONTWAIT | (udp ? MSG_TRUNC : 0));
		if (got < 0)
			return;
		if (got == 0 && !udp) {
			s->failed = "the connection broke off";
			return;
		}
		if (udp) {
			if (got == (ssize_t)n && memcmp(in, s->token, NETWORK_TOKEN) == 0)
				back(s, network_number(in));
			continue;
		}
		s->partial_in += (size_t)got;
		if (s->partial_in < n)
			continue;
		s->partial_in = 0;
		back(s, s->first);
		close_flights(s, 0);
	}
}

static void echo_paced(struct stream *s)
{
	bool udp = s->udp >= 0;
	double now, patience = s->end + ANSWER_S;
	while (!*s->stop && !s->failed && ((now = load_now()) < s->end || (s->first < s->next && now < patience))) {
		close_flights(s, now);
		send_due(s, now);
		double due = s->start + (double)s->next / s->t->rate, wait = due >= s->end ? TICK_S : fmin(fmax(due - now, 0), TICK_S);
		bool full = s->next - s->first == FLIGHTS || s->partial_out > 0;
		struct timespec t = { .tv_nsec = (long)((full ? TICK_S : wait) * 1e9) };
		struct pollfd p = { .fd = udp ? s->udp : s->fd, .events = (short)(POLLIN | (s->partial_out ? POLLOUT : 0)) };
		if (ppoll(&p, 1, &t, NULL) > 0)
			receive_answers(s);
	}
}

/* ---- as much as goes ---- */

static void take_report(struct stream *s)
{
	network_frame frame;
	shutdown(s->fd, SHUT_WR);
	network_timeout(s->fd, REACH_S);
	s->reported = network_receive(s->fd, frame, sizeof frame) && network_get_report(frame, &s->report);
	if (!s->reported && !s->failed)
		s->failed = "the server sent no report of what it received";
}

static void send_tcp(struct stream *s)
{
	while (!over(s) && !s->failed) {
		if (network_send(s->fd, s->buffer, s->t->size))
			count(s, 1, 1, s->t->size);
		else
			s->failed = "the connection broke off";
	}
	take_report(s);
}

static void receive_tcp(struct stream *s)
{
	size_t rest = 0;
	while (!over(s)) {
		ssize_t got = recv(s->fd, s->buffer, CHUNK, 0);
		if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) {
			s->failed = got && !over(s) ? "the connection broke off" : NULL;
			return;
		}
		if (got < 0)
			continue;
		rest += (size_t)got;
		count(s, rest / s->t->size, rest / s->t->size, (uint64_t)got);
		rest %= s->t->size;
	}
}

static void sleep_until(const struct stream *s, double due)
{
	for (double left; (left = fmin(due, s->end) - load_now()) > 0 && !*s->stop;) {
		struct timespec t = { .tv_nsec = (long)(fmin(left, TICK_S) * 1e9) };
		nanosleep(&t, NULL);
	}
}

static void send_udp(struct stream *s)
{
	for (uint64_t number = 0; !over(s); number++) {
		if (s->t->rate > 0)
			sleep_until(s, s->start + (double)number / s->t->rate);
		if (over(s))
			break;
		network_put_head(s->buffer, s->token, number);
		bool sent = send(s->udp, s->buffer, s->t->size, MSG_NOSIGNAL) == (ssize_t)s->t->size;
		count(s, 1, sent, sent ? s->t->size : 0);
	}
	take_report(s);
}

/* ---- streams ---- */

static void *stream_thread(void *arg)
{
	struct stream *s = arg;
	switch (s->t->kind) {
	case NETWORK_TCP_SINK: send_tcp(s); break;
	case NETWORK_TCP_SOURCE: receive_tcp(s); break;
	case NETWORK_UDP_SINK: send_udp(s); break;
	case NETWORK_TCP_ECHO: s->t->rate > 0 ? echo_paced(s) : echo_tcp(s); break;
	default: s->t->rate > 0 ? echo_paced(s) : echo_udp(s); break;
	}
	return NULL;
}

/* The handshake. */
static bool shake_hands(struct stream *s)
{
	struct network_request request = { .kind = s->t->kind, .size = s->t->size,
		.milliseconds = (uint32_t)fmin(ceil(s->t->seconds * 1e3), NETWORK_LONGEST_MS) };
	struct network_answer answer;
	network_frame frame;
	network_timeout(s->fd, REACH_S);
	if (!network_random(request.nonce, sizeof request.nonce))
		return false;
	network_put_request(frame, &request);
	if (!network_send(s->fd, frame, sizeof frame) || !network_receive(s->fd, frame, sizeof frame) ||
	    !network_get_answer(frame, &answer) || memcmp(answer.nonce, request.nonce, NETWORK_TOKEN) != 0)
		return false;
	memcpy(s->token, answer.token, NETWORK_TOKEN);
	return true;
}

/* The places of sessions that have just ended may take a moment to become free. */
static bool open_session(struct stream *s, const struct network_place *server, const char **error)
{
	enum { PAUSE_MS = 50 };
	double until = load_now() + PLACE_S;
	bool udp = s->t->kind == NETWORK_UDP_ECHO || s->t->kind == NETWORK_UDP_SINK, done = false;
	for (;;) {
		s->fd = network_open(server, SOCK_STREAM, false, NULL, error);
		if (s->fd < 0)
			return false;
		done = shake_hands(s);
		if (done || *s->stop || load_now() >= until)
			break;
		close(s->fd);
		poll(NULL, 0, PAUSE_MS);
	}
	*error = "gives no answer: it is no server of this program, or has no place free";
	if (done && udp)
		s->udp = network_open(server, SOCK_DGRAM, false, NULL, error);
	return done && (!udp || s->udp >= 0);
}

/* False when one of them can't be opened; all are to be closed. */
static bool open_streams(struct stream *streams, const struct network_place *server, const struct network_test *t,
	const volatile sig_atomic_t *stop, const char **error)
{
	bool good = true;
	for (unsigned i = 0; i < t->streams; i++) {
		struct stream *s = &streams[i];
		*s = (struct stream){ .t = t, .stop = stop, .fd = -1, .udp = -1, .lock = PTHREAD_MUTEX_INITIALIZER };
		s->buffer = mem_alloc(2 * (size_t)t->size + CHUNK);
		memset(s->buffer, 0xa5, 2 * (size_t)t->size + CHUNK);
		s->flights = mem_alloc(FLIGHTS * sizeof *s->flights);
		good = good && open_session(s, server, error);
	}
	return good;
}

static void close_streams(struct stream *streams, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		if (streams[i].fd >= 0)
			close(streams[i].fd);
		if (streams[i].udp >= 0)
			close(streams[i].udp);
		free(streams[i].buffer);
		free(streams[i].flights);
	}
}

/* What all streams counted since it was last taken. */
static void take(struct stream *streams, unsigned n, struct network_sum *sum)
{
	*sum = (struct network_sum){ .tried = 0 };
	for (unsigned i = 0; i < n; i++) {
		struct network_sum *now = &streams[i].now;
		pthread_mutex_lock(&streams[i].lock);
		sum->tried += now->tried;
		sum->done += now->done;
		sum->bytes += now->bytes;
		hist_merge(&sum->latency, &now->latency);
		*now = (struct network_sum){ .tried = 0 };
		pthread_mutex_unlock(&streams[i].lock);
	}
}

/* Interval by interval, until all streams have ended; the last one takes what is left. */
static void follow(struct stream *streams, unsigned started, const struct network_test *t,
	const volatile sig_atomic_t *stop, const struct network_events *events, double start)
{
	struct network_sum *sum = mem_alloc(sizeof *sum);
	double begin = start, last = start + t->seconds;
	while (!*stop && last - begin > 1.5 * t->interval) {
		double now, due = begin + t->interval;
		while ((now = load_now()) < due && !*stop) {
			struct timespec wait = { .tv_nsec = (long)(fmin(due - now, TICK_S) * 1e9) };
			nanosleep(&wait, NULL);
		}
		take(streams, started, sum);
		events->interval(events->ctx, begin - start, now - begin, sum);
		begin = now;
	}
	for (unsigned i = 0; i < started; i++)
		pthread_join(streams[i].thread, NULL);
	double end = fmin(load_now(), fmax(last, begin + 1e-3));
	take(streams, started, sum);
	events->interval(events->ctx, begin - start, fmax(end - begin, 1e-3), sum);
	free(sum);
}

static void conclude(const struct stream *streams, unsigned n, const struct network_events *events, struct network_outcome *out)
{
	out->reported = true;
	for (unsigned i = 0; i < n; i++) {
		const struct network_report *r = &streams[i].report;
		out->reported &= streams[i].reported;
		out->report.bytes += r->bytes;
		out->report.messages += r->messages;
		out->report.repeated += r->repeated;
		out->report.reordered += r->reordered;
		if (r->nanoseconds > out->report.nanoseconds)
			out->report.nanoseconds = r->nanoseconds;
		if (streams[i].failed)
			events->failed(events->ctx, streams[i].failed);
		out->failed |= streams[i].failed != NULL;
	}
}

bool network_run(struct arena *a, const struct network_place *server, const struct network_test *t,
	const volatile sig_atomic_t *stop, const struct network_events *events, struct network_outcome *out, const char **error)
{
	struct stream *streams = ARENA_ARRAY(a, t->streams, struct stream);
	unsigned started = 0;
	*out = (struct network_outcome){ .stopped = false };
	if (!open_streams(streams, server, t, stop, error)) {
		*error = arena_printf(a, "%s port %s: %s", server->host, server->port, *error);
		close_streams(streams, t->streams);
		return false;
	}
	double start = load_now();
	for (; started < t->streams; started++) {
		struct stream *s = &streams[started];
		s->start = start;
		s->end = start + t->seconds;
		if (pthread_create(&s->thread, NULL, stream_thread, s) != 0)
			break;
	}
	follow(streams, started, t, stop, events, start);
	conclude(streams, started, events, out);
	if (started < t->streams)
		events->failed(events->ctx, "not every stream could be started");
	out->failed |= started < t->streams;
	out->stopped = *stop;
	close_streams(streams, t->streams);
	return true;
}
