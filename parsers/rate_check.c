/* Printed rates against what they are computed from. */
#include "parsers/rate_check.h"

#include "base/num.h"

#include <math.h>

struct result *rules_derive(struct rules *r, enum metric_id metric, const char *stat, double value, struct pos at)
{
	struct quantity q = { .value = value, .unit = metric_get(metric)->unit, .pos = at };
	struct result *k = rules_result(r, metric, stat, &q);
	k->flags |= RESULT_DERIVED;
	return k;
}

/* A number in the unit that this one is printed in. */
static const char *in_its_unit(struct arena *a, const struct quantity *q, double value)
{
	char shown[48];
	size_t span = num_span(q->text);
	double printed;
	if (span && num_double(slice_head(q->text, span), &printed) == NUM_OK && printed != 0 && q->value != 0) {
		struct slice unit = slice_from(q->text, span);
		return arena_printf(a, "%.6g%.*s%s", value / (q->value / printed), SLICE_ARG(unit), q->suffix ? q->suffix : "");
	}
	quantity_show(shown, sizeof shown, value, q->unit, 5);
	return arena_printf(a, "%s", shown);
}

bool rules_agree(struct rules *r, struct result *printed, double computed, double slack, const char *how)
{
	double allowed = 2 * printed->q.half_digit + slack + 1e-9 * fabs(computed);
	if (fabs(printed->q.value - computed) <= allowed)
		return true;
	printed->flags |= RESULT_SUSPECT;
	rules_diag(r, DIAG_WARNING, printed->q.pos, "%.*s%s is printed, but %s is %s", SLICE_ARG(printed->q.text),
		printed->q.suffix ? printed->q.suffix : "", how, in_its_unit(r->parse->arena, &printed->q, computed));
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
