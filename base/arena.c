#include "base/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct arena_block {
	struct arena_block *next;
	size_t size, used;
	_Alignas(max_align_t) char data[];
};

enum { BLOCK_FIRST = 16 << 10, BLOCK_LAST = 1 << 20 };

static _Noreturn void out_of_memory(size_t size)
{
	fprintf(stderr, "assay: out of memory (asked for %zu bytes)\n", size);
	abort();
}

void *mem_alloc(size_t size)
{
	void *p = malloc(size ? size : 1);
	if (!p)
		out_of_memory(size);
	return p;
}

void *mem_resize(void *p, size_t size)
{
	p = realloc(p, size ? size : 1);
	if (!p)
		out_of_memory(size);
	return p;
}

static void add_block(struct arena *a, size_t size)
{
	size_t want = a->blocks ? a->blocks->size * 2 : BLOCK_FIRST;
	if (want > BLOCK_LAST)
		want = BLOCK_LAST;
	if (want < size)
		want = size;
	struct arena_block *b = mem_alloc(sizeof *b + want);
	*b = (struct arena_block){ .next = a->blocks, .size = want };
	a->blocks = b;
	a->total += sizeof *b + want;
}

void *arena_alloc(struct arena *a, size_t size)
{
	size_t align = _Alignof(max_align_t);
	if (size > SIZE_MAX - 2 * align - sizeof(struct arena_block))
		out_of_memory(size);
	size = (size + align - 1) / align * align;
	if (!a->blocks || a->blocks->size - a->blocks->used < size)
		add_block(a, size);
	void *p = a->blocks->data + a->blocks->used;
	a->blocks->used += size;
	return memset(p, 0, size);
}

void *arena_array(struct arena *a, size_t n, size_t size)
{
	if (size && n > SIZE_MAX / size)
		out_of_memory(SIZE_MAX);
	return arena_alloc(a, n * size);
}

struct slice arena_copy(struct arena *a, struct slice s)
{
	char *p = arena_alloc(a, s.n + 1);
	if (s.n)
		memcpy(p, s.p, s.n);
	return (struct slice){ p, s.n };
}

const char *arena_string(struct arena *a, struct slice s)
{
	return arena_copy(a, s).p;
}

const char *arena_vprintf(struct arena *a, const char *format, va_list args)
{
	va_list again;
	va_copy(again, args);
	int n = vsnprintf(NULL, 0, format, args);
	char *p = arena_alloc(a, (size_t)(n < 0 ? 0 : n) + 1);
	if (n > 0)
		vsnprintf(p, (size_t)n + 1, format, again);
	va_end(again);
	return p;
}

const char *arena_printf(struct arena *a, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	const char *p = arena_vprintf(a, format, args);
	va_end(args);
	return p;
}

void arena_reset(struct arena *a)
{
	struct arena_block *keep = NULL;
	for (struct arena_block *b = a->blocks, *next; b; b = next) {
		next = b->next;
		if (!keep || b->size > keep->size) {
			free(keep);
			keep = b;
		} else {
			free(b);
		}
	}
	a->blocks = keep;
	a->total = 0;
	if (keep) {
		keep->next = NULL;
		keep->used = 0;
		a->total = sizeof *keep + keep->size;
	}
}

void arena_free(struct arena *a)
{
	for (struct arena_block *b = a->blocks, *next; b; b = next) {
		next = b->next;
		free(b);
	}
	*a = ARENA_EMPTY;
}

void *arena_grow(struct arena *a, void *items, size_t n, size_t *cap, size_t size)
{
	if (n < *cap)
		return items;
	size_t more = *cap ? *cap * 2 : 8;
	char *grown = arena_array(a, more, size);
	if (n)
		memcpy(grown, items, n * size);
	*cap = more;
	return grown;
}
