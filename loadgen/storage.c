/* assay-load storage: from arguments to a result file. */
#define _GNU_SOURCE
#include "loadgen/storage.h"

#include "loadgen/rounds.h"

#include <math.h>
#include <sched.h>
#include <sys/random.h>

enum { THREADS_MAX = 8, INTERVALS_PER_TEST = 120 };

static unsigned cpus(void)
{
	cpu_set_t set;
	return sched_getaffinity(0, sizeof set, &set) == 0 ? (unsigned)CPU_COUNT(&set) : 1;
}

/* A second, but hours of one test are not told second by second: the file would be gigabytes. */
static double usual_interval(const struct profile *p)
{
	double longest = 0;
	for (size_t i = 0; i < p->n_stages; i++)
		longest = fmax(longest, p->stages[i].runtime);
	return fmax(1, floor(longest / INTERVALS_PER_TEST));
}

/* What depends on the targets: threads, and that new files hold data before they are read. */
static void fit_to_targets(struct profile *p, const struct targets *t)
{
	bool created = false, reads = false;
	for (size_t i = 0; i < t->n; i++)
		created |= t->facts[i].kind == GUARD_MISSING;
	for (size_t i = 0; i < p->n_stages; i++) {
		struct stage *s = &p->stages[i];
		if (s->threads < 1)
			s->threads = fmin(fmax(floor((double)cpus() / (double)t->n), 1), THREADS_MAX);
		for (size_t k = 0; k < s->n_list; k++)
			reads |= s->list[k].read_percent > 0;
	}
	if (created && reads)
		p->stages[0].passes = fmax(p->stages[0].passes, 1);
}

static bool any_writes(const struct profile *p)
{
	bool writes = false;
	for (size_t i = 0; i < p->n_stages; i++) {
		writes |= p->stages[i].passes > 0 || p->stages[i].purge;
		for (size_t k = 0; k < p->stages[i].n_list; k++)
			writes |= p->stages[i].list[k].read_percent < 100;
	}
	return writes;
}

static uint64_t largest_block(const struct profile *p)
{
	double most = 0;
	for (size_t i = 0; i < p->n_stages; i++) {
		most = fmax(most, p->stages[i].passes > 0 ? p->stages[i].precondition_bs : 0);
		for (size_t k = 0; k < p->stages[i].n_list; k++)
			most = fmax(most, (double)p->stages[i].list[k].block);
	}
	return (uint64_t)most;
}

static uint64_t seed_of(const struct storage *s)
{
	uint32_t seed = 1;
	if (!s->seeded && getrandom(&seed, sizeof seed, 0) != sizeof seed)
		return 1;
	return s->seeded ? s->seed : seed;
}

static int status_of(const struct outcome *o)
{
	if (o->end != WORK_DONE)
		return LOAD_UNFINISHED;
	if (o->errors || o->corrupt)
		return LOAD_ERRORS;
	return o->asked && !o->steady ? LOAD_NOT_STEADY : LOAD_OK;
}

static void say_outcome(const struct load_options *o, const struct outcome *out, const struct record *r)
{
	if (out->errors || out->corrupt)
		load_fail("%llu I/Os failed, %llu blocks were not what had been written", (unsigned long long)out->errors,
			(unsigned long long)out->corrupt);
	if (o->quiet)
		return;
	if (out->end == WORK_STOPPED)
		fputs("Interrupted: what was measured up to here is in the result file.\n", stderr);
	else if (out->end == WORK_DONE && out->asked)
		fputs(out->steady ? "Steady state was reached.\n" : "Steady state was not reached within the limit of rounds.\n",
			stderr);
	if (r->path && strcmp(r->path, "-") != 0)
		fprintf(stderr, "results: %s\n", r->path);
}

/* Cells whose blocks a target can't take are left out. False when none of a stage's remains that it needs. */
static bool fit_to_alignment(const struct storage *s, struct profile *p, const struct targets *t, const char **left_out)
{
	struct buf names = BUF_EMPTY;
	bool whole = true;
	uint64_t align = 1;
	for (size_t i = 0; i < t->n; i++)
		align = t->list[i].align > align ? t->list[i].align : align;
	for (size_t i = 0; i < p->n_stages; i++) {
		struct stage *stage = &p->stages[i];
		size_t n = 0;
		for (size_t k = 0; k < stage->n_list; k++) {
			if (stage->list[k].block % align == 0) {
				stage->list[n++] = stage->list[k];
				continue;
			}
			stage->n_tracked -= stage->list[k].tracked;
			buf_printf(&names, "%s%s", names.n ? ", " : "", stage->list[k].name);
		}
		stage->n_list = n;
		whole = whole && n && (!stage->judge || stage->n_tracked);
	}
	*left_out = names.n ? arena_printf(s->arena, "%.*s: left out, as direct I/O has to be in multiples of %llu bytes here",
		SLICE_ARG(buf_view(&names)), (unsigned long long)align) : NULL;
	buf_free(&names);
	return whole;
}

