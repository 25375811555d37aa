/* SPEC CPU's text reports, whole or shortened by their publishers. Columns are found by the ruler below the headings.
 */
#include "parsers/rules.h"
#include "parsers/spec_file.h"

#include "base/num.h"

enum { HEADINGS = 6, COLUMNS = 32, RESULTS = 200 };

struct column {
	uint32_t start, end; /* of its ruler in the source's line; end is one behind */
	struct spec_column is;
};

struct heading {
	struct slice text;
	uint32_t start;
};

struct state {
	struct spec_file **files;
	size_t n, cap;
	bool footer;             /* of the present result was seen */
	bool banner;             /* between two lines INVALID RUN */
	bool summary, threads;
	struct heading heading[HEADINGS];
	unsigned headings;       /* since the last row */
	struct column column[COLUMNS];
	unsigned columns;
	unsigned title_lines;
	bool software;
	unsigned others;
	const char *key;         /* of the last label */
};

enum { START = 1, TITLE = 2, TABLE = 4, AFTER = 8, SPECS = 16, NOTES = 32 };

static uint32_t column_at(const struct rules *r, const char *p)
{
	return rules_pos(r, p).column;
}

static struct slice keep(const struct rules *r, struct slice s)
{
	return r->text->copied && s.p ? arena_copy(r->parse->arena, s) : s;
}

static struct spec_file *open_file(struct rules *r)
{
	struct state *s = r->state;
	if (s->n == RESULTS)
		return s->files[s->n - 1];
	s->footer = s->banner = s->summary = false;
	s->headings = s->columns = 0;
	s->key = NULL;
	return *ARENA_PUSH(r->parse->arena, s->files, s->n, s->cap) = spec_file_new(r->parse, SPEC_TEXT);
}

/* The present result; a new one behind the footer of the last. */
static struct spec_file *the_file(struct rules *r)
{
	struct state *s = r->state;
	return s->n && !s->footer ? s->files[s->n - 1] : open_file(r);
}

/* ---- the banner ---- */

static bool on_invalid(struct rules *r)
{
	struct state *s = r->state;
	struct spec_file *f = the_file(r);
	s->banner = !s->banner;
	if (f->valid < 0)
		f->valid_cell = (struct spec_cell){ .text = SLICE("INVALID RUN"), .pos = rules_pos(r, rules_group(r, 0).p) };
	f->valid = 0;
	return true;
}

static bool on_reason(struct rules *r)
{
	struct state *s = r->state;
	if (s->banner)
		spec_file_banner(the_file(r), rules_group(r, 0), rules_here(r));
	return true;
}

/* ---- the head ---- */

static bool on_title(struct rules *r)
{
	struct state *s = r->state;
	struct spec_file *f = the_file(r);
	if (f->n_metrics)
		f = open_file(r);
	f->tool = spec_tool(rules_group(r, 0));
	s->title_lines = 0;
	return true;
}

static bool on_title_line(struct rules *r)
{
	struct state *s = r->state;
	if (s->title_lines < 3)
		spec_file_attr(the_file(r), s->title_lines ? "hw_model" : "hw_vendor", rules_group(r, 0), rules_here(r));
	s->title_lines++;
	return true;
}

static bool on_tester(struct rules *r)
{
	static const char *const keys[] = { "license_num", "test_date", "test_sponsor", "hw_avail", "tester", "sw_avail" };
	for (unsigned i = 0; i < sizeof keys / sizeof *keys && r->rule->fields[i].as != FIELD_END; i++) {
		struct slice value = rules_group(r, i);
		if (value.p)
			for (unsigned k = 0; k < sizeof keys / sizeof *keys; k++)
				if (strcmp(keys[k], r->rule->fields[i].group) == 0)
					spec_file_attr(the_file(r), keys[k], value, rules_pos(r, value.p));
	}
	return true;
}

/* ---- headings and ruler ---- */

static bool on_heading(struct rules *r)
{
	struct state *s = r->state;
	struct slice line = r->text->line;
	bool benchmarks = slice_starts(line, "Benchmark");
	struct spec_file *f = the_file(r);
	if (f->n_metrics)
		f = open_file(r);
	if (s->headings == HEADINGS)
		memmove(s->heading, s->heading + 1, (--s->headings) * sizeof *s->heading);
	s->heading[s->headings++] = (struct heading){ arena_copy(r->parse->arena, line), column_at(r, line.p) };
	f->estimated |= slice_find(line, SLICE("Est")) != (size_t)-1;
	s->columns = 0;
	s->summary = false;
	if (benchmarks)
		s->threads = slice_find(line, SLICE("Threads")) != (size_t)-1;
	return true;
}

