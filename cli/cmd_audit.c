/* assay audit: a verdict per row of an SLA. */
#include "cli/cli.h"

#include "base/num.h"

#include <math.h>

enum { TABLE_COLUMNS = 7 };

/* A narrow terminal loses columns from the right: the verdict stands where it is never lost. */
static const char *const table_heads[TABLE_COLUMNS] = { "shape", "verdict", "limit", "measured (lower … upper)", "× limit",
	"steady state", "method" };
static const bool table_right[TABLE_COLUMNS] = { false, false, true, false, true, false, true };

static const char *const csv_heads[AUDIT_COLUMNS] = { "sla", "shape", "subject", "metric", "op", "limit", "unit", "value",
	"lower", "upper", "level", "normalized", "margin", "runs", "verdict", "reason", "advice", "source", "line", "limit_text" };

static const char *short_number(struct arena *a, double v, enum unit u)
{
	char text[48];
	if (isnan(v))
		return "—";
	quantity_show(text, sizeof text, v, u, 4);
	return arena_string(a, slice_of(text));
}

static const char *interval(struct arena *a, const struct sla_verdict *v)
{
	enum unit u = v->row->limit.unit;
	if (isnan(v->value))
		return "—";
	if (isnan(v->bound.lower))
		return arena_printf(a, "%s  (no interval)", short_number(a, v->value, u));
	return arena_printf(a, "%s  (%s … %s)", short_number(a, v->value, u), short_number(a, v->bound.lower, u),
		short_number(a, v->bound.upper, u));
}

static const char *steady_text(struct arena *a, const struct sla_verdict *v)
{
	const struct judgement *j = v->worst;
	if (!j)
		return "—";
	if (!j->has_steady)
		return "not shown";
	if (!j->steady.steady)
		return "not reached";
	const struct steady_window *w = &j->steady.last;
	if (j->series->kind == SERIES_ROUNDS)
		return arena_printf(a, "rounds %.0f–%.0f", j->series->points[w->first].t, j->series->points[w->first + w->n - 1].t);
	return arena_printf(a, "last %.0f s", (double)w->n * j->series->interval);
}

static struct slice paint(struct arena *a, const char *verdict, enum verdict v, bool color)
{
	static const char *const code[VERDICTS] = { "1;34", "1;31", "33", "90", "90" };
	return slice_of(color ? arena_printf(a, "\033[%sm%s\033[0m", code[v], verdict) : verdict);
}

/* Lines for people are no longer than this, however wide the terminal. */
enum { LINE = 120 };

static void print_paragraph(struct buf *out, struct buf *text, unsigned indent, unsigned width)
{
	struct buf shown = BUF_EMPTY;
	buf_printable(&shown, buf_view(text));
	buf_printf(out, "%*s", (int)indent, "");
	print_wrapped(out, buf_view(&shown), indent, indent + 2, width);
	buf_char(out, '\n');
	buf_free(&shown);
	buf_clear(text);
}

/* What an auditor should know beside the verdict: remarks that are warnings. */
static void say_doubts(struct buf *text, const struct judgement *j)
{
	for (size_t i = 0; i < j->n_conditions; i++) {
		const struct condition *c = &j->conditions[i];
		if (!c->required && c->holds == HOLDS_WARN)
			buf_printf(text, "%s%s %s", text->n ? "; " : "in doubt: ", c->name, c->found);
	}
	if (j->has_steady && j->steady.steady && *j->steady.doubt_text)
		buf_printf(text, "%s%s", text->n ? "; " : "in doubt: ", j->steady.doubt_text);
}

/* The sentences below the table: what was measured, why it is no plain PASS, and each run where there are several. */
static void print_reasons(struct buf *out, const struct sla_verdict *v, unsigned width)
{
	struct buf text = BUF_EMPTY;
	buf_printf(&text, "%.*s: %s%s%s", SLICE_ARG(v->row->shape), v->sentence, *v->advice ? " " : "", v->advice);
	print_paragraph(out, &text, 0, width);
	if (v->worst)
		say_doubts(&text, v->worst);
	if (text.n)
		print_paragraph(out, &text, 2, width);
	for (size_t i = 0; i < v->n_runs && v->n_runs > 1; i++) {
		const struct judgement *j = &v->runs[i];
		buf_printf(&text, "%s: %s%s%s", j->run->source ? j->run->source->name : "", verdict_name(j->verdict),
			*j->reason ? " – " : "", j->reason);
		print_paragraph(out, &text, 2, width);
	}
	buf_free(&text);
}

