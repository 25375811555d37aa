/* plain: a text as its lines are read (parsers/rejoin.h; none is joined), each of its bytes where it stands in the source, and
 * blanks where that has something else: for readers of whole documents, whose positions then are the source's. Words
 * and strings of JSON stay whole where something was taken out of them: what is behind its place in them moves up to it. Rows
 * do as well, up to their ends. */
#ifndef PARSERS_PLAIN_H
#define PARSERS_PLAIN_H

#include "parsers/rejoin.h"

enum plain_kind { PLAIN_ROWS, PLAIN_JSON, PLAIN_KINDS };

struct plain {
	char *bytes;        /* one for each of the source, from its beginning on: what is not held is blank; NULL: not made */
	bool mended;        /* marks of JSON had been replaced (quotes by a typeset's or HTML's), or signs as rejoin.h mends them */
	uint64_t first;     /* where the first of them stands */
};

/* Of all that the source holds, which has to be all up to its end. */
struct plain plain_of(const struct rejoin *lines, enum plain_kind kind, struct arena *a);
/* Of a text at its start. */
struct plain plain_head(struct source *s, const struct starts *starts, struct arena *a);
/* Blanks in the place of all bytes of a source from its beginning on, with line ends so that lines count right. `bytes`: a
 * place for each. */
void plain_blank(const struct source *s, char *bytes);
/* Whether the line, which begins with a bracket, may begin JSON when it is mended. */
bool plain_may_begin(struct slice line);

#endif
