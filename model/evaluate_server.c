/* Server statistics against their limits. */
#include "model/evaluate_parts.h"

#include "model/columns.h"

#include <math.h>
#include <stdlib.h>

/* Samples that are missing for longer than so many intervals are a gap. One interval is lost wherever one file ends and
 * the next begins, as at midnight. */
static const double GAP = 2.5;

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

/* The times of all samples of a statistic, in order. */
struct samples {
	double *t;
	size_t n, cap;
	double interval; /* the usual one; NAN */
	bool untimed;    /* some say no time */
	bool assumed;    /* of a clock whose zone is not printed */
};

/* `iface` empty: of any. */
static struct samples samples_of(struct evaluator *e, const struct server_statistic *s, struct slice host,
	struct slice iface)
{
	struct samples out = { .interval = NAN };
	for (size_t i = 0; i < e->d->n_runs; i++) {
		const struct run *run = e->d->runs[i];
		bool wanted = server_run(run, host) && slice_eq(run->subject, e->subject) && !server_told_better(e->d, run);
		for (size_t k = 0; k < run->n_series && wanted; k++) {
			const struct series *series = &run->series[k];
			if (!server_is(s, series->metric, series->test, series->params) ||
			    (iface.n && !slice_eq(params_find(series->params, s->each)->value, iface)))
				continue;
			out.assumed |= params_find(run->attrs, "clock") != NULL;
			out.untimed |= series->untimed || isnan(run->started);
			for (size_t p = 0; p < series->n && !out.untimed; p++)
				*ARENA_PUSH(e->a, out.t, out.n, out.cap) = run->started + series->points[p].t;
		}
	}
	if (out.n > 1)
		qsort(out.t, out.n, sizeof *out.t, by_value);
	double *between = ARENA_ARRAY(e->a, out.n + 1, double);
	size_t n = 0;
	for (size_t i = 1; i < out.n; i++)
		if (out.t[i] > out.t[i - 1])
			between[n++] = out.t[i] - out.t[i - 1];
	if (n > 1)
		qsort(between, n, sizeof *between, by_value);
	out.interval = n ? between[n / 2] : NAN;
	return out;
}

/* The longest stretch without samples while jobs ran; false: there is none longer than allowed. */
static bool find_gap(const struct evaluator *e, const struct samples *s, double *from, double *to)
{
	double first = e->jobs->started[0], last = e->jobs->started[e->jobs->n - 1], allowed = GAP * s->interval, at = first;
	*from = *to = 0;
	for (size_t i = 0; i <= s->n; i++) {
		double next = i < s->n ? fmin(s->t[i], last) : last;
		if (next - at > *to - *from) {
			*from = at;
			*to = next;
		}
		at = fmax(at, next);
	}
	return *to - *from > allowed;
}

/* What is wrong with the samples' times; NULL: nothing. */
static const char *coverage_problem(struct evaluator *e, const struct server_statistic *s, struct slice host,
	struct slice iface)
{
	struct samples samples = samples_of(e, s, host, iface);
	double from, to;
	if (!e->jobs || e->jobs->n < 2)
		return NULL;
	if (samples.untimed || samples.n < 2)
		return "its samples tell no times, so that they may be of other times than the jobs";
	if (!find_gap(e, &samples, &from, &to))
		return NULL;
	double all = e->jobs->started[e->jobs->n - 1] - e->jobs->started[0];
	const char *clock = samples.assumed ? "; the statistics print no zone of their clock, which is taken as UTC" : "";
	return arena_printf(e->a, "no sample counts from %s on for %s, while jobs ran (%.0f %% of their time)%s",
		evaluation_when(e->a, from), evaluation_span(e->a, to - from), fmax(1, 100 * (to - from) / all), clock);
}

/* When the samples of a run end. */
static double end_of(const struct run *run)
{
	double end = run->started;
	for (size_t i = 0; i < run->n_series; i++)
		if (run->series[i].n)
			end = fmax(end, run->started + run->series[i].points[run->series[i].n - 1].t);
	return end;
}

static double faults_of(const struct run *run, const struct server_statistic *s, struct slice iface)
{
	for (size_t i = 0; i < run->n_results; i++) {
		const struct result *r = &run->results[i];
		if (r->metric == METRIC_ERRORS && server_is(s, METRIC_BANDWIDTH, result_test(r), r->params) &&
		    slice_eq(params_find(r->params, s->each)->value, iface))
			return r->q.value;
	}
	return 0;
}

