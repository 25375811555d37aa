/* mdtest 1.7 to 4.1: its text.
 *
 * Statistics of one name mean different things: up to 3.3 Max, Min and Std Dev are taken over ranks and iterations, and
 * Std Dev divides by n; from 4.0 on they are taken over iterations (the slowest rank's rate, times the ranks), and
 * Std Dev divides by n - 1. They carry `over=ranks` or `over=iterations`, so that they are not compared. The "time"
 * tables are labelled as operations a second or milliseconds an operation in some versions, but always hold the seconds
 * that a phase took. */
#include "parsers/batch.h"

#include "base/num.h"

enum { START = 1, PHASES = 2, TABLE = 4 };
enum { WORDS_MAX = 24 };

struct mdtest {
	struct batch batch; /* first: its rules use it */
	bool banner, finished, summed_up, several, unverified, refused;
	unsigned run;
	struct slice version, command;
	struct pos command_pos;
	bool over_iterations; /* from 4.0 on */
	struct slice iterations, iteration;
	enum metric_id metric; /* of the table here */
	bool per_rank;         /* its columns: over ranks, then over iterations */
	unsigned failed;       /* phases with failures, a bit each */
};

/* ---- phases, named as the newest version names them ---- */

static const char *const phases[] = {
	"Directory creation", "Directory stat", "Directory read", "Directory rename", "Directory removal",
	"File creation", "File stat", "File read", "File rename", "File removal", "Tree creation", "Tree removal",
	"File create (stonewall)", "Directory create (stonewall)",
};
enum { PHASE_COUNT = sizeof phases / sizeof *phases };

static unsigned find_phase(struct slice what, struct slice verb)
{
	static const struct rule_word verbs[] = {
		{ "create", "creation" }, { "creates", "creation" }, { "mknod", "creation" }, { "mkdir", "creation" },
		{ "write", "creation" }, { "open", "read" }, { "remove", "removal" }, { "removes", "removal" },
		{ "delete", "removal" }, { "unlink", "removal" }, { "rmdir", "removal" },
	};
	for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
		if (slice_is(verb, verbs[i].printed))
			verb = slice_of(verbs[i].meant);
	for (unsigned i = 0; i < PHASE_COUNT; i++) {
		struct slice name = slice_of(phases[i]);
		if (slice_starts(name, "Tree ") ? slice_is(what, "Tree") : slice_eq(slice_head(name, what.n), what))
			if (slice_eq(slice_from(name, what.n + 1), verb))
				return i;
	}
	return PHASE_COUNT;
}

/* ---- blocks ---- */

static void describe(struct rules *r)
{
	const struct mdtest *s = r->state;
	batch_params(r);
	rules_version(r, s->version);
	if (s->several)
		rules_param(r, "run", arena_u64(r->parse->arena, s->run), rules_here(r));
	if (s->command.n)
		rules_option(r, "command", s->command, s->command_pos);
}

static void need_block(struct rules *r)
{
	if (r->open)
		return;
	rules_begin(r);
	describe(r);
}

/* ---- the end of a run ---- */

static void void_failed(struct rules *r)
{
	const struct mdtest *s = r->state;
	size_t n;
	struct result *all = rules_results(r, &n);
	for (size_t i = 0; i < n; i++)
		for (unsigned p = 0; p < PHASE_COUNT; p++)
			if (s->failed & 1u << p && slice_is(all[i].test, phases[p]))
				all[i].q.missing = true;
}

static void finish(struct rules *r)
{
	struct mdtest *s = r->state;
	enum job_state state = JOB_COMPLETE;
	const char *why = "";
	void_failed(r);
	if (!r->ended && !s->batch.over)
		return;
	if (s->unverified) {
		state = JOB_UNVERIFIED;
	} else if (s->failed) {
		state = JOB_FAILED;
		why = "operations failed";
	} else if (s->refused && !s->banner) {
		state = JOB_FAILED;
		why = "mdtest ended with an error of its options";
	} else if (!s->finished || !s->summed_up) {
		state = JOB_INCOMPLETE;
		why = s->finished ? "there is no summary" : "mdtest's output ends before the line that says it has finished";
	}
	batch_give(r, state, why);
	*s = (struct mdtest){ .batch = s->batch, .run = s->run, .several = s->several };
}

