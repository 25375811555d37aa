#include "parsers/sysstat.h"

#include "base/num.h"

#include <math.h>

enum { BUCKETS = 1024, SAID = 8 };
/* In base units: nothing measures more. */
#define LARGEST 1e18

struct cell {
	const struct sysstat_column *column;
	struct slice text;
	struct pos pos;
	struct quantity q;
};

struct sysstat {
	struct parse *p;
	struct sysstat_host_run run;
	struct sysstat_item *bucket[BUCKETS];
	bool given, clock_assumed;
	size_t hosts;
	bool closed;               /* of too many: rows are left out */
	enum status status;
	double time, interval;
	uint64_t stamp;
	/* Disks that were seen at this stamp, and are not yet summed up. */
	struct sysstat_item *disks[SYSSTAT_ITEMS];
	size_t n_disks;
	struct pos disk_pos;       /* the last of them */
	/* The present row. */
	enum sysstat_activity activity;
	struct slice name;
	bool average, goes_on;
	struct sysstat_item *item; /* once the row has ended */
	struct cell cells[SYSSTAT_QUANTITIES];
	size_t n_cells;
	const char *said[SAID];
	size_t n_said;
};

static void clear_run(struct sysstat *s, struct slice host, struct pos pos)
{
	memset(s->bucket, 0, sizeof s->bucket);
	s->run = (struct sysstat_host_run){ .host = host, .pos = pos, .first = NAN, .end = NAN, .interval = NAN, .part = 1 };
	s->run.last_item = &s->run.items;
	s->time = s->interval = NAN;
	s->stamp = 1;
	s->n_disks = 0;
}

struct sysstat *sysstat_new(struct parse *p)
{
	struct sysstat *s = ARENA_NEW(p->arena, struct sysstat);
	s->p = p;
	s->run.last_item = &s->run.items;
	clear_run(s, SLICE_NONE, (struct pos){ .source = p->source });
	return s;
}

/* ---- what is said ---- */

void sysstat_say(struct sysstat *s, enum severity severity, struct pos pos, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	const char *message = arena_vprintf(s->p->arena, format, args);
	va_end(args);
	pos.source = s->p->source;
	if (!pos.line && pos.offset)
		pos = source_pos(s->p->source, pos.offset);
	if (severity != DIAG_NOTE)
		s->status = STATUS_WARN;
	s->p->sink->diag(s->p->ctx, severity, pos, message);
}

void sysstat_say_once(struct sysstat *s, const char *literal, struct pos pos, enum severity severity)
{
	for (size_t i = 0; i < s->n_said; i++)
		if (s->said[i] == literal)
			return;
	if (s->n_said < SAID)
		s->said[s->n_said++] = literal;
	sysstat_say(s, severity, pos, "%s", literal);
}

void sysstat_assumed_utc(struct sysstat *s)
{
	static const char sentence[] = "the zone of its clock is not printed: times are taken as UTC";
	sysstat_say_once(s, sentence, (struct pos){ 0 }, DIAG_NOTE);
	s->clock_assumed = true;
}

void sysstat_since_boot(struct sysstat *s)
{
	static const char sentence[] = "iostat's first report is of the time since the host started, unless it was called "
		"with -y";
	sysstat_say_once(s, sentence, (struct pos){ 0 }, DIAG_NOTE);
}

/* ---- series ---- */

/* Of up to four points the least and the greatest, in order of time; returns how many that are: 1 of a single one. */
static size_t least_and_greatest(const struct point *from, size_t n, struct point *to)
{
	size_t least = 0, most = 0;
	for (size_t i = 1; i < n; i++) {
		least = from[i].value < from[least].value ? i : least;
		most = from[i].value >= from[most].value ? i : most;
	}
	struct point first = from[least < most ? least : most], second = from[least < most ? most : least];
	to[0] = first;
	if (n > 1)
		to[1] = second;
	return n > 1 ? 2 : 1;
}

/* Halves the points: two groups become one. */
static void pool(struct sysstat_series *s)
{
	size_t n = 0, groups = s->pooled == 1 ? s->n : (s->n + 1) / 2;
	for (size_t i = 0; i < s->n; i += 4)
		n += least_and_greatest(s->points + i, s->n - i < 4 ? s->n - i : 4, s->points + n);
	if (s->pooled == 1)
		s->in_last = groups % 4 ? groups % 4 : 4;
	else
		s->in_last += groups % 2 ? 0 : s->pooled;
	s->pooled *= s->pooled == 1 ? 4 : 2;
	s->n = n;
}

