#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/slice.h"
#include "base/source.h"

#include <math.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
static const size_t NOWHERE = (size_t)-1;

static void arena_gives_zeroed_aligned_memory(void **state)
{
	(void)state;
	struct arena a = ARENA_EMPTY;
	for (size_t size = 0; size < 3000; size += 7) {
		unsigned char *p = arena_alloc(&a, size);
		assert_non_null(p);
		assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
		for (size_t i = 0; i < size; i++)
			assert_int_equal(p[i], 0);
		memset(p, 0xff, size);
	}
	/* Larger than any block, and what was kept stays. */
	const char *kept = arena_string(&a, SLICE("kept"));
	memset(arena_alloc(&a, 5 << 20), 0xff, 5 << 20);
	assert_string_equal(kept, "kept");
	/* A reset keeps one block, and gives it out zeroed again. */
	arena_reset(&a);
	assert_true(a.total >= 5 << 20 && a.total < 6 << 20);
	size_t total = a.total;
	unsigned char *p = arena_alloc(&a, 4 << 20);
	for (size_t i = 0; i < 4 << 20; i += 511)
		assert_int_equal(p[i], 0);
	assert_int_equal(a.total, total);
	arena_free(&a);
	assert_int_equal(a.total, 0);
	arena_reset(&a);
	arena_free(&a);
}

/* Blocks go round: from the arena that is done with them to the one that begins, and back. */
static void arena_lends_what_it_can_spare(void **state)
{
	(void)state;
	enum { BLOCK = 100 << 10 };
	struct arena from = ARENA_EMPTY, into = ARENA_EMPTY;
	arena_lend(&from, &into, BLOCK);
	size_t block = into.total;
	assert_true(block >= BLOCK && from.total == 0);
	memset(arena_alloc(&into, BLOCK), 0xff, BLOCK);
	assert_int_equal(into.total, block);
	char *first = arena_alloc(&from, 1);
	arena_adopt(&from, &into);
	assert_true(!into.blocks && into.total == 0);
	memset(arena_alloc(&from, 2 * BLOCK), 0xff, 2 * BLOCK);
	arena_reset(&from);
	size_t all = from.total;
	arena_lend(&from, &into, BLOCK);
	assert_int_equal(into.total, block);
	assert_int_equal(from.total, all - block);
	const unsigned char *p = arena_alloc(&into, BLOCK);
	for (size_t i = 0; i < BLOCK; i++)
		assert_int_equal(p[i], 0);
	assert_ptr_not_equal(p, first);
	arena_adopt(&from, &into);
	arena_free(&from);
}

/* Of large ones no more than so much is kept. */
static void arena_spares_little(void **state)
{
	(void)state;
	struct arena a = ARENA_EMPTY;
	for (int i = 0; i < 40; i++)
		arena_alloc(&a, 1 << 20);
	assert_true(a.total > (size_t)40 << 20);
	arena_reset(&a);
	assert_true(a.total <= ARENA_SPARE + (2 << 20));
	arena_free(&a);
}

static void arena_copies_and_prints(void **state)
{
	(void)state;
	struct arena a = ARENA_EMPTY;
	struct slice s = arena_copy(&a, (struct slice){ "a\0b", 3 });
	assert_memory_equal(s.p, "a\0b", 4);
	assert_string_equal(arena_string(&a, SLICE_NONE), "");
	assert_string_equal(arena_printf(&a, "%s-%d", "x", 42), "x-42");
	assert_int_equal(strlen(arena_printf(&a, "%*s", 100000, "")), 100000);
	struct numbers {
		int *v;
		size_t n, cap;
	} list = { NULL, 0, 0 };
	for (int i = 0; i < 1000; i++) {
		int *p = ARENA_PUSH(&a, list.v, list.n, list.cap);
		assert_int_equal(*p, 0);
		*p = i;
	}
	assert_int_equal(list.n, 1000);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(list.v[i], i);
	arena_free(&a);
}

