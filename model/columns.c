#include "model/columns.h"

#include "base/num.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

const char *const result_column_names[RESULT_COLUMNS] = { "subject", "tool", "version", "test", "params", "metric",
	"stat", "value", "unit", "n", "time", "source", "line", "text" };

static int by_key(const void *a, const void *b)
{
	const struct param *const *x = a, *const *y = b;
	int c = slice_cmp((*x)->key, (*y)->key);
	return c ? c : slice_cmp((*x)->value, (*y)->value);
}

static bool listed(const char *const *keys, struct slice key)
{
	while (keys && *keys)
		if (slice_is(key, *keys++))
			return true;
	return false;
}

/* key=value separated by blanks, sorted by key; a result's own param hides its job's. */
struct slice result_params(struct arena *a, const struct result *r, const char *const *without)
{
	struct params job = r->job ? r->job->params : (struct params){ NULL, 0 };
	size_t n = 0;
	const struct param **all = ARENA_ARRAY(a, r->params.n + job.n + 1, const struct param *);
	for (size_t i = 0; i < r->params.n; i++)
		if (!listed(without, r->params.v[i].key))
			all[n++] = &r->params.v[i];
	for (size_t i = 0; i < job.n; i++)
		if (!params_find_slice(r->params, job.v[i].key) && !listed(without, job.v[i].key))
			all[n++] = &job.v[i];
	if (n > 1)
		qsort(all, n, sizeof *all, by_key);
	struct buf b = BUF_EMPTY;
	for (size_t i = 0; i < n; i++) {
		struct slice v = all[i]->value;
		bool quote = v.n == 0 || slice_find_char(v, ' ') != (size_t)-1;
		buf_printf(&b, "%s%.*s=%s", i ? " " : "", SLICE_ARG(all[i]->key), quote ? "\"" : "");
		buf_slice(&b, v);
		buf_str(&b, quote ? "\"" : "");
	}
	struct slice text = arena_copy(a, buf_view(&b));
	buf_free(&b);
	return text;
}

static struct slice number_text(struct arena *a, double v)
{
	char text[NUM_FORMAT_SIZE];
	return arena_copy(a, (struct slice){ text, num_format(text, v) });
}

/* ISO 8601 UTC, with milliseconds where there are any. */
static struct slice time_text(struct arena *a, double t)
{
	time_t whole;
	struct tm tm;
	char text[40];
	if (isnan(t) || t < 0 || t > 253402300799.0)
		return SLICE("");
	whole = (time_t)floor(t);
	gmtime_r(&whole, &tm);
	size_t n = strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &tm);
	int ms = (int)((t - floor(t)) * 1000);
	n += (size_t)snprintf(text + n, sizeof text - n, ms ? ".%03dZ" : "Z", ms);
	return arena_copy(a, (struct slice){ text, n });
}

/* When it was measured, or else its job or its run began. */
double result_time(const struct run *run, const struct result *r)
{
	if (!isnan(r->time))
		return r->time;
	return r->job && !isnan(r->job->started) ? r->job->started : run->started;
}

static struct slice source_name(const struct run *run, const struct result *r)
{
	const struct source *source = r->q.pos.source ? r->q.pos.source : run->source;
	return slice_of(source ? source->name : "");
}

struct slice result_column(struct arena *a, const struct run *run, const struct result *r, enum result_column column)
{
	const struct quantity *q = &r->q;
	switch (column) {
	case COLUMN_SUBJECT: return run->subject;
	case COLUMN_TOOL: return run->tool;
	case COLUMN_VERSION: return run->version;
	case COLUMN_TEST: return result_test(r);
	case COLUMN_PARAMS: return result_params(a, r, NULL);
	case COLUMN_METRIC: return slice_of(metric_get(r->metric)->name);
	case COLUMN_STAT: return r->stat;
	case COLUMN_VALUE: return q->missing ? SLICE("") : number_text(a, q->value);
	case COLUMN_UNIT: return slice_of(unit_name(q->unit));
	case COLUMN_N: return r->n ? arena_u64(a, r->n) : SLICE("");
	case COLUMN_TIME: return time_text(a, result_time(run, r));
	case COLUMN_SOURCE: return source_name(run, r);
	case COLUMN_LINE: return arena_u64(a, q->pos.line);
	case COLUMN_TEXT: return q->suffix ? slice_of(arena_printf(a, "%.*s%s", SLICE_ARG(q->text), q->suffix)) : q->text;
	case RESULT_COLUMNS: break;
	}
	return SLICE("");
}

/* Params and time cost most and change least. */
static void share(struct columns *c, const struct run *run, const struct result *r)
{
	double time = result_time(run, r);
	bool first = c->run != run, timeless = isnan(time) && isnan(c->time);
	if (first || c->job != r->job || c->params.v != r->params.v || c->params.n != r->params.n)
		c->v[COLUMN_PARAMS] = result_column(&c->shared, run, r, COLUMN_PARAMS);
	if (first || (c->time != time && !timeless))
		c->v[COLUMN_TIME] = result_column(&c->shared, run, r, COLUMN_TIME);
	c->run = run;
	c->job = r->job;
	c->params = r->params;
	c->time = time;
}

void columns_row(struct columns *c, const struct run *run, const struct result *r)
{
	static const enum result_column ready[] = { COLUMN_SUBJECT, COLUMN_TOOL, COLUMN_VERSION, COLUMN_TEST, COLUMN_METRIC,
		COLUMN_STAT, COLUMN_UNIT, COLUMN_SOURCE };
	share(c, run, r);
	for (size_t i = 0; i < sizeof ready / sizeof *ready; i++)
		c->v[ready[i]] = result_column(NULL, run, r, ready[i]);
	c->v[COLUMN_VALUE] = (struct slice){ c->value, r->q.missing ? 0 : num_format(c->value, r->q.value) };
	c->v[COLUMN_N] = (struct slice){ c->n, r->n ? num_format_u64(c->n, r->n) : 0 };
	c->v[COLUMN_LINE] = (struct slice){ c->line, num_format_u64(c->line, r->q.pos.line) };
	c->v[COLUMN_TEXT] = r->q.text;
	if (r->q.suffix) {
		buf_clear(&c->text);
		buf_slice(&c->text, r->q.text);
		buf_str(&c->text, r->q.suffix);
		c->v[COLUMN_TEXT] = buf_view(&c->text);
	}
}

void columns_free(struct columns *c)
{
	arena_free(&c->shared);
	buf_free(&c->text);
	*c = COLUMNS_NONE;
}
