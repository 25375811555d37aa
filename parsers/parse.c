/* Helpers that every parser uses. */
#include "parsers/rules.h"

#include "base/json.h"
#include "base/num.h"

enum status parser_run(const struct parser *parser, struct parse *p)
{
	if (!parser->stream)
		return parser->rules ? rules_parse(parser->rules, p) : parser->parse(p);
	if (p->feed)
		return parser->stream(p);
	struct feed_bytes bytes = feed_of(p->source->data, NULL);
	struct parse from_memory = *p;
	from_memory.feed = &bytes.feed;
	return parser->stream(&from_memory);
}

int peek_signs(struct slice head, const char *const *signs, size_t n)
{
	int bits = 0;
	for (size_t i = 0; i < n; i++) {
		if (slice_find(head, slice_of(signs[i])) == (size_t)-1)
			return 0;
		bits += 8 * (int)strlen(signs[i]);
	}
	return bits;
}

struct text parse_text(struct parse *p, bool page)
{
	return p->feed ? text_from(p->source, p->feed, p->arena, page) : text_of(p->source, p->arena, page);
}

struct pos parse_pos(const struct parse *p, const char *at)
{
	struct slice data = p->source->data;
	if (!at || at < data.p || at > data.p + data.n)
		return (struct pos){ p->source, 0, 0, 0 };
	return (struct pos){ p->source, p->source->start + (uint64_t)(at - data.p), 0, 0 };
}

void parse_run(struct parse *p, struct slice tool, struct slice version)
{
	p->sink->run(p->ctx, tool, version);
}

void parse_meta(struct parse *p, const char *key, struct slice value, const char *at)
{
	struct param attribute = { .key = slice_of(key), .value = value, .pos = parse_pos(p, at) };
	p->sink->meta(p->ctx, &attribute);
}

void parse_diag(struct parse *p, enum severity severity, const char *at, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	const char *message = arena_vprintf(p->arena, format, args);
	va_end(args);
	struct pos pos = parse_pos(p, at);
	if (at && p->source->data.p)
		pos = source_pos(p->source, pos.offset);
	p->sink->diag(p->ctx, severity, pos, message);
}

void parse_json_flaws(struct parse *p, const struct json *j)
{
	for (int f = 0; f < JSON_FLAWS; f++)
		if (j->flaw_count[f] && f != JSON_TRUNCATED)
			parse_diag(p, DIAG_NOTE, p->source->data.p + j->flaw_offset[f], "%s (%u times in this file)",
				json_flaw_text((enum json_flaw)f), (unsigned)j->flaw_count[f]);
}

bool parse_quantity(struct parse *p, struct slice token, enum unit unit, double factor, const char *suffix,
	struct quantity *q)
{
	double value, half;
	enum num_status s = num_printed(token, factor, &value, &half);
	if (s != NUM_OK) {
		parse_diag(p, DIAG_WARNING, token.p, "'%.*s' %s: no value is reported", SLICE_ARG(slice_head(token, 40)),
			num_status_text(s));
		return false;
	}
	*q = (struct quantity){ .value = value, .unit = unit, .text = token, .suffix = suffix,
		.half_digit = half, .pos = parse_pos(p, token.p) };
	return true;
}
