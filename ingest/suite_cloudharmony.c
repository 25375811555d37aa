/* Puts a block-storage run together: whose files, which cells, which rounds, and what follows from them. */
#include "ingest/suite_cloudharmony.h"

#include "base/num.h"
#include "ingest/suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Intervals of a round in the tests that have several, of which the last counts. */
enum { WSAT_INTERVALS = 31, HIR_INTERVALS = 30 };
/* More than all tests have together; what a hostile file names beyond is left out. */
enum { MAX_CELLS = 1024 };

const struct param *ch_option(const struct ch_suite *s, const char *key)
{
	return s->options ? params_find(s->options->attrs, key) : NULL;
}

/* Which runs are of this suite. */

static struct slice base_name(struct slice path)
{
	struct slice part, last = path;
	while (slice_cut(&path, '/', &part))
		last = part;
	return last;
}

static bool is_csv(const struct run *r)
{
	return slice_ends(slice_of(r->source->name), ".csv");
}

/* A run of .options, a summary or a CSV of this suite, not of its sisters. */
static bool is_summary(const struct run *r)
{
	if (!slice_is(r->tool, "cloudharmony"))
		return false;
	if (params_find(r->attrs, "active_range"))
		return true;
	for (size_t i = 0; i < r->n_results; i++)
		if (params_find(r->results[i].params, "mix") || slice_is(r->results[i].test, "wsat")
			|| slice_is(r->results[i].test, "hir"))
			return true;
	return false;
}

static bool is_wipc(struct slice name)
{
	return slice_starts(name, "wipc-");
}

static bool is_fio(const struct run *r)
{
	struct ch_name name;
	if (!slice_is(r->tool, "fio"))
		return false;
	for (size_t i = 0; i < r->n_jobs; i++)
		if ((is_wipc(r->jobs[i]->name) || ch_name_parse(r->jobs[i]->name, &name))
			&& params_find(r->jobs[i]->options, "fio_command"))
			return true;
	return false;
}

/* Which test a job belongs to. */

static bool option_is(const struct job *job, const char *key, const char *value)
{
	const struct param *p = params_find(job->options, key);
	return p && slice_is(p->value, value);
}

static const char *test_by_command(const struct job *job, const struct ch_name *name)
{
	if (name->sequential)
		return "throughput";
	if (name->hir)
		return "hir";
	/* Two numbers: an interval, and the target's. */
	if (name->n_numbers == 2)
		return "wsat";
	return option_is(job, "lockfile", "exclusive") ? "latency" : "iops";
}

/* fio-throughput-1024k.json → throughput */
static struct slice test_in_name(struct slice file)
{
	size_t n = 4;
	if (!slice_starts(file, "fio-"))
		return SLICE("");
	while (n < file.n && file.p[n] != '-' && file.p[n] != '.')
		n++;
	return (struct slice){ file.p + 4, n - 4 };
}

/* The file's name says it, or a column of fio.csv, unless the jobs contradict it. */
static const struct cloudharmony_test *test_of(const struct run *r, const struct job *job, const struct ch_name *name)
{
	const struct param *column = is_csv(r) ? params_find(job->options, "test") : NULL;
	const struct cloudharmony_test *said = cloudharmony_test_find(column ? column->value
		: test_in_name(base_name(slice_of(r->source->name))));
	if (!said || (strcmp(said->name, "throughput") == 0) != name->sequential
		|| (strcmp(said->name, "hir") == 0) != name->hir)
		return cloudharmony_test_find(slice_of(test_by_command(job, name)));
	return said;
}

/* Whether this job's figure stands for its round, and not only leads up to it. */
static bool counts(const struct cloudharmony_test *test, const struct ch_name *name)
{
	if (strcmp(test->name, "wsat") == 0)
		return name->n_numbers > 0 && name->numbers[0] > 0 && name->numbers[0] % WSAT_INTERVALS == 0;
	if (strcmp(test->name, "hir") == 0)
		return name->numbers[0] == HIR_INTERVALS;
	return true;
}

