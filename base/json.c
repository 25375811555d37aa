#include "base/json.h"
#include "base/json_scan.h"

/* ---- the reader's place ---- */

static void flaw(struct json *j, enum json_flaw f, const char *at)
{
	if (j->flaw_count[f] == 0)
		j->flaw_offset[f] = (uint64_t)(at - j->data.p);
	if (j->flaw_count[f] < UINT32_MAX)
		j->flaw_count[f]++;
}

/* The document ends too early. Nothing more comes of it. Always false. */
static bool cut(struct json *j)
{
	if (j->depth || j->at_value)
		flaw(j, JSON_TRUNCATED, j->end);
	j->p = j->end;
	j->depth = 0;
	j->at_value = false;
	return false;
}

/* Moves behind the bracket that closes `depth` containers. */
static bool skip_nest(struct json *j, size_t depth)
{
	struct nest n = { .depth = depth };
	const char *p = scan_nest(&n, j->p, j->end);
	if (!p)
		return cut(j);
	j->p = p;
	j->at_value = j->fresh = false;
	return true;
}

/* Moves to the next byte that a token can begin or end with. */
static void skip_bad(struct json *j)
{
	while (j->p < j->end && !is(*j->p, STOP))
		j->p++;
}

/* The string here, without its quotes. */
static bool read_string(struct json *j, struct slice *raw)
{
	const char *control = NULL, *start = j->p + 1, *stop = scan_string(start, j->end, &control);
	if (!stop)
		return cut(j);
	if (control)
		flaw(j, JSON_CONTROL, control);
	*raw = (struct slice){ start, (size_t)(stop - start) };
	j->p = stop + 1;
	return true;
}

/* ---- numbers and words ---- */

struct word {
	enum json_type type; /* JSON_NONE: no value, or cut */
	bool finite;
	const char *end;
	const char *next; /* the byte behind it that is no blank */
};

static bool not_finite(struct slice s)
{
	if (s.n && (s.p[0] == '-' || s.p[0] == '+'))
		s = slice_from(s, 1);
	return slice_eq_nocase(s, SLICE("nan")) || slice_eq_nocase(s, SLICE("inf")) ||
		slice_eq_nocase(s, SLICE("infinity"));
}

static bool begins_number(struct slice s)
{
	if (s.n && (s.p[0] == '-' || s.p[0] == '+'))
		s = slice_from(s, 1);
	if (s.n && s.p[0] == '.')
		s = slice_from(s, 1);
	return s.n && s.p[0] >= '0' && s.p[0] <= '9';
}

/* A value that nothing of its document follows may be half of what was to be written: it is none. */
static bool closed(const struct json *j, const struct word *w)
{
	if (w->next == j->end)
		return false;
	if (is(*w->next, STOP))
		return *w->next != '{' && *w->next != '[';
	/* A missing comma between two numbers. */
	return j->depth && j->closer[j->depth - 1] == ']' && w->next > w->end && is(*w->next, NUMBER);
}

static struct word word_at(const struct json *j)
{
	unsigned all = NUMBER;
	const char *p = scan_word(j->p, j->end, &all);
	struct word w = { .type = JSON_NONE, .finite = true, .end = p, .next = scan_blanks(p, j->end) };
	struct slice s = { j->p, (size_t)(p - j->p) };
	if (s.n == 0 || !closed(j, &w))
		return w;
	if (all) {
		w.type = begins_number(s) ? JSON_NUMBER : JSON_NONE;
	} else if (slice_is(s, "true")) {
		w.type = JSON_TRUE;
	} else if (slice_is(s, "false")) {
		w.type = JSON_FALSE;
	} else if (slice_is(s, "null")) {
		w.type = JSON_NULL;
	} else if (not_finite(s)) {
		w.type = JSON_NUMBER;
		w.finite = false;
	}
	return w;
}

/* Steps over a number or word; a bad value is left to skip_bad. */
static bool take_word(struct json *j, struct word w)
{
	if (w.type == JSON_NONE) {
		const char *at = j->p;
		skip_bad(j);
		if (j->p == j->end)
			return cut(j);
		flaw(j, JSON_BAD_VALUE, at);
	} else {
		if (!w.finite)
			flaw(j, JSON_NOT_FINITE, j->p);
		j->p = w.next;
	}
	j->at_value = false;
	return true;
}

