/* What the JSON reader reads, what it forgives, and its interface. */
#include "base/num.h"
#include "tests/json_seen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

/* What is read of `input`, and which flaws: a set of (1 << enum json_flaw). */
static void check(const char *input, const char *expected, unsigned flaws)
{
	struct seen s;
	/* A copy of exactly this size, so that a sanitizer sees a read past the end. */
	size_t n = strlen(input);
	char *copy = mem_alloc(n + !n);
	memcpy(copy, input, n);
	struct json j = read_all(&s, (struct slice){ copy, n });
	if (strcmp(s.text.p, expected) != 0)
		print_error("input: %s\n", input);
	assert_string_equal(s.text.p, expected);
	unsigned found = 0;
	for (int f = 0; f < JSON_FLAWS; f++)
		found |= j.flaw_count[f] ? 1u << f : 0;
	if (found != flaws)
		print_error("input: %s\n", input);
	assert_int_equal(found, flaws);
	assert_int_equal(json_truncated(&j), flaws >> JSON_TRUNCATED & 1);
	seen_free(&s);
	free(copy);
}

enum {
	NOISE = 1 << JSON_NOISE, CUT = 1 << JSON_TRUNCATED, CONTROL = 1 << JSON_CONTROL, COMMA = 1 << JSON_COMMA,
	BAD = 1 << JSON_BAD_VALUE, CLOSE = 1 << JSON_BAD_CLOSE, DEEP = 1 << JSON_TOO_DEEP, NOT_FINITE = 1 << JSON_NOT_FINITE
};

/* ---- what is read ---- */

static void test_values(void **state)
{
	(void)state;
	check("{}", "\n{}\n", 0);
	check("[]", "\n[]\n", 0);
	check("{\"a\":1}", "\n{K1:aN1}\n", 0);
	check(" { \"a\" : [ true , false , null , \"x\" , -1.5e3 ] } ", "\n{K1:a[TFZS1:xN-1500]}\n", 0);
	check("{\"a\":{\"b\":{}},\"c\":[[],[{}]]}", "\n{K1:a{K1:b{}}K1:c[[][{}]]}\n", 0);
	check("{\r\n\t\"a\" :\r\n 1\r\n}\r\n", "\n{K1:aN1}\n", 0);
	check("{\"a\":1,\"a\":2,\"\":3}", "\n{K1:aN1K1:aN2K0:N3}\n", 0);
	check("\xEF\xBB\xBF{\"a\":1}", "\n{K1:aN1}\n", 0);
	check("{\"a\":1}{\"b\":2}\n[{}]", "\n{K1:aN1}\n{K1:bN2}\n[{}]\n", 0);
	check("", "\n", 0);
	check(" \n\xEF\xBB\xBF", "\n", 0);
}

static void test_noise(void **state)
{
	(void)state;
	check("fio: terminating on signal 2\n\n{\"a\":1}\ndone\n", "\n{K1:aN1}\n", NOISE);
	check("<vm> job: (g=0): rw=randread, bs=(R) 4096B-4096B\n<vm> Starting\n{\n \"a\":1\n}\n", "\n{K1:aN1}\n", NOISE);
	check("[ 1.5] client\n[SUM]\n[  5] local\n[1796038083.123456] 64 bytes\n{\"a\":1}", "\n{K1:aN1}\n", NOISE);
	check("+ [ \"4k\" = 4k ]\nf() { echo \"{\"; }\n{\"a\":1}", "\n{K1:aN1}\n", NOISE);
	check("[[[ {{ {\"a\" [\"b\"\n{\"a\":1}", "\n{K1:aN1}\n", NOISE);
	check("{\"a\":1}}]{\"b\":2}", "\n{K1:aN1}\n{K1:bN2}\n", NOISE);
	check("no json here, not even [1, 2]", "\n", NOISE);
	check("[\"a\"] [\"b\", 1]", "\n[S1:a]\n[S1:bN1]\n", 0);
	struct seen s;
	struct json j = read_all(&s, SLICE("  x\n{}\n y\n"));
	assert_int_equal(j.flaw_count[JSON_NOISE], 2);
	assert_int_equal(j.flaw_offset[JSON_NOISE], 2);
	seen_free(&s);
}

