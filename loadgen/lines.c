#include "loadgen/lines.h"

#include "loadgen/host.h"

#include <math.h>
#include <sys/stat.h>

/* The first stage's: one rule holds for a whole profile. */
static const struct stage *judged_stage(const struct profile *p)
{
	for (size_t i = 0; i < p->n_stages; i++)
		if (p->stages[i].judge)
			return &p->stages[i];
	return NULL;
}

void lines_start(struct record *r, const struct profile *p, uint64_t seed, double interval)
{
	const struct stage *s = judged_stage(p);
	double least = 0, most = 0;
	for (size_t i = 0; i < p->n_stages; i++) {
		least += stage_least(&p->stages[i]);
		most += stage_most(&p->stages[i]);
	}
	record_text(r, "profile", p->name);
	record_text(r, "title", p->title);
	record_count(r, "seed", seed);
	record_number(r, "interval", interval);
	if (s) {
		record_object(r, "rule");
		record_text(r, "name", s->judge->name);
		record_count(r, "window", s->judge->window);
		record_number(r, "range", s->judge->range);
		record_number(r, "rise", s->judge->rise);
		record_close_one(r);
	}
	record_number(r, "expected", least);
	record_number(r, "longest", most);
	record_end(r);
}

static void put_device(struct record *r, struct arena *a, const struct target *t)
{
	struct stat st;
	if (fstat(t->fd, &st) != 0)
		return;
	struct device d = device_facts(a, t->block_device ? st.st_rdev : st.st_dev);
	if (!d.name)
		return;
	record_object(r, "device");
	record_text(r, "name", d.name);
	record_text(r, "model", d.model);
	record_text(r, "firmware", d.firmware);
	record_text(r, "scheduler", d.scheduler);
	if (d.rotational >= 0)
		record_flag(r, "rotational", d.rotational);
	record_number(r, "logical_block", d.logical_block ? (double)d.logical_block : NAN);
	record_number(r, "physical_block", d.physical_block ? (double)d.physical_block : NAN);
	record_text(r, "write_cache", d.write_cache);
	record_close_one(r);
}

void lines_target(struct record *r, struct arena *a, size_t number, const struct target *t)
{
	static const char *const engines[] = {
		[ENGINE_IO_URING] = "io_uring", [ENGINE_LIBAIO] = "libaio", [ENGINE_SYNC] = "sync",
	};
	record_begin(r, "target");
	record_count(r, "target", number);
	record_text(r, "path", t->path);
	record_text(r, "kind", t->block_device ? "block device" : "file");
	record_count(r, "size", t->size);
	record_array(r, "range");
	record_count(r, NULL, t->first);
	record_count(r, NULL, t->length);
	record_close_one(r);
	record_flag(r, "direct", t->direct);
	record_text(r, "engine", engines[t->engine]);
	record_text(r, "engine_note", t->engine_note);
	put_device(r, a, t);
	record_end(r);
}

void lines_phase(struct record *r, const char *phase, const char *stage, const char *what)
{
	record_begin(r, "phase");
	record_text(r, "phase", phase);
	record_text(r, "stage", stage);
	record_number(r, "t", load_now() - r->started);
	record_text(r, "what", what);
	record_end(r);
}

static const char *rw_name(const struct work *w)
{
	const char *names[2][3] = { { "read", "rw", "write" }, { "randread", "randrw", "randwrite" } };
	return names[w->random][w->read_percent == 100 ? 0 : w->read_percent > 0 ? 1 : 2];
}

