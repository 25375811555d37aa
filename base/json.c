#include "base/json.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* ---- bytes ---- */

enum {
	BLANK = 1,  /* between tokens */
	WORD = 2,   /* of a number or a bare word */
	NUMBER = 4, /* of a finite number */
	STOP = 8    /* ends what can't be read: the next token may be sound again */
};

static const unsigned char byte_class[256] = {
	[' '] = BLANK, ['\t'] = BLANK, ['\n'] = BLANK, ['\r'] = BLANK,
	['0' ... '9'] = WORD | NUMBER, ['+'] = WORD | NUMBER, ['-'] = WORD | NUMBER, ['.'] = WORD | NUMBER,
	['E'] = WORD | NUMBER, ['e'] = WORD | NUMBER,
	['A' ... 'D'] = WORD, ['F' ... 'Z'] = WORD, ['a' ... 'd'] = WORD, ['f' ... 'z'] = WORD, ['_'] = WORD,
	[','] = STOP, ['"'] = STOP, ['{'] = STOP, ['}'] = STOP, ['['] = STOP, [']'] = STOP,
};

static bool is(char c, unsigned classes)
{
	return byte_class[(unsigned char)c] & classes;
}

static const char *skip_blanks(const char *p, const char *end)
{
	if (p < end && !is(*p, BLANK))
		return p;
#ifdef __SSE2__
	/* An indentation is longer than it takes to set this up. */
	for (; end - p >= 16; p += 16) {
		__m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
		__m128i b = _mm_or_si128(
			_mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8(' ')), _mm_cmpeq_epi8(v, _mm_set1_epi8('\n'))),
			_mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('\r')), _mm_cmpeq_epi8(v, _mm_set1_epi8('\t'))));
		unsigned other = (unsigned)_mm_movemask_epi8(b) ^ 0xffff;
		if (other)
			return p + __builtin_ctz(other);
	}
#endif
	while (p < end && is(*p, BLANK))
		p++;
	return p;
}

/* The next quote, backslash or control byte. */
static const char *string_event(const char *p, const char *end)
{
#ifdef __SSE2__
	for (; end - p >= 16; p += 16) {
		__m128i v = _mm_loadu_si128((const __m128i *)(const void *)p), top = _mm_set1_epi8(0x1f);
		__m128i e = _mm_or_si128(_mm_cmpeq_epi8(_mm_min_epu8(v, top), v),
			_mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('"')), _mm_cmpeq_epi8(v, _mm_set1_epi8('\\'))));
		unsigned event = (unsigned)_mm_movemask_epi8(e);
		if (event)
			return p + __builtin_ctz(event);
	}
#endif
	while (p < end && *p != '"' && *p != '\\' && (unsigned char)*p >= 0x20)
		p++;
	return p;
}

/* p stands behind the opening quote; returns the closing one, NULL when there is none. *control (set only when found)
 * is the first raw control byte. */
static const char *string_end(const char *p, const char *end, const char **control)
{
	while ((p = string_event(p, end)) < end) {
		if (*p == '"')
			return p;
		if (*p != '\\') {
			if (!*control)
				*control = p;
			p++;
		} else if (end - p < 2) {
			break;
		} else {
			p += 2;
		}
	}
	return NULL;
}

/* ---- skipping containers ---- */

/* Where a skip stands between two blocks. */
struct nest {
	size_t depth; /* open brackets */
	bool string;  /* within quotes */
	bool escaped; /* the last byte was a backslash that takes the next one */
};

/* Behind the bracket that brings the depth to 0, or NULL with the state of `end`. */
static const char *nest_plain(struct nest *n, const char *p, const char *end)
{
	for (; p < end; p++) {
		if (n->escaped) {
			n->escaped = false;
		} else if (n->string) {
			if (*p == '"')
				n->string = false;
			else if (*p == '\\')
				n->escaped = true;
		} else if (*p == '"') {
			n->string = true;
		} else if (*p == '{' || *p == '[') {
			n->depth++;
		} else if ((*p == '}' || *p == ']') && --n->depth == 0) {
			return p + 1;
		}
	}
	return NULL;
}

#ifdef __SSE2__
static __m128i load(const char *p)
{
	return _mm_loadu_si128((const __m128i *)(const void *)p);
}

