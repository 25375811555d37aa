/* How values are shown to people. */
#include "report/document.h"
#include "report/gnuplot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

const char *text_grouped(struct arena *a, const char *plain)
{
	struct buf b = BUF_EMPTY;
	if (*plain == '-') {
		buf_str(&b, "\xe2\x88\x92");
		plain++;
	}
	size_t whole = strspn(plain, "0123456789");
	for (size_t i = 0; i < whole; i++) {
		if (i && (whole - i) % 3 == 0)
			buf_char(&b, ',');
		buf_char(&b, plain[i]);
	}
	buf_str(&b, plain + whole);
	const char *text = arena_string(a, buf_view(&b));
	buf_free(&b);
	return text;
}

const char *metric_unit(enum metric_id metric)
{
	enum unit u = metric_get(metric)->unit;
	return metric == METRIC_IOPS ? "IOPS" : u == UNIT_ONE ? "" : unit_name(u);
}

enum { WIDEST = 2000 }; /* greatest / least of a column that still shares a unit */

/* Digits before the point; below 0.1 the zeros behind it, negative. */
static int digits_before(double v)
{
	return (int)floor(log10(v) + 1e-12) + 1;
}

static void pick_unit(struct scale *s, double greatest, enum metric_id metric)
{
	static const struct {
		enum unit base;
		double factor;
		const char *unit;
	} units[] = {
		{ UNIT_S, 1, "s" },
		{ UNIT_S, 1e-3, "ms" },
		{ UNIT_S, 1e-6, "\xc2\xb5s" },
		{ UNIT_S, 1e-9, "ns" },
		{ UNIT_B, 1099511627776.0, "TiB" },
		{ UNIT_B, 1073741824.0, "GiB" },
		{ UNIT_B, 1048576.0, "MiB" },
		{ UNIT_B, 1024.0, "KiB" },
		{ UNIT_B, 1, "B" },
		{ UNIT_B_PER_S, 1073741824.0, "GiB/s" },
		{ UNIT_B_PER_S, 1048576.0, "MiB/s" },
		{ UNIT_B_PER_S, 1024.0, "KiB/s" },
		{ UNIT_B_PER_S, 1, "B/s" },
	};
	s->factor = 1;
	s->unit = metric_unit(metric);
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		if (units[i].base != s->base)
			continue;
		s->factor = units[i].factor;
		s->unit = units[i].unit;
		if (greatest >= units[i].factor)
			return;
	}
}

struct scale scale_of(struct arena *a, const double *v, size_t n, enum metric_id metric, int digits)
{
	(void)a;
	double greatest = 0, least = INFINITY;
	for (size_t i = 0; i < n; i++) {
		double m = fabs(v[i]);
		if (!isfinite(m) || m == 0)
			continue;
		greatest = fmax(greatest, m);
		least = fmin(least, m);
	}
	struct scale s = { .base = metric_get(metric)->unit, .digits = digits };
	if (greatest == 0) {
		s.factor = 1;
		s.unit = metric_unit(metric);
		return s;
	}
	pick_unit(&s, greatest, metric);
	if (greatest / least > WIDEST && s.base != UNIT_ONE) {
		s.mixed = true;
		s.unit = "";
		return s;
	}
	/* The greatest gets `digits` significant digits, the least as many where it is near, else three. */
	int for_greatest = digits - digits_before(greatest / s.factor);
	int for_least = (greatest / least < 10 ? digits : 3) - digits_before(least / s.factor);
	s.decimals = for_least > for_greatest ? for_least : for_greatest;
	if (s.decimals < 0)
		s.decimals = 0;
	return s;
}

const char *show(struct arena *a, double value, enum unit u, int digits)
{
	char text[64];
	quantity_show(text, sizeof text, value, u, digits);
	return text_grouped(a, text);
}

const char *show_signed(struct arena *a, double value, enum unit u, int digits)
{
	return arena_printf(a, "%s%s", value > 0 ? "+" : "", show(a, value, u, digits));
}

const char *scale_show(struct arena *a, const struct scale *s, double value)
{
	if (!isfinite(value))
		return "\xe2\x80\x93";
	if (value == 0)
		return "0";
	if (s->mixed)
		return show(a, value, s->base, s->digits);
	return text_grouped(a, arena_printf(a, "%.*f", s->decimals, value / s->factor));
}

const char *show_share(struct arena *a, double ratio)
{
	return text_grouped(a, arena_printf(a, "%.*f %%", fabs(ratio) < 1 ? 1 : 0, 100 * ratio));
}

const char *show_ratio(struct arena *a, double ratio)
{
	int decimals = ratio >= 100  ? 0
		       : ratio >= 10 ? 1
		       : ratio >= .1 ? 3
		       : ratio > 0   ? 2 - (int)floor(log10(ratio))
				     : 0;
	return text_grouped(a, arena_printf(a, "%.*f", decimals > 9 ? 9 : decimals, ratio));
}

