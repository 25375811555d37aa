/* One host's samples as results and series. */
#include "parsers/sysstat.h"

#include "base/num.h"

#include <math.h>
#include <time.h>

struct emitter {
	struct parse *p;
	const struct sysstat_host_run *run;
	const struct sysstat_item *item;
	struct param params[4];
	size_t n_params;
};

/* ---- disks over disks ---- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* "sda1" of "sda", "nvme0n1p2" of "nvme0n1". */
static bool is_partition(struct slice disk, struct slice other)
{
	if (other.n == 0 || disk.n <= other.n || !slice_eq(slice_head(disk, other.n), other))
		return false;
	struct slice number = slice_from(disk, other.n);
	if (is_digit(other.p[other.n - 1])) {
		if (number.p[0] != 'p')
			return false;
		number = slice_from(number, 1);
	}
	for (size_t i = 0; i < number.n; i++)
		if (!is_digit(number.p[i]))
			return false;
	return number.n > 0;
}

/* Names as the kernel gives them, and "dev9-0", which old versions print: by their major numbers. */
bool sysstat_layer(struct slice disk)
{
	static const char *const layers[] = { "dm-", "md", "loop", "ram", "zram", "dev7-", "dev9-" };
	for (size_t i = 0; i < sizeof layers / sizeof *layers; i++) {
		size_t n = strlen(layers[i]);
		if (slice_starts(disk, layers[i]) && disk.n > n && is_digit(disk.p[n]))
			return true;
	}
	return false;
}

/* Major number 253 is the device mapper's, unless it is that of all disks, as in some virtual machines. */
bool sysstat_above(struct slice disk, struct slice other)
{
	bool mapped = slice_starts(disk, "dev253-") && slice_starts(other, "dev") && !slice_starts(other, "dev253-");
	return mapped || is_partition(disk, other);
}

/* ---- results ---- */

static void put_param(struct emitter *e, const char *key, struct slice value)
{
	e->params[e->n_params++] = (struct param){ .key = slice_of(key), .value = value, .pos = { .source = e->p->source } };
}

static void name_item(struct emitter *e)
{
	static const char *const keys[SYSSTAT_ACTIVITIES] = { [SYSSTAT_CPU] = "cpu", [SYSSTAT_DISK] = "device",
		[SYSSTAT_NETWORK] = "iface" };
	e->n_params = 0;
	if (keys[e->item->activity])
		put_param(e, keys[e->item->activity], e->item->name);
}

static void name_quantity(struct emitter *e, const struct sysstat_quantity *what)
{
	name_item(e);
	for (size_t i = 0; i < 2; i++)
		if (what->key[i])
			put_param(e, what->key[i], slice_of(what->value[i]));
}

static struct result result_of(struct emitter *e, enum metric_id metric, const char *stat,
	enum sysstat_activity activity)
{
	return (struct result){ .metric = metric, .stat = slice_of(stat), .test = slice_of(sysstat_activity_name(activity)),
		.params = { e->params, e->n_params }, .time = NAN };
}

static void give(struct emitter *e, const struct result *r)
{
	e->p->sink->result(e->p->ctx, r);
}

static void give_derived(struct emitter *e, struct result r, double value, struct pos pos)
{
	r.flags = RESULT_DERIVED;
	r.q = (struct quantity){ .value = value, .unit = metric_get(r.metric)->unit, .pos = pos };
	give(e, &r);
}

static void give_seen(struct emitter *e, struct result r, const struct sysstat_seen *seen, uint64_t n)
{
	r.q = seen->q;
	r.time = seen->time;
	r.n = n;
	give(e, &r);
}

static void give_means(struct emitter *e, const struct sysstat_quantity *what, const struct sysstat_figures *f)
{
	struct result r = result_of(e, what->metric, "mean", what->activity);
	char part[NUM_FORMAT_SIZE];
	size_t plain = e->n_params;
	for (const struct sysstat_mean *mean = f->means; mean; mean = mean->next) {
		if (e->item->parts > 1) {
			e->n_params = plain;
			put_param(e, "segment", (struct slice){ part, num_format_u64(part, mean->part) });
			r.params.n = e->n_params;
		}
		r.q = mean->q;
		give(e, &r);
	}
	e->n_params = plain;
	if (f->means || what->only_in_use || !f->n)
		return;
	r.n = f->n;
	give_derived(e, r, f->sum / (double)f->n, POS_NONE);
}

static void give_series(struct emitter *e, enum metric_id metric, enum sysstat_activity activity,
	const struct sysstat_series *s)
{
	struct series series = { .kind = SERIES_SAMPLES, .metric = metric, .test = slice_of(sysstat_activity_name(activity)),
		.params = { e->params, e->n_params }, .points = s->points, .n = s->n, .untimed = isnan(e->run->first),
		.interval = isnan(e->run->interval) ? 0 : e->run->interval * (s->pooled > 1 ? s->pooled / 2. : 1) };
	for (size_t i = 0; i < s->n; i++)
		s->points[i].t = series.untimed ? (double)(i + 1) : s->points[i].t - e->run->first;
	if (s->n)
		e->p->sink->series(e->p->ctx, &series);
}

static void give_quantity(struct emitter *e, enum sysstat_quantity_id id)
{
	const struct sysstat_quantity *what = sysstat_quantity(id);
	const struct sysstat_figures *f = e->item->figures[id];
	if (!f || what->metric == METRICS)
		return;
	name_quantity(e, what);
	give_means(e, what, f);
	if (f->n_min)
		give_seen(e, result_of(e, what->metric, "min", what->activity), &f->min, f->n_min);
	if (f->n)
		give_seen(e, result_of(e, what->metric, "max", what->activity), &f->max, f->n);
	give_series(e, what->metric, what->activity, &f->series);
}

