/* The log of a SPEC CPU run: its lines of success and failure. The rest may hold the environment of who ran it, and is
 * neither kept nor shown. */
#include "parsers/rules.h"
#include "parsers/spec_file.h"

struct state {
	struct spec_file *file;
	bool finished;
};

static struct spec_file *the_file(struct rules *r)
{
	struct state *s = r->state;
	if (!s->file)
		s->file = spec_file_new(r->parse, SPEC_LOG);
	return s->file;
}

static struct slice keep(const struct rules *r, struct slice s)
{
	return r->text->copied && s.p ? arena_copy(r->parse->arena, s) : s;
}

static bool on_started(struct rules *r)
{
	enum { TOOL, REVISION };
	struct spec_file *f = the_file(r);
	if (slice_is(rules_group(r, TOOL), "runspec"))
		f->tool = "spec-cpu2006";
	spec_file_attr(f, "tool_revision", rules_group(r, REVISION), rules_here(r));
	return true;
}

static bool on_command(struct rules *r)
{
	spec_file_attr(the_file(r), "command", rules_group(r, 0), rules_here(r));
	return true;
}

static bool on_run(struct rules *r)
{
	enum { OUTCOME, NAME, TUNE, SIZE, RATIO, TIME, COPIES, THREADS, CODE };
	if (r->text->cut) {
		rules_diag(r, DIAG_WARNING, rules_here(r), "the line may be cut: nothing of it is reported");
		return true;
	}
	struct spec_row *row = spec_file_row(the_file(r), rules_here(r));
	struct slice ratio = rules_group(r, RATIO), time = rules_group(r, TIME), code = rules_group(r, CODE);
	if (!row)
		return true;
	row->benchmark = keep(r, rules_group(r, NAME));
	row->tune = slice_is(rules_group(r, TUNE), "peak") ? SPEC_PEAK : SPEC_BASE;
	row->size = keep(r, rules_group(r, SIZE));
	row->threads = slice_ends(row->benchmark, "_s");
	row->parallel = keep(r, rules_group(r, row->threads ? THREADS : COPIES));
	row->status = slice_is(rules_group(r, OUTCOME), "Success") ? SLICE("S") : code.p ? keep(r, code) : SLICE("RE");
	row->cell[SPEC_TIME] =
		(struct spec_cell){ .text = keep(r, time), .pos = rules_pos(r, time.p ? time.p : r->text->line.p) };
	row->cell[SPEC_RATIO] =
		(struct spec_cell){ .text = keep(r, ratio), .pos = rules_pos(r, ratio.p ? ratio.p : r->text->line.p) };
	return true;
}

static bool on_no_suite(struct rules *r)
{
	struct spec_file *f = the_file(r);
	f->tool = f->tool ? f->tool : "spec-cpu2017";
	spec_file_diag(f, DIAG_WARNING, rules_here(r), "the run did not start: no benchmark suite was selected");
	return true;
}

static bool on_total(struct rules *r)
{
	struct state *s = r->state;
	s->finished = true;
	return true;
}

static enum status whole(struct rules *r)
{
	struct state *s = r->state;
	struct spec_file *f = s->file;
	if (!f)
		return STATUS_REJECT;
	if (!s->finished)
		spec_file_diag(f, DIAG_WARNING, (struct pos){ .source = r->parse->source }, "the log ends before the run does");
	/* CPU2017's reporter names its version, its log does not. */
	if (!f->tool && !f->n_rows)
		f->tool = "spec-cpu2017";
	return spec_file_finish(f);
}

static const struct rule log_rules[] = {
	{
		.id = "run",
		.action = on_run,
		.pattern =
			"(?<outcome>Success|Error) (?<name>\\d{3}\\.\\w{1,60}) (?<tune>base|peak) (?<size>\\w{1,20}) "
			"ratio=(?<ratio>[-\\d.]+), runtime=(?<time>[\\d.]+)(?=[,\\s]|$)(?:, "
			"copies=(?<copies>\\d+)(?=,|$))?"
			"(?:, threads=(?<threads>\\d+)(?=,|$))?(?:.*\\berrorcode=(?<code>\\w+))?",
		.sample =
			"Success 525.x264_r base test ratio=-0.00, runtime=46.384431, copies=1, threads=1, power=0.00W",
		.fields = FIELDS(KEEP("outcome"), KEEP("name"), KEEP("tune"), KEEP("size"), KEEP("ratio"), KEEP("time"),
			KEEP("copies"), KEEP("threads"), KEEP("code")),
	},
	{
		.id = "total",
		.action = on_total,
		.pattern = "(?:Success|Error):(?: \\d+x\\d{3}\\.\\w+)+",
		.sample = "Success: 1x500.perlbench_r 1x502.gcc_r",
	},
	{
		.id = "started",
		.action = on_started,
		.pattern = "(?<tool>runcpu|runspec) v(?<revision>\\d+) started at ",
		.sample = "runcpu v5825 started at 2019-04-06 19:40:10 on \"host\"",
		.fields = FIELDS(KEEP("tool"), KEEP("revision")),
	},
	{
		.id = "finished",
		.action = on_total,
		.pattern = "(?:runcpu|runspec) finished at ",
		.sample = "runcpu finished at 2019-04-06 19:42:46; 154 total seconds elapsed",
	},
	{
		.id = "command",
		.action = on_command,
		.pattern = "(?:runcpu|runspec): (?<command>(?:runcpu|runspec) .*)$",
		.sample = "runcpu: runcpu --config=gcc --size=test --copies=1 505.mcf_r",
		.fields = FIELDS(KEEP("command")),
	},
	{
		.id = "no-suite",
		.action = on_no_suite,
		.pattern = "No benchmark suite selected!",
		.sample = "No benchmark suite selected!  Expected one or more of 'fprate'",
	},
	{ .id = NULL }
};

static const struct ruleset set = {
	.tool = "spec-cpu2017", .rules = log_rules, .state_size = sizeof(struct state), .whole = whole,
};

static int probe(const struct peek *peek)
{
	struct slice head = peek->head;
	bool first = slice_starts(head, "runcpu v") || slice_starts(head, "runspec v");
	return first && slice_find(slice_head(head, 80), SLICE(" started at ")) != (size_t)-1 ? 8 * 20 : 0;
}

/* The lines that begin its output between other tools'. */
static const struct rule starts[] = {
	{ .id = "started", .pattern = "run(?:cpu|spec) v\\d+ started at ",
	  .sample = "runcpu v5825 started at 2019-04-06 19:40:10 on \"host\"" },
	{ .id = NULL }
};

const struct parser parser_spec_log = {
	.name = "spec-cpu-log", .title = "SPEC CPU log", .tool = "spec-cpu2017", .probe = probe, .rules = &set,
	.starts = starts,
};
