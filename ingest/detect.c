#include "ingest/detect.h"

#include "base/newlines.h"
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

static bool probe_all(struct detection *d, const struct peek *peek)
{
	bool any = false;
	for (size_t i = 0; i < DETECT_PARSERS && parsers[i]; i++) {
		d->bids[i] = probe(parsers[i], peek);
		any |= d->bids[i] > 0;
	}
	return any;
}

/* A JSON document mostly says at its beginning what it is: then no parser looks through all of it for keys of its own. */
static void ask(struct detection *d, const struct peek *peek)
{
	enum { BEGINNING = 4 << 10 };
	struct peek beginning = *peek;
	beginning.head = slice_head(peek->head, BEGINNING);
	if (!peek->json || !probe_all(d, &beginning))
		probe_all(d, peek);
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

struct detection detect(const struct peek *peek, struct rule_cache *rules)
{
	struct detection d = { .parser = NULL };
	ask(&d, peek);
	choose(&d);
	if (peek->json || (d.parser && !d.parser->json && !transcript_has(d.parser)))
		return d;
	struct detection whole = d;
	starts_bids(starts_of(rules), peek->head, d.bids);
	choose(&d);
	if (several_tools(&d)) {
		d.parser = &parser_transcript;
		d.rival = NULL;
	} else if (whole.parser) {
		d.parser = whole.parser; /* other forms of the same tool's output say the same */
		d.rival = whole.rival;
		d.bid = whole.bid;
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
