/* JSON of sadf -j, mpstat -o JSON and iostat -o JSON. */
#include "parsers/sysstat.h"

#include "base/json.h"
#include "base/num.h"

#include <math.h>

struct reader {
	struct parse *p;
	struct sysstat *s;
	struct json j;
	struct slice date;   /* the host's, where stamps have none */
};

/* Arrays or objects whose members are an activity's rows. */
static const struct {
	const char *key;
	enum sysstat_activity activity;
} lists[] = {
	{ "cpu-load", SYSSTAT_CPU },
	{ "cpu-load-all", SYSSTAT_CPU },
	{ "avg-cpu", SYSSTAT_CPU },
	{ "disk", SYSSTAT_DISK },
	{ "net-dev", SYSSTAT_NETWORK },
	{ "memory", SYSSTAT_MEMORY },
	{ "io", SYSSTAT_IO },
};

static enum sysstat_activity list_of(struct slice key)
{
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		if (slice_is(key, lists[i].key))
			return lists[i].activity;
	return SYSSTAT_ACTIVITIES;
}

static struct pos place(const struct reader *r)
{
	return (struct pos){ .source = r->p->source, .offset = json_offset(&r->j) };
}

/* A number or a string. */
static struct slice scalar(struct reader *r)
{
	struct slice text = SLICE_NONE;
	if (json_type(&r->j) == JSON_STRING)
		json_string(&r->j, &text);
	else
		json_number_text(&r->j, &text);
	return text;
}

/* ---- rows ---- */

/* The members of a row; those of objects within ("io-reads") belong to it. */
static void take_cells(struct reader *r, enum sysstat_activity activity, int depth)
{
	struct slice key;
	json_enter_object(&r->j);
	while (json_member(&r->j, &key)) {
		const struct sysstat_column *column = sysstat_column(activity, key);
		if (json_type(&r->j) == JSON_OBJECT) {
			if (depth < 1)
				take_cells(r, activity, depth + 1);
		} else if (sysstat_names_item(activity, key)) {
			if (slice_is(key, "disk_device"))
				sysstat_since_boot(r->s);
			sysstat_row_item(r->s, scalar(r));
		} else if (column && json_type(&r->j) == JSON_NUMBER) {
			struct pos pos = place(r);
			struct slice text = scalar(r);
			if (text.n)
				sysstat_cell(r->s, column, text, pos);
		}
	}
}

static void take_row(struct reader *r, enum sysstat_activity activity)
{
	sysstat_row(r->s, activity, false);
	take_cells(r, activity, 0);
	if (!json_truncated(&r->j))
		sysstat_row_end(r->s);
}

static void take_list(struct reader *r, enum sysstat_activity activity)
{
	if (json_type(&r->j) == JSON_OBJECT) {
		take_row(r, activity);
	} else if (json_enter_array(&r->j)) {
		while (json_element(&r->j))
			if (json_type(&r->j) == JSON_OBJECT)
				take_row(r, activity);
	}
}

/* ---- stamps ---- */

static void stamp(struct reader *r, struct slice date, struct slice time, struct slice zone, double interval)
{
	bool utc = slice_is(zone, "UTC") || slice_is(zone, "GMT");
	int seconds = sysstat_clock(slice_head(time, 8), time.n > 9 ? slice_from(time, 9) : SLICE_NONE);
	double day = date.n ? sysstat_date(r->s, date, SLICE(""), place(r)) : NAN;
	if (!isnan(day) && seconds >= 0 && !utc)
		sysstat_assumed_utc(r->s);
	sysstat_stamp(r->s, seconds >= 0 ? day + seconds : NAN, interval);
}

/* {"date": "2026-11-30", "time": "11:26:58", "utc": 1, "interval": 2}; from 12.7 on "tz": "UTC" in the place of utc */
static void take_stamp_object(struct reader *r)
{
	struct slice key, date = r->date, time = SLICE_NONE, zone = SLICE_NONE;
	double interval = NAN;
	json_enter_object(&r->j);
	while (json_member(&r->j, &key)) {
		struct slice text = scalar(r);
		if (slice_is(key, "date"))
			date = text;
		else if (slice_is(key, "time"))
			time = text;
		else if (slice_is(key, "tz"))
			zone = text;
		else if (slice_is(key, "utc") && slice_is(text, "1"))
			zone = SLICE("UTC");
		else if (slice_is(key, "interval") && num_double(text, &interval) != NUM_OK)
			interval = NAN;
	}
	if (!json_truncated(&r->j))
		stamp(r, date, time, zone, interval);
}

