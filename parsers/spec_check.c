/* What an auditor checks in one result of SPEC CPU: each printed figure against those it follows from. */
#include "parsers/spec_file.h"

#include "base/num.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Runs of one benchmark that differ by more are marked. */
static const double spread_limit = 0.05;

static bool precise(const struct spec_file *f)
{
	return f->form == SPEC_RSF || f->form == SPEC_CSV;
}

/* "500.perlbench_r base, run 2" */
static const char *label(struct spec_file *f, const struct spec_row *r)
{
	return arena_printf(f->parse->arena, "%.*s %s, run %u", SLICE_ARG(slice_head(r->benchmark, 60)),
		spec_tune_name(r->tune), r->iteration);
}

/* A number in a sentence, with as many digits as make a difference there. */
static const char *figure(struct spec_file *f, double v, double half)
{
	if (precise(f) || f->form == SPEC_LOG)
		return arena_printf(f->parse->arena, "%.6f", v);
	int places = half < 1 && half > 0 ? (int)ceil(-log10(2 * half) - 1e-9) + 1 : 1;
	return arena_printf(f->parse->arena, "%.*f", places < 9 ? places : 9, v);
}

static bool whole_set(const struct spec_row *r, struct slice size)
{
	struct slice own = r->size.n ? r->size : size;
	return own.n == 0 || slice_starts(own, "ref");
}

/* ---- the ratio of a row ---- */

/* 0: not known. The file's own word where the table has none. */
static double reference_of(struct spec_file *f, const struct spec_row *r)
{
	const struct spec_benchmark *known = f->suite ? spec_benchmark_find(f->suite, r->benchmark) : NULL;
	double stated;
	if (num_double(r->reference, &stated) != NUM_OK || stated <= 0)
		return known ? known->reference : 0;
	if (known && known->reference && stated != known->reference)
		spec_file_diag(f, DIAG_WARNING, r->pos,
			"mismatch: the reference time of %.*s is stated as %g s; in every other file "
			"it is %u s",
			SLICE_ARG(r->benchmark), stated, known->reference);
	return stated;
}

/* What rounding alone can do: half a digit of the time and of the ratio; a rate is copies × a rounded ratio. */
static void check_ratio(struct spec_file *f, struct spec_row *r)
{
	struct spec_cell *time = &r->cell[SPEC_TIME], *ratio = &r->cell[SPEC_RATIO];
	double copies = spec_row_copies(r), reference = reference_of(f, r);
	if (!time->known || !ratio->known || reference <= 0 || isnan(copies) || !whole_set(r, f->size))
		return;
	double t = time->q.value, half = time->q.half_digit, expected = copies * reference / t;
	double low = copies * (reference / (t + half) - 5e-7),
	       high = copies * (reference / fmax(t - half, t / 2) + 5e-7);
	double slack = ratio->q.half_digit * 1.001 + 1e-9 * expected;
	if (ratio->q.value + slack >= low && ratio->q.value - slack <= high)
		return;
	ratio->suspect = true;
	spec_file_diag(f, DIAG_WARNING, ratio->pos,
		"mismatch: %s: the ratio is printed as %.*s, but %g s / %.*s s%s gives %s", label(f, r),
		SLICE_ARG(ratio->text), reference, SLICE_ARG(time->text),
		copies != 1 ? arena_printf(f->parse->arena, " x %g copies", copies) : "",
		figure(f, expected, ratio->q.half_digit));
}

/* ---- the runs of one benchmark ---- */

struct runs {
	const struct spec_row *row[SPEC_ROWS]; /* usable ones, in order */
	size_t n;
	const struct spec_row *selected;
};

static int by_time(const void *a, const void *b)
{
	const struct spec_row *x = *(struct spec_row *const *)a, *y = *(struct spec_row *const *)b;
	double s = x->cell[SPEC_TIME].q.value, t = y->cell[SPEC_TIME].q.value;
	return (s > t) - (s < t);
}

/* Two runs: the slower; an odd number: the one in the middle. */
static void check_selection(struct spec_file *f, struct runs *g)
{
	if (!g->selected || (g->n != 2 && g->n % 2 == 0))
		return;
	qsort(g->row, g->n, sizeof *g->row, by_time);
	const struct spec_row *right = g->row[g->n / 2];
	const struct spec_cell *is = &g->selected->cell[SPEC_TIME], *should = &right->cell[SPEC_TIME];
	if (fabs(is->q.value - should->q.value) <= 1e-9 * should->q.value)
		return;
	spec_file_diag(f, DIAG_WARNING, is->pos,
		"mismatch: %s of %.*s s is selected, but the %s of the %zu runs took %.*s s", label(f, g->selected),
		SLICE_ARG(is->text), g->n == 2 ? "slower" : "median", g->n, SLICE_ARG(should->text));
}

