/* Runs of one subject that describe different things. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "ingest/suite.h"
#include "model/subject.h"

#include <math.h>
#include <stdlib.h>

struct fixture {
	struct arena arena;
	struct dataset d;
	struct source sources[8];
	size_t n;
};

static int set_up(void **state)
{
	struct fixture *f = mem_alloc(sizeof *f);
	*f = (struct fixture){ .arena = ARENA_EMPTY };
	dataset_init(&f->d, &f->arena);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;
	arena_free(&f->arena);
	free(f);
	return 0;
}

static struct run *add(struct fixture *f, const char *file, const char *subject)
{
	struct source *s = &f->sources[f->n++];
	*s = source_of(file, SLICE_NONE);
	struct run *r = dataset_add_run(&f->d, s, SLICE("cloudharmony"));
	r->subject = slice_of(subject);
	return r;
}

static void say(struct fixture *f, struct run *r, const char *key, const char *value, unsigned line)
{
	run_add_attr(&f->arena, r, (struct param){ .key = slice_of(key), .value = slice_of(value),
		.pos = { r->source, 0, line, 1 } });
}

static void a_difference_names_both_places(void **state)
{
	struct fixture *f = *state;
	struct run *a = add(f, "a/.options", "VM.1"), *b = add(f, "b/.options", "VM.1"), *c = add(f, "c/.options", "VM.1");
	say(f, a, "cpu", "EPYC", 3);
	say(f, b, "cpu", "EPYC ", 4);
	say(f, c, "cpu", "Xeon", 5);
	subject_check(&f->d);
	assert_int_equal(f->d.diags.count[DIAG_WARNING], 1);
	const struct diag *d = f->d.diags.first;
	assert_string_equal(d->pos.source->name, "c/.options");
	assert_int_equal(d->pos.line, 5);
	assert_string_equal(d->message, "runs of VM.1 differ in cpu: here it is 'Xeon', in a/.options:3 'EPYC'");
}

static void once_for_each_attribute(void **state)
{
	struct fixture *f = *state;
	struct run *runs[] = { add(f, "a", "VM.1"), add(f, "b", "VM.1"), add(f, "c", "VM.1") };
	static const char *const regions[] = { "r-1", "r-2", "r-3" };
	for (unsigned i = 0; i < 3; i++) {
		say(f, runs[i], "region", regions[i], i + 1);
		say(f, runs[i], "memory", regions[i], i + 1);
	}
	subject_check(&f->d);
	assert_int_equal(f->d.diags.count[DIAG_WARNING], 2);
}

static void other_subjects_and_silence_agree(void **state)
{
	struct fixture *f = *state;
	struct run *a = add(f, "a", "VM.1"), *b = add(f, "b", "VM.2"), *c = add(f, "c", "VM.1"), *none = add(f, "d", ""),
		*other = add(f, "e", "");
	say(f, a, "os", "Debian 12", 1);
	say(f, b, "os", "Debian 13", 1);
	say(f, c, "test", "latency", 1);
	say(f, c, "os", "", 1);
	say(f, none, "os", "x", 1);
	say(f, other, "os", "y", 1);
	subject_check(&f->d);
	assert_null(f->d.diags.first);
}

/* ---- the files of a network run ---- */

static const struct job *network_job(struct fixture *f, struct run *r, const char *started)
{
	struct param option = { .key = SLICE("test_started"), .value = slice_of(started) };
	struct job job = { .name = SLICE("latency"), .options = { &option, 1 }, .started = NAN, .stopped = NAN };
	const struct job *added = run_add_job(&f->arena, r, &job);
	struct point point = { .t = 1, .value = 2, .job = added };
	struct series series = { .kind = SERIES_SAMPLES, .metric = METRIC_LATENCY, .points = &point, .n = 1 };
	run_add_series(&f->arena, r, &series);
	return added;
}

static void a_network_run_counts_once(void **state)
{
	struct fixture *f = *state;
	struct run *runs[] = { add(f, "x/.options", "VM"), add(f, "x/network.csv", "VM"), add(f, "x/parse.txt", "VM"),
		add(f, "x/other.csv", "VM") };
	for (size_t i = 0; i < 4; i++)
		network_job(f, runs[i], i < 3 ? "2026-01-01 00:00:00" : "2026-01-02 00:00:00");
	suite_cloudharmony_net.assemble(&f->d, runs, 4, &f->sources[0]);
	assert_null(runs[0]->suite);
	assert_int_equal(runs[0]->n_series, 1);
	for (size_t i = 1; i < 3; i++) {
		assert_ptr_equal(runs[i]->suite, runs[0]);
		assert_int_equal(runs[i]->n_series, 0);
	}
	assert_null(runs[3]->suite); /* begun at another time: another run */
	assert_int_equal(runs[3]->n_series, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_difference_names_both_places, set_up, tear_down),
		cmocka_unit_test_setup_teardown(once_for_each_attribute, set_up, tear_down),
		cmocka_unit_test_setup_teardown(other_subjects_and_silence_agree, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_network_run_counts_once, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
