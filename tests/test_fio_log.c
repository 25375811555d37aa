#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/digits.h"
#include "ingest/collect.h"
#include "model/over_time.h"
#include "parsers/fio_logs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

extern const struct parser parser_fio_log, parser_fio_log_ns, parser_fio_log_us;

/* Bytes in pieces of at most `step`, the first of `first`. */
struct pieces {
	struct feed feed;
	struct slice rest;
	size_t first, step;
};

static size_t read_piece(struct feed *f, char *into, size_t size)
{
	struct pieces *p = (struct pieces *)f;
	size_t n = p->first ? p->first : p->step;
	p->first = 0;
	n = n < size ? n : size;
	n = n < p->rest.n ? n : p->rest.n;
	memcpy(into, p->rest.p, n);
	p->rest = slice_from(p->rest, n);
	return n;
}

struct reading {
	struct arena arena, scratch;
	struct dataset dataset;
	struct source source;
	enum status status;
	struct buf said; /* all results and diagnostics as text */
};

static void put_run(struct buf *b, const struct run *run)
{
	for (size_t i = 0; i < run->n_results; i++) {
		const struct result *r = &run->results[i];
		const struct param *op = result_param(r, "op"), *log = result_param(r, "log");
		buf_printf(b, "%.*s %.*s %.*s %s %.*s ", SLICE_ARG(result_test(r)), SLICE_ARG(log->value), SLICE_ARG(op->value),
			metric_get(r->metric)->name, SLICE_ARG(r->stat));
		buf_double(b, r->q.value);
		buf_char(b, '\n');
	}
	for (size_t i = 0; i < run->n_series; i++) {
		const struct series *s = &run->series[i];
		buf_printf(b, "series %s %zu:", metric_get(s->metric)->name, s->n);
		for (size_t k = 0; k < s->n; k++)
			buf_printf(b, " %g=%g@%u", s->points[k].t, s->points[k].value, s->points[k].pos.line);
		buf_char(b, '\n');
	}
}

static void reading_of(struct reading *r, const struct parser *parser, const char *name, struct feed *feed)
{
	*r = (struct reading){ .source = source_of(name, SLICE_NONE) };
	dataset_init(&r->dataset, &r->arena);
	struct collect collect = { .dataset = &r->dataset, .source = &r->source };
	struct parse p = { .source = &r->source, .arena = &r->scratch, .sink = &collect_sink, .ctx = &collect, .feed = feed };
	r->status = parser_run(parser, &p);
	for (size_t i = 0; i < r->dataset.n_runs; i++)
		put_run(&r->said, r->dataset.runs[i]);
	for (const struct diag *d = r->dataset.diags.first; d; d = d->next)
		diag_format(&r->said, d, false);
	buf_char(&r->said, '\0');
}

static void reading_text(struct reading *r, const char *name, struct slice text)
{
	struct feed_bytes bytes = feed_of(text, NULL);
	reading_of(r, &parser_fio_log, name, &bytes.feed);
}

static void reading_free(struct reading *r)
{
	buf_free(&r->said);
	arena_free(&r->arena);
	arena_free(&r->scratch);
}

static double value_of(const struct reading *r, enum metric_id metric, const char *stat, const char *op)
{
	assert_int_equal(r->dataset.n_runs, 1);
	const struct result *found = run_find(r->dataset.runs[0], NULL, metric, stat, op);
	return found ? found->q.value : NAN;
}

static const char rows[] =
	"0, 64022, 0, 4096, 0\n0, 51796, 1, 4096, 0\r\n0, 51, 1, 65536, 0\njunk, 1\n12, 99999999, 0, 4096, 1\n"
	"1034, 29283, 2, 512, 0\n1034, 123456789012, 0, 4096, 0\n2034, 7, 0, 4096, 0\n3500, 8, 0, 4096, 0\n\n4000,9,0,4096,0\n";

