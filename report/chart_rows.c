/* Lying bars: a row per place, so that names of any length and many of them can be read. */
#include "model/publish.h"
#include "report/gnuplot.h"

#include <math.h>

enum { TOP = 10, RIGHT = 560, FOOT = 44, BAR = 17, GAP = 9, LEFT_MIN = 70, LEFT_MAX = 330, LETTER = 9, TICKS = 4 };

/* What is beyond this many times the longest bar is cut: an outlier must not flatten the rest. */
static const double INTERVAL_MAX = 2;

static int name_width(const struct chart *c)
{
	size_t most = 0;
	for (size_t i = 0; i < c->n_places; i++) {
		size_t letters = 0;
		for (const char *s = c->places[i]; *s; s++)
			letters += (*s & 0xc0) != 0x80;
		most = letters > most ? letters : most;
	}
	size_t width = most * LETTER + 14;
	return width < LEFT_MIN ? LEFT_MIN : width > LEFT_MAX ? LEFT_MAX : (int)width;
}

static struct axis x_axis(const struct chart *c)
{
	struct axis a = { .lo = 0, .hi = 0 };
	double furthest = 0;
	for (size_t k = 0; k < c->n_series; k++)
		for (size_t i = 0; i < c->series[k].n; i++) {
			const struct chart_series *s = &c->series[k];
			a.hi = isfinite(s->y[i]) ? fmax(a.hi, s->y[i]) : a.hi;
			furthest = s->hi && isfinite(s->hi[i]) ? fmax(furthest, s->hi[i]) : furthest;
		}
	a.hi = fmax(a.hi, fmin(furthest, a.hi * INTERVAL_MAX)) / c->y_factor;
	axis_linear(&a, false);
	return a;
}

static void put_axis(struct script *s, const struct chart *c, const struct axis *a, const struct frame *f)
{
	buf_str(&s->out, "set xrange [0:");
	buf_double(&s->out, a->hi);
	buf_printf(&s->out, "]\nset yrange [%d:0]\nunset ytics\n", f->bottom - f->top);
	buf_printf(&s->out, "set border 2 lc rgb \"#%06x\" lw 1\nset grid xtics lt 1 lw 1 lc rgb \"#%06x\"\n",
		COLOUR_AXIS, COLOUR_GRID);
	buf_printf(&s->out, "set xtics scale 0 nomirror tc rgb \"#%06x\" (", COLOUR_TICK);
	size_t every = a->n > TICKS ? 2 : 1; /* on a phone letters are larger beside the bars */
	for (size_t i = 0; i < a->n; i += every) {
		buf_str(&s->out, i ? "," : "");
		script_text(s, axis_tick_text(s, a, false, a->tick[i], 1));
		buf_char(&s->out, ' ');
		buf_double(&s->out, a->tick[i]);
	}
	buf_str(&s->out, ")\n");
	script_label(s, c->y_unit, script_screen(s, CHART_WIDTH - 2, f->bottom + FOOT - 8), "right", COLOUR_TICK);
}

/* Three digits are what an eye compares; the table has all. */
static const char *value_text(struct script *s, double shown, unsigned marks)
{
	int decimals = shown >= 99.95 ? 0 : shown >= 9.995 ? 1 : shown >= .9995 ? 2 : 3;
	const char *plain = text_grouped(s->arena, arena_printf(s->arena, "%.*f", decimals, shown));
	return arena_printf(s->arena, "%s%s", plain, publish_marks(marks));
}

/* In front of the bars. */
static void put_stroke(struct script *s, double x1, double y1, double x2, double y2)
{
	buf_str(&s->out, "set arrow from ");
	buf_double(&s->out, x1);
	buf_printf(&s->out, ",%.2f to ", y1);
	buf_double(&s->out, x2);
	buf_printf(&s->out, ",%.2f nohead front lc rgb \"#%06x\" lw 1.4\n", y2, COLOUR_STRONG);
}

