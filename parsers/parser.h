/* parser: what a format is to the rest. A parser never opens a file, never prints, never includes another parser. */
#ifndef PARSERS_PARSER_H
#define PARSERS_PARSER_H

#include "base/feed.h"
#include "model/run.h"

/* Where a parser's findings go. Slices and structs that it is given need to live only for the call; a position needs
 * only source and offset (parse_pos). Order: run, then its meta/job/result/series/spread in any order, a job before its
 * results. `job` returns the job to name in later results. */
struct sink {
	void (*run)(void *ctx, struct slice tool, struct slice version);
	void (*expect)(void *ctx, size_t results); /* about so many come in this run; or NULL */
	void (*meta)(void *ctx, const struct param *attribute);
	const struct job *(*job)(void *ctx, const struct job *job);
	void (*result)(void *ctx, const struct result *result);
	void (*series)(void *ctx, const struct series *series);
	void (*spread)(void *ctx, const struct spread *spread, const struct hist *hist); /* as run_add_spread; or NULL */
	void (*diag)(void *ctx, enum severity severity, struct pos pos, const char *message);
};

struct rule_cache; /* parsers/rules.h */

struct parse {
	struct source *source;
	struct arena *arena;     /* scratch: given back after the call */
	const struct sink *sink;
	void *ctx;
	struct params set;        /* what the user says of the subject: attributes, the first of a key counts */
	struct feed *feed;        /* for `stream`: the input; source->data is empty then */
	struct rule_cache *rules; /* compiled rule tables, the caller's, one for each thread; NULL: compiled for this call */
};

/* What detection sees: the name and the first bytes. */
struct peek {
	struct slice name;  /* base name of the file */
	struct slice head;  /* up to PEEK_SIZE bytes */
	uint64_t size;      /* of the whole input; 0 when not known */
	bool json;          /* the head begins with JSON, and no line of it with what JSON has not */
};
enum { PEEK_SIZE = 64 << 10 };

struct ruleset;
struct rule;

struct parser {
	const char *name;   /* "fio-json": what --as takes */
	const char *title;  /* "fio JSON" */
	const char *tool;   /* the tool column */
	/* Number of signature bits matched, 0: not mine. NULL: by the starts of its
	 * rule table (RULE_START); where it has none, only with --as. */
	int (*probe)(const struct peek *peek);
	/* Users write it, and their rows say whose figures they are: that goes before what the file is called by. It gives the
	 * attribute "subject" for each run, empty where a row says nothing. */
	bool typed;
	bool json;          /* reads JSON: others are not asked about what is nothing else */
	/* A rule table, or one of the functions. STATUS_REJECT when nothing in it is of this format,
	 * STATUS_FATAL when it is one that users write and can't be used: the command ends there. */
	const struct ruleset *rules;
	enum status (*parse)(struct parse *p);
	/* Of a format that can't be read line by line between others' (a function, or a table of a whole file): the lines by
	 * which its output is found in a text of several tools, by their patterns; it is then given a source that is blank
	 * where the text is not its own. Ends with an id of NULL; or NULL: it is a whole file. */
	const struct rule *starts;
	/* For formats whose files may be of any size: takes the bytes from p->feed, once, in memory that does not grow with
	 * them. Its positions carry line and column, as nobody can find them later. */
	enum status (*stream)(struct parse *p);
};

/* NULL-terminated, in registry.c. */
extern const struct parser *const parsers[];

/* Reads a source with this parser, by its table or its function; where that streams and there is no feed, from
 * source->data. */
enum status parser_run(const struct parser *parser, struct parse *p);

/* For a probe: the bits of `signs`, each of which has to be there; 0 where one is not. */
int peek_signs(struct slice head, const char *const *signs, size_t n);

/* Helpers for parsers. */
struct pos parse_pos(const struct parse *p, const char *at); /* lazy: offset only, located by the receiver */
void parse_run(struct parse *p, struct slice tool, struct slice version);
void parse_meta(struct parse *p, const char *key, struct slice value, const char *at);
void parse_diag(struct parse *p, enum severity severity, const char *at, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* A note for each kind of flaw that the JSON reader forgave, but for a cut, which is more than that. */
struct json;
void parse_json_flaws(struct parse *p, const struct json *j);
/* A quantity from a number token at its place: false and a diagnostic when the token is no number (nothing is
 * invented). `suffix` is the unit as the source states it elsewhere, or NULL. */
bool parse_quantity(struct parse *p, struct slice token, enum unit unit, double factor, const char *suffix,
	struct quantity *q);

#endif
