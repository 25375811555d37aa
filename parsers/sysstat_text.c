/* The text of sar, mpstat and iostat, in any locale. */
#include "parsers/sysstat.h"

#include "base/num.h"
#include "parsers/text.h"
#include "parsers/rules.h"

#include <math.h>

enum { WORDS = 160, HALF_DAY = 43200 };

struct reader {
	struct parse *p;
	struct sysstat *s;
	struct text text;
	struct sysstat_table table;
	bool open;                  /* a table is */
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
	return text_pos(&r->text, r->text.line.p);
}

static void split(struct reader *r)
{
	struct slice rest = r->text.line;
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
	sysstat_host(r->s, host, text_pos(&r->text, host.p));
	sysstat_restart(r->s, false);
	sysstat_about(r->s, SLICE("release"), w[1], text_pos(&r->text, w[1].p));
	if (r->n > 4)
		sysstat_about(r->s, SLICE("machine"), w[4], text_pos(&r->text, w[4].p));
	if (r->n > 6 && slice_is(w[6], "CPU)"))
		sysstat_about(r->s, SLICE("number-of-cpus"), slice_from(w[5], 1), text_pos(&r->text, w[5].p + 1));
	r->date = r->day = r->part_day = sysstat_date(r->s, w[3], slice_from(r->p->source->data, r->text.next),
		text_pos(&r->text, w[3].p));
	if (isnan(r->date))
		sysstat_say(r->s, DIAG_WARNING, text_pos(&r->text, w[3].p), "'%.*s' is no date that is known: times are not reported",
			SLICE_ARG(slice_head(w[3], 40)));
	r->last = r->part_start = -1;
	r->open = false;
	return true;
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
	if (!r->open || r->table.activity == SYSSTAT_ACTIVITIES)
		return;
	if (n != r->table.n || (r->text.cut && !sysstat_whole(cells[n - 1]))) {
		sysstat_say(r->s, DIAG_WARNING, here(r), r->text.cut ? "the last line has no end: it may be cut, and is left out" :
			"has %zu cells under %zu headings: the row is left out", n, r->table.n);
		return;
	}
	if (r->timed_rows)
		r->unaveraged[r->table.activity] = average ? POS_NONE : here(r);
	sysstat_table_row(r->s, &r->table, &r->text, cells, average);
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

/* iostat's reports: a date and time where it was asked for, then tables whose rows have no time. */
static bool take_report(struct reader *r)
{
	struct slice first = r->words[0], half = r->n == 3 && sysstat_is_half(r->words[2]) ? r->words[2] : SLICE_NONE;
	int seconds = r->n == 2 || half.n ? sysstat_clock(r->words[1], half) : -1;
	if (seconds >= 0) {
		double day = sysstat_date(r->s, first, slice_from(r->p->source->data, r->text.next), here(r));
		double time = day + seconds;
		if (!isnan(day))
			sysstat_assumed_utc(r->s);
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
	*r = (struct reader){ .p = p, .s = sysstat_new(p), .text = text_of(p->source, p->arena, false), .date = NAN, .day = NAN,
		.part_day = NAN, .part_start = -1, .last = -1, .previous = NAN, .table = { .activity = SYSSTAT_ACTIVITIES } };
	while (text_next(&r->text))
		take_line(r);
	end_part(r);
	return sysstat_finish(r->s);
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
