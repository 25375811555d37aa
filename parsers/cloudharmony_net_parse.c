/* What CloudHarmony's parse.sh prints of its network tests: key=value, each key followed by the test's number where there
 * are several. */
#include "parsers/cloudharmony_net.h"

/* "test=latency", "test2=rtt": the number's digits in *number. */
static bool begins_test(struct slice key, struct slice value, struct slice *number)
{
	if (!slice_starts(key, "test") || !cloudharmony_net_is_test(value))
		return false;
	*number = slice_from(key, 4);
	for (size_t i = 0; i < number->n; i++)
		if (number->p[i] < '0' || number->p[i] > '9')
			return false;
	return true;
}

static bool pair(struct slice line, struct slice *key, struct slice *value)
{
	size_t at = slice_find_char(line, '=');
	*key = slice_head(line, at);
	*value = at == (size_t)-1 ? SLICE_NONE : slice_from(line, at + 1);
	return at != (size_t)-1;
}

static int probe(const struct peek *peek)
{
	static const char *const own[] = { "\ntest_endpoint", "\ntest_started", "\nmetric_fastest", "\nmetric_rstdev",
		"\nstatus" };
	struct slice rest = peek->head, line, key, value, number;
	int bits = 0;
	if (!slice_cut(&rest, '\n', &line) || !pair(slice_trim(line), &key, &value) || !begins_test(key, value, &number))
		return 0;
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		bits += slice_find(peek->head, slice_of(own[i])) != (size_t)-1 ? 8 * (int)strlen(own[i]) : 0;
	return bits;
}

static enum status parse(struct parse *p)
{
	struct cloudharmony_net net = { .parse = p, .own_run = true };
	struct lines lines = lines_of(p->source);
	struct slice line, key, value, number = SLICE(""), found;
	struct net_test *test = NULL;
	while (lines_next(&lines, &line)) {
		if (!pair(line, &key, &value))
			continue;
		if (lines.unended) {
			parse_diag(p, DIAG_ERROR, line.p, "the data end inside this line: it is not used");
			net.status = STATUS_WARN;
			break;
		}
		if (begins_test(key, value, &found)) {
			test = cloudharmony_net_test(&net, line.p);
			number = found;
		}
		if (test && slice_ends(key, arena_string(p->arena, number)))
			cloudharmony_net_field(&net, test, slice_head(key, key.n - number.n), value, value.p);
	}
	cloudharmony_net_emit(&net);
	return net.n ? net.status : STATUS_REJECT;
}

const struct parser parser_cloudharmony_net_parse = {
	.name = "cloudharmony-net-parse",
	.title = "CloudHarmony network parse output",
	.tool = "cloudharmony",
	.probe = probe,
	.parse = parse,
};
