/* trend: what a series of repeated runs shows: spread, outliers, control limits, drift, change points, gaps, halts.
 *
 * A series is one figure (subject, tool, version, test, metric, stat, unit, params without job, run, iteration, rank,
 * attempt, time) over many runs, in the order of their times; where one has no time, of their jobs' numbers; else as
 * they were read. The verdict is by the tolerance that was declared beforehand; all else explains. */
#ifndef MODEL_TREND_H
#define MODEL_TREND_H

#include "model/selector.h"
#include "model/sla.h"

enum {
	TREND_MIN = 10,      /* fewer values show no drift and no change, and prove no tolerance */
	TREND_PAIRS = 3000,  /* more values are not compared each with each: no slope then, and no test of drift */
	TREND_DIVIDED = 10000 /* more values are not searched for changes */
};

struct trend_point {
	double value;
	double half;                 /* half a unit of the last printed digit */
	double time;                 /* Unix time; NAN: not known */
	uint64_t job;                /* number of the batch job; 0: none */
	const struct run *run;
	const struct result *result; /* where it stands, and which job measured it */
	size_t order;                /* as read */
	bool same_run;               /* as the point before */
};

struct trend_series {
	struct slice subject, tool, version, test, params, stat;
	enum metric_id metric;
	enum unit unit;
	struct trend_point *points, *baseline; /* those judged, and those that the baseline selector takes */
	size_t n, n_baseline, cap, baseline_cap;
	size_t runs;                 /* that gave the n points: fewer where a run has iterations or ranks */
	size_t left_out;             /* missing or not finite, or of a run that was not completed; copies don't count */
};

/* When complete jobs of a subject began, of whatever tool; in order, each once. */
struct trend_jobs {
	struct slice subject;
	double *started;
	size_t n, cap;
};

struct trend_set {
	struct trend_series *series;
	struct trend_jobs *jobs;
	size_t n, n_jobs, cap, jobs_cap;
	size_t single;               /* figures that were measured once only, and are no series */
};

/* Series of the results that match `where`, of at least two values, by subject, tool, test, metric, params. Of each
 * test and metric only the stat closest to what was measured is taken: rows ("value") before means before all others;
 * counts are no measurements. Without a baseline selector (NULL) all points are judged. Everything lives in the
 * arena. */
struct trend_set trend_collect(struct arena *a, const struct dataset *d, const struct selector *where,
	const struct selector *baseline);

/* Places of points in the series, from 0, in order. */
struct trend_places {
	size_t *v, n;
};

/* Spread about the mean. Deviations are shares of |mean|, NAN where that is 0 and the values are not.
 *   cv = sd / |mean| (sd: divisor n - 1), robust_cv = 1.4826 · mad / |median|, mad: median |x - median|, unscaled
 *   outliers: |0.6745 (x - median) / mad| > 3.5; where mad is 0: |x - median| / (1.253314 · mean |x - median|) > 3.5
 *       (Iglewicz & Hoaglin, How to Detect and Handle Outliers, ASQC 1993, p. 11)
 *   what n runs prove: at least a share P of all runs is no worse than the worst seen, with confidence 1 - P^n (Wilks,
 *       Ann. Math. Stat. 12, 1941, p. 91). It holds for independent runs: proven_share takes n_effective for n. */
struct trend_spread {
	double min, mean, max, median, sd, cv, mad, robust_cv;
	double min_mean, max_mean;   /* min / mean, max / mean */
	double lowest, highest;      /* deviations of min and max from the mean, as shares */
	size_t worst;                /* the point that deviates most */
	double capability;           /* tolerance / (3 · robust_cv); NAN: no tolerance, or no spread */
	struct trend_places beyond;  /* points beyond the tolerance */
	struct trend_places outliers;
	double bound;                /* the worst value: min, or max where lower is better */
	double proven_share;         /* share of runs no worse than that, with confidence 0.95 */
	double confidence_95, confidence_99; /* that 95, 99 % of runs are */
};

/* Autocorrelation of neighbours, and what it leaves of n:
 *   lag1 = Σ (x_i - x̄)(x_i-1 - x̄) / Σ (x_i - x̄)², n_effective = n (1 - r)/(1 + r), r = max(lag1, 0)
 *       (Bartlett, J. Royal Stat. Soc. 98, 1935, p. 536). */
struct trend_likeness {
	double lag1, n_effective;
	bool evident;                /* lag1 > 1.96 / √n: neighbours resemble each other */
};