static void pool_all(struct sysstat_host_run *run)
{
	run->points = 0;
	for (struct sysstat_item *i = run->items; i; i = i->next)
		for (int q = 0; q < SYSSTAT_QUANTITIES; q++)
			if (i->figures[q] && i->figures[q]->series.n) {
				pool(&i->figures[q]->series);
				run->points += i->figures[q]->series.n;
			}
}

/* Into the last group, which has one or two points by now. */
static void join(struct sysstat *s, struct sysstat_series *series, struct point added)
{
	struct point group[3];
	size_t n = series->in_last++ > 1 ? 2 : 1;
	for (size_t i = 0; i < n; i++)
		group[i] = series->points[series->n - n + i];
	group[n] = added;
	if (n == 1) {
		ARENA_PUSH(s->p->arena, series->points, series->n, series->cap);
		s->run.points++;
	}
	least_and_greatest(group, n + 1, &series->points[series->n - 2]);
}

static void add_point(struct sysstat *s, struct sysstat_series *series, double value, struct pos pos)
{
	struct point added = { .t = s->time, .value = value, .pos = pos };
	series->pooled = series->pooled ? series->pooled : 1;
	if (series->n >= SYSSTAT_POINTS) {
		s->run.points -= series->n;
		pool(series);
		s->run.points += series->n;
	}
	if (series->pooled > 1 && series->in_last < series->pooled) {
		join(s, series, added);
		return;
	}
	*ARENA_PUSH(s->p->arena, series->points, series->n, series->cap) = added;
	series->in_last = 1;
	if (++s->run.points > SYSSTAT_ALL_POINTS)
		pool_all(&s->run);
}

/* ---- the sum over disks ---- */

static void add_to_sum(struct sysstat *s, struct sysstat_sum *sum, double value)
{
	if (!sum->n || value > sum->max) {
		sum->max = value;
		sum->time = s->time;
		sum->pos = s->disk_pos;
	}
	sum->n++;
	add_point(s, &sum->series, value, s->disk_pos);
}

static void sum_disks(struct sysstat *s)
{
	double sum[2] = { 0, 0 };
	if (!s->n_disks)
		return;
	for (size_t i = 0; i < s->n_disks; i++)
		for (int way = 0; way < 2 && !s->disks[i]->above; way++)
			sum[way] += s->disks[i]->now[way];
	s->n_disks = 0;
	add_to_sum(s, &s->run.sum[SYSSTAT_SUM_READ], sum[0]);
	add_to_sum(s, &s->run.sum[SYSSTAT_SUM_WRITE], sum[1]);
	add_to_sum(s, &s->run.sum[SYSSTAT_SUM_BOTH], sum[0] + sum[1]);
}

/* ---- hosts, stamps, items ---- */

static void give(struct sysstat *s)
{
	sum_disks(s);
	s->run.clock_assumed = s->clock_assumed;
	if (sysstat_emit(s->p, &s->run))
		s->given = true;
}

void sysstat_host(struct sysstat *s, struct slice name, struct pos pos)
{
	if (slice_eq(name, s->run.host) || s->closed)
		return;
	if (s->hosts++ == SYSSTAT_HOSTS) {
		sysstat_say(s, DIAG_WARNING, pos, "more than %d times another host: the rest is left out", SYSSTAT_HOSTS);
		s->closed = true;
		return;
	}
	if (s->run.items)
		give(s);
	if (s->run.items || s->run.host.n)
		clear_run(s, SLICE_NONE, pos);
	s->run.host = arena_copy(s->p->arena, name);
	s->run.pos = pos;
}

void sysstat_about(struct sysstat *s, struct slice key, struct slice value, struct pos pos)
{
	static const char *const kept[SYSSTAT_ABOUT][2] = { { "release", "kernel" }, { "machine", "machine" },
		{ "number-of-cpus", "cpus" } };
	for (size_t i = 0; i < SYSSTAT_ABOUT; i++) {
		struct param *about = &s->run.about[i];
		if (slice_is(key, kept[i][0]) && value.n && !about->key.n)
			*about = (struct param){ .key = slice_of(kept[i][1]), .value = arena_copy(s->p->arena, value), .pos = pos };
	}
}

