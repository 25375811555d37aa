/* Options are GNU getopt's; one table says which exist and which commands take them. */
#define _GNU_SOURCE
#include "cli/cli.h"

#include "base/num.h"

#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum option_id {
	OPT_COLOR = 1000, OPT_AS, OPT_FORMAT, OPT_WHERE, OPT_SUBJECT, OPT_STRICT, OPT_SLA, OPT_LEVEL, OPT_EXPLAIN, OPT_TITLE,
	OPT_VALIDATE, OPT_NO_CHARTS, OPT_SET, OPT_TOLERANCE, OPT_BASELINE,
	OPT_STUDY, OPT_JOBS
};

struct option_row {
	struct option option;
	unsigned accepts; /* 0: every command */
	const char *argument;
	const char *help;
};

static const struct option_row rows[] = {
	{ { "format", required_argument, NULL, OPT_FORMAT }, ACCEPTS_FORMAT, "FORMAT", "how to write it (see above)" },
	{ { "where", required_argument, NULL, OPT_WHERE }, ACCEPTS_WHERE, "SELECTOR", "only what matches: 'tool=fio bs>=4k op=write'" },
	{ { "study", required_argument, NULL, OPT_STUDY }, ACCEPTS_STUDY, "FILE", "a study file: subjects, inputs, what to judge" },
	{ { "sla", required_argument, NULL, OPT_SLA }, ACCEPTS_SLA, "FILE", "an SLA file; may be given several times" },
	{ { "level", required_argument, NULL, OPT_LEVEL }, ACCEPTS_LEVEL, "PERCENT", "confidence of each bound or claim (default: see above)" },
	{ { "tolerance", required_argument, NULL, OPT_TOLERANCE }, ACCEPTS_TOLERANCE, "PERCENT", "how far a run may deviate from the mean; asks for a verdict" },
	{ { "baseline", required_argument, NULL, OPT_BASELINE }, ACCEPTS_BASELINE, "SELECTOR", "runs that set the center and width of control charts" },
	{ { "title", required_argument, NULL, OPT_TITLE }, ACCEPTS_TITLE, "TEXT", "title of the report" },
	{ { "validate", no_argument, NULL, OPT_VALIDATE }, ACCEPTS_VALIDATE, NULL, "check the report document against its schema" },
	{ { "no-charts", no_argument, NULL, OPT_NO_CHARTS }, ACCEPTS_VALIDATE, NULL, "tables only: gnuplot is not needed" },
	{ { "explain", no_argument, NULL, OPT_EXPLAIN }, ACCEPTS_EXPLAIN, NULL, "list every parser's bid" },
	{ { "subject", required_argument, NULL, OPT_SUBJECT }, ACCEPTS_SUBJECT, "NAME", "what was measured, for all paths without NAME=" },
	{ { "set", required_argument, NULL, OPT_SET }, ACCEPTS_SUBJECT, "KEY=VALUE", "an attribute of what was measured, for all paths: price='$3.10/h'" },
	{ { "as", required_argument, NULL, OPT_AS }, 0, "FORMAT", "skip detection: every input is FORMAT" },
	{ { "output", required_argument, NULL, 'o' }, ACCEPTS_OUTPUT, "FILE", "write to FILE, whole or not at all (-: standard output)" },
	{ { "jobs", required_argument, NULL, OPT_JOBS }, 0, "N", "read N files at a time (default: the processors there are; 1: one by one)" },
	{ { "strict", no_argument, NULL, OPT_STRICT }, 0, NULL, "warnings count as damaged input (status 4)" },
	{ { "color", required_argument, NULL, OPT_COLOR }, 0, "WHEN", "auto, always or never; NO_COLOR is respected" },
	{ { "quiet", no_argument, NULL, 'q' }, 0, NULL, "errors only, no progress" },
	{ { "verbose", no_argument, NULL, 'v' }, 0, NULL, "notes, too" },
	{ { "help", no_argument, NULL, 'h' }, 0, NULL, "this text" },
};
enum { ROWS = sizeof rows / sizeof *rows };

