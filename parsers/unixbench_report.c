#include "parsers/unixbench_report.h"

#include "base/num.h"

#include <math.h>

struct slice ub_kept(struct rules *r, struct slice s)
{
	return r->text->copied ? arena_copy(r->parse->arena, s) : s;
}

static bool is_old(const struct ub_report *u)
{
	return slice_starts(u->version, "3.") || slice_starts(u->version, "4.");
}

void ub_begin(struct rules *r)
{
	struct ub_report *u = r->state;
	rules_begin(r);
	*u = (struct ub_report){ .version = u->version, .rates_only = u->rates_only, .pos = rules_here(r) };
	if (u->version.n)
		rules_version(r, u->version);
}

void ub_open(struct rules *r)
{
	if (!r->open)
		ub_begin(r);
}

bool ub_on_header(struct rules *r)
{
	struct ub_report *u = r->state;
	rules_next_run(r);
	u->version = ub_kept(r, rules_group(r, 0));
	ub_begin(r);
	return true;
}

bool ub_on_run(struct rules *r)
{
	struct ub_report *u = r->state;
	if (!r->open || u->begun || u->n_rows)
		ub_begin(r);
	u->begun = true;
	return true;
}

bool ub_in_report(struct rules *r)
{
	return r->open;
}

struct ub_row *ub_row_of(struct rules *r, struct slice name)
{
	struct ub_report *u = r->state;
	for (unsigned i = 0; i < u->n_rows; i++)
		if (slice_eq(u->rows[i].name, name))
			return &u->rows[i];
	if (u->n_rows == UB_ROWS) {
		if (!u->full)
			rules_diag(r, DIAG_WARNING, rules_here(r), "more than %d tests in one run: the rest is not read", UB_ROWS);
		u->full = true;
		return NULL;
	}
	u->rows[u->n_rows] = (struct ub_row){ .name = ub_kept(r, name) };
	return &u->rows[u->n_rows++];
}

struct ub_category *ub_category_of(struct rules *r, struct slice name)
{
	struct ub_report *u = r->state;
	for (unsigned i = 0; i < u->n_categories; i++)
		if (slice_eq(u->categories[i].name, name))
			return &u->categories[i];
	if (u->n_categories == UB_CATEGORIES)
		return NULL;
	u->categories[u->n_categories] = (struct ub_category){ .name = ub_kept(r, name), .pos = rules_here(r) };
	return &u->categories[u->n_categories++];
}

static struct result *add(struct rules *r, struct slice test, enum metric_id metric, const char *stat,
	const struct quantity *q)
{
	struct result *k = rules_result(r, metric, stat, q);
	k->test = test;
	return k;
}

static struct result *add_rate(struct rules *r, const struct ub_row *row, struct slice value, struct slice unit,
	struct unit_scale scale)
{
	struct quantity q;
	scale.spelling = scale.spelling ? ub_suffix(scale.spelling) : NULL;
	if (!rules_read(r, value, unit, scale, &q))
		return NULL;
	return add(r, row->name, scale.unit == UNIT_ONE ? METRIC_SCORE : METRIC_RATE, "value", &q);
}

struct result *ub_add_rate(struct rules *r, struct ub_row *row, struct slice value, struct slice unit,
	struct unit_scale scale)
{
	struct result *k = add_rate(r, row, value, unit, scale);
	row->run = k && num_printed(value, 1, &row->raw, &row->raw_half) == NUM_OK;
	return k;
}

void ub_samples(struct rules *r, struct result *k, struct slice samples)
{
	struct ub_report *u = r->state;
	if (r->text->cut && samples.p + samples.n == r->text->line.p + r->text->line.n)
		return; /* it may have more digits */
	if (num_u64(samples, &k->n) != NUM_OK || is_old(u) || k->n == 7 || k->n == 2 || u->odd_samples)
		return;
	u->odd_samples = k->n;
	u->odd_pos = rules_pos(r, samples.p);
}

void ub_add_index(struct rules *r, struct slice test, const struct quantity *q, bool sound)
{
	struct result *k = add(r, test, METRIC_INDEX, "value", q);
	k->flags |= sound ? 0 : RESULT_SUSPECT;
}

/* Whether a printed index follows from its row, and the row from the run. */
static bool check_index(struct rules *r, const struct ub_row *t, struct slice result, double result_half,
	const struct quantity *index)
{
	const struct ub_report *u = r->state;
	const struct ub_test *stock = is_old(u) ? NULL : ub_test_find(t->name);
	bool tenfold = !slice_starts(u->version, "3.");
	if (stock && fabs(stock->baseline - t->baseline) > 0.051)
		rules_diag(r, DIAG_WARNING, rules_pos(r, result.p), "the baseline of %.*s is %.6g here, but %.6g in UnixBench",
			SLICE_ARG(t->name), t->baseline, stock->baseline);
	if (t->run && fabs(t->raw - t->result) > 1.001 * (t->raw_half + result_half)) {
		rules_diag(r, DIAG_WARNING, rules_pos(r, result.p), "%.*s is %.*s in the index table, but %.10g in its own row",
			SLICE_ARG(t->name), SLICE_ARG(result), t->raw);
		return false;
	}
	if (ub_index_agrees(index->value, t->result, t->baseline, tenfold))
		return true;
	rules_diag(r, DIAG_WARNING, index->pos, "the index of %.*s is %.*s, but %.*s by the baseline of %.10g makes it %.1f",
		SLICE_ARG(t->name), SLICE_ARG(index->text), SLICE_ARG(result), t->baseline,
		ub_index(t->result, t->baseline, tenfold));
	return false;
}

