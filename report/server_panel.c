/* A server's statistics over time: one chart. */
#include "report/servers.h"

#include <math.h>

enum { BUCKETS = 96, TOGETHER = 4 /* buckets in a row of the table */ };

struct bucket {
	size_t n;
	const struct sample *least, *most;
};

static struct bucket *buckets_of(const struct panel *p, const struct curve *c)
{
	struct bucket *b = ARENA_ARRAY(p->d->arena, BUCKETS, struct bucket);
	for (size_t i = 0; i < c->n; i++) {
		const struct sample *s = &c->v[i];
		double share = (s->t - p->lo) / (p->hi - p->lo);
		if (!(share >= 0 && share <= 1))
			continue;
		struct bucket *k = &b[share < 1 ? (size_t)(share * BUCKETS) : BUCKETS - 1];
		k->least = k->n == 0 || s->value < k->least->value ? s : k->least;
		k->most = k->n == 0 || s->value > k->most->value ? s : k->most;
		k->n++;
	}
	return b;
}

/* The worst of each bucket, with all that is in it as a haze; none across a stretch without samples. */
static void put_curve(
	struct panel *p, struct chart *chart, const struct curve *c, const struct bucket *b, unsigned style)
{
	static const double GAP = 3;
	struct arena *a = p->d->arena;
	double *x = ARENA_ARRAY(a, 2 * BUCKETS, double), *y = ARENA_ARRAY(a, 2 * BUCKETS, double);
	double *lo = ARENA_ARRAY(a, 2 * BUCKETS, double), *hi = ARENA_ARRAY(a, 2 * BUCKETS, double);
	double longest = fmax(GAP * c->apart, 2 * (p->hi - p->lo) / BUCKETS), before = NAN;
	size_t n = 0;
	for (size_t i = 0; i < BUCKETS; i++) {
		if (b[i].n == 0)
			continue;
		const struct sample *worst = c->least ? b[i].least : b[i].most;
		if (worst->t - before > longest) {
			x[n] = before;
			y[n] = lo[n] = hi[n] = NAN;
			n++;
		}
		x[n] = before = worst->t;
		y[n] = worst->value;
		lo[n] = b[i].least->value;
		hi[n++] = b[i].most->value;
	}
	chart->series[chart->n_series++] = (struct chart_series){ .name = c->line, .style = style, .x = x,
		.y = y, .n = n, .quiet = true, .lo = lo, .hi = hi };
}

/* What several rows of buckets hold together. */
static struct bucket join(const struct bucket *b)
{
	struct bucket all = { 0 };
	for (size_t i = 0; i < TOGETHER; i++) {
		if (b[i].n == 0)
			continue;
		all.least = all.n == 0 || b[i].least->value < all.least->value ? b[i].least : all.least;
		all.most = all.n == 0 || b[i].most->value > all.most->value ? b[i].most : all.most;
		all.n += b[i].n;
	}
	return all;
}

static void bucket_cell(const struct panel *p, const struct curve *c, const struct bucket *b, bool most)
{
	const struct sample *s = most ? b->most : b->least;
	if (b->n == 0) {
		cell_none(p->d);
		return;
	}
	struct figure f = { .value = s->value, .unit = metric_get(c->metric)->unit, .basis = "recomputed",
		.how = most ? "greatest of the stretch" : "least of the stretch", .pos = s->pos };
	cell_figure(p->d, NULL, &f, show(p->d->arena, s->value, f.unit, 4));
}

static void write_buckets(const struct panel *p, struct bucket *const *b)
{
	struct document *d = p->d;
	table_begin(d, "The least and the greatest of each stretch");
	table_column(d, "text", "From", NULL);
	for (size_t k = 0; k < p->n; k++) {
		table_grouped_column(d, "number", p->curve[k]->line, "Least", NULL);
		table_grouped_column(d, "number", p->curve[k]->line, "Most", NULL);
	}
	for (size_t i = 0; i < BUCKETS; i += TOGETHER) {
		size_t any = 0;
		for (size_t k = 0; k < p->n; k++)
			any += join(b[k] + i).n;
		if (!any)
			continue;
		table_row(d);
		cell(d, NULL, trend_when(d, floor(p->lo + (p->hi - p->lo) * (double)i / BUCKETS)));
		for (size_t k = 0; k < p->n; k++) {
			struct bucket all = join(b[k] + i);
			bucket_cell(p, p->curve[k], &all, false);
			bucket_cell(p, p->curve[k], &all, true);
		}
		row_end(d);
	}
	table_end(d, NULL);
}

