/* iperf3 -J, and --json-stream (from 3.17 on), which prints a document's parts one by one, as events. Of a document
 * only "start" and "end" count: intervals are no results. */
#include "base/json.h"
#include "base/num.h"
#include "parsers/parser.h"

#include <math.h>

/* One object with figures: a stream's or a sum's, of one side. */
struct figures {
	struct slice bits, bytes, seconds, retransmits, jitter, loss, socket;
	bool sender_here; /* "sender": the host that wrote this sends */
	uint64_t offset;
	bool present;
};

enum side { SENDER, RECEIVER, UDP, SIDES };

struct stream {
	struct figures sides[SIDES];
};

enum sum { SUM, SUM_SENT, SUM_RECEIVED, SUM_SENT_BACK, SUM_RECEIVED_BACK, SUMS };
static const char *const sum_keys[SUMS] = {
	"sum", "sum_sent", "sum_received", "sum_sent_bidir_reverse", "sum_received_bidir_reverse"
};

struct document {
	struct document *next;
	struct pos pos;
	struct slice version, host, protocol, streams_text, error;
	struct slice cookie; /* the test's own */
	uint64_t error_offset;
	double started;
	bool reverse, bidir, cut;
	bool events;         /* printed as such */
	struct stream *streams;
	size_t n, cap;
	struct figures sums[SUMS];
};

struct reader {
	struct parse *p;
	struct json j;
	struct document *first, *last;
	unsigned n;
	struct document *events; /* whose last event is still to come; NULL: none */
	bool warned;
};

/* ---- reading ---- */

static struct figures read_figures(struct json *j)
{
	struct figures f = { .offset = json_offset(j) };
	struct slice key;
	if (!json_enter_object(j))
		return f;
	while (json_member(j, &key)) {
		struct slice *into = slice_is(key, "bits_per_second") ? &f.bits : slice_is(key, "retransmits") ? &f.retransmits :
			slice_is(key, "jitter_ms") ? &f.jitter : slice_is(key, "lost_percent") ? &f.loss :
			slice_is(key, "socket") ? &f.socket : slice_is(key, "bytes") ? &f.bytes :
			slice_is(key, "seconds") ? &f.seconds : NULL;
		if (into)
			json_number_text(j, into);
		else if (slice_is(key, "sender"))
			f.sender_here = json_type(j) == JSON_TRUE;
	}
	f.present = !json_truncated(j);
	return f;
}

static void read_streams(struct reader *r, struct document *d)
{
	static const char *const keys[SIDES] = { "sender", "receiver", "udp" };
	struct slice key;
	if (!json_enter_array(&r->j))
		return;
	while (json_element(&r->j)) {
		struct stream s = { .sides = { { .present = false } } };
		if (json_type(&r->j) != JSON_OBJECT || !json_enter_object(&r->j))
			continue;
		while (json_member(&r->j, &key))
			for (int i = 0; i < SIDES; i++)
				if (slice_is(key, keys[i]) && json_type(&r->j) == JSON_OBJECT)
					s.sides[i] = read_figures(&r->j);
		*ARENA_PUSH(r->p->arena, d->streams, d->n, d->cap) = s;
	}
}

static void read_end(struct reader *r, struct document *d)
{
	struct slice key;
	if (!json_enter_object(&r->j))
		return;
	while (json_member(&r->j, &key)) {
		if (slice_is(key, "streams"))
			read_streams(r, d);
		for (int i = 0; i < SUMS; i++)
			if (slice_is(key, sum_keys[i]) && json_type(&r->j) == JSON_OBJECT && !d->sums[i].present)
				d->sums[i] = read_figures(&r->j);
	}
	d->bidir = d->sums[SUM_SENT_BACK].present || d->sums[SUM_RECEIVED_BACK].present;
}

static void read_test(struct json *j, struct document *d)
{
	struct slice key, text;
	json_enter_object(j);
	while (json_member(j, &key)) {
		if (slice_is(key, "protocol"))
			json_string(j, &d->protocol);
		else if (slice_is(key, "num_streams"))
			json_number_text(j, &d->streams_text);
		else if (slice_is(key, "reverse") && json_number_text(j, &text))
			d->reverse = !slice_is(text, "0");
	}
}

