#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/metric.h"
#include "model/unit.h"

#include <math.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool near(double a, double b)
{
	return fabs(a - b) <= 1e-12 * fabs(b);
}

static void what_people_write(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		enum unit wanted;
		double value;
		enum unit unit;
		enum quantity_op op;
		double half_digit;
	} cases[] = {
		{ "113k", UNIT_PER_S, 113e3, UNIT_PER_S, OP_NONE, 500 },
		{ "113k", UNITS, 113e3, UNIT_ONE, OP_NONE, 500 },
		{ "1.05MM", UNIT_PER_S, 1.05e6, UNIT_PER_S, OP_NONE, 5e3 },
		{ "1.67M", UNIT_PER_S, 1.67e6, UNIT_PER_S, OP_NONE, 5e3 },
		{ "1.67MM", UNITS, 1.67e6, UNIT_ONE, OP_NONE, 5e3 },
		{ "5,497,776", UNIT_PER_S, 5497776, UNIT_PER_S, OP_NONE, 0.5 },
		{ "1,408,412.5 IOPS", UNITS, 1408412.5, UNIT_PER_S, OP_NONE, 0.05 },
		{ "6.2 kIOPS", UNIT_PER_S, 6200, UNIT_PER_S, OP_NONE, 50 },
		{ "113k IOPS", UNIT_PER_S, 113e3, UNIT_PER_S, OP_NONE, 500 },
		{ "1.67 MM IOPS", UNIT_PER_S, 1.67e6, UNIT_PER_S, OP_NONE, 5e3 },
		{ "4k", UNIT_B, 4096, UNIT_B, OP_NONE, 512 },
		{ "4K", UNIT_B, 4096, UNIT_B, OP_NONE, 512 },
		{ "1m", UNIT_B, 1048576, UNIT_B, OP_NONE, 524288 },
		{ "2g", UNIT_B, 2147483648.0, UNIT_B, OP_NONE, 536870912 },
		{ "1T", UNIT_B, 1099511627776.0, UNIT_B, OP_NONE, 549755813888.0 },
		{ "4k", UNIT_PER_S, 4000, UNIT_PER_S, OP_NONE, 500 },
		{ "4 KiB", UNIT_B, 4096, UNIT_B, OP_NONE, 512 },
		{ "4kB", UNIT_B, 4000, UNIT_B, OP_NONE, 500 },
		{ "4 kB", UNITS, 4000, UNIT_B, OP_NONE, 500 },
		{ "25 Gb/s", UNIT_B_PER_S, 3.125e9, UNIT_B_PER_S, OP_NONE, 0.0625e9 },
		{ "25Gbe", UNIT_B_PER_S, 3.125e9, UNIT_B_PER_S, OP_NONE, 0.0625e9 },
		{ "100GbE", UNITS, 12.5e9, UNIT_B_PER_S, OP_NONE, 0.0625e9 },
		{ "25 Gbps", UNITS, 3.125e9, UNIT_B_PER_S, OP_NONE, 0.0625e9 },
		{ "1 Mibit/s", UNITS, 131072, UNIT_B_PER_S, OP_NONE, 65536 },
		{ "186 GB/s", UNITS, 186e9, UNIT_B_PER_S, OP_NONE, 0.5e9 },
		{ "4.4 GiB/s", UNITS, 4.4 * 1073741824, UNIT_B_PER_S, OP_NONE, 0.05 * 1073741824 },
		{ "480 KB/s", UNITS, 480e3, UNIT_B_PER_S, OP_NONE, 500 },
		{ "< 1 ms", UNIT_S, 1e-3, UNIT_S, OP_LT, 0.5e-3 },
		{ "<=1ms", UNIT_S, 1e-3, UNIT_S, OP_LE, 0.5e-3 },
		{ "\xe2\x89\xa5 113k", UNIT_PER_S, 113e3, UNIT_PER_S, OP_GE, 500 },
		{ "\xe2\x89\xa4 2 s", UNIT_S, 2, UNIT_S, OP_LE, 0.5 },
		{ ">= 2", UNITS, 2, UNIT_ONE, OP_GE, 0.5 },
		{ "> 2", UNITS, 2, UNIT_ONE, OP_GT, 0.5 },
		{ "= 2", UNITS, 2, UNIT_ONE, OP_EQ, 0.5 },
		{ "100 \xc2\xb5s", UNITS, 100e-6, UNIT_S, OP_NONE, 0.5e-6 },
		{ "100 \xce\xbcs", UNITS, 100e-6, UNIT_S, OP_NONE, 0.5e-6 },
		{ "100us", UNIT_S, 100e-6, UNIT_S, OP_NONE, 0.5e-6 },
		{ "250 ns", UNIT_S, 250e-9, UNIT_S, OP_NONE, 0.5e-9 },
		{ "60 s", UNIT_S, 60, UNIT_S, OP_NONE, 0.5 },
		{ "60", UNIT_S, 60, UNIT_S, OP_NONE, 0.5 },
		{ "5 min", UNITS, 300, UNIT_S, OP_NONE, 30 },
		{ "12h", UNITS, 43200, UNIT_S, OP_NONE, 1800 },
		{ "10 %", UNITS, 10, UNIT_PERCENT, OP_NONE, 0.5 },
		{ "99.99%", UNIT_PERCENT, 99.99, UNIT_PERCENT, OP_NONE, 0.005 },
		{ "$1.95/h", UNITS, 1.95, UNIT_USD_H, OP_NONE, 0.005 },
		{ "$ 1.95 /hour", UNIT_USD_H, 1.95, UNIT_USD_H, OP_NONE, 0.005 },
		{ "1.95 USD/h", UNITS, 1.95, UNIT_USD_H, OP_NONE, 0.005 },
		{ "350 W", UNITS, 350, UNIT_W, OP_NONE, 0.5 },
		{ "5mW", UNITS, 5e-3, UNIT_W, OP_NONE, 0.5e-3 },
		{ "1e5", UNITS, 1e5, UNIT_ONE, OP_NONE, 5e4 },
		{ "1.5e-3 s", UNITS, 1.5e-3, UNIT_S, OP_NONE, 0.5e-4 },
		{ "-3", UNITS, -3, UNIT_ONE, OP_NONE, 0.5 },
		{ "  7  ", UNITS, 7, UNIT_ONE, OP_NONE, 0.5 },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct quantity q;
		enum quantity_op op;
		const char *error;
		if (!quantity_parse(slice_of(cases[i].text), cases[i].wanted, &q, &op, &error))
			fail_msg("'%s' %s", cases[i].text, error);
		if (!near(q.value, cases[i].value) || q.unit != cases[i].unit || op != cases[i].op ||
		    !near(q.half_digit, cases[i].half_digit))
			fail_msg("'%s' is %.17g %s, op %d, half digit %g", cases[i].text, q.value, unit_name(q.unit), op, q.half_digit);
		assert_true(slice_eq(q.text, slice_trim(slice_of(cases[i].text))));
		assert_false(q.missing);
	}
}

