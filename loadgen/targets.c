#define _GNU_SOURCE
#include "loadgen/storage.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>


/* "25%" or "1g" of a size. */
static bool place_of(struct slice text, uint64_t size, double *place)
{
	struct quantity q;
	const char *error;
	text = slice_trim(text);
	bool share = slice_ends(text, "%");
	if (!quantity_parse(text, share ? UNIT_PERCENT : UNIT_B, &q, NULL, &error))
		return false;
	*place = share ? q.value / 100 * (double)size : q.value;
	return *place >= 0 && *place <= (double)size;
}

bool range_parse(const char *text, uint64_t size, uint64_t align, uint64_t *first, uint64_t *length)
{
	struct slice s = slice_of(text);
	size_t dash = slice_find_char(s, '-');
	double from, to;
	if (dash == (size_t)-1 || !place_of(slice_head(s, dash), size, &from) || !place_of(slice_from(s, dash + 1), size, &to))
		return false;
	uint64_t start = ((uint64_t)from + align - 1) / align * align, end = (uint64_t)to;
	if (end <= start)
		return false;
	*first = start;
	*length = end - start;
	return true;
}

/* Two names of one file or device would destroy each other's data. */
static bool same_target(const struct guard_facts *a, const struct guard_facts *b)
{
	if (a->kind != b->kind)
		return false;
	if (a->kind == GUARD_MISSING)
		return strcmp(a->real, b->real) == 0;
	return a->device == b->device && (a->kind == GUARD_BLOCK || a->inode == b->inode);
}

/* The files to be made must fit. */
static bool fits(const struct storage *s, const struct targets *t, size_t i)
{
	const char *path = t->facts[i].real, *slash = strrchr(path, '/');
	struct slice before = { path, slash ? (size_t)(slash - path) + 1 : 0 };
	struct statvfs v;
	const char *directory = slash ? arena_string(s->arena, before) : ".";
	if (t->facts[i].kind != GUARD_MISSING)
		return true;
	if (statvfs(directory, &v) != 0) {
		load_refuse("%s: can't be made: %s", t->facts[i].path, strerror(errno));
		return false;
	}
	double room = (double)v.f_bavail * (double)v.f_frsize, wanted = 0;
	for (size_t k = 0; k <= i; k++)
		wanted += t->facts[k].kind == GUARD_MISSING ? s->size : 0;
	if (wanted <= room)
		return true;
	char has[48], wants[48];
	quantity_show(has, sizeof has, room, UNIT_B, 4);
	quantity_show(wants, sizeof wants, wanted, UNIT_B, 4);
	load_refuse("%s: %s free there, %s wanted", t->facts[i].path, has, wants);
	return false;
}

static bool active_range(const struct storage *s, uint64_t size, uint64_t block, uint64_t *first, uint64_t *length)
{
	if (s->size > 0 && s->size < (double)size)
		size = (uint64_t)s->size;
	*first = 0;
	*length = size;
	return (!s->range || range_parse(s->range, size, block, first, length)) && *length >= block;
}

/* Whether blocks of that size find room in the range that was asked for. */
static bool holds(const struct storage *s, const struct guard_facts *f, uint64_t block)
{
	/* Files that are too short are made longer. */
	uint64_t size = f->kind != GUARD_BLOCK && s->size > (double)f->size ? (uint64_t)s->size : f->size, first, length;
	if (s->size > (double)size) {
		load_refuse("%s: has only %llu of the %.0f bytes that --size asks for", f->path, (unsigned long long)size, s->size);
		return false;
	}
	if (active_range(s, size, block, &first, &length))
		return true;
	load_refuse("%s: %s%s%sits %llu bytes hold no block of %llu bytes%s", f->path, s->range ? "--range " : "",
		s->range ? s->range : "", s->range ? ": " : "", (unsigned long long)size, (unsigned long long)block,
		s->range ? " there; write a range as 25%-75% or 1g-5g" : "");
	return false;
}

bool targets_check(const struct storage *s, struct targets *t, char **paths, size_t n, uint64_t block)
{
	const struct guard_consent consent = { .use_existing = s->use_existing, .sized = s->size > 0, .destroy = s->destroy,
		.n_destroy = s->n_destroy };
	bool all = true;
	*t = (struct targets){ .list = ARENA_ARRAY(s->arena, n, struct target),
		.facts = ARENA_ARRAY(s->arena, n, struct guard_facts), .created = ARENA_ARRAY(s->arena, n, bool) };
	for (size_t i = 0; i < n; i++) {
		t->facts[i] = guard_look(s->arena, paths[i]);
		t->list[i].fd = -1;
		const char *why = guard_verdict(s->arena, &t->facts[i], &consent);
		for (size_t k = 0; k < i && !why; k++)
			if (same_target(&t->facts[k], &t->facts[i]))
				why = arena_printf(s->arena, "%s: is %s again", paths[i], paths[k]);
		if (why)
			load_refuse("%s", why);
		all = all && !why && holds(s, &t->facts[i], block) && fits(s, t, i);
	}
	for (size_t i = 0; i < s->n_destroy; i++) {
		bool named = false;
		for (size_t k = 0; k < n; k++)
			named |= strcmp(s->destroy[i], t->facts[k].real) == 0;
		if (!named)
			load_refuse("--destroy-data=%s: is none of the targets", s->destroy[i]);
		all = all && named;
	}
	t->n = n;
	return all;
}

/* A file that was not there when it was looked for must still not be. */
static bool create(struct targets *t, size_t i)
{
	struct guard_facts *f = &t->facts[i];
	struct stat st;
	int fd = open(f->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return false;
	t->created[i] = true;
	bool done = fstat(fd, &st) == 0;
	int error = errno;
	f->device = st.st_dev;
	f->inode = st.st_ino;
	close(fd);
	errno = error;
	return done;
}

static bool open_one(const struct storage *s, struct targets *t, size_t i, bool writes, const char **error)
{
	struct guard_facts *f = &t->facts[i];
	if (f->kind == GUARD_MISSING && !create(t, i)) {
		*error = arena_printf(s->arena, "%s: can't be made: %s", f->path, strerror(errno));
		return false;
	}
	uint64_t size = f->kind == GUARD_BLOCK ? 0 : s->size > 0 ? (uint64_t)s->size : f->size;
	if (!target_open(s->arena, &t->list[i], f->path, size, !s->buffered, writes || t->created[i], error))
		return false;
	if (guard_same(f, t->list[i].fd))
		return true;
	*error = arena_printf(s->arena, "%s: is no longer what it was when it was looked at", f->path);
	return false;
}

bool targets_open(const struct storage *s, struct targets *t, bool writes, uint64_t align, const char **error)
{
	for (size_t i = 0; i < t->n; i++) {
		struct target *g = &t->list[i];
		if (!open_one(s, t, i, writes, error))
			return false;
		if (!active_range(s, g->size, align, &g->first, &g->length)) {
			*error = arena_printf(s->arena, "%s: has another size than when it was looked at", g->path);
			return false;
		}
	}
	return true;
}

void targets_close(const struct storage *s, struct targets *t)
{
	struct stat st;
	for (size_t i = 0; i < t->n; i++) {
		struct guard_facts *f = &t->facts[i];
		if (t->list[i].fd >= 0)
			target_close(&t->list[i]);
		if (t->created[i] && !s->keep && lstat(f->path, &st) == 0 && S_ISREG(st.st_mode) && st.st_dev == f->device &&
		    st.st_ino == f->inode)
			unlink(f->path);
	}
}
