#include "ingest/detect.h"

#include "base/json.h"
#include "base/newlines.h"
#include "parsers/plain.h"
#include "parsers/starts.h"
#include "parsers/transcript.h"

/* Far from a check of the syntax: a text, or a text behind JSON, has lines that begin with a letter or a digit. */
static bool only_json(struct slice head)
{
	const char *end = head.p + head.n;
	struct slice start = slice_trim(slice_starts(head, "\xef\xbb\xbf") ? slice_from(head, 3) : head);
	if (slice_starts(start, "["))
		start = slice_trim(slice_from(start, 1));
	if (!slice_starts(start, "{") || !slice_starts(slice_trim(slice_from(start, 1)), "\""))
		return false;
	for (const char *p = start.p; (p = newlines_outdented(p, end)) < end;)
		if (!strchr("{}],\"", *p))
			return false;
	return true;
}

struct peek peek_of(struct slice name, struct slice head, uint64_t size)
{
	head = slice_head(head, PEEK_SIZE);
	return (struct peek){ .name = name, .head = head, .size = size, .json = only_json(head) };
}

/* One parser's bid by its probe. */
static int probe(const struct parser *parser, const struct peek *peek)
{
	return !parser->probe || (peek->json && !parser->json) ? 0 : parser->probe(peek);
}

/* Whether its output is found within other text, so that it may be quoted. A form of rows that a tab parts is none. */
static bool in_text(const struct parser *parser)
{
	return parser->json || (transcript_has(parser) && !(parser->starts && !parser->rules));
}

static bool probe_all(struct detection *d, const struct peek *peek, bool quoting)
{
	bool any = false;
	for (size_t i = 0; i < DETECT_PARSERS && parsers[i]; i++) {
		d->bids[i] = quoting && in_text(parsers[i]) ? 0 : probe(parsers[i], peek);
		any |= d->bids[i] > 0;
	}
	return any;
}

/* A JSON document mostly says at its beginning what it is: then no parser looks through all of it for keys of its own. */
static void ask(struct detection *d, const struct peek *peek, bool quoting)
{
	enum { BEGINNING = 4 << 10 };
	struct peek beginning = *peek;
	beginning.head = slice_head(peek->head, BEGINNING);
	if (!peek->json || !probe_all(d, &beginning, quoting))
		probe_all(d, peek, quoting);
}

static void choose(struct detection *d)
{
	d->parser = d->rival = NULL;
	d->bid = 0;
	for (size_t i = 0; i < DETECT_PARSERS && parsers[i]; i++) {
		if (d->bids[i] > d->bid) {
			d->parser = parsers[i];
			d->rival = NULL;
			d->bid = d->bids[i];
		} else if (d->bids[i] > 0 && d->bids[i] == d->bid) {
			d->rival = parsers[i];
		}
	}
}

/* ---- texts that speak of tools ---- */

/* Lines by which a text is judged; fewer than a few say nothing. */
enum { JUDGED_LINES = 400, FEW_LINES = 4 };

static size_t count_char(struct slice s, char c)
{
	size_t n = 0;
	for (size_t i = 0; i < s.n; i++)
		n += s.p[i] == c;
	return n;
}

static bool is_statement(struct slice line)
{
	return slice_ends(line, ";") || slice_ends(line, "*/") || slice_starts(line, "#include ") || slice_starts(line, "#define ") ||
		slice_starts(line, "/*") || slice_starts(line, "//");
}

/* A table parted by tabs, or a program's source: what reads like a tool's output there is quoted. */
static bool is_quoting(struct slice head)
{
	size_t lines = 0, alike = 0, statements = 0, tabs = 0;
	struct slice line;
	while (lines < JUDGED_LINES && slice_cut(&head, '\n', &line)) {
		size_t n = count_char(line, '\t');
		line = slice_trim(line);
		if (!line.n)
			continue;
		tabs = lines ? tabs : n;
		alike += n == tabs;
		statements += is_statement(line);
		lines++;
	}
	return lines >= FEW_LINES && ((tabs >= 2 && 10 * alike >= 9 * lines) || 5 * statements >= lines);
}