/* Figures of a run's jobs, by their ordinal, in one pass. */
static struct ch_figures *digest(struct arena *a, const struct run *r)
{
	static const struct { enum metric_id metric; const char *stat; } wanted[CH_FIGURES] = {
		[CH_IOPS] = { METRIC_IOPS, "value" },
		[CH_BANDWIDTH] = { METRIC_BANDWIDTH, "value" },
		[CH_LATENCY] = { METRIC_LATENCY, "mean" },
		[CH_IO] = { METRIC_IO, "value" },
	};
	struct ch_figures *all = ARENA_ARRAY(a, r->n_jobs, struct ch_figures);
	for (size_t i = 0; i < r->n_results; i++) {
		const struct result *k = &r->results[i];
		const struct param *op = k->job && !k->q.missing ? params_find(k->params, "op") : NULL;
		bool write = op && slice_is(op->value, "write");
		if (!op || (!write && !slice_is(op->value, "read")) || result_of_priority(k))
			continue;
		for (int f = 0; f < CH_FIGURES; f++)
			if (k->metric == wanted[f].metric && slice_is(k->stat, wanted[f].stat))
				all[k->job->ordinal].v[f][write] = k;
	}
	return all;
}

/* The suite's own arithmetic: a mixed cell's rates add up, its latency is the plain mean of the two means. */
static bool measure(const struct cloudharmony_test *test, const struct ch_figures *f, double *value, struct pos *pos)
{
	enum ch_figure which = test->metric == METRIC_LATENCY ? CH_LATENCY : test->metric == METRIC_BANDWIDTH ? CH_BANDWIDTH
		: CH_IOPS;
	const struct result *read = f->v[which][0], *write = f->v[which][1];
	if (!read && !write)
		return false;
	*value = (read ? read->q.value : 0) + (write ? write->q.value : 0);
	if (read && write && which == CH_LATENCY)
		*value /= 2;
	*pos = (read ? read : write)->q.pos;
	return true;
}

/* NULL when there are too many. */
static struct ch_cell *cell_of(struct ch_suite *s, const struct cloudharmony_test *test, const struct ch_name *name)
{
	for (size_t i = 0; i < s->n_cells; i++) {
		struct ch_cell *c = &s->cells[i];
		if (c->test == test && strcmp(c->bs, name->bs) == 0 && strcmp(c->mix, name->mix) == 0)
			return c;
	}
	if (s->n_cells == MAX_CELLS)
		return NULL;
	struct ch_cell *c = ARENA_PUSH(s->dataset->arena, s->cells, s->n_cells, s->cell_cap);
	c->test = test;
	c->read = name->read;
	c->size = name->size;
	c->text = arena_printf(s->dataset->arena, "%s %.*s %s", test->name, SLICE_ARG(name->label), name->mix);
	memcpy(c->bs, name->bs, sizeof c->bs);
	memcpy(c->mix, name->mix, sizeof c->mix);
	c->tracked = name->read == 0 && strcmp(name->mix, "0/100") == 0 && (!test->bs || strcmp(test->bs, name->bs) == 0);
	return c;
}

/* By round, then in the order of the file. */
static int by_round(const void *a, const void *b)
{
	const struct ch_round *x = a, *y = b;
	if (x->round != y->round)
		return x->round < y->round ? -1 : 1;
	return x->job->ordinal < y->job->ordinal ? -1 : x->job->ordinal > y->job->ordinal;
}

static void sort_rounds(struct ch_suite *s, struct ch_cell *c)
{
	size_t n = 0;
	if (c->n_rounds)
		qsort(c->rounds, c->n_rounds, sizeof *c->rounds, by_round);
	for (size_t i = 0; i < c->n_rounds; i++) {
		const struct ch_round *r = &c->rounds[i];
		if (n && c->rounds[n - 1].round == r->round)
			diag_add(&s->dataset->diags, DIAG_WARNING, r->job->pos, "round %u of %s is there more than once: this one is "
				"left out", r->round, c->text);
		else
			c->rounds[n++] = *r;
	}
	c->n_rounds = n;
}

/* False when the job has no figure for its test. */
static bool take_job(struct ch_suite *s, const struct run *r, const struct job *job, const struct ch_figures *figures)
{
	struct ch_name name;
	if (is_wipc(job->name)) {
		s->wipc = s->wipc ? s->wipc : job;
		s->wipc_jobs++;
	}
	if (!ch_name_parse(job->name, &name))
		return true;
	struct ch_round round = { .round = name.round, .job = job, .figures = *figures, .ssmw = name.ssmw };
	const struct cloudharmony_test *test = test_of(r, job, &name);
	if (!measure(test, figures, &round.value, &round.pos))
		return false;
	struct ch_cell *c = cell_of(s, test, &name);
	if (!c)
		return true;
	c->cut |= r->damaged;
	c->all_sum += round.value;
	c->all_n++;
	if (counts(test, &name))
		*ARENA_PUSH(s->dataset->arena, c->rounds, c->n_rounds, c->cap) = round;
	return true;
}

