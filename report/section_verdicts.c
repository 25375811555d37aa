#include "report/cells.h"

#include <math.h>

static bool judged(const struct sla_verdict *v)
{
	return v->subject.n || v->n_runs;
}

const char *const operator_signs[] = {
	[OP_NONE] = "", [OP_LT] = "<", [OP_LE] = "\xe2\x89\xa4", [OP_EQ] = "=", [OP_GE] = "\xe2\x89\xa5", [OP_GT] = ">"
};

const char *steady_place(struct arena *a, const struct series *s, const struct steady_window *w)
{
	if (!s || w->n == 0)
		return "no window";
	if (s->kind == SERIES_SAMPLES && s->untimed)
		return arena_printf(a, "samples %.0f\xe2\x80\x93%.0f", s->points[w->first].t, s->points[w->first + w->n - 1].t);
	if (s->kind == SERIES_SAMPLES)
		return arena_printf(a, "%s to %s s", show(a, s->points[w->first].t, UNIT_ONE, 4),
			show(a, s->points[w->first + w->n - 1].t, UNIT_ONE, 4));
	return arena_printf(a, "rounds\xc2\xa0%.0f\xe2\x80\x93%.0f", s->points[w->first].t, s->points[w->first + w->n - 1].t);
}

static void limit(struct document *d, const struct sla_verdict *v)
{
	const struct quantity *q = &v->row->limit;
	struct figure f = { .value = q->value,
		.unit = q->unit,
		.basis = "published",
		.pos = q->pos,
		.printed = q->text,
		.suffix = q->suffix };
	elem(d, "limit");
	attr(d, "op", operator_signs[v->row->op]);
	write_figure(d, &f, show(d->arena, q->value, q->unit, 4));
	elem_end(d);
}

static void derived(struct document *d, const char *name, double value, enum unit unit, const char *how, struct pos pos,
	const char *shown)
{
	struct figure f = { .value = value, .unit = unit, .basis = "recomputed", .how = how, .pos = pos };
	if (name)
		elem(d, name);
	write_figure(d, &f, shown);
	if (name)
		elem_end(d);
}

static struct pos judgement_pos(const struct judgement *j)
{
	if (j->result)
		return j->result->q.pos;
	if (j->series && j->has_steady && j->steady.last.n)
		return j->series->points[j->steady.last.first].pos;
	return POS_NONE;
}

static const char *judgement_how(struct document *d, const struct judgement *j)
{
	if (j->series && j->has_steady)
		return arena_printf(d->arena, "mean of %s", steady_place(d->arena, j->series, &j->steady.last));
	return "as printed";
}

static int permille(double v, double whole)
{
	double p = 1000 * v / whole;
	return !(p > 0) ? 0 : p > 1000 ? 1000 : (int)(p + .5);
}

/* The axis ends a fifth beyond the greatest of all that is drawn, at least half a limit beyond the limit. */
void write_bullet(struct document *d, double value, double limit_at, double lower, double upper, bool minimum)
{
	double most = fmax(value, limit_at);
	if (isfinite(upper) && upper < 2 * value)
		most = fmax(most, upper);
	double whole = fmax(most * 1.2, limit_at * 1.5);
	if (!(whole > 0) || !isfinite(whole))
		whole = 1;
	elem(d, "bullet");
	attr_number(d, "bar", permille(value, whole));
	attr_number(d, "limit", permille(limit_at, whole));
	attr(d, "good", minimum ? "above" : "below");
	if (isfinite(lower) && isfinite(upper)) {
		attr_number(d, "low", permille(lower, whole));
		attr_number(d, "high", permille(upper, whole));
	}
	elem_end(d);
}

