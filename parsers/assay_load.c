/* assay-load's result file, version 1: docs/load-results.md. */
#include "parsers/assay_load.h"

#include "base/num.h"
#include "model/steady.h"
#include "parsers/date.h"

#include <math.h>

/* How many unusable lines are shown; the rest is counted. */
enum { SHOWN = 10 };

static void meta(struct al *r, const char *key, struct slice value, struct slice text)
{
	struct param p = { .key = slice_of(key), .value = value, .pos = al_pos(r, text.p) };
	if (value.n)
		r->p->sink->meta(r->p->ctx, &p);
}

/* A member as an attribute of the run: a string, or a bare value as it stands. */
static void meta_of(struct al *r, const struct al_object *o, const char *key, const char *name)
{
	struct slice text = al_raw(o, key), value = al_text(r, o, key);
	if (text.p && *text.p != '{' && *text.p != '[')
		meta(r, name, value.n || *text.p == '"' ? value : text, text);
}

/* ---- the first line ---- */

static bool right_version(struct al *r, const struct al_object *o)
{
	uint64_t version;
	struct slice text = al_raw(o, "format_version");
	if (num_u64(text, &version) == NUM_OK && version >= 1 && version <= AL_FORMAT_VERSION)
		return true;
	al_say(r, DIAG_ERROR, al_pos(r, text.p), "this is version %.*s of the format, and version %d is the newest that is known "
		"here: use the assay that came with the assay-load that wrote it", SLICE_ARG(text.p ? slice_head(text, 20) :
		SLICE("(none)")), AL_FORMAT_VERSION);
	return false;
}

/* ["assay-load", "--rate", "1000"] as one line; words with blanks in quotes. */
static struct slice command_line(struct al *r, struct slice raw)
{
	struct json j = json_of(raw);
	struct slice word;
	struct buf b = BUF_EMPTY;
	/* A document of its own, as a bare array of words is one. */
	if (json_document(&j) && json_enter_array(&j))
		while (json_element(&j))
			if (json_string(&j, &word)) {
				word = json_unescape(r->p->arena, word);
				bool quoted = word.n == 0 || slice_find_char(word, ' ') != (size_t)-1;
				buf_printf(&b, "%s%s%.*s%s", b.n ? " " : "", quoted ? "\"" : "", SLICE_ARG(word), quoted ? "\"" : "");
			}
	struct slice line = arena_copy(r->p->arena, buf_view(&b));
	buf_free(&b);
	return line;
}

static void give_started(struct al *r, const struct al_object *o)
{
	bool zoned;
	struct slice time = al_text(r, o, "time");
	r->epoch = date_read(time, &zoned);
	if (isnan(r->epoch))
		return;
	char text[NUM_FORMAT_SIZE];
	struct slice seconds = { text, num_format(text, r->epoch) };
	meta(r, "time", time, al_raw(o, "time"));
	meta(r, "started", seconds, al_raw(o, "time"));
}

/* Steadiness by another rule than the one that is applied here. */
static void check_rule(struct al *r, const struct al_object *o)
{
	struct al_object rule;
	const struct { const char *key; double wanted; } limits[] = { { "window", (double)steady_snia.window },
		{ "range", steady_snia.range }, { "rise", steady_snia.rise } };
	double value;
	if (!al_nested(r, o, "rule", &rule))
		return;
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
		if (al_number(r, &rule, limits[i].key, &value) && value != limits[i].wanted)
			al_say(r, DIAG_WARNING, al_pos(r, al_raw(&rule, limits[i].key).p), "the run judged its steadiness by a rule of its "
				"own: %s %g, which is %g in %s", limits[i].key, value, limits[i].wanted, steady_snia.name);
}

