/* Steady state of a test's cells: the summary, the convergence of all block sizes, and each window. */
#include "report/cells.h"

#include <math.h>

enum { SPARK_WIDTH = 120, SPARK_HEIGHT = 24, WINDOW_CHARTS = 60, DECIMALS = 5 };

/* How far a window was from its limits, as a share of its mean. */
static struct figure share(struct document *d, const struct cell_series *c, double excursion, const char *what)
{
	const struct steady_window *w = &c->steady.last;
	return (struct figure){ .value = w->mean != 0 ? excursion / fabs(w->mean) : 0,
		.unit = UNIT_ONE,
		.basis = "recomputed",
		.how = arena_printf(
			d->arena, "%s over %s, divided by their mean", what, steady_place(d->arena, c->s, w)),
		.pos = w->n ? c->s->points[w->first].pos : POS_NONE };
}

static void spark(struct document *d, const struct cell_series *c)
{
	const struct series *s = c->s;
	double lo = INFINITY, hi = -INFINITY;
	for (size_t i = 0; i < s->n; i++) {
		lo = fmin(lo, s->points[i].value);
		hi = fmax(hi, s->points[i].value);
	}
	/* A spread of a few per cent should look flat. */
	double middle = (lo + hi) / 2, reach = fmax((hi - lo) / 2, fabs(middle) * .25);
	double step = s->n > 1 ? (double)SPARK_WIDTH / (double)(s->n - 1) : 0;
	struct buf points = BUF_EMPTY;
	for (size_t i = 0; i < s->n; i++) {
		double y = reach > 0 ? (middle + reach - s->points[i].value) / (2 * reach) * SPARK_HEIGHT
				     : SPARK_HEIGHT / 2.0;
		buf_printf(&points, "%s%.1f,%.1f", i ? " " : "", (double)i * step, y);
	}
	const struct steady_window *w = &c->steady.last;
	double last = w->n ? (double)(w->first + w->n - 1) : 0;
	elem(d, "cell");
	elem(d, "spark");
	attr_slice(d, "points", buf_view(&points));
	attr(d, "x1", arena_printf(d->arena, "%.1f", fmax(-3, (double)w->first * step - 3)));
	attr(d, "x2", arena_printf(d->arena, "%.1f", last * step + 3));
	attr(d, "label",
		arena_printf(d->arena, "%s: %zu rounds between %s and %s", c->name, s->n,
			show(d->arena, lo, metric_get(s->metric)->unit, 4),
			show(d->arena, hi, metric_get(s->metric)->unit, 4)));
	elem_end(d);
	elem_end(d);
	buf_free(&points);
}

static const char *claim_word(const struct series *s)
{
	return s->claimed == CLAIM_STEADY ? "steady" : s->claimed == CLAIM_NOT_STEADY ? "not steady" : "\xe2\x80\x93";
}

void write_steady_table(struct document *d, const struct cells *c)
{
	struct scale scale = cells_scale(d->arena, c, 4);
	const struct steady_rule *rule = c->v[0].steady.rule;
	struct buf notes = BUF_EMPTY;
	table_begin(d, "Steady state, cell by cell");
	table_column(d, "text", "Cell", NULL);
	table_column(d, "spark", "All rounds", NULL);
	table_column(d, "number", "Window mean", scale.unit);
	table_column(d, "number", "Range", arena_printf(d->arena, "\xe2\x89\xa4 %.4g %%", 100 * rule->range));
	table_column(d, "number", "Rise", arena_printf(d->arena, "\xe2\x89\xa4 %.4g %%", 100 * rule->rise));
	table_column(d, "text", "Recomputed", NULL);
	table_column(d, "text", "The tool says", NULL);
	for (size_t i = 0; i < c->n; i++) {
		const struct cell_series *k = &c->v[i];
		const struct steady_window *w = &k->steady.last;
		struct figure mean = cells_mean(d, k), range = share(d, k, w->data_excursion, "range"),
			      rise = share(d, k, w->slope_excursion, "rise of the fitted line");
		bool disputed = k->s->claimed != CLAIM_NONE && (k->s->claimed == CLAIM_STEADY) != k->steady.steady;
		table_row(d);
		cell(d, k->real_mix.n ? "doubt" : NULL,
			k->real_mix.n ? arena_printf(d->arena, "%s, really %.*s", k->name, SLICE_ARG(k->real_mix))
				      : k->name);
		spark(d, k);
		if (w->n) {
			cell_figure(d, NULL, &mean, scale_show(d->arena, &scale, w->mean));
			cell_figure(d, w->data_ok ? NULL : "bad", &range, show_share(d->arena, range.value));
		} else {
			cell_none(d);
			cell_none(d);
		}
		if (w->n && isfinite(rise.value))
			cell_figure(d, w->slope_ok ? NULL : "bad", &rise, show_share(d->arena, rise.value));
		else
			cell_none(d);
		cell(d, k->steady.steady ? "good" : "bad", k->steady.steady ? "steady" : "not steady");
		cell(d, disputed ? "doubt" : NULL, claim_word(k->s));
		row_end(d);
		if (*k->steady.doubt_text)
			buf_printf(&notes, "%s%s: %s", notes.n ? " " : "", k->name, k->steady.doubt_text);
	}
	table_end(d, notes.n ? notes.p : NULL);
	buf_free(&notes);
}

