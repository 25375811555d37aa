#include "parsers/cloudharmony_net.h"

#include "base/num.h"
#include "parsers/cloudharmony_key.h"

#include <math.h>

#define MS 1e-3
/* What the suite calls Mb/s: bytes per second times 8, divided by 2^20. */
#define MIBIT (1048576.0 / 8)

struct net_kind {
	const char *name;
	enum metric_id metric;
	double factor;
	const char *suffix;
	bool high_first;  /* metric_10 is the high end */
	bool mislabelled; /* metric_unit says Mb/s of a time, and fastest and slowest are swapped */
};

static const struct net_kind kinds[] = {
	{ .name = "latency", .metric = METRIC_LATENCY, .factor = MS, .suffix = " ms", .high_first = true },
	{ .name = "downlink", .metric = METRIC_BANDWIDTH, .factor = MIBIT, .suffix = " Mb/s" },
	{ .name = "uplink", .metric = METRIC_BANDWIDTH, .factor = MIBIT, .suffix = " Mb/s" },
	{ .name = "rtt", .metric = METRIC_RTT, .factor = MS, .suffix = " ms", .mislabelled = true },
	{ .name = "ttfb", .metric = METRIC_TTFB, .factor = MS, .suffix = " ms", .mislabelled = true },
	{ .name = "dns", .metric = METRIC_QUERY_TIME, .factor = MS, .suffix = " ms", .high_first = true },
};

/* Told to time its transfers, the suite prints ms for them. */
static const struct net_kind timed_transfer = { .metric = METRIC_RUNTIME, .factor = MS, .suffix = " ms",
	.high_first = true };

static const struct net_kind *kind_named(struct slice name)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (slice_is(name, kinds[i].name))
			return &kinds[i];
	return NULL;
}

bool cloudharmony_net_is_test(struct slice name)
{
	return kind_named(name) != NULL;
}

struct net_test *cloudharmony_net_test(struct cloudharmony_net *net, const char *at)
{
	if (net->n == NET_TESTS) {
		if (net->status == STATUS_OK)
			parse_diag(net->parse, DIAG_ERROR, at, "more than %d tests: the rest is not read", NET_TESTS);
		net->status = STATUS_WARN;
		return NULL;
	}
	return ARENA_PUSH(net->parse->arena, net->v, net->n, net->cap);
}

void cloudharmony_net_field(struct cloudharmony_net *net, struct net_test *t, struct slice key, struct slice value,
	const char *at)
{
	*ARENA_PUSH(net->parse->arena, t->v, t->n, t->cap) = (struct net_field){ key, value, at };
}

const struct net_field *net_find(const struct net_test *t, const char *key)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->v[i].value.n && slice_is(t->v[i].key, key))
			return &t->v[i];
	return NULL;
}

static bool told(const struct net_test *t, const char *key)
{
	const struct net_field *f = net_find(t, key);
	return f && !slice_is(f->value, "0");
}

static bool same(const struct net_test *a, const struct net_test *b, const char *key)
{
	const struct net_field *x = net_find(a, key), *y = net_find(b, key);
	return slice_eq(x ? x->value : SLICE(""), y ? y->value : SLICE(""));
}

static bool is_transfer(const struct net_test *t)
{
	const struct net_field *name = net_find(t, "test");
	const struct net_kind *kind = name ? kind_named(name->value) : NULL;
	return kind && kind->metric == METRIC_BANDWIDTH;
}

/* The key and value of a param of the job, from the suite's field; false when it has none. */
static bool add_param(struct parse *p, const struct net_test *t, const char *key, const char *field, struct param *out)
{
	const struct net_field *f = net_find(t, field);
	if (f)
		*out = (struct param){ .key = slice_of(key), .value = f->value, .pos = parse_pos(p, f->at) };
	return f != NULL;
}

enum { NET_PARAMS = 4 };

/* Whether another test has the same name and params. */
static bool has_twin(const struct cloudharmony_net *net, const struct net_test *t)
{
	for (size_t i = 0; i < net->n; i++) {
		const struct net_test *u = &net->v[i];
		if (u != t && same(u, t, "test") && same(u, t, "test_endpoint") && same(u, t, "iteration")
			&& (!is_transfer(t) || same(u, t, "throughput_threads")))
			return true;
	}
	return false;
}