static void test_truncated(void **state)
{
	(void)state;
	check("{", "\n{}\n", CUT);
	check("{\"a", "\n{}\n", CUT);
	check("{\"a\"", "\n{}\n", CUT);
	check("{\"a\":", "\n{}\n", CUT);
	check("{\"a\":1", "\n{K1:a}\n", CUT);
	check("{\"a\":1 \n", "\n{K1:a}\n", CUT);
	check("{\"a\":1,", "\n{K1:aN1}\n", CUT);
	check("{\"a\":tru", "\n{K1:a}\n", CUT);
	check("{\"a\":true", "\n{K1:a}\n", CUT);
	check("{\"a\":\"x", "\n{K1:a}\n", CUT);
	check("{\"a\":\"x\\", "\n{K1:a}\n", CUT);
	check("{\"a\":\"x\"", "\n{K1:aS1:x}\n", CUT);
	check("{\"a\":[1,2", "\n{K1:a[N1]}\n", CUT);
	check("{\"a\":[1,{\"b\":2}", "\n{K1:a[N1{K1:bN2}]}\n", CUT);
	check("[{", "\n[{}]\n", CUT);
	check("[\"a", "\n[]\n", CUT);
	check("[\"a\" ", "\n[S1:a]\n", CUT);
	check("x {\"a\":-", "\n{K1:a}\n", NOISE | CUT);
	struct json j = json_of(SLICE("{\"a\":{\"b\":[12"));
	struct slice raw;
	assert_true(json_document(&j));
	assert_false(json_skip(&j, &raw));
	assert_null(raw.p);
	assert_int_equal(j.flaw_count[JSON_TRUNCATED], 1);
	assert_int_equal(j.flaw_offset[JSON_TRUNCATED], 13);
	assert_false(json_document(&j));
}

/* A whole document behind a cut one is not lost in it. */
static void test_cut_then_whole(void **state)
{
	(void)state;
	check("{\n \"a\": [\n  1,\n  10611\n{\n \"b\": 2\n}\n", "\n{K1:a[N1]}\n{K1:bN2}\n", CUT);
	check("{\r\n \"a\": [\r\n  1,\r\n  10611\r\n{\r\n \"b\": 2\r\n}\r\n", "\n{K1:a[N1]}\n{K1:bN2}\n", CUT);
	check("{\n \"a\": 10611.\nbench: killed\n{\n \"b\": 2\n}\n", "\n{K1:a}\n{K1:bN2}\n", CUT);
	check("{\n \"x\": 1,\n \"a\n{\n \"b\": [\n{\n \"c\": 3\n}\n", "\n{K1:xN1}\n{K1:b[]}\n{K1:cN3}\n", CUT);
	/* Brackets that do match: a document put together of others, without indentation. */
	check("{\n \"a\": [\n{\n \"b\": 2\n}\n,\n{\n \"b\": 3\n}\n]\n}\n", "\n{K1:a[{K1:bN2}{K1:bN3}]}\n", 0);
	check("[\n{\"a\":1},\n{\"a\":2}\n]", "\n[{K1:aN1}{K1:aN2}]\n", 0);
}

static void test_control(void **state)
{
	(void)state;
	check("{\"a\tb\":\"c\x01\nd\"}", "\n{K3:a\tbS4:c\x01\nd}\n", CONTROL);
	struct seen s;
	struct json j = read_all(&s, SLICE("{\"a\":\"\0\t\"}"));
	assert_int_equal(j.flaw_count[JSON_CONTROL], 1);
	assert_int_equal(j.flaw_offset[JSON_CONTROL], 6);
	seen_free(&s);
}

