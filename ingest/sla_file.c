#include "ingest/sla_file.h"

#include "base/num.h"
#include "ingest/read.h"
#include "model/sla_each.h"
#include "parsers/csv_rows.h"

#include <errno.h>
#include <ini.h>
#include <math.h>

/* inih cuts longer lines without a word. */
enum { INI_LINE = 180, FILE_LIMIT = 1 << 20 };

struct reader {
	struct arena *arena;
	struct diags *diags;
	struct source *source;
	struct sla *sla;
	struct slice where, require, level, rule, table, metric, hosts, each;
	struct slice head[8];
	size_t n_head;
	size_t limit_column;
	enum quantity_op op;
	size_t row_cap;
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

/* inih tells no positions: where a key's value stands in the file. */
static struct pos key_pos(struct reader *r, const char *key)
{
	struct lines l = lines_of(r->source);
	struct slice line;
	while (lines_next(&l, &line)) {
		struct slice name = slice_trim(slice_head(line, slice_find_char(line, '=')));
		if (slice_is(name, key) && name.n < line.n)
			return lines_pos(&l, slice_trim(slice_from(line, slice_find_char(line, '=') + 1)).p);
	}
	return (struct pos){ .source = r->source };
}

static struct slice *setting(struct reader *r, const char *key)
{
	const struct {
		const char *key;
		struct slice *value;
	} settings[] = {
		{ "name", &r->sla->name }, { "title", &r->sla->title }, { "source", &r->sla->source_text },
		{ "metric", &r->metric }, { "stat", &r->sla->stat }, { "where", &r->where }, { "require", &r->require },
		{ "level", &r->level }, { "rule", &r->rule }, { "table", &r->table },
		{ "hosts", &r->hosts }, { "each", &r->each },
	};
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
		if (strcmp(settings[i].key, key) == 0)
			return settings[i].value;
	return NULL;
}

static int on_setting(void *user, const char *section, const char *key, const char *value)
{
	struct reader *r = user;
	struct slice *to = strcmp(section, "sla") == 0 ? setting(r, key) : NULL;
	if (!to)
		wrong(r, key_pos(r, key), "[%s] %s is not a setting of an SLA file", section, key);
	else if (to->n) /* a continuation line */
		*to = slice_of(arena_printf(r->arena, "%.*s %s", SLICE_ARG(*to), value));
	else
		*to = arena_copy(r->arena, slice_of(value));
	return 1;
}

static struct source *open_source(struct reader *r, const char *path, struct read_buffer *buffer)
{
	struct source *s = ARENA_NEW(r->arena, struct source);
	struct slice bytes;
	*s = source_of(arena_string(r->arena, slice_of(path)), SLICE_NONE);
	enum read_status status = read_whole(buffer, path, FILE_LIMIT, &bytes);
	if (status == READ_FAILED)
		wrong(r, (struct pos){ .source = s }, "can't be read: %s", strerror(errno));
	else if (status == READ_TOO_LARGE)
		wrong(r, (struct pos){ .source = s }, "is larger than 1 MiB: this is no SLA file");
	else
		s->data = arena_copy(r->arena, bytes);
	return s;
}

static void read_ini(struct reader *r)
{
	struct lines l = lines_of(r->source);
	struct slice line;
	while (lines_next(&l, &line))
		if (line.n > INI_LINE)
			wrong(r, lines_pos(&l, line.p + INI_LINE), "the line is longer than %d bytes: go on in an indented line below it",
				INI_LINE);
	int at = r->wrong ? 0 : ini_parse_string(arena_string(r->arena, r->source->data), on_setting, r);
	if (at > 0) {
		struct lines again = lines_of(r->source);
		while (lines_next(&again, &line) && again.line < (uint32_t)at)
			continue;
		wrong(r, lines_pos(&again, line.p), "is neither [section] nor key = value");
	}
}

static struct slice next_word(struct slice *rest)
{
	*rest = slice_trim(*rest);
	size_t n = 0;
	bool quoted = false;
	while (n < rest->n && (quoted || (rest->p[n] != ' ' && rest->p[n] != '\t' && rest->p[n] != '\n')))
		quoted ^= rest->p[n++] == '"';
	struct slice word = slice_head(*rest, n);
	*rest = slice_from(*rest, n);
	return word;
}

static void take_require(struct reader *r)
{
	struct slice rest = r->require, word;
	size_t cap = 0;
	while ((word = next_word(&rest)).n) {
		struct sla_require q = { .text = word, .op = OP_NONE, .number = NAN, .pos = key_pos(r, "require") };
		size_t at = 0;
		while (at < word.n && !strchr("<>=", word.p[at]))
			at++;
		q.key = slice_head(word, at);
		q.value = slice_from(word, at);
		if (at < word.n) {
			bool equal = q.value.n > 1 && q.value.p[1] == '=';
			q.op = word.p[at] == '=' ? OP_EQ : word.p[at] == '<' ? (equal ? OP_LE : OP_LT) : equal ? OP_GE : OP_GT;
			q.value = slice_from(q.value, equal && word.p[at] != '=' ? 2 : 1);
			if (q.value.n > 1 && q.value.p[0] == '"' && q.value.p[q.value.n - 1] == '"')
				q.value = (struct slice){ q.value.p + 1, q.value.n - 2 };
		}
		if (!q.key.n || (q.op != OP_NONE && !q.value.n))
			wrong(r, q.pos, "require: '%.*s' is no condition; write key=value, key>=value or a word", SLICE_ARG(word));
		num_double(q.value, &q.number);
		*ARENA_PUSH(r->arena, r->sla->require, r->sla->n_require, cap) = q;
	}
}

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
		wrong(r, source_pos_of(r->source, row->cells[0].at), "the headings must be shape and minimum, maximum or limit");
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
		wrong(r, pos, "the row has no limit");
		return true;
	}
	const struct csv_cell *cell = &row->cells[r->limit_column];
	struct sla_row out = { .shape = arena_copy(r->arena, slice_trim(row->cells[0].text)), .op = r->op };
	enum quantity_op op;
	const char *error;
	struct pos at = source_pos_of(r->source, cell->at);
	if (!quantity_parse(arena_copy(r->arena, cell->text), metric_get(r->sla->metric)->unit, &out.limit, &op, &error)) {
		wrong(r, at, "the limit '%.*s' %s", SLICE_ARG(cell->text), error);
		return true;
	}
	if (op != OP_NONE)
		out.op = op;
	if (out.op == OP_NONE || out.op == OP_EQ)
		wrong(r, at, "the limit '%.*s' does not say whether it is a minimum (>=) or a maximum (<=)", SLICE_ARG(cell->text));
	else if (!out.shape.n)
		wrong(r, pos, "the row names no shape");
	else if (r->sla->each > 0 && out.op != OP_LE && out.op != OP_LT)
		wrong(r, at, "a limit of each period must be a maximum");
	else if (!(out.limit.value > 0))
		wrong(r, at, "a limit must be above zero");
	out.limit.pos = at;
	*ARENA_PUSH(r->arena, r->sla->rows, r->sla->n_rows, r->row_cap) = out;
	return true;
}