const char *show_size(struct arena *a, struct slice bytes)
{
	double v;
	if (num_double(bytes, &v) != NUM_OK)
		return arena_string(a, bytes);
	static const char *const unit[] = { "B", "KiB", "MiB", "GiB" };
	size_t k = 0;
	while (k < 3 && v >= 1024 && fmod(v, 1024) == 0) {
		v /= 1024;
		k++;
	}
	return arena_printf(a, "%.10g %s", v, unit[k]);
}

const char *show_time(struct arena *a, double unix_time)
{
	if (!isfinite(unix_time) || fabs(unix_time) > 1e11)
		return NULL;
	time_t t = (time_t)floor(unix_time);
	struct tm tm;
	char text[32];
	if (!gmtime_r(&t, &tm) || !strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &tm))
		return NULL;
	return arena_string(a, slice_of(text));
}

static int by_key(const void *x, const void *y)
{
	const struct param *const *a = x, *const *b = y;
	size_t n = (*a)->key.n < (*b)->key.n ? (*a)->key.n : (*b)->key.n;
	int c = memcmp((*a)->key.p, (*b)->key.p, n);
	return c ? c : ((*a)->key.n > (*b)->key.n) - ((*a)->key.n < (*b)->key.n);
}

static bool excluded(struct slice key, const char *const *without)
{
	for (; without && *without; without++)
		if (slice_is(key, *without))
			return true;
	return false;
}

/* By key, a result's own before its job's. */
static size_t gather(
	const struct param **v, struct params own, struct params inherited, const char *const *without)
{
	size_t n = 0;
	for (size_t i = 0; i < own.n; i++)
		if (!excluded(own.v[i].key, without))
			v[n++] = &own.v[i];
	for (size_t i = 0; i < inherited.n; i++)
		if (!excluded(inherited.v[i].key, without) && !params_find_slice(own, inherited.v[i].key))
			v[n++] = &inherited.v[i];
	if (n > 1)
		qsort(v, n, sizeof *v, by_key);
	return n;
}

const char *show_params(struct arena *a, struct params own, struct params inherited, const char *const *without)
{
	const struct param **v = ARENA_ARRAY(a, own.n + inherited.n + 1, const struct param *);
	size_t n = gather(v, own, inherited, without);
	struct buf b = BUF_EMPTY;
	for (size_t i = 0; i < n; i++) {
		buf_printf(&b, "%s%.*s=", i ? " " : "", SLICE_ARG(v[i]->key));
		bool quote = slice_find_char(v[i]->value, ' ') != (size_t)-1;
		buf_printf(&b, quote ? "\"%.*s\"" : "%.*s", SLICE_ARG(v[i]->value));
	}
	const char *text = arena_string(a, buf_view(&b));
	buf_free(&b);
	return text;
}

static void put_words(struct arena *a, struct buf *b, const struct param *p)
{
	static const char *const sizes[] = { "bs", "size", "block_size", "transfer_size", NULL };
	static const char *const telling[] = { "op", "endpoint", "device", "server", "direction", "disk", NULL };
	static const char *const flags[] = { "cached", "direct", "reverse", "keepalive", NULL };
	if (slice_is(p->value, "yes") || (slice_is(p->value, "1") && excluded(p->key, flags))) {
		buf_slice(b, p->key);
	} else if (excluded(p->key, sizes)) {
		buf_str(b, show_size(a, p->value));
	} else {
		for (size_t i = 0; i < p->key.n && !excluded(p->key, telling); i++)
			buf_char(b, p->key.p[i] == '_' ? ' ' : p->key.p[i]);
		buf_str(b, excluded(p->key, telling) ? "" : " ");
		buf_slice(b, p->value);
	}
}

const char *show_words(struct arena *a, struct params own, struct params inherited, const char *const *without)
{
	const struct param **v = ARENA_ARRAY(a, own.n + inherited.n + 1, const struct param *);
	size_t n = gather(v, own, inherited, without);
	struct buf b = BUF_EMPTY;
	for (size_t i = 0; i < n; i++) {
		buf_str(&b, i ? ", " : "");
		put_words(a, &b, v[i]);
	}
	const char *text = arena_string(a, buf_view(&b));
	buf_free(&b);
	return text;
}

const char *short_label(struct arena *a, const char *label, size_t most)
{
	struct slice s = slice_of(label);
	size_t bytes = 0, letters = 0;
	while (bytes < s.n && letters < most) {
		size_t n = utf8_length(slice_from(s, bytes));
		bytes += n ? n : 1;
		letters++;
	}
	if (bytes >= s.n)
		return label;
	return arena_printf(a, "%.*s\xe2\x80\xa6", (int)bytes, label);
}

struct scale axis_scale(struct arena *a, double most, struct scale scale)
{
	if (scale.factor == 1 && most >= 1e7) {
		scale.factor = 1e6;
		scale.unit = arena_printf(a, "million %s", scale.unit);
	}
	return scale;
}
