/* arena: memory that is given back all at once. One per input file and one per command. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "base/slice.h"

#include <stdarg.h>
#include <stdint.h>

struct arena_block;

struct arena {
	struct arena_block *blocks; /* newest first */
	struct arena_block *spare;  /* empty ones, for the next use */
	size_t total;               /* bytes asked of the system, for limits and tests */
};

#define ARENA_EMPTY ((struct arena){ NULL, NULL, 0 })

/* `size` zeroed bytes, aligned for any type; never NULL (out of memory ends the program with a message). */
void *arena_alloc(struct arena *a, size_t size);
/* An array of n; an overflowing size ends the program. */
void *arena_array(struct arena *a, size_t n, size_t size);
/* The same, but its bytes are of no known value: for what is written at once. */
void *arena_room(struct arena *a, size_t n, size_t size);
#define ARENA_NEW(a, type) ((type *)arena_alloc((a), sizeof(type)))
#define ARENA_ARRAY(a, n, type) ((type *)arena_array((a), (n), sizeof(type)))
#define ARENA_ROOM(a, n, type) ((type *)arena_room((a), (n), sizeof(type)))
/* Copies, with a NUL behind the last byte. */
struct slice arena_copy(struct arena *a, struct slice s);
const char *arena_string(struct arena *a, struct slice s);
/* The number in digits. */
struct slice arena_u64(struct arena *a, uint64_t value);
const char *arena_printf(struct arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *arena_vprintf(struct arena *a, const char *format, va_list args);
/* Bytes in use, as far as that can be told without looking at older blocks: what they have left over counts. */
size_t arena_used(const struct arena *a);
/* What is in `from`, which is empty afterwards, lives as long as what is in `into`. */
void arena_adopt(struct arena *into, struct arena *from);
/* Forgets everything but keeps some blocks, at most ARENA_SPARE bytes beside the largest, for the next use. */
void arena_reset(struct arena *a);
enum { ARENA_SPARE = 4 << 20 };
/* Gives an empty arena a first block of so many bytes, from what another one has to spare if there is such. */
void arena_lend(struct arena *from, struct arena *into, size_t size);
void arena_free(struct arena *a);

/* A growing array in an arena: for `struct x *items; size_t n, cap;` makes room for one more and returns it, zeroed. */
#define ARENA_PUSH(a, items, n, cap) \
	((items) = arena_grow((a), (items), (n), &(cap), sizeof *(items)), \
	memset(&(items)[(n)], 0, sizeof *(items)), &(items)[(n)++])
/* For ARENA_PUSH: the array with room for an n+1st item. What is behind the n items is of no known value. */
void *arena_grow(struct arena *a, void *items, size_t n, size_t *cap, size_t size);

/* malloc, the same with bytes of 0, and realloc that end the program with a message instead of returning NULL. */
void *mem_alloc(size_t size);
void *mem_zeroed(size_t size);
void *mem_resize(void *p, size_t size);

#endif
