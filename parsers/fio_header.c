#include "parsers/fio_header.h"

#include "base/num.h"

#include <math.h>

bool fio_zero(struct slice number)
{
	double value;
	return num_double(number, &value) == NUM_OK && value == 0;
}

/* ---- messages ---- */

static bool has(struct slice text, const char *word)
{
	return slice_find(text, slice_of(word)) != (size_t)-1;
}

enum severity fio_message_severity(struct slice line)
{
	static const char *const grave[] = { "err=", "error", "terminating", "fail", "bad ", "unrecognized", "too small",
		"No space left" };
	for (size_t i = 0; i < sizeof grave / sizeof *grave && slice_starts(line, "fio: "); i++)
		if (has(line, grave[i]))
			return DIAG_WARNING;
	return DIAG_NOTE;
}

/* Whether a line begins with `sign`, blanks and a client's "<host> " aside. */
static bool line_begins(struct slice text, struct slice sign)
{
	for (size_t at, from = 0; (at = slice_find(slice_from(text, from), sign)) != (size_t)-1; from += at + sign.n) {
		size_t before = from + at;
		while (before > 0 && (text.p[before - 1] == ' ' || text.p[before - 1] == '\t'))
			before--;
		if (before == 0 || text.p[before - 1] == '\n' || text.p[before - 1] == '\r' || text.p[before - 1] == '>')
			return true;
	}
	return false;
}

int fio_message_bits(struct slice text)
{
	static const char *const signs[] = { "valid values: read       Sequential read", "fio: failed parsing ",
		"fio: io_u error on file ", "fio: bad terse version", "fio: pid=", "fio: terminating on signal ",
		"fio: size too small", "fio: job startup hung", "fio: unrecognized option '" };
	int bits = 0;
	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
		if (bits < 8 * (int)strlen(signs[i]) && line_begins(text, slice_of(signs[i])))
			bits = 8 * (int)strlen(signs[i]);
	/* "/usr/bin/fio-2.0.8: unrecognized option '--output-format=json'" */
	size_t at = slice_find(text, SLICE(": unrecognized option '--"));
	size_t word = at == (size_t)-1 ? 0 : at;
	while (word > 0 && text.p[word - 1] != '\n' && text.p[word - 1] != '/')
		word--;
	if (at != (size_t)-1 && bits == 0 && slice_starts(slice_head(slice_from(text, word), at - word), "fio"))
		bits = 8 * 25;
	return bits;
}

bool fio_header_message(struct rules *r)
{
	enum { HOST, TEXT };
	struct slice text = rules_group(r, TEXT);
	struct pos pos = rules_pos(r, text.p);
	struct fio_header *h = r->state;
	if (slice_starts(text, FIO_SIGNAL)) {
		h->signal = arena_copy(r->parse->arena, slice_from(text, sizeof FIO_SIGNAL - 1));
		h->signal_pos = pos;
	}
	if (slice_starts(text, "note: "))
		rules_diag(r, DIAG_NOTE, pos, "fio notes: %.*s", SLICE_ARG(slice_from(text, 6)));
	else
		rules_diag(r, fio_message_severity(text), pos, "%.*s", SLICE_ARG(text));
	return true;
}

bool fio_header_usage(struct rules *r)
{
	struct fio_header *h = r->state;
	if (!h->reported)
		rules_diag(r, DIAG_ERROR, rules_here(r), "fio refused its options and ran no job: there are no results");
	h->reported = true;
	return true;
}

bool fio_header_json(struct rules *r)
{
	rules_diag(r, DIAG_WARNING, rules_here(r), "fio's JSON begins here: it is not read with the text around it; "
		"--as fio-json reads it");
	return true;
}

/* ---- definitions ---- */

bool fio_header_version(struct rules *r)
{
	struct fio_header *h = r->state;
	h->version = arena_copy(r->parse->arena, rules_group(r, 0));
	return true;
}

