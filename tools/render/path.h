/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What names of files say, and where they lead. */
#ifndef RENDER_PATH_H
#define RENDER_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/* Returns the folder of a file, which the caller frees. That of a name without one, such as standard input's, is the
 * current one. NULL: out of memory. */
char *path_folder(const char *path);

/* Does what stat does, and tells whether it is a link that leads there. False: the path leads to nothing. */
bool path_look(const char *path, struct stat *information, bool *linked);

/* Returns the length of the first of these endings that the name has, whatever its case; 0: it has none of them. */
size_t path_ending(const char *name, const char *const *endings, size_t count);
/* Does the same for the endings of sources: .svg, .svgz or .svg.gz. */
size_t path_source_ending(const char *name);

#endif
