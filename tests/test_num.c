#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/num.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static double parsed(const char *text)
{
	double v = -12345;
	enum num_status s = num_double(slice_of(text), &v);
	if (s != NUM_OK)
		fail_msg("%s %s", text, num_status_text(s));
	return v;
}

/* The compiler's reading of the same digits is the independent truth. */
#define SAME(digits) { #digits, digits }

static void reads_correctly_rounded(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		double value;
	} same[] = {
		SAME(0), SAME(7), SAME(-7), SAME(+7), SAME(0.1), SAME(.5), SAME(5.), SAME(1e3), SAME(1E3), SAME(1e+3),
		SAME(1.5e-3),
		SAME(0.000), SAME(-0.0), SAME(798.9650307999999), SAME(9007199254740992), SAME(9007199254740993),
		SAME(9007199254740993.0000000000000000000000000000000001), SAME(17976931348623157e292), SAME(1e-22), SAME(1e23),
		SAME(8.41e21), SAME(123456789012345678901234567890.), SAME(0.1234567890123456789012345678901234567890e-10),
		SAME(2.2250738585072014e-308), SAME(2.2250738585072011e-308), SAME(5e-324), SAME(4.9406564584124654e-324),
		SAME(2.4703282292062328e-324), SAME(0e999999), SAME(0.000000000000000000000000000000000000000000000000000001e54),
		SAME(100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000.e-98),
		SAME(6.02214076e23), SAME(3.14159265358979323846264338327950288419716939937510582097494459230781640628620899),
	};
	for (size_t i = 0; i < COUNT(same); i++) {
		double v = parsed(same[i].text);
		if (memcmp(&v, &same[i].value, sizeof v) != 0)
			fail_msg("%s reads as %.17g, not %.17g", same[i].text, v, same[i].value);
	}
	assert_true(parsed("1e-400") == 0);
}

static void refuses_what_is_no_number(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		enum num_status status;
	} bad[] = {
		{ "", NUM_EMPTY }, { "2,3372", NUM_JUNK }, { "1,000", NUM_JUNK }, { " 1", NUM_JUNK }, { "1 ", NUM_JUNK },
		{ "0x10", NUM_JUNK }, { "1e", NUM_JUNK }, { "1e+", NUM_JUNK }, { "e5", NUM_JUNK }, { ".", NUM_JUNK },
		{ "-", NUM_JUNK },
		{ "+-1", NUM_JUNK }, { "1.2.3", NUM_JUNK }, { "1k", NUM_JUNK }, { "--", NUM_JUNK }, { "NR", NUM_JUNK },
		{ "1'000", NUM_JUNK }, { "\xd9\xa1", NUM_JUNK },
		{ "1e309", NUM_RANGE }, { "-1e999999999999", NUM_RANGE }, { "1.7976931348623159e308", NUM_RANGE },
		{ "nan", NUM_NOT_FINITE }, { "-nan", NUM_NOT_FINITE }, { "NaN", NUM_NOT_FINITE }, { "inf", NUM_NOT_FINITE },
		{ "-Infinity", NUM_NOT_FINITE }, { "nano", NUM_JUNK },
	};
	for (size_t i = 0; i < COUNT(bad); i++) {
		double v = 42;
		if (num_double(slice_of(bad[i].text), &v) != bad[i].status)
			fail_msg("'%s': not as expected", bad[i].text);
		assert_true(v == 42);
	}
	double v = 42;
	assert_int_equal(num_double(SLICE("1\0002"), &v), NUM_JUNK);
	assert_true(v == 42);
}

static void whole_numbers(void **state)
{
	(void)state;
	uint64_t v = 42;
	assert_int_equal(num_u64(SLICE("18446744073709551615"), &v), NUM_OK);
	assert_true(v == UINT64_MAX);
	assert_int_equal(num_u64(SLICE("000"), &v), NUM_OK);
	assert_true(v == 0);
	v = 42;
	assert_int_equal(num_u64(SLICE("18446744073709551616"), &v), NUM_RANGE);
	assert_int_equal(num_u64(SLICE("99999999999999999999999"), &v), NUM_RANGE);
	assert_int_equal(num_u64(SLICE("-1"), &v), NUM_JUNK);
	assert_int_equal(num_u64(SLICE("+1"), &v), NUM_JUNK);
	assert_int_equal(num_u64(SLICE("1.0"), &v), NUM_JUNK);
	assert_int_equal(num_u64(SLICE(""), &v), NUM_EMPTY);
	assert_true(v == 42);
}

