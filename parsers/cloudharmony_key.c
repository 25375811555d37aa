#include "parsers/cloudharmony_key.h"

#include "base/num.h"
#include "parsers/csv_rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define MIB 1048576.0
#define MS 1e-3

const struct cloudharmony_ss cloudharmony_ss[CLOUDHARMONY_SS] = {
	{ "ss_average", "steady_mean" },
	{ "ss_largest_data_excursion", "data_excursion" },
	{ "ss_slope", "slope" },
	{ "ss_largest_slope_excursion", "slope_excursion" },
};

static const struct cloudharmony_test tests[] = {
	{ "iops", METRIC_IOPS, 1, "4096" },
	{ "latency", METRIC_LATENCY, MS, "4096" },
	{ "throughput", METRIC_BANDWIDTH, MIB, NULL },
	{ "wsat", METRIC_IOPS, 1, "4096" },
	{ "hir", METRIC_IOPS, 1, "4096" },
	{ "xsr", METRIC_IOPS, 1, "4096" },
};

const struct cloudharmony_test *cloudharmony_test_find(struct slice name)
{
	for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
		if (slice_is(name, tests[i].name))
			return &tests[i];
	return NULL;
}

bool cloudharmony_size(struct slice text, char *out, size_t size)
{
	uint64_t n;
	size_t unit = text.n > 1 ? slice_find_char(SLICE("bkmg"), text.p[text.n - 1]) : (size_t)-1;
	if (unit == (size_t)-1 || num_u64(slice_head(text, text.n - 1), &n) != NUM_OK || n == 0 || n > UINT32_MAX)
		return false;
	snprintf(out, size, "%" PRIu64, n << (10 * unit));
	return true;
}

/* Per cent, as the suite writes a mix. */
static bool percent(struct slice text, uint64_t *n)
{
	return num_u64(text, n) == NUM_OK && *n <= 100;
}

/* "4k_0_100" */
static bool parse_cell(struct slice cell, struct cloudharmony_key *key)
{
	struct slice bs, read, write;
	uint64_t r, w;
	if (!slice_cut(&cell, '_', &bs) || !slice_cut(&cell, '_', &read) || !slice_cut(&cell, '_', &write) || cell.p
		|| !percent(read, &r) || !percent(write, &w) || !cloudharmony_size(bs, key->bs, sizeof key->bs))
		return false;
	snprintf(key->mix, sizeof key->mix, "%u/%u", (unsigned)r, (unsigned)w);
	return true;
}

/* "steady_state_iops", "wait_5s_iops"; the suite's own table spells one of them hir_ait_50s_iops. */
static bool parse_hir(struct slice rest, struct cloudharmony_key *key)
{
	uint64_t seconds;
	if (slice_is(rest, "steady_state_iops"))
		return true;
	size_t skip = slice_starts(rest, "wait_") ? 5 : slice_starts(rest, "ait_") ? 4 : 0;
	if (!skip || !slice_ends(rest, "s_iops") || rest.n < skip + 7
		|| num_u64((struct slice){ rest.p + skip, rest.n - skip - 6 }, &seconds) != NUM_OK || seconds > 9999)
		return false;
	snprintf(key->wait, sizeof key->wait, "%u", (unsigned)seconds);
	return true;
}

bool cloudharmony_key_parse(struct slice text, struct cloudharmony_key *key)
{
	static const struct { const char *prefix, *suffix, *stat; } forms[] = {
		{ "iops_", "", "value" },
		{ "throughput_", "", "value" },
		{ "latency_", "_mean", "mean" },
		{ "latency_", "_max", "max" },
		{ "latency_", "_min", "min" },
	};
	*key = (struct cloudharmony_key){ .stat = "value", .factor = 1, .metric = METRIC_IOPS };
	if (slice_is(text, "wsat_iops")) {
		key->test = "wsat";
		return true;
	}
	if (slice_starts(text, "hir_")) {
		key->test = "hir";
		return parse_hir(slice_from(text, 4), key);
	}
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		size_t before = strlen(forms[i].prefix), after = strlen(forms[i].suffix);
		if (text.n <= before + after || !slice_starts(text, forms[i].prefix) || !slice_ends(text, forms[i].suffix)
			|| !parse_cell((struct slice){ text.p + before, text.n - before - after }, key))
			continue;
		const struct cloudharmony_test *t = cloudharmony_test_find(slice_head(text, before - 1));
		key->test = t->name;
		key->metric = t->metric;
		key->factor = t->factor;
		key->stat = forms[i].stat;
		return true;
	}
	return false;
}