/* Wherever the input is cut into pieces, it says the same. */
static void pieces_of_any_size_read_alike(void **state)
{
	struct reading whole, part;
	(void)state;
	reading_text(&whole, "x_clat.1.log", SLICE(rows));
	assert_int_equal(whole.status, STATUS_WARN);
	assert_true(value_of(&whole, METRIC_SAMPLES, "count", "read") == 6);
	for (size_t step = 1; step < sizeof rows; step++) {
		struct pieces p = { .feed = { .read = read_piece }, .rest = SLICE(rows), .first = step, .step = step % 7 + 1 };
		reading_of(&part, &parser_fio_log, "x_clat.1.log", &p.feed);
		assert_string_equal(part.said.p, whole.said.p);
		reading_free(&part);
	}
	reading_free(&whole);
}

/* No cut at any byte gives a value that the whole has not. */
static void no_cut_invents_a_row(void **state)
{
	static const char text[] = "0, 64022, 0, 4096, 0\n0, 51796, 0, 4096, 0\n1, 70001, 0, 16384, 0\n";
	struct reading r;
	(void)state;
	for (size_t cut = 1; cut < sizeof text - 1; cut++) {
		reading_text(&r, "x_lat.1.log", (struct slice){ text, cut });
		double want = cut < 21 ? NAN : cut < 41 ? 1 : 2; /* 41: all but the line end is there */
		double n = r.dataset.n_runs ? value_of(&r, METRIC_SAMPLES, "count", "read") : NAN;
		assert_true(n == want || (isnan(n) && isnan(want)));
		reading_free(&r);
	}
}

struct truth {
	uint64_t n[3], sum[3], bytes[3];
	uint64_t *values[3];
};

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

/* A log far longer than a block, with what it holds. `form`: 0 four columns, 1 priority, 2 offset and priority, 3 with
 * time of issue. */
static struct slice make_log(struct arena *a, int form, size_t n, const char *pad, struct truth *t)
{
	char *text = arena_alloc(a, n * 64 + 64);
	size_t at = (size_t)sprintf(text, "%s", pad);
	uint64_t x = 88172645463325252u, time = 0;
	*t = (struct truth){ { 0 }, { 0 }, { 0 }, { NULL, NULL, NULL } };
	for (int i = 0; i < 3; i++)
		t->values[i] = ARENA_ARRAY(a, n, uint64_t);
	for (size_t i = 0; i < n; i++) {
		x ^= x << 13, x ^= x >> 7, x ^= x << 17;
		unsigned ddir = x % 10 < 7 ? 0 : x % 10 < 9 ? 1 : 2, bs = (x >> 8) % 5 ? 4096 : 131072;
		uint64_t value = (x >> 20) % (ddir == 2 ? 99999999 : 250000) + 1;
		time += (x >> 50) % 4 == 0;
		at += (size_t)sprintf(text + at, "%llu, %llu, %u, %u", (unsigned long long)time, (unsigned long long)value, ddir, bs);
		if (form >= 2)
			at += (size_t)sprintf(text + at, ", %llu", (unsigned long long)(x >> 30) % 1000000 * 4096);
		if (form >= 1)
			at += (size_t)sprintf(text + at, ", 0");
		if (form >= 3)
			at += (size_t)sprintf(text + at, ", %zu", i);
		text[at++] = '\n';
		t->sum[ddir] += value;
		t->bytes[ddir] += bs;
		t->values[ddir][t->n[ddir]++] = value;
	}
	return (struct slice){ text, at };
}

static void assert_close(double a, double b, double off)
{
	if (!(fabs(a - b) <= off * fabs(b)))
		fail_msg("%.17g is not %.17g", a, b);
}

