#include "parsers/prefix.h"

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

/* "2026-11-30T15:40:02.12Z ", "[2026-11-30 15:40:02] ", "15:40:02  "; GitLab's stream behind it: " 01O ". */
static size_t stamp(struct slice s, uint64_t *ordinal)
{
	size_t at = 0;
	bool open = take(s, &at, "[") || take(s, &at, "(");
	(void)ordinal;
	if (take(s, &at, "0000-00-00") || take(s, &at, "0000/00/00"))
		if (!take(s, &at, "T") && !take(s, &at, " "))
			return 0;
	if (!take_clock(s, &at) || (open && !take(s, &at, "]") && !take(s, &at, ")")))
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

struct slice prefix_strip(const struct prefix *p, struct slice line)
{
	uint64_t ordinal;
	for (unsigned i = 0; i < p->n; i++)
		line = slice_from(line, kinds[p->kind[i]].length(line, &ordinal));
	return line;
}

/* ---- which ---- */

/* Lines that are looked at; so many must have it. */
enum { LOOKED_AT = 100, LEAST = 3 };

struct prefix prefix_of(const struct text *t, struct arena *a)
{
	struct prefix p = { .n = 0 };
	for (bool found = true; found && p.n < PREFIX_KINDS;) {
		struct text text = *t;
		unsigned lines = 0, have[KINDS] = { 0 };
		uint64_t before[KINDS] = { 0 };
		text.arena = a;
		text.window = NULL; /* of a stream what is held is enough */
		text.clean = NULL;
		text.origin = NULL;
		text.clean_cap = 0;
		while (lines < LOOKED_AT && text_next(&text)) {
			struct slice line = prefix_strip(&p, text.line);
			lines += line.n > 0;
			for (unsigned k = 0; k < KINDS; k++) {
				uint64_t ordinal = 0;
				bool fits = line.n && kinds[k].length(line, &ordinal) > 0;
				have[k] += fits && (!kinds[k].counts || !before[k] || ordinal == before[k] + 1);
				before[k] = fits ? ordinal : before[k];
			}
		}
		found = false;
		for (unsigned k = 0; k < KINDS && !found; k++)
			if (have[k] >= LEAST && 10 * have[k] >= 9 * lines) {
				p.kind[p.n++] = k;
				found = true;
			}
	}
	return p;
}
