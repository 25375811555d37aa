/* fio JSON and JSON+: which documents of a file count, and what stands between them. */
#include "parsers/parser.h"

#include "base/num.h"
#include "parsers/fio_emit.h"
#include "parsers/fio_header.h"

#include <math.h>

struct state {
	struct parse *p;
	struct json json;
	struct document held, next;
	bool holding;
	size_t cumulative;      /* documents that the held one replaced */
	const char *superseded; /* the first of them */
	size_t emitted;
	struct slice signal;    /* told of since the last document */
	bool wrong;
};

static double number(struct slice text)
{
	double value = NAN;
	num_double(text, &value);
	return value;
}

static bool grew(struct slice before, struct slice after)
{
	return !(number(after) < number(before));
}

/* Counters of one run never go back: bytes, I/Os, time and the largest latency only grow, the least only falls. */
static bool continues_direction(const struct direction *a, const struct direction *b)
{
	if (!a || !b)
		return !a;
	for (unsigned i = 0; i < a->n_latency && i < b->n_latency; i++) {
		const struct slice *x = a->latency[i].v, *y = b->latency[i].v;
		if (a->latency[i].block != b->latency[i].block || !grew(x[L_MAX], y[L_MAX]) || !grew(y[L_MIN], x[L_MIN]) ||
			!grew(x[L_N], y[L_N]))
			return false;
	}
	return grew(a->v[D_IO], b->v[D_IO]) && grew(a->v[D_TOTAL], b->v[D_TOTAL]) && grew(a->v[D_RUNTIME], b->v[D_RUNTIME]);
}

static bool continues_record(const struct record *a, const struct record *b)
{
	static const enum job_field same[] = { J_NAME, J_GROUP, J_HOST, J_PORT, J_START, J_COMMAND };
	for (size_t i = 0; i < sizeof same / sizeof *same; i++)
		if (!slice_eq(a->v[same[i]], b->v[same[i]]))
			return false;
	for (size_t op = 0; op < OPS; op++)
		if (!continues_direction(a->directions[op], b->directions[op]))
			return false;
	return true;
}

/* When the run began, in s, by its own clock: known to within a second, as `elapsed` is rounded up. NAN: not known. */
static double began(const struct document *d)
{
	double longest = NAN;
	for (size_t i = 0; i < d->n_records; i++)
		longest = fmax(longest, number(d->records[i].v[J_ELAPSED]));
	return (d->timestamp_ms.n ? number(d->timestamp_ms) / 1e3 : number(d->timestamp)) - longest;
}

/* Whether b is a later state of the run that a shows (--status-interval): same jobs, same beginning, no counter back. */
static bool continues(const struct document *a, const struct document *b)
{
	double slack = a->timestamp_ms.n ? 1 : 2;
	size_t n = a->n_records < b->n_records ? a->n_records : b->n_records;
	if (!slice_eq(a->version, b->version) || a->client != b->client || fabs(began(a) - began(b)) > slack)
		return false;
	if (a->n_records > b->n_records && !b->truncated)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!continues_record(&a->records[i], &b->records[i]))
			return false;
	return n > 0 || b->truncated;
}

static void report_cut(struct state *s, const struct document *d)
{
	struct slice data = s->p->source->data, name = json_unescape(s->p->arena, d->cut_job);
	const char *end = data.n ? data.p + data.n - 1 : data.p;
	s->wrong = true;
	if (!d->in_job)
		parse_diag(s->p, DIAG_ERROR, end, "the file ends before the JSON does: what would follow is missing");
	else if (name.n)
		parse_diag(s->p, DIAG_ERROR, end, "the file ends inside job '%.*s': that job gives no figures", SLICE_ARG(name));
	else
		parse_diag(s->p, DIAG_ERROR, end, "the file ends inside a job: it gives no figures");
}

static void flush(struct state *s)
{
	if (!s->holding)
		return;
	if (s->cumulative)
		parse_diag(s->p, DIAG_NOTE, s->superseded, "%zu earlier state%s of the same run (--status-interval): only the last "
			"document counts", s->cumulative, s->cumulative == 1 ? "" : "s");
	s->wrong |= fio_document_emit(s->p, &s->held);
	s->holding = false;
	s->cumulative = 0;
	s->emitted++;
}

