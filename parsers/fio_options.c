#include "parsers/fio.h"

#include "base/num.h"

enum kind { KIND_TEXT, KIND_SIZE, KIND_SECONDS, KIND_MICROSECONDS, KIND_NUMBER };

struct option {
	struct slice spelling;
	struct slice name;  /* as it is kept */
	enum kind kind;
	bool flag;          /* takes no argument */
};
#define TEXT(s) { s, sizeof(s) - 1 }
#define OPTION(name, kind) { TEXT(name), TEXT(name), KIND_##kind, false }
#define ALIAS(spelling, name, kind) { TEXT(spelling), TEXT(name), KIND_##kind, false }
#define FLAG(name) { TEXT(name), TEXT(name), KIND_NUMBER, true }
#define FLAG_ALIAS(spelling, name) { TEXT(spelling), TEXT(name), KIND_NUMBER, true }

/* Options whose spelling or value is normalized, or that take no argument (fio's HOWTO), by their first letters. */
static const struct option options['z' - 'a' + 1][12] = {
	['b' - 'a'] = { OPTION("bs", SIZE), ALIAS("blocksize", "bs", SIZE), OPTION("bsrange", TEXT),
		ALIAS("blocksize_range", "bsrange", TEXT), OPTION("buffered", NUMBER), FLAG("bs_unaligned"),
		FLAG_ALIAS("blocksize_unaligned", "bs_unaligned") },
	['d' - 'a'] = { OPTION("direct", NUMBER) },
	['e' - 'a'] = { FLAG("exitall") },
	['f' - 'a'] = { OPTION("filesize", SIZE), OPTION("fill_device", NUMBER),
		ALIAS("fill_fs", "fill_device", NUMBER) },
	['g' - 'a'] = { FLAG("group_reporting") },
	['i' - 'a'] = { OPTION("iodepth", NUMBER), OPTION("ioengine", TEXT), OPTION("io_size", SIZE),
		ALIAS("io_limit", "io_size", SIZE) },
	['l' - 'a'] = { OPTION("latency_target", MICROSECONDS), OPTION("latency_window", MICROSECONDS) },
	['m' - 'a'] = { OPTION("max_latency", MICROSECONDS) },
	['n' - 'a'] = { OPTION("numjobs", NUMBER), OPTION("nrfiles", NUMBER), ALIAS("nr_files", "nrfiles", NUMBER),
		FLAG("new_group"), FLAG("norandommap") },
	['o' - 'a'] = { OPTION("offset", SIZE) },
	['r' - 'a'] = { OPTION("rw", TEXT), ALIAS("readwrite", "rw", TEXT), OPTION("runtime", SECONDS),
		OPTION("ramp_time", SECONDS), OPTION("rate_min", TEXT), ALIAS("ratemin", "rate_min", TEXT),
		FLAG("refill_buffers") },
	['s' - 'a'] = { OPTION("size", SIZE), OPTION("startdelay", SECONDS), OPTION("steadystate", TEXT),
		ALIAS("ss", "steadystate", TEXT), OPTION("steadystate_duration", SECONDS),
		ALIAS("ss_dur", "steadystate_duration", SECONDS), OPTION("steadystate_ramp_time", SECONDS),
		ALIAS("ss_ramp", "steadystate_ramp_time", SECONDS), OPTION("steadystate_check_interval", SECONDS),
		ALIAS("ss_interval", "steadystate_check_interval", SECONDS), FLAG("stonewall") },
	['t' - 'a'] = { ALIAS("timeout", "runtime", SECONDS), OPTION("thinktime", MICROSECONDS), FLAG("time_based"),
		FLAG("thread") },
	['w' - 'a'] = { FLAG_ALIAS("wait_for_previous", "stonewall") },
	['z' - 'a'] = { FLAG("zero_buffers") },
};

/* Those of the params column. */
static const char *const param_names[] = { "rw", "bs", "iodepth", "numjobs", "direct", "ioengine" };
enum { PARAMS = sizeof param_names / sizeof *param_names };

static const struct option *option_find(struct slice key)
{
	if (key.n == 0 || key.p[0] < 'a' || key.p[0] > 'z')
		return NULL;
	for (const struct option *o = options[key.p[0] - 'a']; o->name.n; o++)
		if (slice_eq(o->spelling, key))
			return o;
	return NULL;
}