static size_t params_of(struct cloudharmony_net *net, const struct net_test *t, struct param out[static NET_PARAMS])
{
	struct parse *p = net->parse;
	size_t n = add_param(p, t, "endpoint", "test_endpoint", &out[0]);
	n += is_transfer(t) && add_param(p, t, "threads", "throughput_threads", &out[n]);
	n += add_param(p, t, "iteration", "iteration", &out[n]);
	if (has_twin(net, t))
		out[n++] = (struct param){ .key = SLICE("run"),
			.value = arena_u64(p->arena, (size_t)(t - net->v) + 1) };
	return n;
}

static bool is_figure(struct slice key)
{
	return slice_is(key, "metric") || slice_is(key, "metrics") || slice_starts(key, "metric_");
}

static bool is_attribute(struct slice key)
{
	return slice_starts(key, "meta_") || slice_is(key, "benchmark_version") || slice_is(key, "collectd_rrd");
}

/* Everything that is neither a figure nor a description of the machine. */
static const struct job *emit_job(struct cloudharmony_net *net, const struct net_test *t, const struct net_field *name,
	struct params params)
{
	struct parse *p = net->parse;
	struct param *options = ARENA_ARRAY(p->arena, t->n, struct param);
	size_t n = 0;
	for (size_t i = 0; i < t->n; i++) {
		const struct net_field *f = &t->v[i];
		if (f->value.n && !is_figure(f->key) && !is_attribute(f->key))
			options[n++] = (struct param){ .key = f->key, .value = f->value, .pos = parse_pos(p, f->at) };
	}
	struct job job = { .name = name->value, .params = params, .options = { options, n }, .partial = true,
		.pos = parse_pos(p, name->at), .started = NAN, .stopped = NAN };
	return p->sink->job(p->ctx, &job);
}

static void emit_run(struct cloudharmony_net *net, const struct net_test *t)
{
	const struct net_field *version = net_find(t, "benchmark_version");
	parse_run(net->parse, SLICE("cloudharmony"), version ? version->value : net->version);
	for (size_t i = 0; i < t->n; i++)
		if (t->v[i].value.n && is_attribute(t->v[i].key))
			cloudharmony_attribute(net->parse, t->v[i].key, t->v[i].value, t->v[i].at);
}

/* The test's samples, with their places, in measured order. */
static size_t read_samples(struct cloudharmony_net *net, const struct net_test *t, const struct net_kind *kind,
	const struct job *job, struct point **points)
{
	struct parse *p = net->parse;
	const struct net_field *f = net_find(t, "metrics");
	struct slice rest = f ? f->value : SLICE_NONE, part;
	size_t n = 0, cap = 0, at = 0;
	struct quantity q;
	*points = NULL;
	while (slice_cut(&rest, '|', &part)) {
		at++;
		if (!parse_quantity(p, part, metric_get(kind->metric)->unit, kind->factor, NULL, &q))
			continue;
		*ARENA_PUSH(p->arena, *points, n, cap) = (struct point){ .t = (double)at, .value = q.value, .job = job,
			.pos = q.pos };
	}
	return n;
}

/* -1: the first is less, 1: greater, 0: equal or not both there. */
static int order(const struct net_test *t, const char *first, const char *second)
{
	const struct net_field *x = net_find(t, first), *y = net_find(t, second);
	double a, b;
	if (!x || !y || num_double(x->value, &a) != NUM_OK || num_double(y->value, &b) != NUM_OK)
		return 0;
	return (a > b) - (a < b);
}

/* p10 is the low end whatever the suite calls it: by the values, where these agree among themselves. */
static bool high_end_first(const struct net_test *t, const struct net_kind *kind)
{
	int outer = order(t, "metric_10", "metric_90"), inner = order(t, "metric_25", "metric_75");
	return outer + inner == 0 ? kind->high_first : outer + inner > 0;
}

