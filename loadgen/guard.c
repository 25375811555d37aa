#define _GNU_SOURCE
#include "loadgen/guard.h"

#include "model/unit.h"

#include <sys/stat.h>

const char *guard_verdict(struct arena *a, const struct guard_facts *f, const struct guard_consent *c)
{
	char size[48];
	if (f->kind == GUARD_OTHER)
		return arena_printf(a, "%s: %s; load goes to regular files and block devices", f->path, f->other);
	if (f->use)
		return arena_printf(a, "%s: %s; it is left alone", f->path, f->use);
	/* What is not known to be harmless is not. */
	if (f->doubt)
		return arena_printf(a, "%s: %s; it is left alone", f->path, f->doubt);
	if (f->kind == GUARD_MISSING)
		return c->sized ? NULL : arena_printf(a, "%s: does not exist; to have it made say how large: --size 10g", f->path);
	if (f->content)
		return arena_printf(a, "%s: %s; it is left alone. If that can go, remove it first: wipefs --all %s", f->path,
			f->content, f->real);
	if (f->kind == GUARD_FILE)
		return c->use_existing ? NULL : arena_printf(a, "%s: exists already, and what it holds would be lost; give the "
			"name of a new file with --size, or say --use-existing", f->path);
	for (size_t i = 0; i < c->n_destroy; i++)
		if (strcmp(c->destroy[i], f->real) == 0)
			return NULL;
	quantity_show(size, sizeof size, (double)f->size, UNIT_B, 4);
	return arena_printf(a, "%s: is %s%sa block device of %s; no file system and no partition table was found on it, but "
		"all that it holds would be lost. If that is meant, say --destroy-data=%s", f->path,
		strcmp(f->path, f->real) != 0 ? f->real : "", strcmp(f->path, f->real) != 0 ? ", " : "", size, f->real);
}

bool guard_same(const struct guard_facts *f, int fd)
{
	struct stat st;
	if (fstat(fd, &st) != 0)
		return false;
	if (f->kind == GUARD_BLOCK)
		return S_ISBLK(st.st_mode) && st.st_rdev == f->device;
	return S_ISREG(st.st_mode) && st.st_dev == f->device && st.st_ino == f->inode;
}
