#include "report/document.h"
#include "report/template.h"

#include <libxml/HTMLtree.h>
#include <libxml/parser.h>
#include <libxml/relaxng.h>
#include <libxslt/documents.h>
#include <libxslt/security.h>
#include <libxslt/transform.h>
#include <libxslt/variables.h>
#include <libxslt/xsltutils.h>
#include <limits.h>

enum { PARSE_OPTIONS = XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING };

static const struct template *template_find(const char *name)
{
	for (const struct template *t = templates; t->name; t++)
		if (strcmp(t->name, name) == 0)
			return t;
	return NULL;
}

/* Style sheets come from the program itself, by their base name; nothing else is ever loaded. */
static xmlDocPtr load_template(const xmlChar *uri, xmlDictPtr dict, int options, void *ctx, xsltLoadType type)
{
	(void)dict;
	(void)options;
	(void)ctx;
	(void)type;
	const char *slash = strrchr((const char *)uri, '/');
	const struct template *t = template_find(slash ? slash + 1 : (const char *)uri);
	return t ? xmlReadMemory((const char *)t->bytes, (int)t->n, t->name, NULL, PARSE_OPTIONS) : NULL;
}

static xsltStylesheetPtr style_of(const char *name)
{
	xsltSetLoaderFunc(load_template);
	xmlDocPtr doc = load_template(BAD_CAST name, NULL, 0, NULL, XSLT_LOAD_START);
	xsltStylesheetPtr style = doc ? xsltParseStylesheetDoc(doc) : NULL;
	if (doc && !style)
		xmlFreeDoc(doc);
	xsltSetLoaderFunc(NULL);
	return style;
}

static xsltSecurityPrefsPtr locked(void)
{
	static const xsltSecurityOption options[] = { XSLT_SECPREF_READ_FILE, XSLT_SECPREF_WRITE_FILE,
		XSLT_SECPREF_CREATE_DIRECTORY, XSLT_SECPREF_READ_NETWORK, XSLT_SECPREF_WRITE_NETWORK };
	xsltSecurityPrefsPtr prefs = xsltNewSecurityPrefs();
	for (size_t i = 0; prefs && i < sizeof options / sizeof *options; i++)
		xsltSetSecurityPrefs(prefs, options[i], xsltSecurityForbid);
	return prefs;
}

static xmlDocPtr transform(xmlDocPtr doc, const char *name)
{
	xsltStylesheetPtr style = style_of(name);
	xsltSecurityPrefsPtr prefs = locked();
	xsltTransformContextPtr ctx = style ? xsltNewTransformContext(style, doc) : NULL;
	const struct template *css = template_find("report.css");
	xmlDocPtr result = NULL;
	if (ctx && prefs && css && xsltSetCtxtSecurityPrefs(prefs, ctx) == 0) {
		xsltQuoteOneUserParam(ctx, BAD_CAST "css", BAD_CAST css->bytes);
		result = xsltApplyStylesheetUser(style, doc, NULL, NULL, NULL, ctx);
		if (result && ctx->state != XSLT_STATE_OK) {
			xmlFreeDoc(result);
			result = NULL;
		}
	}
	if (ctx)
		xsltFreeTransformContext(ctx);
	xsltFreeSecurityPrefs(prefs);
	xsltFreeStylesheet(style);
	return result;
}

/* The element alone, so that the serializer adds neither an old document type nor a second character set. */
static bool serialize(xmlDocPtr html, struct buf *out)
{
	xmlNodePtr root = xmlDocGetRootElement(html);
	xmlBufferPtr bytes = xmlBufferCreate();
	xmlOutputBufferPtr to = bytes ? xmlOutputBufferCreateBuffer(bytes, NULL) : NULL;
	bool ok = root && to;
	if (ok) {
		htmlNodeDumpFormatOutput(to, html, root, "UTF-8", 0);
		ok = xmlOutputBufferClose(to) >= 0;
		buf_str(out, "<!DOCTYPE html>\n");
		buf_put(out, xmlBufferContent(bytes), (size_t)xmlBufferLength(bytes));
		buf_char(out, '\n');
	}
	if (bytes)
		xmlBufferFree(bytes);
	return ok;
}

