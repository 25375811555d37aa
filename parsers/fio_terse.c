/* fio's terse output (--minimal, --output-format=terse), versions 2 to 5. A line is a job: its head, a block per
 * direction, a tail; then as many disks as were watched, the errors that continue_on_error let pass, and the job's
 * description. Nothing in it says which of these are there: the fields themselves do. */
#include "parsers/fio.h"
#include "parsers/fio_header.h"

#include "base/num.h"

/* What belongs together: when minimum, maximum and mean are all 0, it was not measured. */
enum part { PART_NONE, PART_RATE, PART_SLAT, PART_CLAT, PART_PERCENTILE, PART_TLAT, PART_BW, PART_IOPS, PARTS };

struct field {
	const char *name;      /* as fio's manual calls it, without read_, write_ … */
	enum part part;
	enum metric_id metric; /* METRICS: no figure of its own */
	const char *stat;
	double factor;
	const char *suffix;
};

#define PLAIN(text) { .name = text, .metric = METRICS }
#define FIGURE(text, p, m, s, f, unit) \
	{ .name = text, .part = PART_##p, .metric = METRIC_##m, .stat = s, .factor = f, .suffix = unit }
#define LATENCIES(prefix, part, metric) \
	FIGURE(prefix "_min_us", part, metric, "min", 1e-6, " us"), FIGURE(prefix "_max_us", part, metric, "max", 1e-6, " us"), \
	FIGURE(prefix "_mean_us", part, metric, "mean", 1e-6, " us"), FIGURE(prefix "_dev_us", part, metric, "sd", 1e-6, " us")
#define PERCENTILE(n) FIGURE("clat_pct" #n, PERCENTILE, COMPLETION_LATENCY, NULL, 1e-6, " us")

enum { V5_ONLY = 6, FIRST_PERCENTILE = 12, PERCENTILES = 20, LAST_DIRECTIONS = 4 };

static const struct field direction[] = {
	FIGURE("kb", RATE, IO, "value", 1024, " KiB"),
	FIGURE("bandwidth_kb", RATE, BANDWIDTH, "value", 1024, " KiB/s"),
	FIGURE("iops", RATE, IOPS, "value", 1, NULL),
	FIGURE("runtime_ms", RATE, RUNTIME, "value", 1e-3, " ms"),
	LATENCIES("slat", SLAT, SUBMISSION_LATENCY),
	LATENCIES("clat", CLAT, COMPLETION_LATENCY),
	PERCENTILE(01), PERCENTILE(02), PERCENTILE(03), PERCENTILE(04), PERCENTILE(05), PERCENTILE(06), PERCENTILE(07),
	PERCENTILE(08), PERCENTILE(09), PERCENTILE(10), PERCENTILE(11), PERCENTILE(12), PERCENTILE(13), PERCENTILE(14),
	PERCENTILE(15), PERCENTILE(16), PERCENTILE(17), PERCENTILE(18), PERCENTILE(19), PERCENTILE(20),
	LATENCIES("tlat", TLAT, LATENCY),
	FIGURE("bw_min", BW, BANDWIDTH, "min", 1024, " KiB/s"),
	FIGURE("bw_max", BW, BANDWIDTH, "max", 1024, " KiB/s"),
	PLAIN("bw_agg_pct"),
	FIGURE("bw_mean", BW, BANDWIDTH, "mean", 1024, " KiB/s"),
	FIGURE("bw_dev", BW, BANDWIDTH, "sd", 1024, " KiB/s"),
	/* From version 5 on. */
	PLAIN("bw_samples"),
	FIGURE("iops_min", IOPS, IOPS, "min", 1, NULL),
	FIGURE("iops_max", IOPS, IOPS, "max", 1, NULL),
	FIGURE("iops_mean", IOPS, IOPS, "mean", 1, NULL),
	FIGURE("iops_dev", IOPS, IOPS, "sd", 1, NULL),
	PLAIN("iops_samples"),
};
enum { V5_FIELDS = sizeof direction / sizeof *direction, DIRECTION_FIELDS = V5_FIELDS - V5_ONLY };

/* Places in it. */
enum { KB, BANDWIDTH, IOPS, RUNTIME, SLAT_MIN, CLAT_MIN = 8, TLAT_MIN = 32, BW_MIN = 36, BW_MEAN = 39, BW_SAMPLES = 41,
	IOPS_MIN, IOPS_MEAN = 44, IOPS_SAMPLES = 46 };

/* A field without a metric is an option of the job under its name. */
static const struct field tail[] = {
	FIGURE("cpu_user", NONE, CPU_UTIL, "usr", 1, "%"), FIGURE("cpu_sys", NONE, CPU_UTIL, "sys", 1, "%"),
	PLAIN("cpu_csw"), PLAIN("cpu_mjf"), PLAIN("cpu_minf"),
	PLAIN("iodepth_1"), PLAIN("iodepth_2"), PLAIN("iodepth_4"), PLAIN("iodepth_8"), PLAIN("iodepth_16"),
	PLAIN("iodepth_32"), PLAIN("iodepth_64"),
	PLAIN("lat_2us"), PLAIN("lat_4us"), PLAIN("lat_10us"), PLAIN("lat_20us"), PLAIN("lat_50us"), PLAIN("lat_100us"),
	PLAIN("lat_250us"), PLAIN("lat_500us"), PLAIN("lat_750us"), PLAIN("lat_1000us"),
	PLAIN("lat_2ms"), PLAIN("lat_4ms"), PLAIN("lat_10ms"), PLAIN("lat_20ms"), PLAIN("lat_50ms"), PLAIN("lat_100ms"),
	PLAIN("lat_250ms"), PLAIN("lat_500ms"), PLAIN("lat_750ms"), PLAIN("lat_1000ms"), PLAIN("lat_2000ms"),
	PLAIN("lat_over_2000ms"),
};
enum { TAIL_FIELDS = sizeof tail / sizeof *tail, CPU_CSW = 2 };

/* Of a disk: its name, I/Os, merges and ticks of reads and writes, time in queue, use. */
enum { DISK_NAME, DISK_READS, DISK_WRITES, DISK_FIRST_COUNT = DISK_READS, DISK_UTIL = 8, DISK_FIELDS };
/* Of a disk's I/O: what others write beside a job that only reads is less. */
#define WRITES_SHARE 0.05

enum { FIELDS_MAX = 2048, JOBS_MAX = 256 };

/* A job's counters, to see whether a later line continues it. */
struct counters {
	struct slice name, group;
	unsigned id, directions;
	double io[LAST_DIRECTIONS], runtime[LAST_DIRECTIONS];
	double min[LAST_DIRECTIONS][3], max[LAST_DIRECTIONS][3];
	double switches;
};

struct fio_terse {
	struct fio_header header; /* first: the header's rules use it */
	bool several;             /* some line has more than one direction */
	bool described;           /* the last line was of version 2: its description may follow */
	unsigned jobs, document;
	struct counters seen[JOBS_MAX];
	size_t n_seen;
	struct slice host;
	bool wrote;               /* some line has I/O that is no read's */
	struct pos doubtful;      /* the first line of reads whose disk wrote, too, or may have; no source: there is none */
	bool disk_wrote;
	/* The present line. */
	struct slice f[FIELDS_MAX];
	size_t n;
	unsigned version;
	bool cut;                 /* the data end in it */
	bool mixed;               /* its reads are the I/O of all directions */
};

/* ---- fields ---- */

static double number(struct slice text)
{
	double value = 0;
	num_double(text, &value);
	return value;
}

static bool whole_number(struct slice text)
{
	uint64_t value;
	return num_u64(text, &value) == NUM_OK;
}

static bool percentage(struct slice text)
{
	return text.n > 1 && text.p[text.n - 1] == '%';
}

static bool percentile(struct slice text)
{
	return slice_find(text, SLICE("%=")) != (size_t)-1;
}

static void split(struct fio_terse *s, struct slice line)
{
	struct slice part;
	s->n = 0;
	while (s->n + 1 < FIELDS_MAX && slice_cut(&line, ';', &part))
		s->f[s->n++] = part;
	if (line.p)
		s->f[s->n++] = line;
}

static void figure(struct rules *r, struct slice token, const struct field *f, const char *stat, uint64_t n)
{
	struct unit_scale scale = { f->suffix, metric_get(f->metric)->unit, f->factor };
	struct quantity q;
	if (rules_read(r, token, SLICE_NONE, scale, &q))
		rules_result(r, f->metric, stat, &q)->n = n;
}

/* "50.000000%=49"; "0%=0" fills a list up. */
static void percentile_figure(struct rules *r, struct slice text, const struct field *f)
{
	size_t at = slice_find(text, SLICE("%="));
	double percent;
	char stat[1 + NUM_FORMAT_SIZE] = "p";
	if (at == (size_t)-1 || num_double(slice_head(text, at), &percent) != NUM_OK || !(percent > 0 && percent <= 100))
		return;
	size_t n = num_format(stat + 1, percent);
	figure(r, slice_from(text, at + 2), f, arena_string(r->parse->arena, (struct slice){ stat, n + 1 }), 0);
}

/* ---- directions ---- */

static size_t direction_fields(const struct fio_terse *s)
{
	return s->version >= 5 ? V5_FIELDS : DIRECTION_FIELDS;
}

/* Whether a direction begins at this field: the tail begins with a percentage, and has no percentiles. */
static bool direction_at(const struct fio_terse *s, size_t at)
{
	if (at + FIRST_PERCENTILE < s->n)
		return percentile(s->f[at + FIRST_PERCENTILE]);
	return s->cut && at + 1 < s->n && !percentage(s->f[at]);
}

static unsigned count_directions(const struct fio_terse *s, size_t at)
{
	unsigned n = 0;
	while (n < LAST_DIRECTIONS && direction_at(s, at + n * direction_fields(s)))
		n++;
	return n;
}

/* All I/O of the line stands where reads do, as it also does when fio up to 3.19 adds up all directions. */
static bool only_reads(const struct fio_terse *s, size_t at, unsigned directions)
{
	size_t size = direction_fields(s);
	bool others = false;
	for (unsigned i = 1; i < directions; i++)
		others |= at + i * size < s->n && !fio_zero(s->f[at + i * size + KB]);
	return directions > 1 && !s->cut && !others && !fio_zero(s->f[at + KB]) &&
		fio_hides_mixed(s->version > 2 ? s->f[1] : s->header.version);
}

/* unified_rw_reporting=1 prints one block for all directions, =both such a block behind the others. NULL: can't be told,
 * because the line ends in its first block. */
static const char *direction_name(const struct fio_terse *s, unsigned i, unsigned n, bool ends)
{
	static const char *const names[] = { "read", "write", "trim", "mixed" };
	if (i == 0 && s->mixed)
		return "mixed";
	if (i == 0 && n == 1)
		return !ends ? "mixed" : s->several ? "read" : NULL;
	return i == 2 && s->version == 3 ? "mixed" : names[i];
}

static bool zeros(const struct slice *f, size_t n, size_t first)
{
	for (size_t i = first; i < first + 3 + (first == BW_MIN) && i < n; i++)
		if (!(first == BW_MIN && i == first + 2) && !fio_zero(f[i]))
			return false;
	return true;
}

/* A log of every I/O puts a "sample" of 1 in for each: no statistics of samples. */
static bool per_io(const struct slice *f)
{
	double seconds = number(f[RUNTIME]) / 1e3, all = number(f[IOPS]) * seconds;
	double samples = number(f[IOPS_SAMPLES]);
	return number(f[IOPS_MEAN]) == 1 && samples >= all - 1 && samples <= all + seconds + 1;
}

static void give_direction(struct rules *r, const struct slice *f, size_t n, const char *op)
{
	bool left_out[PARTS] = { [PART_RATE] = fio_zero(f[KB]), [PART_SLAT] = zeros(f, n, SLAT_MIN),
		[PART_CLAT] = zeros(f, n, CLAT_MIN), [PART_PERCENTILE] = zeros(f, n, CLAT_MIN), [PART_TLAT] = zeros(f, n, TLAT_MIN),
		[PART_BW] = zeros(f, n, BW_MIN), [PART_IOPS] = zeros(f, n, IOPS_MIN) || (n > IOPS_SAMPLES && per_io(f)) };
	uint64_t samples[PARTS] = { 0 };
	if (n > IOPS_SAMPLES) {
		num_u64(f[BW_SAMPLES], &samples[PART_BW]);
		num_u64(f[IOPS_SAMPLES], &samples[PART_IOPS]);
	}
	rules_untag(r);
	if (op)
		rules_tag(r, "op", slice_of(op), rules_pos(r, f[0].p));
	for (size_t i = 0; i < n; i++) {
		const struct field *d = &direction[i];
		if (d->metric == METRICS || left_out[d->part])
			continue;
		if (d->part == PART_PERCENTILE)
			percentile_figure(r, f[i], d);
		else
			figure(r, f[i], d, d->stat, samples[d->part]);
	}
}

/* ---- behind them ---- */

static void give_tail(struct rules *r, size_t at)
{
	const struct fio_terse *s = r->state;
	for (size_t i = 0; i < TAIL_FIELDS && at + i < s->n; i++) {
		struct slice text = s->f[at + i];
		struct slice value = slice_head(text, text.n - percentage(text));
		double finite;
		if (tail[i].metric != METRICS) {
			if (!percentage(text))
				continue; /* the line was cut: something else stands here */
			rules_untag(r);
			rules_tag(r, "mode", slice_of(tail[i].stat), rules_pos(r, text.p));
			figure(r, value, &tail[i], "value", 0);
		} else if (num_double(value, &finite) == NUM_OK && !(s->cut && at + i + 1 == s->n)) {
			rules_option(r, tail[i].name, value, rules_pos(r, text.p));
		}
	}
	rules_untag(r);
}

static bool disk_at(const struct fio_terse *s, size_t at)
{
	if (at + DISK_FIELDS > s->n || s->f[at].n == 0 || slice_find_char(s->f[at], ' ') != (size_t)-1)
		return false;
	for (size_t i = DISK_FIRST_COUNT; i < DISK_UTIL; i++)
		if (!whole_number(s->f[at + i]))
			return false;
	return percentage(s->f[at + DISK_UTIL]);
}

/* The errors that were passed over: how many, and the first. */
static bool errors_at(const struct fio_terse *s, size_t at)
{
	return at + 1 < s->n && whole_number(s->f[at]) && whole_number(s->f[at + 1]) && !(s->cut && at + 2 == s->n);
}

static void give_errors(struct rules *r, const struct slice *f)
{
	static const struct field count = FIGURE("total_err", NONE, ERRORS, "count", 1, NULL);
	if (fio_zero(f[0]))
		return;
	figure(r, f[0], &count, count.stat, 0);
	rules_option(r, "total_err", f[0], rules_pos(r, f[0].p));
	rules_option(r, "first_error", f[1], rules_pos(r, f[1].p));
}

/* A block of their own, as they belong to no job. "slaves" stands for the sum over a disk's parts, not for a disk. */
static void give_disks(struct rules *r, size_t at, struct slice version, unsigned id)
{
	static const struct field use = FIGURE("disk_util", NONE, DISK_UTIL, "value", 1, "%");
	struct fio_terse *s = r->state;
	if (!disk_at(s, at))
		return;
	rules_begin(r);
	rules_loose(r);
	rules_version(r, version);
	if (s->host.n)
		rules_param(r, "host", s->host, rules_here(r));
	if (id)
		rules_identity(r, slice_of(arena_printf(r->parse->arena, "disks of %u", id)));
	for (; disk_at(s, at); at += DISK_FIELDS) {
		struct slice text = s->f[at + DISK_UTIL];
		rules_untag(r);
		rules_tag(r, "disk", s->f[at], rules_pos(r, s->f[at].p));
		if (!slice_is(s->f[at], "slaves"))
			figure(r, slice_head(text, text.n - 1), &use, use.stat, 0);
	}
}

/* ---- jobs ---- */

static struct counters count_line(const struct fio_terse *s, size_t at, unsigned directions)
{
	static const unsigned firsts[] = { SLAT_MIN, CLAT_MIN, TLAT_MIN };
	struct counters c = { .directions = directions };
	for (unsigned i = 0; i < directions; i++, at += direction_fields(s)) {
		c.io[i] = number(s->f[at + KB]);
		c.runtime[i] = number(s->f[at + RUNTIME]);
		for (unsigned k = 0; k < 3; k++) {
			c.min[i][k] = number(s->f[at + firsts[k]]);
			c.max[i][k] = number(s->f[at + firsts[k] + 1]);
		}
	}
	c.switches = number(s->f[at + CPU_CSW]);
	return c;
}

/* Whether b is a later state of the job that a shows (--status-interval): more time, more data, and no counter back. */
static bool continues(const struct counters *a, const struct counters *b)
{
	enum { LEAST_MS = 100 };
	bool longer = false, more = false;
	if (a->directions != b->directions || !slice_eq(a->name, b->name) || !slice_eq(a->group, b->group) ||
		b->switches < a->switches)
		return false;
	for (unsigned i = 0; i < a->directions; i++) {
		if (b->io[i] < a->io[i] || b->runtime[i] < a->runtime[i])
			return false;
		longer |= b->runtime[i] >= a->runtime[i] + LEAST_MS;
		more |= b->io[i] > a->io[i];
		for (unsigned k = 0; k < 3 && a->io[i] > 0; k++)
			if (b->min[i][k] > a->min[i][k] || b->max[i][k] < a->max[i][k])
				return false;
	}
	return longer && more;
}

/* The number of the job that a line shows; 0: there are too many to tell. */
static unsigned identify(struct fio_terse *s, struct counters c)
{
	if (s->document != s->header.document)
		s->n_seen = 0;
	s->document = s->header.document;
	for (size_t i = 0; i < s->n_seen; i++)
		if (continues(&s->seen[i], &c)) {
			c.id = s->seen[i].id;
			s->seen[i] = c;
			return c.id;
		}
	if (s->n_seen == JOBS_MAX)
		return 0;
	c.id = ++s->jobs;
	s->seen[s->n_seen++] = c;
	return c.id;
}

/* Of reads that may be the I/O of all directions: the job's definition tells, if it is printed; else, what the disks did
 * beside the line may speak against reads alone. */
static void look_at_reads(struct rules *r, size_t head, struct slice name, unsigned directions, size_t disks)
{
	struct fio_terse *s = r->state;
	double reads = 0, writes = 0;
	bool only = only_reads(s, head, directions);
	s->mixed = only && fio_header_mixes(&s->header, s->host, s->f[head - 2], name);
	s->wrote |= !only;
	if (s->mixed)
		rules_diag(r, DIAG_NOTE, rules_here(r), "job '%.*s' is defined as reading and writing: what stands where reads do is all "
			"of its I/O (unified_rw_reporting, up to fio 3.19)", SLICE_ARG(name));
	if (!only || s->mixed)
		return;
	for (size_t at = disks; disk_at(s, at); at += DISK_FIELDS) {
		reads += number(s->f[at + DISK_READS]);
		writes += number(s->f[at + DISK_WRITES]);
	}
	bool wrote = writes > WRITES_SHARE * (reads + writes);
	if (!wrote && reads >= (1 - WRITES_SHARE) * number(s->f[head + IOPS]) * number(s->f[head + RUNTIME]) / 1e3)
		return; /* the disk read all of it */
	if (!s->doubtful.source || (wrote && !s->disk_wrote))
		s->doubtful = rules_here(r);
	s->disk_wrote |= wrote;
}

static void finish(struct rules *r)
{
	struct fio_terse *s = r->state;
	if (!r->ended || !s->doubtful.source)
		return;
	bool grave = s->disk_wrote && !s->wrote;
	rules_diag(r, grave ? DIAG_WARNING : DIAG_NOTE, s->doubtful, "whether these are reads alone can't be told: up to 3.19 fio "
		"prints what unified_rw_reporting adds up as reads%s", grave ? ", and the disk beside it wrote, too" : "");
}

/* Version 2 says nothing of fio's own version. A name may hold semicolons: the percentiles tell where it ends. */
static size_t head_fields(const struct fio_terse *s)
{
	size_t usual = s->version == 2 ? 4 : 5;
	for (size_t i = usual; i < s->n; i++)
		if (percentile(s->f[i]))
			return i >= usual + FIRST_PERCENTILE ? i - FIRST_PERCENTILE : usual;
	return usual;
}

static void give_job(struct rules *r, size_t head, struct slice name, unsigned directions, size_t end)
{
	static const struct field error = FIGURE("error", NONE, ERROR, "value", 1, NULL);
	struct fio_terse *s = r->state;
	struct slice group = s->f[head - 2];
	size_t size = direction_fields(s), at = head;
	rules_begin(r);
	rules_name(r, name);
	rules_param(r, "group", group, rules_pos(r, group.p));
	if (s->host.n)
		rules_param(r, "host", s->host, rules_here(r));
	fio_header_describe(r, s->host, group, name, 0);
	if (s->version > 2)
		rules_version(r, s->f[1]);
	if (!fio_zero(s->f[head - 1]))
		figure(r, s->f[head - 1], &error, error.stat, 0);
	bool ends = s->cut && head + directions * size >= s->n;
	for (unsigned i = 0; i < directions; i++, at += size) {
		size_t n = s->n - at < size ? s->n - at : size;
		give_direction(r, s->f + at, n, direction_name(s, i, directions, ends));
	}
	give_tail(r, at);
	if (errors_at(s, end))
		give_errors(r, s->f + end);
	size_t described = end + (errors_at(s, end) ? 2 : 0);
	if (described < s->n && !s->cut) {
		struct slice first = s->f[described], line = r->text->line;
		rules_option(r, "description", (struct slice){ first.p, (size_t)(line.p + line.n - first.p) }, rules_pos(r, first.p));
	}
}

static bool on_line(struct rules *r)
{
	enum { HOST, LINE };
	struct fio_terse *s = r->state;
	struct slice host = rules_group(r, HOST);
	split(s, rules_group(r, LINE));
	s->version = (unsigned)(s->f[0].p[0] - '0');
	s->cut = r->text->cut;
	s->host = host.p ? arena_copy(r->parse->arena, host) : SLICE_NONE;
	size_t head = head_fields(s), size = direction_fields(s);
	if (head >= s->n || !whole_number(s->f[head - 1]) || !whole_number(s->f[head - 2])) {
		rules_diag(r, DIAG_WARNING, rules_here(r), "%s: it gives no figures", s->cut ? "the file ends in the head of a line" :
			"begins like a line of fio's terse output, but is none");
		return true;
	}
	struct slice first = s->f[s->version == 2 ? 1 : 2], last = s->f[head - 3];
	struct slice name = { first.p, (size_t)(last.p + last.n - first.p) };
	unsigned directions = count_directions(s, head);
	size_t behind = head + directions * size + TAIL_FIELDS, end = behind;
	bool whole = behind <= s->n && (!s->cut || behind < s->n || percentage(s->f[behind - 1]));
	if (slice_is(name, "All clients")) {
		rules_diag(r, DIAG_NOTE, rules_here(r), "\"All clients\" is the sum over the hosts: it gives no rows");
		return true;
	}
	if (!whole)
		rules_diag(r, s->cut ? DIAG_ERROR : DIAG_WARNING, rules_here(r), "the line of job '%.*s' ends after %zu of %zu fields "
			"or more: what would follow is missing", SLICE_ARG(name), s->n, behind);
	look_at_reads(r, head, name, directions, behind);
	s->several |= directions > 1;
	s->described = s->version == 2;
	while (disk_at(s, end))
		end += DISK_FIELDS;
	give_job(r, head, name, directions, end);
	unsigned id = 0;
	if (whole) {
		struct counters c = count_line(s, head, directions);
		c.name = arena_copy(r->parse->arena, name);
		c.group = arena_copy(r->parse->arena, s->f[head - 2]);
		id = identify(s, c);
	}
	if (id)
		rules_identity(r, slice_of(arena_printf(r->parse->arena, "job %u", id)));
	give_disks(r, behind, s->version > 2 ? s->f[1] : s->header.version, id);
	return true;
}

/* Behind a line of version 2 its description, else a client's disks. */
static bool on_more(struct rules *r)
{
	struct fio_terse *s = r->state;
	struct slice text = rules_group(r, 0);
	bool description = s->described;
	s->described = false;
	split(s, text);
	s->cut = r->text->cut;
	if (description && r->open && slice_trim(text).n)
		rules_option(r, "description", text, rules_pos(r, text.p));
	else if (!description)
		give_disks(r, 0, s->header.version, 0);
	return true;
}

enum { START = 1, HEAD = 2 };

static const struct rule rules[] = {
	{
		.id = "job", .action = on_line,
		.pattern = FIO_HOST "(?<line>[2-5];[^;]*;[^;]*;.*)",
		.sample = "3;fio-2.0.15;16k-1-read;0;0;77968;7796;487;10001;0;0;0.000000;0.000000;555;2648;"
			"720.394213;198.444542",
		.fields = FIELDS(FIO_KEEP("host"), FIO_KEEP("line")),
	}, {
		.id = "more", .action = on_more,
		.pattern = ";(?<text>.*)", .sample = ";vda;160640;158121;38;231;116082;116359;232505;81.01%",
		.fields = FIELDS(FIO_KEEP("text")),
	},
	FIO_HEADER_RULES(START, HEAD, fio_header_definition),
	{ .id = NULL }
};

static const struct ruleset set = {
	.tool = "fio", .rules = rules, .state_size = sizeof(struct fio_terse), .finish = finish,
};

/* ---- detection ---- */

/* Below fio's JSON of the same run, above its normal text: what counts is a line that begins with a version and holds
 * percentiles where they belong. */
static int probe(const struct peek *peek)
{
	enum { HEAD_FIELDS = 16, SIGNATURE_BITS = 8 * 14 };
	struct slice rest = peek->head, line, part;
	while (slice_cut(&rest, '\n', &line)) {
		size_t host = slice_starts(line, "<") ? slice_find(line, SLICE("> ")) : (size_t)-1;
		if (host != (size_t)-1)
			line = slice_trim(slice_from(line, host + 2));
		if (line.n < 2 || line.p[0] < '2' || line.p[0] > '5' || line.p[1] != ';')
			continue;
		size_t at = slice_find(line, SLICE("%="));
		if (at == (size_t)-1 && line.p[0] > '2' && (slice_starts(slice_from(line, 2), "fio-")))
			return 8 * 6;
		struct slice before = slice_head(line, at);
		size_t n = 0;
		while (at != (size_t)-1 && slice_cut(&before, ';', &part))
			n++;
		if (n >= HEAD_FIELDS)
			return SIGNATURE_BITS;
	}
	return 0;
}

/* The lines that begin its output between other tools'. */
static const struct rule starts[] = {
	{ .id = "job",
	  .pattern = "(?:<[^>]{1,255}> )?\\d;(?:(?:fio-)?\\d[^;]{0,60};)?(?:[^;]{1,255};){1,4}?\\d+;\\d+;(?:[\\d.]+;){12}",
	  .sample = "3;fio-3.33;job;0;0;77968;7796;487;10001;0;0;0.0;0.0;555;2648;720.39;198.44;" },
	{ .id = NULL }
};

const struct parser parser_fio_terse = {
	.name = "fio-terse", .title = "fio terse", .tool = "fio", .probe = probe, .rules = &set,
	.starts = starts,
};
