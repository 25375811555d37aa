#include "parsers/spec_file.h"

#include "base/num.h"

#include <math.h>
#include <stdio.h>

struct spec_file *spec_file_new(struct parse *p, enum spec_form form)
{
	struct spec_file *f = ARENA_NEW(p->arena, struct spec_file);
	*f = (struct spec_file){ .parse = p, .form = form, .valid = -1 };
	return f;
}

void spec_file_diag(struct spec_file *f, enum severity severity, struct pos pos, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	const char *message = arena_vprintf(f->parse->arena, format, args);
	va_end(args);
	f->warned |= severity != DIAG_NOTE;
	f->parse->sink->diag(f->parse->ctx, severity, pos, message);
}

struct spec_row *spec_file_row(struct spec_file *f, struct pos pos)
{
	if (f->n_rows >= SPEC_ROWS) {
		if (f->n_rows++ == SPEC_ROWS)
			spec_file_diag(f, DIAG_ERROR, pos, "more than %d rows in one result: the rest is not read", SPEC_ROWS);
		return NULL;
	}
	struct spec_row *r = ARENA_PUSH(f->parse->arena, f->rows, f->n_rows, f->row_cap);
	r->pos = pos;
	return r;
}

static struct slice without(struct arena *a, struct slice text, const char *mark)
{
	size_t at = slice_find(text, slice_of(mark));
	if (at == (size_t)-1)
		return text;
	struct slice rest = slice_from(text, at + strlen(mark));
	return slice_of(arena_printf(a, "%.*s%.*s", (int)at, text.p, SLICE_ARG(rest)));
}

struct spec_metric *spec_file_metric(struct spec_file *f, struct slice printed, struct pos pos)
{
	enum spec_tune tune;
	bool energy, estimated = slice_starts(printed, "Est. ");
	struct slice name = without(f->parse->arena, slice_from(printed, estimated ? 5 : 0), "(R)");
	const struct spec_suite *suite = spec_suite_by_metric(name, &tune, &energy);
	if (!suite || f->n_metrics >= SPEC_METRICS)
		return NULL;
	struct spec_metric *m = ARENA_PUSH(f->parse->arena, f->metrics, f->n_metrics, f->metric_cap);
	*m = (struct spec_metric){ .name = slice_of(energy ? suite->energy[tune] : suite->metric[tune]), .suite = suite,
		.estimated = estimated, .tune = tune, .energy = energy, .pos = pos, .recomputed = NAN };
	f->estimated |= estimated;
	return m;
}

/* Lines that only continue the one before them. */
static bool continues(struct slice line)
{
	static const char *const begin[] = { "\"unknown\" category", "re-running your test", "http", "for more information",
		"for information about" };
	for (size_t i = 0; i < sizeof begin / sizeof *begin; i++)
		if (slice_starts(line, begin[i]))
			return true;
	return false;
}

void spec_file_banner(struct spec_file *f, struct slice line, struct pos pos)
{
	struct arena *a = f->parse->arena;
	while (line.n && line.p[0] == '#')
		line = slice_from(line, 1);
	while (line.n && line.p[line.n - 1] == '#')
		line.n--;
	line = slice_trim(line);
	if (!line.n || slice_starts(line, "INVALID RUN"))
		return;
	if (f->n_reasons && continues(line)) {
		struct slice *last = &f->reasons[f->n_reasons - 1].text;
		if (last->n < 300 && slice_find(*last, line) == (size_t)-1)
			*last = slice_of(arena_printf(a, "%.*s %.*s", SLICE_ARG(*last), SLICE_ARG(line)));
		return;
	}
	/* The text repeats its banner at the end. */
	for (size_t i = 0; i < f->n_reasons; i++)
		if (slice_eq(slice_head(f->reasons[i].text, line.n), line))
			return;
	if (f->n_reasons < SPEC_NOTES)
		*ARENA_PUSH(a, f->reasons, f->n_reasons, f->reason_cap) = (struct spec_note){ arena_copy(a, line), pos };
	/* "Input set must be 'refrate' for a valid run (set to 'test' for this run)" */
	size_t at = slice_find(line, SLICE("(set to '"));
	struct slice rest = at == (size_t)-1 ? SLICE_NONE : slice_from(line, at + 9), size;
	if (rest.n && !f->size.n && slice_cut(&rest, '\'', &size))
		f->size = arena_copy(a, size);
}

/* Two digits at p, or a large number. */
static int two(const char *p)
{
	return p[0] >= '0' && p[0] <= '9' && p[1] >= '0' && p[1] <= '9' ? (p[0] - '0') * 10 + p[1] - '0' : 1000;
}

