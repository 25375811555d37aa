/* ini_file: settings that a user wrote, through inih, each with its place. */
#ifndef INGEST_INI_FILE_H
#define INGEST_INI_FILE_H

#include "base/diag.h"

/* A setting. Its value may go on in indented lines, each a piece. */
struct ini_piece {
	struct slice text; /* without blanks at its ends, and without a comment behind " ;" */
	struct pos pos;
};

struct ini_setting {
	struct slice section, key;
	struct pos pos;    /* of the key */
	struct ini_piece *pieces;
	size_t n, cap;
};

struct ini_file {
	struct source *source;
	struct ini_setting *settings; /* in order */
	struct slice *sections;       /* each head, in order; those without settings, too */
	struct pos *section_pos;
	size_t n, n_sections, cap, section_cap, pos_cap;
};

/* Reads a file of at most 1 MiB; `what` is what it should be: "a study file". NULL, with diagnostics, when it can't be
 * read, is no INI file, or gives a section or a key of it twice. Everything lives in the arena. */
struct ini_file *ini_file_read(struct arena *a, const char *path, const char *what, struct diags *diags);

/* The pieces of a setting with blanks between them. */
struct slice ini_text(struct arena *a, const struct ini_setting *s);

#endif
