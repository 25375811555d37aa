/* prefix: what a log writes before every line of what it holds: the time (syslog, journald, ts, CI systems), the container
 * ("bench-1  | "), the line's number (cat -n, grep -n); and what is the same before all lines: marks of quotes, patches and
 * comments ("| ", "+", "# "), who said them ("node01: ", "JD> ", "<joe> "), a level ("INFO "). */
#ifndef PARSERS_PREFIX_H
#define PARSERS_PREFIX_H

#include "parsers/starts.h"

enum { PREFIX_KINDS = 5 };

struct prefix {
	unsigned kind[PREFIX_KINDS]; /* from the left */
	struct slice tag[PREFIX_KINDS]; /* of that which is the same before all lines */
	unsigned n;
};

/* Looks at the first lines: only what nearly all of them begin with is a prefix, and what is the same before most of them
 * where some tool's output begins behind it and none before. `starts`: NULL where nobody can tell. `t`: at the start of its
 * source, and left there; the arena holds the tags. */
struct prefix prefix_of(const struct text *t, const struct starts *starts, struct arena *a);
/* The line without them. */
struct slice prefix_strip(const struct prefix *p, struct slice line);

#endif
