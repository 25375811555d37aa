/* SPEC CPU: the metrics by system, then each benchmark with all its runs. Base stands before peak, an estimate says so,
 * and every version of the benchmark has tables of its own. */
#include "report/spec.h"

#include <math.h>

/* ---- the metrics by system ---- */

/* System, OS and compiler are the same: runs of several suites stand in one row. */
static bool same_system(struct document *d, const struct run *a, const struct run *b)
{
	static const char *const keys[] = { "sw_os", "sw_compiler", "hw_cpu_name" };
	bool same = strcmp(spec_system(d, a), spec_system(d, b)) == 0;
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		same &= strcmp(spec_attribute(d, a, keys[i]), spec_attribute(d, b, keys[i])) == 0;
	return same;
}

static bool has_suite(struct document *d, const struct run *r, const char *suite)
{
	return spec_suite_metric(d, r, suite, "base") || spec_suite_metric(d, r, suite, "peak");
}

/* Runs by row: a row's first run, then one run per suite. Two runs of one suite on one system are two rows. */
struct systems {
	const struct run *(*row)[SPEC_SUITES]; /* NULL: nothing of that suite */
	const struct run **head;
	size_t n;
};

static void place(struct document *d, struct systems *s, const struct run *r, const struct spec_names *suites)
{
	size_t at = 0;
	for (; at < s->n; at++) {
		bool fits = same_system(d, s->head[at], r);
		for (size_t i = 0; fits && i < suites->n; i++)
			fits = !s->row[at][i] || !has_suite(d, r, suites->v[i].p);
		if (fits)
			break;
	}
	if (at == s->n)
		s->head[s->n++] = r;
	for (size_t i = 0; i < suites->n; i++)
		if (has_suite(d, r, suites->v[i].p))
			s->row[at][i] = r;
}

static struct systems systems_of(struct document *d, struct slice tool, const struct spec_names *suites)
{
	const struct dataset *data = d->report->data;
	struct systems s = { .head = ARENA_ARRAY(d->arena, data->n_runs, const struct run *) };
	s.row = arena_alloc(d->arena, (data->n_runs + 1) * sizeof *s.row);
	memset(s.row, 0, (data->n_runs + 1) * sizeof *s.row);
	for (size_t i = 0; i < data->n_runs; i++)
		if (spec_is_of(data->runs[i], tool))
			place(d, &s, data->runs[i], suites);
	return s;
}

static void system_row(struct document *d, const struct systems *s, size_t at, const struct spec_names *suites)
{
	static const char *const attributes[] = { "sw_os", "sw_compiler", "state" };
	const struct run *head = s->head[at];
	table_row(d);
	cell_detail(d, slice_of(spec_system(d, head)), spec_attribute(d, head, "hw_cpu_name"));
	for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
		cell(d, NULL, spec_attribute(d, head, attributes[i]));
	for (size_t i = 0; i < suites->n; i++) {
		const struct run *r = s->row[at][i];
		const struct result *base = r ? spec_suite_metric(d, r, suites->v[i].p, "base") : NULL;
		const struct result *peak = r ? spec_suite_metric(d, r, suites->v[i].p, "peak") : NULL;
		spec_figure_cell(d, base);
		spec_figure_cell(d, spec_shown(peak, base));
	}
	row_end(d);
}

static void write_systems(struct document *d, const struct systems *s, const struct spec_names *suites)
{
	table_begin(d, "Metrics by system");
	table_column(d, "text", "System", NULL);
	table_column(d, "prose", "OS", NULL);
	table_column(d, "prose", "Compiler", NULL);
	table_column(d, "text", "State", NULL);
	for (size_t i = 0; i < suites->n; i++) {
		table_grouped_column(d, "number", suites->v[i].p, "Base", NULL);
		table_grouped_column(d, "number", suites->v[i].p, "Peak", NULL);
	}
	for (size_t i = 0; i < s->n; i++)
		system_row(d, s, i, suites);
	table_end(d, "est.: an estimate, no result that SPEC has accepted. A peak stands beside its base only. Metrics of one "
		     "suite and one tune may be compared, no others.");
}

/* ---- their chart ---- */

enum { PLACES = 24, PLACE_LETTERS = 25 };

struct bars {
	const struct result *v[PLACES][2]; /* base and peak */
	const char *system[PLACES], *suite[PLACES];
	size_t n;
	bool several_systems, several_suites;
};

/* Speed and rate are different scales: each has a chart. */
static void collect_bars(
	struct document *d, const struct systems *s, const struct spec_names *suites, bool rate, struct bars *b)
{
	*b = (struct bars){ .n = 0 };
	for (size_t i = 0; i < s->n; i++)
		for (size_t k = 0; k < suites->n && b->n < PLACES; k++) {
			const char *suite = suites->v[k].p;
			const struct run *r = s->row[i][k];
			const struct result *base = r ? spec_suite_metric(d, r, suite, "base") : NULL;
			if (!base || base->q.missing || spec_is_param(base, "complete", "no") || (strstr(suite, "rate") != NULL) != rate)
				continue;
			b->v[b->n][0] = base;
			b->v[b->n][1] = spec_suite_metric(d, r, suite, "peak");
			b->system[b->n] = spec_system(d, r);
			b->suite[b->n] = suite;
			b->several_systems |= strcmp(b->system[b->n], b->system[0]) != 0;
			b->several_suites |= strcmp(suite, b->suite[0]) != 0;
			b->n++;
		}
}

