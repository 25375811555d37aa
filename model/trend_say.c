/* What a series shows, in a sentence. */
#include "model/trend_parts.h"

#include <math.h>
#include <stdio.h>

static void percent(struct buf *b, double share, const char *sign)
{
	double p = 100 * fabs(share);
	buf_printf(b, "%s%.*f %%", share < 0 ? "\xe2\x88\x92" : sign, p >= 99.95 ? 0 : p >= 0.095 || p == 0 ? 1 : 2, p);
}

static void quantity(struct buf *b, double value, enum unit unit)
{
	char text[48];
	quantity_show(text, sizeof text, value, unit, 4);
	buf_str(b, text);
}

/* "168 runs", "90 values of 30 runs" */
static void values(struct buf *b, const struct trend *t)
{
	if (t->series->runs == t->series->n)
		buf_printf(b, "%zu run%s", t->series->n, t->series->n == 1 ? "" : "s");
	else
		buf_printf(b, "%zu values of %zu run%s", t->series->n, t->series->runs, t->series->runs == 1 ? "" : "s");
}

/* "run 91 (nfs.o1181:41)" */
static void place(struct buf *b, const struct trend *t, size_t i)
{
	const struct trend_point *p = &t->series->points[i];
	const struct pos *pos = &p->result->q.pos;
	const struct source *source = pos->source ? pos->source : p->run->source;
	buf_printf(b, "%s %zu", t->series->runs == t->series->n ? "run" : "value", i + 1);
	if (source)
		buf_printf(b, pos->line ? " (%s:%u)" : " (%s)", source->name, pos->line);
}

static void p_value(struct buf *b, double p)
{
	if (p < 0.001)
		buf_str(b, "p < 0.001");
	else
		buf_printf(b, p < 0.01 ? "p = %.4f" : "p = %.2f", p);
}

/* The tolerance comes first. */
static void say_verdict(struct buf *b, const struct trend_rule *rule, const struct trend *t)
{
	const struct trend_spread *s = &t->spread;
	double limit = 100 * rule->tolerance;
	buf_printf(b, "%s: ", verdict_name(t->verdict));
	if (isnan(s->lowest))
		buf_str(b, "the mean is 0, from which no share can deviate");
	else if (t->verdict == VERDICT_FAIL) {
		buf_printf(b, "%zu of ", s->beyond.n);
		values(b, t);
		buf_printf(b, " deviate%s by more than %g %% from the mean of ", s->beyond.n == 1 ? "s" : "", limit);
		quantity(b, s->mean, t->series->unit);
		buf_str(b, ", most of all ");
		place(b, t, s->worst);
		buf_str(b, " with ");
		percent(b, s->highest > -s->lowest ? s->highest : s->lowest, "+");
	} else {
		bool few = t->series->n < TREND_MIN;
		buf_str(b, t->verdict == VERDICT_PASS || few ? "all " : "the ");
		values(b, t);
		buf_printf(b, " lie within %g %% of their mean of ", limit);
		quantity(b, s->mean, t->series->unit);
		buf_str(b, " (");
		percent(b, s->lowest, "+");
		buf_str(b, " \xe2\x80\xa6 ");
		percent(b, s->highest, "+");
		buf_str(b, ")");
		if (t->verdict == VERDICT_INCONCLUSIVE && few)
			buf_printf(b, ", but fewer than %d prove little", TREND_MIN);
		else if (t->verdict == VERDICT_INCONCLUSIVE)
			buf_str(b, " or not: rounding for print decides");
	}
}

static void say_spread(struct buf *b, const struct trend *t)
{
	const struct trend_spread *s = &t->spread;
	values(b, t);
	buf_str(b, ", mean ");
	quantity(b, s->mean, t->series->unit);
	if (isnan(s->lowest))
		return;
	buf_str(b, ", all within ");
	percent(b, s->lowest, "+");
	buf_str(b, " \xe2\x80\xa6 ");
	percent(b, s->highest, "+");
	buf_str(b, " of it");
}

static const double WIDER = 2; /* what is a change of spread */

/* A change of the level, or of the spread about it. */
static void say_change(struct buf *b, const struct trend *t, const struct trend_division *c)
{
	double more = fmax(c->sd_before, c->sd_after), less = fmin(c->sd_before, c->sd_after);
	if (more > WIDER * less && fabs(c->after - c->before) < more) {
		buf_printf(b, "; spreads %s, with a standard deviation of ", c->sd_after > c->sd_before ? "more" : "less");
		quantity(b, c->sd_after, t->series->unit);
		buf_str(b, " after ");
		quantity(b, c->sd_before, t->series->unit);
	} else {
		buf_printf(b, "; steps %s ", c->after < c->before ? "down" : "up");
		if (c->before != 0) {
			buf_str(b, "by ");
			percent(b, fabs(c->after / c->before - 1), "");
		} else {
			buf_str(b, "from 0 to ");
			quantity(b, c->after, t->series->unit);
		}
	}
	buf_str(b, " at ");
	place(b, t, c->tau);
	buf_str(b, " (");
	p_value(b, c->p_corrected);
	buf_str(b, ")");
}

