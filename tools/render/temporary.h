/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Files that get their name when they are complete.
 *
 * The file is written without any name (O_TMPFILE), so that nothing is left of it however the process ends. In the end
 * it is linked to its name. If the name is taken, it is linked to a temporary name and renamed. If the file system
 * refuses this, the file has a temporary name from the start, or is copied to one. Signals remove that file, except for
 * SIGKILL and those of a crash. */
#ifndef RENDER_TEMPORARY_H
#define RENDER_TEMPORARY_H

#include <stdbool.h>
#include <sys/types.h>

#define TEMPORARY_MOST_NAMES 256 /* the most at a time, since a signal that ends the process must find them all */

typedef struct temporary {
    int descriptor;    /* for writing */
    struct slot *slot; /* slot of its name; NULL: it has none */
    bool replaces;     /* a file had the target's name when this one was opened */
} temporary;

/* From here on files are opened for writing alone, because a process may have to give up reading in the folder. Such a
 * file cannot be copied if its name is refused, so this tries once whether the folder accepts names. Call it before any
 * other thread starts. */
void temporary_write_only(const char *folder);
/* Opens a file that is to become `target`, in the same folder. `replaces` says whether there is a file of that name,
 * which may change until the file is finished. False: errno says why. */
bool temporary_open(temporary *file, const char *target, bool replaces, mode_t mode);
/* Closes the file and gives it the name `target`. False: errno says why, and nothing is left. */
bool temporary_finish(temporary *file, const char *target);
/* Closes the file and leaves nothing. */
void temporary_abandon(temporary *file);

/* Makes the signals that end a process remove the files with temporary names. Signals that are ignored stay ignored. */
void temporary_handle_signals(void);

#endif
