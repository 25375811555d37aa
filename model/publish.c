#include "model/publish.h"

const char *const publish_free_params[] = { "copies", "threads", "selected", "estimated", "iteration", "run", "status",
	NULL };

const char *publish_marks(unsigned flags)
{
	bool estimated = flags & RESULT_ESTIMATED;
	return flags & RESULT_PUBLISHED ? (estimated ? " est., published" : " published") : estimated ? " est." : "";
}

const char *publish_mark(const struct result *r)
{
	return publish_marks(r->flags);
}

bool publish_ruled(const struct run *run)
{
	return slice_starts(run->tool, "spec-cpu");
}

bool publish_counts(const struct result *r)
{
	const struct param *iteration = result_param(r, "iteration"), *selected = result_param(r, "selected");
	return !iteration || (selected && slice_is(selected->value, "yes"));
}

static struct slice param_of(const struct result *r, const char *key)
{
	const struct param *p = result_param(r, key);
	return p ? p->value : SLICE("");
}

/* "spec-cpu2017" -> "CPU2017" */
static struct slice version_of(const struct run *run)
{
	return slice_from(run->tool, 8);
}

const char *publish_suite(struct arena *a, const struct result *r)
{
	struct slice name = result_test(r);
	size_t at = slice_find(name, SLICE("_base"));
	at = at == (size_t)-1 ? slice_find(name, SLICE("_peak")) : at;
	if (at == (size_t)-1)
		return arena_string(a, name);
	struct slice rest = slice_from(name, at + 5);
	return arena_printf(a, "%.*s%.*s", (int)at, name.p, SLICE_ARG(rest));
}

const char *publish_obstacle(
	struct arena *a, const struct run *run, const struct result *r, const struct run *other, const struct result *s)
{
	if (!publish_ruled(run) || !publish_ruled(other))
		return NULL;
	if (!slice_eq(run->tool, other->tool))
		return arena_printf(a, "SPEC CPU%.*s and SPEC CPU%.*s are different benchmarks",
			SLICE_ARG(version_of(run)), SLICE_ARG(version_of(other)));
	if (strcmp(publish_suite(a, r), publish_suite(a, s)) != 0)
		return arena_printf(a, "%s and %s are different suites", publish_suite(a, r), publish_suite(a, s));
	if (!slice_eq(param_of(r, "tune"), param_of(s, "tune")))
		return "base and peak are built by different rules";
	if (!slice_eq(param_of(r, "size"), param_of(s, "size")))
		return arena_printf(a, "size %.*s and size %.*s are different work", SLICE_ARG(param_of(r, "size")),
			SLICE_ARG(param_of(s, "size")));
	if (!slice_eq(param_of(r, "complete"), param_of(s, "complete")))
		return "one of them leaves out benchmarks of the suite";
	return NULL;
}
