#include "parsers/fio_document.h"

#define FIGURE(m, s, f, unit) { .metric = METRIC_##m, .stat = (s), .factor = (f), .suffix = (unit) }
#define NO_FIGURE { .metric = METRICS }

const struct field direction_fields[D_FIELDS] = {
	[D_IO] = FIGURE(IO, "value", 1, NULL),
	[D_IO_KB] = NO_FIGURE,
	[D_BW_BYTES] = FIGURE(BANDWIDTH, "value", 1, NULL),
	[D_BW] = FIGURE(BANDWIDTH, "value", 1024, " KiB/s"),
	[D_IOPS] = FIGURE(IOPS, "value", 1, NULL),
	[D_RUNTIME] = FIGURE(RUNTIME, "value", 1e-3, " ms"),
	[D_TOTAL] = NO_FIGURE,
	[D_SHORT] = NO_FIGURE,
	[D_DROP] = NO_FIGURE,
	[D_BW_MIN] = FIGURE(BANDWIDTH, "min", 1024, " KiB/s"),
	[D_BW_MAX] = FIGURE(BANDWIDTH, "max", 1024, " KiB/s"),
	[D_BW_MEAN] = FIGURE(BANDWIDTH, "mean", 1024, " KiB/s"),
	[D_BW_DEV] = FIGURE(BANDWIDTH, "sd", 1024, " KiB/s"),
	[D_BW_SAMPLES] = NO_FIGURE,
	[D_IOPS_MIN] = FIGURE(IOPS, "min", 1, NULL),
	[D_IOPS_MAX] = FIGURE(IOPS, "max", 1, NULL),
	[D_IOPS_MEAN] = FIGURE(IOPS, "mean", 1, NULL),
	[D_IOPS_DEV] = FIGURE(IOPS, "sd", 1, NULL),
	[D_IOPS_SAMPLES] = NO_FIGURE,
};

const char *const latency_stats[L_FIELDS] = { [L_MIN] = "min", [L_MAX] = "max", [L_MEAN] = "mean", [L_SD] = "sd" };

const char *const steady_facts[S_FIELDS] = {
	[S_SS] = "steadystate.ss",
	[S_DURATION] = "steadystate.duration",
	[S_ATTAINED] = "steadystate.attained",
	[S_CRITERION] = "steadystate.criterion",
	[S_DEVIATION] = "steadystate.max_deviation",
	[S_SLOPE] = "steadystate.slope",
};

const char *const depth_facts[DEPTHS] = { "iodepth_1", "iodepth_2", "iodepth_4", "iodepth_8", "iodepth_16", "iodepth_32",
	"iodepth_64" };

const struct field steady_means[SD_FIELDS] = {
	[SD_BW] = FIGURE(BANDWIDTH, "steady_mean", 1, " B/s"),
	[SD_IOPS] = FIGURE(IOPS, "steady_mean", 1, NULL),
	[SD_LAT] = FIGURE(LATENCY, "steady_mean", 1e-9, " ns"),
};

const struct field job_fields[J_FIELDS] = {
	[J_ERROR] = FIGURE(ERROR, "value", 1, NULL),
	[J_USR] = FIGURE(CPU_UTIL, "value", 1, "%"),
	[J_SYS] = FIGURE(CPU_UTIL, "value", 1, "%"),
	[J_TOTAL_ERR] = FIGURE(ERRORS, "count", 1, NULL),
};

/* A key as the tool writes it, and what it stands for; SKIPPED: known, but of no use here. */
struct key {
	const char *text;
	unsigned char length, id;
};
enum { SKIPPED = 255 };
#define KEY(text, id) { text, sizeof(text) - 1, id }
#define COUNT(table) (sizeof(table) / sizeof *(table))

