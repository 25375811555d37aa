/* Lines of the result file, their members, and the sums that they add up to. */
#include "parsers/assay_load.h"

#include "base/num.h"

#include <math.h>
#include <stdarg.h>

enum { LINE_MAX = 1 << 20 };
/* No run moves as much: sums of such numbers can't overflow within AL_TESTS × a day of intervals. */
static const uint64_t BYTES_LIMIT = UINT64_C(1) << 56;

const char *const al_count_keys[AL_COUNTS] = { "ios", "bytes", "errors", "corrupt", "sent" };

const struct al_op_kind al_ops[AL_OPS] = {
	[AL_READ] = { "read", "op", "read", METRIC_LATENCY, METRIC_IOPS, "p50" },
	[AL_WRITE] = { "write", "op", "write", METRIC_LATENCY, METRIC_IOPS, "p50" },
	[AL_RTT] = { "rtt", NULL, NULL, METRIC_RTT, METRIC_RATE, "median" },
	[AL_SENT] = { "sent", "direction", "sender", METRICS, METRICS, NULL },
	[AL_RECEIVED] = { "received", "direction", "receiver", METRICS, METRICS, NULL },
	[AL_QUERY] = { "query", NULL, NULL, METRIC_QUERY_TIME, METRIC_RATE, "median" },
};

/* ---- lines ---- */

struct al_lines al_lines_of(struct parse *p)
{
	return (struct al_lines){ .feed = p->feed, .buffer = arena_alloc(p->arena, LINE_MAX) };
}

static void refill(struct al_lines *l)
{
	size_t left = l->end - l->start, wanted = LINE_MAX - left;
	memmove(l->buffer, l->buffer + l->start, left);
	size_t got = feed_fill(l->feed, l->buffer + left, wanted);
	l->ended = got < wanted;
	l->start = 0;
	l->end = left + got;
}

/* Behind the line end; false when the data end before. */
static bool skip_overlong(struct al_lines *l)
{
	l->first_overlong = l->overlong++ ? l->first_overlong : l->number + 1;
	for (;;) {
		const char *end = memchr(l->buffer + l->start, '\n', l->end - l->start);
		size_t n = end ? (size_t)(end + 1 - l->buffer) - l->start : l->end - l->start;
		l->start += n;
		l->next += n;
		if (end) {
			l->number++;
			return true;
		}
		if (l->ended)
			return false;
		refill(l);
	}
}

bool al_line_next(struct al_lines *l)
{
	for (;;) {
		char *from = l->buffer + l->start, *end = memchr(from, '\n', l->end - l->start);
		if (!end && !l->ended && (l->start > 0 || l->end < LINE_MAX)) {
			refill(l);
			continue;
		}
		if (!end && !l->ended) {
			if (!skip_overlong(l))
				return false;
			continue;
		}
		size_t n = end ? (size_t)(end - from) : l->end - l->start;
		if (!end && n == 0)
			return false;
		l->unended = !end;
		l->offset = l->next;
		l->next += n + (end != NULL);
		l->start += n + (end != NULL);
		l->number++;
		l->line = (struct slice){ from, n && from[n - 1] == '\r' ? n - 1 : n };
		return true;
	}
}

struct pos al_pos(const struct al *r, const char *at)
{
	size_t n = at ? (size_t)(at - r->in.line.p) : 0;
	return (struct pos){ r->p->source, r->in.offset + n, r->in.number, (uint32_t)n + 1 };
}

void al_say(struct al *r, enum severity severity, struct pos pos, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	const char *message = arena_vprintf(r->p->arena, format, args);
	va_end(args);
	if (severity != DIAG_NOTE && r->status == STATUS_OK)
		r->status = STATUS_WARN;
	r->p->sink->diag(r->p->ctx, severity, pos, message);
}

struct param *al_params_copy(struct al *r, struct params p, size_t more)
{
	struct param *v = ARENA_ARRAY(r->p->arena, p.n + more, struct param);
	if (p.n)
		memcpy(v, p.v, p.n * sizeof *v);
	return v;
}

/* ---- members ---- */

