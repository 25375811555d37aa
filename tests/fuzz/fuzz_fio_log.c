/* A log of fio of any kind, in pieces of any size: the first byte says which name, the second how long the pieces are.
 * Whatever the pieces, the results are the same. */
#include "ingest/collect.h"
#include "parsers/fio_logs.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
extern const struct parser parser_fio_log;

struct pieces {
	struct feed feed;
	struct slice rest;
	size_t step;
};

static size_t read_piece(struct feed *f, char *into, size_t size)
{
	struct pieces *p = (struct pieces *)f;
	size_t n = p->step < size ? p->step : size;
	n = n < p->rest.n ? n : p->rest.n;
	memcpy(into, p->rest.p, n);
	p->rest = slice_from(p->rest, n);
	return n;
}

static void read_as(const char *name, struct slice text, size_t step, struct buf *out)
{
	struct arena arena = ARENA_EMPTY, scratch = ARENA_EMPTY;
	struct dataset d;
	dataset_init(&d, &arena);
	struct source source = source_of(name, SLICE_NONE);
	struct pieces pieces = { .feed = { .read = read_piece }, .rest = text, .step = step };
	struct collect c = { .dataset = &d, .source = &source };
	struct parse p = { .source = &source, .arena = &scratch, .sink = &collect_sink, .ctx = &c, .feed = &pieces.feed };
	struct peek peek = { .name = slice_of(name), .head = slice_head(text, PEEK_SIZE) };
	buf_printf(out, "%d %d\n", parser_fio_log.probe(&peek), parser_run(&parser_fio_log, &p));
	for (size_t i = 0; i < d.n_runs; i++)
		for (size_t k = 0; k < d.runs[i]->n_results; k++) {
			const struct result *r = &d.runs[i]->results[k];
			if (!isfinite(r->q.value) || r->q.value < 0)
				abort();
			buf_printf(out, "%d %.*s %.17g\n", r->metric, SLICE_ARG(r->stat), r->q.value);
		}
	for (size_t i = 0; i < d.n_runs; i++)
		for (size_t k = 0; k < d.runs[i]->n_series; k++)
			if (d.runs[i]->series[k].n > LOG_SLOTS)
				abort();
	arena_free(&scratch);
	arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = { "a_bw.log", "a_iops.1.log", "a_lat.log", "read_slat.2.log", "write_clat.log",
		"a_clat_hist.1.log" };
	if (size < 2)
		return 0;
	const char *name = names[data[0] % (sizeof names / sizeof *names)];
	struct slice text = { (const char *)data + 2, size - 2 };
	struct buf whole = BUF_EMPTY, parts = BUF_EMPTY;
	read_as(name, text, SIZE_MAX, &whole);
	read_as(name, text, data[1] + 1u, &parts);
	if (!slice_eq(buf_view(&whole), buf_view(&parts)))
		abort();
	buf_free(&whole);
	buf_free(&parts);
	return 0;
}
