/* sadf -d: rows of cells parted by semicolons, with headings before each kind; and sadf -p: a line for each figure. */
#include "parsers/sysstat.h"

#include "base/num.h"
#include "parsers/rejoin.h"
#include "parsers/repaired.h"

#include <math.h>

enum { CELLS = 4096, FIXED = 3 /* host, interval, time */, LISTS = 32 };

/* With `sadf -h` a row holds several lists, one behind the other; those with items as often as there are items. */
struct list {
	struct sysstat_table table;
	bool repeats;
};

struct reader {
	struct parse *p;
	struct sysstat *s;
	struct rejoin lines;
	const struct text *text; /* the present line */
	struct slice host;       /* of the rows below the present headings; empty: none yet */
	struct list lists[LISTS];
	size_t n_lists;
	bool headed;
	bool to_the_end;         /* the lists are all that a row holds */
	struct slice cells[CELLS];
	size_t n;
};

static struct pos here(const struct reader *r)
{
	return text_pos(r->text, r->text->line.p);
}

static size_t split(struct reader *r, struct slice line, char separator)
{
	struct slice cell;
	for (r->n = 0; r->n < CELLS && slice_cut(&line, separator, &cell);)
		r->cells[r->n++] = cell;
	return r->n;
}

/* ---- sadf -d ---- */

static bool names_any_item(struct slice heading)
{
	for (int a = 0; a < SYSSTAT_ACTIVITIES; a++)
		if (sysstat_names_item((enum sysstat_activity)a, heading))
			return true;
	return false;
}

/* Where what has no items is known to begin. */
static bool begins_itemless(const struct slice *headings, size_t left)
{
	return slice_is(headings[0], "kbmemfree") || (left > 1 && slice_is(headings[0], "tps") && slice_is(headings[1], "rtps"));
}

/* Headings of the list that begins here; *repeats: it does. */
static size_t list_length(struct slice *headings, size_t left, bool *repeats)
{
	size_t n = 0;
	*repeats = false;
	while (n < left && !*repeats) {
		if (n > 0 && (names_any_item(headings[n]) || begins_itemless(headings + n, left - n)))
			break;
		*repeats = slice_ends(headings[n], "[...]");
		headings[n++].n -= *repeats ? 5 : 0;
	}
	return n;
}

/* "CPU;%usr;…;%idle[...];INTR;CPU*[...]": the lists from the left, up to one of which nobody knows where it ends. */
static void take_headings(struct reader *r)
{
	struct slice *headings = r->cells + FIXED;
	size_t n = r->n - FIXED, at = 0;
	r->n_lists = 0;
	r->headed = true;
	while (at < n && r->n_lists < LISTS) {
		struct list *l = &r->lists[r->n_lists];
		size_t length = list_length(headings + at, n - at, &l->repeats);
		if (l->repeats && !names_any_item(headings[at]) && (at > 0 || length < n))
			break;
		sysstat_table_head(&l->table, headings + at, length);
		r->n_lists++;
		at += length;
	}
	r->to_the_end = at == n;
	if (!r->to_the_end)
		sysstat_say(r->s, DIAG_NOTE, here(r), "of several lists in one row only those before '%.*s' are read: `sadf -d` "
			"without -h gives each its own rows", SLICE_ARG(slice_head(headings[at], 40)));
}

static bool is_name(struct slice cell)
{
	double value;
	return cell.n && num_double(cell, &value) != NUM_OK;
}

/* Whether the cells at `at` can be another item of the list whose first one is at `first`: a CPU is told by its number, others
 * by their names, which no number is; the first interface is the loopback. */
static bool another_item(const struct reader *r, const struct list *l, size_t first, size_t at)
{
	const struct list *next = l + 1 < r->lists + r->n_lists ? l + 1 : NULL;
	struct slice name = r->cells[at];
	if (at + l->table.n > r->n)
		return false;
	if (at == first || (!next && r->to_the_end))
		return true;
	if (l->table.activity == SYSSTAT_CPU) {
		for (size_t i = 0; i < name.n; i++)
			if (name.p[i] < '0' || name.p[i] > '9')
				return false;
		return name.n && slice_find_char(r->cells[at + 1], '.') != (size_t)-1;
	}
	bool interfaces = next && next->table.activity == SYSSTAT_NETWORK;
	return is_name(name) && !slice_eq(name, r->cells[first]) && !(interfaces && slice_is(name, "lo"));
}

/* Behind the list that begins at `at`; 0: the row has too few cells. */
static size_t behind(const struct reader *r, const struct list *l, size_t at)
{
	size_t first = at;
	do {
		if (at + l->table.n > r->n)
			return 0;
		at += l->table.n;
	} while (l->repeats && at < r->n && another_item(r, l, first, at));
	return at;
}

static bool fits(const struct reader *r)
{
	size_t at = FIXED;
	for (size_t i = 0; i < r->n_lists && at; i++)
		at = behind(r, &r->lists[i], at);
	return at && (at == r->n || !r->to_the_end);
}

