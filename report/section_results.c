/* Results of plain runs: one row per test, one column per figure, and what else a tool printed. */
#include "model/publish.h"
#include "report/component.h"

#include "base/num.h"

#include <math.h>
#include <stdlib.h>

enum { ROWS_SHOWN = 60, ROWS_MAX = 400, COLUMNS_MAX = 16, COLUMNS_FREE = 10 };

struct column {
	enum metric_id metric;
	struct slice stat;
	struct scale scale;
};

struct row {
	const struct run *run;
	struct slice test;
	const char *params;
	const struct result *v[COLUMNS_MAX];
};

struct pivot {
	const struct run **runs;
	struct column column[COLUMNS_MAX];
	struct row *rows;
	size_t n_runs, run_cap, n_columns, n_rows, row_cap, left_out;
	size_t most_columns;
};

/* What of a storage job is worth a column, in order; everything else stays in the results. */
struct preset {
	enum metric_id metric;
	const char *stat;
};
static const struct preset fio_columns[] = {
	{ METRIC_IOPS, "value" },
	{ METRIC_BANDWIDTH, "value" },
	{ METRIC_LATENCY, "mean" },
	{ METRIC_COMPLETION_LATENCY, "mean" },
	{ METRIC_COMPLETION_LATENCY, "p50" },
	{ METRIC_COMPLETION_LATENCY, "p99" },
	{ METRIC_COMPLETION_LATENCY, "p99.9" },
	{ METRIC_COMPLETION_LATENCY, "p99.99" },
	{ METRIC_LATENCY, "max" },
	{ METRIC_ERROR, "value" },
};
static const struct preset load_columns[] = {
	{ METRIC_IOPS, "value" },
	{ METRIC_BANDWIDTH, "value" },
	{ METRIC_LATENCY, "mean" },
	{ METRIC_LATENCY, "p50" },
	{ METRIC_LATENCY, "p99" },
	{ METRIC_LATENCY, "p99.9" },
	{ METRIC_LATENCY, "max" },
	{ METRIC_ERRORS, "count" },
	{ METRIC_CORRUPT, "count" },
};

/* All there is to show of it has a column of its own. */
static bool is_storage(const struct run *r)
{
	const struct param *kind = params_find(r->attrs, "kind");
	return slice_is(r->tool, "fio") || (slice_is(r->tool, "assay-load") && kind && slice_is(kind->value, "storage"));
}

static bool is_fio(const struct run *r)
{
	return slice_is(r->tool, "fio") || slice_is(r->tool, "assay-load");
}

static size_t column_of(struct pivot *p, const struct result *r, bool fixed)
{
	for (size_t i = 0; i < p->n_columns; i++)
		if (p->column[i].metric == r->metric && slice_eq(p->column[i].stat, r->stat))
			return i;
	if (fixed || p->n_columns == p->most_columns)
		return COLUMNS_MAX;
	p->column[p->n_columns] = (struct column){ .metric = r->metric, .stat = r->stat };
	return p->n_columns++;
}

static struct row *row_of(struct document *d, struct pivot *p, const struct run *run, const struct result *r, bool *new)
{
	struct params inherited = r->job ? r->job->params : (struct params){ 0 };
	const char *params = show_params(d->arena, r->params, inherited, NULL);
	for (size_t i = p->n_rows, tried = 0; i-- > 0 && tried < 64; tried++)
		if (p->rows[i].run == run && slice_eq(p->rows[i].test, result_test(r)) &&
			strcmp(p->rows[i].params, params) == 0) {
			*new = false;
			return &p->rows[i];
		}
	*new = true;
	if (p->n_rows == ROWS_MAX) {
		p->left_out++;
		return NULL;
	}
	struct row *row = ARENA_PUSH(d->arena, p->rows, p->n_rows, p->row_cap);
	*row = (struct row){ .run = run, .test = result_test(r), .params = params };
	return row;
}

static void take_run(struct document *d, struct pivot *p, const struct run *run)
{
	bool fixed = is_storage(run);
	for (size_t i = 0; i < run->n_results; i++) {
		const struct result *r = &run->results[i];
		size_t at = column_of(p, r, fixed);
		bool new;
		/* A suite's derived figures stand in its own sections. */
		if (run->n_members && r->flags & RESULT_DERIVED)
			continue;
		if (at == COLUMNS_MAX) {
			p->left_out += !fixed;
			continue;
		}
		struct row *row = row_of(d, p, run, r, &new);
		/* The same figure in another form of the source: the first stands. */
		if (row && (!row->v[at] ||
				   (row->v[at]->flags & RESULT_LOW_PRECISION && !(r->flags & RESULT_LOW_PRECISION))))
			row->v[at] = r;
	}
}