/* Rounds across, one column per line: the data behind a chart. */
static void rounds_table(struct document *d, const char *caption, const struct cell_series *const *v, size_t n)
{
	struct arena *a = d->arena;
	double *all = NULL;
	size_t count = 0, cap = 0, longest = 0;
	for (size_t k = 0; k < n; k++) {
		for (size_t i = 0; i < v[k]->s->n; i++)
			*ARENA_PUSH(a, all, count, cap) = v[k]->s->points[i].value;
		longest = v[k]->s->n > v[longest]->s->n ? k : longest;
	}
	struct scale scale = scale_of(a, all, count, v[0]->s->metric, 4);
	table_begin(d, caption);
	table_column(d, "text", "Round", NULL);
	for (size_t k = 0; k < n; k++)
		table_column(d, "number", v[k]->name, scale.unit);
	for (size_t i = 0; i < v[longest]->s->n; i++) {
		double t = v[longest]->s->points[i].t;
		table_row(d);
		cell(d, NULL, arena_printf(a, "%.0f", t));
		for (size_t k = 0; k < n; k++) {
			const struct series *s = v[k]->s;
			const struct point *p = NULL;
			for (size_t j = 0; j < s->n && !p; j++)
				p = s->points[j].t == t ? &s->points[j] : NULL;
			struct figure f = {
				.unit = metric_get(s->metric)->unit, .basis = "recomputed", .how = "the round's figure"
			};
			if (!p) {
				cell_none(d);
				continue;
			}
			f.value = p->value;
			f.pos = p->pos;
			cell_figure(d, NULL, &f, scale_show(a, &scale, p->value));
		}
		row_end(d);
	}
	table_end(d, NULL);
}

static void fill_line(
	struct document *d, struct chart_series *line, const struct series *s, const char *name, size_t style)
{
	double *x = ARENA_ARRAY(d->arena, s->n, double), *y = ARENA_ARRAY(d->arena, s->n, double);
	for (size_t i = 0; i < s->n; i++) {
		x[i] = s->points[i].t;
		y[i] = s->points[i].value;
	}
	*line = (struct chart_series){
		.name = name, .style = (unsigned)(style % CHART_SERIES) + 1, .x = x, .y = y, .n = s->n
	};
}

static void scale_axis(struct document *d, struct chart *c, enum metric_id metric)
{
	double *all = NULL, lo = INFINITY, hi = 0;
	size_t n = 0, cap = 0;
	for (size_t k = 0; k < c->n_series; k++)
		for (size_t i = 0; i < c->series[k].n; i++) {
			double v = c->series[k].y[i];
			*ARENA_PUSH(d->arena, all, n, cap) = v;
			lo = fmin(lo, v);
			hi = fmax(hi, v);
		}
	struct scale s = scale_of(d->arena, &hi, 1, metric, 4);
	c->y_factor = s.factor;
	c->y_unit = s.unit;
	c->log = lo > 0 && hi / lo > 12;
}

/* The lines of the convergence chart: all block sizes of pure writes, or of what is purest; where there is one size
 * only, all mixes of it. */
static size_t convergence_lines(const struct cells *c, const struct cell_series **v, struct slice *mix)
{
	size_t n = 0;
	*mix = c->n_mixes ? c->mixes[c->n_mixes - 1] : SLICE_NONE;
	bool by_mix = c->n_sizes == 1;
	for (size_t i = 0; i < c->n && n < CHART_SERIES; i++)
		if (by_mix || slice_eq(c->v[i].mix, *mix))
			v[n++] = &c->v[i];
	if (by_mix)
		*mix = SLICE_NONE;
	return n;
}