/* ---- words ---- */

static const char *shown(const struct panel *p, const struct curve *c)
{
	return show(p->d->arena, c->v[c->worst].value, metric_get(c->metric)->unit, 4);
}

/* "System CPU at most 65.36 %, iowait at most 0.39 %" */
static const char *title_of(const struct panel *p)
{
	struct buf b = BUF_EMPTY;
	buf_printf(&b, "%s: ", p->name);
	for (size_t k = 0; k < p->n; k++) {
		const struct curve *c = p->curve[k];
		buf_printf(&b, "%s%s at %s %s", k ? ", " : "", c->line, c->least ? "least" : "most",
			shown(p, c));
	}
	const char *text = arena_string(p->d->arena, buf_view(&b));
	buf_free(&b);
	return text;
}

static void say_found(const struct panel *p)
{
	struct document *d = p->d;
	struct buf b = BUF_EMPTY;
	for (size_t k = 0; k < p->n; k++) {
		const struct curve *c = p->curve[k];
		const struct sample *s = &c->v[c->worst];
		const char *during = p->aligned ? timeline_during(d, p->line, s->t - c->interval, s->t) : NULL;
		buf_printf(&b, "%s%s, %s: never %s %s, which was reached at %s%s%s.", k ? " " : "", p->name, c->line,
			c->least ? "below" : "above", shown(p, c), trend_when(d, s->t), during ? ", " : "",
			during ? during : "");
	}
	elem_slice(d, "para", buf_view(&b));
	buf_free(&b);
}

/* One that is far above everything would press the curves to the floor: the evaluation has it. */
static void put_limit(const struct panel *p, struct chart *c, double most)
{
	static const double FAR = 5;
	if (!p->limit || !(p->limit->limit.value <= FAR * most))
		return;
	c->has_limit = true;
	c->limit = p->limit->limit.value;
	c->limit_text = arena_printf(p->d->arena, "limit of %s, %.*s", p->limited, SLICE_ARG(p->limit->limit.text));
}

void write_panel(struct panel *p)
{
	struct document *d = p->d;
	struct bucket *b[CHART_SERIES] = { NULL };
	double most = 0;
	for (size_t k = 0; k < p->n; k++) {
		b[k] = buckets_of(p, p->curve[k]);
		for (size_t i = 0; i < p->curve[k]->n; i++)
			most = fmax(most, p->curve[k]->v[i].value);
	}
	say_found(p);
	enum metric_id metric = p->curve[0]->metric;
	struct scale scale = axis_scale(d->arena, most, scale_of(d->arena, &most, 1, metric, 4));
	struct chart *c = chart_new(d, title_of(p),
		arena_printf(d->arena, "%s of each of %d stretches of time, shaded: from the least to the greatest%s",
			p->curve[0]->least ? "the least" : "the greatest", BUCKETS,
			p->aligned ? "; above: when jobs ran" : ""),
		arena_printf(d->arena, "Line chart of %s over time from %s to %s. %s.", p->name, trend_when(d, floor(p->lo)),
			trend_when(d, ceil(p->hi)), title_of(p)));
	c->y_factor = scale.factor;
	c->y_unit = scale.unit;
	if (p->aligned)
		timeline_put(p->line, c);
	c->x_time = true;
	c->x_lo = p->lo;
	c->x_hi = p->hi;
	c->x_title = "UTC";
	c->legend = true;
	put_limit(p, c, most);
	for (size_t k = 0; k < p->n; k++)
		put_curve(p, c, p->curve[k], b[k], k ? 8 : 1);
	chart_open(d, c);
	write_buckets(p, b);
	chart_close(d);
}
