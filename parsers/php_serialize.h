/* php_serialize: a pull reader for PHP's serialize() format.
 *
 * One pass, no tree, no copy, no recursion. Lengths and counts are checked against the data before they are believed:
 * a string whose length is wrong is read up to its closing quote (and counted), a wrong element count is reported, and
 * data that go on as no value can are given up at that place, with everything before it already handed out.
 *
 * Use:
 *   struct php p = php_of(data);
 *   if (php_enter(&p)) {                       // an array stands here
 *       struct slice key;
 *       while (php_member(&p, &key)) {         // at the member's value
 *           if (php_type(&p) == PHP_ARRAY) { php_enter(&p); while (php_member(&p, &key)) … }
 *           else if (!php_scalar(&p, &text)) … // a value not read is skipped by the next php_member, too
 *       }
 *   }
 */
#ifndef PARSERS_PHP_SERIALIZE_H
#define PARSERS_PHP_SERIALIZE_H

#include "base/slice.h"

#include <stdint.h>

enum php_type {
	PHP_NONE,   /* the data end here, or what stands here is no value */
	PHP_NULL,   /* N; */
	PHP_BOOL,   /* b:0; b:1; */
	PHP_INT,    /* i:-5; */
	PHP_DOUBLE, /* d:0.1; d:1.0E+25; d:INF; */
	PHP_STRING, /* s:3:"abc"; the length counts bytes */
	PHP_ARRAY,  /* a:2:{key value key value} */
	PHP_OTHER   /* object, reference, enum, class with a serializer of its own: can only be skipped */
};

/* Arrays nested deeper than this are skipped, not entered. */
enum { PHP_DEPTH = 16 };

enum php_flaw {
	PHP_BAD_LENGTH, /* a string is not as long as it says */
	PHP_BAD_COUNT,  /* an array has not as many members as it says */
	PHP_TOO_DEEP,
	PHP_DAMAGED,    /* what stands there is no value: reading ended */
	PHP_TRUNCATED,  /* the data end inside a value: reading ended */
	PHP_FLAWS
};

struct php {
	struct slice data;
	const char *p;
	unsigned depth;            /* arrays entered and not left */
	uint64_t left[PHP_DEPTH];  /* members that each of them still announces */
	bool at_value;             /* php_member stands before a value not yet read */
	bool dead;                 /* damaged or truncated */
	uint32_t flaw_count[PHP_FLAWS];
	const char *flaw_at[PHP_FLAWS]; /* the first of each kind */
};

struct php php_of(struct slice data);
/* The type of the value at the present place. */
enum php_type php_type(const struct php *p);
/* Steps into the array here; false (and the value skipped) when it is none or lies too deep. */
bool php_enter(struct php *p);
/* The next member of the innermost array: *key is the key's text (digits for an integer key). False at its end, which
 * is then left, and once reading ended. */
bool php_member(struct php *p, struct slice *key);
/* The text of a null ("" ), bool, int, double or string; false (value skipped) when it is of another type. A value that
 * the data end in is never given. text->p is its place. */
bool php_scalar(struct php *p, struct slice *text);
void php_skip(struct php *p);
/* "a string is not as long as it says" … */
const char *php_flaw_text(enum php_flaw f);

#endif
