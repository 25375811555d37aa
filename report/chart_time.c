/* Charts over time: the axis, when jobs ran, changes, and the distribution beside the plot. */
#include "report/gnuplot.h"

#include <math.h>
#include <time.h>

enum { TICKS_MAX = 6, DAY = 86400, BINS_GAP = 8, BINS_WIDTH = 96 };

static double time_step(double span)
{
	static const double steps[] = { 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200,
		DAY, 		2 * DAY, 5 * DAY, 10 * DAY, 20 * DAY, 50 * DAY, 100 * DAY, 200 * DAY };
	size_t i = 0, last = sizeof steps / sizeof *steps - 1;
	while (i < last && span / steps[i] > TICKS_MAX)
		i++;
	return span / steps[i] > TICKS_MAX ? ceil(span / TICKS_MAX / DAY) * DAY : steps[i];
}

/* "Nov 3" where a day begins, else "06:00", or with seconds where they matter. */
static const char *time_text(struct arena *a, double t, double step)
{
	static const char *const months[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug",
		"Sep", "Oct", "Nov", "Dec" };
	time_t seconds = (time_t)t;
	struct tm tm;
	if (!gmtime_r(&seconds, &tm))
		return "?";
	if (tm.tm_hour == 0 && tm.tm_min == 0 && tm.tm_sec == 0)
		return arena_printf(a, "%s %d", months[tm.tm_mon], tm.tm_mday);
	return step < 60 ? arena_printf(a, "%02d:%02d:%02d", tm.tm_hour, tm.tm_min, tm.tm_sec) :
		arena_printf(a, "%02d:%02d", tm.tm_hour, tm.tm_min);
}

void time_axis(struct script *s, double lo, double hi)
{
	double step = time_step(hi - lo);
	bool first = true;
	for (double t = ceil(lo / step) * step; t <= hi; t += step) {
		buf_str(&s->out, first ? "" : ",");
		script_text(s, time_text(s->arena, t, step));
		buf_char(&s->out, ' ');
		buf_double(&s->out, t);
		first = false;
	}
}

static void put_upright(struct script *s, double x, const struct axis *y)
{
	buf_str(&s->out, "set arrow from first ");
	buf_double(&s->out, x);
	buf_char(&s->out, ',');
	buf_double(&s->out, y->lo);
	buf_str(&s->out, " to first ");
	buf_double(&s->out, x);
	buf_char(&s->out, ',');
	buf_double(&s->out, y->hi);
	buf_printf(&s->out, " nohead lc rgb \"#%06x\" dt (6,4) lw 1.2\n", COLOUR_STRONG);
}

/* Rows of bars above the plot: the legend names them. */
void time_strips(struct script *s, const struct chart *c, const struct frame *f, const struct axis *y)
{
	for (size_t i = 0; i < c->n_marks; i++)
		put_upright(s, c->marks[i], y);
	double px = (double)(f->right - f->left) / (c->x_hi - c->x_lo);
	for (size_t k = 0; k < c->n_strips; k++) {
		const struct chart_strip *strip = &c->strips[k];
		double top = f->top - 3 - STRIP_HEIGHT * (double)(c->n_strips - k);
		double middle = 1 - (top + STRIP_HEIGHT / 2.) / f->height;
		double end = -INFINITY;
		for (size_t i = 0; i < strip->n; i++) {
			double from = f->left + (strip->from[i] - c->x_lo) * px, to = f->left + (strip->to[i] - c->x_lo) * px;
			from = fmax(from, f->left);
			to = fmin(fmax(to, from + 1), f->right);
			if (from > f->right || to <= end)
				continue; /* no pixel that is not drawn already */
			end = to;
			buf_printf(&s->out, "set arrow from screen %.5f,%.5f to screen %.5f,%.5f nohead lc rgb \"#%06x\" lw %d\n",
				from / CHART_WIDTH, middle, to / CHART_WIDTH, middle, COLOUR_SERIES + strip->style, STRIP_HEIGHT - 2);
		}
	}
}

void time_bins(struct script *s, const struct chart *c, const struct frame *f)
{
	const struct chart_bins *b = &c->bins;
	size_t most = 1;
	if (b->n == 0)
		return;
	for (size_t i = 0; i < b->n; i++)
		most = b->count[i] > most ? b->count[i] : most;
	double left = (double)(f->right + BINS_GAP) / CHART_WIDTH, unit = (double)BINS_WIDTH / CHART_WIDTH / (double)most;
	for (size_t i = 0; i < b->n; i++) {
		double share = (double)i / (double)b->n, next = (double)(i + 1) / (double)b->n;
		double lo = c->log ? b->lo * pow(b->hi / b->lo, share) : b->lo + share * (b->hi - b->lo);
		double hi = c->log ? b->lo * pow(b->hi / b->lo, next) : b->lo + next * (b->hi - b->lo);
		if (!b->count[i])
			continue;
		buf_printf(&s->out, "set object rectangle from screen %.5f, first ", left);
		buf_double(&s->out, lo);
		buf_printf(&s->out, " to screen %.5f, first ", left + unit * (double)b->count[i]);
		buf_double(&s->out, hi);
		buf_printf(&s->out, " fs solid noborder fc rgb \"#%06x\"\n", COLOUR_SERIES + 1);
	}
	script_label(s, arena_printf(s->arena, "%zu values", most),
		script_screen(s, f->right + BINS_GAP + BINS_WIDTH, f->bottom + 14), "right", COLOUR_TICK);
}
