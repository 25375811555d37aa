#include "loadgen/profile.h"

#include "base/ini_file.h"
#include "base/num.h"
#include "base/small_file.h"
#include "loadgen/measure.h"
#include "model/unit.h"

#include <math.h>
#include <stddef.h>

enum { CELLS_MAX = 256 };

enum setting_type { SET_TEXT, SET_SIZE, SET_SECONDS, SET_RATE, SET_COUNT, SET_NUMBER, SET_FLAG };

struct setting {
	struct ini_key key;
	enum setting_type type;
	size_t offset;          /* in struct stage, of [profile] in struct profile */
	double least, most;
};

#define STAGE "stage NAME"
#define SETTING(key, type, field, least, most) { { STAGE, key }, type, offsetof(struct stage, field), least, most }
static const struct setting settings[] = {
	{ { "profile", "title" }, SET_TEXT, offsetof(struct profile, title), 0, 0 },
	{ { "profile", "source" }, SET_TEXT, offsetof(struct profile, source), 0, 0 },
	SETTING("bs", SET_TEXT, bs, 0, 0),
	SETTING("mix", SET_TEXT, mix, 0, 0),
	SETTING("pattern", SET_TEXT, pattern, 0, 0),
	SETTING("cells", SET_TEXT, cells, 0, 0),
	SETTING("steady", SET_TEXT, steady, 0, 0),
	SETTING("metric", SET_TEXT, metric, 0, 0),
	SETTING("rule", SET_TEXT, rule, 0, 0),
	SETTING("zones", SET_TEXT, zones, 0, 0),
	SETTING("iodepth", SET_COUNT, iodepth, 1, 4096),
	SETTING("threads", SET_COUNT, threads, 0, 1024),
	SETTING("runtime", SET_SECONDS, runtime, 0.1, 1e7),
	SETTING("ramp", SET_SECONDS, ramp, 0, 1e6),
	SETTING("rate", SET_RATE, rate, 0, 1e9),
	SETTING("rounds", SET_COUNT, rounds, 1, 10000),
	SETTING("precondition-passes", SET_NUMBER, passes, 0, 1000),
	SETTING("precondition-bs", SET_SIZE, precondition_bs, 512, 1 << 26),
	SETTING("written", SET_NUMBER, written, 0, 1e6),
	SETTING("purge", SET_FLAG, purge, 0, 0),
	SETTING("verify", SET_FLAG, verify, 0, 0),
	SETTING("random-map", SET_FLAG, random_map, 0, 0),
};
enum { SETTINGS = sizeof settings / sizeof *settings };

struct stage stage_default(const char *name)
{
	return (struct stage){ .name = name, .bs = "4k", .mix = "100/0", .pattern = "random", .precondition_bs = 131072,
		.iodepth = 32, .threads = 1, .runtime = 30, .rounds = 1, .metric = "iops", .rule = "snia" };
}

static const char *set_flag(bool *flag, struct slice value)
{
	if (!slice_is(value, "yes") && !slice_is(value, "no"))
		return "is neither yes nor no";
	*flag = slice_is(value, "yes");
	return NULL;
}

static const char *set_number(struct arena *a, const struct setting *s, double *to, struct slice value)
{
	static const enum unit units[] = {
		[SET_SIZE] = UNIT_B, [SET_SECONDS] = UNIT_S, [SET_RATE] = UNIT_PER_S, [SET_COUNT] = UNIT_ONE,
		[SET_NUMBER] = UNIT_ONE,
	};
	struct quantity q;
	const char *error;
	uint64_t whole;
	/* In "threads = auto" the number is ours. */
	if (strcmp(s->key.key, "threads") == 0 && slice_is(value, "auto"))
		value = SLICE("0");
	if (s->type == SET_COUNT && num_u64(value, &whole) != NUM_OK)
		return "is not a whole number";
	if (!quantity_parse(value, units[s->type], &q, NULL, &error))
		return error;
	if (q.value >= s->least && q.value <= s->most) {
		*to = q.value;
		return NULL;
	}
	char least[48], most[48];
	enum unit u = units[s->type];
	quantity_show(least, sizeof least, s->least, u, 9);
	quantity_show(most, sizeof most, s->most, u, 9);
	if (s->type == SET_COUNT)
		return arena_printf(a, "is too %s; it can be from %.0f to %.0f", q.value < s->least ? "little" : "much", s->least,
			s->most);
	return arena_printf(a, "is %s; it can be from %s to %s", q.value < s->least ? "too little" : "too much", least, most);
}

/* Of a stage or of a profile, whichever the setting belongs to. */
static const char *set(struct arena *a, const struct setting *s, void *of, struct slice value)
{
	void *field = (char *)of + s->offset;
	if (s->type == SET_FLAG)
		return set_flag(field, value);
	if (s->type != SET_TEXT)
		return set_number(a, s, field, value);
	*(const char **)field = arena_string(a, value);
	return NULL;
}

