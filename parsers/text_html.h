/* text_html: the lines of a web page, for parsers/text.c only. */
#ifndef PARSERS_TEXT_HTML_H
#define PARSERS_TEXT_HTML_H

#include "parsers/text.h"

/* Whether the data begin, after blanks, with a tag of HTML. */
bool html_is(struct slice data);
/* text_next of a page that has bytes left. False when only blanks are. */
bool html_next(struct text *t);

#endif
