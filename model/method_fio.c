/* Rules over what fio's output says of a job: its options, and what really happened. */
#include "model/method_look.h"

#include "base/num.h"

#include <math.h>

const char rule_buffered_note[] = "Buffered I/O measures the page cache, not the device.";

static const char *show(struct arena *a, double value, enum unit unit)
{
	char text[48];
	quantity_show(text, sizeof text, value, unit, 3);
	return arena_printf(a, "%s", text);
}

static double all_ios(const struct facts *f)
{
	double sum = 0;
	for (enum direction d = 0; d < DIRECTIONS; d++)
		sum += facts_ios(f, d);
	return sum;
}

static double all_bytes(const struct facts *f)
{
	double sum = 0;
	for (enum direction d = 0; d < DIRECTIONS; d++)
		sum += f->io[d] ? f->io[d]->q.value : 0;
	return sum;
}

/* "randwrite" of "randwrite:8"; empty when it isn't known. */
static struct slice pattern_of(const struct facts *f)
{
	const struct param *p = job_says(f->job, "rw");
	return p ? slice_head(p->value, slice_find_char(p->value, ':')) : SLICE("");
}

static bool is_random(const struct facts *f)
{
	return slice_starts(pattern_of(f), "rand");
}

/* How many jobs one record stands for; 1 where nothing says more. */
static double jobs_in(const struct facts *f, struct pos *pos)
{
	const struct param *p = job_says(f->job, "jobs");
	if (!(param_number(p) > 1))
		p = job_says(f->job, "definitions");
	if (!(param_number(p) > 1) && job_switched_on(f->job, "group_reporting"))
		p = job_says(f->job, "numjobs");
	if (!p || !(param_number(p) > 1))
		return 1;
	*pos = p->pos;
	return param_number(p);
}

/* ---- what makes a measurement count for nothing ---- */

static bool failed(struct run_facts *r, const struct facts *f, struct finding *out)
{
	if (f->error && f->error->q.value != 0)
		return rule_say(r, out, f->error->q.pos, arena_printf(r->arena, "Job %.*s did not end as it should.",
			SLICE_ARG(f->job->name)), "error %.0f", f->error->q.value);
	if (f->errors && f->errors->q.value > 0)
		return rule_say(r, out, f->errors->q.pos, arena_printf(r->arena, "Job %.*s went on in spite of errors.",
			SLICE_ARG(f->job->name)), "%.0f I/O errors", f->errors->q.value);
	if (f->corrupt && f->corrupt->q.value > 0)
		return rule_say(r, out, f->corrupt->q.pos, "What was read is not what was written.",
			"%.0f blocks fail their check", f->corrupt->q.value);
	return false;
}

static bool signalled(struct run_facts *r, const struct facts *f, struct finding *out)
{
	const struct param *p = job_says(f->job, "signal");
	return p && rule_say(r, out, p->pos, "The run was ended from outside; what it would have shown is not known.",
		"signal %.*s", SLICE_ARG(p->value));
}

/* Ends that a job may well come to before its time. */
static bool may_end_early(const struct facts *f)
{
	return job_switched_on(f->job, "steadystate.attained") || job_switched_on(f->job, "number_ios") ||
		job_switched_on(f->job, "exitall") || job_switched_on(f->job, "exit_what") ||
		job_switched_on(f->job, "io_size") || job_switched_on(f->job, "latency_target");
}

double rule_stopped_early(const struct facts *f)
{
	struct pos pos;
	if (!job_switched_on(f->job, "time_based") || may_end_early(f))
		return 0;
	double told = param_number(params_find(f->job->options, "runtime"));
	return facts_seconds(f, &pos) < 0.9 * told ? told : 0;
}

static bool stopped(struct run_facts *r, const struct facts *f, struct finding *out)
{
	struct pos pos = f->job->pos;
	double told = rule_stopped_early(f), seconds = facts_seconds(f, &pos);
	return told > 0 && rule_say(r, out, pos, arena_printf(r->arena, "Job %.*s stopped early.", SLICE_ARG(f->job->name)),
		"%.3g s of %.3g s", seconds, told);
}

