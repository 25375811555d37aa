#define _DEFAULT_SOURCE /* d_type */
#include "ingest/walk.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

static void tell(struct walk *w, enum severity severity, const char *path, const char *what)
{
	struct source *s = ARENA_NEW(w->diags->arena, struct source);
	*s = source_of(arena_string(w->diags->arena, slice_of(path)), SLICE_NONE);
	diag_add(w->diags, severity, (struct pos){ .source = s }, "%s", what);
}

static void complain(struct walk *w, const char *path, const char *what)
{
	tell(w, DIAG_ERROR, path, what);
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
	w->file(w->ctx, &(struct walk_item){ .name = path, .directory = directory });
}

static void visit_directory(struct walk *w, struct buf *path, int depth);

/* One entry in one of two passes: files first, so that a run's files stand together before its sub-directories. Most file
 * systems tell in the directory what an entry is. */
static void visit_entry(struct walk *w, struct buf *path, const char *directory, const struct dirent *e, bool directories,
	int depth)
{
	struct stat st, target;
	size_t n = path->n;
	if (e->d_type == DT_REG && directories)
		return;
	if (n && path->p[n - 1] != '/')
		buf_char(path, '/');
	buf_str(path, e->d_name);
	if (e->d_type == DT_REG) {
		w->file(w->ctx, &(struct walk_item){ .name = path->p, .directory = directory });
	} else if (lstat(path->p, &st) != 0) {
		if (!directories)
			complain(w, path->p, strerror(errno));
	} else if (S_ISDIR(st.st_mode)) {
		if (directories)
			visit_directory(w, path, depth + 1);
	} else if (!directories && S_ISLNK(st.st_mode)) {
		if (stat(path->p, &target) != 0)
			complain(w, path->p, "is a symbolic link that leads nowhere");
		else if (S_ISDIR(target.st_mode))
			tell(w, DIAG_NOTE, path->p, "is a symbolic link to a directory: not followed");
		else
			visit_file(w, path->p, directory, &target);
	} else if (!directories) {
		visit_file(w, path->p, directory, &st);
	}
	path->n = n;
	path->p[n] = '\0';
}

static void visit_directory(struct walk *w, struct buf *path, int depth)
{
	struct dirent **entries = NULL;
	if (depth > WALK_DEPTH) {
		complain(w, path->p, "is nested too deep; what is below was not read");
		return;
	}
	int n = scandir(path->p, &entries, not_dots, by_name);
	if (n < 0) {
		complain(w, path->p, strerror(errno));
		return;
	}
	struct arena names = ARENA_EMPTY;
	const char *directory = arena_string(&names, buf_view(path));
	for (int i = 0; i < n; i++)
		visit_entry(w, path, directory, entries[i], false, depth);
	w->directory_done(w->ctx, directory);
	for (int i = 0; i < n; i++) {
		visit_entry(w, path, directory, entries[i], true, depth);
		free(entries[i]);
	}
	free(entries);
	arena_free(&names);
}

static void visit_root(struct walk *w, const char *path)
{
	struct buf b = BUF_EMPTY;
	buf_str(&b, path);
	visit_directory(w, &b, 0);
	buf_free(&b);
}

void walk_path(struct walk *w, const char *path)
{
	struct stat st;
	if (strcmp(path, "-") == 0)
		w->file(w->ctx, &(struct walk_item){ .name = "-", .is_stdin = true });
	else if (stat(path, &st) != 0)
		complain(w, path, strerror(errno));
	else if (S_ISDIR(st.st_mode))
		visit_root(w, path);
	else
		visit_file(w, path, NULL, &st);
}
