/* selector: the one small language of --where, SLA tables, claims, studies and comparisons. */
#ifndef MODEL_SELECTOR_H
#define MODEL_SELECTOR_H

#include "model/run.h"

struct selector;

/* Terms joined by blanks, all must hold: key=value (glob), key=a,b (either), key!=value (not any of a,b), key<q,
 * key<=q, key>q, key>=q with q a quantity (model/unit.h). A value with blanks or commas is quoted: test="File creation";
 * within quotes \" and \\ stand for " and \. NULL and a sentence in *error (in the arena) when it is wrong. An empty
 * text matches everything.
 *
 * A value equals by text (glob) or, where it or the one asked for carries a unit or prefix, as quantity: bs=4k is 4096,
 * runtime=1min is 60. Keys that hold sizes read k, m, g as 2^10n, all others as 10^3n. The unit of `value` is that of
 * the column `unit`; any other bare number takes the other side's unit; two different units are never equal, nor one
 * below the other. Quantities closer than 1e-12 of themselves are equal. The columns value, n and line are always
 * numbers; the other columns are always text, so that version=3.10 is not 3.1; time is ordered as text (time>=2026-11).
 * A key that a thing does not have equals only the empty text (op="") and is neither below nor above anything. */
const struct selector *selector_parse(struct arena *a, struct slice text, const char **error);

/* Value of a key; false when this thing has none. */
typedef bool selector_lookup(const void *ctx, struct slice key, struct slice *value);
bool selector_match(const struct selector *s, selector_lookup *lookup, const void *ctx);

/* The columns of a result, its params (its own, then its job's), the attributes of its run, then of its run's suite. */
struct result_view {
	const struct run *run;
	const struct result *result;
	struct arena *scratch; /* for the columns that have to be written: params, value, n, time, line; not NULL */
};
selector_lookup result_view_lookup;

#endif
