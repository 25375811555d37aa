/* IOR 2.10 to 4.1: its text. What a column holds is told by the heading above it, not by the version, as versions of one
 * name print different tables. */
#include "parsers/ior.h"

#include "base/num.h"

enum { START = 1, OPTIONS = 2, TABLE = 4, SUMMARY = 8 };

struct ior_test *ior_test_now(struct rules *r)
{
	struct ior *s = r->state;
	if (s->n_tests == 0)
		ARENA_PUSH(r->parse->arena, s->tests, s->n_tests, s->cap);
	return &s->tests[s->test];
}

struct slice ior_kept(struct rules *r, struct slice text)
{
	return arena_copy(r->parse->arena, text);
}

static struct slice number_text(struct rules *r, double value)
{
	char text[NUM_FORMAT_SIZE];
	return ior_kept(r, (struct slice){ text, num_format(text, value) });
}

/* ---- blocks ---- */

void ior_describe(struct rules *r, const struct ior_test *t)
{
	const struct ior *s = r->state;
	batch_params(r);
	rules_version(r, s->version);
	if (s->several)
		rules_param(r, "run", arena_u64(r->parse->arena, s->run), rules_here(r));
	for (enum ior_param p = 0; t && p < IOR_PARAMS; p++)
		if (t->params[p].key.n)
			rules_param(r, ior_param_names[p], t->params[p].value, t->params[p].pos);
	if (s->command.n)
		rules_option(r, "command", s->command, s->command_pos);
}

static void begin_block(struct rules *r, const struct ior_test *t)
{
	struct ior *s = r->state;
	rules_begin(r);
	s->own_block = true;
	ior_describe(r, t);
}

void ior_need_block(struct rules *r)
{
	if (!r->open)
		begin_block(r, ior_test_now(r));
}

static void begin_test(struct rules *r)
{
	struct ior *s = r->state;
	rules_end(r);
	ARENA_PUSH(r->parse->arena, s->tests, s->n_tests, s->cap);
	s->test = s->n_tests - 1;
	begin_block(r, ior_test_now(r));
}

/* ---- the end of a run ---- */

static void void_wrong(struct rules *r, const struct ior_test *t)
{
	size_t n;
	struct result *all = rules_results(r, &n);
	for (size_t i = 0; i < n; i++) {
		enum ior_op op = ior_op_of(all[i].test);
		if (op < IOR_OPS && t->series[op].wrong && all[i].metric != METRIC_RUNTIME)
			all[i].q.missing = true;
	}
}

static void give_recomputed(struct rules *r, const struct ior_test *t, enum ior_op op)
{
	static const char *const stats[] = { "max", "min", "mean", "sd" };
	const struct ior_series *series = &t->series[op];
	if (series->n < 2 || series->summed_up || series->wrong)
		return;
	for (size_t i = 0; i < sizeof stats / sizeof *stats; i++) {
		struct quantity q = { .value = ior_recomputed(series, stats[i]), .unit = UNIT_B_PER_S, .pos = rules_here(r) };
		struct result *k = rules_result(r, METRIC_BANDWIDTH, arena_printf(r->parse->arena, "recomputed_%s", stats[i]), &q);
		k->test = slice_of(ior_op_names[op]);
		k->n = series->n;
		k->flags = RESULT_DERIVED;
	}
}

/* IOR within IO500 prints no end: there a run is complete with the rows that its command asked for. */
static bool all_rows(const struct rules *r)
{
	const struct ior *s = r->state;
	bool write = slice_find(s->command, SLICE(" -w")) != (size_t)-1, read = slice_find(s->command, SLICE(" -r")) != (size_t)-1;
	bool asked[IOR_OPS] = { write || !read, read || !write };
	if (slice_find(s->command, SLICE("stoneWalling")) == (size_t)-1)
		return false;
	for (size_t i = 0; i < s->n_tests; i++)
		for (enum ior_op op = 0; op < IOR_OPS; op++)
			if (asked[op] && (s->tests[i].series[op].n == 0 || ior_short(&s->tests[i], op)))
				return false;
	return s->n_tests > 0;
}