static void read_one(struct json *j, const char *wanted, struct slice *text)
{
	struct slice key;
	json_enter_object(j);
	while (json_member(j, &key))
		if (slice_is(key, wanted) && !json_string(j, text))
			json_number_text(j, text);
}

static void read_start(struct reader *r, struct document *d)
{
	struct json *j = &r->j;
	struct slice key, text = SLICE_NONE;
	if (!json_enter_object(j))
		return;
	while (json_member(j, &key)) {
		bool object = json_type(j) == JSON_OBJECT;
		if (slice_is(key, "version") && json_string(j, &text))
			d->version = slice_starts(text, "iperf ") ? slice_from(text, 6) : text;
		else if (slice_is(key, "timestamp") && object)
			read_one(j, "timesecs", &text), num_double(text, &d->started);
		else if (slice_is(key, "connecting_to") && object)
			read_one(j, "host", &d->host);
		else if (slice_is(key, "test_start") && object)
			read_test(j, d);
		else if (slice_is(key, "cookie"))
			json_string(j, &d->cookie);
	}
}

/* What was printed as events and then once more as a whole counts once. */
static void keep(struct reader *r, struct document *d)
{
	if (!d->version.n)
		return;
	if (r->last && r->last->events && !d->events && d->cookie.n && slice_eq(r->last->cookie, d->cookie)) {
		*r->last = *d;
		return;
	}
	*(r->last ? &r->last->next : &r->first) = d;
	r->last = d;
	r->n++;
}

static void read_part(struct reader *r, struct document *d, struct slice key)
{
	if (slice_is(key, "start")) {
		read_start(r, d);
	} else if (slice_is(key, "end")) {
		read_end(r, d);
	} else if (slice_is(key, "error")) {
		d->error_offset = json_offset(&r->j);
		json_string(&r->j, &d->error);
	}
}

/* The last event is not there. */
static void end_events(struct reader *r)
{
	if (!r->events)
		return;
	r->events->cut = true;
	keep(r, r->events);
	r->events = NULL;
}

/* Events belong to the document that the first of them began. */
static struct document *begin(struct reader *r, bool event, uint64_t offset)
{
	if (event && r->events)
		return r->events;
	end_events(r);
	struct document *d = ARENA_NEW(r->p->arena, struct document);
	*d = (struct document){ .pos = source_pos(r->p->source, offset), .started = NAN, .events = event };
	return d;
}

static void read_document(struct reader *r)
{
	struct json *j = &r->j;
	struct document *d = NULL;
	struct slice key, event = SLICE_NONE;
	uint64_t offset = json_offset(j);
	if (!json_enter_object(j))
		return;
	while (json_member(j, &key)) {
		bool names_event = slice_is(key, "event") && json_string(j, &event);
		if (!d)
			d = begin(r, names_event, offset);
		if (!names_event)
			read_part(r, d, event.p && slice_is(key, "data") ? event : key);
	}
	if (!d)
		return;
	d->cut = json_truncated(j);
	r->events = event.p && !slice_is(event, "end") ? d : NULL;
	if (!r->events)
		keep(r, d);
}

/* ---- giving ---- */

struct giving {
	struct reader *r;
	const struct document *d;
	const struct job *job;
};

static const struct figure_kind {
	enum metric_id metric;
	const char *stat;
	enum unit unit;
	double factor;
	const char *suffix;
} kinds[] = {
	{ METRIC_BANDWIDTH, "value", UNIT_B_PER_S, 1. / 8, " bit/s" },
	{ METRIC_RETRANSMITS, "count", UNIT_ONE, 1, NULL },
	{ METRIC_JITTER, "value", UNIT_S, 1e-3, " ms" },
	{ METRIC_LOSS, "value", UNIT_PERCENT, 1, "%" },
};
enum { KIND_RATE, KIND_RETRANSMITS, KIND_JITTER, KIND_LOSS };

