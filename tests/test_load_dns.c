/* DNS: the query's bytes, what counts as an answer to it, and a server that answers in every way. */
#define _GNU_SOURCE
#include "loadgen/dns.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { ID = 0x1234 };

static struct dns_query query_of(const char *name, const char *type)
{
	struct dns_query q;
	const char *error = "";
	if (!dns_query(&q, slice_of(name), slice_of(type), ID, &error))
		fail_msg("%s %s", name, error);
	return q;
}

static void queries(void **state)
{
	static const unsigned char bytes[] = "\x12\x34\x01\0\0\x01\0\0\0\0\0\0\x07" "example\x03" "com\0\0\x1c\0\x01";
	struct dns_query q = query_of("example.com", "aaaa");
	(void)state;
	assert_int_equal(q.n, sizeof bytes - 1);
	assert_memory_equal(q.bytes, bytes, q.n);
	q = query_of("example.com.", "AAAA");
	assert_memory_equal(q.bytes, bytes, sizeof bytes - 1);
	assert_int_equal(query_of(".", "NS").n, 12 + 1 + 4);
}

static void names_that_are_none(void **state)
{
	char label[66], name[300] = "";
	const char *error;
	struct dns_query q;
	memset(label, 'x', sizeof label);
	(void)state;
	for (int i = 0; i < 4; i++) {
		memcpy(name + 64 * i, label, 63);
		name[64 * i + 63] = '.';
	}
	/* 63 letters are a label, 64 are none; four of 63 are too long together, with the last one shorter they are not. */
	assert_true(dns_query(&q, (struct slice){ label, 63 }, SLICE("A"), ID, &error));
	assert_false(dns_query(&q, (struct slice){ label, 64 }, SLICE("A"), ID, &error));
	assert_false(dns_query(&q, (struct slice){ name, 255 }, SLICE("A"), ID, &error));
	assert_true(dns_query(&q, (struct slice){ name, 253 }, SLICE("A"), ID, &error));
	assert_true(q.n <= DNS_QUERY_MAX);
	static const char *const bad[] = { "", "a..b", ".a", "a..", ".." };
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_false(dns_query(&q, slice_of(bad[i]), SLICE("A"), ID, &error));
	assert_false(dns_query(&q, SLICE("a"), SLICE("B"), ID, &error));
}

static void answers(void **state)
{
	struct dns_query q = query_of("Example.com", "A");
	unsigned char a[DNS_QUERY_MAX + 16] = { 0 }, b[sizeof a];
	unsigned status = 99;
	(void)state;
	memcpy(a, q.bytes, q.n);
	a[2] = 0x81;
	a[3] = 0x83;
	assert_int_equal(dns_check(&q, a, q.n + 16, &status), DNS_ANSWER);
	assert_int_equal(status, 3);
	assert_string_equal(dns_status(status), "NXDOMAIN");
	assert_string_equal(dns_status(15), "RCODE");
	for (size_t n = 0; n < q.n; n++)
		assert_int_equal(dns_check(&q, a, n, &status), DNS_STRANGE);
	memcpy(b, a, sizeof b);
	b[2] |= 2;
	assert_int_equal(dns_check(&q, b, q.n, &status), DNS_TRUNCATED);
	memcpy(b, a, sizeof b);
	b[13] = 'e'; /* another case is the same name */
	assert_int_equal(dns_check(&q, b, q.n, &status), DNS_ANSWER);
	/* Another id, a query, another operation, no question, two, another name, type and class. */
	static const struct { size_t at; unsigned char with; } wrong[] = { { 0, 1 }, { 1, 1 }, { 2, 0x80 }, { 2, 0x08 }, { 5, 1 },
		{ 5, 3 }, { 4, 1 }, { 12, 1 }, { 14, 1 }, { 26, 1 }, { 28, 1 } };
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		memcpy(b, a, sizeof b);
		b[wrong[i].at] ^= wrong[i].with;
		assert_int_equal(dns_check(&q, b, q.n, &status), DNS_STRANGE);
	}
}

/* ---- a server ---- */

