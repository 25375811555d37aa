/* ini_file: settings that a user wrote, through inih, each with its place; what is said of those that nobody knows. */
#ifndef BASE_INI_FILE_H
#define BASE_INI_FILE_H

#include "base/diag.h"

/* A value may go on in indented lines, each a piece. */
struct ini_piece {
	struct slice text; /* without blanks at its ends, and without a comment behind " ;" */
	struct pos pos;
};

struct ini_setting {
	struct slice key;
	struct slice suffix;      /* "ens3" of "receive.ens3" */
	struct slice text;        /* the pieces with blanks between them; may be empty */
	struct pos pos;           /* of the key */
	struct ini_piece *pieces; /* at least one */
	size_t n, cap;
};

struct ini_section {
	struct slice title;       /* "subject BM.x" of [subject BM.x] */
	struct slice kind, name;  /* "subject", "BM.x" */
	struct pos pos;
	struct ini_setting *settings; /* in order; none: only the head is there */
	size_t n, cap;
};

/* What there can be in a file. A section "subject NAME" must have a name, others have none. A key "interface.IFACE"
 * must have one behind a dot, "receive[.IFACE]" may. */
struct ini_key {
	const char *section, *key;
};

/* A kind of file. Its rows are a table of the reader's own; each begins with a struct ini_key. */
struct ini_kind {
	const char *title;          /* "a study" */
	const void *rows;
	size_t n, size;             /* of rows, of each */
	struct ini_key unknown;     /* section, and what else one can do there than set an unknown key; or NULL */
};
#define INI_ROWS(table) .rows = (table), .n = sizeof(table) / sizeof *(table), .size = sizeof *(table)

struct ini_file {
	const struct ini_kind *kind;
	struct arena *arena;
	struct diags *diags;
	struct source *source;
	struct ini_section *sections; /* in order */
	size_t n, cap;
	bool wrong;                   /* something was said by ini_wrong: the file can't be used */
};

/* Reads a file of at most 1 MiB. NULL, with diagnostics, when it can't be read, is no INI file, sets something outside
 * of all sections, or gives a section or a key of it twice. Everything lives in the arena. */
struct ini_file *ini_file_read(struct arena *a, const char *path, const struct ini_kind *kind, struct diags *diags);
/* The same of bytes, which have a NUL behind the last. */
struct ini_file *ini_file_parse(struct arena *a, struct source *source, const struct ini_kind *kind,
	struct diags *diags);

/* Whether there can be such a section; if not, that is said, with the one that may be meant. */
bool ini_section_known(struct ini_file *f, const struct ini_section *s);
/* The setting's row of the kind's table; NULL: there can be no such setting, which is said likewise. */
const void *ini_row(struct ini_file *f, const struct ini_section *s, const struct ini_setting *setting);

/* An error with its place. */
void ini_wrong(struct ini_file *f, struct pos pos, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Where the value begins. */
static inline struct pos ini_value_pos(const struct ini_setting *s)
{
	return s->pieces[0].pos;
}

/* A path that the file names: from its directory, unless it begins at the root. */
const char *ini_beside(const struct ini_file *f, struct slice path);

/* The words of a setting. Quotes hold blanks together, and are taken off a word that is quoted as a whole. */
struct ini_words {
	const struct ini_setting *setting; /* all else is zero before the first */
	size_t pieces;     /* begun so far */
	struct slice rest; /* of the last of them */
	struct slice word;
	struct pos pos;    /* of the word */
};
/* False at the end. A quote that is not closed is an error, too. */
bool ini_word(struct ini_file *f, struct ini_words *w);

#endif