static void check_long(int form, size_t n, const char *pad)
{
	struct arena arena = ARENA_EMPTY;
	struct truth t;
	struct reading r;
	reading_text(&r, "x_clat.1.log", make_log(&arena, form, n, pad, &t));
	assert_int_equal(r.status, *pad ? STATUS_WARN : STATUS_OK);
	for (int i = 0; i < 3; i++) {
		const char *op = fio_log_op_name[i];
		uint64_t *v = t.values[i];
		double unit = 1e-9; /* without a priority, for the values' age */
		qsort(v, t.n[i], sizeof *v, by_value);
		assert_true(value_of(&r, METRIC_SAMPLES, "count", op) == (double)t.n[i]);
		assert_close(value_of(&r, METRIC_COMPLETION_LATENCY, "mean", op), (double)t.sum[i] / (double)t.n[i] * unit, 1e-12);
		assert_close(value_of(&r, METRIC_COMPLETION_LATENCY, "min", op), (double)v[0] * unit, 1e-12);
		assert_close(value_of(&r, METRIC_COMPLETION_LATENCY, "max", op), (double)v[t.n[i] - 1] * unit, 1e-12);
		double off = t.n[i] < LOG_EXACT ? 1e-12 : 1 / 128.0;
		assert_close(value_of(&r, METRIC_COMPLETION_LATENCY, "p50", op), (double)v[(t.n[i] + 1) / 2 - 1] * unit, off);
		assert_close(value_of(&r, METRIC_COMPLETION_LATENCY, "p99", op), (double)v[(t.n[i] * 99 + 99) / 100 - 1] * unit, off);
	}
	reading_free(&r);
	arena_free(&arena);
}

/* Blocks end inside rows, at every place of one. */
static void long_logs_are_read_whole(void **state)
{
	(void)state;
	for (int form = 0; form < 4; form++)
		for (size_t pad = 0; pad < 40; pad += 3) {
			char line[64] = "";
			memset(line, 'x', pad);
			if (pad)
				line[pad - 1] = '\n';
			check_long(form, 13000, line);
		}
	check_long(1, 400000, "");
	check_long(2, 200000, "");
}

/* What is kept of two logs gives the percentiles of all their values, which those of each don't. */
static void spreads_join(void **state)
{
	struct arena arena = ARENA_EMPTY;
	struct truth t[2];
	struct reading r;
	static const size_t sizes[] = { 3000, 90000 };
	(void)state;
	for (int op = 0; op < 3; op++) {
		struct hist h = { .n = 0 };
		size_t n = 0;
		uint64_t *all = ARENA_ARRAY(&arena, sizes[0] + sizes[1], uint64_t);
		for (int i = 0; i < 2; i++) {
			reading_text(&r, "x_clat.1.log", make_log(&arena, 1, sizes[i], "", &t[i]));
			const struct spread *s = run_spread(r.dataset.runs[0], fio_log_op_name[op]);
			assert_non_null(s);
			assert_int_equal(s->metric, METRIC_COMPLETION_LATENCY);
			assert_true(s->unit == 1e-9 && s->bytes == t[i].bytes[op] && s->hist.n == t[i].n[op]);
			assert_true(hist_total(&s->hist) == (double)t[i].sum[op]);
			assert_true(hist_merge_packed(&h, &s->hist));
			memcpy(all + n, t[i].values[op], t[i].n[op] * sizeof *all);
			n += t[i].n[op];
			reading_free(&r);
		}
		qsort(all, n, sizeof *all, by_value);
		assert_true(h.n == n);
		assert_close(hist_percentile(&h, 50), (double)all[(n + 1) / 2 - 1], 1 / 128.0);
		assert_close(hist_percentile(&h, 99), (double)all[(n * 99 + 99) / 100 - 1], 1 / 128.0);
	}
	/* Means over windows say nothing of how I/Os are spread. */
	reading_text(&r, "x_clat.1.log", SLICE("500, 9164, 0, 0, 0\n1000, 9164, 0, 0, 0\n"));
	assert_null(run_spread(r.dataset.runs[0], "read"));
	reading_free(&r);
	arena_free(&arena);
}

/* One I/O a millisecond from `begin` on, its latency as many ns as the millisecond says, in thousands by the second; each
 * tenth is a write of 7 µs. */
static struct slice steps_log(struct buf *b, uint64_t begin, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		buf_printf(b, "%llu, %u, %u, 4096, 0\n", (unsigned long long)(begin + i),
			i % 10 ? 1000 * (i / 1000 + 1) + i % 1000 : 7000, i % 10 == 0);
	return buf_view(b);
}

