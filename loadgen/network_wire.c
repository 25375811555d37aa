/* Frames, addresses and sockets. */
#define _GNU_SOURCE
#include "loadgen/network.h"

#include "base/num.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/random.h>
#include <sys/time.h>
#include <unistd.h>

enum { VERSION = 1 };
enum { AT_VERSION = 8, AT_FIRST = 12, AT_SECOND = 16, AT_THIRD = 20, AT_NONCE = 24, AT_TOKEN = 40, AT_END = 56 };
static const char request_magic[] = "ASSAYREQ", answer_magic[] = "ASSAYANS", report_magic[] = "ASSAYREP";

static void put32(unsigned char *p, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		p[i] = (unsigned char)(v >> (24 - 8 * i));
}

static void put64(unsigned char *p, uint64_t v)
{
	put32(p, (uint32_t)(v >> 32));
	put32(p + 4, (uint32_t)v);
}

static uint32_t get32(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static uint64_t get64(const unsigned char *p)
{
	return (uint64_t)get32(p) << 32 | get32(p + 4);
}

static void begin(network_frame out, const char *magic)
{
	memset(out, 0, NETWORK_FRAME);
	memcpy(out, magic, AT_VERSION);
	put32(out + AT_VERSION, VERSION);
}

static bool begins(const network_frame in, const char *magic)
{
	return memcmp(in, magic, AT_VERSION) == 0 && get32(in + AT_VERSION) == VERSION;
}

static bool zeros(const unsigned char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i])
			return false;
	return true;
}

void network_put_request(network_frame out, const struct network_request *r)
{
	begin(out, request_magic);
	put32(out + AT_FIRST, r->kind);
	put32(out + AT_SECOND, r->size);
	put32(out + AT_THIRD, r->milliseconds);
	memcpy(out + AT_NONCE, r->nonce, NETWORK_TOKEN);
}

bool network_get_request(const network_frame in, struct network_request *r)
{
	uint32_t kind = get32(in + AT_FIRST);
	if (!begins(in, request_magic) || !zeros(in + AT_TOKEN, NETWORK_FRAME - AT_TOKEN) || kind == 0 || kind >= NETWORK_KINDS)
		return false;
	*r = (struct network_request){ .kind = (enum network_kind)kind, .size = get32(in + AT_SECOND),
		.milliseconds = get32(in + AT_THIRD) };
	memcpy(r->nonce, in + AT_NONCE, NETWORK_TOKEN);
	bool udp = kind == NETWORK_UDP_ECHO || kind == NETWORK_UDP_SINK;
	return r->size >= (udp ? NETWORK_HEAD : 1) && r->size <= (udp ? NETWORK_DATAGRAM_MAX : NETWORK_SIZE_MAX) &&
		r->milliseconds > 0 && r->milliseconds <= NETWORK_LONGEST_MS;
}

void network_put_answer(network_frame out, const struct network_answer *a)
{
	begin(out, answer_magic);
	memcpy(out + AT_NONCE, a->nonce, NETWORK_TOKEN);
	memcpy(out + AT_TOKEN, a->token, NETWORK_TOKEN);
}

bool network_get_answer(const network_frame in, struct network_answer *a)
{
	if (!begins(in, answer_magic) || !zeros(in + AT_FIRST, AT_NONCE - AT_FIRST) || !zeros(in + AT_END, NETWORK_FRAME - AT_END))
		return false;
	memcpy(a->nonce, in + AT_NONCE, NETWORK_TOKEN);
	memcpy(a->token, in + AT_TOKEN, NETWORK_TOKEN);
	return true;
}

void network_put_report(network_frame out, const struct network_report *r)
{
	const uint64_t v[] = { r->bytes, r->messages, r->nanoseconds, r->repeated, r->reordered };
	begin(out, report_magic);
	for (size_t i = 0; i < sizeof v / sizeof *v; i++)
		put64(out + AT_SECOND + 8 * i, v[i]);
}

bool network_get_report(const network_frame in, struct network_report *r)
{
	uint64_t *const v[] = { &r->bytes, &r->messages, &r->nanoseconds, &r->repeated, &r->reordered };
	if (!begins(in, report_magic))
		return false;
	for (size_t i = 0; i < sizeof v / sizeof *v; i++)
		*v[i] = get64(in + AT_SECOND + 8 * i);
	return true;
}

void network_put_head(unsigned char *datagram, const unsigned char token[NETWORK_TOKEN], uint64_t number)
{
	memset(datagram, 0, NETWORK_HEAD);
	memcpy(datagram, token, NETWORK_TOKEN);
	put64(datagram + NETWORK_TOKEN, number);
}

uint64_t network_number(const unsigned char *datagram)
{
	return get64(datagram + NETWORK_TOKEN);
}

