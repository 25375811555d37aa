#define _GNU_SOURCE /* memrchr */
#include "base/source.h"

#include "base/newlines.h"

struct source source_of(const char *name, struct slice data)
{
	return (struct source){ .name = name, .data = data, .seen_line = 1 };
}

static bool holds(const struct source *s, uint64_t offset)
{
	return s->data.p && offset >= s->start && offset - s->start <= s->data.n;
}

struct slice source_from(const struct source *s, uint64_t offset)
{
	return holds(s, offset) ? slice_from(s->data, (size_t)(offset - s->start)) : SLICE_NONE;
}

/* From the last place asked for, forward or back: a figure's neighbours are asked for out of order, and a whole file may be
 * one line. */
struct pos source_pos(struct source *s, uint64_t offset)
{
	if (!holds(s, offset) || s->seen_offset < s->start)
		return (struct pos){ s, offset, 0, 0 };
	const char *seen = s->data.p + (s->seen_offset - s->start), *at = s->data.p + (offset - s->start), *before = NULL;
	if (offset >= s->seen_offset) {
		s->seen_line += newlines_count(seen, at, &before);
	} else if (offset < s->seen_line_start) {
		s->seen_line -= newlines_count(at, seen, &before);
		before = memrchr(s->data.p, '\n', (size_t)(at - s->data.p));
		s->seen_line_start = s->start;
	}
	if (before)
		s->seen_line_start = s->start + (uint64_t)(before + 1 - s->data.p);
	s->seen_offset = offset;
	return (struct pos){ s, offset, s->seen_line, (uint32_t)(offset - s->seen_line_start) + 1 };
}

struct pos source_pos_of(struct source *s, const char *p)
{
	if (!s->data.p || p < s->data.p || p > s->data.p + s->data.n)
		return (struct pos){ s, 0, 0, 0 };
	return source_pos(s, s->start + (uint64_t)(p - s->data.p));
}

struct slice source_line(const struct source *s, uint64_t offset)
{
	if (!holds(s, offset))
		return SLICE_NONE;
	size_t start = (size_t)(offset - s->start);
	while (start > 0 && s->data.p[start - 1] != '\n')
		start--;
	struct slice line = slice_from(s->data, start);
	line = slice_head(line, slice_find_char(line, '\n'));
	if (line.n && line.p[line.n - 1] == '\r')
		line.n--;
	return line;
}

struct lines lines_of(struct source *s)
{
	return (struct lines){ .source = s };
}

bool lines_next(struct lines *l, struct slice *line)
{
	struct slice data = l->source->data;
	if (l->next >= data.n)
		return false;
	l->offset = l->next;
	l->line++;
	*line = slice_from(data, l->offset);
	size_t at = slice_find_char(*line, '\n');
	l->unended = at == (size_t)-1;
	l->next = l->unended ? data.n : l->offset + at + 1;
	if (!l->unended)
		line->n = at;
	if (line->n && line->p[line->n - 1] == '\r')
		line->n--;
	return true;
}

struct pos lines_pos(const struct lines *l, const char *p)
{
	uint64_t offset = (uint64_t)(p - l->source->data.p);
	return (struct pos){ l->source, offset, l->line, (uint32_t)(offset - l->offset) + 1 };
}