static const char *convergence_title(struct document *d, const struct cell_series *const *v, size_t n)
{
	size_t steady = 0, never = 0;
	const char *name = NULL;
	for (size_t i = 0; i < n; i++) {
		steady += v[i]->steady.steady;
		if (!v[i]->steady.steady && v[i]->steady.n_passing == 0) {
			never++;
			name = v[i]->name;
		}
	}
	if (steady == n)
		return n == 1 ? arena_printf(d->arena, "%s settled", v[0]->name) : "All lines settled";
	if (never == 1)
		return arena_printf(d->arena, "%s never became steady", name);
	if (never == n)
		return "None became steady";
	return arena_printf(d->arena, "%zu of %zu did not end steady", n - steady, n);
}

void write_convergence(struct document *d, const struct cells *c)
{
	const struct cell_series *v[CHART_SERIES];
	struct slice mix;
	size_t n = convergence_lines(c, v, &mix);
	if (n == 0 || (n == 1 && c->n == 1))
		return;
	const char *which = mix.n            ? arena_printf(d->arena, "mix %.*s (read/write)", SLICE_ARG(mix))
			    : c->n_mixes > 1 ? arena_printf(d->arena, "%s, all mixes", show_size(d->arena, c->sizes[0]))
					     : "all cells";
	const char *title = convergence_title(d, v, n);
	struct chart *chart =
		chart_new(d, title, arena_printf(d->arena, "Convergence: %s per round, %s", c->tested, which),
			arena_printf(d->arena, "Line chart of %s per round for %zu cells. %s.", c->tested, n, title));
	for (size_t i = 0; i < n; i++) {
		const char *name =
			mix.n || c->n_mixes == 1 ? show_size(d->arena, v[i]->bs) : arena_string(d->arena, v[i]->mix);
		fill_line(d, &chart->series[i], v[i]->s, v[i]->bs.n ? name : v[i]->name, i);
	}
	chart->n_series = n;
	chart->x_title = "round";
	scale_axis(d, chart, c->metric);
	chart_open(d, chart);
	rounds_table(d, "Figures per round", v, n);
	chart_close(d);
}

static const char *window_title(struct document *d, const struct cell_series *k)
{
	const struct steady_window *w = &k->steady.last;
	enum unit u = metric_get(k->s->metric)->unit;
	const char *mean = show(d->arena, w->mean, u, 4), *unit = k->s->metric == METRIC_IOPS ? " IOPS" : "";
	if (k->steady.doubts & STEADY_TOO_SHORT)
		return arena_printf(d->arena, "%s: %zu rounds are too few to judge", k->name, k->s->n);
	if (k->steady.steady)
		return arena_printf(
			d->arena, "%s holds %s%s over %s", k->name, mean, unit, steady_place(d->arena, k->s, w));
	if (!w->data_ok)
		return arena_printf(d->arena, "%s is not steady: %s range over %s of their mean", k->name,
			steady_place(d->arena, k->s, w),
			show_share(d->arena, w->mean != 0 ? w->data_excursion / w->mean : 0));
	return arena_printf(d->arena, "%s is not steady: %s %s by %s of their mean", k->name,
		steady_place(d->arena, k->s, w), w->slope < 0 ? "fall" : "rise",
		show_share(d->arena, w->mean != 0 ? w->slope_excursion / w->mean : 0));
}

/* The fit over the round's number R, as the suites print it. */
static void fit_of(const struct cell_series *k, double *slope, double *at_zero)
{
	const struct steady_window *w = &k->steady.last;
	*slope = w->slope;
	*at_zero = w->intercept - w->slope * (k->s->points[w->first].t - 1);
}

/* The published limit that a verdict holds the series against, as a line; not where it would squash everything else. */
static void add_limit(struct document *d, struct chart *chart, const struct series *s, double mean)
{
	const struct audit *audit = d->report->audit;
	for (size_t i = 0; audit && i < audit->n && !chart->has_limit; i++) {
		const struct sla_verdict *v = &audit->verdicts[i];
		double limit = v->row->limit.value;
		for (size_t k = 0; k < v->n_runs; k++)
			chart->has_limit |= v->runs[k].series == s && limit > mean / 2 && limit < mean * 2;
		if (!chart->has_limit)
			continue;
		bool most = v->row->op == OP_LE || v->row->op == OP_LT;
		chart->limit = limit;
		chart->limit_text = arena_printf(
			d->arena, "%s %s", most ? "maximum" : "minimum", show(d->arena, limit, v->row->limit.unit, 4));
	}
}

