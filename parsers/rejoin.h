/* rejoin: the lines of a text as it was before people and programs passed it on: without what a log wrote before each
 * (parsers/prefix.h), with plain blanks, hyphens and quotes for tabs and for what blogs put in their places, with what HTML's
 * references, Markdown's escapes and ligatures stand for where a text that is no page has them (that is said), and put
 * together where long ones were wrapped: by a mail program at its words (also where "> " stands before each line), by
 * a terminal or a form in the middle of words.
 *
 * Two lines are joined only where that says more to a reader of them than they say apart: the first one reaches about
 * as far as the second one's first word would not have fitted in (or ends with a blank, as format=flowed has it), no
 * pattern begins with the second one, and some pattern that is live goes on from the one to the other and finds there
 * what it does not find in the first alone. In the middle of words lines are joined only at the width that no line of
 * the text exceeds and several have. Where the second one is a lone word the first may be short: its other words may
 * have stood far apart. A line that a shell's backslash continues is joined with the next one, too. */
#ifndef PARSERS_REJOIN_H
#define PARSERS_REJOIN_H

#include "parsers/prefix.h"
#include "parsers/starts.h"

struct rejoin {
	const struct text *line;  /* the present line */
	uint64_t n;               /* lines so far that stood in several */
	struct pos first;         /* the first of them */
	/* Private. */
	struct text cursor, joined, spare; /* what was read of the source; a joined line; for looking ahead */
	const struct starts *starts; /* or NULL */
	struct prefix prefix;
	uint64_t next_byte[3];    /* of the characters that are replaced: the first ones at or behind the cursor */
	uint64_t plain_to;        /* the first of them */
	unsigned wrap;            /* bytes of a line before it is wrapped at its words, at least */
	unsigned width;           /* at which lines are cut in the middle of words; 0: at none */
	bool written;             /* the text has signs that stand for others: "&lt;", "\\_", a ligature */
	bool any_written;         /* some were read; the first of such lines: */
	struct pos first_written;
	bool measured;
	unsigned failed;          /* lines in turn that might have gone on, and did not */
};

/* Of a text at its start. `starts`: patterns that are always live, or NULL. */
struct rejoin rejoin_of(struct text text, const struct starts *starts);
/* As text_next; `now`: the table that reads the line, or NULL. */
bool rejoin_next(struct rejoin *j, const struct rules *now);
/* The next line as it is, however it goes on. */
bool rejoin_next_apart(struct rejoin *j);
/* A reader, with buffers of its own, for all that the source holds, which has to be all up to its end. */
struct rejoin rejoin_again(const struct rejoin *j);
/* For readers that know themselves what a line lacks: what follows the present line, until the next call of these;
 * *indented: it begins with blanks. False where nothing does. */
bool rejoin_peek(struct rejoin *j, struct slice *next, bool *indented);
/* Puts that behind the present line, which then stands on several; `blank`: with one between. */
void rejoin_take(struct rejoin *j, bool blank);
/* Whether the present line ends in a word and at the width that no line exceeds, so that the word may be cut. */
bool rejoin_full(struct rejoin *j);
/* As text_skip; for a line that is not joined. */
void rejoin_skip(struct rejoin *j, uint64_t to);
/* Says what was mended: signs that stand for others, and how many lines were joined. */
void rejoin_say(const struct rejoin *j, struct parse *p);

/* Whether `pattern`, at line[from], goes on behind the joint, and finds more there than in line[from, joint). `inside`: the
 * joint is in the middle of a word, so that a longer find is another one. */
bool rejoin_adds(const struct regex *pattern, struct slice line, size_t from, size_t joint, bool inside);

#endif
