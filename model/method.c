#include "model/method.h"

#include "base/num.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_JOBS = 4096 };
static const double IDENTITY = 0.01; /* figures of one job that differ by more contradict each other */

/* What one look at the source says. */
struct finding {
	enum holds holds;
	const char *found;
	struct pos pos;
	const char *note;
};

struct look {
	struct arena *arena;
	const struct judgement *j;
	const struct job **jobs;
	size_t n_jobs;
	/* What is asked; key empty when the table asks nothing here. */
	struct sla_require ask;
};

struct check {
	const char *key;     /* in `require` */
	const char *name;    /* for people */
	const char *wanted;  /* when the table does not say; empty: then it is a remark */
	bool always;         /* required whether the table asks or not */
	struct finding (*look)(struct look *l);
};

size_t method_jobs(const struct judgement *j, const struct job **jobs, size_t max)
{
	size_t n = 0;
	if (j->series)
		for (size_t i = 0; i < j->series->n && n < max; i++) {
			const struct job *job = j->series->points[i].job;
			if (job && (n == 0 || jobs[n - 1] != job))
				jobs[n++] = job;
		}
	else if (j->result && j->result->job)
		jobs[n++] = j->result->job;
	return n;
}

bool method_compare(struct slice found, enum quantity_op op, struct slice wanted)
{
	struct quantity a = { 0 }, b = { 0 };
	const char *error;
	if (op == OP_EQ && slice_glob(found, wanted))
		return true;
	bool plain = quantity_parse(found, UNITS, &a, NULL, &error) && quantity_parse(wanted, UNITS, &b, NULL, &error);
	if (plain && a.unit != b.unit && a.unit != UNIT_ONE && b.unit != UNIT_ONE)
		return false;
	struct quantity size = { 0 };
	switch (op) {
	case OP_EQ:
		return (plain && a.value == b.value) ||
		       (num_double(found, &a.value) == NUM_OK && quantity_parse(wanted, UNIT_B, &size, NULL, &error) &&
			a.value == size.value);
	case OP_LT: return plain && a.value < b.value;
	case OP_LE: return plain && a.value <= b.value;
	case OP_GE: return plain && a.value >= b.value;
	case OP_GT: return plain && a.value > b.value;
	case OP_NONE: return found.n > 0 && !slice_is(found, "0");
	}
	return false;
}

static const struct param *job_says(const struct job *job, const char *key)
{
	const struct param *p = params_find(job->params, key);
	return p ? p : params_find(job->options, key);
}

/* An attribute of the run, or of the suite or its members. */
static const struct param *run_says(const struct run *run, const char *key)
{
	const struct param *p = params_find(run->attrs, key);
	for (size_t i = 0; !p && i < run->n_members; i++)
		p = params_find(run->members[i]->attrs, key);
	return p;
}

static const char *text_of(struct arena *a, struct slice s)
{
	return arena_string(a, s);
}

/* The value of an option over all jobs: the first that breaks what is asked, else the first job's. fio's documented
 * default stands in where the options are there and the key is not. */
static struct finding look_option(struct look *l, const char *key, const char *fallback)
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

/* The block size asked for, checked against bytes per I/O. */
static struct finding look_bs(struct look *l)
{
	struct finding f = look_option(l, "bs", "4096");
	for (size_t i = 0; i < l->n_jobs && f.holds != HOLDS_NO; i++) {
		const struct job *job = l->jobs[i];
		for (size_t k = 0; k < OPS; k++) {
			struct pos pos = POS_NONE;
			double ios = job_ios(job, ops[k], &pos), bytes = job_bytes(job, ops[k]);
			const struct result *iops = run_find(job->run, job, METRIC_IOPS, "value", ops[k]);
			if (ios < 1 || bytes < 1 || !iops || !iops->n)
				continue;
			double size = round(bytes / ios), told;
			char text[NUM_FORMAT_SIZE];
			struct slice real = { text, num_format(text, size) };
			if (f.holds == HOLDS_NOT_SHOWN) {
				bool holds = !l->ask.key.n || method_compare(real, l->ask.op, l->ask.value);
				f = (struct finding){ holds ? HOLDS_YES : HOLDS_NO,
					arena_printf(l->arena, "%.*s (bytes per I/O)", SLICE_ARG(real)), pos, NULL };
			} else if (num_double(slice_of(f.found), &told) == NUM_OK && fabs(bytes / ios / told - 1) > IDENTITY) {
				return (struct finding){ HOLDS_NO, arena_printf(l->arena, "%.*s", SLICE_ARG(real)), pos,
					arena_printf(l->arena, "The options say %s, but %.0f bytes went with %.0f I/Os.", f.found,
						bytes, ios) };
			}
		}
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
	if (f.holds == HOLDS_NO)
		f.note = "Buffered I/O measures the page cache, not the device.";
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
		f.note = arena_printf(l->arena, "The test is named %.*s, but the I/Os done were %s.", SLICE_ARG(named->value), f.found);
	}
	return f;
}