static void window_chart(struct document *d, const struct cells *c, const struct cell_series *k)
{
	const struct steady_window *w = &k->steady.last;
	struct chart *chart = chart_new(d, window_title(d, k),
		arena_printf(d->arena,
			"%s per round; window shaded, mean solid, \xc2\xb1%.4g %% dashed, fitted line dotted",
			c->tested, 50 * k->steady.rule->range),
		arena_printf(d->arena, "Line chart of %s per round of %s with its measurement window, %s.", c->tested,
			k->name, steady_place(d->arena, k->s, w)));
	fill_line(d, &chart->series[0], k->s, NULL, 0);
	chart->n_series = 1;
	chart->x_title = "round";
	scale_axis(d, chart, c->metric);
	chart->log = false;
	chart->zoom = true;
	chart->has_window = w->n > 1 && isfinite(w->slope);
	chart->window_first = k->s->points[w->first].t;
	chart->window_last = w->n ? k->s->points[w->first + w->n - 1].t : 0;
	chart->mean = w->mean;
	chart->band = w->data_allowed / 2;
	chart->band_text = arena_printf(d->arena, "%.4g %%", 50 * k->steady.rule->range);
	fit_of(k, &chart->slope, &chart->intercept);
	add_limit(d, chart, k->s, w->mean);
	chart_open(d, chart);
	rounds_table(d, "Figures per round", &k, 1);
	chart_close(d);
}

static const char *fit_text(struct document *d, const struct cell_series *k, const struct scale *s)
{
	double slope, at_zero;
	fit_of(k, &slope, &at_zero);
	const char *b = scale_show(d->arena, s, fabs(at_zero));
	return arena_printf(
		d->arena, "%s \xc2\xb7 R %s %s", scale_show(d->arena, s, slope), at_zero < 0 ? "\xe2\x88\x92" : "+", b);
}

static void determination_row(struct document *d, const struct cell_series *k, const struct scale *s)
{
	const struct steady_window *w = &k->steady.last;
	const struct {
		double value;
		bool ok;
		const char *how;
	} v[] = {
		{ w->mean, true, "mean of the window" },
		{ w->data_excursion, w->data_ok, "greatest minus least of the window" },
		{ w->data_allowed, true, "allowed share of the mean" },
		{ w->slope_excursion, w->slope_ok,
			"rise of the least-squares line from the window's first to its last round" },
		{ w->slope_allowed, true, "allowed share of the mean" },
	};
	table_row(d);
	cell(d, NULL, k->name);
	cell(d, NULL, steady_place(d->arena, k->s, w));
	for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
		struct figure f = { .value = v[i].value,
			.unit = metric_get(k->s->metric)->unit,
			.basis = "recomputed",
			.how = v[i].how,
			.pos = w->n ? k->s->points[w->first].pos : POS_NONE };
		if (isfinite(v[i].value))
			cell_figure(d, v[i].ok ? NULL : "bad", &f, scale_show(d->arena, s, v[i].value));
		else
			cell_none(d);
	}
	if (isfinite(w->slope))
		cell(d, NULL, fit_text(d, k, s));
	else
		cell_none(d);
	row_end(d);
}

static void determination(struct document *d, const struct cells *c)
{
	struct scale scale = cells_scale(d->arena, c, 6);
	scale.decimals = scale.decimals > DECIMALS ? DECIMALS : scale.decimals;
	table_begin(d, "Determination of steady state");
	table_column(d, "text", "Cell", NULL);
	table_column(d, "text", "Window", NULL);
	table_column(d, "number", "Mean", *scale.unit ? scale.unit : NULL);
	table_column(d, "number", "Data excursion", NULL);
	table_column(d, "number", "allowed", NULL);
	table_column(d, "number", "Slope excursion", NULL);
	table_column(d, "number", "allowed", NULL);
	table_column(d, "number", "Best fit over round R", NULL);
	for (size_t i = 0; i < c->n; i++)
		determination_row(d, &c->v[i], &scale);
	table_end(d, arena_printf(d->arena, "Rule: %s, %s.", c->v[0].steady.rule->name, c->v[0].steady.rule->source));
}

void write_windows(struct document *d, const struct cells *c)
{
	elem(d, "part");
	attr_id(d, "id", "p", ++d->sections);
	elem_text(d, "title", "Measurement window");
	for (size_t i = 0; i < c->n; i++)
		if (c->v[i].main)
			window_chart(d, c, &c->v[i]);
	determination(d, c);
	if (c->n > 1) {
		elem(d, "fold");
		elem_text(d, "title",
			c->n == 2 ? "The other window" : arena_printf(d->arena, "The other %zu windows", c->n - 1));
		for (size_t i = 0, drawn = 0; i < c->n && drawn < WINDOW_CHARTS; i++)
			if (!c->v[i].main) {
				window_chart(d, c, &c->v[i]);
				drawn++;
			}
		elem_end(d);
	}
	elem_end(d);
}
