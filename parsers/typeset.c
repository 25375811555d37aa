#include "parsers/typeset.h"

/* What blogs and editors put for it, in UTF-8. */
static const struct typeset typesets[] = {
	{ "\xc2\xa0", " " }, { "\xe2\x80\xaf", " " }, { "\xe2\x80\x87", " " }, { "\xe2\x80\x89", " " }, { "\xe2\x80\x82", " " },
	{ "\xe2\x80\x83", " " }, { "\xe2\x80\x8b", "" }, { "\xe2\x80\x90", "-" }, { "\xe2\x80\x91", "-" }, { "\xe2\x80\x93", "-" },
	{ "\xe2\x80\x94", "---" }, { "\xe2\x88\x92", "-" }, { "\xe2\x80\x98", "'" }, { "\xe2\x80\x99", "'" }, { "\xe2\x80\x9c", "\"" },
	{ "\xe2\x80\x9d", "\"" }, { "\xe2\x80\xa6", "..." }, { "\xc2\xad", "" }, { "\t", " " }, { NULL, NULL }
};

/* What else people's programs write for it: HTML's references outside of a page, Markdown's escapes, a forum's marks, a PDF's
 * ligatures. */
static const struct typeset written[] = {
	{ "&quot;", "\"" }, { "&lt;", "<" }, { "&gt;", ">" }, { "&amp;", "&" }, { "&nbsp;", " " }, { "&#39;", "'" }, { "&#34;", "\"" },
	{ "&#x27;", "'" }, { "&apos;", "'" }, { "&micro;", "\xc2\xb5" }, { "&#181;", "\xc2\xb5" }, { "&#160;", " " },
	{ "\\_", "_" }, { "\\*", "*" }, { "\\[", "[" }, { "\\]", "]" }, { "\\#", "#" }, { "\\~", "~" }, { "\\>", ">" }, { "\\<", "<" },
	{ "\\|", "|" }, { "\\`", "`" }, { "[code]", "" }, { "[/code]", "" }, { "[CODE]", "" }, { "[/CODE]", "" },
	{ "[quote]", "" }, { "[/quote]", "" }, { "[QUOTE]", "" }, { "[/QUOTE]", "" },
	{ "\xef\xac\x80", "ff" }, { "\xef\xac\x81", "fi" }, { "\xef\xac\x82", "fl" }, { "\xef\xac\x83", "ffi" }, { "\xef\xac\x84", "ffl" },
	{ NULL, NULL }
};

static bool is_first_of_written(char c)
{
	return c == '&' || c == '\\' || c == '\xef' || c == '[';
}

static const struct typeset *find(const struct typeset *t, struct slice s)
{
	for (; t->text; t++)
		if (slice_starts(s, t->text))
			return t;
	return NULL;
}

const struct typeset *typeset_at(struct slice s, size_t i, bool with_written)
{
	char c = s.p[i];
	if (c == '\t' || c == '\xc2' || c == '\xe2')
		return find(typesets, slice_from(s, i));
	return with_written && is_first_of_written(c) ? find(written, slice_from(s, i)) : NULL;
}

bool typeset_is_written(const struct typeset *t)
{
	return is_first_of_written(t->text[0]);
}

bool typeset_any_written(struct slice s)
{
	static const char first[] = { '&', '\\', '\xef', '[' };
	for (size_t k = 0; k < sizeof first; k++) {
		struct slice rest = s;
		for (size_t at; (at = slice_find_char(rest, first[k])) != (size_t)-1; rest = slice_from(rest, at + 1))
			if (find(written, slice_from(rest, at)))
				return true;
	}
	return false;
}

/* Two hyphens before an option become one dash. */
static bool before_option(struct slice s, size_t i)
{
	return slice_starts(slice_from(s, i), "\xe2\x80\x93") && (i == 0 || s.p[i - 1] == ' ') && i + 3 < s.n &&
		(s.p[i + 3] | 0x20) >= 'a' && (s.p[i + 3] | 0x20) <= 'z';
}

struct slice typeset_plain(const struct typeset *t, struct slice s, size_t i)
{
	return before_option(s, i) ? SLICE("--") : slice_of(t->plain);
}
