#include "loadgen/storage.h"

#include <math.h>

enum option_id {
	OPT_PROFILE = LOAD_OPTION_OWN, OPT_RW, OPT_SIZE, OPT_RANGE, OPT_INTERVAL, OPT_SEED, OPT_ENGINE, OPT_BUFFERED,
	OPT_USE_EXISTING, OPT_KEEP, OPT_DESTROY, OPT_SETTINGS
};

/* From OPT_SETTINGS on, the option's name is that of a stage's setting. */
#define SETTING(n, name) { name, required_argument, NULL, OPT_SETTINGS + n }
#define SWITCH(n, name) { name, no_argument, NULL, OPT_SETTINGS + n }
const struct load_option storage_rows[] = {
	{ { "profile", required_argument, NULL, OPT_PROFILE }, "NAME|FILE", "a method (see above), or a file of your own" },
	{ { "rw", required_argument, NULL, OPT_RW }, "WHAT", "read, write, rw, randread, randwrite or randrw" },
	{ SETTING(0, "mix"), "R/W", "share of reads and writes of rw and randrw: 65/35" },
	{ SETTING(1, "bs"), "SIZE", "block size; several are several cells: 4k,64k" },
	{ SETTING(2, "iodepth"), "N", "I/Os in flight, of each thread" },
	{ SETTING(3, "threads"), "N", "threads for each target; auto: CPUs per target, at most 8" },
	{ SETTING(4, "runtime"), "TIME", "how long each cell runs: 60s, 5min" },
	{ SETTING(5, "ramp"), "TIME", "at the start of a cell, not counted" },
	{ SETTING(6, "rate"), "IOPS", "I/Os per second and target; latency then counts from when each was due" },
	{ SETTING(7, "rounds"), "N", "at most so many rounds; they end as soon as they are steady" },
	{ SETTING(8, "cells"), "NAMES", "only these cells of a profile: 4k-0/100,64k-*" },
	{ SETTING(9, "precondition-passes"), "N", "how often the range is written in sequence first" },
	{ SETTING(10, "precondition-bs"), "SIZE", "with which block size" },
	{ SWITCH(11, "purge"), NULL, "discard the active range first" },
	{ SWITCH(12, "verify"), NULL, "check every block that is read against what was written" },
	{ SWITCH(13, "random-map"), NULL, "random: each block once before any comes again" },
	{ SETTING(14, "zones"), "IO/RANGE,…", "random: shares of the I/Os and of the range: 80/20,20/80" },
	{ { "size", required_argument, NULL, OPT_SIZE }, "SIZE", "of files to be made; of a device only so much is used" },
	{ { "range", required_argument, NULL, OPT_RANGE }, "FROM-TO", "the active range: 25%-75%, 1g-5g" },
	{ { "interval", required_argument, NULL, OPT_INTERVAL }, "TIME", "between reports: 1s, in long tests a 120th" },
	{ { "seed", required_argument, NULL, OPT_SEED }, "N", "of offsets, mix and data; else a new one each time" },
	{ { "engine", required_argument, NULL, OPT_ENGINE }, "NAME", "auto, io_uring, libaio or sync" },
	{ { "buffered", no_argument, NULL, OPT_BUFFERED }, NULL, "through the page cache" },
	{ { "use-existing", no_argument, NULL, OPT_USE_EXISTING }, NULL, "files that exist may be overwritten" },
	{ { "keep", no_argument, NULL, OPT_KEEP }, NULL, "files that were made are not removed at the end" },
	{ { "destroy-data", required_argument, NULL, OPT_DESTROY }, "DEVICE", "this device may be overwritten, and no other" },
	{ { NULL, 0, NULL, 0 }, NULL, NULL },
};

static int take_engine(struct storage *s, const char *arg)
{
	static const char *const names[] = {
		[ENGINE_AUTO] = "auto", [ENGINE_IO_URING] = "io_uring", [ENGINE_LIBAIO] = "libaio", [ENGINE_SYNC] = "sync",
	};
	for (enum load_engine e = ENGINE_AUTO; e <= ENGINE_SYNC; e++)
		if (strcmp(arg, names[e]) == 0) {
			s->engine = e;
			return -1;
		}
	return load_refuse("--engine %s: say auto, io_uring, libaio or sync", arg);
}

