#include "report/document.h"

#include "base/num.h"
#include "model/publish.h"

static void check(struct document *d, int written)
{
	if (written < 0)
		d->failed = true;
}

/* U+FFFE and U+FFFF are valid UTF-8 but no XML. */
static void without_noncharacters(struct buf *b)
{
	for (size_t i = 0; i + 2 < b->n; i++)
		if (memcmp(b->p + i, "\xef\xbf\xbe", 3) == 0 || memcmp(b->p + i, "\xef\xbf\xbf", 3) == 0)
			b->p[i + 2] = '\xbd'; /* U+FFFD, the replacement character */
}

static void put(struct document *d, const char *attribute, struct slice s)
{
	struct buf b = BUF_EMPTY;
	buf_printable(&b, s);
	without_noncharacters(&b);
	const xmlChar *clean = BAD_CAST(b.p ? b.p : "");
	check(d, attribute ? xmlTextWriterWriteAttribute(d->w, BAD_CAST attribute, clean)
			   : xmlTextWriterWriteString(d->w, clean));
	buf_free(&b);
}

void elem(struct document *d, const char *name)
{
	check(d, xmlTextWriterStartElement(d->w, BAD_CAST name));
}

void elem_end(struct document *d)
{
	check(d, xmlTextWriterEndElement(d->w));
}

void attr_slice(struct document *d, const char *name, struct slice value)
{
	put(d, name, value);
}

void attr(struct document *d, const char *name, const char *value)
{
	put(d, name, slice_of(value));
}

void attr_number(struct document *d, const char *name, double value)
{
	char text[NUM_FORMAT_SIZE];
	num_format(text, value);
	attr(d, name, text);
}

void attr_id(struct document *d, const char *name, const char *prefix, size_t number)
{
	attr(d, name, arena_printf(d->arena, "%s%zu", prefix, number));
}

void text_slice(struct document *d, struct slice s)
{
	put(d, NULL, s);
}

void text(struct document *d, const char *s)
{
	put(d, NULL, slice_of(s));
}

void elem_slice(struct document *d, const char *name, struct slice s)
{
	elem(d, name);
	text_slice(d, s);
	elem_end(d);
}

void elem_text(struct document *d, const char *name, const char *s)
{
	elem_slice(d, name, slice_of(s));
}

size_t evidence_id(struct document *d, const struct source *source)
{
	if (!source)
		return 0;
	for (size_t i = 0; i < d->n_evidence; i++)
		if (d->evidence[i].source == source)
			return i + 1;
	*ARENA_PUSH(d->arena, d->evidence, d->n_evidence, d->evidence_cap) = (struct evidence){ source, NULL };
	return d->n_evidence;
}

size_t subject_id(const struct document *d, struct slice name)
{
	for (size_t i = 0; i < d->n_subjects; i++)
		if (slice_eq(d->subjects[i], name))
			return i + 1;
	return 0;
}

size_t run_id(const struct document *d, const struct run *run)
{
	for (size_t i = 0; run && i < d->report->data->n_runs; i++)
		if (d->report->data->runs[i] == run)
			return i + 1;
	return 0;
}

void attr_evidence(struct document *d, struct pos pos)
{
	if (!pos.source)
		return;
	attr_id(d, "input", "i", evidence_id(d, pos.source));
	if (pos.line)
		attr_number(d, "line", pos.line);
}

void write_figure(struct document *d, const struct figure *f, const char *shown)
{
	elem(d, "figure");
	attr_number(d, "value", f->value);
	attr(d, "unit", unit_name(f->unit));
	attr(d, "basis", f->basis);
	if (f->how)
		attr(d, "how", f->how);
	attr_evidence(d, f->pos);
	if (f->printed.n) {
		struct buf b = BUF_EMPTY;
		buf_slice(&b, f->printed);
		if (f->suffix)
			buf_printf(&b, " %s", f->suffix);
		attr_slice(d, "printed", buf_view(&b));
		buf_free(&b);
	}
	if (f->marks & RESULT_ESTIMATED)
		attr(d, "estimated", "yes");
	text(d, arena_printf(d->arena, "%s%s", shown, publish_marks(f->marks)));
	elem_end(d);
}