/* The words of the headings that stand above a ruler, with its neighbours' left out. */
static struct slice words_above(const struct rules *r, uint32_t start, uint32_t end)
{
	const struct state *s = r->state;
	struct buf b = BUF_EMPTY;
	for (unsigned i = 0; i < s->headings; i++) {
		struct slice t = s->heading[i].text;
		for (size_t a = 0, z; a < t.n; a = z + 1) {
			for (z = a; z < t.n && t.p[z] != ' ';)
				z++;
			uint32_t from = s->heading[i].start + (uint32_t)a, to = s->heading[i].start + (uint32_t)z;
			if (z > a && from < end && to > start)
				buf_printf(&b, "%.*s ", (int)(z - a), t.p + a);
		}
	}
	struct slice text = arena_copy(r->parse->arena, buf_view(&b));
	buf_free(&b);
	return text;
}

static bool on_ruler(struct rules *r)
{
	struct state *s = r->state;
	struct slice line = r->text->line;
	s->columns = 0;
	for (size_t a = 0, z; a < line.n && s->columns < COLUMNS; a = z + 1) {
		for (z = a; z < line.n && line.p[z] == '-';)
			z++;
		if (z == a)
			continue;
		struct column *c = &s->column[s->columns++];
		*c = (struct column){ .start = column_at(r, line.p + a), .end = column_at(r, line.p + a) + (uint32_t)(z - a) };
		c->is = spec_column_of(words_above(r, c->start, c->end));
	}
	s->headings = 0;
	return true;
}

static bool on_equals(struct rules *r)
{
	struct state *s = r->state;
	s->summary = true;
	s->headings = 0;
	return true;
}

/* ---- rows ---- */

static bool is_mark(struct slice word)
{
	static const char *const marks[] = { "*", "S", "CE", "RE", "VE", "NR" };
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
		if (slice_is(word, marks[i]))
			return true;
	return false;
}

static struct spec_cell cell_of(const struct rules *r, struct slice word, double factor)
{
	return (struct spec_cell){ .text = keep(r, word), .pos = rules_pos(r, word.p), .factor = factor };
}

/* The column that a word stands in, or is nearest to. */
static const struct column *column_of(const struct state *s, uint32_t from, uint32_t to)
{
	const struct column *best = NULL;
	uint32_t least = UINT32_MAX;
	for (unsigned i = 1; i < s->columns; i++) {
		const struct column *c = &s->column[i];
		uint32_t off = from >= c->end ? from - c->end + 1 : to <= c->start ? c->start - to + 1 : 0;
		if (off < least) {
			least = off;
			best = c;
		}
	}
	return best;
}

static void put_word(const struct rules *r, struct spec_row row[SPEC_TUNES], struct slice word)
{
	const struct state *s = r->state;
	uint32_t from = column_at(r, word.p), to = from + (uint32_t)word.n;
	if (is_mark(word)) {
		/* Behind the columns of its tune. */
		enum spec_tune tune = SPEC_BASE;
		for (unsigned i = 1; i < s->columns && s->column[i].start < from; i++)
			tune = s->column[i].is.tune;
		row[tune].status = keep(r, word);
		return;
	}
	const struct column *c = column_of(s, from, to);
	if (!c)
		return;
	struct spec_row *t = &row[c->is.tune];
	if (c->is.role == SPEC_OF_PARALLEL)
		t->parallel = keep(r, word);
	else if (c->is.role == SPEC_OF_REFERENCE)
		t->reference = keep(r, word);
	else if (c->is.role == SPEC_OF_FIGURE && !t->cell[c->is.figure].text.n)
		t->cell[c->is.figure] = cell_of(r, word, c->is.factor);
	t->threads |= c->is.role == SPEC_OF_PARALLEL && c->is.threads;
}