static void slices(void **state)
{
	(void)state;
	struct slice s = SLICE("hello");
	assert_true(slice_is(s, "hello") && !slice_is(s, "hell") && !slice_is(s, "hello!"));
	assert_true(slice_is(SLICE_NONE, "") && slice_eq(SLICE_NONE, SLICE("")));
	assert_true(slice_starts(s, "he") && slice_starts(s, "") && !slice_starts(s, "hello!"));
	assert_true(slice_ends(s, "lo") && slice_ends(s, "") && !slice_ends(s, "Xhello"));
	assert_true(slice_starts(SLICE_NONE, "") && slice_ends(SLICE_NONE, ""));
	assert_true(slice_is(slice_from(s, 3), "lo") && slice_is(slice_from(s, 9), "") && slice_is(slice_head(s, 9), "hello"));
	assert_true(slice_cmp(SLICE("a"), SLICE("b")) < 0 && slice_cmp(SLICE("ab"), SLICE("a")) > 0);
	assert_true(slice_cmp(SLICE("a"), SLICE("a")) == 0 && slice_cmp(SLICE_NONE, SLICE("a")) < 0);
	assert_true(slice_cmp(SLICE("\xff"), SLICE("a")) > 0);
	assert_true(slice_eq_nocase(SLICE("KiB"), SLICE("kib")) && !slice_eq_nocase(SLICE("[b"), SLICE("{b")));
	assert_true(slice_is(slice_trim(SLICE(" \t a b\r\n")), "a b") && slice_is(slice_trim(SLICE(" \n ")), ""));
	assert_int_equal(slice_find(s, SLICE("l")), 2);
	assert_int_equal(slice_find(s, SLICE("lo")), 3);
	assert_int_equal(slice_find(s, SLICE("")), 0);
	assert_int_equal(slice_find(s, SLICE("hello!")), NOWHERE);
	assert_int_equal(slice_find(SLICE("aaab"), SLICE("aab")), 1);
	assert_int_equal(slice_find(SLICE_NONE, SLICE("a")), NOWHERE);
	assert_int_equal(slice_find_char(s, 'o'), 4);
	assert_int_equal(slice_find_char(SLICE_NONE, 'o'), NOWHERE);
}

static void slices_are_cut(void **state)
{
	(void)state;
	struct slice rest = SLICE("a,,b,"), part;
	static const char *const parts[] = { "a", "", "b", "" };
	for (size_t i = 0; i < COUNT(parts); i++) {
		assert_true(slice_cut(&rest, ',', &part));
		assert_true(slice_is(part, parts[i]));
	}
	assert_false(slice_cut(&rest, ',', &part));
}

static void globs(void **state)
{
	(void)state;
	static const struct {
		const char *text, *pattern;
		bool match;
	} cases[] = {
		{ "", "", true }, { "", "*", true }, { "", "?", false }, { "a", "", false }, { "BM.DenseIO2.52", "BM.*", true },
		{ "BM.DenseIO2.52", "*.52", true }, { "BM.DenseIO2.52", "*IO?.*", true }, { "BM.DenseIO2.52", "BM.?", false },
		{ "abcabc", "*abc", true }, { "abcabd", "*abc", false }, { "aXbXc", "a*b*c", true }, { "a*", "a*", true },
		{ "ab", "A*", false }, { "abc", "abc**", true }, { "[a]", "[a]", true }, { "a", "[a]", false },
	};
	for (size_t i = 0; i < COUNT(cases); i++)
		if (slice_glob(slice_of(cases[i].text), slice_of(cases[i].pattern)) != cases[i].match)
			fail_msg("'%s' '%s'", cases[i].text, cases[i].pattern);
	/* No exponential search: 40 stars against text that never fits. */
	char text[2000], pattern[81];
	memset(text, 'a', sizeof text);
	for (size_t i = 0; i < 80; i++)
		pattern[i] = i % 2 ? 'a' : '*';
	pattern[80] = 'b';
	assert_false(slice_glob((struct slice){ text, sizeof text }, (struct slice){ pattern, sizeof pattern }));
}

static void bufs_grow(void **state)
{
	(void)state;
	struct buf b = BUF_EMPTY;
	assert_int_equal(buf_view(&b).n, 0);
	assert_non_null(buf_view(&b).p);
	for (int i = 0; i < 1000; i++) {
		buf_char(&b, 'x');
		buf_printf(&b, "%03d", i);
		buf_slice(&b, SLICE("yz"));
		buf_slice(&b, SLICE_NONE);
		assert_int_equal(b.p[b.n], '\0');
	}
	assert_int_equal(b.n, 6000);
	assert_memory_equal(b.p + 5994, "x999yz", 7);
	/* Exactly as long as the room that is left. */
	buf_clear(&b);
	buf_printf(&b, "%*s", (int)b.cap - 1, "");
	assert_int_equal(b.n, b.cap - 1);
	buf_printf(&b, "%s", "");
	buf_str(&b, "end");
	assert_string_equal(b.p + b.n - 3, "end");
	buf_clear(&b);
	buf_double(&b, 0.1);
	buf_char(&b, ' ');
	buf_double(&b, NAN);
	assert_string_equal(b.p, "0.1 nan");
	buf_free(&b);
	assert_null(b.p);
}

