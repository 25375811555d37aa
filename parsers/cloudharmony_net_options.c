/* .options of CloudHarmony's network suite: what it was told, and in `results` all that it found, as PHP serialize()
 * writes it. */
#include "parsers/cloudharmony_key.h"
#include "parsers/cloudharmony_net.h"

static int probe(const struct peek *peek)
{
	static const char *const own[] = { "\"throughput_tolerance\";", "\"throughput_uri\";", "\"latency_interval\";",
		"\"dns_samples\";", "\"tcp_samples\";", "\"geo_regions\";a:" };
	int bits = 0;
	if (!slice_starts(slice_trim(peek->head), "a:") || slice_find(peek->head, SLICE("\"test_endpoint\";a:")) == (size_t)-1)
		return 0;
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (slice_find(peek->head, slice_of(own[i])) != (size_t)-1)
			bits += 8 * (int)strlen(own[i]);
	return bits ? bits + (slice_is(peek->name, ".options") ? 8 : 0) : 0;
}

static void read_result(struct cloudharmony_net *net, struct php *php)
{
	struct slice key, value;
	if (!php_enter(php))
		return;
	struct net_test *test = cloudharmony_net_test(net, php->p);
	while (php_member(php, &key))
		if (php_scalar(php, &value) && test)
			cloudharmony_net_field(net, test, key, value, value.p);
}

/* The options themselves, each as an attribute; lists of values, one level deep. */
static void read_option(struct cloudharmony_net *net, struct php *php, struct slice name)
{
	struct slice key, value;
	if (slice_is(name, "results") && php_enter(php)) {
		while (php_member(php, &key))
			read_result(net, php);
	} else if (php_type(php) == PHP_ARRAY && php_enter(php)) {
		while (php_member(php, &key))
			if (php_scalar(php, &value) && value.n)
				cloudharmony_attribute(net->parse, name, value, value.p);
	} else if (php_scalar(php, &value) && value.n) {
		net->trimmed |= slice_starts(name, "discard_") && !slice_is(value, "0");
		cloudharmony_attribute(net->parse, slice_is(name, "run_start") ? SLICE("started") : name, value, value.p);
	}
}

static enum status parse(struct parse *p)
{
	struct cloudharmony_net net = { .parse = p };
	struct php php = php_of(p->source->data);
	struct slice key;
	while (php.p < php.data.p + php.data.n && (*php.p == '\n' || *php.p == '\r' || *php.p == ' '))
		php.p++;
	if (!php_enter(&php))
		return STATUS_REJECT;
	parse_run(p, SLICE("cloudharmony"), SLICE(""));
	while (php_member(&php, &key))
		read_option(&net, &php, key);
	cloudharmony_net_emit(&net);
	return cloudharmony_php_flaws(p, &php) ? STATUS_WARN : net.status;
}

const struct parser parser_cloudharmony_net_options = {
	.name = "cloudharmony-net-options",
	.title = "CloudHarmony network .options",
	.tool = "cloudharmony",
	.probe = probe,
	.parse = parse,
};
