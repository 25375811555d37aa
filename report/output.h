/* output: files that appear whole or not at all. */
#ifndef REPORT_OUTPUT_H
#define REPORT_OUTPUT_H

#include "base/slice.h"

/* Writes to a temporary file beside `path`, syncs it and renames it over path. False, nothing left behind, and why in
 * *error (strerror's text) when that fails. An existing file keeps its permissions; a new one gets the umask's. Through
 * a symbolic link its target is replaced. "-" is standard output; a device or pipe is written as it is. */
bool output_write(const char *path, struct slice bytes, const char **error);

#endif
