/* Where a command's result goes. */
#include "cli/cli.h"

#include "report/output.h"

#include <errno.h>

int write_output(const struct options *o, const struct buf *b)
{
	if (!o->output || strcmp(o->output, "-") == 0) {
		fwrite(buf_view(b).p, 1, b->n, stdout);
		return EXIT_ALL_PASS;
	}
	if (output_write(o->output, buf_view(b)))
		return EXIT_ALL_PASS;
	fprintf(stderr, "assay: error: %s: can't be written: %s\n", o->output, strerror(errno));
	return EXIT_UNFINISHED;
}
