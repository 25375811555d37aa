#include "model/server.h"

#include <math.h>

static const struct server_statistic statistics[SERVER_STATISTICS] = {
	[SERVER_SYSTEM_CPU] = { "system_cpu", "Most system CPU", "cpu", METRIC_CPU_UTIL, false,
		{ { "cpu", "all" }, { "mode", "sys" } }, NULL },
	[SERVER_IOWAIT] = { "iowait", "Most iowait", "cpu", METRIC_CPU_UTIL, false,
		{ { "cpu", "all" }, { "mode", "iowait" } }, NULL },
	[SERVER_FREE_MEMORY] = { "free_memory", "Least free memory", "memory", METRIC_MEMORY_FREE, true,
		{ { NULL, NULL } }, NULL },
	[SERVER_DISK_READ] = { "disk_read", "Most read from all disks", "disk", METRIC_BANDWIDTH, false,
		{ { "device", "sum" }, { "op", "read" } }, NULL },
	[SERVER_DISK_WRITE] = { "disk_write", "Most written to all disks", "disk", METRIC_BANDWIDTH, false,
		{ { "device", "sum" }, { "op", "write" } }, NULL },
	[SERVER_DISK_BANDWIDTH] = { "disk_bandwidth", "Most read and written", "disk", METRIC_BANDWIDTH, false,
		{ { "device", "sum" }, { "op", NULL } }, NULL },
	[SERVER_RECEIVE] = { "receive", "Most received", "network", METRIC_BANDWIDTH, false,
		{ { "direction", "receive" } }, "iface" },
	[SERVER_TRANSMIT] = { "transmit", "Most sent", "network", METRIC_BANDWIDTH, false,
		{ { "direction", "transmit" } }, "iface" },
};

const struct server_statistic *server_statistic(enum server_statistic_id id)
{
	return &statistics[id];
}

struct slice server_host(const struct run *run)
{
	const struct param *host = params_find(run->attrs, "host");
	return host ? host->value : SLICE("");
}

bool server_run(const struct run *run, struct slice host)
{
	bool wanted = slice_is(run->tool, "sysstat") && (!host.n || slice_glob(server_host(run), host));
	return wanted && !run->same_as && !params_find(run->attrs, "duplicate_of");
}

bool server_is(const struct server_statistic *s, enum metric_id metric, struct slice test, struct params p)
{
	bool fits = metric == s->metric && slice_is(test, s->test);
	for (size_t i = 0; fits && i < sizeof s->wanted / sizeof *s->wanted && s->wanted[i].key; i++) {
		const struct param *found = params_find(p, s->wanted[i].key);
		fits = s->wanted[i].value ? found && slice_is(found->value, s->wanted[i].value) : !found;
	}
	return fits && (!s->each || params_find(p, s->each));
}

static bool is_zoned(const struct run *run)
{
	return !params_find(run->attrs, "clock");
}

bool server_told_better(const struct dataset *d, const struct run *run)
{
	for (size_t i = 0; i < d->n_runs && !is_zoned(run); i++) {
		const struct run *other = d->runs[i];
		if (server_run(other, SLICE("")) && is_zoned(other) && isfinite(other->started) &&
		    slice_eq(other->subject, run->subject) && slice_eq(server_host(other), server_host(run)))
			return true;
	}
	return false;
}

static bool is_beyond(const struct server_statistic *s, const struct run *run, const struct result *r,
	const struct server_extreme *so_far)
{
	double value = r->q.value, other = so_far->result->q.value;
	return value == other ? is_zoned(run) && !is_zoned(so_far->run) : s->least ? value < other : value > other;
}

struct found {
	struct server_extreme extreme;
	struct slice *hosts; /* that were seen */
	size_t host_cap;
};

struct finding {
	struct found *v;
	size_t n, cap;
};

static void count_host(struct arena *a, struct found *f, struct slice host)
{
	for (size_t i = 0; i < f->extreme.hosts; i++)
		if (slice_eq(f->hosts[i], host))
			return;
	*ARENA_PUSH(a, f->hosts, f->extreme.hosts, f->host_cap) = host;
}

static void take(struct arena *a, struct finding *f, const struct server_statistic *s, const struct run *run,
	const struct result *r)
{
	struct slice each = s->each ? params_find(r->params, s->each)->value : SLICE("");
	size_t at = 0;
	while (at < f->n && !(slice_eq(f->v[at].extreme.subject, run->subject) && slice_eq(f->v[at].extreme.each, each)))
		at++;
	if (at == f->n)
		ARENA_PUSH(a, f->v, f->n, f->cap)->extreme = (struct server_extreme){ run->subject, each, run, r, 0 };
	struct server_extreme *x = &f->v[at].extreme;
	if (is_beyond(s, run, r, x)) {
		x->run = run;
		x->result = r;
	}
	count_host(a, &f->v[at], server_host(run));
}

struct server_extreme *server_extremes(struct arena *a, const struct dataset *d, enum server_statistic_id id,
	struct slice host, size_t *n)
{
	const struct server_statistic *s = &statistics[id];
	struct finding f = { .n = 0 };
	for (size_t i = 0; i < d->n_runs; i++) {
		const struct run *run = d->runs[i];
		for (size_t k = 0; server_run(run, host) && k < run->n_results; k++) {
			const struct result *r = &run->results[k];
			if (slice_is(r->stat, s->least ? "min" : "max") && !r->q.missing && isfinite(r->q.value) &&
			    server_is(s, r->metric, result_test(r), r->params))
				take(a, &f, s, run, r);
		}
	}
	struct server_extreme *v = ARENA_ARRAY(a, f.n + 1, struct server_extreme);
	for (size_t i = 0; i < f.n; i++)
		v[i] = f.v[i].extreme;
	*n = f.n;
	return v;
}
