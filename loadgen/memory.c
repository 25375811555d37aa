/* assay-load memory. */
#define _GNU_SOURCE
#include "loadgen/memory.h"

#include "loadgen/host.h"
#include "loadgen/record.h"

#include <math.h>

enum { REPETITIONS = 10, REPETITIONS_MAX = 200, CACHE_TIMES = 4, ARRAYS = 3, LEAST_ELEMENTS = 1 << 20 };
static const uint64_t STREAM_ELEMENTS = 10000000; /* stream.c's own default, where no cache is known */

enum option_id { OPT_THREADS = LOAD_OPTION_OWN, OPT_SIZE, OPT_REPETITIONS, OPT_STORES, OPT_VECTOR };

static const struct load_option rows[] = {
	{ { "threads", required_argument, NULL, OPT_THREADS }, "N", "each on a CPU of its own; else one for each CPU" },
	{ { "size", required_argument, NULL, OPT_SIZE }, "SIZE", "of each of the three arrays; else by the cache rule" },
	{ { "repetitions", required_argument, NULL, OPT_REPETITIONS }, "N", "10; the first one is not counted" },
	{ { "stores", required_argument, NULL, OPT_STORES }, "WHAT", "plain, streaming or both" },
	{ { "vector", required_argument, NULL, OPT_VECTOR }, "WHAT", "auto, avx, sse2 or none" },
	{ { NULL, 0, NULL, 0 }, NULL, NULL },
};

struct memory {
	uint64_t threads, repetitions; /* threads 0: one for each CPU */
	double size;                   /* 0: by the cache rule */
	const char *stores, *vector;   /* NULL: both; the widest */
	uint64_t caches;               /* 0: not known */
	struct memory_plan plan;
};

static int take_word(const char *option, const char *arg, const char *const *words, const char **word)
{
	for (size_t i = 0; words[i]; i++)
		if (strcmp(arg, words[i]) == 0) {
			*word = i ? words[i] : NULL;
			return -1;
		}
	return load_refuse("--%s %s: see --help for what it may be", option, arg);
}

static int take(void *own, int id, const char *arg)
{
	static const char *const stores[] = { "both", "plain", "streaming", NULL }, *const vectors[] = { "auto", "avx", "sse2",
		"none", NULL };
	struct memory *m = own;
	switch (id) {
	case OPT_THREADS: return load_count("threads", arg, 1, CPU_SETSIZE, &m->threads) ? -1 : LOAD_USAGE;
	case OPT_SIZE: return load_quantity("size", arg, UNIT_B, 64 << 10, &m->size) ? -1 : LOAD_USAGE;
	case OPT_REPETITIONS: return load_count("repetitions", arg, 2, REPETITIONS_MAX, &m->repetitions) ? -1 : LOAD_USAGE;
	case OPT_STORES: return take_word("stores", arg, stores, &m->stores);
	default: return take_word("vector", arg, vectors, &m->vector);
	}
}

/* ---- the plan ---- */

static int choose_threads(struct memory *m)
{
	struct memory_plan *p = &m->plan;
	if (sched_getaffinity(0, sizeof p->cpus, &p->cpus) != 0)
		return load_fail("can't be told on which CPUs this may run");
	uint64_t cpus = (uint64_t)CPU_COUNT(&p->cpus);
	if (m->threads > cpus)
		return load_refuse("--threads %llu: there are %llu CPUs to run on", (unsigned long long)m->threads,
			(unsigned long long)cpus);
	p->threads = (unsigned)(m->threads ? m->threads : cpus);
	return -1;
}

/* By STREAM's rule each array is at least four times as large as all last-level caches together. */
static int choose_size(struct memory *m, struct arena *a)
{
	struct memory_plan *p = &m->plan;
	uint64_t available = host_memory_available(a), elements;
	m->caches = memory_caches(a, "/sys/devices/system/cpu", &p->cpus);
	elements = m->size > 0 ? (uint64_t)(fmin(m->size, 0x1p60) / sizeof(double))
		: m->caches ? CACHE_TIMES * m->caches / sizeof(double) : STREAM_ELEMENTS;
	if (m->size == 0 && elements < LEAST_ELEMENTS)
		elements = LEAST_ELEMENTS;
	/* As many whole steps as there are threads, at least. */
	elements = (elements + MEMORY_STEP - 1) / MEMORY_STEP * MEMORY_STEP;
	p->elements = elements;
	if (elements < (uint64_t)p->threads * MEMORY_STEP)
		return load_refuse("--size is too little for %u threads", p->threads);
	if (available && elements > available / ARRAYS / sizeof(double))
		return load_refuse("three arrays of %.4g MiB don't fit into the %.4g MiB of memory that are available%s",
			(double)elements * sizeof(double) / 0x1p20, (double)available / 0x1p20, m->size > 0 ? "" :
			"; --size takes less, though caches then take part");
	return -1;
}