/* The first suite's best base. */
static const char *bars_title(struct document *d, const struct bars *b)
{
	size_t best = 0, rivals = 0;
	for (size_t i = 0; i < b->n; i++)
		if (strcmp(b->suite[i], b->suite[0]) == 0) {
			rivals++;
			best = b->v[i][0]->q.value > b->v[best][0]->q.value ? i : best;
		}
	const struct result *top = b->v[best][0];
	const char *value = arena_printf(d->arena, "%s%s", spec_show(d, top->q.value, UNIT_ONE), publish_mark(top));
	return rivals > 1 ? arena_printf(d->arena, "%s has the highest %s base, %s", b->system[best], b->suite[0], value)
			  : arena_printf(d->arena, "%s: %s base %s", b->system[best], b->suite[0], value);
}

static void bars_table(struct document *d, const struct bars *b)
{
	table_begin(d, "The bars' figures");
	table_column(d, "text", "System", NULL);
	table_column(d, "text", "Suite", NULL);
	table_column(d, "number", "Base", NULL);
	table_column(d, "number", "Peak", NULL);
	for (size_t i = 0; i < b->n; i++) {
		table_row(d);
		cell(d, NULL, b->system[i]);
		cell(d, NULL, b->suite[i]);
		spec_figure_cell(d, b->v[i][0]);
		spec_figure_cell(d, b->v[i][1]);
		row_end(d);
	}
	table_end(d, NULL);
}

static const char *place_name(struct document *d, const struct bars *b, size_t i)
{
	enum { SUITE_LETTERS = 5 };
	const char *kind = strstr(b->suite[i], "fp") ? "fp" : "int";
	if (!b->several_systems)
		return b->suite[i];
	if (!b->several_suites)
		return short_label(d->arena, b->system[i], PLACE_LETTERS);
	return arena_printf(d->arena, "%s, %s", short_label(d->arena, b->system[i], PLACE_LETTERS - SUITE_LETTERS), kind);
}

static void write_bars(struct document *d, const struct bars *b, const char *kind)
{
	if (!b->n)
		return;
	struct chart *c = chart_new(d, bars_title(d, b), arena_printf(d->arena, "Metrics of the %s suites", kind),
		arena_printf(d->arena, "Bar chart of base and peak of the %s suites.", kind));
	c->kind = CHART_ROWS;
	c->y_unit = "ratio";
	c->places = ARENA_ARRAY(d->arena, b->n, const char *);
	c->n_places = b->n;
	for (size_t i = 0; i < b->n; i++)
		c->places[i] = place_name(d, b, i);
	for (size_t t = 0; t < 2; t++) {
		double *y = ARENA_ARRAY(d->arena, b->n, double);
		unsigned *marks = ARENA_ARRAY(d->arena, b->n, unsigned);
		bool any = false;
		for (size_t i = 0; i < b->n; i++) {
			const struct result *r = b->v[i][t];
			y[i] = r && !r->q.missing ? r->q.value : NAN;
			marks[i] = r ? r->flags & RESULT_MARKS : 0;
			any |= isfinite(y[i]);
		}
		if (any)
			c->series[c->n_series++] = (struct chart_series){ .name = t ? "peak" : "base", .style = (unsigned)t + 1,
				.y = y, .n = b->n, .marks = marks };
	}
	chart_open(d, c);
	bars_table(d, b);
	chart_close(d);
}

/* ---- printed against recomputed ---- */

static const char *difference(struct document *d, double share)
{
	const char *plain = arena_printf(d->arena, "%.2f", 100 * share);
	if (fabs(share) < 0.00005)
		return "0.00 %";
	return arena_printf(d->arena, "%s%s %%", share > 0 ? "+" : "", text_grouped(d->arena, plain));
}

static void recomputed_row(struct document *d, const struct run *r, const struct result *printed)
{
	const struct result *again = spec_metric(r, result_test(printed), "recomputed");
	table_row(d);
	cell(d, NULL, spec_system(d, r));
	cell_slice(d, result_test(printed));
	spec_figure_cell(d, printed);
	spec_figure_cell(d, again);
	cell(d, printed->flags & RESULT_SUSPECT ? "doubt" : NULL,
		again ? difference(d, printed->q.value / again->q.value - 1) : "\xe2\x80\x93");
	const char *slash = strrchr(r->source->name, '/');
	cell(d, NULL, slash && slash[1] ? slash + 1 : r->source->name);
	row_end(d);
}

