/* Files that get their name when they are complete.
 *
 * A file without any name (O_TMPFILE) is written, so that nothing is left of it however the process ends, and is linked to its name at the
 * end. Where the name is taken it is linked to a temporary one and renamed. Where the file system or a missing /proc refuses this, the file
 * has a temporary name from the start, which signals remove, SIGKILL and those of a crash excepted. */
#ifndef RENDER_TEMPORARY_H
#define RENDER_TEMPORARY_H

#include <stdbool.h>
#include <sys/types.h>

#define TEMPORARY_MOST_NAMES 256 /* at a time, since a signal that ends the process must find them all */

typedef struct temporary {
    int descriptor;         /* for writing */
    struct slot *slot;      /* of its name; NULL: it has none */
} temporary;

/* From here on files are opened for writing alone, as a process may have to that gives up the right to read in the folder. Those cannot be
 * copied when their name is refused: whether this folder takes it is tried once. Before any other thread. */
void temporary_write_only(const char *folder);
/* Opens one that is to become `target`, in the same folder. False: errno says why. */
bool temporary_open(temporary *file, const char *target, mode_t mode);
/* Closes it and makes it `target`. False: errno says why, and nothing is left. */
bool temporary_finish(temporary *file, const char *target);
/* Closes it, and nothing is left. */
void temporary_abandon(temporary *file);

/* Has the signals that end a process remove what has a temporary name. Those that are ignored stay so. */
void temporary_handle_signals(void);

#endif
