/* SPEC CPU's HTML reports, of which the description in the head is read: validity and metrics. */
#include "parsers/rules.h"
#include "parsers/spec_file.h"

struct state {
	struct spec_file *file;
};

static struct slice keep(const struct rules *r, struct slice s)
{
	return r->text->copied && s.p ? arena_copy(r->parse->arena, s) : s;
}

/* "CINT2017 result for a system; SPECrate2017_int_base: 770; SPECrate2017_int_peak: 812" */
static bool on_description(struct rules *r)
{
	enum { INVALID, YEAR, VALUES };
	struct state *s = r->state;
	struct slice invalid = rules_group(r, INVALID), values = rules_group(r, VALUES), part;
	if (s->file)
		return true;
	struct spec_file *f = s->file = spec_file_new(r->parse, SPEC_HTML);
	f->tool = spec_tool(rules_group(r, YEAR));
	if (invalid.p) {
		f->valid = 0;
		f->valid_cell = (struct spec_cell){ .text = SLICE("Invalid"), .pos = rules_pos(r, invalid.p) };
	}
	while (slice_cut(&values, ';', &part)) {
		struct slice name, value = slice_trim(part);
		if (!slice_cut(&value, ':', &name) || !value.p)
			continue;
		value = slice_trim(value);
		struct spec_metric *m = spec_file_metric(f, name, rules_pos(r, name.p));
		if (m)
			m->cell = (struct spec_cell){ .text = keep(r, value), .pos = rules_pos(r, value.p) };
	}
	return true;
}

static enum status whole(struct rules *r)
{
	struct state *s = r->state;
	return s->file ? spec_file_finish(s->file) : STATUS_REJECT;
}

static const struct rule html_rules[] = {
	{
		.id = "description", .flags = RULE_INSIDE, .action = on_description,
		.pattern = "<meta name=\"description\" content=\"(?<invalid>Invalid )?C(?:INT|FP)(?<year>\\d{4}) result for "
			"(?<values>[^\"]{1,2000})\"",
		.sample = "<meta name=\"description\" content=\"Invalid CINT2017 result for ; SPECrate2017_int_base: 0.00\" />",
		.fields = FIELDS(KEEP("invalid"), KEEP("year"), KEEP("values")),
	},
	{ .id = NULL }
};

static const struct ruleset set = {
	.tool = "spec-cpu2017", .rules = html_rules, .flat = true, .markup = true, .state_size = sizeof(struct state), .whole = whole,
};

static int probe(const struct peek *peek)
{
	size_t at = slice_find(peek->head, SLICE("<meta name=\"description\" content=\""));
	if (at == (size_t)-1)
		return 0;
	struct slice rest = slice_head(slice_from(peek->head, at + 34), 40);
	return slice_find(rest, SLICE(" result for ")) != (size_t)-1 &&
			       (slice_find(rest, SLICE("CINT20")) != (size_t)-1 ||
				       slice_find(rest, SLICE("CFP20")) != (size_t)-1)
		       ? 8 * 40
		       : 0;
}

const struct parser parser_spec_html = {
	.name = "spec-cpu-html", .title = "SPEC CPU HTML report", .tool = "spec-cpu2017", .probe = probe, .rules = &set,
};
