/* UnixBench 6: its rates as CSV, a row for each number of copies. No index and no unit is printed. */
#include "parsers/unixbench_report.h"

struct csv_report {
	struct ub_report report; /* first: the state that unixbench_report keeps */
	struct slice names;
	size_t columns;
};

static size_t count(struct slice cells)
{
	size_t n = 0;
	struct slice cell;
	while (slice_cut(&cells, ',', &cell))
		n++;
	return n;
}

static struct slice bare(struct slice cell)
{
	cell = slice_trim(cell);
	return cell.n > 1 && cell.p[0] == '"' && cell.p[cell.n - 1] == '"' ? (struct slice){ cell.p + 1, cell.n - 2 } : cell;
}

static bool on_names(struct rules *r)
{
	struct csv_report *c = r->state;
	rules_next_run(r);
	c->names = ub_kept(r, rules_group(r, 0));
	c->columns = count(c->names);
	c->report.rates_only = true;
	return true;
}

static void add_cell(struct rules *r, struct slice name, struct slice cell)
{
	struct unit_scale scale;
	struct ub_row *row = ub_row_of(r, name);
	if (row && ub_scale_unprinted(name, &scale))
		ub_add_rate(r, row, cell, SLICE_NONE, scale);
	else if (row)
		rules_diag(r, DIAG_WARNING, rules_pos(r, cell.p), "the unit of %.*s is neither printed here nor known: no value is "
			"reported", SLICE_ARG(name));
}

static bool on_values(struct rules *r)
{
	struct csv_report *c = r->state;
	struct slice names = c->names, cells = rules_group(r, 1), name, cell;
	size_t n = count(cells);
	if (n > c->columns || (n < c->columns && !r->text->cut)) {
		rules_diag(r, DIAG_WARNING, rules_pos(r, cells.p), "this row has %zu values under %zu tests: which is whose can't be "
			"told, none is reported", n, c->columns);
		return false;
	}
	ub_begin(r);
	rules_param(r, "copies", rules_group(r, 0), rules_here(r));
	while (slice_cut(&cells, ',', &cell) && slice_cut(&names, ',', &name))
		add_cell(r, bare(name), bare(cell));
	rules_end(r);
	return false;
}

enum { START = 1, ROWS = 2 };

static const struct rule rules[] = {
	{
		.id = "names", .to = ROWS, .action = on_names, .pattern = "\"?Concurrency\"?,(?<names>.+)$",
		.sample = "Concurrency,Pipe Throughput,System Call Overhead", .fields = FIELDS(KEEP("names")),
	}, {
		.id = "values", .in = ROWS, .action = on_values, .pattern = "\"?(?<copies>\\d+)\"?,(?<values>.+)$",
		.sample = "1,177570.0,154420.8", .fields = FIELDS(KEEP("copies"), KEEP("values")),
	},
	{ .id = NULL }
};

static const struct ruleset set = {
	.tool = "unixbench", .rules = rules, .dialect = ub_dialect, .state_size = sizeof(struct csv_report),
	.finish = ub_finish,
};

static int probe(const struct peek *peek)
{
	struct unit_scale scale;
	struct slice head = slice_from(peek->head, slice_starts(peek->head, "\xef\xbb\xbf") ? 3 : 0), line, name, first;
	slice_cut(&head, '\n', &line);
	slice_cut(&line, ',', &first);
	slice_cut(&line, ',', &name);
	return slice_is(bare(first), "Concurrency") && ub_scale_unprinted(bare(name), &scale) ? 8 * 16 : 0;
}

/* The lines that begin its output between other tools'. */
static const struct rule starts[] = {
	{ .id = "names", .pattern = "\"?Concurrency\"?,\"?[A-Z0-9]",
	  .sample = "Concurrency,Dhrystone 2 using register variables" },
	{ .id = NULL }
};

const struct parser parser_unixbench_csv = {
	.name = "unixbench-csv", .title = "UnixBench CSV", .tool = "unixbench", .probe = probe, .rules = &set,
	.starts = starts,
};
