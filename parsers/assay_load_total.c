/* What a test came to: the totals that the file states, each held against the sum of its intervals. */
#include "parsers/assay_load.h"

#include "base/num.h"

#include <math.h>

enum { ALL = AL_TARGETS };
static const double NEAR = 1e-6;      /* figures that are printed shortest and divided once */
static const double NEAR_TIME = 1e-3; /* intervals leave out what lies between them */

/* A member of an op's object, or of its latency_ns, and its row. */
static const struct figure {
	const char *key;
	enum metric_id metric; /* METRICS: the op's own latency */
	const char *stat;
	double factor;
	const char *suffix;
	bool if_any;           /* a zero is no row */
} tally_figures[] = {
	{ "iops", METRIC_IOPS, "value", 1, NULL, false }, { "bandwidth", METRIC_BANDWIDTH, "value", 1, " B/s", false },
	{ "bytes", METRIC_IO, "value", 1, " B", false }, { "errors", METRIC_ERRORS, "count", 1, NULL, true },
	{ "corrupt", METRIC_CORRUPT, "count", 1, NULL, true }, { "loss", METRIC_LOSS, "value", 1, "%", false },
}, latency_figures[] = {
	{ "min", METRICS, "min", 1e-9, " ns", false }, { "mean", METRICS, "mean", 1e-9, " ns", false },
	{ "max", METRICS, "max", 1e-9, " ns", false },
}, round_trip_figures[] = {
	{ "sent", METRIC_SENT, "count", 1, NULL, false }, { "ios", METRIC_RECEIVED, "count", 1, NULL, false },
};
#define COUNT(array) (sizeof(array) / sizeof *(array))

struct total {
	struct al *r;
	size_t target;           /* ALL: all together */
	const struct job *job;   /* NULL: only checked */
	struct slice seconds_text;
	double seconds;
	double values[AL_METRICS];
	struct pos pos[AL_METRICS];
	double latency_sum, latency_n;
};

/* ---- sums of the intervals ---- */

static struct al_sum *sum_of(struct al *r, size_t target, enum al_op op)
{
	if (target != ALL)
		return r->targets[target].op[op];
	struct al_sum *all = r->scratch[op];
	if (!all)
		all = r->scratch[op] = ARENA_NEW(r->p->arena, struct al_sum);
	*all = (struct al_sum){ .any = false };
	for (size_t i = 0; i < r->n_targets; i++) {
		const struct al_sum *own = r->targets[i].op[op];
		if (!own || !own->any || !hist_merge(&all->latency, &own->latency))
			continue;
		for (int k = 0; k < AL_COUNTS; k++)
			all->v[k] += own->v[k];
		all->inexact |= own->inexact;
		all->any = true;
	}
	return all;
}

/* The time that the intervals cover, and where they stand. */
static double covered(const struct al *r, size_t target, uint32_t *first, uint32_t *last)
{
	double seconds = 0;
	*first = *last = 0;
	for (size_t i = target == ALL ? 0 : target; i < (target == ALL ? r->n_targets : target + 1); i++) {
		const struct al_target *t = &r->targets[i];
		if (t->intervals == 0)
			continue;
		seconds = fmax(seconds, t->seconds);
		*first = *first && *first < t->first_line ? *first : t->first_line;
		*last = t->last_line > *last ? t->last_line : *last;
	}
	return seconds;
}

static const char *lines_text(const struct al *r, uint32_t first, uint32_t last)
{
	return first == last ? arena_printf(r->p->arena, "line %u", first)
		: arena_printf(r->p->arena, "lines %u to %u", first, last);
}

/* ---- the check ---- */

struct check {
	struct total *t;
	const char *op;
	struct slice key, text; /* the first figure that differs */
	double wanted;
	size_t wrong;
};

static void compare(struct check *c, struct slice key, struct slice text, double wanted, double slack)
{
	double value;
	if (!text.p || num_double(text, &value) != NUM_OK || fabs(value - wanted) <= slack * fabs(wanted))
		return;
	if (c->wrong++ == 0) {
		c->key = key;
		c->text = text;
		c->wanted = wanted;
	}
}

