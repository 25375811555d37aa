/* assay-load: the kinds of load. */
#include "loadgen/load.h"

static const struct load_kind *const kinds[] = {
	&load_storage,
	&load_memory,
	&load_network,
	&load_dns,
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void print_overview(FILE *out)
{
	fputs("usage: assay-load [KIND] [options] TARGET…\n\n"
	      "Makes load, and writes what came of it to a result file that assay reads.\n\nkinds:\n", out);
	for (size_t i = 0; i < KINDS; i++)
		fprintf(out, "  %-10s %s%s\n", kinds[i]->name, kinds[i]->summary, i ? "" : " (when no kind is said)");
	fputs("\n`assay-load KIND --help` explains a kind, with examples.\n"
	      "\nexit status:\n"
	      "  0  done; steady where that was asked for\n"
	      "  2  usage error, or a target that is refused: nothing was done\n"
	      "  3  done; not steady within the limit of rounds\n"
	      "  4  done; there were I/O errors or corrupt data\n"
	      "  5  interrupted, or could not go on\n", out);
}

static int run(int argc, char **argv)
{
	const char *first = argv[1];
	if (strcmp(first, "-h") == 0 || strcmp(first, "--help") == 0 || strcmp(first, "help") == 0) {
		print_overview(stdout);
		return LOAD_OK;
	}
	if (strcmp(first, "-V") == 0 || strcmp(first, "--version") == 0) {
		puts("assay-load " ASSAY_VERSION);
		return LOAD_OK;
	}
	for (size_t i = 0; i < KINDS; i++)
		if (strcmp(first, kinds[i]->name) == 0)
			return kinds[i]->run(argc - 1, argv + 1);
	return kinds[0]->run(argc, argv);
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		print_overview(stderr);
		return LOAD_USAGE;
	}
	int status = run(argc, argv);
	return fflush(stdout) == 0 ? status : LOAD_UNFINISHED;
}
