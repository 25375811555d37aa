/* Options are GNU getopt's: the table of a kind, and that of what every kind takes. */
#define _GNU_SOURCE
#include "loadgen/load.h"

#include "base/diag.h"
#include "base/num.h"

#include <stdarg.h>
#include <unistd.h>

enum option_id { OPT_COLOR = 1000, OPT_SUBJECT, OPT_HOSTNAME };

static const struct load_option common[] = {
	{ { "output", required_argument, NULL, 'o' }, "FILE", "the result file, which must not exist (-: standard output)" },
	{ { "subject", required_argument, NULL, OPT_SUBJECT }, "NAME", "what is measured, as VM.DenseIO2.8" },
	{ { "hostname", no_argument, NULL, OPT_HOSTNAME }, NULL, "put this machine's name into the result file" },
	{ { "color", required_argument, NULL, OPT_COLOR }, "WHEN", "auto, always or never; NO_COLOR is respected" },
	{ { "quiet", no_argument, NULL, 'q' }, NULL, "errors only, no progress" },
	{ { "help", no_argument, NULL, 'h' }, NULL, "this text" },
	{ { NULL, 0, NULL, 0 }, NULL, NULL },
};

enum { ROWS_MAX = 64 };

static void complain(const char *format, va_list args)
{
	struct arena a = ARENA_EMPTY;
	struct buf b = BUF_EMPTY;
	buf_printable(&b, slice_of(arena_vprintf(&a, format, args)));
	fprintf(stderr, "assay-load: error: %.*s\n", SLICE_ARG(buf_view(&b)));
	buf_free(&b);
	arena_free(&a);
}

int load_refuse(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	complain(format, args);
	va_end(args);
	return LOAD_USAGE;
}

int load_fail(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	complain(format, args);
	va_end(args);
	return LOAD_UNFINISHED;
}

bool load_quantity(const char *option, const char *arg, enum unit unit, double least, double *value)
{
	struct quantity q = { 0 };
	const char *error;
	if (!quantity_parse(slice_of(arg), unit, &q, NULL, &error)) {
		load_refuse("--%s %s: %s", option, arg, error);
		return false;
	}
	if (q.unit != unit || !(q.value >= least)) {
		load_refuse("--%s %s: is not what this option takes, as 4k, 10g, 60s or 5000", option, arg);
		return false;
	}
	*value = q.value;
	return true;
}

bool load_count(const char *option, const char *arg, uint64_t least, uint64_t most, uint64_t *value)
{
	uint64_t n;
	if (num_u64(slice_of(arg), &n) != NUM_OK || n < least || n > most) {
		load_refuse("--%s %s: give a whole number from %llu to %llu", option, arg, (unsigned long long)least,
			(unsigned long long)most);
		return false;
	}
	*value = n;
	return true;
}

static void print_rows(FILE *out, const struct load_option *rows)
{
	for (; rows->option.name; rows++) {
		char left[64];
		int letter = rows->option.val < 256 ? rows->option.val : 0;
		snprintf(left, sizeof left, "%s%c%s--%s%s%s", letter ? "-" : " ", letter ? letter : ' ', letter ? ", " : "  ",
			rows->option.name, rows->argument ? " " : "", rows->argument ? rows->argument : "");
		fprintf(out, "  %-30s %s\n", left, rows->help);
	}
}

static int take_common(struct load_options *o, int id, const char *arg)
{
	switch (id) {
	case 'o': o->output = arg; break;
	case 'q': o->quiet = true; break;
	case OPT_SUBJECT: o->subject = arg; break;
	case OPT_HOSTNAME: o->hostname = true; break;
	case OPT_COLOR:
		if (strcmp(arg, "auto") != 0 && strcmp(arg, "always") != 0 && strcmp(arg, "never") != 0)
			return load_refuse("--color %s: say auto, always or never", arg);
		o->color = *arg == 'n' ? LOAD_COLOR_NEVER : strcmp(arg, "always") == 0 ? LOAD_COLOR_ALWAYS : LOAD_COLOR_AUTO;
		break;
	case 'h':
		printf("usage: assay-load %s %s\n\n%s\n\noptions:\n", o->kind->name, o->kind->usage, o->kind->help);
		print_rows(stdout, o->kind->rows);
		print_rows(stdout, common);
		return LOAD_OK;
	default: return load_refuse("see `assay-load %s --help`", o->kind->name);
	}
	return -1;
}

/* getopt has no other way to tell who complains. */
static void name_program(char **argv)
{
	static char program[] = "assay-load";
	argv[0] = program;
}

int load_options_parse(struct load_options *o, struct arena *a, const struct load_kind *kind, void *own, int argc,
	char **argv)
{
	struct option table[ROWS_MAX + 1] = { { 0 } };
	struct buf letters = BUF_EMPTY;
	size_t n = 0;
	const struct load_option *both[] = { kind->rows, common };
	for (size_t i = 0; i < 2; i++)
		for (const struct load_option *r = both[i]; r->option.name && n < ROWS_MAX; r++) {
			table[n++] = r->option;
			if (r->option.val < 256)
				buf_printf(&letters, "%c%s", r->option.val, r->argument ? ":" : "");
		}
	const char **command = ARENA_ARRAY(a, (size_t)argc + 1, const char *);
	for (int i = 0; i < argc; i++)
		command[i] = argv[i];
	*o = (struct load_options){ .kind = kind, .argc = argc, .argv = command };
	name_program(argv);
	optind = 1;
	int id, done = -1;
	while (done < 0 && (id = getopt_long(argc, argv, buf_view(&letters).p, table, NULL)) != -1) {
		bool mine = false;
		for (const struct load_option *r = kind->rows; r->option.name; r++)
			mine |= r->option.val == id;
		done = mine ? kind->take(own, id, optarg) : take_common(o, id, optarg);
	}
	buf_free(&letters);
	o->operands = argv + optind;
	o->n_operands = (size_t)(argc - optind);
	return done;
}

static volatile sig_atomic_t stop;

static void on_signal(int signal_number)
{
	(void)signal_number;
	if (stop)
		_exit(LOAD_UNFINISHED);
	stop = 1;
}

const volatile sig_atomic_t *load_catch_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	/* What waits for I/O is woken, to see what was set. */
	struct sigaction action = { .sa_handler = on_signal }, ignored = { .sa_handler = SIG_IGN }, old;
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		/* nohup and the like: what was ignored stays so. */
		if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
	sigaction(SIGPIPE, &ignored, NULL);
	return &stop;
}
