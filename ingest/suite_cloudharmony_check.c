/* What the suite prints, claims and was told, against what its jobs did. Each finding is one sentence with its place. */
#include "ingest/suite_cloudharmony.h"

#include "base/num.h"

#include <math.h>
#include <stdio.h>

static struct diags *diags(struct ch_suite *s)
{
	return &s->dataset->diags;
}

static const char *file(struct pos p)
{
	return p.source ? p.source->name : "?";
}

/* "data excursion 57.4 % of the mean (20 % allowed), slope excursion 21.8 % (10 %)" */
static const char *excursions(struct ch_suite *s, const struct steady_window *w)
{
	return arena_printf(s->dataset->arena, "data excursion %.3g %% of the mean (%.3g %% allowed), slope excursion %.3g %% "
		"(%.3g %%)", 100 * w->data_excursion / w->mean, 100 * steady_snia.range, 100 * w->slope_excursion / w->mean,
		100 * steady_snia.rise);
}

static struct pos window_pos(const struct ch_cell *c)
{
	return c->rounds[c->window.first].pos;
}

/* Cells without a window, said once per test. */
static void check_rounds(struct ch_suite *s, const struct cloudharmony_test *test)
{
	const struct ch_cell *first = NULL;
	size_t missing = 0;
	for (size_t i = 0; i < s->n_cells; i++) {
		const struct ch_cell *c = &s->cells[i];
		if (c->test != test || c->judged)
			continue;
		missing++;
		first = first ? first : c;
	}
	if (!first)
		return;
	struct pos pos = first->n_rounds ? first->rounds[0].job->pos : (struct pos){ .source = s->run->source };
	const char *more = missing > 1 ? arena_printf(s->dataset->arena, " (and %zu more)", missing - 1) : "";
	if (first->cut)
		diag_add(diags(s), DIAG_WARNING, pos, "the file is cut: which rounds of %s%s were the last is not known, and no "
			"steady state is derived", first->text, more);
	else
		diag_add(diags(s), DIAG_WARNING, pos, "%s%s has %zu round%s, steady state takes %zu in a row: none is "
			"derived", first->text, more, first->n_rounds, first->n_rounds == 1 ? "" : "s", steady_snia.window);
}

/* The suite marks the last five rounds whether it reached steady state or not. */
static void check_marks(struct ch_suite *s, const struct ch_cell *c)
{
	const struct ch_round *marked = NULL;
	for (size_t i = 0; i < c->n_rounds && !marked; i++)
		marked = c->rounds[i].ssmw ? &c->rounds[i] : NULL;
	if (!marked || !c->tracked)
		return;
	if (c->claimed == CLAIM_NOT_STEADY)
		diag_add(diags(s), DIAG_WARNING, marked->job->pos, "jobs of %s are marked -ssmw, steady state, but the suite did not "
			"reach it: %s has no ss_average", c->text, s->options->source->name);
	else if (c->claimed == CLAIM_NONE && c->judged && !c->window.steady)
		diag_add(diags(s), DIAG_WARNING, marked->job->pos, "jobs of %s are marked -ssmw, steady state, but are not: %s",
			c->text, excursions(s, &c->window));
}

/* The suite's own figures of a cell against its rounds. */
static void check_claim(struct ch_suite *s, const struct ch_cell *c)
{
	if (c->claimed != CLAIM_STEADY || !c->judged)
		return;
	double printed = c->claim->q.value, slack = 1.001 * c->claim->q.half_digit;
	/* The suite rounds each point of throughput to 0.01 MiB/s first. */
	if (c->test->metric == METRIC_BANDWIDTH)
		slack += 0.0055 * c->test->factor;
	if (fabs(printed - c->window.mean) > slack + 0.0005 * c->test->factor)
		diag_add(diags(s), DIAG_WARNING, c->claim->q.pos, "ss_average %.*s is not the mean of the last %zu rounds of %s, "
			"%.6g", SLICE_ARG(c->claim->q.text), c->window.n, c->text, c->window.mean / c->test->factor);
	if (!c->window.steady)
		diag_add(diags(s), DIAG_WARNING, c->claim->q.pos, "%s is steady by the suite's account, but not by SNIA PTS: %s",
			c->text, excursions(s, &c->window));
}

