/* The components of a machine: for each a sentence, a chart, the table. */
#include "model/publish.h"
#include "report/component.h"

#include <math.h>

enum { ROWS_SHOWN = 40, ROWS_OPEN = 16, HOURS = 730 };

static const char *const kernels[] = { "Copy", "Scale", "Mul", "Add", "Triad", "Dot", NULL };
static const char *const of_samples[] = { "mean", "median", "min", "max", "sd", NULL };
static const char *const repeated[] = { "run", "job", "iteration", NULL };
static const char *const intervals[] = { "interval", NULL };

#define SUBJECT { .kind = FIELD_SUBJECT, .title = "Subject" }
#define TEST { .kind = FIELD_TEST, .title = "Test" }
#define ATTRIBUTE(k, t) { .kind = FIELD_ATTR, .key = k, .title = t }
#define COUNT(k, t, o, m) { .kind = FIELD_PARAM, .key = k, .title = t, .one = o, .many = m }
#define NETWORK .section = "Network", .id = "network", .rows = { SUBJECT, TEST }, .columns = { { .kind = FIELD_STAT } }, \
	.without = intervals, .drawing = DRAW_LEAD, .drawn = METRICS
#define SAMPLES .order = of_samples, .lead = "mean", .range = true

static const struct component components[] = {
	{ .section = "Memory bandwidth", .id = "memory", .title = "Best rate by threads and compiler",
		.picks = { { "stream", NULL, METRIC_BANDWIDTH, "max", 0 }, { "babelstream", NULL, METRIC_BANDWIDTH, "max", 0 } },
		.rows = { SUBJECT, ATTRIBUTE("os", "OS"), ATTRIBUTE("compiler", "Compiler"),
			COUNT("threads", "Threads", "thread", "threads"), COUNT("array_size", "Array", "element", "elements") },
		.columns = { { .kind = FIELD_TEST } },
		.order = kernels, .free = repeated, .repeats = REPEATS_POOLED, .factor = 1e9, .unit = "GB/s", .group = "Best rate",
		.lead = "Triad", .noun = "Triad bandwidth", .drawing = DRAW_COLUMNS, .drawn = METRICS,
		.subtitle = "Best rate in GB/s (10\xe2\x81\xb9 bytes)",
		.note = "1 GB is 10\xe2\x81\xb9 bytes. Each run counts with its best rate." },
	{ NETWORK, SAMPLES, .title = "Latency", .noun = "mean latency",
		.picks = { { "cloudharmony", "latency", METRIC_LATENCY, NULL, 0 }, { "ping", NULL, METRIC_LATENCY, NULL, 0 },
			{ "qperf", NULL, METRIC_LATENCY, NULL, 0 } },
		.subtitle = "Mean latency; the line reaches from the least to the greatest" },
	{ NETWORK, SAMPLES, .title = "Web requests", .noun = "mean time",
		.picks = { { "cloudharmony", "rtt", METRIC_RTT, NULL, 1 }, { "cloudharmony", "ttfb", METRIC_TTFB, NULL, 1 } },
		.subtitle = "Mean time of a request (rtt) and to its first byte (ttfb); the line reaches from the least to the "
			    "greatest" },
	{ NETWORK, SAMPLES, .title = "Bandwidth", .noun = "mean bandwidth", .factor = 125000, .unit = "Mbit/s",
		.picks = { { "cloudharmony", NULL, METRIC_BANDWIDTH, NULL, 0 } },
		.subtitle = "Mean bandwidth in Mbit/s; the line reaches from the least to the greatest",
		.note = "1 Mbit is 10\xe2\x81\xb6 bits; the suite itself prints Mb of 2\xc2\xb2\xe2\x81\xb0 bits." },
	{ NETWORK, .title = "Transfers", .noun = "bandwidth", .factor = 125000, .unit = "Mbit/s",
		.picks = { { "iperf3", NULL, METRIC_BANDWIDTH, "value", 0 }, { "iperf", NULL, METRIC_BANDWIDTH, "value", 0 },
			{ "qperf", NULL, METRIC_BANDWIDTH, "value", 0 } },
		.subtitle = "Bandwidth in Mbit/s" },
	{ NETWORK, SAMPLES, .title = "DNS queries", .noun = "mean query time",
		.picks = { { "cloudharmony", "dns", METRIC_QUERY_TIME, NULL, 0 } },
		.subtitle = "Mean query time; the line reaches from the least to the greatest" },
	{ NETWORK, .title = "Single DNS queries", .noun = "query time",
		.picks = { { "dig", NULL, METRIC_QUERY_TIME, "value", 0 } },
		.repeats = REPEATS_POOLED, .free = repeated, .subtitle = "Mean query time" },
	{ .section = "UnixBench", .id = "unixbench", .title = "Index of each test, and the scores", .group = "Index",
		.picks = { { "unixbench", "Index Score", METRIC_INDEX, "value", 1 },
			{ "unixbench", "FINAL SCORE", METRIC_INDEX, "value", 1 },
			{ "unixbench", "SUM of", METRIC_INDEX, "value", 1 }, { "unixbench", "AVERAGE", METRIC_INDEX, "value", 1 },
			{ "unixbench", NULL, METRIC_INDEX, "value", 0 } },
		.rows = { { .kind = FIELD_TEST, .title = "Test", .prefix = "System Benchmarks " } },
		.columns = { SUBJECT, { .kind = FIELD_VERSION }, COUNT("copies", NULL, "copy", "copies") },
		.free = repeated, .repeats = REPEATS_POOLED, .last_row = true, .drawing = DRAW_ROWS, .drawn = METRICS, .prices = true,
		.subtitle = "Index by test and copies",
		.note = "A score is the geometric mean of its indices. Those of different versions are not comparable." },
	{ .section = "Storage quick tests", .id = "storage", .title = "ioping, dd and hdparm side by side",
		.picks = { { "ioping", NULL, METRIC_LATENCY, "mean", 0 }, { "ioping", NULL, METRIC_IOPS, "value", 1 },
			{ "ioping", NULL, METRIC_BANDWIDTH, "value", 2 }, { "dd", NULL, METRIC_BANDWIDTH, "value", 3 },
			{ "hdparm", NULL, METRIC_BANDWIDTH, "value", 4 } },
		.rows = { { .kind = FIELD_TOOL, .title = "Tool" }, TEST, { .kind = FIELD_FIGURE, .title = "Figure" } },
		.columns = { SUBJECT }, .free = repeated, .without = intervals, .repeats = REPEATS_IN_TURN, .each = true,
		.drawing = DRAW_ROWS, .drawn = METRIC_BANDWIDTH, .factor = 1048576, .unit = "MiB/s", .prices = true,
		.subtitle = "Bandwidth by test",
		.note = "Quick tests are short, may go through the page cache and say nothing of a steady state." },
};

