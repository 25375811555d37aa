/* slice: a run of bytes that somebody else owns. Not NUL-terminated, may hold any byte. */
#ifndef BASE_SLICE_H
#define BASE_SLICE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct slice {
	const char *p;
	size_t n;
};

#define SLICE(literal) ((struct slice){ (literal), sizeof(literal) - 1 })
#define SLICE_NONE ((struct slice){ NULL, 0 })
/* For printf: "%.*s". */
#define SLICE_ARG(s) (int)(s).n, (s).n ? (s).p : ""

static inline struct slice slice_of(const char *text)
{
	return (struct slice){ text, text ? strlen(text) : 0 };
}

static inline bool slice_eq(struct slice a, struct slice b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

static inline bool slice_is(struct slice a, const char *text)
{
	/* Mostly it is something else, and begins so. */
	return a.n == 0 ? !text || !*text : text && a.p[0] == *text && slice_eq(a, slice_of(text));
}

static inline bool slice_starts(struct slice a, const char *prefix)
{
	size_t n = strlen(prefix);
	return a.n >= n && (n == 0 || memcmp(a.p, prefix, n) == 0);
}

static inline bool slice_ends(struct slice a, const char *suffix)
{
	size_t n = strlen(suffix);
	return a.n >= n && (n == 0 || memcmp(a.p + a.n - n, suffix, n) == 0);
}

static inline struct slice slice_from(struct slice a, size_t start)
{
	return start >= a.n ? (struct slice){ a.p + a.n, 0 } : (struct slice){ a.p + start, a.n - start };
}

static inline struct slice slice_head(struct slice a, size_t n)
{
	return n >= a.n ? a : (struct slice){ a.p, n };
}

/* Byte order, shorter first on a common prefix: <0, 0, >0. */
int slice_cmp(struct slice a, struct slice b);
/* ASCII letters compare without case. */
bool slice_eq_nocase(struct slice a, struct slice b);
/* Without the blanks, tabs, CR and LF at both ends. */
struct slice slice_trim(struct slice a);
/* Offset of the first occurrence, or (size_t)-1. */
size_t slice_find(struct slice a, struct slice needle);
size_t slice_find_char(struct slice a, char c);
/* Cuts *rest at the first `sep`: returns what stands before it and moves *rest behind it.
 * False when *rest was already used up (rest->p == NULL). */
bool slice_cut(struct slice *rest, char sep, struct slice *part);
/* The next run of bytes without blanks and tabs; *rest moves behind it. False when there is none. */
bool slice_word(struct slice *rest, struct slice *word);
/* Shell-like glob (`*`, `?`, no sets), case-sensitive; at most text × pattern steps. */
bool slice_glob(struct slice text, struct slice pattern);

#endif