void sysstat_restart(struct sysstat *s, bool of_host)
{
	sum_disks(s);
	s->stamp++;
	s->run.restarts += of_host;
	s->run.part += s->run.samples_in_part;
	s->run.samples_in_part = false;
}

void sysstat_stamp(struct sysstat *s, double time, double interval)
{
	if (!isnan(time) && time == s->time)
		return;
	sum_disks(s);
	s->stamp++;
	s->time = time;
	s->interval = interval;
}

static void place_disk(struct sysstat *s, struct sysstat_item *item)
{
	item->above = sysstat_layer(item->name);
	for (struct sysstat_item *i = s->run.items; i; i = i->next)
		if (i->activity == SYSSTAT_DISK) {
			i->above |= sysstat_above(i->name, item->name);
			item->above |= sysstat_above(item->name, i->name);
		}
}

/* Its own rate before the one for all, which is not the loopback's. */
static double line_rate_of(const struct sysstat *s, struct slice iface, struct slice *text)
{
	const struct param *own = params_find_slice(s->p->set,
		slice_of(arena_printf(s->p->arena, "line_rate.%.*s", SLICE_ARG(iface))));
	const struct param *all = slice_is(iface, "lo") ? NULL : params_find(s->p->set, "line_rate");
	struct quantity q;
	const char *error;
	for (size_t i = 0; i < s->p->set.n && !own; i++) {
		struct slice key = s->p->set.v[i].key;
		if (slice_starts(key, "line_rate.") && slice_glob(iface, slice_from(key, strlen("line_rate."))))
			own = &s->p->set.v[i];
	}
	own = own ? own : all;
	*text = own ? own->value : SLICE("");
	return own && quantity_parse(own->value, UNIT_B_PER_S, &q, NULL, &error) ? q.value : INFINITY;
}

static struct sysstat_item *find_item(struct sysstat *s, enum sysstat_activity activity, struct slice name)
{
	uint32_t hash = 2166136261u ^ (uint32_t)activity;
	for (size_t i = 0; i < name.n; i++)
		hash = (hash ^ (unsigned char)name.p[i]) * 16777619u;
	struct sysstat_item **slot = &s->bucket[hash % BUCKETS], *item = *slot;
	while (item && (item->activity != activity || !slice_eq(item->name, name)))
		item = item->chain;
	if (item || s->run.n_items == SYSSTAT_ITEMS)
		return item;
	item = ARENA_NEW(s->p->arena, struct sysstat_item);
	*item = (struct sysstat_item){ .activity = activity, .name = arena_copy(s->p->arena, name), .chain = *slot,
		.last_time = NAN };
	*slot = *s->run.last_item = item;
	s->run.last_item = &item->next;
	s->run.n_items++;
	if (activity == SYSSTAT_DISK)
		place_disk(s, item);
	if (activity == SYSSTAT_NETWORK)
		item->line_rate = line_rate_of(s, name, &item->line_rate_text);
	return item;
}

/* ---- rows ---- */

void sysstat_row(struct sysstat *s, enum sysstat_activity activity, bool average)
{
	s->n_cells = 0;
	s->average = average;
	s->goes_on = false;
	s->activity = activity;
	s->name = activity == SYSSTAT_CPU ? SLICE("all") : SLICE_NONE;
}

void sysstat_row_goes_on(struct sysstat *s)
{
	s->goes_on = true;
}

void sysstat_row_item(struct sysstat *s, struct slice name)
{
	s->name = s->activity == SYSSTAT_CPU && slice_is(name, "-1") ? SLICE("all") : name;
}

void sysstat_cell(struct sysstat *s, const struct sysstat_column *column, struct slice text, struct pos pos)
{
	struct cell *cell = NULL;
	for (size_t i = 0; i < s->n_cells && !cell; i++)
		if (s->cells[i].column->quantity == column->quantity)
			cell = &s->cells[i];
	if (cell && cell->column->rank >= column->rank)
		return;
	if (!cell)
		cell = &s->cells[s->n_cells++];
	*cell = (struct cell){ .column = column, .text = text, .pos = pos };
}

