/* Subjects side by side: what all or several of them measured, with ratios to the first. */
#include "model/publish.h"
#include "report/document.h"

#include <math.h>
#include <stdio.h>

enum { ENTRIES_MAX = 400, ENTRIES_SHOWN = 30, PLACES = 6, PLACE_LETTERS = 78 };

/* One thing measured of each subject. */
struct entry {
	const char *label; /* "iops 4 KiB 0/100", "randread read" */
	const char *key;   /* what must be the same to be compared */
	enum metric_id metric;
	struct slice stat;
	double *sum; /* by subject */
	size_t *n;
	struct pos *pos;
	struct slice *printed;
	const char *how; /* params in which subjects may differ though the test is the same; the first's */
	bool differ;
	unsigned *marks;        /* RESULT_MARKS by subject */
	const struct result **result; /* by subject, the last; and its run */
	const struct run **run;
};

struct comparison {
	struct entry *v;
	size_t n, cap, left_out;
};

static struct entry *entry_of(struct document *d, struct comparison *c, const char *key, const char *label,
	enum metric_id metric, struct slice stat)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->v[i].metric == metric && slice_eq(c->v[i].stat, stat) && strcmp(c->v[i].key, key) == 0)
			return &c->v[i];
	if (c->n == ENTRIES_MAX) {
		c->left_out++;
		return NULL;
	}
	struct entry *e = ARENA_PUSH(d->arena, c->v, c->n, c->cap);
	*e = (struct entry){ .label = label,
		.key = key,
		.metric = metric,
		.stat = stat,
		.sum = ARENA_ARRAY(d->arena, d->n_subjects, double),
		.n = ARENA_ARRAY(d->arena, d->n_subjects, size_t),
		.pos = ARENA_ARRAY(d->arena, d->n_subjects, struct pos),
		.printed = ARENA_ARRAY(d->arena, d->n_subjects, struct slice),
		.marks = ARENA_ARRAY(d->arena, d->n_subjects, unsigned),
		.result = ARENA_ARRAY(d->arena, d->n_subjects, const struct result *),
		.run = ARENA_ARRAY(d->arena, d->n_subjects, const struct run *) };
	return e;
}

/* Whose figure that is, for the rules of its publication. */
static void attribute(struct entry *e, size_t subject, const struct run *run, const struct result *r)
{
	if (!e)
		return;
	e->marks[subject] |= r->flags & RESULT_MARKS;
	e->result[subject] = r;
	e->run[subject] = run;
}

static void add(struct entry *e, size_t subject, double value, struct pos pos, struct slice printed)
{
	if (!e || !isfinite(value))
		return;
	e->sum[subject] += value;
	e->printed[subject] = e->n[subject]++ ? SLICE_NONE : printed;
	e->pos[subject] = pos;
}

/* What makes the cells of a suite the same; queue depth, jobs and the rest are said to differ where they do. */
static const char *const of_test[] = { "bs", "mix", "op", "rw", "steady", NULL };

static void add_series(struct document *d, struct comparison *c, const struct run *r, size_t subject)
{
	for (size_t i = 0; i < r->n_series; i++) {
		const struct series *s = &r->series[i];
		if (s->kind != SERIES_ROUNDS || !s->n)
			continue;
		struct steady st = steady_judge(d->arena, d->report->rule ? d->report->rule : &steady_snia, s);
		const struct param *bs = params_find(s->params, "bs"), *mix = params_find(s->params, "mix");
		const char *params = show_params(d->arena, s->params, (struct params){ 0 }, NULL);
		const char *label = bs && mix ? arena_printf(d->arena, "%.*s %s %.*s", SLICE_ARG(s->test),
							show_size(d->arena, bs->value), SLICE_ARG(mix->value))
					      : arena_printf(d->arena, "%.*s %s", SLICE_ARG(s->test), params);
		const char *how = show_params(d->arena, s->params, (struct params){ 0 }, of_test);
		const char *key = arena_printf(d->arena, "%.*s\n%.*s\n%.*s\n%.*s", SLICE_ARG(r->tool),
			SLICE_ARG(s->test), bs ? (int)bs->value.n : 0, bs ? bs->value.p : "",
			mix ? (int)mix->value.n : 0, mix ? mix->value.p : "");
		struct entry *e = entry_of(d, c, key, label, s->metric, SLICE("window mean"));
		if (e && !e->how)
			e->how = how;
		if (e)
			e->differ |= strcmp(e->how, how) != 0;
		add(e, subject, st.last.mean, st.last.n ? s->points[st.last.first].pos : POS_NONE, SLICE_NONE);
	}
}