static void give(struct giving *g, const struct params *params, size_t kind, struct slice text)
{
	struct quantity q;
	const struct figure_kind *k = &kinds[kind];
	if (!text.p)
		return;
	if (!parse_quantity(g->r->p, text, k->unit, k->factor, k->suffix, &q)) {
		g->r->warned = true;
		return;
	}
	q.pos = source_pos(g->r->p->source, q.pos.offset);
	struct result result = { .metric = k->metric, .stat = slice_of(k->stat), .q = q, .job = g->job, .params = *params, .time = NAN };
	g->r->p->sink->result(g->r->p->ctx, &result);
}

/* A rate is over the sender's or the receiver's own clock, which is up to some hundredths of a second off `seconds`. */
static void check_rate(struct giving *g, const struct figures *f)
{
	double printed, bytes, seconds;
	if (num_double(f->bits, &printed) != NUM_OK || num_double(f->bytes, &bytes) != NUM_OK ||
	    num_double(f->seconds, &seconds) != NUM_OK || seconds <= 0)
		return;
	double computed = bytes * 8 / seconds;
	if (fabs(computed - printed) <= (0.01 + 0.02 / seconds) * computed)
		return;
	g->r->warned = true;
	parse_diag(g->r->p, DIAG_WARNING, f->bits.p, "%.6g Gbit/s is printed, bytes / seconds is %.6g Gbit/s",
		printed / 1e9, computed / 1e9);
}

/* Retransmissions are the sender's to tell, jitter and loss the receiver's. */
static void give_side(struct giving *g, const struct figures *f, enum side side, bool back, struct slice stream)
{
	bool sum = slice_is(stream, "sum");
	struct pos pos = { .source = g->r->p->source, .offset = f->offset };
	struct param v[4];
	size_t n = 0;
	if (!f->present)
		return;
	v[n++] = (struct param){ .key = SLICE("direction"), .value = side == SENDER ? SLICE("sender") : SLICE("receiver"), .pos = pos };
	v[n++] = (struct param){ .key = SLICE("stream"), .value = stream, .pos = pos };
	if (sum && g->d->streams_text.n)
		v[n++] = (struct param){ .key = SLICE("streams"), .value = g->d->streams_text, .pos = pos };
	if (back)
		v[n++] = (struct param){ .key = SLICE("reverse"), .value = SLICE("1"), .pos = pos };
	struct params params = { v, n };
	if (side != UDP) {
		check_rate(g, f);
		give(g, &params, KIND_RATE, f->bits);
	}
	if (side == SENDER) {
		give(g, &params, KIND_RETRANSMITS, f->retransmits);
	} else {
		give(g, &params, KIND_JITTER, f->jitter);
		give(g, &params, KIND_LOSS, f->loss);
	}
}

/* A stream's UDP figures are the sender's rate and the receiver's jitter and loss. */
static void give_stream(struct giving *g, const struct stream *s)
{
	for (int i = 0; i < SIDES; i++) {
		const struct figures *f = &s->sides[i];
		bool back = g->d->bidir && !f->sender_here;
		if (!f->present || !f->socket.n)
			continue;
		if (i == UDP) {
			struct figures rate = { .bits = f->bits, .bytes = f->bytes, .seconds = f->seconds,
				.offset = f->offset, .present = true };
			give_side(g, &rate, SENDER, back, f->socket);
		}
		give_side(g, f, (enum side)i, back, f->socket);
	}
}

/* A sum against its streams: each sum is over its own time, which differs a little from theirs. */
static void check_sum(struct giving *g, enum sum which, enum side side, bool back)
{
	const struct figures *f = &g->d->sums[which];
	double printed, all = 0, one;
	size_t n = 0;
	if (!f->present || num_double(f->bits, &printed) != NUM_OK)
		return;
	for (size_t i = 0; i < g->d->n; i++) {
		const struct figures *s = &g->d->streams[i].sides[side];
		bool its_back = g->d->bidir && !s->sender_here;
		if (s->present && its_back == back && num_double(s->bits, &one) == NUM_OK) {
			all += one;
			n++;
		}
	}
	if (n == 0 || fabs(all - printed) <= 0.01 * all)
		return;
	g->r->warned = true;
	parse_diag(g->r->p, DIAG_WARNING, f->bits.p, "%.6g Gbit/s is printed, the sum of the streams is %.6g Gbit/s", printed / 1e9, all / 1e9);
}