/* ---- documents ---- */

struct json json_of(struct slice data)
{
	if (!data.p)
		data = SLICE("");
	return (struct json){ .data = data, .p = data.p, .end = data.p + data.n, .outer = data.p };
}

/* At {: what follows is a key with its colon, or the closing bracket, as far as the data go. */
static bool opens_object(const char *p, const char *end)
{
	const char *control = NULL;
	p = scan_blanks(p + 1, end);
	if (p == end || *p == '}')
		return true;
	if (*p != '"')
		return false;
	p = scan_string(p + 1, end, &control);
	if (!p)
		return true;
	p = scan_blanks(p + 1, end);
	return p == end || *p == ':';
}

/* At { or [: whether a document begins. *next is where to look on when it does not: behind a whole run of [, so that
 * looking ahead costs no more than the data are long. */
static bool opens_document(const char *p, const char *end, const char **next)
{
	const char *control = NULL;
	*next = p + 1;
	if (*p == '{')
		return opens_object(p, end);
	while (p < end && *p == '[')
		p = scan_blanks(p + 1, end);
	*next = p;
	if (p == end)
		return false;
	if (*p == '{')
		return opens_object(p, end);
	if (*p == '"') {
		p = scan_string(p + 1, end, &control);
		p = p ? scan_blanks(p + 1, end) : end;
		return p == end || *p == ',' || *p == ']';
	}
	return *p == ']';
}

bool json_begins(struct slice data)
{
	const char *next;
	return data.n && (*data.p == '{' || *data.p == '[') && opens_document(data.p, data.p + data.n, &next);
}

/* The first { in the first column from p on, or the end of the data. */
static const char *next_outer(struct json *j, const char *p)
{
	const char *end = j->data.p + j->data.n;
	if (j->outer >= p)
		return j->outer;
	while (p < end && (p = memchr(p, '{', (size_t)(end - p))) && p[-1] != '\n')
		p++;
	return j->outer = p ? p : end;
}

/* A document cut short, with another one behind it, must not swallow that one. It is taken as cut before the next { in
 * the first column when it is itself indented and its brackets don't match up to the end of the data. */
static void bound_document(struct json *j)
{
	const char *first = scan_blanks(j->p + 1, j->end);
	if (first == j->end || first[-1] == '\n' || !memchr(j->p, '\n', (size_t)(first - j->p)))
		return;
	const char *outer = next_outer(j, first);
	if (outer == j->end)
		return;
	struct nest n = { 0 };
	if (scan_nest(&n, j->p, outer))
		return;
	/* After one failure no later document is tried against the whole rest: that would be quadratic. */
	if (!j->unbalanced && scan_nest(&n, outer, j->end))
		return;
	j->unbalanced = true;
	j->end = outer;
}

static const char *skip_blanks_and_bom(const char *p, const char *end)
{
	for (;;) {
		p = scan_blanks(p, end);
		if (end - p < 3 || memcmp(p, "\xEF\xBB\xBF", 3) != 0)
			return p;
		p += 3;
	}
}

bool json_document(struct json *j)
{
	if (j->depth)
		skip_nest(j, j->depth);
	else if (j->at_value)
		json_skip(j, NULL);
	j->depth = 0;
	j->end = j->data.p + j->data.n;
	const char *noise = skip_blanks_and_bom(j->p, j->end), *p = noise, *next;
	while (p < j->end) {
		if (*p != '{' && *p != '[')
			p++;
		else if (opens_document(p, j->end, &next))
			break;
		else
			p = next;
	}
	if (p > noise)
		flaw(j, JSON_NOISE, noise);
	j->p = p;
	j->at_value = p < j->end;
	if (j->at_value)
		bound_document(j);
	return j->at_value;
}

/* ---- containers ---- */