/* ---- cells ---- */

static struct figure figure_of_cell(struct document *d, const struct component_cell *c)
{
	struct figure f = figure_of(c->one);
	if (c->n > 1) {
		f = (struct figure){ .value = component_value(c), .unit = c->one->q.unit, .basis = "recomputed", .pos = c->one->q.pos,
			.how = arena_printf(d->arena, "mean over %zu runs", c->n) };
	}
	f.marks = c->marks;
	return f;
}

static const char *shown(struct document *d, const struct component *what, const struct scale *s, double v, enum unit u)
{
	return what->each ? show(d->arena, v, u, 4) : scale_show(d->arena, s, v);
}

static void write_cell(
	struct document *d, const struct component_table *t, const struct component_row *row, size_t column, const struct scale *s)
{
	const struct component_cell *c = &row->cell[column];
	if (!c->one) {
		cell_none(d);
		return;
	}
	if (!c->n) {
		cell(d, "doubt", c->one->q.text.n ? arena_printf(d->arena, "%.*s%s", SLICE_ARG(c->one->q.text), publish_mark(c->one))
						  : "no value");
		return;
	}
	struct figure f = figure_of_cell(d, c);
	const char *detail = c->n > 1 && c->most > c->least
		? arena_printf(d->arena, "%s \xe2\x80\xa6 %s", shown(d, t->what, s, c->least, f.unit),
			  shown(d, t->what, s, c->most, f.unit))
		: NULL;
	cell_figure_detail(d, row->failed ? "bad" : c->doubt ? "doubt" : NULL, &f, shown(d, t->what, s, f.value, f.unit), detail);
}

static size_t runs_of(const struct component_table *t, const struct component_row *r)
{
	size_t n = 0;
	for (size_t i = 0; i < t->n_columns; i++)
		n = r->cell[i].n > n ? r->cell[i].n : n;
	return n;
}

static bool several_runs(const struct component_table *t)
{
	for (size_t i = 0; i < t->n_rows; i++)
		if (runs_of(t, &t->rows[i]) > 1)
			return true;
	return false;
}

/* ---- prices ---- */

