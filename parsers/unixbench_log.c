/* UnixBench 5 and 6: its log, with every pass of every test and the results as they were computed, not rounded. */
#include "parsers/unixbench_report.h"

#include "base/num.h"

#include <math.h>
#include <stdlib.h>

enum { PASSES = 64 };

/* Of all copies: their counts added up, their mean time. */
struct pass {
	double count, time;  /* s */
	double base;         /* the count is per this many seconds; 0: it is a rate */
	unsigned copies;
};

struct log_report {
	struct ub_report report;  /* first: the state that unixbench_report keeps */
	struct slice copies;
	/* Of the present test. */
	struct ub_row *row;
	struct pos pos;
	const struct unit_scale *unit;
	struct pass passes[PASSES];
	unsigned n_passes;
	double own_time;          /* of the present copy, as its program measured it; 0: it did not */
	bool scored, unsure;      /* a line that its score depends on was not readable */
};

/* ---- the passes ---- */

static int by_count(const void *a, const void *b)
{
	const struct pass *x = a, *y = b;
	return (x->count > y->count) - (x->count < y->count);
}

/* UnixBench's own rule: the geometric mean of the passes without the lowest third of the counts. NAN: not known. */
static double expected(struct log_report *l)
{
	double sum = 0;
	unsigned dropped = l->n_passes / 3;
	if (l->unsure || l->n_passes == 0)
		return NAN;
	qsort(l->passes, l->n_passes, sizeof *l->passes, by_count);
	for (unsigned i = dropped; i < l->n_passes; i++) {
		const struct pass *p = &l->passes[i];
		double time = p->copies ? p->time / p->copies : 0;
		if (p->count <= 0)
			return NAN; /* versions differ in what they make of it */
		sum += log(p->base > 0 && time > 0 ? p->count / (time / p->base) : p->count);
	}
	return exp(sum / (l->n_passes - dropped));
}

static struct pass *the_pass(struct log_report *l)
{
	if (l->n_passes == 0)
		l->passes[l->n_passes++] = (struct pass){ .copies = 0 };
	return &l->passes[l->n_passes - 1];
}

static bool on_pass(struct rules *r)
{
	struct log_report *l = r->state;
	l->unsure |= l->n_passes == PASSES;
	if (l->n_passes < PASSES)
		l->passes[l->n_passes++] = (struct pass){ .copies = 0 };
	return false;
}

static bool on_figure(struct rules *r)
{
	struct log_report *l = r->state;
	struct slice key = rules_group(r, 0), value = rules_group(r, 1);
	struct pass *p = the_pass(l);
	double x;
	if (slice_is(key, "COUNT2")) {
		l->unit = unit_find(ub_dialect, value);
		return false;
	}
	if (num_double(value, &x) != NUM_OK) {
		l->unsure = true;
		return false;
	}
	if (slice_is(key, "COUNT0")) {
		p->count += x;
		l->own_time = 0;
	} else if (slice_is(key, "COUNT1")) {
		p->base = p->copies ? p->base : x;
	} else if (slice_is(key, "TIME")) {
		l->own_time = x;
	} else { /* "elapsed", the last of a copy's lines */
		p->time += l->own_time > 0 ? l->own_time : x;
		p->copies++;
	}
	return false;
}

static bool on_error(struct rules *r)
{
	const struct log_report *l = r->state;
	struct slice name = l->row ? l->row->name : SLICE("");
	rules_diag(r, DIAG_WARNING, rules_here(r), "UnixBench aborted the run%s%.*s", name.n ? " at " : "", SLICE_ARG(name));
	return false;
}

/* ---- a test ---- */

static void end_test(struct rules *r)
{
	struct log_report *l = r->state;
	if (l->row && !l->scored)
		rules_diag(r, DIAG_WARNING, l->pos, "%.*s ends without its score", SLICE_ARG(l->row->name));
	l->row = NULL;
}

static bool on_test(struct rules *r)
{
	struct log_report *l = r->state;
	struct slice name = rules_group(r, 0), copies = rules_group(r, 1);
	end_test(r);
	if (r->open && slice_eq(copies, l->copies))
		l->row = ub_row_of(r, name);
	if (!l->row || l->row->run) {
		l->report.rates_only = true;
		ub_begin(r);
		rules_param(r, "copies", copies, rules_pos(r, copies.p));
		l->row = ub_row_of(r, name);
		l->copies = ub_kept(r, copies);
	}
	l->pos = rules_here(r);
	l->unit = NULL;
	l->n_passes = 0;
	l->scored = l->unsure = false;
	return false;
}

