#include "parsers/text_html.h"

#include "base/newlines.h"

enum { WINDOW_MOST = 256 << 20 };

struct text_window {
	struct feed *feed;
	char *p;
	size_t cap;
	bool ended;
};

static struct text begin(struct source *s, struct text_window *w, struct arena *a, bool page)
{
	struct text t = { .source = s, .window = w, .arena = a, .fresh = true };
	if (slice_starts(s->data, "\xef\xbb\xbf"))
		t.next = 3;
	t.html = page && html_is(slice_from(s->data, t.next));
	return t;
}

struct text text_of(struct source *s, struct arena *a, bool page)
{
	return begin(s, NULL, a, page);
}

struct text text_from(struct source *s, struct feed *feed, struct arena *a, bool page)
{
	struct text_window *w = ARENA_NEW(a, struct text_window);
	*w = (struct text_window){ .feed = feed, .cap = TEXT_WINDOW };
	w->p = arena_alloc(a, w->cap);
	s->data = (struct slice){ w->p, feed_fill(feed, w->p, w->cap) };
	w->ended = s->data.n < w->cap;
	struct text t = begin(s, w, a, page);
	if (t.html)
		text_hold(&t, SIZE_MAX);
	return t;
}

/* Reads on behind the bytes that are held, in more room when there is little; false at the end of the input, or of what a
 * line may need. */
static bool read_on(const struct text *t)
{
	struct text_window *w = t->window;
	struct slice *data = &t->source->data;
	if (!w || w->ended)
		return false;
	if (w->cap - data->n < w->cap / 2 && w->cap < WINDOW_MOST) {
		w->cap *= 2;
		w->p = memcpy(arena_alloc(t->arena, w->cap), data->p, data->n);
		data->p = w->p;
	}
	size_t n = w->feed->read(w->feed, w->p + data->n, w->cap - data->n);
	data->n += n;
	w->ended = n == 0;
	return n > 0;
}

/* Gives up what stands before the next line. */
static void move_window(struct text *t)
{
	struct source *s = t->source;
	struct text_window *w = t->window;
	size_t passed = (size_t)(t->next - s->start);
	if (!w || w->ended || !passed)
		return;
	s->data = (struct slice){ memmove(w->p, s->data.p + passed, s->data.n - passed), s->data.n - passed };
	s->start = s->seen_offset = t->next;
	s->seen_line = t->number + t->fresh;
	s->seen_line_start = t->fresh && t->number ? t->next : t->line_start;
}

bool text_hold(const struct text *t, size_t n)
{
	const struct source *s = t->source;
	while (s->data.n - (size_t)(t->next - s->start) < n && read_on(t))
		continue;
	return !t->window || t->window->ended;
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
	return (struct slice){ t->clean, n };
}

/* The line end at or behind p, or `end`. *clean: nothing has to be taken out of what stands before it. */
static const char *line_end(const char *p, const char *end, bool *clean)
{
	*clean = true;
	while ((p = newlines_control(p, end)) < end && *p != '\n' && *p != '\r')
		*clean &= *p != '\033' && *p != '\0', p++;
	return p;
}

/* From t->next to its end, which is behind the bytes that are held only where the input ends. */
static struct slice whole_line(struct text *t, bool *clean)
{
	const struct source *s = t->source;
	bool moved = false;
	for (;;) {
		struct slice rest = slice_from(s->data, (size_t)(t->next - s->start));
		const char *last = rest.p + rest.n, *end = line_end(rest.p, last, clean);
		bool found = last - end > 1 || (end < last && *end == '\n');
		if (!t->window || t->window->ended || (found && last - end > TEXT_AHEAD))
			return (struct slice){ rest.p, (size_t)(end - rest.p) };
		if (!moved)
			move_window(t);
		moved = true;
		read_on(t);
	}
}

bool text_next(struct text *t)
{
	struct source *s = t->source;
	if (t->html)
		return t->next < s->data.n && html_next(t);
	bool clean;
	struct slice raw = whole_line(t, &clean);
	const char *end = raw.p + raw.n, *last = s->data.p + s->data.n;
	if (raw.p == last)
		return false;
	if (t->fresh) {
		t->number++;
		t->line_start = t->number == 1 ? 0 : t->next;
	}
	bool both = last - end > 1 && end[0] == '\r' && end[1] == '\n';
	t->clean_from = t->next;
	t->cut = end == last;
	t->after_cr = t->ended_cr;
	t->fresh = !t->cut && (both || *end == '\n');
	t->ended_cr = !t->cut && !t->fresh;
	t->next += raw.n + !t->cut + both;
	t->overlong = raw.n > TEXT_LINE;
	if (t->overlong) {
		raw.n = TEXT_LINE;
		t->cut = true;
	}
	t->raw = clean ? raw.p : NULL;
	t->copied = !clean || t->window;
	if (!clean)
		raw = cleaned(t, raw);
	while (raw.n && (raw.p[0] == ' ' || raw.p[0] == '\t' || raw.p[0] == '>'))
		raw = (struct slice){ raw.p + 1, raw.n - 1 };
	t->line = raw;
	return true;
}

void text_skip(struct text *t, uint64_t to)
{
	struct slice rest = source_from(t->source, t->next);
	rest = slice_head(rest, (size_t)(to - t->next));
	t->number += t->fresh;
	t->line_start = t->fresh ? t->next : t->line_start;
	for (struct slice line; slice_cut(&rest, '\n', &line) && rest.p;) {
		t->number++;
		t->line_start = to - rest.n;
	}
	t->fresh = t->line_start == to;
	t->number -= t->fresh; /* text_next counts the line that begins here */
	t->next = to;
}

struct pos text_pos_of_copy(const struct text *t, const char *p)
{
	uint64_t offset = t->clean_from + (t->raw ? (uint64_t)(p - t->raw) : t->origin[p - t->clean]);
	if (t->joined) /* it stands on several lines of its source, which are still held */
		return source_pos(t->source, offset);
	if (t->html) /* the same, but what is asked for in order is located later */
		return (struct pos){ t->source, offset, 0, 0 };
	return (struct pos){ t->source, offset, t->number, (uint32_t)(offset - t->line_start) + 1 };
}
