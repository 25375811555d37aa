/* fio's normal output, 1.x to 3.42: rounded for people. */
#include "parsers/fio_header.h"

#include "base/num.h"

/* From 2.17 on. */
static const struct unit_scale dialect[] = {
	{ "msec", UNIT_S, 1e-3 },
	{ "usec", UNIT_S, 1e-6 },
	{ "nsec", UNIT_S, 1e-9 },
	{ "sec", UNIT_S, 1 },
	{ "k", UNIT_PER_S, 1e3 },
	{ "K", UNIT_PER_S, 1e3 },
	{ "M", UNIT_PER_S, 1e6 },
	{ "G", UNIT_PER_S, 1e9 },
	{ "B/s", UNIT_B_PER_S, 1 },
	{ "KiB/s", UNIT_B_PER_S, 0x1p10 },
	{ "MiB/s", UNIT_B_PER_S, 0x1p20 },
	{ "GiB/s", UNIT_B_PER_S, 0x1p30 },
	{ "TiB/s", UNIT_B_PER_S, 0x1p40 },
	{ "kB/s", UNIT_B_PER_S, 1e3 },
	{ "MB/s", UNIT_B_PER_S, 1e6 },
	{ "GB/s", UNIT_B_PER_S, 1e9 },
	{ "TB/s", UNIT_B_PER_S, 1e12 },
	{ "bit/s", UNIT_B_PER_S, 0.125 },
	{ "Kibit/s", UNIT_B_PER_S, 0x1p7 },
	{ "Mibit/s", UNIT_B_PER_S, 0x1p17 },
	{ "Gibit/s", UNIT_B_PER_S, 0x1p27 },
	{ "Tibit/s", UNIT_B_PER_S, 0x1p37 },
	{ "kbit/s", UNIT_B_PER_S, 125 },
	{ "Mbit/s", UNIT_B_PER_S, 125e3 },
	{ "Gbit/s", UNIT_B_PER_S, 125e6 },
	{ "Tbit/s", UNIT_B_PER_S, 125e9 },
	{ "B", UNIT_B, 1 },
	{ "KiB", UNIT_B, 0x1p10 },
	{ "MiB", UNIT_B, 0x1p20 },
	{ "GiB", UNIT_B, 0x1p30 },
	{ "TiB", UNIT_B, 0x1p40 },
	{ "PiB", UNIT_B, 0x1p50 },
	{ "kB", UNIT_B, 1e3 },
	{ "MB", UNIT_B, 1e6 },
	{ "GB", UNIT_B, 1e9 },
	{ "TB", UNIT_B, 1e12 },
	{ "PB", UNIT_B, 1e15 },
	{ "%", UNIT_PERCENT, 1 },
	{ NULL, UNIT_ONE, 0 }
};

/* Up to 2.16: the same names stand for powers of two. */
static const struct unit_scale old_dialect[] = {
	{ "KB/s", UNIT_B_PER_S, 0x1p10 },
	{ "MB/s", UNIT_B_PER_S, 0x1p20 },
	{ "GB/s", UNIT_B_PER_S, 0x1p30 },
	{ "TB/s", UNIT_B_PER_S, 0x1p40 },
	{ "B/s", UNIT_B_PER_S, 1 },
	{ "Kbit/s", UNIT_B_PER_S, 0x1p7 },
	{ "Mbit/s", UNIT_B_PER_S, 0x1p17 },
	{ "Gbit/s", UNIT_B_PER_S, 0x1p27 },
	{ "KB", UNIT_B, 0x1p10 },
	{ "MB", UNIT_B, 0x1p20 },
	{ "GB", UNIT_B, 0x1p30 },
	{ "TB", UNIT_B, 0x1p40 },
	{ "B", UNIT_B, 1 },
	{ NULL, UNIT_ONE, 0 }
};

static const struct unit_scale latency_headings[] = {
	{ " usec", UNIT_S, 1e-6 },
	{ " nsec", UNIT_S, 1e-9 },
	{ " msec", UNIT_S, 1e-3 },
	{ " sec", UNIT_S, 1 },
	{ NULL, UNIT_ONE, 0 }
};

