/* The first screen of a study: a row for each evaluation metric, with the numbers behind its verdict. */
#include "report/document.h"

#include <math.h>

static const char *shown(struct document *d, double value, enum unit unit)
{
	return text_grouped(d->arena, evaluation_value(d->arena, value, unit));
}

static void measured(struct document *d, const struct evaluation_row *r)
{
	struct figure f = { .value = r->value, .unit = r->unit, .basis = r->how ? "recomputed" : "printed", .how = r->how,
		.pos = r->evidence.pos, .printed = r->how ? SLICE("") : r->evidence.text, .suffix = r->evidence.suffix };
	elem(d, "measured");
	write_figure(d, &f, shown(d, r->value, r->unit));
	elem_end(d);
}

static void limit(struct document *d, const struct evaluation_row *r)
{
	bool told = r->limit_text.pos.source || r->limit_text.text.n;
	struct figure f = { .value = r->limit, .unit = r->unit, .basis = told ? "published" : "recomputed",
		.how = told ? NULL : r->kind == EVALUATION_HALT ? "1.5 of the usual interval" : "as asked for",
		.pos = r->limit_text.pos, .printed = r->limit_text.text };
	elem(d, "limit");
	attr(d, "op", operator_signs[r->op]);
	write_figure(d, &f, r->limit_text.text.n ? evaluation_limit(d->arena, r) : shown(d, r->limit, r->unit));
	elem_end(d);
}

static void write_metric(struct document *d, const struct evaluation_row *r, size_t number)
{
	static const char *const kinds[] = { [EVALUATION_HALT] = "halt", [EVALUATION_JOBS] = "jobs",
		[EVALUATION_DEVIATION] = "deviation", [EVALUATION_STATISTIC] = "statistic" };
	bool several = d->report->evaluation->subjects > 1;
	const char *when = show_time(d->arena, r->time);
	elem(d, "metric");
	attr_id(d, "id", "m", number);
	attr(d, "state", verdict_name(r->verdict));
	attr(d, "kind", kinds[r->kind]);
	if (subject_id(d, r->subject))
		attr_id(d, "subject", "s", subject_id(d, r->subject));
	elem_text(d, "name", several ? arena_printf(d->arena, "%.*s: %s", SLICE_ARG(r->subject), r->name) : r->name);
	if (!isnan(r->value))
		measured(d, r);
	if (!isnan(r->limit))
		limit(d, r);
	if (!isnan(r->value) && !isnan(r->limit))
		write_bullet(d, r->value, r->limit, NAN, NAN, r->op == OP_GE || r->op == OP_GT);
	if (when)
		elem_text(d, "when", when);
	elem_text(d, "sentence", r->sentence);
	if (*r->advice)
		elem_text(d, "advice", r->advice);
	elem_end(d);
}

void write_evaluation(struct document *d)
{
	const struct evaluation *e = d->report->evaluation;
	elem(d, "evaluation");
	attr(d, "id", "evaluation");
	elem_text(d, "title", "Evaluation");
	for (size_t i = 0; i < e->n; i++)
		write_metric(d, &e->rows[i], i + 1);
	elem_end(d);
}
