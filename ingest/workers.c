#include "ingest/workers.h"

#include <libxml/parser.h>
#include <pthread.h>
#include <stdlib.h>

/* Steps of the walk that are under way: enough that no thread waits while the loader takes what is done. It takes
 * several at a time, for each time it waits costs two switches of threads. */
enum { STEPS = 64, TAKEN = 16 };

/* What a step's memory begins with where it comes back: most files' figures fit in. It is lent again and again, for
 * fresh memory costs a fault for each page, in which the threads of a process wait for each other. */
enum { STEP_MEMORY = 120 << 10 };

enum state { STATE_MADE, STATE_WAITING, STATE_READING, STATE_DONE };

/* A file, the end of a directory, or only what the walk says. What is in the arena is written by the thread that has the
 * step at the time. */
struct step {
	enum state state;
	bool directory_done;
	struct walk_item item; /* name NULL: no file */
	struct slice subject;
	struct arena arena;
	struct diags said;     /* by the walk, before it */
	struct dataset dataset;
	struct load load;
	struct load_apart apart;
};

struct worker {
	struct workers *all;
	pthread_t thread;
	struct read_buffer buffer;
	struct rule_cache *rules;
	struct arena scratch;
};

struct workers {
	struct load *load;
	struct step step[STEPS]; /* a ring */
	size_t first, next;      /* number of the oldest step, and of the one that is being made; place: modulo STEPS */
	size_t unread;           /* number of the first one that no thread has begun */
	size_t awaited;          /* number of the one that the loader waits for */
	bool ending;
	pthread_mutex_t lock;
	pthread_cond_t more, done;
	unsigned n;
	struct worker worker[LOAD_THREADS];
};

static struct step *step_at(struct workers *w, size_t number)
{
	return &w->step[number % STEPS];
}

/* ---- in a thread ---- */

static void read_step(struct worker *me, struct step *s)
{
	struct load *l = &s->load;
	const struct load *main = me->all->load;
	dataset_init(&s->dataset, &s->arena);
	s->dataset.diags.least = s->said.least;
	s->apart = (struct load_apart){ .left = false };
	*l = (struct load){ .dataset = &s->dataset, .as = main->as, .set = main->set, .study = main->study, .sha256 = main->sha256,
		.survey = main->survey, .limit = main->limit, .subject = s->subject, .apart = &s->apart,
		.buffer = me->buffer, .rules = me->rules, .scratch = me->scratch };
	load_file(l, &s->item);
	me->buffer = l->buffer;
	me->scratch = l->scratch;
}

