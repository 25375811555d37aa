#include "parsers/php_serialize.h"

#include "base/num.h"

struct php php_of(struct slice data)
{
	return (struct php){ .data = data, .p = data.p };
}

const char *php_flaw_text(enum php_flaw f)
{
	static const char *const text[PHP_FLAWS] = {
		[PHP_BAD_LENGTH] = "a string is not as long as it says",
		[PHP_BAD_COUNT] = "an array does not have as many members as it says",
		[PHP_TOO_DEEP] = "arrays are nested too deep: the inner ones were skipped",
		[PHP_DAMAGED] = "no serialized value stands here: what follows was not read",
		[PHP_TRUNCATED] = "the data end inside a value",
	};
	return text[f];
}

static void flaw(struct php *p, enum php_flaw f, const char *at)
{
	if (p->flaw_count[f]++ == 0)
		p->flaw_at[f] = at;
	if (f == PHP_DAMAGED || f == PHP_TRUNCATED)
		p->dead = true;
}

static const char *data_end(const struct php *p)
{
	return p->data.p + p->data.n;
}

/* Nothing more can be read from here on: cut off when the data are used up, else damaged. */
static bool give_up(struct php *p, const char *at)
{
	flaw(p, at >= data_end(p) ? PHP_TRUNCATED : PHP_DAMAGED, at);
	return false;
}

static bool expect(struct php *p, char c)
{
	if (p->p >= data_end(p) || *p->p != c)
		return give_up(p, p->p);
	p->p++;
	return true;
}

/* The text up to the next `stop`, which is stepped over; limited, so that noise is not searched through. */
static bool take_until(struct php *p, char stop, struct slice *text)
{
	enum { LONGEST_NUMBER = 400 };
	size_t rest = (size_t)(data_end(p) - p->p);
	const char *found = rest ? memchr(p->p, stop, rest < LONGEST_NUMBER ? rest : LONGEST_NUMBER) : NULL;
	if (!found)
		return give_up(p, rest < LONGEST_NUMBER ? data_end(p) : p->p);
	*text = (struct slice){ p->p, (size_t)(found - p->p) };
	p->p = found + 1;
	return true;
}

static bool take_count(struct php *p, char stop, uint64_t *n)
{
	const char *at = p->p;
	struct slice text = SLICE_NONE;
	return take_until(p, stop, &text) && (num_u64(text, n) == NUM_OK || give_up(p, at));
}

/* Where a string really ends: the first quote that closes it and has something behind it that can follow a string. */
static const char *string_end(const struct php *p, const char *from)
{
	const char *end = data_end(p);
	for (const char *q = from; (q = memchr(q, '"', (size_t)(end - q))); q++) {
		if (end - q < 2)
			break;
		if (q[1] == ';' && (end - q == 2 || slice_find_char(SLICE("aisdbNOCErR}"), q[2]) != (size_t)-1))
			return q;
	}
	return NULL;
}

/* Behind `s:` … `;`, stands before the length. */
static bool take_string(struct php *p, struct slice *text)
{
	const char *at = p->p;
	uint64_t n;
	if (!take_count(p, ':', &n) || !expect(p, '"'))
		return false;
	const char *start = p->p, *end = data_end(p);
	if (n + 2 <= (uint64_t)(end - start) && n < UINT64_MAX - 2 && start[n] == '"' && start[n + 1] == ';') {
		end = start + n;
	} else {
		end = string_end(p, start);
		if (!end)
			return give_up(p, data_end(p));
		flaw(p, PHP_BAD_LENGTH, at);
	}
	*text = (struct slice){ start, (size_t)(end - start) };
	p->p = end + 2;
	return true;
}

enum php_type php_type(const struct php *p)
{
	if (p->dead || p->p >= data_end(p))
		return PHP_NONE;
	switch (*p->p) {
	case 'N': return PHP_NULL;
	case 'b': return PHP_BOOL;
	case 'i': return PHP_INT;
	case 'd': return PHP_DOUBLE;
	case 's': return PHP_STRING;
	case 'a': return PHP_ARRAY;
	case 'O': case 'C': case 'E': case 'r': case 'R': return PHP_OTHER;
	default: return PHP_NONE;
	}
}

