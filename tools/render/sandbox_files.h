/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Landlock, which restricts a process to the files that it names. */
#ifndef RENDER_SANDBOX_FILES_H
#define RENDER_SANDBOX_FILES_H

#include <stdbool.h>
#include <stdint.h>

/* What may be done at a path and, if it is a folder, below it. Names and attributes can always be looked at. */
enum {
    SANDBOX_READ = 1,     /* read files */
    SANDBOX_LIST = 2,     /* list the names in folders */
    SANDBOX_WRITE = 4,    /* write existing files */
    SANDBOX_MAKE = 8,     /* make files, and remove them */
    SANDBOX_KEEP = 16,    /* all of these, and make folders: for caches */
    SANDBOX_CONTROL = 32, /* control devices, by ioctl */
    SANDBOX_FOLDERS = 64  /* make folders */
};

typedef struct sandbox_files {
    int rules;        /* a descriptor */
    uint64_t handled; /* rights that the kernel knows */
    int version;      /* version of the kernel's interface, from 1 */
} sandbox_files;

/* Returns NULL, or why the kernel holds nothing back. Then there is nothing to end. */
const char *sandbox_files_begin(sandbox_files *files);
/* Allows access at a path. Links are followed. A path that does not exist is skipped. */
void sandbox_files_allow(const sandbox_files *files, const char *path, unsigned access);
/* Does the same for one file. If the path is a folder, only the folder itself may be opened, and nothing in it. */
void sandbox_files_allow_one(const sandbox_files *files, const char *path, unsigned access);
/* Makes the folder and those above it, if they are missing. Changes the path meanwhile. */
void sandbox_files_make_folders(char *path);
/* From here on, this thread, and those that it starts, may do what was allowed and no more. Open files stay open. Ends
 * the rules. Returns NULL, or why it failed. */
const char *sandbox_files_enforce(sandbox_files *files);

#endif