static void measured(struct document *d, const struct sla_verdict *v)
{
	enum unit u = v->row->limit.unit;
	struct arena *a = d->arena;
	const struct judgement *w = v->worst;
	struct pos pos = w ? judgement_pos(w) : POS_NONE;
	const char *how = v->n_runs > 1 && w && w->value != v->value ? arena_printf(a, "mean over %zu runs", v->n_runs)
			  : w                                        ? judgement_how(d, w)
								     : NULL;
	if (w && w->result && w->value == v->value) {
		struct figure f = figure_of(w->result);
		elem(d, "measured");
		write_figure(d, &f, show(a, v->value, u, 4));
		elem_end(d);
	} else {
		derived(d, "measured", v->value, u, how, pos, show(a, v->value, u, 4));
	}
	if (isfinite(v->bound.lower) && isfinite(v->bound.upper)) {
		const char *of = arena_printf(
			a, "%.4g %% bound, one-sided, Student's t, %zu values", 100 * v->bound.level, v->bound.n);
		if (v->sla && v->sla->each > 0)
			of = "as far as a bin of the log's histogram is wide";
		else if (v->bound.widened)
			of = arena_printf(a, "%s, worth %.1f for autocorrelation", of, v->bound.n_effective);
		derived(d, "lower", v->bound.lower, u, of, pos, show(a, v->bound.lower, u, 4));
		derived(d, "upper", v->bound.upper, u, of, pos, show(a, v->bound.upper, u, 4));
	}
	derived(d, "ratio", v->normalized, UNIT_ONE, "measured divided by the limit", POS_NONE,
		show_ratio(a, v->normalized));
	derived(d, "margin", v->margin, u, "distance to the limit, positive is better", POS_NONE,
		show_signed(a, v->margin, u, 4));
	write_bullet(d, v->value, v->row->limit.value, v->bound.lower, v->bound.upper,
		v->row->op != OP_LE && v->row->op != OP_LT);
}

static void condition(struct document *d, const struct condition *c)
{
	static const char *const holds[] = {
		[HOLDS_YES] = "yes", [HOLDS_NO] = "no", [HOLDS_NOT_SHOWN] = "not-shown", [HOLDS_WARN] = "remark"
	};
	elem(d, "condition");
	attr(d, "holds", holds[c->holds]);
	attr(d, "required", c->required ? "yes" : "no");
	attr_evidence(d, c->pos);
	elem_text(d, "name", c->name);
	if (c->wanted && *c->wanted)
		elem_text(d, "wanted", c->wanted);
	elem_text(d, "found", c->found ? c->found : "not shown");
	if (c->note && *c->note)
		elem_text(d, "note", c->note);
	elem_end(d);
}

static void judgement(struct document *d, const struct sla_verdict *v, const struct judgement *j)
{
	enum unit u = v->row->limit.unit;
	elem(d, "judgement");
	attr(d, "state", verdict_name(j->verdict));
	if (run_id(d, j->run))
		attr_id(d, "run", "r", run_id(d, j->run));
	elem_text(d, "title", j->name ? j->name : "measurement");
	if (isfinite(j->value))
		derived(d, NULL, j->value, u, judgement_how(d, j), judgement_pos(j), show(d->arena, j->value, u, 4));
	if (j->reason && *j->reason)
		elem_text(d, "reason", j->reason);
	for (size_t i = 0; i < j->n_conditions; i++)
		condition(d, &j->conditions[i]);
	elem_end(d);
}

static void verdict(struct document *d, const struct sla_verdict *v, size_t number)
{
	const struct judgement *w = v->worst;
	elem(d, "verdict");
	attr_id(d, "id", "v", number);
	attr(d, "state", verdict_name(v->verdict));
	if (judged(v) && subject_id(d, v->subject))
		attr_id(d, "subject", "s", subject_id(d, v->subject));
	elem_slice(d, "shape", v->row->shape);
	limit(d, v);
	if (isfinite(v->value))
		measured(d, v);
	if (w && w->has_steady)
		elem_text(d, "steady",
			w->steady.steady ? steady_place(d->arena, w->series, &w->steady.last) : "not steady");
	if (w && w->n_required) {
		elem(d, "method");
		attr_number(d, "held", (double)w->n_held);
		attr_number(d, "of", (double)w->n_required);
		elem_end(d);
	}
	elem_text(d, "sentence", v->sentence);
	if (v->advice && *v->advice)
		elem_text(d, "advice", v->advice);
	for (size_t i = 0; i < v->n_runs; i++)
		judgement(d, v, &v->runs[i]);
	elem_end(d);
}

