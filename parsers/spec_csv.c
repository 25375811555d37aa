/* SPEC CPU's CSV reports. Rows of varying length; what a row is depends on the headings above it. */
#include "parsers/csv_rows.h"
#include "parsers/spec_file.h"

#include "base/num.h"
#include "parsers/rules.h"

enum { COLUMNS = 64, RESULTS = 200 };
enum section { HEAD, ALL_RUNS, SELECTED_RUNS, KEYS, HARDWARE, SOFTWARE, FLAGS, ERRORS, OTHER };

struct reader {
	struct parse *parse;
	struct spec_file *file;
	enum section section;
	struct spec_column column[COLUMNS];
	size_t columns;
	unsigned others;   /* labels "Other" in the section */
	const char *key;   /* of the last attribute: a row without label continues it */
	const char *flags; /* key of the flags listed here */
	enum status status;
	unsigned results;
};

static void finish(struct reader *r)
{
	enum status s = spec_file_finish(r->file);
	r->status = r->results == 1 ? s : s == STATUS_WARN ? s : r->status;
}

static void start(struct reader *r)
{
	r->file = spec_file_new(r->parse, SPEC_CSV);
	r->results++;
	r->section = HEAD;
	r->columns = 0;
}

static struct spec_cell cell_of(const struct reader *r, const struct csv_cell *c, double factor)
{
	return (struct spec_cell){
		.text = slice_trim(c->text), .pos = parse_pos(r->parse, slice_trim(c->text).p), .factor = factor
	};
}

/* ---- the tables of results ---- */

static void take_headings(struct reader *r, const struct csv_row *row)
{
	r->columns = row->n < COLUMNS ? row->n : COLUMNS;
	for (size_t i = 0; i < r->columns; i++) {
		r->column[i] = spec_column_of(row->cells[i].text);
		r->file->estimated |= r->column[i].estimated;
	}
}

/* "refrate(ref) iteration #2" */
static void take_description(struct reader *r, struct spec_row *s, struct slice text)
{
	size_t at = slice_find(text, SLICE("iteration #"));
	uint64_t n;
	if (at == (size_t)-1)
		return;
	if (num_u64(slice_from(text, at + 11), &n) == NUM_OK && n > 0 && n < SPEC_ROWS)
		s->iteration = (unsigned)n;
	struct slice size;
	if (!r->file->size.n && slice_cut(&text, ' ', &size))
		r->file->size = size;
}

static void take_cell(struct reader *r, struct spec_row *s, const struct spec_column *c, const struct csv_cell *cell)
{
	struct slice text = slice_trim(cell->text);
	switch (c->role) {
	case SPEC_OF_PARALLEL: s->parallel = text; break;
	case SPEC_OF_REFERENCE: s->reference = text; break;
	case SPEC_OF_SELECTED: s->selected = slice_is(text, "1"); break;
	case SPEC_OF_STATUS: s->status = text; break;
	case SPEC_OF_FIGURE: s->cell[c->figure] = cell_of(r, cell, c->factor); break;
	default: break;
	}
}

/* The half of a line that is about one tune. */
static void take_run(struct reader *r, const struct csv_row *row, enum spec_tune tune)
{
	struct spec_row s = { .benchmark = row->cells[0].text,
		.tune = tune,
		.summary = r->section == SELECTED_RUNS,
		.pos = parse_pos(r->parse, row->cells[0].at) };
	for (size_t i = 1; i < row->n && i < r->columns; i++) {
		const struct spec_column *c = &r->column[i];
		s.threads |= c->role == SPEC_OF_PARALLEL && c->tune == tune && c->threads;
		if (c->role == SPEC_OF_DESCRIPTION && r->section == ALL_RUNS)
			take_description(r, &s, row->cells[i].text);
		else if (c->tune == tune)
			take_cell(r, &s, c, &row->cells[i]);
	}
	bool any = s.status.n > 0;
	for (int k = 0; k < SPEC_FIGURES; k++)
		any |= s.cell[k].text.n > 0;
	/* That peak was not run stands in the metric's row. */
	if (!any || (slice_is(s.status, "NR") && (s.summary || tune == SPEC_PEAK)))
		return;
	if (!s.status.n && s.cell[SPEC_TIME].text.n)
		spec_file_diag(r->file, DIAG_WARNING, s.pos, "%.*s %s has no status: nothing of it is reported",
			SLICE_ARG(s.benchmark), spec_tune_name(tune));
	struct spec_row *kept = spec_file_row(r->file, s.pos);
	if (kept)
		*kept = s;
}

