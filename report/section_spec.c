/* SPEC CPU: the metrics by system, then each benchmark with all its runs. Base stands before peak, an estimate says so,
 * and every version of the benchmark has tables of its own. */
#include "model/publish.h"
#include "report/document.h"

#include "base/num.h"

#include <math.h>

enum { METRICS_MAX = 16, BENCHES_MAX = 80, RUNS_SHOWN = 6 };

struct names {
	struct slice v[BENCHES_MAX];
	size_t n;
};

static void name_once(struct names *names, struct slice s, size_t max)
{
	for (size_t i = 0; i < names->n; i++)
		if (slice_eq(names->v[i], s))
			return;
	if (names->n < max)
		names->v[names->n++] = s;
}

static bool is_param(const struct result *r, const char *key, const char *value)
{
	const struct param *p = result_param(r, key);
	return p && slice_is(p->value, value);
}

/* A run with a report of its own, of this version of the benchmark. */
static bool is_of(const struct run *r, struct slice tool)
{
	return publish_ruled(r) && !r->suite && slice_eq(r->tool, tool);
}

static const char *attribute(struct document *d, const struct run *r, const char *key)
{
	const struct param *p = params_find(r->attrs, key);
	return p ? arena_string(d->arena, p->value) : "";
}

static const char *subject_of(struct document *d, const struct run *r)
{
	const char *system = attribute(d, r, "hw_model");
	return r->subject.n ? arena_string(d->arena, r->subject) : *system ? system : "unnamed";
}

static const struct result *metric_of(const struct run *r, struct slice test, const char *stat)
{
	for (size_t i = 0; i < r->n_results; i++)
		if (r->results[i].metric == METRIC_SCORE && slice_is(r->results[i].stat, stat) &&
			slice_eq(result_test(&r->results[i]), test))
			return &r->results[i];
	return NULL;
}

static void figure_cell(struct document *d, const struct result *r)
{
	if (!r || r->q.missing) {
		cell_none(d);
		return;
	}
	struct figure f = figure_of(r);
	cell_figure(d, r->flags & RESULT_SUSPECT ? "doubt" : NULL, &f, show(d->arena, r->q.value, r->q.unit, 4));
}

/* ---- the metrics by system ---- */

/* System, OS and compiler are the same: runs of several suites stand in one row. */
static bool same_system(struct document *d, const struct run *a, const struct run *b)
{
	static const char *const keys[] = { "sw_os", "sw_compiler", "hw_cpu_name" };
	bool same = slice_eq(a->subject, b->subject);
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		same &= strcmp(attribute(d, a, keys[i]), attribute(d, b, keys[i])) == 0;
	return same;
}

/* The figure of the first run of this system that has the metric and is not in an earlier row. */
static const struct result *of_system(struct document *d, const struct run *head, const bool *later, struct slice metric)
{
	const struct dataset *data = d->report->data;
	for (size_t i = 0; i < data->n_runs; i++) {
		const struct run *r = data->runs[i];
		const struct result *k = is_of(r, head->tool) && (r == head || later[i]) && same_system(d, r, head)
						 ? metric_of(r, metric, "value")
						 : NULL;
		if (k)
			return k;
	}
	return NULL;
}

/* Whether a metric's base stands in the row, so that its peak may. */
static bool has_base(const struct result *peak, const struct result *before)
{
	return !peak || is_param(peak, "tune", "base") || (before && !before->q.missing);
}

static void system_row(struct document *d, const struct run *head, const bool *later, const struct names *metrics)
{
	const struct result *before = NULL;
	table_row(d);
	cell(d, NULL, subject_of(d, head));
	cell(d, NULL, attribute(d, head, "hw_cpu_name"));
	cell(d, NULL, attribute(d, head, "sw_os"));
	cell(d, NULL, attribute(d, head, "sw_compiler"));
	cell(d, NULL, attribute(d, head, "state"));
	for (size_t i = 0; i < metrics->n; i++) {
		const struct result *r = of_system(d, head, later, metrics->v[i]);
		figure_cell(d, has_base(r, before) ? r : NULL);
		before = r;
	}
	row_end(d);
}