static bool is_headline(const struct run *run, const struct result *r)
{
	static const char *const stats[] = { "value", "mean", "median", "max", "p99" };
	if (metric_get(r->metric)->better == BETTER_NEITHER || r->q.missing ||
		r->flags & (RESULT_LOW_PRECISION | RESULT_DERIVED) || r->metric == METRIC_VALID ||
		r->metric == METRIC_CPU_UTIL || r->metric == METRIC_SUBMISSION_LATENCY)
		return false;
	bool lower = metric_get(r->metric)->better == BETTER_LOWER;
	/* Where a tool gives the figure itself, the spread of its intervals is no second one. */
	if (!slice_is(r->stat, "value") && run_find(run, r->job, r->metric, "value", NULL))
		return false;
	for (size_t i = 0; i < sizeof stats / sizeof *stats; i++)
		if (slice_is(r->stat, stats[i]))
			return !(slice_is(r->stat, "max") && lower) && !(slice_is(r->stat, "p99") && !lower);
	return false;
}

/* Where a thing was measured is not what was measured. */
static const char *const not_compared[] = { "host", "port", "device", "disk", "group", "job", "run", "iteration",
	"steady", "actual_mix", NULL };

static void add_results(struct document *d, struct comparison *c, const struct run *r, size_t subject)
{
	for (size_t i = 0; i < r->n_results; i++) {
		const struct result *k = &r->results[i];
		bool ruled = publish_ruled(r);
		if (!is_headline(r, k) || (ruled && !publish_counts(k)))
			continue;
		struct params inherited = k->job ? k->job->params : (struct params){ 0 };
		const char *params = show_params(d->arena, k->params, inherited, ruled ? publish_free_params : not_compared);
		const struct param *op = result_param(k, ruled && k->metric != METRIC_SCORE ? "tune" : "op");
		struct slice test = result_test(k);
		const char *label = arena_printf(d->arena, "%.*s%s%.*s", SLICE_ARG(test.n ? test : r->tool),
			op ? " " : "", op ? (int)op->value.n : 0, op ? op->value.p : "");
		const char *key = arena_printf(d->arena, "%.*s\n%.*s\n%s", SLICE_ARG(r->tool), SLICE_ARG(test), params);
		struct entry *e = entry_of(d, c, key, label, k->metric, k->stat);
		add(e, subject, k->q.value, k->q.pos, k->q.text);
		attribute(e, subject, r, k);
	}
}

static bool shared(const struct document *d, const struct entry *e)
{
	size_t have = 0;
	for (size_t i = 0; i < d->n_subjects; i++)
		have += e->n[i] > 0;
	return have > 1;
}

/* The params of an entry's key that stand in no other one's: ", 52 threads". */
static const char *only_params(struct document *d, const char *label, const char *key, const char *other)
{
	struct slice rest = slice_of(strrchr(key, '\n') + 1), word, name;
	while (slice_word(&rest, &word)) {
		struct slice theirs = slice_of(strrchr(other, '\n') + 1), its;
		bool both = false;
		while (!both && slice_word(&theirs, &its))
			both = slice_eq(its, word);
		if (!both && slice_cut(&word, '=', &name) && word.p)
			label = arena_printf(d->arena, "%s, %.*s %.*s", label, SLICE_ARG(word), SLICE_ARG(name));
	}
	return label;
}

