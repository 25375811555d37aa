#include "ingest/jobs.h"

#include "base/num.h"
#include "parsers/batch.h"

#include <math.h>
#include <stdlib.h>

/* The better ones first: of several files of one job the best counts. */
enum state { COMPLETE, UNVERIFIED, FAILED, INCOMPLETE, UNSUPPORTED, EMPTY, DUPLICATE, ABSENT, STATES };

static const char *const state_names[STATES] = {
	[COMPLETE] = "complete", [UNVERIFIED] = "verification-failed", [FAILED] = "failed", [INCOMPLETE] = "incomplete",
	[UNSUPPORTED] = "unsupported", [EMPTY] = "empty", [DUPLICATE] = "duplicate", [ABSENT] = "absent",
};

struct job_record {
	struct slice subject, tool; /* tool empty: told by the files of the same series */
	struct slice series;        /* the file's name up to the number */
	uint64_t number;
	enum state state;
	const char *source;
	uint64_t hash, size;
	uint32_t before;            /* the record before it in its bucket, + 1 */
};

/* ---- taking ---- */

static uint64_t hash_of(struct slice bytes)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
	for (size_t i = 0; i < bytes.n; i++)
		h = (h ^ (unsigned char)bytes.p[i]) * UINT64_C(0x100000001b3);
	return h;
}

static const struct param *attribute(const struct run *run, const char *key)
{
	return params_find(run->attrs, key);
}

static uint64_t attempt_of(const struct run *run)
{
	const struct param *p = attribute(run, "attempt");
	uint64_t n = 1;
	if (p)
		num_u64(p->value, &n);
	return n;
}

/* The worst of the runs of the last attempt. */
static enum state state_of(struct run *const *runs, size_t n)
{
	enum state state = COMPLETE;
	uint64_t last = 0;
	for (size_t i = 0; i < n; i++)
		last = attempt_of(runs[i]) > last ? attempt_of(runs[i]) : last;
	for (size_t i = 0; i < n; i++) {
		const struct param *p = attribute(runs[i], "state");
		for (enum state s = COMPLETE; p && attempt_of(runs[i]) == last && s <= INCOMPLETE; s++)
			if (slice_is(p->value, state_names[s]) && (state == COMPLETE || s == UNVERIFIED))
				state = s;
	}
	return state;
}

static struct slice base_of(struct slice path)
{
	for (size_t i = path.n; i > 0; i--)
		if (path.p[i - 1] == '/' || path.p[i - 1] == '!')
			return slice_from(path, i);
	return path;
}

static const struct job_record *find_original(struct jobs *j, struct job_record *k)
{
	uint32_t *bucket = &j->bucket[k->hash % JOBS_BUCKETS];
	k->before = *bucket;
	*bucket = (uint32_t)(k - j->v) + 1;
	for (uint32_t at = k->before; at; at = j->v[at - 1].before) {
		const struct job_record *other = &j->v[at - 1];
		if (other->hash == k->hash && other->size == k->size && other->number == k->number && other->state != DUPLICATE &&
		    slice_eq(other->tool, k->tool) && strcmp(other->source, k->source) != 0)
			return other;
	}
	return NULL;
}

static void mark_copy(struct dataset *d, const struct job_record *original, struct run *const *runs, size_t n)
{
	for (size_t i = 0; i < n; i++)
		run_add_attr(d->arena, runs[i], (struct param){ .key = SLICE("duplicate_of"),
			.value = slice_of(original->source), .pos = { .source = runs[i]->source } });
	diag_add(&d->diags, DIAG_NOTE, (struct pos){ .source = runs[0]->source }, "is a copy of %s: its job counts once",
		original->source);
}

/* Standard error ("name.e123") is no output of its own. */
static bool is_output(struct slice name, struct slice number)
{
	return slice_starts(name, "slurm-") || (number.p - name.p > 1 && number.p[-1] == 'o');
}

