/* The text of sar, mpstat and iostat, in any locale. */
#include "parsers/sysstat.h"

#include "base/num.h"
#include "parsers/text.h"

#include <math.h>

enum { WORDS = 160 };

struct reader {
	struct parse *p;
	struct sysstat *s;
	struct text text;
	struct sysstat_table table;
	bool open;                  /* a table is */
	bool timed_rows;            /* its rows begin with a time (sar, mpstat); else the reports have one (iostat), or none */
	bool rows_since_mean;       /* of the open table, without an average behind them */
	struct pos row;             /* the last row */
	/* The clock: a date in the header, seconds of the day in each row. */
	double date;                /* Unix time at which the header's day begins; NAN: none */
	double day;                 /* that of the last row's day */
	double part_day;            /* that of the first row since the last restart */
	int last;                   /* seconds of the day; -1: none yet */
	double previous;            /* time of the last stamp */
	struct slice words[WORDS];
	size_t n;
};

static struct pos here(const struct reader *r)
{
	return text_pos(&r->text, r->text.line.p);
}

static void split(struct reader *r)
{
	struct slice rest = r->text.line;
	for (r->n = 0; r->n < WORDS && slice_word(&rest, &r->words[r->n]);)
		r->n++;
}

/* "12.5" or, in some locales, "12,5". */
static bool is_number(struct slice word)
{
	size_t n = num_span(word);
	if (n && n < word.n && word.p[n] == ',')
		n += 1 + num_span(slice_from(word, n + 1));
	return word.n && n == word.n;
}

/* ---- time ---- */

/* Words that the time at the start of the line takes: "11:26:58", "11:26:58 AM". */
static size_t time_words(const struct reader *r, int *seconds)
{
	struct slice half = r->n > 1 && (slice_is(r->words[1], "AM") || slice_is(r->words[1], "PM")) ? r->words[1] : SLICE_NONE;
	*seconds = r->n ? sysstat_clock(r->words[0], half) : -1;
	return *seconds < 0 ? 0 : half.n ? 2 : 1;
}

static double at(struct reader *r, int seconds)
{
	if (r->last >= 0 && seconds < r->last)
		r->day += 86400; /* past midnight */
	r->last = seconds;
	return r->day + seconds;
}

/* Another table of the same samples begins with the same day. */
static void rewind_clock(struct reader *r)
{
	r->day = r->part_day;
	r->last = -1;
}

/* ---- lines ---- */

/* "Linux 6.1.0 (host) 	11/30/26 	_x86_64_	(2 CPU)" */
static bool take_header(struct reader *r)
{
	struct slice *w = r->words;
	if (r->n < 4 || !slice_is(w[0], "Linux") || w[2].n < 3 || w[2].p[0] != '(' || !slice_ends(w[2], ")"))
		return false;
	struct slice host = { w[2].p + 1, w[2].n - 2 };
	sysstat_host(r->s, host, text_pos(&r->text, host.p));
	sysstat_restart(r->s, false);
	sysstat_about(r->s, "kernel", w[1], text_pos(&r->text, w[1].p));
	if (r->n > 4)
		sysstat_about(r->s, "machine", w[4], text_pos(&r->text, w[4].p));
	if (r->n > 6 && slice_is(w[6], "CPU)"))
		sysstat_about(r->s, "cpus", slice_from(w[5], 1), text_pos(&r->text, w[5].p + 1));
	r->date = r->day = r->part_day = sysstat_date(r->s, w[3], slice_from(r->p->source->data, r->text.next),
		text_pos(&r->text, w[3].p));
	if (isnan(r->date))
		sysstat_say(r->s, DIAG_WARNING, text_pos(&r->text, w[3].p), "'%.*s' is no date that is known: times are not reported",
			SLICE_ARG(slice_head(w[3], 40)));
	else
		sysstat_assumed_utc(r->s);
	r->last = -1;
	r->open = false;
	return true;
}

