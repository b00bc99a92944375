/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The stream is a trust boundary. A stream that passes cannot make a kernel read out of range, loop without end, or
 * meet a NaN among the stream's own numbers. Everything that the layout promises is checked, with one exception: the
 * boxes of elements need only be finite. A box that is too small crops its element. */
#ifndef PIETRA_SCENE_VALIDATE_VALIDATE_H
#define PIETRA_SCENE_VALIDATE_VALIDATE_H

#include <stddef.h>
#include <stdint.h>

#include "base/parallel.h"
#include "pietra/pietra.h"

/* Checks a blob of any words. The time is linear in its size. Only surfaces within surfaces use recursion. The memory
 * is some bytes for each level of nesting. PIETRA_ERROR_INPUT names the first thing that is wrong, and where;
 * PIETRA_ERROR_MEMORY is the other failure. pool may be NULL for one thread. */
pietra_result validate_stream(const uint32_t *words, size_t word_count, parallel_pool *pool, pietra_error *error);
/* Does the same for the stream of an image, which leaves out the streams of its surfaces (image.h). Those have passed
 * already. */
pietra_result validate_image_stream(const uint32_t *words, size_t word_count, pietra_error *error);

#endif
