/* SPEC CPU: tables, headings, packed values, and what may be published. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <nettle/base64.h>
#include <stdlib.h>
#include <zlib.h>

#include "model/publish.h"
#include "parsers/spec_block.h"
#include "parsers/spec_file.h"

static void each_suite_is_whole(void **state)
{
	(void)state;
	static const struct {
		const char *metric;
		unsigned n;
	} known[] = {
		{ "SPECrate2017_int_base", 10 },
		{ "SPECrate2017_fp_peak", 13 },
		{ "SPECspeed2017_int_base", 10 },
		{ "SPECspeed2017_fp_base", 10 },
		{ "SPECint_rate_base2006", 12 },
		{ "SPECfp2006", 17 },
		{ "SPECrate2026_int_base", 14 },
		{ "SPECrate2026_fp_base", 12 },
	};
	enum spec_tune tune;
	bool energy;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		const struct spec_suite *s = spec_suite_by_metric(slice_of(known[i].metric), &tune, &energy);
		assert_non_null(s);
		assert_int_equal(s->n, known[i].n);
		assert_string_equal(s->metric[tune], known[i].metric);
		assert_false(energy);
	}
	assert_null(spec_suite_by_metric(SLICE("SPECjbb2015"), &tune, &energy));
	assert_non_null(spec_suite_by_metric(SLICE("SPECrate2017_int_energy_peak"), &tune, &energy));
	assert_true(energy && tune == SPEC_PEAK);
	assert_ptr_not_equal(
		spec_suite_by_benchmark(SLICE("429.mcf"), true), spec_suite_by_benchmark(SLICE("429.mcf"), false));
	assert_null(spec_suite_by_benchmark(SLICE("999.specrand_ir"), true));
}

static void headings_say_what_a_column_is(void **state)
{
	(void)state;
	struct spec_column c = spec_column_of(SLICE("Est. Peak Run Time"));
	assert_true(c.role == SPEC_OF_FIGURE && c.figure == SPEC_TIME && c.tune == SPEC_PEAK && c.estimated);
	c = spec_column_of(SLICE("Base # Threads"));
	assert_true(c.role == SPEC_OF_PARALLEL && c.threads && c.tune == SPEC_BASE);
	assert_int_equal(spec_column_of(SLICE("Base Ref Time")).role, SPEC_OF_REFERENCE);
	assert_int_equal(spec_column_of(SLICE("Base Energy Ratio")).figure, SPEC_ENERGY_RATIO);
	c = spec_column_of(SLICE("Base Energy (kJ)"));
	assert_true(c.figure == SPEC_ENERGY && fabs(c.factor - 1e3) < 1e-9);
	assert_int_equal(spec_column_of(SLICE("Anything else")).role, SPEC_NO_ROLE);
}

static bool decodes(struct arena *a, const char *packed, const char *text)
{
	struct slice out;
	const char *problem = NULL;
	bool ok = spec_block_decode(a, slice_of(packed), &out, &problem);
	if (!text)
		return !ok && problem;
	return ok && slice_is(out, text);
}

static void packed_values(void **state)
{
	(void)state;
	struct arena a = ARENA_EMPTY;
	/* zlib, its padding left out; bzip2 behind 0xF0 and a length, and bare */
	assert_true(decodes(&a, "@eNpLS8wpTtUtSEzOTkzKSQUAKI4FbA", "false-packable"));
	assert_true(decodes(
		&a, "&8AAAAA5CWmg5MUFZJlNZCbBXlAAABBGAAAI7DEgAIAAiAaHqEAMLztTBgIXi7kinChIBNgrygA==", "false-packable"));
	assert_true(
		decodes(&a, "&QlpoOTFBWSZTWQmwV5QAAAQRgAACOwxIACAAIgGh6hADC87UwYCF4u5IpwoSATYK8oA=", "false-packable"));
	assert_true(decodes(&a, "@", NULL));
	assert_true(decodes(&a, "", NULL));
	assert_true(decodes(&a, "plain text", NULL));
	assert_true(decodes(&a, "@!!!!", NULL));
	assert_true(decodes(&a, "@eNpLS8wpTtUtSEzOTsxJ", NULL));
	assert_true(decodes(&a, "&8AAAAA5CWmg5", NULL));
	arena_free(&a);
}

