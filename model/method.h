/* method: how a measurement was made, as far as its source shows it, held against what an SLA asks. */
#ifndef MODEL_METHOD_H
#define MODEL_METHOD_H

#include "model/sla.h"

/* Fills conditions, n_conditions, n_required and n_held of a judgement whose sla, run and series (or result) are set.
 * Steady state is not among them: it decides between verdicts, not whether there can be one.
 *
 * Required are: what the table's `require` names; and always that no job failed, that the input is complete, that the
 * figures of its jobs agree with each other, that each job ran for as long as it was told, and that every target was
 * measured; and of fio that no signal ended it and that it did no I/O that its pattern rules out. The rest of what an
 * auditor asks (purge, preconditioning, range, rate limits, compressible data …) is listed as remarks. */
void method_check(struct arena *a, struct judgement *j);

/* What an auditor remarks on a run of fio, whatever it is judged by: a diagnostic for each rule that concerns a job
 * of it. What makes a figure count for nothing or says that it was made otherwise than told is a warning, the rest
 * are notes. The same rules give conditions of a judgement. To be called while the run's source still has its bytes. */
void method_remarks(struct diags *diags, const struct run *run);

/* The jobs behind a judgement's figure: each round's, or the one job. */
size_t method_jobs(const struct judgement *j, const struct job **jobs, size_t max);

/* Whether `found` stands in relation op to `wanted`: as text (glob) for OP_EQ, else as numbers; sizes and times read as
 * people write them ("4k" equals "4096"). */
bool method_compare(struct slice found, enum quantity_op op, struct slice wanted);

#endif
