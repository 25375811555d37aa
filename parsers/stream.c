/* STREAM: the C versions 5.x, Fortran, MPI, and what stream-scaling keeps of it. */
#include "parsers/rules.h"

#include "base/num.h"

#include <math.h>

#define MB 1e6

struct stream {
	/* Of the open block. */
	bool headed, tabled, judged, triad;
	unsigned rows;
	struct slice threads;          /* as counted, else as requested */
	struct pos threads_pos;
	bool rms;                      /* the second column is no plain mean */
	double array_size, element_size;
	struct pos pos;
	/* Bytes per array element moved in the first row: every row's rate times its time gives the same. */
	double moved, moved_slack;
	struct slice moved_by;
	bool best;                     /* the table's heading is that of 5.10 */
	double first_size;             /* bytes of an array, as the first block of this run says */
	bool first_best;
};

static void begin(struct rules *r)
{
	struct stream *s = r->state;
	rules_begin(r);
	*s = (struct stream){ .pos = rules_here(r), .first_size = s->first_size, .first_best = s->first_best };
}

/* What stands before a table opens a block, unless that has its table already. */
static void before_table(struct rules *r)
{
	const struct stream *s = r->state;
	if (!r->open || s->tabled)
		begin(r);
}

static struct slice kept(struct rules *r, struct slice s)
{
	return r->text->copied ? arena_copy(r->parse->arena, s) : s;
}

static bool on_header(struct rules *r)
{
	struct stream *s = r->state;
	if (!r->open || s->headed || s->tabled) {
		rules_next_run(r);
		s->first_size = 0;
		begin(r);
	}
	s->headed = true;
	return true;
}

static bool on_element(struct rules *r)
{
	struct stream *s = r->state;
	before_table(r);
	num_double(rules_group(r, 0), &s->element_size);
	return true;
}

static bool on_array(struct rules *r)
{
	struct stream *s = r->state;
	before_table(r);
	num_double(rules_group(r, 0), &s->array_size);
	return true;
}

static bool on_ranks(struct rules *r)
{
	before_table(r);
	return true;
}

static bool on_threads(struct rules *r)
{
	struct stream *s = r->state;
	before_table(r);
	if (s->threads.n)
		begin(r); /* the block before it lost its table */
	s->threads = kept(r, rules_group(r, 0));
	s->threads_pos = rules_here(r);
	return true;
}

/* More telling than what was requested. */
static bool on_counted(struct rules *r)
{
	struct stream *s = r->state;
	before_table(r);
	s->threads = kept(r, rules_group(r, 0));
	s->threads_pos = rules_here(r);
	return true;
}

static bool on_table(struct rules *r)
{
	struct stream *s = r->state;
	before_table(r);
	s->tabled = true;
	s->best = slice_starts(rules_group(r, 0), "Best");
	s->rms = slice_is(rules_group(r, 1), "RMS");
	return true;
}

static bool on_ignored_size(struct rules *r)
{
	rules_diag(r, DIAG_WARNING, rules_here(r), "the array size that was asked for when compiling was ignored: this ran with "
		"the default");
	return true;
}

static bool on_ticks(struct rules *r)
{
	double ticks;
	if (num_double(rules_group(r, 0), &ticks) == NUM_OK && ticks < 20)
		rules_diag(r, DIAG_WARNING, rules_here(r), "each test takes %.*s clock ticks only: the arrays are too small for this "
			"clock, or the caches", SLICE_ARG(rules_group(r, 0)));
	return true;
}

/* ---- rows ---- */

static double arrays_moved(struct slice test)
{
	return slice_is(test, "Copy") || slice_is(test, "Scale") ? 2 : 3;
}

static bool check_time(struct rules *r, const struct quantity *min, const struct quantity *mean,
	const struct quantity *max, struct slice test)
{
	if (min->value <= mean->value + mean->half_digit && mean->value <= max->value + max->half_digit)
		return true;
	rules_diag(r, DIAG_WARNING, min->pos, "the times of %.*s are not in order: minimum %.*s, mean %.*s, maximum %.*s",
		SLICE_ARG(test), SLICE_ARG(min->text), SLICE_ARG(mean->text), SLICE_ARG(max->text));
	return false;
}

/* rate × minimum time = arrays × size. What rounding leaves open, as a share. */
static double open_share(const struct quantity *rate, const struct quantity *min)
{
	return 1.001 * (rate->half_digit / rate->value + min->half_digit / min->value) + 1e-9;
}

/* Bytes of an array. stream-scaling shows them for the first of its blocks only; all are of one build. 0: not known. */
static double array_bytes(struct stream *s)
{
	double own = s->array_size * s->element_size;
	if (own > 0 && s->first_size <= 0) {
		s->first_size = own;
		s->first_best = s->best;
	}
	return own > 0 || s->headed || s->best != s->first_best ? own : s->first_size;
}