/* ---- what is said of the run ---- */

static bool more_banners(struct rules *r)
{
	text_hold(r->text, SIZE_MAX);
	struct slice rest = source_from(r->text->source, r->text->next);
	return slice_find(rest, SLICE(" was launched with ")) != (size_t)-1;
}

static bool on_started(struct rules *r)
{
	struct mdtest *s = r->state;
	if (s->banner || s->finished)
		batch_next_run(r);
	batch_tool_time(r, rules_group(r, 0), false);
	return true;
}

static bool on_banner(struct rules *r)
{
	struct mdtest *s = r->state;
	if (s->banner)
		batch_next_run(r);
	s->banner = true;
	s->several = s->several || more_banners(r);
	s->run++;
	s->version = arena_copy(r->parse->arena, rules_group(r, 0));
	s->over_iterations = s->version.n && s->version.p[0] >= '4' && s->version.p[0] <= '9';
	if (r->open)
		describe(r);
	need_block(r);
	return true;
}

static bool on_command(struct rules *r)
{
	struct mdtest *s = r->state;
	s->command = arena_copy(r->parse->arena, slice_trim(rules_group(r, 0)));
	s->command_pos = rules_here(r);
	need_block(r);
	rules_option(r, "command", s->command, s->command_pos);
	return true;
}

static bool on_finished(struct rules *r)
{
	struct mdtest *s = r->state;
	s->finished = true;
	batch_tool_time(r, rules_group(r, 0), true);
	return true;
}

/* "4 tasks, 400 files": what follows was done with these; a range of tasks (-f, -l) prints several. */
static bool on_tasks(struct rules *r)
{
	struct mdtest *s = r->state;
	if (s->summed_up) {
		rules_begin(r);
		describe(r);
		s->summed_up = false;
	}
	s->iteration = SLICE_NONE;
	need_block(r);
	return true;
}

/* ---- tables ---- */

static bool on_summary(struct rules *r)
{
	enum { KIND, ITERATIONS };
	struct mdtest *s = r->state;
	s->metric = slice_is(rules_group(r, KIND), "time") ? METRIC_RUNTIME : METRIC_RATE;
	s->iterations = arena_copy(r->parse->arena, rules_group(r, ITERATIONS));
	s->per_rank = false;
	need_block(r);
	rules_option(r, "Std Dev", s->over_iterations ? SLICE("over iterations, divided by n - 1") :
		SLICE("over ranks and iterations, divided by n"), rules_here(r));
	return true;
}

static bool on_heading(struct rules *r)
{
	struct mdtest *s = r->state;
	s->per_rank = slice_find(r->text->line, SLICE("per Rank:")) != (size_t)-1;
	return true;
}

static bool is_zero(struct slice cell)
{
	double v;
	return num_double(cell, &v) == NUM_OK && v == 0;
}

static bool all_zero(const struct slice *cells, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!is_zero(cells[i]))
			return false;
	return true;
}

static struct unit_scale scale_of(enum metric_id metric)
{
	return metric == METRIC_RUNTIME ? (struct unit_scale){ " s", UNIT_S, 1 } : (struct unit_scale){ " ops/sec", UNIT_PER_S, 1 };
}

static struct result *take(struct rules *r, enum metric_id metric, unsigned phase, const char *stat, struct slice cell,
	bool not_run)
{
	struct quantity q;
	if (!rules_read(r, cell, SLICE_NONE, scale_of(metric), &q))
		return NULL;
	if (q.missing)
		q.suffix = NULL;
	q.missing |= not_run;
	struct result *k = rules_result(r, metric, stat, &q);
	k->test = slice_of(phases[phase]);
	return k;
}

/* max, min, mean and sd that stand side by side; `per`: over what, where a table has both. */
static void take_statistics(struct rules *r, unsigned phase, const struct slice *cells, size_t n, const char *per)
{
	static const char *const stats[] = { "max", "min", "mean", "sd" };
	const struct mdtest *s = r->state;
	bool not_run = all_zero(cells, n);
	struct result *max = NULL;
	for (size_t i = 0; i < n; i++) {
		rules_untag(r);
		if (per)
			rules_tag(r, "per", slice_of(per), rules_here(r));
		else if (strcmp(stats[i], "mean") != 0)
			rules_tag(r, "over", s->over_iterations ? SLICE("iterations") : SLICE("ranks"), rules_here(r));
		max = take(r, s->metric, phase, stats[i], cells[i], not_run);
		if (max && s->over_iterations)
			num_u64(s->iterations, &max->n);
	}
}

