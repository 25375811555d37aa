/* newlines: what stands at line ends, 16 bytes at a time where the machine has SSE2. */
#ifndef BASE_NEWLINES_H
#define BASE_NEWLINES_H

#include <stdint.h>

/* Line feeds from p on; *last is the last of them, and stays as it is when there is none. */
uint32_t newlines_count(const char *p, const char *end, const char **last);
/* The first byte behind a line feed, from p on, that is above the blank: where a line begins that is not indented and not
 * empty. `end` when there is none. */
const char *newlines_outdented(const char *p, const char *end);

/* The first control character (below the blank) other than a tab, from p on: mostly the line end. `end` when there is
 * none. */
const char *newlines_control(const char *p, const char *end);

#endif
