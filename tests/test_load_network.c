/* The network client against its own server, on loopback; and what the server says to those who are no client: nothing. */
#define _GNU_SOURCE
#include "loadgen/network.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { CONNECTIONS = 3, QUIET_MS = 300, PATIENT_MS = 20000 };

struct fixture {
	struct arena arena;
	struct network_place server;
	pid_t child;
};

static volatile sig_atomic_t child_stop, go_on;

static void on_term(int number)
{
	(void)number;
	child_stop = 1;
}

static void tell_port(void *ctx, const struct sockaddr_storage *address)
{
	unsigned port = network_port(address);
	if (write(*(int *)ctx, &port, sizeof port) != sizeof port)
		_exit(1);
}

static int setup(void **state)
{
	struct fixture *f = mem_alloc(sizeof *f);
	int pipes[2];
	unsigned port;
	*f = (struct fixture){ .arena = ARENA_EMPTY };
	if (pipe(pipes) != 0)
		return -1;
	f->child = fork();
	if (f->child == 0) {
		const char *error;
		struct network_server s = { .place = { "127.0.0.1", "0" }, .connections = CONNECTIONS, .listening = tell_port,
			.ctx = &pipes[1] };
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		signal(SIGTERM, on_term);
		_exit(network_serve(&s, &child_stop, &error) ? 0 : 1);
	}
	close(pipes[1]);
	if (f->child < 0 || read(pipes[0], &port, sizeof port) != sizeof port)
		return -1;
	close(pipes[0]);
	f->server = (struct network_place){ "127.0.0.1", arena_printf(&f->arena, "%u", port) };
	*state = f;
	return 0;
}

/* The server ends when it is told to, whatever sessions are open. */
static int teardown(void **state)
{
	struct fixture *f = *state;
	int status = -1;
	kill(f->child, SIGTERM);
	waitpid(f->child, &status, 0);
	arena_free(&f->arena);
	free(f);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
}

/* ---- frames ---- */

static void frames(void **state)
{
	struct network_request in = { .kind = NETWORK_UDP_ECHO, .size = 64, .milliseconds = 1500, .nonce = { 1, 2, 3 } }, out;
	network_frame frame, broken;
	(void)state;
	network_put_request(frame, &in);
	assert_true(network_get_request(frame, &out));
	assert_memory_equal(&in, &out, sizeof in);
	/* Magic, version, kind's and the zeros' every byte counts. */
	static const struct { size_t from, to; } strict[] = { { 0, 15 }, { 40, NETWORK_FRAME } };
	for (size_t k = 0; k < 2; k++)
		for (size_t i = strict[k].from; i < strict[k].to; i++) {
			memcpy(broken, frame, sizeof broken);
			broken[i] ^= 0x40;
			assert_false(network_get_request(broken, &out));
		}
	static const struct network_request bad[] = {
		{ .kind = NETWORK_KINDS, .size = 64, .milliseconds = 1 }, { .kind = NETWORK_TCP_ECHO, .size = 0, .milliseconds = 1 },
		{ .kind = NETWORK_TCP_ECHO, .size = NETWORK_SIZE_MAX + 1, .milliseconds = 1 },
		{ .kind = NETWORK_UDP_ECHO, .size = NETWORK_HEAD - 1, .milliseconds = 1 },
		{ .kind = NETWORK_UDP_SINK, .size = NETWORK_DATAGRAM_MAX + 1, .milliseconds = 1 },
		{ .kind = NETWORK_TCP_ECHO, .size = 64, .milliseconds = 0 },
		{ .kind = NETWORK_TCP_ECHO, .size = 64, .milliseconds = NETWORK_LONGEST_MS + 1 },
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		network_put_request(frame, &bad[i]);
		assert_false(network_get_request(frame, &out));
	}
	struct network_report r = { UINT64_C(1) << 40, 2, 3, 4, 5 }, s;
	network_put_report(frame, &r);
	assert_true(network_get_report(frame, &s));
	assert_memory_equal(&r, &s, sizeof r);
	assert_false(network_get_request(frame, &out));
}

static void places(void **state)
{
	static const struct { const char *text, *host, *port; } rows[] = {
		{ "10.0.0.5", "10.0.0.5", "7" }, { "10.0.0.5:99", "10.0.0.5", "99" }, { "[::1]:99", "::1", "99" }, { "[::1]", "::1", "7" },
		{ "fe80::1", "fe80::1", "7" }, { "name:http", "name", "http" }, { "[", "", "7" }, { "x:", "x", "7" },
	};
	struct arena a = ARENA_EMPTY;
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct network_place p = network_place_of(&a, rows[i].text, 7);
		assert_string_equal(p.host, rows[i].host);
		assert_string_equal(p.port, rows[i].port);
	}
	arena_free(&a);
}

/* ---- client and server ---- */

struct seen {
	struct network_sum sum;
	size_t intervals, failures;
	double seconds;
};

