/* load: what the kinds of load share: options, complaints, interruption, exit status. */
#ifndef LOADGEN_LOAD_H
#define LOADGEN_LOAD_H

#include "base/arena.h"
#include "model/unit.h"

#include <getopt.h>
#include <signal.h>
#include <stdio.h>

enum load_status {
	LOAD_OK = 0,         /* done; steady where that was asked for */
	LOAD_USAGE = 2,      /* usage error, or a target that is refused: nothing was done */
	LOAD_NOT_STEADY = 3, /* done; not steady within the limit of rounds */
	LOAD_ERRORS = 4,     /* done; there were I/O errors or corrupt data */
	LOAD_UNFINISHED = 5  /* interrupted, or could not go on */
};

struct load_option {
	struct option option;
	const char *argument; /* as --help shows it; NULL: takes none */
	const char *help;
};

/* A kind of load: `assay-load NAME …`. */
struct load_kind {
	const char *name;
	const char *summary;             /* one line */
	const char *usage;               /* "[options] TARGET…" */
	const char *help;                /* paragraphs and examples */
	const struct load_option *rows;  /* its own options, up to one without a name; ids from LOAD_OPTION_OWN on, or
	                                  * letters */
	/* One of its own options; -1 to go on, or the exit status (load_refuse). */
	int (*take)(void *own, int id, const char *arg);
	/* argv[0] is no argument. Returns the exit status. */
	int (*run)(int argc, char **argv);
};

enum { LOAD_OPTION_OWN = 2000 };

enum load_color { LOAD_COLOR_AUTO, LOAD_COLOR_ALWAYS, LOAD_COLOR_NEVER };

/* What every kind takes. */
struct load_options {
	const struct load_kind *kind;
	const char *output;  /* NULL: a new file with a name of its own */
	const char *subject; /* what is measured; NULL: not said */
	enum load_color color;
	bool quiet, hostname;
	char **operands;     /* of argv, which getopt has put in order */
	size_t n_operands;
	int argc;            /* as it was called */
	const char *const *argv;
};

/* Fills *o, and *own through kind->take. Returns -1 to go on, or the exit status (help was printed, or a usage error).
 * The arena keeps what is needed of argv. */
int load_options_parse(struct load_options *o, struct arena *a, const struct load_kind *kind, void *own, int argc,
	char **argv);

/* The value of an option that takes a quantity, at least `least`; false when it is none (said on standard error). */
bool load_quantity(const char *option, const char *arg, enum unit unit, double least, double *value);
/* The same for whole numbers from `least` to `most`. */
bool load_count(const char *option, const char *arg, uint64_t least, uint64_t most, uint64_t *value);

/* Prints "assay-load: error: …", returns LOAD_USAGE. */
int load_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same with LOAD_UNFINISHED. */
int load_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* From now on SIGINT, SIGTERM and SIGHUP set what is returned; the second one ends the program at once, with
 * LOAD_UNFINISHED. SIGPIPE is ignored: writing tells. */
const volatile sig_atomic_t *load_catch_signals(void);

extern const struct load_kind load_storage, load_memory, load_network, load_dns;

#endif