static void check_spread(struct spec_file *f, const struct runs *g)
{
	const struct spec_row *low = g->row[0], *high = g->row[0];
	for (size_t i = 1; i < g->n; i++) {
		low = by_time(&g->row[i], &low) < 0 ? g->row[i] : low;
		high = by_time(&g->row[i], &high) > 0 ? g->row[i] : high;
	}
	const struct spec_cell *a = &low->cell[SPEC_TIME], *b = &high->cell[SPEC_TIME];
	double spread = b->q.value / a->q.value - 1;
	if (spread > spread_limit)
		spec_file_diag(f, DIAG_WARNING, b->pos,
			"spread: the runs of %.*s %s took from %.*s to %.*s s, %.1f %% apart",
			SLICE_ARG(low->benchmark), spec_tune_name(low->tune), SLICE_ARG(a->text), SLICE_ARG(b->text),
			100 * spread);
}

static bool same_runs(const struct spec_row *a, const struct spec_row *b)
{
	return a->tune == b->tune && !a->summary && !b->summary && slice_eq(a->benchmark, b->benchmark) &&
	       slice_eq(a->size, b->size);
}

static void check_runs(struct spec_file *f)
{
	struct runs *g = ARENA_NEW(f->parse->arena, struct runs);
	bool *done = ARENA_ARRAY(f->parse->arena, f->n_rows + 1, bool);
	for (size_t i = 0; i < f->n_rows; i++) {
		if (done[i] || f->rows[i].summary)
			continue;
		g->n = 0;
		g->selected = NULL;
		for (size_t k = i; k < f->n_rows; k++) {
			const struct spec_row *r = &f->rows[k];
			if (!same_runs(&f->rows[i], r))
				continue;
			done[k] = true;
			if (!r->cell[SPEC_TIME].known)
				continue;
			g->row[g->n++] = r;
			g->selected = r->selected && !g->selected ? r : g->selected;
		}
		if (g->n < 2)
			continue;
		check_spread(f, g);
		check_selection(f, g);
	}
}

/* ---- the table of selected runs ---- */

/* The run that the other table marks for this one. */
static const struct spec_row *marked(const struct spec_file *f, const struct spec_row *summary)
{
	for (size_t i = 0; i < f->n_rows; i++) {
		const struct spec_row *r = &f->rows[i];
		if (!r->summary && r->selected && r->tune == summary->tune &&
			slice_eq(r->benchmark, summary->benchmark))
			return r;
	}
	return NULL;
}

static void check_summary(struct spec_file *f)
{
	static const enum spec_figure both[] = { SPEC_TIME, SPEC_RATIO };
	for (size_t i = 0; i < f->n_rows; i++) {
		struct spec_row *s = &f->rows[i];
		const struct spec_row *r = s->summary ? marked(f, s) : NULL;
		for (size_t k = 0; r && k < 2; k++) {
			struct spec_cell *a = &s->cell[both[k]];
			const struct spec_cell *b = &r->cell[both[k]];
			if (!a->known || !b->known || fabs(a->q.value - b->q.value) <= 1e-9 * b->q.value)
				continue;
			a->suspect = true;
			spec_file_diag(f, DIAG_WARNING, a->pos,
				"mismatch: the table of selected runs has %.*s for %.*s %s, the table of "
				"all runs %.*s (line %u)",
				SLICE_ARG(a->text), SLICE_ARG(s->benchmark), spec_tune_name(s->tune),
				SLICE_ARG(b->text),
				b->pos.line ? b->pos.line : source_pos(f->parse->source, b->pos.offset).line);
		}
	}
}

/* ---- the metric ---- */

/* Whether a row's ratio is one of those behind a metric: of the selected run; the table of selected runs stands in
 * where there is no other. */
static bool behind(const struct spec_file *f, const struct spec_row *r, const struct spec_metric *m)
{
	enum spec_figure k = m->energy ? SPEC_ENERGY_RATIO : SPEC_RATIO;
	if (!r->selected || r->tune != m->tune || !r->cell[k].known || (r->summary && marked(f, r)))
		return false;
	if (m->suite->n && !spec_benchmark_find(m->suite, r->benchmark))
		return false;
	for (const struct spec_row *before = f->rows; before < r; before++)
		if (before->selected && before->tune == r->tune && before->cell[k].known &&
			slice_eq(before->benchmark, r->benchmark))
			return false;
	return true;
}

