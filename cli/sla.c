/* What audit and report share: reading SLA files and inputs, and judging. */
#include "cli/cli.h"

#include "ingest/sla_file.h"
#include "model/subject.h"

int judge_inputs(struct options *o, struct load *l, struct audit *audit)
{
	struct dataset *d = l->dataset;
	int status = open_study(o);
	if (status >= 0)
		return status;
	struct sla **tables = ARENA_ARRAY(d->arena, o->n_sla + 1, struct sla *);
	for (size_t i = 0; i < o->n_sla; i++) {
		tables[i] = sla_file_read(d->arena, o->sla[i], &d->diags);
		if (tables[i] && o->level > 0)
			tables[i]->level = o->level;
	}
	for (size_t i = 0; i < o->n_sla; i++)
		if (!tables[i]) {
			print_diags(o, &d->diags);
			return EXIT_USAGE;
		}
	if (!load_all(o, l, NULL, NULL))
		return EXIT_USAGE;
	subject_check(d);
	*audit = sla_audit(d, tables, o->n_sla);
	return -1;
}

int exit_for(const struct options *o, const struct load *l, const struct audit *audit, const struct evaluation *e)
{
	int of_limits = audit ? audit_exit(audit) : EXIT_ALL_PASS, of_study = e ? evaluation_exit(e) : EXIT_ALL_PASS;
	int status = of_limits == EXIT_SOME_FAIL || of_study == EXIT_SOME_FAIL ? EXIT_SOME_FAIL :
		of_limits ? of_limits : of_study;
	bool damaged = l->damaged || (o->strict && l->dataset->diags.count[DIAG_WARNING]);
	return damaged && status != EXIT_SOME_FAIL ? EXIT_DAMAGED : status;
}
