/* assay trend: what a long series of repeated runs shows. */
#include "cli/cli.h"

#include "base/num.h"
#include "model/trend.h"

#include <math.h>

static const double LEVEL = 0.99;

struct judged {
	struct options *o;
	struct trend_rule rule;
	struct trend_set set;
	struct trend *trends;
};

/* ---- for programs: a row with every part of a series ---- */

enum { COLUMNS_MAX = 96 };

/* The cells of one row under their heads, in the order in which they are put. */
struct sheet {
	struct arena *a;
	const char *heads[COLUMNS_MAX];
	bool numbers[COLUMNS_MAX];
	struct slice cells[COLUMNS_MAX];
	size_t n;
};

static void put(struct sheet *s, const char *head, struct slice text)
{
	s->heads[s->n] = head;
	s->numbers[s->n] = false;
	s->cells[s->n++] = text;
}

static void put_text(struct sheet *s, const char *head, const char *text)
{
	put(s, head, slice_of(text));
}

/* Empty where there is none. */
static void put_number(struct sheet *s, const char *head, double v)
{
	char text[NUM_FORMAT_SIZE];
	put(s, head, isfinite(v) ? arena_copy(s->a, (struct slice){ text, num_format(text, v) }) : SLICE(""));
	s->numbers[s->n - 1] = true;
}

static void put_place(struct sheet *s, const char *head, size_t place)
{
	put_number(s, head, place == TREND_NEVER ? NAN : (double)place);
}

static void put_places(struct sheet *s, const char *head, const struct trend_places *p)
{
	struct buf b = BUF_EMPTY;
	for (size_t i = 0; i < p->n; i++)
		buf_printf(&b, "%s%zu", i ? " " : "", p->v[i]);
	put(s, head, arena_copy(s->a, buf_view(&b)));
	buf_free(&b);
}

static void put_time(struct sheet *s, const char *head, double time)
{
	struct result r = { .time = time, .q.pos = POS_NONE };
	const struct run run = { .started = NAN };
	put(s, head, result_column(s->a, &run, &r, COLUMN_TIME));
}

/* "file:line" */
static const char *where_of(struct arena *a, const struct trend_point *p)
{
	struct slice source = result_column(a, p->run, p->result, COLUMN_SOURCE);
	return arena_printf(a, "%.*s:%u", SLICE_ARG(source), p->result->q.pos.line);
}

static void put_sources(struct sheet *s, const char *head, const struct trend_series *series, const struct trend_places *p)
{
	struct buf b = BUF_EMPTY;
	for (size_t i = 0; i < p->n; i++)
		buf_printf(&b, "%s%s", i ? " " : "", where_of(s->a, &series->points[p->v[i]]));
	put(s, head, arena_copy(s->a, buf_view(&b)));
	buf_free(&b);
}

static void put_halts(struct sheet *s, const struct trend_set *set, const struct trend *t)
{
	struct trend_gaps g = { .known = false, .longest = NAN, .at = NAN };
	double jobs = NAN;
	for (size_t i = 0; i < set->n_jobs; i++)
		if (slice_eq(set->jobs[i].subject, t->series->subject)) {
			g = trend_halts(s->a, &set->jobs[i]);
			jobs = (double)set->jobs[i].n;
		}
	put_number(s, "jobs", jobs);
	put_number(s, "halts", g.known ? (double)g.n : NAN);
	put_number(s, "longest_without_job", g.longest);
	put_time(s, "longest_without_job_at", g.at);
}

static void put_series(struct sheet *s, const struct trend *t)
{
	const struct trend_series *series = t->series;
	put(s, "subject", series->subject);
	put(s, "tool", series->tool);
	put(s, "version", series->version);
	put(s, "test", series->test);
	put(s, "params", series->params);
	put_text(s, "metric", metric_get(series->metric)->name);
	put(s, "stat", series->stat);
	put_text(s, "unit", unit_name(series->unit));
	put_text(s, "verdict", t->judged ? verdict_name(t->verdict) : "");
	put_text(s, "sentence", t->sentence);
	put_number(s, "n", (double)series->n);
	put_number(s, "runs", (double)series->runs);
	put_number(s, "left_out", (double)series->left_out);
	put_time(s, "first", t->first);
	put_time(s, "last", t->last);
	put_number(s, "interval", t->gaps.interval);
	put_number(s, "gaps", t->gaps.known ? (double)t->gaps.n : NAN);
	put_number(s, "missing", t->gaps.known ? (double)t->gaps.missing : NAN);
	put_number(s, "longest_interval", t->gaps.longest);
	put_time(s, "longest_interval_at", t->gaps.at);
}

