/* The text of sar, mpstat and iostat, in any locale. */
#include "parsers/sysstat.h"

#include "base/num.h"
#include "parsers/rejoin.h"
#include "parsers/repaired.h"

#include <math.h>

enum { WORDS = 160, HALF_DAY = 43200 };

struct reader {
	struct parse *p;
	struct sysstat *s;
	struct rejoin lines;
	const struct text *text;    /* the present line */
	struct sysstat_table table;
	char first_column[16];      /* of a report's first table of disks; empty: none yet */
	bool open;                  /* a table is */
	bool headed;                /* no row stands below the last headings of a report so far */
	bool timed_rows;            /* its rows begin with a time (sar, mpstat); else the reports have one (iostat), or none */
	struct pos unaveraged[SYSSTAT_ACTIVITIES]; /* the last timed row that no average follows yet; line 0: none */
	/* The clock: a date in the header, seconds of the day in each row. */
	double date;                /* Unix time at which the header's day begins; NAN: none */
	double day;                 /* that of the last row's day */
	double part_day;            /* that of the first headings since the last restart */
	int part_start;             /* their seconds; -1: none yet */
	int last;                   /* seconds of the day; -1: none yet */
	double previous;            /* time of the last stamp */
	struct slice words[WORDS];
	size_t n;
};

static struct pos here(const struct reader *r)
{
	return text_pos(r->text, r->text->line.p);
}

static void split(struct reader *r)
{
	struct slice rest = r->text->line;
	for (r->n = 0; r->n < WORDS && slice_word(&rest, &r->words[r->n]);)
		r->n++;
}

/* "12.5", in some locales "12,5", with --human "12.5%" and "12.5M". */
static bool is_number(struct slice word)
{
	double factor;
	const char *suffix = "";
	sysstat_human(&word, &factor, &suffix);
	size_t n = num_span(word);
	if (n && n < word.n && word.p[n] == ',')
		n += 1 + num_span(slice_from(word, n + 1));
	return word.n && n == word.n;
}

/* ---- time ---- */

/* Words that the time at the start of the line takes: "11:26:58", "11:26:58 AM". */
static size_t time_words(const struct reader *r, int *seconds)
{
	struct slice half = r->n > 1 && sysstat_is_half(r->words[1]) ? r->words[1] : SLICE_NONE;
	*seconds = r->n ? sysstat_clock(r->words[0], half) : -1;
	return *seconds < 0 ? 0 : half.n ? 2 : 1;
}

static double at(struct reader *r, int seconds)
{
	if (!isnan(r->date))
		sysstat_assumed_utc(r->s);
	if (r->last >= 0 && r->last - seconds > HALF_DAY)
		r->day += 2 * HALF_DAY; /* past midnight */
	r->last = seconds;
	return r->day + seconds;
}

/* The time of headings is that of the sample before their first row. In a report of a file each table begins where the
 * first one did; a live one prints its tables in turn. */
static double at_headings(struct reader *r, int seconds)
{
	if (r->part_start < 0) {
		at(r, seconds);
		r->part_start = seconds;
		r->part_day = r->day;
	} else if (seconds == r->part_start) {
		r->day = r->part_day;
	} else if (seconds - r->last > HALF_DAY) {
		r->day -= 2 * HALF_DAY; /* back over midnight */
	} else {
		at(r, seconds);
	}
	r->last = seconds;
	return r->day + seconds;
}

/* ---- lines ---- */

/* sar and mpstat end with averages, and so does what they print before a restart. */
static void end_part(struct reader *r)
{
	for (int a = 0; a < SYSSTAT_ACTIVITIES; a++) {
		if (r->unaveraged[a].line)
			sysstat_say(r->s, DIAG_WARNING, r->unaveraged[a], "no averages of %s follow: the report may be cut",
				sysstat_activity_name((enum sysstat_activity)a));
		r->unaveraged[a] = POS_NONE;
	}
}