bool al_object_read(struct slice raw, struct al_object *o)
{
	struct json j = json_of(raw);
	*o = (struct al_object){ .n = 0, .at = raw.p };
	struct slice key, text;
	if (!json_document(&j) || json_offset(&j) != 0 || !json_enter_object(&j))
		return false;
	while (json_member(&j, &key)) {
		enum json_type type = json_type(&j);
		if (json_skip(&j, &text) && o->n < AL_MEMBERS) {
			o->m[o->n].key = key;
			o->m[o->n].text = text;
			o->m[o->n++].type = type;
		}
	}
	if (json_document(&j))
		return false;
	for (int f = 0; f < JSON_FLAWS; f++)
		if (j.flaw_count[f])
			return false;
	return true;
}

static size_t find(const struct al_object *o, const char *key)
{
	size_t i = 0;
	while (i < o->n && !slice_is(o->m[i].key, key))
		i++;
	return i;
}

struct slice al_raw(const struct al_object *o, const char *key)
{
	size_t i = find(o, key);
	return i < o->n && o->m[i].type != JSON_NULL ? o->m[i].text : SLICE_NONE;
}

struct slice al_text(struct al *r, const struct al_object *o, const char *key)
{
	size_t i = find(o, key);
	if (i == o->n || o->m[i].type != JSON_STRING || o->m[i].text.n < 2)
		return SLICE("");
	return json_unescape(r->p->arena, (struct slice){ o->m[i].text.p + 1, o->m[i].text.n - 2 });
}

bool al_count(struct al *r, const struct al_object *o, const char *key, uint64_t limit, uint64_t *value)
{
	struct slice text = al_raw(o, key);
	enum num_status s = num_u64(text, value);
	if (!text.p)
		return false;
	if (s == NUM_OK && *value < limit)
		return true;
	al_say(r, DIAG_WARNING, al_pos(r, text.p),
		s == NUM_OK ? "%s of %.*s is absurd: not used" : "%s '%.*s' is no count: not used", key, SLICE_ARG(slice_head(text, 40)));
	return false;
}

bool al_number(struct al *r, const struct al_object *o, const char *key, double *value)
{
	struct slice text = al_raw(o, key);
	enum num_status s = num_double(text, value);
	if (!text.p)
		return false;
	if (s == NUM_OK && *value >= 0)
		return true;
	al_say(r, DIAG_WARNING, al_pos(r, text.p),
		s == NUM_OK ? "%s of %.*s is below 0: not used" : "%s '%.*s' is no number: not used", key, SLICE_ARG(slice_head(text, 40)));
	return false;
}

int al_flag(const struct al_object *o, const char *key)
{
	size_t i = find(o, key);
	if (i == o->n || (o->m[i].type != JSON_TRUE && o->m[i].type != JSON_FALSE))
		return -1;
	return o->m[i].type == JSON_TRUE;
}

bool al_nested(struct al *r, const struct al_object *o, const char *key, struct al_object *inner)
{
	size_t i = find(o, key);
	if (i == o->n)
		return false;
	if (o->m[i].type == JSON_OBJECT && al_object_read(o->m[i].text, inner))
		return true;
	al_say(r, DIAG_WARNING, al_pos(r, o->m[i].text.p), "%s is no object: not used", key);
	return false;
}

/* ---- sums ---- */

static bool bad(struct al *r, struct slice at, const char *what)
{
	al_say(r, DIAG_WARNING, al_pos(r, at.p), "%s: this interval is not used", what);
	return false;
}

static bool read_bucket(struct al *r, struct json *j, struct slice at, struct hist *h)
{
	struct slice text[2] = { SLICE_NONE, SLICE_NONE }, number;
	uint64_t index, count;
	size_t n = 0;
	if (!json_enter_array(j))
		return bad(r, at, "a bucket is no pair of numbers");
	for (; json_element(j); n++)
		if (json_number_text(j, &number) && n < 2)
			text[n] = number;
	if (n != 2 || num_u64(text[0], &index) != NUM_OK || num_u64(text[1], &count) != NUM_OK)
		return bad(r, at, "a bucket is no pair of whole numbers");
	if (index >= HIST_BUCKETS)
		return bad(r, text[0], "there is no bucket of this index");
	if (count >= HIST_COUNT_LIMIT)
		return bad(r, text[1], "the count of a bucket is absurd");
	h->bucket[index] += count;
	h->n += count;
	return true;
}

