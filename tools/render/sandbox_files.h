/* Landlock, which holds a process to the files that it names. */
#ifndef RENDER_SANDBOX_FILES_H
#define RENDER_SANDBOX_FILES_H

#include <stdbool.h>
#include <stdint.h>

/* What may be done at a path and, where it is a folder, below it. Looking at names and attributes is always possible. */
enum {
    SANDBOX_READ = 1,    /* files */
    SANDBOX_LIST = 2,    /* the names in folders */
    SANDBOX_WRITE = 4,   /* files that are there */
    SANDBOX_MAKE = 8,    /* files, and take them away */
    SANDBOX_KEEP = 16,   /* all of these, and make folders: for caches */
    SANDBOX_CONTROL = 32 /* devices, by ioctl */
};

typedef struct sandbox_files {
    int rules;        /* a descriptor */
    uint64_t handled; /* of the rights that the kernel knows */
    int version;      /* of the kernel's interface, from 1 */
} sandbox_files;

/* NULL, or why the kernel holds nothing back. Then there is nothing to end. */
const char *sandbox_files_begin(sandbox_files *files);
/* The path's links are followed. What is not there is passed over. */
void sandbox_files_allow(const sandbox_files *files, const char *path, unsigned access);
/* The same for one file: where the path is a folder, this may be opened, and nothing in it. */
void sandbox_files_allow_one(const sandbox_files *files, const char *path, unsigned access);
/* From here on this thread, and those that it starts, may do what was allowed and no more; what is open stays so. Ends the rules. NULL, or
 * why not. */
const char *sandbox_files_enforce(sandbox_files *files);

#endif