/* Steady state is judged on one cell; the others are taken for steady with it. */
static void check_others(struct ch_suite *s, const struct ch_cell *tracked)
{
	const struct ch_cell *worst = NULL;
	size_t unsteady = 0, all = 0;
	if (!tracked->tracked || !tracked->judged || !tracked->window.steady)
		return;
	for (size_t i = 0; i < s->n_cells; i++) {
		const struct ch_cell *c = &s->cells[i];
		if (c->test != tracked->test || c == tracked || !c->judged || (!tracked->test->bs && strcmp(c->bs, tracked->bs) != 0))
			continue;
		all++;
		unsteady += !c->window.steady;
		if (!c->window.steady && (!worst || c->window.data_excursion / c->window.mean
			> worst->window.data_excursion / worst->window.mean))
			worst = c;
	}
	if (worst)
		diag_add(diags(s), DIAG_WARNING, window_pos(worst), "the suite judged steady state on %s alone: of %zu other cells "
			"%zu %s not steady, the worst is %s: %s", tracked->text, all, unsteady, unsteady == 1 ? "is" : "are",
			worst->text, excursions(s, &worst->window));
}

/* Cells that did not run with the mix in their name, said once per test. */
static void check_mix(struct ch_suite *s, const struct cloudharmony_test *test)
{
	const struct ch_cell *first = NULL;
	size_t n = 0;
	for (size_t i = 0; i < s->n_cells; i++) {
		const struct ch_cell *c = &s->cells[i];
		if (c->test != test || !c->actual_mix[0])
			continue;
		n++;
		first = first ? first : c;
	}
	if (!first)
		return;
	const struct job *job = first->rounds[0].job;
	const struct param *rate = params_find(job->options, "rate_iops");
	const char *why = rate ? arena_printf(s->dataset->arena, ", for rate_iops=%.*s limits reads and writes each",
		SLICE_ARG(rate->value)) : "";
	const char *more = n > 1 ? arena_printf(s->dataset->arena, "; %zu cells of this test did not run with the mix in their "
		"names", n) : "";
	diag_add(diags(s), DIAG_WARNING, rate && rate->pos.source ? rate->pos : job->pos, "%s was really %s%s%s", first->text,
		first->actual_mix, why, more);
}

/* .options has room for one window's figures. */
static void check_overwritten(struct ch_suite *s)
{
	const struct param *average = ch_option(s, cloudharmony_ss[0].key);
	const struct ch_cell *kept = NULL;
	struct buf lost = BUF_EMPTY;
	size_t windows = 0;
	for (size_t i = 0; i < s->n_cells; i++) {
		const struct ch_cell *c = &s->cells[i];
		if (!c->tracked)
			continue;
		windows++;
		if (c->claim && c->claim->q.pos.source == s->options->source)
			kept = c;
		else
			buf_printf(&lost, "%s%s", lost.n ? ", " : "", c->text);
	}
	if (windows > 1 && kept)
		diag_add(diags(s), DIAG_NOTE, average->pos, "these steady-state figures are of %s; those of %.*s were overwritten",
			kept->text, SLICE_ARG(buf_view(&lost)));
	else if (windows > 0 && !kept)
		diag_add(diags(s), DIAG_WARNING, average->pos, "ss_average %.*s fits none, or more than one, of the windows of %.*s",
			SLICE_ARG(average->value), SLICE_ARG(buf_view(&lost)));
	buf_free(&lost);
}

static void check_limits(struct ch_suite *s)
{
	const struct param *limit = ch_option(s, "ss_verification");
	if (limit && !slice_is(limit->value, "10"))
		diag_add(diags(s), DIAG_NOTE, limit->pos, "the suite was told to judge steady state at %.*s %%; SNIA PTS, and what is "
			"derived here, at 10 %% for the slope and 20 %% for the range", SLICE_ARG(limit->value));
}

static void check_range(struct ch_suite *s)
{
	const struct param *range = ch_option(s, "active_range"), *size = ch_option(s, "fio_options.size");
	if (range && size && slice_is(range->value, "100"))
		diag_add(diags(s), DIAG_NOTE, range->pos, "active_range=100 says the whole of each target, but fio was limited to "
			"size=%.*s", SLICE_ARG(size->value));
}

/* Printed figures against the rounds they are made of. */

