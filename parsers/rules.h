/* rules: a text parser as a table.
 *
 * A rule set lists patterns that are each anchored at the start of a line (parsers/text.h says what a line is), the
 * sections they are live in, the section they move to, and what their named groups mean. Within a section the patterns
 * should exclude each other: the first in table order that matches is taken. A pattern should have no digit of its own
 * (`\\d` does): then what was found in a line is remembered for all lines that differ from it only in their digits
 * (parsers/shapes.h); one that has makes its table several times slower, and can't be a RULE_START.
 *
 * What belongs together is a block (struct job of the model): a rule with RULE_BEGIN opens it, RULE_END or the next
 * RULE_BEGIN or the end of the input closes it, and a field that needs a block opens one when none is open. Blocks go
 * to the sink at the end of the input, because only then is known which of them need `run=N`: where several blocks
 * have the same name and params, each of these gets its ordinal among all blocks of the input.
 *
 *   enum { START = 1, TABLE = 2 };                        // sections are single bits; an input begins in 1
 *   static const struct rule rules[] = {
 *       { .id = "header", .in = START, .to = TABLE, .flags = RULE_BEGIN,
 *         .pattern = "STREAM version (?<version>\\S+)$", .sample = "STREAM version 5.10",
 *         .fields = FIELDS({ .as = FIELD_VERSION, .group = "version" }) },
 *       { .id = "row", .in = TABLE,
 *         .pattern = "(?<test>Copy|Scale|Add|Triad): +(?<rate>[\\d.]+) ", .sample = "Copy:   12.1  0.1  0.1  0.1",
 *         .fields = FIELDS({ .as = FIELD_TEST, .group = "test" }, { .as = FIELD_RESULT, .group = "rate",
 *                          .metric = METRIC_BANDWIDTH, .stat = "max", .unit = "MB/s" }) },
 *       { .id = NULL }
 *   };
 *
 * A group that took no part in a match gives nothing. A number that can't be read is a diagnostic with its place and
 * gives nothing; so does a bare number that touches the end of cut data. */
#ifndef PARSERS_RULES_H
#define PARSERS_RULES_H

#include "base/regex.h"
#include "parsers/parser.h"
#include "parsers/text.h"

enum { RULES_MAX = 64, RULES_SECTIONS = 16, RULES_FIELDS = 24 };

struct rules;

enum field_as {
	FIELD_END,
	FIELD_RESULT,  /* a result of the block: metric, stat, unit */
	FIELD_TEST,    /* test column of this match's results; else the block's name */
	FIELD_TAG,     /* param of this match's results: key */
	FIELD_PARAM,   /* param of the block: key; the first value stays */
	FIELD_OPTION,  /* option of the block: key */
	FIELD_NAME,    /* the block's name */
	FIELD_VERSION, /* the tool's version */
	FIELD_META,    /* attribute of the run: key */
	FIELD_KEEP     /* nothing by itself: for the action (rules_group, rules_number) */
};

struct rule_word {
	const char *printed, *meant;
};

struct rule_field {
	enum field_as as;
	const char *group;      /* NULL: the constant `text` */
	const char *text;
	const char *key;
	enum metric_id metric;
	const char *stat;
	/* Fields are done in their order: a test and tags stand before the results they belong to.
	 * How a number is scaled: by a spelling of the dialect that stands in the group `unit_group`, else (also when that
	 * group took no part) by the spelling `unit`; with neither it is in the metric's own unit. A param, option or tag
	 * with a unit is normalized to the base unit; without one it is text. */
	const char *unit_group;
	const char *unit;
	const struct rule_word *words; /* text as printed → as meant; text that is not listed stays */
};

#define KEEP(name) { .as = FIELD_KEEP, .group = name }
#define KEEP_IN(name, its_unit) { .as = FIELD_KEEP, .group = name, .unit_group = its_unit }
#define FIELDS(...) ((const struct rule_field[]){ __VA_ARGS__, { .as = FIELD_END } })
#define WORDS(...) ((const struct rule_word[]){ __VA_ARGS__, { NULL, NULL } })

