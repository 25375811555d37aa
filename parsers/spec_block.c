#include "parsers/spec_block.h"

#include <bzlib.h>
#include <nettle/base64.h>
#include <stdlib.h>
#include <zlib.h>

/* Grows the output until it fits: what a stream claims to hold is not believed. */
static bool unpack_zlib(struct arena *a, const uint8_t *in, size_t n, struct slice *text)
{
	z_stream z = { .next_in = (uint8_t *)in, .avail_in = (unsigned)n };
	size_t cap = n * 4 + 64 < SPEC_BLOCK_TEXT ? n * 4 + 64 : SPEC_BLOCK_TEXT;
	char *out = mem_alloc(cap);
	int status = Z_OK;
	if (inflateInit(&z) != Z_OK) {
		free(out);
		return false;
	}
	while (status == Z_OK && z.total_out < SPEC_BLOCK_TEXT) {
		if (z.total_out == cap) {
			cap = cap * 2 < SPEC_BLOCK_TEXT ? cap * 2 : SPEC_BLOCK_TEXT;
			out = mem_resize(out, cap);
		}
		z.next_out = (uint8_t *)out + z.total_out;
		z.avail_out = (unsigned)(cap - z.total_out);
		status = inflate(&z, Z_NO_FLUSH);
	}
	if (status == Z_STREAM_END)
		*text = arena_copy(a, (struct slice){ out, z.total_out });
	inflateEnd(&z);
	free(out);
	return status == Z_STREAM_END;
}

static bool unpack_bzip2(struct arena *a, const uint8_t *in, size_t n, struct slice *text)
{
	unsigned size = SPEC_BLOCK_TEXT;
	struct slice all = { (const char *)in, n };
	size_t at = slice_find(slice_head(all, 16), SLICE("BZh"));
	if (at == (size_t)-1)
		return false;
	char *out = mem_alloc(size);
	/* bzip2 only reads what its prototype lets it write. */
	/* NOLINTNEXTLINE(performance-no-int-to-ptr) */
	int status = BZ2_bzBuffToBuffDecompress(out, &size, (char *)(uintptr_t)(in + at), (unsigned)(n - at), 1, 0);
	if (status == BZ_OK)
		*text = arena_copy(a, (struct slice){ out, size });
	free(out);
	return status == BZ_OK;
}

bool spec_block_decode(struct arena *a, struct slice packed, struct slice *text, const char **problem)
{
	struct base64_decode_ctx base64;
	*problem = "is no packed value";
	if (packed.n < 2 || (packed.p[0] != '@' && packed.p[0] != '&'))
		return false;
	*problem = "is too large";
	if (packed.n > SPEC_BLOCK_PACKED)
		return false;
	/* The padding is often left out. */
	size_t n = BASE64_DECODE_LENGTH(packed.n);
	uint8_t *bytes = arena_alloc(a, n);
	base64_decode_init(&base64);
	*problem = "is no base64";
	if (!base64_decode_update(&base64, &n, bytes, packed.n - 1, packed.p + 1))
		return false;
	*problem = "is damaged or too large";
	return packed.p[0] == '@' ? unpack_zlib(a, bytes, n, text) : unpack_bzip2(a, bytes, n, text);
}
