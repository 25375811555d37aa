/* The PCRE2 wrapper: anchoring, groups, first bytes, limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/regex.h"

static struct regex *compiled(const char *pattern)
{
	char error[128];
	struct regex *r = regex_compile(pattern, error, sizeof error);
	assert_non_null(r);
	return r;
}

static void test_match(void **state)
{
	(void)state;
	struct slice g[REGEX_GROUPS], text = SLICE("ab\0cd: 12 ms");
	struct regex *r = compiled("cd: (?<n>\\d+)(?: (?<u>us)| (?<v>ms))$");
	assert_int_equal(regex_match(r, text, 0, g), 0);
	assert_int_equal(regex_match(r, text, 3, g), 4);
	assert_true(slice_is(g[0], "cd: 12 ms"));
	assert_true(slice_is(g[regex_group(r, "n")], "12"));
	assert_null(g[regex_group(r, "u")].p);
	assert_true(slice_is(g[regex_group(r, "v")], "ms"));
	assert_int_equal(regex_group(r, "w"), 0);
	assert_int_equal(regex_match(r, SLICE(""), 0, g), 0);
	regex_free(r);
}

static void test_last_group_takes_no_part(void **state)
{
	(void)state;
	struct slice g[REGEX_GROUPS] = { SLICE("x"), SLICE("x"), SLICE("x") };
	struct regex *r = compiled("(a)(b)?");
	assert_int_equal(regex_match(r, SLICE("a"), 0, g), 3);
	assert_true(slice_is(g[1], "a"));
	assert_null(g[2].p);
	regex_free(r);
}

static unsigned count_first(const char *pattern, bool set[256])
{
	unsigned n = 0;
	struct regex *r = compiled(pattern);
	regex_first_bytes(r, set);
	regex_free(r);
	for (unsigned b = 0; b < 256; b++)
		n += set[b];
	return n;
}

static void test_first_bytes(void **state)
{
	(void)state;
	bool set[256];
	assert_int_equal(count_first("[0-9]+ bytes", set), 10);
	assert_true(set['0'] && set['9'] && !set['a']);
	count_first("min/avg", set);
	assert_true(set['m'] && !set['n'] && !set['0']);
	count_first("(?i)min", set);
	assert_true(set['m'] && set['M']);
	count_first("(?:foo )?bar", set);
	assert_true(set['f'] && set['b'] && !set['o']);
	assert_int_equal(count_first("x?", set), 256);
}

static void test_errors(void **state)
{
	(void)state;
	char error[128] = "";
	assert_null(regex_compile("(a", error, sizeof error));
	assert_true(error[0] != '\0');
	char many[8 * REGEX_GROUPS + 1] = "";
	for (size_t i = 0; i < REGEX_GROUPS; i++)
		memcpy(many + 3 * i, "(a)", 4);
	assert_null(regex_compile(many, error, sizeof error));
	assert_true(slice_starts(slice_of(error), "has 32 groups"));
}

static void test_hostile(void **state)
{
	(void)state;
	struct slice g[REGEX_GROUPS];
	char text[4096];
	memset(text, 'a', sizeof text);
	struct regex *r = compiled("(?:a+)+b");
	assert_int_equal(regex_match(r, (struct slice){ text, sizeof text }, 0, g), 0);
	regex_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_match),
		cmocka_unit_test(test_last_group_takes_no_part),
		cmocka_unit_test(test_first_bytes),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_hostile),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