/* The tables are in the order of printing: a look-up begins where the last one ended, and mostly ends there. */
enum { J_OPTIONS = J_FIELDS, J_STEADY, J_DEPTH, J_OP };
static const struct key job_keys[] = {
	KEY("jobname", J_NAME), KEY("groupid", J_GROUP), KEY("job_start", J_START), KEY("error", J_ERROR),
	KEY("eta", SKIPPED), KEY("elapsed", J_ELAPSED), KEY("job options", J_OPTIONS), KEY("read", J_OP + OP_READ),
	KEY("write", J_OP + OP_WRITE), KEY("trim", J_OP + OP_TRIM), KEY("mixed", J_OP + OP_MIXED),
	KEY("sync", J_OP + OP_SYNC), KEY("job_runtime", J_RUNTIME), KEY("usr_cpu", J_USR), KEY("sys_cpu", J_SYS),
	KEY("ctx", SKIPPED), KEY("majf", SKIPPED), KEY("minf", SKIPPED), KEY("iodepth_level", J_DEPTH),
	KEY("iodepth_submit", SKIPPED), KEY("iodepth_complete", SKIPPED), KEY("latency_ns", SKIPPED),
	KEY("latency_us", SKIPPED), KEY("latency_ms", SKIPPED), KEY("total_err", J_TOTAL_ERR),
	KEY("first_error", J_FIRST_ERR), KEY("latency_depth", SKIPPED), KEY("latency_target", SKIPPED),
	KEY("latency_target_ns", SKIPPED), KEY("latency_percentile", SKIPPED), KEY("latency_window", SKIPPED),
	KEY("latency_window_us", SKIPPED), KEY("steadystate", J_STEADY), KEY("hostname", J_HOST), KEY("port", J_PORT),
	KEY("fio_command", J_COMMAND), KEY("started", J_STARTED), KEY("stopped", J_STOPPED),
};

/* Latencies are in microseconds up to 2.21, in nanoseconds and under another key from 2.99 on. */
static const struct block blocks[] = {
	{ "slat_ns", FIGURE(SUBMISSION_LATENCY, NULL, 1e-9, " ns") },
	{ "clat_ns", FIGURE(COMPLETION_LATENCY, NULL, 1e-9, " ns") },
	{ "lat_ns", FIGURE(LATENCY, NULL, 1e-9, " ns") },
	{ "slat", FIGURE(SUBMISSION_LATENCY, NULL, 1e-6, " us") },
	{ "clat", FIGURE(COMPLETION_LATENCY, NULL, 1e-6, " us") },
	{ "lat", FIGURE(LATENCY, NULL, 1e-6, " us") },
};
enum { CLAT_NS = 1, LAT_NS, D_BLOCK = D_FIELDS, D_PRIORITIES = D_BLOCK + COUNT(blocks) };
static const struct key direction_keys[] = {
	KEY("io_bytes", D_IO), KEY("io_kbytes", D_IO_KB), KEY("bw_bytes", D_BW_BYTES), KEY("bw", D_BW), KEY("iops", D_IOPS),
	KEY("runtime", D_RUNTIME), KEY("total_ios", D_TOTAL), KEY("short_ios", D_SHORT), KEY("drop_ios", D_DROP),
	KEY("slat_ns", D_BLOCK), KEY("clat_ns", D_BLOCK + 1), KEY("lat_ns", D_BLOCK + 2), KEY("slat", D_BLOCK + 3),
	KEY("clat", D_BLOCK + 4), KEY("lat", D_BLOCK + 5), KEY("prios", D_PRIORITIES),
	KEY("clat_high_prio", D_PRIORITIES), KEY("clat_low_prio", D_PRIORITIES),
	KEY("lat_high_prio", D_PRIORITIES), KEY("lat_low_prio", D_PRIORITIES), KEY("bw_min", D_BW_MIN), KEY("bw_max", D_BW_MAX),
	KEY("bw_agg", SKIPPED), KEY("bw_mean", D_BW_MEAN), KEY("bw_dev", D_BW_DEV), KEY("bw_samples", D_BW_SAMPLES),
	KEY("iops_min", D_IOPS_MIN), KEY("iops_max", D_IOPS_MAX), KEY("iops_mean", D_IOPS_MEAN),
	KEY("iops_stddev", D_IOPS_DEV), KEY("iops_samples", D_IOPS_SAMPLES),
};