/* Each test's jobs come from its JSON; from fio.csv only when there is no JSON of that test. */
static void take_jobs(struct ch_suite *s, bool csv)
{
	size_t known = s->n_cells;
	for (size_t i = 0; i < s->n_members; i++) {
		const struct run *r = s->members[i];
		if (!slice_is(r->tool, "fio") || is_csv(r) != csv)
			continue;
		struct ch_figures *figures = digest(s->dataset->arena, r);
		const struct job *poor = NULL;
		size_t n_poor = 0;
		for (size_t k = 0; k < r->n_jobs; k++) {
			const struct job *job = r->jobs[k];
			struct ch_name name;
			bool done = false;
			if (csv && ch_name_parse(job->name, &name))
				for (size_t c = 0; c < known && !done; c++)
					done = s->cells[c].test == test_of(r, job, &name);
			if (done || (csv && known && is_wipc(job->name)) || take_job(s, r, job, &figures[job->ordinal]))
				continue;
			poor = poor ? poor : job;
			n_poor++;
		}
		if (poor)
			diag_add(&s->dataset->diags, DIAG_WARNING, poor->pos, "%zu jobs, the first %.*s, have no figure for their "
				"test and are left out", n_poor, SLICE_ARG(poor->name));
	}
}

/* What follows from a cell's rounds. */

/* The window that counts: the last rounds, one after the other. Where the file is cut, only the five that the suite
 * itself marked are known to be its last. */
static void judge(struct ch_suite *s, struct ch_cell *c)
{
	size_t n = steady_snia.window, first = c->n_rounds - n;
	if (c->n_rounds < n || c->rounds[c->n_rounds - 1].round - c->rounds[first].round != n - 1)
		return;
	for (size_t i = first; i < c->n_rounds && c->cut; i++)
		if (!c->rounds[i].ssmw)
			return;
	double *y = ARENA_ARRAY(s->dataset->arena, c->n_rounds, double);
	for (size_t i = 0; i < c->n_rounds; i++)
		y[i] = c->rounds[i].value;
	c->window = steady_window(&steady_snia, y, first, n);
	c->judged = true;
}

/* Share of reads in what the window's jobs really did, by I/Os, else by bytes. */
static void find_actual_mix(struct ch_cell *c)
{
	double done[2] = { 0, 0 };
	for (size_t i = c->judged ? c->window.first : 0; i < c->n_rounds; i++)
		for (int w = 0; w < 2; w++) {
			const struct result *iops = c->rounds[i].figures.v[CH_IOPS][w], *io = c->rounds[i].figures.v[CH_IO][w];
			done[w] += iops && iops->n ? (double)iops->n : io ? io->q.value / c->size : 0;
		}
	double read = 100 * done[0] / (done[0] + done[1]);
	if (done[0] + done[1] > 0 && fabs(read - c->read) > 2)
		snprintf(c->actual_mix, sizeof c->actual_mix, "%.0f/%.0f", read, 100 - round(read));
}

/* What all jobs of a cell agree on. */
static const struct param *common(const struct ch_cell *c, const char *key)
{
	const struct param *first = NULL;
	for (size_t i = 0; i < c->n_rounds; i++) {
		const struct job *job = c->rounds[i].job;
		const struct param *p = params_find(job->params, key);
		p = p ? p : params_find(job->options, key);
		if (!p || (first && !slice_eq(first->value, p->value)))
			return NULL;
		first = p;
	}
	return first;
}

enum { CELL_PARAMS = 12 };

static size_t cell_params(const struct ch_cell *c, struct param out[static CELL_PARAMS])
{
	static const char *const shared[] = { "rw", "iodepth", "numjobs", "direct", "ioengine" };
	const char *op = c->read == 0 ? "write" : c->read == 100 ? "read" : "mixed";
	struct pos pos = c->rounds[0].job->pos;
	size_t n = 0;
	out[n++] = (struct param){ .key = SLICE("bs"), .value = slice_of(c->bs), .pos = pos };
	out[n++] = (struct param){ .key = SLICE("mix"), .value = slice_of(c->mix), .pos = pos };
	out[n++] = (struct param){ .key = SLICE("op"), .value = slice_of(op), .pos = pos };
	for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
		const struct param *p = common(c, shared[i]);
		if (p)
			out[n++] = *p;
	}
	if (c->actual_mix[0])
		out[n++] = (struct param){ .key = SLICE("actual_mix"), .value = slice_of(c->actual_mix), .pos = pos };
	return n;
}