static void test_comma(void **state)
{
	(void)state;
	check("{\"a\":1 \"b\":\"x\" \"c\":{} \"d\":2}", "\n{K1:aN1K1:bS1:xK1:c{}K1:dN2}\n", COMMA);
	check("[\"x\",{,\"a\":1},[,]]", "\n[S1:x{K1:aN1}[]]\n", COMMA);
	check("{,\"a\":1}", "\n", NOISE);
	check("{\"a\":1,}", "\n{K1:aN1}\n", COMMA);
	check("[\"x\",,1,]", "\n[S1:xN1]\n", COMMA);
	check("[\"x\",1 2 -3]", "\n[S1:xN1N2N-3]\n", COMMA);
	check("[{} {}]", "\n[{}{}]\n", COMMA);
}

static void test_bad_value(void **state)
{
	(void)state;
	check("{\"a\": ,\"b\":1}", "\n{K1:aK1:bN1}\n", BAD);
	check("{\"a\": }", "\n{K1:a}\n", BAD);
	check("{\"a\": nil,\"b\":1}", "\n{K1:aK1:bN1}\n", BAD);
	check("{\"a\": 12 MB,\"b\":1}", "\n{K1:aK1:bN1}\n", BAD);
	check("{\"a\": 12MB,\"b\":1}", "\n{K1:aK1:bN1}\n", BAD);
	check("{\"a\": 12:30,\"b\":1}", "\n{K1:aK1:bN1}\n", BAD);
	check("{\"a\": -,\"b\":1}", "\n{K1:aK1:bN1}\n", BAD);
	check("[{}, -, ., -., e5, -e5, +, \"x\"]", "\n[{}S1:x]\n", BAD);
	check("{\"a\": e5,\"b\":1}", "\n{K1:aK1:bN1}\n", BAD);
	check("[{}, {\"a\" 5,\"b\":1}]", "\n[{}{K1:bN1}]\n", BAD);
	check("[{}, {\"a\", \"b\":1}]", "\n[{}{K1:bN1}]\n", BAD);
	check("[{}, {a:1,\"b\":1}]", "\n[{}{K1:bN1}]\n", BAD);
	/* A container without a key. */
	check("[{}, {{\"x\":1},\"b\":1}]", "\n[{}{K0:{K1:xN1}K1:bN1}]\n", BAD);
	check("{{\"x\":1},\"b\":1}", "\n{K1:xN1}\n", NOISE);
	check("{\"a\":1,{\"x\":1},\"b\":1}", "\n{K1:aN1K0:{K1:xN1}K1:bN1}\n", BAD);
	check("{\"a\":1,[\"}\"],\"b\":1}", "\n{K1:aN1K0:[S1:}]K1:bN1}\n", BAD);
	check("[\"a\", : , 1]", "\n[S1:aN1]\n", BAD);
	/* A message of another program between two members. */
	check("{\"a\":1,\nfio: pid=1, err=28/file:io_u.c:1876, error=No space\n\"b\":2}", "\n{K1:aN1K1:bN2}\n", BAD);
	/* A number that something strange follows may be half of one. */
	check("{\"a\": 10611.{\"x\":1},\"b\":1}", "\n{K1:aK0:{K1:xN1}K1:bN1}\n", BAD | COMMA);
	check("{\"a\": 10611. fio: killed,\"b\":1}", "\n{K1:aK1:bN1}\n", BAD);
}

static void test_bad_close(void **state)
{
	(void)state;
	check("{\"a\":[1,2},\"b\":3}", "\n{K1:a[N1N2]K1:bN3}\n", CLOSE);
	check("{\"a\":{\"c\":2],\"b\":3]", "\n{K1:a{K1:cN2}K1:bN3}\n", CLOSE);
}

