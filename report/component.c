/* Gathering the figures of a component. */
#include "report/component.h"

#include <math.h>
#include <stdlib.h>

/* How many earlier runs of a tool are searched for the same run in another form: forms lie side by side. */
enum { COPIES_SEARCHED = 12, COPY_FIGURES = 3, COPY_MAX = 300 };

static bool listed(const char *const *list, struct slice key)
{
	for (; list && *list; list++)
		if (slice_is(key, *list))
			return true;
	return false;
}

static size_t place_in(const char *const *list, struct slice key)
{
	size_t i = 0;
	while (list[i] && !slice_is(key, list[i]))
		i++;
	return i;
}

static const struct pick *pick_of(const struct component *c, const struct run *run, const struct result *r)
{
	for (const struct pick *p = c->picks; p < c->picks + COMPONENT_PICKS && p->tool; p++)
		if (p->metric == r->metric && slice_is(run->tool, p->tool) &&
			(!p->test || slice_find(result_test(r), slice_of(p->test)) != (size_t)-1) &&
			(p->stat ? slice_is(r->stat, p->stat) : listed(c->order, r->stat)))
			return p;
	return NULL;
}

static struct slice field_value(struct document *d, const struct field *f, const struct run *run, const struct result *r)
{
	const struct param *p = NULL;
	switch (f->kind) {
	case FIELD_SUBJECT: return run->subject;
	case FIELD_TOOL: return run->tool;
	case FIELD_VERSION: return run->version;
	case FIELD_TEST: return result_test(r);
	case FIELD_STAT: return r->stat;
	case FIELD_FIGURE:
		return slice_of(slice_is(r->stat, "value")
					? metric_get(r->metric)->title
					: arena_printf(d->arena, "%s, %.*s", metric_get(r->metric)->title, SLICE_ARG(r->stat)));
	case FIELD_PARAM: p = result_param(r, f->key); break;
	case FIELD_ATTR:
		p = params_find(run->attrs, f->key);
		p = p || !(r->flags & RESULT_PUBLISHED) ? p : result_param(r, f->key);
		break;
	case FIELD_NONE: break;
	}
	return p ? p->value : SLICE_NONE;
}

/* The params that no field shows. */
static void name_rest(struct document *d, const struct component *c, const struct result *r, struct component_row *row)
{
	const char *without[2 * COMPONENT_FIELDS + 12] = { NULL };
	size_t n = 0;
	if (r->flags & RESULT_PUBLISHED)
		without[n++] = "published"; /* stands beside the figure */
	for (size_t i = 0; i < COMPONENT_FIELDS; i++) {
		if (c->rows[i].kind == FIELD_PARAM || (c->rows[i].kind == FIELD_ATTR && r->flags & RESULT_PUBLISHED))
			without[n++] = c->rows[i].key;
		if (c->columns[i].kind == FIELD_PARAM)
			without[n++] = c->columns[i].key;
	}
	for (const char *const *f = c->free; f && *f && n + 1 < sizeof without / sizeof *without; f++)
		without[n++] = *f;
	struct params inherited = r->job ? r->job->params : (struct params){ 0 };
	row->rest = show_params(d->arena, r->params, inherited, without);
	row->words = show_words(d->arena, r->params, inherited, without);
}

static bool same_result(const struct result *a, const struct result *b)
{
	return a->metric == b->metric && slice_eq(a->stat, b->stat) && slice_eq(result_test(a), result_test(b));
}

/* Whether `b` says nothing that `a` doesn't say: one run's text, log and table, read as several inputs. */
static bool repeats(struct document *d, const struct run *a, const struct run *b)
{
	size_t same = 0;
	if (a->n_results > COPY_MAX || b->n_results > COPY_MAX)
		return false;
	for (size_t i = 0; i < b->n_results; i++) {
		const struct result *r = &b->results[i], *other = NULL;
		if (r->flags & RESULT_DERIVED || r->q.missing)
			continue;
		const char *params = show_params(d->arena, r->params, r->job ? r->job->params : (struct params){ 0 }, NULL);
		for (size_t k = 0; k < a->n_results && !other; k++) {
			const struct result *o = &a->results[k];
			if (same_result(o, r) && !o->q.missing &&
				strcmp(params, show_params(d->arena, o->params, o->job ? o->job->params : (struct params){ 0 }, NULL)) == 0)
				other = o;
		}
		if (other && fabs(other->q.value - r->q.value) > other->q.half_digit + r->q.half_digit + 1e-9 * fabs(r->q.value))
			return false;
		same += other != NULL;
	}
	return same >= COPY_FIGURES;
}

