#include "base/ini_file.h"

#include "base/small_file.h"

#include <ini.h>

enum {
	INI_LINE = 180,  /* inih cuts longer lines without a word */
	MOST = 4096,     /* sections, and settings in each: all are compared with each other */
	NAME_MOST = 40,  /* no name that is longer is like one that is known */
};

struct reader {
	struct ini_file *file;
	struct lines lines;     /* up to which settings were taken */
	struct slice line;
	bool in_setting;        /* an indented line would go on with it */
};

void ini_wrong(struct ini_file *f, struct pos pos, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	diag_vadd(f->diags, DIAG_ERROR, pos, format, args);
	va_end(args);
	f->wrong = true;
}

/* ---- lines, as inih tells them apart ---- */

enum kind { NOTHING, HEAD, SETTING, MORE, JUNK };

/* The first of these characters, before a comment; at least the length: none. */
static size_t find_of(struct slice line, const char *chars)
{
	size_t i = 0;
	while (i < line.n && !strchr(chars, line.p[i]))
		if ((line.p[i] == ' ' || line.p[i] == '\t') && i + 1 < line.n && line.p[i + 1] == ';')
			return line.n;
		else
			i++;
	return i;
}

static enum kind kind_of(struct slice line, bool in_setting)
{
	struct slice bare = slice_trim(line);
	bool indented = bare.n && bare.p > line.p;
	if (!bare.n || bare.p[0] == ';' || bare.p[0] == '#')
		return NOTHING;
	if (indented && in_setting)
		return MORE;
	if (bare.p[0] == '[')
		return find_of(bare, "]") < bare.n ? HEAD : JUNK;
	size_t separator = find_of(bare, "=:");
	return separator > 0 && separator < bare.n ? SETTING : JUNK;
}

static struct slice without_mark(struct slice data)
{
	return slice_starts(data, "\xef\xbb\xbf") ? slice_from(data, 3) : data;
}

/* Blanks of inih's that are none of ours, and the zero byte that ends a text. */
static size_t find_control(struct slice line)
{
	size_t i = 0;
	while (i < line.n && ((unsigned char)line.p[i] >= ' ' || line.p[i] == '\t'))
		i++;
	return i;
}

static void check_lines(struct ini_file *f)
{
	struct lines l = lines_of(f->source);
	struct slice line;
	bool in_section = false, in_setting = false;
	while (lines_next(&l, &line)) {
		struct slice bare = l.line == 1 ? without_mark(line) : line;
		enum kind kind = kind_of(bare, in_setting);
		size_t control = find_control(line);
		if (line.n > INI_LINE)
			ini_wrong(f, lines_pos(&l, line.p + INI_LINE), "the line is longer than %d bytes: go on in an indented line "
				"below it", INI_LINE);
		if (control < line.n)
			ini_wrong(f, lines_pos(&l, line.p + control), "holds a control character");
		else if (kind == JUNK)
			ini_wrong(f, lines_pos(&l, slice_trim(bare).p), "is neither [section] nor key = value");
		else if (kind == SETTING && !in_section)
			ini_wrong(f, lines_pos(&l, slice_trim(bare).p), "stands in no section");
		in_section |= kind == HEAD;
		in_setting = kind == HEAD ? false : kind == SETTING ? true : in_setting;
	}
}

/* ---- settings ---- */

static void take_head(struct reader *r)
{
	struct ini_file *f = r->file;
	struct slice title = slice_from(slice_trim(r->line), 1), name;
	struct pos pos = lines_pos(&r->lines, title.p);
	title = name = slice_trim(slice_head(title, find_of(title, "]")));
	struct ini_section s = { .title = title, .kind = SLICE(""), .pos = pos };
	slice_word(&name, &s.kind);
	s.name = slice_trim(name);
	if (f->n == MOST) {
		ini_wrong(f, pos, "there are more than %d sections", MOST);
		return;
	}
	for (size_t i = 0; i < f->n; i++)
		if (slice_eq(f->sections[i].kind, s.kind) && slice_eq(f->sections[i].name, s.name))
			ini_wrong(f, pos, "there is a section [%.*s] before", SLICE_ARG(title));
	*ARENA_PUSH(f->arena, f->sections, f->n, f->cap) = s;
}

/* On to the line of the setting that inih tells of next; past all heads before it. False at the end. */
static bool next_line(struct reader *r, enum kind *kind)
{
	while (lines_next(&r->lines, &r->line)) {
		r->line = r->lines.line == 1 ? without_mark(r->line) : r->line;
		*kind = kind_of(r->line, r->in_setting);
		if (*kind == HEAD) {
			take_head(r);
			r->in_setting = false;
		} else if (*kind != NOTHING) {
			return true;
		}
	}
	return false;
}