static const struct unit_scale bandwidth_headings[] = {
	{ " KiB/s", UNIT_B_PER_S, 0x1p10 },
	{ " MiB/s", UNIT_B_PER_S, 0x1p20 },
	{ " GiB/s", UNIT_B_PER_S, 0x1p30 },
	{ " B/s", UNIT_B_PER_S, 1 },
	{ " kB/s", UNIT_B_PER_S, 1e3 },
	{ " MB/s", UNIT_B_PER_S, 1e6 },
	{ " GB/s", UNIT_B_PER_S, 1e9 },
	{ " Kibit/s", UNIT_B_PER_S, 0x1p7 },
	{ " Mibit/s", UNIT_B_PER_S, 0x1p17 },
	{ " kbit/s", UNIT_B_PER_S, 125 },
	{ " Mbit/s", UNIT_B_PER_S, 125e3 },
	{ NULL, UNIT_ONE, 0 }
};

static const struct unit_scale old_bandwidth_headings[] = {
	{ " KB/s", UNIT_B_PER_S, 0x1p10 },
	{ " MB/s", UNIT_B_PER_S, 0x1p20 },
	{ " GB/s", UNIT_B_PER_S, 0x1p30 },
	{ " B/s", UNIT_B_PER_S, 1 },
	{ " Kbit/s", UNIT_B_PER_S, 0x1p7 },
	{ " Mbit/s", UNIT_B_PER_S, 0x1p17 },
	{ NULL, UNIT_ONE, 0 }
};

struct fio_text {
	struct fio_header header; /* first: the header's rules use it */
	struct slice host;        /* of a client: whose results follow */
	unsigned place;           /* of the job since the last status */
	struct slice pid;         /* of the last job */
	/* Of the open block. */
	struct slice name;
	const char *op;
	bool job, complete;
	bool old;                 /* this job was printed by fio 2.16 or before */
	enum metric_id percentiles; /* what the table is of that follows; METRICS: of something else */
	const struct unit_scale *unit; /* as its heading says; NULL: unknown */
};

enum { START = 1, HEAD = 2, JOB = 4, OTHER = 8, DISKS = 16 };

static const struct { const char *printed, *op; } ops[] = { { "read", "read" }, { "write", "write" }, { "trim", "trim" },
	{ "mixed", "mixed" } };

/* ---- numbers ---- */

/* A thousand times a unit; the powers of ten below one are kept exact. */
static double thousandfold(double factor)
{
	return factor == 1e-9 ? 1e-6 : factor == 1e-6 ? 1e-3 : factor == 1e-3 ? 1 : factor * 1e3;
}

/* "8118.0k" in a unit that stands in a heading. */
static bool scaled(struct rules *r, struct slice token, const struct unit_scale *scale, struct quantity *q)
{
	static const char thousands[] = "kMGTP";
	double factor = scale->factor;
	if (!token.p)
		return false;
	char last = token.n > 1 ? token.p[token.n - 1] : 0;
	const char *power = last ? strchr(thousands, last == 'K' ? 'k' : last) : NULL;
	for (const char *p = thousands; power && p <= power; p++)
		factor = thousandfold(factor);
	struct slice number = power ? slice_head(token, token.n - 1) : token;
	if (!rules_read(r, number, SLICE_NONE, (struct unit_scale){ scale->spelling, scale->unit, factor }, q))
		return false;
	q->text = token;
	return true;
}

/* Headings name their unit apart from the number: "(usec)" and "8118.0k" are shown as "8118.0k usec". */
static const struct unit_scale *heading_unit(struct rules *r, const struct unit_scale *table, struct slice printed)
{
	struct slice spelled = slice_of(arena_printf(r->parse->arena, " %.*s", SLICE_ARG(printed)));
	const struct unit_scale *known = unit_find(table, spelled);
	if (!known)
		rules_diag(r, DIAG_WARNING, rules_here(r), "'%.*s' is no unit that fio prints here: no value is reported",
			SLICE_ARG(printed));
	return known;
}

static void tag_op(struct rules *r, const char *op)
{
	if (op)
		rules_tag(r, "op", slice_of(op), rules_here(r));
}

/* ---- jobs ---- */

enum { JOB_HOST, JOB_NAME, JOB_GROUP, JOB_JOBS, JOB_ERROR, JOB_PID };

