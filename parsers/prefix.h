/* prefix: what a log writes before every line of what it holds: the time (syslog, journald, ts, CI systems), the container
 * ("bench-1  | "), the line's number (cat -n, grep -n). */
#ifndef PARSERS_PREFIX_H
#define PARSERS_PREFIX_H

#include "parsers/text.h"

enum { PREFIX_KINDS = 2 };

struct prefix {
	unsigned kind[PREFIX_KINDS]; /* from the left */
	unsigned n;
};

/* Looks at the first lines: only what nearly all of them begin with is a prefix. `t`: at the start of its source, and left
 * there. */
struct prefix prefix_of(const struct text *t, struct arena *a);
/* The line without them. */
struct slice prefix_strip(const struct prefix *p, struct slice line);

#endif
