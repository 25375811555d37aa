/* A component's figures as bars. */
#include "report/component.h"

#include <math.h>

enum { PLACES = 24, LETTERS = 34 };

size_t component_lead(const struct component_table *t)
{
	for (size_t i = 0; t->what->lead && i < t->n_columns; i++)
		if (slice_is(t->column[i].head[0], t->what->lead))
			return i;
	return 0;
}

static size_t column_with(const struct component_table *t, const char *stat)
{
	for (size_t i = 0; i < t->n_columns; i++)
		if (slice_is(t->column[i].head[0], stat))
			return i;
	return COMPONENT_COLUMNS;
}

/* Rows that can be drawn: of the metric, sound, and at most so many. */
static size_t drawn_rows(const struct component_table *t, const struct component_row **rows, size_t *index, size_t max)
{
	size_t n = 0;
	for (size_t i = 0; i < t->n_rows && n < max; i++) {
		bool any = false;
		for (size_t k = 0; k < t->n_columns; k++)
			any |= t->rows[i].cell[k].n > 0;
		if (!any || t->rows[i].failed || (t->what->drawn != METRICS && t->rows[i].metric != t->what->drawn))
			continue;
		index[n] = i;
		rows[n++] = &t->rows[i];
	}
	return n;
}

/* The arrays of a series while they are filled. */
struct bars {
	double *y, *lo, *hi;
	unsigned *marks;
};

static struct bars bars_new(struct document *d, struct chart_series *s, const char *name, size_t style, size_t n)
{
	struct bars b = { ARENA_ARRAY(d->arena, n, double), ARENA_ARRAY(d->arena, n, double), ARENA_ARRAY(d->arena, n, double),
		ARENA_ARRAY(d->arena, n, unsigned) };
	for (size_t i = 0; i < n; i++)
		b.y[i] = b.lo[i] = b.hi[i] = NAN;
	*s = (struct chart_series){ .name = name, .style = (unsigned)style, .y = b.y, .n = n, .marks = b.marks, .lo = b.lo,
		.hi = b.hi };
	return b;
}

/* The line at a bar: from the least to the greatest of its runs. */
static void set(struct bars *b, size_t at, const struct component_cell *c)
{
	b->y[at] = component_value(c);
	b->marks[at] = c->marks;
	if (c->n > 1) {
		b->lo[at] = c->least;
		b->hi[at] = c->most;
	}
}

static void fill_columns(struct document *d, const struct component_table *t, struct chart *c,
	const struct component_row *const *rows, const size_t *index, size_t n)
{
	c->n_places = t->n_columns;
	for (size_t k = 0; k < t->n_columns; k++)
		c->places[k] = short_label(d->arena, component_column_name(d, t, k), LETTERS);
	for (size_t i = 0; i < n; i++) {
		struct bars b = bars_new(d, &c->series[i], component_row_name(d, t, index[i]), i + 1, t->n_columns);
		for (size_t k = 0; k < t->n_columns; k++)
			set(&b, k, &rows[i]->cell[k]);
	}
	c->n_series = n;
}

static void fill_rows(struct document *d, const struct component_table *t, struct chart *c,
	const struct component_row *const *rows, const size_t *index, size_t n)
{
	bool lead_only = t->what->drawing != DRAW_ROWS;
	size_t lead = component_lead(t), least = column_with(t, "min"), most = column_with(t, "max");
	bool range = t->what->range && least < COMPONENT_COLUMNS && most < COMPONENT_COLUMNS;
	c->n_places = n;
	c->n_series = lead_only ? 1 : t->n_columns < CHART_SERIES ? t->n_columns : CHART_SERIES;
	for (size_t i = 0; i < n; i++)
		c->places[i] = short_label(d->arena, component_row_name(d, t, index[i]), LETTERS);
	for (size_t k = 0; k < c->n_series; k++) {
		size_t column = lead_only ? lead : k;
		struct bars b = bars_new(d, &c->series[k], component_column_name(d, t, column), k + 1, n);
		for (size_t i = 0; i < n; i++) {
			set(&b, i, &rows[i]->cell[column]);
			if (range) {
				b.lo[i] = component_value(&rows[i]->cell[least]);
				b.hi[i] = component_value(&rows[i]->cell[most]);
			}
		}
	}
}

static double greatest(const struct chart *c)
{
	double most = 0;
	for (size_t k = 0; k < c->n_series; k++)
		for (size_t i = 0; i < c->series[k].n; i++)
			most = isfinite(c->series[k].y[i]) ? fmax(most, c->series[k].y[i]) : most;
	return most;
}

struct chart *component_chart(struct document *d, const struct component_table *t, const char *finding)
{
	const struct component_row *rows[PLACES];
	size_t index[PLACES], n = drawn_rows(t, rows, index, PLACES);
	bool by_columns = t->what->drawing == DRAW_COLUMNS && n <= CHART_SERIES && t->n_rows <= CHART_SERIES;
	if (n == 0)
		return NULL;
	struct chart *c = chart_new(d, finding, t->what->subtitle,
		arena_printf(d->arena, "Bar chart: %s, %zu rows of the table.", t->what->title, n));
	c->kind = CHART_ROWS;
	c->places = ARENA_ARRAY(d->arena, PLACES + COMPONENT_COLUMNS, const char *);
	if (by_columns)
		fill_columns(d, t, c, rows, index, n);
	else
		fill_rows(d, t, c, rows, index, n);
	double most = greatest(c);
	struct scale s = scale_of(d->arena, &most, 1, rows[0]->metric, 4);
	c->y_factor = t->what->factor ? t->what->factor : s.factor;
	c->y_unit = t->what->factor ? t->what->unit : *s.unit ? s.unit : metric_get(rows[0]->metric)->name;
	return c;
}
