/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Keeps outputs from overwriting files that are read. */
#ifndef RENDER_SOURCES_H
#define RENDER_SOURCES_H

#include "options.h"

/* Splits FILE.svg#FRAGMENT in two, unless a file has exactly that name. *fragment is NULL if there is none. The caller
 * frees the result. NULL: out of memory. */
char *source_path(const char *input, const char **fragment);

/* Refuses an output that is the same file as an input or as the style sheet of the options, under any name, a name that
 * leads to a file with the ending of a source, and one with the ending of another format of pictures. Outputs that do
 * not exist, pipes and devices are accepted. The first refusal is reported. Several threads may call it between
 * sources_keep and sources_release. */
status sources_spare(const options *options, const char *const *outputs, size_t output_count);

/* Looks at the sources once for all calls of sources_spare that follow, until sources_release. Failures are
 * reported. */
status sources_keep(const options *options);
void sources_release(void);

#endif
