#include "parsers/rejoin.h"

#include "parsers/rules_table.h"
#include "parsers/typeset.h"

/* Widths at which lines are wrapped at their words (quotes make them wider), and in the middle of them. */
enum { LEAST = 20, NARROW = 40, WRAP_LEAST = 70, WRAP_MOST = 110, CUT_MOST = 250 };
/* A line is put together of so many at most; so many are looked at for one that goes on. */
enum { PIECES = 8, AHEAD = 3 };

/* ---- plain characters ---- */

/* First bytes of what is replaced. */
static const char replaced_byte[] = { '\t', '\xc2', '\xe2' };

static uint32_t origin_of(const struct text *t, const char *p)
{
	return (uint32_t)(text_pos(t, p).offset - t->clean_from);
}

/* Writes the line into the reader's own buffer (where it may stand already: nothing gets longer). */
static void make_plain(struct rejoin *j, struct text *t)
{
	struct slice line = t->line;
	size_t n = 0;
	if (t->raw)
		text_reserve(t, 0, line.n + 1);
	for (size_t i = 0; i < line.n;) {
		const struct typeset *c = typeset_at(line, i, j->written);
		uint32_t at = origin_of(t, line.p + i);
		struct slice plain = c ? typeset_plain(c, line, i) : (struct slice){ line.p + i, 1 };
		t->mended |= c && typeset_is_written(c);
		i += c ? strlen(c->text) : 1;
		for (size_t k = 0; k < plain.n; k++, n++) {
			t->clean[n] = plain.p[k];
			t->origin[n] = at;
		}
	}
	t->origin[n] = origin_of(t, line.p + line.n);
	t->line = (struct slice){ t->clean, n };
	t->raw = NULL;
	t->copied = true;
}

static bool has_typeset(const struct rejoin *j, struct slice line)
{
	for (size_t i = 0; i < line.n; i++)
		if (typeset_at(line, i, j->written))
			return true;
	return false;
}

static void find_next_bytes(struct rejoin *j, const struct text *t)
{
	j->plain_to = UINT64_MAX;
	for (size_t k = 0; k < sizeof replaced_byte; k++) {
		if (j->next_byte[k] < t->clean_from) {
			struct slice held = source_from(t->source, t->clean_from);
			size_t at = slice_find_char(held, replaced_byte[k]);
			j->next_byte[k] = t->clean_from + (at == (size_t)-1 ? held.n : at);
		}
		j->plain_to = j->next_byte[k] < j->plain_to ? j->next_byte[k] : j->plain_to;
	}
}

/* Whether some byte of the line may begin one. */
static bool may_have_typeset(struct rejoin *j, const struct text *t)
{
	if (t->html || j->written)
		return true;
	if (t->clean_from > j->plain_to)
		find_next_bytes(j, t);
	return j->plain_to < t->next;
}

/* What stands before the line's text, and behind it. */
static void strip(const struct rejoin *j, struct text *t)
{
	if (j->prefix.n)
		t->line = prefix_strip(&j->prefix, t->line);
	while (t->mended && t->line.n && (t->line.p[0] == ' ' || t->line.p[0] == '>'))
		t->line = slice_from(t->line, 1);
	while (t->line.n && t->line.p[t->line.n - 1] == ' ' && !t->cut) /* a terminal's screen has them */
		t->line.n--;
}

/* `braces`: lines that begin with one, too, which else are left as they are for readers of JSON. */
static bool read_line(struct rejoin *j, struct text *t, bool braces)
{
	if (!text_next(t))
		return false;
	t->mended = false;
	if (may_have_typeset(j, t) && (braces || !slice_starts(t->line, "{")) && has_typeset(j, t->line))
		make_plain(j, t);
	if (t->mended && !j->any_written) {
		j->any_written = true;
		j->first_written = (struct pos){ t->source, t->clean_from, t->number, (uint32_t)(t->clean_from - t->line_start) + 1 };
	}
	strip(j, t);
	return true;
}

static bool next_line(struct rejoin *j, struct text *t)
{
	return read_line(j, t, false);
}

bool rejoin_next_apart(struct rejoin *j)
{
	j->line = &j->cursor;
	return read_line(j, &j->cursor, true);
}

