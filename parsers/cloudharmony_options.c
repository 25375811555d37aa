/* .options: everything a run of CloudHarmony's block-storage suite was told and computed, as PHP serialize() writes it. */
#include "parsers/cloudharmony_key.h"

#include <math.h>

struct option {
	struct slice key; /* "threads", "fio_options.size"; a list's members share the list's key */
	struct slice value;
};

struct options {
	struct option *v;
	size_t n, cap;
	bool over; /* there were more */
};

/* Far more than there are. */
enum { MAX_OPTIONS = 10000 };

static int probe(const struct peek *peek)
{
	/* Options that only this suite has: the network suite and others write .options files of the same form. */
	static const char *const own[] = { "\"fio_options\";a:", "\"active_range\";", "\"wd_test_duration\";",
		"\"ss_verification\";", "\"oio_per_thread\";" };
	int bits = 0;
	if (!slice_starts(slice_trim(peek->head), "a:") || slice_find(peek->head, SLICE("\"target\";a:")) == (size_t)-1)
		return 0;
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (slice_find(peek->head, slice_of(own[i])) != (size_t)-1)
			bits += 8 * (int)strlen(own[i]);
	return bits ? bits + (slice_is(peek->name, ".options") ? 8 : 0) : 0;
}

static void add(struct parse *p, struct options *o, struct slice key, struct slice value)
{
	if (o->n == MAX_OPTIONS)
		o->over = true;
	else
		*ARENA_PUSH(p->arena, o->v, o->n, o->cap) = (struct option){ key, value };
}

static bool is_number(struct slice key)
{
	for (size_t i = 0; i < key.n; i++)
		if (key.p[i] < '0' || key.p[i] > '9')
			return false;
	return key.n > 0;
}

/* One level of lists and tables below the options; what is nested deeper belongs to no option of this suite. */
static void read_array(struct parse *p, struct php *php, struct slice name, struct options *o)
{
	struct slice key, value;
	if (!php_enter(php))
		return;
	while (php_member(php, &key)) {
		if (!php_scalar(php, &value))
			continue;
		if (is_number(key))
			key = name;
		else
			key = slice_of(arena_printf(p->arena, "%.*s.%.*s", SLICE_ARG(name), SLICE_ARG(key)));
		add(p, o, key, value);
	}
}

static bool read_options(struct parse *p, struct php *php, struct options *o)
{
	struct slice key, value;
	while (php->p < php->data.p + php->data.n && (*php->p == '\n' || *php->p == '\r' || *php->p == ' '))
		php->p++;
	if (!php_enter(php))
		return false;
	while (php_member(php, &key)) {
		if (php_type(php) == PHP_ARRAY)
			read_array(p, php, key, o);
		else if (php_scalar(php, &value))
			add(p, o, key, value);
	}
	return o->n > 0;
}

static const struct option *find(const struct options *o, const char *key)
{
	for (size_t i = 0; i < o->n; i++)
		if (slice_is(o->v[i].key, key))
			return &o->v[i];
	return NULL;
}

static size_t count(const struct options *o, const char *key)
{
	size_t n = 0;
	for (size_t i = 0; i < o->n; i++)
		n += slice_is(o->v[i].key, key);
	return n;
}

/* "ch-block-storage 1.0" */
static struct slice suite_version(const struct options *o)
{
	const struct option *sw = find(o, "meta_test_sw");
	return sw && slice_starts(sw->value, "ch-block-storage ") ? slice_from(sw->value, 17) : SLICE("");
}

/* The throughput test tracks each of its sizes on its own and leaves the last one's data: which one that was can be
 * told when only one was not skipped. */
static const char *throughput_size(const struct options *o)
{
	bool large = true, small = true;
	for (size_t i = 0; i < o->n; i++) {
		if (!slice_is(o->v[i].key, "skip_blocksize"))
			continue;
		large &= !slice_is(o->v[i].value, "1024k") && !slice_is(o->v[i].value, "1m");
		small &= !slice_is(o->v[i].value, "128k");
	}
	return large == small ? NULL : large ? "1048576" : "131072";
}

/* The steady state that the suite found, where it can be told which test it is of. */
static void emit_steady(struct parse *p, const struct options *o)
{
	const struct option *average = find(o, cloudharmony_ss[0].key), *name = find(o, "test");
	if (!average || !name)
		return;
	const struct cloudharmony_test *test = cloudharmony_test_find(name->value);
	if (count(o, "test") > 1) {
		parse_diag(p, DIAG_NOTE, average->value.p, "these steady-state figures are of one of %zu tests: each test "
			"overwrites those of the one before it, and this file does not say which it was", count(o, "test"));
		return;
	}
	const char *bs = test ? test->bs ? test->bs : throughput_size(o) : NULL;
	if (!bs) {
		parse_diag(p, DIAG_NOTE, average->value.p, "this file does not say which block size these steady-state "
			"figures are of");
		return;
	}
	struct param params[] = {
		{ .key = SLICE("bs"), .value = slice_of(bs) },
		{ .key = SLICE("mix"), .value = SLICE("0/100") },
		{ .key = SLICE("by"), .value = SLICE("suite") },
	};
	for (size_t i = 0; i < CLOUDHARMONY_SS; i++) {
		const struct option *ss = find(o, cloudharmony_ss[i].key);
		struct result r = { .metric = test->metric, .stat = slice_of(cloudharmony_ss[i].stat),
			.test = slice_of(test->name), .params = { params, 3 }, .time = NAN };
		if (ss && parse_quantity(p, ss->value, metric_get(test->metric)->unit, test->factor, NULL, &r.q))
			p->sink->result(p->ctx, &r);
	}
}

/* A dash that a web page made of two hyphens: the option behind it was not understood as one. */
static void check_dashes(struct parse *p, const struct option *o)
{
	size_t at = slice_find(o->value, SLICE("\xe2\x80\x93"));
	if (at == (size_t)-1)
		at = slice_find(o->value, SLICE("\xe2\x80\x94"));
	if (at != (size_t)-1)
		parse_diag(p, DIAG_WARNING, o->value.p + at, "a dash that is not a hyphen stands in the option '%.*s': what "
			"follows it was swallowed and did not take effect", SLICE_ARG(o->key));
}

static void emit_attributes(struct parse *p, const struct options *o)
{
	for (size_t i = 0; i < o->n; i++) {
		cloudharmony_attribute(p, o->v[i].key, o->v[i].value, o->v[i].value.p);
		check_dashes(p, &o->v[i]);
	}
}

static enum status parse(struct parse *p)
{
	struct php php = php_of(p->source->data);
	struct options o = { 0 };
	bool any = read_options(p, &php, &o);
	if (!any)
		return STATUS_REJECT;
	parse_run(p, SLICE("cloudharmony"), suite_version(&o));
	emit_attributes(p, &o);
	emit_steady(p, &o);
	enum status status = o.over ? STATUS_WARN : STATUS_OK;
	if (o.over)
		parse_diag(p, DIAG_ERROR, o.v[o.n - 1].value.p, "more than %d options: the rest is not read", MAX_OPTIONS);
	return cloudharmony_php_flaws(p, &php) ? STATUS_WARN : status;
}

const struct parser parser_cloudharmony_options = {
	.name = "cloudharmony-options",
	.title = "CloudHarmony block-storage .options",
	.tool = "cloudharmony",
	.probe = probe,
	.parse = parse,
};