static void put_spread(struct sheet *s, const struct trend *t, double tolerance)
{
	const struct trend_spread *p = &t->spread;
	put_number(s, "min", p->min);
	put_number(s, "mean", p->mean);
	put_number(s, "max", p->max);
	put_number(s, "median", p->median);
	put_number(s, "sd", p->sd);
	put_number(s, "cv_percent", 100 * p->cv);
	put_number(s, "mad", p->mad);
	put_number(s, "robust_cv_percent", 100 * p->robust_cv);
	put_number(s, "min_mean", p->min_mean);
	put_number(s, "max_mean", p->max_mean);
	put_number(s, "lowest_percent", 100 * p->lowest);
	put_number(s, "highest_percent", 100 * p->highest);
	put_text(s, "worst_source", t->series->n ? where_of(s->a, &t->series->points[p->worst]) : "");
	put_number(s, "tolerance_percent", 100 * tolerance);
	put_places(s, "beyond_tolerance", &p->beyond);
	put_number(s, "capability", p->capability);
	put_places(s, "mad35_out", &p->outliers);
	put_sources(s, "mad35_out_source", t->series, &p->outliers);
	put_number(s, "bound", p->bound);
	put_number(s, "proven_share_percent", 100 * p->proven_share);
	put_number(s, "confidence_95", p->confidence_95);
	put_number(s, "confidence_99", p->confidence_99);
}

static void put_control(struct sheet *s, const struct trend *t)
{
	const struct trend_control *c = &t->control;
	put_text(s, "baseline", c->own ? "itself" : "selected");
	put_number(s, "baseline_n", (double)(c->own ? t->series->n : t->series->n_baseline));
	put_number(s, "center", c->center);
	put_number(s, "imr_sigma", c->sigma);
	put_places(s, "imr_3s_out", &c->out_3s);
	put_number(s, "limit_factor", c->factor);
	put_number(s, "limit_sigma", c->wide);
	put_number(s, "limit_lower", c->lower);
	put_number(s, "limit_upper", c->upper);
	put_places(s, "limit_out", &c->out);
	put_place(s, "ewma_first", c->ewma_first);
	put_number(s, "ewma_count", (double)c->ewma_count);
	put_place(s, "cusum_first", c->cusum_first);
	put_text(s, "cusum_side", c->cusum_first == TREND_NEVER ? "" : c->cusum_down ? "down" : "up");
}

static void put_movement(struct sheet *s, const struct trend *t)
{
	const struct trend_drift *d = &t->drift;
	const struct trend_change *c = &t->whole;
	size_t *at = ARENA_ARRAY(s->a, t->n_changes, size_t);
	for (size_t i = 0; i < t->n_changes; i++)
		at[i] = t->changes[i].tau;
	struct trend_places changes = { at, t->n_changes };
	put_number(s, "lag1_r", t->likeness.lag1);
	put_number(s, "n_effective", t->likeness.n_effective);
	put_number(s, "mk_s", d->s);
	put_number(s, "mk_var", d->var);
	put_number(s, "mk_z", d->z);
	put_number(s, "mk_p", d->p);
	put_number(s, "sen_slope", d->slope);
	put_number(s, "rise_percent", 100 * d->rise);
	put_number(s, "mk_r", d->r);
	put_number(s, "mk_inflation", d->inflation);
	put_number(s, "mk_z_corrected", d->z_corrected);
	put_number(s, "mk_p_corrected", d->p_corrected);
	put_text(s, "drift", isnan(d->p) ? "" : d->shown ? "yes" : "no");
	put_number(s, "pettitt_k", c->k);
	put_number(s, "pettitt_tau", isnan(c->k) ? NAN : (double)c->tau);
	put_number(s, "pettitt_p", c->p);
	put_number(s, "pettitt_r", c->r);
	put_number(s, "pettitt_p_corrected", c->p_corrected);
	put_number(s, "mean_before", c->before);
	put_number(s, "mean_after", c->after);
	put_number(s, "edivisive_q", t->divided.q);
	put_number(s, "edivisive_tau", isnan(t->divided.q) ? NAN : (double)t->divided.tau);
	put_number(s, "edivisive_p", t->divided.p);
	put_number(s, "edivisive_r", t->divided.r);
	put_number(s, "edivisive_p_corrected", t->divided.p_corrected);
	put_places(s, "changes", &changes);
	put_sources(s, "changes_source", t->series, &changes);
}

