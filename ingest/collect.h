/* collect: the sink that builds the model: one source's parse becomes runs of a dataset. */
#ifndef INGEST_COLLECT_H
#define INGEST_COLLECT_H

#include "model/study.h"
#include "parsers/parser.h"

struct collect {
	struct dataset *dataset;
	struct source *source;
	struct slice subject;
	struct params set; /* attributes of every run, before those that the input states: the first of a key counts */
	bool typed;        /* as the parser says: `set` has no attributes of `subject` then */
	const struct study *study; /* whose attributes a run gets that names its subject itself; or NULL */
	struct run *run;   /* the run that is being filled; NULL before the first */
	size_t errors;     /* diagnostics of severity error that came in */
	size_t warnings;
};

extern const struct sink collect_sink;

#endif
