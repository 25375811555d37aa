/* Every CloudHarmony reader on the same bytes, and the suite that is put together from what they found. */
#include "ingest/collect.h"
#include "ingest/suite.h"

#include <stdint.h>

extern const struct parser parser_cloudharmony_csv, parser_cloudharmony_fio_csv, parser_cloudharmony_json,
	parser_cloudharmony_options, parser_fio_json;

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	const struct { const struct parser *parser; const char *name; } all[] = {
		{ &parser_cloudharmony_options, ".options" },
		{ &parser_cloudharmony_json, "iops.json" },
		{ &parser_cloudharmony_csv, "iops.csv" },
		{ &parser_cloudharmony_fio_csv, "fio.csv" },
		{ &parser_fio_json, "fio-iops.json" },
	};
	enum { ALL = sizeof all / sizeof *all };
	struct arena arena = ARENA_EMPTY, scratch = ARENA_EMPTY;
	struct dataset d;
	struct source sources[ALL], directory = source_of("run", SLICE_NONE);
	dataset_init(&d, &arena);
	for (size_t i = 0; i < ALL; i++) {
		struct peek peek = { .name = slice_of(all[i].name), .head = { (const char *)bytes, n < PEEK_SIZE ? n : PEEK_SIZE },
			.size = n };
		sources[i] = source_of(all[i].name, (struct slice){ (const char *)bytes, n });
		struct collect c = { .dataset = &d, .source = &sources[i] };
		struct parse p = { .source = &sources[i], .arena = &scratch, .sink = &collect_sink, .ctx = &c };
		all[i].parser->probe(&peek);
		all[i].parser->parse(&p);
		sources[i].data = SLICE_NONE;
	}
	struct run **members = ARENA_ARRAY(&arena, d.n_runs, struct run *);
	size_t n_members = d.n_runs;
	for (size_t i = 0; i < n_members; i++)
		members[i] = d.runs[i];
	suite_cloudharmony.assemble(&d, members, n_members, &directory);
	arena_free(&scratch);
	arena_free(&arena);
	return 0;
}
