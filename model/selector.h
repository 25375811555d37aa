/* selector: the one small language of --where, SLA tables, claims, studies and comparisons. */
#ifndef MODEL_SELECTOR_H
#define MODEL_SELECTOR_H

#include "model/run.h"

struct selector;

/* Terms joined by blanks, all must hold: key=value (glob), key=a,b (either), key!=value, key<q, key<=q, key>q, key>=q.
 * A value with blanks is quoted. NULL and a sentence in *error (in the arena) when it is wrong. An empty text matches
 * everything. */
const struct selector *selector_parse(struct arena *a, struct slice text, const char **error);

/* Value of a key; false when this thing has none. */
typedef bool selector_lookup(const void *ctx, struct slice key, struct slice *value);
bool selector_match(const struct selector *s, selector_lookup *lookup, const void *ctx);

/* The columns of a result, its params, and the attributes of its run. */
struct result_view {
	const struct run *run;
	const struct result *result;
};
selector_lookup result_view_lookup;

#endif
