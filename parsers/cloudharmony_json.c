/* <test>.json: the flat summary of CloudHarmony's block-storage tests, {"iops_4k_0_100":799,…}. */
#include "base/json.h"
#include "parsers/cloudharmony_key.h"
#include "parsers/parser.h"

#include <math.h>

/* Far more than there are. */
enum { MAX_FIGURES = 10000 };

static int probe(const struct peek *peek)
{
	struct json j = json_of(peek->head);
	struct cloudharmony_key ignored;
	struct slice key;
	if (!slice_starts(slice_trim(peek->head), "{") || !json_document(&j) || !json_enter_object(&j)
		|| !json_member(&j, &key) || !cloudharmony_key_parse(key, &ignored))
		return 0;
	return 8 * (int)key.n;
}

static void emit(struct parse *p, struct json *j, struct slice name, const struct cloudharmony_key *key)
{
	enum json_type type = json_type(j);
	struct slice text;
	struct result r = { .metric = key->metric, .stat = slice_of(key->stat), .test = slice_of(key->test), .time = NAN };
	bool read = type == JSON_STRING ? json_string(j, &text) : json_number_text(j, &text);
	if (!read) {
		parse_diag(p, DIAG_WARNING, name.p, "'%.*s' has no number: no value is reported", SLICE_ARG(name));
		return;
	}
	struct param params[3];
	r.params = (struct params){ params, cloudharmony_key_params(key, parse_pos(p, name.p), params) };
	if (parse_quantity(p, text, metric_get(key->metric)->unit, key->factor, NULL, &r.q))
		p->sink->result(p->ctx, &r);
}

static enum status report_flaws(struct parse *p, const struct json *j)
{
	enum status status = STATUS_OK;
	for (int f = 0; f < JSON_FLAWS; f++) {
		if (!j->flaw_count[f])
			continue;
		parse_diag(p, f == JSON_TRUNCATED ? DIAG_ERROR : DIAG_WARNING, p->source->data.p + j->flaw_offset[f], "%s",
			json_flaw_text(f));
		status = STATUS_WARN;
	}
	return status;
}

static enum status parse(struct parse *p)
{
	struct json j = json_of(p->source->data);
	struct cloudharmony_key key;
	struct slice name;
	size_t figures = 0;
	while (figures < MAX_FIGURES && json_document(&j)) {
		if (!json_enter_object(&j))
			continue;
		while (figures < MAX_FIGURES && json_member(&j, &name)) {
			if (!cloudharmony_key_parse(name, &key))
				continue;
			if (figures++ == 0)
				parse_run(p, SLICE("cloudharmony"), SLICE(""));
			emit(p, &j, name, &key);
		}
	}
	if (figures == MAX_FIGURES) {
		parse_diag(p, DIAG_ERROR, name.p, "more than %d figures: the rest is not read", MAX_FIGURES - 1);
		return STATUS_WARN;
	}
	return figures ? report_flaws(p, &j) : STATUS_REJECT;
}

const struct parser parser_cloudharmony_json = {
	.name = "cloudharmony-json",
	.title = "CloudHarmony block-storage summary",
	.tool = "cloudharmony",
	.json = true,
	.probe = probe,
	.parse = parse,
};