static enum job_state state_of(struct rules *r, const char **why)
{
	struct ior *s = r->state;
	bool rows = false;
	s->finished |= all_rows(r);
	for (size_t i = 0; i < s->n_tests; i++)
		for (enum ior_op op = 0; op < IOR_OPS; op++) {
			const struct ior_series *series = &s->tests[i].series[op];
			rows |= series->n > 0 || series->summed_up;
			if (series->wrong)
				return JOB_UNVERIFIED;
			if (ior_short(&s->tests[i], op) && s->finished) {
				*why = arena_printf(r->parse->arena, "%s was done %llu times instead of %llu", ior_op_names[op],
					(unsigned long long)series->n, (unsigned long long)s->tests[i].repetitions);
				return JOB_INCOMPLETE;
			}
		}
	*why = s->finished ? "there is no result" : "IOR's output ends before the line that says it has finished";
	if (s->finished && rows)
		*why = "";
	return s->finished && rows ? JOB_COMPLETE : JOB_INCOMPLETE;
}

static void finish(struct rules *r)
{
	struct ior *s = r->state;
	const struct ior_test *t = ior_test_now(r);
	const char *why = "";
	void_wrong(r, t);
	for (enum ior_op op = 0; op < IOR_OPS && s->own_block; op++)
		give_recomputed(r, t, op);
	if (!r->ended && !s->batch.over)
		return;
	enum job_state state = state_of(r, &why);
	batch_give(r, state, why);
	s->n_tests = s->test = s->cap = 0;
	s->tests = NULL;
	s->banner = s->finished = false;
	s->command = SLICE_NONE;
}

/* ---- what is said of the run ---- */

static bool more_banners(struct rules *r)
{
	text_hold(r->text, SIZE_MAX);
	struct slice rest = source_from(r->text->source, r->text->next);
	return slice_find(rest, SLICE(": MPI Coordinated Test of Parallel I/O")) != (size_t)-1;
}

/* What stood before the first one (errors of other ranks, which write past it) belongs to its run. */
static bool on_banner(struct rules *r)
{
	struct ior *s = r->state;
	if (s->banner)
		batch_next_run(r);
	s->banner = true;
	s->several = s->several || more_banners(r);
	s->run++;
	s->version = ior_kept(r, rules_group(r, 0));
	if (r->open) {
		ior_describe(r, NULL);
	} else {
		s->n_tests = 0;
		begin_test(r);
	}
	return true;
}

static bool on_command(struct rules *r)
{
	struct ior *s = r->state;
	s->command = ior_kept(r, slice_trim(rules_group(r, 0)));
	s->command_pos = rules_here(r);
	rules_option(r, "command", s->command, s->command_pos);
	return true;
}

static bool on_began(struct rules *r)
{
	batch_tool_time(r, rules_group(r, 0), false);
	return true;
}

static bool on_finished(struct rules *r)
{
	struct ior *s = r->state;
	s->finished = true;
	batch_tool_time(r, rules_group(r, 0), true);
	return true;
}

/* ---- tests ---- */

static bool on_test(struct rules *r)
{
	struct ior *s = r->state;
	struct slice id = ior_kept(r, rules_group(r, 0));
	if (s->n_tests == 0 || ior_test_now(r)->params[IOR_TEST].key.n)
		begin_test(r);
	ior_need_block(r);
	ior_set(ior_test_now(r), IOR_TEST, id, SLICE_NONE, rules_here(r));
	rules_param(r, ior_param_names[IOR_TEST], id, rules_here(r));
	return true;
}

/* 2.10 does not number its tests: a second list of options begins the second test. */
static bool on_options(struct rules *r)
{
	struct ior_test *t = ior_test_now(r);
	if (t->params[IOR_API].key.n && t->params[IOR_TASKS].key.n && !t->params[IOR_TEST].key.n)
		begin_test(r);
	ior_need_block(r);
	return true;
}

void ior_take_param(struct rules *r, enum ior_param param, struct slice value, struct slice text)
{
	value = ior_kept(r, value);
	ior_set(ior_test_now(r), param, value, ior_kept(r, text), rules_pos(r, text.p));
	rules_param(r, ior_param_names[param], value, rules_pos(r, text.p));
}

enum { OPTION_KEY, OPTION_VALUE };

