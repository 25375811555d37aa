/* The transcript reader: one text, several tools. */
#include "parsers/transcript.h"

#include "base/json.h"
#include "parsers/plain.h"
#include "parsers/repaired.h"

struct range {
	uint64_t from, to;
};

/* What a parser reads of the text: by its table, as the text goes by; or documents (JSON, what begins with its `starts`), at
 * the end. */
struct section {
	const struct parser *parser;
	struct rules *rules; /* the table at work; NULL: it is broken, or documents are read */
	struct start_set others; /* the starts of other tools */
	uint64_t entered;    /* where its text last began */
	struct range *documents;
	size_t n, cap;
	bool passed_on;      /* they are read as parsers/plain.h has them */
	struct section *next;
};

struct transcript {
	struct parse *parse;
	const struct text *text;      /* the reader: what is a document has to be held */
	struct plain plain[PLAIN_KINDS]; /* as far as somebody needed it */
	const struct rejoin *lines;
	bool said_mended;
	bool strange;                 /* something was taken out of a line so far, or replaced in it */
	const struct starts *starts;
	struct section *first, **end; /* the tools found so far, in order */
	struct section *now;          /* NULL: before the first section */
	uint64_t no_document;         /* up to here: in a document that no parser reads, or that one has */
	const struct parser *found;   /* whose output begins at the place that the stranger was asked about */
};

static bool by_lines(const struct parser *parser)
{
	return parser->rules && !parser->starts;
}

static bool same_tool(const struct parser *a, const struct parser *b)
{
	return strcmp(a->tool, b->tool) == 0;
}

/* `at`: where the line is in the source. Returns what the parser will read, NULL where it takes lines. */
static struct range *enter(struct transcript *t, const struct parser *parser, uint64_t at)
{
	struct section *s = t->first;
	if (t->now && t->now->rules && !by_lines(parser) && same_tool(parser, t->now->parser))
		at = t->now->entered > t->parse->source->start ? t->now->entered : t->parse->source->start; /* what it said describes it */
	if (t->now && t->now->rules)
		rules_pause(t->now->rules);
	else if (t->now && t->now->n && t->now->documents[t->now->n - 1].to > at)
		t->now->documents[t->now->n - 1].to = at;
	while (s && s->parser != parser)
		s = s->next;
	if (!s) {
		s = ARENA_NEW(t->parse->arena, struct section);
		*s = (struct section){ .parser = parser, .rules = by_lines(parser) ? rules_open(parser->rules, t->parse) : NULL,
			.others = starts_others(t->starts, parser) };
		*t->end = s;
		t->end = &s->next;
	}
	t->now = s;
	s->entered = at;
	if (by_lines(parser))
		return NULL;
	const struct source *source = t->parse->source;
	text_hold(t->text, SIZE_MAX);
	struct range *r = ARENA_PUSH(t->parse->arena, s->documents, s->n, s->cap);
	*r = (struct range){ at, source->start + source->data.n };
	return r;
}

static const struct plain *make_plain(struct transcript *t, enum plain_kind kind)
{
	if (!t->plain[kind].bytes)
		t->plain[kind] = plain_of(t->lines, kind, t->parse->arena);
	return &t->plain[kind];
}

/* ---- JSON between the lines ---- */

static const struct parser *json_reader(struct slice document)
{
	struct peek peek = { .head = slice_head(document, PEEK_SIZE), .size = document.n, .json = true };
	const struct parser *best = NULL;
	int most = 0;
	for (size_t i = 0; parsers[i]; i++) {
		int bid = parsers[i]->json && parsers[i]->probe ? parsers[i]->probe(&peek) : 0;
		if (bid > most) {
			most = bid;
			best = parsers[i];
		}
	}
	return best;
}

/* The rest of the source, as it is or made plain. */
static struct slice rest_of(struct transcript *t, uint64_t from, bool passed_on)
{
	struct slice rest = source_from(t->parse->source, from);
	if (passed_on)
		rest.p = make_plain(t, PLAIN_JSON)->bytes + from;
	return rest;
}

/* Whether something stands before the line's text, or in it, that is none of it. */
static bool is_passed_on(const struct transcript *t, const struct text *text)
{
	if (t->lines->prefix.n || text->html || !text->raw)
		return true;
	for (const char *p = text->raw; p < text->line.p; p++)
		if (*p == '>')
			return true;
	return false;
}

