/* What every command that reads shares: options to loader, and the progress line. */
#define _DEFAULT_SOURCE
#include "cli/cli.h"

#include "ingest/detect.h"

#include <math.h>
#include <time.h>
#include <unistd.h>

struct progress {
	struct load *load;
	double started, drawn;
	void (*batch)(void *ctx);
	void *ctx;
};

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void draw(void *ctx)
{
	struct progress *p = ctx;
	double t = now();
	if (t - p->drawn < 0.1)
		return;
	char rate[32];
	quantity_show(rate, sizeof rate, (double)p->load->bytes / fmax(t - p->started, 1e-3), UNIT_B_PER_S, 2);
	fprintf(stderr, "\r\033[K  %zu files  %s  %zu damaged", p->load->files, rate, p->load->damaged);
	p->drawn = t;
}

static void on_batch(void *ctx)
{
	struct progress *p = ctx;
	if (p->drawn > p->started) {
		fputs("\r\033[K", stderr);
		p->drawn = p->started;
	}
	p->batch(p->ctx);
}

bool load_all(struct options *o, struct load *l, void (*batch)(void *ctx), void *ctx)
{
	struct progress p = { .load = l, .batch = batch, .ctx = ctx };
	if (o->as && !(l->as = parser_named(o->as))) {
		struct buf b = BUF_EMPTY;
		for (size_t i = 0; parsers[i]; i++)
			buf_printf(&b, "%s%s", i ? ", " : "", parsers[i]->name);
		usage_error("--as %s: there is no such format; there are %.*s", o->as, SLICE_ARG(buf_view(&b)));
		buf_free(&b);
		return false;
	}
	bool show = !o->quiet && isatty(STDERR_FILENO);
	p.started = p.drawn = now();
	l->limit = READ_LIMIT;
	l->ctx = &p;
	l->batch = batch ? on_batch : NULL;
	l->progress = show ? draw : NULL;
	for (size_t i = 0; i < o->n_paths; i++)
		load_path(l, o->paths[i].path, o->paths[i].subject);
	load_finish(l);
	if (show && p.drawn > p.started)
		fputs("\r\033[K", stderr);
	return true;
}
