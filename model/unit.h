/* unit: base units, the scales that tools and people print them in, and quantities. */
#ifndef MODEL_UNIT_H
#define MODEL_UNIT_H

#include "base/source.h"

/* Base units. Every value is kept in one of these. */
enum unit {
	UNIT_ONE,     /* "1": no dimension */
	UNIT_PER_S,   /* "1/s" */
	UNIT_B_PER_S, /* "B/s" */
	UNIT_B,       /* "B" */
	UNIT_S,       /* "s" */
	UNIT_PERCENT, /* "%": as printed */
	UNIT_J,       /* "J" */
	UNIT_W,       /* "W" */
	UNIT_USD_H,   /* "USD/h" */
	UNITS
};

const char *unit_name(enum unit u);

/* One spelling of a unit: value in base units = printed value × factor. A parser declares its tool's dialect as an
 * array that ends with spelling NULL ("mb/s" is 2^20 in old ioping, MB/s is 10^6 in STREAM). */
struct unit_scale {
	const char *spelling;
	enum unit unit;
	double factor;
};

/* Whether this is its spelling. Units are short: cheaper than strlen. */
static inline bool unit_spelled(const struct unit_scale *s, struct slice spelling)
{
	size_t n = 0;
	while (n < spelling.n && s->spelling[n] == spelling.p[n] && spelling.p[n])
		n++;
	return n == spelling.n && !s->spelling[n];
}

/* NULL when the dialect has no such spelling: an error, never a guess. Case counts. */
const struct unit_scale *unit_find(const struct unit_scale *dialect, struct slice spelling);

/* A number with its unit and its evidence. */
struct quantity {
	double value;       /* in the base unit; meaningless when missing */
	enum unit unit;
	bool missing;       /* the source marks that there is no value (NR, --, a failed check) */
	struct slice text;  /* exactly as printed; empty for a derived value */
	const char *suffix; /* unit that the source states elsewhere (in a key or a heading), printed behind text; or NULL */
	double half_digit;  /* half a unit of the last printed digit, in the base unit; 0 when exact or derived */
	struct pos pos;
};

/* What people write in SLA tables, claims, studies and selectors: `113k`, `1.05MM` (million), `1.67M`, `4 KiB`, `25 Gb/s`,
 * `25Gbe`, `186 GB/s`, `4.4 GiB/s`, `< 1 ms`, `100 µs`, `6.2 kIOPS`, `$1.95/h`, `10 %`, `60 s`. `wanted` says which unit
 * the place expects: UNIT_B reads a bare k/m/g as 2^10n (a block size), UNIT_PER_S, UNIT_ONE as 10^3n; UNITS takes any.
 * SI and IEC prefixes are never mixed up. A leading <, <=, >, >=, = goes to *op (may be NULL: then it is an error).
 * False and a sentence part in *error (static) when it can't be read. */
enum quantity_op { OP_NONE, OP_LT, OP_LE, OP_EQ, OP_GE, OP_GT };
bool quantity_parse(struct slice text, enum unit wanted, struct quantity *q, enum quantity_op *op, const char **error);

/* "231.4 k", "1.67 M", "3.9 MiB/s", "1.02 ms", "4 KiB": up to `digits` significant digits (trailing zeros only where the
 * value is not exactly that), an SI prefix (for bytes IEC), the unit. */
size_t quantity_show(char *out, size_t size, double value, enum unit u, int digits);

#endif