/* Whether a JSON document may begin with this line. *passed_on: if it is made plain. */
static bool may_begin(const struct text *text, uint64_t from, bool *passed_on)
{
	enum { ENOUGH = 256 };
	text_hold(text, ENOUGH);
	if (*passed_on)
		return plain_may_begin(text->line);
	if (json_begins(slice_head(source_from(text->source, from), ENOUGH)))
		return true;
	*passed_on = plain_may_begin(text->line);
	return *passed_on;
}

/* Whether a JSON document of a known tool begins with this line; then the text goes on behind it. */
static bool take_document(struct transcript *t, struct rejoin *lines)
{
	const struct text *text = lines->line;
	struct slice document = SLICE_NONE;
	char first = text->line.n ? text->line.p[0] : ' ';
	if ((first != '{' && first != '[') || text->joined)
		return false;
	uint64_t from = text_pos(text, text->line.p).offset;
	bool passed_on = is_passed_on(t, text);
	if (from < t->no_document || !may_begin(text, from, &passed_on))
		return false;
	text_hold(t->text, SIZE_MAX);
	struct slice rest = rest_of(t, from, passed_on);
	if (!json_begins(rest))
		return false;
	struct json j = json_of(rest);
	json_document(&j);
	bool whole = json_skip(&j, &document);
	size_t n = whole ? document.n : (size_t)(j.end - rest.p);
	const struct parser *parser = json_reader(slice_head(rest, n));
	t->no_document = from + n;
	if (!parser)
		return false;
	struct range *taken = enter(t, parser, from);
	if (taken)
		taken->to = from + n;
	t->now->passed_on |= passed_on;
	if (from + n > text->next)
		rejoin_skip(lines, from + n);
	return true;
}

/* Documents where they stand, and blanks elsewhere. */
static char *documents_alone(struct transcript *t, const struct section *s, struct slice data)
{
	const struct source *source = t->parse->source;
	char *seen = arena_alloc(t->parse->arena, (size_t)source->start + data.n);
	plain_blank(source, seen);
	for (size_t i = 0; i < s->n; i++) {
		uint64_t from = s->documents[i].from, to = s->documents[i].to;
		memcpy(seen + from, data.p + (from - source->start), to - from);
	}
	return seen;
}

/* Says what was mended, and that the results rest on it. */
static void mark_mended(struct transcript *t, const struct plain *mend, struct repaired *r, struct parse *own)
{
	const struct parse *p = t->parse;
	if (!mend->mended)
		return;
	if (!t->said_mended)
		p->sink->diag(p->ctx, DIAG_NOTE, source_pos(p->source, mend->first),
			"quotes or other signs had been replaced: read as what they stand for");
	t->said_mended = true;
	repaired_begin(r, own);
}

/* The parser sees its documents where they stand. */
static enum status read_documents(struct transcript *t, const struct section *s)
{
	struct source *source = t->parse->source, held = *source;
	struct parse own = *t->parse;
	struct repaired repaired;
	struct slice data = source->data;
	own.feed = NULL;
	if (s->parser->json ? s->passed_on : t->lines->prefix.n || t->strange) {
		const struct plain *plain = make_plain(t, s->parser->json ? PLAIN_JSON : PLAIN_ROWS);
		data.p = plain->bytes + source->start;
		mark_mended(t, plain, &repaired, &own);
	} else if (s->documents[0].from == 0 && s->documents[0].to == data.n) {
		return parser_run(s->parser, &own);
	}
	char *seen = documents_alone(t, s, data);
	*source = source_of(held.name, (struct slice){ seen, (size_t)held.start + data.n });
	enum status status = parser_run(s->parser, &own);
	*source = held;
	return status;
}

/* ---- lines ---- */

static size_t stranger(void *ctx, struct slice line, size_t from, size_t to, bool inside)
{
	struct transcript *t = ctx;
	size_t at = to;
	const struct section *now = t->now;
	t->found = starts_find(t->starts, line, from, to, inside, now ? &now->others : NULL, &at);
	/* Another form of what is being printed says the same. */
	if (t->found && now && now->rules && now->rules->open && same_tool(t->found, now->parser)) {
		t->found = NULL;
		return to;
	}
	return at;
}

