/* steady: has a series of rounds or samples reached steady state, by whose rule, and where. */
#ifndef MODEL_STEADY_H
#define MODEL_STEADY_H

#include "model/run.h"

struct steady_rule {
	const char *name;      /* "SNIA PTS" */
	const char *source;    /* document and section */
	size_t window;         /* rounds */
	double range;          /* allowed max - min, as a share of the window's mean: 0.20 */
	double rise;           /* allowed |fitted-line rise over the window|, as a share of the mean: 0.10 */
	bool strict;           /* < instead of ≤ */
	int round_mean;        /* decimals the tool rounds to before it compares, -1: none */
	int round_slope, round_rise;
};

extern const struct steady_rule steady_snia;         /* SNIA SSS PTS 2.0.2: range ≤ 20 %, |slope|·4 ≤ 10 %, 5 rounds */
extern const struct steady_rule steady_cloudharmony; /* the same with the suite's rounding to 3 decimals and 0.1 */

/* What one window shows. Excursions are in the series' unit. */
struct steady_window {
	size_t first, n;              /* index of its first value, from 0; its length (less than the rule's: too short) */
	double mean;
	double min, max;
	double data_excursion, data_allowed;
	double slope, intercept;      /* per round, least squares; intercept at the round before the series' first (x = 0) */
	double slope_excursion, slope_allowed;
	bool data_ok, slope_ok, steady;
};

enum steady_doubt {
	STEADY_TOO_SHORT = 1,   /* fewer values than a window */
	STEADY_COLLAPSE = 2,    /* the window passes, but lies inside a fall or rise of the whole series */
	STEADY_LEFT = 4,        /* an earlier window passed, the last one does not: steady state was left */
	STEADY_COVERAGE = 8,    /* the window covers too small a share of the series' time */
	STEADY_ROUNDING = 16    /* the tool's rounding decides: the same rule without it says otherwise */
};

struct steady {
	const struct steady_rule *rule;
	struct steady_window last;    /* the last window of the series: the one that counts for a verdict */
	size_t *passing, n_passing;   /* first indexes of every window that passes, in order; in the arena */
	bool steady;                  /* the last window passes */
	unsigned doubts;              /* enum steady_doubt */
	const char *doubt_text;       /* one sentence per doubt, joined; empty when none */
};

struct steady_window steady_window(const struct steady_rule *rule, const double *y, size_t first, size_t n);
/* Judges a whole series. For samples the window grows to the longest steady tail (at least the rule's window of
 * equal blocks, see steady_judge_samples in steady.c); for rounds it is the last rule->window rounds. */
struct steady steady_judge(struct arena *a, const struct steady_rule *rule, const struct series *s);

/* fio's own criterion, from its documentation (--steadystate): attained when the slope per sample (as % of the mean)
 * or the largest deviation from the mean (as %) is strictly below the limit. */
struct fio_steady {
	bool slope;        /* X_slope:L% */
	double limit;      /* % */
	double criterion;  /* %, recomputed over the samples */
	double drift;      /* % over the whole window: (n - 1) × slope */
	bool attained;
};
struct fio_steady steady_fio(const double *y, size_t n, bool slope, double limit);

#endif