/* What the runs of a column's subject say that it costs. */
static const struct param *price_of(struct document *d, struct slice subject, struct quantity *q)
{
	const struct dataset *data = d->report->data;
	for (size_t i = 0; i < data->n_runs; i++) {
		const struct param *p = slice_eq(data->runs[i]->subject, subject) ? params_find(data->runs[i]->attrs, "price") : NULL;
		const char *error;
		if (p && quantity_parse(p->value, UNIT_USD_H, q, NULL, &error) && q->unit == UNIT_USD_H)
			return p;
	}
	return NULL;
}

static void price_row(struct document *d, const struct component_table *t, size_t heads, const char *title, bool month)
{
	table_row(d);
	cell(d, NULL, title);
	for (size_t i = 1; i < heads; i++)
		cell(d, NULL, "");
	for (size_t i = 0; i < t->n_columns; i++) {
		struct quantity q = { 0 };
		const struct param *p = price_of(d, t->column[i].head[0], &q);
		if (!p) {
			cell_none(d);
			continue;
		}
		struct figure f = { .value = q.value, .unit = UNIT_USD_H, .basis = "published", .pos = p->pos,
			.printed = p->text.n ? p->text : p->value };
		if (month) {
			f.basis = "recomputed";
			f.how = "730 hours of this price per hour";
			f.printed = SLICE_NONE;
		}
		const char *plain = month         ? arena_printf(d->arena, "%.0f", q.value * HOURS)
				    : q.value < 1 ? arena_printf(d->arena, "%.4g", q.value)
						  : arena_printf(d->arena, "%.2f", q.value);
		cell_figure(d, NULL, &f, arena_printf(d->arena, "$%s", text_grouped(d->arena, plain)));
	}
	row_end(d);
}

static void write_prices(struct document *d, const struct component_table *t, size_t heads)
{
	struct quantity q;
	bool any = false;
	for (size_t i = 0; i < t->n_columns; i++)
		any |= price_of(d, t->column[i].head[0], &q) != NULL;
	if (!any || !t->what->prices)
		return;
	price_row(d, t, heads, "Price per hour", false);
	price_row(d, t, heads, "Price per month (730 hours)", true);
}

/* ---- the table ---- */

static struct scale scale_for(struct document *d, const struct component_table *t)
{
	size_t n = 0;
	double *v = ARENA_ARRAY(d->arena, t->n_rows * t->n_columns, double);
	for (size_t i = 0; i < t->n_rows; i++)
		for (size_t k = 0; k < t->n_columns; k++)
			v[n++] = component_value(&t->rows[i].cell[k]);
	struct scale s = scale_of(d->arena, v, n, t->rows[0].metric, 4);
	if (!t->what->factor)
		return s;
	double most = 0;
	for (size_t i = 0; i < n; i++)
		most = isfinite(v[i]) ? fmax(most, v[i] / t->what->factor) : most;
	s = (struct scale){ .factor = t->what->factor, .unit = t->what->unit, .base = s.base, .digits = 4 };
	s.decimals = most >= 1000 ? 0 : most >= 100 ? 1 : most >= 10 ? 2 : 3;
	return s;
}

/* Small, below the row's first cell: the params that no column shows, and the file where nothing else tells rows apart. */
static const char *row_detail(struct document *d, const struct component_table *t, size_t row)
{
	const struct component_row *r = &t->rows[row];
	const char *part[] = { r->failed ? "failed its validation" : "", r->words,
		component_twin(t, row, true) ? component_turn(d, r) : "" };
	struct buf b = BUF_EMPTY;
	for (size_t i = 0; i < sizeof part / sizeof *part; i++)
		if (*part[i])
			buf_printf(&b, "%s%s", b.n ? ", " : "", part[i]);
	const char *text = arena_string(d->arena, buf_view(&b));
	buf_free(&b);
	return text;
}

static void write_heads(struct document *d, const struct component_table *t, size_t row)
{
	for (size_t k = 0; k < COMPONENT_FIELDS; k++) {
		if (k == 0)
			cell_detail(d, slice_of(component_head(d, t, row, k)), row_detail(d, t, row));
		else if (component_field_used(t, k))
			cell(d, NULL, component_head(d, t, row, k));
	}
}

