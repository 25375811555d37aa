#include "report/document.h"

#include "base/num.h"

static void find_evidence(struct document *d)
{
	const struct dataset *data = d->report->data;
	for (size_t i = 0; i < data->n_inputs; i++)
		*ARENA_PUSH(d->arena, d->evidence, d->n_evidence, d->evidence_cap) =
			(struct evidence){ data->inputs[i].source, &data->inputs[i] };
}

/* In the order in which they were given: of the runs, then of the verdicts' rows. */
static void find_subjects(struct document *d)
{
	const struct dataset *data = d->report->data;
	for (size_t i = 0; i < data->n_runs; i++)
		if (!subject_id(d, data->runs[i]->subject))
			*ARENA_PUSH(d->arena, d->subjects, d->n_subjects, d->subject_cap) = data->runs[i]->subject;
}

static struct slice subject_name(struct slice name)
{
	return name.n ? name : SLICE("unnamed subject");
}

/* What every run of a subject says alike of it. */
static bool stated_alike(const struct dataset *data, struct slice subject, const struct param *p)
{
	for (size_t i = 0; i < data->n_runs; i++) {
		const struct param *other = params_find_slice(data->runs[i]->attrs, p->key);
		if (slice_eq(data->runs[i]->subject, subject) && other && !slice_eq(other->value, p->value))
			return false;
	}
	return true;
}

/* Attributes that describe the machine, and how readers know them. The rest are facts of the run, for method checks. */
static const char *const describing[] = {
	"provider",
	"shape",
	"instance",
	"instance_id",
	"region",
	"os",
	"cpu",
	"cores",
	"ocpus",
	"memory",
	"network",
	"price",
	"compiler",
	"zone",
	"kernel",
	"filesystem",
	"mpi",
	"software",
	"note",
	"storage",
	"hostname",
	"host",
	"meta_provider",
	"meta_compute_service",
	"meta_instance_id",
	"meta_region",
	"meta_os",
	"meta_cpu",
	"meta_memory",
	"meta_drive_interface",
	"meta_drive_model",
	"meta_drive_type",
	"meta_storage_config",
	"meta_test",
	"fio_version",
	"hw_vendor",
	"hw_model",
	"hw_cpu_name",
	"hw_enabled",
	"hw_memory",
	"sw_os",
	"sw_compiler",
	"tester",
	"test_date",
};

static bool describes(struct slice key)
{
	for (size_t i = 0; i < sizeof describing / sizeof *describing; i++)
		if (slice_is(key, describing[i]))
			return true;
	return false;
}

/* A bare number of memory is of bytes. */
static struct slice attribute_text(struct document *d, const struct param *p)
{
	uint64_t bytes;
	if (slice_is(p->key, "memory") && !p->text.n && num_u64(p->value, &bytes) == NUM_OK)
		return slice_of(show(d->arena, (double)bytes, UNIT_B, 4));
	return p->text.n ? p->text : p->value;
}

static void write_attributes(struct document *d, struct slice subject)
{
	const struct dataset *data = d->report->data;
	struct slice *seen = NULL;
	size_t n = 0, cap = 0;
	for (size_t i = 0; i < data->n_runs; i++) {
		const struct run *r = data->runs[i];
		for (size_t k = 0; slice_eq(r->subject, subject) && k < r->attrs.n; k++) {
			const struct param *p = &r->attrs.v[k];
			bool known = !describes(p->key) || !p->value.n;
			for (size_t j = 0; j < n && !known; j++)
				known = slice_eq(seen[j], p->key);
			if (known || !stated_alike(data, subject, p))
				continue;
			*ARENA_PUSH(d->arena, seen, n, cap) = p->key;
			elem(d, "attribute");
			attr_slice(d, "key", slice_starts(p->key, "meta_") ? slice_from(p->key, 5) : p->key);
			attr_evidence(d, p->pos);
			text_slice(d, attribute_text(d, p));
			elem_end(d);
		}
	}
}

static void write_subjects(struct document *d)
{
	elem(d, "subjects");
	for (size_t i = 0; i < d->n_subjects; i++) {
		elem(d, "subject");
		attr_id(d, "id", "s", i + 1);
		attr_number(d, "n", (double)(i % CHART_SERIES + 1));
		elem_slice(d, "name", subject_name(d->subjects[i]));
		write_attributes(d, d->subjects[i]);
		elem_end(d);
	}
	elem_end(d);
}

