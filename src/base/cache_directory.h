/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The folder in which files are kept from run to run. What lies there may be missing, or be removed at any time. */
#ifndef PIETRA_BASE_CACHE_DIRECTORY_H
#define PIETRA_BASE_CACHE_DIRECTORY_H

#include <stdbool.h>

/* Sets *folder to the path of the folder, which need not exist; the caller frees it. It is NULL if there is none. A
 * NULL `directory` means the user's cache directory, "" none, and anything else itself. Returns false if there is no
 * memory. */
bool cache_directory_find(const char *directory, char **folder);

#endif
