/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The files of a folder and of all folders in it. */
#ifndef PIETRA_FONT_FOLDER_H
#define PIETRA_FONT_FOLDER_H

#include <stdbool.h>

#define FOLDER_MOST_ENTRIES 1000000u /* files and folders in all */

/* Receives a path, which is valid during the call. Returns NULL, or why the walk ends. */
typedef const char *folder_function(void *user, const char *path);

/* Returns NULL, or what is wrong with a folder: the outermost one, which has to be there. */
const char *folder_check(const char *path);
/* Calls the function for each file whose name ends like that of a font, in the order of their names, so that the order
 * does not depend on the file system. Links are followed, and each folder is entered once. A folder within that cannot
 * be read is passed over. NULL, or why the walk ended: the outermost folder cannot be read, memory, or the function. */
const char *folder_walk(const char *path, folder_function *function, void *user);

#endif
