/* What the study tells of the test's configuration and of the subjects' prices. */
#include "report/document.h"

#include "base/num.h"
#include "model/trend.h"

#include <math.h>

enum { FIGURES = 6 };

/* ---- configuration ---- */

static void told_cell(struct document *d, const struct quantity *q)
{
	struct figure f = { .value = q->value, .unit = q->unit, .basis = "published", .pos = q->pos, .printed = q->text };
	if (q->missing)
		cell_none(d);
	else
		cell_figure(d, NULL, &f, arena_string(d->arena, q->text));
}

static void text_cell(struct document *d, struct slice text)
{
	if (text.n)
		cell_slice(d, text);
	else
		cell_none(d);
}

static double fastest_line(const struct study *s)
{
	double most = 0;
	for (size_t i = 0; i < s->n_subjects; i++)
		for (size_t k = 0; k < s->subjects[i].n_interfaces; k++)
			if (!s->subjects[i].interfaces[k].line_rate.missing)
				most = fmax(most, s->subjects[i].interfaces[k].line_rate.value);
	return most;
}

/* A part that is slower than one interface of what is tested would be tested itself. */
static const char *bottleneck(struct document *d, const struct study *s)
{
	double line = fastest_line(s);
	const struct study_part *least = NULL;
	for (size_t i = 0; i < s->n_parts; i++)
		if (!s->parts[i].bandwidth.missing && (!least || s->parts[i].bandwidth.value < least->bandwidth.value))
			least = &s->parts[i];
	if (!least || line == 0)
		return NULL;
	const char *rate = arena_printf(d->arena, "%.4g Gb/s", line * 8 / 1e9), *own =
		arena_printf(d->arena, "%.4g Gb/s", least->bandwidth.value * 8 / 1e9);
	return least->bandwidth.value > line ?
		arena_printf(d->arena, "Each part can carry more than one interface of what is tested: %.*s, the slowest, %s "
			"against %s.", SLICE_ARG(least->name), own, rate) :
		arena_printf(d->arena, "%.*s can carry %s, no more than one interface of what is tested (%s): it may be what was "
			"measured.", SLICE_ARG(least->name), own, rate);
}

void write_configuration(struct document *d)
{
	const struct study *s = d->report->study;
	if (!s || (s->n_parts == 0 && !s->description.n))
		return;
	elem(d, "section");
	attr(d, "id", "configuration");
	attr(d, "kind", "configuration");
	elem_text(d, "title", "Test configuration");
	const char *finding = bottleneck(d, s);
	if (finding)
		elem_text(d, "finding", finding);
	if (s->description.n)
		elem_slice(d, "para", s->description);
	if (s->n_parts) {
		table_begin(d, "Parts of the test beside its subjects");
		table_column(d, "text", "Part", NULL);
		table_column(d, "prose", "Specification", NULL);
		table_column(d, "number", "Bandwidth in all", NULL);
		table_column(d, "number", "IOPS in all", NULL);
		table_column(d, "prose", "Software", NULL);
	}
	for (size_t i = 0; i < s->n_parts; i++) {
		table_row(d);
		cell_slice(d, s->parts[i].name);
		text_cell(d, s->parts[i].specification);
		told_cell(d, &s->parts[i].bandwidth);
		told_cell(d, &s->parts[i].iops);
		text_cell(d, s->parts[i].software);
		row_end(d);
	}
	if (s->n_parts)
		table_end(d, "As the study states it.");
	elem_end(d);
}

/* ---- costs ---- */

/* Figures that a price may be divided by, in the unit in which it is shown. */
static const struct per {
	const char *where, *title;
	double unit;
} pers[FIGURES] = {
	{ "tool=ior test=write metric=bandwidth", "per GiB/s written", 1073741824.0 },
	{ "tool=ior test=read metric=bandwidth", "per GiB/s read", 1073741824.0 },
	{ "tool=mdtest test=\"File creation\" metric=rate", "per 1,000 files created/s", 1000 },
	{ "tool=mdtest test=\"File stat\" metric=rate", "per 1,000 files stat/s", 1000 },
	{ "tool=mdtest test=\"File removal\" metric=rate", "per 1,000 files removed/s", 1000 },
	{ "tool=fio metric=iops op=write stat=value", "per 1,000 written IOPS", 1000 },
};

/* The mean of the only series of that figure; NAN: there is none, or more. */
static double mean_of(const struct trend_set *set, struct slice subject)
{
	double mean = NAN;
	size_t found = 0;
	for (size_t i = 0; i < set->n; i++) {
		const struct trend_series *s = &set->series[i];
		double sum = 0;
		if (!slice_eq(s->subject, subject) || s->n == 0)
			continue;
		for (size_t k = 0; k < s->n; k++)
			sum += s->points[k].value;
		mean = sum / (double)s->n;
		found++;
	}
	return found == 1 ? mean : NAN;
}

static void money_cell(struct document *d, double per_hour, double hours, const char *how, const struct quantity *told)
{
	double shown = per_hour * hours;
	struct figure f = { .value = per_hour, .unit = UNIT_USD_H, .basis = how ? "recomputed" : "published", .how = how,
		.pos = told->pos, .printed = told->text };
	cell_figure(d, NULL, &f, text_grouped(d->arena, arena_printf(d->arena, "%.*f", shown < 10 ? 4 : 2, shown)));
}

static void attribute_cell(struct document *d, const struct study_subject *s, const char *key)
{
	const struct param *p = study_attribute(s, key);
	text_cell(d, p ? p->value : SLICE(""));
}

/* The first column of prices is what the others are held against. */
static const struct study_subject *first_price(const struct study *s)
{
	for (size_t i = 0; i < s->n_subjects; i++)
		if (!s->subjects[i].price.missing)
			return &s->subjects[i];
	return NULL;
}