void ub_index_row(struct rules *r, struct ub_row *row, struct slice baseline, struct slice result, unsigned index)
{
	struct ub_report *u = r->state;
	struct unit_scale scale;
	struct quantity q;
	double half = 0;
	if (row->listed || !u->n_categories)
		return;
	if (!row->run && ub_scale_unprinted(row->name, &scale))
		add_rate(r, row, result, SLICE_NONE, scale);
	if (num_double(baseline, &row->baseline) != NUM_OK || row->baseline <= 0 ||
	    num_printed(result, 1, &row->result, &half) != NUM_OK || !rules_number(r, index, &q))
		return;
	row->listed = true;
	row->category = u->n_categories - 1;
	bool sound = check_index(r, row, result, half, &q);
	ub_add_index(r, row->name, &q, sound);
}

double ub_mean(const struct ub_report *u, unsigned category, bool tenfold, bool sum, size_t *n)
{
	double total = 0;
	*n = 0;
	for (unsigned i = 0; i < u->n_rows; i++) {
		const struct ub_row *t = &u->rows[i];
		double result = t->run ? t->raw : t->result;
		if (!t->listed || t->category != category || result <= 0)
			continue;
		double index = ub_index(result, t->baseline, tenfold);
		total += sum ? index : log(index);
		++*n;
	}
	return sum || !*n ? total : exp(total / (double)*n);
}

bool ub_check_score(struct rules *r, const struct quantity *q, double expected, size_t n, const char *what)
{
	if (n == 0 || ub_score_agrees(q->value, expected))
		return true;
	rules_diag(r, DIAG_WARNING, q->pos, "the score is %.*s, but %s of the %zu rows above makes it %.1f",
		SLICE_ARG(q->text), what, n, expected);
	return false;
}

bool ub_on_score(struct rules *r)
{
	struct ub_report *u = r->state;
	struct slice name = rules_group(r, 0);
	struct ub_category *c = NULL;
	struct quantity q;
	size_t n;
	for (unsigned i = 0; i < u->n_categories && r->open; i++)
		if (slice_eq(u->categories[i].name, name))
			c = &u->categories[i];
	if (!c || c->scored || !rules_number(r, 2, &q))
		return false;
	c->scored = true;
	c->pos = q.pos;
	double expected = ub_mean(u, (unsigned)(c - u->categories), true, false, &n);
	bool sound = ub_check_score(r, &q, expected, n, "the geometric mean");
	struct slice partial = rules_group(r, 1);
	if (partial.p)
		rules_tag(r, "partial", SLICE("yes"), rules_pos(r, partial.p));
	ub_add_index(r, slice_of(arena_printf(r->parse->arena, "%.*s Benchmarks Index Score", SLICE_ARG(name))), &q, sound);
	return false;
}

/* ---- what follows from a whole run ---- */

/* The score of a category from the runs' own rows, else from the table's; NAN unless all its tests are there. */
static double recompute(const struct ub_report *u, const char *category)
{
	size_t n = 0;
	double sum = 0;
	for (unsigned i = 0; i < u->n_rows; i++) {
		const struct ub_row *t = &u->rows[i];
		const struct ub_test *stock = ub_test_find(t->name);
		double result = t->run ? t->raw : t->listed ? t->result : 0;
		if (!stock || strcmp(stock->category, category) != 0 || result <= 0)
			continue;
		sum += log(ub_index(result, t->listed ? t->baseline : stock->baseline, true));
		n++;
	}
	return n == ub_category_tests(slice_of(category)) ? exp(sum / (double)n) : NAN;
}

static void add_recomputed(struct rules *r, const char *category)
{
	struct ub_report *u = r->state;
	struct quantity q = { .value = recompute(u, category), .unit = UNIT_ONE, .pos = u->pos };
	const struct ub_category *printed = NULL;
	size_t n = ub_category_tests(slice_of(category));
	if (isnan(q.value))
		return;
	for (unsigned i = 0; i < u->n_categories; i++)
		if (slice_is(u->categories[i].name, category))
			printed = &u->categories[i];
	if (printed)
		q.pos = printed->pos;
	else if (!u->broken && !u->rates_only)
		rules_diag(r, DIAG_WARNING, u->pos, "all %zu test%s of %s Benchmarks ran, but their index table is missing: the "
			"score is recomputed", n, n == 1 ? "" : "s", category);
	struct result *k = add(r, slice_of(arena_printf(r->parse->arena, "%s Benchmarks Index Score", category)), METRIC_INDEX,
		"recomputed", &q);
	k->flags = RESULT_DERIVED;
}

void ub_finish(struct rules *r)
{
	static const char *const categories[] = { "System", "2D Graphics", "3D Graphics" };
	struct ub_report *u = r->state;
	rules_untag(r);
	if (u->n_rows == 0) {
		rules_diag(r, DIAG_WARNING, u->pos, "UnixBench's report ends without a result: the run was aborted, or is cut here");
		rules_drop(r);
		return;
	}
	if (u->odd_samples)
		rules_diag(r, DIAG_NOTE, u->odd_pos, "a figure is of %llu sample%s: a standard run keeps 7 of 10 for short tests "
			"and 2 of 3 for long ones", (unsigned long long)u->odd_samples, u->odd_samples == 1 ? "" : "s");
	for (unsigned i = 0; i < u->n_categories; i++)
		if (!u->categories[i].scored)
			rules_diag(r, DIAG_WARNING, u->categories[i].pos, "this index table ends without its score");
	for (size_t i = 0; i < sizeof categories / sizeof *categories && !is_old(u); i++)
		add_recomputed(r, categories[i]);
}

