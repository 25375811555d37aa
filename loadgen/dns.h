/* dns: queries and the check of what comes back (RFC 1035). Only header and question of an answer are looked at. */
#ifndef LOADGEN_DNS_H
#define LOADGEN_DNS_H

#include "loadgen/network.h"

enum { DNS_QUERY_MAX = 12 + 255 + 4, DNS_ANSWER_MAX = 65535 };

struct dns_query {
	unsigned char bytes[DNS_QUERY_MAX];
	size_t n;
};

/* A recursive query for a name (with or without its last dot) and a type ("A", "AAAA" …), with this id; false and a
 * sentence part (static) when there is none such. */
bool dns_query(struct dns_query *q, struct slice name, struct slice type, uint16_t id, const char **error);

enum dns_answer {
	DNS_ANSWER,      /* *status holds its response code */
	DNS_TRUNCATED,   /* the same, but it wants to be asked over TCP */
	DNS_STRANGE      /* no answer to this query */
};
enum dns_answer dns_check(const struct dns_query *q, const unsigned char *bytes, size_t n, unsigned *status);
/* "NOERROR", "NXDOMAIN" …; "RCODE" for what has no name. */
const char *dns_status(unsigned status);

/* One query and its answer: from `due` on until `timeout` s after it was sent. */
struct dns_result {
	bool answered;
	bool tcp;            /* in the end */
	unsigned status;
	size_t bytes;        /* of the answer */
	double seconds;      /* since `due`, or since it was sent where due is 0 */
	unsigned strange;    /* datagrams that were no answer to it */
};
/* False and a message (static) when it could not even be sent. */
bool dns_ask(const struct network_place *server, const struct dns_query *q, bool tcp, double due, double timeout,
	struct dns_result *result, const char **error);

#endif
