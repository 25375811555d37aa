#include "parsers/fio_document.h"

#include "base/num.h"

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

/* Of a key that is known, but of no use here. */
enum { SKIPPED = 255 };
#define KEY JSON_KEY
#define COUNT(table) (sizeof(table) / sizeof *(table))

/* The tables are in the order of printing: the next key is mostly the one behind the last, and else a look-up begins
 * there. */
enum { J_OPTIONS = J_FIELDS, J_STEADY, J_DEPTH, J_OP };
static const struct json_key job_keys[] = {
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
enum { CLAT_NS = 1, LAT_NS, D_BLOCK = D_FIELDS, D_PRIORITIES = D_BLOCK + COUNT(blocks), D_CLAT_HIGH, D_CLAT_LOW, D_LAT_HIGH,
	D_LAT_LOW };
static const struct json_key direction_keys[] = {
	KEY("io_bytes", D_IO), KEY("io_kbytes", D_IO_KB), KEY("bw_bytes", D_BW_BYTES), KEY("bw", D_BW), KEY("iops", D_IOPS),
	KEY("runtime", D_RUNTIME), KEY("total_ios", D_TOTAL), KEY("short_ios", D_SHORT), KEY("drop_ios", D_DROP),
	KEY("slat_ns", D_BLOCK), KEY("clat_ns", D_BLOCK + 1), KEY("lat_ns", D_BLOCK + 2), KEY("slat", D_BLOCK + 3),
	KEY("clat", D_BLOCK + 4), KEY("lat", D_BLOCK + 5), KEY("bw_min", D_BW_MIN), KEY("bw_max", D_BW_MAX),
	KEY("bw_agg", SKIPPED), KEY("bw_mean", D_BW_MEAN), KEY("bw_dev", D_BW_DEV), KEY("bw_samples", D_BW_SAMPLES),
	KEY("iops_min", D_IOPS_MIN), KEY("iops_max", D_IOPS_MAX), KEY("iops_mean", D_IOPS_MEAN),
	KEY("iops_stddev", D_IOPS_DEV), KEY("iops_samples", D_IOPS_SAMPLES),
	/* Seldom printed. */
	KEY("prios", D_PRIORITIES), KEY("clat_high_prio", D_CLAT_HIGH), KEY("clat_low_prio", D_CLAT_LOW),
	KEY("lat_high_prio", D_LAT_HIGH), KEY("lat_low_prio", D_LAT_LOW),
};

enum { L_PERCENTILE = L_FIELDS, L_BINS };
static const struct json_key latency_keys[] = {
	KEY("min", L_MIN), KEY("max", L_MAX), KEY("mean", L_MEAN), KEY("stddev", L_SD), KEY("N", L_N),
	KEY("percentile", L_PERCENTILE), KEY("bins", L_BINS),
};

const char *const priority_params[PRIORITY_LEVELS] = { "prioclass", "prio", "priohint" };
enum { PRIO_BLOCK = PRIORITY_LEVELS };
static const struct json_key priority_keys[] = {
	KEY("prioclass", PRIO_CLASS), KEY("prio", PRIO_LEVEL), KEY("priohint", PRIO_HINT),
	KEY("clat_ns", PRIO_BLOCK + CLAT_NS), KEY("lat_ns", PRIO_BLOCK + LAT_NS),
};

static const struct json_key depth_keys[] = {
	KEY("1", 0), KEY("2", 1), KEY("4", 2), KEY("8", 3), KEY("16", 4), KEY("32", 5), KEY(">=64", 6),
};

enum { S_DATA = S_FIELDS };
static const struct json_key steady_keys[] = {
	KEY("ss", S_SS), KEY("duration", S_DURATION), KEY("attained", S_ATTAINED), KEY("criterion", S_CRITERION),
	KEY("max_deviation", S_DEVIATION), KEY("slope", S_SLOPE), KEY("data", S_DATA),
};

enum { SD_SERIES = SD_FIELDS };
static const struct json_key data_keys[] = {
	KEY("bw_mean", SD_BW), KEY("iops_mean", SD_IOPS), KEY("lat_mean", SD_LAT), KEY("lat_ns", SD_SERIES + SD_LAT),
	KEY("iops", SD_SERIES + SD_IOPS), KEY("bw", SD_SERIES + SD_BW),
};

enum { U_NAME, U_UTIL, U_HOST, U_PORT, U_FIELDS };
static const struct json_key disk_keys[] = {
	KEY("name", U_NAME), KEY("util", U_UTIL), KEY("hostname", U_HOST), KEY("port", U_PORT),
};

enum { R_VERSION, R_TIMESTAMP, R_TIMESTAMP_MS, R_TIME, R_FIELDS, R_GLOBALS = R_FIELDS, R_JOBS, R_CLIENTS, R_DISKS };
static const struct json_key root_keys[] = {
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

struct reader {
	struct parse *p;
	struct json *j;
	struct document *d;
	/* The last list of percentiles, and its keys: the next has mostly the same ones. */
	const struct percentile *alike;
	struct json_key *alike_keys;
	size_t n_alike;
	struct slice options_text;   /* of the last job's options, if nothing was wrong with them */
	struct fio_options options;  /* these */
	size_t options_as;           /* and their number */
};

/* `next` keeps the place behind the last hit. */
static unsigned key_find(const struct json_key *table, size_t n, struct slice key, size_t *next)
{
	for (size_t tried = 0, i = *next < n ? *next : 0; tried < n; tried++, i = i + 1 < n ? i + 1 : 0)
		if (table[i].n == key.n + 2 && memcmp(table[i].quoted + 1, key.p, key.n) == 0) {
			*next = i + 1;
			return table[i].id;
		}
	return SKIPPED;
}

/* The next member of an object with these keys. A value that is of no use is already skipped. */
static bool next_member(struct json *j, const struct json_key *table, size_t n, size_t *next, unsigned *id)
{
	struct slice key;
	if (*next < n && json_member_is(j, &table[*next])) {
		*id = table[(*next)++].id;
	} else {
		if (!json_member(j, &key))
			return false;
		*id = key_find(table, n, key, next);
	}
	if (*id == SKIPPED)
		json_skip(j, NULL);
	return true;
}
#define NEXT_MEMBER(j, table, next, id) next_member((j), (table), COUNT(table), &(next), &(id))
#define NUMBERS(j, table, next, values) json_numbers((j), (table), COUNT(table), &(next), (values), COUNT(values))

/* Its line is counted when it is given. */
static struct pos pos_of(const struct reader *r, uint64_t offset)
{
	return (struct pos){ r->p->source, offset, 0, 0 };
}

/* A number's token or a string's raw text; anything else is skipped. */
static bool scalar(struct json *j, struct slice *text)
{
	return json_offset(j) < j->data.n && j->data.p[json_offset(j)] == '"' ? json_string(j, text) : json_number_text(j, text);
}

/* "p99.9" of "99.900000"; empty when it names none: old versions pad the list with "0.00". */
static struct slice percentile_stat(struct arena *a, struct slice key)
{
	if (fio_is_zero(key) || num_span(key) != key.n || key.p[0] == '-' || key.n >= NUM_FORMAT_SIZE)
		return SLICE_NONE;
	size_t n = key.n;
	if (memchr(key.p, '.', n)) {
		while (key.p[n - 1] == '0')
			n--;
		n -= key.p[n - 1] == '.';
	}
	char stat[1 + NUM_FORMAT_SIZE] = "p";
	memcpy(stat + 1, key.p, n);
	return arena_copy(a, (struct slice){ stat, 1 + n });
}

/* For the next list. A key that is empty may be none of the text. */
static void remember(struct reader *r, const struct latency *l)
{
	size_t n = 0;
	r->alike = l->percentiles;
	r->alike_keys = ARENA_ROOM(r->p->arena, l->n_percentiles, struct json_key);
	for (; n < l->n_percentiles && l->percentiles[n].key.n; n++)
		r->alike_keys[n] = (struct json_key){ l->percentiles[n].key.p - 1, l->percentiles[n].key.n + 2, (unsigned)n };
	r->n_alike = n;
}

static void read_percentiles(struct reader *r, struct latency *l)
{
	struct arena *a = r->p->arena;
	struct slice *values = ARENA_ROOM(a, r->n_alike, struct slice);
	struct percentile c;
	size_t n = 0, cap = r->n_alike;
	if (!json_enter_object(r->j))
		return;
	json_numbers(r->j, r->alike_keys, r->n_alike, &n, values, r->n_alike);
	l->percentiles = ARENA_ROOM(a, cap, struct percentile);
	for (size_t i = 0; r->alike && i < n; i++)
		l->percentiles[i] = (struct percentile){ r->alike[i].key, values[i], r->alike[i].stat };
	l->n_percentiles = n;
	while (json_member(r->j, &c.key)) {
		if (!scalar(r->j, &c.value))
			continue;
		c.stat = percentile_stat(a, c.key);
		*ARENA_PUSH(a, l->percentiles, l->n_percentiles, cap) = c;
	}
	if (l->n_percentiles > n)
		remember(r, l);
}

static void read_latency(struct reader *r, struct latency *l)
{
	unsigned id;
	size_t next = 0;
	if (!json_enter_object(r->j))
		return;
	NUMBERS(r->j, latency_keys, next, l->v);
	while (NEXT_MEMBER(r->j, latency_keys, next, id)) {
		if (id < L_FIELDS)
			json_number_text(r->j, &l->v[id]);
		else if (id == L_PERCENTILE)
			read_percentiles(r, l);
		else if (id == L_BINS && json_type(r->j) == JSON_OBJECT)
			json_skip(r->j, &l->bins);
	}
}

static void read_block(struct reader *r, const struct block *block, struct direction *d)
{
	if (d->n_latency == COUNT(d->latency))
		return;
	struct latency *l = &d->latency[d->n_latency];
	*l = (struct latency){ .block = block };
	read_latency(r, l);
	if (fio_latency_measured(l))
		d->n_latency++;
}

static struct priority *new_priority(struct reader *r, struct direction *d)
{
	return ARENA_PUSH(r->p->arena, d->priorities, d->n_priorities, d->priority_cap);
}

static void read_priority(struct reader *r, struct priority *one)
{
	unsigned id;
	size_t next = 0;
	if (!json_enter_object(r->j))
		return;
	while (NEXT_MEMBER(r->j, priority_keys, next, id)) {
		if (id < PRIORITY_LEVELS) {
			json_number_text(r->j, &one->level[id]);
		} else if (id != SKIPPED) {
			one->latency.block = &blocks[id - PRIO_BLOCK];
			read_latency(r, &one->latency);
		}
	}
}

/* An element of "prios" each; or, of fio 3.18 to 3.29, "clat_high_prio" and the like, in ns. */
static void read_priorities(struct reader *r, unsigned id, struct direction *d)
{
	if (id == D_PRIORITIES) {
		if (json_enter_array(r->j))
			while (json_element(r->j))
				read_priority(r, new_priority(r, d));
		return;
	}
	struct priority *one = new_priority(r, d);
	one->level[PRIO_LEVEL] = id == D_CLAT_HIGH || id == D_LAT_HIGH ? SLICE("high") : SLICE("low");
	one->latency.block = &blocks[id <= D_CLAT_LOW ? CLAT_NS : LAT_NS];
	read_latency(r, &one->latency);
}

static bool read_direction_member(struct reader *r, struct direction *d, size_t *next)
{
	unsigned id;
	if (!NEXT_MEMBER(r->j, direction_keys, *next, id))
		return false;
	if (id < D_FIELDS)
		json_number_text(r->j, &d->v[id]);
	else if (id < D_PRIORITIES)
		read_block(r, &blocks[id - D_BLOCK], d);
	else if (id != SKIPPED)
		read_priorities(r, id, d);
	return true;
}

/* A direction without I/O is NULL: most are, and what is behind their zero runtime need not be looked at. */
static const struct direction *read_direction(struct reader *r)
{
	struct direction d;
	size_t next = 0;
	memset(d.v, 0, sizeof d.v);
	d.n_latency = 0;
	d.priorities = NULL;
	d.n_priorities = d.priority_cap = 0;
	if (!json_enter_object(r->j))
		return NULL;
	bool timed = false;
	do {
		NUMBERS(r->j, direction_keys, next, d.v);
		if (!timed && d.v[D_RUNTIME].n && d.v[D_IO].n && fio_is_zero(d.v[D_IO]) && fio_is_zero(d.v[D_RUNTIME])) {
			json_leave(r->j);
			return NULL;
		}
		timed = d.v[D_RUNTIME].n;
	} while (read_direction_member(r, &d, &next));
	/* fio 3.33 prints latencies of sync beside "total_ios" : 0. */
	if (fio_is_zero(d.v[D_IO]) && fio_is_zero(d.v[D_TOTAL]) && fio_is_zero(d.v[D_IOPS]) && d.n_latency == 0)
		return NULL;
	struct direction *kept = arena_alloc(r->p->arena, sizeof *kept);
	memcpy(kept->v, d.v, sizeof d.v);
	kept->priorities = d.priorities;
	kept->n_priorities = d.n_priorities;
	kept->n_latency = d.n_latency;
	memcpy(kept->latency, d.latency, d.n_latency * sizeof *d.latency);
	return kept;
}

/* `host`: members "hostname" and "port" say whose options these are. */
static void read_options(struct reader *r, struct globals *g, bool host)
{
	struct slice key, value;
	if (!json_enter_object(r->j))
		return;
	while (json_member(r->j, &key)) {
		uint64_t at = json_offset(r->j);
		bool text = json_type(r->j) == JSON_STRING;
		if (!scalar(r->j, &value))
			continue;
		key = json_unescape(r->p->arena, key);
		value = json_unescape(r->p->arena, value);
		struct pos pos = pos_of(r, at + text);
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
			fio_options_add(r->p->arena, &g->conflicts, key, value, pos);
		fio_options_add(r->p->arena, &g->options, key, value, pos);
	}
}

/* Those of the last job once more, but for their places. */
static struct fio_options options_again(struct reader *r, uint64_t from)
{
	struct fio_options o = { .n = r->options.n, .cap = r->options.n, .over = r->options.over };
	uint64_t before = (uint64_t)(r->options_text.p - r->p->source->data.p);
	o.v = ARENA_ARRAY(r->p->arena, o.n, struct param);
	for (size_t i = 0; i < o.n; i++) {
		o.v[i] = r->options.v[i];
		o.v[i].pos = pos_of(r, o.v[i].pos.offset - before + from);
	}
	return o;
}

static unsigned flaws(const struct json *j)
{
	unsigned n = 0;
	for (enum json_flaw f = 0; f < JSON_FLAWS; f++)
		n += j->flaw_count[f];
	return n;
}

/* Most jobs of a run have the same options, and those of a group are given for each of its jobs. */
static void read_job_options(struct reader *r, struct record *job)
{
	uint64_t from = json_offset(r->j);
	unsigned wrong = flaws(r->j);
	struct globals options = { 0 };
	if (json_again(r->j, r->options_text)) {
		job->options = options_again(r, from);
		job->options_as = r->options_as;
		return;
	}
	bool object = json_type(r->j) == JSON_OBJECT;
	read_options(r, &options, false);
	job->options = r->options = options.options;
	job->options_as = ++r->options_as;
	r->options_text = !object || flaws(r->j) > wrong ? SLICE_NONE :
		slice_head(slice_from(r->j->data, (size_t)from), (size_t)(json_offset(r->j) - from));
}

static void read_globals(struct reader *r)
{
	struct document *d = r->d;
	if (json_type(r->j) != JSON_ARRAY) {
		read_options(r, ARENA_PUSH(r->p->arena, d->globals, d->n_globals, d->globals_cap), false);
		return;
	}
	json_enter_array(r->j);
	while (json_element(r->j))
		read_options(r, ARENA_PUSH(r->p->arena, d->globals, d->n_globals, d->globals_cap), true);
}

static void read_series(struct reader *r, struct steady_object *s, size_t which)
{
	struct slice text;
	size_t cap = 0;
	if (s->n_series[which] || !json_enter_array(r->j))
		return;
	while (json_element(r->j))
		if (scalar(r->j, &text))
			*ARENA_PUSH(r->p->arena, s->series[which], s->n_series[which], cap) = text;
}

static void read_data(struct reader *r, struct steady_object *s)
{
	unsigned id;
	size_t next = 0;
	if (!json_enter_object(r->j))
		return;
	while (NEXT_MEMBER(r->j, data_keys, next, id)) {
		if (id < SD_FIELDS)
			json_number_text(r->j, &s->means[id]);
		else if (id != SKIPPED)
			read_series(r, s, id - SD_SERIES);
	}
}

static const struct steady_object *read_steady(struct reader *r)
{
	struct steady_object *s = ARENA_NEW(r->p->arena, struct steady_object);
	unsigned id;
	size_t next = 0;
	if (!json_enter_object(r->j))
		return NULL;
	while (NEXT_MEMBER(r->j, steady_keys, next, id)) {
		if (id < S_FIELDS)
			scalar(r->j, &s->v[id]);
		else if (id == S_DATA)
			read_data(r, s);
	}
	return s;
}

static void read_depths(struct reader *r, struct record *job)
{
	unsigned id;
	size_t next = 0;
	if (!json_enter_object(r->j))
		return;
	NUMBERS(r->j, depth_keys, next, job->depths);
	while (NEXT_MEMBER(r->j, depth_keys, next, id))
		if (id != SKIPPED)
			json_number_text(r->j, &job->depths[id]);
}

static void read_job(struct reader *r)
{
	struct document *d = r->d;
	struct record job = { .at = r->p->source->data.p + json_offset(r->j), .pos = pos_of(r, json_offset(r->j)) };
	unsigned id;
	size_t next = 0;
	bool has_op = false;
	if (!json_enter_object(r->j))
		return;
	while (NEXT_MEMBER(r->j, job_keys, next, id)) {
		if (id < J_FIELDS) {
			scalar(r->j, &job.v[id]);
		} else if (id == J_OPTIONS) {
			read_job_options(r, &job);
		} else if (id == J_STEADY) {
			job.steady = read_steady(r);
		} else if (id == J_DEPTH) {
			read_depths(r, &job);
		} else if (id != SKIPPED) {
			has_op |= json_type(r->j) == JSON_OBJECT;
			job.directions[id - J_OP] = read_direction(r);
		}
	}
	d->is_fio |= has_op && job.v[J_NAME].n;
	if (json_truncated(r->j)) {
		d->in_job = true;
		d->cut_job = job.v[J_NAME];
	} else if (d->client && slice_is(job.v[J_NAME], "All clients")) {
		struct record *sum = ARENA_NEW(r->p->arena, struct record);
		*sum = job;
		d->all_clients = sum;
	} else {
		*ARENA_PUSH(r->p->arena, d->records, d->n_records, d->record_cap) = job;
	}
}

static void read_disk(struct reader *r)
{
	struct document *d = r->d;
	struct slice v[U_FIELDS] = { SLICE_NONE };
	unsigned id;
	size_t next = 0;
	if (!json_enter_object(r->j))
		return;
	while (NEXT_MEMBER(r->j, disk_keys, next, id))
		if (id != SKIPPED)
			scalar(r->j, &v[id]);
	if (!json_truncated(r->j) && v[U_UTIL].n)
		*ARENA_PUSH(r->p->arena, d->disks, d->n_disks, d->disk_cap) =
			(struct disk){ v[U_NAME], v[U_UTIL], v[U_HOST], v[U_PORT] };
}

static void read_array(struct reader *r, void (*element)(struct reader *r))
{
	if (!json_enter_array(r->j))
		return;
	while (json_element(r->j))
		element(r);
}

void fio_document_read(struct parse *p, struct json *j, struct document *d)
{
	struct reader r = { .p = p, .j = j, .d = d };
	struct slice v[R_FIELDS] = { SLICE_NONE };
	unsigned id;
	size_t next = 0;
	*d = (struct document){ .is_fio = false };
	if (!json_enter_object(j))
		return;
	while (NEXT_MEMBER(j, root_keys, next, id)) {
		if (id < R_FIELDS) {
			d->is_fio |= scalar(j, &v[id]) && id == R_VERSION;
		} else if (id == R_GLOBALS) {
			read_globals(&r);
		} else if (id == R_JOBS || id == R_CLIENTS) {
			d->client = id == R_CLIENTS;
			read_array(&r, read_job);
		} else if (id == R_DISKS) {
			read_array(&r, read_disk);
		}
	}
	d->version = v[R_VERSION];
	d->timestamp = v[R_TIMESTAMP];
	d->timestamp_ms = v[R_TIMESTAMP_MS];
	d->time = v[R_TIME];
	d->truncated = json_truncated(j);
}
