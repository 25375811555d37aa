/* fio_logs: the logs that fio writes beside its results: NAME_{bw,iops,lat,slat,clat,clat_hist}[.N].log. What the name,
 * the scanner and the evaluation share.
 *
 * A row is a line of decimal numbers. Nothing in it says which fio wrote it:
 *     time ms, value, direction, block size                       up to 3.17
 *     …, offset                                                   2.1.11 to 3.17, log_offset
 *     …, priority                                                 from 3.18
 *     …, offset, priority                                         from 3.18, log_offset
 *     …, offset, priority, issue time ns                          from 3.38, log_issue_time
 *     time ms, mean, max, direction, block size, …                from 3.37, log_window_value=both
 * A priority is 0 or 1, or (log_prio) 0x and four digits. */
#ifndef PARSERS_FIO_LOGS_H
#define PARSERS_FIO_LOGS_H

#include "base/hist.h"
#include "parsers/parser.h"

enum fio_log_kind { LOG_BW, LOG_IOPS, LOG_LAT, LOG_SLAT, LOG_CLAT, LOG_CLAT_HIST, LOG_KINDS };

struct fio_log_name {
	enum fio_log_kind kind; /* LOG_KINDS: the name doesn't say */
	struct slice test;      /* what stands before _bw.1.log and the like */
	struct slice host;      /* behind .log, as fio's client adds it; or empty */
};
struct fio_log_name fio_log_name_of(struct slice base);

/* ---- rows ---- */

/* Which column holds what; -1: none does. */
struct fio_log_layout {
	const char *title;
	int columns, max, ddir, bs, offset, prio;
};

/* LOG_BATCH: values that gather for the histogram once it is in use; they fit the first cache. */
enum { LOG_OPS = 4, LOG_EXACT = 64 << 10, LOG_BATCH = 1 << 10, LOG_SLOTS = 4096, LOG_COLUMNS = 8, LOG_WINDOW_MS = 400,
	LOG_STRETCHES = 64 };

/* No I/O is as short in ns. */
enum { LEAST_NS = 100 };
/* No latency in ns or rate in KiB/s is as large: fio 3.18 and 3.19 could print such. */
#define LOG_VALUE_LIMIT (UINT64_C(1) << 50)

/* A piece of the run: all I/Os of a second or more, or one or more of fio's own windows. */
struct fio_log_slot {
	uint64_t n, sum, bytes; /* rows; of windows their values' sum; of I/Os their blocks' */
	uint64_t end;           /* of windows: ms, the last row's time */
	uint32_t line;          /* of its first row */
};

/* One direction. */
struct fio_log_op {
	uint64_t rows;
	uint64_t *values;       /* those not counted yet: all of them, in order, while there are fewer than LOG_EXACT */
	size_t n_values;        /* in the end: 0 where these are not all */
	size_t counted;         /* of them, those that are in a stretch: the first ones */
	bool emptied;           /* values are no longer all */
	struct hist *stretch;   /* of LOG_STRETCHES; of windows only the first */
	struct hist hist;       /* in the end: of all stretches together */
	uint64_t max;           /* of the maximum column */
	uint64_t last_time;
	uint64_t repeats;       /* windows with the time of the one before */
	struct fio_log_slot *slots;
	size_t n_slots;
	size_t per_slot, rows_of_last; /* windows in a slot, and in the last one */
};

