/* SPEC CPU: what is computed from the metrics and ratios, and what differs between the systems. */
#include "report/spec.h"

#include "base/num.h"

#include <math.h>

/* ---- ratios to a baseline ---- */

enum { OTHERS = 7 };

/* Runs of one suite and tune that may be compared, the baseline first. */
struct rivals {
	const struct run *run[OTHERS + 1];
	size_t n;
};

static void find_rivals(struct document *d, struct slice tool, const char *suite, const char *tune, struct rivals *v)
{
	const struct dataset *data = d->report->data;
	const struct result *base = NULL;
	v->n = 0;
	for (size_t i = 0; i < data->n_runs && v->n <= OTHERS; i++) {
		const struct run *r = data->runs[i];
		const struct result *k = spec_is_of(r, tool) ? spec_suite_metric(d, r, suite, tune) : NULL;
		if (!k || k->q.missing || (base && publish_obstacle(d->arena, v->run[0], base, r, k)))
			continue;
		base = base ? base : k;
		v->run[v->n++] = r;
	}
}

static const struct result *ratio_of(const struct run *r, struct slice name, const char *tune)
{
	struct spec_bench b = spec_bench_of(r, name, tune);
	return b.ratio && b.ratio->q.value > 0 ? b.ratio : NULL;
}

static void quotient_cell(struct document *d, double value, const char *how, unsigned marks)
{
	struct figure f = { .value = value, .unit = UNIT_ONE, .basis = "recomputed", .how = how, .marks = marks };
	cell_figure(d, value >= 1.05 ? "good" : value <= 1 / 1.05 ? "bad" : NULL, &f, show_ratio(d->arena, value));
}

static void ratio_row(struct document *d, const struct rivals *v, struct slice name, const char *tune)
{
	const struct result *base = ratio_of(v->run[0], name, tune);
	table_row(d);
	cell_slice(d, name);
	spec_figure_cell(d, base);
	for (size_t i = 1; i < v->n; i++) {
		const struct result *r = ratio_of(v->run[i], name, tune);
		spec_figure_cell(d, r);
		if (base && r)
			quotient_cell(d, r->q.value / base->q.value, "divided by the baseline's ratio",
				(r->flags | base->flags) & RESULT_MARKS);
		else
			cell_none(d);
	}
	row_end(d);
}

/* Over the benchmarks that both have. */
static void mean_row(struct document *d, const struct rivals *v, const struct spec_names *names, const char *tune)
{
	table_row(d);
	cell(d, NULL, "Geometric mean");
	cell_none(d);
	for (size_t i = 1; i < v->n; i++) {
		double sum = 0;
		size_t n = 0;
		unsigned marks = 0;
		for (size_t k = 0; k < names->n; k++) {
			const struct result *base = ratio_of(v->run[0], names->v[k], tune), *r = ratio_of(v->run[i], names->v[k], tune);
			if (!base || !r)
				continue;
			sum += log(r->q.value / base->q.value);
			marks |= (r->flags | base->flags) & RESULT_MARKS;
			n++;
		}
		cell_none(d);
		if (n)
			quotient_cell(d, exp(sum / (double)n), arena_printf(d->arena, "geometric mean over %zu benchmarks", n), marks);
		else
			cell_none(d);
	}
	row_end(d);
}

static void ratio_table(struct document *d, const struct rivals *v, const char *suite, const char *tune)
{
	struct spec_names names = { .n = 0 };
	spec_benches(v->run[0], &names);
	table_begin(d, arena_printf(d->arena, "%s, %s: each benchmark against %s", suite, tune, spec_system(d, v->run[0])));
	table_column(d, "text", "Benchmark", NULL);
	table_grouped_column(d, "number", spec_system(d, v->run[0]), "Ratio", NULL);
	for (size_t i = 1; i < v->n; i++) {
		/* Neighbours of one name must not share a head. */
		const char *group = arena_printf(d->arena, "%zu. %s", i + 1, spec_system(d, v->run[i]));
		table_grouped_column(d, "number", group, "Ratio", NULL);
		table_grouped_column(d, "number", group, "\xc3\x97 baseline", NULL);
	}
	for (size_t i = 0; i < names.n; i++)
		ratio_row(d, v, names.v[i], tune);
	mean_row(d, v, &names, tune);
	table_end(d, "Ratios of the selected runs. The check marks what is better by 5 % or more, the cross what is worse.");
}

