/* IOR's JSON, 3.2 to 4.1. Objects are known by their members, not by their place: the brackets of 3.2.1 with two ranks
 * do not match, and from -v on bare lines of text stand between them. */
#include "parsers/batch.h"
#include "parsers/ior_check.h"

#include "base/json.h"
#include "base/num.h"
#include "parsers/date.h"

#include <math.h>

static const struct figure {
	const char *key;
	enum metric_id metric;
	const char *stat;
	double factor;
	const char *unit;
} figures[] = {
	{ "bwMiB", METRIC_BANDWIDTH, "value", 0x1p20, " MiB/s" },
	{ "iops", METRIC_IOPS, "value", 1, NULL },
	{ "totalTime", METRIC_RUNTIME, "value", 1, " s" },
	{ "bwMaxMIB", METRIC_BANDWIDTH, "max", 0x1p20, " MiB/s" },
	{ "bwMinMIB", METRIC_BANDWIDTH, "min", 0x1p20, " MiB/s" },
	{ "bwMeanMIB", METRIC_BANDWIDTH, "mean", 0x1p20, " MiB/s" },
	{ "bwStdMIB", METRIC_BANDWIDTH, "sd", 0x1p20, " MiB/s" },
	{ "OPsMax", METRIC_IOPS, "max", 1, NULL },
	{ "OPsMin", METRIC_IOPS, "min", 1, NULL },
	{ "OPsMean", METRIC_IOPS, "mean", 1, NULL },
	{ "OPsSD", METRIC_IOPS, "sd", 1, NULL },
	{ "MeanTime", METRIC_RUNTIME, "mean", 1, " s" },
};
enum { FIGURES = sizeof figures / sizeof *figures };

static const struct { const char *key; enum ior_param param; bool size; } options[] = {
	{ "api", IOR_API, false }, { "tasks", IOR_TASKS, false }, { "nodes", IOR_NODES, false },
	{ "xfersize", IOR_TRANSFER, true }, { "blocksize", IOR_BLOCK, true },
	{ "transferSize", IOR_TRANSFER, false }, { "blockSize", IOR_BLOCK, false },
};

/* A row, or a line of the summary. */
struct entry {
	struct entry *next;
	bool summary;
	struct slice access;
	unsigned iteration;
	struct slice text[FIGURES];
	const char *at;
};

struct test {
	struct test *next;
	struct ior_test known;
	struct entry *first, **end;
	unsigned done[IOR_OPS + 1]; /* iterations by access; the last one: remove */
	unsigned run;
	const char *at;
};

struct reader {
	struct parse *p;
	struct json j;
	struct test *first, **end, *now;
	struct test *summed_up; /* of this run: the test that the summary has come to */
	unsigned runs;
	struct slice version, began, finished;
	bool warned, wrong_read, wrong_write;
};

/* ---- reading ---- */

static struct test *begin_test(struct reader *r)
{
	struct test *t = ARENA_NEW(r->p->arena, struct test);
	t->end = &t->first;
	t->run = r->runs;
	t->at = r->j.p;
	*r->end = t;
	r->end = &t->next;
	if (!r->now)
		r->summed_up = t;
	return r->now = t;
}

static struct test *the_test(struct reader *r)
{
	return r->now ? r->now : begin_test(r);
}

/* The summary comes behind all tests, in their order: what is looked for is where the search ended, or behind it. */
static struct test *test_of(struct reader *r, struct slice id)
{
	for (struct test *t = r->summed_up; t; t = t->next)
		if (t->run == r->runs && slice_eq(t->known.params[IOR_TEST].value, id))
			return r->summed_up = t;
	r->summed_up = NULL; /* one that is not there is not searched twice */
	return the_test(r);
}

static struct slice scalar(struct json *j)
{
	struct slice text = SLICE_NONE;
	if (json_type(j) == JSON_STRING)
		json_string(j, &text);
	else
		json_number_text(j, &text);
	return text;
}