static bool on_job(struct rules *r)
{
	struct fio_text *s = r->state;
	struct arena *a = r->parse->arena;
	struct slice host = rules_group(r, JOB_HOST), group = rules_group(r, JOB_GROUP);
	struct quantity error;
	uint64_t jobs = 0;
	rules_end(r);
	s->name = arena_copy(a, rules_group(r, JOB_NAME));
	s->pid = arena_copy(a, rules_group(r, JOB_PID));
	s->job = true;
	s->old = s->complete = false;
	s->op = NULL;
	s->percentiles = METRICS;
	s->place++;
	if (host.n)
		s->host = arena_copy(a, host);
	if (slice_is(s->name, "All clients")) {
		rules_diag(r, DIAG_NOTE, rules_here(r), "\"All clients\" is the sum over the hosts: it gives no rows");
		r->section = OTHER;
		return false;
	}
	num_u64(rules_group(r, JOB_JOBS), &jobs);
	rules_begin(r);
	rules_name(r, s->name);
	rules_param(r, "group", group, rules_pos(r, group.p));
	if (s->host.n)
		rules_param(r, "host", s->host, rules_here(r));
	fio_header_describe(r, s->host, group, s->name, jobs);
	if (jobs > 1)
		rules_option(r, "jobs", rules_group(r, JOB_JOBS), rules_here(r));
	rules_identity(r, slice_of(arena_printf(a, "%u/%u/%.*s/%.*s/%.*s/%.*s", s->header.document, s->place, SLICE_ARG(group),
		SLICE_ARG(s->pid), SLICE_ARG(s->host), SLICE_ARG(s->name))));
	if (rules_number(r, JOB_ERROR, &error) && error.value != 0)
		rules_result(r, METRIC_ERROR, "value", &error);
	return false;
}

static void finish(struct rules *r)
{
	struct fio_text *s = r->state;
	if (!s->job)
		return;
	s->job = false;
	if (!s->complete)
		rules_diag(r, r->ended ? DIAG_ERROR : DIAG_WARNING, rules_here(r), "%s inside job '%.*s': what would follow of it "
			"is missing", r->ended ? "the file ends" : "the output stops", SLICE_ARG(s->name));
	else if (r->ended)
		rules_diag(r, DIAG_WARNING, rules_here(r), "fio's output ends before its \"Run status group\": what would follow is "
			"missing");
}

static bool on_host(struct rules *r)
{
	struct fio_text *s = r->state;
	struct slice host = rules_group(r, 0);
	if (fio_header_knows(&s->header, host))
		s->host = arena_copy(r->parse->arena, host);
	return true;
}

static bool on_definition(struct rules *r)
{
	struct fio_text *s = r->state;
	if (s->header.reported)
		s->host = SLICE_NONE;
	s->place = 0;
	return fio_header_definition(r);
}

static bool on_status(struct rules *r)
{
	struct fio_text *s = r->state;
	rules_end(r);
	s->place = 0;
	return true;
}

/* "r=0/w=2/d=0" or "0,2,0,0": an option for each that is not 0. */
static void count_each(struct rules *r, const char *key, struct slice text)
{
	while (text.n) {
		size_t n = num_span(text);
		if (n && !fio_zero(slice_head(text, n)))
			rules_option(r, key, slice_head(text, n), rules_pos(r, text.p));
		text = slice_from(text, n ? n : 1);
	}
}

static bool on_issued(struct rules *r)
{
	enum { SHORT, DROPPED };
	struct fio_text *s = r->state;
	s->complete = true;
	count_each(r, "short_ios", rules_group(r, SHORT));
	count_each(r, "drop_ios", rules_group(r, DROPPED));
	return true;
}

/* Those that continue_on_error let pass. */
static bool on_errors(struct rules *r)
{
	return !fio_zero(rules_group(r, 0));
}

/* ---- directions ---- */

static void begin_direction(struct rules *r, struct slice printed)
{
	struct fio_text *s = r->state;
	s->op = NULL;
	for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
		if (slice_is(printed, ops[i].printed))
			s->op = ops[i].op;
	s->percentiles = METRICS;
	tag_op(r, s->op);
}

enum { NEW_OP, NEW_IO, NEW_IOPS };

/* fio 3 does not add up the two directions that it reports as "mixed" beside them: no I/O, no figures. */
static bool on_direction(struct rules *r)
{
	double io = 1;
	begin_direction(r, rules_group(r, NEW_OP));
	num_double(rules_group(r, NEW_IO), &io);
	return io > 0 || !slice_is(rules_group(r, NEW_IOPS), "0");
}

