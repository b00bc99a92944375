/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What a file was when it was looked at, to see whether it has changed since. An editor may write into the file, or put
 * another one in its place. */
#ifndef VIEW_WATCH_H
#define VIEW_WATCH_H

#include <stdbool.h>
#include <sys/stat.h>

typedef struct watch {
    bool exists;
    dev_t device;
    ino_t inode;
    off_t bytes;
    struct timespec changed; /* when its content did */
} watch;

watch watch_look(const char *path);
bool watch_equal(const watch *a, const watch *b);

#endif