static const struct ch_cell *printed_cell(const struct ch_suite *s, const struct result *r, bool *known_test)
{
	const struct param *bs = params_find(r->params, "bs"), *mix = params_find(r->params, "mix");
	for (size_t i = 0; i < s->n_cells; i++) {
		const struct ch_cell *c = &s->cells[i];
		if (!slice_is(r->test, c->test->name))
			continue;
		*known_test = true;
		if ((!bs && c->tracked) || (bs && mix && slice_is(bs->value, c->bs) && slice_is(mix->value, c->mix)))
			return c;
	}
	return NULL;
}

static void compare_printed(struct ch_suite *s, const struct result *r, const struct ch_cell *c)
{
	double slack = 1.001 * r->q.half_digit + (c->test->metric == METRIC_BANDWIDTH ? 0.0055 * c->test->factor : 0)
		+ 1e-9 * fabs(r->q.value), mean = c->window.mean, all = c->all_sum / (double)c->all_n;
	if (fabs(r->q.value - mean) > slack && c->all_n > c->n_rounds && fabs(r->q.value - all) <= slack)
		diag_add(diags(s), DIAG_NOTE, r->q.pos, "%.*s is the mean of all %zu jobs, not of the %zu that steady state is judged "
			"on, %.6g", SLICE_ARG(r->q.text), c->all_n, c->window.n, mean / c->test->factor);
	else if (fabs(r->q.value - mean) > slack)
		diag_add(diags(s), DIAG_WARNING, r->q.pos, "%.*s is printed for %s, but the mean of its last %zu rounds is %.6g",
			SLICE_ARG(r->q.text), c->text, c->window.n, mean / c->test->factor);
	if (c->tracked && !c->window.steady)
		diag_add(diags(s), DIAG_WARNING, r->q.pos, "%.*s is printed as the result of %s though steady state was not reached: "
			"%s", SLICE_ARG(r->q.text), c->text, excursions(s, &c->window));
}

static void check_printed(struct ch_suite *s, const struct run *member)
{
	const struct result *stale = NULL;
	size_t n_stale = 0;
	for (size_t i = 0; i < member->n_results; i++) {
		const struct result *r = &member->results[i];
		bool known_test = false;
		if (params_find(r->params, "by") || params_find(r->params, "wait")
			|| !(slice_is(r->stat, "value") || slice_is(r->stat, "mean")))
			continue;
		const struct ch_cell *c = printed_cell(s, r, &known_test);
		if (!c && known_test && n_stale++ == 0)
			stale = r;
		if (c && c->judged)
			compare_printed(s, r, c);
	}
	if (stale && !s->run->damaged)
		diag_add(diags(s), DIAG_WARNING, stale->q.pos, "there is no fio job behind %zu of the figures printed here, the first "
			"is %.*s: they are left from an earlier run into this directory, or their jobs are missing", n_stale,
			SLICE_ARG(stale->q.text));
}

/* What .options says of the jobs, against the jobs. */

static bool same_value(struct slice a, struct slice b)
{
	struct quantity x, y;
	const char *error;
	return slice_eq(a, b) || (quantity_parse(a, UNIT_B, &x, NULL, &error) && quantity_parse(b, UNIT_B, &y, NULL, &error)
		&& x.value == y.value);
}

static void check_parameter(struct ch_suite *s, const struct param *told, const char *key, bool latency_too)
{
	const struct job *first = NULL;
	const struct param *found = NULL;
	size_t n = 0;
	for (size_t i = 0; i < s->n_cells; i++)
		for (size_t k = 0; k < s->cells[i].n_rounds; k++) {
			const struct job *job = s->cells[i].rounds[k].job;
			const struct param *p = params_find(job->options, key);
			if ((!latency_too && s->cells[i].test->metric == METRIC_LATENCY) || (p && same_value(p->value, told->value)))
				continue;
			if (n++ == 0) {
				first = job;
				found = p;
			}
		}
	if (!first)
		return;
	const char *ran = found ? arena_printf(s->dataset->arena, "%s=%.*s", key, SLICE_ARG(found->value))
		: arena_printf(s->dataset->arena, "no %s", key);
	diag_add(diags(s), DIAG_WARNING, found && found->pos.source ? found->pos : first->pos, "%zu jobs, first %.*s, ran "
		"with %s, though %s:%u says %.*s=%.*s", n, SLICE_ARG(first->name), ran, file(told->pos), told->pos.line,
		SLICE_ARG(told->key), SLICE_ARG(told->value));
}

