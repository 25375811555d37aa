/* ioping's JSON, from 1.2 on: an array of requests ("io") and statistics ("stat"), the last of which is the total. */
#include "parsers/ioping_check.h"

#include "base/json.h"
#include "base/num.h"

#include <math.h>
#include <stdlib.h>

/* The figures of one "stat", in the order in which they are given. */
static const struct figure {
	const char *key;
	enum metric_id metric;
	const char *stat;
	enum unit unit;
	double factor;
} figures[] = {
	{ "count", METRIC_REQUESTS, "count", UNIT_ONE, 1 },
	{ "iops", METRIC_IOPS, "value", UNIT_PER_S, 1 },
	{ "bps", METRIC_BANDWIDTH, "value", UNIT_B_PER_S, 1 },
	{ "min", METRIC_LATENCY, "min", UNIT_S, 1e-9 },
	{ "avg", METRIC_LATENCY, "mean", UNIT_S, 1e-9 },
	{ "max", METRIC_LATENCY, "max", UNIT_S, 1e-9 },
	{ "mdev", METRIC_LATENCY, "sd", UNIT_S, 1e-9 },
};
enum { COUNT, IOPS, BPS, MIN, AVG, MAX, MDEV, FIGURES };

struct stat {
	struct slice text[FIGURES];
	double time; /* Unix time */
};

/* One array: one run of ioping. */
struct document {
	struct document *next;
	struct pos pos;
	double started;
	struct slice target;
	struct ioping_seen seen;
	double size;
	struct slice size_text;
	bool reads, writes;
	struct stat *stats;
	size_t n, cap;
	bool closed, repeated;
};

struct reader {
	struct parse *p;
	struct json j;
	struct document *first, **end;
	size_t n;
	bool warned;
};

static void says(void *ctx, struct pos pos, const char *message)
{
	struct reader *r = ctx;
	r->warned = true;
	parse_diag(r->p, DIAG_WARNING, r->p->source->data.p + pos.offset, "%s", message);
}

/* ---- reading ---- */

static void read_io(struct reader *r, struct document *d)
{
	struct json *j = &r->j;
	struct slice key, text, size = SLICE_NONE, time = SLICE_NONE;
	uint64_t number = 0;
	bool ignored = false;
	json_enter_object(j);
	while (json_member(j, &key)) {
		if (slice_is(key, "request") && json_number_text(j, &text))
			num_u64(text, &number);
		else if (slice_is(key, "size"))
			json_number_text(j, &size);
		else if (slice_is(key, "time"))
			json_number_text(j, &time);
		else if (slice_is(key, "ignored"))
			ignored = json_type(j) == JSON_TRUE;
		else if (slice_is(key, "operation") && json_string(j, &text)) {
			d->reads |= slice_is(text, "read");
			d->writes |= slice_is(text, "write");
		}
	}
	struct quantity q;
	if (d->size == 0 && size.p && num_double(size, &d->size) == NUM_OK)
		d->size_text = size;
	if (time.p && parse_quantity(r->p, time, UNIT_S, 1e-9, NULL, &q))
		ioping_see(r->p->arena, &d->seen, number, !ignored, &q);
}

static struct stat read_stat(struct reader *r)
{
	struct stat s = { .time = NAN };
	struct slice key;
	json_enter_object(&r->j);
	while (json_member(&r->j, &key))
		for (size_t i = 0; i < FIGURES; i++)
			if (slice_is(key, figures[i].key) && !s.text[i].p)
				json_number_text(&r->j, &s.text[i]);
	return s;
}

static void read_target(struct reader *r, struct document *d)
{
	struct slice key, path;
	json_enter_object(&r->j);
	while (json_member(&r->j, &key))
		if (slice_is(key, "path") && json_string(&r->j, &path) && !d->target.p)
			d->target = path;
}

/* An element of the array. What the end of the data cuts is given up. */
static void read_entry(struct reader *r, struct document *d)
{
	struct json *j = &r->j;
	struct slice key, text;
	struct stat stat = { .time = NAN };
	bool has_stat = false;
	double time = NAN;
	json_enter_object(j);
	while (json_member(j, &key)) {
		if (slice_is(key, "timestamp") && json_number_text(j, &text)) {
			num_double(text, &time);
		} else if (slice_is(key, "target") && json_type(j) == JSON_OBJECT) {
			read_target(r, d);
		} else if (slice_is(key, "io") && json_type(j) == JSON_OBJECT) {
			read_io(r, d);
		} else if (slice_is(key, "stat") && json_type(j) == JSON_OBJECT) {
			stat = read_stat(r);
			has_stat = !json_truncated(j);
		}
	}
	if (isnan(d->started))
		d->started = time;
	stat.time = time;
	if (has_stat)
		*ARENA_PUSH(r->p->arena, d->stats, d->n, d->cap) = stat;
}

static void read_document(struct reader *r)
{
	struct document *d = ARENA_NEW(r->p->arena, struct document);
	d->pos = source_pos(r->p->source, json_offset(&r->j));
	d->started = NAN;
	if (!json_enter_array(&r->j))
		return;
	while (json_element(&r->j))
		if (json_type(&r->j) == JSON_OBJECT)
			read_entry(r, d);
	d->closed = !json_truncated(&r->j);
	if (d->n == 0 && d->seen.n == 0)
		return;
	*r->end = d;
	r->end = &d->next;
	r->n++;
}

