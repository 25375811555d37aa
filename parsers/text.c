#include "parsers/text_html.h"

/* Offset of the next such byte from `from` on. */
static uint64_t seek(struct slice data, uint64_t from, char c)
{
	size_t at = slice_find_char(slice_from(data, from), c);
	return at == (size_t)-1 ? UINT64_MAX : from + at;
}

static void seek_cr(struct text *t, uint64_t from)
{
	struct slice data = t->source->data;
	do
		t->next_cr = seek(data, from, '\r');
	while (t->next_cr != UINT64_MAX && t->next_cr + 1 < data.n && data.p[t->next_cr + 1] == '\n' &&
	       (from = t->next_cr + 2));
}

struct text text_of(struct source *s, struct arena *a, bool page)
{
	struct text t = { .source = s, .arena = a, .number = 0, .line_start = 0 };
	if (slice_starts(s->data, "\xef\xbb\xbf"))
		t.next = 3;
	t.html = page && html_is(slice_from(s->data, t.next));
	if (t.html)
		return t;
	seek_cr(&t, t.next);
	t.next_esc = seek(s->data, t.next, '\033');
	t.next_nul = seek(s->data, t.next, '\0');
	return t;
}

/* Length of the terminal sequence at i: CSI, OSC up to BEL or ST, or a single byte after ESC. */
static size_t escape_length(struct slice s, size_t i)
{
	size_t k = i + 2;
	if (i + 1 >= s.n)
		return s.n - i;
	if (s.p[i + 1] == '[') {
		while (k < s.n && (s.p[k] < 0x40 || s.p[k] > 0x7e))
			k++;
		return (k < s.n ? k + 1 : s.n) - i;
	}
	if (s.p[i + 1] == ']') {
		while (k < s.n && s.p[k] != '\a' && s.p[k] != '\033')
			k++;
		return (k >= s.n ? s.n : s.p[k] == '\a' ? k + 1 : k + 2 < s.n ? k + 2 : s.n) - i;
	}
	return 2;
}

void text_reserve(struct text *t, size_t used, size_t n)
{
	if (n <= t->clean_cap)
		return;
	char *clean = t->clean;
	uint32_t *origin = t->origin;
	for (t->clean_cap = 256; t->clean_cap < n;)
		t->clean_cap *= 2;
	t->clean = arena_alloc(t->arena, t->clean_cap);
	t->origin = ARENA_ARRAY(t->arena, t->clean_cap, uint32_t);
	if (used) {
		memcpy(t->clean, clean, used);
		memcpy(t->origin, origin, used * sizeof *origin);
	}
}

static struct slice cleaned(struct text *t, struct slice raw)
{
	text_reserve(t, 0, raw.n + 1);
	size_t n = 0;
	for (size_t i = 0; i < raw.n;) {
		if (raw.p[i] == '\033') {
			i += escape_length(raw, i);
		} else {
			t->clean[n] = raw.p[i];
			t->origin[n] = (uint32_t)i++;
			n += raw.p[i - 1] != '\0';
		}
	}
	t->origin[n] = (uint32_t)raw.n;
	t->copied = true;
	return (struct slice){ t->clean, n };
}

bool text_next(struct text *t)
{
	struct slice data = t->source->data;
	if (t->next >= data.n)
		return false;
	if (t->html)
		return html_next(t);
	uint64_t start = t->next;
	if (t->number == 0 || data.p[start - 1] == '\n') {
		t->number++;
		t->line_start = t->number == 1 ? 0 : start;
	}
	uint64_t lf = seek(data, start, '\n');
	bool lone = t->next_cr < lf;
	uint64_t end = lone ? t->next_cr : lf == UINT64_MAX ? data.n : lf;
	t->next = end + (end < data.n);
	t->cut = end == data.n;
	if (lone)
		seek_cr(t, t->next);
	else if (end > start && data.p[end - 1] == '\r')
		end--;
	t->overlong = end - start > TEXT_LINE;
	if (t->overlong) {
		end = start + TEXT_LINE;
		t->cut = true;
	}
	struct slice raw = { data.p + start, (size_t)(end - start) };
	t->copied = false;
	t->clean_from = start;
	if (t->next_esc < end || t->next_nul < end)
		raw = cleaned(t, raw);
	if (t->next_esc < t->next)
		t->next_esc = seek(data, t->next, '\033');
	if (t->next_nul < t->next)
		t->next_nul = seek(data, t->next, '\0');
	while (raw.n && (raw.p[0] == ' ' || raw.p[0] == '\t' || raw.p[0] == '>'))
		raw = (struct slice){ raw.p + 1, raw.n - 1 };
	t->line = raw;
	return true;
}

void text_skip(struct text *t, uint64_t to)
{
	struct slice data = t->source->data;
	bool read = t->next > 0 && data.p[t->next - 1] == '\n'; /* the present line's end, which is not counted yet */
	for (uint64_t at = t->next - read; (at = seek(data, at, '\n')) < to; at++) {
		t->number++;
		t->line_start = at + 1;
	}
	if (to > 0 && to <= data.n && data.p[to - 1] == '\n')
		t->number--; /* text_next counts the line that begins here */
	t->next = to;
	seek_cr(t, to);
	t->next_esc = seek(data, to, '\033');
	t->next_nul = seek(data, to, '\0');
}

struct pos text_pos(const struct text *t, const char *p)
{
	const char *base = t->copied ? t->clean : t->source->data.p;
	uint64_t offset = (uint64_t)(p - base);
	if (t->copied)
		offset = t->clean_from + t->origin[offset];
	if (t->html || t->joined) /* it may stand on several lines of its source */
		return (struct pos){ t->source, offset, 0, 0 };
	return (struct pos){ t->source, offset, t->number, (uint32_t)(offset - t->line_start) + 1 };
}