/* Bit i: byte p[i], with bit 5 set in both, is c. */
static uint64_t folded_mask(const char *p, char c)
{
	uint64_t mask = 0;
	for (int i = 48; i >= 0; i -= 16) {
		__m128i v = _mm_or_si128(load(p + i), _mm_set1_epi8(0x20));
		mask = mask << 16 | (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8(c)));
	}
	return mask;
}

/* Bit i: byte p[i] is behind an odd number of quotes, or a quote that makes it so. */
static uint64_t quoted_mask(const char *p, bool string)
{
	uint64_t mask = 0;
	for (int i = 48; i >= 0; i -= 16)
		mask = mask << 16 | (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(load(p + i), _mm_set1_epi8('"')));
	for (unsigned shift = 1; shift < 64; shift *= 2)
		mask ^= mask << shift;
	return string ? ~mask : mask;
}

/* 64 bytes without a backslash. With bit 5 set, [ is { and ] is }. */
static const char *nest_block(struct nest *n, const char *p)
{
	uint64_t quoted = quoted_mask(p, n->string);
	uint64_t open = folded_mask(p, '{') & ~quoted, close = folded_mask(p, '}') & ~quoted;
	n->string = quoted >> 63;
	for (uint64_t bits = open | close; bits; bits &= bits - 1) {
		if (open & bits & -bits)
			n->depth++;
		else if (--n->depth == 0)
			return p + __builtin_ctzll(bits) + 1;
	}
	return NULL;
}

/* What 16 bytes add to the search below. */
static void nest_look(const char *p, __m128i *quotes, __m128i *nearest)
{
	__m128i v = load(p);
	*quotes = _mm_xor_si128(*quotes, _mm_cmpeq_epi8(v, _mm_set1_epi8('"')));
	__m128i above = _mm_sub_epi8(_mm_or_si128(v, _mm_set1_epi8(0x20)), _mm_set1_epi8('{'));
	*nearest = _mm_min_epu8(*nearest, above);
}

static bool has_byte(const char *p, char c)
{
	__m128i found = _mm_setzero_si128();
	for (int i = 0; i < 64; i += 16)
		found = _mm_or_si128(found, _mm_cmpeq_epi8(load(p + i), _mm_set1_epi8(c)));
	return _mm_movemask_epi8(found);
}

/* The same as nest_plain, 64 bytes at a time. With bit 5 set, brackets and backslash are { | }, three neighbours; most
 * blocks hold none of them, and of those no more is wanted than the parity of their quotes. */
static const char *nest_skip(struct nest *n, const char *p, const char *end)
{
	while (end - p >= 64) {
		__m128i quotes = _mm_setzero_si128(), two = _mm_set1_epi8(2), nearest;
		bool special = n->escaped;
		for (; !special && end - p >= 64; p += 64) {
			__m128i before = quotes;
			nearest = _mm_set1_epi8(-1);
			nest_look(p, &quotes, &nearest);
			nest_look(p + 16, &quotes, &nearest);
			nest_look(p + 32, &quotes, &nearest);
			nest_look(p + 48, &quotes, &nearest);
			special = _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(nearest, two), nearest));
			if (special) {
				quotes = before;
				break;
			}
		}
		n->string ^= __builtin_parity((unsigned)_mm_movemask_epi8(quotes));
		if (!special)
			break;
		const char *found = n->escaped || has_byte(p, '\\') ? nest_plain(n, p, p + 64) : nest_block(n, p);
		if (found)
			return found;
		p += 64;
	}
	return nest_plain(n, p, end);
}
#else
#define nest_skip nest_plain
#endif

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
	const char *p = nest_skip(&n, j->p, j->end);
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
	const char *control = NULL, *start = j->p + 1, *stop = string_end(start, j->end, &control);
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
	const char *p = j->p;
	unsigned all = NUMBER;
	for (; p < j->end && is(*p, WORD); p++)
		all &= byte_class[(unsigned char)*p];
	struct word w = { .type = JSON_NONE, .finite = true, .end = p, .next = skip_blanks(p, j->end) };
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
	p = skip_blanks(p + 1, end);
	if (p == end || *p == '}')
		return true;
	if (*p != '"')
		return false;
	p = string_end(p + 1, end, &control);
	if (!p)
		return true;
	p = skip_blanks(p + 1, end);
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
		p = skip_blanks(p + 1, end);
	*next = p;
	if (p == end)
		return false;
	if (*p == '{')
		return opens_object(p, end);
	if (*p == '"') {
		p = string_end(p + 1, end, &control);
		p = p ? skip_blanks(p + 1, end) : end;
		return p == end || *p == ',' || *p == ']';
	}
	return *p == ']';
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
	const char *first = skip_blanks(j->p + 1, j->end);
	if (first == j->end || first[-1] == '\n' || !memchr(j->p, '\n', (size_t)(first - j->p)))
		return;
	const char *outer = next_outer(j, first);
	if (outer == j->end)
		return;
	struct nest n = { 0 };
	if (nest_skip(&n, j->p, outer))
		return;
	/* After one failure no later document is tried against the whole rest: that would be quadratic. */
	if (!j->unbalanced && nest_skip(&n, outer, j->end))
		return;
	j->unbalanced = true;
	while (is(outer[-1], BLANK))
		outer--;
	j->end = outer;
}