/* What must hold of any four numbers of this kind. */
static void check(struct rules *r, const struct slice *cells)
{
	double max, min, mean;
	if (num_double(cells[0], &max) != NUM_OK || num_double(cells[1], &min) != NUM_OK || num_double(cells[2], &mean) != NUM_OK)
		return;
	if (min > max || mean > max + 0.002 || mean < min - 0.002)
		rules_diag(r, DIAG_WARNING, rules_pos(r, cells[2].p), "%.*s as mean does not lie between the minimum %.*s and the "
			"maximum %.*s", SLICE_ARG(cells[2]), SLICE_ARG(cells[1]), SLICE_ARG(cells[0]));
}

enum { ROW_WHAT, ROW_VERB, ROW_CELLS };

static bool on_row(struct rules *r)
{
	struct mdtest *s = r->state;
	struct slice rest = rules_group(r, ROW_CELLS), cells[WORDS_MAX];
	unsigned phase = find_phase(rules_group(r, ROW_WHAT), rules_group(r, ROW_VERB));
	size_t n = 0, wanted = s->per_rank ? 7 : 4;
	double v;
	while (n < WORDS_MAX && slice_word(&rest, &cells[n]))
		n++;
	bool whole = phase < PHASE_COUNT && n == wanted;
	for (size_t i = 0; whole && i < n; i++)
		whole = slice_is(cells[i], "NA") || num_double(cells[i], &v) != NUM_JUNK;
	if (whole && r->text->cut)
		whole = false;
	if (!whole) {
		rules_diag(r, DIAG_WARNING, rules_here(r), "this row does not have the columns of its table: nothing of it is reported");
		return false;
	}
	s->summed_up = true;
	check(r, cells);
	if (s->per_rank) {
		take_statistics(r, phase, cells, 3, "rank");
		check(r, cells + 3);
		take_statistics(r, phase, cells + 3, 4, "iteration");
	} else {
		take_statistics(r, phase, cells, 4, NULL);
	}
	return false;
}

/* ---- single iterations ---- */

static bool on_iteration(struct rules *r)
{
	struct mdtest *s = r->state;
	s->iteration = arena_copy(r->parse->arena, rules_group(r, 0));
	return true;
}

/* What -v prints is of rank 0. Times are too coarse to be more than a hint: only those that are not 0.000. */
static bool on_phase(struct rules *r)
{
	enum { WHAT, VERB, TIME, RATE };
	struct mdtest *s = r->state;
	unsigned phase = find_phase(rules_group(r, WHAT), rules_group(r, VERB));
	struct slice time = rules_group(r, TIME), rate = rules_group(r, RATE);
	if (phase == PHASE_COUNT || !s->iteration.n)
		return false;
	need_block(r);
	rules_tag(r, "iteration", s->iteration, rules_here(r));
	rules_tag(r, "rank", SLICE("0"), rules_here(r));
	take(r, METRIC_RATE, phase, "value", rate, is_zero(rate));
	if (!is_zero(time))
		take(r, METRIC_RUNTIME, phase, "value", time, false);
	return false;
}

static bool on_processes(struct rules *r)
{
	struct mdtest *s = r->state;
	s->metric = slice_is(rules_group(r, 0), "time") ? METRIC_RUNTIME : METRIC_RATE;
	need_block(r);
	return true;
}

/* "Test File creation 1.352075e+02,1.202225e+02": a value for each rank. */
static bool on_ranks(struct rules *r)
{
	enum { WHAT, VERB, VALUES };
	struct mdtest *s = r->state;
	unsigned phase = find_phase(rules_group(r, WHAT), rules_group(r, VERB)), rank = 0;
	struct slice rest = rules_group(r, VALUES), value;
	while (phase < PHASE_COUNT && s->iteration.n && slice_cut(&rest, ',', &value)) {
		rules_untag(r);
		rules_tag(r, "iteration", s->iteration, rules_here(r));
		rules_tag(r, "rank", arena_u64(r->parse->arena, rank++), rules_here(r));
		value = slice_trim(value);
		take(r, s->metric, phase, "value", value, is_zero(value));
	}
	return false;
}