static void write_rows(struct judged *j, const struct cell_format *format, struct buf *out)
{
	struct sheet sheet = { .a = &j->o->arena };
	const struct trend_series no_series = { .n = 0 };
	const struct trend nothing = { .series = &no_series };
	for (size_t i = 0; i == 0 || i < j->set.n; i++) {
		const struct trend *t = i < j->set.n ? &j->trends[i] : &nothing;
		sheet.n = 0;
		put_series(&sheet, t);
		put_halts(&sheet, &j->set, t);
		put_spread(&sheet, t, j->rule.tolerance);
		put_control(&sheet, t);
		put_movement(&sheet, t);
		if (i == 0)
			cells_begin(format, out, sheet.heads, sheet.n);
		if (i < j->set.n)
			cells_row_numbers(format, out, sheet.heads, sheet.numbers, sheet.cells, sheet.n, i == 0);
	}
	cells_end(format, out, j->set.n > 0);
}

/* ---- for people: three tables and a sentence for each series ---- */

static bool same_name(const struct trend_series *x, const struct trend_series *y)
{
	return x->metric == y->metric && slice_eq(x->test, y->test) && slice_eq(x->subject, y->subject) &&
		slice_eq(x->tool, y->tool);
}

/* "BM.x write bandwidth"; with the params where another series is called the same. */
static struct slice name_of(const struct judged *j, size_t i)
{
	const struct trend_series *v = j->set.series, *s = &v[i];
	bool alone = !(i > 0 && same_name(&v[i - 1], s)) && !(i + 1 < j->set.n && same_name(&v[i + 1], s));
	struct slice test = s->test.n ? s->test : s->tool;
	const char *metric = s->metric == METRIC_VALUE ? "" : metric_get(s->metric)->name;
	struct slice params = alone ? SLICE("") : s->params;
	const char *name = arena_printf(&j->o->arena, "%.*s%s%.*s%s%s%s%.*s", SLICE_ARG(s->subject), s->subject.n ? " " : "",
		SLICE_ARG(test), *metric ? " " : "", metric, params.n ? " " : "", SLICE_ARG(params));
	return printable(&j->o->arena, slice_of(name));
}

static struct slice shown(struct arena *a, double v, enum unit u)
{
	char text[48];
	if (!isfinite(v))
		return SLICE("\xe2\x80\x94");
	quantity_show(text, sizeof text, v, u, 4);
	return slice_of(arena_string(a, slice_of(text)));
}

static struct slice number(struct arena *a, double v, int decimals)
{
	return isfinite(v) ? slice_of(arena_printf(a, "%.*f", decimals, v)) : SLICE("\xe2\x80\x94");
}

/* A share as "12.3" under a heading with %. */
static struct slice percent(struct arena *a, double share)
{
	return number(a, 100 * share, 1);
}

static struct slice signed_percent(struct arena *a, double share)
{
	return isfinite(share) ? slice_of(arena_printf(a, "%+.1f", 100 * share)) : SLICE("\xe2\x80\x94");
}

static struct slice p_value(struct arena *a, double p)
{
	return p < 0.0005 ? SLICE("<0.001") : number(a, p, 3);
}

static struct slice count(struct arena *a, size_t n)
{
	return arena_u64(a, n);
}

