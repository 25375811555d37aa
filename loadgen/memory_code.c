/* The kernels. Vectors are written out: what a compiler makes of a loop (a call of memcpy, which chooses its stores by
 * itself) is not to be left to it. */
#include "loadgen/memory.h"

#if defined __x86_64__
#include <immintrin.h>
#endif

static const double FACTOR = 3;

const struct memory_kernel_name memory_kernels[MEMORY_KERNELS] = {
	[MEMORY_COPY] = { "Copy", 16 }, [MEMORY_SCALE] = { "Scale", 16 }, [MEMORY_ADD] = { "Add", 24 },
	[MEMORY_TRIAD] = { "Triad", 24 },
};

/* The four kernels with the words of one instruction set. */
#define KERNELS(name, attribute, width, vec, load, store, set1, add, mul, fence) \
	attribute static void name##_copy(double *to, const double *x, const double *y, size_t n) \
	{ \
		(void)y; \
		for (size_t i = 0; i < n; i += (width)) \
			store(to + i, load(x + i)); \
		fence; \
	} \
	attribute static void name##_scale(double *to, const double *x, const double *y, size_t n) \
	{ \
		vec s = set1(FACTOR); \
		(void)y; \
		for (size_t i = 0; i < n; i += (width)) \
			store(to + i, mul(s, load(x + i))); \
		fence; \
	} \
	attribute static void name##_add(double *to, const double *x, const double *y, size_t n) \
	{ \
		for (size_t i = 0; i < n; i += (width)) \
			store(to + i, add(load(x + i), load(y + i))); \
		fence; \
	} \
	attribute static void name##_triad(double *to, const double *x, const double *y, size_t n) \
	{ \
		vec s = set1(FACTOR); \
		for (size_t i = 0; i < n; i += (width)) \
			store(to + i, add(load(x + i), mul(s, load(y + i)))); \
		fence; \
	}
#define RUN(name) { name##_copy, name##_scale, name##_add, name##_triad }

#if defined __GNUC__ && !defined __clang__
#define AS_WRITTEN __attribute__((optimize("no-tree-loop-distribute-patterns")))
#else
#define AS_WRITTEN
#endif
#define PLAIN_LOAD(p) (*(p))
#define PLAIN_STORE(p, v) (*(p) = (v))
#define PLAIN_SET(v) (v)
#define PLAIN_ADD(a, b) ((a) + (b))
#define PLAIN_MUL(a, b) ((a) * (b))
KERNELS(none, AS_WRITTEN, 1, double, PLAIN_LOAD, PLAIN_STORE, PLAIN_SET, PLAIN_ADD, PLAIN_MUL, (void)0)

#if defined __x86_64__
#define NOTHING
#define AVX __attribute__((target("avx")))
KERNELS(sse2, NOTHING, 2, __m128d, _mm_load_pd, _mm_store_pd, _mm_set1_pd, _mm_add_pd, _mm_mul_pd, (void)0)
KERNELS(sse2_streaming, NOTHING, 2, __m128d, _mm_load_pd, _mm_stream_pd, _mm_set1_pd, _mm_add_pd, _mm_mul_pd, _mm_sfence())
KERNELS(avx, AVX, 4, __m256d, _mm256_load_pd, _mm256_store_pd, _mm256_set1_pd, _mm256_add_pd, _mm256_mul_pd, (void)0)
KERNELS(avx_streaming, AVX, 4, __m256d, _mm256_load_pd, _mm256_stream_pd, _mm256_set1_pd, _mm256_add_pd, _mm256_mul_pd,
	_mm_sfence())
#endif

/* The widest first. */
static const struct memory_code codes[] = {
#if defined __x86_64__
	{ "avx", false, RUN(avx) }, { "avx", true, RUN(avx_streaming) },
	{ "sse2", false, RUN(sse2) }, { "sse2", true, RUN(sse2_streaming) },
#endif
	{ "none", false, RUN(none) },
};

static bool has(const char *vector)
{
#if defined __x86_64__
	if (strcmp(vector, "avx") == 0)
		return __builtin_cpu_supports("avx");
#endif
	(void)vector;
	return true;
}

const struct memory_code *memory_code(const char *vector, bool streaming)
{
	for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
		if (codes[i].streaming == streaming && has(codes[i].vector) && (!vector || strcmp(codes[i].vector, vector) == 0))
			return &codes[i];
	return NULL;
}
