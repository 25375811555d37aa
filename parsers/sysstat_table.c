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

void sysstat_table_row(struct sysstat *s, const struct sysstat_table *t, const struct text *line, const struct slice *cells,
	bool average)
{
	sysstat_row(s, t->activity, average);
	if (t->item < t->n)
		sysstat_row_item(s, cells[t->item]);
	for (size_t i = 0; i < t->n; i++)
		if (t->columns[i])
			sysstat_cell(s, t->columns[i], cells[i], text_pos(line, cells[i].p));
	sysstat_row_end(s);
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

bool sysstat_interval(struct slice text, double *seconds)
{
	return num_double(text, seconds) == NUM_OK;
}

static int two(struct slice digits, int limit)
{
	uint64_t value;
	return digits.n == 2 && num_u64(digits, &value) == NUM_OK && value < (uint64_t)limit ? (int)value : -1;
}

int sysstat_clock(struct slice time, struct slice half)
{
	struct slice hours, minutes;
	if (!slice_cut(&time, ':', &hours) || !slice_cut(&time, ':', &minutes) || !time.p)
		return -1;
	int h = two(hours, 24), m = two(minutes, 60), sec = two(time, 61);
	if (h < 0 || m < 0 || sec < 0)
		return -1;
	if (half.n)
		h = h % 12 + (slice_is(half, "PM") ? 12 : 0);
	return h * 3600 + m * 60 + sec;
}

/* A decimal comma: not of a locale that puts the month first. */
static bool has_decimal_comma(struct slice text)
{
	for (size_t i = 1; i + 2 < text.n; i++)
		if (text.p[i] == ',' && text.p[i - 1] >= '0' && text.p[i - 1] <= '9' && text.p[i + 1] >= '0' && text.p[i + 1] <= '9')
			return true;
	return false;
}

static bool day_first(struct sysstat *s, uint64_t first, uint64_t second, bool long_year, struct slice around, struct pos pos)
{
	if (first > 12 || second > 12)
		return first > 12;
	bool half_days = slice_find(around, SLICE(" AM")) != (size_t)-1 || slice_find(around, SLICE(" PM")) != (size_t)-1;
	bool day = !half_days && (has_decimal_comma(around) || long_year);
	if (first != second && !half_days)
		sysstat_say(s, DIAG_NOTE, pos, "the date may be read in two ways: taken as %s", day ? "day/month/year" : "month/day/year");
	return day;
}

double sysstat_date(struct sysstat *s, struct slice date, struct slice around, struct pos pos)
{
	uint64_t part[3];
	struct slice rest = date, word;
	char separator = slice_find_char(date, '.') != (size_t)-1 ? '.' : slice_find_char(date, '/') != (size_t)-1 ? '/' : '-';
	for (int i = 0; i < 3; i++)
		if (!slice_cut(&rest, separator, &word) || num_u64(word, &part[i]) != NUM_OK)
			return NAN;
	if (slice_trim(rest).n)
		return NAN;
	uint64_t year = part[2], month = part[0], day = part[1];
	if (part[0] >= 1000) {
		year = part[0], month = part[1], day = part[2];
	} else if (separator != '/' || day_first(s, part[0], part[1], part[2] >= 1000, slice_head(around, 2048), pos)) {
		month = part[1], day = part[0];
	}
	bool zoned;
	year += year < 100 ? 2000 : 0;
	if (year > 9999 || month > 12 || day > 31)
		return NAN;
	char iso[32];
	int n = snprintf(iso, sizeof iso, "%04u-%02u-%02u 00:00:00", (unsigned)year, (unsigned)month, (unsigned)day);
	return date_read((struct slice){ iso, (size_t)n }, &zoned);
}
