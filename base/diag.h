/* diag: what was wrong, where, and what the line looked like. Libraries add diagnostics; only cli/ prints them. */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/source.h"

enum severity { DIAG_NOTE, DIAG_WARNING, DIAG_ERROR };

/* What a step may tell its caller, ordered by how little the caller can still do (after libarchive). */
enum status {
	STATUS_OK,
	STATUS_WARN,   /* something was skipped, and said */
	STATUS_REJECT, /* not this format, or too damaged: nothing of it was used */
	STATUS_FATAL   /* the command can't go on */
};

struct diag {
	struct diag *next;
	enum severity severity;
	struct pos pos;      /* pos.source NULL: about no input */
	const char *message;
	const char *excerpt; /* the line, cut around the place and made printable; NULL when there is none */
	unsigned caret;      /* 1-based column within the excerpt, 0: none */
};

struct diags {
	struct arena *arena;
	struct diag *first, **last;
	size_t count[3];   /* by severity, the dropped ones too */
	enum severity least; /* what is below is not kept: nobody will look at it */
	size_t per_source; /* how many are kept for one source; the rest is only counted */
	const struct source *current;
	size_t current_kept, current_dropped;
};

enum { DIAGS_PER_SOURCE = 50 };

void diags_init(struct diags *d, struct arena *arena);
/* Copies everything it needs of the source: the bytes may go away afterwards. pos without a line but with an offset
 * in a source that has its bytes is located first. */
void diag_add(struct diags *d, enum severity severity, struct pos pos, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
void diag_vadd(struct diags *d, enum severity severity, struct pos pos, const char *format, va_list args);
/* Appends those of `from`, whose arena must live as long: as if they had been added here. */
void diags_append(struct diags *d, const struct diags *from);
/* "FILE:LINE:COL: error: message\n" and, with an excerpt, the line and a caret below it. */
void diag_format(struct buf *out, const struct diag *d, bool color);
const char *severity_name(enum severity s);

/* Appends text with control characters, invalid UTF-8 and bidirectional overrides made visible. */
void buf_printable(struct buf *out, struct slice text);

#endif