/* Why a batch system ended a job stands in its standard error. */
static void say_limit(struct dataset *d, const struct input *in, struct slice number, struct slice bytes)
{
	static const char *const words[] = { "PBS: job killed", "CANCELLED AT" };
	struct slice rest = bytes, line;
	while (slice_cut(&rest, '\n', &line))
		for (size_t i = 0; i < sizeof words / sizeof *words; i++)
			if (slice_find(line, slice_of(words[i])) != (size_t)-1)
				diag_add(&d->diags, DIAG_NOTE, (struct pos){ .source = in->source }, "the batch system ended job %.*s: %.*s",
					SLICE_ARG(number), SLICE_ARG(slice_trim(slice_head(line, 200))));
}

static void take(struct jobs *j, struct dataset *d, const struct input *in, struct slice bytes, struct run *const *runs,
	size_t n)
{
	struct slice name = base_of(slice_of(in->source->name)), in_name = batch_job_of(name), number = in_name;
	const struct param *told = n ? attribute(runs[0], "job") : NULL;
	uint64_t value;
	if (told)
		number = told->value;
	if (num_u64(number, &value) != NUM_OK || (n && !attribute(runs[0], "state")))
		return;
	if (n == 0 && !is_output(name, number)) {
		say_limit(d, in, number, bytes);
		return;
	}
	struct job_record *k = ARENA_PUSH(&j->arena, j->v, j->n, j->cap);
	*k = (struct job_record){
		.subject = arena_copy(&j->arena, n ? runs[0]->subject : in->subject),
		.tool = n ? arena_copy(&j->arena, runs[0]->tool) : SLICE_NONE,
		.series = arena_copy(&j->arena, in_name.p ? slice_head(name, (size_t)(in_name.p - name.p)) : name),
		.number = value, .state = n ? state_of(runs, n) : bytes.n ? UNSUPPORTED : EMPTY,
		.source = arena_string(&j->arena, slice_of(in->source->name)), .hash = hash_of(bytes), .size = in->size,
	};
	const struct job_record *original = bytes.n ? find_original(j, k) : NULL;
	if (original && n) {
		k->state = DUPLICATE;
		mark_copy(d, original, runs, n);
	}
}

bool jobs_wants(const struct input *in, struct run *const *runs, size_t n)
{
	bool told = batch_job_of(base_of(slice_of(in->source->name))).n > 0;
	for (size_t i = 0; i < n && !told; i++)
		told = attribute(runs[i], "job") != NULL;
	return told;
}

/* A job that ran two tools counts for both. */
void jobs_take(struct jobs *j, struct dataset *d, const struct input *in, struct slice bytes, struct run *const *runs,
	size_t n)
{
	struct run **rest = ARENA_ARRAY(d->arena, n + 1, struct run *), **of_tool = ARENA_ARRAY(d->arena, n + 1, struct run *);
	if (n == 0)
		take(j, d, in, bytes, runs, 0);
	for (size_t i = 0; i < n; i++)
		rest[i] = runs[i];
	while (n) {
		size_t same = 0, others = 0;
		struct slice tool = rest[0]->tool;
		for (size_t i = 0; i < n; i++)
			if (slice_eq(rest[i]->tool, tool))
				of_tool[same++] = rest[i];
			else
				rest[others++] = rest[i];
		take(j, d, in, bytes, of_tool, same);
		n = others;
	}
}

/* ---- giving ---- */

static int by_job(const void *a, const void *b)
{
	const struct job_record *x = a, *y = b;
	int c = slice_cmp(x->subject, y->subject);
	c = c ? c : slice_cmp(x->tool, y->tool);
	if (c == 0 && x->number != y->number)
		c = x->number < y->number ? -1 : 1;
	if (c == 0 && x->state != y->state)
		c = x->state < y->state ? -1 : 1;
	return c ? c : strcmp(x->source, y->source);
}

static int by_series(const void *a, const void *b)
{
	const struct job_record *x = a, *y = b;
	int c = slice_cmp(x->subject, y->subject);
	c = c ? c : slice_cmp(x->series, y->series);
	return c ? c : (x->tool.n == 0) - (y->tool.n == 0); /* those that tell the tool first */
}

