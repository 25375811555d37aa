/* The report document: from what a file holds to XML that conforms to the schema, whatever the texts are. The file's
 * last bytes also become texts that people give, and some of those that tools print. */
#include "ingest/load.h"
#include "model/subject.h"
#include "report/report.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { TEXT_MOST = 24 };

static char directory[] = "/tmp/assay-fuzz-XXXXXX";
static char path[64];
static const char name[] = "a&<b>\"'\x01\xff\xed\xa0\x80\xef\xbf\xbe.txt";

static void tidy(void)
{
	unlink(path);
	rmdir(directory);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc, (void)argv;
	if (!mkdtemp(directory) || atexit(tidy) != 0)
		abort();
	snprintf(path, sizeof path, "%s/%s", directory, name);
	return 0;
}

/* Adds a text to every third one. */
struct spoiler {
	struct arena *arena;
	struct slice text;
	size_t n;
};

static void spoil(struct spoiler *s, struct slice *to)
{
	if (s->n++ % 3 == 0)
		*to = slice_of(arena_printf(s->arena, "%.*s%.*s", SLICE_ARG(*to), SLICE_ARG(s->text)));
}

static void spoil_params(struct spoiler *s, struct params *p)
{
	struct param *v = ARENA_ARRAY(s->arena, p->n + 1, struct param);
	for (size_t i = 0; i < p->n; i++) {
		v[i] = p->v[i];
		spoil(s, &v[i].key);
		spoil(s, &v[i].value);
		spoil(s, &v[i].text);
	}
	p->v = v;
}

static void spoil_run(struct spoiler *s, struct run *r)
{
	spoil(s, &r->tool);
	spoil(s, &r->version);
	spoil(s, &r->subject);
	spoil(s, &r->set);
	spoil_params(s, &r->attrs);
	for (size_t i = 0; i < r->n_jobs; i++) {
		spoil(s, &r->jobs[i]->name);
		spoil_params(s, &r->jobs[i]->params);
		spoil_params(s, &r->jobs[i]->options);
		r->jobs[i]->keys = 0;
	}
	for (size_t i = 0; i < r->n_results; i++) {
		spoil(s, &r->results[i].stat);
		spoil(s, &r->results[i].test);
		spoil(s, &r->results[i].q.text);
		spoil_params(s, &r->results[i].params);
	}
	for (size_t i = 0; i < r->n_series; i++) {
		spoil(s, &r->series[i].test);
		spoil(s, &r->series[i].claim_text);
		spoil_params(s, &r->series[i].params);
	}
}

static struct study *study_of(struct dataset *d, struct source *source, struct slice text)
{
	struct arena *a = d->arena;
	struct study *s = ARENA_NEW(a, struct study);
	struct param attr = { .key = text, .value = text, .pos = { .source = source } };
	struct quantity none = { .missing = true }, some = { .value = 7, .unit = UNIT_USD_H, .text = text };
	struct study_interface interface = { .title = text, .line_rate = none };
	struct slice subject = d->n_runs ? d->runs[0]->subject : text;
	*s = (struct study){ .source = source, .name = text, .title = text, .description = text };
	*ARENA_PUSH(a, s->subjects, s->n_subjects, s->subject_cap) = (struct study_subject){ .price = some,
		.name = subject.n ? subject : text, .attrs = arena_alloc(a, sizeof attr), .n_attrs = 1,
		.interfaces = arena_alloc(a, sizeof interface), .n_interfaces = 1 };
	s->subjects[0].attrs[0] = attr;
	s->subjects[0].interfaces[0] = interface;
	*ARENA_PUSH(a, s->parts, s->n_parts, s->part_cap) = (struct study_part){ .name = text, .specification = text,
		.software = text, .bandwidth = none, .iops = none };
	s->evaluation = (struct study_evaluation){ .wanted = true, .longest_gap = none,
		.tolerance = { .value = 10, .unit = UNIT_PERCENT, .text = text } };
	*ARENA_PUSH(a, s->evaluation.planned, s->evaluation.n_planned, s->evaluation.planned_cap) =
		(struct study_planned){ .tool = text, .n = 3, .pos = { .source = source } };
	return s;
}

static struct audit audit_of(struct dataset *d, struct source *source, struct slice text)
{
	const char *error;
	struct sla *sla = ARENA_NEW(d->arena, struct sla);
	*sla = (struct sla){ .name = text, .source_text = text, .title = text, .source = source, .metric = METRIC_IOPS,
		.stat = SLICE("value"), .where = selector_parse(d->arena, SLICE(""), &error), .rule = &steady_snia, .level = 0.95,
		.rows = ARENA_ARRAY(d->arena, d->n_runs + 1, struct sla_row),
		.require = ARENA_ARRAY(d->arena, 2, struct sla_require), .n_require = 2 };
	sla->require[0] = (struct sla_require){ .text = text, .key = text, .op = OP_EQ, .value = text, .number = NAN };
	sla->require[1] = (struct sla_require){ .text = SLICE("bs=4096"), .key = SLICE("bs"), .op = OP_EQ,
		.value = SLICE("4096"), .number = 4096 };
	for (size_t i = 0; i <= d->n_runs && i < 3; i++)
		sla->rows[sla->n_rows++] = (struct sla_row){ .shape = i < d->n_runs ? d->runs[i]->subject : text, .op = OP_GE,
			.limit = { .value = 1000, .unit = UNIT_PER_S, .text = text, .pos = { .source = source } } };
	return sla_audit(d, &sla, 1);
}

static void check_document(const struct report *r, struct dataset *d)
{
	struct buf xml = BUF_EMPTY, text = BUF_EMPTY;
	struct diags wrong;
	diags_init(&wrong, d->arena);
	if (report_xml(r, &xml, &wrong) >= STATUS_REJECT || report_validate(buf_view(&xml), &wrong) != STATUS_OK) {
		for (const struct diag *g = wrong.first; g; g = g->next)
			diag_format(&text, g, false);
		fwrite(text.p, 1, text.n, stderr);
		abort();
	}
	buf_free(&xml);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena = ARENA_EMPTY;
	struct dataset d;
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || write(fd, data, size) != (ssize_t)size || close(fd) != 0)
		abort();
	dataset_init(&d, &arena);
	size_t n = size < TEXT_MOST ? size : TEXT_MOST;
	/* As from a command line: no zero byte. */
	struct slice text = slice_of(arena_string(&arena, (struct slice){ (const char *)data + size - n, n }));
	struct load l = { .dataset = &d };
	struct source source = source_of(arena_string(&arena, text), SLICE_NONE);
	load_path(&l, path, n % 2 ? text : SLICE(""));
	load_finish(&l);
	struct report r = { .data = &d };
	if (n > 0 && data[size - 1] % 4 != 0) {
		struct spoiler s = { .arena = &arena, .text = text, .n = data[size - 1] };
		for (size_t i = 0; i < d.n_runs; i++)
			spoil_run(&s, d.runs[i]);
		r.title = r.command = text.p;
		r.study = study_of(&d, &source, text);
	}
	subject_check(&d);
	struct audit audit = audit_of(&d, &source, text);
	struct evaluation e = { 0 };
	if (r.study)
		e = evaluate(&arena, &d, r.study);
	r.audit = &audit;
	r.evaluation = r.study ? &e : NULL;
	r.tolerance = r.study ? 0.1 : 0;
	check_document(&r, &d);
	arena_free(&arena);
	return 0;
}