/* What a step's window must show: of 1,000 I/Os in a second, of those that are reads, in their order. */
static void check_second(const struct spread *s, size_t window, unsigned second)
{
	double low = 1000 * (second + 1);
	assert_true(s->windows[window].hist.n == 900);
	assert_close(over_time_value(s, window, 0), (low + 499) * 1e-9, 0.01);
	assert_close(over_time_value(s, window, 1), (low + 989) * 1e-9, 0.01);
	assert_true(isnan(over_time_value(s, window, 2))); /* p99.9 takes 1,000 */
}

/* Each window's percentiles are those of its own I/Os; what is too long for windows of a second gets longer ones. */
static void percentiles_over_time(void **state)
{
	struct buf b = BUF_EMPTY;
	struct reading r;
	(void)state;
	reading_text(&r, "x_clat.1.log", steps_log(&b, 0, 60500));
	const struct spread *s = run_spread(r.dataset.runs[0], "read");
	assert_int_equal(s->n_windows, 61);
	for (unsigned i = 0; i < 60; i++) {
		assert_true(s->windows[i].from == i && s->windows[i].to == i + 1);
		assert_int_equal(s->windows[i].line, 1000 * i + 2); /* the first row is a write */
		check_second(s, i, i);
	}
	assert_true(s->windows[60].from == 60 && s->windows[60].to == 60.5);
	assert_close(over_time_value(run_spread(r.dataset.runs[0], "write"), 5, 1), 7e-6, 0.01);
	reading_free(&r);
	buf_clear(&b);
	reading_text(&r, "x_clat.1.log", steps_log(&b, 0, 300000));
	s = run_spread(r.dataset.runs[0], "read");
	assert_int_equal(s->n_windows, 25); /* of 12 s, which make up a minute */
	for (size_t i = 0; i < 25; i++) {
		assert_true(s->windows[i].to - s->windows[i].from == 12 && s->windows[i].hist.n == 10800);
		assert_close(over_time_value(s, i, 0), (12 * (double)i + 7) * 1e-6, 0.01);
		assert_close(over_time_value(s, i, 2), (12 * (double)i + 12.988) * 1e-6, 0.01);
	}
	struct series p99 = over_time_series(&r.arena, r.dataset.runs[0], NULL, s, 1);
	assert_true(p99.n == 25 && p99.interval > 11.7 && p99.interval <= 12 && slice_is(p99.stat, "p99"));
	reading_free(&r);
	buf_free(&b);
}

/* Logs in Unix time (log_unix_epoch) or of another clock count from their first row, as others do from 0. */
static void other_clocks(void **state)
{
	static const uint64_t begins[] = { 1764511200000, 1764511200777, 86400000 };
	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct buf b = BUF_EMPTY;
		struct reading r;
		reading_text(&r, "x_clat.1.log", steps_log(&b, begins[i], 5500));
		const struct run *run = r.dataset.runs[0];
		const struct spread *s = run_spread(run, "read");
		assert_int_equal(s->n_windows, 6); /* less than half of one is added to the one before */
		assert_true(s->windows[1].from == 1 && s->windows[1].to == 2);
		assert_true(run->series[0].n == (begins[i] % 1000 ? 6 : 5) && run->series[0].points[1].value == 900);
		if (begins[i] % 1000 == 0)
			check_second(s, 2, 2);
		assert_true(i == 2 ? isnan(run->started) : run->started == (double)(begins[i] / 1000));
		assert_non_null(strstr(r.said.p, "its clock did not begin with the job"));
		reading_free(&r);
		buf_free(&b);
	}
}

