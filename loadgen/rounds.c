#define _GNU_SOURCE
#include "loadgen/rounds.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <linux/fs.h>
#include <math.h>
#include <sys/ioctl.h>

struct running {
	const struct rounds *r;
	const struct stage *stage;
	struct history *cells;  /* of the stage, one for each cell of a round */
	struct test test;
	size_t tests;           /* begun so far */
	struct sum *sums;       /* of the test: one for each target, then all */
	struct sum *now;        /* all targets in the interval that is coming in */
	size_t came;            /* targets of it so far: the last one that came, plus 1 */
	double came_at;         /* its end, since the test began */
	bool told_targets, told_test;
	double *written;        /* B written in the stage's rounds, by target */
	struct outcome outcome;
};

bool purge_range(struct arena *a, const struct target *t, const char **error)
{
	uint64_t range[2] = { t->first, t->length };
	int done = t->block_device ? ioctl(t->fd, BLKDISCARD, range)
		: fallocate(t->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)t->first, (off_t)t->length);
	if (done == 0)
		return true;
	*error = arena_printf(a, "%s can't be discarded: %s", t->path, strerror(errno));
	return false;
}

static void say(struct running *g, enum severity severity, const char *message)
{
	record_event(g->r->record, severity, message);
	view_event(g->r->view, severity, message);
}

static void on_event(void *ctx, enum severity severity, const char *message)
{
	say(ctx, severity, message);
}

/* Targets are told before the first test, but which engine is in use is known only once that runs. */
static void tell_test(struct running *g)
{
	const struct rounds *r = g->r;
	for (size_t i = 0; i < r->n_targets && !g->told_targets; i++)
		lines_target(r->record, r->arena, i, &r->targets[i]);
	if (!g->told_test)
		lines_test(r->record, &g->test);
	g->told_targets = g->told_test = true;
}

static void show_now(struct running *g)
{
	if (g->came)
		view_now(g->r->view, g->now, g->came_at);
	*g->now = (struct sum){ 0 };
	g->came = 0;
}

/* The last interval of a target may have no length: then nothing came in it. */
static bool is_empty(const struct interval *v)
{
	const struct tally *r = &v->op[LOAD_READ], *w = &v->op[LOAD_WRITE];
	return !(v->seconds > 0) && !r->ios && !w->ios && !r->errors && !w->errors;
}

static void on_interval(void *ctx, const struct interval *v)
{
	struct running *g = ctx;
	struct sum one = { 0 };
	tell_test(g);
	if (is_empty(v))
		return;
	lines_interval(g->r->record, &g->test, v);
	sum_add(&g->sums[v->target], v);
	/* Targets that have ended don't come any more. */
	if (v->target < g->came)
		show_now(g);
	sum_add(&one, v);
	sum_beside(g->now, &one);
	g->came = v->target + 1;
	g->came_at = v->start + v->seconds;
	if (g->came == g->r->n_targets)
		show_now(g);
}

static void add_up(struct running *g, bool stopped)
{
	const struct rounds *r = g->r;
	struct sum *all = &g->sums[r->n_targets];
	for (size_t i = 0; i < r->n_targets; i++) {
		sum_beside(all, &g->sums[i]);
		g->written[i] += (double)g->sums[i].op[LOAD_WRITE].bytes;
		lines_total(r->record, &g->test, i, &g->sums[i], stopped);
	}
	lines_total(r->record, &g->test, SIZE_MAX, all, stopped);
	for (size_t op = 0; op < LOAD_OPS; op++) {
		g->outcome.errors += all->op[op].errors;
		g->outcome.corrupt += all->op[op].corrupt;
	}
	record_flush(r->record);
}

/* Runs one test. What it gave is in g->sums. */
static enum work_end run_test(struct running *g, const struct work *w, const char *phase, size_t round, size_t cell)
{
	const struct rounds *r = g->r;
	g->test = (struct test){ .number = g->tests++, .phase = phase, .stage = g->stage, .round = round, .work = w,
		.time = load_time(r->arena), .t = load_now() - r->record->started };
	memset(g->sums, 0, (r->n_targets + 1) * sizeof *g->sums);
	*g->now = (struct sum){ 0 };
	g->came = 0;
	g->told_test = false;
	if (g->told_targets)
		tell_test(g);
	view_test(r->view, &g->test, cell);
	const struct work_events events = { .ctx = g, .interval = on_interval, .event = on_event };
	enum work_end end = r->work(w, r->targets, r->n_targets, r->stop, &events);
	/* A file that can't be written to any more tells nothing. */
	if (r->record->error)
		end = WORK_FAILED;
	if (end == WORK_DONE && *r->stop)
		end = WORK_STOPPED;
	tell_test(g);
	add_up(g, end != WORK_DONE);
	return end;
}

static void purge(struct running *g)
{
	const struct rounds *r = g->r;
	const char *error;
	lines_phase(r->record, "purge", g->stage->name, "the active range of each target is discarded");
	view_phase(r->view, "discarding");
	for (size_t i = 0; i < r->n_targets; i++)
		if (!r->purge(r->arena, &r->targets[i], &error))
			say(g, DIAG_WARNING, error);
}

static struct work work_of(const struct running *g)
{
	const struct stage *s = g->stage;
	return (struct work){ .iodepth = (unsigned)s->iodepth, .threads = (unsigned)s->threads, .interval = g->r->interval,
		.verify = s->verify, .seed = g->r->seed + g->tests, .engine = g->r->engine };
}