static xmlNodePtr chart_element(xmlNodePtr node, const char *id)
{
	for (; node; node = node->next) {
		if (node->type != XML_ELEMENT_NODE)
			continue;
		xmlChar *own = xmlStrEqual(node->name, BAD_CAST "chart") ? xmlGetNoNsProp(node, BAD_CAST "id") : NULL;
		bool found = own && strcmp((const char *)own, id) == 0;
		xmlFree(own);
		xmlNodePtr inner = found ? node : chart_element(node->children, id);
		if (inner)
			return inner;
	}
	return NULL;
}

static bool add_pictures(const struct document *d, xmlDocPtr doc, struct diags *diags)
{
	xmlNodePtr *picture = ARENA_ARRAY(d->arena, d->n_charts, xmlNodePtr);
	const char *gnuplot = d->report->gnuplot ? d->report->gnuplot : "gnuplot";
	bool ok = charts_draw(gnuplot, d->charts, d->n_charts, doc, picture, diags);
	for (size_t i = 0; i < d->n_charts; i++) {
		xmlNodePtr chart = picture[i] ? chart_element(xmlDocGetRootElement(doc), d->charts[i]->id) : NULL;
		if (chart)
			xmlAddChild(chart, picture[i]);
		else if (picture[i])
			xmlFreeNode(picture[i]);
	}
	return ok;
}

enum status report_html(const struct report *r, struct buf *out, struct diags *diags)
{
	struct arena arena = ARENA_EMPTY;
	struct document d;
	struct buf xml = BUF_EMPTY;
	enum status status = STATUS_FATAL;
	xmlDocPtr doc = NULL, html = NULL;
	if (document_write(&d, r, &arena, &xml, diags) && xml.n <= INT_MAX)
		doc = xmlReadMemory(
			xml.p, (int)xml.n, "report.xml", NULL, PARSE_OPTIONS | XML_PARSE_HUGE | XML_PARSE_NOBLANKS);
	if (doc) {
		bool drawn = !r->want_charts || !d.n_charts || add_pictures(&d, doc, diags);
		html = transform(doc, "html.xsl");
		if (html && serialize(html, out))
			status = drawn ? STATUS_OK : STATUS_WARN;
	}
	if (status == STATUS_FATAL)
		diag_add(diags, DIAG_ERROR, POS_NONE, "no report: the page could not be made from the document");
	xmlFreeDoc(html);
	xmlFreeDoc(doc);
	buf_free(&xml);
	arena_free(&arena);
	return status;
}

static void on_violation(void *ctx, xmlErrorPtr e)
{
	struct buf message = BUF_EMPTY;
	buf_slice(&message, slice_trim(slice_of(e->message ? e->message : "does not conform")));
	diag_add(ctx, DIAG_ERROR, POS_NONE, "line %d: %s", e->line, message.n ? message.p : "");
	buf_free(&message);
}

enum status report_validate(struct slice xml, struct diags *diags)
{
	const struct template *t = template_find("report.rng");
	xmlRelaxNGParserCtxtPtr parser = t ? xmlRelaxNGNewMemParserCtxt((const char *)t->bytes, (int)t->n) : NULL;
	xmlRelaxNGPtr schema = parser ? xmlRelaxNGParse(parser) : NULL;
	xmlRelaxNGValidCtxtPtr check = schema ? xmlRelaxNGNewValidCtxt(schema) : NULL;
	xmlDocPtr doc = xml.n <= INT_MAX
				? xmlReadMemory(xml.p, (int)xml.n, "report.xml", NULL, PARSE_OPTIONS | XML_PARSE_HUGE)
				: NULL;
	enum status status = STATUS_REJECT;
	if (!doc) {
		diag_add(diags, DIAG_ERROR, POS_NONE, "this is no well-formed XML");
	} else if (check) {
		xmlRelaxNGSetValidStructuredErrors(check, on_violation, diags);
		status = xmlRelaxNGValidateDoc(check, doc) == 0 ? STATUS_OK : STATUS_REJECT;
	}
	xmlFreeDoc(doc);
	xmlRelaxNGFreeValidCtxt(check);
	xmlRelaxNGFree(schema);
	xmlRelaxNGFreeParserCtxt(parser);
	return status;
}
