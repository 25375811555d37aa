/* ioping_check: what the text and the JSON of ioping have in common: the requests that were seen one by one, and whether
 * the statistics that ioping printed of them can be true. */
#ifndef PARSERS_IOPING_CHECK_H
#define PARSERS_IOPING_CHECK_H

#include "parsers/parser.h"

struct ioping_seen {
	uint64_t n;             /* requests seen */
	uint64_t last;          /* number of the last one; equal to n when none is left out */
	uint64_t counted;       /* of them, those that count: no warm-up, not too fast or too slow, no error */
	struct quantity fastest, slowest; /* of those that count */
};

/* A request's number and time, whose text is kept in the arena where it is needed. `counts` as above. */
void ioping_see(struct arena *a, struct ioping_seen *s, uint64_t number, bool counts, const struct quantity *time);
/* The same for a time (s) that is neither the fastest nor the slowest so far; else false, and nothing is done. */
bool ioping_see_between(struct ioping_seen *s, uint64_t number, bool counts, double time);

/* A block's statistics; NULL: not printed. What contradicts is flagged RESULT_SUSPECT. */
struct ioping_stats {
	struct result *requests, *iops, *bandwidth, *min, *mean, *max, *sd;
	double size;            /* bytes of a request; 0: not known */
	struct quantity time, amount; /* of the requests, where the version prints both; value 0: not known */
};

typedef void ioping_says(void *ctx, struct pos pos, const char *message);
/* Says each contradiction with both numbers. By the versions' common rules: requests counted one by one, a minimum and
 * maximum that no request exceeds, and that are those of the requests where all are shown, iops = 1 / mean (every
 * version divides the count by the sum of the request times), bandwidth = iops × size; and with time and amount,
 * iops = requests / time, bandwidth = amount / time. Each number may be off by one unit of its last printed digit: newer
 * versions truncate. */
void ioping_check(struct arena *a, const struct ioping_stats *stats, const struct ioping_seen *seen, ioping_says *says,
	void *ctx);

#endif