static bool enter(struct json *j, char open)
{
	if (!j->at_value)
		return false;
	if (j->p < j->end && *j->p == open) {
		if (j->depth < JSON_DEPTH) {
			j->closer[j->depth++] = (char)(open + 2);
			j->p++;
			j->at_value = false;
			j->fresh = true;
			return true;
		}
		flaw(j, JSON_TOO_DEEP, j->p);
	}
	json_skip(j, NULL);
	return false;
}

bool json_enter_object(struct json *j)
{
	return enter(j, '{');
}

bool json_enter_array(struct json *j)
{
	return enter(j, '[');
}

/* Moves to the next item of the innermost container, which is left at its end. */
static bool next_item(struct json *j, char closer)
{
	if (j->depth == 0 || j->closer[j->depth - 1] != closer || (j->at_value && !json_skip(j, NULL)))
		return false;
	for (bool comma = j->fresh;; j->p++) {
		j->p = scan_blanks(j->p, j->end);
		if (j->p == j->end)
			return cut(j);
		if (*j->p == '}' || *j->p == ']') {
			if (comma && !j->fresh)
				flaw(j, JSON_COMMA, j->p);
			if (*j->p != closer)
				flaw(j, JSON_BAD_CLOSE, j->p);
			j->p++;
			j->depth--;
			j->fresh = false;
			return false;
		}
		if ((*j->p == ',') == comma)
			flaw(j, JSON_COMMA, j->p);
		if (*j->p != ',')
			break;
		comma = true;
	}
	j->fresh = false;
	return true;
}

/* Behind a key: moves to the value. */
static bool find_value(struct json *j)
{
	j->p = scan_blanks(j->p, j->end);
	if (j->p == j->end || *j->p != ':')
		return false;
	j->p = scan_blanks(j->p + 1, j->end);
	return true;
}

bool json_member(struct json *j, struct slice *key)
{
	while (next_item(j, '}')) {
		const char *at = j->p;
		if (*at == '"') {
			if (!read_string(j, key))
				return false;
			if (find_value(j))
				return j->p < j->end ? (j->at_value = true) : cut(j);
		} else if (*at == '{' || *at == '[') {
			flaw(j, JSON_BAD_VALUE, at);
			*key = SLICE("");
			return (j->at_value = true);
		}
		skip_bad(j);
		if (j->p == j->end)
			return cut(j);
		flaw(j, JSON_BAD_VALUE, at);
		j->p += *j->p == ',';
		j->fresh = true;
	}
	return false;
}

bool json_element(struct json *j)
{
	return next_item(j, ']') && (j->at_value = true);
}

void json_leave(struct json *j)
{
	if (j->depth && skip_nest(j, 1))
		j->depth--;
}

/* ---- what comes as expected: keys in their order, and numbers ---- */

/* Behind the comma, or the opening bracket: the place of the value if this is the key before it, else NULL. */
static inline const char *expected_value(const char *p, const char *end, const struct json_key *key)
{
	p = scan_gap(p, end);
	if ((size_t)(end - p) < key->n + 4 || memcmp(p, key->quoted, key->n) != 0)
		return NULL;
	p += key->n;
	p += *p == ' ';
	if (*p++ != ':')
		return NULL;
	p += *p == ' ';
	return is(*p, BLANK) ? NULL : p;
}

/* Behind a number without signs that a comma or } follows, which is most of what there is; NULL: it takes a closer
 * look. */
static inline const char *plain_number(const char *p, const char *end)
{
	if (p == end || *p < '0' || *p > '9')
		return NULL;
	p = scan_digits(p, end);
	if (p == end || is(*p, WORD))
		return NULL;
	const char *next = *p == ',' ? p : scan_gap(p, end);
	return next < end && (*next == ',' || *next == '}') ? p : NULL;
}

static bool in_object(const struct json *j)
{
	return !j->at_value && j->depth && j->closer[j->depth - 1] == '}';
}

bool json_member_is(struct json *j, const struct json_key *key)
{
	const char *p = j->p;
	if (!in_object(j) || (!j->fresh && (p == j->end || *p++ != ',')) || !(p = expected_value(p, j->end, key)))
		return false;
	j->p = p;
	j->fresh = false;
	return (j->at_value = true);
}