/* Individuals chart: center mean, sigma = mean |x_i - x_i-1| / (2/√π) (Shewhart; Montgomery, Introduction to
 * Statistical Quality Control, section 6.4), of the baseline, else of the series itself (`own`): then a shift is part
 * of its own yardstick, and EWMA and CUSUM are shown, but nothing is claimed by them.
 *   out_3s: |x - center| > 3 sigma. One in 370 of independent values is, so that 168 give 0.45 false alarms.
 *   out: |x - center| > factor · wide. factor is the 3 for one point made right for n of them: together they give a
 *       false alarm in 5 % of series, 2 (1 - Φ(factor)) = 1 - 0.95^(1/n) (Šidák, JASA 62, 1967, p. 626).
 *       wide = sigma / √(1 - r): autocorrelation makes moving ranges smaller than the values' spread;
 *       r: trend_likeness_bound.
 *   ewma: z_i = 0.2 x_i + 0.8 z_i-1, z_0 = center; an alarm where |z_i - center| >
 *       3 sigma √(λ/(2 - λ) · (1 - (1 - λ)^2i)), i from 1 (Lucas & Saccucci, Technometrics 32, 1990, p. 1)
 *   cusum: C± = max(0, C± ± (x - center)/sigma - 0.5) > 5 (Page, Biometrika 41, 1954, p. 100; Montgomery, section 9.1)
 * firsts are places from 0, or TREND_NEVER. */
#define TREND_NEVER ((size_t)-1)
struct trend_control {
	double center, sigma, wide, factor, lower, upper; /* lower, upper: center ∓ factor · wide */
	struct trend_places out_3s, out;
	size_t ewma_first, ewma_count, cusum_first;
	bool cusum_down;             /* what cusum found is a fall */
	bool own;
};

/* Drift: Mann-Kendall S = Σ_i<j sgn(x_j - x_i), var = (n(n-1)(2n+5) - Σ_ties t(t-1)(2t+5))/18, z = (S ∓ 1)/√var,
 * two-sided p (Kendall, Rank Correlation Methods, 1975); slope: median of (x_j - x_i)/(j - i) (Sen, JASA 63, 1968,
 * p. 1379). Autocorrelation widens var by
 *   inflation = 1 + 2/(n(n-1)(n-2)) Σ_k (n-k)(n-k-1)(n-k-2) ρ_k, ρ_k = 6/π asin(r^k / 2)
 * (Hamed & Rao, J. Hydrology 204, 1998, p. 182), with the rank autocorrelation ρ of an AR(1) process in place of
 * estimates of every lag, which miss so much of it that at phi = 0.6 one series in five of n = 50 is called a trend at
 * 5 %. r: of the series without its slope, trend_likeness_bound. */
struct trend_drift {
	double s, var, z, p;
	double slope;                /* per run */
	double rise;                 /* slope · (n - 1) / |median| */
	double r, inflation, z_corrected, p_corrected;
	bool shown;                  /* p_corrected ≤ 1 - level, and a line fits better than steps */
};

/* Change point: Pettitt K = max_t |U_t|, U_t = Σ_i≤t Σ_j sgn(x_i - x_j), p ≈ 2 exp(-6K²/(n³ + n²)), at most 1
 * (Pettitt, Applied Statistics 28, 1979, p. 126).
 * p_corrected: share of 999 AR(1) series of the same length (fixed seed) whose K is no smaller, (1 + count)/1000.
 * Their r is the less of two estimates by trend_likeness_bound: of the series with the step at the change taken out
 * (Serinaldi & Kilsby, Stoch. Environ. Res. Risk Assess. 30, 2016, p. 763, on why the step goes first), and of the
 * series without those of its 0 to 8 greatest steps with which an AR(1) process describes it best, by Schwarz's
 * criterion with three parameters a step (Ninomiya, Ann. Inst. Stat. Math. 67, 2015, p. 943).
 * Where p is above 1 - level it stands uncorrected: autocorrelation only raises it. A second opinion on one change in
 * the whole series: what is claimed are the changes of E-divisive. */
struct trend_change {
	size_t tau;                  /* values before the change: place of the first one after it */
	double k, p, p_corrected, r;
	double before, after;        /* means on both sides */
};

