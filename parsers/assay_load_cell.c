/* Rounds of the tests of one name, samples over time, and what the file says of steady state. */
#include "parsers/assay_load.h"

#include "base/num.h"
#include "model/steady.h"

#include <math.h>

enum { ALL = AL_TARGETS, SLOTS = 4096 };
static const double NEAR = 1e-6;

static const struct {
	const char *key;   /* in a `steady` line */
	const char *test;  /* of the series of rounds */
	enum metric_id metric;
} metrics[AL_METRICS] = {
	[AL_M_IOPS] = { "iops", "iops", METRIC_IOPS },
	[AL_M_BANDWIDTH] = { "bandwidth", "throughput", METRIC_BANDWIDTH },
	[AL_M_LATENCY] = { "latency", "latency", METRIC_LATENCY },
};

static const char *op_of(const struct al_test *t)
{
	const struct param *mix = params_find(t->params, "mix");
	if (!mix)
		return NULL;
	return slice_is(mix->value, "0/100") ? "write" : slice_is(mix->value, "100/0") ? "read" : "mixed";
}

/* Adds the stage to a test's params when another stage has a cell of its name before. */
static void tell_apart(struct al *r, struct al_test *t)
{
	bool repeated = false;
	for (size_t i = 0; i < r->n_cells && !slice_eq(r->cells[i].stage, t->stage); i++)
		repeated |= slice_eq(r->cells[i].name, t->name);
	if (!repeated)
		return;
	struct param *params = al_params_copy(r, t->params, 1);
	params[t->params.n] = (struct param){ .key = SLICE("stage"), .value = t->stage, .pos = t->pos };
	t->params = (struct params){ params, t->params.n + 1 };
}

size_t al_cell_of(struct al *r, struct al_test *t)
{
	tell_apart(r, t);
	for (size_t i = 0; i < r->n_cells; i++)
		if (slice_eq(r->cells[i].name, t->name) && slice_eq(r->cells[i].stage, t->stage))
			return i + 1;
	if (r->n_cells == AL_CELLS)
		return 0;
	struct al_cell *c = ARENA_PUSH(r->p->arena, r->cells, r->n_cells, r->cell_cap);
	struct param *params = ARENA_ARRAY(r->p->arena, t->params.n + 1, struct param);
	size_t n = 0;
	for (size_t i = 0; i < t->params.n; i++)
		if (!slice_is(t->params.v[i].key, "round"))
			params[n++] = t->params.v[i];
	*c = (struct al_cell){ .name = t->name, .stage = t->stage, .params = { params, n },
		.sequential = t->rw.n && !slice_starts(t->rw, "rand") };
	const char *op = op_of(t);
	if (op)
		params[c->params.n++] = (struct param){ .key = SLICE("op"), .value = slice_of(op), .pos = t->pos };
	return r->n_cells;
}

/* ---- samples ---- */

static struct al_track *track_of(struct al *r, size_t target, enum al_op op)
{
	struct al_cell *c = &r->cells[r->test.cell - 1];
	for (size_t i = 0; i < c->n_tracks; i++)
		if (c->tracks[i].target == target && c->tracks[i].op == op)
			return &c->tracks[i];
	struct al_track *k = ARENA_PUSH(r->p->arena, c->tracks, c->n_tracks, c->track_cap);
	*k = (struct al_track){ .target = target, .op = op, .joined = 1 };
	return k;
}

/* Two slots become one, so that there is room again. */
static void join_slots(struct al_track *k)
{
	for (size_t i = 0; i + 1 < k->n; i += 2) {
		struct al_slot *a = &k->slots[i / 2], x = k->slots[i], y = k->slots[i + 1];
		*a = (struct al_slot){ y.t, x.seconds + y.seconds, x.ios + y.ios, x.bytes + y.bytes, x.latency + y.latency,
			x.n + y.n, x.job };
	}
	k->n /= 2;
	k->joined *= 2;
	k->in_last = k->joined;
}

static void track_interval(struct al *r, struct al_track *k, uint64_t interval, double t, double seconds,
	const struct al_sum *sum)
{
	bool same = k->n && k->test == r->test.number && k->interval == interval;
	if (!same && k->n == SLOTS && k->in_last == k->joined)
		join_slots(k);
	if (!same && (k->n == 0 || k->in_last == k->joined)) {
		*ARENA_PUSH(r->p->arena, k->slots, k->n, k->cap) = (struct al_slot){ .t = t };
		k->in_last = 0;
	}
	struct al_slot *s = &k->slots[k->n - 1];
	/* Of several targets' intervals side by side the longest is the time that passed. */
	s->seconds += same ? fmax(0, seconds - k->last_seconds) : seconds;
	k->last_seconds = same ? fmax(seconds, k->last_seconds) : seconds;
	k->in_last += !same;
	k->test = r->test.number;
	k->interval = interval;
	s->t = fmax(s->t, t);
	s->ios += (double)sum->v[AL_IOS];
	s->bytes += (double)sum->v[AL_BYTES];
	s->n += (double)sum->latency.n;
	s->latency += sum->latency.n ? hist_mean(&sum->latency) * (double)sum->latency.n : 0;
}

