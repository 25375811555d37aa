/* output: files that appear whole or not at all. */
#ifndef REPORT_OUTPUT_H
#define REPORT_OUTPUT_H

#include "base/slice.h"

/* Writes a whole file or nothing: beside `path` under another name, synced, then renamed over it. Keeps the mode of a
 * file that is replaced. "-" is standard output; what is no regular file (a device, a pipe) is written directly. False
 * with errno when it could not. */
bool output_write(const char *path, struct slice bytes);

/* Writes all bytes to a descriptor, whatever signals come; false with errno when it could not. */
bool output_put(int fd, struct slice bytes);

#endif
