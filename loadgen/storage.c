/* assay-load storage. */
#include "loadgen/load.h"

static const struct load_option rows[] = {
	{ { NULL, 0, NULL, 0 }, NULL, NULL },
};

static int take(void *own, int id, const char *arg)
{
	(void)own;
	(void)id;
	(void)arg;
	return -1;
}

static int run(int argc, char **argv)
{
	struct arena a = ARENA_EMPTY;
	struct load_options o;
	int status = load_options_parse(&o, &a, &load_storage, NULL, argc, argv);
	if (status < 0)
		status = load_refuse("nothing to put load on: give files or devices");
	arena_free(&a);
	return status;
}

const struct load_kind load_storage = {
	.name = "storage",
	.summary = "reads and writes files and block devices",
	.usage = "[options] TARGET…",
	.help = "Measures storage.",
	.rows = rows,
	.take = take,
	.run = run,
};
