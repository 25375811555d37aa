/* Reads the whole input in three ways: every value by its type, every value skipped, and as the first bytes choose. */
#include "base/json.h"
#include "base/num.h"

#include <stdlib.h>

static void inside(const struct json *j, struct slice s)
{
	if (s.n && (s.p < j->data.p || s.p + s.n > j->data.p + j->data.n))
		abort();
}

static void read_value(struct json *j, struct arena *a)
{
	struct slice s;
	double v;
	switch (json_type(j)) {
	case JSON_OBJECT:
		if (json_enter_object(j))
			while (json_member(j, &s)) {
				inside(j, s);
				json_unescape(a, s);
				read_value(j, a);
			}
		break;
	case JSON_ARRAY:
		if (json_enter_array(j))
			while (json_element(j))
				read_value(j, a);
		break;
	case JSON_STRING:
		if (json_string(j, &s)) {
			inside(j, s);
			json_unescape(a, s);
		}
		break;
	case JSON_NUMBER:
		if (json_number_text(j, &s)) {
			inside(j, s);
			/* Never one that touches the end. */
			if (s.p + s.n >= j->data.p + j->data.n)
				abort();
			num_double(s, &v);
		}
		break;
	default:
		if (json_skip(j, &s))
			inside(j, s);
		break;
	}
}

static void skip_all(struct slice data)
{
	struct json j = json_of(data);
	struct slice s;
	while (json_document(&j))
		if (json_skip(&j, &s))
			inside(&j, s);
}

/* Calls in any order, the wrong ones too. */
static void at_random(struct slice data, struct slice choices)
{
	struct json j = json_of(data);
	struct slice s;
	for (size_t i = 0; i < 4 * data.n + 16; i++) {
		switch ((choices.n ? (unsigned char)choices.p[i % choices.n] + i / choices.n : i) % 9) {
		case 0: json_document(&j); break;
		case 1: json_enter_object(&j); break;
		case 2: json_enter_array(&j); break;
		case 3: json_member(&j, &s); break;
		case 4: json_element(&j); break;
		case 5: json_leave(&j); break;
		case 6: json_number_text(&j, &s); break;
		case 7: json_string(&j, &s); break;
		case 8: json_skip(&j, &s); break;
		}
		json_type(&j);
		if (json_offset(&j) > data.n || j.depth > JSON_DEPTH)
			abort();
	}
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size)
{
	struct slice data = { (const char *)bytes, size };
	struct arena a = ARENA_EMPTY;
	struct json j = json_of(data);
	while (json_document(&j))
		read_value(&j, &a);
	skip_all(data);
	at_random(data, slice_head(data, 16));
	for (int f = 0; f < JSON_FLAWS; f++)
		if (j.flaw_offset[f] > size)
			abort();
	arena_free(&a);
	return 0;
}
