/* steady: has a series of rounds or samples reached steady state, by whose rule, and where.
 *
 * The rule is made for rounds. Samples over time (one per second, say) are put to it as five equal blocks of at least
 * STEADY_BLOCK_S seconds (STEADY_BLOCK_SAMPLES samples where the interval is not known), each block standing for a
 * round with its mean. Of all tails of the series whose five blocks pass, the one with the surest mean is the window:
 * the least sum of squares about the mean over the squared length (MSER; White, Simulation 69, 1997, p. 323), which
 * leaves the warm-up outside. When no tail passes, the last five blocks of the least length are shown. Samples count
 * as equally spaced.
 *
 * Comparisons allow for floating point: a value that exceeds its limit by no more than 1e-12 of the window's mean is
 * equal to it. A window with a value that is not finite, or with a mean of zero, is never steady. */
#ifndef MODEL_STEADY_H
#define MODEL_STEADY_H

#include "model/run.h"

struct steady_rule {
	const char *name;      /* "SNIA PTS" */
	const char *source;    /* document and section */
	size_t window;         /* rounds, at least 2 */
	double range;          /* allowed max - min, as a share of the window's mean: 0.20 */
	double rise;           /* allowed |fitted-line rise over the window|, as a share of the mean: 0.10 */
	bool strict;           /* < instead of ≤: equality fails */
	int round_mean;        /* decimals the tool rounds to before it compares, -1: none */
	int round_slope, round_rise;
};

extern const struct steady_rule steady_snia;         /* SNIA SSS PTS 2.0.2: range ≤ 20 %, |slope|·4 ≤ 10 %, 5 rounds */
/* The same with the suite's rounding, in the unit that the suite prints: mean and slope to 3 decimals, the slope
 * excursion to 1. For latency in ms that blinds it: .091 .096 .099 .104 .109 passes with a rise of 17.6 %. Give it
 * values in the suite's unit (ms, MiB/s), not in base units. */
extern const struct steady_rule steady_cloudharmony;

enum { STEADY_BLOCK_S = 10, STEADY_BLOCK_SAMPLES = 10 };

/* What one window shows. Excursions are in the series' unit. */
struct steady_window {
	size_t first, n;              /* index of its first value, from 0; its length (less than the rule's: too short) */
	double mean;
	double min, max;
	double data_excursion, data_allowed;
	size_t block;                 /* values averaged into one round: 1 for rounds, n / 5 for samples */
	double slope, intercept;      /* per round (block), least squares over x = 1 … 5, so that the intercept stands at
	                               * the round before the window; NAN for fewer than two rounds */
	double slope_excursion, slope_allowed; /* |slope| · (rounds - 1) */
	bool data_ok, slope_ok, steady; /* steady: both, and as long as the rule asks */
};

enum steady_doubt {
	STEADY_TOO_SHORT = 1,   /* fewer values than a window */
	STEADY_COLLAPSE = 2,    /* the window passes, but lies inside a fall or rise of the whole series: the line fitted
	                         * to the whole series changes by more than the rule's rise, and the window's own line goes
	                         * the same way at half that pace or more */
	STEADY_LEFT = 4,        /* an earlier window passed, the last one does not: steady state was left */
	STEADY_COVERAGE = 8,    /* the window covers less than a fifth of the series */
	STEADY_ROUNDING = 16    /* the tool's rounding decides: the same rule without it says otherwise */
};

struct steady {
	const struct steady_rule *rule;
	struct steady_window last;    /* the last window of the series: the one that counts for a verdict */
	size_t *passing, n_passing;   /* first indexes of every window of the rule's length that passes (samples: of five
	                               * least blocks, moved by one block), in order; in the arena */
	bool steady;                  /* the last window passes */
	unsigned doubts;              /* enum steady_doubt */
	const char *doubt_text;       /* a sentence per doubt, joined by blanks; empty when none; in the arena */
};

/* The rule over y[first] … y[first + n - 1], each a round; any n, even 0. */
struct steady_window steady_window(const struct steady_rule *rule, const double *y, size_t first, size_t n);
/* Judges a whole series: of rounds by its last rule->window rounds, of samples as said above. */
struct steady steady_judge(struct arena *a, const struct steady_rule *rule, const struct series *s);

/* fio's own criterion, from its documentation (--steadystate): attained when the slope per sample (as % of the mean)
 * or the largest deviation from the mean (as %) is strictly below the limit. fio divides the slope by the whole part
 * of the mean, so that the criterion it prints can be larger by up to 1/mean of itself. */
struct fio_steady {
	bool slope;        /* X_slope:L% */
	double limit;      /* % */
	double criterion;  /* %, recomputed over the samples; signed when a slope; NAN for fewer than two samples */
	double drift;      /* % over the whole window: (n - 1) × slope */
	bool attained;     /* |criterion| < limit */
};
struct fio_steady steady_fio(const double *y, size_t n, bool slope, double limit);

#endif
