/* Printed rates against what they are computed from. */
#include "parsers/rate_check.h"

#include <math.h>

struct result *rules_derive(struct rules *r, enum metric_id metric, const char *stat, double value, struct pos at)
{
	struct quantity q = { .value = value, .unit = metric_get(metric)->unit, .pos = at };
	struct result *k = rules_result(r, metric, stat, &q);
	k->flags |= RESULT_DERIVED;
	return k;
}

bool rules_agree(struct rules *r, struct result *printed, double computed, double slack, const char *how)
{
	double allowed = 2 * printed->q.half_digit + slack + 1e-9 * fabs(computed);
	if (fabs(printed->q.value - computed) <= allowed)
		return true;
	char shown[2][48];
	quantity_show(shown[0], sizeof shown[0], printed->q.value, printed->q.unit, 5);
	quantity_show(shown[1], sizeof shown[1], computed, printed->q.unit, 5);
	printed->flags |= RESULT_SUSPECT;
	rules_diag(r, DIAG_WARNING, printed->q.pos, "%s is printed, %s is %s", shown[0], how, shown[1]);
	return false;
}

void rules_recompute_rate(struct rules *r, bool give)
{
	struct result *io = rules_find(r, METRIC_IO, "value"), *time = rules_find(r, METRIC_RUNTIME, "value"),
		*rate = rules_find(r, METRIC_BANDWIDTH, "value");
	if (!io || !time || !rate || time->q.value <= 0)
		return;
	double computed = io->q.value / time->q.value;
	double slack = computed * time->q.half_digit / time->q.value + io->q.half_digit / time->q.value;
	rules_agree(r, rate, computed, slack, "bytes / seconds");
	if (give)
		rules_derive(r, METRIC_BANDWIDTH, "recomputed", computed, rate->q.pos);
}