static void say_drift(struct buf *b, const struct trend *t)
{
	buf_printf(b, "; drifts %s by ", t->drift.slope < 0 ? "down" : "up");
	percent(b, fabs(t->drift.rise), "");
	buf_str(b, " over the series (");
	p_value(b, t->drift.p_corrected);
	buf_str(b, ")");
}

static void say_movement(struct buf *b, const struct trend_rule *rule, const struct trend *t)
{
	double alpha = 1 - rule->level;
	bool plain = t->drift.p <= alpha || t->whole.p <= alpha || t->divided.p <= alpha;
	size_t n = t->series->n;
	if (n < TREND_MIN || n > TREND_PAIRS)
		buf_printf(b, "; too %s for a test of drift%s", n < TREND_MIN ? "few" : "many",
			n < TREND_MIN || n > TREND_DIVIDED ? " and change" : "");
	if (n < TREND_MIN || n > TREND_DIVIDED)
		return;
	if (t->drift.shown)
		say_drift(b, t);
	for (size_t i = 0; i < t->n_changes; i++)
		say_change(b, t, &t->changes[i]);
	if (t->drift.shown || t->n_changes)
		return;
	buf_str(b, n > TREND_PAIRS ? "; no change point is shown" : "; no drift and no change point is shown");
	if (t->whole.p_corrected <= alpha && t->series->runs == n) {
		buf_str(b, ", though Pettitt's test alone sees one at ");
		place(b, t, t->whole.tau);
	} else if (plain)
		buf_str(b, t->likeness.evident ? ": autocorrelation explains what looks like one" :
			": autocorrelation can explain what looks like one");
	if (t->likeness.evident)
		buf_printf(b, " (lag-1 r %.2f: %zu values count as %.0f)", t->likeness.lag1, n, t->likeness.n_effective);
}

static void say_outliers(struct buf *b, const struct trend *t)
{
	const struct trend_places *o = &t->spread.outliers;
	if (o->n == 0)
		return;
	buf_printf(b, "; %zu outlier%s: ", o->n, o->n == 1 ? "" : "s");
	for (size_t i = 0; i < o->n && i < 3; i++) {
		buf_str(b, i ? ", " : "");
		place(b, t, o->v[i]);
	}
	if (o->n > 3)
		buf_printf(b, " and %zu more", o->n - 3);
}

static void say_baseline(struct buf *b, const struct trend *t)
{
	const struct trend_control *c = &t->control;
	bool cusum = c->cusum_first != TREND_NEVER, ewma = c->ewma_first != TREND_NEVER;
	if (c->own)
		return;
	buf_str(b, "; against the baseline of ");
	quantity(b, c->center, t->series->unit);
	buf_printf(b, " (%zu runs) ", t->series->n_baseline);
	if (!cusum && !ewma) {
		buf_str(b, "neither EWMA nor CUSUM sees a shift");
		return;
	}
	buf_printf(b, "%s a shift from ", cusum && ewma ? "EWMA and CUSUM see" : cusum ? "CUSUM sees" : "EWMA sees");
	place(b, t, cusum && (!ewma || c->cusum_first < c->ewma_first) ? c->cusum_first : c->ewma_first);
	buf_str(b, t->likeness.evident ? ", which autocorrelation alone can cause" : "");
}

static void say_gaps(struct buf *b, const struct trend *t)
{
	if (t->series->left_out && t->series->n)
		buf_printf(b, "; %zu left out, as missing or of a run that was not completed", t->series->left_out);
	if (t->gaps.known && t->gaps.n)
		buf_printf(b, "; %zu gap%s, in which %zu run%s would have fitted", t->gaps.n, t->gaps.n == 1 ? "" : "s",
			t->gaps.missing, t->gaps.missing == 1 ? "" : "s");
}

void trend_say(struct arena *a, const struct trend_rule *rule, struct trend *t)
{
	struct buf b = BUF_EMPTY;
	if (t->series->n == 0) {
		buf_printf(&b, "%sno value that counts", t->judged ? "NO-DATA: " : "");
	} else {
		if (t->judged)
			say_verdict(&b, rule, t);
		else
			say_spread(&b, t);
		say_movement(&b, rule, t);
		say_outliers(&b, t);
		say_baseline(&b, t);
	}
	say_gaps(&b, t);
	buf_char(&b, '.');
	t->sentence = arena_string(a, buf_view(&b));
	buf_free(&b);
}
