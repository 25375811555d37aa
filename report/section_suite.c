/* Tests that repeat in rounds, and series over time: one section per test and run. */
#include "report/cells.h"
#include "report/trends.h"

#include <math.h>
#include <stdlib.h>

enum { NAMED = 3 }; /* cells named in a sentence */

static struct slice param_value(const struct series *s, const char *key)
{
	const struct param *p = params_find(s->params, key);
	return p ? p->value : SLICE_NONE;
}

static double read_share(struct slice mix)
{
	double share = NAN;
	size_t slash = slice_find_char(mix, '/');
	if (slash != (size_t)-1)
		num_double(slice_head(mix, slash), &share);
	return share;
}

static const char *cell_name(struct arena *a, const struct series *s, struct slice bs, struct slice mix)
{
	if (s->kind == SERIES_SAMPLES)
		return arena_printf(a, "%.*s%s%s", SLICE_ARG(s->test), s->test.n ? ", " : "",
			s->metric == METRIC_IOPS ? "IOPS" : metric_get(s->metric)->title);
	if (!bs.n && !mix.n) {
		const char *params = show_params(a, s->params, (struct params){ 0 }, NULL);
		return *params ? params : s->test.n ? arena_string(a, s->test) : metric_get(s->metric)->title;
	}
	return arena_printf(a, "%s%s%.*s", bs.n ? show_size(a, bs) : "", bs.n && mix.n ? " " : "", SLICE_ARG(mix));
}

static int by_size(const void *x, const void *y)
{
	const struct cell_series *a = x, *b = y;
	if (a->size != b->size)
		return a->size < b->size ? -1 : 1;
	if (a->read != b->read && isfinite(a->read) && isfinite(b->read))
		return a->read > b->read ? -1 : 1;
	return a->s < b->s ? -1 : a->s > b->s;
}

static void list_once(struct arena *a, struct slice **list, size_t *n, size_t *cap, struct slice s)
{
	for (size_t i = 0; i < *n; i++)
		if (slice_eq((*list)[i], s))
			return;
	*ARENA_PUSH(a, *list, *n, *cap) = s;
}

static bool a_verdict_goes_by(const struct audit *audit, const struct series *s)
{
	for (size_t i = 0; audit && i < audit->n; i++)
		for (size_t k = 0; k < audit->verdicts[i].n_runs; k++)
			if (audit->verdicts[i].runs[k].series == s)
				return true;
	return false;
}

/* Without a verdict: the cell that the suites track, 4 KiB of pure writes; else the smallest block of the purest
 * writes. */
static void choose_main(struct document *d, struct cells *c)
{
	struct cell_series *best = &c->v[0];
	for (size_t i = 0; i < c->n; i++) {
		struct cell_series *k = &c->v[i];
		if (a_verdict_goes_by(d->report->audit, k->s)) {
			best = k;
			break;
		}
		bool writes = k->read == 0, best_writes = best->read == 0;
		if (writes != best_writes ? writes : writes && k->size == 4096)
			best = k;
	}
	best->main = true;
}

/* Two cells of one block size and mix: their other params tell which is which. */
static void tell_apart(struct arena *a, struct cells *c, size_t at)
{
	static const char *const told[] = { "bs", "mix", "steady", NULL };
	for (size_t i = 0; i < c->n; i++)
		if (i != at && slice_eq(c->v[i].bs, c->v[at].bs) && slice_eq(c->v[i].mix, c->v[at].mix)) {
			c->v[at].name = arena_printf(a, "%s %s", c->v[at].name,
				show_params(a, c->v[at].s->params, (struct params){ 0 }, told));
			return;
		}
}

static void finish(struct document *d, struct cells *c)
{
	size_t size_cap = 0, mix_cap = 0;
	if (c->kind == SERIES_SAMPLES)
		return;
	qsort(c->v, c->n, sizeof *c->v, by_size);
	for (size_t i = 0; i < c->n; i++)
		list_once(d->arena, &c->sizes, &c->n_sizes, &size_cap, c->v[i].bs);
	for (double wanted = 100; wanted >= 0; wanted--)
		for (size_t i = 0; i < c->n; i++)
			if (c->v[i].read == wanted)
				list_once(d->arena, &c->mixes, &c->n_mixes, &mix_cap, c->v[i].mix);
	for (size_t i = 0; i < c->n; i++) {
		list_once(d->arena, &c->mixes, &c->n_mixes, &mix_cap, c->v[i].mix);
		tell_apart(d->arena, c, i);
	}
	choose_main(d, c);
}