enum { OLD_OP, OLD_IO, OLD_IO_UNIT, OLD_BW, OLD_BW_UNIT, OLD_IOPS, OLD_RUNTIME, OLD_RUNTIME_UNIT };

static void old_figure(struct rules *r, unsigned number, unsigned unit, enum metric_id metric)
{
	struct slice token = rules_group(r, number), spelled = rules_group(r, unit);
	const struct unit_scale *scale = token.p ? unit_find(old_dialect, spelled) : NULL;
	struct quantity q;
	if (token.p && !scale)
		rules_diag(r, DIAG_WARNING, rules_pos(r, spelled.p), "'%.*s' is no unit that fio prints here: no value is reported",
			SLICE_ARG(spelled));
	else if (token.p && rules_read(r, token, spelled, *scale, &q))
		rules_result(r, metric, "value", &q);
}

static bool on_old_direction(struct rules *r)
{
	static const struct unit_scale per_second = { NULL, UNIT_PER_S, 1 }, ms = { "msec", UNIT_S, 1e-3 };
	struct fio_text *s = r->state;
	struct quantity q;
	s->old = true;
	begin_direction(r, rules_group(r, OLD_OP));
	old_figure(r, OLD_IO, OLD_IO_UNIT, METRIC_IO);
	old_figure(r, OLD_BW, OLD_BW_UNIT, METRIC_BANDWIDTH);
	if (scaled(r, rules_group(r, OLD_IOPS), &per_second, &q))
		rules_result(r, METRIC_IOPS, "value", &q);
	struct slice runtime = rules_group(r, OLD_RUNTIME);
	if (runtime.p && rules_read(r, runtime, rules_group(r, OLD_RUNTIME_UNIT), ms, &q))
		rules_result(r, METRIC_RUNTIME, "value", &q);
	return false;
}

/* ---- latencies ---- */

static enum metric_id latency_metric(struct slice kind)
{
	return slice_is(kind, "slat") ? METRIC_SUBMISSION_LATENCY : slice_is(kind, "clat") ? METRIC_COMPLETION_LATENCY :
		METRIC_LATENCY;
}

/* min, max, avg, stdev in four fields from `first`. */
static void statistics(struct rules *r, unsigned first, enum metric_id metric, const struct unit_scale *scale, uint64_t n)
{
	static const char *const stats[] = { "min", "max", "mean", "sd" };
	struct quantity q;
	for (unsigned i = 0; i < 4; i++)
		if (scaled(r, rules_group(r, first + i), scale, &q))
			rules_result(r, metric, stats[i], &q)->n = n;
}

enum { LATENCY_KIND, LATENCY_UNIT, LATENCY_MIN, LATENCY_MAX, LATENCY_MEAN };

static bool on_latency(struct rules *r)
{
	struct fio_text *s = r->state;
	struct slice kind = rules_group(r, LATENCY_KIND);
	if (fio_zero(rules_group(r, LATENCY_MIN)) && fio_zero(rules_group(r, LATENCY_MAX)) && fio_zero(rules_group(r, LATENCY_MEAN)))
		return false;
	if (slice_is(kind, "sync"))
		s->op = "sync";
	tag_op(r, s->op);
	const struct unit_scale *scale = heading_unit(r, latency_headings, rules_group(r, LATENCY_UNIT));
	if (scale)
		statistics(r, LATENCY_MIN, latency_metric(kind), scale, 0);
	return false;
}

static bool on_percentiles(struct rules *r)
{
	enum { KIND, UNIT };
	struct fio_text *s = r->state;
	struct slice kind = rules_group(r, KIND);
	if (slice_is(kind, "sync"))
		s->op = "sync";
	s->percentiles = latency_metric(kind);
	s->unit = heading_unit(r, latency_headings, rules_group(r, UNIT));
	return true;
}

/* Those of one priority class. */
static bool on_other_percentiles(struct rules *r)
{
	struct fio_text *s = r->state;
	s->percentiles = METRICS;
	return true;
}

