/* A series of repeated jobs over time, with its distribution beside it. */
#include "report/trends.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

enum { PICTURE = 400, LISTED = 60, BINS_MIN = 6, BINS_MAX = 24 };
/* A greater ratio of largest to smallest value is drawn on a logarithmic axis. */
static const double WIDE = 12;

struct picture {
	struct document *d;
	const struct trend *trend;
	const struct timeline *line; /* NULL: over the values' numbers */
	struct chart *chart;
	double *x;                   /* of all points */
};

/* ---- the distribution ---- */

static double level_of(const struct picture *p, double value)
{
	return p->chart->log ? log(value) : value;
}

/* As many stretches as make them 2 · IQR / n^(1/3) high (Freedman & Diaconis, Z. Wahrscheinlichkeitstheorie 57, 1981,
 * p. 453). */
static size_t bins_for(double *sorted, size_t n)
{
	gsl_sort(sorted, 1, n);
	double spread = gsl_stats_quantile_from_sorted_data(sorted, 1, n, .75) -
		gsl_stats_quantile_from_sorted_data(sorted, 1, n, .25);
	double wanted = spread > 0 ? (sorted[n - 1] - sorted[0]) / (2 * spread / cbrt((double)n)) : BINS_MIN;
	return (size_t)fmin(fmax(ceil(wanted), BINS_MIN), BINS_MAX);
}

static void put_bins(struct picture *p)
{
	const struct trend_series *s = p->trend->series;
	struct chart_bins *b = &p->chart->bins;
	double *sorted = ARENA_ARRAY(p->d->arena, s->n, double);
	for (size_t i = 0; i < s->n; i++)
		sorted[i] = level_of(p, s->points[i].value);
	size_t n = bins_for(sorted, s->n);
	double lo = sorted[0], hi = sorted[s->n - 1];
	if (!(hi > lo))
		return;
	size_t *count = ARENA_ARRAY(p->d->arena, n, size_t);
	for (size_t i = 0; i < s->n; i++) {
		size_t at = (size_t)((sorted[i] - lo) / (hi - lo) * (double)n);
		count[at < n ? at : n - 1]++;
	}
	*b = (struct chart_bins){ .lo = p->trend->spread.min, .hi = p->trend->spread.max, .count = count, .n = n };
}

static double edge_of(const struct picture *p, size_t i)
{
	const struct chart_bins *b = &p->chart->bins;
	double share = (double)i / (double)b->n;
	return p->chart->log ? b->lo * pow(b->hi / b->lo, share) : b->lo + share * (b->hi - b->lo);
}

static size_t fullest(const struct chart_bins *b)
{
	size_t at = 0;
	for (size_t i = 1; i < b->n; i++)
		at = b->count[i] > b->count[at] ? i : at;
	return at;
}

static void write_bins(const struct picture *p)
{
	struct document *d = p->d;
	const struct chart_bins *b = &p->chart->bins;
	enum unit unit = p->trend->series->unit;
	if (b->n == 0)
		return;
	elem(d, "fold");
	elem_text(d, "title", "Distribution");
	table_begin(d, "How many values lie where");
	table_column(d, "text", "From", NULL);
	table_column(d, "text", "To", NULL);
	table_column(d, "number", "Values", NULL);
	for (size_t i = 0; i < b->n; i++) {
		table_row(d);
		cell(d, NULL, show(d->arena, edge_of(p, i), unit, 4));
		cell(d, NULL, show(d->arena, edge_of(p, i + 1), unit, 4));
		cell(d, NULL, arena_printf(d->arena, "%zu", b->count[i]));
		row_end(d);
	}
	table_end(d, NULL);
	elem_end(d);
}

/* ---- the points ---- */

/* 0: within the tolerance, 1: beyond it, 2: an outlier. */
static const char *kinds_of(const struct picture *p)
{
	const struct trend_spread *s = &p->trend->spread;
	char *kind = ARENA_ARRAY(p->d->arena, p->trend->series->n, char);
	for (size_t i = 0; i < s->beyond.n; i++)
		kind[s->beyond.v[i]] = 1;
	for (size_t i = 0; i < s->outliers.n; i++)
		kind[s->outliers.v[i]] = 2;
	return kind;
}

static void put_points(struct picture *p)
{
	static const struct { const char *name; unsigned style; } kinds[] = { { "within the tolerance", 1 },
		{ "beyond it", 5 }, { "outlier", 2 } };
	const struct trend_series *s = p->trend->series;
	const char *kind = kinds_of(p);
	struct chart *c = p->chart;
	for (int k = 0; k < 3; k++) {
		double *x = ARENA_ARRAY(p->d->arena, s->n, double), *y = ARENA_ARRAY(p->d->arena, s->n, double);
		size_t n = 0;
		for (size_t i = 0; i < s->n; i++)
			if (kind[i] == k) {
				x[n] = p->x[i];
				y[n++] = s->points[i].value;
			}
		if (n)
			c->series[c->n_series++] = (struct chart_series){ .name = kinds[k].name, .style = kinds[k].style,
				.x = x, .y = y, .n = decimate(x, y, n, PICTURE), .loose = true };
	}
}

static void put_changes(struct picture *p)
{
	double *marks = ARENA_ARRAY(p->d->arena, p->trend->n_changes, double);
	for (size_t i = 0; i < p->trend->n_changes; i++)
		marks[i] = p->x[p->trend->changes[i].tau];
	p->chart->marks = marks;
	p->chart->n_marks = p->trend->n_changes;
}

