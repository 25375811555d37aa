#include "report/spec.h"

void spec_name_once(struct spec_names *names, struct slice s, size_t max)
{
	for (size_t i = 0; i < names->n; i++)
		if (slice_eq(names->v[i], s))
			return;
	if (names->n < max)
		names->v[names->n++] = s;
}

bool spec_is_param(const struct result *r, const char *key, const char *value)
{
	const struct param *p = result_param(r, key);
	return p && slice_is(p->value, value);
}

/* A run with a report of its own, of this version of the benchmark. */
bool spec_is_of(const struct run *r, struct slice tool)
{
	return publish_ruled(r) && !r->suite && slice_eq(r->tool, tool);
}

const char *spec_attribute(struct document *d, const struct run *r, const char *key)
{
	const struct param *p = params_find(r->attrs, key);
	return p ? arena_string(d->arena, p->value) : "";
}

const char *spec_system(struct document *d, const struct run *r)
{
	const char *system = spec_attribute(d, r, "hw_model"), *file = r->source ? r->source->name : "unnamed";
	const char *slash = strrchr(file, '/');
	return r->subject.n ? arena_string(d->arena, r->subject) : *system ? system : slash && slash[1] ? slash + 1 : file;
}

const struct result *spec_metric(const struct run *r, struct slice test, const char *stat)
{
	for (size_t i = 0; i < r->n_results; i++)
		if (r->results[i].metric == METRIC_SCORE && slice_is(r->results[i].stat, stat) &&
			slice_eq(result_test(&r->results[i]), test))
			return &r->results[i];
	return NULL;
}

/* No prefixes: 1,801, not 1.801 k. */
const char *spec_show(struct document *d, double value, enum unit u)
{
	return u == UNIT_ONE && value >= 1000 ? text_grouped(d->arena, arena_printf(d->arena, "%.0f", value))
					      : show(d->arena, value, u, 4);
}

void spec_figure_cell(struct document *d, const struct result *r)
{
	if (!r || r->q.missing) {
		cell_none(d);
		return;
	}
	struct figure f = figure_of(r);
	cell_figure(d, r->flags & RESULT_SUSPECT ? "doubt" : NULL, &f, spec_show(d, r->q.value, r->q.unit));
}

const struct result *spec_suite_metric(struct document *d, const struct run *r, const char *suite, const char *tune)
{
	for (size_t i = 0; i < r->n_results; i++) {
		const struct result *k = &r->results[i];
		if (k->metric == METRIC_SCORE && slice_is(k->stat, "value") && spec_is_param(k, "tune", tune) &&
			strcmp(publish_suite(d->arena, k), suite) == 0)
			return k;
	}
	return NULL;
}

const struct result *spec_shown(const struct result *r, const struct result *base)
{
	return r && (spec_is_param(r, "tune", "base") || (base && !base->q.missing)) ? r : NULL;
}