/* Reads any value that is no array. */
static bool take_scalar(struct php *p, struct slice *text)
{
	char type = *p->p++;
	*text = (struct slice){ p->p, 0 };
	if (type == 'N')
		return expect(p, ';');
	if (!expect(p, ':'))
		return false;
	return type == 's' ? take_string(p, text) : take_until(p, ';', text);
}

/* Opens `a:N:{`, or `O:8:"stdClass":N:{`. */
static bool open_array(struct php *p, uint64_t *n)
{
	bool object = *p->p++ == 'O';
	uint64_t name;
	if (!expect(p, ':'))
		return false;
	if (object) {
		struct slice class;
		if (!take_count(p, ':', &name) || !expect(p, '"') || !take_until(p, '"', &class) || !expect(p, ':'))
			return false;
	}
	return take_count(p, ':', n) && expect(p, '{');
}

/* `C:4:"Name":12:{any bytes}`: only its length says where it ends. */
static void skip_custom(struct php *p)
{
	struct slice class;
	uint64_t n;
	p->p++;
	if (!expect(p, ':') || !take_count(p, ':', &n) || !expect(p, '"') || !take_until(p, '"', &class) || !expect(p, ':')
		|| !take_count(p, ':', &n) || !expect(p, '{'))
		return;
	if (n >= (uint64_t)(data_end(p) - p->p)) {
		give_up(p, data_end(p));
		return;
	}
	p->p += n;
	expect(p, '}');
}

void php_skip(struct php *p)
{
	uint64_t depth = 0, n;
	struct slice text;
	p->at_value = false;
	do {
		if (p->dead)
			return;
		char c = p->p < data_end(p) ? *p->p : '\0';
		if (c == 'a' || c == 'O') {
			if (open_array(p, &n))
				depth++;
		} else if (c == '}' && depth) {
			p->p++;
			depth--;
		} else if (c == 'C') {
			skip_custom(p);
		} else if (c == 'E') {
			p->p++;
			if (expect(p, ':'))
				take_string(p, &text);
		} else if (php_type(p) != PHP_NONE) {
			take_scalar(p, &text);
		} else {
			give_up(p, p->p);
		}
	} while (depth);
}

bool php_enter(struct php *p)
{
	p->at_value = false;
	if (php_type(p) != PHP_ARRAY) {
		php_skip(p);
		return false;
	}
	if (p->depth == PHP_DEPTH) {
		flaw(p, PHP_TOO_DEEP, p->p);
		php_skip(p);
		return false;
	}
	uint64_t n;
	if (!open_array(p, &n))
		return false;
	p->left[p->depth++] = n;
	return true;
}

static bool take_key(struct php *p, struct slice *key)
{
	enum php_type type = php_type(p);
	if (type != PHP_INT && type != PHP_STRING)
		return give_up(p, p->p);
	return take_scalar(p, key);
}

bool php_member(struct php *p, struct slice *key)
{
	if (p->at_value)
		php_skip(p);
	if (p->dead || p->depth == 0)
		return false;
	uint64_t *left = &p->left[p->depth - 1];
	if (p->p < data_end(p) && *p->p == '}') {
		if (*left)
			flaw(p, PHP_BAD_COUNT, p->p);
		p->p++;
		p->depth--;
		return false;
	}
	if (*left)
		--*left;
	else
		flaw(p, PHP_BAD_COUNT, p->p);
	p->at_value = take_key(p, key);
	return p->at_value;
}

bool php_scalar(struct php *p, struct slice *text)
{
	enum php_type type = php_type(p);
	if (type == PHP_NONE || type == PHP_ARRAY || type == PHP_OTHER) {
		php_skip(p);
		return false;
	}
	p->at_value = false;
	return take_scalar(p, text);
}
