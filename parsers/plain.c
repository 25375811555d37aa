#include "parsers/plain.h"

#include "base/newlines.h"

/* Where the next byte goes. */
struct place {
	struct plain *plain;
	const struct source *source;
	uint64_t to;   /* behind the last one that was written */
	bool inside;   /* a string */
	bool word;     /* in a number or a bare word */
	bool cut;      /* in what may be the rest of a number that the line before ended in */
	unsigned owed; /* line ends in whose places something was written */
};

/* An escape of Markdown that none of JSON is. */
static bool is_escape(struct slice rest)
{
	return rest.n > 1 && rest.p[0] == '\\' && strchr("_*[]{}()#<>|~`-.!", rest.p[1]) && rest.p[1];
}

static void mended(struct place *at, uint64_t offset)
{
	if (!at->plain->mended)
		at->plain->first = offset;
	at->plain->mended = true;
}

static bool in_word(char c)
{
	return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '.' || c == '-' || c == '+';
}

/* Whether the byte belongs to what stands before it without a gap. */
static bool follows(struct place *at, char c)
{
	at->cut = at->cut && ((c >= '0' && c <= '9') || c == '.');
	return at->inside || at->cut || c == ':' || (at->word && in_word(c));
}

/* A gap up to this offset, with the line ends that others stand in the place of. */
static void leave_gap(struct place *at, uint64_t offset)
{
	for (; at->owed && at->to < offset; at->owed--)
		at->plain->bytes[at->to++] = '\n';
	at->to = at->to > offset ? at->to : offset;
}

/* The byte that was read at this offset. */
static void put(struct place *at, char c, uint64_t offset)
{
	bool quote = c == '"';
	bool escaped = quote && at->inside && at->to && at->plain->bytes[at->to - 1] == '\\';
	struct slice there = source_from(at->source, offset);
	if (quote && !escaped && (!there.n || there.p[0] != '"'))
		mended(at, offset);
	if (c == ' ' && there.n && there.p[0] == '\t')
		c = '\t';
	if (!follows(at, c))
		leave_gap(at, offset);
	at->owed += at->plain->bytes[at->to] == '\n';
	at->plain->bytes[at->to++] = c;
	at->inside ^= quote && !escaped;
	at->word = in_word(c);
}

/* Strings and words end with their line, but for one of JSON that ends in the middle of one. */
static void end_line(struct place *at, struct rejoin *lines)
{
	const struct slice line = lines->line->line;
	char last = line.n ? line.p[line.n - 1] : ' ';
	at->cut = (at->inside || (last >= '0' && last <= '9') || last == '.') && rejoin_full(lines);
	if (at->cut && at->inside)
		mended(at, text_pos(lines->line, line.p).offset);
	at->inside &= at->cut;
	at->word = false;
}

static void put_line(struct place *at, const struct text *text)
{
	struct slice line = text->line;
	for (size_t i = 0; i < line.n; i++) {
		uint64_t offset = text_pos(text, line.p + i).offset;
		if (is_escape(slice_from(line, i)))
			mended(at, offset);
		else
			put(at, line.p[i], offset);
	}
}

/* Where a row ends: behind its last byte, and what was taken out there. */
static uint64_t end_of_row(const struct place *at, const struct text *text)
{
	struct slice line = text->line;
	uint64_t end = text_pos(text, line.p + line.n - 1).offset + 1;
	struct slice behind = slice_head(source_from(at->source, end), (size_t)(text->next - end));
	while (behind.n && (behind.p[behind.n - 1] == '\n' || behind.p[behind.n - 1] == '\r'))
		behind.n--;
	return behind.n && (behind.p[0] == '\0' || behind.p[0] == '\033') ? end + behind.n : end;
}

/* Together, up to its end: blanks at the beginning of a row are of no meaning. */
static void put_row(const struct place *at, const struct text *text)
{
	struct slice line = text->line;
	uint64_t to = line.n ? end_of_row(at, text) - line.n : 0;
	for (size_t i = 0; i < line.n; i++) {
		struct slice there = source_from(at->source, text_pos(text, line.p + i).offset);
		at->plain->bytes[to + i] = line.p[i] == ' ' && there.n && there.p[0] == '\t' ? '\t' : line.p[i];
	}
}

/* Lone carriage returns are line ends, too. */
void plain_blank(const struct source *source, char *bytes)
{
	struct source s = *source;
	struct pos start = source_pos(&s, s.start);
	memset(bytes, ' ', (size_t)s.start);
	if (start.line > 1) {
		memset(bytes, '\n', start.line - 2);
		bytes[start.offset - (start.column - 1) - 1] = '\n';
	}
	memset(bytes + s.start, ' ', s.data.n);
	for (const char *p = s.data.p, *end = p + s.data.n; (p = newlines_control(p, end)) < end; p++)
		if (*p == '\n' || *p == '\r')
			bytes[s.start + (uint64_t)(p - s.data.p)] = *p;
}

static struct plain make(struct rejoin *lines, enum plain_kind kind, struct arena *a)
{
	const struct source *source = lines->cursor.source;
	struct plain plain = { .bytes = arena_alloc(a, (size_t)source->start + source->data.n + 1) };
	struct place at = { .plain = &plain, .source = source };
	plain_blank(source, plain.bytes);
	while (rejoin_next_apart(lines)) {
		if (kind == PLAIN_ROWS) {
			put_row(&at, lines->line);
			continue;
		}
		put_line(&at, lines->line);
		end_line(&at, lines);
	}
	if (lines->any_written)
		mended(&at, lines->first_written.offset);
	return plain;
}

struct plain plain_of(const struct rejoin *lines, enum plain_kind kind, struct arena *a)
{
	struct rejoin own = rejoin_again(lines);
	return make(&own, kind, a);
}

struct plain plain_head(struct source *s, const struct starts *starts, struct arena *a)
{
	struct rejoin lines = rejoin_of(text_of(s, a, true), starts);
	return make(&lines, PLAIN_JSON, a);
}

bool plain_may_begin(struct slice line)
{
	line = slice_trim(slice_from(line, 1));
	return !line.n || strchr("\"{[&>\\\xe2\xc2\x1b", line.p[0]);
}