static void check_parameters(struct ch_suite *s)
{
	static const struct { const char *option, *key; bool latency_too; } other[] = {
		{ "oio_per_thread", "iodepth", false }, /* latency runs with one I/O outstanding */
		{ "threads", "numjobs", false },
		{ "wd_test_duration", "runtime", true },
	};
	enum { MAX_OPTIONS = 64 };
	size_t n = 0;
	for (size_t i = 0; i < s->options->attrs.n && n < MAX_OPTIONS; i++) {
		const struct param *told = &s->options->attrs.v[i];
		if (!slice_starts(told->key, "fio_options."))
			continue;
		n++;
		/* A false option is one that fio was not told, or told without a value. */
		if (told->value.n && !slice_is(told->value, "0"))
			check_parameter(s, told, arena_string(s->dataset->arena, slice_from(told->key, strlen("fio_options."))), true);
	}
	for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
		const struct param *told = ch_option(s, other[i].option);
		if (told)
			check_parameter(s, told, other[i].key, other[i].latency_too);
	}
}

/* Targets: every one in every job, and none left out by the pattern that listed them. */

enum { MAX_TARGETS = 4096 };

/* A device itself, or the suite's file in a directory. */
static bool is_target(struct slice used, struct slice told)
{
	return slice_eq(used, told)
		|| (used.n > told.n && used.p[told.n] == '/' && slice_eq(slice_head(used, told.n), told));
}

static bool uses(const struct job *job, struct slice target)
{
	for (size_t i = 0; i < job->options.n; i++)
		if (slice_is(job->options.v[i].key, "target") && is_target(job->options.v[i].value, target))
			return true;
	return false;
}

static size_t targets_of(struct params p)
{
	size_t n = 0;
	for (size_t i = 0; i < p.n; i++)
		n += slice_is(p.v[i].key, "target");
	return n;
}

static void check_job_targets(struct ch_suite *s, const struct param *targets, size_t n)
{
	const struct job *poor = NULL;
	size_t jobs = 0;
	for (size_t i = 0; i < s->n_cells; i++)
		for (size_t k = 0; k < s->cells[i].n_rounds; k++)
			if (targets_of(s->cells[i].rounds[k].job->options) < n) {
				poor = poor ? poor : s->cells[i].rounds[k].job;
				jobs++;
			}
	for (size_t i = 0; poor && i < n; i++)
		if (!uses(poor, targets[i].value)) {
			diag_add(diags(s), DIAG_WARNING, targets[i].pos, "target %.*s has no part in job %.*s (%s:%u); %zu jobs have "
				"fewer targets than were told", SLICE_ARG(targets[i].value), SLICE_ARG(poor->name), file(poor->pos),
				poor->pos.line, jobs);
			return;
		}
}

/* "/dev/nvme10n1" → "/dev/nvme", 10, "n1" */
static bool numbered(struct slice path, struct slice *before, uint64_t *n, struct slice *after)
{
	size_t start = path.n, end;
	while (start > 0 && path.p[start - 1] != '/')
		start--;
	while (start < path.n && (path.p[start] < '0' || path.p[start] > '9'))
		start++;
	for (end = start; end < path.n && path.p[end] >= '0' && path.p[end] <= '9'; end++)
		;
	*before = slice_head(path, start);
	*after = slice_from(path, end);
	return end > start && num_u64((struct slice){ path.p + start, end - start }, n) == NUM_OK;
}

static void check_target_names(struct ch_suite *s, const struct param *targets, size_t n)
{
	struct slice before, after, b, a;
	uint64_t first, k, min, max;
	if (n < 2 || !numbered(targets[0].value, &before, &first, &after))
		return;
	min = max = first;
	for (size_t i = 1; i < n; i++) {
		if (!numbered(targets[i].value, &b, &k, &a) || !slice_eq(a, after) || !slice_eq(b, before))
			return;
		min = k < min ? k : min;
		max = k > max ? k : max;
	}
	if (max - min + 1 > n)
		diag_add(diags(s), DIAG_WARNING, targets[0].pos, "the %zu targets are numbered %llu to %llu: %llu in between were not "
			"measured", n, (unsigned long long)min, (unsigned long long)max, (unsigned long long)(max - min + 1 - n));
	else if (n == 10 && min == 0 && max == 9)
		diag_add(diags(s), DIAG_NOTE, targets[0].pos, "the targets are numbered 0 to 9, all that the pattern [0-9] finds: "
			"drives from 10 on, if there are any, were not measured");
}