/* Without time_based a job may be done before its time; then it has done its size. */
static bool unfinished(struct run_facts *r, const struct facts *f, struct finding *out)
{
	struct pos pos = f->job->pos, grouped;
	if (!f->told || job_switched_on(f->job, "time_based") || may_end_early(f))
		return false;
	double told = param_number(params_find(f->job->options, "runtime")), seconds = facts_seconds(f, &pos);
	if (!(seconds < 0.9 * told))
		return false;
	double size = param_number(params_find(f->job->options, "size")) * jobs_in(f, &grouped);
	if (!(all_bytes(f) < 0.9 * size))
		return false;
	return rule_say(r, out, pos,
		"It had neither run its time nor done its size: it stopped for a reason that is not shown.",
		"%.3g s of %.3g s, %s of %s", seconds, told, show(r->arena, all_bytes(f), UNIT_B), show(r->arena, size, UNIT_B));
}

/* What a pattern does nothing of. Verification reads what was written; a replay and file engines do as they are
 * told. */
static bool other_direction(struct run_facts *r, const struct facts *f, struct finding *out)
{
	static const struct { const char *pattern; enum direction other; } never[] = { { "read", DIR_WRITE },
		{ "randread", DIR_WRITE }, { "write", DIR_READ }, { "randwrite", DIR_READ }, { "trim", DIR_READ },
		{ "randtrim", DIR_READ }, { "trim", DIR_WRITE }, { "randtrim", DIR_WRITE }, { "read", DIR_TRIM },
		{ "randread", DIR_TRIM } };
	struct slice pattern = pattern_of(f);
	const struct param *engine = job_says(f->job, "ioengine");
	if (job_says(f->job, "verify") || job_says(f->job, "read_iolog") ||
	    (engine && (slice_starts(engine->value, "file") || slice_starts(engine->value, "dir"))))
		return false;
	for (size_t i = 0; i < sizeof never / sizeof *never; i++) {
		enum direction d = never[i].other;
		if (f->iops[d] && slice_is(pattern, never[i].pattern) && facts_ios(f, d) >= 1)
			return rule_say(r, out, f->iops[d]->q.pos, "The job did what its options rule out: they are not its own, or the "
				"output was changed.", "%.0f %ss of a %s job", facts_ios(f, d), direction_names[d], never[i].pattern);
	}
	return false;
}

static bool block_size(struct run_facts *r, const struct facts *f, struct finding *out)
{
	static const char *const others[] = { "bsrange", "bssplit", "short_ios", "bs_unaligned", "read_iolog" };
	double told = param_number(job_says(f->job, "bs"));
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (job_says(f->job, others[i]))
			return false;
	for (enum direction d = 0; told > 0 && d < DIR_MIXED; d++) {
		/* Only a printed number of I/Os; the last one may be short, and a size in KiB is rounded. */
		if (!f->io[d] || !f->iops[d] || !f->iops[d]->n)
			continue;
		double bytes = f->io[d]->q.value, ios = (double)f->iops[d]->n;
		if (fabs(bytes - ios * told) > fmax(0.01 * bytes, told + 1024))
			return rule_say(r, out, f->io[d]->q.pos, arena_printf(r->arena,
				"The options say %.0f, but %.0f bytes went with %.0f I/Os.", told, bytes, ios), "%.0f", bytes / ios);
	}
	return false;
}

/* ---- what makes it doubtful ---- */

static bool read_share(struct run_facts *r, const struct facts *f, struct finding *out)
{
	enum { ENOUGH = 1000 };
	double reads = facts_ios(f, DIR_READ), writes = facts_ios(f, DIR_WRITE), ios = reads + writes;
	struct slice pattern = pattern_of(f);
	bool mixed = slice_is(pattern, "rw") || slice_is(pattern, "randrw") || slice_is(pattern, "readwrite");
	const struct param *read = job_says(f->job, "rwmixread"), *write = job_says(f->job, "rwmixwrite");
	const struct param *given = read ? read : write;
	if (!mixed || ios < ENOUGH || job_says(f->job, "rate") || job_says(f->job, "rate_iops") || job_says(f->job, "flow") ||
	    (!given && !f->told))
		return false;
	double told = read ? param_number(read) : write ? 100 - param_number(write) : 50, done = 100 * reads / ios;
	if (!(fabs(done - told) > 5))
		return false;
	return rule_say(r, out, given ? given->pos : f->job->pos,
		"The mix that was done is another than the one that was told.",
		"%.0f %% of the I/Os, %.0f %% told", done, told);
}

static bool device_engine(const struct facts *f)
{
	static const char *const names[] = { "sync", "psync", "vsync", "pvsync", "pvsync2", "libaio", "posixaio", "io_uring",
		"mmap", "splice" };
	const struct param *p = job_says(f->job, "ioengine");
	for (size_t i = 0; p && i < sizeof names / sizeof *names; i++)
		if (slice_is(p->value, names[i]))
			return true;
	return !p;
}

