/* A rule table at work on one input. */
#include "parsers/rejoin.h"
#include "parsers/rules_engine.h"

#include "base/num.h"

#include <math.h>

static struct engine *engine_of(const struct rules *r)
{
	return (struct engine *)r;
}

const struct compiled *rules_table_of(const struct rules *r)
{
	return engine_of(r)->table;
}

void rules_diag(struct rules *r, enum severity severity, struct pos pos, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	const char *message = arena_vprintf(r->parse->arena, format, args);
	va_end(args);
	if (severity != DIAG_NOTE)
		engine_of(r)->status = STATUS_WARN;
	r->parse->sink->diag(r->parse->ctx, severity, pos, message);
}

struct pos rules_pos(const struct rules *r, const char *p)
{
	return text_pos(r->text, p);
}

struct pos rules_here(const struct rules *r)
{
	const struct engine *e = engine_of(r);
	return text_pos(r->text, e->match ? e->match : r->text->line.p);
}

/* What is to outlive the present line, if it is a part of it. */
static struct slice keep(struct engine *e, struct slice s)
{
	const struct text *t = e->r.text;
	bool part = t && t->copied && s.p >= t->line.p && s.p <= t->line.p + t->line.n;
	return part ? arena_copy(e->arena, s) : s;
}

/* ---- blocks ---- */

void rules_begin(struct rules *r)
{
	struct engine *e = engine_of(r);
	rules_end(r);
	struct block *b = ARENA_NEW(e->arena, struct block);
	b->job = (struct job){ .pos = rules_here(r), .partial = true, .started = NAN, .stopped = NAN };
	b->run = e->run;
	e->block = b;
	e->params.n = e->options.n = e->metas.n = e->n_results = 0;
	r->open = true;
}

static struct params kept_list(struct engine *e, const struct list *list)
{
	struct param *v = ARENA_ROOM(e->arena, list->n, struct param);
	for (size_t i = 0; i < list->n; i++)
		v[i] = list->v[i];
	return (struct params){ v, list->n };
}

static void close_block(struct engine *e, struct block *b)
{
	b->job.params = kept_list(e, &e->params);
	b->job.options = kept_list(e, &e->options);
	b->metas = kept_list(e, &e->metas);
	b->results = ARENA_ROOM(e->arena, e->n_results, struct result);
	b->n_results = e->n_results;
	for (size_t i = 0; i < e->n_results; i++)
		b->results[i] = e->results[i];
	*e->end = b;
	e->end = &b->next;
}

void rules_end(struct rules *r)
{
	struct engine *e = engine_of(r);
	if (!e->block)
		return;
	if (r->set->finish)
		r->set->finish(r);
	if (e->block)
		close_block(e, e->block);
	e->block = NULL;
	r->open = false;
}

void rules_drop(struct rules *r)
{
	engine_of(r)->block = NULL;
	r->open = false;
}

void rules_next_run(struct rules *r)
{
	rules_end(r);
	engine_of(r)->run++;
}

static struct block *the_block(struct engine *e)
{
	if (!e->block)
		rules_begin(&e->r);
	return e->block;
}

/* A list of the open block. */
static struct list *opened(struct engine *e, struct list *list)
{
	the_block(e);
	return list;
}

static void add(struct engine *e, struct list *list, const char *key, struct slice value, struct slice text,
	struct pos pos)
{
	for (size_t i = 0; i < list->n; i++)
		if (slice_is(list->v[i].key, key))
			return;
	*ARENA_PUSH(e->arena, list->v, list->n, list->cap) =
		(struct param){ .key = slice_of(key), .value = keep(e, value), .text = keep(e, text), .pos = pos };
}

void rules_param(struct rules *r, const char *key, struct slice value, struct pos pos)
{
	struct engine *e = engine_of(r);
	add(e, opened(e, &e->params), key, value, SLICE_NONE, pos);
}

void rules_option(struct rules *r, const char *key, struct slice value, struct pos pos)
{
	struct engine *e = engine_of(r);
	add(e, opened(e, &e->options), key, value, SLICE_NONE, pos);
}

void rules_name(struct rules *r, struct slice name)
{
	struct engine *e = engine_of(r);
	the_block(e)->job.name = keep(e, name);
}

void rules_version(struct rules *r, struct slice version)
{
	struct engine *e = engine_of(r);
	the_block(e)->version = keep(e, version);
}

void rules_times(struct rules *r, double started, double stopped)
{
	struct block *b = the_block(engine_of(r));
	b->job.started = started;
	b->job.stopped = stopped;
}

void rules_meta(struct rules *r, const char *key, struct slice value, struct pos pos)
{
	struct engine *e = engine_of(r);
	add(e, opened(e, &e->metas), key, value, SLICE_NONE, pos);
}

