#include "model/over_time.h"

#include "base/num.h"

#include <math.h>

const struct over_time_stat over_time_stats[OVER_TIME_STATS] = { { 50, "p50", 1 }, { 99, "p99", 100 },
	{ 99.9, "p99.9", 1000 } };

double spread_value(const struct spread *s, double value)
{
	return value / round(1 / s->unit); /* a quotient is the double nearest to the decimal, a product need not be */
}

double over_time_value(const struct spread *s, size_t window, size_t stat)
{
	const struct hist_packed *h = &s->windows[window].hist;
	const struct over_time_stat *wanted = &over_time_stats[stat];
	if (h->n < wanted->ios || s->unit <= 0)
		return NAN;
	double value = hist_packed_percentile(h, wanted->percent);
	return hist_index((uint64_t)value) < s->open_end ? spread_value(s, value) : NAN;
}

static struct slice number_text(struct arena *a, double value)
{
	char text[NUM_FORMAT_SIZE] = "";
	return arena_copy(a, (struct slice){ text, num_format(text, value) });
}

bool over_time_result(struct arena *a, const struct run *run, const struct spread *s, size_t window, size_t stat,
	struct param params[OVER_TIME_PARAMS], struct result *out)
{
	const struct spread_window *w = &s->windows[window];
	double value = over_time_value(s, window, stat);
	if (isnan(value))
		return false;
	params[0] = (struct param){ .key = SLICE("op"), .value = s->op };
	params[1] = (struct param){ .key = SLICE("from"), .value = number_text(a, w->from) };
	params[2] = (struct param){ .key = SLICE("to"), .value = number_text(a, w->to) };
	params[3] = (struct param){ .key = SLICE("merged"), .value = arena_u64(a, s->merged) };
	*out = (struct result){ .metric = s->metric, .flags = RESULT_DERIVED, .stat = slice_of(over_time_stats[stat].stat),
		.job = run->n_jobs ? run->jobs[0] : NULL, .params = { params, s->merged ? 4 : 3 }, .n = w->hist.n,
		.time = run->started + w->from,
		.q = { .value = value, .unit = metric_get(s->metric)->unit, .half_digit = value / 128,
			.pos = { .source = run->source, .line = w->line, .column = w->line ? 1 : 0 } } };
	return true;
}

struct series over_time_series(struct arena *a, const struct run *run, const struct job *job, const struct spread *s,
	size_t stat)
{
	struct point *points = ARENA_ARRAY(a, s->n_windows, struct point);
	struct param *op = ARENA_NEW(a, struct param);
	size_t n = 0;
	for (size_t i = 0; i < s->n_windows; i++) {
		const struct spread_window *w = &s->windows[i];
		double value = over_time_value(s, i, stat);
		if (!isnan(value))
			points[n++] = (struct point){ .t = w->to, .value = value, .job = job,
				.pos = { .source = run->source, .line = w->line, .column = w->line ? 1 : 0 } };
	}
	*op = (struct param){ .key = SLICE("op"), .value = s->op };
	return (struct series){ .kind = SERIES_SAMPLES, .metric = s->metric, .test = job ? job->name : SLICE(""),
		.params = { op, 1 }, .stat = slice_of(over_time_stats[stat].stat), .points = points, .n = n,
		.interval = n > 1 ? (points[n - 1].t - points[0].t) / (double)(n - 1) : 0 };
}
