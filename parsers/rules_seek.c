/* Where in a line a rule of a table matches. */
#include "parsers/rules_engine.h"

void rules_new_line(struct engine *e)
{
	if (e->table->shapes)
		shape_of(&e->shape, e->r.text->line);
}

static void found_rule(struct engine *e, unsigned k, size_t from, size_t end)
{
	e->last = k;
	e->r.rule = e->table->rule[k];
	e->match = e->r.text->line.p + from;
	e->match_end = end;
}

static bool match_at(struct engine *e, size_t from, uint64_t among)
{
	struct slice line = e->r.text->line;
	uint64_t rules = e->table->first[(unsigned char)line.p[from]] & among;
	for (; rules; rules &= rules - 1) {
		unsigned k = (unsigned)__builtin_ctzll(rules);
		const size_t *at = regex_find(e->table->regex[k], line, from);
		if (at && at[1] > from) {
			e->finding = NULL;
			e->at = at;
			found_rule(e, k, from, at[1]);
			return true;
		}
	}
	return false;
}

/* The next word that one of these rules could begin with; the line's length when there is none. */
static size_t next_word(const struct engine *e, size_t from, uint64_t among)
{
	struct slice line = e->r.text->line;
	for (size_t i = from + 1; among && i < line.n; i++)
		if (rules_word(line.p + i) && e->table->first[(unsigned char)line.p[i]] & among)
			return i;
	return line.n;
}

static enum found search(struct engine *e, size_t *from, rules_stranger *stranger, void *ctx)
{
	struct slice line = e->r.text->line;
	bool every = line.n > RULES_FLAT_LINE || e->r.section != 1;
	uint64_t live = e->table->live[rules_section(e->r.section)];
	uint64_t words = !e->r.set->flat ? 0 : every ? live : live & e->table->inside;
	for (bool inside = false; *from < line.n; inside = true) {
		if (match_at(e, *from, inside ? words : live))
			return FOUND_RULE;
		size_t next = next_word(e, *from, words);
		size_t other = stranger ? stranger(ctx, line, *from, next, inside) : next;
		*from = other;
		if (other < next)
			return FOUND_STRANGER;
	}
	return FOUND_NOTHING;
}

static void remember(struct finding *f, const struct engine *e, size_t from, bool nothing)
{
	f->known = true;
	f->nothing = nothing;
	if (nothing)
		return;
	f->from = (uint8_t)from;
	f->rule = (uint8_t)e->last;
	for (unsigned i = 0; i < 2 * regex_groups(e->table->regex[e->last]); i++)
		f->groups[i] = e->at[i] == SIZE_MAX ? SHAPE_UNSET : (uint8_t)e->at[i];
}

enum found rules_seek(struct engine *e, size_t *from, rules_stranger *stranger, void *ctx)
{
	if (!e->table->shapes || !e->shape.n)
		return search(e, from, stranger, ctx);
	/* All that the search depends on beside the line; of an open block strangers may want to know. */
	unsigned key = (unsigned)*from << 8 | rules_section(e->r.section) << 2 | (unsigned)e->r.open << 1 | (stranger != NULL);
	struct finding *f = shapes_find(e->table->shapes, &e->shape, key);
	if (!f->known) {
		enum found found = search(e, from, stranger, ctx);
		if (found != FOUND_STRANGER)
			remember(f, e, *from, found == FOUND_NOTHING);
		return found;
	}
	*from = f->nothing ? e->shape.n : f->from;
	if (f->nothing)
		return FOUND_NOTHING;
	e->finding = f;
	found_rule(e, f->rule, f->from, f->groups[1]);
	return FOUND_RULE;
}
