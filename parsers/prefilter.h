/* prefilter: which of many patterns can match at a place, told by the few bytes that stand there.
 *
 * A first answer are the patterns that can begin with the first byte. The exact one for PREFILTER_BYTES costs an attempt for
 * each of these patterns, and is remembered: lines of a log mostly begin like others before them. What it lets through may
 * still not match; what it holds back can't. */
#ifndef PARSERS_PREFILTER_H
#define PARSERS_PREFILTER_H

#include "base/regex.h"

enum { PREFILTER_MAX = 192, PREFILTER_WORDS = PREFILTER_MAX / 64, PREFILTER_BYTES = 8 };

/* A bit for each pattern, in the order in which they were added. */
struct pattern_set {
	uint64_t bits[PREFILTER_WORDS];
};

struct prefilter;

struct prefilter *prefilter_new(void);
void prefilter_free(struct prefilter *f);
/* The pattern must live as long as the prefilter, which takes at most PREFILTER_MAX. `inside`: it is asked about at words in
 * the middle of a line, too. */
void prefilter_add(struct prefilter *f, const struct regex *pattern, bool inside);
/* Those that can match a text whose first byte is this. */
const struct pattern_set *prefilter_first(const struct prefilter *f, unsigned char byte);
/* Those that can match at line.p + from, which is before the line's end and has no NUL. `inside`: only those that were added
 * with it. The set is good until the next call. */
const struct pattern_set *prefilter_at(struct prefilter *f, struct slice line, size_t from, bool inside);

#endif
