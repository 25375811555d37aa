#include "ingest/ini_file.h"

#include "ingest/read.h"

#include <errno.h>
#include <ini.h>

/* inih cuts longer lines without a word. */
enum { INI_LINE = 180, FILE_LIMIT = 1 << 20 };

struct reader {
	struct arena *arena;
	struct diags *diags;
	struct ini_file *file;
	struct lines lines;     /* up to which settings were taken */
	struct slice line;
	bool in_setting;        /* an indented line would go on with it */
	bool wrong;
};

static void wrong(struct reader *r, struct pos pos, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void wrong(struct reader *r, struct pos pos, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	diag_vadd(r->diags, DIAG_ERROR, pos, format, args);
	va_end(args);
	r->wrong = true;
}

/* ---- lines, as inih tells them apart ---- */

enum kind { NOTHING, HEAD, SETTING, MORE, JUNK };

static size_t separator(struct slice line)
{
	size_t equal = slice_find_char(line, '='), colon = slice_find_char(line, ':');
	return equal < colon ? equal : colon;
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
		return slice_find_char(bare, ']') == (size_t)-1 ? JUNK : HEAD;
	return separator(bare) == (size_t)-1 || separator(bare) == 0 ? JUNK : SETTING;
}

static struct slice without_mark(struct slice data)
{
	return slice_starts(data, "\xef\xbb\xbf") ? slice_from(data, 3) : data;
}

static void check_lines(struct reader *r)
{
	struct lines l = lines_of(r->file->source);
	struct slice line;
	bool in_setting = false;
	while (lines_next(&l, &line)) {
		struct slice bare = l.line == 1 ? without_mark(line) : line;
		enum kind kind = kind_of(bare, in_setting);
		if (line.n > INI_LINE)
			wrong(r, lines_pos(&l, line.p + INI_LINE), "the line is longer than %d bytes: go on in an indented line below it",
				INI_LINE);
		if (kind == JUNK)
			wrong(r, lines_pos(&l, slice_trim(bare).p), "is neither [section] nor key = value");
		if (memchr(line.p, '\0', line.n))
			wrong(r, lines_pos(&l, line.p), "holds a zero byte");
		in_setting = kind == HEAD ? false : kind == SETTING ? true : in_setting;
	}
}

/* ---- settings ---- */

static void take_head(struct reader *r)
{
	struct ini_file *f = r->file;
	struct slice name = slice_from(slice_trim(r->line), 1);
	struct pos pos = lines_pos(&r->lines, name.p);
	size_t n = f->n_sections;
	name = slice_trim(slice_head(name, slice_find_char(name, ']')));
	for (size_t i = 0; i < f->n_sections; i++)
		if (slice_eq(f->sections[i], name))
			wrong(r, pos, "there is a section [%.*s] before", SLICE_ARG(name));
	*ARENA_PUSH(r->arena, f->section_pos, n, f->pos_cap) = pos;
	*ARENA_PUSH(r->arena, f->sections, f->n_sections, f->section_cap) = name;
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

static void new_setting(struct reader *r)
{
	struct ini_file *f = r->file;
	struct slice bare = slice_trim(r->line), key = slice_trim(slice_head(bare, separator(bare)));
	struct slice section = f->n_sections ? f->sections[f->n_sections - 1] : SLICE("");
	for (size_t i = f->n; i > 0 && slice_eq(f->settings[i - 1].section, section); i--)
		if (slice_eq(f->settings[i - 1].key, key))
			wrong(r, lines_pos(&r->lines, key.p), "%.*s is set in line %u", SLICE_ARG(key), f->settings[i - 1].pos.line);
	*ARENA_PUSH(r->arena, f->settings, f->n, f->cap) = (struct ini_setting){ .section = section, .key = key,
		.pos = lines_pos(&r->lines, key.p) };
	r->in_setting = true;
}

/* inih tells values, in order; section and key are read here, as it cuts long ones. */
static int on_setting(void *user, const char *section, const char *key, const char *value)
{
	struct reader *r = user;
	enum kind kind;
	(void)section;
	(void)key;
	if (!next_line(r, &kind))
		return 1;
	if (kind == SETTING)
		new_setting(r);
	struct slice bare = slice_trim(r->line);
	struct slice at = kind == SETTING ? slice_trim(slice_from(bare, separator(bare) + 1)) : bare;
	struct ini_setting *s = &r->file->settings[r->file->n - 1];
	*ARENA_PUSH(r->arena, s->pieces, s->n, s->cap) = (struct ini_piece){ arena_copy(r->arena, slice_of(value)),
		lines_pos(&r->lines, at.p) };
	return 1;
}

static void read_bytes_of(struct reader *r, const char *path, const char *what)
{
	struct read_buffer buffer = { 0 };
	struct slice bytes;
	struct pos pos = { .source = r->file->source };
	switch (read_whole(&buffer, path, FILE_LIMIT, &bytes)) {
	case READ_OK: r->file->source->data = arena_copy(r->arena, bytes); break;
	case READ_TOO_LARGE: wrong(r, pos, "is larger than 1 MiB: this is not %s", what); break;
	case READ_FAILED: wrong(r, pos, "can't be read: %s", strerror(errno)); break;
	}
	read_buffer_free(&buffer);
}

struct ini_file *ini_file_read(struct arena *a, const char *path, const char *what, struct diags *diags)
{
	struct reader r = { .arena = a, .diags = diags, .file = ARENA_NEW(a, struct ini_file) };
	enum kind kind;
	r.file->source = ARENA_NEW(a, struct source);
	*r.file->source = source_of(arena_string(a, slice_of(path)), SLICE_NONE);
	read_bytes_of(&r, path, what);
	if (!r.wrong)
		check_lines(&r);
	if (r.wrong)
		return NULL;
	r.lines = lines_of(r.file->source);
	ini_parse_string(r.file->source->data.p, on_setting, &r);
	while (next_line(&r, &kind))
		continue;
	return r.wrong ? NULL : r.file;
}

struct slice ini_text(struct arena *a, const struct ini_setting *s)
{
	struct buf b = BUF_EMPTY;
	for (size_t i = 0; i < s->n; i++) {
		buf_str(&b, b.n && s->pieces[i].text.n ? " " : "");
		buf_slice(&b, s->pieces[i].text);
	}
	struct slice text = arena_copy(a, buf_view(&b));
	buf_free(&b);
	return text;
}