int usage_error(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	struct arena a = ARENA_EMPTY;
	struct buf b = BUF_EMPTY;
	buf_printable(&b, slice_of(arena_vprintf(&a, format, args)));
	va_end(args);
	fprintf(stderr, "assay: error: %.*s\n", SLICE_ARG(buf_view(&b)));
	buf_free(&b);
	arena_free(&a);
	return EXIT_USAGE;
}

void command_help(FILE *out, const struct command *c)
{
	fprintf(out, "usage: assay %s %s\n\n%s\n\noptions:\n", c->name, c->usage, c->help);
	for (size_t i = 0; i < ROWS; i++) {
		if (rows[i].accepts && !(c->accepts & rows[i].accepts))
			continue;
		char left[64];
		int letter = rows[i].option.val < 256 ? rows[i].option.val : 0;
		snprintf(left, sizeof left, "%s%c%s--%s%s%s", letter ? "-" : " ", letter ? letter : ' ', letter ? ", " : "  ",
			rows[i].option.name, rows[i].argument ? " " : "", rows[i].argument ? rows[i].argument : "");
		fprintf(out, "  %-26s %s\n", left, rows[i].help);
	}
}

static bool is_existing(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0;
}

/* NAME=PATH, unless a file of that whole name exists. A name holds no slash: ./a=b and dir/a=b are paths. */
static void add_path(struct options *o, const char *arg)
{
	struct slice text = slice_of(arg);
	size_t at = slice_find_char(text, '=');
	struct path_arg *p = ARENA_PUSH(&o->arena, o->paths, o->n_paths, o->path_cap);
	*p = (struct path_arg){ .path = arg };
	if (at != (size_t)-1 && at > 0 && slice_find_char(slice_head(text, at), '/') == (size_t)-1 && !is_existing(arg))
		*p = (struct path_arg){ .path = arg + at + 1, .subject = slice_head(text, at) };
}

static int take_level(struct options *o, const char *arg)
{
	struct quantity q = { 0 };
	const char *error;
	if (!quantity_parse(slice_of(arg), UNIT_PERCENT, &q, NULL, &error) || q.value < 50 || q.value >= 100)
		return usage_error("--level %s: give a confidence from 50 to 99.99 (per cent)", arg);
	o->level = q.value / 100;
	return -1;
}

static int take_tolerance(struct options *o, const char *arg)
{
	struct quantity q = { 0 };
	const char *error;
	if (!quantity_parse(slice_of(arg), UNIT_PERCENT, &q, NULL, &error) || !(q.value > 0) || q.value > 1000)
		return usage_error("--tolerance %s: give a share of the mean in per cent, as 10%%", arg);
	o->tolerance = q.value / 100;
	return -1;
}

static int take_jobs(struct options *o, const char *arg)
{
	uint64_t n;
	if (num_u64(slice_of(arg), &n) != NUM_OK || n < 1)
		return usage_error("--jobs %s: give a number of files to read at a time, from 1", arg);
	o->jobs = n < LOAD_THREADS ? (unsigned)n : LOAD_THREADS;
	return -1;
}

static unsigned processors(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);
	return n < 1 ? 1 : n < LOAD_THREADS ? (unsigned)n : LOAD_THREADS;
}

