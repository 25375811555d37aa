/* What people write: numbers, quantities, selectors, globs. */
#include "base/num.h"
#include "model/selector.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The quick way and the other one. */
static void check_printed(struct slice text)
{
	static const double factors[] = { 1, 1e-3, 1e-9, 1e6, 1024, 8e-3 };
	for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
		double value = 0, half = 0, scaled = 0;
		enum num_status status = num_printed(text, factors[i], &value, &half);
		if (status != num_scaled(text, factors[i], &scaled) || value != scaled || (status == NUM_OK && !(half >= 0)))
			abort();
	}
}

static void check_number(struct slice text)
{
	double value, again;
	if (num_span(text) > text.n || num_double(text, &value) != NUM_OK)
		return;
	char out[NUM_FORMAT_SIZE];
	size_t n = num_format(out, value);
	if (!isfinite(value) || num_double((struct slice){ out, n }, &again) != NUM_OK || again != value)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena = ARENA_EMPTY;
	/* Exactly so many bytes: a read behind the last one is seen. */
	char *bytes = mem_alloc(size ? size : 1);
	memcpy(bytes, data, size);
	struct slice text = size ? (struct slice){ bytes, size } : SLICE_NONE;
	const char *error = NULL;
	check_number(text);
	check_printed(text);
	for (int u = 0; u <= UNITS; u++) {
		struct quantity q = { 0 };
		enum quantity_op op;
		if (quantity_parse(text, (enum unit)u, &q, &op, &error)) {
			char shown[64];
			if (!isfinite(q.value))
				abort();
			quantity_show(shown, sizeof shown, q.value, q.unit, 4);
		} else if (!error) {
			abort();
		}
	}
	if (!selector_parse(&arena, text, &error) && !error)
		abort();
	slice_glob(text, slice_head(text, size / 2));
	arena_free(&arena);
	free(bytes);
	return 0;
}