/* "buckets": [[index, count] …] of the object whose text this is, into an empty histogram. */
static bool read_buckets(struct al *r, struct slice object, struct hist *h)
{
	struct json j = json_of(object);
	struct slice key;
	if (!json_document(&j) || !json_enter_object(&j))
		return false;
	while (json_member(&j, &key)) {
		if (!slice_is(key, "buckets") || !json_enter_array(&j))
			continue;
		while (json_element(&j))
			if (!read_bucket(r, &j, slice_from(object, json_offset(&j)), h))
				return false;
		break;
	}
	return true;
}

static bool read_sum(struct slice text, struct al_sum *own)
{
	double near;
	if (num_u64(text, &own->latency.sum_low) == NUM_OK)
		return true;
	if (num_double(text, &near) != NUM_OK || !(near >= 0x1p64 && near < 0x1p100))
		return false;
	own->latency.sum_high = (uint64_t)(near * 0x1p-64);
	own->latency.sum_low = (uint64_t)(near - (double)own->latency.sum_high * 0x1p64);
	own->inexact = true;
	return true;
}

/* Whether least, most and sum can be those of the buckets. */
static bool plausible(const struct hist *h)
{
	size_t first = 0, last = HIST_BUCKETS - 1;
	while (!h->bucket[first])
		first++;
	while (!h->bucket[last])
		last--;
	double mean = hist_mean(h);
	return hist_index(h->min) == first && hist_index(h->max) == last && mean >= (double)h->min * (1 - 1e-9) &&
		mean <= (double)h->max * (1 + 1e-9);
}

static bool read_latency(struct al *r, const struct al_object *op, struct al_sum *own)
{
	struct al_object o;
	struct slice raw = al_raw(op, "latency_ns");
	uint64_t n;
	if (!raw.p)
		return true;
	if (!al_object_read(raw, &o))
		return bad(r, raw, "latency_ns is no object");
	struct hist *h = &own->latency;
	struct slice buckets = al_raw(&o, "buckets");
	if (!al_count(r, &o, "n", HIST_COUNT_LIMIT, &n) || !al_count(r, &o, "min", UINT64_MAX, &h->min) ||
	    !al_count(r, &o, "max", UINT64_MAX, &h->max) || !read_sum(al_raw(&o, "sum"), own) || !buckets.p)
		return bad(r, raw, "latency_ns is not whole");
	if (!read_buckets(r, raw, h))
		return false;
	if (h->n != n)
		return bad(r, buckets, "the buckets hold another number of latencies than n says");
	if (n && !plausible(h))
		return bad(r, raw, "min, max and sum of the latencies can't be those of the buckets");
	if (n && h->max >= HIST_VALUE_LIMIT)
		h->beyond = h->bucket[HIST_BUCKETS - 1];
	return true;
}

bool al_sum_add(struct al *r, const struct al_object *op, struct al_sum *sum, struct al_sum *own)
{
	*own = (struct al_sum){ .any = true };
	for (int i = 0; i < AL_COUNTS; i++) {
		bool is_bytes = i == AL_BYTES;
		if (!al_count(r, op, al_count_keys[i], is_bytes ? BYTES_LIMIT : HIST_COUNT_LIMIT, &own->v[i]) &&
		    al_raw(op, al_count_keys[i]).p)
			return false;
	}
	if (!read_latency(r, op, own))
		return false;
	if (own->latency.n > own->v[AL_IOS])
		return bad(r, al_raw(op, "latency_ns"), "there are more latencies than I/Os");
	if (sum->v[AL_BYTES] >= UINT64_MAX - BYTES_LIMIT || sum->v[AL_IOS] >= UINT64_MAX - HIST_COUNT_LIMIT ||
	    !hist_merge(&sum->latency, &own->latency))
		return bad(r, al_raw(op, "bytes"), "the sum of the intervals is absurd");
	for (int i = 0; i < AL_COUNTS; i++)
		sum->v[i] += own->v[i];
	sum->any = true;
	sum->inexact |= own->inexact;
	return true;
}
