/* elbencho's --csvfile, by its documentation: a row for each operation, appended run by run. The columns "[last]" are
 * given: what was reached when the last thread had finished. */
#include "parsers/csv_table.h"

#include "base/num.h"
#include "parsers/date.h"
#include "parsers/rules.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_ROWS = 1 << 20 };

static const struct figure {
	const char *heading;
	enum metric_id metric;
	const char *stat;
	double factor;
	const char *unit, *of, *op; /* tags; NULL: none */
} figures[] = {
	{ "time ms [last]", METRIC_RUNTIME, "value", 1e-3, " ms", NULL, NULL },
	{ "IOPS [last]", METRIC_IOPS, "value", 1, NULL, NULL, NULL },
	{ "MiB/s [last]", METRIC_BANDWIDTH, "value", 0x1p20, " MiB/s", NULL, NULL },
	{ "MiB [last]", METRIC_IO, "value", 0x1p20, " MiB", NULL, NULL },
	{ "entries/s [last]", METRIC_RATE, "value", 1, NULL, "entries", NULL },
	{ "entries [last]", METRIC_REQUESTS, "count", 1, NULL, "entries", NULL },
	{ "CPU% [last]", METRIC_CPU_UTIL, "value", 1, " %", NULL, NULL },
	{ "IO lat us [min]", METRIC_LATENCY, "min", 1e-6, " us", NULL, NULL },
	{ "IO lat us [avg]", METRIC_LATENCY, "mean", 1e-6, " us", NULL, NULL },
	{ "IO lat us [max]", METRIC_LATENCY, "max", 1e-6, " us", NULL, NULL },
	{ "Ent lat us [min]", METRIC_LATENCY, "min", 1e-6, " us", "entries", NULL },
	{ "Ent lat us [avg]", METRIC_LATENCY, "mean", 1e-6, " us", "entries", NULL },
	{ "Ent lat us [max]", METRIC_LATENCY, "max", 1e-6, " us", "entries", NULL },
	{ "rwmix read IOPS [last]", METRIC_IOPS, "value", 1, NULL, NULL, "read" },
	{ "rwmix read MiB/s [last]", METRIC_BANDWIDTH, "value", 0x1p20, " MiB/s", NULL, "read" },
	{ "rwmix read IO lat us [avg]", METRIC_LATENCY, "mean", 1e-6, " us", NULL, "read" },
};
enum { FIGURES = sizeof figures / sizeof *figures };

static const struct { const char *heading, *key; } settings[] = {
	{ "hosts", "hosts" }, { "threads", "threads" }, { "dirs", "dirs" }, { "files", "files" }, { "file size", "file_size" },
	{ "block size", "block_size" }, { "direct IO", "direct" }, { "random", "random" }, { "IO depth", "iodepth" },
	{ "label", "label" },
};
enum { SETTINGS = sizeof settings / sizeof *settings };

struct row {
	struct slice operation, version, command, date, text[FIGURES], setting[SETTINGS];
	const char *at;
	size_t place;
	bool repeated;
};

struct rows {
	struct row *v;
	size_t n, cap;
};

static void take_row(struct csv_table *t, const struct csv_row *row)
{
	struct rows *s = t->ctx;
	struct row *k = ARENA_PUSH(t->parse->arena, s->v, s->n, s->cap);
	k->at = row->cells[0].at;
	k->place = s->n;
	k->operation = csv_table_text(t, row, "operation");
	k->version = csv_table_text(t, row, "version");
	k->command = csv_table_text(t, row, "command");
	k->date = csv_table_text(t, row, "ISO date");
	for (size_t i = 0; i < FIGURES; i++)
		k->text[i] = csv_table_text(t, row, figures[i].heading);
	for (size_t i = 0; i < SETTINGS; i++)
		k->setting[i] = csv_table_text(t, row, settings[i].heading);
}

static int by_settings(const void *a, const void *b)
{
	const struct row *x = *(struct row *const *)a, *y = *(struct row *const *)b;
	int c = slice_cmp(x->operation, y->operation);
	for (size_t i = 0; i < SETTINGS && c == 0; i++)
		c = slice_cmp(x->setting[i], y->setting[i]);
	return c;
}