static void give_sums(struct giving *g)
{
	const struct figures *sums = g->d->sums;
	if (!sums[SUM_SENT].present && !sums[SUM_RECEIVED].present) {
		struct figures rate = sums[SUM];
		rate.jitter = rate.loss = SLICE_NONE;
		give_side(g, &rate, SENDER, false, SLICE("sum"));
		give_side(g, &sums[SUM], UDP, false, SLICE("sum"));
	}
	give_side(g, &sums[SUM_SENT], SENDER, false, SLICE("sum"));
	give_side(g, &sums[SUM_RECEIVED], RECEIVER, false, SLICE("sum"));
	give_side(g, &sums[SUM_SENT_BACK], SENDER, true, SLICE("sum"));
	give_side(g, &sums[SUM_RECEIVED_BACK], RECEIVER, true, SLICE("sum"));
	check_sum(g, SUM_SENT, SENDER, false);
	check_sum(g, SUM_RECEIVED, RECEIVER, false);
	check_sum(g, SUM_SENT_BACK, SENDER, true);
	check_sum(g, SUM_RECEIVED_BACK, RECEIVER, true);
}

static void give_document(struct reader *r, const struct document *d, unsigned ordinal)
{
	struct param params[2], host = { .key = SLICE("host"), .value = d->host, .pos = d->pos };
	size_t n = 0;
	bool udp = slice_eq_nocase(d->protocol, SLICE("UDP"));
	if (d->reverse)
		params[n++] = (struct param){ .key = SLICE("reverse"), .value = SLICE("1"), .pos = d->pos };
	if (ordinal)
		params[n++] = (struct param){ .key = SLICE("run"), .value = arena_u64(r->p->arena, ordinal), .pos = d->pos };
	if (d->error.n) {
		r->warned = true;
		parse_diag(r->p, DIAG_WARNING, r->p->source->data.p + d->error_offset, "iperf3 says: %.*s", SLICE_ARG(slice_head(d->error, 120)));
	}
	if (d->cut) {
		r->warned = true;
		parse_diag(r->p, DIAG_WARNING, r->p->source->data.p + r->p->source->data.n, "iperf3's JSON is cut: what is missing is not reported");
	}
	struct job job = { .name = udp ? SLICE("udp") : SLICE("tcp"), .params = { params, n }, .options = { &host, d->host.n ? 1 : 0 },
		.pos = d->pos, .started = d->started, .stopped = NAN };
	parse_run(r->p, SLICE("iperf3"), d->version);
	struct giving g = { r, d, r->p->sink->job(r->p->ctx, &job) };
	for (size_t i = 0; i < d->n; i++)
		give_stream(&g, &d->streams[i]);
	give_sums(&g);
}

static enum status parse(struct parse *p)
{
	struct reader r = { .p = p, .j = json_of(p->source->data) };
	while (json_document(&r.j))
		read_document(&r);
	end_events(&r);
	if (!r.first)
		return STATUS_REJECT;
	unsigned ordinal = r.n > 1;
	for (const struct document *d = r.first; d; d = d->next, ordinal += r.n > 1)
		give_document(&r, d, ordinal);
	return r.warned ? STATUS_WARN : STATUS_OK;
}

static int probe(const struct peek *peek)
{
	static const struct slice mark = { "\"iperf 3.", 9 };
	size_t at = slice_find(peek->head, mark);
	return at != (size_t)-1 && slice_find(peek->head, SLICE("\"start\"")) < at ? 8 * (9 + 7) : 0;
}

const struct parser parser_iperf3_json = {
	.name = "iperf3-json", .title = "iperf3 JSON", .tool = "iperf3", .probe = probe, .json = true, .parse = parse,
};
