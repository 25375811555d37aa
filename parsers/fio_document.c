#include "parsers/fio_document.h"

#define KEY(text) .key = text, .length = sizeof(text) - 1, .metric = METRICS
#define FIGURE(text, m, s, f, unit) \
	{ .key = text, .length = sizeof(text) - 1, .metric = METRIC_##m, .stat = s, .factor = f, .suffix = unit }

/* In the order of printing: a lookup begins where the last one ended. */
const struct field direction_fields[D_FIELDS] = {
	[D_IO] = FIGURE("io_bytes", IO, "value", 1, NULL),
	[D_IO_KB] = { KEY("io_kbytes") },
	[D_BW_BYTES] = FIGURE("bw_bytes", BANDWIDTH, "value", 1, NULL),
	[D_BW] = FIGURE("bw", BANDWIDTH, "value", 1024, " KiB/s"),
	[D_IOPS] = FIGURE("iops", IOPS, "value", 1, NULL),
	[D_RUNTIME] = FIGURE("runtime", RUNTIME, "value", 1e-3, " ms"),
	[D_TOTAL] = { KEY("total_ios") },
	[D_SHORT] = { KEY("short_ios") },
	[D_DROP] = { KEY("drop_ios") },
	[D_BW_MIN] = FIGURE("bw_min", BANDWIDTH, "min", 1024, " KiB/s"),
	[D_BW_MAX] = FIGURE("bw_max", BANDWIDTH, "max", 1024, " KiB/s"),
	[D_BW_MEAN] = FIGURE("bw_mean", BANDWIDTH, "mean", 1024, " KiB/s"),
	[D_BW_DEV] = FIGURE("bw_dev", BANDWIDTH, "sd", 1024, " KiB/s"),
	[D_BW_SAMPLES] = { KEY("bw_samples") },
	[D_IOPS_MIN] = FIGURE("iops_min", IOPS, "min", 1, NULL),
	[D_IOPS_MAX] = FIGURE("iops_max", IOPS, "max", 1, NULL),
	[D_IOPS_MEAN] = FIGURE("iops_mean", IOPS, "mean", 1, NULL),
	[D_IOPS_DEV] = FIGURE("iops_stddev", IOPS, "sd", 1, NULL),
	[D_IOPS_SAMPLES] = { KEY("iops_samples") },
};

/* Microseconds up to 2.21, nanoseconds and another key from 2.99 on. */
enum { BLOCKS = 6 };
static const struct field blocks[BLOCKS] = {
	FIGURE("slat_ns", SUBMISSION_LATENCY, NULL, 1e-9, " ns"),
	FIGURE("clat_ns", COMPLETION_LATENCY, NULL, 1e-9, " ns"),
	FIGURE("lat_ns", LATENCY, NULL, 1e-9, " ns"),
	FIGURE("slat", SUBMISSION_LATENCY, NULL, 1e-6, " us"),
	FIGURE("clat", COMPLETION_LATENCY, NULL, 1e-6, " us"),
	FIGURE("lat", LATENCY, NULL, 1e-6, " us"),
};

const struct field latency_fields[L_FIELDS] = {
	[L_MIN] = { KEY("min"), .stat = "min" },
	[L_MAX] = { KEY("max"), .stat = "max" },
	[L_MEAN] = { KEY("mean"), .stat = "mean" },
	[L_SD] = { KEY("stddev"), .stat = "sd" },
	[L_N] = { KEY("N") },
};

const struct field steady_fields[S_FIELDS] = {
	[S_SS] = { KEY("ss"), .stat = "steadystate.ss" },
	[S_DURATION] = { KEY("duration"), .stat = "steadystate.duration" },
	[S_ATTAINED] = { KEY("attained"), .stat = "steadystate.attained" },
	[S_CRITERION] = { KEY("criterion"), .stat = "steadystate.criterion" },
	[S_DEVIATION] = { KEY("max_deviation"), .stat = "steadystate.max_deviation" },
	[S_SLOPE] = { KEY("slope"), .stat = "steadystate.slope" },
};

const struct field steady_means[SD_FIELDS] = {
	[SD_BW] = FIGURE("bw_mean", BANDWIDTH, "steady_mean", 1, " B/s"),
	[SD_IOPS] = FIGURE("iops_mean", IOPS, "steady_mean", 1, NULL),
	[SD_LAT] = FIGURE("lat_mean", LATENCY, "steady_mean", 1e-9, " ns"),
};

const struct field steady_series[SD_FIELDS] = {
	[SD_BW] = FIGURE("bw", BANDWIDTH, NULL, 1, NULL),
	[SD_IOPS] = FIGURE("iops", IOPS, NULL, 1, NULL),
	[SD_LAT] = FIGURE("lat_ns", LATENCY, NULL, 1e-9, NULL),
};

const struct field job_fields[J_FIELDS] = {
	[J_NAME] = { KEY("jobname") },
	[J_GROUP] = { KEY("groupid") },
	[J_ERROR] = FIGURE("error", ERROR, "value", 1, NULL),
	[J_START] = { KEY("job_start") },
	[J_ELAPSED] = { KEY("elapsed") },
	[J_RUNTIME] = { KEY("job_runtime") },
	[J_USR] = FIGURE("usr_cpu", CPU_UTIL, "value", 1, "%"),
	[J_SYS] = FIGURE("sys_cpu", CPU_UTIL, "value", 1, "%"),
	[J_TOTAL_ERR] = FIGURE("total_err", ERRORS, "count", 1, NULL),
	[J_FIRST_ERR] = { KEY("first_error") },
	[J_HOST] = { KEY("hostname") },
	[J_PORT] = { KEY("port") },
	[J_COMMAND] = { KEY("fio_command") },
	[J_STARTED] = { KEY("started") },
	[J_STOPPED] = { KEY("stopped") },
};

const char *const op_names[OPS] = { "read", "write", "trim", "mixed", "sync" };

bool fio_is_zero(struct slice number)
{
	for (size_t i = 0; i < number.n; i++)
		if (number.p[i] != '0' && number.p[i] != '.')
			return false;
	return true;
}

/* `next` keeps the place behind the last hit; n when there is no such key. */
static size_t field_find(const struct field *table, size_t n, struct slice key, size_t *next)
{
	for (size_t tried = 0, i = *next; tried < n; tried++) {
		bool hit = table[i].length == key.n && memcmp(table[i].key, key.p, key.n) == 0;
		size_t at = i;
		i = i + 1 == n ? 0 : i + 1;
		if (hit) {
			*next = i;
			return at;
		}
	}
	return n;
}

/* A number's token or a string's raw text; anything else is skipped. */
static bool scalar(struct json *j, struct slice *text)
{
	enum json_type type = json_type(j);
	if (type == JSON_STRING)
		return json_string(j, text);
	if (type == JSON_NUMBER)
		return json_number_text(j, text);
	json_skip(j, NULL);
	return false;
}

/* Reads into v the members that the table names; the others are skipped. */
static void members(struct json *j, const struct field *table, size_t n, struct slice *v)
{
	struct slice key;
	size_t next = 0;
	if (!json_enter_object(j))
		return;
	while (json_member(j, &key)) {
		size_t f = field_find(table, n, key, &next);
		if (f < n)
			scalar(j, &v[f]);
	}
}

static void read_percentiles(struct parse *p, struct json *j, struct latency *l)
{
	struct slice key, value;
	size_t cap = 0;
	if (!json_enter_object(j))
		return;
	l->percentiles = NULL;
	l->n_percentiles = 0;
	while (json_member(j, &key))
		if (scalar(j, &value))
			*ARENA_PUSH(p->arena, l->percentiles, l->n_percentiles, cap) = (struct percentile){ key, value };
}

static void read_latency(struct parse *p, struct json *j, struct latency *l)
{
	struct slice key;
	size_t next = 0;
	if (!json_enter_object(j))
		return;
	while (json_member(j, &key)) {
		size_t f = field_find(latency_fields, L_FIELDS, key, &next);
		if (f < L_FIELDS)
			scalar(j, &l->v[f]);
		else if (slice_is(key, "percentile"))
			read_percentiles(p, j, l);
		else if (slice_is(key, "bins") && json_type(j) == JSON_OBJECT)
			json_skip(j, &l->bins);
	}
}

static void read_block(struct parse *p, struct json *j, struct slice key, struct direction *d, size_t *next)
{
	size_t b = field_find(blocks, BLOCKS, key, next);
	if (b == BLOCKS || d->n_latency == sizeof d->latency / sizeof *d->latency)
		return;
	struct latency *l = &d->latency[d->n_latency];
	*l = (struct latency){ .block = &blocks[b] };
	read_latency(p, j, l);
	/* All zero: not measured. */
	if (!fio_is_zero(l->v[L_MIN]) || !fio_is_zero(l->v[L_MAX]) || !fio_is_zero(l->v[L_MEAN]))
		d->n_latency++;
}

/* A direction without I/O is NULL: most are, and what is behind their zero runtime need not be looked at. */
static const struct direction *read_direction(struct parse *p, struct json *j)
{
	struct direction d = { .n_latency = 0 };
	struct slice key;
	size_t next = 0, next_block = 0;
	if (!json_enter_object(j))
		return NULL;
	while (json_member(j, &key)) {
		size_t f = field_find(direction_fields, D_FIELDS, key, &next);
		if (f == D_FIELDS) {
			read_block(p, j, key, &d, &next_block);
			continue;
		}
		scalar(j, &d.v[f]);
		if (f == D_RUNTIME && d.v[D_IO].n && d.v[f].n && fio_is_zero(d.v[D_IO]) && fio_is_zero(d.v[f])) {
			json_leave(j);
			return NULL;
		}
	}
	/* fio 3.33 prints latencies of sync beside "total_ios" : 0. */
	if (fio_is_zero(d.v[D_IO]) && fio_is_zero(d.v[D_TOTAL]) && fio_is_zero(d.v[D_IOPS]) && d.n_latency == 0)
		return NULL;
	struct direction *kept = ARENA_NEW(p->arena, struct direction);
	*kept = d;
	return kept;
}

/* `host`: members "hostname" and "port" say whose options these are. */
static void read_options(struct parse *p, struct json *j, struct globals *g, bool host)
{
	struct slice key, value;
	if (!json_enter_object(j))
		return;
	while (json_member(j, &key)) {
		uint64_t at = json_offset(j);
		bool text = json_type(j) == JSON_STRING;
		if (!scalar(j, &value))
			continue;
		key = json_unescape(p->arena, key);
		value = json_unescape(p->arena, value);
		struct pos pos = source_pos(p->source, at + text);
		if (host && !g->host.p && slice_is(key, "hostname")) {
			g->host = value;
			continue;
		}
		if (host && !text && slice_is(key, "port")) {
			g->port = value;
			continue;
		}
		const struct param *before = params_find_slice((struct params){ g->options.v, g->options.n }, key);
		if (before && !slice_eq(before->text, value))
			fio_options_add(p->arena, &g->conflicts, key, value, pos);
		fio_options_add(p->arena, &g->options, key, value, pos);
	}
}

static void read_globals(struct parse *p, struct json *j, struct document *d)
{
	if (json_type(j) != JSON_ARRAY) {
		read_options(p, j, ARENA_PUSH(p->arena, d->globals, d->n_globals, d->globals_cap), false);
		return;
	}
	json_enter_array(j);
	while (json_element(j))
		read_options(p, j, ARENA_PUSH(p->arena, d->globals, d->n_globals, d->globals_cap), true);
}

static void read_series(struct parse *p, struct json *j, struct steady_object *s, size_t which)
{
	struct slice text;
	size_t cap = 0;
	if (s->n_series[which] || !json_enter_array(j))
		return;
	while (json_element(j))
		if (scalar(j, &text))
			*ARENA_PUSH(p->arena, s->series[which], s->n_series[which], cap) = text;
}

static const struct steady_object *read_steady(struct parse *p, struct json *j)
{
	struct steady_object *s = ARENA_NEW(p->arena, struct steady_object);
	struct slice key;
	size_t next = 0, f;
	if (!json_enter_object(j))
		return NULL;
	while (json_member(j, &key)) {
		f = field_find(steady_fields, S_FIELDS, key, &next);
		if (f < S_FIELDS)
			scalar(j, &s->v[f]);
		if (!slice_is(key, "data") || !json_enter_object(j))
			continue;
		while (json_member(j, &key)) {
			size_t mean = 0, series = 0;
			if ((f = field_find(steady_means, SD_FIELDS, key, &mean)) < SD_FIELDS)
				scalar(j, &s->means[f]);
			else if ((f = field_find(steady_series, SD_FIELDS, key, &series)) < SD_FIELDS)
				read_series(p, j, s, f);
		}
	}
	return s;
}

static void read_job(struct parse *p, struct json *j, struct document *d)
{
	struct record r = { .at = p->source->data.p + json_offset(j) };
	struct globals options = { 0 };
	struct slice key;
	size_t next = 0;
	r.pos = source_pos_of(p->source, r.at);
	if (!json_enter_object(j))
		return;
	while (json_member(j, &key)) {
		size_t f = field_find(job_fields, J_FIELDS, key, &next), op = 0;
		if (f < J_FIELDS) {
			scalar(j, &r.v[f]);
			continue;
		}
		while (op < OPS && !slice_is(key, op_names[op]))
			op++;
		if (op < OPS && json_type(j) == JSON_OBJECT)
			r.directions[op] = read_direction(p, j);
		else if (slice_is(key, "job options"))
			read_options(p, j, &options, false);
		else if (slice_is(key, "steadystate") && json_type(j) == JSON_OBJECT)
			r.steady = read_steady(p, j);
		d->is_fio |= op < OPS && r.v[J_NAME].n;
	}
	r.options = options.options;
	if (json_truncated(j)) {
		d->in_job = true;
		d->cut_job = r.v[J_NAME];
	} else if (d->client && slice_is(r.v[J_NAME], "All clients")) {
		d->all_clients = r.at;
	} else {
		*ARENA_PUSH(p->arena, d->records, d->n_records, d->record_cap) = r;
	}
}

static void read_disk(struct parse *p, struct json *j, struct document *d)
{
	static const struct field fields[] = { { KEY("name") }, { KEY("util") }, { KEY("hostname") }, { KEY("port") } };
	struct slice v[4] = { SLICE_NONE };
	members(j, fields, 4, v);
	if (!json_truncated(j) && v[1].n)
		*ARENA_PUSH(p->arena, d->disks, d->n_disks, d->disk_cap) = (struct disk){ v[0], v[1], v[2], v[3] };
}

static void read_array(struct parse *p, struct json *j, struct document *d,
	void (*element)(struct parse *p, struct json *j, struct document *d))
{
	if (!json_enter_array(j))
		return;
	while (json_element(j))
		element(p, j, d);
}

void fio_document_read(struct parse *p, struct json *j, struct document *d)
{
	struct slice key;
	*d = (struct document){ .is_fio = false };
	if (!json_enter_object(j))
		return;
	while (json_member(j, &key)) {
		if (slice_is(key, "fio version")) {
			d->is_fio = scalar(j, &d->version);
		} else if (slice_is(key, "timestamp")) {
			scalar(j, &d->timestamp);
		} else if (slice_is(key, "timestamp_ms")) {
			scalar(j, &d->timestamp_ms);
		} else if (slice_is(key, "time")) {
			scalar(j, &d->time);
		} else if (slice_is(key, "global options")) {
			read_globals(p, j, d);
		} else if (slice_is(key, "jobs") || slice_is(key, "client_stats")) {
			d->client = key.p[0] == 'c';
			read_array(p, j, d, read_job);
		} else if (slice_is(key, "disk_util")) {
			read_array(p, j, d, read_disk);
		}
	}
	d->truncated = json_truncated(j);
}