static enum work_end precondition(struct running *g)
{
	const struct rounds *r = g->r;
	const struct stage *s = g->stage;
	struct work w = work_of(g);
	w.name = "precondition";
	w.block = (size_t)s->precondition_bs;
	w.iodepth = 32;
	w.threads = 1;
	w.passes = s->passes;
	lines_phase(r->record, "precondition", s->name, arena_printf(r->arena,
		"the active range of each target is written %g times in sequence", s->passes));
	return run_test(g, &w, "precondition", 0, 0);
}

/* Steadiness after this round; true when every cell that it is judged by is steady. */
static bool judge(struct running *g, size_t round)
{
	const struct stage *s = g->stage;
	bool all = s->judge != NULL;
	for (size_t i = 0; i < s->n_list && s->judge; i++) {
		struct history *h = &g->cells[i];
		size_t n = h->n < s->judge->window ? h->n : s->judge->window;
		if (!s->list[i].tracked)
			continue;
		h->window = steady_window(s->judge, h->judged, h->n - n, n);
		lines_steady(g->r->record, s->name, s->list[i].name, s->judged, round, &h->window);
		all = all && h->window.steady;
	}
	return all;
}

static enum work_end run_round(struct running *g, size_t round)
{
	const struct stage *s = g->stage;
	for (size_t i = 0; i < s->n_list; i++) {
		const struct cell *c = &s->list[i];
		struct work w = work_of(g);
		w.name = c->name;
		w.block = (size_t)c->block;
		w.read_percent = c->read_percent;
		w.random = c->random;
		w.random_map = s->random_map && c->random;
		w.zones = c->random ? s->zone : NULL;
		w.n_zones = c->random ? s->n_zones : 0;
		w.seconds = s->runtime;
		w.ramp = s->ramp;
		w.rate = s->rate;
		enum work_end end = run_test(g, &w, "rounds", round, i);
		/* A part of a round is no round, but of a single measurement it is worth showing. */
		if (end == WORK_FAILED || (end == WORK_STOPPED && s->judge))
			return end;
		struct history *h = &g->cells[i];
		h->rounds[h->n] = sum_figures(&g->sums[g->r->n_targets]);
		h->judged[h->n] = figures_of(&h->rounds[h->n], s->judged);
		h->n++;
		if (end != WORK_DONE)
			return end;
	}
	return WORK_DONE;
}

static bool written_enough(const struct running *g)
{
	const struct rounds *r = g->r;
	for (size_t i = 0; i < r->n_targets; i++)
		if (g->written[i] < g->stage->written * (double)r->targets[i].length)
			return false;
	return g->stage->written > 0;
}

static enum work_end run_rounds(struct running *g)
{
	const struct rounds *r = g->r;
	const struct stage *s = g->stage;
	size_t limit = (size_t)s->rounds;
	bool steady = false;
	enum work_end end = WORK_DONE;
	memset(g->written, 0, r->n_targets * sizeof *g->written);
	lines_phase(r->record, "rounds", s->name, arena_printf(r->arena, "at most %zu rounds of %zu cells%s", limit, s->n_list,
		s->judge ? ", until steady" : ""));
	for (size_t round = 1; round <= limit && end == WORK_DONE && !steady && !written_enough(g); round++) {
		end = run_round(g, round);
		if (end == WORK_DONE) {
			steady = judge(g, round);
			view_round(r->view, g->cells, round);
		}
	}
	if (s->judge) {
		g->outcome.steady = (g->outcome.steady || !g->outcome.asked) && steady;
		g->outcome.asked = true;
	}
	return end;
}

static enum work_end run_stage(struct running *g)
{
	const struct stage *s = g->stage;
	struct arena *a = g->r->arena;
	size_t limit = (size_t)s->rounds;
	g->cells = ARENA_ARRAY(a, s->n_list, struct history);
	for (size_t i = 0; i < s->n_list; i++) {
		g->cells[i].rounds = ARENA_ARRAY(a, limit, struct figures);
		g->cells[i].judged = ARENA_ARRAY(a, limit, double);
	}
	view_stage(g->r->view, s);
	if (s->purge)
		purge(g);
	enum work_end end = *g->r->stop ? WORK_STOPPED : s->passes > 0 ? precondition(g) : WORK_DONE;
	if (end == WORK_DONE)
		end = run_rounds(g);
	view_stage_done(g->r->view, g->cells);
	return end;
}

struct outcome rounds_run(const struct rounds *r)
{
	struct running g = { .r = r, .sums = ARENA_ARRAY(r->arena, r->n_targets + 1, struct sum),
		.now = ARENA_NEW(r->arena, struct sum), .written = ARENA_ARRAY(r->arena, r->n_targets, double) };
	for (size_t i = 0; i < r->profile->n_stages && g.outcome.end == WORK_DONE; i++) {
		g.stage = &r->profile->stages[i];
		g.outcome.end = run_stage(&g);
	}
	/* What was not begun was not shown either. */
	for (size_t i = 0; i < r->profile->n_stages && g.outcome.end != WORK_DONE; i++)
		g.outcome.asked |= r->profile->stages[i].judge != NULL;
	g.outcome.steady = g.outcome.steady && g.outcome.end == WORK_DONE;
	return g.outcome;
}