void rules_loose(struct rules *r)
{
	the_block(engine_of(r))->loose = true;
}

void rules_identity(struct rules *r, struct slice identity)
{
	struct engine *e = engine_of(r);
	the_block(e)->identity = keep(e, identity);
}

static void tag(struct engine *e, const char *key, struct slice value, struct slice text, struct pos pos)
{
	if (e->n_tags == TAGS)
		return;
	e->tags[e->n_tags++] =
		(struct param){ .key = slice_of(key), .value = keep(e, value), .text = keep(e, text), .pos = pos };
}

void rules_tag(struct rules *r, const char *key, struct slice value, struct pos pos)
{
	tag(engine_of(r), key, value, SLICE_NONE, pos);
}

void rules_untag(struct rules *r)
{
	struct engine *e = engine_of(r);
	e->n_tags = 0;
	e->shared_tags = (struct params){ NULL, 0 };
}

struct result *rules_result(struct rules *r, enum metric_id metric, const char *stat, const struct quantity *q)
{
	struct engine *e = engine_of(r);
	the_block(e);
	if (e->shared_tags.n != e->n_tags) {
		struct param *v = ARENA_ROOM(e->arena, e->n_tags, struct param);
		memcpy(v, e->tags, e->n_tags * sizeof *v);
		e->shared_tags = (struct params){ v, e->n_tags };
	}
	struct result *k = ARENA_PUSH(e->arena, e->results, e->n_results, e->result_cap);
	*k = (struct result){ .metric = metric, .stat = slice_of(stat), .q = *q, .test = e->test,
		.params = e->shared_tags, .time = NAN, .flags = r->set->result_flags | (e->mended ? RESULT_REPAIRED : 0) };
	k->q.text = keep(e, q->text);
	return k;
}

struct result *rules_find(struct rules *r, enum metric_id metric, const char *stat)
{
	struct engine *e = engine_of(r);
	for (size_t i = 0; e->block && i < e->n_results; i++)
		if (e->results[i].metric == metric && e->results[i].params.n == 0 && slice_is(e->results[i].stat, stat))
			return &e->results[i];
	return NULL;
}

struct result *rules_results(struct rules *r, size_t *n)
{
	struct engine *e = engine_of(r);
	*n = e->block ? e->n_results : 0;
	return e->results;
}

/* ---- fields ---- */

static struct slice group(const struct engine *e, unsigned g)
{
	struct slice line = e->r.text->line;
	if (!e->finding)
		return regex_part(e->at, line, g);
	const uint8_t *at = e->finding->groups + 2 * g;
	return at[0] == SHAPE_UNSET ? SLICE_NONE : (struct slice){ line.p + at[0], (size_t)(at[1] - at[0]) };
}

struct slice rules_group(const struct rules *r, unsigned field)
{
	const struct engine *e = engine_of(r);
	unsigned g = e->table->group[e->last][field];
	return g ? group(e, g) : slice_of(r->rule->fields[field].text);
}

static bool is_missing(const struct ruleset *set, struct slice token)
{
	for (const char *const *m = set->missing; m && *m; m++)
		if (slice_is(token, *m))
			return true;
	return false;
}

/* A number with its decimal comma as a point; the slice itself where it has none. */
static struct slice with_point(struct slice token, char out[static NUM_FORMAT_SIZE])
{
	size_t comma = slice_find_char(token, ',');
	if (comma == (size_t)-1 || token.n > NUM_FORMAT_SIZE)
		return token;
	memcpy(out, token.p, token.n);
	out[comma] = '.';
	return (struct slice){ out, token.n };
}

/* `spelled`: the unit where it stands on the line; as far as it follows the number it is part of the evidence. */
static bool read_number(struct engine *e, struct slice token, struct slice spelled, struct unit_scale scale,
	struct quantity *q)
{
	struct rules *r = &e->r;
	if (!token.p)
		return false;
	struct slice line = r->text->line;
	struct pos pos = rules_pos(r, token.p);
	bool adjacent = spelled.p >= token.p + token.n && spelled.p <= token.p + token.n + 1;
	*q = (struct quantity){ .unit = scale.unit, .text = token, .suffix = adjacent ? NULL : scale.spelling, .pos = pos };
	if (adjacent)
		q->text.n = (size_t)(spelled.p + spelled.n - token.p);
	if (is_missing(r->set, token)) {
		q->missing = true;
		return true;
	}
	if (r->text->cut && token.p + token.n == line.p + line.n) {
		rules_diag(r, DIAG_WARNING, pos, "'%.*s' may be cut here: no value is reported", SLICE_ARG(slice_head(token, 40)));
		return false;
	}
	char buffer[NUM_FORMAT_SIZE];
	enum num_status s = num_printed(token, scale.factor, &q->value, &q->half_digit);
	if (s == NUM_JUNK && r->set->decimal_comma)
		s = num_printed(with_point(token, buffer), scale.factor, &q->value, &q->half_digit);
	if (s != NUM_OK) {
		rules_diag(r, DIAG_WARNING, pos, "'%.*s' %s: no value is reported", SLICE_ARG(slice_head(token, 40)),
			num_status_text(s));
		return false;
	}
	return true;
}