static void write_points(struct picture *p)
{
	struct document *d = p->d;
	const struct trend_series *s = p->trend->series;
	double *places = ARENA_ARRAY(d->arena, s->n, double), *y = ARENA_ARRAY(d->arena, s->n, double);
	for (size_t i = 0; i < s->n; i++) {
		places[i] = (double)i;
		y[i] = s->points[i].value;
	}
	size_t n = decimate(places, y, s->n, LISTED);
	table_begin(d, n < s->n ? "Values: the least and the greatest of each stretch" : "Values");
	table_column(d, "text", "No.", NULL);
	table_column(d, "text", "Time", NULL);
	table_column(d, "number", "Value", NULL);
	for (size_t i = 0; i < n; i++) {
		const struct trend_point *point = &s->points[(size_t)places[i]];
		table_row(d);
		cell(d, NULL, arena_printf(d->arena, "%.0f", places[i] + 1));
		cell(d, NULL, trend_when(d, point->time));
		trend_result_cell(d, point->result);
		row_end(d);
	}
	table_end(d, NULL);
}

/* ---- words ---- */

static const char *title_of(const struct picture *p)
{
	const struct trend *t = p->trend;
	struct arena *a = p->d->arena;
	size_t beyond = t->spread.beyond.n, n = t->series->n;
	return beyond == 0 ? arena_printf(a, "All %zu values are within the tolerance", n) :
		beyond == n ? arena_printf(a, "All %zu values are beyond the tolerance", n) :
		arena_printf(a, "%zu of %zu values are beyond the tolerance", beyond, n);
}

static const char *subtitle_of(const struct picture *p, const char *name)
{
	return arena_printf(p->d->arena, "%s %s; mean solid, tolerance of \xc2\xb1%g %% %s%s%s", name,
		p->line ? "over time" : "in order", 100 * trend_rule_of(p->d).tolerance,
		p->chart->band > 0 ? "dashed" : "not drawn: it reaches below 0",
		p->trend->n_changes ? ", changes upright" : "", p->chart->bins.n ? "; right: how many values lie where" : "");
}

static const char *description_of(const struct picture *p, const char *name)
{
	struct arena *a = p->d->arena;
	const struct trend *t = p->trend;
	const struct chart_bins *b = &p->chart->bins;
	size_t at = fullest(b);
	const char *most = b->n ? arena_printf(a, " Most values, %zu, lie between %s and %s.", b->count[at],
		show(a, edge_of(p, at), t->series->unit, 4), show(a, edge_of(p, at + 1), t->series->unit, 4)) : "";
	return arena_printf(a, "%zu values of %s as points %s, with their mean, tolerance and distribution. %zu lie beyond "
		"the tolerance, %zu are outliers, the level changes %zu time%s.%s", t->series->n, name,
		p->line ? "over time" : "in order",
		t->spread.beyond.n, t->spread.outliers.n, t->n_changes, t->n_changes == 1 ? "" : "s", most);
}

/* ---- all together ---- */

static bool all_timed(const struct trend_series *s, const struct timeline *line)
{
	for (size_t i = 0; i < s->n; i++)
		if (!(s->points[i].time >= line->lo && s->points[i].time <= line->hi))
			return false;
	return line->known;
}

static void put_places(struct picture *p)
{
	const struct trend_series *s = p->trend->series;
	p->x = ARENA_ARRAY(p->d->arena, s->n, double);
	for (size_t i = 0; i < s->n; i++)
		p->x[i] = p->line ? s->points[i].time : (double)i + 1;
	if (p->line)
		timeline_put(p->line, p->chart);
	else
		p->chart->x_title = s->runs == s->n ? "run" : "value no.";
	p->chart->n_strips = 0;
}

static void put_scale(struct picture *p)
{
	const struct trend *t = p->trend;
	struct arena *a = p->d->arena;
	struct chart *c = p->chart;
	struct scale scale = axis_scale(a, t->spread.max, scale_of(a, &t->spread.max, 1, t->series->metric, 4));
	c->y_factor = scale.factor;
	c->y_unit = scale.unit;
	c->log = t->spread.min > 0 && t->spread.max / t->spread.min > WIDE;
	c->zoom = true;
	c->has_band = true;
	c->mean = t->spread.mean;
	double tolerance = trend_rule_of(p->d).tolerance;
	c->band = tolerance <= 1 ? fabs(t->spread.mean) * tolerance : 0;
	c->band_text = arena_printf(a, "%g %%", 100 * tolerance);
}

void write_trend_chart(struct document *d, const struct trend *t, const struct timeline *line, const char *name)
{
	struct picture p = { .d = d, .trend = t, .line = all_timed(t->series, line) ? line : NULL,
		.chart = chart_new(d, NULL, NULL, NULL) };
	put_scale(&p);
	put_places(&p);
	put_bins(&p);
	put_points(&p);
	put_changes(&p);
	p.chart->legend = p.chart->n_series > 1;
	p.chart->title = title_of(&p);
	p.chart->subtitle = subtitle_of(&p, name);
	p.chart->description = description_of(&p, name);
	chart_open(d, p.chart);
	write_points(&p);
	chart_close(d);
	write_bins(&p);
}