/* Samples above the line rate. Files of one host and time tell of the same samples: they count once. */
static double count_faults(const struct evaluator *e, const struct server_statistic *s, struct slice host,
	struct slice iface)
{
	struct seen { const struct run *run; double from, to; } *v = NULL;
	double n = 0;
	size_t n_seen = 0, cap = 0;
	for (size_t i = 0; i < e->d->n_runs; i++) {
		const struct run *run = e->d->runs[i];
		bool wanted = server_run(run, host) && slice_eq(run->subject, e->subject) && !server_told_better(e->d, run);
		bool again = false;
		double faults = wanted ? faults_of(run, s, iface) : 0, from = run->started, to = faults > 0 ? end_of(run) : NAN;
		if (!(faults > 0))
			continue;
		for (size_t k = 0; k < n_seen && !again; k++)
			again = slice_eq(server_host(v[k].run), server_host(run)) && from < v[k].to && v[k].from < to;
		if (!again)
			n += faults;
		*ARENA_PUSH(e->a, v, n_seen, cap) = (struct seen){ run, from, to };
	}
	return n;
}

static const char *interface_title(struct evaluator *e, struct slice iface)
{
	const struct study_interface *i = study_interface(study_subject(e->study, e->subject), iface);
	return i && i->title.n ? arena_printf(e->a, "%.*s (%.*s)", SLICE_ARG(i->title), SLICE_ARG(iface)) :
		arena_string(e->a, iface);
}

static bool holds(const struct evaluation_row *r)
{
	return r->op == OP_LT ? r->value < r->limit : r->op == OP_LE ? r->value <= r->limit : r->op == OP_GT ?
		r->value > r->limit : r->value >= r->limit;
}

/* "At most 5.2 GiB/s, at … (allowed: 5.5 GiB/s), 89 % of the line rate of 50 Gb/s" */
static void say_statistic(struct evaluator *e, struct evaluation_row *r, const struct server_extreme *x, bool least)
{
	const struct study_interface *i = study_interface(study_subject(e->study, e->subject), x->each);
	const struct param *host = params_find(x->run->attrs, "host"), *column = result_param(x->result, "column");
	const char *when = evaluation_when(e->a, r->time);
	struct buf b = BUF_EMPTY;
	buf_printf(&b, "%s %s%s%s", least ? "At least" : "At most", evaluation_value(e->a, r->value, r->unit),
		*when ? ", at " : "", when);
	if (x->hosts > 1 && host)
		buf_printf(&b, " on %.*s (of %zu hosts)", SLICE_ARG(host->value), x->hosts);
	buf_printf(&b, " (%s: %s%s)", least ? "wanted" : "allowed",
		r->op == OP_LT ? "less than " : r->op == OP_GT ? "more than " : "", evaluation_limit(e->a, r));
	if (x->each.n && i && !i->line_rate.missing) {
		double used = 100 * r->value / i->line_rate.value;
		const char *part = used < 0.1 ? "next to nothing" : arena_printf(e->a, "%.*f %%", used < 10, used);
		buf_printf(&b, ", %s of the line rate of %.*s", part, SLICE_ARG(i->line_rate.text));
	}
	if (column && slice_is(column->value, "sys"))
		buf_str(&b, "; the time in interrupts is not in this column");
	r->sentence = arena_string(e->a, buf_view(&b));
	buf_free(&b);
}

/* What remains open though the limit holds for the samples that there are. */
static void weigh(struct evaluator *e, struct evaluation_row *r, const struct server_statistic *s,
	const struct server_extreme *x, struct slice host)
{
	double faults = s->each ? count_faults(e, s, host, x->each) : 0;
	const char *gap = coverage_problem(e, s, host, faults > 0 ? SLICE("") : x->each);
	const struct study_interface *i = study_interface(study_subject(e->study, e->subject), x->each);
	bool open = faults > 0 && (!i || i->line_rate.missing || i->line_rate.value > r->limit);
	if (faults > 0)
		r->sentence = arena_printf(e->a, "%s; %.0f sample%s above the line rate %s left out: a fault of the counter",
			r->sentence, faults, faults == 1 ? "" : "s", faults == 1 ? "is" : "are");
	if (gap)
		r->sentence = arena_printf(e->a, "%s; but %s", r->sentence, gap);
	if (r->verdict == VERDICT_PASS && (gap || open))
		r->verdict = VERDICT_INCONCLUSIVE;
	if (r->verdict == VERDICT_INCONCLUSIVE)
		r->advice = gap ? "Statistics of the whole time would settle it." :
			"What was carried in the faulty samples, by the switch's counters or those of the other end, would settle it.";
	r->sentence = arena_printf(e->a, "%s.", r->sentence);
}

/* A row with its limit. */
static struct evaluation_row *new_row(struct evaluator *e, const struct study_limit *l, struct slice iface)
{
	const struct server_statistic *s = server_statistic(l->statistic);
	struct evaluation_row *r = evaluation_row(e, EVALUATION_STATISTIC, iface.n ?
		arena_printf(e->a, "%s, %s", s->title, interface_title(e, iface)) : s->title);
	r->metric = s->metric;
	r->unit = metric_get(s->metric)->unit;
	r->op = l->op;
	r->limit = l->limit.value;
	r->limit_text = l->limit;
	return r;
}