/* How the field's number is scaled; NULL: its unit is none of the dialect. *spelled: the unit, where it stands on the
 * line. */
static const struct unit_scale *scale_of(const struct rules *r, unsigned field, struct slice *spelled)
{
	static const struct unit_scale plain = { NULL, UNIT_ONE, 1 };
	const struct engine *e = engine_of(r);
	const char *unit = r->rule->fields[field].unit;
	unsigned g = e->table->unit_group[e->last][field];
	*spelled = g ? group(e, g) : SLICE_NONE;
	if (!spelled->p && !unit)
		return &plain;
	const struct unit_scale **last = &e->table->scale[e->last][field];
	struct slice spelling = spelled->p ? *spelled : slice_of(unit);
	if (!*last || !unit_spelled(*last, spelling))
		*last = rules_scale(r->set, spelling);
	return *last;
}

bool rules_number(struct rules *r, unsigned field, struct quantity *q)
{
	const struct rule_field *f = &r->rule->fields[field];
	struct slice spelled, token = rules_group(r, field);
	if (!token.p)
		return false;
	const struct unit_scale *known = scale_of(r, field, &spelled);
	struct unit_scale scale = known ? *known : (struct unit_scale){ .factor = 0 };
	enum unit of_metric = f->as == FIELD_RESULT ? metric_get(f->metric)->unit : scale.unit;
	if (known && !spelled.p && !f->unit)
		scale.unit = of_metric;
	if (!known || scale.unit != of_metric) {
		rules_diag(r, DIAG_WARNING, rules_pos(r, spelled.p ? spelled.p : token.p),
			"'%.*s' is no unit that %s prints here: no value is reported", SLICE_ARG(slice_head(spelled, 40)), r->set->tool);
		return false;
	}
	return read_number(engine_of(r), token, spelled, scale, q);
}

bool rules_value(const struct rules *r, unsigned field, double *value)
{
	struct slice spelled, token = rules_group(r, field);
	const struct unit_scale *scale = scale_of(r, field, &spelled);
	return scale && token.p && !r->text->cut && num_scaled(token, scale->factor, value) == NUM_OK;
}

bool rules_read(struct rules *r, struct slice token, struct slice spelled, struct unit_scale scale, struct quantity *q)
{
	return read_number(engine_of(r), token, spelled, scale, q);
}

bool rules_number_as(struct rules *r, unsigned field, enum unit unit, double factor, struct quantity *q)
{
	return read_number(engine_of(r), rules_group(r, field), SLICE_NONE, (struct unit_scale){ NULL, unit, factor }, q);
}

static struct slice meant(const struct rule_field *f, struct slice text)
{
	for (const struct rule_word *w = f->words; w && w->printed; w++)
		if (slice_is(text, w->printed))
			return slice_of(w->meant);
	return text;
}

/* The value of a param: text, or a number in its base unit when the field has a unit. */
static bool field_value(struct engine *e, unsigned i, struct slice *value, struct slice *text, struct pos *pos)
{
	const struct rule_field *f = &e->r.rule->fields[i];
	struct slice token = rules_group(&e->r, i);
	if (!token.p)
		return false;
	*pos = f->group ? rules_pos(&e->r, token.p) : rules_here(&e->r);
	*value = meant(f, token);
	*text = value->p == token.p ? SLICE_NONE : token;
	if (!f->unit && !f->unit_group)
		return true;
	struct quantity q;
	if (!rules_number(&e->r, i, &q))
		return false;
	char number[NUM_FORMAT_SIZE];
	*value = arena_copy(e->arena, (struct slice){ number, num_format(number, q.value) });
	*text = q.text;
	return true;
}

static void apply_result(struct engine *e, const struct rule_field *f, unsigned i)
{
	struct quantity q;
	if (rules_number(&e->r, i, &q))
		rules_result(&e->r, f->metric, f->stat, &q);
}