/* "|  1.00th=[ 2212],  5.00th=[ 3556]," */
static bool on_percentile_row(struct rules *r)
{
	struct fio_text *s = r->state;
	struct slice rest = r->text->line, key = SLICE("th=[");
	struct quantity q;
	if (s->percentiles == METRICS || !s->unit)
		return false;
	tag_op(r, s->op);
	for (size_t at; (at = slice_find(rest, key)) != (size_t)-1;) {
		size_t from = at;
		double percent;
		while (from > 0 && ((rest.p[from - 1] >= '0' && rest.p[from - 1] <= '9') || rest.p[from - 1] == '.'))
			from--;
		struct slice which = { rest.p + from, at - from };
		rest = slice_from(rest, at + key.n);
		size_t end = slice_find_char(rest, ']');
		if (end == (size_t)-1 || num_double(which, &percent) != NUM_OK || !(percent > 0 && percent <= 100))
			continue;
		char stat[1 + NUM_FORMAT_SIZE] = "p";
		size_t n = num_format(stat + 1, percent);
		if (scaled(r, slice_trim(slice_head(rest, end)), s->unit, &q))
			rules_result(r, s->percentiles, arena_string(r->parse->arena, (struct slice){ stat, n + 1 }), &q);
	}
	return false;
}

/* ---- samples ---- */

static uint64_t count(struct slice text)
{
	uint64_t n = 0;
	num_u64(text, &n);
	return n;
}

enum { BW_UNIT, BW_MIN, BW_SAMPLES = 5 };

static bool on_bandwidth(struct rules *r)
{
	struct fio_text *s = r->state;
	struct slice printed = rules_group(r, BW_UNIT);
	const struct unit_scale *scale = heading_unit(r, s->old ? old_bandwidth_headings : bandwidth_headings,
		slice_of(arena_printf(r->parse->arena, "%.*s/s", SLICE_ARG(printed))));
	tag_op(r, s->op);
	if (scale)
		statistics(r, BW_MIN, METRIC_BANDWIDTH, scale, count(rules_group(r, BW_SAMPLES)));
	return false;
}

enum { IOPS_MIN, IOPS_MAX, IOPS_MEAN, IOPS_SD, IOPS_SAMPLES };

/* A log of every I/O puts a "sample" of 1 in for each. */
static bool on_iops(struct rules *r)
{
	static const struct unit_scale per_second = { NULL, UNIT_PER_S, 1 };
	struct fio_text *s = r->state;
	double mean = 0;
	uint64_t n = count(rules_group(r, IOPS_SAMPLES));
	num_double(rules_group(r, IOPS_MEAN), &mean);
	tag_op(r, s->op);
	if (!(mean == 1 && n > 1))
		statistics(r, IOPS_MIN, METRIC_IOPS, &per_second, n);
	return false;
}

static bool on_cpu(struct rules *r)
{
	static const char *const modes[] = { "usr", "sys" };
	static const struct unit_scale percent = { "%", UNIT_PERCENT, 1 };
	struct quantity q;
	for (unsigned i = 0; i < 2; i++) {
		rules_untag(r);
		rules_tag(r, "mode", slice_of(modes[i]), rules_here(r));
		if (rules_read(r, rules_group(r, i), SLICE_NONE, percent, &q))
			rules_result(r, METRIC_CPU_UTIL, "value", &q);
	}
	return false;
}

/* ---- disks ---- */

static bool on_disks(struct rules *r)
{
	struct fio_text *s = r->state;
	rules_begin(r);
	rules_loose(r);
	rules_version(r, s->header.version);
	if (s->host.n)
		rules_param(r, "host", s->host, rules_here(r));
	rules_identity(r, slice_of(arena_printf(r->parse->arena, "%u/disks/%.*s/%.*s", s->header.document, SLICE_ARG(s->pid),
		SLICE_ARG(s->host))));
	return true;
}

/* ---- the table ---- */

#define NUMBER(name) "(?<" name ">[^,\\s]+)"
#define STATISTICS "min= *" NUMBER("min") "(?: *, max= *" NUMBER("max") "(?: *, (?:per=[^,]*, )?avg= *" NUMBER("avg") \
	"(?:, stdev= *" NUMBER("sd") ")?)?)?"
#define STATISTICS_FIELDS FIO_KEEP("min"), FIO_KEEP("max"), FIO_KEEP("avg"), FIO_KEEP("sd")
#define DEPTH(n) { .as = FIELD_OPTION, .group = "d" n, .key = "iodepth_" n }
#define SECONDS "(?<unit>[num]?sec)"
#define BINARY "(?:[KMGTP]i(?:B|bit)|B|bit)/s"

