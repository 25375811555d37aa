/* cloudharmony_net: the tests of CloudHarmony's network suite, which its options file, its CSV and its parse output all
 * describe by the same keys.
 *
 * A file's tests are collected first (cloudharmony_net_test, cloudharmony_net_field) and given to the sink together,
 * because only then is known which of them need run=N, and which repeats another's samples. */
#ifndef PARSERS_CLOUDHARMONY_NET_H
#define PARSERS_CLOUDHARMONY_NET_H

#include "parsers/parser.h"

struct net_field {
	struct slice key, value;
	const char *at; /* the value's place, also when it is empty */
};

struct net_test {
	struct net_field *v;
	size_t n, cap;
};

struct cloudharmony_net {
	struct parse *parse;
	bool own_run;            /* each test describes its machine itself and is a run of its own */
	bool trimmed;            /* the suite was told to discard the fastest or slowest samples before it computed */
	struct slice version;    /* of the suite; else each test's benchmark_version */
	struct net_test *v;
	size_t n, cap;
	enum status status;
};

/* More tests in one file than this are left out, and said. */
enum { NET_TESTS = 1000 };

/* Whether the suite has a test of this name. */
bool cloudharmony_net_is_test(struct slice name);
/* Begins another test; NULL when there are too many. */
struct net_test *cloudharmony_net_test(struct cloudharmony_net *net, const char *at);
void cloudharmony_net_field(struct cloudharmony_net *net, struct net_test *t, struct slice key, struct slice value,
	const char *at);
/* The first field of that key that is not empty, or NULL. */
const struct net_field *net_find(const struct net_test *t, const char *key);

/* Gives all tests to the sink: of each its job, figures and samples, and what contradicts what. */
void cloudharmony_net_emit(struct cloudharmony_net *net);

/* Between cloudharmony_net.c and cloudharmony_net_check.c: a test's samples in base units and in measured order, and its
 * printed figures. */
struct net_figure {
	const char *key;     /* "metric_mean": as the file calls it */
	const char *stat;    /* "mean" */
	double share;        /* of a percentile: 0.1; else 0 */
	bool printed;
	bool suspect;        /* out: the samples contradict it */
	struct quantity q;
};
enum net_which { NET_MEDIAN, NET_MEAN, NET_MIN, NET_MAX, NET_SD, NET_P10, NET_P25, NET_P75, NET_P90, NET_TIMED, NET_FIGURES };

/* Says what the samples, or the figures each other, contradict, and marks those. factor: of the samples' unit. */
void net_check(struct cloudharmony_net *net, const struct net_test *t, struct net_figure figures[NET_FIGURES],
	const double *samples, size_t n, double factor);

#endif