/* Entries that would be called alike say in which params they differ. */
static void tell_apart(struct document *d, struct comparison *c)
{
	const char **label = ARENA_ARRAY(d->arena, c->n, const char *);
	for (size_t i = 0; i < c->n; i++) {
		const struct entry *e = &c->v[i];
		label[i] = e->label;
		for (size_t k = 0; k < c->n && label[i] == e->label; k++) {
			const struct entry *other = &c->v[k];
			bool alike = k != i && other->metric == e->metric && slice_eq(other->stat, e->stat) &&
				strcmp(other->label, e->label) == 0 && shared(d, other);
			if (alike && strchr(e->key, '\n') && strchr(other->key, '\n'))
				label[i] = only_params(d, e->label, e->key, other->key);
		}
	}
	for (size_t i = 0; i < c->n; i++)
		c->v[i].label = label[i];
}

static double value_of(const struct entry *e, size_t subject)
{
	return e->n[subject] ? e->sum[subject] / (double)e->n[subject] : NAN;
}

static const char *subject_title(struct document *d, size_t subject)
{
	return arena_string(d->arena, d->subjects[subject].n ? d->subjects[subject] : SLICE("unnamed"));
}

static size_t base_of(const struct document *d, const struct entry *e)
{
	for (size_t i = 0; i < d->n_subjects; i++)
		if (e->n[i])
			return i;
	return 0;
}

static struct figure entry_figure(struct document *d, const struct entry *e, size_t subject)
{
	bool mean = slice_is(e->stat, "window mean");
	struct figure f = { .value = value_of(e, subject),
		.unit = metric_get(e->metric)->unit,
		.pos = e->pos[subject],
		.printed = e->printed[subject] };
	f.basis = e->n[subject] == 1 && f.printed.n ? "printed" : "recomputed";
	f.marks = e->marks[subject];
	if (e->n[subject] > 1)
		f.how = arena_printf(d->arena, "mean over %zu runs", e->n[subject]);
	else if (mean)
		f.how = "mean of the measurement window";
	return f;
}

/* "good" and "bad" from a twentieth on; less is left to the reader. */
static const char *ratio_mark(const struct entry *e, double ratio)
{
	bool higher = metric_get(e->metric)->better == BETTER_HIGHER;
	double gain = higher ? ratio : ratio != 0 ? 1 / ratio : 1;
	return gain >= 1.05 ? "good" : gain <= 1 / 1.05 ? "bad" : NULL;
}

/* Which subjects have a figure among these; how many. */
static size_t having(struct document *d, const struct entry *const *v, size_t n, size_t *subjects)
{
	size_t found = 0;
	for (size_t i = 0; i < d->n_subjects; i++) {
		bool any = false;
		for (size_t k = 0; k < n; k++)
			any |= v[k]->n[i] > 0;
		if (any)
			subjects[found++] = i;
	}
	return found;
}

static void compare_row(struct document *d, const struct entry *e, const size_t *subjects, size_t n)
{
	size_t base = base_of(d, e);
	enum unit u = metric_get(e->metric)->unit;
	const char *stat = slice_is(e->stat, "value") ? "" : arena_printf(d->arena, ", %.*s", SLICE_ARG(e->stat));
	const char *metric = e->metric == METRIC_IOPS ? "IOPS" : metric_get(e->metric)->title;
	table_row(d);
	cell(d, e->differ ? "doubt" : NULL, e->label);
	cell(d, NULL,
		arena_printf(d->arena, "%s%s%s", metric, stat,
			metric_get(e->metric)->better == BETTER_LOWER ? " (lower is better)" : ""));
	for (size_t k = 0; k < n; k++) {
		size_t i = subjects[k];
		double v = value_of(e, i), ratio = v / value_of(e, base);
		if (!isfinite(v)) {
			cell_none(d);
			if (k)
				cell_none(d);
			continue;
		}
		struct figure f = entry_figure(d, e, i);
		cell_figure(d, NULL, &f, show(d->arena, v, u, 4));
		if (k == 0)
			continue;
		if (i == base || !isfinite(ratio)) {
			cell_none(d);
			continue;
		}
		struct figure r = { .value = ratio,
			.unit = UNIT_ONE,
			.basis = "recomputed",
			.how = arena_printf(d->arena, "divided by that of %.*s", SLICE_ARG(d->subjects[base])),
			.marks = e->marks[i] | e->marks[base] };
		cell_figure(d, ratio_mark(e, ratio), &r, show_ratio(d->arena, ratio));
	}
	row_end(d);
}

