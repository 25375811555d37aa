/* text: the lines of a tool's output as patterns want them.
 *
 * Line ends are LF, CRLF or a lone CR (progress displays). Terminal colours, NUL bytes and a byte order mark are taken
 * out; blanks and mail quotes ("> ") at the start of a line are not part of the text. Of a web page (a source that begins
 * with a tag of HTML) the lines are those that a reader sees: tags, scripts, styles and comments are taken out, character
 * references are resolved, and line ends are those of blocks, <br>, and of <pre>. Positions are those of the source. A line
 * is usually a view of the source's bytes and copied only when something had to be taken out of it. */
#ifndef PARSERS_TEXT_H
#define PARSERS_TEXT_H

#include "base/arena.h"
#include "base/feed.h"
#include "base/source.h"

/* What is behind this many bytes of one line is not read. */
enum { TEXT_LINE = 1 << 20 };
/* So many bytes of a stream are held, and more only where a line needs it or somebody asks (text_hold): few enough to stay
 * in the processor's cache. */
enum { TEXT_WINDOW = 64 << 10 };
/* About so many bytes of a stream are held behind the line at hand, for those who look ahead. */
enum { TEXT_AHEAD = 4 << 10 };

struct text_window;

struct text {
	struct source *source;
	/* The present line. */
	struct slice line;
	bool copied;           /* line lives only until the next text_next; else as long as the source's bytes */
	bool cut;              /* the data, or TEXT_LINE, end here without a line end: the last token may be incomplete */
	bool overlong;         /* TEXT_LINE was reached; the rest was skipped */
	bool joined;           /* the line stands on several of the source (parsers/rejoin.h) */
	bool mended;           /* and it did not when it was printed, or signs of it were replaced */
	uint32_t number;       /* of the line, from 1; a lone CR begins no new number */
	uint64_t line_start;   /* offset of the first byte of that number's line */
	uint64_t next;         /* offset of what follows the line */
	bool after_cr;         /* a lone CR stands before the line */
	bool ended_cr;         /* and behind it */
	/* Private. */
	struct text_window *window; /* NULL: the source has all its bytes */
	bool html;
	bool fresh;            /* what follows the line has a new number */
	unsigned pre;          /* open <pre> elements, where a line end is one */
	struct arena *arena;
	char *clean;
	size_t clean_cap;
	uint32_t *origin;      /* for each byte of clean, its distance from clean_from in the source */
	uint64_t clean_from;   /* offset of the line with what was taken out of its beginning */
	const char *raw;       /* where that byte is; NULL: the line is in clean */
};

/* The arena holds copies of lines, of twice the size of the longest one that is copied. `page`: a source that is a web page
 * is read as one; else its lines are those of its source. */
struct text text_of(struct source *s, struct arena *a, bool page);
/* The same of an input that is read as it goes by: the source holds what is at hand (source.start), a page wholly. */
struct text text_from(struct source *s, struct feed *feed, struct arena *a, bool page);
bool text_next(struct text *t);
/* Makes the source hold n bytes behind the present line, which stays as it is, or as many as there are; whether the input
 * is known to end within what is held. */
bool text_hold(const struct text *t, size_t n);
/* Goes on with what follows this offset, which is not before t->next and is held, as a line of its own. */
void text_skip(struct text *t, uint64_t to);
/* The position of a pointer into (or just behind) the present line. */
struct pos text_pos_of_copy(const struct text *t, const char *p);
static inline struct pos text_pos(const struct text *t, const char *p)
{
	if (!t->raw || t->html)
		return text_pos_of_copy(t, p);
	uint64_t offset = t->clean_from + (uint64_t)(p - t->raw);
	return (struct pos){ t->source, offset, t->number, (uint32_t)(offset - t->line_start) + 1 };
}

/* For those that put lines together: makes room for n bytes in t->clean and as many in t->origin, keeping the first `used`. */
void text_reserve(struct text *t, size_t used, size_t n);

#endif
