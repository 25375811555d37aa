#include "model/subject.h"

#include <stdlib.h>

/* What one run says of an attribute. */
struct statement {
	struct slice subject;
	const struct param *said;
	size_t order;
};

static int by_subject(const void *a, const void *b)
{
	const struct statement *x = a, *y = b;
	int c = slice_cmp(x->subject, y->subject);
	return c ? c : (x->order > y->order) - (x->order < y->order);
}

static void check_attribute(struct dataset *d, struct statement *all, const char *key)
{
	size_t n = 0;
	for (size_t i = 0; i < d->n_runs; i++) {
		const struct run *r = d->runs[i];
		const struct param *said = r->subject.n ? params_find(r->attrs, key) : NULL;
		if (said && slice_trim(said->value).n)
			all[n++] = (struct statement){ r->subject, said, i };
	}
	if (n > 1)
		qsort(all, n, sizeof *all, by_subject);
	for (size_t i = 0, next; i < n; i = next) {
		const struct param *first = all[i].said, *other = NULL;
		for (next = i + 1; next < n && slice_eq(all[next].subject, all[i].subject); next++)
			if (!other && !slice_eq(slice_trim(all[next].said->value), slice_trim(first->value)))
				other = all[next].said;
		if (other)
			diag_add(&d->diags, DIAG_WARNING, other->pos, "runs of %.*s differ in %s: here it is '%.*s', in %s:%u '%.*s'",
				SLICE_ARG(all[i].subject), key, SLICE_ARG(other->value), first->pos.source ? first->pos.source->name : "?",
				first->pos.line, SLICE_ARG(first->value));
	}
}

void subject_check(struct dataset *d)
{
	static const char *const keys[] = { "provider", "region", "os", "cpu", "memory", "instance_id" };
	struct statement *all = ARENA_ARRAY(d->arena, d->n_runs + 1, struct statement);
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		check_attribute(d, all, keys[i]);
}
