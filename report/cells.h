/* cells: the series of one test of one run, by block size and mix, each judged. Private to report/. */
#ifndef REPORT_CELLS_H
#define REPORT_CELLS_H

#include "base/num.h"
#include "report/document.h"

struct cell_series {
	const struct series *s;
	struct steady steady;
	struct slice bs, mix;  /* empty where the series has none */
	double size;           /* bs as a number; 0 */
	double read;           /* read share of mix in per cent; NAN */
	const char *name;      /* "4 KiB 0/100" */
	struct slice real_mix; /* what was really done, where it differs from mix; else empty */
	bool main;             /* the one that a verdict or the tool goes by */
};

struct cells {
	const struct run *run;
	struct slice test;
	enum metric_id metric;
	enum series_kind kind;
	const char *others;    /* params beside those of a cell, as text: tells groups apart */
	const char *title;     /* "IOPS" */
	const char *tested;    /* "IOPS", "Bandwidth": what is on the y axis */
	struct cell_series *v; /* by rising block size, then falling read share */
	size_t n, cap;
	struct slice *sizes, *mixes; /* the different ones, in order */
	size_t n_sizes, n_mixes;
};

/* Where a window stands: "rounds 3–7", "60 to 300 s". */
const char *steady_place(struct arena *a, const struct series *s, const struct steady_window *w);

/* NULL when that cell was not measured. */
struct cell_series *cells_find(const struct cells *c, struct slice bs, struct slice mix);
struct scale cells_scale(struct arena *a, const struct cells *c, int digits);
/* The window's mean as a figure. */
struct figure cells_mean(struct document *d, const struct cell_series *c);

void write_steady_table(struct document *d, const struct cells *c);
void write_convergence(struct document *d, const struct cells *c);
void write_windows(struct document *d, const struct cells *c);
void write_matrix(struct document *d, const struct cells *c);
void write_latencies(struct document *d, const struct cells *c);
void write_samples(struct document *d, const struct cells *c);

#endif