static void new_setting(struct reader *r, struct ini_section *s, struct slice key)
{
	struct pos pos = lines_pos(&r->lines, key.p);
	size_t dot = slice_find_char(key, '.');
	r->in_setting = true;
	if (s->n == MOST) {
		ini_wrong(r->file, pos, "there are more than %d settings in this section", MOST);
		return;
	}
	for (size_t i = 0; i < s->n; i++)
		if (slice_eq(s->settings[i].key, key))
			ini_wrong(r->file, pos, "%.*s is set in line %u", SLICE_ARG(key), s->settings[i].pos.line);
	*ARENA_PUSH(r->file->arena, s->settings, s->n, s->cap) = (struct ini_setting){ .key = key,
		.suffix = dot < key.n ? slice_from(key, dot + 1) : SLICE(""), .pos = pos };
}

/* inih tells values, in order; section and key are read here, as it cuts long ones. */
static int on_setting(void *user, const char *section, const char *key, const char *value)
{
	struct reader *r = user;
	struct arena *a = r->file->arena;
	enum kind kind;
	(void)section;
	(void)key;
	if (!next_line(r, &kind))
		return 1;
	struct ini_section *section_now = &r->file->sections[r->file->n - 1];
	struct slice at = slice_trim(r->line);
	if (kind == SETTING) {
		size_t separator = find_of(at, "=:");
		new_setting(r, section_now, slice_trim(slice_head(at, separator)));
		at = slice_trim(slice_from(at, separator + 1));
	}
	struct ini_setting *s = &section_now->settings[section_now->n - 1];
	*ARENA_PUSH(a, s->pieces, s->n, s->cap) = (struct ini_piece){ arena_copy(a, slice_of(value)),
		lines_pos(&r->lines, at.p) };
	return 1;
}

static void join_pieces(struct arena *a, struct ini_setting *s)
{
	struct buf b = BUF_EMPTY;
	for (size_t i = 0; i < s->n; i++) {
		buf_str(&b, b.n && s->pieces[i].text.n ? " " : "");
		buf_slice(&b, s->pieces[i].text);
	}
	s->text = arena_copy(a, buf_view(&b));
	buf_free(&b);
}

struct ini_file *ini_file_parse(struct arena *a, struct source *source, const struct ini_kind *kind,
	struct diags *diags)
{
	struct ini_file *f = ARENA_NEW(a, struct ini_file);
	struct reader r = { .file = f, .lines = lines_of(source) };
	enum kind last;
	*f = (struct ini_file){ .kind = kind, .arena = a, .diags = diags, .source = source };
	check_lines(f);
	if (f->wrong)
		return NULL;
	ini_parse_string(source->data.p, on_setting, &r);
	while (next_line(&r, &last))
		continue;
	for (size_t i = 0; i < f->n; i++)
		for (size_t k = 0; k < f->sections[i].n; k++)
			join_pieces(a, &f->sections[i].settings[k]);
	return f->wrong ? NULL : f;
}

struct ini_file *ini_file_read(struct arena *a, const char *path, const struct ini_kind *kind, struct diags *diags)
{
	struct source *source = small_file_read(a, path, arena_printf(a, "%s file", kind->title), diags);
	return source ? ini_file_parse(a, source, kind, diags) : NULL;
}

/* ---- what is known ---- */

/* "receive[.IFACE]": "receive" */
static struct slice stem_of(const char *form)
{
	return slice_head(slice_of(form), strcspn(form, " .["));
}

/* Whether that is a name of this form; `parted`: something separates the stem from the name, which may be empty. */
static bool fits(const char *form, struct slice stem, bool parted, struct slice name)
{
	struct slice known = stem_of(form);
	char next = form[known.n];
	return slice_eq(known, stem) && (next == '\0' ? !parted : name.n > 0 || (next == '[' && !parted));
}

static const struct ini_key *row_at(const struct ini_kind *k, size_t i)
{
	return (const struct ini_key *)(const void *)((const char *)k->rows + i * k->size);
}

static bool same_section(const struct ini_key *row, const struct ini_section *s)
{
	return slice_eq(stem_of(row->section), s->kind);
}

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Letters to change, add or leave out; two that are swapped are one. */
static unsigned edits(struct slice a, struct slice b)
{
	unsigned row[3][NAME_MOST + 1];
	if (a.n > NAME_MOST || b.n > NAME_MOST)
		return NAME_MOST;
	for (unsigned k = 0; k <= b.n; k++)
		row[0][k] = k;
	for (unsigned i = 1; i <= a.n; i++) {
		unsigned *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
		now[0] = i;
		for (unsigned k = 1; k <= b.n; k++) {
			now[k] = least(least(now[k - 1], last[k]) + 1, last[k - 1] + (a.p[i - 1] != b.p[k - 1]));
			if (i > 1 && k > 1 && a.p[i - 1] == b.p[k - 2] && a.p[i - 2] == b.p[k - 1])
				now[k] = least(now[k], before[k - 2] + 1);
		}
	}
	return row[a.n % 3][b.n];
}

/* Names that there are. */
struct names {
	const char **v;
	size_t n, cap;
};

