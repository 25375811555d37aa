#include "ingest/load.h"

#include "ingest/archive.h"
#include "ingest/collect.h"
#include "ingest/suite.h"
#include "ingest/workers.h"
#include "model/method.h"
#include "parsers/transcript.h"

#include <errno.h>
#include <stdlib.h>

/* Everything before the last slash, or the archive; "." when there is none. */
static struct slice directory_of(struct slice path)
{
	for (size_t i = path.n; i > 0; i--)
		if (path.p[i - 1] == '/' || path.p[i - 1] == '!')
			return slice_head(path, i > 1 ? i - 1 : 1);
	return SLICE(".");
}

static struct slice base_of(struct slice path)
{
	for (size_t i = path.n; i > 0; i--)
		if (path.p[i - 1] == '/' || path.p[i - 1] == '!')
			return slice_from(path, i);
	return path;
}

/* A run of the group and the directory it lies in, in its archive or on disk. */
struct placed {
	struct slice directory;
	struct run *run;
	size_t index;
};

static int by_directory(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;
	int c = slice_cmp(x->directory, y->directory);
	return c ? c : (x->index > y->index) - (x->index < y->index);
}

static void assemble(struct dataset *d, const struct placed *placed, size_t n)
{
	struct source *directory = ARENA_NEW(d->arena, struct source);
	struct run **members = ARENA_ARRAY(d->arena, n, struct run *);
	*directory = source_of(arena_string(d->arena, placed->directory), SLICE_NONE);
	for (size_t i = 0; i < n; i++)
		members[i] = placed[i].run;
	for (size_t i = 0; suites[i]; i++)
		suites[i]->assemble(d, members, n, directory);
}

/* What the user says of a subject is true of the runs, too, that were made of its inputs' runs. */
static void describe(struct load *l, size_t first)
{
	struct dataset *d = l->dataset;
	for (size_t i = first; i < d->n_runs; i++) {
		struct run *run = d->runs[i];
		const struct study_subject *s = study_subject(l->study, run->subject);
		for (size_t k = 0; k < l->set.n; k++)
			if (!params_find_slice(run->attrs, l->set.v[k].key))
				run_add_attr(d->arena, run, l->set.v[k]);
		for (size_t k = 0; s && k < s->n_attrs; k++)
			if (!params_find_slice(run->attrs, s->attrs[k].key))
				run_add_attr(d->arena, run, s->attrs[k]);
	}
}

/* An archive's members come in its order, so that a directory's need not stand together. */
static void finish_group(struct load *l)
{
	struct dataset *d = l->dataset;
	if (!l->group)
		return;
	size_t n = d->n_runs - l->group_first;
	struct placed *placed = ARENA_ARRAY(d->arena, n + 1, struct placed);
	for (size_t i = 0; i < n; i++) {
		struct run *run = d->runs[l->group_first + i];
		placed[i] = (struct placed){ directory_of(slice_of(run->source->name)), run, i };
	}
	if (n > 1)
		qsort(placed, n, sizeof *placed, by_directory);
	for (size_t i = 0, k; i < n; i = k) {
		for (k = i + 1; k < n && slice_eq(placed[i].directory, placed[k].directory);)
			k++;
		assemble(d, placed + i, k - i);
	}
	describe(l, l->group_first + n);
	l->group = NULL;
	if (l->batch)
		l->batch(l->ctx);
	l->group_first = l->group_seen = l->dataset->n_runs;
	l->group_inputs = l->files;
	l->group_held = 0;
	l->group_waits = false;
}

static bool wanted(const struct run *run)
{
	for (size_t i = 0; suites[i]; i++)
		if (suites[i]->wants(run))
			return true;
	return false;
}

/* Results held before they are handed on: where no suite waits for the rest of their directory, few, for memory that is
 * used again at once is still in the processor's cache; else as many as no suite has. */
enum { HELD = 1 << 10, SUITE_HELD = 1 << 20 };