static void end_table(struct reader *r)
{
	if (r->open && r->timed_rows && r->rows_since_mean && r->table.activity != SYSSTAT_ACTIVITIES)
		sysstat_say(r->s, DIAG_WARNING, r->row, "no averages follow the rows of this %s table: it may be cut",
			sysstat_activity_name(r->table.activity));
	r->rows_since_mean = false;
}

static void open_table(struct reader *r, size_t skip, bool timed)
{
	struct sysstat_table last = r->table;
	sysstat_table_head(&r->table, r->words + skip, r->n - skip);
	/* A live sar repeats its headings; then the table goes on. */
	bool same = r->open && timed && last.activity == r->table.activity && last.n == r->table.n;
	if (!same) {
		end_table(r);
		if (timed)
			rewind_clock(r);
	}
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
	if (!r->open || r->table.activity == SYSSTAT_ACTIVITIES)
		return;
	if (n != r->table.n || (r->text.cut && !sysstat_whole(cells[n - 1]))) {
		sysstat_say(r->s, DIAG_WARNING, here(r), r->text.cut ? "the last line has no end: it may be cut, and is left out" :
			"has %zu cells under %zu headings: the row is left out", n, r->table.n);
		return;
	}
	r->rows_since_mean = !average;
	r->row = here(r);
	sysstat_table_row(r->s, &r->table, &r->text, cells, average);
}

static void take_timed(struct reader *r, size_t skip, int seconds)
{
	struct slice first = r->n > skip ? r->words[skip] : SLICE_NONE;
	if (slice_is(first, "COM"))
		return;
	if (r->n > skip + 1 && slice_is(first, "LINUX") && slice_is(r->words[skip + 1], "RESTART")) {
		end_table(r);
		at(r, seconds);
		r->part_day = r->day;
		r->open = false;
		sysstat_restart(r->s, true);
	} else if (is_heading(r, skip)) {
		open_table(r, skip, true);
		r->previous = at(r, seconds);
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

/* iostat's reports: a date and time where it was asked for, then tables whose rows have no time. */
static bool take_report(struct reader *r)
{
	struct slice first = r->words[0], half = r->n > 2 ? r->words[2] : SLICE_NONE;
	int seconds = r->n == 2 || r->n == 3 ? sysstat_clock(r->words[1], half) : -1;
	if (seconds >= 0) {
		double day = sysstat_date(r->s, first, slice_from(r->p->source->data, r->text.next), here(r));
		double time = day + seconds;
		sysstat_stamp(r->s, time, time > r->previous ? time - r->previous : NAN);
		r->previous = time;
		r->open = false;
		return true;
	}
	bool cpu = slice_is(first, "avg-cpu:");
	if (!cpu && (!sysstat_names_item(SYSSTAT_DISK, first) || !is_heading(r, 0)))
		return false;
	if (isnan(r->previous))
		sysstat_stamp(r->s, NAN, NAN);
	end_table(r);
	if (cpu)
		r->words[0] = SLICE("CPU");
	open_table(r, 0, false);
	if (cpu) {
		/* its row has no name */
		memmove(r->table.columns, r->table.columns + 1, (r->table.n - 1) * sizeof *r->table.columns);
		r->table.item = --r->table.n;
	}
	sysstat_since_boot(r->s);
	return true;
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
	*r = (struct reader){ .p = p, .s = sysstat_new(p), .text = text_of(p->source, p->arena), .date = NAN, .day = NAN,
		.part_day = NAN, .last = -1, .previous = NAN, .table = { .activity = SYSSTAT_ACTIVITIES } };
	while (text_next(&r->text))
		take_line(r);
	end_table(r);
	return sysstat_finish(r->s);
}

/* "Linux RELEASE (HOST) DATE", and headings that are known. */
static int probe(const struct peek *peek)
{
	static const char *const headings[] = { "%iowait", "%idle", "kbmemfree", "rxkB/s", "bread/s", "rd_sec/s", "rkB/s", "rMB/s",
		"kB_read/s", "LINUX RESTART" };
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

const struct parser parser_sysstat_text = {
	.name = "sar", .title = "text of sar, mpstat or iostat", .tool = "sysstat", .probe = probe, .parse = parse,
};
