/* assay report: the published document. */
#include "cli/cli.h"

#include "report/report.h"

#include <math.h>

struct report_format {
	const char *name;
	enum status (*write)(const struct report *r, struct buf *out, struct diags *diags);
};

static const struct report_format formats[] = {
	{ "html", report_html },
	{ "xml", report_xml },
};

/* From --format, else from the ending of OUT. */
static const struct report_format *choose_format(const struct options *o)
{
	struct slice name = slice_of(o->format ? o->format : o->output);
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
		struct slice f = slice_of(formats[i].name);
		bool ends = name.n > f.n && name.p[name.n - f.n - 1] == '.' && slice_ends(name, formats[i].name);
		if (o->format ? slice_eq(name, f) : ends)
			return &formats[i];
	}
	return NULL;
}

/* A word of the command line, quoted for a shell where it needs it. */
static void shell_word(struct buf *b, const char *word)
{
	bool plain = *word != '\0';
	for (const char *p = word; *p; p++)
		plain &= (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9') || strchr("-_./=,:@%+", *p);
	if (plain) {
		buf_str(b, word);
		return;
	}
	buf_char(b, '\'');
	for (const char *p = word; *p; p++)
		if (*p == '\'')
			buf_str(b, "'\\''");
		else
			buf_char(b, *p);
	buf_char(b, '\'');
}

static void option_word(struct buf *b, const char *name, const char *value)
{
	if (!value)
		return;
	buf_printf(b, " %s ", name);
	shell_word(b, value);
}

/* The command that makes this report again. Where it goes and how much is said on the way are no part of it, so that the
 * same input gives the same bytes. */
static const char *command_line(struct options *o, const struct report_format *format)
{
	struct buf b = BUF_EMPTY;
	buf_str(&b, "assay report");
	option_word(&b, "--study", o->study_file);
	for (size_t i = 0; i < (o->study ? o->n_sla_given : o->n_sla); i++)
		option_word(&b, "--sla", o->sla[i]);
	if (!isnan(o->tolerance))
		buf_printf(&b, " --tolerance %g%%", 100 * o->tolerance);
	if (o->level > 0)
		buf_printf(&b, " --level %g", 100 * o->level);
	option_word(&b, "--as", o->as);
	option_word(&b, "--title", o->title);
	if (o->no_charts)
		buf_str(&b, " --no-charts");
	for (size_t i = 0; i < o->n_set; i++)
		option_word(&b, "--set", arena_printf(&o->arena, "%.*s=%.*s", SLICE_ARG(o->set[i].key), SLICE_ARG(o->set[i].value)));
	for (size_t i = 0; i < o->n_given; i++) {
		struct slice subject = o->paths[i].subject;
		buf_char(&b, ' ');
		shell_word(&b, subject.n ? arena_printf(&o->arena, "%.*s=%s", SLICE_ARG(subject), o->paths[i].path) : o->paths[i].path);
	}
	buf_printf(&b, " -o report.%s", format->name);
	const char *text = arena_string(&o->arena, buf_view(&b));
	buf_free(&b);
	return text;
}

/* What the command line says goes before what the study says. */
static const char *title_of(struct options *o)
{
	struct slice own = o->study ? o->study->title.n ? o->study->title : o->study->name : SLICE("");
	return o->title ? o->title : own.n ? arena_string(&o->arena, own) : NULL;
}

static double tolerance_of(const struct options *o)
{
	if (!isnan(o->tolerance))
		return o->tolerance;
	return o->study && !o->study->evaluation.tolerance.missing ? o->study->evaluation.tolerance.value / 100 : 0;
}

static int write_report(struct options *o, const struct report_format *format, struct report *r, struct buf *out)
{
	enum status made = format->write(r, out, &r->data->diags);
	if (made >= STATUS_REJECT)
		return EXIT_UNFINISHED;
	if (o->validate) {
		struct buf xml = BUF_EMPTY;
		enum status valid = report_xml(r, &xml, &r->data->diags);
		valid = valid < STATUS_REJECT ? report_validate(buf_view(&xml), &r->data->diags) : valid;
		buf_free(&xml);
		if (valid != STATUS_OK)
			return EXIT_UNFINISHED;
	}
	int status = write_output(o, out);
	/* A page that lacks the charts it was asked for is there, but not finished. */
	return status == EXIT_ALL_PASS && made == STATUS_WARN ? EXIT_UNFINISHED : status;
}

static int run(struct options *o)
{
	struct arena arena = ARENA_EMPTY;
	struct dataset d;
	struct audit audit = { 0 };
	struct load load = { .dataset = &d, .sha256 = true };
	struct buf out = BUF_EMPTY;
	if (!o->output)
		return usage_error("say where the report goes: -o report.html (or .xml)");
	const struct report_format *format = choose_format(o);
	if (!format)
		return usage_error("-o %s: reports are written as html or xml; name the file so, or use --format", o->output);
	dataset_init(&d, &arena);
	int status = judge_inputs(o, &load, &audit);
	if (status < 0) {
		struct report r = { .data = &d, .audit = o->n_sla ? &audit : NULL, .study = o->study,
			.evaluation = evaluate_inputs(o, &load), .tolerance = tolerance_of(o), .title = title_of(o),
			.want_charts = !o->no_charts, .command = command_line(o, format) };
		status = write_report(o, format, &r, &out);
		print_diags(o, &d.diags);
		if (status == EXIT_ALL_PASS)
			status = exit_for(o, &load, r.audit, r.evaluation);
	}
	buf_free(&out);
	arena_free(&arena);
	return status;
}

const struct command command_report = {
	.name = "report",
	.summary = "write the report: verdicts, method, charts and evidence on one page",
	.usage = "[--study FILE] [--sla FILE] [--tolerance PERCENT] [--title TEXT] [--no-charts] [NAME=]PATH… -o OUT",
	.help =
		"One self-contained HTML page (or the XML document behind it): verdicts first, then what is in doubt, then the evidence.\n"
		"Several subjects stand side by side. The format follows OUT's ending, or --format html, xml.\n\n"
		"A study file (--study) says which inputs belong to which subject, what the subjects are and cost, and what is to\n"
		"be judged of repeated jobs and their server; without PATHs its inputs are read. --tolerance alone judges whether\n"
		"batch jobs came without a halt and without a deviation from the mean of IOR's and mdtest's figures. Exit status 1 with a\n"
		"FAIL, 3 where a verdict is open.\n\n"
		"examples:\n"
		"  assay report VM.DenseIO2.8=runs/d8 VM.DenseIO2.16=runs/d16 -o compare.html\n"
		"  assay report --sla templates/sla/oci-nvme.ini VM.DenseIO2.8=runs/d8 -o audit.html\n"
		"  assay report --study stress.ini -o stress.html",
	.accepts = ACCEPTS_FORMAT | ACCEPTS_OUTPUT | ACCEPTS_SLA | ACCEPTS_LEVEL | ACCEPTS_SUBJECT | ACCEPTS_TITLE |
		ACCEPTS_VALIDATE | ACCEPTS_TOLERANCE | ACCEPTS_STUDY,
	.run = run,
};