/* ---- choosing ---- */

/* Whether a text is as much of one form as of another of the same tool. */
static bool two_forms(const struct detection *d)
{
	return d->rival && strcmp(d->parser->tool, d->rival->tool) == 0 && transcript_has(d->parser) && transcript_has(d->rival);
}

/* Whether what can be found between other lines is of several tools. */
static bool several_tools(const struct detection *d)
{
	const char *tool = NULL;
	for (size_t i = 0; i < DETECT_PARSERS && parsers[i]; i++) {
		if (d->bids[i] <= 0 || !(parsers[i]->json || transcript_has(parsers[i])))
			continue;
		if (tool && strcmp(tool, parsers[i]->tool) != 0)
			return true;
		tool = parsers[i]->tool;
	}
	return false;
}

/* Whether the first document of JSON is the same where it is made plain. */
static bool is_clean(struct slice head, const struct plain *plain)
{
	struct json j = json_of(head);
	struct slice document = SLICE_NONE;
	if (!json_document(&j))
		return false;
	size_t from = (size_t)json_offset(&j), n = json_skip(&j, &document) ? document.n : head.n - from;
	return memcmp(head.p + from, plain->bytes + from, n) == 0;
}

/* JSON that was passed on in a text: quoted, behind a log's time stamps, in a page. */
static void ask_for_json(struct detection *d, const struct peek *peek, const struct starts *starts)
{
	struct arena arena = ARENA_EMPTY;
	struct source source = source_of("", peek->head);
	struct detection passed_on = { .parser = NULL };
	struct peek plain = *peek;
	const struct plain made = plain_head(&source, starts, &arena);
	plain.head.p = made.bytes;
	plain.json = true;
	if (!d->parser || !is_clean(peek->head, &made)) {
		probe_all(&passed_on, &plain, false);
		choose(&passed_on);
	}
	if (passed_on.parser && !passed_on.rival) {
		*d = passed_on;
		d->parser = &parser_transcript;
	}
	arena_free(&arena);
}

struct detection detect(const struct peek *peek, struct rule_cache *rules)
{
	struct detection d = { .parser = NULL };
	bool quoting = !peek->json && is_quoting(peek->head);
	ask(&d, peek, quoting);
	choose(&d);
	if (!peek->json && !quoting && (!d.parser || d.parser->json) && slice_find_char(peek->head, '{') != (size_t)-1)
		ask_for_json(&d, peek, starts_of(rules));
	if (peek->json || quoting || (d.parser && !d.parser->json && !transcript_has(d.parser)))
		return d;
	struct detection whole = d;
	starts_bids(starts_of(rules), peek->head, d.bids);
	choose(&d);
	if (several_tools(&d) || (!whole.parser && two_forms(&d))) {
		d.parser = &parser_transcript;
		d.rival = NULL;
	} else if (whole.parser) {
		d.parser = whole.parser; /* other forms of the same tool's output say the same */
		d.rival = whole.rival;
		d.bid = whole.bid;
	}
	return d;
}

bool detect_beyond_may(const struct detection *d, struct slice head)
{
	return !d->parser && head.n >= PEEK_SIZE && slice_find_char(head, '\0') == (size_t)-1;
}

struct detection detect_beyond(struct slice bytes, struct rule_cache *rules)
{
	struct detection d = { .parser = NULL };
	if (is_quoting(slice_head(bytes, PEEK_SIZE)))
		return d;
	starts_bids(starts_of(rules), bytes, d.bids);
	choose(&d);
	if (several_tools(&d) || two_forms(&d)) {
		d.parser = &parser_transcript;
		d.rival = NULL;
	}
	return d;
}

const struct parser *parser_named(const char *name)
{
	for (size_t i = 0; parsers[i]; i++)
		if (strcmp(parsers[i]->name, name) == 0)
			return parsers[i];
	return NULL;
}