static bool is_buffered(const struct facts *f)
{
	return f->told && !job_switched_on(f->job, "direct") && device_engine(f);
}

static bool buffered(struct run_facts *r, const struct facts *f, struct finding *out)
{
	const struct param *p = job_says(f->job, "direct");
	return is_buffered(f) && rule_say(r, out, p ? p->pos : f->job->pos, rule_buffered_note, "%s",
		p ? "direct=0" : "direct=0 (not set: the tool's default)");
}

/* The subject's memory in bytes, as its metadata say. */
static double memory_of(const struct run *run, struct pos *pos)
{
	static const struct { const char *key; double factor; } keys[] = { { "memory", 1 }, { "meta_memory_gb", 0x1p30 },
		{ "meta_memory_mb", 0x1p20 } };
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		const struct param *p = run_says(run, keys[i].key);
		struct quantity q;
		const char *error;
		if (!p)
			continue;
		*pos = p->pos;
		if (num_double(p->value, &q.value) == NUM_OK)
			return q.value * keys[i].factor;
		if (quantity_parse(p->value, UNIT_B, &q, NULL, &error))
			return q.value;
	}
	return NAN;
}

static bool fits_memory(struct run_facts *r, const struct facts *f, struct finding *out)
{
	struct pos pos, grouped;
	if (!is_buffered(f))
		return false;
	const struct param *size = job_says(f->job, "size");
	double memory = memory_of(r->run, &pos), range = param_number(size) * jobs_in(f, &grouped);
	if (!(range < memory))
		return false;
	return rule_say(r, out, size->pos, "The page cache could hold all of it.", "%s, the memory has %s",
		show(r->arena, range, UNIT_B), show(r->arena, memory, UNIT_B));
}

static bool small_range(struct run_facts *r, const struct facts *f, struct finding *out)
{
	enum { OFTEN = 8 };
	struct pos grouped;
	const struct param *size = job_says(f->job, "size");
	double range = param_number(size) * jobs_in(f, &grouped), times = all_bytes(f) / range;
	if (!(range > 0 && times >= OFTEN))
		return false;
	return rule_say(r, out, size->pos, "A small range that is gone over again and again can stay in a cache.",
		"%s, gone over %.0f times", show(r->arena, range, UNIT_B), times);
}

static bool warm_up(struct run_facts *r, const struct facts *f, struct finding *out)
{
	if (!f->told || job_switched_on(f->job, "ramp_time") || job_switched_on(f->job, "steadystate_ramp_time"))
		return false;
	return rule_say(r, out, f->job->pos, "The first seconds are in the figures, too.", "none (no ramp_time)");
}

static bool short_run(struct run_facts *r, const struct facts *f, struct finding *out)
{
	enum { ROUND = 60 };
	struct pos pos = POS_NONE;
	double seconds = facts_seconds(f, &pos);
	return seconds < 0.95 * ROUND && rule_say(r, out, pos, "A minute is the least that the round of a storage test takes.",
		"%.3g s", seconds);
}

const struct job *rule_filling(const struct run *run)
{
	static const char *const names[] = { "wipc-", "precond", "fill" };
	enum { LARGE = 64 << 10 };
	for (size_t i = 0; i < run->n_jobs; i++) {
		const struct job *job = run->jobs[i];
		const struct param *rw = job_says(job, "rw");
		for (size_t k = 0; k < sizeof names / sizeof *names; k++)
			if (slice_starts(job->name, names[k]))
				return job;
		if (i + 1 < run->n_jobs && rw && slice_is(rw->value, "write") && param_number(job_says(job, "bs")) >= LARGE)
			return job;
	}
	return NULL;
}

/* Once a run, at its first job; of a suite's file only the suite knows. */
static bool not_filled(struct run_facts *r, const struct facts *f, struct finding *out)
{
	if (f != r->jobs || all_ios(f) < 1 || job_says(f->job, "fio_command") || rule_filling(r->run))
		return false;
	return rule_say(r, out, f->job->pos,
		"Nothing in this output shows that the drive was filled before; it could not prove it.",
		"not shown");
}

/* The share, in %, of I/Os that began at the power of two at or below this depth, or above; NAN: not shown. Options
 * "iodepth_1" to "iodepth_64", in this order. */
