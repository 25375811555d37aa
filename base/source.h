/* source: one input's bytes with a name, and positions in it. */
#ifndef BASE_SOURCE_H
#define BASE_SOURCE_H

#include "base/slice.h"

#include <stdint.h>

struct source {
	const char *name;  /* path, or ARCHIVE!MEMBER; as diagnostics print it */
	struct slice data; /* {NULL,0} once the bytes are given back; the struct itself outlives them */
	uint64_t start;    /* offset of data's first byte: not 0 where only a part of the input is held at a time */
	/* Where source_locate last was: asking in rising order costs one pass in all. */
	uint64_t seen_offset, seen_line_start;
	uint32_t seen_line;
};

/* A place in a source. line and column count from 1, in lines and bytes; line 0: a line has no meaning or is not
 * known (yet). */
struct pos {
	const struct source *source;
	uint64_t offset;
	uint32_t line, column;
};

#define POS_NONE ((struct pos){ NULL, 0, 0, 0 })

struct source source_of(const char *name, struct slice data);
/* The bytes from this offset on, as far as they are held. */
struct slice source_from(const struct source *s, uint64_t offset);
/* The position of a byte offset. The source must still have its bytes: else it has no line. */
struct pos source_pos(struct source *s, uint64_t offset);
/* The position of a pointer into the source's bytes; POS_NONE with the source set when it points elsewhere. */
struct pos source_pos_of(struct source *s, const char *p);
/* The whole line (without its end) around an offset. */
struct slice source_line(const struct source *s, uint64_t offset);

/* Lines of a source, one at a time: LF, CRLF and lone-CR-free. */
struct lines {
	struct source *source;
	uint64_t next;   /* offset of the line after this one */
	uint64_t offset; /* of this line's first byte */
	uint32_t line;   /* number of this line, from 1 */
	bool unended;    /* this line is the last and no line end closes it: it may be cut */
};

struct lines lines_of(struct source *s);
/* The next line without its line end (LF or CRLF); false at the end. */
bool lines_next(struct lines *l, struct slice *line);
/* The position of a pointer into the current line. */
struct pos lines_pos(const struct lines *l, const char *p);

#endif
