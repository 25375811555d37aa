#include "model/steady.h"

#include "model/stats.h"

#include <math.h>

const struct steady_rule steady_snia = {
	.name = "SNIA PTS",
	.source = "SNIA Solid State Storage Performance Test Specification 2.0.2, definition of steady state",
	.window = 5, .range = 0.20, .rise = 0.10, .round_mean = -1, .round_slope = -1, .round_rise = -1,
};

const struct steady_rule steady_cloudharmony = {
	.name = "CloudHarmony",
	.source = "CloudHarmony block-storage suite: the SNIA rule, rounded to the decimals that it prints",
	.window = 5, .range = 0.20, .rise = 0.10, .round_mean = 3, .round_slope = 3, .round_rise = 1,
};

static const double SLACK = 1e-12;
static const double COVERAGE_MIN = 0.2;
static const double COLLAPSE_PACE = 0.5;
static const double BLOCK_MAX = 1e8;

static double rounded(double v, int decimals)
{
	if (decimals < 0)
		return v;
	double scale = pow(10, decimals);
	return round(v * scale) / scale;
}

static bool within(const struct steady_rule *rule, double measured, double allowed, double mean)
{
	double slack = SLACK * fabs(mean);
	return mean != 0 && (rule->strict ? measured < allowed - slack : measured <= allowed + slack);
}

struct steady_window steady_window(const struct steady_rule *rule, const double *y, size_t first, size_t n)
{
	struct steady_window w = { .first = first, .n = n, .block = 1, .min = n ? y[first] : NAN, .max = n ? y[first] : NAN };
	for (size_t i = first; i < first + n; i++) {
		w.min = fmin(w.min, y[i]);
		w.max = fmax(w.max, y[i]);
	}
	double mean = stats_mean(y + first, n), slope, at_zero;
	stats_line(y + first, n, &slope, &at_zero);
	w.mean = rounded(mean, rule->round_mean);
	w.slope = rounded(slope, rule->round_slope);
	w.intercept = rounded(at_zero - slope, rule->round_mean);
	w.data_excursion = w.max - w.min;
	w.data_allowed = rule->range * fabs(w.mean);
	w.slope_excursion = rounded(fabs(w.slope) * (double)(n ? n - 1 : 0), rule->round_rise);
	w.slope_allowed = rule->rise * fabs(w.mean);
	w.data_ok = within(rule, w.data_excursion, w.data_allowed, w.mean);
	w.slope_ok = within(rule, w.slope_excursion, w.slope_allowed, w.mean);
	w.steady = w.data_ok && w.slope_ok && n >= rule->window;
	return w;
}

/* The series as the judge sees it: values, and their sums from the start (about the mean, to keep their digits). */
struct view {
	const struct steady_rule *rule;
	const struct series *series;
	double *y, *sum;
	double *means; /* scratch for the blocks of one window */
	size_t n;
	size_t block; /* values per block of the least window: 1 for rounds */
	double mean;
};

/* Values in a block of the least length. */
static size_t least_block(const struct series *s)
{
	if (s->kind == SERIES_ROUNDS)
		return 1;
	double interval = s->interval;
	if (!(interval > 0) && s->n > 1)
		interval = (s->points[s->n - 1].t - s->points[0].t) / (double)(s->n - 1);
	if (!(interval > 0) || !isfinite(interval))
		return STEADY_BLOCK_SAMPLES;
	/* An interval of 0.1 s is 100 samples, not 101. */
	double values = ceil(STEADY_BLOCK_S / interval * (1 - SLACK));
	return (size_t)fmin(fmax(values, 1), BLOCK_MAX);
}

static struct view view_of(struct arena *a, const struct steady_rule *rule, const struct series *s)
{
	struct view v = { .rule = rule, .series = s, .n = s->n, .block = least_block(s) };
	v.y = ARENA_ARRAY(a, s->n, double);
	v.sum = ARENA_ARRAY(a, s->n + 1, double);
	v.means = ARENA_ARRAY(a, rule->window, double);
	for (size_t i = 0; i < s->n; i++)
		v.y[i] = s->points[i].value;
	v.mean = stats_mean(v.y, v.n);
	for (size_t i = 0; i < s->n; i++)
		v.sum[i + 1] = v.sum[i] + (v.y[i] - v.mean);
	return v;
}