static bool on_option(struct rules *r)
{
	static const struct { const char *key; enum ior_param param; } known[] = {
		{ "api", IOR_API }, { "clients", IOR_TASKS }, { "tasks", IOR_TASKS }, { "nodes", IOR_NODES },
		{ "blocksize", IOR_BLOCK }, { "xfersize", IOR_TRANSFER },
	};
	struct slice key = rules_group(r, OPTION_KEY), value = rules_group(r, OPTION_VALUE), rest = value, word;
	enum ior_param param = IOR_PARAMS;
	double bytes;
	uint64_t n;
	if (!value.n || (r->text->cut && value.p + value.n == r->text->line.p + r->text->line.n))
		return true;
	rules_option(r, arena_string(r->parse->arena, key), value, rules_pos(r, value.p));
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (slice_is(key, known[i].key))
			param = known[i].param;
	if (param == IOR_BLOCK || param == IOR_TRANSFER) {
		if (ior_exact_size(value, &bytes))
			ior_take_param(r, param, number_text(r, bytes), value);
	} else if (param != IOR_PARAMS && slice_word(&rest, &word)) {
		if (param == IOR_API)
			ior_take_param(r, param, ior_bare_api(word), word);
		else if (num_u64(word, &n) == NUM_OK)
			ior_take_param(r, param, word, word);
	} else if (slice_is(key, "repetitions")) {
		num_u64(value, &ior_test_now(r)->repetitions);
	}
	return true;
}

/* ---- failures ---- */

static bool on_wrong_data(struct rules *r)
{
	ior_need_block(r);
	ior_test_now(r)->series[slice_is(rules_group(r, 0), "write") ? IOR_WRITE : IOR_READ].wrong = true;
	batch_fails(r, r->text->line, rules_here(r));
	return true;
}

static bool on_elsewhere(struct rules *r)
{
	struct slice file = rules_group(r, 0);
	rules_diag(r, DIAG_WARNING, rules_here(r), "the results are not here, but in the file %.*s", SLICE_ARG(slice_head(file, 200)));
	return true;
}

static bool on_error(struct rules *r)
{
	ior_need_block(r);
	batch_fails(r, r->text->line, rules_here(r));
	return true;
}

/* ---- the table ---- */

#define OPTION_KEYS "api|test filename|access|pattern|type|segments|ordering in a file|ordering inter ?file|task offset|" \
	"reorder random seed|clients|nodes|tasks|clients per node|memoryBuffer|dataAccess|GPUDirect|repetitions|xfersize|" \
	"blocksize|aggregate filesize|stonewallingTime|stoneWallingWearOut|Using stonewalling|Lustre stripe [a-z]+|fsync"

