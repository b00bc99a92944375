/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 02 clip: what is open after each begin and end.
 *
 * Reads clip_events; writes clip_infos. It keeps a stack. The GPU uses the stack monoid instead: R. Levien, "Fast GPU
 * bounding boxes on tree-structured scenes", 2022. The stack is threaded through `context`, so its depth is limited by
 * memory alone. */
#include <stdlib.h>

#include "lib/element.h"
#include "render/reference/reference.h"

pietra_result reference_02_clip(reference_frame *frame, pietra_error *error)
{
    uint count = frame->config.clip_event_count;
    pietra_result result;
    clip_step *states = reference_allocate(frame, count, sizeof *states, error, &result);
    if (!states)
        return result;
    frame->clip_infos = reference_allocate(frame, count, sizeof *frame->clip_infos, error, &result);
    if (!frame->clip_infos) {
        free(states);
        return result;
    }
    uint top = NONE;
    for (uint i = 0; i < count; i++) {
        clip_info *info = &frame->clip_infos[i];
        if (frame->clip_events[i].flags & CLIP_EVENT_BEGIN) {
            clip_step parent = top == NONE ? clip_step_nothing() : states[top];
            states[i] = clip_step_compose(parent, clip_step_of(frame->clip_events[i], i));
            info->match = top; /* the parent of a begin, until its end comes */
            info->context = i;
            top = i;
        } else {
            uint begin = top;
            top = frame->clip_infos[begin].match;
            frame->clip_infos[begin].match = i;
            info->match = begin;
            info->context = top;
        }
        clip_step state = info->context == NONE ? clip_step_nothing() : states[info->context];
        info->box = state.box;
        info->layer = state.layer;
        info->depth = state.layers[0];
        info->merged = clip_step_merged(state, (frame->clip_events[i].flags & CLIP_EVENT_BEGIN) != 0);
    }
    free(states);
    return PIETRA_OK;
}
