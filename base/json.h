/* json: a pull reader for what benchmark tools really write as JSON.
 *
 * One pass, no tree, no copy, no recursion. It keeps the byte offset of every token (source_pos turns it into line
 * and column), and survives noise around documents, several documents in one file, duplicate keys (handed out in
 * order), raw control bytes in strings, bare nan and inf, missing or doubled commas, a BOM, and truncation. What it
 * forgave is counted and the first place of each kind kept, for the caller to report.
 *
 * Use:
 *   struct json j = json_of(data);
 *   while (json_document(&j)) {                  // at the first byte of the next { or [ that opens a document
 *       json_enter_object(&j);
 *       struct slice key;
 *       while (json_member(&j, &key)) {          // at the member's value
 *           if (slice_is(key, "jobs") && json_enter_array(&j))
 *               while (json_element(&j)) …       // a value not read is skipped by the next json_member
 *       }
 *   }
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "base/arena.h"
#include "base/slice.h"

#include <stdint.h>

enum json_type {
	JSON_NONE, /* the data end here, or what stands here is no value */
	JSON_OBJECT,
	JSON_ARRAY,
	JSON_STRING,
	JSON_NUMBER, /* nan, inf and -nan too: json_number_text gives the token, num_double refuses it */
	JSON_TRUE,
	JSON_FALSE,
	JSON_NULL
};

/* What was forgiven. */
enum json_flaw {
	JSON_NOISE,     /* bytes before, between or after documents */
	JSON_TRUNCATED, /* the data end inside a document */
	JSON_CONTROL,   /* a raw control byte in a string */
	JSON_COMMA,     /* a comma missing or too many */
	JSON_BAD_VALUE, /* bytes where a value should stand; skipped to the next comma or bracket */
	JSON_BAD_CLOSE, /* ] for } or the other way round */
	JSON_TOO_DEEP,  /* nested deeper than JSON_DEPTH: the inner part was skipped */
	JSON_NOT_FINITE,/* nan, -nan, inf */
	JSON_FLAWS
};

enum { JSON_DEPTH = 64 };

struct json {
	struct slice data;
	const char *p, *end;         /* the place; the end of this document at the latest */
	unsigned depth;              /* containers entered and not left */
	bool fresh;                  /* just entered: no comma expected */
	bool at_value;               /* json_member or json_element stands before a value not yet read */
	const char *outer;           /* the first { in the first column that some earlier document stands before */
	bool unbalanced;             /* some document's brackets don't match up to the end of the data */
	char closer[JSON_DEPTH];     /* '}' or ']' for each open container */
	uint64_t flaw_offset[JSON_FLAWS];
	uint32_t flaw_count[JSON_FLAWS];
};

/* A key as it is written, quotes included, and what it stands for. */
struct json_key {
	const char *quoted;
	size_t n;
	unsigned id;
};
#define JSON_KEY(text, id) { "\"" text "\"", sizeof(text) + 1, id }

struct json json_of(struct slice data);

/* Moves to the next document: a `{` or `[` that begins one. Noise before it is skipped and counted: a bracket opens a
 * document only when what follows it can be JSON ("[ 1.5] client" or "[SUM]" do not; nor does an array of bare
 * numbers). False at the end of the data. An unfinished document is left behind. An indented document whose brackets don't match
 * up to the end of the data ends at the next { in the first column, so that it does not swallow the document there. */
bool json_document(struct json *j);

/* Whether a document begins at the first byte, as far as the data tell. */
bool json_begins(struct slice data);

/* The type of the value at the present place. */
enum json_type json_type(const struct json *j);
/* Byte offset of the present place (of the value, after json_member or json_element). */
uint64_t json_offset(const struct json *j);

/* Steps into the container here; false (and the value skipped) when it is no object/array or too deep. Then
 * don't ask for members: they would be those of the container around it. */
bool json_enter_object(struct json *j);
bool json_enter_array(struct json *j);
/* The next member of the innermost open object: *key is the raw text between the quotes (see json_unescape). False at
 * its end, which is then left. A value that was not read is skipped first. A container that stands where a key should is
 * a member with an empty key (JSON_BAD_VALUE). */
bool json_member(struct json *j, struct slice *key);
/* Moves to the next member as json_member does, if the last value was read, this is its key byte by byte, and there
 * is nothing to forgive before it, nor the end of the data close behind it; else it does nothing and is false.
 * Writers put the same keys in the same order each time: who expects them need not look them up. */
bool json_member_is(struct json *j, const struct json_key *key);
/* Reads members as long as the next one is keys[*next], which then moves on, and its value a number: the text goes to
 * values[id]. Stops where an id is n_values or above, and where it takes json_member and json_number_text to tell. */
void json_numbers(struct json *j, const struct json_key *keys, size_t n_keys, size_t *next, struct slice *values,
	size_t n_values);
/* json_member for arrays. */
bool json_element(struct json *j);
/* Leaves the innermost open container, skipping the rest of it. */
void json_leave(struct json *j);

/* Steps over the value here if it is, byte by byte, `text`: an object or array that was read before from end to end.
 * Else it does nothing and is false. Flaws within are not counted again. */
bool json_again(struct json *j, struct slice text);

/* Reads a number token, or a string's raw text; false (value skipped) when it is of another type or cut by the end of
 * the data: a number is given only when a comma, a closing bracket or a quote follows it (between numbers of an array,
 * a blank will do), so never half of one. */
bool json_number_text(struct json *j, struct slice *text);
bool json_string(struct json *j, struct slice *raw);
/* Skips the value here; *raw (may be NULL) is its text from first to last byte. False when the data ended inside, and
 * when no value stands here. Within a skipped container no flaw but truncation is looked for. */
bool json_skip(struct json *j, struct slice *raw);

/* True once the data ended inside a document or value. */
bool json_truncated(const struct json *j);
const char *json_flaw_text(enum json_flaw f);

/* Raw string text with its escapes resolved (a lone surrogate becomes U+FFFD; an unknown escape stays as it is).
 * Returns the same slice when there is nothing to resolve. */
struct slice json_unescape(struct arena *a, struct slice raw);

#endif