/* Everything between an open result file and its last line. */
static int measure(const struct storage *s, const struct load_options *o, const struct profile *p, const char *left_out,
	struct targets *t, struct record *r)
{
	struct view v = view_open(o, p, t->list, t->n);
	struct rounds rounds = { .arena = s->arena, .profile = p, .interval = s->interval, .seed = seed_of(s),
		.engine = s->engine, .targets = t->list, .n_targets = t->n, .stop = s->stop, .work = work_run,
		.purge = purge_range, .record = r, .view = &v };
	record_start(r, s->arena, o);
	lines_start(r, p, rounds.seed, rounds.interval);
	if (left_out) {
		record_event(r, DIAG_WARNING, left_out);
		view_event(&v, DIAG_WARNING, left_out);
	}
	view_plan(&v);
	struct outcome out = rounds_run(&rounds);
	static const char *const ends[] = {
		[WORK_DONE] = "complete", [WORK_STOPPED] = "interrupted", [WORK_FAILED] = "failed",
	};
	record_finish(r, s->arena, ends[out.end], out.asked ? out.steady : -1);
	say_outcome(o, &out, r);
	return status_of(&out);
}

static int run_on_targets(struct storage *s, const struct load_options *o, struct profile *p, struct targets *t)
{
	struct record r;
	const char *error;
	const char *stem = p->name ? p->name : "storage";
	s->stop = load_catch_signals();
	s->interval = s->interval > 0 ? s->interval : usual_interval(p);
	fit_to_targets(p, t);
	if (!record_open(&r, s->arena, o->output, stem, &error))
		return load_refuse("%s", error);
	int status;
	bool good = targets_open(s, t, any_writes(p), largest_block(p), &error) && fit_to_alignment(s, p, t, &error);
	if (good)
		status = measure(s, o, p, error, t, &r);
	else
		status = load_fail("%s", error);
	targets_close(s, t);
	if (!good)
		record_discard(&r);
	else if (!record_close(&r, s->arena, &error))
		status = load_fail("%s", error);
	return status;
}

static int run(int argc, char **argv)
{
	struct arena a = ARENA_EMPTY;
	struct storage s = { .arena = &a };
	struct load_options o;
	struct targets t;
	int status = load_options_parse(&o, &a, &load_storage, &s, argc, argv);
	if (status < 0) {
		status = LOAD_USAGE;
		struct profile *p = storage_profile(&s, o.color == LOAD_COLOR_ALWAYS);
		if (p && o.n_operands == 0)
			load_refuse("nothing to put load on: give files or block devices");
		else if (p && targets_check(&s, &t, o.operands, o.n_operands, largest_block(p)))
			status = run_on_targets(&s, &o, p, &t);
	}
	arena_free(&a);
	return status;
}

const struct load_kind load_storage = {
	.name = "storage",
	.summary = "reads and writes files and block devices",
	.usage = "[options] TARGET…",
	.help =
		"Measures files and block devices: all TARGETs at once, each alone and together.\n"
		"A profile is a method: preconditioning, then rounds of cells until they are steady.\n"
		"\n"
		"  oci-nvme               the NVMe SLA of Oracle Cloud Infrastructure: 4 KiB random writes\n"
		"  snia-iops              SNIA PTS 2.0.2: seven mixes of eight block sizes\n"
		"  snia-throughput        SNIA PTS 2.0.2: sequential reads and writes\n"
		"  snia-latency           SNIA PTS 2.0.2: one I/O at a time\n"
		"  snia-write-saturation  SNIA PTS 2.0.2: writes from a fresh device on\n"
		"\n"
		"Without a profile it does what --rw says, for --runtime.\n"
		"\n"
		"A device that is in use, or holds a file system or a partition table, is refused; any other\n"
		"only serves when --destroy-data names it. A file is made for the run and removed at the end;\n"
		"one that exists already only serves with --use-existing.\n"
		"\n"
		"examples:\n"
		"  assay-load --profile oci-nvme --destroy-data=/dev/nvme0n1 /dev/nvme0n1\n"
		"  assay-load --profile snia-iops --cells '4k-*' --runtime 10s --size 10g a.dat b.dat\n"
		"  assay-load --rw randread --bs 4k --iodepth 32 --runtime 30s --size 1g test.dat\n"
		"  assay-load --rw randwrite --rate 5000 --verify --size 1g -o run.ndjson test.dat",
	.rows = storage_rows,
	.take = storage_take,
	.run = run,
};