static double share_at(const struct job *job, double depth, const struct param **evidence)
{
	enum { DEEPEST = 64 };
	double sum = 0, from;
	*evidence = NULL;
	for (size_t i = 0; i < job->options.n; i++) {
		const struct param *p = &job->options.v[i];
		if (!slice_starts(p->key, "iodepth_") || num_double(slice_from(p->key, 8), &from) != NUM_OK)
			continue;
		*evidence = *evidence ? *evidence : p;
		if (from == DEEPEST || depth < 2 * from)
			sum += param_number(p);
	}
	return *evidence ? sum : NAN;
}

static bool is_sync(const struct facts *f)
{
	static const char *const names[] = { "sync", "psync", "vsync", "pvsync", "pvsync2", "mmap" };
	const struct param *engine = job_says(f->job, "ioengine");
	for (size_t i = 0; engine && i < sizeof names / sizeof *names; i++)
		if (slice_is(engine->value, names[i]))
			return true;
	return !engine && f->told && slice_is(f->run->tool, "fio");
}

static bool sync_engine(struct run_facts *r, const struct facts *f, struct finding *out)
{
	const struct param *depth = job_says(f->job, "iodepth"), *engine = job_says(f->job, "ioengine"), *shown;
	double told = param_number(depth);
	/* What is above depth 1 shows that it was not as synchronous as it looks. */
	if (!(told > 1) || !is_sync(f) || share_at(f->job, 2, &shown) > 1)
		return false;
	return rule_say(r, out, shown ? shown->pos : depth->pos, arena_printf(r->arena, "%.*s waits for each I/O.",
		SLICE_ARG(engine ? engine->value : SLICE("The default engine"))), "1, not the %.0f that was told", told);
}

static bool shallow(struct run_facts *r, const struct facts *f, struct finding *out)
{
	enum { MOST = 80 };
	const struct param *shown;
	double told = param_number(job_says(f->job, "iodepth"));
	if (!(told > 1) || is_sync(f))
		return false;
	double share = share_at(f->job, told, &shown);
	if (!shown || !(share < MOST))
		return false;
	return rule_say(r, out, shown->pos,
		"The queue was mostly less deep than told: the load, not the device, set the pace.",
		"%.3g %% of the I/Os at the depth of %.0f", share, told);
}

static bool cpu_bound(struct run_facts *r, const struct facts *f, struct finding *out)
{
	enum { BUSY = 95 };
	if (!f->cpu[0] || !f->cpu[1])
		return false;
	double used = f->cpu[0]->q.value + f->cpu[1]->q.value;
	return used >= BUSY && rule_say(r, out, f->cpu[0]->q.pos, "The processor may have been the limit, not the device.",
		"%.3g %% of a processor per job", used);
}

/* One disk, one job: else nobody can tell whose time it was. Never busy: the job's file lay elsewhere. */
static bool idle_disk(struct run_facts *r, const struct facts *f, struct finding *out)
{
	enum { BUSY = 95 };
	const struct result *disk = r->disk;
	if (r->disks != 1 || r->n != 1 || !(disk->q.value > 0 && disk->q.value < BUSY) || all_ios(f) < 1)
		return false;
	return rule_say(r, out, disk->q.pos,
		"The disk was not busy all the time; a hint, as it may serve several requests at once.",
		"%.3g %%", disk->q.value);
}

static bool summed_up(struct run_facts *r, const struct facts *f, struct finding *out)
{
	struct pos pos = f->job->pos;
	double jobs = jobs_in(f, &pos);
	return jobs > 1 && rule_say(r, out, pos, "How unequal the jobs were can't be seen; minimum and maximum are sums.",
		"%.0f", jobs);
}

static bool same_param(const struct facts *a, const struct facts *b, const char *key)
{
	const struct param *p = params_find(a->job->params, key), *q = params_find(b->job->params, key);
	return p && q ? slice_eq(p->value, q->value) : p == q;
}

/* Whether b ran beside a: one group of one host, and not by a command of its own. */
static bool beside(const struct facts *a, const struct facts *b)
{
	return same_param(a, b, "group") && same_param(a, b, "host") && !job_says(b->job, "fio_command");
}

