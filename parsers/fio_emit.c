#include "parsers/fio_emit.h"

#include "base/num.h"
#include "parsers/fio_check.h"

#include <math.h>

/* Global options are repeated for each job: a document of very many jobs gets them up to this size. */
enum { OPTION_BYTES = 64 << 20 };

struct emit {
	struct parse *p;
	const struct document *d;
	const struct record *r;
	const struct job *job;
	struct source facts; /* where lines of facts were counted to: they stand behind figures that are given later */
	double time;         /* of the present job's figures */
	double written;      /* when the document was */
	double zone;         /* local time − UTC of `started` and `stopped`, s; NAN when it can't be told */
	size_t option_bytes; /* of global options handed on so far */
	struct fio_options force; /* the options in force of the last record whose options_as was this number */
	size_t force_as;
	size_t force_bytes;  /* of global options among them */
	bool hosts_differ;   /* more than one host reports */
	bool wrong;
};

static double number(struct slice text)
{
	double value = NAN;
	num_double(text, &value);
	return value;
}

static uint64_t count(struct slice text)
{
	uint64_t value = 0;
	num_u64(text, &value);
	return value;
}

static void figure(struct emit *e, const struct field *f, struct slice stat, struct slice text, const struct param *own,
	uint64_t n, unsigned flags)
{
	struct result r = { .metric = f->metric, .stat = stat, .job = e->job, .params = { own, own ? 1 : 0 },
		.n = n, .time = e->time, .flags = flags };
	if (text.n && parse_quantity(e->p, text, metric_get(f->metric)->unit, f->factor, f->suffix, &r.q))
		e->p->sink->result(e->p->ctx, &r);
}

/* ---- directions ---- */

static void emit_latency(struct emit *e, const struct latency *l, const struct param *op, uint64_t total)
{
	uint64_t n = l->v[L_N].n ? count(l->v[L_N]) : total;
	struct field f = l->block->field;
	for (size_t i = 0; i < L_FIELDS; i++)
		if (latency_stats[i])
			figure(e, &f, slice_of(latency_stats[i]), l->v[i], op, n, 0);
	for (size_t i = 0; i < l->n_percentiles; i++)
		if (l->percentiles[i].stat.n)
			figure(e, &f, l->percentiles[i].stat, l->percentiles[i].value, op, n, 0);
	e->wrong |= !fio_check_bins(e->p, l);
}

/* Samples' statistics that are none: nothing was sampled, or a log of every I/O put a "sample" of 1 in for each. */
static bool sampled(const struct direction *d, enum direction_field first, enum direction_field samples)
{
	bool zero = true;
	for (enum direction_field f = first; f < samples; f++)
		zero &= fio_is_zero(d->v[f]);
	if (zero || (d->v[samples].n && fio_is_zero(d->v[samples])))
		return false;
	bool per_io = count(d->v[samples]) > 0 && slice_eq(d->v[samples], d->v[D_TOTAL]);
	return !per_io || (samples == D_IOPS_SAMPLES && number(d->v[D_IOPS_MEAN]) != 1);
}

static void emit_direction(struct emit *e, enum op op, const struct direction *d)
{
	struct param own = { .key = SLICE("op"), .value = slice_of(op_names[op]) };
	bool bw = sampled(d, D_BW_MIN, D_BW_SAMPLES), iops = sampled(d, D_IOPS_MIN, D_IOPS_SAMPLES);
	unsigned suspect = fio_check_direction(e->p, d);
	uint64_t total = count(d->v[D_TOTAL]);
	e->wrong |= suspect != 0;
	for (enum direction_field i = 0; i < D_FIELDS; i++) {
		struct field f = direction_fields[i];
		uint64_t n = total;
		if (i == D_IO && !d->v[D_IO_KB].n && op != OP_SYNC) {
			f.factor = 1024;
			f.suffix = " KiB";
		}
		if (i >= D_IOPS_MIN)
			n = count(d->v[D_IOPS_SAMPLES]);
		else if (i >= D_BW_MIN)
			n = count(d->v[D_BW_SAMPLES]);
		bool skipped = f.metric == METRICS || (i == D_BW && d->v[D_BW_BYTES].n) ||
			(i >= D_BW_MIN && i <= D_BW_DEV && !bw) || (i >= D_IOPS_MIN && !iops);
		if (!skipped)
			figure(e, &f, slice_of(f.stat), d->v[i], &own, n, suspect & 1U << i ? RESULT_SUSPECT : 0);
		if (i == D_DROP)
			for (unsigned k = 0; k < d->n_latency; k++)
				emit_latency(e, &d->latency[k], &own, total);
	}
}