static void read_figures(struct cloudharmony_net *net, const struct net_test *t, const struct net_kind *kind,
	struct net_figure figures[NET_FIGURES])
{
	static const struct net_figure names[NET_FIGURES] = {
		[NET_MEDIAN] = { .key = "metric", .stat = "median" },
		[NET_MEAN] = { .key = "metric_mean", .stat = "mean" },
		[NET_MIN] = { .key = "metric_min", .stat = "min" },
		[NET_MAX] = { .key = "metric_max", .stat = "max" },
		[NET_SD] = { .key = "metric_stdev", .stat = "sd" },
		[NET_P10] = { .key = "metric_10", .stat = "p10", .share = 0.10 },
		[NET_P25] = { .key = "metric_25", .stat = "p25", .share = 0.25 },
		[NET_P75] = { .key = "metric_75", .stat = "p75", .share = 0.75 },
		[NET_P90] = { .key = "metric_90", .stat = "p90", .share = 0.90 },
		[NET_TIMED] = { .key = "metric_timed", .stat = "timed" },
	};
	static const int mirrored[NET_FIGURES] = { [NET_P10] = NET_P90, [NET_P25] = NET_P75, [NET_P75] = NET_P25,
		[NET_P90] = NET_P10 };
	bool high_first = high_end_first(t, kind);
	for (int i = 0; i < NET_FIGURES; i++) {
		const char *key = names[high_first && mirrored[i] ? mirrored[i] : i].key;
		const struct net_field *f = net_find(t, key);
		bool by_clock = i == NET_TIMED;
		figures[i] = names[i];
		figures[i].key = key;
		enum unit unit = by_clock ? UNIT_B_PER_S : metric_get(kind->metric)->unit;
		figures[i].printed = f && parse_quantity(net->parse, f->value, unit, by_clock ? MIBIT : kind->factor,
			by_clock ? " Mb/s" : kind->suffix, &figures[i].q);
	}
}

static void emit_figures(struct cloudharmony_net *net, const struct net_kind *kind, const struct job *job,
	const struct net_figure figures[NET_FIGURES], uint64_t samples, bool copy)
{
	struct parse *p = net->parse;
	for (int i = 0; i < NET_FIGURES; i++) {
		struct result r = { .metric = i == NET_TIMED ? METRIC_BANDWIDTH : kind->metric, .stat = slice_of(figures[i].stat),
			.q = figures[i].q, .job = job, .n = samples, .time = NAN,
			.flags = figures[i].suspect || copy ? RESULT_SUSPECT : 0 };
		if (figures[i].printed)
			p->sink->result(p->ctx, &r);
	}
}

/* A test that gave nothing: the row that says so, and why. */
static void emit_failure(struct cloudharmony_net *net, const struct net_kind *kind, const struct job *job,
	struct slice name, const struct net_field *status)
{
	struct parse *p = net->parse;
	struct result r = { .metric = kind->metric, .stat = SLICE("median"), .job = job, .time = NAN };
	r.q = (struct quantity){ .unit = metric_get(kind->metric)->unit, .missing = true, .text = status->value,
		.pos = parse_pos(p, status->at) };
	p->sink->result(p->ctx, &r);
	parse_diag(p, DIAG_WARNING, status->at, "the %.*s test failed: it has no figures", SLICE_ARG(name));
}

static void check_tries(struct cloudharmony_net *net, const struct net_test *t, struct slice name)
{
	const struct net_field *failed = net_find(t, "tests_failed"), *good = net_find(t, "tests_success");
	uint64_t n;
	if (failed && num_u64(failed->value, &n) == NUM_OK && n > 0)
		parse_diag(net->parse, DIAG_WARNING, failed->at, "tests_failed=%.*s: the figures of this %.*s test are of the %.*s tries "
			"that did not fail", SLICE_ARG(failed->value), SLICE_ARG(name), SLICE_ARG(good ? good->value : SLICE("other")));
}

static void check_times(struct cloudharmony_net *net, const struct net_test *t)
{
	const struct net_field *start = net_find(t, "test_started"), *stop = net_find(t, "test_stopped");
	double from, to;
	if (start && stop && cloudharmony_time(start->value, &from) && cloudharmony_time(stop->value, &to) && to < from)
		parse_diag(net->parse, DIAG_WARNING, stop->at, "the test ended at %.*s, before it began at %.*s",
			SLICE_ARG(stop->value), SLICE_ARG(start->value));
}

