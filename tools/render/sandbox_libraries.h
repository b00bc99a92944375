/* Where the loader finds libraries that are opened later, by dlopen. */
#ifndef RENDER_SANDBOX_LIBRARIES_H
#define RENDER_SANDBOX_LIBRARIES_H

/* `path` may not be there. Called for folders of libraries and for single files that links in such folders lead to. */
typedef void sandbox_library_function(void *user, const char *path);

/* The system's folders, libraries of those in /etc/ld.so.conf, LD_LIBRARY_PATH and the program's RUNPATH, and those of what is loaded already. */
void sandbox_libraries_find(sandbox_library_function *take, void *user);

#endif
