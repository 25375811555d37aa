#include "base/num.h"

#include "base/arena.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double power[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };

static bool digit(char c)
{
	return c >= '0' && c <= '9';
}

enum { MANTISSA_DIGITS = 19 };

/* The parts of a decimal number; `n` is how many bytes they span, 0 when there is no number. */
struct decimal {
	uint64_t mantissa; /* first MANTISSA_DIGITS significant digits */
	int exponent;      /* of ten, for that mantissa */
	int digits;        /* significant digits seen */
	int last;          /* exponent of ten of the last printed digit, zeros too */
	bool negative;
	size_t n;
};

static size_t scan_digits(struct slice s, size_t i, struct decimal *d, bool fraction)
{
	uint64_t mantissa = d->mantissa;
	int exponent = d->exponent, digits = d->digits;
	for (; i < s.n && digit(s.p[i]); i++) {
		unsigned v = (unsigned)(s.p[i] - '0');
		if (digits < MANTISSA_DIGITS) {
			mantissa = mantissa * 10 + v;
			exponent -= fraction;
		} else {
			exponent += !fraction;
		}
		digits += digits || v;
	}
	d->mantissa = mantissa;
	d->exponent = exponent;
	d->digits = digits;
	return i;
}

/* Filled in place: a struct returned would be copied out of the processor's store buffer, which stalls. */
static void scan(struct slice s, struct decimal *d)
{
	*d = (struct decimal){ 0 };
	size_t i = 0;
	if (i < s.n && (s.p[i] == '-' || s.p[i] == '+'))
		d->negative = s.p[i++] == '-';
	size_t start = i;
	i = scan_digits(s, i, d, false);
	size_t whole = i - start, part = 0;
	if (i < s.n && s.p[i] == '.') {
		size_t after = scan_digits(s, i + 1, d, true);
		part = after - i - 1;
		if (whole || part)
			i = after;
	}
	if (!whole && !part)
		return;
	d->last = part < 400 ? -(int)part : -400;
	if (i < s.n && (s.p[i] == 'e' || s.p[i] == 'E')) {
		size_t j = i + 1;
		bool negative = false;
		if (j < s.n && (s.p[j] == '-' || s.p[j] == '+'))
			negative = s.p[j++] == '-';
		if (j < s.n && digit(s.p[j])) {
			int e = 0;
			for (; j < s.n && digit(s.p[j]); j++)
				if (e < 100000)
					e = e * 10 + (s.p[j] - '0');
			d->exponent += negative ? -e : e;
			d->last += negative ? -e : e;
			i = j;
		}
	}
	d->n = i;
}

size_t num_span(struct slice text)
{
	struct decimal d;
	scan(text, &d);
	return d.n;
}

static enum num_status not_a_number(struct slice s)
{
	if (s.n == 0)
		return NUM_EMPTY;
	struct slice t = s.p[0] == '-' || s.p[0] == '+' ? slice_from(s, 1) : s;
	if (slice_eq_nocase(t, SLICE("nan")) || slice_eq_nocase(t, SLICE("inf")) || slice_eq_nocase(t, SLICE("infinity")))
		return NUM_NOT_FINITE;
	return NUM_JUNK;
}

/* Numbers outside the exact fast path. strtod's decimal point follows LC_NUMERIC, which a library may set: it is given
 * none, but all digits as an integer and the exponent that goes with them. */
static double scan_slow(struct slice s, struct decimal d)
{
	char small[128];
	size_t size = s.n + 16, n = 0;
	char *text = size <= sizeof small ? small : mem_alloc(size);
	for (size_t i = 0; i < s.n && (s.p[i] | 0x20) != 'e'; i++)
		if (s.p[i] != '.')
			text[n++] = s.p[i];
	int dropped = d.digits > MANTISSA_DIGITS ? d.digits - MANTISSA_DIGITS : 0;
	snprintf(text + n, size - n, "e%d", d.exponent - dropped);
	double v = strtod(text, NULL);
	if (text != small)
		free(text);
	return v;
}

/* Both factors are exact doubles, so one operation rounds once (Clinger 1990, the fast path). False outside of it. */
static bool fast(const struct decimal *d, int exponent, double *value)
{
	if (d->digits > MANTISSA_DIGITS || d->mantissa > UINT64_C(1) << 53 || exponent < -22 || exponent > 22)
		return false;
	double v = exponent < 0 ? (double)d->mantissa / power[-exponent] : (double)d->mantissa * power[exponent];
	*value = d->negative ? -v : v;
	return true;
}