static void write_title(struct document *d)
{
	struct buf b = BUF_EMPTY;
	if (d->report->title) {
		buf_str(&b, d->report->title);
	} else if (d->n_subjects == 0) {
		buf_str(&b, "Nothing was measured");
	} else if (d->n_subjects > 3) {
		buf_printf(&b, "%zu subjects side by side", d->n_subjects);
	} else {
		for (size_t i = 0; i < d->n_subjects; i++) {
			buf_str(&b, !i ? "" : i + 1 < d->n_subjects ? ", " : " and ");
			buf_slice(&b, d->subjects[i].n ? d->subjects[i] : SLICE("Benchmark results"));
		}
	}
	elem_slice(d, "title", buf_view(&b));
	buf_free(&b);
}

/* Without limits there is no verdict: how much was read. */
static void write_extent(struct document *d)
{
	const struct dataset *data = d->report->data;
	size_t figures = 0, damaged = 0;
	for (size_t i = 0; i < data->n_runs; i++)
		figures += data->runs[i]->n_results;
	for (size_t i = 0; i < data->n_inputs; i++)
		damaged += data->inputs[i].status != STATUS_OK && data->inputs[i].format;
	const char *plural = d->n_subjects == 1 ? "" : "s",
		   *s = arena_printf(d->arena, "%s figures of %zu subject%s from %zu input%s",
			   text_grouped(d->arena, arena_printf(d->arena, "%zu", figures)), d->n_subjects, plural,
			   data->n_inputs, data->n_inputs == 1 ? "" : "s");
	elem_text(d, "answer",
		damaged ? arena_printf(d->arena, "%s, %zu of them read only in part.", s, damaged)
			: arena_printf(d->arena, "%s.", s));
}

/* Of the limits that concern a subject of the input. */
static const char *limits_answer(struct document *d)
{
	const struct audit *a = d->report->audit;
	size_t n = 0, pass = 0, fail = 0;
	for (size_t i = 0; a && i < a->n; i++) {
		const struct sla_verdict *v = &a->verdicts[i];
		if (!subject_id(d, v->subject) || (v->verdict == VERDICT_NO_DATA && !v->subject.n))
			continue;
		n++;
		pass += v->verdict == VERDICT_PASS;
		fail += v->verdict == VERDICT_FAIL;
	}
	size_t open = n - pass - fail;
	const char *answer;
	if (n == 0)
		answer = "Nothing in the input concerns a limit of the tables.";
	else if (n == 1)
		answer = pass   ? "The limit is met."
			 : fail ? "The limit is not met."
				: "Whether the limit is met was not shown.";
	else if (pass == n)
		answer = arena_printf(d->arena, "All %zu limits are met.", n);
	else if (fail == n)
		answer = arena_printf(d->arena, "None of the %zu limits is met.", n);
	else if (open == n)
		answer =
			arena_printf(d->arena, "None of the %zu limits was shown to be met, and none to be missed.", n);
	else
		answer = arena_printf(d->arena, "Of %zu limits, %zu met, %zu not met, %zu not shown either way.", n,
			pass, fail, open);
	return answer;
}

static const char *evaluation_answer(struct document *d)
{
	const struct evaluation *e = d->report->evaluation;
	size_t pass = e->count[VERDICT_PASS], fail = e->count[VERDICT_FAIL], open = e->n - pass - fail;
	if (pass == e->n)
		return arena_printf(d->arena, "Passed: all %zu evaluation metrics hold.", e->n);
	return arena_printf(d->arena, "%s: of %zu evaluation metrics %zu hold, %zu %s, %zu %s open.", fail ? "Failed" : "Open",
		e->n, pass, fail, fail == 1 ? "does not" : "do not", open, open == 1 ? "is" : "are");
}

static void write_answer(struct document *d)
{
	const struct report *r = d->report;
	if (!r->audit && !r->evaluation)
		write_extent(d);
	else
		elem_text(d, "answer", arena_printf(d->arena, "%s%s%s", r->evaluation ? evaluation_answer(d) : "",
			r->evaluation && r->audit ? " " : "", r->audit ? limits_answer(d) : ""));
}

