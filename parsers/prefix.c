#include "parsers/prefix.h"

#include "base/json.h"
#include "base/num.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* ---- shapes ---- */

/* Whether the text has this shape at `at`: 0 is a digit, a is a letter, _ is a digit or a blank, the rest is itself. Moves
 * behind it. */
static bool take(struct slice s, size_t *at, const char *shape)
{
	size_t i = *at;
	for (; *shape; shape++, i++) {
		char c = i < s.n ? s.p[i] : '\0';
		bool fits = *shape == '0' ? is_digit(c) : *shape == 'a' ? is_letter(c) : *shape == '_' ? is_digit(c) || c == ' ' : c == *shape;
		if (!fits)
			return false;
	}
	*at = i;
	return true;
}

static size_t digits(struct slice s, size_t *at)
{
	size_t from = *at;
	while (*at < s.n && is_digit(s.p[*at]))
		++*at;
	return *at - from;
}

static void take_zone(struct slice s, size_t *at)
{
	if (!take(s, at, "Z") && !take(s, at, "+00:00") && !take(s, at, "-00:00") && !take(s, at, "+0000") && !take(s, at, "-0000") &&
		!take(s, at, " +0000"))
		take(s, at, " UTC");
}

/* "15:40:02", "15:40:02.123456Z" */
static bool take_clock(struct slice s, size_t *at)
{
	if (!take(s, at, "00:00:00"))
		return false;
	size_t i = *at + 1;
	if (*at < s.n && (s.p[*at] == '.' || s.p[*at] == ',') && digits(s, &i))
		*at = i;
	take_zone(s, at);
	return true;
}

/* Behind what parts a prefix from its line; the line may have nothing else. 0: nothing does. */
static size_t parted(struct slice s, size_t at)
{
	take(s, &at, ":");
	size_t from = at;
	while (at < s.n && (s.p[at] == ' ' || s.p[at] == '\t'))
		at++;
	return at > from || at == s.n ? at : 0;
}

/* ---- kinds ---- */

/* "2026-11-30T15:40:02.12Z ", "[2026-11-30 15:40:02] ", "15:40:02  ", "[15:40] "; GitLab's stream behind it: " 01O ". */
static size_t stamp(struct slice s, uint64_t *ordinal)
{
	size_t at = 0;
	bool open = take(s, &at, "[") || take(s, &at, "(");
	(void)ordinal;
	if (take(s, &at, "0000-00-00") || take(s, &at, "0000/00/00"))
		if (!take(s, &at, "T") && !take(s, &at, " "))
			return 0;
	bool minute = open && at == 1 && take(s, &at, "00:00]");
	if (!minute && (!take_clock(s, &at) || (open && !take(s, &at, "]") && !take(s, &at, ")"))))
		return 0;
	size_t behind = parted(s, at), stream = behind;
	if (behind && (take(s, &stream, "00O") || take(s, &stream, "00E")))
		return parted(s, stream);
	return behind;
}

/* "Nov 30 15:40:02 ", "Mon Nov 30 15:40:02 2026 "; syslog's host and program behind it: "vm1 bench[123]: ". */
static size_t written_date(struct slice s, uint64_t *ordinal)
{
	size_t at = 0;
	bool weekday = take(s, &at, "aaa aaa _0 ");
	(void)ordinal;
	if ((!weekday && !take(s, &at, "aaa _0 ")) || !take_clock(s, &at))
		return 0;
	if (weekday)
		take(s, &at, " 0000");
	struct slice rest = slice_from(s, at), host, program;
	if (!weekday && slice_word(&rest, &host) && slice_word(&rest, &program) && slice_ends(program, "]:"))
		return parted(s, (size_t)(program.p - s.p) + program.n);
	return parted(s, at);
}

/* "[    1.234567] ", "1732980000.123456 " */
static size_t seconds(struct slice s, uint64_t *ordinal)
{
	size_t at = 0;
	bool open = take(s, &at, "[");
	(void)ordinal;
	while (open && take(s, &at, " "))
		;
	size_t whole = digits(s, &at);
	if (!whole || !take(s, &at, ".") || digits(s, &at) < 3 || (open ? !take(s, &at, "]") : whole < 9))
		return 0;
	return parted(s, at);
}

/* "bench-1  | " */
static size_t container(struct slice s, uint64_t *ordinal)
{
	size_t at = 0;
	(void)ordinal;
	while (at < s.n && (is_letter(s.p[at]) || is_digit(s.p[at]) || s.p[at] == '-' || s.p[at] == '_' || s.p[at] == '.'))
		at++;
	size_t from = at;
	while (take(s, &at, " "))
		;
	return from && at > from && take(s, &at, "|") ? parted(s, at) : 0;
}

