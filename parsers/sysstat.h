/* sysstat: what sar, sadf, mpstat and iostat print, whatever the form: samples of activities over time.
 *
 * A reader says what it sees in order: the host, then for each time stamp the rows of each activity with their cells.
 * What a cell means is looked up by the spelling of its column, never by its place. From the samples come, for each
 * item (a CPU, a device, an interface) and quantity: the largest and the smallest with their times and places, the mean
 * as printed (one for each part between restarts) or, where none is printed, over the samples, their number, and a
 * series. For disks also the largest sum over the devices at one stamp.
 *
 * What an interface can carry is told by the attributes line_rate.NAME and line_rate (all but the loopback): a sample
 * above it is a fault of the counter, is left out, and is counted as an error of that interface and direction. */
#ifndef PARSERS_SYSSTAT_H
#define PARSERS_SYSSTAT_H

#include "parsers/parser.h"

/* Activities without items come last. */
enum sysstat_activity { SYSSTAT_CPU, SYSSTAT_DISK, SYSSTAT_NETWORK, SYSSTAT_MEMORY, SYSSTAT_IO, SYSSTAT_ACTIVITIES };

enum sysstat_quantity_id {
	SYSSTAT_USR, SYSSTAT_NICE, SYSSTAT_SYSTEM, SYSSTAT_SYS, SYSSTAT_IOWAIT, SYSSTAT_STEAL, SYSSTAT_IRQ, SYSSTAT_SOFT,
	SYSSTAT_GUEST, SYSSTAT_GNICE, SYSSTAT_IDLE,
	SYSSTAT_TPS, SYSSTAT_READS, SYSSTAT_WRITES, SYSSTAT_READ, SYSSTAT_WRITE, SYSSTAT_AWAIT, SYSSTAT_READ_AWAIT,
	SYSSTAT_WRITE_AWAIT, SYSSTAT_UTIL,
	SYSSTAT_RECEIVE, SYSSTAT_TRANSMIT, SYSSTAT_IFUTIL,
	SYSSTAT_FREE, SYSSTAT_AVAILABLE,
	SYSSTAT_IO_TPS, SYSSTAT_IO_READS, SYSSTAT_IO_WRITES, SYSSTAT_IO_READ, SYSSTAT_IO_WRITE,
	SYSSTAT_QUANTITIES
};

/* What is measured. SYSSTAT_IFUTIL is for checks only. */
struct sysstat_quantity {
	enum sysstat_activity activity;
	enum metric_id metric;
	const char *key[2], *value[2]; /* params; NULL: none */
	bool only_in_use;              /* 0 says that nothing happened: no smallest value, and no mean over samples */
};
const struct sysstat_quantity *sysstat_quantity(enum sysstat_quantity_id id);

/* A column as some version and form of output spells it. */
struct sysstat_column {
	enum sysstat_activity activity;
	const char *spelling;
	enum sysstat_quantity_id quantity;
	const char *suffix; /* the unit, as it is shown behind the number */
	double factor;      /* to the base unit */
	int rank;           /* of several columns of one row that tell the same, the highest is taken */
};
/* NULL: none of its activity. */
const struct sysstat_column *sysstat_column(enum sysstat_activity activity, struct slice spelling);

/* The names of the columns or keys that tell which item a row is of ("CPU", "disk-device"). */
bool sysstat_names_item(enum sysstat_activity activity, struct slice spelling);
/* What a table is of, by all its column headings: SYSSTAT_ACTIVITIES when there is nothing in it that is wanted. *item:
 * the column that names the item, or `n` where there is none. */
enum sysstat_activity sysstat_activity_of(const struct slice *headings, size_t n, size_t *item);
const char *sysstat_activity_name(enum sysstat_activity activity);

/* ---- samples ---- */

struct sysstat;

/* What all readers share; lives in p->arena. */
struct sysstat *sysstat_new(struct parse *p);
/* From here on samples are of that host; of another than before, another run begins. The rest of what the header says
 * is given with sysstat_about. */
void sysstat_host(struct sysstat *s, struct slice name, struct pos pos);
/* What is said of the host, by sadf's key: "release", "machine", "number-of-cpus"; others are not kept. The first value
 * stays. */
void sysstat_about(struct sysstat *s, struct slice key, struct slice value, struct pos pos);
/* A restart of the host, or another header: averages begin anew. Without samples since the last one: no new part. */
void sysstat_restart(struct sysstat *s, bool of_host);

/* Samples from here on: Unix time of their end, and seconds that they cover; NAN where not known. */
void sysstat_stamp(struct sysstat *s, double time, double interval);
/* A row, its item (where the activity has items) and its cells in any order; `average`: not a sample but the mean that
 * is printed. Nothing of a row is used before sysstat_row_end, up to which the texts must live. */
void sysstat_row(struct sysstat *s, enum sysstat_activity activity, bool average);
/* The row goes on with what another one told of the item at the same time. */
void sysstat_row_goes_on(struct sysstat *s);
void sysstat_row_item(struct sysstat *s, struct slice name);
void sysstat_cell(struct sysstat *s, const struct sysstat_column *column, struct slice text, struct pos pos);
void sysstat_row_end(struct sysstat *s);

/* ---- tables ---- */

enum { SYSSTAT_COLUMNS = 128 };

