/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/frame/cancel.h"

#include <stdlib.h>

#include "base/error.h"

pietra_result cancel_check(cancel_watch *watch, pietra_error *error)
{
    return cancel_is_seen(watch) ? error_set(error, PIETRA_CANCELLED, 0, "the frame was cancelled") : PIETRA_OK;
}

pietra_result pietra_canceller_create(pietra_error *error, pietra_canceller **canceller)
{
    if (!canceller)
        return error_set_null(error, "canceller");
    pietra_canceller *made = malloc(sizeof *made);
    if (!made)
        return error_set_memory(error);
    atomic_init(&made->is_cancelled, false);
    *canceller = made;
    return PIETRA_OK;
}

void pietra_canceller_destroy(pietra_canceller *canceller)
{
    free(canceller);
}

void pietra_canceller_cancel(pietra_canceller *canceller)
{
    if (canceller)
        atomic_store_explicit(&canceller->is_cancelled, true, memory_order_relaxed);
}

void pietra_canceller_reset(pietra_canceller *canceller)
{
    if (canceller)
        atomic_store_explicit(&canceller->is_cancelled, false, memory_order_relaxed);
}
