#include "base/arena.h"

#include "base/num.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Text is taken from the end of a block and everything else from its beginning: text needs no alignment, and an array that
 * grows while texts are added mostly stays the last thing before the gap, so that it grows where it is. */
struct arena_block {
	struct arena_block *next;
	size_t size;
	size_t used; /* bytes from the beginning */
	size_t end;  /* where the text begins; size: no text */
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

void *mem_zeroed(size_t size)
{
	void *p = calloc(1, size ? size : 1);
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

static struct arena_block *new_block(struct arena *a, size_t size)
{
	struct arena_block *b = mem_alloc(sizeof *b + size);
	*b = (struct arena_block){ .size = size, .end = size };
	a->total += sizeof *b + size;
	return b;
}

static struct arena_block *take_spare(struct arena *a, size_t size)
{
	struct arena_block **place = &a->spare, *b;
	while (*place && (*place)->size < size)
		place = &(*place)->next;
	b = *place;
	if (b)
		*place = b->next;
	return b;
}

static void add_block(struct arena *a, size_t size)
{
	struct arena_block *b = take_spare(a, size);
	if (!b) {
		size_t want = a->blocks ? a->blocks->size * 2 : BLOCK_FIRST;
		if (want > BLOCK_LAST)
			want = BLOCK_LAST;
		b = new_block(a, want < size ? size : want);
	}
	b->next = a->blocks;
	a->blocks = b;
}

/* Room for `size` bytes more in the newest block. */
static struct arena_block *block_for(struct arena *a, size_t size)
{
	if (!a->blocks || a->blocks->end - a->blocks->used < size)
		add_block(a, size);
	return a->blocks;
}

static size_t aligned(size_t size)
{
	size_t align = _Alignof(max_align_t);
	if (size > SIZE_MAX - 2 * align - sizeof(struct arena_block))
		out_of_memory(size);
	return (size + align - 1) / align * align;
}

/* Its bytes are of no known value. */
static void *alloc(struct arena *a, size_t size)
{
	size = aligned(size);
	struct arena_block *b = block_for(a, size);
	void *p = b->data + b->used;
	b->used += size;
	return p;
}

void *arena_alloc(struct arena *a, size_t size)
{
	return memset(alloc(a, size), 0, size);
}

void *arena_room(struct arena *a, size_t n, size_t size)
{
	if (size && n > SIZE_MAX / size)
		out_of_memory(SIZE_MAX);
	return alloc(a, n * size);
}

void *arena_array(struct arena *a, size_t n, size_t size)
{
	return memset(arena_room(a, n, size), 0, n * size);
}

/* For a text of n bytes and a NUL. */
static inline char *text_room(struct arena *a, size_t n)
{
	struct arena_block *b = a->blocks;
	if (!b || b->end - b->used <= n) {
		if (n > SIZE_MAX - 1 - sizeof(struct arena_block))
			out_of_memory(n);
		b = block_for(a, n + 1);
	}
	b->end -= n + 1;
	return b->data + b->end;
}

struct slice arena_copy(struct arena *a, struct slice s)
{
	if (s.n == 0)
		return SLICE("");
	char *p = text_room(a, s.n);
	memcpy(p, s.p, s.n);
	p[s.n] = '\0';
	return (struct slice){ p, s.n };
}

const char *arena_string(struct arena *a, struct slice s)
{
	return arena_copy(a, s).p;
}

struct slice arena_u64(struct arena *a, uint64_t value)
{
	char digits[NUM_FORMAT_SIZE];
	size_t n = num_format_u64(digits, value);
	return arena_copy(a, (struct slice){ digits, n });
}

const char *arena_vprintf(struct arena *a, const char *format, va_list args)
{
	char line[256]; /* what most texts fit in: they are printed once */
	va_list again;
	va_copy(again, args);
	int n = vsnprintf(line, sizeof line, format, args);
	char *p = text_room(a, n < 0 ? 0 : (size_t)n);
	p[0] = '\0';
	if (n >= (int)sizeof line)
		vsnprintf(p, (size_t)n + 1, format, again);
	else if (n > 0)
		memcpy(p, line, (size_t)n + 1);
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

static void drop_block(struct arena *a, struct arena_block *b)
{
	a->total -= sizeof *b + b->size;
	free(b);
}

static void keep_spare(struct arena *a, struct arena_block *b, size_t *kept)
{
	if (*kept + b->size > ARENA_SPARE) {
		drop_block(a, b);
		return;
	}
	*kept += b->size;
	b->next = a->spare;
	a->spare = b;
}

void arena_reset(struct arena *a)
{
	struct arena_block *largest = NULL;
	size_t kept = 0;
	for (struct arena_block *b = a->spare; b; b = b->next)
		kept += b->size;
	for (struct arena_block *b = a->blocks, *next; b; b = next) {
		next = b->next;
		b->used = 0;
		b->end = b->size;
		if (!largest) {
			largest = b;
		} else if (b->size > largest->size) {
			keep_spare(a, largest, &kept);
			largest = b;
		} else {
			keep_spare(a, b, &kept);
		}
	}
	if (largest)
		largest->next = NULL;
	a->blocks = largest;
}

void arena_lend(struct arena *from, struct arena *into, size_t size)
{
	struct arena_block *b = take_spare(from, size);
	if (b) {
		from->total -= sizeof *b + b->size;
		into->total += sizeof *b + b->size;
	} else {
		b = new_block(into, size);
	}
	b->next = NULL;
	into->blocks = b;
}

static struct arena_block **end_of(struct arena_block **list)
{
	while (*list)
		list = &(*list)->next;
	return list;
}

/* Behind the newest block, which goes on being filled. */
void arena_adopt(struct arena *into, struct arena *from)
{
	struct arena_block **place = into->blocks ? &into->blocks->next : &into->blocks;
	*end_of(&from->blocks) = *place;
	*place = from->blocks;
	*end_of(&from->spare) = into->spare;
	into->spare = from->spare;
	into->total += from->total;
	*from = ARENA_EMPTY;
}

static void free_blocks(struct arena_block *b)
{
	for (struct arena_block *next; b; b = next) {
		next = b->next;
		free(b);
	}
}

void arena_free(struct arena *a)
{
	free_blocks(a->blocks);
	free_blocks(a->spare);
	*a = ARENA_EMPTY;
}

size_t arena_used(const struct arena *a)
{
	return a->blocks ? a->total - (a->blocks->end - a->blocks->used) : 0;
}

void *arena_grow(struct arena *a, void *items, size_t n, size_t *cap, size_t size)
{
	if (n < *cap)
		return items;
	if (*cap > SIZE_MAX / 4 / size)
		out_of_memory(SIZE_MAX);
	size_t more = *cap ? *cap * 2 : 8, before = aligned(*cap * size), after = aligned(more * size);
	struct arena_block *b = a->blocks;
	*cap = more;
	if (before && (char *)items + before == b->data + b->used && b->end - b->used >= after - before) {
		b->used += after - before;
		return items;
	}
	char *grown = alloc(a, after);
	if (n)
		memcpy(grown, items, n * size);
	return grown;
}