static void compare_latency(struct check *c, const struct al_object *o, const struct al_sum *sum)
{
	const struct hist *h = &sum->latency;
	double slack = sum->inexact ? NEAR : 0;
	compare(c, SLICE("latency_ns.n"), al_raw(o, "n"), (double)h->n, 0);
	if (h->n == 0)
		return;
	compare(c, SLICE("latency_ns.min"), al_raw(o, "min"), (double)h->min, 0);
	compare(c, SLICE("latency_ns.max"), al_raw(o, "max"), (double)h->max, 0);
	compare(c, SLICE("latency_ns.sum"), al_raw(o, "sum"), hist_mean(h) * (double)h->n, fmax(slack, 1e-12));
	compare(c, SLICE("latency_ns.mean"), al_raw(o, "mean"), hist_mean(h), NEAR);
	for (size_t i = 0; i < o->n; i++) {
		double p;
		if (slice_starts(o->m[i].key, "p") && num_double(slice_from(o->m[i].key, 1), &p) == NUM_OK && p >= 0 && p <= 100)
			compare(c, o->m[i].key, o->m[i].text, hist_percentile(h, p), NEAR);
	}
}

static const char *target_name(const struct total *t)
{
	return t->target == ALL ? "all targets" : arena_printf(t->r->p->arena, "target %zu", t->target);
}

static void say_wrong(struct check *c, struct slice at)
{
	struct total *t = c->t;
	struct al *r = t->r;
	uint32_t first, last;
	char value[NUM_FORMAT_SIZE];
	covered(r, t->target, &first, &last);
	value[num_format(value, c->wanted)] = '\0';
	const char *where = first ? arena_printf(r->p->arena, "the intervals in %s come to %s", lines_text(r, first, last), value) :
		"there are no intervals of it";
	const char *more = c->wrong > 1 ? arena_printf(r->p->arena, " (and %zu further figures differ)", c->wrong - 1) : "";
	al_say(r, DIAG_WARNING, al_pos(r, at.p), "test %llu, %s%s%s: %.*s is %.*s, but %s%s", (unsigned long long)r->test.number,
		target_name(t), *c->op ? ", " : "", c->op, SLICE_ARG(c->key), SLICE_ARG(slice_head(c->text, 40)), where, more);
}

/* A loss in % that is not that of the counts beside it. */
static void compare_loss(struct check *c, enum al_op op, const struct al_object *o)
{
	double sent, back;
	if ((op == AL_RTT || op == AL_QUERY) && num_double(al_raw(o, "sent"), &sent) == NUM_OK &&
	    num_double(al_raw(o, "ios"), &back) == NUM_OK && sent > 0)
		compare(c, SLICE("loss"), al_raw(o, "loss"), 100 * (sent - back) / sent, NEAR);
}

/* False, and said, when a total is not what its intervals come to. What the other side of a network reports has no
 * intervals. */
static bool agrees(struct total *t, enum al_op op, const struct al_object *o, const struct al_object *latency,
	const struct al_sum *sum)
{
	static const struct al_sum nothing;
	struct check c = { .t = t, .op = al_ops[op].key };
	double bytes, seconds;
	if ((op == AL_SENT || op == AL_RECEIVED) && !(sum && sum->any)) {
		if (num_double(al_raw(o, "bytes"), &bytes) == NUM_OK && num_double(al_raw(o, "seconds"), &seconds) == NUM_OK &&
		    seconds > 0)
			compare(&c, SLICE("bandwidth"), al_raw(o, "bandwidth"), bytes / seconds, NEAR);
		if (c.wrong)
			al_say(t->r, DIAG_WARNING, al_pos(t->r, c.text.p), "test %llu: bandwidth of what was %s is %.*s, but its bytes and "
				"seconds make %g", (unsigned long long)t->r->test.number, c.op, SLICE_ARG(slice_head(c.text, 40)), c.wanted);
		return c.wrong == 0;
	}
	sum = sum && sum->any ? sum : &nothing;
	for (int i = 0; i < AL_COUNTS; i++)
		compare(&c, slice_of(al_count_keys[i]), al_raw(o, al_count_keys[i]), (double)sum->v[i], 0);
	if (t->seconds > 0) {
		compare(&c, SLICE("iops"), al_raw(o, "iops"), (double)sum->v[AL_IOS] / t->seconds, NEAR);
		compare(&c, SLICE("bandwidth"), al_raw(o, "bandwidth"), (double)sum->v[AL_BYTES] / t->seconds, NEAR);
	}
	if (latency)
		compare_latency(&c, latency, sum);
	compare_loss(&c, op, o);
	if (c.wrong)
		say_wrong(&c, c.text);
	return c.wrong == 0;
}

static void check_time(struct total *t)
{
	uint32_t first, last;
	struct check c = { .t = t, .op = "" };
	compare(&c, SLICE("seconds"), t->seconds_text, covered(t->r, t->target, &first, &last), NEAR_TIME);
	if (c.wrong)
		say_wrong(&c, t->seconds_text);
}

/* ---- rows ---- */

