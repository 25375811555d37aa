#include "model/study.h"

const struct study_subject *study_subject(const struct study *s, struct slice name)
{
	for (size_t i = 0; s && i < s->n_subjects; i++)
		if (slice_eq(s->subjects[i].name, name))
			return &s->subjects[i];
	return NULL;
}

/* 0: not of this interface; else the more the closer. */
static int closeness(const struct study_interface *i, struct slice name)
{
	if (slice_eq(i->name, name))
		return 3;
	if (!i->name.n)
		return slice_is(name, "lo") ? 0 : 1;
	return slice_glob(name, i->name) ? 2 : 0;
}

const struct study_interface *study_interface(const struct study_subject *s, struct slice name)
{
	const struct study_interface *best = NULL;
	for (size_t i = 0; s && i < s->n_interfaces; i++)
		if (closeness(&s->interfaces[i], name) > (best ? closeness(best, name) : 0))
			best = &s->interfaces[i];
	return best;
}

const struct param *study_attribute(const struct study_subject *s, const char *key)
{
	return s ? params_find((struct params){ s->attrs, s->n_attrs }, key) : NULL;
}