/* Two runs of the same metric on one system are two rows. */
static bool repeats(struct document *d, size_t at, const bool *later)
{
	const struct dataset *data = d->report->data;
	const struct run *r = data->runs[at];
	bool shares = false, earlier = false;
	for (size_t i = 0; i < at; i++) {
		const struct run *o = data->runs[i];
		if (!is_of(o, r->tool) || !same_system(d, o, r))
			continue;
		earlier = true;
		for (size_t k = 0; k < r->n_results; k++)
			shares |= r->results[k].metric == METRIC_SCORE && !r->results[k].q.missing &&
				  metric_of(o, result_test(&r->results[k]), "value");
	}
	return !earlier || shares || !later[at];
}

static void write_systems(struct document *d, struct slice tool, const struct names *metrics)
{
	const struct dataset *data = d->report->data;
	bool *later = ARENA_ARRAY(d->arena, data->n_runs, bool);
	for (size_t i = 0; i < data->n_runs; i++) {
		later[i] = true;
		later[i] = is_of(data->runs[i], tool) && !repeats(d, i, later);
	}
	table_begin(d, "Metrics by system");
	table_column(d, "text", "System", NULL);
	table_column(d, "text", "CPU", NULL);
	table_column(d, "text", "OS", NULL);
	table_column(d, "text", "Compiler", NULL);
	table_column(d, "text", "State", NULL);
	for (size_t i = 0; i < metrics->n; i++)
		table_column(d, "number", arena_string(d->arena, metrics->v[i]), NULL);
	for (size_t i = 0; i < data->n_runs; i++)
		if (is_of(data->runs[i], tool) && !later[i])
			system_row(d, data->runs[i], later, metrics);
	table_end(d, "est.: an estimate, no result that SPEC has accepted. Only metrics of one suite and one tune may be compared.");
}

/* ---- printed against recomputed ---- */

static void recomputed_row(struct document *d, const struct run *r, const struct result *printed)
{
	const struct result *again = metric_of(r, result_test(printed), "recomputed");
	table_row(d);
	cell(d, NULL, subject_of(d, r));
	cell_slice(d, result_test(printed));
	figure_cell(d, printed);
	figure_cell(d, again);
	cell(d, printed->flags & RESULT_SUSPECT ? "doubt" : NULL,
		again && !printed->q.missing ? arena_printf(d->arena, "%+.2f %%", 100 * (printed->q.value / again->q.value - 1))
					     : "\xe2\x80\x93");
	cell(d, NULL, r->source->name);
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
				!r->results[k].q.missing)
				recomputed_row(d, r, &r->results[k]);
	}
	table_end(d, "Recomputed: the geometric mean of the selected runs' ratios, as printed, where the suite is complete. A "
		     "text's metric may be off by one in its third digit.");
}

/* ---- derived views ---- */

/* The number before a word: 128 in "128 cores, 2 chips, 2 threads/core"; NAN when there is none. */
static double number_before(struct slice text, const char *word)
{
	size_t at = slice_find(text, slice_of(word)), from = at;
	double n = NAN;
	if (at == (size_t)-1)
		return NAN;
	while (from > 0 && text.p[from - 1] >= '0' && text.p[from - 1] <= '9')
		from--;
	num_double((struct slice){ text.p + from, at - from }, &n);
	return n;
}

static double attribute_number(const struct run *r, const char *key)
{
	const struct param *p = params_find(r->attrs, key);
	double n = NAN;
	if (p)
		num_double(p->value, &n);
	return n;
}

/* Raw files have keys of their own for what reports write as one text. */
static void cores_of(const struct run *r, double *cores, double *vcpus)
{
	const struct param *enabled = params_find(r->attrs, "hw_enabled");
	double threads;
	if (enabled) {
		*cores = number_before(enabled->value, " core");
		threads = number_before(enabled->value, " threads/core");
	} else {
		*cores = attribute_number(r, "hw_ncores");
		threads = attribute_number(r, "hw_nthreadspercore");
	}
	*vcpus = *cores * (threads > 0 ? threads : 1);
}

static double copies_of(const struct run *r)
{
	double n = NAN;
	for (size_t i = 0; i < r->n_results && isnan(n); i++) {
		const struct param *copies = result_param(&r->results[i], "copies");
		if (copies && is_param(&r->results[i], "tune", "base"))
			num_double(copies->value, &n);
	}
	return n;
}