/* Samples that can't be. */
static void give_faults(struct emitter *e)
{
	static const enum sysstat_quantity_id way[2] = { SYSSTAT_RECEIVE, SYSSTAT_TRANSMIT };
	for (size_t i = 0; i < 2; i++) {
		name_quantity(e, sysstat_quantity(way[i]));
		if (e->item->faults[i])
			give_derived(e, result_of(e, METRIC_ERRORS, "count", e->item->activity), (double)e->item->faults[i], POS_NONE);
	}
}

static void give_item(struct emitter *e)
{
	for (int q = 0; q < SYSSTAT_QUANTITIES; q++)
		give_quantity(e, (enum sysstat_quantity_id)q);
	give_faults(e);
	if (!e->item->samples)
		return;
	name_item(e);
	give_derived(e, result_of(e, METRIC_SAMPLES, "count", e->item->activity), (double)e->item->samples, POS_NONE);
}

/* The largest sum over all disks at one stamp, and when. */
static void give_sums(struct emitter *e)
{
	static const char *const op[SYSSTAT_SUMS] = { [SYSSTAT_SUM_READ] = "read", [SYSSTAT_SUM_WRITE] = "write" };
	for (int i = 0; i < SYSSTAT_SUMS; i++) {
		const struct sysstat_sum *sum = &e->run->sum[i];
		if (!sum->n)
			return;
		e->n_params = 0;
		put_param(e, "device", SLICE("sum"));
		if (op[i])
			put_param(e, "op", slice_of(op[i]));
		struct result r = result_of(e, METRIC_BANDWIDTH, "max", SYSSTAT_DISK);
		r.n = sum->n;
		r.time = sum->time;
		give_derived(e, r, sum->max, sum->pos);
		give_series(e, METRIC_BANDWIDTH, SYSSTAT_DISK, &sum->series);
	}
}

/* ---- what is said of the whole ---- */

static void say(struct emitter *e, const char *message)
{
	e->p->sink->diag(e->p->ctx, DIAG_NOTE, (struct pos){ .source = e->p->source }, message);
}

static const char *when(struct arena *a, double time, bool with_date)
{
	time_t seconds = (time_t)floor(time);
	struct tm tm;
	char text[32];
	if (!gmtime_r(&seconds, &tm) || !strftime(text, sizeof text, with_date ? "%Y-%m-%d %H:%M:%S" : "%H:%M:%S", &tm))
		return "?";
	return arena_string(a, slice_of(text));
}

static void say_period(struct emitter *e)
{
	const struct sysstat_host_run *run = e->run;
	struct arena *a = e->p->arena;
	uint64_t samples = 0;
	for (const struct sysstat_item *i = run->items; i; i = i->next)
		samples = i->samples > samples ? i->samples : samples;
	struct buf b = BUF_EMPTY;
	buf_printf(&b, "%llu sample%s", (unsigned long long)samples, samples == 1 ? "" : "s");
	if (!isnan(run->first))
		buf_printf(&b, " from %s to %s UTC", when(a, run->first, true), when(a, run->end, run->end - run->first >= 86400));
	if (run->restarts)
		buf_printf(&b, ", %u restart%s of the host", run->restarts, run->restarts == 1 ? "" : "s");
	if (!run->printed_means)
		buf_str(&b, "; no averages are printed: a mean is that of the samples");
	say(e, arena_string(a, buf_view(&b)));
	buf_free(&b);
}

static void say_above(struct emitter *e)
{
	struct buf b = BUF_EMPTY;
	size_t n = 0;
	for (const struct sysstat_item *i = e->run->items; i; i = i->next)
		if (i->above && n++ < 8)
			buf_printf(&b, "%s%.*s", n > 1 ? ", " : "", SLICE_ARG(i->name));
	if (n)
		say(e, arena_printf(e->p->arena, "the sum of the disks leaves out what other disks do already: %.*s%s",
			SLICE_ARG(buf_view(&b)), n > 8 ? " …" : ""));
	buf_free(&b);
}

bool sysstat_emit(struct parse *p, const struct sysstat_host_run *run)
{
	struct emitter e = { .p = p, .run = run };
	char started[NUM_FORMAT_SIZE];
	bool any = false;
	for (const struct sysstat_item *i = run->items; i; i = i->next)
		any |= i->samples > 0;
	if (!any)
		return false;
	parse_run(p, SLICE("sysstat"), SLICE(""));
	struct param host = { .key = SLICE("host"), .value = run->host, .pos = run->pos };
	if (run->host.n)
		p->sink->meta(p->ctx, &host);
	for (size_t i = 0; i < SYSSTAT_ABOUT; i++)
		if (run->about[i].key.n)
			p->sink->meta(p->ctx, &run->about[i]);
	if (!isnan(run->first))
		parse_meta(p, "started", (struct slice){ started, num_format(started, run->first) }, NULL);
	if (run->clock_assumed)
		parse_meta(p, "clock", SLICE("no zone is printed: taken as UTC"), NULL);
	for (e.item = run->items; e.item; e.item = e.item->next)
		give_item(&e);
	give_sums(&e);
	say_period(&e);
	say_above(&e);
	return true;
}