static void add_series(struct ch_suite *s, const struct ch_cell *c)
{
	struct param params[CELL_PARAMS];
	struct point *points = ARENA_ARRAY(s->dataset->arena, c->n_rounds, struct point);
	struct series series = { .kind = SERIES_ROUNDS, .metric = c->test->metric, .test = slice_of(c->test->name),
		.params = { params, cell_params(c, params) }, .points = points, .n = c->n_rounds, .claimed = c->claimed };
	for (size_t i = 0; i < c->n_rounds; i++)
		points[i] = (struct point){ .t = c->rounds[i].round, .value = c->rounds[i].value, .job = c->rounds[i].job,
			.pos = c->rounds[i].pos };
	if (c->claimed == CLAIM_STEADY) {
		series.claim_pos = c->claim->q.pos;
		series.claim_text = c->claim->q.text;
	} else if (c->claimed == CLAIM_NOT_STEADY) {
		series.claim_pos = (struct pos){ .source = s->options->source, .line = 1, .column = 1 };
	}
	run_add_series(s->dataset->arena, s->run, &series);
}

static void add_results(struct ch_suite *s, const struct ch_cell *c)
{
	const struct steady_window *w = &c->window;
	const struct { const char *stat; double value; } rows[] = {
		{ "steady_mean", w->mean },
		{ "data_excursion", w->data_excursion },
		{ "slope", w->slope },
		{ "slope_excursion", w->slope_excursion },
	};
	struct param params[CELL_PARAMS];
	size_t n = cell_params(c, params);
	params[n++] = (struct param){ .key = SLICE("steady"), .value = slice_of(w->steady ? "yes" : "no") };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct result r = { .metric = c->test->metric, .stat = slice_of(rows[i].stat), .test = slice_of(c->test->name),
			.params = { params, n }, .n = w->n, .time = NAN, .flags = RESULT_DERIVED };
		r.q = (struct quantity){ .value = rows[i].value, .unit = metric_get(c->test->metric)->unit,
			.pos = c->rounds[w->first].pos };
		run_add_result(s->dataset->arena, s->run, &r);
	}
}

/* What the suite says of its steady state, and of which cell. */

static size_t tests_of(const struct run *options)
{
	size_t n = 0;
	for (size_t i = 0; i < options->attrs.n; i++)
		n += slice_is(options->attrs.v[i].key, "test");
	return n;
}

/* Whether the suite's ss_average can be this cell's: it rounds to three decimals, throughput's points to two before. */
static bool fits_average(const struct ch_cell *c, double average)
{
	double slack = c->test->metric == METRIC_BANDWIDTH ? 0.0061 : 0.0006;
	return c->judged && fabs(c->window.mean / c->test->factor - average) <= slack;
}

/* The one cell that the steady-state data in .options fit, or NULL. */
static const struct ch_cell *kept_cell(const struct ch_suite *s)
{
	const struct param *average = ch_option(s, cloudharmony_ss[0].key);
	const struct ch_cell *kept = NULL;
	double value;
	size_t fitting = 0;
	if (!average || num_double(average->value, &value) != NUM_OK)
		return NULL;
	for (size_t i = 0; i < s->n_cells; i++)
		if (s->cells[i].tracked && fits_average(&s->cells[i], value)) {
			kept = &s->cells[i];
			fitting++;
		}
	return fitting == 1 ? kept : NULL;
}

static struct ch_cell *claimed_cell(const struct ch_suite *s, const struct result *r)
{
	const struct param *bs = params_find(r->params, "bs"), *mix = params_find(r->params, "mix");
	for (size_t i = 0; bs && mix && i < s->n_cells; i++) {
		struct ch_cell *c = &s->cells[i];
		if (slice_is(r->test, c->test->name) && slice_is(bs->value, c->bs) && slice_is(mix->value, c->mix))
			return c;
	}
	return NULL;
}