static void read_table(struct reader *r, const char *ini_path)
{
	struct read_buffer buffer = { 0 };
	size_t slash = strlen(ini_path);
	while (slash > 0 && ini_path[slash - 1] != '/')
		slash--;
	bool absolute = slice_starts(r->table, "/");
	const char *path = arena_printf(r->arena, "%.*s%.*s", absolute ? 0 : (int)slash, ini_path, SLICE_ARG(r->table));
	r->source = open_source(r, path, &buffer);
	if (!r->wrong && r->source->data.n)
		csv_rows(r->source->data, r->arena, on_row, r);
	if (!r->wrong && !r->sla->n_rows)
		wrong(r, (struct pos){ .source = r->source }, "holds no row");
	read_buffer_free(&buffer);
}

static void take_each(struct reader *r)
{
	struct sla *sla = r->sla;
	struct quantity each;
	const char *error;
	if (!quantity_parse(r->each, UNIT_S, &each, NULL, &error) || !(each.value >= 1))
		wrong(r, key_pos(r, "each"), "each: give the length of a period, of a second or more");
	else if (isnan(sla_each_percent(sla->stat)))
		wrong(r, key_pos(r, "each"), "each: the limits must be of a percentile (stat = p99)");
	else if (sla->metric != METRIC_LATENCY && sla->metric != METRIC_COMPLETION_LATENCY && sla->metric != METRIC_SUBMISSION_LATENCY)
		wrong(r, key_pos(r, "each"), "each: only latencies are known over each period");
	else
		sla->each = each.value;
}

static void take_settings(struct reader *r)
{
	struct sla *sla = r->sla;
	const char *error;
	struct quantity level = { .value = 95 };
	sla->metric = metric_find(r->metric);
	if (!sla->name.n || !r->metric.n || !r->table.n)
		wrong(r, (struct pos){ .source = r->source }, "[sla] needs name, metric and table");
	else if (sla->metric == METRICS)
		wrong(r, key_pos(r, "metric"), "there is no metric '%.*s'", SLICE_ARG(r->metric));
	if (!(sla->where = selector_parse(r->arena, r->where, &error)))
		wrong(r, key_pos(r, "where"), "where: %s", error);
	if (r->level.n && (!quantity_parse(r->level, UNIT_PERCENT, &level, NULL, &error) || level.value < 50 || level.value >= 100))
		wrong(r, key_pos(r, "level"), "level: give a confidence from 50 to 99.99 (per cent)");
	sla->level = level.value / 100;
	sla->rule = slice_is(r->rule, "cloudharmony") ? &steady_cloudharmony : &steady_snia;
	if (r->rule.n && !slice_is(r->rule, "snia") && !slice_is(r->rule, "cloudharmony"))
		wrong(r, key_pos(r, "rule"), "rule: there are snia and cloudharmony");
	sla->hosts_together = slice_is(r->hosts, "total");
	if (r->hosts.n && !sla->hosts_together && !slice_is(r->hosts, "each"))
		wrong(r, key_pos(r, "hosts"), "hosts: the limits are of each host (each) or of all together (total)");
	if (!sla->stat.n)
		sla->stat = SLICE("value");
	if (r->each.n)
		take_each(r);
	if (!sla->title.n)
		sla->title = sla->name;
	take_require(r);
}

struct sla *sla_file_read(struct arena *a, const char *path, struct diags *diags)
{
	struct read_buffer buffer = { 0 };
	struct reader r = { .arena = a, .diags = diags, .sla = ARENA_NEW(a, struct sla) };
	r.source = r.sla->source = open_source(&r, path, &buffer);
	if (!r.wrong)
		read_ini(&r);
	if (!r.wrong)
		take_settings(&r);
	if (!r.wrong)
		read_table(&r, path);
	read_buffer_free(&buffer);
	return r.wrong ? NULL : r.sla;
}