/* How many columns the rows' heads take. */
static size_t head_columns(struct document *d, const struct component_table *t)
{
	const struct component *what = t->what;
	size_t n = 0;
	for (size_t k = 0; k < COMPONENT_FIELDS; k++)
		if (what->rows[k].kind && (k == 0 || component_field_used(t, k))) {
			table_column(d, what->rows[k].one ? "number" : "text", what->rows[k].title, NULL);
			n++;
		}
	if (several_runs(t)) {
		table_column(d, "number", "Runs", NULL);
		n++;
	}
	return n;
}

static bool any_doubt(const struct component_table *t)
{
	for (size_t i = 0; i < t->n_rows; i++)
		for (size_t k = 0; k < t->n_columns; k++)
			if (t->rows[i].cell[k].doubt && !t->rows[i].failed)
				return true;
	return false;
}

static const char *table_note(struct document *d, const struct component_table *t)
{
	struct buf b = BUF_EMPTY;
	if (t->what->note)
		buf_printf(&b, "%s ", t->what->note);
	if (several_runs(t))
		buf_str(&b, "Of several runs the mean stands, below it the least and the greatest. ");
	if (any_doubt(t))
		buf_str(&b, "The wave marks what was read from text that had to be mended, or contradicts another figure. ");
	if (t->left_out)
		buf_printf(&b, "%zu further figures are left out here; `assay results` prints all.", t->left_out);
	const char *text = b.n ? arena_string(d->arena, slice_trim(buf_view(&b))) : NULL;
	buf_free(&b);
	return text;
}

static void write_table(struct document *d, const struct component_table *t, size_t from, size_t to)
{
	const struct component *what = t->what;
	struct scale s = scale_for(d, t);
	bool runs = several_runs(t);
	table_begin(d, what->title);
	size_t heads = head_columns(d, t);
	const char *unit = what->each ? "" : s.unit, *above = what->group ? what->group : what->title;
	const char *group = t->n_columns < 2 || what->each ? NULL
			    : *unit ? arena_printf(d->arena, "%s, %s", above, unit) : above;
	for (size_t i = 0; i < t->n_columns; i++) {
		const char *name = component_column_name(d, t, i);
		table_grouped_column(d, "number", group, *name ? name : "Value", group ? NULL : unit);
	}
	for (size_t i = from; i < to; i++) {
		table_row(d);
		write_heads(d, t, i);
		if (runs)
			cell(d, NULL, arena_printf(d->arena, "%zu", runs_of(t, &t->rows[i])));
		for (size_t k = 0; k < t->n_columns; k++)
			write_cell(d, t, &t->rows[i], k, &s);
		row_end(d);
	}
	if (to == t->n_rows)
		write_prices(d, t, heads);
	table_end(d, table_note(d, t));
}

/* ---- sentences ---- */

/* Figures that a sentence sets against each other: of one column, or of one row. */
struct rivals {
	const struct component_cell *cell[COMPONENT_ROWS];
	size_t index[COMPONENT_ROWS], n;
};

/* DRAW_ROWS: the row that the sentence is about. */
static size_t lead_row(const struct component_table *t)
{
	if (t->what->last_row)
		return t->n_rows - 1;
	for (size_t i = 0; i < t->n_rows; i++)
		if (t->rows[i].metric == t->what->drawn)
			return i;
	return 0;
}

static void find_rivals(const struct component_table *t, struct rivals *v)
{
	bool by_columns = t->what->drawing == DRAW_ROWS;
	size_t lead = component_lead(t), row = lead_row(t);
	v->n = 0;
	for (size_t i = 0; i < (by_columns ? t->n_columns : t->n_rows); i++) {
		const struct component_row *r = &t->rows[by_columns ? row : i];
		if (r->cell[by_columns ? i : lead].n && !r->failed && r->metric == t->rows[by_columns ? row : 0].metric) {
			v->cell[v->n] = &r->cell[by_columns ? i : lead];
			v->index[v->n++] = i;
		}
	}
}