static void give(struct total *t, enum metric_id metric, const char *stat, struct quantity q, const struct param *own,
	uint64_t n, unsigned flags)
{
	struct result result = { .metric = metric, .stat = slice_of(stat), .q = q, .job = t->job, .params = { own, own ? 1 : 0 },
		.n = n, .time = t->r->test.started, .flags = (uint16_t)flags };
	t->r->p->sink->result(t->r->p->ctx, &result);
}

static void give_text(struct total *t, const struct figure *f, enum metric_id metric, struct slice text,
	const struct param *own, uint64_t n, unsigned flags)
{
	struct quantity q = { .unit = metric_get(metric)->unit, .text = text, .suffix = f->suffix };
	double zero;
	if (!text.p || (f->if_any && num_double(text, &zero) == NUM_OK && zero == 0))
		return;
	enum num_status s = num_printed(text, f->factor, &q.value, &q.half_digit);
	q.pos = al_pos(t->r, text.p);
	if (s == NUM_OK)
		give(t, metric, f->stat, q, own, n, flags);
	else
		al_say(t->r, DIAG_WARNING, q.pos, "%s '%.*s' %s: no value is reported", f->key, SLICE_ARG(slice_head(text, 40)),
			num_status_text(s));
}

/* A figure that is made here. */
static void give_value(struct total *t, enum metric_id metric, const char *stat, double value, struct pos pos,
	const struct param *own, uint64_t n)
{
	struct quantity q = { .value = value, .unit = metric_get(metric)->unit, .pos = pos };
	if (isfinite(value))
		give(t, metric, stat, q, own, n, RESULT_DERIVED);
}

static void give_latency(struct total *t, enum al_op op, const struct al_object *o, const struct param *own, unsigned flags)
{
	enum metric_id metric = al_ops[op].latency;
	uint64_t n = 0;
	num_u64(al_raw(o, "n"), &n);
	for (size_t i = 0; i < COUNT(latency_figures); i++)
		give_text(t, &latency_figures[i], metric, al_raw(o, latency_figures[i].key), own, n, flags);
	for (size_t i = 0; i < o->n; i++) {
		struct slice key = o->m[i].key;
		if (!slice_starts(key, "p") || num_span(slice_from(key, 1)) + 1 != key.n || key.n > 8)
			continue;
		const char *stat = slice_is(key, "p50") ? al_ops[op].p50 : arena_string(t->r->p->arena, key);
		struct figure f = { "percentile", metric, stat, 1e-9, " ns", false };
		give_text(t, &f, metric, o->m[i].text, own, n, flags);
	}
}

/* The value that a round has by each metric. */
static void add_values(struct total *t, const struct al_object *o, const struct al_object *latency)
{
	static const char *const keys[] = { [AL_M_IOPS] = "iops", [AL_M_BANDWIDTH] = "bandwidth" };
	double value, n;
	for (int i = 0; i < AL_M_LATENCY; i++) {
		struct slice text = al_raw(o, keys[i]);
		if (!text.p || num_double(text, &value) != NUM_OK)
			continue;
		t->pos[i] = isnan(t->values[i]) ? al_pos(t->r, text.p) : t->pos[i];
		t->values[i] = (isnan(t->values[i]) ? 0 : t->values[i]) + value;
	}
	struct slice mean = latency ? al_raw(latency, "mean") : SLICE_NONE;
	if (!mean.p || num_double(mean, &value) != NUM_OK || num_double(al_raw(latency, "n"), &n) != NUM_OK || !(n > 0))
		return;
	if (t->latency_n == 0)
		t->pos[AL_M_LATENCY] = al_pos(t->r, mean.p);
	t->latency_sum += n * value;
	t->latency_n += n;
	t->values[AL_M_LATENCY] = t->latency_sum / t->latency_n * 1e-9;
}