/* "Linux 6.1.0 (host) 	11/30/26 	_x86_64_	(2 CPU)" */
static bool take_header(struct reader *r)
{
	struct slice *w = r->words;
	if (r->n < 4 || !slice_is(w[0], "Linux") || w[2].n < 3 || w[2].p[0] != '(' || !slice_ends(w[2], ")"))
		return false;
	struct slice host = { w[2].p + 1, w[2].n - 2 };
	end_part(r);
	sysstat_host(r->s, host, text_pos(r->text, host.p));
	sysstat_restart(r->s, false);
	sysstat_about(r->s, SLICE("release"), w[1], text_pos(r->text, w[1].p));
	if (r->n > 4)
		sysstat_about(r->s, SLICE("machine"), w[4], text_pos(r->text, w[4].p));
	if (r->n > 6 && slice_is(w[6], "CPU)"))
		sysstat_about(r->s, SLICE("number-of-cpus"), slice_from(w[5], 1), text_pos(r->text, w[5].p + 1));
	r->date = r->day = r->part_day = sysstat_date(r->s, w[3], slice_from(r->p->source->data, r->text->next),
		text_pos(r->text, w[3].p));
	if (isnan(r->date))
		sysstat_say(r->s, DIAG_WARNING, text_pos(r->text, w[3].p), "'%.*s' is no date that is known: times are not reported",
			SLICE_ARG(slice_head(w[3], 40)));
	r->last = r->part_start = -1;
	r->open = false;
	return true;
}

/* Whether the heads are of more columns of a table before them, as `iostat -xh` parts it. */
static bool goes_on(struct reader *r)
{
	struct slice column = slice_head(r->words[0], sizeof r->first_column - 1);
	bool more = r->first_column[0] && !slice_is(column, r->first_column);
	if (!more) {
		memcpy(r->first_column, column.p, column.n);
		r->first_column[column.n] = '\0';
	}
	return more;
}

static void open_table(struct reader *r, size_t skip, bool timed)
{
	sysstat_table_head(&r->table, r->words + skip, r->n - skip);
	r->open = true;
	r->timed_rows = timed;
}

/* Headings: none of them is a number. */
static bool is_heading(const struct reader *r, size_t skip)
{
	for (size_t i = skip; i < r->n; i++)
		if (is_number(r->words[i]))
			return false;
	return r->n > skip;
}

static void take_row(struct reader *r, const struct slice *cells, size_t n, bool average)
{
	r->headed = false;
	if (!r->open || r->table.activity == SYSSTAT_ACTIVITIES)
		return;
	if (n != r->table.n || (r->text->cut && !sysstat_whole(cells[n - 1]))) {
		sysstat_say(r->s, DIAG_WARNING, here(r), r->text->cut ? "the last line has no end: it may be cut, and is left out" :
			"has %zu cells under %zu headings: the row is left out", n, r->table.n);
		return;
	}
	if (r->timed_rows)
		r->unaveraged[r->table.activity] = average ? POS_NONE : here(r);
	sysstat_table_row(r->s, &r->table, r->text, cells, average);
}

static void take_timed(struct reader *r, size_t skip, int seconds)
{
	struct slice first = r->n > skip ? r->words[skip] : SLICE_NONE;
	if (slice_is(first, "COM"))
		return;
	if (r->n > skip + 1 && slice_is(first, "LINUX") && slice_is(r->words[skip + 1], "RESTART")) {
		end_part(r);
		at(r, seconds);
		r->part_start = -1;
		r->open = false;
		sysstat_restart(r->s, true);
	} else if (is_heading(r, skip)) {
		open_table(r, skip, true);
		r->previous = at_headings(r, seconds);
	} else if (r->open) {
		double time = at(r, seconds);
		sysstat_stamp(r->s, time, time > r->previous ? time - r->previous : NAN);
		if (time > r->previous || isnan(r->previous))
			r->previous = time;
		take_row(r, r->words + skip, r->n - skip, false);
	}
}

/* "Average:", "Durchschn.:", "Moyenne :" */
static size_t mean_words(const struct reader *r)
{
	if (r->n > 1 && slice_ends(r->words[0], ":"))
		return 1;
	return r->n > 2 && slice_is(r->words[1], ":") ? 2 : 0;
}

/* The time of one of iostat's reports: "11/30/26 11:26:58", "2026-11-30T11:26:58+0000". NAN: a date that is not known;
 * false: the line is none. */
static bool report_time(struct reader *r, double *time)
{
	struct slice first = r->words[0], half = r->n == 3 && sysstat_is_half(r->words[2]) ? r->words[2] : SLICE_NONE;
	int seconds = r->n == 2 || half.n ? sysstat_clock(r->words[1], half) : -1;
	if (r->n == 1 && first.n > 10 && first.p[10] == 'T') {
		*time = sysstat_time(r->s, first);
		return !isnan(*time);
	}
	if (seconds < 0)
		return false;
	*time = sysstat_date(r->s, first, slice_from(r->p->source->data, r->text->next), here(r)) + seconds;
	if (!isnan(*time))
		sysstat_assumed_utc(r->s);
	return true;
}

