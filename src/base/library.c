/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/library.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

library_state library_open(const char *name, const library_function *functions, size_t count)
{
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
