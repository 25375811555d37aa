/* transcript: a text that may hold the outputs of several tools one after the other. */
#ifndef PARSERS_TRANSCRIPT_H
#define PARSERS_TRANSCRIPT_H

#include "parsers/parser.h"

/* As parser_run, but where another tool's output begins (parsers/starts.h), that tool's parser goes on: the text is cut
 * into sections, each of which ends where the next one's tool is another. All sections of a tool are read by one run of its
 * table, so that blocks are counted through the whole input. A section's end is the end of the input for what is open in
 * it. parser_transcript: what stands before the first section is nobody's. */
enum status transcript_read(const struct parser *parser, struct parse *p);

extern const struct parser parser_transcript;

/* Whether a parser's output can be a section: it has `starts`, or a table with a RULE_START. */
bool transcript_has(const struct parser *parser);

#endif