static void text_is_made_printable(void **state)
{
	(void)state;
	static const struct {
		const char *text, *shown;
	} cases[] = {
		{ "plain \xc2\xb5s \xe2\x82\xac \xf0\x9f\x98\x80", "plain \xc2\xb5s \xe2\x82\xac \xf0\x9f\x98\x80" },
		{ "a\tb", "a b" }, { "\033[31m", "\\x1b[31m" }, { "a\x7f", "a\\x7f" }, { "\xff\xfe", "\\xff\\xfe" },
		{ "\xc0\xaf", "\\xc0\\xaf" },         /* overlong */
		{ "\xed\xa0\x80", "\\xed\\xa0\\x80" }, /* surrogate */
		{ "\xe2\x82", "\\xe2\\x82" },         /* cut */
		{ "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80" },
		{ "\xe2\x80\xae" "evil", "\\xe2\\x80\\xae" "evil" }, /* right-to-left override */
		{ "\xe2\x81\xa6", "\\xe2\\x81\\xa6" }, { "\xc2\x9b", "\\xc2\\x9b" },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct buf b = BUF_EMPTY;
		buf_printable(&b, slice_of(cases[i].text));
		assert_string_equal(b.p, cases[i].shown);
		buf_free(&b);
	}
}

static void assert_pos(struct pos p, uint64_t offset, uint32_t line, uint32_t column)
{
	assert_int_equal(p.offset, offset);
	assert_int_equal(p.line, line);
	assert_int_equal(p.column, column);
}

static void positions(void **state)
{
	(void)state;
	static const char text[] = "one\r\ntwo\n\nfour";
	struct source s = source_of("f", SLICE(text));
	/* In any order. */
	assert_pos(source_pos(&s, 0), 0, 1, 1);
	assert_pos(source_pos(&s, 10), 10, 4, 1);
	assert_pos(source_pos(&s, 14), 14, 4, 5);
	assert_pos(source_pos(&s, 12), 12, 4, 3);
	assert_pos(source_pos(&s, 9), 9, 3, 1);
	assert_pos(source_pos(&s, 4), 4, 1, 5);
	assert_pos(source_pos(&s, 8), 8, 2, 4);
	assert_pos(source_pos(&s, 15), 15, 0, 0);
	assert_pos(source_pos_of(&s, text + 6), 6, 2, 2);
	assert_pos(source_pos_of(&s, "elsewhere"), 0, 0, 0);
	assert_true(slice_is(source_line(&s, 1), "one") && slice_is(source_line(&s, 4), "one"));
	assert_true(slice_is(source_line(&s, 9), "") && slice_is(source_line(&s, 14), "four"));
	s.data = SLICE_NONE;
	assert_pos(source_pos(&s, 3), 3, 0, 0);
	assert_null(source_line(&s, 3).p);
}

static void lines_of_text(void **state)
{
	(void)state;
	struct source s = source_of("f", SLICE("one\r\n\ntw\ro\nlast"));
	static const char *const expected[] = { "one", "", "tw\ro", "last" };
	struct lines l = lines_of(&s);
	struct slice line;
	for (size_t i = 0; i < COUNT(expected); i++) {
		assert_true(lines_next(&l, &line));
		assert_true(slice_is(line, expected[i]));
		assert_int_equal(l.line, i + 1);
		assert_int_equal(l.unended, i == 3);
		assert_pos(lines_pos(&l, line.p), l.offset, (uint32_t)i + 1, 1);
	}
	assert_pos(lines_pos(&l, line.p + 2), 13, 4, 3);
	assert_false(lines_next(&l, &line));
	struct source empty = source_of("e", SLICE(""));
	l = lines_of(&empty);
	assert_false(lines_next(&l, &line));
	struct source one = source_of("o", SLICE("\n"));
	l = lines_of(&one);
	assert_true(lines_next(&l, &line) && line.n == 0 && !l.unended);
	assert_false(lines_next(&l, &line));
}