/* Sixty-four megabytes of nothing in sixty-four kilobytes, and a value that is too long as it stands. */
static void a_bomb_is_not_unpacked(void **state)
{
	(void)state;
	enum { SIZE = 64 << 20 };
	struct arena a = ARENA_EMPTY;
	struct slice out;
	const char *problem;
	uLongf n = compressBound(SIZE);
	uint8_t *zeros = calloc(1, SIZE), *packed = arena_alloc(&a, n);
	assert_non_null(zeros);
	assert_int_equal(compress2(packed, &n, zeros, SIZE, 9), Z_OK);
	free(zeros);
	char *text = arena_alloc(&a, BASE64_ENCODE_RAW_LENGTH(n) + 1);
	text[0] = '@';
	base64_encode_raw(text + 1, n, packed);
	assert_false(spec_block_decode(&a, (struct slice){ text, BASE64_ENCODE_RAW_LENGTH(n) + 1 }, &out, &problem));
	assert_string_equal(problem, "is damaged or too large");
	char *big = arena_alloc(&a, SPEC_BLOCK_PACKED + 1);
	memset(big, 'A', SPEC_BLOCK_PACKED + 1);
	big[0] = '@';
	assert_false(spec_block_decode(&a, (struct slice){ big, SPEC_BLOCK_PACKED + 1 }, &out, &problem));
	assert_string_equal(problem, "is too large");
	arena_free(&a);
}

struct metric_of {
	struct run run;
	struct job job;
	struct param params[3];
	struct result result;
};

static void set(struct metric_of *m, const char *tool, const char *metric, const char *tune, const char *size)
{
	*m = (struct metric_of){ .run = { .tool = slice_of(tool) },
		.params = { { .key = SLICE("tune"), .value = slice_of(tune) },
			{ .key = SLICE("size"), .value = slice_of(size) } } };
	m->job = (struct job){ .name = slice_of(metric), .params = { m->params, 2 } };
	m->result = (struct result){ .metric = METRIC_SCORE, .stat = SLICE("value"), .job = &m->job };
}

static const char *between(struct arena *a, const struct metric_of *x, const struct metric_of *y)
{
	const char *why = publish_obstacle(a, &x->run, &x->result, &y->run, &y->result);
	return why ? why : "";
}

static void what_may_be_compared(void **state)
{
	(void)state;
	struct arena a = ARENA_EMPTY;
	struct metric_of x, y;
	set(&x, "spec-cpu2017", "SPECrate2017_int_base", "base", "ref");
	set(&y, "spec-cpu2017", "SPECrate2017_int_base", "base", "ref");
	assert_string_equal(between(&a, &x, &y), "");
	set(&y, "spec-cpu2026", "SPECrate2026_int_base", "base", "ref");
	assert_string_equal(between(&a, &x, &y), "SPEC CPU2017 and SPEC CPU2026 are different benchmarks");
	set(&y, "spec-cpu2017", "SPECrate2017_fp_base", "base", "ref");
	assert_string_equal(between(&a, &x, &y), "SPECrate2017_int and SPECrate2017_fp are different suites");
	set(&y, "spec-cpu2017", "SPECrate2017_int_peak", "peak", "ref");
	assert_string_equal(between(&a, &x, &y), "base and peak are built by different rules");
	set(&y, "spec-cpu2017", "SPECrate2017_int_base", "base", "train");
	assert_string_equal(between(&a, &x, &y), "size ref and size train are different work");
	set(&x, "spec-cpu2006", "SPECint_rate_base2006", "base", "ref");
	set(&y, "spec-cpu2006", "SPECint_rate2006", "peak", "ref");
	assert_string_equal(between(&a, &x, &y), "base and peak are built by different rules");
	set(&y, "fio", "randread", "base", "ref");
	assert_string_equal(between(&a, &x, &y), "");
	x.result.flags = RESULT_ESTIMATED;
	assert_string_equal(publish_mark(&x.result), " est.");
	assert_string_equal(publish_mark(&y.result), "");
	y.result.flags = RESULT_PUBLISHED;
	assert_string_equal(publish_mark(&y.result), " published");
	y.result.flags |= RESULT_ESTIMATED;
	assert_string_equal(publish_mark(&y.result), " est., published");
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_suite_is_whole),
		cmocka_unit_test(headings_say_what_a_column_is),
		cmocka_unit_test(packed_values),
		cmocka_unit_test(a_bomb_is_not_unpacked),
		cmocka_unit_test(what_may_be_compared),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