/* ---- steady state ---- */

static void emit_series(struct emit *e, const struct steady_object *s, enum steady_data which, double interval)
{
	const struct field *f = &steady_means[which];
	struct point *points = ARENA_ARRAY(e->p->arena, s->n_series[which], struct point);
	size_t n = 0;
	for (size_t i = 0; i < s->n_series[which]; i++) {
		struct quantity q;
		if (parse_quantity(e->p, s->series[which][i], metric_get(f->metric)->unit, f->factor, NULL, &q))
			points[n++] = (struct point){ .t = (double)(i + 1) * interval, .value = q.value, .job = e->job,
				.pos = q.pos };
	}
	struct slice attained = s->v[S_ATTAINED];
	struct series series = { .kind = SERIES_SAMPLES, .metric = f->metric, .test = e->job->name,
		.params = e->job->params, .points = points, .n = n, .interval = interval,
		.claimed = !attained.n ? CLAIM_NONE : fio_is_zero(attained) ? CLAIM_NOT_STEADY : CLAIM_STEADY,
		.claim_pos = parse_pos(e->p, attained.p),
		.claim_text = slice_of(arena_printf(e->p->arena, "%.*s attained=%.*s", SLICE_ARG(s->v[S_SS]),
			SLICE_ARG(attained))) };
	if (n > 0)
		e->p->sink->series(e->p->ctx, &series);
}

/* The option where it was given; else the window's duration over its samples; else fio's default of a second. */
static double sample_interval(const struct emit *e, const struct steady_object *s)
{
	const struct param *given = params_find(e->job->options, "steadystate_check_interval");
	double interval = given ? number(given->value) : NAN, duration = number(s->v[S_DURATION]);
	size_t n = s->n_series[SD_IOPS] ? s->n_series[SD_IOPS] : s->n_series[SD_BW];
	if (interval > 0)
		return interval;
	return n && duration > 0 ? duration / (double)n : 1;
}

static void emit_steady(struct emit *e, const struct steady_object *s)
{
	struct param steady = { .key = SLICE("steady"), .value = fio_is_zero(s->v[S_ATTAINED]) ? SLICE("no") : SLICE("yes"),
		.pos = parse_pos(e->p, s->v[S_ATTAINED].p) };
	double interval = sample_interval(e, s);
	for (enum steady_data i = 0; i < SD_FIELDS; i++)
		figure(e, &steady_means[i], slice_of(steady_means[i].stat), s->means[i], s->v[S_ATTAINED].n ? &steady : NULL, 0, 0);
	for (enum steady_data i = 0; i < SD_FIELDS; i++)
		if (s->n_series[i])
			emit_series(e, s, i, interval);
}

/* ---- options ---- */

static bool same_place(struct slice a, struct slice b)
{
	return !a.n || slice_eq(a, b);
}

/* The global options that hold for this job: its host's, without those of which only the last host's value is left. */
static struct fio_options globals_for(struct emit *e)
{
	struct fio_options all = { 0 };
	for (size_t i = 0; i < e->d->n_globals; i++) {
		const struct globals *g = &e->d->globals[i];
		if (!same_place(g->host, e->r->v[J_HOST]) || !same_place(g->port, e->r->v[J_PORT]))
			continue;
		bool mixed = e->d->client && !g->host.n && e->hosts_differ;
		for (size_t k = 0; k < g->options.n && e->option_bytes < OPTION_BYTES; k++) {
			const struct param *p = &g->options.v[k];
			if (mixed && params_find_slice((struct params){ g->conflicts.v, g->conflicts.n }, p->key))
				continue;
			fio_options_add(e->p->arena, &all, p->key, p->text, p->pos);
			e->option_bytes += sizeof *p + p->key.n + 2 * p->text.n;
		}
	}
	return all;
}