struct rejoin rejoin_again(const struct rejoin *j)
{
	struct rejoin again = *j;
	struct text *t = &again.cursor;
	t->window = NULL;
	t->next = t->source->start;
	if (slice_starts(t->source->data, "\xef\xbb\xbf"))
		t->next += 3;
	t->pre = 0;
	t->clean = NULL;
	t->origin = NULL;
	t->clean_cap = 0;
	return again;
}

/* Bytes that a line has before it is wrapped, at least: those of the longest line where a text begins with none of the usual
 * width, if so many lines come near to it that they may have been wrapped there. */
static unsigned measure_wrap(struct slice head)
{
	enum { NARROWEST = 55, NEAR = 12, SHARE = 4 };
	size_t lines = 0, near = 0, most = 0;
	struct slice line, rest = head;
	while (slice_cut(&rest, '\n', &line) && rest.p) {
		lines += line.n > 0;
		if (line.n > most && slice_find_char(slice_trim(line), ' ') != (size_t)-1) /* a word alone can't be wrapped */
			most = line.n;
	}
	if (most < NARROWEST || most >= WRAP_LEAST)
		return WRAP_LEAST;
	for (rest = head; slice_cut(&rest, '\n', &line) && rest.p;)
		near += line.n + NEAR > most;
	return SHARE * near > lines ? (unsigned)most : WRAP_LEAST;
}

struct rejoin rejoin_of(struct text text, const struct starts *starts)
{
	struct rejoin j = { .cursor = text, .starts = starts };
	j.wrap = measure_wrap(slice_head(text.source->data, TEXT_WINDOW));
	j.written = !text.html && typeset_any_written(slice_head(text.source->data, TEXT_WINDOW));
	j.prefix = prefix_of(&j.cursor, starts, text.arena);
	return j;
}

/* ---- what stands where ---- */

/* Characters of UTF-8: all bytes but those that go on with one, 10xxxxxx. */
static size_t columns(struct slice s)
{
	const uint64_t high = UINT64_C(0x8080808080808080);
	size_t n = s.n, i = 0;
	for (uint64_t v; i + sizeof v <= s.n; i += sizeof v) {
		memcpy(&v, s.p + i, sizeof v);
		v &= ~(v << 1) & high;
		n -= v ? (size_t)__builtin_popcountll(v) : 0;
	}
	for (; i < s.n; i++)
		n -= ((unsigned char)s.p[i] & 0xc0) == 0x80;
	return n;
}

/* The line as it stands in the source, without its end. */
static struct slice raw_line(const struct text *t)
{
	struct slice raw = slice_head(source_from(t->source, t->clean_from), (size_t)(t->next - t->clean_from));
	if (t->html)
		return t->line;
	if (raw.n && raw.p[raw.n - 1] == '\n')
		raw.n--;
	if (raw.n && raw.p[raw.n - 1] == '\r')
		raw.n--;
	return raw;
}

/* What follows, without quotes and blanks at its beginning; as far as it can matter. */
static struct slice what_follows(const struct text *t)
{
	struct slice rest = slice_head(source_from(t->source, t->next), CUT_MOST);
	while (rest.n && (rest.p[0] == ' ' || rest.p[0] == '\t' || rest.p[0] == '>'))
		rest = slice_from(rest, 1);
	return rest;
}

static bool begins_word(struct slice s)
{
	return s.n && (unsigned char)s.p[0] > ' ';
}

/* Whether the first word of what follows would have fitted in behind a line of n bytes, and is not alone there. */
static bool would_have_fitted(const struct rejoin *j, size_t n, struct slice next)
{
	size_t word = 0;
	if (n + 1 >= j->wrap)
		return false;
	while (word < next.n && (unsigned char)next.p[word] > ' ')
		word++;
	bool alone = word == next.n || next.p[word] == '\n' || next.p[word] == '\r';
	return n + 1 + word <= j->wrap && !alone;
}

/* The width that no line exceeds, if several have it or it is a usual one; 0: none at which texts are cut. */
static unsigned measure(struct slice data)
{
	static const unsigned char usual[] = { 64, 72, 76, 78, 79, 80, 100, 120, 132, 0 };
	size_t most = 0, times = 0;
	struct slice line;
	while (slice_cut(&data, '\n', &line)) {
		if (line.n && line.p[line.n - 1] == '\r')
			line.n--;
		size_t n = line.n < most ? 0 : columns(line);
		times = n > most ? 1 : times + (n && n == most);
		most = n > most ? n : most;
	}
	if (most < NARROW || most > CUT_MOST)
		return 0;
	return times > 1 || strchr((const char *)usual, (int)most) ? (unsigned)most : 0;
}

