#include "parsers/unixbench_check.h"

#include <math.h>

static const struct ub_test tests[] = {
	{ "Dhrystone 2 using register variables", "System", 116700 },
	{ "Double-Precision Whetstone", "System", 55 },
	{ "Execl Throughput", "System", 43 },
	{ "File Copy 1024 bufsize 2000 maxblocks", "System", 3960 },
	{ "File Copy 256 bufsize 500 maxblocks", "System", 1655 },
	{ "File Copy 4096 bufsize 8000 maxblocks", "System", 5800 },
	{ "Pipe Throughput", "System", 12440 },
	{ "Pipe-based Context Switching", "System", 4000 },
	{ "Process Creation", "System", 126 },
	{ "Shell Scripts (1 concurrent)", "System", 42.4 },
	{ "Shell Scripts (8 concurrent)", "System", 6 },
	{ "System Call Overhead", "System", 15000 },
	{ "2D graphics: aa polygons", "2D Graphics", 15 },
	{ "2D graphics: ellipses", "2D Graphics", 15 },
	{ "2D graphics: images and blits", "2D Graphics", 15 },
	{ "2D graphics: rectangles", "2D Graphics", 15 },
	{ "2D graphics: text", "2D Graphics", 15 },
	{ "2D graphics: windows", "2D Graphics", 15 },
	{ "3D graphics: gears", "3D Graphics", 33.4 },
};

const struct ub_test *ub_test_find(struct slice name)
{
	for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
		if (slice_is(name, tests[i].name))
			return &tests[i];
	return NULL;
}

size_t ub_category_tests(struct slice category)
{
	size_t n = 0;
	for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
		n += slice_is(category, tests[i].category);
	return n;
}

const struct unit_scale ub_dialect[] = {
	{ "lps", UNIT_PER_S, 1 },
	{ "lpm", UNIT_PER_S, 1.0 / 60 },
	{ "KBps", UNIT_B_PER_S, 1024 },
	{ "MWIPS", UNIT_PER_S, 1e6 },
	{ "fps", UNIT_PER_S, 1 },
	{ "score", UNIT_ONE, 1 },
	{ NULL, UNIT_ONE, 0 }
};

const char *ub_suffix(const char *unit)
{
	static const char *const suffixes[] = { " lps", " lpm", " KBps", " MWIPS", " fps", " score" };
	size_t i = 0;
	while (strcmp(suffixes[i] + 1, unit) != 0)
		i++;
	return suffixes[i];
}

bool ub_scale_unprinted(struct slice test, struct unit_scale *scale)
{
	static const struct { const char *begins, *unit; } units[] = {
		{ "Double-Precision Whetstone", "MWIPS" }, { "File ", "KBps" }, { "2D graphics: ", "score" },
		{ "3D graphics: ", "fps" },
		{ "Shell ", "lpm" }, { "C Compiler ", "lpm" }, { "Dc: ", "lpm" }, { "Grep ", "lpm" }, { "Dhrystone 2 ", "lps" },
		{ "Exec", "lps" }, { "Pipe", "lps" }, { "Process Creation", "lps" }, { "System Call ", "lps" }, { "Arith", "lps" },
		{ "Recursion Test", "lps" },
	};
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (slice_starts(test, units[i].begins)) {
			*scale = *unit_find(ub_dialect, slice_of(units[i].unit));
			scale->spelling = NULL;
			return true;
		}
	return false;
}

double ub_index(double result, double baseline, bool tenfold)
{
	return result / baseline * (tenfold ? 10 : 1);
}

bool ub_index_agrees(double index, double result, double baseline, bool tenfold)
{
	return fabs(index - ub_index(result, baseline, tenfold)) <= 0.0501 + 0.5 / baseline;
}

bool ub_score_agrees(double score, double recomputed)
{
	return fabs(score - recomputed) <= fmax(0.1, 0.0005 * recomputed);
}
