#include "model/method_look.h"

#include "base/num.h"
#include "model/sla_figures.h"

#include <math.h>

static const char *text_of(struct arena *a, struct slice s)
{
	return arena_string(a, s);
}

struct finding look_option(struct look *l, const char *key, const char *fallback)
{
	struct finding f = { HOLDS_NOT_SHOWN, "not shown", POS_NONE, NULL };
	const struct param *own = params_find(l->j->series ? l->j->series->params : l->j->result->params, key);
	for (size_t i = 0; i < l->n_jobs; i++) {
		const struct job *job = l->jobs[i];
		const struct param *p = job_says(job, key);
		bool by_default = !p && fallback && job->options.n > 0 && !job->partial;
		if (!p && !by_default) {
			if (!l->ask.key.n)
				continue;
			return (struct finding){ HOLDS_NOT_SHOWN, "not shown", job->pos, NULL };
		}
		struct slice value = p ? p->value : slice_of(fallback);
		bool holds = !l->ask.key.n || method_compare(value, l->ask.op, l->ask.value);
		if (i > 0 && holds)
			continue;
		f.holds = holds ? HOLDS_YES : HOLDS_NO;
		f.found = by_default ? arena_printf(l->arena, "%s (not set: the tool's default)", fallback)
				     : text_of(l->arena, value);
		f.pos = p ? p->pos : job->pos;
		if (!holds)
			break;
	}
	if (f.holds == HOLDS_NOT_SHOWN) {
		const struct param *p = own ? own : run_says(l->j->run, key);
		if (p) {
			bool holds = !l->ask.key.n || method_compare(p->value, l->ask.op, l->ask.value);
			f = (struct finding){ holds ? HOLDS_YES : HOLDS_NO, text_of(l->arena, p->value), p->pos, NULL };
		}
	}
	return f;
}

/* I/Os of a job in one direction; 0 when it did none. */
static double job_ios(const struct job *job, const char *op, struct pos *pos)
{
	const struct result *iops = run_find(job->run, job, METRIC_IOPS, "value", op);
	if (!iops)
		return 0;
	*pos = iops->q.pos;
	if (iops->n)
		return (double)iops->n;
	const struct result *time = run_find(job->run, job, METRIC_RUNTIME, "value", op);
	return time ? iops->q.value * time->q.value : iops->q.value;
}

static double job_bytes(const struct job *job, const char *op)
{
	const struct result *io = run_find(job->run, job, METRIC_IO, "value", op);
	return io ? io->q.value : 0;
}

static const char *const ops[] = { "read", "write", "trim", "mixed" };
enum { OPS = sizeof ops / sizeof *ops };

/* The block size asked for; where no option tells it, bytes per I/O. */
static struct finding look_bs(struct look *l)
{
	struct finding f = look_option(l, "bs", "4096");
	for (size_t i = 0; i < l->n_jobs && f.holds == HOLDS_NOT_SHOWN; i++)
		for (size_t k = 0; k < OPS && f.holds == HOLDS_NOT_SHOWN; k++) {
			const struct job *job = l->jobs[i];
			struct pos pos = POS_NONE;
			double ios = job_ios(job, ops[k], &pos), bytes = job_bytes(job, ops[k]);
			const struct result *iops = run_find(job->run, job, METRIC_IOPS, "value", ops[k]);
			if (ios < 1 || bytes < 1 || !iops || !iops->n)
				continue;
			char text[NUM_FORMAT_SIZE];
			struct slice real = { text, num_format(text, round(bytes / ios)) };
			bool holds = !l->ask.key.n || method_compare(real, l->ask.op, l->ask.value);
			f = (struct finding){ holds ? HOLDS_YES : HOLDS_NO,
				arena_printf(l->arena, "%.*s (bytes per I/O)", SLICE_ARG(real)), pos, NULL };
		}
	return f;
}

static struct finding look_rw(struct look *l)
{
	return look_option(l, "rw", "read");
}

