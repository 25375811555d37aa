#include "ingest/study.h"

#include "base/num.h"
#include "ingest/ini_file.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

struct reader {
	struct arena *arena;
	struct diags *diags;
	struct study *study;
	const char *directory;          /* of the file, with its slash; empty for the working directory */
	const char *near, *root;        /* the same for globs, and from the root without symbolic links */
	struct study_subject *subject;  /* that is being read */
	struct study_part *part;
	const struct ini_setting *setting;
	struct slice suffix;            /* "ens3" of "receive.ens3" */
	struct slice text;              /* the whole value */
	bool wrong;
};

static void wrong(struct reader *r, struct pos pos, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void wrong(struct reader *r, struct pos pos, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	diag_vadd(r->diags, DIAG_ERROR, pos, format, args);
	va_end(args);
	r->wrong = true;
}

static struct pos value_pos(const struct reader *r)
{
	return r->setting->pieces[0].pos;
}

/* ---- words ---- */

/* The next word of a piece and its place; quotes hold blanks together, and are taken off a word that is quoted as a
 * whole. */
static bool next_word(const struct ini_piece *piece, struct slice *rest, struct slice *word, struct pos *pos)
{
	size_t n = 0;
	bool quoted = false;
	*rest = slice_trim(*rest);
	while (n < rest->n && (quoted || (rest->p[n] != ' ' && rest->p[n] != '\t')))
		quoted ^= rest->p[n++] == '"';
	*word = slice_head(*rest, n);
	*pos = piece->pos;
	pos->offset += (uint64_t)(word->p - piece->text.p);
	pos->column += (uint32_t)(word->p - piece->text.p);
	*rest = slice_from(*rest, n);
	if (word->n > 1 && word->p[0] == '"' && word->p[word->n - 1] == '"')
		*word = (struct slice){ word->p + 1, word->n - 2 };
	return n > 0;
}

typedef void take_word(struct reader *r, struct slice word, struct pos pos);

static void each_word(struct reader *r, take_word *take)
{
	for (size_t i = 0; i < r->setting->n; i++) {
		const struct ini_piece *piece = &r->setting->pieces[i];
		struct slice rest = piece->text, word;
		struct pos pos;
		while (next_word(piece, &rest, &word, &pos))
			take(r, word, pos);
	}
}

/* From the study file's directory, unless it begins at the root. */
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
		wrong(r, value_pos(r), "%.*s: '%.*s' %s; write it as %s", SLICE_ARG(r->setting->key), SLICE_ARG(r->text), error,
			example);
	else if (!(q->value > 0))
		wrong(r, value_pos(r), "%.*s must be above zero", SLICE_ARG(r->setting->key));
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
			wrong(r, pos, "%.*s is set in line %u", SLICE_ARG(key), s->attrs[i].pos.line);
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
		wrong(r, pos, "set: '%.*s' is no key=value", SLICE_ARG(word));
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
		if (slice_eq(s->interfaces[i].name, r->suffix))
			return &s->interfaces[i];
	struct study_interface *i = ARENA_PUSH(r->arena, s->interfaces, s->n_interfaces, s->interface_cap);
	*i = (struct study_interface){ .name = r->suffix, .line_rate = { .missing = true } };
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

static void take_server(struct reader *r)
{
	r->subject->server = r->text;
}

/* ---- the study and its report ---- */

static void take_name(struct reader *r)
{
	r->study->name = r->text;
}

static void take_description(struct reader *r)
{
	r->study->description = r->text;
}

static void take_title(struct reader *r)
{
	r->study->title = r->text;
}

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
			wrong(r, pos, "sections: %.*s is there twice", SLICE_ARG(word));
	if (!found)
		wrong(r, pos, "sections: there is no section '%.*s'; there are configuration, cost, comparison, spec, components, "
			"trend, suites and results", SLICE_ARG(word));
	*ARENA_PUSH(r->arena, s->sections, s->n_sections, s->section_cap) = word;
}

static void take_sections(struct reader *r)
{
	each_word(r, one_section);
}

static void one_sla(struct reader *r, struct slice word, struct pos pos)
{
	(void)pos; /* whoever reads it says when it isn't there */
	*ARENA_PUSH(r->arena, r->study->sla, r->study->n_sla, r->study->sla_cap) = beside(r, r->directory, word);
}

static void take_sla(struct reader *r)
{
	each_word(r, one_sla);
}

/* ---- configuration ---- */

static void take_specification(struct reader *r)
{
	r->part->specification = r->text;
}

