/* The memory test: a `measure` of each kernel, and a `check` of the arrays. */
#include "parsers/assay_load.h"

#include "base/num.h"

#include <math.h>

static const double NEAR = 1e-6;

static bool number(struct al *r, struct slice text, const char *suffix, enum unit unit, struct quantity *q)
{
	*q = (struct quantity){ .unit = unit, .text = text, .suffix = suffix, .pos = al_pos(r, text.p) };
	enum num_status s = num_printed(text, 1, &q->value, &q->half_digit);
	if (text.p && s == NUM_OK && q->value >= 0)
		return true;
	if (text.p)
		al_say(r, DIAG_WARNING, q->pos, "'%.*s' is no value: none is reported", SLICE_ARG(slice_head(text, 40)));
	return false;
}

static const struct job *give_job(struct al *r)
{
	const struct al_test *t = &r->test;
	struct job job = { .name = t->name, .params = t->params, .options = t->options, .pos = t->pos, .started = t->started,
		.stopped = NAN };
	return r->p->sink->job(r->p->ctx, &job);
}

static void give(struct al *r, const struct job *job, enum metric_id metric, const char *stat, const struct quantity *q,
	uint64_t n, unsigned flags)
{
	struct result result = { .metric = metric, .stat = slice_of(stat), .q = *q, .job = job, .n = n, .time = r->test.started,
		.flags = (uint16_t)flags };
	r->p->sink->result(r->p->ctx, &result);
}

static double param(const struct al_test *t, const char *key)
{
	const struct param *p = params_find(t->params, key);
	double value;
	return p && num_double(p->value, &value) == NUM_OK ? value : NAN;
}

/* What STREAM counts for its kernels: arrays read and written. */
static double arrays_of(struct slice kernel)
{
	if (slice_is(kernel, "Copy") || slice_is(kernel, "Scale"))
		return 2;
	return slice_is(kernel, "Add") || slice_is(kernel, "Triad") ? 3 : NAN;
}

/* Bandwidth is counted bytes over the best time, and these are as many as STREAM counts. */
static bool agrees(struct al *r, const struct al_object *o, const struct quantity *rate, double counted, double least)
{
	double wanted = arrays_of(r->test.name) * param(&r->test, "array_size") * param(&r->test, "element_size");
	if (counted > 0 && isfinite(wanted) && counted != wanted) {
		al_say(r, DIAG_WARNING, al_pos(r, al_raw(o, "counted_bytes").p), "%.*s counts %.0f bytes, STREAM %.0f",
			SLICE_ARG(r->test.name), counted, wanted);
		return false;
	}
	if (counted > 0 && least > 0 && fabs(rate->value - counted / least) > NEAR * rate->value) {
		al_say(r, DIAG_WARNING, rate->pos, "bandwidth of %.*s is %.*s B/s, but %.0f bytes in %g s are %g", SLICE_ARG(r->test.name),
			SLICE_ARG(slice_head(rate->text, 40)), counted, least, counted / least);
		return false;
	}
	return true;
}

void al_measure(struct al *r, const struct al_object *o)
{
	static const char *const stats[] = { "min", "mean", "max" };
	struct al_object seconds;
	struct quantity rate, q;
	double counted = NAN, least = NAN;
	uint64_t test, n = 0;
	if (!r->test.open || !al_count(r, o, "test", UINT64_MAX, &test) || test != r->test.number) {
		al_say(r, DIAG_WARNING, al_pos(r, al_raw(o, "test").p), "a measure of no test that is going on: not used");
		return;
	}
	r->test.open = false;
	al_number(r, o, "counted_bytes", &counted);
	al_count(r, o, "repetitions", HIST_COUNT_LIMIT, &n);
	const struct job *job = give_job(r);
	bool timed = al_nested(r, o, "seconds", &seconds);
	if (timed)
		al_number(r, &seconds, "min", &least);
	if (number(r, al_raw(o, "bandwidth"), " B/s", UNIT_B_PER_S, &rate))
		give(r, job, METRIC_BANDWIDTH, "max", &rate, n, agrees(r, o, &rate, counted, least) ? 0 : RESULT_SUSPECT);
	if (counted > 0 && least > 0) {
		q = (struct quantity){ .value = counted / least, .unit = UNIT_B_PER_S, .pos = al_pos(r, al_raw(o, "counted_bytes").p) };
		give(r, job, METRIC_BANDWIDTH, "recomputed", &q, n, RESULT_DERIVED);
	}
	for (size_t i = 0; i < sizeof stats / sizeof *stats && timed; i++)
		if (number(r, al_raw(&seconds, stats[i]), " s", UNIT_S, &q))
			give(r, job, METRIC_RUNTIME, stats[i], &q, n, 0);
}

void al_check(struct al *r, const struct al_object *o)
{
	struct slice stores = al_text(r, o, "stores"), raw = al_raw(o, "valid");
	struct param p = { .key = SLICE("stores"), .value = stores, .pos = al_pos(r, al_raw(o, "stores").p) };
	int valid = al_flag(o, "valid");
	if (valid < 0)
		return;
	struct result result = { .metric = METRIC_VALID, .stat = SLICE("value"), .no_test = true, .params = { &p, stores.n > 0 },
		.time = NAN, .q = { .value = valid, .unit = UNIT_ONE, .text = raw, .pos = al_pos(r, raw.p) } };
	r->p->sink->result(r->p->ctx, &result);
	if (!valid)
		al_say(r, DIAG_WARNING, al_pos(r, raw.p), "the arrays did not hold what they must: these figures count for nothing");
}