enum rule_flag {
	RULE_BEGIN = 1,
	RULE_END = 2,
	RULE_INSIDE = 4, /* may also begin at a later word of a line; see ruleset.flat */
	/* Only this tool prints such a line, and its output can begin there: by these rules texts are detected and cut into
	 * sections (parsers/starts.h). Live in the first section. */
	RULE_START = 8
};

struct rule {
	const char *id;      /* NULL ends the table */
	unsigned in;         /* sections, 0: all */
	unsigned to;         /* the section after the match, 0: the same */
	unsigned flags;
	const char *pattern;
	const char *sample;  /* a line that this rule matches, and no earlier rule that is live with it */
	const struct rule_field *fields;
	/* For what a table can't say: called after RULE_BEGIN and before the fields, which are left out when it returns
	 * false. */
	bool (*action)(struct rules *r);
};

struct ruleset {
	const char *tool;
	const struct rule *rules;
	const struct unit_scale *dialect;
	const char *const *missing; /* tokens that mark a value as not there ("NR", "---"), NULL-ended; or NULL */
	/* Also reads texts that lost line ends or got words before each line (a log's time stamps): what follows a match on
	 * the same line is tried as a line of its own, rules with RULE_INSIDE at every word of a line, and every rule at
	 * every word where the section is not the first or the line is longer than RULES_FLAT_LINE. A pattern that begins
	 * with ^ is only tried at the start of a line. */
	bool flat;
	bool markup;                /* reads HTML as it is written; else a flat set's web pages are read as they are seen */
	bool decimal_comma;         /* some locales print "0,26": a comma between digits is a decimal point */
	unsigned result_flags;      /* enum result_flag of every result */
	size_t state_size;          /* of the state that actions keep; zeroed at the start of an input */
	void (*finish)(struct rules *r); /* before a block closes; r->ended: by the end of the input. May be NULL */
	/* For formats whose figures hang together over the whole input: called at its end in the place of giving blocks, to
	 * give what the actions kept in the state to the sink. Their texts are held whole. May be NULL. */
	enum status (*whole)(struct rules *r);
};

enum { RULES_FLAT_LINE = 200 };

/* What an action sees. */
struct rules {
	const struct ruleset *set;
	struct parse *parse;
	void *state;
	const struct rule *rule;  /* that matched */
	const struct text *text;  /* the present line; NULL before the first */
	unsigned section;         /* an action may set it */
	uint64_t matched;         /* matches so far */
	uint64_t unmatched;       /* stretches of text so far that no rule took */
	bool open;                /* a block is */
	bool ended;
};

/* The text of a group by its field's place in the rule's list; SLICE_NONE when it took no part. */
struct slice rules_group(const struct rules *r, unsigned field);
/* The field's number in its base unit; false when it took no part or can't be read (said). */
bool rules_number(struct rules *r, unsigned field, struct quantity *q);
/* The value alone, for what is only compared; false, and nothing said, where rules_number would not be sure. */
bool rules_value(const struct rules *r, unsigned field, double *value);
/* rules_number in this unit whatever the field says. */
bool rules_number_as(struct rules *r, unsigned field, enum unit unit, double factor, struct quantity *q);

/* A number of the present line, wherever it stands; `spelled`: its unit, part of the evidence where it follows directly;
 * scale.spelling is what is shown where none does. */
bool rules_read(struct rules *r, struct slice token, struct slice spelled, struct unit_scale scale, struct quantity *q);