/* "   12\t", "12: ", "12. " */
static size_t number(struct slice s, uint64_t *ordinal)
{
	size_t at = 0;
	if (!digits(s, &at) || num_u64(slice_head(s, at), ordinal) != NUM_OK)
		return 0;
	if (!take(s, &at, ".") && !take(s, &at, ")"))
		take(s, &at, "|");
	return parted(s, at);
}

/* "out.txt:12:" */
static size_t place(struct slice s, uint64_t *ordinal)
{
	size_t colon = slice_find_char(slice_head(s, 255), ':'), at = colon + 1;
	if (colon == (size_t)-1 || !colon || !digits(s, &at) || num_u64(slice_head(slice_from(s, colon + 1), at - colon - 1), ordinal) != NUM_OK)
		return 0;
	for (size_t i = 0; i < colon; i++)
		if (s.p[i] == ' ' || s.p[i] == '\t')
			return 0;
	return take(s, &at, ":") ? at : 0;
}

static const struct kind {
	size_t (*length)(struct slice line, uint64_t *ordinal);
	bool counts; /* it is a number that rises by one from line to line */
} kinds[] = {
	{ stamp, false }, { written_date, false }, { seconds, false }, { container, false }, { number, true }, { place, true },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* ---- what is the same before all lines ---- */

/* "+", "| ", "// ", "│ ": at most two of a mark. */
static size_t mark(struct slice s)
{
	static const char *const wide[] = { "\xe2\x94\x82", "\xe2\x94\x83", "\xe2\x95\x91", NULL }; /* bars of frames */
	for (const char *const *w = wide; *w; w++)
		if (slice_starts(s, *w))
			return strlen(*w);
	if (!s.n || !strchr("+-|#*/`!%;:", s.p[0]))
		return 0;
	return s.n > 1 && s.p[0] == '/' && s.p[1] == '/' ? 2 : 1;
}

/* "node01:", "<joe>", "[bench-1] out:", "[1,0]<stdout>:": up to its last mark before a blank, or of one word to its colon. */
static size_t speaker(struct slice s)
{
	enum { LONGEST = 48 };
	size_t end = 0;
	s = slice_head(s, LONGEST);
	for (size_t i = 1; i < s.n && s.p[i] > ' ' && !end; i++)
		if (s.p[i] == '>' || s.p[i] == ']' || s.p[i] == ')' || s.p[i] == ':')
			end = i + 1 < s.n && (s.p[i + 1] == ':' || s.p[i + 1] == '<') ? 0 : i + 1;
	struct slice rest = slice_from(s, end), word;
	if (end && s.p[end - 1] == ']' && slice_word(&rest, &word) && slice_ends(word, ":"))
		end = (size_t)(word.p - s.p) + word.n;
	return end;
}

/* "INFO", "stdout": a word before a blank. */
static size_t level(struct slice s)
{
	size_t n = 0;
	while (n < s.n && n < 12 && is_letter(s.p[n]))
		n++;
	return n && n < s.n && (s.p[n] == ' ' || s.p[n] == '\t') ? n : 0;
}

static size_t tag_length(struct slice s, bool logged)
{
	size_t n = mark(s);
	if (!n)
		n = speaker(s);
	return n || !logged ? n : level(s);
}

/* Where the tag frames the line, without its other end. */
static struct slice without_tag(struct slice line, struct slice tag)
{
	size_t n = line.n;
	if (n < tag.n || memcmp(line.p, tag.p, tag.n) != 0)
		return line;
	while (n > tag.n && (line.p[n - 1] == ' ' || line.p[n - 1] == '\t'))
		n--;
	if (mark(tag) && n >= 2 * tag.n && memcmp(line.p + n - tag.n, tag.p, tag.n) == 0 && strchr("|`\xe2", tag.p[0]))
		line.n = n - tag.n;
	line = slice_from(line, tag.n);
	while (line.n && (line.p[0] == ' ' || line.p[0] == '\t'))
		line = slice_from(line, 1);
	return line;
}

struct slice prefix_strip(const struct prefix *p, struct slice line)
{
	uint64_t ordinal;
	for (unsigned i = 0; i < p->n; i++)
		line = p->kind[i] == KINDS ? without_tag(line, p->tag[i]) : slice_from(line, kinds[p->kind[i]].length(line, &ordinal));
	return line;
}

/* ---- which ---- */

/* Lines that are looked at; so many must have it. */
enum { LOOKED_AT = 100, LEAST = 3 };

struct looked {
	struct slice line[LOOKED_AT]; /* that are not empty */
	unsigned n;
};

/* What a patch says of itself is none of its lines. */
static bool of_patch(struct slice line)
{
	static const char *const heads[] = { "diff --git ", "index ", "new file mode ", "--- ", "+++ ", "@@ ", NULL };
	const char *const *h = heads;
	while (*h && !slice_starts(line, *h))
		h++;
	return *h != NULL;
}

static void look(struct looked *l, const struct text *t, struct arena *a)
{
	struct text text = *t;
	text.arena = a;
	text.window = NULL; /* of a stream what is held is enough */
	text.clean = NULL;
	text.origin = NULL;
	text.clean_cap = 0;
	l->n = 0;
	while (l->n < LOOKED_AT && text_next(&text))
		if (text.line.n && !of_patch(text.line))
			l->line[l->n++] = text.raw ? text.line : arena_copy(a, text.line);
}

static void strip_all(struct looked *l, const struct prefix *p)
{
	for (unsigned i = 0; i < l->n; i++)
		l->line[i] = prefix_strip(p, l->line[i]);
}

/* Whether a tool's output begins with one of the lines. */
static bool any_begins(const struct looked *l, const struct starts *starts)
{
	for (unsigned i = 0; i < l->n; i++)
		if (l->line[i].n && (starts_begin(starts, l->line[i]) || json_begins(slice_head(l->line[i], 256))))
			return true;
	return false;
}

/* Whether one does that is read as a document of its own, whose rows may begin with a time; marks of a forum or an editor
 * may stand before it. */
static bool any_begins_rows(const struct looked *l, const struct starts *starts)
{
	enum { MARKS = 10 };
	for (unsigned i = 0; starts && i < l->n; i++) {
		struct slice line = l->line[i];
		for (size_t at = 0; at < line.n && at <= MARKS && !is_digit(line.p[at]); at++)
			if ((!at || !is_letter(line.p[at - 1])) && starts_begin_rows(starts, slice_from(line, at)))
				return true;
	}
	return false;
}

static bool find_kind(const struct looked *l, struct prefix *found)
{
	for (unsigned k = 0; k < KINDS; k++) {
		unsigned have = 0;
		uint64_t before = 0;
		for (unsigned i = 0; i < l->n; i++) {
			uint64_t ordinal = 0;
			bool fits = l->line[i].n && kinds[k].length(l->line[i], &ordinal) > 0;
			have += fits && (!kinds[k].counts || !before || ordinal == before + 1);
			before = fits ? ordinal : before;
		}
		if (have >= LEAST && 10 * have >= 9 * l->n) {
			*found = (struct prefix){ .kind = { k }, .n = 1 };
			return true;
		}
	}
	return false;
}

/* A tag of the first lines that most have. */
static bool find_tag(const struct looked *l, bool logged, struct prefix *found)
{
	enum { FIRST = 8 };
	for (unsigned i = 0; i < l->n && i < FIRST; i++) {
		size_t n = tag_length(l->line[i], logged);
		struct slice tag = slice_head(l->line[i], n);
		unsigned have = 0;
		for (unsigned k = 0; n && k < l->n; k++)
			have += l->line[k].n >= n && memcmp(l->line[k].p, tag.p, n) == 0;
		if (have >= LEAST && 3 * have >= 2 * l->n) {
			*found = (struct prefix){ .kind = { KINDS }, .tag = { tag }, .n = 1 };
			return true;
		}
	}
	return false;
}

static void add(struct prefix *p, const struct prefix *found)
{
	p->kind[p->n] = found->kind[0];
	p->tag[p->n++] = found->tag[0];
}

/* Tags say too little by themselves: they are none where nothing begins behind them. */
static void add_tags(struct prefix *p, struct looked *l, const struct starts *starts, struct arena *a)
{
	struct prefix trial = *p, found;
	if (!find_tag(l, p->n > 0, &found) || any_begins(l, starts))
		return;
	do {
		found.tag[0] = arena_copy(a, found.tag[0]);
		add(&trial, &found);
		strip_all(l, &found);
		if (any_begins(l, starts)) {
			*p = trial;
			return;
		}
	} while (trial.n < PREFIX_KINDS && find_tag(l, p->n > 0, &found));
}

struct prefix prefix_of(const struct text *t, const struct starts *starts, struct arena *a)
{
	enum { STAMPS = 2 };
	struct prefix p = { .n = 0 }, found;
	struct looked l;
	look(&l, t, a);
	while (p.n < STAMPS && find_kind(&l, &found) && !any_begins_rows(&l, starts)) {
		add(&p, &found);
		strip_all(&l, &found);
	}
	if (starts)
		add_tags(&p, &l, starts, a);
	return p;
}
