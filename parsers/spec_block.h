/* spec_block: the packed values of SPEC CPU's raw files: base64 of a zlib stream (@) or of a bzip2 stream (&, in
 * CPU2006 and later behind a byte 0xF0 or 0 and a length of four bytes). */
#ifndef PARSERS_SPEC_BLOCK_H
#define PARSERS_SPEC_BLOCK_H

#include "base/arena.h"

/* More is neither taken nor unpacked. */
enum { SPEC_BLOCK_PACKED = 1 << 20, SPEC_BLOCK_TEXT = 4 << 20 };

/* The text in the arena; false and a sentence part in *problem when it is damaged or too large. */
bool spec_block_decode(struct arena *a, struct slice packed, struct slice *text, const char **problem);

#endif