/* A table without ruler: copies, time and ratio in their order, a mark behind them; then the same for peak. */
static void put_in_order(const struct rules *r, struct spec_row row[SPEC_TUNES], struct slice word, unsigned *place)
{
	const struct state *s = r->state;
	enum { EACH = 3 };
	struct spec_row *t = &row[*place < EACH + 1 ? SPEC_BASE : SPEC_PEAK];
	unsigned in = *place % (EACH + 1);
	if (is_mark(word)) {
		t->status = keep(r, word);
		*place = t == row ? EACH + 1 : 2 * (EACH + 1);
		return;
	}
	if (*place >= 2 * (EACH + 1) || in == EACH)
		return;
	t->threads = s->threads;
	if (in == 0)
		t->parallel = keep(r, word);
	else
		t->cell[in == 1 ? SPEC_TIME : SPEC_RATIO] = cell_of(r, word, 1);
	++*place;
}

static void give_run(struct rules *r, const struct spec_row *row)
{
	struct state *s = r->state;
	bool any = false, number = false;
	for (int k = 0; k < SPEC_FIGURES; k++)
		any |= row->cell[k].text.n > 0;
	number = any && !spec_row_failed(row);
	/* That peak was not run stands in the metric's line. */
	if (!any && (!row->status.n || s->summary || row->tune == SPEC_PEAK))
		return;
	struct spec_row *kept = spec_file_row(the_file(r), row->pos);
	if (!kept)
		return;
	*kept = *row;
	kept->summary = s->summary;
	kept->selected = slice_is(row->status, "*") || (s->summary && number);
}

static bool on_row(struct rules *r)
{
	enum { NAME, REST };
	struct state *s = r->state;
	struct slice rest = rules_group(r, REST), word;
	struct spec_row row[SPEC_TUNES] = { { .tune = SPEC_BASE }, { .tune = SPEC_PEAK } };
	unsigned place = 0;
	while (slice_cut(&rest, ' ', &word))
		if (word.n && s->columns > 1)
			put_word(r, row, word);
		else if (word.n)
			put_in_order(r, row, word, &place);
	for (int t = 0; t < SPEC_TUNES; t++) {
		row[t].benchmark = keep(r, rules_group(r, NAME));
		row[t].pos = rules_here(r);
		give_run(r, &row[t]);
	}
	s->headings = 0;
	return true;
}

static bool on_metric(struct rules *r)
{
	enum { NAME, VALUE };
	struct slice value = rules_group(r, VALUE);
	struct spec_metric *m = spec_file_metric(the_file(r), rules_group(r, NAME), rules_here(r));
	if (m && value.p)
		m->cell = cell_of(r, value, 1);
	return true;
}

/* ---- the system ---- */

static bool on_section(struct rules *r)
{
	struct state *s = r->state;
	s->software = slice_is(rules_group(r, 0), "SOFTWARE");
	s->others = 0;
	s->key = NULL;
	return true;
}

/* "CPU Name: AMD EPYC 7713", what continues the line before it, or the heading of what follows. */
static bool on_system(struct rules *r)
{
	enum { LABEL, VALUE };
	struct state *s = r->state;
	struct slice label = rules_group(r, LABEL), value = rules_group(r, VALUE);
	if (!label.p && (slice_ends(value, " Notes") || slice_ends(value, " Flags") || slice_ends(value, " Invocation"))) {
		r->section = NOTES;
		return true;
	}
	if (label.p) {
		s->key = spec_label_key(label, !s->software, s->others);
		s->others += slice_is(label, "Other");
	}
	if (s->key)
		spec_file_attr(the_file(r), s->key, value, rules_pos(r, value.p));
	return true;
}

static bool on_tested(struct rules *r)
{
	enum { YEAR, VERSION, DATE };
	struct state *s = r->state;
	struct spec_file *f = the_file(r);
	struct slice date = rules_group(r, DATE);
	f->tool = spec_tool(rules_group(r, YEAR));
	f->version = arena_copy(r->parse->arena, rules_group(r, VERSION));
	if (date.p)
		spec_file_started(f, date, rules_pos(r, date.p));
	s->footer = true;
	return true;
}

static enum status whole(struct rules *r)
{
	struct state *s = r->state;
	enum status status = STATUS_REJECT;
	for (size_t i = 0; i < s->n; i++) {
		s->files[i]->ordinal = s->n > 1 ? (unsigned)i + 1 : 0;
		enum status one = spec_file_finish(s->files[i]);
		status = one == STATUS_REJECT ? status : one == STATUS_WARN || status == STATUS_REJECT ? one : status;
	}
	return status;
}

