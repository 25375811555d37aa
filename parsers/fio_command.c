#include "parsers/fio_command.h"

#include "base/num.h"

#include <inttypes.h>

/* fio's own synonyms. */
static const char *const synonyms[][2] = {
	{ "blocksize", "bs" }, { "readwrite", "rw" }, { "filename", "target" }, { "mem", "iomem" },
};

static const char *const param_keys[] = { "rw", "bs", "iodepth", "numjobs", "direct", "ioengine" };
enum { PARAM_KEYS = sizeof param_keys / sizeof *param_keys };

static struct slice spelling(struct slice key)
{
	for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++)
		if (slice_is(key, synonyms[i][0]))
			return slice_of(synonyms[i][1]);
	return key;
}

/* "64m" as bytes; other spellings stay as they are. */
static struct slice size_value(struct arena *a, struct slice text)
{
	static const char units[] = "kmgt";
	const char *unit = text.n > 1 ? memchr(units, text.p[text.n - 1] | 0x20, 4) : NULL;
	uint64_t n;
	if (!unit || num_u64(slice_head(text, text.n - 1), &n) != NUM_OK || n > UINT32_MAX)
		return text;
	return slice_of(arena_printf(a, "%" PRIu64, n << (10 * (unit - units + 1))));
}

static struct param option(struct arena *a, struct source *source, struct slice word)
{
	struct slice value = word, key;
	bool valued = slice_find_char(word, '=') != (size_t)-1;
	slice_cut(&value, '=', &key);
	const char *data = source ? source->data.p : NULL;
	struct param p = { .key = spelling(key), .value = valued ? value : SLICE("1"), .pos = { .source = source } };
	if (data && word.p >= data && word.p <= data + source->data.n)
		p.pos.offset = (uint64_t)(word.p - data);
	if (slice_is(p.key, "bs") || slice_is(p.key, "size")) {
		p.text = value;
		p.value = size_value(a, value);
	}
	return p;
}

struct fio_command fio_command_parse(struct arena *a, struct source *source, struct slice text)
{
	struct fio_command c = { 0 };
	struct param *options = NULL, *params = ARENA_ARRAY(a, PARAM_KEYS, struct param);
	size_t cap = 0, n = 0, n_params = 0;
	struct slice word;
	while (slice_cut(&text, ' ', &word)) {
		if (!slice_starts(word, "--") || slice_starts(word, "--name=") || word.n < 3)
			continue;
		*ARENA_PUSH(a, options, n, cap) = option(a, source, slice_from(word, 2));
	}
	c.options = (struct params){ options, n };
	for (size_t i = 0; i < PARAM_KEYS; i++) {
		const struct param *p = params_find(c.options, param_keys[i]);
		if (p)
			params[n_params++] = *p;
	}
	c.params = (struct params){ params, n_params };
	return c;
}