static void derived_cell(struct document *d, const struct result *r, double by, const char *how)
{
	struct figure f = { .value = r->q.value / by, .unit = UNIT_ONE, .basis = "recomputed", .how = how,
		.estimated = r->flags & RESULT_ESTIMATED };
	if (by > 0)
		cell_figure(d, NULL, &f, show(d->arena, f.value, UNIT_ONE, 4));
	else
		cell_none(d);
}

/* Base of the rate suites: speed does not grow with the cores by its own rules. */
static bool is_base_rate(const struct result *r)
{
	struct slice test = result_test(r);
	return r->metric == METRIC_SCORE && slice_is(r->stat, "value") && !r->q.missing && is_param(r, "tune", "base") &&
	       !is_param(r, "complete", "no") && slice_find(test, SLICE("rate")) != (size_t)-1;
}

static bool any_rate(const struct dataset *data, struct slice tool)
{
	for (size_t i = 0; i < data->n_runs; i++)
		for (size_t k = 0; is_of(data->runs[i], tool) && k < data->runs[i]->n_results; k++)
			if (is_base_rate(&data->runs[i]->results[k]))
				return true;
	return false;
}

static void write_derived(struct document *d, struct slice tool)
{
	const struct dataset *data = d->report->data;
	if (!any_rate(data, tool))
		return;
	table_begin(d, "Derived: rates by core, vCPU and copy");
	table_column(d, "text", "System", NULL);
	table_column(d, "text", "Metric", NULL);
	table_column(d, "number", "Per core (derived)", NULL);
	table_column(d, "number", "Per vCPU (derived)", NULL);
	table_column(d, "number", "Per copy (derived)", NULL);
	for (size_t i = 0; i < data->n_runs; i++) {
		const struct run *r = data->runs[i];
		double cores, vcpus, copies = copies_of(r);
		cores_of(r, &cores, &vcpus);
		for (size_t k = 0; is_of(r, tool) && k < r->n_results; k++) {
			if (!is_base_rate(&r->results[k]))
				continue;
			table_row(d);
			cell(d, NULL, subject_of(d, r));
			cell_slice(d, result_test(&r->results[k]));
			derived_cell(d, &r->results[k], cores, "the metric divided by the cores");
			derived_cell(d, &r->results[k], vcpus, "the metric divided by the hardware threads");
			derived_cell(d, &r->results[k], copies, "the metric divided by the copies");
			row_end(d);
		}
	}
	table_end(d, "Not metrics of SPEC: computed here from the printed metric and the described system.");
}

/* ---- what differs ---- */

static void write_differences(struct document *d, struct slice tool)
{
	static const char *const keys[] = { "hw_cpu_name", "hw_enabled", "hw_memory", "sw_os", "sw_compiler",
		"compiler_version", "fw_bios", "sw_file", "sw_base_ptrsize", "power_management", "base_optimization_flags" };
	enum { SYSTEMS = 8 };
	const struct dataset *data = d->report->data;
	const struct run *runs[SYSTEMS];
	size_t n = 0;
	for (size_t i = 0; i < data->n_runs && n < SYSTEMS; i++)
		if (is_of(data->runs[i], tool) && data->runs[i]->attrs.n)
			runs[n++] = data->runs[i];
	if (n < 2)
		return;
	table_begin(d, "What differs between the systems");
	table_column(d, "text", "Attribute", NULL);
	for (size_t i = 0; i < n; i++)
		table_column(d, "text", subject_of(d, runs[i]), NULL);
	for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
		bool differs = false;
		for (size_t i = 1; i < n; i++)
			differs |= strcmp(attribute(d, runs[i], keys[k]), attribute(d, runs[0], keys[k])) != 0;
		if (!differs)
			continue;
		table_row(d);
		cell(d, NULL, keys[k]);
		for (size_t i = 0; i < n; i++)
			cell(d, NULL, attribute(d, runs[i], keys[k]));
		row_end(d);
	}
	table_end(d, NULL);
}

/* ---- each benchmark ---- */

struct bench {
	const struct result *time[RUNS_SHOWN], *selected, *ratio;
	size_t n;
	double least, most;
};