static void read_line(struct transcript *t, const struct text *text)
{
	size_t n = text->line.n, entered = n;
	if (!n && t->now && t->now->rules)
		rules_line(t->now->rules, text, 0, NULL, NULL); /* it is the present line, whatever it held */
	for (size_t from = 0; from < n;) {
		t->found = NULL;
		if (t->now && t->now->rules)
			from = rules_line(t->now->rules, text, from, stranger, t);
		else
			from = stranger(t, text->line, from, n, from > 0);
		if (!t->found)
			continue;
		from += from == entered; /* nobody goes on from here */
		entered = from;
		enter(t, t->found, text->clean_from);
	}
}

/* ---- the whole ---- */

/* A text of so many lines that are not empty may quote a tool in passing: in a single line; or in a few of many. */
enum { PROSE_LEAST = 20, PROSE_MOST = 60, PROSE_SHARE = 3 };

/* What no rule took is prose, or noise, or of no meaning. False: the text only has a line in passing. */
static bool is_output(const struct transcript *t, uint64_t n)
{
	uint64_t matched = 0;
	for (const struct section *s = t->first; s; s = s->next) {
		if (!s->rules)
			return true;
		matched += s->rules->matched;
	}
	if (matched == 1 && n >= PROSE_LEAST && !t->first->parser->probe) {
		parse_diag(t->parse, DIAG_NOTE, NULL, "of %llu lines one reads like the output of %s: it is taken for a quotation "
			"(--as %s reads it)", (unsigned long long)n, t->first->parser->tool, t->first->parser->name);
		return false;
	}
	if (matched && n >= PROSE_MOST && matched * PROSE_SHARE < n)
		parse_diag(t->parse, DIAG_NOTE, NULL, "of %llu lines %llu are read as output of tools: the text may only quote it",
			(unsigned long long)n, (unsigned long long)matched);
	return true;
}

static enum status close_all(struct transcript *t)
{
	enum status status = STATUS_REJECT;
	for (struct section *s = t->first; s; s = s->next) {
		enum status its = s->rules ? rules_close(s->rules) : s->n ? read_documents(t, s) : STATUS_FATAL;
		if (status == STATUS_REJECT || (its > status && its != STATUS_REJECT))
			status = its;
	}
	return status;
}

static enum status read(const struct parser *parser, struct parse *p)
{
	struct transcript t = { .parse = p, .starts = starts_of(p->rules) };
	struct rejoin lines = rejoin_of(parse_text(p, true), t.starts);
	t.lines = &lines;
	t.text = &lines.cursor;
	t.end = &t.first;
	if (parser != &parser_transcript)
		enter(&t, parser, 0);
	uint64_t n = 0;
	while (rejoin_next(&lines, t.now ? t.now->rules : NULL)) {
		n += lines.line->line.n > 0;
		if (take_document(&t, &lines))
			continue;
		t.strange |= !lines.line->raw && !lines.line->joined;
		read_line(&t, lines.line);
		if (lines.line->overlong && t.now && t.now->rules)
			rules_overlong(t.now->rules, lines.line);
	}
	rejoin_say(&lines, p);
	if (!is_output(&t, n))
		return STATUS_REJECT;
	return close_all(&t);
}

enum status transcript_read(const struct parser *parser, struct parse *p)
{
	if (parser != &parser_transcript && !transcript_has(parser))
		return parser_run(parser, p);
	struct parse own = *p;
	if (!p->rules)
		own.rules = rule_cache_new();
	enum status status = read(parser, &own);
	if (!p->rules)
		rule_cache_free(own.rules);
	return status;
}

bool transcript_has(const struct parser *parser)
{
	if (parser->starts)
		return true;
	for (const struct rule *rule = parser->rules ? parser->rules->rules : NULL; rule && rule->id; rule++)
		if (rule->flags & RULE_START)
			return true;
	return false;
}

static enum status parse(struct parse *p)
{
	return transcript_read(&parser_transcript, p);
}

const struct parser parser_transcript = {
	.name = "transcript", .title = "transcript of several tools", .tool = "", .parse = parse,
};
