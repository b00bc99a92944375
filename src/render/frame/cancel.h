/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Frames that other threads cancel. */
#ifndef PIETRA_RENDER_FRAME_CANCEL_H
#define PIETRA_RENDER_FRAME_CANCEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "pietra/pietra.h"

struct pietra_canceller {
    atomic_bool is_cancelled;
};

/* What the threads that draw a frame know of its canceller. A frame of which one thread has seen that it is cancelled
 * stays so, even if the canceller is reset meanwhile. */
typedef struct cancel_watch {
    const pietra_canceller *canceller; /* NULL: nothing cancels the frame */
    atomic_bool is_seen;
} cancel_watch;

/* Returns whether the frame is to end; false for NULL. Any thread. */
static inline bool cancel_is_seen(cancel_watch *watch)
{
    if (!watch || !watch->canceller)
        return false;
    if (atomic_load_explicit(&watch->is_seen, memory_order_relaxed))
        return true;
    if (!atomic_load_explicit(&watch->canceller->is_cancelled, memory_order_relaxed))
        return false;
    atomic_store_explicit(&watch->is_seen, true, memory_order_relaxed);
    return true;
}

/* Returns PIETRA_CANCELLED if the frame is to end, or else PIETRA_OK. */
pietra_result cancel_check(cancel_watch *watch, pietra_error *error);

#endif