static void compare_table(struct document *d, const struct entry *const *v, size_t n, const char *caption)
{
	table_begin(d, caption);
	table_column(d, "text", "Test", NULL);
	table_column(d, "text", "Figure", NULL);
	size_t *subjects = ARENA_ARRAY(d->arena, d->n_subjects, size_t), used = having(d, v, n, subjects);
	for (size_t i = 0; i < used; i++) {
		table_column(d, "number", subject_title(d, subjects[i]), NULL);
		if (i)
			table_column(d, "number", "\xc3\x97 first", NULL);
	}
	for (size_t i = 0; i < n; i++)
		compare_row(d, v[i], subjects, used);
	table_end(d, "Ratios are to the first subject that has the figure. The check marks what is better by 5 % or "
		     "more, the cross "
		     "what is worse, each in the figure's own direction. The wave marks tests that were not run with "
		     "the same parameters "
		     "everywhere (queue depth, jobs, real mix).");
}

static const char *bars_title(struct document *d, const struct entry *e)
{
	size_t most = 0, least = 0;
	for (size_t i = 0; i < d->n_subjects; i++) {
		if (!e->n[most] || (e->n[i] && value_of(e, i) > value_of(e, most)))
			most = i;
		if (!e->n[least] || (e->n[i] && value_of(e, i) < value_of(e, least)))
			least = i;
	}
	double times = value_of(e, most) / value_of(e, least);
	const char *verb = metric_get(e->metric)->better == BETTER_LOWER ? "takes" : "does";
	if (!isfinite(times) || times < 1.02)
		return arena_printf(d->arena, "No difference worth the name in %s", e->label);
	return arena_printf(d->arena, "%.*s %s %.*f times as much as %.*s in %s", SLICE_ARG(d->subjects[most]), verb,
		times < 10 ? 2 : 0, times, SLICE_ARG(d->subjects[least]), e->label);
}

