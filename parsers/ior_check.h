/* ior_check: one test of IOR as its output tells it, and whether its summary agrees with its rows.
 *
 * bandwidth = bytes / total(s); a row's IOPS = transfers / wr/rd(s), the summary's OPs = transfers / total(s), so that
 * these two are not compared; the standard deviation divides by the number of iterations. */
#ifndef PARSERS_IOR_CHECK_H
#define PARSERS_IOR_CHECK_H

#include "model/run.h"

enum ior_param { IOR_API, IOR_TASKS, IOR_NODES, IOR_BLOCK, IOR_TRANSFER, IOR_TEST, IOR_PARAMS };
enum ior_op { IOR_WRITE, IOR_READ, IOR_OPS };

/* The bandwidths of one access's iterations. */
struct ior_series {
	uint64_t n;
	double sum, squares, min, max;
	double half_digit; /* the largest */
	uint64_t lost;     /* rows that can't be read */
	bool summed_up;    /* a summary with numbers was printed */
	bool wrong;        /* the data that were read back are wrong */
};

struct ior_test {
	struct param params[IOR_PARAMS]; /* key empty: not shown */
	uint64_t repetitions;            /* planned; 0: not shown */
	struct ior_series series[IOR_OPS];
};

extern const char *const ior_param_names[IOR_PARAMS];
extern const char *const ior_op_names[IOR_OPS];

/* IOR_OPS when it is neither write nor read. */
enum ior_op ior_op_of(struct slice access);
/* Fills a param that is not shown yet; value and text must outlive the test. */
void ior_set(struct ior_test *t, enum ior_param param, struct slice value, struct slice text, struct pos pos);
/* "HDF5-1.8.14" is HDF5. */
struct slice ior_bare_api(struct slice printed);
/* "262144 bytes" and "4 MiB" in bytes; false for "45.91 KiB", which is rounded. */
bool ior_exact_size(struct slice text, double *bytes);
void ior_see(struct ior_series *s, const struct quantity *bandwidth);
/* From the rows: "max", "min", "mean" or "sd". */
double ior_recomputed(const struct ior_series *s, const char *stat);
/* Whether fewer iterations were done than planned. */
bool ior_short(const struct ior_test *t, enum ior_op op);
/* Whether a printed bandwidth of the summary agrees with the rows within the rounding of both; also where rows are
 * missing. */
bool ior_agrees(const struct ior_test *t, enum ior_op op, const char *stat, const struct quantity *printed);

#endif
