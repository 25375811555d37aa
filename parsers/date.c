#include "parsers/date.h"

#include "base/num.h"

#include <math.h>

struct civil {
	uint64_t year, month, day, hour, minute, second;
};

/* Days from 1970-01-01 in the Gregorian calendar, counted in years that begin in March. */
static double days(uint64_t year, uint64_t month, uint64_t day)
{
	uint64_t y = year - (month <= 2), m = (month + 9) % 12;
	uint64_t leaps = y / 4 - y / 100 + y / 400;
	uint64_t all = 365 * y + leaps + (153 * m + 2) / 5 + day - 1;
	return (double)all - 719468;
}

static double seconds(const struct civil *c)
{
	if (c->year < 1970 || c->year > 9999 || c->month < 1 || c->month > 12 || c->day < 1 || c->day > 31 || c->hour > 23 ||
	    c->minute > 59 || c->second > 60)
		return NAN;
	return days(c->year, c->month, c->day) * 86400 + (double)(c->hour * 3600 + c->minute * 60 + c->second);
}

static bool three(struct slice text, char between, uint64_t *a, uint64_t *b, uint64_t *c)
{
	struct slice x, y;
	return slice_cut(&text, between, &x) && slice_cut(&text, between, &y) && text.p && num_u64(x, a) == NUM_OK &&
		num_u64(y, b) == NUM_OK && num_u64(text, c) == NUM_OK;
}

static bool month_of(struct slice word, uint64_t *month)
{
	static const char names[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	size_t at = word.n == 3 ? slice_find(SLICE(names), word) : (size_t)-1;
	*month = at / 3 + 1;
	return at != (size_t)-1 && at % 3 == 0;
}

static bool is_utc(struct slice zone)
{
	return slice_is(zone, "UTC") || slice_is(zone, "GMT") || slice_is(zone, "Z");
}

/* "Mon Nov  2 09:00:00 [UTC] 2026 [1793610000]" */
static double by_month_name(struct slice text, bool *zoned)
{
	struct civil c = { 0 };
	struct slice weekday, month, day, time, year;
	uint64_t epoch;
	bool known = slice_word(&text, &weekday) && slice_word(&text, &month) && month_of(month, &c.month) &&
		slice_word(&text, &day) && num_u64(day, &c.day) == NUM_OK && slice_word(&text, &time) &&
		three(time, ':', &c.hour, &c.minute, &c.second) && slice_word(&text, &year);
	if (!known)
		return NAN;
	if (num_u64(year, &c.year) != NUM_OK) {
		if (!is_utc(year))
			c.year = 0;
		else if (!slice_word(&text, &weekday) || num_u64(weekday, &c.year) != NUM_OK)
			return NAN;
		*zoned = true;
	}
	struct slice rest = text, behind;
	while (slice_word(&rest, &behind))
		if (behind.n >= 9 && num_u64(behind, &epoch) == NUM_OK && epoch < UINT64_C(1) << 40) {
			*zoned = true;
			return (double)epoch;
		}
	return seconds(&c);
}

/* Takes "Z" and "+0100", "-07:00" off the end of a time; *ahead: seconds that its clock is ahead of UTC. */
static bool take_zone(struct slice *time, double *ahead)
{
	size_t at = slice_find_char(*time, '+'), minus = slice_find_char(*time, '-');
	uint64_t h, m;
	*ahead = 0;
	if (slice_ends(*time, "Z")) {
		time->n--;
		return true;
	}
	at = at == (size_t)-1 ? minus : at;
	if (at == (size_t)-1)
		return false;
	struct slice zone = slice_from(*time, at + 1), minutes = slice_from(zone, zone.n > 2 && zone.p[2] == ':' ? 3 : 2);
	if (zone.n < 4 || num_u64(slice_head(zone, 2), &h) != NUM_OK || num_u64(minutes, &m) != NUM_OK || h > 14 || m > 59)
		*ahead = NAN;
	else
		*ahead = (double)(h * 3600 + m * 60) * (at == minus ? -1 : 1);
	time->n = at;
	return true;
}

double date_read(struct slice text, bool *zoned)
{
	struct civil c = { 0 };
	struct slice whole = slice_trim(text), rest = whole, date, time;
	bool iso = false;
	*zoned = false;
	size_t t = slice_find_char(whole, 'T');
	if (t == 10) {
		date = slice_head(whole, t);
		rest = slice_from(whole, t + 1);
	} else if (!slice_word(&rest, &date)) {
		return NAN;
	}
	iso = three(date, '-', &c.year, &c.month, &c.day);
	if (!iso && !three(date, '/', &c.month, &c.day, &c.year))
		return by_month_name(whole, zoned);
	if (!slice_word(&rest, &time))
		return NAN;
	double ahead;
	*zoned = take_zone(&time, &ahead);
	return three(time, ':', &c.hour, &c.minute, &c.second) ? seconds(&c) - ahead : NAN;
}