static void take_start(struct al *r, const struct al_object *o)
{
	static const struct { const char *key, *name; } facts[] = { { "subject", "subject" }, { "kind", "kind" },
		{ "profile", "profile" }, { "seed", "seed" }, { "interval", "interval" }, { "caches", "caches" },
		{ "huge_pages", "huge_pages" } };
	static const struct { const char *key, *name; } host_facts[] = { { "cpu", "cpu" }, { "cpus", "cpus" },
		{ "numa_nodes", "numa_nodes" }, { "memory", "memory" }, { "kernel", "kernel" }, { "os", "os" }, { "name", "host" } };
	struct al_object host;
	if (!right_version(r, o)) {
		r->refused = true;
		return;
	}
	*r = (struct al){ .p = r->p, .in = r->in, .status = r->status, .unread = r->unread, .started = true, .epoch = NAN };
	parse_run(r->p, SLICE("assay-load"), al_text(r, o, "version"));
	r->kind = arena_copy(r->p->arena, al_text(r, o, "kind"));
	struct slice command = al_raw(o, "command");
	if (command.p)
		meta(r, "command", command_line(r, command), command);
	give_started(r, o);
	check_rule(r, o);
	for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
		meta_of(r, o, facts[i].key, facts[i].name);
	if (al_nested(r, o, "host", &host))
		for (size_t i = 0; i < sizeof host_facts / sizeof *host_facts; i++)
			meta_of(r, &host, host_facts[i].key, host_facts[i].name);
}

/* ---- targets, phases, tests ---- */

static bool right_number(struct al *r, const struct al_object *o, const char *key, uint64_t wanted)
{
	uint64_t number;
	if (al_count(r, o, key, UINT64_MAX, &number) && number == wanted)
		return true;
	al_say(r, DIAG_WARNING, al_pos(r, al_raw(o, key).p), "%s %llu should stand here: this line is not used", key,
		(unsigned long long)wanted);
	return false;
}

static void take_target(struct al *r, const struct al_object *o)
{
	static const struct { const char *key, *name; } facts[] = { { "model", "model" }, { "firmware", "firmware" },
		{ "scheduler", "scheduler" }, { "rotational", "rotational" }, { "write_cache", "write_cache" } };
	struct al_object device;
	struct slice range = al_raw(o, "range"), text;
	if (!right_number(r, o, "target", r->n_targets))
		return;
	if (r->n_targets == AL_TARGETS) {
		al_say(r, DIAG_ERROR, al_pos(r, NULL), "more than %d targets: the rest is not read", AL_TARGETS);
		return;
	}
	struct al_target *t = ARENA_PUSH(r->p->arena, r->targets, r->n_targets, r->target_cap);
	int direct = al_flag(o, "direct");
	*t = (struct al_target){ .path = arena_copy(r->p->arena, al_text(r, o, "path")), .pos = al_pos(r, al_raw(o, "path").p),
		.engine = arena_copy(r->p->arena, al_text(r, o, "engine")), .direct = direct == 1, .direct_known = direct >= 0 };
	if (range.n > 1 && *range.p == '[') {
		struct slice rest = { range.p + 1, range.n - 2 };
		slice_cut(&rest, ',', &text);
		if (num_u64(slice_trim(rest), &t->length) != NUM_OK)
			t->length = 0;
	}
	meta(r, "target", t->path, al_raw(o, "path"));
	if (r->n_targets > 1)
		return;
	meta_of(r, o, "size", "capacity");
	if (al_nested(r, o, "device", &device))
		for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
			meta_of(r, &device, facts[i].key, facts[i].name);
}

static void take_phase(struct al *r, const struct al_object *o)
{
	al_test_end(r);
	if (slice_is(al_text(r, o, "phase"), "purge"))
		meta_of(r, o, "what", "purge_methods");
}

struct list {
	struct param *v;
	size_t n, cap;
};

/* A param of the test as the line has it, under the key that the rest knows it by. */
static void list_add(struct al *r, struct list *l, const char *key, struct slice value, struct slice at)
{
	if (value.n)
		*ARENA_PUSH(r->p->arena, l->v, l->n, l->cap) = (struct param){ .key = slice_of(key),
			.value = arena_copy(r->p->arena, value), .pos = al_pos(r, at.p) };
}

static void list_member(struct al *r, struct list *l, const struct al_object *o, const char *key, const char *name)
{
	struct slice raw = al_raw(o, key);
	if (raw.p && *raw.p != '{' && *raw.p != '[')
		list_add(r, l, name, *raw.p == '"' ? al_text(r, o, key) : raw, raw);
}

