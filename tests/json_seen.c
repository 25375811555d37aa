#include "tests/json_seen.h"

#include "base/num.h"

static void note_string(struct buf *b, char kind, struct slice s)
{
	buf_printf(b, "%c%zu:", kind, s.n);
	buf_slice(b, s);
}

static void note_number(struct seen *s, struct json *j)
{
	struct slice text;
	double v = 0;
	if (!json_number_text(j, &text)) {
		s->ok = false;
		return;
	}
	*ARENA_PUSH(&s->arena, s->numbers, s->count, s->cap) =
		(struct number){ (size_t)(text.p - j->data.p), text.n };
	buf_char(&s->text, 'N');
	if (num_double(text, &v) == NUM_OK)
		buf_double(&s->text, v);
	else
		buf_slice(&s->text, text);
}

/* Reads the value here and all that is in it; recursion is bounded by JSON_DEPTH. */
static void read_value(struct seen *s, struct json *j)
{
	struct slice text;
	switch (json_type(j)) {
	case JSON_OBJECT:
		if (!json_enter_object(j)) {
			s->ok = false;
			break;
		}
		buf_char(&s->text, '{');
		while (json_member(j, &text)) {
			note_string(&s->text, 'K', json_unescape(&s->arena, text));
			read_value(s, j);
		}
		buf_char(&s->text, '}');
		break;
	case JSON_ARRAY:
		if (!json_enter_array(j)) {
			s->ok = false;
			break;
		}
		buf_char(&s->text, '[');
		while (json_element(j))
			read_value(s, j);
		buf_char(&s->text, ']');
		break;
	case JSON_STRING:
		if (json_string(j, &text))
			note_string(&s->text, 'S', json_unescape(&s->arena, text));
		break;
	case JSON_NUMBER: note_number(s, j); break;
	case JSON_TRUE: buf_char(&s->text, 'T'); json_skip(j, NULL); break;
	case JSON_FALSE: buf_char(&s->text, 'F'); json_skip(j, NULL); break;
	case JSON_NULL: buf_char(&s->text, 'Z'); json_skip(j, NULL); break;
	case JSON_NONE: s->ok = false; json_skip(j, NULL); break;
	}
}

struct json read_all(struct seen *s, struct slice data)
{
	*s = (struct seen){ .ok = true };
	struct json j = json_of(data);
	while (json_document(&j)) {
		buf_char(&s->text, '\n');
		read_value(s, &j);
	}
	buf_char(&s->text, '\n');
	return j;
}

void seen_free(struct seen *s)
{
	buf_free(&s->text);
	arena_free(&s->arena);
}