void spec_write_ratios(struct document *d, struct slice tool, const struct spec_names *suites)
{
	static const char *const tunes[] = { "base", "peak" };
	struct rivals v;
	for (size_t i = 0; i < suites->n; i++)
		for (size_t t = 0; t < 2; t++) {
			find_rivals(d, tool, suites->v[i].p, tunes[t], &v);
			if (v.n > 1)
				ratio_table(d, &v, suites->v[i].p, tunes[t]);
		}
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
	if (isnan(*cores))
		*cores = attribute_number(r, "cores");
	*vcpus = *cores * (threads > 0 ? threads : 1);
}

static double copies_of(const struct run *r)
{
	double n = NAN;
	for (size_t i = 0; i < r->n_results && isnan(n); i++) {
		const struct param *copies = result_param(&r->results[i], "copies");
		if (copies && spec_is_param(&r->results[i], "tune", "base"))
			num_double(copies->value, &n);
	}
	return n;
}

static void derived_cell(struct document *d, const struct result *r, double by, const char *how)
{
	struct figure f = { .value = r->q.value / by, .unit = UNIT_ONE, .basis = "recomputed", .how = how,
		.marks = r->flags & RESULT_MARKS };
	if (by > 0)
		cell_figure(d, NULL, &f, show(d->arena, f.value, UNIT_ONE, 4));
	else
		cell_none(d);
}

/* Base of the rate suites: speed does not grow with the cores by its own rules. */
static bool is_base_rate(const struct result *r)
{
	struct slice test = result_test(r);
	return r->metric == METRIC_SCORE && slice_is(r->stat, "value") && !r->q.missing && spec_is_param(r, "tune", "base") &&
	       !spec_is_param(r, "complete", "no") && slice_find(test, SLICE("rate")) != (size_t)-1;
}

static bool any_rate(const struct dataset *data, struct slice tool)
{
	for (size_t i = 0; i < data->n_runs; i++)
		for (size_t k = 0; spec_is_of(data->runs[i], tool) && k < data->runs[i]->n_results; k++)
			if (is_base_rate(&data->runs[i]->results[k]))
				return true;
	return false;
}

void spec_write_derived(struct document *d, struct slice tool)
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
		for (size_t k = 0; spec_is_of(r, tool) && k < r->n_results; k++) {
			if (!is_base_rate(&r->results[k]))
				continue;
			table_row(d);
			cell(d, NULL, spec_system(d, r));
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

void spec_write_differences(struct document *d, struct slice tool)
{
	static const char *const keys[] = { "hw_cpu_name", "hw_enabled", "hw_memory", "sw_os", "sw_compiler",
		"compiler_version", "fw_bios", "sw_file", "sw_base_ptrsize", "power_management", "base_optimization_flags" };
	static const char *const labels[] = { "CPU", "Enabled", "Memory", "OS", "Compiler", "Compiler version", "Firmware",
		"File system", "Base pointers", "Power management", "Base optimization flags" };
	enum { SYSTEMS = 8 };
	const struct dataset *data = d->report->data;
	const struct run *runs[SYSTEMS];
	size_t n = 0;
	for (size_t i = 0; i < data->n_runs && n < SYSTEMS; i++)
		if (spec_is_of(data->runs[i], tool) && data->runs[i]->attrs.n)
			runs[n++] = data->runs[i];
	if (n < 2)
		return;
	elem(d, "fold");
	elem_text(d, "title", "What differs between the systems and their flags");
	table_begin(d, "What differs between the systems and their flags");
	table_column(d, "text", "Attribute", NULL);
	for (size_t i = 0; i < n; i++)
		table_column(d, "prose", spec_system(d, runs[i]), NULL);
	for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
		bool differs = false;
		for (size_t i = 1; i < n; i++)
			differs |= strcmp(spec_attribute(d, runs[i], keys[k]), spec_attribute(d, runs[0], keys[k])) != 0;
		if (!differs)
			continue;
		table_row(d);
		cell(d, NULL, labels[k]);
		for (size_t i = 0; i < n; i++)
			cell(d, NULL, spec_attribute(d, runs[i], keys[k]));
		row_end(d);
	}
	table_end(d, NULL);
	elem_end(d);
}
