/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Kernels from their sources, for developers: only built with PIETRA_DEV. A kernel is compiled anew by glslc if its
 * source, or a file that it includes, was written after the process made its first program; for a kernel of
 * shaders/primitive/variants.def that file counts as well, and its defines are those of the moment. This happens
 * wherever a program is made of it. A device makes its programs anew before it draws, if sources have changed. Sources
 * lie below PIETRA_SHADER_DIR, from the environment or else from the build. What C shares with the kernels
 * (shaders/lib, shaders/layout) stays as it was built. One thread at a time. */
#ifndef PIETRA_VULKAN_RELOAD_H
#define PIETRA_VULKAN_RELOAD_H

#include <stddef.h>
#include <stdint.h>

#include "pietra/pietra.h"

/* Returns when any source was last written, in nanoseconds. It changes when a source does. */
uint64_t reload_stamp(void);

/* Compiles the kernel of this stem if it is newer than the process. The caller frees *words, which is NULL if the
 * kernel is not newer. PIETRA_ERROR_INPUT: the sources are wrong; the message is the compiler's first. */
pietra_result reload_compile(const char *stem, pietra_error *error, uint32_t **words, size_t *word_count);

#endif