static bool take_metric(struct reader *r, const struct csv_row *row)
{
	struct spec_metric *m = spec_file_metric(r->file, row->cells[0].text, parse_pos(r->parse, row->cells[0].at));
	for (size_t i = 1; m && i < row->n && !m->cell.text.n; i++)
		m->cell = cell_of(r, &row->cells[i], 1);
	return m != NULL;
}

/* ---- what was measured, and how ---- */

static struct slice joined(struct reader *r, const struct csv_row *row)
{
	struct buf b = BUF_EMPTY;
	for (size_t i = 1; i < row->n; i++)
		buf_slice(&b, row->cells[i].text);
	struct slice text = slice_trim(arena_copy(r->parse->arena, buf_view(&b)));
	buf_free(&b);
	return text;
}

static void take_attribute(struct reader *r, const struct csv_row *row)
{
	struct slice label = row->cells[0].text;
	const struct csv_cell *value = &row->cells[row->n - 1];
	if (label.n) {
		r->key = spec_label_key(label, r->section != SOFTWARE, r->others);
		r->others += slice_is(slice_trim(label), "Other");
	}
	if (r->key)
		spec_file_attr(r->file, r->key, value->text, parse_pos(r->parse, value->at));
}

static void take_flags(struct reader *r, const struct csv_row *row)
{
	struct slice text = joined(r, row);
	struct pos pos = parse_pos(r->parse, row->cells[0].at);
	if (text.n)
		spec_file_attr(r->file,
			arena_printf(r->parse->arena, "%s.%.*s", r->flags, SLICE_ARG(row->cells[0].text)), text, pos);
}

/* "Tested with SPEC CPU2017",v1.1.5.   "Tested with SPEC CPU2006 ","v1.2.  Report",… */
static void take_footer(struct reader *r, const struct csv_row *row)
{
	struct slice name = slice_trim(row->cells[0].text);
	if (row->n < 2)
		return;
	struct slice value = row->cells[1].text;
	if (slice_starts(name, "Tested with SPEC") && slice_starts(value, "v")) {
		size_t n = 1;
		while (n < value.n && ((value.p[n] >= '0' && value.p[n] <= '9') || value.p[n] == '.'))
			n++;
		while (n > 1 && value.p[n - 1] == '.')
			n--;
		r->file->version = (struct slice){ value.p + 1, n - 1 };
		if (name.n > 4)
			r->file->tool = spec_tool(slice_from(name, name.n - 4));
	} else if (slice_is(name, "Result run on")) {
		spec_file_started(r->file, slice_ends(value, ".") ? slice_head(value, value.n - 1) : value,
			parse_pos(r->parse, row->cells[1].at));
	}
}

/* ---- rows ---- */

/* A row of one cell that opens a part of the file. */
static bool open_section(struct reader *r, struct slice title)
{
	static const struct {
		const char *title;
		enum section section;
	} known[] = {
		{ "Full Results Table", ALL_RUNS },
		{ "Selected Results Table", SELECTED_RUNS },
		{ "HARDWARE", HARDWARE },
		{ "SOFTWARE", SOFTWARE },
		{ "ERRORS", ERRORS },
		{ "----------------", OTHER },
	};
	bool flags = slice_ends(title, " Flags");
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (slice_is(title, known[i].title)) {
			r->flags = NULL;
			r->section = known[i].section;
			r->others = 0;
			r->key = NULL;
			return true;
		}
	if (!flags && !slice_ends(title, " Notes") && !slice_ends(title, "Compiler Invocation"))
		return false;
	r->section = flags ? FLAGS : OTHER;
	r->flags = slice_is(title, "Base Optimization Flags")   ? "base_optimization_flags"
		   : slice_is(title, "Peak Optimization Flags") ? "peak_optimization_flags"
								: NULL;
	return true;
}

