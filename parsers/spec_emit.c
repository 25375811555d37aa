/* A result of SPEC CPU as normalized results. */
#include "parsers/spec_file.h"

#include "base/num.h"

#include <math.h>

static const struct {
	enum metric_id metric;
	const char *stat;
} columns[SPEC_FIGURES] = {
	[SPEC_TIME] = { METRIC_RUNTIME, "value" },
	[SPEC_RATIO] = { METRIC_RATIO, "value" },
	[SPEC_ENERGY] = { METRIC_ENERGY, "value" },
	[SPEC_POWER] = { METRIC_POWER, "mean" },
	[SPEC_POWER_MAX] = { METRIC_POWER, "max" },
	[SPEC_ENERGY_RATIO] = { METRIC_RATIO, "value" },
};

enum { PARAMS = 10 };

struct list {
	struct param v[PARAMS];
	size_t n;
};

static void put(struct list *l, const char *key, struct slice value, struct pos pos)
{
	if (value.n && l->n < PARAMS)
		l->v[l->n++] = (struct param){ .key = slice_of(key), .value = value, .pos = pos };
}

static bool is_estimate(const struct spec_file *f)
{
	return f->estimated || f->valid == 0;
}

/* test, train or ref; "refrate" is ref. */
static struct slice size_of(const struct spec_file *f, const struct spec_row *r)
{
	struct slice size = r && r->size.n ? r->size : f->size;
	return slice_starts(size, "ref") ? SLICE("ref") : size;
}

static void put_common(struct spec_file *f, struct list *l, struct pos pos)
{
	if (is_estimate(f))
		put(l, "estimated", SLICE("yes"), pos);
	if (f->ordinal)
		put(l, "run", arena_u64(f->parse->arena, f->ordinal), pos);
}

static void give(struct spec_file *f, const struct job *job, enum spec_figure k, const struct spec_cell *c)
{
	struct param energy = { .key = SLICE("of"), .value = SLICE("energy"), .pos = c->pos };
	unsigned flags = (c->suspect ? RESULT_SUSPECT : 0) | (is_estimate(f) || f->unmarked ? RESULT_ESTIMATED : 0);
	struct result r = { .metric = columns[k].metric,
		.stat = slice_of(columns[k].stat),
		.q = c->q,
		.job = job,
		.time = NAN,
		.flags = flags };
	if (k == SPEC_ENERGY_RATIO)
		r.params = (struct params){ &energy, 1 };
	f->parse->sink->result(f->parse->ctx, &r);
}

/* A failed run has no figures; time and ratio are given as missing, with what stands in their place. */
static void give_failed(struct spec_file *f, const struct job *job, const struct spec_row *r)
{
	static const enum spec_figure both[] = { SPEC_TIME, SPEC_RATIO };
	for (size_t i = 0; i < 2; i++) {
		struct spec_cell c = r->cell[both[i]];
		if (!c.text.n)
			c.q = (struct quantity){ .unit = metric_get(columns[both[i]].metric)->unit,
				.missing = true,
				.text = r->status,
				.pos = r->pos };
		give(f, job, both[i], &c);
	}
}

/* The table of selected runs repeats the other one; it counts where it is the only one or contradicts. */
static bool repeats(const struct spec_file *f, const struct spec_row *r)
{
	if (!r->summary || r->cell[SPEC_TIME].suspect || r->cell[SPEC_RATIO].suspect)
		return false;
	for (size_t i = 0; i < f->n_rows; i++)
		if (!f->rows[i].summary && f->rows[i].tune == r->tune && slice_eq(f->rows[i].benchmark, r->benchmark))
			return true;
	return false;
}

static void give_row(struct spec_file *f, const struct spec_row *r)
{
	bool failed = spec_row_failed(r), any = failed;
	for (int k = 0; k < SPEC_FIGURES; k++)
		any |= r->cell[k].text.n > 0;
	if (!any || repeats(f, r))
		return;
	struct list l = { .n = 0 };
	char number[NUM_FORMAT_SIZE];
	put(&l, "tune", slice_of(spec_tune_name(r->tune)), r->pos);
	put(&l, r->threads ? "threads" : "copies", r->parallel, r->pos);
	if (r->iteration)
		put(&l, "iteration", (struct slice){ number, num_format(number, r->iteration) }, r->pos);
	if (r->selected && !failed)
		put(&l, "selected", SLICE("yes"), r->pos);
	put(&l, "size", size_of(f, r), r->pos);
	if (failed)
		put(&l, "status", r->status, r->pos);
	put_common(f, &l, r->pos);
	struct job job = { .name = r->benchmark,
		.params = { l.v, l.n },
		.partial = true,
		.pos = r->pos,
		.started = NAN,
		.stopped = NAN };
	const struct job *given = f->parse->sink->job(f->parse->ctx, &job);
	if (failed) {
		give_failed(f, given, r);
		return;
	}
	for (int k = 0; k < SPEC_FIGURES; k++)
		if (r->cell[k].text.n)
			give(f, given, (enum spec_figure)k, &r->cell[k]);
}

