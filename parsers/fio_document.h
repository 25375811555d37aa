/* fio_document: one JSON document of fio as it stands in the file, before anything is judged. Everything is a slice of the
 * input; nothing is converted. Used by fio_json.c and fio_document.c only. */
#ifndef PARSERS_FIO_DOCUMENT_H
#define PARSERS_FIO_DOCUMENT_H

#include "base/json.h"
#include "parsers/fio.h"

enum op { OP_READ, OP_WRITE, OP_TRIM, OP_MIXED, OP_SYNC, OPS };

/* Members of a direction that are numbers. */
enum direction_field {
	D_IO, D_IO_KB, D_BW_BYTES, D_BW, D_IOPS, D_RUNTIME, D_TOTAL, D_SHORT, D_DROP,
	D_BW_MIN, D_BW_MAX, D_BW_MEAN, D_BW_DEV, D_BW_SAMPLES,
	D_IOPS_MIN, D_IOPS_MAX, D_IOPS_MEAN, D_IOPS_DEV, D_IOPS_SAMPLES, D_FIELDS
};

/* Members of a latency block. */
enum latency_field { L_MIN, L_MAX, L_MEAN, L_SD, L_N, L_FIELDS };

/* Members of steadystate and its data. */
enum steady_field { S_SS, S_DURATION, S_ATTAINED, S_CRITERION, S_DEVIATION, S_SLOPE, S_FIELDS };
enum steady_data { SD_BW, SD_IOPS, SD_LAT, SD_FIELDS };

/* Members of a job that are numbers or texts. */
enum job_field {
	J_NAME, J_GROUP, J_ERROR, J_START, J_ELAPSED, J_RUNTIME, J_USR, J_SYS, J_TOTAL_ERR, J_FIRST_ERR, J_HOST, J_PORT,
	J_COMMAND, J_STARTED, J_STOPPED, J_FIELDS
};

/* iodepth_level: 1, 2, 4, 8, 16, 32, 64 and more. */
enum { DEPTHS = 7 };

/* What a number is. */
struct field {
	enum metric_id metric; /* METRICS: no figure of its own */
	const char *stat;
	double factor;         /* to the metric's unit */
	const char *suffix;    /* the key's unit */
};

extern const struct field direction_fields[D_FIELDS], steady_means[SD_FIELDS], job_fields[J_FIELDS];
extern const char *const latency_stats[L_FIELDS], *const steady_facts[S_FIELDS], *const op_names[OPS],
	*const depth_facts[DEPTHS];

/* A latency block by its key. */
struct block {
	const char *key;
	struct field field;
};

struct percentile {
	struct slice key, value;
	struct slice stat;          /* "p99.9"; empty where the key names none */
};

struct latency {
	const struct block *block;
	struct slice v[L_FIELDS];
	struct percentile *percentiles;
	size_t n_percentiles;
	struct slice bins;          /* the object's text; empty when there is none */
};

struct direction {
	struct slice v[D_FIELDS];
	struct latency latency[3];
	unsigned n_latency;
};

struct steady_object {
	struct slice v[S_FIELDS], means[SD_FIELDS];
	struct slice *series[SD_FIELDS];
	size_t n_series[SD_FIELDS];
};

struct record {
	const char *at;             /* where the job's object begins */
	struct pos pos;
	struct slice v[J_FIELDS];
	const struct direction *directions[OPS]; /* NULL: no I/O */
	const struct steady_object *steady;
	struct fio_options options; /* "job options" */
	size_t options_as;          /* records with the same number here have the same, but for their places; 0: not known */
	struct slice depths[DEPTHS]; /* iodepth_level, % */
};

/* "global options": of one host where the tool says so. */
struct globals {
	struct slice host, port;
	struct fio_options options;
	struct fio_options conflicts; /* given again with another value */
};

struct disk {
	struct slice name, util, host, port;
};

struct document {
	struct slice version, timestamp, timestamp_ms, time;
	struct globals *globals;
	struct record *records;
	struct disk *disks;
	size_t n_globals, n_records, n_disks, globals_cap, record_cap, disk_cap;
	bool is_fio;                /* has what only fio writes */
	bool client;                /* client_stats */
	struct slice signal;        /* number of the signal that ended the run; empty: none is told of */
	const struct record *all_clients; /* the sum over hosts, left out; NULL when there is none */
	bool truncated;
	struct slice cut_job;       /* raw name of the job that the end cut */
	bool in_job;                /* the end cut a job, named or not */
};

/* Reads the object that j stands at. What the end of the data cut is left out. Positions have no line yet. */
void fio_document_read(struct parse *p, struct json *j, struct document *d);

/* All of its characters are '0' or '.'; true of an absent number, too. */
bool fio_is_zero(struct slice number);

#endif
