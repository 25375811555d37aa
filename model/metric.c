#include "model/metric.h"

#define METRIC_ROW(id, name, unit, better, title) [METRIC_##id] = { name, unit, better, title },
static const struct metric metrics[METRICS] = { METRIC_TABLE(METRIC_ROW) };
#undef METRIC_ROW

const struct metric *metric_get(enum metric_id id)
{
	return &metrics[id];
}

enum metric_id metric_find(struct slice name)
{
	for (int i = 0; i < METRICS; i++)
		if (slice_is(name, metrics[i].name))
			return (enum metric_id)i;
	return METRICS;
}