static bool any_wanted(const struct reader *r)
{
	for (size_t i = 0; i < r->n_lists; i++)
		if (r->lists[i].table.activity != SYSSTAT_ACTIVITIES)
			return true;
	return false;
}

static void take_samples(struct reader *r)
{
	if (!r->headed) {
		sysstat_say_once(r->s, "rows without headings above them: nothing tells what they are", here(r), DIAG_WARNING);
		return;
	}
	if (!any_wanted(r))
		return;
	if (!fits(r) || (r->text->cut && !sysstat_whole(r->cells[r->n - 1]))) {
		sysstat_say(r->s, DIAG_WARNING, here(r), r->text->cut ? "the last line has no end: it may be cut, and is left out" :
			"has %zu cells under %zu headings: the row is left out", r->n - FIXED, r->lists[0].table.n);
		return;
	}
	size_t at = FIXED;
	for (const struct list *l = r->lists; l < r->lists + r->n_lists; l++)
		for (size_t end = behind(r, l, at); at < end; at += l->table.n)
			if (l->table.activity != SYSSTAT_ACTIVITIES)
				sysstat_table_row(r->s, &l->table, r->text, r->cells + at, false);
}

/* Host, interval (-1: no sample, but a remark) and time of a row; false: it is none. */
static bool take_fixed(struct reader *r)
{
	double interval;
	if (r->n <= FIXED || num_double(r->cells[1], &interval) != NUM_OK) {
		sysstat_say(r->s, DIAG_WARNING, here(r), "is no row of sadf: it is left out");
		return false;
	}
	sysstat_host(r->s, r->cells[0], here(r));
	if (slice_starts(r->cells[3], "LINUX-RESTART"))
		sysstat_restart(r->s, true);
	if (interval < 0)
		return false;
	double time = sysstat_time(r->s, r->cells[2]);
	if (isnan(time)) {
		sysstat_say(r->s, DIAG_WARNING, here(r), "'%.*s' is no time: the row is left out",
			SLICE_ARG(slice_head(r->cells[2], 40)));
		return false;
	}
	sysstat_stamp(r->s, time, interval);
	return true;
}

/* ---- rows that were wrapped ---- */

/* Whether the line begins a row or headings: a row names the host that others below the same headings name, or, the first
 * of them, has a number and a time behind it. */
static bool begins(const struct reader *r, struct slice line)
{
	struct slice cell[FIXED];
	double interval;
	if (slice_starts(line, "# "))
		return true;
	for (int i = 0; i < FIXED; i++)
		if (!slice_cut(&line, ';', &cell[i]))
			return false;
	return r->host.n ? slice_eq(cell[0], r->host) :
		num_double(cell[1], &interval) == NUM_OK && cell[2].n && cell[2].p[0] >= '0' && cell[2].p[0] <= '9';
}

/* Puts together what was cut at a width, or wrapped at the blanks of a row's time. */
static void unwrap(struct reader *r, bool heads)
{
	enum { PIECES = 40 };
	struct slice next;
	bool indented;
	for (int k = 1; k < PIECES && (heads || !r->headed || !fits(r) || rejoin_full(&r->lines)); k++) {
		if (!rejoin_peek(&r->lines, &next, &indented) || !next.n || begins(r, next))
			return;
		rejoin_take(&r->lines, indented || !rejoin_full(&r->lines));
		r->text = r->lines.line;
		split(r, r->text->line, ';');
	}
}

static enum status parse_database(struct parse *p)
{
	struct reader *r = ARENA_NEW(p->arena, struct reader);
	struct repaired repaired;
	struct parse own = *p;
	*r = (struct reader){ .p = p, .s = sysstat_new(p), .lines = { .cursor = text_of(p->source, p->arena, false) } };
	while (rejoin_next_apart(&r->lines)) {
		r->text = r->lines.line;
		bool heads = slice_starts(r->text->line, "# ");
		split(r, r->text->line, ';');
		if (heads)
			r->host = SLICE_NONE;
		else if (!r->host.n && r->n > 1)
			r->host = arena_copy(p->arena, r->cells[0]);
		if (heads || r->n > 1)
			unwrap(r, heads);
		if (heads && r->n > FIXED && !r->text->cut)
			take_headings(r);
		else if (!heads && r->text->line.n && take_fixed(r))
			take_samples(r);
	}
	rejoin_say(&r->lines, p);
	if (r->lines.n)
		repaired_begin(&repaired, p);
	enum status status = sysstat_finish(r->s);
	*p = own;
	return status;
}

static int probe_database(const struct peek *peek)
{
	static const char start[] = "# hostname;interval;timestamp;";
	return slice_find(peek->head, SLICE(start)) != (size_t)-1 ? 8 * (int)(sizeof start - 1) : 0;
}

/* The lines that begin its output between other tools'. */
static const struct rule sadf_starts[] = {
	{ .id = "head",
	  .pattern = "# hostname;interval;timestamp;",
	  .sample = "# hostname;interval;timestamp;CPU;%user;%nice" },
	{ .id = NULL }
};