/* Lines that begin alike stand below each other: rows of a table, replies one by one. */
static bool next_is_alike(const struct text *t)
{
	enum { ALIKE = 8 };
	struct slice next = source_from(t->source, t->next);
	return next.n >= ALIKE && t->line.n >= ALIKE && memcmp(t->line.p, next.p, ALIKE) == 0;
}

enum joint { JOINT_NONE, JOINT_WORD, JOINT_INSIDE, JOINT_SHELL };

/* Whether the line that the cursor has read may go on in the next one. */
static enum joint joint_of(struct rejoin *j, const struct text *t)
{
	struct slice line = t->line;
	if (line.n && line.p[line.n - 1] == '\\' && source_from(t->source, t->next).n && !t->html)
		return JOINT_SHELL;
	if (!t->html && next_is_alike(t))
		return JOINT_NONE;
	struct slice raw = raw_line(t);
	if (raw.n < LEAST || raw.n > 4 * CUT_MOST || t->cut)
		return JOINT_NONE;
	if (t->html)
		return t->pre ? JOINT_WORD : JOINT_NONE;
	struct slice next = what_follows(t);
	if (!begins_word(next) || (raw.p[raw.n - 1] != ' ' && would_have_fitted(j, raw.n, next)))
		return JOINT_NONE;
	if (!j->measured)
		j->width = measure(t->source->data);
	j->measured = true;
	/* Characters are counted only where that can matter: there are no more of them than bytes. */
	if (raw.n <= WRAP_MOST && (!j->width || raw.n < j->width))
		return JOINT_WORD;
	size_t n = columns(raw);
	return n == j->width ? JOINT_INSIDE : n <= WRAP_MOST ? JOINT_WORD : JOINT_NONE;
}

/* ---- whether to join ---- */

static unsigned took_part(const struct slice *groups, unsigned n)
{
	unsigned sum = 0;
	for (unsigned i = 1; i < n; i++)
		sum += groups[i].p != NULL;
	return sum;
}

bool rejoin_adds(const struct regex *pattern, struct slice line, size_t from, size_t joint, bool inside)
{
	struct slice whole[REGEX_GROUPS], first[REGEX_GROUPS];
	unsigned n = regex_match(pattern, line, from, whole);
	if (!n || from + whole[0].n <= joint + !inside)
		return false;
	unsigned before = regex_match(pattern, slice_head(line, joint), from, first);
	bool longer = false;
	for (unsigned i = 1; inside && i < n && i < before; i++)
		longer |= whole[i].n > first[i].n && slice_find_char(whole[i], ' ') == (size_t)-1;
	return !before || longer || took_part(whole, n) > took_part(first, before);
}

/* As rules_line goes along a line: whether something begins before the joint that adds to it. Moves to the section that the
 * line would end in. */
static bool table_adds(const struct compiled *t, unsigned *section, struct slice line, size_t joint, bool inside)
{
	struct slice groups[REGEX_GROUPS];
	bool start = true;
	for (size_t i = 0; i < joint;) {
		bool every = start || line.n > RULES_FLAT_LINE || *section != 1;
		uint64_t rules = t->live[rules_section(*section)] & t->first[(unsigned char)line.p[i]] & (every ? ~UINT64_C(0) : t->inside);
		size_t end = i;
		for (; rules && end == i; rules &= rules - 1) {
			unsigned k = (unsigned)__builtin_ctzll(rules);
			if (rejoin_adds(t->regex[k], line, i, joint, inside))
				return true;
			if (regex_match(t->regex[k], line, i, groups) && groups[0].n) {
				end = i + groups[0].n;
				*section = t->set->rules[k].to ? t->set->rules[k].to : *section;
			}
		}
		start = end > i;
		if (!start && !t->set->flat)
			return false;
		for (i = start ? end : i + 1; i < joint && (start ? line.p[i] == ' ' : !rules_edge(line.p[i - 1]));)
			i++;
	}
	return false;
}