void lines_test(struct record *r, const struct test *t)
{
	const struct work *w = t->work;
	record_begin(r, "test");
	record_count(r, "test", t->number);
	record_text(r, "phase", t->phase);
	record_text(r, "stage", t->stage->name);
	if (t->round)
		record_count(r, "round", t->round);
	record_text(r, "name", w->name);
	record_text(r, "time", t->time);
	record_number(r, "t", t->t);
	record_count(r, "bs", w->block);
	record_count(r, "read_percent", w->read_percent);
	record_text(r, "rw", rw_name(w));
	record_count(r, "iodepth", w->iodepth);
	record_count(r, "threads", w->threads);
	record_number(r, "rate", w->rate > 0 ? w->rate : NAN);
	record_number(r, "seconds", w->seconds > 0 ? w->seconds : NAN);
	record_number(r, "passes", w->passes > 0 ? w->passes : NAN);
	record_number(r, "ramp", w->ramp);
	record_flag(r, "verify", w->verify);
	record_flag(r, "random_map", w->random_map);
	if (w->n_zones)
		record_array(r, "zones");
	for (size_t i = 0; i < w->n_zones; i++) {
		record_array(r, NULL);
		record_number(r, NULL, w->zones[i].io_percent);
		record_number(r, NULL, w->zones[i].range_percent);
		record_close_one(r);
	}
	record_end(r);
}

static void put_tally(struct record *r, const char *key, const struct tally *t, double seconds, bool total)
{
	if (!t->ios && !t->errors)
		return;
	record_object(r, key);
	record_count(r, "ios", t->ios);
	record_count(r, "bytes", t->bytes);
	record_count(r, "errors", t->errors);
	record_count(r, "corrupt", t->corrupt);
	if (total) {
		record_number(r, "iops", (double)t->ios / seconds);
		record_number(r, "bandwidth", (double)t->bytes / seconds);
	}
	record_histogram(r, "latency_ns", &t->latency, total);
	record_close_one(r);
}

static void put_work(struct record *r, const struct tally *op, double seconds, double user, double system,
	bool total)
{
	record_number(r, "seconds", seconds);
	put_tally(r, "read", &op[LOAD_READ], seconds, total);
	put_tally(r, "write", &op[LOAD_WRITE], seconds, total);
	record_object(r, "cpu");
	record_number(r, "user", user);
	record_number(r, "system", system);
	record_close_one(r);
}

void lines_interval(struct record *r, const struct test *t, const struct interval *v)
{
	record_begin(r, "interval");
	record_count(r, "test", t->number);
	record_count(r, "target", v->target);
	record_number(r, "t", v->start);
	put_work(r, v->op, v->seconds, v->cpu_user, v->cpu_system, false);
	if (t->work->rate > 0)
		record_count(r, "backlog", v->backlog);
	record_end(r);
}

void lines_total(struct record *r, const struct test *t, size_t target, const struct sum *s, bool stopped)
{
	double ios = (double)(s->op[LOAD_READ].ios + s->op[LOAD_WRITE].ios);
	record_begin(r, "total");
	record_count(r, "test", t->number);
	if (target == SIZE_MAX)
		record_text(r, "target", "all");
	else
		record_count(r, "target", target);
	if (stopped)
		record_flag(r, "stopped", true);
	put_work(r, s->op, s->seconds, s->cpu_user, s->cpu_system, true);
	record_number(r, "cpu_per_io", (s->cpu_user + s->cpu_system) / ios);
	record_end(r);
}

void lines_steady(struct record *r, const char *stage, const char *cell, enum steady_metric metric, size_t round,
	const struct steady_window *w)
{
	record_begin(r, "steady");
	record_text(r, "stage", stage);
	record_text(r, "name", cell);
	record_text(r, "metric", metric_name(metric));
	record_text(r, "target", "all");
	record_count(r, "round", round);
	record_count(r, "first", w->first + 1);
	record_count(r, "last", w->first + w->n);
	record_number(r, "mean", w->mean);
	record_number(r, "data_excursion", w->data_excursion);
	record_number(r, "data_allowed", w->data_allowed);
	record_number(r, "slope_excursion", w->slope_excursion);
	record_number(r, "slope_allowed", w->slope_allowed);
	record_flag(r, "steady", w->steady);
	record_end(r);
}