static void list_no_data(struct buf *out, const struct sla_verdict *v, size_t n, unsigned width)
{
	struct buf text = BUF_EMPTY;
	for (size_t i = 0; i < n; i++)
		if (v[i].verdict == VERDICT_NO_DATA && !v[i].subject.n)
			buf_printf(&text, "%s%.*s", text.n ? ", " : "NO-DATA: nothing in the input concerns ",
				SLICE_ARG(v[i].row->shape));
	if (text.n) {
		buf_char(&text, '.');
		print_paragraph(out, &text, 0, width);
	}
	buf_free(&text);
}

static void print_summary(struct buf *out, const struct sla_verdict *v, size_t n)
{
	size_t judged = 0, pass = 0;
	for (size_t i = 0; i < n; i++) {
		judged += v[i].verdict != VERDICT_NO_DATA || v[i].subject.n;
		pass += v[i].verdict == VERDICT_PASS;
	}
	if (judged == 0)
		buf_str(out, "No input concerns any row.\n");
	else if (pass == judged && judged == 1)
		buf_str(out, "The shape is shown to comply.\n");
	else if (pass == judged)
		buf_printf(out, "All %zu shapes are shown to comply.\n", judged);
	else
		buf_printf(out, "%zu of %zu shape%s not shown to comply.\n", judged - pass, judged, judged == 1 ? "" : "s");
}

/* Verdicts of one table; they stand together. */
static void print_sla(struct options *o, struct buf *out, const struct sla_verdict *v, size_t n, bool color)
{
	struct arena *a = &o->arena;
	unsigned width = terminal_width(stdout);
	struct slice *cells = ARENA_ARRAY(a, n * TABLE_COLUMNS + 1, struct slice);
	size_t rows = 0;
	buf_printable(out, v->sla->name);
	buf_str(out, ": ");
	buf_printable(out, v->sla->title);
	buf_printf(out, "\n(%g %% one-sided confidence bounds)\n\n", 100 * v->sla->level);
	for (size_t i = 0; i < n; i++) {
		if (v[i].verdict == VERDICT_NO_DATA && !v[i].subject.n)
			continue;
		struct slice *c = cells + rows++ * TABLE_COLUMNS;
		const struct judgement *j = v[i].worst;
		c[0] = printable(a, v[i].row->shape);
		c[1] = paint(a, verdict_name(v[i].verdict), v[i].verdict, color);
		c[2] = slice_of(short_number(a, v[i].row->limit.value, v[i].row->limit.unit));
		c[3] = slice_of(interval(a, &v[i]));
		c[4] = slice_of(isnan(v[i].normalized) ? "—" : arena_printf(a, "%.*f", v[i].normalized < 0.01 ? 4 : 2, v[i].normalized));
		c[5] = slice_of(steady_text(a, &v[i]));
		c[6] = slice_of(j ? arena_printf(a, "%zu of %zu", j->n_held, j->n_required) : "—");
	}
	if (rows)
		print_table(out, table_heads, cells, rows, TABLE_COLUMNS, table_right, width);
	if (width > LINE)
		width = LINE;
	buf_str(out, rows ? "\n" : "");
	for (size_t i = 0; i < n; i++)
		if (v[i].worst || v[i].subject.n)
			print_reasons(out, &v[i], width);
	list_no_data(out, v, n, width);
	print_summary(out, v, n);
}

static struct slice csv_number(struct arena *a, double v)
{
	char text[NUM_FORMAT_SIZE];
	return isnan(v) ? SLICE("") : arena_copy(a, (struct slice){ text, num_format(text, v) });
}

static void csv_columns(struct arena *a, const struct sla_verdict *v, struct slice c[AUDIT_COLUMNS])
{
	static const char *const sign[] = { [OP_NONE] = "", [OP_LT] = "<", [OP_LE] = "<=", [OP_EQ] = "=", [OP_GE] = ">=", [OP_GT] = ">" };
	const struct judgement *j = v->worst;
	struct pos pos = POS_NONE;
	if (j && j->series && j->series->n)
		pos = j->series->points[j->steady.last.first].pos;
	else if (j && j->result)
		pos = j->result->q.pos;
	size_t i = 0;
	c[i++] = v->sla->name;
	c[i++] = v->row->shape;
	c[i++] = v->subject;
	c[i++] = slice_of(metric_get(v->sla->metric)->name);
	c[i++] = slice_of(sign[v->row->op]);
	c[i++] = csv_number(a, v->row->limit.value);
	c[i++] = slice_of(unit_name(v->row->limit.unit));
	c[i++] = csv_number(a, v->value);
	c[i++] = csv_number(a, v->bound.lower);
	c[i++] = csv_number(a, v->bound.upper);
	c[i++] = csv_number(a, v->bound.level);
	c[i++] = csv_number(a, v->normalized);
	c[i++] = csv_number(a, v->margin);
	c[i++] = arena_u64(a, v->n_runs);
	c[i++] = slice_of(verdict_name(v->verdict));
	c[i++] = slice_of(v->sentence);
	c[i++] = slice_of(v->advice);
	c[i++] = slice_of(pos.source ? pos.source->name : "");
	c[i++] = arena_u64(a, pos.line);
	c[i++] = v->row->limit.text;
}

