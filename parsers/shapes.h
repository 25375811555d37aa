/* shapes: what a rule table found in a line, remembered for the lines that differ from it only in their digits.
 *
 * A pattern without a digit of its own (`\d`, `[\d.]` and counts like {1,40} are none) can't tell digits apart: put other
 * digits in the places of a line's digits, and it matches alike, with its groups where they were. So the lines of a log that
 * have the same shape need the patterns only once. What an action makes of a line is not remembered: it reads each anew. */
#ifndef PARSERS_SHAPES_H
#define PARSERS_SHAPES_H

#include "base/regex.h"

/* Longer lines are not remembered. */
enum { SHAPE_MOST = 240 };

/* A line with a '0' for each digit. */
struct shape {
	uint64_t hash;
	size_t n; /* the line's length; 0: it is empty, or too long */
	_Alignas(16) char text[SHAPE_MOST];
};

/* What was found at a place of such a line. */
struct finding {
	struct shape shape;
	unsigned key;         /* where and how it was looked for */
	bool known;           /* false: what follows is of no meaning */
	bool nothing;         /* no pattern matches in the rest of the line; else: */
	uint8_t rule, from;   /* which, and where */
	uint8_t groups[2 * REGEX_GROUPS]; /* where the match and its groups begin and end; SHAPE_UNSET: took no part */
};
enum { SHAPE_UNSET = 255 };

struct shapes;

struct shapes *shapes_new(void);
void shapes_free(struct shapes *s);

void shape_of(struct shape *shape, struct slice line);
/* What is remembered of this shape with this key; or the place for it, where `known` is false and the rest is to be filled in.
 * The shape is not empty. */
struct finding *shapes_find(struct shapes *s, const struct shape *shape, unsigned key);

/* Whether a pattern can't tell digits apart. Some that can't are not seen to be so. */
bool shapes_fit(const char *pattern);

#endif