/* Verdicts of one table stand together. */
void write_verdicts(struct document *d)
{
	const struct audit *a = d->report->audit;
	const struct sla *open = NULL;
	size_t tables = 0;
	for (size_t i = 0; i < a->n; i++) {
		const struct sla_verdict *v = &a->verdicts[i];
		if (v->sla != open) {
			if (open)
				elem_end(d);
			open = v->sla;
			elem(d, "sla");
			attr_id(d, "id", "a", ++tables);
			if (open->each <= 0)
				attr_number(d, "level", open->level);
			attr(d, "unit", metric_unit(open->metric));
			elem_slice(d, "title", open->title.n ? open->title : open->name);
			elem_slice(d, "name", open->name);
			if (open->source_text.n)
				elem_slice(d, "source", open->source_text);
			elem_text(d, "rule", open->each > 0 ?
				arena_printf(d->arena, "The highest %.*s of all whole periods of %g s; steady state is not asked for",
					SLICE_ARG(open->stat), open->each) :
				arena_printf(d->arena,
					"Steady by %s: range \xe2\x89\xa4 %.4g %%, rise of the fitted line "
					"\xe2\x89\xa4 %.4g %%, "
					"over %zu rounds",
					open->rule->name, 100 * open->rule->range, 100 * open->rule->rise,
					open->rule->window));
		}
		verdict(d, v, i + 1);
	}
	if (open)
		elem_end(d);
}

static void doubt(struct document *d, size_t verdict_number, struct slice about, const char *s)
{
	elem(d, "doubt");
	if (verdict_number)
		attr_id(d, "ref", "v", verdict_number);
	if (about.n)
		attr_slice(d, "about", about);
	text(d, s);
	elem_end(d);
}

/* Why a verdict is none, and what conditions that are not required or a doubtful steady state leave open. */
static void remarks(struct document *d, const struct sla_verdict *v, size_t number)
{
	const struct judgement *w = v->worst;
	struct buf b = BUF_EMPTY;
	if (v->verdict != VERDICT_PASS && v->verdict != VERDICT_FAIL) {
		buf_printf(&b, "%s%s%s", v->sentence, v->advice && *v->advice ? " " : "", v->advice ? v->advice : "");
	} else if (w && w->has_steady && w->steady.doubt_text && *w->steady.doubt_text) {
		buf_str(&b, w->steady.doubt_text);
	}
	if (b.n && b.p[b.n - 1] != '.')
		buf_char(&b, '.');
	size_t before = b.n, listed = 0;
	for (size_t i = 0; w && i < w->n_conditions; i++) {
		const struct condition *c = &w->conditions[i];
		if (c->required || c->holds == HOLDS_YES)
			continue;
		buf_printf(&b, "%s%s %s",
			listed++ ? "; "
			: before ? " Not required, but worth knowing: "
				 : "not required, but worth knowing: ",
			c->name, c->found ? c->found : "not shown");
	}
	if (listed)
		buf_char(&b, '.');
	if (b.n)
		doubt(d, number, v->row->shape, b.p);
	buf_free(&b);
}

void write_doubts(struct document *d)
{
	const struct audit *a = d->report->audit;
	bool any = false;
	for (size_t i = 0; i < a->n; i++) {
		const struct sla_verdict *v = &a->verdicts[i];
		if (!judged(v))
			continue;
		if (!any)
			elem(d, "doubts");
		any = true;
		remarks(d, v, i + 1);
	}
	if (!any)
		return;
	elem_end(d);
}