static void against_cell(struct document *d, const struct study_subject *s, const struct study_subject *first)
{
	double change = s->price.value / first->price.value - 1;
	if (s->price.missing)
		cell_none(d);
	else if (s == first)
		cell(d, "base", "base");
	else
		cell(d, NULL, arena_printf(d->arena, "%s%s", change > 0 ? "+" : change < 0 ? "\xe2\x88\x92" : "",
			show_share(d->arena, fabs(change))));
}

/* What a subject is, as far as it is told of any. */
static const struct {
	const char *key, *title, *kind;
} about[] = {
	{ "cores", "Cores", "number" },
	{ "ocpus", "OCPUs", "number" },
	{ "memory", "Memory", "text" },
	{ "network", "Network", "text" },
	{ "storage", "Storage", "text" },
};
enum { ABOUT = sizeof about / sizeof *about };

static bool is_told(const struct study *s, const char *key)
{
	for (size_t i = 0; i < s->n_subjects; i++)
		if (study_attribute(&s->subjects[i], key))
			return true;
	return false;
}

static void cost_row(struct document *d, const struct study_subject *s, const struct study_subject *first)
{
	double number;
	const struct param *cores = study_attribute(s, "cores");
	table_row(d);
	cell_slice(d, s->name);
	for (size_t i = 0; i < ABOUT; i++)
		if (is_told(d->report->study, about[i].key))
			attribute_cell(d, s, about[i].key);
	if (s->price.missing) {
		cell_none(d);
		cell_none(d);
	} else {
		money_cell(d, s->price.value, 1, NULL, &s->price);
		money_cell(d, s->price.value, STUDY_MONTH, "720 hours", &s->price);
	}
	against_cell(d, s, first);
	if (!s->price.missing && cores && num_double(cores->value, &number) == NUM_OK)
		money_cell(d, s->price.value / number, STUDY_MONTH, "price of 720 hours / cores", &s->price);
	else if (is_told(d->report->study, "cores"))
		cell_none(d);
	row_end(d);
}

static void performance_row(struct document *d, const struct study *s, const struct per *per,
	const struct trend_set *set)
{
	table_row(d);
	cell(d, NULL, per->title);
	for (size_t i = 0; i < s->n_subjects; i++) {
		const struct study_subject *x = &s->subjects[i];
		double mean = mean_of(set, x->name);
		if (x->price.missing)
			continue;
		if (mean > 0)
			cell_detail(d, slice_of(text_grouped(d->arena, arena_printf(d->arena, "%.2f",
				x->price.value * STUDY_MONTH * per->unit / mean))), arena_printf(d->arena, "at %s",
				evaluation_value(d->arena, mean, set->series[0].unit)));
		else
			cell_none(d);
	}
	row_end(d);
}

static void write_performance_costs(struct document *d, const struct study *s)
{
	struct trend_set sets[FIGURES];
	bool used[FIGURES] = { false }, any = false;
	const char *error;
	for (size_t k = 0; k < FIGURES; k++) {
		sets[k] = trend_collect(d->arena, d->report->data, selector_parse(d->arena, slice_of(pers[k].where), &error), NULL);
		for (size_t i = 0; i < s->n_subjects; i++)
			used[k] |= !s->subjects[i].price.missing && mean_of(&sets[k], s->subjects[i].name) > 0;
		any |= used[k];
	}
	if (!any)
		return;
	table_begin(d, "Price of 30 days per measured performance");
	table_column(d, "text", "Price of 30 days", NULL);
	for (size_t i = 0; i < s->n_subjects; i++)
		if (!s->subjects[i].price.missing)
			table_column(d, "number", arena_string(d->arena, s->subjects[i].name), "USD");
	for (size_t k = 0; k < FIGURES; k++)
		if (used[k])
			performance_row(d, s, &pers[k], &sets[k]);
	table_end(d, "The price of 720 hours divided by the mean of all values of the figure, which stands below.");
}

void write_costs(struct document *d)
{
	const struct study *s = d->report->study;
	const struct study_subject *first = s ? first_price(s) : NULL;
	if (!first)
		return;
	elem(d, "section");
	attr(d, "id", "cost");
	attr(d, "kind", "cost");
	elem_text(d, "title", "Cost");
	const struct study_subject *cheapest = first;
	size_t priced = 0;
	for (size_t i = 0; i < s->n_subjects; i++) {
		priced += !s->subjects[i].price.missing;
		if (!s->subjects[i].price.missing && s->subjects[i].price.value < cheapest->price.value)
			cheapest = &s->subjects[i];
	}
	if (priced > 1)
		elem_text(d, "finding", arena_printf(d->arena, "%.*s costs least: $%s for 30 days.", SLICE_ARG(cheapest->name),
			text_grouped(d->arena, arena_printf(d->arena, "%.2f", cheapest->price.value * STUDY_MONTH))));
	table_begin(d, "What the subjects are and cost");
	table_column(d, "text", "Subject", NULL);
	for (size_t i = 0; i < ABOUT; i++)
		if (is_told(s, about[i].key))
			table_column(d, about[i].kind, about[i].title, NULL);
	table_column(d, "number", "Per hour", "USD");
	table_column(d, "number", "30 days", "USD");
	table_column(d, "number", "Against first", NULL);
	if (is_told(s, "cores"))
		table_column(d, "number", "30 days, core", "USD");
	for (size_t i = 0; i < s->n_subjects; i++)
		cost_row(d, &s->subjects[i], first);
	table_end(d, "As the study states it; 30 days are 720 hours.");
	write_performance_costs(d, s);
	elem_end(d);
}