static const char *test_title(struct arena *a, const struct series *s, const char *others)
{
	static const struct {
		const char *test, *title;
	} titles[] = { { "iops", "IOPS" }, { "throughput", "Throughput" }, { "latency", "Latency" },
		{ "wsat", "Write saturation" }, { "hir", "Host idle recovery" }, { "xsr", "Cross stimulus recovery" } };
	const char *title = s->test.n ? NULL : metric_get(s->metric)->title;
	for (size_t i = 0; i < sizeof titles / sizeof *titles && !title; i++)
		if (slice_is(s->test, titles[i].test))
			title = titles[i].title;
	if (!title)
		title = arena_string(a, s->test);
	return *others ? arena_printf(a, "%s, %s", title, others) : title;
}

/* What belongs to a cell, not to the test. */
static const char *const of_cells[] = { "bs", "mix", "direct", "iodepth", "ioengine", "numjobs", "op", "rw",
	"actual_mix", "steady", "threads", NULL };

static struct cells *cells_of(struct document *d, struct cells **groups, size_t *n, size_t *cap, const struct run *run,
	const struct series *s)
{
	bool rounds = s->kind == SERIES_ROUNDS;
	const char *others = rounds ? show_params(d->arena, s->params, (struct params){ 0 }, of_cells) : "";
	for (size_t i = 0; i < *n; i++) {
		struct cells *c = &(*groups)[i];
		if (c->run == run && c->kind == s->kind &&
			(!rounds || (slice_eq(c->test, s->test) && c->metric == s->metric &&
					    strcmp(c->others, others) == 0)))
			return c;
	}
	struct cells *c = ARENA_PUSH(d->arena, *groups, *n, *cap);
	*c = (struct cells){ .run = run,
		.test = s->test,
		.metric = s->metric,
		.kind = s->kind,
		.others = others,
		.title = rounds ? test_title(d->arena, s, others) : "Over time",
		.tested = s->metric == METRIC_IOPS ? "IOPS" : metric_get(s->metric)->title };
	return c;
}

struct cell_series *cells_find(const struct cells *c, struct slice bs, struct slice mix)
{
	for (size_t i = 0; i < c->n; i++)
		if (slice_eq(c->v[i].bs, bs) && slice_eq(c->v[i].mix, mix))
			return &c->v[i];
	return NULL;
}

struct scale cells_scale(struct arena *a, const struct cells *c, int digits)
{
	double *v = ARENA_ARRAY(a, c->n, double);
	for (size_t i = 0; i < c->n; i++)
		v[i] = c->v[i].steady.last.mean;
	return scale_of(a, v, c->n, c->metric, digits);
}

struct figure cells_mean(struct document *d, const struct cell_series *c)
{
	const struct steady_window *w = &c->steady.last;
	return (struct figure){ .value = w->mean,
		.unit = metric_get(c->s->metric)->unit,
		.basis = "recomputed",
		.how = arena_printf(d->arena, "mean of %s", steady_place(d->arena, c->s, w)),
		.pos = w->n ? c->s->points[w->first].pos : POS_NONE };
}

static const char *finding(struct document *d, const struct cells *c)
{
	size_t steady = 0, disputed = 0, named = 0;
	struct buf names = BUF_EMPTY;
	for (size_t i = 0; i < c->n; i++) {
		const struct cell_series *k = &c->v[i];
		steady += k->steady.steady;
		disputed += k->s->claimed != CLAIM_NONE && !(k->steady.doubts & STEADY_TOO_SHORT) &&
			    (k->s->claimed == CLAIM_STEADY) != k->steady.steady;
		if (k->steady.steady || named > NAMED)
			continue;
		if (named++ == NAMED)
			buf_str(&names, " and others");
		else
			buf_printf(&names, "%s%s", names.n ? ", " : "", k->name);
	}
	const char *rule = c->v[0].steady.rule->name, *what = c->kind == SERIES_SAMPLES ? "series" : "cells", *s;
	if (c->n == 1)
		s = arena_printf(d->arena, "%s is %s by %s.", c->v[0].name, steady ? "steady" : "not steady", rule);
	else if (steady == c->n)
		s = arena_printf(d->arena, "All %zu %s are steady by %s.", c->n, what, rule);
	else if (steady == 0)
		s = arena_printf(d->arena, "None of %zu %s is steady by %s.", c->n, what, rule);
	else
		s = arena_printf(d->arena, "%zu of %zu %s %s steady by %s; not steady: %s.", steady, c->n, what,
			steady == 1 ? "is" : "are", rule, names.p);
	size_t other_mix = 0;
	for (size_t i = 0; i < c->n; i++)
		other_mix += c->v[i].real_mix.n > 0;
	if (other_mix)
		s = arena_printf(d->arena, "%s %zu %s really ran another mix than %s named for.", s, other_mix,
			other_mix == 1 ? "cell" : "cells", other_mix == 1 ? "it is" : "they are");
	if (disputed)
		s = arena_printf(d->arena, "%s Of %zu the tool says otherwise.", s, disputed);
	buf_free(&names);
	return s;
}