static void what_is_refused(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		enum unit wanted;
		const char *error;
	} cases[] = {
		{ "2,3372", UNITS, "has digits that are not grouped in threes" },
		{ "12,34,567", UNITS, "has digits that are not grouped in threes" },
		{ "1234,567", UNITS, "has digits that are not grouped in threes" },
		{ ",123", UNITS, "has digits that are not grouped in threes" },
		{ "1,234,", UNITS, "has digits that are not grouped in threes" },
		{ "1.5,000", UNITS, "has digits that are not grouped in threes" },
		{ "2,33.5", UNITS, "has digits that are not grouped in threes" },
		{ "", UNITS, "does not begin with a number" },
		{ "  ", UNITS, "does not begin with a number" },
		{ "k", UNITS, "does not begin with a number" },
		{ "NR", UNITS, "does not begin with a number" },
		{ "--", UNITS, "does not begin with a number" },
		{ "nan", UNITS, "does not begin with a number" },
		{ "1-2", UNITS, "does not begin with a number" },
		{ "1.2.3", UNITS, "does not begin with a number" },
		{ "1e400", UNITS, "does not begin with a number" },
		{ "1e308 P", UNITS, "is out of range" },
		{ "5 mb/s", UNITS, "has a unit that is not known" },
		{ "5 MB/S", UNITS, "has a unit that is not known" },
		{ "5 kb", UNIT_B, "has a unit that is not known" },
		{ "5 KiIOPS", UNITS, "has a unit that is not known" },
		{ "5 mIOPS", UNITS, "has a unit that is not known" },
		{ "5 m", UNITS, "has a unit that is not known" },
		{ "5 m s", UNITS, "has a unit that is not known" },
		{ "5 kMB", UNITS, "has a unit that is not known" },
		{ "5 apples", UNITS, "has a unit that is not known" },
		{ "5k 6k", UNITS, "has a unit that is not known" },
		{ "5 kmin", UNITS, "has a unit that is not known" },
		{ "$1.95", UNITS, "is a price without /h" },
		{ "$5 GB", UNITS, "is a price without /h" },
		{ "5 ms", UNIT_PER_S, "has a unit of another kind" },
		{ "5 %", UNIT_ONE, "has a unit of another kind" },
		{ "5 GB", UNIT_B_PER_S, "has a unit of another kind" },
		{ "$1/h", UNIT_S, "has a unit of another kind" },
		{ "< 5", UNITS, "has an operator where only a value can stand" },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct quantity q;
		const char *error = NULL;
		if (quantity_parse(slice_of(cases[i].text), cases[i].wanted, &q, NULL, &error))
			fail_msg("'%s' is accepted", cases[i].text);
		assert_string_equal(error, cases[i].error);
	}
	/* A NUL and a number longer than any buffer. */
	char digits[200];
	memset(digits, '1', sizeof digits);
	struct quantity q;
	const char *error;
	assert_false(quantity_parse(SLICE("1\0002"), UNITS, &q, NULL, &error));
	assert_false(quantity_parse((struct slice){ digits, sizeof digits }, UNITS, &q, NULL, &error));
	assert_non_null(error);
}

