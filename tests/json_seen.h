/* json_seen: all that base/json reads of some bytes, in the canonical form of jansson_dump. */
#ifndef TESTS_JSON_SEEN_H
#define TESTS_JSON_SEEN_H

#include "base/buf.h"
#include "base/json.h"

struct seen {
	struct arena arena;
	struct buf text;      /* the canonical form of everything read */
	struct number { size_t at, n; } *numbers;
	size_t count, cap;
	bool ok;              /* every value could be read */
};

/* Each document begins with a line end, and one is behind the last. Free with seen_free. */
struct json read_all(struct seen *s, struct slice data);
void seen_free(struct seen *s);

#endif