struct figure figure_of(const struct result *r)
{
	return (struct figure){ .value = r->q.value,
		.unit = r->q.unit,
		.basis = r->flags & RESULT_PUBLISHED ? "published" : r->flags & RESULT_DERIVED ? "recomputed" : "printed",
		.pos = r->q.pos,
		.printed = r->q.text,
		.suffix = r->q.suffix,
		.marks = r->flags & RESULT_MARKS };
}

void table_begin(struct document *d, const char *caption)
{
	elem(d, "table");
	attr_id(d, "id", "t", ++d->tables);
	elem_text(d, "caption", caption);
}

void table_column(struct document *d, const char *kind, const char *title, const char *unit)
{
	table_grouped_column(d, kind, NULL, title, unit);
}

void table_grouped_column(
	struct document *d, const char *kind, const char *group, const char *title, const char *unit)
{
	elem(d, "column");
	attr(d, "kind", kind);
	if (group && *group)
		attr(d, "group", group);
	if (unit && *unit)
		attr(d, "unit", unit);
	text(d, title);
	elem_end(d);
}

void table_row(struct document *d)
{
	elem(d, "row");
}

static void cell_open(struct document *d, const char *mark)
{
	elem(d, "cell");
	if (mark)
		attr(d, "mark", mark);
}

void cell(struct document *d, const char *mark, const char *s)
{
	cell_open(d, mark);
	text(d, s);
	elem_end(d);
}

void cell_slice(struct document *d, struct slice s)
{
	cell_open(d, NULL);
	text_slice(d, s);
	elem_end(d);
}

void cell_detail(struct document *d, struct slice s, const char *detail)
{
	cell_open(d, NULL);
	if (*detail)
		attr(d, "detail", detail);
	text_slice(d, s);
	elem_end(d);
}

void cell_figure(struct document *d, const char *mark, const struct figure *f, const char *shown)
{
	cell_open(d, mark);
	write_figure(d, f, shown);
	elem_end(d);
}

void cell_figure_detail(
	struct document *d, const char *mark, const struct figure *f, const char *shown, const char *detail)
{
	cell_open(d, mark);
	if (detail)
		attr(d, "detail", detail);
	write_figure(d, f, shown);
	elem_end(d);
}

void cell_none(struct document *d)
{
	cell(d, NULL, "\xe2\x80\x93");
}

void row_end(struct document *d)
{
	elem_end(d);
}

void table_end(struct document *d, const char *note)
{
	if (note)
		elem_text(d, "note", note);
	elem_end(d);
}

struct chart *chart_new(struct document *d, const char *title, const char *subtitle, const char *description)
{
	struct chart *c = ARENA_NEW(d->arena, struct chart);
	*ARENA_PUSH(d->arena, d->charts, d->n_charts, d->chart_cap) = c;
	*c = (struct chart){ .id = arena_printf(d->arena, "c%zu", d->n_charts),
		.title = title,
		.subtitle = subtitle,
		.description = description,
		.y_factor = 1,
		.x_title = "" };
	return c;
}

static void legend_entry(struct document *d, unsigned style, const char *name)
{
	elem(d, "entry");
	attr_number(d, "n", style);
	text(d, name);
	elem_end(d);
}

void chart_open(struct document *d, const struct chart *c)
{
	elem(d, "chart");
	attr(d, "id", c->id);
	attr(d, "kind", c->kind == CHART_BARS ? "bars" : c->kind == CHART_ROWS ? "rows" : "lines");
	if (c->open)
		attr(d, "open", "yes");
	elem_text(d, "title", c->title);
	elem_text(d, "subtitle", c->subtitle);
	elem_text(d, "description", c->description);
	if (!c->legend && (c->kind == CHART_LINES || c->n_series < 2))
		return;
	elem(d, "legend");
	for (size_t i = 0; i < c->n_series; i++)
		legend_entry(d, c->series[i].style, c->series[i].name);
	for (size_t i = 0; i < c->n_strips; i++)
		legend_entry(d, c->strips[i].style, c->strips[i].name);
	elem_end(d);
}

void chart_close(struct document *d)
{
	elem_end(d);
}
