/* chart: pictures of few numbers, drawn by one gnuplot process for a whole report.
 *
 * gnuplot sees numbers and our own words only: every text in a picture is a placeholder on its way through gnuplot and
 * put in afterwards, so that a hostile name is never anything but text. Colours become classes of the page's style
 * sheet. */
#ifndef REPORT_CHART_H
#define REPORT_CHART_H

#include "base/diag.h"

#include <libxml/tree.h>

enum { CHART_SERIES = 8, CHART_WIDTH = 640, CHART_HEIGHT = 310 };

enum chart_kind {
	CHART_LINES, /* points joined by a thin line, over numbers or over named places */
	CHART_BARS,  /* grouped bars from zero over named places */
	CHART_ROWS   /* the same lying, one row per place from the top: for long names and many places */
};

struct chart_series {
	const char *name;    /* drawn at the line's end */
	unsigned style;      /* 1 … CHART_SERIES: colour, marker and dash */
	const double *x, *y; /* NAN in y: a gap; x of CHART_ROWS: NULL */
	size_t n;
	bool quiet; /* no markers: many points */
	bool loose; /* markers only */
	const unsigned *marks; /* RESULT_MARKS by point, said behind its number in the picture; NULL: there are none */
	/* CHART_ROWS: an interval at each bar; CHART_LINES: a haze about the line; NAN: none; or both NULL. */
	const double *lo, *hi;
};

/* A bar between two times above the plot: when a job ran. */
struct chart_strip {
	const char *name;
	unsigned style;
	const double *from, *to;
	size_t n;
};
enum { CHART_STRIPS = 4 };

/* How many values lie in each of n stretches of equal height of y, on a logarithmic axis of equal ratio. */
struct chart_bins {
	double lo, hi;
	const size_t *count;
	size_t n;
};

struct chart {
	const char *id;
	enum chart_kind kind;
	const char *title, *subtitle, *description;
	struct chart_series series[CHART_SERIES];
	size_t n_series;
	const char **places; /* names under x = 0, 1, 2 …; NULL: x is a number */
	size_t n_places;
	const char *x_title; /* "round" */
	bool log;            /* y on a logarithmic scale */
	double y_factor;     /* shown = y / y_factor */
	const char *y_unit;  /* at the top of the axis */
	bool zoom;           /* y need not begin at zero */
	bool open;           /* its data table is shown from the start */
	bool legend;         /* what the colours mean stands above the picture, instead of at the lines' ends */

	/* Over time. */
	bool x_time;         /* x is Unix time, and ticks are round times of UTC */
	double x_lo, x_hi;   /* with x_time: the axis */
	struct chart_strip strips[CHART_STRIPS];
	size_t n_strips;
	const double *marks; /* x of upright lines */
	size_t n_marks;
	struct chart_bins bins; /* beside the plot; n 0: none */

	/* What a measurement window adds. */
	bool has_window;
	double window_first, window_last; /* x */
	double mean, band;                /* band: half its height */
	const char *band_text;            /* "10 %" */
	double slope, intercept;          /* the fit over x */
	bool has_band; /* mean, band and band_text over all x, without window and fit */
	/* A published limit. */
	bool has_limit;
	double limit;
	const char *limit_text;
};

/* Draws all; pictures[i] is an SVG element in `doc` that the caller owns, or NULL where there is none. False, with a
 * diagnostic, when gnuplot can't be run or stops early. */
bool charts_draw(const char *gnuplot, struct chart *const *charts, size_t n, xmlDocPtr doc, xmlNodePtr *pictures,
	struct diags *diags);

/* Keeps the least and the greatest of each bucket, in their order: at most 2 × buckets points, written over x and y in
 * place. Returns how many are left. */
size_t decimate(double *x, double *y, size_t n, size_t buckets);

#endif