static void test_not_finite(void **state)
{
	(void)state;
	check("{\"a\":nan,\"b\":-nan,\"c\":inf,\"d\":-Infinity,\"e\":NaN,\"f\":1}",
		"\n{K1:aNnanK1:bN-nanK1:cNinfK1:dN-InfinityK1:eNNaNK1:fN1}\n", NOT_FINITE);
	struct json j = json_of(SLICE("{\"a\":-nan}"));
	struct slice s;
	double v;
	assert_true(json_document(&j) && json_enter_object(&j) && json_member(&j, &s));
	assert_int_equal(json_type(&j), JSON_NUMBER);
	assert_true(json_number_text(&j, &s));
	assert_int_equal(num_double(s, &v), NUM_NOT_FINITE);
	assert_int_equal(j.flaw_offset[JSON_NOT_FINITE], 5);
}

static void test_unescape(void **state)
{
	(void)state;
	static const struct { struct slice raw, text; } rows[] = {
		{ SLICE("plain"), SLICE("plain") },
		{ SLICE("\\\"\\\\\\/\\b\\f\\n\\r\\t"), SLICE("\"\\/\b\f\n\r\t") },
		{ SLICE("\\u0041\\u00e4\\u20AC\\ud83d\\ude00"), SLICE("A\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80") },
		{ SLICE("a\\u0000b"), SLICE("a\0b") },
		{ SLICE("\\ud83dx"), SLICE("\xEF\xBF\xBDx") },
		{ SLICE("\\ude00"), SLICE("\xEF\xBF\xBD") },
		{ SLICE("\\ud83d\\u0041"), SLICE("\xEF\xBF\xBD" "A") },
		{ SLICE("\\ud83d\\ud83d\\ude00"), SLICE("\xEF\xBF\xBD\xF0\x9F\x98\x80") },
		{ SLICE("\\q \\u12 \\u12g4 \\x41"), SLICE("\\q \\u12 \\u12g4 \\x41") },
		{ SLICE("end\\"), SLICE("end\\") },
		{ SLICE("end\\u004"), SLICE("end\\u004") },
		{ SLICE(""), SLICE("") },
	};
	struct arena a = ARENA_EMPTY;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct slice text = json_unescape(&a, rows[i].raw);
		assert_int_equal(text.n, rows[i].text.n);
		assert_memory_equal(text.p, rows[i].text.p, text.n);
	}
	assert_ptr_equal(json_unescape(&a, rows[0].raw).p, rows[0].raw.p);
	arena_free(&a);
}

/* ---- the interface ---- */

static void test_places(void **state)
{
	(void)state;
	struct json j = json_of(SLICE("x\n{ \"key\" : [ 1.50, \"s\" ] , \"o\":{ \"a\": [ ] } }"));
	struct slice s;
	assert_int_equal(json_type(&j), JSON_NONE);
	assert_false(json_skip(&j, &s));
	assert_true(json_document(&j));
	assert_int_equal(json_offset(&j), 2);
	assert_true(json_enter_object(&j));
	assert_int_equal(json_type(&j), JSON_NONE);
	assert_true(json_member(&j, &s) && slice_is(s, "key"));
	assert_int_equal(json_offset(&j), 12);
	assert_int_equal(json_type(&j), JSON_ARRAY);
	assert_true(json_enter_array(&j));
	assert_true(json_element(&j));
	assert_int_equal(json_offset(&j), 14);
	assert_true(json_number_text(&j, &s) && slice_is(s, "1.50"));
	assert_true(json_element(&j));
	assert_int_equal(json_type(&j), JSON_STRING);
	assert_true(json_skip(&j, &s) && slice_is(s, "\"s\""));
	assert_false(json_element(&j));
	assert_true(json_member(&j, &s) && slice_is(s, "o"));
	assert_true(json_skip(&j, &s) && slice_is(s, "{ \"a\": [ ] }"));
	assert_false(json_member(&j, &s));
	assert_int_equal(j.depth, 0);
	assert_false(json_document(&j));
}

