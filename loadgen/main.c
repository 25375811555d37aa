/* assay-load: the native load generator. */
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	if (argc > 1 && (strcmp(argv[1], "-V") == 0 || strcmp(argv[1], "--version") == 0)) {
		puts("assay-load " ASSAY_VERSION);
		return 0;
	}
	fputs("usage: assay-load [options] TARGET…\n", stderr);
	return 2;
}
