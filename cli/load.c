/* What every command that reads shares: options to loader, and the progress line. */
#define _DEFAULT_SOURCE
#include "cli/cli.h"

#include "ingest/detect.h"
#include "ingest/walk.h"

#include <math.h>
#include <time.h>
#include <unistd.h>

struct progress {
	struct load *load;
	size_t total; /* files on disk to read */
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

static void count_file(void *ctx, const struct walk_item *item)
{
	size_t *total = ctx;
	*total += !item->is_stdin;
}

static void count_nothing(void *ctx, const char *directory)
{
	(void)ctx;
	(void)directory;
}

/* How much there is to read, so that the line can say how far it is. What can't be read is said when it is its turn. */
static size_t count_files(const struct options *o)
{
	struct arena arena = ARENA_EMPTY;
	struct diags diags;
	size_t total = 0;
	diags_init(&diags, &arena);
	struct walk w = { .file = count_file, .directory_done = count_nothing, .ctx = &total, .diags = &diags };
	for (size_t i = 0; i < o->n_paths; i++)
		walk_path(&w, o->paths[i].path);
	arena_free(&arena);
	return total;
}

/* 4,120 */
static const char *grouped(char out[32], size_t n)
{
	char digits[24];
	int length = snprintf(digits, sizeof digits, "%zu", n), k = 0;
	for (int i = 0; i < length; i++) {
		if (i > 0 && (length - i) % 3 == 0)
			out[k++] = ',';
		out[k++] = digits[i];
	}
	out[k] = '\0';
	return out;
}

static void draw(void *ctx)
{
	struct progress *p = ctx;
	const struct load *l = p->load;
	double t = now(), passed = fmax(t - p->started, 1e-3);
	if (t - p->drawn < 0.1)
		return;
	char rate[32], done[32], total[32], damaged[32];
	double left = l->walked ? passed / (double)l->walked * (double)(p->total - l->walked) : 0;
	quantity_show(rate, sizeof rate, (double)l->bytes / passed, UNIT_B_PER_S, 2);
	fprintf(stderr, "\r\033[K %3.0f %%  %s of %s files  %s  %s damaged  %.0f:%02d left",
		p->total ? 100 * (double)l->walked / (double)p->total : 0.0, grouped(done, l->walked), grouped(total, p->total),
		rate, grouped(damaged, l->damaged), floor(left / 60), (int)fmod(left, 60));
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
	p.total = show ? count_files(o) : 0;
	p.started = p.drawn = now();
	l->limit = READ_LIMIT;
	l->threads = o->jobs > 1 ? o->jobs : 0;
	l->set = (struct params){ o->set, o->n_set };
	l->study = o->study;
	l->ctx = &p;
	l->batch = batch ? on_batch : NULL;
	l->progress = show ? draw : NULL;
	for (size_t i = 0; i < o->n_paths; i++)
		load_path(l, o->paths[i].path, o->paths[i].subject);
	load_finish(l);
	if (show && p.drawn > p.started)
		fputs("\r\033[K", stderr);
	if (!l->unusable)
		return true;
	if (batch)
		batch(ctx);
	else
		print_diags(o, &l->dataset->diags);
	return false;
}