static void take_option(struct reader *r, struct slice key, struct slice text)
{
	struct ior_test *t = &the_test(r)->known;
	struct pos pos = source_pos_of(r->p->source, text.p);
	for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
		double bytes;
		char number[NUM_FORMAT_SIZE];
		if (!slice_is(key, options[i].key))
			continue;
		if (!options[i].size)
			ior_set(t, options[i].param, text, SLICE_NONE, pos);
		else if (ior_exact_size(text, &bytes))
			ior_set(t, options[i].param, arena_copy(r->p->arena, (struct slice){ number, num_format(number, bytes) }), text, pos);
	}
	if (slice_is(key, "repetitions"))
		num_u64(text, &t->repetitions);
}

/* What an object says besides its figures. */
struct object {
	struct entry *entry;
	struct slice test;
	bool parameters; /* its "nodes" is 0 in some versions */
};

static void take_member(struct reader *r, struct object *o, struct slice key, struct slice text)
{
	struct entry *e = o->entry;
	if (slice_is(key, "access") || slice_is(key, "operation")) {
		e->access = text;
		e->summary = key.p[0] == 'o';
	} else if (slice_is(key, "TestID")) {
		o->test = text;
		if (!e->summary)
			ior_set(&begin_test(r)->known, IOR_TEST, text, SLICE_NONE, source_pos_of(r->p->source, text.p));
	} else if (slice_is(key, "Version")) {
		r->version = text;
	} else if (slice_is(key, "Began")) {
		r->runs++;
		r->now = NULL;
		r->began = text;
		r->finished = SLICE_NONE;
	} else if (slice_is(key, "Finished")) {
		r->finished = text;
	} else if (!e->summary && !(o->parameters && slice_is(key, "nodes"))) {
		take_option(r, key, text);
	}
	for (size_t i = 0; i < FIGURES; i++)
		if (slice_is(key, figures[i].key) && !e->text[i].p)
			e->text[i] = text;
}

static void close_object(struct reader *r, const struct object *o)
{
	const struct entry *e = o->entry;
	bool some = false;
	for (size_t i = 0; i < FIGURES; i++)
		some |= e->text[i].p != NULL;
	enum ior_op op = ior_op_of(e->access);
	if (!some || (op == IOR_OPS && !slice_is(e->access, "remove")))
		return;
	struct test *t = e->summary && o->test.n ? test_of(r, o->test) : the_test(r);
	struct entry *kept = ARENA_NEW(r->p->arena, struct entry);
	*kept = *e;
	kept->iteration = e->summary ? 0 : t->done[op]++;
	*t->end = kept;
	t->end = &kept->next;
}

/* Nested at most JSON_DEPTH deep. An object that the end of the data cuts is given up. */
static void read_value(struct reader *r, struct slice name)
{
	struct json *j = &r->j;
	struct entry entry = { .at = j->p };
	struct object o = { .entry = &entry, .parameters = slice_is(name, "Parameters") };
	unsigned depth = j->depth;
	struct slice key;
	if (json_type(j) == JSON_ARRAY && json_enter_array(j)) {
		while (json_element(j))
			read_value(r, name);
	} else if (json_type(j) == JSON_OBJECT && json_enter_object(j)) {
		while (json_member(j, &key)) {
			if (json_type(j) == JSON_OBJECT || json_type(j) == JSON_ARRAY) {
				read_value(r, key);
			} else {
				struct slice text = scalar(j);
				if (text.p)
					take_member(r, &o, key, text);
			}
		}
		if (j->depth == depth)
			close_object(r, &o);
	}
}

/* ---- giving ---- */

static bool wrong(const struct reader *r, enum ior_op op)
{
	return (op == IOR_READ && r->wrong_read) || (op == IOR_WRITE && r->wrong_write);
}

static bool quantity(struct reader *r, const struct figure *f, struct slice text, struct quantity *q)
{
	double v;
	enum unit unit = metric_get(f->metric)->unit;
	if (num_double(text, &v) == NUM_NOT_FINITE) {
		*q = (struct quantity){ .unit = unit, .missing = true, .text = text, .pos = source_pos_of(r->p->source, text.p) };
		return true;
	}
	if (!parse_quantity(r->p, text, unit, f->factor, f->unit, q)) {
		r->warned = true;
		return false;
	}
	q->pos = source_pos(r->p->source, q->pos.offset);
	return true;
}