static const char *skip_blanks_and_bom(const char *p, const char *end)
{
	for (;;) {
		p = skip_blanks(p, end);
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
		j->p = skip_blanks(j->p, j->end);
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
	j->p = skip_blanks(j->p, j->end);
	if (j->p == j->end || *j->p != ':')
		return false;
	j->p = skip_blanks(j->p + 1, j->end);
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
		} else if (is(*at, STOP)) {
			skip_nest(j, 0);
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

bool json_number_text(struct json *j, struct slice *text)
{
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

/* ---- escapes ---- */

/* The code unit of \uXXXX at p; -1 when it is none. */
static long unit_at(const char *p, const char *end)
{
	long v = 0;
	if (end - p < 6 || p[0] != '\\' || p[1] != 'u')
		return -1;
	for (int i = 2; i < 6; i++) {
		char c = p[i];
		if (c >= '0' && c <= '9')
			v = v * 16 + (c - '0');
		else if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))
			v = v * 16 + ((c | 0x20) - 'a' + 10);
		else
			return -1;
	}
	return v;
}

static char *put_utf8(char *out, long code)
{
	if (code < 0x80) {
		*out++ = (char)code;
	} else if (code < 0x800) {
		*out++ = (char)(0xc0 | code >> 6);
		*out++ = (char)(0x80 | (code & 0x3f));
	} else if (code < 0x10000) {
		*out++ = (char)(0xe0 | code >> 12);
		*out++ = (char)(0x80 | (code >> 6 & 0x3f));
		*out++ = (char)(0x80 | (code & 0x3f));
	} else {
		*out++ = (char)(0xf0 | code >> 18);
		*out++ = (char)(0x80 | (code >> 12 & 0x3f));
		*out++ = (char)(0x80 | (code >> 6 & 0x3f));
		*out++ = (char)(0x80 | (code & 0x3f));
	}
	return out;
}

/* Resolves the escape at *p (a backslash with a byte behind it) and moves behind it. */
static char *put_escape(char *out, const char **p, const char *end)
{
	static const char plain[256] = {
		['"'] = '"', ['\\'] = '\\', ['/'] = '/', ['b'] = '\b', ['f'] = '\f', ['n'] = '\n', ['r'] = '\r', ['t'] = '\t',
	};
	long unit = unit_at(*p, end);
	if (unit >= 0) {
		*p += 6;
		if (unit < 0xd800 || unit > 0xdfff)
			return put_utf8(out, unit);
		long low = unit < 0xdc00 ? unit_at(*p, end) : -1;
		if (low < 0xdc00 || low > 0xdfff)
			return put_utf8(out, 0xfffd);
		*p += 6;
		return put_utf8(out, 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00));
	}
	char c = plain[(unsigned char)(*p)[1]];
	if (c) {
		*out++ = c;
	} else {
		*out++ = (*p)[0];
		*out++ = (*p)[1];
	}
	*p += 2;
	return out;
}

struct slice json_unescape(struct arena *a, struct slice raw)
{
	if (slice_find_char(raw, '\\') == (size_t)-1)
		return raw;
	/* No escape is shorter than what it stands for. */
	char *text = arena_alloc(a, raw.n + 1), *out = text;
	for (const char *p = raw.p, *end = raw.p + raw.n; p < end;) {
		if (*p == '\\' && end - p >= 2)
			out = put_escape(out, &p, end);
		else
			*out++ = *p++;
	}
	return (struct slice){ text, (size_t)(out - text) };
}
