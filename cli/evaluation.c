/* The evaluation metrics of a study, for the screen and for programs. */
#include "cli/cli.h"

#include "base/num.h"

#include <math.h>

enum { TABLE_COLUMNS = 5, LINE = 120 };

static const char *const heads[TABLE_COLUMNS] = { "metric", "verdict", "measured", "limit", "when" };
static const bool right[TABLE_COLUMNS] = { false, false, true, true, false };
static const char *const sign[] = { [OP_NONE] = "", [OP_LT] = "<", [OP_LE] = "<=", [OP_EQ] = "=", [OP_GE] = ">=",
	[OP_GT] = ">" };

static struct slice shown(struct arena *a, double v, enum unit u)
{
	char text[48];
	if (isnan(v))
		return SLICE("\xe2\x80\x94");
	if (u == UNIT_S)
		return slice_of(arena_printf(a, "%.0f s", v));
	quantity_show(text, sizeof text, v, u, 4);
	return slice_of(arena_string(a, slice_of(text)));
}

/* As the study writes it. */
static struct slice limit_of(struct arena *a, const struct evaluation_row *r)
{
	return r->limit_text.text.n ? slice_of(evaluation_limit(a, r)) : shown(a, r->limit, r->unit);
}

static struct slice time_of(struct arena *a, const struct evaluation_row *r)
{
	const struct run run = { .started = NAN };
	struct result none = { .time = r->time, .q.pos = POS_NONE };
	return result_column(a, &run, &none, COLUMN_TIME);
}

static const char *name_of(struct arena *a, const struct evaluation *e, const struct evaluation_row *r)
{
	return e->subjects > 1 ? arena_printf(a, "%.*s: %s", SLICE_ARG(r->subject), r->name) : r->name;
}

static void print_sentence(struct buf *out, struct arena *a, const char *name, const struct evaluation_row *r,
	unsigned width)
{
	const char *text = arena_printf(a, "%s: %s%s%s", name, r->sentence, *r->advice ? " " : "", r->advice);
	print_wrapped(out, printable(a, slice_of(text)), 0, 2, width);
	buf_char(out, '\n');
}

void print_evaluation(struct options *o, struct buf *out, const struct evaluation *e)
{
	static const char *const code[VERDICTS] = { "1;34", "1;31", "33", "90", "90" };
	struct arena *a = &o->arena;
	struct slice *cells = ARENA_ARRAY(a, e->n * TABLE_COLUMNS + 1, struct slice);
	unsigned width = terminal_width(stdout);
	bool color = use_color(o, stdout) && !o->output;
	for (size_t i = 0; i < e->n; i++) {
		const struct evaluation_row *r = &e->rows[i];
		struct slice *c = cells + i * TABLE_COLUMNS, limit = limit_of(a, r);
		const char *verdict = verdict_name(r->verdict);
		c[0] = printable(a, slice_of(name_of(a, e, r)));
		c[1] = slice_of(color ? arena_printf(a, "\033[%sm%s\033[0m", code[r->verdict], verdict) : verdict);
		c[2] = shown(a, r->value, r->unit);
		c[3] = isnan(r->limit) ? limit : slice_of(arena_printf(a, "%s %.*s", sign[r->op], SLICE_ARG(limit)));
		c[4] = time_of(a, r);
	}
	size_t open = e->n - e->count[VERDICT_PASS] - e->count[VERDICT_FAIL];
	buf_str(out, "Evaluation\n\n");
	print_table(out, heads, cells, e->n, TABLE_COLUMNS, right, width);
	buf_char(out, '\n');
	for (size_t i = 0; i < e->n; i++)
		print_sentence(out, a, name_of(a, e, &e->rows[i]), &e->rows[i], width > LINE || width == 0 ? LINE : width);
	if (e->count[VERDICT_PASS] == e->n)
		buf_printf(out, "All %zu evaluation metrics pass.\n", e->n);
	else
		buf_printf(out, "Of %zu evaluation metrics %zu pass, %zu fail, %zu %s open.\n", e->n, e->count[VERDICT_PASS],
			e->count[VERDICT_FAIL], open, open == 1 ? "is" : "are");
}

static struct slice number(struct arena *a, double v)
{
	char text[NUM_FORMAT_SIZE];
	return isnan(v) ? SLICE("") : arena_copy(a, (struct slice){ text, num_format(text, v) });
}

void evaluation_cells(struct arena *a, const struct evaluation_row *r, struct slice c[AUDIT_COLUMNS])
{
	const struct pos *pos = &r->evidence.pos;
	size_t i = 0;
	c[i++] = SLICE("evaluation");
	c[i++] = slice_of(r->name);
	c[i++] = r->subject;
	c[i++] = slice_of(r->metric == METRICS ? r->kind == EVALUATION_HALT ? "halt" : "jobs" : metric_get(r->metric)->name);
	c[i++] = slice_of(isnan(r->limit) ? "" : sign[r->op]);
	c[i++] = number(a, r->limit);
	c[i++] = slice_of(unit_name(r->unit));
	c[i++] = number(a, r->value);
	c[i++] = SLICE("");
	c[i++] = SLICE("");
	c[i++] = SLICE("");
	c[i++] = number(a, r->value / r->limit);
	c[i++] = number(a, r->op == OP_GE || r->op == OP_GT ? r->value - r->limit : r->limit - r->value);
	c[i++] = SLICE("");
	c[i++] = slice_of(verdict_name(r->verdict));
	c[i++] = slice_of(r->sentence);
	c[i++] = slice_of(r->advice);
	c[i++] = slice_of(pos->source ? pos->source->name : "");
	c[i++] = arena_u64(a, pos->line);
	c[i++] = r->limit_text.text;
}