/* subject=NAME is --subject NAME. A key given twice: the last counts. */
static int take_set(struct options *o, const char *arg, struct slice *subject)
{
	struct slice text = slice_of(arg);
	size_t at = slice_find_char(text, '=');
	if (at == (size_t)-1 || at == 0)
		return usage_error("--set %s: give KEY=VALUE", arg);
	struct param p = { .key = slice_head(text, at), .value = slice_from(text, at + 1) };
	struct quantity q;
	const char *error;
	if (slice_is(p.key, "price") && (!quantity_parse(p.value, UNIT_USD_H, &q, NULL, &error) || q.unit != UNIT_USD_H))
		return usage_error("--set %s: give a price per hour: price='$3.10/h'", arg);
	if ((slice_is(p.key, "line_rate") || slice_starts(p.key, "line_rate.")) &&
	    !(quantity_parse(p.value, UNIT_B_PER_S, &q, NULL, &error) && q.value > 0))
		return usage_error("--set %s: give what the interface can carry: line_rate='50 Gb/s'", arg);
	if (slice_is(p.key, "subject")) {
		*subject = p.value;
		return -1;
	}
	for (size_t i = 0; i < o->n_set; i++)
		if (slice_eq(o->set[i].key, p.key)) {
			o->set[i] = p;
			return -1;
		}
	*ARENA_PUSH(&o->arena, o->set, o->n_set, o->set_cap) = p;
	return -1;
}

static int take_option(struct options *o, int id, const char *arg, struct slice *subject)
{
	switch (id) {
	case OPT_FORMAT: o->format = arg; break;
	case OPT_WHERE: o->where = arg; break;
	case OPT_AS: o->as = arg; break;
	case OPT_TITLE: o->title = arg; break;
	case OPT_SUBJECT: *subject = slice_of(arg); break;
	case OPT_SET: return take_set(o, arg, subject);
	case OPT_SLA: *ARENA_PUSH(&o->arena, o->sla, o->n_sla, o->sla_cap) = arg; break;
	case OPT_LEVEL: return take_level(o, arg);
	case OPT_TOLERANCE: return take_tolerance(o, arg);
	case OPT_JOBS: return take_jobs(o, arg);
	case OPT_BASELINE: o->baseline = arg; break;
	case OPT_STUDY: o->study_file = arg; break;
	case OPT_STRICT: o->strict = true; break;
	case OPT_EXPLAIN: o->explain = true; break;
	case OPT_VALIDATE: o->validate = true; break;
	case OPT_NO_CHARTS: o->no_charts = true; break;
	case OPT_COLOR:
		if (strcmp(arg, "auto") != 0 && strcmp(arg, "always") != 0 && strcmp(arg, "never") != 0)
			return usage_error("--color %s: say auto, always or never", arg);
		o->color = *arg == 'n' ? COLOR_NEVER : strcmp(arg, "always") == 0 ? COLOR_ALWAYS : COLOR_AUTO;
		break;
	case 'o': o->output = arg; break;
	case 'q': o->quiet = true; break;
	case 'v': o->verbose = true; break;
	case 'h': command_help(stdout, o->command); return EXIT_ALL_PASS;
	default: return usage_error("see `assay %s --help`", o->command->name);
	}
	return -1;
}

int options_parse(struct options *o, const struct command *command, int argc, char **argv)
{
	struct option table[ROWS + 1] = { { 0 } };
	size_t n = 0;
	*o = (struct options){ .command = command, .tolerance = NAN, .jobs = processors() };
	for (size_t i = 0; i < ROWS; i++)
		if (!rows[i].accepts || (command->accepts & rows[i].accepts))
			table[n++] = rows[i].option;
	struct slice subject = SLICE_NONE;
	int id;
	/* argv[0] is the program, argv[1] the command: getopt starts behind it. */
	optind = 2;
	while ((id = getopt_long(argc, argv, "o:qvh", table, NULL)) != -1) {
		if (id == 'o' && !(command->accepts & ACCEPTS_OUTPUT))
			return usage_error("`assay %s` writes no file: -o is not for it", command->name);
		int done = take_option(o, id, optarg, &subject);
		if (done >= 0)
			return done;
	}
	for (int i = optind; i < argc; i++)
		add_path(o, argv[i]);
	o->n_given = o->n_paths;
	if (o->n_paths == 0 && !o->study_file)
		return usage_error("nothing to read: give files or directories, or - for standard input");
	for (size_t i = 0; i < o->n_paths; i++)
		if (!o->paths[i].subject.n)
			o->paths[i].subject = subject;
	return -1;
}