static void check(struct reader *r, const struct ior_test *t, enum ior_op op, const char *stat, struct result *k)
{
	const struct ior_series *s = &t->series[op];
	if (k->metric != METRIC_BANDWIDTH || k->q.missing || ior_agrees(t, op, stat, &k->q))
		return;
	k->flags |= RESULT_SUSPECT;
	r->warned = true;
	parse_diag(r->p, DIAG_WARNING, k->q.text.p, "%.*s is the %s in the summary, but the %llu rows give %.4f MiB/s",
		SLICE_ARG(k->q.text), stat, (unsigned long long)s->n, ior_recomputed(s, stat) / 0x1p20);
}

/* Mean times of a summary without numbers are of planned, not of done iterations. */
static void give_entry(struct reader *r, struct test *t, const struct entry *e, const struct job *job)
{
	enum ior_op op = ior_op_of(e->access);
	struct ior_series *s = op < IOR_OPS ? &t->known.series[op] : NULL;
	struct param iteration = { .key = SLICE("iteration"),
		.value = arena_u64(r->p->arena, e->iteration), .pos = source_pos_of(r->p->source, e->at) };
	bool none = false;
	for (size_t i = 0; i < FIGURES; i++)
		none |= e->summary && slice_find(e->text[i], SLICE("nan")) != (size_t)-1;
	for (size_t i = 0; i < FIGURES; i++) {
		struct result k = { .metric = figures[i].metric, .stat = slice_of(figures[i].stat), .job = job, .test = e->access,
			.params = { &iteration, e->summary ? 0 : 1 }, .time = NAN };
		if (!e->text[i].p || !quantity(r, &figures[i], e->text[i], &k.q))
			continue;
		k.q.missing |= none || (s && wrong(r, op) && k.metric != METRIC_RUNTIME);
		if (s && !e->summary && k.metric == METRIC_BANDWIDTH && !k.q.missing)
			ior_see(s, &k.q);
		else if (s && e->summary)
			check(r, &t->known, op, figures[i].stat, &k);
		if (s && e->summary) {
			k.n = none ? 0 : s->n;
			s->summed_up |= !none;
		}
		r->p->sink->result(r->p->ctx, &k);
	}
}

static void give_recomputed(struct reader *r, const struct test *t, const struct job *job)
{
	static const char *const stats[] = { "max", "min", "mean", "sd" };
	for (enum ior_op op = 0; op < IOR_OPS; op++) {
		const struct ior_series *s = &t->known.series[op];
		for (size_t i = 0; i < 4 && s->n > 1 && !s->summed_up; i++) {
			struct result k = { .metric = METRIC_BANDWIDTH, .job = job, .test = slice_of(ior_op_names[op]), .n = s->n,
				.stat = slice_of(arena_printf(r->p->arena, "recomputed_%s", stats[i])), .time = NAN, .flags = RESULT_DERIVED,
				.q = { .value = ior_recomputed(s, stats[i]), .unit = UNIT_B_PER_S, .pos = source_pos_of(r->p->source, t->at) } };
			r->p->sink->result(r->p->ctx, &k);
		}
	}
}

static void give_test(struct reader *r, struct test *t)
{
	struct param params[IOR_PARAMS + 2], definition = { .key = SLICE("StdDev"),
		.value = SLICE("over iterations, divided by n"), .pos = source_pos_of(r->p->source, t->at) };
	struct slice number = batch_job_of(slice_of(r->p->source->name));
	size_t n = 0;
	bool zoned;
	for (size_t i = 0; i < IOR_PARAMS; i++)
		if (t->known.params[i].key.n)
			params[n++] = t->known.params[i];
	if (number.n)
		params[n++] = (struct param){ .key = SLICE("job"), .value = number, .pos = { .source = r->p->source } };
	if (r->runs > 1)
		params[n++] = (struct param){ .key = SLICE("run"), .value = arena_u64(r->p->arena, t->run),
			.pos = source_pos_of(r->p->source, t->at) };
	struct job job = { .params = { params, n }, .options = { &definition, 1 }, .partial = true, .pos = source_pos_of(r->p->source, t->at),
		.started = date_read(r->began, &zoned), .stopped = date_read(r->finished, &zoned) };
	const struct job *given = r->p->sink->job(r->p->ctx, &job);
	for (const struct entry *e = t->first; e; e = e->next)
		give_entry(r, t, e, given);
	give_recomputed(r, t, given);
}