/* The exponent of a factor that units have: 1e-12 … 1e12; 0 for any other. */
static int power_of_ten(double factor)
{
	static const double inverse[] = { 1e0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12 };
	int e = 3;
	if (factor == 1)
		return 0;
	if (factor > 1) {
		while (e < 12 && power[e] < factor)
			e++;
		return power[e] == factor ? e : 0;
	}
	while (e < 12 && inverse[e] > factor)
		e++;
	return inverse[e] == factor ? -e : 0;
}

static enum num_status scaled(struct slice text, const struct decimal *d, double factor, double *value)
{
	int e = power_of_ten(factor);
	double v;
	if (d->n == 0 || d->n != text.n)
		return not_a_number(text);
	if (!e || !fast(d, d->exponent + e, &v)) {
		if (!fast(d, d->exponent, &v))
			v = scan_slow(text, *d);
		v *= factor;
	}
	if (!isfinite(v))
		return NUM_RANGE;
	*value = v;
	return NUM_OK;
}

/* Of the digit at this power of ten. */
static double half_unit(int e)
{
	/* The doubles nearest to these decimals, as a division by an exact power of ten gives them. */
	static const double parts[] = { 5e-1, 5e-2, 5e-3, 5e-4, 5e-5, 5e-6, 5e-7, 5e-8, 5e-9, 5e-10 };
	if (e <= 0 && e > -10)
		return parts[-e];
	return e >= -22 && e < 0 ? 0.5 / power[-e] : e >= 0 && e <= 22 ? 0.5 * power[e] : 0.5 * pow(10, e);
}

/* What tools mostly print: digits with a point or without, few enough to be exact as an integer. False: something else. */
static bool read_short(struct slice s, double factor, double *value, double *half)
{
	enum { SHORT_DIGITS = 15 };
	if (s.n == 0 || s.n > SHORT_DIGITS)
		return false;
	const char *p = s.p, *end = p + s.n, *point = end;
	uint64_t mantissa = 0;
	unsigned d;
	while (p < end && (d = (unsigned)(unsigned char)*p - '0') < 10)
		mantissa = mantissa * 10 + d, p++;
	if (p < end && *p == '.' && s.n > 1)
		for (point = p++; p < end && (d = (unsigned)(unsigned char)*p - '0') < 10; p++)
			mantissa = mantissa * 10 + d;
	if (p < end)
		return false;
	int places = point < end ? (int)(end - point) - 1 : 0, e = power_of_ten(factor), shift = e - places;
	if (shift < -22)
		return false;
	/* Both are exact doubles, so that one operation rounds once, as in fast(). */
	double v = shift < 0 ? (double)mantissa / power[-shift] : (double)mantissa * power[shift];
	*value = e ? v : v * factor;
	*half = half_unit(-places) * factor;
	return true;
}

enum num_status num_double(struct slice text, double *value)
{
	return num_scaled(text, 1, value);
}

enum num_status num_scaled(struct slice text, double factor, double *value)
{
	double half;
	return num_printed(text, factor, value, &half);
}

enum num_status num_u64(struct slice text, uint64_t *value)
{
	if (text.n == 0)
		return NUM_EMPTY;
	uint64_t v = 0;
	for (size_t i = 0; i < text.n; i++) {
		if (!digit(text.p[i]))
			return NUM_JUNK;
		unsigned d = (unsigned)(text.p[i] - '0');
		if (i >= MANTISSA_DIGITS && v > (UINT64_MAX - d) / 10)
			return NUM_RANGE;
		v = v * 10 + d;
	}
	*value = v;
	return NUM_OK;
}

const char *num_status_text(enum num_status s)
{
	switch (s) {
	case NUM_OK: return "is a number";
	case NUM_EMPTY: return "is empty";
	case NUM_JUNK: return "is not a number";
	case NUM_RANGE: return "is out of range";
	case NUM_NOT_FINITE: return "is not finite";
	}
	return "is not a number";
}

double num_half_digit(struct slice text)
{
	struct decimal d;
	scan(text, &d);
	return d.n ? half_unit(d.last) : 0;
}