/* By what is read alone, so that the groups are the same however it was read. */
static size_t held_by(const struct run *run)
{
	size_t n = run->n_results + run->n_jobs;
	for (size_t i = 0; i < run->n_series; i++)
		n += run->series[i].n / 4;
	return n;
}

static void after_input(struct load *l)
{
	const struct dataset *d = l->dataset;
	if (l->progress)
		l->progress(l->ctx);
	for (; l->batch && l->group_seen < d->n_runs; l->group_seen++) {
		l->group_held += held_by(d->runs[l->group_seen]);
		l->group_waits |= wanted(d->runs[l->group_seen]);
	}
	size_t held = l->group_held + l->files - l->group_inputs;
	if (l->batch && held >= (l->group_waits ? SUITE_HELD : HELD))
		finish_group(l);
}

static struct slice subject_of(const struct load *l, const char *path, const char *member)
{
	const struct study_subject *owner = !l->subject.n && l->study ? study_owner(l->study, path, member) : NULL;
	return owner ? owner->name : l->subject;
}

/* The name is kept as it is. */
static struct input *add_input(struct load *l, const char *name, struct slice subject)
{
	struct dataset *d = l->dataset;
	struct source *s = ARENA_NEW(d->arena, struct source);
	*s = source_of(name, SLICE_NONE);
	struct input *in = ARENA_PUSH(d->arena, d->inputs, d->n_inputs, d->input_cap);
	*in = (struct input){ .source = s, .subject = subject };
	l->files++;
	return in;
}

/* What is to be done with what was found. */
static const struct parser *take_detection(struct load *l, struct input *in, struct detection found, struct slice bytes)
{
	struct pos pos = { .source = in->source };
	in->format = found.parser && !found.rival ? found.parser->name : NULL;
	in->bid = in->format ? found.bid : 0;
	if (l->detected)
		l->detected(l->detected_ctx, &found, in);
	if (found.parser && found.rival) {
		diag_add(&l->dataset->diags, DIAG_ERROR, pos, "could be %s or %s: say which with --as",
			found.parser->name, found.rival->name);
		l->damaged++;
		return NULL;
	}
	if (found.parser)
		return found.parser;
	l->unknown++;
	if (in->named && !l->survey) {
		diag_add(&l->dataset->diags, DIAG_ERROR, pos, bytes.n == 0 ? "is empty" :
			"is not output of a tool that is known here; `assay identify --explain` shows what was tried");
		l->damaged++;
	} else if (bytes.n == 0) {
		diag_add(&l->dataset->diags, DIAG_NOTE, pos, "is empty");
	}
	return NULL;
}

/* From the first bytes. *beyond: they say nothing yet, the others may. */
static const struct parser *choose_parser(struct load *l, struct input *in, struct slice head, bool *beyond)
{
	*beyond = false;
	if (l->as)
		return l->as;
	struct peek peek = peek_of(base_of(slice_of(in->source->name)), head, in->size);
	struct detection found = detect(&peek, l->rules);
	*beyond = detect_beyond_may(&found, head);
	return *beyond ? NULL : take_detection(l, in, found, head);
}

/* Attributes of a subject's runs: the first of a key counts. They live until the scratch arena is given back. */
static struct params set_of(struct load *l, struct slice subject)
{
	const struct study_subject *s = study_subject(l->study, subject);
	if (!s || !s->n_attrs)
		return l->set;
	struct param *v = ARENA_ARRAY(&l->scratch, l->set.n + s->n_attrs, struct param);
	for (size_t i = 0; i < l->set.n; i++)
		v[i] = l->set.v[i];
	memcpy(v + l->set.n, s->attrs, s->n_attrs * sizeof *v);
	return (struct params){ v, l->set.n + s->n_attrs };
}

/* What one input needs in passing; where it was more, it is given back. */
enum { SCRATCH_KEPT = 16 << 20 };

