#include "report/chart.h"

#include "model/publish.h"
#include "report/gnuplot.h"

#include <math.h>

/* The plot's edges in the picture. */
enum { LEFT = 62, RIGHT_LINES = 522, RIGHT_BARS = 630, RIGHT_BINS = 412, TOP = 34, BOTTOM = 262,
	LABEL_GAP = 17, BAR_MAX = 64, LETTER = 7 };

static double nice_step(double range, int about)
{
	double raw = range / about, power = pow(10, floor(log10(raw))), m = raw / power;
	return (m <= 1 ? 1 : m <= 2 ? 2 : m <= 5 ? 5 : 10) * power;
}

static void stretch(double v, bool log, double *lo, double *hi)
{
	if (!isfinite(v) || (log && v <= 0))
		return;
	*lo = fmin(*lo, v);
	*hi = fmax(*hi, v);
}

static void log_axis(struct axis *a)
{
	static const double step[] = { 1, 2, 5 };
	double first = pow(10, floor(log10(a->lo) + 1e-9)), lo = first, hi = 0;
	bool decades = a->hi / a->lo > 100;
	size_t max = sizeof a->tick / sizeof *a->tick;
	for (double p = first; a->n < max && hi < a->hi; p *= 10)
		for (size_t i = 0; i < (decades ? 1 : 3) && a->n < max && hi < a->hi; i++) {
			double v = p * step[i];
			if (v <= a->lo * (1 + 1e-9)) {
				a->n = 0;
				lo = v;
			}
			a->tick[a->n++] = hi = v;
		}
	a->lo = lo;
	a->hi = fmax(hi, a->hi);
}

void axis_linear(struct axis *a, bool zoom)
{
	if (!zoom && a->lo > 0)
		a->lo = 0;
	if (a->hi <= a->lo)
		a->hi = a->lo + (a->lo != 0 ? fabs(a->lo) * .1 : 1);
	double step = nice_step(a->hi - a->lo, 4);
	a->lo = floor(a->lo / step + 1e-9) * step;
	a->hi = ceil(a->hi / step - 1e-9) * step;
	for (size_t i = 0;
		i < sizeof a->tick / sizeof *a->tick && a->lo + (double)i * step <= a->hi * (1 + 1e-9) + step * 1e-6;
		i++)
		a->tick[a->n++] = a->lo + (double)i * step;
}

static struct axis y_axis(const struct chart *c)
{
	struct axis a = { .lo = INFINITY, .hi = -INFINITY };
	for (size_t k = 0; k < c->n_series; k++)
		for (size_t i = 0; i < c->series[k].n; i++) {
			stretch(c->series[k].y[i], c->log, &a.lo, &a.hi);
			stretch(c->series[k].hi ? c->series[k].lo[i] : NAN, c->log, &a.lo, &a.hi);
			stretch(c->series[k].hi ? c->series[k].hi[i] : NAN, c->log, &a.lo, &a.hi);
		}
	if (c->has_window || c->has_band) {
		stretch(c->mean - c->band, c->log, &a.lo, &a.hi);
		stretch(c->mean + c->band, c->log, &a.lo, &a.hi);
	}
	if (c->has_limit)
		stretch(c->limit, c->log, &a.lo, &a.hi);
	if (a.lo > a.hi)
		a = (struct axis){ .lo = c->log ? 1 : 0, .hi = c->log ? 10 : 1 };
	/* Round numbers are round in the unit that is shown. */
	a.lo /= c->y_factor;
	a.hi /= c->y_factor;
	if (c->log)
		log_axis(&a);
	else
		axis_linear(&a, c->zoom);
	a.lo *= c->y_factor;
	a.hi *= c->y_factor;
	for (size_t i = 0; i < a.n; i++)
		a.tick[i] *= c->y_factor;
	a.top = TOP + STRIP_HEIGHT * (double)c->n_strips;
	return a;
}