static void check_targets(struct ch_suite *s)
{
	size_t n = targets_of(s->options->attrs), k = 0;
	if (n == 0 || n > MAX_TARGETS)
		return;
	struct param *targets = ARENA_ARRAY(s->dataset->arena, n, struct param);
	for (size_t i = 0; i < s->options->attrs.n; i++)
		if (slice_is(s->options->attrs.v[i].key, "target"))
			targets[k++] = s->options->attrs.v[i];
	check_job_targets(s, targets, n);
	check_target_names(s, targets, n);
}

/* The command on the provider's page for the OCI NVMe SLA skips preconditioning with an option whose dash is no hyphen.
 * Typed as it is printed, the option becomes part of the one before it and is lost: no trace of it is left but the rest
 * of that command. */
static void check_published_command(struct ch_suite *s)
{
	static const char *const skipped[] = { "512b", "8k", "16k", "32k", "64k", "128k", "1m" };
	const struct param *nopurge = ch_option(s, "nopurge"), *test = ch_option(s, "test");
	size_t found = 0;
	if (!nopurge || ch_option(s, "noprecondition") || !ch_option(s, "fio_direct") || !ch_option(s, "fio_size") || !test
		|| !slice_is(test->value, "iops"))
		return;
	for (size_t i = 0; i < s->options->attrs.n; i++)
		for (size_t k = 0; k < sizeof skipped / sizeof *skipped; k++)
			found += slice_is(s->options->attrs.v[i].key, "skip_blocksize")
				&& slice_is(s->options->attrs.v[i].value, skipped[k]);
	if (found != sizeof skipped / sizeof *skipped)
		return;
	diag_add(diags(s), DIAG_WARNING, nopurge->pos, "these are the options of the command published for the OCI NVMe SLA, but "
		"noprecondition is absent: the dash before it on that page is no hyphen, and typed as printed the option is lost "
		"in --nopurge%s", s->wipc ? arena_printf(s->dataset->arena, "; %u preconditioning jobs did run, the first at %s:%u",
		s->wipc_jobs, file(s->wipc->pos), s->wipc->pos.line) : "");
}

/* The suite takes the names of three tests that it has no code for, and ends with status 0. */
static void check_asked_tests(struct ch_suite *s)
{
	static const char *const empty[] = { "xsr", "ecw", "dirth" };
	for (size_t i = 0; i < s->options->attrs.n; i++) {
		const struct param *p = &s->options->attrs.v[i];
		bool there = !slice_is(p->key, "test"), unwritten = false;
		for (size_t k = 0; k < s->n_cells && !there; k++)
			there = slice_is(p->value, s->cells[k].test->name);
		for (size_t k = 0; k < sizeof empty / sizeof *empty; k++)
			unwritten |= slice_is(p->value, empty[k]);
		if (!there)
			diag_add(diags(s), DIAG_WARNING, p->pos, "test %.*s was asked for, but none of its jobs is here%s",
				SLICE_ARG(p->value), unwritten ? ": the suite only has its name" : "");
	}
}

void ch_check(struct ch_suite *s)
{
	for (size_t i = 0; i < s->n_cells; i++) {
		const struct ch_cell *c = &s->cells[i];
		bool first_of_test = true;
		for (size_t k = 0; k < i; k++)
			first_of_test &= s->cells[k].test != c->test;
		if (first_of_test) {
			check_rounds(s, c->test);
			check_mix(s, c->test);
		}
		check_marks(s, c);
		check_claim(s, c);
		check_others(s, c);
	}
	for (size_t i = 0; i < s->n_members; i++)
		if (slice_is(s->members[i]->tool, "cloudharmony"))
			check_printed(s, s->members[i]);
	if (!s->options)
		return;
	if (ch_option(s, cloudharmony_ss[0].key))
		check_overwritten(s);
	check_limits(s);
	check_range(s);
	check_parameters(s);
	check_targets(s);
	check_published_command(s);
	check_asked_tests(s);
}