static void what_is_shown(void **state)
{
	(void)state;
	static const struct {
		double value;
		enum unit unit;
		int digits;
		const char *text;
	} cases[] = {
		{ 231400, UNIT_PER_S, 4, "231.4 k" }, { 1.67e6, UNIT_PER_S, 3, "1.67 M" }, { 1408412, UNIT_PER_S, 4, "1.408 M" },
		{ 799, UNIT_PER_S, 4, "799" }, { 798.965, UNIT_PER_S, 4, "799.0" }, { 999.96, UNIT_PER_S, 5, "999.96" },
		{ 999.96, UNIT_PER_S, 4, "1.000 k" }, { 999.6, UNIT_PER_S, 3, "1.00 k" }, { 0.5, UNIT_PER_S, 3, "0.5" },
		{ 9.9996, UNIT_PER_S, 4, "10.00" }, { 99.996, UNIT_ONE, 4, "100.0" }, { 0, UNIT_PER_S, 3, "0" },
		{ -231400, UNIT_PER_S, 4, "-231.4 k" },
		{ 4096, UNIT_B, 3, "4 KiB" }, { 4100, UNIT_B, 3, "4.00 KiB" }, { 1.67e6, UNIT_PER_S, 4, "1.67 M" },
		{ 512, UNIT_B, 3, "512 B" }, { 4.1e6, UNIT_B_PER_S, 2, "3.9 MiB/s" },
		{ 1023.6, UNIT_B, 3, "1.00 KiB" },
		{ 1.02e-3, UNIT_S, 3, "1.02 ms" }, { 100e-6, UNIT_S, 3, "100 \xc2\xb5s" }, { 48384e-9, UNIT_S, 3, "48.4 \xc2\xb5s" },
		{ 250e-9, UNIT_S, 3, "250 ns" }, { 60, UNIT_S, 3, "60 s" }, { 0.99999, UNIT_S, 3, "1.00 s" }, { 0, UNIT_S, 3, "0 s" },
		{ 10, UNIT_PERCENT, 3, "10 %" }, { 99.99, UNIT_PERCENT, 4, "99.99 %" },
		{ INFINITY, UNIT_PER_S, 3, "inf P" }, { NAN, UNIT_S, 3, "nan s" },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		char text[64];
		size_t n = quantity_show(text, sizeof text, cases[i].value, cases[i].unit, cases[i].digits);
		assert_string_equal(text, cases[i].text);
		assert_int_equal(n, strlen(text));
	}
	char small[4];
	assert_int_equal(quantity_show(small, sizeof small, 231400, UNIT_PER_S, 4), 3);
	assert_string_equal(small, "231");
}

static void dialects(void **state)
{
	(void)state;
	static const struct unit_scale ioping[] = {
		{ "mb/s", UNIT_B_PER_S, 1048576 }, { "us", UNIT_S, 1e-6 }, { NULL, 0, 0 },
	};
	assert_ptr_equal(unit_find(ioping, SLICE("mb/s")), &ioping[0]);
	assert_null(unit_find(ioping, SLICE("MB/s")));
	assert_null(unit_find(ioping, SLICE("mb/s ")));
	assert_null(unit_find(ioping, SLICE("")));
}

static void names(void **state)
{
	(void)state;
	assert_string_equal(unit_name(UNIT_B_PER_S), "B/s");
	assert_string_equal(unit_name(UNITS), "");
	for (size_t u = 0; u < UNITS; u++)
		assert_true(*unit_name((enum unit)u));
	for (size_t m = 0; m < METRICS; m++)
		assert_int_equal(metric_find(slice_of(metric_get((enum metric_id)m)->name)), m);
	assert_int_equal(metric_find(SLICE("IOPS")), METRICS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_people_write),
		cmocka_unit_test(what_is_refused),
		cmocka_unit_test(what_is_shown),
		cmocka_unit_test(dialects),
		cmocka_unit_test(names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
