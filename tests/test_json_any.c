/* The JSON reader on documents of any kind: sound ones against another reader, and damaged ones. */
#include "tests/jansson_dump.h"
#include "tests/json_seen.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static uint64_t seed;

static unsigned draw(unsigned below)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)((seed >> 33) % below);
}

static struct slice load(const char *path)
{
	FILE *f = fopen(path, "rb");
	assert_non_null(f);
	char *p = mem_alloc(1 << 16);
	size_t n = fread(p, 1, 1 << 16, f);
	fclose(f);
	return (struct slice){ p, n };
}

static void each_document(void (*use)(struct slice data))
{
	glob_t g;
	assert_int_equal(glob("testdata/json/*.json", 0, NULL, &g), 0);
	for (size_t i = 0; i < g.gl_pathc; i++) {
		struct slice data = load(g.gl_pathv[i]);
		use(data);
		free((char *)data.p);
	}
	globfree(&g);
}

/* ---- against another reader ---- */

static void compare(struct slice data)
{
	struct seen s;
	struct buf theirs = BUF_EMPTY;
	struct json j = read_all(&s, data);
	assert_true(s.ok);
	for (int f = 0; f < JSON_FLAWS; f++)
		assert_int_equal(j.flaw_count[f], 0);
	buf_char(&theirs, '\n');
	assert_true(jansson_dump(data, &theirs));
	buf_char(&theirs, '\n');
	assert_int_equal(s.text.n, theirs.n);
	assert_memory_equal(s.text.p, theirs.p, theirs.n);
	/* Skipping the document ends where reading it does. */
	struct json k = json_of(data);
	struct slice raw;
	assert_true(json_document(&k) && json_skip(&k, &raw));
	assert_true(slice_eq(raw, slice_trim(data)));
	seen_free(&s);
	buf_free(&theirs);
}

static void random_blank(struct buf *b)
{
	for (unsigned n = draw(4) ? 0 : draw(20); n; n--)
		buf_char(b, " \n\t\r"[draw(4)]);
}

static void random_string(struct buf *b)
{
	static const char *const piece[] = {
		"a", "key", " ", "\\\"", "\\\\", "\\/", "\\n", "\\u00e9", "\\u20ac", "\\ud83d\\ude00", "\xC3\xA9",
		"{", "}", "[", "]",
		",", ":", "|", "0.000000", "a longer run of plain text",
	};
	buf_char(b, '"');
	for (unsigned n = draw(8) ? draw(4) : draw(40); n; n--)
		buf_str(b, piece[draw(sizeof piece / sizeof *piece)]);
	buf_char(b, '"');
}

static void random_number(struct buf *b)
{
	if (draw(4) == 0)
		buf_char(b, '-');
	switch (draw(4)) {
	case 0: buf_printf(b, "%u", draw(1000)); break;
	case 1: buf_printf(b, "%u.%06u", draw(100000), draw(1000000)); break;
	case 2: buf_printf(b, "%u%09u", draw(900000000) + 1, draw(1000000000)); break;
	case 3: buf_printf(b, "%u.%ue%s%u", draw(10), draw(1000), draw(2) ? "-" : "", draw(290)); break;
	}
}

static void random_value(struct buf *b, unsigned depth)
{
	unsigned kind = depth == 0 ? draw(2) : draw(depth > 20 || b->n > 2000 ? 5 : 9);
	random_blank(b);
	if (depth && kind < 5) {
		static const char *const word[] = { "true", "false", "null" };
		if (kind < 3)
			random_number(b);
		else if (kind == 3)
			random_string(b);
		else
			buf_str(b, word[draw(3)]);
	} else {
		/* An array of bare numbers opens no document: the outermost ones begin with a string. */
		bool object = kind & 1;
		buf_char(b, object ? '{' : '[');
		unsigned n = draw(6);
		for (unsigned i = 0; i < n; i++) {
			if (i)
				buf_char(b, ',');
			random_blank(b);
			if (object) {
				buf_printf(b, "\"%u", i);
				struct buf key = BUF_EMPTY;
				random_string(&key);
				buf_str(b, key.p + 1);
				buf_free(&key);
				random_blank(b);
				buf_char(b, ':');
			}
			if (depth == 0 && !object && i == 0)
				random_string(b);
			else
				random_value(b, depth + 1);
			random_blank(b);
		}
		random_blank(b);
		buf_char(b, object ? '}' : ']');
	}
	random_blank(b);
}