/* iostat's reports: a date and time where it was asked for, then tables whose rows have no time. */
static bool take_report(struct reader *r)
{
	struct slice first = r->words[0];
	double time;
	if (report_time(r, &time)) {
		sysstat_stamp(r->s, time, time > r->previous ? time - r->previous : NAN);
		r->previous = time;
		r->open = false;
		r->first_column[0] = '\0';
		return true;
	}
	bool cpu = slice_is(first, "avg-cpu:"), last = sysstat_names_item(SYSSTAT_DISK, r->words[r->n - 1]);
	if (!cpu && ((!last && !sysstat_names_item(SYSSTAT_DISK, first)) || !is_heading(r, 0)))
		return false;
	bool more = !cpu && goes_on(r);
	r->headed = true;
	if (isnan(r->previous) && !more)
		sysstat_stamp(r->s, NAN, NAN);
	if (cpu)
		r->words[0] = SLICE("CPU");
	open_table(r, 0, false);
	r->table.goes_on = more;
	if (cpu) {
		r->first_column[0] = '\0';
		/* its row has no name */
		memmove(r->table.columns, r->table.columns + 1, (r->table.n - 1) * sizeof *r->table.columns);
		r->table.item = --r->table.n;
	}
	sysstat_since_boot(r->s);
	return true;
}

/* ---- lines that were wrapped ---- */

/* What stands on the next line. */
struct ahead {
	struct slice line, first, last;
	size_t n;
	bool numbers;  /* all of its words are, but for a name at its end */
	bool headings; /* all of its words are */
	bool inside;   /* it begins in the middle of the present line's last word */
};

static bool look_ahead(struct reader *r, struct ahead *a)
{
	struct slice word;
	bool indented;
	*a = (struct ahead){ .numbers = true, .headings = true };
	if (!rejoin_peek(&r->lines, &a->line, &indented) || !a->line.n)
		return false;
	for (struct slice rest = a->line; slice_word(&rest, &word); a->n++) {
		a->first = a->n ? a->first : word;
		a->last = word;
		bool number = is_number(word);
		a->numbers &= number || slice_trim(rest).n == 0;
		a->headings &= sysstat_is_heading(word);
	}
	a->inside = !indented && rejoin_full(&r->lines);
	return sysstat_clock(a->first, SLICE_NONE) < 0;
}

/* Two parts of a word together. */
static struct slice together(const struct reader *r, const struct ahead *a)
{
	struct slice word = r->words[r->n - 1];
	return slice_of(arena_printf(r->p->arena, "%.*s%.*s", SLICE_ARG(word), SLICE_ARG(slice_head(a->first, 40))));
}

/* Headings go on in headings; the first of them may be cut in two. */
static bool heading_goes_on(const struct reader *r, struct ahead *a)
{
	struct slice rest = a->line, word;
	if (a->inside && !sysstat_is_heading(r->words[r->n - 1]) && sysstat_is_heading(together(r, a))) {
		slice_word(&rest, &word);
		for (a->headings = true; slice_word(&rest, &word);)
			a->headings &= sysstat_is_heading(word);
		return a->headings;
	}
	a->inside = false;
	return a->headings && !sysstat_names_item(SYSSTAT_DISK, a->first);
}

/* A row goes on while it has fewer cells than there are headings; the last one may be cut. */
static bool row_goes_on(const struct reader *r, size_t skip, struct ahead *a)
{
	size_t n = r->n - skip;
	bool name_last = r->table.item + 1 == r->table.n, number = is_number(a->last);
	if (!a->numbers || (!number && !name_last))
		return false;
	if (n < r->table.n) {
		/* How many cells they are together tells, and else that a whole number has two decimals. */
		bool apart = n + a->n == r->table.n, one = n + a->n == r->table.n + 1;
		a->inside = a->inside && is_number(together(r, a)) && !apart && (one || !sysstat_whole(r->words[r->n - 1]));
		return n + a->n - a->inside <= r->table.n;
	}
	return n == r->table.n && a->inside && a->n == 1 && (number || name_last);
}

