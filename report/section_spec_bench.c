/* SPEC CPU: each benchmark of a run, with all its runs. */
#include "report/spec.h"

#include "base/num.h"

#include <math.h>

struct spec_bench spec_bench_of(const struct run *r, struct slice name, const char *tune)
{
	struct spec_bench b = { .least = INFINITY, .most = 0 };
	for (size_t i = 0; i < r->n_results; i++) {
		const struct result *k = &r->results[i];
		if (!slice_eq(result_test(k), name) || !spec_is_param(k, "tune", tune) || k->q.missing || result_param(k, "of"))
			continue;
		if (k->metric == METRIC_RUNTIME && slice_is(k->stat, "value")) {
			if (b.n < SPEC_RUNS)
				b.time[b.n++] = k;
			b.least = fmin(b.least, k->q.value);
			b.most = fmax(b.most, k->q.value);
			b.selected = spec_is_param(k, "selected", "yes") ? k : b.selected;
		} else if (k->metric == METRIC_RATIO && spec_is_param(k, "selected", "yes")) {
			b.ratio = k;
		}
	}
	return b;
}

static const char *all_times(struct document *d, const struct spec_bench *b)
{
	struct buf out = BUF_EMPTY;
	for (size_t i = 0; i < b->n; i++)
		buf_printf(&out, "%s%.*s%s", i ? ", " : "", SLICE_ARG(b->time[i]->q.text), publish_mark(b->time[i]));
	const char *text = arena_string(d->arena, buf_view(&out));
	buf_free(&out);
	return text;
}

static void bench_row(struct document *d, struct slice name, const char *tune, const struct spec_bench *b)
{
	const struct param *copies = result_param(b->time[0], "copies"), *threads = result_param(b->time[0], "threads");
	const struct param *parallel = copies ? copies : threads;
	double n = NAN, spread = b->most / b->least - 1;
	table_row(d);
	cell_slice(d, name);
	cell(d, NULL, tune);
	cell(d, NULL,
		parallel ? arena_printf(d->arena, "%.*s %s", SLICE_ARG(parallel->value), copies ? "copies" : "threads") : "");
	cell(d, NULL, all_times(d, b));
	cell(d, spread > 0.05 ? "doubt" : NULL, b->n > 1 ? show_share(d->arena, spread) : "\xe2\x80\x93");
	spec_figure_cell(d, b->selected);
	spec_figure_cell(d, b->ratio);
	if (copies)
		num_double(copies->value, &n);
	if (b->ratio && n > 0) {
		struct figure f = { .value = b->ratio->q.value / n, .unit = UNIT_ONE, .basis = "recomputed",
			.how = "the ratio divided by the copies", .marks = b->ratio->flags & RESULT_MARKS };
		cell_figure(d, NULL, &f, spec_show(d, f.value, UNIT_ONE));
	} else {
		cell_none(d);
	}
	row_end(d);
}

static void benchmark_table(struct document *d, const struct run *r, const struct spec_names *names)
{
	static const char *const tunes[] = { "base", "peak" };
	table_begin(d, "Each benchmark with all its runs");
	table_column(d, "text", "Benchmark", NULL);
	table_column(d, "text", "Tune", NULL);
	table_column(d, "text", "Run with", NULL);
	table_column(d, "text", "All runs, s", NULL);
	table_column(d, "number", "Spread", NULL);
	table_column(d, "number", "Selected run", NULL);
	table_column(d, "number", "Ratio", NULL);
	table_column(d, "number", "Ratio per copy (derived)", NULL);
	for (size_t i = 0; i < names->n; i++)
		for (size_t t = 0; t < 2; t++) {
			struct spec_bench b = spec_bench_of(r, names->v[i], tunes[t]);
			if (b.n)
				bench_row(d, names->v[i], tunes[t], &b);
		}
	table_end(d, "Spread: the slowest run against the fastest; the wave marks more than 5 %.");
}

/* Base and peak side by side. */
static bool benchmark_chart(struct document *d, const struct run *r, const struct spec_names *names)
{
	static const char *const tunes[] = { "base", "peak" };
	struct chart_series series[2] = { { 0 }, { 0 } };
	double most = 0;
	size_t n_series = 0;
	const char *mark = "";
	for (size_t t = 0; t < 2; t++) {
		double *y = ARENA_ARRAY(d->arena, names->n, double);
		unsigned *marks = ARENA_ARRAY(d->arena, names->n, unsigned);
		bool any = false;
		for (size_t i = 0; i < names->n; i++) {
			struct spec_bench b = spec_bench_of(r, names->v[i], tunes[t]);
			marks[i] = b.ratio ? b.ratio->flags & RESULT_MARKS : 0;
			y[i] = b.ratio ? b.ratio->q.value : NAN;
			most = fmax(most, b.ratio ? y[i] : 0);
			mark = b.ratio ? publish_mark(b.ratio) : mark;
			any |= b.ratio != NULL;
		}
		if (any)
			series[n_series++] = (struct chart_series){ .name = arena_printf(d->arena, "%s%s", tunes[t], mark),
				.style = (unsigned)t + 1, .y = y, .n = names->n, .marks = marks };
	}
	if (!n_series || names->n < 2)
		return false;
	struct chart *c = chart_new(d, arena_printf(d->arena, "Ratios of each benchmark%s", mark),
		arena_printf(d->arena, "Ratio to the reference machine%s by benchmark, %s", mark, spec_system(d, r)),
		arena_printf(d->arena, "Bar chart of the ratios of %zu benchmarks.", names->n));
	c->kind = CHART_ROWS;
	c->y_factor = 1;
	c->y_unit = arena_printf(d->arena, "ratio%s", mark);
	c->n_places = names->n;
	c->places = ARENA_ARRAY(d->arena, names->n, const char *);
	for (size_t i = 0; i < names->n; i++)
		c->places[i] = arena_string(d->arena, names->v[i]);
	memcpy(c->series, series, sizeof series);
	c->n_series = n_series;
	chart_open(d, c);
	benchmark_table(d, r, names);
	chart_close(d);
	return true;
}

void spec_benches(const struct run *r, struct spec_names *names)
{
	for (size_t i = 0; i < r->n_results; i++)
		if (r->results[i].metric == METRIC_RUNTIME && !r->results[i].q.missing && result_param(&r->results[i], "tune"))
			spec_name_once(names, result_test(&r->results[i]), SPEC_BENCHES);
}

void spec_write_run(struct document *d, const struct run *r)
{
	struct spec_names names = { .n = 0 };
	spec_benches(r, &names);
	if (!names.n)
		return;
	elem(d, "fold");
	elem_text(d, "title", arena_printf(d->arena, "%s: %s", spec_system(d, r), r->source->name));
	if (!benchmark_chart(d, r, &names))
		benchmark_table(d, r, &names);
	elem_end(d);
}