static void take_valid(struct reader *r, const struct csv_row *row)
{
	if (r->file->valid >= 0 || r->file->n_rows) {
		finish(r);
		start(r);
	}
	struct slice value = row->cells[1].text;
	r->file->valid_cell = cell_of(r, &row->cells[1], 1);
	r->file->valid = slice_is(value, "1") ? 1 : slice_is(value, "0") ? 0 : -1;
}

static bool is_result(struct slice first)
{
	return spec_is_benchmark(first) || slice_starts(first, "SPEC") || slice_is(first, "valid");
}

static bool take_row(void *ctx, const struct csv_row *row)
{
	struct reader *r = ctx;
	struct slice first = row->cells[0].text;
	bool table = r->section == ALL_RUNS || r->section == SELECTED_RUNS;
	if (!row->ended && is_result(first) && (table || r->section == HEAD)) {
		spec_file_diag(r->file, DIAG_ERROR, parse_pos(r->parse, row->cells[row->n - 1].at),
			"the data end inside this row: nothing "
			"of it is reported");
		return false;
	}
	if (row->n == 2 && slice_is(first, "valid") && r->results < RESULTS)
		take_valid(r, row);
	else if (table && slice_is(first, "Benchmark"))
		take_headings(r, row);
	else if (table && row->n > 1 && spec_is_benchmark(first)) {
		take_run(r, row, SPEC_BASE);
		take_run(r, row, SPEC_PEAK);
	} else if (table && row->n > 1 && take_metric(r, row))
		;
	else if (row->n == 1 && open_section(r, first))
		;
	else if (slice_starts(first, "Tested with") || slice_is(first, "Result run on"))
		take_footer(r, row);
	else if (r->section == ERRORS)
		spec_file_banner(r->file, first, parse_pos(r->parse, row->cells[0].at));
	else if (r->section == FLAGS && r->flags && spec_is_benchmark(first))
		take_flags(r, row);
	else if (row->n >= 2 && (table || r->section == HARDWARE || r->section == SOFTWARE))
		take_attribute(r, row);
	return true;
}

static int probe(const struct peek *peek)
{
	size_t at = slice_find(peek->head, SLICE("\"Full Results Table\""));
	if (at == (size_t)-1)
		return 0;
	struct slice rest = slice_head(slice_from(peek->head, at), 200);
	return slice_find(rest, SLICE("Benchmark,\"Base ")) != (size_t)-1 ? 8 * 36 : 0;
}

static enum status parse(struct parse *p)
{
	struct reader *r = ARENA_NEW(p->arena, struct reader);
	r->parse = p;
	start(r);
	if (!csv_rows(p->source->data, p->arena, take_row, r))
		spec_file_diag(r->file, DIAG_ERROR, POS_NONE, "a row has more than %d cells: reading ended there",
			CSV_ROW_CELLS);
	finish(r);
	return r->status;
}

/* The lines that begin its output between other tools'. */
static const struct rule starts[] = {
	{ .id = "table",
	  .pattern = "valid,[\\dX]|\"Full Results Table\"",
	  .sample = "\"Full Results Table\"" },
	{ .id = NULL }
};

const struct parser parser_spec_csv = {
	.name = "spec-cpu-csv",
	.title = "SPEC CPU CSV report",
	.tool = "spec-cpu2017",
	.probe = probe,
	.parse = parse,
	.starts = starts,
};
