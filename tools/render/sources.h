/* The files that are read are not written to. */
#ifndef RENDER_SOURCES_H
#define RENDER_SOURCES_H

#include "options.h"

/* FILE.svg#FRAGMENT is split in two, unless a file is called just that. *fragment: NULL where there is none. The result is the caller's;
 * NULL: out of memory. */
char *source_path(const char *input, const char **fragment);

/* Refuses outputs that are the same file as an input or the style sheet of the options, by whatever name, and names that lead to a file
 * with the ending of a source. Outputs that do not exist, pipes and devices are all right. The first found is reported. */
status sources_spare(const options *options, const char *const *outputs, size_t output_count);

#endif
