#define _GNU_SOURCE
#include "loadgen/dns.h"

#include "loadgen/record.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { HEADER = 12, LABEL_MAX = 63, NAME_MAX_BYTES = 255, CLASS_IN = 1 };

static const struct {
	const char *name;
	unsigned number;
} types[] = { { "A", 1 }, { "NS", 2 }, { "CNAME", 5 }, { "SOA", 6 }, { "PTR", 12 }, { "MX", 15 }, { "TXT", 16 }, { "AAAA", 28 },
	{ "SRV", 33 }, { "HTTPS", 65 } };

static bool put_name(struct dns_query *q, struct slice name)
{
	struct slice label;
	if (slice_ends(name, "."))
		name.n--;
	while (name.n && slice_cut(&name, '.', &label)) {
		if (label.n == 0 || label.n > LABEL_MAX || q->n - HEADER + label.n + 2 > NAME_MAX_BYTES)
			return false;
		q->bytes[q->n++] = (unsigned char)label.n;
		memcpy(q->bytes + q->n, label.p, label.n);
		q->n += label.n;
		if (name.p && name.n == 0)
			return false;
	}
	q->bytes[q->n++] = 0;
	return true;
}

bool dns_query(struct dns_query *q, struct slice name, struct slice type, uint16_t id, const char **error)
{
	const unsigned char header[HEADER] = { (unsigned char)(id >> 8), (unsigned char)id, 1 /* recursion wanted */, 0, 0, 1 };
	size_t t = 0;
	*q = (struct dns_query){ .n = HEADER };
	memcpy(q->bytes, header, HEADER);
	*error = "is no name that can be asked for";
	if (name.n == 0 || !put_name(q, name))
		return false;
	while (t < sizeof types / sizeof *types && !slice_eq_nocase(type, slice_of(types[t].name)))
		t++;
	*error = "is no type that is known here";
	if (t == sizeof types / sizeof *types)
		return false;
	const unsigned char tail[] = { (unsigned char)(types[t].number >> 8), (unsigned char)types[t].number, 0, CLASS_IN };
	memcpy(q->bytes + q->n, tail, sizeof tail);
	q->n += sizeof tail;
	return true;
}

enum dns_answer dns_check(const struct dns_query *q, const unsigned char *bytes, size_t n, unsigned *status)
{
	bool response = n >= q->n && (bytes[2] & 0xf8) == 0x80; /* an answer to a plain query */
	if (!response || memcmp(bytes, q->bytes, 2) != 0 || bytes[4] != 0 || bytes[5] != 1)
		return DNS_STRANGE;
	struct slice asked = { (const char *)q->bytes + HEADER, q->n - HEADER };
	struct slice said = { (const char *)bytes + HEADER, q->n - HEADER };
	if (!slice_eq_nocase(asked, said))
		return DNS_STRANGE;
	*status = bytes[3] & 0xf;
	return bytes[2] & 2 ? DNS_TRUNCATED : DNS_ANSWER;
}

const char *dns_status(unsigned status)
{
	static const char *const names[] = { "NOERROR", "FORMERR", "SERVFAIL", "NXDOMAIN", "NOTIMP", "REFUSED", "YXDOMAIN",
		"YXRRSET", "NXRRSET", "NOTAUTH", "NOTZONE" };
	return status < sizeof names / sizeof *names ? names[status] : "RCODE";
}

static bool wait_for(int fd, double until)
{
	double left = fmax(until - load_now(), 0);
	struct timespec t = { .tv_sec = (time_t)left, .tv_nsec = (long)(fmod(left, 1) * 1e9) };
	struct pollfd p = { .fd = fd, .events = POLLIN };
	return ppoll(&p, 1, &t, NULL) > 0;
}

static void note(struct dns_result *r, double since, unsigned status, size_t bytes)
{
	r->answered = true;
	r->status = status;
	r->bytes = bytes;
	r->seconds = load_now() - since;
}

static bool ask_tcp(const struct network_place *server, const struct dns_query *q, double since, double timeout,
	struct dns_result *r, const char **error)
{
	unsigned char length[2] = { (unsigned char)(q->n >> 8), (unsigned char)q->n }, *bytes = mem_alloc(DNS_ANSWER_MAX);
	unsigned status;
	int fd = network_open(server, SOCK_STREAM, false, NULL, error);
	r->tcp = true;
	if (fd >= 0) {
		network_timeout(fd, timeout);
		if (network_send(fd, length, 2) && network_send(fd, q->bytes, q->n) && network_receive(fd, length, 2)) {
			size_t n = (size_t)length[0] << 8 | length[1];
			bool whole = network_receive(fd, bytes, n);
			if (whole && dns_check(q, bytes, n, &status) != DNS_STRANGE)
				note(r, since, status, n);
			r->strange += whole && !r->answered;
		}
		close(fd);
	}
	free(bytes);
	return fd >= 0;
}

/* A socket for each query: its port is as hard to guess as its id. */
static bool ask_udp(const struct network_place *server, const struct dns_query *q, double *since, double timeout,
	struct dns_result *r, bool *truncated, const char **error)
{
	unsigned char *bytes = mem_alloc(DNS_ANSWER_MAX);
	unsigned status;
	int fd = network_open(server, SOCK_DGRAM, false, NULL, error);
	double sent = load_now();
	bool asked = fd >= 0 && send(fd, q->bytes, q->n, MSG_NOSIGNAL) == (ssize_t)q->n;
	if (fd >= 0 && !asked)
		*error = strerror(errno);
	*since = *since > 0 ? *since : sent;
	while (asked && !r->answered && wait_for(fd, sent + timeout)) {
		ssize_t n = recv(fd, bytes, DNS_ANSWER_MAX, MSG_DONTWAIT);
		/* Nobody listens there: no answer will come. */
		if (n < 0 && errno != EAGAIN && errno != EINTR)
			break;
		enum dns_answer answer = n < 0 ? DNS_STRANGE : dns_check(q, bytes, (size_t)n, &status);
		r->strange += n >= 0 && answer == DNS_STRANGE;
		if (answer == DNS_STRANGE)
			continue;
		*truncated = answer == DNS_TRUNCATED;
		note(r, *since, status, (size_t)n);
	}
	if (fd >= 0)
		close(fd);
	free(bytes);
	return asked;
}

bool dns_ask(const struct network_place *server, const struct dns_query *q, bool tcp, double due, double timeout,
	struct dns_result *result, const char **error)
{
	bool truncated = tcp;
	double since = due;
	*result = (struct dns_result){ .answered = false };
	if (!tcp && !ask_udp(server, q, &since, timeout, result, &truncated, error))
		return false;
	if (!truncated)
		return true;
	result->answered = false;
	return ask_tcp(server, q, since > 0 ? since : load_now(), timeout, result, error);
}