/* Where the sizes are known: against them; else against the first row. */
static bool check_rate(struct rules *r, const struct quantity *rate, const struct quantity *min, struct slice test)
{
	struct stream *s = r->state;
	double arrays = arrays_moved(test), share = open_share(rate, min), moved = rate->value * min->value / arrays;
	double size = array_bytes(s);
	if (size > 0 && fabs(moved - size) > share * moved) {
		rules_diag(r, DIAG_WARNING, rate->pos, "%.*s at %.*s MB/s is contradicted by its minimum time of %.*s s: %.0f bytes "
			"make it %.6g MB/s", SLICE_ARG(test), SLICE_ARG(rate->text), SLICE_ARG(min->text), arrays * size,
			arrays * size / min->value / MB);
		return false;
	}
	if (size > 0)
		return true;
	if (s->moved > 0 && fabs(moved - s->moved) > share * moved + s->moved_slack) {
		rules_diag(r, DIAG_WARNING, rate->pos, "%.*s at %.*s MB/s for %.*s s moved arrays of %.6g MB, %.*s of %.6g MB: one of "
			"the two rates is wrong", SLICE_ARG(test), SLICE_ARG(rate->text), SLICE_ARG(min->text), moved / MB,
			SLICE_ARG(s->moved_by), s->moved / MB);
		return false;
	}
	if (s->moved <= 0) {
		s->moved = moved;
		s->moved_slack = share * moved;
		s->moved_by = test;
	}
	return true;
}

static struct result *add(struct rules *r, struct slice test, enum metric_id metric, const char *stat,
	const struct quantity *q, bool sound)
{
	struct result *k = rules_result(r, metric, stat, q);
	k->test = test;
	k->flags |= sound ? 0 : RESULT_SUSPECT;
	return k;
}

static void add_recomputed(struct rules *r, struct slice test, const struct quantity *min)
{
	const struct stream *s = r->state;
	double moved = arrays_moved(test) * s->array_size * s->element_size;
	struct quantity q = { .value = moved / min->value, .unit = UNIT_B_PER_S, .pos = min->pos };
	if (moved > 0)
		add(r, test, METRIC_BANDWIDTH, "recomputed", &q, true)->flags = RESULT_DERIVED;
}

static bool on_row(struct rules *r)
{
	static const struct unit_scale seconds = { NULL, UNIT_S, 1 }, rates = { " MB/s", UNIT_B_PER_S, MB };
	struct stream *s = r->state;
	struct quantity rate, mean, min, max;
	struct slice test = kept(r, rules_group(r, 0));
	if (!r->open)
		begin(r);
	s->rows++;
	s->triad |= slice_is(test, "Triad");
	bool has_rate = rules_read(r, rules_group(r, 1), SLICE_NONE, rates, &rate) && rate.value > 0;
	bool has_mean = rules_read(r, rules_group(r, 2), SLICE_NONE, seconds, &mean);
	bool has_min = rules_read(r, rules_group(r, 3), SLICE_NONE, seconds, &min);
	bool has_max = rules_read(r, rules_group(r, 4), SLICE_NONE, seconds, &max);
	bool sound = !(has_rate && has_min && min.value > 0) || check_rate(r, &rate, &min, test);
	if (has_mean && has_min && has_max)
		check_time(r, &min, &mean, &max, test);
	if (has_rate)
		add(r, test, METRIC_BANDWIDTH, "max", &rate, sound);
	if (has_mean)
		add(r, test, METRIC_RUNTIME, s->rms ? "rms" : "mean", &mean, true);
	if (has_min)
		add(r, test, METRIC_RUNTIME, "min", &min, true);
	if (has_max)
		add(r, test, METRIC_RUNTIME, "max", &max, true);
	if (has_min && min.value > 0)
		add_recomputed(r, test, &min);
	return false;
}

static bool on_verdict(struct rules *r)
{
	struct stream *s = r->state;
	struct slice text = rules_group(r, 0);
	bool failed = slice_starts(text, "Failed");
	struct quantity q = { .value = failed ? 0 : 1, .unit = UNIT_ONE, .text = text, .pos = rules_here(r) };
	if (!r->open || s->judged)
		return false;
	s->judged = true;
	rules_result(r, METRIC_VALID, "value", &q);
	if (failed)
		rules_diag(r, DIAG_WARNING, q.pos, "the results of this run were wrong: its rates prove nothing");
	return false;
}

static void finish(struct rules *r)
{
	struct stream *s = r->state;
	if (s->threads.n)
		rules_param(r, "threads", s->threads, s->threads_pos);
	if (s->rows && !s->triad)
		rules_diag(r, DIAG_WARNING, s->pos, "the table of this run ends before its last row, Triad");
	else if (s->rows && s->headed && !s->judged)
		rules_diag(r, DIAG_NOTE, s->pos, "it is not said whether the results of this run were right");
	if (s->rows)
		return;
	rules_diag(r, DIAG_WARNING, s->pos, "STREAM's output ends, or goes on with another run, before its table of rates");
	rules_drop(r);
}

enum { START = 1, TABLE = 2 };