/* Where the label of a bar may begin: behind it and its interval. */
static double put_interval(
	struct script *s, const struct chart *c, const struct chart_series *bars, size_t i, double y, double end)
{
	if (!bars->lo || !bars->hi || !isfinite(bars->lo[i]) || !isfinite(bars->hi[i]) || !isfinite(bars->y[i]))
		return bars->y[i] / c->y_factor;
	double lo = bars->lo[i] / c->y_factor, hi = bars->hi[i] / c->y_factor;
	put_stroke(s, fmin(lo, end), y, fmin(hi, end), y);
	put_stroke(s, fmin(lo, end), y - 3.5, fmin(lo, end), y + 3.5);
	if (hi <= end)
		put_stroke(s, hi, y - 3.5, hi, y + 3.5);
	return fmax(bars->y[i] / c->y_factor, fmin(hi, end));
}

static bool has_bar(const struct chart *c, size_t series, size_t place)
{
	return place < c->series[series].n && isfinite(c->series[series].y[place]);
}

/* Bars of the series before `series` at a place: a series that has none there takes no room. */
static size_t bars_before(const struct chart *c, size_t series, size_t place)
{
	size_t n = 0;
	for (size_t k = 0; k < series; k++)
		n += has_bar(c, k, place);
	return n;
}

static double height_of(const struct chart *c, size_t place)
{
	size_t n = bars_before(c, c->n_series, place);
	return (double)(n ? n : 1) * BAR + GAP;
}

static void put_bar(struct script *s, const struct chart *c, const struct axis *a, const struct frame *f, size_t k,
	size_t i, double top)
{
	const struct chart_series *bars = &c->series[k];
	double y = top + (double)bars_before(c, k, i) * BAR + GAP / 2. + BAR / 2.;
	double shown = bars->y[i] / c->y_factor, drawn = isfinite(shown) && shown > 0 ? shown : 0;
	const double row[] = { drawn / 2, y, 0, drawn, y - BAR / 2. + 1, y + BAR / 2. - 1 };
	for (size_t n = 0; n < sizeof row / sizeof *row; n++) {
		buf_double(&s->data, isfinite(shown) ? row[n] : NAN);
		buf_char(&s->data, n + 1 < sizeof row / sizeof *row ? ' ' : '\n');
	}
	if (!isfinite(shown))
		return;
	double end = put_interval(s, c, bars, i, y, a->hi);
	double px = f->left + end / a->hi * (f->right - f->left) + 5;
	script_label(s, value_text(s, shown, bars->marks ? bars->marks[i] : 0), script_screen(s, px, f->top + y),
		"left", COLOUR_TEXT);
}

void chart_rows_script(struct script *s, const struct chart *c, size_t number)
{
	double *top = ARENA_ARRAY(s->arena, c->n_places + 1, double);
	for (size_t i = 0; i < c->n_places; i++)
		top[i + 1] = top[i] + height_of(c, i);
	int bottom = TOP + (int)top[c->n_places];
	struct frame f = { name_width(c), RIGHT, TOP, bottom, bottom + FOOT };
	struct axis x = x_axis(c);
	script_begin(s, number, &f);
	put_axis(s, c, &x, &f);
	for (size_t i = 0; i < c->n_places; i++)
		script_label(s, c->places[i], script_screen(s, f.left - 8, TOP + (top[i] + top[i + 1]) / 2), "right",
			COLOUR_TEXT);
	for (size_t k = 0; k < c->n_series; k++) {
		for (size_t i = 0; i < c->series[k].n; i++)
			put_bar(s, c, &x, &f, k, i, top[i]);
		if (c->series[k].n == 0)
			buf_str(&s->data, "NaN NaN NaN NaN NaN NaN\n");
		buf_str(&s->data, "\n\n");
	}
	buf_str(&s->out, "plot ");
	for (size_t k = 0; k < c->n_series; k++)
		buf_printf(&s->out, "%s'%zu.dat' index %zu using 1:2:3:4:5:6 with boxxy fs solid 1 noborder lc rgb \"#%06x\"",
			k ? ", " : "", number, k, COLOUR_SERIES + c->series[k].style);
	buf_str(&s->out, "\nunset output\n");
}
