#include "base/diag.h"

#include <stdio.h>

enum { EXCERPT_BEFORE = 60, EXCERPT_LENGTH = 110 };

void diags_init(struct diags *d, struct arena *arena)
{
	*d = (struct diags){ .arena = arena, .per_source = DIAGS_PER_SOURCE };
	d->last = &d->first;
}

/* Characters that reorder or hide what a reader sees: U+200B-200F, U+202A-202E, U+2066-2069, C1 controls. */
static bool deceptive(const unsigned char *p, size_t n)
{
	if (n == 2)
		return p[0] == 0xc2 && p[1] < 0xa0;
	if (n != 3 || p[0] != 0xe2)
		return false;
	return (p[1] == 0x80 && ((p[2] >= 0x8b && p[2] <= 0x8f) || (p[2] >= 0xaa && p[2] <= 0xae))) ||
	       (p[1] == 0x81 && p[2] >= 0xa6 && p[2] <= 0xa9);
}

void buf_printable(struct buf *out, struct slice text)
{
	while (text.n) {
		size_t plain = 0;
		while (plain < text.n && text.p[plain] >= ' ' && text.p[plain] < 0x7f)
			plain++;
		buf_put(out, text.p, plain);
		text = slice_from(text, plain);
		if (!text.n)
			return;
		size_t n = utf8_length(text);
		unsigned char c = (unsigned char)text.p[0];
		if (c == '\t')
			buf_char(out, ' ');
		else if (n == 0 || c < 0x20 || c == 0x7f || deceptive((const unsigned char *)text.p, n))
			for (size_t i = 0; i < (n ? n : 1); i++)
				buf_printf(out, "\\x%02x", (unsigned char)text.p[i]);
		else
			buf_put(out, text.p, n);
		text = slice_from(text, n ? n : 1);
	}
}

/* Columns that a printable UTF-8 text takes, near enough for a caret. */
static unsigned width(struct slice s)
{
	unsigned w = 0;
	for (size_t i = 0; i < s.n; i++)
		w += ((unsigned char)s.p[i] & 0xc0) != 0x80;
	return w;
}

static void take_excerpt(struct diags *d, struct diag *g)
{
	const struct source *s = g->pos.source;
	struct slice line = s && g->pos.line ? source_line(s, g->pos.offset) : SLICE_NONE;
	if (line.n == 0)
		return;
	size_t at = (size_t)(g->pos.offset - s->start) - (size_t)(line.p - s->data.p);
	if (at > line.n)
		at = line.n;
	size_t start = at > EXCERPT_BEFORE ? at - EXCERPT_BEFORE : 0;
	while (start > 0 && start < at && ((unsigned char)line.p[start] & 0xc0) == 0x80)
		start++;
	size_t end = start + EXCERPT_LENGTH < line.n ? start + EXCERPT_LENGTH : line.n;
	while (end < line.n && end > at && ((unsigned char)line.p[end] & 0xc0) == 0x80)
		end--;
	struct buf b = BUF_EMPTY;
	if (start > 0)
		buf_str(&b, "…");
	buf_printable(&b, (struct slice){ line.p + start, at - start });
	g->caret = width(buf_view(&b)) + 1;
	buf_printable(&b, (struct slice){ line.p + at, end - at });
	if (end < line.n)
		buf_str(&b, "…");
	g->excerpt = arena_string(d->arena, buf_view(&b));
	buf_free(&b);
}

static bool over_limit(struct diags *d, const struct source *source)
{
	if (source != d->current) {
		d->current = source;
		d->current_kept = d->current_dropped = 0;
	}
	if (!source || d->current_kept < d->per_source) {
		d->current_kept++;
		return false;
	}
	return d->current_dropped++ > 0;
}

void diag_vadd(struct diags *d, enum severity severity, struct pos pos, const char *format, va_list args)
{
	d->count[severity]++;
	if (severity < d->least || over_limit(d, pos.source))
		return;
	struct diag *g = ARENA_NEW(d->arena, struct diag);
	*g = (struct diag){ .severity = severity, .pos = pos };
	if (d->current_dropped) {
		g->pos.line = g->pos.column = 0;
		g->message = arena_printf(d->arena, "more than %zu findings in this file; only these are shown", d->per_source);
	} else {
		if (pos.source && pos.line == 0 && pos.offset > 0 && pos.source->data.p) {
			struct source copy = *pos.source;
			g->pos = source_pos(&copy, pos.offset);
			g->pos.source = pos.source;
		}
		g->message = arena_vprintf(d->arena, format, args);
		take_excerpt(d, g);
	}
	*d->last = g;
	d->last = &g->next;
}

void diag_add(struct diags *d, enum severity severity, struct pos pos, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	diag_vadd(d, severity, pos, format, args);
	va_end(args);
}

void diags_append(struct diags *d, const struct diags *from)
{
	for (size_t i = 0; i < sizeof d->count / sizeof *d->count; i++)
		d->count[i] += from->count[i];
	if (!from->first)
		return;
	*d->last = from->first;
	d->last = from->last;
	d->current = from->current;
	d->current_kept = from->current_kept;
	d->current_dropped = from->current_dropped;
}

const char *severity_name(enum severity s)
{
	static const char *const name[] = { "note", "warning", "error" };
	return name[s];
}

void diag_format(struct buf *out, const struct diag *d, bool color)
{
	static const char *const paint[] = { "\033[36m", "\033[35m", "\033[31m" };
	if (d->pos.source)
		buf_printable(out, slice_of(d->pos.source->name));
	else
		buf_str(out, "assay");
	if (d->pos.line)
		buf_printf(out, ":%u:%u", d->pos.line, d->pos.column);
	buf_printf(out, ": %s%s:%s ", color ? paint[d->severity] : "", severity_name(d->severity), color ? "\033[0m" : "");
	buf_printable(out, slice_of(d->message));
	buf_char(out, '\n');
	if (!d->excerpt)
		return;
	buf_printf(out, "  %s\n", d->excerpt);
	if (d->caret)
		buf_printf(out, "  %*s%s^%s\n", (int)d->caret - 1, "", color ? "\033[32m" : "", color ? "\033[0m" : "");
}
