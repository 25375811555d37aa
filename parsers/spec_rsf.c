/* SPEC CPU's raw files (.rsf): "spec.cpu2017.key: value", long values in numbered parts. */
#include "parsers/rules.h"
#include "parsers/spec_block.h"
#include "parsers/spec_file.h"

#include "base/num.h"

struct state {
	struct spec_file *file;
	struct spec_row *row;     /* that the last key of a run belonged to */
	struct slice row_key;     /* "500_perlbench_r.base.000" */
	bool speed;               /* of that row */
	struct spec_cell mean[SPEC_TUNES], energy[SPEC_TUNES];
	struct slice units;
	/* The packed value that is being collected. */
	struct buf packed;
	struct slice packed_key, packed_benchmark;
	enum spec_tune packed_tune;
	struct pos packed_pos;
	size_t unpacked;          /* in all; no more than UNPACKED */
};

enum { UNPACKED = 64 << 20 };

static struct spec_file *the_file(struct rules *r, struct slice year)
{
	struct state *s = r->state;
	if (!s->file)
		s->file = spec_file_new(r->parse, SPEC_RSF);
	s->file->tool = spec_tool(year);
	return s->file;
}

static struct slice keep(const struct rules *r, struct slice s)
{
	return r->text->copied && s.p ? arena_copy(r->parse->arena, s) : s;
}

static struct spec_cell cell_of(const struct rules *r, struct slice value)
{
	return (struct spec_cell){ .text = keep(r, value), .pos = rules_pos(r, value.p) };
}

/* A value that touches the end of the data may be cut. */
static bool cut(struct rules *r, struct slice value)
{
	if (!r->text->cut)
		return false;
	rules_diag(r, DIAG_WARNING, rules_pos(r, value.p), "the line may be cut here: nothing of it is reported");
	return true;
}

/* ---- packed values ---- */

static bool holds(struct slice text, struct slice part)
{
	return slice_find(text, part) != (size_t)-1;
}

/* 'O: OPTIMIZE="-O3 -march=native"': the flags that are not for portability. */
static void take_flags(struct spec_file *f, const struct state *s, struct slice text)
{
	struct buf b = BUF_EMPTY;
	struct slice line, name;
	while (slice_cut(&text, '\n', &line)) {
		if (!slice_starts(line, "O: ") || !slice_cut(&line, '"', &name))
			continue;
		struct slice flags = slice_trim(line.n ? slice_head(line, line.n - 1) : SLICE(""));
		if (flags.n && !holds(buf_view(&b), flags))
			buf_printf(&b, "%s%.*s", b.n ? " " : "", SLICE_ARG(flags));
	}
	if (b.n)
		spec_file_attr(f, arena_printf(f->parse->arena, "%s_optimization_flags.%.*s", spec_tune_name(s->packed_tune),
			SLICE_ARG(s->packed_benchmark)), buf_view(&b), s->packed_pos);
	buf_free(&b);
}

/* "gcc version 7.3.0 (Ubuntu 7.3.0-27)", "… Compiler … Version 17.0.4.196" */
static void take_compiler(struct spec_file *f, const struct state *s, struct slice text)
{
	struct slice line;
	while (slice_cut(&text, '\n', &line)) {
		line = slice_trim(line);
		if (line.n > 200 || slice_starts(line, "Configured") ||
			(!holds(line, SLICE(" version ")) && !holds(line, SLICE(" Version "))))
			continue;
		for (size_t i = 0; i < f->n_attrs; i++)
			if (slice_is(f->attrs[i].key, "compiler_version") && holds(f->attrs[i].value, line))
				return;
		spec_file_attr(f, "compiler_version", line, s->packed_pos);
	}
}

static void end_packed(struct rules *r)
{
	struct state *s = r->state;
	struct slice text;
	const char *problem;
	if (!s->packed.n)
		return;
	if (s->unpacked > UNPACKED)
		rules_diag(r, DIAG_NOTE, s->packed_pos, "more than %d MiB are packed in this file: not unpacked",
			UNPACKED >> 20);
	else if (!spec_block_decode(r->parse->arena, buf_view(&s->packed), &text, &problem))
		rules_diag(r, DIAG_WARNING, s->packed_pos,
			"the packed value of %.*s %s: what was used to build it is not known",
			SLICE_ARG(s->packed_benchmark), problem);
	else {
		s->unpacked += text.n;
		if (slice_is(s->packed_key, "compopts"))
			take_flags(s->file, s, text);
		else
			take_compiler(s->file, s, text);
	}
	buf_free(&s->packed);
}

static struct slice benchmark_of(const struct rules *r, struct slice key)
{
	char *name = arena_alloc(r->parse->arena, key.n + 1);
	memcpy(name, key.p, key.n);
	if (key.n > 3 && name[3] == '_')
		name[3] = '.';
	return (struct slice){ name, key.n };
}