static void write_subject_suite(struct document *d, struct slice subject)
{
	write_suites(d, subject);
	write_over_time(d, subject);
}

static void write_subject_suites(struct document *d)
{
	for (size_t i = 0; i < d->n_subjects; i++)
		write_subject_suite(d, d->subjects[i]);
}

static void write_subject_results(struct document *d)
{
	for (size_t i = 0; i < d->n_subjects; i++)
		write_results(d, d->subjects[i]);
}

static void write_compared(struct document *d)
{
	if (d->n_subjects > 1)
		write_comparison(d);
}

/* By the names that a study calls them, in the order of the page where none is told. */
static const struct {
	const char *name;
	void (*write)(struct document *d);
} sections[] = {
	{ "configuration", write_configuration },
	{ "cost", write_costs },
	{ "comparison", write_compared },
	{ "spec", write_spec },
	{ "components", write_components },
	{ "trend", write_trends },
	{ "suites", write_subject_suites },
	{ "results", write_subject_results },
};
enum { SECTIONS = sizeof sections / sizeof *sections };

static void write_chosen(struct document *d, const struct study *s)
{
	for (size_t i = 0; i < s->n_sections; i++)
		for (size_t k = 0; k < SECTIONS; k++)
			if (slice_is(s->sections[i], sections[k].name))
				sections[k].write(d);
}

static void write_all(struct document *d)
{
	for (size_t k = 0; k < SECTIONS && sections[k].write != write_subject_suites; k++)
		sections[k].write(d);
	for (size_t i = 0; i < d->n_subjects; i++) {
		write_subject_suite(d, d->subjects[i]);
		write_results(d, d->subjects[i]);
	}
}

static void write_body(struct document *d)
{
	write_title(d);
	write_answer(d);
	write_subjects(d);
	if (d->report->evaluation)
		write_evaluation(d);
	if (d->report->audit) {
		write_verdicts(d);
		write_doubts(d);
	}
	if (d->report->study && d->report->study->n_sections)
		write_chosen(d, d->report->study);
	else
		write_all(d);
	write_runs(d);
	/* Diagnostics may name further files: their ids first. */
	for (const struct diag *g = d->report->data->diags.first; g; g = g->next)
		evidence_id(d, g->pos.source);
	write_inputs(d);
	write_diagnostics(d);
	if (d->report->command)
		elem_text(d, "command", d->report->command);
}

bool document_write(
	struct document *d, const struct report *r, struct arena *arena, struct buf *out, struct diags *diags)
{
	*d = (struct document){ .report = r, .arena = arena };
	xmlBufferPtr bytes = xmlBufferCreate();
	d->w = bytes ? xmlNewTextWriterMemory(bytes, 0) : NULL;
	if (!d->w) {
		xmlBufferFree(bytes);
		diag_add(diags, DIAG_ERROR, POS_NONE, "no report: out of memory");
		return false;
	}
	xmlTextWriterSetIndent(d->w, 1);
	xmlTextWriterStartDocument(d->w, NULL, "UTF-8", NULL);
	find_evidence(d);
	find_subjects(d);
	elem(d, "report");
	attr(d, "xmlns", REPORT_NS);
	attr(d, "generator", "assay " ASSAY_VERSION);
	write_body(d);
	elem_end(d);
	bool ok = xmlTextWriterEndDocument(d->w) >= 0 && !d->failed;
	xmlFreeTextWriter(d->w);
	d->w = NULL;
	if (ok)
		buf_put(out, xmlBufferContent(bytes), (size_t)xmlBufferLength(bytes));
	else
		diag_add(diags, DIAG_ERROR, POS_NONE, "no report: the XML writer failed");
	xmlBufferFree(bytes);
	return ok;
}

enum status report_xml(const struct report *r, struct buf *out, struct diags *diags)
{
	struct arena arena = ARENA_EMPTY;
	struct document d;
	bool ok = document_write(&d, r, &arena, out, diags);
	arena_free(&arena);
	return ok ? STATUS_OK : STATUS_FATAL;
}