/* The jobs from f on that stand together and ran beside it; f counts as none where an earlier one heads them. */
static size_t companions(const struct run_facts *r, const struct facts *f, bool clones)
{
	size_t at = (size_t)(f - r->jobs), n = 1;
	bool heads = at == 0 || !beside(f, f - 1) || (clones && !slice_eq(f[-1].job->name, f->job->name));
	/* assay-load's tests come one after the other. */
	if (!heads || job_says(f->job, "fio_command") || !slice_is(f->run->tool, "fio"))
		return 0;
	while (at + n < r->n && beside(f, f + n) && (!clones || slice_eq(f[n].job->name, f->job->name)))
		n++;
	return n;
}

static bool skewed(struct run_facts *r, const struct facts *f, struct finding *out)
{
	size_t n = companions(r, f, true), worst = 0;
	for (enum direction d = 0; n > 1 && d < DIRECTIONS; d++) {
		double sum = 0;
		worst = 0;
		for (size_t i = 0; i < n; i++) {
			if (!f[i].iops[d])
				break;
			sum += f[i].iops[d]->q.value;
			worst = f[i].iops[d]->q.value < f[worst].iops[d]->q.value ? i : worst;
			if (i + 1 < n)
				continue;
			double ratio = f[worst].iops[d]->q.value * (double)n / sum;
			if (ratio < 0.8)
				return rule_say(r, out, f[worst].iops[d]->q.pos,
					"The jobs are equal by their options, but were not served equally.",
					"%.2g of the mean of %zu jobs' %ss", ratio, n, direction_names[d]);
		}
	}
	return false;
}

static bool unequal_times(struct run_facts *r, const struct facts *f, struct finding *out)
{
	struct pos pos = POS_NONE, first = POS_NONE;
	size_t n = companions(r, f, false);
	double least = INFINITY, most = 0;
	for (size_t i = 0; i < n; i++) {
		double seconds = facts_seconds(&f[i], &pos);
		if (seconds < least)
			first = pos;
		least = fmin(least, seconds);
		most = fmax(most, seconds);
	}
	return n > 1 && least < 0.9 * most && rule_say(r, out, first, "Once the first was done, the others had the device to "
		"themselves: their rates are not of one moment.", "%.3g s to %.3g s", least, most);
}

static bool no_map(struct run_facts *r, const struct facts *f, struct finding *out)
{
	return is_random(f) && job_switched_on(f->job, "norandommap") && rule_say(r, out, job_says(f->job, "norandommap")->pos,
		"Some blocks are hit again before others are hit at all.", "norandommap");
}

static bool easy_data(struct run_facts *r, const struct facts *f, struct finding *out)
{
	static const char *const keys[] = { "zero_buffers", "buffer_compress_percentage", "dedupe_percentage",
		"buffer_pattern" };
	if (!f->io[DIR_WRITE])
		return false;
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		const struct param *p = job_says(f->job, keys[i]);
		if (p && !slice_is(p->value, "0"))
			return rule_say(r, out, p->pos, "Data that compress can be faster than real data.", "%s=%.*s", keys[i],
				SLICE_ARG(p->value));
	}
	/* assay-load never writes the same data twice. */
	bool same_data = slice_is(f->run->tool, "fio") && f->told && !job_switched_on(f->job, "refill_buffers");
	return same_data && rule_say(r, out, f->job->pos,
		"The same buffers are written again and again, which a device that compresses or deduplicates can use.",
		"no refill_buffers");
}

static bool held_back(struct run_facts *r, const struct facts *f, struct finding *out)
{
	static const char *const keys[] = { "rate_iops", "rate", "latency_target", "thinktime", "rate_process" };
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		const struct param *p = job_says(f->job, keys[i]);
		if (p && !slice_is(p->value, "0"))
			return rule_say(r, out, p->pos, "The load was held back on purpose: the device may be faster than measured.",
				"%s=%.*s", keys[i], SLICE_ARG(p->text.n ? p->text : p->value));
	}
	return false;
}

static bool short_ios(struct run_facts *r, const struct facts *f, struct finding *out)
{
	const struct param *p = job_says(f->job, "short_ios");
	return p && rule_say(r, out, p->pos, "Such I/Os brought less than a block.", "%.*s", SLICE_ARG(p->value));
}

static bool dropped_ios(struct run_facts *r, const struct facts *f, struct finding *out)
{
	const struct param *p = job_says(f->job, "drop_ios");
	return p && rule_say(r, out, p->pos, "The device was never asked for them.", "%.*s", SLICE_ARG(p->value));
}

