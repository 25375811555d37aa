/* The files of a SPEC CPU result folder: one run in several forms. The most precise form stands for the run; what the
 * others say differently is said. */
#include "ingest/suite.h"

#include <math.h>

/* Most precise first. */
static const char *const forms[] = { "rsf", "csv", "text", "html", "log" };
enum { FORMS = sizeof forms / sizeof *forms, TEXT = 2, LOG = 4 };

static int form_of(const struct run *r)
{
	const struct param *form = slice_starts(r->tool, "spec-cpu") ? params_find(r->attrs, "form") : NULL;
	for (int i = 0; form && i < FORMS; i++)
		if (slice_is(form->value, forms[i]))
			return i;
	return -1;
}

static bool is_spec(const struct run *r)
{
	return form_of(r) >= 0;
}

/* ---- which files are of one run ---- */

static struct slice file_name(const struct run *r)
{
	struct slice path = slice_of(r->source->name);
	size_t n = path.n;
	while (n > 0 && path.p[n - 1] != '/' && path.p[n - 1] != '!')
		n--;
	return slice_from(path, n);
}

/* "CPU2017.006.intrate.test" */
static struct slice stem(const struct run *r)
{
	struct slice name = file_name(r);
	for (size_t i = name.n; i > 0; i--)
		if (name.p[i - 1] == '.')
			return slice_head(name, i - 1);
	return name;
}

/* The number in "CPU2017.006.intrate.test.csv", "CINT2006.006.ref.csv", "CPU2017.006.log"; empty in other names. */
static struct slice number(const struct run *r)
{
	struct slice name = file_name(r), part;
	if (!slice_starts(name, "CPU20") && !slice_starts(name, "CINT20") && !slice_starts(name, "CFP20"))
		return SLICE("");
	slice_cut(&name, '.', &part);
	return slice_cut(&name, '.', &part) ? part : SLICE("");
}

static bool same_attr(const struct run *a, const struct run *b, const char *key)
{
	const struct param *x = params_find(a->attrs, key), *y = params_find(b->attrs, key);
	return !x || !y || slice_eq(x->value, y->value);
}

/* A log holds all suites of its run. */
static bool same_run(const struct run *a, const struct run *b)
{
	bool log = form_of(a) == LOG || form_of(b) == LOG;
	if (a->source == b->source || !slice_eq(a->tool, b->tool) || !slice_eq(a->subject, b->subject))
		return false;
	if (log)
		return slice_eq(stem(a), stem(b)) || (number(a).n && slice_eq(number(a), number(b)));
	if (!same_attr(a, b, "suite") || !same_attr(a, b, "size"))
		return false;
	return slice_eq(stem(a), stem(b)) || fabs(a->started - b->started) <= 1;
}

/* ---- what they say of it ---- */

/* Whether both results are of the same thing; params that one form does not print are left open. */
static bool same_thing(const struct result *a, const struct result *b)
{
	static const char *const keys[] = { "tune", "iteration", "size", "of" };
	if (a->metric != b->metric || !slice_eq(a->stat, b->stat) || !slice_eq(result_test(a), result_test(b)))
		return false;
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		const struct param *x = result_param(a, keys[i]), *y = result_param(b, keys[i]);
		if (x && y && !slice_eq(x->value, y->value))
			return false;
	}
	return true;
}

static const char *shown(struct arena *a, const struct result *r)
{
	if (r->metric == METRIC_VALID)
		return r->q.value > 0 ? "valid" : "invalid";
	return r->q.text.n ? arena_string(a, r->q.text) : "no value";
}

static void contradiction(struct dataset *d, struct result *a, const struct run *of, struct result *b)
{
	const struct param *tune = result_param(a, "tune"), *iteration = result_param(a, "iteration");
	struct slice test = result_test(a);
	bool whole = a->metric == METRIC_SCORE || a->metric == METRIC_VALID;
	const char *what =
		test.n ? arena_printf(d->arena, "%.*s%s%.*s%s%.*s, %s, is", SLICE_ARG(test), tune && !whole ? " " : "",
				 tune && !whole ? (int)tune->value.n : 0, tune ? tune->value.p : "",
				 iteration ? ", run " : "", iteration ? (int)iteration->value.n : 0,
				 iteration ? iteration->value.p : "",
				 a->metric == METRIC_RUNTIME ? "the run time" : metric_get(a->metric)->name)
		       : "the result is";
	a->flags |= RESULT_SUSPECT;
	b->flags |= RESULT_SUSPECT;
	diag_add(&d->diags, DIAG_WARNING, a->q.pos, "the files of one run disagree: %s %s here, but %s in %s:%u", what,
		shown(d->arena, a), shown(d->arena, b), of->source->name, b->q.pos.line);
}

static bool agree(const struct result *a, const struct result *b)
{
	if (a->q.missing || b->q.missing)
		return a->q.missing == b->q.missing;
	return fabs(a->q.value - b->q.value) <= 1.001 * (a->q.half_digit + b->q.half_digit) + 1e-9 * fabs(b->q.value);
}

static void compare(struct dataset *d, struct run *copy, struct run *original)
{
	for (size_t i = 0; i < copy->n_results; i++) {
		struct result *a = &copy->results[i];
		if (a->flags & RESULT_DERIVED)
			continue;
		for (size_t k = 0; k < original->n_results; k++) {
			struct result *b = &original->results[k];
			if (!same_thing(a, b))
				continue;
			if (!agree(a, b))
				contradiction(d, a, original, b);
			break;
		}
	}
}

static bool estimated(const struct run *r)
{
	for (size_t i = 0; i < r->n_results; i++)
		if (r->results[i].flags & RESULT_ESTIMATED)
			return true;
	return false;
}

static void mark(struct run *r, unsigned flag)
{
	for (size_t i = 0; i < r->n_results; i++)
		r->results[i].flags |= flag;
}

static void join(struct dataset *d, struct run *original, struct run *copy)
{
	compare(d, copy, original);
	copy->suite = original;
	if (form_of(copy) >= TEXT)
		mark(copy, RESULT_LOW_PRECISION);
	/* What one of its files calls an estimate is one in all. */
	if (estimated(copy) && !estimated(original))
		mark(original, RESULT_ESTIMATED);
	if (estimated(original))
		mark(copy, RESULT_ESTIMATED);
	if (original->version.n == 0)
		original->version = copy->version;
}

static void assemble(struct dataset *d, struct run *const *members, size_t n, struct source *directory)
{
	(void)directory;
	for (int form = 0; form < FORMS; form++)
		for (size_t i = 0; i < n; i++) {
			struct run *original = members[i];
			if (form_of(original) != form || original->suite)
				continue;
			for (size_t k = 0; k < n; k++)
				if (form_of(members[k]) > form && !members[k]->suite && same_run(original, members[k]))
					join(d, original, members[k]);
		}
}

const struct suite suite_spec = { .wants = is_spec, .assemble = assemble };
