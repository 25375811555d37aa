/* text_html: the lines of a web page, for parsers/text.c only. */
#ifndef PARSERS_TEXT_HTML_H
#define PARSERS_TEXT_HTML_H

#include "parsers/text.h"

/* Whether the data begin, after blanks, with a tag of HTML. */
bool html_is(struct slice data);
/* text_next of a page that has bytes left. False when only blanks are. */
bool html_next(struct text *t);

/* Makes room for n bytes in t->clean and as many in t->origin, keeping the first `used`. */
void text_reserve(struct text *t, size_t used, size_t n);

#endif