/* Some locales print a comma for the decimal point; nothing of sysstat prints one between thousands. */
static bool read_number(struct sysstat *s, struct cell *c)
{
	char with_point[64];
	struct slice number = c->text;
	double value, half, factor = c->column->factor;
	const char *suffix = c->column->suffix;
	sysstat_human(&number, &factor, &suffix);
	size_t comma = slice_find_char(number, ',');
	if (comma != (size_t)-1 && number.n <= sizeof with_point) {
		memcpy(with_point, number.p, number.n);
		with_point[comma] = '.';
		number.p = with_point;
	}
	enum num_status status = num_printed(number, factor, &value, &half);
	if (!c->pos.line && c->pos.offset)
		c->pos = source_pos(s->p->source, c->pos.offset);
	if (status != NUM_OK) {
		sysstat_say(s, DIAG_WARNING, c->pos, "'%.*s' under %s %s: it is left out", SLICE_ARG(slice_head(c->text, 40)),
			c->column->spelling, num_status_text(status));
		return false;
	}
	if (value < 0 || value > LARGEST) {
		sysstat_say(s, DIAG_WARNING, c->pos, "%.*s under %s can't be: a fault of a counter; it is left out",
			SLICE_ARG(c->text), c->column->spelling);
		return false;
	}
	c->q = (struct quantity){ .value = value, .text = c->text,
		.suffix = suffix, .half_digit = half, .pos = c->pos };
	enum metric_id metric = sysstat_quantity(c->column->quantity)->metric;
	c->q.unit = metric == METRICS ? UNIT_PERCENT : metric_get(metric)->unit;
	return true;
}

/* For as long as the input is read. */
static struct quantity kept(struct sysstat *s, struct quantity q)
{
	struct slice data = s->p->source->data;
	if (q.text.p < data.p || q.text.p >= data.p + data.n)
		q.text = arena_copy(s->p->arena, q.text);
	return q;
}

static struct sysstat_figures *figures_of(struct sysstat *s, enum sysstat_quantity_id id)
{
	struct sysstat_figures **f = &s->item->figures[id];
	if (!*f) {
		*f = ARENA_NEW(s->p->arena, struct sysstat_figures);
		(*f)->last_mean = &(*f)->means;
	}
	return *f;
}

static void take_average(struct sysstat *s, const struct cell *c)
{
	struct sysstat_figures *f = figures_of(s, c->column->quantity);
	struct sysstat_mean *mean = ARENA_NEW(s->p->arena, struct sysstat_mean);
	*mean = (struct sysstat_mean){ .part = s->run.part, .q = kept(s, c->q) };
	*f->last_mean = mean;
	f->last_mean = &mean->next;
	s->run.printed_means = true;
}

static void take_sample(struct sysstat *s, const struct cell *c)
{
	struct sysstat_figures *f = figures_of(s, c->column->quantity);
	const struct sysstat_quantity *what = sysstat_quantity(c->column->quantity);
	double value = c->q.value;
	if (!f->n || value > f->max.value)
		f->max = (struct sysstat_seen){ value, s->time, kept(s, c->q) };
	if ((!what->only_in_use || value > 0) && (!f->n_min++ || value < f->min.value))
		f->min = (struct sysstat_seen){ value, s->time, kept(s, c->q) };
	f->n++;
	f->sum += value;
	if (s->item->activity != SYSSTAT_CPU || slice_is(s->item->name, "all"))
		add_point(s, &f->series, value, c->pos);
}

/* Above the speed that sar goes by, in the direction that is the faster one. */
static bool beyond_use(const struct sysstat *s, const struct cell *c, const struct cell *use)
{
	if (!use || use->q.value <= 100)
		return false;
	for (size_t i = 0; i < s->n_cells; i++)
		if (&s->cells[i] != use && s->cells[i].q.value > c->q.value)
			return false;
	return true;
}