static bool on_score(struct rules *r)
{
	struct log_report *l = r->state;
	struct unit_scale scale;
	if (!l->row || l->scored)
		return false;
	if (!l->unit && !ub_scale_unprinted(l->row->name, &scale)) {
		rules_diag(r, DIAG_WARNING, rules_here(r), "the unit of %.*s is neither printed here nor known: no value is reported",
			SLICE_ARG(l->row->name));
		return false;
	}
	struct result *k = ub_add_rate(r, l->row, rules_group(r, 0), SLICE_NONE, l->unit ? *l->unit : scale);
	double should = expected(l);
	l->scored = k;
	if (k && !isnan(should) && fabs(l->row->raw - should) > l->row->raw_half + 1e-6 * fabs(should)) {
		k->flags |= RESULT_SUSPECT;
		rules_diag(r, DIAG_WARNING, k->q.pos, "the score of %.*s is %.*s, but its passes make it %.10g",
			SLICE_ARG(l->row->name), SLICE_ARG(rules_group(r, 0)), should);
	}
	return false;
}

static bool on_samples(struct rules *r)
{
	const struct log_report *l = r->state;
	size_t n;
	struct result *all = rules_results(r, &n);
	if (l->row && l->scored && n)
		ub_samples(r, &all[n - 1], rules_group(r, 0));
	return false;
}

static void finish(struct rules *r)
{
	if (r->ended)
		end_test(r);
	ub_finish(r);
}

static const struct rule rules[] = {
	{
		.id = "test", .action = on_test, .pattern = "(?<test>[A-Z0-9].{1,60}?) -- (?<copies>\\d+) cop(?:y|ies)$",
		.sample = "Recursion Test -- Tower of Hanoi -- 1 copy", .fields = FIELDS(KEEP("test"), KEEP("copies")),
	},
	{ .id = "pass", .action = on_pass, .pattern = "#### Pass \\d+$", .sample = "#### Pass 1" },
	{
		.id = "figure", .action = on_figure, .pattern = "# (?<key>COUNT[012]|TIME|elapsed): (?<value>\\S+)$",
		.sample = "# COUNT0: 1816143", .fields = FIELDS(KEEP("key"), KEEP("value")),
	},
	{ .id = "error", .action = on_error, .pattern = "# ERROR: ", .sample = "# ERROR: Command \"dc\" didn't exec" },
	{
		.id = "score", .action = on_score, .pattern = "score: (?<score>\\S+)$", .sample = "score: 181040.600441262",
		.fields = FIELDS(KEEP("score")),
	}, {
		.id = "samples", .action = on_samples, .pattern = "iterations: (?<samples>\\d+)$", .sample = "iterations: 7",
		.fields = FIELDS(KEEP("samples")),
	},
	{ .id = NULL }
};

static const struct ruleset set = {
	.tool = "unixbench", .rules = rules, .dialect = ub_dialect, .state_size = sizeof(struct log_report), .finish = finish,
};

static int probe(const struct peek *peek)
{
	static const char *const own[] = { "\n# COUNT0: ", "\n>>>> score: ", "\n#### Pass 1" };
	int bid = 0;
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (slice_find(peek->head, slice_of(own[i])) != (size_t)-1)
			bid += 8 * (int)strlen(own[i]);
	return bid;
}

/* The lines that begin its output between other tools'. */
static const struct rule starts[] = {
	{ .id = "test",
	  .pattern = "(?:Dhry|Double|Exec|File |Pipe|Process|Shell|System|\\dD |Arith|C Comp|Dc|Recurs|Grep)[^|]{1,50}? -- "
	    "\\d+ cop(?:y|ies)$",
	   .sample = "System Call Overhead -- 2 copies" },
	{ .id = "pass", .pattern = "#### Pass \\d+$",
	  .sample = "#### Pass 1" },
	{ .id = "count", .pattern = "# COUNT\\d: \\S+$",
	  .sample = "# COUNT0: 25865770" },
	{ .id = NULL }
};

const struct parser parser_unixbench_log = {
	.name = "unixbench-log", .title = "UnixBench log", .tool = "unixbench", .probe = probe, .rules = &set,
	.starts = starts,
};