static void take(struct state *s)
{
	const char *at = s->p->source->data.p + json_offset(&s->json);
	fio_document_read(s->p, &s->json, &s->next);
	if (!s->next.is_fio)
		return;
	if (s->next.truncated)
		report_cut(s, &s->next);
	bool same = s->holding && continues(&s->held, &s->next);
	/* The last state of a run, cut before it has all its jobs, does not take the place of a whole one. */
	if (same && s->next.n_records < s->held.n_records)
		return;
	if (same && s->cumulative++ == 0)
		s->superseded = at;
	if (!same)
		flush(s);
	s->next.signal = s->signal.n || !same ? s->signal : s->held.signal;
	s->signal = SLICE_NONE;
	s->held = s->next;
	s->holding = true;
}

/* What fio itself says between and around documents, with a client's "<host> " before it. */
static void read_noise(struct state *s, uint64_t from, uint64_t to)
{
	struct slice rest = { s->p->source->data.p + from, (size_t)(to - from) }, line;
	while (slice_cut(&rest, '\n', &line)) {
		line = slice_trim(line);
		size_t host = line.n && line.p[0] == '<' ? slice_find(line, SLICE("> ")) : (size_t)-1;
		if (host != (size_t)-1)
			line = slice_trim(slice_from(line, host + 2));
		if (slice_starts(line, "note: ")) {
			parse_diag(s->p, DIAG_NOTE, line.p, "fio notes: %.*s", SLICE_ARG(slice_from(line, 6)));
		} else if (slice_starts(line, "fio: ")) {
			enum severity severity = fio_message_severity(line);
			if (slice_starts(line, FIO_SIGNAL))
				s->signal = slice_from(line, sizeof FIO_SIGNAL - 1);
			s->wrong |= severity != DIAG_NOTE;
			parse_diag(s->p, severity, line.p, "%.*s", SLICE_ARG(line));
		}
	}
}

static void report_flaws(struct state *s)
{
	static const struct { enum json_flaw flaw; enum severity severity; } told[] = { { JSON_CONTROL, DIAG_NOTE },
		{ JSON_COMMA, DIAG_WARNING }, { JSON_BAD_VALUE, DIAG_WARNING }, { JSON_BAD_CLOSE, DIAG_WARNING },
		{ JSON_TOO_DEEP, DIAG_WARNING } };
	for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
		uint32_t n = s->json.flaw_count[told[i].flaw];
		if (!n)
			continue;
		s->wrong |= told[i].severity != DIAG_NOTE;
		parse_diag(s->p, told[i].severity, s->p->source->data.p + s->json.flaw_offset[told[i].flaw], "%s%s",
			json_flaw_text(told[i].flaw), n > 1 ? ", here first" : "");
	}
}

static enum status parse_fio_json(struct parse *p)
{
	struct state s = { .p = p, .json = json_of(p->source->data) };
	uint64_t end = 0;
	while (json_document(&s.json)) {
		read_noise(&s, end, json_offset(&s.json));
		if (json_type(&s.json) == JSON_OBJECT)
			take(&s);
		else if (json_enter_array(&s.json))
			while (json_element(&s.json))
				take(&s);
		end = json_offset(&s.json);
	}
	if (!s.holding && s.emitted == 0)
		return STATUS_REJECT;
	read_noise(&s, end, p->source->data.n);
	if (s.holding && s.signal.n)
		s.held.signal = s.signal;
	flush(&s);
	report_flaws(&s);
	return s.wrong ? STATUS_WARN : STATUS_OK;
}

/* Bits of a quoted key followed by its colon, which text about JSON, or source code that prints it, does not have. */
static int key_bits(struct slice head, const char *key)
{
	size_t at = slice_find(head, slice_of(key)), n = strlen(key);
	if (at == (size_t)-1)
		return 0;
	struct slice rest = slice_trim(slice_head(slice_from(head, at + n), 16));
	return rest.n && rest.p[0] == ':' ? 8 * (int)n : 0;
}

static int probe_fio_json(const struct peek *peek)
{
	int version = key_bits(peek->head, "\"fio version\""), job = key_bits(peek->head, "\"jobname\"");
	if (version)
		return version + job;
	/* Post-processed output may have lost its version. */
	int io = job ? key_bits(peek->head, "\"io_bytes\"") : 0;
	return io ? job + io : 0;
}

const struct parser parser_fio_json = {
	.name = "fio-json",
	.title = "fio JSON",
	.tool = "fio",
	.json = true,
	.probe = probe_fio_json,
	.parse = parse_fio_json,
};
