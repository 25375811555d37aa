/* network.csv: what CloudHarmony's save.sh makes of its network tests, one row each. */
#include "parsers/cloudharmony_net.h"
#include "parsers/csv_table.h"

static int probe(const struct peek *peek)
{
	static const char *const own[] = { "metric_fastest", "metric_rstdev", "metric_sum_squares", "metric_timed", "metrics",
		"test_endpoint", "throughput_threads", "throughput_transfer" };
	struct slice rest = peek->head, head, column;
	int bits = 0;
	bool endpoint = false, metric = false;
	if (!slice_cut(&rest, '\n', &head))
		return 0;
	for (rest = slice_trim(head); slice_cut(&rest, ',', &column);) {
		endpoint |= slice_is(column, "test_endpoint");
		metric |= slice_is(column, "metric");
		for (size_t i = 0; i < sizeof own / sizeof *own; i++)
			bits += slice_is(column, own[i]) ? 8 * (int)column.n : 0;
	}
	return endpoint && metric ? bits : 0;
}

static void take_row(struct csv_table *t, const struct csv_row *row)
{
	struct cloudharmony_net *net = t->ctx;
	struct net_test *test = cloudharmony_net_test(net, row->cells[0].at);
	for (size_t i = 0; test && i < row->n && i < t->columns; i++)
		cloudharmony_net_field(net, test, t->head[i], row->cells[i].text, row->cells[i].at);
}

static enum status parse(struct parse *p)
{
	struct cloudharmony_net net = { .parse = p, .own_run = true };
	struct csv_table t = { .parse = p, .row = take_row, .ctx = &net, .max_rows = NET_TESTS };
	enum status status = csv_table_read(&t);
	cloudharmony_net_emit(&net);
	return status == STATUS_OK ? net.status : status;
}

const struct parser parser_cloudharmony_net_csv = {
	.name = "cloudharmony-net-csv",
	.title = "CloudHarmony network CSV",
	.tool = "cloudharmony",
	.probe = probe,
	.parse = parse,
};