/* The evaluation may be NULL. */
static int write_verdicts(struct options *o, const struct audit *audit, const struct evaluation *e, struct buf *out)
{
	const char *name = o->format ? o->format : "table";
	const struct cell_format *format = cell_format_named(name);
	if (!format && strcmp(name, "table") != 0)
		return usage_error("--format %s: verdicts are written as table, csv, tsv, json or ndjson", name);
	if (!format) {
		if (e)
			print_evaluation(o, out, e);
		buf_str(out, e && audit->n ? "\n" : "");
		for (size_t i = 0, n; i < audit->n; i += n) {
			for (n = 1; i + n < audit->n && audit->verdicts[i + n].sla == audit->verdicts[i].sla;)
				n++;
			buf_str(out, i ? "\n" : "");
			print_sla(o, out, audit->verdicts + i, n, use_color(o, stdout) && !o->output);
		}
		return -1;
	}
	cells_begin(format, out, csv_heads, AUDIT_COLUMNS);
	size_t n = e ? e->n : 0;
	for (size_t i = 0; i < n + audit->n; i++) {
		struct slice c[AUDIT_COLUMNS];
		if (i < n)
			evaluation_cells(&o->arena, &e->rows[i], c);
		else
			csv_columns(&o->arena, &audit->verdicts[i - n], c);
		cells_row(format, out, csv_heads, c, AUDIT_COLUMNS, i == 0);
	}
	cells_end(format, out, n + audit->n > 0);
	return -1;
}

static int run(struct options *o)
{
	struct arena arena = ARENA_EMPTY;
	struct dataset d;
	struct audit audit = { 0 };
	struct load load = { .dataset = &d };
	struct buf out = BUF_EMPTY;
	const struct evaluation *evaluation;
	if (!o->n_sla && !o->study_file)
		return usage_error("give the limits with --sla FILE or --study FILE; see `assay audit --help`");
	dataset_init(&d, &arena);
	int status = judge_inputs(o, &load, &audit);
	if (status >= 0)
		goto out;
	print_diags(o, &d.diags);
	evaluation = evaluate_inputs(o, &load);
	if (!o->n_sla && !evaluation) {
		status = usage_error("%s: has neither [sla] nor [evaluation]: there is nothing to judge", o->study_file);
		goto out;
	}
	status = write_verdicts(o, &audit, evaluation, &out);
	if (status >= 0)
		goto out;
	status = write_output(o, &out);
	if (status == EXIT_ALL_PASS)
		status = exit_for(o, &load, o->n_sla ? &audit : NULL, evaluation);
out:
	buf_free(&out);
	arena_free(&arena);
	return status;
}

const struct command command_audit = {
	.name = "audit",
	.summary = "judge measurements against published limits",
	.usage = "--sla FILE|--study FILE [--level PERCENT] [--format FORMAT] [NAME=]PATH…",
	.help =
		"A verdict for every row of every SLA file, for each subject that the row names:\n"
		"  PASS            the method holds and the lower confidence bound meets the limit\n"
		"  FAIL            the method holds and the upper confidence bound misses it\n"
		"  INCONCLUSIVE    the interval spans the limit, steady state was not reached, or there is too little data\n"
		"  NOT-COMPARABLE  a method condition is broken: each is named, with what was found and where\n"
		"  NO-DATA         nothing in the input concerns the row\n"
		"--level is 95 unless the SLA file says otherwise.\n"
		"With --study also a verdict for each evaluation metric of the study: no halt, no job missing, no deviation from\n"
		"the mean, no server statistic beyond its limit.\n"
		"Formats: table (the default), csv, tsv, json, ndjson.\n\n"
		"examples:\n"
		"  assay audit --sla templates/sla/oci-nvme.ini --subject VM.DenseIO2.8 runs/d8\n"
		"  assay audit --sla my.ini --level 99 BM.DenseIO2.52=runs/d52 VM.DenseIO2.8=runs/d8",
	.accepts = ACCEPTS_FORMAT | ACCEPTS_OUTPUT | ACCEPTS_SLA | ACCEPTS_LEVEL | ACCEPTS_SUBJECT | ACCEPTS_STUDY,
	.run = run,
};