/* Of a parser that streams, `feed` brings the bytes. */
static void parse_input(struct load *l, struct input *in, const struct parser *parser, struct slice bytes, struct feed *feed)
{
	struct collect c = { .dataset = l->dataset, .source = in->source, .subject = in->subject, .study = l->study,
		.typed = parser->typed,
		.set = parser->typed ? l->set : set_of(l, in->subject) };
	struct parse p = { .source = in->source, .arena = &l->scratch, .sink = &collect_sink, .ctx = &c,
		.rules = l->rules, .feed = feed, .set = c.set };
	size_t first = l->dataset->n_runs;
	in->format = parser->name;
	in->source->data = bytes;
	in->status = l->as ? parser_run(parser, &p) : transcript_read(parser, &p);
	/* A file that only speaks of a tool, found on the way, is none of its output; one that was named should have been. */
	if (in->status == STATUS_REJECT && c.errors == 0) {
		diag_add(&l->dataset->diags, in->named ? DIAG_ERROR : DIAG_NOTE, (struct pos){ .source = in->source },
			"holds no result that %s can read", parser->title);
		c.errors += in->named;
		if (!in->named || (l->survey && !l->as)) {
			in->format = NULL;
			in->bid = 0;
			l->unknown++;
		}
	}
	for (size_t i = first; i < l->dataset->n_runs; i++)
		method_remarks(&l->dataset->diags, l->dataset->runs[i]);
	*in->source = source_of(in->source->name, SLICE_NONE);
	l->unusable += parser->typed && in->status == STATUS_FATAL;
	if (c.errors) {
		l->damaged++;
		for (size_t i = first; i < l->dataset->n_runs; i++)
			l->dataset->runs[i]->damaged = true;
	}
	if (l->scratch.total > SCRATCH_KEPT)
		arena_free(&l->scratch);
	else
		arena_reset(&l->scratch);
}

/* In a worker's loader only what the jobs' account needs is kept, until the input has its turn. */
static void take_jobs(struct load *l, struct input *in, struct slice bytes, size_t first)
{
	size_t n = l->dataset->n_runs - first;
	struct run *const *runs = n ? l->dataset->runs + first : NULL;
	if (!l->apart)
		jobs_take(&l->jobs, l->dataset, in, bytes, runs, n);
	else if (jobs_wants(in, runs, n))
		l->apart->jobs_bytes = arena_copy(l->dataset->arena, bytes);
}

/* Texts up to this size are held whole; of larger ones no more than the lines at hand. */
enum { TEXT_HELD = 4 << 20 };

/* Whether an input is read as it goes by. */
static bool streams(const struct load *l, const struct input *in, const struct parser *parser)
{
	bool text = parser->rules ? !parser->rules->whole : parser == &parser_transcript;
	return parser->stream || (text && in->size > TEXT_HELD && in->size <= l->limit);
}

static void take_stream(struct load *l, struct input *in, const struct parser *parser, struct feed *rest)
{
	struct feed_bytes all = feed_of(read_bytes(&l->buffer), rest);
	struct read_counter counter = read_counter_of(&all.feed, l->sha256);
	size_t first = l->dataset->n_runs;
	parse_input(l, in, parser, SLICE_NONE, &counter.feed);
	l->bytes += counter.n;
	in->size = counter.n;
	if (l->sha256)
		read_counter_hex(&counter, in->sha256);
	if (!parser->stream)
		take_jobs(l, in, read_bytes(&l->buffer), first);
}

static void take_document(struct load *l, struct input *in, const struct parser *parser, struct slice bytes)
{
	l->bytes += bytes.n;
	in->size = bytes.n;
	if (l->sha256)
		sha256_hex(bytes, in->sha256);
	size_t first = l->dataset->n_runs;
	if (parser)
		parse_input(l, in, parser, bytes, NULL);
	take_jobs(l, in, bytes, first);
}

static void cant_read(struct load *l, struct input *in)
{
	diag_add(&l->dataset->diags, DIAG_ERROR, (struct pos){ .source = in->source }, "can't be read: %s", strerror(errno));
	in->status = STATUS_REJECT;
	l->damaged++;
	l->unreadable++;
}

