#include "model/unit.h"

#include "base/num.h"

#include <math.h>
#include <stdio.h>

const char *unit_name(enum unit u)
{
	static const char *const name[UNITS] = {
		[UNIT_ONE] = "1", [UNIT_PER_S] = "1/s", [UNIT_B_PER_S] = "B/s", [UNIT_B] = "B", [UNIT_S] = "s",
		[UNIT_PERCENT] = "%", [UNIT_J] = "J", [UNIT_W] = "W", [UNIT_USD_H] = "USD/h",
	};
	return u < UNITS ? name[u] : "";
}

const struct unit_scale *unit_find(const struct unit_scale *dialect, struct slice spelling)
{
	for (const struct unit_scale *s = dialect; s->spelling && spelling.n; s++)
		if (unit_spelled(s, spelling))
			return s;
	return NULL;
}

/* Units that people write, without prefix. SI says whether decimal prefixes may stand before it, IEC binary ones. */
struct base_spelling {
	const char *spelling;
	enum unit unit;
	double factor;
	bool si, iec;
};

static const struct base_spelling spellings[] = {
	{ "", UNITS, 1, true, true },
	{ "IOPS", UNIT_PER_S, 1, true, false },
	{ "iops", UNIT_PER_S, 1, true, false },
	{ "IO/s", UNIT_PER_S, 1, true, false },
	{ "1/s", UNIT_PER_S, 1, true, false },
	{ "/s", UNIT_PER_S, 1, true, false },
	{ "ops/s", UNIT_PER_S, 1, true, false },
	{ "B/s", UNIT_B_PER_S, 1, true, true },
	{ "b/s", UNIT_B_PER_S, 0.125, true, true },
	{ "bit/s", UNIT_B_PER_S, 0.125, true, true },
	{ "bps", UNIT_B_PER_S, 0.125, true, true },
	{ "be", UNIT_B_PER_S, 0.125, true, false }, /* 25Gbe: Gigabit Ethernet */
	{ "bE", UNIT_B_PER_S, 0.125, true, false },
	{ "B", UNIT_B, 1, true, true },
	{ "s", UNIT_S, 1, true, false },
	{ "sec", UNIT_S, 1, true, false },
	{ "second", UNIT_S, 1, false, false },
	{ "seconds", UNIT_S, 1, false, false },
	{ "min", UNIT_S, 60, false, false },
	{ "minutes", UNIT_S, 60, false, false },
	{ "h", UNIT_S, 3600, false, false },
	{ "hours", UNIT_S, 3600, false, false },
	{ "d", UNIT_S, 86400, false, false },
	{ "%", UNIT_PERCENT, 1, false, false },
	{ "J", UNIT_J, 1, true, false },
	{ "W", UNIT_W, 1, true, false },
	{ "USD/h", UNIT_USD_H, 1, false, false },
};

struct prefix {
	const char *spelling;
	double factor;
	bool iec;
	bool small; /* below one: for times only */
};

/* Longer spellings first. "MM" is the financial million that price and SLA tables use. */
static const struct prefix prefixes[] = {
	{ "MM", 1e6, false, false },
	{ "Ki", 1024.0, true, false },
	{ "Mi", 1048576.0, true, false },
	{ "Gi", 1073741824.0, true, false },
	{ "Ti", 1099511627776.0, true, false },
	{ "Pi", 1125899906842624.0, true, false },
	{ "k", 1e3, false, false },
	{ "K", 1e3, false, false },
	{ "M", 1e6, false, false },
	{ "G", 1e9, false, false },
	{ "T", 1e12, false, false },
	{ "P", 1e15, false, false },
	{ "m", 1e-3, false, true },
	{ "u", 1e-6, false, true },
	{ "\xc2\xb5", 1e-6, false, true }, /* U+00B5 micro sign */
	{ "\xce\xbc", 1e-6, false, true }, /* U+03BC Greek mu */
	{ "n", 1e-9, false, true },
	{ "", 1, false, false },
};

/* A bare k, m, g behind a size: fio's and every block size's 2^10n. */
static bool block_size(struct slice unit, double *factor)
{
	static const char letter[] = "kmgt";
	if (unit.n != 1)
		return false;
	const char *at = strchr(letter, unit.p[0] | 0x20);
	if (!at || !*at)
		return false;
	*factor = ldexp(1.0, 10 * (int)(at - letter + 1));
	return true;
}

static bool find_unit(struct slice text, enum unit wanted, enum unit *unit, double *factor)
{
	if (wanted == UNIT_B && block_size(text, factor)) {
		*unit = UNIT_B;
		return true;
	}
	/* An exact spelling wins over prefix and spelling: "min" is no milli-"in". */
	for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
		if (text.n && slice_is(text, spellings[i].spelling)) {
			*unit = spellings[i].unit;
			*factor = spellings[i].factor;
			return true;
		}
	for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; k++) {
		const struct prefix *p = &prefixes[k];
		if (!slice_starts(text, p->spelling))
			continue;
		struct slice rest = slice_from(text, strlen(p->spelling));
		if (!p->small) /* "113k IOPS" */
			rest = slice_trim(rest);
		for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
			const struct base_spelling *s = &spellings[i];
			bool fits = p->iec ? s->iec : s->si || !*p->spelling;
			if (!slice_is(rest, s->spelling) || !fits || (p->small && s->unit != UNIT_S && s->unit != UNIT_W))
				continue;
			*unit = s->unit == UNITS ? (wanted == UNITS ? UNIT_ONE : wanted) : s->unit;
			*factor = p->factor * s->factor;
			return true;
		}
	}
	return false;
}