/* A histogram log's windows are its rows, joined while they are too many. */
static void histograms_over_time(void **state)
{
	(void)state;
	static const unsigned log_rows[] = { 3, 102, 201, 300, 800 };
	for (size_t length = 0; length < sizeof log_rows / sizeof *log_rows; length++) {
		unsigned n_rows = log_rows[length];
		struct buf b = BUF_EMPTY;
		struct reading r;
		for (unsigned i = 1; i <= n_rows; i++) {
			buf_printf(&b, "%u, 0, 4096", 5000 * i + 3);
			for (unsigned k = 0; k < 1856; k++)
				buf_printf(&b, ", %u", k == 70 + i % 40 ? 200u : 0u);
			buf_char(&b, '\n');
		}
		reading_text(&r, "h_clat_hist.1.log", buf_view(&b));
		const struct spread *s = run_spread(r.dataset.runs[0], "read");
		unsigned per = n_rows <= 64 ? 1 : n_rows <= 128 ? 2 : n_rows <= 256 ? 4 : n_rows <= 768 ? 12 : 60;
		assert_int_equal(s->n_windows, (n_rows + per - 1) / per);
		assert_true(s->windows[0].from == 0.003 && s->windows[0].to == 5 * per + 0.003);
		assert_true(s->windows[s->n_windows - 1].to == 5 * n_rows + 0.003);
		assert_int_equal(s->windows[1].line, per + 1);
		assert_true(per > 1 || over_time_value(s, 1, 0) == 72e-9);
		uint64_t n = 0;
		for (size_t i = 0; i < s->n_windows; i++)
			n += s->windows[i].hist.n;
		assert_int_equal(n, 200 * n_rows);
		reading_free(&r);
		buf_free(&b);
	}
}

/* The series has every I/O of the full seconds, and no more points than it may. */
static void rates_over_time(void **state)
{
	struct arena arena = ARENA_EMPTY;
	struct truth t;
	struct reading r;
	(void)state;
	reading_text(&r, "x_clat.1.log", make_log(&arena, 1, 40000, "", &t));
	const struct run *run = r.dataset.runs[0];
	assert_int_equal(run->n_series, 6);
	double n = 0, bytes = 0;
	assert_int_equal(run->series[0].metric, METRIC_IOPS);
	assert_int_equal(run->series[1].metric, METRIC_BANDWIDTH);
	assert_int_equal(run->series[0].n, 9);
	for (size_t i = 0; i < run->series[0].n; i++) {
		n += run->series[0].points[i].value;
		bytes += run->series[1].points[i].value;
	}
	assert_true(n > 0.88 * (double)t.n[0] && n < (double)t.n[0]);
	assert_true(bytes > 0.85 * (double)t.bytes[0] && bytes < (double)t.bytes[0]);
	reading_free(&r);
	reading_text(&r, "x_lat.log", SLICE("0, 5, 0, 4096\n20000000, 6, 0, 4096\n90000000000, 7, 0, 4096\n90000000001, 8, 0, 4096\n"));
	run = r.dataset.runs[0];
	assert_true(run->n_series == 2 && run->series[0].n <= LOG_SLOTS);
	n = 0;
	for (size_t i = 0; i < run->series[0].n; i++)
		n += run->series[0].points[i].value * run->series[0].interval;
	assert_close(n, 2, 1e-9);
	reading_free(&r);
	arena_free(&arena);
}

static void windows_stay_bounded(void **state)
{
	struct buf b = BUF_EMPTY;
	struct reading r;
	(void)state;
	for (unsigned i = 1; i <= 10000; i++)
		buf_printf(&b, "%u, %u, 1, 0, 0\n", i * 500, i % 2 ? 100 : 300);
	reading_text(&r, "x_iops.1.log", buf_view(&b));
	const struct series *s = r.dataset.runs[0]->series;
	assert_int_equal(s->n, 2500);
	for (size_t i = 0; i < s->n; i++)
		assert_true(s->points[i].value == 200);
	assert_close(s->interval, 2, 1e-9);
	assert_close(value_of(&r, METRIC_IOPS, "mean", "write"), 200, 1e-12);
	reading_free(&r);
	buf_free(&b);
}