static bool zone_of(struct slice text, int *seconds)
{
	text = slice_trim(text);
	if (slice_starts(text, "Coordinated Universal Time") || slice_is(text, "UTC") || slice_is(text, "Z"))
		*seconds = 0;
	else if (text.n >= 5 && (text.p[0] == '+' || text.p[0] == '-'))
		*seconds = (two(text.p + 1) * 60 + two(text.p + 3)) * (text.p[0] == '-' ? -60 : 60);
	else
		return false;
	return *seconds < 86400 && *seconds > -86400;
}

void spec_file_started(struct spec_file *f, struct slice text, struct pos pos)
{
	enum { FORM = 19 }; /* 2021-03-11 02:12:56 */
	int zone;
	text = slice_trim(text);
	if (text.n < FORM || text.p[4] != '-' || text.p[7] != '-' || !zone_of(slice_from(text, FORM), &zone))
		return;
	int year = two(text.p) * 100 + two(text.p + 2), month = two(text.p + 5), day = two(text.p + 8);
	int hour = two(text.p + 11), minute = two(text.p + 14), second = two(text.p + 17);
	if (year > 9999 || month < 1 || month > 12 || day > 31 || hour > 23 || minute > 59 || second > 60)
		return;
	/* Days since 1970 by the civil calendar; March begins the year so that the leap day is its last. */
	long y = month > 2 ? year : year - 1, m = (month + 9) % 12;
	long days = y * 365 + y / 4 - y / 100 + y / 400 + (m * 306 + 5) / 10 + day - 1 - 719468;
	double seconds = (double)days * 86400 + hour * 3600 + minute * 60 + second - zone;
	spec_file_attr(f, "started", slice_of(arena_printf(f->parse->arena, "%.0f", seconds)), pos);
}

static bool placeholder(struct slice value)
{
	static const char *const empty[] = { "", "--", "Not Applicable", "cores", "cores, chips, threads/core" };
	for (size_t i = 0; i < sizeof empty / sizeof *empty; i++)
		if (slice_is(value, empty[i]))
			return true;
	return slice_starts(value, "-1 ") || slice_find(value, SLICE(" -1 ")) != (size_t)-1;
}

void spec_file_attr(struct spec_file *f, const char *key, struct slice value, struct pos pos)
{
	struct arena *a = f->parse->arena;
	value = slice_trim(value);
	if (placeholder(value))
		return;
	for (size_t i = f->n_attrs; i > 0; i--) {
		struct param *p = &f->attrs[i - 1];
		if (!slice_is(p->key, key))
			continue;
		if (p->value.n < 1000)
			p->value = slice_of(arena_printf(a, "%.*s %.*s", SLICE_ARG(p->value), SLICE_ARG(value)));
		return;
	}
	if (f->n_attrs < SPEC_ATTRIBUTES)
		*ARENA_PUSH(a, f->attrs, f->n_attrs, f->attr_cap) = (struct param){
			.key = slice_of(arena_string(a, slice_of(key))), .value = arena_copy(a, value), .pos = pos
		};
}

const char *spec_label_key(struct slice label, bool hardware, unsigned others)
{
	static const struct {
		const char *label, *key;
	} known[] = {
		{ "CPU Name", "hw_cpu_name" },
		{ "Max MHz", "hw_cpu_max_mhz" },
		{ "Nominal", "hw_cpu_nominal_mhz" },
		{ "Enabled", "hw_enabled" },
		{ "Orderable", "hw_ncpuorder" },
		{ "Cache L1", "hw_pcache" },
		{ "L2", "hw_scache" },
		{ "L3", "hw_tcache" },
		{ "Memory", "hw_memory" },
		{ "Storage", "hw_disk" },
		{ "CPU Characteristics", "hw_cpu_char" },
		{ "CPU MHz", "hw_cpu_mhz" },
		{ "FPU", "hw_fpu" },
		{ "CPU(s) enabled", "hw_enabled" },
		{ "CPU(s) orderable", "hw_ncpuorder" },
		{ "Primary Cache", "hw_pcache" },
		{ "Secondary Cache", "hw_scache" },
		{ "L3 Cache", "hw_tcache" },
		{ "Other Cache", "hw_ocache" },
		{ "Disk Subsystem", "hw_disk" },
		{ "Other Hardware", "hw_other" },
		{ "OS", "sw_os" },
		{ "Operating System", "sw_os" },
		{ "Compiler", "sw_compiler" },
		{ "Parallel", "sw_parallel" },
		{ "Auto Parallel", "sw_parallel" },
		{ "Firmware", "fw_bios" },
		{ "File System", "sw_file" },
		{ "System State", "sw_state" },
		{ "Base Pointers", "sw_base_ptrsize" },
		{ "Peak Pointers", "sw_peak_ptrsize" },
		{ "Other Software", "sw_other" },
		{ "Power Management", "power_management" },
		{ "Hardware Vendor", "hw_vendor" },
		{ "Hardware Model", "hw_model" },
		{ "Date tested", "test_date" },
		{ "Test date", "test_date" },
		{ "CPU2006 License", "license_num" },
		{ "CPU2017 License", "license_num" },
		{ "CPU2026 License", "license_num" },
		{ "Test sponsor", "test_sponsor" },
		{ "Tested by", "tester" },
		{ "Hardware avail", "hw_avail" },
		{ "Software avail", "sw_avail" },
		{ "Run number", "run_number" },
		{ "runcpu command", "command" },
		{ "runspec command", "command" },
	};
	label = slice_trim(label);
	while (label.n && (label.p[label.n - 1] == ':' || label.p[label.n - 1] == '.'))
		label.n--;
	if (slice_is(label, "Other"))
		return !hardware ? "sw_other" : others ? "hw_other" : "hw_ocache";
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (slice_is(label, known[i].label))
			return known[i].key;
	return NULL;
}

