/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A progress bar on standard error, for terminals and for work that lasts more than a second. A separate thread redraws
 * it, so that quick work never waits for a terminal. */
#ifndef RENDER_PROGRESS_H
#define RENDER_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Starts counting `steps` of work. Without a terminal, or if not `wanted`, no call does anything. */
void progress_start(bool wanted, size_t steps);
/* Records that one step is done. `next`, a static text, names what comes next. Any thread may call it. */
void progress_step(const char *next);
/* Records that of `count` equal parts of the current step that many are done. Any thread may call it. */
void progress_part(uint32_t done, uint32_t count);
/* Wipes the bar and keeps it away until the release, so that one thread at a time can print a line. The next redraw
 * brings it back. Any thread may call it. */
void progress_hold(void);
void progress_release(void);
void progress_stop(void);

#endif
