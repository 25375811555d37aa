/* Network tests leave the same figures in several files of a directory: they count once, and where the files do not agree
 * that is said. */
#include "ingest/suite.h"
#include "parsers/cloudharmony_net.h"

#include <math.h>

/* .options has the figures as computed, the rest was made from it. */
static int rank(const struct run *r)
{
	struct slice name = slice_of(r->source->name);
	return slice_ends(name, ".options") ? 0 : slice_ends(name, ".csv") ? 1 : 2;
}

static bool is_network(const struct run *r)
{
	return slice_is(r->tool, "cloudharmony") && r->n_jobs > 0 && cloudharmony_net_is_test(r->jobs[0]->name);
}

static bool same_param(const struct job *a, const struct job *b, const char *key)
{
	const struct param *x = params_find(a->params, key), *y = params_find(b->params, key);
	return !x || !y || slice_eq(x->value, y->value);
}

/* What all forms print of a test: when it began, to the second, and of what. */
static bool same_test(const struct job *a, const struct job *b)
{
	const struct param *x = params_find(a->options, "test_started"), *y = params_find(b->options, "test_started");
	return slice_eq(a->name, b->name) && same_param(a, b, "endpoint") && same_param(a, b, "threads") && x && y
		&& slice_eq(x->value, y->value);
}

static const struct result *figure(const struct run *r, const struct job *job, struct slice stat)
{
	for (size_t i = 0; i < r->n_results; i++)
		if (r->results[i].job == job && slice_eq(r->results[i].stat, stat))
			return &r->results[i];
	return NULL;
}

/* The figures of a copy against the original's. */
static void compare(struct dataset *d, const struct run *copy, const struct job *job, const struct run *original,
	const struct job *of)
{
	for (size_t i = 0; i < copy->n_results; i++) {
		const struct result *a = &copy->results[i];
		const struct result *b = a->job == job ? figure(original, of, a->stat) : NULL;
		if (!b || a->q.missing || b->q.missing
			|| fabs(a->q.value - b->q.value) <= 1.001 * (a->q.half_digit + b->q.half_digit) + 1e-9 * fabs(b->q.value))
			continue;
		diag_add(&d->diags, DIAG_WARNING, a->q.pos, "%.*s of the %.*s test is %.*s here, but %.*s in %s:%u",
			SLICE_ARG(a->stat), SLICE_ARG(job->name), SLICE_ARG(a->q.text), SLICE_ARG(b->q.text), original->source->name,
			b->q.pos.line);
	}
}

/* A run of a file that ranks before this one's and holds all its tests, or NULL. */
static struct run *original_of(struct dataset *d, struct run *const *members, size_t n, const struct run *copy)
{
	for (size_t i = 0; i < n; i++) {
		struct run *r = members[i];
		size_t found = 0;
		if (!is_network(r) || rank(r) >= rank(copy))
			continue;
		for (size_t k = 0; k < copy->n_jobs; k++)
			for (size_t j = 0; j < r->n_jobs; j++)
				if (same_test(copy->jobs[k], r->jobs[j])) {
					compare(d, copy, copy->jobs[k], r, r->jobs[j]);
					found++;
					break;
				}
		if (found == copy->n_jobs)
			return r->suite ? r->suite : r;
	}
	return NULL;
}

static void assemble(struct dataset *d, struct run *const *members, size_t n, struct source *directory)
{
	(void)directory;
	for (int order = 1; order <= 2; order++)
		for (size_t i = 0; i < n; i++) {
			struct run *copy = members[i];
			struct run *original = is_network(copy) && rank(copy) == order ? original_of(d, members, n, copy) : NULL;
			if (!original)
				continue;
			copy->suite = original;
			copy->n_series = 0;
			if (original->version.n == 0)
				original->version = copy->version;
			if (original->subject.n == 0)
				original->subject = copy->subject;
		}
}

const struct suite suite_cloudharmony_net = { .wants = is_network, .assemble = assemble };
