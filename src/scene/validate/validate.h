/* The stream is a trust boundary: what passes here cannot make a kernel read out of range, loop without end or meet a NaN in the
 * stream's own numbers. Everything that the layout promises is checked but the boxes of elements, which are only finite: one that
 * is too small crops its element. */
#ifndef PIETRA_SCENE_VALIDATE_VALIDATE_H
#define PIETRA_SCENE_VALIDATE_VALIDATE_H

#include <stddef.h>
#include <stdint.h>

#include "base/parallel.h"
#include "pietra/pietra.h"

/* Checks a blob of any words. Linear in its size, iterative but for surfaces in surfaces; takes memory of some bytes for each level of nesting.
 * PIETRA_ERROR_INPUT with the first thing that is wrong, and where, or PIETRA_ERROR_MEMORY. pool: NULL: one thread. */
pietra_result validate_stream(const uint32_t *words, size_t word_count, parallel_pool *pool, pietra_error *error);
/* The same for the stream of an image, which leaves out those of its surfaces (image.h): these have passed already. */
pietra_result validate_image_stream(const uint32_t *words, size_t word_count, pietra_error *error);

#endif