/* ---- the table ---- */

#define HEADING_WORD \
	"(?:Estimated|Est\\.|Base|Peak|Run|Time|Copies|Threads|Ref\\.?|Rate|Ratio|Energy|Power|Avg\\.?|Average|" \
	"Max\\.?|Maximum|\\(kJ\\)|\\(W\\)|#)"

/* Lines that other rules take wherever they stand. */
#define NOT_OTHERS "(?![-#=]|SPEC|HARDWARE\\b|SOFTWARE\\b|System Info:|Tested with |Benchmarks? |Estimated |" \
	"(?:Base|Peak) +" HEADING_WORD ")"

static const struct rule text_rules[] = { {
						  .id = "invalid",
						  .action = on_invalid,
						  .pattern = "#\\s+(?<text>INVALID RUN)\\b",
						  .sample = "#   INVALID RUN -- INVALID RUN -- INVALID RUN  #",
						  .fields = FIELDS(KEEP("text")),
					  },
	{
		.id = "reason",
		.action = on_reason,
		.pattern = "#\\s+(?!INVALID RUN)(?<text>\\S.*)$",
		.sample = "# 'reportable' flag not set during run      #",
		.fields = FIELDS(KEEP("text")),
	},
	{
		.id = "title",
		.to = TITLE,
		.action = on_title,
		.pattern = "SPEC(?:\\(R\\))? C(?:PU|INT|FP)(?:\\(R\\))?(?<year>20\\d\\d) (?:[\\w ]{1,40} "
			   ")?(?:Result|Summary)$",
		.sample = "SPEC CPU(R)2017 Integer Rate Result",
		.fields = FIELDS(KEEP("year")),
	},
	{
		.id = "license",
		.in = START | TITLE,
		.to = START,
		.action = on_tester,
		.pattern = "CPU20\\d\\d License:(?: (?<license_num>.*?))? +Test date:(?<test_date>.*)$",
		.sample = "CPU2017 License: 9016         Test date: Mar-2021",
		.fields = FIELDS(KEEP("license_num"), KEEP("test_date")),
	},
	{
		.id = "sponsor",
		.in = START | TITLE,
		.to = START,
		.action = on_tester,
		.pattern = "Test sponsor:(?: (?<test_sponsor>.*?))? +Hardware availability:(?<hw_avail>.*)$",
		.sample = "Test sponsor: A Company      Hardware availability: Mar-2021",
		.fields = FIELDS(KEEP("test_sponsor"), KEEP("hw_avail")),
	},
	{
		.id = "tester",
		.in = START | TITLE,
		.to = START,
		.action = on_tester,
		.pattern = "Tested by:(?: (?<tester>.*?))? +Software availability:(?<sw_avail>.*)$",
		.sample = "Tested by:    A Company      Software availability: Mar-2021",
		.fields = FIELDS(KEEP("tester"), KEEP("sw_avail")),
	},
	{
		.id = "benchmarks",
		.to = TABLE,
		.action = on_heading,
		.pattern = "Benchmarks?(?: +" HEADING_WORD ")+ *$",
		.sample = "Benchmarks       Copies  Run Time     Rate        Copies  Run Time     Rate ",
	},
	{
		.id = "heading",
		.action = on_heading,
		.pattern = "(?:Estimated|Est\\.|Base|Peak)(?: +" HEADING_WORD ")+ *$",
		.sample = "Base     Base        Base        Peak     Peak        Peak",
	},
	{
		.id = "title-line",
		.in = TITLE,
		.action = on_title_line,
		.pattern = NOT_OTHERS "(?!CPU20\\d\\d License:|Test sponsor:|Tested by:)(?<text>\\S.*)$",
		.sample = "A Company",
		.fields = FIELDS(KEEP("text")),
	},
	{
		.id = "row",
		.in = TABLE,
		.action = on_row,
		.pattern = "(?<name>\\d{3}\\.\\w{1,60})(?: (?<rest>.*))?$",
		.sample = "500.perlbench_r     256        757        538  S     256        694        587  *",
		.fields = FIELDS(KEEP("name"), KEEP("rest")),
	},
	{
		.id = "ruler",
		.in = TABLE,
		.action = on_ruler,
		.pattern = "-{8,}(?: +-{5,})+ *$",
		.sample = "--------------- -------  ---------  ---------    -------  ---------  ---------",
	},
	{
		.id = "equals",
		.in = TABLE,
		.action = on_equals,
		.pattern = "={20,} *$",
		.sample = "=================================================================================",
	},
	{
		.id = "metric",
		.in = TABLE | AFTER,
		.to = AFTER,
		.action = on_metric,
		.pattern =
			"(?<name>(?:Est\\. )?SPEC(?:rate|speed|int|fp)[\\w()]{4,40})(?: *=? *(?<value>Not Run|\\S+))?",
		.sample = "Est. SPECrate(R)2017_int_base                 777",
		.fields = FIELDS(KEEP("name"), KEEP("value")),
	},
	{
		.id = "section",
		.to = SPECS,
		.action = on_section,
		.pattern = "(?<name>HARDWARE|SOFTWARE|System Info:) *$",
		.sample = "HARDWARE",
		.fields = FIELDS(KEEP("name")),
	},
	{
		.id = "system",
		.in = SPECS,
		.action = on_system,
		.pattern = NOT_OTHERS "(?:(?<label>[A-Z][\\w() .]{0,24}):(?= |$))?(?<value>.*)$",
		.sample = "CPU Name: AMD EPYC 7713",
		.fields = FIELDS(KEEP("label"), KEEP("value")),
	},
	{
		.id = "tested",
		.action = on_tested,
		.pattern = "Tested with SPEC CPU(?:\\(R\\))?(?<year>20\\d\\d) v(?<version>\\d[\\d.]*\\d)(?: on "
			   "(?<date>\\d{4}-\\d\\d-\\d\\d "
			   "\\d\\d:\\d\\d:\\d\\d.*?)\\.?$)?",
		.sample = "Tested with SPEC CPU(R)2017 v1.1.8 on 2023-03-10 17:23:36Coordinated Universal Time.",
		.fields = FIELDS(KEEP("year"), KEEP("version"), KEEP("date")),
	},
	{ .id = NULL } };