/* ---- records ---- */

static void put_start(struct record *r, struct arena *a, const struct load_options *o, const struct memory *m)
{
	record_start(r, a, o);
	record_count(r, "threads", m->plan.threads);
	record_count(r, "repetitions", m->plan.repetitions);
	record_number(r, "caches", m->caches ? (double)m->caches : NAN);
	record_text(r, "huge_pages", host_line(a, "/sys/kernel/mm/transparent_hugepage/enabled"));
	record_end(r);
}

static void warn(struct record *r, const char *message)
{
	record_event(r, DIAG_WARNING, message);
	fprintf(stderr, "assay-load: warning: %s\n", message);
}

static void warn_caches(struct record *r, struct arena *a, const struct memory *m)
{
	double bytes = (double)m->plan.elements * sizeof(double);
	if (m->caches && bytes < (double)CACHE_TIMES * (double)m->caches)
		warn(r, arena_printf(a, "arrays of %.0f B are less than %d times the last-level caches (%llu B): these take part in "
			"what is measured", bytes, CACHE_TIMES, (unsigned long long)m->caches));
	else if (!m->caches)
		warn(r, "the sizes of the caches are not known: whether the arrays are large enough can't be told");
}

static void put_kernel(struct record *r, struct arena *a, const struct memory *m, size_t test, enum memory_kernel k,
	const struct memory_outcome *out)
{
	const struct memory_plan *p = &m->plan;
	double counted = (double)memory_kernels[k].counted * (double)p->elements;
	record_begin(r, "test");
	record_count(r, "test", test);
	record_text(r, "name", memory_kernels[k].name);
	record_text(r, "time", load_time(a));
	record_number(r, "t", load_now() - r->started);
	record_count(r, "threads", p->threads);
	record_count(r, "array_size", p->elements);
	record_count(r, "element_size", sizeof(double));
	record_text(r, "stores", p->code->streaming ? "streaming" : "plain");
	record_text(r, "vector", p->code->vector);
	record_end(r);
	record_begin(r, "measure");
	record_count(r, "test", test);
	record_number(r, "counted_bytes", counted);
	record_number(r, "uncounted_bytes", p->code->streaming ? NAN : sizeof(double) * (double)p->elements);
	record_text(r, "counting", p->code->streaming ? "as STREAM: what is read and written" : "as STREAM: what is read and "
		"written; a cache that reads what is written first moves uncounted_bytes more");
	record_count(r, "repetitions", out->counted);
	record_number(r, "bandwidth", counted / out->kernel[k].min);
	record_object(r, "seconds");
	record_number(r, "min", out->kernel[k].min);
	record_number(r, "mean", out->kernel[k].mean);
	record_number(r, "max", out->kernel[k].max);
	record_end(r);
}

static void put_check(struct record *r, const struct memory_plan *p, const struct memory_outcome *out)
{
	record_begin(r, "check");
	record_text(r, "stores", p->code->streaming ? "streaming" : "plain");
	record_flag(r, "valid", out->valid);
	record_number(r, "error", out->error);
	record_number(r, "allowed", MEMORY_ERROR_ALLOWED);
	record_end(r);
}

static void show_kernel(const struct memory_plan *p, enum memory_kernel k, const struct memory_times *t)
{
	char rate[48], times[3][48];
	const double v[] = { t->min, t->mean, t->max };
	quantity_show(rate, sizeof rate, memory_kernels[k].counted * (double)p->elements / t->min, UNIT_B_PER_S, 4);
	for (int i = 0; i < 3; i++)
		quantity_show(times[i], sizeof times[i], v[i], UNIT_S, 4);
	fprintf(stderr, "%-7s %-10s %13s %11s %11s %11s\n", memory_kernels[k].name, p->code->streaming ? "streaming" : "plain",
		rate, times[0], times[1], times[2]);
}

/* ---- the run ---- */

struct state {
	size_t tests;
	bool invalid;
	const char *status;
};