/* Change points by E-divisive: the division of a stretch into X (m values) and Y (n values) with the greatest
 *     Q = mn/(m + n) · (2 · mean |X - Y| - mean |X - X'| - mean |Y - Y'|), means over pairs of two values, m, n ≥ 2
 * (Matteson & James, JASA 109, 2014, p. 334, with alpha = 1 and kappa the end of the stretch). Q sees any change of
 * distribution, of the mean and of the spread alike. p: share of permutations of the stretch (fixed seed) whose
 * greatest Q is no smaller; 999 of them, fewer where a stretch is longer than 500 values, 199 at least, and none further once a
 * claim is out of reach. p_corrected: the same with permutations whose neighbours resemble each other as those of the
 * series: the values in the rank order of an AR(1) series (Theiler et al., Physica D 58, 1992, p. 77) with r as
 * in trend_change; where p is above 1 - level it stands uncorrected. A claimed change divides its stretch, and each
 * part of TREND_MIN values or more is searched again, up to 32 changes, or 80,000 values in all stretches.
 * Of a run that gave several values, their mean is one: they resemble each other as no neighbours in time do.
 * Each Q takes n log n; a search through 10,000 values with six changes takes 3 s.
 *
 * Measured (tests/test_trend.c, 600 series of each kind that show nothing): claimed at 5 %, in per cent; in brackets,
 * before the correction.
 *     phi =                       0           0.3          0.6          0.8
 *     drift       n =  20       0.8 (4)     1.5 (10)     3.2 (28)     8.2 (45)
 *                 n =  50       2.0 (5)     3.5 (14)     4.0 (31)     6.3 (47)
 *                 n = 168       4.0 (5)     4.5 (15)     4.8 (31)     5.0 (49)
 *     Pettitt     n =  20       1.0         3.2          9.5         12.8
 *                 n =  50       1.0         3.2          3.3          6.7
 *                 n = 168       1.8         3.0          2.8          3.8
 *     E-divisive  n =  20       0.5 (5)     3.2 (19)    10.0 (46)    16.5 (67)
 *                 n =  50       1.0 (5)     3.3 (21)     4.8 (56)     8.5 (83)
 *                 n = 168       2.0 (5)     4.5 (27)     5.0 (73)     6.2 (96)
 * Few values that resemble each other much can't show how much. */
struct trend_division {
	size_t tau;                  /* place of the first value after the change */
	double q, p, p_corrected, r;
	double before, after;        /* means of the stretches on both sides, up to the next change */
	double sd_before, sd_after;  /* their spreads */
};

/* Times: a gap is more than 1.5 median intervals between the starts of one figure's runs; a halt the same for all
 * complete jobs of the subject. Not known where times are not, or where intervals are no regular ones (their MAD is
 * more than a quarter of the median). */
struct trend_gaps {
	bool known;
	size_t n;                    /* how many */
	size_t missing;              /* runs that would have fitted in */
	double interval;             /* median, s */
	double longest, at;          /* longest interval that there is, and when it began */
};

struct trend_rule {
	double tolerance;            /* allowed |deviation from the mean| as a share: 0.1; NAN: none declared */
	double level;                /* confidence of what is claimed: 0.99 */
};

struct trend {
	const struct trend_series *series;
	double first, last;          /* times */
	struct trend_gaps gaps;
	struct trend_spread spread;
	struct trend_likeness likeness;
	struct trend_control control;
	struct trend_drift drift;
	/* Of the whole series, whether claimed or not; k, q NAN when too short, too long, or of equal values. */
	struct trend_change whole;
	/* Of runs, with tau counted in values; `divided` without means and spreads. */
	struct trend_division divided;
	struct trend_division *changes; /* the claimed ones, in order */
	size_t n_changes;
	bool judged;                 /* a tolerance was declared */
	/* PASS, FAIL, INCONCLUSIVE (fewer than TREND_MIN values, a mean of 0 of others, or the deviation equals the tolerance
	 * within what rounding for print leaves open), NO-DATA (no value that counts). */
	enum verdict verdict;
	const char *sentence;        /* in the arena */
};

struct trend trend_judge(struct arena *a, const struct trend_rule *rule, const struct trend_series *s);
/* The verdict of trend_judge and the spread behind it, without all the rest. */
enum verdict trend_deviation(struct arena *a, const struct trend_rule *rule, const struct trend_series *s,
	struct trend_spread *spread);
struct trend_gaps trend_halts(struct arena *a, const struct trend_jobs *jobs);

/* The parts, over plain values. */
struct trend_spread trend_spread(struct arena *a, const double *y, size_t n, double tolerance, enum better better);
struct trend_likeness trend_likeness(const double *y, size_t n);
/* Center and sigma of `base`; NULL: of y. */
struct trend_control trend_control(struct arena *a, const double *y, size_t n, const double *base, size_t n_base);
struct trend_drift trend_drift(struct arena *a, const double *y, size_t n);
/* The strongest change of y, tau counted from y[0]; k NAN for fewer than TREND_MIN values or for equal ones. */
struct trend_change trend_change(struct arena *a, const double *y, size_t n, double level);
/* The best division of y, without means and spreads; q NAN for fewer than TREND_MIN values, more than TREND_DIVIDED, or
 * equal ones. */
struct trend_division trend_divide(const double *y, size_t n, double level);
/* All changes that are claimed, in order; *whole: the division of all values, claimed or not. */
struct trend_division *trend_changes(struct arena *a, const double *y, size_t n, double level,
	struct trend_division *whole, size_t *found);
/* An upper estimate of an AR(1) process' r from the residuals z of a fit, so that tests with it hold their level: lag1
 * of z, corrected for the bias of fitting, r + fitted · (1 + 2r)/n, and one standard error √((1 - r²)/n) more, within
 * [0, 0.98]. fitted: 1 a mean, 2 a line, 4 a step where it fits best. */
double trend_likeness_bound(const double *z, size_t n, unsigned fitted);
struct trend_gaps trend_gaps(struct arena *a, const double *times, size_t n);

#endif
