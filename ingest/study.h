/* study: the study file, in which a user says which inputs belong to which subject, what the subjects are, and what is
 * to be judged. docs/study.md describes it for users.
 *
 * An INI file. Every section and key that is not known, every value that can't be read, and every glob that matches
 * nothing is an error with its place; then nothing is done (exit status 2). */
#ifndef INGEST_STUDY_H
#define INGEST_STUDY_H

#include "model/study.h"

/* NULL when it can't be used; each mistake is a diagnostic. Everything lives in the arena. */
struct study *study_read(struct arena *a, const char *path, struct diags *diags);

/* The files and directories that the inputs' globs match, those of one subject after the other, each sorted and each
 * once. False, with a diagnostic, for a glob that matches nothing, a path of two subjects, or a study without
 * inputs. */
struct study_path {
	const char *path;
	const struct study_subject *subject; /* NULL: only members of the archive may belong to one */
	const struct study_input *input;
};
bool study_paths(struct arena *a, const struct study *s, struct diags *diags, struct study_path **paths, size_t *n);

/* Whose input that is: the first subject with a glob that matches the path or a directory or archive that it is in.
 * `path`: of the file on disk; `member`: within it, or NULL. NULL: nobody's. */
const struct study_subject *study_owner(const struct study *s, const char *path, const char *member);

#endif
