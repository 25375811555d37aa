/* study: what a user says of the things that were measured, and what is to be judged of them. ingest/study.h reads it
 * from a file. */
#ifndef MODEL_STUDY_H
#define MODEL_STUDY_H

#include "model/selector.h"
#include "model/server.h"

struct study_input {
	struct slice glob;          /* as written; relative to the study file */
	const char *near, *pattern; /* the same from the working directory, and from the root */
	struct pos pos;
};

/* What a network interface is called by people, and what it can carry. */
struct study_interface {
	struct slice name;          /* a glob; empty: every interface but the loopback */
	struct slice title;         /* "NFS subnet"; empty: not told */
	struct quantity line_rate;  /* B/s; missing: not told */
};

struct study_subject {
	struct slice name;
	struct pos pos;
	struct study_input *inputs; /* none: it is only described */
	struct param *attrs;        /* as --set gives them; value normalized, text as written */
	struct study_interface *interfaces;
	size_t n_inputs, n_attrs, n_interfaces, input_cap, attr_cap, interface_cap;
	struct slice server;        /* glob of the hosts whose statistics are judged; empty: all */
	struct quantity price;      /* USD/h; missing: not told */
};

/* A part of the test's configuration: its storage, its clients. */
struct study_part {
	struct slice name, specification, software;
	struct quantity bandwidth, iops; /* in sum; missing: not told */
};

/* A figure that may not deviate from its mean. */
struct study_figure {
	struct slice text;          /* as written */
	const struct selector *where;
	struct pos pos;
};

/* How many jobs were planned. */
struct study_planned {
	struct slice tool;          /* empty: of all tools together */
	double n;
	struct pos pos;
};

struct study_limit {
	enum server_statistic_id statistic;
	struct slice iface;         /* of network statistics: a glob; empty: every interface but the loopback */
	enum quantity_op op;        /* OP_GE, OP_GT: a minimum */
	struct quantity limit;
};

/* What is judged of repeated jobs and of their server. */
struct study_evaluation {
	bool wanted;
	bool implied;               /* asked for on the command line: figures that nothing measured are no gap */
	struct quantity tolerance;  /* share of the mean, in per cent; missing: deviations are not judged */
	struct quantity longest_gap; /* between the starts of complete jobs, s; missing: 1.5 of their usual intervals */
	struct study_figure *figures; /* none: write and read of IOR, create, stat and removal of mdtest */
	struct study_planned *planned;
	struct study_limit *limits;
	size_t n_figures, n_planned, n_limits, figure_cap, planned_cap, limit_cap;
};

struct study {
	struct source *source;
	struct slice name, description, title;
	struct study_subject *subjects;
	struct study_part *parts;
	const char **sla;           /* paths of SLA files */
	struct slice *sections;     /* of the report, in order; none: all */
	size_t n_subjects, n_parts, n_sla, n_sections, subject_cap, part_cap, sla_cap, section_cap;
	struct study_evaluation evaluation;
};

/* NULL: there is none of that name, or no study (s NULL). */
const struct study_subject *study_subject(const struct study *s, struct slice name);
/* What is said of this interface: its own entry before a glob that matches, a glob before the one for all; NULL:
 * nothing. An entry for all is not for the loopback. */
const struct study_interface *study_interface(const struct study_subject *s, struct slice name);
/* An attribute of a subject; NULL: not told. */
const struct param *study_attribute(const struct study_subject *s, const char *key);

/* Hours by which a price for a month is told: 30 days. */
#define STUDY_MONTH 720.0

#endif