/* An input whose first bytes are in the buffer; the rest comes from the feed. False when that fails. */
static bool take_input(struct load *l, struct input *in, struct feed *rest, bool named)
{
	in->named = named;
	bool beyond;
	const struct parser *parser = choose_parser(l, in, read_bytes(&l->buffer), &beyond);
	if (parser && streams(l, in, parser)) {
		take_stream(l, in, parser, rest);
		return !rest->failed;
	}
	enum read_status status = read_rest(&l->buffer, rest, in->size, l->limit);
	if (beyond)
		parser = take_detection(l, in, detect_beyond(read_bytes(&l->buffer), l->rules), read_bytes(&l->buffer));
	if (!parser)
		in->status = STATUS_REJECT;
	switch (status) {
	case READ_OK:
		take_document(l, in, parser, read_bytes(&l->buffer));
		break;
	case READ_TOO_LARGE:
		if (!parser)
			break;
		diag_add(&l->dataset->diags, DIAG_ERROR, (struct pos){ .source = in->source },
			"looks like %s, but is larger than %llu MiB: it was not read", parser->title,
			(unsigned long long)(l->limit >> 20));
		in->status = STATUS_REJECT;
		l->damaged++;
		break;
	case READ_FAILED:
		in->status = STATUS_REJECT;
		return false;
	}
	return true;
}

struct archive_walk {
	struct load *load;
	const char *name;
	bool inner; /* an archive in an archive; what is packed once more in it is left */
};

static void take_member(void *ctx, const char *name, struct feed *feed);

/* A member that is itself packed is held whole. */
static void take_packed_member(struct load *l, struct input *in, struct feed *feed)
{
	struct archive_walk w = { l, in->source->name, true };
	struct buf problem = BUF_EMPTY;
	struct read_buffer whole = l->buffer;
	l->buffer = (struct read_buffer){ 0 };
	in->format = "archive";
	if (read_rest(&whole, feed, 0, l->limit) == READ_TOO_LARGE)
		buf_printf(&problem, "is larger than %llu MiB: it was not read", (unsigned long long)(l->limit >> 20));
	else if (!feed->failed)
		archive_each(in->source->name, read_bytes(&whole), take_member, &w, &problem);
	if (problem.n) {
		diag_add(&l->dataset->diags, DIAG_ERROR, (struct pos){ .source = in->source }, "%.*s", SLICE_ARG(buf_view(&problem)));
		in->status = STATUS_REJECT;
		l->damaged++;
	}
	buf_free(&problem);
	read_buffer_free(&whole);
}

static void take_member(void *ctx, const char *name, struct feed *feed)
{
	struct archive_walk *w = ctx;
	struct load *l = w->load;
	if (read_head(&l->buffer, feed) != READ_OK)
		return; /* the archive says why */
	if (!l->group)
		l->group = w->name;
	struct input *in = add_input(l, arena_printf(l->dataset->arena, "%s!%s", w->name, name), subject_of(l, w->name, name));
	if (!w->inner && !l->as && archive_is(read_bytes(&l->buffer)))
		take_packed_member(l, in, feed);
	else
		take_input(l, in, feed, false);
	after_input(l);
}

/* An archive on standard input has to be held whole. Its input belongs to the group before it, which may be given back. */
static void take_archive(struct load *l, struct input *in, const struct walk_item *item, struct read_file *file)
{
	struct archive_walk w = { l, item->name, false };
	struct buf problem = BUF_EMPTY;
	struct read_buffer whole = { 0 };
	in->format = "archive";
	if (item->is_stdin) {
		whole = l->buffer;
		l->buffer = (struct read_buffer){ 0 };
		if (read_rest(&whole, &file->feed, 0, l->limit) == READ_FAILED)
			cant_read(l, in);
	}
	finish_group(l);
	if (!archive_each(item->name, read_bytes(&whole), take_member, &w, &problem)) {
		struct source *s = ARENA_NEW(l->dataset->arena, struct source);
		*s = source_of(arena_string(l->dataset->arena, slice_of(item->name)), SLICE_NONE);
		diag_add(&l->dataset->diags, DIAG_ERROR, (struct pos){ .source = s }, "%.*s", SLICE_ARG(buf_view(&problem)));
		l->damaged++;
	}
	finish_group(l);
	buf_free(&problem);
	read_buffer_free(&whole);
}

