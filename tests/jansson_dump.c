#include "tests/jansson_dump.h"

#include <jansson.h>

static void put_string(struct buf *b, char kind, struct slice s)
{
	buf_printf(b, "%c%zu:", kind, s.n);
	buf_slice(b, s);
}

static void put_value(struct buf *b, json_t *v)
{
	const char *key;
	size_t length, i;
	json_t *item;
	switch (json_typeof(v)) {
	case JSON_OBJECT:
		buf_char(b, '{');
		json_object_keylen_foreach(v, key, length, item) {
			put_string(b, 'K', (struct slice){ key, length });
			put_value(b, item);
		}
		buf_char(b, '}');
		break;
	case JSON_ARRAY:
		buf_char(b, '[');
		json_array_foreach(v, i, item)
			put_value(b, item);
		buf_char(b, ']');
		break;
	case JSON_STRING:
		put_string(b, 'S', (struct slice){ json_string_value(v), json_string_length(v) });
		break;
	case JSON_INTEGER:
	case JSON_REAL:
		buf_char(b, 'N');
		buf_double(b, json_number_value(v));
		break;
	case JSON_TRUE: buf_char(b, 'T'); break;
	case JSON_FALSE: buf_char(b, 'F'); break;
	case JSON_NULL: buf_char(b, 'Z'); break;
	}
}

bool jansson_dump(struct slice text, struct buf *out)
{
	json_t *root = json_loadb(text.p, text.n, 0, NULL);
	if (!root)
		return false;
	put_value(out, root);
	json_decref(root);
	return true;
}
