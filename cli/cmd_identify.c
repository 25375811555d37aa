/* assay identify: what each input is. */
#include "cli/cli.h"

#include "ingest/detect.h"
#include "parsers/transcript.h"

#include <unistd.h>

enum { COLUMNS = 5 };
static const char *const heads[COLUMNS] = { "path", "format", "tool", "version", "bid" };
static const bool right[COLUMNS] = { false, false, false, false, true };

struct identify {
	struct options *o;
	struct dataset *dataset;
	struct buf out;
	struct slice *cells; /* for a terminal; elsewhere lines of tab-separated cells */
	size_t n_rows, n_cells, cell_cap;
	bool table;
};

static struct slice version_of(const struct dataset *d, const struct source *source)
{
	for (size_t i = 0; i < d->n_runs; i++)
		if (d->runs[i]->source == source && d->runs[i]->version.n)
			return d->runs[i]->version;
	return SLICE("");
}

/* What the input itself says, where its format is that of several tools (SPEC CPU2006, CPU2017), or it holds several. */
static struct slice tools_of(const struct identify *x, const struct input *in, const struct parser *p)
{
	const struct dataset *d = x->dataset;
	const char *all = "";
	struct slice seen[DETECT_PARSERS];
	size_t n = 0;
	for (size_t i = 0; i < d->n_runs; i++) {
		struct slice tool = d->runs[i]->tool;
		size_t k = 0;
		while (k < n && !slice_eq(seen[k], tool))
			k++;
		if (d->runs[i]->source != in->source || k < n || n == DETECT_PARSERS)
			continue;
		seen[n++] = tool;
		all = arena_printf(&x->o->arena, "%s%s%.*s", all, *all ? "," : "", SLICE_ARG(tool));
	}
	return slice_of(n || !p ? all : p->tool);
}

static void row(struct identify *x, const struct input *in)
{
	struct arena *a = &x->o->arena;
	const struct parser *p = in->format ? parser_named(in->format) : NULL;
	struct slice texts[COLUMNS] = {
		slice_of(in->source->name), slice_of(p ? p->name : in->format ? in->format : "unknown"), tools_of(x, in, p),
		version_of(x->dataset, in->source), slice_of(in->bid ? arena_printf(a, "%d", in->bid) : "")
	};
	for (size_t c = 0; c < COLUMNS; c++) {
		struct buf b = BUF_EMPTY;
		buf_printable(&b, texts[c]);
		if (x->table)
			*ARENA_PUSH(a, x->cells, x->n_cells, x->cell_cap) = arena_copy(a, buf_view(&b));
		else
			buf_printf(&x->out, "%s%.*s", c ? "\t" : "", SLICE_ARG(buf_view(&b)));
		buf_free(&b);
	}
	if (!x->table)
		buf_char(&x->out, '\n');
	x->n_rows++;
}

static void explain(void *ctx, const struct detection *detection, const struct input *in)
{
	struct identify *x = ctx;
	buf_printable(&x->out, slice_of(in->source->name));
	buf_str(&x->out, "\n");
	for (size_t i = 0; i < DETECT_PARSERS && parsers[i]; i++) {
		const struct parser *p = parsers[i];
		int bid = detection->bids[i];
		buf_printf(&x->out, "  %-24s ", p->name);
		if (bid)
			buf_printf(&x->out, "%d", bid);
		else
			buf_str(&x->out, p->probe || transcript_has(p) ? "no" : "only with --as");
		buf_str(&x->out, in->format && strcmp(in->format, p->name) == 0 ? "  <\n" : "\n");
	}
}

static void on_batch(void *ctx)
{
	struct identify *x = ctx;
	struct dataset *d = x->dataset;
	struct arena *a = d->arena;
	for (size_t i = 0; i < d->n_inputs && !x->o->explain; i++)
		row(x, &d->inputs[i]);
	fwrite(buf_view(&x->out).p, 1, x->out.n, stdout);
	buf_clear(&x->out);
	/* What the inputs say is for `results`; here only what could not be read matters. */
	struct options errors = *x->o;
	errors.quiet = true;
	errors.verbose = false;
	print_diags(&errors, &d->diags);
	arena_reset(a);
	dataset_init(d, a);
}

static int run(struct options *o)
{
	struct arena arena = ARENA_EMPTY;
	struct dataset d;
	struct identify x = { .o = o, .dataset = &d, .table = isatty(STDOUT_FILENO) };
	struct load load = { .dataset = &d, .survey = true, .detected = o->explain ? explain : NULL, .detected_ctx = &x };
	dataset_init(&d, &arena);
	int status = load_all(o, &load, on_batch, &x) ? EXIT_ALL_PASS : EXIT_USAGE;
	on_batch(&x);
	if (x.table && x.n_rows)
		print_table(&x.out, heads, x.cells, x.n_rows, COLUMNS, right, terminal_width(stdout));
	fwrite(buf_view(&x.out).p, 1, x.out.n, stdout);
	if (status == EXIT_ALL_PASS && load.unreadable)
		status = EXIT_DAMAGED;
	buf_free(&x.out);
	arena_free(&arena);
	return status;
}

const struct command command_identify = {
	.name = "identify",
	.summary = "say what each input is: format, tool, tool version",
	.usage = "[--explain] PATH…",
	.help =
		"One line per input: path, format, tool, tool version, bid (how many bits of signature matched). In a pipe the cells are\n"
		"separated by tabs. What no parser claims, or finds a result in,\n"
		"is `unknown`.\n\n"
		"examples:\n"
		"  assay identify runs/\n"
		"  assay identify --explain odd.log",
	.accepts = ACCEPTS_EXPLAIN,
	.run = run,
};