static void on_interval(void *ctx, double start, double seconds, const struct network_sum *sum)
{
	struct seen *s = ctx;
	assert_true(start >= 0 && seconds > 0 && fabs(start - s->seconds) < 1e-6);
	s->seconds += seconds;
	s->intervals++;
	s->sum.tried += sum->tried;
	s->sum.done += sum->done;
	s->sum.bytes += sum->bytes;
	assert_true(hist_merge(&s->sum.latency, &sum->latency));
}

static void on_failed(void *ctx, const char *message)
{
	struct seen *s = ctx;
	print_message("%s\n", message);
	s->failures++;
}

static struct seen *run_one(struct fixture *f, const struct network_test *t, struct network_outcome *out)
{
	struct seen *s = ARENA_NEW(&f->arena, struct seen);
	const struct network_events events = { .ctx = s, .interval = on_interval, .failed = on_failed };
	const char *error = "";
	if (!network_run(&f->arena, &f->server, t, &go_on, &events, out, &error))
		fail_msg("%s", error);
	assert_int_equal(s->failures, 0);
	assert_false(out->failed || out->stopped);
	assert_true(s->intervals >= 1 && s->seconds > 0.5 * t->seconds);
	return s;
}

static void round_trips(void **state)
{
	static const enum network_kind kinds[] = { NETWORK_TCP_ECHO, NETWORK_UDP_ECHO };
	static const double rates[] = { 0, 200 };
	struct network_outcome out;
	for (int k = 0; k < 2; k++)
		for (int r = 0; r < 2; r++) {
			struct network_test t = { .name = "lat", .kind = kinds[k], .size = 100, .streams = 2, .rate = rates[r],
				.seconds = 0.25, .interval = 0.1 };
			struct seen *s = run_one(*state, &t, &out);
			assert_true(s->sum.done > 0 && s->sum.done <= s->sum.tried);
			assert_true(s->sum.bytes == s->sum.done * t.size && s->sum.latency.n == s->sum.done);
			/* Not more than the rate asks for, both streams together. */
			if (rates[r] > 0)
				assert_true(s->sum.tried <= 2 * (uint64_t)ceil(rates[r] * t.seconds));
			assert_false(out.reported);
		}
}

static void one_way(void **state)
{
	struct network_outcome out;
	struct network_test t = { .name = "tcp_bw", .kind = NETWORK_TCP_SINK, .size = 5000, .streams = 2, .seconds = 0.2,
		.interval = 1 };
	struct seen *s = run_one(*state, &t, &out);
	assert_true(out.reported && s->sum.done > 0 && s->sum.latency.n == 0);
	assert_int_equal(out.report.bytes, s->sum.bytes);
	assert_int_equal(out.report.messages, s->sum.done);
	t.kind = NETWORK_TCP_SOURCE;
	s = run_one(*state, &t, &out);
	assert_true(!out.reported && s->sum.bytes > 0 && s->sum.done <= s->sum.bytes / t.size);
	t.kind = NETWORK_UDP_SINK;
	t.rate = 300;
	s = run_one(*state, &t, &out);
	assert_true(out.reported && out.report.messages > 0 && out.report.messages <= s->sum.done);
	assert_int_equal(out.report.bytes, out.report.messages * t.size);
	assert_int_equal(out.report.repeated, 0);
}

static void stops(void **state)
{
	struct fixture *f = *state;
	volatile sig_atomic_t stop = 1;
	struct seen *s = ARENA_NEW(&f->arena, struct seen);
	const struct network_events events = { .ctx = s, .interval = on_interval, .failed = on_failed };
	struct network_test t = { .name = "tcp_lat", .kind = NETWORK_TCP_ECHO, .size = 1, .streams = 1, .seconds = 3600,
		.interval = 1 };
	struct network_outcome out;
	const char *error;
	assert_true(network_run(&f->arena, &f->server, &t, &stop, &events, &out, &error));
	assert_true(out.stopped && !out.failed);
}

/* ---- strangers ---- */

static int open_session(struct fixture *f, enum network_kind kind, uint32_t size, struct network_answer *answer)
{
	struct network_request request = { .kind = kind, .size = size, .milliseconds = 5000, .nonce = { 9 } };
	network_frame frame;
	const char *error;
	int fd = network_open(&f->server, SOCK_STREAM, false, NULL, &error);
	assert_true(fd >= 0);
	network_timeout(fd, 5);
	network_put_request(frame, &request);
	bool answered = network_send(fd, frame, sizeof frame) && network_receive(fd, frame, sizeof frame) &&
		network_get_answer(frame, answer) && memcmp(answer->nonce, request.nonce, NETWORK_TOKEN) == 0;
	if (answered)
		return fd;
	close(fd);
	return -1;
}

static bool answers(int udp, const void *datagram, size_t n, int wait_ms, unsigned char *in, ssize_t *got)
{
	struct pollfd p = { .fd = udp, .events = POLLIN };
	assert_int_equal(send(udp, datagram, n, 0), n);
	if (poll(&p, 1, wait_ms) <= 0)
		return false;
	*got = recv(udp, in, 2000, 0);
	return *got >= 0;
}

