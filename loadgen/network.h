/* network: what client and server of `assay-load network` share.
 *
 * A session begins with a request over TCP, of NETWORK_FRAME bytes; the server is silent until it has a well-formed one.
 * Its answer repeats the client's nonce and gives the session a random token. What follows, over the same connection:
 *     echo    messages of `size` bytes, each sent back
 *     sink    bytes until the client closes its side; then a report
 *     source  bytes from the server, for `milliseconds`
 * and for UDP, whose datagrams begin with the token and a number, and are looked at only when the token is that of a
 * session of this sender's address:
 *     echo    each is sent back as it is, never more than came
 *     sink    each is counted; the report follows when the client closes its side of the connection
 * All numbers are big-endian. */
#ifndef LOADGEN_NETWORK_H
#define LOADGEN_NETWORK_H

#include "base/arena.h"
#include "base/hist.h"

#include <signal.h>
#include <sys/socket.h>

enum { NETWORK_FRAME = 64, NETWORK_TOKEN = 16, NETWORK_HEAD = 32 /* of a datagram: token, number, zeros */ };
enum { NETWORK_SIZE_MAX = 1 << 20, NETWORK_DATAGRAM_MAX = 65507, NETWORK_STREAMS_MAX = 256, NETWORK_PORT = 48120 };
enum { NETWORK_LONGEST_MS = 24 * 3600 * 1000 };

enum network_kind { NETWORK_TCP_ECHO = 1, NETWORK_TCP_SINK, NETWORK_TCP_SOURCE, NETWORK_UDP_ECHO, NETWORK_UDP_SINK,
	NETWORK_KINDS };

struct network_request {
	enum network_kind kind;
	uint32_t size;           /* of a message, B */
	uint32_t milliseconds;   /* that the session lasts; the server ends it some seconds later */
	unsigned char nonce[NETWORK_TOKEN];
};

struct network_answer {
	unsigned char nonce[NETWORK_TOKEN], token[NETWORK_TOKEN];
};

/* What the other side received. */
struct network_report {
	uint64_t bytes, messages, nanoseconds; /* from the first to the last */
	uint64_t repeated, reordered;          /* datagrams */
};

typedef unsigned char network_frame[NETWORK_FRAME];
void network_put_request(network_frame out, const struct network_request *r);
/* False unless every byte is as it must be. */
bool network_get_request(const network_frame in, struct network_request *r);
void network_put_answer(network_frame out, const struct network_answer *a);
bool network_get_answer(const network_frame in, struct network_answer *a);
void network_put_report(network_frame out, const struct network_report *r);
bool network_get_report(const network_frame in, struct network_report *r);
void network_put_head(unsigned char *datagram, const unsigned char token[NETWORK_TOKEN], uint64_t number);
uint64_t network_number(const unsigned char *datagram);
bool network_random(void *bytes, size_t n);

/* Whole buffers over a blocking socket; false at its end, on an error and when its time is up (SO_RCVTIMEO). */
bool network_send(int fd, const void *bytes, size_t n);
bool network_receive(int fd, void *bytes, size_t n);
void network_timeout(int fd, double seconds);

/* "host", "host:port", "[::1]:port", "::1". */
struct network_place {
	const char *host, *port;
};
struct network_place network_place_of(struct arena *a, const char *text, unsigned port);
/* A socket that is connected to it (bound to it, with `bound`); -1 and a sentence part. *address (may be NULL) is the
 * other side's, or the bound one. */
int network_open(const struct network_place *p, int type, bool bound, struct sockaddr_storage *address, const char **error);
unsigned network_port(const struct sockaddr_storage *address);
/* "127.0.0.1:48120" */
const char *network_address(struct arena *a, const struct sockaddr_storage *address);
/* The same host, whatever the ports. */
bool network_same_host(const struct sockaddr_storage *a, const struct sockaddr_storage *b);

/* ---- the server ---- */

struct network_server {
	struct network_place place;
	unsigned connections;    /* at most so many at a time */
	/* Told once, when it listens; may be NULL. */
	void (*listening)(void *ctx, const struct sockaddr_storage *address);
	void *ctx;
};
/* Serves until *stop. False and a message when it can't. */
bool network_serve(const struct network_server *s, const volatile sig_atomic_t *stop, const char **error);

/* ---- the client ---- */

struct network_test {
	const char *name;        /* "tcp_lat" */
	enum network_kind kind;
	uint32_t size;
	unsigned streams;
	double rate;             /* messages per second and stream, at fixed times; 0: as fast as they go */
	double seconds, interval;
};

/* Of all streams in an interval, or of the whole test. */
struct network_sum {
	uint64_t tried, done, bytes, errors; /* messages; done: answered, sent or received */
	struct hist latency;     /* ns, of a round trip: since it was sent, with a rate since it should have been */
};

struct network_events {
	void *ctx;
	void (*interval)(void *ctx, double start, double seconds, const struct network_sum *sum);
	void (*failed)(void *ctx, const char *message);
};

struct network_outcome {
	bool stopped, failed, reported;
	struct network_report report; /* the other side's, of all streams together */
};

/* False and a message in *error (in the arena) when it can't begin. */
bool network_run(struct arena *a, const struct network_place *server, const struct network_test *t,
	const volatile sig_atomic_t *stop, const struct network_events *events, struct network_outcome *out, const char **error);

#endif