/* ---- headings ---- */

static bool has(struct slice text, const char *word)
{
	return slice_find(text, slice_of(word)) != (size_t)-1;
}

struct spec_column spec_column_of(struct slice heading)
{
	/* The first whose words are all there. */
	static const struct {
		const char *words[2];
		enum spec_role role;
		enum spec_figure figure;
	} known[] = {
		{ { "Benchmark", NULL }, SPEC_OF_BENCHMARK, 0 },
		{ { "Description", NULL }, SPEC_OF_DESCRIPTION, 0 },
		{ { "Selected", NULL }, SPEC_OF_SELECTED, 0 },
		{ { "Status", NULL }, SPEC_OF_STATUS, 0 },
		{ { "Copies", NULL }, SPEC_OF_PARALLEL, 0 },
		{ { "Threads", NULL }, SPEC_OF_PARALLEL, 0 },
		{ { "Ref", NULL }, SPEC_OF_REFERENCE, 0 },
		{ { "Energy", "Ratio" }, SPEC_OF_FIGURE, SPEC_ENERGY_RATIO },
		{ { "Energy", "Rate" }, SPEC_OF_FIGURE, SPEC_ENERGY_RATIO },
		{ { "Energy", NULL }, SPEC_OF_FIGURE, SPEC_ENERGY },
		{ { "Power", "Max" }, SPEC_OF_FIGURE, SPEC_POWER_MAX },
		{ { "Power", NULL }, SPEC_OF_FIGURE, SPEC_POWER },
		{ { "Time", NULL }, SPEC_OF_FIGURE, SPEC_TIME },
		{ { "Rate", NULL }, SPEC_OF_FIGURE, SPEC_RATIO },
		{ { "Ratio", NULL }, SPEC_OF_FIGURE, SPEC_RATIO },
	};
	struct spec_column c = { .tune = has(heading, "Peak") ? SPEC_PEAK : SPEC_BASE, .threads = has(heading, "Threads"),
		.estimated = has(heading, "Est"), .factor = has(heading, "(kJ)") ? 1e3 : 1 };
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (has(heading, known[i].words[0]) && (!known[i].words[1] || has(heading, known[i].words[1]))) {
			c.role = known[i].role;
			c.figure = known[i].figure;
			break;
		}
	return c;
}

/* ---- rows ---- */

const char *spec_tune_name(enum spec_tune t)
{
	return t == SPEC_PEAK ? "peak" : "base";
}

struct slice spec_row_status(const struct spec_row *r)
{
	return slice_is(r->status, "*") ? SLICE("S") : r->status;
}

bool spec_row_failed(const struct spec_row *r)
{
	static const char *const failed[] = { "CE", "RE", "VE", "NR" };
	for (size_t i = 0; i < sizeof failed / sizeof *failed; i++)
		if (slice_is(r->status, failed[i]))
			return true;
	return false;
}

/* A table that a person shortened may have lost its marks; CSV and raw files always state the status. */
bool spec_row_usable(const struct spec_file *f, const struct spec_row *r)
{
	return slice_is(spec_row_status(r), "S") || (f->form == SPEC_TEXT && r->status.n == 0);
}

double spec_row_copies(const struct spec_row *r)
{
	double n;
	if (r->threads)
		return 1;
	return num_double(r->parallel, &n) == NUM_OK && n > 0 ? n : NAN;
}

/* ---- numbers ---- */

/* CSV and raw files print six decimals without the zeros at their end. Texts print three significant digits: 1810 stands
 * for anything from 1805 to 1815; their times from 1000 on are whole. */
static double half_digit(const struct spec_file *f, const struct spec_cell *c, bool time)
{
	double half = num_half_digit(c->text);
	double value = fabs(c->q.value);
	if (f->form == SPEC_RSF || f->form == SPEC_CSV)
		return fmin(half, 5e-7);
	if (f->form == SPEC_LOG || time || value <= 0)
		return half;
	return fmax(half, 0.5 * pow(10, floor(log10(value) + 1e-12) - 2));
}

