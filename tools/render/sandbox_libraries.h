/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Finds where the loader looks for libraries that dlopen opens later. */
#ifndef RENDER_SANDBOX_LIBRARIES_H
#define RENDER_SANDBOX_LIBRARIES_H

/* Called for folders of libraries, and for single files to which links in such folders lead. `path` may not exist. */
typedef void sandbox_library_function(void *user, const char *path);

/* Finds the system's folders, the libraries in the folders of /etc/ld.so.conf, LD_LIBRARY_PATH, the program's RUNPATH,
 * and the folders of libraries that are already loaded. */
void sandbox_libraries_find(sandbox_library_function *take, void *user);

#endif
