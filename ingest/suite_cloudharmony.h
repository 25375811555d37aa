/* suite_cloudharmony: a run of CloudHarmony's block-storage suite, put together from the files of its directory. What
 * the two halves (assembly, checks) share. */
#ifndef INGEST_SUITE_CLOUDHARMONY_H
#define INGEST_SUITE_CLOUDHARMONY_H

#include "model/steady.h"
#include "parsers/cloudharmony_key.h"

/* What a fio job's name says: x<round>-<R>_<W>-<bs>-rand|seq[-[n]<interval>][-<target>][-ssmw]. */
struct ch_name {
	unsigned round;
	unsigned numbers[2], n_numbers; /* behind rand or seq; since 2017 the last is the target's */
	char bs[24];                    /* bytes, in decimal */
	char mix[16];                   /* "65/35" */
	struct slice label;             /* bs as the suite writes it: "4k" */
	double size;                    /* bs as a number */
	unsigned read;                  /* per cent */
	bool sequential, hir, ssmw;
};
bool ch_name_parse(struct slice text, struct ch_name *name);

/* The figures of a job that matter here, for reads and writes. NULL: not measured. */
enum ch_figure { CH_IOPS, CH_BANDWIDTH, CH_LATENCY, CH_IO, CH_FIGURES };
struct ch_figures {
	const struct result *v[CH_FIGURES][2]; /* [0] read, [1] write */
};

/* A cell's job of one round: the one that the suite itself takes, which in wsat and hir is the round's last. */
struct ch_round {
	unsigned round;
	const struct job *job;
	struct ch_figures figures;
	double value;   /* in the test's metric, base unit */
	struct pos pos; /* of the (first) number it comes from */
	bool ssmw;
};

/* A test's block size and mix. */
struct ch_cell {
	const struct cloudharmony_test *test;
	char bs[24], mix[16];
	const char *text;          /* "iops 4k 0/100", for sentences */
	double size;               /* bs as a number */
	unsigned read;             /* per cent, by name */
	bool tracked;              /* the suite judges steady state on it */
	bool cut;                  /* a file of its rounds is cut: there may have been more */
	struct ch_round *rounds;   /* rising */
	size_t n_rounds, cap;
	double all_sum;            /* over all its jobs, the unused intervals of wsat and hir too */
	size_t all_n;
	bool judged;               /* window and the rest below are filled */
	struct steady_window window;
	char actual_mix[16];       /* "50/50", where it differs from mix by more than two points; else empty */
	enum claim claimed;
	const struct result *claim; /* the suite's own steady_mean of it, for CLAIM_STEADY */
};

struct ch_suite {
	struct dataset *dataset;
	struct run *run;
	struct run **members;
	size_t n_members;
	struct run *options;       /* the run of .options, or NULL */
	struct ch_cell *cells;
	size_t n_cells, cell_cap;
	const struct job *wipc;    /* first preconditioning job, or NULL */
	unsigned wipc_jobs;
};

/* First attribute of that key, or NULL. */
const struct param *ch_option(const struct ch_suite *s, const char *key);
/* What the suite prints and what it was told, against what it did. */
void ch_check(struct ch_suite *s);

#endif
