/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _GNU_SOURCE /* for dl_iterate_phdr */
#include "base/library.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <string.h>

/* The program itself comes first. It names its dynamic linker, if it has one. */
static int find_linker(struct dl_phdr_info *program, size_t size, void *found)
{
    (void)size;
    for (size_t i = 0; i < program->dlpi_phnum; i++)
        if (program->dlpi_phdr[i].p_type == PT_INTERP)
            *(bool *)found = true;
    return 1;
}

bool library_may_open(void)
{
    bool found = false;
    dl_iterate_phdr(find_linker, &found);
    return found;
}

library_state library_open(const char *name, const library_function *functions, size_t count)
{
    if (!library_may_open())
        return LIBRARY_MISSING;
    errno = 0;
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    bool whole = library != NULL;
    for (size_t i = 0; whole && i < count; i++) {
        /* ISO C has no cast from an object pointer to a function pointer, so POSIX asks for this copy. */
        void *symbol = dlsym(library, functions[i].name);
        memcpy(functions[i].place, &symbol, sizeof symbol);
        whole = symbol != NULL;
    }
    if (whole)
        return LIBRARY_OPEN;
    bool out_of_memory = errno == ENOMEM;
    if (library)
        dlclose(library);
    if (out_of_memory)
        errno = ENOMEM;
    return out_of_memory ? LIBRARY_CLOSED : LIBRARY_MISSING;
}