/* Runs count from 1 for people. */
static struct slice run_number(struct arena *a, size_t place)
{
	return place == TREND_NEVER ? SLICE("\xe2\x80\x93") : count(a, place + 1);
}

static struct slice verdict(const struct judged *j, const struct trend *t)
{
	static const char *const code[VERDICTS] = { "1;34", "1;31", "33", "90", "90" };
	if (!t->judged)
		return SLICE("\xe2\x80\x93");
	const char *name = verdict_name(t->verdict);
	bool color = use_color(j->o, stdout) && !j->o->output;
	return slice_of(color ? arena_printf(&j->o->arena, "\033[%sm%s\033[0m", code[t->verdict], name) : name);
}

static size_t spread_row(const struct judged *j, const struct trend *t, struct slice *c)
{
	struct arena *a = &j->o->arena;
	const struct trend_spread *s = &t->spread;
	enum unit u = t->series->unit;
	size_t n = 0;
	c[n++] = verdict(j, t);
	c[n++] = count(a, t->series->n);
	c[n++] = shown(a, s->min, u);
	c[n++] = shown(a, s->mean, u);
	c[n++] = shown(a, s->max, u);
	c[n++] = signed_percent(a, s->lowest);
	c[n++] = signed_percent(a, s->highest);
	c[n++] = percent(a, s->cv);
	c[n++] = percent(a, s->robust_cv);
	c[n++] = count(a, s->outliers.n);
	c[n++] = t->gaps.known ? count(a, t->gaps.missing) : SLICE("\xe2\x80\x94");
	return n;
}

static size_t movement_row(const struct judged *j, const struct trend *t, struct slice *c)
{
	struct arena *a = &j->o->arena;
	size_t n = 0;
	c[n++] = number(a, t->likeness.lag1, 2);
	c[n++] = number(a, t->likeness.n_effective, 0);
	c[n++] = signed_percent(a, t->drift.rise);
	c[n++] = p_value(a, t->drift.p);
	c[n++] = p_value(a, t->drift.p_corrected);
	c[n++] = slice_of(isnan(t->drift.p) ? "\xe2\x80\x94" : t->drift.shown ? "shown" : t->n_changes ? "steps" : "not shown");
	c[n++] = isnan(t->whole.k) ? SLICE("\xe2\x80\x94") : run_number(a, t->whole.tau);
	c[n++] = p_value(a, t->whole.p);
	c[n++] = p_value(a, t->whole.p_corrected);
	c[n++] = p_value(a, t->divided.p_corrected);
	c[n++] = t->n_changes ? count(a, t->n_changes) : slice_of(isnan(t->divided.q) ? "\xe2\x80\x94" :
		t->drift.shown ? "drift" : "not shown");
	return n;
}

static size_t control_row(const struct judged *j, const struct trend *t, struct slice *c)
{
	struct arena *a = &j->o->arena;
	const struct trend_control *k = &t->control;
	enum unit u = t->series->unit;
	size_t n = 0;
	c[n++] = shown(a, k->center, u);
	c[n++] = shown(a, k->lower, u);
	c[n++] = shown(a, k->upper, u);
	c[n++] = number(a, k->factor, 2);
	c[n++] = count(a, k->out.n);
	c[n++] = count(a, k->out_3s.n);
	c[n++] = run_number(a, k->ewma_first);
	c[n++] = run_number(a, k->cusum_first);
	c[n++] = shown(a, t->spread.bound, u);
	c[n++] = percent(a, t->spread.proven_share);
	return n;
}

enum { TABLE_COLUMNS = 12 };

static const struct table {
	const char *title;
	const char *heads[TABLE_COLUMNS];
	size_t (*row)(const struct judged *j, const struct trend *t, struct slice *cells);
} tables[] = {
	{ "Spread about the mean",
		{ "series", "verdict", "n", "min", "mean", "max", "lowest %", "highest %", "CV %", "robust %", "outliers",
			"missing" },
		spread_row },
	{ "Drift (Mann-Kendall, Sen), one change (Pettitt), all changes (E-divisive); corrected: for autocorrelation",
		{ "series", "lag-1 r", "n eff.", "rise %", "p", "corrected", "drift", "Pettitt", "p", "corrected", "E-div.",
			"changes" },
		movement_row },
	{ "Control chart, limits for so many points; what the worst run proves of all runs (95 % confidence)",
		{ "series", "center", "lower", "upper", "\xcf\x83", "beyond", "beyond 3\xcf\x83", "EWMA", "CUSUM", "worst",
			"no worse %" },
		control_row },
};

