/* jansson_dump: a JSON text as another reader understands it. Apart from the test,
 * since the two readers share names. */
#ifndef TESTS_JANSSON_DUMP_H
#define TESTS_JANSSON_DUMP_H

#include "base/buf.h"

/* Appends one document: {} with K<length>:<key>, [], S<length>:<text>, N<number>, T, F, Z for null.
 * False when jansson finds it invalid. */
bool jansson_dump(struct slice text, struct buf *out);

#endif
