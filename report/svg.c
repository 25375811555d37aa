#include "report/gnuplot.h"

#include <libxml/parser.h>
#include <limits.h>
#include <stdio.h>

/* What an element inherits from the groups around it. */
struct context {
	unsigned colour;   /* code of stroke or fill; 0: none of ours */
	const char *width; /* stroke-width, of the group that sets it */
	const char *anchor;
	const char *transform; /* of a text's group */
};

struct adoption {
	xmlDocPtr doc;
	xmlNodePtr svg;
	xmlNsPtr ns;
	const char *const *texts;
	size_t n_texts;
};

enum { DEPTH = 16 };

static const char *get(xmlNodePtr node, const char *name)
{
	for (xmlAttrPtr a = node->properties; a; a = a->next)
		if (xmlStrEqual(a->name, BAD_CAST name) && a->children)
			return (const char *)a->children->content;
	return NULL;
}

/* "rgb(  0,   0,  17)" -> 17; 0 for what is none of our codes. */
static unsigned colour_code(const char *s)
{
	if (!s || strncmp(s, "rgb(", 4) != 0)
		return 0;
	unsigned part[3] = { 0 }, k = 0;
	for (s += 4; *s && *s != ')'; s++) {
		if (*s == ',' && ++k > 2)
			return 0;
		if (*s >= '0' && *s <= '9' && part[k] < 1000)
			part[k] = part[k] * 10 + (unsigned)(*s - '0');
	}
	return part[0] || part[1] ? 0 : part[2];
}

static const char *role(unsigned code)
{
	static const char *const name[] = {
		[COLOUR_AXIS] = "k-axis",
		[COLOUR_GRID] = "k-grid",
		[COLOUR_WINDOW] = "k-window",
		[COLOUR_MEAN] = "k-mean",
		[COLOUR_FIT] = "k-fit",
		[COLOUR_LIMIT] = "k-limit",
		[COLOUR_BAND] = "k-band",
		[COLOUR_TICK] = "k-tick",
		[COLOUR_STRONG] = "k-strong",
		[COLOUR_TEXT] = "k-text",
	};
	return code < sizeof name / sizeof *name ? name[code] : NULL;
}

static xmlNodePtr add(struct adoption *a, const char *name, const char *kind, unsigned code)
{
	xmlNodePtr e = xmlNewChild(a->svg, a->ns, BAD_CAST name, NULL);
	char class[32];
	if (code > COLOUR_SERIES && code <= COLOUR_SERIES + CHART_SERIES)
		snprintf(class, sizeof class, "%s k-s%u", kind, code - COLOUR_SERIES);
	else
		snprintf(class, sizeof class, "%s", role(code) ? role(code) : "k-text");
	xmlNewProp(e, BAD_CAST "class", BAD_CAST class);
	return e;
}

/* Runs of blanks as one, none at the ends. */
static void copy_tidy(xmlNodePtr to, const char *name, const char *value)
{
	struct buf b = BUF_EMPTY;
	for (const char *s = value; *s; s++) {
		bool blank = *s == ' ' || *s == '\n' || *s == '\t';
		if (!blank)
			buf_char(&b, *s);
		else if (b.n && b.p[b.n - 1] != ' ')
			buf_char(&b, ' ');
	}
	if (b.n && b.p[b.n - 1] == ' ')
		b.p[--b.n] = 0;
	xmlNewProp(to, BAD_CAST name, BAD_CAST(b.p ? b.p : ""));
	buf_free(&b);
}

static void take_path(struct adoption *a, xmlNodePtr node, const struct context *c)
{
	const char *d = get(node, "d"), *dash = get(node, "stroke-dasharray");
	unsigned code = colour_code(get(node, "stroke"));
	if (!d || !strpbrk(d, "Ll"))
		return;
	xmlNodePtr e = add(a, "path", "line", code ? code : c->colour);
	copy_tidy(e, "d", d);
	if (dash)
		xmlNewProp(e, BAD_CAST "stroke-dasharray", BAD_CAST dash);
	if (c->width && strcmp(c->width, "1.00") != 0)
		xmlNewProp(e, BAD_CAST "stroke-width", BAD_CAST c->width);
}

