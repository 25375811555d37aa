#include "ingest/walk.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

static void complain(struct walk *w, const char *path, const char *what)
{
	struct source *s = ARENA_NEW(w->diags->arena, struct source);
	*s = source_of(arena_string(w->diags->arena, slice_of(path)), SLICE_NONE);
	diag_add(w->diags, DIAG_ERROR, (struct pos){ .source = s }, "%s", what);
	w->unreadable++;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int not_dots(const struct dirent *e)
{
	return strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
}

static void visit_file(struct walk *w, const char *path, const char *directory, const struct stat *st)
{
	if (!S_ISREG(st->st_mode)) {
		complain(w, path, "is neither a file nor a directory; devices, sockets and pipes are not read (use - for a pipe)");
		return;
	}
	w->file(w->ctx, &(struct walk_item){ .name = path, .directory = directory, .size = (uint64_t)st->st_size });
}

static void visit_directory(struct walk *w, const char *path, int depth);

/* One entry in one of two passes: files first, so that a run's files stand together before its sub-directories. */
static void visit_entry(struct walk *w, const char *directory, const char *name, bool directories, int depth)
{
	struct arena scratch = ARENA_EMPTY;
	size_t n = strlen(directory);
	const char *path = arena_printf(&scratch, "%s%s%s", directory, n && directory[n - 1] == '/' ? "" : "/", name);
	struct stat st, target;
	if (lstat(path, &st) != 0) {
		if (!directories)
			complain(w, path, strerror(errno));
	} else if (S_ISDIR(st.st_mode)) {
		if (directories)
			visit_directory(w, path, depth + 1);
	} else if (!directories && S_ISLNK(st.st_mode)) {
		if (stat(path, &target) != 0)
			complain(w, path, "is a symbolic link that leads nowhere");
		else if (!S_ISDIR(target.st_mode))
			visit_file(w, path, directory, &target);
	} else if (!directories) {
		visit_file(w, path, directory, &st);
	}
	arena_free(&scratch);
}

static void visit_directory(struct walk *w, const char *path, int depth)
{
	struct dirent **entries = NULL;
	if (depth > WALK_DEPTH) {
		complain(w, path, "is nested too deep; what is below was not read");
		return;
	}
	int n = scandir(path, &entries, not_dots, by_name);
	if (n < 0) {
		complain(w, path, strerror(errno));
		return;
	}
	for (int i = 0; i < n; i++)
		visit_entry(w, path, entries[i]->d_name, false, depth);
	w->directory_done(w->ctx, path);
	for (int i = 0; i < n; i++) {
		visit_entry(w, path, entries[i]->d_name, true, depth);
		free(entries[i]);
	}
	free(entries);
}

void walk_path(struct walk *w, const char *path)
{
	struct stat st;
	if (strcmp(path, "-") == 0)
		w->file(w->ctx, &(struct walk_item){ .name = "-", .is_stdin = true });
	else if (stat(path, &st) != 0)
		complain(w, path, strerror(errno));
	else if (S_ISDIR(st.st_mode))
		visit_directory(w, path, 0);
	else
		visit_file(w, path, NULL, &st);
}
