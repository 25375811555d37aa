/* What people write as files: any bytes as an SLA, as the table of one, as a study, as a load profile. Each is refused
 * with an error, or can be used. */
#define _GNU_SOURCE /* memfd_create */
#include "ingest/sla_file.h"
#include "ingest/study.h"
#include "loadgen/profile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The readers take files: these are in memory, and have paths in /proc. */
static struct {
	int bytes, sla;
	char path[2][32];
} files;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc, (void)argv;
	char text[128];
	files.bytes = memfd_create("bytes", MFD_CLOEXEC);
	files.sla = memfd_create("sla", MFD_CLOEXEC);
	int n = snprintf(text, sizeof text, "[sla]\nname = n\nmetric = iops\ntable = %d\n", files.bytes);
	if (files.bytes < 0 || files.sla < 0 || write(files.sla, text, (size_t)n) != n)
		abort();
	snprintf(files.path[0], sizeof files.path[0], "/proc/self/fd/%d", files.bytes);
	snprintf(files.path[1], sizeof files.path[1], "/proc/self/fd/%d", files.sla);
	/* Nothing waits for a table "-". */
	return freopen("/dev/null", "r", stdin) ? 0 : 1;
}

/* Used, or refused with an error; and each error at a place that there is. */
static void check_answer(bool used, const struct diags *d)
{
	if (used == (d->count[DIAG_ERROR] > 0))
		abort();
	for (const struct diag *g = d->first; g; g = g->next) {
		const struct pos *p = &g->pos;
		if (!p->source || (p->line == 0) != (p->column == 0) || p->offset > p->source->data.n)
			abort();
		if (p->line && source_line(p->source, p->offset).p + p->column - 1 != p->source->data.p + p->offset)
			abort();
	}
}

static void check_sla(struct arena *a, const char *path)
{
	struct diags d;
	diags_init(&d, a);
	const struct sla *s = sla_file_read(a, path, &d);
	check_answer(s, &d);
	if (s && (!s->name.n || s->metric >= METRICS || !s->where || !s->rule || s->n_rows == 0 ||
		  !(s->level >= 0.5 && s->level < 1)))
		abort();
	for (size_t i = 0; s && i < s->n_rows; i++) {
		const struct sla_row *r = &s->rows[i];
		if (!r->shape.n || r->op == OP_NONE || r->op == OP_EQ || !(r->limit.value > 0) || !isfinite(r->limit.value))
			abort();
		sla_shape_matches(r->shape, SLICE("VM.DenseIO.E4.Flex.8"), NULL);
	}
}

static void check_study(struct arena *a)
{
	struct diags d;
	diags_init(&d, a);
	const struct study *s = study_read(a, files.path[0], &d);
	check_answer(s, &d);
	if (!s)
		return;
	study_owner(s, "runs/a/b.txt", NULL);
	study_owner(s, "all.tar.gz", "runs/a/b.txt");
	for (size_t i = 0; i < s->n_subjects; i++)
		if (!s->subjects[i].name.n || (!s->subjects[i].price.missing && !(s->subjects[i].price.value > 0)))
			abort();
}

static void check_profile(struct arena *a)
{
	struct diags d;
	diags_init(&d, a);
	struct profile *p = profile_read(a, files.path[0], &d);
	check_answer(p, &d);
	for (size_t i = 0; p && i < p->n_stages; i++) {
		struct stage *s = &p->stages[i];
		if (stage_finish(a, s) || s->n_list == 0 || s->n_list > 256 || (s->judge && s->n_tracked == 0) ||
		    !(stage_least(s) <= stage_most(s)))
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = ARENA_EMPTY;
	if (ftruncate(files.bytes, 0) != 0 || pwrite(files.bytes, data, size, 0) != (ssize_t)size)
		abort();
	check_sla(&a, files.path[0]);
	check_sla(&a, files.path[1]);
	check_study(&a);
	check_profile(&a);
	arena_free(&a);
	return 0;
}