/* The same for a record with the same options: only their places are its own. */
static struct fio_options in_force_again(struct emit *e)
{
	enum { FACTS = 16 };
	const struct fio_options *own = &e->r->options;
	struct fio_options out = { .n = e->force.n, .cap = e->force.n + FACTS };
	size_t global = out.n - own->n;
	out.v = ARENA_ARRAY(e->p->arena, out.cap, struct param);
	for (size_t i = 0; i < out.n; i++) {
		out.v[i] = e->force.v[i];
		if (i >= global)
			out.v[i].pos = own->v[i - global].pos;
	}
	e->option_bytes += e->force_bytes;
	return out;
}

/* Global options and those of the job. */
static struct fio_options in_force(struct emit *e)
{
	size_t before = e->option_bytes;
	if (e->force_as && e->r->options_as == e->force_as && before + e->force_bytes < OPTION_BYTES)
		return in_force_again(e);
	struct fio_options global = globals_for(e);
	e->force = fio_options_merge(e->p->arena, &global, &e->r->options);
	e->force_bytes = e->option_bytes - before;
	e->force_as = e->force.over || e->hosts_differ ? 0 : e->r->options_as;
	return e->force;
}

/* fio cuts a job's name to 127 bytes in the output, not in the options. */
static bool same_name(struct slice reported, struct slice given)
{
	enum { NAME_MAX_BYTES = 127 };
	return slice_eq(reported, given) || (reported.n == NAME_MAX_BYTES && given.n > reported.n &&
		slice_eq(reported, slice_head(given, reported.n)));
}

/* Options of a job that the output itself states. False when those printed are another job's: of a group only the last
 * job's are, and that it is a group is not always printed (3.33 leaves a global --group_reporting out). */
static bool own_options(struct emit *e, struct slice name, struct fio_options *out)
{
	*out = in_force(e);
	struct params all = { out->v, out->n };
	const struct param *given = params_find(all, "name"), *grouped = params_find(all, "group_reporting");
	if (!given || same_name(name, given->value))
		return true;
	parse_diag(e->p, DIAG_NOTE, e->r->at, "job '%.*s': the options beside it are those of '%.*s', as of the last job of a "
		"group: they are not taken for it", SLICE_ARG(name), SLICE_ARG(given->value));
	*out = (struct fio_options){ 0 };
	if (grouped)
		fio_options_add(e->p->arena, out, grouped->key, grouped->text, grouped->pos);
	return false;
}

/* False when definitions that differ stand behind the job: what they don't agree on is not known. */
static bool command_options(struct emit *e, struct slice name, struct fio_options *out, struct fio_options *facts)
{
	struct slice raw = e->r->v[J_COMMAND], text = json_unescape(e->p->arena, raw);
	struct pos pos = parse_pos(e->p, raw.p);
	struct fio_command c;
	*out = (struct fio_options){ 0 };
	if (!fio_command_read(e->p->arena, text, name, pos, &c)) {
		parse_diag(e->p, DIAG_WARNING, raw.p, "job '%.*s': its fio_command defines no job: no options are known",
			SLICE_ARG(name));
		e->wrong = true;
		return false;
	}
	if (c.disputed.n)
		parse_diag(e->p, DIAG_NOTE, raw.p, "job '%.*s' stands for %zu definitions that differ in %.*s",
			SLICE_ARG(name), c.definitions, SLICE_ARG(c.disputed));
	if (c.definitions > 1)
		fio_options_add(e->p->arena, facts, SLICE("definitions"),
			arena_u64(e->p->arena, c.definitions), pos);
	for (size_t i = 0; i < c.targets.n; i++)
		fio_options_add(e->p->arena, facts, c.targets.v[i].key, c.targets.v[i].value, pos);
	*out = c.agreed;
	return !c.disputed.n;
}