#define PLAIN_NAME "[\\w./-]{1,64}"
#define JOB_LINE(name) FIO_HOST "(?<name>" name "): \\(groupid=(?<group>\\d+), jobs=(?<jobs>\\d+)\\): "\
	"err= *(?<error>\\d+) ?(?:\\([^()]*(?:\\([^()]*\\)[^()]*)*\\))?: pid=(?<pid>\\d+)"
#define JOB_FIELDS FIELDS(FIO_KEEP("host"), FIO_KEEP("name"), FIO_KEEP("group"), FIO_KEEP("jobs"), FIO_KEEP("error"), FIO_KEEP("pid"))

static const struct rule rules[] = {
	{
		.id = "percentiles", .in = JOB, .action = on_percentile_row,
		.pattern = "\\| *[\\d.]+th=\\[", .sample = "| 99.00th=[16057], 99.50th=[18220], 99.90th=[50070], 99.95th=[50070],",
	}, {
		.id = "latency", .in = JOB, .action = on_latency,
		.pattern = "(?<kind>slat|clat|lat|sync) \\(" SECONDS "\\) *: " STATISTICS,
		.sample = "clat (nsec): min=711, max=7966.0k, avg=132350.37, stdev=381939.12",
		.fields = FIELDS(FIO_KEEP("kind"), FIO_KEEP("unit"), STATISTICS_FIELDS),
	}, {
		.id = "percentiles-of", .in = JOB, .action = on_percentiles,
		.pattern = "(?<kind>slat|clat|lat|sync) percentiles \\(" SECONDS "\\)", .sample = "clat percentiles (usec):",
		.fields = FIELDS(FIO_KEEP("kind"), FIO_KEEP("unit")),
	}, {
		.id = "bandwidth", .in = JOB, .action = on_bandwidth,
		.pattern = "bw *\\( *(?<unit>[KMGTkmg]?i?(?:B|bit)) */s\\) *: " STATISTICS "(?:, samples=(?<n>\\d+))?",
		.sample = "bw (KB  /s): min=80328, max=86496, per=47.17%, avg=82754.67, stdev=3287.45",
		.fields = FIELDS(FIO_KEEP("unit"), STATISTICS_FIELDS, FIO_KEEP("n")),
	}, {
		.id = "iops", .in = JOB, .action = on_iops,
		.pattern = "iops *: " STATISTICS "(?:, samples=(?<n>\\d+))?",
		.sample = "iops        : min=  672, max=  766, avg=731.33, stdev=51.63, samples=3",
		.fields = FIELDS(STATISTICS_FIELDS, FIO_KEEP("n")),
	}, {
		/* The binary one of the two bandwidths, whichever comes first. */
		.id = "direction", .in = JOB, .action = on_direction,
		.pattern = "(?<op>read|write|trim|mixed) *: IOPS=(?<iops>[\\d.]+)(?<iops_unit>[kKMG])?"
			"(?:, BW=(?:(?<bw>[\\d.]+)(?<bw_unit>" BINARY ")(?: \\([^)]*\\))?|"
			"[\\d.]+[kMGTP](?:B|bit)/s \\((?<bw2>[\\d.]+)(?<bw2_unit>" BINARY ")\\)|"
			"(?<bw3>[\\d.]+)(?<bw3_unit>[kMGTP](?:B|bit)/s)(?! \\()|\\d \\(\\d\\))"
			"(?:\\((?<io>[\\d.]+)(?<io_unit>[kKMGTP]?i?B)/(?<runtime>\\d+)(?<runtime_unit>msec)\\))?)?",
		.sample = "read: IOPS=28.8k, BW=113MiB/s (118MB/s)(225MiB/2001msec)",
		.fields = FIELDS(FIO_KEEP("op"), { .as = FIELD_RESULT, .group = "io", .metric = METRIC_IO, .stat = "value", .unit_group = "io_unit" },
			{ .as = FIELD_RESULT, .group = "iops", .metric = METRIC_IOPS, .stat = "value", .unit_group = "iops_unit" },
			{ .as = FIELD_RESULT, .group = "bw", .metric = METRIC_BANDWIDTH, .stat = "value", .unit_group = "bw_unit" },
			{ .as = FIELD_RESULT, .group = "bw2", .metric = METRIC_BANDWIDTH, .stat = "value", .unit_group = "bw2_unit" },
			{ .as = FIELD_RESULT, .group = "bw3", .metric = METRIC_BANDWIDTH, .stat = "value", .unit_group = "bw3_unit" },
			{ .as = FIELD_RESULT, .group = "runtime", .metric = METRIC_RUNTIME, .stat = "value", .unit_group = "runtime_unit" }),
	}, {
		.id = "direction-2.16", .in = JOB, .action = on_old_direction,
		.pattern = "(?<op>read|write|trim|mixed) *: io= *(?<io>[\\d.]+) *(?<io_unit>[KMGTP]?B)"
			"(?:, bw= *(?<bw>[\\d.]+) *(?<bw_unit>[KMGTP]?(?:B|bit)/s)"
			"(?: *, iops= *(?<iops>[\\d.]+[kKMG]?)(?: *, runt= *(?<runtime>\\d+)(?<ms>msec))?)?)?",
		.sample = "read : io=191740KB, bw=95774KB/s, iops=23943 , runt=  2002msec",
		.fields = FIELDS(FIO_KEEP("op"), FIO_KEEP("io"), FIO_KEEP("io_unit"), FIO_KEEP("bw"), FIO_KEEP("bw_unit"),
			FIO_KEEP("iops"), FIO_KEEP("runtime"), FIO_KEEP("ms")),
	}, {
		.id = "cpu", .in = JOB, .action = on_cpu,
		.pattern = "cpu +: usr= *(?<usr>[^,%]+)%, sys= *(?<sys>[^,%]+)%",
		.sample = "cpu          : usr=0.20%, sys=6.57%, ctx=1264, majf=0, minf=1035",
		.fields = FIELDS(FIO_KEEP("usr"), FIO_KEEP("sys")),
	}, {
		.id = "issued", .in = JOB, .action = on_issued,
		.pattern = "issued(?: rwts?)? *: *total=(?:\\S* short=(?<short>[\\drwd,/=]+)(?: drop(?:ped)?=(?<dropped>[\\drwd,/=]+))?)?",
		.sample = "issued rwts: total=1411,0,0,0 short=0,0,0,0 dropped=0,0,0,0",
		.fields = FIELDS(FIO_KEEP("short"), FIO_KEEP("dropped")),
	}, {
		.id = "depths", .in = JOB,
		.pattern = "IO depths *: \\d=(?<d1>[\\d.]+)%, \\d=(?<d2>[\\d.]+)%, \\d=(?<d4>[\\d.]+)%, \\d=(?<d8>[\\d.]+)%, "
			"\\d\\d=(?<d16>[\\d.]+)%, \\d\\d=(?<d32>[\\d.]+)%, >=\\d\\d=(?<d64>[\\d.]+)%",
		.sample = "IO depths    : 1=0.1%, 2=0.1%, 4=100.0%, 8=0.0%, 16=0.0%, 32=0.0%, >=64=0.0%",
		.fields = FIELDS(DEPTH("1"), DEPTH("2"), DEPTH("4"), DEPTH("8"), DEPTH("16"), DEPTH("32"), DEPTH("64")),
	}, {
		.id = "errors", .in = JOB, .action = on_errors,
		.pattern = "errors *: total= *(?<total>\\d+), first_error= *(?<first>\\d+)",
		.sample = "errors    : total=3, first_error=84/<Invalid or incomplete multibyte or wide character>",
		.fields = FIELDS({ .as = FIELD_RESULT, .group = "total", .metric = METRIC_ERRORS, .stat = "count" },
			{ .as = FIELD_OPTION, .group = "total", .key = "total_err" },
			{ .as = FIELD_OPTION, .group = "first", .key = "first_error" }),
	}, {
		.id = "steady state", .in = JOB,
		.pattern = "steadystate *: attained=(?<attained>yes|no)(?:, bw=(?<bw>[\\d.]+)(?<bw_unit>\\w+/s)(?: \\([^)]*\\))?"
			"(?:, iops=(?<iops>[\\d.]+)(?<iops_unit>[kKMG])?(?:, (?<criterion>[^=]{1,40}=[-\\d.]+%?))?)?)?",
		.sample = "steadystate  : attained=yes, bw=24.0MiB/s (24.5MB/s), iops=6135, bw slope=-6.062%",
		.fields = FIELDS({ .as = FIELD_TAG, .group = "attained", .key = "steady" },
			{ .as = FIELD_OPTION, .group = "attained", .key = "steadystate.attained", .words = WORDS({ "yes", "1" }, { "no", "0" }) },
			{ .as = FIELD_OPTION, .group = "criterion", .key = "steadystate.criterion" },
			{ .as = FIELD_RESULT, .group = "bw", .metric = METRIC_BANDWIDTH, .stat = "steady_mean", .unit_group = "bw_unit" },
			{ .as = FIELD_RESULT, .group = "iops", .metric = METRIC_IOPS, .stat = "steady_mean", .unit_group = "iops_unit" }),
	}, {
		.id = "disk", .in = DISKS,
		.pattern = "(?<disk>[^\\s:]+): ios=\\d+/\\d+, .*?\\butil=(?<util>[^%,\\s]+)%",
		.sample = "vda: ios=12493/10699, merge=17/13, ticks=109932/110194, in_queue=220731, util=94.18%",
		.fields = FIELDS({ .as = FIELD_TAG, .group = "disk", .key = "disk" },
			{ .as = FIELD_RESULT, .group = "util", .metric = METRIC_DISK_UTIL, .stat = "value", .unit = "%" }),
	}, {
		/* Names as they mostly are: by these, and by their definitions, fio's output is told apart from other tools'. */
		.id = "job-plain", .to = JOB, .flags = RULE_START, .action = on_job,
		.pattern = JOB_LINE(PLAIN_NAME), .sample = "seqwrite: (groupid=0, jobs=1): err= 0: pid=7023: Sun Apr  2 06:50:48 2017",
		.fields = JOB_FIELDS,
	}, {
		.id = "definition-plain", .to = HEAD, .flags = RULE_START, .action = on_definition,
		.pattern = FIO_DEFINITION(PLAIN_NAME), .sample = "mix: (g=0): rw=randrw, bs=4K-4K/4K-4K/4K-4K, ioengine=libaio, iodepth=4",
		.fields = FIO_DEFINITION_FIELDS,
	}, {
		.id = "job", .to = JOB, .action = on_job,
		.pattern = JOB_LINE(".{0,512}?"),
		.sample = "seq write: (groupid=0, jobs=1): err=28 (file:io_u.c:1575, func=io_u error, error=No space left on device): "
			"pid=7023: Sun Apr  2 06:50:48 2017",
		.fields = JOB_FIELDS,
	}, {
		.id = "other percentiles", .in = JOB, .action = on_other_percentiles,
		.pattern = ".{1,80} percentiles \\([num]?sec\\)", .sample = "clat prio 2/0 (62.17% of IOs) percentiles (usec):",
	}, {
		.id = "status", .to = OTHER, .action = on_status,
		.pattern = "Run status group \\d+ \\(", .sample = "Run status group 0 (all jobs):",
	}, {
		.id = "disks", .to = DISKS, .action = on_disks,
		.pattern = "Disk stats \\(read/write\\):", .sample = "Disk stats (read/write):",
	},
	FIO_HEADER_RULES(START, HEAD, on_definition),
	{
		.id = "host", .action = on_host,
		.pattern = "(?:Jobs: .*)?<(?<host>[^<>]{1,255})> *$", .sample = "Jobs: 0 (f=0)<vm> ",
		.fields = FIELDS(FIO_KEEP("host")),
	},
	{ .id = NULL }
};

static const struct ruleset set = {
	.tool = "fio", .rules = rules, .dialect = dialect, .result_flags = RESULT_LOW_PRECISION,
	.state_size = sizeof(struct fio_text), .finish = finish,
};

/* ---- detection ---- */

static int sign(struct slice head, const char *text)
{
	return slice_find(head, slice_of(text)) == (size_t)-1 ? 0 : 8 * (int)strlen(text);
}

/* Below fio's JSON and terse output of the same run, which are more precise. */
static int probe(const struct peek *peek)
{
	int job = sign(peek->head, ": (groupid="), defined = sign(peek->head, "): rw=");
	int most = job > defined ? job : defined;
	if (most == defined && most && !sign(peek->head, ": (g="))
		most = 0;
	return most ? most : fio_message_bits(peek->head) / 4;
}

const struct parser parser_fio_text = {
	.name = "fio-text", .title = "fio text", .tool = "fio", .probe = probe, .rules = &set,
};