/* What an interface can't have carried is no sample. */
static bool beyond_line_rate(struct sysstat *s, const struct cell *c, const struct cell *use)
{
	struct sysstat_item *item = s->item;
	bool told = item->activity == SYSSTAT_NETWORK && c->q.value > item->line_rate;
	if (!told && !beyond_use(s, c, use))
		return false;
	if (item->faults[0] + item->faults[1] == 0) {
		const char *what = told ?
			arena_printf(s->p->arena, "above its line rate of %.*s", SLICE_ARG(item->line_rate_text)) :
			arena_printf(s->p->arena, "%.*s %% of its line rate", SLICE_ARG(use->q.text));
		sysstat_say(s, DIAG_WARNING, c->pos, "%.*s%s on %.*s is %s: a fault of the counter; such values are left out",
			SLICE_ARG(c->q.text), c->q.suffix, SLICE_ARG(item->name), what);
	}
	item->faults[c->column->quantity == SYSSTAT_TRANSMIT] += !s->average;
	return true;
}

static void count_stamp(struct sysstat *s)
{
	struct sysstat_host_run *run = &s->run;
	double begin = isnan(s->interval) ? s->time : s->time - s->interval;
	s->item->samples++;
	s->item->parts += s->item->part != run->part;
	s->item->part = run->part;
	run->samples_in_part = true;
	if (!isnan(s->time) && s->time <= s->item->last_time)
		sysstat_say_once(s, "samples repeat, or go back in time: each is counted", s->cells[0].pos, DIAG_WARNING);
	s->item->last_time = s->time;
	if (!isnan(s->time) && !(run->first <= begin))
		run->first = begin;
	if (!isnan(s->time) && !(run->end >= s->time))
		run->end = s->time;
	if (!isnan(s->interval) && !(run->interval <= s->interval))
		run->interval = s->interval;
}

static void count_disk(struct sysstat *s)
{
	struct sysstat_item *item = s->item;
	bool any = false, again = item->stamp == s->stamp;
	if (again && !s->goes_on) { /* at one time twice */
		sum_disks(s);
		s->stamp++;
		again = false;
	}
	if (!again)
		item->now[0] = item->now[1] = 0;
	for (size_t i = 0; i < s->n_cells; i++) {
		enum sysstat_quantity_id id = s->cells[i].column->quantity;
		if (id == SYSSTAT_READ || id == SYSSTAT_WRITE) {
			item->now[id == SYSSTAT_WRITE] = s->cells[i].q.value;
			any = true;
		}
	}
	if (!any || again)
		return;
	item->stamp = s->stamp;
	s->disks[s->n_disks++] = item;
	s->disk_pos = s->cells[0].pos;
}

static bool find_row_item(struct sysstat *s)
{
	bool needs_name = s->activity < SYSSTAT_MEMORY;
	s->item = needs_name && !s->name.n ? NULL : find_item(s, s->activity, s->name);
	if (!s->item && needs_name && !s->name.n)
		sysstat_say(s, DIAG_WARNING, s->cells[0].pos, "nothing tells what this %s row is of: it is left out",
			sysstat_activity_name(s->activity));
	else if (!s->item)
		sysstat_say_once(s, "has more devices than can be kept apart: the rest of them is left out", s->cells[0].pos,
			DIAG_WARNING);
	return s->item != NULL;
}

void sysstat_row_end(struct sysstat *s)
{
	size_t n = 0;
	const struct cell *use = NULL;
	for (size_t i = 0; i < s->n_cells; i++)
		if (read_number(s, &s->cells[i]))
			s->cells[n++] = s->cells[i];
	s->n_cells = n;
	if (n == 0 || s->closed || !find_row_item(s))
		return;
	for (size_t i = 0; i < n; i++)
		if (s->cells[i].column->quantity == SYSSTAT_IFUTIL)
			use = &s->cells[i];
	if (!s->average && !s->goes_on)
		count_stamp(s);
	if (!s->average && s->item->activity == SYSSTAT_DISK)
		count_disk(s);
	for (size_t i = 0; i < n; i++) {
		const struct cell *c = &s->cells[i];
		if (c == use || beyond_line_rate(s, c, use))
			continue;
		if (s->average)
			take_average(s, c);
		else
			take_sample(s, c);
	}
}

enum status sysstat_finish(struct sysstat *s)
{
	give(s);
	if (s->given)
		return s->status;
	sysstat_say(s, DIAG_ERROR, (struct pos){ 0 }, "holds no samples of CPU, memory, disks or network");
	return STATUS_REJECT;
}