/* Puts together what a mail program or a terminal wrapped. */
static void unwrap(struct reader *r, size_t skip, size_t mean)
{
	enum { PIECES = 6 };
	struct ahead a;
	skip = skip ? skip : mean;
	bool row = r->open && r->table.activity != SYSSTAT_ACTIVITIES && !is_heading(r, skip);
	for (int k = 1; k < PIECES && r->n < WORDS; k++) {
		bool lone = r->open && !r->timed_rows && r->n == 1 && r->table.item == 0; /* a name above its row */
		bool heading = !lone && is_heading(r, skip) && sysstat_is_heading(r->words[skip < r->n ? skip : 0]);
		if (!row && !lone && !heading)
			return;
		if (row && r->n - skip > r->table.n)
			return;
		if (!look_ahead(r, &a) || !(heading ? heading_goes_on(r, &a) : row_goes_on(r, skip, &a)))
			return;
		rejoin_take(&r->lines, !a.inside);
		r->text = r->lines.line;
		split(r);
	}
}

static void take_line(struct reader *r)
{
	int seconds;
	split(r);
	if (r->n == 0)
		return;
	size_t skip = time_words(r, &seconds), mean = mean_words(r);
	if (take_header(r))
		return;
	unwrap(r, skip, mean);
	if (skip)
		take_timed(r, skip, seconds);
	else if (take_report(r))
		return;
	else if (mean && is_heading(r, mean))
		sysstat_table_head(&r->table, r->words + mean, r->n - mean);
	else if (mean && r->open && r->timed_rows)
		take_row(r, r->words + mean, r->n - mean, true);
	else if (r->open && !r->timed_rows)
		take_row(r, r->words, r->n, false);
	else if (r->table.activity != SYSSTAT_ACTIVITIES)
		sysstat_say(r->s, DIAG_WARNING, here(r), "is no line of a sysstat report: it is left out");
}

static enum status parse(struct parse *p)
{
	struct reader *r = ARENA_NEW(p->arena, struct reader);
	*r = (struct reader){ .p = p, .s = sysstat_new(p), .date = NAN, .day = NAN,
		.part_day = NAN, .part_start = -1, .last = -1, .previous = NAN, .table = { .activity = SYSSTAT_ACTIVITIES } };
	struct parse own = *p;
	struct repaired repaired;
	r->lines = (struct rejoin){ .cursor = text_of(p->source, p->arena, false) };
	while (rejoin_next_apart(&r->lines)) {
		r->text = r->lines.line;
		take_line(r);
	}
	end_part(r);
	if (r->headed)
		sysstat_say(r->s, DIAG_WARNING, here(r), "no row follows the last headings: the report may be cut");
	rejoin_say(&r->lines, p);
	if (r->lines.n)
		repaired_begin(&repaired, p);
	enum status status = sysstat_finish(r->s);
	*p = own;
	return status;
}

/* "Linux RELEASE (HOST) DATE", and headings that are known. */
static int probe(const struct peek *peek)
{
	static const char *const headings[] = { "%iowait", "%idle", "kbmemfree", "rxkB/s", "bread/s", "rd_sec/s", "rkB/s",
		"rMB/s", "kB_read/s", "LINUX RESTART" };
	size_t at = slice_starts(peek->head, "Linux ") ? 0 : slice_find(peek->head, SLICE("\nLinux "));
	struct slice rest, line;
	if (at == (size_t)-1)
		return 0;
	rest = slice_from(peek->head, at + (at > 0));
	slice_cut(&rest, '\n', &line);
	if (slice_find(line, SLICE(" (")) == (size_t)-1 || slice_find(line, SLICE(") ")) == (size_t)-1)
		return 0;
	int bits = 8 * 6;
	for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
		if (slice_find(rest, slice_of(headings[i])) != (size_t)-1)
			bits += 8 * (int)strlen(headings[i]);
	return bits > 8 * 6 || slice_find(line, SLICE(" CPU)")) != (size_t)-1 ? bits : 0;
}

/* The lines that begin its output between other tools'. */
static const struct rule starts[] = {
	{ .id = "head", .pattern = "Linux \\S+ \\([^()\\s]{0,255}\\)\\s+\\S+\\s+_\\w+_\\s+\\(\\d+ CPU\\)",
	  .sample = "Linux 6.1.0 (host) 	11/30/26 	_x86_64_	(2 CPU)" },
	{ .id = NULL }
};

const struct parser parser_sysstat_text = {
	.name = "sar", .title = "text of sar, mpstat or iostat", .tool = "sysstat", .probe = probe, .parse = parse,
	.starts = starts,
};