static bool compare_chart(
	struct document *d, const struct entry *const *all, size_t n_all, enum metric_id metric, size_t least)
{
	const struct entry *v[PLACES];
	size_t n = 0;
	double most = 0;
	for (size_t i = 0; i < n_all && n < PLACES; i++) {
		if (all[i]->metric != metric || (n && !slice_eq(all[i]->stat, v[0]->stat)))
			continue;
		v[n++] = all[i];
		for (size_t k = 0; k < d->n_subjects; k++)
			most = fmax(most, all[i]->n[k] ? value_of(all[i], k) : 0);
	}
	if (n < least || most <= 0)
		return false;
	struct scale scale = scale_of(d->arena, &most, 1, metric, 4);
	const char *name = metric == METRIC_IOPS ? "IOPS" : metric_get(metric)->title;
	struct chart *c = chart_new(d, bars_title(d, v[0]),
		arena_printf(d->arena, "%s, %.*s, by test and subject", name, SLICE_ARG(v[0]->stat)),
		arena_printf(d->arena, "Bar chart of %s for %zu tests and %zu subjects.", name, n, d->n_subjects));
	c->kind = CHART_BARS;
	scale = axis_scale(d->arena, most, scale);
	c->y_factor = scale.factor;
	c->y_unit = scale.unit;
	c->places = ARENA_ARRAY(d->arena, n, const char *);
	c->n_places = n;
	size_t *subjects = ARENA_ARRAY(d->arena, d->n_subjects, size_t), used = having(d, v, n, subjects);
	c->n_series = used < CHART_SERIES ? used : CHART_SERIES;
	for (size_t k = 0; k < c->n_series; k++) {
		double *x = ARENA_ARRAY(d->arena, n, double), *y = ARENA_ARRAY(d->arena, n, double);
		unsigned *marks = ARENA_ARRAY(d->arena, n, unsigned);
		for (size_t i = 0; i < n; i++) {
			x[i] = (double)i;
			y[i] = value_of(v[i], subjects[k]);
			marks[i] = v[i]->marks[subjects[k]];
			c->places[i] = short_label(d->arena, v[i]->label, PLACE_LETTERS / n);
		}
		c->series[k] = (struct chart_series){ .name = subject_title(d, subjects[k]),
			.style = (unsigned)(subjects[k] % CHART_SERIES) + 1,
			.x = x,
			.y = y,
			.n = n,
			.marks = marks };
	}
	chart_open(d, c);
	compare_table(d, v, n, "The bars' figures");
	chart_close(d);
	return true;
}

static const char *compare_finding(struct document *d, const struct entry *const *v, size_t n)
{
	size_t better = 0, worse = 0, pairs = 0;
	for (size_t i = 0; i < n; i++)
		for (size_t k = base_of(d, v[i]) + 1; k < d->n_subjects; k++) {
			double ratio = value_of(v[i], k) / value_of(v[i], base_of(d, v[i]));
			if (!isfinite(ratio))
				continue;
			const char *mark = ratio_mark(v[i], ratio);
			pairs++;
			better += mark && *mark == 'g';
			worse += mark && *mark == 'b';
		}
	return arena_printf(d->arena, "%zu %s with the first subject: %zu better, %zu worse, %zu within 5 %%.", pairs,
		pairs == 1 ? "comparison" : "comparisons", better, worse, pairs - better - worse);
}

static void collect(struct document *d, struct comparison *c)
{
	const struct dataset *data = d->report->data;
	for (size_t i = 0; i < data->n_runs; i++) {
		const struct run *r = data->runs[i];
		size_t subject = subject_id(d, r->subject) - 1;
		if (r->same_as)
			continue;
		add_series(d, c, r, subject);
		/* A suite's jobs are in its series; its derived results say the same. */
		if (!r->suite && !r->n_members)
			add_results(d, c, r, subject);
	}
}

/* Labels stand in charts, too: there an estimate, or somebody's word, is told by them. */
static void mark_labels(struct document *d, struct comparison *c)
{
	for (size_t i = 0; i < c->n; i++) {
		struct entry *e = &c->v[i];
		struct buf b = BUF_EMPTY;
		bool all = true;
		unsigned marks = 0;
		for (size_t k = 0; k < d->n_subjects; k++) {
			all &= e->marks[k] || !e->n[k];
			marks |= e->marks[k];
			if (e->marks[k])
				buf_printf(&b, "%s%s", b.n ? ", " : "", subject_title(d, k));
		}
		if (b.n)
			e->label = all ? arena_printf(d->arena, "%s%s", e->label, publish_marks(marks))
				       : arena_printf(d->arena, "%s (%s for %.*s)", e->label, publish_marks(marks) + 1, SLICE_ARG(buf_view(&b)));
		buf_free(&b);
	}
}