static void no_reflector(void **state)
{
	enum { SIZE = 100 };
	struct fixture *f = *state;
	struct network_answer session;
	unsigned char datagram[SIZE] = { 0 }, in[2000];
	ssize_t got;
	const char *error;
	int udp = network_open(&f->server, SOCK_DGRAM, false, NULL, &error);
	assert_true(udp >= 0);
	/* No session; then a session, but another token, another size, a part of the head. */
	network_put_head(datagram, datagram, 1);
	assert_false(answers(udp, datagram, SIZE, QUIET_MS, in, &got));
	int fd = open_session(f, NETWORK_UDP_ECHO, SIZE, &session);
	assert_true(fd >= 0);
	assert_false(answers(udp, datagram, SIZE, QUIET_MS, in, &got));
	network_put_head(datagram, session.token, 1);
	assert_false(answers(udp, datagram, SIZE - 1, QUIET_MS, in, &got));
	assert_false(answers(udp, datagram, NETWORK_TOKEN, QUIET_MS, in, &got));
	/* The right one comes back as it is, and no more of it. */
	assert_true(answers(udp, datagram, SIZE, PATIENT_MS, in, &got));
	assert_int_equal(got, SIZE);
	assert_memory_equal(in, datagram, SIZE);
	struct pollfd p = { .fd = udp, .events = POLLIN };
	assert_int_equal(poll(&p, 1, QUIET_MS), 0);
	/* A sink answers nothing. The token dies with the session. */
	close(fd);
	poll(NULL, 0, QUIET_MS);
	assert_false(answers(udp, datagram, SIZE, QUIET_MS, in, &got));
	fd = open_session(f, NETWORK_UDP_SINK, SIZE, &session);
	network_put_head(datagram, session.token, 1);
	assert_false(answers(udp, datagram, SIZE, QUIET_MS, in, &got));
	close(fd);
	close(udp);
}

static void counted_datagrams(void **state)
{
	enum { SIZE = 40 };
	static const uint64_t numbers[] = { 0, 1, 3, 2, 2, 5000, 4999, 5000, UINT64_MAX };
	struct fixture *f = *state;
	struct network_answer session;
	struct network_report report;
	unsigned char datagram[SIZE] = { 0 };
	network_frame frame;
	const char *error;
	int udp = network_open(&f->server, SOCK_DGRAM, false, NULL, &error), fd = open_session(f, NETWORK_UDP_SINK, SIZE, &session);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		network_put_head(datagram, session.token, numbers[i]);
		assert_int_equal(send(udp, datagram, SIZE, 0), SIZE);
	}
	shutdown(fd, SHUT_WR);
	assert_true(network_receive(fd, frame, sizeof frame) && network_get_report(frame, &report));
	assert_int_equal(report.messages, 6);
	assert_int_equal(report.bytes, 6 * SIZE);
	assert_int_equal(report.repeated, 2);
	assert_int_equal(report.reordered, 2);
	close(fd);
	close(udp);
}

static void silent_to_strangers(void **state)
{
	struct fixture *f = *state;
	network_frame frame = "GET / HTTP/1.0\r\n\r\n";
	const char *error;
	int fd = network_open(&f->server, SOCK_STREAM, false, NULL, &error);
	network_timeout(fd, 5);
	assert_true(network_send(fd, frame, sizeof frame));
	errno = 0;
	assert_true(recv(fd, frame, sizeof frame, 0) <= 0 && errno != EAGAIN);
	close(fd);
}

static void only_so_many(void **state)
{
	struct fixture *f = *state;
	struct network_answer session;
	int fds[CONNECTIONS];
	for (int i = 0; i < CONNECTIONS; i++) {
		fds[i] = open_session(f, NETWORK_TCP_ECHO, 10, &session);
		assert_true(fds[i] >= 0);
	}
	assert_int_equal(open_session(f, NETWORK_TCP_ECHO, 10, &session), -1);
	for (int i = 0; i < CONNECTIONS; i++)
		close(fds[i]);
	/* Their places become free. */
	int fd = -1;
	for (int i = 0; i < 50 && fd < 0; i++) {
		poll(NULL, 0, 20);
		fd = open_session(f, NETWORK_TCP_ECHO, 10, &session);
	}
	assert_true(fd >= 0);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames),
		cmocka_unit_test(places),
		cmocka_unit_test_setup_teardown(round_trips, setup, teardown),
		cmocka_unit_test_setup_teardown(one_way, setup, teardown),
		cmocka_unit_test_setup_teardown(stops, setup, teardown),
		cmocka_unit_test_setup_teardown(no_reflector, setup, teardown),
		cmocka_unit_test_setup_teardown(counted_datagrams, setup, teardown),
		cmocka_unit_test_setup_teardown(silent_to_strangers, setup, teardown),
		cmocka_unit_test_setup_teardown(only_so_many, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