static struct bench bench_of(const struct run *r, struct slice name, const char *tune)
{
	struct bench b = { .least = INFINITY, .most = 0 };
	for (size_t i = 0; i < r->n_results; i++) {
		const struct result *k = &r->results[i];
		if (!slice_eq(result_test(k), name) || !is_param(k, "tune", tune) || k->q.missing || result_param(k, "of"))
			continue;
		if (k->metric == METRIC_RUNTIME && slice_is(k->stat, "value")) {
			if (b.n < RUNS_SHOWN)
				b.time[b.n++] = k;
			b.least = fmin(b.least, k->q.value);
			b.most = fmax(b.most, k->q.value);
			b.selected = is_param(k, "selected", "yes") ? k : b.selected;
		} else if (k->metric == METRIC_RATIO && is_param(k, "selected", "yes")) {
			b.ratio = k;
		}
	}
	return b;
}

static const char *all_times(struct document *d, const struct bench *b)
{
	struct buf out = BUF_EMPTY;
	for (size_t i = 0; i < b->n; i++)
		buf_printf(&out, "%s%.*s%s", i ? ", " : "", SLICE_ARG(b->time[i]->q.text), publish_mark(b->time[i]));
	const char *text = arena_string(d->arena, buf_view(&out));
	buf_free(&out);
	return text;
}

static void bench_row(struct document *d, struct slice name, const char *tune, const struct bench *b)
{
	const struct param *copies = result_param(b->time[0], "copies"), *threads = result_param(b->time[0], "threads");
	const struct param *parallel = copies ? copies : threads;
	double n = NAN, spread = b->most / b->least - 1;
	table_row(d);
	cell_slice(d, name);
	cell(d, NULL, tune);
	cell(d, NULL, parallel ? arena_printf(d->arena, "%.*s %s", SLICE_ARG(parallel->value), copies ? "copies" : "threads") : "");
	cell(d, NULL, all_times(d, b));
	cell(d, spread > 0.05 ? "doubt" : NULL, b->n > 1 ? show_share(d->arena, spread) : "\xe2\x80\x93");
	figure_cell(d, b->selected);
	figure_cell(d, b->ratio);
	if (copies)
		num_double(copies->value, &n);
	if (b->ratio && n > 0) {
		struct figure f = { .value = b->ratio->q.value / n, .unit = UNIT_ONE, .basis = "recomputed",
			.how = "the ratio divided by the copies", .estimated = b->ratio->flags & RESULT_ESTIMATED };
		cell_figure(d, NULL, &f, show(d->arena, f.value, UNIT_ONE, 4));
	} else {
		cell_none(d);
	}
	row_end(d);
}

static void benchmark_table(struct document *d, const struct run *r, const struct names *names)
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
			struct bench b = bench_of(r, names->v[i], tunes[t]);
			if (b.n)
				bench_row(d, names->v[i], tunes[t], &b);
		}
	table_end(d, "Spread: the slowest run against the fastest; the wave marks more than 5 %.");
}

/* Base and peak side by side. Places are told by the benchmarks' numbers. */
static bool benchmark_chart(struct document *d, const struct run *r, const struct names *names)
{
	static const char *const tunes[] = { "base", "peak" };
	struct chart_series series[2] = { { 0 }, { 0 } };
	double most = 0;
	size_t n_series = 0;
	const char *mark = "";
	for (size_t t = 0; t < 2; t++) {
		double *x = ARENA_ARRAY(d->arena, names->n, double), *y = ARENA_ARRAY(d->arena, names->n, double);
		bool any = false, *estimated = ARENA_ARRAY(d->arena, names->n, bool);
		for (size_t i = 0; i < names->n; i++) {
			struct bench b = bench_of(r, names->v[i], tunes[t]);
			estimated[i] = b.ratio && b.ratio->flags & RESULT_ESTIMATED;
			x[i] = (double)i;
			y[i] = b.ratio ? b.ratio->q.value : NAN;
			most = fmax(most, b.ratio ? y[i] : 0);
			mark = b.ratio ? publish_mark(b.ratio) : mark;
			any |= b.ratio != NULL;
		}
		if (any)
			series[n_series++] = (struct chart_series){ .name = arena_printf(d->arena, "%s%s", tunes[t], mark),
				.style = (unsigned)t + 1, .x = x, .y = y, .n = names->n, .estimated = estimated };
	}
	if (!n_series || names->n < 2)
		return false;
	struct chart *c = chart_new(d, arena_printf(d->arena, "Ratios of each benchmark%s", mark),
		arena_printf(d->arena, "Ratio to the reference machine%s by benchmark, %s", mark, subject_of(d, r)),
		arena_printf(d->arena, "Bar chart of the ratios of %zu benchmarks.", names->n));
	c->kind = CHART_BARS;
	c->y_factor = 1;
	c->y_unit = arena_printf(d->arena, "ratio%s", mark);
	c->n_places = names->n;
	c->places = ARENA_ARRAY(d->arena, names->n, const char *);
	for (size_t i = 0; i < names->n; i++)
		c->places[i] = arena_string(d->arena, slice_head(names->v[i], 3));
	memcpy(c->series, series, sizeof series);
	c->n_series = n_series;
	chart_open(d, c);
	benchmark_table(d, r, names);
	chart_close(d);
	return true;
}