static bool repeats(struct slice key)
{
	return slice_is(key, "filename") || slice_is(key, "target") || slice_is(key, "short_ios") || slice_is(key, "drop_ios");
}

static void put(struct arena *a, struct fio_options *o, struct param p)
{
	if (o->n == FIO_OPTIONS_MAX)
		o->over = true;
	else
		*ARENA_PUSH(a, o->v, o->n, o->cap) = p;
}

void fio_options_fact(struct arena *a, struct fio_options *o, const char *key, struct slice value, struct pos pos)
{
	put(a, o, (struct param){ .key = slice_of(key), .value = value, .text = value, .pos = pos });
}

void fio_options_add(struct arena *a, struct fio_options *o, struct slice key, struct slice value, struct pos pos)
{
	const struct option *known = option_find(key);
	struct param p = { .key = known ? known->name : key, .value = value.n ? value : SLICE("1"),
		.text = value, .pos = pos };
	for (size_t i = 0; i < o->n && !repeats(p.key); i++)
		if (slice_eq(o->v[i].key, p.key)) {
			o->v[i] = p;
			return;
		}
	put(a, o, p);
}

static const struct param *find(const struct fio_options *o, const char *key)
{
	return params_find((struct params){ o->v, o->n }, key);
}

/* With kb_base=1024 (the default) fio reads k, kb as 1024 and, on purpose, ki, kib as 1000; with kb_base=1000 the other
 * way round. */
static double size_factor(struct slice suffix, bool decimal)
{
	static const char powers[] = "kmgtp";
	if (suffix.n == 0)
		return 1;
	if (suffix.n == 1 && (suffix.p[0] == 'b' || suffix.p[0] == 'B'))
		return 1;
	const char *power = strchr(powers, suffix.p[0] | 0x20);
	struct slice rest = slice_from(suffix, 1);
	bool opposite = slice_eq_nocase(rest, SLICE("i")) || slice_eq_nocase(rest, SLICE("ib"));
	if (!power || (rest.n && !opposite && !slice_eq_nocase(rest, SLICE("b"))))
		return 0;
	double base = decimal == opposite ? 1024 : 1000, factor = 1;
	for (const char *q = powers; q <= power; q++)
		factor *= base;
	return factor;
}

static double time_factor(struct slice suffix, enum kind kind)
{
	static const struct { const char *name; double seconds; } units[] = { { "s", 1 }, { "sec", 1 }, { "m", 60 },
		{ "min", 60 }, { "h", 3600 }, { "d", 86400 }, { "ms", 1e-3 }, { "msec", 1e-3 }, { "us", 1e-6 },
		{ "usec", 1e-6 } };
	if (suffix.n == 0)
		return kind == KIND_SECONDS ? 1 : 1e-6;
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (slice_eq_nocase(suffix, slice_of(units[i].name)))
			return units[i].seconds;
	return 0;
}

/* The value in bytes, seconds or as a plain number; a text that is none (a pair, a range, a percentage) stays. */
static struct slice normalized(struct arena *a, struct slice value, enum kind kind, bool decimal)
{
	size_t digits = num_span(value);
	double number;
	struct slice suffix = slice_from(value, digits);
	if (kind == KIND_TEXT || digits == 0 || num_double(slice_head(value, digits), &number) != NUM_OK)
		return value;
	double factor = kind == KIND_SIZE || kind == KIND_NUMBER ? size_factor(suffix, decimal) : time_factor(suffix, kind);
	if (factor == 0)
		return value;
	/* Divided, not multiplied by an inexact 1e-6: 100us is 0.0001. */
	number = factor < 1 ? number / (factor == 1e-3 ? 1e3 : 1e6) : number * factor;
	char text[NUM_FORMAT_SIZE];
	struct slice s = { text, num_format(text, number) };
	return slice_eq(s, value) ? value : arena_copy(a, s);
}

struct fio_options fio_options_merge(struct arena *a, const struct fio_options *outer, const struct fio_options *inner)
{
	struct fio_options out = { .over = outer->over || inner->over };
	for (size_t i = 0; i < outer->n; i++)
		if (!params_find_slice((struct params){ inner->v, inner->n }, outer->v[i].key))
			put(a, &out, outer->v[i]);
	for (size_t i = 0; i < inner->n; i++)
		put(a, &out, inner->v[i]);
	const struct param *base = find(&out, "kb_base");
	bool decimal = base && slice_is(base->value, "1000");
	for (size_t i = 0; i < out.n; i++) {
		const struct option *known = option_find(out.v[i].key);
		if (known && known->kind != KIND_TEXT)
			out.v[i].value = normalized(a, out.v[i].value, known->kind, decimal);
	}
	return out;
}