static struct finding look_direct(struct look *l)
{
	struct finding f = look_option(l, "direct", "0");
	if (!l->ask.key.n && f.holds == HOLDS_YES && slice_starts(slice_of(f.found), "0"))
		f.holds = HOLDS_WARN;
	if (f.holds == HOLDS_NO || f.holds == HOLDS_WARN)
		f.note = rule_buffered_note;
	return f;
}

/* Reads and writes really done, in whole per cent of I/Os, of the job that strays most from what is asked. */
static struct finding look_mix(struct look *l)
{
	const struct param *named = l->j->series ? params_find(l->j->series->params, "mix") : NULL;
	struct slice wanted = l->ask.key.n ? l->ask.value : named ? named->value : SLICE("");
	struct slice rest = wanted, part;
	double wanted_read = NAN, worst = -1;
	if (rest.n && slice_cut(&rest, '/', &part))
		num_double(part, &wanted_read);
	struct finding f = { HOLDS_NOT_SHOWN, "not shown", POS_NONE, NULL };
	for (size_t i = 0; i < l->n_jobs; i++) {
		struct pos rp = POS_NONE, wp = POS_NONE;
		double reads = job_ios(l->jobs[i], "read", &rp), writes = job_ios(l->jobs[i], "write", &wp);
		if (reads + writes <= 0)
			continue;
		double read = 100 * reads / (reads + writes);
		double off = isnan(wanted_read) ? 0 : fabs(read - wanted_read);
		if (off <= worst)
			continue;
		worst = off;
		f.found = arena_printf(l->arena, "%.0f/%.0f", read, 100 - read);
		f.pos = writes > 0 ? wp : rp;
		/* Random mixes miss their share by chance; two points is far beyond that. */
		f.holds = off <= ((wanted_read == 0 || wanted_read == 100) && off > 0 ? 0.5 : 2) ? HOLDS_YES : HOLDS_NO;
	}
	if (named && l->ask.key.n && !slice_eq(named->value, wanted)) {
		f.holds = HOLDS_NO;
		f.note = arena_printf(l->arena, "The test is named %.*s.", SLICE_ARG(named->value));
	} else if (named && f.holds == HOLDS_NO) {
		f.note = arena_printf(l->arena, "The test is named %.*s, but the I/Os done were %s.", SLICE_ARG(named->value),
			f.found);
	}
	return f;
}

static struct finding look_complete(struct look *l)
{
	struct finding f = { HOLDS_YES, "whole", POS_NONE, NULL };
	const struct run *run = l->j->run;
	f.pos.source = run->source;
	if (run->damaged && !run->n_members)
		f = (struct finding){ HOLDS_NO, "cut or damaged", f.pos, "What is missing could change the figure." };
	for (size_t i = 0; i < l->n_jobs; i++)
		if (l->jobs[i]->run->damaged) {
			f = (struct finding){ HOLDS_NO, "cut or damaged", { .source = l->jobs[i]->run->source }, NULL };
			f.note = "What is missing could change the figure.";
		}
	const struct param *ended = params_find(run->attrs, "ended");
	if (ended && f.holds == HOLDS_YES)
		f = (struct finding){ HOLDS_NO, text_of(l->arena, ended->value), ended->pos,
			"What was not done could change the figure." };
	return f;
}

static struct finding look_consistent(struct look *l)
{
	struct finding f = { HOLDS_YES, "yes", l->n_jobs ? l->jobs[0]->pos : POS_NONE, NULL };
	for (size_t i = 0; i < l->n_jobs; i++) {
		const struct run *run = l->jobs[i]->run;
		for (size_t k = 0; k < run->n_results; k++)
			if (run->results[k].job == l->jobs[i] && run->results[k].flags & RESULT_SUSPECT)
				return (struct finding){ HOLDS_NO, "no", run->results[k].q.pos,
					"A figure contradicts others of the same job; see the diagnostics." };
	}
	return f;
}