/* What all cells have in common. */
static void write_common(struct document *d, const struct cells *c)
{
	static const char *const own[] = { "bs", "mix", "op", "rw", "actual_mix", "steady", NULL };
	struct params first = c->v[0].s->params;
	struct param *common = ARENA_ARRAY(d->arena, first.n, struct param);
	size_t n = 0;
	for (size_t i = 0; i < first.n; i++) {
		bool all = true;
		for (size_t k = 1; k < c->n && all; k++) {
			const struct param *p = params_find_slice(c->v[k].s->params, first.v[i].key);
			all = p && slice_eq(p->value, first.v[i].value);
		}
		if (all)
			common[n++] = first.v[i];
	}
	const char *text = show_params(d->arena, (struct params){ common, n }, (struct params){ 0 }, own);
	if (*text)
		elem_text(d, "para", arena_printf(d->arena, "All cells: %s.", text));
}

static void write_options(struct document *d, const struct run *r)
{
	if (!r->attrs.n)
		return;
	elem(d, "fold");
	elem_text(d, "title",
		arena_printf(d->arena, "Set-up and test parameters: %zu statements of the source", r->attrs.n));
	table_begin(d, "What the run was told and what it says of itself");
	table_column(d, "text", "Name", NULL);
	table_column(d, "text", "Value", NULL);
	table_column(d, "text", "Where", NULL);
	for (size_t i = 0; i < r->attrs.n; i++) {
		const struct param *p = &r->attrs.v[i];
		table_row(d);
		cell_slice(d, p->key);
		cell_slice(d, p->text.n ? p->text : p->value);
		cell(d, NULL,
			!p->pos.source ? ""
			: p->pos.line  ? arena_printf(d->arena, "%s:%u", p->pos.source->name, p->pos.line)
				       : p->pos.source->name);
		row_end(d);
	}
	table_end(d, NULL);
	elem_end(d);
}

static void write_section(struct document *d, struct cells *c, bool several, bool first)
{
	elem(d, "section");
	attr_id(d, "id", "p", ++d->sections);
	attr(d, "kind", "suite");
	attr_id(d, "subject", "s", subject_id(d, c->run->subject));
	const char *file = c->run->source ? c->run->source->name : "", *slash = strrchr(file, '/');
	const char *set = c->run->set.n ? arena_string(d->arena, c->run->set) : slash ? slash + 1 : file;
	elem_text(d, "title", several ? arena_printf(d->arena, "%s, %s", c->title, set) : c->title);
	elem_text(d, "finding", finding(d, c));
	if (c->kind == SERIES_ROUNDS)
		write_common(d, c);
	if (c->kind == SERIES_SAMPLES) {
		write_samples(d, c);
	} else {
		write_convergence(d, c);
		write_steady_table(d, c);
		write_windows(d, c);
		write_matrix(d, c);
		write_latencies(d, c);
	}
	if (first && c->run->n_members)
		write_options(d, c->run);
	elem_end(d);
}

void write_suites(struct document *d, struct slice subject)
{
	const struct dataset *data = d->report->data;
	const struct steady_rule *rule = d->report->rule ? d->report->rule : &steady_snia;
	struct cells *groups = NULL;
	size_t n = 0, cap = 0;
	for (size_t i = 0; i < data->n_runs; i++) {
		const struct run *r = data->runs[i];
		for (size_t k = 0; k < r->n_series && slice_eq(r->subject, subject) && !r->same_as && !servers_take(r); k++) {
			const struct series *s = &r->series[k];
			if (s->n == 0 || s->stat.n)
				continue; /* percentiles over time are a section of their own */
			struct cells *c = cells_of(d, &groups, &n, &cap, r, s);
			struct cell_series *v = ARENA_PUSH(d->arena, c->v, c->n, c->cap);
			*v = (struct cell_series){ .s = s,
				.steady = steady_judge(d->arena, rule, s),
				.bs = param_value(s, "bs"),
				.mix = param_value(s, "mix"),
				.real_mix = param_value(s, "actual_mix") };
			num_double(v->bs, &v->size);
			v->read = read_share(v->mix);
			v->name = cell_name(d->arena, s, v->bs, v->mix);
		}
	}
	for (size_t i = 0; i < n; i++) {
		bool several = false;
		for (size_t k = 0; k < n; k++)
			several |= k != i && strcmp(groups[k].title, groups[i].title) == 0 &&
				   groups[k].kind == groups[i].kind;
		finish(d, &groups[i]);
		write_section(d, &groups[i], several, i == 0 || groups[i - 1].run != groups[i].run);
	}
}
