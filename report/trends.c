/* Text and cells of the section of repeated jobs. */
#include "report/trends.h"

#include "model/columns.h"

#include <math.h>

/* "logs/x.o12:41", without the directory that all inputs are in: the list of inputs names it. */
const char *trend_log(struct document *d, const struct run *run, const struct result *r)
{
	struct slice source = result_column(d->arena, run, r, COLUMN_SOURCE), base = common_directory(d);
	if (base.n < source.n && slice_eq(slice_head(source, base.n), base))
		source = slice_from(source, base.n);
	return r->q.pos.line ? arena_printf(d->arena, "%.*s:%u", SLICE_ARG(source), r->q.pos.line) :
		arena_string(d->arena, source);
}

struct trend_rule trend_rule_of(const struct document *d)
{
	return (struct trend_rule){ .tolerance = d->report->tolerance > 0 ? d->report->tolerance : 0.10, .level = 0.99 };
}

const char *trend_when(struct document *d, double time)
{
	const char *s = show_time(d->arena, time);
	return s ? s : "\xe2\x80\x93";
}

void trend_result_cell(struct document *d, const struct result *r)
{
	struct figure f = figure_of(r);
	cell_figure(d, NULL, &f, show(d->arena, f.value, f.unit, 4));
}
