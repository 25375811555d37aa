#include "parsers/text_html.h"

/* Elements at whose tags a line ends. */
static const char *const blocks[] = {
	"br", "p", "div", "pre", "li", "ul", "ol", "tr", "table", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "blockquote", "dt", "dd",
	"section", "article", "header", "footer", "html", "head", "body", "title", "option", "textarea", NULL
};
/* Elements of which nothing is seen. */
static const char *const unseen[] = { "script", "style", NULL };

static const struct reference {
	const char *name, *text;
} references[] = {
	{ "lt;", "<" }, { "gt;", ">" }, { "amp;", "&" }, { "quot;", "\"" }, { "apos;", "'" }, { "nbsp;", " " }, { "micro;", "\xc2\xb5" },
	{ "ndash;", "-" }, { "minus;", "-" }, { NULL, NULL }
};

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

static bool letter(char c)
{
	return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9');
}

/* The name of the tag that stands at p; empty when none does. */
static struct slice tag_name(struct slice rest)
{
	size_t from = rest.n > 1 && rest.p[1] == '/' ? 2 : 1, to = from;
	while (to < rest.n && to < from + 16 && letter(rest.p[to]))
		to++;
	bool ends = to < rest.n && (rest.p[to] == '>' || rest.p[to] == '/' || rest.p[to] == ' ' || rest.p[to] == '\t' || rest.p[to] == '\n' ||
		rest.p[to] == '\r');
	return to > from && ends && lower(rest.p[from]) >= 'a' ? (struct slice){ rest.p + from, to - from } : SLICE("");
}

static bool is_in(const char *const *names, struct slice name)
{
	while (*names && !slice_eq_nocase(name, slice_of(*names)))
		names++;
	return *names != NULL;
}

bool html_is(struct slice data)
{
	struct slice head = slice_trim(slice_head(data, 1024));
	if (!slice_starts(head, "<"))
		return false;
	return slice_eq_nocase(slice_head(head, 14), SLICE("<!doctype html")) || is_in(blocks, tag_name(head));
}

static size_t find_nocase(struct slice text, struct slice needle)
{
	for (size_t i = 0; i + needle.n <= text.n; i++) {
		size_t at = slice_find_char(slice_from(text, i), needle.p[0]);
		if (at == (size_t)-1)
			break;
		i += at;
		if (i + needle.n <= text.n && slice_eq_nocase((struct slice){ text.p + i, needle.n }, needle))
			return i;
	}
	return text.n;
}

/* Behind the tag, comment or unseen element that begins `rest`; 0: what stands there is text. */
static size_t tag_length(struct slice rest, struct slice name)
{
	if (slice_starts(rest, "<!--")) {
		size_t end = slice_find(slice_from(rest, 4), SLICE("-->"));
		return end == (size_t)-1 ? rest.n : end + 7;
	}
	if (!name.n && !slice_starts(rest, "<!") && !slice_starts(rest, "<?"))
		return 0;
	size_t end = slice_find_char(rest, '>');
	if (end == (size_t)-1)
		return rest.n;
	if (rest.p[1] != '/' && is_in(unseen, name)) {
		struct slice body = slice_from(rest, end + 1);
		size_t close = find_nocase(body, slice_starts(rest, "<st") || slice_starts(rest, "<ST") ? SLICE("</style") : SLICE("</script"));
		return end + 1 + close;
	}
	return end + 1;
}

static size_t put_utf8(uint32_t code, char out[4])
{
	if (code < 0x80) {
		out[0] = (char)(code == 0xa0 ? ' ' : code);
		return 1;
	}
	if (code == 0xa0) {
		out[0] = ' ';
		return 1;
	}
	size_t n = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
	for (size_t i = n - 1; i > 0; i--, code >>= 6)
		out[i] = (char)(0x80 | (code & 0x3f));
	out[0] = (char)((n == 2 ? 0xc0 : n == 3 ? 0xe0 : 0xf0) | code);
	return n;
}

