/* A test's cells by block size and mix, their latencies, and series over time. */
#include "report/cells.h"

#include <math.h>

static const char *place_name(struct document *d, struct slice bs)
{
	return bs.n ? show_size(d->arena, bs) : "";
}

static void matrix_table(struct document *d, const struct cells *c, const char *caption)
{
	struct scale scale = cells_scale(d->arena, c, 4);
	table_begin(d, caption);
	table_column(d, "text", "Block size", NULL);
	for (size_t m = 0; m < c->n_mixes; m++)
		table_column(d, "number", c->mixes[m].n ? arena_string(d->arena, c->mixes[m]) : "all", scale.unit);
	for (size_t b = 0; b < c->n_sizes; b++) {
		table_row(d);
		cell(d, NULL, place_name(d, c->sizes[b]));
		for (size_t m = 0; m < c->n_mixes; m++) {
			const struct cell_series *k = cells_find(c, c->sizes[b], c->mixes[m]);
			if (!k || !isfinite(k->steady.last.mean)) {
				cell_none(d);
				continue;
			}
			struct figure f = cells_mean(d, k);
			cell_figure(d, k->steady.steady ? NULL : "doubt", &f, scale_show(d->arena, &scale, f.value));
		}
		row_end(d);
	}
	table_end(d,
		"Means of the measurement windows, read/write mix across. The wave marks cells that are not steady.");
}

static double *numbers(struct document *d, size_t n)
{
	double *v = ARENA_ARRAY(d->arena, n, double);
	for (size_t i = 0; i < n; i++)
		v[i] = (double)i;
	return v;
}

/* A line or a group of bars per mix over the block sizes; where there is one size, bars over the mixes. */
static void fill_matrix(struct document *d, struct chart *chart, const struct cells *c, bool by_mix)
{
	size_t lines = by_mix ? 1 : c->n_mixes < CHART_SERIES ? c->n_mixes : CHART_SERIES;
	size_t places = by_mix ? c->n_mixes : c->n_sizes;
	chart->places = ARENA_ARRAY(d->arena, places, const char *);
	chart->n_places = places;
	for (size_t i = 0; i < places; i++)
		chart->places[i] = by_mix ? arena_string(d->arena, c->mixes[i]) : place_name(d, c->sizes[i]);
	for (size_t m = 0; m < lines; m++) {
		double *y = ARENA_ARRAY(d->arena, places, double);
		for (size_t i = 0; i < places; i++) {
			const struct cell_series *k = cells_find(c, c->sizes[by_mix ? 0 : i], c->mixes[by_mix ? i : m]);
			y[i] = k ? k->steady.last.mean : NAN;
		}
		chart->series[m] = (struct chart_series){ .name = by_mix ? "" : arena_string(d->arena, c->mixes[m]),
			.style = (unsigned)m + 1,
			.x = numbers(d, places),
			.y = y,
			.n = places };
	}
	chart->n_series = lines;
}

static const char *matrix_title(struct document *d, const struct cells *c)
{
	const struct cell_series *least = &c->v[0], *most = &c->v[0];
	for (size_t i = 0; i < c->n; i++) {
		least = c->v[i].steady.last.mean < least->steady.last.mean ? &c->v[i] : least;
		most = c->v[i].steady.last.mean > most->steady.last.mean ? &c->v[i] : most;
	}
	enum unit u = metric_get(c->metric)->unit;
	return arena_printf(d->arena, "%s from %s (%s) to %s (%s)", c->tested,
		show(d->arena, least->steady.last.mean, u, 4), least->name,
		show(d->arena, most->steady.last.mean, u, 4), most->name);
}

void write_matrix(struct document *d, const struct cells *c)
{
	if (c->n < 2 || (c->n_sizes < 2 && c->n_mixes < 2))
		return;
	bool by_mix = c->n_sizes < 2;
	elem(d, "part");
	attr_id(d, "id", "p", ++d->sections);
	elem_text(d, "title", by_mix ? "By mix" : c->n_mixes < 2 ? "By block size" : "By block size and mix");
	struct chart *chart = chart_new(d, matrix_title(d, c),
		arena_printf(d->arena, "%s, window means, by %s", c->tested,
			by_mix ? "read/write mix" : "block size, one line per read/write mix"),
		arena_printf(d->arena, "Chart of the window means of %s for %zu cells.", c->tested, c->n));
	fill_matrix(d, chart, c, by_mix);
	struct scale scale = cells_scale(d->arena, c, 4);
	double lo = INFINITY, hi = 0;
	for (size_t i = 0; i < c->n; i++) {
		lo = fmin(lo, c->v[i].steady.last.mean);
		hi = fmax(hi, c->v[i].steady.last.mean);
	}
	if (scale.mixed)
		scale = scale_of(d->arena, &hi, 1, c->metric, 4);
	chart->kind = by_mix || c->n_sizes < 3 ? CHART_BARS : CHART_LINES;
	chart->log = chart->kind == CHART_LINES && lo > 0 && hi / lo > 12;
	chart->y_factor = scale.factor;
	chart->y_unit = scale.unit;
	chart->x_title = by_mix ? "read/write mix" : "block size";
	if (chart->kind == CHART_BARS && !by_mix)
		chart->subtitle = arena_printf(
			d->arena, "%s, window means, by block size, one bar per read/write mix", c->tested);
	chart_open(d, chart);
	matrix_table(d, c, "Window means");
	chart_close(d);
	matrix_table(d, c, arena_printf(d->arena, "%s by block size and mix", c->tested));
	elem_end(d);
}