static bool on_packed(struct rules *r)
{
	enum { YEAR, KEY, PART, BENCHMARK, TUNE, VALUE };
	struct state *s = r->state;
	struct slice value = rules_group(r, VALUE);
	the_file(r, rules_group(r, YEAR));
	if (slice_is(rules_group(r, PART), "000")) {
		end_packed(r);
		s->packed_key = keep(r, rules_group(r, KEY));
		s->packed_benchmark = benchmark_of(r, rules_group(r, BENCHMARK));
		s->packed_tune = slice_is(rules_group(r, TUNE), "peak") ? SPEC_PEAK : SPEC_BASE;
		s->packed_pos = rules_here(r);
	}
	if (s->packed.n <= SPEC_BLOCK_PACKED && !cut(r, value))
		buf_slice(&s->packed, value);
	return true;
}

/* ---- runs ---- */

/* The row of "500_perlbench_r.base.000"; NULL: too many. */
static struct spec_row *row_of(
	struct rules *r, struct spec_file *f, struct slice name, struct slice tune, struct slice n)
{
	struct state *s = r->state;
	struct slice key = { name.p, (size_t)(n.p + n.n - name.p) };
	uint64_t place = 0;
	if (s->row && slice_eq(s->row_key, key))
		return s->row;
	s->row = spec_file_row(f, rules_here(r));
	s->row_key = arena_copy(r->parse->arena, key);
	s->speed = false;
	if (s->row) {
		num_u64(n, &place);
		s->row->benchmark = benchmark_of(r, name);
		s->row->tune = slice_is(tune, "peak") ? SPEC_PEAK : SPEC_BASE;
		s->row->iteration = (unsigned)place + 1;
	}
	return s->row;
}

static void take_figure(const struct rules *r, struct spec_row *row, struct slice key, struct slice value)
{
	static const struct {
		const char *key;
		enum spec_figure figure;
	} known[] = {
		{ "reported_time", SPEC_TIME }, { "ratio", SPEC_RATIO }, { "energy", SPEC_ENERGY }, { "avg_power", SPEC_POWER },
		{ "max_power", SPEC_POWER_MAX }, { "energy_ratio", SPEC_ENERGY_RATIO },
	};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (slice_is(key, known[i].key))
			row->cell[known[i].figure] = cell_of(r, value);
}

/* Keys come in their alphabet's order: the mode behind the copies, the threads behind the mode. */
static bool on_run(struct rules *r)
{
	enum { YEAR, NAME, TUNE, NUMBER, KEY, PART, VALUE };
	struct state *s = r->state;
	struct slice key = rules_group(r, KEY), value = slice_trim(rules_group(r, VALUE));
	struct spec_file *f = the_file(r, rules_group(r, YEAR));
	if (cut(r, value))
		return true;
	struct spec_row *row = row_of(r, f, rules_group(r, NAME), rules_group(r, TUNE), rules_group(r, NUMBER));
	if (!row)
		return true;
	if (slice_is(key, "benchmark") && spec_is_benchmark(value))
		row->benchmark = keep(r, value);
	else if (slice_is(key, "copies") || slice_is(key, "clcopies"))
		row->parallel = keep(r, value);
	else if ((slice_is(key, "runmode") && slice_is(value, "speed")) ||
		 (slice_is(key, "rate") && slice_is(value, "0"))) {
		s->speed = row->threads = true;
		row->parallel = SLICE_NONE;
	} else if (slice_is(key, "threads") && s->speed)
		row->parallel = keep(r, value);
	else if (slice_is(key, "selected"))
		row->selected = slice_is(value, "1");
	else if (slice_is(key, "valid"))
		row->status = keep(r, value);
	else if (slice_is(key, "reference"))
		row->reference = keep(r, value);
	else if (slice_is(key, "errors") && !row->reason.n)
		row->reason = keep(r, value);
	else
		take_figure(r, row, key, value);
	return true;
}

/* ---- the rest ---- */

static bool is_attribute(struct slice key)
{
	static const char *const own[] = { "fw_bios", "license_num", "test_date", "test_sponsor", "tester", "runmode",
		"power_management", NULL };
	for (size_t i = 0; own[i]; i++)
		if (slice_is(key, own[i]))
			return true;
	return slice_starts(key, "hw_") || slice_starts(key, "sw_");
}

static void take_key(struct rules *r, struct spec_file *f, struct slice key, struct slice value)
{
	struct state *s = r->state;
	struct pos pos = rules_pos(r, value.p);
	double time;
	if (is_attribute(key))
		spec_file_attr(f, arena_string(r->parse->arena, key), value, pos);
	else if (slice_is(key, "basemean") || slice_is(key, "peakmean"))
		s->mean[key.p[0] == 'p'] = cell_of(r, value);
	else if (slice_is(key, "baseenergymean") || slice_is(key, "peakenergymean"))
		s->energy[key.p[0] == 'p'] = cell_of(r, value);
	else if (slice_is(key, "invalid")) {
		f->valid = slice_is(value, "0") ? 1 : slice_is(value, "1") ? 0 : -1;
		f->valid_cell = (struct spec_cell){ .text = slice_of(arena_printf(
							    r->parse->arena, "invalid: %.*s", SLICE_ARG(value))),
			.pos = rules_pos(r, key.p) };
	} else if (slice_is(key, "errors"))
		spec_file_banner(f, value, pos);
	else if (slice_is(key, "name"))
		f->suite_name = keep(r, value);
	else if (slice_is(key, "rate"))
		f->rate = slice_is(value, "1");
	else if (slice_is(key, "size"))
		f->size = keep(r, value);
	else if (slice_is(key, "suitever"))
		f->version = keep(r, value);
	else if (slice_is(key, "lognum"))
		spec_file_attr(f, "run_number", value, pos);
	else if (slice_is(key, "time") && num_double(value, &time) == NUM_OK)
		spec_file_attr(f, "started", value, pos);
}