/* What it does with a name's first letter. */
static void answer_udp(int fd)
{
	unsigned char b[512];
	struct sockaddr_storage peer;
	socklen_t n = sizeof peer;
	ssize_t got = recvfrom(fd, b, sizeof b, 0, (struct sockaddr *)&peer, &n);
	if (got < 17)
		return;
	unsigned char first = b[13];
	b[2] = first == 't' ? 0x83 : 0x81;
	b[3] = first == 'm' ? 3 : 0;
	if (first == 's') {
		sendto(fd, "x", 1, 0, (struct sockaddr *)&peer, n);
		b[0] ^= 1;
		sendto(fd, b, (size_t)got, 0, (struct sockaddr *)&peer, n);
		b[0] ^= 1;
	}
	if (first != 'l')
		sendto(fd, b, (size_t)got, 0, (struct sockaddr *)&peer, n);
}

/* Over TCP "td" is answered with less than was announced. */
static void answer_tcp(int listener)
{
	unsigned char b[514];
	int fd = accept(listener, NULL, NULL);
	ssize_t got = recv(fd, b, 2, MSG_WAITALL), n = got == 2 ? b[0] << 8 | b[1] : 0;
	if (n > 16 && n <= 512 && recv(fd, b + 2, (size_t)n, MSG_WAITALL) == n) {
		b[4] = 0x81;
		bool cut = b[16] == 'd';
		if (send(fd, b, (size_t)n + 2 - (cut ? 5 : 0), 0) < 0)
			_exit(1);
	}
	close(fd);
}

static pid_t start_server(struct arena *a, struct network_place *place)
{
	struct sockaddr_storage address;
	const char *error;
	struct network_place any = { "127.0.0.1", "0" };
	int listener = network_open(&any, SOCK_STREAM, true, &address, &error);
	*place = (struct network_place){ "127.0.0.1", arena_printf(a, "%u", network_port(&address)) };
	int udp = network_open(place, SOCK_DGRAM, true, NULL, &error);
	assert_true(listener >= 0 && udp >= 0 && listen(listener, 4) == 0);
	pid_t child = fork();
	if (child == 0)
		/* Not left behind when a check fails. */
		for (prctl(PR_SET_PDEATHSIG, SIGKILL);;) {
			fd_set set;
			FD_ZERO(&set);
			FD_SET(udp, &set);
			FD_SET(listener, &set);
			if (select((udp > listener ? udp : listener) + 1, &set, NULL, NULL, NULL) <= 0)
				_exit(1);
			if (FD_ISSET(udp, &set))
				answer_udp(udp);
			if (FD_ISSET(listener, &set))
				answer_tcp(listener);
		}
	close(udp);
	close(listener);
	return child;
}

static void asked(void **state)
{
	static const struct {
		const char *name;
		bool tcp, answered, by_tcp;
		unsigned status, strange;
		double timeout;
	} rows[] = {
		{ "good.example", false, true, false, 0, 0, 20 }, { "missing.example", false, true, false, 3, 0, 20 },
		{ "strange.example", false, true, false, 0, 2, 20 }, { "lost.example", false, false, false, 0, 0, 0.2 },
		{ "trunc.example", false, true, true, 0, 0, 20 }, { "good.example", true, true, true, 0, 0, 20 },
		{ "td.example", true, false, true, 0, 0, 20 },
	};
	struct arena a = ARENA_EMPTY;
	struct network_place server;
	const char *error = "";
	pid_t child = start_server(&a, &server);
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct dns_query q = query_of(rows[i].name, "A");
		struct dns_result r;
		assert_true(dns_ask(&server, &q, rows[i].tcp, 0, rows[i].timeout, &r, &error));
		assert_int_equal(r.answered, rows[i].answered);
		assert_int_equal(r.tcp, rows[i].by_tcp);
		assert_int_equal(r.status, rows[i].status);
		assert_int_equal(r.strange, rows[i].strange);
		if (r.answered)
			assert_true(r.seconds >= 0 && r.bytes == q.n);
	}
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(queries),
		cmocka_unit_test(names_that_are_none),
		cmocka_unit_test(answers),
		cmocka_unit_test(asked),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