static bool is_copy(struct document *d, size_t at)
{
	const struct dataset *data = d->report->data;
	const struct run *r = data->runs[at];
	size_t searched = 0;
	if (r->same_as)
		return true;
	for (size_t i = at; i-- > 0 && searched < COPIES_SEARCHED;) {
		const struct run *o = data->runs[i];
		if (!slice_eq(o->tool, r->tool) || !slice_eq(o->subject, r->subject) || o->source == r->source)
			continue;
		searched++;
		if (repeats(d, o, r))
			return true;
	}
	return false;
}

/* Blocks of a run that fail their own validation, which fails all their figures; by their ordinal. */
struct failures {
	struct slice *block;
	size_t n, cap;
};

static int by_text(const void *a, const void *b)
{
	return slice_cmp(*(const struct slice *)a, *(const struct slice *)b);
}

static struct failures failures_of(struct document *d, const struct run *run)
{
	struct failures f = { 0 };
	for (size_t i = 0; i < run->n_results; i++) {
		const struct result *v = &run->results[i];
		const struct param *block = result_param(v, "run");
		if (v->metric == METRIC_VALID && !v->q.missing && v->q.value == 0)
			*ARENA_PUSH(d->arena, f.block, f.n, f.cap) = block ? block->value : SLICE("");
	}
	if (f.n)
		qsort(f.block, f.n, sizeof *f.block, by_text);
	return f;
}

static bool failed(const struct failures *f, const struct result *r)
{
	const struct param *p = result_param(r, "run");
	struct slice block = p ? p->value : SLICE("");
	return f->n && bsearch(&block, f->block, f->n, sizeof block, by_text);
}

static const char *base_name(const struct run *run)
{
	const char *path = run->source ? run->source->name : "", *slash = strrchr(path, '/');
	return slash && slash[1] ? slash + 1 : path;
}

static bool same_row(const struct component_row *a, const struct component_row *b)
{
	bool same = a->group == b->group && a->failed == b->failed && a->rank == b->rank && strcmp(a->rest, b->rest) == 0;
	for (size_t k = 0; same && k < COMPONENT_FIELDS; k++)
		same = slice_eq(a->head[k], b->head[k]);
	return same;
}

static struct component_row *row_of(struct document *d, struct component_table *t, const struct run *run,
	const struct result *r, const struct pick *p, bool bad, size_t column)
{
	struct component_row row = { .rank = p->rank, .metric = r->metric, .failed = bad };
	const struct run *group = run->suite ? run->suite : run;
	name_rest(d, t->what, r, &row);
	for (size_t i = 0; i < COMPONENT_FIELDS; i++)
		row.head[i] = field_value(d, &t->what->rows[i], run, r);
	if (t->what->repeats == REPEATS_ROWS || r->flags & RESULT_PUBLISHED) { /* never pooled with others */
		const struct param *published = params_find(run->attrs, "published_in");
		row.group = group;
		row.place = published ? arena_string(d->arena, published->value) : base_name(group);
	}
	row.turn = t->what->repeats == REPEATS_IN_TURN;
	for (size_t i = 0; i < t->n_rows; i++) {
		if (!same_row(&t->rows[i], &row))
			continue;
		if (!row.turn || !t->rows[i].cell[column].one)
			return &t->rows[i];
		row.turn++;
	}
	if (t->n_rows == COMPONENT_ROWS)
		return NULL;
	struct component_row *new = ARENA_PUSH(d->arena, t->rows, t->n_rows, t->row_cap);
	*new = row;
	return new;
}

static size_t column_of(struct document *d, struct component_table *t, const struct run *run, const struct result *r)
{
	struct component_column column = { 0 };
	for (size_t i = 0; i < COMPONENT_FIELDS; i++)
		column.head[i] = field_value(d, &t->what->columns[i], run, r);
	for (size_t i = 0; i < t->n_columns; i++) {
		bool same = true;
		for (size_t k = 0; same && k < COMPONENT_FIELDS; k++)
			same = slice_eq(t->column[i].head[k], column.head[k]);
		if (same)
			return i;
	}
	if (t->n_columns == COMPONENT_COLUMNS)
		return COMPONENT_COLUMNS;
	t->column[t->n_columns] = column;
	return t->n_columns++;
}