static void units(void **state)
{
	static const struct {
		const char *name, *rows;
		double unit; /* NAN: not told */
	} cases[] = {
		{ "x_slat.log", "500, 9164, 0, 0, 0\n500, 9164, 1, 0, 0\n", 1e-9 },    /* a priority */
		{ "x_slat.log", "500, 9164, 0, 0, 0x0000\n", 1e-9 },
		{ "x_slat.log", "5, 9164, 0, 4096, 0\n", NAN },                       /* one row: an offset, too */
		{ "x_slat.log", "500, 9164, 0, 4096, 8192\n501, 9164, 0, 4096, 512\n", NAN },
		{ "x_clat.log", "500, 9164, 0, 0\n", NAN },
		{ "x_clat.log", "500, 99, 0, 0\n", 1e-6 },                            /* too short for ns */
		{ "x_clat.log", "500, 100, 0, 0\n", NAN },
		{ "x_clat.log", "500, 0, 0, 0\n", NAN },
		{ "x_slat.log", "500, 99, 0, 0\n", NAN },                             /* submission can be as short */
		{ "x_clat.log", "2, 9164000, 0, 4096\n", 1e-9 },                      /* 9 s at 2 ms */
		{ "x_clat.log", "2, 9164, 0, 4096\n", NAN },
		{ "x_clat.log", "2, 9164000, 0, 4096\n2, 50, 0, 4096\n", 1e-9 },      /* the first rule that holds */
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct reading r;
		reading_text(&r, cases[i].name, slice_of(cases[i].rows));
		enum metric_id metric = cases[i].name[2] == 's' ? METRIC_SUBMISSION_LATENCY : METRIC_COMPLETION_LATENCY;
		double mean = value_of(&r, metric, "mean", "read");
		double first = strtod(strchr(cases[i].rows, ' '), NULL);
		if (isnan(cases[i].unit) ? !isnan(mean) : !(fabs(mean - first * cases[i].unit) <= 1e-3 * first * cases[i].unit) && i < 11)
			fail_msg("%zu: %s%s", i, cases[i].rows, r.said.p);
		assert_int_equal(r.dataset.runs[0]->n_open > 0, isnan(cases[i].unit));
		reading_free(&r);
	}
	struct reading r;
	struct feed_bytes b = feed_of(SLICE("500, 9164, 0, 0\n"), NULL);
	reading_of(&r, &parser_fio_log_us, "x_clat.log", &b.feed);
	assert_close(value_of(&r, METRIC_COMPLETION_LATENCY, "mean", "read"), 9164e-6, 1e-12);
	reading_free(&r);
	b = feed_of(SLICE("500, 9164, 0, 0\n"), NULL);
	reading_of(&r, &parser_fio_log_ns, "x_clat.log", &b.feed);
	assert_close(value_of(&r, METRIC_COMPLETION_LATENCY, "mean", "read"), 9164e-9, 1e-12);
	reading_free(&r);
}

static void names(void **state)
{
	static const struct {
		const char *name, *test, *host;
		enum fio_log_kind kind;
	} cases[] = {
		{ "a_bw.log", "a", "", LOG_BW },
		{ "a_b_iops.12.log", "a_b", "", LOG_IOPS },
		{ "fio-2.17_clat_hist.1.log", "fio-2.17", "", LOG_CLAT_HIST },
		{ "x_slat.1.log.10.0.0.1", "x", "10.0.0.1", LOG_SLAT },
		{ "run.log_lat.log", "run.log", "", LOG_LAT },
		{ "x_clat.1.logs", "x_clat.1.logs", "", LOG_KINDS },
		{ "clat.log", "clat.log", "", LOG_KINDS },
		{ "_clat.log", "", "", LOG_CLAT },
		{ ".log", ".log", "", LOG_KINDS },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct fio_log_name n = fio_log_name_of(slice_of(cases[i].name));
		if (n.kind != cases[i].kind || !slice_is(n.test, cases[i].test) || !slice_is(n.host, cases[i].host))
			fail_msg("%s: %d '%.*s' '%.*s'", cases[i].name, n.kind, SLICE_ARG(n.test), SLICE_ARG(n.host));
	}
}

static int bid(const char *name, const char *text)
{
	struct peek peek = { .name = slice_of(name), .head = slice_of(text) };
	return parser_fio_log.probe(&peek);
}