static void test_wrong_type(void **state)
{
	(void)state;
	struct json j = json_of(SLICE("{\"a\":[1],\"b\":2,\"c\":\"3\",\"d\":{\"x\":0},\"e\":true,\"f\":4}"));
	struct slice key, s;
	assert_true(json_document(&j) && json_enter_object(&j));
	assert_true(json_member(&j, &key) && !json_enter_object(&j));
	assert_true(json_member(&j, &key) && slice_is(key, "b") && !json_string(&j, &s));
	assert_false(json_number_text(&j, &s));
	assert_true(json_member(&j, &key) && slice_is(key, "c") && !json_number_text(&j, &s));
	assert_true(json_member(&j, &key) && slice_is(key, "d") && !json_string(&j, &s));
	assert_false(json_element(&j));
	assert_true(json_member(&j, &key) && slice_is(key, "e") && !json_number_text(&j, &s));
	assert_true(json_member(&j, &key) && slice_is(key, "f") && !json_enter_array(&j));
	assert_false(json_element(&j));
	assert_false(json_member(&j, &key));
	assert_false(json_member(&j, &key));
}

static void test_leave(void **state)
{
	(void)state;
	struct json j = json_of(SLICE("{\"a\":{\"b\":{\"c\":[1,{\"d\":2}],\"e\":3},\"f\":\"}\"},\"g\":4} [{\"h\":5}]"));
	struct slice s;
	assert_true(json_document(&j) && json_enter_object(&j) && json_member(&j, &s));
	assert_true(json_enter_object(&j) && json_member(&j, &s) && json_enter_object(&j) && json_member(&j, &s));
	json_leave(&j);
	assert_true(json_member(&j, &s) && slice_is(s, "f"));
	json_leave(&j);
	assert_true(json_member(&j, &s) && slice_is(s, "g"));
	assert_true(json_document(&j) && json_enter_array(&j) && json_element(&j) && json_enter_object(&j));
	assert_true(json_member(&j, &s) && slice_is(s, "h"));
	assert_false(json_document(&j));
	assert_false(json_truncated(&j));
	json_leave(&j);
}

/* ---- what is expected ---- */

static void expect_member(struct json *j, const char *quoted, const char *value)
{
	struct slice s;
	assert_true(json_member_is(j, &(struct json_key){ quoted, strlen(quoted), 0 }));
	assert_true(json_number_text(j, &s) && slice_is(s, value));
}

/* In each form of writing; what stands otherwise is left as it was. */
static void test_member_is(void **state)
{
	(void)state;
	static const char *const forms[] = { "{\n  \"a\" : 1,\n  \"long name of a key\" : 2.5,\n  \"c\" : 3\n}",
		"{\"a\":1,\"long name of a key\":2.5,\"c\":3}\n",
		"{\r\n\t\"a\": 1,\r\n\t\"long name of a key\": 2.5,\r\n\t\"c\": 3}\r\n" };
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		struct json j = json_of(slice_of(forms[i]));
		struct slice key, s;
		assert_false(json_member_is(&j, &(struct json_key)JSON_KEY("a", 0)));
		assert_true(json_document(&j));
		assert_false(json_member_is(&j, &(struct json_key)JSON_KEY("a", 0)));
		assert_true(json_enter_object(&j));
		assert_false(json_member_is(&j, &(struct json_key)JSON_KEY("b", 0)));
		expect_member(&j, "\"a\"", "1");
		assert_false(json_member_is(&j, &(struct json_key)JSON_KEY("long name", 0)));
		expect_member(&j, "\"long name of a key\"", "2.5");
		assert_true(json_member_is(&j, &(struct json_key)JSON_KEY("c", 0)));
		/* The value is still to be read. */
		assert_false(json_member_is(&j, &(struct json_key)JSON_KEY("c", 0)));
		assert_true(json_number_text(&j, &s) && slice_is(s, "3"));
		assert_false(json_member_is(&j, &(struct json_key)JSON_KEY("d", 0)));
		assert_false(json_member(&j, &key));
		assert_false(json_document(&j));
	}
}