static void put(const struct component *c, struct component_cell *cell, const struct result *r)
{
	if (!cell->one || (cell->one->q.missing && !r->q.missing))
		cell->one = r;
	/* Where measurements aren't pooled, a second figure is the same one in another form of the source. */
	if (r->q.missing || (cell->n && c->repeats != REPEATS_POOLED))
		return;
	cell->least = cell->n ? fmin(cell->least, r->q.value) : r->q.value;
	cell->most = cell->n ? fmax(cell->most, r->q.value) : r->q.value;
	cell->sum += r->q.value;
	cell->n++;
	cell->marks |= r->flags & RESULT_MARKS;
	cell->doubt |= (r->flags & (RESULT_SUSPECT | RESULT_REPAIRED)) != 0;
}

static void take(struct document *d, struct component_table *t, const struct run *run)
{
	struct failures failures = failures_of(d, run);
	for (size_t i = 0; i < run->n_results; i++) {
		const struct result *r = &run->results[i];
		const struct pick *p = pick_of(t->what, run, r);
		bool left = false;
		for (const char *const *w = t->what->without; p && w && *w; w++)
			left |= result_param(r, *w) != NULL;
		if (!p || left)
			continue;
		size_t column = column_of(d, t, run, r);
		struct component_row *row = column < COMPONENT_COLUMNS
			? row_of(d, t, run, r, p, failed(&failures, r), column) : NULL;
		if (row)
			put(t->what, &row->cell[column], r);
		else
			t->left_out++;
	}
}

static bool says_the_same(const struct component_table *t, const struct component_row *a, const struct component_row *b)
{
	size_t same = 0;
	for (size_t k = 0; k < COMPONENT_FIELDS; k++)
		if (!slice_eq(a->head[k], b->head[k]))
			return false;
	for (size_t i = 0; i < t->n_columns; i++) {
		double x = component_value(&a->cell[i]), y = component_value(&b->cell[i]);
		if (!isfinite(y))
			continue;
		if (!isfinite(x) || fabs(x - y) > 1e-6 * fabs(x))
			return false;
		same++;
	}
	return same > 0 || (!b->cell[0].n && !a->cell[0].n);
}

/* The files of a suite print one measurement with more params or fewer. */
static void drop_repeated(struct component_table *t)
{
	size_t kept = 0;
	for (size_t i = 0; i < t->n_rows; i++) {
		bool known = false;
		for (size_t k = 0; k < kept && t->rows[i].group && !known; k++)
			known = t->rows[k].group == t->rows[i].group && says_the_same(t, &t->rows[k], &t->rows[i]);
		if (!known)
			t->rows[kept++] = t->rows[i];
	}
	t->n_rows = kept;
}

/* By rank, else as they came. Columns as their order says. */
static void sort(struct component_table *t)
{
	for (size_t i = 1; i < t->n_rows; i++) {
		struct component_row row = t->rows[i];
		size_t k = i;
		for (; k > 0 && t->rows[k - 1].rank > row.rank; k--)
			t->rows[k] = t->rows[k - 1];
		t->rows[k] = row;
	}
	for (size_t i = 1; t->what->order && i < t->n_columns; i++)
		for (size_t k = i; k > 0; k--) {
			struct component_column *a = &t->column[k - 1], *b = a + 1, column = *a;
			if (place_in(t->what->order, a->head[0]) <= place_in(t->what->order, b->head[0]))
				break;
			*a = *b;
			*b = column;
			for (size_t r = 0; r < t->n_rows; r++) {
				struct component_cell cell = t->rows[r].cell[k];
				t->rows[r].cell[k] = t->rows[r].cell[k - 1];
				t->rows[r].cell[k - 1] = cell;
			}
		}
}

bool component_collect(struct document *d, const struct component *what, struct component_table *t)
{
	const struct dataset *data = d->report->data;
	*t = (struct component_table){ .what = what };
	for (size_t i = 0; i < data->n_runs; i++) {
		bool any = false;
		for (size_t k = 0; k < data->runs[i]->n_results && !any; k++)
			any = pick_of(what, data->runs[i], &data->runs[i]->results[k]) != NULL;
		if (any && !is_copy(d, i))
			take(d, t, data->runs[i]);
	}
	drop_repeated(t);
	sort(t);
	return t->n_rows && t->n_columns;
}