static void write_table(const struct judged *j, const struct table *t, struct buf *out)
{
	static const bool right[TABLE_COLUMNS] = { false, false, true, true, true, true, true, true, true, true, true, true };
	struct slice *cells = ARENA_ARRAY(&j->o->arena, (j->set.n + 1) * TABLE_COLUMNS, struct slice);
	size_t columns = 0;
	while (columns < TABLE_COLUMNS && t->heads[columns])
		columns++;
	for (size_t i = 0; i < j->set.n; i++) {
		cells[i * columns] = name_of(j, i);
		t->row(j, &j->trends[i], cells + i * columns + 1);
	}
	buf_printf(out, "%s\n\n", t->title);
	print_table(out, t->heads, cells, j->set.n, columns, right, terminal_width(stdout));
	buf_char(out, '\n');
}

static void write_paragraph(struct buf *out, const char *text)
{
	unsigned width = terminal_width(stdout);
	struct buf b = BUF_EMPTY;
	buf_printable(&b, slice_of(text));
	print_wrapped(out, buf_view(&b), 0, 2, width > 120 || width == 0 ? 120 : width);
	buf_char(out, '\n');
	buf_free(&b);
}

static void write_halts(const struct judged *j, struct buf *out)
{
	struct arena *a = &j->o->arena;
	for (size_t i = 0; i < j->set.n_jobs; i++) {
		const struct trend_jobs *jobs = &j->set.jobs[i];
		struct trend_gaps g = trend_halts(a, jobs);
		if (isnan(g.interval))
			continue;
		struct sheet s = { .a = a };
		put_time(&s, "at", g.at);
		const char *longest = arena_printf(a, "the longest interval is %.0f s, from %.*s", g.longest, SLICE_ARG(s.cells[0]));
		const char *who = jobs->subject.n ? arena_printf(a, "%.*s: ", SLICE_ARG(jobs->subject)) : "";
		write_paragraph(out, !g.known ?
			arena_printf(a, "%s%zu complete jobs, at no regular times: whether there was a halt can't be told from them.", who,
				jobs->n) :
			arena_printf(a, "%s%zu complete jobs, one every %.0f s: %s, %s.", who, jobs->n, g.interval, g.n == 0 ? "no halt" :
				arena_printf(a, "%zu halt%s (more than 1.5 intervals without a complete job)", g.n, g.n == 1 ? "" : "s"),
			longest));
	}
}

static void write_text(const struct judged *j, struct buf *out)
{
	struct arena *a = &j->o->arena;
	if (j->set.n == 0) {
		buf_printf(out, "No figure was measured more than once (%zu once).\n", j->set.single);
		return;
	}
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		write_table(j, &tables[i], out);
	for (size_t i = 0; i < j->set.n; i++)
		write_paragraph(out, arena_printf(a, "%.*s: %s", SLICE_ARG(name_of(j, i)), j->trends[i].sentence));
	write_halts(j, out);
}

/* ---- the command ---- */

static int exit_of(const struct judged *j, const struct load *l)
{
	bool damaged = l->damaged || (j->o->strict && l->dataset->diags.count[DIAG_WARNING]);
	size_t n[VERDICTS] = { 0 };
	for (size_t i = 0; i < j->set.n; i++)
		n[j->trends[i].verdict]++;
	if (isnan(j->rule.tolerance))
		return damaged ? EXIT_DAMAGED : EXIT_ALL_PASS;
	if (n[VERDICT_FAIL])
		return EXIT_SOME_FAIL;
	if (damaged)
		return EXIT_DAMAGED;
	return n[VERDICT_INCONCLUSIVE] || n[VERDICT_PASS] == 0 ? EXIT_NOT_SHOWN : EXIT_ALL_PASS;
}