/* ---- the whole ---- */

static bool holds(struct slice text, const char *word)
{
	return slice_find(text, slice_of(word)) != (size_t)-1;
}

static void find_version(struct reader *r)
{
	struct slice data = r->p->source->data, rest;
	size_t at = slice_find(data, SLICE("IOR-"));
	if (r->version.p || at == (size_t)-1)
		return;
	rest = slice_from(data, at + 4);
	size_t end = slice_find(slice_head(rest, 40), SLICE(": MPI Coordinated"));
	if (end != (size_t)-1)
		r->version = slice_head(rest, end);
}

static size_t count(struct slice text, const char *word)
{
	size_t n = 0;
	for (size_t at; (at = slice_find(text, slice_of(word))) != (size_t)-1; n++)
		text = slice_from(text, at + 1);
	return n;
}

/* "complete", or what else became of the runs in this file; *why is for people. */
static const char *state_of(struct reader *r, const char **why)
{
	struct slice data = r->p->source->data;
	*why = "the data that were read back are wrong";
	if (r->wrong_read || r->wrong_write)
		return "verification-failed";
	*why = "the run is incomplete: IOR's JSON ends before \"Finished\"";
	if (count(data, "\"Finished\":") < count(data, "\"Began\":"))
		return "incomplete";
	for (const struct test *t = r->first; t; t = t->next)
		for (enum ior_op op = 0; op < IOR_OPS; op++)
			if (t->done[op] && t->done[op] < t->known.repetitions) {
				*why = arena_printf(r->p->arena, "the run is incomplete: %s was done %u times instead of %llu",
					ior_op_names[op], t->done[op], (unsigned long long)t->known.repetitions);
				return "incomplete";
			}
	return "complete";
}

static void say_state(struct reader *r)
{
	struct slice number = batch_job_of(slice_of(r->p->source->name));
	const char *why, *state = state_of(r, &why);
	if (number.n)
		parse_meta(r->p, "job", number, NULL);
	parse_meta(r->p, "state", slice_of(state), NULL);
	if (strcmp(state, "complete") != 0) {
		parse_diag(r->p, DIAG_WARNING, NULL, "%s", why);
		r->warned = true;
	}
}

static enum status parse(struct parse *p)
{
	struct reader r = { .p = p, .j = json_of(p->source->data) };
	struct slice data = p->source->data;
	r.end = &r.first;
	r.wrong_read = holds(data, "ncorrect data on read") || holds(data, "] FAILED comparison of buffer");
	r.wrong_write = holds(data, "ncorrect data on write");
	while (json_document(&r.j))
		read_value(&r, SLICE_NONE);
	if (!r.first)
		return STATUS_REJECT;
	parse_json_flaws(p, &r.j);
	find_version(&r);
	parse_run(p, SLICE("ior"), r.version);
	say_state(&r);
	for (struct test *t = r.first; t; t = t->next)
		give_test(&r, t);
	return r.warned ? STATUS_WARN : STATUS_OK;
}

/* More than the line "IOR-…", which stands before it in 3.2. */
static int probe(const struct peek *peek)
{
	return holds(peek->head, "\"Command line\":") && holds(peek->head, "\"TestID\":") ? 8 * 60 : 0;
}

const struct parser parser_ior_json = {
	.name = "ior-json", .title = "IOR JSON", .tool = "ior", .json = true, .probe = probe, .parse = parse,
};