static void fact(struct emit *e, struct fio_options *facts, const char *key, struct slice raw)
{
	if (!raw.n)
		return;
	struct pos pos = source_pos_of(&e->facts, raw.p);
	pos.source = e->p->source;
	fio_options_fact(e->p->arena, facts, key, json_unescape(e->p->arena, raw), pos);
}

/* Whole milliseconds as seconds: "3000" is "3", "1444" is "1.444". */
static struct slice seconds_text(struct arena *a, double ms)
{
	char text[NUM_FORMAT_SIZE];
	if (!(ms >= 0 && ms < 9e15))
		return SLICE_NONE;
	uint64_t whole = (uint64_t)llround(ms);
	uint64_t seconds = whole / 1000;
	size_t n = num_format(text, (double)seconds);
	text[n++] = '.';
	for (uint64_t unit = 100; unit; unit /= 10)
		text[n++] = (char)('0' + whole / unit % 10);
	while (text[n - 1] == '0')
		n--;
	n -= text[n - 1] == '.';
	return arena_copy(a, (struct slice){ text, n });
}

static void add_facts(struct emit *e, struct fio_options *facts)
{
	const struct record *r = e->r;
	if (r->v[J_RUNTIME].n) {
		fact(e, facts, "job_runtime", r->v[J_RUNTIME]);
		facts->v[facts->n - 1].value = seconds_text(e->p->arena, number(r->v[J_RUNTIME]));
	}
	if (!fio_is_zero(r->v[J_TOTAL_ERR])) {
		fact(e, facts, "total_err", r->v[J_TOTAL_ERR]);
		fact(e, facts, "first_error", r->v[J_FIRST_ERR]);
	}
	for (size_t op = 0; op < OPS; op++) {
		const struct direction *d = r->directions[op];
		for (enum direction_field f = D_SHORT; d && f <= D_DROP; f++)
			if (!fio_is_zero(d->v[f]))
				fact(e, facts, f == D_SHORT ? "short_ios" : "drop_ios", d->v[f]);
	}
	for (size_t i = 0; i < DEPTHS; i++)
		if (!fio_is_zero(r->depths[i]))
			fact(e, facts, depth_facts[i], r->depths[i]);
	fact(e, facts, "signal", e->d->signal);
	for (size_t i = 0; r->steady && i < S_FIELDS; i++)
		fact(e, facts, steady_facts[i], r->steady->v[i]);
	fact(e, facts, "fio_command", r->v[J_COMMAND]);
	fact(e, facts, "started", r->v[J_STARTED]);
	fact(e, facts, "stopped", r->v[J_STOPPED]);
}

/* ---- times ---- */

/* "2026-11-30 11:35:41" as if it were UTC; NAN when it is no such text. */
static double civil_time(struct slice text)
{
	static const char form[] = "dddd-dd-dd dd:dd:dd";
	int v[6] = { 0 }, n = 0;
	if (text.n != sizeof form - 1)
		return NAN;
	for (size_t i = 0; i < text.n; i++) {
		if (form[i] != 'd') {
			if (text.p[i] != form[i])
				return NAN;
			n++;
		} else if (text.p[i] < '0' || text.p[i] > '9') {
			return NAN;
		} else {
			v[n] = v[n] * 10 + (text.p[i] - '0');
		}
	}
	/* Days since 1970 by the civil calendar; March begins the year so that the leap day is its last. */
	int y = v[0] - (v[1] < 3), m = (v[1] + 9) % 12;
	int64_t days = 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + v[2] - 1 - 719468;
	return (double)(days * 86400 + v[3] * 3600 + v[4] * 60 + v[5]);
}

static double document_time(const struct document *d)
{
	return d->timestamp_ms.n ? number(d->timestamp_ms) / 1e3 : number(d->timestamp);
}