void fio_options_params(struct arena *a, const struct fio_options *given, struct fio_options *params)
{
	for (size_t i = 0; i < PARAMS; i++) {
		const struct param *p = find(given, param_names[i]);
		if (p)
			put(a, params, *p);
	}
	const struct param *range = find(given, "bsrange"), *split = find(given, "bssplit"), *other = range ? range : split;
	if (!find(params, "bs") && other)
		put(a, params, (struct param){ SLICE("bs"), other->value, other->text, other->pos });
	const struct param *buffered = find(given, "buffered");
	if (!find(params, "direct") && buffered)
		put(a, params, (struct param){ SLICE("direct"), slice_is(buffered->value, "0") ? SLICE("1") : SLICE("0"),
			buffered->text, buffered->pos });
}

static void add_target(struct arena *a, struct fio_options *out, struct slice name, const struct param *from)
{
	for (size_t i = 0; i < out->n; i++)
		if (slice_is(out->v[i].key, "target") && slice_eq(out->v[i].value, name))
			return;
	if (name.n)
		put(a, out, (struct param){ .key = SLICE("target"), .value = name, .pos = from->pos });
}

/* The next name of a list separated by ':', which a backslash makes part of the name. */
static bool next_name(struct arena *a, struct slice *rest, struct slice *name)
{
	if (rest->n == 0)
		return false;
	size_t end = 0, n = 0;
	bool escaped = false;
	while (end < rest->n && rest->p[end] != ':') {
		bool pair = rest->p[end] == '\\' && end + 1 < rest->n && rest->p[end + 1] == ':';
		escaped |= pair;
		end += pair ? 2 : 1;
	}
	*name = slice_head(*rest, end);
	*rest = slice_from(*rest, end + 1);
	if (!escaped)
		return true;
	char *out = arena_alloc(a, end);
	for (size_t i = 0; i < end; i++)
		if (name->p[i] != '\\' || i + 1 == end || name->p[i + 1] != ':')
			out[n++] = name->p[i];
	*name = (struct slice){ out, n };
	return true;
}

void fio_options_targets(struct arena *a, const struct fio_options *given, struct fio_options *out)
{
	const struct param *directory = find(given, "directory");
	struct slice name, rest;
	bool files = false;
	for (size_t i = 0; i < given->n; i++) {
		if (!slice_is(given->v[i].key, "filename"))
			continue;
		files = true;
		for (rest = given->v[i].value; !out->over && next_name(a, &rest, &name);) {
			if (directory)
				name = slice_of(arena_printf(a, "%.*s/%.*s", SLICE_ARG(directory->value), SLICE_ARG(name)));
			add_target(a, out, name, &given->v[i]);
		}
	}
	if (directory && !files)
		for (rest = directory->value; !out->over && next_name(a, &rest, &name);)
			add_target(a, out, name, directory);
}

enum { WORDS_MAX = 2 * FIO_OPTIONS_MAX };

struct words {
	struct slice v[WORDS_MAX];
	size_t n;
	bool over;
};

static bool blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Splits a command as a shell reads it, quotes and backslashes resolved, up to an operator that ends it. */
static void split(struct arena *a, struct slice command, struct words *w)
{
	char *out = arena_alloc(a, command.n + 1), quote = 0;
	size_t start = 0, n = 0;
	bool inside = false;
	for (size_t i = 0; i <= command.n; i++) {
		char c = i < command.n ? command.p[i] : ' ';
		bool ends = !quote && (c == ';' || c == '|' || c == '&');
		if (ends || i == command.n || (!quote && blank(c))) {
			if (inside && w->n < WORDS_MAX)
				w->v[w->n++] = (struct slice){ out + start, n - start };
			else
				w->over |= inside;
			inside = false;
			start = n;
			if (ends)
				return;
			continue;
		}
		inside = true;
		if ((c == '"' || c == '\'') && (!quote || quote == c)) {
			quote = quote ? 0 : c;
			continue;
		}
		bool escape = c == '\\' && quote != '\'' && i + 1 < command.n;
		if (escape && (!quote || command.p[i + 1] == '"' || command.p[i + 1] == '\\'))
			c = command.p[++i];
		out[n++] = c;
	}
}

