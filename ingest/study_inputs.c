/* Which inputs belong to which subject of a study. */
#define _GNU_SOURCE /* FNM_LEADING_DIR */
#include "ingest/study.h"

#include <fnmatch.h>
#include <glob.h>
#include <limits.h>
#include <stdlib.h>

/* Up to an archive's name: "all.tar.gz!BM.x" names members. A "!" behind "[" belongs to a set. */
static size_t archive_end(struct slice pattern)
{
	for (size_t i = 1; i < pattern.n; i++)
		if (pattern.p[i] == '!' && pattern.p[i - 1] != '[')
			return i;
	return (size_t)-1;
}

/* ---- expanding ---- */

static int by_path(const void *a, const void *b)
{
	const struct study_path *const *x = a, *const *y = b;
	int c = strcmp((*x)->path, (*y)->path);
	return c ? c : (*x > *y) - (*x < *y);
}

static struct slice owner_name(const struct study_path *p)
{
	return p->subject ? p->subject->name : SLICE("");
}

/* A path that several globs match is read once. */
static bool drop_copies(struct arena *a, struct study_path *v, size_t *n, struct diags *diags)
{
	const struct study_path **sorted = ARENA_ARRAY(a, *n + 1, const struct study_path *);
	bool good = true;
	size_t kept = 0;
	for (size_t i = 0; i < *n; i++)
		sorted[i] = &v[i];
	if (*n > 1)
		qsort(sorted, *n, sizeof *sorted, by_path);
	bool *drop = ARENA_ARRAY(a, *n + 1, bool);
	for (size_t i = 1; i < *n; i++) {
		if (strcmp(sorted[i]->path, sorted[i - 1]->path) != 0)
			continue;
		drop[sorted[i] - v] = true;
		if (sorted[i]->subject != sorted[i - 1]->subject) {
			diag_add(diags, DIAG_ERROR, sorted[i]->input->pos, "%s belongs to %.*s, too (line %u)", sorted[i]->path,
				SLICE_ARG(owner_name(sorted[i - 1])), sorted[i - 1]->input->pos.line);
			good = false;
		}
	}
	for (size_t i = 0; i < *n; i++)
		if (!drop[i])
			v[kept++] = v[i];
	*n = kept;
	return good;
}

/* "./x" and "x" are the same, and so are "x/" and "x". */
static const char *plain(struct arena *a, const char *path)
{
	struct slice s = slice_of(path);
	while (slice_starts(s, "./") && s.n > 2)
		s = slice_from(s, 2);
	while (s.n > 1 && s.p[s.n - 1] == '/')
		s.n--;
	return arena_string(a, s);
}

bool study_paths(struct arena *a, const struct study *s, struct diags *diags, struct study_path **paths, size_t *n)
{
	size_t cap = 0;
	bool good = true;
	*paths = NULL;
	*n = 0;
	for (size_t i = 0; i < s->n_subjects; i++)
		for (size_t k = 0; k < s->subjects[i].n_inputs; k++) {
			const struct study_input *input = &s->subjects[i].inputs[k];
			size_t end = archive_end(slice_of(input->near));
			glob_t found = { 0 };
			bool whole = end == (size_t)-1;
			if (glob(arena_string(a, slice_head(slice_of(input->near), end)), 0, NULL, &found) != 0) {
				diag_add(diags, DIAG_ERROR, input->pos, "'%.*s' matches nothing", SLICE_ARG(input->glob));
				good = false;
			}
			for (size_t m = 0; m < found.gl_pathc; m++)
				*ARENA_PUSH(a, *paths, *n, cap) = (struct study_path){ plain(a, found.gl_pathv[m]),
					whole ? &s->subjects[i] : NULL, input };
			globfree(&found);
		}
	if (good && *n == 0) {
		diag_add(diags, DIAG_ERROR, (struct pos){ .source = s->source }, "names no inputs: give [subject NAME] inputs = GLOB "
			"there, or paths on the command line");
		good = false;
	}
	return good && drop_copies(a, *paths, n, diags);
}

/* ---- matching ---- */

/* Whether the pattern matches the path or a directory that it is in. */
static bool matches(const char *pattern, const char *path)
{
	return fnmatch(pattern, path, FNM_PATHNAME | FNM_LEADING_DIR) == 0;
}

const struct study_subject *study_owner(const struct study *s, const char *path, const char *member)
{
	char whole[PATH_MAX];
	struct arena scratch = ARENA_EMPTY;
	const struct study_subject *owner = NULL;
	const char *at = realpath(path, whole) ? whole : path;
	for (size_t i = 0; i < s->n_subjects && !owner; i++)
		for (size_t k = 0; k < s->subjects[i].n_inputs && !owner; k++) {
			const struct study_input *input = &s->subjects[i].inputs[k];
			struct slice near = slice_of(input->near), pattern = slice_of(input->pattern);
			size_t end = archive_end(pattern);
			bool fits = matches(arena_string(&scratch, slice_head(pattern, end)), at) ||
				matches(plain(&scratch, arena_string(&scratch, slice_head(near, archive_end(near)))),
					plain(&scratch, path));
			if (fits && (end == (size_t)-1 || (member && matches(pattern.p + end + 1, member))))
				owner = &s->subjects[i];
			arena_reset(&scratch);
		}
	arena_free(&scratch);
	return owner;
}