static void spans(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		size_t span;
	} cases[] = { { "12.5MiB/s", 4 }, { "1e5", 3 }, { "1e5.5", 3 }, { "1eV", 1 }, { "1e-", 1 }, { "-.5x", 3 },
		{ "..5", 0 },
		{ "1.", 2 }, { "x1", 0 }, { "", 0 }, { "2,3372", 1 }, { "nan", 0 } };
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_int_equal(num_span(slice_of(cases[i].text)), cases[i].span);
}

static void half_digits(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		double half;
	} cases[] = { { "5.50", 0.005 }, { "12e3", 500 }, { "7", 0.5 }, { "-7.0", 0.05 }, { "1.5e-3", 0.5e-4 },
		{ "1.5E+3", 50 },
		{ "100", 0.5 }, { ".5", 0.05 }, { "x", 0 }, { "", 0 } };
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_true(fabs(num_half_digit(slice_of(cases[i].text)) - cases[i].half) <= 1e-12 * cases[i].half);
}

static void writes_shortest(void **state)
{
	(void)state;
	static const struct {
		double value;
		const char *text;
	} cases[] = {
		{ 0, "0" }, { -0.0, "0" }, { 1, "1" }, { -1, "-1" }, { 0.1, "0.1" }, { 1.0 / 3, "0.3333333333333333" },
		{ 798.9650307999999, "798.9650307999999" }, { 1e6, "1000000" }, { 9007199254740992, "9007199254740992" },
		{ 1e16, "1e+16" }, { 1e22, "1e+22" }, { 1e-5, "1e-05" }, { 0.0001, "0.0001" }, { 4096, "4096" },
		{ 5e-324, "5e-324" }, { 1e-310, "1e-310" }, { DBL_MIN, "2.2250738585072014e-308" },
		{ DBL_MAX, "1.7976931348623157e+308" }, { 0.30000000000000004, "0.30000000000000004" },
		{ NAN, "nan" }, { INFINITY, "inf" }, { -INFINITY, "-inf" },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		char text[NUM_FORMAT_SIZE];
		assert_int_equal(num_format(text, cases[i].value), strlen(cases[i].text));
		assert_string_equal(text, cases[i].text);
	}
}

/* What a tool may have printed comes back as %.15g writes it, which is shortest, in any unit's size. */
static void writes_like_printf(void **state)
{
	(void)state;
	uint64_t bits = 88172645463325252u;
	for (size_t i = 0; i < 200000; i++) {
		bits ^= bits << 13;
		bits ^= bits >> 7;
		bits ^= bits << 17;
		double unit = pow(10, (double)(bits >> 8 & 31) - 20), v = (double)(bits >> 32) * unit * (bits & 1 ? -1 : 1);
		char text[NUM_FORMAT_SIZE], expected[64];
		snprintf(expected, sizeof expected, "%.15g", v);
		if (v == floor(v) || strtod(expected, NULL) != v)
			continue;
		num_format(text, v);
		assert_string_equal(text, expected);
	}
}

/* Doubles of every size, by their bits. */
static void check_round_trips(void)
{
	uint64_t bits = 88172645463325252u;
	for (size_t i = 0; i < 20000; i++) {
		bits ^= bits << 13;
		bits ^= bits >> 7;
		bits ^= bits << 17;
		double v, back;
		memcpy(&v, &bits, sizeof v);
		if (!isfinite(v))
			continue;
		char text[NUM_FORMAT_SIZE];
		size_t n = num_format(text, v);
		assert_true(n < NUM_FORMAT_SIZE && n == strlen(text));
		assert_int_equal(num_double((struct slice){ text, n }, &back), NUM_OK);
		if (back != v)
			fail_msg("%s is not %.17g", text, v);
	}
}

static void round_trips(void **state)
{
	(void)state;
	check_round_trips();
}

/* Under a locale with a decimal comma, should a library set one. */
static void locale_does_not_matter(void **state)
{
	static const char *const names[] = { "de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8", "fr_FR.utf8", "nl_NL.UTF-8",
		"ps_AF.UTF-8", "ps_AF" };
	size_t i = 0;
	while (i < COUNT(names) && !setlocale(LC_NUMERIC, names[i]))
		i++;
	if (i == COUNT(names)) {
		print_message("no locale with a decimal comma is installed\n");
		skip();
	}
	assert_string_not_equal(localeconv()->decimal_point, ".");
	reads_correctly_rounded(state);
	writes_shortest(state);
	check_round_trips();
	setlocale(LC_NUMERIC, "C");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_correctly_rounded),
		cmocka_unit_test(refuses_what_is_no_number),
		cmocka_unit_test(whole_numbers),
		cmocka_unit_test(spans),
		cmocka_unit_test(half_digits),
		cmocka_unit_test(writes_shortest),
		cmocka_unit_test(writes_like_printf),
		cmocka_unit_test(round_trips),
		cmocka_unit_test(locale_does_not_matter),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
