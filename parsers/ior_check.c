#include "parsers/ior_check.h"

#include "base/num.h"

#include <math.h>

const char *const ior_param_names[IOR_PARAMS] = {
	[IOR_API] = "api", [IOR_TASKS] = "tasks", [IOR_NODES] = "nodes", [IOR_BLOCK] = "block_size",
	[IOR_TRANSFER] = "transfer_size", [IOR_TEST] = "test_id",
};

const char *const ior_op_names[IOR_OPS] = { [IOR_WRITE] = "write", [IOR_READ] = "read" };

enum ior_op ior_op_of(struct slice access)
{
	for (enum ior_op op = 0; op < IOR_OPS; op++)
		if (slice_is(access, ior_op_names[op]))
			return op;
	return IOR_OPS;
}

void ior_set(struct ior_test *t, enum ior_param param, struct slice value, struct slice text, struct pos pos)
{
	if (value.n && !t->params[param].key.n)
		t->params[param] = (struct param){ slice_of(ior_param_names[param]), value, text, pos };
}

struct slice ior_bare_api(struct slice printed)
{
	size_t dash = slice_find_char(printed, '-');
	struct slice version = dash == (size_t)-1 ? SLICE_NONE : slice_from(printed, dash + 1);
	return version.n && num_span(version) > 0 && slice_find_char(version, '.') != (size_t)-1 ? slice_head(printed, dash) : printed;
}

bool ior_exact_size(struct slice text, double *bytes)
{
	static const struct unit_scale units[] = {
		{ "bytes", UNIT_B, 1 }, { "KiB", UNIT_B, 0x1p10 }, { "MiB", UNIT_B, 0x1p20 }, { "GiB", UNIT_B, 0x1p30 },
		{ "TiB", UNIT_B, 0x1p40 }, { "byte", UNIT_B, 1 }, { NULL, UNIT_ONE, 0 }
	};
	struct slice number, unit;
	uint64_t n;
	if (!slice_word(&text, &number) || !slice_word(&text, &unit) || num_u64(number, &n) != NUM_OK)
		return false;
	const struct unit_scale *scale = unit_find(units, unit);
	if (scale)
		*bytes = (double)n * scale->factor;
	return scale != NULL;
}

void ior_see(struct ior_series *s, const struct quantity *bandwidth)
{
	double v = bandwidth->value;
	s->min = s->n == 0 || v < s->min ? v : s->min;
	s->max = s->n == 0 || v > s->max ? v : s->max;
	s->half_digit = fmax(s->half_digit, bandwidth->half_digit);
	s->sum += v;
	s->squares += v * v;
	s->n++;
}

double ior_recomputed(const struct ior_series *s, const char *stat)
{
	double mean = s->sum / (double)s->n;
	if (strcmp(stat, "max") == 0)
		return s->max;
	if (strcmp(stat, "min") == 0)
		return s->min;
	if (strcmp(stat, "mean") == 0)
		return mean;
	return sqrt(fmax(0, s->squares / (double)s->n - mean * mean));
}

bool ior_short(const struct ior_test *t, enum ior_op op)
{
	return t->series[op].n > 0 && t->series[op].n + t->series[op].lost < t->repetitions;
}

/* The difference of squares loses digits where the spread is small beside the mean. */
bool ior_agrees(const struct ior_test *t, enum ior_op op, const char *stat, const struct quantity *printed)
{
	const struct ior_series *s = &t->series[op];
	if (s->n == 0 || s->lost || ior_short(t, op))
		return true;
	double slack = s->half_digit + printed->half_digit + 1e-6 * s->max;
	return fabs(ior_recomputed(s, stat) - printed->value) <= slack;
}
