#include "tests/document.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

struct slice valid_document(const struct report *r, struct arena *a, struct diags *diags)
{
	struct buf xml = BUF_EMPTY;
	assert_int_equal(report_xml(r, &xml, diags), STATUS_OK);
	enum status valid = report_validate(buf_view(&xml), diags);
	for (const struct diag *g = diags->first; g && valid != STATUS_OK; g = g->next)
		print_message("%s\n", g->message);
	assert_int_equal(valid, STATUS_OK);
	struct slice text = arena_copy(a, buf_view(&xml));
	buf_free(&xml);
	return text;
}

size_t count(struct slice in, const char *text)
{
	size_t n = 0;
	for (size_t at; (at = slice_find(in, slice_of(text))) != (size_t)-1; n++)
		in = slice_from(in, at + strlen(text));
	return n;
}