static void apply_field(struct engine *e, const struct rule_field *f, unsigned i)
{
	struct slice value, text;
	struct pos pos;
	if (f->as == FIELD_KEEP)
		return;
	if (f->as == FIELD_RESULT) {
		apply_result(e, f, i);
		return;
	}
	if (!field_value(e, i, &value, &text, &pos))
		return;
	switch (f->as) {
	case FIELD_TEST: e->test = keep(e, value); break;
	case FIELD_TAG: tag(e, f->key, value, text, pos); break;
	case FIELD_PARAM: add(e, opened(e, &e->params), f->key, value, text, pos); break;
	case FIELD_OPTION: add(e, opened(e, &e->options), f->key, value, text, pos); break;
	case FIELD_META: add(e, opened(e, &e->metas), f->key, value, text, pos); break;
	case FIELD_NAME: the_block(e)->job.name = keep(e, value); break;
	case FIELD_VERSION: the_block(e)->version = keep(e, value); break;
	default: break;
	}
}

static void apply(struct engine *e)
{
	struct rules *r = &e->r;
	const struct rule *rule = r->rule;
	r->matched++;
	e->test = SLICE_NONE;
	rules_untag(r);
	if (rule->flags & RULE_BEGIN)
		rules_begin(r);
	if (rule->to)
		r->section = rule->to;
	unsigned n = e->table->fields[e->last];
	if (!rule->action || rule->action(r))
		for (unsigned i = 0; i < n; i++)
			apply_field(e, &rule->fields[i], i);
	if (rule->flags & RULE_END)
		rules_end(r);
}

/* ---- lines ---- */

/* What stood on several lines stands on one: a second match makes every figure of it a mended one. */
static void mended(struct engine *e)
{
	if (!e->n_mended++)
		e->first_mended = rules_here(&e->r);
	e->mended = true;
}

size_t rules_line(struct rules *r, const struct text *text, size_t from, rules_stranger *stranger, void *ctx)
{
	struct engine *e = engine_of(r);
	r->text = text;
	e->match = NULL;
	e->mended = text->mended;
	rules_new_line(e);
	struct slice line = text->line;
	bool matched = from > 0;
	while (from < line.n) {
		size_t at = from;
		enum found found = rules_seek(e, &at, stranger, ctx);
		r->unmatched += at > from;
		if (found != FOUND_RULE)
			return at;
		if (matched && !e->mended)
			mended(e);
		matched = true;
		apply(e);
		if (!r->set->flat)
			return line.n;
		for (from = e->match_end; from < line.n && rules_blank(line.p[from]);)
			from++;
	}
	return line.n;
}

/* ---- the end of the input ---- */

static void say_mended(struct engine *e)
{
	if (e->n_mended)
		rules_diag(&e->r, DIAG_NOTE, e->first_mended, "%llu line%s that lost line ends: read piece by piece",
			(unsigned long long)e->n_mended, e->n_mended == 1 ? " is several" : "s are several");
}

struct rules *rules_open(const struct ruleset *set, struct parse *p)
{
	char error[256];
	struct compiled *table = rules_compiled(p->rules, set, error, sizeof error);
	if (!table) {
		parse_diag(p, DIAG_ERROR, NULL, "%s", error);
		return NULL;
	}
	struct engine *e = ARENA_NEW(p->arena, struct engine);
	*e = (struct engine){ .table = table, .arena = p->arena, .r = { .set = set, .parse = p, .section = 1 } };
	e->end = &e->first;
	e->r.state = arena_alloc(p->arena, set->state_size);
	return &e->r;
}

void rules_pause(struct rules *r)
{
	r->ended = true;
	rules_end(r);
	r->ended = false;
	r->section = 1;
	r->unmatched++;
}

enum status rules_close(struct rules *r)
{
	r->ended = true;
	rules_end(r);
	say_mended(engine_of(r));
	enum status status = r->set->whole ? r->set->whole(r) : rules_give(engine_of(r));
	return status == STATUS_OK ? engine_of(r)->status : status;
}

void rules_overlong(struct rules *r, const struct text *text)
{
	struct pos pos = { text->source, text->line_start, text->number, 1 };
	rules_diag(r, DIAG_WARNING, pos, "the line is longer than %d bytes: the rest of it is not read", TEXT_LINE);
}

enum status rules_parse(const struct ruleset *set, struct parse *p)
{
	struct parse own = *p;
	if (!p->rules)
		own.rules = rule_cache_new();
	struct rules *r = rules_open(set, &own);
	enum status status = STATUS_FATAL;
	if (r) {
		struct rejoin lines = rejoin_of(parse_text(p, set->flat && !set->markup), NULL);
		while (set->flat && !set->markup ? rejoin_next(&lines, r) : text_next(&lines.cursor)) {
			const struct text *text = set->flat && !set->markup ? lines.line : &lines.cursor;
			rules_line(r, text, 0, NULL, NULL);
			if (text->overlong)
				rules_overlong(r, text);
		}
		rejoin_say(&lines, p);
		status = rules_close(r);
	}
	if (!p->rules)
		rule_cache_free(own.rules);
	return status;
}
