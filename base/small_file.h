/* small_file: a file that a user wrote (settings, a table), read whole. */
#ifndef BASE_SMALL_FILE_H
#define BASE_SMALL_FILE_H

#include "base/diag.h"

/* The file, or standard input where path is "-", with a NUL behind its last byte; `what` is what it should be: "a study
 * file". NULL, and why is in diags, when it can't be read or is larger than 1 MiB. Lives in the arena. */
struct source *small_file_read(struct arena *a, const char *path, const char *what, struct diags *diags);

#endif