static bool few_measured(struct run_facts *r, const struct facts *f, struct finding *out)
{
	for (enum direction d = 0; d < DIRECTIONS; d++) {
		const struct result *k = f->latency[d], *all = f->iops[d];
		if (k && all && k->n && (double)k->n < 0.9 * (double)all->n)
			return rule_say(r, out, k->q.pos, "The latencies are of a part of the I/Os only.", "%llu of %llu %ss",
				(unsigned long long)k->n, (unsigned long long)all->n, direction_names[d]);
	}
	return false;
}

static bool thin_tail(struct run_facts *r, const struct facts *f, struct finding *out)
{
	enum { FEW = 10 };
	return f->tail && f->tail_ios < FEW && rule_say(r, out, f->tail->q.pos,
		"So high a percentile rests on a handful of I/Os.",
		"%.*s of %llu I/Os", SLICE_ARG(f->tail->stat), (unsigned long long)f->tail->n);
}

const struct rule method_rules[] = {
	{ "failed jobs", "none", AUDIT_REFUSES, SAID_WARNING, ALL_FIGURES, false, failed },
	{ "end of the run", "", AUDIT_REFUSES, SAID_NOT, ALL_FIGURES, false, signalled },
	{ "run time", "", AUDIT_LOOKS, SAID_WARNING, ALL_FIGURES, false, stopped },
	{ "I/O against the pattern", "none", AUDIT_REFUSES, SAID_WARNING, ALL_FIGURES, false, other_direction },
	{ "bytes per I/O", "", AUDIT_REFUSES, SAID_WARNING, ALL_FIGURES, false, block_size },
	{ "reads in the mix", "", AUDIT_REMARKS, SAID_WARNING, ALL_FIGURES, false, read_share },
	{ "end before time and size", "", AUDIT_REMARKS, SAID_NOTE, ALL_FIGURES, false, unfinished },
	{ "direct I/O", "", AUDIT_LOOKS, SAID_NOTE, ALL_FIGURES, false, buffered },
	{ "range against memory", "", AUDIT_REMARKS, SAID_NOTE, ALL_FIGURES, false, fits_memory },
	{ "range", "", AUDIT_REMARKS, SAID_NOTE, ALL_FIGURES, false, small_range },
	{ "warm-up", "", AUDIT_REMARKS, SAID_NOTE, SINGLE_FIGURES, false, warm_up },
	{ "length of the run", "", AUDIT_REMARKS, SAID_NOTE, ALL_FIGURES, false, short_run },
	{ "preconditioning", "", AUDIT_LOOKS, SAID_NOTE, ALL_FIGURES, true, not_filled },
	{ "steady state by fio", "", AUDIT_REMARKS, SAID_NOTE, ALL_FIGURES, false, rule_loose_steady },
	{ "queue depth, as done", "", AUDIT_REMARKS, SAID_WARNING, ALL_FIGURES, false, sync_engine },
	{ "queue depth, as done", "", AUDIT_REMARKS, SAID_NOTE, ALL_FIGURES, false, shallow },
	{ "processor", "", AUDIT_REMARKS, SAID_NOTE, ALL_FIGURES, false, cpu_bound },
	{ "disk use", "", AUDIT_REMARKS, SAID_NOTE, ALL_FIGURES, false, idle_disk },
	{ "jobs summed up", "", AUDIT_REMARKS, SAID_NOTE, ALL_FIGURES, false, summed_up },
	{ "slowest of equal jobs", "", AUDIT_REMARKS, SAID_NOTE, ALL_FIGURES, true, skewed },
	{ "run times of one group", "", AUDIT_REMARKS, SAID_NOTE, ALL_FIGURES, true, unequal_times },
	{ "random map", "", AUDIT_REMARKS, SAID_NOTE, ALL_FIGURES, false, no_map },
	{ "data", "", AUDIT_REMARKS, SAID_NOTE, ALL_FIGURES, false, easy_data },
	{ "rate limit", "", AUDIT_REMARKS, SAID_NOTE, ALL_FIGURES, false, held_back },
	{ "short I/Os", "", AUDIT_REMARKS, SAID_NOTE, ALL_FIGURES, false, short_ios },
	{ "dropped I/Os", "", AUDIT_REMARKS, SAID_WARNING, ALL_FIGURES, false, dropped_ios },
	{ "I/Os with a latency", "", AUDIT_REMARKS, SAID_NOTE, LATENCIES, false, few_measured },
	{ "tail", "", AUDIT_REMARKS, SAID_NOTE, LATENCIES, false, thin_tail },
};
_Static_assert(sizeof method_rules / sizeof *method_rules == RULES, "RULES counts them");