/* Where all targets agree. */
static void list_targets(struct al *r, struct list *params, struct list *options)
{
	bool direct = r->n_targets > 0, buffered = false, engine = r->n_targets > 0;
	uint64_t least = UINT64_MAX;
	for (size_t i = 0; i < r->n_targets; i++) {
		const struct al_target *t = &r->targets[i];
		direct &= t->direct_known && t->direct;
		buffered |= t->direct_known && !t->direct;
		engine &= slice_eq(t->engine, r->targets[0].engine);
		least = t->length < least ? t->length : least;
	}
	struct param p = { .pos = r->n_targets ? r->targets[0].pos : POS_NONE };
	if (direct || buffered) {
		p.key = SLICE("direct");
		p.value = direct ? SLICE("1") : SLICE("0");
		*ARENA_PUSH(r->p->arena, params->v, params->n, params->cap) = p;
	}
	if (engine && r->targets[0].engine.n) {
		p.key = SLICE("ioengine");
		p.value = r->targets[0].engine;
		*ARENA_PUSH(r->p->arena, params->v, params->n, params->cap) = p;
	}
	if (r->n_targets && least) {
		p.key = SLICE("size");
		p.value = arena_u64(r->p->arena, least);
		*ARENA_PUSH(r->p->arena, options->v, options->n, options->cap) = p;
	}
}

static bool is_on(const struct al_object *o, const char *key)
{
	double value;
	return al_flag(o, key) == 1 || (num_double(al_raw(o, key), &value) == NUM_OK && value > 0);
}

/* [[50,5],[50,95]]: half of the I/Os in a twentieth of the range; as one word, as fio has it: 50/5:50/95. */
static void list_zones(struct al *r, struct list *l, struct slice raw)
{
	struct buf b = BUF_EMPTY;
	unsigned depth = 0;
	for (size_t i = 0; i < raw.n; i++) {
		char c = raw.p[i];
		depth += c == '[';
		depth -= c == ']' && depth;
		if (c == ',')
			buf_char(&b, depth > 1 ? '/' : ':');
		else if ((c >= '0' && c <= '9') || c == '.')
			buf_char(&b, c);
	}
	list_add(r, l, "zones", buf_view(&b), raw);
	buf_free(&b);
}

static void list_storage(struct al *r, const struct al_object *o, struct list *params, struct list *options)
{
	double read;
	struct slice share = al_raw(o, "read_percent");
	list_targets(r, params, options);
	if (num_double(share, &read) == NUM_OK && read >= 0 && read <= 100) {
		list_add(r, params, "mix", slice_of(arena_printf(r->p->arena, "%.0f/%.0f", read, 100 - read)), share);
		if (read > 0 && read < 100)
			list_add(r, options, "rwmixread", share, share);
	}
	if (is_on(o, "seconds")) {
		list_member(r, options, o, "seconds", "runtime");
		list_add(r, options, "time_based", SLICE("1"), al_raw(o, "seconds"));
	}
	if (is_on(o, "ramp"))
		list_member(r, options, o, "ramp", "ramp_time");
	if (is_on(o, "rate"))
		list_member(r, params, o, "rate", "rate_iops");
	list_zones(r, params, al_raw(o, "zones"));
	if (al_flag(o, "verify") == 1)
		list_add(r, options, "verify", SLICE("1"), al_raw(o, "verify"));
	if (al_flag(o, "random_map") == 0)
		list_add(r, options, "norandommap", SLICE("1"), al_raw(o, "random_map"));
}

/* What a test was told, whatever its kind. */
static const struct { const char *key, *name; } test_params[] = {
	{ "bs", "bs" }, { "rw", "rw" }, { "iodepth", "iodepth" },
	{ "size", "size" }, { "streams", "streams" }, { "server", "server" },
	{ "array_size", "array_size" }, { "element_size", "element_size" }, { "stores", "stores" }, { "qtype", "qtype" },
	{ "reverse", "reverse" },
};