static void not_comparable_row(
	struct document *d, const struct entry *e, size_t at, const struct entry *base, const char *why)
{
	struct figure f = entry_figure(d, e, at), g = entry_figure(d, base, 0);
	table_row(d);
	cell(d, NULL, arena_printf(d->arena, "%s of %s", e->label, subject_title(d, at)));
	cell_figure(d, NULL, &f, show(d->arena, f.value, f.unit, 4));
	cell(d, NULL, arena_printf(d->arena, "%s of %s", base->label, subject_title(d, 0)));
	cell_figure(d, NULL, &g, show(d->arena, g.value, g.unit, 4));
	cell(d, "doubt", arena_printf(d->arena, "NOT-COMPARABLE: %s", why));
	row_end(d);
}

/* The metric of the first subject that is nearest to one that it lacks, and why they must not be compared. */
static const struct entry *obstacle(struct document *d, const struct comparison *c, const struct entry *e, size_t at,
	const char **why)
{
	const struct entry *found = NULL;
	for (size_t i = 0; i < c->n; i++) {
		const struct entry *b = &c->v[i];
		if (b->metric != METRIC_SCORE || !b->n[0] || !b->run[0])
			continue;
		const char *reason = publish_obstacle(d->arena, b->run[0], b->result[0], e->run[at], e->result[at]);
		bool same_tune = slice_eq(result_test(b->result[0]), result_test(e->result[at]));
		if (!reason || (found && !same_tune))
			continue;
		found = b;
		*why = reason;
	}
	return found;
}

/* Metrics that readers would set against each other, but that their owner's rules keep apart. */
static void write_obstacles(struct document *d, const struct comparison *c)
{
	bool open = false;
	const char *why = NULL;
	for (size_t k = 1; k < d->n_subjects; k++)
		for (size_t i = 0; i < c->n; i++) {
			const struct entry *e = &c->v[i];
			const struct entry *base = e->metric == METRIC_SCORE && e->n[k] && !e->n[0] && e->run[k]
				? obstacle(d, c, e, k, &why) : NULL;
			if (!base)
				continue;
			if (!open) {
				table_begin(d, "What must not be compared");
				table_column(d, "text", "Metric", NULL);
				table_column(d, "number", "Value", NULL);
				table_column(d, "text", "Other metric", NULL);
				table_column(d, "number", "Value", NULL);
				table_column(d, "text", "Verdict", NULL);
				open = true;
			}
			not_comparable_row(d, e, k, base, why);
		}
	if (open)
		table_end(d, NULL);
}

void write_comparison(struct document *d)
{
	static const enum metric_id charted[] = { METRIC_IOPS, METRIC_BANDWIDTH, METRIC_LATENCY, METRIC_RATE,
		METRIC_SCORE };
	struct comparison c = { 0 };
	bool any = false;
	collect(d, &c);
	tell_apart(d, &c);
	mark_labels(d, &c);
	const struct entry **v = ARENA_ARRAY(d->arena, c.n, const struct entry *);
	size_t n = 0;
	for (size_t i = 0; i < c.n; i++)
		if (shared(d, &c.v[i]))
			v[n++] = &c.v[i];
	elem(d, "section");
	attr(d, "id", "compare");
	attr(d, "kind", "comparison");
	elem_text(d, "title", "Side by side");
	if (!n) {
		elem_text(d, "finding",
			"The subjects share no figure that could be compared: other tests, block sizes or parameters.");
		write_obstacles(d, &c);
		elem_end(d);
		return;
	}
	elem_text(d, "finding", compare_finding(d, v, n));
	for (size_t i = 0; i < sizeof charted / sizeof *charted; i++)
		any |= compare_chart(d, v, n, charted[i], any ? 2 : 1);
	size_t shown = n < ENTRIES_SHOWN ? n : ENTRIES_SHOWN;
	compare_table(d, v, shown, "What more than one subject measured");
	if (shown < n) {
		elem(d, "fold");
		elem_text(d, "title", arena_printf(d->arena, "%zu further figures", n - shown));
		compare_table(d, v + shown, n - shown, "Further figures");
		elem_end(d);
	}
	write_obstacles(d, &c);
	elem_end(d);
}