/* The figures in .options that alone did not say which cell they are of. */
static void add_kept_results(struct ch_suite *s)
{
	for (size_t i = 0; s->options && i < s->options->n_results; i++)
		if (params_find(s->options->results[i].params, "by"))
			return;
	const struct ch_cell *c = kept_cell(s);
	for (size_t i = 0; c && i < CLOUDHARMONY_SS; i++) {
		const struct param *p = ch_option(s, cloudharmony_ss[i].key);
		struct param params[] = {
			{ .key = SLICE("bs"), .value = slice_of(c->bs) },
			{ .key = SLICE("mix"), .value = slice_of(c->mix) },
			{ .key = SLICE("by"), .value = SLICE("suite") },
		};
		struct result r = { .metric = c->test->metric, .stat = slice_of(cloudharmony_ss[i].stat),
			.test = slice_of(c->test->name), .params = { params, 3 }, .time = NAN };
		double value;
		if (!p || num_scaled(p->value, c->test->factor, &value) != NUM_OK)
			continue;
		r.q = (struct quantity){ .value = value, .unit = metric_get(c->test->metric)->unit,
			.text = p->value, .half_digit = num_half_digit(p->value) * c->test->factor, .pos = p->pos };
		run_add_result(s->dataset->arena, s->options, &r);
	}
}

/* The suite's claims are its own figures (by=suite). That .options has none says something only when it was written by
 * one test. */
static void find_claims(struct ch_suite *s)
{
	bool none = s->options && !ch_option(s, cloudharmony_ss[0].key) && tests_of(s->options) == 1 && !s->options->damaged;
	for (size_t i = 0; i < s->n_cells; i++)
		if (s->cells[i].tracked && none)
			s->cells[i].claimed = CLAIM_NOT_STEADY;
	for (size_t m = 0; m < s->n_members; m++)
		for (size_t i = 0; i < s->members[m]->n_results; i++) {
			const struct result *r = &s->members[m]->results[i];
			if (!slice_is(r->stat, cloudharmony_ss[0].stat) || !params_find(r->params, "by"))
				continue;
			struct ch_cell *c = claimed_cell(s, r);
			if (!c || c->claim)
				continue;
			c->claimed = CLAIM_STEADY;
			c->claim = r;
		}
}

/* The suite's run. */

static void collect_attributes(struct ch_suite *s)
{
	const struct run *from = s->options;
	for (size_t i = 0; i < s->n_members && !from; i++)
		from = slice_is(s->members[i]->tool, "cloudharmony") && s->members[i]->attrs.n ? s->members[i] : NULL;
	for (size_t i = 0; from && i < from->attrs.n; i++)
		if (!slice_starts(from->attrs.v[i].key, "save_machine."))
			run_add_attr(s->dataset->arena, s->run, from->attrs.v[i]);
	if (from)
		s->run->version = from->version;
	const struct param *instance = params_find(s->run->attrs, "instance_id");
	for (size_t i = 0; i < s->n_members; i++) {
		struct run *m = s->members[i];
		m->suite = s->run;
		*ARENA_PUSH(s->dataset->arena, s->run->members, s->run->n_members, s->run->member_cap) = m;
		s->run->damaged |= m->damaged;
		if (isnan(s->run->started) && !isnan(m->started))
			s->run->started = m->started;
		if (s->run->subject.n == 0)
			s->run->subject = m->subject;
	}
	if (s->run->subject.n == 0 && instance)
		s->run->subject = instance->value;
	for (size_t i = 0; i < s->n_members; i++)
		if (s->members[i]->subject.n == 0)
			s->members[i]->subject = s->run->subject;
}

static bool wants(const struct run *r)
{
	return is_summary(r) || is_fio(r);
}

static void assemble(struct dataset *d, struct run *const *members, size_t n, struct source *directory)
{
	struct ch_suite s = { .dataset = d, .members = ARENA_ARRAY(d->arena, n, struct run *) };
	for (size_t i = 0; i < n; i++) {
		if (!wants(members[i]))
			continue;
		s.members[s.n_members++] = members[i];
		if (slice_is(base_name(slice_of(members[i]->source->name)), ".options") && !s.options)
			s.options = members[i];
	}
	if (s.n_members == 0)
		return;
	s.run = dataset_add_run(d, directory, SLICE("cloudharmony"));
	s.run->set = base_name(slice_of(directory->name));
	collect_attributes(&s);
	take_jobs(&s, false);
	take_jobs(&s, true);
	for (size_t i = 0; i < s.n_cells; i++) {
		sort_rounds(&s, &s.cells[i]);
		judge(&s, &s.cells[i]);
		find_actual_mix(&s.cells[i]);
	}
	add_kept_results(&s);
	find_claims(&s);
	for (size_t i = 0; i < s.n_cells; i++) {
		if (s.cells[i].n_rounds)
			add_series(&s, &s.cells[i]);
		if (s.cells[i].judged)
			add_results(&s, &s.cells[i]);
	}
	ch_check(&s);
}

const struct suite suite_cloudharmony = { wants, assemble };