/* ---- failures ---- */

static bool on_failure(struct rules *r)
{
	enum { VERB, WHAT };
	struct mdtest *s = r->state;
	struct slice what = rules_group(r, WHAT);
	const char *kind = slice_starts(what, "tree") ? "Tree" : slice_starts(what, "dir") ? "Directory" : "File";
	unsigned phase = find_phase(slice_of(kind), rules_group(r, VERB));
	need_block(r);
	if (phase < PHASE_COUNT)
		s->failed |= 1u << phase;
	batch_fails(r, r->text->line, rules_here(r));
	return true;
}

static bool on_error(struct rules *r)
{
	need_block(r);
	batch_fails(r, r->text->line, rules_here(r));
	return true;
}

/* 3.2 says so and goes on. */
static bool on_refused(struct rules *r)
{
	struct mdtest *s = r->state;
	need_block(r);
	if (!s->refused)
		rules_diag(r, DIAG_WARNING, rules_here(r), "mdtest does not know an option that it was given");
	s->refused = true;
	return true;
}

static bool on_wrong_data(struct rules *r)
{
	struct mdtest *s = r->state;
	s->unverified = true;
	s->failed |= 1u << find_phase(SLICE("File"), SLICE("read"));
	return on_error(r);
}

/* ---- the table ---- */

#define PHASE "(?<what>Directory|File|Tree) " \
	"(?<verb>creation|create \\(stonewall\\)|create|stat|read|rename|removal|remove)"
#define RANK_LINE "(?:Rank +\\d+ Line +\\d+ +)?"