static void drop_empty_columns(struct pivot *p)
{
	size_t kept = 0;
	for (size_t c = 0; c < p->n_columns; c++) {
		bool used = false;
		for (size_t i = 0; i < p->n_rows; i++)
			used |= p->rows[i].v[c] != NULL;
		if (!used)
			continue;
		for (size_t i = 0; i < p->n_rows; i++)
			p->rows[i].v[kept] = p->rows[i].v[c];
		p->column[kept++] = p->column[c];
	}
	p->n_columns = kept;
}

static void fit_columns(struct document *d, struct pivot *p)
{
	double *v = ARENA_ARRAY(d->arena, p->n_rows, double);
	for (size_t c = 0; c < p->n_columns; c++) {
		for (size_t i = 0; i < p->n_rows; i++)
			v[i] = p->rows[i].v[c] && !p->rows[i].v[c]->q.missing ? p->rows[i].v[c]->q.value : NAN;
		p->column[c].scale = scale_of(d->arena, v, p->n_rows, p->column[c].metric, 4);
		bool whole = true;
		for (size_t i = 0; i < p->n_rows; i++)
			whole &= isnan(v[i]) || (v[i] / p->column[c].scale.factor == floor(v[i]) && fabs(v[i]) < 1e7);
		if (whole && p->column[c].scale.factor == 1)
			p->column[c].scale.decimals = 0;
	}
}

static double percentile(struct slice stat)
{
	double p = NAN;
	if (stat.n > 1 && stat.p[0] == 'p')
		num_double(slice_from(stat, 1), &p);
	return p;
}

static const char *column_title(struct document *d, const struct column *c)
{
	static const char *const plain[] = { "value", "count" };
	const char *metric = c->metric == METRIC_IOPS                 ? "IOPS"
			     : c->metric == METRIC_COMPLETION_LATENCY ? "Completion"
								      : metric_get(c->metric)->title;
	if (c->metric == METRIC_COMPLETION_LATENCY && !isnan(percentile(c->stat)))
		return arena_string(d->arena, c->stat);
	for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
		if (slice_is(c->stat, plain[i]))
			return metric;
	return arena_printf(d->arena, "%s %.*s", metric, SLICE_ARG(c->stat));
}

static bool several_sources(const struct pivot *p)
{
	for (size_t i = 1; i < p->n_rows; i++)
		if (p->rows[i].run->source != p->rows[0].run->source)
			return true;
	return false;
}

static struct slice base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slice_of(slash ? slash + 1 : path);
}

static void write_row(struct document *d, const struct pivot *p, const struct row *row, bool sources)
{
	table_row(d);
	struct slice file = row->run->source ? base_name(row->run->source->name) : SLICE_NONE;
	const char *detail = sources && row->test.n ? arena_printf(d->arena, "%s%s%.*s", row->params,
							      *row->params ? ", " : "", SLICE_ARG(file))
						    : row->params;
	cell_detail(d, row->test.n ? row->test : sources && file.n ? file : row->run->tool, detail);
	for (size_t c = 0; c < p->n_columns; c++) {
		const struct result *r = row->v[c];
		if (!r) {
			cell_none(d);
			continue;
		}
		if (r->q.missing) {
			cell(d, "doubt", r->q.text.n ? arena_printf(d->arena, "%.*s%s", SLICE_ARG(r->q.text), publish_mark(r))
						     : "no value");
			continue;
		}
		struct figure f = figure_of(r);
		const char *mark = r->metric == METRIC_ERROR                       ? "bad"
				   : r->flags & (RESULT_SUSPECT | RESULT_REPAIRED) ? "doubt"
										   : NULL;
		cell_figure(d, mark, &f, scale_show(d->arena, &p->column[c].scale, f.value));
	}
	row_end(d);
}

static void write_rows(struct document *d, const struct pivot *p, const char *caption, size_t from, size_t to)
{
	bool sources = several_sources(p);
	table_begin(d, caption);
	table_column(d, "text", "Test", NULL);
	for (size_t c = 0; c < p->n_columns; c++) {
		const char *unit = p->column[c].metric == METRIC_IOPS ? NULL : p->column[c].scale.unit;
		table_column(d, "number", column_title(d, &p->column[c]), unit);
	}
	for (size_t i = from; i < to; i++)
		write_row(d, p, &p->rows[i], sources);
	table_end(d,
		p->left_out ? arena_printf(d->arena,
				      "%zu further figures are left out here; `assay results` prints all.", p->left_out)
			    : NULL);
}

