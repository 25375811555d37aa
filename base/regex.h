/* regex: PCRE2 with JIT, limits against hostile input, and nothing else of its interface. */
#ifndef BASE_REGEX_H
#define BASE_REGEX_H

#include "base/slice.h"

#include <stdint.h>

enum { REGEX_GROUPS = 32 };

struct regex;

/* Compiles a pattern anchored at its start (extended syntax off, UTF off: bytes). NULL and a message in *error (a
 * static or caller-owned buffer of `size` bytes) when it is wrong. Free with regex_free. */
struct regex *regex_compile(const char *pattern, char *error, size_t size);
void regex_free(struct regex *r);

/* Matches at text.p + from. groups[0] is the whole match, groups[i] the i-th group, SLICE_NONE when it took no part.
 * Returns the number of groups filled (0: no match, or a limit was hit). */
unsigned regex_match(const struct regex *r, struct slice text, size_t from, struct slice groups[REGEX_GROUPS]);
/* The same for those who don't need every group: where the match and its groups begin and end in text, for regex_part, until
 * the next match with this pattern; at[1] is the match's end. NULL: no match. */
const size_t *regex_find(const struct regex *r, struct slice text, size_t from);

static inline struct slice regex_part(const size_t *at, struct slice text, unsigned i)
{
	const size_t *group = at + 2 * (size_t)i;
	return group[0] == SIZE_MAX ? SLICE_NONE : (struct slice){ text.p + group[0], group[1] - group[0] };
}

/* How many groups it has, with the whole match. */
unsigned regex_groups(const struct regex *r);
/* Number of a named group, 0 when there is none. */
unsigned regex_group(const struct regex *r, const char *name);
/* Which first bytes a match can have: set[b] true; all true when that can't be told. */
void regex_first_bytes(const struct regex *r, bool set[256]);

#endif
