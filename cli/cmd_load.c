/* assay load: the load generator is a program of its own. */
#define _GNU_SOURCE
#include "cli/cli.h"

#include <errno.h>
#include <limits.h>
#include <unistd.h>

enum { PROGRAM_MAX = PATH_MAX + 16 };

/* The one that was built or installed with this program; false when its place can't be told. */
static bool beside(char path[PROGRAM_MAX])
{
	static const char name[] = "assay-load";
	ssize_t n = readlink("/proc/self/exe", path, PATH_MAX);
	if (n <= 0 || n == PATH_MAX)
		return false;
	struct slice self = { path, (size_t)n };
	while (self.n && self.p[self.n - 1] != '/')
		self.n--;
	memcpy(path + self.n, name, sizeof name);
	return true;
}

static int run_load(int argc, char **argv)
{
	char path[PROGRAM_MAX];
	(void)argc;
	if (beside(path))
		execv(path, argv);
	execvp("assay-load", argv);
	usage_error("assay-load can't be started: %s", strerror(errno));
	return EXIT_UNFINISHED;
}

const struct command command_load = {
	.name = "load",
	.summary = "make load, and write a result file that the other commands read",
	.run_raw = run_load,
};
