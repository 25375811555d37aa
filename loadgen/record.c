#define _GNU_SOURCE
#include "loadgen/record.h"

#include "base/num.h"
#include "loadgen/host.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <time.h>
#include <unistd.h>

enum { FORMAT_VERSION = 1, NAMES_MAX = 9999 };
static const double FLUSH_S = 5;

double load_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

const char *load_time(struct arena *a)
{
	char text[32];
	struct timespec t;
	struct tm tm;
	clock_gettime(CLOCK_REALTIME, &t);
	gmtime_r(&t.tv_sec, &tm);
	strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &tm);
	return arena_printf(a, "%s.%03ldZ", text, t.tv_nsec / 1000000);
}

/* The name, too, must outlast a power loss. */
static void flush_name(struct arena *a, const char *path)
{
	const char *slash = strrchr(path, '/');
	struct slice directory = { path, slash ? (size_t)(slash - path) + 1 : 0 };
	int fd = open(slash ? arena_string(a, directory) : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return;
	fsync(fd);
	close(fd);
}

static int create(struct arena *a, const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
	if (fd >= 0)
		flush_name(a, path);
	return fd;
}

bool record_open(struct record *r, struct arena *a, const char *path, const char *stem, const char **error)
{
	*r = (struct record){ .path = path, .fd = -1, .started = load_now() };
	r->flushed = r->started;
	if (path && strcmp(path, "-") == 0) {
		r->fd = STDOUT_FILENO;
		return true;
	}
	if (path)
		r->fd = create(a, path);
	for (unsigned i = 1; !path && r->fd < 0 && i <= NAMES_MAX; i++) {
		r->path = arena_printf(a, "assay-load-%s-%u.ndjson", stem, i);
		r->fd = create(a, r->path);
		if (r->fd < 0 && errno != EEXIST)
			break;
	}
	if (r->fd >= 0)
		return true;
	*error = errno == EEXIST ? arena_printf(a, "%s: exists already, and a result is never overwritten", r->path)
				 : arena_printf(a, "%s: can't be made: %s", r->path, strerror(errno));
	return false;
}

void record_flush(struct record *r)
{
	/* A pipe can't be: that is no failure. */
	if (fdatasync(r->fd) != 0 && errno != EINVAL && errno != EROFS && !r->error)
		r->error = errno;
	r->flushed = load_now();
}

bool record_close(struct record *r, struct arena *a, const char **error)
{
	record_flush(r);
	if (r->fd != STDOUT_FILENO && close(r->fd) != 0 && !r->error)
		r->error = errno;
	buf_free(&r->line);
	if (r->error)
		*error = arena_printf(a, "%s: can't be written: %s", r->path, strerror(r->error));
	return !r->error;
}

void record_discard(struct record *r)
{
	buf_free(&r->line);
	if (r->fd != STDOUT_FILENO && close(r->fd) == 0)
		unlink(r->path);
}

static void put_key(struct record *r, const char *key)
{
	char last = r->line.n ? r->line.p[r->line.n - 1] : '{';
	if (last != '{' && last != '[')
		buf_char(&r->line, ',');
	if (key) {
		buf_json_string(&r->line, slice_of(key));
		buf_char(&r->line, ':');
	}
}

static void enter(struct record *r, const char *key, char opener, char closer)
{
	put_key(r, key);
	buf_char(&r->line, opener);
	r->closer[r->depth++] = closer;
}

void record_object(struct record *r, const char *key)
{
	enter(r, key, '{', '}');
}

void record_array(struct record *r, const char *key)
{
	enter(r, key, '[', ']');
}

void record_close_one(struct record *r)
{
	buf_char(&r->line, r->closer[--r->depth]);
}

void record_begin(struct record *r, const char *type)
{
	buf_clear(&r->line);
	r->depth = 0;
	record_object(r, NULL);
	record_text(r, "type", type);
}

void record_text(struct record *r, const char *key, const char *text)
{
	if (!text)
		return;
	put_key(r, key);
	buf_json_string(&r->line, slice_of(text));
}

void record_number(struct record *r, const char *key, double value)
{
	if (!isfinite(value))
		return;
	put_key(r, key);
	buf_double(&r->line, value);
}

void record_count(struct record *r, const char *key, uint64_t value)
{
	char text[NUM_FORMAT_SIZE];
	put_key(r, key);
	buf_put(&r->line, text, num_format_u64(text, value));
}

void record_flag(struct record *r, const char *key, bool value)
{
	put_key(r, key);
	buf_str(&r->line, value ? "true" : "false");
}

void record_end(struct record *r)
{
	while (r->depth)
		record_close_one(r);
	buf_char(&r->line, '\n');
	/* After a line that could not be written, nothing more: the file ends with whole lines but for that one. */
	for (size_t done = 0; !r->error && done < r->line.n;) {
		ssize_t n = write(r->fd, r->line.p + done, r->line.n - done);
		if (n >= 0)
			done += (size_t)n;
		else if (errno != EINTR)
			r->error = errno;
	}
	if (load_now() - r->flushed >= FLUSH_S)
		record_flush(r);
}

/* The sum is exact up to 2^64; beyond that (a century of waiting), as near as a double comes. */
static void put_sum(struct record *r, const struct hist *h)
{
	if (h->sum_high == 0)
		record_count(r, "sum", h->sum_low);
	else
		record_number(r, "sum", hist_mean(h) * (double)h->n);
}

static void put_percentiles(struct record *r, const struct hist *h)
{
	static const struct {
		const char *name;
		double p;
	} percentiles[] = {
		{ "p1", 1 }, { "p5", 5 }, { "p10", 10 }, { "p25", 25 }, { "p50", 50 }, { "p75", 75 }, { "p90", 90 }, { "p95", 95 },
		{ "p99", 99 }, { "p99.9", 99.9 }, { "p99.99", 99.99 },
	};
	record_number(r, "mean", hist_mean(h));
	for (size_t i = 0; i < sizeof percentiles / sizeof *percentiles; i++)
		record_number(r, percentiles[i].name, hist_percentile(h, percentiles[i].p));
}

void record_histogram(struct record *r, const char *key, const struct hist *h, bool percentiles)
{
	if (h->n == 0)
		return;
	record_object(r, key);
	record_count(r, "n", h->n);
	record_count(r, "min", h->min);
	record_count(r, "max", h->max);
	put_sum(r, h);
	if (percentiles) {
		put_percentiles(r, h);
	} else {
		record_array(r, "buckets");
		for (size_t i = 0; i < HIST_BUCKETS; i++)
			if (h->bucket[i]) {
				record_array(r, NULL);
				record_count(r, NULL, i);
				record_count(r, NULL, h->bucket[i]);
				record_close_one(r);
			}
		record_close_one(r);
	}
	record_close_one(r);
}

void record_start(struct record *r, struct arena *a, const struct load_options *o)
{
	struct host h = host_facts(a, o->hostname);
	record_begin(r, "start");
	record_text(r, "format", "assay-load");
	record_count(r, "format_version", FORMAT_VERSION);
	record_text(r, "version", ASSAY_VERSION);
	record_text(r, "time", load_time(a));
	record_array(r, "command");
	record_text(r, NULL, "assay-load");
	if (o->argc && strcmp(o->argv[0], o->kind->name) == 0)
		record_text(r, NULL, o->kind->name);
	for (int i = 1; i < o->argc; i++)
		record_text(r, NULL, o->argv[i]);
	record_close_one(r);
	record_text(r, "kind", o->kind->name);
	record_text(r, "subject", o->subject);
	record_object(r, "host");
	record_text(r, "name", h.name);
	record_text(r, "cpu", h.cpu);
	record_number(r, "cpus", h.cpus ? (double)h.cpus : NAN);
	record_number(r, "numa_nodes", h.numa_nodes ? (double)h.numa_nodes : NAN);
	record_number(r, "memory", h.memory ? (double)h.memory : NAN);
	record_text(r, "kernel", h.kernel);
	record_text(r, "os", h.os);
	record_close_one(r);
}

void record_event(struct record *r, enum severity severity, const char *message)
{
	record_begin(r, "event");
	record_text(r, "severity", severity_name(severity));
	record_number(r, "t", load_now() - r->started);
	record_text(r, "message", message);
	record_end(r);
}

void record_finish(struct record *r, struct arena *a, const char *status, int steady)
{
	record_begin(r, "end");
	record_text(r, "status", status);
	if (steady >= 0)
		record_flag(r, "steady", steady);
	record_text(r, "time", load_time(a));
	record_number(r, "seconds", load_now() - r->started);
	record_end(r);
}