enum { L_PERCENTILE = L_FIELDS, L_BINS };
static const struct key latency_keys[] = {
	KEY("min", L_MIN), KEY("max", L_MAX), KEY("mean", L_MEAN), KEY("stddev", L_SD), KEY("N", L_N),
	KEY("percentile", L_PERCENTILE), KEY("bins", L_BINS),
};

const char *const priority_params[PRIORITY_LEVELS] = { "prioclass", "prio", "priohint" };
enum { PRIO_BLOCK = PRIORITY_LEVELS };
static const struct key priority_keys[] = {
	KEY("prioclass", PRIO_CLASS), KEY("prio", PRIO_LEVEL), KEY("priohint", PRIO_HINT),
	KEY("clat_ns", PRIO_BLOCK + CLAT_NS), KEY("lat_ns", PRIO_BLOCK + LAT_NS),
};

static const struct key depth_keys[] = {
	KEY("1", 0), KEY("2", 1), KEY("4", 2), KEY("8", 3), KEY("16", 4), KEY("32", 5), KEY(">=64", 6),
};

enum { S_DATA = S_FIELDS };
static const struct key steady_keys[] = {
	KEY("ss", S_SS), KEY("duration", S_DURATION), KEY("attained", S_ATTAINED), KEY("criterion", S_CRITERION),
	KEY("max_deviation", S_DEVIATION), KEY("slope", S_SLOPE), KEY("data", S_DATA),
};

enum { SD_SERIES = SD_FIELDS };
static const struct key data_keys[] = {
	KEY("bw_mean", SD_BW), KEY("iops_mean", SD_IOPS), KEY("lat_mean", SD_LAT), KEY("lat_ns", SD_SERIES + SD_LAT),
	KEY("iops", SD_SERIES + SD_IOPS), KEY("bw", SD_SERIES + SD_BW),
};

enum { U_NAME, U_UTIL, U_HOST, U_PORT, U_FIELDS };
static const struct key disk_keys[] = {
	KEY("name", U_NAME), KEY("util", U_UTIL), KEY("hostname", U_HOST), KEY("port", U_PORT),
};

enum { R_VERSION, R_TIMESTAMP, R_TIMESTAMP_MS, R_TIME, R_FIELDS, R_GLOBALS = R_FIELDS, R_JOBS, R_CLIENTS, R_DISKS };
static const struct key root_keys[] = {
	KEY("fio version", R_VERSION), KEY("timestamp", R_TIMESTAMP), KEY("timestamp_ms", R_TIMESTAMP_MS),
	KEY("time", R_TIME), KEY("global options", R_GLOBALS), KEY("jobs", R_JOBS), KEY("client_stats", R_CLIENTS),
	KEY("disk_util", R_DISKS),
};

const char *const op_names[OPS] = { "read", "write", "trim", "mixed", "sync" };

bool fio_is_zero(struct slice number)
{
	for (size_t i = 0; i < number.n; i++)
		if (number.p[i] != '0' && number.p[i] != '.')
			return false;
	return true;
}

bool fio_latency_measured(const struct latency *l)
{
	return !fio_is_zero(l->v[L_MIN]) || !fio_is_zero(l->v[L_MAX]) || !fio_is_zero(l->v[L_MEAN]);
}

/* `next` keeps the place behind the last hit. */
static unsigned key_find(const struct key *table, size_t n, struct slice key, size_t *next)
{
	for (size_t tried = 0, i = *next < n ? *next : 0; tried < n; tried++, i = i + 1 < n ? i + 1 : 0)
		if (table[i].length == key.n && memcmp(table[i].text, key.p, key.n) == 0) {
			*next = i + 1;
			return table[i].id;
		}
	return SKIPPED;
}

/* A number's token or a string's raw text; anything else is skipped. */
static bool scalar(struct json *j, struct slice *text)
{
	return json_offset(j) < j->data.n && j->data.p[json_offset(j)] == '"' ? json_string(j, text) : json_number_text(j, text);
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
		unsigned id = key_find(latency_keys, COUNT(latency_keys), key, &next);
		if (id < L_FIELDS)
			json_number_text(j, &l->v[id]);
		else if (id == L_PERCENTILE)
			read_percentiles(p, j, l);
		else if (id == L_BINS && json_type(j) == JSON_OBJECT)
			json_skip(j, &l->bins);
	}
}