static void one_pass(const struct memory *m, const struct load_options *o, struct arena *a, struct record *r,
	const volatile sig_atomic_t *stop, struct state *s)
{
	struct memory_outcome out;
	const char *error;
	if (!memory_measure(&m->plan, stop, &out, &error)) {
		record_event(r, DIAG_ERROR, error);
		load_fail("%s", error);
		s->status = "failed";
		return;
	}
	if (out.unpinned)
		warn(r, arena_printf(a, "%u of %u threads could not be tied to their CPU", out.unpinned, m->plan.threads));
	for (enum memory_kernel k = 0; k < MEMORY_KERNELS && out.counted; k++) {
		put_kernel(r, a, m, s->tests++, k, &out);
		if (!o->quiet)
			show_kernel(&m->plan, k, &out.kernel[k]);
	}
	put_check(r, &m->plan, &out);
	if (!out.valid)
		load_fail("the arrays don't hold what they must: mean relative error %.3g, allowed %.3g", out.error,
			MEMORY_ERROR_ALLOWED);
	s->invalid |= !out.valid;
	if (out.stopped)
		s->status = "interrupted";
}

static int measure(struct memory *m, const struct load_options *o, struct arena *a, struct record *r)
{
	const volatile sig_atomic_t *stop = load_catch_signals();
	struct state s = { .status = "complete" };
	put_start(r, a, o, m);
	warn_caches(r, a, m);
	if (!o->quiet)
		fprintf(stderr, "memory bandwidth with %u threads, arrays of %.4g MiB, bytes counted as STREAM does\n"
			"kernel  stores       best rate    min time   mean time    max time\n", m->plan.threads,
			(double)m->plan.elements * sizeof(double) / 0x1p20);
	for (int streaming = 0; streaming < 2 && strcmp(s.status, "complete") == 0; streaming++) {
		if (m->stores && (strcmp(m->stores, "streaming") == 0) != streaming)
			continue;
		m->plan.code = memory_code(m->vector, streaming);
		if (m->plan.code)
			one_pass(m, o, a, r, stop, &s);
		else
			warn(r, streaming ? "there are no stores here that pass the caches by" : "this processor has no such vectors");
	}
	record_finish(r, a, s.status, -1);
	if (!o->quiet && strcmp(r->path, "-") != 0)
		fprintf(stderr, "results: %s\n", r->path);
	return strcmp(s.status, "complete") != 0 ? LOAD_UNFINISHED : s.invalid ? LOAD_ERRORS : LOAD_OK;
}

static int record_and_measure(struct memory *m, const struct load_options *o, struct arena *a)
{
	struct record r;
	const char *error;
	if (!record_open(&r, a, o->output, "memory", &error))
		return load_refuse("%s", error);
	int status = measure(m, o, a, &r);
	if (!record_close(&r, a, &error))
		status = load_fail("%s", error);
	return status;
}

static int run(int argc, char **argv)
{
	struct arena a = ARENA_EMPTY;
	struct memory m = { .repetitions = REPETITIONS };
	struct load_options o;
	int status = load_options_parse(&o, &a, &load_memory, &m, argc, argv);
	m.plan.repetitions = (unsigned)m.repetitions;
	if (status < 0 && o.n_operands)
		status = load_refuse("%s: memory takes no targets", o.operands[0]);
	if (status < 0)
		status = choose_threads(&m);
	if (status < 0)
		status = choose_size(&m, &a);
	if (status < 0)
		status = record_and_measure(&m, &o, &a);
	arena_free(&a);
	return status;
}

const struct load_kind load_memory = {
	.name = "memory",
	.summary = "copies and adds large arrays, as STREAM does",
	.usage = "[options]",
	.help =
		"Measures memory bandwidth with the four kernels of STREAM, with plain stores and with\n"
		"streaming ones, which pass the caches by. Every thread stays on its CPU and touches its\n"
		"part of the arrays first. The arrays are four times as large as all last-level caches\n"
		"together, and are checked at the end.\n"
		"\n"
		"Bytes are counted as STREAM counts them: 16 for each element of Copy and Scale, 24 of Add\n"
		"and Triad. What a cache reads before a plain store is not among them.\n"
		"\n"
		"examples:\n"
		"  assay-load memory -o memory.ndjson\n"
		"  assay-load memory --threads 1 --stores plain --size 1g",
	.rows = rows,
	.take = take,
	.run = run,
};
