/* The transcript reader: one text, several tools. */
#include "parsers/transcript.h"

#include "base/json.h"
#include "base/newlines.h"
#include "parsers/starts.h"

/* A JSON document of the text: its bytes and where they stand in it. */
struct document {
	struct slice bytes;
	uint64_t from, line_start;
	uint32_t line;
};

/* What a parser reads of the text: by its table, as the text goes by; or JSON documents, at the end. */
struct section {
	const struct parser *parser;
	struct rules *rules; /* the table at work; NULL: it is broken, or there is none */
	struct document *documents;
	size_t n, cap;
	struct section *next;
};

struct transcript {
	struct parse *parse;
	const struct starts *starts;
	struct section *first, **end; /* the tools found so far, in order */
	struct section *now;          /* NULL: before the first section */
	uint64_t no_document;         /* up to here: in a document that no parser reads, or that one has */
	const struct parser *found;   /* whose output begins at the place that the stranger was asked about */
};

static void enter(struct transcript *t, const struct parser *parser)
{
	struct section *s = t->first;
	if (t->now && t->now->rules)
		rules_pause(t->now->rules);
	while (s && s->parser != parser)
		s = s->next;
	if (!s) {
		s = ARENA_NEW(t->parse->arena, struct section);
		*s = (struct section){ .parser = parser, .rules = parser->rules ? rules_open(parser->rules, t->parse) : NULL };
		*t->end = s;
		t->end = &s->next;
	}
	t->now = s;
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

/* By so many bytes a document is known for one. */
enum { DOCUMENT_HEAD = 256 };

/* The document that begins at this offset; what is held grows until it is whole or the input ends. */
static struct slice document_at(struct text *text, uint64_t from, uint64_t *to)
{
	struct slice document = SLICE_NONE;
	bool all = text_hold(text, 0), whole;
	for (size_t n = TEXT_WINDOW;; n *= 2) {
		struct slice rest = source_from(text->source, from);
		struct json j = json_of(rest);
		json_document(&j);
		whole = json_skip(&j, &document);
		*to = from + (whole ? document.n : (uint64_t)(j.end - rest.p));
		if (all || whole)
			return source_from(text->source, from);
		all = text_hold(text, n);
	}
}

/* Whether a JSON document of a known tool begins with this line; then the text goes on behind it. */
static bool take_document(struct transcript *t, struct text *text)
{
	char first = text->line.n ? text->line.p[0] : ' ';
	if ((first != '{' && first != '[') || text->html)
		return false;
	struct pos pos = text_pos(text, text->line.p);
	text_hold(text, DOCUMENT_HEAD);
	struct slice head = slice_head(source_from(text->source, pos.offset), DOCUMENT_HEAD);
	if (pos.offset < t->no_document || !json_begins(head))
		return false;
	uint64_t to;
	struct slice bytes = document_at(text, pos.offset, &to);
	bytes = slice_head(bytes, (size_t)(to - pos.offset));
	const struct parser *parser = json_reader(bytes);
	t->no_document = to;
	if (!parser)
		return false;
	enter(t, parser);
	*ARENA_PUSH(t->parse->arena, t->now->documents, t->now->n, t->now->cap) = (struct document){
		.bytes = text->copied ? arena_copy(t->parse->arena, bytes) : bytes, .from = pos.offset,
		.line = text->number, .line_start = text->line_start };
	if (to > text->next)
		text_skip(text, to);
	return true;
}

/* The parser sees its documents where they stand, and blanks elsewhere, with line ends so that lines count right. */
static enum status read_documents(struct transcript *t, const struct section *s)
{
	struct source *source = t->parse->source, held = *source;
	const struct document *last = &s->documents[s->n - 1];
	size_t size = (size_t)last->from + last->bytes.n, at = 0, lines = 1;
	char *seen = arena_alloc(t->parse->arena, size);
	memset(seen, ' ', size);
	for (size_t i = 0; i < s->n; i++) {
		const struct document *d = &s->documents[i];
		if (d->line > lines) {
			memset(seen + at, '\n', d->line - lines - 1);
			seen[d->line_start - 1] = '\n';
		}
		memcpy(seen + d->from, d->bytes.p, d->bytes.n);
		at = (size_t)d->from + d->bytes.n;
		lines = d->line + newlines_count(d->bytes.p, d->bytes.p + d->bytes.n);
	}
	struct parse own = *t->parse;
	own.feed = NULL;
	*source = source_of(held.name, (struct slice){ seen, size });
	enum status status = parser_run(s->parser, &own);
	*source = held;
	return status;
}

/* ---- lines ---- */

static size_t stranger(void *ctx, struct slice line, size_t from, size_t to, bool inside)
{
	struct transcript *t = ctx;
	size_t at = to;
	t->found = starts_find(t->starts, line, from, to, inside, t->now ? t->now->parser : NULL, &at);
	return at;
}

static void read_line(struct transcript *t, const struct text *text)
{
	size_t n = text->line.n, entered = n;
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
		enter(t, t->found);
	}
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
	struct text text = parse_text(p, true);
	t.end = &t.first;
	if (parser != &parser_transcript)
		enter(&t, parser);
	while (text_next(&text)) {
		if (take_document(&t, &text))
			continue;
		read_line(&t, &text);
		if (text.overlong && t.now && t.now->rules)
			rules_overlong(t.now->rules, &text);
	}
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
