/* starts: the lines by which the texts of tools are told apart: every rule with RULE_START of every parser in the
 * registry, and their `starts`. They say which tools a text holds (detection), and where another tool's output begins in a text that holds
 * several: a provider's bench log, a batch job's output, a page of a review. */
#ifndef PARSERS_STARTS_H
#define PARSERS_STARTS_H

#include "parsers/rules.h"

/* A bit for each start. */
enum { STARTS_MAX = 192 };
struct start_set {
	uint64_t bits[STARTS_MAX / 64];
};

/* Compiled once for a cache, which owns it. A pattern that does not compile is left out (tests find it). */
const struct starts *starts_of(struct rule_cache *cache);

/* The starts of tools other than this parser's (NULL: of all); forms of the same tool are others only where neither is read
 * by a table of rules, and rows behind text (fio's terse output behind its header). */
struct start_set starts_others(const struct starts *s, const struct parser *except);
/* The parser whose output begins first in line[from, to), by one of the starts in `among` (NULL: all), and the place; NULL:
 * none. `inside`: `from` is in the middle of a line, where (as at all later words) only rules with RULE_INSIDE may begin,
 * unless the line is longer than RULES_FLAT_LINE. */
const struct parser *starts_find(const struct starts *s, struct slice line, size_t from, size_t to, bool inside,
	const struct start_set *among, size_t *at);

/* Whether some tool's output may begin with this byte; begins with this line. */
bool starts_may_begin(const struct starts *s, unsigned char first);
bool starts_begin(const struct starts *s, struct slice line);
/* The same for output that is no text of lines to a table of rules, but rows of its own. */
bool starts_begin_rows(const struct starts *s, struct slice line);
/* Whether a start begins before the joint of two lines and finds more behind it: see rejoin_adds (parsers/rejoin.h). */
bool starts_add(const struct starts *s, struct slice line, size_t joint, bool inside);

/* A bid for each parser by what begins in these first bytes: 8 for each byte of its longest start, at most
 * STARTS_BID. `bids` has a place for each parser of the registry, in its order; what is larger there stays. */
enum { STARTS_BID = 8 * 24 };
void starts_bids(const struct starts *s, struct slice head, int *bids);

#endif