void json_numbers(struct json *j, const struct json_key *keys, size_t n_keys, size_t *next, struct slice *values,
	size_t n_values)
{
	const char *p = j->p, *const end = j->end;
	if (!in_object(j) || *next == n_keys)
		return;
	for (const struct json_key *key = keys + *next; *next < n_keys && key->id < n_values; key++, ++*next) {
		if (!j->fresh && (p == end || *p++ != ','))
			return;
		const char *value = expected_value(p, end, key), *behind = value ? plain_number(value, end) : NULL;
		if (!behind)
			return;
		values[key->id] = (struct slice){ value, (size_t)(behind - value) };
		j->p = p = behind;
		j->fresh = false;
	}
}

/* ---- values ---- */

enum json_type json_type(const struct json *j)
{
	if (!j->at_value || j->p == j->end)
		return JSON_NONE;
	switch (*j->p) {
	case '{': return JSON_OBJECT;
	case '[': return JSON_ARRAY;
	case '"': return JSON_STRING;
	default: return word_at(j).type;
	}
}

uint64_t json_offset(const struct json *j)
{
	return (uint64_t)(j->p - j->data.p);
}

static bool take_number(struct json *j)
{
	const char *p = j->at_value ? plain_number(j->p, j->end) : NULL;
	if (!p)
		return false;
	j->p = p;
	j->at_value = false;
	return true;
}

bool json_number_text(struct json *j, struct slice *text)
{
	const char *start = j->p;
	if (take_number(j)) {
		*text = (struct slice){ start, (size_t)(j->p - start) };
		return true;
	}
	if (!j->at_value || j->p == j->end || !is(*j->p, WORD)) {
		json_skip(j, NULL);
		return false;
	}
	struct word w = word_at(j);
	struct slice s = { j->p, (size_t)(w.end - j->p) };
	if (!take_word(j, w) || w.type != JSON_NUMBER)
		return false;
	*text = s;
	return true;
}

bool json_string(struct json *j, struct slice *raw)
{
	if (!j->at_value || j->p == j->end || *j->p != '"') {
		json_skip(j, NULL);
		return false;
	}
	if (!read_string(j, raw))
		return false;
	j->at_value = false;
	return true;
}

static bool skip_value(struct json *j)
{
	struct slice text;
	if (take_number(j))
		return true;
	if (!j->at_value)
		return false;
	if (j->p == j->end)
		return cut(j);
	if (*j->p == '{' || *j->p == '[')
		return skip_nest(j, 0);
	return *j->p == '"' ? json_string(j, &text) : take_word(j, word_at(j));
}

bool json_skip(struct json *j, struct slice *raw)
{
	const char *start = j->p;
	bool whole = skip_value(j);
	if (raw)
		*raw = whole ? slice_trim((struct slice){ start, (size_t)(j->p - start) }) : SLICE_NONE;
	return whole;
}

bool json_again(struct json *j, struct slice text)
{
	if (!j->at_value || !text.n || (size_t)(j->end - j->p) < text.n || memcmp(j->p, text.p, text.n) != 0)
		return false;
	j->p += text.n;
	j->at_value = false;
	return true;
}

bool json_truncated(const struct json *j)
{
	return j->flaw_count[JSON_TRUNCATED] > 0;
}

const char *json_flaw_text(enum json_flaw f)
{
	static const char *const text[JSON_FLAWS] = {
		[JSON_NOISE] = "text that is no JSON around the documents",
		[JSON_TRUNCATED] = "the document ends too early",
		[JSON_CONTROL] = "raw control character in a string",
		[JSON_COMMA] = "comma missing or too many",
		[JSON_BAD_VALUE] = "not a JSON value",
		[JSON_BAD_CLOSE] = "closing bracket of the wrong kind",
		[JSON_TOO_DEEP] = "nested too deeply, skipped",
		[JSON_NOT_FINITE] = "number that is not finite",
	};
	return (unsigned)f < JSON_FLAWS ? text[f] : "unknown flaw";
}
