/* sla_figures: which figures of a run a table concerns. Used by sla.c and method*.c only. */
#ifndef MODEL_SLA_FIGURES_H
#define MODEL_SLA_FIGURES_H

#include "model/sla.h"

struct candidates {
	struct judgement *v; /* run, series or result, parts and name are set */
	size_t n, cap;
	const struct result *published; /* the first one that would be, had it been measured; or NULL */
};

/* Every measurement of one run that the table's metric and selector concern: its rounds, else its single figures,
 * those of equal jobs that ran side by side added up. */
struct candidates sla_candidates(struct arena *a, const struct sla *sla, const struct run *run);

/* Whether the table's selector holds of a series (rounds) or else of a result. */
bool sla_matches(struct arena *a, const struct sla *sla, const struct run *run, const struct series *s, const struct result *r);

/* Whether two param lists have the same value of a key, or neither has it. */
bool params_agree(struct params a, struct params b, const char *key);
/* Of a client's run: whether two jobs ran on the same server, as far as the output tells servers apart. */
bool same_host(const struct job *a, const struct job *b);

#endif