static enum quantity_op take_op(struct slice *text)
{
	static const struct {
		const char *spelling;
		enum quantity_op op;
	} ops[] = { { "<=", OP_LE }, { ">=", OP_GE }, { "\xe2\x89\xa4", OP_LE }, { "\xe2\x89\xa5", OP_GE }, { "<", OP_LT },
		{ ">", OP_GT }, { "=", OP_EQ } };
	for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
		if (slice_starts(*text, ops[i].spelling)) {
			*text = slice_trim(slice_from(*text, strlen(ops[i].spelling)));
			return ops[i].op;
		}
	return OP_NONE;
}

/* "1,408,412": groups of three behind a first group of one to three digits, before any point. Removes the commas into
 * `out`; false when the commas do not stand so ("2,3372"). */
static bool ungroup(struct slice text, char *out, size_t size, struct slice *plain)
{
	size_t n = 0, in_group = 0, i = 0;
	bool grouped = false, point = false;
	for (; i < text.n && n + 1 < size; i++) {
		char c = text.p[i];
		if (c == ',') {
			if (point || (grouped ? in_group != 3 : in_group == 0 || in_group > 3))
				return false;
			grouped = true;
			in_group = 0;
			continue;
		}
		bool is_digit = c >= '0' && c <= '9';
		if (grouped && !point && !is_digit && in_group != 3)
			return false;
		if (is_digit)
			in_group++;
		else
			point = true;
		out[n++] = c;
	}
	if (i < text.n || (grouped && !point && in_group != 3))
		return false;
	*plain = (struct slice){ out, n };
	return true;
}

bool quantity_parse(struct slice text, enum unit wanted, struct quantity *q, enum quantity_op *op, const char **error)
{
	struct slice rest = slice_trim(text);
	enum quantity_op found = take_op(&rest);
	if (op)
		*op = found;
	bool dollars = slice_starts(rest, "$");
	if (dollars)
		rest = slice_trim(slice_from(rest, 1));
	char digits[64];
	struct slice plain;
	size_t end = 0;
	while (end < rest.n && (strchr("0123456789.,+-", rest.p[end]) ||
	       ((rest.p[end] | 0x20) == 'e' && num_span(slice_head(rest, end + 3)) > end)))
		end++;
	*error = NULL;
	if (found != OP_NONE && !op)
		*error = "has an operator where only a value can stand";
	else if (!ungroup(slice_head(rest, end), digits, sizeof digits, &plain))
		*error = "has digits that are not grouped in threes";
	else if (num_double(plain, &q->value) != NUM_OK)
		*error = "does not begin with a number";
	if (*error)
		return false;
	struct slice unit = slice_trim(slice_from(rest, end));
	double factor = 1;
	enum unit u = wanted == UNITS ? UNIT_ONE : wanted;
	if (dollars) {
		if (!slice_is(unit, "/h") && !slice_is(unit, "/hour")) {
			*error = "is a price without /h";
			return false;
		}
		u = UNIT_USD_H;
	} else if (unit.n && !find_unit(unit, wanted, &u, &factor)) {
		*error = "has a unit that is not known";
		return false;
	}
	if (wanted != UNITS && u != wanted) {
		*error = "has a unit of another kind";
		return false;
	}
	double value, half;
	if (num_printed(plain, factor, &value, &half) != NUM_OK) {
		*error = "is out of range";
		return false;
	}
	*q = (struct quantity){ .value = value, .unit = u, .text = slice_trim(text), .half_digit = half };
	return true;
}

/* Digits before the point, once |v| is rounded to `digits` significant ones; 1 below one. */
static int whole_digits(double v, int digits)
{
	int whole = v < 1 ? 1 : (int)floor(log10(v)) + 1;
	return digits > whole && v + 0.5 * pow(10, whole - digits) >= pow(10, whole) ? whole + 1 : whole;
}

size_t quantity_show(char *out, size_t size, double value, enum unit u, int digits)
{
	static const char *const si[] = { "", " k", " M", " G", " T", " P" };
	static const char *const iec[] = { " B", " KiB", " MiB", " GiB", " TiB", " PiB" };
	static const char *const time[] = { " s", " ms", " \xc2\xb5s", " ns" };
	const char *suffix = "", *per = u == UNIT_B_PER_S ? "/s" : "";
	double v = value;
	size_t k = 0;
	if (u == UNIT_S) {
		for (; k < 3 && v != 0 && fabs(v) < 0.9995; k++)
			v *= 1000;
		suffix = time[k];
	} else if (u == UNIT_B || u == UNIT_B_PER_S) {
		for (; k < 5 && fabs(v) >= 1023.5; k++)
			v /= 1024;
		suffix = iec[k];
	} else if (u == UNIT_PERCENT) {
		suffix = " %";
	} else {
		double edge = 1000 - 0.5 * pow(10, digits < 3 ? 0 : 3 - digits);
		for (; k < 5 && fabs(v) >= edge; k++)
			v /= 1000;
		suffix = si[k];
	}
	int places = isfinite(v) ? digits - whole_digits(fabs(v), digits) : 0;
	/* Zeros that only say "exactly" are left out: 4 KiB, 1.67 M. */
	for (double scale = pow(10, places); places > 0; places--, scale /= 10)
		if (fabs(v * scale / 10 - round(v * scale / 10)) >= 1e-9)
			break;
	int n = snprintf(out, size, "%.*f%s%s", places > 0 ? places : 0, v, suffix, per);
	return n < 0 ? 0 : (size_t)n < size ? (size_t)n : size - 1;
}