static void *work(void *arg)
{
	struct worker *me = arg;
	struct workers *w = me->all;
	pthread_mutex_lock(&w->lock);
	for (;;) {
		while (w->unread < w->next && step_at(w, w->unread)->state != STATE_WAITING)
			w->unread++;
		if (w->unread < w->next) {
			struct step *s = step_at(w, w->unread++);
			s->state = STATE_READING;
			pthread_mutex_unlock(&w->lock);
			read_step(me, s);
			pthread_mutex_lock(&w->lock);
			s->state = STATE_DONE;
			if (s == step_at(w, w->awaited))
				pthread_cond_signal(&w->done);
		} else if (w->ending) {
			break;
		} else {
			pthread_cond_wait(&w->more, &w->lock);
		}
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

/* ---- in the loader's ---- */

static void begin_step(struct workers *w)
{
	struct step *s = step_at(w, w->next);
	*s = (struct step){ .arena = ARENA_EMPTY };
	if (w->load->batch)
		arena_lend(w->load->dataset->arena, &s->arena, STEP_MEMORY);
	diags_init(&s->said, &s->arena);
	s->said.least = w->load->dataset->diags.least;
}

static void await_step(struct workers *w, size_t number)
{
	pthread_mutex_lock(&w->lock);
	w->awaited = number;
	while (step_at(w, number)->state != STATE_DONE)
		pthread_cond_wait(&w->done, &w->lock);
	pthread_mutex_unlock(&w->lock);
}

/* Takes the oldest step: all that it says and holds now belongs to the loader's dataset. */
static void take_step(struct workers *w)
{
	struct load *l = w->load;
	struct step *s = step_at(w, w->first);
	await_step(w, w->first);
	bool left = s->item.is_stdin || s->apart.left;
	diags_append(&l->dataset->diags, &s->said);
	if (s->item.name)
		load_begin(l, &s->item, s->subject);
	if (s->item.name && left)
		load_file(l, &s->item);
	else if (s->item.name)
		load_append(l, &s->load);
	arena_adopt(l->dataset->arena, &s->arena);
	if (s->item.name)
		load_end(l);
	if (s->directory_done)
		load_directory_done(l);
	pthread_mutex_lock(&w->lock);
	w->first++;
	if (w->unread < w->first)
		w->unread = w->first;
	pthread_mutex_unlock(&w->lock);
}

/* Gives the step that was made to the threads, if it has something to read, and begins the next one. */
static struct diags *end_step(struct workers *w)
{
	struct step *s = step_at(w, w->next);
	pthread_mutex_lock(&w->lock);
	s->state = s->item.name && !s->item.is_stdin ? STATE_WAITING : STATE_DONE;
	w->next++;
	pthread_cond_signal(&w->more);
	pthread_mutex_unlock(&w->lock);
	if (w->next - w->first == STEPS) {
		await_step(w, w->first + TAKEN - 1);
		for (unsigned i = 0; i < TAKEN; i++)
			take_step(w);
	}
	begin_step(w);
	return workers_diags(w);
}

struct diags *workers_diags(struct workers *w)
{
	return &step_at(w, w->next)->said;
}

struct diags *workers_file(struct workers *w, const struct walk_item *item, struct slice subject)
{
	struct step *s = step_at(w, w->next);
	s->item = (struct walk_item){ .name = arena_string(&s->arena, slice_of(item->name)), .is_stdin = item->is_stdin,
		.directory = item->directory ? arena_string(&s->arena, slice_of(item->directory)) : NULL };
	s->subject = subject;
	return end_step(w);
}

struct diags *workers_directory_done(struct workers *w)
{
	step_at(w, w->next)->directory_done = true;
	return end_step(w);
}

struct workers *workers_new(struct load *l)
{
	struct workers *w = mem_alloc(sizeof *w);
	*w = (struct workers){ .load = l };
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->more, NULL);
	pthread_cond_init(&w->done, NULL);
	begin_step(w);
	xmlInitParser(); /* has to be before there are threads */
	while (w->n < l->threads && w->n < LOAD_THREADS) {
		struct worker *k = &w->worker[w->n];
		*k = (struct worker){ .all = w, .rules = rule_cache_new() };
		if (l->reversed)
			rule_cache_reverse(k->rules);
		if (pthread_create(&k->thread, NULL, work, k) != 0) {
			rule_cache_free(k->rules);
			break;
		}
		w->n++;
	}
	if (w->n)
		return w;
	workers_finish(w);
	return NULL;
}

void workers_finish(struct workers *w)
{
	if (w->n)
		end_step(w);
	while (w->first < w->next)
		take_step(w);
	pthread_mutex_lock(&w->lock);
	w->ending = true;
	pthread_cond_broadcast(&w->more);
	pthread_mutex_unlock(&w->lock);
	for (unsigned i = 0; i < w->n; i++) {
		struct worker *k = &w->worker[i];
		pthread_join(k->thread, NULL);
		read_buffer_free(&k->buffer);
		arena_free(&k->scratch);
		rule_cache_free(k->rules);
	}
	arena_free(&step_at(w, w->next)->arena);
	pthread_cond_destroy(&w->done);
	pthread_cond_destroy(&w->more);
	pthread_mutex_destroy(&w->lock);
	free(w);
}
