/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The files that the viewer leafs through. */
#ifndef VIEW_FILES_H
#define VIEW_FILES_H

#include "base/array.h"

/* Zero bytes are the empty list. */
typedef struct files {
    ARRAY(char *) paths;
} files;

/* Adds a file of any name, which need not be there yet, or the files below a folder that end in .svg, .svgz or .svg.gz,
 * in the order of their names. Links to folders are not followed, links to files are. A folder without such files is
 * said. False: out of memory. */
bool files_add(files *files, const char *path);
void files_destroy(files *files);

#endif
