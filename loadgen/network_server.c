/* The server: a thread for each connection, datagrams in the one that listens. It trusts nobody: see network.h. */
#define _GNU_SOURCE
#include "loadgen/network.h"

#include "loadgen/record.h"

#include <errno.h>
#include <math.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { WINDOW = 1024, BATCH = 256, POLL_MS = 100, RECEIVE_BUFFER = 4 << 20 };
static const double IDLE_S = 10;      /* silence that ends a session */
static const double STRAGGLERS_S = .2;/* datagrams that are still on their way */

struct session {
	bool used;
	int fd;
	struct server *server;
	struct sockaddr_storage peer;
	struct network_request request;
	unsigned char token[NETWORK_TOKEN];
	bool datagrams;               /* the token is valid */
	struct network_report report;
	double first, last;
	uint64_t highest;             /* number of a datagram + 1; 0: none yet */
	uint64_t seen[WINDOW / 64];
};

struct server {
	const struct network_server *config;
	pthread_mutex_t lock;         /* of what follows */
	pthread_cond_t changed;
	struct session *sessions;
	unsigned open;
	bool ending;
};

/* ---- over TCP ---- */

static bool answer(struct session *s)
{
	struct network_answer a;
	network_frame frame;
	memcpy(a.nonce, s->request.nonce, NETWORK_TOKEN);
	memcpy(a.token, s->token, NETWORK_TOKEN);
	network_put_answer(frame, &a);
	return network_send(s->fd, frame, sizeof frame);
}

static void give_report(struct session *s)
{
	network_frame frame;
	s->report.nanoseconds = (uint64_t)(fmax(0, s->last - s->first) * 1e9);
	network_put_report(frame, &s->report);
	network_send(s->fd, frame, sizeof frame);
}

static void note(struct session *s, size_t bytes)
{
	s->last = load_now();
	if (s->report.bytes == 0)
		s->first = s->last;
	s->report.bytes += bytes;
}

/* As much as comes, up to n; 0 at the end, and when the session's time is up. */
static size_t receive_some(const struct session *s, void *bytes, size_t n, double end)
{
	ssize_t done;
	do
		done = recv(s->fd, bytes, n, 0);
	while (done < 0 && errno == EINTR && load_now() < end);
	return done > 0 && load_now() < end ? (size_t)done : 0;
}

static void echo(struct session *s, unsigned char *buffer, double end)
{
	for (;;) {
		size_t n = 0, got = 1;
		while (n < s->request.size && got) {
			got = receive_some(s, buffer + n, s->request.size - n, end);
			n += got;
		}
		if (n < s->request.size || !network_send(s->fd, buffer, n))
			return;
	}
}

static void sink(struct session *s, unsigned char *buffer, double end)
{
	size_t got;
	while ((got = receive_some(s, buffer, NETWORK_SIZE_MAX, end)) > 0)
		note(s, got);
	s->report.messages = s->report.bytes / s->request.size;
	give_report(s);
}

static void source(struct session *s, unsigned char *buffer)
{
	double end = load_now() + s->request.milliseconds * 1e-3;
	memset(buffer, 0x5a, s->request.size);
	while (load_now() < end && network_send(s->fd, buffer, s->request.size))
		;
	shutdown(s->fd, SHUT_WR);
}

/* The connection only holds the session open. */
static void datagrams(struct session *s, unsigned char *buffer, double end)
{
	struct server *v = s->server;
	while (load_now() < end) {
		struct pollfd p = { .fd = s->fd, .events = POLLIN };
		if (poll(&p, 1, POLL_MS) > 0 && receive_some(s, buffer, NETWORK_SIZE_MAX, end) == 0)
			break;
	}
	if (s->request.kind == NETWORK_UDP_SINK)
		poll(NULL, 0, (int)(STRAGGLERS_S * 1e3));
	pthread_mutex_lock(&v->lock);
	s->datagrams = false;
	pthread_mutex_unlock(&v->lock);
	if (s->request.kind == NETWORK_UDP_SINK)
		give_report(s);
}

