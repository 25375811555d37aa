/* The transcript reader: one text, several tools. */
#include "parsers/transcript.h"

#include "parsers/starts.h"

struct section {
	const struct parser *parser;
	struct rules *rules; /* the table at work; NULL: it is broken */
	struct section *next;
};

struct transcript {
	struct parse *parse;
	const struct starts *starts;
	struct section *first, **end; /* the tools found so far, in order */
	struct section *now;          /* NULL: before the first section */
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
		*s = (struct section){ .parser = parser, .rules = rules_open(parser->rules, t->parse) };
		*t->end = s;
		t->end = &s->next;
	}
	t->now = s;
}

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
		enum status its = s->rules ? rules_close(s->rules) : STATUS_FATAL;
		if (status == STATUS_REJECT || (its > status && its != STATUS_REJECT))
			status = its;
	}
	return status;
}

static enum status read(const struct parser *parser, struct parse *p)
{
	struct transcript t = { .parse = p, .starts = starts_of(p->rules) };
	struct text text = text_of(p->source, p->arena);
	t.end = &t.first;
	if (parser != &parser_transcript)
		enter(&t, parser);
	while (text_next(&text)) {
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
