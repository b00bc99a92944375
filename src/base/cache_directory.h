/* The folder in which files are kept from run to run. What lies there may be missing, or be removed at any time. */
#ifndef PIETRA_BASE_CACHE_DIRECTORY_H
#define PIETRA_BASE_CACHE_DIRECTORY_H

/* Returns the path of the folder, which need not exist; the caller frees it. A NULL `directory` means the user's cache
 * directory, "" none, and anything else itself. NULL: there is none, or no memory. */
char *cache_directory_find(const char *directory);

#endif