const char *stage_set(struct arena *a, struct stage *stage, const char *key, struct slice value)
{
	for (size_t i = 0; i < SETTINGS; i++)
		if (strcmp(settings[i].key.section, STAGE) == 0 && strcmp(settings[i].key.key, key) == 0)
			return set(a, &settings[i], stage, value);
	return "is not a setting of a stage";
}

/* The next item of a list: "100/0, 65/35". */
static bool next_item(struct slice *rest, struct slice *item)
{
	while (slice_cut(rest, ',', item)) {
		*item = slice_trim(*item);
		if (item->n)
			return true;
	}
	return false;
}

/* 4096: "4k" */
static const char *block_name(struct arena *a, uint64_t block)
{
	static const char letter[] = { '\0', 'k', 'm' };
	size_t k = 0;
	for (; k < 2 && block % 1024 == 0; k++)
		block /= 1024;
	return arena_printf(a, "%llu%.*s", (unsigned long long)block, k > 0, &letter[k]);
}

/* Whether a name is one of a list of patterns. */
static bool listed(const char *list, const char *name)
{
	struct slice rest = slice_of(list), item;
	while (next_item(&rest, &item))
		if (slice_glob(slice_of(name), item))
			return true;
	return false;
}

static const char *add_cell(struct arena *a, struct stage *s, struct slice bs, struct slice mix, bool random,
	size_t *cap)
{
	struct slice reads = slice_head(mix, slice_find_char(mix, '/')), writes = slice_from(mix, reads.n + 1);
	uint64_t r, w;
	struct quantity q;
	const char *error;
	if (!quantity_parse(bs, UNIT_B, &q, NULL, &error) || q.value < 512 || q.value > 1 << 26 || fmod(q.value, 512) != 0)
		return arena_printf(a, "bs: '%.*s' is no multiple of 512 bytes up to 64m", SLICE_ARG(bs));
	if (num_u64(reads, &r) != NUM_OK || num_u64(writes, &w) != NUM_OK || r > 100 || w > 100 || r + w != 100)
		return arena_printf(a, "mix: '%.*s' is no READS/WRITES in per cent, as 65/35", SLICE_ARG(mix));
	if (s->n_list == CELLS_MAX)
		return "more than 256 cells";
	struct cell c = { .block = (uint64_t)q.value, .read_percent = (unsigned)r, .random = random };
	c.name = arena_printf(a, "%s-%u/%u%s", block_name(a, c.block), c.read_percent, 100 - c.read_percent,
		random ? "" : "-seq");
	if (s->cells && !listed(s->cells, c.name))
		return NULL;
	if (s->verify && c.block % 4096 != 0)
		return arena_printf(a, "verify: the blocks of %s are no multiples of 4096 bytes", c.name);
	*ARENA_PUSH(a, s->list, s->n_list, *cap) = c;
	return NULL;
}

static const char *take_rule(struct stage *s)
{
	const struct {
		const char *name;
		const struct steady_rule *rule;
	} rules[] = { { "snia", &steady_snia }, { "none", NULL } };
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
		if (strcmp(s->rule, rules[i].name) == 0) {
			s->judge = rules[i].rule;
			return NULL;
		}
	return "rule: say snia or none";
}

static const char *take_metric(struct stage *s)
{
	for (enum steady_metric m = STEADY_IOPS; m <= STEADY_LATENCY; m++)
		if (strcmp(s->metric, metric_name(m)) == 0) {
			s->judged = m;
			return NULL;
		}
	return "metric: say iops, bandwidth or latency";
}

/* "80/20, 20/80": 80 % of the I/Os go to the first 20 % of the range. */
static const char *take_zones(struct arena *a, struct stage *s)
{
	struct slice rest = slice_of(s->zones), item;
	double ios = 0, range = 0;
	s->zone = NULL;
	s->n_zones = 0;
	if (!s->zones)
		return NULL;
	s->zone = ARENA_ARRAY(a, ZONES_MAX, struct zone);
	while (next_item(&rest, &item)) {
		struct zone z;
		size_t slash = slice_find_char(item, '/');
		if (num_double(slice_trim(slice_head(item, slash)), &z.io_percent) != NUM_OK || !(z.io_percent >= 0) ||
		    num_double(slice_trim(slice_from(item, slash + 1)), &z.range_percent) != NUM_OK || !(z.range_percent > 0))
			return arena_printf(a, "zones: '%.*s' is no share of the I/Os/share of the range in per cent, as 80/20",
				SLICE_ARG(item));
		if (s->n_zones == ZONES_MAX)
			return "zones: there are more than 64";
		ios += z.io_percent;
		range += z.range_percent;
		s->zone[s->n_zones++] = z;
	}
	if (s->n_zones && (fabs(ios - 100) > 1e-6 || fabs(range - 100) > 1e-6))
		return "zones: both shares have to add up to 100";
	return s->n_zones && s->random_map ? "zones: a random map has none" : NULL;
}

