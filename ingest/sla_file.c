#include "ingest/sla_file.h"

#include "base/ini_file.h"
#include "base/num.h"
#include "base/small_file.h"
#include "parsers/csv_rows.h"

#include <math.h>
#include <stddef.h>

struct reader {
	struct arena *arena;
	struct ini_file *file;
	const struct ini_setting *setting;
	struct sla sla;
	struct slice table;
	/* Of the table. */
	struct source *source;
	struct slice head[8];
	size_t n_head;
	size_t limit_column;
	enum quantity_op op;
	size_t row_cap;
};

/* ---- settings ---- */

static void refuse(struct reader *r, const char *why)
{
	ini_wrong(r->file, ini_value_pos(r->setting), "%.*s: %s", SLICE_ARG(r->setting->key), why);
}

static void take_metric(struct reader *r)
{
	r->sla.metric = metric_find(r->setting->text);
	if (r->sla.metric == METRICS)
		ini_wrong(r->file, ini_value_pos(r->setting), "there is no metric '%.*s'", SLICE_ARG(r->setting->text));
}

static void take_where(struct reader *r)
{
	const char *error;
	if (!(r->sla.where = selector_parse(r->arena, r->setting->text, &error)))
		refuse(r, error);
}

static void take_level(struct reader *r)
{
	struct quantity level = { 0 };
	const char *error;
	if (!quantity_parse(r->setting->text, UNIT_PERCENT, &level, NULL, &error) || level.value < 50 || level.value >= 100)
		refuse(r, "give a confidence from 50 to 99.99 (per cent)");
	r->sla.level = level.value / 100;
}

static void take_rule(struct reader *r)
{
	bool snia = slice_is(r->setting->text, "snia");
	r->sla.rule = snia ? &steady_snia : &steady_cloudharmony;
	if (!snia && !slice_is(r->setting->text, "cloudharmony"))
		refuse(r, "there are snia and cloudharmony");
}

static void take_hosts(struct reader *r)
{
	r->sla.hosts_together = slice_is(r->setting->text, "total");
	if (!r->sla.hosts_together && !slice_is(r->setting->text, "each"))
		refuse(r, "the limits are of each host (each) or of all together (total)");
}

static struct sla_require condition_of(struct slice word, struct pos pos)
{
	struct sla_require q = { .text = word, .op = OP_NONE, .number = NAN, .pos = pos };
	size_t at = 0;
	while (at < word.n && !strchr("<>=", word.p[at]))
		at++;
	q.key = slice_head(word, at);
	q.value = slice_from(word, at);
	if (at == word.n)
		return q;
	bool equal = q.value.n > 1 && q.value.p[1] == '=';
	q.op = word.p[at] == '=' ? OP_EQ : word.p[at] == '<' ? (equal ? OP_LE : OP_LT) : equal ? OP_GE : OP_GT;
	q.value = slice_from(q.value, equal && word.p[at] != '=' ? 2 : 1);
	if (q.value.n > 1 && q.value.p[0] == '"' && q.value.p[q.value.n - 1] == '"')
		q.value = (struct slice){ q.value.p + 1, q.value.n - 2 };
	num_double(q.value, &q.number);
	return q;
}

static void take_require(struct reader *r)
{
	struct sla *sla = &r->sla;
	struct ini_words w = { .setting = r->setting };
	size_t cap = 0;
	while (ini_word(r->file, &w)) {
		struct sla_require q = condition_of(w.word, w.pos);
		if (!q.key.n || (q.op != OP_NONE && !q.value.n))
			ini_wrong(r->file, w.pos, "require: '%.*s' is no condition; write key=value, key>=value or a word",
				SLICE_ARG(w.word));
		*ARENA_PUSH(r->arena, sla->require, sla->n_require, cap) = q;
	}
}

#define TEXT(key, field) { { "sla", key }, NULL, offsetof(struct reader, field) }
static const struct key {
	struct ini_key key;
	void (*take)(struct reader *r);
	size_t text; /* without take: where in struct reader the value goes as it is written */
} keys[] = {
	TEXT("name", sla.name),
	TEXT("title", sla.title),
	TEXT("source", sla.source_text),
	{ { "sla", "metric" }, take_metric, 0 },
	TEXT("stat", sla.stat),
	{ { "sla", "where" }, take_where, 0 },
	{ { "sla", "require" }, take_require, 0 },
	{ { "sla", "level" }, take_level, 0 },
	{ { "sla", "rule" }, take_rule, 0 },
	{ { "sla", "hosts" }, take_hosts, 0 },
	TEXT("table", table),
};

