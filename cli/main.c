/* assay: the command table. */
#include "cli/cli.h"


static const struct command *const commands[] = {
	&command_identify, &command_results, &command_audit, &command_trend, &command_report,
	&command_load,
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void print_overview(FILE *out)
{
	fputs("usage: assay COMMAND [options] PATH…\n\n"
	      "Turns raw benchmark output into normalized results, SLA verdicts and published reports.\n\ncommands:\n", out);
	for (size_t i = 0; i < COMMANDS; i++)
		fprintf(out, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
	fputs("\n`assay COMMAND --help` explains a command, with examples.\n"
	      "PATH is a file, a directory, or - (standard input); NAME=PATH says what was measured there.\n"
	      "\nexit status:\n"
	      "  0  done; every verdict that was asked for is PASS\n"
	      "  1  done; at least one FAIL\n"
	      "  2  usage error, or a study or SLA file that can't be used: nothing was done\n"
	      "  3  done; no FAIL, but at least one verdict is open (INCONCLUSIVE, NOT-COMPARABLE, NO-DATA)\n"
	      "  4  done, but some input was damaged or unreadable\n"
	      "  5  could not finish\n", out);
}

static int run_command(const struct command *c, int argc, char **argv)
{
	struct options o;
	int status = options_parse(&o, c, argc, argv);
	if (status < 0)
		status = c->run(&o);
	arena_free(&o.arena);
	/* A reader that went away (assay … | head) is no failure of ours; a full disk is. */
	if (fflush(stdout) != 0 || ferror(stdout))
		status = status == EXIT_USAGE ? status : EXIT_UNFINISHED;
	return status;
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		print_overview(stderr);
		return EXIT_USAGE;
	}
	const char *name = argv[1];
	if (strcmp(name, "-h") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "help") == 0) {
		print_overview(stdout);
		return EXIT_ALL_PASS;
	}
	if (strcmp(name, "-V") == 0 || strcmp(name, "--version") == 0) {
		puts("assay " ASSAY_VERSION);
		return EXIT_ALL_PASS;
	}
	for (size_t i = 0; i < COMMANDS; i++)
		if (strcmp(name, commands[i]->name) == 0)
			return commands[i]->run_raw ? commands[i]->run_raw(argc - 1, argv + 1) : run_command(commands[i], argc, argv);
	return usage_error("there is no command '%s'; see `assay --help`", name);
}
