/* cloudharmony_key: the names that CloudHarmony's block-storage suite gives to its figures, cells and steady-state data. */
#ifndef PARSERS_CLOUDHARMONY_KEY_H
#define PARSERS_CLOUDHARMONY_KEY_H

#include "parsers/parser.h"
#include "parsers/php_serialize.h"

/* What a key such as iops_4k_0_100 or latency_4k_65_35_mean stands for. */
struct cloudharmony_key {
	const char *test;      /* "iops" */
	enum metric_id metric;
	const char *stat;      /* "value", "mean", "max" */
	double factor;         /* printed value × factor is in base units: ms, and MiB/s though it is called MB/s */
	char bs[24];           /* "4096"; empty when the key names no cell */
	char mix[16];          /* "0/100"; empty likewise */
	char wait[8];          /* "5": seconds of idleness before each measurement (hir); else empty */
};

bool cloudharmony_key_parse(struct slice text, struct cloudharmony_key *key);
/* The key's params (bs, mix, wait), pointing into it. Returns how many. */
size_t cloudharmony_key_params(const struct cloudharmony_key *key, struct pos pos, struct param out[static 3]);

/* "4k", "512b", "1m" as bytes in decimal; false when it is no block size. */
bool cloudharmony_size(struct slice text, char *out, size_t size);

/* What the suite says of the steady state that it found: each option, the stat it is, in a fixed order. The first is
 * the window's mean. */
struct cloudharmony_ss {
	const char *key;  /* "ss_average" */
	const char *stat; /* "steady_mean" */
};
enum { CLOUDHARMONY_SS = 4 };
extern const struct cloudharmony_ss cloudharmony_ss[CLOUDHARMONY_SS];

/* How a test's steady state is measured: by which metric, in which unit, and on which cell. */
struct cloudharmony_test {
	const char *name;       /* "iops" */
	enum metric_id metric;
	double factor;
	const char *bs;         /* the cell it tracks; NULL: one per block size (throughput) */
};
/* NULL when there is no such test. */
const struct cloudharmony_test *cloudharmony_test_find(struct slice name);

/* What a column or option says of the run, as an attribute without the suites' prefix: meta_region → region. What save.sh
 * found out about the machine that it ran on, which need not be the one that was measured, becomes save_machine.… */
void cloudharmony_attribute(struct parse *p, struct slice key, struct slice value, const char *at);

/* "2026-11-30 4:05:06" as seconds, to be compared with others of the same machine: which time zone it is in is not said.
 * False when it is no such time. */
bool cloudharmony_time(struct slice text, double *seconds);

/* Whether a CSV has more than one row below its headings, so that they need run=N. */
bool cloudharmony_csv_several(struct parse *p);

/* Says what was wrong with serialized data; false when nothing was. */
bool cloudharmony_php_flaws(struct parse *p, const struct php *php);

#endif
