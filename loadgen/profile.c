#include "loadgen/profile.h"

#include "base/num.h"
#include "loadgen/measure.h"
#include "model/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <ini.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <unistd.h>

/* inih cuts longer lines without a word. */
enum { INI_LINE = 180, FILE_LIMIT = 1 << 18, CELLS_MAX = 256 };

enum setting_type { SET_TEXT, SET_SIZE, SET_SECONDS, SET_RATE, SET_COUNT, SET_NUMBER, SET_FLAG };

struct setting {
	const char *key;
	enum setting_type type;
	size_t offset;
	double least, most;
};

#define SETTING(key, type, field, least, most) { key, type, offsetof(struct stage, field), least, most }
static const struct setting settings[] = {
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
	if (strcmp(s->key, "threads") == 0 && slice_is(value, "auto"))
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

const char *stage_set(struct arena *a, struct stage *stage, const char *key, struct slice value)
{
	for (size_t i = 0; i < SETTINGS; i++) {
		const struct setting *s = &settings[i];
		void *field = (char *)stage + s->offset;
		if (strcmp(s->key, key) != 0)
			continue;
		if (s->type == SET_FLAG)
			return set_flag(field, value);
		if (s->type != SET_TEXT)
			return set_number(a, s, field, value);
		*(const char **)field = arena_string(a, value);
		return NULL;
	}
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

struct reader {
	struct arena *arena;
	struct diags *diags;
	struct source *source;
	struct profile *profile;
	bool wrong;
};

static void wrong(struct reader *r, struct pos pos, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void wrong(struct reader *r, struct pos pos, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	diag_vadd(r->diags, DIAG_ERROR, pos, format, args);
	va_end(args);
	r->wrong = true;
}

/* inih tells no positions: where a section's key stands, or with key NULL the section. */
static struct pos place_of(struct reader *r, const char *section, const char *key)
{
	struct lines l = lines_of(r->source);
	struct slice line, name;
	bool inside = false;
	while (lines_next(&l, &line)) {
		struct slice text = slice_trim(line);
		if (slice_starts(text, "[")) {
			name = slice_head(slice_from(text, 1), slice_find_char(slice_from(text, 1), ']'));
			inside = slice_is(name, section);
			if (inside && !key)
				return lines_pos(&l, text.p);
			continue;
		}
		name = slice_trim(slice_head(text, slice_find_char(text, '=')));
		if (inside && key && slice_is(name, key))
			return lines_pos(&l, text.p);
	}
	return (struct pos){ .source = r->source };
}

static struct stage *stage_of(struct reader *r, const char *section)
{
	struct profile *p = r->profile;
	const char *name = section + strlen("stage ");
	for (size_t i = 0; i < p->n_stages; i++)
		if (strcmp(p->stages[i].name, name) == 0)
			return &p->stages[i];
	struct stage *s = ARENA_PUSH(r->arena, p->stages, p->n_stages, p->cap);
	*s = stage_default(arena_string(r->arena, slice_of(name)));
	return s;
}

static int on_setting(void *user, const char *section, const char *key, const char *value)
{
	struct reader *r = user;
	struct profile *p = r->profile;
	const char *error = NULL;
	if (strcmp(section, "profile") == 0) {
		const char **to = strcmp(key, "title") == 0 ? &p->title : strcmp(key, "source") == 0 ? &p->source : NULL;
		if (!to)
			error = "is not a setting of a profile";
		else if (*to) /* a continuation line */
			*to = arena_printf(r->arena, "%s %s", *to, value);
		else
			*to = arena_string(r->arena, slice_of(value));
	} else if (strncmp(section, "stage ", 6) == 0) {
		error = stage_set(r->arena, stage_of(r, section), key, slice_of(value));
	} else {
		error = "stands in no section that a profile has: [profile] or [stage NAME]";
	}
	if (error)
		wrong(r, place_of(r, section, key), "%s %s", key, error);
	return 1;
}

static bool read_file(struct reader *r, const char *path)
{
	char *bytes = arena_alloc(r->arena, FILE_LIMIT + 1);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t n = 0;
	ssize_t got = fd < 0 ? -1 : 1;
	while (n <= FILE_LIMIT && got > 0 && (got = read(fd, bytes + n, FILE_LIMIT + 1 - n)) > 0)
		n += (size_t)got;
	if (got < 0)
		wrong(r, (struct pos){ .source = r->source }, "can't be read: %s", strerror(errno));
	else if (n > FILE_LIMIT)
		wrong(r, (struct pos){ .source = r->source }, "is larger than 256 KiB: this is no profile");
	if (fd >= 0)
		close(fd);
	r->source->data = (struct slice){ bytes, n };
	return !r->wrong;
}

static bool read_built_in(struct reader *r, const char *name)
{
	struct buf known = BUF_EMPTY;
	for (const struct profile_file *f = profile_files; f->name; f++) {
		struct slice stem = slice_head(slice_of(f->name), strlen(f->name) - strlen(".ini"));
		if (slice_is(stem, name))
			r->source->data = (struct slice){ (const char *)f->bytes, f->n };
		buf_printf(&known, "%s%.*s", known.n ? ", " : "", SLICE_ARG(stem));
	}
	if (!r->source->data.p)
		wrong(r, (struct pos){ .source = r->source }, "there is no such profile; there are %.*s, or give a file: ./%s.ini",
			SLICE_ARG(buf_view(&known)), name);
	buf_free(&known);
	return !r->wrong;
}

static void parse(struct reader *r)
{
	struct lines l = lines_of(r->source);
	struct slice line;
	while (lines_next(&l, &line))
		if (line.n > INI_LINE)
			wrong(r, lines_pos(&l, line.p + INI_LINE), "the line is longer than %d bytes", INI_LINE);
	if (r->wrong)
		return;
	int at = ini_parse_string(arena_string(r->arena, r->source->data), on_setting, r);
	if (at > 0) {
		struct lines again = lines_of(r->source);
		while (lines_next(&again, &line) && again.line < (uint32_t)at)
			continue;
		wrong(r, lines_pos(&again, line.p), "is neither [section] nor key = value");
	}
	if (!r->wrong && r->profile->n_stages == 0)
		wrong(r, (struct pos){ .source = r->source }, "has no [stage NAME]: nothing would be done");
	for (size_t i = 0; i < r->profile->n_stages && !r->wrong; i++) {
		struct stage s = r->profile->stages[i];
		const char *section = arena_printf(r->arena, "stage %s", s.name), *error = stage_finish(r->arena, &s);
		if (error)
			wrong(r, place_of(r, section, NULL), "%s", error);
	}
}

struct profile *profile_read(struct arena *a, const char *name, struct diags *diags)
{
	struct slice text = slice_of(name), stem = text;
	bool file = strchr(name, '/') || slice_ends(text, ".ini");
	if (strrchr(name, '/'))
		stem = slice_of(strrchr(name, '/') + 1);
	if (slice_ends(stem, ".ini"))
		stem = slice_head(stem, stem.n - strlen(".ini"));
	struct reader r = { .arena = a, .diags = diags, .source = ARENA_NEW(a, struct source),
		.profile = ARENA_NEW(a, struct profile) };
	*r.source = source_of(arena_string(a, text), SLICE_NONE);
	r.profile->name = arena_string(a, stem);
	if (file ? read_file(&r, name) : read_built_in(&r, name))
		parse(&r);
	return r.wrong ? NULL : r.profile;
}