static void read_block(struct parse *p, struct json *j, const struct block *block, struct direction *d)
{
	if (d->n_latency == COUNT(d->latency))
		return;
	struct latency *l = &d->latency[d->n_latency];
	*l = (struct latency){ .block = block };
	read_latency(p, j, l);
	if (fio_latency_measured(l))
		d->n_latency++;
}

static void read_priority(struct parse *p, struct json *j, struct priority *one)
{
	struct slice key;
	size_t next = 0;
	if (!json_enter_object(j))
		return;
	while (json_member(j, &key)) {
		unsigned id = key_find(priority_keys, COUNT(priority_keys), key, &next);
		if (id < PRIORITY_LEVELS) {
			json_number_text(j, &one->level[id]);
		} else if (id != SKIPPED) {
			one->latency.block = &blocks[id - PRIO_BLOCK];
			read_latency(p, j, &one->latency);
		}
	}
}

/* An element of "prios" each; or, of fio 3.18 to 3.29, "clat_high_prio" and the like, in ns. */
static void read_priorities(struct parse *p, struct json *j, struct slice key, struct direction *d)
{
	if (slice_is(key, "prios")) {
		if (json_enter_array(j))
			while (json_element(j))
				read_priority(p, j, ARENA_PUSH(p->arena, d->priorities, d->n_priorities, d->priority_cap));
		return;
	}
	struct priority *one = ARENA_PUSH(p->arena, d->priorities, d->n_priorities, d->priority_cap);
	one->level[PRIO_LEVEL] = slice_ends(key, "high_prio") ? SLICE("high") : SLICE("low");
	one->latency.block = &blocks[slice_starts(key, "clat") ? CLAT_NS : LAT_NS];
	read_latency(p, j, &one->latency);
}