static int judge(struct judged *j, struct load *load, struct arena *arena)
{
	struct options *o = j->o;
	const char *error;
	const struct selector *where = selector_parse(&o->arena, slice_of(o->where ? o->where : ""), &error), *baseline = NULL;
	if (!where)
		return usage_error("--where: %s", error);
	if (o->baseline && !(baseline = selector_parse(&o->arena, slice_of(o->baseline), &error)))
		return usage_error("--baseline: %s", error);
	int status = open_study(o);
	if (status >= 0)
		return status;
	if (o->study && isnan(j->rule.tolerance) && !o->study->evaluation.tolerance.missing)
		j->rule.tolerance = o->study->evaluation.tolerance.value / 100;
	if (!load_all(o, load, NULL, NULL))
		return EXIT_USAGE;
	j->set = trend_collect(arena, load->dataset, where, baseline);
	j->trends = ARENA_ARRAY(arena, j->set.n, struct trend);
	for (size_t i = 0; i < j->set.n; i++)
		j->trends[i] = trend_judge(arena, &j->rule, &j->set.series[i]);
	print_diags(o, &load->dataset->diags);
	return -1;
}

static int run(struct options *o)
{
	struct arena arena = ARENA_EMPTY;
	struct dataset d;
	struct load load = { .dataset = &d };
	struct judged j = { .o = o, .rule = { .tolerance = o->tolerance, .level = o->level > 0 ? o->level : LEVEL } };
	struct buf out = BUF_EMPTY;
	const char *name = o->format ? o->format : "table";
	const struct cell_format *format = cell_format_named(name);
	if (!format && strcmp(name, "table") != 0)
		return usage_error("--format %s: trends are written as table, csv, tsv, json or ndjson", name);
	dataset_init(&d, &arena);
	int status = judge(&j, &load, &arena);
	if (status < 0) {
		if (format)
			write_rows(&j, format, &out);
		else
			write_text(&j, &out);
		status = write_output(o, &out);
		if (status == EXIT_ALL_PASS)
			status = exit_of(&j, &load);
	}
	buf_free(&out);
	arena_free(&arena);
	return status;
}

const struct command command_trend = {
	.name = "trend",
	.summary = "spread, drift, outliers and change points of a long series of repeated runs",
	.usage = "[--study FILE] [--tolerance PERCENT] [--where SELECTOR] [--format FORMAT] [NAME=]PATH…",
	.help =
		"Takes each figure that was measured again and again (same subject, tool, test, metric, stat and params,\n"
		"whatever the job, run, iteration or rank) as a series in the order of time, and says in a sentence what it\n"
		"shows. With --tolerance, or that of a study, each series gets a verdict:\n"
		"  PASS            no run deviates from the mean by more than the tolerance\n"
		"  FAIL            a run does\n"
		"  INCONCLUSIVE    fewer than 10 runs, a mean of 0, or the rounding for print decides\n"
		"  NO-DATA         no value that counts\n"
		"Behind it: spread, outliers (modified z-score above 3.5), control limits made right for so many points, EWMA\n"
		"and CUSUM, Mann-Kendall and Sen's slope, Pettitt's change point, E-divisive's change points, corrected for\n"
		"autocorrelation and claimed at --level (default 99), and the share of runs that the worst one speaks for.\n"
		"Without --baseline the control charts go by the series itself, and nothing is claimed by EWMA and CUSUM.\n"
		"Formats: table (the default), csv, tsv, json, ndjson; in all but the table, places in a series count from 0.\n\n"
		"examples:\n"
		"  assay trend --tolerance 10% jobs/\n"
		"  assay trend --where 'metric=bandwidth test=write' --baseline 'job<1020' jobs/ --format csv\n"
		"  assay trend figures.tsv",
	.accepts = ACCEPTS_FORMAT | ACCEPTS_WHERE | ACCEPTS_OUTPUT | ACCEPTS_LEVEL | ACCEPTS_SUBJECT | ACCEPTS_TOLERANCE |
		ACCEPTS_BASELINE | ACCEPTS_STUDY,
	.run = run,
};