static void take_settings(struct reader *r, const struct ini_section *section)
{
	struct sla *sla = &r->sla;
	const char *error;
	*sla = (struct sla){ .source = r->file->source, .metric = METRICS, .stat = SLICE("value"), .rule = &steady_snia,
		.level = 0.95, .where = selector_parse(r->arena, SLICE(""), &error) };
	for (size_t i = 0; i < section->n; i++) {
		const struct key *key = ini_row(r->file, section, &section->settings[i]);
		r->setting = &section->settings[i];
		if (!key || !r->setting->text.n)
			continue;
		if (key->take)
			key->take(r);
		else
			*(struct slice *)(void *)((char *)r + key->text) = r->setting->text;
	}
	if (!sla->title.n)
		sla->title = sla->name;
	if (!r->file->wrong && (!sla->name.n || sla->metric == METRICS || !r->table.n))
		ini_wrong(r->file, section->pos, "[sla] needs name, metric and table");
}

/* ---- the table ---- */

static bool take_heads(struct reader *r, const struct csv_row *row)
{
	for (size_t i = 0; i < row->n && r->n_head < sizeof r->head / sizeof *r->head; i++)
		r->head[r->n_head++] = slice_trim(row->cells[i].text);
	for (size_t i = 1; i < r->n_head && !r->limit_column; i++) {
		bool minimum = slice_eq_nocase(r->head[i], SLICE("minimum")), maximum = slice_eq_nocase(r->head[i], SLICE("maximum"));
		if (minimum || maximum || slice_eq_nocase(r->head[i], SLICE("limit"))) {
			r->limit_column = i;
			r->op = minimum ? OP_GE : maximum ? OP_LE : OP_NONE;
		}
	}
	if (!r->n_head || !slice_eq_nocase(r->head[0], SLICE("shape")) || !r->limit_column) {
		ini_wrong(r->file, source_pos_of(r->source, row->cells[0].at),
			"the headings must be shape and minimum, maximum or limit");
		return false;
	}
	return true;
}

static bool on_row(void *ctx, const struct csv_row *row)
{
	struct reader *r = ctx;
	if (!r->n_head)
		return take_heads(r, row);
	if (row->n == 1 && !slice_trim(row->cells[0].text).n)
		return true;
	struct pos pos = source_pos_of(r->source, row->cells[0].at);
	if (row->n <= r->limit_column) {
		ini_wrong(r->file, pos, "the row has no limit");
		return true;
	}
	const struct csv_cell *cell = &row->cells[r->limit_column];
	struct sla_row out = { .shape = arena_copy(r->arena, slice_trim(row->cells[0].text)), .op = r->op };
	enum quantity_op op;
	const char *error;
	struct pos at = source_pos_of(r->source, cell->at);
	if (!quantity_parse(arena_copy(r->arena, cell->text), metric_get(r->sla.metric)->unit, &out.limit, &op, &error)) {
		ini_wrong(r->file, at, "the limit '%.*s' %s", SLICE_ARG(cell->text), error);
		return true;
	}
	if (op != OP_NONE)
		out.op = op;
	if (out.op == OP_NONE || out.op == OP_EQ)
		ini_wrong(r->file, at, "the limit '%.*s' does not say whether it is a minimum (>=) or a maximum (<=)",
			SLICE_ARG(cell->text));
	else if (!out.shape.n)
		ini_wrong(r->file, pos, "the row names no shape");
	else if (!(out.limit.value > 0))
		ini_wrong(r->file, at, "a limit must be above zero");
	out.limit.pos = at;
	*ARENA_PUSH(r->arena, r->sla.rows, r->sla.n_rows, r->row_cap) = out;
	return true;
}

static void read_table(struct reader *r)
{
	r->source = small_file_read(r->arena, ini_beside(r->file, r->table), "an SLA table", r->file->diags);
	if (!r->source) {
		r->file->wrong = true;
		return;
	}
	csv_rows(r->source->data, r->arena, on_row, r);
	if (!r->file->wrong && !r->sla.n_rows)
		ini_wrong(r->file, (struct pos){ .source = r->source }, "holds no row");
}

struct sla *sla_file_read(struct arena *a, const char *path, struct diags *diags)
{
	static const struct ini_kind kind = { .title = "an SLA", INI_ROWS(keys) };
	struct reader r = { .arena = a, .file = ini_file_read(a, path, &kind, diags) };
	if (!r.file)
		return NULL;
	if (r.file->n == 0)
		ini_wrong(r.file, (struct pos){ .source = r.file->source }, "holds no [sla]");
	for (size_t i = 0; i < r.file->n; i++)
		if (ini_section_known(r.file, &r.file->sections[i]))
			take_settings(&r, &r.file->sections[i]);
	if (!r.file->wrong)
		read_table(&r);
	struct sla *sla = ARENA_NEW(a, struct sla);
	*sla = r.sla;
	return r.file->wrong ? NULL : sla;
}