static bool table_takes(const struct compiled *t, unsigned section, struct slice line)
{
	struct slice groups[REGEX_GROUPS];
	uint64_t rules = line.n ? t->live[rules_section(section)] & t->first[(unsigned char)line.p[0]] : 0;
	for (; rules; rules &= rules - 1)
		if (regex_match(t->regex[__builtin_ctzll(rules)], line, 0, groups))
			return true;
	return false;
}

struct wrapped {
	const struct compiled *table; /* or NULL */
	unsigned section;
};

/* Whether the line behind the present one may be a new one. */
static bool may_begin(const struct rejoin *j, const struct wrapped *w)
{
	struct slice next = what_follows(&j->cursor);
	unsigned char first = begins_word(next) ? (unsigned char)next.p[0] : 0;
	return (w->table && w->table->first[first]) || (j->starts && starts_may_begin(j->starts, first));
}

/* Whether something begins with this line, behind the joined one. */
static bool begins(const struct rejoin *j, const struct wrapped *w, struct slice line)
{
	unsigned section = w->section;
	if (w->table)
		table_adds(w->table, &section, j->joined.line, j->joined.line.n, false);
	return (w->table && table_takes(w->table, section, line)) || (j->starts && starts_begin(j->starts, line));
}

static bool adds(const struct rejoin *j, const struct wrapped *w, size_t joint, bool inside)
{
	struct slice line = j->joined.line;
	unsigned section = w->section;
	return (w->table && table_adds(w->table, &section, line, joint, inside)) ||
		(j->starts && starts_add(j->starts, line, joint, inside));
}

/* ---- joining ---- */

/* Where so many lines in turn did not go on that might have, the text is none whose lines are wrapped: then only those are
 * tried whose next line begins with a byte that nothing begins with. */
enum { PATIENCE = 64 };

/* A reader with buffers of its own: what the cursor has read stays. */
static void look(struct rejoin *j, const struct text *from)
{
	struct text *t = &j->spare;
	char *clean = t->clean;
	uint32_t *origin = t->origin;
	size_t cap = t->clean_cap;
	*t = *from;
	t->window = NULL; /* what is held stays where it is */
	t->clean = clean;
	t->origin = origin;
	t->clean_cap = cap;
}

/* Behind the first n bytes, with a blank between or without. */
static void append(struct text *to, const struct text *from, size_t n, bool blank)
{
	struct slice line = from->line;
	while (line.n && line.p[line.n - 1] == ' ')
		line.n--;
	text_reserve(to, n, n + line.n + 2);
	if (blank && n) {
		to->clean[n] = ' ';
		to->origin[n] = to->origin[n - 1] + 1;
		n++;
	}
	for (size_t i = 0; i < line.n; i++, n++) {
		to->clean[n] = line.p[i];
		to->origin[n] = (uint32_t)(text_pos(from, line.p + i).offset - to->clean_from);
	}
	to->origin[n] = (uint32_t)(from->next - to->clean_from);
	to->line = (struct slice){ to->clean, n };
	to->cut = from->cut;
	to->next = from->next;
}

static void begin(struct rejoin *j)
{
	struct text *to = &j->joined;
	const struct text *from = &j->cursor;
	char *clean = to->clean;
	uint32_t *origin = to->origin;
	size_t cap = to->clean_cap;
	*to = *from;
	to->clean = clean;
	to->origin = origin;
	to->clean_cap = cap;
	to->copied = to->joined = true;
	to->raw = NULL;
	append(to, from, 0, false);
}

/* The cursor goes on behind what was looked at. */
static void follow(struct rejoin *j)
{
	struct text at = j->spare, *t = &j->cursor;
	at.clean = t->clean;
	at.origin = t->origin;
	at.clean_cap = t->clean_cap;
	at.window = t->window;
	*t = at;
}

static bool in_number(char c)
{
	return (c >= '0' && c <= '9') || c == '.' || c == ',';
}