const struct parser parser_sysstat_sadf = {
	.name = "sadf", .title = "sadf -d", .tool = "sysstat", .probe = probe_database, .parse = parse_database,
	.starts = sadf_starts,
};

/* ---- sadf -p ---- */

enum { LINE_HOST, LINE_INTERVAL, LINE_TIME, LINE_ITEM, LINE_COLUMN, LINE_VALUE, LINE_CELLS };

/* A figure's activity by its column; items are "-" where there are none. */
static const struct sysstat_column *column_of(const struct reader *r)
{
	bool itemless = slice_is(r->cells[LINE_ITEM], "-");
	int a = itemless ? SYSSTAT_MEMORY : SYSSTAT_CPU, end = itemless ? SYSSTAT_ACTIVITIES : SYSSTAT_MEMORY;
	const struct sysstat_column *found = NULL;
	for (; a < end && !found; a++)
		found = sysstat_column((enum sysstat_activity)a, r->cells[LINE_COLUMN]);
	return found;
}

static struct slice item_of(const struct sysstat_column *column, struct slice item)
{
	return column->activity == SYSSTAT_CPU && slice_starts(item, "cpu") ? slice_from(item, 3) : item;
}

/* Lines of one item at one time follow each other and make a row, with columns between that are not wanted. */
struct row {
	enum sysstat_activity activity;
	struct slice item, time; /* as printed */
	bool open;
};

static void end_row(struct reader *r, struct row *row)
{
	if (row->open)
		sysstat_row_end(r->s);
	row->open = false;
}

static void take_figure(struct reader *r, struct row *row)
{
	const struct sysstat_column *column = column_of(r);
	struct slice item = r->cells[LINE_ITEM], time = r->cells[LINE_TIME], value = r->cells[LINE_VALUE];
	bool same = row->open && slice_eq(item, row->item) && slice_eq(time, row->time) &&
		(!column || column->activity == row->activity);
	if (!same)
		end_row(r, row);
	if (!take_fixed(r) || !column)
		return;
	if (!same) {
		*row = (struct row){ column->activity, arena_copy(r->p->arena, item), arena_copy(r->p->arena, time), true };
		sysstat_row(r->s, column->activity, false);
		if (column->activity < SYSSTAT_MEMORY)
			sysstat_row_item(r->s, item_of(column, row->item));
	}
	sysstat_cell(r->s, column, r->text->copied ? arena_copy(r->p->arena, value) : value, text_pos(r->text, value.p));
}

static enum status parse_lines(struct parse *p)
{
	struct reader *r = ARENA_NEW(p->arena, struct reader);
	struct row row = { .open = false };
	struct text text = text_of(p->source, p->arena, false);
	*r = (struct reader){ .p = p, .s = sysstat_new(p), .text = &text };
	while (text_next(&text)) {
		size_t n = split(r, r->text->line, '\t');
		bool cut = r->text->cut && !sysstat_whole(r->cells[n - 1]);
		if (n == LINE_CELLS && !cut)
			take_figure(r, &row);
		else if (n > FIXED && slice_starts(r->cells[FIXED], "LINUX-RESTART"))
			sysstat_restart(r->s, true);
		else if (r->text->line.n && !(n > FIXED && slice_is(r->cells[1], "-1")))
			sysstat_say(r->s, DIAG_WARNING, here(r), cut ? "the last line has no end: it may be cut, and is left out" :
				"is no line of sadf -p: it is left out");
	}
	end_row(r, &row);
	return sysstat_finish(r->s);
}

/* The first line: host, seconds, a time, an item, a column that is known, a number. */
static int probe_lines(const struct peek *peek)
{
	struct slice head = peek->head, line, cell;
	struct slice cells[LINE_CELLS] = { { NULL, 0 } };
	size_t n = 0;
	for (int tries = 0; tries < 4 && n != LINE_CELLS && slice_cut(&head, '\n', &line); tries++)
		for (n = 0; n < LINE_CELLS && slice_cut(&line, '\t', &cell);)
			cells[n++] = cell;
	double interval;
	if (n != LINE_CELLS || line.p || num_double(cells[LINE_INTERVAL], &interval) != NUM_OK || interval < 0)
		return 0;
	struct slice column = cells[LINE_COLUMN];
	return slice_starts(column, "%") || slice_ends(column, "/s") || slice_starts(column, "kb") ? 60 : 0;
}

/* The lines that begin its output between other tools'. */
static const struct rule lines_starts[] = {
	{ .id = "line",
	  .pattern = "\\S+[\\t ]\\d+[\\t ](?:\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d(?: UTC)?|\\d{9,11})[\\t ]\\S+[\\t ]"
	    "(?:%\\w+|kb\\w+|\\w+/s)[\\t ]-?[\\d.]+$",
	  .sample = "host	1	2026-11-30 11:26:58 UTC	all	%user	1.50" },
	{ .id = NULL }
};

const struct parser parser_sysstat_lines = {
	.name = "sadf-p", .title = "sadf -p", .tool = "sysstat", .probe = probe_lines, .parse = parse_lines,
	.starts = lines_starts,
};