/* The percentile columns of a row as a line. */
static size_t percentile_line(
	struct document *d, const struct pivot *p, const struct row *row, struct chart_series *line)
{
	static const char *const but_op[] = { "op", NULL };
	double *x = ARENA_ARRAY(d->arena, COLUMNS_MAX, double), *y = ARENA_ARRAY(d->arena, COLUMNS_MAX, double);
	size_t n = 0, place = 0;
	for (size_t c = 0; c < p->n_columns; c++) {
		if (p->column[c].metric != METRIC_COMPLETION_LATENCY || isnan(percentile(p->column[c].stat)))
			continue;
		x[n] = (double)place++;
		y[n++] = row->v[c] && !row->v[c]->q.missing ? row->v[c]->q.value : NAN;
	}
	const struct result *any = NULL;
	for (size_t c = 0; c < p->n_columns && !any; c++)
		any = row->v[c];
	const struct param *op = any ? result_param(any, "op") : NULL;
	const char *priority = any && result_of_priority(any) ?
		arena_printf(d->arena, ", %s", show_words(d->arena, any->params, (struct params){ 0 }, but_op)) : "";
	const char *name = arena_printf(d->arena, "%.*s%s%.*s%s", SLICE_ARG(row->test), op ? " " : "",
		op ? (int)op->value.n : 0, op ? op->value.p : "", priority);
	*line = (struct chart_series){ .name = name, .x = x, .y = y, .n = n };
	return n;
}

static void percentile_table(struct document *d, const struct pivot *p, const struct chart *chart)
{
	table_begin(d, "Percentiles of completion latency");
	table_column(d, "text", "Test", NULL);
	struct scale scale = { .factor = chart->y_factor, .unit = chart->y_unit, .decimals = 3 };
	for (size_t c = 0; c < p->n_columns; c++)
		if (p->column[c].metric == METRIC_COMPLETION_LATENCY && !isnan(percentile(p->column[c].stat)))
			table_column(d, "number", arena_string(d->arena, p->column[c].stat), scale.unit);
	for (size_t i = 0; i < chart->n_series; i++) {
		table_row(d);
		cell(d, NULL, chart->series[i].name);
		for (size_t k = 0; k < chart->series[i].n; k++)
			cell(d, NULL, scale_show(d->arena, &scale, chart->series[i].y[k]));
		row_end(d);
	}
	table_end(d, NULL);
}

static void percentile_chart(struct document *d, const struct pivot *p)
{
	struct chart_series lines[CHART_SERIES];
	size_t n = 0, points = 0;
	double lo = INFINITY, hi = 0;
	for (size_t i = 0; i < p->n_rows && n < CHART_SERIES; i++) {
		points = percentile_line(d, p, &p->rows[i], &lines[n]);
		bool any = false;
		for (size_t k = 0; k < points; k++)
			if (isfinite(lines[n].y[k])) {
				any = true;
				lo = fmin(lo, lines[n].y[k]);
				hi = fmax(hi, lines[n].y[k]);
			}
		lines[n].style = (unsigned)n + 1;
		n += any;
	}
	if (n == 0 || points < 3)
		return;
	struct chart *chart = chart_new(d,
		arena_printf(d->arena, "The slowest percentiles reach %s", show(d->arena, hi, UNIT_S, 3)),
		p->n_rows > n ? "Completion latency by percentile, the first jobs" : "Completion latency by percentile",
		arena_printf(d->arena, "Line chart of completion latency by percentile for %zu tests.", n));
	chart->places = ARENA_ARRAY(d->arena, points, const char *);
	for (size_t c = 0; c < p->n_columns; c++)
		if (p->column[c].metric == METRIC_COMPLETION_LATENCY && !isnan(percentile(p->column[c].stat)))
			chart->places[chart->n_places++] = arena_string(d->arena, p->column[c].stat);
	memcpy(chart->series, lines, sizeof lines);
	chart->n_series = n;
	chart->x_title = "percentile";
	struct scale scale = scale_of(d->arena, &hi, 1, METRIC_LATENCY, 3);
	chart->y_factor = scale.factor;
	chart->y_unit = scale.unit;
	chart->log = lo > 0 && hi / lo > 12;
	chart_open(d, chart);
	percentile_table(d, p, chart);
	chart_close(d);
}

static void write_pivot(struct document *d, struct pivot *p)
{
	bool fio = is_fio(p->runs[0]);
	const char *of = fio ? "Jobs; p50 and so on are percentiles of the completion latency" : "Results";
	size_t shown = p->n_rows < ROWS_SHOWN ? p->n_rows : ROWS_SHOWN;
	if (fio)
		percentile_chart(d, p);
	write_rows(d, p, of, 0, shown);
	if (shown == p->n_rows)
		return;
	elem(d, "fold");
	elem_text(d, "title", arena_printf(d->arena, "%zu further rows", p->n_rows - shown));
	write_rows(d, p, of, shown, p->n_rows);
	elem_end(d);
}