const char *stage_finish(struct arena *a, struct stage *s)
{
	bool random = strcmp(s->pattern, "random") == 0;
	const char *error = random || strcmp(s->pattern, "sequential") == 0 ? NULL : "pattern: say random or sequential";
	struct slice mixes = slice_of(s->mix), mix, sizes, bs;
	size_t cap = 0;
	s->list = NULL;
	s->n_list = s->n_tracked = 0;
	while (!error && next_item(&mixes, &mix))
		for (sizes = slice_of(s->bs); !error && next_item(&sizes, &bs);)
			error = add_cell(a, s, bs, mix, random, &cap);
	error = error ? error : take_rule(s);
	error = error ? error : take_metric(s);
	error = error ? error : take_zones(a, s);
	if (error)
		return error;
	if (s->n_list == 0)
		return s->cells ? "cells: none of the stage's cells is among them" : "there are no cells";
	/* One round shows nothing: then it is only a measurement. */
	if (s->rounds < 2)
		s->judge = NULL;
	for (size_t i = 0; i < s->n_list && s->judge; i++) {
		s->list[i].tracked = !s->steady || listed(s->steady, s->list[i].name);
		s->n_tracked += s->list[i].tracked;
	}
	if (s->judge && s->n_tracked == 0)
		return arena_printf(a, "steady state is judged by %s, which is not among the cells", s->steady);
	return NULL;
}

double stage_most(const struct stage *s)
{
	return s->rounds * (double)s->n_list * (s->runtime + s->ramp);
}

double stage_least(const struct stage *s)
{
	double rounds = s->judge ? fmin((double)s->judge->window, s->rounds) : s->rounds;
	/* How soon the range is written so often depends on the target. */
	if (s->written > 0)
		rounds = 1;
	return rounds * (double)s->n_list * (s->runtime + s->ramp);
}

static struct source *built_in(struct arena *a, const char *name, struct diags *diags)
{
	struct buf known = BUF_EMPTY;
	struct source *s = ARENA_NEW(a, struct source);
	*s = source_of(arena_string(a, slice_of(name)), SLICE_NONE);
	for (const struct profile_file *f = profile_files; f->name; f++) {
		struct slice stem = slice_head(slice_of(f->name), strlen(f->name) - strlen(".ini"));
		if (slice_is(stem, name))
			s->data = (struct slice){ (const char *)f->bytes, f->n };
		buf_printf(&known, "%s%.*s", known.n ? ", " : "", SLICE_ARG(stem));
	}
	if (!s->data.p)
		diag_add(diags, DIAG_ERROR, (struct pos){ .source = s }, "there is no such profile; there are %.*s, or give a file: "
			"./%s.ini", SLICE_ARG(buf_view(&known)), name);
	buf_free(&known);
	return s->data.p ? s : NULL;
}

static void take_section(struct ini_file *f, struct profile *p, const struct ini_section *section)
{
	if (!ini_section_known(f, section))
		return;
	bool of_profile = slice_is(section->kind, "profile");
	struct stage *stage = of_profile ? NULL : ARENA_PUSH(f->arena, p->stages, p->n_stages, p->cap);
	if (stage)
		*stage = stage_default(arena_string(f->arena, section->name));
	for (size_t i = 0; i < section->n; i++) {
		const struct ini_setting *s = &section->settings[i];
		const struct setting *row = ini_row(f, section, s);
		const char *error = row ? set(f->arena, row, of_profile ? (void *)p : stage, s->text) : NULL;
		if (error)
			ini_wrong(f, ini_value_pos(s), "%.*s %s", SLICE_ARG(s->key), error);
	}
	if (!stage || f->wrong)
		return;
	struct stage copy = *stage; /* options may still come over it */
	const char *error = stage_finish(f->arena, &copy);
	if (error)
		ini_wrong(f, section->pos, "%s", error);
}

struct profile *profile_read(struct arena *a, const char *name, struct diags *diags)
{
	static const struct ini_kind kind = { .title = "a profile", INI_ROWS(settings) };
	const char *slash = strrchr(name, '/');
	struct slice stem = slice_of(slash ? slash + 1 : name);
	bool is_file = slash || slice_ends(stem, ".ini");
	if (slice_ends(stem, ".ini"))
		stem = slice_head(stem, stem.n - strlen(".ini"));
	struct source *source = is_file ? small_file_read(a, name, "a profile", diags) : built_in(a, name, diags);
	struct ini_file *f = source ? ini_file_parse(a, source, &kind, diags) : NULL;
	if (!f)
		return NULL;
	struct profile *p = ARENA_NEW(a, struct profile);
	p->name = arena_string(a, stem);
	for (size_t i = 0; i < f->n; i++)
		take_section(f, p, &f->sections[i]);
	if (!f->wrong && p->n_stages == 0)
		ini_wrong(f, (struct pos){ .source = source }, "has no [stage NAME]: nothing would be done");
	return f->wrong ? NULL : p;
}