static void only_logs_are_claimed(void **state)
{
	(void)state;
	assert_true(bid("a_clat.1.log", "0, 1, 0, 4096\n") > 0);
	assert_true(bid("a_clat.1.log", "0, 1, 0, 4096, 8192, 0x0000") > 0);
	assert_true(bid("a_clat.1.log", "") > 0);
	assert_int_equal(bid("a.log", "0, 1, 0, 4096\n"), 0);
	assert_int_equal(bid("data.csv", "0, 1, 0, 4096\n"), 0);
	assert_int_equal(bid("a_clat.1.log", "0, 1, 0\n"), 0);
	assert_int_equal(bid("a_clat.1.log", "1,2,3,4,5,6,7,8,9\n"), 0);
	assert_int_equal(bid("a_clat.1.log", "time, value, ddir, bs\n"), 0);
	assert_int_equal(bid("a_bw.log", "0.5, 1, 0, 4096\n"), 0);
	assert_int_equal(bid("a_clat_hist.1.log", "0, 1, 0, 4096\n"), 0);
}

/* Every coarseness of both eras. */
static void histograms(void **state)
{
	(void)state;
	for (int ns = 0; ns < 2; ns++)
		for (unsigned c = 0; c < 8; c++) {
			struct buf b = BUF_EMPTY;
			size_t bins = (size_t)(ns ? 1856 : 1216) >> c;
			struct reading r;
			buf_str(&b, "1000, 0, 4096");
			for (size_t i = 0; i < bins; i++)
				buf_printf(&b, ", %zu", i == 5 ? (size_t)3 : i == 9 ? (size_t)1 : (size_t)0);
			buf_char(&b, '\n');
			reading_text(&r, "h_clat_hist.2.log", buf_view(&b));
			if (c == 7) {
				assert_int_equal(r.status, STATUS_REJECT);
			} else {
				double unit = ns ? 1e-9 : 1e-6, p50 = value_of(&r, METRIC_COMPLETION_LATENCY, "p50", "read");
				assert_true(value_of(&r, METRIC_SAMPLES, "count", "read") == 4);
				assert_true(c ? isnan(p50) : p50 == 5 / (ns ? 1e9 : 1e6));
				assert_true(c || fabs(value_of(&r, METRIC_COMPLETION_LATENCY, "p99", "read") - 9 * unit) < 1e-15);
			}
			reading_free(&r);
			buf_free(&b);
		}
}

/* fio 3.16 writes histograms into memory that it never set: what no run can have done voids its row, whether or not a
 * bin could hold it. */
static void garbage_voids_its_row(void **state)
{
	static const struct { const char *count; bool void_row; } cases[] = { { "1", false }, { "500000000", false },
		{ "203407572155", true }, { "1099511627776", true }, { "18446744073709551615", true },
		{ "99999999999999999999", true } };
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf b = BUF_EMPTY;
		struct reading r;
		for (int row = 1; row < 4; row++) {
			buf_printf(&b, "%d, 0, 4096", 500 * row);
			for (size_t k = 0; k < 1856; k++)
				buf_printf(&b, ", %s", k == 100 ? "200" : k == 900 && row == 2 ? cases[i].count : "0");
			buf_char(&b, '\n');
		}
		reading_text(&r, "h_clat_hist.1.log", buf_view(&b));
		double n = value_of(&r, METRIC_SAMPLES, "count", "read");
		assert_true(cases[i].void_row ? n == 400 : n > 600);
		assert_int_equal(r.status, cases[i].void_row ? STATUS_WARN : STATUS_OK);
		reading_free(&r);
		buf_free(&b);
	}
}

/* What falls into the last bin may be as slow as it likes: no percentile there, neither in total nor over time. */
static void last_bin_has_no_percentile(void **state)
{
	(void)state;
	for (int ns = 0; ns < 2; ns++) {
		struct buf b = BUF_EMPTY;
		struct reading r;
		size_t bins = ns ? 1856 : 1216;
		for (int row = 1; row < 4; row++) {
			buf_printf(&b, "%d000, 1, 4096", row);
			for (size_t i = 0; i < bins; i++)
				buf_printf(&b, ", %d", i == 300 ? 500 : i == bins - 1 ? 10 : 0);
			buf_char(&b, '\n');
		}
		reading_text(&r, "h_clat_hist.1.log", buf_view(&b));
		assert_close(value_of(&r, METRIC_COMPLETION_LATENCY, "p50", "write"), hist_value(300) * (ns ? 1e-9 : 1e-6), 1e-9);
		assert_true(isnan(value_of(&r, METRIC_COMPLETION_LATENCY, "p99", "write")));
		assert_true(isnan(value_of(&r, METRIC_COMPLETION_LATENCY, "p99.9", "write")));
		const struct spread *s = run_spread(r.dataset.runs[0], "write");
		assert_true(isfinite(over_time_value(s, 1, 0)) && isnan(over_time_value(s, 1, 1)));
		reading_free(&r);
		buf_free(&b);
	}
}