static void x_range(const struct chart *c, double *lo, double *hi)
{
	if (c->places) {
		*lo = c->kind == CHART_BARS ? -.5 : -.25;
		*hi = (double)c->n_places - (c->kind == CHART_BARS ? .5 : .75);
		return;
	}
	if (c->x_time) {
		*lo = c->x_lo;
		*hi = c->x_hi;
		return;
	}
	*lo = INFINITY;
	*hi = -INFINITY;
	for (size_t k = 0; k < c->n_series; k++)
		for (size_t i = 0; i < c->series[k].n; i++)
			stretch(c->series[k].x[i], false, lo, hi);
	if (*lo > *hi) {
		*lo = 0;
		*hi = 1;
	}
	double pad = *hi > *lo ? (*hi - *lo) * .03 : .5;
	*lo -= pad;
	*hi += pad;
}

void script_text(struct script *s, const char *text)
{
	*ARENA_PUSH(s->arena, s->texts, s->n_texts, s->text_cap) = text;
	buf_printf(&s->out, "'T%zu'", s->n_texts - 1);
}

void script_label(struct script *s, const char *text, const char *place, const char *align, unsigned colour)
{
	buf_str(&s->out, "set label ");
	script_text(s, text);
	buf_printf(&s->out, " at %s %s tc rgb \"#%06x\"\n", place, align, colour);
}

const char *script_screen(struct script *s, double x, double y)
{
	return arena_printf(s->arena, "screen %.5f,%.5f", x / CHART_WIDTH, 1 - y / s->height);
}

const char *axis_tick_text(struct script *s, const struct axis *a, bool log, double v, double factor)
{
	double step = log ? v / factor : a->n > 1 ? fabs(a->tick[1] - a->tick[0]) / factor : 1;
	int decimals = step >= .999 ? 0 : (int)ceil(-log10(step) - 1e-9);
	const char *plain = arena_printf(s->arena, "%.*f", decimals > 9 ? 9 : decimals, v / factor);
	return text_grouped(s->arena, plain);
}

static void put_y_axis(struct script *s, const struct chart *c, const struct axis *a)
{
	buf_str(&s->out, c->log ? "set logscale y 10\n" : "unset logscale\n");
	buf_str(&s->out, "set yrange [");
	buf_double(&s->out, a->lo);
	buf_char(&s->out, ':');
	buf_double(&s->out, a->hi);
	buf_printf(&s->out, "]\nset ytics scale 0 nomirror tc rgb \"#%06x\" (", COLOUR_TICK);
	for (size_t i = 0; i < a->n; i++) {
		if (i)
			buf_char(&s->out, ',');
		script_text(s, axis_tick_text(s, a, c->log, a->tick[i], c->y_factor));
		buf_char(&s->out, ' ');
		buf_double(&s->out, a->tick[i]);
	}
	buf_str(&s->out, ")\n");
	const char *unit = c->log ? arena_printf(s->arena, "%s, log scale", c->y_unit) : c->y_unit;
	script_label(s, unit, script_screen(s, 4, 12), "left", COLOUR_TICK);
}

static void put_x_axis(struct script *s, const struct chart *c, double lo, double hi, int right)
{
	buf_str(&s->out, "set xrange [");
	buf_double(&s->out, lo);
	buf_char(&s->out, ':');
	buf_double(&s->out, hi);
	buf_printf(&s->out, "]\nset xtics scale 0.4 nomirror tc rgb \"#%06x\" (", COLOUR_TICK);
	if (c->x_time) {
		time_axis(s, lo, hi);
	} else if (c->places) {
		for (size_t i = 0; i < c->n_places; i++) {
			if (i)
				buf_char(&s->out, ',');
			script_text(s, c->places[i]);
			buf_printf(&s->out, " %zu", i);
		}
	} else {
		double step = fmax(nice_step(hi - lo, 6), strcmp(c->x_title, "round") ? 0 : 1);
		bool first = true;
		for (double v = ceil(lo / step) * step + 0.0; v <= hi; v += step) {
			if (v < 0 || (v < 1 && step == 1))
				continue;
			if (!first)
				buf_char(&s->out, ',');
			script_text(s, text_grouped(s->arena, arena_printf(s->arena, step < 1 ? "%.2g" : "%.0f", v)));
			buf_char(&s->out, ' ');
			buf_double(&s->out, v);
			first = false;
		}
	}
	buf_str(&s->out, ")\n");
	script_label(s, c->x_title, script_screen(s, right, CHART_HEIGHT - 8), "right", COLOUR_TICK);
}