static void take_op(struct total *t, enum al_op op, const struct al_object *o)
{
	struct al_object inner;
	struct al_sum *sum = sum_of(t->r, t->target, op);
	const struct al_object *latency = al_nested(t->r, o, "latency_ns", &inner) ? &inner : NULL;
	unsigned flags = agrees(t, op, o, latency, sum) ? 0 : RESULT_SUSPECT;
	struct param own = { .key = slice_of(al_ops[op].param), .value = slice_of(al_ops[op].value) };
	const struct param *params = al_ops[op].param ? &own : NULL;
	static const struct figure runtime = { "seconds", METRIC_RUNTIME, "value", 1, " s", false };
	uint64_t ios = 0;
	num_u64(al_raw(o, "ios"), &ios);
	add_values(t, o, latency);
	if (!t->job)
		return;
	for (size_t i = 0; i < COUNT(tally_figures); i++) {
		const struct figure *f = &tally_figures[i];
		enum metric_id metric = f->metric == METRIC_IOPS ? al_ops[op].rate : f->metric;
		bool moves = al_ops[op].latency == METRIC_LATENCY || al_ops[op].latency == METRICS;
		if (metric != METRICS && (moves || (metric != METRIC_BANDWIDTH && metric != METRIC_IO)))
			give_text(t, f, metric, al_raw(o, f->key), params, ios, flags);
	}
	for (size_t i = 0; i < COUNT(round_trip_figures) && (op == AL_RTT || op == AL_QUERY); i++)
		give_text(t, &round_trip_figures[i], round_trip_figures[i].metric, al_raw(o, round_trip_figures[i].key), params, 0,
			flags);
	if (op != AL_SENT && op != AL_RECEIVED)
		give_text(t, &runtime, METRIC_RUNTIME, t->seconds_text, params, ios, 0);
	if (latency && al_ops[op].latency != METRICS)
		give_latency(t, op, latency, params, flags);
	double mean;
	/* There and back is two ways; others print the one. */
	if (op == AL_RTT && latency && num_double(al_raw(latency, "mean"), &mean) == NUM_OK)
		give_value(t, METRIC_LATENCY, "mean", mean / 2 * 1e-9, al_pos(t->r, al_raw(latency, "mean").p), NULL, ios);
}

/* Use of a processor by each thread, in %, as fio has it. */
static void give_cpu(struct total *t, const struct al_object *o)
{
	static const struct { const char *key; struct param mode; } modes[] = {
		{ "user", { .key = SLICE("mode"), .value = SLICE("usr") } },
		{ "system", { .key = SLICE("mode"), .value = SLICE("sys") } },
	};
	struct al_object cpu;
	double used, threads = t->r->test.threads * (t->target == ALL ? (double)t->r->n_targets : 1);
	if (!t->job || !(threads > 0) || !(t->seconds > 0) || !al_nested(t->r, o, "cpu", &cpu))
		return;
	for (size_t i = 0; i < COUNT(modes); i++)
		if (al_number(t->r, &cpu, modes[i].key, &used))
			give_value(t, METRIC_CPU_UTIL, "value", 100 * used / t->seconds / threads,
				al_pos(t->r, al_raw(&cpu, modes[i].key).p), &modes[i].mode, 0);
}

/* ---- jobs ---- */

/* The test on one target, or on all that were measured in it. */
static const struct job *give_job(struct al *r, size_t target)
{
	const struct al_test *t = &r->test;
	struct param *params = al_params_copy(r, t->params, 1), *options = al_params_copy(r, t->options, r->n_targets);
	struct job job = { .name = t->name, .params = { params, t->params.n }, .options = { options, t->options.n },
		.pos = t->pos, .started = t->started, .stopped = NAN };
	for (size_t i = 0; i < r->n_targets; i++) {
		struct param p = { .key = SLICE("target"), .value = r->targets[i].path, .pos = r->targets[i].pos };
		if (target == i)
			params[job.params.n++] = p;
		if (target == i || (target == ALL && r->targets[i].intervals > 0))
			options[job.options.n++] = p;
	}
	return r->p->sink->job(r->p->ctx, &job);
}

static bool which_target(struct al *r, const struct al_object *o, size_t *target)
{
	uint64_t number;
	*target = ALL;
	if (slice_is(al_text(r, o, "target"), "all"))
		return true;
	if (!al_count(r, o, "target", UINT64_MAX, &number))
		return false;
	*target = (size_t)number;
	if (number < r->n_targets)
		return true;
	al_say(r, DIAG_WARNING, al_pos(r, al_raw(o, "target").p), "there is no target %llu: this total is not used",
		(unsigned long long)number);
	return false;
}

/* What was due before the test's end and never begun: the target did not keep up with the rate. */
static void say_backlog(struct al *r)
{
	uint64_t backlog = 0;
	for (size_t i = 0; i < r->n_targets; i++)
		backlog += r->targets[i].backlog;
	if (backlog)
		al_say(r, DIAG_NOTE, r->test.pos, "test %llu: %llu I/Os were due at its end and had not begun: the rate was not kept",
			(unsigned long long)r->test.number, (unsigned long long)backlog);
}

