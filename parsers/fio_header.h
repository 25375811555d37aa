/* fio_header: what fio prints around its results in text and terse output: job definitions, its version, messages.
 *
 * A rule set that uses FIO_HEADER_RULES has a struct fio_header as the first member of its state. A definition that
 * follows results begins another document, which is a run of its own. */
#ifndef PARSERS_FIO_HEADER_H
#define PARSERS_FIO_HEADER_H

#include "parsers/rules.h"

/* Of one document. Those beyond are not kept: their jobs get no params. */
enum { FIO_DEFINITIONS_MAX = 512 };

/* "name: (g=0): rw=randread, bs=(R) 4096B-4096B, …": what a job was told, normalized; empty: not shown exactly. */
struct fio_definition {
	struct slice host, name, group, version;
	struct slice rw, bs, iodepth, ioengine;
	struct pos pos;
};

struct fio_header {
	struct fio_definition *v;
	size_t n, cap;
	bool over;            /* there were more */
	struct slice version;
	unsigned document;    /* from 0 */
	bool reported;        /* this document has shown results */
	struct slice signal;  /* number of the signal that ended it; empty: none is told of */
	struct pos signal_pos;
};

/* Gives the open block the params and the version that its definition shows, and the signal that ended the run. `jobs`: how many jobs it sums up; 0: not
 * known. Of a sum over several definitions, and where none fits, there are none. */
void fio_header_describe(struct rules *r, struct slice host, struct slice group, struct slice name, uint64_t jobs);
/* Whether the one definition that fits a job says that it does I/O in several directions (rw=randrw). */
bool fio_header_mixes(const struct fio_header *h, struct slice host, struct slice group, struct slice name);
/* Whether a client printed definitions of this host. */
bool fio_header_knows(const struct fio_header *h, struct slice host);

/* "0", "0.000000". */
bool fio_zero(struct slice number);

#define FIO_SIGNAL "fio: terminating on signal "
/* How grave a line is that fio writes beside its results ("fio: pid=1, err=28/…"). */
enum severity fio_message_severity(struct slice line);
/* Signature bits of text in which fio says why there are no results; 0: none. */
int fio_message_bits(struct slice text);

/* The actions of the rules. */
bool fio_header_definition(struct rules *r);
bool fio_header_version(struct rules *r);
bool fio_header_message(struct rules *r);
bool fio_header_usage(struct rules *r);
bool fio_header_json(struct rules *r);

#define FIO_KEEP(name) { .as = FIELD_KEEP, .group = name }
#define FIO_HOST "(?:<(?<host>[^<>]{1,255})> +)?"

#define FIO_DEFINITION(name) \
	FIO_HOST "(?<name>" name "): \\(g=(?<group>\\d+)\\): rw=(?<rw>\\w+)\\b[^=]{0,40}, (?:odir=\\d+, )?" \
	"bs=(?<bs>.{1,200}?), ioengine=(?<engine>[^,\\s]+), iodepth=(?<depth>\\d+)"
#define FIO_DEFINITION_FIELDS FIELDS(FIO_KEEP("host"), FIO_KEEP("name"), FIO_KEEP("group"), FIO_KEEP("rw"), FIO_KEEP("bs"), \
	FIO_KEEP("engine"), FIO_KEEP("depth"))

/* `start` and `after`: the sections before and behind a definition; `on_definition`: fio_header_definition or what calls it. */
#define FIO_HEADER_RULES(start, after, on_definition) \
	{ \
		.id = "definition", .to = after, .action = on_definition, \
		.pattern = FIO_DEFINITION(".{1,512}?"), \
		.sample = "my mix: (g=0): rw=randrw, bs=4K-4K/4K-4K/4K-4K, ioengine=libaio, iodepth=4", \
		.fields = FIO_DEFINITION_FIELDS, \
	}, { \
		.id = "client", .action = fio_header_version, \
		.pattern = "hostname=[^,]{1,255}, be=\\d, .{0,200}\\bfio=(?<version>[^,\\s]+)", \
		.sample = "hostname=vm, be=0, 64-bit, os=Linux, arch=x86-64, fio=fio-3.33, flags=1", \
		.fields = FIELDS(FIO_KEEP("version")), \
	}, { \
		.id = "version", .in = (start) | (after), .action = fio_header_version, \
		.pattern = "(?<version>fio-\\d+\\.\\S+)$", .sample = "fio-3.42-135-gf5344", \
		.fields = FIELDS(FIO_KEEP("version")), \
	}, { \
		.id = "version-bare", .in = after, .action = fio_header_version, \
		.pattern = "(?<version>\\d+\\.\\d+(?:\\.\\d+)*)$", .sample = "2.0.8", \
		.fields = FIELDS(FIO_KEEP("version")), \
	}, { \
		.id = "message", .action = fio_header_message, \
		.pattern = FIO_HOST "(?<text>(?:fio|note): \\S.*)", \
		.sample = "fio: pid=2794, err=28/file:io_u.c:1876, func=io_u error, error=No space left on device", \
		.fields = FIELDS(FIO_KEEP("host"), FIO_KEEP("text")), \
	}, { \
		.id = "usage", .in = start, .action = fio_header_usage, \
		.pattern = "(?:\\S*fio[^\\s/]*: unrecognized option |valid values: read +Sequential read)", \
		.sample = "valid values: read       Sequential read", \
	}, { \
		.id = "json", .action = fio_header_json, \
		.pattern = "\"fio version\" ?: ?\"", .sample = "\"fio version\" : \"fio-3.33\"," \
	}

#endif
