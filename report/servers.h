/* servers: what the files of the servers' statistics share. Private to report/. */
#ifndef REPORT_SERVERS_H
#define REPORT_SERVERS_H

#include "report/trends.h"

struct statistic {
	const char *title, *test;
	enum metric_id metric;
	bool least;
	struct { const char *key, *value; } wanted[2]; /* value NULL: the result has none of that key */
	const char *each;  /* one row for each value of this param */
	const char *chart, *line; /* NULL: in no chart */
};

/* Of a curve, at Unix time t. */
struct sample {
	double t, value;
	struct pos pos;
};

/* One statistic of one host. */
struct curve {
	const struct statistic *statistic;
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
	const char *name; /* "CPU", "Network, eth0", with the host where there are several */
};

void write_panel(struct panel *p);

#endif
