#include "base/ini_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct ini_key rows[] = {
	{ "study", "name" },
	{ "subject NAME", "inputs" },
	{ "subject NAME", "line_rate[.IFACE]" },
	{ "subject NAME", "interface.IFACE" },
	{ "sla", "file" },
};
static const struct ini_kind kind = { .title = "a study", INI_ROWS(rows), .unknown = { "subject NAME", "use set" } };

static struct ini_file *parse(struct arena *a, struct diags *d, const char *text)
{
	struct source *s = ARENA_NEW(a, struct source);
	*s = source_of("s.ini", arena_copy(a, slice_of(text)));
	diags_init(d, a);
	return ini_file_parse(a, s, &kind, d);
}

static void is_at(struct pos pos, uint32_t line, uint32_t column, const char *text)
{
	assert_int_equal(pos.line, line);
	assert_int_equal(pos.column, column);
	assert_memory_equal(pos.source->data.p + pos.offset, text, strlen(text));
}

static void is_text(struct slice s, const char *text)
{
	if (!slice_is(s, text))
		fail_msg("'%.*s' is not '%s'", SLICE_ARG(s), text);
}

static void test_places(void **state)
{
	(void)state;
	struct arena a = ARENA_EMPTY;
	struct diags d;
	struct ini_file *f = parse(&a, &d, "\xef\xbb\xbf; first\r\n[ subject   BM.x ] ; a head\r\n\tinputs = one two ; three\r\n"
		"; between\r\n   four;five\r\n\r\n\tsix\r\nline_rate.ens3: 5 = 6\r\n[sla]\r\n[study]\r\nname=");
	assert_non_null(f);
	assert_int_equal(f->n, 3);
	is_text(f->sections[0].kind, "subject");
	is_text(f->sections[0].name, "BM.x");
	is_at(f->sections[0].pos, 2, 2, " subject   BM.x");
	assert_int_equal(f->sections[0].n, 2);
	const struct ini_setting *s = f->sections[0].settings;
	is_text(s[0].key, "inputs");
	is_at(s[0].pos, 3, 2, "inputs");
	is_text(s[0].text, "one two four;five six");
	assert_int_equal(s[0].n, 3);
	is_at(s[0].pieces[2].pos, 7, 2, "six");
	is_text(s[1].suffix, "ens3");
	is_text(s[1].text, "5 = 6");
	is_at(ini_value_pos(&s[1]), 8, 17, "5 = 6");
	assert_ptr_equal(ini_row(f, &f->sections[0], &s[1]), &rows[2]);
	assert_int_equal(f->sections[1].n, 0);
	is_text(f->sections[2].settings[0].text, "");
	is_at(ini_value_pos(&f->sections[2].settings[0]), 11, 6, "");
	assert_false(f->wrong);
	arena_free(&a);
}

/* Nothing is made of such a file. */
static void test_no_ini(void **state)
{
	static const struct {
		const char *text, *says;
		uint32_t line, column;
	} mistakes[] = {
		{ "[sla]\nfile\n", "is neither [section] nor key = value", 2, 1 },
		{ "[sla]\n= x\n", "is neither [section] nor key = value", 2, 1 },
		{ "[sla]\nfile ; = x\nfile = y\n", "is neither [section] nor key = value", 2, 1 },
		{ "[sla ; x]\n", "is neither [section] nor key = value", 1, 1 },
		{ "file = x\n[sla]\n", "stands in no section", 1, 1 },
		{ "[sla]\nfile = x\vy\n", "holds a control character", 2, 9 },
		{ "[sla]\n\f; x = y\nfile = y\n", "holds a control character", 2, 1 },
		{ "[subject a]\n[subject  a ]\n", "there is a section [subject  a] before", 2, 2 },
		{ "[sla]\nfile = x\n file = y\nfile = z\n", "file is set in line 2", 4, 1 },
	};
	(void)state;
	for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
		struct arena a = ARENA_EMPTY;
		struct diags d;
		if (parse(&a, &d, mistakes[i].text) || !d.first)
			fail_msg("row %zu was taken", i);
		if (strcmp(d.first->message, mistakes[i].says) != 0 || d.first->pos.line != mistakes[i].line ||
		    d.first->pos.column != mistakes[i].column || d.first->next)
			fail_msg("row %zu: %u:%u: %s", i, d.first->pos.line, d.first->pos.column, d.first->message);
		arena_free(&a);
	}
}