enum num_status num_printed(struct slice text, double factor, double *value, double *half)
{
	double v, h;
	if (read_short(text, factor, &v, &h)) {
		*value = v;
		*half = h;
		return NUM_OK;
	}
	struct decimal d;
	scan(text, &d);
	enum num_status s = scaled(text, &d, factor, value);
	if (s == NUM_OK)
		*half = half_unit(d.last) * factor;
	return s;
}

/* %g with a point, whatever LC_NUMERIC makes of it. */
static size_t print_digits(char out[static NUM_FORMAT_SIZE], int digits, double value)
{
	int length = snprintf(out, NUM_FORMAT_SIZE, "%.*g", digits, value);
	size_t n = length < 0 ? 0 : (size_t)length, start = strspn(out, "-+0123456789e");
	if (start == n || out[start] == '.')
		return n;
	size_t end = start + strcspn(out + start, "-+0123456789e");
	out[start] = '.';
	memmove(out + start + 1, out + end, n - end + 1);
	return n - (end - start) + 1;
}

size_t num_format_u64(char out[static NUM_FORMAT_SIZE], uint64_t value)
{
	char digits[NUM_FORMAT_SIZE];
	size_t n = 0, length = 0;
	do
		digits[n++] = (char)('0' + value % 10);
	while (value /= 10);
	while (n)
		out[length++] = digits[--n];
	out[length] = '\0';
	return length;
}

/* Whole numbers are most of what is printed, and snprintf is slow. */
static size_t format_whole(char out[static NUM_FORMAT_SIZE], double value)
{
	size_t sign = value < 0;
	out[0] = '-';
	return sign + num_format_u64(out + sign, (uint64_t)fabs(value));
}

/* m × 10^-scale as %g writes it; it is above 1e-99. */
static size_t format_decimal(char out[static NUM_FORMAT_SIZE], bool negative, uint64_t m, int scale)
{
	char digits[NUM_FORMAT_SIZE];
	size_t length = 0;
	for (; m % 10 == 0; m /= 10)
		scale--;
	int n = (int)num_format_u64(digits, m), exponent = n - 1 - scale, i = 0;
	bool scientific = exponent < -4;
	if (negative)
		out[length++] = '-';
	for (int place = !scientific && exponent > 0 ? exponent : 0; i < n; place--) {
		if (place == -1)
			out[length++] = '.';
		out[length++] = !scientific && place > exponent ? '0' : digits[i++];
	}
	if (scientific) {
		out[length++] = 'e';
		out[length++] = '-';
		out[length++] = (char)('0' + -exponent / 10);
		out[length++] = (char)('0' + -exponent % 10);
	}
	out[length] = '\0';
	return length;
}

/* A decimal of at most 15 digits that reads back to the same double is the only one of that length, and so the shortest
 * but for zeros at its end. m and the power of ten are exact doubles: m / 10^scale is rounded once, as when it is read.
 * False where there is none, or it can't be told in this way. */
static bool format_short(char out[static NUM_FORMAT_SIZE], double value, size_t *length)
{
	double size = fabs(value);
	if (!(size >= 1e-15 && size < 1e15))
		return false;
	int scale = 14 - (int)floor(log10(size));
	if (scale > 22)
		scale = 22;
	uint64_t m = (uint64_t)llround(size * power[scale]);
	if (m == 0 || m >= 1000000000000000 || (double)m / power[scale] != size)
		return false;
	*length = format_decimal(out, value < 0, m, scale);
	return true;
}

size_t num_format(char out[static NUM_FORMAT_SIZE], double value)
{
	if (isnan(value))
		return (size_t)snprintf(out, NUM_FORMAT_SIZE, "nan");
	if (isinf(value))
		return (size_t)snprintf(out, NUM_FORMAT_SIZE, value < 0 ? "-inf" : "inf");
	if (value == floor(value) && fabs(value) <= 9007199254740992.0)
		return format_whole(out, value);
	size_t length;
	if (format_short(out, value, &length))
		return length;
	/* 15 digits are shortest where fewer would do, for %g drops zeros; but a denormal number has fewer than 15 to give. */
	for (int digits = fabs(value) < DBL_MIN ? 1 : 15; digits <= 17; digits++) {
		size_t n = print_digits(out, digits, value);
		double back = 0;
		if (digits == 17 || (num_double((struct slice){ out, n }, &back) == NUM_OK && back == value))
			return n;
	}
	return 0;
}