static const struct rule rules[] = {
	{
		.id = "row", .in = TABLE, .action = on_row,
		.pattern = PHASE " *:? +(?<cells>[-\\dN].*)$",
		.sample = "File create (stonewall)   :             NA             NA       1658.688             NA",
		.fields = FIELDS(KEEP("what"), KEEP("verb"), KEEP("cells")),
	}, {
		.id = "phase", .action = on_phase,
		.pattern = "V-1: +" RANK_LINE "(?:V-1: )?(?:main:? +)?" PHASE " *: +(?<time>[\\d.]+) sec, +(?<rate>[\\d.]+)"
			" ops/sec",
		.sample = "V-1: Rank   0 Line  2139 V-1: main:   Tree creation     :          0.000 sec,       3876.436 ops/sec",
		.fields = FIELDS(KEEP("what"), KEEP("verb"), KEEP("time"), KEEP("rate")),
	}, {
		.id = "iteration", .action = on_iteration,
		.pattern = "V-1: " RANK_LINE "(?:V-1: )?main: \\* iteration (?<n>\\d+) ",
		.sample = "V-1: main: * iteration 1 06/21/2018 19:43:10 *", .fields = FIELDS(KEEP("n")),
	}, {
		.id = "ranks", .in = PHASES, .action = on_ranks,
		.pattern = "Test " PHASE " (?<values>[-\\d.e+,]+) *$",
		.sample = "Test File creation 1.352075e+02,1.202225e+02,1.173322e+02,1.263082e+02",
		.fields = FIELDS(KEEP("what"), KEEP("verb"), KEEP("values")),
	}, {
		.id = "iteration of ranks", .in = PHASES, .action = on_iteration,
		.pattern = "iteration: (?<n>\\d+)$", .sample = "iteration: 0", .fields = FIELDS(KEEP("n")),
	}, {
		.id = "processes", .to = PHASES, .action = on_processes,
		.pattern = "Per process result \\((?<kind>rate|time)\\):", .sample = "Per process result (rate):",
		.fields = FIELDS(KEEP("kind")),
	}, {
		.id = "tasks", .to = START, .action = on_tasks,
		.pattern = "(?<tasks>\\d+) tasks, (?<files>\\d+) (?:files/directories|files|file|directories|directory)$",
		.sample = "2 tasks, 400 files/directories",
		.fields = FIELDS({ .as = FIELD_PARAM, .group = "tasks", .key = "tasks" },
			{ .as = FIELD_PARAM, .group = "files", .key = "files" }),
	}, {
		.id = "summary", .to = TABLE, .action = on_summary,
		.pattern = "SUMMARY(?: (?<kind>rate|time))?(?: \\(in [^)]{1,20}\\))?: \\(of (?<n>\\d+) iterations?\\)",
		.sample = "SUMMARY rate (in ops/sec): (of 2 iterations)", .fields = FIELDS(KEEP("kind"), KEEP("n")),
	}, {
		.id = "heading", .in = TABLE, .action = on_heading,
		.pattern = "Operation +(?:per Rank: )?Max ",
		.sample = "Operation     per Rank: Max            Min           Mean      per Iteration: Max",
	}, {
		.id = "started", .to = START, .flags = RULE_START, .action = on_started,
		.pattern = "-- started at (?<date>[\\d/]+ [\\d:]+) --", .sample = "-- started at 11/30/2026 11:29:23 --",
		.fields = FIELDS(KEEP("date")),
	}, {
		.id = "banner", .to = START, .flags = RULE_START, .action = on_banner,
		.pattern = "mdtest-(?<version>\\S+) was launched with (?<tasks>\\d+) total task\\(s\\) on (?<nodes>\\d+) node",
		.sample = "mdtest-1.9.3 was launched with 2 total task(s) on 1 node(s)",
		.fields = FIELDS(KEEP("version"), { .as = FIELD_OPTION, .group = "tasks", .key = "launched" },
			{ .as = FIELD_OPTION, .group = "nodes", .key = "nodes" }),
	}, {
		.id = "command", .action = on_command,
		.pattern = "Command line used: (?<command>.*mdtest.*)$", .sample = "Command line used: bin/mdtest-193 -n 200",
		.fields = FIELDS(KEEP("command")),
	}, {
		.id = "finished", .to = START, .action = on_finished,
		.pattern = "-- finished at (?<date>[\\d/]+ [\\d:]+) --", .sample = "-- finished at 11/30/2026 11:29:27 --",
		.fields = FIELDS(KEEP("date")),
	}, {
		.id = "wrong data", .action = on_wrong_data,
		.pattern = "ERROR: verifying the data on read \\(\\d+ errors\\)",
		.sample = "ERROR: verifying the data on read (3 errors)!",
	}, {
		.id = "failure", .action = on_failure,
		.pattern = "WARNING: [Uu]nable to (?<verb>\\w+) (?:test |shared )?(?<what>tree directory|tree|directory|dir|"
			"file)\\b",
		.sample = "WARNING: unable to rename directory scratch/md/test-dir.0-0/mdtest_tree.0/dir.mdtest.1.0",
		.fields = FIELDS(KEEP("verb"), KEEP("what")),
	}, {
		.id = "error", .action = on_error,
		.pattern = "(?:\\d[\\d/]+ [\\d:]+: )?Process \\d+(?:\\([^)]*\\))?: FAILED in |ERROR: .*\\((?:mdtest|aiori)"
			"[^()]*\\.c:\\d+\\)",
		.sample = "11/30/2026 11:33:06: Process 0: FAILED in mdtest_run, Unable to create test directory path /proc/md",
	},
	{
		.id = "refused", .action = on_refused,
		.pattern = "Error invalid argument: ", .sample = "Error invalid argument: --rename-dirs",
	},
	BATCH_RULES,
	{ .id = NULL }
};

static const char *const missing[] = { "NA", "-nan", "nan", "inf", NULL };

static const struct ruleset set = {
	.tool = "mdtest", .rules = rules, .missing = missing, .state_size = sizeof(struct mdtest), .finish = finish,
};

/* ---- detection ---- */

static bool holds(struct slice text, const char *word)
{
	return slice_find(text, slice_of(word)) != (size_t)-1;
}

static int probe(const struct peek *peek)
{
	if (holds(peek->head, "mdtest-") && holds(peek->head, " was launched with "))
		return 8 * 26;
	if (holds(peek->head, "SUMMARY") && holds(peek->head, "Tree removal"))
		return 8 * 19;
	return holds(peek->head, "Error invalid argument: ") && holds(peek->head, "mdtest") ? 8 * 20 : 0;
}

const struct parser parser_mdtest = {
	.name = "mdtest", .title = "mdtest text", .tool = "mdtest", .probe = probe, .rules = &set,
};