static void write_run(struct document *d, const struct run *r)
{
	struct names names = { .n = 0 };
	for (size_t i = 0; i < r->n_results; i++)
		if (r->results[i].metric == METRIC_RUNTIME && !r->results[i].q.missing && result_param(&r->results[i], "tune"))
			name_once(&names, result_test(&r->results[i]), BENCHES_MAX);
	if (!names.n)
		return;
	elem(d, "fold");
	elem_text(d, "title", arena_printf(d->arena, "%s: %s", subject_of(d, r), r->source->name));
	if (!benchmark_chart(d, r, &names))
		benchmark_table(d, r, &names);
	elem_end(d);
}

static const char *finding(struct document *d, struct slice tool)
{
	const struct dataset *data = d->report->data;
	size_t runs = 0, estimated = 0, suspect = 0;
	for (size_t i = 0; i < data->n_runs; i++) {
		const struct run *r = data->runs[i];
		bool estimate = false, doubt = false;
		if (!is_of(r, tool))
			continue;
		for (size_t k = 0; k < r->n_results; k++) {
			estimate |= (r->results[k].flags & RESULT_ESTIMATED) != 0;
			doubt |= r->results[k].metric == METRIC_SCORE && r->results[k].flags & RESULT_SUSPECT;
		}
		runs++;
		estimated += estimate;
		suspect += doubt;
	}
	return arena_printf(d->arena, "%zu %s, %zu of them estimates; %zu with a metric that does not follow from its rows.", runs,
		runs == 1 ? "run" : "runs", estimated, suspect);
}

static void write_version(struct document *d, struct slice tool)
{
	const struct dataset *data = d->report->data;
	struct names metrics = { .n = 0 };
	for (size_t i = 0; i < data->n_runs; i++)
		for (size_t k = 0; is_of(data->runs[i], tool) && k < data->runs[i]->n_results; k++)
			if (data->runs[i]->results[k].metric == METRIC_SCORE)
				name_once(&metrics, result_test(&data->runs[i]->results[k]), METRICS_MAX);
	if (!metrics.n)
		return;
	elem(d, "section");
	attr_slice(d, "id", tool);
	attr(d, "kind", "results");
	elem_text(d, "title", arena_printf(d->arena, "SPEC CPU%.*s", SLICE_ARG(slice_from(tool, 8))));
	elem_text(d, "finding", finding(d, tool));
	write_systems(d, tool, &metrics);
	write_recomputed(d, tool);
	write_derived(d, tool);
	write_differences(d, tool);
	for (size_t i = 0; i < data->n_runs; i++)
		if (is_of(data->runs[i], tool))
			write_run(d, data->runs[i]);
	elem_end(d);
}

void write_spec(struct document *d)
{
	const struct dataset *data = d->report->data;
	struct names tools = { .n = 0 };
	for (size_t i = 0; i < data->n_runs; i++)
		if (publish_ruled(data->runs[i]))
			name_once(&tools, data->runs[i]->tool, BENCHES_MAX);
	for (size_t i = 0; i < tools.n; i++)
		write_version(d, tools.v[i]);
}