/* The rule over blocks of `block` values from `first` on. */
static struct steady_window block_window(const struct view *v, size_t first, size_t block)
{
	size_t k = v->rule->window;
	if (block == 1)
		return steady_window(v->rule, v->y, first, k);
	for (size_t i = 0; i < k; i++)
		v->means[i] = v->mean + (v->sum[first + (i + 1) * block] - v->sum[first + i * block]) / (double)block;
	struct steady_window w = steady_window(v->rule, v->means, 0, k);
	w.first = first;
	w.n = k * block;
	w.block = block;
	return w;
}

/* Of the tails that pass, the one with the surest mean; else the shortest. The sum of squares about the mean of the
 * tail grows with it, value by value (Welford). */
static struct steady_window surest_tail(const struct view *v)
{
	size_t least = v->rule->window * v->block;
	struct steady_window best = block_window(v, v->n - least, v->block);
	double best_score = INFINITY, mean = 0, squares = 0;
	for (size_t length = 1; length <= v->n; length++) {
		double y = v->y[v->n - length] - v->mean, delta = y - mean;
		mean += delta / (double)length;
		squares += delta * (y - mean);
		double score = squares / ((double)length * (double)length);
		if (length < least || length % v->rule->window || score > best_score)
			continue;
		struct steady_window w = block_window(v, v->n - length, length / v->rule->window);
		if (w.steady) {
			best = w;
			best_score = score;
		}
	}
	return best;
}

static void find_passing(struct arena *a, const struct view *v, struct steady *out)
{
	size_t least = v->rule->window * v->block;
	out->passing = ARENA_ARRAY(a, (v->n - least) / v->block + 1, size_t);
	/* From the remainder on, so that the last window ends with the series. */
	for (size_t first = (v->n - least) % v->block; first + least <= v->n; first += v->block)
		if (block_window(v, first, v->block).steady)
			out->passing[out->n_passing++] = first;
}

/* "Rounds 16–20", "seconds 120–180" in the series' own count; "samples 1–50" where times are not known. */
static const char *span_text(struct arena *a, const struct series *s, size_t first, size_t n, bool opens_sentence)
{
	static const char *const words[][2] = { { "rounds", "Rounds" }, { "seconds", "Seconds" }, { "samples", "Samples" } };
	double from = s->points[first].t, to = s->points[first + n - 1].t;
	size_t word = s->kind == SERIES_SAMPLES;
	if (!(to > from)) {
		word = 2;
		from = (double)first + 1;
		to = (double)(first + n);
	}
	return arena_printf(a, "%s %.0f–%.0f", words[word][opens_sentence], from, to);
}

static const char *value_text(struct arena *a, const struct series *s, double value)
{
	char text[64];
	quantity_show(text, sizeof text, value, metric_get(s->metric)->unit, 3);
	return arena_printf(a, "%s", text);
}

static double first_mean(const struct view *v)
{
	return stats_mean(v->y, v->rule->window * v->block);
}

/* Whether the window goes with a fall or rise of the whole series. */
static bool collapses(const struct view *v, const struct steady_window *w)
{
	double slope, at_zero, pace = w->slope / (double)w->block;
	stats_line(v->y, v->n, &slope, &at_zero);
	return v->n > w->n && (v->y[v->n - 1] - first_mean(v)) * slope > 0 &&
	       fabs(slope) * (double)(v->n - 1) > v->rule->rise * fabs(w->mean) * (1 + SLACK) &&
	       pace * slope > 0 && fabs(pace) >= COLLAPSE_PACE * fabs(slope);
}

static void add_doubt(struct arena *a, struct steady *out, enum steady_doubt doubt, const char *sentence)
{
	out->doubts |= doubt;
	out->doubt_text = *out->doubt_text ? arena_printf(a, "%s %s", out->doubt_text, sentence) : sentence;
}

