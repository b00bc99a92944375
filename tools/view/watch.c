/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "watch.h"

watch watch_look(const char *path)
{
    struct stat found;

    if (stat(path, &found) != 0)
        return (watch){.exists = false};
    return (watch){.exists = true,
                   .device = found.st_dev,
                   .inode = found.st_ino,
                   .bytes = found.st_size,
                   .changed = found.st_mtim};
}

static bool same_time(struct timespec a, struct timespec b)
{
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

bool watch_equal(const watch *a, const watch *b)
{
    return a->exists == b->exists && a->device == b->device && a->inode == b->inode && a->bytes == b->bytes &&
           same_time(a->changed, b->changed);
}