static bool on_key(struct rules *r)
{
	enum { YEAR, KEY, PART, VALUE };
	struct slice value = slice_trim(rules_group(r, VALUE));
	struct spec_file *f = the_file(r, rules_group(r, YEAR));
	/* A leak of the tool. */
	if (!cut(r, value) && !slice_starts(value, "HASH(0x"))
		take_key(r, f, rules_group(r, KEY), value);
	return true;
}

/* Without a status a run may have failed. */
static void drop_unfinished(struct rules *r, struct spec_file *f)
{
	size_t n = f->n_rows < SPEC_ROWS ? f->n_rows : SPEC_ROWS, kept = 0;
	for (size_t i = 0; i < n; i++) {
		if (f->rows[i].status.n)
			f->rows[kept++] = f->rows[i];
		else
			rules_diag(r, DIAG_WARNING, f->rows[i].pos, "%.*s %s, run %u has no status: nothing of it is reported",
				SLICE_ARG(f->rows[i].benchmark), spec_tune_name(f->rows[i].tune), f->rows[i].iteration);
	}
	f->n_rows = kept;
}

static enum status whole(struct rules *r)
{
	struct state *s = r->state;
	struct spec_file *f = s->file;
	if (!f)
		return STATUS_REJECT;
	end_packed(r);
	drop_unfinished(r, f);
	const struct spec_suite *suite = f->tool ? spec_suite_by_name(f->tool, f->suite_name, f->rate) : NULL;
	for (int t = 0; suite && t < SPEC_TUNES; t++) {
		const char *names[] = { suite->metric[t], suite->energy[t] };
		const struct spec_cell *cells[] = { &s->mean[t], &s->energy[t] };
		for (size_t i = 0; i < 2; i++) {
			/* Most runs measure no energy. */
			bool there = cells[i]->text.n && (i == 0 || !slice_is(cells[i]->text, "--"));
			struct spec_metric *m = there && names[i] ? spec_file_metric(f, slice_of(names[i]), cells[i]->pos) : NULL;
			if (m)
				m->cell = *cells[i];
		}
	}
	return spec_file_finish(f);
}

#define PREFIX "spec\\.cpu(?<year>20\\d\\d)\\."

static const struct rule rsf_rules[] = {
	{
		.id = "run",
		.action = on_run,
		.pattern = PREFIX
		"results\\.(?<name>\\w{1,60})\\.(?<tune>base|peak)\\.(?<number>\\d{3})\\.(?<key>[a-z_]{1,40}+)"
		"(?<part>\\d{3})?: ?(?<value>.*)$",
		.sample = "spec.cpu2017.results.500_perlbench_r.base.000.reported_time: 26.191907",
		.fields = FIELDS(KEEP("year"), KEEP("name"), KEEP("tune"), KEEP("number"), KEEP("key"), KEEP("part"),
			KEEP("value")),
	},
	{
		.id = "packed",
		.action = on_packed,
		.pattern = PREFIX
		"(?<key>compopts|compvers)(?<part>\\d{3})\\.(?<name>\\w{1,60})\\.(?<tune>base|peak): (?<value>.*)$",
		.sample = "spec.cpu2017.compopts000.500_perlbench_r.base: @eNrVU1tv2jAUfudX",
		.fields = FIELDS(KEEP("year"), KEEP("key"), KEEP("part"), KEEP("name"), KEEP("tune"), KEEP("value")),
	},
	{
		.id = "key",
		.action = on_key,
		.pattern = PREFIX "(?<key>[a-z_]{1,60}+)(?<part>\\d{3})?: ?(?<value>.*)$",
		.sample = "spec.cpu2017.hw_cpu_name: Intel Core i5-7500",
		.fields = FIELDS(KEEP("year"), KEEP("key"), KEEP("part"), KEEP("value")),
	},
	{ .id = NULL }
};

static const struct ruleset set = {
	.tool = "spec-cpu2017", .rules = rsf_rules, .state_size = sizeof(struct state), .whole = whole,
};

static int probe(const struct peek *peek)
{
	size_t at = slice_find(peek->head, SLICE("spec.cpu20"));
	if (at == (size_t)-1 || (at && peek->head.p[at - 1] != '\n'))
		return 0;
	return slice_find(peek->head, SLICE("\n# =============== do not edit below this point ==")) != (size_t)-1
		|| slice_find(peek->head, SLICE(".results.")) != (size_t)-1 ? 8 * 40 : 0;
}

const struct parser parser_spec_rsf = {
	.name = "spec-cpu-rsf", .title = "SPEC CPU raw file", .tool = "spec-cpu2017", .probe = probe, .rules = &set,
};