static void take_software(struct reader *r)
{
	r->part->software = r->text;
}

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
		wrong(r, value_pos(r), "tolerance: a share of the mean in per cent, as 10 %%");
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
		wrong(r, value_pos(r), "%.*s: jobs are counted in whole numbers", SLICE_ARG(r->setting->key));
	*ARENA_PUSH(r->arena, e->planned, e->n_planned, e->planned_cap) =
		(struct study_planned){ r->suffix, q.value, value_pos(r) };
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
			wrong(r, piece->pos, "figures: %s", error);
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
	struct study_limit limit = { .statistic = statistic_of(key), .iface = r->suffix };
	const struct server_statistic *s = server_statistic(limit.statistic);
	enum unit unit = metric_get(s->metric)->unit;
	if (!take_quantity(r, unit, examples[unit], &limit.limit, &limit.op))
		return;
	bool minimum = limit.op == OP_GE || limit.op == OP_GT;
	if (limit.op == OP_NONE)
		limit.op = s->least ? OP_GE : OP_LE;
	else if (limit.op == OP_EQ || minimum != s->least)
		wrong(r, value_pos(r), "%.*s is a %s: write %s %s", SLICE_ARG(r->setting->key), s->least ? "minimum" : "maximum",
			s->least ? ">=" : "<=", examples[unit]);
	*ARENA_PUSH(r->arena, e->limits, e->n_limits, e->limit_cap) = limit;
}

/* ---- keys ---- */

enum dot { PLAIN, DOTTED /* may have a name behind it: receive.ens3 */ , NAMED /* must have */ };

static const struct key {
	const char *section, *key;
	enum dot dot;
	void (*take)(struct reader *r);
} keys[] = {
	{ "study", "name", PLAIN, take_name },
	{ "study", "description", PLAIN, take_description },
	{ "subject", "inputs", PLAIN, take_inputs },
	{ "subject", "server", PLAIN, take_server },
	{ "subject", "line_rate", DOTTED, take_line_rate },
	{ "subject", "interface", NAMED, take_interface },
	{ "subject", "price", PLAIN, take_price },
	{ "subject", "cores", PLAIN, take_count },
	{ "subject", "ocpus", PLAIN, take_count },
	{ "subject", "memory", PLAIN, take_memory },
	{ "subject", "network", PLAIN, take_attribute },
	{ "subject", "storage", PLAIN, take_attribute },
	{ "subject", "cpu", PLAIN, take_attribute },
	{ "subject", "provider", PLAIN, take_attribute },
	{ "subject", "region", PLAIN, take_attribute },
	{ "subject", "zone", PLAIN, take_attribute },
	{ "subject", "shape", PLAIN, take_attribute },
	{ "subject", "instance", PLAIN, take_attribute },
	{ "subject", "os", PLAIN, take_attribute },
	{ "subject", "kernel", PLAIN, take_attribute },
	{ "subject", "filesystem", PLAIN, take_attribute },
	{ "subject", "compiler", PLAIN, take_attribute },
	{ "subject", "mpi", PLAIN, take_attribute },
	{ "subject", "software", PLAIN, take_attribute },
	{ "subject", "note", PLAIN, take_attribute },
	{ "subject", "set", PLAIN, take_set },
	{ "configuration", "specification", PLAIN, take_specification },
	{ "configuration", "bandwidth", PLAIN, take_bandwidth },
	{ "configuration", "iops", PLAIN, take_iops },
	{ "configuration", "software", PLAIN, take_software },
	{ "evaluation", "tolerance", PLAIN, take_tolerance },
	{ "evaluation", "figures", PLAIN, take_figures },
	{ "evaluation", "longest_gap", PLAIN, take_gap },
	{ "evaluation", "jobs", DOTTED, take_planned },
	{ "evaluation", "system_cpu", PLAIN, take_limit },
	{ "evaluation", "iowait", PLAIN, take_limit },
	{ "evaluation", "free_memory", PLAIN, take_limit },
	{ "evaluation", "disk_read", PLAIN, take_limit },
	{ "evaluation", "disk_write", PLAIN, take_limit },
	{ "evaluation", "disk_bandwidth", PLAIN, take_limit },
	{ "evaluation", "receive", DOTTED, take_limit },
	{ "evaluation", "transmit", DOTTED, take_limit },
	{ "sla", "file", PLAIN, take_sla },
	{ "report", "title", PLAIN, take_title },
	{ "report", "sections", PLAIN, take_sections },
};

static const struct key *key_of(struct slice section, struct slice key)
{
	size_t dot = slice_find_char(key, '.');
	struct slice stem = slice_head(key, dot);
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		const struct key *k = &keys[i];
		bool named = dot != (size_t)-1 && dot + 1 < key.n, plain = dot == (size_t)-1;
		if (slice_is(section, k->section) && slice_is(stem, k->key) &&
		    (k->dot == PLAIN ? plain : k->dot == NAMED ? named : named || plain))
			return k;
	}
	return NULL;
}

