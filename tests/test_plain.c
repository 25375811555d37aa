/* Texts that were passed on, made plain in their places; and what is before all their lines. */
#include "parsers/plain.h"
#include "parsers/rules.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static struct plain made(const char *text, enum plain_kind kind, struct source *s, struct arena *a)
{
	*s = source_of("text", slice_of(text));
	struct rejoin lines = rejoin_of(text_of(s, a, true), NULL);
	return plain_of(&lines, kind, a);
}

static void check(const char *text, enum plain_kind kind, const char *expected, bool mended)
{
	struct arena a = ARENA_EMPTY;
	struct source s;
	struct plain p = made(text, kind, &s, &a);
	assert_int_equal(strlen(expected), strlen(text));
	assert_memory_equal(p.bytes, expected, strlen(text));
	assert_int_equal(p.mended, mended);
	arena_free(&a);
}

static void test_json(void **state)
{
	(void)state;
	check("> {\"a\": 12,\n>> \"b\": 3}\n", PLAIN_JSON, "  {\"a\": 12,\n   \"b\": 3}\n", false);
	/* A string moves together, the number stays. */
	check("{ &quot;a&quot;: 12 }\n", PLAIN_JSON, "{ \"a\":           12 }\n", true);
	check("{ \xe2\x80\x9c" "a\xe2\x80\x9d: 12 }\n", PLAIN_JSON, "{ \"a\":     12 }\n", true);
	check("{ \"a\\_b\": 12 }\n", PLAIN_JSON, "{ \"a_b\":  12 }\n", true);
	check("{ \"a\\\"b\": 12 }\n", PLAIN_JSON, "{ \"a\\\"b\": 12 }\n", false);
	check("{ \"a\": 1\033[1m2\033[0m.5 }\n", PLAIN_JSON, "{ \"a\": 12.5         }\n", false);
	check("{ \033[1m\"a\"\033[0m: 12 }\n", PLAIN_JSON, "{     \"a\":     12 }\n", false);
}

/* In the middle of a string or a number, where all full lines are cut. */
static void test_cut(void **state)
{
	(void)state;
	check("{\"abcdefghijklmnopqrstuvwxyzabcdefghijklm\n"
	      "nopqrstuvwxyzabcdefghij\": 1, \"number\": 12\n"
	      "34}\n", PLAIN_JSON,
	      "{\"abcdefghijklmnopqrstuvwxyzabcdefghijklm"
	      "nopqrstuvwxyzabcdefghij\":\n 1, \"number\": 12"
	      "34\n}\n", true);
}

static void test_rows(void **state)
{
	(void)state;
	check(" > a;\xc2\xa0" "b\n", PLAIN_ROWS, "    a; b\n", false);
	check("a\tb\r\nc\n", PLAIN_ROWS, "a\tb\r\nc\n", false);
	check("\033[1mab\033[0mcd 12\n", PLAIN_ROWS, "        abcd 12\n", false);
	check("a\033[1mb\033[0m\r\nc  \n", PLAIN_ROWS, "        ab\r\nc  \n", false);
}

/* ---- prefixes ---- */

static void check_prefix(const char *text, const char *line, const char *expected)
{
	struct arena a = ARENA_EMPTY;
	struct rule_cache *cache = rule_cache_new();
	struct source s = source_of("text", slice_of(text));
	struct text t = text_of(&s, &a, true);
	struct prefix p = prefix_of(&t, starts_of(cache), &a);
	struct slice rest = prefix_strip(&p, slice_of(line));
	assert_string_equal(arena_string(&a, rest), expected);
	rule_cache_free(cache);
	arena_free(&a);
}

#define PING(before) before "PING 127.0.0.1 (127.0.0.1) 56(84) bytes of data.\n" \
	before "64 bytes from 127.0.0.1: icmp_seq=1 ttl=64 time=0.039 ms\n" \
	before "64 bytes from 127.0.0.1: icmp_seq=2 ttl=64 time=0.035 ms\n"

static void test_prefixes(void **state)
{
	(void)state;
	check_prefix(PING("| "), "| a b", "a b");
	check_prefix(PING("+"), "+a b", "a b");
	check_prefix(PING("node01: "), "node01: a b", "a b");
	check_prefix(PING("[bench] out: "), "[bench] out: a", "a");
	check_prefix(PING("[10:32] <joe> "), "[10:32] <joe> a", "a");
	check_prefix(PING("2026-11-30 10:00:00,123 INFO [bench] "), "2026-11-30 10:00:01,123 INFO [bench] a", "a");
	check_prefix("+++ b/x\n@@ -0,0 +1 @@\n" PING("+"), "+a", "a");
	check_prefix(PING("| "), "a | b", "a | b");
	/* Nothing begins behind them, or something before them. */
	check_prefix("| a\n| b\n| c\n| d\n", "| a", "| a");
	check_prefix(PING(""), "64 bytes", "64 bytes");
	/* A report's own times. */
	check_prefix("Linux 6.1.0 (host) 	11/30/26 	_x86_64_	(2 CPU)\n11:00:00 CPU %user\n11:00:01 all 1.00\n11:00:02 all 2.00\n"
		"11:00:03 all 1.00\n11:00:04 all 2.00\n11:00:05 all 1.00\n11:00:06 all 2.00\n11:00:07 all 2.00\n11:00:08 all 2.00\n",
		"11:00:01 all 1.00", "11:00:01 all 1.00");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_prefixes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
