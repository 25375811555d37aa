/* One run of UnixBench in several files of a directory: its report as text, as the terminal showed it, as a web page, its
 * log, its CSV. The one that says most stands for all; the others keep their rows, but are not judged beside it. */
#include "ingest/suite.h"

#include <math.h>
#include <stdlib.h>

/* No run has to wait for others before its rows are handed on: what is found here is for those who keep all of them. */
static bool wants(const struct run *r)
{
	(void)r;
	return false;
}

struct output {
	struct run *run;
	struct slice stem;          /* file name without the ending of its form */
	const struct result *first; /* a rate that all forms have: of the first test by name, with the fewest copies */
	size_t suspect;             /* results that contradict others of their file */
};

static struct slice stem_of(const struct run *r)
{
	static const char *const endings[] = { ".html", ".htm", ".log", ".csv", ".txt" };
	struct slice name = slice_of(r->source->name), part, rest = name;
	while (slice_cut(&rest, '/', &part))
		name = part;
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
		if (slice_ends(name, endings[i]))
			return slice_head(name, name.n - strlen(endings[i]));
	return name;
}

static bool measured(const struct result *r)
{
	return r->metric == METRIC_RATE || r->metric == METRIC_SCORE;
}

static struct slice copies_of(const struct result *r)
{
	const struct param *copies = result_param(r, "copies");
	return copies ? copies->value : SLICE("");
}

/* By number of copies and name of the test. */
static int by_test(const struct result *a, const struct result *b)
{
	struct slice x = copies_of(a), y = copies_of(b);
	if (x.n != y.n)
		return x.n < y.n ? -1 : 1;
	int c = slice_cmp(x, y);
	return c ? c : slice_cmp(result_test(a), result_test(b));
}

static bool is_output(struct run *r, struct output *out)
{
	*out = (struct output){ .run = r, .stem = stem_of(r) };
	for (size_t i = 0; i < r->n_results && slice_is(r->tool, "unixbench"); i++) {
		out->suspect += r->results[i].flags & RESULT_SUSPECT ? 1 : 0;
		if (measured(&r->results[i]) && (!out->first || by_test(&r->results[i], out->first) < 0))
			out->first = &r->results[i];
	}
	return out->first && !r->suite;
}

static bool agree(const struct result *a, const struct result *b)
{
	return fabs(a->q.value - b->q.value) <= 1.001 * (a->q.half_digit + b->q.half_digit) + 1e-9 * fabs(b->q.value);
}

/* What the other output says of the same; NULL: nothing. */
static struct result *other(struct run *r, const struct result *of)
{
	for (size_t i = 0; i < r->n_results && !(of->flags & RESULT_DERIVED); i++) {
		struct result *k = &r->results[i];
		if (k->metric == of->metric && !(k->flags & RESULT_DERIVED) && by_test(k, of) == 0)
			return k;
	}
	return NULL;
}

static void contradiction(struct dataset *d, struct result *a, const struct run *of, struct result *b)
{
	a->flags |= RESULT_SUSPECT;
	b->flags |= RESULT_SUSPECT;
	diag_add(&d->diags, DIAG_WARNING, a->q.pos, "the files of one run disagree: %.*s, %s, is %.*s%s here, but "
		"%.*s%s in %s:%u",
		SLICE_ARG(result_test(a)), metric_get(a->metric)->name, SLICE_ARG(a->q.text), a->q.suffix ? a->q.suffix : "",
		SLICE_ARG(b->q.text), b->q.suffix ? b->q.suffix : "", of->source->name, b->q.pos.line);
}

/* The one that is consistent; then the one with more results, which are those with indexes; then the one with more
 * digits. */
static bool is_better(const struct output *a, const struct output *b)
{
	if (a->suspect != b->suspect)
		return a->suspect < b->suspect;
	if (a->run->n_results != b->run->n_results)
		return a->run->n_results > b->run->n_results;
	if (a->first->q.half_digit != b->first->q.half_digit)
		return a->first->q.half_digit < b->first->q.half_digit;
	return strcmp(a->run->source->name, b->run->source->name) < 0;
}

/* Whether both outputs are of one run: no two runs agree in all digits of two rates. Files of one name are of one run
 * also where one of the rates is not the same. */
static bool same_run(struct run *original, struct run *copy, bool same_name)
{
	size_t agreeing = 0, differing = 0;
	for (size_t i = 0; i < copy->n_results; i++) {
		const struct result *a = &copy->results[i], *b = measured(a) ? other(original, a) : NULL;
		agreeing += b && agree(a, b);
		differing += b && !agree(a, b);
	}
	return same_name ? agreeing > 0 : agreeing > 1 && differing == 0;
}

static void join(struct dataset *d, const struct output *better, const struct output *lesser)
{
	struct run *copy = lesser->run, *original = better->run;
	if (!same_run(original, copy, slice_eq(better->stem, lesser->stem)))
		return;
	for (size_t i = 0; i < copy->n_results; i++) {
		struct result *a = &copy->results[i], *b = other(original, a);
		if (b && !agree(a, b))
			contradiction(d, a, original, b);
	}
	copy->same_as = original;
	diag_add(&d->diags, DIAG_NOTE, (struct pos){ .source = copy->source }, "shows the same run as %s: that one is judged",
		original->source->name);
}

/* ---- who is compared with whom ---- */

static int by_stem(const void *a, const void *b)
{
	const struct output *x = a, *y = b;
	int c = slice_cmp(x->stem, y->stem);
	return c ? c : strcmp(x->run->source->name, y->run->source->name);
}

static bool same_stem(const struct output *a, const struct output *b)
{
	return slice_eq(a->stem, b->stem);
}

static int by_first(const void *a, const void *b)
{
	const struct output *x = a, *y = b;
	int c = by_test(x->first, y->first);
	if (c || x->first->q.value != y->first->q.value)
		return c ? c : x->first->q.value < y->first->q.value ? -1 : 1;
	return by_stem(a, b);
}

static bool same_first(const struct output *a, const struct output *b)
{
	return by_test(a->first, b->first) == 0 && agree(a->first, b->first);
}

static void pair(struct dataset *d, struct output *v, size_t n, int (*order)(const void *, const void *),
	bool (*alike)(const struct output *, const struct output *))
{
	if (n > 1)
		qsort(v, n, sizeof *v, order);
	for (size_t i = 0; i < n; i++)
		for (size_t k = i + 1; k < n && !v[i].run->same_as && alike(&v[i], &v[k]); k++)
			if (!v[k].run->same_as && v[i].run->source != v[k].run->source && slice_eq(v[i].run->subject, v[k].run->subject))
				join(d, &v[is_better(&v[k], &v[i]) ? k : i], &v[is_better(&v[k], &v[i]) ? i : k]);
}

static void assemble(struct dataset *d, struct run *const *members, size_t n, struct source *directory)
{
	struct output *outputs = ARENA_ARRAY(d->arena, n, struct output);
	size_t n_outputs = 0;
	(void)directory;
	bool several = false;
	for (size_t i = 0; i < n; i++) {
		n_outputs += is_output(members[i], &outputs[n_outputs]);
		several |= n_outputs && outputs[n_outputs - 1].run->source != outputs[0].run->source;
	}
	if (!several)
		return;
	pair(d, outputs, n_outputs, by_stem, same_stem);
	pair(d, outputs, n_outputs, by_first, same_first);
}

const struct suite suite_unixbench = { .wants = wants, .assemble = assemble };