/* The header's timestamp is the end of the first fio run, `stopped` is the same moment as a local time. */
static double local_zone(const struct document *d)
{
	enum { QUARTER = 900, SLACK = 60 };
	double utc = document_time(d), local = d->n_records ? civil_time(d->records[0].v[J_STOPPED]) : NAN;
	double zone = round((local - utc) / QUARTER) * QUARTER;
	return fabs(local - utc - zone) <= SLACK ? zone : NAN;
}

static double record_started(const struct emit *e, const struct record *r)
{
	return r->v[J_START].n ? number(r->v[J_START]) / 1e3 : civil_time(r->v[J_STARTED]) - e->zone;
}

static void emit_started(struct emit *e)
{
	double first = NAN, longest = 0;
	for (size_t i = 0; i < e->d->n_records; i++) {
		double started = record_started(e, &e->d->records[i]), elapsed = number(e->d->records[i].v[J_ELAPSED]);
		first = fmin(first, started);
		longest = fmax(longest, elapsed);
	}
	if (isnan(first))
		first = document_time(e->d) - longest;
	if (!isnan(first))
		parse_meta(e->p, "started", seconds_text(e->p->arena, first * 1e3), e->d->timestamp.p);
}

/* ---- jobs ---- */

static void place(struct emit *e, struct fio_options *params, const char *key, struct slice raw)
{
	if (raw.n)
		fio_options_add(e->p->arena, params, slice_of(key), json_unescape(e->p->arena, raw), parse_pos(e->p, raw.p));
}

static void job_figure(struct emit *e, enum job_field i, const struct param *mode)
{
	figure(e, &job_fields[i], slice_of(job_fields[i].stat), e->r->v[i], mode, 0, 0);
}

static void emit_figures(struct emit *e)
{
	static const struct { enum job_field field; struct param mode; } cpu[] = {
		{ J_USR, { .key = SLICE("mode"), .value = SLICE("usr") } },
		{ J_SYS, { .key = SLICE("mode"), .value = SLICE("sys") } },
	};
	const struct record *r = e->r;
	if (!fio_is_zero(r->v[J_ERROR]))
		job_figure(e, J_ERROR, NULL);
	for (enum op op = 0; op < OPS; op++)
		if (r->directions[op])
			emit_direction(e, op, r->directions[op]);
	for (size_t i = 0; i < 2; i++)
		job_figure(e, cpu[i].field, &cpu[i].mode);
	if (!fio_is_zero(r->v[J_TOTAL_ERR]))
		job_figure(e, J_TOTAL_ERR, NULL);
	if (r->steady)
		emit_steady(e, r->steady);
}

static void emit_record(struct emit *e, const struct record *r)
{
	e->r = r;
	struct slice name = json_unescape(e->p->arena, r->v[J_NAME]);
	struct fio_options params = { 0 }, facts = { 0 }, force;
	place(e, &params, "group", r->v[J_GROUP]);
	place(e, &params, "host", r->v[J_HOST]);
	place(e, &params, "port", r->v[J_PORT]);
	bool command = r->v[J_COMMAND].n, own = command ? command_options(e, name, &force, &facts) : own_options(e, name, &force);
	bool partial = !own || force.n == 0 || force.over;
	if (!command && own)
		fio_options_targets(e->p->arena, &force, &facts);
	fio_options_params(e->p->arena, &force, &params);
	add_facts(e, &facts);
	if (force.over || facts.over)
		parse_diag(e->p, DIAG_WARNING, r->at, "job '%.*s' has more than %d options: the rest was left out",
			SLICE_ARG(name), FIO_OPTIONS_MAX);
	for (size_t i = 0; i < facts.n; i++)
		*ARENA_PUSH(e->p->arena, force.v, force.n, force.cap) = facts.v[i];
	struct job job = { .name = name, .params = { params.v, params.n }, .options = { force.v, force.n },
		.partial = partial, .pos = r->pos, .started = record_started(e, r),
		.stopped = civil_time(r->v[J_STOPPED]) - e->zone };
	e->job = e->p->sink->job(e->p->ctx, &job);
	e->time = r->v[J_STOPPED].n ? job.stopped : e->written;
	emit_figures(e);
}

