/* subject: whether the runs of one subject describe the same thing. */
#ifndef MODEL_SUBJECT_H
#define MODEL_SUBJECT_H

#include "model/run.h"

/* A warning for each attribute of a subject (provider, region, os, cpu, memory, instance_id) that its runs do not agree
 * on, with both values and their places; runs that do not say agree with all. Runs without a subject are left out. */
void subject_check(struct dataset *d);

#endif