static void put_segment(
	struct script *s, double x1, double y1, double x2, double y2, unsigned colour, const char *dash, double width)
{
	buf_str(&s->out, "set arrow from first ");
	buf_double(&s->out, x1);
	buf_char(&s->out, ',');
	buf_double(&s->out, y1);
	buf_str(&s->out, " to first ");
	buf_double(&s->out, x2);
	buf_char(&s->out, ',');
	buf_double(&s->out, y2);
	buf_printf(&s->out, " nohead lc rgb \"#%06x\" dt %s lw %.1f\n", colour, dash, width);
}

static double place_y(const struct axis *a, bool log, double v)
{
	double share = log ? log10(v / a->lo) / log10(a->hi / a->lo) : (v - a->lo) / (a->hi - a->lo);
	return BOTTOM - share * (BOTTOM - a->top);
}

static void put_band(struct script *s, const struct chart *c, const struct axis *a, double x1, double x2)
{
	put_segment(s, x1, c->mean, x2, c->mean, COLOUR_MEAN, "1", 1.5);
	if (c->band > 0) {
		put_segment(s, x1, c->mean + c->band, x2, c->mean + c->band, COLOUR_BAND, "(10,6)", 1.2);
		put_segment(s, x1, c->mean - c->band, x2, c->mean - c->band, COLOUR_BAND, "(10,6)", 1.2);
	}
	double middle = place_y(a, c->log, c->mean), x = RIGHT_LINES + 8;
	double gap = fmax(LABEL_GAP, middle - place_y(a, c->log, c->mean + c->band));
	script_label(s, "mean", script_screen(s, x, middle), "left", COLOUR_STRONG);
	if (c->band > 0) {
		script_label(s, arena_printf(s->arena, "+%s", c->band_text), script_screen(s, x, middle - gap), "left",
			COLOUR_TICK);
		script_label(s, arena_printf(s->arena, "\xe2\x88\x92%s", c->band_text), script_screen(s, x, middle + gap), "left",
			COLOUR_TICK);
	}
}

static void put_window(struct script *s, const struct chart *c, const struct axis *a, double lo, double hi)
{
	double x1 = fmax(lo, c->window_first - .3), x2 = fmin(hi, c->window_last + .3);
	buf_str(&s->out, "set object rectangle from first ");
	buf_double(&s->out, x1);
	buf_str(&s->out, ",graph 0 to first ");
	buf_double(&s->out, x2);
	buf_printf(&s->out, ",graph 1 behind fs solid noborder fc rgb \"#%06x\"\n", COLOUR_WINDOW);
	put_band(s, c, a, x1, x2);
	put_segment(s, c->window_first, c->intercept + c->slope * c->window_first, c->window_last,
		c->intercept + c->slope * c->window_last, COLOUR_FIT, "(2,5)", 2.2);
}

struct line_end {
	size_t series;
	double y;
};

/* Names stand at their lines' ends, moved apart where they would overlap. */
static void put_line_names(struct script *s, const struct chart *c, const struct axis *a)
{
	struct line_end end[CHART_SERIES];
	size_t n = 0;
	for (size_t k = 0; k < c->n_series; k++) {
		const struct chart_series *line = &c->series[k];
		size_t last = line->n;
		while (last > 0 && !(isfinite(line->y[last - 1]) && (!c->log || line->y[last - 1] > 0)))
			last--;
		if (!last || !line->name)
			continue;
		struct line_end e = { k, place_y(a, c->log, line->y[last - 1]) };
		size_t at = n++;
		for (; at > 0 && end[at - 1].y > e.y; at--)
			end[at] = end[at - 1];
		end[at] = e;
	}
	for (size_t i = 1; i < n; i++)
		end[i].y = fmax(end[i].y, end[i - 1].y + LABEL_GAP);
	double bottom = BOTTOM + 6;
	for (size_t i = n; i-- > 0;) {
		end[i].y = fmin(end[i].y, bottom);
		bottom = end[i].y - LABEL_GAP;
	}
	for (size_t i = 0; i < n; i++) {
		const struct chart_series *line = &c->series[end[i].series];
		script_label(s, line->name, script_screen(s, RIGHT_LINES + 22, end[i].y), "left", COLOUR_TEXT);
		buf_printf(&s->out, "set label '' at %s point pt %u ps 0.8 lc rgb \"#%06x\"\n",
			script_screen(s, RIGHT_LINES + 12, end[i].y), line->style, COLOUR_SERIES + line->style);
	}
}