static void write_recomputed(struct document *d, struct slice tool)
{
	const struct dataset *data = d->report->data;
	table_begin(d, "Printed against recomputed");
	table_column(d, "text", "System", NULL);
	table_column(d, "text", "Metric", NULL);
	table_column(d, "number", "Printed", NULL);
	table_column(d, "number", "Recomputed", NULL);
	table_column(d, "number", "Difference", NULL);
	table_column(d, "text", "Source", NULL);
	for (size_t i = 0; i < data->n_runs; i++) {
		const struct run *r = data->runs[i];
		if (!publish_ruled(r) || !slice_eq(r->tool, tool))
			continue;
		for (size_t k = 0; k < r->n_results; k++)
			if (r->results[k].metric == METRIC_SCORE && slice_is(r->results[k].stat, "value") &&
				!r->results[k].q.missing &&
				spec_shown(&r->results[k], spec_suite_metric(d, r, publish_suite(d->arena, &r->results[k]), "base")))
				recomputed_row(d, r, &r->results[k]);
	}
	table_end(d, "Recomputed: the geometric mean of the selected runs' ratios, as printed, where the suite is complete. A "
		     "text's metric may be off by one in its third digit.");
}

static const char *finding(struct document *d, struct slice tool)
{
	const struct dataset *data = d->report->data;
	size_t runs = 0, estimated = 0, suspect = 0;
	for (size_t i = 0; i < data->n_runs; i++) {
		const struct run *r = data->runs[i];
		bool estimate = false, doubt = false;
		if (!spec_is_of(r, tool))
			continue;
		for (size_t k = 0; k < r->n_results; k++) {
			estimate |= (r->results[k].flags & RESULT_ESTIMATED) != 0;
			doubt |= r->results[k].metric == METRIC_SCORE && r->results[k].flags & RESULT_SUSPECT;
		}
		runs++;
		estimated += estimate;
		suspect += doubt;
	}
	const char *estimates = estimated ? arena_printf(d->arena, ", %zu of them estimates", estimated) : "";
	const char *doubts = "";
	if (suspect)
		doubts = arena_printf(d->arena, "; %zu with a metric that does not follow from its rows", suspect);
	return arena_printf(d->arena, "%zu %s%s%s.", runs, runs == 1 ? "run" : "runs", estimates, doubts);
}

/* Speed before rate, integer before floating point, as SPEC lists them. The names end in NUL. */
static unsigned suite_rank(struct slice name)
{
	return (slice_find(name, SLICE("rate")) != (size_t)-1 ? 2 : 0) + (slice_find(name, SLICE("fp")) != (size_t)-1 ? 1 : 0);
}

static struct spec_names suites_of(struct document *d, struct slice tool)
{
	const struct dataset *data = d->report->data;
	struct spec_names names = { .n = 0 };
	for (size_t i = 0; i < data->n_runs; i++)
		for (size_t k = 0; spec_is_of(data->runs[i], tool) && k < data->runs[i]->n_results; k++)
			if (data->runs[i]->results[k].metric == METRIC_SCORE)
				spec_name_once(&names, slice_of(publish_suite(d->arena, &data->runs[i]->results[k])), SPEC_SUITES);
	for (size_t i = 1; i < names.n; i++)
		for (size_t k = i; k > 0 && suite_rank(names.v[k - 1]) > suite_rank(names.v[k]); k--) {
			struct slice s = names.v[k];
			names.v[k] = names.v[k - 1];
			names.v[k - 1] = s;
		}
	return names;
}

static void write_version(struct document *d, struct slice tool)
{
	const struct dataset *data = d->report->data;
	struct spec_names suites = suites_of(d, tool);
	if (!suites.n)
		return;
	struct systems systems = systems_of(d, tool, &suites);
	struct bars bars;
	elem(d, "section");
	attr_slice(d, "id", tool);
	attr(d, "kind", "results");
	elem_text(d, "title", arena_printf(d->arena, "SPEC CPU%.*s", SLICE_ARG(slice_from(tool, 8))));
	elem_text(d, "finding", finding(d, tool));
	for (int rate = 0; rate < 2; rate++) {
		collect_bars(d, &systems, &suites, rate, &bars);
		write_bars(d, &bars, rate ? "rate" : "speed");
	}
	write_systems(d, &systems, &suites);
	spec_write_ratios(d, tool, &suites);
	write_recomputed(d, tool);
	spec_write_derived(d, tool);
	spec_write_differences(d, tool);
	for (size_t i = 0; i < data->n_runs; i++)
		if (spec_is_of(data->runs[i], tool))
			spec_write_run(d, data->runs[i]);
	elem_end(d);
}

void write_spec(struct document *d)
{
	const struct dataset *data = d->report->data;
	struct spec_names tools = { .n = 0 };
	for (size_t i = 0; i < data->n_runs; i++)
		if (publish_ruled(data->runs[i]))
			spec_name_once(&tools, data->runs[i]->tool, SPEC_BENCHES);
	for (size_t i = 0; i < tools.n; i++)
		write_version(d, tools.v[i]);
}
