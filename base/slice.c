#define _GNU_SOURCE /* memmem */
#include "base/slice.h"


int slice_cmp(struct slice a, struct slice b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int c = n ? memcmp(a.p, b.p, n) : 0;
	if (c)
		return c;
	return (a.n > b.n) - (a.n < b.n);
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

bool slice_eq_nocase(struct slice a, struct slice b)
{
	if (a.n != b.n)
		return false;
	for (size_t i = 0; i < a.n; i++)
		if (lower(a.p[i]) != lower(b.p[i]))
			return false;
	return true;
}

static bool blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

struct slice slice_trim(struct slice a)
{
	while (a.n && blank(a.p[0]))
		a = (struct slice){ a.p + 1, a.n - 1 };
	while (a.n && blank(a.p[a.n - 1]))
		a.n--;
	return a;
}

size_t slice_find(struct slice a, struct slice needle)
{
	if (needle.n == 0)
		return 0;
	const char *p = a.n ? memmem(a.p, a.n, needle.p, needle.n) : NULL;
	return p ? (size_t)(p - a.p) : (size_t)-1;
}

size_t slice_find_char(struct slice a, char c)
{
	const char *p = a.n ? memchr(a.p, c, a.n) : NULL;
	return p ? (size_t)(p - a.p) : (size_t)-1;
}

bool slice_word(struct slice *rest, struct slice *word)
{
	size_t from = 0, to;
	*word = SLICE_NONE;
	if (!rest->n)
		return false;
	while (from < rest->n && (rest->p[from] == ' ' || rest->p[from] == '\t'))
		from++;
	for (to = from; to < rest->n && rest->p[to] != ' ' && rest->p[to] != '\t';)
		to++;
	*word = (struct slice){ rest->p + from, to - from };
	*rest = slice_from(*rest, to);
	return word->n > 0;
}

bool slice_cut(struct slice *rest, char sep, struct slice *part)
{
	if (!rest->p)
		return false;
	size_t at = slice_find_char(*rest, sep);
	if (at == (size_t)-1) {
		*part = *rest;
		*rest = SLICE_NONE;
	} else {
		*part = slice_head(*rest, at);
		*rest = slice_from(*rest, at + 1);
	}
	return true;
}

bool slice_glob(struct slice text, struct slice pattern)
{
	size_t t = 0, p = 0, star = (size_t)-1, mark = 0;
	while (t < text.n) {
		if (p < pattern.n && pattern.p[p] == '*') {
			star = p++;
			mark = t;
		} else if (p < pattern.n && (pattern.p[p] == '?' || pattern.p[p] == text.p[t])) {
			p++;
			t++;
		} else if (star != (size_t)-1) {
			p = star + 1;
			t = ++mark;
		} else {
			return false;
		}
	}
	while (p < pattern.n && pattern.p[p] == '*')
		p++;
	return p == pattern.n;
}