/* Output that tells no tool is of that of its series; of a series that has none nothing is said. */
static void find_tools(struct jobs *j)
{
	size_t kept = 0;
	struct slice tool = SLICE_NONE;
	if (j->n > 1)
		qsort(j->v, j->n, sizeof *j->v, by_series);
	for (size_t i = 0; i < j->n; i++) {
		bool same = i > 0 && slice_eq(j->v[i].series, j->v[i - 1].series) && slice_eq(j->v[i].subject, j->v[i - 1].subject);
		if (j->v[i].tool.n)
			tool = j->v[i].tool;
		else if (!same)
			tool = SLICE_NONE;
		j->v[i].tool = tool;
	}
	for (size_t i = 0; i < j->n; i++)
		if (j->v[i].tool.n)
			j->v[kept++] = j->v[i];
	j->n = kept;
}

static uint64_t gcd(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

/* Numbers of one series that go up by a constant, but for a few: those few are jobs without output. */
enum { SERIES_MIN = 8, SERIES_SHARE = 10 /* at most one in so many is missing */ };

static size_t count_absent(struct dataset *d, const struct job_record *v, size_t n, struct source *at)
{
	uint64_t step = 0, absent = 0;
	size_t jobs = 1;
	for (size_t i = 1; i < n; i++) {
		if (!slice_eq(v[i].series, v[0].series))
			return 0;
		step = gcd(step, v[i].number - v[i - 1].number);
		jobs += v[i].number != v[i - 1].number;
	}
	if (jobs < SERIES_MIN || step == 0)
		return 0;
	absent = (v[n - 1].number - v[0].number) / step + 1 - jobs;
	if (absent > jobs / SERIES_SHARE)
		return 0;
	for (size_t i = 1; i < n; i++)
		for (uint64_t k = v[i - 1].number + step; k < v[i].number; k += step)
			diag_add(&d->diags, DIAG_NOTE, (struct pos){ .source = at }, "there is no output of job %llu: the numbers of %.*s… "
				"go up by %llu", (unsigned long long)k, SLICE_ARG(v[0].series), (unsigned long long)step);
	return (size_t)absent;
}

/* What the sources' names have in common, up to a folder or an archive. */
static struct source *place_of(struct dataset *d, const struct job_record *v, size_t n)
{
	struct slice common = slice_of(v[0].source);
	for (size_t i = 0; i < n; i++) {
		size_t same = 0;
		while (same < common.n && v[i].source[same] == common.p[same])
			same++;
		common.n = same;
	}
	while (common.n && common.p[common.n - 1] != '/' && common.p[common.n - 1] != '!')
		common.n--;
	common.n -= common.n > 1;
	struct source *s = ARENA_NEW(d->arena, struct source);
	*s = source_of(arena_string(d->arena, common.n ? common : SLICE(".")), SLICE_NONE);
	return s;
}

/* The records of one subject and tool. */
static void give_tool(struct dataset *d, const struct job_record *v, size_t n)
{
	uint64_t counts[STATES] = { 0 };
	struct source *place = place_of(d, v, n);
	struct run *run = dataset_add_run(d, place, v[0].tool);
	run->subject = arena_copy(d->arena, v[0].subject);
	for (size_t i = 0; i < n; i++)
		if (v[i].state == DUPLICATE || i == 0 || v[i].number != v[i - 1].number)
			counts[v[i].state]++;
	counts[ABSENT] = count_absent(d, v, n, place);
	for (enum state s = 0; s < STATES; s++) {
		struct param param = { .key = SLICE("state"), .value = slice_of(state_names[s]), .pos = { .source = place } };
		struct result count = { .metric = METRIC_JOBS, .flags = RESULT_DERIVED, .stat = SLICE("count"), .time = NAN,
			.params = { &param, 1 }, .q = { .value = (double)counts[s], .unit = UNIT_ONE, .pos = { .source = place } } };
		if (counts[s])
			run_add_result(d->arena, run, &count);
	}
}

void jobs_give(struct jobs *j, struct dataset *d)
{
	find_tools(j);
	if (j->n > 1)
		qsort(j->v, j->n, sizeof *j->v, by_job);
	for (size_t i = 0, k; i < j->n; i = k) {
		for (k = i + 1; k < j->n && slice_eq(j->v[i].tool, j->v[k].tool) && slice_eq(j->v[i].subject, j->v[k].subject);)
			k++;
		give_tool(d, j->v + i, k - i);
	}
}

void jobs_free(struct jobs *j)
{
	arena_free(&j->arena);
	*j = (struct jobs){ 0 };
}
