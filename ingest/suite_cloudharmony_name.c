/* Names of the suite's fio jobs. */
#include "ingest/suite_cloudharmony.h"

#include "base/num.h"

#include <stdio.h>

static bool number(struct slice text, unsigned max, unsigned *n)
{
	uint64_t v;
	if (num_u64(text, &v) != NUM_OK || v > max)
		return false;
	*n = (unsigned)v;
	return true;
}

/* "65_35" */
static bool take_mix(struct slice text, struct ch_name *name)
{
	struct slice read;
	unsigned write;
	if (!slice_cut(&text, '_', &read) || !text.p || !number(read, 100, &name->read) || !number(text, 100, &write))
		return false;
	snprintf(name->mix, sizeof name->mix, "%u/%u", name->read, write);
	return true;
}

/* What stands behind rand or seq. */
static bool take_tail(struct slice rest, struct ch_name *name)
{
	struct slice part;
	while (slice_cut(&rest, '-', &part)) {
		if (name->ssmw)
			return false;
		if (slice_is(part, "ssmw")) {
			name->ssmw = true;
			continue;
		}
		if (name->n_numbers == 0 && slice_starts(part, "n")) {
			name->hir = true;
			part = slice_from(part, 1);
		}
		if (name->n_numbers == 2 || !number(part, 1000000, &name->numbers[name->n_numbers++]))
			return false;
	}
	return true;
}

bool ch_name_parse(struct slice text, struct ch_name *name)
{
	struct slice round, mix, bs, order;
	*name = (struct ch_name){ 0 };
	if (!slice_starts(text, "x"))
		return false;
	text = slice_from(text, 1);
	if (!slice_cut(&text, '-', &round) || !slice_cut(&text, '-', &mix) || !slice_cut(&text, '-', &bs)
		|| !slice_cut(&text, '-', &order) || !number(round, 1000000, &name->round) || !take_mix(mix, name)
		|| !cloudharmony_size(bs, name->bs, sizeof name->bs)
		|| num_double(slice_of(name->bs), &name->size) != NUM_OK)
		return false;
	name->label = bs;
	name->sequential = slice_is(order, "seq");
	return (name->sequential || slice_is(order, "rand")) && take_tail(text, name);
}