/* ---- giving ---- */

static size_t stat_results(struct reader *r, const struct stat *s, struct result results[FIGURES])
{
	size_t n = 0;
	uint64_t count = 0;
	num_u64(s->text[COUNT], &count);
	for (size_t i = 0; i < (count ? FIGURES : COUNT + 1); i++) {
		struct quantity q;
		const struct figure *f = &figures[i];
		if (!s->text[i].p || !parse_quantity(r->p, s->text[i], f->unit, f->factor, NULL, &q))
			continue;
		q.pos = source_pos(r->p->source, q.pos.offset);
		results[n++] = (struct result){ .metric = f->metric, .stat = slice_of(f->stat), .q = q,
			.n = i == COUNT ? 0 : count, .time = s->time };
	}
	return n;
}

static struct result *find(struct result *results, size_t n, size_t figure)
{
	for (size_t i = 0; i < n; i++)
		if (results[i].metric == figures[figure].metric && slice_is(results[i].stat, figures[figure].stat))
			return &results[i];
	return NULL;
}

static void give_stat(struct reader *r, struct document *d, const struct job *job, size_t k)
{
	struct result results[FIGURES];
	size_t n = stat_results(r, &d->stats[k], results);
	bool total = d->closed && k + 1 == d->n;
	struct param interval = { .key = SLICE("interval"), .value = arena_u64(r->p->arena, k + 1),
		.pos = d->pos };
	struct ioping_stats stats = { .requests = find(results, n, COUNT), .iops = find(results, n, IOPS),
		.bandwidth = find(results, n, BPS), .min = find(results, n, MIN), .mean = find(results, n, AVG),
		.max = find(results, n, MAX), .sd = find(results, n, MDEV), .size = d->size };
	static const struct ioping_seen nothing;
	ioping_check(r->p->arena, &stats, total ? &d->seen : &nothing, says, r);
	for (size_t i = 0; i < n; i++) {
		results[i].job = job;
		if (!total)
			results[i].params = (struct params){ &interval, 1 };
		r->p->sink->result(r->p->ctx, &results[i]);
	}
}

static const char *op_of(const struct document *d)
{
	return d->reads && d->writes ? "mixed" : d->reads ? "read" : d->writes ? "write" : NULL;
}

/* Runs of the same params get numbers. */
static int by_params(const void *a, const void *b)
{
	const struct document *x = *(struct document *const *)a, *y = *(struct document *const *)b;
	unsigned p = x->reads + 2u * x->writes, q = y->reads + 2u * y->writes;
	return x->size != y->size ? (x->size > y->size) - (x->size < y->size) : (p > q) - (p < q);
}

static void find_repeated(struct reader *r)
{
	struct document **all = ARENA_ARRAY(r->p->arena, r->n, struct document *);
	size_t n = 0;
	for (struct document *d = r->first; d; d = d->next)
		all[n++] = d;
	qsort(all, n, sizeof *all, by_params);
	for (size_t i = 1; i < n; i++)
		if (by_params(&all[i - 1], &all[i]) == 0)
			all[i - 1]->repeated = all[i]->repeated = true;
}

static void give_document(struct reader *r, struct document *d, unsigned ordinal)
{
	struct param params[3], target = { .key = SLICE("target"), .value = d->target, .pos = d->pos };
	size_t n = 0;
	if (op_of(d))
		params[n++] = (struct param){ .key = SLICE("op"), .value = slice_of(op_of(d)), .pos = d->pos };
	if (d->size > 0)
		params[n++] = (struct param){ .key = SLICE("size"), .value = d->size_text,
			.pos = source_pos_of(r->p->source, d->size_text.p) };
	if (d->repeated)
		params[n++] = (struct param){ .key = SLICE("run"), .value = arena_u64(r->p->arena, ordinal),
			.pos = d->pos };
	struct job job = { .params = { params, n }, .options = { &target, d->target.p ? 1 : 0 }, .pos = d->pos,
		.started = d->started, .stopped = NAN };
	const struct job *given = r->p->sink->job(r->p->ctx, &job);
	if (!d->closed || d->n == 0)
		says(r, d->pos, d->n ? "ioping's JSON is cut: what is left of its statistics are intervals, the total is missing" :
			"ioping's JSON ends before its statistics");
	for (size_t k = 0; k < d->n; k++)
		give_stat(r, d, given, k);
}

static enum status parse(struct parse *p)
{
	struct reader r = { .p = p, .j = json_of(p->source->data) };
	unsigned ordinal = 0;
	r.end = &r.first;
	while (json_document(&r.j))
		read_document(&r);
	if (!r.first)
		return STATUS_REJECT;
	parse_json_flaws(p, &r.j);
	find_repeated(&r);
	parse_run(p, SLICE("ioping"), SLICE_NONE);
	for (struct document *d = r.first; d; d = d->next)
		give_document(&r, d, ++ordinal);
	return r.warned ? STATUS_WARN : STATUS_OK;
}

static int probe(const struct peek *peek)
{
	static const char *const keys[] = { "\"timestamp\": ", "\"target\":", "\"device_size\": ", "\"fstype\": " };
	return peek_signs(peek->head, keys, sizeof keys / sizeof *keys);
}

const struct parser parser_ioping_json = {
	.name = "ioping-json", .title = "ioping JSON", .tool = "ioping", .json = true, .probe = probe, .parse = parse,
};
