/* Tables and times of sysstat's texts. */
#include "parsers/sysstat.h"

#include "base/num.h"
#include "parsers/date.h"
#include "parsers/text.h"

#include <math.h>
#include <stdio.h>

void sysstat_table_head(struct sysstat_table *t, const struct slice *headings, size_t n)
{
	*t = (struct sysstat_table){ .activity = SYSSTAT_ACTIVITIES, .n = n };
	if (n > SYSSTAT_COLUMNS)
		return;
	t->activity = sysstat_activity_of(headings, n, &t->item);
	for (size_t i = 0; i < n && t->activity != SYSSTAT_ACTIVITIES; i++)
		t->columns[i] = sysstat_column(t->activity, headings[i]);
}

void sysstat_table_row(struct sysstat *s, const struct sysstat_table *t, const struct text *line,
	const struct slice *cells, bool average)
{
	sysstat_row(s, t->activity, average);
	if (t->goes_on)
		sysstat_row_goes_on(s);
	if (t->item < t->n)
		sysstat_row_item(s, cells[t->item]);
	for (size_t i = 0; i < t->n; i++)
		if (t->columns[i])
			sysstat_cell(s, t->columns[i], cells[i], text_pos(line, cells[i].p));
	sysstat_row_end(s);
}

bool sysstat_human(struct slice *number, double *factor, const char **suffix)
{
	static const char letters[] = "BkMGTP";
	char last = number->n > 1 ? number->p[number->n - 1] : 0;
	const char *letter = last ? strchr(letters, last) : NULL;
	if (last == '%') {
		*suffix = "";
	} else if (letter) {
		*factor = ldexp(1, 10 * (int)(letter - letters));
		*suffix = slice_ends(slice_of(*suffix), "/s") ? "/s" : "";
	} else {
		return false;
	}
	number->n--;
	return true;
}

bool sysstat_whole(struct slice last_cell)
{
	size_t point = slice_find_char(last_cell, slice_find_char(last_cell, ',') == (size_t)-1 ? '.' : ',');
	return point != (size_t)-1 && last_cell.n == point + 3;
}

/* ---- times ---- */

double sysstat_time(struct sysstat *s, struct slice text)
{
	uint64_t epoch;
	bool zoned;
	struct slice rest = text, word, last = SLICE_NONE;
	if (num_u64(text, &epoch) == NUM_OK)
		return epoch < UINT64_C(1) << 40 ? (double)epoch : NAN;
	double time = date_read(text, &zoned);
	while (slice_word(&rest, &word))
		last = word;
	if (!isnan(time) && !zoned && !slice_is(last, "UTC") && !slice_is(last, "GMT"))
		sysstat_assumed_utc(s);
	return time;
}

/* Two digits and what a locale writes behind them: ":", ".", or a word; behind the seconds nothing or a word. */
static int clock_part(struct slice *rest, const char *const *marks, int limit)
{
	uint64_t value;
	if (num_u64(slice_head(*rest, 2), &value) != NUM_OK || rest->n < 2 || value >= (uint64_t)limit)
		return -1;
	*rest = slice_from(*rest, 2);
	for (; *marks; marks++)
		if (slice_starts(*rest, *marks)) {
			*rest = slice_from(*rest, strlen(*marks));
			return (int)value;
		}
	return -1;
}

int sysstat_clock(struct slice time, struct slice half)
{
	static const char *const hour[] = { ":", ".", "时", "時", NULL }, *const minute[] = { ":", ".", "分", NULL };
	static const char *const second[] = { "秒", "", NULL };
	int h = clock_part(&time, hour, 24), m = h < 0 ? -1 : clock_part(&time, minute, 60);
	int s = m < 0 ? -1 : clock_part(&time, second, 61);
	if (s < 0 || time.n)
		return -1;
	if (half.n)
		h = h % 12 + (slice_eq_nocase(half, SLICE("PM")) ? 12 : 0);
	return h * 3600 + m * 60 + s;
}

bool sysstat_is_half(struct slice word)
{
	return slice_eq_nocase(word, SLICE("AM")) || slice_eq_nocase(word, SLICE("PM"));
}

/* A decimal comma: not of a locale that puts the month first. */
static bool has_decimal_comma(struct slice text)
{
	for (size_t i = 1; i + 2 < text.n; i++)
		if (text.p[i] == ',' && text.p[i - 1] >= '0' && text.p[i - 1] <= '9' && text.p[i + 1] >= '0' && text.p[i + 1] <= '9')
			return true;
	return false;
}

static bool day_first(struct sysstat *s, const uint64_t *part, struct slice around, struct pos pos)
{
	bool long_year = part[2] >= 1000;
	if (part[0] > 12 || part[1] > 12)
		return part[0] > 12;
	bool half_days = slice_find(around, SLICE(" AM")) != (size_t)-1 || slice_find(around, SLICE(" PM")) != (size_t)-1;
	bool day = !half_days && (has_decimal_comma(around) || long_year);
	if (part[0] != part[1] && !half_days)
		sysstat_say(s, DIAG_NOTE, pos, "the date may be read in two ways: taken as %s",
			day ? "day/month/year" : "month/day/year");
	return day;
}

/* The three numbers of a date, whatever stands between them; *slashes: slashes do. */
static bool date_parts(struct slice date, uint64_t *part, bool *slashes)
{
	*slashes = slice_find_char(date, '/') != (size_t)-1;
	for (int n = 0; n < 3; n++) {
		size_t start = 0, end;
		while (start < date.n && (date.p[start] < '0' || date.p[start] > '9'))
			start++;
		for (end = start; end < date.n && date.p[end] >= '0' && date.p[end] <= '9';)
			end++;
		if (num_u64((struct slice){ date.p + start, end - start }, &part[n]) != NUM_OK || part[n] > 9999)
			return false;
		date = slice_from(date, end);
	}
	return true;
}

double sysstat_date(struct sysstat *s, struct slice date, struct slice around, struct pos pos)
{
	uint64_t part[3], year, month, day;
	bool slashes, zoned;
	if (!date.n || !date_parts(date, part, &slashes))
		return NAN;
	year = part[2], month = part[0], day = part[1];
	if (part[0] >= 1000) {
		year = part[0], month = part[1], day = part[2];
	} else if (!slashes || day_first(s, part, slice_head(around, 2048), pos)) {
		month = part[1], day = part[0];
	}
	year += year < 100 ? 2000 : 0;
	char iso[80];
	int n = snprintf(iso, sizeof iso, "%04u-%02u-%02u 00:00:00", (unsigned)year, (unsigned)month, (unsigned)day);
	return date_read((struct slice){ iso, (size_t)n }, &zoned);
}
