#include "parsers/fio_logs.h"

const char *const fio_log_op_name[LOG_OPS] = { "read", "write", "trim", "sync" };

static const struct {
	const char *ending;
	const char *name;
} kinds[LOG_KINDS] = {
	[LOG_BW] = { "_bw", "bw" },
	[LOG_IOPS] = { "_iops", "iops" },
	[LOG_LAT] = { "_lat", "lat" },
	[LOG_SLAT] = { "_slat", "slat" },
	[LOG_CLAT] = { "_clat", "clat" },
	[LOG_CLAT_HIST] = { "_clat_hist", "clat_hist" },
};

/* Where ".log" stands, at the end or before a host's name; else (size_t)-1. */
static size_t find_log(struct slice name)
{
	size_t found = (size_t)-1;
	for (size_t i = 0; i + 4 <= name.n; i++)
		if (slice_starts(slice_from(name, i), ".log") && (i + 4 == name.n || name.p[i + 4] == '.'))
			found = i;
	return found;
}

struct fio_log_name fio_log_name_of(struct slice base)
{
	struct fio_log_name name = { .kind = LOG_KINDS, .test = base };
	size_t log = find_log(base);
	if (log == (size_t)-1)
		return name;
	struct slice stem = slice_head(base, log);
	size_t digits = stem.n;
	while (digits > 0 && stem.p[digits - 1] >= '0' && stem.p[digits - 1] <= '9')
		digits--;
	if (digits < stem.n && digits > 0 && stem.p[digits - 1] == '.')
		stem.n = digits - 1;
	for (int i = 0; i < LOG_KINDS; i++)
		if (slice_ends(stem, kinds[i].ending)) {
			name.kind = (enum fio_log_kind)i;
			name.test = slice_head(stem, stem.n - strlen(kinds[i].ending));
			name.host = slice_from(base, log + 5);
		}
	return name;
}

const char *fio_log_kind_name(enum fio_log_kind kind)
{
	return kinds[kind].name;
}

static struct slice base_of(struct slice path)
{
	for (size_t i = path.n; i > 0; i--)
		if (path.p[i - 1] == '/' || path.p[i - 1] == '!')
			return slice_from(path, i);
	return path;
}

static enum status stream_as(struct parse *p, unsigned unit_ns)
{
	struct fio_log_name name = fio_log_name_of(base_of(slice_of(p->source->name)));
	if (name.kind == LOG_CLAT_HIST)
		return fio_log_hist(p, &name);
	if (name.kind == LOG_KINDS) {
		fio_log_say(p, DIAG_ERROR, 0, "its name has none of _bw.log, _iops.log, _lat.log, _slat.log, _clat.log, _clat_hist.log: "
			"nothing says what was logged");
		return STATUS_REJECT;
	}
	struct fio_log *log = ARENA_NEW(p->arena, struct fio_log);
	*log = (struct fio_log){ .p = p, .kind = name.kind, .slot_ms = 1000, .stretch_ms = 1000 };
	enum status status = fio_log_scan(log);
	if (status == STATUS_REJECT || status == STATUS_FATAL)
		return STATUS_REJECT;
	if (!log->layout) {
		fio_log_say(p, DIAG_NOTE, 0, "is empty: nothing was logged");
		return STATUS_OK;
	}
	fio_log_evaluate(log, &name, unit_ns);
	return log->bad ? STATUS_WARN : STATUS_OK;
}

static enum status stream(struct parse *p)
{
	return stream_as(p, 0);
}

static enum status stream_ns(struct parse *p)
{
	return stream_as(p, 1);
}

static enum status stream_us(struct parse *p)
{
	return stream_as(p, 1000);
}

/* The name has about 40 bits; numbers in columns alone say little, but for as many as a histogram has. */
static int probe(const struct peek *peek)
{
	enum fio_log_kind kind = fio_log_name_of(peek->name).kind;
	if (kind == LOG_KINDS)
		return 0;
	if (peek->head.n == 0)
		return 40;
	if (kind == LOG_CLAT_HIST)
		return fio_log_bins_of(peek->head) ? 100 : 0;
	int columns = fio_log_columns(peek->head);
	return columns >= 4 && columns <= LOG_COLUMNS ? 60 : 0;
}

const struct parser parser_fio_log = {
	.name = "fio-log",
	.title = "a log of fio",
	.tool = "fio",
	.probe = probe,
	.stream = stream,
};

/* Where nothing in the log tells its unit, the user may. */
const struct parser parser_fio_log_ns = {
	.name = "fio-log-ns",
	.title = "a log of fio with latencies in ns",
	.tool = "fio",
	.stream = stream_ns,
};

const struct parser parser_fio_log_us = {
	.name = "fio-log-us",
	.title = "a log of fio with latencies in µs",
	.tool = "fio",
	.stream = stream_us,
};