static void test_too_much(void **state)
{
	(void)state;
	struct buf sections = BUF_EMPTY, settings = BUF_EMPTY, line = BUF_EMPTY;
	buf_str(&settings, "[sla]\n");
	for (unsigned i = 0; i < 4097; i++) {
		buf_printf(&sections, "[s %u]\n", i);
		buf_printf(&settings, "k%u = 1\n", i);
	}
	buf_printf(&line, "[sla]\nfile = %0200d\n", 0);
	const struct {
		struct buf *text;
		const char *says;
		uint32_t line;
	} all[] = {
		{ &sections, "there are more than 4096 sections", 4097 },
		{ &settings, "there are more than 4096 settings in this section", 4098 },
		{ &line, "the line is longer than 180 bytes: go on in an indented line below it", 2 },
	};
	for (size_t i = 0; i < 3; i++) {
		struct arena a = ARENA_EMPTY;
		struct diags d;
		assert_null(parse(&a, &d, all[i].text->p));
		assert_string_equal(d.first->message, all[i].says);
		assert_int_equal(d.first->pos.line, all[i].line);
		assert_null(d.first->next);
		arena_free(&a);
		buf_free(all[i].text);
	}
}

/* What there is, or what is meant. */
static void test_unknown(void **state)
{
	static const struct {
		const char *text, *says;
	} mistakes[] = {
		{ "[stduy]\nname = x\n", "[stduy] is no section of a study; did you mean [study]?" },
		{ "[subjects a]\n", "[subjects a] is no section of a study; did you mean [subject NAME]?" },
		{ "[claims]\n", "[claims] is no section of a study; there are [study], [subject NAME] and [sla]" },
		{ "[subject]\n", "[subject] needs a name: [subject NAME]" },
		{ "[study x]\n", "[study x] is no section of a study; did you mean [study]?" },
		{ "[sla]\nfiel = x\n", "fiel is no setting of [sla]; did you mean file?" },
		{ "[sla]\nfile.x = x\n", "file.x is no setting of [sla]; did you mean file?" },
		{ "[sla]\nname = x\n", "name is no setting of [sla]; there are file" },
		{ "[subject a]\nlinerate.ens3 = x\n", "linerate.ens3 is no setting of [subject a]; did you mean line_rate[.IFACE]?" },
		{ "[subject a]\nline_rate. = x\n", "line_rate. is no setting of [subject a]; did you mean line_rate[.IFACE]?" },
		{ "[subject a]\ninterface = x\n", "interface is no setting of [subject a]; did you mean interface.IFACE?" },
		{ "[subject a]\ncolour = x\n", "colour is no setting of [subject a]; use set" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
		struct arena a = ARENA_EMPTY;
		struct diags d;
		struct ini_file *f = parse(&a, &d, mistakes[i].text);
		assert_non_null(f);
		if (ini_section_known(f, &f->sections[0]))
			assert_null(ini_row(f, &f->sections[0], &f->sections[0].settings[0]));
		assert_true(f->wrong);
		if (strcmp(d.first->message, mistakes[i].says) != 0 || d.first->next)
			fail_msg("row %zu: %s", i, d.first->message);
		arena_free(&a);
	}
}

static void test_words(void **state)
{
	(void)state;
	struct arena a = ARENA_EMPTY;
	struct diags d;
	struct ini_file *f = parse(&a, &d, "[sla]\nfile =\n  one \"two three\"\n\n\tk=\"a b\"\tlast \"open\n");
	assert_non_null(f);
	const struct { const char *text; uint32_t line, column; } words[] = {
		{ "one", 3, 3 }, { "two three", 3, 7 }, { "k=\"a b\"", 5, 2 }, { "last", 5, 10 }, { "\"open", 5, 15 },
	};
	struct ini_words w = { .setting = &f->sections[0].settings[0] };
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		assert_false(f->wrong);
		assert_true(ini_word(f, &w));
		is_text(w.word, words[i].text);
		assert_int_equal(w.pos.line, words[i].line);
		assert_int_equal(w.pos.column, words[i].column);
	}
	assert_false(ini_word(f, &w));
	assert_string_equal(d.first->message, "a quote is not closed in this line");
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_no_ini),
		cmocka_unit_test(test_too_much),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_words),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