/* gnuplot's marker N is our symbol m(N+1): its names count from 0. */
static void take_marker(struct adoption *a, xmlNodePtr node)
{
	const char *ref = get(node, "href"), *transform = get(node, "transform");
	uint64_t number;
	if (!ref || !transform || strncmp(ref, "#gpPt", 5) != 0 || num_u64(slice_of(ref + 5), &number) != NUM_OK)
		return;
	xmlNodePtr e = add(a, "use", "mark", colour_code(get(node, "color")));
	char target[16];
	snprintf(target, sizeof target, "#m%u", (unsigned)(number % CHART_SERIES) + 1);
	xmlNewProp(e, BAD_CAST "href", BAD_CAST target);
	xmlNewProp(e, BAD_CAST "transform", BAD_CAST transform);
}

static void take_polygon(struct adoption *a, xmlNodePtr node)
{
	const char *points = get(node, "points");
	if (points)
		copy_tidy(add(a, "polygon", get(node, "fill-opacity") ? "haze" : "bar", colour_code(get(node, "fill"))),
			"points", points);
}

static void take_text(struct adoption *a, xmlNodePtr node, const struct context *c)
{
	uint64_t number;
	const char *token =
		node->children && node->children->type == XML_TEXT_NODE ? (const char *)node->children->content : "";
	if (token[0] != 'T' || num_u64(slice_of(token + 1), &number) != NUM_OK || number >= a->n_texts)
		return;
	xmlNodePtr e = add(a, "text", "", c->colour);
	if (c->transform)
		xmlNewProp(e, BAD_CAST "transform", BAD_CAST c->transform);
	if (c->anchor && strcmp(c->anchor, "start") != 0)
		xmlNewProp(e, BAD_CAST "text-anchor", BAD_CAST c->anchor);
	struct buf b = BUF_EMPTY;
	buf_printable(&b, slice_of(a->texts[number]));
	xmlNodeAddContentLen(e, BAD_CAST(b.p ? b.p : ""), b.n > INT_MAX ? INT_MAX : (int)b.n);
	buf_free(&b);
}

static void take(struct adoption *a, xmlNodePtr node, struct context c, unsigned depth)
{
	for (; node; node = node->next) {
		if (node->type != XML_ELEMENT_NODE || depth > DEPTH)
			continue;
		const char *name = (const char *)node->name;
		if (strcmp(name, "path") == 0) {
			take_path(a, node, &c);
		} else if (strcmp(name, "use") == 0) {
			take_marker(a, node);
		} else if (strcmp(name, "polygon") == 0) {
			take_polygon(a, node);
		} else if (strcmp(name, "text") == 0) {
			take_text(a, node, &c);
		} else if (strcmp(name, "g") == 0) {
			struct context inner = c;
			const char *width = get(node, "stroke-width"), *fill = get(node, "fill"),
				   *stroke = get(node, "stroke");
			unsigned code = colour_code(fill) ? colour_code(fill) : colour_code(stroke);
			inner.width = width ? width : c.width;
			inner.colour = code ? code : c.colour;
			inner.anchor = get(node, "text-anchor");
			inner.transform = get(node, "transform");
			take(a, node->children, inner, depth + 1);
		}
	}
}

xmlNodePtr svg_adopt(xmlDocPtr doc, struct slice svg, const char *const *texts, size_t n_texts)
{
	if (svg.n > INT_MAX)
		return NULL;
	xmlDocPtr from = xmlReadMemory(
		svg.p, (int)svg.n, "chart.svg", NULL, XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
	xmlNodePtr root = from ? xmlDocGetRootElement(from) : NULL;
	if (!root) {
		xmlFreeDoc(from);
		return NULL;
	}
	struct adoption a = { .doc = doc, .texts = texts, .n_texts = n_texts };
	a.svg = xmlNewDocNode(doc, NULL, BAD_CAST "svg", NULL);
	a.ns = xmlNewNs(a.svg, BAD_CAST "http://www.w3.org/2000/svg", NULL);
	xmlSetNs(a.svg, a.ns);
	const char *box = get(root, "viewBox");
	xmlNewProp(a.svg, BAD_CAST "viewBox", BAD_CAST(box ? box : "0 0 640 310"));
	take(&a, root->children, (struct context){ 0 }, 0);
	xmlFreeDoc(from);
	return a.svg;
}