static bool says_none(struct slice text)
{
	return slice_is(text, "--") || slice_is(text, "Not Run") || slice_is(text, "NC") || slice_is(text, "NR");
}

/* Figures of 0 or less are marks that there is none: "0.00", a log's "-0.00". */
static void read_cell(struct spec_file *f, struct spec_cell *c, enum unit unit, bool time)
{
	struct slice data = f->parse->source->data;
	c->q = (struct quantity){ .unit = unit, .missing = true, .text = c->text, .pos = c->pos };
	if (c->text.n == 0 || says_none(c->text))
		return;
	if (c->pos.offset + c->text.n >= data.n) {
		spec_file_diag(f, DIAG_WARNING, c->pos, "'%.*s' may be cut here: no value is reported",
			SLICE_ARG(slice_head(c->text, 40)));
		c->text = SLICE_NONE;
		return;
	}
	double value;
	enum num_status s = num_scaled(c->text, c->factor != 0 ? c->factor : 1, &value);
	if (s != NUM_OK) {
		spec_file_diag(f, DIAG_WARNING, c->pos, "'%.*s' %s: no value is reported", SLICE_ARG(slice_head(c->text, 40)),
			num_status_text(s));
		c->text = SLICE_NONE;
		return;
	}
	if (value <= 0)
		return;
	c->q.value = value;
	c->q.missing = false;
	c->q.half_digit = half_digit(f, c, time) * (c->factor != 0 ? c->factor : 1);
	c->known = true;
}

static void read_numbers(struct spec_file *f)
{
	static const enum unit units[SPEC_FIGURES] = { [SPEC_TIME] = UNIT_S,
		[SPEC_RATIO] = UNIT_ONE,
		[SPEC_ENERGY] = UNIT_J,
		[SPEC_POWER] = UNIT_W,
		[SPEC_POWER_MAX] = UNIT_W,
		[SPEC_ENERGY_RATIO] = UNIT_ONE };
	for (size_t i = 0; i < f->n_rows; i++)
		for (int k = 0; k < SPEC_FIGURES; k++) {
			struct spec_cell *c = &f->rows[i].cell[k];
			read_cell(f, c, units[k], k == SPEC_TIME);
			if (!c->known || spec_row_usable(f, &f->rows[i]))
				continue;
			c->known = false;
			c->q.missing = true;
		}
	for (size_t i = 0; i < f->n_metrics; i++)
		read_cell(f, &f->metrics[i].cell, UNIT_ONE, false);
}

/* Iterations that the file does not number count in its order. */
static void number_rows(struct spec_file *f)
{
	for (size_t i = 0; i < f->n_rows; i++) {
		struct spec_row *r = &f->rows[i];
		if (r->iteration || r->summary || slice_is(r->status, "NR"))
			continue;
		r->iteration = 1;
		for (size_t k = i; k > 0; k--) {
			const struct spec_row *before = &f->rows[k - 1];
			if (before->tune != r->tune || before->summary || !slice_eq(before->benchmark, r->benchmark)
				|| !slice_eq(before->size, r->size) || !before->iteration)
				continue;
			r->iteration = before->iteration + 1;
			break;
		}
	}
}

static void find_suite(struct spec_file *f)
{
	if (f->n_metrics)
		f->suite = f->metrics[0].suite;
	if (!f->suite && f->tool)
		f->suite = spec_suite_by_name(f->tool, f->suite_name, f->rate);
	for (size_t i = 0; i < f->n_rows && !f->suite; i++)
		f->suite = spec_suite_by_benchmark(f->rows[i].benchmark, f->rows[i].parallel.n && !f->rows[i].threads);
	if (f->suite && !f->tool)
		f->tool = f->suite->tool;
}

/* Only the reference set has ratios. */
static void infer_size(struct spec_file *f)
{
	bool ratio = false;
	for (size_t i = 0; i < f->n_rows && !ratio; i++)
		ratio = f->rows[i].cell[SPEC_RATIO].known && !f->rows[i].size.n;
	for (size_t i = 0; i < f->n_metrics && !ratio; i++)
		ratio = f->metrics[i].cell.known;
	if (ratio && !f->size.n)
		f->size = SLICE("ref");
}

enum status spec_file_finish(struct spec_file *f)
{
	f->n_rows = f->n_rows > SPEC_ROWS ? SPEC_ROWS : f->n_rows;
	if (!f->n_rows && !f->n_metrics && f->valid < 0 && !f->warned)
		return STATUS_REJECT;
	find_suite(f);
	if (!f->tool)
		return f->warned ? STATUS_WARN : STATUS_REJECT;
	read_numbers(f);
	number_rows(f);
	infer_size(f);
	spec_check(f);
	spec_emit(f);
	return f->warned ? STATUS_WARN : STATUS_OK;
}
