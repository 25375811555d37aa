/* template: the files of templates/report as they were when the program was built. Private to report/. */
#ifndef REPORT_TEMPLATE_H
#define REPORT_TEMPLATE_H

#include <stddef.h>

struct template
{
	const char *name;           /* "html.xsl" */
	const unsigned char *bytes; /* with a NUL behind the last */
	size_t n;
};

/* Ends with name NULL. Made by scripts/embed. */
extern const struct template templates[];

#endif