/* The shortest run time, against what each job was told. */
static struct finding look_runtime(struct look *l)
{
	struct finding f = { HOLDS_NOT_SHOWN, "not shown", POS_NONE, NULL };
	struct run_facts facts = { 0 };
	double shortest = INFINITY;
	for (size_t i = 0; i < l->n_jobs; i++) {
		const struct job *job = l->jobs[i];
		struct pos pos = job->pos;
		if (job->run != facts.run)
			facts = facts_of(l->arena, job->run);
		double seconds = facts_seconds(&facts.jobs[job->ordinal], &pos);
		double told = rule_stopped_early(&facts.jobs[job->ordinal]);
		if (told > 0)
			return (struct finding){ HOLDS_NO, arena_printf(l->arena, "%.3g s of %.3g s", seconds, told), pos,
				arena_printf(l->arena, "Job %.*s stopped early.", SLICE_ARG(job->name)) };
		if (!(seconds < shortest))
			continue;
		char text[NUM_FORMAT_SIZE];
		struct slice value = { text, num_format(text, seconds) };
		shortest = seconds;
		bool holds = !l->ask.key.n || method_compare(value, l->ask.op, l->ask.value);
		f = (struct finding){ holds ? HOLDS_YES : HOLDS_NO, arena_printf(l->arena, "%.4g s", seconds), pos, NULL };
	}
	return f;
}

static bool job_has_target(const struct job *job, struct slice target)
{
	for (size_t i = 0; i < job->options.n; i++) {
		const struct param *p = &job->options.v[i];
		if (!slice_is(p->key, "target"))
			continue;
		/* A directory as target stands for the file that the tool made in it. */
		if (slice_eq(slice_head(p->value, target.n), target) && (p->value.n == target.n || p->value.p[target.n] == '/'))
			return true;
	}
	return false;
}

static size_t count_targets(const struct job *job)
{
	size_t n = 0;
	for (size_t i = 0; i < job->options.n; i++)
		n += slice_is(job->options.v[i].key, "target");
	return n;
}

/* Every target that the run was given was in every job. */
static struct finding look_targets(struct look *l)
{
	struct finding f = { HOLDS_NOT_SHOWN, "not shown", POS_NONE, NULL };
	struct params attrs = l->j->run->attrs;
	size_t listed = 0, missing = 0;
	struct buf names = BUF_EMPTY;
	for (size_t i = 0; i < attrs.n; i++) {
		if (!slice_is(attrs.v[i].key, "target"))
			continue;
		listed++;
		for (size_t k = 0; k < l->n_jobs; k++)
			if (count_targets(l->jobs[k]) && !job_has_target(l->jobs[k], attrs.v[i].value)) {
				buf_printf(&names, "%s%.*s", missing ? ", " : "", SLICE_ARG(attrs.v[i].value));
				f.pos = missing++ ? f.pos : attrs.v[i].pos;
				break;
			}
		if (!missing && listed == 1)
			f.pos = attrs.v[i].pos;
	}
	size_t used = l->n_jobs ? count_targets(l->jobs[0]) : 0;
	if (missing) {
		f.holds = HOLDS_NO;
		f.found = arena_printf(l->arena, "%zu of %zu", listed - missing, listed);
		f.note = arena_printf(l->arena, "Not measured: %.*s.", SLICE_ARG(buf_view(&names)));
	} else if (listed || used) {
		f.holds = HOLDS_YES;
		f.found = arena_printf(l->arena, "%zu of %zu", listed ? listed : used, listed ? listed : used);
		if (!listed)
			f.pos = l->jobs[0]->pos;
	}
	buf_free(&names);
	return f;
}

/* Remarks: what no table asks in words but every auditor wants to know. */

static struct finding remark(enum holds holds, const char *found, struct pos pos, const char *note)
{
	return (struct finding){ holds, found, pos, note };
}

