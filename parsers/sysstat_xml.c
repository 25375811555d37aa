/* XML of sadf -x, by libxml2's SAX interface: nothing is fetched, no entity is defined, no tree is built. */
#include "parsers/sysstat.h"

#include "base/num.h"

#include <libxml/parser.h>
#include <libxml/parserInternals.h>

#include <math.h>

enum { TEXT = 64 };

struct reader {
	struct parse *p;
	struct sysstat *s;
	xmlParserCtxtPtr xml;
	enum sysstat_activity activity; /* within whose element; SYSSTAT_ACTIVITIES: none */
	bool row;                       /* an element whose children are its cells is open (memory, io) */
	char text[TEXT];                /* of the innermost element */
	size_t n;
	struct pos text_pos;
	bool too_long;
	int line;                       /* where line_offset was last, from 1 */
	uint64_t line_start;
};

/* Elements that hold rows, and those that are rows. In memory and io the element itself is the row. */
static const struct {
	const char *element;
	enum sysstat_activity activity;
	const char *row;
} lists[] = {
	{ "cpu-load", SYSSTAT_CPU, "cpu" },
	{ "cpu-load-all", SYSSTAT_CPU, "cpu" },
	{ "disk", SYSSTAT_DISK, "disk-device" },
	{ "network", SYSSTAT_NETWORK, "net-dev" },
	{ "memory", SYSSTAT_MEMORY, NULL },
	{ "io", SYSSTAT_IO, NULL },
};
enum { LISTS = sizeof lists / sizeof *lists };

static int list_of(struct slice element)
{
	for (int i = 0; i < LISTS; i++)
		if (slice_is(element, lists[i].element))
			return i;
	return -1;
}

static struct slice name_of(const xmlChar *name)
{
	return slice_of((const char *)name);
}

/* ---- places ---- */

/* Lines are asked for in rising order. */
static uint64_t line_offset(struct reader *r, int line)
{
	struct slice data = r->p->source->data;
	for (; r->line < line; r->line++) {
		size_t end = slice_find_char(slice_from(data, r->line_start), '\n');
		if (end == (size_t)-1)
			break;
		r->line_start += end + 1;
	}
	return r->line_start;
}

/* Of a pointer into what the parser has before it; exact where the input is UTF-8, else that of its line. */
static struct pos pos_of(struct reader *r, const char *at)
{
	const xmlParserInput *in = r->xml->input;
	struct pos pos = { .source = r->p->source };
	if (!in)
		return pos;
	const char *base = (const char *)in->base;
	if (at >= base && at < (const char *)in->end && !(in->buf && in->buf->encoder))
		pos.offset = in->consumed + (uint64_t)(at - base);
	else
		pos.offset = line_offset(r, in->line);
	return pos;
}

/* ---- attributes: name, prefix, URI, value, behind the value ---- */

static struct slice attribute(const xmlChar **attributes, int i)
{
	const char *value = (const char *)attributes[5 * i + 3];
	return (struct slice){ value, (size_t)((const char *)attributes[5 * i + 4] - value) };
}

static struct slice attribute_named(const xmlChar **attributes, int n, const char *name)
{
	for (int i = 0; i < n; i++)
		if (slice_is(name_of(attributes[5 * i]), name))
			return attribute(attributes, i);
	return SLICE_NONE;
}

static void take_cells(struct reader *r, int n, const xmlChar **attributes)
{
	for (int i = 0; i < n; i++) {
		struct slice key = name_of(attributes[5 * i]), value = attribute(attributes, i);
		const struct sysstat_column *column = sysstat_column(r->activity, key);
		if (sysstat_names_item(r->activity, key))
			sysstat_row_item(r->s, value);
		else if (column)
			sysstat_cell(r->s, column, arena_copy(r->p->arena, value), pos_of(r, value.p));
	}
}

static void take_stamp(struct reader *r, int n, const xmlChar **attributes)
{
	struct slice date = attribute_named(attributes, n, "date"), time = attribute_named(attributes, n, "time");
	struct slice zone = attribute_named(attributes, n, "tz");
	double interval, day = sysstat_date(r->s, date, SLICE(""), pos_of(r, date.p));
	int seconds = sysstat_clock(time, SLICE_NONE);
	if (num_double(attribute_named(attributes, n, "interval"), &interval) != NUM_OK)
		interval = NAN;
	if (!slice_is(attribute_named(attributes, n, "utc"), "1") && !slice_is(zone, "UTC") && !slice_is(zone, "GMT"))
		sysstat_assumed_utc(r->s);
	sysstat_stamp(r->s, seconds < 0 ? NAN : day + seconds, interval);
}

/* ---- events ---- */