/* Length of the character reference at rest.p[0] == '&', 0 when it is none; out holds what it means. */
static size_t read_reference(struct slice rest, char out[4], size_t *n)
{
	struct slice name = slice_from(rest, 1);
	for (const struct reference *r = references; r->name; r++)
		if (slice_starts(name, r->name)) {
			*n = strlen(r->text);
			memcpy(out, r->text, *n);
			return 1 + strlen(r->name);
		}
	if (!slice_starts(name, "#"))
		return 0;
	bool hex = name.n > 1 && lower(name.p[1]) == 'x';
	uint32_t code = 0;
	size_t i = hex ? 2 : 1, first = i;
	for (; i < name.n && i < first + 7 && name.p[i] != ';'; i++) {
		char c = lower(name.p[i]);
		bool digit = c >= '0' && c <= '9';
		if (!digit && !(hex && c >= 'a' && c <= 'f'))
			return 0;
		code = code * (hex ? 16 : 10) + (uint32_t)(digit ? c - '0' : c - 'a' + 10);
	}
	if (i == first || i >= name.n || name.p[i] != ';' || code == 0 || code > 0x10ffff)
		return 0;
	*n = put_utf8(code, out);
	return i + 2;
}

static void put(struct text *t, size_t *n, const char *bytes, size_t count, uint64_t offset)
{
	text_reserve(t, *n, *n + count + 1);
	for (size_t i = 0; i < count; i++, (*n)++) {
		t->clean[*n] = bytes[i];
		t->origin[*n] = (uint32_t)(offset - t->clean_from);
	}
}

/* A tag at t->next: moves behind it, and tells whether it ends a line. */
static bool pass_tag(struct text *t, size_t *n, struct slice name, size_t length)
{
	struct slice rest = slice_from(t->source->data, t->next);
	bool close = rest.n > 1 && rest.p[1] == '/', ends = is_in(blocks, name);
	if (slice_eq_nocase(name, SLICE("pre")) || slice_eq_nocase(name, SLICE("textarea")))
		t->pre = close ? (t->pre ? t->pre - 1 : 0) : t->pre + 1;
	if (slice_eq_nocase(name, SLICE("td")) || slice_eq_nocase(name, SLICE("th")))
		put(t, n, " ", 1, t->next);
	t->next += length;
	return ends;
}

/* One byte or reference of text. True when it ends a line. */
static bool pass_text(struct text *t, size_t *n)
{
	struct slice rest = slice_from(t->source->data, t->next);
	char meant[4], c = rest.p[0];
	size_t count = 1, length = 0;
	if (c == '&')
		length = read_reference(rest, meant, &count);
	if (!length) {
		count = length = 1;
		meant[0] = c == '\n' || c == '\r' || c == '\0' ? ' ' : c;
	}
	bool ends = c == '\n' && t->pre;
	if (!ends)
		put(t, n, meant, count, t->next);
	t->next += length;
	return ends;
}

bool html_next(struct text *t)
{
	struct slice data = t->source->data;
	for (;;) {
		size_t n = 0;
		bool ended = false;
		t->clean_from = t->line_start = t->next;
		text_reserve(t, 0, 1);
		while (t->next < data.n && !ended && n < TEXT_LINE) {
			struct slice rest = slice_from(data, t->next), name = rest.p[0] == '<' ? tag_name(rest) : SLICE("");
			size_t length = rest.p[0] == '<' ? tag_length(rest, name) : 0;
			ended = length ? pass_tag(t, &n, name, length) : pass_text(t, &n);
		}
		t->origin[n] = (uint32_t)(t->next - t->clean_from);
		t->cut = !ended;
		t->overlong = n >= TEXT_LINE;
		t->copied = true;
		t->number++;
		t->line = (struct slice){ t->clean, n };
		while (t->line.n && (t->line.p[0] == ' ' || t->line.p[0] == '\t' || t->line.p[0] == '>'))
			t->line = slice_from(t->line, 1);
		if (t->line.n || t->next >= data.n)
			return t->line.n > 0;
	}
}
