/* server: the extremes of a server's statistics over all its files. */
#ifndef MODEL_SERVER_H
#define MODEL_SERVER_H

#include "model/run.h"

enum server_statistic_id {
	SERVER_SYSTEM_CPU, SERVER_IOWAIT, SERVER_FREE_MEMORY, SERVER_DISK_READ, SERVER_DISK_WRITE, SERVER_DISK_BANDWIDTH,
	SERVER_RECEIVE, SERVER_TRANSMIT, SERVER_STATISTICS
};

struct server_statistic {
	const char *key;         /* in a study: "system_cpu" */
	const char *title;       /* "Most system CPU" */
	const char *test;
	enum metric_id metric;
	bool least;              /* the least is looked for, not the most */
	struct { const char *key, *value; } wanted[2]; /* value NULL: the result has none of that key */
	const char *each;        /* one extreme for each value of this param; or NULL */
};
const struct server_statistic *server_statistic(enum server_statistic_id id);

/* The extreme of one subject (and one interface). */
struct server_extreme {
	struct slice subject, each;
	const struct run *run;       /* where it was seen */
	const struct result *result;
	size_t hosts;                /* that the statistic is there of */
};

/* In the order in which subjects and interfaces were read; of equal extremes the first whose zone is told. `host`: a glob of the host's name; empty: all. */
struct server_extreme *server_extremes(struct arena *a, const struct dataset *d, enum server_statistic_id id,
	struct slice host, size_t *n);

/* Whether a run is of sysstat, of such a host, and no second copy. */
bool server_run(const struct run *run, struct slice host);
struct slice server_host(const struct run *run);
/* Whether its clock prints no zone, and another run of the host does: where both are of the same samples, that is the one
 * to go by. */
bool server_told_better(const struct dataset *d, const struct run *run);
/* Whether these params (with test and metric) are of the statistic. */
bool server_is(const struct server_statistic *s, enum metric_id metric, struct slice test, struct params p);

#endif