bool network_random(void *bytes, size_t n)
{
	return getrandom(bytes, n, 0) == (ssize_t)n;
}

/* ---- bytes ---- */

bool network_send(int fd, const void *bytes, size_t n)
{
	const char *p = bytes;
	while (n > 0) {
		ssize_t done = send(fd, p, n, MSG_NOSIGNAL);
		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		p += done;
		n -= (size_t)done;
	}
	return true;
}

bool network_receive(int fd, void *bytes, size_t n)
{
	char *p = bytes;
	while (n > 0) {
		ssize_t done = recv(fd, p, n, 0);
		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		p += done;
		n -= (size_t)done;
	}
	return true;
}

void network_timeout(int fd, double seconds)
{
	struct timeval t = { .tv_sec = (time_t)seconds, .tv_usec = (suseconds_t)((seconds - (double)(time_t)seconds) * 1e6) };
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &t, sizeof t);
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &t, sizeof t);
}

/* ---- addresses ---- */

struct network_place network_place_of(struct arena *a, const char *text, unsigned port)
{
	struct slice s = slice_of(text), host = s, own = SLICE_NONE;
	size_t colon = slice_find_char(s, ':');
	if (s.n && *s.p == '[') {
		size_t end = slice_find_char(s, ']');
		host = slice_from(slice_head(s, end), 1);
		own = end < s.n && end + 1 < s.n && s.p[end + 1] == ':' ? slice_from(s, end + 2) : SLICE_NONE;
	} else if (colon != (size_t)-1 && slice_find_char(slice_from(s, colon + 1), ':') == (size_t)-1) {
		host = slice_head(s, colon);
		own = slice_from(s, colon + 1);
	}
	return (struct network_place){ arena_string(a, host), own.n ? arena_string(a, own) : arena_printf(a, "%u", port) };
}

static int open_one(const struct addrinfo *i, bool bound)
{
	int fd = socket(i->ai_family, i->ai_socktype | SOCK_CLOEXEC, i->ai_protocol), on = 1, saved;
	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
	if (i->ai_socktype == SOCK_STREAM)
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	if ((bound ? bind(fd, i->ai_addr, i->ai_addrlen) : connect(fd, i->ai_addr, i->ai_addrlen)) == 0)
		return fd;
	saved = errno;
	close(fd);
	errno = saved;
	return -1;
}

int network_open(const struct network_place *p, int type, bool bound, struct sockaddr_storage *address, const char **error)
{
	struct addrinfo hints = { .ai_family = AF_UNSPEC, .ai_socktype = type, .ai_flags = bound ? AI_PASSIVE : 0 }, *list;
	socklen_t n = sizeof *address;
	int status = getaddrinfo(p->host, p->port, &hints, &list), fd = -1;
	if (status != 0) {
		*error = status == EAI_SYSTEM ? strerror(errno) : gai_strerror(status);
		return -1;
	}
	for (const struct addrinfo *i = list; i && fd < 0; i = i->ai_next)
		fd = open_one(i, bound);
	*error = strerror(errno);
	freeaddrinfo(list);
	if (fd >= 0 && address && (bound ? getsockname : getpeername)(fd, (struct sockaddr *)address, &n) != 0)
		memset(address, 0, sizeof *address);
	return fd;
}

unsigned network_port(const struct sockaddr_storage *address)
{
	if (address->ss_family == AF_INET6)
		return ntohs(((const struct sockaddr_in6 *)address)->sin6_port);
	return ntohs(((const struct sockaddr_in *)address)->sin_port);
}

const char *network_address(struct arena *a, const struct sockaddr_storage *address)
{
	char host[INET6_ADDRSTRLEN] = "?";
	bool six = address->ss_family == AF_INET6;
	const void *bytes = six ? (const void *)&((const struct sockaddr_in6 *)address)->sin6_addr
		: (const void *)&((const struct sockaddr_in *)address)->sin_addr;
	inet_ntop(six ? AF_INET6 : AF_INET, bytes, host, sizeof host);
	return arena_printf(a, six ? "[%s]:%u" : "%s:%u", host, network_port(address));
}

bool network_same_host(const struct sockaddr_storage *a, const struct sockaddr_storage *b)
{
	if (a->ss_family != b->ss_family)
		return false;
	if (a->ss_family == AF_INET6)
		return memcmp(&((const struct sockaddr_in6 *)a)->sin6_addr, &((const struct sockaddr_in6 *)b)->sin6_addr,
			sizeof(struct in6_addr)) == 0;
	return a->ss_family == AF_INET && ((const struct sockaddr_in *)a)->sin_addr.s_addr ==
		((const struct sockaddr_in *)b)->sin_addr.s_addr;
}