static struct finding look_precondition(struct look *l)
{
	const struct run *run = l->j->run;
	size_t passes = 0;
	struct pos pos = POS_NONE;
	/* A suite can list the same jobs in two files: the first that has any counts. */
	for (size_t i = 0; i < run->n_members && !passes; i++)
		for (size_t k = 0; k < run->members[i]->n_jobs; k++)
			if (slice_starts(run->members[i]->jobs[k]->name, "wipc-"))
				pos = passes++ ? pos : run->members[i]->jobs[k]->pos;
	const struct param *skipped = run_says(run, "noprecondition");
	const struct job *filling = run->n_members ? NULL : rule_filling(run);
	if (filling)
		return remark(HOLDS_YES, arena_printf(l->arena, "job %.*s", SLICE_ARG(filling->name)), filling->pos, NULL);
	if (passes)
		return remark(HOLDS_YES, arena_printf(l->arena, "%zu sequential pass%s", passes, passes == 1 ? "" : "es"), pos, NULL);
	if (skipped)
		return remark(HOLDS_WARN, "skipped", skipped->pos,
			"A drive that was not filled first can be faster than its steady state.");
	return remark(HOLDS_NOT_SHOWN, "not shown", POS_NONE, "The source does not show that the drive was filled before.");
}

static struct finding look_purge(struct look *l)
{
	const struct param *skipped = run_says(l->j->run, "nopurge");
	const struct param *methods = run_says(l->j->run, "purge_methods");
	if (skipped)
		return remark(HOLDS_WARN, "skipped", skipped->pos, "The drive's state before the test is unknown.");
	if (methods)
		return remark(HOLDS_YES, text_of(l->arena, methods->value), methods->pos, NULL);
	return remark(HOLDS_NOT_SHOWN, "not shown", POS_NONE, NULL);
}

static struct finding look_size(struct look *l)
{
	struct finding f = look_option(l, "size", NULL);
	const struct param *capacity = run_says(l->j->run, "capacity");
	double size, whole;
	char text[48];
	if (f.holds == HOLDS_NOT_SHOWN || num_double(slice_of(f.found), &size) != NUM_OK)
		return f;
	quantity_show(text, sizeof text, size, UNIT_B, 3);
	if (capacity && num_double(capacity->value, &whole) == NUM_OK && whole > 0) {
		f.found = arena_printf(l->arena, "%s, %.2g %% of the capacity", text, 100 * size / whole);
		f.holds = size < 0.5 * whole ? HOLDS_WARN : HOLDS_YES;
	} else {
		f.found = arena_printf(l->arena, "%s per target; capacity not shown", text);
		f.holds = HOLDS_WARN;
	}
	f.note = "A small active range can stay in a drive's cache or spare area.";
	return f;
}

static struct finding look_ioengine(struct look *l)
{
	return look_option(l, "ioengine", NULL);
}

static struct finding look_iodepth(struct look *l)
{
	return look_option(l, "iodepth", "1");
}

static struct finding look_numjobs(struct look *l)
{
	return look_option(l, "numjobs", "1");
}

static struct finding look_os(struct look *l)
{
	return look_option(l, "os", NULL);
}

static struct finding look_version(struct look *l)
{
	const struct run *run = l->n_jobs ? l->jobs[0]->run : l->j->run;
	if (!run->version.n)
		return remark(HOLDS_NOT_SHOWN, "not shown", POS_NONE, NULL);
	return remark(HOLDS_YES, arena_printf(l->arena, "%.*s %.*s", SLICE_ARG(run->tool), SLICE_ARG(run->version)),
		(struct pos){ .source = run->source, .line = 1, .column = 1 }, NULL);
}

static const char *rate_of(struct arena *a, double value, enum metric_id metric)
{
	char text[48];
	quantity_show(text, sizeof text, value, metric_get(metric)->unit, 4);
	return arena_printf(a, "%s", text);
}

