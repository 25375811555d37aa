/* What both scanners of logs need: whole lines as they come, words about them, where time begins. */
#include "parsers/fio_logs.h"

struct fio_log_lines fio_log_lines_of(struct parse *p)
{
	return (struct fio_log_lines){ .feed = p->feed, .buffer = arena_alloc(p->arena, LOG_BLOCK + LOG_PAD), .line = 1 };
}

/* Behind what is left over, until the buffer is full. */
static void refill(struct fio_log_lines *l)
{
	size_t left = l->end - l->start;
	memmove(l->buffer, l->buffer + l->start, left);
	size_t got = feed_fill(l->feed, l->buffer + left, LOG_BLOCK - left);
	l->ended = got < LOG_BLOCK - left;
	l->start = 0;
	l->end = left + got;
	memset(l->buffer + l->end, 0, LOG_PAD);
}

bool fio_log_more(struct fio_log_lines *l, struct slice *block, bool *unended)
{
	*unended = false;
	while (!l->ended) {
		refill(l);
		size_t whole = l->end;
		while (whole > 0 && l->buffer[whole - 1] != '\n')
			whole--;
		if (whole) {
			if (l->in_long) {
				l->start = (size_t)((const char *)memchr(l->buffer, '\n', whole) - l->buffer) + 1;
				l->in_long = false;
				l->line++;
			}
			*block = (struct slice){ l->buffer + l->start, whole - l->start };
			l->start = whole;
			if (block->n)
				return true;
		} else if (!l->ended) {
			l->long_lines += !l->in_long;
			l->in_long = true;
			l->start = l->end;
		}
	}
	*unended = true;
	*block = (struct slice){ l->buffer + l->start, l->in_long ? 0 : l->end - l->start };
	l->start = l->end;
	return block->n > 0;
}

uint64_t fio_log_origin(uint64_t first)
{
	return first < (uint64_t)LOG_SLOTS * 1000 ? 0 : first / 1000 * 1000;
}

void fio_log_say(struct parse *p, enum severity severity, uint64_t line, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	const char *message = arena_vprintf(p->arena, format, args);
	va_end(args);
	struct pos pos = { .source = p->source, .line = (uint32_t)line, .column = line ? 1 : 0 };
	p->sink->diag(p->ctx, severity, pos, message);
}

size_t fio_log_join_factor(uint64_t length)
{
	return length == 4 ? 3 : length == 12 ? 5 : 2;
}

void fio_log_join(struct hist *stretch, size_t of)
{
	size_t n = 0;
	for (size_t k = 0; k < LOG_STRETCHES; k += of, n++) {
		stretch[n] = stretch[k];
		for (size_t i = k + 1; i < k + of && i < LOG_STRETCHES; i++)
			hist_merge(&stretch[n], &stretch[i]);
	}
	memset(stretch + n, 0, (LOG_STRETCHES - n) * sizeof *stretch);
}
