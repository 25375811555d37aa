#include "ingest/study.h"

#include "base/ini_file.h"
#include "base/num.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

struct reader {
	struct arena *arena;
	struct study *study;
	/* The file's directory with its slash, for globs: as it was named, and from the root without symbolic links. */
	const char *near, *root;
	struct study_subject *subject;  /* that is being read */
	struct study_part *part;
	struct ini_file *file;
	const struct ini_setting *setting;
	struct slice text;              /* the whole value */
};

static struct pos value_pos(const struct reader *r)
{
	return ini_value_pos(r->setting);
}

typedef void take_word(struct reader *r, struct slice word, struct pos pos);

static void each_word(struct reader *r, take_word *take)
{
	struct ini_words w = { .setting = r->setting };
	while (ini_word(r->file, &w))
		take(r, w.word, w.pos);
}

/* From this directory, unless it begins at the root. */
static const char *beside(struct reader *r, const char *directory, struct slice path)
{
	return arena_printf(r->arena, "%s%.*s", slice_starts(path, "/") ? "" : directory, SLICE_ARG(path));
}

/* A directory's name in front of a glob is no part of it. */
static const char *escaped(struct arena *a, const char *path)
{
	struct buf b = BUF_EMPTY;
	for (; *path; path++) {
		if (strchr("*?[\\", *path))
			buf_char(&b, '\\');
		buf_char(&b, *path);
	}
	const char *text = arena_string(a, buf_view(&b));
	buf_free(&b);
	return text;
}

/* ---- values ---- */

/* False, said, when it is none of that unit or not above zero. */
static bool take_quantity(struct reader *r, enum unit unit, const char *example, struct quantity *q,
	enum quantity_op *op)
{
	const char *error;
	*q = (struct quantity){ .missing = true };
	if (!quantity_parse(r->text, unit, q, op, &error))
		ini_wrong(r->file, value_pos(r), "%.*s: '%.*s' %s; write it as %s", SLICE_ARG(r->setting->key),
			SLICE_ARG(r->text), error, example);
	else if (!(q->value > 0))
		ini_wrong(r->file, value_pos(r), "%.*s must be above zero", SLICE_ARG(r->setting->key));
	else {
		q->pos = value_pos(r);
		q->missing = false;
		return true;
	}
	return false;
}

static void set_attribute(struct reader *r, struct slice key, struct slice value, struct slice text, struct pos pos)
{
	struct study_subject *s = r->subject;
	for (size_t i = 0; i < s->n_attrs; i++)
		if (slice_eq(s->attrs[i].key, key)) {
			ini_wrong(r->file, pos, "%.*s is set in line %u", SLICE_ARG(key), s->attrs[i].pos.line);
			return;
		}
	*ARENA_PUSH(r->arena, s->attrs, s->n_attrs, s->attr_cap) = (struct param){ key, value, text, pos };
}

static void take_attribute(struct reader *r)
{
	set_attribute(r, r->setting->key, r->text, SLICE(""), value_pos(r));
}

static void take_count(struct reader *r)
{
	struct quantity q;
	if (take_quantity(r, UNIT_ONE, "a number", &q, NULL))
		take_attribute(r);
}

static void take_memory(struct reader *r)
{
	struct quantity q;
	if (take_quantity(r, UNIT_B, "512 GB or 512 GiB", &q, NULL))
		take_attribute(r);
}

/* A price is kept per hour; people also tell it for 30 days. A month has no fixed length. */
static void take_price(struct reader *r)
{
	static const char *const month[] = { "/30d", "/30 d", "/30days", "/30 days" };
	const struct slice written = r->text;
	double hours = 1;
	for (size_t i = 0; i < sizeof month / sizeof *month; i++)
		if (slice_ends(written, month[i])) {
			struct slice amount = slice_head(written, written.n - strlen(month[i]));
			r->text = slice_of(arena_printf(r->arena, "%.*s/h", SLICE_ARG(amount)));
			hours = STUDY_MONTH;
		}
	struct quantity *q = &r->subject->price;
	bool good = take_quantity(r, UNIT_USD_H, "$2.712/h or $1,952.64/30d", q, NULL);
	r->text = written;
	if (!good)
		return;
	char number[NUM_FORMAT_SIZE];
	q->value /= hours;
	q->text = written;
	num_format(number, q->value);
	set_attribute(r, SLICE("price"), slice_of(arena_printf(r->arena, "$%s/h", number)), written, value_pos(r));
}