static void take_test(struct al *r, const struct al_object *o)
{
	bool zoned, storage = slice_is(r->kind, "storage");
	struct list params = { .n = 0 }, options = { .n = 0 };
	al_test_end(r);
	if (!right_number(r, o, "test", r->n_tests))
		return;
	if (r->n_tests++ == AL_TESTS) {
		al_say(r, DIAG_ERROR, al_pos(r, NULL), "more than %d tests: the rest is not read", AL_TESTS);
		r->refused = true;
		return;
	}
	struct al_test *t = &r->test;
	*t = (struct al_test){ .open = true, .number = r->n_tests - 1, .pos = al_pos(r, NULL), .t = NAN, .threads = NAN,
		.name = arena_copy(r->p->arena, al_text(r, o, "name")), .rw = arena_copy(r->p->arena, al_text(r, o, "rw")),
		.stage = arena_copy(r->p->arena, al_text(r, o, "stage")) };
	al_number(r, o, "t", &t->t);
	al_number(r, o, "threads", &t->threads);
	t->started = date_read(al_text(r, o, "time"), &zoned);
	for (size_t i = 0; i < sizeof test_params / sizeof *test_params; i++)
		list_member(r, &params, o, test_params[i].key, test_params[i].name);
	list_member(r, &params, o, "threads", storage ? "numjobs" : "threads");
	if (slice_is(al_text(r, o, "phase"), "rounds") && al_count(r, o, "round", UINT32_MAX, &t->round) && t->round)
		list_member(r, &params, o, "round", "round");
	list_member(r, &options, o, "vector", "vector");
	list_member(r, &options, o, "transport", "transport");
	if (storage)
		list_storage(r, o, &params, &options);
	else if (is_on(o, "rate"))
		list_member(r, &params, o, "rate", "rate");
	t->params = (struct params){ params.v, params.n };
	t->options = (struct params){ options.v, options.n };
	t->cell = al_cell_of(r, t);
	for (size_t i = 0; i < r->n_targets; i++) {
		struct al_target *g = &r->targets[i];
		g->intervals = g->first_line = g->last_line = 0;
		g->seconds = 0;
		g->backlog = 0;
		g->totalled = false;
		for (int k = 0; k < AL_OPS; k++)
			if (g->op[k])
				*g->op[k] = (struct al_sum){ .any = false };
	}
}

/* ---- intervals ---- */

static void take_interval(struct al *r, const struct al_object *o)
{
	uint64_t target;
	double seconds, start;
	struct al_object op;
	struct al_sum own;
	if (!r->test.open) {
		al_say(r, DIAG_WARNING, al_pos(r, NULL), "an interval of no test: not used");
		return;
	}
	if (!right_number(r, o, "test", r->test.number) || !al_count(r, o, "target", UINT64_MAX, &target))
		return;
	if (target >= r->n_targets) {
		al_say(r, DIAG_WARNING, al_pos(r, al_raw(o, "target").p), "there is no target %llu: this interval is not used",
			(unsigned long long)target);
		return;
	}
	if (!al_number(r, o, "seconds", &seconds) || !al_number(r, o, "t", &start) || !(seconds > 0 && seconds < 1e9) ||
	    !(start < 1e9)) {
		al_say(r, DIAG_WARNING, al_pos(r, NULL), "nothing says how long this interval was: it is not used");
		return;
	}
	struct al_target *t = &r->targets[target];
	t->backlog = 0;
	al_count(r, o, "backlog", HIST_COUNT_LIMIT, &t->backlog);
	t->first_line = t->first_line ? t->first_line : r->in.number;
	t->last_line = r->in.number;
	t->seconds += seconds;
	double end = start + seconds + (isnan(r->test.t) ? 0 : r->test.t);
	for (enum al_op i = 0; i < AL_OPS; i++) {
		bool before = t->op[i] && t->op[i]->any;
		if (!al_nested(r, o, al_ops[i].key, &op)) {
			/* Nothing of it in this interval: a zero, once there was some. */
			if (before)
				al_track_add(r, target, t->intervals, end, seconds, i, &(struct al_sum){ .any = true });
			continue;
		}
		if (!t->op[i])
			t->op[i] = ARENA_NEW(r->p->arena, struct al_sum);
		if (al_sum_add(r, &op, t->op[i], &own))
			al_track_add(r, target, t->intervals, end, seconds, i, &own);
	}
	t->intervals++;
}