static void give_metric(struct spec_file *f, const struct spec_metric *m)
{
	struct list l = { .n = 0 };
	put(&l, "tune", slice_of(spec_tune_name(m->tune)), m->pos);
	put(&l, "size", size_of(f, NULL), m->pos);
	if (!m->complete && f->form != SPEC_HTML && !slice_is(m->cell.text, "Not Run"))
		put(&l, "complete", SLICE("no"), m->pos);
	put_common(f, &l, m->pos);
	struct job job = {
		.name = m->name, .params = { l.v, l.n }, .partial = true, .pos = m->pos, .started = NAN, .stopped = NAN
	};
	const struct job *given = f->parse->sink->job(f->parse->ctx, &job);
	unsigned flags = is_estimate(f) || f->unmarked ? RESULT_ESTIMATED : 0;
	struct result r = { .metric = METRIC_SCORE,
		.stat = SLICE("value"),
		.q = m->cell.q,
		.job = given,
		.n = m->ratios,
		.time = NAN,
		.flags = flags | (m->cell.suspect ? RESULT_SUSPECT : 0) };
	if (m->cell.text.n)
		f->parse->sink->result(f->parse->ctx, &r);
	if (isnan(m->recomputed))
		return;
	r.stat = SLICE("recomputed");
	r.q = (struct quantity){ .value = m->recomputed, .unit = UNIT_ONE, .pos = m->pos };
	r.flags = flags | RESULT_DERIVED;
	f->parse->sink->result(f->parse->ctx, &r);
}

/* "valid", "invalid", "estimate" or "incomplete (9 of 10)", the worst that the file shows. */
static const char *state_of(const struct spec_file *f)
{
	for (size_t i = 0; i < f->n_metrics; i++) {
		const struct spec_metric *m = &f->metrics[i];
		if (m->tune == SPEC_BASE && !m->energy && !m->complete && f->form != SPEC_HTML)
			return arena_printf(f->parse->arena, "incomplete (%u of %u)", m->ratios, m->suite->n);
	}
	return f->valid == 0 ? "invalid" : f->estimated || f->unmarked ? "estimate" : f->valid == 1 ? "valid" : NULL;
}

/* Flags are listed by benchmark ("base_optimization_flags.502.gcc_r"); where all have the same, once. */
static bool give_flags(struct spec_file *f, size_t at)
{
	struct slice key = f->attrs[at].key;
	size_t dot = slice_find_char(key, '.');
	if (dot == (size_t)-1)
		return false;
	struct slice stem = slice_head(key, dot + 1);
	bool first = true;
	for (size_t i = 0; i < f->n_attrs; i++) {
		struct slice other = f->attrs[i].key;
		if (!slice_eq(slice_head(other, dot + 1), stem))
			continue;
		if (!slice_eq(f->attrs[i].value, f->attrs[at].value))
			return false;
		first &= i >= at;
	}
	struct param shared = f->attrs[at];
	shared.key.n = dot;
	if (first)
		f->parse->sink->meta(f->parse->ctx, &shared);
	return true;
}

static void give_attrs(struct spec_file *f)
{
	struct parse *p = f->parse;
	const char *state = state_of(f);
	struct pos none = { .source = p->source };
	static const char *const forms[] = {
		[SPEC_RSF] = "rsf", [SPEC_CSV] = "csv", [SPEC_TEXT] = "text", [SPEC_HTML] = "html", [SPEC_LOG] = "log"
	};
	struct param own[] = {
		{ .key = SLICE("form"), .value = slice_of(forms[f->form]), .pos = none },
		{ .key = SLICE("suite"), .value = slice_of(f->suite ? f->suite->name : NULL), .pos = none },
		{ .key = SLICE("size"), .value = size_of(f, NULL), .pos = none },
		{ .key = SLICE("state"), .value = slice_of(state), .pos = none },
	};
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (own[i].value.n)
			p->sink->meta(p->ctx, &own[i]);
	for (size_t i = 0; i < f->n_attrs; i++)
		if (!give_flags(f, i))
			p->sink->meta(p->ctx, &f->attrs[i]);
	for (size_t i = 0; i < f->n_reasons; i++) {
		struct param reason = {
			.key = SLICE("invalid_reason"), .value = f->reasons[i].text, .pos = f->reasons[i].pos
		};
		p->sink->meta(p->ctx, &reason);
	}
}

void spec_emit(struct spec_file *f)
{
	struct parse *p = f->parse;
	parse_run(p, slice_of(f->tool), f->version);
	give_attrs(f);
	if (f->valid >= 0) {
		struct list l = { .n = 0 };
		if (f->ordinal)
			put(&l, "run", arena_u64(p->arena, f->ordinal), f->valid_cell.pos);
		struct result r = { .metric = METRIC_VALID,
			.stat = SLICE("value"),
			.params = { l.v, l.n },
			.no_test = true,
			.time = NAN,
			.q = { .value = f->valid,
				.unit = UNIT_ONE,
				.text = f->valid_cell.text,
				.pos = f->valid_cell.pos } };
		p->sink->result(p->ctx, &r);
	}
	for (size_t i = 0; i < f->n_metrics; i++)
		give_metric(f, &f->metrics[i]);
	for (size_t i = 0; i < f->n_rows; i++)
		give_row(f, &f->rows[i]);
}