static void add_name(struct arena *a, struct names *names, const char *name)
{
	for (size_t i = 0; i < names->n; i++)
		if (strcmp(names->v[i], name) == 0)
			return;
	*ARENA_PUSH(a, names->v, names->n, names->cap) = name;
}

/* The name that is meant; NULL: none is like it. */
static const char *nearest(const struct names *names, struct slice written)
{
	const char *found = NULL;
	unsigned fewest = NAME_MOST;
	for (size_t i = 0; i < names->n; i++) {
		struct slice stem = stem_of(names->v[i]);
		unsigned n = edits(stem, written);
		if (n < fewest && 3 * n <= (stem.n > written.n ? stem.n : written.n)) {
			found = names->v[i];
			fewest = n;
		}
	}
	return found;
}

/* "there are [a], [b] and [c]" */
static const char *listed(struct arena *a, const struct names *names, const char *before, const char *behind)
{
	struct buf b = BUF_EMPTY;
	for (size_t i = 0; i < names->n; i++)
		buf_printf(&b, "%s%s%s%s", i == 0 ? "there are " : i + 1 < names->n ? ", " : " and ", before, names->v[i], behind);
	const char *text = arena_string(a, buf_view(&b));
	buf_free(&b);
	return text;
}

bool ini_section_known(struct ini_file *f, const struct ini_section *s)
{
	struct names names = { 0 };
	for (size_t i = 0; i < f->kind->n; i++) {
		const struct ini_key *row = row_at(f->kind, i);
		if (fits(row->section, s->kind, s->name.n > 0, s->name))
			return true;
		if (same_section(row, s) && !s->name.n) {
			ini_wrong(f, s->pos, "[%.*s] needs a name: [%s]", SLICE_ARG(s->title), row->section);
			return false;
		}
		add_name(f->arena, &names, row->section);
	}
	const char *near = nearest(&names, s->kind);
	ini_wrong(f, s->pos, "[%.*s] is no section of %s; %s", SLICE_ARG(s->title), f->kind->title,
		near ? arena_printf(f->arena, "did you mean [%s]?", near) : listed(f->arena, &names, "[", "]"));
	return false;
}

static void unknown_key(struct ini_file *f, const struct ini_section *s, const struct ini_setting *setting)
{
	const struct ini_kind *kind = f->kind;
	struct names names = { 0 };
	for (size_t i = 0; i < kind->n; i++)
		if (same_section(row_at(kind, i), s))
			add_name(f->arena, &names, row_at(kind, i)->key);
	const char *near = nearest(&names, slice_head(setting->key, slice_find_char(setting->key, '.')));
	ini_wrong(f, setting->pos, "%.*s is no setting of [%.*s]; %s", SLICE_ARG(setting->key), SLICE_ARG(s->title),
		near ? arena_printf(f->arena, "did you mean %s?", near) :
		kind->unknown.section && same_section(&kind->unknown, s) ? kind->unknown.key : listed(f->arena, &names, "", ""));
}

const void *ini_row(struct ini_file *f, const struct ini_section *s, const struct ini_setting *setting)
{
	size_t dot = slice_find_char(setting->key, '.');
	const struct ini_key *row = NULL;
	for (size_t i = 0; i < f->kind->n && !row; i++)
		if (same_section(row_at(f->kind, i), s) &&
		    fits(row_at(f->kind, i)->key, slice_head(setting->key, dot), dot < setting->key.n, setting->suffix))
			row = row_at(f->kind, i);
	if (!row)
		unknown_key(f, s, setting);
	return row;
}

/* ---- values ---- */

const char *ini_beside(const struct ini_file *f, struct slice path)
{
	const char *slash = strrchr(f->source->name, '/');
	int n = slice_starts(path, "/") || !slash ? 0 : (int)(slash + 1 - f->source->name);
	return arena_printf(f->arena, "%.*s%.*s", n, f->source->name, SLICE_ARG(path));
}

bool ini_word(struct ini_file *f, struct ini_words *w)
{
	size_t n = 0;
	bool quoted = false;
	while (!(w->rest = slice_trim(w->rest)).n) {
		if (w->pieces == w->setting->n)
			return false;
		w->rest = w->setting->pieces[w->pieces++].text;
	}
	const struct ini_piece *piece = &w->setting->pieces[w->pieces - 1];
	while (n < w->rest.n && (quoted || (w->rest.p[n] != ' ' && w->rest.p[n] != '\t')))
		quoted ^= w->rest.p[n++] == '"';
	w->word = slice_head(w->rest, n);
	w->rest = slice_from(w->rest, n);
	w->pos = piece->pos;
	w->pos.offset += (uint64_t)(w->word.p - piece->text.p);
	w->pos.column += (uint32_t)(w->word.p - piece->text.p);
	if (quoted)
		ini_wrong(f, w->pos, "a quote is not closed in this line");
	if (n > 1 && w->word.p[0] == '"' && w->word.p[n - 1] == '"')
		w->word = (struct slice){ w->word.p + 1, n - 2 };
	return true;
}
