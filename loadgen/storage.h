/* storage: `assay-load storage`: its options, its targets, and the run that they make. */
#ifndef LOADGEN_STORAGE_H
#define LOADGEN_STORAGE_H

#include "loadgen/guard.h"
#include "loadgen/load.h"
#include "loadgen/profile.h"
#include "loadgen/work.h"

/* A stage's setting that an option gives. */
struct storage_setting {
	const char *key, *value;
};

struct storage {
	struct arena *arena;
	const char *profile, *rw;
	struct storage_setting *settings;
	size_t n_settings, settings_cap;
	double size;                /* B; 0: not said */
	const char *range;          /* NULL: all */
	double interval;            /* s; 0: not said */
	bool seeded, buffered, use_existing, keep;
	uint64_t seed;
	enum load_engine engine;
	const volatile sig_atomic_t *stop;
	const char **destroy;
	size_t n_destroy, destroy_cap;
};

extern const struct load_option storage_rows[];
int storage_take(void *own, int id, const char *arg);
/* The profile with the options over it; NULL when they don't fit (said on standard error). */
struct profile *storage_profile(struct storage *s, bool color);

/* Targets with what was found about them. */
struct targets {
	struct target *list;
	struct guard_facts *facts;
	bool *created;
	size_t n;
};

/* Looks at all targets before anything is changed; false when one is refused (each is said on standard error). Its
 * active range must hold a block of `block` bytes, and starts at a multiple of it. */
bool targets_check(const struct storage *s, struct targets *t, char **paths, size_t n, uint64_t block);
/* Makes and opens them, and puts the active range in force. False and a message. */
bool targets_open(const struct storage *s, struct targets *t, bool writes, uint64_t block, const char **error);
/* Closes them; files that were made here are removed, unless they are to be kept. */
void targets_close(const struct storage *s, struct targets *t);

/* "25%-75%" or "1g-5g" of a size, its start moved up to a multiple of `align`; false when it is no range in it. */
bool range_parse(const char *text, uint64_t size, uint64_t align, uint64_t *first, uint64_t *length);

#endif
