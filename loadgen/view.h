/* view: what whoever waits gets to see, on standard error: on a terminal a few lines that redraw in place, else a plain
 * line per round. */
#ifndef LOADGEN_VIEW_H
#define LOADGEN_VIEW_H

#include "loadgen/lines.h"

struct history;

struct view {
	FILE *out;
	bool quiet, live, color;
	unsigned width;              /* columns; 0: no terminal, no limit */
	const struct profile *profile;
	const struct stage *stage;
	size_t n_targets;
	double range;                /* B, the largest active range: for how far preconditioning is */
	const struct history *cells;
	size_t round, cell;
	const struct test *test;
	const char *phase;
	double into;                 /* s into the test */
	double written;              /* B per target in it */
	struct figures now;
	unsigned drawn;              /* lines on the screen */
};

struct view view_open(const struct load_options *o, const struct profile *p, const struct target *targets, size_t n);
/* Before it starts: what will be done, and how long that takes at least and at most. */
void view_plan(struct view *v);
void view_stage(struct view *v, const struct stage *s);
void view_phase(struct view *v, const char *what);
/* `cell`: which of the round it is, from 0. The test must stay until the next one. */
void view_test(struct view *v, const struct test *t, size_t cell);
/* What all targets did in the last interval, and s since the test began. */
void view_now(struct view *v, const struct sum *s, double into);
/* A round has ended; the histories must stay until the stage is done. */
void view_round(struct view *v, const struct history *cells, size_t round);
void view_stage_done(struct view *v, const struct history *cells);
void view_event(struct view *v, enum severity severity, const char *message);

/* Parts, for tests. */
/* A character per value, the window's between marks: ▄ is its mean, ▁ close to 20 % and more below it, ▇ above it. At
 * most `most` values, the last ones. */
void view_plot(struct buf *out, const double *y, size_t n, const struct steady_window *w, size_t most);
/* 0.3 s, 7 s, 1:52 min, 2:10 h */
void view_duration(struct buf *out, double seconds);
/* s that are left, at least and at most. */
void view_left(const struct view *v, double *least, double *most);
/* The lines of the live view. */
void view_lines(struct buf *out, const struct view *v);

#endif