/* Latencies that fio printed for the jobs of a window. */
static const struct {
	const char *stat, *title;
} latency_columns[] = { { "mean", "mean" }, { "p50", "p50" }, { "p95", "p95" }, { "p99", "p99" }, { "p99.9", "p99.9" },
	{ "p99.99", "p99.99" }, { "max", "max" } };
enum { LATENCY_COLUMNS = sizeof latency_columns / sizeof *latency_columns, OPS = 2 };
static const char *const op_names[OPS] = { "read", "write" };

struct latency_row {
	const struct cell_series *cell;
	const char *op;
	const struct result *worst[LATENCY_COLUMNS]; /* of the window's rounds the highest; NULL: not printed */
};

static bool in_window(const struct cell_series *k, const struct job *job)
{
	const struct steady_window *w = &k->steady.last;
	for (size_t i = w->first; i < w->first + w->n && i < k->s->n; i++)
		if (k->s->points[i].job == job)
			return true;
	return false;
}

static bool take_latency(struct latency_row *row, const struct result *r, enum metric_id metric)
{
	const struct param *op = result_param(r, "op");
	if (r->metric != metric || r->q.missing || !op || !slice_is(op->value, row->op) || result_of_priority(r))
		return false;
	for (size_t i = 0; i < LATENCY_COLUMNS; i++)
		if (slice_is(r->stat, latency_columns[i].stat) &&
			(!row->worst[i] || row->worst[i]->q.value < r->q.value))
			row->worst[i] = r;
	return true;
}

/* Completion latency, which carries the percentiles; where a source has none, the total. */
static bool find_latency(struct latency_row *row)
{
	static const enum metric_id metrics[] = { METRIC_COMPLETION_LATENCY, METRIC_LATENCY };
	const struct point *first = &row->cell->s->points[row->cell->steady.last.first];
	const struct run *run = first->job ? first->job->run : NULL;
	bool any = false;
	for (size_t m = 0; m < sizeof metrics / sizeof *metrics && !any && run; m++)
		for (size_t i = 0; i < run->n_results; i++)
			if (run->results[i].job && in_window(row->cell, run->results[i].job))
				any |= take_latency(row, &run->results[i], metrics[m]);
	return any;
}

static void latency_table(struct document *d, const struct latency_row *rows, size_t n)
{
	struct scale scale[LATENCY_COLUMNS];
	double *v = ARENA_ARRAY(d->arena, n, double);
	bool used[LATENCY_COLUMNS] = { false };
	table_begin(d, "Latency, the highest of the window's rounds");
	table_column(d, "text", "Cell", NULL);
	table_column(d, "text", "Operation", NULL);
	for (size_t i = 0; i < LATENCY_COLUMNS; i++) {
		for (size_t k = 0; k < n; k++) {
			used[i] |= rows[k].worst[i] != NULL;
			v[k] = rows[k].worst[i] ? rows[k].worst[i]->q.value : NAN;
		}
		scale[i] = scale_of(d->arena, v, n, METRIC_LATENCY, 4);
		if (used[i])
			table_column(d, "number", latency_columns[i].title, scale[i].unit);
	}
	for (size_t k = 0; k < n; k++) {
		table_row(d);
		cell(d, NULL, rows[k].cell->name);
		cell(d, NULL, rows[k].op);
		for (size_t i = 0; i < LATENCY_COLUMNS; i++) {
			if (!used[i])
				continue;
			if (!rows[k].worst[i]) {
				cell_none(d);
				continue;
			}
			struct figure f = figure_of(rows[k].worst[i]);
			cell_figure(d, NULL, &f, scale_show(d->arena, &scale[i], f.value));
		}
		row_end(d);
	}
	table_end(d, "Percentiles of different rounds can't be averaged, so each figure is the worst that a round of "
		     "the window printed.");
}

void write_latencies(struct document *d, const struct cells *c)
{
	struct latency_row *rows = ARENA_ARRAY(d->arena, c->n * OPS, struct latency_row);
	size_t n = 0;
	for (size_t i = 0; i < c->n; i++)
		for (size_t op = 0; op < OPS && c->v[i].steady.last.n; op++) {
			rows[n] = (struct latency_row){ .cell = &c->v[i], .op = op_names[op] };
			n += find_latency(&rows[n]);
		}
	if (!n)
		return;
	elem(d, "part");
	attr_id(d, "id", "p", ++d->sections);
	elem_text(d, "title", "Latency");
	latency_table(d, rows, n);
	elem_end(d);
}

enum { SAMPLE_BUCKETS = 220, SAMPLE_ROWS = 40, MARKED = 60 };