struct sysstat_table {
	enum sysstat_activity activity; /* SYSSTAT_ACTIVITIES: nothing of it is wanted */
	size_t n, item;                 /* columns; the one that names the item, or n */
	bool goes_on;                   /* with more columns of the rows of the table before it; set by the reader */
	const struct sysstat_column *columns[SYSSTAT_COLUMNS];
};
void sysstat_table_head(struct sysstat_table *t, const struct slice *headings, size_t n);
/* Whether it is the heading of some column, wanted or not. */
bool sysstat_is_heading(struct slice word);
struct text;
/* A row of as many cells as there are headings, of the text's present line. */
void sysstat_table_row(struct sysstat *s, const struct sysstat_table *t, const struct text *line,
	const struct slice *cells, bool average);
/* "19.9%" and, instead of the column's unit, "191.8M", as --human prints them: takes the last letter off; *factor: that
 * of the letter, else as it was; *suffix likewise, with what it leaves of " kB/s". False: there is none. */
bool sysstat_human(struct slice *number, double *factor, const char **suffix);
/* Whether a row that the end of the data may have cut is whole: sysstat prints two decimals. */
bool sysstat_whole(struct slice last_cell);

/* ---- times ---- */

/* Unix time of "2026-11-30 11:26:58 UTC", or of an epoch; NAN: none. A zone that is not printed is said once. */
double sysstat_time(struct sysstat *s, struct slice text);
/* Seconds of "11:26:58" as locales print it and, behind a 12-hour clock, "AM" or "PM" (may be empty); -1: no time. */
int sysstat_clock(struct slice time, struct slice half);
bool sysstat_is_half(struct slice word);
/* Unix time at which the day begins of a date as locales print it: "2026-11-30", "30.11.2026", "11/30/26". `around`:
 * the text behind it, which may show a locale that puts the day first. Where either could be meant, that is said.
 * NAN: no date. */
double sysstat_date(struct sysstat *s, struct slice date, struct slice around, struct pos pos);

/* Things that the readers come to know on the way, to be said once. */
void sysstat_assumed_utc(struct sysstat *s);
void sysstat_since_boot(struct sysstat *s);
void sysstat_say(struct sysstat *s, enum severity severity, struct pos pos, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* A sentence that is said once in an input. */
void sysstat_say_once(struct sysstat *s, const char *literal, struct pos pos, enum severity severity);

/* Gives everything to the sink. STATUS_REJECT: there was no sample. */
enum status sysstat_finish(struct sysstat *s);

/* For sysstat_emit.c: */

enum {
	SYSSTAT_ABOUT = 3,
	SYSSTAT_HOSTS = 256,
	SYSSTAT_ITEMS = 4096,      /* of one input; rows of more are left out, and said */
	SYSSTAT_POINTS = 1 << 13,  /* of one series; of more neighbours only the least and the greatest stay */
	SYSSTAT_ALL_POINTS = 1 << 20, /* of all series of a host, likewise */
};

struct sysstat_seen {
	double value, time;
	struct quantity q;
};

/* A printed average. */
struct sysstat_mean {
	struct sysstat_mean *next;
	unsigned part;
	struct quantity q;
};

struct sysstat_series {
	struct point *points;
	size_t n, cap;
	unsigned pooled, in_last; /* samples behind each two points (1: each is a point), and behind the last */
};

/* All of one quantity of one item. */
struct sysstat_figures {
	uint64_t n;
	double sum;
	struct sysstat_seen min, max;
	uint64_t n_min;            /* samples that count for the smallest */
	struct sysstat_mean *means, **last_mean;
	struct sysstat_series series;
};

struct sysstat_item {
	enum sysstat_activity activity;
	struct slice name;
	struct sysstat_item *next, *chain;
	uint64_t samples;
	unsigned parts, part;      /* how many it has samples in, and the last of them */
	uint64_t stamp;            /* number of the one last seen at */
	double last_time, now[2];  /* read and write bandwidth there */
	bool above;                /* a disk that only passes on what others do: not in the sum */
	double line_rate;          /* of an interface, B/s, as the user says; INFINITY: not told */
	struct slice line_rate_text;
	uint64_t faults[2];        /* samples above it, received and sent; the first was said */
	struct sysstat_figures *figures[SYSSTAT_QUANTITIES];
};

enum { SYSSTAT_SUM_READ, SYSSTAT_SUM_WRITE, SYSSTAT_SUM_BOTH, SYSSTAT_SUMS };

struct sysstat_sum {
	uint64_t n;
	double max, time;
	struct pos pos;            /* of a row at that time */
	struct sysstat_series series;
};

struct sysstat_host_run {
	struct slice host;
	struct pos pos;
	struct param about[SYSSTAT_ABOUT]; /* key empty: not said */
	struct sysstat_item *items, **last_item;
	size_t n_items;
	double first, end, interval; /* begin of the first sample, end of the last; length of the shortest */
	uint64_t points;           /* of all series */
	unsigned part, restarts;   /* parts: between restarts */
	bool samples_in_part, printed_means;
	bool clock_assumed;        /* no zone is printed: attribute `clock` */
	struct sysstat_sum sum[SYSSTAT_SUMS];
};

/* Gives one host's run; false when it has no sample. */
bool sysstat_emit(struct parse *p, const struct sysstat_host_run *run);
/* Whether a disk passes on what others do: dm, md, loop … */
bool sysstat_layer(struct slice disk);
/* Whether it passes on what this one does: a partition of it, or the device mapper's. */
bool sysstat_above(struct slice disk, struct slice other);

#endif
