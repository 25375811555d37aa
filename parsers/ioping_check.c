#include "parsers/ioping_check.h"

#include <math.h>

/* What the arithmetic here may add to a number. */
#define SLACK (1 + 1e-9)

static void keep(struct arena *a, struct quantity *extreme, const struct quantity *time)
{
	*extreme = *time;
	extreme->text = arena_copy(a, time->text);
}

bool ioping_see_between(struct ioping_seen *s, uint64_t number, bool counts, double time)
{
	if (counts && (s->counted == 0 || time < s->fastest.value || time > s->slowest.value))
		return false;
	s->n++;
	s->last = number;
	s->counted += counts;
	return true;
}

void ioping_see(struct arena *a, struct ioping_seen *s, uint64_t number, bool counts, const struct quantity *time)
{
	s->n++;
	s->last = number;
	if (!counts)
		return;
	if (s->counted == 0 || time->value < s->fastest.value)
		keep(a, &s->fastest, time);
	if (s->counted == 0 || time->value > s->slowest.value)
		keep(a, &s->slowest, time);
	s->counted++;
}

struct check {
	struct arena *arena;
	ioping_says *says;
	void *ctx;
};

static const char *show(struct check *c, const struct quantity *q)
{
	return arena_printf(c->arena, "%.*s%s", SLICE_ARG(q->text), q->suffix ? q->suffix : "");
}

struct range {
	double low, high;
};

/* What a printed number may have been. */
static struct range printed(const struct quantity *q)
{
	return (struct range){ q->value - 2 * q->half_digit, q->value + 2 * q->half_digit };
}

static bool apart(struct range a, struct range b)
{
	return a.low > b.high * SLACK || b.low > a.high * SLACK;
}

static void suspect(struct check *c, struct result *result, const char *message)
{
	result->flags |= RESULT_SUSPECT;
	c->says(c->ctx, result->q.pos, message);
}

static void check_count(struct check *c, const struct ioping_stats *s, const struct ioping_seen *seen)
{
	if (!s->requests || seen->n == 0 || seen->n != seen->last)
		return;
	const struct quantity *q = &s->requests->q;
	struct range count = q->half_digit > 0.5 ? printed(q) : (struct range){ q->value, q->value };
	double n = (double)seen->counted;
	if (apart(count, (struct range){ n, n }))
		suspect(c, s->requests, arena_printf(c->arena, "%s are stated, but %.0f of the %.0f requests shown count",
			show(c, q), n, (double)seen->n));
}

/* A request and the extremes are printed by the same rule, so the same time is the same number. */
static void check_extremes(struct check *c, const struct ioping_stats *s, const struct ioping_seen *seen)
{
	bool all = s->requests && seen->n == seen->last && s->requests->q.value == (double)seen->counted;
	if (seen->counted == 0)
		return;
	if (all && s->max && s->max->q.value > seen->slowest.value && apart(printed(&s->max->q), printed(&seen->slowest)))
		suspect(c, s->max, arena_printf(c->arena, "the maximum is %s, but the slowest request took %s",
			show(c, &s->max->q), show(c, &seen->slowest)));
	if (all && s->min && s->min->q.value < seen->fastest.value && apart(printed(&s->min->q), printed(&seen->fastest)))
		suspect(c, s->min, arena_printf(c->arena, "the minimum is %s, but the fastest request took %s",
			show(c, &s->min->q), show(c, &seen->fastest)));
	if (s->max && seen->slowest.value > s->max->q.value * SLACK)
		suspect(c, s->max, arena_printf(c->arena, "the maximum %s is smaller than the request of %s",
			show(c, &s->max->q), show(c, &seen->slowest)));
	if (s->min && seen->fastest.value * SLACK < s->min->q.value)
		suspect(c, s->min, arena_printf(c->arena, "the minimum %s is larger than the request of %s",
			show(c, &s->min->q), show(c, &seen->fastest)));
}

static void check_rates(struct check *c, const struct ioping_stats *s)
{
	if (!s->iops)
		return;
	const struct quantity *iops = &s->iops->q;
	/* A fraction only ever stands before k, M or G: below a thousand ioping prints whole numbers. */
	if (iops->half_digit > 0 && iops->half_digit < 0.5 && slice_find(iops->text, SLICE(" iops")) != (size_t)-1)
		suspect(c, s->iops, arena_printf(c->arena, "%s: no version of ioping prints a fraction here",
			show(c, iops)));
	if (s->mean) {
		struct range mean = printed(&s->mean->q);
		struct range rate = { 1 / mean.high, mean.low > 0 ? 1 / mean.low : INFINITY };
		if (mean.high > 0 && apart(rate, printed(iops)))
			suspect(c, s->iops, arena_printf(c->arena, "%s do not follow from the mean of %s: that makes %.6g",
				show(c, iops), show(c, &s->mean->q), 1 / s->mean->q.value));
	}
	if (s->bandwidth && s->size > 0) {
		struct range rate = printed(iops);
		rate = (struct range){ rate.low * s->size, rate.high * s->size };
		if (apart(rate, printed(&s->bandwidth->q)))
			suspect(c, s->bandwidth, arena_printf(c->arena, "%s do not follow from %s of %.0f bytes: that makes %.6g B/s",
				show(c, &s->bandwidth->q), show(c, iops), s->size, iops->value * s->size));
	}
}

/* A rate against what was done in the time. */
static void check_over_time(struct check *c, struct result *rate, const struct quantity *done,
	const struct quantity *time, const char *unit)
{
	struct range amount = printed(done), seconds = printed(time);
	if (!rate || seconds.low <= 0)
		return;
	struct range over = { amount.low / seconds.high, amount.high / seconds.low };
	if (apart(over, printed(&rate->q)))
		suspect(c, rate, arena_printf(c->arena, "%s do not follow from %s in %s: that makes %.6g%s", 
			show(c, &rate->q), show(c, done), show(c, time), done->value / time->value, unit));
}

void ioping_check(struct arena *a, const struct ioping_stats *stats, const struct ioping_seen *seen, ioping_says *says,
	void *ctx)
{
	struct check c = { a, says, ctx };
	check_count(&c, stats, seen);
	check_extremes(&c, stats, seen);
	check_rates(&c, stats);
	if (stats->requests && stats->time.value > 0 && stats->amount.value > 0) {
		check_over_time(&c, stats->iops, &stats->requests->q, &stats->time, " iops");
		check_over_time(&c, stats->bandwidth, &stats->amount, &stats->time, " B/s");
	}
}