double component_value(const struct component_cell *c)
{
	return c->n ? c->sum / (double)c->n : NAN;
}

bool component_field_used(const struct component_table *t, size_t field)
{
	for (size_t i = 0; i < t->n_rows; i++)
		if (t->rows[i].head[field].n)
			return true;
	return false;
}

static const char *titled(struct document *d, const struct field *f, struct slice value)
{
	static const char *const names[][2] = { { "mean", "Mean" }, { "median", "Median" }, { "min", "Min" },
		{ "max", "Max" }, { "sd", "Std dev" }, { "value", "Value" } };
	for (size_t i = 0; f->kind == FIELD_STAT && i < sizeof names / sizeof *names; i++)
		if (slice_is(value, names[i][0]))
			return names[i][1];
	if (!value.n && f->kind == FIELD_SUBJECT)
		return "unnamed";
	if (f->many)
		return text_grouped(d->arena, arena_string(d->arena, value));
	return arena_string(d->arena, value);
}

const char *component_head(struct document *d, const struct component_table *t, size_t row, size_t field)
{
	return titled(d, &t->what->rows[field], t->rows[row].head[field]);
}

/* As a part of a name. */
static const char *named(struct document *d, const struct field *f, struct slice value)
{
	if (f->prefix && slice_starts(value, f->prefix))
		return arena_string(d->arena, slice_from(value, strlen(f->prefix)));
	if (!value.n || !f->many)
		return titled(d, f, value);
	return arena_printf(d->arena, "%s %s", titled(d, f, value), slice_is(value, "1") ? f->one : f->many);
}

static void append(struct buf *b, const char *s)
{
	if (*s)
		buf_printf(b, "%s%s", b->n ? ", " : "", s);
}

static const char *finish(struct document *d, struct buf *b, const char *otherwise)
{
	const char *text = b->n ? arena_string(d->arena, buf_view(b)) : otherwise;
	buf_free(b);
	return text;
}

const char *component_column_name(struct document *d, const struct component_table *t, size_t column)
{
	struct buf b = BUF_EMPTY;
	for (size_t k = 0; k < COMPONENT_FIELDS; k++) {
		bool varies = t->n_columns == 1 && k == 0;
		for (size_t i = 0; i < t->n_columns; i++)
			varies |= !slice_eq(t->column[i].head[k], t->column[0].head[k]);
		if (varies)
			append(&b, named(d, &t->what->columns[k], t->column[column].head[k]));
	}
	return finish(d, &b, "");
}

bool component_twin(const struct component_table *t, size_t row, bool and_rest)
{
	for (size_t i = 0; i < t->n_rows; i++) {
		bool same = i != row && (!and_rest || strcmp(t->rows[i].rest, t->rows[row].rest) == 0);
		for (size_t k = 0; same && k < COMPONENT_FIELDS; k++)
			same = slice_eq(t->rows[i].head[k], t->rows[row].head[k]);
		if (same)
			return true;
	}
	return false;
}

const char *component_turn(struct document *d, const struct component_row *r)
{
	return r->place ? r->place : r->turn ? arena_printf(d->arena, "no. %u", r->turn) : "";
}

const char *component_row_name(struct document *d, const struct component_table *t, size_t row)
{
	struct buf b = BUF_EMPTY;
	for (size_t k = 0; k < COMPONENT_FIELDS; k++) {
		bool varies = false, told = t->what->rows[k].kind == FIELD_FIGURE && t->what->drawn != METRICS;
		for (size_t i = 0; i < t->n_rows && !told; i++)
			varies |= !slice_eq(t->rows[i].head[k], t->rows[0].head[k]);
		if (varies)
			append(&b, named(d, &t->what->rows[k], t->rows[row].head[k]));
	}
	if (component_twin(t, row, false))
		append(&b, t->rows[row].words);
	if (component_twin(t, row, true))
		append(&b, component_turn(d, &t->rows[row]));
	const char *first = named(d, &t->what->rows[0], t->rows[row].head[0]);
	return finish(d, &b, *first ? first : t->what->title);
}