void al_track_add(struct al *r, size_t target, uint64_t interval, double t, double seconds, enum al_op op,
	const struct al_sum *sum)
{
	if (!r->test.cell)
		return;
	if (r->n_targets > 1)
		track_interval(r, track_of(r, target, op), interval, t, seconds, sum);
	track_interval(r, track_of(r, ALL, op), interval, t, seconds, sum);
}

void al_tracks_name(struct al *r, size_t target, const struct job *job)
{
	struct al_cell *c = r->test.cell ? &r->cells[r->test.cell - 1] : NULL;
	for (size_t i = 0; c && i < c->n_tracks; i++)
		for (size_t k = c->tracks[i].target == target ? c->tracks[i].n : 0; k-- > 0 && !c->tracks[i].slots[k].job;)
			c->tracks[i].slots[k].job = job;
}

static double slot_value(const struct al_slot *s, enum al_metric m)
{
	switch (m) {
	case AL_M_IOPS: return s->ios / s->seconds;
	case AL_M_BANDWIDTH: return s->bytes / s->seconds;
	default: return s->n > 0 ? s->latency / s->n * 1e-9 : NAN;
	}
}

static void give_samples(struct al *r, const struct al_cell *c, const struct al_track *k, enum al_metric m)
{
	const struct al_op_kind *kind = &al_ops[k->op];
	enum metric_id metric = m == AL_M_LATENCY ? kind->latency : m == AL_M_IOPS ? kind->rate : metrics[m].metric;
	struct point *points = ARENA_ARRAY(r->p->arena, k->n, struct point);
	struct param *params = ARENA_ARRAY(r->p->arena, c->params.n + 2, struct param);
	size_t n = 0, n_params = 0;
	double seconds = 0;
	if (metric == METRICS)
		return;
	for (size_t i = 0; i < k->n; i++) {
		double value = slot_value(&k->slots[i], m);
		seconds += k->slots[i].seconds;
		if (isfinite(value))
			points[n++] = (struct point){ .t = k->slots[i].t, .value = value, .job = k->slots[i].job,
				.pos = k->slots[i].job ? k->slots[i].job->pos : POS_NONE };
	}
	for (size_t i = 0; i < c->params.n; i++)
		if (!slice_is(c->params.v[i].key, "op"))
			params[n_params++] = c->params.v[i];
	if (kind->param)
		params[n_params++] = (struct param){ .key = slice_of(kind->param), .value = slice_of(kind->value) };
	if (k->target != ALL)
		params[n_params++] = (struct param){ .key = SLICE("target"), .value = r->targets[k->target].path,
			.pos = r->targets[k->target].pos };
	struct series s = { .kind = SERIES_SAMPLES, .metric = metric, .test = c->name, .params = { params, n_params },
		.points = points, .n = n, .interval = seconds / (double)k->n };
	/* One sample says no more than the total. */
	if (n > 1)
		r->p->sink->series(r->p->ctx, &s);
}

/* ---- rounds ---- */

void al_round_add(struct al *r, const struct job *job, const double value[AL_METRICS], const struct pos pos[AL_METRICS])
{
	if (!r->test.cell || !r->test.round)
		return;
	struct al_cell *c = &r->cells[r->test.cell - 1];
	struct al_round *round = ARENA_PUSH(r->p->arena, c->rounds, c->n_rounds, c->round_cap);
	round->round = r->test.round;
	round->job = job;
	memcpy(round->value, value, sizeof round->value);
	memcpy(round->pos, pos, sizeof round->pos);
	for (int i = 0; i < AL_OPS; i++)
		if (r->scratch[i] && r->scratch[i]->latency.n)
			round->latency[i] = hist_pack(r->p->arena, &r->scratch[i]->latency);
	if (c->n_rounds > 1 && c->rounds[c->n_rounds - 2].round >= round->round) {
		al_say(r, DIAG_WARNING, r->test.pos, "round %llu of %.*s comes behind round %llu: it is left out of the rounds",
			(unsigned long long)round->round, SLICE_ARG(c->name),
			(unsigned long long)c->rounds[c->n_rounds - 2].round);
		c->n_rounds--;
	}
}

/* The values of rounds `first` to `last`; fewer where some are not there. */
static size_t values_of(struct al *r, const struct al_cell *c, enum al_metric m, uint64_t first, uint64_t last, double **y)
{
	size_t n = 0;
	*y = ARENA_ARRAY(r->p->arena, c->n_rounds + 1, double);
	for (size_t i = 0; i < c->n_rounds; i++)
		if (c->rounds[i].round >= first && c->rounds[i].round <= last && !isnan(c->rounds[i].value[m]))
			(*y)[n++] = c->rounds[i].value[m];
	return n;
}

