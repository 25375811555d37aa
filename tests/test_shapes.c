/* Lines that differ only in their digits match alike. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "parsers/parser.h"
#include "parsers/rules.h"
#include "parsers/shapes.h"

static void test_patterns(void **state)
{
	static const char *const fit[] = { "", "a\\db", "x{1,40}y{3}z{2,}", "(?<p99>[\\d.]+)", "[^\\d\\s]+", "[0-9a-f]", "[!-~]", "[]\\]x]",
		"[-+.]", "\\x08", "(?<=a)b", "\\(\\[", "[^]0-9]" };
	static const char *const unfit[] = { "2", "a1", "[12]", "[1-9]", "[+-5]", "[5-a]", "\\x35", "(a)\\1", "\\k<a>", "x{,3}y", "x{3", "[a",
		"[\\x30]", "(?1)" };
	(void)state;
	for (size_t i = 0; i < sizeof fit / sizeof *fit; i++)
		if (!shapes_fit(fit[i]))
			fail_msg("%s: no digit of its own", fit[i]);
	for (size_t i = 0; i < sizeof unfit / sizeof *unfit; i++)
		if (shapes_fit(unfit[i]))
			fail_msg("%s: tells digits apart", unfit[i]);
}

static bool same_shape(const char *a, const char *b)
{
	struct shapes *s = shapes_new();
	struct shape x, y;
	shape_of(&x, slice_of(a));
	shape_of(&y, slice_of(b));
	shapes_find(s, &x, 7)->known = true;
	bool same = shapes_find(s, &y, 7)->known;
	assert_false(shapes_find(s, &x, 8)->known);
	shapes_free(s);
	return same;
}

static void test_shape(void **state)
{
	(void)state;
	assert_true(same_shape("request=17 time=8.51 us", "request=90 time=1.23 us"));
	assert_true(same_shape("Copy:      12345678", "Copy:      90909090"));
	assert_false(same_shape("request=17 time=8.51 us", "request=17 time=8.51 ms"));
	assert_false(same_shape("request=17 time=8.51 us", "request=17 time=8,51 us"));
	assert_false(same_shape("request=17", "request=170"));
	assert_false(same_shape("a/b", "a0b")); /* the bytes around the digits are none */
	assert_false(same_shape("a:b", "a9b"));
	assert_false(same_shape("\xb0\xb1 1234567", "01 1234567"));

	char text[SHAPE_MOST + 1];
	struct shape shape;
	memset(text, 'x', sizeof text);
	shape_of(&shape, (struct slice){ text, SHAPE_MOST });
	assert_int_equal(shape.n, SHAPE_MOST);
	shape_of(&shape, (struct slice){ text, SHAPE_MOST + 1 });
	assert_int_equal(shape.n, 0);
}

/* More than there is room for: what is found in one place is never that of another line, or another key. */
static void test_crowd(void **state)
{
	struct shapes *s = shapes_new();
	struct shape shape;
	(void)state;
	for (unsigned i = 0; i < 5000; i++) {
		char text[] = "aaaa: 12";
		for (unsigned k = 0, n = i; k < 4; k++, n /= 10)
			text[k] = (char)('a' + n % 10);
		shape_of(&shape, slice_of(text));
		struct finding *f = shapes_find(s, &shape, 1);
		assert_false(f->known);
		f->known = true;
		assert_true(shapes_find(s, &shape, 1)->known);
	}
	for (unsigned key = 2; key < 5000; key++) {
		struct finding *f = shapes_find(s, &shape, key);
		assert_false(f->known);
		f->known = true;
	}
	shapes_free(s);
}

static void for_rules(void (*what)(const struct parser *parser, const struct rule *rule, void *ctx), void *ctx)
{
	for (size_t i = 0; parsers[i]; i++) {
		for (const struct rule *rule = parsers[i]->rules ? parsers[i]->rules->rules : NULL; rule && rule->id; rule++)
			what(parsers[i], rule, ctx);
		for (const struct rule *rule = parsers[i]->starts; rule && rule->id; rule++)
			what(parsers[i], rule, ctx);
	}
}

static struct regex *compiled(const struct rule *rule)
{
	char error[160];
	struct regex *regex = regex_compile(rule->pattern, error, sizeof error);
	assert_non_null(regex);
	return regex;
}

/* With other digits the sample of a rule matches with its groups where they were. */
static void check_digits(const struct parser *parser, const struct rule *rule, void *ctx)
{
	char other[1024];
	struct slice groups[REGEX_GROUPS], sample = slice_of(rule->sample), line = { other, sample.n };
	size_t *checked = ctx;
	if (!shapes_fit(rule->pattern) || sample.n > sizeof other)
		return;
	for (size_t i = 0; i < sample.n; i++)
		other[i] = sample.p[i] >= '0' && sample.p[i] <= '9' ? (char)('0' + (sample.p[i] - '0' + 3 + i) % 10) : sample.p[i];
	struct regex *regex = compiled(rule);
	unsigned n = regex_match(regex, sample, 0, groups);
	const size_t *at = regex_find(regex, line, 0);
	if (!n || !at)
		fail_msg("%s, rule %s: tells %.*s from its sample", parser->name, rule->id, SLICE_ARG(line));
	for (unsigned i = 0; i < n; i++) {
		struct slice part = regex_part(at, line, i);
		if ((groups[i].p ? groups[i].p - sample.p : -1) != (part.p ? part.p - line.p : -1) || groups[i].n != part.n)
			fail_msg("%s, rule %s: finds another group %u in %.*s", parser->name, rule->id, i, SLICE_ARG(line));
	}
	++*checked;
	regex_free(regex);
}

static void test_digits(void **state)
{
	size_t checked = 0;
	(void)state;
	for_rules(check_digits, &checked);
	assert_true(checked > 200);
}

/* A table of lines between others' lines would be several times slower with a pattern that does not fit. */
static void check_table(const struct parser *parser, const struct rule *rule, void *ctx)
{
	(void)ctx;
	if (parser->rules && parser->rules->flat && !parser->starts && !shapes_fit(rule->pattern))
		fail_msg("%s, rule %s: tells digits apart", parser->name, rule->id);
}

static void test_tables(void **state)
{
	(void)state;
	for_rules(check_table, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_patterns),
		cmocka_unit_test(test_shape),
		cmocka_unit_test(test_crowd),
		cmocka_unit_test(test_digits),
		cmocka_unit_test(test_tables),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