/* "11:26:58" of mpstat, "11/30/26 11:26:58" of iostat; either may end with AM or PM. */
static void take_stamp_text(struct reader *r)
{
	struct slice text = scalar(r), date = r->date;
	if (!text.n)
		return;
	if (slice_find_char(slice_head(text, 9), ':') != 2) {
		size_t blank = slice_find_char(text, ' ');
		size_t at = blank == (size_t)-1 ? slice_find_char(text, 'T') : blank;
		date = slice_head(text, at == (size_t)-1 ? 0 : at);
		text = slice_from(text, at == (size_t)-1 ? text.n : at + 1);
	}
	stamp(r, date, text, SLICE_NONE, NAN);
}

/* ---- documents ---- */

static void take_restarts(struct reader *r)
{
	if (!json_enter_array(&r->j))
		return;
	while (json_element(&r->j))
		sysstat_restart(r->s, true);
}

static void take_about(struct reader *r, struct slice key)
{
	struct pos pos = place(r);
	struct slice value = scalar(r);
	if (slice_is(key, "nodename"))
		sysstat_host(r->s, value, pos);
	else if (slice_is(key, "date") || slice_is(key, "file-date"))
		r->date = value;
	sysstat_about(r->s, key, value, pos);
}

/* One report: its stamp first, then its lists. */
static void take_report(struct reader *r)
{
	struct slice key;
	bool stamped = false;
	json_enter_object(&r->j);
	while (json_member(&r->j, &key)) {
		enum sysstat_activity activity = list_of(key);
		if (slice_is(key, "timestamp")) {
			stamped = true;
			if (json_type(&r->j) == JSON_OBJECT)
				take_stamp_object(r);
			else
				take_stamp_text(r);
			continue;
		}
		if (!stamped)
			sysstat_stamp(r->s, NAN, NAN);
		stamped = true;
		if (activity != SYSSTAT_ACTIVITIES) {
			take_list(r, activity);
		} else if (slice_is(key, "network") && json_enter_object(&r->j)) {
			while (json_member(&r->j, &key))
				if (list_of(key) == SYSSTAT_NETWORK)
					take_list(r, SYSSTAT_NETWORK);
		}
	}
}

static void take_host(struct reader *r)
{
	struct slice key;
	json_enter_object(&r->j);
	while (json_member(&r->j, &key)) {
		if (slice_is(key, "statistics") && json_enter_array(&r->j)) {
			while (json_element(&r->j))
				if (json_type(&r->j) == JSON_OBJECT)
					take_report(r);
		} else if (slice_is(key, "restarts")) {
			take_restarts(r);
		} else {
			take_about(r, key);
		}
	}
}

static void take_document(struct reader *r)
{
	struct slice key;
	if (!json_enter_object(&r->j))
		return;
	while (json_member(&r->j, &key)) {
		if (!slice_is(key, "sysstat") || !json_enter_object(&r->j))
			continue;
		while (json_member(&r->j, &key))
			if (slice_is(key, "hosts") && json_enter_array(&r->j))
				while (json_element(&r->j))
					if (json_type(&r->j) == JSON_OBJECT)
						take_host(r);
	}
}

static void say_flaws(struct reader *r)
{
	for (int f = 0; f < JSON_FLAWS; f++)
		if (r->j.flaw_count[f])
			sysstat_say(r->s, f == JSON_TRUNCATED ? DIAG_WARNING : DIAG_NOTE, (struct pos){ .offset = r->j.flaw_offset[f] },
				"%s (%u times in this file)", json_flaw_text((enum json_flaw)f), (unsigned)r->j.flaw_count[f]);
}

static enum status parse(struct parse *p)
{
	struct reader r = { .p = p, .s = sysstat_new(p), .j = json_of(p->source->data) };
	while (json_document(&r.j))
		take_document(&r);
	say_flaws(&r);
	return sysstat_finish(r.s);
}

static int probe(const struct peek *peek)
{
	static const char *const keys[] = { "\"sysstat\":", "\"hosts\":", "\"nodename\":" };
	return peek_signs(peek->head, keys, sizeof keys / sizeof *keys);
}

const struct parser parser_sysstat_json = {
	.name = "sysstat-json", .title = "JSON of sadf, mpstat or iostat", .tool = "sysstat", .probe = probe, .json = true,
	.parse = parse,
};