/* Says which figure of a `steady` line is not what the rounds come to; false when all are. */
static bool differs(struct al *r, const struct al_object *o, const struct steady_window *w)
{
	const struct { const char *key; double wanted; } figures[] = { { "mean", w->mean },
		{ "data_excursion", w->data_excursion }, { "data_allowed", w->data_allowed },
		{ "slope_excursion", w->slope_excursion }, { "slope_allowed", w->slope_allowed } };
	double value;
	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
		char text[NUM_FORMAT_SIZE];
		struct slice raw = al_raw(o, figures[i].key);
		if (!raw.p || num_double(raw, &value) != NUM_OK || isnan(figures[i].wanted) ||
		    fabs(value - figures[i].wanted) <= NEAR * fabs(w->mean))
			continue;
		text[num_format(text, figures[i].wanted)] = '\0';
		al_say(r, DIAG_WARNING, al_pos(r, raw.p), "%s of %.*s is %.*s here, but its rounds come to %s", figures[i].key,
			SLICE_ARG(slice_head(al_text(r, o, "name"), 60)), SLICE_ARG(slice_head(raw, 40)), text);
		return true;
	}
	return false;
}

static struct al_cell *named(struct al *r, struct slice name, struct slice stage)
{
	for (size_t i = 0; i < r->n_cells; i++)
		if (slice_eq(r->cells[i].name, name) && slice_eq(r->cells[i].stage, stage))
			return &r->cells[i];
	return NULL;
}

void al_steady(struct al *r, const struct al_object *o)
{
	struct slice metric = al_text(r, o, "metric");
	struct al_cell *c = named(r, al_text(r, o, "name"), al_text(r, o, "stage"));
	enum al_metric m = 0;
	uint64_t first = 0, last = 0;
	double *y;
	while (m < AL_METRICS && !slice_is(metric, metrics[m].key))
		m++;
	if (!c || m == AL_METRICS || !al_count(r, o, "first", UINT32_MAX, &first) || !al_count(r, o, "last", UINT32_MAX, &last) ||
	    last < first) {
		al_say(r, DIAG_WARNING, al_pos(r, NULL), "this speaks of no rounds that are here: it is not used");
		return;
	}
	int said = al_flag(o, "steady");
	c->judged[m] = said >= 0;
	c->steady[m] = said == 1;
	c->claim_pos[m] = al_pos(r, al_raw(o, "steady").p);
	size_t n = values_of(r, c, m, first, last, &y);
	if (n != last - first + 1) {
		al_say(r, DIAG_WARNING, al_pos(r, al_raw(o, "first").p), "rounds %llu to %llu of %.*s are not all here: steady state "
			"can't be recomputed", (unsigned long long)first, (unsigned long long)last, SLICE_ARG(c->name));
		return;
	}
	struct steady_window w = steady_window(&steady_snia, y, 0, n);
	if (!differs(r, o, &w) && said >= 0 && (said == 1) != w.steady)
		al_say(r, DIAG_WARNING, c->claim_pos[m], "%.*s is said to be %s in round %llu; by %s over rounds %llu to %llu it is "
			"%s", SLICE_ARG(c->name), said ? "steady" : "not steady", (unsigned long long)last, steady_snia.name,
			(unsigned long long)first, (unsigned long long)last, w.steady ? "steady" : "not steady");
}

/* ---- what is given ---- */

static void give_window(struct al *r, const struct al_cell *c, enum al_metric m, const struct steady_window *w,
	struct params params, const struct al_round *rounds)
{
	const struct { const char *stat; double value; } rows[] = { { "steady_mean", w->mean },
		{ "data_excursion", w->data_excursion }, { "slope", w->slope }, { "slope_excursion", w->slope_excursion } };
	struct result result = { .metric = metrics[m].metric, .test = c->name, .params = params, .n = w->n, .time = NAN,
		.flags = RESULT_DERIVED };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		result.stat = slice_of(rows[i].stat);
		result.q = (struct quantity){ .value = rows[i].value, .unit = metric_get(metrics[m].metric)->unit,
			.pos = rounds[w->first].pos[m] };
		if (isfinite(rows[i].value))
			r->p->sink->result(r->p->ctx, &result);
	}
}