static struct finding look_errors(struct look *l)
{
	size_t failed = 0;
	struct finding f = { HOLDS_YES, NULL, l->n_jobs ? l->jobs[0]->pos : POS_NONE, NULL };
	for (size_t i = 0; i < l->n_jobs; i++) {
		const struct result *e = run_find(l->jobs[i]->run, l->jobs[i], METRIC_ERROR, "value", NULL);
		if (!e || e->q.missing || e->q.value == 0)
			continue;
		if (failed++ == 0) {
			f.holds = HOLDS_NO;
			f.pos = e->q.pos;
			f.note = arena_printf(l->arena, "Job %.*s ended with error %.0f.", SLICE_ARG(l->jobs[i]->name), e->q.value);
		}
	}
	f.found = l->n_jobs ? arena_printf(l->arena, "%zu of %zu", failed, l->n_jobs) : "not shown";
	if (!l->n_jobs)
		f.holds = HOLDS_NOT_SHOWN;
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
	double shortest = INFINITY;
	for (size_t i = 0; i < l->n_jobs; i++) {
		const struct job *job = l->jobs[i];
		const struct param *told = params_find(job->options, "runtime");
		double seconds = -1, limit = 0;
		struct pos pos = job->pos;
		for (size_t k = 0; k < OPS; k++) {
			const struct result *t = run_find(job->run, job, METRIC_RUNTIME, "value", ops[k]);
			if (t && t->q.value > seconds) {
				seconds = t->q.value;
				pos = t->q.pos;
			}
		}
		if (seconds < 0)
			continue;
		bool timed = params_find(job->options, "time_based") != NULL;
		if (told && timed && num_double(told->value, &limit) == NUM_OK && seconds < 0.9 * limit)
			return (struct finding){ HOLDS_NO, arena_printf(l->arena, "%.3g s of %.3g s", seconds, limit), pos,
				arena_printf(l->arena, "Job %.*s stopped early.", SLICE_ARG(job->name)) };
		if (seconds < shortest) {
			char text[NUM_FORMAT_SIZE];
			struct slice value = { text, num_format(text, seconds) };
			shortest = seconds;
			bool holds = !l->ask.key.n || method_compare(value, l->ask.op, l->ask.value);
			f = (struct finding){ holds ? HOLDS_YES : HOLDS_NO, arena_printf(l->arena, "%.4g s", seconds), pos, NULL };
		}
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
	if (passes)
		return remark(HOLDS_YES, arena_printf(l->arena, "%zu sequential pass%s", passes, passes == 1 ? "" : "es"), pos, NULL);
	if (skipped)
		return remark(HOLDS_WARN, "skipped", skipped->pos, "A drive that was not filled first can be faster than its steady state.");
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

static struct finding look_rate(struct look *l)
{
	static const char *const keys[] = { "rate_iops", "rate", "latency_target", "thinktime" };
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		struct finding f = look_option(l, keys[i], NULL);
		if (f.holds == HOLDS_NOT_SHOWN || slice_is(slice_of(f.found), "0"))
			continue;
		return remark(HOLDS_WARN, arena_printf(l->arena, "%s=%s", keys[i], f.found), f.pos,
			"The load was held back on purpose: the device may be faster than measured.");
	}
	return remark(HOLDS_YES, "none", l->n_jobs ? l->jobs[0]->pos : POS_NONE, NULL);
}

static struct finding look_buffers(struct look *l)
{
	static const char *const keys[] = { "zero_buffers", "buffer_compress_percentage", "dedupe_percentage" };
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		struct finding f = look_option(l, keys[i], NULL);
		if (f.holds != HOLDS_NOT_SHOWN && !slice_is(slice_of(f.found), "0"))
			return remark(HOLDS_WARN, arena_printf(l->arena, "%s=%s", keys[i], f.found), f.pos,
				"Data that compress can be faster than real data.");
	}
	struct finding f = look_option(l, "refill_buffers", NULL);
	if (f.holds == HOLDS_NOT_SHOWN)
		return remark(HOLDS_NOT_SHOWN, "not shown", POS_NONE, NULL);
	return remark(HOLDS_YES, "refilled", f.pos, NULL);
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

/* In the order of the report. */
static const struct check checks[] = {
	{ "bs", "block size", "", false, look_bs },
	{ "rw", "access pattern", "", false, look_rw },
	{ "mix", "read/write mix, as done", "as named", true, look_mix },
	{ "direct", "direct I/O", "", false, look_direct },
	{ "targets", "targets measured", "every one", true, look_targets },
	{ "errors", "failed jobs", "none", true, look_errors },
	{ "complete", "input", "whole", true, look_complete },
	{ "consistent", "figures agree", "yes", true, look_consistent },
	{ "runtime", "run time", "as told", true, look_runtime },
	{ "ioengine", "I/O engine", "", false, look_ioengine },
	{ "iodepth", "queue depth", "", false, look_iodepth },
	{ "numjobs", "jobs per target", "", false, look_numjobs },
	{ "precondition", "preconditioning", "", false, look_precondition },
	{ "purge", "purge", "", false, look_purge },
	{ "size", "active range", "", false, look_size },
	{ "rate", "rate limit", "", false, look_rate },
	{ "buffers", "data", "", false, look_buffers },
	{ "os", "operating system", "", false, look_os },
	{ "version", "tool version", "", false, look_version },
};
enum { CHECKS = sizeof checks / sizeof *checks };

static const char *ask_text(struct arena *a, const struct sla_require *r)
{
	static const char *const sign[] = { [OP_NONE] = "", [OP_LT] = "< ", [OP_LE] = "≤ ", [OP_EQ] = "", [OP_GE] = "≥ ", [OP_GT] = "> " };
	if (r->op == OP_NONE)
		return "yes";
	return arena_printf(a, "%s%.*s", sign[r->op], SLICE_ARG(r->value));
}

static void add(struct judgement *j, const char *name, const char *wanted, bool required, struct finding f)
{
	struct condition *c = &j->conditions[j->n_conditions++];
	*c = (struct condition){ .name = name, .wanted = wanted, .found = f.found, .holds = f.holds, .required = required,
		.pos = f.pos, .note = f.note };
	if (!required)
		return;
	/* What must hold but can't be told from this kind of source is said, and is the verdict's business. */
	j->n_required++;
	j->n_held += f.holds == HOLDS_YES;
}

static const struct sla_require *asked(const struct sla *sla, const char *key)
{
	for (size_t i = 0; i < sla->n_require; i++)
		if (slice_is(sla->require[i].key, key))
			return &sla->require[i];
	return NULL;
}

void method_check(struct arena *a, struct judgement *j)
{
	const struct sla *sla = j->sla;
	struct look l = { .arena = a, .j = j, .jobs = ARENA_ARRAY(a, MAX_JOBS, const struct job *) };
	l.n_jobs = method_jobs(j, l.jobs, MAX_JOBS);
	j->conditions = ARENA_ARRAY(a, CHECKS + sla->n_require, struct condition);
	j->n_conditions = j->n_required = j->n_held = 0;
	for (size_t i = 0; i < CHECKS; i++) {
		const struct check *c = &checks[i];
		const struct sla_require *r = asked(sla, c->key);
		l.ask = r && r->op != OP_NONE ? *r : (struct sla_require){ .op = OP_NONE };
		struct finding f = c->look(&l);
		/* Nobody asked and nothing is known: no line for it. */
		if (!r && !*c->wanted && f.holds == HOLDS_NOT_SHOWN && !f.note)
			continue;
		bool required = r || (c->always && f.holds != HOLDS_NOT_SHOWN);
		add(j, c->name, r && r->op != OP_NONE ? ask_text(a, r) : c->wanted, required, f);
	}
	for (size_t i = 0; i < sla->n_require; i++) {
		const struct sla_require *r = &sla->require[i];
		bool known = slice_is(r->key, "steady");
		for (size_t k = 0; k < CHECKS; k++)
			known |= slice_is(r->key, checks[k].key);
		if (known)
			continue;
		l.ask = *r;
		add(j, text_of(a, r->key), ask_text(a, r), true, look_option(&l, text_of(a, r->key), NULL));
	}
}