static void doubt_passing(struct arena *a, const struct view *v, struct steady *out)
{
	const struct steady_window *w = &out->last;
	const struct series *s = v->series;
	const char *span = span_text(a, s, w->first, w->n, true);
	if (collapses(v, w)) {
		double start = first_mean(v), end = v->y[v->n - 1];
		add_doubt(a, out, STEADY_COLLAPSE, arena_printf(a,
			"%s pass the rule while the whole series %s from %s to %s: a window inside a %s.", span,
			end < start ? "falls" : "rises", value_text(a, s, start), value_text(a, s, end),
			end < start ? "collapse" : "rise"));
	}
	if ((double)w->n < COVERAGE_MIN * (double)v->n * (1 - SLACK))
		add_doubt(a, out, STEADY_COVERAGE, arena_printf(a, "%s are only %.0f %% of the whole series.", span,
			100 * (double)w->n / (double)v->n));
}

static void doubt_failing(struct arena *a, const struct view *v, struct steady *out)
{
	if (out->n_passing == 0)
		return;
	const struct series *s = v->series;
	size_t least = v->rule->window * v->block;
	const char *passed = span_text(a, s, out->passing[out->n_passing - 1], least, true);
	const char *last = span_text(a, s, out->last.first, out->last.n, false);
	add_doubt(a, out, STEADY_LEFT, arena_printf(a, "%s passed the rule, but %s do not: steady state was left.",
		passed, last));
}

static void doubt_rounding(struct arena *a, const struct view *v, struct steady *out)
{
	const struct steady_window *w = &out->last;
	struct steady_rule exact = *v->rule;
	exact.round_mean = exact.round_slope = exact.round_rise = -1;
	struct view again = *v;
	again.rule = &exact;
	struct steady_window e = block_window(&again, w->first, w->block);
	if (e.steady == w->steady)
		return;
	add_doubt(a, out, STEADY_ROUNDING, arena_printf(a,
		"The rounding of the %s rule decides: without it the fitted rise is %.1f %% of the mean (allowed %.0f %%) and the "
		"range %.1f %% (allowed %.0f %%), which is %ssteady.", v->rule->name, 100 * e.slope_excursion / fabs(e.mean),
		100 * exact.rise, 100 * e.data_excursion / fabs(e.mean), 100 * exact.range, e.steady ? "" : "not "));
}

struct steady steady_judge(struct arena *a, const struct steady_rule *rule, const struct series *s)
{
	struct steady out = { .rule = rule, .doubt_text = "" };
	struct view v = view_of(a, rule, s);
	if (v.n / v.block < rule->window) {
		out.last = steady_window(rule, v.y, 0, v.n);
		out.last.steady = false;
		add_doubt(a, &out, STEADY_TOO_SHORT, s->kind == SERIES_ROUNDS
			? arena_printf(a, "Only %zu of the %zu rounds that the rule needs.", v.n, rule->window)
			: arena_printf(a, "Only %zu samples; the rule needs %zu blocks of %zu.", v.n, rule->window, v.block));
		return out;
	}
	find_passing(a, &v, &out);
	out.last = s->kind == SERIES_ROUNDS ? block_window(&v, v.n - rule->window, 1) : surest_tail(&v);
	out.steady = out.last.steady;
	if (out.steady)
		doubt_passing(a, &v, &out);
	else
		doubt_failing(a, &v, &out);
	doubt_rounding(a, &v, &out);
	return out;
}

struct fio_steady steady_fio(const double *y, size_t n, bool slope, double limit)
{
	struct fio_steady f = { .slope = slope, .limit = limit, .criterion = NAN, .drift = NAN };
	if (n < 2)
		return f;
	double mean = stats_mean(y, n), per_sample, at_zero, deviation = 0;
	stats_line(y, n, &per_sample, &at_zero);
	per_sample *= 100 / mean;
	for (size_t i = 0; i < n; i++)
		deviation = fmax(deviation, fabs(y[i] - mean));
	f.criterion = slope ? per_sample : 100 * deviation / mean;
	f.drift = (double)(n - 1) * per_sample;
	f.attained = fabs(f.criterion) < limit;
	return f;
}