/* Adds what follows the joined line, a few lines at most, if that makes more of it. */
static bool add_pieces(struct rejoin *j, const struct wrapped *w)
{
	size_t joint = j->joined.line.n;
	const struct text *last = &j->cursor;
	enum joint how = joint_of(j, last);
	bool inside = how == JOINT_INSIDE, shell = how == JOINT_SHELL;
	uint64_t next_byte[3], plain_to = j->plain_to;
	memcpy(next_byte, j->next_byte, sizeof next_byte);
	for (int k = 0; k < AHEAD && how != JOINT_NONE; k++, how = joint_of(j, &j->spare)) {
		size_t n = j->joined.line.n - (how == JOINT_SHELL);
		look(j, last);
		last = &j->spare;
		if (!next_line(j, &j->spare) || !j->spare.line.n || (!shell && begins(j, w, j->spare.line)))
			break;
		bool number = how == JOINT_INSIDE && in_number(j->joined.clean[n - 1]);
		append(&j->joined, &j->spare, n, !number);
		bool more = shell || adds(j, w, joint, number);
		if (!more && how == JOINT_INSIDE) {
			append(&j->joined, &j->spare, n, number);
			more = adds(j, w, joint, inside && !number);
		}
		if (more) {
			j->joined.mended |= !shell;
			follow(j);
			return true;
		}
	}
	j->joined.line.n = joint;
	memcpy(j->next_byte, next_byte, sizeof next_byte);
	j->plain_to = plain_to;
	return false;
}

/* Of a page's lines the source, which is held wholly, tells the number later. */
static struct pos place_of(const struct text *joined)
{
	uint64_t offset = joined->clean_from + joined->origin[0];
	if (joined->html)
		return (struct pos){ joined->source, offset, 0, 0 };
	return (struct pos){ joined->source, offset, joined->number, (uint32_t)(offset - joined->line_start) + 1 };
}

/* The last line of a text whose lines are cut in the middle of words: what it goes on in is lost. */
static bool may_have_lost(const struct rejoin *j)
{
	const struct text *t = &j->cursor;
	return j->n && j->width && !t->html && !source_from(t->source, t->next).n && columns(raw_line(t)) == j->width;
}

bool rejoin_next(struct rejoin *j, const struct rules *now)
{
	j->line = &j->cursor;
	if (!next_line(j, &j->cursor))
		return false;
	j->cursor.cut |= may_have_lost(j);
	enum joint how = joint_of(j, &j->cursor);
	if (how == JOINT_NONE)
		return true;
	struct wrapped w = { NULL, 0 };
	if (now) {
		w.table = rules_table_of(now);
		w.section = now->section;
	}
	if (j->failed >= PATIENCE && how != JOINT_SHELL && may_begin(j, &w))
		return true;
	begin(j);
	unsigned pieces = 1;
	while (pieces < PIECES && add_pieces(j, &w))
		pieces++;
	j->failed = pieces > 1 ? 0 : j->failed + 1;
	if (j->failed == PATIENCE && !j->n)
		j->wrap = WRAP_LEAST;
	if (pieces == 1)
		return true;
	if (j->joined.mended && !j->n++)
		j->first = place_of(&j->joined);
	j->line = &j->joined;
	return true;
}

/* ---- for readers that know what a line lacks ---- */

bool rejoin_peek(struct rejoin *j, struct slice *next, bool *indented)
{
	look(j, &j->cursor);
	if (!read_line(j, &j->spare, true))
		return false;
	*next = j->spare.line;
	*indented = j->spare.raw != next->p;
	return true;
}

void rejoin_take(struct rejoin *j, bool blank)
{
	if (j->line == &j->cursor) {
		begin(j);
		if (!j->n++)
			j->first = place_of(&j->joined);
	}
	append(&j->joined, &j->spare, j->joined.line.n, blank);
	j->joined.mended = true;
	follow(j);
	j->line = &j->joined;
}

bool rejoin_full(struct rejoin *j)
{
	if (!j->measured)
		j->width = measure(j->cursor.source->data);
	j->measured = true;
	struct slice raw = raw_line(&j->cursor);
	return j->width && columns(raw) == j->width && !slice_ends(raw, " ");
}

void rejoin_skip(struct rejoin *j, uint64_t to)
{
	text_skip(&j->cursor, to);
}

void rejoin_say(const struct rejoin *j, struct parse *p)
{
	if (j->any_written)
		p->sink->diag(p->ctx, DIAG_NOTE, j->first_written,
			"signs of HTML, Markdown, a forum or a PDF: read as what they stand for");
	if (j->n)
		p->sink->diag(p->ctx, DIAG_NOTE, j->first.line ? j->first : source_pos(p->source, j->first.offset),
			arena_printf(p->arena, "%llu line%s wrapped: read as one", (unsigned long long)j->n, j->n == 1 ? " was" : "s were"));
}