struct fio_log {
	struct parse *p;
	enum fio_log_kind kind;
	uint64_t slot_ms;       /* length of a slot by the clock; starts at 1000 */
	uint64_t stretch_ms;    /* of I/Os: length of a stretch of time that has a histogram; starts at 1000 */
	/* The rest is the scanner's to fill. */
	uint64_t origin;        /* ms, what the times of slots and stretches count from: fio_log_origin of the first row */
	const struct fio_log_layout *layout; /* NULL: the log is empty */
	struct fio_log_op op[LOG_OPS];
	uint64_t rows, bad;     /* bad: lines left out */
	uint64_t last_time;
	uint32_t backwards;     /* line where time first goes backwards; 0: never */
	uint32_t restarts;      /* line where windows begin again at time 0, as a whole log of old fio does; 0: never */
	uint32_t beyond;        /* line of the first value that, in us, would be far older than the log; 0: none */
	bool windows;           /* rows are means over windows, not I/Os */
	bool by_time;           /* ... as their distance shows; else as their block size does, 0 in each */
	bool some_bs;           /* a block size that is not 0 */
	uint64_t offset_bits;   /* all offsets, or what may be one, joined by or */
	bool prio_hex;          /* what may be an offset is written as a priority */
};

/* Reads all rows. STATUS_REJECT when nothing is a row, STATUS_FATAL when the columns can be read in two ways: said. */
enum status fio_log_scan(struct fio_log *log);
/* Whether the first line is a row of a log, and how many columns it has. */
int fio_log_columns(struct slice head);

/* What the rows mean: results and series to the sink. `unit_ns`: 1, 1000, or 0: to be found out. */
void fio_log_evaluate(struct fio_log *log, const struct fio_log_name *name, unsigned unit_ns);

/* ---- histograms ---- */

/* Whether the first line has as many columns as a clat_hist log: its bins at some coarseness; else 0. */
size_t fio_log_bins_of(struct slice head);
enum status fio_log_hist(struct parse *p, const struct fio_log_name *name);

/* ---- shared ---- */

/* Whole lines, as they come. */
struct fio_log_lines {
	struct feed *feed;
	char *buffer;
	size_t start, end, size; /* what is not used yet; LOG_PAD bytes behind `end` may be read */
	uint64_t line;           /* of the block that comes next: whoever takes lines counts them */
	uint64_t long_lines;     /* longer than the buffer: left out */
	bool in_long, ended;
};
enum { LOG_PAD = 32 /* for DIGITS_PAD and texts of 16 */, LOG_BLOCK = 256 << 10 };
struct fio_log_lines fio_log_lines_of(struct parse *p);
/* As many whole lines as the buffer holds; or, unended, the input's last line, which nothing closes. False at the end. */
bool fio_log_more(struct fio_log_lines *l, struct slice *block, bool *unended);

/* Stretches grow from one second, or row, to 2, 4, 12 and 60, and from there double: so that a minute is made of whole ones
 * in a log of up to LOG_STRETCHES minutes. How many of this length become one when there are more than LOG_STRETCHES. */
size_t fio_log_join_factor(uint64_t length);
/* Joins each `of` neighbours of LOG_STRETCHES; those behind are empty then. */
void fio_log_join(struct hist *stretch, size_t of);

/* ms, what times count from when the log begins at `first`: 0, the job's start, but where the log's clock is another
 * (log_unix_epoch, log_alternate_epoch), as a beginning after more than an hour shows. */
uint64_t fio_log_origin(uint64_t first);

void fio_log_say(struct parse *p, enum severity severity, uint64_t line, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
extern const char *const fio_log_op_name[LOG_OPS];
const char *fio_log_kind_name(enum fio_log_kind kind);

/* A log's run with its one job, and a result of it. */
struct fio_log_out {
	struct parse *p;
	enum fio_log_kind kind;
	const struct job *job;
	bool open; /* nothing tells the unit: values are put as printed (RESULT_OPEN) */
};
/* `origin`: fio_log_origin of its first row. */
void fio_log_begin(struct fio_log_out *out, struct parse *p, const struct fio_log_name *name, uint64_t origin);
/* `half`: how far off the value may be. A value that is not finite is left out. */
void fio_log_put(const struct fio_log_out *out, int op, enum metric_id metric, const char *stat, double value, double half,
	uint64_t n);
/* Keeps how the latencies of one direction are spread; `unit_ns` as of the log, 0 when nothing tells it. */
void fio_log_keep(const struct fio_log_out *out, int op, const struct spread *spread, unsigned unit_ns,
	const struct hist *hist);

#endif
