/* A progress bar on standard error, for a terminal and for work that lasts over a second. A thread of its own redraws it, so that
 * quick work never waits for a terminal. */
#ifndef RENDER_PROGRESS_H
#define RENDER_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

/* Starts counting `steps` of work. Without a terminal, or when not `wanted`, all calls do nothing. */
void progress_start(bool wanted, size_t steps);
/* One step is done; what comes next is `next` (static text). Any thread. */
void progress_step(const char *next);
/* Wipes the bar and keeps it away until the release, so that one thread at a time may print a line; it comes back with the next
 * redraw. Any thread. */
void progress_hold(void);
void progress_release(void);
void progress_stop(void);

#endif