void rules_begin(struct rules *r);
void rules_end(struct rules *r);
/* Drops the open block: nothing of it was worth a row. */
void rules_drop(struct rules *r);
/* Ends the open block; blocks from here on belong to another run of the tool. */
void rules_next_run(struct rules *r);
/* Of the open block: its name, the tool's version. */
void rules_name(struct rules *r, struct slice name);
void rules_version(struct rules *r, struct slice version);
/* When the open block began and ended, Unix time; NAN: not known. */
void rules_times(struct rules *r, double started, double stopped);
/* An attribute of the run that the open block belongs to, as FIELD_META gives them. */
void rules_meta(struct rules *r, const char *key, struct slice value, struct pos pos);
/* The open block is no job: its results have neither a job nor a test. */
void rules_loose(struct rules *r);
/* What the open block reports on: of blocks with the same identity only the last is given, the others being earlier
 * states of it. */
void rules_identity(struct rules *r, struct slice identity);
void rules_param(struct rules *r, const char *key, struct slice value, struct pos pos);
void rules_option(struct rules *r, const char *key, struct slice value, struct pos pos);
/* A param of the results that follow from this match. */
void rules_tag(struct rules *r, const char *key, struct slice value, struct pos pos);
/* Forgets this match's params so far, for results in another direction. */
void rules_untag(struct rules *r);
/* Adds a result to the block; what is returned may be completed until the next one is added. */
struct result *rules_result(struct rules *r, enum metric_id metric, const char *stat, const struct quantity *q);
/* The open block's result of that name that has no tags; NULL when there is none. For finish(). */
struct result *rules_find(struct rules *r, enum metric_id metric, const char *stat);
/* The open block's results so far, to be mended in place. */
struct result *rules_results(struct rules *r, size_t *n);
/* Position of a pointer into the present line. */
struct pos rules_pos(const struct rules *r, const char *p);
/* Where the match is. */
struct pos rules_here(const struct rules *r);
void rules_diag(struct rules *r, enum severity severity, struct pos pos, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Compiled rule sets, kept by the caller from input to input (struct parse.rules) and made when first needed.
 * Not for two threads at once: one for each thread. */
struct rule_cache;
struct rule_cache *rule_cache_new(void);
void rule_cache_free(struct rule_cache *c);
/* For tests and benches, before its first use: the rules of a table are tried from the last to the first. */
void rule_cache_reverse(struct rule_cache *c);

/* The lines of an input, whether it is held or comes from p->feed. */
struct text parse_text(struct parse *p, bool page);

/* Reads the whole input. STATUS_REJECT: no rule found anything, nor said anything but notes; STATUS_WARN: something was
 * skipped and said. */
enum status rules_parse(const struct ruleset *set, struct parse *p);

/* The same, for a text whose lines others read as well: the table is at work on some stretches of it. */
struct rules *rules_open(const struct ruleset *set, struct parse *p); /* NULL: the table is broken, and said */
/* The first place in line[from, to) where somebody else's output begins, `to` where there is none. `inside`: no line begins
 * at `from`; behind it none does anyway. That may depend on the line, the table, and whether a block of it is open, and on
 * nothing else: where there is none, it is not asked again about lines of the same shape. */
typedef size_t rules_stranger(void *ctx, struct slice line, size_t from, size_t to, bool inside);
/* Reads the present line from `from` on. What no rule takes `stranger` is asked about (NULL: nobody is); where somebody
 * else's output begins it stops and returns the place, else the line's length. */
size_t rules_line(struct rules *r, const struct text *text, size_t from, rules_stranger *stranger, void *ctx);
/* What follows is another tool's: the open block ends as with the input. */
void rules_pause(struct rules *r);
/* Says that the line was too long to be read whole. */
void rules_overlong(struct rules *r, const struct text *text);
/* The end of the input: gives everything to the sink. */
enum status rules_close(struct rules *r);

/* For tests: whether every pattern compiles and every group and unit that a field names exists; else what is wrong. */
bool rules_check(const struct ruleset *set, char *error, size_t size);
/* For tests: place in the table of the first rule live in this section that takes the line; -1: none. */
int rules_match(const struct ruleset *set, unsigned section, struct slice line);

#endif