/* The first test before this one that measured the same with the very same samples. */
static const struct net_test *original_of(const struct cloudharmony_net *net, const struct net_test *t)
{
	enum { TOO_FEW_TO_TELL = 5 };
	const struct net_field *samples = net_find(t, "metrics");
	size_t n = 1;
	for (size_t i = 0; samples && i < samples->value.n; i++)
		n += samples->value.p[i] == '|';
	for (const struct net_test *u = net->v; samples && n >= TOO_FEW_TO_TELL && u < t; u++)
		if (same(u, t, "metrics") && same(u, t, "test"))
			return u;
	return NULL;
}

static bool check_copy(struct cloudharmony_net *net, const struct net_test *t)
{
	const struct net_test *u = original_of(net, t);
	if (!u)
		return false;
	struct parse *p = net->parse;
	struct pos pos = source_pos(p->source, (uint64_t)(net_find(u, "metrics")->at - p->source->data.p));
	parse_diag(p, DIAG_WARNING, net_find(t, "metrics")->at, "these samples are one for one those of test %zu (line %u, "
		"column %u): one of the two was not measured", (size_t)(u - net->v) + 1, pos.line, pos.column);
	return true;
}

static void emit_measured(struct cloudharmony_net *net, const struct net_test *t, const struct net_kind *kind,
	const struct job *job, struct params params)
{
	struct parse *p = net->parse;
	struct net_figure figures[NET_FIGURES];
	struct point *points;
	size_t n = read_samples(net, t, kind, job, &points);
	double *y = ARENA_ARRAY(p->arena, n + 1, double);
	for (size_t i = 0; i < n; i++)
		y[i] = points[i].value;
	read_figures(net, t, kind, figures);
	net_check(net, t, figures, y, n, kind->factor);
	emit_figures(net, kind, job, figures, n, check_copy(net, t));
	struct series series = { .kind = SERIES_SAMPLES, .metric = kind->metric, .test = net_find(t, "test")->value,
		.params = params, .points = points, .n = n, .untimed = true };
	if (n)
		p->sink->series(p->ctx, &series);
}

static void emit_test(struct cloudharmony_net *net, const struct net_test *t, bool *unit_said)
{
	const struct net_field *name = net_find(t, "test"), *status = net_find(t, "status"),
		*unit = net_find(t, "metric_unit");
	const struct net_kind *kind = name ? kind_named(name->value) : NULL;
	struct param params[NET_PARAMS];
	if (!kind) {
		parse_diag(net->parse, DIAG_WARNING, name ? name->at : t->n ? t->v[0].at : NULL, "the network suite has no test "
			"'%.*s': nothing of it is reported", SLICE_ARG(name ? slice_head(name->value, 40) : SLICE("")));
		net->status = STATUS_WARN;
		return;
	}
	if (is_transfer(t) && told(t, "throughput_time"))
		kind = &timed_transfer;
	if (net->own_run)
		emit_run(net, t);
	struct params all = { params, params_of(net, t, params) };
	const struct job *job = emit_job(net, t, name, all);
	if (status && slice_starts(status->value, "fail")) {
		emit_failure(net, kind, job, name->value, status);
		return;
	}
	if (unit && kind->mislabelled && !slice_is(unit->value, "ms") && !*unit_said) {
		parse_diag(net->parse, DIAG_NOTE, unit->at, "metric_unit says %.*s, but %.*s is a time in ms; fastest and slowest "
			"are swapped with it", SLICE_ARG(unit->value), SLICE_ARG(name->value));
		*unit_said = true;
	}
	check_tries(net, t, name->value);
	check_times(net, t);
	emit_measured(net, t, kind, job, all);
}

void cloudharmony_net_emit(struct cloudharmony_net *net)
{
	bool unit_said = false;
	for (size_t i = 0; i < net->n; i++)
		emit_test(net, &net->v[i], &unit_said);
}
