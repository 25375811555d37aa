#define _DEFAULT_SOURCE
#include "loadgen/view.h"

#include "loadgen/rounds.h"

#include <math.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { TRACKED_SHOWN = 3, PLOT_LEAST = 8 };

static const char BLUE[] = "\033[34m", AMBER[] = "\033[33m", PLAIN[] = "\033[0m";

struct view view_open(const struct load_options *o, const struct profile *p, const struct target *targets, size_t n)
{
	struct view v = { .out = stderr, .quiet = o->quiet, .profile = p, .n_targets = n };
	const char *no = getenv("NO_COLOR");
	v.live = !o->quiet && isatty(STDERR_FILENO);
	v.color = o->color == LOAD_COLOR_ALWAYS || (o->color == LOAD_COLOR_AUTO && v.live && !(no && *no));
	for (size_t i = 0; i < n; i++)
		v.range = fmax(v.range, (double)targets[i].length);
	return v;
}

static void put_quantity(struct buf *out, double value, enum unit u, int digits)
{
	char text[48];
	quantity_show(text, sizeof text, value, u, digits);
	buf_str(out, text);
}

void view_duration(struct buf *out, double seconds)
{
	unsigned long s = (unsigned long)llround(fmax(seconds, 0));
	if (seconds > 0 && seconds < 9.95 && fabs(seconds - round(seconds)) > 0.05)
		buf_printf(out, "%.1f s", seconds);
	else if (s < 60)
		buf_printf(out, "%lu s", s);
	else if (s < 3600)
		buf_printf(out, "%lu:%02lu min", s / 60, s % 60);
	else
		buf_printf(out, "%lu:%02lu h", (s + 30) / 3600, (s + 30) / 60 % 60);
}

static void put_span(struct buf *out, double least, double most)
{
	view_duration(out, least);
	if (round(most) > round(least)) {
		buf_str(out, " to ");
		view_duration(out, most);
	}
}

/* A line of text cut to `width` columns (0: as it is); colour takes no room. */
static void put_cut(struct buf *out, struct slice s, unsigned width)
{
	unsigned w = 0;
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '\033') {
			for (; i + 1 < s.n && s.p[i] != 'm'; i++)
				buf_char(out, s.p[i]);
			buf_char(out, s.p[i]);
			continue;
		}
		w += ((unsigned char)s.p[i] & 0xc0) != 0x80;
		if (!width || w <= width)
			buf_char(out, s.p[i]);
	}
}

static unsigned columns_of(struct slice s)
{
	unsigned w = 0;
	for (size_t i = 0; i < s.n; i++)
		w += ((unsigned char)s.p[i] & 0xc0) != 0x80;
	return w;
}

