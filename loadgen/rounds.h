/* rounds: carries a profile out: purge, preconditioning, rounds until steady. */
#ifndef LOADGEN_ROUNDS_H
#define LOADGEN_ROUNDS_H

#include "loadgen/lines.h"
#include "loadgen/view.h"

/* What a cell gave, round by round, and how the last rounds are judged. */
struct history {
	struct figures *rounds;
	double *judged;              /* the metric that steadiness is judged by */
	size_t n;
	struct steady_window window; /* the last one; n 0: none yet */
};

/* What is asked for, and with what. `work` and `purge` stand for work_run and purge_range. */
struct rounds {
	struct arena *arena;
	const struct profile *profile;
	double interval;
	uint64_t seed;
	enum load_engine engine;
	struct target *targets;
	size_t n_targets;
	const volatile sig_atomic_t *stop;
	enum work_end (*work)(const struct work *w, struct target *targets, size_t n, const volatile sig_atomic_t *stop,
		const struct work_events *events);
	bool (*purge)(struct arena *a, const struct target *t, const char **error);
	struct record *record;
	struct view *view;
};

struct outcome {
	enum work_end end;
	bool asked, steady;          /* steady state was asked for; reached in every stage that asks */
	uint64_t errors, corrupt;
};

struct outcome rounds_run(const struct rounds *r);

/* Gives the active range back to the device or file system. False and why not. */
bool purge_range(struct arena *a, const struct target *t, const char **error);

#endif