static void one_attribute(struct reader *r, struct slice word, struct pos pos)
{
	size_t at = slice_find_char(word, '=');
	if (at == (size_t)-1 || at == 0) {
		ini_wrong(r->file, pos, "set: '%.*s' is no key=value", SLICE_ARG(word));
		return;
	}
	struct slice value = slice_from(word, at + 1);
	if (value.n > 1 && value.p[0] == '"' && value.p[value.n - 1] == '"')
		value = (struct slice){ value.p + 1, value.n - 2 };
	set_attribute(r, slice_head(word, at), value, SLICE(""), pos);
}

static void take_set(struct reader *r)
{
	each_word(r, one_attribute);
}

/* The study's directory, one up for each ../ that the glob begins with. `root` has no symbolic links, so that this may
 * be done by name. */
static const char *from_root(struct reader *r, struct slice glob)
{
	struct slice at = slice_of(r->root);
	while (slice_starts(glob, "./") || slice_starts(glob, "../")) {
		bool up = slice_starts(glob, "../");
		glob = slice_from(glob, up ? 3 : 2);
		while (up && at.n > 1 && at.p[at.n - 2] != '/')
			at.n--;
		at.n -= up && at.n > 1;
	}
	return beside(r, arena_string(r->arena, at), glob);
}

/* As the user would write it: beside the study; what is above it from the working directory, if it is there. */
static const char *from_here(struct reader *r, struct slice glob, const char *pattern)
{
	char here[PATH_MAX];
	if (!slice_starts(glob, "../"))
		return beside(r, r->near, glob);
	const char *base = getcwd(here, sizeof here) ? arena_printf(r->arena, "%s/", escaped(r->arena, here)) : "";
	return *base && slice_starts(slice_of(pattern), base) ? pattern + strlen(base) : pattern;
}

static void one_input(struct reader *r, struct slice word, struct pos pos)
{
	struct study_subject *s = r->subject;
	const char *pattern = from_root(r, word);
	*ARENA_PUSH(r->arena, s->inputs, s->n_inputs, s->input_cap) =
		(struct study_input){ .glob = word, .near = from_here(r, word, pattern), .pattern = pattern, .pos = pos };
}

static void take_inputs(struct reader *r)
{
	each_word(r, one_input);
}

static struct study_interface *interface_of(struct reader *r)
{
	struct study_subject *s = r->subject;
	for (size_t i = 0; i < s->n_interfaces; i++)
		if (slice_eq(s->interfaces[i].name, r->setting->suffix))
			return &s->interfaces[i];
	struct study_interface *i = ARENA_PUSH(r->arena, s->interfaces, s->n_interfaces, s->interface_cap);
	*i = (struct study_interface){ .name = r->setting->suffix, .line_rate = { .missing = true } };
	return i;
}

static void take_interface(struct reader *r)
{
	interface_of(r)->title = r->text;
}

/* What an interface can carry is an attribute, too: the reader of statistics goes by it. */
static void take_line_rate(struct reader *r)
{
	if (take_quantity(r, UNIT_B_PER_S, "50 Gb/s", &interface_of(r)->line_rate, NULL))
		take_attribute(r);
}

/* ---- the study and its report ---- */

static void one_section(struct reader *r, struct slice word, struct pos pos)
{
	static const char *const known[] = { "configuration", "cost", "comparison", "spec", "components", "trend", "suites",
		"results" };
	struct study *s = r->study;
	bool found = false;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		found |= slice_is(word, known[i]);
	for (size_t i = 0; i < s->n_sections && found; i++)
		if (slice_eq(s->sections[i], word))
			ini_wrong(r->file, pos, "sections: %.*s is there twice", SLICE_ARG(word));
	if (!found)
		ini_wrong(r->file, pos, "sections: there is no section '%.*s'; there are configuration, cost, comparison, spec, "
			"components, trend, suites and results", SLICE_ARG(word));
	*ARENA_PUSH(r->arena, s->sections, s->n_sections, s->section_cap) = word;
}

static void take_sections(struct reader *r)
{
	each_word(r, one_section);
}

static void one_sla(struct reader *r, struct slice word, struct pos pos)
{
	(void)pos; /* whoever reads it says when it isn't there */
	*ARENA_PUSH(r->arena, r->study->sla, r->study->n_sla, r->study->sla_cap) = ini_beside(r->file, word);
}

static void take_sla(struct reader *r)
{
	each_word(r, one_sla);
}

/* ---- configuration ---- */

static void take_bandwidth(struct reader *r)
{
	take_quantity(r, UNIT_B_PER_S, "7.2 GB/s or 98.4 Gb/s", &r->part->bandwidth, NULL);
}

static void take_iops(struct reader *r)
{
	take_quantity(r, UNIT_PER_S, "375k", &r->part->iops, NULL);
}

/* ---- evaluation ---- */