static void recompute(struct spec_file *f, struct spec_metric *m)
{
	double logs = 0;
	for (size_t i = 0; i < f->n_rows; i++) {
		const struct spec_row *r = &f->rows[i];
		if (!behind(f, r, m))
			continue;
		logs += log(r->cell[m->energy ? SPEC_ENERGY_RATIO : SPEC_RATIO].q.value);
		m->ratios++;
	}
	m->complete = m->ratios > 0 && (!m->suite->n || m->ratios == m->suite->n);
	m->mean = m->ratios ? exp(logs / m->ratios) : NAN;
	if (m->complete)
		m->recomputed = m->mean;
}

/* Precise files agree to the sixth decimal. A text's metric is rounded by itself, so that one unit of the third digit is
 * what the rounding of the ratios does; never two. */
static void check_metric(struct spec_file *f, struct spec_metric *m)
{
	struct spec_cell *c = &m->cell;
	if (!c->known || isnan(m->recomputed))
		return;
	double unit = 2 * c->q.half_digit, off = fabs(c->q.value - m->recomputed);
	bool agrees = precise(f) ? off <= fmax(1.5e-6, 1e-6 * m->recomputed)
				 : fabs(round(c->q.value / unit) - round(m->recomputed / unit)) <= 1;
	if (agrees)
		return;
	c->suspect = true;
	spec_file_diag(f, DIAG_WARNING, c->pos,
		"mismatch: %.*s is printed as %.*s, but the geometric mean of its %u ratios is %s "
		"(printed %.2g %% %s)",
		SLICE_ARG(m->name), SLICE_ARG(c->text), m->ratios, figure(f, m->recomputed, c->q.half_digit),
		100 * off / m->recomputed, c->q.value > m->recomputed ? "higher" : "lower");
}

/* Those of the suite that carry no ratio for this metric. */
static const char *missing_of(const struct spec_file *f, const struct spec_metric *m)
{
	struct buf b = BUF_EMPTY;
	for (unsigned i = 0; i < m->suite->n; i++) {
		bool there = false;
		for (size_t k = 0; k < f->n_rows && !there; k++)
			there = slice_is(f->rows[k].benchmark, m->suite->benchmarks[i].name) &&
				behind(f, &f->rows[k], m);
		if (!there)
			buf_printf(&b, "%s%s", b.n ? ", " : "", m->suite->benchmarks[i].name);
	}
	const char *text = arena_string(f->parse->arena, buf_view(&b));
	buf_free(&b);
	return text;
}

static void check_complete(struct spec_file *f, struct spec_metric *m)
{
	const char *name = m->suite->metric[m->tune];
	if (m->complete || (!m->cell.known && slice_is(m->cell.text, "Not Run")) || m->energy || f->form == SPEC_HTML)
		return;
	if (!whole_set(&(struct spec_row){ 0 }, f->size))
		spec_file_diag(
			f, DIAG_WARNING, m->pos, "size %.*s has no ratios: there is no %s", SLICE_ARG(f->size), name);
	else if (m->cell.known && m->ratios)
		spec_file_diag(f, DIAG_WARNING, m->pos,
			"incomplete: %.*s stands beside %u of %u benchmarks, whose mean is %s; it is no %s (without: %s)",
			SLICE_ARG(m->cell.text), m->ratios, m->suite->n, figure(f, m->mean, m->cell.q.half_digit), name,
			missing_of(f, m));
	else
		spec_file_diag(f, DIAG_WARNING, m->pos,
			"incomplete: %u of %u benchmarks have a ratio (without: %s): there is no %s", m->ratios,
			m->suite->n, missing_of(f, m), name);
}

/* ---- the whole ---- */

/* Base uses as many copies for each benchmark; only peak may differ. */
static void check_copies(struct spec_file *f)
{
	const struct spec_row *first = NULL;
	for (size_t i = 0; i < f->n_rows; i++) {
		const struct spec_row *r = &f->rows[i];
		if (r->tune != SPEC_BASE || !r->parallel.n || r->summary || !spec_row_usable(f, r) ||
			f->form == SPEC_LOG)
			continue;
		if (first && !slice_eq(first->parallel, r->parallel)) {
			spec_file_diag(f, DIAG_WARNING, r->pos,
				"%.*s ran base with %.*s %s, %.*s with %.*s: base must be the same for all",
				SLICE_ARG(r->benchmark), SLICE_ARG(r->parallel), r->threads ? "threads" : "copies",
				SLICE_ARG(first->benchmark), SLICE_ARG(first->parallel));
			return;
		}
		first = first ? first : r;
	}
}

