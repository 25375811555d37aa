#include "loadgen/measure.h"

#include "model/unit.h"

#include <math.h>

static void add_tally(struct tally *to, const struct tally *from)
{
	to->ios += from->ios;
	to->bytes += from->bytes;
	to->errors += from->errors;
	to->corrupt += from->corrupt;
	hist_merge(&to->latency, &from->latency);
}

void sum_add(struct sum *s, const struct interval *v)
{
	for (size_t op = 0; op < LOAD_OPS; op++)
		add_tally(&s->op[op], &v->op[op]);
	s->seconds += v->seconds;
	s->cpu_user += v->cpu_user;
	s->cpu_system += v->cpu_system;
}

void sum_beside(struct sum *s, const struct sum *other)
{
	for (size_t op = 0; op < LOAD_OPS; op++)
		add_tally(&s->op[op], &other->op[op]);
	s->seconds = fmax(s->seconds, other->seconds);
	s->cpu_user += other->cpu_user;
	s->cpu_system += other->cpu_system;
}

void sum_latency(struct hist *into, const struct sum *s)
{
	for (size_t op = 0; op < LOAD_OPS; op++)
		hist_merge(into, &s->op[op].latency);
}

struct figures sum_figures(const struct sum *s)
{
	struct hist latency = { 0 };
	double ios = 0, bytes = 0;
	sum_latency(&latency, s);
	for (size_t op = 0; op < LOAD_OPS; op++) {
		ios += (double)s->op[op].ios;
		bytes += (double)s->op[op].bytes;
	}
	bool any = s->seconds > 0;
	return (struct figures){ .iops = any ? ios / s->seconds : NAN, .bandwidth = any ? bytes / s->seconds : NAN,
		.mean = hist_mean(&latency) / 1e9, .p99 = hist_percentile(&latency, 99) / 1e9 };
}

double figures_of(const struct figures *f, enum steady_metric metric)
{
	return metric == STEADY_IOPS ? f->iops : metric == STEADY_BANDWIDTH ? f->bandwidth : f->mean;
}

const char *metric_name(enum steady_metric metric)
{
	static const char *const names[] = {
		[STEADY_IOPS] = "iops", [STEADY_BANDWIDTH] = "bandwidth", [STEADY_LATENCY] = "latency",
	};
	return names[metric];
}