size_t cloudharmony_key_params(const struct cloudharmony_key *key, struct pos pos, struct param out[static 3])
{
	const struct { const char *name, *value; } all[] = { { "bs", key->bs }, { "mix", key->mix }, { "wait", key->wait } };
	size_t n = 0;
	for (size_t i = 0; i < 3; i++)
		if (all[i].value[0])
			out[n++] = (struct param){ .key = slice_of(all[i].name), .value = slice_of(all[i].value), .pos = pos };
	return n;
}

void cloudharmony_attribute(struct parse *p, struct slice key, struct slice value, const char *at)
{
	static const char *const save_machine[] = { "meta_cpu_cache", "meta_cpu_cores", "meta_cpu_speed", "meta_cpu_speed_max",
		"meta_hostname", "meta_memory_gb", "meta_memory_mb", "meta_os_info", NULL };
	struct param a = { .key = slice_starts(key, "meta_") ? slice_from(key, 5) : key, .value = value,
		.pos = parse_pos(p, at) };
	for (size_t i = 0; save_machine[i]; i++)
		if (slice_is(key, save_machine[i]))
			a.key = slice_of(arena_printf(p->arena, "save_machine.%.*s", SLICE_ARG(a.key)));
	p->sink->meta(p->ctx, &a);
}

bool cloudharmony_php_flaws(struct parse *p, const struct php *php)
{
	bool any = false;
	for (int f = 0; f < PHP_FLAWS; f++) {
		if (!php->flaw_count[f])
			continue;
		parse_diag(p, f >= PHP_DAMAGED ? DIAG_ERROR : DIAG_WARNING, php->flaw_at[f], "%s", php_flaw_text(f));
		any = true;
	}
	return any;
}

/* Days since 1970-01-01 of a date of the Gregorian calendar, whose years begin in March here. */
static double days_of(double year, double month, double day)
{
	double y = month > 2 ? year : year - 1, m = month > 2 ? month - 3 : month + 9;
	return 365 * y + floor(y / 4) - floor(y / 100) + floor(y / 400) + floor((153 * m + 2) / 5) + day - 719469;
}

bool cloudharmony_time(struct slice text, double *seconds)
{
	static const struct { char behind; uint64_t most; } parts[] = { { '-', 9999 }, { '-', 12 }, { ' ', 31 }, { ':', 23 },
		{ ':', 59 }, { 0, 60 } };
	uint64_t v[6];
	for (size_t i = 0; i < 6; i++) {
		struct slice part = text;
		if (parts[i].behind && !slice_cut(&text, parts[i].behind, &part))
			return false;
		if (num_u64(part, &v[i]) != NUM_OK || v[i] > parts[i].most || (i > 0 && i < 3 && v[i] == 0))
			return false;
	}
	*seconds = 86400 * days_of((double)v[0], (double)v[1], (double)v[2]) + 3600 * (double)v[3] + 60 * (double)v[4]
		+ (double)v[5];
	return true;
}

static bool count_row(void *ctx, const struct csv_row *row)
{
	(void)row;
	unsigned *rows = ctx;
	return ++*rows < 3;
}

bool cloudharmony_csv_several(struct parse *p)
{
	unsigned rows = 0;
	csv_rows(p->source->data, p->arena, count_row, &rows);
	return rows == 3;
}
