#include "report/document.h"

static void write_run(struct document *d, const struct run *r)
{
	const char *started = show_time(d->arena, r->started);
	elem(d, "run");
	attr_id(d, "id", "r", run_id(d, r));
	attr_slice(d, "tool", r->tool);
	if (r->version.n)
		attr_slice(d, "version", r->version);
	attr_id(d, "subject", "s", subject_id(d, r->subject));
	if (run_id(d, r->suite))
		attr_id(d, "suite", "r", run_id(d, r->suite));
	if (r->source)
		attr_id(d, "input", "i", evidence_id(d, r->source));
	if (started)
		attr(d, "started", started);
	if (r->damaged)
		attr(d, "damaged", "yes");
	attr_number(d, "jobs", (double)r->n_jobs);
	attr_number(d, "results", (double)r->n_results);
	attr_number(d, "series", (double)r->n_series);
	elem_text(d, "source", r->source ? r->source->name : "");
	if (r->set.n)
		elem_slice(d, "set", r->set);
	const struct param *published = params_find(r->attrs, "published_in");
	if (published)
		elem_slice(d, "published", published->value);
	elem_end(d);
}

/* A suite's run stands before those of its files. */
void write_runs(struct document *d)
{
	const struct dataset *data = d->report->data;
	elem(d, "runs");
	for (size_t i = 0; i < data->n_runs; i++) {
		const struct run *r = data->runs[i];
		if (r->suite)
			continue;
		write_run(d, r);
		for (size_t k = 0; k < r->n_members; k++)
			write_run(d, r->members[k]);
	}
	elem_end(d);
}

static const char *input_state(const struct input *in)
{
	static const char *const state[] = { [STATUS_OK] = "read",
		[STATUS_WARN] = "partly",
		[STATUS_REJECT] = "rejected",
		[STATUS_FATAL] = "not-read" };
	return !in ? "read" : !in->format ? "not-read" : state[in->status];
}

struct slice common_directory(const struct document *d)
{
	struct slice base = SLICE_NONE;
	for (size_t i = 0; i < d->report->data->n_inputs; i++) {
		struct slice path = slice_of(d->report->data->inputs[i].source->name);
		size_t n = 0, slash = 0;
		for (; n < path.n && (i == 0 || (n < base.n && base.p[n] == path.p[n])); n++)
			slash = path.p[n] == '/' ? n + 1 : slash;
		base = slice_head(path, slash);
	}
	return base;
}

void write_inputs(struct document *d)
{
	struct slice base = common_directory(d);
	elem(d, "inputs");
	if (base.n)
		attr_slice(d, "base", base);
	for (size_t i = 0; i < d->n_evidence; i++) {
		const struct input *in = d->evidence[i].input;
		elem(d, "input");
		attr_id(d, "id", "i", i + 1);
		if (in && in->format)
			attr(d, "format", in->format);
		if (in)
			attr_number(d, "size", (double)in->size);
		if (in && in->sha256[0])
			attr(d, "sha256", in->sha256);
		attr(d, "status", input_state(in));
		if (in && in->subject.n && subject_id(d, in->subject))
			attr_id(d, "subject", "s", subject_id(d, in->subject));
		elem_text(d, "path", d->evidence[i].source->name);
		if (in)
			elem_text(d, "bytes", show(d->arena, (double)in->size, UNIT_B, 4));
		elem_end(d);
	}
	elem_end(d);
}

void write_diagnostics(struct document *d)
{
	const struct diags *diags = &d->report->data->diags;
	elem(d, "diagnostics");
	attr_number(d, "errors", (double)diags->count[DIAG_ERROR]);
	attr_number(d, "warnings", (double)diags->count[DIAG_WARNING]);
	attr_number(d, "notes", (double)diags->count[DIAG_NOTE]);
	for (const struct diag *g = diags->first; g; g = g->next) {
		elem(d, "diagnostic");
		attr(d, "severity", severity_name(g->severity));
		attr_evidence(d, g->pos);
		if (g->pos.source)
			attr(d, "where",
				g->pos.line ? arena_printf(d->arena, "%s:%u:%u", g->pos.source->name, g->pos.line,
						      g->pos.column)
					    : g->pos.source->name);
		elem_text(d, "message", g->message);
		if (g->excerpt)
			elem_text(d, "excerpt", g->excerpt);
		elem_end(d);
	}
	elem_end(d);
}