/* Equal jobs side by side: the figure is their sum. */
static struct finding look_parts(struct look *l)
{
	const struct judgement *j = l->j;
	double least = INFINITY;
	for (size_t i = 0; i < j->n_parts; i++)
		least = fmin(least, j->parts[i]->q.value);
	if (j->n_parts < 2)
		return remark(HOLDS_NOT_SHOWN, "one", POS_NONE, NULL);
	return remark(HOLDS_YES, arena_printf(l->arena, "%zu, together %s; the slowest %s", j->n_parts,
		rate_of(l->arena, j->result->q.value, j->result->metric), rate_of(l->arena, least, j->result->metric)),
		j->parts[0]->q.pos, "Equal jobs that ran side by side are one load: their rates are added up.");
}

/* A client's run: what the other hosts did in the same job at the same time. A limit is one machine's. */
static struct finding look_hosts(struct look *l)
{
	const struct result *own = l->j->result;
	const struct param *host = own && own->job ? params_find(own->job->params, "host") : NULL;
	const struct param *port = host ? params_find(own->job->params, "port") : NULL;
	const struct run *run = host ? own->job->run : NULL;
	const struct job *last = NULL;
	size_t hosts = 0;
	double sum = 0;
	for (size_t i = 0; host && i < run->n_results; i++) {
		const struct result *r = &run->results[i];
		const struct param *op = params_find(r->params, "op"), *wanted = params_find(own->params, "op");
		const struct param *of = r->job ? params_find(r->job->params, "host") : NULL;
		if (r->metric != own->metric || !slice_eq(r->stat, own->stat) || !of || !slice_eq(r->job->name, own->job->name) ||
		    (op && wanted && !slice_eq(op->value, wanted->value)))
			continue;
		hosts += !last || !same_host(last, r->job);
		last = r->job;
		sum += r->q.value;
	}
	if (hosts < 2)
		return remark(HOLDS_NOT_SHOWN, "one", POS_NONE, NULL);
	bool adds = own->metric == METRIC_IOPS || own->metric == METRIC_BANDWIDTH;
	if (adds && l->j->sla->hosts_together)
		return remark(HOLDS_YES, arena_printf(l->arena, "%zu at the same time, together %s", hosts,
			rate_of(l->arena, sum, own->metric)), host->pos,
			"Judged is their total: the table's limits are of all hosts together.");
	return remark(HOLDS_YES, adds ? arena_printf(l->arena, "%zu at the same time, together %s", hosts,
		rate_of(l->arena, sum, own->metric)) : arena_printf(l->arena, "%zu at the same time", hosts), host->pos,
		arena_printf(l->arena, "Judged is each host by itself; this is %.*s%s%.*s, the one that does worst.",
			SLICE_ARG(host->value), port ? ":" : "", SLICE_ARG(port ? port->value : SLICE(""))));
}

/* In the order of the report. */
const struct check method_checks[] = {
	{ "bs", "block size", "", false, look_bs },
	{ "rw", "access pattern", "", false, look_rw },
	{ "mix", "read/write mix, as done", "as named", true, look_mix },
	{ "direct", "direct I/O", "", false, look_direct },
	{ "targets", "targets measured", "every one", true, look_targets },
	{ "complete", "input", "whole", true, look_complete },
	{ "consistent", "figures agree", "yes", true, look_consistent },
	{ "runtime", "run time", "as told", true, look_runtime },
	{ "ioengine", "I/O engine", "", false, look_ioengine },
	{ "iodepth", "queue depth", "", false, look_iodepth },
	{ "numjobs", "jobs per target", "", false, look_numjobs },
	{ "precondition", "preconditioning", "", false, look_precondition },
	{ "purge", "purge", "", false, look_purge },
	{ "size", "active range", "", false, look_size },
	{ "jobs", "jobs added up", "", false, look_parts },
	{ "hosts", "hosts", "", false, look_hosts },
	{ "os", "operating system", "", false, look_os },
	{ "version", "tool version", "", false, look_version },
};
_Static_assert(sizeof method_checks / sizeof *method_checks == CHECKS, "CHECKS counts them");
