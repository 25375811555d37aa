/* curl -w '%{json}': a document per transfer. */
#include "base/json.h"
#include "base/num.h"
#include "parsers/parser.h"

#include <math.h>

static const struct figure {
	const char *key;
	enum metric_id metric;
	enum unit unit;
} figures[] = {
	{ "speed_download", METRIC_BANDWIDTH, UNIT_B_PER_S },
	{ "time_total", METRIC_RUNTIME, UNIT_S },
	{ "time_starttransfer", METRIC_TTFB, UNIT_S },
	{ "size_download", METRIC_IO, UNIT_B },
};
enum { FIGURES = sizeof figures / sizeof *figures };

struct transfer {
	struct transfer *next;
	struct pos pos;
	struct slice url, code, version, text[FIGURES];
	bool cut;
};

/* NULL: it is no document of curl. */
static struct transfer *read_document(struct parse *p, struct json *j)
{
	struct transfer *t = ARENA_NEW(p->arena, struct transfer);
	struct slice key;
	bool mine = false;
	t->pos = source_pos(p->source, json_offset(j));
	if (!json_enter_object(j))
		return NULL;
	while (json_member(j, &key)) {
		if (slice_is(key, "url_effective"))
			json_string(j, &t->url);
		else if (slice_is(key, "response_code") || (slice_is(key, "http_code") && !t->code.n))
			json_number_text(j, &t->code);
		else if (slice_is(key, "curl_version") && json_string(j, &t->version) && slice_starts(t->version, "libcurl/"))
			t->version = slice_head(slice_from(t->version, 8), slice_find_char(slice_from(t->version, 8), ' '));
		for (size_t i = 0; i < FIGURES; i++)
			if (slice_is(key, figures[i].key))
				mine |= json_number_text(j, &t->text[i]);
	}
	t->cut = json_truncated(j);
	return mine ? t : NULL;
}

static bool give_transfer(struct parse *p, const struct transfer *t, unsigned ordinal)
{
	struct param params[2];
	size_t n = 0;
	bool failed = t->code.n == 0 || slice_is(t->code, "0") || slice_is(t->code, "000");
	struct slice url = json_unescape(p->arena, t->url);
	if (t->code.n)
		params[n++] = (struct param){ .key = SLICE("code"), .value = t->code, .pos = t->pos };
	if (ordinal)
		params[n++] = (struct param){ .key = SLICE("run"), .value = arena_u64(p->arena, ordinal), .pos = t->pos };
	parse_run(p, SLICE("curl"), t->version);
	struct job job = { .name = url, .params = { params, n }, .partial = true, .pos = t->pos, .started = NAN, .stopped = NAN };
	const struct job *given = p->sink->job(p->ctx, &job);
	if (failed || t->cut)
		parse_diag(p, DIAG_WARNING, p->source->data.p + t->pos.offset, "curl's transfer %s: no value is reported",
			t->cut ? "is cut here" : "failed");
	for (size_t i = 0; i < FIGURES && !failed && !t->cut; i++) {
		struct quantity q;
		if (!t->text[i].p || !parse_quantity(p, t->text[i], figures[i].unit, 1, NULL, &q))
			continue;
		q.pos = source_pos(p->source, q.pos.offset);
		struct result result = { .metric = figures[i].metric, .stat = SLICE("value"), .q = q, .job = given, .time = NAN };
		p->sink->result(p->ctx, &result);
	}
	return !failed && !t->cut;
}

static enum status parse(struct parse *p)
{
	struct json j = json_of(p->source->data);
	struct transfer *first = NULL, **end = &first, *t;
	unsigned n = 0;
	bool good = true;
	while (json_document(&j)) {
		if (!(t = read_document(p, &j)))
			continue;
		*end = t;
		end = &t->next;
		n++;
	}
	if (!first)
		return STATUS_REJECT;
	unsigned ordinal = n > 1;
	for (t = first; t; t = t->next, ordinal += n > 1)
		good &= give_transfer(p, t, ordinal);
	return good ? STATUS_OK : STATUS_WARN;
}

static int probe(const struct peek *peek)
{
	bool mine = slice_find(peek->head, SLICE("\"time_starttransfer\":")) != (size_t)-1 &&
		slice_find(peek->head, SLICE("\"speed_download\":")) != (size_t)-1;
	return mine ? 8 * (21 + 17) : 0;
}

const struct parser parser_curl_json = {
	.name = "curl-json", .title = "curl JSON (-w)", .tool = "curl", .probe = probe, .json = true, .parse = parse,
};
