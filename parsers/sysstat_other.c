/* What looks like sysstat's data but holds none that can be read here: each is named, with what to do instead. */
#include "parsers/sysstat.h"

/* 0xd596, then 0x2171 to 0x217f for the version of the format; both byte orders. */
static bool is_binary(struct slice head)
{
	if (head.n < 8)
		return false;
	const unsigned char *p = (const unsigned char *)head.p;
	return (p[0] == 0x96 && p[1] == 0xd5 && p[2] >= 0x70 && p[2] <= 0x7f && p[3] == 0x21) ||
		(p[0] == 0xd5 && p[1] == 0x96 && p[2] == 0x21 && p[3] >= 0x70 && p[3] <= 0x7f);
}

static int probe_binary(const struct peek *peek)
{
	return is_binary(peek->head) ? 8 * 4 + 4 : 0;
}

static enum status parse_binary(struct parse *p)
{
	if (!is_binary(p->source->data))
		return STATUS_REJECT;
	const unsigned char *v = (const unsigned char *)p->source->data.p + 4;
	parse_diag(p, DIAG_ERROR, NULL, "is a binary data file of sysstat %u.%u.%u, not read: turn it into text by that "
		"version's `sadf -d FILE -- -A >FILE.csv`, or a later one's after `sadf -c FILE >NEW`", v[0], v[1], v[2]);
	return STATUS_REJECT;
}

const struct parser parser_sysstat_binary = {
	.name = "sysstat-binary", .title = "binary data file of sysstat", .tool = "sysstat", .probe = probe_binary,
	.parse = parse_binary,
};

/* A time, then names and counters parted by "; ". */
static bool is_raw(struct slice first)
{
	struct slice line, rest = first;
	int parts = 0;
	slice_cut(&rest, '\n', &line);
	if (sysstat_clock(slice_head(line, 8), SLICE_NONE) < 0)
		return false;
	for (size_t at; (at = slice_find(line, SLICE("; "))) != (size_t)-1; line = slice_from(line, at + 2))
		parts++;
	return parts >= 4;
}

/* How a text begins, and what it has within the first kB. */
static const struct {
	const char *start, *within;
	bool (*is)(struct slice first);
	const char *what;
} kinds[] = {
	{ "System activity data file: ", "File created by ", NULL,
		"describes a binary data file (sadf -H) and holds no sample: take `sadf -d FILE -- -A`" },
	{ "", "; ", is_raw, "holds raw counters (sadf -r), not rates: take `sadf -d FILE -- -A`" },
	{ "<?xml", "<text x=\"0\" y=\"30\" text-anchor=\"start\" stroke=\"#a52a2a\">Linux ", NULL,
		"is a chart (sadf -g), from which no number is read: take `sadf -d FILE -- -A`" },
	{ "procs ---", "-memory---", NULL,
		"is output of vmstat, which is not read: its units depend on its options; take `sadf -d FILE -- -A`" },
};

static int kind_of(struct slice head)
{
	struct slice first = slice_head(head, 1024);
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (slice_starts(first, kinds[i].start) && slice_find(first, slice_of(kinds[i].within)) != (size_t)-1 &&
		    (!kinds[i].is || kinds[i].is(first)))
			return (int)i;
	return -1;
}

static int probe_unread(const struct peek *peek)
{
	int kind = kind_of(peek->head);
	return kind < 0 ? 0 : 8 * (8 + (int)strlen(kinds[kind].start));
}

static enum status parse_unread(struct parse *p)
{
	int kind = kind_of(p->source->data);
	if (kind >= 0)
		parse_diag(p, DIAG_ERROR, NULL, "%s", kinds[kind].what);
	return STATUS_REJECT;
}

const struct parser parser_sysstat_unread = {
	.name = "sysstat-unread", .title = "other output of sysstat", .tool = "sysstat", .probe = probe_unread,
	.parse = parse_unread,
};
