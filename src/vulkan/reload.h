/* Kernels from their sources, for those who write them: built with PIETRA_DEV alone. A kernel whose source, or a file that it includes, was
 * written after the first program of the process was made is compiled anew, by glslc, wherever a program is made of it, and a device
 * makes its programs anew before it draws, when sources have changed. Sources are those below PIETRA_SHADER_DIR, of the environment or
 * else of the build. What C shares with the kernels (shaders/lib, shaders/layout) does not change with them. One thread at a time. */
#ifndef PIETRA_VULKAN_RELOAD_H
#define PIETRA_VULKAN_RELOAD_H

#include <stddef.h>
#include <stdint.h>

#include "pietra/pietra.h"

/* When a source was last written, in nanoseconds; it changes when any of them does. */
uint64_t reload_stamp(void);

/* Compiles the kernel of this stem if it is newer than the process: *words is malloc'ed and the caller's, or NULL. The sources are wrong:
 * PIETRA_ERROR_INPUT with the compiler's first message. */
pietra_result reload_compile(const char *stem, pietra_error *error, uint32_t **words, size_t *word_count);

#endif