static void assert_formatted(const struct diag *d, const char *expected)
{
	struct buf b = BUF_EMPTY;
	diag_format(&b, d, false);
	assert_string_equal(b.p, expected);
	buf_free(&b);
}

static void diagnostics(void **state)
{
	(void)state;
	struct arena a = ARENA_EMPTY;
	struct diags d;
	diags_init(&d, &a);
	struct source s = source_of("runs/a.json", SLICE("{\n\t\"bw\" : 2,3372,\n}\n"));
	diag_add(&d, DIAG_ERROR, source_pos(&s, 10), "number ends in the middle of a digit group: '%s'", "2,3372");
	diag_add(&d, DIAG_NOTE, POS_NONE, "about nothing");
	/* Only an offset: located when added. */
	diag_add(&d, DIAG_WARNING, (struct pos){ &s, 18, 0, 0 }, "later");
	/* A byte that is several columns wide when made printable. */
	struct source odd = source_of("o\033dd", SLICE("\xc2\xb5\x01x"));
	diag_add(&d, DIAG_WARNING, source_pos(&odd, 3), "here");
	s.data = SLICE_NONE;
	diag_add(&d, DIAG_ERROR, (struct pos){ &s, 3, 2, 2 }, "gone");
	const struct diag *g = d.first;
	assert_formatted(g, "runs/a.json:2:9: error: number ends in the middle of a digit group: '2,3372'\n"
		"   \"bw\" : 2,3372,\n          ^\n");
	assert_formatted(g = g->next, "assay: note: about nothing\n");
	assert_formatted(g = g->next, "runs/a.json:3:1: warning: later\n  }\n  ^\n");
	assert_formatted(g = g->next, "o\\x1bdd:1:4: warning: here\n  \xc2\xb5\\x01x\n       ^\n");
	assert_formatted(g = g->next, "runs/a.json:2:2: error: gone\n");
	assert_null(g->next);
	assert_int_equal(d.count[DIAG_ERROR], 2);
	assert_int_equal(d.count[DIAG_WARNING], 2);
	assert_int_equal(d.count[DIAG_NOTE], 1);
	arena_free(&a);
}

static void long_lines_are_cut_around_the_place(void **state)
{
	(void)state;
	struct arena a = ARENA_EMPTY;
	struct diags d;
	diags_init(&d, &a);
	char text[5000];
	memset(text, 'a', sizeof text);
	text[2500] = 'X';
	struct source s = source_of("f", (struct slice){ text, sizeof text });
	diag_add(&d, DIAG_ERROR, source_pos(&s, 2500), "x");
	assert_true(strlen(d.first->excerpt) < 130);
	/* The caret counts the ellipsis as one column. */
	assert_int_equal(d.first->excerpt[d.first->caret - 1 + strlen("…") - 1], 'X');
	arena_free(&a);
}

static void floods_are_counted_not_kept(void **state)
{
	(void)state;
	struct arena a = ARENA_EMPTY;
	struct diags d;
	diags_init(&d, &a);
	struct source s = source_of("f", SLICE("x\n")), other = source_of("g", SLICE("x\n"));
	for (size_t i = 0; i < 1000; i++)
		diag_add(&d, DIAG_WARNING, source_pos(&s, 0), "bad");
	diag_add(&d, DIAG_WARNING, source_pos(&other, 0), "bad");
	size_t kept = 0;
	const struct diag *last = NULL;
	for (const struct diag *g = d.first; g; g = g->next, kept++)
		if (g->pos.source == &s)
			last = g;
	assert_int_equal(kept, DIAGS_PER_SOURCE + 2);
	assert_formatted(last, "f: warning: more than 50 findings in this file; only these are shown\n");
	assert_int_equal(d.count[DIAG_WARNING], 1001);
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arena_gives_zeroed_aligned_memory),
		cmocka_unit_test(arena_lends_what_it_can_spare),
		cmocka_unit_test(arena_spares_little),
		cmocka_unit_test(arena_copies_and_prints),
		cmocka_unit_test(slices),
		cmocka_unit_test(slices_are_cut),
		cmocka_unit_test(globs),
		cmocka_unit_test(bufs_grow),
		cmocka_unit_test(text_is_made_printable),
		cmocka_unit_test(positions),
		cmocka_unit_test(lines_of_text),
		cmocka_unit_test(diagnostics),
		cmocka_unit_test(long_lines_are_cut_around_the_place),
		cmocka_unit_test(floods_are_counted_not_kept),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
