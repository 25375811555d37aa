/* typeset: the characters and signs that blogs, editors, HTML, Markdown, forums and PDFs put in the places of plain ones. What
 * is plain is never longer. */
#ifndef PARSERS_TYPESET_H
#define PARSERS_TYPESET_H

#include "base/slice.h"

struct typeset {
	const char *text, *plain;
};

/* What stands at s.p[i]; NULL: a plain character. `with_written`: also signs that are written with plain ones ("&lt;", "\\_",
 * "[code]") and ligatures, which are only looked for in a text whose beginning has some. */
const struct typeset *typeset_at(struct slice s, size_t i, bool with_written);
/* Whether it is one of the latter. */
bool typeset_is_written(const struct typeset *t);
/* Whether some of the latter are in a text. */
bool typeset_any_written(struct slice s);
/* What it stands for there. */
struct slice typeset_plain(const struct typeset *t, struct slice s, size_t i);

#endif