/* Where each job ran by a command of its own, the disks are those of the first. */
static void emit_disks(struct emit *e, const struct job *first)
{
	static const struct field util = { .metric = METRIC_DISK_UTIL, .stat = "value", .factor = 1, .suffix = "%" };
	bool suite = e->d->n_records && e->d->records[0].v[J_COMMAND].n;
	e->time = e->written;
	for (size_t i = 0; i < e->d->n_disks; i++) {
		const struct disk *k = &e->d->disks[i];
		struct fio_options params = { 0 };
		place(e, &params, "disk", k->name);
		place(e, &params, "host", k->host);
		place(e, &params, "port", k->port);
		struct result r = { .metric = util.metric, .stat = slice_of(util.stat), .params = { params.v, params.n },
			.time = e->time, .job = suite ? first : NULL, .no_test = true };
		if (parse_quantity(e->p, k->util, UNIT_PERCENT, util.factor, util.suffix, &r.q))
			e->p->sink->result(e->p->ctx, &r);
	}
}

static void note_conflicts(struct emit *e)
{
	for (size_t i = 0; i < e->d->n_globals; i++) {
		const struct globals *g = &e->d->globals[i];
		if (e->d->client && !g->host.n && e->hosts_differ && g->conflicts.n)
			parse_diag(e->p, DIAG_NOTE, e->p->source->data.p + g->conflicts.v[0].pos.offset,
				"global options of several hosts stand in one object and differ in '%.*s'%s: such options are not used",
				SLICE_ARG(g->conflicts.v[0].key), g->conflicts.n > 1 ? " and others" : "");
	}
}

/* How many results come of it, at the most. */
static size_t figures_in(const struct document *d)
{
	enum { OF_JOB = 4, OF_LATENCY = 4 };
	size_t n = d->n_disks + d->n_records * (OF_JOB + SD_FIELDS);
	for (size_t i = 0; i < d->n_records; i++)
		for (enum op op = 0; op < OPS; op++) {
			const struct direction *k = d->records[i].directions[op];
			for (enum direction_field f = 0; k && f < D_FIELDS; f++)
				n += direction_fields[f].metric != METRICS && k->v[f].n;
			for (unsigned l = 0; k && l < k->n_latency; l++)
				n += OF_LATENCY + k->latency[l].n_percentiles;
		}
	return n;
}

bool fio_document_emit(struct parse *p, const struct document *d)
{
	struct emit e = { .p = p, .d = d, .written = document_time(d), .zone = local_zone(d), .facts = *p->source };
	const struct job *first = NULL;
	for (size_t i = 1; i < d->n_records && !e.hosts_differ; i++)
		e.hosts_differ = !slice_eq(d->records[i].v[J_HOST], d->records[0].v[J_HOST]) ||
			!slice_eq(d->records[i].v[J_PORT], d->records[0].v[J_PORT]);
	parse_run(p, SLICE("fio"), json_unescape(p->arena, d->version));
	if (p->sink->expect)
		p->sink->expect(p->ctx, figures_in(d));
	if (d->timestamp.n)
		parse_meta(p, "timestamp", d->timestamp, d->timestamp.p);
	if (d->time.n)
		parse_meta(p, "time", json_unescape(p->arena, d->time), d->time.p);
	emit_started(&e);
	note_conflicts(&e);
	if (d->all_clients) {
		parse_diag(p, DIAG_NOTE, d->all_clients->at, "\"All clients\" is the sum over the hosts: it gives no rows");
		fio_check_sum(p, d);
	}
	for (size_t i = 0; i < d->n_records; i++) {
		emit_record(&e, &d->records[i]);
		if (i == 0)
			first = e.job;
	}
	if (e.option_bytes >= OPTION_BYTES)
		parse_diag(p, DIAG_WARNING, d->records[0].at, "too many jobs to repeat the global options for each of them");
	emit_disks(&e, first);
	return e.wrong;
}