static void on_start(void *ctx, const xmlChar *local, const xmlChar *prefix, const xmlChar *uri, int n_namespaces,
	const xmlChar **namespaces, int n, int n_defaulted, const xmlChar **attributes)
{
	struct reader *r = ctx;
	struct slice name = name_of(local);
	int list = list_of(name);
	(void)prefix, (void)uri, (void)n_namespaces, (void)namespaces, (void)n_defaulted;
	r->n = 0;
	r->too_long = false;
	if (slice_is(name, "host")) {
		struct slice host = attribute_named(attributes, n, "nodename");
		sysstat_host(r->s, host, pos_of(r, host.p));
	} else if (slice_is(name, "timestamp")) {
		take_stamp(r, n, attributes);
	} else if (slice_is(name, "boot")) {
		sysstat_restart(r->s, true);
	} else if (list >= 0) {
		r->activity = lists[list].activity;
		r->row = !lists[list].row;
		if (r->row)
			sysstat_row(r->s, r->activity, false);
	} else if (r->row) {
		take_cells(r, n, attributes);
	} else if (r->activity != SYSSTAT_ACTIVITIES) {
		for (int i = 0; i < LISTS; i++)
			if (lists[i].activity == r->activity && lists[i].row && slice_is(name, lists[i].row)) {
				sysstat_row(r->s, r->activity, false);
				take_cells(r, n, attributes);
				sysstat_row_end(r->s);
				break;
			}
	}
}

static void on_end(void *ctx, const xmlChar *local, const xmlChar *prefix, const xmlChar *uri)
{
	struct reader *r = ctx;
	struct slice name = name_of(local), text = slice_trim((struct slice){ r->text, r->n });
	(void)prefix, (void)uri;
	int list = list_of(name);
	if (list >= 0 && r->activity == lists[list].activity) {
		if (r->row)
			sysstat_row_end(r->s);
		r->row = false;
		r->activity = SYSSTAT_ACTIVITIES;
	} else if (r->row && text.n && !r->too_long) {
		const struct sysstat_column *column = sysstat_column(r->activity, name);
		if (column)
			sysstat_cell(r->s, column, arena_copy(r->p->arena, text), r->text_pos);
	} else if (text.n && !r->too_long) {
		sysstat_about(r->s, name, text, r->text_pos);
	}
	r->n = 0;
}

static void on_characters(void *ctx, const xmlChar *characters, int n)
{
	struct reader *r = ctx;
	if (r->n == 0)
		r->text_pos = pos_of(r, (const char *)characters);
	r->too_long |= (size_t)n > TEXT - r->n;
	if (r->too_long)
		return;
	memcpy(r->text + r->n, characters, (size_t)n);
	r->n += (size_t)n;
}

/* ---- the document ---- */

static void say_error(struct reader *r)
{
	const xmlError *error = xmlCtxtGetLastError(r->xml);
	struct pos pos = { .source = r->p->source, .offset = error ? line_offset(r, error->line) : 0 };
	struct slice message = slice_trim(slice_of(error && error->message ? error->message : "no XML"));
	sysstat_say(r->s, DIAG_WARNING, pos, "the XML can be read only up to here (%.*s)",
		SLICE_ARG(slice_head(message, 100)));
}

static enum status parse(struct parse *p)
{
	xmlSAXHandler events = { .initialized = XML_SAX2_MAGIC, .startElementNs = on_start, .endElementNs = on_end,
		.characters = on_characters, .cdataBlock = on_characters };
	struct reader *r = ARENA_NEW(p->arena, struct reader);
	struct slice data = p->source->data;
	*r = (struct reader){ .p = p, .s = sysstat_new(p), .activity = SYSSTAT_ACTIVITIES, .line = 1 };
	r->xml = data.n ? xmlCreateMemoryParserCtxt(data.p, (int)data.n) : NULL;
	if (!r->xml)
		return sysstat_finish(r->s);
	xmlCtxtUseOptions(r->xml, XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_COMPACT);
	xmlSAXHandler *own = r->xml->sax;
	r->xml->sax = &events;
	r->xml->userData = r;
	xmlParseDocument(r->xml);
	if (!r->xml->wellFormed)
		say_error(r);
	r->xml->sax = own;
	xmlFreeDoc(r->xml->myDoc); /* declarations, if there were any */
	r->xml->myDoc = NULL;
	xmlFreeParserCtxt(r->xml);
	return sysstat_finish(r->s);
}

static int probe(const struct peek *peek)
{
	size_t at = slice_find(peek->head, SLICE("<sysstat"));
	return at != (size_t)-1 && slice_starts(slice_trim(peek->head), "<") ? 8 * 16 : 0;
}

const struct parser parser_sysstat_xml = {
	.name = "sysstat-xml", .title = "XML of sadf", .tool = "sysstat", .probe = probe, .parse = parse,
};