/* What json_member forgives and counts is left to it. */
static void test_member_is_strict(void **state)
{
	(void)state;
	static const char *const wrong[] = { "{\"a\":1 \"b\":2}", "{\"a\":1,,\"b\":2}", "{\"a\":1,\"b\" 2}", "{\"a\":1,\"b\"",
		"{\"a\":1,\"b\":", "{\"a\":1,\"b\": ", "[\"b\",2]", "{\"a\":1,\001\"b\":2}", "{\"a\":1,}" };
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct json j = json_of(slice_of(wrong[i]));
		struct slice key, s;
		assert_true(json_document(&j));
		if (json_enter_object(&j))
			assert_true(json_member(&j, &key) && json_number_text(&j, &s));
		struct json before = j;
		assert_false(json_member_is(&j, &(struct json_key)JSON_KEY("b", 0)));
		assert_memory_equal(&j, &before, sizeof j);
	}
}

static void test_again(void **state)
{
	(void)state;
	struct json j = json_of(SLICE("[{\"a\" : 1},{\"a\" : 1},{\"a\" : 12}]"));
	struct slice s;
	assert_true(json_document(&j) && json_enter_array(&j) && json_element(&j));
	assert_false(json_again(&j, SLICE_NONE));
	assert_true(json_skip(&j, &s));
	assert_true(json_element(&j) && json_again(&j, s));
	assert_true(json_element(&j) && !json_again(&j, s));
	assert_true(json_skip(&j, &s) && slice_is(s, "{\"a\" : 12}"));
	assert_false(json_again(&j, s));
	assert_false(json_element(&j));
	assert_int_equal(j.depth, 0);
}

/* ---- size and depth ---- */

static void test_deep(void **state)
{
	(void)state;
	enum { LEVELS = 100000 };
	struct buf b = BUF_EMPTY;
	buf_str(&b, "{\"deep\":");
	for (int i = 0; i < LEVELS; i++)
		buf_str(&b, i % 2 ? "[" : "{\"]\":");
	buf_str(&b, "1");
	for (int i = LEVELS - 1; i >= 0; i--)
		buf_str(&b, i % 2 ? "]" : "}");
	buf_str(&b, ",\"after\":7}");
	struct seen s;
	struct json j = read_all(&s, buf_view(&b));
	assert_int_equal(j.flaw_count[JSON_TOO_DEEP], 1);
	assert_false(json_truncated(&j));
	assert_true(slice_ends(buf_view(&s.text), "}K5:afterN7}\n"));
	seen_free(&s);
	j = json_of(buf_view(&b));
	assert_true(json_document(&j) && json_skip(&j, NULL));
	assert_int_equal(json_offset(&j), b.n);
	buf_free(&b);
}

/* Each would take hours if any step went back over what it has seen. */
static void test_hostile_is_linear(void **state)
{
	(void)state;
	static const char *const unit[] = {
		"[", "{", "{\"", "{\"\":", "[\"", "[\"\",", "[{\"a\":[", "{\"a\":\n{",
		"{\n \"a\":[\n", "\n {\n \"a\":1}", "{\n\"", "\"", "\\",
		"{\"\\", "[ ", "{}", "[]", "{\n ", "[[{",
		" {\n 5", "{\"a\":1\n{", "{\n \"a\":{}}\n", "{\"a\":5 ", "{\"a\" ", ",", "[[]", ":", "}",
	};
	alarm(300);
	for (size_t i = 0; i < sizeof unit / sizeof *unit; i++) {
		struct buf b = BUF_EMPTY;
		while (b.n < 1 << 22)
			buf_str(&b, unit[i]);
		struct seen s;
		read_all(&s, buf_view(&b));
		seen_free(&s);
		struct json j = json_of(buf_view(&b));
		while (json_document(&j))
			json_skip(&j, NULL);
		buf_free(&b);
	}
	alarm(0);
}

