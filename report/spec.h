/* spec: what the parts of SPEC CPU's section share. Private to report/. */
#ifndef REPORT_SPEC_H
#define REPORT_SPEC_H

#include "model/publish.h"
#include "report/document.h"

enum { SPEC_SUITES = 12, SPEC_BENCHES = 80, SPEC_RUNS = 6 };

/* Different names, in the order they came. */
struct spec_names {
	struct slice v[SPEC_BENCHES];
	size_t n;
};
void spec_name_once(struct spec_names *names, struct slice s, size_t max);

bool spec_is_param(const struct result *r, const char *key, const char *value);
/* A run with a report of its own, of this version of the benchmark. */
bool spec_is_of(const struct run *r, struct slice tool);
const char *spec_attribute(struct document *d, const struct run *r, const char *key); /* "": not stated */
/* As readers know it: the subject, else the model, else the file. */
const char *spec_system(struct document *d, const struct run *r);
/* The metric's figure; NULL when the run does not name it. */
const struct result *spec_metric(const struct run *r, struct slice test, const char *stat);
/* The printed metric of a suite, base or peak; NULL as above. */
const struct result *spec_suite_metric(struct document *d, const struct run *r, const char *suite, const char *tune);
/* A suite's printed peak may be shown beside a base only: NULL where there is none. */
const struct result *spec_shown(const struct result *r, const struct result *base);
const char *spec_show(struct document *d, double value, enum unit u);
void spec_figure_cell(struct document *d, const struct result *r);

/* One benchmark of a run, base or peak. */
struct spec_bench {
	const struct result *time[SPEC_RUNS], *selected, *ratio;
	size_t n;
	double least, most;
};
struct spec_bench spec_bench_of(const struct run *r, struct slice name, const char *tune);
/* The benchmarks that ran. */
void spec_benches(const struct run *r, struct spec_names *names);

void spec_write_run(struct document *d, const struct run *r);
void spec_write_ratios(struct document *d, struct slice tool, const struct spec_names *suites);
void spec_write_derived(struct document *d, struct slice tool);
void spec_write_differences(struct document *d, struct slice tool);

#endif
