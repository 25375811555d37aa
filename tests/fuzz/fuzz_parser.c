/* One format's parser on any bytes, into the model. FUZZ_PARSER names it; FUZZ_PARSER=? lists them. */
#include "ingest/collect.h"
#include "ingest/detect.h"
#include "parsers/rules.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct parser *parser;
static struct rule_cache *rules;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc, (void)argv;
	const char *name = getenv("FUZZ_PARSER");
	if (name && strcmp(name, "?") == 0) {
		for (size_t i = 0; parsers[i]; i++)
			puts(parsers[i]->name);
		exit(0);
	}
	parser = name ? parser_named(name) : NULL;
	if (!parser) {
		fputs("set FUZZ_PARSER to a format's name, or to ? for a list\n", stderr);
		exit(2);
	}
	rules = rule_cache_new();
	return 0;
}

/* What every result must hold, whatever the bytes. */
static void check(const struct result *r, const struct source *s, size_t size)
{
	if (!r->q.missing && !isfinite(r->q.value))
		abort();
	if (r->metric >= METRICS || r->q.unit >= UNITS || r->stat.n == 0)
		abort();
	if (r->q.text.n && (r->q.pos.source != s || r->q.pos.offset > size || r->q.pos.line == 0))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena = ARENA_EMPTY, scratch = ARENA_EMPTY;
	struct dataset d;
	dataset_init(&d, &arena);
	/* Exactly so many bytes: a read behind the last one is seen. */
	char *bytes = mem_alloc(size ? size : 1);
	memcpy(bytes, data, size);
	struct source source = source_of("input", (struct slice){ bytes, size });
	struct peek peek = { .name = SLICE("input"), .head = slice_head(source.data, PEEK_SIZE), .size = size };
	struct collect c = { .dataset = &d, .source = &source };
	struct parse p = { .source = &source, .arena = &scratch, .sink = &collect_sink, .ctx = &c, .rules = rules };
	for (size_t i = 0; parsers[i]; i++)
		if (parsers[i]->probe)
			parsers[i]->probe(&peek);
	parser_run(parser, &p);
	for (size_t i = 0; i < d.n_runs; i++)
		for (size_t k = 0; k < d.runs[i]->n_results; k++)
			check(&d.runs[i]->results[k], &source, size);
	arena_free(&scratch);
	arena_free(&arena);
	free(bytes);
	return 0;
}