static bool letter(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* The next "16.0KiB" of *rest in bytes; false at the end of the text. NAN: rounded, so that the true size is not known. */
static bool next_size(struct slice *rest, double *bytes)
{
	static const struct unit_scale units[] = { { "", UNIT_B, 1 }, { "B", UNIT_B, 1 }, { "K", UNIT_B, 0x1p10 },
		{ "M", UNIT_B, 0x1p20 }, { "G", UNIT_B, 0x1p30 }, { "KiB", UNIT_B, 0x1p10 }, { "MiB", UNIT_B, 0x1p20 },
		{ "GiB", UNIT_B, 0x1p30 }, { "kB", UNIT_B, 1e3 }, { "KB", UNIT_B, 0x1p10 }, { "MB", UNIT_B, 1e6 },
		{ "GB", UNIT_B, 1e9 }, { NULL, UNIT_B, 0 } };
	enum { SECTOR = 512 };
	size_t at = 0, unit = 0;
	while (at < rest->n && !(rest->p[at] >= '0' && rest->p[at] <= '9'))
		at++;
	*rest = slice_from(*rest, at);
	struct slice number = slice_head(*rest, num_span(*rest));
	*rest = slice_from(*rest, number.n);
	while (unit < rest->n && letter(rest->p[unit]))
		unit++;
	const struct unit_scale *scale = unit_find(units, slice_head(*rest, unit));
	*rest = slice_from(*rest, unit);
	if (num_double(number, bytes) != NUM_OK)
		return false;
	*bytes *= scale ? scale->factor : NAN;
	size_t dot = slice_find_char(number, '.');
	bool whole = dot == (size_t)-1;
	for (size_t i = dot + 1; !whole && i < number.n && number.p[i] == '0'; i++)
		whole = i + 1 == number.n;
	if (!whole && fmod(*bytes, SECTOR) != 0)
		*bytes = NAN;
	return true;
}

/* Which of reads, writes and trims a workload does, as bits. */
static unsigned directions_of(struct slice rw)
{
	enum { READ = 1, WRITE = 2, TRIM = 4 };
	bool both = slice_is(rw, "rw") || slice_is(rw, "randrw") || slice_is(rw, "readwrite");
	unsigned some = (both || has(rw, "read") ? READ : 0) | (both || has(rw, "write") ? WRITE : 0) | (has(rw, "trim") ? TRIM : 0);
	return some ? some : READ | WRITE | TRIM;
}

/* "4096", of a range "4096-8192"; where reads and writes differ "4096,8192". */
static struct slice block_size(struct arena *a, struct slice printed, struct slice rw)
{
	unsigned wanted = directions_of(rw);
	struct slice all = SLICE_NONE, one, first = SLICE_NONE;
	bool differ = false;
	double low, high;
	for (unsigned i = 0; i < 3 && next_size(&printed, &low) && next_size(&printed, &high); i++) {
		char text[2][NUM_FORMAT_SIZE];
		if (!(wanted >> i & 1))
			continue;
		if (isnan(low) || isnan(high))
			return SLICE_NONE;
		struct slice from = { text[0], num_format(text[0], low) }, to = { text[1], num_format(text[1], high) };
		one = slice_of(low == high ? arena_printf(a, "%.*s", SLICE_ARG(from)) :
			arena_printf(a, "%.*s-%.*s", SLICE_ARG(from), SLICE_ARG(to)));
		all = first.n ? slice_of(arena_printf(a, "%.*s,%.*s", SLICE_ARG(all), SLICE_ARG(one))) : one;
		differ |= first.n && !slice_eq(first, one);
		first = first.n ? first : one;
	}
	return differ ? all : first;
}

/* fio up to 2.0 prints the definition of each clone. */
static bool same(const struct fio_definition *a, const struct fio_definition *b)
{
	return slice_eq(a->name, b->name) && slice_eq(a->rw, b->rw) && slice_eq(a->bs, b->bs) &&
		slice_eq(a->iodepth, b->iodepth) && slice_eq(a->ioengine, b->ioengine);
}

static bool in_group(const struct fio_definition *d, struct slice host, struct slice group)
{
	return slice_eq(d->group, group) && (!host.n || !d->host.n || slice_eq(d->host, host));
}

bool fio_header_definition(struct rules *r)
{
	enum { HOST, NAME, GROUP, RW, BS, ENGINE, DEPTH };
	struct fio_header *h = r->state;
	struct arena *a = r->parse->arena;
	if (h->reported) {
		rules_next_run(r);
		*h = (struct fio_header){ .v = h->v, .cap = h->cap, .document = h->document + 1 };
	}
	struct fio_definition d = { .host = rules_group(r, HOST), .name = rules_group(r, NAME), .group = rules_group(r, GROUP),
		.rw = rules_group(r, RW), .iodepth = rules_group(r, DEPTH), .ioengine = rules_group(r, ENGINE),
		.pos = rules_here(r) };
	d.bs = block_size(a, rules_group(r, BS), d.rw);
	const struct fio_definition *last = h->n ? &h->v[h->n - 1] : NULL;
	if (last && same(last, &d) && in_group(last, d.host, d.group))
		return true;
	h->over = h->n == FIO_DEFINITIONS_MAX;
	if (h->over)
		return true;
	struct slice *const kept[] = { &d.host, &d.name, &d.group, &d.rw, &d.iodepth, &d.ioengine };
	for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
		*kept[i] = arena_copy(a, *kept[i]);
	d.version = h->version;
	*ARENA_PUSH(a, h->v, h->n, h->cap) = d;
	return true;
}

bool fio_header_knows(const struct fio_header *h, struct slice host)
{
	for (size_t i = 0; i < h->n; i++)
		if (slice_eq(h->v[i].host, host))
			return true;
	return false;
}

static void describe(struct rules *r, const struct fio_definition *d, uint64_t jobs)
{
	const struct { const char *key; struct slice value; } given[] = { { "rw", d->rw }, { "bs", d->bs },
		{ "iodepth", d->iodepth }, { "ioengine", d->ioengine } };
	for (size_t i = 0; i < sizeof given / sizeof *given; i++)
		if (given[i].value.n)
			rules_param(r, given[i].key, given[i].value, d->pos);
	if (jobs > 1)
		rules_param(r, "numjobs", arena_u64(r->parse->arena, jobs), rules_here(r));
}

void fio_header_describe(struct rules *r, struct slice host, struct slice group, struct slice name, uint64_t jobs)
{
	struct fio_header *h = r->state;
	const struct fio_definition *found = NULL;
	size_t differing = 1;
	for (size_t i = 0; i < h->n; i++) {
		const struct fio_definition *d = &h->v[i];
		if (!in_group(d, host, group) || (jobs == 1 && !slice_eq(d->name, name)))
			continue;
		differing += found && !same(found, d);
		found = found ? found : d;
	}
	h->reported = true;
	if (h->signal.n)
		rules_option(r, "signal", h->signal, h->signal_pos);
	rules_version(r, found && found->version.n ? found->version : h->version);
	if (differing > 1)
		rules_option(r, "definitions", arena_u64(r->parse->arena, differing), found->pos);
	else if (found && slice_eq(found->name, name) && !h->over)
		describe(r, found, jobs);
}
