/* report: the dataset and its verdicts as one document, and that document as a page.
 *
 * The XML document is the report; every other format is a stylesheet over it. It depends on nothing but what it is
 * given: no clock, no locale, no environment, so that the same input gives the same bytes. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "model/evaluate.h"
#include "model/sla.h"

struct report {
	struct dataset *data;
	const struct audit *audit;      /* NULL: no table was asked for */
	const struct study *study;      /* NULL: none */
	const struct evaluation *evaluation; /* NULL: nothing of it was asked for */
	double tolerance;               /* of repeated jobs, a share of the mean; 0: none declared */
	const char *title;              /* NULL: made from the subjects */
	const char *command;            /* how to make this report again, as a command line; NULL: left out */
	const struct steady_rule *rule; /* for what no table judges; NULL: SNIA PTS */
	bool want_charts;               /* false: only the charts' data */
	const char *gnuplot;            /* program to run, looked up in PATH; NULL: "gnuplot" */
};

/* Appends the XML document (without pictures). The document's namespace is REPORT_NS, its schema
 * templates/report/report.rng. */
#define REPORT_NS "urn:assay:report:1"
enum status report_xml(const struct report *r, struct buf *out, struct diags *diags);

/* Appends the page: one HTML file without script or outside reference. STATUS_WARN when charts were wanted and could
 * not all be drawn (said in diags and in the page). */
enum status report_html(const struct report *r, struct buf *out, struct diags *diags);

/* Checks a document against the schema. STATUS_REJECT, with one diagnostic per violation, when it does not conform.
 * Entities are not expanded and nothing is loaded. */
enum status report_validate(struct slice xml, struct diags *diags);

#endif