/* The next of `--key=value`, `--key value` and `--flag`; words that are none are passed over. */
static bool next_option(const struct words *w, size_t *at, struct slice *key, struct slice *value)
{
	struct slice word;
	do {
		if (*at == w->n)
			return false;
		word = w->v[(*at)++];
	} while (word.n < 2 || word.p[0] != '-');
	word = slice_from(word, word.p[1] == '-' ? 2 : 1);
	size_t equals = slice_find_char(word, '=');
	*key = slice_head(word, equals);
	*value = SLICE_NONE;
	const struct option *known = option_find(*key);
	if (equals != (size_t)-1)
		*value = slice_from(word, equals + 1);
	else if (!(known && known->flag) && *at < w->n && !slice_starts(w->v[*at], "-") && !slice_starts(w->v[*at], ">"))
		*value = w->v[(*at)++];
	return true;
}

struct definition {
	struct slice name;
	struct fio_options in_force;
};

/* Takes out of `agreed` what another definition says differently; returns the params among it, and those that only the
 * other definition has (the first one had fio's default for them), as bits. */
static unsigned agree(struct fio_options *agreed, const struct fio_options *other)
{
	unsigned disputed = 0;
	size_t kept = 0;
	for (size_t i = 0; i < PARAMS; i++) {
		const struct param *p = find(agreed, param_names[i]), *q = find(other, param_names[i]);
		if ((p || q) && (!p || !q || !slice_eq(p->value, q->value)))
			disputed |= 1U << i;
	}
	for (size_t i = 0; i < agreed->n; i++) {
		const struct param *q = params_find_slice((struct params){ other->v, other->n }, agreed->v[i].key);
		if (q && slice_eq(q->value, agreed->v[i].value))
			agreed->v[kept++] = agreed->v[i];
	}
	agreed->n = kept;
	return disputed;
}

/* What a job that reports this group was run with. */
static void settle(struct arena *a, struct fio_command *c, const struct definition *v, size_t n, struct slice job)
{
	bool grouped = false;
	size_t first = 0, last = n;
	unsigned disputed = 0;
	for (size_t i = 0; i < n; i++)
		grouped |= find(&v[i].in_force, "group_reporting") != NULL;
	for (size_t i = 0; i < n && !grouped && last == n; i++)
		if (slice_eq(v[i].name, job)) {
			first = i;
			last = i + 1;
		}
	c->agreed = v[first].in_force;
	c->definitions = last - first;
	for (size_t i = first; i < last; i++) {
		fio_options_targets(a, &v[i].in_force, &c->targets);
		if (i > first)
			disputed |= agree(&c->agreed, &v[i].in_force);
	}
	for (size_t i = 0; i < PARAMS; i++)
		if (disputed & 1U << i)
			c->disputed = slice_of(arena_printf(a, "%.*s%s%s", SLICE_ARG(c->disputed), c->disputed.n ? " " : "",
				param_names[i]));
}

bool fio_command_read(struct arena *a, struct slice command, struct slice job, struct pos pos, struct fio_command *c)
{
	struct fio_options global = { 0 }, own = { 0 }, *section = &global;
	struct definition *v = NULL;
	size_t n = 0, cap = 0, at = 0;
	struct words *w = ARENA_NEW(a, struct words);
	struct slice key = SLICE_NONE, value, name = SLICE_NONE;
	*c = (struct fio_command){ 0 };
	split(a, command, w);
	for (bool more = true; more;) {
		more = next_option(w, &at, &key, &value);
		if (section == &own && (!more || slice_is(key, "name")))
			*ARENA_PUSH(a, v, n, cap) = (struct definition){ name, fio_options_merge(a, &global, &own) };
		if (more && slice_is(key, "name")) {
			section = slice_is(value, "global") ? &global : &own;
			name = value;
			own.n = 0;
		}
		if (more)
			fio_options_add(a, section, key, value, pos);
	}
	if (n > 0)
		settle(a, c, v, n, job);
	c->agreed.over |= w->over;
	return n > 0;
}