/* Nothing is said to what is no request. */
static void serve(struct session *s, unsigned char *buffer)
{
	network_frame frame;
	int on = 1;
	setsockopt(s->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	network_timeout(s->fd, IDLE_S);
	if (!network_receive(s->fd, frame, sizeof frame) || !network_get_request(frame, &s->request) ||
	    !network_random(s->token, sizeof s->token))
		return;
	double end = load_now() + s->request.milliseconds * 1e-3 + IDLE_S;
	bool udp = s->request.kind == NETWORK_UDP_ECHO || s->request.kind == NETWORK_UDP_SINK;
	pthread_mutex_lock(&s->server->lock);
	s->datagrams = udp;
	pthread_mutex_unlock(&s->server->lock);
	if (!answer(s))
		return;
	switch (s->request.kind) {
	case NETWORK_TCP_ECHO: echo(s, buffer, end); break;
	case NETWORK_TCP_SINK: sink(s, buffer, end); break;
	case NETWORK_TCP_SOURCE: source(s, buffer); break;
	default: datagrams(s, buffer, end); break;
	}
}

static void *session_thread(void *arg)
{
	struct session *s = arg;
	struct server *v = s->server;
	unsigned char *buffer = mem_alloc(NETWORK_SIZE_MAX);
	serve(s, buffer);
	free(buffer);
	pthread_mutex_lock(&v->lock);
	close(s->fd);
	s->used = s->datagrams = false;
	v->open--;
	pthread_cond_signal(&v->changed);
	pthread_mutex_unlock(&v->lock);
	return NULL;
}

static bool start_session(struct server *v, struct session *s)
{
	pthread_t thread;
	pthread_attr_t attributes;
	if (pthread_attr_init(&attributes) != 0)
		return false;
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	v->open++;
	s->used = true;
	bool started = pthread_create(&thread, &attributes, session_thread, s) == 0;
	pthread_attr_destroy(&attributes);
	if (started)
		return true;
	v->open--;
	s->used = false;
	return false;
}

static void take_connection(struct server *v, int listener)
{
	struct sockaddr_storage peer;
	socklen_t n = sizeof peer;
	int fd = accept4(listener, (struct sockaddr *)&peer, &n, SOCK_CLOEXEC);
	if (fd < 0)
		return;
	pthread_mutex_lock(&v->lock);
	struct session *s = v->sessions;
	while (s < v->sessions + v->config->connections && s->used)
		s++;
	bool free_place = s < v->sessions + v->config->connections;
	if (free_place)
		*s = (struct session){ .fd = fd, .server = v, .peer = peer };
	bool started = free_place && start_session(v, s);
	pthread_mutex_unlock(&v->lock);
	if (!started)
		close(fd);
}

/* ---- over UDP ---- */

static struct session *session_of(struct server *v, const unsigned char *token, const struct sockaddr_storage *peer, size_t n)
{
	for (unsigned i = 0; i < v->config->connections; i++) {
		struct session *s = &v->sessions[i];
		if (s->datagrams && s->request.size == n && memcmp(s->token, token, NETWORK_TOKEN) == 0 &&
		    network_same_host(&s->peer, peer))
			return s;
	}
	return NULL;
}

/* Numbers need not come in order, and may come twice: the last WINDOW of them are known. */
static void count(struct session *s, uint64_t number, size_t bytes)
{
	if (number >= s->highest) {
		uint64_t gap = number + 1 - s->highest;
		for (uint64_t i = 0; i < gap && i < WINDOW; i++)
			s->seen[(s->highest + i) % WINDOW / 64] &= ~(UINT64_C(1) << (s->highest + i) % 64);
		if (gap > WINDOW)
			memset(s->seen, 0, sizeof s->seen);
		s->highest = number + 1;
	} else {
		bool known = s->highest - number <= WINDOW;
		if (known && s->seen[number % WINDOW / 64] >> number % 64 & 1) {
			s->report.repeated++;
			return;
		}
		s->report.reordered++;
	}
	s->seen[number % WINDOW / 64] |= UINT64_C(1) << number % 64;
	note(s, bytes);
	s->report.messages++;
}

static void take_datagrams(struct server *v, int fd, unsigned char *buffer)
{
	for (int i = 0; i < BATCH; i++) {
		struct sockaddr_storage peer = { .ss_family = AF_UNSPEC };
		socklen_t n = sizeof peer;
		ssize_t got = recvfrom(fd, buffer, NETWORK_DATAGRAM_MAX + 1, MSG_DONTWAIT, (struct sockaddr *)&peer, &n);
		if (got < 0)
			return;
		if (got < NETWORK_HEAD)
			continue;
		pthread_mutex_lock(&v->lock);
		struct session *s = session_of(v, buffer, &peer, (size_t)got);
		bool back = s && s->request.kind == NETWORK_UDP_ECHO;
		uint64_t number = network_number(buffer);
		if (s && !back && number < UINT64_MAX)
			count(s, number, (size_t)got);
		pthread_mutex_unlock(&v->lock);
		if (back)
			sendto(fd, buffer, (size_t)got, MSG_DONTWAIT | MSG_NOSIGNAL, (const struct sockaddr *)&peer, n);
	}
}

/* ---- both ---- */

static void end_sessions(struct server *v)
{
	pthread_mutex_lock(&v->lock);
	for (unsigned i = 0; i < v->config->connections; i++)
		if (v->sessions[i].used)
			shutdown(v->sessions[i].fd, SHUT_RDWR);
	while (v->open)
		pthread_cond_wait(&v->changed, &v->lock);
	pthread_mutex_unlock(&v->lock);
}

static void serve_until(struct server *v, int listener, int udp, const volatile sig_atomic_t *stop)
{
	unsigned char *buffer = mem_alloc(NETWORK_DATAGRAM_MAX + 1);
	struct pollfd p[] = { { .fd = listener, .events = POLLIN }, { .fd = udp, .events = POLLIN } };
	while (!*stop) {
		if (poll(p, 2, POLL_MS) <= 0)
			continue;
		if (p[0].revents)
			take_connection(v, listener);
		if (p[1].revents)
			take_datagrams(v, udp, buffer);
	}
	end_sessions(v);
	free(buffer);
}

bool network_serve(const struct network_server *config, const volatile sig_atomic_t *stop, const char **error)
{
	struct server v = { .config = config, .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };
	struct sockaddr_storage address;
	char port[16];
	int udp = -1, listener = network_open(&config->place, SOCK_STREAM, true, &address, error);
	if (listener < 0)
		return false;
	/* The same port for both, whichever it became. */
	snprintf(port, sizeof port, "%u", network_port(&address));
	struct network_place same = { config->place.host, port };
	if (listen(listener, (int)config->connections) == 0)
		udp = network_open(&same, SOCK_DGRAM, true, NULL, error);
	else
		*error = strerror(errno);
	if (udp >= 0) {
		int room = RECEIVE_BUFFER;
		setsockopt(udp, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
		v.sessions = mem_alloc(config->connections * sizeof *v.sessions);
		memset(v.sessions, 0, config->connections * sizeof *v.sessions);
		if (config->listening)
			config->listening(config->ctx, &address);
		serve_until(&v, listener, udp, stop);
		free(v.sessions);
		close(udp);
	}
	close(listener);
	return udp >= 0;
}
