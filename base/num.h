/* num: numbers as benchmark tools print them, read and written without a locale. */
#ifndef BASE_NUM_H
#define BASE_NUM_H

#include "base/slice.h"

#include <stdint.h>

enum num_status {
	NUM_OK,
	NUM_EMPTY,     /* nothing there */
	NUM_JUNK,      /* a byte that belongs to no number */
	NUM_RANGE,     /* too large for the type */
	NUM_NOT_FINITE /* nan, -nan, inf: recognised, but not a value */
};

/* [+-]digits[.digits][e[+-]digits], the whole slice and nothing else; no blanks, no hexadecimal, no thousands
 * separators. *value is untouched unless NUM_OK. Correctly rounded. */
enum num_status num_double(struct slice text, double *value);
/* num_double × factor. Where the factor is a power of ten ("0.21" ms: 1e-3) the result is the double nearest to the
 * product, as if the text had been printed in the larger unit. */
enum num_status num_scaled(struct slice text, double factor, double *value);
/* num_scaled, and half a unit of the last printed digit × factor (num_half_digit), read in one go. */
enum num_status num_printed(struct slice text, double factor, double *value, double *half_digit);
/* Digits only, the whole slice. */
enum num_status num_u64(struct slice text, uint64_t *value);
/* A sentence part for a diagnostic: "is empty", "is not a number", "is out of range", "is not finite". */
const char *num_status_text(enum num_status s);

/* Length of the longest prefix of `text` that num_double would take; 0 when there is none. */
size_t num_span(struct slice text);

/* Half a unit of the last printed digit of a decimal number ("5.50" -> 0.005, "12e3" -> 500, "7" -> 0.5);
 * 0 when text is not a number. */
double num_half_digit(struct slice text);

enum { NUM_FORMAT_SIZE = 32 };
/* The shortest decimal that reads back to the same double (a few powers of two below 1e-7 or above 1e26 take 17 digits
 * where 16 would do); integers up to 2^53 without exponent. Returns its length. LC_NUMERIC does not matter, here or
 * above. NaN and infinities print as "nan", "inf", "-inf". */
size_t num_format(char out[static NUM_FORMAT_SIZE], double value);
size_t num_format_u64(char out[static NUM_FORMAT_SIZE], uint64_t value);

#endif