static void take_tolerance(struct reader *r)
{
	struct quantity *q = &r->study->evaluation.tolerance;
	if (take_quantity(r, UNIT_PERCENT, "10 %", q, NULL) && q->value > 1000)
		ini_wrong(r->file, value_pos(r), "tolerance: a share of the mean in per cent, as 10 %%");
}

static void take_gap(struct reader *r)
{
	take_quantity(r, UNIT_S, "90 min", &r->study->evaluation.longest_gap, NULL);
}

static void take_planned(struct reader *r)
{
	struct study_evaluation *e = &r->study->evaluation;
	struct quantity q;
	if (!take_quantity(r, UNIT_ONE, "336", &q, NULL))
		return;
	if (q.value != floor(q.value) || q.value > 1e9)
		ini_wrong(r->file, value_pos(r), "%.*s: jobs are counted in whole numbers", SLICE_ARG(r->setting->key));
	*ARENA_PUSH(r->arena, e->planned, e->n_planned, e->planned_cap) =
		(struct study_planned){ r->setting->suffix, q.value, value_pos(r) };
}

/* A selector a line. */
static void take_figures(struct reader *r)
{
	struct study_evaluation *e = &r->study->evaluation;
	for (size_t i = 0; i < r->setting->n; i++) {
		const struct ini_piece *piece = &r->setting->pieces[i];
		const char *error;
		struct study_figure f = { .text = piece->text, .pos = piece->pos };
		if (!piece->text.n)
			continue;
		if (!(f.where = selector_parse(r->arena, piece->text, &error)))
			ini_wrong(r->file, piece->pos, "figures: %s", error);
		*ARENA_PUSH(r->arena, e->figures, e->n_figures, e->figure_cap) = f;
	}
}

static enum server_statistic_id statistic_of(struct slice key)
{
	enum server_statistic_id id = 0;
	while (id < SERVER_STATISTICS && !slice_is(key, server_statistic(id)->key))
		id++;
	return id;
}

static void take_limit(struct reader *r)
{
	static const char *const examples[UNITS] = { [UNIT_PERCENT] = "30 %", [UNIT_B] = "1 GiB", [UNIT_B_PER_S] = "5 GiB/s" };
	struct study_evaluation *e = &r->study->evaluation;
	struct slice key = slice_head(r->setting->key, slice_find_char(r->setting->key, '.'));
	struct study_limit limit = { .statistic = statistic_of(key), .iface = r->setting->suffix };
	const struct server_statistic *s = server_statistic(limit.statistic);
	enum unit unit = metric_get(s->metric)->unit;
	if (!take_quantity(r, unit, examples[unit], &limit.limit, &limit.op))
		return;
	bool minimum = limit.op == OP_GE || limit.op == OP_GT;
	if (limit.op == OP_NONE)
		limit.op = s->least ? OP_GE : OP_LE;
	else if (limit.op == OP_EQ || minimum != s->least)
		ini_wrong(r->file, value_pos(r), "%.*s is a %s: write %s %s", SLICE_ARG(r->setting->key),
			s->least ? "minimum" : "maximum", s->least ? ">=" : "<=", examples[unit]);
	*ARENA_PUSH(r->arena, e->limits, e->n_limits, e->limit_cap) = limit;
}

/* ---- keys ---- */

