/* rules_engine: a rule table at work on one input, and the blocks that it collects; only for rules.c, rules_seek.c and rules_give.c. */
#ifndef PARSERS_RULES_ENGINE_H
#define PARSERS_RULES_ENGINE_H

#include "parsers/rules_table.h"

enum { TAGS = 8 };

struct list {
	struct param *v;
	size_t n, cap;
};

/* What belongs together, until the end of the input. */
struct block {
	struct block *next;
	struct job job;        /* params and options when it is closed */
	struct params metas;
	struct result *results;
	size_t n_results;
	struct slice version;
	unsigned run;          /* of the tool, as rules_next_run counts them */
	struct slice identity; /* of what it reports; empty: its own */
	uint64_t key;          /* of name and params, for finding equal ones */
	bool repeated, loose, superseded;
};

struct engine {
	struct rules r; /* first: actions get a pointer to it */
	struct compiled *table;
	struct arena *arena;
	struct block *first, **end;
	struct block *block;   /* the open one, or NULL; what it collects, in room that is used again: */
	struct list params, options, metas;
	struct result *results;
	size_t n_results, result_cap;
	const char *match;     /* where the present line's match begins; NULL: there was none yet */
	size_t match_end;      /* its end, in the line */
	unsigned last;         /* its rule */
	const struct finding *finding; /* its groups, where they are remembered; or NULL: */
	const size_t *at;      /* its groups: see regex_find */
	struct shape shape;    /* the present line's */
	unsigned run;  /* of the tool, that blocks now belong to */
	/* Of the present match. */
	struct slice test;
	struct param tags[TAGS];
	size_t n_tags;
	struct params shared_tags; /* the tags as the results already given have them */
	bool mended;           /* the present line lost a line end before this place */
	uint64_t n_mended;     /* such lines */
	struct pos first_mended;
	enum status status;
};

enum found { FOUND_RULE, FOUND_STRANGER, FOUND_NOTHING };

/* What stands in e->r.text is a new line. */
void rules_new_line(struct engine *e);
/* Looks in the present line, from *from on, for the next match of a rule that is live, which goes to `e`, or for the output
 * of a stranger. *from: the place, or the line's end. */
enum found rules_seek(struct engine *e, size_t *from, rules_stranger *stranger, void *ctx);

/* At the end of the input: gives the blocks to the sink in their order, without those in whose place a later one stands, and
 * with a number where several have the same name and params. STATUS_REJECT when there is none. */
enum status rules_give(struct engine *e);

#endif
