/* A network test's printed figures against its samples and each other. */
#include "base/num.h"
#include "model/stats.h"
#include "parsers/cloudharmony_net.h"

#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

static double median(const double *sorted, size_t n)
{
	return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
}

/* Up to half a unit of its last digit and the noise of binary fractions that PHP prints in full. */
static bool agrees(const struct net_figure *f, double lo, double hi)
{
	double slack = 1.001 * f->q.half_digit + 1e-9 * fabs(f->q.value);
	return f->q.value >= lo - slack && f->q.value <= hi + slack;
}

static void contradict(struct cloudharmony_net *net, struct net_figure *f, double recomputed, double factor)
{
	f->suspect = true;
	parse_diag(net->parse, DIAG_WARNING, f->q.text.p, "%s %.*s is not the %s of the samples in metrics, %.6g", f->key,
		SLICE_ARG(f->q.text), f->stat, recomputed / factor);
}

static void check_moments(struct cloudharmony_net *net, struct net_figure figures[NET_FIGURES], const double *sorted,
	size_t n, double factor)
{
	const double recomputed[] = {
		[NET_MEDIAN] = median(sorted, n),
		[NET_MEAN] = stats_mean(sorted, n),
		[NET_MIN] = sorted[0],
		[NET_MAX] = sorted[n - 1],
		[NET_SD] = stats_sd(sorted, n),
	};
	for (size_t i = 0; i < sizeof recomputed / sizeof *recomputed; i++)
		if (figures[i].printed && !isnan(recomputed[i]) && !agrees(&figures[i], recomputed[i], recomputed[i]))
			contradict(net, &figures[i], recomputed[i], factor);
}

/* Definitions of a percentile differ by a rank or two at most. */
static void check_percentiles(struct cloudharmony_net *net, struct net_figure figures[NET_FIGURES], const double *sorted,
	size_t n, double factor)
{
	for (int i = NET_P10; i <= NET_P90; i++) {
		double rank = figures[i].share * (double)n;
		size_t lo = rank > 3 ? (size_t)rank - 2 : 0, hi = (size_t)rank + 2 < n ? (size_t)rank + 2 : n - 1;
		if (figures[i].printed && !agrees(&figures[i], sorted[lo], sorted[hi]))
			contradict(net, &figures[i], sorted[(size_t)rank < n ? (size_t)rank : n - 1], factor);
	}
}

/* The suite divides by the median, though the rest of the world divides by the mean. */
static void check_relative(struct cloudharmony_net *net, const struct net_test *t,
	const struct net_figure figures[NET_FIGURES])
{
	const struct net_field *f = net_find(t, "metric_rstdev");
	const struct quantity *sd = &figures[NET_SD].q, *by = &figures[NET_MEDIAN].q;
	double printed, half;
	if (!f || !figures[NET_SD].printed || !figures[NET_MEDIAN].printed || by->value <= 0
		|| num_printed(f->value, 1, &printed, &half) != NUM_OK)
		return;
	double expected = 100 * sd->value / by->value;
	double slack = half + expected * (by->half_digit / by->value) + 100 * sd->half_digit / by->value;
	if (fabs(printed - expected) > 1.001 * slack + 1e-9 * expected)
		parse_diag(net->parse, DIAG_WARNING, f->at, "metric_rstdev %.*s is not metric_stdev %.*s by the median %.*s, %.6g %%",
			SLICE_ARG(f->value), SLICE_ARG(sd->text), SLICE_ARG(by->text), expected);
}

/* The ends of the percentiles, without samples to hold them against. */
static void check_order(struct cloudharmony_net *net, const struct net_figure figures[NET_FIGURES])
{
	static const enum net_which rising[] = { NET_MIN, NET_P10, NET_P25, NET_MEDIAN, NET_P75, NET_P90, NET_MAX };
	const struct net_figure *before = NULL;
	for (size_t i = 0; i < sizeof rising / sizeof *rising; i++) {
		const struct net_figure *f = &figures[rising[i]];
		if (!f->printed)
			continue;
		if (before && f->q.value < before->q.value - 1.001 * (f->q.half_digit + before->q.half_digit)) {
			parse_diag(net->parse, DIAG_WARNING, f->q.text.p, "%s %.*s is the %s, but less than the %s, %s %.*s", f->key,
				SLICE_ARG(f->q.text), f->stat, before->stat, before->key, SLICE_ARG(before->q.text));
			return;
		}
		before = f;
	}
}

/* The suite's rate is the median thread's, times the number of threads. */
static void check_clock(struct cloudharmony_net *net, const struct net_figure figures[NET_FIGURES])
{
	const struct quantity *clock = &figures[NET_TIMED].q, *rate = &figures[NET_MEDIAN].q;
	if (!figures[NET_TIMED].printed || !figures[NET_MEDIAN].printed || rate->unit != clock->unit || clock->value <= 0
		|| fabs(rate->value - clock->value) <= 0.1 * clock->value)
		return;
	parse_diag(net->parse, DIAG_WARNING, rate->text.p, "the median of %.*s Mb/s is %.3g %% %s than what was transferred by "
		"the clock, metric_timed %.*s Mb/s", SLICE_ARG(rate->text), 100 * fabs(rate->value - clock->value) / clock->value,
		rate->value > clock->value ? "more" : "less", SLICE_ARG(clock->text));
}

static void check_samples(struct cloudharmony_net *net, const struct net_test *t, struct net_figure figures[NET_FIGURES],
	const double *samples, size_t n, double factor)
{
	const struct net_field *said = net_find(t, "samples");
	double *sorted = ARENA_ARRAY(net->parse->arena, n, double);
	uint64_t count;
	if (said && num_u64(said->value, &count) == NUM_OK && count != n)
		parse_diag(net->parse, DIAG_WARNING, said->at, "samples=%.*s, but metrics has %zu", SLICE_ARG(said->value), n);
	memcpy(sorted, samples, n * sizeof *sorted);
	qsort(sorted, n, sizeof *sorted, by_value);
	check_moments(net, figures, sorted, n, factor);
	check_percentiles(net, figures, sorted, n, factor);
}

void net_check(struct cloudharmony_net *net, const struct net_test *t, struct net_figure figures[NET_FIGURES],
	const double *samples, size_t n, double factor)
{
	/* What was discarded before the figures were computed is still in the list. */
	if (n && !net->trimmed)
		check_samples(net, t, figures, samples, n, factor);
	else
		check_order(net, figures);
	check_relative(net, t, figures);
	check_clock(net, figures);
}