static const struct key {
	struct ini_key key;
	void (*take)(struct reader *r);
	size_t text; /* without take: where in the section's struct the value goes as it is written */
} keys[] = {
	{ { "study", "name" }, NULL, offsetof(struct study, name) },
	{ { "study", "description" }, NULL, offsetof(struct study, description) },
	{ { "subject NAME", "inputs" }, take_inputs, 0 },
	{ { "subject NAME", "server" }, NULL, offsetof(struct study_subject, server) },
	{ { "subject NAME", "line_rate[.IFACE]" }, take_line_rate, 0 },
	{ { "subject NAME", "interface.IFACE" }, take_interface, 0 },
	{ { "subject NAME", "price" }, take_price, 0 },
	{ { "subject NAME", "cores" }, take_count, 0 },
	{ { "subject NAME", "ocpus" }, take_count, 0 },
	{ { "subject NAME", "memory" }, take_memory, 0 },
	{ { "subject NAME", "network" }, take_attribute, 0 },
	{ { "subject NAME", "storage" }, take_attribute, 0 },
	{ { "subject NAME", "cpu" }, take_attribute, 0 },
	{ { "subject NAME", "provider" }, take_attribute, 0 },
	{ { "subject NAME", "region" }, take_attribute, 0 },
	{ { "subject NAME", "zone" }, take_attribute, 0 },
	{ { "subject NAME", "shape" }, take_attribute, 0 },
	{ { "subject NAME", "instance" }, take_attribute, 0 },
	{ { "subject NAME", "os" }, take_attribute, 0 },
	{ { "subject NAME", "kernel" }, take_attribute, 0 },
	{ { "subject NAME", "filesystem" }, take_attribute, 0 },
	{ { "subject NAME", "compiler" }, take_attribute, 0 },
	{ { "subject NAME", "mpi" }, take_attribute, 0 },
	{ { "subject NAME", "software" }, take_attribute, 0 },
	{ { "subject NAME", "note" }, take_attribute, 0 },
	{ { "subject NAME", "set" }, take_set, 0 },
	{ { "configuration NAME", "specification" }, NULL, offsetof(struct study_part, specification) },
	{ { "configuration NAME", "bandwidth" }, take_bandwidth, 0 },
	{ { "configuration NAME", "iops" }, take_iops, 0 },
	{ { "configuration NAME", "software" }, NULL, offsetof(struct study_part, software) },
	{ { "evaluation", "tolerance" }, take_tolerance, 0 },
	{ { "evaluation", "figures" }, take_figures, 0 },
	{ { "evaluation", "longest_gap" }, take_gap, 0 },
	{ { "evaluation", "jobs[.TOOL]" }, take_planned, 0 },
	{ { "evaluation", "system_cpu" }, take_limit, 0 },
	{ { "evaluation", "iowait" }, take_limit, 0 },
	{ { "evaluation", "free_memory" }, take_limit, 0 },
	{ { "evaluation", "disk_read" }, take_limit, 0 },
	{ { "evaluation", "disk_write" }, take_limit, 0 },
	{ { "evaluation", "disk_bandwidth" }, take_limit, 0 },
	{ { "evaluation", "receive[.IFACE]" }, take_limit, 0 },
	{ { "evaluation", "transmit[.IFACE]" }, take_limit, 0 },
	{ { "sla", "file" }, take_sla, 0 },
	{ { "report", "title" }, NULL, offsetof(struct study, title) },
	{ { "report", "sections" }, take_sections, 0 },
};

/* What the section's texts go into. */
static void *open_section(struct reader *r, const struct ini_section *section)
{
	struct study *s = r->study;
	if (slice_is(section->kind, "subject")) {
		r->subject = ARENA_PUSH(r->arena, s->subjects, s->n_subjects, s->subject_cap);
		*r->subject = (struct study_subject){ .name = section->name, .pos = section->pos, .price = { .missing = true } };
		return r->subject;
	}
	if (slice_is(section->kind, "configuration")) {
		r->part = ARENA_PUSH(r->arena, s->parts, s->n_parts, s->part_cap);
		*r->part = (struct study_part){ .name = section->name, .bandwidth = { .missing = true },
			.iops = { .missing = true } };
		return r->part;
	}
	s->evaluation.wanted |= slice_is(section->kind, "evaluation");
	return s;
}

static void take_section(struct reader *r, const struct ini_section *section)
{
	if (!ini_section_known(r->file, section))
		return;
	char *texts = open_section(r, section);
	for (size_t i = 0; i < section->n; i++) {
		const struct key *key = ini_row(r->file, section, &section->settings[i]);
		r->setting = &section->settings[i];
		r->text = r->setting->text;
		if (key && !r->text.n)
			ini_wrong(r->file, r->setting->pos, "%.*s has no value", SLICE_ARG(r->setting->key));
		else if (key && key->take)
			key->take(r);
		else if (key)
			*(struct slice *)(void *)(texts + key->text) = r->text;
	}
}

/* Where the file is: as it was named, and from the root. */
static bool find_directory(struct reader *r)
{
	char whole[PATH_MAX];
	const char *directory = ini_beside(r->file, SLICE(""));
	if (!realpath(*directory ? directory : ".", whole)) {
		ini_wrong(r->file, (struct pos){ .source = r->file->source }, "can't be read: %s", strerror(errno));
		return false;
	}
	r->near = escaped(r->arena, directory);
	r->root = escaped(r->arena, arena_printf(r->arena, "%s/", strcmp(whole, "/") == 0 ? "" : whole));
	return true;
}

struct study *study_read(struct arena *a, const char *path, struct diags *diags)
{
	static const struct ini_kind kind = { .title = "a study", INI_ROWS(keys),
		.unknown = { "subject NAME", "other attributes go into set: set = KEY=VALUE" } };
	struct reader r = { .arena = a, .study = ARENA_NEW(a, struct study), .file = ini_file_read(a, path, &kind, diags) };
	if (!r.file)
		return NULL;
	r.study->source = r.file->source;
	r.study->evaluation.tolerance.missing = r.study->evaluation.longest_gap.missing = true;
	if (!find_directory(&r))
		return NULL;
	for (size_t i = 0; i < r.file->n; i++)
		take_section(&r, &r.file->sections[i]);
	return r.file->wrong ? NULL : r.study;
}