static void test_documents_like_jansson(void **state)
{
	(void)state;
	each_document(compare);
}

static void test_random_like_jansson(void **state)
{
	(void)state;
	seed = 1;
	for (int i = 0; i < 2000; i++) {
		struct buf b = BUF_EMPTY;
		random_value(&b, 0);
		compare(buf_view(&b));
		buf_free(&b);
	}
}

/* ---- damage ---- */

/* A cut at any byte invents nothing: the numbers given are numbers of the whole, none touches the cut. */
static void cut_everywhere(struct slice data)
{
	struct seen whole, part;
	struct json j = read_all(&whole, data);
	assert_false(json_truncated(&j));
	struct slice all = slice_trim(data);
	size_t end = (size_t)(all.p + all.n - data.p);
	for (size_t n = 0; n < data.n; n++) {
		char *copy = mem_alloc(n + !n);
		memcpy(copy, data.p, n);
		j = read_all(&part, (struct slice){ copy, n });
		for (size_t i = 0, k = 0; i < part.count; i++, k++) {
			assert_true(part.numbers[i].at + part.numbers[i].n < n);
			while (k < whole.count && whole.numbers[k].at < part.numbers[i].at)
				k++;
			assert_true(k < whole.count && whole.numbers[k].at == part.numbers[i].at);
			assert_int_equal(whole.numbers[k].n, part.numbers[i].n);
		}
		if (j.flaw_count[JSON_NOISE] == 0)
			assert_int_equal(json_truncated(&j), slice_trim(slice_head(data, n)).n > 0 && n < end);
		seen_free(&part);
		free(copy);
	}
	seen_free(&whole);
}

static void test_cut_everywhere(void **state)
{
	(void)state;
	each_document(cut_everywhere);
	seed = 2;
	for (int i = 0; i < 60; i++) {
		struct buf b = BUF_EMPTY;
		random_value(&b, 0);
		cut_everywhere(buf_view(&b));
		buf_free(&b);
	}
}

static void in_bounds(struct slice data)
{
	struct seen s;
	struct json j = read_all(&s, data);
	for (size_t i = 0; i < s.count; i++)
		assert_true(s.numbers[i].at + s.numbers[i].n < data.n);
	for (int f = 0; f < JSON_FLAWS; f++)
		assert_true(j.flaw_offset[f] <= data.n);
	assert_true(json_offset(&j) <= data.n);
	seen_free(&s);
	j = json_of(data);
	while (json_document(&j)) {
		struct slice raw;
		if (json_skip(&j, &raw))
			assert_true(raw.p >= data.p && raw.p + raw.n <= data.p + data.n);
	}
}

static void mutate(struct slice data)
{
	static const char bytes[] = "{}[]\",:\\ \n0-.enatf\0\xff";
	for (int round = 0; round < 200; round++) {
		char *copy = mem_alloc(data.n + 1);
		memcpy(copy, data.p, data.n);
		for (unsigned n = draw(6) + 1; n; n--)
			copy[draw((unsigned)data.n)] = bytes[draw(sizeof bytes)];
		in_bounds((struct slice){ copy, data.n });
		free(copy);
	}
}

static void test_mutated(void **state)
{
	(void)state;
	seed = 3;
	each_document(mutate);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_documents_like_jansson),
		cmocka_unit_test(test_random_like_jansson),
		cmocka_unit_test(test_cut_everywhere),
		cmocka_unit_test(test_mutated),
	};
	return cmocka_run_group_tests_name("any json", tests, NULL, NULL);
}