static void preset_columns(struct pivot *p, const struct preset *columns, size_t n)
{
	for (size_t i = 0; i < n; i++)
		p->column[p->n_columns++] = (struct column){ .metric = columns[i].metric, .stat = slice_of(columns[i].stat) };
}

/* All results of one tool for a subject; of a suite's files or of plain runs. False when there are none. */
static bool pivot_of(struct document *d, struct pivot *p, struct slice subject, struct slice tool, bool suite)
{
	const struct dataset *data = d->report->data;
	*p = (struct pivot){ .most_columns = slice_is(tool, "assay-load") ? COLUMNS_MAX : COLUMNS_FREE };
	if (slice_is(tool, "fio"))
		preset_columns(p, fio_columns, sizeof fio_columns / sizeof *fio_columns);
	if (slice_is(tool, "assay-load"))
		preset_columns(p, load_columns, sizeof load_columns / sizeof *load_columns);
	for (size_t i = 0; i < data->n_runs; i++) {
		const struct run *r = data->runs[i];
		if (!slice_eq(r->subject, subject) || !slice_eq(r->tool, tool) || (r->suite != NULL) != suite)
			continue;
		*ARENA_PUSH(d->arena, p->runs, p->n_runs, p->run_cap) = r;
		take_run(d, p, r);
	}
	drop_empty_columns(p);
	if (!p->n_rows || !p->n_columns)
		return false;
	fit_columns(d, p);
	return true;
}

static bool first_of_its_tool(const struct dataset *data, size_t at, bool suite)
{
	const struct run *r = data->runs[at];
	if ((r->suite != NULL) != suite)
		return false;
	for (size_t i = 0; i < at; i++) {
		const struct run *before = data->runs[i];
		if (slice_eq(before->subject, r->subject) && slice_eq(before->tool, r->tool) &&
			(before->suite != NULL) == suite)
			return false;
	}
	return true;
}

static void section_begin(struct document *d, struct slice subject, const char *kind, const char *title)
{
	elem(d, "section");
	attr_id(d, "id", "p", ++d->sections);
	attr(d, "kind", kind);
	attr_id(d, "subject", "s", subject_id(d, subject));
	elem_text(d, "title", title);
}

static void write_plain(struct document *d, struct slice subject)
{
	const struct dataset *data = d->report->data;
	struct pivot *p = ARENA_NEW(d->arena, struct pivot);
	for (size_t i = 0; i < data->n_runs; i++) {
		const struct run *r = data->runs[i];
		if (!slice_eq(r->subject, subject) || !first_of_its_tool(data, i, false) ||
			!pivot_of(d, p, subject, r->tool, false))
			continue;
		section_begin(d, subject, is_fio(r) ? "jobs" : "results", arena_string(d->arena, r->tool));
		/* What stands in a section of its own is here for the record. */
		bool told = component_takes(r->tool) || publish_ruled(r);
		if (told) {
			elem(d, "fold");
			elem_text(d, "title", arena_printf(d->arena, "%zu %s of figures", p->n_rows, p->n_rows == 1 ? "row" : "rows"));
		}
		write_pivot(d, p);
		if (told)
			elem_end(d);
		elem_end(d);
	}
}

/* The files of suites: their figures stand in the suite's sections, here as they were printed. */
static void write_printed(struct document *d, struct slice subject)
{
	const struct dataset *data = d->report->data;
	struct pivot *p = ARENA_NEW(d->arena, struct pivot);
	bool any = false;
	for (size_t i = 0; i < data->n_runs; i++) {
		const struct run *r = data->runs[i];
		if (!slice_eq(r->subject, subject) || !first_of_its_tool(data, i, true) ||
			!pivot_of(d, p, subject, r->tool, true))
			continue;
		if (!any)
			section_begin(d, subject, "results", "As printed");
		any = true;
		elem(d, "fold");
		elem_text(d, "title",
			arena_printf(d->arena, "%zu %s of %.*s", p->n_rows, p->n_rows == 1 ? "row" : "rows",
				SLICE_ARG(r->tool)));
		write_rows(d, p, "As the suite's files print it", 0, p->n_rows);
		elem_end(d);
	}
	if (any)
		elem_end(d);
}

void write_results(struct document *d, struct slice subject)
{
	write_plain(d, subject);
	write_printed(d, subject);
}