static void hostile_inputs(void **state)
{
	static const struct {
		const char *text;
		enum status status;
	} cases[] = {
		{ "", STATUS_OK },
		{ "\n", STATUS_REJECT },
		{ "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n", STATUS_REJECT },
		{ "1, 2, 3", STATUS_REJECT },
		{ "18446744073709551615, 5, 0, 0\n18446744073709551615, 18446744073709551615, 0, 0\n", STATUS_WARN },
		{ "18446744073709551616, 5, 0, 0\n", STATUS_REJECT },
		{ "1, 99999999999999999999999999, 0, 4096\n", STATUS_REJECT },
		{ "-1, 5, 0, 0\n", STATUS_REJECT },
		{ "1, 5, 7, 0\n", STATUS_REJECT },
		{ "0x1, 5, 0, 4096\n", STATUS_REJECT },
		{ "1, 5, 0, 4096, 0xfffffffff\n", STATUS_REJECT },
	};
	struct reading r;
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		reading_text(&r, "x_clat.log", slice_of(cases[i].text));
		if (r.status != cases[i].status)
			fail_msg("%s: %d\n%s", cases[i].text, r.status, r.said.p);
		reading_free(&r);
	}
	/* A line longer than any row, between good ones. */
	struct buf b = BUF_EMPTY;
	buf_str(&b, "1, 50, 0, 4096\n");
	for (int i = 0; i < 3 * LOG_BLOCK; i++)
		buf_char(&b, '1');
	buf_str(&b, ", 5, 0, 4096\n2, 60, 0, 4096\n2, x\n");
	reading_text(&r, "x_clat.log", buf_view(&b));
	assert_true(value_of(&r, METRIC_SAMPLES, "count", "read") == 2);
	assert_non_null(strstr(r.said.p, ":4:1: warning: '2, x'"));
	reading_free(&r);
	buf_free(&b);
}

static void digits(void **state)
{
	static const char *const numbers[] = { "0", "7", "42", "1234567", "12345678", "123456789", "1000000000000000",
		"12345678901234567", "18446744073709551615", "000000000000000000000000000042" };
	(void)state;
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		for (const char *behind = ",\n \xff/:"; *behind; behind++) {
			char text[64 + DIGITS_PAD] = "";
			uint64_t value = 1;
			snprintf(text, sizeof text, "%s%c9999999", numbers[i], *behind);
			const char *end = digits_read(text, &value);
			assert_ptr_equal(end, text + strlen(numbers[i]));
			assert_true(value == strtoull(numbers[i], NULL, 10));
		}
	char none[64] = "x1", large[64] = "18446744073709551616";
	uint64_t value = 5;
	assert_null(digits_read(none, &value));
	assert_null(digits_read(none + 2, &value));
	assert_null(digits_read(large, &value));
	assert_true(value == 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(digits),
		cmocka_unit_test(names),
		cmocka_unit_test(only_logs_are_claimed),
		cmocka_unit_test(pieces_of_any_size_read_alike),
		cmocka_unit_test(no_cut_invents_a_row),
		cmocka_unit_test(long_logs_are_read_whole),
		cmocka_unit_test(spreads_join),
		cmocka_unit_test(percentiles_over_time),
		cmocka_unit_test(other_clocks),
		cmocka_unit_test(histograms_over_time),
		cmocka_unit_test(rates_over_time),
		cmocka_unit_test(windows_stay_bounded),
		cmocka_unit_test(units),
		cmocka_unit_test(histograms),
		cmocka_unit_test(garbage_voids_its_row),
		cmocka_unit_test(last_bin_has_no_percentile),
		cmocka_unit_test(hostile_inputs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