/* A direction without I/O is NULL: most are, and what is behind their zero runtime need not be looked at. */
static const struct direction *read_direction(struct parse *p, struct json *j)
{
	struct direction d;
	struct slice key;
	size_t next = 0;
	memset(d.v, 0, sizeof d.v);
	d.n_latency = 0;
	d.priorities = NULL;
	d.n_priorities = d.priority_cap = 0;
	if (!json_enter_object(j))
		return NULL;
	while (json_member(j, &key)) {
		unsigned id = key_find(direction_keys, COUNT(direction_keys), key, &next);
		if (id < D_FIELDS)
			json_number_text(j, &d.v[id]);
		else if (id == D_PRIORITIES)
			read_priorities(p, j, key, &d);
		else if (id != SKIPPED)
			read_block(p, j, &blocks[id - D_BLOCK], &d);
		if (id == D_RUNTIME && d.v[D_IO].n && d.v[id].n && fio_is_zero(d.v[D_IO]) && fio_is_zero(d.v[id])) {
			json_leave(j);
			return NULL;
		}
	}
	/* fio 3.33 prints latencies of sync beside "total_ios" : 0. */
	if (fio_is_zero(d.v[D_IO]) && fio_is_zero(d.v[D_TOTAL]) && fio_is_zero(d.v[D_IOPS]) && d.n_latency == 0)
		return NULL;
	struct direction *kept = arena_alloc(p->arena, sizeof *kept);
	memcpy(kept->v, d.v, sizeof d.v);
	kept->priorities = d.priorities;
	kept->n_priorities = d.n_priorities;
	kept->n_latency = d.n_latency;
	memcpy(kept->latency, d.latency, d.n_latency * sizeof *d.latency);
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

static void read_data(struct parse *p, struct json *j, struct steady_object *s)
{
	struct slice key;
	size_t next = 0;
	if (!json_enter_object(j))
		return;
	while (json_member(j, &key)) {
		unsigned id = key_find(data_keys, COUNT(data_keys), key, &next);
		if (id < SD_FIELDS)
			json_number_text(j, &s->means[id]);
		else if (id != SKIPPED)
			read_series(p, j, s, id - SD_SERIES);
	}
}

static const struct steady_object *read_steady(struct parse *p, struct json *j)
{
	struct steady_object *s = ARENA_NEW(p->arena, struct steady_object);
	struct slice key;
	size_t next = 0;
	if (!json_enter_object(j))
		return NULL;
	while (json_member(j, &key)) {
		unsigned id = key_find(steady_keys, COUNT(steady_keys), key, &next);
		if (id < S_FIELDS)
			scalar(j, &s->v[id]);
		else if (id == S_DATA)
			read_data(p, j, s);
	}
	return s;
}

static void read_depths(struct json *j, struct record *r)
{
	struct slice key;
	size_t next = 0;
	if (!json_enter_object(j))
		return;
	while (json_member(j, &key)) {
		unsigned id = key_find(depth_keys, COUNT(depth_keys), key, &next);
		if (id != SKIPPED)
			json_number_text(j, &r->depths[id]);
	}
}

static void read_job(struct parse *p, struct json *j, struct document *d)
{
	struct record r = { .at = p->source->data.p + json_offset(j) };
	struct globals options = { 0 };
	struct slice key;
	size_t next = 0;
	bool has_op = false;
	r.pos = source_pos_of(p->source, r.at);
	if (!json_enter_object(j))
		return;
	while (json_member(j, &key)) {
		unsigned id = key_find(job_keys, COUNT(job_keys), key, &next);
		if (id < J_FIELDS) {
			scalar(j, &r.v[id]);
		} else if (id == J_OPTIONS) {
			read_options(p, j, &options, false);
		} else if (id == J_STEADY) {
			r.steady = read_steady(p, j);
		} else if (id == J_DEPTH) {
			read_depths(j, &r);
		} else if (id != SKIPPED) {
			has_op |= json_type(j) == JSON_OBJECT;
			r.directions[id - J_OP] = read_direction(p, j);
		}
	}
	r.options = options.options;
	d->is_fio |= has_op && r.v[J_NAME].n;
	if (json_truncated(j)) {
		d->in_job = true;
		d->cut_job = r.v[J_NAME];
	} else if (d->client && slice_is(r.v[J_NAME], "All clients")) {
		struct record *sum = ARENA_NEW(p->arena, struct record);
		*sum = r;
		d->all_clients = sum;
	} else {
		*ARENA_PUSH(p->arena, d->records, d->n_records, d->record_cap) = r;
	}
}

static void read_disk(struct parse *p, struct json *j, struct document *d)
{
	struct slice v[U_FIELDS] = { SLICE_NONE }, key;
	size_t next = 0;
	if (!json_enter_object(j))
		return;
	while (json_member(j, &key)) {
		unsigned id = key_find(disk_keys, COUNT(disk_keys), key, &next);
		if (id != SKIPPED)
			scalar(j, &v[id]);
	}
	if (!json_truncated(j) && v[U_UTIL].n)
		*ARENA_PUSH(p->arena, d->disks, d->n_disks, d->disk_cap) =
			(struct disk){ v[U_NAME], v[U_UTIL], v[U_HOST], v[U_PORT] };
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
	struct slice v[R_FIELDS] = { SLICE_NONE }, key;
	size_t next = 0;
	*d = (struct document){ .is_fio = false };
	if (!json_enter_object(j))
		return;
	while (json_member(j, &key)) {
		unsigned id = key_find(root_keys, COUNT(root_keys), key, &next);
		if (id < R_FIELDS) {
			d->is_fio |= scalar(j, &v[id]) && id == R_VERSION;
		} else if (id == R_GLOBALS) {
			read_globals(p, j, d);
		} else if (id == R_JOBS || id == R_CLIENTS) {
			d->client = id == R_CLIENTS;
			read_array(p, j, d, read_job);
		} else if (id == R_DISKS) {
			read_array(p, j, d, read_disk);
		}
	}
	d->version = v[R_VERSION];
	d->timestamp = v[R_TIMESTAMP];
	d->timestamp_ms = v[R_TIMESTAMP_MS];
	d->time = v[R_TIME];
	d->truncated = json_truncated(j);
}
