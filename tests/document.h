/* document: a test's report as XML that conforms to the schema. */
#ifndef TESTS_DOCUMENT_H
#define TESTS_DOCUMENT_H

#include "report/report.h"

/* Fails the test when it does not conform, and says why. In the arena. */
struct slice valid_document(const struct report *r, struct arena *a, struct diags *diags);
/* How often the text is there. */
size_t count(struct slice in, const char *text);

#endif