/* The best of them, and the worst. */
static const char *finding(struct document *d, const struct component_table *t)
{
	const struct component *what = t->what;
	bool by_columns = what->drawing == DRAW_ROWS;
	struct rivals v;
	size_t most = 0, least = 0;
	find_rivals(t, &v);
	if (!v.n)
		return "No figure that counts";
	for (size_t i = 1; i < v.n; i++) {
		most = component_value(v.cell[i]) > component_value(v.cell[most]) ? i : most;
		least = component_value(v.cell[i]) < component_value(v.cell[least]) ? i : least;
	}
	bool lower = metric_get(v.cell[0]->one->metric)->better == BETTER_LOWER;
	size_t best = lower ? least : most;
	struct scale s = scale_for(d, t);
	const char *noun = what->noun ? what->noun : component_row_name(d, t, lead_row(t));
	const struct component_cell *top = v.cell[best];
	const char *value = arena_printf(d->arena, "%s%s%s%s", shown(d, what, &s, component_value(top), top->one->q.unit),
		what->each || !*s.unit ? "" : " ", what->each ? "" : s.unit, publish_marks(top->marks));
	double times = component_value(v.cell[most]) / component_value(v.cell[least]);
	const char *name = by_columns ? component_column_name(d, t, v.index[best]) : component_row_name(d, t, v.index[best]);
	if (v.n < 2)
		return *name ? arena_printf(d->arena, "%s: %s, %s", name, noun, value) : arena_printf(d->arena, "%s: %s", noun, value);
	return arena_printf(d->arena, "%s: the %s %s, %s%s", name, lower ? "shortest" : "highest", noun, value,
		isfinite(times) && times >= 1.005 ? arena_printf(d->arena, "; the %s is %.*f times that", lower ? "longest" : "lowest",
			lower ? (times < 10 ? 2 : 0) : 2, lower ? times : 1 / times) : "; all are alike");
}

/* How much a section rests on, and what does not count. */
static const char *extent(struct document *d, const struct component_table *t, size_t n)
{
	struct buf b = BUF_EMPTY;
	size_t measured = 0, bad = 0;
	for (size_t k = 0; k < n; k++)
		for (size_t i = 0; i < t[k].n_rows; i++)
			for (size_t c = 0; c < t[k].n_columns; c++) {
				measured += t[k].rows[i].cell[c].n;
				bad += t[k].rows[i].failed ? t[k].rows[i].cell[c].n : 0;
			}
	buf_printf(&b, "%zu %s", measured, measured == 1 ? "figure" : "figures");
	if (d->n_subjects == 1)
		buf_printf(&b, " of %.*s", SLICE_ARG(d->subjects[0].n ? d->subjects[0] : SLICE("an unnamed subject")));
	if (bad)
		buf_printf(&b, "; %zu of them failed the tool's own validation and %s in no comparison", bad,
			bad == 1 ? "stands" : "stand");
	buf_char(&b, '.');
	const char *text = arena_string(d->arena, buf_view(&b));
	buf_free(&b);
	return text;
}

static void write_component(struct document *d, const struct component_table *t)
{
	size_t shown_rows = t->n_rows < ROWS_SHOWN ? t->n_rows : ROWS_SHOWN;
	struct chart *chart = component_chart(d, t, finding(d, t));
	if (chart) {
		chart->open = shown_rows <= ROWS_OPEN;
		chart_open(d, chart);
	}
	write_table(d, t, 0, shown_rows);
	if (chart)
		chart_close(d);
	if (shown_rows == t->n_rows)
		return;
	elem(d, "fold");
	elem_text(d, "title", arena_printf(d->arena, "%zu further rows", t->n_rows - shown_rows));
	write_table(d, t, shown_rows, t->n_rows);
	elem_end(d);
}

/* Components of one section; with several each has its own heading. */
static void write_section(struct document *d, const struct component_table *t, size_t n)
{
	elem(d, "section");
	attr(d, "id", t->what->id);
	attr(d, "kind", "component");
	elem_text(d, "title", t->what->section);
	elem_text(d, "finding", extent(d, t, n));
	for (size_t i = 0; i < n; i++) {
		if (n > 1) {
			elem(d, "part");
			attr_id(d, "id", "k", ++d->sections);
			elem_text(d, "title", t[i].what->title);
		}
		write_component(d, &t[i]);
		if (n > 1)
			elem_end(d);
	}
	elem_end(d);
}

bool component_takes(struct slice tool)
{
	for (size_t i = 0; i < sizeof components / sizeof *components; i++)
		for (const struct pick *p = components[i].picks; p < components[i].picks + COMPONENT_PICKS && p->tool; p++)
			if (slice_is(tool, p->tool))
				return true;
	return false;
}

void write_components(struct document *d)
{
	enum { N = sizeof components / sizeof *components };
	struct component_table *t = ARENA_ARRAY(d->arena, N, struct component_table);
	size_t n = 0, behind;
	for (size_t i = 0; i < N; i++)
		n += component_collect(d, &components[i], &t[n]);
	for (size_t i = 0; i < n; i = behind) {
		for (behind = i + 1; behind < n && strcmp(t[behind].what->id, t[i].what->id) == 0;)
			behind++;
		write_section(d, &t[i], behind - i);
	}
}