static const struct rule rules[] = {
	{
		.id = "row", .in = TABLE, .action = ior_on_row,
		.pattern = "(?<before>)(?<access>write|read|remove) +[-\\d.]",
		.sample = "write     897.86     3608       0.000554    4096       256.00     0.000139   0.017738   0.004691   "
			"0.017820   0",
		.fields = FIELDS(KEEP("before"), KEEP("access")),
	}, {
		.id = "summary row", .in = SUMMARY, .action = ior_on_summary,
		.pattern = "(?:write|read) +(?:[\\d.]|-?nan)",
		.sample = "write        1250.74     952.16     1100.04    121.91    2501.48    1904.31     2200.08    243.83   "
			"0.01473   EXCEL",
	}, {
		.id = "option", .in = OPTIONS, .action = on_option,
		.pattern = "(?<key>" OPTION_KEYS ") *[:=] *(?<value>\\S(?:.*\\S)?)?\\s*$",
		.sample = "ordering inter file= no tasks offsets",
		.fields = FIELDS(KEEP("key"), KEEP("value")),
	}, {
		.id = "banner", .to = START, .flags = RULE_START, .action = on_banner,
		.pattern = "IOR-(?<version>\\S+): MPI Coordinated Test of Parallel I/O",
		.sample = "IOR-4.1.0+dev: MPI Coordinated Test of Parallel I/O", .fields = FIELDS(KEEP("version")),
	}, {
		.id = "options", .to = OPTIONS, .action = on_options,
		.pattern = "(?:Options|Summary): *$", .sample = "Summary:",
	}, {
		.id = "heading", .to = TABLE, .action = ior_on_heading,
		.pattern = "access +bw\\(MiB/s\\) +",
		.sample = "access    bw(MiB/s)  block(KiB) xfer(KiB)  open(s)    wr/rd(s)   iter",
	}, {
		.id = "summary", .to = SUMMARY, .action = ior_on_heading,
		.pattern = "Operation +Max ?\\(MiB\\) +", .sample = "Operation  Max (MiB)  Min (MiB)  Mean (MiB)   Std Dev",
	}, {
		.id = "test", .to = START, .action = on_test,
		.pattern = "(?:TestID *: *|Test )(?<id>\\d+)(?: started: .*)?$",
		.sample = "Test 1 started: Mon Nov 30 11:27:53 2026",
		.fields = FIELDS(KEEP("id")),
	}, {
		.id = "command", .action = on_command,
		.pattern = "Command line(?: used)? *: *(?<command>.*\\bior\\S* .*)$",
		.sample = "Command line        : bin/ior-400 -a POSIX -w", .fields = FIELDS(KEEP("command")),
	}, {
		.id = "began", .action = on_began,
		.pattern = "(?:Run began|Began) *: (?<date>\\w{3} \\w{3} .*)$", .sample = "Run began: Mon Nov 30 11:26:57 2026",
		.fields = FIELDS(KEEP("date")),
	}, {
		.id = "finished", .action = on_finished,
		.pattern = "(?:Run finished|Finished) *: (?<date>\\w{3} \\w{3} .*)$",
		.sample = "Finished: Mon Nov 30 11:27:53 2026",
		.fields = FIELDS(KEEP("date")),
	}, {
		.id = "wrong data", .action = on_wrong_data,
		.pattern = "WARNING: [Ii]ncorrect data on (?<op>read|write)|\\[\\d+\\] FAILED comparison of buffer",
		.sample = "WARNING: incorrect data on read (262136 errors found).", .fields = FIELDS(KEEP("op")),
	}, {
		.id = "error", .action = on_error,
		.pattern = "(?:ior ERROR: |ERROR: .*\\((?:ior|aiori)[^()]*\\.c:\\d+\\)|ERROR in (?:aiori-|IOR)|"
			"\\*\\* error \\*\\*)",
		.sample = "ior ERROR: open64() failed, errno 2, No such file or directory (aiori-POSIX.c:158)",
	},
	{
		.id = "elsewhere", .in = START, .action = on_elsewhere,
		.pattern = "Writing output to (?<file>\\S+)$", .sample = "Writing output to sum.csv",
		.fields = FIELDS(KEEP("file")),
	},
	BATCH_RULES,
	{
		/* Behind what another rank wrote without a line end. */
		.id = "row behind", .in = TABLE, .action = ior_on_row,
		.pattern = "(?<before>.{1,400}?)(?<access>write|read|remove) +[-\\d.]+ +[-\\d.]+ +[-\\d.]+ +[-\\d.]+ +[-\\d.]+"
			" +[-\\d.]+ +",
		.sample = "task 1 reading fwrite     3709       1024.00    64.00      0.000159   0.002055   0.000779   "
			"0.002157   0",
		.fields = FIELDS(KEEP("before"), KEEP("access")),
	},
	{ .id = NULL }
};

static const char *const missing[] = { "-nan", "nan", "NA", "inf", "-inf", NULL };

static const struct ruleset set = {
	.tool = "ior", .rules = rules, .missing = missing, .state_size = sizeof(struct ior), .finish = finish,
};

/* ---- detection ---- */

static bool holds(struct slice text, const char *word)
{
	return slice_find(text, slice_of(word)) != (size_t)-1;
}

/* An error of IOR's own sources is enough: of a run that was refused there is nothing else. */
static int probe(const struct peek *peek)
{
	if (holds(peek->head, ": MPI Coordinated Test of Parallel I/O"))
		return peek->json ? 0 : 8 * 38;
	if (holds(peek->head, "access    bw(MiB/s)"))
		return 8 * 19;
	if (slice_starts(peek->head, "Writing output to "))
		return 8 * 18;
	return holds(peek->head, "ior ERROR: ") || holds(peek->head, ", (ior.c:") ? 8 * 9 : 0;
}

const struct parser parser_ior = {
	.name = "ior", .title = "IOR text", .tool = "ior", .probe = probe, .rules = &set,
};