/* Percentiles over all I/Os of the window, from the buckets of its rounds. */
static void give_percentiles(struct al *r, const struct al_cell *c, const struct al_round *rounds, size_t n)
{
	static const struct { const char *stat; double p; } tails[] = { { "recomputed_p50", 50 }, { "recomputed_p99", 99 },
		{ "recomputed_p99.9", 99.9 }, { "recomputed_p99.99", 99.99 } };
	struct param *params = ARENA_ARRAY(r->p->arena, c->params.n + 1, struct param);
	r->window = r->window ? r->window : ARENA_NEW(r->p->arena, struct hist);
	for (enum al_op op = 0; op < AL_OPS; op++) {
		struct params own = { params, 0 };
		*r->window = (struct hist){ .n = 0 };
		for (size_t i = 0; i < n; i++)
			hist_merge_packed(r->window, &rounds[i].latency[op]);
		if (r->window->n == 0 || al_ops[op].latency == METRICS)
			continue;
		for (size_t i = 0; i < c->params.n; i++)
			if (!slice_is(c->params.v[i].key, "op"))
				params[own.n++] = c->params.v[i];
		if (al_ops[op].param)
			params[own.n++] = (struct param){ .key = slice_of(al_ops[op].param), .value = slice_of(al_ops[op].value) };
		for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
			struct result result = { .metric = al_ops[op].latency, .stat = slice_of(tails[i].stat), .test = c->name,
				.params = own, .n = r->window->n, .time = NAN, .flags = RESULT_DERIVED };
			result.q = (struct quantity){ .value = hist_percentile(r->window, tails[i].p) * 1e-9, .unit = UNIT_S,
				.pos = rounds[0].pos[AL_M_LATENCY] };
			r->p->sink->result(r->p->ctx, &result);
		}
	}
}

static void give_rounds(struct al *r, const struct al_cell *c, enum al_metric m)
{
	struct al_round *rounds = ARENA_ARRAY(r->p->arena, c->n_rounds, struct al_round);
	struct point *points = ARENA_ARRAY(r->p->arena, c->n_rounds, struct point);
	double *y = ARENA_ARRAY(r->p->arena, c->n_rounds, double);
	struct param *params = al_params_copy(r, c->params, 1);
	size_t n = 0, least = steady_snia.window;
	for (size_t i = 0; i < c->n_rounds; i++) {
		const struct al_round *k = &c->rounds[i];
		if (isnan(k->value[m]))
			continue;
		points[n] = (struct point){ .t = (double)k->round, .value = k->value[m], .job = k->job, .pos = k->pos[m] };
		rounds[n] = *k;
		y[n++] = k->value[m];
	}
	struct series s = { .kind = SERIES_ROUNDS, .metric = metrics[m].metric, .test = slice_of(metrics[m].test),
		.params = c->params, .points = points, .n = n, .claim_pos = c->claim_pos[m],
		.claimed = !c->judged[m] ? CLAIM_NONE : c->steady[m] ? CLAIM_STEADY : CLAIM_NOT_STEADY };
	if (n == 0)
		return;
	r->p->sink->series(r->p->ctx, &s);
	if (n < least || rounds[n - 1].round - rounds[n - least].round != least - 1)
		return;
	struct steady_window w = steady_window(&steady_snia, y, n - least, least);
	params[c->params.n] = (struct param){ .key = SLICE("steady"), .value = w.steady ? SLICE("yes") : SLICE("no") };
	give_window(r, c, m, &w, (struct params){ params, c->params.n + 1 }, rounds);
	if (m == AL_M_LATENCY)
		give_percentiles(r, c, rounds + w.first, least);
}

/* Several rounds, or one that steady state was asked of. */
static bool in_rounds(const struct al_cell *c)
{
	return c->n_rounds > 1 || (c->n_rounds && (c->judged[AL_M_IOPS] || c->judged[AL_M_BANDWIDTH] || c->judged[AL_M_LATENCY]));
}

/* What is worth a series: of rounds, the rate that suits the pattern, the latency, and what was judged. */
static bool of_interest(const struct al_cell *c, enum al_metric m)
{
	return m == AL_M_LATENCY || m == (c->sequential ? AL_M_BANDWIDTH : AL_M_IOPS) || c->judged[m] || !in_rounds(c);
}

/* Readers show the first series first: rounds, then all targets together over time, then each target. */
void al_cells_give(struct al *r)
{
	for (size_t i = 0; i < r->n_cells; i++)
		for (enum al_metric m = 0; m < AL_METRICS; m++)
			if (in_rounds(&r->cells[i]) && of_interest(&r->cells[i], m))
				give_rounds(r, &r->cells[i], m);
	for (int single = 0; single < 2; single++)
		for (enum al_metric m = 0; m < AL_METRICS; m++)
			for (size_t i = 0; i < r->n_cells; i++)
				for (size_t k = 0; k < r->cells[i].n_tracks; k++)
					if (single == (r->cells[i].tracks[k].target != ALL) && of_interest(&r->cells[i], m))
						give_samples(r, &r->cells[i], &r->cells[i].tracks[k], m);
}