/* Brackets in strings, quotes and runs of backslashes at every offset of a block. */
static void test_skip_at_every_offset(void **state)
{
	(void)state;
	static const char *const inner[] = {
		"\"]\"", "\"\\\"]\"", "\"\\\\\",\"]\"", "\"\\\\\\\"]\"", "{\"}\":\"{\"}", "\"\\\\\\\\\",[[]]", "\"||\"",
		"\"[\",\"{\\u005d\"",
		"1",
	};
	for (size_t pad = 0; pad < 140; pad++) {
		for (size_t i = 0; i < sizeof inner / sizeof *inner; i++) {
			struct buf b = BUF_EMPTY;
			buf_printf(&b, "[[\"%*s\",%s,%*s{}],1]", (int)pad, "", inner[i], (int)(pad * 7 % 67), "");
			struct json j = json_of(buf_view(&b));
			struct slice raw;
			assert_true(json_document(&j) && json_enter_array(&j) && json_element(&j));
			assert_true(json_skip(&j, &raw));
			assert_int_equal(raw.n, b.n - 4);
			assert_true(json_element(&j) && json_number_text(&j, &raw) && slice_is(raw, "1"));
			assert_false(json_element(&j));
			buf_free(&b);
		}
	}
}

/* Where the brackets of some text are closed, one byte at a time. */
static size_t closed_at(const char *p, size_t n)
{
	size_t depth = 0;
	bool string = false;
	for (size_t i = 0; i < n; i++) {
		if (string && p[i] == '\\')
			i++;
		else if (p[i] == '"')
			string = !string;
		else if (!string && strchr("{[", p[i]))
			depth++;
		else if (!string && strchr("}]", p[i]) && --depth == 0)
			return i + 1;
	}
	return 0;
}

static void test_random_skip(void **state)
{
	(void)state;
	static const char bytes[] = "{[}]\"\\|,:; abcdefgh123456789";
	srand(7);
	for (int i = 0; i < 100000; i++) {
		char text[200] = "[1,";
		size_t n = 3 + (size_t)rand() % (sizeof text - 3), most = i % 2 ? sizeof bytes - 1 : 10;
		for (size_t k = 3; k < n; k++)
			text[k] = bytes[(size_t)rand() % most];
		memcpy(text, "[{},", 4);
		n = n < 4 ? 4 : n;
		size_t end = closed_at(text, n);
		struct json j = json_of((struct slice){ text, n });
		struct slice raw;
		assert_true(json_document(&j));
		assert_int_equal(json_skip(&j, &raw), end > 0);
		assert_int_equal(raw.n, end);
	}
}

static void test_long_skip(void **state)
{
	(void)state;
	struct buf b = BUF_EMPTY;
	buf_str(&b, "{\"bins\":[\"\"");
	for (int i = 0; i < 200000; i++)
		buf_printf(&b, ",%d,\"]\\\"\"", i);
	buf_str(&b, "],\"after\":7}");
	struct json j = json_of(buf_view(&b));
	struct slice s;
	assert_true(json_document(&j) && json_enter_object(&j) && json_member(&j, &s) && json_member(&j, &s));
	assert_true(slice_is(s, "after") && json_number_text(&j, &s) && slice_is(s, "7"));
	buf_free(&b);
}

static void test_flaw_texts(void **state)
{
	(void)state;
	for (int f = 0; f < JSON_FLAWS; f++)
		for (int g = 0; g < f; g++)
			assert_string_not_equal(json_flaw_text((enum json_flaw)f), json_flaw_text((enum json_flaw)g));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_noise),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_cut_then_whole),
		cmocka_unit_test(test_control),
		cmocka_unit_test(test_comma),
		cmocka_unit_test(test_bad_value),
		cmocka_unit_test(test_bad_close),
		cmocka_unit_test(test_not_finite),
		cmocka_unit_test(test_unescape),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_wrong_type),
		cmocka_unit_test(test_leave),
		cmocka_unit_test(test_member_is),
		cmocka_unit_test(test_member_is_strict),
		cmocka_unit_test(test_again),
		cmocka_unit_test(test_deep),
		cmocka_unit_test(test_hostile_is_linear),
		cmocka_unit_test(test_skip_at_every_offset),
		cmocka_unit_test(test_random_skip),
		cmocka_unit_test(test_long_skip),
		cmocka_unit_test(test_flaw_texts),
	};
	return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