/* ---- the end ---- */

static void take_event(struct al *r, const struct al_object *o)
{
	struct slice severity = al_text(r, o, "severity"), message = al_text(r, o, "message");
	al_say(r, slice_is(severity, "note") ? DIAG_NOTE : DIAG_WARNING, al_pos(r, al_raw(o, "message").p), "%s: %.*s",
		slice_is(severity, "error") ? "an error of the run" : "of the run", SLICE_ARG(slice_head(message, 400)));
}

static void take_end(struct al *r, const struct al_object *o)
{
	struct slice status = al_text(r, o, "status"), raw = al_raw(o, "status");
	al_test_end(r);
	r->ended = al_pos(r, NULL);
	if (slice_is(status, "complete"))
		return;
	meta(r, "ended", status.n ? status : SLICE("unknown"), raw);
	al_say(r, DIAG_WARNING, al_pos(r, raw.p), "the run was not completed: %.*s", SLICE_ARG(status.n ? status :
		SLICE("its end has no status")));
}

/* Of one run. */
static void finish(struct al *r)
{
	if (!r->started)
		return;
	al_test_end(r);
	al_cells_give(r);
	if (!r->ended.source)
		al_say(r, DIAG_ERROR, al_pos(r, NULL), "there is no closing line: the run was interrupted, or is still going on; what "
			"stands here up to this line is used");
	r->started = false;
}

static void unusable(struct al *r, const char *why)
{
	if (r->unread++ < SHOWN)
		al_say(r, DIAG_ERROR, al_pos(r, NULL), "this line is %s: it is not used", why);
}

static const struct {
	const char *type;
	void (*take)(struct al *r, const struct al_object *o);
} types[] = {
	{ "target", take_target }, { "phase", take_phase }, { "test", take_test }, { "interval", take_interval },
	{ "total", al_total }, { "measure", al_measure }, { "check", al_check }, { "steady", al_steady },
	{ "event", take_event }, { "end", take_end },
};

static void take_line(struct al *r)
{
	struct al_object o;
	if (slice_trim(r->in.line).n == 0)
		return;
	if (!al_object_read(r->in.line, &o)) {
		unusable(r, r->in.unended ? "cut" : "damaged");
		return;
	}
	struct slice type = al_text(r, &o, "type");
	if (slice_is(type, "start")) {
		finish(r);
		take_start(r, &o);
		return;
	}
	if (r->started && r->ended.source) {
		unusable(r, "behind the end of the run");
		return;
	}
	for (size_t i = 0; r->started && i < sizeof types / sizeof *types; i++)
		if (slice_is(type, types[i].type))
			types[i].take(r, &o);
}

static enum status stream(struct parse *p)
{
	struct al *r = ARENA_NEW(p->arena, struct al);
	bool any = false;
	*r = (struct al){ .p = p, .in = al_lines_of(p) };
	while (!r->refused && al_line_next(&r->in)) {
		take_line(r);
		any |= r->started;
	}
	if (any && r->in.overlong)
		al_say(r, DIAG_ERROR, (struct pos){ p->source, 0, r->in.first_overlong, 1 },
			"%u lines are too long to be any of this format: not used", r->in.overlong);
	if (any && r->unread > SHOWN)
		al_say(r, DIAG_ERROR, al_pos(r, NULL), "%u further lines are not used", r->unread - SHOWN);
	finish(r);
	return any ? r->status : STATUS_REJECT;
}

static int probe(const struct peek *peek)
{
	struct slice line = slice_head(peek->head, slice_find_char(peek->head, '\n'));
	static const char *const keys[] = { "{\"type\":\"start\"", "\"format\":\"assay-load\"" };
	return peek_signs(line, keys, sizeof keys / sizeof *keys);
}

const struct parser parser_assay_load = {
	.name = "assay-load", .title = "assay-load result file", .tool = "assay-load", .json = true, .probe = probe,
	.stream = stream,
};