void view_plot(struct buf *out, const double *y, size_t n, const struct steady_window *w, size_t most)
{
	static const char *const level[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇" };
	size_t from = n > most ? n - most : 0;
	for (size_t i = from; i < n; i++) {
		double at = w->mean != 0 && isfinite(y[i]) ? (y[i] / w->mean - 0.8) / 0.4 * 7 : 0;
		buf_str(out, i == w->first ? "[" : "");
		buf_str(out, level[(size_t)fmin(fmax(floor(at), 0), 6)]);
		buf_str(out, i + 1 == w->first + w->n ? "]" : "");
	}
}

void view_left(const struct view *v, double *least, double *most)
{
	const struct stage *s = v->stage;
	double cell = s->runtime + s->ramp, left = ((double)s->n_list - (double)v->cell) * cell - v->into;
	bool rounds = v->test && v->test->round;
	double after = rounds ? s->rounds - (double)v->test->round : 0;
	double needed = 0;
	if (rounds && s->judge && !(s->written > 0))
		needed = fmin((double)s->judge->window - (double)v->test->round, after);
	if (rounds) {
		*least = fmax(left, 0) + (s->judge ? fmax(needed, 0) : after) * (double)s->n_list * cell;
		*most = fmax(left, 0) + after * (double)s->n_list * cell;
	} else {
		*least = stage_least(s);
		*most = stage_most(s);
	}
	for (const struct stage *next = s + 1; next < v->profile->stages + v->profile->n_stages; next++) {
		*least += stage_least(next);
		*most += stage_most(next);
	}
}

static void put_excursions(struct buf *out, const struct view *v, const struct steady_window *w)
{
	const struct steady_rule *rule = v->stage->judge;
	if (w->n < rule->window) {
		buf_printf(out, "%zu of the %zu rounds that can show it", w->n, rule->window);
		return;
	}
	buf_printf(out, "range %.1f of %.0f %%  rise %.1f of %.0f %%  %s%s%s", 100 * w->data_excursion / fabs(w->mean),
		100 * rule->range, 100 * w->slope_excursion / fabs(w->mean), 100 * rule->rise,
		v->color ? (w->steady ? BLUE : AMBER) : "", w->steady ? "steady" : "not yet", v->color ? PLAIN : "");
}

/* How far preconditioning is, in B per target; none outside of it. */
static double preconditioned(const struct view *v, double *whole)
{
	*whole = v->test && !v->test->round ? v->test->work->passes * v->range : 0;
	return *whole > 0 ? fmin(v->written, *whole) : 0;
}

static void put_left(struct buf *out, const struct view *v)
{
	double least, most, whole, done = preconditioned(v, &whole);
	view_left(v, &least, &most);
	if (done > 0) {
		least += (whole - done) / done * v->into;
		most += (whole - done) / done * v->into;
	}
	buf_str(out, "left  ");
	put_span(out, ceil(least), ceil(most));
	if (whole > 0 && !(done > 0))
		buf_str(out, ", and the time to write the range");
}

static void put_where(struct buf *out, const struct view *v)
{
	const struct stage *s = v->stage;
	double whole, done = preconditioned(v, &whole);
	buf_printf(out, "%s%s%s", v->profile->name ? v->profile->name : "storage", v->profile->n_stages > 1 ? ", " : "",
		v->profile->n_stages > 1 ? s->name : "");
	if (!v->test) {
		buf_printf(out, "  %s", v->phase ? v->phase : "");
		return;
	}
	if (v->test->round) {
		if (s->rounds > 1)
			buf_printf(out, "  round %zu of %s%.0f", v->test->round, s->judge ? "at most " : "", s->rounds);
		if (s->n_list > 1)
			buf_printf(out, "  cell %zu of %zu:", v->cell + 1, s->n_list);
		buf_printf(out, "%s%s", s->n_list > 1 ? " " : "  ", v->test->work->name);
	} else {
		buf_printf(out, "  preconditioning %.0f %%", 100 * done / whole);
	}
}

static void put_now(struct buf *out, const struct view *v)
{
	if (!isfinite(v->now.iops)) {
		buf_str(out, "now  starting");
		return;
	}
	buf_str(out, "now  ");
	put_quantity(out, v->now.iops, UNIT_PER_S, 4);
	buf_str(out, v->now.iops < 1000 ? " IOPS  " : "IOPS  ");
	put_quantity(out, v->now.bandwidth, UNIT_B_PER_S, 4);
	if (isfinite(v->now.mean)) {
		buf_str(out, "  mean ");
		put_quantity(out, v->now.mean, UNIT_S, 3);
		buf_str(out, "  p99 ");
		put_quantity(out, v->now.p99, UNIT_S, 3);
	}
}

/* One line of the view, made by `put`. */
static void put_line(struct buf *out, const struct view *v, void (*put)(struct buf *out, const struct view *v))
{
	struct buf line = BUF_EMPTY;
	put(&line, v);
	put_cut(out, buf_view(&line), v->width);
	buf_char(out, '\n');
	buf_free(&line);
}

static void put_plots(struct buf *out, const struct view *v)
{
	struct buf line = BUF_EMPTY;
	size_t shown = 0;
	for (size_t i = 0; v->cells && v->stage->judge && i < v->stage->n_list && shown < TRACKED_SHOWN; i++) {
		const struct history *h = &v->cells[i];
		if (!v->stage->list[i].tracked || !h->n || !h->window.n)
			continue;
		buf_clear(&line);
		buf_printf(&line, "%s  ", v->stage->list[i].name);
		unsigned taken = columns_of(buf_view(&line)) + 48;
		view_plot(&line, h->judged, h->n, &h->window, v->width > taken + PLOT_LEAST ? v->width - taken : PLOT_LEAST);
		buf_str(&line, "  ");
		put_excursions(&line, v, &h->window);
		put_cut(out, buf_view(&line), v->width);
		buf_char(out, '\n');
		shown++;
	}
	buf_free(&line);
}

void view_lines(struct buf *out, const struct view *v)
{
	put_line(out, v, put_where);
	if (!v->test)
		return;
	put_line(out, v, put_now);
	put_plots(out, v);
	put_line(out, v, put_left);
}

static void erase(struct view *v)
{
	if (v->drawn)
		fprintf(v->out, "\033[%uA\r\033[J", v->drawn);
	v->drawn = 0;
}

static void draw(struct view *v)
{
	struct winsize w;
	struct buf b = BUF_EMPTY;
	if (!v->live)
		return;
	/* The last column stays free: some terminals break the line there. */
	v->width = ioctl(fileno(v->out), TIOCGWINSZ, &w) == 0 && w.ws_col > 20 ? w.ws_col - 1u : 79;
	view_lines(&b, v);
	erase(v);
	fwrite(b.p, 1, b.n, v->out);
	for (size_t i = 0; i < b.n; i++)
		v->drawn += b.p[i] == '\n';
	fflush(v->out);
	buf_free(&b);
}

static void print(struct view *v, const struct buf *text)
{
	if (v->quiet)
		return;
	erase(v);
	fwrite(buf_view(text).p, 1, text->n, v->out);
	fflush(v->out);
}

static void put_stage_plan(struct buf *out, const struct view *v, const struct stage *s)
{
	const char *targets = v->n_targets > 1 ? "each target" : "the target";
	if (v->profile->n_stages > 1)
		buf_printf(out, "%s:\n", s->name);
	if (s->purge)
		buf_printf(out, "  the active range of %s is discarded\n", targets);
	if (s->passes > 0) {
		buf_str(out, "  ");
		put_quantity(out, s->passes * v->range, UNIT_B, 4);
		buf_printf(out, " are written to %s in sequence (at 1 GiB/s ", targets);
		view_duration(out, s->passes * v->range / (1 << 30));
		buf_str(out, ")\n");
	}
	buf_printf(out, s->rounds > 1 ? "  rounds of " : "  ");
	if (s->n_list > 1)
		buf_printf(out, "%zu cells, ", s->n_list);
	else
		buf_printf(out, "%s, ", s->list[0].name);
	view_duration(out, s->runtime + s->ramp);
	buf_str(out, s->n_list > 1 ? " each" : "");
	if (s->rounds > 1)
		buf_printf(out, s->judge ? ", until steady, at most %.0f" : ", %.0f times", s->rounds);
	buf_char(out, '\n');
}

void view_plan(struct view *v)
{
	struct buf b = BUF_EMPTY;
	double least = 0, most = 0;
	bool passes = false;
	buf_printf(&b, "%s on %zu target%s\n", v->profile->title ? v->profile->title : "Load on storage", v->n_targets,
		v->n_targets == 1 ? "" : "s");
	for (size_t i = 0; i < v->profile->n_stages; i++) {
		const struct stage *s = &v->profile->stages[i];
		put_stage_plan(&b, v, s);
		least += stage_least(s);
		most += stage_most(s);
		passes |= s->passes > 0;
	}
	buf_printf(&b, "It takes %s", round(most) > round(least) ? "at least " : "");
	view_duration(&b, least);
	if (round(most) > round(least)) {
		buf_str(&b, ", at most ");
		view_duration(&b, most);
	}
	buf_str(&b, passes ? ", and the time to write the range first.\n" : ".\n");
	print(v, &b);
	buf_free(&b);
}

void view_stage(struct view *v, const struct stage *s)
{
	v->stage = s;
	v->cells = NULL;
	v->test = NULL;
	v->phase = NULL;
	v->round = 0;
}

void view_phase(struct view *v, const char *what)
{
	v->phase = what;
	v->test = NULL;
	draw(v);
}

void view_test(struct view *v, const struct test *t, size_t cell)
{
	v->test = t;
	v->cell = cell;
	v->into = v->written = 0;
	v->now = (struct figures){ .iops = NAN };
	draw(v);
}

void view_now(struct view *v, const struct sum *s, double into)
{
	if (v->quiet)
		return;
	v->now = sum_figures(s);
	v->into = into;
	v->written += (double)s->op[LOAD_WRITE].bytes / (double)v->n_targets;
	draw(v);
}

static void put_figures(struct buf *out, const struct figures *f)
{
	put_quantity(out, f->iops, UNIT_PER_S, 4);
	buf_str(out, f->iops < 1000 ? " IOPS, " : "IOPS, ");
	put_quantity(out, f->bandwidth, UNIT_B_PER_S, 4);
	if (isfinite(f->mean)) {
		buf_str(out, ", mean ");
		put_quantity(out, f->mean, UNIT_S, 3);
		buf_str(out, ", p99 ");
		put_quantity(out, f->p99, UNIT_S, 3);
	}
}

void view_round(struct view *v, const struct history *cells, size_t round)
{
	const struct stage *s = v->stage;
	struct buf b = BUF_EMPTY;
	v->cells = cells;
	v->round = round;
	if (v->live) {
		draw(v);
		return;
	}
	if (s->rounds < 2)
		return;
	buf_printf(&b, "round %zu of %s%.0f:", round, s->judge ? "at most " : "", s->rounds);
	size_t shown = 0;
	for (size_t i = 0; i < s->n_list && shown < TRACKED_SHOWN; i++) {
		if (s->judge && !s->list[i].tracked)
			continue;
		buf_printf(&b, "%s %s ", shown++ ? ";" : "", s->list[i].name);
		put_figures(&b, &cells[i].rounds[cells[i].n - 1]);
		if (s->judge) {
			buf_str(&b, ", ");
			put_excursions(&b, v, &cells[i].window);
		}
	}
	buf_char(&b, '\n');
	print(v, &b);
	buf_free(&b);
}

/* The mean of each figure over the window, else over the last rounds that a window would have. */
static struct figures mean_of(const struct history *h, size_t first, size_t n)
{
	struct figures m = { 0 };
	for (size_t i = first; i < first + n; i++) {
		m.iops += h->rounds[i].iops / (double)n;
		m.bandwidth += h->rounds[i].bandwidth / (double)n;
		m.mean += h->rounds[i].mean / (double)n;
	}
	m.p99 = h->rounds[first + n - 1].p99;
	return m;
}

static void put_column(struct buf *out, struct buf *cell, unsigned width, bool right)
{
	unsigned taken = columns_of(buf_view(cell)), gap = width > taken ? width - taken : 0;
	buf_printf(out, "%*s", right ? (int)gap : 0, "");
	buf_slice(out, buf_view(cell));
	buf_printf(out, "%*s  ", right ? 0 : (int)gap, "");
	buf_clear(cell);
}

static void put_result(struct buf *out, const struct stage *s, size_t i, const struct history *h)
{
	struct buf cell = BUF_EMPTY;
	size_t window = s->judge ? s->judge->window : h->n, n = h->n < window ? h->n : window, first = h->n - n;
	struct figures f = mean_of(h, first, n);
	buf_str(&cell, s->list[i].name);
	put_column(out, &cell, 16, false);
	buf_printf(&cell, n > 1 ? "%zu–%zu" : "%zu", first + 1, h->n);
	put_column(out, &cell, 7, false);
	put_quantity(&cell, f.iops, UNIT_PER_S, 4);
	put_column(out, &cell, 8, true);
	put_quantity(&cell, f.bandwidth, UNIT_B_PER_S, 4);
	put_column(out, &cell, 11, true);
	put_quantity(&cell, f.mean, UNIT_S, 3);
	put_column(out, &cell, 7, true);
	put_quantity(&cell, f.p99, UNIT_S, 3);
	put_column(out, &cell, 7, true);
	if (s->judge && s->list[i].tracked)
		buf_str(out, h->window.steady ? "steady" : "not steady");
	while (out->n && out->p[out->n - 1] == ' ')
		out->p[--out->n] = '\0';
	buf_char(out, '\n');
	buf_free(&cell);
}

void view_stage_done(struct view *v, const struct history *cells)
{
	const struct stage *s = v->stage;
	struct buf b = BUF_EMPTY;
	v->test = NULL;
	if (s->n_list && cells[0].n)
		buf_printf(&b, "%-16s  %-7s  %8s  %11s  %7s  %7s\n", v->profile->n_stages > 1 ? s->name : "cell", "rounds", "IOPS",
			"bandwidth", "mean", "p99");
	for (size_t i = 0; i < s->n_list; i++)
		if (cells[i].n)
			put_result(&b, s, i, &cells[i]);
	print(v, &b);
	v->cells = NULL;
	buf_free(&b);
}

void view_event(struct view *v, enum severity severity, const char *message)
{
	struct buf b = BUF_EMPTY;
	if (severity == DIAG_NOTE || (v->quiet && severity != DIAG_ERROR))
		return;
	erase(v);
	buf_printf(&b, "assay-load: %s: ", severity_name(severity));
	buf_printable(&b, slice_of(message));
	buf_char(&b, '\n');
	fwrite(b.p, 1, b.n, v->out);
	fflush(v->out);
	buf_free(&b);
}
