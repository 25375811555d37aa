/* servers: what the files of the servers' statistics share. Private to report/. */
#ifndef REPORT_SERVERS_H
#define REPORT_SERVERS_H

#include "model/server.h"
#include "report/trends.h"

/* Of a curve, at Unix time t. */
struct sample {
	double t, value;
	struct pos pos;
};

/* One statistic of one host. */
struct curve {
	enum server_statistic_id id;
	bool least;        /* the least is the worst */
	enum metric_id metric;
	const char *chart, *line; /* "CPU", "system" */
	struct slice subject, host, each;
	struct sample *v;
	size_t n, cap;
	double apart, interval; /* median time between samples; what the shortest one covers, s */
	size_t worst;
};

/* Curves of one host and item that share a chart. */
struct panel {
	struct document *d;
	const struct timeline *line;
	bool aligned;
	double lo, hi; /* time axis */
	const struct curve *curve[CHART_SERIES];
	size_t n;
	const struct study_limit *limit; /* of the first curve that has one; NULL: none */
	const char *limited;             /* its line */
	const char *name; /* "CPU", "Network, eth0", with the host where there are several */
};

void write_panel(struct panel *p);

#endif
