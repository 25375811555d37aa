/* gnuplot: what chart.c, chart_rows.c, gnuplot.c and svg.c share. Private to report/. */
#ifndef REPORT_GNUPLOT_H
#define REPORT_GNUPLOT_H

#include "base/num.h"
#include "report/chart.h"

/* Colours that stand for roles on their way through gnuplot; svg.c makes classes of them. */
enum {
	COLOUR_AXIS = 1,
	COLOUR_GRID,
	COLOUR_WINDOW,
	COLOUR_MEAN,
	COLOUR_FIT,
	COLOUR_LIMIT,
	COLOUR_BAND,
	COLOUR_TICK,
	COLOUR_STRONG,
	COLOUR_TEXT,
	COLOUR_SERIES = 0x10 /* + style */
};

struct script {
	struct arena *arena;
	struct buf out;     /* gnuplot commands */
	struct buf data;    /* the present chart's data file */
	const char **texts; /* 'T7' stands for texts[7] */
	size_t n_texts, text_cap;
	int height; /* of the present picture */
};

enum { STRIP_HEIGHT = 7 };

struct axis {
	double lo, hi;
	double top; /* where hi is in the picture */
	double tick[24];
	size_t n;
};

/* Edges of the plot in a picture of CHART_WIDTH × height, in pixels from its top left. */
struct frame {
	int left, right, top, bottom, height;
};

/* Starts picture `number`. */
void script_begin(struct script *s, size_t number, const struct frame *f);
/* A placeholder for a text that gnuplot never sees. */
void script_text(struct script *s, const char *text);
void script_label(struct script *s, const char *text, const char *place, const char *align, unsigned colour);
/* A place in the picture, in pixels from its top left, as gnuplot's. */
const char *script_screen(struct script *s, double x, double y);

/* Round ticks over lo … hi, which are stretched to them; from zero unless `zoom`. */
void axis_linear(struct axis *a, bool zoom);
/* As many decimals as the step between ticks needs, or on a logarithmic axis the tick itself. */
const char *axis_tick_text(struct script *s, const struct axis *a, bool log, double v, double factor);

/* CHART_LINES over time: ticks of the x axis, strips above the plot, marks, and the distribution at its right. */
void time_axis(struct script *s, double lo, double hi);
void time_strips(struct script *s, const struct chart *c, const struct frame *f, const struct axis *y);
void time_bins(struct script *s, const struct chart *c, const struct frame *f);

/* Appends one chart's commands, which write NUMBER.svg from NUMBER.dat in the working directory; s->data is its data.
 */
void chart_script(struct script *s, const struct chart *c, size_t number);
void chart_rows_script(struct script *s, const struct chart *c, size_t number);

/* "27449.5" -> "27,449.5"; a true minus. */
const char *text_grouped(struct arena *a, const char *plain);

/* The drawing of one gnuplot SVG file as an element of `doc` with our classes and texts; NULL when it can't be read. */
xmlNodePtr svg_adopt(xmlDocPtr doc, struct slice svg, const char *const *texts, size_t n_texts);

#endif