static void judge_extreme(struct evaluator *e, const struct study_limit *l, const struct server_extreme *x,
	struct slice host)
{
	const struct server_statistic *s = server_statistic(l->statistic);
	struct evaluation_row *r = new_row(e, l, x->each);
	r->value = x->result->q.value;
	r->evidence = x->result->q;
	r->how = x->result->flags & RESULT_DERIVED ? "sum over all disks at one time" : NULL;
	r->time = result_time(x->run, x->result);
	r->verdict = holds(r) ? VERDICT_PASS : VERDICT_FAIL;
	say_statistic(e, r, x, s->least);
	weigh(e, r, s, x, host);
}

/* 0: the limit is not for this interface; else the more the closer. */
static int closeness(const struct study_limit *l, struct slice iface)
{
	if (slice_eq(l->iface, iface))
		return 3;
	if (!l->iface.n)
		return slice_is(iface, "lo") ? 0 : 1;
	return slice_glob(iface, l->iface) ? 2 : 0;
}

static bool is_closest(const struct study_evaluation *s, const struct study_limit *l, struct slice iface)
{
	int own = closeness(l, iface);
	for (size_t i = 0; i < s->n_limits; i++) {
		const struct study_limit *other = &s->limits[i];
		int its = other->statistic == l->statistic ? closeness(other, iface) : 0;
		if (its > own || (its == own && other < l))
			return false;
	}
	return own > 0;
}

/* An interface without a sample that counts: all are above its line rate. Returns how many there are. */
static size_t judge_faulty(struct evaluator *e, const struct study_limit *l, const struct server_extreme *v, size_t n,
	struct slice host)
{
	const struct server_statistic *s = server_statistic(l->statistic);
	struct slice *seen = NULL;
	size_t n_seen = 0, cap = 0;
	for (size_t i = 0; i < e->d->n_runs; i++) {
		const struct run *run = e->d->runs[i];
		for (size_t k = 0; k < run->n_results && server_run(run, host) && slice_eq(run->subject, e->subject); k++) {
			const struct result *r = &run->results[k];
			if (r->metric != METRIC_ERRORS || !server_is(s, METRIC_BANDWIDTH, result_test(r), r->params))
				continue;
			struct slice iface = params_find(r->params, s->each)->value;
			bool known = !is_closest(&e->study->evaluation, l, iface);
			for (size_t m = 0; m < n && !known; m++)
				known = slice_eq(v[m].each, iface);
			for (size_t m = 0; m < n_seen && !known; m++)
				known = slice_eq(seen[m], iface);
			if (known)
				continue;
			*ARENA_PUSH(e->a, seen, n_seen, cap) = iface;
			struct evaluation_row *row = new_row(e, l, iface);
			row->verdict = VERDICT_INCONCLUSIVE;
			row->sentence = "All samples are above its line rate: a fault of the counter.";
			row->advice = "The switch's counters, or those of the other end, would settle it.";
		}
	}
	return n_seen;
}

/* Whether a limit for all interfaces is for this one: not where another limit is closer, and not where it carried
 * nothing at all, unless none of them did. */
static bool is_judged(const struct study_evaluation *s, const struct study_limit *l, const struct server_extreme *x,
	bool any_used)
{
	return !x->each.n || (is_closest(s, l, x->each) && (l->iface.n || !any_used || x->result->q.value > 0));
}

void evaluate_statistics(struct evaluator *e)
{
	const struct study_evaluation *s = &e->study->evaluation;
	const struct study_subject *subject = study_subject(e->study, e->subject);
	struct slice host = subject ? subject->server : SLICE("");
	for (size_t i = 0; i < s->n_limits; i++) {
		const struct study_limit *l = &s->limits[i];
		size_t n, concerned = 0;
		bool used = false;
		struct server_extreme *v = server_extremes(e->a, e->d, l->statistic, host, &n);
		for (size_t k = 0; k < n; k++) {
			if (slice_eq(v[k].subject, e->subject) && (!v[k].each.n || closeness(l, v[k].each)))
				v[concerned++] = v[k];
			used |= concerned && v[concerned - 1].result->q.value > 0;
		}
		for (size_t k = 0; k < concerned; k++)
			if (is_judged(s, l, &v[k], used))
				judge_extreme(e, l, &v[k], host);
		if (judge_faulty(e, l, v, concerned, host) + concerned == 0)
			new_row(e, l, l->iface)->sentence = "No statistics of a server in the input tell it.";
	}
}