/* One row of a data file. What can't be drawn is written as NaN, never left out: gnuplot finds series by counting blank
 * lines, and an empty one would give its place, and its colour, to the next. */
static void put_datum(struct script *s, const struct chart *c, double x, double y, double width)
{
	buf_double(&s->data, x);
	buf_char(&s->data, ' ');
	buf_double(&s->data, c->log && y <= 0 ? NAN : y);
	buf_char(&s->data, ' ');
	buf_double(&s->data, width);
	buf_char(&s->data, '\n');
}

static void put_line_data(struct script *s, const struct chart *c)
{
	for (size_t k = 0; k < c->n_series; k++) {
		const struct chart_series *line = &c->series[k];
		for (size_t i = 0; i < line->n; i++)
			put_datum(s, c, line->x[i], line->y[i], 0);
		if (line->n == 0)
			put_datum(s, c, 0, NAN, 0);
		buf_str(&s->data, "\n\n");
	}
	for (size_t k = 0; k < c->n_series; k++) {
		const struct chart_series *line = &c->series[k];
		for (size_t i = 0; line->hi && i < line->n; i++) {
			if (isfinite(line->lo[i]) && isfinite(line->hi[i]))
				put_datum(s, c, line->x[i], line->lo[i], line->hi[i]);
			else
				buf_char(&s->data, '\n');
		}
		buf_str(&s->data, line->hi ? "\n\n" : "");
	}
}

/* Behind the lines; their data follow those of all lines. */
static void put_hazes(struct script *s, const struct chart *c, size_t number)
{
	size_t index = c->n_series;
	for (size_t k = 0; k < c->n_series; k++)
		if (c->series[k].hi && c->series[k].n)
			buf_printf(&s->out, "'%zu.dat' index %zu using 1:2:3 with filledcurves fs transparent solid 0.2 noborder "
				"lc rgb \"#%06x\", ", number, index++, COLOUR_SERIES + c->series[k].style);
}

static void put_lines(struct script *s, const struct chart *c, size_t number)
{
	static const char *const dash[] = { "1", "(12,4)", "(4,4)", "(12,4,3,4)", "(7,3)", "(2,3)", "(14,3,2,3,2,3)",
		"(9,6)" };
	put_line_data(s, c);
	buf_str(&s->out, "plot ");
	put_hazes(s, c, number);
	for (size_t k = 0; k < c->n_series; k++) {
		const struct chart_series *line = &c->series[k];
		unsigned style = line->style;
		buf_printf(&s->out, "%s'%zu.dat' index %zu using 1:2 with %s lc rgb \"#%06x\" lw 1.4 dt %s",
			k ? ", " : "", number, k, line->loose ? "points" : line->quiet ? "lines" : "linespoints", COLOUR_SERIES + style,
			c->has_window || line->hi ? "1" : dash[(style - 1) % CHART_SERIES]);
		if (!line->quiet)
			buf_printf(&s->out, " pt %u ps 0.8", style);
	}
	buf_char(&s->out, '\n');
}

static void put_bars(struct script *s, const struct chart *c, const struct axis *a, size_t number)
{
	double most = BAR_MAX * (double)c->n_places / (RIGHT_BARS - LEFT),
	       width = fmin(.78 / (double)c->n_series, most);
	bool few = c->n_series * c->n_places <= 14;
	for (size_t k = 0; k < c->n_series; k++) {
		const struct chart_series *bars = &c->series[k];
		for (size_t i = 0; i < bars->n; i++) {
			double x = bars->x[i] + ((double)k - (double)(c->n_series - 1) / 2) * width;
			put_datum(s, c, x, bars->y[i], width * .92);
			if (!few || !isfinite(bars->y[i]))
				continue;
			double px = LEFT + (x + .5) / (double)c->n_places * (RIGHT_BARS - LEFT);
			double shown = bars->y[i] / c->y_factor;
			unsigned marks = bars->marks ? bars->marks[i] : 0;
			const char *plain = arena_printf(s->arena, "%.*f", shown < 100 ? 1 : 0, shown);
			const char *label = arena_printf(s->arena, "%s%s", text_grouped(s->arena, plain), publish_marks(marks));
			/* Words too wide for the bar would run into the next one's: the table below says the figure. */
			double room = width / (double)c->n_places * (RIGHT_BARS - LEFT);
			if (marks & RESULT_PUBLISHED && c->n_series > 1 && strlen(label) * LETTER > room)
				continue;
			script_label(s, label, script_screen(s, px, place_y(a, false, bars->y[i]) - 8), "center", COLOUR_TEXT);
		}
		buf_str(&s->data, "\n\n");
	}
	buf_str(&s->out, "plot ");
	for (size_t k = 0; k < c->n_series; k++)
		buf_printf(&s->out, "%s'%zu.dat' index %zu using 1:2:3 with boxes fs solid 1 noborder lc rgb \"#%06x\"",
			k ? ", " : "", number, k, COLOUR_SERIES + c->series[k].style);
	buf_char(&s->out, '\n');
}