static void check_failed(struct spec_file *f)
{
	for (size_t i = 0; i < f->n_rows; i++) {
		const struct spec_row *r = &f->rows[i];
		if (r->summary || !spec_row_failed(r) || slice_is(r->status, "NR"))
			continue;
		const char *what = slice_is(r->status, "CE")   ? "was not built"
				   : slice_is(r->status, "RE") ? "did not run to its end"
							       : "gave wrong output";
		spec_file_diag(f, DIAG_WARNING, r->pos, "%s failed (%.*s, it %s): nothing of it is a result%s%.*s",
			label(f, r), SLICE_ARG(r->status), what, r->reason.n ? ": " : "",
			SLICE_ARG(slice_head(r->reason, 100)));
	}
}

/* Reasons that the tools repeat for every benchmark: told last. */
static bool of_each_benchmark(struct slice reason)
{
	return slice_ends(reason, "did not have enough runs!") || slice_ends(reason, " missing)");
}

static void say_invalid(struct spec_file *f)
{
	enum { SHOWN = 3 };
	struct buf b = BUF_EMPTY;
	size_t shown = 0;
	for (int round = 0; round < 2; round++)
		for (size_t i = 0; i < f->n_reasons && shown < SHOWN; i++)
			if (of_each_benchmark(f->reasons[i].text) == (round == 1))
				buf_printf(&b, "%s%.*s", shown++ ? "; " : ": ",
					SLICE_ARG(slice_head(f->reasons[i].text, 120)));
	if (f->n_reasons > shown)
		buf_printf(&b, "; and %zu more", f->n_reasons - shown);
	struct pos pos = f->valid_cell.pos.source ? f->valid_cell.pos : (struct pos){ .source = f->parse->source };
	spec_file_diag(f, DIAG_WARNING, pos, "the result is marked invalid%.*s", SLICE_ARG(buf_view(&b)));
	buf_free(&b);
}

/* A published result names who tested it, when, and with what; an estimate says that it is one. */
static void check_marks(struct spec_file *f)
{
	bool submitted = f->version.n;
	for (size_t i = 0; i < f->n_attrs && !submitted; i++)
		submitted = slice_is(f->attrs[i].key, "tester") || slice_is(f->attrs[i].key, "license_num");
	for (size_t i = 0; i < f->n_metrics; i++)
		if (f->metrics[i].energy && f->metrics[i].cell.known && f->estimated)
			spec_file_diag(f, DIAG_WARNING, f->metrics[i].pos, "metrics of energy must never be estimated");
	const struct spec_metric *peak = NULL;
	bool base = false;
	for (size_t i = 0; i < f->n_metrics; i++) {
		base |= f->metrics[i].tune == SPEC_BASE && f->metrics[i].cell.known;
		peak = f->metrics[i].tune == SPEC_PEAK && f->metrics[i].cell.known ? &f->metrics[i] : peak;
	}
	if (peak && !base)
		spec_file_diag(f, DIAG_WARNING, peak->pos,
			"%.*s stands here without its base metric: peak is never published alone",
			SLICE_ARG(peak->name));
	if (f->form != SPEC_TEXT || f->estimated || f->valid >= 0 || submitted || !f->n_metrics)
		return;
	f->unmarked = true;
	spec_file_diag(f, DIAG_WARNING, f->metrics[0].pos,
		"not marked as an estimate, but without licence, tester and version of "
		"the tools nothing shows a compliant run: to be shown as an estimate");
}

void spec_check(struct spec_file *f)
{
	if (f->valid == 0)
		say_invalid(f);
	check_failed(f);
	for (size_t i = 0; i < f->n_rows; i++)
		check_ratio(f, &f->rows[i]);
	check_runs(f);
	check_summary(f);
	check_copies(f);
	for (size_t i = 0; i < f->n_metrics; i++) {
		recompute(f, &f->metrics[i]);
		check_complete(f, &f->metrics[i]);
		check_metric(f, &f->metrics[i]);
	}
	check_marks(f);
	if (f->n_rows && !f->n_metrics && f->form != SPEC_LOG)
		spec_file_diag(f, DIAG_WARNING, f->rows[f->n_rows - 1].pos,
			"the result ends before its metric: it may be cut");
}