int storage_take(void *own, int id, const char *arg)
{
	struct storage *s = own;
	switch (id) {
	case OPT_PROFILE: s->profile = arg; return -1;
	case OPT_RW: s->rw = arg; return -1;
	case OPT_RANGE: s->range = arg; return -1;
	case OPT_BUFFERED: s->buffered = true; return -1;
	case OPT_USE_EXISTING: s->use_existing = true; return -1;
	case OPT_KEEP: s->keep = true; return -1;
	case OPT_ENGINE: return take_engine(s, arg);
	case OPT_DESTROY: *ARENA_PUSH(s->arena, s->destroy, s->n_destroy, s->destroy_cap) = arg; return -1;
	case OPT_SIZE: return load_quantity("size", arg, UNIT_B, 4096, &s->size) ? -1 : LOAD_USAGE;
	case OPT_INTERVAL: return load_quantity("interval", arg, UNIT_S, 0.01, &s->interval) ? -1 : LOAD_USAGE;
	case OPT_SEED: s->seeded = true; return load_count("seed", arg, 0, UINT32_MAX, &s->seed) ? -1 : LOAD_USAGE;
	default: break;
	}
	const struct load_option *r = storage_rows;
	while (r->option.val != id)
		r++;
	*ARENA_PUSH(s->arena, s->settings, s->n_settings, s->settings_cap) =
		(struct storage_setting){ r->option.name, arg ? arg : "yes" };
	return -1;
}

static bool given(const struct storage *s, const char *key)
{
	for (size_t i = 0; i < s->n_settings; i++)
		if (strcmp(s->settings[i].key, key) == 0)
			return true;
	return false;
}

/* fio's words for pattern and mix. */
static bool take_rw(struct stage *stage, const struct storage *s)
{
	static const struct {
		const char *name, *pattern, *mix;
	} words[] = {
		{ "read", "sequential", "100/0" }, { "write", "sequential", "0/100" }, { "rw", "sequential", "50/50" },
		{ "randread", "random", "100/0" }, { "randwrite", "random", "0/100" }, { "randrw", "random", "50/50" },
	};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(s->rw, words[i].name) == 0) {
			stage->pattern = words[i].pattern;
			stage->mix = words[i].mix;
			bool mixed = strcmp(words[i].mix, "50/50") == 0;
			if (mixed || !given(s, "mix"))
				return true;
			load_refuse("--mix is for --rw rw and randrw; %s has no mix", s->rw);
			return false;
		}
	load_refuse("--rw %s: say read, write, rw, randread, randwrite or randrw", s->rw);
	return false;
}

static struct profile *profile_of_options(struct storage *s)
{
	struct profile *p = ARENA_NEW(s->arena, struct profile);
	struct stage *stage = ARENA_PUSH(s->arena, p->stages, p->n_stages, p->cap);
	*stage = stage_default("storage");
	if (!s->rw) {
		load_refuse("say what to do: --profile NAME, or --rw randread and the like");
		return NULL;
	}
	return take_rw(stage, s) ? p : NULL;
}

static struct profile *profile_of_name(struct storage *s, bool color)
{
	static const char *const fixed[] = { "mix", "bs" };
	struct diags diags;
	if (s->rw) {
		load_refuse("--rw and --profile: the profile says what is read and written; --cells picks some of it");
		return NULL;
	}
	for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
		if (given(s, fixed[i])) {
			load_refuse("--%s and --profile: the profile says which there are; --cells picks some of them", fixed[i]);
			return NULL;
		}
	diags_init(&diags, s->arena);
	struct profile *p = profile_read(s->arena, s->profile, &diags);
	struct buf b = BUF_EMPTY;
	for (const struct diag *d = diags.first; d; d = d->next)
		diag_format(&b, d, color);
	fwrite(buf_view(&b).p, 1, b.n, stderr);
	buf_free(&b);
	return p;
}

struct profile *storage_profile(struct storage *s, bool color)
{
	struct profile *p = s->profile ? profile_of_name(s, color) : profile_of_options(s);
	for (size_t i = 0; p && i < p->n_stages; i++) {
		struct stage *stage = &p->stages[i];
		for (size_t k = 0; k < s->n_settings; k++) {
			const struct storage_setting *o = &s->settings[k];
			const char *error = stage_set(s->arena, stage, o->key, slice_of(o->value));
			if (error) {
				load_refuse("--%s %s: %s", o->key, o->value, error);
				return NULL;
			}
		}
		const char *error = stage_finish(s->arena, stage);
		if (error) {
			load_refuse("%s%s%s", s->profile ? s->profile : "", s->profile ? ": " : "", error);
			return NULL;
		}
	}
	return p;
}