/* "BM.x" of "subject BM.x"; *kind is "subject". */
static struct slice section_name(struct slice section, struct slice *kind)
{
	struct slice rest = section;
	if (!slice_word(&rest, kind))
		*kind = SLICE("");
	return slice_trim(rest);
}

static void open_section(struct reader *r, struct slice section, struct pos pos)
{
	struct study *s = r->study;
	struct slice kind, name = section_name(section, &kind);
	bool known = false, named = slice_is(kind, "subject") || slice_is(kind, "configuration");
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		known |= slice_is(kind, keys[i].section);
	if (!known || (!named && name.n))
		wrong(r, pos, "[%.*s] is no section of a study; there are study, subject NAME, configuration NAME, evaluation, sla "
			"and report", SLICE_ARG(section));
	else if (named && !name.n)
		wrong(r, pos, "[%.*s] needs a name: [%.*s NAME]", SLICE_ARG(section), SLICE_ARG(section));
	else if (slice_is(kind, "subject"))
		*ARENA_PUSH(r->arena, s->subjects, s->n_subjects, s->subject_cap) = (struct study_subject){ .name = name,
			.pos = pos, .price = { .missing = true } };
	else if (slice_is(kind, "configuration"))
		*ARENA_PUSH(r->arena, s->parts, s->n_parts, s->part_cap) = (struct study_part){ .name = name,
			.bandwidth = { .missing = true }, .iops = { .missing = true } };
	s->evaluation.wanted |= slice_is(kind, "evaluation");
}

static void take_setting(struct reader *r, const struct ini_setting *setting)
{
	struct study *s = r->study;
	struct slice kind, name = section_name(setting->section, &kind);
	const struct key *key = key_of(kind, setting->key);
	size_t dot = slice_find_char(setting->key, '.');
	r->setting = setting;
	r->suffix = slice_from(setting->key, dot == (size_t)-1 ? setting->key.n : dot + 1);
	r->text = ini_text(r->arena, setting);
	if (!setting->section.n)
		wrong(r, setting->pos, "stands in no section");
	else if (!key)
		wrong(r, setting->pos, "%.*s is no setting of [%.*s]%s", SLICE_ARG(setting->key), SLICE_ARG(setting->section),
			slice_is(kind, "subject") ? "; other attributes go into set: set = KEY=VALUE" : "");
	else if (!r->text.n)
		wrong(r, setting->pos, "%.*s has no value", SLICE_ARG(setting->key));
	bool of_subject = slice_is(kind, "subject"), of_part = slice_is(kind, "configuration");
	if (!setting->section.n || !key || !r->text.n || ((of_subject || of_part) && !name.n))
		return;
	for (size_t i = 0; of_subject && i < s->n_subjects; i++)
		r->subject = slice_eq(s->subjects[i].name, name) ? &s->subjects[i] : r->subject;
	for (size_t i = 0; of_part && i < s->n_parts; i++)
		r->part = slice_eq(s->parts[i].name, name) ? &s->parts[i] : r->part;
	key->take(r);
}

/* Where the file is: as it was named, and from the root. */
static bool find_directory(struct reader *r, const char *path)
{
	char whole[PATH_MAX];
	size_t slash = strlen(path);
	while (slash > 0 && path[slash - 1] != '/')
		slash--;
	r->directory = arena_printf(r->arena, "%.*s", (int)slash, path);
	if (!realpath(slash ? r->directory : ".", whole)) {
		wrong(r, (struct pos){ .source = r->study->source }, "can't be read: %s", strerror(errno));
		return false;
	}
	r->near = escaped(r->arena, r->directory);
	r->root = escaped(r->arena, arena_printf(r->arena, "%s/", strcmp(whole, "/") == 0 ? "" : whole));
	return true;
}

struct study *study_read(struct arena *a, const char *path, struct diags *diags)
{
	struct reader r = { .arena = a, .diags = diags, .study = ARENA_NEW(a, struct study) };
	struct ini_file *file = ini_file_read(a, path, "a study file", diags);
	if (!file)
		return NULL;
	r.study->source = file->source;
	r.study->evaluation.tolerance.missing = r.study->evaluation.longest_gap.missing = true;
	if (!find_directory(&r, path))
		return NULL;
	for (size_t i = 0; i < file->n_sections; i++)
		open_section(&r, file->sections[i], file->section_pos[i]);
	for (size_t i = 0; i < file->n; i++)
		take_setting(&r, &file->settings[i]);
	return r.wrong ? NULL : r.study;
}