static const struct ruleset set = {
	.tool = "spec-cpu2017", .rules = text_rules, .state_size = sizeof(struct state), .whole = whole,
};

/* The line of headings, and a metric of which the name alone is no sign: pages speak of it. */
static int probe(const struct peek *peek)
{
	struct slice rest = peek->head;
	for (size_t at; (at = slice_find(rest, SLICE("Benchmarks "))) != (size_t)-1; rest = slice_from(rest, at + 1)) {
		struct slice line = slice_head(slice_from(rest, at), 60);
		if (slice_find(line, SLICE("Run Time ")) == (size_t)-1 && slice_find(line, SLICE(" Time ")) == (size_t)-1)
			continue;
		return slice_find(slice_from(rest, at), SLICE("SPEC")) != (size_t)-1
			|| slice_find(slice_from(rest, at), SLICE("\n5")) != (size_t)-1 ? 8 * 20 : 0;
	}
	return 0;
}

/* The lines that begin its output between other tools'. */
static const struct rule starts[] = {
	{ .id = "banner",
	  .pattern = "#   INVALID RUN -- INVALID RUN -- INVALID RUN -- INVALID RUN -- INVALID RUN  #",
	  .sample = "#   INVALID RUN -- INVALID RUN -- INVALID RUN -- INVALID RUN -- INVALID RUN  #" },
	{ .id = "title",
	  .pattern = "SPEC(?: ?CPU(?:\\(R\\))? ?\\d{4}|(?:\\(R\\))? C(?:PU|INT|FP)(?:\\(R\\))?\\d{4}) .{0,40}"
	    "(?:Result|Summary) *$",
	  .sample = "SPEC CPU(R)2017 Integer Rate Result" },
	{ .id = "table",
	  .pattern = "Benchmarks +(?:(?:Copies|Threads|Ref\\.) +)?(?:Run )?Time +(?:Rate|Ratio)\\b",
	  .sample = "Benchmarks       Copies  Run Time     Rate        Copies  Run Time     Rate" },
	{ .id = NULL }
};

const struct parser parser_spec_text = {
	.name = "spec-cpu-text", .title = "SPEC CPU text report", .tool = "spec-cpu2017", .probe = probe, .rules = &set,
	.starts = starts,
};