void script_begin(struct script *s, size_t number, const struct frame *f)
{
	s->height = f->height;
	buf_clear(&s->data);
	buf_printf(&s->out, "reset\nset terminal svg size %d,%d noenhanced font 'sans,12'\nset output '%zu.svg'\n",
		CHART_WIDTH, f->height, number);
	buf_printf(&s->out, "set lmargin at screen %.5f\nset rmargin at screen %.5f\n", (double)f->left / CHART_WIDTH,
		(double)f->right / CHART_WIDTH);
	buf_printf(&s->out, "set tmargin at screen %.5f\nset bmargin at screen %.5f\n",
		1 - (double)f->top / f->height, 1 - (double)f->bottom / f->height);
	buf_str(&s->out, "unset key\n");
}

void chart_script(struct script *s, const struct chart *c, size_t number)
{
	if (c->kind == CHART_ROWS) {
		chart_rows_script(s, c, number);
		return;
	}
	struct axis y = y_axis(c);
	double lo, hi;
	x_range(c, &lo, &hi);
	bool wide = c->kind == CHART_BARS || (c->legend && !c->has_band);
	struct frame frame = { LEFT, wide ? RIGHT_BARS : c->bins.n ? RIGHT_BINS : RIGHT_LINES, (int)y.top, BOTTOM,
		CHART_HEIGHT };
	script_begin(s, number, &frame);
	buf_printf(&s->out, "set border 1 lc rgb \"#%06x\" lw 1\nset grid ytics lt 1 lw 1 lc rgb \"#%06x\"\n",
		COLOUR_AXIS, COLOUR_GRID);
	put_y_axis(s, c, &y);
	put_x_axis(s, c, lo, hi, frame.right);
	time_strips(s, c, &frame, &y);
	time_bins(s, c, &frame);
	if (c->has_window)
		put_window(s, c, &y, lo, hi);
	else if (c->has_band)
		put_band(s, c, &y, lo, hi);
	if (c->has_limit && c->limit > 0) {
		put_segment(s, lo, c->limit, hi, c->limit, COLOUR_LIMIT, "1", 1.6);
		double at = place_y(&y, c->log, c->limit);
		script_label(s, c->limit_text, script_screen(s, LEFT + 6, at - 16 < y.top ? at + 11 : at - 8), "left", COLOUR_LIMIT);
	}
	if (c->kind == CHART_BARS) {
		put_bars(s, c, &y, number);
	} else {
		if (!c->has_window && !c->has_band && !c->legend)
			put_line_names(s, c, &y);
		put_lines(s, c, number);
	}
	buf_str(&s->out, "unset output\n");
}

size_t decimate(double *x, double *y, size_t n, size_t buckets)
{
	if (n <= 2 * buckets)
		return n;
	size_t out = 0;
	for (size_t b = 0; b < buckets; b++) {
		size_t from = (size_t)((double)n * (double)b / (double)buckets);
		size_t to = (size_t)((double)n * (double)(b + 1) / (double)buckets);
		size_t least = from, most = from;
		for (size_t i = from; i < to; i++) {
			least = y[i] < y[least] ? i : least;
			most = y[i] > y[most] ? i : most;
		}
		size_t first = least < most ? least : most, second = least < most ? most : least;
		double x1 = x[first], y1 = y[first], x2 = x[second], y2 = y[second];
		x[out] = x1;
		y[out++] = y1;
		if (second != first) {
			x[out] = x2;
			y[out++] = y2;
		}
	}
	return out;
}
