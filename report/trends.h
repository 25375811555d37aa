/* trends: what the files of the section of repeated jobs share. Private to report/. */
#ifndef REPORT_TRENDS_H
#define REPORT_TRENDS_H

#include "model/trend.h"
#include "report/document.h"

/* The tolerance that was declared, else 10 % of the mean; claims at 99 %. */
struct trend_rule trend_rule_of(const struct document *d);

/* When a job ran, as far as its output tells. */
struct job_span {
	double from, to;   /* Unix time; the same where the end isn't told */
	const struct run *run;
	bool complete;
};

/* The time axis of a subject: from the first job's begin to the last one's end, a little wider; and the jobs on it. */
struct timeline {
	bool known;        /* false: no job tells when it ran */
	double lo, hi, first, last;
	struct job_span *jobs; /* by their begin */
	size_t n_jobs, untimed; /* untimed: further ones, which don't tell when they ran */
	bool assumed;      /* a job's clock prints no zone, and is taken as UTC */
	struct chart_strip strips[CHART_STRIPS];
	size_t n_strips;
};

/* Of all batch jobs of a subject; where it has none, of all batch jobs. */
struct timeline timeline_of(struct document *d, struct slice subject);
/* "during job 1003 (ior)", of the jobs that ran between two times; "57 s after job 1003 (ior)"; NULL where no job tells
 * its times. */
const char *timeline_during(struct document *d, const struct timeline *t, double from, double to);
void timeline_put(const struct timeline *t, struct chart *c);

/* One series with its distribution. */
void write_trend_chart(struct document *d, const struct trend *t, const struct timeline *line, const char *name);
/* The servers' statistics: the extremes, and over time; as a part, or, `alone`, as a section. */
void write_servers(struct document *d, bool alone);

/* Whether that shows a run's series, so that they need not be shown by themselves. */
bool servers_take(const struct run *run);

/* Text and cells. */
const char *trend_when(struct document *d, double time);
/* "logs/x.o12:41", without the directory that all inputs are in: the list of inputs names it. */
const char *trend_log(struct document *d, const struct run *run, const struct result *r);
void trend_result_cell(struct document *d, const struct result *r);

#endif