/* What happened over time, in few rows. */
static void samples_table(struct document *d, const struct cell_series *k)
{
	const struct series *s = k->s;
	struct arena *a = d->arena;
	size_t rows = s->n < SAMPLE_ROWS ? s->n : SAMPLE_ROWS;
	enum unit u = metric_get(s->metric)->unit;
	table_begin(d, arena_printf(a, "%s, %zu samples in %zu parts", k->name, s->n, rows));
	table_column(d, "number", "From", s->untimed ? "sample" : "s");
	table_column(d, "number", "Least", NULL);
	table_column(d, "number", "Mean", NULL);
	table_column(d, "number", "Greatest", NULL);
	for (size_t i = 0; i < rows; i++) {
		size_t from = s->n * i / rows, to = s->n * (i + 1) / rows;
		const struct point *least = &s->points[from], *most = least;
		double sum = 0;
		for (size_t j = from; j < to; j++) {
			sum += s->points[j].value;
			least = s->points[j].value < least->value ? &s->points[j] : least;
			most = s->points[j].value > most->value ? &s->points[j] : most;
		}
		const struct figure f[] = {
			{ .value = least->value,
				.unit = u,
				.basis = "recomputed",
				.how = "the sample's figure",
				.pos = least->pos },
			{ .value = sum / (double)(to - from),
				.unit = u,
				.basis = "recomputed",
				.how = "mean of the part's samples",
				.pos = s->points[from].pos },
			{ .value = most->value,
				.unit = u,
				.basis = "recomputed",
				.how = "the sample's figure",
				.pos = most->pos },
		};
		table_row(d);
		cell(d, NULL, show(a, s->points[from].t, UNIT_ONE, 5));
		for (size_t j = 0; j < sizeof f / sizeof *f; j++)
			cell_figure(d, NULL, &f[j], show(a, f[j].value, u, 4));
		row_end(d);
	}
	table_end(d, NULL);
}

static void samples_chart(struct document *d, const struct cell_series *k)
{
	const struct series *s = k->s;
	const struct steady_window *w = &k->steady.last;
	enum unit u = metric_get(s->metric)->unit;
	const char *title = k->steady.steady ? arena_printf(d->arena, "%s is steady at %s from %s to the end", k->name,
			show(d->arena, w->mean, u, 4), s->untimed ?
			arena_printf(d->arena, "sample %.0f", s->points[w->first].t) : show(d->arena, s->points[w->first].t, UNIT_S, 4)) :
		k->steady.doubts & STEADY_TOO_SHORT ? arena_printf(d->arena, "%s: %zu samples are too few to judge", k->name, s->n) :
		arena_printf(d->arena, "%s did not end steady", k->name);
	struct chart *chart = chart_new(d, title,
		arena_printf(d->arena, "%s over %s; window shaded, mean solid, \xc2\xb1%.4g %% dashed, fitted line dotted",
			metric_get(s->metric)->title, s->untimed ? "the samples in their order" : "time in s",
			50 * k->steady.rule->range),
		arena_printf(d->arena, "Line chart of %zu samples of %s.", s->n, k->name));
	double *x = ARENA_ARRAY(d->arena, s->n, double), *y = ARENA_ARRAY(d->arena, s->n, double), most = 0;
	for (size_t i = 0; i < s->n; i++) {
		x[i] = s->points[i].t;
		y[i] = s->points[i].value;
		most = fmax(most, y[i]);
	}
	struct scale scale = scale_of(d->arena, &most, 1, s->metric, 4);
	size_t n = decimate(x, y, s->n, SAMPLE_BUCKETS);
	chart->series[0] = (struct chart_series){ .style = 1, .x = x, .y = y, .n = n, .quiet = n > MARKED };
	chart->n_series = 1;
	chart->x_title = s->untimed ? "sample" : "s";
	chart->y_factor = scale.factor;
	chart->y_unit = scale.unit;
	chart->has_window = w->n > 1 && isfinite(w->slope) && w->block > 0 && !(k->steady.doubts & STEADY_TOO_SHORT);
	chart->window_first = s->points[w->first].t;
	chart->window_last = w->n ? s->points[w->first + w->n - 1].t : 0;
	chart->mean = w->mean;
	chart->band = w->data_allowed / 2;
	chart->band_text = arena_printf(d->arena, "%.4g %%", 50 * k->steady.rule->range);
	/* The fit is per block, its first at 1. */
	double span = chart->window_last - chart->window_first, blocks = w->block ? (double)w->n / (double)w->block : 1;
	chart->slope = span > 0 ? w->slope * blocks / span : 0;
	chart->intercept = w->intercept + w->slope / 2 - chart->slope * chart->window_first;
	chart_open(d, chart);
	samples_table(d, k);
	chart_close(d);
}

void write_samples(struct document *d, const struct cells *c)
{
	enum { CHARTS = 12 };
	for (size_t i = 0; i < c->n && i < CHARTS; i++)
		samples_chart(d, &c->v[i]);
	if (c->n > CHARTS)
		elem_text(d, "para", arena_printf(d->arena, "%zu further series are not drawn.", c->n - CHARTS));
}
