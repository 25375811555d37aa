/* What commands share of a study. */
#include "cli/cli.h"

#include "ingest/study.h"

#include <math.h>

int open_study(struct options *o)
{
	struct diags diags;
	struct study_path *paths = NULL;
	size_t n = 0;
	if (!o->study_file)
		return -1;
	diags_init(&diags, &o->arena);
	o->n_sla_given = o->n_sla;
	struct study *s = study_read(&o->arena, o->study_file, &diags);
	bool good = s && (o->n_given || study_paths(&o->arena, s, &diags, &paths, &n));
	print_diags(o, &diags);
	if (!good)
		return EXIT_USAGE;
	o->study = s;
	for (size_t i = 0; i < s->n_sla; i++)
		*ARENA_PUSH(&o->arena, o->sla, o->n_sla, o->sla_cap) = s->sla[i];
	for (size_t i = 0; i < n; i++)
		*ARENA_PUSH(&o->arena, o->paths, o->n_paths, o->path_cap) = (struct path_arg){ .path = paths[i].path,
			.subject = paths[i].subject ? paths[i].subject->name : SLICE_NONE };
	return -1;
}

const struct evaluation *evaluate_inputs(struct options *o, struct load *l)
{
	static const struct quantity untold = { .missing = true };
	struct study *s = ARENA_NEW(&o->arena, struct study);
	bool judged = (o->study && o->study->evaluation.wanted) || (!o->study && !isnan(o->tolerance));
	if (!judged)
		return NULL;
	if (o->study)
		*s = *o->study;
	else
		*s = (struct study){ .evaluation = { .wanted = true, .implied = true, .tolerance = untold, .longest_gap = untold } };
	if (!isnan(o->tolerance))
		s->evaluation.tolerance = (struct quantity){ .value = 100 * o->tolerance, .unit = UNIT_PERCENT };
	struct evaluation *e = ARENA_NEW(&o->arena, struct evaluation);
	*e = evaluate(&o->arena, l->dataset, s);
	return e;
}