#define FIGURE(name) " +(?<" name ">[\\d.*a-z]+)"

static const struct rule rules[] = {
	{
		.id = "row", .in = TABLE, .action = on_row,
		.pattern = "(?<test>Copy|Scale|Add|Triad):" FIGURE("rate") FIGURE("mean") FIGURE("min") FIGURE("max")
			"(?=\\s|$)",
		.sample = "Copy:            1940.9     0.034798     0.016487     0.070810",
		.fields = FIELDS(KEEP("test"), KEEP("rate"), KEEP("mean"), KEEP("min"), KEEP("max")),
	}, {
		.id = "header", .to = START, .flags = RULE_START | RULE_INSIDE, .action = on_header,
		.pattern = "STREAM [Vv]ersion \\$Revision: (?<version>[\\d.]{1,12}) ?\\$",
		.sample = "STREAM version $Revision: 5.10 $",
		.fields = FIELDS({ .as = FIELD_VERSION, .group = "version" }),
	}, {
		.id = "element", .to = START, .flags = RULE_START, .action = on_element,
		.pattern = "(?:This system uses|Assuming) (?<size>\\d{1,3}) bytes per (?:array element|DOUBLE PRECISION word)",
		.sample = "This system uses 8 bytes per array element.",
		.fields = FIELDS({ .as = FIELD_PARAM, .group = "size", .key = "element_size" }),
	}, {
		.id = "array", .to = START, .action = on_array,
		.pattern = "(?:Total Aggregate )?Array size = +(?<size>\\d{1,15})\\b",
		.sample = "Array size = 20000000 (elements), Offset = 0 (elements)",
		.fields = FIELDS({ .as = FIELD_PARAM, .group = "size", .key = "array_size" }),
	}, {
		.id = "ranks", .to = START, .action = on_ranks,
		.pattern = "Data is distributed across (?<ranks>\\d{1,9}) MPI ranks",
		.sample = "Data is distributed across 4 MPI ranks",
		.fields = FIELDS({ .as = FIELD_PARAM, .group = "ranks", .key = "ranks" }),
	}, {
		.id = "threads", .to = START, .flags = RULE_START, .action = on_threads,
		.pattern = "Number of Threads (?:requested (?:for each MPI rank )?= +|= +)(?<threads>\\d{1,6})\\b",
		.sample = "Number of Threads requested = 2", .fields = FIELDS(KEEP("threads")),
	}, {
		.id = "counted", .to = START, .action = on_counted,
		.pattern = "Number of Threads counted (?:for rank \\d+ )?= +(?<threads>\\d{1,6})\\b",
		.sample = "Number of Threads counted = 2", .fields = FIELDS(KEEP("threads")),
	}, {
		.id = "ignored-size", .action = on_ignored_size,
		.pattern = "It appears that you set the preprocessor variable N\\b",
		.sample = "It appears that you set the preprocessor variable N when compiling this code.",
	}, {
		.id = "ticks", .action = on_ticks, .pattern = "\\(= (?<ticks>-?\\d{1,12}) (?:clock|timer) ticks\\)",
		.sample = "(= 3600 clock ticks)", .fields = FIELDS(KEEP("ticks")),
	}, {
		.id = "table", .to = TABLE, .flags = RULE_START | RULE_INSIDE, .action = on_table,
		.pattern = "Function +(?<rate>Best Rate MB/s|Rate \\(MB/s\\)) "
			"+(?<second>Avg|RMS) time +Min time +Max time\\b",
		.sample = "Function    Best Rate MB/s  Avg time     Min time     Max time",
		.fields = FIELDS(KEEP("rate"), KEEP("second")),
	}, {
		.id = "failed", .to = START, .action = on_verdict, .pattern = "(?<text>Failed Validation on array \\w\\[\\])",
		.sample = "Failed Validation on array a[], AvgRelAbsErr > epsilon (1.000000e-13)",
		.fields = FIELDS(KEEP("text")),
	}, {
		.id = "validates", .to = START, .action = on_verdict, .pattern = "(?<text>Solution Validates)\\b",
		.sample = "Solution Validates!", .fields = FIELDS(KEEP("text")),
	},
	{ .id = NULL }
};

static const struct ruleset set = {
	.tool = "stream", .rules = rules, .flat = true, .state_size = sizeof(struct stream), .finish = finish,
};

static int probe(const struct peek *peek)
{
	static const struct { const char *text; bool enough; } own[] = { { "STREAM version $Revision:", true },
		{ "STREAM Version $Revision:", true }, { "Best Rate MB/s", false }, { "Rate (MB/s)", false } };
	bool triad = slice_find(peek->head, SLICE("Triad:")) != (size_t)-1;
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if ((own[i].enough || triad) && slice_find(peek->head, slice_of(own[i].text)) != (size_t)-1)
			return 8 * (int)strlen(own[i].text);
	return 0;
}

const struct parser parser_stream = {
	.name = "stream", .title = "STREAM text", .tool = "stream", .probe = probe, .rules = &set,
};
