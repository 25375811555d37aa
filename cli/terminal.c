/* What only concerns the screen: widths, colour, diagnostics, tables, the progress line. */
#define _DEFAULT_SOURCE
#include "cli/cli.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

unsigned terminal_width(FILE *out)
{
	struct winsize w;
	if (!isatty(fileno(out)))
		return 0;
	return ioctl(fileno(out), TIOCGWINSZ, &w) == 0 && w.ws_col ? w.ws_col : 80;
}

bool use_color(const struct options *o, FILE *out)
{
	const char *no = getenv("NO_COLOR");
	if (o->color != COLOR_AUTO)
		return o->color == COLOR_ALWAYS;
	return isatty(fileno(out)) && !(no && *no);
}

enum severity diags_shown(const struct options *o)
{
	return o->verbose ? DIAG_NOTE : o->quiet ? DIAG_ERROR : DIAG_WARNING;
}

void print_diags(const struct options *o, const struct diags *d)
{
	struct buf b = BUF_EMPTY;
	enum severity least = diags_shown(o);
	for (const struct diag *g = d->first; g; g = g->next)
		if (g->severity >= least)
			diag_format(&b, g, use_color(o, stderr));
	if (b.n)
		fwrite(b.p, 1, b.n, stderr);
	buf_free(&b);
}

unsigned text_width(struct slice s)
{
	unsigned w = 0;
	for (size_t i = 0; i < s.n; i++) {
		/* Colour takes no room. */
		if (s.p[i] == '\033')
			while (i + 1 < s.n && s.p[i] != 'm')
				i++;
		else
			w += ((unsigned char)s.p[i] & 0xc0) != 0x80;
	}
	return w;
}

static void pad(struct buf *out, unsigned n)
{
	while (n-- > 0)
		buf_char(out, ' ');
}

struct slice printable(struct arena *a, struct slice text)
{
	struct buf b = BUF_EMPTY;
	buf_printable(&b, text);
	struct slice copy = arena_copy(a, buf_view(&b));
	buf_free(&b);
	return copy;
}

void print_wrapped(struct buf *out, struct slice text, unsigned at, unsigned indent, unsigned width)
{
	struct slice word;
	bool first = true;
	while (slice_cut(&text, ' ', &word)) {
		unsigned w = text_width(word);
		if (width && at + !first + w > width && at > indent) {
			buf_char(out, '\n');
			pad(out, indent);
			at = indent;
		} else if (!first) {
			buf_char(out, ' ');
			at++;
		}
		buf_slice(out, word);
		at += w;
		first = false;
	}
}

static void trim_right(struct buf *out)
{
	while (out->n && out->p[out->n - 1] == ' ')
		out->p[--out->n] = '\0';
}

void print_table(struct buf *out, const char *const *heads, struct slice *cells, size_t rows, size_t columns,
	const bool *right, unsigned width)
{
	unsigned widths[RESULT_COLUMNS + 8] = { 0 }, total = 0;
	size_t shown = 0;
	for (size_t c = 0; c < columns; c++) {
		widths[c] = text_width(slice_of(heads[c]));
		for (size_t r = 0; r < rows; r++) {
			unsigned w = text_width(cells[r * columns + c]);
			widths[c] = w > widths[c] ? w : widths[c];
		}
	}
	for (; shown < columns; shown++) {
		unsigned more = widths[shown] + (shown ? 2 : 0);
		if (width && shown && total + more > width)
			break;
		total += more;
	}
	for (size_t r = 0; r <= rows; r++) {
		for (size_t c = 0; c < shown; c++) {
			struct slice cell = r ? cells[(r - 1) * columns + c] : slice_of(heads[c]);
			unsigned gap = widths[c] - text_width(cell);
			pad(out, c ? 2 : 0);
			pad(out, right[c] ? gap : 0);
			buf_slice(out, cell);
			pad(out, right[c] ? 0 : gap);
		}
		trim_right(out);
		buf_char(out, '\n');
	}
	if (shown < columns) {
		buf_str(out, "(this terminal is too narrow for: ");
		for (size_t c = shown; c < columns; c++)
			buf_printf(out, "%s%s", c > shown ? ", " : "", heads[c]);
		buf_str(out, ")\n");
	}
}