void load_file(struct load *l, const struct walk_item *item)
{
	const char *name = arena_string(l->dataset->arena, slice_of(item->name));
	struct input *in = add_input(l, name, subject_of(l, name, NULL));
	struct read_file file = read_open(item->name);
	in->size = file.size;
	if (file.feed.failed || read_head(&l->buffer, &file.feed) != READ_OK)
		cant_read(l, in);
	else if (!l->as && archive_is(read_bytes(&l->buffer)))
		l->apart ? (void)(l->apart->left = true) : take_archive(l, in, item, &file);
	else if (!take_input(l, in, &file.feed, !item->directory))
		cant_read(l, in);
	read_close(&file);
}

void load_begin(struct load *l, const struct walk_item *item, struct slice subject)
{
	struct slice directory = item->directory ? slice_of(item->directory) : directory_of(slice_of(item->name));
	if (l->group && (!slice_is(directory, l->group) || !slice_eq(subject, l->subject)))
		finish_group(l);
	l->subject = subject;
	if (!l->group)
		l->group = arena_string(l->dataset->arena, directory);
}

void load_end(struct load *l)
{
	l->walked++;
	after_input(l);
}

void load_directory_done(struct load *l)
{
	finish_group(l);
}

void load_append(struct load *l, struct load *from)
{
	struct dataset *d = l->dataset;
	size_t first = d->n_runs;
	dataset_append(d, from->dataset);
	l->files += from->files;
	l->bytes += from->bytes;
	l->unknown += from->unknown;
	l->damaged += from->damaged;
	l->unreadable += from->unreadable;
	l->unusable += from->unusable;
	if (from->apart->jobs_bytes.p)
		jobs_take(&l->jobs, d, &d->inputs[d->n_inputs - 1], from->apart->jobs_bytes, d->runs + first, d->n_runs - first);
}

static void on_file(void *ctx, const struct walk_item *item)
{
	struct load *l = ctx;
	if (l->workers) {
		l->walk->diags = workers_file(l->workers, item, l->given);
		return;
	}
	load_begin(l, item, l->given);
	load_file(l, item);
	load_end(l);
}

static void on_directory_done(void *ctx, const char *directory)
{
	struct load *l = ctx;
	(void)directory;
	if (l->workers)
		l->walk->diags = workers_directory_done(l->workers);
	else
		load_directory_done(l);
}

static void begin(struct load *l)
{
	l->rules = rule_cache_new();
	if (l->reversed)
		rule_cache_reverse(l->rules);
	/* Each detection has to be told of in its turn. */
	if (l->threads && !l->detected)
		l->workers = workers_new(l);
}

void load_path(struct load *l, const char *path, struct slice subject)
{
	struct walk w = { .file = on_file, .directory_done = on_directory_done, .ctx = l, .diags = &l->dataset->diags };
	if (!l->rules)
		begin(l);
	if (l->workers)
		w.diags = workers_diags(l->workers);
	l->walk = &w;
	l->given = subject;
	walk_path(&w, path);
	l->walk = NULL;
	l->damaged += w.unreadable;
	l->unreadable += w.unreadable;
}

void load_finish(struct load *l)
{
	if (l->workers)
		workers_finish(l->workers);
	l->workers = NULL;
	finish_group(l);
	size_t first = l->dataset->n_runs;
	jobs_give(&l->jobs, l->dataset);
	describe(l, first);
	jobs_free(&l->jobs);
	read_buffer_free(&l->buffer);
	arena_free(&l->scratch);
	rule_cache_free(l->rules);
	l->rules = NULL;
}