/* How a name server answered, where that was not NOERROR. */
static void add_status(struct al *r, const struct al_object *o)
{
	struct al_test *t = &r->test;
	struct slice status = al_text(r, o, "status");
	if (status.n == 0 || slice_is(status, "NOERROR"))
		return;
	struct param *params = al_params_copy(r, t->params, 1);
	params[t->params.n] = (struct param){ .key = SLICE("status"), .value = arena_copy(r->p->arena, status),
		.pos = al_pos(r, al_raw(o, "status").p) };
	t->params = (struct params){ params, t->params.n + 1 };
}

void al_total(struct al *r, const struct al_object *o)
{
	struct total t = { .r = r, .seconds = NAN, .values = { NAN, NAN, NAN } };
	struct al_object op;
	uint64_t test;
	if (!r->test.open || !al_count(r, o, "test", UINT64_MAX, &test) || test != r->test.number) {
		al_say(r, DIAG_WARNING, al_pos(r, al_raw(o, "test").p), "a total of no test that is going on: not used");
		return;
	}
	if (!which_target(r, o, &t.target))
		return;
	bool *done = t.target == ALL ? &r->test.all_totalled : &r->targets[t.target].totalled;
	if (*done) {
		al_say(r, DIAG_WARNING, al_pos(r, NULL), "this test has a total already: this one is not used");
		return;
	}
	*done = true;
	t.seconds_text = al_raw(o, "seconds");
	al_number(r, o, "seconds", &t.seconds);
	add_status(r, o);
	/* Of a single target all that is said of it stands in the total of all. */
	if (t.target == ALL || r->n_targets > 1)
		t.job = give_job(r, t.target);
	check_time(&t);
	for (enum al_op i = 0; i < AL_OPS; i++) {
		const struct al_sum *sum = sum_of(r, t.target, i);
		if (al_nested(r, o, al_ops[i].key, &op))
			take_op(&t, i, &op);
		else if (sum && sum->any && sum->v[AL_IOS])
			al_say(r, DIAG_WARNING, al_pos(r, NULL), "test %llu, %s: there are intervals with %llu %s I/Os, but no total of "
				"them", (unsigned long long)r->test.number, target_name(&t), (unsigned long long)sum->v[AL_IOS], al_ops[i].key);
	}
	give_cpu(&t, o);
	if (t.target == ALL)
		say_backlog(r);
	if (t.job)
		al_tracks_name(r, t.target, t.job);
	/* A round that was not done to its end is none. */
	if (t.target == ALL && al_flag(o, "stopped") != 1)
		al_round_add(r, t.job, t.values, t.pos);
}

static void recompute_op(struct total *t, enum al_op op, const struct al_sum *sum)
{
	static const struct { const char *stat; double p; } tails[] = { { "recomputed_p50", 50 }, { "recomputed_p99", 99 },
		{ "recomputed_p99.9", 99.9 } };
	struct param own = { .key = slice_of(al_ops[op].param), .value = slice_of(al_ops[op].value) };
	const struct param *params = al_ops[op].param ? &own : NULL;
	struct pos pos = t->r->test.pos;
	uint64_t ios = sum->v[AL_IOS], n = sum->latency.n;
	if (al_ops[op].rate != METRICS)
		give_value(t, al_ops[op].rate, "recomputed", (double)ios / t->seconds, pos, params, ios);
	if (al_ops[op].latency == METRIC_LATENCY || al_ops[op].latency == METRICS)
		give_value(t, METRIC_BANDWIDTH, "recomputed", (double)sum->v[AL_BYTES] / t->seconds, pos, params, ios);
	if (n == 0 || al_ops[op].latency == METRICS)
		return;
	give_value(t, al_ops[op].latency, "recomputed_mean", hist_mean(&sum->latency) * 1e-9, pos, params, n);
	for (size_t i = 0; i < COUNT(tails); i++)
		give_value(t, al_ops[op].latency, tails[i].stat, hist_percentile(&sum->latency, tails[i].p) * 1e-9, pos, params, n);
}

void al_test_end(struct al *r)
{
	struct total t = { .r = r, .target = ALL };
	uint32_t first, last;
	if (!r->test.open)
		return;
	r->test.open = false;
	t.seconds = covered(r, ALL, &first, &last);
	if (r->test.all_totalled || t.seconds <= 0)
		return;
	al_say(r, DIAG_WARNING, r->test.pos, "test %llu has no total: what its intervals in %s come to is reported as recomputed",
		(unsigned long long)r->test.number, lines_text(r, first, last));
	t.job = give_job(r, ALL);
	for (enum al_op i = 0; i < AL_OPS; i++) {
		const struct al_sum *sum = sum_of(r, ALL, i);
		if (sum && sum->any && sum->v[AL_IOS])
			recompute_op(&t, i, sum);
	}
	al_tracks_name(r, ALL, t.job);
}