static void find_repeated(struct parse *p, struct rows *s)
{
	struct row **all = ARENA_ARRAY(p->arena, s->n, struct row *);
	for (size_t i = 0; i < s->n; i++)
		all[i] = &s->v[i];
	qsort(all, s->n, sizeof *all, by_settings);
	for (size_t i = 1; i < s->n; i++)
		if (by_settings(&all[i - 1], &all[i]) == 0)
			all[i - 1]->repeated = all[i]->repeated = true;
}

static const char *op_of(const struct row *k)
{
	return slice_is(k->operation, "WRITE") ? "write" : slice_is(k->operation, "READ") ? "read" : NULL;
}

static const struct job *give_job(struct parse *p, const struct row *k)
{
	struct param params[SETTINGS + 1], command = { .key = SLICE("command"), .value = k->command, .pos = parse_pos(p, k->at) };
	size_t n = 0;
	bool zoned;
	for (size_t i = 0; i < SETTINGS; i++)
		if (k->setting[i].n)
			params[n++] = (struct param){ .key = slice_of(settings[i].key), .value = k->setting[i], .pos = parse_pos(p, k->at) };
	if (k->repeated)
		params[n++] = (struct param){ .key = SLICE("run"), .value = arena_u64(p->arena, k->place),
			.pos = parse_pos(p, k->at) };
	struct job job = { .name = k->operation, .params = { params, n }, .options = { &command, k->command.n ? 1 : 0 },
		.partial = true, .pos = parse_pos(p, k->at), .started = NAN, .stopped = date_read(k->date, &zoned) };
	return p->sink->job(p->ctx, &job);
}

static bool give_figures(struct parse *p, const struct row *k, const struct job *job)
{
	bool ok = true;
	for (size_t i = 0; i < FIGURES; i++) {
		const struct figure *f = &figures[i];
		struct param tags[2];
		size_t n = 0;
		const char *op = f->op ? f->op : op_of(k);
		struct result r = { .metric = f->metric, .stat = slice_of(f->stat), .job = job, .time = NAN };
		if (!k->text[i].n)
			continue;
		if (op)
			tags[n++] = (struct param){ .key = SLICE("op"), .value = slice_of(op), .pos = parse_pos(p, k->at) };
		if (f->of)
			tags[n++] = (struct param){ .key = SLICE("of"), .value = slice_of(f->of), .pos = parse_pos(p, k->at) };
		r.params = (struct params){ tags, n };
		if (parse_quantity(p, k->text[i], metric_get(f->metric)->unit, f->factor, f->unit, &r.q))
			p->sink->result(p->ctx, &r);
		else
			ok = false;
	}
	return ok;
}

static enum status parse(struct parse *p)
{
	struct rows s = { 0 };
	struct csv_table t = { .parse = p, .row = take_row, .ctx = &s, .max_rows = MAX_ROWS };
	enum status status = csv_table_read(&t);
	const struct row *last = NULL;
	if (s.n == 0)
		return status;
	find_repeated(p, &s);
	for (struct row *k = s.v; k < s.v + s.n; last = k++) {
		if (!last || !slice_eq(last->version, k->version))
			parse_run(p, SLICE("elbencho"), k->version);
		if (!give_figures(p, k, give_job(p, k)) && status == STATUS_OK)
			status = STATUS_WARN;
	}
	return status;
}

static int probe(const struct peek *peek)
{
	static const char *const heads[] = { "ISO date,label,path type,paths,hosts,threads,", "operation,time ms [first]," };
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		if (slice_starts(peek->head, heads[i]))
			return 8 * (int)strlen(heads[i]);
	return 0;
}

/* The lines that begin its output between other tools'. */
static const struct rule starts[] = {
	{ .id = "results", .pattern = "ISO date,label,path type,paths,hosts,threads,",
	  .sample = "ISO date,label,path type,paths,hosts,threads,dirs" },
	{ .id = "operations", .pattern = "operation,time ms \\[first\\],",
	  .sample = "operation,time ms [first],time ms [last]" },
	{ .id = NULL }
};

const struct parser parser_elbencho_csv = {
	.name = "elbencho-csv", .title = "elbencho CSV", .tool = "elbencho", .probe = probe, .parse = parse,
	.starts = starts,
};
